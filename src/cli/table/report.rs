//! What a ledger says: a table, its log, whether it is whole, exports.

use std::{fmt::Write as _, path::PathBuf};

use anyhow::{anyhow, bail};
use clap::{Args, ValueEnum};
use jiff::Timestamp;
use serde_json::json;

use super::{
    At, Outcome,
    page::{clock_time, deal_line, page},
    print, print_json, print_state, write_file,
};
use crate::{
    ledger::{Ledger, LedgerError, LogReport, repair},
    points::Points,
    table::{Event, Opened, Recorded, Table, TableState, WinBy},
};

#[derive(Args)]
pub(super) struct ShowArgs {
    #[command(flatten)]
    at: At,
    /// As it stood after that event (its number), or at that time (2026-11-21T20:15:00Z)
    #[arg(long, value_name = "EVENT|TIME")]
    moment: Option<String>,
    /// Each deal
    #[arg(long)]
    history: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The table at the moment that is meant.
fn at_moment(table: Table, moment: Option<&str>) -> anyhow::Result<Table> {
    let Some(moment) = moment else { return Ok(table) };
    if let Ok(event) = moment.parse::<u64>() {
        if event == 0 || event > table.events().len() as u64 {
            bail!("there is no event {event}: the log has 1 to {}", table.events().len());
        }
        return Ok(table.after(event)?);
    }
    let time: Timestamp = moment.parse().map_err(|error| {
        anyhow!("`{moment}` is no event and no time such as 2026-11-21T20:15:00Z: {error}")
    })?;
    Ok(table.at(time)?)
}

pub(super) async fn show(args: ShowArgs) -> anyhow::Result<Outcome> {
    let ledger = Ledger::read(&args.at.file).await?;
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
    print_state(state, args.json)?;
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
    ledger.close().await;
    Ok(Outcome::Found)
}

/// Every table of a file.
async fn show_all(ledger: &Ledger, tables: &[u32], json: bool) -> anyhow::Result<Outcome> {
    let mut states: Vec<TableState> = Vec::new();
    for number in tables {
        states.push(ledger.state(*number).await?);
    }
    if json {
        print_json(&states)?;
    } else {
        let pages: Vec<String> = states.iter().map(page).collect();
        print(&pages.join("\n"))?;
    }
    Ok(Outcome::Found)
}

#[derive(Args)]
pub(super) struct LogArgs {
    #[command(flatten)]
    at: At,
    /// Print JSON Lines
    #[arg(long)]
    json: bool,
}

pub(super) async fn log(args: LogArgs) -> anyhow::Result<Outcome> {
    let ledger = Ledger::read(&args.at.file).await?;
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
    ledger.close().await;
    Ok(Outcome::Found)
}

/// An event in a line.
fn event_line(table: &Table, state: &TableState, recorded: &Recorded) -> String {
    let name = |player: usize| state.players.get(player).map_or("?", |player| &player.name);
    let event = &recorded.event;
    let what = event.name();
    match event {
        Event::Opened(opened) => {
            let names: Vec<&str> = opened.players.iter().map(|player| &*player.name).collect();
            let chosen = opened.rulings.iter().map(|(id, choice)| format!(", {id}={choice}"));
            let chosen: String = chosen.collect();
            format!("{what}: {}{chosen} by {}", opened.rules, names.join(", "))
        }
        Event::Deal(deal) => {
            let hands: Vec<String> = (deal.winners.iter())
                .map(|winner| {
                    let hand = winner.hand.as_deref().unwrap_or("no hand entered");
                    let how = match (winner.win, winner.from) {
                        (WinBy::Discard, Some(from)) => format!("on {}'s discard", name(from)),
                        (WinBy::RobKong, Some(from)) => format!("robbing {}", name(from)),
                        _ => "by self-draw".to_owned(),
                    };
                    format!("{} wins {how} ({hand})", name(winner.player))
                })
                .collect();
            let scored = deal.winners.iter().filter_map(|winner| winner.scored.as_ref());
            let paid = scored.map(|scored| &scored.payments).chain(&deal.payments);
            let paid: Vec<String> = paid
                .map(|amounts| {
                    let amounts: Vec<String> = amounts.iter().map(Points::to_string).collect();
                    format!("[{}]", amounts.join(" "))
                })
                .collect();
            let number = deal.place.map_or(0, |place| place.number);
            let at = deal.rolled.map_or(String::new(), |at| format!(", at {}", clock_time(at)));
            format!("{what} {number}{at}: {} {}", hands.join(", "), paid.join(" + "))
        }
        Event::Draw { place, rolled } => {
            let at = rolled.map_or(String::new(), |at| format!(", at {}", clock_time(at)));
            format!("{what}: deal {}{at}", place.map_or(0, |place| place.number))
        }
        Event::Discarded { player, tile } => format!("{what}: {} {tile}", name(*player)),
        Event::Penalty(penalty) => {
            let points = penalty.points.map_or(String::new(), |points| format!(" {points}"));
            let cause = penalty.cause.as_deref().unwrap_or_default();
            let said = [name(penalty.player), cause, &penalty.note];
            format!("{what}{points}: {}", said.join(" ").trim_end())
        }
        Event::DeadHand(fault) | Event::VoidClaim(fault) | Event::Disqualified(fault) => {
            let cause = fault.cause.as_deref().unwrap_or_default();
            let said = [name(fault.player), cause, &fault.note];
            format!("{what}: {}", said.join(" ").trim_end())
        }
        Event::Undone { event } => match written(table, *event) {
            Some(undone) => {
                format!("{what}: event {event}, {}", event_line(table, state, undone))
            }
            None => format!("{what}: event {event}"),
        },
        Event::Corrected { event, with } => {
            let line = |event: &Event| {
                let recorded = Recorded { event: event.clone(), ..recorded.clone() };
                event_line(table, state, &recorded)
            };
            match (before(table, *event, recorded.seq), &**with) {
                (Some(Event::Opened(old)), Event::Opened(new)) => {
                    format!("{what}: event {event}, {}", changes(old, new))
                }
                (Some(old), new) => {
                    format!("{what}: event {event} from {} to {}", line(old), line(new))
                }
                (None, new) => format!("{what}: event {event} to {}", line(new)),
            }
        }
        Event::Ended { why } if !why.is_empty() => format!("{what}: {why}"),
        Event::ClockStarted { minutes, started } => {
            let at = clock_time(started.unwrap_or(recorded.at));
            let minutes = minutes.map_or(String::new(), |minutes| format!(", {minutes} minutes"));
            format!("{what}: {at}{minutes}")
        }
        Event::DiscardRows { rows, claimed } => {
            let of = |rows: &[String]| {
                let named = rows.iter().enumerate().filter(|(_, row)| !row.is_empty());
                let named: Vec<String> =
                    named.map(|(player, row)| format!("{} {row}", name(player))).collect();
                named.join(", ")
            };
            format!("{what}: {}; claimed: {}", of(rows), of(claimed))
        }
        Event::Ended { .. } => what.to_owned(),
    }
}

/// An event as it was written.
fn written(table: &Table, seq: u64) -> Option<&Recorded> {
    table.events().iter().find(|recorded| recorded.seq == seq)
}

/// What an event said just before it was corrected: as it was written, or as the last correction
/// before said.
fn before(table: &Table, event: u64, correction: u64) -> Option<&Event> {
    let earlier = table.events().iter().filter(|recorded| recorded.seq < correction);
    let corrected = earlier.rev().find_map(|recorded| match &recorded.event {
        Event::Corrected { event: of, with } if *of == event => Some(&**with),
        _ => None,
    });
    corrected.or_else(|| written(table, event).map(|recorded| &recorded.event))
}

/// What was corrected of how a table was opened.
fn changes(old: &Opened, new: &Opened) -> String {
    let mut changes = Vec::new();
    for (old, new) in old.players.iter().zip(&new.players) {
        if old.name != new.name {
            changes.push(format!("{} is {}", old.name, new.name));
        }
        if old.penalties_before != new.penalties_before {
            let (before, now) = (old.penalties_before, new.penalties_before);
            changes.push(format!("{} had {now} penalties before, not {before}", new.name));
        }
        if old.new_player_wins != new.new_player_wins {
            changes.push(format!("{}'s wins as a new player", new.name));
        }
    }
    if old.initial != new.initial {
        let points = |opened: &Opened| opened.initial.unwrap_or_default();
        changes.push(format!("{} points to begin with, not {}", points(new), points(old)));
    }
    if old.title != new.title {
        changes.push(format!("the title is {}", new.title.as_deref().unwrap_or("none")));
    }
    if changes.is_empty() { "nothing else".to_owned() } else { changes.join("; ") }
}

#[derive(Args)]
#[command(after_help = "Exit code 0: the ledger is whole. 1: it is damaged. 2: it cannot be read.")]
pub(super) struct VerifyArgs {
    /// The ledger
    file: PathBuf,
    /// Keep the longest intact beginning of each table; the damaged file stays beside it
    #[arg(long)]
    repair: bool,
}

fn write_report(text: &mut String, report: &LogReport, repaired: bool) -> std::fmt::Result {
    let LogReport { table, intact, events, deals, fault, note, problems } = report;
    let (log, deals) = match table {
        Some(table) => (format!("table {table}"), format!(", {deals} deals")),
        None => ("the tournament".to_owned(), String::new()),
    };
    match fault {
        None => writeln!(text, "{log}: {intact} events{deals}, intact")?,
        Some((seq, what)) => {
            writeln!(text, "{log}: {intact} of {events} events intact{deals}")?;
            writeln!(text, "  event {seq}: {what}")?;
            if repaired {
                writeln!(text, "  dropped: events {seq} to {}", events.max(seq))?;
            }
        }
    }
    if let Some(what) = note {
        let done = if repaired { ": it was written anew, no event was dropped" } else { "" };
        writeln!(text, "  the note of its last event {what}{done}")?;
    }
    problems.iter().try_for_each(|problem| writeln!(text, "  look at {problem}"))
}

pub(super) async fn verify(args: VerifyArgs) -> anyhow::Result<Outcome> {
    let mut text = String::new();
    let found = match Ledger::read(&args.file).await {
        Ok(ledger) => {
            let found = ledger.verify().await?;
            ledger.close().await;
            Some(found)
        }
        Err(LedgerError::Damaged { .. }) if args.repair => None,
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
            let verdict = if intact {
                "intact: sums are zero, winds follow, the hash chain is whole".to_owned()
            } else {
                let file = args.file.display();
                format!("damaged: `tilelens table verify --repair {file}` keeps what is intact")
            };
            writeln!(text, "{verdict}")?;
            print(&text)?;
            return Ok(if intact { Outcome::Found } else { Outcome::Nothing });
        }
    }
    let done = repair(&args.file).await?;
    for report in &done.logs {
        write_report(&mut text, report, true)?;
    }
    if done.logs.iter().all(|report| report.fault.is_none()) {
        writeln!(text, "every event was kept")?;
    }
    writeln!(text, "repaired; the damaged file is {}", done.backup.display())?;
    print(&text)?;
    Ok(Outcome::Found)
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
    at: At,
    /// CSV or JSON
    #[arg(long, value_enum, default_value = "csv")]
    format: Format,
    /// Where to; standard output where it is left out
    #[arg(long, short)]
    output: Option<PathBuf>,
}

pub(super) async fn export(args: ExportArgs) -> anyhow::Result<Outcome> {
    let ledger = Ledger::read(&args.at.file).await?;
    let number = args.at.number(&ledger).await?;
    let table = ledger.table(number).await?;
    let state = ledger.state(number).await?;
    let text = match args.format {
        Format::Csv => state.to_csv(),
        Format::Json => {
            let mut text = serde_json::to_string_pretty(&json!({
                "table": state,
                "events": table.events(),
            }))?;
            text.push('\n');
            text
        }
    };
    ledger.close().await;
    match &args.output {
        Some(path) => write_file(path, &text)?,
        None => print(&text)?,
    }
    Ok(Outcome::Found)
}
