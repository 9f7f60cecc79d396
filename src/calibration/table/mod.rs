//! A table under a camera: which tiles are whose, and how each player sees his own.
//!
//! A [`TableProfile`] says where the table's corners lie in the picture and who sits at which edge.
//! Its [`TableView`] for a picture of a given size takes every tile to the table through the
//! homography of the corners, and from there into the view of the player before whom it lies.
//!
//! Lengths on the table are parts of its edge. A player's own view has its origin at the far left
//! corner as he sees it: `x` to his right, `y` towards him, 1 at his edge.

mod homography;
mod profile;
mod view;

pub use homography::Homography;
pub use profile::{Area, Areas, Edge, ProfileError, SeatPlace, TableProfile};
pub use view::{Discarded, Lying, TableView, Zone};
