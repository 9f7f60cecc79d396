//! Sources of tiles: pictures read by the networks, or a printed reading.

use std::path::Path;

use anyhow::{Context, bail};
use serde::{Deserialize, de::IgnoredAny};

use crate::{
    appraisal::ImageSize,
    cli::pictures::{Drawings, NetworkArgs, TilesetArgs},
    layout::PictureLayout,
    sight::{Corners, SeenTile},
    tile::{Face, Tile},
};
#[cfg(feature = "vision")]
use crate::{
    cli::pictures,
    draw,
    layout::ShownTile,
    picture::Picture,
    tileset::{Folder, SetName},
    vision::Reader,
};

/// A picture's tiles.
pub(super) struct PhotoTiles {
    pub size: ImageSize,
    pub tiles: Vec<SeenTile>,
    /// The pixels, where there were any.
    #[cfg(feature = "vision")]
    pub picture: Option<Picture>,
}

/// Reads pictures; the networks are loaded once, and only if there is a picture.
pub(super) struct TileSource {
    #[cfg(feature = "vision")]
    networks: NetworkArgs,
    #[cfg(feature = "vision")]
    tileset: TilesetArgs,
    #[cfg(feature = "vision")]
    reader: Option<Reader>,
}

impl TileSource {
    #[cfg(feature = "vision")]
    pub fn new(networks: &NetworkArgs, tileset: &TilesetArgs) -> Self {
        Self { networks: networks.clone(), tileset: tileset.clone(), reader: None }
    }

    #[cfg(not(feature = "vision"))]
    pub fn new(_networks: &NetworkArgs, _tileset: &TilesetArgs) -> Self {
        Self {}
    }

    /// The tiles of a picture or of a printed reading; the caller adds the file's name to errors.
    pub fn look(&mut self, file: &Path) -> anyhow::Result<PhotoTiles> {
        if file.extension().is_some_and(|extension| extension == "json") {
            return printed(&std::fs::read_to_string(file).context("cannot read it")?);
        }
        self.look_at_picture(file)
    }

    #[cfg(feature = "vision")]
    fn look_at_picture(&mut self, file: &Path) -> anyhow::Result<PhotoTiles> {
        let picture = pictures::decode(file)?;
        let reader = match &mut self.reader {
            Some(reader) => reader,
            none => none.insert(pictures::reader_of_sets(&self.networks, &self.tileset)?),
        };
        let tiles = reader.read(&picture)?;
        pictures::tell_of_wrong_set(reader, &self.tileset, file);
        let size = ImageSize { width: picture.width(), height: picture.height() };
        Ok(PhotoTiles { size, tiles, picture: Some(picture) })
    }

    /// The set of tiles that influenced the last reading.
    #[cfg(feature = "vision")]
    pub fn set_in_use(&self) -> Option<SetName> {
        let set = self.reader.as_ref()?.tileset()?;
        (set.weight > 0.0).then(|| set.name.clone())
    }

    /// Keeps corrections of a picture's tiles, by number, in a set of tiles. Faces are oriented as in the reading,
    /// where the hand's other tiles help.
    #[cfg(feature = "vision")]
    pub fn teach(
        &mut self,
        looked: &PhotoTiles,
        shown: &[ShownTile],
        name: &SetName,
        fixes: &[(usize, Tile)],
    ) -> anyhow::Result<()> {
        let (Some(reader), Some(picture)) = (&mut self.reader, &looked.picture) else {
            bail!("a printed reading has no picture to learn from");
        };
        let folder = Folder::of_user()?;
        let mut profile = folder.load(name)?;
        if !reader.knows(&profile) {
            bail!("{name} was learnt for another classifier: make it again from a photo first");
        }
        for (number, tile) in fixes {
            let Some(corrected) = shown.get(*number) else { continue };
            for turns in reader.examples(picture, &[corrected.corners])? {
                profile.teach(*tile, turns)?;
            }
            eprintln!("{name} knows this {tile} from now on");
        }
        folder.save(&profile)?;
        Ok(())
    }

    #[cfg(not(feature = "vision"))]
    fn look_at_picture(&mut self, _file: &Path) -> anyhow::Result<PhotoTiles> {
        bail!("this program was built without the feature `vision` and reads no pictures")
    }
}

/// A reading as `--json` prints it, read back: of a hand, of tiles alone, or of a deal. What follows from its tiles is found
/// again and not looked at.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "known fields that are not looked at")]
struct Printed {
    image: PrintedSize,
    tiles: Vec<PrintedTile>,
    file: Option<IgnoredAny>,
    hand: Option<IgnoredAny>,
    score: Option<IgnoredAny>,
    refusal: Option<IgnoredAny>,
    work: Option<IgnoredAny>,
    hands: Option<IgnoredAny>,
    confidence: Option<IgnoredAny>,
    doubts: Option<IgnoredAny>,
    questions: Option<IgnoredAny>,
    unsettled: Option<IgnoredAny>,
    payments: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PrintedSize {
    width: u32,
    height: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "known fields that are not looked at")]
struct PrintedTile {
    id: Option<IgnoredAny>,
    role: Option<IgnoredAny>,
    group: Option<IgnoredAny>,
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

fn printed(text: &str) -> anyhow::Result<PhotoTiles> {
    let printed: Printed =
        serde_json::from_str(text).context("not a reading as --json prints it")?;
    let tiles = printed.tiles.iter().map(seen).collect::<anyhow::Result<Vec<_>>>()?;
    let size = ImageSize { width: printed.image.width, height: printed.image.height };
    Ok(PhotoTiles {
        size,
        tiles,
        #[cfg(feature = "vision")]
        picture: None,
    })
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

/// Draws a reading onto its picture, with lines of text below.
#[cfg(feature = "vision")]
pub(super) fn annotate(
    looked: &PhotoTiles,
    shown: &PictureLayout,
    caption: &[String],
    drawings: &Drawings,
    place: usize,
) -> anyhow::Result<()> {
    let Some(picture) = &looked.picture else {
        let to = drawings.name(place).unwrap_or(Path::new("")).display();
        bail!("{to}: a printed reading has no picture to draw on");
    };
    drawings.save(place, &draw::annotated(picture.rgb(), shown, caption)?)
}

#[cfg(not(feature = "vision"))]
pub(super) fn annotate(
    _looked: &PhotoTiles,
    _shown: &PictureLayout,
    _caption: &[String],
    drawings: &Drawings,
    place: usize,
) -> anyhow::Result<()> {
    let to = drawings.name(place).unwrap_or(Path::new("")).display();
    bail!("{to}: this program was built without the feature `vision` and draws nothing")
}
