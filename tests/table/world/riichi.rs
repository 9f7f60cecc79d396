//! Evenings of riichi, worked by hand as on a paper sheet.

use tilelens::{
    points::Points,
    table::{Chombo, Deal, Draw, Event, Over, TableError, Winner},
    tile::Seat::South,
};

use crate::support::session::{Evening, NAMES};

/// Pinfu and all simples: 2 han, with riichi 3, by a discard 30 fu, with a self-draw 20 and a han more.
pub const SIMPLE: &str = "234567m34p678s55s +5p";
/// The same in other suits.
pub const SIMPLE_TOO: &str = "234567s34p678m55m +5p";
/// Pinfu alone.
pub const PINFU: &str = "123567m34p678s99s +5p";

pub fn named(name: &str) -> usize {
    NAMES.iter().position(|known| *known == name).unwrap()
}

fn all(names: &str) -> Vec<usize> {
    names.split_whitespace().map(named).collect()
}

/// A draw: who was tenpai, who declared riichi.
pub fn draw(tenpai: &str, riichi: &str) -> Event {
    Event::Draw(Draw { tenpai: Some(all(tenpai)), riichi: all(riichi), ..Draw::default() })
}

pub fn abortive(cause: &str) -> Event {
    Event::Draw(Draw { abortive: Some(cause.to_owned()), ..Draw::default() })
}

pub fn chombo(name: &str) -> Event {
    let cause = Some("false_win".to_owned());
    Event::Chombo(Chombo { player: named(name), cause, ..Chombo::default() })
}

/// A deal won with these hands, `discard Ann` or `self_draw`; who declared riichi.
pub fn won(evening: &Evening, hands: &[(&str, &str)], how: &str, riichi: &str) -> Event {
    let how = match how.split_once(' ') {
        Some((how, from)) => format!("{how} {}", evening.state().players[named(from)].seat),
        None => how.to_owned(),
    };
    let winner = |(name, hand): &(&str, &str)| -> Winner {
        let seat = evening.state().players[named(name)].seat;
        evening.winner(seat, &how, hand)
    };
    let winners = hands.iter().map(winner).collect();
    Event::Deal(Deal { winners, riichi: all(riichi), ..Deal::default() })
}

/// The place of a deal: wind and number of the dealer, counters, sticks.
pub fn on_table(evening: &Evening) -> String {
    let state = evening.state();
    let (round, dealer) = (state.place.round, state.dealer_place().index() + 1);
    let [honba, sticks] = [state.place.honba, state.place.sticks].map(Option::unwrap);
    format!("{round}{dealer}-{honba} {sticks}")
}

fn results(evening: &Evening) -> String {
    let players = &evening.state().players;
    let result = |place: usize| players[place].placed.unwrap().result.to_string();
    (0..4).map(result).collect::<Vec<_>>().join(" ")
}

#[test]
fn an_evening_with_repeats_draws_sticks_two_winners_and_chombo() {
    let mut evening = Evening::of("riichi");
    let mut sheet = |event: &dyn Fn(&Evening) -> Event, before: &str, totals: &str| {
        assert_eq!(on_table(&evening), before);
        let event = event(&evening);
        evening.enter(event).unwrap_or_else(|error| panic!("{before}: {error}"));
        assert_eq!(evening.totals(), totals, "{before}");
    };
    // 3 han 30 fu: 3900. His own stick comes back.
    let event = |it: &Evening| won(it, &[("Bo", SIMPLE)], "discard Di", "Bo");
    sheet(&event, "E1-0 0", "25000 28900 25000 21100");
    // Two are tenpai: 1500 each from the others; Cy's stick stays. Bo, East, deals again.
    sheet(&|_| draw("Bo Cy", "Cy"), "E2-0 0", "23500 30400 25500 19600");
    // 2 han 20 fu: 700 from each and 100 for the counter; the stick.
    let event = |it: &Evening| won(it, &[("Bo", PINFU)], "self_draw", "");
    sheet(&event, "E2-1 1", "22700 33800 24700 18800");
    // A mangan the wrong way round: 4000 to East, 2000 to the others. No counter more.
    sheet(&|_| chombo("Di"), "E2-2 0", "24700 37800 26700 10800");
    // Cy is the first in turn after Ann: 2000 and both counters, and Bo's stick. Di: 3900, his stick.
    let event =
        |it: &Evening| won(it, &[("Di", SIMPLE_TOO), ("Cy", SIMPLE)], "discard Ann", "Bo Di");
    sheet(&event, "E2-2 0", "18200 36800 30300 14700");
    sheet(&|_| abortive("four_winds"), "E3-0 0", "18200 36800 30300 14700");
    // Nobody was tenpai: the deal passes, the counters stay and are one more.
    sheet(&|_| draw("", ""), "E3-1 0", "18200 36800 30300 14700");
    // Ann's discards: 4000 from East, 2000 from the others, no counters. East is tenpai and stays.
    let nagashi = |_: &Evening| {
        let tenpai = Some(all("Di"));
        Event::Draw(Draw { tenpai, nagashi: all("Ann"), ..Draw::default() })
    };
    sheet(&nagashi, "E4-2 0", "26200 34800 28300 10700");
    // 2000 and three counters.
    let event = |it: &Evening| won(it, &[("Ann", SIMPLE)], "discard Di", "");
    sheet(&event, "E4-3 0", "29100 34800 28300 7800");
    sheet(&|_| draw("", ""), "S1-0 0", "29100 34800 28300 7800");
    sheet(&|_| draw("", ""), "S2-1 0", "29100 34800 28300 7800");
    // 700 from East, 400 from the others, and 100 for each of two counters from each.
    let event = |it: &Evening| won(it, &[("Bo", PINFU)], "self_draw", "");
    sheet(&event, "S3-2 0", "28500 36900 27400 7200");
    // 3000 to the only one who is tenpai, who is East; his stick stays.
    sheet(&|_| draw("", "Di"), "S4-0 0", "27500 35900 26400 9200");
    // 2000, a counter, and the stick of the deal before.
    let event = |it: &Evening| won(it, &[("Cy", SIMPLE)], "discard Di", "");
    sheet(&event, "S4-1 1", "27500 35900 29700 6900");

    let state = evening.state();
    assert_eq!(state.over, Some(Over::Played));
    assert_eq!((state.place.sticks, state.leftover), (Some(0), None));
    // Against 25,000; 20, 10, -10 and -20 thousand, and 5000 of everybody's for the first.
    assert_eq!(results(&evening), "-12500 45900 9700 -43100");
    let ranks: Vec<Option<u32>> = state.players.iter().map(|player| player.rank).collect();
    assert_eq!(ranks, [3, 1, 2, 4].map(Some));
    assert!(state.problems.is_empty());
    let honba: Vec<u32> = state.history.iter().filter_map(|record| record.place.honba).collect();
    assert_eq!(honba, [0, 0, 1, 2, 2, 0, 1, 2, 3, 0, 1, 2, 0, 1]);
    assert_eq!(state.history.iter().filter(|record| record.chombo.is_some()).count(), 1);
}

#[test]
fn the_european_rules_take_chombo_after_uma_and_share_level_places() {
    let mut evening = Evening::of("riichi-ema");
    assert_eq!(evening.totals(), "30000 30000 30000 30000");
    evening.enter(chombo("Cy")).unwrap();
    assert_eq!(
        (evening.totals().as_str(), on_table(&evening).as_str()),
        ("30000 30000 30000 30000", "E1-0 0")
    );
    // Both winners get the counters, and each his own stick; Cy's goes to Bo, the first after Ann.
    evening.enter(draw("Ann", "")).unwrap();
    let event = won(&evening, &[("Di", SIMPLE_TOO), ("Bo", SIMPLE)], "discard Ann", "Bo Cy Di");
    evening.enter(event).unwrap();
    // From 33,000, 29,000, 29,000 and 29,000: 3900 and 300 to each, and the stick.
    assert_eq!(evening.totals(), "24600 34200 28000 33200");
    while evening.state().over.is_none() {
        evening.enter(draw("", "")).unwrap();
    }
    // Against 30,000; 15, 5, -5, -15 thousand; Cy's 20,000 come off afterwards.
    assert_eq!(results(&evening), "-20400 19200 -27000 8200");
    assert_eq!(evening.state().players[2].penalty_points, Points::whole(20_000));
    let ranks: Vec<Option<u32>> =
        evening.state().players.iter().map(|player| player.rank).collect();
    assert_eq!(ranks, [3, 1, 4, 2].map(Some), "by what counts at the end");

    // All level: nobody has anything of the places.
    let mut evening = Evening::of("riichi-ema");
    while evening.state().over.is_none() {
        evening.enter(draw("", "")).unwrap();
    }
    assert_eq!(results(&evening), "0 0 0 0");
    let mut evening = Evening::of("riichi-ema");
    while !on_table(&evening).starts_with("S4") {
        evening.enter(draw("", "")).unwrap();
    }
    // 1500 to each of the two who are tenpai; Bo's stick is left on the table.
    evening.enter(draw("Ann", "Bo")).unwrap();
    assert_eq!(evening.state().over, Some(Over::Played));
    assert_eq!(evening.totals(), "32500 30500 28500 28500", "Ann leads, the stick is hers");
    assert_eq!(results(&evening), "17500 5500 -11500 -11500", "the last two share");
}

#[test]
fn a_draw_asks_who_was_tenpai_and_nobody_else_is_paid() {
    let mut evening = Evening::of("riichi");
    assert_eq!(evening.enter(Event::DRAW), Err(TableError::AskTenpai));
    // Who declared riichi is tenpai; of the others it has to be said.
    let riichi_alone = Draw { riichi: vec![1], ..Draw::default() };
    assert_eq!(evening.enter(Event::Draw(riichi_alone)), Err(TableError::AskTenpai));
    for (tenpai, totals) in [
        ("Ann", "28000 24000 24000 24000"),
        ("Ann Bo", "26500 26500 23500 23500"),
        ("Ann Bo Cy", "26000 26000 26000 22000"),
        ("Ann Bo Cy Di", "25000 25000 25000 25000"),
        ("", "25000 25000 25000 25000"),
    ] {
        let mut evening = Evening::of("riichi");
        evening.enter(draw(tenpai, "")).unwrap();
        assert_eq!(evening.totals(), totals, "{tenpai}");
        assert_eq!(evening.state().place.dealer, usize::from(tenpai.is_empty()), "{tenpai}");
    }
    // A dead hand is noten.
    let fault = tilelens::table::PlayerFault {
        player: 0,
        cause: Some("wrong_number".to_owned()),
        ..Default::default()
    };
    evening.enter(Event::DeadHand(fault)).unwrap();
    assert!(matches!(evening.enter(draw("Ann", "")), Err(TableError::DeadTenpai { .. })));
    assert!(evening.enter(draw("Bo", "")).is_ok());
    // Rules without tenpai do not take it silently.
    for rules in ["mmm", "mcr"] {
        let mut evening = Evening::of(rules);
        assert!(
            matches!(evening.enter(draw("Ann", "")), Err(TableError::Unknown { .. })),
            "{rules}"
        );
        let riichi = Draw { riichi: vec![1], ..Draw::default() };
        assert!(matches!(evening.enter(Event::Draw(riichi)), Err(TableError::Unknown { .. })));
        assert!(matches!(evening.enter(chombo("Bo")), Err(TableError::ChomboUnpaid { .. })));
        assert!(evening.enter(Event::DRAW).is_ok(), "{rules}");
    }
    // An abortive draw pays nobody.
    let both =
        Draw { tenpai: Some(vec![0]), abortive: Some("four_winds".to_owned()), ..Draw::default() };
    assert_eq!(Evening::of("riichi").enter(Event::Draw(both)), Err(TableError::PaidAbortive));
    let error = Evening::of("riichi").enter(abortive("five_winds")).unwrap_err();
    assert!(error.to_string().contains("nine_terminals, four_winds, four_riichi"), "{error}");
}

#[test]
fn payments_that_are_said_leave_sticks_to_the_table() {
    let mut evening = Evening::of("riichi");
    evening.enter(draw("Ann", "Cy")).unwrap();
    let payments = [0, 2300, 0, -2300].map(|amount: i32| Points::whole(amount)).into();
    let winner = Winner { hand: None, ..evening.winner(South, "discard N", SIMPLE) };
    let deal = Deal {
        winners: vec![winner],
        payments: Some(payments),
        riichi: vec![1, 2],
        ..Deal::default()
    };
    assert_eq!(evening.totals(), "26500 23500 25500 23500");
    evening.enter(Event::Deal(deal)).unwrap();
    // 2300, the stick of the draw and Cy's second one; his own came back.
    assert_eq!(evening.totals(), "26500 27800 24500 21200");
}

/// Riichi is worth a han and puts a stick down, whether it is said of the winner or of the deal.
#[test]
fn riichi_of_a_winner_counts_in_his_hand() {
    let scored = |evening: &Evening| {
        let deal = evening.state().last_deal().unwrap();
        let winner = &deal.winners[0];
        (winner.scored.as_ref().unwrap().faan.to_string(), deal.riichi.clone())
    };
    let mut of_the_deal = Evening::of("riichi");
    let event = won(&of_the_deal, &[("Bo", SIMPLE)], "discard Di", "Bo");
    of_the_deal.enter(event).unwrap();
    let mut of_the_winner = Evening::of("riichi");
    let winner = of_the_winner.winner(South, "discard N", SIMPLE);
    let winners = vec![Winner { riichi: true, ..winner.clone() }];
    of_the_winner.enter(Event::Deal(Deal { winners, ..Deal::default() })).unwrap();
    for evening in [&of_the_deal, &of_the_winner] {
        assert_eq!(scored(evening), ("3".to_owned(), vec![1]));
    }
    let mut double = Evening::of("riichi");
    let winners = vec![Winner {
        double_riichi: true,
        ippatsu: true,
        dora_indicators: Some("1m".to_owned()),
        ura_indicators: Some("2p".to_owned()),
        ..winner.clone()
    }];
    double.enter(Event::Deal(Deal { winners, ..Deal::default() })).unwrap();
    // Two, one, pinfu, all simples; 2m and 3p are dora.
    assert_eq!(scored(&double), ("7".to_owned(), vec![1]));
    // The dora below need riichi; an open hand has none.
    for wrong in [
        Winner { ura_indicators: Some("2p".to_owned()), ..winner.clone() },
        Winner { dora_indicators: Some("x".to_owned()), ..winner },
    ] {
        let event = Event::Deal(Deal { winners: vec![wrong], ..Deal::default() });
        assert!(Evening::of("riichi").enter(event).is_err());
    }
}

#[test]
fn a_corrected_draw_moves_counters_and_later_payments_follow() {
    let mut evening = Evening::of("riichi");
    evening.enter(draw("Ann", "Cy")).unwrap();
    let event = won(&evening, &[("Bo", SIMPLE)], "discard Di", "");
    evening.enter(event).unwrap();
    // 1500 each, and Cy's stick; 2000 and 300, and the stick.
    assert_eq!(evening.totals(), "26500 26800 25500 21200");
    // It was no draw at all but Ann's win: the counter is the same, the stick is not there.
    let before = evening.table.before(2).unwrap();
    let first = Evening { table: before, now: evening.now };
    let with = Box::new(won(&first, &[("Ann", PINFU)], "self_draw", ""));
    evening.enter(Event::Corrected { event: 2, with }).unwrap();
    // 700 from each to Ann; then 2300.
    assert_eq!(evening.totals(), "27100 26600 24300 22000");
    // It was Cy's win on Bo's discard: no counter, and the seats have moved: Bo is East and wins 2900.
    let with = Box::new(won(&first, &[("Cy", SIMPLE)], "discard Bo", ""));
    evening.enter(Event::Corrected { event: 2, with }).unwrap();
    assert_eq!(evening.totals(), "25000 25900 27000 22100");
    assert!(evening.state().problems.is_empty());
    // Undone, all is as it was.
    for event in [5, 4] {
        evening.enter(Event::Undone { event }).unwrap();
    }
    assert_eq!(evening.totals(), "26500 26800 25500 21200");
    // A draw corrected to a chombo: played again, no counter.
    evening.enter(Event::Corrected { event: 2, with: Box::new(chombo("Di")) }).unwrap();
    assert_eq!(evening.totals(), "29000 29000 27000 15000");
}
