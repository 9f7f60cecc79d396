//! `tilelens eval`: how well a folder of labelled photos is read.

mod live;
mod pinned;
mod recorded;
mod report;
mod sets;
mod sheets;

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use anyhow::{Context, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::{
    Outcome,
    pictures::{self, TilesetArgs},
};
use crate::{
    appraisal::SURE_ENOUGH,
    evaluation::{
        Dataset, HandTally, HandTruth, LabelPatch, Photo, TileError, TileTally, TileTruth,
    },
    layout::{self, Hints, PictureLayout, ShownHand, Unread},
    sight::SeenTile,
    vision::Rule,
};

#[derive(Args)]
#[command(
    after_help = "Example: tilelens eval ../shared/data --split val --patch datasets/val-patch.json --pictures out"
)]
pub(super) struct EvalArgs {
    /// The folder with labels/*.json and photos/
    #[arg(value_name = "DATASET")]
    folder: PathBuf,
    /// Measure a recorded session instead: a folder with replay.json and its video, which is read at its own
    /// pace
    #[arg(long, conflicts_with_all = ["split", "sources", "labels_as_read", "no_joint", "list", "patch", "pictures", "json", "without"])]
    live: bool,
    /// With --live: read each frame, however long it takes, so that nothing depends on the machine
    #[arg(long, requires = "live")]
    every_frame: bool,
    /// With --live, of a session of whole deals: write the record that was made of it into this file
    #[arg(long, value_name = "FILE", requires = "live")]
    record: Option<PathBuf>,
    /// Read only this split of splits.json, such as val
    #[arg(long)]
    split: Option<String>,
    /// Read only this source. Repeat the option for several sources
    #[arg(long = "source", value_name = "NAME")]
    sources: Vec<String>,
    /// Use the labels as readings, to measure how well hands are made from correct tiles
    #[arg(long)]
    labels_as_read: bool,
    /// Give every tile its likeliest face, whatever the rest of the hand suggests
    #[arg(long)]
    no_joint: bool,
    /// List the hands that are read differently from their labels, or correctly with doubts, with the doubts
    #[arg(long)]
    list: bool,
    /// Measure how much the profile of a tile set helps instead. One labelled tile of each face is learnt; the
    /// others are read without that profile, with it, and with another set's (with --models: by networks that
    /// never saw these sets)
    #[arg(long, conflicts_with_all = ["live", "labels_as_read", "no_joint", "list", "pictures"])]
    leave_set_out: bool,
    /// With --leave-set-out: the file that says which sessions show which set. Without it each session counts
    /// as a set of its own
    #[arg(long, value_name = "FILE", requires = "leave_set_out")]
    sets: Option<PathBuf>,
    /// The file with corrections of the labels
    #[arg(long, value_name = "FILE")]
    patch: Option<PathBuf>,
    /// Read only the photos that the corrections name
    #[arg(long, requires = "patch")]
    patched: bool,
    /// Use the networks in this folder instead of the built-in ones: detector.onnx, classifier.onnx,
    /// corners.onnx and confidence.toml. If the folder has a SHA256SUMS, the files have to match it
    #[arg(long, value_name = "DIR")]
    models: Option<PathBuf>,
    /// Leave out a rule or view of the reader, to measure its effect. Separate several with commas; a wrong
    /// name lists all of them
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    without: Vec<Rule>,
    /// The name or file of a set of tiles that was learnt. By default no set is used, so that figures do not
    /// depend on this machine
    #[arg(
        long,
        value_name = "NAME|FILE",
        conflicts_with = "leave_set_out",
        default_value = "none"
    )]
    tileset: String,
    /// Compare each photo with its earlier result in this file, and print the changes. The exit code is 1 if a
    /// photo that was all right no longer is
    #[arg(long, value_name = "FILE", conflicts_with_all = ["live", "leave_set_out", "json"])]
    pinned: Option<PathBuf>,
    /// With --pinned: print the changes, and write the new results into the file
    #[arg(long, requires = "pinned")]
    accept: bool,
    /// The number of photos to read at a time, each on one thread. With --live, the number of threads of the
    /// reader
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Draw the confusion matrix, the reliability diagram and the worst errors into this folder
    #[arg(long, value_name = "DIR")]
    pictures: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Figures of one source.
#[derive(Default)]
pub(super) struct Figures {
    tiles: TileTally,
    hands: HandTally,
}

pub(super) fn run(args: &EvalArgs) -> anyhow::Result<Outcome> {
    if args.live {
        let (models, record) = (args.models.as_deref(), args.record.as_deref());
        return live::run(&args.folder, models, args.threads, args.every_frame, record);
    }
    let mut data = Dataset::load(&args.folder, args.split.as_deref())?;
    if let Some(file) = &args.patch {
        let patch = LabelPatch::load(file)?;
        data.patch(&patch, file)?;
        if args.patched {
            data.photos.retain(|photo| patch.names(photo));
        }
    }
    if !args.sources.is_empty() {
        data.photos.retain(|photo| args.sources.contains(&photo.source));
    }
    if data.photos.is_empty() {
        let which = match (&args.split, args.sources.is_empty()) {
            (None, true) => "",
            _ => " of that split and source",
        };
        let folder = args.folder.display();
        bail!("no photos{which}: labels/SOURCE.json in {folder} would list them");
    }
    let missing: Vec<&Photo> = data.photos.iter().filter(|photo| !photo.path.is_file()).collect();
    if let Some(first) = missing.first().filter(|_| !args.labels_as_read) {
        let (file, others) = (first.path.display(), missing.len() - 1);
        bail!("{file} is labelled and not there, nor are {others} others");
    }
    if let Some(folder) = &args.pictures {
        sheets::refuse_inputs(folder, &data)?;
    }
    if args.leave_set_out {
        return sets::run(args, &data);
    }
    let count = data.photos.len();
    let seen = if args.labels_as_read { labelled(&data) } else { read_all(args, &mut data)? };
    let failed = count - data.photos.len();
    let Tallied { by_source, errors, photos } = count_all(args, &data, &seen);
    let mut total = Figures::default();
    for figures in by_source.values() {
        total.tiles.merge(&figures.tiles);
        total.hands.merge(&figures.hands);
    }
    if let Some(folder) = &args.pictures {
        sheets::draw(folder, &data, &total.tiles, &errors)?;
    }
    let name = args.split.as_deref().unwrap_or("all");
    if args.json {
        println!("{}", report::json(name, &by_source, &total, &data, &errors));
    } else {
        print!("{}", report::text(name, &by_source, &total));
    }
    pictures::ended(failed, count)?;
    Ok(match &args.pinned {
        Some(file) if !pinned::compare(file, photos, args.accept)? => Outcome::Nothing,
        _ => Outcome::Found,
    })
}

/// The tally over all photos.
#[derive(Default)]
struct Tallied {
    by_source: BTreeMap<String, Figures>,
    errors: Vec<TileError>,
    photos: pinned::ByPhoto,
}

fn count_all(args: &EvalArgs, data: &Dataset, seen: &[Vec<SeenTile>]) -> Tallied {
    let hints = Hints { joint: !args.no_joint, ..Hints::default() };
    let Tallied { mut by_source, mut errors, mut photos } = Tallied::default();
    for (place, (photo, seen)) in data.photos.iter().zip(seen).enumerate() {
        let figures = by_source.entry(photo.source.clone()).or_default();
        let mut own = TileTally::default();
        let own_errors = own.add(place, photo, seen);
        let mut counts = pinned::PhotoCounts {
            right: own.read.good,
            of: own.read.of,
            errors: own_errors.len(),
            hand: None,
        };
        figures.tiles.merge(&own);
        errors.extend(own_errors);
        if photo.hand.is_some() || photo.refuse {
            let shown = layout::read(seen, &hints);
            if let Some(truth) = &photo.hand {
                let right = figures.hands.add(truth, &shown, SURE_ENOUGH);
                counts.hand = Some(right);
                let sure = shown.hand.as_ref().is_some_and(|hand| hand.confidence >= SURE_ENOUGH);
                if args.list && !(right && sure) {
                    list(photo, truth, &shown, right);
                }
            } else {
                let scored = |hand: &ShownHand| hand.finished && hand.confidence >= SURE_ENOUGH;
                figures.hands.refused.add(!shown.hand.as_ref().is_some_and(scored));
            }
        }
        photos.insert(format!("{}/{}", photo.source, photo.file), counts);
    }
    Tallied { by_source, errors, photos }
}

/// One hand that differs from its label or is uncertain.
fn list(photo: &Photo, truth: &HandTruth, shown: &PictureLayout, right: bool) {
    let (read, sure) = match (&shown.hand, &shown.refusal) {
        (Some(hand), _) => (hand.reading.to_string(), 100.0 * hand.confidence),
        (None, why) => (format!("no hand: {}", why.unwrap_or(Unread::NoRow)), 0.0),
    };
    let how = if right { "unsure" } else { "WRONG" };
    println!("{}/{}  {how}", photo.source, photo.file);
    println!("  labelled {}\n  read     {read}  {sure:.0} %", truth.reading);
    for doubt in shown.hand.iter().flat_map(|hand| &hand.doubts) {
        println!("  ? {}", doubt.why);
    }
}

/// The labels as if they were read.
fn labelled(data: &Dataset) -> Vec<Vec<SeenTile>> {
    let tiles = |photo: &Photo| {
        (photo.tiles.iter()).filter(|tile| !tile.ignore).filter_map(TileTruth::as_seen).collect()
    };
    data.photos.iter().map(tiles).collect()
}

/// Reads every photo, several at a time. Those that cannot be read are named and taken out of the data.
fn read_all(args: &EvalArgs, data: &mut Dataset) -> anyhow::Result<Vec<Vec<SeenTile>>> {
    let bar = ProgressBar::new(data.photos.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} photos, {eta} left") {
        bar.set_style(style);
    }
    let (next, pressed) = (AtomicUsize::new(0), pictures::interrupted(data.photos.len())?);
    let read: Mutex<Vec<Option<anyhow::Result<Vec<SeenTile>>>>> =
        Mutex::new(data.photos.iter().map(|_| None).collect());
    let mut readers = Vec::new();
    for _ in 0..args.threads.max(1) {
        let tileset = TilesetArgs { tileset: Some(args.tileset.clone()) };
        let mut reader = pictures::reader(args.models.as_deref(), 1)?;
        pictures::give_sets(&mut reader, &tileset)?;
        reader.leave_out(&args.without);
        readers.push(reader);
    }
    std::thread::scope(|scope| {
        for mut reader in readers {
            let (next, read, bar, photos) = (&next, &read, &bar, &data.photos);
            let pressed = &pressed;
            scope.spawn(move || {
                while !pressed.load(Ordering::Relaxed) {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(photo) = photos.get(place) else { break };
                    let tiles = pictures::load(&photo.path).and_then(|picture| {
                        reader.read(&picture).with_context(|| photo.path.display().to_string())
                    });
                    if let Ok(mut read) = read.lock() {
                        read[place] = Some(tiles);
                    }
                    bar.inc(1);
                }
            });
        }
    });
    let count = bar.position() as usize;
    bar.finish_and_clear();
    pictures::all_of(data.photos.len(), count, &pressed)?;
    let read = read.into_inner().map_err(|_| anyhow::anyhow!("a reader stopped"))?;
    let mut seen = Vec::new();
    let mut is_read = Vec::new();
    for tiles in read {
        let tiles = tiles.context("a photo was not read")?;
        is_read.push(tiles.is_ok());
        match tiles {
            Ok(tiles) => seen.push(tiles),
            Err(error) => eprintln!("{error:#}"),
        }
    }
    let mut is_read = is_read.into_iter();
    data.photos.retain(|_| is_read.next() == Some(true));
    Ok(seen)
}
