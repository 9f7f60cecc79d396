//! Builds the state for all pages from the sources and the operator's decisions.

use std::{collections::BTreeMap, sync::Arc, time::Instant};

use super::{Hub, HubState};
use crate::{
    layout::{self, Role},
    page::reading::of_typed,
    rules::{Circumstances, Library, PaidWinners, RuleSet},
    server::{
        Amended, ContextError, DealReading, OnAir, Phase, Preview, SeatView, States,
        feeds::{APART, Feed, Shows},
        json::Made,
        on_air::seat_of,
        reading,
        seats::{SeatSeen, TableHints, read_table},
        state::{PhaseName, State},
        tracked_picture::TrackedPicture,
        visibility::Visibility,
    },
    table::{DealRecord, TableState},
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
        (inner.read, inner.hand_tiles) = match inner.reading(&self.library) {
            Ok((read, tiles)) => (read.map(Arc::new), tiles),
            Err(error) => (Some(Arc::new(DealReading::Trouble(error.0))), Vec::new()),
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
        let preview = inner.preview();
        let programme = inner.programme.update(&preview, now);
        let scene = OnAir::of(programme.as_ref().unwrap_or(&preview), inner.table.as_ref());
        self.state.send_replace(States::new(&inner.state(
            &self.library,
            preview,
            programme,
            scene,
        )));
        self.metrics.states.inc();
    }

    /// The scene that viewers see once this reading is confirmed, at a ledger's table as it is then.
    pub fn scene_after(&self, reading: Arc<DealReading>, table: Option<&TableState>) -> OnAir {
        let preview = self.lock().preview();
        let reading = Some(reading);
        OnAir::of(&Preview { phase: PhaseName::Confirmed, reading, ..preview }, table)
    }
}

impl HubState {
    /// Reads the players and the hand under the operator's context; the hand's own tiles by number.
    fn reading(
        &mut self,
        library: &Library,
    ) -> Result<(Option<DealReading>, Vec<u64>), ContextError> {
        let context = self.session.context().clone();
        let (rules, mut input) = context.resolve(library)?;
        self.played = Some(Made::rules(&rules));
        if let Some(at) = input.at.as_mut().filter(|at| !self.is_paid_counters(&rules, at)) {
            at.honba = 0;
        }
        let at = input.at;
        let fixes = self.session.fixes().to_vec();
        // A photo's tiles have numbers of their own.
        let of_sources = if self.session.photo().is_some() { &[][..] } else { &fixes };
        let winner = context.text("seat").and_then(seat_of).map(|wind| context.place_of(wind));
        self.whole = rules.whole_hand();
        self.read_seats(TableHints {
            fixes: of_sources,
            winning: winner.zip(input.hints.winning),
            whole: self.whole,
        });
        self.seat_views = self.views_of_seats(library, &rules);
        let shows_hand = |feed: &&Feed| feed.shows == Shows::Hand && feed.settled.is_some();
        let hand = self.feeds.iter().find(shows_hand);
        // An open hand before the camera of one hand takes precedence over the rest of an upright one.
        let seat = winner.and_then(|place| self.seats.get(&place));
        let seat = seat.filter(|(_, seen)| seen.hand_seen || hand.is_none());
        // The context was checked when it was set.
        let typed = context.typed(&rules).ok().flatten();
        let (read, tiles) = if let Some(typed) = typed {
            (Some(of_typed(typed, &rules, &input)), Vec::new())
        } else if let Some(photo) = self.photo() {
            (reading::of_photo(photo, &rules, input, &fixes, &context).ok(), Vec::new())
        } else if let Some((feed, seen)) = seat {
            let tracked = self.feeds.get(*feed).and_then(|feed| feed.settled.as_ref());
            let tiles = self.tiles_of_seat(*feed, seen);
            (tracked.map(|tracked| reading::of_seat(tracked, &rules, &input, seen)), tiles)
        } else {
            let tracked = hand.and_then(|feed| feed.settled.as_ref());
            let read = tracked.map(|it| reading::of_picture(it, &rules, input, of_sources));
            let own = read.iter().flat_map(|read| &read.tiles).filter(|tile| tile.is_of_hand());
            let tiles = own.map(|tile| tile.id).collect();
            (read, tiles)
        };
        let others = context.others(&rules)?;
        let read = read.map(|read| match at {
            Some(at) => read.settled(&others, &rules, &at),
            None => read,
        });
        Ok((read.map(|reading| DealReading::Hand(Box::new(reading))), tiles))
    }

    /// The players' tiles as pages show them, by wind.
    fn views_of_seats(&self, library: &Library, rules: &RuleSet) -> BTreeMap<Seat, SeatView> {
        let context = self.session.context();
        let view = |(place, (feed, seen)): (&Seat, &(usize, SeatSeen))| {
            let wind = context.wind_at(*place)?;
            let at = context.of_seat(wind).resolve(library).ok()?.1.at;
            let tracked = self.feeds.get(*feed)?.settled.as_ref()?;
            let name = context.name(wind).map(str::to_owned);
            let view = reading::seat(tracked, *place, seen, rules, at);
            Some((wind, SeatView { name, ..view }))
        };
        self.seats.iter().filter_map(view).collect()
    }

    /// The preview of camera and operator.
    pub(super) fn preview(&self) -> Preview {
        let (phase, reading) = match self.phase() {
            Phase::Watching => (PhaseName::Watching, self.read.clone()),
            Phase::Confirmed { reading, .. } => (PhaseName::Confirmed, Some(Arc::clone(reading))),
            Phase::Rejected { .. } => (PhaseName::Rejected, None),
        };
        let context = self.session.context();
        let mut seats = self.seat_views.clone();
        for place in self.feeds.iter().flat_map(Feed::moving_seats) {
            if let Some(seat) = context.wind_at(place).and_then(|wind| seats.get_mut(&wind)) {
                seat.moving = true;
            }
        }
        for (place, sight) in &self.sights.seats {
            if let Some(seat) = context.wind_at(*place).and_then(|wind| seats.get_mut(&wind)) {
                seat.doubtful = *sight == Visibility::Doubtful;
                seat.stale = *sight == Visibility::Gone;
            }
        }
        Preview {
            phase,
            photo: self.photo().and_then(|_| self.session.photo()),
            doubtful: self.sights.hand == Visibility::Doubtful,
            stale: self.sights.hand == Visibility::Gone,
            reading,
            context: context.clone(),
            seats,
            also: self.session.also(),
        }
    }

    /// The state as the operator has it.
    fn state(
        &self,
        library: &Library,
        preview: Preview,
        programme: Option<Preview>,
        scene: OnAir,
    ) -> State<'_> {
        let number = self.deal_added_to().map(|(deal, _)| deal.place.number);
        State {
            revision: self.revision,
            preview,
            programme,
            scene: Arc::new(scene),
            feeds: &self.feeds,
            played: self.played.as_ref(),
            moving: self.is_moving(),
            fixes: self.session.fixes(),
            tileset: self.picture_read().and_then(|it| Some(it.tileset.as_ref()?.as_str())),
            table: self.table_json.as_ref(),
            tournament: self.tournament.0,
            discards_missed: self.discards_missed(),
            amends: self.session.amends().map(|amended| (amended, number)),
            undoes: self.session.undoable(),
            on_air: self.programme.setting(),
            proposed: self.proposed_win(library),
            asks: self.asks.waiting().collect(),
            obs: self.obs.as_ref(),
        }
    }

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
        let read = self.read.as_ref()?.hand().filter(|read| read.hand.is_some())?;
        let own = read.tiles.iter().filter(|tile| tile.is_of_hand());
        Some(own.map(|tile| tile.code.clone()).collect())
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
