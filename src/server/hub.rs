//! What all pages show: the last look at the table, and the operator's decisions, as one state.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use serde_json::{Map, Value, json};
use tokio::sync::watch;

use super::{Context, ContextError, Desk, Phase, book, metrics::Metrics};
use crate::{
    appraisal::{Appraisal, ImageSize, PictureReading, Told, appraise},
    layout,
    rules::{Library, RuleSet, Wait},
    table::TableState,
    tile::{Face, Seat, SeenFace, Tile},
    vision::{Picture, SeenTile},
};

/// A corner that has moved less, in pixels, has not moved.
const STIRRED: f32 = 4.0;

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
}

/// What the pages show, and the pages that wait for the next state.
pub struct Hub {
    library: Library,
    inner: Mutex<Inner>,
    state: watch::Sender<Arc<str>>,
    picture: watch::Sender<Option<Arc<Picture>>>,
    pub(super) metrics: Metrics,
}

struct Inner {
    desk: Desk,
    source: Value,
    trouble: Option<String>,
    timing: Value,
    /// The last look that had settled: the one that is read and scored.
    settled: Option<Look>,
    /// Whether something has moved since.
    moving: bool,
    /// What was made of it.
    read: Option<Value>,
    /// The ledger's table.
    table: Option<TableState>,
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
            source: json!({ "state": "none" }),
            trouble: None,
            timing: Value::Null,
            settled: None,
            moving: false,
            read: None,
            table: None,
            tournament: (0, Value::Null),
            revision: 0,
        };
        let hub = Self {
            library,
            inner: Mutex::new(inner),
            state: watch::Sender::new(Arc::from("{}")),
            picture: watch::Sender::new(None),
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

    /// The newest picture, now and after each.
    pub fn pictures(&self) -> watch::Receiver<Option<Arc<Picture>>> {
        self.picture.subscribe()
    }

    /// Takes a look at the table in. Only what has settled is read and scored; what moves is
    /// only shown to be moving.
    pub fn see(&self, look: Look, timing: Value) {
        self.metrics.frames.inc();
        self.picture.send_replace(Some(Arc::clone(&look.picture)));
        let came = look.at;
        let mut inner = self.lock();
        inner.timing = timing;
        let moving = !look.settled;
        let is_new = !moving && inner.settled.as_ref().is_none_or(|before| differs(before, &look));
        if moving == inner.moving && !is_new {
            return;
        }
        inner.moving = moving;
        if is_new {
            if let Phase::Rejected { changed } = inner.desk.phase()
                && *changed != look.changed
            {
                let context = inner.desk.context().clone();
                inner.desk.next(context);
            }
            inner.settled = Some(look);
            self.read_again(&mut inner);
        }
        self.push(&mut inner);
        drop(inner);
        self.metrics.frame_to_state.observe(came.elapsed().as_secs_f64());
    }

    /// Says how the source is doing.
    pub fn tell_source(&self, source: Value, trouble: Option<String>) {
        let mut inner = self.lock();
        if inner.source != source || inner.trouble != trouble {
            inner.source = source;
            inner.trouble = trouble;
            self.push(&mut inner);
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
        inner.desk.put(context, fixes);
        inner.moving = false;
        self.picture.send_replace(Some(Arc::clone(&look.picture)));
        inner.settled = Some(look);
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
        if !inner.settled.as_ref().is_some_and(|look| look.ids.contains(&tile)) {
            return false;
        }
        inner.desk.correct(tile, is);
        self.read_again(&mut inner);
        self.push(&mut inner);
        true
    }

    /// What there is to confirm, and the table as it is shown beside it.
    pub fn to_confirm(&self) -> Option<Confirming> {
        let inner = self.lock();
        if *inner.desk.phase() != Phase::Watching {
            return None;
        }
        let reading = inner.read.clone().filter(|read| read["score"]["ok"] == json!(true))?;
        let hand = reading["scored_hand"].as_str()?.to_owned();
        let (context, table) = (inner.desk.context().clone(), inner.table.clone());
        Some(Confirming { context, hand, reading, table })
    }

    /// Keeps a hand on show, with the ledger's event that it became.
    pub fn confirm(&self, reading: Value, event: Option<u64>) {
        let mut inner = self.lock();
        inner.desk.confirm(reading, event);
        self.push(&mut inner);
    }

    /// Shows a ledger's table. Names and winds of the next hand are taken from it.
    pub fn set_table(&self, table: TableState) {
        let mut inner = self.lock();
        if inner.table.as_ref() == Some(&table) {
            return;
        }
        inner.table = Some(table);
        self.sit(&mut inner);
        self.read_again(&mut inner);
        self.push(&mut inner);
    }

    /// Names and winds as the table has them, unless a confirmed hand is on show.
    fn sit(&self, inner: &mut Inner) {
        let sits = inner.table.as_ref().map(book::seating).unwrap_or_default();
        if inner.is_watching().is_ok()
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
    pub fn reject(&self) {
        let mut inner = self.lock();
        let changed = inner.settled.as_ref().map_or(0, |look| look.changed);
        inner.desk.reject(changed);
        self.push(&mut inner);
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
            self.sit(&mut inner);
            self.read_again(&mut inner);
            self.push(&mut inner);
        }
        undone
    }

    fn read_again(&self, inner: &mut Inner) {
        let Some(look) = &inner.settled else { return };
        inner.read = match inner.desk.context().told(&self.library) {
            Ok((rules, told)) => Some(reading(look, &rules, told, inner.desk.fixes())),
            Err(error) => Some(json!({ "trouble": error.0 })),
        };
    }

    fn push(&self, inner: &mut Inner) {
        inner.revision += 1;
        let (phase, read) = match inner.desk.phase() {
            Phase::Watching => ("watching", inner.read.clone()),
            Phase::Confirmed { reading, .. } => ("confirmed", Some(reading.clone())),
            Phase::Rejected { .. } => ("rejected", None),
        };
        let fixes: BTreeMap<String, String> = (inner.desk.fixes().iter())
            .map(|(tile, is)| (tile.to_string(), is.to_string()))
            .collect();
        let state = json!({
            "revision": inner.revision,
            "source": inner.source,
            "trouble": inner.trouble,
            "timing": inner.timing,
            "context": inner.desk.context(),
            "phase": phase,
            "moving": inner.moving,
            "reading": read,
            "fixes": fixes,
            "table": inner.table,
            "tournament": inner.tournament.0,
            "can_undo": inner.desk.can_undo(),
        });
        self.state.send_replace(Arc::from(state.to_string()));
        self.metrics.states.inc();
    }
}

impl Inner {
    fn is_watching(&self) -> Result<(), ContextError> {
        match self.desk.phase() {
            Phase::Watching | Phase::Rejected { .. } => Ok(()),
            Phase::Confirmed { .. } => Err(ContextError(
                "a confirmed hand is on show: go on to the next hand, or undo, first".to_owned(),
            )),
        }
    }
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
}

/// Takes away what is told of one hand alone.
fn over() -> Map<String, Value> {
    ["win", "from", "winning", "hidden", "last_tile", "supplement", "kong_on_kong"]
        .into_iter()
        .chain(["first_turn", "safe", "last_visible", "minimum", "pao", "tile"])
        .map(|field| (field.to_owned(), Value::Null))
        .collect()
}

/// Whether the tiles of a look are others than before, or lie elsewhere.
fn differs(before: &Look, now: &Look) -> bool {
    let stirred = |a: &SeenTile, b: &SeenTile| {
        let moved = |from: [f32; 2], to: [f32; 2]| (from[0] - to[0]).hypot(from[1] - to[1]);
        a.corners.iter().zip(b.corners).any(|(from, to)| moved(*from, to) > STIRRED)
    };
    before.changed != now.changed
        || before.ids != now.ids
        || before.tiles.iter().zip(&now.tiles).any(|(a, b)| stirred(a, b))
}

/// A reading as pages get it: FORMATS' object, the tiles' numbers, names of the items, the waits.
pub(super) fn reading(
    look: &Look,
    rules: &Arc<RuleSet>,
    mut told: Told,
    fixes: &[(u64, Tile)],
) -> Value {
    let places = layout::tiles(&look.tiles);
    told.hints.fixes = (fixes.iter())
        .filter_map(|(tile, is)| {
            let seen = look.ids.iter().position(|id| id == tile)?;
            Some((places.iter().position(|place| place.seen == seen)?, *is))
        })
        .collect();
    let appraisal = appraise(&look.tiles, rules, &told);
    let image = ImageSize { width: look.picture.width(), height: look.picture.height() };
    let printed = PictureReading { file: None, image, appraisal: &appraisal };
    let mut reading = serde_json::to_value(printed)
        .unwrap_or_else(|error| json!({ "trouble": error.to_string() }));
    if let Some(tiles) = reading["tiles"].as_array_mut() {
        for (tile, shown) in tiles.iter_mut().zip(&appraisal.shown.tiles) {
            tile["id"] = json!(look.ids.get(shown.seen));
        }
    }
    reading["rules_name"] = json!(rules.name);
    reading["scored_hand"] = json!(appraisal.hand.as_ref().map(ToString::to_string));
    reading["item_names"] = names(&appraisal);
    reading["waits"] = waits(&appraisal, rules, &told);
    reading
}

fn names(appraisal: &Appraisal) -> Value {
    let score = appraisal.answer.as_ref().and_then(|answer| answer.explained.outcome.as_ref().ok());
    let items = score.map_or(&[][..], |score| &score.items);
    items
        .iter()
        .map(|item| (item.id.to_string(), Value::from(item.name.to_string())))
        .collect::<Map<_, _>>()
        .into()
}

/// What completes a hand that is one tile short.
fn waits(appraisal: &Appraisal, rules: &RuleSet, told: &Told) -> Value {
    let Some(hand) = &appraisal.shown.hand else { return json!([]) };
    let at = told.at.unwrap_or_else(|| {
        crate::rules::Circumstances::new(Seat::East, Seat::East, crate::rules::Win::SelfDraw)
    });
    let elsewhere: Vec<Face> = (appraisal.shown.tiles.iter())
        .filter(|tile| tile.role == layout::Role::Other)
        .filter_map(|tile| match tile.face {
            SeenFace::Tile(tile) => Some(tile.face()),
            SeenFace::Back | SeenFace::Unknown => None,
        })
        .collect();
    // A hand that is not one tile short waits for nothing.
    let waits = rules.waits(&hand.reading, &elsewhere, &at).unwrap_or_default();
    let wins = |wait: &Wait| {
        wait.self_draw.is_ok() || wait.claimed.iter().any(|(_, outcome)| outcome.is_ok())
    };
    (waits.iter())
        .map(|wait| {
            let best = wait.self_draw.as_ref().ok().map(|value| value.score);
            json!({
                "tile": wait.tile.to_string(), "unseen": wait.unseen,
                "score": best, "wins": wins(wait),
            })
        })
        .collect()
}
