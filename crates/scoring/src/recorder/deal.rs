//! A deal as it is written: each event is one that the tiles allow, and at the end what is not certain.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use super::DealPlace;
use crate::{
    record::{Board, ClaimKind, DealBegins, Doubtful, Event, SeenEvent, Tiles},
    tile::{Face, SeenFace},
};

/// Least probability of a tile that is certain.
const CERTAIN: f32 = 0.95;
/// Tiles of a face that a set has.
const OF_A_FACE: usize = 4;
/// Events on each side of a gap, or of a discard that was not seen, whose order is not certain: a tile that is seen late takes
/// the place of its player's next one.
const AROUND: usize = 6;

/// A deal so far.
#[derive(Clone, Debug)]
pub(super) struct Deal {
    board: Board,
    /// Its events, the beginning first.
    events: Vec<Event>,
    /// The probability of each event's tiles.
    confidence: Vec<Option<f32>>,
    doubts: BTreeSet<(usize, Doubtful)>,
    /// The time of the last event.
    at: Duration,
    /// Tiles of a whole hand, kongs counted as three.
    whole: usize,
    written: Vec<SeenEvent>,
}

impl Deal {
    /// The deal of as many players; `dealer` where its place is not known. `None` where nobody plays.
    pub fn begin(
        place: Option<DealPlace>,
        dealer: usize,
        players: usize,
        whole: usize,
        at: Duration,
    ) -> Option<Self> {
        let known = place.is_some();
        let place = place.unwrap_or(DealPlace { dealer, ..DealPlace::default() });
        let hand: Tiles = std::iter::repeat_n(SeenFace::Unknown, whole - 1).collect();
        let begins = DealBegins {
            round: place.round,
            dealer: place.dealer,
            counters: place.counters,
            sticks: place.sticks,
            hands: vec![hand; players],
            points: Vec::new(),
        };
        let board = Board::new(&begins).ok()?;
        let event = Event::Deal(begins);
        let mut deal = Self {
            board,
            events: vec![event.clone()],
            confidence: vec![None],
            doubts: BTreeSet::new(),
            at,
            whole,
            written: Vec::new(),
        };
        deal.line(event, None);
        if !known {
            deal.doubt(0, Doubtful::Place);
        }
        Some(deal)
    }

    fn line(&mut self, event: Event, confidence: Option<f32>) {
        let confidence = confidence.map(|confidence| (1e3 * confidence).round() / 1e3);
        let at = u64::try_from(self.at.as_millis()).unwrap_or(u64::MAX);
        self.written.push(SeenEvent { event, at, confidence });
    }

    /// Takes the lines that were written since.
    pub fn lines(&mut self) -> Vec<SeenEvent> {
        std::mem::take(&mut self.written)
    }

    fn push(&mut self, event: Event, confidence: Option<f32>) -> Result<usize, String> {
        let mut board = self.board.clone();
        board.apply(&event)?;
        self.board = board;
        self.line(event.clone(), confidence);
        self.events.push(event);
        self.confidence.push(confidence);
        Ok(self.events.len() - 1)
    }

    /// Writes an event; its number. Where the tiles do not allow it something was missed, and a gap comes before it. An event
    /// that is impossible even then is left out.
    pub fn write(&mut self, event: Event, at: Duration, confidence: Option<f32>) -> Option<usize> {
        if let Ok(number) = self.push_at(event.clone(), at, confidence) {
            return Some(number);
        }
        self.gap(at);
        self.push_at(event, at, confidence).ok()
    }

    fn push_at(
        &mut self,
        event: Event,
        at: Duration,
        confidence: Option<f32>,
    ) -> Result<usize, String> {
        let before = self.at;
        self.at = at.max(before);
        let pushed = self.push(event, confidence);
        if pushed.is_err() {
            self.at = before;
        }
        pushed
    }

    /// Writes that nothing is known of the time from the last event on.
    pub fn gap(&mut self, until: Duration) {
        let long = until.saturating_sub(self.at).as_millis();
        let milliseconds = u64::try_from(long).unwrap_or(u64::MAX);
        // A board takes a gap at any time.
        let _ = self.push_at(Event::Gap { milliseconds }, until, None);
    }

    /// Tiles of a whole hand, kongs counted as three.
    pub const fn whole(&self) -> usize {
        self.whole
    }

    /// The tiles that this count of concealed ones lacks to a whole hand; `None` for more than that.
    pub fn missing(&self, player: usize, concealed: usize) -> Option<usize> {
        let sets = self.board.players.get(player)?.sets.len();
        self.whole.checked_sub(concealed + 3 * sets)
    }

    /// Writes the draw before what a player lays down, unless the hand has its tile already.
    pub fn draw(&mut self, player: usize, at: Duration) {
        let held = self.board.players.get(player).map(|held| held.concealed.len());
        if held.and_then(|held| self.missing(player, held)).is_some_and(|missing| missing > 0) {
            self.write(Event::Draw { player, tile: SeenFace::Unknown }, at, None);
        }
    }

    /// Writes that a discard was another tile.
    pub fn correct(&mut self, event: usize, tile: SeenFace, at: Duration, confidence: f32) {
        if self.write(Event::Correction { event, tile }, at, Some(confidence)).is_some() {
            if let Some(Event::Discard { tile: wrong, .. }) = self.events.get_mut(event) {
                *wrong = tile;
            }
            self.see(event, confidence);
        }
    }

    /// The claim that a player has just made, by number.
    pub fn claimed_last(&self, player: usize) -> Option<usize> {
        let last = self.events.last();
        let is_own =
            |event: &&Event| matches!(event, Event::Claim { player: own, .. } if *own == player);
        last.filter(is_own).map(|_| self.events.len() - 1)
    }

    /// Whether a player has just claimed a chow or a pung, and so cannot have drawn.
    pub fn has_just_claimed(&self, player: usize) -> bool {
        matches!(self.events.last(), Some(Event::Claim { player: own, kind, .. })
            if *own == player && *kind != ClaimKind::Kong)
    }

    /// How clearly an event's tiles are seen by now.
    pub fn see(&mut self, event: usize, confidence: f32) {
        if let Some(seen) = self.confidence.get_mut(event) {
            *seen = Some(confidence);
        }
    }

    /// Says that something about an event is not certain.
    pub fn doubt(&mut self, event: usize, why: Doubtful) {
        self.doubts.insert((event, why));
    }

    /// Its events so far, the beginning first.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// What of the events so far is not certain.
    pub fn doubts(&self) -> BTreeSet<(usize, Doubtful)> {
        let mut doubts = self.doubts.clone();
        let unclear = |(event, seen): (usize, &Option<f32>)| {
            seen.is_some_and(|seen| seen < CERTAIN).then_some((event, Doubtful::Tile))
        };
        doubts.extend(self.confidence.iter().enumerate().filter_map(unclear));
        let mut tiles: BTreeMap<Face, Vec<usize>> = BTreeMap::new();
        for (event, laid) in self.events.iter().enumerate() {
            for face in laid_down(laid) {
                tiles.entry(face).or_default().push(event);
            }
        }
        for (face, events) in tiles {
            if events.len() > if face.is_bonus() { 1 } else { OF_A_FACE } {
                doubts.extend(events.into_iter().map(|event| (event, Doubtful::Count)));
            }
        }
        self.doubt_around_gaps(&mut doubts);
        if doubts.contains(&(0, Doubtful::Place)) {
            // Whoever was seen first is the dealer unless an earlier discard was missed.
            let first = self.events.iter().position(is_played);
            doubts.extend(first.map(|event| (event, Doubtful::Order)));
        }
        doubts
    }

    /// Doubts the order of what was played next to a gap, or to a discard that was not seen.
    fn doubt_around_gaps(&self, doubts: &mut BTreeSet<(usize, Doubtful)>) {
        let is_gap = |event: &usize| {
            matches!(self.events[*event], Event::Gap { .. })
                || self.doubts.contains(&(*event, Doubtful::Unseen))
        };
        let all = 0..self.events.len();
        let played: Vec<usize> =
            all.clone().filter(|event| is_played(&self.events[*event])).collect();
        for gap in all.filter(is_gap) {
            let at = played.partition_point(|event| *event < gap);
            let around = at.saturating_sub(AROUND)..(at + AROUND).min(played.len());
            doubts.extend(played[around].iter().map(|event| (*event, Doubtful::Order)));
        }
    }

    /// Writes what is not certain, and the end. How the deal ended is not known unless an event has said it.
    pub fn end(mut self, at: Duration) -> Vec<SeenEvent> {
        for (event, why) in self.doubts() {
            self.write(Event::Doubt { event, why }, at, None);
        }
        if !self.board.has_result() {
            self.gap(at);
        }
        self.write(Event::End, at, None);
        self.written
    }
}

/// Whether a player has laid something down in an event.
pub(super) const fn is_played(event: &Event) -> bool {
    matches!(
        event,
        Event::Discard { .. }
            | Event::Claim { .. }
            | Event::ConcealedKong { .. }
            | Event::AddedKong { .. }
            | Event::SetOut { .. }
    )
}

/// The known tiles that an event brings to the table.
pub(super) fn laid_down(event: &Event) -> Vec<Face> {
    let tiles = match event {
        Event::Indicator { tile } | Event::Discard { tile, .. } | Event::SetOut { tile, .. } => {
            vec![*tile]
        }
        Event::Claim { own, .. } => own.0.clone(),
        Event::ConcealedKong { tiles, .. } => tiles.0.clone(),
        Event::AddedKong { tile, .. } => vec![SeenFace::Tile(*tile)],
        _ => Vec::new(),
    };
    let face = |tile: SeenFace| match tile {
        SeenFace::Tile(tile) => Some(tile.face()),
        SeenFace::Back | SeenFace::Unknown => None,
    };
    tiles.into_iter().filter_map(face).collect()
}
