//! The output of a command, for people or programs, and its input files.

use std::{
    io::{self, Read, Write},
    path::Path,
};

use anyhow::{Context, anyhow};
use indexmap::IndexMap;

use crate::{cli::NotShown, ledger::Organised};

/// The output and its format.
pub(super) struct Out<'a> {
    pub json: bool,
    to: io::StdoutLock<'a>,
}

impl Out<'_> {
    pub(super) fn new(json: bool) -> Self {
        Self { json, to: io::stdout().lock() }
    }

    pub(super) fn text(&mut self, text: &str) -> anyhow::Result<()> {
        self.to.write_all(text.as_bytes())?;
        Ok(())
    }

    pub(super) fn as_json(&mut self, value: &impl serde::Serialize) -> anyhow::Result<()> {
        serde_json::to_writer(&mut self.to, value)?;
        Ok(self.to.write_all(b"\n")?)
    }

    /// Prints the written events, as JSON or in words.
    pub(super) fn written(&mut self, done: &Organised, text: &str) -> anyhow::Result<()> {
        let written = || match done.events.as_slice() {
            [] => "nothing new was to be written at the tournament".to_owned(),
            [one] => format!("written as event {}", one.seq),
            [first, .., last] => format!("written as events {} to {}", first.seq, last.seq),
        };
        self.show(done, text).map_err(|error| NotShown::of(written, error))
    }

    fn show(&mut self, done: &Organised, text: &str) -> anyhow::Result<()> {
        if self.json {
            done.events.iter().try_for_each(|recorded| self.as_json(recorded))?;
            return done.at_tables.iter().try_for_each(|(number, recorded)| {
                self.as_json(&serde_json::json!({ "table": number, "recorded": recorded }))
            });
        }
        self.text(text)?;
        let mut page = String::new();
        match done.events.as_slice() {
            [] => {}
            [one] => page += &format!("Written down as event {}.\n", one.seq),
            [first, .., last] => {
                page += &format!("Written down as events {} to {}.\n", first.seq, last.seq);
            }
        }
        let mut what: IndexMap<&str, Vec<String>> = IndexMap::new();
        for (number, recorded) in &done.at_tables {
            what.entry(recorded.event.name()).or_default().push(number.to_string());
        }
        for (what, tables) in what {
            page += &format!("Written down at tables {}: {what}.\n", tables.join(", "));
        }
        self.text(&page)
    }
}

/// A file's bytes, or standard input's.
pub(super) fn bytes_of(source: &Path) -> anyhow::Result<Vec<u8>> {
    const MOST: u64 = 16 << 20;
    let mut bytes = Vec::new();
    let failed = || format!("cannot read {}", source.display());
    let read = if source == Path::new("-") {
        io::stdin().lock().take(MOST + 1).read_to_end(&mut bytes)
    } else {
        let file = std::fs::File::open(source).with_context(failed)?;
        file.take(MOST + 1).read_to_end(&mut bytes)
    };
    if read.with_context(failed)? as u64 > MOST {
        return Err(anyhow!("{} has more than {MOST} bytes", source.display()));
    }
    Ok(bytes)
}
