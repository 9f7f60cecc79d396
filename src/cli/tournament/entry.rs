//! Commands that write: players, seats, tables, results, penalties, undo.

use std::{fmt::Write as _, path::Path};

use anyhow::{Context, anyhow, bail};
use jiff::{SignedDuration, Timestamp};

use super::{
    Out,
    args::{AboutArgs, KeepApart, NewTournamentArgs, PairArgs, PairBy},
    hall::{begin, happens, organise},
    out::bytes_of,
    show, text,
};
use crate::{
    cli::{library, moment::planned},
    ledger::{Act, Organised},
    name::Name,
    points::Points,
    rules::RuleSet,
    tile::Seat,
    tournament::{
        By, Entrant, Event, Format, Group, Log, Pairing, Sitter, Tournament, Wins, read_entrants,
        read_results,
    },
    words::Say,
};

/// The rule set for running a tournament whose own rule set has no tournament rules.
const USUAL_FORMAT: &str = "chumchu";

pub(super) fn new(out: &mut Out<'_>, by: &str, args: &NewTournamentArgs) -> anyhow::Result<()> {
    let rulings: Vec<_> = (args.rulings.iter())
        .map(|(id, choice)| (id.clone().into(), choice.clone().into()))
        .collect();
    let set = |id: &str| library().rule_set(id, &rulings).map_err(anyhow::Error::msg);
    let played = set(&args.rules)?;
    // A preset stays a name; a file goes into the ledger as it is.
    let preset = RuleSet::preset(&args.rules).is_some();
    let mut format = match &args.like {
        Some(like) => Format::run_like(&played, &*set(like)?)?,
        None => Format::of(&played, &*set(USUAL_FORMAT)?)?,
    };
    if let Some(points) = args.initial {
        format.starting_points = points;
    }
    let begun = Event::Begun {
        name: args.name.trim().to_owned(),
        rules: played.id.clone(),
        rule_file: (!preset).then(|| played.to_toml()),
        rulings: if preset { args.rulings.clone() } else { Vec::new() },
        format: Box::new(format),
    };
    // A rejected command leaves no file behind.
    Log::default().append(Timestamp::now(), by, begun.clone())?;
    let done = begin(&args.file, by, begun)?;
    let (name, next) = (&done.tournament.name, args.file.display());
    out.written(
        &done,
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
    let name = || source.display().to_string();
    let mut known = 0;
    let done = organise(file, by, |_, tournament| {
        let events = if results {
            let read = read_results(&bytes, tournament).with_context(name)?;
            known = read.known.len();
            read.events
        } else {
            let entrants = read_entrants(&bytes).with_context(name)?;
            vec![Event::Entered { entrants }]
        };
        Ok(events.into_iter().map(Act::Tournament).collect())
    })?;
    let tournament = &done.tournament;
    let text = if results {
        let results = done.events.iter().map(|recorded| &recorded.event);
        let (tables, replaced): (Vec<_>, Vec<_>) =
            results.partition(|event| matches!(event, Event::Result { .. }));
        let mut page =
            format!("Tables read: {}; {}.\n", tables.len(), tournament.results_line().english());
        if known > 0 {
            writeln!(
                page,
                "The same results were there already for {known} of the file's tables."
            )?;
        }
        for event in replaced {
            writeln!(page, "{}.", event.summary())?;
        }
        page
    } else {
        let players = tournament.roster.players().count();
        let reserves = tournament.roster.reserves().count();
        format!("Entered so far: players {players}, reserves {reserves}.\n")
    };
    out.written(&done, &text)
}

pub(super) fn seat(
    out: &mut Out<'_>,
    by: &str,
    file: &Path,
    (rounds, how, apart): (u16, By, Vec<Group>),
    (seed, starts): (Option<&str>, &[String]),
) -> anyhow::Result<()> {
    let seed = seed.map_or_else(random_seed, |seed| Ok(seed.to_owned()))?;
    let starts = starts.iter().map(|start| planned(start)).collect::<anyhow::Result<Vec<_>>>()?;
    let done = happens(file, by, |_, tournament| {
        let starts = match starts.as_slice() {
            [first] => {
                let minutes = i64::from(tournament.format.rules.minutes);
                (0..i64::from(rounds))
                    .map(|round| *first + SignedDuration::from_mins(minutes * round))
                    .collect()
            }
            _ => starts.clone(),
        };
        Ok(tournament.first_seating((rounds, how), &apart, &seed, starts)?)
    })?;
    let mut page = show::draw_text(&done.tournament)?;
    for round in 1..=done.tournament.seated()?.schedule.rounds().len() {
        page += &show::round_text(&done.tournament, round)?;
    }
    page += &show::quality_text(&done.tournament)?;
    out.written(&done, &page)
}

pub(super) fn pair(out: &mut Out<'_>, by: &str, args: &PairArgs) -> anyhow::Result<()> {
    let seed = args.seed.clone().map_or_else(random_seed, Ok)?;
    let asked = Pairing {
        by: match args.by {
            PairBy::Standings => By::Standings,
            PairBy::Final | PairBy::OnlyFinal => By::Final,
            PairBy::Meetings => By::Meetings,
        },
        only_final: args.by == PairBy::OnlyFinal,
        round: args.round,
        rounds: args.rounds,
        apart: args.apart.as_deref().map(KeepApart::groups),
        seed,
        start: args.start.as_deref().map(planned).transpose()?,
    };
    if asked.by == By::Final && asked.rounds.is_some_and(|rounds| rounds != 1) {
        return Err(anyhow!("a final is one round: leave --rounds out"));
    }
    let done = happens(&args.file, by, |_, tournament| Ok(tournament.pair(&asked)?))?;
    let tournament = &done.tournament;
    let paired = done.events.iter().find_map(|recorded| match &recorded.event {
        Event::Paired(paired) => Some(paired),
        _ => None,
    });
    let paired = paired.ok_or_else(|| anyhow!("nothing was laid out"))?;
    let mut page = format!("Laid out with the seed {}.\n", paired.seed);
    for round in paired.round..=tournament.seated()?.schedule.rounds().len() {
        page += &show::round_text(tournament, round)?;
    }
    page += &show::paired_text(tournament, paired)?;
    page += &show::quality_text(tournament)?;
    out.written(&done, &page)
}

pub(super) fn about(out: &mut Out<'_>, by: &str, args: &AboutArgs) -> anyhow::Result<()> {
    let done = happens(&args.file, by, |_, tournament| {
        let player = text::anybody(tournament, &args.player)?;
        let mut about = tournament.roster.about(&player).cloned().unwrap_or_default();
        for (known, said) in [
            (&mut about.club, &args.club),
            (&mut about.country, &args.country),
            (&mut about.team, &args.team),
            (&mut about.member, &args.member),
        ] {
            if let Some(said) = said {
                known.clone_from(said);
            }
        }
        if let Some(table) = args.fixed_table {
            about.fixed_table = Some(table).filter(|table| *table > 0);
        }
        let about = about.checked().map_err(anyhow::Error::msg)?;
        Ok(Event::Described { player, about })
    })?;
    let summary = summary(&done);
    out.written(&done, &format!("{summary}.\n"))
}

/// A random seed of sixteen digits.
fn random_seed() -> anyhow::Result<String> {
    use std::hash::{BuildHasher, RandomState};
    // The standard library seeds its hash tables from the system's randomness.
    let number = RandomState::new().hash_one(std::process::id());
    Ok(format!("{number:016x}"))
}

pub(super) fn open(
    out: &mut Out<'_>,
    by: &str,
    file: &Path,
    (round, meant): (usize, bool),
) -> anyhow::Result<()> {
    let mut first = None;
    let done = organise(file, by, |hall, tournament| {
        let acts = hall.open_round(round)?;
        first = acts.iter().find_map(|act| match act {
            Act::Open { round, table } => Tournament::number_of(*round, *table),
            _ => None,
        });
        let playing: Vec<String> =
            tournament.still_playing(round).iter().map(Say::english).collect();
        if !playing.is_empty() && first.is_some() && !meant {
            bail!("{}. If it is meant, say --meant", playing.join("; "));
        }
        Ok(acts)
    })?;
    let mut page = show::round_text(&done.tournament, round)?;
    match first {
        None => page += "Every table of this round is open or has a result.\n",
        Some(first) => {
            let file = file.display();
            writeln!(page, "A deal at one of them: tilelens table deal {file} --table {first} …")?;
        }
    }
    out.written(&done, &page)
}

pub(super) fn end(out: &mut Out<'_>, by: &str, file: &Path, round: usize) -> anyhow::Result<()> {
    let done = organise(file, by, |hall, _| Ok(hall.end_round(round)?))?;
    let page = format!("So far {}.\n", done.tournament.results_line().english());
    out.written(&done, &page)
}

pub(super) fn close(out: &mut Out<'_>, by: &str, file: &Path, round: usize) -> anyhow::Result<()> {
    let done = organise(file, by, |hall, _| Ok(hall.close_round(round)?))?;
    let file = file.display();
    let page = format!(
        "Round {round} is closed again: tilelens tournament open {file} {round} opens it.\n"
    );
    out.written(&done, &page)
}

pub(super) fn clock(
    out: &mut Out<'_>,
    by: &str,
    file: &Path,
    of: (usize, Option<usize>),
    event: Event,
) -> anyhow::Result<()> {
    let done = happens(file, by, |_, _| Ok(event))?;
    let page = show::clock_text(&done.tournament, of, (Timestamp::now(), 0))?;
    out.written(&done, &page)
}

pub(super) fn result(
    out: &mut Out<'_>,
    by: &str,
    file: &Path,
    (round, table, points, won, taken): (usize, usize, [Points; 4], &[String], Points),
) -> anyhow::Result<()> {
    let done = happens(file, by, |_, tournament| {
        let mut wins = Wins::default();
        for text in won {
            let (who, number) = text
                .split_once('=')
                .and_then(|(who, number)| Some((who, number.trim().parse().ok()?)))
                .ok_or_else(|| anyhow!("`{text}`: expected PLAYER=WINS, such as Bo=2"))?;
            let seat = text::seat(tournament, (round, table), who)?;
            wins[seat.index()] = Some(number);
        }
        Ok(Event::Result { round, table, points, wins, taken })
    })?;
    let page = result_text(&done.tournament, round, table)?;
    out.written(&done, &page)
}

fn result_text(tournament: &Tournament, round: usize, table: usize) -> anyhow::Result<String> {
    let mut rows = Vec::new();
    let sitters = tournament.table(round, table)?;
    let sessions = tournament.sessions(round, table)?.into_iter().flatten();
    for (wind, session) in Seat::ALL.into_iter().zip(sessions) {
        let sitter = sitters[wind.index()];
        let counted = match sitter {
            Sitter::Player(_) => [
                session.earned.signed(),
                session.bonus.signed(),
                (session.earned + session.bonus).signed(),
            ],
            Sitter::Reserve { .. } => ["not counted".into(), String::new(), "0".into()],
        };
        let mut row = vec![wind.name().to_owned(), text::sitter(sitter)];
        row.extend(counted);
        row.extend(session.table_points.map(Points::mixed));
        rows.push(row);
    }
    let mut headings = text::headings(["", "Player", ">Earned", ">Bonus", ">Session"]);
    if tournament.format.rules.has_table_points() {
        headings.push(">Table points".to_owned());
    }
    let mut page = format!("Round {round}, table {table}\n");
    page += &text::table(&headings, rows);
    writeln!(page, "\nSo far {}.", tournament.results_line().english())?;
    Ok(page)
}

pub(super) fn late(
    out: &mut Out<'_>,
    by: &str,
    file: &Path,
    (player, round, reserve): (&str, usize, Option<&str>),
) -> anyhow::Result<()> {
    let done = happens(file, by, |_, tournament| {
        let player = text::player(tournament, player)?;
        let reserve = reserve.map(|name| text::reserve(tournament, name)).transpose()?;
        Ok(Event::Absent { player, round, reserve })
    })?;
    let page = show::round_text(&done.tournament, round)?;
    let summary = summary(&done);
    out.written(&done, &format!("{summary}: 0 for the session.\n{page}"))
}

pub(super) fn reserve(
    out: &mut Out<'_>,
    by: &str,
    file: &Path,
    (reserve, round, seat): (&str, usize, &str),
) -> anyhow::Result<()> {
    let done = happens(file, by, |_, tournament| {
        let reserve = text::reserve(tournament, reserve)?;
        let number = text::number(tournament, seat)?;
        Ok(Event::Substituted { round, number, reserve })
    })?;
    let page = show::round_text(&done.tournament, round)?;
    let summary = summary(&done);
    out.written(&done, &format!("{summary}.\n{page}"))
}

pub(super) fn penalty(
    out: &mut Out<'_>,
    by: &str,
    file: &Path,
    (player, cause, points, note): (&str, &str, Option<u32>, &str),
) -> anyhow::Result<()> {
    let mut fined: Option<Name> = None;
    let done = happens(file, by, |_, tournament| {
        let player = text::player(tournament, player)?;
        fined = Some(player.clone());
        // The log refuses a cause that the rules do not have.
        let known = tournament.format.penalties.causes.get(cause);
        let count = known.map_or(1, |known| known.counts);
        let (cause, note) = (cause.to_owned(), note.to_owned());
        Ok(Event::Penalty { player, cause, count, points, note })
    })?;
    let mut page = format!("{}.\n", summary(&done));
    if let Some(player) = fined {
        let count = done.tournament.penalty_count(&player);
        let cost = done.tournament.penalty_cost(&player).mixed();
        let plural = if count == 1 { "penalty" } else { "penalties" };
        writeln!(page, "{player} has {count} point {plural}: -{cost} in the standings.")?;
    }
    out.written(&done, &page)
}

pub(super) fn disqualify(
    out: &mut Out<'_>,
    by: &str,
    file: &Path,
    (player, round, note): (&str, Option<usize>, &str),
) -> anyhow::Result<()> {
    let done = happens(file, by, |_, tournament| {
        let player = text::player(tournament, player)?;
        let round = match round {
            Some(round) => round,
            None => tournament.next_round(&player)?,
        };
        Ok(Event::Disqualified { player, round, note: note.to_owned() })
    })?;
    let summary = summary(&done);
    let text = "Reserves take the seat (tilelens tournament reserve names them); results so far \
                stand.\n";
    out.written(&done, &format!("{summary}.\n{text}"))
}

pub(super) fn join(
    out: &mut Out<'_>,
    by: &str,
    file: &Path,
    (players, round, new): (&[String], Option<usize>, Option<u32>),
) -> anyhow::Result<()> {
    let mut first = 1;
    let done = happens(file, by, |_, tournament| {
        let entrants = players
            .iter()
            .map(|player| {
                // A known name is a reserve; any other name is a new player.
                let name = match text::reserve(tournament, player) {
                    Ok(reserve) if reserve.same_as(&Name::new(player)?) => reserve,
                    _ => Name::new(player)?,
                };
                let about = tournament.roster.about(&name).cloned().unwrap_or_default();
                Ok(Entrant { name, reserve: false, new_player_wins: new, about })
            })
            .collect::<anyhow::Result<Vec<_>>>()?;
        first = round.map_or_else(|| tournament.first_open_round(), Ok)?;
        Ok(tournament.joining(entrants, first)?)
    })?;
    let mut page = format!("{}.\n", summary(&done));
    for round in first..=done.tournament.seated()?.schedule.rounds().len() {
        page += &show::round_text(&done.tournament, round)?;
    }
    page += &show::quality_text(&done.tournament)?;
    out.written(&done, &page)
}

pub(super) fn leave(
    out: &mut Out<'_>,
    by: &str,
    file: &Path,
    (player, round, note): (&str, Option<usize>, &str),
) -> anyhow::Result<()> {
    let done = happens(file, by, |_, tournament| {
        let player = text::player(tournament, player)?;
        let round = round.map_or_else(|| tournament.next_round(&player), Ok)?;
        Ok(Event::Withdrawn { player, round, note: note.to_owned() })
    })?;
    let summary = summary(&done);
    let text = "Reserves take the seat (tilelens tournament reserve names them): 0 for the sessions \
                from then on; results so far stand.\n";
    out.written(&done, &format!("{summary}.\n{text}"))
}

pub(super) fn rename(
    out: &mut Out<'_>,
    by: &str,
    file: &Path,
    (player, name): (&str, &str),
) -> anyhow::Result<()> {
    let name = Name::new(name)?;
    let done = happens(file, by, |_, tournament| {
        let player = text::anybody(tournament, player)?;
        Ok(Event::Renamed { player, name: name.clone() })
    })?;
    let summary = summary(&done);
    out.written(&done, &format!("{summary}.\n"))
}

pub(super) fn undo(
    out: &mut Out<'_>,
    by: &str,
    file: &Path,
    event: Option<u64>,
) -> anyhow::Result<()> {
    let mut undone = String::new();
    let done = happens(file, by, |hall, _| {
        let last = || hall.log.last_to_undo().map(|recorded| recorded.seq);
        let seq = event.or_else(last).ok_or_else(|| anyhow!("there is nothing to undo"))?;
        if let Some(recorded) = hall.log.events().iter().find(|recorded| recorded.seq == seq) {
            undone = format!("Undone: event {seq}, {}.\n", recorded.event.summary());
        }
        Ok(Event::Undone { event: seq })
    })?;
    out.written(&done, &undone)
}

fn summary(done: &Organised) -> String {
    let all: Vec<String> = done.events.iter().map(|recorded| recorded.event.summary()).collect();
    all.join("; ")
}
