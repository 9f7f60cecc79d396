//! A rule file compiled into flat lists for scoring.

mod amounts;
mod build;
mod items;

use std::sync::{Arc, OnceLock};

pub(crate) use amounts::Points;
pub(super) use build::decided;
pub(crate) use items::{Item, Quick};

use super::{
    Circumstances, Facts, Halves, Indicators, Players, Responsible, SessionRules, Terms,
    TournamentRules, UnitName,
    combining::Combining,
    deal::DealRules,
    file::{BonusTiles, DoublingFile, Feeder, Field, LimitSum, SetFamily, StakesFile},
    pattern::{PatternSet, Predicate, RuleFacts},
    payment::Scheme,
    shapes::FewestFaan,
    sums::Sums,
};
use crate::{
    hand::{Forms, WonGroups},
    tile::Seats,
};

/// The compiled data for scoring.
#[derive(Debug)]
pub(crate) struct Core {
    pub bonus_tiles: BonusTiles,
    /// What patterns look at beside the hand.
    pub facts: RuleFacts,
    pub forms: Forms,
    /// The forms that a claimed tile completes too.
    pub claimed_forms: Forms,
    /// The most chows of sets and a pair, and the most suits of a hand.
    pub most_chows: u8,
    pub most_suits: u8,
    pub claimed_chows: bool,
    /// Whether a last tile counts for nothing beside a supplement tile or a robbed kong.
    pub last_tile_alone: bool,
    /// Whether nobody but the giver of the winning tile is liable.
    pub liable_giver: bool,
    /// Limit hands with flowers, sums of their own, hands that have not won.
    pub sums: Sums,
    /// The number of sets of a hand beside its pair.
    pub sets: u8,
    pub minimum: Halves,
    pub maximum: Halves,
    /// The faan shown for a limit hand; its score where this is left out.
    pub limit_faan: Option<Halves>,
    /// The score of a limit hand of value 1, where values of limit hands are multiples.
    pub limit_score: Option<Halves>,
    pub limit_together: LimitSum,
    pub limit_unit: UnitName,
    pub listed_first: bool,
    pub won_groups: WonGroups,
    pub red_fives: bool,
    pub flower_supplement: bool,
    pub three_players: bool,
    pub four_players: bool,
    pub terms: Option<Arc<Terms>>,
    pub session: SessionRules,
    pub tournament: Option<TournamentRules>,
    pub deal: Option<DealRules>,
    /// The fields that are used, a bit each.
    pub fields: u32,
    /// The facts of a win that count.
    pub counted: Facts,
    /// The facts that are checked for contradictions.
    pub checked: Facts,
    /// The score by faan in halves; the last for all above. Empty: the faan are the score.
    pub table: Vec<i32>,
    /// A score that rises evenly, in place of the table.
    pub stakes: Option<StakesFile>,
    /// The score of points and faan, in place of the table.
    pub doubling: Option<DoublingFile>,
    pub points: Option<Points>,
    /// The fewest faan by points, of a self-draw and of a claim, once they were asked for.
    pub fewest: OnceLock<[FewestFaan; 2]>,
    pub scheme: Scheme,
    pub liabilities: Vec<Liability>,
    pub items: Vec<Item>,
    /// The data of the same items that counting reads first.
    pub quick: Vec<Quick>,
    /// Items of limit hands, in the order of the file.
    pub limits: Vec<Item>,
    /// The item that counts in place of everything else where that scores less.
    pub instead: Option<Item>,
    /// The item that counts where nothing else does.
    pub nothing_else: Option<Item>,
    /// Fans that combine sets.
    pub combining: Option<Combining>,
    /// Items outside the minimum, those that take sets, and those that count what is left, by bit.
    pub outside: u64,
    pub takers: u64,
    pub leftover: u64,
    pub boxes: Vec<String>,
    /// Every pattern that an item or a limit hand looks at.
    pub wanted: PatternSet,
    /// The patterns of items, and those of limit hands.
    pub item_patterns: PatternSet,
    pub limit_patterns: PatternSet,
    /// The items of each pattern, by bit.
    pub items_of: [u64; 128],
}

#[derive(Debug)]
pub(crate) struct Liability {
    /// The description for people.
    pub about: String,
    pub condition: Condition,
    pub feeder: Feeder,
    pub self_draw: bool,
    pub claimed: bool,
    /// The limit hand, by its place, for whose part alone the feeder is liable.
    pub item: Option<usize>,
    /// Whether the feeder is liable for everything, with `item`.
    pub whole: bool,
    /// Whether concealed kongs are among the sets.
    pub concealed_kongs: bool,
}

#[derive(Debug)]
pub(crate) enum Condition {
    Pattern(Predicate),
    LastSetOf(SetFamily),
}

impl Core {
    /// Whether a field of a request counts here.
    pub(crate) const fn uses(&self, field: Field) -> bool {
        self.fields >> field as u32 & 1 == 1
    }

    /// The circumstances that this set uses; the others have their defaults.
    #[inline]
    pub(crate) fn used(&self, at: &Circumstances) -> Circumstances {
        let mut used = self.declared(at);
        used.supplement |= used.kong_on_kong;
        used = used.with_facts(used.facts().among(self.counted));
        used.last_tile &= !(self.last_tile_alone && used.is_beside_last_tile());
        if !self.uses(Field::Minimum) {
            used.minimum = None;
        }
        if !self.uses(Field::Pao) {
            used.pao = None;
        }
        used
    }

    /// The circumstances without those that only rule sets with riichi know: elsewhere they are not even
    /// checked for contradictions.
    #[inline]
    pub(crate) fn declared(&self, at: &Circumstances) -> Circumstances {
        let mut declared = at.with_facts(at.facts().among(self.checked));
        if !self.uses(Field::DoraIndicators) {
            declared.dora_indicators = Indicators::NONE;
        }
        if !self.uses(Field::UraIndicators) {
            declared.ura_indicators = Indicators::NONE;
        }
        if !self.uses(Field::Honba) {
            declared.honba = 0;
        }
        if !self.uses(Field::Sticks) {
            declared.sticks = None;
        }
        if !self.uses(Field::Responsible) {
            declared.responsible = Responsible::Giver;
        }
        if !self.uses(Field::North) {
            declared.north = 0;
        }
        if !self.four_players {
            declared.players = Players::Three;
        }
        if !self.uses(Field::Won) {
            declared.won = Seats::NONE;
        }
        if !self.uses(Field::Missing) {
            declared.missing_suit = None;
        }
        declared
    }

    /// The score of a total in faan, and of the points where these choose it too.
    #[inline]
    pub(crate) fn score(&self, faan: Halves, points: u32) -> Halves {
        if let Some(doubling) = &self.doubling {
            return Halves::whole(doubling.score(faan.0.max(0) as u32 / 2, points) as i32);
        }
        match self.table.last() {
            None => self.stakes.map_or(faan, |stakes| stakes.score(faan)),
            Some(&top) => Halves(self.table.get(faan.0 as usize).copied().unwrap_or(top)),
        }
    }
}
