//! A table that was written apart: the events that could not follow the database's, kept in a note until the desk has
//! chosen which version stays.

use std::{collections::HashMap, fs};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    ledger::{
        Ledger, LedgerError,
        chain::hex,
        printable,
        rows::{self, Row},
        store::{Begun, For},
        whole_milliseconds,
    },
    table::{Event, Recorded, Table},
};

/// The prefix of notes that hold a branch on which the desk has to decide.
const BRANCH: &str = "branch ";
const CHOSEN: &str = "chosen ";

/// Events of a table that could not be sent before somebody else wrote there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Branch {
    /// Its name, by which it is chosen.
    pub name: String,
    /// The table's number in the ledger.
    pub table: u32,
    /// The last event that both have.
    pub after: u64,
    /// The machine on which the table went on.
    pub machine: String,
    /// The events that the database has since.
    pub database: Vec<Recorded>,
    /// The events that were written at the table since.
    pub at_table: Vec<Recorded>,
}

/// Which of two versions of a table stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Keep {
    /// The database's version.
    Database,
    /// The table's own version.
    Table,
}

/// A branch as its note keeps it.
#[derive(Debug, Deserialize, Serialize)]
struct BranchNote {
    after: u64,
    machine: String,
    events: Vec<BranchEvent>,
    /// The version that the desk has chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kept: Option<Keep>,
}

#[derive(Debug, Deserialize, Serialize)]
struct BranchEvent {
    recorded: Recorded,
    id: String,
}

/// Whether a table was written apart on two machines, between which the desk has not chosen yet.
pub(in crate::ledger) async fn is_apart(
    begun: &mut Begun<'_>,
    table: u32,
) -> Result<bool, sqlx::Error> {
    Ok(!rows::notes(begun, &format!("{BRANCH}{table} ")).await?.is_empty())
}

/// Notes the events of a log that cannot follow the database's, from the last one that both have on.
pub(super) async fn note(
    begun: &mut Begun<'_>,
    log: u32,
    after: u64,
    left: &[Row<'_>],
    end: &Row<'_>,
) -> Result<(), sqlx::Error> {
    let name = format!("{log} {}", hex(&end.hash.0[..8]));
    // An answer may have been lost, and the desk may have chosen since.
    if !rows::notes(begun, &format!("{CHOSEN}{name}")).await?.is_empty() {
        return Ok(());
    }
    let events = left.iter().filter_map(|row| {
        let recorded = Recorded {
            seq: row.seq,
            at: row.at.parse().ok()?,
            author: row.author.to_string(),
            event: serde_json::from_str(&row.body).ok()?,
        };
        Some(BranchEvent { recorded, id: row.id.to_string() })
    });
    let noted = BranchNote { after, machine: machine(), events: events.collect(), kept: None };
    let text = serde_json::to_string(&noted).map_err(|error| sqlx::Error::Encode(error.into()))?;
    rows::note(begun, &format!("{BRANCH}{name}"), Some(&text)).await
}

/// This machine's name.
fn machine() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let name = name.or_else(|| std::env::var("COMPUTERNAME").ok()).unwrap_or_default();
    let name = printable(name.trim());
    if name.is_empty() { "another machine".to_owned() } else { name }
}

/// The numbers that events of a branch refer to, as they become where the branch is written down again.
fn renumbered(event: Event, numbers: &HashMap<u64, u64>) -> Event {
    let new = |seq: u64| numbers.get(&seq).copied().unwrap_or(seq);
    match event {
        Event::Undone { event } => Event::Undone { event: new(event) },
        Event::Corrected { event, with } => Event::Corrected { event: new(event), with },
        other => other,
    }
}

impl Ledger {
    /// The tables with two versions between which the desk has to choose: the database's, and one written elsewhere
    /// while it could not be reached.
    ///
    /// # Errors
    /// Where the ledger cannot be read.
    pub async fn branches(&self) -> Result<Vec<Branch>, LedgerError> {
        let mut branches = Vec::new();
        for (name, text) in self.notes(BRANCH).await? {
            let (name, table, noted) = self.noted(&name, &text)?;
            let events = self.events(table).await?;
            branches.push(Branch {
                name,
                table,
                after: noted.after,
                machine: noted.machine,
                database: events.into_iter().filter(|event| event.seq > noted.after).collect(),
                at_table: noted.events.into_iter().map(|event| event.recorded).collect(),
            });
        }
        Ok(branches)
    }

    /// Whether a table was written apart on two machines, and the desk has to choose what was played.
    ///
    /// # Errors
    /// Where the ledger cannot be read.
    pub async fn is_apart(&self, table: u32) -> Result<bool, LedgerError> {
        Ok(!self.notes(&format!("{BRANCH}{table} ")).await?.is_empty())
    }

    fn noted(&self, name: &str, text: &str) -> Result<(String, u32, BranchNote), LedgerError> {
        let name = name.strip_prefix(BRANCH).unwrap_or(name).to_owned();
        let table = name.split(' ').next().and_then(|table| table.parse().ok());
        let noted = serde_json::from_str(text).ok();
        table.zip(noted).map(|(table, noted)| (name.clone(), table, noted)).ok_or_else(|| {
            let cause = format!("the note of branch {name} cannot be read");
            LedgerError::Damaged { path: self.path.clone(), cause }
        })
    }

    /// Chooses the version of a table that stays. Where it is the table's, the database's later events are taken back,
    /// and the table's events are written after them.
    ///
    /// # Errors
    /// Where it was chosen before, the table's events do not fit any more, or the database cannot be reached.
    pub async fn choose(&self, branch: &str, keep: Keep, author: &str) -> Result<(), LedgerError> {
        if !self.writable {
            return Err(LedgerError::ReadOnly(self.path.clone()));
        }
        let failed = |error| self.error_of(error);
        let mut inner = self.inner().await?;
        let (mut begun, all) = inner.begin(For::Writing).await.map_err(failed)?;
        self.only_together(&begun)?;
        // An interrupted write is read again.
        let mut known = std::mem::take(all);
        let note = format!("{BRANCH}{branch}");
        let notes = rows::notes(&mut begun, &note).await.map_err(failed)?;
        let text = notes.into_iter().find(|(name, _)| *name == note).map(|(_, text)| text);
        let text = text.ok_or_else(|| LedgerError::NoBranch(branch.to_owned()))?;
        let (_, table, mut noted) = self.noted(&note, &text)?;
        let at = whole_milliseconds(Timestamp::now());
        if keep == Keep::Table {
            let mut kept = self.catch_up::<Table>(&mut begun, table, None).await?;
            let last = kept.replayed.events().len() as u64;
            let undoes = (noted.after + 1..=last).rev().map(|event| {
                let undone = Event::Undone { event };
                (Recorded { seq: 0, at, author: printable(author), event: undone }, String::new())
            });
            let mut numbers = HashMap::new();
            let again = noted.events.iter().map(|event| (event.recorded.clone(), event.id.clone()));
            for (recorded, id) in undoes.chain(again).collect::<Vec<_>>() {
                let seq = kept.replayed.events().len() as u64 + 1;
                if recorded.seq > 0 {
                    numbers.insert(recorded.seq, seq);
                }
                let event = renumbered(recorded.event, &numbers);
                let recorded = Recorded { seq, event, ..recorded };
                let is_taken =
                    rows::seq_of_id(&mut begun, table, &id).await.map_err(failed)?.is_some();
                let id = Some(id).filter(|id| !id.is_empty() && !is_taken);
                let row = Row::of(table, &recorded, id, kept.last)?;
                kept.replayed.push(recorded)?;
                kept.last = row.hash;
                rows::insert(&mut begun, table, &row).await.map_err(failed)?;
            }
            known.tables.insert(table, kept);
            self.others_follow(&mut begun, &mut known, (at, author)).await?;
        }
        noted.kept = Some(keep);
        let text = serde_json::to_string(&noted).unwrap_or(text);
        let chosen = format!("{CHOSEN}{branch}");
        rows::note(&mut begun, &chosen, Some(&text)).await.map_err(failed)?;
        rows::note(&mut begun, &note, None).await.map_err(failed)?;
        begun.commit().await.map_err(failed)
    }
}
