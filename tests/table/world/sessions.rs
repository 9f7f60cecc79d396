//! Random sessions: nothing is won that nobody loses, undoing is undone, and a replay is the same.

use tilelens::{
    points::Points,
    rules::{Circumstances, RuleSet, Win},
    table::{Chombo, Deal, Draw, Event, Penalty, Recorded, Table, TableState, WinBy, Winner},
    tile::Seat,
};

use crate::support::{
    random::{Dice, complete_hand},
    session::{Evening, opened},
};

const SESSIONS: u64 = 1_000;

/// Hands that win by anybody's draw or discard.
fn hands(dice: &mut Dice, rules: &RuleSet) -> Vec<String> {
    let mut found = Vec::new();
    while found.len() < 150 {
        let claims = dice.chance(40);
        let hand = complete_hand(dice, claims);
        let claimed =
            Circumstances::new(Seat::South, Seat::East, Win::Discard { from: Seat::West });
        if rules.score(&hand, &claimed).is_ok() {
            found.push(hand.to_string());
        }
    }
    found
}

fn some(dice: &mut Dice, percent: usize) -> Vec<usize> {
    (0..4).filter(|_| dice.chance(percent)).collect()
}

/// The next event.
fn something(evening: &Evening, dice: &mut Dice, hands: &[String]) -> Event {
    let state = evening.state();
    let sticks = state.place.sticks.is_some();
    let roll = dice.below(100);
    if roll < 5 {
        let (player, points) = (dice.below(4), dice.chance(50).then_some(10));
        let cause = dice.chance(50).then(|| "false_win".to_owned());
        return Event::Penalty(Penalty { player, cause, points, note: String::new() });
    }
    if roll < 10 {
        return Event::Chombo(Chombo { player: dice.below(4), ..Chombo::default() });
    }
    let riichi = if sticks { some(dice, 25) } else { Vec::new() };
    if roll < 35 {
        if !sticks {
            return Event::DRAW;
        }
        let (tenpai, nagashi) = (Some(some(dice, 40)), some(dice, 4));
        let draw = Draw { tenpai, riichi, nagashi, ..Draw::default() };
        let abortive = dice.chance(15).then(|| "four_winds".to_owned());
        return Event::Draw(match abortive {
            Some(cause) => Draw { abortive: Some(cause), tenpai: None, nagashi: vec![], ..draw },
            None => draw,
        });
    }
    let player = dice.below(4);
    let (win, from) = match dice.below(3) {
        0 => (WinBy::SelfDraw, None),
        _ => (WinBy::Discard, Some((player + 1 + dice.below(3)) % 4)),
    };
    let hand = Some(hands[dice.below(hands.len())].clone());
    let one = Winner { player, win, from, hand, ..Winner::default() };
    let mut winners = vec![one.clone()];
    if let Some(from) = from
        && dice.chance(15)
    {
        let second = (0..4).find(|other| *other != from && *other != player);
        winners.extend(second.map(|player| Winner { player, ..one }));
    }
    // Who has claimed a set has not declared riichi.
    let open = winners[0].hand.as_ref().is_some_and(|hand| hand.contains('('));
    let won = |player: &usize| winners.iter().any(|winner| winner.player == *player);
    let riichi = riichi.into_iter().filter(|player| !open || !won(player)).collect();
    Event::Deal(Deal { winners, riichi, ..Deal::default() })
}

/// The sum of everybody's points, the sticks on the table and the points taken from it.
fn check(state: &TableState, stick: u32) {
    let on_table = Points::whole(stick) * i64::from(state.place.sticks.unwrap_or(0));
    let fined = |penalty: &&tilelens::table::PenaltyRecord| penalty.in_table;
    let taken: Points = (state.penalties.iter().filter(fined))
        .map(|penalty| Points::whole(penalty.points.unwrap()))
        .sum();
    let totals: Points = state.players.iter().map(|player| player.total).sum();
    assert_eq!(totals + on_table + taken, state.initial * 4);
    for record in &state.history {
        assert_eq!(record.payments.iter().copied().sum::<Points>(), Points::ZERO);
        assert_eq!(record.seats[record.place.dealer], Seat::East);
    }
    if let (Some(_), Some(first)) = (&state.over, state.players[0].placed) {
        let placed = || state.players.iter().filter_map(|player| player.placed);
        if first.bonus.is_some() {
            let bonus: Points = placed().filter_map(|placed| placed.bonus).sum();
            assert_eq!(bonus, Points::ZERO);
        }
        let points: Points = placed().filter_map(|placed| placed.table_points).sum();
        assert!(points == Points::whole(7) || first.table_points.is_none());
    }
}

/// The log replayed event by event, each fitting the ones before it.
fn audited(events: &[Recorded]) -> Table {
    let mut table = Table::new(1);
    for recorded in events {
        table.fits(&recorded.event).unwrap_or_else(|what| panic!("{recorded:?}: {what}"));
        table.push(recorded.clone()).unwrap();
    }
    let text = serde_json::to_string(events).unwrap();
    let read: Vec<Recorded> = serde_json::from_str(&text).unwrap();
    let whole = Table::replay(1, read).unwrap();
    assert_eq!(whole.state().unwrap(), table.state().unwrap());
    table
}

fn play(rules: &str, seed: u64) {
    let preset = RuleSet::preset(rules).unwrap();
    let mut dice = Dice(seed);
    let hands = hands(&mut dice, preset);
    let (mut deals, mut over, mut undone) = (0, 0, 0);
    for _ in 0..SESSIONS {
        let mut evening = Evening::opened(opened(rules, 4));
        for _ in 0..40 {
            if evening.state().over.is_some() {
                break;
            }
            let event = something(&evening, &mut dice, &hands);
            deals += u64::from(evening.enter(event).is_ok());
            check(evening.state(), preset.stick());
            if dice.chance(4) && evening.table.events().len() > 2 {
                let mut before = evening.state().clone();
                let past = 2 + dice.below(evening.table.events().len() - 1) as u64;
                if evening.enter(Event::Undone { event: past }).is_ok() {
                    check(evening.state(), preset.stick());
                    let undo = evening.table.events().len() as u64;
                    evening.enter(Event::Undone { event: undo }).unwrap();
                    before.last_event = evening.state().last_event;
                    assert_eq!(*evening.state(), before);
                    undone += 1;
                }
            }
        }
        over += u64::from(evening.state().over.is_some());
        assert_eq!(audited(evening.table.events()).state().unwrap(), evening.state());
    }
    println!(
        "{rules}: {SESSIONS} sessions, {deals} deals, {over} over, {undone} undone and redone"
    );
    assert!(deals > SESSIONS * 8 && over > SESSIONS / 10 && undone > SESSIONS / 10);
}

#[test]
fn a_thousand_sessions_of_riichi() {
    play("riichi", 1);
}

#[test]
fn a_thousand_sessions_of_riichi_ema() {
    play("riichi-ema", 2);
}

#[test]
fn a_thousand_sessions_of_mcr() {
    play("mcr", 3);
}

/// A session with deals undone and corrected has the totals of the deals that count.
#[test]
fn corrected_deals_are_as_if_they_had_been_so() {
    let mut compared = 0;
    for (seed, rules) in ["riichi", "riichi-ema", "mcr"].repeat(60).into_iter().enumerate() {
        let preset = RuleSet::preset(rules).unwrap();
        let mut dice = Dice(100 + seed as u64);
        let hands = hands(&mut dice, preset);
        let mut evening = Evening::of(rules);
        for _ in 0..20 {
            let event = something(&evening, &mut dice, &hands);
            let _ = evening.enter(event);
            let past = 2 + dice.below(evening.table.events().len()) as u64;
            if dice.chance(15) {
                let with = Box::new(something(&evening, &mut dice, &hands));
                let _ = evening.enter(Event::Corrected { event: past, with });
            }
        }
        check(evening.state(), preset.stick());
        if !evening.state().problems.is_empty() || !evening.state().penalties.is_empty() {
            continue;
        }
        let mut fresh = Evening::of(rules);
        for record in &evening.state().history {
            let riichi = record.riichi.clone();
            let event = if let Some(chombo) = &record.chombo {
                Event::Chombo(Chombo::clone(chombo))
            } else if record.winners.is_empty() {
                let draw = record.draw.as_deref().cloned().unwrap_or_default();
                Event::Draw(Draw { riichi, ..draw })
            } else {
                let bare = |winner: &Winner| Winner { scored: None, ..winner.clone() };
                let winners = record.winners.iter().map(bare).collect();
                Event::Deal(Deal { winners, riichi, ..Deal::default() })
            };
            // A stick that was put down with enough may be one too many since.
            if let Err(error) = fresh.enter(event) {
                let short = matches!(error, tilelens::table::TableError::ShortOfPoints { .. });
                assert!(short, "{error}");
            }
        }
        if fresh.state().history.len() == evening.state().history.len() {
            assert_eq!(fresh.totals(), evening.totals(), "{rules}");
            assert_eq!(fresh.seats(), evening.seats());
            compared += 1;
        }
    }
    assert!(compared > 40, "{compared} sessions were compared");
}

/// The recorded place of the next deal shows the sticks and counters on the table.
#[test]
fn after_a_loss_counters_and_sticks_are_those_of_the_next_deal() {
    let mut evening = Evening::of("riichi");
    let draw = |tenpai: &[usize], riichi: &[usize]| {
        let (tenpai, riichi) = (Some(tenpai.to_vec()), riichi.to_vec());
        Event::Draw(Draw { tenpai, riichi, ..Draw::default() })
    };
    for event in [draw(&[0], &[2]), draw(&[0, 1], &[3]), draw(&[0], &[])] {
        evening.enter(event).unwrap();
    }
    let place = evening.state().place;
    assert_eq!((place.honba, place.sticks), (Some(3), Some(2)));
    let mut events = evening.table.events().to_vec();
    events[1].event = Event::Lost { unproven: 0 };
    let table = Table::replay(1, events).unwrap();
    let state = table.state().unwrap();
    assert_eq!(state.place, place);
    assert_eq!(state.history.len(), 2);
    // The rest adds up with the known sticks, except the one that Cy put down.
    let totals: Points = state.players.iter().map(|player| player.total).sum();
    assert_eq!(totals, Points::whole(100_000 - 1_000));
}

/// A log from before these rules were kept reads, and is written, as it was.
#[test]
fn events_of_before_read_and_are_written_as_they_were() {
    for text in [
        r#"{"draw":{"place":{"number":1,"round":"E","dealer":0}}}"#,
        r#"{"draw":{}}"#,
        r#"{"deal":{"winners":[{"player":1,"win":"self_draw"}],"payments":["-1","3","-1","-1"]}}"#,
        r#"{"penalty":{"player":2,"points":25}}"#,
    ] {
        let event: Event = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&event).unwrap(), text);
    }
}

/// A log in which any number may have become any other is replayed or refused, never a panic.
#[test]
fn a_log_with_wrong_numbers_is_refused_or_replayed() {
    let mut evening = Evening::of("riichi");
    let draw = Draw { tenpai: Some(vec![0, 2]), riichi: vec![2], ..Draw::default() };
    evening.enter(Event::Draw(draw)).unwrap();
    let mut winner = evening.winner(Seat::South, "discard N", "234567m34p678s55s +5p");
    winner.dora_indicators = Some("1p".to_owned());
    let deal = Deal { winners: vec![winner], riichi: vec![1, 3], ..Deal::default() };
    evening.enter(Event::Deal(deal)).unwrap();
    evening.enter(Event::Chombo(Chombo { player: 3, ..Chombo::default() })).unwrap();
    let nagashi = Draw { tenpai: Some(vec![1]), nagashi: vec![2], ..Draw::default() };
    evening.enter(Event::Draw(nagashi)).unwrap();
    evening.enter(Event::Undone { event: 4 }).unwrap();
    let with = Box::new(Event::Chombo(Chombo { player: 1, ..Chombo::default() }));
    evening.enter(Event::Corrected { event: 2, with }).unwrap();
    let mut lost = evening.table.events().to_vec();
    lost[3].event = Event::Lost { unproven: 1 };
    let mut dice = Dice(11);
    let (mut replayed, mut refused) = (0, 0);
    for events in [evening.table.events(), &lost] {
        let text = serde_json::to_string(events).unwrap();
        let digits: Vec<usize> = text
            .bytes()
            .enumerate()
            .filter(|(_, letter)| letter.is_ascii_digit())
            .map(|(at, _)| at)
            .collect();
        for _ in 0..1500 {
            let mut changed = text.clone();
            let at = digits[dice.below(digits.len())];
            let number = ["", "0", "1", "3", "4", "7", "9", "4294967295", "99999999999"];
            changed.replace_range(at..=at, number[dice.below(number.len())]);
            let Ok(events) = serde_json::from_str::<Vec<Recorded>>(&changed) else { continue };
            let mut table = Table::new(1);
            for recorded in events {
                let _ = table.fits(&recorded.event);
                let _ = table.complete(recorded.event.clone(), recorded.at);
                match table.push(recorded) {
                    Ok(()) => replayed += 1,
                    Err(_) => refused += 1,
                }
            }
            if let Ok(state) = table.state() {
                assert!(
                    !state.to_csv(&jiff::tz::TimeZone::UTC).is_empty()
                        && serde_json::to_string(state).is_ok()
                );
            }
        }
    }
    assert!(replayed > 1000 && refused > 300, "{replayed} replayed, {refused} refused");
}
