//! A scored hand: its items with the tiles that earn them, the items left out, the payments.

use std::borrow::Cow;

use thiserror::Error;

use super::{
    Circumstances, Contradiction, Halves, Payments, RuleSet, UnitName,
    combining::{KINDS, Made, sets_of},
    compiled::{Core, Item},
    file::{BonusTiles, Repeats},
    losers,
    pattern::{EarningTiles, View},
    points_listed::PointItem,
    scoring::{Counted, Rank, ReadingValue, bits},
};
use crate::{
    hand::{
        Arrangement, ArrangementText, Form, Hand, Meld, MeldKind, WonGroup, each_chow, each_face,
    },
    tile::{Face, Seat, SeenFace, Suit, Tile},
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
    /// Whether it is a limit hand.
    pub limit: bool,
    /// The extra faan that the dealer pays or is paid, where the rules have them; they are not among
    /// `faan`.
    pub dealer_faan: Option<u32>,
    /// The payments of every seat.
    pub payments: Payments,
    /// Whether a player is liable for some of it.
    pub liable: bool,
    /// The value of the riichi sticks on the table, where their number was given; it is not a payment
    /// between players.
    pub sticks: Option<u32>,
}

/// Why a hand does not win: it is incomplete, or below the minimum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NoWin {
    /// No reading as a winning hand.
    #[error("not a complete hand")]
    NotComplete,
    /// The value is below the minimum.
    #[error("worth {faan}, the minimum is {minimum}")]
    BelowMinimum {
        /// Its value, without auxiliary points.
        faan: Halves,
        /// The minimum.
        minimum: Halves,
    },
}

/// Why a hand is not scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ScoreError {
    /// A flower or season where the rules have none.
    #[error(
        "{0} in the hand: this rule set is played without flowers and seasons; leave them out, or choose one with them"
    )]
    Flower(Face),
    /// A hand of another number of sets than the rules play.
    #[error(
        "the tiles are those of {found} sets and a pair: this rule set plays {expected} sets and a pair, {} tiles and one more for each kong",
        3 * expected + 2
    )]
    Sets {
        /// The number of sets that the tiles would make, beside a pair.
        found: u8,
        /// The number of sets that the rules play.
        expected: u8,
    },
    /// A flower or season as the winning tile where none wins.
    #[error("+{0}: a flower or season is no winning tile here, it is replaced")]
    BonusWins(Face),
    /// A red five twice: a set of tiles has one in each suit.
    #[error("{0} twice: there is one red five in each suit")]
    RedFiveTwice(Tile),
    /// A tile that the rules are played without.
    #[error("{0}: this rule set is played without it")]
    MissingTile(Face),
    /// More than four of a face in the hand, among the indicators and put aside.
    #[error("{count} {face} in the hand and among the indicators: there are four of each")]
    TooManyWithIndicators {
        /// The face.
        face: Face,
        /// The number of copies there would be.
        count: u8,
    },
    /// Circumstances that contradict each other.
    #[error(transparent)]
    NotAllowed(#[from] Contradiction),
    /// It does not win.
    #[error(transparent)]
    NoWin(#[from] NoWin),
}

impl ScoreError {
    /// Whether the hand itself is wrong, whatever the circumstances.
    pub const fn is_bad_hand(&self) -> bool {
        matches!(
            self,
            Self::Flower(_)
                | Self::Sets { .. }
                | Self::BonusWins(_)
                | Self::RedFiveTwice(_)
                | Self::MissingTile(_)
                | Self::TooManyWithIndicators { .. }
        )
    }
}

/// One item of a score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoredItem {
    /// Its name in the rule file.
    pub id: String,
    /// The name for people.
    pub name: String,
    /// Its value.
    pub value: Halves,
    /// The unit of the value.
    pub unit: UnitName,
    /// The tiles that earn it, as hand text.
    pub tiles: String,
    /// Whether a hand that has not won waits for it.
    pub fishing: bool,
}

impl ScoredItem {
    /// An item that is worth points and that no rule file lists.
    pub(crate) fn of_points(id: &str, points: u32, tiles: String) -> Self {
        Self {
            id: id.to_owned(),
            name: id.replace('_', " "),
            value: Halves::whole(points as i32),
            unit: UnitName::Points,
            tiles,
            fishing: false,
        }
    }
}

/// An item that the hand has but that does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Its name in the rule file.
    pub id: String,
    /// The name for people.
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
    /// The items left out.
    pub left_out: Vec<LeftOut>,
    /// The reading, as text: groups, `+` before the one that the winning tile completes.
    pub arrangement: String,
    /// The auxiliary points one by one, where the rules list them.
    pub point_items: Vec<PointItem>,
}

fn tiles_text(tiles: impl Iterator<Item = Tile> + Clone) -> String {
    use crate::hand::{SetTile, write_tiles};
    let mut text = String::new();
    let tiles = tiles.map(|tile| SetTile { face: SeenFace::Tile(tile), sideways: false });
    // Writing to a string cannot fail.
    let _ = write_tiles(&mut text, tiles);
    text
}

fn faces_text(faces: impl Iterator<Item = Face> + Clone) -> String {
    tiles_text(faces.map(Tile::new))
}

/// All copies of these faces, those put aside too, a red five before the other fives.
fn copies_text(view: &View, faces: u64) -> String {
    let red = view.hand.red_suits();
    let tiles: Vec<Tile> = (each_face(faces))
        .flat_map(|face| {
            (0..view.hand.count(face) + view.aside(face)).map(move |i| {
                let here = i == 0 && face.index() < 27 && red >> (face.index() / 9) & 1 == 1;
                let five = Tile::red_five(face.suit()).filter(|five| here && five.face() == face);
                five.unwrap_or(Tile::new(face))
            })
        })
        .collect();
    tiles_text(tiles.into_iter())
}

/// A group's text, `+` before it where the winning tile completes it.
fn marked(won: bool, text: String) -> String {
    if won { format!("+{text}") } else { text }
}

fn pair_text(view: &View) -> String {
    let won = view.arrangement.won == WonGroup::Pair;
    marked(won, faces_text(std::iter::repeat_n(view.arrangement.pair, 2)))
}

/// The tiles of pungs, a text each: sets laid apart with their marks, four tiles for a kong.
fn pung_texts(view: &View, mask: u64) -> Vec<String> {
    each_face(mask)
        .map(|face| {
            let laid = |meld: &Meld| meld.face() == face && meld.kind() != MeldKind::Chow;
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

fn chow_texts(view: &View, chows: u64) -> Vec<String> {
    each_chow(chows)
        .flat_map(|(lowest, count)| {
            let tiles = Meld::chow(lowest, None).into_iter().flat_map(Meld::faces);
            let won = view.arrangement.won == WonGroup::Chow(lowest);
            let text = faces_text(tiles);
            (0..count).map(move |i| marked(won && i == 0, text.clone()))
        })
        .collect()
}

/// The sets that a fan was made of.
fn made_text(view: &View, made: Made) -> String {
    let (chows, pungs) = sets_of(view, made);
    let mut texts = chow_texts(view, chows);
    texts.extend(pung_texts(view, pungs));
    texts.join(" ")
}

/// The tiles that earn an item; for items listed one by one, the text of each.
fn evidence_texts(evidence: EarningTiles, view: &View, whole: &str) -> Vec<String> {
    let hand = view.hand;
    let joined = |texts: Vec<String>| vec![texts.join(" ")];
    match evidence {
        EarningTiles::Whole => vec![whole.to_owned()],
        EarningTiles::Winning => vec![format!("+{}", hand.winning())],
        EarningTiles::Chows(chows) => joined(chow_texts(view, chows(view))),
        EarningTiles::Pungs(pungs) => pung_texts(view, pungs(view)),
        EarningTiles::PungsAndPair(pungs) => {
            let mut texts = pung_texts(view, pungs(view));
            texts.push(pair_text(view));
            joined(texts)
        }
        EarningTiles::Pair => vec![pair_text(view)],
        EarningTiles::Bonus(bonus) => {
            let mask = bonus(view);
            let faces = (0..8).filter(|bit| mask >> bit & 1 == 1);
            let faces: Vec<Face> = faces.filter_map(|bit| Face::from_index(34 + bit)).collect();
            vec![faces_text(faces.into_iter())]
        }
        EarningTiles::Faces(faces) => vec![copies_text(view, faces(view))],
        EarningTiles::EachFace(faces) => {
            each_face(faces(view)).map(|face| copies_text(view, 1 << face.index())).collect()
        }
        EarningTiles::RedFives => {
            let suits = [Suit::Characters, Suit::Dots, Suit::Bamboo].into_iter().enumerate();
            let held = suits.filter(|(i, _)| hand.red_suits() >> i & 1 == 1);
            let tiles: Vec<Tile> = held.filter_map(|(_, suit)| Tile::red_five(suit)).collect();
            vec![tiles_text(tiles.into_iter())]
        }
        EarningTiles::Norths => {
            let north = Seat::North.wind();
            vec![faces_text(std::iter::repeat_n(north, usize::from(view.at.north)))]
        }
    }
}

/// The items of a reading, as they are listed.
struct Listing<'a> {
    view: &'a View<'a>,
    /// The whole reading as text, which most items show.
    whole: &'a str,
    /// Each with its place in the file, and that of its set where items of single sets follow these.
    items: Vec<((u16, usize), ScoredItem)>,
    /// The place of all items of single sets, where they are listed in the order of the sets.
    single_sets: Option<u16>,
}

impl Listing<'_> {
    /// `taken`: pungs that belong to other items.
    fn add(&mut self, item: &Item, amount: i32, count: u8, unit: UnitName, taken: u64) {
        let mut texts = match item.evidence {
            EarningTiles::Pungs(pungs) => pung_texts(self.view, pungs(self.view) & !taken),
            evidence => evidence_texts(evidence, self.view, self.whole),
        };
        if item.several == Repeats::Each && taken != 0 {
            texts.truncate(usize::from(count));
        }
        let one = |value: i32, tiles: String| ScoredItem {
            id: item.id.clone(),
            name: item.name.clone(),
            value: Halves(value),
            unit,
            tiles,
            fishing: false,
        };
        if let (Some(order), EarningTiles::Pungs(pungs), Repeats::Each) =
            (self.single_sets, item.evidence, item.several)
        {
            let each = amount / i32::from(count);
            let faces = each_face(pungs(self.view) & !taken).map(|face| self.place_of_set(face));
            let places: Vec<usize> = faces.collect();
            let listed = places.into_iter().zip(texts);
            self.items.extend(listed.map(|(place, tiles)| ((order, place), one(each, tiles))));
            return;
        }
        if item.several == Repeats::Each && texts.len() == usize::from(count) {
            let each = amount / i32::from(count);
            self.items.extend(texts.into_iter().map(|tiles| ((item.order, 0), one(each, tiles))));
        } else {
            let tiles = if texts.len() == 1 { texts.remove(0) } else { texts.join(" ") };
            self.items.push(((item.order, 0), one(amount, tiles)));
        }
    }

    /// The place of a pung or kong: sets laid apart first, in their order, then by tiles.
    fn place_of_set(&self, face: Face) -> usize {
        let laid = |meld: Meld| meld.kind() != MeldKind::Chow && meld.face() == face;
        let melds = self.view.hand.melds();
        melds.clone().position(laid).unwrap_or(melds.count() + face.index())
    }

    /// The items in their order.
    fn sorted(mut self) -> Vec<ScoredItem> {
        self.items.sort_by_key(|(order, _)| *order);
        self.items.into_iter().map(|(_, item)| item).collect()
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
        let replacing: Vec<usize> = bits(counted.held & !counted.replaced)
            .filter(|&other| {
                counted.amounts[other] > 0 && self.items[other].replaces >> place & 1 == 1
            })
            .collect();
        if !replacing.is_empty() {
            return Some(format!("included in {}", names(replacing)));
        }
        let fans = counted.combination.iter().filter_map(|made| {
            let fan = self.combining.as_ref()?.fan(made.kind)?;
            (fan.replaces >> place & 1 == 1).then_some(fan.name.as_str())
        });
        let fans: Vec<&str> = fans.collect();
        if !fans.is_empty() {
            return Some(format!("included in {}", fans.join(", ")));
        }
        if counted.counts[place] == 0 {
            return Some("its sets belong to other items".to_owned());
        }
        let best: Vec<usize> =
            bits(counted.counting).filter(|&other| self.items[other].r#box == item.r#box).collect();
        let r#box = item.r#box.and_then(|place| self.boxes.get(usize::from(place)))?;
        Some(format!("best of its box ({box}): {}", names(best)))
    }

    /// Items of a reading, and those left out.
    pub(crate) fn itemise(
        &self,
        view: &View,
        appraisal: &ReadingValue,
        unit: UnitName,
        whole: &str,
    ) -> (Vec<ScoredItem>, Vec<LeftOut>) {
        let mut listing = self.listing(view, whole);
        let held = self.held(view);
        let counted = self.count(view, held);
        let left = |item: &Item, why: String| LeftOut {
            id: item.id.clone(),
            name: item.name.clone(),
            why,
        };
        let limits = self.limit_hands(view, held);
        if appraisal.is_limit() && limits != 0 {
            for place in bits(limits) {
                let limit = &self.limits[place];
                listing.add(limit, limit.amounts[1][0], 1, self.limit_unit, 0);
            }
            let whole = self.appraise_limits(limits).map_or(Halves::ZERO, |limit| limit.score);
            let mut items: Vec<ScoredItem> =
                listing.items.into_iter().map(|(_, item)| item).collect();
            if whole < self.most() {
                items.extend(self.flower_item(view, &counted));
            }
            let names: Vec<&str> =
                bits(limits).map(|place| self.limits[place].name.as_str()).collect();
            let names = names.join(", ");
            let others = (self.limits.iter().enumerate())
                .filter(|(place, item)| limits >> place & 1 == 0 && item.count_in(view, held) > 0)
                .map(|(_, item)| left(item, format!("{names} goes first")));
            let rest = bits(counted.counting).map(|place| {
                left(&self.items[place], "nothing is added to a limit hand".to_owned())
            });
            return (items, others.chain(rest).collect());
        }
        if appraisal.rank == Rank::OwnSum
            && let Some(item) = &self.sums.own_sum
        {
            listing.add(item, item.amounts[1][0], 1, unit, 0);
            let beside = counted.counting & self.sums.beside;
            for place in bits(beside) {
                listing.add(&self.items[place], counted.amounts[place], 1, unit, 0);
            }
            let rest = bits(counted.counting & !beside).map(|place| {
                left(&self.items[place], format!("{} has a sum of its own", item.name))
            });
            let mut items: Vec<ScoredItem> =
                listing.items.into_iter().map(|(_, item)| item).collect();
            items.extend(self.flower_item(view, &counted));
            return (items, rest.collect());
        }
        if appraisal.rank == Rank::Instead
            && let Some(item) = &self.instead
        {
            listing.add(item, item.amounts[1][0], 1, unit, 0);
            let rest = bits(counted.counting).map(|place| {
                left(
                    &self.items[place],
                    format!("{} counts in place of everything else", item.name),
                )
            });
            return (listing.items.into_iter().map(|(_, item)| item).collect(), rest.collect());
        }
        for place in bits(counted.counting) {
            let (amount, count) = (counted.amounts[place], counted.counts[place]);
            let taken = if self.leftover >> place & 1 == 1 { counted.taken } else { 0 };
            listing.add(&self.items[place], amount, count, unit, taken);
        }
        if let Some(item) = &self.nothing_else
            && counted.counting & !self.outside == 0
            && counted.combination.total == 0
        {
            listing.add(item, item.amounts[1][0], 1, unit, 0);
        }
        let mut left_out: Vec<LeftOut> = bits(counted.held & !counted.counting)
            .filter_map(|place| Some(left(&self.items[place], self.why_left_out(place, &counted)?)))
            .collect();
        self.list_fans(view, &counted, unit, &mut listing, &mut left_out);
        if let Some(item) = self.sums.own_sum.as_ref().filter(|it| it.count_in(view, held) > 0) {
            left_out.push(left(item, "its own sum is less".to_owned()));
        }
        // Fans that combine sets are listed at their places in the file.
        (listing.sorted(), left_out)
    }

    fn listing<'a>(&self, view: &'a View<'a>, whole: &'a str) -> Listing<'a> {
        let by_set = self.points.as_ref().is_some_and(|points| points.listed);
        let single =
            |item: &&Item| by_set && item.several == Repeats::Each && item.pungs(view) != 0;
        let single_sets = self.items.iter().find(single).map(|item| item.order);
        Listing { view, whole, items: Vec::with_capacity(8), single_sets }
    }

    /// The items of a hand that has not won, as it lies.
    pub(crate) fn itemise_lying(
        &self,
        view: &View,
        counted: &Counted,
        unit: UnitName,
        whole: &str,
    ) -> Vec<ScoredItem> {
        let mut listing = self.listing(view, whole);
        for place in bits(counted.counting) {
            let (amount, count) = (counted.amounts[place], counted.counts[place]);
            listing.add(&self.items[place], amount, count, unit, 0);
        }
        listing.sorted()
    }

    /// The item of flowers that add to a special hand.
    fn flower_item(&self, view: &View, counted: &Counted) -> Option<ScoredItem> {
        let flowers = self.added_flowers(view, counted);
        (flowers > 0).then(|| losers::flower_item(flowers, view.hand))
    }

    /// The fans that combine sets, and those that could have been made of sets that others have.
    fn list_fans(
        &self,
        view: &View,
        counted: &Counted,
        unit: UnitName,
        listing: &mut Listing,
        left_out: &mut Vec<LeftOut>,
    ) {
        let Some(combining) = &self.combining else { return };
        let mut made_kinds = 0u32;
        let mut names = Vec::new();
        for made in counted.combination.iter() {
            let Some(fan) = combining.fan(made.kind) else { continue };
            made_kinds |= 1 << made.kind as u32;
            names.push(fan.name.as_str());
            let item = ScoredItem {
                id: fan.id.clone(),
                name: fan.name.clone(),
                value: Halves(fan.value),
                unit,
                tiles: made_text(view, made),
                fishing: false,
            };
            listing.items.push(((fan.order, 0), item));
        }
        let others = combining.possible(view) & !made_kinds;
        for (kind, ..) in KINDS.iter().filter(|(kind, ..)| others >> *kind as u32 & 1 == 1) {
            let Some(fan) = combining.fan(*kind) else { continue };
            let replacing: Vec<&str> = bits(counted.counting)
                .filter(|&place| self.items[place].replaces_fans >> *kind as u32 & 1 == 1)
                .map(|place| self.items[place].name.as_str())
                .collect();
            let why = if !replacing.is_empty() {
                format!("included in {}", replacing.join(", "))
            } else if counted.fans_replaced >> *kind as u32 & 1 == 1 {
                "does not count beside another item of this hand".to_owned()
            } else {
                format!("its sets are combined already: {}", names.join(", "))
            };
            left_out.push(LeftOut { id: fan.id.clone(), name: fan.name.clone(), why });
        }
    }
}

impl Core {
    pub(crate) fn check(&self, hand: &Hand, at: &Circumstances) -> Result<(), ScoreError> {
        if self.bonus_tiles == BonusTiles::None
            && let Some(flower) = hand.bonus_faces().next()
        {
            return Err(ScoreError::Flower(flower));
        }
        if hand.sets() != self.sets {
            return Err(ScoreError::Sets { found: hand.sets(), expected: self.sets });
        }
        if hand.winning().is_bonus() && !self.forms.contains(Form::EightFlowers) {
            return Err(ScoreError::BonusWins(hand.winning()));
        }
        let at = &self.declared(at);
        if let Some(face) = self.missing_tile(hand, at) {
            return Err(ScoreError::MissingTile(face));
        }
        if self.red_fives
            && let Some(tile) = red_five_twice(hand, at)
        {
            return Err(ScoreError::RedFiveTwice(tile));
        }
        if let Some((face, count)) = too_many_with_indicators(hand, at) {
            return Err(ScoreError::TooManyWithIndicators { face, count });
        }
        if !self.four_players && at.round == Seat::North {
            return Err(Contradiction::NorthRound.into());
        }
        if self.liable_giver && at.pao.is_some() && at.pao != at.win.from() {
            return Err(Contradiction::PaoNotGiver.into());
        }
        if self.has_refused_chow(hand) {
            return Err(Contradiction::ClaimedChow.into());
        }
        let flowers_count = self.bonus_tiles == BonusTiles::Count && self.flower_supplement;
        Ok(at.check(hand, flowers_count, self.three_players)?)
    }

    /// A tile of the hand or among the indicators that is not played.
    fn missing_tile(&self, hand: &Hand, at: &Circumstances) -> Option<Face> {
        let shown = indicators(at).fold(0, |faces, tile| faces | 1 << tile.face().index());
        each_face((hand.tally().present | shown) & self.facts.missing).next()
    }

    /// The hand under this rule set: red fives are plain fives where it does not play them.
    pub(crate) fn shown<'a>(&self, hand: &'a Hand) -> Cow<'a, Hand> {
        if self.red_fives || hand.red_fives() == 0 {
            Cow::Borrowed(hand)
        } else {
            Cow::Owned(hand.without_red_fives())
        }
    }
}

fn indicators(at: &Circumstances) -> impl Iterator<Item = Tile> + Clone + '_ {
    at.dora_indicators.iter().chain(at.ura_indicators.iter())
}

/// A red five that the hand, or the hand and the indicators, show twice.
fn red_five_twice(hand: &Hand, at: &Circumstances) -> Option<Tile> {
    if let Some(tile) = hand.red_five_twice() {
        return Some(tile);
    }
    let mut seen = hand.red_suits();
    indicators(at).filter(|tile| tile.is_red()).find(|tile| {
        let bit = 1u8 << (tile.face().index() / 9);
        let twice = seen & bit != 0;
        seen |= bit;
        twice
    })
}

/// A face of which the hand, the indicators and the tiles put aside hold more than there are.
fn too_many_with_indicators(hand: &Hand, at: &Circumstances) -> Option<(Face, u8)> {
    let north = Seat::North.wind();
    let aside = (at.north > 0).then_some(north);
    (indicators(at).map(Tile::face).chain(aside))
        .map(|face| {
            let lying = indicators(at).filter(|other| other.face() == face).count() as u8;
            let aside = if face == north { at.north } else { 0 };
            (face, lying + aside + hand.count(face))
        })
        .find(|(_, count)| *count > Face::COPIES)
}

impl RuleSet {
    /// Checks a hand against the prohibitions of this rule set, before anything is scored.
    ///
    /// # Errors
    /// A flower where there are none, or circumstances that contradict each other.
    pub fn check(&self, hand: &Hand, at: &Circumstances) -> Result<(), ScoreError> {
        self.core.check(hand, at)
    }

    /// Scores a hand: items, totals and payments of its best reading.
    ///
    /// # Errors
    /// [`ScoreError`]: the prohibition, or the reason why it does not win.
    pub fn score(&self, hand: &Hand, at: &Circumstances) -> Result<Score, ScoreError> {
        self.check(hand, at)?;
        let core = &self.core;
        let (hand, at) = (&*core.shown(hand), &core.used(at));
        let (best, arrangement) = core.best(hand, at).ok_or(NoWin::NotComplete)?;
        let value = core.settle(hand, at, &best, &arrangement)?;
        let deal = core.deal(hand, at);
        let view = deal.view(&arrangement);
        let text = text_of(hand, &arrangement);
        let (items, left_out) = core.itemise(&view, &best, self.unit, &text);
        let held = core.held(&view);
        let point_items = match best.rank {
            Rank::Limit(_) | Rank::Instead => Vec::new(),
            rank => core.list_points(&view, held, rank != Rank::OwnSum),
        };
        Ok(Score { value, items, left_out, arrangement: text, point_items })
    }
}

/// A reading as text.
pub(crate) fn text_of(hand: &Hand, arrangement: &Arrangement) -> String {
    ArrangementText { hand, arrangement }.to_string()
}
