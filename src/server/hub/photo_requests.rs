//! Photos that phones ask to have shown: nothing of theirs is on the control page or on air before the operator wants it.

use std::collections::VecDeque;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::Hub;
use crate::{
    server::{ContextError, tracked_picture::TrackedPicture},
    tile::Tile,
};

/// The most photos that wait for the operator at once; the oldest are refused.
const MOST: usize = 4;
/// The most decisions that are remembered for phones.
const REMEMBERED: usize = 64;

/// A photo that somebody asks to have shown.
#[derive(Clone)]
pub(in crate::server) struct PhotoRequest {
    /// Its number.
    pub photo: u64,
    pub tracked: TrackedPicture,
    /// The sender's context fields and corrections.
    pub context: Map<String, Value>,
    pub fixes: Vec<(u64, Tile)>,
    /// The hand as text; `None` where none is read.
    pub hand: Option<String>,
}

/// The operator's decision about a photo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(in crate::server) enum RequestStage {
    /// The operator has not decided.
    Asked,
    /// It is shown.
    Shown,
    /// It is not to be shown.
    Refused,
}

/// All requests.
#[derive(Default)]
pub(super) struct PhotoRequests {
    waiting: VecDeque<PhotoRequest>,
    decided: VecDeque<(u64, RequestStage)>,
}

impl PhotoRequests {
    fn decide(&mut self, photo: u64, stage: RequestStage) {
        self.waiting.retain(|asking| asking.photo != photo);
        self.decided.retain(|(other, _)| *other != photo);
        self.decided.push_back((photo, stage));
        if self.decided.len() > REMEMBERED {
            self.decided.pop_front();
        }
    }

    /// Those that wait: photo and hand.
    pub fn waiting(&self) -> impl Iterator<Item = (u64, Option<&str>)> {
        self.waiting.iter().map(|asking| (asking.photo, asking.hand.as_deref()))
    }
}

impl Hub {
    /// Asks the operator to show a photo; a repeated request replaces the earlier one.
    ///
    /// # Errors
    /// An invalid context.
    pub(in crate::server) fn ask_to_show(&self, asking: PhotoRequest) -> Result<(), ContextError> {
        let mut inner = self.lock();
        inner.session.context().with(asking.context.clone(), &self.library)?;
        inner.asks.waiting.retain(|other| other.photo != asking.photo);
        inner.asks.decided.retain(|(other, _)| *other != asking.photo);
        inner.asks.waiting.push_back(asking);
        if inner.asks.waiting.len() > MOST
            && let Some(oldest) = inner.asks.waiting.front().map(|asking| asking.photo)
        {
            inner.asks.decide(oldest, RequestStage::Refused);
        }
        self.push(&mut inner);
        Ok(())
    }

    /// Shows or refuses a photo; false if it is no longer requested.
    ///
    /// # Errors
    /// A confirmed hand on show; it is asked about still.
    pub(in crate::server) fn decide_ask(
        &self,
        photo: u64,
        is_shown: bool,
    ) -> Result<bool, ContextError> {
        let mut inner = self.lock();
        let asking = inner.asks.waiting.iter().find(|asking| asking.photo == photo).cloned();
        let Some(PhotoRequest { tracked, context, fixes, .. }) = asking else { return Ok(false) };
        if is_shown {
            self.put_into(&mut inner, tracked, context, fixes)?;
        }
        inner
            .asks
            .decide(photo, if is_shown { RequestStage::Shown } else { RequestStage::Refused });
        self.push(&mut inner);
        Ok(true)
    }

    /// The decision about a photo; `None` if it was not requested.
    pub(in crate::server) fn ask_stage(&self, photo: u64) -> Option<RequestStage> {
        let inner = self.lock();
        if inner.asks.waiting.iter().any(|asking| asking.photo == photo) {
            return Some(RequestStage::Asked);
        }
        inner.asks.decided.iter().find(|(other, _)| *other == photo).map(|(_, stage)| *stage)
    }
}
