//! The house itself: its structure, its examples, its commands and the figures that it prints.

// Of what test programs share, this alone.
#[path = "../support/schemas.rs"]
mod described;

mod accuracy;
mod architecture;
mod commands;
mod examples;
mod packages;
mod schemas;
