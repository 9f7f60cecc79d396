//! Decides which rows of a damaged ledger are original events.
//!
//! An event's hash covers the hash before it. So an event is proven where it fits the one before it, or
//! any hash that is left: that of an event whose own row was changed. An event between two
//! that left nothing can be read but not proven; it is kept and marked.

use std::collections::{BTreeMap, HashSet};

use super::{
    chain::Link,
    rows::Row,
    salvage::{Logs, Remains},
};

/// The largest gap in event numbers before an unproven row: a row farther away is itself damaged.
const FARTHEST: u64 = 10_000;

/// An event that is kept.
pub(super) struct KeptEvent {
    pub row: Row<'static>,
    /// Whether the hash chain proves that it is unchanged.
    pub is_proven: bool,
}

/// The remains of a log.
pub(super) struct RemainingLog {
    /// The kept events by their numbers.
    pub kept: BTreeMap<u64, KeptEvent>,
    /// The number of the last event of which anything is known.
    pub last: u64,
    /// The fault of the note of the last event, where no event is lost.
    pub note: Option<String>,
}

/// Hashes of what is left, whether or not their events are unchanged.
pub(super) struct Hashes(HashSet<Link>);

impl Hashes {
    /// The hashes of rows that were read.
    pub(super) fn of(logs: &Logs) -> Self {
        let rows = logs.values().flat_map(|remains| remains.rows.values().flatten());
        Self(rows.map(|row| row.hash).chain([Link::START]).collect())
    }

    /// Whether a row is the event of that number of that log.
    fn prove(&self, log: u32, seq: u64, row: &Row<'_>) -> bool {
        self.0.iter().any(|before| next(*before, log, seq, row) == row.hash)
    }

    /// Whether a row is an event of another number or log, of which damage has changed a bit.
    fn displace(&self, log: u32, seq: u64, row: &Row<'_>) -> bool {
        let mut logs = (0..u32::BITS).map(|bit| log ^ (1 << bit));
        let mut seqs = (0..u64::BITS).map(|bit| seq ^ (1 << bit));
        logs.any(|log| self.prove(log, seq, row)) || seqs.any(|seq| self.prove(log, seq, row))
    }
}

fn next(before: Link, log: u32, seq: u64, row: &Row<'_>) -> Link {
    before.next(log, seq, [&row.at, &row.author, &row.id, &row.body])
}

/// A log that is put together again.
pub(super) struct LogRecovery<'a> {
    pub number: u32,
    pub logs: &'a Logs,
    pub hashes: &'a Hashes,
    /// Whether a row that nothing proves can be read as an event of this log.
    pub can_be_read: fn(&Row<'_>) -> bool,
}

impl LogRecovery<'_> {
    /// Every event of a log that is whole.
    pub(super) fn left(&self, remains: &Remains) -> RemainingLog {
        let mut kept = BTreeMap::new();
        let (mut at, mut before, mut last) = (0, Some(Link::START), 0);
        // Whether the events before are proven, so that an event that does not fit them was changed.
        let mut is_sure = true;
        loop {
            let seq = at + 1;
            if let Some(row) = before.and_then(|before| self.fits(remains, before, seq)) {
                (at, before, is_sure) = (seq, Some(row.hash), true);
                kept.insert(seq, KeptEvent { row, is_proven: true });
                continue;
            }
            let Some((&found, copies)) = remains.rows.range(seq..).next() else { break };
            if found == seq && before.is_some() && is_sure {
                // It is there and was changed: its own hash may still prove the next one.
                if !copies.iter().all(|row| self.hashes.displace(self.number, seq, row)) {
                    last = seq;
                }
                (at, before) = (seq, None);
                continue;
            }
            (at, before) = (found, None);
            let proven = copies.iter().find(|row| self.hashes.prove(self.number, found, row));
            let likely = |row: &&Row<'_>| found - seq <= FARTHEST && self.is_likely(found, row);
            let row = proven.or_else(|| copies.iter().rev().find(likely));
            if let Some(row) = row {
                (before, is_sure) = (Some(row.hash), proven.is_some());
                kept.insert(found, KeptEvent { row: row.clone(), is_proven: proven.is_some() });
            }
        }
        last = last.max(kept.last_key_value().map_or(0, |(seq, _)| *seq));
        let whole = kept.len() as u64 == last && kept.values().all(|kept| kept.is_proven);
        let end = kept.get(&last).map_or(Link::START, |kept| kept.row.hash);
        let note = match &remains.head {
            Some((noted, hash)) if *noted == last && *hash == end.0 => None,
            // The note was damaged, and shows nothing about later events.
            Some((_, hash)) if self.is_known(hash) => Some("does not fit the log"),
            Some((noted, _)) if (last + 1..=last + FARTHEST).contains(noted) => {
                last = *noted;
                None
            }
            Some(_) => Some("does not fit the log"),
            None => Some("is missing, so nobody can tell whether any came after it"),
        };
        RemainingLog { kept, last, note: note.filter(|_| whole && last > 0).map(str::to_owned) }
    }

    /// The row that comes next in the chain, were it with a number or hash that damage has changed.
    fn fits(&self, remains: &Remains, before: Link, seq: u64) -> Option<Row<'static>> {
        let here = remains.rows.get(&seq).into_iter().flatten();
        let elsewhere = self.logs.values().flat_map(|remains| remains.rows.values().flatten());
        let fitting = |row: &&Row<'_>| next(before, self.number, seq, row) == row.hash;
        if let Some(row) = here.clone().chain(elsewhere).find(fitting) {
            return Some(Row { seq, ..row.clone() });
        }
        here.map(|row| Row { hash: next(before, self.number, seq, row), ..row.clone() })
            .find(|row| self.is_confirmed(remains, row))
    }

    /// Whether the event after it confirms its hash.
    fn is_confirmed(&self, remains: &Remains, row: &Row<'_>) -> bool {
        let seq = row.seq + 1;
        let mut after = remains.rows.get(&seq).into_iter().flatten();
        let noted = remains.head.as_ref();
        after.any(|after| next(row.hash, self.number, seq, after) == after.hash)
            || noted.is_some_and(|(last, hash)| *last == row.seq && *hash == row.hash.0)
    }

    /// Whether a row that nothing proves is to be kept all the same.
    fn is_likely(&self, seq: u64, row: &Row<'_>) -> bool {
        let legible = !row.body.contains(char::REPLACEMENT_CHARACTER);
        legible && (self.can_be_read)(row) && !self.hashes.displace(self.number, seq, row)
    }

    fn is_known(&self, hash: &[u8]) -> bool {
        let mut rows = self.logs.values().flat_map(|remains| remains.rows.values().flatten());
        rows.any(|row| row.hash.0 == hash)
    }
}
