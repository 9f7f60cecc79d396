//! The record of a table: what a camera saw of its games, one row an event, in a log of its own beside the table's. Nothing of
//! it counts.

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{
    Ledger, LedgerError, LogKind,
    chain::Link,
    database, mirror, printable,
    replayed::{Replayed, in_rows},
    rows::{self, Row},
    store::{Begun, For},
    whole_milliseconds,
};
use crate::{
    convert::log::{self, MendError, Mending},
    record::{Event, SeenEvent},
    recorded::Recorded,
    table::Loss,
};

/// A row of a record. Lines of a record have no fields `unproven` and `deal`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum RecordRow {
    /// Damage has destroyed the line. So many after it are not proven.
    Lost { unproven: u64 },
    /// A line that was said later, and stands in front of the end of its deal.
    Said {
        /// The number of the row with which the deal begins.
        deal: u64,
        #[serde(flatten)]
        line: SeenEvent,
    },
    /// A line as it came.
    Seen(SeenEvent),
}

/// The record of a table as its ledger has it.
#[derive(Clone, Debug, Default)]
pub struct TableRecord {
    rows: Vec<Recorded<RecordRow>>,
    end: RecordEnd,
}

/// The end of a table's record as somebody has left it, behind whom it goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordEnd {
    seq: u64,
    hash: Link,
}

impl Default for RecordEnd {
    /// Of a record that has not begun.
    fn default() -> Self {
        Self { seq: 0, hash: Link::START }
    }
}

/// Lines that follow each other: those of a deal, or others.
struct Part {
    /// The number of the row with which the deal begins.
    deal: Option<u64>,
    lines: Vec<SeenEvent>,
    /// What was said of them later.
    said: Vec<SeenEvent>,
}

impl Part {
    fn of(deal: Option<u64>, line: SeenEvent) -> Self {
        Self { deal, lines: vec![line], said: Vec::new() }
    }

    /// Whether it is a deal that goes on.
    fn goes_on(&self) -> bool {
        self.deal.is_some() && !self.is_over()
    }

    fn is_over(&self) -> bool {
        self.lines.last().is_some_and(|line| line.event == Event::End)
    }

    /// Ends a deal of which the rest is lost.
    fn cut_off(&mut self) {
        let at = self.lines.last().map_or(0, |line| line.at);
        let lines = [Event::Gap { milliseconds: 0 }, Event::End];
        self.lines.extend(lines.map(|event| SeenEvent { event, at, confidence: None }));
    }

    /// Its lines, with what was said in front of the end.
    fn lines(&self) -> impl Iterator<Item = &SeenEvent> {
        let end = self.lines.len() - usize::from(self.is_over());
        let (lines, end) = self.lines.split_at(end);
        let said = self.said.iter().filter(|line| match line.event {
            // What it is about may be lost.
            Event::Correction { event, .. } | Event::Settled { event } => event < lines.len(),
            _ => false,
        });
        lines.iter().chain(said).chain(end)
    }
}

impl TableRecord {
    /// Whether nothing was written.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Its end.
    pub const fn end(&self) -> RecordEnd {
        self.end
    }

    /// The record as JSON Lines. Of a deal of which lines are lost there are those before: it ends with a gap.
    pub fn text(&self) -> String {
        let parts = self.parts();
        let lines = parts.iter().flat_map(Part::lines);
        // A line is always JSON.
        lines.filter_map(|line| Some(serde_json::to_string(line).ok()? + "\n")).collect()
    }

    fn parts(&self) -> Vec<Part> {
        let mut parts = Parts::default();
        for Recorded { seq, event: row, .. } in &self.rows {
            match row {
                RecordRow::Lost { unproven } => parts.lose(seq.saturating_add(*unproven)),
                RecordRow::Said { .. } | RecordRow::Seen(_) if parts.is_unproven(*seq) => {}
                RecordRow::Said { deal, line } => {
                    let mut all = parts.all.iter_mut();
                    if let Some(part) = all.rfind(|part| part.deal == Some(*deal)) {
                        part.said.push(line.clone());
                    }
                }
                RecordRow::Seen(line) => parts.take(*seq, line),
            }
        }
        parts.all
    }
}

/// The parts of a record while it is read.
#[derive(Default)]
struct Parts {
    all: Vec<Part>,
    /// While the rest of a deal is left out of which a row is lost: the last row that nothing proves.
    lost: Option<u64>,
}

impl Parts {
    fn is_unproven(&self, seq: u64) -> bool {
        self.lost.is_some_and(|last| seq <= last)
    }

    /// A row is lost, and those up to `last` are not proven.
    fn lose(&mut self, last: u64) {
        if let Some(deal) = self.all.last_mut().filter(|part| part.goes_on()) {
            deal.cut_off();
        }
        self.lost = self.lost.max(Some(last));
    }

    fn take(&mut self, seq: u64, line: &SeenEvent) {
        let deal = match &line.event {
            Event::Deal(begins) => {
                self.lost = None;
                if self.all.is_empty() {
                    // The names are lost.
                    let event = Event::Game { players: vec![String::new(); begins.hands.len()] };
                    self.all.push(Part::of(None, SeenEvent { event, ..line.clone() }));
                }
                Some(seq)
            }
            _ if self.lost.is_some() => return,
            _ => None,
        };
        match self.all.last_mut().filter(|part| part.goes_on() && deal.is_none()) {
            Some(deal) => deal.lines.push(line.clone()),
            None => self.all.push(Part::of(deal, line.clone())),
        }
    }
}

impl Replayed for TableRecord {
    type Event = RecordRow;

    fn empty(_number: u32) -> Self {
        Self::default()
    }

    fn events(&self) -> &[Recorded<RecordRow>] {
        &self.rows
    }

    fn extended(mut self, rows: Vec<Recorded<RecordRow>>) -> Result<Self, (u64, String)> {
        self.rows.extend(rows);
        Ok(self)
    }

    fn audit(&mut self, row: Recorded<RecordRow>) -> Result<(), String> {
        self.rows.push(row);
        Ok(())
    }

    fn comes_to(&self) -> (usize, Vec<String>) {
        let deals = self.parts().iter().filter(|part| part.deal.is_some()).count();
        let text = self.text();
        let wrong = log::read_own(&text).err().filter(|_| !text.is_empty());
        (deals, wrong.map(|error| format!("its text: {error}")).into_iter().collect())
    }

    fn destroyed(unproven: u64) -> RecordRow {
        RecordRow::Lost { unproven }
    }

    fn lost(&self) -> Vec<Loss> {
        let lost = self.rows.iter().filter(|row| matches!(row.event, RecordRow::Lost { .. }));
        in_rows(lost.map(|row| row.seq).collect())
    }
}

/// Why a record in a ledger is not mended.
#[derive(Debug, thiserror::Error)]
pub enum MendRecordError {
    /// What was said cannot be.
    #[error(transparent)]
    Mend(#[from] MendError),
    /// It was not written.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}

impl Ledger {
    /// The tables that have a record, and when its last row was written.
    ///
    /// # Errors
    /// Where the ledger cannot be read.
    pub async fn records(&self) -> Result<Vec<(u32, Timestamp)>, LedgerError> {
        let failed = |error| self.error_of(error);
        let mut inner = self.inner().await?;
        let (mut begun, _) = inner.begin(For::Reading).await.map_err(failed)?;
        let mut records = Vec::new();
        for (log, last) in rows::heads(&mut begun).await.map_err(failed)? {
            let Some(table) = LogKind::recorded_table(log) else { continue };
            let rows = rows::all_after(&mut begun, log, last.saturating_sub(1));
            let at = rows.await.map_err(failed)?.last().and_then(|row| row.at.parse().ok());
            records.push((table, at.unwrap_or_default()));
        }
        begun.commit().await.map_err(failed)?;
        Ok(records)
    }

    /// The record of a table, empty where there is none.
    ///
    /// # Errors
    /// Where the ledger cannot be read, or the record is damaged.
    pub async fn record(&self, table: u32) -> Result<TableRecord, LedgerError> {
        let log = LogKind::record_of(table).ok_or(LedgerError::NoTable(table))?;
        let failed = |error| self.error_of(error);
        let mut inner = self.inner().await?;
        let (mut begun, _) = inner.begin(For::Reading).await.map_err(failed)?;
        let read = self.catch_up::<TableRecord>(&mut begun, log, None).await?;
        begun.commit().await.map_err(failed)?;
        let end = RecordEnd { seq: read.replayed.rows.len() as u64, hash: read.last };
        Ok(TableRecord { end, ..read.replayed })
    }

    /// Writes lines of a table's record behind the end that the writer knows, all of them or none, and returns the new end.
    /// What is there already, as after a lost answer, is not written again.
    ///
    /// # Errors
    /// [`LedgerError::Meanwhile`] where another program records that table; why they were not written.
    pub async fn append_record(
        &self,
        table: u32,
        after: RecordEnd,
        lines: Vec<SeenEvent>,
        author: &str,
    ) -> Result<RecordEnd, LedgerError> {
        let rows = lines.into_iter().map(RecordRow::Seen).collect();
        self.append_rows(table, Some(after), rows, author).await
    }

    /// Mends the record of a table.
    ///
    /// # Errors
    /// Where what was said cannot be, or it cannot be written.
    pub async fn mend_record(
        &self,
        table: u32,
        mending: Mending,
        author: &str,
    ) -> Result<(), MendRecordError> {
        let record = self.record(table).await?;
        let now = u64::try_from(Timestamp::now().as_millisecond()).unwrap_or_default();
        let mended = log::mended(&record.text(), mending, Duration::from_millis(now))?;
        let begins = record.parts().iter().filter_map(|part| part.deal).nth(mending.deal);
        // What is mended is there.
        let deal = begins.unwrap_or_default();
        let said = mended.added.into_iter().map(|line| RecordRow::Said { deal, line });
        self.append_rows(table, None, said.collect(), author).await?;
        Ok(())
    }

    /// Writes rows behind that end, or behind whatever is there.
    async fn append_rows(
        &self,
        table: u32,
        after: Option<RecordEnd>,
        rows: Vec<RecordRow>,
        author: &str,
    ) -> Result<RecordEnd, LedgerError> {
        if !self.writable {
            return Err(LedgerError::ReadOnly(self.path.clone()));
        }
        match self.rows_written(table, after, &rows, author).await {
            // The rows have their events' times, so that they become the same rows in the file.
            Err(LedgerError::Unreachable { cause, path }) => {
                if !self.cut(&cause).await? {
                    return Err(LedgerError::Unreachable { cause, path });
                }
                self.rows_written(table, after, &rows, author).await
            }
            done => done,
        }
    }

    async fn rows_written(
        &self,
        table: u32,
        after: Option<RecordEnd>,
        rows: &[RecordRow],
        author: &str,
    ) -> Result<RecordEnd, LedgerError> {
        let log = LogKind::record_of(table).ok_or(LedgerError::NoTable(table))?;
        let failed = |error| self.error_of(error);
        let mut inner = self.inner().await?;
        let (mut begun, _) = inner.begin(For::Writing).await.map_err(failed)?;
        if let Begun::Database(connection) = &mut begun {
            database::takes_records(&self.path, connection).await?;
        }
        let (mut end, since) = self.rows_since(&mut begun, log, after).await?;
        let mut new = rows.iter().peekable();
        for row in since {
            let known = row.recorded::<RecordRow>(log, end.hash);
            let known = known.map_err(|what| self.damaged(log, row.seq, what))?;
            end = RecordEnd { seq: row.seq, hash: row.hash };
            let is_own = new.next_if(|own| **own == known.event).is_some();
            // Mending goes on beside.
            if !is_own && !matches!(known.event, RecordRow::Said { .. }) {
                return Err(LedgerError::Meanwhile { seq: row.seq, author: known.author });
            }
        }
        for event in new {
            let seq = end.seq + 1;
            let recorded = Recorded { seq, at: time_of(event), author: printable(author), event };
            let row = Row::of(log, &recorded, None, end.hash)?;
            rows::insert(&mut begun, log, &row).await.map_err(failed)?;
            if self.is_cut(&begun) {
                mirror::not_sent(&mut begun, log, seq).await.map_err(failed)?;
            }
            end = RecordEnd { seq, hash: row.hash };
        }
        begun.commit().await.map_err(failed)?;
        Ok(end)
    }

    /// The end behind which rows are written, and the rows that are behind it already. Nothing before is read: a record grows
    /// for hours.
    async fn rows_since(
        &self,
        begun: &mut Begun<'_>,
        log: u32,
        after: Option<RecordEnd>,
    ) -> Result<(RecordEnd, Vec<Row<'static>>), LedgerError> {
        let failed = |error| self.error_of(error);
        let noted = rows::head(begun, log).await.map_err(failed)?.map_or(0, |(seq, _)| seq);
        let from = after.map_or(noted, |after| after.seq).saturating_sub(1);
        let mut since = rows::all_after(begun, log, from).await.map_err(failed)?.into_iter();
        let rows = from + since.len() as u64;
        if rows < noted {
            return Err(self.cut_off(log, rows, noted));
        }
        if after == Some(RecordEnd::default()) || noted == 0 && after.is_none() {
            return Ok((RecordEnd::default(), since.collect()));
        }
        // The database has not got it where this was left out for another machine's.
        let at =
            since.next().ok_or(LedgerError::Meanwhile { seq: noted, author: String::new() })?;
        let end = RecordEnd { seq: at.seq, hash: at.hash };
        if after.is_some_and(|after| after != end) {
            return Err(LedgerError::Meanwhile { seq: at.seq, author: at.author.into_owned() });
        }
        Ok((end, since.collect()))
    }
}

/// When a row is of: its event was seen then.
fn time_of(row: &RecordRow) -> Timestamp {
    let (RecordRow::Seen(line) | RecordRow::Said { line, .. }) = row else {
        return whole_milliseconds(Timestamp::now());
    };
    let at = i64::try_from(line.at).ok().and_then(|at| Timestamp::from_millisecond(at).ok());
    at.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use sqlx::{Connection as _, SqliteConnection};

    use super::*;
    use crate::{
        ledger::{Entry, copy, journal, repair},
        table::{self, Opened, Seated},
        tile::Tile,
    };

    const DEAL: &str = r#"{"type":"deal","round":"E","dealer":0,"hands":["?????????????","?????????????"],"at":2000}
{"type":"draw","player":0,"tile":"?","at":3000}
{"type":"discard","player":0,"tile":"5m","at":3000,"confidence":0.87}
{"type":"draw","player":1,"tile":"?","at":4000}
{"type":"discard","player":1,"tile":"9p","at":4000,"confidence":0.99}
{"type":"doubt","event":2,"why":"tile","at":5000}
{"type":"gap","milliseconds":4000,"at":9000}
{"type":"end","at":9000}
"#;
    const GAME: &str = r#"{"type":"game","players":["Ann","Bo"],"at":1000}
"#;

    fn lines(text: &str) -> Vec<SeenEvent> {
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// A ledger with a table, and a record of two deals in its log.
    async fn recorded(folder: &Path) -> Ledger {
        let ledger = Ledger::create(&folder.join("evening.tlg")).await.unwrap();
        let players = ["Ann", "Bo", "Cy", "Di"].map(Seated::named).into();
        let opened = Opened {
            title: None,
            rules: "riichi".into(),
            rule_file: None,
            rulings: vec![],
            players,
            initial: None,
            sitting: None,
            penalties: None,
            clock: None,
        };
        let opened = Entry::new(table::Event::Opened(opened), "Ann");
        ledger.append(3, opened).await.unwrap();
        let mut end = RecordEnd::default();
        for text in [GAME, DEAL, DEAL] {
            end = ledger.append_record(3, end, lines(text), "camera").await.unwrap();
        }
        assert_eq!(end.seq, 17);
        ledger
    }

    async fn meddle(path: &Path, sql: &'static str) {
        let address = format!("sqlite://{}", path.display());
        let mut file = SqliteConnection::connect(&address).await.unwrap();
        let free = "DROP TRIGGER events_stay; DROP TRIGGER events_are_kept;";
        sqlx::raw_sql(free).execute(&mut file).await.unwrap();
        sqlx::raw_sql(sql).execute(&mut file).await.unwrap();
        file.close().await.unwrap();
    }

    #[tokio::test]
    async fn a_record_lies_beside_its_table_and_counts_for_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = recorded(folder.path()).await;
        let record = ledger.record(3).await.unwrap();
        assert_eq!(record.text(), format!("{GAME}{DEAL}{DEAL}"));
        assert!(ledger.record(4).await.unwrap().is_empty());
        assert_eq!(ledger.tables().await.unwrap(), [3]);
        assert_eq!(ledger.written().await.unwrap(), 1);
        let at = Timestamp::from_millisecond(9000).unwrap();
        assert_eq!(ledger.records().await.unwrap(), [(3, at)]);
        for none in [0, u32::MAX] {
            assert!(matches!(ledger.record(none).await, Err(LedgerError::NoTable(_))));
            assert!(
                ledger
                    .append_record(none, RecordEnd::default(), lines(GAME), "camera")
                    .await
                    .is_err()
            );
        }
        let log = LogKind::record_of(3).unwrap();
        assert!(matches!(ledger.state(log).await, Err(LedgerError::NoTable(_))));
        let found = ledger.verify().await.unwrap();
        assert!(found.is_intact(), "{found:?}");
        let [table, record] = &found.logs[..] else { panic!("{found:?}") };
        assert_eq!((table.log, record.log), (LogKind::Table(3), LogKind::Record(3)));
        assert_eq!((record.events, record.deals, &record.problems[..]), (17, 2, &[][..]));
        ledger.close().await;
        let to = folder.path().join("copy.tlg");
        assert!(copy(ledger.path(), &to).await.unwrap().is_intact());
        let copied = Ledger::read(&to).await.unwrap();
        assert_eq!(copied.record(3).await.unwrap().text(), format!("{GAME}{DEAL}{DEAL}"));
    }

    #[tokio::test]
    async fn what_was_written_is_not_written_again_and_only_one_program_records() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = recorded(folder.path()).await;
        // The answer was lost, and one more line has come.
        let end = ledger.record(3).await.unwrap().end();
        let later = DEAL.replace("000", "001");
        ledger.append_record(3, end, lines(&later), "camera").await.unwrap();
        let again = lines(&format!("{later}{GAME}"));
        assert_eq!(ledger.append_record(3, end, again, "camera").await.unwrap().seq, 26);
        assert_eq!(
            ledger.record(3).await.unwrap().text(),
            format!("{GAME}{DEAL}{DEAL}{later}{GAME}")
        );
        let other = Ledger::open(ledger.path()).await.unwrap();
        let said = other.append_record(3, end, lines(DEAL), "other").await.unwrap_err();
        assert!(matches!(said, LedgerError::Meanwhile { seq: 18, .. }), "{said}");
        // Nor where as many rows are there, or fewer.
        for (seq, hash) in [(17, Link::START), (99, end.hash)] {
            let said = other.append_record(3, RecordEnd { seq, hash }, lines(DEAL), "other").await;
            assert!(matches!(said, Err(LedgerError::Meanwhile { .. })), "{said:?}");
        }
        assert_eq!(other.record(3).await.unwrap().end().seq, 26);
    }

    /// What a writer that is killed in the middle leaves: nothing of what it was writing.
    #[tokio::test]
    async fn lines_are_written_together_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = recorded(folder.path()).await;
        let log = LogKind::record_of(3).unwrap();
        {
            let mut inner = ledger.inner().await.unwrap();
            let (mut begun, _) = inner.begin(For::Writing).await.unwrap();
            let rows = rows::all_after(&mut begun, log, 16).await.unwrap();
            let row = Row { seq: 18, ..rows[0].clone() };
            rows::insert(&mut begun, log, &row).await.unwrap();
        }
        ledger.close().await;
        let ledger = Ledger::open(ledger.path()).await.unwrap();
        let end = ledger.record(3).await.unwrap().end();
        assert_eq!(end.seq, 17);
        assert_eq!(ledger.append_record(3, end, lines(DEAL), "camera").await.unwrap().seq, 25);
        assert!(ledger.verify().await.unwrap().is_intact());
    }

    #[tokio::test]
    async fn a_row_that_is_lost_costs_the_rest_of_its_deal() {
        let cut = DEAL.lines().take(2).map(|line| format!("{line}\n")).collect::<String>()
            + r#"{"type":"gap","milliseconds":0,"at":3000}
{"type":"end","at":3000}
"#;
        let unnamed = GAME.replace(r#""Ann","Bo""#, r#""","""#).replace("1000", "2000");
        for (sql, lost, text) in [
            ("seq = 4", 4, format!("{GAME}{cut}{DEAL}")),
            ("seq = 2", 2, format!("{GAME}{DEAL}")),
            ("seq = 9", 9, String::new()),
            ("seq = 1", 1, format!("{unnamed}{DEAL}{DEAL}")),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let ledger = recorded(folder.path()).await;
            let path = ledger.path().to_owned();
            ledger.close().await;
            std::fs::remove_file(journal::of(&path)).unwrap();
            let sql = format!("UPDATE events SET body = 'x' WHERE log > 3 AND {sql}");
            meddle(&path, sql.leak()).await;
            let damaged = Ledger::read(&path).await.unwrap();
            assert!(matches!(damaged.record(3).await, Err(LedgerError::Log { .. })));
            let found = damaged.verify().await.unwrap();
            assert_eq!(found.logs[1].fault.as_ref().unwrap().0, lost);
            damaged.close().await;
            let done = repair(&path).await.unwrap();
            assert_eq!(done.logs[1].lost, [Loss { first: lost, last: lost, deals: None }]);
            let ledger = Ledger::open(&path).await.unwrap();
            let record = ledger.record(3).await.unwrap();
            assert!(text.is_empty() || record.text() == text, "{lost}: {}", record.text());
            log::read_own(&record.text()).unwrap();
            // It goes on behind.
            ledger.append_record(3, record.end(), lines(DEAL), "camera").await.unwrap();
            let found = ledger.verify().await.unwrap();
            assert!(found.is_intact() && found.logs[1].problems.is_empty(), "{found:?}");
            assert_eq!(ledger.record(3).await.unwrap().text(), record.text() + DEAL);
        }
    }

    #[tokio::test]
    async fn a_record_that_the_journal_has_loses_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = recorded(folder.path()).await;
        let path = ledger.path().to_owned();
        ledger.close().await;
        std::fs::remove_file(&path).unwrap();
        let done = repair(&path).await.unwrap();
        assert!(done.logs.iter().all(|log| log.lost.is_empty()), "{done:?}");
        let record = Ledger::read(&path).await.unwrap().record(3).await.unwrap();
        assert_eq!(record.text(), format!("{GAME}{DEAL}{DEAL}"));
    }

    #[tokio::test]
    async fn what_is_said_stands_in_its_deal_while_the_record_grows() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = recorded(folder.path()).await;
        let begun: String = DEAL.lines().take(3).map(|line| format!("{line}\n")).collect();
        let end = ledger.record(3).await.unwrap().end();
        let end = ledger.append_record(3, end, lines(&begun), "camera").await.unwrap();
        let six: Tile = "6m".parse().unwrap();
        for deal in [0, 2] {
            let mending = Mending { deal, event: 2, tile: Some(six) };
            ledger.mend_record(3, mending, "desk").await.unwrap();
        }
        let rest: String = DEAL.lines().skip(3).map(|line| format!("{line}\n")).collect();
        let end = ledger.append_record(3, end, lines(&rest), "camera").await.unwrap();
        assert_eq!(end.seq, 29);
        let text = ledger.record(3).await.unwrap().text();
        let known = log::read_own(&text).unwrap();
        let deals: Vec<&str> = text.split_inclusive(r#""type":"end","at":9000}"#).collect();
        assert_eq!(deals.len(), 4, "{text}");
        for (deal, is_mended) in [(0, true), (1, false), (2, true)] {
            let tail = deals[deal].lines().rev().nth(2).unwrap();
            assert_eq!(tail.contains(r#""correction","event":2,"tile":"6m""#), is_mended, "{text}");
        }
        assert_eq!(known.known().iter().filter(|event| !event.doubts.is_empty()).count(), 1);
        let refused = Mending { deal: 0, event: 1, tile: Some(six) };
        let refused = ledger.mend_record(3, refused, "desk").await;
        assert!(matches!(refused, Err(MendRecordError::Mend(MendError::NoDiscard))));
        assert!(ledger.verify().await.unwrap().is_intact());
    }
}
