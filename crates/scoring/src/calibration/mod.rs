//! Measurements of one venue, made there once and kept in small TOML files.

pub mod table;
