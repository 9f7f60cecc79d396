//! A set of tiles that was shown once: what its faces look like to the classifier.
//!
//! A [`Profile`] holds, for each face that was laid out, how the classifier's last layer sees it in
//! each of the four turns ([`Exemplar`]), and what is known of the set ([`About`]). [`order`] says
//! which face is which in a photo of the tiles laid out in rows; [`Profile::likeness`] compares a crop
//! with the profile, and [`Likeness`] puts the comparison and the network's answer together, as far as
//! the profile fits the picture ([`weight`]): one of another set is noticed and ignored.
//! [`Folder`] keeps profiles as files. No native library is needed but for making embeddings.

mod folder;
mod likeness;
pub mod order;
mod profile;
mod text;

pub use folder::{Folder, FolderError, SHIPPED, read, write};
pub use likeness::{CLASSES, Fit, Likeness, Shown, weight};
pub use profile::{About, Embedding, Exemplar, MOST_EXEMPLARS, Profile, SetName, White};
pub use text::ProfileError;
