//! Random complete hands, always the same for the same seed.

#![allow(dead_code, reason = "tests and benchmarks use a part each")]

use tilelens::{
    hand::{Hand, Meld, MeldKind},
    rules::{Circumstances, Win},
    tile::{Face, Seat, Side},
};

/// splitmix64.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    pub fn below(&mut self, most: usize) -> usize {
        (self.roll() % most as u64) as usize
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

fn face(index: usize) -> Face {
    Face::from_index(index).unwrap()
}

/// A set drawn from all faces, or from one suit and the honors.
fn any_set(dice: &mut Dice, suit: Option<usize>) -> Meld {
    let suit = suit.unwrap_or_else(|| dice.below(3));
    if dice.chance(62) {
        return Meld::chow(face(9 * suit + dice.below(7)), None).unwrap();
    }
    let index = if dice.chance(22) { 27 + dice.below(7) } else { 9 * suit + dice.below(9) };
    let kind = if dice.chance(8) { MeldKind::OpenKong } else { MeldKind::Pung };
    Meld::alike(kind, face(index), None).unwrap()
}

/// Sets and a pair, some of the sets laid apart; `None` where the tiles do not suffice.
fn sets_hand(dice: &mut Dice, sets: usize, claims: bool) -> Option<Hand> {
    let suit = dice.chance(20).then(|| dice.below(3));
    let mut used = [0u8; Face::SET_FACES];
    let mut concealed = [0u8; Face::SET_FACES];
    let claimed = if claims { 1 + dice.below(sets) } else { 0 };
    let mut melds = Vec::new();
    for place in 0..sets {
        let set = any_set(dice, suit);
        set.faces().for_each(|face| used[face.index()] += 1);
        let giver = match dice.below(4) {
            0 => None,
            _ if set.kind() == MeldKind::Chow => Some(Side::Left),
            side => Some([Side::Left, Side::Opposite, Side::Right][side - 1]),
        };
        match set.kind() {
            MeldKind::Chow if place < claimed => melds.push(Meld::chow(set.face(), giver)?),
            kind if place < claimed => melds.push(Meld::alike(kind, set.face(), giver)?),
            MeldKind::OpenKong => {
                melds.push(Meld::alike(MeldKind::ConcealedKong, set.face(), None)?);
            }
            _ => set.faces().for_each(|face| concealed[face.index()] += 1),
        }
    }
    let pair = match suit {
        Some(suit) if dice.chance(70) => 9 * suit + dice.below(9),
        _ => dice.below(34),
    };
    used[pair] += 2;
    concealed[pair] += 2;
    if used.iter().any(|&count| count > 4) {
        return None;
    }
    let winning = any_of(dice, &concealed);
    Hand::new(concealed, &melds, 0, winning).ok()
}

fn any_of(dice: &mut Dice, counts: &[u8; Face::SET_FACES]) -> Face {
    loop {
        let index = dice.below(34);
        if counts[index] > 0 {
            return face(index);
        }
    }
}

/// Seven pairs, and a pung where there are five sets' tiles.
fn pairs_hand(dice: &mut Dice, sets: usize) -> Option<Hand> {
    let suit = dice.chance(30).then(|| dice.below(3));
    let mut concealed = [0u8; Face::SET_FACES];
    for _ in 0..7 {
        let index = match suit {
            Some(suit) => 9 * suit + dice.below(9),
            None => dice.below(34),
        };
        concealed[index] += 2;
    }
    if sets == 5 {
        concealed[dice.below(34)] += 3;
    }
    let winning = any_of(dice, &concealed);
    Hand::new(concealed, &[], 0, winning).ok()
}

/// A complete hand of 14 tiles: with claimed sets or concealed, seven pairs now and then.
pub fn complete_hand(dice: &mut Dice, claims: bool) -> Hand {
    complete_hand_of(dice, 4, claims)
}

/// A complete hand of so many sets and a pair, or of seven pairs now and then.
pub fn complete_hand_of(dice: &mut Dice, sets: usize, claims: bool) -> Hand {
    loop {
        let hand = if !claims && dice.chance(4) {
            pairs_hand(dice, sets)
        } else {
            sets_hand(dice, sets, claims)
        };
        if let Some(hand) = hand {
            return hand;
        }
    }
}

/// The hand with a few flowers and seasons.
pub fn with_flowers(dice: &mut Dice, hand: &Hand) -> Hand {
    let melds: Vec<Meld> = hand.melds().collect();
    let bonus = (dice.roll() & dice.roll()) as u8;
    Hand::new(*hand.concealed(), &melds, bonus, hand.winning()).unwrap()
}

/// How it was won: a third self-drawn, last tiles and supplements now and then.
pub fn circumstances(dice: &mut Dice, hand: &Hand) -> Circumstances {
    let (seat, round) = (Seat::ALL[dice.below(4)], Seat::ALL[dice.below(4)]);
    let from = seat.neighbour([Side::Left, Side::Opposite, Side::Right][dice.below(3)]);
    let win = match dice.below(3) {
        0 => Win::SelfDraw,
        _ if dice.chance(2) && hand.count(hand.winning()) == 1 => Win::RobKong { from },
        _ => Win::Discard { from },
    };
    let mut at = Circumstances::new(seat, round, win);
    at.last_tile = dice.chance(2);
    let kong = hand.melds().any(Meld::is_kong);
    at.supplement = kong && win == Win::SelfDraw && dice.chance(30);
    // What only riichi knows; other rule sets ignore it.
    at.riichi = hand.is_concealed() && dice.chance(50);
    at.honba = dice.below(3) as u8;
    let indicator = face(dice.below(34));
    if hand.count(indicator) < Face::COPIES {
        at.dora_indicators = indicator.to_string().parse().unwrap();
    }
    at
}
