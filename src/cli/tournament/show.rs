//! Commands that only show: tables, standings, clock, log, pages, exports.

use std::{fmt::Write as _, path::Path};

use anyhow::Context;
use jiff::{Timestamp, tz::TimeZone};

use super::{
    Out,
    args::Export,
    cards::cards,
    hall::{at_moment, read, wait},
    out::bytes_of,
    text,
};
use crate::{
    cli::{ledger::renewed, moment::local},
    ledger::Ledger,
    points::Points,
    tournament::{
        By, GroupMeetings, MayPlay, MostRounds, Number, Paired, SessionResult, Table, TeamStanding,
        Template, Tournament, TournamentQuality, Why, to_csv,
    },
    words::Language,
};

pub(super) fn tables(out: &mut Out<'_>, file: &Path, round: Option<usize>) -> anyhow::Result<()> {
    let (_, tournament) = read(file)?;
    let rounds = tournament.seated()?.schedule.rounds().len();
    if let Some(round) = round {
        tournament.round(round)?;
    }
    if out.json {
        let mut lines = tournament.seat_lines(&TimeZone::system())?;
        lines.retain(|line| round.is_none_or(|round| line.round == round));
        return out.as_json(&serde_json::json!({
            "seats": lines,
            "quality": tournament.quality()?,
            "without_repeats": MostRounds::of(tournament.seated()?.schedule.seats().next_multiple_of(4)),
        }));
    }
    let mut page = String::new();
    match round {
        Some(round) => page += &round_text(&tournament, round)?,
        None => {
            page += &draw_text(&tournament)?;
            for round in 1..=rounds {
                page += &round_text(&tournament, round)?;
            }
            page += &quality_text(&tournament)?;
        }
    }
    out.text(&page)
}

/// Who drew which number.
pub(super) fn draw_text(tournament: &Tournament) -> anyhow::Result<String> {
    let seating = tournament.seated()?;
    let mut page = format!("Numbers drawn with the seed {}:\n", seating.seed);
    let rows = (1..)
        .zip(&seating.numbers)
        .map(|(number, name): (u16, _)| vec![number.to_string(), name.to_string()]);
    page += &text::table(&text::headings([">No.", "Player"]), rows.collect());
    let is_reserve = |number: &&Number| usize::from(number.0) > seating.numbers.len();
    let in_round = |tables: &Vec<Table>| tables.iter().flatten().filter(is_reserve).count();
    let reserves = seating.schedule.rounds().iter().map(in_round).min().unwrap_or(0);
    if reserves > 0 {
        let (players, entered) = (seating.numbers.len(), tournament.roster.reserves().count());
        if entered < reserves {
            writeln!(
                page,
                "{players} players do not fill their tables: every round needs {reserves} reserves, and \
                 {entered} are entered. Import {missing} more at any time (`tilelens tournament import`, with the \
                 columns `name` and `reserve`, which says yes); their points do not count.",
                missing = reserves - entered
            )?;
        } else {
            writeln!(
                page,
                "{players} players do not fill their tables: {reserves} reserves play in every round, their \
                 points do not count."
            )?;
        }
    }
    Ok(page + "\n")
}

/// Who sits where in a round.
pub(super) fn round_text(tournament: &Tournament, round: usize) -> anyhow::Result<String> {
    let numbers = tournament.round(round)?;
    let mut page = format!("Round {round}");
    if let Some(start) = tournament.start_of(round) {
        write!(page, ", {}", local(start))?;
    }
    page.push('\n');
    let mut rows = Vec::new();
    for (table, numbers) in (1..).zip(numbers) {
        let mut row = vec![table.to_string()];
        for (number, sitter) in numbers.iter().zip(tournament.table(round, table)?) {
            row.push(format!("{number} {}", text::sitter(sitter)));
        }
        rows.push(row);
    }
    page += &text::table(&text::headings([">Table", "East", "South", "West", "North"]), rows);
    if let Some(lack) = tournament.lack_of_reserves(round)? {
        writeln!(page, "{}.", lack.english())?;
    }
    Ok(page + "\n")
}

/// The repeated meetings of new rounds, the players without a seat, and the rounds laid out later.
pub(super) fn paired_text(tournament: &Tournament, paired: &Paired) -> anyhow::Result<String> {
    const SHOWN: usize = 12;
    let rounds = tournament.seated()?.schedule.rounds().len();
    let mut page = String::new();
    let earlier = tournament.seated()?.schedule.rounds().iter().take(paired.round - 1);
    let tables = (1..)
        .zip(earlier)
        .flat_map(|(round, tables)| (1..=tables.len()).map(move |table| (round, table)));
    let open = tables.filter(|at| !tournament.results.contains_key(at)).count();
    if open > 0 && paired.by != By::Meetings {
        let open = if open == 1 { "1 table has" } else { &format!("{open} tables have") };
        writeln!(page, "The standings are not final: {open} no result yet.")?;
    }
    if !paired.out.is_empty() {
        let names: Vec<&str> = paired.out.iter().take(SHOWN).map(|name| name.as_str()).collect();
        let more = paired.out.len() - names.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        writeln!(page, "Without a seat: {}{more}.", names.join(", "))?;
    }
    let mut again = Vec::new();
    for round in paired.round..=rounds {
        again.extend(tournament.meets_again(round)?);
    }
    if again.is_empty() {
        page += "Nobody meets again.\n";
    } else {
        let shown: Vec<String> =
            again.iter().take(SHOWN).map(|[one, other]| format!("{one} and {other}")).collect();
        let more = again.len() - shown.len();
        let more = if more > 0 { format!("; and {more} more") } else { String::new() };
        let why = match paired.proven {
            true => "and it is proven that no layout has fewer",
            false => "the fewest that were found; it is not proven that there are none with fewer",
        };
        let count = again.len();
        let pairs = if count == 1 { "1 pair meets" } else { &format!("{count} pairs meet") };
        writeln!(page, "{pairs} again, {why}: {}{more}.", shown.join("; "))?;
    }
    Ok(page)
}

fn later_text(laid_out: usize, planned: usize) -> String {
    let next = laid_out + 1;
    let rounds = if next == planned {
        format!("Round {next} is")
    } else {
        format!("Rounds {next} to {planned} are")
    };
    format!("{rounds} laid out later (tilelens tournament pair).")
}

/// The quality of the schedule.
pub(super) fn quality_text(tournament: &Tournament) -> anyhow::Result<String> {
    let TournamentQuality { meetings: quality, together } = tournament.quality()?;
    let seating = tournament.seated()?;
    let seats = seating.schedule.seats();
    // The bounds are those of full tables: reserves meet nobody that counts here.
    let players = seating.numbers.len();
    let full = |tables: &Vec<_>| tables.len() * 4 == players;
    let is_full = players == usize::from(seats) && seating.schedule.rounds().iter().all(full);
    let meetings: Vec<String> = quality
        .pairs_by_meetings
        .iter()
        .enumerate()
        .filter(|(_, pairs)| **pairs > 0)
        .map(|(times, pairs)| match times {
            0 => format!("{pairs} never"),
            1 => format!("{pairs} once"),
            2 => format!("{pairs} twice"),
            _ => format!("{pairs} {times} times"),
        })
        .collect();
    let mut page = format!("Pairs of players who meet: {}.\n", meetings.join(", "));
    let proven = if is_full && quality.repeated == quality.repeated_at_least {
        ", the fewest that any schedule has"
    } else {
        ""
    };
    writeln!(page, "Repeated meetings: {}{proven}.", quality.repeated)?;
    for GroupMeetings { of, meetings, by_name } in &together {
        const SHOWN: usize = 8;
        let mut most: Vec<(&String, &usize)> = by_name.iter().collect();
        most.sort_by_key(|(_, times)| std::cmp::Reverse(**times));
        let shown = most.iter().take(SHOWN).map(|(name, times)| format!("{name} {times}"));
        let mut most: Vec<String> = shown.collect();
        if by_name.len() > SHOWN {
            most.push("…".to_owned());
        }
        match meetings {
            0 => writeln!(page, "Two of one {of} at a table: never.")?,
            _ => writeln!(page, "Two of one {of} at a table: {meetings} ({}).", most.join(", "))?,
        }
    }
    page += &teams_text(tournament);
    if is_full && seating.planned == seating.schedule.rounds().len() && seating.by == By::Meetings {
        page += &most_rounds_text(seats);
    }
    let spread = match quality.wind_spread {
        0 => "everybody begins equally often in each wind".to_owned(),
        most => format!("nobody begins in one wind more than {most} oftener than in another"),
    };
    writeln!(page, "Winds: {spread}.")?;
    let rounds = seating.schedule.rounds().len();
    if seating.planned > rounds {
        writeln!(page, "{}", later_text(rounds, seating.planned))?;
    }
    Ok(page)
}

/// Teams without four players, whose sums are of more or fewer.
fn teams_text(tournament: &Tournament) -> String {
    let teams = tournament.team_standings().unwrap_or_default();
    let odd = teams.iter().filter(|team| team.players.len() != 4);
    let odd: Vec<String> =
        odd.map(|team| format!("{} has {}", team.team, team.players.len())).collect();
    if odd.is_empty() {
        return String::new();
    }
    format!("Teams without four players, with the number in their sums: {}.\n", odd.join(", "))
}

/// The number of rounds that can be played without repeated meetings, the reason, and the number planned.
fn most_rounds_text(seats: u16) -> String {
    let MostRounds { at_most, why, reached } = MostRounds::of(seats);
    let why = match why {
        Why::Counting => format!("each brings 3 of the {} others", seats.saturating_sub(1)),
        Why::FewTables => "with fewer than four tables, two of each have just met".to_owned(),
        Why::NoDesign => format!(
            "it is proven that no resolvable design has {}, Handbook of Combinatorial Designs IV.5.4",
            at_most + 1
        ),
    };
    format!(
        "Rounds without repeats: at most {at_most} for {seats} seats ({why}); schedules here reach \
         {reached}.\n"
    )
}

pub(super) fn standings(
    out: &mut Out<'_>,
    file: &Path,
    moment: Option<Timestamp>,
) -> anyhow::Result<()> {
    let tournament = at_moment(file, moment)?;
    let standings = tournament.standings()?;
    if out.json {
        return out.as_json(&standings);
    }
    let rounds = standings.first().map_or(0, |standing| standing.sessions.len());
    let mut headings = text::headings([">Rank", ">No.", "Player"]);
    headings.extend((1..=rounds).map(|round| format!(">Round {round}")));
    if tournament.format.rules.has_table_points() {
        headings.push(">Table points".to_owned());
    }
    headings.extend(text::headings([">Earned", ">Bonus", ">Penalties", ">Total"]));
    let session = |session: &Option<SessionResult>| match session {
        None => "·".to_owned(),
        Some(session) if session.absent => "absent".to_owned(),
        Some(session) => {
            let score = (session.earned + session.bonus).signed();
            session
                .table_points
                .map_or(score.clone(), |points| format!("{} ({score})", points.mixed()))
        }
    };
    let rows = standings
        .iter()
        .map(|standing| {
            let mut row = vec![
                standing.rank.map_or_else(|| "disq.".to_owned(), |rank| rank.to_string()),
                standing.number.to_string(),
                standing.name.to_string(),
            ];
            row.extend(standing.sessions.iter().map(session));
            row.extend(standing.table_points.map(Points::mixed));
            let penalty = standing.penalty;
            row.extend([
                standing.earned.signed(),
                standing.bonus.signed(),
                if penalty == Points::ZERO { String::new() } else { (-penalty).signed() },
                standing.total.signed(),
            ]);
            row
        })
        .collect();
    let mut page = format!("{}\n", tournament.name);
    page += &text::table(&headings, rows);
    writeln!(page, "\nSo far {}.", tournament.results_line().english())?;
    out.text(&page)
}

pub(super) fn teams(
    out: &mut Out<'_>,
    file: &Path,
    moment: Option<Timestamp>,
) -> anyhow::Result<()> {
    let tournament = at_moment(file, moment)?;
    let teams = tournament.team_standings()?;
    if teams.is_empty() {
        anyhow::bail!("nobody is in a team: import players with a column `team`");
    }
    if out.json {
        return out.as_json(&teams);
    }
    let mut headings = text::headings([">Rank", "Team", "Players"]);
    if tournament.format.rules.has_table_points() {
        headings.push(">Table points".to_owned());
    }
    headings.extend(text::headings([">Earned", ">Bonus", ">Penalties", ">Total"]));
    let row = |team: &TeamStanding| {
        let players: Vec<&str> = team.players.iter().map(|name| name.as_str()).collect();
        let mut row = vec![team.rank.to_string(), team.team.clone(), players.join(", ")];
        row.extend(team.table_points.map(Points::mixed));
        let penalty = team.penalty;
        row.extend([
            team.earned.signed(),
            team.bonus.signed(),
            if penalty == Points::ZERO { String::new() } else { (-penalty).signed() },
            team.total.signed(),
        ]);
        row
    };
    let rows = teams.iter().map(row).collect();
    let mut page = format!("{}: teams\n", tournament.name);
    page += &text::table(&headings, rows);
    writeln!(page, "\nSo far {}.", tournament.results_line().english())?;
    out.text(&page)
}

pub(super) fn clock(
    out: &mut Out<'_>,
    file: &Path,
    of: (usize, Option<usize>),
    at: (Timestamp, u32),
) -> anyhow::Result<()> {
    let (_, tournament) = read(file)?;
    match of {
        (round, Some(table)) => tournament.table(round, table).map(drop)?,
        (round, None) => tournament.round(round).map(drop)?,
    }
    if out.json {
        return out.as_json(&tournament.read_clock(of, at.0, at.1));
    }
    let page = clock_text(&tournament, of, at)?;
    out.text(&page)
}

/// Prints whether another deal or round may start.
pub(super) fn clock_text(
    tournament: &Tournament,
    (round, table): (usize, Option<usize>),
    (now, deals): (Timestamp, u32),
) -> anyhow::Result<String> {
    let Some(reading) = tournament.read_clock((round, table), now, deals) else {
        return Ok(format!("Round {round} has not started: `clock FILE {round} --start` does.\n"));
    };
    let of = table.map_or(String::new(), |table| format!(", table {table}"));
    let mut page = format!("Round {round}{of}, started {}\n", local(reading.started));
    if let Some(paused) = reading.paused {
        writeln!(page, "The clock stands since {}: `--resume` lets it go on.", local(paused))?;
    }
    match reading.may_play {
        MayPlay::NotYet => {
            writeln!(page, "Starts in {}.", text::duration(-reading.elapsed_seconds))?;
        }
        MayPlay::StartDeals => {
            writeln!(page, "{} left: deals may be started.", text::duration(reading.left_seconds))?;
        }
        MayPlay::FinishDeal if reading.left_seconds > 0 => {
            writeln!(
                page,
                "All {} deals are started: the last one is finished.",
                tournament.format.rules.deals
            )?;
        }
        MayPlay::FinishDeal => writeln!(
            page,
            "Time is up: the deal being played is finished, none is started (a deal starts when \
             the dice are rolled)."
        )?,
        MayPlay::FinishRound => writeln!(page, "Time is up: the round being played is finished.")?,
        MayPlay::Nothing => writeln!(page, "Time is up: play stops.")?,
    }
    if reading.may_play != MayPlay::NotYet && reading.late_seconds > 0 {
        let left = text::duration(reading.late_seconds);
        writeln!(page, "Missing players have {left} left to appear.")?;
    }
    Ok(page)
}

pub(super) fn log(out: &mut Out<'_>, file: &Path) -> anyhow::Result<()> {
    let (hall, _) = read(file)?;
    let log = hall.log;
    if out.json {
        return log.events().iter().try_for_each(|recorded| out.as_json(recorded));
    }
    let taken_back = log.taken_back();
    let rows = (log.events().iter())
        .map(|recorded| {
            let undone = taken_back.contains(&recorded.seq);
            vec![
                recorded.seq.to_string(),
                local(recorded.at),
                recorded.author.clone(),
                recorded.event.summary(),
                if undone { "undone".to_owned() } else { String::new() },
            ]
        })
        .collect();
    out.text(&text::table(&text::headings([">Event", "When", "By", "What", ""]), rows))
}

pub(super) fn sheets(
    out: &mut Out<'_>,
    file: &Path,
    round: Option<usize>,
    codes: Option<&str>,
    language: Language,
) -> anyhow::Result<()> {
    let (_, tournament) = read(file)?;
    let mut page = tournament.sheets(round, &TimeZone::system(), language)?;
    if let Some(root) = codes {
        let made = wait(async {
            let ledger = Ledger::open(file).await?;
            let made = renewed(&ledger).await?;
            ledger.close().await;
            Ok(made)
        })?;
        let cards = cards(&tournament.name, &made, root, language).into_string();
        page = page.replacen("</body>", &format!("{cards}</body>"), 1);
    }
    out.text(&page)
}

pub(super) fn export(
    out: &mut Out<'_>,
    file: &Path,
    what: Export,
    (bom, template): (bool, Option<&Path>),
) -> anyhow::Result<()> {
    let (_, tournament) = read(file)?;
    if template.is_some() && what != Export::Report {
        anyhow::bail!(
            "--template says the columns of a report: tilelens tournament export FILE report"
        );
    }
    if bom && !out.json {
        out.text("\u{feff}")?;
    }
    match what {
        Export::People => lines(out, &tournament.person_lines()),
        Export::Schedule => lines(out, &tournament.seat_lines(&TimeZone::system())?),
        Export::Results => lines(out, &tournament.result_lines()?),
        Export::Standings => lines(out, &tournament.standing_lines()?),
        Export::Report => report(out, &tournament, template),
    }
}

fn lines<Line: serde::Serialize>(out: &mut Out<'_>, lines: &[Line]) -> anyhow::Result<()> {
    if out.json { out.as_json(&lines) } else { out.text(&to_csv(lines)?) }
}

/// The final standings with a template's columns; missing values are reported on standard error.
fn report(
    out: &mut Out<'_>,
    tournament: &Tournament,
    template: Option<&Path>,
) -> anyhow::Result<()> {
    let template = match template {
        Some(path) => {
            Template::read(&bytes_of(path)?).with_context(|| path.display().to_string())?
        }
        None => Template::usual(tournament.format.rules.has_table_points()),
    };
    for (what, missing) in tournament.missing_in(&template)? {
        let who = if missing == 1 { "1 player has" } else { &format!("{missing} players have") };
        eprintln!("{who} no {what}: tilelens tournament about FILE PLAYER --{what} … says it.");
    }
    if out.json {
        return out.as_json(&tournament.report_lines(&template)?);
    }
    out.text(&tournament.report(&template)?)
}
