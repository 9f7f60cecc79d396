//! A ledger's pages as stored on the disk, those of its write-ahead log among them, without SQLite.
//!
//! <https://www.sqlite.org/fileformat2.html>, chapters 1 and 4.

use std::{io, path::Path};

use super::file::beside;

/// The page size of every ledger that this program makes.
const USUAL: usize = 4096;
/// The size of the header in front of each page of the log, in bytes.
const FRAME: usize = 24;
/// The size of the log's own header, in bytes.
const LOG: usize = 32;

/// The largest plausible size of a log, in bytes.
const MOST: usize = 1 << 30;

/// The file's pages, numbered from 1, the newest of each.
pub(super) struct Pages {
    size: usize,
    bytes: Vec<u8>,
}

/// The number at an offset, the highest byte first.
pub(super) fn big_endian(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at.checked_add(4)?)?;
    Some(four.iter().fold(0, |number, byte| number << 8 | u32::from(*byte)))
}

impl Pages {
    /// The file's pages in every size that they may have (that of all ledgers, and what the header says),
    /// each as the file has them, with its write-ahead log as SQLite reads it, and with all of the log that was
    /// committed, were it after damage.
    ///
    /// # Errors
    /// Where the file cannot be read.
    pub(super) fn of(path: &Path) -> io::Result<Vec<Self>> {
        let file = std::fs::read(path)?;
        let log = match std::fs::read(beside(path, "-wal")) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            read => read.unwrap_or_default(),
        };
        let said = match file.get(16..18) {
            Some(&[0, 1]) => 65_536,
            Some(&[high, low]) => usize::from(u16::from_be_bytes([high, low])),
            _ => USUAL,
        };
        let sizes = [USUAL, said];
        let sizes =
            &sizes[..if said.is_power_of_two() && said >= 512 && said != USUAL { 2 } else { 1 }];
        let in_size = |size: &usize| {
            let with = |log: &[u8], checked| Self::in_size(*size, file.clone(), log, checked);
            let mut ways = vec![with(&[], true)];
            if !log.is_empty() {
                ways.extend([with(&log, true), with(&log, false)]);
            }
            ways
        };
        Ok(sizes.iter().flat_map(in_size).collect())
    }

    fn in_size(size: usize, file: Vec<u8>, log: &[u8], checked: bool) -> Self {
        let mut pages = Self { size, bytes: file };
        pages.overlay(log, checked);
        let whole = pages.bytes.len().next_multiple_of(size);
        pages.bytes.resize(whole, 0);
        pages
    }

    /// Applies the committed frames of the write-ahead log to the pages; `checked`: up to the first frame whose
    /// checksum does not fit, as SQLite does.
    fn overlay(&mut self, log: &[u8], checked: bool) -> Option<()> {
        let magic = big_endian(log, 0)?;
        if magic & !1 != 0x377F_0682 || big_endian(log, 8)? as usize != self.size {
            return None;
        }
        let mut sum = Checksum { little_endian: magic & 1 == 0, halves: [0; 2] };
        let salts = log.get(16..24)?;
        sum.add(log.get(..24)?);
        if checked {
            sum.is(log, 24)?;
        }
        let mut pending: Vec<(usize, &[u8])> = Vec::new();
        for frame in log.get(LOG..)?.chunks_exact(FRAME + self.size) {
            let (about, page) = frame.split_at(FRAME);
            sum.add(&about[..8]);
            sum.add(page);
            let of_this_log = about[8..16] == *salts;
            if checked && (!of_this_log || sum.is(about, 16).is_none()) {
                break;
            }
            if !of_this_log {
                continue;
            }
            pending.push((big_endian(about, 0)? as usize, page));
            let committed = big_endian(about, 4)? as usize;
            if committed == 0 {
                continue;
            }
            if committed > MOST / self.size {
                break;
            }
            for (number, page) in pending.drain(..).filter(|(number, _)| *number <= committed) {
                let start = number.checked_sub(1)? * self.size;
                let end = start + self.size;
                if self.bytes.len() < end {
                    self.bytes.resize(end, 0);
                }
                self.bytes[start..end].copy_from_slice(page);
            }
        }
        Some(())
    }

    /// A page's bytes; those of the first one begin with the file's header.
    pub(super) fn page(&self, number: u32) -> Option<&[u8]> {
        let start = (number.checked_sub(1)? as usize).checked_mul(self.size)?;
        self.bytes.get(start..start.checked_add(self.size)?)
    }

    /// The bytes of all pages.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The number of pages.
    pub(super) fn count(&self) -> u32 {
        u32::try_from(self.bytes.len() / self.size).unwrap_or(u32::MAX)
    }

    /// The size of a page in bytes.
    pub(super) fn size(&self) -> usize {
        self.size
    }
}

/// The write-ahead log's checksum (4.2 of the format).
struct Checksum {
    little_endian: bool,
    halves: [u32; 2],
}

impl Checksum {
    fn add(&mut self, bytes: &[u8]) {
        let (words, _) = bytes.as_chunks::<4>();
        let word = |word: &[u8; 4]| {
            if self.little_endian { u32::from_le_bytes(*word) } else { u32::from_be_bytes(*word) }
        };
        let [mut first, mut second] = self.halves;
        let (pairs, _) = words.as_chunks::<2>();
        for [one, other] in pairs {
            first = first.wrapping_add(word(one)).wrapping_add(second);
            second = second.wrapping_add(word(other)).wrapping_add(first);
        }
        self.halves = [first, second];
    }

    /// Whether the checksum at an offset equals this one.
    fn is(&self, bytes: &[u8], at: usize) -> Option<()> {
        (self.halves == [big_endian(bytes, at)?, big_endian(bytes, at + 4)?]).then_some(())
    }
}
