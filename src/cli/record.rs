//! `tilelens record`: logs of whole games to our own record and from it.

use std::{
    io::{self, Write as _},
    path::PathBuf,
    sync::Arc,
};

use anyhow::Context as _;
use clap::{Args, Subcommand};

use super::{
    Outcome,
    opening::{LogRules, differences, text_of},
};
#[cfg(feature = "ledger")]
use crate::ledger::Ledger;
use crate::{
    convert::log::{self, GameLog, LogFormat},
    output::{self, Inputs},
    record::Record,
    rules::RuleSet,
};

#[derive(Subcommand)]
pub(super) enum RecordCommand {
    /// Read a game's log, and write it as our own record, a line of JSON for each event
    Import(ImportArgs),
    /// Write a record, or any log that `import` reads, for another program
    Export(ExportArgs),
    /// Write one file that replays a game in any browser, without a network
    #[cfg(feature = "server")]
    Replay(ReplayArgs),
}

/// A log that is read, and where the result goes.
#[derive(Args)]
struct Ways {
    /// A game's log: mjai events, Tenhou's XML or JSON, Majiang's JSON, or our own record; - for standard input. Or a
    /// ledger, into which `live --record` has written one
    log: PathBuf,
    /// The number of the table in the ledger. It is not needed if the ledger has only one with a record
    #[cfg(feature = "ledger")]
    #[arg(long)]
    table: Option<u32>,
    /// The file to write, in place of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Args)]
#[command(
    after_help = "The points of riichi are counted again by --rules, and deals that the log paid otherwise are listed on standard error. Example: tilelens record import game.mjlog -o game.jsonl"
)]
pub(super) struct ImportArgs {
    #[command(flatten)]
    ways: Ways,
    #[command(flatten)]
    rules: LogRules,
}

#[derive(Args)]
#[command(after_help = "Example: tilelens record export game.jsonl --to mjai -o game.mjson")]
pub(super) struct ExportArgs {
    #[command(flatten)]
    ways: Ways,
    /// The format to write: jsonl, mjai or tenhou
    #[arg(long, value_name = "FORMAT")]
    to: LogFormat,
}

#[cfg(feature = "server")]
#[derive(Args)]
#[command(
    after_help = "The result of each deal of riichi is counted by --rules. Example: tilelens record replay game.mjlog -o game.html"
)]
pub(super) struct ReplayArgs {
    #[command(flatten)]
    ways: Ways,
    #[command(flatten)]
    rules: LogRules,
}

/// A record that was read.
struct ReadRecord {
    record: Record,
    /// The rules of the table that it is of, where they are known.
    #[cfg_attr(not(feature = "server"), expect(dead_code))]
    rules: Option<Arc<RuleSet>>,
}

impl Ways {
    fn read(&self) -> anyhow::Result<ReadRecord> {
        let name = || self.log.display().to_string();
        #[cfg(feature = "ledger")]
        if let Some((text, rules)) = self.of_ledger()? {
            return Ok(ReadRecord {
                record: log::read(&text).with_context(name)?,
                rules: Some(rules),
            });
        }
        let text = text_of(&self.log).with_context(name)?;
        Ok(ReadRecord { record: log::read(&text).with_context(name)?, rules: None })
    }

    /// The record of a ledger's table, and the table's rules; `None`: it is no ledger.
    #[cfg(feature = "ledger")]
    fn of_ledger(&self) -> anyhow::Result<Option<(String, Arc<RuleSet>)>> {
        if !Ledger::is_one(&self.log) {
            let name = self.log.display();
            anyhow::ensure!(
                self.table.is_none(),
                "--table is the table of a ledger, and {name} is none"
            );
            return Ok(None);
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let ledger = Ledger::read(&self.log).await?;
            let table = match (self.table, &ledger.records().await?[..]) {
                (Some(table), _) => table,
                (None, [(only, _)]) => *only,
                (None, []) => anyhow::bail!(
                    "no table of {} has a record: `tilelens live --record` writes one",
                    Ledger::name(&self.log).display()
                ),
                (None, several) => {
                    let numbers: Vec<String> =
                        several.iter().map(|(table, _)| table.to_string()).collect();
                    anyhow::bail!(
                        "several tables have a record: give --table with one of {}",
                        numbers.join(", ")
                    )
                }
            };
            let record = ledger.record(table).await?;
            anyhow::ensure!(
                !record.is_empty(),
                "table {table} has no record: `tilelens live --record` writes one"
            );
            let rules = Arc::clone(ledger.table(table).await?.rules()?);
            ledger.close().await;
            Ok(Some((record.text(), rules)))
        })
    }

    fn write(&self, text: &str) -> anyhow::Result<()> {
        let Some(to) = &self.output else {
            return Ok(io::stdout().lock().write_all(text.as_bytes())?);
        };
        let wrong = || format!("cannot write {}", to.display());
        output::write(to, text.as_bytes(), &Inputs::of([&self.log])).with_context(wrong)
    }
}

pub(super) fn run(what: RecordCommand) -> anyhow::Result<Outcome> {
    match what {
        RecordCommand::Import(args) => import(&args),
        RecordCommand::Export(args) => export(&args),
        #[cfg(feature = "server")]
        RecordCommand::Replay(args) => replay(&args),
    }
}

fn import(args: &ImportArgs) -> anyhow::Result<Outcome> {
    let ReadRecord { record, .. } = args.ways.read()?;
    let game = GameLog::of(&record).with_context(|| args.ways.log.display().to_string())?;
    args.ways.write(&LogFormat::Jsonl.print(&record)?.value)?;
    match args.rules.replay(&game) {
        Ok(replayed) => eprint!("{}", differences(&game, &replayed.differences)),
        Err(error) => eprintln!("tilelens: points not counted again: {error:#}"),
    }
    Ok(Outcome::Found)
}

fn export(args: &ExportArgs) -> anyhow::Result<Outcome> {
    let written = args.to.print(&args.ways.read()?.record)?;
    args.ways.write(&written.value)?;
    for note in written.notes {
        eprintln!("tilelens: {note}");
    }
    Ok(Outcome::Found)
}

#[cfg(feature = "server")]
fn replay(args: &ReplayArgs) -> anyhow::Result<Outcome> {
    use crate::{page, server::replay_page};

    let ReadRecord { record, rules } = args.ways.read()?;
    let counted = GameLog::of(&record).map_err(anyhow::Error::from);
    let counted = counted.and_then(|game| {
        anyhow::ensure!(
            game.has_payments(),
            "the record does not say what was paid, and so not by which rules it was played"
        );
        args.rules.replay(&game)
    });
    if let Err(error) = &counted {
        eprintln!("tilelens: results not counted: {error:#}");
    }
    let table = counted.as_ref().ok().map(|replayed| &replayed.table);
    let rules = args.rules.rule_set(rules)?;
    let game = page::replay::replay(&record, &rules, table).map_err(anyhow::Error::msg)?;
    let page = replay_page(&game, None).context("a part of the page is missing")?;
    args.ways.write(&page)?;
    Ok(Outcome::Found)
}
