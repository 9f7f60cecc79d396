#![doc = include_str!("../README.md")]
#![warn(clippy::too_many_lines, clippy::unwrap_used)]

pub mod output;
pub mod picture_name;
mod rule_file;

pub use rule_file::rule_file;
