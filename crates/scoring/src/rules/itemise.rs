//! The items of a reading one by one, and why others that it has do not count.

use super::{
    Halves, LeftOut, ScoredItem, UnitName,
    compiled::{Core, Item},
    counting::{Counted, bits},
    evidence::{evidence_texts, made_text, pung_texts},
    fan_kinds::KINDS,
    file::Repeats,
    losers,
    pattern::{EarningTiles, PatternSet, View},
    scoring::{Rank, ReadingValue},
};
use crate::{
    hand::{Meld, MeldKind, each_face},
    tile::Face,
};

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

    /// The items in the order of the file.
    fn sorted(mut self) -> Vec<ScoredItem> {
        self.items.sort_by_key(|(order, _)| *order);
        self.listed()
    }

    /// The items in the order in which they were added.
    fn listed(self) -> Vec<ScoredItem> {
        self.items.into_iter().map(|(_, item)| item).collect()
    }
}

fn left(item: &Item, why: String) -> LeftOut {
    LeftOut { id: item.id.clone(), name: item.name.clone(), why }
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
        let limits = self.limit_hands(view, held);
        if appraisal.is_limit() && limits != 0 {
            return self.itemise_limits(listing, &counted, limits, held);
        }
        if appraisal.rank == Rank::OwnSum
            && let Some(item) = &self.sums.own_sum
        {
            return self.itemise_own_sum(listing, &counted, item, unit);
        }
        if appraisal.rank == Rank::Instead
            && let Some(item) = &self.instead
        {
            listing.add(item, item.amounts[1][0], 1, unit, 0);
            let rest = bits(counted.counting).map(|place| {
                let why = format!("{} counts in place of everything else", item.name);
                left(&self.items[place], why)
            });
            return (listing.listed(), rest.collect());
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

    /// The limit hands of a reading, by bit, with the flowers that add to them.
    fn itemise_limits(
        &self,
        mut listing: Listing,
        counted: &Counted,
        limits: u64,
        held: PatternSet,
    ) -> (Vec<ScoredItem>, Vec<LeftOut>) {
        let view = listing.view;
        for place in bits(limits) {
            let limit = &self.limits[place];
            listing.add(limit, limit.amounts[1][0], 1, self.limit_unit, 0);
        }
        let whole = self.appraise_limits(limits).map_or(Halves::ZERO, |limit| limit.score);
        let mut items = listing.listed();
        if whole < self.most() {
            items.extend(self.flower_item(view, counted));
        }
        let names: Vec<&str> = bits(limits).map(|place| self.limits[place].name.as_str()).collect();
        let names = names.join(", ");
        let others = (self.limits.iter().enumerate())
            .filter(|(place, item)| limits >> place & 1 == 0 && item.count_in(view, held) > 0)
            .map(|(_, item)| left(item, format!("{names} goes first")));
        let rest = bits(counted.counting)
            .map(|place| left(&self.items[place], "nothing is added to a limit hand".to_owned()));
        (items, others.chain(rest).collect())
    }

    /// The item with a sum of its own, and what counts beside it.
    fn itemise_own_sum(
        &self,
        mut listing: Listing,
        counted: &Counted,
        item: &Item,
        unit: UnitName,
    ) -> (Vec<ScoredItem>, Vec<LeftOut>) {
        let view = listing.view;
        listing.add(item, item.amounts[1][0], 1, unit, 0);
        let beside = counted.counting & self.sums.beside;
        for place in bits(beside) {
            listing.add(&self.items[place], counted.amounts[place], 1, unit, 0);
        }
        let rest = bits(counted.counting & !beside)
            .map(|place| left(&self.items[place], format!("{} has a sum of its own", item.name)));
        let mut items = listing.listed();
        items.extend(self.flower_item(view, counted));
        (items, rest.collect())
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
