//! The kinds of fans that combine sets, and which sets make them: a suit and a number each, as in the hand.

use crate::tile::{Face, Suit};

/// A way to combine sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FanKind {
    QuadrupleChow,
    FourPureShiftedChows,
    PureTerminalChows,
    ThreeSuitedTerminalChows,
    FourPureShiftedPungs,
    PureTripleChow,
    PureStraight,
    PureShiftedChows,
    MixedStraight,
    MixedTripleChow,
    MixedShiftedChows,
    PureShiftedPungs,
    TriplePung,
    MixedShiftedPungs,
    PureDoubleChow,
    MixedDoubleChow,
    ShortStraight,
    TwoTerminalChows,
    DoublePung,
}

/// Every kind, its name in rule files and its description; the fans of four first, then of three, of two.
pub(crate) const KINDS: [(FanKind, &str, &str); 19] = [
    (FanKind::QuadrupleChow, "quadruple_chow", "four equal chows"),
    (
        FanKind::FourPureShiftedChows,
        "four_pure_shifted_chows",
        "four chows of a suit, each one higher, or each two higher",
    ),
    (
        FanKind::PureTerminalChows,
        "pure_terminal_chows",
        "123 twice and 789 twice, and a pair of fives, of one suit",
    ),
    (
        FanKind::ThreeSuitedTerminalChows,
        "three_suited_terminal_chows",
        "123 and 789 in two suits, and a pair of fives of the third",
    ),
    (
        FanKind::FourPureShiftedPungs,
        "four_pure_shifted_pungs",
        "pungs of four numbers in a row of a suit",
    ),
    (FanKind::PureTripleChow, "pure_triple_chow", "three equal chows"),
    (FanKind::PureStraight, "pure_straight", "123, 456 and 789 of one suit"),
    (
        FanKind::PureShiftedChows,
        "pure_shifted_chows",
        "three chows of a suit, each one higher, or each two higher",
    ),
    (FanKind::MixedStraight, "mixed_straight", "123, 456 and 789 in three suits"),
    (FanKind::MixedTripleChow, "mixed_triple_chow", "the same chow in three suits"),
    (
        FanKind::MixedShiftedChows,
        "mixed_shifted_chows",
        "three chows in three suits, each one higher",
    ),
    (FanKind::PureShiftedPungs, "pure_shifted_pungs", "pungs of three numbers in a row of a suit"),
    (FanKind::TriplePung, "triple_pung", "pungs of a number in three suits"),
    (
        FanKind::MixedShiftedPungs,
        "mixed_shifted_pungs",
        "three pungs in three suits, each one higher",
    ),
    (FanKind::PureDoubleChow, "pure_double_chow", "two equal chows"),
    (FanKind::MixedDoubleChow, "mixed_double_chow", "the same chow in two suits"),
    (
        FanKind::ShortStraight,
        "short_straight",
        "two chows of a suit that run on, such as 234 and 567",
    ),
    (FanKind::TwoTerminalChows, "two_terminal_chows", "123 and 789 of a suit"),
    (FanKind::DoublePung, "double_pung", "pungs of a number in two suits"),
];

pub(super) fn two_chows(one: (u8, u8), other: (u8, u8)) -> Option<FanKind> {
    let apart = one.1.abs_diff(other.1);
    match (one.0 == other.0, apart) {
        (true, 0) => Some(FanKind::PureDoubleChow),
        (true, 3) => Some(FanKind::ShortStraight),
        (true, 6) => Some(FanKind::TwoTerminalChows),
        (false, 0) => Some(FanKind::MixedDoubleChow),
        _ => None,
    }
}

pub(super) fn two_pungs(one: (u8, u8), other: (u8, u8)) -> Option<FanKind> {
    (one.0 != other.0 && one.1 == other.1).then_some(FanKind::DoublePung)
}

/// The numbers of three sets, sorted, where these are of one suit (`true`) or of three (`false`).
fn suits_of_three([a, b, c]: [(u8, u8); 3]) -> Option<(bool, [u8; 3])> {
    let pure = a.0 == b.0 && b.0 == c.0;
    if !pure && (a.0 == b.0 || b.0 == c.0 || a.0 == c.0) {
        return None;
    }
    let mut numbers = [a.1, b.1, c.1];
    numbers.sort_unstable();
    Some((pure, numbers))
}

pub(super) fn three_chows(sets: [(u8, u8); 3]) -> Option<FanKind> {
    let (pure, [low, middle, high]) = suits_of_three(sets)?;
    let steps = (middle - low, high - middle);
    match (pure, steps) {
        (true, (0, 0)) => Some(FanKind::PureTripleChow),
        (true, (3, 3)) => Some(FanKind::PureStraight),
        (true, (1, 1) | (2, 2)) => Some(FanKind::PureShiftedChows),
        (false, (3, 3)) => Some(FanKind::MixedStraight),
        (false, (0, 0)) => Some(FanKind::MixedTripleChow),
        (false, (1, 1)) => Some(FanKind::MixedShiftedChows),
        _ => None,
    }
}

pub(super) fn three_pungs(sets: [(u8, u8); 3]) -> Option<FanKind> {
    let (pure, [low, middle, high]) = suits_of_three(sets)?;
    match (pure, (middle - low, high - middle)) {
        (true, (1, 1)) => Some(FanKind::PureShiftedPungs),
        (false, (0, 0)) => Some(FanKind::TriplePung),
        (false, (1, 1)) => Some(FanKind::MixedShiftedPungs),
        _ => None,
    }
}

pub(super) fn four_chows(sets: [(u8, u8); 4], pair: Face) -> Option<FanKind> {
    let suits = sets.map(|set| set.0);
    let numbers = sets.map(|set| set.1);
    let steps = [
        numbers[1].wrapping_sub(numbers[0]),
        numbers[2].wrapping_sub(numbers[1]),
        numbers[3].wrapping_sub(numbers[2]),
    ];
    let fives = pair.suit() != Suit::Honors && pair.number() == 5;
    let of_pair = (pair.index() / 9) as u8;
    if suits.iter().all(|&suit| suit == suits[0]) {
        return match steps {
            [0, 0, 0] => Some(FanKind::QuadrupleChow),
            [1, 1, 1] | [2, 2, 2] => Some(FanKind::FourPureShiftedChows),
            [0, 6, 0] if fives && of_pair == suits[0] => Some(FanKind::PureTerminalChows),
            _ => None,
        };
    }
    let two_suits = suits[0] == suits[1] && suits[2] == suits[3];
    (two_suits && numbers == [0, 6, 0, 6] && fives && !suits.contains(&of_pair))
        .then_some(FanKind::ThreeSuitedTerminalChows)
}

pub(super) fn four_pungs(sets: [(u8, u8); 4]) -> Option<FanKind> {
    let shifted = sets.windows(2).all(|two| two[0].0 == two[1].0 && two[1].1 == two[0].1 + 1);
    shifted.then_some(FanKind::FourPureShiftedPungs)
}
