//! Logs as they are read from the file: each event against the chain, all at once, and replayed.

use std::collections::HashMap;

use rayon::prelude::*;

use super::{
    Ledger, LedgerError,
    chain::Link,
    replayed::{Replayed, TOURNAMENT},
    rows,
    store::Begun,
};
use crate::{table::Table, tournament};

/// Logs as far as they were read.
#[derive(Debug, Default)]
pub(super) struct AllKept {
    pub tables: HashMap<u32, Kept<Table>>,
    pub tournament: Option<Kept<tournament::Log>>,
}

/// A log and the end of its chain.
#[derive(Debug)]
pub(super) struct Kept<Log> {
    pub replayed: Log,
    pub last: Link,
}

impl Ledger {
    /// Reads what was written since.
    pub(super) async fn catch_up<Log: Replayed>(
        &self,
        begun: &mut Begun<'_>,
        number: u32,
        kept: Option<Kept<Log>>,
    ) -> Result<Kept<Log>, LedgerError> {
        let Kept { replayed, mut last } =
            kept.unwrap_or_else(|| Kept { replayed: Log::empty(number), last: Link::START });
        let known = replayed.events().len() as u64;
        let mut recorded = Vec::new();
        let read = rows::each_after(begun, number, known, |rows| {
            // Each link is looked at against the one that stands before it, so that all can be at once.
            let decoded: Vec<Result<_, String>> = (rows.par_iter().enumerate())
                .with_min_len(64)
                .map(|(place, row)| {
                    let before = place.checked_sub(1).map_or(last, |before| rows[before].hash);
                    row.recorded(number, before)
                })
                .collect();
            for (row, decoded) in rows.iter().zip(decoded) {
                recorded.push(decoded.map_err(|what| self.damaged(number, row.seq, what))?);
                last = row.hash;
            }
            Ok::<_, Stopped>(())
        });
        read.await.map_err(|stopped| match stopped {
            Stopped::Told(error) => error,
            Stopped::Sqlite(error) => self.told(error),
        })?;
        let replayed =
            replayed.extended(recorded).map_err(|(seq, what)| self.damaged(number, seq, what))?;
        Ok(Kept { replayed, last })
    }

    fn damaged(&self, log: u32, seq: u64, what: String) -> LedgerError {
        LedgerError::Log { path: self.path.clone(), log: log_name(log), seq, what }
    }
}

/// Why events were not read to the end.
enum Stopped {
    Told(LedgerError),
    Sqlite(sqlx::Error),
}

impl From<sqlx::Error> for Stopped {
    fn from(error: sqlx::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<LedgerError> for Stopped {
    fn from(error: LedgerError) -> Self {
        Self::Told(error)
    }
}

/// A log's name for people.
pub(super) fn log_name(number: u32) -> String {
    if number == TOURNAMENT { "the tournament".to_owned() } else { format!("table {number}") }
}
