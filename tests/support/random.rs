//! Random complete hands, always the same for the same seed.

#![allow(dead_code, reason = "tests and benchmarks use a part each")]

use tilelens::{
    hand::{Hand, Meld, MeldKind, Reading},
    rules::{Circumstances, Indicators, RuleSet, Win},
    tile::{Face, Seat, SeenFace, Side, Suit, Tile},
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

/// A complete hand of a number of sets and a pair, or at times of seven pairs.
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

/// Faces that a hand may be made of, so that fans of few kinds of tiles come up.
const PALETTES: [&str; 17] = [
    "19m19p19s",
    "19m19p19s1234567z",
    "1234567z",
    "1234z19m",
    "567z456p",
    "23468s6z",
    "1234589p245689s5z",
    "2468m2468p2468s",
    "123m123p123s",
    "456m456p456s",
    "789m789p789s",
    "1234m1234p1234s",
    "6789m6789p6789s",
    "123789m123789p5s",
    "34567m34567p34567s",
    "123456m",
    "3456789s",
];

/// The faces of a palette, by index.
fn palette(text: &str) -> Vec<usize> {
    let (mut faces, mut digits) = (Vec::new(), Vec::new());
    for letter in text.chars() {
        match "mpsz".find(letter) {
            None => digits.push(letter.to_digit(10).unwrap() as usize - 1),
            Some(suit) => faces.extend(digits.drain(..).map(|number| 9 * suit + number)),
        }
    }
    faces
}

/// What single tiles a hand of the rarer forms has, and no sets but one.
fn knitted_tiles(dice: &mut Dice) -> Vec<usize> {
    let mut order = [0, 1, 2];
    order.swap(0, dice.below(3));
    order.swap(1, 1 + dice.below(2));
    (0..3).flat_map(|suit| (0..3).map(move |step| 9 * suit + order[suit] + 3 * step)).collect()
}

/// Honors and knitted tiles, thirteen orphans, or a knitted straight with a set and a pair.
fn single_tiles_hand(dice: &mut Dice, claims: bool) -> Option<Hand> {
    let mut concealed = [0u8; Face::SET_FACES];
    let mut melds = Vec::new();
    match dice.below(5) {
        0 => {
            (0..34).filter(|&index| face(index).is_major()).for_each(|index| concealed[index] = 1);
            let doubled = any_of(dice, &concealed);
            concealed[doubled.index()] += 1;
        }
        1 | 2 => {
            let mut honors: Vec<usize> = (27..34).collect();
            let mut knitted = knitted_tiles(dice);
            for _ in 0..2 {
                let (out, from) = match dice.below(2) {
                    0 if honors.len() > 5 => (dice.below(honors.len()), &mut honors),
                    _ => (dice.below(knitted.len()), &mut knitted),
                };
                from.swap_remove(out);
            }
            honors.iter().chain(&knitted).for_each(|&index| concealed[index] = 1);
        }
        _ => {
            knitted_tiles(dice).into_iter().for_each(|index| concealed[index] = 1);
            let set = any_set(dice, None);
            match set.kind() {
                MeldKind::Chow | MeldKind::Pung if !claims => {
                    set.faces().for_each(|face| concealed[face.index()] += 1);
                }
                MeldKind::OpenKong if !claims => {
                    melds.push(Meld::alike(MeldKind::ConcealedKong, set.face(), None)?);
                }
                _ => melds.push(set),
            }
            concealed[dice.below(34)] += 2;
        }
    }
    let winning = any_of(dice, &concealed);
    Hand::new(concealed, &melds, 0, winning).ok()
}

/// Four sets and a pair, or seven pairs, of a palette.
fn palette_hand(dice: &mut Dice, claims: bool) -> Option<Hand> {
    let palette = palette(PALETTES[dice.below(PALETTES.len())]);
    let any = |dice: &mut Dice| palette[dice.below(palette.len())];
    let mut concealed = [0u8; Face::SET_FACES];
    let mut melds = Vec::new();
    if !claims && dice.chance(15) {
        (0..7).for_each(|_| concealed[any(dice)] += 2);
    } else {
        let claimed = if claims { 1 + dice.below(4) } else { 0 };
        let chows = dice.below(100);
        for place in 0..4 {
            let lowest = any(dice);
            let row = lowest < 27 && (1..3).all(|step| palette.contains(&(lowest + step)));
            let chow = Meld::chow(face(lowest), None).filter(|_| row && dice.chance(chows));
            let kind = match dice.below(6) {
                0 if place < claimed => MeldKind::OpenKong,
                1 => MeldKind::ConcealedKong,
                _ => MeldKind::Pung,
            };
            let set = chow.or_else(|| Meld::alike(kind, face(lowest), None))?;
            if place < claimed || set.is_kong() {
                melds.push(set);
            } else {
                set.faces().for_each(|face| concealed[face.index()] += 1);
            }
        }
        concealed[any(dice)] += 2;
    }
    if concealed.iter().any(|&count| count > 4) {
        return None;
    }
    let winning = any_of(dice, &concealed);
    Hand::new(concealed, &melds, 0, winning).ok()
}

/// A complete hand of any form, many of them of few kinds of tiles, some with flowers.
pub fn varied_hand(dice: &mut Dice) -> Hand {
    let claims = dice.chance(50);
    let hand = loop {
        let hand = match dice.below(10) {
            0 => single_tiles_hand(dice, claims),
            1..5 => palette_hand(dice, claims),
            _ => Some(complete_hand(dice, claims)),
        };
        if let Some(hand) = hand {
            break hand;
        }
    };
    if dice.chance(20) { with_flowers(dice, &hand) } else { hand }
}

/// How it was won, with the last visible tile now and then, where the hand does not contradict it.
pub fn varied_circumstances(dice: &mut Dice, hand: &Hand) -> Circumstances {
    let mut at = circumstances(dice, hand);
    let alone = hand.concealed()[hand.winning().index()] == 1;
    at.last_visible = alone && dice.chance(8);
    at.last_tile |= dice.chance(5);
    at
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

/// A complete hand that a rule set allows, of its own tiles and number of sets, and how it was won.
pub fn allowed_hand(dice: &mut Dice, rules: &RuleSet, claims: bool) -> (Hand, Circumstances) {
    loop {
        let hand = complete_hand_of(dice, rules.sets(), claims);
        let at = circumstances(dice, &hand);
        if rules.check(&hand, &at).is_ok() {
            return (hand, at);
        }
    }
}

/// A complete hand without flowers in which some fives are red, one in each suit at most.
pub fn riichi_hand(dice: &mut Dice) -> Hand {
    let hand = varied_hand(dice);
    let melds: Vec<Meld> = hand.melds().collect();
    let plain = Hand::new(*hand.concealed(), &melds, 0, hand.winning()).unwrap();
    with_red_fives(dice, &plain)
}

/// The hand with some of its fives red, one in each suit at most.
pub fn with_red_fives(dice: &mut Dice, plain: &Hand) -> Hand {
    let mut reading = Reading::from(plain);
    for suit in [Suit::Characters, Suit::Dots, Suit::Bamboo] {
        if !dice.chance(40) {
            continue;
        }
        let red = Tile::red_five(suit).unwrap();
        let five = SeenFace::Tile(Tile::new(red.face()));
        let in_sets = reading.sets.iter_mut().flat_map(|set| &mut set.tiles);
        let places = reading
            .concealed
            .iter_mut()
            .chain(&mut reading.winning)
            .chain(in_sets.map(|tile| &mut tile.face));
        let mut fives: Vec<&mut SeenFace> = places.filter(|seen| **seen == five).collect();
        let Some(last) = fives.len().checked_sub(1) else { continue };
        *fives[dice.below(last + 1)] = SeenFace::Tile(red);
    }
    Hand::try_from(&reading).unwrap()
}

/// One to five indicators of which the hand and these together hold no more than four alike.
fn indicators(dice: &mut Dice, held: &mut [u8; 34], number: usize) -> Indicators {
    let mut text = String::new();
    while text.len() < 2 * number {
        let index = dice.below(34);
        if held[index] < Face::COPIES {
            held[index] += 1;
            text.push_str(&face(index).to_string());
        }
    }
    text.parse().unwrap()
}

/// How a hand of riichi was won, everything that the rules know, without contradictions.
pub fn riichi_circumstances(dice: &mut Dice, hand: &Hand) -> Circumstances {
    let mut at = circumstances(dice, hand);
    at.riichi = hand.is_concealed() && dice.chance(50);
    at.double_riichi = at.riichi && dice.chance(15);
    at.riichi &= !at.double_riichi || dice.chance(50);
    at.ippatsu = at.in_riichi() && !at.on_supplement() && dice.chance(20);
    at.last_tile |= dice.chance(3);
    let no_set = hand.melds().next().is_none();
    if no_set && at.win == Win::SelfDraw && !at.in_riichi() && dice.chance(5) {
        (at.first_draw, at.last_tile) = (true, false);
    }
    let mut held = [0; 34];
    (0..34).for_each(|index| held[index] = hand.count(face(index)));
    let number = if dice.chance(70) { 1 } else { 1 + dice.below(Indicators::MOST) };
    at.dora_indicators = indicators(dice, &mut held, number);
    at.ura_indicators = if at.in_riichi() && dice.chance(80) {
        indicators(dice, &mut held, number)
    } else {
        Indicators::default()
    };
    at.sticks = dice.chance(30).then(|| dice.below(5) as u16);
    at
}

/// Compares the engine with a naive scorer on random hands: `hands` of them that a rule set allows, with other
/// rulings after each hundred. `difference`: where both differ, as text.
pub fn compare_hands<Decided>(
    (mut dice, hands): (Dice, usize),
    rulings: impl Fn(&mut Dice) -> Decided,
    rules: impl Fn(&Decided) -> &RuleSet,
    random: impl Fn(&mut Dice) -> (Hand, Circumstances),
    difference: impl Fn(&Hand, &Circumstances, &Decided) -> Option<String>,
) {
    let mut different = Vec::new();
    let mut tried = 0;
    let mut decided = rulings(&mut dice);
    while tried < hands {
        if tried % 100 == 0 {
            decided = rulings(&mut dice);
        }
        let (hand, at) = random(&mut dice);
        if rules(&decided).check(&hand, &at).is_ok() {
            tried += 1;
            different.extend(difference(&hand, &at, &decided));
        }
    }
    let first = different[..different.len().min(10)].join("\n");
    assert!(different.is_empty(), "{} differ:\n{first}", different.len());
}
