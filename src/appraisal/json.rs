//! The reading of a picture as one JSON object (FORMATS, Reading of a picture).

use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::{Value, json};

use super::{Appraisal, Withheld};
use crate::layout::{Doubt, ShownHand, ShownTile};

/// Size of the picture in pixels, after its EXIF orientation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ImageSize {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
}

/// The reading of one picture.
#[derive(Clone, Copy, Debug)]
pub struct PictureReading<'a> {
    /// The file, where several were read.
    pub file: Option<&'a str>,
    /// Its size.
    pub image: ImageSize,
    /// The appraisal of the picture.
    pub appraisal: &'a Appraisal,
    /// The number of each tile, by which doubts and corrections name it; `None`: its place in the list.
    pub ids: Option<&'a [u64]>,
    /// The words for doubts.
    pub words: Words,
}

/// A front end's words for doubts. The library's own words mention no option and no field.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// The sentence for a doubt, with its cure and its effect.
    pub doubt: fn(&Doubt) -> String,
    /// The sentence for why there is no score.
    pub withheld: fn(&Withheld) -> String,
}

impl Default for Words {
    fn default() -> Self {
        let doubt = |doubt: &Doubt| {
            let effect =
                doubt.effect.as_ref().map(|effect| format!("; {}", effect.sentence().english()));
            format!("{}{}", doubt.why, effect.unwrap_or_default())
        };
        Self { doubt, withheld: Withheld::to_string }
    }
}

/// The tiles of one picture, whatever they make.
#[derive(Clone, Copy, Debug)]
pub struct TilesReading<'a> {
    /// The file, where several were read.
    pub file: Option<&'a str>,
    /// Its size.
    pub image: ImageSize,
    /// The detected tiles.
    pub tiles: &'a [ShownTile],
    /// The number of each tile; `None`: its place in the list.
    pub ids: Option<&'a [u64]>,
    /// The number of pixels and crops that the networks processed; only `tiles` reports it.
    pub work: Option<&'a serde_json::Value>,
}

impl Serialize for TilesReading<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(file) = self.file {
            map.serialize_entry("file", file)?;
        }
        map.serialize_entry("image", &self.image)?;
        map.serialize_entry("tiles", &listed(self.tiles, self.ids, With::TileAlone))?;
        if let Some(work) = self.work {
            map.serialize_entry("work", work)?;
        }
        map.end()
    }
}

fn thousandths(p: f32) -> f64 {
    (f64::from(p) * 1000.0).round() / 1000.0
}

fn tenths(x: f32) -> f64 {
    (f64::from(x) * 10.0).round() / 10.0
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum With {
    /// The tile with its place in the hand.
    Role,
    /// The tile alone.
    TileAlone,
}

struct TileJson<'a>(u64, &'a ShownTile, With);

/// The number of the tile at a place.
fn number(ids: Option<&[u64]>, place: usize) -> u64 {
    ids.and_then(|ids| ids.get(place)).copied().unwrap_or(place as u64)
}

fn listed<'a>(tiles: &'a [ShownTile], ids: Option<&[u64]>, with: With) -> Vec<TileJson<'a>> {
    let tiles = tiles.iter().enumerate();
    tiles.map(|(place, tile)| TileJson(number(ids, place), tile, with)).collect()
}

impl Serialize for TileJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(id, tile, with) = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("id", id)?;
        map.serialize_entry("code", &tile.face.to_string())?;
        map.serialize_entry("corners", &tile.corners.map(|corner| corner.map(tenths)))?;
        map.serialize_entry("confidence", &thousandths(tile.confidence))?;
        let alternatives: Vec<(String, f64)> =
            tile.alternatives.iter().map(|(face, p)| (face.to_string(), thousandths(*p))).collect();
        map.serialize_entry("alternatives", &alternatives)?;
        if *with == With::Role {
            map.serialize_entry("role", tile.role.name())?;
            map.serialize_entry("group", &tile.group)?;
        }
        map.end()
    }
}

struct HandJson<'a>(&'a ShownHand, Option<&'a [u64]>, Option<&'a Withheld>, Words);

impl Serialize for HandJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(hand, ids, withheld, words) = self;
        let mut doubts: Vec<Value> = (hand.doubts.iter())
            .map(|doubt| {
                let tile = doubt.tile.map(|place| number(*ids, place));
                let mut said = json!({ "tile": tile, "why": (words.doubt)(doubt) });
                if let Some(other) = &doubt.otherwise {
                    said["otherwise"] = other.to_string().into();
                }
                said
            })
            .collect();
        if let Some(why) = withheld.filter(|why| !hand.doubts.iter().any(|doubt| why.is(doubt))) {
            doubts.push(json!({ "tile": null, "why": (words.withheld)(why) }));
        }
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("text", &hand.reading.to_string())?;
        map.serialize_entry("confidence", &thousandths(hand.confidence))?;
        map.serialize_entry("doubts", &doubts)?;
        map.end()
    }
}

impl Serialize for PictureReading<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let appraisal = self.appraisal;
        let shown = &appraisal.shown;
        let mut map = serializer.serialize_map(None)?;
        if let Some(file) = self.file {
            map.serialize_entry("file", file)?;
        }
        map.serialize_entry("image", &self.image)?;
        map.serialize_entry("tiles", &listed(&shown.tiles, self.ids, With::Role))?;
        let withheld = appraisal.withheld.as_ref();
        let hand = shown.hand.as_ref().map(|hand| HandJson(hand, self.ids, withheld, self.words));
        map.serialize_entry("hand", &hand)?;
        map.serialize_entry("score", &appraisal.answer)?;
        if let Some(why) = &shown.refusal {
            map.serialize_entry("refusal", &why.to_string())?;
        }
        map.end()
    }
}
