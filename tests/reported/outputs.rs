//! Files that commands write.

#![cfg(all(feature = "vision", feature = "ledger", target_os = "linux"))]

use std::{
    fs,
    os::unix::fs::{PermissionsExt as _, symlink},
    path::Path,
    process::{Command, Output, Stdio},
};

/// Runs the program in a folder.
fn tilelens(folder: &Path, arguments: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_tilelens"));
    program.args(arguments).current_dir(folder).stdin(Stdio::null()).output().unwrap()
}

/// Checks that a command is refused with a message that says why, and that no file has changed.
fn refused(folder: &Path, arguments: &[&str]) {
    let before = contents(folder);
    let out = tilelens(folder, arguments);
    let why = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{arguments:?}: {why}");
    assert!(why.contains("is read here"), "{arguments:?}: {why}");
    assert_eq!(contents(folder), before, "{arguments:?}");
}

/// Every file in a folder and those in it, with its bytes.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        if entry.path().is_dir() {
            all.extend(contents(&entry.path()));
        } else {
            let bytes = fs::read(entry.path()).unwrap_or_default();
            all.push((entry.path().display().to_string(), bytes));
        }
    }
    all.sort();
    all
}

/// A picture without a tile.
fn picture(path: &Path) {
    image(path, 64);
}

fn image(path: &Path, side: u32) {
    // An uncompressed bitmap: header, then rows of blue, green and red from the bottom up.
    let pixels = vec![90u8; (3 * side * side) as usize];
    let mut bytes = b"BM".to_vec();
    bytes.extend((54 + pixels.len() as u32).to_le_bytes());
    bytes.extend([0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0]);
    bytes.extend(side.to_le_bytes());
    bytes.extend(side.to_le_bytes());
    bytes.extend([1, 0, 24, 0]);
    bytes.extend([0; 24]);
    bytes.extend(pixels);
    fs::write(path, bytes).unwrap();
}

/// A user named his own photo as the file to draw on, and had the drawing instead of the photo.
#[test]
fn a_picture_is_not_drawn_over_itself() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    picture(&here.join("own.bmp"));
    symlink("own.bmp", here.join("link.bmp")).unwrap();
    fs::hard_link(here.join("own.bmp"), here.join("hard.bmp")).unwrap();
    let whole = here.join("own.bmp").display().to_string();
    for command in ["photo", "tiles"] {
        for to in ["own.bmp", "./own.bmp", "link.bmp", "hard.bmp", &whole] {
            refused(here, &[command, "own.bmp", "--annotate", to]);
        }
        refused(here, &[command, "link.bmp", "--annotate", "own.bmp"]);
    }
    refused(here, &["calibrate", "tiles", "own.bmp", "--name", "x", "--annotate", "hard.bmp"]);
    let corners = ["--corners", "1,1", "60,1", "60,60", "1,60", "--out", "table.toml"];
    let table = ["calibrate", "table", "own.bmp", "--draw", "link.bmp"];
    refused(here, &[&table[..], &corners].concat());
}

/// With a folder of PNGs as pictures and as the place of drawings, each drawing took its picture's place.
#[test]
fn a_folder_of_pictures_is_not_drawn_over() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::create_dir(here.join("pictures")).unwrap();
    for name in ["1.png", "2.png"] {
        picture(&here.join("pictures").join(name));
    }
    for command in ["photo", "tiles"] {
        refused(here, &[command, "pictures", "--annotate", "pictures"]);
    }
    let both = ["pictures/1.png", "pictures/2.png"];
    refused(
        here,
        &["calibrate", "tiles", both[0], both[1], "--name", "x", "--annotate", "pictures"],
    );
}

/// A photo that comes through standard input from a file can be destroyed like any other.
#[test]
fn a_picture_from_standard_input_is_not_drawn_over() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("own.bmp");
    picture(&own);
    let before = fs::read(&own).unwrap();
    let out = Command::new(env!("CARGO_BIN_EXE_tilelens"))
        .args(["tiles", "-", "--annotate", "own.bmp"])
        .current_dir(folder.path())
        .stdin(fs::File::open(&own).unwrap())
        .output()
        .unwrap();
    assert_eq!(out.status.code(), Some(2), "{}", String::from_utf8_lossy(&out.stderr));
    assert_eq!(fs::read(&own).unwrap(), before);
}

/// An evaluation's sheets went into the folder of a data set's photos, over a photo of that name.
#[test]
fn an_evaluation_does_not_draw_over_its_photos() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::create_dir_all(here.join("photos/own")).unwrap();
    fs::create_dir_all(here.join("labels")).unwrap();
    picture(&here.join("photos/own/errors.png"));
    let labels = r#"{"source": "own", "images": [{"file": "errors.png", "width": 64, "height": 64, "tiles": []}]}"#;
    fs::write(here.join("labels/own.json"), labels).unwrap();
    refused(here, &["eval", ".", "--pictures", "photos/own"]);
}

/// An export was written over the ledger that it came from.
#[test]
fn an_export_does_not_take_the_ledgers_place() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let new = ["table", "new", "t.tlg", "--rules", "mmm", "--players", "A,B,C,D"];
    assert!(tilelens(here, &new).status.success());
    symlink("t.tlg", here.join("link.csv")).unwrap();
    for to in ["t.tlg", "link.csv", "./t.tlg"] {
        refused(here, &["table", "export", "t.tlg", "-o", to]);
    }
    fs::write(here.join("t.tlg-wal"), b"").unwrap();
    refused(here, &["table", "export", "t.tlg", "-o", "t.tlg-wal"]);
}

/// `score --batch f >> f` answered its own answers until the disk was full.
#[test]
fn answers_do_not_go_into_the_file_of_requests() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("requests.jsonl");
    fs::write(&file, "{}\n").unwrap();
    let both = fs::File::options().append(true).open(&file).unwrap();
    let out = Command::new(env!("CARGO_BIN_EXE_tilelens"))
        .args(["score", "--batch", "requests.jsonl"])
        .current_dir(folder.path())
        .stdout(both)
        .output()
        .unwrap();
    assert_eq!(out.status.code(), Some(2));
    assert_eq!(fs::read_to_string(&file).unwrap(), "{}\n");
}

/// Near misses: what is not an input is written, through links and into devices too, with the rights that it
/// had; what nobody may write stays.
#[test]
fn other_files_are_written_as_ever() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    picture(&here.join("own.bmp"));
    // What a picture without a tile comes to is 1.
    let drawn = tilelens(here, &["tiles", "own.bmp", "--annotate", "own.png"]);
    assert_eq!(drawn.status.code(), Some(1), "{}", String::from_utf8_lossy(&drawn.stderr));
    assert!(fs::read(here.join("own.png")).unwrap().starts_with(b"\x89PNG"));
    let new = ["table", "new", "t.tlg", "--rules", "mmm", "--players", "A,B,C,D"];
    assert!(tilelens(here, &new).status.success());
    let export = |to: &str| tilelens(here, &["table", "export", "t.tlg", "-o", to]);
    assert!(export("/dev/null").status.success());
    assert!(fs::metadata("/dev/null").unwrap().permissions().mode() & 0o170_000 != 0o100_000);
    fs::write(here.join("deals.csv"), "old").unwrap();
    fs::set_permissions(here.join("deals.csv"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("deals.csv", here.join("link.csv")).unwrap();
    assert!(export("link.csv").status.success());
    assert!(fs::symlink_metadata(here.join("link.csv")).unwrap().is_symlink());
    assert!(fs::read_to_string(here.join("deals.csv")).unwrap().starts_with("deal"));
    let rights = |name: &str| fs::metadata(here.join(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!(rights("deals.csv"), 0o640);
    fs::set_permissions(here.join("deals.csv"), fs::Permissions::from_mode(0o440)).unwrap();
    let out = export("link.csv");
    assert_eq!(out.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&out.stderr).contains("may only be read"));
    // A new file has the rights that a shell would give it, and nothing half-made is left.
    assert!(export("new.csv").status.success());
    fs::write(here.join("plain"), "").unwrap();
    assert_eq!(rights("new.csv"), rights("plain"));
    let left = contents(here).into_iter().filter(|(name, _)| name.ends_with(".part"));
    assert_eq!(left.count(), 0);
}
