//! Sets of faces and of chows as bits.

use crate::hand::MAJORS;

pub(super) const WINDS: u64 = 0b1111 << 27;
pub(super) const DRAGONS: u64 = 0b111 << 31;
pub(super) const HONORS: u64 = WINDS | DRAGONS;
pub(super) const TERMINALS: u64 = MAJORS & !HONORS;
pub(super) const SUIT: u64 = 0x1ff;
/// The green tiles: 2 3 4 6 8 bamboo and the green dragon.
pub(super) const GREENS: u64 = 0b010101110 << 18 | 1 << 32;
/// Tiles that look the same upside down.
pub(super) const REVERSIBLE: u64 = 0b110_011_111 << 9 | 0b110_111_010 << 18 | 1 << 31;
/// The lowest bit of each three that count a chow.
pub(super) const CHOW_UNITS: u64 = 0o1_111_111_111_111_111_111_111 & ((1 << 63) - 1);
/// The units of one suit.
pub(super) const CHOW_SUIT: u64 = 0o1_111_111;
/// Chows that begin with 1 or 7.
pub(super) const CHOW_ENDS: u64 = 0o1_000_001 | 0o1_000_001 << 21 | 0o1_000_001 << 42;
/// Every order of the three suits.
pub(super) const ORDERS: [[u32; 3]; 6] =
    [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

#[inline]
pub(super) const fn count(mask: u64) -> u8 {
    mask.count_ones() as u8
}

/// Whether a mask has at least `least` bits: quicker than to count them all where the processor has no
/// instruction for that.
#[inline]
pub(super) const fn at_least(mut mask: u64, least: u32) -> bool {
    let mut cleared = 1;
    while cleared < least {
        mask &= mask.wrapping_sub(1);
        cleared += 1;
    }
    mask != 0
}

#[inline]
pub(super) const fn byte_count(mask: u8) -> u8 {
    mask.count_ones() as u8
}
