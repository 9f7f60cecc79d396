//! Events from a file that SQLite cannot read: each page is looked at by itself, whether or not
//! header, schema and tree lead to it. The chain of hashes proves the recovered events, so nothing
//! here has to be trusted.
//!
//! <https://www.sqlite.org/fileformat2.html>, 1.6 and 2.1.

use std::{borrow::Cow, collections::BTreeMap};

use super::{
    chain::Link,
    pages::{Pages, big_endian},
    rows::Row,
};

/// The rows recovered of a log.
#[derive(Debug, Default)]
pub(super) struct Remains {
    /// The rows by their numbers; a moved page may leave an older copy of a row.
    pub rows: BTreeMap<u64, Vec<Row<'static>>>,
    /// The last event that was noted: its number and hash.
    pub head: Option<(u64, Vec<u8>)>,
}

/// The recovered rows of every log, by its number.
pub(super) type Logs = BTreeMap<u32, Remains>;

/// Adds the rows of every log in these pages to those recovered before.
pub(super) fn salvage(pages: &Pages, logs: &mut Logs) {
    for page in (1..=pages.count()).filter_map(|number| pages.page(number)) {
        for at in 0..page.len() {
            if let Some((log, row)) = record_at(pages, page, at, false).and_then(|r| event(&r.1)) {
                let found = logs.entry(log).or_default().rows.entry(row.seq).or_default();
                if !found.contains(&row) {
                    found.push(row);
                }
            } else if let Some((log, head)) =
                record_at(pages, page, at, true).and_then(|(log, record)| note(log, &record))
            {
                let known = &mut logs.entry(log).or_default().head;
                if known.as_ref().is_none_or(|(seq, _)| *seq < head.0) {
                    *known = Some(head);
                }
            }
        }
    }
}

/// A column's value.
#[derive(Debug)]
enum Value {
    Null,
    Whole(i64),
    Text(String),
    Blob(Vec<u8>),
}

/// A record is an event if it has the columns of one.
fn event(record: &[Value]) -> Option<(u32, Row<'static>)> {
    use Value::{Blob, Null, Text, Whole};
    let [Whole(log), Whole(seq), Text(at), Text(author), id, Text(body), Blob(hash)] = record
    else {
        return None;
    };
    let id = match id {
        Null => "",
        Text(id) => id,
        _ => return None,
    };
    let [at, author, id, body] = [at, author, id, body].map(|text| Cow::Owned(text.to_owned()));
    let seq = u64::try_from(*seq).ok()?;
    let row = Row { seq, at, author, id, body, hash: Link(hash.as_slice().try_into().ok()?) };
    Some((u32::try_from(*log).ok()?, row))
}

/// The note of a log's last event; the log's number is the row's.
fn note(rowid: i64, record: &[Value]) -> Option<(u32, (u64, Vec<u8>))> {
    let [Value::Null, Value::Whole(seq), Value::Blob(hash)] = record else { return None };
    let fits = hash.len() == 32;
    fits.then_some(())?;
    Some((u32::try_from(rowid).ok()?, (u64::try_from(*seq).ok()?, hash.clone())))
}

/// The record that begins there, and its row's number in the tree of a table (elsewhere 0). Wherever a
/// page may hold one is looked, so that neither the page's kind nor its list of cells is needed. Events are
/// in the leaves and in the inner pages of an index's tree.
fn record_at(pages: &Pages, page: &[u8], at: usize, table: bool) -> Option<(i64, Vec<Value>)> {
    /// The longest header of an event's record, in bytes.
    const LONGEST_HEADER: u8 = 32;
    /// The longest note of a last event, in bytes.
    const LONGEST_NOTE: usize = 64;
    let mut at = at;
    let length = usize::try_from(varint(page, &mut at)?).ok()?;
    if table && length > LONGEST_NOTE {
        return None;
    }
    let rowid = if table { varint(page, &mut at)? } else { 0 };
    if !(4..=LONGEST_HEADER).contains(page.get(at)?) {
        return None;
    }
    Some((rowid, columns(&payload(pages, page, at, length, table)?)?))
}

/// A record's bytes, those on overflow pages too.
fn payload(pages: &Pages, page: &[u8], at: usize, length: usize, table: bool) -> Option<Vec<u8>> {
    let usable = pages.size();
    let (most, least) = ((usable - 12) * 64 / 255 - 23, (usable - 12) * 32 / 255 - 23);
    let most = if table { usable - 35 } else { most };
    if length <= most {
        return Some(page.get(at..at.checked_add(length)?)?.to_vec());
    }
    if length > pages.count() as usize * usable {
        return None;
    }
    let fitting = least + (length - least) % (usable - 4);
    let here = if fitting <= most { fitting } else { least };
    let mut bytes = page.get(at..at.checked_add(here)?)?.to_vec();
    let mut next = big_endian(page, at + here)?;
    while bytes.len() < length {
        let more = pages.page(next)?;
        let wanted = (length - bytes.len()).min(usable - 4);
        bytes.extend_from_slice(more.get(4..4 + wanted)?);
        next = big_endian(more, 0)?;
    }
    Some(bytes)
}

/// A record's values.
fn columns(record: &[u8]) -> Option<Vec<Value>> {
    let mut at = 0;
    let header = usize::try_from(varint(record, &mut at)?).ok()?;
    let mut data = header;
    let mut values = Vec::new();
    while at < header {
        let kind = varint(record, &mut at)?;
        let length = match kind {
            0 | 8 | 9 => 0,
            1..=4 => usize::try_from(kind).ok()?,
            5 => 6,
            6 | 7 => 8,
            12.. => usize::try_from((kind - 12) / 2).ok()?,
            _ => return None,
        };
        let end = data.checked_add(length)?;
        let bytes = record.get(data..end)?;
        data = end;
        values.push(match kind {
            0 => Value::Null,
            8 | 9 => Value::Whole(kind - 8),
            1..=6 => Value::Whole(whole(bytes)),
            12.. if kind % 2 == 0 => Value::Blob(bytes.to_vec()),
            // The hash of a changed text is still useful.
            12.. => Value::Text(String::from_utf8_lossy(bytes).into_owned()),
            _ => return None,
        });
    }
    // Another length is no record, but bytes that look like the beginning of one.
    (data == record.len()).then_some(values)
}

/// A number with its sign, the highest byte first.
fn whole(bytes: &[u8]) -> i64 {
    let sign = if bytes.first().is_some_and(|first| *first >= 0x80) { -1 } else { 0 };
    bytes.iter().fold(sign, |number, byte| number << 8 | i64::from(*byte))
}

/// A number of one to nine bytes, seven bits in each, all eight in the ninth.
fn varint(bytes: &[u8], at: &mut usize) -> Option<i64> {
    let mut number: u64 = 0;
    for place in 1..=9 {
        let byte = *bytes.get(*at)?;
        *at += 1;
        if place == 9 {
            number = number << 8 | u64::from(byte);
        } else {
            number = number << 7 | u64::from(byte & 0x7F);
            if byte < 0x80 {
                break;
            }
        }
    }
    Some(number.cast_signed())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_are_read_as_the_format_says() {
        for (bytes, number) in [
            (&[0x7F][..], 127),
            (&[0x81, 0x00], 128),
            (&[0x82, 0x2F], 303),
            (&[0xFF; 9], -1),
            (&[0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00], 1 << 57),
        ] {
            let mut at = 0;
            assert_eq!((varint(bytes, &mut at), at), (Some(number), bytes.len()));
        }
        assert_eq!(varint(&[0x81], &mut 0), None);
        assert_eq!((whole(&[0xFF, 0xFE]), whole(&[0x01, 0x00]), whole(&[])), (-2, 256, 0));
    }

    proptest! {
    /// Any bytes are read without a panic, and no event is invented.
            #[test]
            fn noise_holds_no_events(
                mut noise in prop::collection::vec(any::<u8>(), 1..20_000),
                kind in prop::sample::select(vec![2u8, 10, 13]),
                cells in 0u8..40,
            ) {
                for start in (0..noise.len()).step_by(4096) {
                    let header = if start == 0 { 100 } else { start };
                    for (place, byte) in [(0, kind), (3, 0), (4, cells)] {
                        if let Some(at) = noise.get_mut(header + place) {
                            *at = byte;
                        }
                    }
                }
                let folder = tempfile::tempdir().unwrap();
                let path = folder.path().join("noise");
                std::fs::write(&path, &noise).unwrap();
                std::fs::write(folder.path().join("noise-wal"), &noise).unwrap();
                for pages in Pages::of(&path).unwrap() {
                    let mut logs = Logs::new();
                    salvage(&pages, &mut logs);
                    prop_assert!(logs.values().all(|log| log.rows.is_empty()));
                }
            }
        }
}
