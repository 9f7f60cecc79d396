//! `tilelens eval --live`: a recorded session at its own pace, read as a camera is; or each of its
//! frames at its own time, however long that takes.

use std::{
    io::{ErrorKind, Read},
    path::Path,
    process::{Command, Stdio},
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use image::RgbImage;
use indicatif::{ProgressBar, ProgressStyle};

use super::recorded;
use crate::{
    appraisal::SURE_ENOUGH,
    capture::{Capture, SourceSpec, SourceState},
    cli::{Outcome, pictures},
    evaluation::{Replay, ReplayMoment, ReplayTally},
    layout::{self, Hints},
    live::{FrameReader, Live, Snapshot},
    picture::Picture,
    sight::SeenTile,
    tile::Face,
    vision::Reader,
};

/// The tiles of a frame; the hand is made of them afterwards, so that measuring slows nothing down.
pub(super) struct TrackedFrame {
    /// Seconds from the first frame on.
    pub at: f32,
    pub tiles: Vec<SeenTile>,
    pub ids: Vec<u64>,
    pub unseen: Vec<Duration>,
    pub settled: bool,
    pub tracked_ms: f32,
}

pub(super) fn run(
    folder: &Path,
    models: Option<&Path>,
    threads: usize,
    every_frame: bool,
    record: Option<&Path>,
) -> anyhow::Result<Outcome> {
    let file = folder.join("replay.json");
    let text = std::fs::read_to_string(&file)
        .with_context(|| format!("cannot read {}", file.display()))?;
    let replay: Replay = serde_json::from_str(&text).with_context(|| file.display().to_string())?;
    let video = folder.join(&replay.video);
    let game = replay.game.as_ref();
    let game = game.map(|game| anyhow::Ok((game, recorded::truth(&folder.join(&game.record))?)));
    let game = game.transpose()?;
    let reader = pictures::reader(models, threads)?;
    let kept = if every_frame {
        each_frame(&video, &replay, reader)?
    } else {
        at_its_pace(&video, &replay, reader)?
    };
    if let Some((game, truth)) = &game {
        let text = recorded::compare(truth, game, &replay, &kept, record)?;
        print!("{text}");
        return Ok(Outcome::Found);
    }
    let tally = ReplayTally::count(&replay, &moments(&kept)).map_err(anyhow::Error::msg)?;
    let pace = if every_frame { "every frame" } else { "at its own pace" };
    println!("{}: {} hands, {threads} threads, {pace}", video.display(), replay.hands.len());
    print!("{}", tally.text());
    Ok(Outcome::Found)
}

/// As a camera is read: frames that arrive during a reading are skipped.
fn at_its_pace(video: &Path, replay: &Replay, reader: Reader) -> anyhow::Result<Vec<TrackedFrame>> {
    let spec: SourceSpec = video.to_string_lossy().parse()?;
    let kept: Arc<Mutex<Vec<TrackedFrame>>> = Arc::default();
    let (into, mut first) = (Arc::clone(&kept), None);
    let live = Live::start(Capture::start(spec), reader, move |snapshot: Snapshot| {
        let first = *first.get_or_insert(snapshot.frame.at);
        into.lock().unwrap_or_else(PoisonError::into_inner).push(TrackedFrame {
            at: snapshot.frame.at.saturating_duration_since(first).as_secs_f32(),
            tiles: snapshot.tiles,
            ids: snapshot.ids,
            unseen: snapshot.unseen,
            settled: snapshot.settled,
            tracked_ms: snapshot.timing.tracked_ms,
        });
    });
    wait(&live, replay.camera.len() as f32 / replay.fps)?;
    drop(live);
    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(std::mem::take(&mut *kept))
}

/// Each frame at its own time: the result does not depend on the machine's speed.
fn each_frame(video: &Path, replay: &Replay, reader: Reader) -> anyhow::Result<Vec<TrackedFrame>> {
    let mut decoder = Command::new("ffmpeg")
        .args(["-v", "error", "-nostdin", "-i"])
        .arg(video)
        .args(["-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot run ffmpeg: install it (Debian, Ubuntu: sudo apt install ffmpeg)")?;
    let mut pipe = decoder.stdout.take().context("ffmpeg has no output")?;
    let [width, height] = replay.size;
    let mut frames = FrameReader::new(reader);
    let mut kept = Vec::with_capacity(replay.camera.len());
    let bar = bar(replay.camera.len() as u64);
    loop {
        let mut pixels = vec![0; 3 * width as usize * height as usize];
        match pipe.read_exact(&mut pixels) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => break,
            Err(error) => return Err(error).context("cannot read what ffmpeg decodes"),
        }
        let rgb = RgbImage::from_raw(width, height, pixels).context("a frame of another size")?;
        let picture = Picture::from_rgb(rgb)?;
        let at = Duration::from_secs_f32(kept.len() as f32 / replay.fps);
        let began = Instant::now();
        frames.read(&picture, at)?;
        let tracker = frames.tracker();
        kept.push(TrackedFrame {
            at: at.as_secs_f32(),
            tiles: frames.tiles(),
            ids: tracker.ids(),
            unseen: tracker.unseen(),
            settled: tracker.settled(at),
            tracked_ms: 1e3 * began.elapsed().as_secs_f32(),
        });
        bar.inc(1);
    }
    bar.finish_and_clear();
    let status = decoder.wait().context("ffmpeg")?;
    if !status.success() {
        bail!("ffmpeg could not decode {}", video.display());
    }
    Ok(kept)
}

fn bar(length: u64) -> ProgressBar {
    let bar = ProgressBar::new(length);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len}") {
        bar.set_style(style);
    }
    bar
}

/// Waits until the video has been shown.
fn wait(live: &Live, seconds: f32) -> anyhow::Result<()> {
    const STEP: Duration = Duration::from_millis(100);
    let bar = bar(seconds as u64);
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

fn moments(kept: &[TrackedFrame]) -> Vec<ReplayMoment> {
    let mut last: Option<(&[SeenTile], ReplayMoment)> = None;
    let mut moments = Vec::with_capacity(kept.len());
    for kept in kept {
        let (at, settled, tracked_ms) = (kept.at, kept.settled, kept.tracked_ms);
        let moment = match &last {
            Some((tiles, moment)) if *tiles == kept.tiles.as_slice() => {
                ReplayMoment { at, settled, tracked_ms, ..moment.clone() }
            }
            _ => {
                let shown = layout::read(&kept.tiles, &Hints::default());
                let scored = shown
                    .hand
                    .as_ref()
                    .is_some_and(|hand| hand.finished && hand.confidence >= SURE_ENOUGH);
                let reading = shown.hand.map(|hand| hand.reading);
                let tiles = kept.tiles.iter().zip(&kept.ids).filter_map(|(tile, id)| {
                    let best = |a: &usize, b: &usize| tile.faces[*a].total_cmp(&tile.faces[*b]);
                    let face = Face::from_index((0..Face::COUNT).max_by(best)?)?;
                    Some((*id, face, tile.corners))
                });
                ReplayMoment { at, settled, tiles: tiles.collect(), reading, scored, tracked_ms }
            }
        };
        last = Some((&kept.tiles, moment.clone()));
        moments.push(moment);
    }
    moments
}
