#![doc = include_str!("../README.md")]
#![warn(clippy::unwrap_used)]

pub mod output;
pub mod picture_name;
