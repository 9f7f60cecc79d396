//! The command line: parses the arguments, builds what a command needs, and runs it.

mod advise;
mod batch;
#[cfg(feature = "vision")]
mod calibrate;
#[cfg(feature = "camera")]
mod cameras;
mod circumstance_args;
mod convert;
mod cures;
#[cfg(feature = "vision")]
mod eval;
#[cfg(feature = "server")]
mod greeting;
#[cfg(feature = "vision")]
mod inside;
#[cfg(feature = "server")]
mod lan_args;
#[cfg(feature = "ledger")]
mod ledger;
#[cfg(feature = "ledger")]
mod moment;
mod opening;
mod photo;
mod pictures;
mod record;
mod rules;
mod schema;
mod score;
#[cfg(feature = "server")]
mod serve;
mod shipped;
#[cfg(feature = "server")]
mod source_args;
#[cfg(feature = "ledger")]
mod table;
mod terminal;
#[cfg(feature = "vision")]
mod tiles;
#[cfg(feature = "vision")]
mod tilesets;
#[cfg(feature = "ledger")]
mod tournament;
mod waits;
#[cfg(feature = "vision")]
mod wishes;

use clap::{Parser, Subcommand};

pub use self::cures::said;

/// The outcome of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// There is a result.
    Found,
    /// No hand, or no win.
    Nothing,
}

/// An entry was written but could not be shown.
#[derive(Debug, thiserror::Error)]
#[error("{written}, but not shown: {cause}")]
pub struct NotShown {
    /// The written entry.
    pub written: String,
    /// Why it was not shown.
    pub cause: String,
}

impl NotShown {
    /// The error of printing a written entry; a closed output stays an I/O error.
    #[cfg(feature = "ledger")]
    fn of(written: impl FnOnce() -> String, error: anyhow::Error) -> anyhow::Error {
        if is_closed_pipe(&error) {
            return error;
        }
        Self { written: written(), cause: format!("{error:#}") }.into()
    }
}

/// Windows' other error for a pipe whose reader is gone (`ERROR_PIPE_NOT_CONNECTED`).
const NOT_CONNECTED: i32 = 233;

/// Whether the output was closed, as `head` does.
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<std::io::Error>();
        let json =
            cause.downcast_ref::<serde_json::Error>().and_then(|error| error.io_error_kind());
        let is_gone =
            |error: &std::io::Error| cfg!(windows) && error.raw_os_error() == Some(NOT_CONNECTED);
        io.is_some_and(is_gone)
            || io.map(std::io::Error::kind).or(json) == Some(std::io::ErrorKind::BrokenPipe)
    })
}

#[derive(Parser)]
#[command(version, about, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

/// The most wanted tasks with their commands, printed when no command is given.
const FIRST: &[(bool, &str, &[&str])] = &[
    (
        cfg!(feature = "vision"),
        "The score of a hand, from a photo of it",
        &["tilelens photo hand.jpg --seat E --round E --self-draw"],
    ),
    (
        cfg!(not(feature = "vision")),
        "The score of a hand",
        &["tilelens score \"123m456m789p23s55s +4s\" --seat E --round E --self-draw"],
    ),
    (
        cfg!(feature = "server"),
        "A camera over the table: pages for the stream (OBS), the operator and phones",
        &["tilelens live"],
    ),
    (
        cfg!(feature = "ledger"),
        "An evening at a table, kept deal by deal",
        &[
            "tilelens table new evening.tlg --players Ann,Bo,Cy,Di",
            #[cfg(feature = "server")]
            "tilelens serve --ledger evening.tlg --lan",
        ],
    ),
];

fn first_steps() -> String {
    let mut text = format!("{}\n", env!("CARGO_PKG_DESCRIPTION"));
    for (_, what, commands) in FIRST.iter().filter(|(is_built, ..)| *is_built) {
        text += &format!("\n{what}:\n");
        for command in *commands {
            text += &format!("    {command}\n");
        }
    }
    text + "\nEverything else: tilelens --help. More about one command: tilelens COMMAND --help.\n"
}

#[derive(Subcommand)]
enum Command {
    /// Read a photo of a finished hand, and say what it is worth and who pays what
    Photo(Box<photo::PhotoArgs>),
    /// Say what a hand is worth and who pays what
    Score(score::ScoreArgs),
    /// List the tiles that complete a hand one tile short, and what each pays
    Waits(waits::WaitsArgs),
    /// Say how far a hand is from complete, which tiles help, and what each discard leaves
    Advise(advise::AdviseArgs),
    /// Convert hands from and to the notations of other programs
    Convert(convert::ConvertArgs),
    /// Read a game's log into a record, write it for other programs, or show it as a page
    #[command(subcommand)]
    Record(record::RecordCommand),
    /// Serve the pages for browsers and phones
    #[cfg(feature = "server")]
    Serve(serve::ServeArgs),
    /// Like `serve`, reading a camera, video or stream continuously
    #[cfg(feature = "server")]
    Live(serve::LiveArgs),
    /// List every tile of a picture
    #[cfg(feature = "vision")]
    Tiles(tiles::TilesArgs),
    /// Learn once where the table is in the picture, or how your tiles look
    #[cfg(feature = "vision")]
    #[command(subcommand)]
    Calibrate(calibrate::Calibrate),
    /// Measure how well a folder of labelled photos is read
    #[cfg(feature = "vision")]
    Eval(eval::EvalArgs),
    /// List or delete the sets of tiles that were learnt
    #[cfg(feature = "vision")]
    Tilesets(tilesets::TilesetsArgs),
    /// List the cameras of this machine and what they offer
    #[cfg(feature = "camera")]
    Cameras(cameras::CamerasArgs),
    /// Keep a session at a table: deals, seats, winds and standings
    #[cfg(feature = "ledger")]
    Table(Box<table::TableCommandArgs>),
    /// List rule sets, show one, or check a file of your own
    Rules(rules::RulesArgs),
    /// Run a tournament: draw, tables, results, standings, clock, pages to print
    #[cfg(feature = "ledger")]
    Tournament(Box<tournament::TournamentArgs>),
    /// Prepare a database for the ledgers of several machines, and copy to and from it
    #[cfg(feature = "ledger")]
    Ledger(ledger::LedgerArgs),
    /// Print the JSON Schema of a request or an answer, or the server's calls as OpenAPI
    Schema(schema::SchemaArgs),
    /// Print completions of commands and options for a shell
    Completions(shipped::CompletionsArgs),
    /// Write manual pages into a folder
    Man(shipped::ManArgs),
}

/// Reads the arguments and runs.
///
/// # Errors
/// The error that stops the run, with a message for the terminal.
pub fn run() -> anyhow::Result<Outcome> {
    #[cfg(windows)]
    let _ = anstyle_query::windows::enable_ansi_colors();
    let arguments = Arguments::try_parse_from(wild::args_os()).unwrap_or_else(|error| {
        let text = error.to_string();
        let masked = masked(&text);
        if masked == text || !error.use_stderr() {
            error.exit()
        }
        eprint!("{masked}");
        std::process::exit(error.exit_code())
    });
    let Some(command) = arguments.command else {
        use std::io::Write as _;
        std::io::stdout().write_all(first_steps().as_bytes())?;
        return Ok(Outcome::Found);
    };
    match command {
        Command::Photo(args) => photo::run(*args),
        #[cfg(feature = "vision")]
        Command::Calibrate(what) => calibrate::run(&what),
        #[cfg(feature = "vision")]
        Command::Eval(args) => eval::run(&args),
        #[cfg(feature = "vision")]
        Command::Tiles(args) => tiles::run(&args),
        #[cfg(feature = "vision")]
        Command::Tilesets(args) => tilesets::run(&args),
        #[cfg(feature = "camera")]
        Command::Cameras(args) => cameras::run(&args),
        #[cfg(feature = "server")]
        Command::Serve(args) => serve::serve(args),
        #[cfg(feature = "server")]
        Command::Live(args) => serve::live(args),
        #[cfg(feature = "ledger")]
        Command::Table(args) => table::run(*args),
        Command::Score(args) => score::run(args),
        Command::Schema(args) => schema::run(args),
        Command::Waits(args) => waits::run(&args),
        Command::Advise(args) => advise::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Record(what) => record::run(what),
        Command::Rules(args) => rules::run(&args),
        #[cfg(feature = "ledger")]
        Command::Tournament(args) => tournament::run(&args),
        #[cfg(feature = "ledger")]
        Command::Ledger(args) => ledger::run(args),
        Command::Completions(args) => shipped::completions(&args),
        Command::Man(args) => shipped::man(&args),
    }
}

/// Masks a text for the terminal, which may be on a stream: secrets in addresses among the arguments and in the text
/// itself.
#[must_use]
pub fn masked(text: &str) -> String {
    #[cfg(feature = "vision")]
    let text = {
        use crate::capture::{Address, mask_addresses};
        let typed = std::env::args_os().map(|typed| Address::new(&typed.to_string_lossy()));
        let mask = |text: String, address: Address| address.mask(&text);
        mask_addresses(&typed.filter(Address::has_secrets).fold(text.to_owned(), mask))
    };
    #[cfg(not(feature = "vision"))]
    let text = text.to_owned();
    text
}

/// The rule sets by name or file.
fn library() -> crate::rules::Library {
    crate::rules::Library::new(Box::new(tilelens_files::rule_file))
}
