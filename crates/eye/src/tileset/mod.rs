//! A tile set's profile: the look of its faces to the classifier.
//!
//! A [`Profile`] holds, for each face that was photographed, the classifier's embedding in each of the four turns
//! ([`Exemplar`]), and facts about the set ([`SetInfo`]). [`order`] identifies the faces in a photo of the tiles
//! in rows; [`Profile::likeness`] compares a crop with the profile, and [`Likeness`] combines the comparison with
//! the network's classes, as far as the profile fits the picture ([`weight`]): a profile of another set is
//! noticed and ignored. [`Folder`] keeps profiles as files. Only making embeddings needs a native library.

mod folder;
mod likeness;
pub mod order;
mod profile;
mod text;

pub use folder::{Folder, FolderError, SHIPPED, read, write};
pub use likeness::{CLASSES, Fit, Likeness, TurnedEmbedding, weight};
pub use profile::{Embedding, Exemplar, MOST_EXEMPLARS, Profile, SetInfo, SetName, White};
pub use text::ProfileError;
