//! Splits files of spreadsheets and programs into lines and cells.

use super::{ImportError, ImportPlace};
use crate::words::is_column;

/// A file's text with its kind.
pub(super) enum Source<'a> {
    Json(&'a str),
    Csv(&'a str),
}

impl<'a> Source<'a> {
    /// Recognises the kind by the first letter.
    pub(super) fn of(bytes: &'a [u8]) -> Result<Self, ImportError> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let before = &bytes[..error.valid_up_to()];
            ImportError::Encoding(before.iter().filter(|byte| **byte == b'\n').count() + 1)
        })?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        // No column begins with these.
        Ok(if text.trim_start().starts_with(['[', '{']) {
            Self::Json(text)
        } else {
            Self::Csv(text)
        })
    }
}

/// The line of the first letter from a byte on that ends no line; lines end with LF, CR LF or CR.
fn line_at(text: &str, byte: usize) -> u64 {
    let rest = text.get(byte..).unwrap_or_default();
    let start = byte + (rest.len() - rest.trim_start_matches(['\r', '\n']).len());
    let before = text.get(..start).unwrap_or(text).replace("\r\n", "\n");
    1 + before.matches(['\n', '\r']).count() as u64
}

/// The line of a quote that begins a cell and is never closed.
fn open_quote(text: &str) -> Option<usize> {
    let (mut line, mut opened, mut begins) = (1, None, true);
    for letter in text.chars() {
        match (letter, opened) {
            // A doubled quote closes and opens again.
            ('"', Some(_)) => opened = None,
            ('"', None) if begins => opened = Some(line),
            _ => {}
        }
        begins = match letter {
            ',' | ';' | '\t' | '\n' | '\r' | '"' => true,
            letter => begins && letter.is_whitespace(),
        };
        line += usize::from(letter == '\n');
    }
    opened
}

/// The delimiter of the cells in a first line.
pub(super) fn delimiter_of(first: &str) -> char {
    let count = |delimiter: &char| first.matches(*delimiter).count();
    [',', ';', '\t'].into_iter().rev().max_by_key(count).unwrap_or(',')
}

/// The lines of a CSV file below its first, which names the columns.
pub(super) struct Rows<'a> {
    text: &'a str,
    columns: Vec<String>,
    records: csv::StringRecordsIntoIter<&'a [u8]>,
}

impl<'a> Rows<'a> {
    /// Reads the first line.
    pub(super) fn new(text: &'a str) -> Result<Self, ImportError> {
        let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        if let Some(line) = open_quote(text) {
            return Err(ImportError::Quote(line));
        }
        let delimiter = delimiter_of(first);
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(delimiter as u8)
            .flexible(true)
            .trim(csv::Trim::All)
            .from_reader(text.as_bytes());
        let columns = reader
            .headers()
            .map_err(|error| ImportError::Json(error.to_string()))?
            .iter()
            .map(str::to_lowercase)
            .collect();
        Ok(Self { text, columns, records: reader.into_records() })
    }

    /// The index of a column.
    pub(super) fn column(
        &self,
        name: &'static str,
        expected: &'static str,
    ) -> Result<usize, ImportError> {
        let own = self.columns.iter().position(|column| column == name);
        own.or_else(|| self.columns.iter().position(|column| is_column(column, name)))
            .ok_or(ImportError::Column { column: name, expected })
    }

    /// The next line that is not blank.
    pub(super) fn next(&mut self) -> Result<Option<(ImportPlace, csv::StringRecord)>, ImportError> {
        loop {
            let Some(record) = self.records.next() else { return Ok(None) };
            let record = record.map_err(|error| ImportError::Json(error.to_string()))?;
            // Spreadsheets end with lines of nothing but delimiters.
            if record.iter().any(|cell| !cell.is_empty()) {
                let byte = record.position().map_or(0, csv::Position::byte);
                let line = line_at(self.text, usize::try_from(byte).unwrap_or(0));
                return Ok(Some((ImportPlace::Line(line), record)));
            }
        }
    }
}
