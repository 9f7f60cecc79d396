//! Ledgers that are copied, truncated, damaged, read-only or on a share.

#![cfg(feature = "ledger")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use rand_xoshiro::{
    SplitMix64,
    rand_core::{Rng as _, SeedableRng as _},
};
use tilelens::{
    ledger::{Ledger, LedgerError, Repair, Storage, backup, repair},
    table::{Event, Loss, Recorded},
};

use crate::support::kept::{
    DRAW, append, endless, evening, first_format, journal, opened, paid, with_hand, without_journal,
};
#[cfg(all(feature = "server", target_os = "linux"))]
use crate::support::served::{Served, Watched};

fn tilelens(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tilelens")).args(arguments).output().unwrap()
}

/// Runs the program, which has to succeed, and returns its output.
fn done(arguments: &[&str]) -> String {
    let out = tilelens(arguments);
    assert!(out.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

/// A ledger of a table without a deal, in a folder of its own.
fn fresh() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.tlg");
    done(&["table", "new", text(&file), "--rules", "mmm", "--players", "Ann,Bo,Cy,Di"]);
    (folder, file)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn beside(path: &Path, part: &str) -> PathBuf {
    PathBuf::from(format!("{}{part}", path.display()))
}

/// Checks that a ledger is one file, and that a copy of that file alone has all deals.
fn is_whole_in_one_file(file: &Path, deals: usize) {
    for part in ["-wal", "-shm"] {
        assert!(!beside(file, part).exists(), "{part} is left");
    }
    let copy = beside(file, ".copy");
    fs::copy(file, &copy).unwrap();
    assert_eq!(deals_of(&copy), deals);
    fs::remove_file(copy).unwrap();
}

fn deals_of(file: &Path) -> usize {
    let state: serde_json::Value =
        serde_json::from_str(&done(&["table", "show", text(file), "--json"])).unwrap();
    state["history"].as_array().unwrap().len()
}

#[cfg(all(feature = "server", target_os = "linux"))]
mod endings {
    use super::*;

    /// Four deals that another program wrote were missing from a copy of the ledger, which `verify` called
    /// intact, after the server had been ended by Ctrl-C, SIGTERM or a closed terminal.
    #[test]
    fn a_served_ledger_is_one_file_after_every_signal() {
        for signal in ["INT", "TERM", "HUP"] {
            let (_folder, file) = fresh();
            let served = Served::start(&["serve", "--port", "0", "--ledger", text(&file)]);
            for _ in 0..3 {
                done(&["table", "draw", text(&file), "--meant"]);
            }
            served.until(|_| served.get("api/table").json()["last_event"] == 4);
            let drawn = served.post("api/draw", &serde_json::json!({ "meant": true }));
            assert_eq!(drawn.status, 200, "{}", drawn.text());
            served.signal(signal);
            assert!(served.ended().success(), "{signal}");
            is_whole_in_one_file(&file, 4);
        }
    }

    /// The same with a source that is being read, and with a tournament's ledger.
    #[test]
    fn a_ledger_is_one_file_after_a_source_was_read() {
        let (_folder, file) = fresh();
        let watched = Watched::new("table-discards");
        let arguments =
            ["live", "--port", "0", "--source", watched.path(), "--ledger", text(&file)];
        let served = Served::start(&arguments);
        done(&["table", "draw", text(&file), "--meant"]);
        served.signal("HUP");
        assert!(served.ended().success());
        is_whole_in_one_file(&file, 1);
    }

    /// A server that could not have its port left the write-ahead log behind, too.
    #[test]
    fn a_ledger_is_one_file_where_the_server_fails() {
        let (_folder, file) = fresh();
        let other = Served::serve();
        let port = other.port().to_string();
        let out = tilelens(&["serve", "--port", &port, "--ledger", text(&file)]);
        assert_eq!(out.status.code(), Some(2));
        is_whole_in_one_file(&file, 0);
    }

    /// While somebody else has the ledger open its log stays, and who is last folds it in.
    #[test]
    fn the_last_one_folds_the_log_in() {
        let (_folder, file) = fresh();
        let arguments = ["serve", "--port", "0", "--ledger", text(&file)];
        let (first, last) = (Served::start(&arguments), Served::start(&arguments));
        let drawn = first.post("api/draw", &serde_json::json!({}));
        assert_eq!(drawn.status, 200, "{}", drawn.text());
        first.signal("TERM");
        assert!(first.ended().success());
        done(&["table", "draw", text(&file), "--meant"]);
        assert_eq!(last.get("api/table").status, 200, "it goes on");
        last.signal("TERM");
        assert!(last.ended().success());
        is_whole_in_one_file(&file, 2);
    }

    /// Near miss: whoever starts it under `nohup` wants it to outlive the terminal.
    #[test]
    fn a_closed_terminal_ends_nothing_under_nohup() {
        let mut served = Served::without_hangup(&["serve", "--port", "0"]);
        served.signal("HUP");
        assert_eq!(served.get("health").status, 200);
        assert!(served.is_running());
        served.signal("TERM");
        assert!(served.ended().success());
    }
}

/// Commands that are refused, or print in another way, left the write-ahead log behind.
#[test]
fn every_command_leaves_one_file() {
    let (_folder, file) = fresh();
    let file_text = text(&file);
    let commands: [(&[&str], i32); 9] = [
        (&["table", "draw", file_text], 0),
        (&["table", "deal", file_text, "-w", "Ann", "--pay", "Ann=5,Bo=-3"], 2),
        (&["table", "deal", file_text, "123m456m789m12s55s +9s", "-w", "Ann", "--self-draw"], 1),
        (&["table", "undo", file_text, "77"], 2),
        (&["table", "log", file_text, "--json"], 0),
        (&["table", "show", file_text, "--moment", "99"], 2),
        (&["table", "export", file_text, "--table", "9"], 2),
        (&["table", "verify", file_text], 0),
        (&["tournament", "show", file_text], 2),
    ];
    for (command, code) in commands {
        let out = tilelens(command);
        let why = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(code), "{command:?}: {why}");
        for part in ["-wal", "-shm"] {
            assert!(!beside(&file, part).exists(), "{command:?} leaves {part}");
        }
    }
    is_whole_in_one_file(&file, 1);
}

/// A library's user who lets go of a ledger without closing it finds one file, too.
#[tokio::test]
async fn a_ledger_that_is_dropped_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.tlg");
    drop(evening(&file, 3).await);
    is_whole_in_one_file(&file, 3);
    let ledger = Ledger::open(&file).await.unwrap();
    ledger.close().await;
    assert!(matches!(append(&ledger, 1, DRAW).await, Err(LedgerError::Closed(_))));
}

/// Sets whether a file or folder may be written to.
fn set_writable(path: &Path, writable: bool) {
    let how = if writable { "u+w" } else { "a-w" };
    assert!(Command::new("chmod").args([how, text(path)]).status().unwrap().success());
}

/// Of a ledger that may only be read the newest events were missing, and `verify` called it intact: they lay in
/// the write-ahead log beside it.
#[tokio::test]
async fn a_read_only_ledger_is_read_with_its_log() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.tlg");
    let ledger = evening(&file, 4).await;
    // As a server that was killed leaves it; and with the server still there.
    let left = folder.path().join("left.tlg");
    for part in ["", "-wal"] {
        fs::copy(beside(&file, part), beside(&left, part)).unwrap();
    }
    let link = folder.path().join("link.tlg");
    std::os::unix::fs::symlink(&left, &link).unwrap();
    let log = fs::read(beside(&left, "-wal")).unwrap();
    assert!(log.len() > 4096, "there is a log");
    for read_only in [&left, &file] {
        set_writable(read_only, false);
    }
    for read_only in [&left, &link, &file] {
        assert_eq!(deals_of(read_only), 4);
        let verified = done(&["table", "verify", text(read_only)]);
        assert!(verified.contains("5 events, 4 deals, intact"), "{verified}");
        let refused = tilelens(&["table", "draw", text(read_only)]);
        assert_eq!(refused.status.code(), Some(2));
    }
    assert_eq!(fs::read(beside(&left, "-wal")).unwrap(), log, "nothing is touched");
    ledger.close().await;
}

/// A folder, or a medium, to which nobody may write: run as somebody whom that stops.
#[test]
fn a_ledger_in_a_read_only_folder_is_read_with_its_log() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).unwrap();
    let file = inner.join("t.tlg");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let ledger = evening(&folder.path().join("t.tlg"), 4).await;
        for part in ["", "-wal"] {
            fs::copy(beside(&folder.path().join("t.tlg"), part), beside(&file, part)).unwrap();
        }
        ledger.close().await;
    });
    // Where whoever tests may do everything, the program runs as nobody, from where nobody can reach it.
    let program = folder.path().join("tilelens");
    fs::copy(env!("CARGO_BIN_EXE_tilelens"), &program).unwrap();
    for path in [folder.path(), &inner] {
        assert!(Command::new("chmod").args(["755", text(path)]).status().unwrap().success());
    }
    set_writable(&inner, false);
    let is_root = fs::write(inner.join("probe"), "").is_ok();
    let run = |arguments: &[&str]| {
        let nobody = ["--reuid=65534", "--regid=65534", "--clear-groups"];
        let mut command = Command::new(if is_root { "setpriv" } else { "env" });
        command.args(if is_root { &nobody[..] } else { &[] }).arg(&program).args(arguments);
        command.current_dir("/").output()
    };
    match run(&["rules", "list"]) {
        Ok(out) if out.status.success() => {}
        _ => {
            println!("1 check left out: nobody can be run as here");
            set_writable(&inner, true);
            return;
        }
    }
    let out = run(&["table", "verify", text(&file)]).unwrap();
    let said = String::from_utf8_lossy(&out.stdout);
    assert!(said.contains("5 events, 4 deals, intact"), "{out:?}");
    set_writable(&inner, true);
}

/// A read-only ledger of an older format could not be read at all.
#[tokio::test]
async fn a_read_only_ledger_of_an_older_format_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.tlg");
    first_format(&file).await;
    set_writable(&file, false);
    let before = fs::read(&file).unwrap();
    assert_eq!(deals_of(&file), 1);
    assert_eq!(fs::read(&file).unwrap(), before);
}

/// The mounts of a Linux machine with many kinds of disks.
const MOUNTS: &str = r"22 27 0:21 / /proc rw,relatime shared:3 - proc proc rw
27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw,discard
30 27 0:31 / /mnt/nas rw,relatime shared:8 - nfs4 nas:/games rw,vers=4.2
31 27 0:32 / /mnt/box\040of\040tiles rw - cifs //box/tiles rw
32 30 254:1 / /mnt/nas/local rw - xfs /dev/vdb rw
33 27 0:33 / /media/stick rw,nosuid - fuseblk /dev/sdb1 rw,user_id=0
34 27 0:34 / /home/ann/remote rw - fuse.sshfs ann@host:/ rw
35 27 0:35 / /home/ann/plain rw - fuse.gocryptfs /home/ann/.plain rw
36 27 0:36 / /mnt/c rw,noatime - 9p drvfs rw
37 27 0:37 / /auto rw - autofs systemd-1 rw
38 37 0:38 / /auto rw - nfs nas:/auto rw
39 27 0:39 / /host rw - virtiofs host rw
40 27 0:40 / /tmp rw - tmpfs tmpfs rw
41 27 0:41 / /run/user/1000/gvfs rw - fuse.gvfsd-fuse gvfsd-fuse rw
42 27 0:42 / /cluster rw - lustre 10.0.0.1@tcp:/l rw
43 27 0:43 / /docker rw - overlay overlay rw,lowerdir=/l
44 27 0:44 / /unknown rw - fuse something rw
";

/// Two servers on two machines wrote to one ledger on a share, and of 60 acknowledged deals 3 were on the disk.
#[test]
fn a_network_share_is_recognised() {
    let kind = |path: &str| match Storage::by_mounts(MOUNTS, Path::new(path)) {
        Storage::Network { kind, .. } => kind,
        _ => "local".to_owned(),
    };
    for (path, expected) in [
        ("/home/ann/t.tlg", "local"),
        ("/mnt/nas/t.tlg", "nfs4"),
        ("/mnt/nas/2026/t.tlg", "nfs4"),
        ("/mnt/nas/local/t.tlg", "local"),
        ("/mnt/nastier/t.tlg", "local"),
        ("/mnt/box of tiles/t.tlg", "cifs"),
        ("/media/stick/t.tlg", "local"),
        ("/home/ann/remote/t.tlg", "fuse.sshfs"),
        ("/home/ann/plain/t.tlg", "local"),
        ("/mnt/c/t.tlg", "9p"),
        ("/auto/t.tlg", "nfs"),
        ("/host/t.tlg", "virtiofs"),
        ("/tmp/t.tlg", "local"),
        ("/run/user/1000/gvfs/smb/t.tlg", "fuse.gvfsd-fuse"),
        ("/cluster/t.tlg", "lustre"),
        ("/docker/t.tlg", "local"),
        ("/unknown/t.tlg", "fuse"),
    ] {
        assert_eq!(kind(path), expected, "{path}");
    }
    assert_eq!(Storage::by_mounts("", Path::new("/t.tlg")), Storage::Local, "nothing is known");
}

/// In a folder that a service synchronises whole files are exchanged under a program that writes to them.
#[tokio::test]
async fn nothing_is_written_in_a_synchronised_folder() {
    let folder = tempfile::tempdir().unwrap();
    let marks = [
        ("one", ".stfolder/"),
        ("two", ".dropbox.cache/"),
        ("three", ".dropbox"),
        ("four", ".sync_1a2b3c.db"),
        ("five", ".tmp.driveupload/"),
        ("OneDrive - Club", "anything"),
    ];
    for (name, mark) in marks {
        let inner = folder.path().join(name).join("games");
        fs::create_dir_all(&inner).unwrap();
        let file = inner.join("t.tlg");
        let own = folder.path().join("own.tlg");
        evening(&own, 2).await.close().await;
        without_journal(&own);
        fs::rename(own, &file).unwrap();
        let mark_path = folder.path().join(name).join(mark.trim_end_matches('/'));
        if mark.ends_with('/') { fs::create_dir(mark_path) } else { fs::write(mark_path, "") }
            .unwrap();
        let before = fs::read(&file).unwrap();
        for command in [&["table", "draw"][..], &["table", "verify", "--repair"]] {
            // A whole ledger is not repaired: one byte of its first page is wrong.
            let is_repair = command.len() == 3;
            if is_repair {
                let mut damaged = before.clone();
                damaged[3000..3100].fill(0xA5);
                damaged[0] = 0;
                fs::write(&file, damaged).unwrap();
            }
            let out = tilelens(&[command, &[text(&file)]].concat());
            let why = String::from_utf8_lossy(&out.stderr);
            assert_eq!(out.status.code(), Some(2), "{mark}: {why}");
            assert!(why.contains("synchronises") && why.contains("Copy it to a disk"), "{why}");
        }
        fs::write(&file, &before).unwrap();
        let new = inner.join("new.tlg");
        let players = ["--rules", "mmm", "--players", "A,B,C,D"];
        assert_eq!(
            tilelens(&[&["table", "new", text(&new)][..], &players].concat()).status.code(),
            Some(2)
        );
        assert_eq!(deals_of(&file), 2, "{mark}: it is read");
        let names: Vec<_> =
            fs::read_dir(&inner).unwrap().flatten().map(|e| e.file_name()).collect();
        assert_eq!(names, ["t.tlg"], "{mark}: nothing is left beside it");
    }
}

/// Near misses: a home folder with Dropbox' own settings, and a folder that only sounds like another.
#[tokio::test]
async fn other_folders_are_written_to() {
    let folder = tempfile::tempdir().unwrap();
    for (name, mark) in [("home", ".dropbox"), ("OneDriver", "x"), ("c", ".sync_notes.txt")] {
        let inner = folder.path().join(name);
        fs::create_dir_all(inner.join(mark)).unwrap();
        evening(&inner.join("t.tlg"), 1).await.close().await;
    }
}

/// A ledger that a server has open could be copied only by hand, in three files at once.
#[tokio::test]
async fn a_backup_is_whole_while_others_write() {
    let folder = tempfile::tempdir().unwrap();
    let (file, to) = (folder.path().join("t.tlg"), folder.path().join("copy.tlg"));
    let ledger = evening(&file, 5).await;
    let said = done(&["table", "backup", text(&file), text(&to)]);
    assert!(said.contains("6 events, 5 deals, intact"), "{said}");
    append(&ledger, 1, DRAW).await.unwrap();
    is_whole_in_one_file(&to, 5);
    // Neither a file that is there nor a link that leads nowhere is overwritten.
    let link = folder.path().join("link.tlg");
    std::os::unix::fs::symlink("nowhere", &link).unwrap();
    for taken in [&to, &link, &file] {
        let out = tilelens(&["table", "backup", text(&file), text(taken)]);
        assert_eq!(out.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&out.stderr).contains("is there already"));
    }
    assert_eq!(deals_of(&to), 5);
    // A read-only file, with its log beside it.
    set_writable(&file, false);
    let second = folder.path().join("second.tlg");
    done(&["table", "backup", text(&file), text(&second)]);
    is_whole_in_one_file(&second, 6);
    ledger.close().await;
    let names: Vec<_> =
        fs::read_dir(folder.path()).unwrap().flatten().map(|e| e.file_name()).collect();
    assert!(names.iter().all(|name| !name.to_string_lossy().ends_with(".part")), "{names:?}");
}

/// A damaged ledger is no backup.
#[tokio::test]
async fn a_damaged_ledger_is_not_copied() {
    let folder = tempfile::tempdir().unwrap();
    let (file, to) = (folder.path().join("t.tlg"), folder.path().join("copy.tlg"));
    evening(&file, 5).await.close().await;
    flip_in_event(&file, 4).await;
    let refused = backup(&file, &to).await.unwrap_err();
    assert!(matches!(refused, LedgerError::NotIntact(_)), "{refused}");
    assert!(!to.exists());
}

/// Where an event's JSON begins in a file: once for each copy of it that is there.
fn places_of(bytes: &[u8], recorded: &Recorded) -> Vec<usize> {
    let body = serde_json::to_string(&recorded.event).unwrap();
    let body = body.as_bytes();
    (0..bytes.len().saturating_sub(body.len()))
        .filter(|at| bytes[*at..].starts_with(body))
        .collect()
}

/// Flips a bit in the JSON of an event, in a letter of a name, so that it can still be read; in a ledger from before there
/// were journals.
async fn flip_in_event(file: &Path, seq: usize) {
    let ledger = Ledger::read(file).await.unwrap();
    let events = ledger.events(1).await.unwrap();
    ledger.close().await;
    let mut bytes = fs::read(file).unwrap();
    let places = places_of(&bytes, &events[seq - 1]);
    assert!(!places.is_empty());
    for at in places {
        bytes[at + 3] ^= 1;
    }
    fs::write(file, bytes).unwrap();
    without_journal(file);
}

/// One flipped bit in event 15 of 202 cost everything after event 14.
#[tokio::test]
async fn one_flipped_bit_costs_one_event() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.tlg");
    let ledger = Ledger::create(&file).await.unwrap();
    append(&ledger, 1, endless()).await.unwrap();
    for deal in 0..201 {
        append(&ledger, 1, if deal % 3 == 0 { DRAW } else { with_hand(deal % 4) }).await.unwrap();
    }
    let before = ledger.state(1).await.unwrap();
    ledger.close().await;
    flip_in_event(&file, 15).await;
    let damaged = tilelens(&["table", "verify", text(&file)]);
    assert_eq!(damaged.status.code(), Some(1));
    let said = done(&["table", "verify", "--repair", text(&file)]);
    assert!(said.contains("201 of 202 events, 200 deals"), "{said}");
    assert!(said.contains("lost: event 15 (1 deal)"), "{said}");
    assert!(said.contains("Totals are the sums of the deals that are left"), "{said}");
    // It is no ledger like any other from then on.
    let verified = tilelens(&["table", "verify", text(&file)]);
    let said = String::from_utf8_lossy(&verified.stdout);
    assert_eq!(verified.status.code(), Some(1), "{said}");
    assert!(said.contains("repaired, with gaps") && said.contains("lost: event 15"), "{said}");
    assert!(!said.contains("look at"), "{said}");
    assert!(done(&["table", "show", text(&file)]).contains("Lost to damage: event 15 (1 deal)"));
    assert!(done(&["table", "log", text(&file)]).contains("lost: damage of the file"));
    let ledger = Ledger::open(&file).await.unwrap();
    let state = ledger.state(1).await.unwrap();
    ledger.close().await;
    // Winds and every other deal are as they were; the sums lack the lost deal's payments.
    let lost = &before.history[13];
    assert_eq!(lost.event, 15);
    assert_eq!(state.place, before.place);
    let others = before.history.iter().filter(|deal| deal.event != 15);
    assert!(others.map(|d| &d.payments).eq(state.history.iter().map(|d| &d.payments)));
    for (player, was) in state.players.iter().zip(&before.players) {
        assert_eq!(player.seat, was.seat);
    }
    for ((player, was), paid) in state.players.iter().zip(&before.players).zip(&lost.payments) {
        assert_eq!(player.total + *paid, was.total);
    }
    // Somebody who knows the deal enters it, and the ledger is whole again.
    let who = before.players[lost.winners[0].player].name.to_string();
    let hand = lost.winners[0].hand.clone().unwrap();
    let deal = ["--event", "15", &hand, "-w", &who, "--self-draw"];
    done(&[&["table", "correct", text(&file)][..], &deal].concat());
    done(&["table", "verify", text(&file)]);
    let ledger = Ledger::read(&file).await.unwrap();
    let mended = ledger.state(1).await.unwrap();
    assert_eq!(mended.players, before.players);
    assert!(mended.lost.is_empty() && mended.problems.is_empty(), "{:?}", mended.problems);
}

/// A lost event cannot be taken back or corrected by remaining ones; these are kept and count for nothing.
#[tokio::test]
async fn events_that_build_on_what_is_lost_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.tlg");
    let ledger = Ledger::create(&file).await.unwrap();
    append(&ledger, 1, opened("chumchu")).await.unwrap();
    for winner in 0..4 {
        append(&ledger, 1, paid(winner)).await.unwrap();
    }
    append(&ledger, 1, Event::Undone { event: 5 }).await.unwrap();
    append(&ledger, 1, paid(1)).await.unwrap();
    let before = ledger.state(1).await.unwrap();
    ledger.close().await;
    let whole = fs::read(&file).unwrap();
    // A deal that was taken back is lost: the undo says that nothing of it counts.
    flip_in_event(&file, 5).await;
    let repaired = repair(&file).await.unwrap();
    assert_eq!((repaired.logs[0].intact, &repaired.logs[0].lost[..]), (6, &[][..]));
    let ledger = Ledger::read(&file).await.unwrap();
    let state = ledger.state(1).await.unwrap();
    ledger.close().await;
    assert_eq!(state.players, before.players);
    // The undo is lost: its event counts again, and that is reported.
    fs::write(&file, whole).unwrap();
    flip_in_event(&file, 6).await;
    let repaired = repair(&file).await.unwrap();
    assert_eq!(repaired.logs[0].lost, [Loss { first: 6, last: 6, deals: None }]);
    let said = repaired.logs[0].problems.join("\n");
    assert!(
        said.contains("event 7: it says deal 4, but with what is left it would be deal"),
        "{said}"
    );
}

/// A table whose first event is lost: the others are kept, and count again once it is opened as it was.
#[tokio::test]
async fn a_table_whose_opening_is_lost_can_be_opened_again() {
    let (_folder, file) = fresh();
    for _ in 0..3 {
        done(&["table", "draw", text(&file), "--meant"]);
    }
    flip_in_event(&file, 1).await;
    let said = done(&["table", "verify", "--repair", text(&file)]);
    assert!(said.contains("3 of 4 events") && said.contains("lost: event 1"), "{said}");
    let shown = tilelens(&["table", "show", text(&file), "--table", "1"]);
    let why = String::from_utf8_lossy(&shown.stderr);
    assert!(why.contains("table new FILE --table 1"), "{why}");
    let players = ["--table", "1", "--rules", "mmm", "--players", "Ann,Bo,Cy,Di"];
    done(&[&["table", "new", text(&file)][..], &players].concat());
    assert_eq!(deals_of(&file), 3);
    done(&["table", "verify", text(&file)]);
}

/// A tournament's log is kept like a table's: entries after the damage still count, and standings say
/// that something is missing.
#[tokio::test]
async fn a_tournament_goes_on_without_what_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.tlg");
    let people = folder.path().join("people.csv");
    fs::write(&people, "name\nAnn\nBo\nCy\nDi\n").unwrap();
    let run = |arguments: &[&str]| {
        let tournament = ["tournament", arguments[0], text(&file)];
        tilelens(&[&tournament[..], &arguments[1..]].concat())
    };
    let ok = |arguments: &[&str]| {
        let out = run(arguments);
        assert!(out.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8_lossy(&out.stdout).into_owned()
    };
    ok(&["new", "--name", "Cup"]);
    ok(&["import", text(&people)]);
    ok(&["seat", "--rounds", "2", "--seed", "x"]);
    ok(&["result", "1", "1", "34", "-12", "-20", "-2"]);
    ok(&["result", "2", "1", "10", "-4", "-4", "-2"]);
    let mut bytes = fs::read(&file).unwrap();
    // A letter of the first result's name, in each copy that the file holds.
    let first = br#"{"result":{"round":1"#;
    for at in 0..bytes.len() - first.len() {
        if bytes[at..].starts_with(first) {
            bytes[at + 3] ^= 1;
        }
    }
    fs::write(&file, bytes).unwrap();
    without_journal(&file);
    let said = done(&["table", "verify", "--repair", text(&file)]);
    assert!(
        said.contains("the tournament: 4 of 5 events") && said.contains("lost: event 4"),
        "{said}"
    );
    let standings = run(&["standings", "--json"]);
    let why = String::from_utf8_lossy(&standings.stderr);
    assert!(why.contains("destroyed 1 events"), "{why}");
    let standings: serde_json::Value = serde_json::from_slice(&standings.stdout).unwrap();
    assert!(standings.to_string().contains("10"), "the second result counts: {standings}");
    // The first result is entered again, and the place of the lost event is settled.
    ok(&["result", "1", "1", "34", "-12", "-20", "-2"]);
    assert_eq!(tilelens(&["table", "verify", text(&file)]).status.code(), Some(1));
    ok(&["undo", "4"]);
    done(&["table", "verify", text(&file)]);
    assert!(!String::from_utf8_lossy(&run(&["standings"]).stderr).contains("destroyed"));
}

/// A file cut to a third, without a journal, lost everything. What is left on its pages is kept; events that stand between
/// two cut-off pages are not.
#[tokio::test]
async fn a_third_of_a_file_gives_events_of_its_pages() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.tlg");
    let events = two_hundred(&file).await;
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..bytes.len() / 3]).unwrap();
    without_journal(&file);
    let said = done(&["table", "verify", "--repair", text(&file)]);
    let kept = kept_of(&file, &events).await;
    assert!(kept.len() > events.len() / 6, "{} are kept: {said}", kept.len());
    assert!(said.contains("lost: event"), "{said}");
}

/// A ledger of 200 events of several kinds, closed.
async fn two_hundred(file: &Path) -> Vec<Recorded> {
    let ledger = Ledger::create(file).await.unwrap();
    append(&ledger, 1, endless()).await.unwrap();
    for deal in 0..199 {
        let event = match deal % 5 {
            0 => DRAW,
            1 => paid(deal % 4),
            _ => with_hand(deal % 4),
        };
        append(&ledger, 1, event).await.unwrap();
    }
    let events = ledger.events(1).await.unwrap();
    ledger.close().await;
    events
}

/// The events of a repaired ledger: each is one of those that were written, unchanged, at its place.
async fn kept_of(file: &Path, written: &[Recorded]) -> Vec<u64> {
    let ledger = Ledger::read(file).await.unwrap();
    assert_eq!(ledger.tables().await.unwrap(), [1], "no table is invented");
    let found = ledger.verify().await.unwrap();
    assert!(found.is_intact(), "{found:?}");
    let events = ledger.events(1).await.unwrap();
    ledger.close().await;
    assert!(events.len() <= written.len(), "no event is invented");
    let kept = events.into_iter().filter(|one| !matches!(one.event, Event::Lost { .. }));
    kept.map(|one| {
        assert_eq!(one, written[one.seq as usize - 1], "none is altered");
        one.seq
    })
    .collect()
}

/// Damage to a copy of some bytes, and where: a bit flipped, or the end cut off.
fn damaged(bytes: &[u8], is_cut: bool, dice: &mut SplitMix64) -> (Vec<u8>, usize) {
    let mut damaged = bytes.to_vec();
    let at = (dice.next_u64() % bytes.len() as u64) as usize;
    if is_cut {
        damaged.truncate(at);
    } else {
        damaged[at] ^= 1 << (dice.next_u64() % 8);
    }
    (damaged, at)
}

/// Whether a repair was made. A number that a later format may have is not damage.
fn is_repaired(done: Result<Repair, LedgerError>, at: usize) -> bool {
    match done {
        Ok(_) => true,
        Err(LedgerError::Newer { .. }) if (60..64).contains(&at) => false,
        Err(error) => panic!("byte {at}: {error}"),
    }
}

/// Whatever bit of a ledger is wrong, and wherever its file ends: its journal has every event. Where the journal is
/// damaged as well, no event is lost whose line is untouched.
#[tokio::test]
async fn no_damage_costs_an_event_that_the_journal_has() {
    const CASES: u64 = 220;
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole.tlg");
    let events = two_hundred(&whole).await;
    let (bytes, text) = (fs::read(&whole).unwrap(), fs::read(journal(&whole)).unwrap());
    let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').skip(1).collect();
    assert_eq!(lines.len(), events.len());
    let mut dice = SplitMix64::seed_from_u64(16);
    let mut lost = [0, 0];
    for case in 0..CASES {
        let file = folder.path().join(format!("{case}.tlg"));
        let (of_file, at) = damaged(&bytes, case % 4 == 3, &mut dice);
        fs::write(&file, of_file).unwrap();
        let both = usize::from(case >= CASES / 2);
        let beside =
            if both == 1 { damaged(&text, case % 16 > 11, &mut dice).0 } else { text.clone() };
        fs::write(journal(&file), &beside).unwrap();
        if !is_repaired(repair(&file).await, at) {
            continue;
        }
        let kept = kept_of(&file, &events).await;
        lost[both] += events.len() - kept.len();
        let left: Vec<&[u8]> = beside.split(|byte| *byte == b'\n').collect();
        for (seq, _) in (1..).zip(&lines).filter(|(_, line)| left.contains(line)) {
            assert!(kept.contains(&seq), "case {case}, byte {at}: event {seq} is lost");
        }
    }
    println!(
        "{CASES} damages: {} events lost with the journal, {} where it was damaged too",
        lost[0], lost[1]
    );
    assert_eq!(lost[0], 0);
}

/// A ledger from before there were journals: a wrong bit costs at most its page, and a cut the pages after it.
#[tokio::test]
async fn an_old_ledger_is_repaired_as_far_as_sqlite_reads_it() {
    const FLIPS: u64 = 45;
    const CASES: u64 = FLIPS + 15;
    /// The most events on a page.
    const ON_A_PAGE: usize = 14;
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole.tlg");
    let events = two_hundred(&whole).await;
    let bytes = fs::read(&whole).unwrap();
    let mut dice = SplitMix64::seed_from_u64(16);
    let (mut by_flips, mut by_cuts) = (0, 0);
    for case in 0..CASES {
        let file = folder.path().join(format!("{case}.tlg"));
        let is_cut = case >= FLIPS;
        let (damaged, at) = damaged(&bytes, is_cut, &mut dice);
        fs::write(&file, &damaged).unwrap();
        let done = repair(&file).await;
        // Of a few pages nothing is left.
        let kept = if is_cut && matches!(done, Err(LedgerError::NothingLeft(_))) {
            Vec::new()
        } else if is_repaired(done, at) {
            kept_of(&file, &events).await
        } else {
            continue;
        };
        let lost = events.len() - kept.len();
        if is_cut {
            by_cuts += lost
        } else {
            by_flips += lost
        }
        assert!(is_cut || lost <= ON_A_PAGE, "case {case}, byte {at}: {lost} events are lost");
    }
    println!("{CASES} damages: {by_flips} events lost by flipped bits, {by_cuts} by cuts");
}
