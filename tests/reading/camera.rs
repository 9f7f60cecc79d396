//! Cameras as V4L2 gives them, through a camera that is preloaded into the process: formats,
//! faults, and coming back. Each test runs in a process of its own that has that camera.

use std::path::Path;

use crate::support::camera::with_camera;

/// Runs one of the tests in [`inside`].
fn run(test: &str) {
    let own = std::env::current_exe().unwrap();
    let name = format!("camera::inside::{test}");
    let arguments = ["--exact", &name, "--ignored", "--nocapture", "--test-threads=1"];
    let Some((well, text)) = with_camera(test, &own, &arguments, "") else { return };
    assert!(well && text.contains("1 passed"), "{text}");
}

#[test]
fn cameras_are_listed_with_their_modes() {
    let program = Path::new(env!("CARGO_BIN_EXE_tilelens"));
    let settings = "mode MJPG 1280x720@60\nmode YUYV 640x480@30\nstate run\n";
    let Some((well, text)) = with_camera("list", program, &["cameras"], settings) else { return };
    assert!(well, "{text}");
    assert!(text.contains("camera:0  Camera of the tests\n    1280x720 60 fps MJPEG\n"), "{text}");
    assert!(text.contains("640x480 30 fps YUYV"), "{text}");
    let Some((_, text)) = with_camera("list", program, &["cameras", "--json"], settings) else {
        return;
    };
    let device: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(device["modes"][0]["width"], 1280);
    assert_eq!(device["modes"][1]["encoding"], "YUYV");
    let (well, text) = with_camera("list", program, &["cameras"], "state gone\n").unwrap();
    assert!(!well && text.contains("no camera is connected"), "{text}");
}

#[test]
fn mjpeg_and_yuyv_show_the_cameras_picture() {
    run("both_encodings");
}

#[test]
fn a_camera_is_lost_and_found_ten_times() {
    run("ten_times");
}

#[test]
fn a_camera_that_hangs_is_left_behind_once() {
    run("hanging");
}

#[test]
fn damaged_pictures_are_left_out_and_reported() {
    run("damaged");
}

#[test]
fn a_camera_that_cannot_be_had_says_why() {
    run("not_to_be_had");
}

#[test]
fn who_is_slow_gets_the_newest() {
    run("newest_only");
}

mod inside {
    use std::{
        fs,
        path::PathBuf,
        thread::sleep,
        time::{Duration, Instant},
    };

    use image::{Rgb, RgbImage};
    use tilelens::capture::{Capture, Settings, SourceState};

    use crate::capture::{until, until_lost};

    const MODES: &str = "mode MJPG 640x480@30\nmode YUYV 320x240@30\n";
    /// Far longer than anything here takes: only a fault reaches it.
    const LONG: Duration = Duration::from_secs(30);

    fn control() -> PathBuf {
        std::env::var_os("FAKE_CAMERA").unwrap().into()
    }

    /// A JPEG without its Huffman tables, as many cameras send it.
    fn without_tables(jpeg: &[u8]) -> Vec<u8> {
        let (mut bare, mut at) = (jpeg[..2].to_vec(), 2);
        // Up to the scan.
        while jpeg[at + 1] != 0xDA {
            let end = at + 2 + usize::from(u16::from_be_bytes([jpeg[at + 2], jpeg[at + 3]]));
            if jpeg[at + 1] != 0xC4 {
                bare.extend(&jpeg[at..end]);
            }
            at = end;
        }
        bare.extend(&jpeg[at..]);
        assert!(bare.len() < jpeg.len());
        bare
    }

    /// Tells the camera what to do; it shows two JPEGs in turns, a reddish and a bluish one without tables.
    fn tell(state: &str) {
        let folder = control().with_extension("pictures");
        if !folder.exists() {
            fs::create_dir_all(&folder).unwrap();
            for (name, colour) in [("a.jpg", [200, 40, 40]), ("b.jpg", [40, 40, 200])] {
                // The rest of the picture is noise, so that the file has some length.
                let picture = RgbImage::from_fn(640, 480, |x, y| {
                    if x < 320 { Rgb(colour) } else { Rgb([(x * y % 251) as u8; 3]) }
                });
                picture.save(folder.join(name)).unwrap();
            }
            let bare = without_tables(&fs::read(folder.join("b.jpg")).unwrap());
            fs::write(folder.join("b.jpg"), bare).unwrap();
        }
        let jpegs =
            ["a.jpg", "b.jpg"].map(|name| format!("file {}\n", folder.join(name).display()));
        let part = control().with_extension("part");
        fs::write(&part, format!("{MODES}{}state {state}\n", jpegs.concat())).unwrap();
        fs::rename(part, control()).unwrap();
    }

    fn impatient() -> Settings {
        Settings {
            first_frame: Duration::from_millis(1500),
            stall: Duration::from_millis(700),
            pauses: [Duration::from_millis(20), Duration::from_millis(80)],
            ..Settings::default()
        }
    }

    fn start(spec: &str) -> Capture {
        Capture::with_settings(spec.parse().unwrap(), impatient())
    }

    fn until_running(capture: &Capture) -> SourceState {
        until("running", capture, |state| matches!(state, SourceState::Running { .. }))
    }

    fn count(of: &str) -> usize {
        fs::read_dir(format!("/proc/self/{of}")).unwrap().count()
    }

    #[test]
    #[ignore = "needs the fake camera: run by the tests above"]
    fn both_encodings() {
        tell("run");
        let capture = start("camera:0");
        let mut seen = [false; 2];
        let mut last = 0;
        for _ in 0..20 {
            let frame = capture.newest(last, LONG).unwrap();
            assert!(frame.number > last);
            last = frame.number;
            assert_eq!((frame.picture.width(), frame.picture.height()), (640, 480));
            let [r, _, b] = frame.picture.rgb().get_pixel(100, 200).0;
            assert!(r.abs_diff(b) > 120, "{r} {b}");
            seen[usize::from(b > r)] = true;
        }
        assert_eq!(seen, [true; 2], "both pictures come");
        drop(capture);
        let capture = start("camera:/dev/video0?size=320x240");
        let frame = capture.newest(0, LONG).unwrap();
        let grey = |x: u32| frame.picture.rgb().get_pixel(x, 239).0;
        assert_eq!((frame.picture.width(), frame.picture.height()), (320, 240));
        assert!(grey(10)[0] < 60 && grey(300)[0] > 200, "{:?} {:?}", grey(10), grey(300));
        assert!(grey(300)[0].abs_diff(grey(300)[2]) < 4);
        assert_eq!(capture.trouble(), None);
        drop(capture);
        let capture = start("camera:0?size=800x600");
        let frame = capture.newest(0, LONG).unwrap();
        assert_eq!(frame.picture.width(), 640, "the nearest that is offered");
        assert!(capture.trouble().unwrap().contains("640x480"), "{:?}", capture.trouble());
    }

    #[test]
    #[ignore = "needs the fake camera: run by the tests above"]
    fn ten_times() {
        tell("run");
        let (threads, files) = (count("task"), count("fd"));
        let capture = start("camera:0");
        let mut last = capture.newest(0, LONG).unwrap().number;
        for _ in 0..10 {
            tell("gone");
            until_lost(&capture, "");
            until_lost(&capture, "there is no camera 0: plug it in");
            tell("run");
            until_running(&capture);
            last = capture.newest(last + 1, LONG).unwrap().number;
        }
        assert!(count("task") <= threads + 2, "a thread a time");
        drop(capture);
        assert_eq!((count("task"), count("fd")), (threads, files), "all is given back");
    }

    #[test]
    #[ignore = "needs the fake camera: run by the tests above"]
    fn hanging() {
        tell("run");
        let (threads, files) = (count("task"), count("fd"));
        let capture = start("camera:0");
        let before = capture.newest(0, LONG).unwrap().number;
        tell("hang");
        until_lost(&capture, "camera 0 hangs: unplug it");
        // Time for a number of attempts.
        sleep(Duration::from_millis(500));
        assert!(count("task") <= threads + 2, "one thread is left behind, and no more");
        // Unplugged, and plugged in again.
        tell("gone");
        until_lost(&capture, "there is no camera 0");
        tell("run");
        until_running(&capture);
        assert!(capture.newest(before + 1, LONG).is_some());
        tell("hang");
        until_lost(&capture, "hangs");
        drop(capture);
        // The thread that was left behind ends when the camera lets it go.
        tell("gone");
        let deadline = Instant::now() + LONG;
        while (count("task"), count("fd")) != (threads, files) && Instant::now() < deadline {
            sleep(Duration::from_millis(10));
        }
        assert_eq!((count("task"), count("fd")), (threads, files));
    }

    #[test]
    #[ignore = "needs the fake camera: run by the tests above"]
    fn damaged() {
        tell("run");
        for state in ["cut", "noise"] {
            let capture = start("camera:0");
            until_running(&capture);
            tell(state);
            until_lost(&capture, "only damaged pictures");
            assert!(capture.trouble().unwrap().contains("damaged"), "{:?}", capture.trouble());
            let last = capture.newest(0, LONG).unwrap();
            let [r, _, b] = last.picture.rgb().get_pixel(100, 470).0;
            assert!(r.abs_diff(b) > 120, "no half picture was shown: {r} {b}");
            tell("run");
            until_running(&capture);
        }
    }

    #[test]
    #[ignore = "needs the fake camera: run by the tests above"]
    fn not_to_be_had() {
        tell("gone");
        let capture = start("camera:0");
        until_lost(&capture, "there is no camera 0: plug it in");
        tell("busy");
        drop(capture);
        // The mode that it is in would not have to be set.
        let capture = start("camera:0?size=320x240");
        until_lost(&capture, "in use: close the other program");
    }

    #[test]
    #[ignore = "needs the fake camera: run by the tests above"]
    fn newest_only() {
        tell("run");
        let capture = start("camera:0");
        let first = capture.newest(0, LONG).unwrap();
        sleep(Duration::from_millis(400));
        let next = capture.newest(first.number, LONG).unwrap();
        assert!(next.number > first.number + 3, "{} after {}", next.number, first.number);
        assert!(next.at - first.at >= Duration::from_millis(250), "old ones are gone");
        assert!(capture.newest(next.number + 1000, Duration::from_millis(20)).is_none());
    }
}
