//! The journal: a text file beside a ledger's file to which every row is appended too. A repair reads it.
//!
//! Each line has a checksum and one row, as JSON. Lines are never changed or removed. They are on the disk before SQLite
//! commits the same rows, and no other program can write in between: so the journal has every acknowledged event, and the
//! events of each log in their order.
//!
//! The ledger decides what counts. An event whose writer was killed between the two, or to whom SQLite then had to report a
//! full disk, is in the journal alone. The next event of that log has the same number and takes its place, and that of
//! everything after it. Until then a repair keeps it, like an entry whose answer was lost. A ledger that was replaced by
//! an older copy goes on in the same way.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use sha2::{Digest as _, Sha256};

use super::{
    chain::{Link, hex},
    file,
    rows::{self, Row},
    store::Begun,
};

/// The first line. Every other line begins with its line end, so that one that was cut off spoils no other.
const TITLE: &str = "Tilelens journal 1";

/// The rows of each log, by their numbers.
pub(super) type Journal = BTreeMap<u32, BTreeMap<u64, Row<'static>>>;

/// A journal that could not be written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {cause}", .path.display())]
pub(super) struct Unwritten {
    path: PathBuf,
    cause: io::Error,
}

impl Unwritten {
    /// The journal's part in an error, if it has one.
    pub(super) fn of(error: &sqlx::Error) -> Option<&Self> {
        match error {
            sqlx::Error::Configuration(why) => why.downcast_ref(),
            _ => None,
        }
    }
}

/// The name of a ledger's journal. SQLite itself uses `evening.tlg-journal`.
pub(super) fn of(ledger: &Path) -> PathBuf {
    file::beside(ledger, ".journal")
}

/// Appends rows; they are on the disk when this returns.
pub(super) fn append(path: &Path, rows: &[(u32, Row<'_>)]) -> Result<(), sqlx::Error> {
    let written = || -> io::Result<()> {
        let mut file = File::options().append(true).create(true).open(path)?;
        let is_new = file.metadata()?.len() == 0;
        let mut text = if is_new { TITLE.to_owned() } else { String::new() };
        for row in rows {
            let json = serde_json::to_string(row)?;
            text.extend(["\n", &checksum(&json), " ", &json]);
        }
        file.write_all(text.as_bytes())?;
        file.sync_data()?;
        // A new file's name is on the disk once its folder is.
        #[cfg(unix)]
        if is_new && let Some(folder) = path.parent() {
            File::open(folder)?.sync_all()?;
        }
        Ok(())
    };
    written().map_err(|cause| {
        sqlx::Error::Configuration(Box::new(Unwritten { path: path.to_owned(), cause }))
    })
}

/// The rows of a journal; none where there is no journal. Damaged lines are left out.
///
/// # Errors
/// Where it cannot be read.
pub(super) fn read(path: &Path) -> io::Result<Journal> {
    let text = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Journal::new()),
        text => text?,
    };
    let mut journal = Journal::new();
    for (log, row) in text.split(|byte| *byte == b'\n').filter_map(parse) {
        let rows = journal.entry(log).or_default();
        rows.split_off(&row.seq);
        rows.insert(row.seq, row);
    }
    Ok(journal)
}

/// The row of an undamaged line.
fn parse(line: &[u8]) -> Option<(u32, Row<'static>)> {
    let (sum, json) = std::str::from_utf8(line).ok()?.split_once(' ')?;
    if sum != checksum(json) {
        return None;
    }
    serde_json::from_str(json).ok()
}

fn checksum(json: &str) -> String {
    hex(&Sha256::digest(json)[..8])
}

/// The rows that a ledger has and its journal lacks: all of a ledger from before there were journals, or that was copied
/// without its own. Of a log that is damaged there are none, as it is repaired from the journal.
pub(super) async fn missing(
    begun: &mut Begun<'_>,
    journal: &Journal,
) -> Result<Vec<(u32, Row<'static>)>, sqlx::Error> {
    let mut missing = Vec::new();
    for (log, last, hash) in rows::ends(begun).await? {
        let Ok(hash) = hash.try_into() else { continue };
        let end = Some((last, Link(hash)));
        let known = journal.get(&log);
        if known.is_some_and(|known| end_of(log, known.range(..=last).map(|(_, row)| row)) == end) {
            continue;
        }
        let rows = rows::all_after(begun, log, 0).await?;
        if end_of(log, &rows) == end {
            let is_known = |row: &Row<'_>| known.and_then(|known| known.get(&row.seq)) == Some(row);
            missing.extend(rows.into_iter().skip_while(is_known).map(|row| (log, row)));
        }
    }
    Ok(missing)
}

/// The number and hash of a log's last row, where its chain is whole.
fn end_of<'a>(log: u32, rows: impl IntoIterator<Item = &'a Row<'static>>) -> Option<(u64, Link)> {
    rows.into_iter().try_fold((0, Link::START), |(seq, link), row| {
        (row.seq == seq + 1 && row.link(log, link) == row.hash).then_some((row.seq, row.hash))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn row(seq: u64, author: &str) -> (u32, Row<'static>) {
        let [at, id, body] = ["2026-01-10T18:00:00Z", "a\nb", "{\"draw\":{}}"].map(Into::into);
        let row = Row { seq, at, author: author.to_owned().into(), id, body, hash: Link::START };
        (1, Row { hash: row.link(1, Link::START), ..row })
    }

    fn authors(path: &Path) -> Vec<String> {
        let journal = read(path).unwrap();
        journal.values().flat_map(BTreeMap::values).map(|row| row.author.to_string()).collect()
    }

    #[test]
    fn a_later_line_takes_the_place_of_those_after_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.journal");
        assert!(read(&path).unwrap().is_empty(), "there is no journal yet");
        append(&path, &[row(1, "Ann"), row(2, "Bo"), row(3, "Cy")]).unwrap();
        assert_eq!(
            read(&path).unwrap()[&1].values().cloned().collect::<Vec<_>>(),
            [1, 2, 3].map(|seq| row(seq, ["Ann", "Bo", "Cy"][seq as usize - 1]).1)
        );
        append(&path, &[row(2, "Di")]).unwrap();
        assert_eq!(authors(&path), ["Ann", "Di"]);
    }

    #[test]
    fn a_line_that_was_cut_off_spoils_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.journal");
        append(&path, &[row(1, "Ann"), row(2, "Bo")]).unwrap();
        let text = fs::read(&path).unwrap();
        fs::write(&path, &text[..text.len() - 5]).unwrap();
        append(&path, &[row(2, "Cy")]).unwrap();
        assert_eq!(authors(&path), ["Ann", "Cy"]);
    }

    #[test]
    fn a_changed_byte_costs_the_lines_that_it_touches() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.journal");
        append(&path, &[row(1, "Ann"), row(2, "Bo"), row(3, "Cy")]).unwrap();
        let text = fs::read(&path).unwrap();
        for at in 0..text.len() {
            let mut damaged = text.clone();
            damaged[at] ^= 1;
            fs::write(&path, &damaged).unwrap();
            let left = authors(&path).len();
            // A line end belongs to two lines.
            assert!(left >= if text[at] == b'\n' { 1 } else { 2 }, "byte {at}");
        }
    }

    proptest! {
        #[test]
        fn noise_holds_no_rows(noise in prop::collection::vec(any::<u8>(), 0..2_000)) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("noise");
            fs::write(&path, &noise).unwrap();
            prop_assert!(read(&path).unwrap().is_empty());
        }
    }
}
