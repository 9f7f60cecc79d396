//! From the tiles of a picture to its hand, without knowledge of the rules' values.
//!
//! In: every [`SeenTile`](crate::sight::SeenTile) of a picture. Out: [`PictureLayout`]: the role of each tile, the
//! [`Reading`](crate::hand::Reading), its confidence, and the doubts. In three steps: runs of neighbours in the tiles'
//! own axes (`rows`), the arrangements of a hand in these runs (`arrange`), and the likeliest legal naming of each
//! arrangement's tiles ([`decode`]); the arrangement that is best in both is the hand. For a player whose hand is
//! concealed, [`read_sets`] reads the open sets. Of a whole table [`hands_around`] gives the tiles of each opened hand,
//! and [`read_part`] reads one of them.

mod around;
mod arrange;
mod checks;
#[doc(hidden)]
pub mod decode;
mod doubt;
mod naming;
mod part;
mod read;
mod rows;
mod scene;
mod sets;
mod shown;
mod stray;

pub use around::hands_around;
pub use doubt::{Doubt, Effect, Uncertainty, Unread};
pub use part::embed;
pub use part::read_part;
pub(crate) use read::BY_COUNT;
pub use read::{read, turned_in_walls};
pub use scene::tiles;
pub use sets::{read_open, read_sets};
pub use shown::{Hints, Opened, PictureLayout, Role, ShownHand, ShownTile, TileGroup};
