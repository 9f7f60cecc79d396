//! The pictures of an evaluation.

use std::path::{Path, PathBuf};

use anyhow::Context;
use image::{RgbImage, imageops};

use crate::{
    cli::pictures,
    draw::{Miss, confusion_matrix, contact_sheet, reliability_diagram},
    evaluation::{Dataset, ErrorKind, TileError, TileTally, reliability},
    output::Inputs,
    tile::Face,
};

/// The most errors on the contact sheet.
const MOST: usize = 120;

/// The files of a folder into which is drawn.
fn files(folder: &Path) -> [PathBuf; 3] {
    ["confusion.png", "reliability.png", "errors.png"].map(|name| folder.join(name))
}

fn inputs(data: &Dataset) -> Inputs {
    Inputs::of(data.photos.iter().map(|photo| &photo.path))
}

/// Checks, before hours of reading, that no photo would be overwritten.
pub(super) fn refuse_inputs(folder: &Path, data: &Dataset) -> anyhow::Result<()> {
    let inputs = inputs(data);
    Ok(files(folder).iter().try_for_each(|file| inputs.refuse(file))?)
}

pub(super) fn draw(
    folder: &Path,
    data: &Dataset,
    tally: &TileTally,
    errors: &[TileError],
) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let names: Vec<String> = Face::all()
        .map(|face| face.to_string())
        .chain(["x", "?", "none"].map(str::to_owned))
        .collect();
    let [confusion, diagram, sheet] = files(folder);
    let inputs = inputs(data);
    pictures::save(&confusion_matrix(&names, &tally.confusion)?, &confusion, &inputs)?;
    let (bins, _) = reliability(&tally.answers);
    pictures::save(&reliability_diagram(&bins)?, &diagram, &inputs)?;
    let mut worst: Vec<&TileError> = errors.iter().collect();
    // Sorted by confidence, highest first; missed tiles last.
    worst.sort_by(|a, b| sureness(b).total_cmp(&sureness(a)));
    worst.truncate(MOST);
    let mut worst: Vec<(usize, &TileError)> = worst.into_iter().enumerate().collect();
    // Cut out by photo, so that each is decoded once.
    worst.sort_by_key(|(_, error)| error.photo);
    let mut misses = Vec::new();
    let mut open: Option<(usize, RgbImage)> = None;
    for (rank, error) in worst {
        let photo = &data.photos[error.photo];
        if open.as_ref().is_none_or(|(place, _)| *place != error.photo) {
            open = Some((error.photo, pictures::load(&photo.path)?.rgb().clone()));
        }
        let Some((_, picture)) = &open else { continue };
        let view = view(picture, error.bounds);
        misses.push((rank, Miss { view, what: what(error), place: photo.file.clone() }));
    }
    misses.sort_by_key(|(rank, _)| *rank);
    let misses: Vec<Miss> = misses.into_iter().map(|(_, miss)| miss).collect();
    pictures::save(&contact_sheet(&misses)?, &sheet, &inputs)
}

fn sureness(error: &TileError) -> f32 {
    error.read.map_or(0.0, |(_, p)| p)
}

fn what(error: &TileError) -> String {
    let truth = error.truth.map(|face| face.to_string()).unwrap_or_default();
    match (error.kind, error.read) {
        (ErrorKind::Missed, _) | (_, None) => format!("{truth} missed"),
        (ErrorKind::Extra, Some((face, p))) => format!("extra {face} {p:.2}"),
        (ErrorKind::Misclassified, Some((face, p))) => format!("{truth} as {face} {p:.2}"),
    }
}

/// A square around a box, twice as large.
fn view(picture: &RgbImage, [left, top, right, bottom]: [f32; 4]) -> RgbImage {
    let side = (1.8 * (right - left).max(bottom - top)).max(16.0);
    let (x, y) = ((left + right - side) / 2.0, (top + bottom - side) / 2.0);
    let mut view = RgbImage::new(side as u32, side as u32);
    imageops::replace(&mut view, picture, -(x as i64), -(y as i64));
    view
}
