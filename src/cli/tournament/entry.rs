//! What writes something down: players, seats, results, penalties, undo.

use std::{fmt::Write as _, path::Path};

use anyhow::{Context, anyhow};
use jiff::{SignedDuration, Timestamp};

use super::{Out, bytes_of, show, store::Store, text};
use crate::{
    cli::library,
    tile::Seat,
    tournament::{Log, Name, Points, Schedule, Sitter, What, draw, read_entrants, read_results},
};

pub(super) fn new(
    out: &mut Out<'_>,
    by: &str,
    file: &Path,
    (name, rules, format): (&str, &str, Option<&str>),
) -> anyhow::Result<()> {
    let set = library().rule_set(rules, &[]).map_err(|error| anyhow!(error))?;
    let mut format_of = show::read_format(format.unwrap_or("chumchu"))?.0;
    if format.is_none() {
        let points = i32::try_from(set.session().initial_points)?;
        format_of.starting_points = Points::whole(points);
    }
    let format = Box::new(format_of);
    let what = What::Begun { name: name.trim().to_owned(), rules: rules.to_owned(), format };
    let log = Log::begin(Timestamp::now(), by, what)?;
    Store::at(file).create(&log)?;
    let next = file.display();
    out.written(
        log.events(),
        &format!("{name}: begun in {next}.\nNext: tilelens tournament import {next} players.csv\n"),
    )
}

pub(super) fn import(
    out: &mut Out<'_>,
    by: &str,
    file: &Path,
    source: &Path,
    results: bool,
) -> anyhow::Result<()> {
    let bytes = bytes_of(source)?;
    let told = || source.display().to_string();
    let (events, tournament) = Store::at(file).append(by, |_, tournament| {
        if results {
            return read_results(&bytes, tournament).with_context(told);
        }
        let entrants = read_entrants(&bytes).with_context(told)?;
        Ok(vec![What::Entered { entrants }])
    })?;
    let text = if results {
        format!("Tables read: {}; {}.\n", events.len(), tournament.results_line())
    } else {
        let players = tournament.roster.players().count();
        let reserves = tournament.roster.reserves().count();
        format!("Entered so far: players {players}, reserves {reserves}.\n")
    };
    out.written(&events, &text)
}

pub(super) fn seat(
    out: &mut Out<'_>,
    by: &str,
    file: &Path,
    (rounds, seed, starts): (u16, Option<&str>, &[String]),
) -> anyhow::Result<()> {
    let seed = match seed {
        Some(seed) => seed.to_owned(),
        None => random_seed()?,
    };
    let starts =
        starts.iter().map(|start| text::moment(start)).collect::<anyhow::Result<Vec<_>>>()?;
    let (events, tournament) = Store::at(file).append(by, |_, tournament| {
        let starts = match starts.as_slice() {
            [first] => {
                let minutes = i64::from(tournament.format.session.minutes);
                (0..i64::from(rounds))
                    .map(|round| *first + SignedDuration::from_mins(minutes * round))
                    .collect()
            }
            _ => starts.clone(),
        };
        let schedule = Schedule::new(tournament.seats_needed()?, rounds)?;
        let numbers = draw(&seed, tournament.roster.players());
        Ok(vec![What::Seated { seed: seed.clone(), numbers, schedule, starts }])
    })?;
    let mut page = show::draw_text(&tournament)?;
    for round in 1..=usize::from(rounds) {
        page += &show::round_text(&tournament, round)?;
    }
    page += &show::quality_text(&tournament)?;
    out.written(&events, &page)
}

/// Sixteen digits that nobody chose.
fn random_seed() -> anyhow::Result<String> {
    use std::hash::{BuildHasher, RandomState};
    // The standard library seeds its hash tables from the system's randomness.
    let number = RandomState::new().hash_one(std::process::id());
    Ok(format!("{number:016x}"))
}

pub(super) fn start(
    out: &mut Out<'_>,
    by: &str,
    file: &Path,
    (round, start): (usize, Timestamp),
) -> anyhow::Result<()> {
    let (events, tournament) =
        Store::at(file).append(by, |_, _| Ok(vec![What::Started { round, start }]))?;
    let page = show::clock_text(&tournament, round, (Timestamp::now(), 0))?;
    out.written(&events, &page)
}

pub(super) fn result(
    out: &mut Out<'_>,
    by: &str,
    file: &Path,
    (round, table, points): (usize, usize, &[Points]),
) -> anyhow::Result<()> {
    let points: [Points; 4] =
        points.try_into().map_err(|_| anyhow!("expected four scores, East first"))?;
    let (events, tournament) =
        Store::at(file).append(by, |_, _| Ok(vec![What::Result { round, table, points }]))?;
    let mut rows = Vec::new();
    let sitters = tournament.table(round, table)?;
    let sessions = tournament.sessions(round, table)?.into_iter().flatten();
    for (wind, session) in Seat::ALL.into_iter().zip(sessions) {
        let sitter = sitters[wind.index()];
        let counted = match sitter {
            Sitter::Player(_) => [
                text::signed(session.earned),
                text::signed(session.bonus),
                text::signed(session.earned + session.bonus),
            ],
            Sitter::Reserve { .. } => ["not counted".into(), String::new(), "0".into()],
        };
        let mut row = vec![wind.name().to_owned(), text::sitter(sitter)];
        row.extend(counted);
        rows.push(row);
    }
    let headings = text::headings(["", "Player", ">Earned", ">Bonus", ">Session"]);
    let mut page = format!("Round {round}, table {table}\n");
    page += &text::table(&headings, rows);
    writeln!(page, "\nSo far {}.", tournament.results_line())?;
    out.written(&events, &page)
}

pub(super) fn late(
    out: &mut Out<'_>,
    by: &str,
    file: &Path,
    (player, round, reserve): (&str, usize, Option<&str>),
) -> anyhow::Result<()> {
    let (events, tournament) = Store::at(file).append(by, |_, tournament| {
        let player = text::player(tournament, player)?;
        let reserve = reserve.map(|name| text::reserve(tournament, name)).transpose()?;
        Ok(vec![What::Absent { player, round, reserve }])
    })?;
    let page = show::round_text(&tournament, round)?;
    let summary = summary(&events);
    out.written(&events, &format!("{summary}: 0 for the session.\n{page}"))
}

pub(super) fn penalty(
    out: &mut Out<'_>,
    by: &str,
    file: &Path,
    (player, cause, note): (&str, &str, &str),
) -> anyhow::Result<()> {
    let mut fined: Option<Name> = None;
    let (events, tournament) = Store::at(file).append(by, |_, tournament| {
        let player = text::player(tournament, player)?;
        fined = Some(player.clone());
        // The log refuses a cause that the format does not have.
        let known = tournament.format.penalties.causes.get(cause);
        let count = known.map_or(1, |known| known.count);
        let (cause, note) = (cause.to_owned(), note.to_owned());
        Ok(vec![What::Penalty { player, cause, count, note }])
    })?;
    let mut page = format!("{}.\n", summary(&events));
    if let Some(player) = fined {
        let count = tournament.penalty_count(&player);
        let cost = tournament.format.penalties.cost(count).mixed();
        writeln!(page, "{player} has {count} point penalties: -{cost} in the standings.")?;
    }
    out.written(&events, &page)
}

pub(super) fn disqualify(
    out: &mut Out<'_>,
    by: &str,
    file: &Path,
    (player, round, note): (&str, Option<usize>, &str),
) -> anyhow::Result<()> {
    let (events, _) = Store::at(file).append(by, |_, tournament| {
        let player = text::player(tournament, player)?;
        let round = match round {
            Some(round) => round,
            None => tournament.next_round(&player)?,
        };
        Ok(vec![What::Disqualified { player, round, note: note.to_owned() }])
    })?;
    let summary = summary(&events);
    out.written(&events, &format!("{summary}.\nReserves take the seat; results so far stand.\n"))
}

pub(super) fn undo(
    out: &mut Out<'_>,
    by: &str,
    file: &Path,
    event: Option<usize>,
) -> anyhow::Result<()> {
    let mut undone = String::new();
    let (events, _) = Store::at(file).append(by, |log, _| {
        let id = match event {
            Some(id) => id,
            None => log.last_to_undo().ok_or_else(|| anyhow!("there is nothing to undo"))?.id,
        };
        if let Some(event) = id.checked_sub(1).and_then(|index| log.events().get(index)) {
            undone = format!("Undone: event {id}, {}.\n", event.what.summary());
        }
        Ok(vec![What::Undone { undone: id }])
    })?;
    out.written(&events, &undone)
}

fn summary(events: &[crate::tournament::Event]) -> String {
    let all: Vec<String> = events.iter().map(|event| event.what.summary()).collect();
    all.join("; ")
}
