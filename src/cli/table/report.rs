//! Reports of a ledger: a table, its log, whether it is intact, exports.

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use jiff::tz::TimeZone;
use serde_json::json;

use super::{
    At, Outcome, closed,
    lines::event_line,
    page::{clock_time, deal_line, lost_line, page},
    print, print_json, print_table,
};
use crate::{
    cli::moment::moment,
    ledger::{Ledger, LedgerError, LogKind, LogReport, Verification, repair},
    output::{self, Inputs},
    table::{Table, TableError, TableState},
};

#[derive(Args)]
pub(super) struct ShowArgs {
    #[command(flatten)]
    pub(super) at: At,
    /// Show the table as it was after the event of this number, or at this time: 20:15, or a date and time
    #[arg(long, value_name = "EVENT|TIME")]
    moment: Option<String>,
    /// Show each deal
    #[arg(long)]
    history: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The table at the chosen moment.
fn at_moment(table: Table, moment: Option<&str>) -> anyhow::Result<Table> {
    let Some(moment) = moment else { return Ok(table) };
    if let Ok(event) = moment.parse::<u64>() {
        if event == 0 || event > table.events().len() as u64 {
            bail!("there is no event {event}: the log has 1 to {}", table.events().len());
        }
        return Ok(table.after(event)?);
    }
    Ok(table.at(self::moment(moment)?)?)
}

pub(super) async fn show(args: ShowArgs) -> anyhow::Result<Outcome> {
    let ledger = args.at.read().await?;
    let tables = ledger.tables().await?;
    if args.at.table.is_none() && tables.len() > 1 && args.moment.is_none() {
        return show_all(&ledger, &tables, args.json).await;
    }
    let number = args.at.number(&ledger).await?;
    let table = ledger.table(number).await?;
    if table.events().is_empty() {
        return Err(LedgerError::NoTable(number).into());
    }
    let table = at_moment(table, args.moment.as_deref())?;
    let state = table.state()?;
    print_table(&table, args.json)?;
    if args.history && !args.json {
        let mut text = String::from("\n");
        for record in &state.history {
            let totals: Vec<String> = record.totals.iter().map(ToString::to_string).collect();
            writeln!(
                text,
                "{:>3} {} {}  [{}]",
                record.place.number,
                record.place.round,
                deal_line(state, record),
                totals.join(" ")
            )?;
        }
        print(&text)?;
    }
    closed(ledger).await;
    Ok(Outcome::Found)
}

/// Every table of a file.
async fn show_all(ledger: &Ledger, tables: &[u32], json: bool) -> anyhow::Result<Outcome> {
    let mut states: Vec<TableState> = Vec::new();
    for number in tables {
        match ledger.state(*number).await {
            // The others are there all the same.
            Err(LedgerError::Table(why @ TableError::OpeningLost { .. })) => eprintln!("{why}"),
            state => states.push(state?),
        }
    }
    if json {
        print_json(&states)?;
    } else {
        let pages: Vec<String> = states.iter().map(|state| page(state, &[])).collect();
        print(&pages.join("\n"))?;
    }
    Ok(Outcome::Found)
}

#[derive(Args)]
pub(super) struct LogArgs {
    #[command(flatten)]
    pub(super) at: At,
    /// Print JSON Lines
    #[arg(long)]
    json: bool,
}

pub(super) async fn log(args: LogArgs) -> anyhow::Result<Outcome> {
    let ledger = args.at.read().await?;
    let number = args.at.number(&ledger).await?;
    let table = ledger.table(number).await?;
    if table.events().is_empty() {
        return Err(LedgerError::NoTable(number).into());
    }
    if args.json {
        for recorded in table.events() {
            print_json(recorded)?;
        }
        return Ok(Outcome::Found);
    }
    let state = table.state()?;
    let taken_back = table.taken_back();
    let mut text = String::new();
    for recorded in table.events() {
        let back = if taken_back.contains(&recorded.seq) { "  (taken back)" } else { "" };
        writeln!(
            text,
            "{:>4}  {}  {:<10}  {}{back}",
            recorded.seq,
            clock_time(recorded.at),
            recorded.author,
            event_line(&table, state, recorded)
        )?;
    }
    print(&text)?;
    closed(ledger).await;
    Ok(Outcome::Found)
}

#[derive(Args)]
#[command(
    after_help = "Exit code 0: the ledger is whole. 1: it is damaged, or events are missing that were lost before a repair. 2: it cannot be read."
)]
pub(super) struct VerifyArgs {
    /// The ledger
    file: PathBuf,
    /// Keep every event that is whole, and mark those that are lost. The damaged file stays beside the new one
    #[arg(long)]
    repair: bool,
}

fn write_report(text: &mut String, report: &LogReport, repaired: bool) -> std::fmt::Result {
    let LogReport { log, intact, events, deals, fault, note, problems, lost } = report;
    let deals = match log {
        LogKind::Tournament => String::new(),
        LogKind::Table(_) | LogKind::Record(_) => format!(", {deals} deals"),
    };
    match fault {
        None if lost.is_empty() => writeln!(text, "{log}: {intact} events{deals}, intact")?,
        None => {
            let missing: u64 = lost.iter().map(|loss| loss.last + 1 - loss.first).sum();
            writeln!(text, "{log}: {} of {events} events{deals}", events - missing)?;
        }
        Some((seq, what)) => {
            writeln!(text, "{log}: {intact} of {events} events intact{deals}")?;
            writeln!(text, "  event {seq}: {what}")?;
        }
    }
    lost.iter().try_for_each(|loss| writeln!(text, "  lost: {}", lost_line(loss)))?;
    if let Some(what) = note {
        let done = if repaired { ": it was rewritten" } else { "" };
        writeln!(text, "  the note of its last event {what}{done}")?;
    }
    problems.iter().try_for_each(|problem| writeln!(text, "  look at {problem}"))
}

/// The advice about lost events. Those of a record nobody can enter again, and nothing is counted by them.
fn write_losses(text: &mut String, file: &Path, logs: &[LogReport]) -> std::fmt::Result {
    let counts = |log: &LogReport| !matches!(log.log, LogKind::Record(_)) && !log.lost.is_empty();
    if !logs.iter().any(counts) {
        return Ok(());
    }
    let file = file.display();
    writeln!(
        text,
        "Totals are the sums of the deals that are left; the lost ones are not in them.
Who knows what event N was enters it: tilelens table correct {file} --event N ...
Who knows that nothing of it counts takes it back: tilelens table undo {file} N"
    )
}

pub(super) async fn verify(args: VerifyArgs) -> anyhow::Result<Outcome> {
    let mut text = String::new();
    let found = match Ledger::read(&args.file).await {
        Ok(ledger) => {
            let found = ledger.verify().await?;
            ledger.close().await;
            Some(found)
        }
        Err(error) if args.repair && error.may_be_damage() => None,
        Err(error @ LedgerError::Damaged { .. }) => {
            print(&format!("{error}\n"))?;
            return Ok(Outcome::Nothing);
        }
        Err(error) => return Err(error.into()),
    };
    if let Some(found) = &found {
        let intact = found.is_intact();
        if intact || !args.repair {
            for report in &found.logs {
                write_report(&mut text, report, false)?;
            }
            if let Some(pages) = &found.pages {
                writeln!(text, "the file's pages are damaged: {pages}")?;
            }
            let lost = found.has_losses();
            write_losses(&mut text, &args.file, &found.logs)?;
            let verdict = if intact && lost {
                "repaired, with gaps: what is left is whole, and events are missing".to_owned()
            } else if intact {
                "intact: sums are zero, winds follow, the hash chain is whole".to_owned()
            } else {
                let file = args.file.display();
                format!("damaged: `tilelens table verify --repair {file}` keeps what is intact")
            };
            writeln!(text, "{verdict}")?;
            print(&text)?;
            return Ok(if intact && !lost { Outcome::Found } else { Outcome::Nothing });
        }
    }
    let done = repair(&args.file).await?;
    for report in &done.logs {
        write_report(&mut text, report, true)?;
    }
    let lost = done.logs.iter().any(|report| !report.lost.is_empty());
    if !lost {
        writeln!(text, "every event was kept")?;
    }
    write_losses(&mut text, &args.file, &done.logs)?;
    writeln!(text, "repaired; the damaged file is {}", done.backup.display())?;
    print(&text)?;
    Ok(Outcome::Found)
}

#[derive(Args)]
#[command(
    after_help = "The copy is one file, the ledger of one moment, whatever other programs write meanwhile. Example:
  tilelens table backup evening.tlg /media/stick/evening.tlg"
)]
pub(super) struct BackupArgs {
    /// The ledger
    file: PathBuf,
    /// The file to make. An existing file is never overwritten
    to: PathBuf,
}

pub(super) async fn backup(args: BackupArgs) -> anyhow::Result<Outcome> {
    copied(&crate::ledger::backup(&args.file, &args.to).await?, &args.to)
}

/// The report on a new copy.
pub(in crate::cli) fn copied(found: &Verification, to: &Path) -> anyhow::Result<Outcome> {
    let mut text = String::new();
    for report in &found.logs {
        write_report(&mut text, report, false)?;
    }
    writeln!(text, "copied to {}", Ledger::name(to).display())?;
    print(&text)?;
    Ok(if found.is_intact() { Outcome::Found } else { Outcome::Nothing })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A line for each deal
    Csv,
    /// The table and its whole log
    Json,
}

#[derive(Args)]
pub(super) struct ExportArgs {
    #[command(flatten)]
    pub(super) at: At,
    /// The format of the export
    #[arg(long, value_enum, default_value = "csv")]
    format: Format,
    /// Begin with a byte order mark, by which spreadsheets recognise the encoding
    #[arg(long)]
    bom: bool,
    /// The file to write. The default is standard output
    #[arg(long, short)]
    output: Option<PathBuf>,
}

pub(super) async fn export(args: ExportArgs) -> anyhow::Result<Outcome> {
    let inputs = Inputs::of(Ledger::files(&args.at.file));
    args.output.iter().try_for_each(|to| inputs.refuse(to))?;
    let ledger = args.at.read().await?;
    let number = args.at.number(&ledger).await?;
    let table = ledger.table(number).await?;
    let state = ledger.state(number).await?;
    let text = match args.format {
        Format::Csv => {
            let mark = if args.bom { "\u{feff}" } else { "" };
            format!("{mark}{}", state.to_csv(&TimeZone::system()))
        }
        Format::Json => {
            let mut text = serde_json::to_string_pretty(&json!({
                "table": state,
                "events": table.events(),
            }))?;
            text.push('\n');
            text
        }
    };
    closed(ledger).await;
    match &args.output {
        Some(path) => output::write(path, text.as_bytes(), &inputs)
            .with_context(|| format!("cannot write {}", path.display()))?,
        None => print(&text)?,
    }
    Ok(Outcome::Found)
}
