//! Readers side by side, as one program has them for several cameras.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use tilelens::picture::Picture;
use tilelens::vision::Reader;

/// A new reader must not disturb those at work: with OpenCV's own threads, which belong to the whole program, it took the program
/// down.
#[test]
fn a_reader_may_be_made_while_others_read() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/datasets/photos/tables/row-sorted.jpg");
    let picture = Picture::from_bytes(&std::fs::read(path).unwrap()).unwrap();
    let is_read = AtomicBool::new(false);
    thread::scope(|threads| {
        let readings = [1, 2, 3].map(|count| {
            let picture = &picture;
            threads.spawn(move || {
                let mut reader = Reader::builtin(count).unwrap();
                (0..3).map(|_| reader.read(picture).unwrap().len()).collect::<Vec<_>>()
            })
        });
        for _ in 0..2 {
            threads.spawn(|| {
                while !is_read.load(Ordering::Relaxed) {
                    for count in 1..4 {
                        Reader::builtin(count).unwrap();
                    }
                }
            });
        }
        let ends = readings.map(|reading| reading.join());
        is_read.store(true, Ordering::Relaxed);
        let tiles = ends.map(Result::unwrap);
        assert!(
            tiles.iter().flatten().all(|count| *count == tiles[0][0] && *count > 0),
            "{tiles:?}"
        );
    });
}
