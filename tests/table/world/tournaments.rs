//! Tournaments ranked by table points, then points, and by points with uma.

use tilelens::{
    name::Name,
    points::Points,
    rules::RuleSet,
    tournament::{
        Entrant, Event, Format, Log, NoFormat, Schedule, Tournament, TournamentError, draw,
        read_results, to_csv,
    },
};

fn at(minute: usize) -> jiff::Timestamp {
    jiff::Timestamp::from_second(1_800_000_000 + 60 * minute as i64).unwrap()
}

fn add(log: &mut Log, event: Event) -> Result<Tournament, TournamentError> {
    log.append(at(log.events().len()), "referee", event).cloned()
}

/// Players in some rounds of a rule set, with its own way of running a tournament.
fn seated(rules: &str, players: usize, rounds: u16) -> Log {
    let preset = RuleSet::preset(rules).unwrap();
    let format = Box::new(Format::of(preset, RuleSet::preset("chumchu").unwrap()).unwrap());
    seated_as(rules, format, players, rounds)
}

fn seated_as(rules: &str, format: Box<Format>, players: usize, rounds: u16) -> Log {
    let mut log = Log::default();
    let rules = rules.to_owned();
    add(
        &mut log,
        Event::Begun { name: "Test".into(), rules, rule_file: None, rulings: vec![], format },
    )
    .unwrap();
    let entrants = (0..players).map(|place| Name::new(&format!("Player {place}")).unwrap());
    let entrants = entrants.map(|name| Entrant { name, ..Entrant::default() }).collect();
    let tournament = add(&mut log, Event::Entered { entrants }).unwrap();
    let schedule = Schedule::new(tournament.seats_needed().unwrap(), rounds).unwrap();
    let numbers = draw("seed", tournament.roster.players());
    add(
        &mut log,
        Event::Seated { seed: "seed".into(), numbers, schedule, starts: vec![], plan: None },
    )
    .unwrap();
    log
}

fn result(round: usize, table: usize, points: [i32; 4], taken: i32) -> Event {
    let (points, taken) = (points.map(Points::whole), Points::whole(taken));
    Event::Result { round, table, points, wins: [None; 4], taken }
}

/// Each seat's rank, table points and total at a table of the first round.
fn lines(tournament: &Tournament, table: usize) -> Vec<String> {
    let standings = tournament.standings().unwrap();
    let seats = tournament.round(1).unwrap()[table - 1];
    let line = |number| {
        let own = standings.iter().find(|standing| standing.number == number).unwrap();
        let points = own.table_points.map_or("-".to_owned(), Points::mixed);
        format!("{}. {points} {}", own.rank.unwrap(), own.total)
    };
    seats.into_iter().map(line).collect()
}

#[test]
fn table_points_go_before_points() {
    let mut log = seated("mcr", 8, 2);
    add(&mut log, result(1, 1, [300, -50, -100, -150], 0)).unwrap();
    // A win by little is worth as much as one by much; of level table points the points decide.
    let state = add(&mut log, result(1, 2, [20, 10, -10, -20], 0)).unwrap();
    assert_eq!(lines(&state, 1), ["1. 4 300", "4. 2 -50", "6. 1 -100", "8. 0 -150"]);
    assert_eq!(lines(&state, 2), ["2. 4 20", "3. 2 10", "5. 1 -10", "7. 0 -20"]);
    // The second round counts, too.
    let seats = state.round(2).unwrap().to_vec();
    let state = add(&mut log, result(2, 1, [8, 8, 8, -24], 0)).unwrap();
    let standings = state.standings().unwrap();
    let shared = standings.iter().find(|it| it.number == seats[0][0]).unwrap();
    assert_eq!(shared.sessions[1].unwrap().table_points.unwrap().mixed(), "2⅓");
    let all: Points = standings.iter().filter_map(|standing| standing.table_points).sum();
    assert_eq!(all, Points::whole(21), "seven at each table");
    let ranked: Vec<Points> =
        standings.iter().map(|standing| standing.table_points.unwrap()).collect();
    assert!(ranked.is_sorted_by(|higher, lower| higher >= lower));
}

#[test]
fn level_players_share_their_places() {
    for (points, shares) in [
        ([40, 40, -30, -50], ["3", "3", "1", "0"]),
        ([60, 0, 0, -60], ["4", "1½", "1½", "0"]),
        ([60, 20, -40, -40], ["4", "2", "½", "½"]),
        ([20, 20, 20, -60], ["2⅓", "2⅓", "2⅓", "0"]),
        ([60, -20, -20, -20], ["4", "1", "1", "1"]),
        ([0, 0, 0, 0], ["1¾", "1¾", "1¾", "1¾"]),
        ([10, 10, -10, -10], ["3", "3", "½", "½"]),
    ] {
        let mut log = seated("mcr", 4, 1);
        let state = add(&mut log, result(1, 1, points, 0)).unwrap();
        let four = state.sessions(1, 1).unwrap().unwrap();
        assert_eq!(four.map(|it| it.table_points.unwrap().mixed()), shares, "{points:?}");
        // Level in both keys: they share the rank.
        let lines = lines(&state, 1);
        let rank = |seat: usize| lines[seat].split(' ').next().unwrap();
        for (one, other) in [(0, 1), (1, 2), (2, 3)] {
            assert_eq!(rank(one) == rank(other), points[one] == points[other], "{lines:?}");
        }
    }
}

#[test]
fn penalties_come_off_the_second_key() {
    let mut log = seated("mcr", 8, 1);
    add(&mut log, result(1, 1, [30, 10, -10, -30], 0)).unwrap();
    let state = add(&mut log, result(1, 2, [40, 0, -10, -30], 0)).unwrap();
    assert_eq!(lines(&state, 2)[0], "1. 4 40");
    let number = state.round(1).unwrap()[1][0];
    let player = state.seated().unwrap().numbers[usize::from(number.0) - 1].clone();
    let penalty = |cause: &str, points: Option<u32>| {
        let (player, cause) = (player.clone(), cause.to_owned());
        Event::Penalty { player, cause, count: 1, points, note: String::new() }
    };
    let state = add(&mut log, penalty("false_win", None)).unwrap();
    assert_eq!(lines(&state, 2)[0], "2. 4 20", "still before those with two");
    let error = add(&mut log, penalty("grave_fault", None)).unwrap_err();
    assert_eq!(error, TournamentError::Cost { cause: "grave_fault".into() });
    let state = add(&mut log, penalty("grave_fault", Some(60))).unwrap();
    assert_eq!(lines(&state, 2)[0], "2. 4 -40");
    assert!(matches!(
        add(&mut log, penalty("unheard_of", None)),
        Err(TournamentError::NoCause { .. })
    ));
}

#[test]
fn a_table_that_penalties_have_taken_from_says_how_much() {
    let mut log = seated("mcr", 4, 1);
    let error = add(&mut log, result(1, 1, [62, 62, -82, -62], 0)).unwrap_err();
    assert!(matches!(error, TournamentError::Sum { .. }), "{error}");
    for wrong in [10, -20, 30] {
        assert!(add(&mut log, result(1, 1, [62, 62, -82, -62], wrong)).is_err(), "{wrong}");
    }
    let state = add(&mut log, result(1, 1, [62, 62, -82, -62], 20)).unwrap();
    assert_eq!(lines(&state, 1), ["1. 3 62", "1. 3 62", "4. 0 -82", "3. 1 -62"]);
    // The export can be read again.
    let csv = to_csv(&state.result_lines().unwrap()).unwrap();
    assert!(csv.starts_with("round,table,wind,player,reserve,wins,points,taken"), "{csv}");
    let event = log.events().len() as u64;
    let undone = add(&mut log, Event::Undone { event }).unwrap();
    let read = read_results(csv.as_bytes(), &undone).unwrap().events;
    assert_eq!(read, [result(1, 1, [62, 62, -82, -62], 20)]);
    // Others have no such column.
    let mut plain = seated("mcr", 4, 1);
    let state = add(&mut plain, result(1, 1, [10, 0, 0, -10], 0)).unwrap();
    let csv = to_csv(&state.result_lines().unwrap()).unwrap();
    assert!(csv.starts_with("round,table,wind,player,reserve,wins,points\n"), "{csv}");
    let csv = to_csv(&state.standing_lines().unwrap()).unwrap();
    assert!(csv.starts_with("rank,number,player,earned,bonus,table_points,penalty,total"), "{csv}");
}

#[test]
fn riichi_is_ranked_by_points_with_uma() {
    let mut log = seated("riichi-ema", 4, 1);
    let state = add(&mut log, result(1, 1, [40_000, 30_000, 30_000, 20_000], 0)).unwrap();
    // 5000 and -5000 are shared.
    assert_eq!(lines(&state, 1), ["1. - 25000", "2. - 0", "2. - 0", "4. - -25000"]);
    let csv = to_csv(&state.standing_lines().unwrap()).unwrap();
    assert!(csv.starts_with("rank,number,player,earned,bonus,penalty,total,sessions\n"), "{csv}");
    // Commonly: against 30,000 with 25,000 to begin with; who began nearer to East goes before.
    let mut log = seated("riichi", 4, 1);
    let state = add(&mut log, result(1, 1, [20_000, 30_000, 30_000, 20_000], 0)).unwrap();
    assert_eq!(lines(&state, 1), ["3. - -20000", "1. - 40000", "2. - 10000", "4. - -30000"]);
}

#[test]
fn further_keys_decide_between_level_players() {
    let file = "extends = \"chumchu\"\nid = \"house\"\n[tournament]\nbonus = [3, 2, 1, 0]\n\
        ranking = [\"bonus\", \"points\"]\n";
    let house = RuleSet::parse(file).unwrap();
    let format = Box::new(Format::of(&house, &house).unwrap());
    let mut log = seated_as("chumchu", format, 8, 1);
    add(&mut log, result(1, 1, [10, 0, 0, -10], 0)).unwrap();
    let state = add(&mut log, result(1, 2, [90, 5, -5, -90], 0)).unwrap();
    let ranks = |table| -> Vec<String> {
        let lines = lines(&state, table);
        lines.iter().map(|line| line.split_once('.').unwrap().0.to_owned()).collect()
    };
    // Bonus 3 2 1 0 and 3 1½ 1½ 0.
    assert_eq!(
        (ranks(1), ranks(2)),
        (
            ["2", "4", "4", "7"].map(str::to_owned).into(),
            ["1", "3", "6", "8"].map(str::to_owned).into(),
        )
    );
}

#[test]
fn a_format_is_written_down_as_it_was() {
    let chumchu = RuleSet::preset("chumchu").unwrap();
    let format = |rules: &str| Format::of(RuleSet::preset(rules).unwrap(), chumchu).unwrap();
    // Nothing new is said of those who have nothing new.
    let text = serde_json::to_string(&format("mmm")).unwrap();
    for key in ["level", "table_points", "ranking", "in_table"] {
        assert!(!text.contains(key), "{key} in {text}");
    }
    for rules in ["mmm", "chumchu", "mcr", "riichi", "riichi-ema"] {
        let text = serde_json::to_string(&format(rules)).unwrap();
        assert_eq!(serde_json::from_str::<Format>(&text).unwrap(), format(rules), "{rules}");
    }
    // Riichi as chumchu runs a tournament has its bonus.
    let riichi = RuleSet::preset("riichi").unwrap();
    let bonus = Format::run_like(riichi, chumchu).unwrap().rules.bonus;
    assert_eq!(bonus, [80, 50, 30, 10].map(Points::whole));
    let unkept = "extends = \"riichi\"\nid = \"house\"\n[session]\nkept = false\n";
    let unkept = RuleSet::parse(unkept).unwrap();
    assert_eq!(Format::of(&unkept, chumchu), Err(NoFormat::NotKept("house".into())));
}
