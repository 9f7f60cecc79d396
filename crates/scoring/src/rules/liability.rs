//! The players who are liable for a hand, and for which part of its score.

use super::Halves;
use crate::tile::Seat;

/// The liable players with their parts of a score, and the rule set's liabilities that apply.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Liable {
    pub parts: [(Seat, Halves); 4],
    because: [u8; 4],
    pub count: usize,
    /// Whether another player, who gave an earlier set, would be liable for everything too.
    over_another: bool,
}

impl Liable {
    pub(crate) const NOBODY: Self = Self::of([(Seat::East, Halves::ZERO); 4], 0);

    /// Whether anybody is liable.
    pub(crate) const fn is_anybody(&self) -> bool {
        self.count > 0
    }

    /// One player for everything.
    pub(crate) const fn whole(feeder: Seat, score: Halves) -> Self {
        Self::of([(feeder, score); 4], 1)
    }

    const fn of(parts: [(Seat, Halves); 4], count: usize) -> Self {
        Self { parts, because: [u8::MAX; 4], count, over_another: false }
    }

    /// The last part is due to the liability of this place in the file.
    pub(crate) fn because(mut self, liability: usize) -> Self {
        let last = self.count.saturating_sub(1);
        self.because[last] = u8::try_from(liability).unwrap_or(u8::MAX);
        self
    }

    /// Notes whether it goes before another player's.
    pub(crate) fn over_another(self, over_another: bool) -> Self {
        Self { over_another, ..self }
    }

    /// Whether it goes before the liability of another player, who gave an earlier set.
    pub(crate) fn goes_before_another(&self) -> bool {
        self.over_another
    }

    /// The liability (its place in the file) by which a player is liable.
    pub(crate) fn liability_of(&self, feeder: Seat) -> Option<usize> {
        let parts = self.parts.iter().zip(self.because).take(self.count);
        let mut own = parts.filter(|((seat, _), because)| *seat == feeder && *because != u8::MAX);
        own.next().map(|(_, because)| usize::from(because))
    }

    pub(crate) fn add(&mut self, feeder: Seat, part: Halves) {
        if let Some(slot) = self.parts.get_mut(self.count) {
            *slot = (feeder, part);
            self.count += 1;
        }
    }
}
