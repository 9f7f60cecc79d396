//! Zung Jung by the engine and by a second, naive scorer on random hands.

use crate::naive_zung_jung::{items, payments, value};
use crate::support::random::{Dice, compare_hands, varied_circumstances, varied_hand};
use num_rational::Ratio;
use tilelens::{
    hand::{Hand, Meld},
    rules::{Circumstances, Halves, NoWin, Responsible, RuleSet, ScoreError, Win},
    tile::Seat,
};

const HANDS: usize = 20_000;

/// A hand, now and then one that is not complete.
fn hand(dice: &mut Dice) -> Hand {
    let hand = varied_hand(dice);
    let melds: Vec<Meld> = hand.melds().collect();
    Hand::new(*hand.concealed(), &melds, 0, hand.winning()).unwrap()
}

fn circumstances(dice: &mut Dice, hand: &Hand) -> Circumstances {
    let mut at = varied_circumstances(dice, hand);
    at.first_turn = dice.chance(10);
    if at.first_turn && dice.chance(60) {
        at.win = match at.seat {
            Seat::East => Win::SelfDraw,
            _ => Win::Discard { from: Seat::East },
        };
    }
    let kongs = hand.melds().filter(|meld| meld.is_kong()).count();
    at.kong_on_kong = kongs > 1 && at.win == Win::SelfDraw && dice.chance(20);
    if at.win.is_claim() {
        at.responsible = match dice.below(6) {
            0 => Responsible::Nobody,
            player @ 1..5 => Responsible::Player(Seat::ALL[player - 1]),
            _ => Responsible::Giver,
        };
    }
    at
}

/// A rule set with its least worth, and the most of who is not responsible where others pay the rest.
fn rulings(dice: &mut Dice) -> (RuleSet, i64, Option<i64>) {
    let [minimum, payoff, standard] = [dice.below(2), dice.below(2), dice.below(2)];
    let rules = RuleSet::preset("zung-jung").unwrap();
    let chosen = [
        ("zung-jung.minimum", ["none", "five"][minimum]),
        ("zung-jung.payoff", ["formal", "uniform"][payoff]),
        ("zung-jung.standard_score", ["25", "30"][standard]),
    ];
    let most = (payoff == 0).then_some([25, 30][standard]);
    (rules.with_rulings(chosen).unwrap(), [0, 5][minimum], most)
}

/// Where both differ; nothing where they agree.
fn difference(
    hand: &Hand,
    at: &Circumstances,
    (rules, minimum, most): &(RuleSet, i64, Option<i64>),
) -> Option<String> {
    let found = items(hand, at);
    let here = match &found {
        None => "not complete".to_owned(),
        Some(items) if value(items) < *minimum => format!("too little: {}", value(items)),
        Some(items) => {
            let mut items = items.clone();
            items.sort();
            let worth = value(&items);
            format!("{worth} {items:?} {:?}", payments(worth, at, *most))
        }
    };
    let there = match rules.score(hand, at) {
        Err(ScoreError::NoWin(NoWin::NotComplete)) => "not complete".to_owned(),
        Err(ScoreError::NoWin(NoWin::BelowMinimum { faan, .. })) => format!("too little: {faan}"),
        Err(refusal) => refusal.to_string(),
        Ok(score) => {
            assert_eq!(score.value.faan, score.value.score);
            let mut items: Vec<(&str, i64)> = (score.items.iter())
                .map(|item| (item.id.as_str(), i64::from(item.value.0 / 2)))
                .collect();
            items.sort();
            let paid: Vec<Ratio<i64>> =
                score.value.payments.iter().map(|(_, amount)| amount).collect();
            assert_eq!(paid.iter().sum::<Ratio<i64>>(), Ratio::from_integer(0));
            let paid: Vec<i64> = paid.into_iter().map(|amount| amount.to_integer()).collect();
            let Halves(halves) = score.value.faan;
            format!("{} {items:?} {paid:?}", halves / 2)
        }
    };
    (here != there).then(|| format!("{hand} {at:?}\n  engine {there}\n  naive  {here}"))
}

#[test]
fn a_naive_scorer_finds_the_same_patterns_and_payments() {
    let random = |dice: &mut Dice| {
        let hand = hand(dice);
        let at = circumstances(dice, &hand);
        (hand, at)
    };
    compare_hands((Dice(69), HANDS), rulings, |decided| &decided.0, random, difference);
}
