//! Classical rules scored naively: lists of groups in place of masks, one pass for each hand, no rule files.

use std::collections::BTreeMap;

/// An item of points and its value.
type PointItem = (String, u64);

/// A doubling and the number of times that it doubles.
type Doubling = (&'static str, u64);

/// A set laid apart.
#[derive(Clone, Debug)]
pub struct Laid {
    pub tiles: Vec<usize>,
    /// `[1111m]`.
    pub back: bool,
    /// The number of tiles sideways.
    pub marks: usize,
}

/// A hand; the winning tile is among `concealed`.
#[derive(Clone, Debug, Default)]
pub struct Tiles {
    pub concealed: Vec<usize>,
    pub laid: Vec<Laid>,
    /// 0 to 7.
    pub flowers: Vec<usize>,
}

/// A group of a reading.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    pub tiles: Vec<usize>,
    pub exposed: bool,
    pub claimed_kong: bool,
}

/// How the hand was won.
#[derive(Clone, Debug, Default)]
pub struct Way {
    pub seat: usize,
    pub round: usize,
    /// `self_draw`, `discard`, `rob_kong`.
    pub win: &'static str,
    pub from: Option<usize>,
    pub flags: Vec<&'static str>,
    pub winning: usize,
}

/// What a hand is worth.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Worth {
    pub items: Vec<(String, u64, &'static str, bool)>,
    pub points: Option<u64>,
    pub point_items: Vec<PointItem>,
    pub faan: u64,
    pub score: u64,
}

/// Limit hands in the order of the table.
const ORDER: [&str; 24] = [
    "heavenly_hand",
    "earthly_hand",
    "kong_on_kong",
    "plum_blossom",
    "moon",
    "carrying_pole",
    "ninth_east_win",
    "all_honors",
    "all_terminals",
    "four_blessings",
    "three_great_scholars",
    "four_kongs",
    "all_green",
    "buried_treasure",
    "hidden_treasure",
    "concealed_one_suit",
    "gates_of_heaven",
    "nine_gates",
    "squirming_snake",
    "wriggling_snake",
    "thirteen_orphans",
    "triple_knitting",
    "knitting",
    "all_pair_honors",
];

fn place(name: &str) -> usize {
    ORDER.iter().position(|other| *other == name).unwrap()
}

pub struct Rules<'a> {
    pub bmja: bool,
    pub rulings: &'a BTreeMap<String, String>,
}

const WIND: usize = 27;
const DRAGON: usize = 31;

fn is_honor(tile: usize) -> bool {
    tile >= WIND
}
fn number(tile: usize) -> usize {
    tile % 9 + 1
}
fn is_terminal(tile: usize) -> bool {
    !is_honor(tile) && (number(tile) == 1 || number(tile) == 9)
}
fn is_major(tile: usize) -> bool {
    is_honor(tile) || is_terminal(tile)
}

impl Group {
    fn is_run(&self) -> bool {
        self.tiles.len() == 3 && self.tiles[0] != self.tiles[1]
    }
    fn is_alike(&self) -> bool {
        self.tiles.len() >= 3 && !self.is_run()
    }
    fn is_kong(&self) -> bool {
        self.tiles.len() == 4
    }
    fn face(&self) -> usize {
        self.tiles[0]
    }
}

impl Tiles {
    fn all(&self) -> Vec<usize> {
        let mut all = self.concealed.clone();
        self.laid.iter().for_each(|set| all.extend(&set.tiles));
        all
    }
    fn laid_groups(&self) -> Vec<Group> {
        let group = |set: &Laid| Group {
            tiles: set.tiles.clone(),
            exposed: !set.back,
            claimed_kong: !set.back && set.tiles.len() == 4 && set.marks == 1,
        };
        self.laid.iter().map(group).collect()
    }
    pub fn size(&self) -> usize {
        self.concealed.len() + 3 * self.laid.len()
    }
}

/// Takes tiles out of a sorted list, if it has them.
fn without(list: &[usize], out: &[usize]) -> Option<Vec<usize>> {
    let mut rest = list.to_vec();
    for tile in out {
        let place = rest.iter().position(|other| other == tile)?;
        rest.remove(place);
    }
    Some(rest)
}

/// Every way to make sets of a sorted list.
fn sets(list: &[usize]) -> Vec<Vec<Vec<usize>>> {
    let Some(first) = list.first().copied() else { return vec![vec![]] };
    let mut found = Vec::new();
    let mut tries = vec![vec![first; 3]];
    if !is_honor(first) && number(first) <= 7 {
        tries.push(vec![first, first + 1, first + 2]);
    }
    for set in tries {
        for rest in without(list, &set).iter().flat_map(|rest| sets(rest)) {
            found.push([vec![set.clone()], rest].concat());
        }
    }
    found
}

/// Sets and a pair (the last group).
fn divisions(concealed: &[usize]) -> Vec<Vec<Vec<usize>>> {
    let mut sorted = concealed.to_vec();
    sorted.sort_unstable();
    let mut found = Vec::new();
    for tile in 0..34 {
        for rest in without(&sorted, &[tile, tile]).iter() {
            for all in sets(rest) {
                found.push([all, vec![vec![tile, tile]]].concat());
            }
        }
    }
    found
}

/// Numbers of each suit, sorted, and whether there are honors.
fn by_suit(tiles: &[usize]) -> ([Vec<usize>; 3], Vec<usize>) {
    let mut suits: [Vec<usize>; 3] = Default::default();
    let mut honors = Vec::new();
    for tile in tiles {
        if is_honor(*tile) { honors.push(*tile) } else { suits[tile / 9].push(number(*tile)) }
    }
    suits.iter_mut().for_each(|suit| suit.sort_unstable());
    honors.sort_unstable();
    (suits, honors)
}

impl Rules<'_> {
    fn choice(&self, id: &str, default: &str) -> String {
        self.rulings.get(id).cloned().unwrap_or_else(|| default.to_owned())
    }
    fn is(&self, id: &str, choice: &str, default: &str) -> bool {
        self.choice(id, default) == choice
    }
    pub fn limit(&self) -> u64 {
        if self.bmja { 1000 } else { 500 }
    }
    fn claimed_kong_conceals(&self) -> bool {
        let default = if self.bmja { "exposed" } else { "concealed" };
        self.is("classical.claimed_kong", "concealed", default)
    }
    fn flowers_added(&self) -> bool {
        self.bmja && self.is("bmja.special_bonus", "added", "added")
    }

    /// The special forms (no sets) that fourteen concealed tiles have.
    fn forms(&self, hand: &Tiles, claimed: bool) -> Vec<&'static str> {
        let mut found = Vec::new();
        if !hand.laid.is_empty() {
            return found;
        }
        let mut all = hand.concealed.clone();
        all.sort_unstable();
        let majors: Vec<usize> = (0..34).filter(|tile| is_major(*tile)).collect();
        if majors.iter().any(|tile| {
            let mut wanted = [&majors[..], &[*tile]].concat();
            wanted.sort_unstable();
            wanted == all
        }) {
            found.push("thirteen_orphans");
        }
        if !self.bmja {
            return found;
        }
        let may_claim = self.is("classical.concealed_special_claim", "allowed", "allowed");
        let (suits, honors) = by_suit(&all);
        for suit in &suits {
            if may_claim || !claimed {
                for twice in 2..9 {
                    let mut wanted = vec![1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, twice];
                    wanted.sort_unstable();
                    if *suit == wanted {
                        found.push("gates_of_heaven");
                    }
                }
                if *suit == [1, 1, 2, 3, 4, 5, 6, 7, 8, 9] && honors == [27, 28, 29, 30] {
                    found.push("wriggling_snake");
                }
            }
        }
        for (a, b) in [(0, 1), (0, 2), (1, 2)] {
            if suits[a] == suits[b] && suits[a].len() == 7 {
                found.push("knitting");
            }
            for pair in 1..10 {
                let (one, two) = (without(&suits[a], &[pair]), without(&suits[b], &[pair]));
                if let (Some(one), Some(two)) = (one, two)
                    && one.len() == 4
                    && one == two
                    && one == suits[3 - a - b]
                    && !found.contains(&"triple_knitting")
                {
                    found.push("triple_knitting");
                }
            }
        }
        let pairs: Vec<&[usize]> = all.chunks(2).collect();
        let alike = pairs.iter().all(|pair| pair[0] == pair[1] && is_major(pair[0]));
        let differ = pairs.windows(2).all(|two| two[0][0] != two[1][0]);
        if alike && (differ || self.is("bmja.pairs_four_alike", "yes", "no")) {
            found.push("all_pair_honors");
        }
        found
    }

    /// Every reading as sets and a pair, with the group that the winning tile completes.
    fn readings(&self, hand: &Tiles, way: &Way) -> Vec<(Vec<Group>, usize)> {
        let mut found = Vec::new();
        for division in divisions(&hand.concealed) {
            if division.len() + hand.laid.len() != 5 {
                continue;
            }
            for won in 0..division.len() {
                if !division[won].contains(&way.winning) {
                    continue;
                }
                let mut groups: Vec<Group> = division
                    .iter()
                    .map(|tiles| Group {
                        tiles: tiles.clone(),
                        exposed: false,
                        claimed_kong: false,
                    })
                    .collect();
                groups[won].exposed = way.win != "self_draw";
                groups.extend(hand.laid_groups());
                let runs = groups.iter().filter(|group| group.is_run()).count();
                if self.bmja && runs > 1 {
                    continue;
                }
                found.push((groups, won));
            }
        }
        found
    }

    fn flower_doublings(&self, flowers: &[usize], seat: usize) -> Vec<Doubling> {
        let has = |flower: usize| flowers.contains(&flower);
        let (own, season) = (has(seat), has(seat + 4));
        let mut found = Vec::new();
        let each = if self.bmja { 2 } else { 1 };
        if self.bmja {
            found.extend(own.then_some(("own_flower", 1)));
            found.extend(season.then_some(("own_season", 1)));
        } else if own && season {
            found.push(("own_flower_and_season", 1));
        }
        found.extend((0..4).all(has).then_some(("all_flowers", each)));
        found.extend((4..8).all(has).then_some(("all_seasons", each)));
        found
    }

    /// The flowers' own sum beside a special hand.
    fn added(&self, hand: &Tiles, seat: usize) -> u64 {
        let doublings: u64 =
            self.flower_doublings(&hand.flowers, seat).iter().map(|(_, d)| d).sum();
        if self.flowers_added() { (4 * hand.flowers.len() as u64) << doublings } else { 0 }
    }

    fn pair_points(&self, face: usize, seat: usize, round: usize) -> Vec<PointItem> {
        let mut found = Vec::new();
        if face >= DRAGON {
            found.push(("dragon_pair".to_owned(), 2));
        }
        if face == WIND + seat {
            found.push(("own_wind_pair".to_owned(), 2));
        }
        if face == WIND + round {
            found.push(("round_wind_pair".to_owned(), 2));
        }
        found
    }

    fn set_points(&self, group: &Group) -> (String, u64) {
        let base = if group.is_kong() { 8 } else { 2 };
        let major = if is_major(group.face()) { 2 } else { 1 };
        let concealed = if group.exposed { 1 } else { 2 };
        let name = if group.is_kong() { "kong" } else { "pung" };
        (name.to_owned(), base * major * concealed)
    }

    /// Doublings of single sets and of several.
    fn set_doublings(
        &self,
        alike: &[&Group],
        pairs: &[usize],
        seat: usize,
        round: usize,
    ) -> Vec<Doubling> {
        let mut found = Vec::new();
        for group in alike {
            let face = group.face();
            found.extend((face >= DRAGON).then_some(("dragon_pung", 1)));
            found.extend((face == WIND + seat).then_some(("own_wind_pung", 1)));
            found.extend((face == WIND + round).then_some(("round_wind_pung", 1)));
        }
        if self.bmja {
            return found;
        }
        let conceals = self.claimed_kong_conceals();
        let hidden = alike.iter().filter(|g| !g.exposed || g.claimed_kong && conceals).count();
        found.extend((hidden >= 3).then_some(("three_concealed_pungs", 1)));
        let dragons = alike.iter().filter(|group| group.face() >= DRAGON).count();
        let winds = alike.iter().filter(|g| (WIND..DRAGON).contains(&g.face())).count();
        let dragon_pair = pairs.iter().any(|face| *face >= DRAGON);
        let wind_pair = pairs.iter().any(|face| (WIND..DRAGON).contains(face));
        found.extend((dragons == 2 && dragon_pair).then_some(("little_three_dragons", 1)));
        found.extend((dragons == 3).then_some(("big_three_dragons", 2)));
        found.extend((winds == 3 && wind_pair).then_some(("little_four_winds", 1)));
        found.extend((winds == 4).then_some(("big_four_winds", 2)));
        found
    }

    /// The limit hands of a reading (no groups: a special form), in the order of the table.
    fn limits(&self, hand: &Tiles, way: &Way, groups: &[Group], form: &str) -> Vec<&'static str> {
        let all = hand.all();
        let (suits, honors) = by_suit(&all);
        let used: Vec<&Vec<usize>> = suits.iter().filter(|suit| !suit.is_empty()).collect();
        let flag = |name: &str| way.flags.contains(&name);
        let drawn = way.win == "self_draw";
        let beside = flag("supplement") || flag("kong_on_kong") || way.win == "rob_kong";
        let last = flag("last_tile") && !beside;
        let alike: Vec<&Group> = groups.iter().filter(|group| group.is_alike()).collect();
        let runs: Vec<&Group> = groups.iter().filter(|group| group.is_run()).collect();
        let faces = |from: usize, to: usize| {
            alike.iter().filter(|group| (from..to).contains(&group.face())).count()
        };
        let conceals = self.claimed_kong_conceals();
        let kongs = alike.iter().filter(|group| group.is_kong()).count();
        let hidden = |kong_too: bool| {
            let counts = |g: &&&Group| {
                (!g.exposed || g.claimed_kong && conceals && kong_too) && (kong_too || !g.is_kong())
            };
            alike.iter().filter(counts).count()
        };
        let closed =
            hand.laid.iter().all(|s| s.back || s.tiles.len() == 4 && s.marks == 1 && conceals);
        let claim_ok = drawn || self.is("classical.concealed_claim", "allowed", "spoils");
        let green = [19, 20, 21, 23, 25, 32];
        let special = drawn || self.is("classical.concealed_special_claim", "allowed", "allowed");
        let mut found = Vec::new();
        let mut add = |name: &'static str, holds: bool| {
            if holds {
                found.push(name);
            }
        };
        add("heavenly_hand", flag("first_turn") && way.seat == 0 && drawn);
        add("earthly_hand", flag("first_turn") && way.seat != 0 && way.from == Some(0));
        add("kong_on_kong", flag("kong_on_kong"));
        add("plum_blossom", (flag("supplement") || flag("kong_on_kong")) && way.winning == 13);
        add("moon", last && drawn && way.winning == 9);
        add("carrying_pole", way.win == "rob_kong" && way.winning == 19);
        add("ninth_east_win", !self.bmja && flag("ninth_east_win") && way.seat == 0);
        let honors_are_limit = self.bmja || self.is("dmjl.all_honors", "limit", "limit");
        add("all_honors", used.is_empty() && honors_are_limit);
        add("all_terminals", all.iter().all(|tile| is_terminal(*tile)));
        add("four_blessings", faces(WIND, DRAGON) == 4);
        add("three_great_scholars", faces(DRAGON, 34) == 3 && (!self.bmja || runs.is_empty()));
        add("four_kongs", kongs == 4);
        let needs_dragon = self.is("classical.all_green_dragon", "needed", "not_needed");
        let is_green = all.iter().all(|tile| green.contains(tile));
        add("all_green", is_green && (!needs_dragon || all.contains(&32)));
        if self.bmja {
            add("buried_treasure", kongs == 0 && hidden(false) == 4 && used.len() == 1);
        } else {
            add("hidden_treasure", drawn && hidden(true) == 4);
            let one = used.len() == 1 && honors.is_empty();
            add("concealed_one_suit", one && closed && claim_ok);
            let mut before = hand.concealed.clone();
            before.remove(before.iter().position(|tile| *tile == way.winning).unwrap());
            let (suits_before, _) = by_suit(&before);
            let gates = suits_before.iter().any(|s| *s == [1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9]);
            add("nine_gates", one && hand.laid.is_empty() && gates && special);
            let snake = one && alike.len() == 2 && runs.len() == 2 && {
                let pair = number(groups.iter().find(|g| g.tiles.len() == 2).unwrap().face());
                let mut ends: Vec<usize> = alike.iter().map(|g| number(g.face())).collect();
                ends.sort_unstable();
                let mut rest: Vec<usize> =
                    runs.iter().flat_map(|g| g.tiles.iter().map(|t| number(*t))).collect();
                rest.push(pair);
                rest.sort_unstable();
                let kongs_ok = kongs == 0 || self.is("dmjl.snake_kongs", "allowed", "allowed");
                ends == [1, 9] && rest == [2, 3, 4, 5, 6, 7, 8] && kongs_ok
            };
            add("squirming_snake", snake);
        }
        for name in [
            "gates_of_heaven",
            "wriggling_snake",
            "thirteen_orphans",
            "triple_knitting",
            "knitting",
            "all_pair_honors",
        ] {
            add(name, form == name);
        }
        found
    }

    fn limit_value(&self, name: &str) -> u64 {
        match name {
            "triple_knitting" | "knitting" | "all_pair_honors" => self.limit() / 2,
            _ => self.limit(),
        }
    }

    fn waits_for_one(&self, hand: &Tiles, winning: usize) -> bool {
        let mut before = hand.clone();
        before.concealed.remove(before.concealed.iter().position(|tile| *tile == winning).unwrap());
        let held = before.all();
        let completes = |tile: &usize| {
            let mut with = before.clone();
            with.concealed.push(*tile);
            held.iter().filter(|other| *other == tile).count() < 4
                && (divisions(&with.concealed).iter().any(|d| d.len() + with.laid.len() == 5)
                    || !self.forms(&with, false).is_empty())
        };
        (0..34).filter(completes).count() == 1
    }

    /// Points and doublings of a winning reading.
    fn ordinary(
        &self,
        hand: &Tiles,
        way: &Way,
        groups: &[Group],
        won: usize,
    ) -> (Vec<PointItem>, Vec<Doubling>) {
        let flag = |name: &str| way.flags.contains(&name);
        let (seat, round) = (way.seat, way.round);
        let drawn = way.win == "self_draw";
        let beside = flag("supplement") || flag("kong_on_kong") || way.win == "rob_kong";
        let last = flag("last_tile") && !beside;
        let all = hand.all();
        let (suits, honors) = by_suit(&all);
        let used = suits.iter().filter(|suit| !suit.is_empty()).count();
        let alike: Vec<&Group> = groups.iter().filter(|group| group.is_alike()).collect();
        let runs = groups.iter().filter(|group| group.is_run()).count();
        let is_sets = !groups.is_empty();
        let pairs: Vec<usize> = if is_sets {
            groups.iter().filter(|group| group.tiles.len() == 2).map(Group::face).collect()
        } else {
            let mut sorted = all.clone();
            sorted.sort_unstable();
            (0..34)
                .flat_map(|face| {
                    let held = sorted.iter().filter(|other| **other == face).count();
                    vec![face; held / 2]
                })
                .collect()
        };
        let mut points: Vec<PointItem> = alike.iter().map(|g| self.set_points(g)).collect();
        pairs.iter().for_each(|pair| points.extend(self.pair_points(*pair, seat, round)));
        let plain = points.is_empty();
        points.extend(hand.flowers.iter().map(|_| ("bonus_tile".to_owned(), 4)));
        if is_sets {
            let win = if self.is("dmjl.win_points", "10", "20") { 10 } else { 20 };
            points.push(("mah_jong".to_owned(), if self.bmja { 20 } else { win }));
        }
        if drawn {
            points.push(("self_drawn".to_owned(), 2));
        }
        if !self.bmja && is_sets {
            if groups[won].tiles.len() == 2 {
                let major = is_major(groups[won].face());
                points.push(("pair_completed".to_owned(), if major { 4 } else { 2 }));
            }
            if self.waits_for_one(hand, way.winning) {
                points.push(("only_tile".to_owned(), 2));
            }
        }
        let mut doublings = self.set_doublings(&alike, &pairs, seat, round);
        doublings.extend(self.flower_doublings(&hand.flowers, seat));
        let mut add = |name: &'static str, value: u64, holds: bool| {
            if holds {
                doublings.push((name, value));
            }
        };
        add("no_chows", 1, runs == 0);
        let conceals = self.claimed_kong_conceals();
        let closed =
            hand.laid.iter().all(|s| s.back || s.tiles.len() == 4 && s.marks == 1 && conceals);
        let claim_ok = drawn || self.is("classical.concealed_claim", "allowed", "spoils");
        let honors_ok = !self.bmja
            || self.is("bmja.concealed_honors", "not_needed", "not_needed")
            || !honors.is_empty();
        add("concealed_hand", 1, closed && claim_ok && honors_ok);
        let mixed = used == 1 && !honors.is_empty();
        if self.bmja {
            let one_suit = match self.choice("bmja.one_suit", "with_honors").as_str() {
                "with_honors" => mixed,
                "any" => used == 1,
                _ => false,
            };
            add("one_suit", 1, one_suit);
            let pure = used == 1 && honors.is_empty() && runs == 0 && is_sets;
            add("purity", 3, pure && self.is("bmja.purity", "doublings", "own_sum"));
        } else {
            add("one_suit_and_honors", 1, mixed);
            add("one_suit_only", 3, used == 1 && honors.is_empty());
            add("no_points", 1, plain);
            let two = self.is("dmjl.all_honors", "two_doublings", "limit");
            add("all_honors", 2, used == 0 && two);
        }
        add("all_terminals_and_honors", 1, all.iter().all(|tile| is_major(*tile)));
        let supplement = !self.bmja || self.is("bmja.supplement", "counts", "counts");
        add("supplement", 1, (flag("supplement") || flag("kong_on_kong")) && supplement);
        add("last_tile_of_wall", 1, last && drawn);
        add("last_discard", 1, last && !drawn);
        add("robbing_a_kong", 1, way.win == "rob_kong");
        add("original_call", 1, flag("original_call"));
        (points, doublings)
    }

    fn sum(list: &[(String, u64)]) -> u64 {
        list.iter().map(|(_, value)| value).sum()
    }

    fn counted(&self, points: Vec<PointItem>, doublings: Vec<Doubling>) -> (Worth, u64) {
        let faan = doublings.iter().map(|(_, value)| value).sum::<u64>();
        let sum = Self::sum(&points);
        let before = sum << faan;
        let items =
            doublings.into_iter().map(|(id, v)| (id.to_owned(), v, "doubling", false)).collect();
        let score = before.min(self.limit());
        (Worth { items, points: Some(sum), point_items: points, faan, score }, before)
    }

    /// A special hand with its flowers, which only a value below the limit gets.
    fn special(&self, name: &str, value: u64, flowers: u64, fishing: bool) -> Worth {
        let mut items = vec![(name.to_owned(), value, "limit", fishing)];
        let mut score = value;
        if value < self.limit() && flowers > 0 {
            items.push(("bonus_tiles".to_owned(), flowers, "points", false));
            score = (value + flowers).min(self.limit());
        }
        Worth { items, points: None, point_items: Vec::new(), faan: 10, score }
    }

    fn purity(
        &self,
        points: &[(String, u64)],
        flowers: u64,
        last_discard: bool,
        fishing: bool,
    ) -> (Worth, u64) {
        let points: Vec<PointItem> =
            points.iter().filter(|(id, _)| id != "bonus_tile").cloned().collect();
        let sum = Self::sum(&points);
        let faan = 3 + u64::from(last_discard);
        let mut items = vec![("purity".to_owned(), 3, "doubling", fishing)];
        if last_discard {
            items.push(("last_discard".to_owned(), 1, "doubling", false));
        }
        if flowers > 0 {
            items.push(("bonus_tiles".to_owned(), flowers, "points", false));
        }
        let before = (sum << faan) + flowers;
        let score = before.min(self.limit());
        (Worth { items, points: Some(sum), point_items: points, faan, score }, before)
    }

    fn is_pure(&self, hand: &Tiles, groups: &[Group]) -> bool {
        let (suits, honors) = by_suit(&hand.all());
        let used = suits.iter().filter(|suit| !suit.is_empty()).count();
        let own_sum = self.bmja && self.is("bmja.purity", "own_sum", "own_sum");
        own_sum
            && used == 1
            && honors.is_empty()
            && !groups.is_empty()
            && !groups.iter().any(Group::is_run)
    }

    /// Every way to count a winner's hand: score, whether special, the sum before, doublings, worth.
    fn winner_ways(&self, hand: &Tiles, way: &Way) -> Vec<(u64, bool, u64, u64, Worth)> {
        let mut readings: Vec<(Vec<Group>, usize, &'static str)> =
            self.readings(hand, way).into_iter().map(|(groups, won)| (groups, won, "")).collect();
        let forms = self.forms(hand, way.win != "self_draw");
        readings.extend(forms.into_iter().map(|form| (Vec::new(), 0, form)));
        let flowers = self.added(hand, way.seat);
        let mut ways = Vec::new();
        let mut limit: Option<&'static str> = None;
        for (groups, won, form) in &readings {
            let found = self.limits(hand, way, groups, form);
            if let Some(first) = found.first() {
                let better = limit.is_none_or(|other| place(first) < place(other));
                if better {
                    limit = Some(first);
                }
                let half = self.limit_value(first) < self.limit();
                if !(half && self.bmja && !self.flowers_added()) {
                    continue;
                }
            }
            let (points, doublings) = self.ordinary(hand, way, groups, *won);
            if found.is_empty() && self.is_pure(hand, groups) {
                let last = doublings.iter().any(|(id, _)| *id == "last_discard");
                let (worth, before) = self.purity(&points, flowers, last, false);
                ways.push((worth.score, true, before, worth.faan, worth));
            }
            let (worth, before) = self.counted(points, doublings);
            ways.push((worth.score, false, before, worth.faan, worth));
        }
        if let Some(name) = limit {
            let worth = self.special(name, self.limit_value(name), flowers, false);
            ways.push((worth.score, true, u64::MAX, 10, worth));
        }
        ways
    }

    /// `None`: not complete.
    pub fn winner(&self, hand: &Tiles, way: &Way) -> Option<Worth> {
        let ways = self.winner_ways(hand, way);
        ways.into_iter().max_by_key(|(a, b, c, d, _)| (*a, *b, *c, *d)).map(|(.., worth)| worth)
    }

    fn lying(&self, hand: &Tiles, seat: usize, round: usize) -> (Worth, u64) {
        let mut groups = hand.laid_groups();
        let mut pairs = Vec::new();
        for face in 0..34 {
            match hand.concealed.iter().filter(|tile| **tile == face).count() {
                3 | 4 => {
                    groups.push(Group { tiles: vec![face; 3], exposed: false, claimed_kong: false })
                }
                2 => pairs.push(face),
                _ => {}
            }
        }
        let alike: Vec<&Group> = groups.iter().filter(|group| group.is_alike()).collect();
        let mut points: Vec<PointItem> = alike.iter().map(|g| self.set_points(g)).collect();
        pairs.iter().for_each(|pair| points.extend(self.pair_points(*pair, seat, round)));
        points.extend(hand.flowers.iter().map(|_| ("bonus_tile".to_owned(), 4)));
        let mut doublings = self.set_doublings(&alike, &pairs, seat, round);
        doublings.extend(self.flower_doublings(&hand.flowers, seat));
        self.counted(points, doublings)
    }

    pub fn loser(
        &self,
        hand: &Tiles,
        seat: usize,
        round: usize,
        dead: bool,
        fishing: bool,
    ) -> Worth {
        let nothing = |reason: &str| Worth {
            items: vec![(reason.to_owned(), 0, "points", false)],
            points: Some(0),
            ..Worth::default()
        };
        let size = hand.size();
        if dead {
            return nothing("dead_hand");
        }
        if size > 13 {
            return nothing("long_hand");
        }
        if size < 13 && self.is("classical.short_hand", "dead", "scored") {
            return nothing("short_hand");
        }
        let (worth, before) = self.lying(hand, seat, round);
        let mut ways = vec![(worth.score, false, before, worth.faan, worth.clone())];
        let fishes = self.bmja && self.is("bmja.fishing", "scored", "scored");
        if size == 13 && fishing && fishes {
            let flowers = self.added(hand, seat);
            let (mut best, mut pure): (Option<(u64, String)>, bool) = (None, false);
            for tile in 0..34 {
                if hand.all().iter().filter(|other| **other == tile).count() == 4 {
                    continue;
                }
                let mut with = hand.clone();
                with.concealed.push(tile);
                let way = Way { seat, round, win: "self_draw", winning: tile, ..Way::default() };
                for (.., worth) in self.winner_ways(&with, &way) {
                    let (id, value, unit, _) = worth.items.first().cloned().unwrap_or_default();
                    if unit == "limit" {
                        let better = best.as_ref().is_none_or(|(other, name)| {
                            value > *other || value == *other && place(&id) < place(name)
                        });
                        if better {
                            best = Some((value, id));
                        }
                    } else if id == "purity" && self.is("bmja.purity", "own_sum", "own_sum") {
                        pure = true;
                    }
                }
            }
            if let Some((value, name)) = best {
                let worth = self.special(&name, value * 2 / 5, flowers, true);
                ways.push((worth.score, true, u64::MAX, 10, worth));
            }
            if pure {
                let (worth, before) = self.purity(&worth.point_items, flowers, false, true);
                ways.push((worth.score, true, before, 3, worth));
            }
        }
        ways.into_iter().max_by_key(|(a, b, c, d, _)| (*a, *b, *c, *d)).unwrap().4
    }
}

/// What everybody gets.
pub fn payments(winner: usize, scores: [u64; 4], settle: bool, liable: Option<usize>) -> [i64; 4] {
    let mut paid = [0i64; 4];
    let mut pay = |from: usize, to: usize, amount: u64| {
        paid[from] -= amount as i64;
        paid[to] += amount as i64;
    };
    let owed = |a: usize, b: usize| if a == 0 || b == 0 { 2 } else { 1 };
    for loser in (0..4).filter(|seat| *seat != winner) {
        pay(liable.unwrap_or(loser), winner, scores[winner] * owed(loser, winner));
    }
    if settle && liable.is_none() {
        for one in 0..4 {
            for other in 0..4 {
                if one != winner && other != winner && scores[one] < scores[other] {
                    pay(one, other, (scores[other] - scores[one]) * owed(one, other));
                }
            }
        }
    }
    paid
}
