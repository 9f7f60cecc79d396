//! What all pages show: the last look at the table, and the operator's decisions, as one state.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use serde_json::{Map, Value, json};
use tokio::sync::watch;

use super::{
    Context, ContextError, Desk, Phase, book,
    feeds::{Feed, Shows},
    metrics::Metrics,
    reading,
    seats::{SeatSeen, read_table},
    teaching::{Keeping, numbered},
};
use crate::{
    calibration::table::{Edge, SeatPlace, TableProfile},
    rules::Library,
    table::TableState,
    tile::{Face, Seat, Tile},
    tileset::SetName,
    vision::{Picture, SeenTile},
};

/// A corner that has moved less, in pixels, has not moved.
pub(super) const STIRRED: f32 = 4.0;

/// Whether a tile lies elsewhere, by more than so many pixels.
pub(super) fn stirred(before: &SeenTile, now: &SeenTile, pixels: f32) -> bool {
    let moved = |from: [f32; 2], to: [f32; 2]| (from[0] - to[0]).hypot(from[1] - to[1]);
    before.corners.iter().zip(now.corners).any(|(from, to)| moved(*from, to) > pixels)
}

/// What lies on the table, as a camera or a photo shows it.
#[derive(Clone)]
pub struct Look {
    /// The picture.
    pub picture: Arc<Picture>,
    /// When it came.
    pub at: Instant,
    /// Its tiles.
    pub tiles: Vec<SeenTile>,
    /// For each tile a number that stays with it while it lies there.
    pub ids: Vec<u64>,
    /// Whether it all lies still.
    pub settled: bool,
    /// Counts changes of the tiles.
    pub changed: u64,
    /// The user's tile set that had a say in it.
    pub tileset: Option<SetName>,
}

/// What the pages show, and the pages that wait for the next state.
pub struct Hub {
    library: Library,
    inner: Mutex<Inner>,
    state: watch::Sender<Arc<str>>,
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
            table: None,
            table_json: Value::Null,
            tournament: (0, Value::Null),
            revision: 0,
        };
        let hub = Self {
            library,
            inner: Mutex::new(inner),
            state: watch::Sender::new(Arc::from("{}")),
            pictures: Mutex::default(),
            metrics: Metrics::default(),
        };
        hub.push(&mut hub.lock());
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

    /// The whole state, as JSON, now and after each change.
    pub fn states(&self) -> watch::Receiver<Arc<str>> {
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
        if !news {
            return;
        }
        if is_new {
            self.read_again(&mut inner);
        }
        self.push(&mut inner);
        drop(inner);
        self.metrics.frame_to_state.observe(came.elapsed().as_secs_f64());
    }

    /// Says how a source is doing.
    pub fn tell_source(&self, source: usize, state: Value, trouble: Option<String>) {
        let mut inner = self.lock();
        let Some(feed) = inner.feeds.get_mut(source) else { return };
        if feed.source != state || feed.trouble != trouble {
            (feed.source, feed.trouble) = (state, trouble);
            self.push(&mut inner);
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

    /// Changes fields of the context.
    ///
    /// # Errors
    /// What is wrong with them, or a confirmed hand on show; nothing is changed then.
    pub fn set_context(&self, changes: Map<String, Value>) -> Result<(), ContextError> {
        let mut inner = self.lock();
        inner.is_watching()?;
        let context = inner.desk.context().with(changes, &self.library)?;
        inner.desk.set_context(context);
        self.read_again(&mut inner);
        self.push(&mut inner);
        Ok(())
    }

    /// Puts a photo on show with what its taker told, as one decision. The rule set stays, and with a
    /// ledger the round and the names.
    ///
    /// # Errors
    /// What is wrong with the context, or a confirmed hand on show; nothing is changed then.
    pub fn put(
        &self,
        look: Look,
        mut told: Map<String, Value>,
        fixes: Vec<(u64, Tile)>,
    ) -> Result<(), ContextError> {
        let mut inner = self.lock();
        inner.is_watching()?;
        for field in ["rules", "rulings"] {
            told.remove(field);
        }
        // Whoever tells how it was won tells all of it.
        let mut over = if told.is_empty() { Map::new() } else { over() };
        over.extend(told);
        over.extend(inner.table.as_ref().map(book::seating).unwrap_or_default());
        let context = inner.desk.context().with(over, &self.library)?;
        let number = inner.photo.as_ref().map_or(1, |(number, _)| number + 1);
        inner.desk.put(context, fixes, number);
        inner.photo = Some((number, look));
        self.read_again(&mut inner);
        self.push(&mut inner);
        Ok(())
    }

    /// Says what a tile is; `None` takes a correction back. False where no such tile lies there, or
    /// a confirmed hand is on show.
    pub fn correct(&self, tile: u64, is: Option<Tile>) -> bool {
        let mut inner = self.lock();
        if inner.is_watching().is_err() {
            return false;
        }
        if !inner.lies_there(tile) {
            return false;
        }
        inner.desk.correct(tile, is);
        self.read_again(&mut inner);
        self.push(&mut inner);
        true
    }

    /// The corrections of the hand that is read, for the user's tile set that had a say in it.
    pub(super) fn corrected(&self, keep: bool) -> Option<Keeping> {
        let inner = self.lock();
        let look = inner.look_read()?;
        Some(Keeping {
            set: look.tileset.clone()?,
            picture: Arc::clone(&look.picture),
            tiles: numbered(inner.read.as_ref()?),
            fixes: inner.desk.fixes().to_vec(),
            keep,
        })
    }

    /// What there is to confirm, and the table as it is shown beside it.
    pub fn to_confirm(&self) -> Option<Confirming> {
        let inner = self.lock();
        if *inner.phase() != Phase::Watching {
            return None;
        }
        let reading = inner.read.clone().filter(|read| read["score"]["ok"] == json!(true))?;
        let hand = reading["scored_hand"].as_str()?.to_owned();
        let (context, table) = (inner.desk.context().clone(), inner.table.clone());
        let discards = if inner.photo().is_some() { None } else { inner.discards() };
        let also = inner.desk.also();
        Some(Confirming { context, hand, reading, table, discards, also })
    }

    /// Watches for another winner on the tile on which the confirmed hand was won; false where no hand
    /// of the ledger's is on show, or it was self-drawn.
    pub fn also(&self) -> bool {
        let mut inner = self.lock();
        let Phase::Confirmed { event: Some(event), .. } = inner.phase() else { return false };
        let event = *event;
        let context = inner.desk.context().clone();
        let (Some(seat), Some(from)) = (context.text("seat"), context.text("from")) else {
            return false;
        };
        // Whoever it is, it is neither of the two.
        let other = Seat::ALL.map(|seat| seat.to_string());
        let Some(other) = other.iter().find(|other| *other != seat && *other != from) else {
            return false;
        };
        let mut over = over();
        // What he himself had thrown or let pass is another matter: `tile` is asked anew.
        for field in ["win", "from", "last_tile"] {
            over.remove(field);
        }
        over.insert("seat".to_owned(), other.as_str().into());
        let Ok(context) = context.with(over, &self.library) else { return false };
        inner.desk.look_for_another(context, event);
        self.read_again(&mut inner);
        self.push(&mut inner);
        true
    }

    /// The table for which a draw can be entered; `None` where there is none, or a confirmed hand is on
    /// show.
    pub fn to_draw(&self) -> Option<TableState> {
        let inner = self.lock();
        let free = inner.is_watching().is_ok() && inner.desk.also().is_none();
        inner.table.clone().filter(|_| free)
    }

    /// Keeps a hand on show, with the ledger's event that it became.
    pub fn confirm(&self, reading: Value, event: Option<u64>) {
        let mut inner = self.lock();
        inner.desk.confirm(reading, event);
        self.push(&mut inner);
    }

    /// Shows a ledger's table. Names and winds of the next hand are taken from it; where somebody else
    /// has entered the deal, what was told here of how it was won is forgotten with it.
    pub fn set_table(&self, table: TableState) {
        let mut inner = self.lock();
        if inner.table.as_ref() == Some(&table) {
            return;
        }
        let deals = inner.table.as_ref().map(|before| before.history.len());
        let is_over = deals.is_some_and(|before| table.history.len() > before);
        inner.table_json = json!(table);
        inner.table_json["last_deal"] = json!(table.last_deal());
        if let Some(fields) = inner.table_json.as_object_mut() {
            fields.remove("history");
        }
        inner.table = Some(table);
        self.sit(&mut inner, if is_over { over() } else { Map::new() });
        self.read_again(&mut inner);
        self.push(&mut inner);
    }

    /// The ledger's table with all its deals; null where there is none. States hold the last alone.
    pub fn table(&self) -> Value {
        json!(self.lock().table)
    }

    /// Names and winds as the table has them, and other changes, unless a confirmed hand is on show.
    fn sit(&self, inner: &mut Inner, mut sits: Map<String, Value>) {
        sits.extend(inner.table.as_ref().map(book::seating).unwrap_or_default());
        if inner.is_watching().is_ok()
            && inner.desk.also().is_none()
            && let Ok(context) = inner.desk.context().with(sits, &self.library)
        {
            inner.desk.sit(context);
        }
    }

    /// Shows a tournament's standings.
    pub fn set_tournament(&self, standings: Value) {
        let mut inner = self.lock();
        if inner.tournament.1 != standings {
            inner.tournament = (inner.tournament.0 + 1, standings);
            self.push(&mut inner);
        }
    }

    /// A tournament's standings; null where there is none. They may be long, so states hold only
    /// how often they have changed.
    pub fn tournament(&self) -> Value {
        self.lock().tournament.1.clone()
    }

    /// Shows nothing of what lies there until the tiles change.
    ///
    /// # Errors
    /// A confirmed hand on show: rejected, it could be confirmed a second time.
    pub fn reject(&self) -> Result<(), ContextError> {
        let mut inner = self.lock();
        inner.is_watching()?;
        let seen = inner.seen();
        inner.desk.reject(seen);
        self.push(&mut inner);
        Ok(())
    }

    /// Ends a hand: how it was won and the corrections are forgotten, seats and winds stay.
    pub fn next(&self) {
        let mut inner = self.lock();
        let mut over = over();
        over.extend(inner.table.as_ref().map(book::seating).unwrap_or_default());
        // A context with fields taken away is still a good one.
        if let Ok(context) = inner.desk.context().with(over, &self.library) {
            inner.desk.next(context);
            self.read_again(&mut inner);
            self.push(&mut inner);
        }
    }

    /// The ledger's event that undoing the last decision would take back.
    pub fn undoes(&self) -> Option<u64> {
        self.lock().desk.undoes()
    }

    /// Takes the last decision back; false where there is none.
    pub fn undo(&self) -> bool {
        let mut inner = self.lock();
        let undone = inner.desk.undo();
        if undone {
            self.sit(&mut inner, Map::new());
            self.read_again(&mut inner);
            self.push(&mut inner);
        }
        undone
    }

    fn read_again(&self, inner: &mut Inner) {
        let context = inner.desk.context().clone();
        let (rules, told) = match context.told(&self.library) {
            Ok(told) => told,
            Err(error) => {
                inner.read = Some(json!({ "trouble": error.0 }));
                return;
            }
        };
        let fixes = inner.desk.fixes().to_vec();
        let winner = context.text("seat").and_then(seat_of).map(|wind| context.place_of(wind));
        let winning = winner.zip(told.hints.winning);
        inner.read_seats(&fixes, winning);
        inner.seats_json = (inner.seats.iter())
            .filter_map(|(place, (feed, seen))| {
                let wind = context.wind_at(*place)?;
                let at = context.of_seat(wind).told(&self.library).ok()?.1.at;
                let look = inner.feeds.get(*feed)?.settled.as_ref()?;
                let mut seat = reading::seat(look, *place, seen, &rules, at);
                seat["name"] = json!(context.name(wind));
                Some((wind.to_string(), seat))
            })
            .collect();
        let shows_hand = |feed: &&Feed| feed.shows == Shows::Hand && feed.settled.is_some();
        let hand = inner.feeds.iter().find(shows_hand);
        // A hand laid open before the camera of one hand goes before the rest of one that stood.
        let seat = winner.and_then(|place| inner.seats.get(&place));
        let seat = seat.filter(|(_, seen)| seen.hand_seen || hand.is_none());
        inner.read = if let Some(photo) = inner.photo() {
            Some(reading::of_picture(photo, &rules, told, &fixes))
        } else if let Some((feed, seen)) = seat {
            let look = inner.feeds.get(*feed).and_then(|feed| feed.settled.as_ref());
            look.map(|look| reading::of_seat(look, &rules, &told, seen))
        } else {
            let look = hand.and_then(|feed| feed.settled.as_ref());
            look.map(|look| reading::of_picture(look, &rules, told, &fixes))
        };
    }

    fn push(&self, inner: &mut Inner) {
        inner.revision += 1;
        let (phase, read) = match inner.phase() {
            Phase::Watching => ("watching", inner.read.clone()),
            Phase::Confirmed { reading, .. } => ("confirmed", Some(reading.clone())),
            Phase::Rejected { .. } => ("rejected", None),
        };
        let fixes: BTreeMap<String, String> = (inner.desk.fixes().iter())
            .map(|(tile, is)| (tile.to_string(), is.to_string()))
            .collect();
        let context = inner.desk.context();
        let first = inner.feeds.first();
        let mut seats = inner.seats_json.clone();
        for place in inner.feeds.iter().flat_map(Feed::moving_seats) {
            if let Some(seat) =
                context.wind_at(place).and_then(|wind| seats.get_mut(&wind.to_string()))
            {
                seat["moving"] = json!(true);
            }
        }
        let state = json!({
            "revision": inner.revision,
            "source": first.map_or_else(|| json!({ "state": "none" }), |feed| feed.source.clone()),
            "sources": inner.feeds.iter().map(Feed::json).collect::<Vec<_>>(),
            "trouble": first.and_then(|feed| feed.trouble.as_ref()),
            "timing": first.map_or(Value::Null, |feed| feed.timing.clone()),
            "context": context,
            "phase": phase,
            "photo": inner.photo().map(|_| inner.desk.photo()),
            "moving": inner.is_moving(),
            "reading": read,
            "seats": seats,
            "fixes": fixes,
            "tileset": inner.look_read().and_then(|look| Some(look.tileset.as_ref()?.as_str())),
            "table": inner.table_json,
            "tournament": inner.tournament.0,
            "also": inner.desk.also(),
            "can_undo": inner.desk.can_undo(),
        });
        self.state.send_replace(Arc::from(state.to_string()));
        self.metrics.states.inc();
    }
}

impl Inner {
    fn is_watching(&self) -> Result<(), ContextError> {
        match self.phase() {
            Phase::Watching | Phase::Rejected { .. } => Ok(()),
            Phase::Confirmed { .. } => Err(ContextError(
                "a confirmed hand is on show: go on to the next hand, or undo, first".to_owned(),
            )),
        }
    }

    fn phase(&self) -> &Phase {
        self.desk.phase(&self.seen())
    }

    /// What there is to see: the photo on show, else how often the tiles of each source have changed.
    fn seen(&self) -> Vec<u64> {
        match self.photo() {
            Some(photo) => vec![photo.changed],
            None => {
                let changed = |feed: &Feed| feed.settled.as_ref().map_or(0, |look| look.changed);
                self.feeds.iter().map(changed).collect()
            }
        }
    }

    /// The photo that the operator put on show, until he goes on.
    fn photo(&self) -> Option<&Look> {
        let (number, look) = self.photo.as_ref()?;
        (self.desk.photo() == Some(*number)).then_some(look)
    }

    /// Where the hand that is read lies: on the photo, before the winner, or before the camera.
    fn look_read(&self) -> Option<&Look> {
        let context = self.desk.context();
        let winner = context.text("seat").and_then(seat_of).map(|wind| context.place_of(wind));
        let seat = winner.and_then(|place| self.seats.get(&place));
        let feed = match seat {
            Some((feed, _)) => self.feeds.get(*feed),
            None => self.feeds.iter().find(|feed| feed.shows == Shows::Hand),
        };
        self.photo().or_else(|| feed?.settled.as_ref())
    }

    fn is_moving(&self) -> bool {
        self.photo().is_none() && self.feeds.iter().any(Feed::is_moving)
    }

    fn lies_there(&self, tile: u64) -> bool {
        let feeds = self.feeds.iter().filter_map(|feed| feed.settled.as_ref());
        feeds.chain(self.photo()).any(|look| look.ids.contains(&tile))
    }

    /// What each player shows, by what the sources last saw.
    fn read_seats(&mut self, fixes: &[(u64, Tile)], winning: Option<(Seat, Tile)>) {
        self.seats.clear();
        for (number, feed) in self.feeds.iter().enumerate() {
            if let (Shows::Table(profile), Some(look)) = (&feed.shows, &feed.settled) {
                let view = profile.view([look.picture.width(), look.picture.height()]);
                let seen = read_table(look, &view, fixes, winning);
                self.seats.extend(seen.into_iter().map(|(place, seen)| (place, (number, seen))));
            }
        }
        for (number, feed) in self.feeds.iter().enumerate() {
            if let (Shows::Standing(place), Some(look)) = (&feed.shows, &feed.settled) {
                let winning = winning.filter(|(winner, _)| winner == place).map(|(_, tile)| tile);
                let seat = self.seats.entry(*place);
                seat.or_insert_with(|| (number, SeatSeen::default())).1.stand(look, fixes, winning);
            }
        }
    }

    /// The discards of the deal, where all of them are seen and known.
    fn discards(&self) -> Option<SeenDiscards> {
        let table = self.table.as_ref()?;
        let context = self.desk.context();
        let mut discards = SeenDiscards {
            rows: vec![Vec::new(); table.players.len()],
            claimed: vec![Vec::new(); table.players.len()],
        };
        for (player, state) in table.players.iter().enumerate() {
            let (_, seen) = self.seats.get(&context.place_of(state.seat))?;
            if seen.unplaced {
                return None;
            }
            discards.rows[player] = seen.known_discards()?;
            for (side, tile) in seen.claimed()? {
                let giver = table.at_seat(state.seat.neighbour(side))?;
                discards.claimed[giver].push(tile);
            }
        }
        Some(discards)
    }
}

/// What lies before each player, and what others have claimed from him; by player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenDiscards {
    /// In the order in which they were discarded.
    pub rows: Vec<Vec<Face>>,
    /// In no known order.
    pub claimed: Vec<Vec<Face>>,
}

/// What is confirmed.
#[derive(Clone, Debug)]
pub struct Confirming {
    /// What the operator told.
    pub context: Context,
    /// The hand that was scored.
    pub hand: String,
    /// Its reading, as pages show it.
    pub reading: Value,
    /// The ledger's table, as pages show it.
    pub table: Option<TableState>,
    /// The discards, where a camera over the table has seen all of them.
    pub discards: Option<SeenDiscards>,
    /// The deal that this is another winner of.
    pub also: Option<u64>,
}

fn seat_of(letter: &str) -> Option<Seat> {
    letter.chars().next().and_then(Seat::from_letter)
}

/// Takes away what is told of one hand alone.
fn over() -> Map<String, Value> {
    ["win", "from", "winning", "hidden", "last_tile", "supplement", "kong_on_kong"]
        .into_iter()
        .chain(["first_turn", "safe", "last_visible", "minimum", "pao", "tile"])
        .map(|field| (field.to_owned(), Value::Null))
        .collect()
}
