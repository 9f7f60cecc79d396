//! Photos that phones ask to have shown: nothing of theirs is on the control page or on air before the operator wants it.

use std::collections::VecDeque;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::Hub;
use crate::{
    server::{ContextError, look::Look},
    tile::Tile,
};

/// No more photos wait for the operator at once: the oldest give place.
const MOST: usize = 4;
/// So many decisions are remembered, for phones that ask.
const REMEMBERED: usize = 64;

/// A photo that somebody asks to have shown.
#[derive(Clone)]
pub(in crate::server) struct Asking {
    /// Its number.
    pub photo: u64,
    pub look: Look,
    /// What its taker told of it, and his corrections.
    pub told: Map<String, Value>,
    pub fixes: Vec<(u64, Tile)>,
    /// The hand as text; `None` where none is read.
    pub hand: Option<String>,
}

/// What has become of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::server) enum AskStage {
    /// The operator has not decided.
    Asked,
    /// It is shown.
    Shown,
    /// It is not to be shown.
    Refused,
}

/// All of them.
#[derive(Default)]
pub(super) struct Asks {
    waiting: VecDeque<Asking>,
    decided: VecDeque<(u64, AskStage)>,
}

impl Asks {
    fn decide(&mut self, photo: u64, stage: AskStage) {
        self.waiting.retain(|asking| asking.photo != photo);
        self.decided.retain(|(other, _)| *other != photo);
        self.decided.push_back((photo, stage));
        if self.decided.len() > REMEMBERED {
            self.decided.pop_front();
        }
    }

    /// As the operator's page gets them.
    pub fn json(&self) -> Value {
        let waiting = self.waiting.iter();
        waiting.map(|asking| json!({ "photo": asking.photo, "hand": asking.hand })).collect()
    }
}

impl Hub {
    /// Asks the operator to show a photo; one that was asked about already is asked about as it is now.
    ///
    /// # Errors
    /// What is wrong with what was told of it.
    pub(in crate::server) fn ask_to_show(&self, asking: Asking) -> Result<(), ContextError> {
        let mut inner = self.lock();
        inner.desk.context().with(asking.told.clone(), &self.library)?;
        inner.asks.waiting.retain(|other| other.photo != asking.photo);
        inner.asks.decided.retain(|(other, _)| *other != asking.photo);
        inner.asks.waiting.push_back(asking);
        if inner.asks.waiting.len() > MOST
            && let Some(oldest) = inner.asks.waiting.front().map(|asking| asking.photo)
        {
            inner.asks.decide(oldest, AskStage::Refused);
        }
        self.push(&mut inner);
        Ok(())
    }

    /// Decides about one: it is shown, or it is not. False where nobody asks about it any more.
    ///
    /// # Errors
    /// A confirmed hand on show; it is asked about still.
    pub(in crate::server) fn decide_ask(
        &self,
        photo: u64,
        is_shown: bool,
    ) -> Result<bool, ContextError> {
        let asking = self.lock().asks.waiting.iter().find(|asking| asking.photo == photo).cloned();
        let Some(Asking { look, told, fixes, .. }) = asking else { return Ok(false) };
        if is_shown {
            self.put(look, told, fixes)?;
        }
        let mut inner = self.lock();
        inner.asks.decide(photo, if is_shown { AskStage::Shown } else { AskStage::Refused });
        self.push(&mut inner);
        Ok(true)
    }

    /// What has become of a photo; `None` where nobody asked.
    pub(in crate::server) fn ask_stage(&self, photo: u64) -> Option<AskStage> {
        let inner = self.lock();
        if inner.asks.waiting.iter().any(|asking| asking.photo == photo) {
            return Some(AskStage::Asked);
        }
        inner.asks.decided.iter().find(|(other, _)| *other == photo).map(|(_, stage)| *stage)
    }
}
