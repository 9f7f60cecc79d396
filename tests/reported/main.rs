//! What users of the program reported, by subject: each test opens with what a user saw, and holds the program to the right
//! behaviour.

#[path = "../support/mod.rs"]
mod support;

#[cfg(feature = "vision")]
mod black_sets;
mod bots;
mod clocks;
mod database;
mod decisions;
mod full_disk;
mod install;
mod ledger_files;
mod narrow;
mod on_air;
mod outputs;
mod overlay;
mod phones;
mod pictures;
mod plain_words;
mod prompt;
mod proxy;
mod rulings;
mod secrets;
mod sources;
mod tournaments;
mod words;
mod worths;
