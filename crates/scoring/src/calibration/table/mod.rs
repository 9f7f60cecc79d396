//! A table under a camera: assigns tiles to players and gives each player's view of his own.
//!
//! A [`TableProfile`] gives the table's corners in the picture and the players' edges. Its [`TableView`] for a
//! picture of a given size maps every tile to the table through the homography of the corners, and from there
//! into its player's view.
//!
//! Lengths on the table are parts of its edge. A player's own view has its origin at the far left corner as he
//! sees it: `x` to his right, `y` towards him, 1 at his edge.

mod fitted;
mod homography;
mod profile;
mod view;

pub use homography::Homography;
pub use profile::{Area, Areas, Edge, SeatPlace, TableProfile, TableProfileError};
pub use view::{Discarded, PlayerTiles, TableView, Zone};
