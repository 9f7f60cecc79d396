//! The record of a session's table: it says how the deal stands, and is written down where that is asked for, each event as
//! soon as it is known.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::{TrackedPicture, record_writer::RecordWriter};
use crate::{
    calibration::table::TableProfile,
    hand::WholeHand,
    recorder::{DealPlace, Look, Recorder, Standing},
    tile::Seat,
};

/// The table as a session knows it.
#[derive(Clone, Debug)]
pub(super) struct RecordedTable {
    /// Where its corners are.
    pub profile: TableProfile,
    /// The players' names by seat, empty where they are not known.
    pub names: Vec<String>,
    /// The deal that is played, where a ledger says it.
    pub place: Option<DealPlace>,
    /// The hands of its rules.
    pub whole: WholeHand,
}

/// The record of a table.
pub struct Recording {
    recorder: Recorder,
    /// A moment, and the same since 1970: the clock may be set while the record grows.
    began: (Instant, Duration),
    /// What writes it down.
    writer: Option<RecordWriter>,
}

impl Recording {
    /// A record, and what writes it down, if anything does.
    pub fn new(writer: Option<RecordWriter>) -> Self {
        Self { recorder: Recorder::default(), began: (Instant::now(), since_1970()), writer }
    }

    /// Takes in a picture of the table, and hands on what it shows that is new. Returns how the deal stands.
    pub(super) fn take(
        &mut self,
        tracked: &TrackedPicture,
        table: &RecordedTable,
    ) -> Option<Standing> {
        let size = [tracked.picture.width(), tracked.picture.height()];
        let view = table.profile.view(size);
        let seats: Vec<Seat> = view.seats().collect();
        let is_whole = (2..=4).contains(&seats.len()) && seats[..] == Seat::ALL[..seats.len()];
        let written = self.writer.as_ref().and_then(RecordWriter::players);
        if !is_whole || written.is_some_and(|players| players != seats.len()) {
            if let Some(writer) = &mut self.writer {
                writer.other_players();
            }
            return None;
        }
        let at = self.began.1 + tracked.at.saturating_duration_since(self.began.0);
        let TrackedPicture { tiles, ids, unseen, .. } = tracked;
        let look = Look { at, tiles, ids, unseen };
        let lines = self.recorder.observe(&look, &view, table.place, table.whole);
        if let Some(writer) = &mut self.writer {
            writer.take(lines, &table.names, seats.len(), at);
        }
        self.recorder.standing()
    }
}

/// The time since 1970.
pub(super) fn since_1970() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}
