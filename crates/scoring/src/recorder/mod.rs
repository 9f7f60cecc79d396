//! The record of a game from the tiles that a camera follows on a table: in, the tiles of each moment with their numbers; out,
//! events of a [`crate::record`], each with its time and clearness. It is pure: the caller gives the time.
//!
//! In four steps: the tiles that lie still (`rest`), without rows that lie face down (`walls`); the discards (`pond`) and what
//! lies open (`open`) before each player; their order by turns (`turns`); the events, which the tiles have to allow, and what of
//! them is not certain (`deal`). Hands stand concealed: draws follow from the turns, and their tiles are not known. How the deal
//! stands meanwhile, and who has won once a hand lies open, is in `standing`.

mod deal;
mod ending;
mod open;
mod pond;
mod rest;
#[cfg(test)]
mod simulated;
mod standing;
mod turns;
mod walls;

use std::{collections::BTreeMap, time::Duration};

pub use self::standing::{Standing, StandingDiscard, TileBefore, WonHand};
use self::{
    deal::Deal,
    ending::OpenHand,
    open::{OpenNews, OpenTiles, Opened, OwnTile},
    pond::{Pond, PondNews},
    rest::{Resting, Rests, Spot},
    standing::{Lying, Seen},
    turns::{Fact, Laid, Turns, Writing},
    walls::{Indicator, Walls},
};
use crate::{
    calibration::table::{TableView, Zone},
    hand::WholeHand,
    layout::Hints,
    record::{Event, SeenEvent},
    sight::{SeenTile, quad::centre},
    tile::{Seat, SeenFace},
};

/// Time without discards on the table before a deal can begin: tiles that are shuffled are no discards.
const CLEAR: Duration = Duration::from_secs(2);
/// Time for which most of a deal's tiles have to be gone before it is over.
const SWEPT: Duration = Duration::from_secs(2);
/// The same at the beginning of a deal, whose only tiles may have been claimed.
const FEW_SWEPT: Duration = Duration::from_secs(10);
const FEW: usize = 4;
/// Number of a deal's tiles of which at most one may still lie there when it is over.
const LEFT: usize = 5;
/// Time without a picture after which something may have happened that was not seen.
const STOPPED: Duration = Duration::from_secs(5);
/// Time before tiles are seen to be gone in which they are already being moved.
const SWEEPING: Duration = Duration::from_secs(3);

/// The tiles that a camera follows, as of a moment.
#[derive(Clone, Copy, Debug)]
pub struct Look<'a> {
    /// The time since 1970, which does not go back.
    pub at: Duration,
    /// The tiles, those that are covered included.
    pub tiles: &'a [SeenTile],
    /// A number for each tile, constant while it is followed.
    pub ids: &'a [u64],
    /// For each tile the time since it was last seen; empty if all are seen.
    pub unseen: &'a [Duration],
}

/// A deal's place in the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DealPlace {
    /// The deal's number in its session.
    pub number: u32,
    /// The wind of the round.
    pub round: Seat,
    /// The dealer.
    pub dealer: usize,
    /// Counters on the table.
    pub counters: u32,
    /// Sticks that earlier deals have left.
    pub sticks: u32,
}

impl Default for DealPlace {
    fn default() -> Self {
        Self { number: 1, round: Seat::East, dealer: 0, counters: 0, sticks: 0 }
    }
}

/// Records the deals of a table. Players are numbered by their seats in the first deal, East first.
#[derive(Debug, Default)]
pub struct Recorder {
    rests: Rests,
    /// Since when no discards lie on the table, before a deal.
    clear: Option<Duration>,
    /// The deal that is played, or is about to begin.
    playing: Option<Playing>,
    /// The time of the last tiles.
    last: Duration,
    /// The number of the deal that was recorded last.
    recorded: Option<u32>,
    /// The number of deals so far that could begin.
    deals: u64,
}

/// A deal that may begin.
#[derive(Debug, Default)]
struct Playing {
    ponds: Vec<Pond>,
    open: Vec<OpenTiles>,
    turns: Turns,
    walls: Walls,
    indicators: Vec<Indicator>,
    /// The hands that were opened, as they were last seen.
    hands: BTreeMap<usize, OpenHand>,
    /// The deal, once something was laid down, and its number where that was known then.
    deal: Option<Deal>,
    number: Option<u32>,
    /// Who has won, and how many events the deal had then.
    won: Option<(WonHand, usize)>,
    /// Since when most of its tiles are gone, and since when they are out of sight.
    swept: Option<Duration>,
    hidden: Option<Duration>,
}

impl Recorder {
    /// Takes in the tiles of a moment; returns the lines to write. `place`: the deal that is played now, where that is known;
    /// `whole`: the hands of its rules.
    pub fn observe(
        &mut self,
        look: &Look,
        view: &TableView,
        place: Option<DealPlace>,
        whole: WholeHand,
    ) -> Vec<SeenEvent> {
        let (spots, resting) = self.rests.take(look, view);
        let number = place.map(|place| place.number);
        // A session whose last deal is not entered yet does not know the next one.
        let place = place.filter(|_| number != self.recorded);
        let Some(playing) = &mut self.playing else {
            let is_discard = |rest: &Resting| {
                matches!(view.zone(centre(&rest.tile.corners)), Zone::Discards(_))
                    && rest.face != SeenFace::Back
            };
            if resting.iter().any(is_discard) {
                self.clear = None;
            } else if look.at.saturating_sub(*self.clear.get_or_insert(look.at)) >= CLEAR {
                self.playing = Some(Playing::of(view.seats().count()));
                self.deals += 1;
            }
            return Vec::new();
        };
        if look.at.saturating_sub(std::mem::replace(&mut self.last, look.at)) >= STOPPED
            && let Some(deal) = &mut playing.deal
        {
            deal.gap(look.at);
        }
        let resting = if playing.is_hidden(&spots, look.at) { &[][..] } else { &resting };
        playing.see(look, view, &spots, resting, whole);
        let [all, left, seen] = playing.count(&spots);
        // While tiles are swept away nothing is played.
        if all <= FEW || 2 * seen > all {
            playing.write(look.at, place, whole);
        }
        if playing.is_swept([all, left], look.at) {
            let ended = self.playing.take();
            self.recorded = ended.as_ref().and_then(|ended| ended.number).or(number);
            self.clear = None;
            return ended.map_or_else(Vec::new, |playing| playing.ended(look.at));
        }
        playing.settle(look.at);
        playing.deal.as_mut().map_or_else(Vec::new, Deal::lines)
    }
}

impl Recorder {
    /// How the deal that is played stands; `None` between deals.
    pub fn standing(&self) -> Option<Standing> {
        let playing = self.playing.as_ref()?;
        let seen = Seen::of(playing.deal.as_ref()?);
        let last = playing.lying(self.last).last(&seen);
        let won = playing.won.as_ref().map(|(won, _)| won.clone());
        let (deal, number) = (self.deals, playing.number);
        Some(Standing { deal, number, won, ..seen.standing(playing.ponds.len(), last) })
    }
}

impl Playing {
    fn of(players: usize) -> Self {
        Self {
            ponds: (0..players).map(|_| Pond::default()).collect(),
            open: (0..players).map(|_| OpenTiles::default()).collect(),
            ..Self::default()
        }
    }

    /// Takes in what lies still before each player.
    fn see(
        &mut self,
        look: &Look,
        view: &TableView,
        spots: &BTreeMap<u64, Spot>,
        resting: &[Resting],
        whole: WholeHand,
    ) {
        self.indicators.extend(self.walls.take(spots, resting, look.at));
        let tiles: Vec<SeenTile> = resting.iter().map(|rest| rest.tile.clone()).collect();
        let hints = Hints { whole, seated_below: true, ..Hints::default() };
        let last = self
            .turns
            .standing()
            .1
            .map(|(giver, place)| (giver, place, self.ponds[giver].0[place].is_gone()));
        for (seat, lying) in view.divide(&tiles) {
            let player = seat.index();
            let discards: Vec<(Resting, bool)> = (lying.discards.tiles.iter())
                .map(|place| (resting[*place], lying.discards.sideways.contains(place)))
                .filter(|(rest, _)| rest.face != SeenFace::Back && !self.walls.has(rest))
                .collect();
            let (Some(pond), Some(open)) = (self.ponds.get_mut(player), self.open.get_mut(player))
            else {
                continue;
            };
            for news in pond.take(spots, &discards, look.at) {
                match news {
                    PondNews::Discarded(place, since) => {
                        let laid = Laid::Discard(place);
                        self.turns.add(Fact { player, laid, since, is_late: false });
                    }
                    PondNews::Corrected(place) => {
                        let tile = &pond.0[place];
                        if let (Some(deal), Some(event)) = (&mut self.deal, tile.event) {
                            deal.correct(event, tile.face, look.at, tile.confidence);
                        }
                    }
                }
            }
            let own: Vec<OwnTile> = (lying.own.iter())
                .map(|place| resting[*place])
                .filter(|rest| !self.walls.has(rest))
                .filter_map(|rest| {
                    let among_sets = view.is_among_sets(seat, centre(&rest.tile.corners));
                    Some(OwnTile { rest, seen: view.seen_by(seat, rest.tile)?, among_sets })
                })
                .collect();
            for Opened { news, clear, is_late } in open.take(&own, &hints, look.at) {
                if let OpenNews::Hand { hand, finished } = news {
                    let hand = OpenHand { hand, finished, clear, at: look.at, last };
                    self.hands.insert(player, hand);
                    continue;
                }
                let laid = Laid::Open(news, clear);
                self.turns.add(Fact { player, laid, since: look.at, is_late });
            }
        }
    }

    /// Writes everything whose turn has come.
    fn write(&mut self, now: Duration, place: Option<DealPlace>, whole: WholeHand) {
        if self.deal.is_none()
            && let Some(first) = self.turns.first(now, place.map(|place| place.dealer))
        {
            self.deal = Deal::begin(place, first, self.ponds.len(), whole.tiles(), now);
            self.turns.begin(place.map_or(first, |place| place.dealer));
            self.number = place.map(|place| place.number);
        }
        let Some(deal) = &mut self.deal else { return };
        for (tile, clear, at) in self.indicators.drain(..) {
            deal.write(Event::Indicator { tile }, at, Some(clear));
        }
        self.turns.write(&mut Writing { deal, ponds: &mut self.ponds, now }, false);
    }

    /// What lies there.
    fn lying(&self, now: Duration) -> Lying<'_> {
        let is_open =
            |player: usize| self.open.get(player).is_some_and(|open| open.shows_hand(now));
        let hands = self.hands.iter().filter(|(player, _)| is_open(**player));
        let hands = hands.map(|(player, hand)| (*player, hand)).collect();
        Lying { ponds: &self.ponds, turns: &self.turns, hands, now }
    }

    /// Finds out who has won. What was certain stays while tiles are swept away, unless play has gone on, another hand is
    /// complete too, or the tile that was won on lies where it was.
    fn settle(&mut self, now: Duration) {
        let before = self.won.take();
        let Some(deal) = self.deal.as_ref().filter(|_| !self.hands.is_empty()) else { return };
        let (seen, lying, events) = (Seen::of(deal), self.lying(now), deal.events().len());
        let won = lying.won(&seen);
        let kept = before.filter(|(before, at)| {
            let is_same = |won: &WonHand| {
                won.is_certain || (won.player, won.from) == (before.player, before.from)
            };
            before.is_certain
                && *at == events
                && !lying.contradicts(before, &seen)
                && won.as_ref().is_none_or(is_same)
        });
        self.won = match won {
            Some(won) if won.is_certain || kept.is_none() => Some((won, events)),
            _ => kept,
        };
    }

    /// The number of tiles in ponds and sets, of those that still lie there, and of those that are seen there.
    fn count(&self, spots: &BTreeMap<u64, Spot>) -> [usize; 3] {
        let ponds = self.ponds.iter().map(Pond::count);
        let counts = ponds.chain(self.open.iter().map(|open| open.count(spots)));
        counts.fold([0; 3], |sum, more| [0, 1, 2].map(|k| sum[k] + more[k]))
    }

    /// Whether most tiles are out of sight. Others that show meanwhile are being mixed, or carried off.
    fn is_hidden(&mut self, spots: &BTreeMap<u64, Spot>, now: Duration) -> bool {
        let [all, _, seen] = self.count(spots);
        let since = self.hidden.unwrap_or(now);
        self.hidden = (all > FEW && LEFT * seen <= all).then_some(since);
        self.hidden.is_some()
    }

    /// Whether the deal's tiles were swept away.
    fn is_swept(&mut self, [all, left]: [usize; 2], now: Duration) -> bool {
        if all == 0 || LEFT * left > all {
            self.swept = None;
            return false;
        }
        let needed = if all <= FEW { FEW_SWEPT } else { SWEPT };
        now.saturating_sub(*self.swept.get_or_insert(now)) >= needed
    }

    /// The last lines of the deal.
    fn ended(mut self, now: Duration) -> Vec<SeenEvent> {
        let Some(mut deal) = self.deal.take() else { return Vec::new() };
        let swept = self.swept.unwrap_or(now);
        let hidden = self.hidden.map_or(swept, |hidden| hidden.min(swept));
        self.turns.drop_since(hidden.saturating_sub(SWEEPING));
        let ponds = &mut self.ponds;
        self.turns.write(&mut Writing { deal: &mut deal, ponds, now: swept }, true);
        for tile in self.ponds.iter().flat_map(|pond| &pond.0) {
            if let Some(event) = tile.event {
                deal.see(event, tile.confidence);
            }
        }
        ending::write(&mut deal, &self.hands, &self.ponds, &self.turns);
        deal.end(swept)
    }
}
