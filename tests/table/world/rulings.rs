//! Each ruling on the play between the hands, both ways, in both sets of riichi.

use tilelens::{
    cure::Cure,
    points::Points,
    rules::RuleSet,
    table::{Draw, Event, Opened, Over, TableError},
};

use super::riichi::{PINFU, SIMPLE, SIMPLE_TOO, abortive, chombo, draw, named, on_table, won};
use crate::support::session::{Evening, opened};

/// A table at which a ruling is decided so.
fn decided(rules: &str, ruling: &str, choice: &str) -> Evening {
    Evening::opened(Opened { rulings: vec![(ruling.into(), choice.into())], ..opened(rules, 4) })
}

fn both(ruling: &str, choice: &str, test: impl Fn(Evening)) {
    for rules in ["riichi", "riichi-ema"] {
        test(decided(rules, ruling, choice));
    }
}

#[test]
fn presets_choose_as_their_specification_says() {
    let chosen = |rules: &str, id: &str| {
        let rules = RuleSet::preset(rules).unwrap();
        rules.rulings().iter().find(|ruling| ruling.id == id).unwrap().chosen.clone()
    };
    for (id, ema, common) in [
        ("riichi.multiple_ron", "all", "all"),
        ("riichi.honba_multiple", "each", "first"),
        ("riichi.abortive_draws", "no", "yes"),
        ("riichi.nagashi_mangan", "no", "yes"),
        ("riichi.renchan", "tenpai", "tenpai"),
        ("riichi.last_hand_stop", "no", "yes"),
        ("riichi.bust", "no", "yes"),
        ("riichi.extension", "no", "west"),
        ("riichi.riichi_short_of_points", "allowed", "refused"),
        ("riichi.leftover_sticks", "first", "first"),
        ("riichi.chombo", "after_uma", "reverse_mangan"),
        ("riichi.pao_counters", "giver", "liable"),
    ] {
        assert_eq!(chosen("riichi-ema", id), ema, "{id}");
        assert_eq!(chosen("riichi", id), common, "{id}");
    }
    // Rulings on the play between the hands are not mentioned beside a hand's score.
    let rules = RuleSet::preset("riichi").unwrap();
    assert!(rules.session().kept && rules.session().most_winners == 3);
}

#[test]
fn several_winners() {
    let three = [("Bo", SIMPLE), ("Cy", SIMPLE_TOO), ("Di", SIMPLE)];
    both("riichi.multiple_ron", "all", |mut evening| {
        assert!(evening.enter(abortive("three_winners")).is_err());
        let event = won(&evening, &three, "discard Ann", "");
        evening.enter(event).unwrap();
    });
    both("riichi.multiple_ron", "two", |mut evening| {
        let event = won(&evening, &three, "discard Ann", "");
        let error = evening.enter(event).unwrap_err();
        assert!(matches!(error, TableError::TooManyWinners { most: 2, first: None, .. }));
        assert_eq!(error.cure(), Some(Cure::AbortiveDraw));
        evening.enter(abortive("three_winners")).unwrap();
        assert_eq!(on_table(&evening), "E1-1 0");
        let event = won(&evening, &three[..2], "discard Ann", "");
        evening.enter(event).unwrap();
    });
    both("riichi.multiple_ron", "head_bump", |mut evening| {
        // In turn after Cy: Di, Ann, Bo.
        let event = won(&evening, &[("Bo", SIMPLE), ("Di", SIMPLE_TOO)], "discard Cy", "");
        let error = evening.enter(event).unwrap_err();
        assert!(error.to_string().contains("that is Di"), "{error}");
        assert!(error.is_an_answer());
        let event = won(&evening, &[("Di", SIMPLE_TOO)], "discard Cy", "");
        evening.enter(event).unwrap();
    });
}

#[test]
fn counters_of_several_winners() {
    for (choice, cy, di) in [("each", "2300", "2300"), ("first", "2300", "2000")] {
        both("riichi.honba_multiple", choice, |mut evening| {
            evening.enter(draw("Ann Bo Cy Di", "")).unwrap();
            // Given by Bo; in the order in which they were typed it does not matter.
            let event = won(&evening, &[("Di", SIMPLE), ("Cy", SIMPLE_TOO)], "discard Bo", "");
            evening.enter(event).unwrap();
            let deal = evening.state().last_deal().unwrap();
            let paid = |name| deal.payments[named(name)].to_string();
            assert_eq!((paid("Cy").as_str(), paid("Di").as_str()), (cy, di), "{choice}");
        });
    }
}

#[test]
fn abortive_draws() {
    both("riichi.abortive_draws", "no", |mut evening| {
        let error = evening.enter(abortive("four_winds")).unwrap_err();
        assert!(matches!(error, TableError::Unknown { what: "abortive draws", .. }), "{error}");
    });
    both("riichi.abortive_draws", "yes", |mut evening| {
        for cause in ["nine_terminals", "four_winds", "four_kongs"] {
            evening.enter(abortive(cause)).unwrap();
        }
        let four = Draw {
            abortive: Some("four_riichi".to_owned()),
            riichi: vec![0, 1, 2, 3],
            ..Draw::default()
        };
        evening.enter(Event::Draw(four)).unwrap();
        assert_eq!(on_table(&evening), "E1-4 4", "East stays, and so do the sticks");
        // Of three winners another ruling says.
        assert!(matches!(evening.enter(abortive("three_winners")), Err(TableError::Cause { .. })));
    });
}

#[test]
fn discards_of_terminals_and_honors() {
    let event = |names: &[usize], tenpai: Vec<usize>| {
        let (nagashi, tenpai) = (names.to_vec(), Some(tenpai));
        Event::Draw(Draw { nagashi, tenpai, ..Draw::default() })
    };
    both("riichi.nagashi_mangan", "no", |mut evening| {
        assert!(matches!(evening.enter(event(&[1], vec![])), Err(TableError::Unknown { .. })));
    });
    both("riichi.nagashi_mangan", "yes", |mut evening| {
        let begin = evening.state().players[0].total;
        evening.enter(event(&[0, 1], vec![1])).unwrap();
        let won: Vec<String> =
            evening.state().players.iter().map(|it| (it.total - begin).to_string()).collect();
        // East's mangan, 4000 from each, and South's, 4000 from East and 2000 from the others; nothing
        // for tenpai.
        assert_eq!(won, ["8000", "4000", "-6000", "-6000"]);
        assert_eq!(on_table(&evening), "E2-1 0", "East was not tenpai");
    });
}

#[test]
fn the_dealer_stays() {
    for (choice, after_tenpai) in [("tenpai", "E1-1 0"), ("win", "E2-1 0")] {
        both("riichi.renchan", choice, |mut evening| {
            evening.enter(draw("Ann", "")).unwrap();
            assert_eq!(on_table(&evening), after_tenpai, "{choice}");
        });
        both("riichi.renchan", choice, |mut evening| {
            let event = won(&evening, &[("Ann", PINFU)], "self_draw", "");
            evening.enter(event).unwrap();
            assert_eq!(on_table(&evening), "E1-1 0", "{choice}");
        });
        both("riichi.renchan", choice, |mut evening| {
            evening.enter(draw("Bo", "")).unwrap();
            assert_eq!(on_table(&evening), "E2-1 0", "{choice}");
        });
    }
}

/// Draws without tenpai up to the last dealer, who is Di.
fn to_the_last_deal(mut evening: Evening) -> Evening {
    while !on_table(&evening).starts_with("S4") {
        evening.enter(draw("", "")).unwrap();
    }
    evening
}

/// A table of `riichi` with some rulings decided otherwise.
fn with(rulings: &[(&str, &str)]) -> Evening {
    let rulings = rulings.iter().map(|(id, choice)| ((*id).into(), (*choice).into())).collect();
    Evening::opened(Opened { rulings, ..opened("riichi", 4) })
}

#[test]
fn a_leading_dealer_stops_after_the_last_deal() {
    for (choice, over) in [("yes", Some(Over::Leader)), ("no", None)] {
        let rulings = [("riichi.last_hand_stop", choice), ("riichi.extension", "no")];
        let mut evening = to_the_last_deal(with(&rulings));
        evening.enter(draw("Di", "")).unwrap();
        assert_eq!(evening.state().over, over, "{choice}: he leads with 28,000");
        // Near misses: level with another, or behind, or not the last dealer.
        let mut evening = to_the_last_deal(with(&rulings));
        evening.enter(draw("Ann Di", "")).unwrap();
        assert_eq!(evening.state().over, None, "level");
        let mut evening = with(&rulings);
        evening.enter(draw("Ann", "")).unwrap();
        assert_eq!(evening.state().over, None, "the first deal");
    }
    // While the target is played for, leading with less does not end it.
    let mut evening = to_the_last_deal(Evening::of("riichi"));
    evening.enter(draw("Di", "")).unwrap();
    assert_eq!(evening.state().over, None, "28,000 are no 30,000");
    evening.enter(draw("Di", "")).unwrap();
    assert_eq!(evening.state().over, Some(Over::Leader), "31,000 are");
}

#[test]
fn less_than_nothing_ends_the_game() {
    for (choice, over) in [("yes", Some(Over::Bust { player: 1 })), ("no", None)] {
        both("riichi.bust", choice, |evening| {
            // Bo alone is not tenpai, time and again.
            let mut evening = evening;
            let rules = evening.state().rules.clone();
            while evening.state().players[1].total > Points::ZERO {
                assert_eq!(evening.state().over, None);
                evening.enter(draw("Ann Cy Di", "")).unwrap();
            }
            // 3000 a draw: from 30,000 exactly nothing is left, which is not less.
            let exact = rules == "riichi-ema";
            assert_eq!(evening.state().players[1].total == Points::ZERO, exact);
            if exact {
                assert_eq!(evening.state().over, None, "nothing is not less than nothing");
                evening.enter(draw("Ann Cy Di", "")).unwrap();
            }
            assert_eq!(evening.state().over, over, "{choice}");
        });
    }
    // A chombo may do it, too.
    let mut evening = Evening::of("riichi");
    for _ in 0..3 {
        evening.enter(chombo("Bo")).unwrap();
        assert_eq!(evening.state().over, None);
    }
    evening.enter(chombo("Bo")).unwrap();
    assert_eq!(evening.state().over, Some(Over::Bust { player: 1 }));
}

#[test]
fn a_west_round_is_played_until_somebody_has_the_target() {
    let stop = ("riichi.last_hand_stop", "no");
    let mut evening = to_the_last_deal(with(&[("riichi.extension", "no"), stop]));
    evening.enter(draw("", "")).unwrap();
    assert_eq!(evening.state().over, Some(Over::Played));

    let mut evening = to_the_last_deal(with(&[("riichi.extension", "west"), stop]));
    evening.enter(draw("", "")).unwrap();
    assert_eq!(on_table(&evening), "W1-8 0");
    assert_eq!(evening.state().over, None, "nobody has 30,000");
    let (round, rounds) = (evening.state().rounds_played + 1, evening.state().rounds);
    assert_eq!((round, rounds), (3, 2));
    // 1000 and eight counters.
    let event = won(&evening, &[("Bo", PINFU)], "discard Cy", "");
    evening.enter(event).unwrap();
    assert_eq!(on_table(&evening), "W2-0 0");
    assert_eq!(evening.totals(), "25000 28400 21600 25000");
    // Bo, East, leads with 31,400 after it: over at once, though he would deal again.
    evening.enter(draw("Bo", "")).unwrap();
    assert_eq!(evening.state().over, Some(Over::Target));

    // Nobody ever: the west round is the last.
    let mut evening = to_the_last_deal(with(&[("riichi.extension", "west"), stop]));
    (0..4).for_each(|_| evening.enter(draw("", "")).unwrap());
    assert_eq!((on_table(&evening).as_str(), &evening.state().over), ("W4-11 0", &None));
    evening.enter(draw("", "")).unwrap();
    assert_eq!(evening.state().over, Some(Over::Target));

    // Somebody has it after South 4: no west round.
    let mut evening = with(&[("riichi.extension", "west"), stop]);
    (0..2).for_each(|_| evening.enter(draw("Ann", "")).unwrap());
    let mut evening = to_the_last_deal(evening);
    evening.enter(draw("", "")).unwrap();
    assert_eq!(evening.state().over, Some(Over::Played));
}

#[test]
fn riichi_with_less_than_a_stick() {
    let poor = |choice: &str| {
        let rulings = vec![
            ("riichi.riichi_short_of_points".to_owned(), choice.to_owned()),
            ("riichi.bust".to_owned(), "no".to_owned()),
        ];
        Evening::opened(Opened {
            rulings,
            initial: Some(Points::whole(900)),
            ..opened("riichi", 4)
        })
    };
    let mut evening = poor("refused");
    let error = evening.enter(draw("", "Bo")).unwrap_err();
    assert_eq!(error.to_string(), "Bo has 900 and cannot put down a stick of 1000");
    // A winner in riichi needs it, too; exactly 1000 are enough.
    let event = won(&evening, &[("Bo", SIMPLE)], "discard Ann", "Bo");
    assert!(matches!(evening.enter(event), Err(TableError::ShortOfPoints { .. })));
    let enough = Opened { initial: Some(Points::whole(1000)), ..opened("riichi", 4) };
    Evening::opened(enough).enter(draw("", "Bo")).unwrap();
    let mut evening = poor("allowed");
    evening.enter(draw("Ann Bo Cy Di", "Bo")).unwrap();
    assert_eq!(evening.totals(), "900 -100 900 900");
}

#[test]
fn sticks_that_are_left() {
    let left = |rules: &str, choice: &str| {
        let mut evening = to_the_last_deal(decided(rules, "riichi.leftover_sticks", choice));
        while evening.state().over.is_none() {
            let riichi = if on_table(&evening).starts_with("S4") { "Ann Bo" } else { "" };
            evening.enter(draw("", riichi)).unwrap();
        }
        (evening.totals(), evening.state().place.sticks)
    };
    // Ann and Bo are level: by the European rules they share, else Ann is first, who began as East.
    assert_eq!(left("riichi-ema", "first"), ("31500 31500 28500 28500".to_owned(), Some(0)));
    assert_eq!(left("riichi-ema", "lost"), ("30500 30500 28500 28500".to_owned(), Some(2)));
    assert_eq!(left("riichi", "first"), ("27500 25500 23500 23500".to_owned(), Some(0)));
    assert_eq!(left("riichi", "lost"), ("25500 25500 23500 23500".to_owned(), Some(2)));
}

#[test]
fn what_a_chombo_costs() {
    both("riichi.chombo", "after_uma", |mut evening| {
        let before = evening.totals();
        evening.enter(chombo("Bo")).unwrap();
        assert_eq!((evening.totals(), on_table(&evening)), (before, "E1-0 0".to_owned()));
        let standing = |evening: &Evening| {
            let player = &evening.state().players[1];
            (player.total - player.standing, player.rank)
        };
        assert_eq!(standing(&evening), (Points::whole(20_000), Some(4)));
        assert_eq!(evening.state().penalties[0].points, Some(20_000));
        evening.enter(Event::Undone { event: 2 }).unwrap();
        assert_eq!(standing(&evening), (Points::ZERO, Some(1)));
    });
    both("riichi.chombo", "reverse_mangan", |mut evening| {
        let begin = evening.state().players[0].total;
        let change = |evening: &Evening| -> Vec<String> {
            evening.state().players.iter().map(|it| (it.total - begin).to_string()).collect()
        };
        evening.enter(chombo("Bo")).unwrap();
        assert_eq!(change(&evening), ["4000", "-8000", "2000", "2000"]);
        evening.enter(chombo("Ann")).unwrap();
        assert_eq!(change(&evening), ["-8000", "-4000", "6000", "6000"]);
        assert!(evening.state().penalties.is_empty());
    });
}

/// A club that plays `mmm` could not enter a false win that pays everybody.
#[test]
fn a_house_file_may_have_a_chombo() {
    let file =
        "extends = \"mmm\"\nid = \"house\"\n[session]\nchombo = { score = 100, standings = 7 }\n";
    let house = Opened { rule_file: Some(file.to_owned()), ..opened("house", 4) };
    let mut evening = Evening::opened(house);
    // The payments of a self-drawn hand of 100, the wrong way round.
    let none = tilelens::table::Chombo { player: 0, ..Default::default() };
    evening.enter(Event::Chombo(none)).unwrap();
    assert_eq!(evening.totals(), "1850 2050 2050 2050");
    assert_eq!(evening.seats(), "Ann Bo Cy Di", "the deal is played again");
    assert_eq!(evening.state().players[0].standing, Points::whole(1843));
    // Near miss: causes are those of the file.
    let error = evening.enter(chombo("Bo")).unwrap_err();
    assert!(error.to_string().contains("it has none"), "{error}");
}

#[test]
fn choices_that_make_no_session_are_refused() {
    // A ruling's choice overrides a file's value of the same key: `mmm` has no such ruling.
    for (session, problem) in [
        ("most_winners = 0", "must be 1 to 3"),
        ("placement = { uma = [1, 0, 0, 0] }", "zero together"),
        ("placement = { uma = [-1, 0, 0, 1] }", "falling"),
        ("placement = { return_points = 1999 }", "less than initial_points"),
        ("counters = { after = [\"always\"] }", "unknown variant `always`"),
        ("draw = { nagashi = 60000 }", "more than 50000"),
        ("penalties = { causes = { late = { points = 5 } } }", "without `about`"),
    ] {
        let file = format!("extends = \"mmm\"\nid = \"house\"\n[session]\n{session}\n");
        let error = RuleSet::parse(&file).unwrap_err().to_string();
        assert!(error.contains(problem) && error.contains("line 4"), "{session}: {error}");
    }
    let extended = "extends = \"mmm\"\nid = \"house\"\n[session]\nend = { extension = 1 }\n";
    let error = RuleSet::parse(extended).err().map(|error| error.to_string());
    assert!(error.is_some_and(|error| error.contains("needs `placement`")));
    let ranked = "extends = \"mmm\"\nid = \"house\"\n[tournament]\nranking = [\"table_points\"]\n";
    assert!(RuleSet::parse(ranked).unwrap_err().to_string().contains("there are none"));
}
