//! Files of spreadsheets and programs before their lines mean anything.

use super::{ImportError, Place};

/// A file's text, and what it is.
pub(super) enum Source<'a> {
    Json(&'a str),
    Csv(&'a str),
}

impl<'a> Source<'a> {
    /// Tells them apart by the first letter.
    pub(super) fn of(bytes: &'a [u8]) -> Result<Self, ImportError> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let before = &bytes[..error.valid_up_to()];
            ImportError::Encoding(before.iter().filter(|byte| **byte == b'\n').count() + 1)
        })?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        // No column is named so.
        Ok(if text.trim_start().starts_with(['[', '{']) {
            Self::Json(text)
        } else {
            Self::Csv(text)
        })
    }
}

/// The lines of a CSV file below its first, which names the columns.
pub(super) struct Rows<'a> {
    columns: Vec<String>,
    records: csv::StringRecordsIntoIter<&'a [u8]>,
}

impl<'a> Rows<'a> {
    /// Reads the first line.
    pub(super) fn new(text: &'a str) -> Result<Self, ImportError> {
        let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let count = |delimiter: char| first.matches(delimiter).count();
        let delimiter = [',', ';', '\t']
            .into_iter()
            .rev()
            .max_by_key(|delimiter| count(*delimiter))
            .unwrap_or(',');
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
        Ok(Self { columns, records: reader.into_records() })
    }

    /// Where a column is.
    pub(super) fn column(
        &self,
        name: &'static str,
        expected: &'static str,
    ) -> Result<usize, ImportError> {
        self.columns
            .iter()
            .position(|column| column == name)
            .ok_or(ImportError::Column { column: name, expected })
    }

    /// The next line that is not blank.
    pub(super) fn next(&mut self) -> Result<Option<(Place, csv::StringRecord)>, ImportError> {
        loop {
            let Some(record) = self.records.next() else { return Ok(None) };
            let record = record.map_err(|error| ImportError::Json(error.to_string()))?;
            // Spreadsheets end with lines of nothing but delimiters.
            if record.iter().any(|cell| !cell.is_empty()) {
                let line = record.position().map_or(0, csv::Position::line);
                return Ok(Some((Place::Line(line), record)));
            }
        }
    }
}
