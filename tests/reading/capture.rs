//! Sources that come through `ffmpeg`, and folders: their frames, their faults, and what is left of
//! them when they are dropped.

use std::{
    fs,
    io::{Read, Write},
    net::TcpListener,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
    thread::sleep,
    time::{Duration, Instant},
};

use image::{Rgb, RgbImage};
use tempfile::TempDir;
use tilelens::capture::{Capture, Settings, SourceState};

/// Far longer than anything here takes: only a fault reaches it.
const LONG: Duration = Duration::from_secs(30);

fn impatient() -> Settings {
    Settings {
        first_frame: Duration::from_secs(5),
        stall: Duration::from_millis(400),
        pauses: [Duration::from_millis(20), Duration::from_millis(80)],
        ..Settings::default()
    }
}

pub fn until(what: &str, capture: &Capture, is_so: impl Fn(&SourceState) -> bool) -> SourceState {
    let deadline = Instant::now() + LONG;
    loop {
        let state = capture.state();
        if is_so(&state) {
            return state;
        }
        assert!(Instant::now() < deadline, "never {what}: {state:?} {:?}", capture.trouble());
        sleep(Duration::from_millis(5));
    }
}

pub fn until_lost(capture: &Capture, why: &str) {
    let lost = |state: &SourceState| matches!(state, SourceState::Lost { why: reported, .. } if reported.contains(why));
    until(&format!("lost because `{why}`"), capture, lost);
}

fn until_ended(capture: &Capture) {
    until("ended", capture, |state| *state == SourceState::Ended);
}

/// A video of a second, 25 frames, 160 x 120; `None` where there is no ffmpeg.
fn video(folder: &TempDir, name: &str) -> Option<PathBuf> {
    let path = folder.path().join(name);
    let made = Command::new("ffmpeg")
        .args(["-v", "error", "-f", "lavfi", "-i", "testsrc=size=160x120:rate=25:duration=1"])
        .args(["-c:v", "mpeg4", "-g", "5"])
        .arg(&path)
        .status();
    match made {
        Ok(made) => assert!(made.success()),
        Err(_) => {
            eprintln!("skipped: ffmpeg is not installed");
            return None;
        }
    }
    Some(path)
}

/// A program in place of ffmpeg: after `-version` it runs these lines of shell.
fn stand_in(folder: &TempDir, lines: &str) -> Settings {
    let path = folder.path().join("stand-in");
    let version = "[ \"$2\" = -version ] && echo ffmpeg version 6.0 && exit 0";
    fs::write(path.with_extension("32"), framed(32, 32)).unwrap();
    fs::write(path.with_extension("64"), framed(64, 48)).unwrap();
    fs::write(path.with_extension("endless"), EDGE.repeat(1 << 20)).unwrap();
    fs::write(&path, format!("#!/bin/sh\n{version}\n{lines}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    Settings { ffmpeg: path, ..impatient() }
}

/// One picture of 32 x 32 black pixels as shell.
const PICTURE: &str = "cat \"$0\".32";
/// The colours of the frame that `ffmpeg` is asked to draw around each picture.
const EDGE: [u8; 3] = [0xFE, 0x01, 0xFD];
const LINE: [u8; 3] = [0x01, 0xFE, 0x02];

/// A black picture as `ffmpeg` pipes it.
fn framed(width: usize, height: usize) -> Vec<u8> {
    let edge = EDGE.repeat(width + 1);
    let line = [&LINE[..], &vec![0; 3 * width]].concat();
    [edge.clone(), line.repeat(height), edge].concat()
}

fn stream() -> tilelens::capture::SourceSpec {
    "rtsp://camera.invalid/live".parse().unwrap()
}

fn is_running(process: &str) -> bool {
    Path::new("/proc").join(process.trim()).exists()
}

#[test]
fn a_file_is_shown_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let Some(path) = video(&folder, "a:b c.mkv") else { return };
    let capture = Capture::start(path.to_str().unwrap().parse().unwrap());
    let mut last = 0;
    while let Some(frame) = capture.newest(last, Duration::from_secs(10)) {
        assert_eq!((frame.picture.width(), frame.picture.height()), (160, 120));
        last = frame.number;
    }
    assert_eq!(last, 25, "each frame once");
    until_ended(&capture);
    assert_eq!(capture.newest(0, LONG).unwrap().number, 25, "the last one stays");
}

#[test]
fn a_file_may_begin_again() {
    let folder = tempfile::tempdir().unwrap();
    let Some(path) = video(&folder, "a.mkv") else { return };
    let capture = Capture::start(format!("{}?loop", path.display()).parse().unwrap());
    assert!(capture.newest(30, LONG).is_some());
}

#[test]
fn damage_inside_a_file_costs_frames_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let Some(path) = video(&folder, "a.ts") else { return };
    let mut bytes = fs::read(&path).unwrap();
    let (from, to) = (bytes.len() / 3, bytes.len() / 2);
    for (k, byte) in bytes[from..to].iter_mut().enumerate() {
        *byte ^= (k * 31 % 256) as u8;
    }
    fs::write(&path, bytes).unwrap();
    let capture = Capture::start(path.to_str().unwrap().parse().unwrap());
    until_ended(&capture);
    assert!(capture.newest(5, LONG).is_some());
}

#[test]
fn a_file_that_is_not_a_video_fails_with_ffmpegs_message() {
    let folder = tempfile::tempdir().unwrap();
    if video(&folder, "a.mkv").is_none() {
        return;
    }
    let path = folder.path().join("notes.mp4");
    fs::write(&path, "no video").unwrap();
    let capture = Capture::with_settings(path.to_str().unwrap().parse().unwrap(), impatient());
    until_lost(&capture, "Invalid data found");
}

#[test]
fn without_ffmpeg_it_says_how_to_get_it() {
    let settings = Settings { ffmpeg: "no-such-ffmpeg".into(), ..impatient() };
    let capture = Capture::with_settings(stream(), settings);
    until_lost(&capture, "apt install ffmpeg");
}

#[test]
fn a_stream_that_stalls_is_dropped_and_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let pids = folder.path().join("pids");
    let lines = format!("echo $$ >> {}; {PICTURE}; exec sleep 1000", pids.display());
    let capture = Capture::with_settings(stream(), stand_in(&folder, &lines));
    assert!(capture.newest(0, LONG).is_some());
    until_lost(&capture, "no picture for 0.4 s");
    let first = fs::read_to_string(&pids).unwrap().lines().next().unwrap().to_owned();
    assert!(!is_running(&first), "its program is gone");
    assert!(capture.newest(2, LONG).is_some(), "and others have come after it");
    drop(capture);
    for process in fs::read_to_string(&pids).unwrap().lines() {
        assert!(!is_running(process), "nothing is left running");
    }
}

#[test]
fn a_stream_that_never_begins_is_given_up_and_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let settings = stand_in(&folder, "exec sleep 1000");
    let first_frame = Duration::from_millis(300);
    let capture = Capture::with_settings(stream(), Settings { first_frame, ..settings });
    until_lost(&capture, "no picture for 0.3 s");
}

#[test]
fn endless_complaints_hold_nothing_up_and_are_reported_in_a_few_words() {
    let folder = tempfile::tempdir().unwrap();
    let many = "yes 'packet lost' | head -c 1000000 >&2";
    let long = "seq 100000 >&2; head -c 1000000 /dev/zero | tr '\\0' x >&2";
    let capture = Capture::with_settings(
        stream(),
        stand_in(&folder, &format!("{many}; {PICTURE}; {long}; exit 1")),
    );
    assert!(capture.newest(0, LONG).is_some(), "pictures come though nobody reads all that");
    until_lost(&capture, "ffmpeg stopped");
    let SourceState::Lost { why, .. } = capture.state() else { return };
    assert!(why.len() < 2000, "{} bytes", why.len());
}

#[test]
fn a_stream_may_change_its_size_while_it_runs() {
    let folder = tempfile::tempdir().unwrap();
    let other = "cat \"$0\".64";
    let lines = format!("{PICTURE}; sleep 0.1; {other}; exec sleep 1000");
    let capture = Capture::with_settings(stream(), stand_in(&folder, &lines));
    let other =
        |state: &SourceState| matches!(state, SourceState::Running { width: 64, height: 48, .. });
    until("of the other size", &capture, other);
    assert_eq!(capture.newest(1, LONG).unwrap().picture.width(), 64);
}

#[test]
fn a_decoder_that_is_killed_is_started_again_ten_times() {
    let folder = tempfile::tempdir().unwrap();
    let pids = folder.path().join("pids");
    // Held back, the next one shows nothing before the loss was seen.
    let held = folder.path().join("held");
    let lines = format!(
        "echo $$ >> {}; while [ -e {} ]; do sleep 0.01; done; \
         while :; do {PICTURE} || exit; sleep 0.02; done",
        pids.display(),
        held.display()
    );
    let capture = Capture::with_settings(stream(), stand_in(&folder, &lines));
    let mut last = 0;
    for round in 1..=10 {
        last = capture.newest(last, LONG).unwrap().number;
        fs::write(&held, "").unwrap();
        let written = fs::read_to_string(&pids).unwrap();
        let process = written.lines().last().unwrap();
        assert!(Command::new("kill").args(["-9", process]).status().unwrap().success());
        until_lost(&capture, "ffmpeg stopped");
        fs::remove_file(&held).unwrap();
        until("running", &capture, |state| matches!(state, SourceState::Running { .. }));
        assert!(fs::read_to_string(&pids).unwrap().lines().count() > round);
    }
}

#[test]
fn half_a_picture_is_never_shown() {
    let folder = tempfile::tempdir().unwrap();
    let lines = format!("{PICTURE}; head -c 1500 \"$0\".32; echo the wire broke >&2; exit 1");
    let capture = Capture::with_settings(stream(), stand_in(&folder, &lines));
    until_lost(&capture, "the wire broke");
    let frame = capture.newest(0, LONG).unwrap();
    assert!(frame.picture.rgb().as_raw().iter().all(|byte| *byte == 0));
}

#[test]
fn nonsense_from_the_pipe_takes_no_memory_and_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let lines = "while cat \"$0\".endless; do :; done";
    let capture = Capture::with_settings(stream(), stand_in(&folder, lines));
    until_lost(&capture, "at most 7680 x 4320");
}

#[test]
fn a_stream_that_ends_is_connected_to_again() {
    let folder = tempfile::tempdir().unwrap();
    let Some(path) = video(&folder, "a.ts") else { return };
    let bytes = fs::read(path).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/live.ts", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for connection in listener.incoming() {
            let mut connection = connection.unwrap();
            let mut request = [0; 4096];
            let _ = connection.read(&mut request);
            let _ = connection.write_all(b"HTTP/1.0 200 OK\r\nContent-Type: video/mp2t\r\n\r\n");
            let _ = connection.write_all(&bytes);
        }
    });
    let capture = Capture::with_settings(address.parse().unwrap(), impatient());
    until_lost(&capture, "the stream has ended");
    assert!(capture.newest(40, LONG).is_some(), "more than one connection gives");
}

#[test]
fn dropping_a_capture_leaves_no_program_and_no_thread() {
    let folder = tempfile::tempdir().unwrap();
    let pids = folder.path().join("pids");
    let lines = format!("echo $$ >> {}; exec sleep 1000", pids.display());
    let capture = Capture::with_settings(stream(), stand_in(&folder, &lines));
    let deadline = Instant::now() + LONG;
    let is_written = || fs::read_to_string(&pids).is_ok_and(|written| written.ends_with('\n'));
    while !is_written() && Instant::now() < deadline {
        sleep(Duration::from_millis(5));
    }
    drop(capture);
    let process = fs::read_to_string(&pids).unwrap();
    assert!(!is_running(&process));
}

fn put(folder: &Path, name: &str, grey: u8) {
    let part = folder.join(format!("{name}.part"));
    RgbImage::from_pixel(64, 48, Rgb([grey; 3]))
        .save_with_format(&part, image::ImageFormat::Png)
        .unwrap();
    fs::rename(part, folder.join(name)).unwrap();
}

#[test]
fn a_folder_shows_its_newest_picture_and_each_that_comes() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    put(at, "b.png", 10);
    sleep(Duration::from_millis(20));
    put(at, "a.png", 20);
    let capture = Capture::with_settings(at.to_str().unwrap().parse().unwrap(), impatient());
    let grey = |after: u64| {
        let frame = capture.newest(after, LONG).unwrap();
        (frame.number, frame.picture.rgb().get_pixel(0, 0).0[0])
    };
    assert_eq!(grey(0), (1, 20), "the newest, and the older ones not at all");
    put(at, "c.png", 30);
    assert_eq!(grey(1), (2, 30));
    put(at, "c.png", 40);
    assert_eq!(grey(2), (3, 40), "rewritten");
    fs::write(at.join("d.png"), "no picture").unwrap();
    fs::write(at.join("e.txt"), "not looked at").unwrap();
    let deadline = Instant::now() + LONG;
    while capture.trouble().is_none() && Instant::now() < deadline {
        sleep(Duration::from_millis(5));
    }
    assert!(capture.trouble().unwrap().starts_with("d.png: not a picture"));
    put(at, "f.png", 50);
    assert_eq!(grey(3), (4, 50));
}

#[test]
fn a_folder_that_goes_is_lost_and_found() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("in");
    fs::create_dir(&at).unwrap();
    let capture = Capture::with_settings(at.to_str().unwrap().parse().unwrap(), impatient());
    put(&at, "a.png", 10);
    assert!(capture.newest(0, LONG).is_some());
    fs::remove_dir_all(&at).unwrap();
    until_lost(&capture, "cannot be read");
    fs::create_dir(&at).unwrap();
    put(&at, "b.png", 20);
    assert_eq!(capture.newest(1, LONG).unwrap().picture.rgb().get_pixel(0, 0).0[0], 20);
}
