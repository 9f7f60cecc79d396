//! A session of sixteen deals under the Mahjong Competition Rules, worked by hand.

use tilelens::{
    points::Points,
    table::{Deal, Event, Opened, Over, Penalty, TableError},
};

use super::riichi::{named, won};
use crate::support::session::{Evening, opened};

/// Pure straight 16, all chows 2, one voided suit 1; concealed hand 2 or, self-drawn, fully concealed 4.
const STRAIGHT: &str = "12345678m234p55p +9m";

fn penalty(name: &str, cause: &str, points: Option<u32>) -> Event {
    let (player, cause) = (named(name), (!cause.is_empty()).then(|| cause.to_owned()));
    Event::Penalty(Penalty { player, cause, points, note: String::new() })
}

#[test]
fn sixteen_deals_with_seat_changes_a_false_win_and_shared_places() {
    let mut evening = Evening::of("mcr");
    let sheet = |evening: &mut Evening, from: u32, line: Option<(&str, &str)>, totals: &str| {
        assert_eq!(evening.state().place.number, from);
        let event = match line {
            Some((name, how)) => won(evening, &[(name, STRAIGHT)], how, ""),
            None => Event::DRAW,
        };
        evening.enter(event).unwrap();
        assert_eq!(evening.totals(), totals, "deal {from}");
    };
    assert_eq!(evening.seats(), "Ann Bo Cy Di");
    // 23, and 8 from each: 31 from each.
    sheet(&mut evening, 1, Some(("Ann", "self_draw")), "93 -31 -31 -31");
    // 21: 29 from Cy, 8 from each other. The deal passes whoever wins.
    sheet(&mut evening, 2, Some(("Bo", "discard Cy")), "85 14 -60 -39");
    sheet(&mut evening, 3, None, "85 14 -60 -39");
    sheet(&mut evening, 4, Some(("Di", "discard Ann")), "56 6 -68 6");
    // East and South, West and North have changed.
    assert_eq!(evening.seats(), "Bo Ann Di Cy");
    // Cy shows a hand worth too little: 20 off his own score, given to nobody; his hand is dead.
    evening.enter(penalty("Cy", "false_win", None)).unwrap();
    assert_eq!(evening.totals(), "56 6 -88 6");
    assert!(evening.state().players[2].dead_hand.is_some());
    let event = won(&evening, &[("Cy", STRAIGHT)], "self_draw", "");
    assert!(matches!(evening.enter(event), Err(TableError::Barred { .. })));
    sheet(&mut evening, 5, Some(("Bo", "self_draw")), "25 99 -119 -25");
    assert!(evening.state().players[2].dead_hand.is_none(), "for that deal alone");
    sheet(&mut evening, 6, None, "25 99 -119 -25");
    sheet(&mut evening, 7, None, "25 99 -119 -25");
    sheet(&mut evening, 8, Some(("Cy", "discard Di")), "17 91 -74 -54");
    assert_eq!(evening.seats(), "Cy Di Bo Ann");
    sheet(&mut evening, 9, None, "17 91 -74 -54");
    sheet(&mut evening, 10, None, "17 91 -74 -54");
    sheet(&mut evening, 11, Some(("Ann", "discard Bo")), "62 62 -82 -62");
    sheet(&mut evening, 12, None, "62 62 -82 -62");
    assert_eq!(evening.seats(), "Di Cy Ann Bo");
    for deal in 13..=16 {
        assert_eq!(evening.state().over, None);
        sheet(&mut evening, deal, None, "62 62 -82 -62");
    }
    let state = evening.state();
    assert_eq!(state.over, Some(Over::Played));
    let placed: Vec<String> =
        (state.players.iter()).map(|it| it.placed.unwrap().table_points.unwrap().mixed()).collect();
    // The first two share 4 and 2.
    assert_eq!(placed, ["3", "3", "0", "1"]);
    assert!(state.players.iter().all(|player| player.placed.unwrap().bonus.is_none()));
    let ranks: Vec<Option<u32>> = state.players.iter().map(|player| player.rank).collect();
    assert_eq!(ranks, [1, 1, 4, 3].map(Some));
    assert_eq!((state.place.honba, state.place.sticks, state.repeat), (None, None, None));
}

#[test]
fn one_wins_and_a_hand_needs_eight() {
    let mut evening = Evening::of("mcr");
    let two = [("Bo", STRAIGHT), ("Di", STRAIGHT)];
    let event = won(&evening, &two, "discard Cy", "");
    let error = evening.enter(event).unwrap_err();
    assert!(error.to_string().contains("that is Di"), "the next after Cy: {error}");
    let cheap = "123567m34p678s99s +5p";
    let event = won(&evening, &[("Bo", cheap)], "discard Cy", "");
    assert!(matches!(evening.enter(event), Err(TableError::NoWin(_))));
    assert_eq!(evening.totals(), "0 0 0 0");
}

#[test]
fn penalties_cost_what_their_cause_or_the_referee_says() {
    let mut evening = Evening::of("mcr");
    evening.enter(penalty("Ann", "warning", None)).unwrap();
    evening.enter(penalty("Ann", "winning_tile", None)).unwrap();
    evening.enter(penalty("Bo", "grave_fault", Some(40))).unwrap();
    evening.enter(penalty("Cy", "", Some(5))).unwrap();
    assert_eq!(evening.totals(), "-10 -40 -5 0");
    // Costs that the rules lack have to be given.
    for cause in ["grave_fault", "late", ""] {
        let error = evening.enter(penalty("Di", cause, None)).unwrap_err();
        assert!(matches!(error, TableError::Cost { .. }), "{cause}: {error}");
    }
    assert!(matches!(evening.enter(penalty("Di", "comment", None)), Err(TableError::Cause { .. })));
    // They are the same fault the second time: no cost rises.
    evening.enter(penalty("Ann", "winning_tile", None)).unwrap();
    assert_eq!(evening.totals(), "-20 -40 -5 0");
    assert_eq!(evening.state().players[0].standing, Points::whole(-20));
    let last = evening.table.last_to_undo().unwrap().seq;
    evening.enter(Event::Undone { event: last }).unwrap();
    assert_eq!(evening.totals(), "-10 -40 -5 0");
}

#[test]
fn a_false_win_may_be_taken_from_the_standings() {
    for (choice, total, standing) in [("table", -20, -20), ("standings", 0, -20)] {
        let rulings = vec![("mcr.false_win".to_owned(), choice.to_owned())];
        let mut evening = Evening::opened(Opened { rulings, ..opened("mcr", 4) });
        evening.enter(penalty("Bo", "false_win", None)).unwrap();
        let bo = &evening.state().players[1];
        let points = [bo.total, bo.standing];
        assert_eq!(points, [total, standing].map(Points::whole), "{choice}");
        assert!(bo.dead_hand.is_some());
    }
}

#[test]
fn payments_that_are_said_are_taken() {
    let mut evening = Evening::of("mcr");
    let payments = [-8, 45, -8, -29].map(|amount: i32| Points::whole(amount)).into();
    let mut event = won(&evening, &[("Bo", STRAIGHT)], "discard Di", "");
    if let Event::Deal(Deal { winners, payments: said, .. }) = &mut event {
        winners[0].hand = None;
        *said = Some(payments);
    }
    evening.enter(event).unwrap();
    assert_eq!(evening.totals(), "-8 45 -8 -29");
    assert_eq!(evening.seats(), "Bo Cy Di Ann");
}
