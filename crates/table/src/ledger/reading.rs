//! Reads logs from the file: all events are checked against the chain at once, then replayed.

use std::collections::HashMap;

use rayon::prelude::*;

use super::{
    Ledger, LedgerError,
    chain::Link,
    replayed::{LogKind, Replayed},
    rows,
    store::Begun,
};
use crate::{table::Table, tournament};

/// The logs read so far.
#[derive(Debug, Default)]
pub(super) struct ReadLogs {
    pub tables: HashMap<u32, ReadLog<Table>>,
    pub tournament: Option<ReadLog<tournament::Log>>,
}

/// A log and the end of its chain.
#[derive(Debug)]
pub(super) struct ReadLog<Log> {
    pub replayed: Log,
    pub last: Link,
}

impl Ledger {
    /// Reads the events written since.
    pub(super) async fn catch_up<Log: Replayed>(
        &self,
        begun: &mut Begun<'_>,
        number: u32,
        kept: Option<ReadLog<Log>>,
    ) -> Result<ReadLog<Log>, LedgerError> {
        let ReadLog { replayed, mut last } =
            kept.unwrap_or_else(|| ReadLog { replayed: Log::empty(number), last: Link::START });
        let known = replayed.events().len() as u64;
        let mut recorded = Vec::new();
        let read = rows::each_after(begun, number, known, |rows| {
            // Each link is checked against the stored one before it, so that all are checked at once.
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
            Stopped::Ledger(error) => error,
            Stopped::Sqlite(error) => self.error_of(error),
        })?;
        let replayed =
            replayed.extended(recorded).map_err(|(seq, what)| self.damaged(number, seq, what))?;
        Ok(ReadLog { replayed, last })
    }

    pub(super) fn damaged(&self, log: u32, seq: u64, what: String) -> LedgerError {
        LedgerError::Log { path: self.path.clone(), log: LogKind::of(log).to_string(), seq, what }
    }
}

/// Why events were not read to the end.
enum Stopped {
    Ledger(LedgerError),
    Sqlite(sqlx::Error),
}

impl From<sqlx::Error> for Stopped {
    fn from(error: sqlx::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<LedgerError> for Stopped {
    fn from(error: LedgerError) -> Self {
        Self::Ledger(error)
    }
}
