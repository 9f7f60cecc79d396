//! What all pages show: the last look at the table, and the operator's decisions, as one state.
//!
//! Here it is held and the sources feed it; `showing` makes the state of it, `decisions` are the
//! operator's, `played` is what a ledger's table and a tournament add.

mod air;
mod asks;
mod decisions;
mod played;
mod showing;

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use serde_json::{Map, Value};
use tokio::sync::watch;

pub(super) use self::asks::Asking;
use self::{asks::Asks, showing::Sights};
pub use self::{decisions::Confirming, played::SeenDiscards};
use super::{
    Context, ContextError, Desk,
    feeds::{Feed, Shows},
    look::Look,
    metrics::Metrics,
    programme::Programme,
    seats::SeatSeen,
    states::States,
};
use crate::{
    calibration::table::{Edge, SeatPlace, TableProfile},
    picture::Picture,
    rules::Library,
    table::TableState,
    tile::Seat,
};

/// What the pages show, and the pages that wait for the next state.
pub struct Hub {
    library: Library,
    inner: Mutex<Inner>,
    state: watch::Sender<States>,
    pictures: Mutex<Vec<watch::Sender<Option<Arc<Picture>>>>>,
    pub(super) metrics: Metrics,
}

struct Inner {
    desk: Desk,
    feeds: Vec<Feed>,
    /// The photo that was last put on show.
    photo: Option<(u64, Look)>,
    /// What was made of the hand that is shown.
    read: Option<Value>,
    /// What each player at the table shows, by where he sat in the first deal of the round; and the
    /// feed that sees it.
    seats: BTreeMap<Seat, (usize, SeatSeen)>,
    /// The same as pages get it, by his wind.
    seats_json: Map<String, Value>,
    /// The numbers of the tiles of the hand that is read.
    hand_tiles: Vec<u64>,
    /// Whether what was last shown still lies there.
    sights: Sights,
    /// The hand of which it was told how it was won: its tiles' codes.
    told_of: Option<Vec<String>>,
    /// What viewers see of all that.
    programme: Programme,
    /// What phones ask to have shown.
    asks: Asks,
    /// How the connection to OBS is doing; null: none is wanted.
    obs: Value,
    /// The rule set that is played, for the operator's page.
    played: Value,
    /// The ledger's table, and as pages get it: with its last deal alone.
    table: Option<TableState>,
    table_json: Value,
    /// A tournament's standings, and how often they have changed.
    tournament: (u64, Value),
    revision: u64,
}

impl Hub {
    /// Nothing seen yet. `rules` is the rule set to begin with.
    ///
    /// # Errors
    /// A rule set that the library does not have.
    pub fn new(library: Library, rules: &str) -> Result<Arc<Self>, ContextError> {
        let context = Context::new(rules);
        context.told(&library)?;
        let inner = Inner {
            desk: Desk::new(context),
            feeds: Vec::new(),
            photo: None,
            read: None,
            seats: BTreeMap::new(),
            seats_json: Map::new(),
            hand_tiles: Vec::new(),
            sights: Sights::default(),
            told_of: None,
            programme: Programme::default(),
            asks: Asks::default(),
            obs: Value::Null,
            played: Value::Null,
            table: None,
            table_json: Value::Null,
            tournament: (0, Value::Null),
            revision: 0,
        };
        let hub = Self {
            library,
            inner: Mutex::new(inner),
            state: watch::Sender::new(States::new(&Value::Null)),
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

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // Whatever panicked while holding it had not begun to change it.
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
        self.lock().photo().map(|look| Arc::clone(&look.picture))
    }

    /// Takes a look of a source in. Only what has settled is read and scored; what moves is
    /// only shown to be moving.
    pub fn see(&self, source: usize, look: Look, timing: Value) {
        self.metrics.frames.inc();
        let pictures = self.pictures.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(picture) = pictures.get(source) {
            picture.send_replace(Some(Arc::clone(&look.picture)));
        }
        drop(pictures);
        let came = look.at;
        let mut inner = self.lock();
        let Some(feed) = inner.feeds.get_mut(source) else { return };
        feed.timing = timing;
        let [is_new, news] = feed.take(look, source);
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

    /// Says how a source is doing.
    pub fn tell_source(&self, source: usize, state: Value, trouble: Option<String>) {
        let mut inner = self.lock();
        let Some(feed) = inner.feeds.get_mut(source) else { return };
        let news = feed.tell(state, trouble, Instant::now());
        let is_due = inner.programme.is_due(Instant::now());
        if news || is_due || inner.sights_now() != inner.sights {
            self.push_seen(&mut inner, Instant::now());
        }
    }

    /// Says how the connection to OBS is doing.
    pub fn tell_obs(&self, obs: Value) {
        let mut inner = self.lock();
        if inner.obs != obs {
            inner.obs = obs;
            self.push_seen(&mut inner, Instant::now());
        }
    }

    /// Says where the table lies in a source's picture. What a profile before said of seats and areas
    /// stays, turned as East is; else the source shows all seats that no other shows. The profile as it
    /// is then.
    ///
    /// # Errors
    /// No such source, one that shows a standing hand, or no seat left for it.
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
            return wrong("is none of those that this server was started with");
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

    /// Where the table lies in a source's picture.
    pub fn profile(&self, source: usize) -> Option<TableProfile> {
        match &self.lock().feeds.get(source)?.shows {
            Shows::Table(profile) => Some(profile.clone()),
            Shows::Hand | Shows::Standing(_) => None,
        }
    }
}
