//! A folder of pictures read live, as the server does it: settled, changed, lost and kept.

use std::{
    fs,
    path::Path,
    sync::mpsc::{Receiver, channel},
    time::Duration,
};

use tilelens::{
    capture::{Capture, SourceState},
    layout::{Hints, read},
    live::{Live, Snapshot},
    vision::Reader,
};

/// Far longer than anything here takes: only a fault reaches it.
const LONG: Duration = Duration::from_secs(60);

fn put(name: &str, folder: &Path, to: &str) {
    let photo = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/photos/tables").join(name);
    let part = folder.join("part");
    fs::copy(photo, &part).unwrap();
    fs::rename(part, folder.join(to)).unwrap();
}

fn until(snapshots: &Receiver<Snapshot>, is_so: impl Fn(&Snapshot) -> bool) -> Snapshot {
    loop {
        let snapshot = snapshots.recv_timeout(LONG).expect("snapshots go on");
        if is_so(&snapshot) {
            return snapshot;
        }
    }
}

fn text(snapshot: &Snapshot) -> String {
    let hand = read(&snapshot.tiles, &Hints::default()).hand;
    hand.map_or_else(String::new, |hand| hand.reading.to_string())
}

#[test]
fn pictures_of_a_folder_are_read_until_they_are_settled() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("in");
    fs::create_dir(&at).unwrap();
    let capture = Capture::start(at.to_str().unwrap().parse().unwrap());
    let (tell, snapshots) = channel();
    let live = Live::start(capture, Reader::builtin(2).unwrap(), move |snapshot| {
        // The test may be over.
        let _ = tell.send(snapshot);
    });
    assert_eq!(live.source(), SourceState::Starting);
    put("pung-from-left.jpg", &at, "a.jpg");
    let first = until(&snapshots, |snapshot| snapshot.settled);
    assert_eq!(text(&first), "123m456p55z78s (7'77z) +9s");
    assert_eq!(first.ids.len(), first.tiles.len());
    assert!(matches!(first.source, SourceState::Running { width: 1280, height: 960, .. }));
    assert!(first.timing.tracked_ms >= first.timing.read_ms && first.changed > 0);

    put("won-apart.jpg", &at, "b.jpg");
    let second = until(&snapshots, |snapshot| snapshot.settled && snapshot.frame.number == 2);
    assert_eq!(text(&second), "111222333p44s67m +5m");
    assert!(second.changed > first.changed);

    fs::remove_dir_all(&at).unwrap();
    let lost = until(&snapshots, |snapshot| matches!(snapshot.source, SourceState::Lost { .. }));
    assert_eq!(text(&lost), text(&second), "what was read stays");
    drop(live);
    assert!(snapshots.iter().all(|snapshot| snapshot.frame.number == 2), "and then it ends");
}

#[test]
fn a_source_that_changes_its_size_is_read_on() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    put("won-apart.jpg", at, "a.jpg");
    let capture = Capture::start(at.to_str().unwrap().parse().unwrap());
    let (tell, snapshots) = channel();
    let _live = Live::start(capture, Reader::builtin(2).unwrap(), move |snapshot| {
        // The test may be over.
        let _ = tell.send(snapshot);
    });
    let first = until(&snapshots, |snapshot| snapshot.settled);
    // Smaller, and of another shape.
    let mut other = image::RgbImage::from_pixel(960, 1000, image::Rgb([20, 90, 60]));
    let smaller = image::imageops::thumbnail(first.frame.picture.rgb(), 960, 720);
    image::imageops::replace(&mut other, &smaller, 0, 140);
    other.save(at.join("b.png")).unwrap();
    let second = until(&snapshots, |snapshot| snapshot.settled && snapshot.frame.number == 2);
    assert_eq!(second.frame.picture.width(), 960);
    assert_eq!(text(&second), text(&first));
    put("won-apart.jpg", at, "c.jpg");
    let third = until(&snapshots, |snapshot| snapshot.settled && snapshot.frame.number == 3);
    assert_eq!(text(&third), text(&first));
}

#[test]
fn a_frame_over_which_the_reading_trips_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    put("won-apart.jpg", folder.path(), "a.jpg");
    let capture = Capture::start(folder.path().to_str().unwrap().parse().unwrap());
    let (tell, snapshots) = channel();
    let mut first = true;
    let _live = Live::start(capture, Reader::builtin(2).unwrap(), move |snapshot| {
        assert!(!std::mem::take(&mut first), "the first frame is too much");
        // The test may be over.
        let _ = tell.send(snapshot);
    });
    let settled = until(&snapshots, |snapshot| snapshot.settled);
    assert_eq!(text(&settled), "111222333p44s67m +5m");
}
