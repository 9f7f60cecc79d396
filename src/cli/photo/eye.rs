//! Where the tiles come from: pictures through the networks, or a reading that was printed before.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::Deserialize;

use super::is_stdin;
use crate::{
    appraisal::{Appraisal, ImageSize},
    tile::{Face, Tile},
    vision::{Corners, SeenTile},
};

/// A picture's tiles.
pub(super) struct Looked {
    pub size: ImageSize,
    pub tiles: Vec<SeenTile>,
}

/// Reads pictures; the networks are loaded once, and only if there is a picture.
pub(super) struct Eye {
    #[allow(dead_code, reason = "pictures are read through it once it has networks")]
    models: Option<PathBuf>,
}

const PICTURES: [&str; 11] =
    ["jpg", "jpeg", "png", "webp", "tif", "tiff", "bmp", "gif", "heic", "heif", "avif"];

/// Whether a file's name is that of a picture.
pub(super) fn is_picture_name(path: &Path) -> bool {
    path.extension()
        .and_then(|extension| extension.to_str())
        .is_some_and(|extension| PICTURES.contains(&extension.to_ascii_lowercase().as_str()))
}

impl Eye {
    pub fn new(models: Option<&Path>, _threads: usize, _files: &[PathBuf]) -> anyhow::Result<Self> {
        Ok(Self { models: models.map(Path::to_owned) })
    }

    pub fn look(&mut self, file: &Path) -> anyhow::Result<Looked> {
        if file.extension().is_some_and(|extension| extension == "json") {
            let text = std::fs::read_to_string(file)
                .with_context(|| format!("cannot read {}", file.display()))?;
            return printed(&text).with_context(|| file.display().to_string());
        }
        let name = if is_stdin(file) { "standard input".into() } else { file.to_string_lossy() };
        bail!("{name}: pictures cannot be read yet: give the reading of one, as JSON");
    }
}

/// A reading as `--json` prints it, read back.
#[derive(Deserialize)]
struct Printed {
    image: PrintedSize,
    tiles: Vec<PrintedTile>,
}

#[derive(Deserialize)]
struct PrintedSize {
    width: u32,
    height: u32,
}

#[derive(Deserialize)]
struct PrintedTile {
    code: String,
    corners: Corners,
    #[serde(default = "one")]
    confidence: f32,
    #[serde(default)]
    alternatives: Vec<(String, f32)>,
}

const fn one() -> f32 {
    1.0
}

fn printed(text: &str) -> anyhow::Result<Looked> {
    let printed: Printed =
        serde_json::from_str(text).context("not a reading as --json prints it")?;
    let tiles = printed.tiles.iter().map(seen).collect::<anyhow::Result<Vec<_>>>()?;
    let size = ImageSize { width: printed.image.width, height: printed.image.height };
    Ok(Looked { size, tiles })
}

fn seen(tile: &PrintedTile) -> anyhow::Result<SeenTile> {
    let mut faces = [0.0f32; Face::COUNT];
    let (mut back, mut red) = (0.0, 0.0);
    let confidence = tile.confidence.clamp(0.0, 1.0);
    match tile.code.as_str() {
        "x" => back = confidence,
        "?" => {}
        code => {
            let named: Tile = code.parse()?;
            faces[named.face().index()] = confidence;
            red = if named.is_red() { 1.0 } else { 0.0 };
        }
    }
    for (code, p) in &tile.alternatives {
        let face: Face = code.parse()?;
        faces[face.index()] += p.clamp(0.0, 1.0);
    }
    let rest = (1.0 - back - faces.iter().sum::<f32>()).max(0.0) / Face::COUNT as f32;
    for p in &mut faces {
        *p += rest;
    }
    let turns = if back > 0.5 { [0.25; 4] } else { [0.97, 0.01, 0.01, 0.01] };
    Ok(SeenTile { corners: tile.corners, found: 1.0, faces, back, reject: 0.0, red, turns })
}

/// Draws a reading onto its picture.
pub(super) fn annotate(_looked: &Looked, _appraisal: &Appraisal, to: &Path) -> anyhow::Result<()> {
    bail!("{}: pictures cannot be drawn yet", to.display())
}
