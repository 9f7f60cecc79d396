//! Watches a folder: gives its newest picture first, then each new or rewritten one.

use std::{
    collections::{HashMap, HashSet},
    ffi::OsString,
    io::Read,
    path::Path,
    time::{Duration, Instant, SystemTime},
};

use super::{newest::Newest, supervise::End};
use crate::{
    picture::{MOST_BYTES, Picture},
    picture_name::is_listed_picture,
};

/// Interval of checking the folder; longer for a large one.
const LOOK: Duration = Duration::from_millis(150);
/// Share of the time, one in this number, that checking may take.
const SHARE: u32 = 10;

/// Time of a file's last write, and its size: they change when it is rewritten.
type Stamp = (SystemTime, u64);

/// Shows the pictures put into a folder, until the folder disappears or the capture stops.
///
/// A file is read after it is unchanged between two checks, so that no half-copied file is read.
pub(super) fn watch(folder: &Path, newest: &Newest) -> End {
    let mut done: HashMap<OsString, Stamp> = HashMap::new();
    let mut growing: HashMap<OsString, Stamp> = HashMap::new();
    // Files that cannot be read, and why.
    let mut broken: Vec<(OsString, String)> = Vec::new();
    let mut first = true;
    loop {
        let began = Instant::now();
        let files = match files(folder) {
            Ok(files) => files,
            Err(error) => {
                let name = folder.display();
                return End::Failed(format!("the folder {name} cannot be read: {error}"));
            }
        };
        if std::mem::take(&mut first) {
            // All but the newest are old.
            let old = files.iter().rev().skip(1);
            done.extend(old.map(|(name, stamp)| (name.clone(), *stamp)));
        }
        let there: HashSet<&OsString> = files.iter().map(|(name, _)| name).collect();
        done.retain(|name, _| there.contains(name));
        broken.retain(|(name, _)| there.contains(name));
        let mut still: HashMap<OsString, Stamp> = HashMap::new();
        for (name, stamp) in files {
            if done.get(&name) == Some(&stamp) {
                continue;
            }
            if growing.get(&name) != Some(&stamp) {
                still.insert(name, stamp);
                continue;
            }
            broken.retain(|(other, _)| *other != name);
            match load(&folder.join(&name)) {
                Ok(picture) => newest.show(picture, Instant::now()),
                Err(why) => broken.push((name.clone(), why)),
            }
            done.insert(name, stamp);
            if newest.is_stopped() {
                return End::Stopped;
            }
        }
        let last = broken.last();
        newest.complain(last.map(|(name, why)| format!("{}: {why}", name.to_string_lossy())));
        growing = still;
        if newest.pause(LOOK.max(SHARE * began.elapsed())) {
            return End::Stopped;
        }
    }
}

/// The pictures of a folder, the oldest first.
fn files(folder: &Path) -> std::io::Result<Vec<(OsString, Stamp)>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if !is_listed_picture(&entry.path()) {
            continue;
        }
        // Follows links; a file that has disappeared is skipped.
        let Ok(about) = std::fs::metadata(entry.path()) else { continue };
        if about.is_file() {
            let written = about.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            files.push((entry.file_name(), (written, about.len())));
        }
    }
    files.sort_by(|(a, s), (b, t)| s.0.cmp(&t.0).then(a.cmp(b)));
    Ok(files)
}

fn load(file: &Path) -> Result<Picture, String> {
    let mut bytes = Vec::new();
    let opened = std::fs::File::open(file).map_err(|error| error.to_string())?;
    opened.take(MOST_BYTES).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    Picture::from_bytes(&bytes).map_err(|error| error.to_string())
}
