//! Finds the runs of tiles that are the hand, and the role of each of their tiles.
//!
//! A run of touching tiles may belong to the hand or not, and may hold concealed tiles, open sets, flowers and the
//! winning tile. Each way to choose has a cost: near runs are likelier, a hand has the tiles of a whole one and one
//! more for each kong, and a sideways tile always marks something. The cheapest ways go on to be named and judged by
//! their faces.

mod candidates;
mod costs;
mod divide;
mod kongs;

use candidates::{Candidate, candidates};
pub use costs::LACKS;
use divide::Taken;
pub use divide::{set_cost, unstack};
use kongs::kongs_by_count;

use super::{
    decode::{FaceChoices, is_finished, is_waiting},
    rows::{Run, apart},
    scene::Scene,
    shown::{Hints, Opened},
};
use crate::{
    hand::{SetForm, WholeHand},
    tile::Face,
};

/// A tile's appearance before the hand is known.
#[derive(Clone, Debug)]
pub struct TileAppearance {
    pub choices: FaceChoices,
    /// Whether it is face down.
    pub back: bool,
    /// Whether it is more likely a flower or season than not.
    pub bonus: bool,
    /// Whether a person corrected it.
    pub corrected: bool,
}

impl TileAppearance {
    fn face(&self) -> usize {
        usize::from(self.choices.best().0)
    }
}

/// A set apart from the concealed tiles.
#[derive(Clone, Debug, PartialEq)]
pub struct Laid {
    /// Tiles from the player's left, and whether each is sideways.
    pub tiles: Vec<(usize, bool)>,
    pub form: SetForm,
    /// Whether four alike are a kong only by the number of tiles.
    pub by_count: bool,
}

/// One arrangement of the hand in the runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ArrangedHand {
    /// The concealed tiles, in their order on the table.
    pub concealed: Vec<usize>,
    pub sets: Vec<Laid>,
    pub bonus: Vec<usize>,
    pub winning: Option<usize>,
    /// The size and forms of a whole hand.
    pub whole: WholeHand,
    /// Cost of the arrangement without the faces, in nats.
    pub cost: f32,
    /// Sum of the faces' votes for the player's side.
    pub up: f32,
}

impl ArrangedHand {
    /// Number of tiles as a whole hand counts them: three for a set.
    pub fn size(&self) -> usize {
        self.concealed.len() + usize::from(self.winning.is_some()) + 3 * self.sets.len()
    }

    /// Value for the ranking, in nats, of a whole hand, or of one that waits for a tile, with these faces of
    /// single tiles.
    pub fn wholeness(&self, faces: impl Iterator<Item = usize>) -> f32 {
        let mut counts = [0u8; Face::SET_FACES];
        for face in faces {
            if let Some(count) = counts.get_mut(face) {
                *count = count.saturating_add(1);
            }
        }
        if counts.iter().any(|&count| count > 4) {
            return 0.0;
        }
        let (size, whole) = (self.size(), self.whole.tiles());
        if size == whole && is_finished(self.whole, &counts, self.sets.len()) {
            WHOLE
        } else if size + 1 == whole && is_waiting(self.whole, &counts, self.sets.len()) {
            WAITING
        } else {
            0.0
        }
    }

    /// The wholeness with every tile taken for its likeliest face.
    pub fn wholeness_by_appearance(&self, appearances: &[TileAppearance]) -> f32 {
        let singles = self.concealed.iter().chain(&self.winning).map(|&tile| &appearances[tile]);
        self.wholeness(singles.filter(|appearance| !appearance.back).map(TileAppearance::face))
    }

    /// All its tiles.
    pub fn tiles(&self) -> impl Iterator<Item = usize> + '_ {
        (self.concealed.iter().copied())
            .chain(self.sets.iter().flat_map(|set| set.tiles.iter().map(|&(tile, _)| tile)))
            .chain(self.bonus.iter().copied())
            .chain(self.winning)
    }
}

/// Most runs that are tried as cores.
const MOST_CORES: usize = 5;
/// Arrangements kept of each core.
const KEPT: usize = 8;

/// The cheapest arrangements of all cores, by cost.
pub fn arrangements(scene: &Scene) -> Vec<ArrangedHand> {
    let runs = &scene.runs;
    let mut cores: Vec<usize> = (0..runs.len()).filter(|&r| runs[r].tiles.len() >= 2).collect();
    cores.sort_by_key(|&r| std::cmp::Reverse((runs[r].uprights(), runs[r].tiles.len())));
    // All tiles are those of an opened hand: its longest row is its core.
    let opened = scene.hints.opened != Opened::Alone;
    cores.truncate(if opened { 1 } else { MOST_CORES });
    let mut found: Vec<ArrangedHand> = Vec::new();
    for core in cores {
        let candidates = candidates(core, scene);
        let search = ArrangementSearch::new(&candidates, &scene.appearances, scene.hints);
        for arranged in search.run() {
            let same = |other: &ArrangedHand| {
                other.concealed == arranged.concealed
                    && other.sets == arranged.sets
                    && other.winning == arranged.winning
                    && other.bonus == arranged.bonus
            };
            match found.iter_mut().find(|other| same(other)) {
                Some(other) => other.cost = other.cost.min(arranged.cost),
                None => found.push(arranged),
            }
        }
    }
    found.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    found
}

struct ArrangementSearch<'a> {
    candidates: &'a [Candidate],
    appearances: &'a [TileAppearance],
    hints: &'a Hints,
    /// Each candidate's place among the rows from the far one to the near one, each from the left.
    places: Vec<usize>,
    /// The least cost of all candidates from each on.
    least: Vec<f32>,
    /// Arrangements by cost, which includes the wholeness by the likeliest faces, for the ranking alone.
    best: Vec<(f32, ArrangedHand)>,
}

/// Value of a finished hand when arrangements are ranked, in nats.
pub const WHOLE: f32 = 6.0;
/// Value of a hand that waits for one tile when arrangements are ranked, in nats.
pub const WAITING: f32 = 3.5;

impl<'a> ArrangementSearch<'a> {
    fn new(
        candidates: &'a [Candidate],
        appearances: &'a [TileAppearance],
        hints: &'a Hints,
    ) -> Self {
        let mut rows: Vec<usize> = (0..candidates.len()).collect();
        rows.sort_by(|&a, &b| order(&candidates[a].run, &candidates[b].run));
        let mut places = vec![0; candidates.len()];
        for (place, &candidate) in rows.iter().enumerate() {
            places[candidate] = place;
        }
        let mut least = vec![0.0; candidates.len() + 1];
        for (at, candidate) in candidates.iter().enumerate().rev() {
            let taken = candidate.ways.iter().map(|way| candidate.include + way.cost);
            least[at] = least[at + 1] + taken.fold(candidate.exclude, f32::min);
        }
        Self { candidates, appearances, hints, places, least, best: Vec::new() }
    }

    fn run(mut self) -> Vec<ArrangedHand> {
        self.choose(0, &mut Vec::new(), 0.0, 0);
        self.best.into_iter().map(|(_, arranged)| arranged).collect()
    }

    /// Chooses a way, or none, for each candidate from one on; `size`: of what is chosen, as a whole hand counts it.
    fn choose(&mut self, at: usize, chosen: &mut Vec<Option<usize>>, cost: f32, size: usize) {
        let bound = self.best.get(KEPT - 1).map_or(f32::INFINITY, |(cost, _)| *cost);
        if cost + self.least[at] + self.least_for(size) > bound {
            return;
        }
        let Some(candidate) = self.candidates.get(at) else {
            self.judge(chosen, cost);
            return;
        };
        let way_of = |(index, way): (usize, &Option<usize>)| {
            way.map(|way| &self.candidates[index].ways[way])
        };
        let won = self.hints.opened == Opened::Lost
            || chosen.iter().enumerate().filter_map(way_of).any(|way| way.winning.is_some());
        for (w, way) in candidate.ways.iter().enumerate() {
            if !(won && way.winning.is_some()) {
                chosen.push(Some(w));
                self.choose(at + 1, chosen, cost + candidate.include + way.cost, size + way.size());
                chosen.pop();
            }
        }
        if candidate.exclude.is_finite() {
            chosen.push(None);
            self.choose(at + 1, chosen, cost + candidate.exclude, size);
            chosen.pop();
        }
    }

    /// The least cost of a hand of at least this size: each of its sets may be a kong that only the number shows.
    fn least_for(&self, size: usize) -> f32 {
        match size.checked_sub(self.hints.tiles() + self.hints.whole.sets) {
            None | Some(0) => -WHOLE,
            Some(surplus) => costs::TOO_MANY[0] + costs::TOO_MANY[1] * surplus as f32,
        }
    }

    fn judge(&mut self, chosen: &[Option<usize>], mut cost: f32) {
        let mut taken: Vec<(usize, &Candidate, &Taken)> = Vec::new();
        for (index, way) in chosen.iter().enumerate() {
            let Some(way) = way else { continue };
            let candidate = &self.candidates[index];
            // Part of a block whose other rows are left out: discards.
            if candidate.touches.iter().any(|&other| chosen[other].is_none()) {
                cost += costs::TORN_BLOCK[usize::from(candidate.run.tiles.len() > 1)];
            }
            taken.push((index, candidate, &candidate.ways[*way]));
        }
        let marked = taken.iter().any(|(.., way)| way.marked);
        let opened = self.hints.opened != Opened::Alone;
        let mut concealed_alone = 0;
        for (.., way) in &taken {
            if way.unmarked_sets {
                cost += if marked && !opened { costs::UNMARKED } else { 0.0 };
            }
            concealed_alone += way.concealed.len();
        }
        if taken.iter().any(|(.., way)| way.unmarked_sets) && concealed_alone < 2 {
            cost += costs::NOTHING_CONCEALED;
        }
        // Whole sets in a row of their own beside a row that holds the rest lie open.
        let rest = |own: usize| {
            taken
                .iter()
                .any(|(index, _, way)| *index != own && way.concealed.len() >= 2 && !way.maybe_sets)
        };
        let in_line = |own: &Candidate| own.lies.across < costs::IN_LINE;
        for (index, candidate, way) in &taken {
            if way.maybe_sets && opened && *index != 0 {
                cost += costs::OPENED_SETS_CONCEALED;
            } else if way.maybe_sets && !marked && rest(*index) {
                let row = if *index == 0 { taken.len() > 1 } else { !in_line(candidate) };
                cost += costs::SETS_CONCEALED[usize::from(!row)];
            }
        }
        taken.sort_by_key(|&(index, ..)| self.places[index]);
        let mut arranged = ArrangedHand { whole: self.hints.whole, ..ArrangedHand::default() };
        for (_, candidate, way) in &taken {
            arranged.concealed.extend(&way.concealed);
            arranged.sets.extend(way.sets.iter().cloned());
            arranged.bonus.extend(&way.bonus);
            arranged.winning = arranged.winning.or(way.winning);
            arranged.up += candidate.run.up;
        }
        let size = arranged.size();
        if size < costs::FEWEST || arranged.sets.len() > self.hints.whole.sets {
            return;
        }
        let whole = self.hints.tiles();
        if size > whole {
            kongs_by_count(&mut arranged, self.appearances, size - whole);
        }
        let by_count = arranged.sets.iter().filter(|set| set.by_count).count();
        let size = arranged.size();
        cost += costs::KONG_BY_COUNT * by_count as f32
            + match (size as i32 - whole as i32, arranged.winning.is_some()) {
                (0, true) => 0.0,
                (missing @ ..=0, false) if self.hints.opened == Opened::Lost => {
                    -costs::LOST_LACKS * missing as f32
                }
                (0, false) => costs::NO_WINNING,
                (-1, false) => costs::LACKS_ONE,
                (-1, true) => costs::LACKS_ONE_BUT_WON,
                (missing @ ..-1, _) => costs::LACKS[0] - costs::LACKS[1] * (missing + 1) as f32,
                (surplus, _) => costs::TOO_MANY[0] + costs::TOO_MANY[1] * surplus as f32,
            };
        arranged.cost = cost;
        let rank = cost - arranged.wholeness_by_appearance(self.appearances);
        let place = self.best.partition_point(|(other, _)| *other <= rank);
        if place < KEPT {
            if self.best.iter().any(|(_, other)| *other == arranged) {
                return;
            }
            self.best.insert(place, (rank, arranged));
            self.best.truncate(KEPT);
        }
    }
}

/// Far rows first; in one line from the left.
fn order(a: &Run, b: &Run) -> std::cmp::Ordering {
    let lies = apart(a, b);
    let below = if lies.across > -0.4 { lies.below } else { 0.0 };
    if below != 0.0 {
        if below > 0.0 { std::cmp::Ordering::Less } else { std::cmp::Ordering::Greater }
    } else if lies.after > 0.0 {
        std::cmp::Ordering::Less
    } else {
        std::cmp::Ordering::Greater
    }
}
