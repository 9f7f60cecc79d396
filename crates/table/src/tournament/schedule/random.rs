//! Numbers for the searches: the same ones on every machine and in every version.

use rand_xoshiro::{
    Xoshiro256PlusPlus,
    rand_core::{Rng, SeedableRng},
};

/// A stream of numbers that depends on its seed alone.
pub(super) struct Stream(Xoshiro256PlusPlus);

impl Stream {
    pub(super) fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A number below `bound`, which is not 0.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.0.next_u64()) * bound as u128) >> 64) as usize
    }

    /// Whether something with the chance `share` of 2³² happens.
    pub(super) fn happens(&mut self, share: u64) -> bool {
        (self.0.next_u64() >> 32) < share
    }

    /// Puts things in a random order.
    pub(super) fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last + 1));
        }
    }
}

/// The chance that a search accepts a worse state: it falls to zero at the end. The chances
/// are whole numbers, so that every machine decides alike.
pub(super) struct Cooling {
    step: u64,
    steps: u64,
    /// The chance of accepting a state that is worse by one, out of 2³².
    chance: u64,
    /// For costs of several sizes: the extra cost that is accepted half the time, at first and at
    /// last.
    between: Option<(u64, u64)>,
}

impl Cooling {
    /// Cools over `steps` steps.
    pub(super) const fn over(steps: u64) -> Self {
        Self { step: 0, steps, chance: 0, between: None }
    }

    /// Cools over `steps` steps from one extra cost to another, both powers of two: a state that is worse by
    /// that cost is accepted half the time.
    pub(super) const fn between(hot: u64, cold: u64, steps: u64) -> Self {
        Self { step: 0, steps, chance: hot, between: Some((hot, cold)) }
    }

    /// Goes one step on; `false` at the end.
    pub(super) fn goes_on(&mut self) -> bool {
        const WARMEST: u64 = 1 << 30;
        self.step += 1;
        if let Some((hot, cold)) = self.between {
            // Halved as often as it takes, in between along a straight line.
            let halvings = u64::from(hot.max(1).ilog2().saturating_sub(cold.max(1).ilog2())).max(1);
            let length = (self.steps / halvings).max(1);
            let (whole, part) = (self.step / length, self.step % length);
            let now = hot >> whole.min(63);
            self.chance = (now - now / 2 * part / length).max(cold);
        } else if self.step <= self.steps {
            self.chance = WARMEST / self.steps * (self.steps - self.step);
        }
        self.step <= self.steps
    }

    /// Whether to accept a state that is worse by `worse`.
    pub(super) fn takes(&self, worse: i64, stream: &mut Stream) -> bool {
        if worse <= 0 {
            return true;
        }
        if self.between.is_some() {
            // 2 to the power of minus `worse` in sizes, by a straight line between whole powers.
            let sizes = u128::from(worse.cast_unsigned()) * 256 / u128::from(self.chance.max(1));
            let whole = u64::try_from(sizes / 256).unwrap_or(u64::MAX);
            return whole < 32 && stream.happens(((512 - (sizes % 256) as u64) << 23) >> whole);
        }
        let mut chance = self.chance;
        for _ in 1..worse {
            chance = (chance * self.chance) >> 32;
        }
        chance > 0 && stream.happens(chance)
    }
}
