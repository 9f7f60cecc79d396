//! The sources that feed one table: what each shows, how it is doing, what it last saw.

use serde_json::{Value, json};

use super::{
    look::{Look, STIRRED, stirred},
    settling::Settling,
};
use crate::{calibration::table::TableProfile, tile::Seat};

/// What a source shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Shows {
    /// One player's hand, or a table of which only one hand is read.
    Hand,
    /// A table with all its players, or some of them.
    Table(TableProfile),
    /// The standing hand of whoever sat at that seat in the first deal of the round.
    Standing(Seat),
}

/// Numbers of tiles of different sources differ by this.
const APART: u64 = 1 << 32;

pub(super) struct Feed {
    pub shows: Shows,
    pub source: Value,
    pub trouble: Option<String>,
    pub timing: Value,
    /// What it showed when it last was settled.
    pub settled: Option<Look>,
    moving: bool,
    settling: Settling,
}

impl Feed {
    pub fn new(name: &str, shows: Shows) -> Self {
        Self {
            source: json!({ "name": name, "state": "starting" }),
            shows,
            trouble: None,
            timing: Value::Null,
            settled: None,
            moving: false,
            settling: Settling::default(),
        }
    }

    /// Shows something else from now on.
    pub fn show(&mut self, shows: Shows) {
        (self.shows, self.moving) = (shows, false);
        // What settles from now on is something else, also where nothing lies otherwise.
        let counted = self.settled.as_ref().map_or(0, |look| look.changed);
        self.settling = Settling::counting_from(counted + 1);
    }

    /// Takes a look in: whether something settled anew, and whether anything is to be told.
    pub fn take(&mut self, mut look: Look, number: usize) -> [bool; 2] {
        for id in &mut look.ids {
            *id += APART * number as u64;
        }
        if let Shows::Table(profile) = &self.shows {
            let view = profile.view([look.picture.width(), look.picture.height()]);
            let before = self.settled.as_ref().map(|look| look.changed);
            let news = self.settling.take(&look, &view);
            let settled = self.settling.look(&look);
            let is_new = before != Some(settled.changed);
            if is_new {
                self.settled = Some(settled);
            }
            return [is_new, news || is_new];
        }
        let moving = !look.settled;
        let is_new = !moving && self.settled.as_ref().is_none_or(|before| differs(before, &look));
        let news = is_new || moving != self.moving;
        self.moving = moving;
        if is_new {
            self.settled = Some(look);
        }
        [is_new, news]
    }

    /// Whether something moves.
    pub fn is_moving(&self) -> bool {
        self.moving || !self.settling.moving().is_empty()
    }

    /// The players before whom something moves.
    pub fn moving_seats(&self) -> Vec<Seat> {
        match self.shows {
            Shows::Standing(seat) if self.moving => vec![seat],
            _ => self.settling.moving(),
        }
    }

    /// As pages get it.
    pub fn json(&self) -> Value {
        let mut told = self.source.clone();
        let (shows, seat) = match &self.shows {
            Shows::Hand => ("hand", None),
            Shows::Table(_) => ("table", None),
            Shows::Standing(seat) => ("standing", Some(seat)),
        };
        told["shows"] = json!(shows);
        told["trouble"] = json!(self.trouble);
        told["timing"] = self.timing.clone();
        if let Some(seat) = seat {
            told["seat"] = json!(seat);
        }
        if let Shows::Table(profile) = &self.shows {
            told["corners"] = json!(profile.corners);
            told["picture"] = json!(profile.picture);
            let edges = profile.seats.iter().map(|(seat, at)| (seat.to_string(), json!(at.edge)));
            told["seats"] = edges.collect::<serde_json::Map<_, _>>().into();
        }
        told
    }
}

/// Whether the tiles of a look are others than before, or lie elsewhere.
fn differs(before: &Look, now: &Look) -> bool {
    before.changed != now.changed
        || before.ids != now.ids
        || before.tiles.iter().zip(&now.tiles).any(|(a, b)| stirred(a, b, STIRRED))
}
