//! The points that choose the score of a hand, and the fewest faan of a hand that has them: every shape of sets, pair and
//! wait is tried, without tiles. Only items that follow from the shape count, so that no possible worth is doubted.

use std::collections::BTreeMap;

use super::{
    Circumstances, Halves, RuleSet,
    compiled::{Core, Points},
    pattern::{
        CHOW_HAND, CONCEALED, FOUR_CONCEALED_PUNGS, FOUR_KONGS, FULLY_CONCEALED, PINFU, PUNG_HAND,
        PatternSet, SELF_DRAWN, SEVEN_PAIRS, THREE_CONCEALED_PUNGS, THREE_KONGS,
    },
};
use crate::hand::Form;

/// The fewest faan of a hand with some points, by the points.
pub(crate) type FewestFaan = BTreeMap<u32, Halves>;

/// A set without its tiles.
#[derive(Clone, Copy)]
struct SetShape {
    points: u32,
    pung: bool,
    kong: bool,
    /// Whether a tile of it came from another player, the winning tile included.
    open: bool,
}

/// A hand of sets without its tiles.
struct Shape<'a> {
    sets: &'a [SetShape],
    pair_points: u32,
    /// Whether the winning tile is in the middle of a chow, at its closed end, or in the pair.
    narrow: bool,
    /// Whether no set was claimed.
    concealed: bool,
    /// Whether the winning tile came from another player.
    claim: bool,
}

impl Shape<'_> {
    fn count(&self, is: impl Fn(&SetShape) -> bool) -> usize {
        self.sets.iter().filter(|set| is(set)).count()
    }

    /// Whether a hand can have this shape.
    fn exists(&self) -> bool {
        let open = self.count(|set| set.open);
        let won_on_pung = self.claim && !self.narrow;
        let completes = |set: &SetShape| !set.kong && set.open == (set.pung && self.claim);
        let fits = if self.concealed {
            open == 0
                || open == 1 && won_on_pung && self.count(|set| set.open && completes(set)) == 1
        } else {
            open > 0
        };
        // The pair can be completed in every hand, and the wait for it is narrow.
        fits && (self.narrow || self.sets.iter().any(completes))
    }

    /// The patterns that every hand of this shape has.
    fn patterns(&self) -> PatternSet {
        let pungs = self.count(|set| set.pung);
        let concealed_pungs = self.count(|set| set.pung && !set.open);
        let kongs = self.count(|set| set.kong);
        let two_sided = self.concealed && pungs == 0 && self.pair_points == 0 && !self.narrow;
        let of_sets = [
            (two_sided, PINFU),
            (pungs == 0, CHOW_HAND),
            (pungs == self.sets.len(), PUNG_HAND),
            (concealed_pungs >= 3, THREE_CONCEALED_PUNGS),
            (concealed_pungs == 4, FOUR_CONCEALED_PUNGS),
            (kongs >= 3, THREE_KONGS),
            (kongs == 4, FOUR_KONGS),
        ];
        let held = of_sets.iter().filter(|(holds, _)| *holds);
        held.fold(going_out(self.concealed, self.claim), |all, (_, pattern)| all | pattern)
    }

    /// The points of a hand of this shape.
    fn points(&self, rules: &Points, held: PatternSet) -> u32 {
        let self_drawn = !self.claim && held & rules.self_drawn_unless == 0;
        let parts = [
            (self_drawn, rules.self_drawn),
            (self.concealed && self.claim, rules.concealed_claimed),
            (self.narrow, rules.narrow_wait),
        ];
        let parts = parts.iter().filter(|(counts, _)| *counts).map(|(_, points)| points);
        let sets = self.sets.iter().map(|set| &set.points);
        let sum = rules.base + self.pair_points + parts.chain(sets).sum::<u32>();
        if self.concealed { sum } else { sum.max(rules.open_least) }
    }
}

/// The patterns of a way to go out.
const fn going_out(concealed: bool, claim: bool) -> PatternSet {
    match (concealed, claim) {
        (true, true) => CONCEALED,
        (true, false) => CONCEALED | SELF_DRAWN | FULLY_CONCEALED,
        (false, true) => 0,
        (false, false) => SELF_DRAWN,
    }
}

/// Calls `visit` with every choice of `left` more sets beside those chosen, in any order.
fn each_choice(
    kinds: &[SetShape],
    left: u8,
    chosen: &mut Vec<SetShape>,
    visit: &mut impl FnMut(&[SetShape]),
) {
    if left == 0 {
        return visit(chosen);
    }
    for (place, kind) in kinds.iter().enumerate() {
        chosen.push(*kind);
        each_choice(&kinds[place..], left - 1, chosen, visit);
        chosen.pop();
    }
}

impl Points {
    fn set_shapes(&self) -> Vec<SetShape> {
        let chow = |open| SetShape { points: 0, pung: false, kong: false, open };
        let mut all = vec![chow(true), chow(false)];
        for (kong, values) in [(false, &self.pung), (true, &self.kong)] {
            // Open and concealed take turns.
            let of = |(place, points): (usize, &u32)| SetShape {
                points: *points,
                pung: true,
                kong,
                open: place % 2 == 0,
            };
            all.extend(values.iter().enumerate().map(of));
        }
        all
    }

    /// The points of a win of sets and a pair by itself, and with each of those for its last tile.
    fn wins(&self) -> Vec<u32> {
        let mut all = Vec::new();
        for pair_completed in [0, self.pair_completed[0], self.pair_completed[1]] {
            all.extend([0, self.only_tile].map(|only| self.mah_jong + pair_completed + only));
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    fn pairs(&self) -> Vec<u32> {
        let winds = [self.own_wind_pair, self.round_wind_pair, self.both_winds_pair];
        let mut all = [&[0, self.dragon_pair], &winds[..]].concat();
        all.sort_unstable();
        all.dedup();
        all
    }
}

impl Core {
    /// The fewest faan of hands won on a tile of another player (`claim`) or self-drawn, by their points; `None` where
    /// points do not choose the score.
    pub(super) fn fewest_faan(&self, claim: bool) -> Option<&FewestFaan> {
        let points = self.points.as_ref().filter(|_| self.doubling.is_some())?;
        let of = |claim| self.fewest_of(points, claim);
        Some(&self.fewest.get_or_init(|| [of(false), of(true)])[usize::from(claim)])
    }

    fn fewest_of(&self, rules: &Points, claim: bool) -> FewestFaan {
        let mut fewest = FewestFaan::new();
        let mut add = |points: u32, form: Form, held: PatternSet| {
            if let Some(faan) = self.implied_faan(form, held) {
                let known = fewest.entry(points).or_insert(faan);
                *known = faan.min(*known);
            }
        };
        let most_flowers = if rules.bonus_tile == 0 { 0 } else { 8 };
        let (pairs, wins) = (rules.pairs(), rules.wins());
        each_choice(&rules.set_shapes(), self.sets, &mut Vec::new(), &mut |sets| {
            for &pair_points in &pairs {
                for (narrow, concealed) in
                    [(false, false), (false, true), (true, false), (true, true)]
                {
                    let shape = Shape { sets, pair_points, narrow, concealed, claim };
                    if !shape.exists() {
                        continue;
                    }
                    let held = shape.patterns();
                    for flowers in 0..=most_flowers {
                        for win in &wins {
                            let sum = shape.points(rules, held) + flowers * rules.bonus_tile + win;
                            add(sum.next_multiple_of(rules.rounded_up_to), Form::Sets, held);
                        }
                    }
                }
            }
        });
        if let Some(points) = rules.seven_pairs.filter(|_| self.forms.contains(Form::SevenPairs)) {
            add(points, Form::SevenPairs, SEVEN_PAIRS | going_out(true, claim));
        }
        fewest
    }

    /// The faan of the items that follow from some patterns; `None` for a limit hand, which shows no points.
    fn implied_faan(&self, form: Form, held: PatternSet) -> Option<Halves> {
        let follows = |needs: PatternSet, unless: PatternSet| needs & !held == 0 && unless == 0;
        if self.limit_score.is_some() && self.limits.iter().any(|it| follows(it.needs, it.unless)) {
            return None;
        }
        let concealed = usize::from(held & CONCEALED != 0);
        let items = self.quick.iter();
        let items = items.filter(|it| it.forms.contains(form) && follows(it.needs, it.unless));
        Some(Halves(items.map(|item| item.amounts[concealed]).sum()))
    }
}

impl RuleSet {
    /// The fewest faan of a hand with these points that was won like this; `None` where no hand has them, or where
    /// points do not choose the score.
    ///
    /// ```
    /// use tilelens_scoring::{rules::{Circumstances, RuleSet, Win}, tile::Seat};
    /// let rules = RuleSet::preset("riichi").unwrap();
    /// let at = Circumstances::new(Seat::South, Seat::East, Win::SelfDraw);
    /// // Seven pairs, fully concealed.
    /// assert_eq!(rules.fewest_faan(25, &at).unwrap().to_string(), "3");
    /// ```
    pub fn fewest_faan(&self, points: u32, at: &Circumstances) -> Option<Halves> {
        self.core.fewest_faan(at.win.is_claim())?.get(&points).copied()
    }
}
