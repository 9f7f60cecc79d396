//! What is particular to one place and is measured there once: kept in small TOML files.

pub mod table;
