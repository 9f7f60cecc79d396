//! Tables by their rule sets: the next dealer, tiles that may be won on, faults, the clock, three
//! players, undoing and correcting.

use crate::support::session::{Evening, opened};
use jiff::SignedDuration;
use tilelens::{
    points::Points,
    rules::RuleSet,
    table::{
        Charged, Deal, Draw, Event, Opened, Over, Penalty, PlayerFault, Seated, Sitting, Table,
        TableError, TileWas, WinBy, Winner,
    },
    tile::Seat::{self, East, North, South, West},
};

const CHOWS: &str = "123m456m789p23s55s +4s";

/// A win without a hand: the winner gets a point from each other.
fn paid(evening: &Evening, seat: Seat) -> Event {
    let state = evening.state();
    let player = state.at_seat(seat).unwrap();
    let others = state.players.len() as u32 - 1;
    let payments = (0..state.players.len())
        .map(|other| if other == player { Points::whole(others) } else { -Points::whole(1) })
        .collect();
    let winner = Winner { player, win: WinBy::SelfDraw, ..Winner::default() };
    let payments = Some(payments);
    Event::Deal(Deal { winners: vec![winner], payments, ..Deal::default() })
}

fn win(evening: &mut Evening, seat: Seat) {
    let event = paid(evening, seat);
    evening.enter(event).unwrap();
}

#[test]
fn when_the_deal_passes() {
    for (rules, draw, dealer, other) in [
        ("mmm", true, false, true),
        ("ims", true, false, true),
        ("mmm-dk", true, true, true),
        ("chumchu", true, true, true),
        ("hkos", false, false, true),
        ("hkos-heavy", false, false, true),
        ("hk", false, false, true),
        ("taiwan", false, false, true),
        ("zung-jung", true, true, true),
        ("classical-bmja", false, false, true),
        ("classical-dmjl", false, false, true),
    ] {
        let passes = |event: &dyn Fn(&mut Evening)| {
            let mut evening = Evening::of(rules);
            event(&mut evening);
            assert_eq!(evening.state().place.number, 2);
            evening.seats() == "Bo Cy Di Ann"
        };
        assert_eq!(passes(&|evening| evening.draw()), draw, "{rules}, draw");
        assert_eq!(passes(&|evening| win(evening, East)), dealer, "{rules}, dealer wins");
        assert_eq!(passes(&|evening| win(evening, South)), other, "{rules}, another wins");
    }
}

/// Rather no table than one with wrong counters, sticks and table points.
#[test]
fn a_table_under_rules_that_are_not_known_between_the_hands_is_refused() {
    let file = "extends = \"riichi\"\nid = \"house\"\n[session]\nkept = false\n";
    let house = Opened { rule_file: Some(file.to_owned()), ..opened("house", 4) };
    let now = "2026-11-21T19:00:00Z".parse().unwrap();
    let error = Table::new(1).complete(Event::Opened(house), now).unwrap_err();
    let said = error.to_string();
    assert!(matches!(error, TableError::Rules(_)), "{said}");
    for expected in ["a table under `house` is not kept yet", "score its hands one by one"] {
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
fn each_built_in_rule_set_has_a_table() {
    for rules in RuleSet::presets() {
        let seated = if rules.four_players() { 4 } else { 3 };
        let now = "2026-11-21T19:00:00Z".parse().unwrap();
        let opened = Table::new(1).complete(Event::Opened(opened(&rules.id, seated)), now);
        assert!(opened.is_ok(), "{}: {opened:?}", rules.id);
    }
}

/// Above 25 points the others pay 25 each, and who is charged for the tile the rest: its giver, unless another has
/// discarded it before in the same round of turns, or the winner himself.
#[test]
fn a_table_of_zung_jung_charges_who_is_responsible() {
    // One suit and honors 40, pungs alone 30.
    const HAND: &str = "22z77m (1'11m) (3'33m) (5'55m) +7m";
    let totals = |by_worth: bool, how: &str, responsible: Option<Charged>| {
        let mut evening = Evening::of("zung-jung");
        let mut winner = evening.winner(South, how, HAND);
        winner.responsible = responsible;
        if by_worth {
            winner.hand = None;
            winner.worth = Some(evening.table.rules().unwrap().read_worth("70").unwrap());
        }
        let deal = Deal { winners: vec![winner], ..Deal::default() };
        evening.enter(Event::Deal(deal)).map(|()| evening.totals())
    };
    let ann = Some(Charged::Player(0));
    for (how, responsible, expected) in [
        ("discard W", None, "-25 210 -160 -25"),
        ("discard W", ann, "-160 210 -25 -25"),
        ("rob_kong W", Some(Charged::Player(2)), "-25 210 -160 -25"),
        ("discard W", Some(Charged::Nobody), "-70 210 -70 -70"),
        ("self_draw", None, "-70 210 -70 -70"),
    ] {
        let by_worth = totals(true, how, responsible).unwrap();
        assert_eq!(by_worth, expected, "{how} {responsible:?}");
        if !how.starts_with("rob_kong") {
            assert_eq!(totals(false, how, responsible).unwrap(), expected, "{how} {responsible:?}");
        }
    }
    for (how, responsible, said) in [
        ("self_draw", Some(Charged::Nobody), "nobody gave the tile"),
        ("discard W", Some(Charged::Player(1)), "the winner's own seat"),
        ("discard W", Some(Charged::Player(9)), "no player 9"),
    ] {
        for by_worth in [true, false] {
            let error = totals(by_worth, how, responsible).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
    }
}

#[test]
fn a_table_of_hong_kong_pays_by_its_table() {
    let mut evening = Evening::of("hk");
    let winner = evening.winner(South, "discard W", "123m456p789s77z34m +5m");
    evening.enter(Event::Deal(Deal { winners: vec![winner], ..Deal::default() })).unwrap();
    assert_eq!(evening.totals(), "0 16 -16 0");
    assert_eq!(evening.seats(), "Bo Cy Di Ann");
}

/// Each time that the dealer has stayed is worth two tai more to him and from him, and to nobody else.
#[test]
fn a_table_of_taiwan_counts_how_often_the_dealer_has_stayed() {
    // A concealed hand has one tai; self-drawn, three.
    const HAND: &str = "123m456p789s234s34m77z +5m";
    let mut evening = Evening::of("taiwan");
    let mut wins = |who: &[(Seat, &str)], stayed: u32, totals: &str, seats: &str| {
        assert_eq!(evening.state().place.honba, Some(stayed));
        let winners = who.iter().map(|&(seat, how)| evening.winner(seat, how, HAND)).collect();
        match who {
            [] => evening.draw(),
            _ => evening.enter(Event::Deal(Deal { winners, ..Deal::default() })).unwrap(),
        }
        assert_eq!((evening.totals().as_str(), evening.seats().as_str()), (totals, seats));
    };
    wins(&[], 0, "0 0 0 0", "Ann Bo Cy Di");
    // Three tai from each, and the dealer's one and two.
    wins(&[(East, "self_draw")], 1, "660 -220 -220 -220", "Ann Bo Cy Di");
    // A tai, and the dealer's one and four.
    wins(&[(East, "discard W")], 2, "880 -220 -440 -220", "Ann Bo Cy Di");
    // From the dealer a tai and seven; between the others no more than the tai.
    wins(&[(South, "discard E"), (West, "discard E")], 3, "360 40 -180 -220", "Bo Cy Di Ann");
    wins(&[(South, "discard W")], 0, "360 40 -60 -340", "Cy Di Ann Bo");
    wins(&[(South, "self_draw")], 0, "200 -120 -240 160", "Di Ann Bo Cy");
}

#[test]
fn east_stays_among_several_winners() {
    let mut evening = Evening::of("mmm");
    let winners =
        vec![evening.winner(East, "discard W", CHOWS), evening.winner(South, "discard W", CHOWS)];
    evening.enter(Event::Deal(Deal { winners, ..Deal::default() })).unwrap();
    assert_eq!(evening.seats(), "Ann Bo Cy Di");
    // East's line is half as much again.
    assert_eq!(evening.totals(), "2030 2020 1950 2000");
}

#[test]
fn four_rounds_of_four_dealers() {
    let mut evening = Evening::of("mmm");
    let mut rounds = Vec::new();
    while evening.state().over.is_none() {
        // East wins once in every round and stays.
        if evening.state().place.dealer == 2 && rounds.last() != Some(&evening.state().place.round)
        {
            rounds.push(evening.state().place.round);
            win(&mut evening, East);
            assert_eq!(evening.state().place.dealer, 2);
        }
        evening.draw();
    }
    assert_eq!(rounds, [East, South, West, North]);
    assert_eq!(evening.state().history.len(), 20);
    assert_eq!(evening.state().over, Some(Over::Played));
}

#[test]
fn initial_points_are_the_rule_sets_unless_said() {
    assert_eq!(Evening::of("mmm").totals(), "2000 2000 2000 2000");
    assert_eq!(Evening::of("ims").totals(), "0 0 0 0");
    let said = Opened { initial: Some(Points::whole(500)), ..opened("mmm", 4) };
    assert_eq!(Evening::opened(said).totals(), "500 500 500 500");
}

#[test]
fn a_house_rule_file_changes_the_session() {
    let file = "extends = \"mmm\"\nid = \"house\"\n[session]\nrounds = 1\ninitial_points = 100\n";
    let house = Opened { rule_file: Some(file.to_owned()), ..opened("house", 4) };
    let mut evening = Evening::opened(house);
    assert_eq!(evening.totals(), "100 100 100 100");
    // Missing keys keep their defaults: a draw passes the deal.
    (0..4).for_each(|_| evening.draw());
    assert_eq!(evening.state().over, Some(Over::Played));
}

#[test]
fn a_rule_file_that_makes_no_session_is_refused_with_its_line() {
    for (session, problem) in [
        ("rounds = 0", "must be 1 to 1000"),
        ("deal_passes = []", "the deal would never pass"),
        ("deal_passes = [\"always\"]", "unknown variant `always`"),
        ("seat_changes = [{ E = \"S\", S = \"S\", W = \"N\", N = \"W\" }]", "different seats"),
        ("initial_points = 9000000", "more than a million"),
        ("dealers = 3", "unknown field `dealers`"),
    ] {
        let file = format!("extends = \"mmm\"\nid = \"house\"\n[session]\n{session}\n");
        let error = tilelens::rules::RuleSet::parse(&file).unwrap_err().to_string();
        assert!(error.contains(problem) && error.contains("line 4"), "{session}: {error}");
    }
}

#[test]
fn a_ruling_may_change_the_session() {
    let file = "extends = \"mmm\"\nid = \"house\"\n[rulings.\"house.stay\"]\ndefault = \"no\"\n\
        [rulings.\"house.stay\".choices.no]\n[rulings.\"house.stay\".choices.yes.session]\n\
        deal_passes = [\"other_wins\"]\n";
    for (choice, seats) in [("no", "Bo Cy Di Ann"), ("yes", "Ann Bo Cy Di")] {
        let mut evening = Evening::opened(Opened {
            rule_file: Some(file.to_owned()),
            rulings: vec![("house.stay".to_owned(), choice.to_owned())],
            ..opened("house", 4)
        });
        evening.draw();
        assert_eq!(evening.seats(), seats, "{choice}");
    }
}

#[test]
fn a_tile_that_was_out_cannot_be_won_on() {
    for rules in ["mmm", "mmm-dk"] {
        for (how, was) in [("own", TileWas::Own), ("passed", TileWas::Passed)] {
            let mut evening = Evening::of(rules);
            let error = evening.try_win(West, &format!("discard S {how}"), CHOWS).unwrap_err();
            assert!(matches!(error, TableError::Forbidden { was: why, .. } if why == was));
            evening.win(West, "self_draw", CHOWS);
        }
        let mut evening = Evening::of(rules);
        let error = evening.try_win(West, "discard S unasked", CHOWS).unwrap_err();
        assert!(matches!(error, TableError::Ask { .. }), "asked, not assumed: {error}");
        assert!(error.to_string().contains("has Cy discarded a 4s himself"), "{error}");
    }
    for rules in ["ims", "hkos"] {
        Evening::of(rules).win(West, "discard S unasked", CHOWS);
    }
}

#[test]
fn discards_that_were_entered_answer_the_question() {
    let discard = |evening: &mut Evening, player: usize, tile: &str| {
        evening.enter(Event::Discarded { player, tile: tile.to_owned() }).unwrap();
    };
    let mut evening = Evening::of("mmm");
    for (player, tile) in [(0, "1z"), (1, "4s"), (2, "9m"), (3, "2z"), (0, "3z"), (1, "4s")] {
        discard(&mut evening, player, tile);
    }
    // South's first 4s went by before West's last turn.
    evening.win(West, "discard S unasked", CHOWS);
    // The next deal knows nothing of these.
    let error = evening.try_win(West, "discard S unasked", CHOWS).unwrap_err();
    assert!(matches!(error, TableError::Ask { .. }));

    let mut evening = Evening::of("mmm");
    for (player, tile) in [(0, "4s"), (1, "4s")] {
        discard(&mut evening, player, tile);
    }
    let error = evening.try_win(West, "discard S unasked", CHOWS).unwrap_err();
    assert!(matches!(error, TableError::Forbidden { was: TileWas::Passed, .. }), "{error}");
    // The answer must fit the entered discards.
    let error = evening.try_win(West, "discard S", CHOWS).unwrap_err();
    assert!(matches!(error, TableError::Contradicted { .. }), "{error}");
}

#[test]
fn rows_seen_by_a_camera_answer_too() {
    let rows = |rows: [&str; 4], claimed: [&str; 4]| Event::DiscardRows {
        rows: rows.map(str::to_owned).into(),
        claimed: claimed.map(str::to_owned).into(),
    };
    let mut evening = Evening::of("chumchu");
    evening.enter(rows(["1z9m", "5p", "3z0s", "2z"], ["", "", "0p", "7z"])).unwrap();
    // West's own red 5p is claimed in another's set and still counts: safe, 3 from each.
    evening.win(West, "discard S unasked", "123m456m789p34p22m +5p");
    assert_eq!(evening.totals(), "-3 -3 9 -3");
    assert!(evening.enter(rows(["x", "", "", ""], ["", "", "", ""])).is_err());
}

#[test]
fn penalties_grow_and_leave_the_tables_score_alone() {
    let mut sitting = opened("chumchu", 4);
    sitting.players[1].penalties_before = 1;
    let mut evening = Evening::opened(sitting);
    let penalty = |player: usize, cause: &str| {
        Event::Penalty(Penalty { player, cause: Some(cause.to_owned()), ..Penalty::default() })
    };
    evening.enter(penalty(0, "comment")).unwrap();
    evening.enter(penalty(0, "language")).unwrap();
    evening.enter(penalty(1, "error")).unwrap();
    let points =
        |evening: &Evening, player: usize| evening.state().players[player].standing.to_string();
    assert_eq!(points(&evening, 0), "-30", "10 and 20");
    assert_eq!(points(&evening, 1), "-20", "the second of the tournament");
    assert_eq!(evening.totals(), "0 0 0 0");
    // The first is taken back: the second is the first now.
    evening.enter(Event::Undone { event: 2 }).unwrap();
    assert_eq!(points(&evening, 0), "-10");
    let ranks: Vec<Option<u32>> = evening.state().players.iter().map(|p| p.rank).collect();
    assert_eq!(ranks, [Some(3), Some(4), Some(1), Some(1)], "level players share the rank");
    let error = evening.enter(penalty(0, "sneezing")).unwrap_err();
    assert!(error.to_string().contains("knocked_over_four"), "{error}");
}

#[test]
fn rule_sets_without_penalties_and_dead_hands_say_so() {
    let mut evening = Evening::of("mmm");
    let none = Penalty { player: 0, ..Penalty::default() };
    let error = evening.enter(Event::Penalty(none.clone())).unwrap_err();
    assert!(matches!(error, TableError::Cost { .. }), "{error}");
    evening.enter(Event::Penalty(Penalty { points: Some(25), ..none })).unwrap();
    assert_eq!(evening.state().players[0].standing.to_string(), "1975");
    let fault = PlayerFault { player: 0, cause: None, note: "too many tiles".to_owned() };
    assert!(evening.enter(Event::DeadHand(fault)).is_err());
}

/// The causes listed by the source (chumchu, Rules and penalties), each accepted by its id; and nothing else.
#[test]
fn each_cause_of_the_source_is_accepted() {
    let dead =
        ["wrong_place", "too_many_tiles", "no_tile_taken", "wrong_claim", "revealed_four", "error"];
    for cause in dead {
        let mut evening = Evening::of("chumchu");
        let fault = PlayerFault { player: 2, cause: Some(cause.to_owned()), note: String::new() };
        evening.enter(Event::DeadHand(fault)).unwrap_or_else(|error| panic!("{cause}: {error}"));
        let error = evening.enter(paid(&evening, West)).unwrap_err();
        assert!(matches!(error, TableError::Barred { .. }), "{cause}: {error}");
        assert!(error.to_string().contains(&cause.replace('_', " ")), "{error}");
        // The others play on, and the next deal is a new one.
        win(&mut evening, East);
        let seat = evening.state().players[2].seat;
        win(&mut evening, seat);
    }
    for cause in ["late", "tile_taken", "wrong_tiles", "taken_back"] {
        let mut evening = Evening::of("chumchu");
        let fault = PlayerFault { player: 2, cause: Some(cause.to_owned()), note: String::new() };
        evening.enter(Event::VoidClaim(fault)).unwrap_or_else(|error| panic!("{cause}: {error}"));
        win(&mut evening, West);
    }
    for (cause, cost) in [
        ("error", "-10"),
        ("knocked_over", "-10"),
        ("knocked_over_four", "-30"),
        ("language", "-10"),
        ("comment", "-10"),
        ("slow_play", "-10"),
        ("suspicion", "-10"),
    ] {
        let mut evening = Evening::of("chumchu");
        let penalty = Penalty { player: 1, cause: Some(cause.to_owned()), ..Penalty::default() };
        evening.enter(Event::Penalty(penalty)).unwrap_or_else(|error| panic!("{cause}: {error}"));
        assert_eq!(evening.state().players[1].standing.to_string(), cost, "{cause}");
    }
    let mut evening = Evening::of("chumchu");
    for cause in ["sneezing", "late", "language", ""] {
        let fault = PlayerFault { player: 2, cause: Some(cause.to_owned()), note: String::new() };
        let error = evening.enter(Event::DeadHand(fault)).unwrap_err();
        assert!(dead.iter().all(|known| error.to_string().contains(known)), "{cause}: {error}");
    }
}

#[test]
fn void_claims_are_noted_and_change_nothing() {
    let mut evening = Evening::of("chumchu");
    let before = evening.state().clone();
    let fault = PlayerFault { player: 2, cause: Some("late".to_owned()), note: String::new() };
    evening.enter(Event::VoidClaim(fault)).unwrap();
    assert_eq!(evening.state().players, before.players);
    let fault = PlayerFault { player: 2, cause: Some("shouting".to_owned()), note: String::new() };
    assert!(evening.enter(Event::VoidClaim(fault)).is_err());
}

#[test]
fn a_disqualified_player_has_no_rank_and_cannot_win() {
    let mut evening = Evening::of("chumchu");
    win(&mut evening, East);
    let fault = PlayerFault { player: 0, cause: None, note: "cheating".to_owned() };
    evening.enter(Event::Disqualified(fault)).unwrap();
    assert_eq!(evening.state().players[0].rank, None);
    let ranks: Vec<Option<u32>> = evening.state().players[1..].iter().map(|p| p.rank).collect();
    assert_eq!(ranks, [Some(1), Some(1), Some(1)]);
    // Ann sits North now.
    let event = paid(&evening, North);
    assert!(matches!(evening.enter(event), Err(TableError::Barred { .. })));
}

#[test]
fn three_players_keep_three_winds_and_claim_no_chow() {
    let mut evening = Evening::opened(opened("chumchu", 3));
    assert_eq!(evening.state().tiles_aside, 13);
    // C3 is worth 8: 16 from the discarder, nothing from the other.
    evening.win(South, "discard W", "123m234p34s234m33p +5s");
    assert_eq!(evening.totals(), "0 16 -16");
    assert_eq!(evening.seats(), "Bo Cy Ann");
    let chow = "67s22p (2'34m) (5'67m) (3'45p) +8s";
    let error = evening.try_win(South, "discard W", chow).unwrap_err();
    assert!(error.to_string().contains("chow"), "{error}");
    // Everybody deals four times.
    while evening.state().over.is_none() {
        evening.draw();
    }
    assert_eq!(evening.state().history.len(), 12);
    let four_only = Table::new(1).complete(Event::Opened(opened("mmm", 3)), evening.now);
    assert!(matches!(four_only, Err(TableError::Players { .. })));
    // Nor does a log say otherwise.
    let mut table = Table::new(1);
    let pushed = table.push(tilelens::table::Recorded {
        seq: 1,
        at: evening.now,
        author: String::new(),
        event: Event::Opened(opened("mmm", 3)),
    });
    assert!(matches!(pushed, Err(TableError::Players { .. })));
}

#[test]
fn the_deal_being_played_is_finished_when_the_clock_runs_out() {
    let mut evening = Evening::of("chumchu");
    evening.enter(Event::ClockStarted { minutes: None, started: None }).unwrap();
    evening.draw();
    evening.now += SignedDuration::from_mins(120);
    assert!(evening.state().time_is_up(evening.now));
    assert!(evening.state().over.is_none());
    win(&mut evening, East);
    assert_eq!(evening.state().over, Some(Over::Time));
    assert!(matches!(evening.enter(Event::DRAW), Err(TableError::Over { .. })));
    // A penalty may still be given.
    evening.enter(Event::Penalty(Penalty::default())).unwrap();
    // Taken back, the deal may be entered as it was.
    let deal = evening.state().last_deal().unwrap().event;
    evening.enter(Event::Undone { event: deal }).unwrap();
    assert!(evening.state().over.is_none());
    let mut evening = Evening::of("mmm");
    assert!(
        evening.enter(Event::ClockStarted { minutes: None, started: None }).is_err(),
        "mmm has no clock"
    );
    evening.enter(Event::ClockStarted { minutes: Some(60), started: None }).unwrap();
}

#[test]
fn what_a_house_allows_after_the_clock() {
    let evening = |after: &str| {
        let file =
            format!("extends = \"chumchu\"\nid = \"house\"\n[session]\nafter_time = \"{after}\"\n");
        let mut evening = Evening::opened(Opened { rule_file: Some(file), ..opened("house", 4) });
        evening.enter(Event::ClockStarted { minutes: None, started: None }).unwrap();
        evening.draw();
        evening.now += SignedDuration::from_mins(120);
        evening
    };
    let mut round = evening("finish_round");
    for _ in 0..3 {
        assert!(round.state().over.is_none());
        round.draw();
    }
    assert_eq!(round.state().over, Some(Over::Time), "four deals are a round");
    let mut stopped = evening("stop");
    assert_eq!(stopped.enter(Event::DRAW), Err(TableError::Time));
    stopped.enter(Event::Ended { why: "time".to_owned() }).unwrap();
}

#[test]
fn who_fed_the_last_set_may_be_said() {
    // The marks do not show who gave the third dragon set: South's hand, fed by West.
    let hand = "23m55p (555z) (666z) (777z) +4m";
    let mut evening = Evening::of("mmm-dk");
    let winner = Winner { pao: Some(2), ..evening.winner(South, "discard E", hand) };
    evening.enter(Event::Deal(Deal { winners: vec![winner], ..Deal::default() })).unwrap();
    assert_eq!(evening.totals(), "0 600 -600 0");
    // Whom it was moves with his seat: West of the second deal is Di.
    let winner = Winner { pao: Some(3), ..evening.winner(South, "self_draw", hand) };
    evening.enter(Event::Deal(Deal { winners: vec![winner], ..Deal::default() })).unwrap();
    assert_eq!(evening.totals(), "0 600 0 -600");
}

#[test]
fn names_and_clock_of_a_tournaments_table_are_not_undone_in_passing() {
    for (sitting, last) in [(None, Some(3)), (Some(Sitting { round: 1, table: 1 }), None)] {
        let sitting = Opened { sitting, ..opened("chumchu", 4) };
        let mut evening = Evening::opened(sitting.clone());
        let seq = |evening: &Evening| evening.table.last_to_undo().map(|recorded| recorded.seq);
        assert_eq!(seq(&evening), None);
        evening.enter(Event::ClockStarted { minutes: None, started: None }).unwrap();
        let mut named = sitting;
        named.players[3] = Seated::named("Rita");
        evening.enter(Event::Corrected { event: 1, with: Box::new(Event::Opened(named)) }).unwrap();
        assert_eq!(seq(&evening), last);
        evening.draw();
        assert_eq!(seq(&evening), Some(4));
        evening.enter(Event::Undone { event: 4 }).unwrap();
        assert_eq!(seq(&evening), last);
    }
}

#[test]
fn an_undone_undo_brings_back_what_it_took() {
    let mut evening = Evening::of("mmm");
    evening.win(West, "self_draw", CHOWS);
    let after = evening.totals();
    evening.enter(Event::Undone { event: 2 }).unwrap();
    assert_eq!(evening.totals(), "2000 2000 2000 2000");
    assert_eq!(evening.seats(), "Ann Bo Cy Di");
    assert!(matches!(evening.enter(Event::Undone { event: 2 }), Err(TableError::NoEvent(2))));
    evening.enter(Event::Undone { event: 3 }).unwrap();
    assert_eq!(evening.totals(), after);
    assert!(matches!(evening.enter(Event::Undone { event: 1 }), Err(TableError::NoEvent(1))));
    assert!(matches!(evening.enter(Event::Undone { event: 99 }), Err(TableError::NoEvent(99))));
}

#[test]
fn a_corrected_deal_moves_all_later_winds_and_totals() {
    // As it was entered: South wins, the deal passes; then Bo, East, wins only chows for 30.
    let mut evening = Evening::of("mmm");
    win(&mut evening, South);
    evening.win(East, "discard W", CHOWS);
    assert_eq!(evening.seats(), "Bo Cy Di Ann");
    assert_eq!(evening.totals(), "1999 2033 1999 1969");
    // As it was: East had won, so that Bo sat South in the second deal and got 20.
    let mut right = Evening::of("mmm");
    let first = paid(&right, East);
    right.enter(first.clone()).unwrap();
    right.win(South, "discard N", CHOWS);
    evening.enter(Event::Corrected { event: 2, with: Box::new(first) }).unwrap();
    assert_eq!(evening.totals(), right.totals());
    assert_eq!(evening.seats(), right.seats());
    assert_eq!(evening.totals(), "2003 2019 1999 1979");
    assert_eq!(evening.state().history[0].corrected_by, Some(4));
    // The correction taken back: as before.
    evening.enter(Event::Undone { event: 4 }).unwrap();
    assert_eq!(evening.totals(), "1999 2033 1999 1969");
}

#[test]
fn a_hand_that_a_correction_leaves_worthless_is_reported() {
    // Di, North, wins with a pung of his own wind alone.
    let wind = "444z123m456p78s22p +9s";
    let mut evening = Evening::of("mmm");
    evening.draw();
    // Di sits West in the second deal.
    let west = "333z123m456p78s22p +9s";
    assert!(evening.try_win(West, "self_draw", wind).is_ok());
    evening.enter(Event::Undone { event: 3 }).unwrap();
    evening.win(West, "discard E", west);
    let before = evening.totals();
    // The draw was not one: East had won, so Di sat North, and 333z was worth nothing.
    let first = {
        let fresh = Evening::of("mmm");
        paid(&fresh, East)
    };
    evening.enter(Event::Corrected { event: 2, with: Box::new(first) }).unwrap();
    let problems = &evening.state().problems;
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(problems[0].what.contains("Di's hand would not win"), "{problems:?}");
    assert_ne!(evening.totals(), before);
}

#[test]
fn corrections_stay_within_their_kind() {
    let mut evening = Evening::of("mmm");
    evening.draw();
    let other_kind =
        Event::Corrected { event: 2, with: Box::new(Event::Ended { why: String::new() }) };
    assert!(matches!(evening.enter(other_kind), Err(TableError::OtherKind { .. })));
    let mut rules = opened("ims", 4);
    let with = Box::new(Event::Opened(rules.clone()));
    let error = evening.enter(Event::Corrected { event: 1, with }).unwrap_err();
    assert_eq!(error, TableError::RulesChanged);
    rules.rules = "mmm".to_owned();
    rules.players[1].name = "Bob".into();
    let with = Box::new(Event::Opened(rules));
    evening.enter(Event::Corrected { event: 1, with }).unwrap();
    assert_eq!(evening.state().players[1].name, "Bob");
    assert_eq!(evening.totals(), "2000 2000 2000 2000");
}

#[test]
fn a_replay_to_any_moment_is_the_table_of_then() {
    let mut evening = Evening::of("mmm-dk");
    let mut states = vec![evening.state().clone()];
    for deal in 0..6 {
        if deal % 2 == 0 {
            evening.win(South, "self_draw", CHOWS)
        } else {
            evening.draw()
        }
        states.push(evening.state().clone());
    }
    evening.enter(Event::Undone { event: 3 }).unwrap();
    for (event, state) in states.iter().enumerate() {
        assert_eq!(evening.table.after(event as u64 + 1).unwrap().state().unwrap(), state);
        let time = evening.table.events()[event].at;
        assert_eq!(evening.table.at(time).unwrap().state().unwrap(), state);
    }
}

#[test]
fn what_cannot_be_a_deal_is_refused() {
    let mut evening = Evening::of("mmm");
    let mut refused = |deal: Deal| evening.enter(Event::Deal(deal)).unwrap_err();
    let one = Winner { player: 1, win: WinBy::SelfDraw, ..Winner::default() };
    let pay =
        |points: [i64; 4]| Some(points.map(|p| p.to_string().parse::<Points>().unwrap()).to_vec());
    let deal = |winners: Vec<Winner>, payments: Option<Vec<Points>>| Deal {
        winners,
        payments,
        ..Deal::default()
    };
    let error = refused(deal(vec![one.clone()], pay([1, 2, 3, 4])));
    assert!(error.to_string().contains("add up to 10"), "{error}");
    assert!(matches!(refused(deal(vec![], pay([0; 4]))), TableError::Shape(_)));
    assert!(matches!(refused(deal(vec![one.clone()], None)), TableError::Shape(_)));
    let stranger = Winner { player: 7, ..one.clone() };
    assert!(matches!(
        refused(deal(vec![stranger], pay([0; 4]))),
        TableError::NoPlayer { player: 7, .. }
    ));
    let two = vec![one.clone(), Winner { player: 2, ..one.clone() }];
    assert!(matches!(refused(deal(two, pay([0; 4]))), TableError::Winners(_)));
    let hand = Some(CHOWS.to_owned());
    let from_himself = Winner { win: WinBy::Discard, from: Some(1), hand, ..one.clone() };
    assert_eq!(refused(deal(vec![from_himself.clone()], None)), TableError::FromSelf);
    let from_nobody = Winner { from: None, ..from_himself.clone() };
    assert_eq!(refused(deal(vec![from_nobody], None)), TableError::NoGiver);
    let both = Winner { win: WinBy::SelfDraw, from: None, ..from_himself };
    assert_eq!(refused(deal(vec![both], pay([0; 4]))), TableError::HandsAndPayments);
    assert_eq!(evening.table.events().len(), 1, "nothing was written");
}

#[test]
fn a_deal_written_down_late_counts_as_of_when_it_was_played() {
    let mut evening = Evening::of("chumchu");
    let start = evening.now;
    evening.enter(Event::ClockStarted { minutes: None, started: None }).unwrap();
    let twice = evening.enter(Event::ClockStarted { minutes: Some(5), started: None });
    assert_eq!(twice, Err(TableError::ClockRuns { started: start }));
    evening.now = start + jiff::SignedDuration::from_mins(130);
    let at = |minute| Some(start + jiff::SignedDuration::from_mins(minute));
    let drawn = |rolled| Event::Draw(Draw { rolled, ..Draw::default() });
    evening.enter(drawn(at(100))).unwrap();
    assert!(matches!(evening.enter(drawn(at(99))), Err(TableError::NotThen { last: Some(_), .. })));
    assert!(matches!(evening.enter(drawn(at(500))), Err(TableError::NotThen { .. })));
    // Rolled in the last minute: it is finished, and another could have been begun in time.
    evening.enter(drawn(at(114))).unwrap();
    assert_eq!(evening.state().over, None);
    assert_eq!(evening.state().history[1].at, at(114).unwrap());
    // Corrected, it is still of then.
    let with = Box::new(drawn(None));
    let event = evening.state().history[1].event;
    evening.enter(Event::Corrected { event, with }).unwrap();
    assert_eq!((evening.state().history[1].at, &evening.state().over), (at(114).unwrap(), &None));
    // Rolled when it had run out: none is started then.
    let late = evening.enter(drawn(at(115)));
    assert!(matches!(late, Err(TableError::NotStarted { .. })), "{late:?}");
    // Nobody says when: it was just played, and is the last.
    evening.draw();
    assert_eq!(evening.state().over, Some(Over::Time));
}

#[test]
fn a_clock_that_was_undone_can_be_started_again() {
    let mut evening = Evening::of("chumchu");
    evening.enter(Event::ClockStarted { minutes: None, started: None }).unwrap();
    evening.enter(Event::Undone { event: 2 }).unwrap();
    let started = Some(evening.now - jiff::SignedDuration::from_mins(1));
    evening.enter(Event::ClockStarted { minutes: None, started }).unwrap();
    assert_eq!(evening.state().clock.map(|clock| clock.started), started);
}

#[test]
fn payments_that_cannot_be_are_refused() {
    let mut evening = Evening::of("chumchu");
    let winner =
        |player| Winner { player, win: WinBy::Discard, from: Some(3), ..Winner::default() };
    let deal = |winners: &[usize], payments: [i32; 4]| {
        Event::Deal(Deal {
            winners: winners.iter().map(|player| winner(*player)).collect(),
            payments: Some(payments.map(Points::whole).to_vec()),
            ..Deal::default()
        })
    };
    for (payments, pays) in [([-4, 4, 0, 0], true), ([8, 1, -4, -5], false)] {
        match evening.enter(deal(&[0], payments)) {
            Err(TableError::WinnerPays { name, .. }) => assert!(pays && name == "Ann"),
            Err(TableError::Receives { name, .. }) => assert!(!pays && name == "Bo"),
            other => panic!("{other:?}"),
        }
    }
    // Two winners pay each other: the cheaper one may pay in all.
    evening.enter(deal(&[0, 1], [18, -2, -6, -10])).unwrap();
    evening.enter(deal(&[2], [0, 0, 0, 0])).unwrap();
}

#[test]
fn a_minimum_of_ones_own_needs_a_handicap() {
    let mut sitting = opened("mmm", 4);
    sitting.players[3].new_player_wins = Some(0);
    let refused = Table::new(1).complete(Event::Opened(sitting), jiff::Timestamp::UNIX_EPOCH);
    assert!(refused.unwrap_err().to_string().contains("minimum of a new player's own"));
}
