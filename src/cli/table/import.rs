//! Imports a table that was kept elsewhere: on a phone, whose events go into a ledger unchanged, or in a game's log of
//! another program, whose points are counted again.

use std::{path::PathBuf, sync::Arc};

use anyhow::{Context as _, bail};
use clap::Args;
use serde::Deserialize;

use super::{OpenTable, Outcome, Writing};
use crate::{
    cli::opening::{LogRules, differences, text_of},
    convert::log::GameLog,
    game_log::Replayed,
    ledger::{Entry, Ledger},
    name::Name,
    points::Points,
    table::{Event, Recorded, Table},
};

#[derive(Args)]
#[command(
    after_help = "A file of the same table that goes on further adds what is new. Logs of riichi, by four players, are
read as mjai events, as Tenhou's XML and the JSON of tenhou.net/6, as Majiang's JSON and as our own record: their points
are counted again by --rules, and deals that the log paid otherwise are listed. Examples:
  tilelens table import evening.tlg tilelens-2026-05-01.json
  tilelens table import games.tlg game.mjson --rules riichi --ruling riichi.rounded_mangan=yes"
)]
pub(super) struct ImportArgs {
    /// The ledger. It is made if it is missing
    file: PathBuf,
    /// A file of the pocket page, or of `tilelens table export --format json`, or a game's log, or - for standard input
    from: PathBuf,
    #[command(flatten)]
    rules: LogRules,
    /// Print the table as JSON
    #[arg(long)]
    json: bool,
}

/// A table with its events, as it is exported.
#[derive(Deserialize)]
struct Exported {
    table: Totals,
    events: Vec<Recorded>,
}

#[derive(Deserialize)]
struct Totals {
    players: Vec<PlayerTotal>,
}

#[derive(Deserialize, PartialEq)]
struct PlayerTotal {
    name: Name,
    total: Points,
}

/// The table of an export or a log, and what to say of it.
fn table(text: &str, args: &ImportArgs) -> anyhow::Result<(Table, String)> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let value = serde_json::from_str::<serde_json::Value>(text);
    if value.is_ok_and(|value| value.get("events").is_some()) {
        let wrong = "expected a table as the pocket page saves it, or `tilelens table export --format json` writes it";
        let exported: Exported = serde_json::from_str(text).context(wrong)?;
        return Ok((checked(&exported)?, String::new()));
    }
    let log = GameLog::read(text).context("neither a table's export nor a game's log")?;
    let replayed = args.rules.replay(&log)?;
    let said = differences(&log, &replayed.differences);
    let Replayed { table, .. } = replayed;
    Ok((table, said))
}

/// The table of the events, checked before anything is written.
fn checked(exported: &Exported) -> anyhow::Result<Table> {
    let mut table = Table::new(1);
    for recorded in &exported.events {
        if matches!(&recorded.event, Event::Opened(opened) if opened.sitting.is_some()) {
            bail!("this is a tournament's table: import the tournament's ledger as a whole");
        }
        let event = table.complete(recorded.event.clone(), recorded.at);
        let event = event.with_context(|| format!("event {}", recorded.seq))?;
        table.push(Recorded { event, ..recorded.clone() })?;
    }
    let players = &table.state()?.players;
    let totals: Vec<PlayerTotal> = (players.iter())
        .map(|player| PlayerTotal { name: player.name.clone(), total: player.total })
        .collect();
    if totals != exported.table.players {
        bail!(
            "its events come to other totals than it says: it was changed, or written by another version of Tilelens; use that version"
        );
    }
    Ok(table)
}

pub(super) async fn import(args: ImportArgs) -> anyhow::Result<Outcome> {
    let from = args.from.display();
    let read =
        text_of(&args.from).map_err(anyhow::Error::from).and_then(|text| table(&text, &args));
    let (table, said) = read.with_context(|| from.to_string())?;
    let new = Ledger::is_new(&args.file);
    let ledger = Ledger::create(&args.file).await;
    let ledger = ledger.inspect_err(|_| Ledger::remove_new(&args.file, new))?;
    let tables = ledger.tables().await?;
    let mut number = tables.last().map_or(Some(1), |last| last.checked_add(1));
    let mut known = 0;
    for other in tables {
        let events = ledger.events(other).await?;
        if table.events().starts_with(&events) {
            (number, known) = (Some(other), events.len());
        }
    }
    let Some(number) = number else { bail!("there is no table number left") };
    for recorded in &table.events()[known..] {
        let entry = Entry::new(recorded.event.clone(), &recorded.author);
        let entry = Entry { at: Some(recorded.at), ..entry }.after(recorded.seq - 1);
        ledger.append(number, entry).await?;
    }
    let state = ledger.state(number).await?;
    let added = table.events().len() - known;
    let line = match added {
        0 => format!("table {number}: all {known} events are there already\n"),
        _ => format!("table {number}: {added} events added\n"),
    };
    let line = said + &line;
    let writing = Writing { meant: true, author: String::new(), id: None, json: args.json };
    OpenTable { ledger: Arc::new(ledger), number, state }.show_after(&line, &writing).await
}
