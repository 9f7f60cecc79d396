//! Events written down: proposed and confirmed first, or as they are; all of them in one transaction.

use jiff::Timestamp;

use super::{
    Ledger, LedgerError, mirror,
    reading::ReadLog,
    replayed::LogKind,
    rows::{self, Row},
    store::{self, For},
};
use crate::table::{Deal, Event, Proposal, Recorded, Table, TableState, Winner};

/// An event that somebody wants to write down.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The event. Hands are scored when it is written.
    pub event: Event,
    /// The author's name.
    pub author: String,
    /// The time; now where it is left out.
    pub at: Option<Timestamp>,
    /// The writer's own name for it. Sent again after a lost answer, it is not written twice.
    pub id: Option<String>,
    /// The last event that the writer has seen: where somebody wrote meanwhile, it is refused.
    pub after: Option<u64>,
}

impl Entry {
    /// An event of now.
    pub fn new(event: Event, author: impl Into<String>) -> Self {
        Self { event, author: author.into(), at: None, id: None, after: None }
    }

    /// Refused if anything was written since that event.
    #[must_use]
    pub fn after(self, event: u64) -> Self {
        Self { after: Some(event), ..self }
    }

    /// Written once, however often it is sent.
    #[must_use]
    pub fn once(self, id: impl Into<String>) -> Self {
        Self { id: Some(id.into()), ..self }
    }
}

impl Ledger {
    /// Writes a proposal down for the table as its author saw it: all its events or none, in one transaction. Nothing is
    /// written that has to be confirmed first ([`TableError::Unconfirmed`](crate::table::TableError)).
    ///
    /// # Errors
    /// As [`Ledger::append`], and what [`Ledger::propose`] refuses.
    pub async fn enter(&self, table: u32, proposal: Proposal) -> Result<TableState, LedgerError> {
        // A confirmed entry is checked when it is written, where one that was sent twice is recognised by its name.
        let mut after = proposal.seen;
        if !proposal.meant || proposal.shown.is_some() {
            let checked = self.propose(table, &proposal).await?;
            after = Some((checked.events().len() - proposal.events.len()) as u64);
        }
        let Proposal { events, author, mut id, .. } = proposal;
        let entry = |event| Entry {
            after: after.take(),
            id: id.take(),
            ..Entry::new(event, author.as_str())
        };
        self.append_all(table, events.into_iter().map(entry).collect()).await
    }

    /// The table as it would be with a proposal, of which nothing is written.
    ///
    /// # Errors
    /// Where somebody has written since its author saw the table, the table rejects it, or it has to be confirmed.
    pub async fn propose(&self, table: u32, proposal: &Proposal) -> Result<Table, LedgerError> {
        let known = self.table(table).await?;
        is_as_seen(&known, proposal.seen)?;
        Ok(known.proposed(proposal, Timestamp::now())?)
    }

    /// Writes an event down. When this returns it is on the disk.
    ///
    /// # Errors
    /// Why it was not written: a refusal by the rules of the table, another writer meanwhile, a
    /// full disk. Nothing has changed then.
    pub async fn append(&self, table: u32, entry: Entry) -> Result<TableState, LedgerError> {
        self.append_all(table, vec![entry]).await
    }

    /// Writes events of one table down, one after the other: all of them or none.
    ///
    /// # Errors
    /// As [`Ledger::append`].
    pub async fn append_all(
        &self,
        table: u32,
        mut entries: Vec<Entry>,
    ) -> Result<TableState, LedgerError> {
        if !self.writable {
            return Err(LedgerError::ReadOnly(self.path.clone()));
        }
        if self.beside.is_none() {
            return self.written_down(table, entries).await;
        }
        let now = Timestamp::now();
        for entry in &mut entries {
            entry.at.get_or_insert(now);
        }
        let opens = entries.iter().any(|entry| matches!(entry.event, Event::Opened(_)));
        match self.written_down(table, entries.clone()).await {
            // Nobody knows whether it was written: with the same time it becomes the same event with the same hash in
            // the file, so sending it later does not duplicate it in the database.
            Err(LedgerError::Unreachable { cause, path }) if !opens => {
                if !self.cut(&cause).await? {
                    return Err(LedgerError::Unreachable { cause, path });
                }
                self.written_down(table, entries).await
            }
            done => done,
        }
    }

    async fn written_down(
        &self,
        table: u32,
        entries: Vec<Entry>,
    ) -> Result<TableState, LedgerError> {
        LogKind::table(table).ok_or(LedgerError::NoTable(table))?;
        let failed = |error| self.error_of(error);
        let mut inner = self.inner().await?;
        let (mut begun, all) = inner.begin(For::Writing).await.map_err(failed)?;
        // Taken out of the map: an interrupted or failed write is read again from the file.
        let kept = all.tables.remove(&table);
        let mut kept = self.catch_up(&mut begun, table, kept).await?;
        let shared_before = kept.replayed.state().map_or_else(|_| Vec::new(), shared_with_tables);
        for entry in entries {
            self.take_down(&mut begun, &mut kept, table, entry).await?;
        }
        let state = kept.replayed.state()?.clone();
        // While the database is cut off, the other tables follow when this event is sent.
        let is_shared = !self.is_cut(&begun) && !shared_before.is_empty();
        let last = kept.replayed.events().last().map(|last| (last.at, last.author.clone()));
        let last = last.filter(|_| is_shared && shared_with_tables(&state) != shared_before);
        let Some((at, author)) = last else {
            begun.commit().await.map_err(failed)?;
            all.tables.insert(table, kept);
            return Ok(state);
        };
        let mut known = std::mem::take(all);
        known.tables.insert(table, kept);
        self.others_follow(&mut begun, &mut known, (at, &author)).await?;
        begun.commit().await.map_err(failed)?;
        *all = known;
        Ok(state)
    }

    /// Writes one event of a table within a transaction.
    async fn take_down(
        &self,
        begun: &mut store::Begun<'_>,
        kept: &mut ReadLog<Table>,
        table: u32,
        entry: Entry,
    ) -> Result<(), LedgerError> {
        let failed = |error| self.error_of(error);
        if let Some(id) = &entry.id
            && let Some(seq) = rows::seq_of_id(begun, table, id).await.map_err(failed)?
        {
            let same = (kept.replayed.events().get(seq as usize - 1))
                .is_some_and(|known| is_sent_again(&known.event, &entry.event));
            if !same || !kept.replayed.stands(seq) {
                return Err(LedgerError::IdTaken { id: id.clone(), seq });
            }
            return Ok(());
        }
        if mirror::is_apart(begun, table).await.map_err(failed)? {
            return Err(LedgerError::Apart(table));
        }
        let noted = rows::head(begun, table).await.map_err(failed)?;
        let written = kept.replayed.events().len() as u64;
        if let Some((noted, _)) = noted
            && noted > written
        {
            return Err(self.cut_off(table, written, noted));
        }
        is_as_seen(&kept.replayed, entry.after)?;
        if matches!(entry.event, Event::Opened(_)) {
            self.only_together(begun)?;
        }
        let author = printable(&entry.author);
        let at = whole_milliseconds(entry.at.unwrap_or_else(Timestamp::now));
        let event = kept.replayed.complete(entry.event, at)?;
        let seq = kept.replayed.events().len() as u64 + 1;
        let recorded = Recorded { seq, at, author, event };
        let row = Row::of(table, &recorded, entry.id, kept.last)?;
        kept.last = row.hash;
        kept.replayed.push(recorded)?;
        rows::insert(begun, table, &row).await.map_err(failed)?;
        if self.is_cut(begun) {
            mirror::not_sent(begun, table, seq).await.map_err(failed)?;
        }
        Ok(())
    }
}

/// Refuses an entry of somebody who has not seen the last event of a table. Its clock may have been changed meanwhile:
/// that changes nothing that people enter.
fn is_as_seen(table: &Table, seen: Option<u64>) -> Result<(), LedgerError> {
    let last = table.events().iter().rfind(|recorded| !recorded.event.is_of_the_clock());
    let expected = last.map_or(0, |last| last.seq)..=table.events().len() as u64;
    if seen.is_none_or(|seen| expected.contains(&seen)) {
        return Ok(());
    }
    let (seq, author) = last.map_or((0, String::new()), |last| (last.seq, last.author.clone()));
    Err(LedgerError::Meanwhile { seq, author })
}

/// Whether an event was written before: only the fields given by its sender are compared, not those that
/// the table filled in.
pub(super) fn is_sent_again(written: &Event, sent: &Event) -> bool {
    match (written, sent) {
        (Event::Deal(written), Event::Deal(sent)) => {
            let filled_in = |sent: &Winner, written: &Winner| Winner {
                riichi: sent.riichi || written.riichi,
                tile: sent.tile.or(written.tile),
                scored: written.scored.clone(),
                ..sent.clone()
            };
            let same = |(written, sent): (&Winner, &Winner)| filled_in(sent, written) == *written;
            let beside =
                |deal: &Deal| deal.played_on.as_ref().map(|it| it.as_said()).unwrap_or_default();
            beside(written) == beside(sent)
                && written.winners.len() == sent.winners.len()
                && written.winners.iter().zip(&sent.winners).all(same)
                && (sent.riichi.is_empty() || written.riichi.len() == sent.riichi.len())
                && (sent.payments.is_none() || written.payments == sent.payments)
        }
        (Event::Opened(written), Event::Opened(sent)) => written.players == sent.players,
        (Event::Draw(written), Event::Draw(sent)) => written.abortive == sent.abortive,
        (Event::Chombo(written), Event::Chombo(sent)) => written.player == sent.player,
        (Event::Corrected { event: a, .. }, Event::Corrected { event: b, .. }) => a == b,
        _ => written.name() == sent.name(),
    }
}

/// A name that can be printed: it may have come from anywhere.
pub(super) fn printable(name: &str) -> String {
    name.chars().filter(|letter| !letter.is_control()).take(100).collect()
}

/// Truncates a time to whole milliseconds.
pub(super) fn whole_milliseconds(time: Timestamp) -> Timestamp {
    Timestamp::from_millisecond(time.as_millisecond()).unwrap_or(time)
}

/// The facts of a tournament table that its other tables need: each player's penalties, whether he
/// may play on, a new player's wins.
fn shared_with_tables(state: &TableState) -> Vec<(u32, bool, Option<u32>)> {
    if state.sitting.is_none() {
        return Vec::new();
    }
    let shared = state.players.iter().map(|player| {
        let wins = player.minimum.map(|_| player.wins);
        (player.penalties, player.disqualified.is_some(), wins)
    });
    shared.collect()
}
