//! Builds the state for all pages from the sources and the operator's decisions.

use std::{collections::BTreeMap, time::Instant};

use serde_json::{Value, json};

use super::{Hub, HubState};
use crate::{
    layout::{self, Role},
    page::{described, reading::of_typed},
    rules::{Circumstances, PaidWinners, RuleSet},
    server::{
        Amended, ContextError, Phase,
        feeds::{APART, Feed, Shows},
        reading,
        seats::{SeatSeen, TableHints, read_table},
        states::States,
        tracked_picture::TrackedPicture,
        visibility::Visibility,
    },
    table::DealRecord,
    tile::Seat,
};

/// The visibility of the shown tiles: the current hand, and each player's tiles, by seat in the first deal of the
/// round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Visibilities {
    hand: Visibility,
    seats: BTreeMap<Seat, Visibility>,
}

impl Hub {
    pub(super) fn read_again(&self, inner: &mut HubState) {
        let context = inner.session.context().clone();
        let (rules, mut input) = match context.resolve(&self.library) {
            Ok(resolved) => resolved,
            Err(error) => {
                (inner.read, inner.hand_tiles) = (Some(json!({ "trouble": error.0 })), Vec::new());
                return;
            }
        };
        inner.played = described(&rules);
        if let Some(at) = input.at.as_mut().filter(|at| !inner.is_paid_counters(&rules, at)) {
            at.honba = 0;
        }
        let fixes = inner.session.fixes().to_vec();
        // A photo's tiles have numbers of their own.
        let of_sources = if inner.session.photo().is_some() { &[][..] } else { &fixes };
        let winner = context.text("seat").and_then(seat_of).map(|wind| context.place_of(wind));
        inner.read_seats(TableHints {
            fixes: of_sources,
            winning: winner.zip(input.hints.winning),
            whole: rules.whole_hand(),
        });
        inner.seats_json = (inner.seats.iter())
            .filter_map(|(place, (feed, seen))| {
                let wind = context.wind_at(*place)?;
                let at = context.of_seat(wind).resolve(&self.library).ok()?.1.at;
                let tracked = inner.feeds.get(*feed)?.settled.as_ref()?;
                let mut seat = reading::seat(tracked, *place, seen, &rules, at);
                seat["name"] = json!(context.name(wind));
                Some((wind.to_string(), seat))
            })
            .collect();
        let shows_hand = |feed: &&Feed| feed.shows == Shows::Hand && feed.settled.is_some();
        let hand = inner.feeds.iter().find(shows_hand);
        // An open hand before the camera of one hand takes precedence over the rest of an upright one.
        let seat = winner.and_then(|place| inner.seats.get(&place));
        let seat = seat.filter(|(_, seen)| seen.hand_seen || hand.is_none());
        // The context was checked when it was set.
        let typed = context.typed(&rules).ok().flatten();
        (inner.read, inner.hand_tiles) = if let Some(typed) = typed {
            (Some(of_typed(typed, &rules, &input)), Vec::new())
        } else if let Some(photo) = inner.photo() {
            (reading::of_photo(photo, &rules, input, &fixes).ok(), Vec::new())
        } else if let Some((feed, seen)) = seat {
            let tracked = inner.feeds.get(*feed).and_then(|feed| feed.settled.as_ref());
            let tiles = inner.tiles_of_seat(*feed, seen);
            (tracked.map(|tracked| reading::of_seat(tracked, &rules, &input, seen)), tiles)
        } else {
            let tracked = hand.and_then(|feed| feed.settled.as_ref());
            let of_source = |tracked| reading::of_picture(tracked, &rules, input, of_sources);
            let read = tracked.map(of_source);
            let tiles = read.as_ref().map(own_tiles).unwrap_or_default();
            (read, tiles)
        };
    }

    /// Pushes the state after a decision, which viewers see at once.
    pub(super) fn push(&self, inner: &mut HubState) {
        inner.programme.hurry();
        self.push_seen(inner, Instant::now());
    }

    /// Pushes the state after a picture or a status of a source.
    pub(super) fn push_seen(&self, inner: &mut HubState, now: Instant) {
        inner.revision += 1;
        inner.sights = inner.sights_now();
        let mut state = self.preview(inner);
        let programme = inner.programme.update(&state, now);
        state["programme"] = programme;
        self.state.send_replace(States::new(&state));
        self.metrics.states.inc();
    }

    /// The state as the operator has it.
    pub(super) fn preview(&self, inner: &HubState) -> Value {
        let (phase, read) = match inner.phase() {
            Phase::Watching => ("watching", inner.read.clone()),
            Phase::Confirmed { reading, .. } => ("confirmed", Some(reading.clone())),
            Phase::Rejected { .. } => ("rejected", None),
        };
        let fixes: BTreeMap<String, String> = (inner.session.fixes().iter())
            .map(|(tile, is)| (tile.to_string(), is.to_string()))
            .collect();
        let context = inner.session.context();
        let first = inner.feeds.first();
        let mut seats = inner.seats_json.clone();
        for place in inner.feeds.iter().flat_map(Feed::moving_seats) {
            if let Some(seat) =
                context.wind_at(place).and_then(|wind| seats.get_mut(&wind.to_string()))
            {
                seat["moving"] = json!(true);
            }
        }
        for (place, sight) in &inner.sights.seats {
            let wind = context.wind_at(*place);
            let Some(seat) = wind.and_then(|wind| seats.get_mut(&wind.to_string())) else {
                continue;
            };
            match sight {
                Visibility::Seen => {}
                Visibility::Doubtful => seat["doubtful"] = json!(true),
                Visibility::Gone => seat["stale"] = json!(true),
            }
        }
        json!({
            "revision": inner.revision,
            "source": first.map_or_else(|| json!({ "state": "none" }), |feed| feed.source.clone()),
            "sources": inner.feeds.iter().map(Feed::json).collect::<Vec<_>>(),
            "trouble": first.and_then(|feed| feed.trouble.as_ref()),
            "timing": first.map_or(Value::Null, |feed| feed.timing.clone()),
            "context": context,
            "played": inner.played,
            "phase": phase,
            "photo": inner.photo().map(|_| inner.session.photo()),
            "moving": inner.is_moving(),
            "doubtful": inner.sights.hand == Visibility::Doubtful,
            "stale": inner.sights.hand == Visibility::Gone,
            "reading": read,
            "seats": seats,
            "fixes": fixes,
            "tileset": inner.picture_read().and_then(|tracked| Some(tracked.tileset.as_ref()?.as_str())),
            "table": inner.table_json,
            "tournament": inner.tournament.0,
            "discards_missed": inner.discards_missed(),
            "also": inner.session.also(),
            "amends": inner.amended_json(),
            "can_undo": inner.session.can_undo(),
            "undoes": inner.session.undoable(),
            "on_air": inner.programme.setting(),
            "asks": inner.asks.json(),
            "obs": inner.obs,
        })
    }
}

impl HubState {
    pub(super) fn is_watching(&self) -> Result<(), ContextError> {
        match self.phase() {
            Phase::Watching | Phase::Rejected { .. } => Ok(()),
            Phase::Confirmed { .. } => Err(ContextError(
                "a confirmed hand is on show: go on to the next hand, or undo, first".to_owned(),
            )),
        }
    }

    /// The earlier deal whose winner is being entered, and the winner's index.
    fn deal_added_to(&self) -> Option<(&DealRecord, usize)> {
        let table = self.table.as_ref()?;
        let (event, winner) = match (self.session.also(), self.session.amends()) {
            (Some(event), _) => (event, usize::MAX),
            (None, Some(Amended { event, winner })) => (event, winner),
            (None, None) => return None,
        };
        Some((table.history.iter().find(|deal| deal.event == event)?, winner))
    }

    /// The earlier deal that is being re-entered, as pages get it.
    fn amended_json(&self) -> Value {
        let Some(Amended { event, winner }) = self.session.amends() else { return Value::Null };
        let number = self.deal_added_to().map(|(deal, _)| deal.place.number);
        json!({ "event": event, "winner": winner, "number": number })
    }

    /// Whether a winner is paid the counters: with several winners, if the rules say so, only the first in turn after
    /// the giver.
    fn is_paid_counters(&self, rules: &RuleSet, at: &Circumstances) -> bool {
        let first = rules.session().counters.several == PaidWinners::First;
        let deal = self.deal_added_to().filter(|_| first);
        let (Some((deal, place)), Some(from)) = (deal, at.win.from()) else {
            return true;
        };
        let turns = |seat: Seat| (seat.index() + 4 - from.index()) % 4;
        let others = deal.winners.iter().enumerate().filter(|(other, _)| *other != place);
        let others = others.filter_map(|(_, winner)| deal.seats.get(winner.player));
        others.copied().all(|other| turns(at.seat) < turns(other))
    }

    pub(super) fn phase(&self) -> &Phase {
        self.session.phase(&self.seen())
    }

    /// The change count of the shown photo, or of each source.
    pub(super) fn seen(&self) -> Vec<u64> {
        match self.photo() {
            Some(photo) => vec![photo.changed],
            None => {
                let changed =
                    |feed: &Feed| feed.settled.as_ref().map_or(0, |tracked| tracked.changed);
                self.feeds.iter().map(changed).collect()
            }
        }
    }

    /// The photo that the operator put on show, until he goes on.
    pub(super) fn photo(&self) -> Option<&TrackedPicture> {
        let (number, tracked) = self.photo.as_ref()?;
        (self.session.photo() == Some(*number)).then_some(tracked)
    }

    /// The source of the hand that is read: before the winner, or the camera of one hand.
    fn feed_read(&self) -> Option<(usize, &Feed)> {
        let context = self.session.context();
        let winner = context.text("seat").and_then(seat_of).map(|wind| context.place_of(wind));
        match winner.and_then(|place| self.seats.get(&place)) {
            Some((feed, _)) => Some((*feed, self.feeds.get(*feed)?)),
            None => self.feeds.iter().enumerate().find(|(_, feed)| feed.shows == Shows::Hand),
        }
    }

    /// The picture of the current hand: the photo, or its source's picture.
    pub(super) fn picture_read(&self) -> Option<&TrackedPicture> {
        self.photo().or_else(|| self.feed_read()?.1.settled.as_ref())
    }

    /// The codes of the tiles of the hand that is read.
    pub(super) fn hand_shown(&self) -> Option<Vec<String>> {
        let read = self.read.as_ref().filter(|read| !read["hand"].is_null())?;
        let own = read["tiles"].as_array()?.iter().filter(|tile| tile["role"] != "other");
        Some(own.filter_map(|tile| Some(tile["code"].as_str()?.to_owned())).collect())
    }

    /// The visibility of the shown tiles. A photo and a confirmed hand always count as seen.
    pub(super) fn sights_now(&self) -> Visibilities {
        let live = *self.phase() == Phase::Watching && self.photo().is_none();
        let hand = if live {
            let number = self.feed_read().map(|(number, _)| number);
            self.sight_of(number, &self.hand_tiles)
        } else {
            Visibility::Seen
        };
        let seat = |(place, (feed, seen)): (&Seat, &(usize, SeatSeen))| {
            (*place, self.sight_of(Some(*feed), &self.tiles_of_seat(*feed, seen)))
        };
        Visibilities { hand, seats: self.seats.iter().map(seat).collect() }
    }

    /// The visibility of tiles that were shown together, and of `feed`.
    fn sight_of(&self, feed: Option<usize>, tiles: &[u64]) -> Visibility {
        let seen_by = |(number, of): (usize, &Feed)| {
            let is_own = |tile: &u64| tile / APART == number as u64;
            let own = || tiles.iter().copied().filter(is_own);
            let counts = feed == Some(number) || own().next().is_some();
            if counts { of.sight(own()) } else { Visibility::Seen }
        };
        self.feeds.iter().enumerate().map(seen_by).max().unwrap_or_default()
    }

    /// The numbers of a player's own tiles, including the upright ones before the player's own camera.
    fn tiles_of_seat(&self, feed: usize, seen: &SeatSeen) -> Vec<u64> {
        let tracked = self.feeds.get(feed).and_then(|feed| feed.settled.as_ref());
        let own = seen.shown.tiles.iter().filter(|tile| tile.role != Role::Other);
        let lying = own.filter_map(|tile| tracked?.ids.get(tile.seen).copied());
        lying.chain(seen.standing.iter().map(|(number, _)| *number)).collect()
    }

    pub(super) fn is_moving(&self) -> bool {
        self.photo().is_none() && self.feeds.iter().any(Feed::is_moving)
    }

    pub(super) fn lies_there(&self, tile: u64) -> bool {
        if let Some(photo) = self.photo() {
            return tile < layout::tiles(&photo.tiles).len() as u64;
        }
        let mut feeds = self.feeds.iter().filter_map(|feed| feed.settled.as_ref());
        feeds.any(|tracked| tracked.ids.contains(&tile))
    }

    /// Reads each player's tiles from the last pictures of the sources.
    fn read_seats(&mut self, hints: TableHints) {
        self.seats.clear();
        for (number, feed) in self.feeds.iter().enumerate() {
            if let (Shows::Table(profile), Some(tracked)) = (&feed.shows, &feed.settled) {
                let view = profile.view([tracked.picture.width(), tracked.picture.height()]);
                let seen = read_table(tracked, &view, hints);
                self.seats.extend(seen.into_iter().map(|(place, seen)| (place, (number, seen))));
            }
        }
        for (number, feed) in self.feeds.iter().enumerate() {
            if let (Shows::Standing(place), Some(tracked)) = (&feed.shows, &feed.settled) {
                let seat = self.seats.entry(*place);
                seat.or_insert_with(|| (number, SeatSeen::default()))
                    .1
                    .stand(tracked, *place, hints);
            }
        }
    }
}

/// The numbers of the tiles of a reading that are the hand's own.
fn own_tiles(read: &Value) -> Vec<u64> {
    let tiles = read["tiles"].as_array().into_iter().flatten();
    tiles.filter(|tile| tile["role"] != "other").filter_map(|tile| tile["id"].as_u64()).collect()
}

pub(super) fn seat_of(letter: &str) -> Option<Seat> {
    letter.chars().next().and_then(Seat::from_letter)
}
