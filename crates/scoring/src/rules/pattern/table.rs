//! The patterns that have a bit: those that conditions may name, and most of those that items name.

use super::{
    EarningTiles, Pattern, PatternSet,
    masks::{
        CHOW_ENDS, DRAGONS, GREENS, HONORS, REVERSIBLE, TERMINALS, WINDS, at_least, byte_count,
        count,
    },
    predicates::{
        all_connected, dora, dora_faces, double_pung, flower_of, gates, identical_chows,
        is_rare_win, knitted_tiles, mixed_shifted_chows, mixed_shifted_pungs, mixed_straight,
        mixed_triple_chow, numbers, only_numbers, pinfu, pure_shifted_chows, pure_shifted_pungs,
        pure_straight, seven_shifted_pairs, shown_by_own_sets, tile_hogs, triple_pung,
    },
    view::{NarrowWait, View},
};
use crate::{
    hand::{Form, MAJORS, WonGroup},
    rules::Win,
    tile::Seat,
};

use EarningTiles::{
    Bonus, Chows, EachFace, Faces, Pair, Pungs, PungsAndPair, RedFives, Whole, Winning,
};

/// The bits of these patterns.
macro_rules! bits_of {
    ($($name:ident)*) => { (0 $(| 1 << Place::$name as u32)*) };
}

// Patterns are in groups. A group costs nothing where the rule set uses no pattern of it, and little where
// its condition, which all its patterns require, does not hold.
macro_rules! patterns {
    ($(if |$reading:ident| $may_have:expr => {
        $($name:ident $evidence:expr, $about:literal, |$view:ident| $count:expr;)*
    })*) => {
        #[expect(non_camel_case_types, reason = "named as the patterns are")]
        pub(super) enum Place {
            $($($name,)*)*
        }

        /// Every pattern, by name.
        pub(crate) static PATTERNS: &[Pattern] = &[$($(
            Pattern {
                name: stringify!($name),
                about: $about,
                count: {
                    fn predicate($view: &View) -> u8 {
                        u8::from($count)
                    }
                    predicate
                },
                evidence: $evidence,
            },
        )*)*];

        /// Which of the wanted patterns a reading has: all predicates in one straight run, which
        /// is several times as fast as a call for each. Whether a pattern is wanted is the same for
        /// every hand, so that branch costs nothing; whether a hand has it varies, and takes no branch.
        #[inline]
        pub(crate) fn held(view: &View, wanted: PatternSet) -> PatternSet {
            let mut held = 0;
            $(
                let group: PatternSet = bits_of!($($name)*);
                if wanted & group != 0 && { let $reading = view; $may_have } {
                    $(
                        let bit: PatternSet = 1 << Place::$name as u32;
                        if wanted & bit != 0 {
                            let found = { let $view = view; u8::from($count) != 0 };
                            held |= PatternSet::from(found) << Place::$name as u32;
                        }
                    )*
                }
            )*
            held
        }
    };
}

/// Patterns that depend on the group which the winning tile completes.
pub(crate) const OF_WINNING_GROUP: PatternSet = bits_of!(
    pinfu completes_pair sole_edge_wait sole_closed_wait sole_single_wait
    two_sided_wait narrow_wait sole_narrow_wait
);

/// Patterns that follow from the kinds of a hand's sets, its pair and its wait, whatever its tiles are.
pub(crate) const CONCEALED: PatternSet = bits_of!(concealed);
pub(crate) const SELF_DRAWN: PatternSet = bits_of!(self_drawn);
pub(crate) const FULLY_CONCEALED: PatternSet = bits_of!(fully_concealed);
pub(crate) const PINFU: PatternSet = bits_of!(pinfu);
pub(crate) const CHOW_HAND: PatternSet = bits_of!(chow_hand);
pub(crate) const PUNG_HAND: PatternSet = bits_of!(pung_hand no_chows);
pub(crate) const THREE_CONCEALED_PUNGS: PatternSet = bits_of!(three_concealed_pungs);
pub(crate) const FOUR_CONCEALED_PUNGS: PatternSet = bits_of!(four_concealed_pungs);
pub(crate) const THREE_KONGS: PatternSet = bits_of!(three_kongs);
pub(crate) const FOUR_KONGS: PatternSet = bits_of!(four_kongs);
pub(crate) const SEVEN_PAIRS: PatternSet = bits_of!(seven_pairs no_chows);

patterns! {
    // Pungs and pairs of honors.
    if |v| (v.pungs() | v.pair()) & HONORS != 0 => {
        dragon_pung Pungs(|v| v.pungs() & DRAGONS), "pung or kong of a dragon",
            |v| count(v.pungs() & DRAGONS);
        wind_pung Pungs(|v| v.pungs() & WINDS), "pung or kong of a wind",
            |v| count(v.pungs() & WINDS);
        own_wind_pung Pungs(|v| v.pungs() & v.own_wind()), "pung or kong of the own wind",
            |v| count(v.pungs() & v.own_wind());
        round_wind_pung Pungs(|v| v.pungs() & v.round_wind()), "pung or kong of the round's wind",
            |v| count(v.pungs() & v.round_wind());
        little_three_dragons PungsAndPair(|v| v.pungs() & DRAGONS), "two dragon pungs and a pair of the third",
            |v| count(v.pungs() & DRAGONS) == 2 && v.pair() & DRAGONS != 0;
        big_three_dragons Pungs(|v| v.pungs() & DRAGONS), "pungs of all three dragons",
            |v| v.pungs() & DRAGONS == DRAGONS;
        little_four_winds PungsAndPair(|v| v.pungs() & WINDS), "three wind pungs and a pair of the fourth",
            |v| count(v.pungs() & WINDS) == 3 && v.pair() & WINDS != 0;
        big_four_winds Pungs(|v| v.pungs() & WINDS), "pungs of all four winds",
            |v| v.pungs() & WINDS == WINDS;
        own_wind_pair Pair, "a pair of the own wind", |v| v.is(Form::Sets) && v.pair() & v.own_wind() != 0;
        round_wind_pair Pair, "a pair of the round's wind", |v| v.is(Form::Sets) && v.pair() & v.round_wind() != 0;
        dragon_pair Pair, "a pair of dragons", |v| v.is(Form::Sets) && v.pair() & DRAGONS != 0;
        two_dragon_pungs Pungs(|v| v.pungs() & DRAGONS), "two or more dragon pungs",
            |v| at_least(v.pungs() & DRAGONS, 2);
        three_wind_pungs Pungs(|v| v.pungs() & WINDS), "three or more wind pungs",
            |v| at_least(v.pungs() & WINDS, 3);
    }
    // Chows.
    if |v| v.chows() != 0 => {
        same_chow_in_three_suits Chows(mixed_triple_chow), "the same chow in all three suits",
            |v| mixed_triple_chow(v) != 0;
        two_identical_chows Chows(identical_chows), "two chows alike", |v| v.chows_twice() != 0;
        two_identical_chows_twice Chows(identical_chows), "two chows alike, and two more; four alike too",
            |v| at_least(v.chows_twice(), 2) | v.four_alike_chow();
        identical_chow_pairs Chows(identical_chows), "each disjoint pair of equal chows",
            |v| count(v.chows_twice()) + u8::from(v.four_alike_chow());
        three_identical_chows Chows(|v| v.chows() & (v.chows_thrice() * 7)), "three chows alike", |v| v.chows_thrice() != 0;
        pure_straight Chows(pure_straight), "123, 456 and 789 of one suit", |v| pure_straight(v) != 0;
        mixed_straight Chows(mixed_straight), "123, 456 and 789 in three suits", |v| mixed_straight(v) != 0;
        mixed_shifted_chows Chows(mixed_shifted_chows), "three chows in three suits, each one higher",
            |v| mixed_shifted_chows(v) != 0;
        pure_shifted_chows Chows(pure_shifted_chows), "three chows of one suit, each one higher",
            |v| pure_shifted_chows(v) != 0;
        four_claimed_chows Chows(|v| v.hand.tally().chows), "four claimed chows",
            |v| v.is(Form::Sets) && v.arrangement.own_chows == 0 && v.pungs() == 0;
    }
    // Pungs and kongs.
    if |v| v.pungs() != 0 => {
        triple_pung Pungs(triple_pung), "pungs of the same number in all three suits", |v| triple_pung(v) != 0;
        double_pung Pungs(double_pung), "pungs of the same number in two suits", |v| double_pung(v) != 0;
        mixed_shifted_pungs Pungs(mixed_shifted_pungs), "three pungs in three suits, each one higher",
            |v| mixed_shifted_pungs(v) != 0;
        pure_shifted_pungs Pungs(pure_shifted_pungs), "three pungs of one suit, each one higher",
            |v| pure_shifted_pungs(v) != 0;
        concealed_pungs Pungs(|v| v.arrangement.concealed_pungs), "concealed pungs and kongs",
            |v| count(v.arrangement.concealed_pungs);
        three_concealed_pungs Pungs(|v| v.arrangement.concealed_pungs), "three or more concealed pungs",
            |v| at_least(v.arrangement.concealed_pungs, 3);
        four_concealed_pungs Pungs(|v| v.arrangement.concealed_pungs), "four concealed pungs",
            |v| at_least(v.arrangement.concealed_pungs, 4) & !at_least(v.arrangement.concealed_pungs, 5);
        five_concealed_pungs Pungs(|v| v.arrangement.concealed_pungs), "five concealed pungs",
            |v| at_least(v.arrangement.concealed_pungs, 5);
        two_concealed_pungs Pungs(|v| v.arrangement.concealed_pungs), "two or more concealed pungs",
            |v| at_least(v.arrangement.concealed_pungs, 2);
        terminal_or_wind_pung Pungs(|v| v.pungs() & (TERMINALS | WINDS)), "pung or kong of a 1, a 9 or a wind",
            |v| count(v.pungs() & (TERMINALS | WINDS));
    }
    // Kongs.
    if |v| v.kongs() != 0 => {
        kongs Pungs(|v| v.kongs()), "kongs", |v| count(v.kongs());
        three_kongs Pungs(|v| v.kongs()), "three or more kongs", |v| at_least(v.kongs(), 3);
        four_kongs Pungs(|v| v.kongs()), "four kongs", |v| count(v.kongs()) == 4;
        any_kong Pungs(|v| v.kongs()), "a kong", |v| v.kongs() != 0;
        melded_kong Pungs(|v| v.hand.tally().open_kongs), "a melded kong", |v| v.hand.tally().open_kongs != 0;
        concealed_kong Pungs(|v| v.hand.tally().concealed_kongs), "a concealed kong",
            |v| v.hand.tally().concealed_kongs != 0;
        two_melded_kongs Pungs(|v| v.kongs()), "two kongs, both melded",
            |v| count(v.kongs()) == 2 && v.hand.tally().concealed_kongs == 0;
        melded_and_concealed_kong Pungs(|v| v.kongs()), "two kongs, one melded and one concealed",
            |v| count(v.hand.tally().open_kongs) == 1 && count(v.hand.tally().concealed_kongs) == 1;
        two_concealed_kongs Pungs(|v| v.kongs()), "two kongs, both concealed",
            |v| count(v.kongs()) == 2 && v.hand.tally().open_kongs == 0;
    }
    // The kinds of groups.
    if |_view| true => {
        chow_hand Whole, "every set a chow, and a pair", |v| v.is(Form::Sets) & (v.pungs() == 0);
        pung_hand Whole, "every set a pung or kong, and a pair", |v| v.is(Form::Sets) & (v.chows() == 0);
        no_chows Whole, "no chow", |v| v.chows() == 0;
        chows_and_suit_pair Whole, "four chows, or a knitted straight and a chow, and a pair of a suit",
            |v| matches!(v.arrangement.form, Form::Sets | Form::KnittedStraight)
                && v.pungs() == 0 && v.pair() & HONORS == 0;
        any_hand Whole, "any complete hand", |_view| true;
    }
    // Terminals and honors in every group.
    if |v| v.chow_kinds() & !CHOW_ENDS == 0 => {
        terminal_or_honor_in_each_set Whole, "a terminal or honor in every set and the pair",
            |v| v.is(Form::Sets) && v.chow_kinds() & !CHOW_ENDS == 0 && (v.pungs() | v.pair()) & !MAJORS == 0;
        majors_in_each_group Whole, "a terminal or honor in every set and the pair, or in each of seven pairs",
            |v| match v.arrangement.form {
                Form::Sets => v.chow_kinds() & !CHOW_ENDS == 0 && (v.pungs() | v.pair()) & !MAJORS == 0,
                _ => v.present() & !MAJORS == 0,
            };
        terminal_in_each_set Whole, "a terminal in every set and the pair",
            |v| v.is(Form::Sets) && v.chow_kinds() & !CHOW_ENDS == 0 && (v.pungs() | v.pair()) & !TERMINALS == 0;
    }
    // Which tiles there are.
    if |_view| true => {
        no_honors Whole, "no honors", |v| v.present() & HONORS == 0;
        all_simples Whole, "no terminals, no honors", |v| v.present() & MAJORS == 0;
        all_terminals_and_honors Whole, "terminals and honors only", |v| v.present() & !MAJORS == 0;
        all_terminals Whole, "terminals only", |v| v.present() & !TERMINALS == 0;
        all_types Whole, "all three suits, winds and dragons",
            |v| v.suits() == 3 && v.present() & WINDS != 0 && v.present() & DRAGONS != 0;
        two_suits Whole, "two suits, no honors", |v| v.suits() == 2 && v.present() & HONORS == 0;
        one_suit_missing Whole, "two suits, with honors or without", |v| v.suits() == 2;
        tile_hog Faces(tile_hogs), "four alike, not in a kong", |v| tile_hogs(v) != 0;
        four_alike EachFace(tile_hogs), "each four alike, not in a kong", |v| count(tile_hogs(v));
        green_dragon Faces(|_| 1 << 32), "a green dragon", |v| v.present() >> 32 & 1 == 1;
        reversible_tiles Whole, "tiles that look the same upside down: 1234589 dots, 245689 bamboo, white dragon",
            |v| v.present() & !REVERSIBLE == 0;
    }
    // One suit at most.
    if |v| v.suits() <= 1 => {
        all_honors Whole, "honors only", |v| v.present() & !HONORS == 0;
        one_suit_and_honors Whole, "one suit and honors", |v| (v.suits() == 1) & (v.present() & HONORS != 0);
        one_suit_or_honors Whole, "honors, and at most one suit", |v| v.suits() <= 1 && v.present() & HONORS != 0;
        one_suit_only Whole, "one suit only", |v| (v.suits() == 1) & (v.present() & HONORS == 0);
        one_suit Whole, "one suit, with honors or without", |v| v.suits() == 1;
        all_green Whole, "2 3 4 6 8 bamboo and green dragon only", |v| v.present() & !GREENS == 0;
        nine_gates Whole, "1112345678999 and one more of the suit, concealed", |v| gates(v, false);
        nine_gates_nine_sided Whole, "1112345678999 of a suit, then any tile of it", |v| gates(v, true);
    }
    // No honors, few numbers.
    if |v| v.present() & HONORS == 0 => {
        all_connected Whole, "one number in every set and the pair", |v| all_connected(v);
        three_numbers Whole, "at most three numbers, no honors",
            |v| v.present() & HONORS == 0 && count(numbers(v)) <= 3;
        all_even_pungs Whole, "pungs and a pair of 2, 4, 6 and 8",
            |v| v.is(Form::Sets) && v.chows() == 0 && only_numbers(v, 0b010_101_010);
        all_fives Whole, "a five in every set and the pair",
            |v| all_connected(v) && v.arrangement.pair.number() == 5;
        upper_tiles Whole, "7, 8 and 9 only", |v| only_numbers(v, 0b111_000_000);
        middle_tiles Whole, "4, 5 and 6 only", |v| only_numbers(v, 0b000_111_000);
        lower_tiles Whole, "1, 2 and 3 only", |v| only_numbers(v, 0b000_000_111);
        upper_four Whole, "6 to 9 only", |v| only_numbers(v, 0b111_100_000);
        lower_four Whole, "1 to 4 only", |v| only_numbers(v, 0b000_001_111);
    }
    // Other forms than sets.
    if |v| !v.is(Form::Sets) => {
        seven_pairs Whole, "seven pairs", |v| v.is(Form::SevenPairs);
        thirteen_orphans Whole, "one of each terminal and honor, and one more", |v| v.is(Form::ThirteenOrphans);
        knitted Whole, "147, 258, 369 in three suits, four honors and a second one of these", |v| v.is(Form::Knitted);
        seven_shifted_pairs Whole, "seven pairs of numbers in a row of one suit", |v| seven_shifted_pairs(v);
        greens_or_terminals_in_pairs Whole, "seven pairs of green tiles alone, or of terminals alone",
            |v| v.is(Form::SevenPairs) && (v.present() & !GREENS == 0 || v.present() & !TERMINALS == 0);
        knitted_straight Whole, "147, 258, 369 in three suits, with a set and a pair or with honors",
            |v| v.is(Form::KnittedStraight) || v.is(Form::HonorsAndKnitted) && knitted_tiles(v) == 9;
        honors_and_knitted_tiles Whole, "five to seven honors and knitted tiles, all different",
            |v| v.is(Form::HonorsAndKnitted);
        seven_honors_and_knitted_tiles Whole, "all seven honors and seven knitted tiles",
            |v| v.is(Form::HonorsAndKnitted) && knitted_tiles(v) == 7;
        pairs_and_pung Whole, "seven pairs and a pung", |v| v.is(Form::PairsAndPung);
        eight_flowers Bonus(|v| v.bonus), "all flowers and seasons, the last of them just drawn or taken",
            |v| v.is(Form::EightFlowers);
    }
    // Going out.
    if |_view| true => {
        concealed Whole, "no claimed set", |v| v.concealed();
        fully_concealed Whole, "no claimed set, and self-drawn", |v| v.concealed() & !v.at.win.is_claim();
        fully_exposed Whole, "every set claimed, the last tile claimed too",
            |v| (v.hand.tally().claimed == v.hand.sets()) & v.at.win.is_claim();
        four_claimed_sets Whole, "four claimed sets, no concealed kong", |v| v.hand.tally().claimed == 4;
        every_set_claimed Whole, "every set claimed, no concealed kong",
            |v| v.hand.tally().claimed == v.hand.sets();
        self_drawn Winning, "the last tile self-drawn", |v| !v.at.win.is_claim();
        from_east Winning, "East gave the last tile", |v| v.at.win.from() == Some(Seat::East);
        won_by_east Whole, "East won", |v| v.at.seat == Seat::East;
    }
    // Going out in a rare way.
    if |v| is_rare_win(v) => {
        last_tile_of_wall Winning, "on the last tile of the wall", |v| v.at.last_tile && !v.at.win.is_claim();
        last_discard Winning, "on the last discard", |v| v.at.last_tile && v.at.win.is_claim();
        supplement Winning, "on a supplement tile", |v| v.on_supplement();
        kong_on_kong Winning, "on the supplement of a second kong in one turn", |v| v.at.kong_on_kong;
        robbing_a_kong Winning, "by robbing a kong", |v| matches!(v.at.win, Win::RobKong { .. });
        last_of_its_kind Winning, "on a tile whose other three are visible to all",
            |v| v.at.last_visible || matches!(v.at.win, Win::RobKong { .. }) || shown_by_own_sets(v);
        heavenly_hand Whole, "East, with the dealt tiles",
            |v| (v.at.first_turn || v.at.first_draw && v.at.seat == Seat::East) && !v.at.win.is_claim();
        earthly_hand Whole, "another seat, on the first discard", |v| v.at.first_turn && v.at.win.is_claim();
        earthly_draw Whole, "another seat than East, on the first draw",
            |v| v.at.first_draw && v.at.seat != Seat::East;
    }
    // Flowers and seasons.
    if |v| v.bonus != 0 => {
        own_flower Bonus(|v| v.bonus & flower_of(v.at.seat)), "the flower of the own wind",
            |v| v.bonus & flower_of(v.at.seat) != 0;
        own_season Bonus(|v| v.bonus & flower_of(v.at.seat) << 4), "the season of the own wind",
            |v| v.bonus & flower_of(v.at.seat) << 4 != 0;
        all_flowers Bonus(|v| v.bonus & 0x0f), "all four flowers", |v| byte_count(v.bonus & 0x0f) == 4;
        all_seasons Bonus(|v| v.bonus & 0xf0), "all four seasons", |v| byte_count(v.bonus & 0xf0) == 4;
        bonus_tiles Bonus(|v| v.bonus), "flowers and seasons", |v| byte_count(v.bonus);
    }
    // No flowers and seasons.
    if |_view| true => {
        no_bonus_tile Whole, "no flower or season", |v| v.bonus == 0;
    }
    // Riichi.
    if |v| v.at.in_riichi() || v.at.ippatsu => {
        riichi Whole, "riichi was declared", |v| v.at.in_riichi();
        double_riichi Whole, "riichi, or a ready hand, was declared in the first go-around", |v| v.at.double_riichi;
        ippatsu Whole, "within a go-around after riichi", |v| v.at.ippatsu;
    }
    // Dora.
    if |_view| true => {
        dora Faces(|v| dora_faces(v, &v.at.dora_indicators)), "tiles that indicators point to",
            |v| dora(v, &v.at.dora_indicators);
        ura_dora Faces(|v| dora_faces(v, &v.at.ura_indicators)), "tiles that the indicators below point to",
            |v| dora(v, &v.at.ura_indicators);
        red_five RedFives, "red fives", |v| v.hand.red_fives();
    }
    // Which group the winning tile completes.
    if |_view| true => {
        pinfu Whole, "concealed, four chows, a pair that pays nothing, a two-sided wait", |v| pinfu(v);
        completes_pair Pair, "the winning tile completes the pair", |v| v.arrangement.won == WonGroup::Pair;
        sole_edge_wait Winning, "3 to 12 or 7 to 89, the only tile waited for", |v| v.sole(NarrowWait::Edge);
        sole_closed_wait Winning, "the middle of a chow, the only tile waited for", |v| v.sole(NarrowWait::Closed);
        sole_single_wait Winning, "the pair, the only tile waited for", |v| v.sole(NarrowWait::Pair);
        two_sided_wait Winning, "the winning tile at an open end of a chow", |v| v.two_sided_wait();
        narrow_wait Winning, "3 to 12, 7 to 89, the middle of a chow, or the pair",
            |v| v.is(Form::Sets) && v.narrow_wait().is_some();
        sole_narrow_wait Winning, "3 to 12, 7 to 89, the middle of a chow, or the pair, the only tile waited for",
            |v| v.is(Form::Sets) && v.narrow_wait().is_some() && v.sole_wait();
    }
}
