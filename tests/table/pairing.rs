//! Rounds by the standings: held against all rounds there are on small fields, and by their properties.

use std::collections::{BTreeMap, HashSet};

use proptest::prelude::*;
use tilelens::{
    name::Name,
    points::Points,
    rules::RuleSet,
    tournament::{
        By, Entrant, Event, Finish, Format, Group, Log, Number, Pairing, PersonDetails, SeasonBy,
        Sitter, Stage, Template, Tournament, TournamentError, season,
    },
};

fn name(text: &str) -> Name {
    Name::new(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn add(log: &mut Log, event: Event) -> Result<Tournament, TournamentError> {
    let at = jiff::Timestamp::from_second(1_800_000_000 + 60 * log.events().len() as i64);
    log.append(at.expect("a moment"), "referee", event).cloned()
}

/// A tournament with the given players, and the first of `rounds` rounds by the standings.
fn begun(about: &[PersonDetails], (rounds, apart): (u16, &[Group]), seed: &str) -> Log {
    let chumchu = RuleSet::preset("chumchu").expect("a preset");
    let format = Box::new(Format::of(chumchu, chumchu).expect("it says how"));
    let rules = "chumchu".into();
    let mut log = Log::default();
    let begun =
        Event::Begun { name: "Test".into(), rules, rule_file: None, rulings: vec![], format };
    add(&mut log, begun).expect("begun");
    let person = |(place, about): (usize, &PersonDetails)| Entrant {
        name: name(&format!("Player {place:03}")),
        about: about.clone(),
        ..Entrant::default()
    };
    let entrants = about.iter().enumerate().map(person).collect();
    let state = add(&mut log, Event::Entered { entrants }).expect("entered");
    let seated = state.first_seating((rounds, By::Standings), apart, seed, vec![]);
    add(&mut log, seated.expect("it can be")).expect("seated");
    log
}

fn nobody_in_particular(players: usize) -> Vec<PersonDetails> {
    vec![PersonDetails::default(); players]
}

/// Enters results for a round, as chance has it.
fn play(log: &mut Log, round: usize, seed: &mut u64) {
    let tables = log.tournament().expect("it").round(round).expect("a round").len();
    for table in 1..=tables {
        let mut next = || {
            *seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (*seed >> 40) as i32 % 40 - 20
        };
        let three = [next(), next(), next()];
        let all = [three[0], three[1], three[2], -three.iter().sum::<i32>()];
        let points = all.map(Points::whole);
        let event = Event::Result { round, table, points, wins: [None; 4], taken: Points::ZERO };
        add(log, event).expect("a result");
    }
}

fn pair(log: &mut Log, by: By, seed: &str) -> Tournament {
    let asked = Pairing { by, seed: seed.into(), ..Pairing::default() };
    let event = log.tournament().expect("it").pair(&asked).expect("laid out");
    add(log, event).expect("it holds")
}

fn proven(log: &Log) -> bool {
    let last = log.events().last().expect("an event");
    matches!(&last.event, Event::Paired(paired) if paired.proven)
}

/// The players at each table of a round, by the indices of their numbers.
fn tables(state: &Tournament, round: usize) -> Vec<Vec<usize>> {
    let numbers = &state.seated().expect("it").numbers;
    let index = |name: &Name| numbers.iter().position(|own| own == name).expect("a player");
    let count = state.round(round).expect("a round").len();
    let at = |table| {
        let four = state.table(round, table).expect("a table");
        let players = four.into_iter().filter_map(|sitter| match sitter {
            Sitter::Player(name) => Some(index(name)),
            Sitter::Reserve { .. } => None,
        });
        players.collect()
    };
    (1..=count).map(at).collect()
}

fn pairs(table: &[usize]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let pair = |(one, other): (&usize, &usize)| (*one.min(other), *one.max(other));
    table.iter().enumerate().flat_map(move |(place, one)| {
        table[place + 1..].iter().map(move |other| pair((one, other)))
    })
}

/// The least that any round costs, by trying all: seats beyond the players' are reserves'.
fn least(left: &[usize], cost: &dyn Fn(&[usize]) -> i64) -> i64 {
    let Some((first, rest)) = left.split_first() else { return 0 };
    let mut best = i64::MAX;
    for one in 0..rest.len() {
        for other in one + 1..rest.len() {
            for last in other + 1..rest.len() {
                let table = [*first, rest[one], rest[other], rest[last]];
                let others: Vec<usize> =
                    rest.iter().copied().filter(|seat| !table.contains(seat)).collect();
                best = best.min(cost(&table) + least(&others, cost));
            }
        }
    }
    best
}

fn everybody_sits_once(state: &Tournament, round: usize, out: &[Name]) {
    let mut sat: Vec<usize> = tables(state, round).concat();
    sat.sort_unstable();
    let numbers = &state.seated().expect("it").numbers;
    let due: Vec<usize> =
        (0..numbers.len()).filter(|index| !out.contains(&numbers[*index])).collect();
    assert_eq!(sat, due, "round {round}");
    for table in state.round(round).expect("a round") {
        let seats: HashSet<Number> = table.iter().copied().collect();
        assert_eq!(seats.len(), 4);
    }
}

/// In a round nobody at a table could change seats so that the four begin more evenly in all winds.
fn winds_are_shared(state: &Tournament, round: usize) {
    let rounds = state.seated().expect("it").schedule.rounds();
    let begun = |number: Number, wind: usize| {
        let tables = rounds[..round - 1].iter().flatten();
        tables.filter(|table| table[wind] == number).count()
    };
    for table in &rounds[round - 1] {
        let now: usize = (0..4).map(|wind| begun(table[wind], wind)).sum();
        for order in 0..256_usize {
            let seats: [usize; 4] = std::array::from_fn(|wind| order >> (2 * wind) & 3);
            if seats.iter().collect::<HashSet<_>>().len() == 4 {
                let other = (0..4).map(|wind| begun(table[seats[wind]], wind)).sum();
                assert!(now <= other, "round {round}: {table:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// On up to three tables the fewest repeated meetings, and of these the rounds in which those of like
    /// places meet, equal the result of trying all rounds.
    #[test]
    fn small_fields_are_laid_out_as_well_as_can_be(players in 5_usize..=12, rounds in 2_usize..=5, mut seed: u64) {
        let mut log = begun(&nobody_in_particular(players), (rounds as u16, &[]), "dice");
        for round in 2..=rounds {
            play(&mut log, round - 1, &mut seed);
            let before = log.tournament().expect("it").clone();
            let met: HashSet<(usize, usize)> = (1..round)
                .flat_map(|round| tables(&before, round))
                .flat_map(|table| pairs(&table).collect::<Vec<_>>())
                .collect();
            let state = pair(&mut log, By::Standings, "dice");
            everybody_sits_once(&state, round, &[]);
            let again = |table: &[usize]| {
                pairs(table).filter(|pair| met.contains(pair)).count() as i64
            };
            let seats: Vec<usize> = (0..players.next_multiple_of(4)).collect();
            // Two reserves at a table, where there are tables enough, are no way out.
            let reserves = |table: &[usize]| {
                let count = table.iter().filter(|seat| **seat >= players).count() as i64;
                1000 * (count * (count - 1) / 2)
            };
            let best = least(&seats, &|table| again(table) + reserves(table)) % 1000;
            let found: i64 = tables(&state, round).iter().map(|table| again(table)).sum();
            prop_assert_eq!(found, best, "{} players, round {}", players, round);
            prop_assert_eq!(state.meets_again(round).expect("a round").len() as i64, best);
            prop_assert!(proven(&log));
            winds_are_shared(&state, round);
        }
    }

    #[test]
    fn those_of_like_places_meet(mut seed: u64) {
        let mut log = begun(&nobody_in_particular(8), (2, &[]), "dice");
        play(&mut log, 1, &mut seed);
        let before = log.tournament().expect("it").clone();
        let standings = before.standings().expect("seated");
        // Equal places are drawn by lot: not here.
        let distinct: HashSet<Points> = standings.iter().map(|standing| standing.total).collect();
        prop_assume!(distinct.len() == 8);
        let place = |index: usize| {
            let number = Number(index as u16 + 1);
            standings.iter().position(|standing| standing.number == number).expect("one") as i64
        };
        let met: HashSet<(usize, usize)> =
            tables(&before, 1).iter().flat_map(|table| pairs(table).collect::<Vec<_>>()).collect();
        let state = pair(&mut log, By::Standings, "dice");
        let cost = |table: &[usize]| -> i64 {
            pairs(table)
                .map(|pair| {
                    let far = place(pair.0) - place(pair.1);
                    far * far + if met.contains(&pair) { 1_000_000 } else { 0 }
                })
                .sum()
        };
        let found: i64 = tables(&state, 2).iter().map(|table| cost(table)).sum();
        prop_assert_eq!(found, least(&[0, 1, 2, 3, 4, 5, 6, 7], &cost));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    /// Any number of players, teams of four among them: everybody once, teams never, the same seed the same.
    #[test]
    fn teams_never_meet_and_seeds_repeat(players in 16_usize..=40, mut seed: u64) {
        let team = |place: usize| PersonDetails { team: format!("Team {}", place / 4), ..PersonDetails::default() };
        let about: Vec<PersonDetails> = (0..players).map(team).collect();
        let mut log = begun(&about, (3, &[]), "one");
        // Where teams are few, two rounds may leave no third one without a rematch.
        let (mut repeated, mut is_proven) = (0, false);
        for round in 1..=3 {
            let state = log.tournament().expect("it").clone();
            everybody_sits_once(&state, round, &[]);
            let quality = state.quality().expect("seated");
            prop_assert_eq!((quality.together[0].of, quality.together[0].meetings), ("team", 0));
            prop_assert!(quality.meetings.repeated == repeated || is_proven, "{quality:?}");
            repeated = quality.meetings.repeated;
            play(&mut log, round, &mut seed);
            if round < 3 {
                let mut again = log.clone();
                let one = pair(&mut log, By::Standings, "one");
                is_proven = proven(&log);
                prop_assert_eq!(&one, &pair(&mut again, By::Standings, "one"));
            }
        }
        let log = Log::replay(log.events().to_vec());
        let state = log.expect("it reads").tournament().expect("it").clone();
        let teams = state.team_standings().expect("seated");
        let total: Points = teams.iter().map(|team| team.total).sum();
        let all: Points = state.standings().expect("it").iter().map(|standing| standing.total).sum();
        prop_assert_eq!(total, all);
        prop_assert!(teams.windows(2).all(|two| two[0].total >= two[1].total));
    }

    /// Players come and go between the rounds: nobody who left sits, nobody sits twice, tables are as few as
    /// can be.
    #[test]
    fn rounds_follow_who_comes_and_goes(players in 9_usize..=20, leaving in 0_usize..=4, joining in 0_usize..=2, mut seed: u64) {
        let mut log = begun(&nobody_in_particular(players), (4, &[]), "dice");
        play(&mut log, 1, &mut seed);
        let gone: Vec<Name> = (0..leaving).map(|place| name(&format!("Player {place:03}"))).collect();
        for player in &gone {
            let left = Event::Withdrawn { player: player.clone(), round: 2, note: String::new() };
            add(&mut log, left).expect("gone");
        }
        for place in 0..joining {
            let late = Entrant { name: name(&format!("Late {place}")), ..Entrant::default() };
            let event = log.tournament().expect("it").joining(vec![late], 2).expect("it can be");
            add(&mut log, event).expect("joined");
        }
        for round in 2..=4 {
            let state = pair(&mut log, if round == 3 { By::Meetings } else { By::Standings }, "dice");
            everybody_sits_once(&state, round, &gone);
            let sit = players + joining - leaving;
            prop_assert_eq!(state.round(round).expect("it").len(), sit.div_ceil(4));
            play(&mut log, round, &mut seed);
        }
        // All of it is undone, and done again.
        let full = log.tournament().expect("it").clone();
        let mut undos = Vec::new();
        while let Some(last) = log.last_to_undo().map(|last| last.seq) {
            add(&mut log, Event::Undone { event: last }).expect("undone");
            undos.push(log.events().len() as u64);
        }
        for undo in undos.into_iter().rev() {
            add(&mut log, Event::Undone { event: undo }).expect("back again");
        }
        prop_assert_eq!(log.tournament().expect("it"), &full);
    }
}

#[test]
fn clubs_are_kept_apart_where_they_can_be() {
    let club = |place: usize| PersonDetails {
        club: format!("Club {}", place / 4),
        ..PersonDetails::default()
    };
    let about: Vec<PersonDetails> = (0..16).map(club).collect();
    let mut log = begun(&about, (2, &[Group::Club]), "dice");
    play(&mut log, 1, &mut 7);
    let state = pair(&mut log, By::Standings, "dice");
    let quality = state.quality().expect("seated");
    // Whatever the first round was, there is a second one in which nobody meets again or one of the club.
    assert_eq!((quality.meetings.repeated, quality.together[0].meetings), (0, 0), "{quality:?}");
}

/// The same players with all rounds laid out at once.
fn by_meetings(about: &[PersonDetails], rounds: u16, apart: &[Group]) -> Log {
    let log = begun(about, (1, &[]), "dice");
    let mut log = Log::replay(log.events()[..2].to_vec()).expect("it reads");
    let state = log.tournament().expect("it").clone();
    let seated = state.first_seating((rounds, By::Meetings), apart, "dice", vec![]);
    add(&mut log, seated.expect("it can be")).expect("seated");
    log
}

#[test]
fn clubs_are_kept_apart_in_rounds_by_meetings_too() {
    for (players, clubs, rounds) in [(16, 4, 4), (32, 8, 6), (20, 5, 2)] {
        let club = |place: usize| PersonDetails {
            club: format!("{}", place % clubs),
            ..PersonDetails::default()
        };
        let about: Vec<PersonDetails> = (0..players).map(club).collect();
        let mut log = by_meetings(&about, rounds, &[Group::Club]);
        let quality = log.tournament().expect("it").quality().expect("seated");
        let found = (quality.meetings.repeated, quality.together[0].meetings);
        assert_eq!(found, (0, 0), "{players} players in {rounds} rounds: {quality:?}");
        assert!(quality.meetings.wind_spread <= 2);
        if players == 16 {
            // In the fifth round only those of one club are left to be met.
            (1..=4).for_each(|round| play(&mut log, round, &mut 3));
            let state = pair(&mut log, By::Standings, "dice");
            assert!(proven(&log));
            let quality = state.quality().expect("seated");
            let found = (quality.meetings.repeated, quality.together[0].meetings);
            assert_eq!(found, (0, 24), "{quality:?}");
            assert_eq!(quality.together[0].by_name["0"], 6);
        }
    }
}

#[test]
fn who_has_met_everybody_meets_again_and_it_is_said_how_often() {
    // 16 players have met everybody after five rounds: the sixth repeats all of its 24 meetings.
    let mut log = begun(&nobody_in_particular(16), (6, &[]), "dice");
    let mut seed = 3;
    play(&mut log, 1, &mut seed);
    let first = log.tournament().expect("it").pair(&Pairing {
        by: By::Meetings,
        rounds: Some(4),
        seed: "dice".into(),
        ..Pairing::default()
    });
    let state = add(&mut log, first.expect("it can be")).expect("it holds");
    assert_eq!(state.quality().expect("it").meetings.repeated, 0);
    (2..=5).for_each(|round| play(&mut log, round, &mut seed));
    let state = pair(&mut log, By::Standings, "dice");
    assert_eq!(state.meets_again(6).expect("a round").len(), 24);
    assert!(proven(&log));
}

#[test]
fn some_always_sit_at_the_same_table() {
    let mut about = nobody_in_particular(16);
    about[3].fixed_table = Some(2);
    about[5].fixed_table = Some(4);
    let mut seed = 11;
    let mut log = begun(&about, (4, &[]), "dice");
    for round in 1..=4 {
        let state = log.tournament().expect("it").clone();
        for (player, table) in [("Player 003", 2), ("Player 005", 4)] {
            let four = state.table(round, table).expect("a table");
            let sits =
                |sitter: &Sitter| matches!(sitter, Sitter::Player(name) if **name == *player);
            assert!(four.iter().any(sits), "round {round}: {four:?}");
        }
        play(&mut log, round, &mut seed);
        if round < 4 {
            pair(&mut log, By::Standings, "dice");
        }
    }
    // Tables that cannot be are refused.
    let state = log.tournament().expect("it");
    for (table, others, said) in
        [(9, 0, "there are 4 tables"), (1, 4, "5 players always sit at table 1")]
    {
        let mut log = log.clone();
        for place in 0..=others {
            let player = name(&format!("Player {:03}", place + 8));
            let about = PersonDetails { fixed_table: Some(table), ..PersonDetails::default() };
            add(&mut log, Event::Described { player, about }).expect("known");
        }
        let asked = Pairing { by: By::Standings, seed: "x".into(), ..Pairing::default() };
        let error = log.tournament().expect("it").pair(&asked).expect_err("it cannot be");
        assert!(error.to_string().contains(said), "{error}");
    }
    let stranger = Event::Described { player: name("Nobody"), about: PersonDetails::default() };
    assert!(matches!(add(&mut log.clone(), stranger), Err(TournamentError::Nobody(_))));
    assert_eq!(state.seated().expect("it").planned, 4);
}

#[test]
fn the_first_four_play_the_final() {
    let mut about = nobody_in_particular(18);
    about[0].fixed_table = Some(1);
    let mut seed = 5;
    let mut log = begun(&about, (2, &[]), "dice");
    play(&mut log, 1, &mut seed);
    let before = log.tournament().expect("it").standings().expect("seated");
    let state = pair(&mut log, By::Final, "dice");
    everybody_sits_once(&state, 2, &[]);
    let first: Vec<Number> = before.iter().take(4).map(|standing| standing.number).collect();
    // Table 1 is somebody's, unless he plays the final.
    let plays = before.iter().take(4).any(|standing| standing.name == "Player 000");
    let table = if plays { 1 } else { 2 };
    assert_eq!(state.round(2).expect("a round")[table - 1].to_vec(), first, "seats by rank");
    // The same without the others.
    let last = log.events().len() as u64;
    add(&mut log, Event::Undone { event: last }).expect("undone");
    let only =
        Pairing { by: By::Final, only_final: true, seed: "dice".into(), ..Pairing::default() };
    let event = log.tournament().expect("it").pair(&only).expect("it can be");
    let state = add(&mut log, event).expect("it holds");
    assert_eq!(state.round(2).expect("a round").len(), 1);
    // They keep what they have, and the four may be overtaken by nobody who has no seat.
    let points = [40, -10, 10, -40].map(Points::whole);
    let event = Event::Result { round: 2, table: 1, points, wins: [None; 4], taken: Points::ZERO };
    let state = add(&mut log, event).expect("a result");
    let after = state.standings().expect("seated");
    let sixth = after.iter().find(|standing| standing.number == before[5].number).expect("it");
    assert_eq!((sixth.total, sixth.sessions[1]), (before[5].total, None));
    // Undoing the layout would give the result to others.
    let undo = Event::Undone { event: log.events().len() as u64 - 1 };
    let error = add(&mut log, undo).expect_err("a result stands on it");
    assert!(error.to_string().contains("builds on it"), "{error}");
}

#[test]
fn what_has_begun_is_not_laid_out_again() {
    let mut seed = 5;
    let mut log = begun(&nobody_in_particular(8), (3, &[]), "dice");
    let none = Pairing { by: By::Standings, seed: "x".into(), ..Pairing::default() };
    let state = log.tournament().expect("it").clone();
    assert_eq!(state.pair(&none), Err(TournamentError::NoStandings));
    play(&mut log, 1, &mut seed);
    let state = log.tournament().expect("it").clone();
    let of = |round| Pairing { round: Some(round), ..none.clone() };
    assert_eq!(state.pair(&of(1)), Err(TournamentError::RoundBegun { round: 1, open: 2 }));
    assert_eq!(state.pair(&of(3)), Err(TournamentError::NotNext { round: 3, next: 2 }));
    assert!(state.pair(&Pairing { rounds: Some(0), ..none.clone() }).is_err());
    assert!(state.pair(&Pairing { rounds: Some(100), ..none.clone() }).is_err());
    // Another one's draw is refused: somebody sits twice, and somebody nowhere.
    let Ok(Event::Paired(mut paired)) = state.pair(&none) else { panic!("it can be") };
    paired.out = vec![name("Player 000")];
    let error = add(&mut log, Event::Paired(paired)).expect_err("he sits and is out");
    assert!(matches!(error, TournamentError::NotOnce { round: 2, .. }), "{error}");
}

fn stage(title: &str, day: &str, finishes: &[(&str, &str, usize)]) -> Stage {
    let finish = |(player, member, place): &(&str, &str, usize)| Finish {
        name: name(player),
        member: (*member).into(),
        place: *place,
        points: Points::whole(100 - *place as i64),
        table_points: None,
    };
    Stage {
        title: title.into(),
        day: day.parse().ok(),
        weight: num_rational::Ratio::from_integer(1),
        finishes: finishes.iter().map(finish).collect(),
    }
}

fn table_of(stages: &[Stage], by: &SeasonBy, best: Option<usize>) -> Vec<String> {
    let lines = season(stages, by, best).expect("it can be");
    lines.iter().map(|line| format!("{} {} {}", line.rank, line.player, line.total)).collect()
}

#[test]
fn a_season_counts_the_best_results() {
    let spring = stage("Spring", "2026-03-01", &[("Ann", "", 1), ("Bo", "7", 2), ("Cy", "", 3)]);
    // Bo is called otherwise and has a number; another Cy has one of his own.
    let autumn = stage(
        "Autumn",
        "2026-09-01",
        &[("Bo Berg", "7", 1), ("ann", "", 2), ("Di", "", 2), ("Cy", "9", 4), ("Ed", "", 5)],
    );
    let stages = [spring, autumn];
    assert_eq!(
        table_of(&stages, &SeasonBy::Places, None),
        ["1 ann 1750", "2 Bo Berg 1500", "3 Di 750", "4 Cy 250", "5 Ed 0"]
    );
    assert_eq!(
        table_of(&stages, &SeasonBy::Places, Some(1))[..2],
        ["1 Bo Berg 1000", "1 ann 1000"]
    );
    let scale = SeasonBy::Scale([10, 6, 4].map(Points::whole).to_vec());
    // The second place is shared: the mean of 6 and 4.
    assert_eq!(
        table_of(&stages, &scale, None),
        ["1 Bo Berg 16", "2 ann 15", "3 Di 5", "4 Cy 4", "5 Ed 0"]
    );
    assert!(season(&stages, &SeasonBy::TablePoints, None).is_err());
    // Two with one number are not added up.
    let twice = stage("Odd", "", &[("Ann", "7", 1), ("Bo", "7", 2)]);
    assert!(season(&[twice], &SeasonBy::Places, None).is_err());
}

#[test]
fn a_rating_is_calculated_as_the_european_ranking() {
    // 32nd of 60: 28 beaten of 59, a base rank of 475 (worked in a description of the ranking).
    let all: Vec<(String, usize)> =
        (1..=60).map(|place| (format!("Player {place}"), place)).collect();
    let field: Vec<(&str, &str, usize)> =
        all.iter().map(|(name, place)| (name.as_str(), "", *place)).collect();
    let one = stage("One", "2026-06-01", &field);
    let lines = season(std::slice::from_ref(&one), &SeasonBy::Places, None).expect("it can be");
    let own = lines.iter().find(|line| line.player == "Player 32").expect("he played");
    assert_eq!(own.total, "475");
    // One result is no rating; five of weight 1, 1, 1, 6 and 1: part A 650.6, part B 667.33, 658.97
    // together. The results are those of that description.
    let on = "2026-07-01".parse().expect("a day");
    assert!(season(&[one], &SeasonBy::Rating(on), None).expect("it can be").is_empty());
    // Of 1001 players the base rank falls by one a place.
    let place = |title: &str, day: &str, base: usize, weight: i64| {
        let others = (1..=1001).filter(|place| *place != 1001 - base);
        let mut finishes: Vec<(String, usize)> =
            others.map(|place| (format!("Other {title} {place}"), place)).collect();
        finishes.push(("Ann".into(), 1001 - base));
        let finishes: Vec<(&str, &str, usize)> =
            finishes.iter().map(|(name, place)| (name.as_str(), "", *place)).collect();
        let mut stage = stage(title, day, &finishes);
        stage.weight = num_rational::Ratio::from_integer(weight);
        stage
    };
    let stages: Vec<Stage> = [(1000, 1), (1000, 1), (1000, 1), (501, 6), (500, 1)]
        .iter()
        .enumerate()
        .map(|(index, (base, weight))| place(&format!("{index}"), "2026-06-01", *base, *weight))
        .collect();
    let rated = |stages: &[Stage]| {
        let lines = season(stages, &SeasonBy::Rating(on), None).expect("it can be");
        lines.iter().find(|line| line.player == "Ann").map(|line| line.total.clone())
    };
    assert_eq!(rated(&stages).as_deref(), Some("658.97"));
    // Two results: three are missing for part A, two for part B; after a year a result weighs half, after two
    // nothing.
    assert_eq!(rated(&stages[..2]).as_deref(), Some("450.00"));
    let older = [place("a", "2025-06-01", 1000, 2), place("b", "2026-06-01", 1000, 1)];
    assert_eq!(rated(&older).as_deref(), Some("450.00"));
    let oldest = [place("a", "2024-06-01", 1000, 2), place("b", "2026-06-01", 1000, 1)];
    assert_eq!(rated(&oldest), None);
    let undated = [stages[0].clone(), Stage { day: None, ..stages[1].clone() }];
    assert!(season(&undated, &SeasonBy::Rating(on), None).is_err());
    let later = [stages[0].clone(), Stage { day: "2026-08-01".parse().ok(), ..stages[1].clone() }];
    assert!(season(&later, &SeasonBy::Rating(on), None).is_err());
}

#[test]
fn templates_say_which_columns_there_are() {
    let mut about = nobody_in_particular(4);
    about[2] = PersonDetails {
        country: "DK".into(),
        member: "03040001".into(),
        ..PersonDetails::default()
    };
    let mut log = begun(&about, (1, &[]), "dice");
    play(&mut log, 1, &mut 3);
    let state = log.tournament().expect("it");
    let template = Template::read("Place;EMA number;last name;First_Name;LAND;Score\n".as_bytes());
    let report = state.report(&template.expect("it reads")).expect("seated");
    let lines: Vec<&str> = report.lines().collect();
    assert_eq!(lines[0], "Place;EMA number;last name;First_Name;LAND;Score");
    assert_eq!(lines.len(), 5);
    let own = lines.iter().find(|line| line.contains("03040001;002;Player;DK;"));
    assert!(own.is_some(), "{report}");
    let usual = state.report(&Template::usual(false)).expect("seated");
    assert!(usual.starts_with("Place,Player number,Name,Country,Points\n1,"), "{usual}");
    for (text, said) in [
        (&b""[..], "the template is empty"),
        (b"\n \n", "the template is empty"),
        (b"Place,Colour", "column 2 is `Colour`: known are place, number, member"),
        (b"Place,,Name", "column 2 is ``"),
        (b"Pl\xe5ce", "not UTF-8"),
    ] {
        let error = Template::read(text).expect_err("an invalid template").to_string();
        assert!(error.contains(said), "{error}");
    }
    let names: BTreeMap<usize, &str> = (0..).zip(usual.lines()).collect();
    assert_eq!(names.len(), 5);
}

/// As an organiser calls it.
#[cfg(feature = "ledger")]
mod commands {
    use serde_json::Value as Json;

    use crate::support::organiser::{Evening, standing};

    /// 14 players of four clubs and two countries, the first of three rounds laid out.
    fn swiss() -> Evening {
        let evening = Evening::begun();
        let mut people = String::from("name;Verein;Land;EMA number;reserve\n");
        for place in 0..14 {
            let club = ["Aarhus", "Odense", "Ribe", "-"][place % 4];
            let land = if place < 7 { "DK" } else { "DE" };
            people += &format!("Player {place:02};{club};{land};0304{place:04};\n");
        }
        people += "Rita;;;;yes\n";
        evening.write("people.csv", people.as_bytes());
        evening.ok(&["import", "@", "people.csv"]);
        let seat = ["seat", "@", "--rounds", "3", "--by", "standings", "--apart", "club"];
        let said =
            evening.ok(&[&seat[..], &["--seed", "dice", "--start", "2026-11-21 18:00"]].concat());
        assert!(
            said.contains("Rounds 2 to 3 are laid out later (tilelens tournament pair)"),
            "{said}"
        );
        assert!(said.contains("Two of one club at a table: never."), "{said}");
        assert!(said.contains("Two of one country at a table: "), "{said}");
        evening
    }

    fn play(evening: &Evening, round: usize) {
        for table in 1..=seats(evening, round).len() / 4 {
            let win = (10 * table).to_string();
            let (round, table) = (round.to_string(), table.to_string());
            evening.ok(&["result", "@", &round, &table, &win, "5", "-5", &format!("-{win}")]);
        }
    }

    fn seats(evening: &Evening, round: usize) -> Vec<Json> {
        let all = evening.json(&["tables", "@"])["seats"].as_array().expect("a list").clone();
        all.into_iter().filter(|seat| seat["round"] == round).collect()
    }

    #[test]
    fn rounds_follow_the_standings() {
        let evening = swiss();
        let error = evening.refused(&["pair", "@"]);
        assert!(error.contains("no results yet") && error.contains("--by meetings"), "{error}");
        evening.ok(&["result", "@", "1", "1", "4", "4", "-4", "-4"]);
        let said = evening.ok(&["pair", "@", "--seed", "dice 4"]);
        assert!(
            said.contains("The standings are not final: 3 tables have no result yet."),
            "{said}"
        );
        evening.ok(&["undo", "@"]);
        evening.ok(&["undo", "@"]);
        play(&evening, 1);
        let said = evening.ok(&["pair", "@", "--seed", "dice 4"]);
        for text in [
            "Laid out with the seed dice 4.",
            "Round 2, 2026-11-21 20:00",
            "Nobody meets again.",
            "Two of one club at a table: never.",
            "Round 3 is laid out later",
            "Written down as event 12.",
        ] {
            assert!(said.contains(text), "{text} in\n{said}");
        }
        // The same seed lays out the same round, and another one need not.
        let first = seats(&evening, 2);
        evening.ok(&["undo", "@"]);
        assert!(evening.refused(&["tables", "@", "2"]).contains("there is no round 2"));
        evening.ok(&["pair", "@", "--seed", "dice 4"]);
        assert_eq!(seats(&evening, 2), first);
        let log = evening.ok(&["log", "@"]);
        assert!(log.contains("round 2 laid out by the standings, seed dice 4"), "{log}");
        let quality = &evening.json(&["tables", "@"])["quality"];
        assert_eq!(
            (&quality["repeated"], &quality["together"][0]["of"]),
            (&0.into(), &"club".into())
        );
        // Tables that are open have begun.
        evening.ok(&["open", "@", "2"]);
        assert!(evening.refused(&["pair", "@", "--round", "2"]).contains("round 2 has begun"));
        assert!(evening.refused(&["pair", "@", "--round", "4"]).contains("the next is round 3"));
        assert!(
            evening.refused(&["pair", "@", "--by", "final", "--rounds", "2"]).contains("one round")
        );
        let sheets = evening.ok(&["sheets", "@"]);
        assert!(sheets.contains("Player 03"));
    }

    #[test]
    fn players_come_and_go_between_rounds() {
        let evening = swiss();
        play(&evening, 1);
        // Round 2 is not laid out yet: who joins plays from it on, who leaves does not.
        let said = evening.ok(&["join", "@", "Late Lars"]);
        assert!(said.contains("Late Lars joined, from round 2 on"), "{said}");
        for player in ["1", "2", "3"] {
            evening.ok(&["leave", "@", player]);
        }
        let said = evening.ok(&["pair", "@", "--seed", "x"]);
        assert!(said.contains("Without a seat: "), "{said}");
        let second = seats(&evening, 2);
        assert_eq!(second.len(), 12, "12 of 15 play: three tables");
        assert!(second.iter().all(|seat| !seat["player"].is_null()), "{second:?}");
        assert!(second.iter().any(|seat| seat["player"] == "Late Lars"));
        // Who has no seat is not replaced.
        let error = evening.refused(&["reserve", "@", "rita", "--round", "2", "--seat", "1"]);
        assert!(error.contains("number 1 has no seat in round 2"), "{error}");
        // One more goes home after the layout: a reserve plays, or the round is laid out again.
        let lars = second.iter().find(|seat| seat["player"] == "Late Lars").expect("a seat");
        evening.ok(&["leave", "@", "Late Lars", "--round", "2"]);
        let table = lars["table"].to_string();
        assert!(
            evening.ok(&["tables", "@", "2"]).contains("reserve for Late Lars"),
            "table {table}"
        );
        let said = evening.ok(&["pair", "@", "--by", "meetings", "--seed", "x"]);
        assert!(said.contains("Round 3, 2026-11-21 22:00") && !said.contains("later"), "{said}");
        assert_eq!((seats(&evening, 2).len(), seats(&evening, 3).len()), (12, 12));
        // One who joins now gets the reserve's seat.
        evening.ok(&["join", "@", "Later Liv"]);
        assert!(seats(&evening, 2).iter().all(|seat| !seat["player"].is_null()));
        play(&evening, 2);
        play(&evening, 3);
        assert!(standing(&evening, "Later Liv")["rank"].is_number());
        assert_eq!(standing(&evening, "Late Lars")["total"], "0");
        // A final beyond what was planned starts when the rules say.
        let said = evening.ok(&["pair", "@", "--by", "only-final", "--seed", "x"]);
        assert!(said.contains("Round 4, 2026-11-22 00:00"), "{said}");
        let final_four = seats(&evening, 4);
        let standings = evening.json(&["standings", "@"]);
        // Lots decide between players level.
        for (place, seat) in final_four.iter().enumerate() {
            let all = standings.as_array().expect("a list");
            let own = all.iter().find(|line| line["name"] == seat["player"]).expect("a player");
            assert_eq!(own["rank"], standings[place]["rank"]);
        }
        assert_eq!(final_four.len(), 4);
        evening.ok(&["result", "@", "4", "1", "1", "2", "3", "-6"]);
        assert!(evening.refused(&["undo", "@", "14"]).contains("builds on it"));
        evening.ok(&["standings", "@"]);
    }

    #[test]
    fn what_is_known_of_players_is_said_later() {
        let evening = swiss();
        let said = evening.ok(&["about", "@", "Player 03", "--club", "Ribe", "--fixed-table", "2"]);
        assert!(
            said.contains(
                "known of Player 03: club Ribe, country DK, member 03040003, fixed table 2"
            ),
            "{said}"
        );
        let people = evening.ok(&["export", "@", "people"]);
        assert!(
            people.starts_with("name,reserve,new,number,club,country,member,fixed_table\n"),
            "{people}"
        );
        assert!(
            people.contains("Player 03,false,,") && people.contains(",Ribe,DK,03040003,2\n"),
            "{people}"
        );
        play(&evening, 1);
        evening.ok(&["pair", "@"]);
        let sits = seats(&evening, 2).into_iter().find(|seat| seat["player"] == "Player 03");
        assert_eq!(sits.expect("a seat")["table"], 2);
        let said = evening.ok(&["about", "@", "Player 03", "--club", "", "--fixed-table", "0"]);
        assert!(said.contains("known of Player 03: country DK, member 03040003."), "{said}");
        assert!(evening.refused(&["about", "@", "Player 03", "--club", "=1"]).contains("formula"));
        assert!(evening.refused(&["about", "@", "Nobody"]).contains("no player is called"));
        evening.ok(&["about", "@", "Player 03", "--fixed-table", "7"]);
        assert!(
            evening
                .refused(&["pair", "@"])
                .contains("Player 03 always sits at table 7, and there are 4")
        );
        assert!(evening.refused(&["standings", "@", "--teams"]).contains("nobody is in a team"));
        for player in 0..8 {
            let team = ["Nord", "nord"][player % 2];
            evening.ok(&["about", "@", &format!("Player {player:02}"), "--team", team]);
        }
        let teams = evening.json(&["standings", "@", "--teams"]);
        assert_eq!(teams.as_array().map(Vec::len), Some(1));
        assert_eq!(teams[0]["players"].as_array().map(Vec::len), Some(8));
        assert!(evening.ok(&["tables", "@"]).contains("with the number in their sums: Nord has 8"));
        // People with columns that nobody can read.
        for (text, said) in [
            ("name,club\nBo,=1\n", "line 2: club = `=1` begins with ="),
            ("name,fixed_table\nBo,x\n", "line 2: fixed_table = `x`: expected a table's number"),
            ("name,fixed_table\nBo,0\n", "line 2: fixed_table = 0: tables are counted from 1"),
        ] {
            evening.write("odd.csv", text.as_bytes());
            let error = evening.refused(&["import", "@", "odd.csv"]);
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn a_report_has_the_columns_of_a_template() {
        let evening = swiss();
        play(&evening, 1);
        let usual = evening.ok(&["export", "@", "report"]);
        assert!(usual.starts_with("Place,Player number,Name,Country,Points\n1,0304"), "{usual}");
        evening.write("form.csv", "Rank;EMA number;Last name;Land;Score\n".as_bytes());
        let report = evening.ok(&["export", "@", "report", "--template", "form.csv"]);
        assert!(report.starts_with("Rank;EMA number;Last name;Land;Score\n1;0304"), "{report}");
        let json = evening.json(&["export", "@", "report", "--template", "form.csv"]);
        assert_eq!(json[0]["Rank"], "1");
        evening.write("form.csv", b"Rank;Shoe size\n");
        let error = evening.refused(&["export", "@", "report", "--template", "form.csv"]);
        assert!(
            error.contains("form.csv") && error.contains("`Shoe size`: known are place, number"),
            "{error}"
        );
        let error = evening.refused(&["export", "@", "standings", "--template", "form.csv"]);
        assert!(error.contains("export FILE report"), "{error}");
        evening.ok(&["about", "@", "Player 03", "--country", ""]);
        let (_, _, aside) = evening.run(&["export", "@", "report"]);
        assert!(aside.contains("1 player has no country"), "{aside}");
    }

    #[test]
    fn a_season_is_counted_over_files() {
        let evening = swiss();
        assert!(evening.refused(&["season", "@"]).contains("no results yet"));
        play(&evening, 1);
        let standings = evening.ok(&["export", "@", "standings"]);
        evening.write("spring.csv", standings.as_bytes());
        let said = evening.ok(&["season", "@", "spring.csv", "--best", "1"]);
        assert!(said.contains("spring") && said.contains("In brackets: does not count."), "{said}");
        let table = evening.json(&["season", "@", "spring.csv", "--scale", "10,6,4"]);
        assert_eq!(table["tournaments"], serde_json::json!(["Evening <i>& Co</i>", "spring"]));
        assert_eq!(
            (&table["table"][0]["total"], &table["table"][0]["stages"][1]),
            (&"20".into(), &"10".into())
        );
        let csv = evening.ok(&["season", "@", "spring.csv", "--by", "points", "--csv"]);
        assert!(csv.starts_with("Rank,Player,Evening <i>& Co</i>,spring,Total\n1,"), "{csv}");
        let by = ["season", "@", "spring.csv", "--by", "rating", "--on", "2027-02-01"];
        assert!(evening.refused(&by).contains("spring does not say on which day it was"));
        let dated =
            [&by[..], &["--date", "spring.csv=2026-05-31", "--date", "evening.tlg=2026-11-21"]]
                .concat();
        assert!(
            evening.ok(&[&dated[..], &["--weight", "spring.csv=2.5"]].concat()).contains("Total")
        );
        for (more, said) in [
            (&["--weight", "autumn.csv=2"][..], "autumn.csv is not among the files"),
            (&["--weight", "spring.csv=x"], "expected a weight such as 2.5"),
            (&["--weight", "2"], "expected FILE="),
            (&["--date", "spring.csv=May"], "expected a day such as"),
            (&["--best", "2"], "leave --best out"),
        ] {
            let error = evening.refused(&[&by[..], more].concat());
            assert!(error.contains(said), "{error}");
        }
        evening.write("odd.csv", b"name,points\nBo,1\n");
        assert!(evening.refused(&["season", "odd.csv"]).contains("no column `place`"));
        evening.write("odd.csv", b"place,name,points\n1,Bo,1\n0,Eva,x\n");
        assert!(evening.refused(&["season", "odd.csv"]).contains("line 3"));
        assert!(evening.refused(&["season", "none.csv"]).contains("cannot read none.csv"));
        assert!(
            evening.refused(&["season", "@", "--by", "table-points"]).contains("no table points")
        );
    }
}
