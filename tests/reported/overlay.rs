//! What is on air.
