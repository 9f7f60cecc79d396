//! A scored hand: its items with the tiles that earn them, what was left out, who pays.

use thiserror::Error;

use super::{
    Circumstances, Contradiction, Halves, Payments, RuleSet, UnitName,
    compiled::{Core, Item},
    file::{BonusTiles, Several},
    pattern::{Evidence, View},
    scoring::{Appraisal, Counted, bits},
};
use crate::{
    hand::{Arranged, Arrangement, Hand, Meld, WonGroup, each_chow, each_face},
    tile::Face,
};

/// The totals of a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// Faan, doublings or point value before the table.
    pub faan: Halves,
    /// Auxiliary points, where the rules have them.
    pub points: Option<u32>,
    /// The table's value, before East's or self-draw factors.
    pub score: Halves,
    /// A limit hand.
    pub limit: bool,
    /// What every seat receives or pays.
    pub payments: Payments,
}

/// A complete set of tiles that does not win, or no complete one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NoWin {
    /// No reading as a winning hand.
    #[error("not a complete hand")]
    NotComplete,
    /// Worth too little.
    #[error("worth {faan}, the minimum is {minimum}")]
    BelowMinimum {
        /// What it is worth, without auxiliary points.
        faan: Halves,
        /// What it needs.
        minimum: Halves,
    },
}

/// Why a hand is not scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// A flower or season where the rules have none.
    #[error(
        "{0} in the hand: this rule set is played without flowers and seasons; leave them out, or choose one with them"
    )]
    Flower(Face),
    /// Circumstances that contradict each other.
    #[error(transparent)]
    NotAllowed(#[from] Contradiction),
    /// It does not win.
    #[error(transparent)]
    NoWin(#[from] NoWin),
}

/// One item of a score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoredItem {
    /// Its name in the rule file.
    pub id: String,
    /// For people.
    pub name: String,
    /// What it is worth.
    pub value: Halves,
    /// In what.
    pub unit: UnitName,
    /// The tiles that earn it, as hand text.
    pub tiles: String,
}

/// An item that the hand has but that does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Its name in the rule file.
    pub id: String,
    /// For people.
    pub name: String,
    /// Why it does not count.
    pub why: String,
}

/// A scored hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    /// The totals.
    pub value: Value,
    /// Its items.
    pub items: Vec<ScoredItem>,
    /// What was left out.
    pub left_out: Vec<LeftOut>,
    /// The reading, as text: groups, `+` before the one that the winning tile completes.
    pub arrangement: String,
}

fn faces_text(faces: impl Iterator<Item = Face> + Clone) -> String {
    use crate::{
        hand::{SetTile, write_tiles},
        tile::{SeenFace, Tile},
    };
    let mut text = String::new();
    let tiles =
        faces.map(|face| SetTile { face: SeenFace::Tile(Tile::new(face)), sideways: false });
    // Writing to a string cannot fail.
    let _ = write_tiles(&mut text, tiles);
    text
}

/// A group's text, `+` before it where the winning tile completes it.
fn marked(won: bool, text: String) -> String {
    if won { format!("+{text}") } else { text }
}

fn pair_text(view: &View) -> String {
    let won = view.arrangement.won == WonGroup::Pair;
    marked(won, faces_text(std::iter::repeat_n(view.arrangement.pair, 2)))
}

/// The tiles of pungs, a text each: those that lie apart as they lie, four for a kong.
fn pung_texts(view: &View, mask: u64) -> Vec<String> {
    each_face(mask)
        .map(|face| {
            let laid =
                |meld: &Meld| meld.face() == face && meld.kind() != crate::hand::MeldKind::Chow;
            match view.hand.melds().find(laid) {
                Some(meld) => meld.to_string(),
                None => {
                    let won = view.arrangement.won == WonGroup::Pung && face == view.hand.winning();
                    marked(won, faces_text(std::iter::repeat_n(face, 3)))
                }
            }
        })
        .collect()
}

/// The tiles that earn an item; for items listed one by one, the text of each.
fn evidence_texts(evidence: Evidence, view: &View, whole: &str) -> Vec<String> {
    let hand = view.hand;
    let joined = |texts: Vec<String>| vec![texts.join(" ")];
    match evidence {
        Evidence::Whole => vec![whole.to_owned()],
        Evidence::Winning => vec![format!("+{}", hand.winning())],
        Evidence::Chows(chows) => joined(
            each_chow(chows(view))
                .flat_map(|(lowest, count)| {
                    let tiles = Meld::chow(lowest, None).into_iter().flat_map(Meld::faces);
                    let won = view.arrangement.won == WonGroup::Chow(lowest);
                    let text = faces_text(tiles);
                    (0..count).map(move |i| marked(won && i == 0, text.clone()))
                })
                .collect(),
        ),
        Evidence::Pungs(pungs) => pung_texts(view, pungs(view)),
        Evidence::PungsAndPair(pungs) => {
            let mut texts = pung_texts(view, pungs(view));
            texts.push(pair_text(view));
            joined(texts)
        }
        Evidence::Pair => vec![pair_text(view)],
        Evidence::Bonus(bonus) => {
            let mask = bonus(view);
            let faces = (0..8).filter(|bit| mask >> bit & 1 == 1);
            let faces: Vec<Face> = faces.filter_map(|bit| Face::from_index(34 + bit)).collect();
            vec![faces_text(faces.into_iter())]
        }
        Evidence::Faces(faces) => {
            let all: Vec<Face> = (each_face(faces(view)))
                .flat_map(|face| std::iter::repeat_n(face, usize::from(hand.count(face))))
                .collect();
            vec![faces_text(all.into_iter())]
        }
    }
}

/// The items of a reading, as they are listed.
struct Listing<'a> {
    view: &'a View<'a>,
    /// The whole reading as text, which most items show.
    whole: &'a str,
    items: Vec<ScoredItem>,
}

impl Listing<'_> {
    fn add(&mut self, item: &Item, amount: i32, count: u8, unit: UnitName) {
        let mut texts = evidence_texts(item.evidence, self.view, self.whole);
        let one = |value: i32, tiles: String| ScoredItem {
            id: item.id.clone(),
            name: item.name.clone(),
            value: Halves(value),
            unit,
            tiles,
        };
        if item.several == Several::Each && texts.len() == usize::from(count) {
            let each = amount / i32::from(count);
            self.items.extend(texts.into_iter().map(|tiles| one(each, tiles)));
        } else {
            let tiles = if texts.len() == 1 { texts.remove(0) } else { texts.join(" ") };
            self.items.push(one(amount, tiles));
        }
    }
}

impl Core {
    /// Why an item that the reading has does not count.
    fn why_left_out(&self, place: usize, counted: &Counted) -> Option<String> {
        let item = &self.items[place];
        if counted.amounts[place] == 0 {
            return (item.amounts[1][0] > 0 && item.amounts[0][0] == 0)
                .then(|| "counts in a concealed hand only".to_owned());
        }
        let names = |places: Vec<usize>| {
            let names: Vec<&str> =
                places.into_iter().map(|i| self.items[i].name.as_str()).collect();
            names.join(", ")
        };
        let replacing: Vec<usize> = bits(counted.held)
            .filter(|&other| {
                counted.amounts[other] > 0 && self.items[other].replaces >> place & 1 == 1
            })
            .collect();
        if !replacing.is_empty() {
            return Some(format!("included in {}", names(replacing)));
        }
        let best: Vec<usize> =
            bits(counted.counting).filter(|&other| self.items[other].r#box == item.r#box).collect();
        let r#box = item.r#box.and_then(|place| self.boxes.get(usize::from(place)))?;
        Some(format!("best of its box ({box}): {}", names(best)))
    }

    /// Items of a reading, and what it left out.
    pub(crate) fn itemise(
        &self,
        view: &View,
        appraisal: &Appraisal,
        unit: UnitName,
        whole: &str,
    ) -> (Vec<ScoredItem>, Vec<LeftOut>) {
        let mut listing = Listing { view, whole, items: Vec::with_capacity(8) };
        let held = self.held(view);
        let counted = self.count(view, held);
        let left = |item: &Item, why: String| LeftOut {
            id: item.id.clone(),
            name: item.name.clone(),
            why,
        };
        if appraisal.limit
            && let Some(limit) = self.limit_hand(view, held)
        {
            let value = limit.amounts[1][0];
            listing.add(limit, value, 1, UnitName::Limit);
            let others = (self.limits.iter())
                .filter(|item| item.id != limit.id && item.count_in(view, held) > 0)
                .map(|item| left(item, format!("{} goes first", limit.name)));
            let rest = bits(counted.counting).map(|place| {
                left(&self.items[place], "nothing is added to a limit hand".to_owned())
            });
            return (listing.items, others.chain(rest).collect());
        }
        for place in bits(counted.counting) {
            let (amount, count) = (counted.amounts[place], counted.counts[place]);
            listing.add(&self.items[place], amount, count, unit);
        }
        let left_out = bits(counted.held & !counted.counting)
            .filter_map(|place| Some(left(&self.items[place], self.why_left_out(place, &counted)?)))
            .collect();
        (listing.items, left_out)
    }
}

impl Core {
    pub(crate) fn check(&self, hand: &Hand, at: &Circumstances) -> Result<(), Refusal> {
        if self.bonus_tiles == BonusTiles::None
            && let Some(flower) = hand.bonus_faces().next()
        {
            return Err(Refusal::Flower(flower));
        }
        let flowers_count = self.bonus_tiles == BonusTiles::Count;
        Ok(at.check(hand, flowers_count, self.three_players)?)
    }
}

impl RuleSet {
    /// Looks for what this rule set does not allow, before anything is scored.
    ///
    /// # Errors
    /// A flower where there are none, or circumstances that contradict each other.
    pub fn check(&self, hand: &Hand, at: &Circumstances) -> Result<(), Refusal> {
        self.core.check(hand, at)
    }

    /// Scores a hand: items, totals and payments of its best reading.
    ///
    /// # Errors
    /// [`Refusal`]: what is not allowed, or why it does not win.
    pub fn score(&self, hand: &Hand, at: &Circumstances) -> Result<Score, Refusal> {
        self.check(hand, at)?;
        let core = &self.core;
        let at = &core.used(at);
        let (best, arrangement) = core.best(hand, at).ok_or(NoWin::NotComplete)?;
        let value = core.settle(hand, at, &best, &arrangement)?;
        let view = View { hand, arrangement: &arrangement, at, bonus: core.counted_bonus(hand) };
        let text = text_of(hand, &arrangement);
        let (items, left_out) = core.itemise(&view, &best, self.unit, &text);
        Ok(Score { value, items, left_out, arrangement: text })
    }
}

/// A reading as text.
pub(crate) fn text_of(hand: &Hand, arrangement: &Arrangement) -> String {
    Arranged { hand, arrangement }.to_string()
}
