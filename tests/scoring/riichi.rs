//! `riichi` by the engine and by the crate `agari` on random hands: han, fu, yakuman, payments.
//! `TILELENS_PEER_HANDS=200000` tries more than the few of every run.

use crate::agari::PeerHand;
use crate::support::random::{Dice, riichi_circumstances, riichi_hand};
use tilelens::{
    hand::Hand,
    rules::{Circumstances, NoWin, RuleSet, ScoreError, Value},
    tile::Seat,
};

const HANDS: usize = 5_000;

/// The peer's answer: base points and, unless the hand is a yakuman, han and fu.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Worth {
    base: u32,
    yakuman: bool,
    han: u32,
    fu: Option<u32>,
}

/// The best reading of the peer; `None` for a hand without yaku. It lists readings by han; by base
/// points, then yakuman, then han, then fu is how the rules choose.
fn of_peer(hand: &Hand, at: &Circumstances) -> Option<Worth> {
    let readings = PeerHand::new(hand, at).readings().into_iter();
    let worth = readings.map(|(yaku, score)| Worth {
        base: score.basic_points,
        yakuman: yaku.is_yakuman,
        han: u32::from(score.han),
        fu: (!yaku.is_yakuman).then_some(u32::from(score.fu.total)),
    });
    worth.max()
}

fn of_engine(value: &Value) -> Worth {
    Worth {
        base: value.score.0 as u32 / 2,
        yakuman: value.limit,
        han: value.faan.0 as u32 / 2,
        fu: value.points,
    }
}

/// The payments of each seat for base points, each rounded up to a hundred, and the counters.
fn payments(base: u32, at: &Circumstances) -> [i64; 4] {
    let mut amounts = [0; 4];
    for seat in Seat::ALL.into_iter().filter(|seat| *seat != at.seat) {
        let east = at.seat == Seat::East;
        let (shares, counters) = match at.win.from() {
            Some(giver) if giver != seat => continue,
            Some(_) => (if east { 6 } else { 4 }, 300),
            None => (if east || seat == Seat::East { 2 } else { 1 }, 100),
        };
        let amount =
            i64::from((base * shares).next_multiple_of(100)) + counters * i64::from(at.honba);
        amounts[seat.index()] -= amount;
        amounts[at.seat.index()] += amount;
    }
    amounts
}

#[test]
fn agari_finds_the_same_han_fu_and_payments() {
    let given = std::env::var("TILELENS_PEER_HANDS").ok();
    let hands = given.map_or(HANDS, |number| number.parse().expect("a number of hands"));
    let rules = RuleSet::preset("riichi").unwrap().with_rulings([("riichi.pao", "none")]).unwrap();
    let mut dice = Dice(51);
    let mut different = Vec::new();
    let (mut compared, mut without_yaku) = (0, 0);
    while compared < hands {
        let hand = riichi_hand(&mut dice);
        let at = riichi_circumstances(&mut dice, &hand);
        if rules.check(&hand, &at).is_err() {
            continue;
        }
        compared += 1;
        let peer = of_peer(&hand, &at);
        let here = rules.score(&hand, &at);
        let same = match (&here, &peer) {
            (Err(ScoreError::NoWin(NoWin::BelowMinimum { .. })), None) => {
                without_yaku += 1;
                true
            }
            (Err(ScoreError::NoWin(NoWin::NotComplete)), None) => true,
            (Ok(score), Some(worth)) => {
                let amounts = payments(worth.base, &at).map(num_rational::Ratio::from_integer);
                of_engine(&score.value) == *worth
                    && score.value.payments.iter().map(|(_, amount)| amount).eq(amounts)
            }
            _ => false,
        };
        if !same {
            let here = here.map(|score| of_engine(&score.value));
            different.push(format!("{hand} {at:?}\n  here {here:?}\n  agari {peer:?}"));
        }
    }
    println!("{compared} hands, {without_yaku} of them without yaku");
    let shown = different[..different.len().min(20)].join("\n");
    assert!(different.is_empty(), "{} of {compared} differ:\n{shown}", different.len());
}
