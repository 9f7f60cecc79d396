//! What a package registry would be given: all that a crate needs, and little enough to be taken.

#![allow(clippy::unwrap_used)]

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Bytes that a registry takes, compressed; the files are counted as they are.
const MOST: u64 = 10_000_000;

/// The crates with their folders.
const CRATES: [(&str, &str); 5] = [
    ("tilelens-scoring", "crates/scoring"),
    ("tilelens-table", "crates/table"),
    ("tilelens-eye", "crates/eye"),
    ("tilelens-files", "crates/files"),
    ("tilelens", "."),
];

/// The files of a crate's package, by their places in it.
fn packaged(name: &str) -> Vec<PathBuf> {
    let listed = Command::new(env!("CARGO"))
        .args(["package", "--list", "--offline", "--allow-dirty", "--package", name])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
    String::from_utf8(listed.stdout).unwrap().lines().map(PathBuf::from).collect()
}

/// The paths of files that a source includes, from its own folder, other than in its tests.
fn included(text: &str) -> Vec<&str> {
    let own = text.split("#[cfg(test)]").next().unwrap_or_default();
    let macros = own.split("include_bytes!(").flat_map(|part| part.split("include_str!(")).skip(1);
    // The text that follows; of a path in parts the first.
    macros.filter_map(|after| after.split('"').nth(1)).collect()
}

#[test]
fn packages_are_small() {
    for (name, folder) in CRATES {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let files = packaged(name);
        assert!(files.iter().any(|file| file == Path::new("src/lib.rs")), "{name}: {files:?}");
        // Some are made by cargo.
        let bytes = |file: &PathBuf| fs::metadata(folder.join(file)).map_or(0, |about| about.len());
        let all: u64 = files.iter().map(bytes).sum();
        assert!(all <= MOST, "{name} would have {all} bytes");
    }
}

#[test]
fn packages_hold_what_they_include() {
    let mut found = 0;
    for (name, folder) in CRATES {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        for file in
            packaged(name).iter().filter(|file| file.extension().is_some_and(|end| end == "rs"))
        {
            let text = fs::read_to_string(root.join(file)).unwrap();
            let folders = file.components().count() - 1;
            for path in included(&text) {
                let up = path.matches("../").count();
                assert!(up <= folders, "{name}: {} includes {path} from outside", file.display());
                found += usize::from(up > 0);
            }
        }
    }
    assert!(found > 5, "the networks are included by some file");
}
