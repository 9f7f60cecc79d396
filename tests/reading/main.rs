//! From a picture or a camera to the tiles and the hand.

#[path = "../support/mod.rs"]
mod support;

#[cfg(all(feature = "camera", target_os = "linux"))]
mod camera;
#[cfg(all(feature = "vision", unix))]
mod capture;
mod four_hands;
mod layout;
#[cfg(feature = "vision")]
mod live;
mod photo;
#[cfg(feature = "vision")]
mod pictures;
mod profiles;
#[cfg(feature = "vision")]
mod readers;
#[cfg(feature = "vision")]
mod tilesets;
mod tracker;
