//! Tournaments' rules: standings worked by hand, schedules and logs by their properties.

use std::collections::HashMap;

use proptest::prelude::*;
use tilelens::{
    name::Name,
    points::Points,
    rules::RuleSet,
    tournament::{
        Entrant, Event, Format, Log, MostRounds, Number, PersonDetails, Quality, Recorded,
        Schedule, Tournament, TournamentError, Why, draw, read_entrants, read_results, to_csv,
    },
};

fn name(text: &str) -> Name {
    Name::new(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn begun() -> Event {
    let chumchu = RuleSet::preset("chumchu").expect("a preset");
    let format = Box::new(Format::of(chumchu, chumchu).expect("it says how"));
    let rules = "chumchu".into();
    Event::Begun { name: "Test".into(), rules, rule_file: None, rulings: vec![], format }
}

fn at(minute: i64) -> jiff::Timestamp {
    jiff::Timestamp::from_second(1_800_000_000 + 60 * minute).expect("a moment")
}

/// Adds an event, a minute later than the last.
fn add(log: &mut Log, event: Event) -> Result<Tournament, TournamentError> {
    let minute = log.events().len() as i64;
    log.append(at(minute), "referee", event).cloned()
}

/// A log in which that happens first.
fn beginning(event: Event) -> Log {
    let mut log = Log::default();
    log.append(at(0), "referee", event).expect("it begins");
    log
}

/// A tournament with players A, B, C … seated so that number 1 is at seed's choice.
fn seated(players: usize, rounds: u16) -> Log {
    let mut log = beginning(begun());
    let mut entrants: Vec<Entrant> = (0..players)
        .map(|place| Entrant { name: name(&format!("Player {place:03}")), ..Entrant::default() })
        .collect();
    entrants.push(Entrant { name: name("Rita"), reserve: true, ..Entrant::default() });
    let tournament = add(&mut log, Event::Entered { entrants }).expect("they are entered");
    let schedule = Schedule::new(tournament.seats_needed().expect("enough"), rounds).expect("it");
    let numbers = draw("seed", tournament.roster.players());
    add(
        &mut log,
        Event::Seated { seed: "seed".into(), numbers, schedule, starts: vec![], plan: None },
    )
    .expect("they are seated");
    log
}

fn result(round: usize, table: usize, points: [i32; 4]) -> Event {
    let (points, wins) = (points.map(Points::whole), [None; 4]);
    Event::Result { round, table, points, wins, taken: Points::ZERO }
}

/// Totals by seat of one table, from the standings.
fn totals(tournament: &Tournament, round: usize, table: usize) -> [String; 4] {
    let standings = tournament.standings().expect("seated");
    let seats = tournament.round(round).expect("a round")[table - 1];
    seats.map(|number| {
        let own = standings.iter().find(|standing| standing.number == number);
        own.map_or_else(String::new, |own| own.total.to_string())
    })
}

fn at_seat(tournament: &Tournament, round: usize, table: usize, seat: usize) -> Name {
    let number = tournament.round(round).expect("a round")[table - 1][seat];
    tournament.seated().expect("seated").numbers[usize::from(number.0) - 1].clone()
}

#[test]
fn a_session_earns_points_and_bonus() {
    let mut log = seated(8, 2);
    let state = add(&mut log, result(1, 1, [34, -12, -20, -2])).expect("a result");
    // 34 + 80, -12 + 30, -20 + 10, -2 + 50.
    assert_eq!(totals(&state, 1, 1), ["114", "18", "-10", "48"]);
    let state = add(&mut log, result(1, 2, [8, 8, 8, -24])).expect("a result");
    // Three level share 80, 50 and 30.
    assert_eq!(totals(&state, 1, 2), ["184/3", "184/3", "184/3", "-14"]);
    let ranks: Vec<Option<usize>> =
        state.standings().expect("seated").iter().map(|standing| standing.rank).collect();
    assert_eq!(ranks, [1, 2, 2, 2, 5, 6, 7, 8].map(Some), "level players share the rank");
}

#[test]
fn an_absent_player_gets_nothing_and_the_reserve_takes_the_place() {
    let mut log = seated(8, 2);
    let missing = at_seat(log.tournament().expect("it"), 1, 1, 1);
    let absent = Event::Absent { player: missing.clone(), round: 1, reserve: Some(name("Rita")) };
    add(&mut log, absent.clone()).expect("absent");
    let state = add(&mut log, result(1, 1, [40, 10, -20, -30])).expect("a result");
    // The source's example: the reserve is second, the others get 80, 30 and 10.
    assert_eq!(totals(&state, 1, 1), ["120", "0", "10", "-20"]);
    assert!(matches!(add(&mut log, absent), Err(TournamentError::AbsentAlready { .. })));
    let again = Event::Absent { player: missing.clone(), round: 1, reserve: None };
    assert_eq!(
        add(&mut log, again),
        Err(TournamentError::AbsentAlready { player: missing.clone(), round: 1 })
    );
    // The next session counts again.
    let number = state.seated().expect("it").numbers.iter().position(|one| *one == missing);
    let number = Number(number.expect("a player") as u16 + 1);
    let (table, seat) = state.seated().expect("it").schedule.place(1, number).expect("a seat");
    let mut points = [-5; 4];
    points[seat] = 15;
    let state = add(&mut log, result(2, table + 1, points)).expect("a result");
    assert_eq!(totals(&state, 2, table + 1)[seat], "95");
}

#[test]
fn nobody_is_late_before_ten_minutes() {
    let mut log = seated(8, 1);
    let state = log.tournament().expect("it").clone();
    let start = at(log.events().len() as i64);
    add(&mut log, Event::Started { round: 1, start }).expect("started");
    let absent =
        |seat| Event::Absent { player: at_seat(&state, 1, 1, seat), round: 1, reserve: None };
    let late = |log: &mut Log, minutes: i64, seat| {
        let moment = start + jiff::SignedDuration::from_secs(60 * minutes);
        log.append(moment, "referee", absent(seat)).cloned()
    };
    assert!(matches!(late(&mut log, 9, 0), Err(TournamentError::NotLateYet { minutes: 1, .. })));
    assert!(late(&mut log, 10, 0).is_ok());
    assert!(late(&mut log, -1, 1).is_ok(), "who said before that he does not come");
}

#[test]
fn penalties_come_off_the_standings_alone() {
    let mut log = seated(4, 1);
    let sinner = at_seat(log.tournament().expect("it"), 1, 1, 0);
    add(&mut log, result(1, 1, [10, 5, -5, -10])).expect("a result");
    let mut penalty = |cause: &str, count| {
        add(
            &mut log,
            Event::Penalty {
                player: sinner.clone(),
                cause: cause.into(),
                count,
                points: None,
                note: "".into(),
            },
        )
    };
    let after = |state: Tournament| totals(&state, 1, 1);
    assert_eq!(after(penalty("error", 1).expect("it")), ["80", "55", "25", "0"]);
    // Twice at once: the second and the third, 20 and 30.
    assert_eq!(after(penalty("knocked_over_four", 2).expect("it")), ["30", "55", "25", "0"]);
    assert!(matches!(penalty("sneezing", 1), Err(TournamentError::NoCause { .. })));
    assert!(matches!(penalty("error", 0), Err(TournamentError::Penalties(_))));
    assert!(matches!(penalty("error", 998), Err(TournamentError::Penalties(1001))));
}

#[test]
fn a_disqualified_player_is_not_ranked_and_a_reserve_plays_on() {
    let mut log = seated(8, 2);
    let state = add(&mut log, result(1, 1, [40, 10, -20, -30])).expect("a result");
    let cheat = at_seat(&state, 1, 1, 0);
    let round = state.next_round(&cheat).expect("a player");
    assert_eq!(round, 2);
    let out = Event::Disqualified { player: cheat.clone(), round, note: "".into() };
    let state = add(&mut log, out.clone()).expect("out");
    let last = state.standings().expect("seated").pop().expect("somebody");
    assert_eq!((last.name, last.rank, last.total.to_string()), (cheat.clone(), None, "120".into()));
    assert_eq!(state.standings().expect("seated")[0].rank, Some(1));
    assert_eq!(totals(&state, 1, 1)[1], "60", "the others keep what they have");
    assert!(matches!(add(&mut log, out), Err(TournamentError::Disqualified(_))));
}

#[test]
fn scores_that_do_not_add_up_or_stand_already_are_refused() {
    let mut log = seated(8, 1);
    assert!(matches!(add(&mut log, result(1, 1, [1, 0, 0, 0])), Err(TournamentError::Sum { .. })));
    assert!(matches!(add(&mut log, result(2, 1, [0; 4])), Err(TournamentError::NoRound { .. })));
    assert!(matches!(add(&mut log, result(1, 3, [0; 4])), Err(TournamentError::NoTable { .. })));
    assert!(matches!(add(&mut log, result(0, 0, [0; 4])), Err(TournamentError::NoRound { .. })));
    add(&mut log, result(1, 1, [0; 4])).expect("a result");
    let before = log.clone();
    assert!(matches!(
        add(&mut log, result(1, 1, [0; 4])),
        Err(TournamentError::ResultAlready { round: 1, table: 1 })
    ));
    assert_eq!(log, before, "what is refused leaves no trace");
}

#[test]
fn starting_points_are_taken_off() {
    let [mmm, chumchu] = ["mmm", "chumchu"].map(|id| RuleSet::preset(id).expect("a preset"));
    let format = Format::of(mmm, chumchu).expect("it says how");
    let mut log = seated(4, 1);
    let mut own = beginning(Event::Begun {
        name: "T".into(),
        rules: "mmm".into(),
        rule_file: None,
        rulings: vec![],
        format: Box::new(format),
    });
    for recorded in log.events()[1..].iter().cloned() {
        add(&mut own, recorded.event).expect("the same again");
    }
    let state = add(&mut own, result(1, 1, [2100, 2000, 1950, 1950])).expect("a result");
    assert_eq!(totals(&state, 1, 1), ["180", "50", "-30", "-30"]);
    assert!(matches!(add(&mut log, result(1, 1, [2000; 4])), Err(TournamentError::Sum { .. })));
}

#[test]
fn undo_is_an_event_and_can_be_undone() {
    let mut log = seated(4, 1);
    add(&mut log, result(1, 1, [8, 0, 0, -8])).expect("a result");
    let state = add(&mut log, Event::Undone { event: 4 }).expect("undone");
    assert!(state.results.is_empty() && log.events().len() == 5);
    assert_eq!(log.taken_back(), [4].into());
    assert_eq!(add(&mut log, Event::Undone { event: 4 }), Err(TournamentError::UndoneAlready(4)));
    let state = add(&mut log, Event::Undone { event: 5 }).expect("back again");
    assert_eq!(totals(&state, 1, 1), ["88", "40", "40", "2"]);
    // Events that others depend on stay.
    let refused = add(&mut log, Event::Undone { event: 3 }).expect_err("built on").to_string();
    assert!(refused.contains("event 4 builds on it"), "{refused}");
    assert_eq!(add(&mut log, Event::Undone { event: 1 }), Err(TournamentError::UndoBeginning));
    for none in [0, 7, 99] {
        assert_eq!(
            add(&mut log, Event::Undone { event: none }),
            Err(TournamentError::NoEvent(none))
        );
    }
    // A corrected result in between keeps the old one from coming back.
    add(&mut log, Event::Undone { event: 6 }).expect("undone");
    add(&mut log, result(1, 1, [1, -1, 0, 0])).expect("corrected");
    assert!(matches!(
        add(&mut log, Event::Undone { event: 7 }),
        Err(TournamentError::BuiltOn { undone: 7, later: 8, .. })
    ));
}

#[test]
fn a_log_that_does_not_hold_is_refused_at_its_event() {
    let text = serde_json::to_string(seated(4, 1).events()).expect("JSON");
    let replay = |text: &str| -> Result<Log, (u64, String)> {
        let events: Vec<Recorded> = serde_json::from_str(text).expect("events");
        Log::replay(events).map_err(|(seq, why)| (seq, why.to_string()))
    };
    assert_eq!(replay(&text), Ok(seated(4, 1)));
    for (good, bad, event, cause) in [
        ("\"seed\":\"seed\"", "\"seed\":\"other\"", 3, "the seed `other`"),
        ("\"seq\":3", "\"seq\":4", 4, "out of order"),
        ("\"name\":\"Test\"", "\"name\":\" \"", 1, "no name"),
        ("Player 001", "Player 000", 2, "entered already"),
    ] {
        let changed = text.replacen(good, bad, 1);
        assert_ne!(changed, text, "{good}");
        let (seq, why) = replay(&changed).expect_err(bad);
        assert!(seq == event && why.contains(cause), "{bad}: {why}");
    }
}

#[test]
fn sixteen_players_meet_each_other_once_in_five_rounds() {
    let quality = Schedule::new(16, 5).expect("it").quality(16);
    assert_eq!(quality.pairs_by_meetings, [0, 120]);
    assert_eq!((quality.repeated, quality.never_met), (0, 0));
}

#[test]
fn known_sizes_repeat_no_meeting() {
    // Known possible rounds: by resolvable designs every size from 24 on has as many rounds
    // as counting allows.
    let known = [
        (4, 1),
        (8, 1),
        (12, 1),
        (16, 5),
        (20, 5),
        (24, 7),
        (28, 9),
        (32, 10),
        (36, 11),
        (40, 13),
        (44, 14),
        (48, 15),
        (52, 17),
        (56, 18),
        (60, 19),
        (64, 21),
        (72, 23),
        (76, 25),
        (80, 26),
        (84, 27),
        (88, 29),
        (96, 31),
    ];
    for (seats, most) in known {
        let bound = MostRounds::of(seats);
        assert_eq!((bound.at_most, bound.reached), (most, most), "{seats} seats");
    }
    // As far as constructions go.
    let others = [(68, 17), (92, 23), (100, 25), (200, 30), (400, 10), (800, 12)];
    let shorter = [(16, 3), (24, 5), (32, 6), (36, 6), (48, 6), (52, 13)];
    for (seats, rounds) in known.into_iter().chain(others).chain(shorter) {
        let schedule = Schedule::new(seats, rounds).expect("it");
        let most = meetings(&schedule).into_values().max();
        assert_eq!(most, Some(1), "{seats} players, {rounds} rounds");
        let quality = schedule.quality(seats);
        assert_eq!(quality.repeated, 0, "{seats} players, {rounds} rounds");
        assert!(quality.wind_spread <= 1, "{seats} players, {rounds} rounds");
    }
}

#[test]
fn one_round_more_than_can_be_repeats_a_meeting() {
    for (seats, why) in [
        (8, Why::FewTables),
        (12, Why::FewTables),
        (20, Why::NoDesign),
        (16, Why::Counting),
        (32, Why::Counting),
    ] {
        let bound = MostRounds::of(seats);
        assert_eq!(bound.why, why, "{seats} seats");
        let quality = Schedule::new(seats, bound.at_most + 1).expect("it").quality(seats);
        assert!(quality.repeated > 0, "{seats} seats");
    }
}

#[test]
fn nobody_meets_anybody_three_times_where_nobody_need() {
    // Reported: 12 players in 3 rounds. One round more than are without repeats, and as many as
    // meetings spread evenly would allow at two each, up to 12.
    for seats in (8_u16..=60).step_by(4) {
        let evenly = 2 * (seats - 1) / 3;
        let without = MostRounds::of(seats).at_most;
        let rounds = [3, 4, without + 1, evenly.min(12)];
        // At 12 seats and 7 rounds that would be 12 ternary words of 7 places that differ in 5 of
        // them, and no more than 10 do.
        let possible = |rounds: &u16| *rounds <= evenly.min(12) && (seats, *rounds) != (12, 7);
        for rounds in std::collections::BTreeSet::from(rounds).into_iter().filter(possible) {
            let schedule = Schedule::new(seats, rounds).expect("it");
            let most = meetings(&schedule).into_values().max();
            assert!(most <= Some(2), "{seats} players, {rounds} rounds: {most:?}");
        }
    }
}

#[test]
fn rounds_laid_out_anew_count_the_winds_so_far() {
    for (seats, rounds) in [(8, 4), (12, 6)] {
        for kept in 1..rounds {
            for more in [0, 4] {
                let mut log = seated(seats.into(), rounds);
                let before = log.tournament().expect("it").seated().expect("it").schedule.clone();
                for round in 1..=usize::from(kept) {
                    add(&mut log, result(round, 1, [0; 4])).expect("a result");
                }
                let entrants = (0..more).map(|late| Entrant {
                    name: name(&format!("Late {late}")),
                    ..Entrant::default()
                });
                let joined = log.tournament().expect("it");
                let joined = joined.joining(entrants.collect(), usize::from(kept) + 1);
                let state = add(&mut log, joined.expect("it can be")).expect("they join");
                let after = &state.seated().expect("it").schedule;
                assert_eq!(after.rounds()[..kept.into()], before.rounds()[..kept.into()]);
                let spread = after.quality(seats).wind_spread;
                assert!(
                    spread <= 2,
                    "{seats} and {more} seats, after {kept} of {rounds}: {spread}"
                );
            }
        }
    }
}

#[test]
fn sizes_that_cannot_be_are_refused() {
    for (seats, rounds) in [(0, 1), (3, 1), (6, 2), (1004, 1), (16, 0), (16, 101)] {
        assert!(Schedule::new(seats, rounds).is_err(), "{seats} {rounds}");
    }
}

/// How often each two meet, counted another way.
fn meetings(schedule: &Schedule) -> HashMap<(u16, u16), usize> {
    let mut meetings = HashMap::new();
    for seats in schedule.rounds().iter().flatten() {
        for one in seats {
            for other in seats.iter().filter(|other| *other > one) {
                *meetings.entry((one.0, other.0)).or_default() += 1;
            }
        }
    }
    meetings
}

/// A schedule whose rounds are shuffled by a seed.
fn shuffled(seats: u16, rounds: u16, mut seed: u64) -> Schedule {
    let rounds = (0..rounds)
        .map(|_| {
            let mut order: Vec<u16> = (1..=seats).collect();
            for last in (1..order.len()).rev() {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                order.swap(last, (seed >> 33) as usize % (last + 1));
            }
            order
                .chunks_exact(4)
                .map(|four| std::array::from_fn(|seat| Number(four[seat])))
                .collect()
        })
        .collect::<Vec<Vec<_>>>();
    Schedule::try_from(rounds).expect("everybody sits once")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn everybody_sits_once_in_every_round(
        tables in 1_u16..=9, rounds in 1_u16..=8, fewer in 0_u16..4, seed: u64,
    ) {
        let seats = 4 * tables;
        let schedule = Schedule::new(seats, rounds).expect("it");
        prop_assert_eq!(schedule.rounds().len(), usize::from(rounds));
        // Reading it again checks that everybody sits exactly once.
        let again = Schedule::try_from(schedule.rounds().to_vec());
        prop_assert_eq!(again.as_ref(), Ok(&schedule));
        // In each block of four rounds everybody begins in different winds.
        for block in schedule.rounds().chunks(4) {
            for number in 1..=seats {
                let mut winds: Vec<usize> = block
                    .iter()
                    .flatten()
                    .filter_map(|seats| seats.iter().position(|seat| seat.0 == number))
                    .collect();
                winds.sort_unstable();
                winds.dedup();
                prop_assert_eq!(winds.len(), block.len());
            }
        }
        let counted = meetings(&schedule);
        let players = seats - fewer;
        let of_players = |(one, other): &(u16, u16)| *one <= players && *other <= players;
        let repeated: usize =
            counted.iter().filter(|(pair, _)| of_players(pair)).map(|(_, times)| times - 1).sum();
        let met = counted.keys().filter(|pair| of_players(pair)).count();
        let quality = schedule.quality(players);
        prop_assert_eq!(quality.repeated, repeated);
        let pairs = usize::from(players) * usize::from(players - 1) / 2;
        prop_assert_eq!(quality.never_met, pairs - met);
        prop_assert!(quality.repeated >= quality.repeated_at_least);
        let random = shuffled(seats, rounds, seed).quality(seats);
        // Meetings are spread: a third meeting of a pair weighs more than a second one of another.
        let squares = |quality: &Quality| {
            let pairs = quality.pairs_by_meetings.iter().enumerate();
            pairs.map(|(times, pairs)| times * times * pairs).sum::<usize>()
        };
        prop_assert!(squares(&schedule.quality(seats)) <= squares(&random));
    }
}

fn final_scores() -> impl Strategy<Value = [i32; 4]> {
    prop::array::uniform3(-40_i32..40).prop_map(|[a, b, c]| [a, b, c, -a - b - c])
}

proptest! {
    #[test]
    fn bonuses_are_shared_out_whole(points in prop::array::uniform4(-3_i32..3)) {
        let chumchu = RuleSet::preset("chumchu").expect("a preset");
        let format = Format::of(chumchu, chumchu).expect("it says how");
        let points = points.map(Points::whole);
        let bonus = format.placement_bonus(points);
        prop_assert_eq!(bonus.into_iter().sum::<Points>(), Points::whole(170));
        for one in 0..4 {
            for other in 0..4 {
                prop_assert_eq!(points[one].cmp(&points[other]), bonus[one].cmp(&bonus[other]));
            }
        }
    }

    #[test]
    fn the_order_of_results_does_not_matter(
        scores in prop::collection::vec(final_scores(), 8), reversed: bool,
    ) {
        let mut log = seated(16, 2);
        let mut results: Vec<Event> = scores
            .iter()
            .enumerate()
            .map(|(index, points)| result(index / 4 + 1, index % 4 + 1, *points))
            .collect();
        let mut other = log.clone();
        results.iter().for_each(|what| drop(add(&mut log, what.clone()).expect("a result")));
        if reversed { results.reverse() } else { results.rotate_left(3) }
        results.iter().for_each(|what| drop(add(&mut other, what.clone()).expect("a result")));
        let standings = log.tournament().expect("it").standings().expect("seated");
        prop_assert_eq!(&standings, &other.tournament().expect("it").standings().expect("seated"));
// Earned points sum to nothing, bonuses to 170 a table; ranks count who is better.
        let total: Points = standings.iter().map(|standing| standing.total).sum();
        prop_assert_eq!(total, Points::whole(8 * 170));
        for standing in &standings {
            let better = standings.iter().filter(|other| other.total > standing.total).count();
            prop_assert_eq!(standing.rank, Some(better + 1));
        }
        // The file holds all of it; spreadsheets hold all results.
        prop_assert_eq!(&Log::replay(log.events().to_vec()).expect("it reads"), &log);
        let state = log.tournament().expect("it").clone();
        let csv = to_csv(&state.result_lines().expect("it")).expect("CSV");
        let json = serde_json::to_string(&state.result_lines().expect("it")).expect("JSON");
        for text in [csv.clone(), json, csv.replace(',', ";")] {
            let mut again = seated(16, 2);
            let read = read_results(text.as_bytes(), again.tournament().expect("it"));
            for event in read.expect("it reads").events {
                add(&mut again, event).expect("a result");
            }
            prop_assert_eq!(&again.tournament().expect("it").results, &state.results);
        }
    }

    #[test]
    fn undoing_everything_leaves_the_beginning(
        scores in prop::collection::vec(final_scores(), 4), redo: bool,
    ) {
        let mut log = seated(16, 1);
        for (table, points) in (1..).zip(&scores) {
            add(&mut log, result(1, table, *points)).expect("a result");
        }
        let full = log.tournament().expect("it").clone();
        let mut undos = Vec::new();
        while let Some(last) = log.last_to_undo().map(|last| last.seq) {
            add(&mut log, Event::Undone { event: last }).expect("undone");
            undos.push(log.events().len() as u64);
        }
        let empty = beginning(begun());
        prop_assert_eq!(log.tournament(), empty.tournament());
        if redo {
            for undo in undos.into_iter().rev() {
                add(&mut log, Event::Undone { event: undo }).expect("back again");
            }
            prop_assert_eq!(log.tournament().expect("it"), &full);
        }
    }

    #[test]
    fn people_survive_a_spreadsheet(
        names in prop::collection::hash_set("[A-Za-zÅØæöü李\"',;&<>. |\t-]{1,12}[A-Z]", 1..9),
        reserves: u8,
        news: u8,
    ) {
        let mut entrants: Vec<Entrant> = Vec::new();
        for (place, text) in names.iter().enumerate() {
            let Ok(name) = Name::new(text) else { continue };
            if entrants.iter().all(|other| !other.name.same_as(&name)) {
                let new_player_wins = (news >> place & 1 == 1).then_some(place as u32);
                let reserve = reserves >> place & 1 == 1;
                let about = PersonDetails {
                    club: if news >> place & 1 == 1 { name.to_string() } else { String::new() },
                    fixed_table: reserve.then_some(place as u16 + 1),
                    ..PersonDetails::default()
                };
                entrants.push(Entrant { name, reserve, new_player_wins, about });
            }
        }
        prop_assume!(!entrants.is_empty());
        let mut log = beginning(begun());
        let state = add(&mut log, Event::Entered { entrants: entrants.clone() }).expect("entered");
        let csv = to_csv(&state.person_lines()).expect("CSV");
        for text in [csv.clone(), format!("\u{feff}{}", csv.replace('\n', "\r\n"))] {
            prop_assert_eq!(&read_entrants(text.as_bytes()).expect("it reads"), &entrants);
        }
        let json = serde_json::to_string(&state.person_lines()).expect("JSON");
        prop_assert_eq!(&read_entrants(json.as_bytes()).expect("it reads"), &entrants);
    }
}

#[test]
fn a_session_that_was_played_is_not_taken_away_afterwards() {
    let mut log = seated(4, 2);
    let tournament = add(&mut log, result(1, 1, [30, 10, -10, -30])).expect("a result");
    let player = at_seat(&tournament, 1, 1, 0);
    let absent = Event::Absent { player: player.clone(), round: 1, reserve: Some(name("Rita")) };
    let refused = add(&mut log, absent).expect_err("it has been played");
    assert!(
        matches!(refused, TournamentError::PlayedAlready { round: 1, table: 1, .. }),
        "{refused}"
    );
    let out = |round| Event::Disqualified { player: player.clone(), round, note: "note".into() };
    assert!(add(&mut log, out(1)).is_err());
    let before = totals(&tournament, 1, 1);
    let after = add(&mut log, out(2)).expect("from the next round on");
    assert_eq!(totals(&after, 1, 1)[1..], before[1..]);
}

#[test]
fn a_reserve_is_named_for_whoever_is_missing() {
    let mut log = seated(7, 2);
    let state = log.tournament().expect("it").clone();
    let gone = at_seat_number(&state, 1);
    // The seat that nobody fills.
    let empty = Number(8);
    let sits =
        |round, number, reserve: &str| Event::Substituted { round, number, reserve: name(reserve) };
    assert!(matches!(
        add(&mut log, sits(1, Number(1), "Rita")),
        Err(TournamentError::SeatTaken { .. })
    ));
    assert!(matches!(
        add(&mut log, sits(1, Number(9), "Rita")),
        Err(TournamentError::NoNumber { .. })
    ));
    assert!(matches!(add(&mut log, sits(3, empty, "Rita")), Err(TournamentError::NoRound { .. })));
    assert!(matches!(add(&mut log, sits(1, empty, "Nobody")), Err(TournamentError::NoReserve(_))));
    add(&mut log, sits(1, empty, "Rita")).expect("a reserve sits down");
    assert!(matches!(
        add(&mut log, sits(1, empty, "Rita")),
        Err(TournamentError::ReserveNamed { .. })
    ));
    // One who is disqualified later, and one reserve at one table.
    let out = Event::Disqualified { player: gone.clone(), round: 1, note: "".into() };
    add(&mut log, out).expect("out");
    assert!(matches!(
        add(&mut log, sits(1, Number(1), "Rita")),
        Err(TournamentError::ReserveTaken { .. })
    ));
    let state = add(&mut log, sits(2, Number(1), "Rita")).expect("in the next round");
    let seating = state.seated().expect("it");
    let (table, seat) = seating.schedule.place(1, Number(1)).expect("a seat");
    let sitter = state.table(2, table + 1).expect("it")[seat];
    let shown = format!("{sitter:?}");
    assert!(shown.contains("Rita") && shown.contains(gone.as_str()), "{shown}");
}

fn at_seat_number(tournament: &Tournament, number: usize) -> Name {
    tournament.seated().expect("seated").numbers[number - 1].clone()
}
