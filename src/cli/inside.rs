//! `tilelens tiles --inside`: how a picture was read, as pictures, JSON and a page that shows them.

use std::{fs, io::Cursor, path::Path};

use anyhow::Context as _;
use image::{ImageFormat, RgbImage};
use serde_json::{Value as Json, json};

use crate::{
    output::{self, Inputs},
    picture::Picture,
    sight::{Corners, SeenTile},
    tile::Face,
    vision::{CropInside, Inside, JudgedInside, StepInside, Work},
};

const PAGE: &str = include_str!("inside.html");
/// The most alternative faces listed for a crop.
const NAMES: usize = 4;
/// The largest width or height of the picture on the page, in pixels.
const SHOWN: u32 = 1600;

/// Writes a folder: `index.html`, `inside.json`, and the pictures of each detector pass and each crop.
pub(super) fn save(
    folder: &Path,
    name: &str,
    picture: &Picture,
    inside: &Inside,
    work: Work,
    inputs: &Inputs,
) -> anyhow::Result<()> {
    fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let put = |file: &str, bytes: &[u8]| {
        let to = folder.join(file);
        output::write(&to, bytes, inputs).with_context(|| format!("cannot write {}", to.display()))
    };
    let png = |file: &str, shown: &RgbImage| -> anyhow::Result<()> {
        let mut bytes = Cursor::new(Vec::new());
        shown.write_to(&mut bytes, ImageFormat::Png)?;
        put(file, bytes.get_ref())
    };
    let (width, height) = (picture.width(), picture.height());
    let scale = (f64::from(SHOWN) / f64::from(width.max(height))).min(1.0);
    let [across, down] = [width, height].map(|side| ((f64::from(side) * scale) as u32).max(1));
    png("picture.png", &image::imageops::thumbnail(picture.rgb(), across, down))?;
    let mut passes = Vec::new();
    for (number, pass) in inside.passes.iter().enumerate() {
        let file = format!("look-{number:02}.png");
        png(&file, &pass.shown)?;
        let detections: Vec<Json> = (pass.detections.iter())
            .map(|(corners, score, back)| {
                json!({ "corners": corners.map(point), "heat": thousandths(*score), "back": back })
            })
            .collect();
        passes.push(json!({
            "file": file, "low": pass.low, "high": pass.high, "scale": thousandths(pass.scale),
            "pulled": pass.pulled, "width": pass.shown.width(), "height": pass.shown.height(),
            "finds": detections,
        }));
    }
    let mut crops = Vec::new();
    for (number, crop) in inside.crops.iter().enumerate() {
        let file = format!("crop-{number:03}.png");
        png(&file, &crop.shown)?;
        crops.push(json!({
            "file": file, "corners": crop.corners.map(point), "names": names(crop),
            "turns": crop.turns.map(thousandths),
        }));
    }
    let all = json!({
        "picture": name, "image": { "width": width, "height": height }, "work": work,
        "looks": passes, "crops": crops, "candidates": judged(&inside.candidates), "blanks": judged(&inside.blanks), "steps": steps(&inside.steps),
    });
    let text = serde_json::to_string(&all)?;
    put("inside.json", text.as_bytes())?;
    // In HTML, `</` in a script's text ends it.
    put("index.html", PAGE.replace("INSIDE", &text.replace("</", "<\\/")).as_bytes())
}

fn thousandths(x: f32) -> f64 {
    (f64::from(x) * 1000.0).round() / 1000.0
}

fn point(at: [f32; 2]) -> [f64; 2] {
    at.map(|x| (f64::from(x) * 10.0).round() / 10.0)
}

/// Places as JSON, with the features and score of each.
fn judged(places: &[JudgedInside]) -> Vec<Json> {
    (places.iter())
        .map(|place| {
            json!({
                "corners": place.corners.map(point), "features": place.features,
                "p": thousandths(place.p),
            })
        })
        .collect()
}

fn names(crop: &CropInside) -> Vec<(String, f64)> {
    let faces = Face::all().map(|face| (face.to_string(), crop.faces[face.index()]));
    let others = [("back".to_owned(), crop.back), ("no tile".to_owned(), crop.reject)];
    let mut names: Vec<(String, f32)> = faces.chain(others).collect();
    names.sort_by(|a, b| b.1.total_cmp(&a.1));
    names.truncate(NAMES);
    names.into_iter().map(|(name, p)| (name, thousandths(p))).filter(|(_, p)| *p > 0.0).collect()
}

/// Each step with its tiles and its changes: tiles that are new or read otherwise, and removed places.
fn steps(steps: &[StepInside]) -> Vec<Json> {
    let mut before: &[SeenTile] = &[];
    let mut found = Vec::new();
    for StepInside { step, tiles } in steps {
        let new: Vec<usize> =
            (0..tiles.len()).filter(|&number| !before.contains(&tiles[number])).collect();
        let gone: Vec<[[f64; 2]; 4]> = (before.iter())
            .filter(|tile| !tiles.iter().any(|other| other.corners == tile.corners))
            .map(|tile| tile.corners.map(point))
            .collect();
        found.push(json!({
            "step": step, "tiles": tiles.iter().map(tile).collect::<Vec<_>>(), "new": new,
            "gone": gone,
        }));
        before = tiles;
    }
    found
}

fn tile(tile: &SeenTile) -> Json {
    let corners: Corners = tile.corners;
    let (face, p) = tile.classified();
    json!({
        "corners": corners.map(point), "code": face.to_string(), "p": thousandths(p),
        "found": thousandths(tile.found), "no_tile": thousandths(tile.reject),
    })
}
