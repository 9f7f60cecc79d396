//! `tournament publish`: files for any web server.

use std::{fs, path::Path};

use anyhow::Context;
use jiff::{Timestamp, tz::TimeZone};

use super::{Out, hall::read};
use crate::{
    output::{self, Inputs},
    tournament::CALENDAR,
    words::Language,
};

/// Writes the page and the calendar of a tournament into a folder.
pub(super) fn publish(
    out: &mut Out<'_>,
    file: &Path,
    folder: &Path,
    language: Language,
) -> anyhow::Result<()> {
    let (hall, tournament) = read(file)?;
    let now = Timestamp::now();
    let begun = hall.log.events().first().map_or(now, |first| first.at);
    // Both are made before the first is written.
    let files = [
        (CALENDAR, tournament.calendar(begun, now, language)),
        ("index.html", tournament.public_page(now, &TimeZone::system(), language)?),
    ];
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let inputs = Inputs::of([file]);
    let mut written = Vec::new();
    for (name, text) in files {
        let to = folder.join(name);
        output::write(&to, text.as_bytes(), &inputs)
            .with_context(|| format!("cannot write {}", to.display()))?;
        written.push(to.display().to_string());
    }
    if out.json {
        return out.as_json(&serde_json::json!({ "written": written }));
    }
    out.text(&format!("Written: {}\n", written.join(", ")))
}
