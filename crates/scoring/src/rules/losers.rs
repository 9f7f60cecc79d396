//! Hands that have not won: as they lie, or as hands that one tile would make a limit hand.

use serde::Serialize;

use super::{
    Circumstances, Halves, PointItem, RuleSet, ScoreError, ScoredItem, UnitName, Win,
    compiled::Core,
    counting::{Counted, bits},
    file::BonusTiles,
    pattern::{HandContext, PatternSet, View, held},
    scoring::{Rank, ReadingValue},
    sums::Losers,
};
use crate::{
    hand::{Hand, UnwonHand, completing_tiles, each_face},
    tile::Seat,
};

/// The hand of a player who has not won, and what it depends on.
#[derive(Clone, Copy, Debug)]
pub struct Loser<'a> {
    /// His tiles.
    pub hand: &'a UnwonHand,
    /// His own wind.
    pub seat: Seat,
    /// The wind of the round.
    pub round: Seat,
    /// Whether his hand is dead: it scores nothing.
    pub dead: bool,
    /// Whether he had declared that he waits for a limit hand.
    pub fishing: bool,
}

/// The score of a hand that has not won.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LoserScore {
    /// Its items.
    pub items: Vec<ScoredItem>,
    /// Its points, where it is counted by them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<u32>,
    /// The points one by one, where it is counted by them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point_items: Option<Vec<PointItem>>,
    /// Its doublings.
    pub faan: Halves,
    /// Its score.
    pub score: Halves,
}

/// What a hand that has not won is counted as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CountedAs {
    /// Its sets, pairs and flowers.
    Lying,
    /// A hand that scores nothing, by the id of the reason.
    Nothing(&'static str),
    /// A hand that waits for this limit hand.
    Limit(usize),
    /// A hand that waits for the item with a sum of its own.
    OwnSum,
}

/// A hand that has not won, appraised: greater is better, as of readings.
#[derive(Clone, Copy, Debug)]
struct Appraised {
    value: ReadingValue,
    counted_as: CountedAs,
}

impl Appraised {
    fn nothing(reason: &'static str) -> Self {
        let value = ReadingValue::of_score(Halves::ZERO);
        Self { value, counted_as: CountedAs::Nothing(reason) }
    }
}

/// The number of tiles of a hand that has not won, kongs counted as three.
const RIGHT_NUMBER: usize = 13;

impl Core {
    /// The patterns that items of everybody look at.
    fn wanted_of_everybody(&self) -> PatternSet {
        let places = bits(self.sums.everybody);
        places.map(|place| &self.items[place]).fold(0, |all, item| {
            let more = item.more.iter().fold(0, |set, (when, _)| set | when);
            all | item.needs | item.unless | more
        })
    }

    /// Calls `visit` with the best reading of a hand as it lies, its patterns and its items.
    fn lying<T>(
        &self,
        hand: &UnwonHand,
        at: &Circumstances,
        visit: impl Fn(&View, PatternSet, &Counted) -> T,
    ) -> Option<T> {
        let bonus = self.counted_bonus(hand.tiles());
        let mut deal = HandContext::new(hand.tiles(), at, bonus, self.forms, self.facts);
        deal.items = self.sums.everybody;
        let wanted = self.wanted_of_everybody();
        let mut best: Option<(i32, T)> = None;
        hand.each_reading(|arrangement| {
            let view = deal.view(arrangement);
            let held = held(&view, wanted);
            let counted = self.count(&view, held);
            if best.as_ref().is_none_or(|(total, _)| counted.total > *total) {
                best = Some((counted.total, visit(&view, held, &counted)));
            }
        });
        best.map(|(_, found)| found)
    }

    fn appraise_lying(&self, hand: &UnwonHand, at: &Circumstances) -> Option<Appraised> {
        let points = self.points.as_ref()?;
        let value = self.lying(hand, at, |view, _, counted| {
            let (points, faan) = (points.of_unwon(view), Halves(counted.total));
            ReadingValue {
                meets_minimum: true,
                score: self.score(faan, points),
                rank: Rank::Ordinary,
                preference: self.preference(faan, points),
                faan,
                points,
                item_faan: faan,
                limits: 0,
            }
        });
        value.map(|value| Appraised { value, counted_as: CountedAs::Lying })
    }

    /// The best limit hand, the first of the file of equals, and whether the item with a sum of its own is
    /// there, over every tile that completes the hand.
    fn waits_for(&self, hand: &UnwonHand, at: &Circumstances) -> (Option<usize>, bool) {
        let (mut limit, mut own_sum) = (None, false);
        let worth = |place: usize| (self.limits[place].amounts[1][0], std::cmp::Reverse(place));
        for tile in each_face(completing_tiles(hand, self.forms)) {
            let Some(hand) = hand.with(tile) else { continue };
            self.each_reading(&hand, at, |value, view| {
                let held = self.held(view);
                let limits = self.limit_hands(view, held);
                if value.is_limit() && limits != 0 {
                    let place = limits.trailing_zeros() as usize;
                    limit = limit.into_iter().chain([place]).max_by_key(|place| worth(*place));
                } else if let Some(item) = &self.sums.own_sum {
                    own_sum |= item.count_in(view, held) > 0;
                }
            });
        }
        (limit, own_sum)
    }

    /// A hand that one drawn tile would make a limit hand, or one with a sum of its own.
    fn fish(
        &self,
        hand: &UnwonHand,
        at: &Circumstances,
        lying: &Appraised,
        losers: &Losers,
    ) -> Option<Appraised> {
        losers.fishing?;
        let (limit, own_sum) = self.waits_for(hand, at);
        let limit = limit.and_then(|place| {
            let whole = self.appraise_limits(1 << place)?;
            let score = self.fishing_share(place);
            let value = self.lying(hand, at, |view, _, counted| {
                let flowers = Halves::whole(self.added_flowers(view, counted) as i32);
                ReadingValue { score: (score + flowers).min(self.most()), ..whole }
            })?;
            Some(Appraised { value, counted_as: CountedAs::Limit(place) })
        });
        let own_sum = self.sums.own_sum.as_ref().filter(|_| own_sum).and_then(|item| {
            let value = self.lying(hand, at, |view, _, counted| {
                let points = lying.value.points - self.flower_points(view);
                self.own_sum_of(Halves(item.amounts[1][0]), points, view, counted)
            })?;
            Some(Appraised { value, counted_as: CountedAs::OwnSum })
        });
        [limit, own_sum].into_iter().flatten().max_by_key(|appraised| appraised.value)
    }

    fn appraise_loser(&self, loser: &Loser, at: &Circumstances) -> Appraised {
        let number = loser.hand.number();
        let Some(losers) = &self.sums.losers else { return Appraised::nothing("dead_hand") };
        if loser.dead {
            return Appraised::nothing("dead_hand");
        }
        if number > RIGHT_NUMBER {
            return Appraised::nothing("long_hand");
        }
        if number < RIGHT_NUMBER && losers.short_is_dead {
            return Appraised::nothing("short_hand");
        }
        let Some(lying) = self.appraise_lying(loser.hand, at) else {
            return Appraised::nothing("dead_hand");
        };
        let fish = (loser.fishing && number == RIGHT_NUMBER)
            .then(|| self.fish(loser.hand, at, &lying, losers))
            .flatten();
        fish.filter(|fish| fish.value > lying.value).unwrap_or(lying)
    }

    /// The score alone.
    pub(crate) fn loser_value(&self, loser: &Loser) -> Halves {
        self.appraise_loser(loser, &circumstances(loser)).value.score
    }

    pub(crate) fn score_loser(&self, loser: &Loser, unit: UnitName) -> LoserScore {
        let at = circumstances(loser);
        let Appraised { value, counted_as } = self.appraise_loser(loser, &at);
        let points = matches!(value.rank, Rank::Ordinary | Rank::OwnSum).then_some(value.points);
        let mut score = LoserScore {
            items: Vec::new(),
            points,
            point_items: points.map(|_| Vec::new()),
            faan: value.faan,
            score: value.score,
        };
        if let CountedAs::Nothing(reason) = counted_as {
            score.items = vec![ScoredItem::of_points(reason, 0, String::new())];
            return score;
        }
        let text = crate::hand::Reading::from(loser.hand).to_string();
        let lying = self.lying(loser.hand, &at, |view, held, counted| {
            let flowers = self.added_flowers(view, counted);
            let points = self.list_points(view, held, counted_as == CountedAs::Lying);
            (self.itemise_lying(view, counted, unit, &text), points, flowers)
        });
        let Some((items, point_items, flowers)) = lying else { return score };
        let special = match counted_as {
            CountedAs::Limit(place) => {
                Some((&self.limits[place], self.fishing_share(place), self.limit_unit))
            }
            CountedAs::OwnSum => {
                self.sums.own_sum.as_ref().map(|item| (item, Halves(item.amounts[1][0]), unit))
            }
            CountedAs::Lying | CountedAs::Nothing(_) => None,
        };
        score.point_items = points.map(|_| point_items);
        score.items = match special {
            None => items,
            Some((item, value, unit)) => {
                let (id, name) = (item.id.clone(), item.name.clone());
                let fishing = ScoredItem { id, name, value, unit, tiles: text, fishing: true };
                let flowers = (flowers > 0).then(|| flower_item(flowers, loser.hand.tiles()));
                std::iter::once(fishing).chain(flowers).collect()
            }
        };
        score
    }

    /// What a hand that waits for a limit hand gets without flowers.
    fn fishing_share(&self, place: usize) -> Halves {
        let fishing = self.sums.losers.and_then(|losers| losers.fishing);
        let whole = self.appraise_limits(1 << place).map_or(Halves::ZERO, |limit| limit.score);
        let share = fishing.map(|it| it.share.0 * i64::from(whole.0));
        share.map_or(whole, |share| Halves(share.to_integer().min(i64::from(self.most().0)) as i32))
    }
}

/// The item of flowers that add to a special hand.
pub(crate) fn flower_item(points: u32, hand: &Hand) -> ScoredItem {
    let tiles: String = hand.bonus_faces().map(|face| face.number().to_string()).collect();
    ScoredItem::of_points("bonus_tiles", points, format!("{tiles}f"))
}

/// The circumstances of a hand that has not won: a tile that it waits for is drawn.
fn circumstances(loser: &Loser) -> Circumstances {
    Circumstances::new(loser.seat, loser.round, Win::SelfDraw)
}

impl RuleSet {
    /// Whether hands that have not won are scored, and settled among the losers.
    pub fn scores_losers(&self) -> bool {
        self.core.sums.losers.is_some()
    }

    /// Scores a hand that has not won.
    ///
    /// # Errors
    /// A flower, or a tile, that the rules are played without.
    pub fn score_loser(&self, loser: &Loser) -> Result<LoserScore, ScoreError> {
        self.core.check_tiles(loser.hand.tiles())?;
        Ok(self.core.score_loser(loser, self.unit))
    }
}

impl Core {
    /// Refuses tiles that the rules are played without.
    pub(crate) fn check_tiles(&self, hand: &Hand) -> Result<(), ScoreError> {
        if self.bonus_tiles == BonusTiles::None
            && let Some(flower) = hand.bonus_faces().next()
        {
            return Err(ScoreError::Flower(flower));
        }
        match each_face(hand.tally().present & self.facts.missing).next() {
            Some(face) => Err(ScoreError::MissingTile(face)),
            None => Ok(()),
        }
    }
}
