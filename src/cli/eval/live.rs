//! `tilelens eval --live`: a recorded session at its own pace, read as a camera is.

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};

use crate::{
    appraisal::SURE_ENOUGH,
    capture::{Capture, SourceSpec, SourceState},
    cli::{Outcome, pictures},
    evaluation::{Moment, Replay, ReplayTally},
    layout::{self, Hints},
    live::{Live, Snapshot},
    vision::SeenTile,
};

/// What a frame showed; the hand is made of it afterwards, so that measuring slows nothing down.
struct Kept {
    at: Instant,
    tiles: Vec<SeenTile>,
    settled: bool,
    tracked_ms: f32,
}

pub(super) fn run(folder: &Path, models: Option<&Path>, threads: usize) -> anyhow::Result<Outcome> {
    let file = folder.join("replay.json");
    let text = std::fs::read_to_string(&file)
        .with_context(|| format!("cannot read {}", file.display()))?;
    let replay: Replay = serde_json::from_str(&text).with_context(|| file.display().to_string())?;
    let video = folder.join(&replay.video);
    let spec: SourceSpec = video.to_string_lossy().parse()?;
    let reader = pictures::reader(models, threads)?;
    let kept: Arc<Mutex<Vec<Kept>>> = Arc::default();
    let into = Arc::clone(&kept);
    let live = Live::start(Capture::start(spec), reader, move |snapshot: Snapshot| {
        into.lock().unwrap_or_else(PoisonError::into_inner).push(Kept {
            at: snapshot.frame.at,
            tiles: snapshot.tiles,
            settled: snapshot.settled,
            tracked_ms: snapshot.timing.tracked_ms,
        });
    });
    let long = replay.hands.last().map_or(0.0, |hand| hand.to);
    wait(&live, long)?;
    drop(live);
    let kept = std::mem::take(&mut *kept.lock().unwrap_or_else(PoisonError::into_inner));
    let tally = ReplayTally::count(&replay, &moments(&kept)).map_err(anyhow::Error::msg)?;
    println!("{}: {} hands, {threads} threads", video.display(), replay.hands.len());
    print!("{}", tally.text());
    Ok(Outcome::Found)
}

/// Waits until the video has been shown.
fn wait(live: &Live, seconds: f32) -> anyhow::Result<()> {
    const STEP: Duration = Duration::from_millis(100);
    let bar = ProgressBar::new(seconds as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} s") {
        bar.set_style(style);
    }
    let most = (f64::from(seconds) * 20.0 + 200.0) as u64;
    for step in 0..most {
        match live.source() {
            SourceState::Ended => {
                bar.finish_and_clear();
                return Ok(());
            }
            SourceState::Lost { why, .. } => bail!("{why}"),
            SourceState::Starting | SourceState::Running { .. } => {}
        }
        thread::sleep(STEP);
        bar.set_position(step / 10);
    }
    bail!("the video does not end")
}

fn moments(kept: &[Kept]) -> Vec<Moment> {
    let Some(first) = kept.first() else { return Vec::new() };
    let mut last: Option<(&[SeenTile], Moment)> = None;
    let mut moments = Vec::with_capacity(kept.len());
    for kept in kept {
        let at = kept.at.saturating_duration_since(first.at).as_secs_f32();
        let (settled, tracked_ms) = (kept.settled, kept.tracked_ms);
        let moment = match &last {
            Some((tiles, moment)) if *tiles == kept.tiles.as_slice() => {
                Moment { at, settled, tracked_ms, ..moment.clone() }
            }
            _ => {
                let shown = layout::read(&kept.tiles, &Hints::default());
                let scored = shown
                    .hand
                    .as_ref()
                    .is_some_and(|hand| hand.finished && hand.confidence >= SURE_ENOUGH);
                let reading = shown.hand.map(|hand| hand.reading);
                Moment { at, settled, reading, scored, tracked_ms }
            }
        };
        last = Some((&kept.tiles, moment.clone()));
        moments.push(moment);
    }
    moments
}
