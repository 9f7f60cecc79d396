//! The command line: what was typed becomes ready things, then one mode runs.

mod batch;
mod circumstance_args;
#[cfg(feature = "vision")]
mod eval;
mod photo;
mod pictures;
mod rules;
mod score;
#[cfg(feature = "ledger")]
mod table;
mod terminal;
#[cfg(feature = "vision")]
mod tiles;
mod waits;

use clap::{Parser, Subcommand};

/// What a run came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// There is a result.
    Found,
    /// No hand, or no win.
    Nothing,
}

#[derive(Parser)]
#[command(version, about, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// A photo of a finished hand: what it is worth and who pays what
    Photo(Box<photo::PhotoArgs>),
    /// What a hand is worth and who pays what
    Score(score::ScoreArgs),
    /// The tiles that complete a hand one tile short, and what each pays
    Waits(waits::WaitsArgs),
    /// Every tile of a picture, named
    #[cfg(feature = "vision")]
    Tiles(tiles::TilesArgs),
    /// How well a folder of labelled photos is read
    #[cfg(feature = "vision")]
    Eval(eval::EvalArgs),
    /// A session at a table: deals written down, seats and winds moved on, standings
    #[cfg(feature = "ledger")]
    Table(Box<table::TableCommandArgs>),
    /// Rule sets: list them, show one, check a file of your own
    Rules(rules::RulesArgs),
}

/// Reads the arguments and runs.
///
/// # Errors
/// Whatever stops the run: the message is for the person at the terminal.
pub fn run() -> anyhow::Result<Outcome> {
    match Arguments::parse().command {
        Command::Photo(args) => photo::run(*args),
        #[cfg(feature = "vision")]
        Command::Eval(args) => eval::run(&args),
        #[cfg(feature = "vision")]
        Command::Tiles(args) => tiles::run(&args),
        #[cfg(feature = "ledger")]
        Command::Table(args) => table::run(*args),
        Command::Score(args) => score::run(args),
        Command::Waits(args) => waits::run(&args),
        Command::Rules(args) => rules::run(&args),
    }
}

/// Rule sets by name, files of the user's among them.
fn library() -> crate::rules::Library {
    /// No rule file is larger.
    const MOST: u64 = 1 << 20;
    crate::rules::Library::new(Box::new(|name| {
        let path = std::path::Path::new(name);
        if path.extension().is_none_or(|extension| extension != "toml") {
            return None;
        }
        let told = |error: std::io::Error| format!("cannot read the rule file {name}: {error}");
        let size = match std::fs::metadata(path) {
            Ok(about) => about.len(),
            Err(error) => return Some(Err(told(error))),
        };
        if size > MOST {
            return Some(Err(format!("{name} has {size} bytes: a rule file has at most {MOST}")));
        }
        Some(std::fs::read_to_string(path).map_err(told))
    }))
}
