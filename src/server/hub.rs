//! What all pages show: the last picture of the table and the operator's decisions, as one state.
//!
//! This file holds the state and takes pictures of the sources in; `showing` builds the state for pages, `decisions`
//! has the operator's decisions, `ledger_state` adds a ledger's table and tournament.

mod air;
mod decisions;
mod ledger_state;
mod photo_requests;
mod proposing;
mod showing;

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use tokio::sync::watch;

pub(super) use self::photo_requests::{PhotoRequest, RequestStage};
pub use self::{decisions::Confirming, ledger_state::SeenDiscards, proposing::ProposedWin};
use self::{photo_requests::PhotoRequests, proposing::Proposals, showing::Visibilities};
use super::{
    Context, ContextError, DealReading, FrameTiming, ObsState, SeatView, SourceStatus, States,
    TableSession, TournamentShown,
    feeds::{Feed, Shows},
    json::Made,
    metrics::Metrics,
    programme::Programme,
    recording::RecordedTable,
    seats::SeatSeen,
    tracked_picture::TrackedPicture,
};
use crate::{
    calibration::table::{Edge, SeatPlace, TableProfile},
    hand::WholeHand,
    picture::Picture,
    recorder::DealPlace,
    rules::Library,
    table::TableState,
    tile::Seat,
};

/// The state that pages show, and its subscribers.
pub struct Hub {
    library: Library,
    inner: Mutex<HubState>,
    state: watch::Sender<States>,
    pictures: Mutex<Vec<watch::Sender<Option<Arc<Picture>>>>>,
    pub(super) metrics: Metrics,
}

struct HubState {
    session: TableSession,
    feeds: Vec<Feed>,
    /// The photo that was last put on show.
    photo: Option<(u64, TrackedPicture)>,
    /// The reading of the shown hand.
    read: Option<Arc<DealReading>>,
    /// The tiles of each player, by seat in the first deal of the round, with the number of the feed that sees them.
    seats: BTreeMap<Seat, (usize, SeatSeen)>,
    /// The same as pages show them, by the player's current wind.
    seat_views: BTreeMap<Seat, SeatView>,
    /// The hands of the rules that are played.
    whole: WholeHand,
    /// The numbers of the tiles of the hand that is read.
    hand_tiles: Vec<u64>,
    /// Whether the shown tiles are still in sight.
    sights: Visibilities,
    /// The tile codes of the hand whose way of winning was entered.
    won_hand: Option<Vec<String>>,
    /// What the record of the table says of a win.
    proposals: Proposals,
    /// The state of the programme, which viewers see.
    programme: Programme,
    /// Photos that phones ask to show.
    asks: PhotoRequests,
    /// The state of the connection to OBS; null without one.
    obs: Option<ObsState>,
    /// The rule set that is played.
    played: Option<Made>,
    /// The ledger's table, and as pages get it: with its last deal alone.
    table: Option<TableState>,
    table_json: Option<Made>,
    /// A tournament's standings, and how often they have changed.
    tournament: (u64, Option<Arc<TournamentShown>>),
    revision: u64,
}

impl Hub {
    /// A hub without sources. `rules` is the first rule set.
    ///
    /// # Errors
    /// A rule set that the library does not have.
    pub fn new(library: Library, rules: &str) -> Result<Arc<Self>, ContextError> {
        let context = Context::new(rules);
        context.resolve(&library)?;
        let inner = HubState {
            session: TableSession::new(context),
            feeds: Vec::new(),
            photo: None,
            read: None,
            seats: BTreeMap::new(),
            seat_views: BTreeMap::new(),
            whole: WholeHand::default(),
            hand_tiles: Vec::new(),
            sights: Visibilities::default(),
            won_hand: None,
            proposals: Proposals::default(),
            programme: Programme::default(),
            asks: PhotoRequests::default(),
            obs: None,
            played: None,
            table: None,
            table_json: None,
            tournament: (0, None),
            revision: 0,
        };
        let hub = Self {
            library,
            inner: Mutex::new(inner),
            state: watch::Sender::new(States::default()),
            pictures: Mutex::default(),
            metrics: Metrics::default(),
        };
        let mut inner = hub.lock();
        hub.read_again(&mut inner);
        hub.push(&mut inner);
        drop(inner);
        Ok(Arc::new(hub))
    }

    /// The rule sets.
    pub fn library(&self) -> &Library {
        &self.library
    }

    fn lock(&self) -> MutexGuard<'_, HubState> {
        // Code that panicked while holding the lock had not yet changed the state.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state, now and after each change.
    pub fn states(&self) -> watch::Receiver<States> {
        self.state.subscribe()
    }

    /// Adds a source; its number, by which it is fed.
    pub fn add_source(&self, name: &str, shows: Shows) -> usize {
        let mut pictures = self.pictures.lock().unwrap_or_else(PoisonError::into_inner);
        pictures.push(watch::Sender::new(None));
        let mut inner = self.lock();
        inner.feeds.push(Feed::new(name, shows));
        self.push(&mut inner);
        inner.feeds.len() - 1
    }

    /// The newest picture of a source, now and after each; `None` where there is no such source.
    pub fn pictures(&self, source: usize) -> Option<watch::Receiver<Option<Arc<Picture>>>> {
        let pictures = self.pictures.lock().unwrap_or_else(PoisonError::into_inner);
        pictures.get(source).map(watch::Sender::subscribe)
    }

    /// The photo that is on show.
    pub fn photo(&self) -> Option<Arc<Picture>> {
        self.lock().photo().map(|tracked| Arc::clone(&tracked.picture))
    }

    /// Takes a picture of a source in. Only settled tiles are read and scored; moving ones are only shown as moving.
    pub fn see(&self, source: usize, tracked: TrackedPicture, timing: Option<FrameTiming>) {
        self.metrics.frames.inc();
        let pictures = self.pictures.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(picture) = pictures.get(source) {
            picture.send_replace(Some(Arc::clone(&tracked.picture)));
        }
        drop(pictures);
        let came = tracked.at;
        let mut inner = self.lock();
        let Some(feed) = inner.feeds.get_mut(source) else { return };
        feed.timing = timing;
        let [is_new, news] = feed.take(tracked, source);
        let is_due = inner.programme.is_due(came);
        if !news && !is_due && inner.sights_now() == inner.sights {
            return;
        }
        if is_new {
            self.read_again(&mut inner);
            self.forget_what_has_gone(&mut inner);
        }
        self.push_seen(&mut inner, came);
        drop(inner);
        self.metrics.frame_to_state.observe(came.elapsed().as_secs_f64());
    }

    /// Stores the state of a source.
    pub fn tell_source(&self, source: usize, status: SourceStatus, trouble: Option<String>) {
        let mut inner = self.lock();
        let Some(feed) = inner.feeds.get_mut(source) else { return };
        let news = feed.tell(status, trouble, Instant::now());
        let is_due = inner.programme.is_due(Instant::now());
        if news || is_due || inner.sights_now() != inner.sights {
            self.push_seen(&mut inner, Instant::now());
        }
    }

    /// Stores the state of the connection to OBS.
    pub fn tell_obs(&self, obs: ObsState) {
        let mut inner = self.lock();
        if inner.obs.as_ref() != Some(&obs) {
            inner.obs = Some(obs);
            self.push_seen(&mut inner, Instant::now());
        }
    }

    /// Sets the corners of the table in a source's picture. Seats and areas of an earlier profile stay, turned with
    /// East; without one, the source shows all seats that no other source shows. Returns the new profile.
    ///
    /// # Errors
    /// No such source, one that shows an upright hand, or no seat left for it.
    pub fn set_profile(
        &self,
        source: usize,
        mut profile: TableProfile,
    ) -> Result<TableProfile, ContextError> {
        let wrong = |why: &str| Err(ContextError(format!("source {source} {why}")));
        let mut inner = self.lock();
        let taken: Vec<Seat> = (inner.feeds.iter().enumerate())
            .filter(|(number, _)| *number != source)
            .flat_map(|(_, feed)| match &feed.shows {
                Shows::Table(other) => other.seats.keys().copied().collect(),
                Shows::Hand | Shows::Standing(_) => Vec::new(),
            })
            .collect();
        let Some(feed) = inner.feeds.get_mut(source) else {
            return wrong("does not exist: this server was started without it");
        };
        match &feed.shows {
            Shows::Standing(seat) => return wrong(&format!("shows {seat}'s hand, no table")),
            Shows::Table(before) => {
                let step =
                    |edge: Edge| Edge::IN_PLAY.iter().position(|other| *other == edge).unwrap_or(0);
                let turned = (before.seats.iter().next())
                    .and_then(|(seat, was)| Some((profile.seats.get(seat)?, was)))
                    .map_or(0, |(is, was)| step(is.edge) + 4 - step(was.edge));
                let place = |was: &SeatPlace| SeatPlace {
                    edge: Edge::IN_PLAY[(step(was.edge) + turned) % 4],
                    ..*was
                };
                profile.seats =
                    before.seats.iter().map(|(seat, was)| (*seat, place(was))).collect();
                profile.areas = before.areas;
            }
            Shows::Hand => profile.seats.retain(|seat, _| !taken.contains(seat)),
        }
        if profile.seats.is_empty() {
            return wrong(
                "has no seat left to show: take some out of the other source's table file",
            );
        }
        feed.show(Shows::Table(profile.clone()));
        self.read_again(&mut inner);
        self.push(&mut inner);
        Ok(profile)
    }

    /// The table profile of a source.
    pub fn profile(&self, source: usize) -> Option<TableProfile> {
        match &self.lock().feeds.get(source)?.shows {
            Shows::Table(profile) => Some(profile.clone()),
            Shows::Hand | Shows::Standing(_) => None,
        }
    }

    /// The table that a source shows, for its record; `None` where no table is marked.
    pub(super) fn recorded_table(&self, source: usize) -> Option<RecordedTable> {
        let inner = self.lock();
        let Shows::Table(profile) = &inner.feeds.get(source)?.shows else { return None };
        let context = inner.session.context();
        let name = |place: &Seat| {
            let wind = context.wind_at(*place)?;
            context.name(wind).map(str::to_owned)
        };
        let names = profile.seats.keys().map(|place| name(place).unwrap_or_default()).collect();
        let place = inner.table.as_ref().map(|table| DealPlace {
            number: table.place.number,
            round: table.place.round,
            dealer: table.dealer_place().index(),
            counters: table.place.honba.unwrap_or_default(),
            sticks: table.place.sticks.unwrap_or_default(),
        });
        Some(RecordedTable { profile: profile.clone(), names, place, whole: inner.whole })
    }
}
