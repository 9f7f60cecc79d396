//! From the tiles of a picture to the hand that is shown. Knows nothing of rules' values.
//!
//! In: every [`SeenTile`](crate::sight::SeenTile) of a picture. Out: [`PictureLayout`]: what each tile is in it, the [`Reading`](crate::hand::Reading),
//! how sure it is, and what is in doubt. In three steps: runs of neighbours in the tiles' own axes
//! (`rows`), the ways in which runs make a hand (`arrange`), and the likeliest legal naming of each
//! way's tiles ([`decode`]); the way that is best in both is the hand. Of a player whose hand stands
//! concealed, [`read_sets`] reads what lies open.

mod arrange;
mod checks;
pub mod decode;
mod doubt;
mod naming;
mod read;
mod rows;
mod scene;
mod sets;
mod shown;
mod stray;

pub use doubt::{Doubt, Effect, Uncertainty, Unread};
pub(crate) use read::BY_COUNT;
pub use read::read;
pub use scene::tiles;
pub use sets::read_sets;
pub use shown::{Hints, PictureLayout, Role, ShownHand, ShownTile, TileGroup};
