//! Riichi for three by the engine and by a second, naive scorer on random hands.

use crate::naive_sanma::{Items, RULINGS, Rulings, Scorer};
use crate::support::random::{Dice, compare_hands, with_red_fives};
use num_rational::Ratio;
use tilelens::{
    hand::{Hand, Meld, MeldKind},
    rules::{Circumstances, Indicators, NoWin, RuleSet, ScoreError, Win},
    tile::{Face, Seat, Side},
};

const HANDS: usize = 20_000;

fn face(index: usize) -> Face {
    Face::from_index(index).unwrap()
}

/// Faces to make a hand of.
fn palette(dice: &mut Dice) -> Vec<usize> {
    let majors = [0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33];
    match dice.below(12) {
        0 => majors.to_vec(),
        1 => (27..34).collect(),
        2 => vec![0, 8, 9, 17, 18, 26],
        3 => vec![19, 20, 21, 23, 25, 32],
        4 => (9..18).collect(),
        5 => (18..26).chain(27..34).collect(),
        6 => (10..17).chain(19..26).collect(),
        7 => (9..12).chain(18..21).chain([0, 8, 30]).collect(),
        8 => (31..34).chain(27..31).chain(12..15).collect(),
        _ => [0, 8].into_iter().chain(9..34).collect(),
    }
}

fn sets_hand(dice: &mut Dice) -> Option<Hand> {
    let faces = palette(dice);
    let any = |dice: &mut Dice| faces[dice.below(faces.len())];
    let (runs, claims) = (dice.below(100), dice.below(3));
    let mut concealed = [0; 34];
    let mut melds = Vec::new();
    for _ in 0..4 {
        let lowest = any(dice);
        let in_row = (1..3).all(|step| faces.contains(&(lowest + step)));
        if lowest < 27 && lowest % 9 < 7 && in_row && dice.chance(runs) {
            (lowest..lowest + 3).for_each(|tile| concealed[tile] += 1);
            continue;
        }
        let giver =
            [Some(Side::Left), Some(Side::Opposite), Some(Side::Right), None][dice.below(4)];
        let set = match dice.below(8) {
            0 => Some((MeldKind::ConcealedKong, None)),
            1 if claims > 0 => Some((MeldKind::OpenKong, giver)),
            2..5 if claims > 0 => Some((MeldKind::Pung, giver)),
            5..8 if claims > 1 => Some((MeldKind::Pung, giver)),
            _ => None,
        };
        match set {
            Some((kind, giver)) => melds.push(Meld::alike(kind, face(lowest), giver)?),
            None => concealed[lowest] += 3,
        }
    }
    concealed[any(dice)] += 2;
    won(dice, concealed, &melds)
}

/// A hand won on any of its concealed tiles.
fn won(dice: &mut Dice, concealed: [u8; 34], melds: &[Meld]) -> Option<Hand> {
    let held: Vec<usize> = (0..34).filter(|tile| concealed[*tile] > 0).collect();
    Hand::new(concealed, melds, 0, face(held[dice.below(held.len())])).ok()
}

fn pairs_or_orphans(dice: &mut Dice) -> Option<Hand> {
    let mut concealed = [0; 34];
    if dice.chance(25) {
        let majors: Vec<usize> = (0..34).filter(|tile| face(*tile).is_major()).collect();
        majors.iter().for_each(|tile| concealed[*tile] = 1);
        concealed[majors[dice.below(13)]] += 1;
    } else {
        let faces = palette(dice);
        (0..7).for_each(|_| concealed[faces[dice.below(faces.len())]] += 2);
    }
    won(dice, concealed, &[])
}

fn hand(dice: &mut Dice) -> Hand {
    loop {
        let hand = if dice.chance(12) { pairs_or_orphans(dice) } else { sets_hand(dice) };
        if let Some(hand) = hand {
            return with_red_fives(dice, &hand);
        }
    }
}

/// Indicators of which the hand, these and those before hold no more than four alike.
fn indicators(dice: &mut Dice, held: &mut [u8; 34]) -> Indicators {
    let (mut text, number) = (String::new(), 1 + dice.below(3));
    while text.len() < 2 * number {
        let tile = [0, 8].into_iter().chain(9..34).nth(dice.below(27)).unwrap();
        if held[tile] < Face::COPIES {
            held[tile] += 1;
            text.push_str(&face(tile).to_string());
        }
    }
    text.parse().unwrap()
}

fn circumstances(dice: &mut Dice, hand: &Hand) -> Circumstances {
    let seats = [Seat::East, Seat::South, Seat::West];
    let seat = dice.below(3);
    let from = seats[(seat + 1 + dice.below(2)) % 3];
    let win = match dice.below(8) {
        0..3 => Win::SelfDraw,
        3 => Win::RobKong { from },
        _ => Win::Discard { from },
    };
    let mut at = Circumstances::new(seats[seat], seats[dice.below(3)], win);
    let mut held = [0; 34];
    (0..34).for_each(|tile| held[tile] = hand.count(face(tile)));
    at.north = (dice.below(5) as u8).min(Face::COPIES - held[30]);
    held[30] += at.north;
    let closed = hand.is_concealed();
    at.riichi = closed && dice.chance(40);
    at.double_riichi = closed && dice.chance(8);
    at.ippatsu = at.in_riichi() && dice.chance(25);
    at.last_tile = dice.chance(8);
    let kongs = hand.melds().filter(|meld| meld.is_kong()).count();
    at.supplement = win == Win::SelfDraw && dice.chance(25);
    at.kong_on_kong = at.supplement && kongs > 1 && dice.chance(20);
    at.first_turn = dice.chance(3);
    at.first_draw = win == Win::SelfDraw && dice.chance(4);
    at.dora_indicators = indicators(dice, &mut held);
    if at.in_riichi() {
        at.ura_indicators = indicators(dice, &mut held);
    }
    at.honba = dice.below(4) as u8;
    at.pao = dice.chance(30).then(|| seats[dice.below(3)]);
    at
}

fn rulings(dice: &mut Dice) -> (Rulings, RuleSet) {
    let decided: Rulings = RULINGS
        .iter()
        .map(|(id, choices)| {
            let place = if dice.chance(60) { 0 } else { dice.below(choices.len()) };
            (*id, choices[place])
        })
        .collect();
    let chosen = decided.iter().map(|(id, choice)| (*id, *choice));
    let rules = RuleSet::preset("riichi-sanma").unwrap().with_rulings(chosen).unwrap();
    (decided, rules)
}

/// Where both differ; nothing where they agree.
fn difference(
    hand: &Hand,
    at: &Circumstances,
    (rulings, rules): &(Rulings, RuleSet),
) -> Option<String> {
    let scorer = Scorer { hand, at, rulings };
    let best = scorer.best();
    let mut here: Vec<String> = Vec::new();
    for worth in &best {
        let mut items: Items = worth.items.clone();
        items.sort();
        here.push(match worth.wins {
            false => "no yaku".to_owned(),
            true => {
                let paid = scorer.payments(worth);
                format!("{} han {:?} fu {items:?} {paid:?}", worth.han, worth.fu)
            }
        });
    }
    if best.is_empty() {
        here.push("not complete".to_owned());
    }
    let there = match rules.score(hand, at) {
        Err(ScoreError::NoWin(NoWin::NotComplete)) => "not complete".to_owned(),
        Err(ScoreError::NoWin(NoWin::BelowMinimum { .. })) => "no yaku".to_owned(),
        Err(refusal) => refusal.to_string(),
        Ok(score) => {
            let mut items: Vec<(&str, i64)> = (score.items.iter())
                .map(|item| (item.id.as_str(), i64::from(item.value.0 / 2)))
                .collect();
            items.sort();
            let paid: Vec<Ratio<i64>> =
                score.value.payments.iter().map(|(_, amount)| amount).collect();
            assert_eq!(paid.iter().sum::<Ratio<i64>>(), Ratio::from_integer(0));
            let paid: Vec<i64> = paid.into_iter().map(|amount| amount.to_integer()).collect();
            let points = score.value.points.map(i64::from);
            format!("{} han {points:?} fu {items:?} {paid:?}", score.value.faan)
        }
    };
    let agree = here.contains(&there);
    (!agree).then(|| format!("{hand} {at:?} {rulings:?}\n  engine {there}\n  naive  {here:?}"))
}

#[test]
fn a_naive_scorer_finds_the_same_yaku_and_payments() {
    let random = |dice: &mut Dice| {
        let hand = hand(dice);
        let at = circumstances(dice, &hand);
        (hand, at)
    };
    compare_hands((Dice(108), HANDS), rulings, |decided| &decided.1, random, difference);
}
