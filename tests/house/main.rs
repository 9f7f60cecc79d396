//! The house itself: its structure, its examples, its commands and the figures that it prints.

mod accuracy;
mod architecture;
mod commands;
mod examples;
mod packages;
