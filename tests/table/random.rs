//! Random sessions of every rule set: sums are zero, winds go round, undoing and correcting are as
//! if it had been so from the start.

use crate::support::random::{Dice, circumstances, complete_hand};
use crate::support::session::{Evening, opened};
use tilelens::{
    hand::Hand,
    points::Points,
    rules::Win,
    table::{Deal, Event, Penalty, PlayerFault, Recorded, Table, TileWas, WinBy, Winner},
    tile::Seat,
};

const SESSIONS: u64 = 1_000;

/// Hands to draw from: making them takes longer than scoring them.
fn hands(dice: &mut Dice) -> Vec<(Hand, String)> {
    (0..400)
        .map(|i| {
            let hand = complete_hand(dice, i % 2 == 0);
            let text = hand.to_string();
            (hand, text)
        })
        .collect()
}

/// The next event at a table: a deal won by a random hand, a draw, now and then something else.
fn something(evening: &Evening, dice: &mut Dice, hands: &[(Hand, String)]) -> Event {
    let seated = evening.state().players.len();
    if dice.chance(15) {
        return Event::DRAW;
    }
    let (hand, text) = &hands[dice.below(hands.len())];
    let at = circumstances(dice, hand);
    let player = dice.below(seated);
    let from = (player + 1 + dice.below(seated - 1)) % seated;
    let (win, from) = match at.win {
        Win::SelfDraw => (WinBy::SelfDraw, None),
        Win::Discard { .. } => (WinBy::Discard, Some(from)),
        Win::RobKong { .. } => (WinBy::RobKong, Some(from)),
    };
    let tile = from.map(|_| [TileWas::Fresh, TileWas::Own, TileWas::Passed][dice.below(3)]);
    let one = Winner {
        player,
        win,
        from,
        hand: Some(text.clone()),
        last_tile: at.last_tile,
        supplement: at.supplement,
        tile,
        ..Winner::default()
    };
    let mut winners = vec![one.clone()];
    if win == WinBy::Discard && dice.chance(10) && seated == 4 {
        let second = (0..4).find(|&other| other != player && Some(other) != from);
        winners.extend(second.map(|player| Winner { player, ..one }));
    }
    Event::Deal(Deal { winners, ..Deal::default() })
}

/// Sums are zero in every deal and in all; everybody has a seat of his own.
fn check(table: &Table, initial: Points) {
    let state = table.state().unwrap();
    let seated = state.players.len();
    let start: Points = std::iter::repeat_n(initial, seated).sum();
    assert_eq!(state.players.iter().map(|player| player.total).sum::<Points>(), start);
    for record in &state.history {
        assert_eq!(record.payments.iter().copied().sum::<Points>(), Points::ZERO);
        assert_eq!(record.totals.iter().copied().sum::<Points>(), start);
        assert_eq!(record.seats[record.place.dealer], Seat::East);
    }
    let mut seats: Vec<Seat> = state.players.iter().map(|player| player.seat).collect();
    seats.sort_unstable();
    assert_eq!(seats, Seat::ALL[..seated]);
}

/// The log replayed event by event, each fitting the ones before it.
fn audited(events: &[Recorded]) -> Table {
    let mut table = Table::new(1);
    for recorded in events {
        table.fits(&recorded.event).unwrap_or_else(|what| panic!("{recorded:?}: {what}"));
        table.push(recorded.clone()).unwrap();
    }
    let whole = Table::replay(1, events.iter().cloned()).unwrap();
    assert_eq!(whole.state().unwrap(), table.state().unwrap());
    table
}

fn play(rules: &str, seated: usize, seed: u64, sessions: u64) {
    let mut dice = Dice(seed);
    let hands = hands(&mut dice);
    let (mut deals, mut refused) = (0, 0);
    for _ in 0..sessions {
        let mut evening = Evening::opened(opened(rules, seated));
        let initial = evening.state().players[0].total;
        // A dealer who wins on and on makes a session long; sixteen deals are enough.
        for _ in 0..40 {
            if evening.state().over.is_some() || evening.state().history.len() >= 16 {
                break;
            }
            let event = something(&evening, &mut dice, &hands);
            match evening.enter(event) {
                Ok(()) => deals += 1,
                Err(_) => refused += 1,
            }
        }
        check(&evening.table, initial);
        assert_eq!(audited(evening.table.events()).state().unwrap(), evening.state());
    }
    println!("{rules}: {sessions} sessions, {deals} deals, {refused} refused");
    assert!(deals > sessions * 8, "sessions have deals");
}

#[test]
fn a_thousand_sessions_of_mmm() {
    play("mmm", 4, 1, SESSIONS);
}

#[test]
fn a_thousand_sessions_of_mmm_dk() {
    play("mmm-dk", 4, 2, SESSIONS);
}

#[test]
fn a_thousand_sessions_of_ims() {
    play("ims", 4, 3, SESSIONS);
}

#[test]
fn a_thousand_sessions_of_hkos() {
    play("hkos", 4, 4, SESSIONS);
}

#[test]
fn a_thousand_sessions_of_chumchu() {
    play("chumchu", 4, 5, SESSIONS);
}

#[test]
fn three_play_chumchu() {
    play("chumchu", 3, 6, 100);
}

/// A session with deals undone and corrected has the totals of the deals that count: each is
/// entered again at a fresh table, and where every one of them is possible there, all is the same.
#[test]
fn undone_and_corrected_deals_are_as_if_they_had_been_so() {
    let mut dice = Dice(7);
    let hands = hands(&mut dice);
    let mut compared = 0;
    for rules in ["mmm", "mmm-dk", "ims", "hkos", "chumchu"].repeat(40) {
        let mut evening = Evening::of(rules);
        for _ in 0..20 {
            let event = something(&evening, &mut dice, &hands);
            let _ = evening.enter(event);
            let past = 2 + dice.below(evening.table.events().len()) as u64;
            if dice.chance(12) {
                let _ = evening.enter(Event::Undone { event: past });
            } else if dice.chance(12) {
                let with = Box::new(something(&evening, &mut dice, &hands));
                let _ = evening.enter(Event::Corrected { event: past, with });
            }
        }
        check(
            &evening.table,
            evening
                .state()
                .history
                .first()
                .map_or(Points::ZERO, |first| first.totals[0] - first.payments[0]),
        );
        assert_eq!(audited(evening.table.events()).state().unwrap(), evening.state());
        if !evening.state().problems.is_empty() {
            continue;
        }
        let mut fresh = Evening::of(rules);
        let possible = evening.state().history.iter().all(|record| {
            let bare = |winner: &Winner| Winner { scored: None, ..winner.clone() };
            fresh
                .enter(if record.winners.is_empty() {
                    Event::DRAW
                } else {
                    let winners = record.winners.iter().map(bare).collect();
                    Event::Deal(Deal { winners, ..Deal::default() })
                })
                .is_ok()
        });
        assert!(possible, "no problem was reported, so every deal is possible");
        assert_eq!(fresh.totals(), evening.totals());
        assert_eq!(fresh.seats(), evening.seats());
        compared += 1;
    }
    assert!(compared > 100, "{compared} sessions were compared");
}

/// A log in which any number may have become any other is replayed or refused, never a panic.
#[test]
fn a_log_with_wrong_numbers_is_refused_or_replayed() {
    let mut evening = Evening::of("chumchu");
    evening.enter(Event::ClockStarted { minutes: None, started: None }).unwrap();
    evening.enter(Event::Discarded { player: 1, tile: "5p".to_owned() }).unwrap();
    evening.win(Seat::South, "self_draw", "123m456m789p34p22m +5p");
    let rows = |text: &str| vec![text.to_owned(); 4];
    evening.enter(Event::DiscardRows { rows: rows("1m2p"), claimed: rows("") }).unwrap();
    evening.enter(Event::Discarded { player: 2, tile: "9s".to_owned() }).unwrap();
    evening.win(Seat::West, "discard N", "123m456m789p34p22m +5p");
    let fault = PlayerFault { player: 2, cause: Some("late".to_owned()), note: String::new() };
    evening.enter(Event::VoidClaim(fault.clone())).unwrap();
    evening
        .enter(Event::DeadHand(PlayerFault { note: "x".to_owned(), cause: None, ..fault }))
        .unwrap();
    evening.enter(Event::Penalty(Penalty { player: 3, ..Penalty::default() })).unwrap();
    evening.enter(Event::Undone { event: 4 }).unwrap();
    let with = Box::new(Event::DRAW);
    evening.enter(Event::Corrected { event: 7, with }).unwrap();
    let text = serde_json::to_string(evening.table.events()).unwrap();
    let digits: Vec<usize> =
        text.bytes().enumerate().filter(|(_, b)| b.is_ascii_digit()).map(|(at, _)| at).collect();
    let mut dice = Dice(11);
    let (mut replayed, mut refused) = (0, 0);
    for _ in 0..3000 {
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
    assert!(replayed > 1000 && refused > 1000, "{replayed} replayed, {refused} refused");
}
