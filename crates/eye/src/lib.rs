#![doc = include_str!("../README.md")]
#![warn(clippy::too_many_lines, clippy::unwrap_used)]

#[cfg(not(target_family = "wasm"))]
pub mod capture;
#[cfg(not(target_family = "wasm"))]
pub mod draw;
pub mod evaluation;
pub mod lesson;
pub mod live;
pub mod picture;
pub mod tileset;
pub mod vision;

use tilelens_files::{output, picture_name};
use tilelens_scoring::{hand, layout, sight, tile};
