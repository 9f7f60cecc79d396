//! Tiles over time.
