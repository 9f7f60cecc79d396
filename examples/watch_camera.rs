//! The tiles on a table, over time: `cargo run --example watch_camera -- camera:0`, or a video file, stream or folder.

use std::{
    error::Error,
    time::{Duration, Instant},
};

use tilelens::{
    Reader,
    capture::{Capture, SourceState},
    live::FrameReader,
};

/// Prints the tiles whenever they have changed and come to rest, until the source ends; `say` is given each line.
pub fn watch(source: &str, mut say: impl FnMut(String)) -> Result<(), Box<dyn Error>> {
    let capture = Capture::start(source.parse()?);
    let mut frames = FrameReader::new(Reader::builtin(2)?);
    let (began, mut last, mut said) = (Instant::now(), 0, 0);
    loop {
        let Some(frame) = capture.newest(last, Duration::from_secs(1)) else {
            match capture.state() {
                SourceState::Ended => return Ok(()),
                SourceState::Lost { why, .. } => return Err(why.into()),
                _ => continue,
            }
        };
        last = frame.number;
        let now = frame.at.saturating_duration_since(began);
        frames.read(&frame.picture, now)?;
        let tracker = frames.tracker();
        if tracker.settled(now) && tracker.changed() != said {
            said = tracker.changed();
            let names = tracker
                .tiles()
                .iter()
                .map(|tile| tile.classified().0.to_string())
                .collect::<Vec<_>>();
            say(names.join(" "));
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let source = std::env::args().nth(1).ok_or("give a source, such as camera:0")?;
    watch(&source, |line| println!("{line}"))
}
