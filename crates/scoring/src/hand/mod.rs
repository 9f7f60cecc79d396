//! Hands: seen tiles ([`Reading`]), legal hands, and their division into sets.

mod arrangement;
mod arrangement_text;
mod form;
mod legal;
mod meld;
mod notation;
mod reading;
mod remaining;
mod special;
mod suit_table;
mod text;
mod unwon;
mod waiting;
mod whole;

pub use arrangement::{Arrangement, WonGroup, WonGroups, for_each_arrangement, for_each_reading};
pub(crate) use arrangement::{chow_shift, each_chow, each_face};
pub use arrangement_text::ArrangementText;
pub use form::{Form, Forms};
pub(crate) use legal::MAJORS;
pub use legal::{Hand, HandError};
pub use meld::{Meld, MeldError, MeldKind};
pub use notation::NotationError;
pub(crate) use notation::write_tiles;
pub use reading::{Reading, SeenSet, SetForm, SetTile};
pub use remaining::{RemainingTiles, RemainingTilesError, SeenError};
pub use text::TextError;
pub use unwon::UnwonHand;
pub(crate) use waiting::{completing_tiles, waits_for_winning_tile_alone};
pub use whole::WholeHand;
