//! The result of each photo, kept in a file, so that a change of the reader shows which photos it affects.

use std::{collections::BTreeMap, io::ErrorKind, path::Path};

use anyhow::{Context as _, bail};
use serde::{Deserialize, Serialize};

use crate::output::{self, Inputs};

/// The result of one photo.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PhotoCounts {
    /// The number of labelled tiles detected and classified right.
    pub right: usize,
    /// The number of labelled tiles.
    pub of: usize,
    /// The number of errors: tiles missed or misclassified, and detections without a tile.
    pub errors: usize,
    /// Whether the labelled hand is read, where one is labelled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hand: Option<bool>,
}

impl PhotoCounts {
    const fn is_whole(self) -> bool {
        self.errors == 0 && !matches!(self.hand, Some(false))
    }
}

impl std::fmt::Display for PhotoCounts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {} tiles, {} errors", self.right, self.of, self.errors)?;
        match self.hand {
            Some(true) => f.write_str(", its hand"),
            Some(false) => f.write_str(", not its hand"),
            None => Ok(()),
        }
    }
}

/// The results of photos, by source and file.
pub(super) type ByPhoto = BTreeMap<String, PhotoCounts>;

/// Prints the photos whose results differ from the file, and with `accept` writes the new results into it; photos that
/// were not read keep theirs. Returns whether every photo that was wholly right still is.
pub(super) fn compare(file: &Path, read: ByPhoto, accept: bool) -> anyhow::Result<bool> {
    let name = file.display();
    let mut pinned: ByPhoto = match std::fs::read_to_string(file) {
        Ok(text) => serde_json::from_str(&text).with_context(|| name.to_string())?,
        Err(error) if accept && error.kind() == ErrorKind::NotFound => ByPhoto::new(),
        Err(error) => return Err(error).context(format!("cannot read {name}")),
    };
    let (mut better, mut worse, mut broken) = (0, 0, 0);
    for (photo, now) in &read {
        let Some(before) = pinned.get(photo).copied() else {
            if !accept {
                bail!("{name} does not hold {photo}: --accept adds it");
            }
            println!("{photo}: {now}; new");
            continue;
        };
        if before == *now {
            continue;
        }
        let breaks = before.is_whole() && !now.is_whole();
        broken += usize::from(breaks);
        if (now.errors, before.right) > (before.errors, now.right) || breaks {
            worse += 1;
        } else {
            better += 1;
        }
        println!("{photo}: {now}; was {before}{}", if breaks { "  WAS RIGHT" } else { "" });
    }
    println!(
        "{name}: {} photos read, {better} better than before, {worse} worse, {broken} that were right are not",
        read.len()
    );
    if accept {
        pinned.extend(read);
        write(file, &pinned)?;
    }
    Ok(accept || broken == 0)
}

fn write(file: &Path, photos: &ByPhoto) -> anyhow::Result<()> {
    // A line for each photo, so that a change shows as the lines of its photos.
    let lines = (photos.iter())
        .map(|(photo, counts)| Ok(format!("{}: {}", json(photo)?, json(counts)?)))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let text = format!("{{\n{}\n}}\n", lines.join(",\n"));
    output::write(file, text.as_bytes(), &Inputs::default())
        .with_context(|| format!("cannot write {}", file.display()))
}

fn json(value: &impl Serialize) -> anyhow::Result<String> {
    Ok(serde_json::to_string(value)?)
}
