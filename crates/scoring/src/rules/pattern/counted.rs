//! The patterns without a bit.

use super::{
    EarningTiles, Pattern,
    masks::{DRAGONS, WINDS, at_least, count},
    predicates::{
        all_copies, claimed_kongs, concealed_pungs_or_claimed_kongs, flower_of,
        four_pure_shifted_pungs, little_triple_pung, only_numbers, paid_pairs, squirming_snake,
    },
};
use crate::{hand::Form, rules::Win, tile::Seat};

use EarningTiles::{Bonus, EachFace, Norths, Pungs, PungsAndPair, Whole, Winning};

/// Patterns without a bit, which are counted for each item that has one: an item may be one, no condition may
/// name one.
pub(crate) static COUNTED: &[Pattern] = &[
    Pattern {
        name: "dragon_or_own_wind_pung",
        about: "pung or kong of a dragon or of the own wind",
        count: |v| count(v.pungs() & (DRAGONS | v.own_wind())),
        evidence: Pungs(|v| v.pungs() & (DRAGONS | v.own_wind())),
    },
    Pattern {
        name: "shared_wind_pung",
        about: "pung or kong of a wind that everybody may count as his own",
        count: |v| count(v.pungs() & v.shared_winds()),
        evidence: Pungs(|v| v.pungs() & v.shared_winds()),
    },
    Pattern {
        name: "little_three_winds",
        about: "two wind pungs and a pair of another wind",
        count: |v| {
            let two = v.is(Form::Sets) && count(v.pungs() & WINDS) == 2;
            u8::from(two && v.pair() & WINDS != 0)
        },
        evidence: PungsAndPair(|v| v.pungs() & WINDS),
    },
    Pattern {
        name: "four_identical_chows",
        about: "four chows alike",
        count: |v| u8::from(v.four_alike_chow()),
        evidence: Whole,
    },
    Pattern {
        name: "little_triple_pung",
        about: "pungs of the same number in two suits and a pair of it in the third",
        count: |v| u8::from(little_triple_pung(v) != 0),
        evidence: PungsAndPair(little_triple_pung),
    },
    Pattern {
        name: "four_pure_shifted_pungs",
        about: "four pungs of one suit, each one higher",
        count: |v| u8::from(four_pure_shifted_pungs(v) != 0),
        evidence: Pungs(four_pure_shifted_pungs),
    },
    Pattern {
        name: "two_kongs",
        about: "two or more kongs",
        count: |v| u8::from(at_least(v.kongs(), 2)),
        evidence: Pungs(|v| v.kongs()),
    },
    Pattern {
        name: "north_aside",
        about: "Norths put aside",
        count: |v| v.at.north,
        evidence: Norths,
    },
    Pattern {
        name: "own_flower_and_season",
        about: "the flower and the season of the own wind",
        count: |v| {
            let own = flower_of(v.at.seat) | flower_of(v.at.seat) << 4;
            u8::from(v.bonus & own == own)
        },
        evidence: Bonus(|v| v.bonus & (flower_of(v.at.seat) | flower_of(v.at.seat) << 4)),
    },
    Pattern {
        name: "concealed_or_claimed_kongs",
        about: "no claimed set but kongs claimed for three concealed tiles",
        count: |v| u8::from(v.hand.tally().claimed == count(claimed_kongs(v))),
        evidence: Whole,
    },
    Pattern {
        name: "three_concealed_pungs_or_claimed_kongs",
        about: "three or more concealed pungs, kongs claimed for three concealed tiles among them",
        count: |v| u8::from(at_least(concealed_pungs_or_claimed_kongs(v), 3)),
        evidence: Pungs(concealed_pungs_or_claimed_kongs),
    },
    Pattern {
        name: "four_concealed_pungs_or_claimed_kongs",
        about: "four concealed pungs, kongs claimed for three concealed tiles among them",
        count: |v| u8::from(at_least(concealed_pungs_or_claimed_kongs(v), 4)),
        evidence: Pungs(concealed_pungs_or_claimed_kongs),
    },
    Pattern {
        name: "no_points",
        about: "no pung or kong, and a pair without points",
        count: |v| u8::from(v.is(Form::Sets) && v.pungs() == 0 && v.pair() & paid_pairs(v) == 0),
        evidence: Whole,
    },
    Pattern {
        name: "squirming_snake",
        about: "one suit: pungs of 1 and 9, a pair of 2, 5 or 8, two chows of the others",
        count: |v| u8::from(squirming_snake(v)),
        evidence: Whole,
    },
    Pattern {
        name: "gates_of_heaven",
        about: "111, 999 and 2 to 8 of one suit, concealed, and one more of 2 to 8",
        count: |v| u8::from(v.is(Form::Gates)),
        evidence: Whole,
    },
    Pattern {
        name: "wriggling_snake",
        about: "1 to 9 of one suit, a second 1, and the four winds",
        count: |v| u8::from(v.is(Form::Snake)),
        evidence: Whole,
    },
    Pattern {
        name: "knitted_pairs",
        about: "seven pairs of equal numbers, each from the same two suits",
        count: |v| u8::from(v.is(Form::KnittedPairs)),
        evidence: Whole,
    },
    Pattern {
        name: "knitted_threes",
        about: "four threes of equal numbers from the three suits, and a pair from two",
        count: |v| u8::from(v.is(Form::KnittedThrees)),
        evidence: Whole,
    },
    Pattern {
        name: "major_pairs",
        about: "seven pairs of terminals and honors",
        count: |v| u8::from(v.is(Form::MajorPairs)),
        evidence: Whole,
    },
    Pattern {
        name: "won_on_one_dot",
        about: "the winning tile is the one of dots",
        count: |v| u8::from(v.hand.winning().index() == 9),
        evidence: Winning,
    },
    Pattern {
        name: "won_on_five_dots",
        about: "the winning tile is the five of dots",
        count: |v| u8::from(v.hand.winning().index() == 13),
        evidence: Winning,
    },
    Pattern {
        name: "won_on_two_bamboo",
        about: "the winning tile is the two of bamboo",
        count: |v| u8::from(v.hand.winning().index() == 19),
        evidence: Winning,
    },
    Pattern {
        name: "original_call",
        about: "a ready hand was declared before the first own discard, and kept",
        count: |v| u8::from(v.at.original_call),
        evidence: Whole,
    },
    Pattern {
        name: "ninth_east_win",
        about: "East's ninth win in a row",
        count: |v| u8::from(v.at.ninth_east_win && v.at.seat == Seat::East),
        evidence: Whole,
    },
    Pattern {
        name: "kong_discard",
        about: "on the discard that followed the giver's kong",
        count: |v| u8::from(v.at.kong_discard),
        evidence: Winning,
    },
    Pattern {
        name: "last_tile_or_discard",
        about: "on the last tile of the wall, or on the last discard",
        count: |v| u8::from(v.at.last_tile && !matches!(v.at.win, Win::RobKong { .. })),
        evidence: Winning,
    },
    Pattern {
        name: "all_copies",
        about: "each four of a tile, kongs too",
        count: |v| count(all_copies(v)),
        evidence: EachFace(all_copies),
    },
    Pattern {
        name: "every_set_laid_apart",
        about: "every set claimed or a declared kong",
        count: |v| u8::from(v.hand.tally().melds == v.hand.sets()),
        evidence: Whole,
    },
    Pattern {
        name: "pungs_of_258",
        about: "pungs and a pair of 2, 5 and 8",
        count: |v| u8::from(v.is(Form::Sets) && v.chows() == 0 && only_numbers(v, 0b010_010_010)),
        evidence: Whole,
    },
];
