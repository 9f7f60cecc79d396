//! The reading of a picture as one JSON object (FORMATS, Reading of a picture).

use serde::{Serialize, Serializer, ser::SerializeMap};

use super::Appraisal;
use crate::layout::{Doubt, ShownHand, ShownTile};

/// Size of the picture in pixels, after its EXIF orientation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ImageSize {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
}

/// What was read of one picture.
#[derive(Clone, Copy, Debug)]
pub struct PictureReading<'a> {
    /// The file, where several were read.
    pub file: Option<&'a str>,
    /// Its size.
    pub image: ImageSize,
    /// What was read.
    pub appraisal: &'a Appraisal,
}

/// The tiles of one picture, whatever they make.
#[derive(Clone, Copy, Debug)]
pub struct TilesReading<'a> {
    /// The file, where several were read.
    pub file: Option<&'a str>,
    /// Its size.
    pub image: ImageSize,
    /// What was found.
    pub tiles: &'a [ShownTile],
    /// How many pixels and crops the networks were shown for it; only `tiles` says so.
    pub work: Option<&'a serde_json::Value>,
}

impl Serialize for TilesReading<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(file) = self.file {
            map.serialize_entry("file", file)?;
        }
        map.serialize_entry("image", &self.image)?;
        let tiles: Vec<TileJson> =
            self.tiles.iter().map(|tile| TileJson(tile, With::TileAlone)).collect();
        map.serialize_entry("tiles", &tiles)?;
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
    /// Its place in the hand too.
    Role,
    /// The tile as it lies.
    TileAlone,
}

struct TileJson<'a>(&'a ShownTile, With);

impl Serialize for TileJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let tile = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("code", &tile.face.to_string())?;
        map.serialize_entry("corners", &tile.corners.map(|corner| corner.map(tenths)))?;
        map.serialize_entry("confidence", &thousandths(tile.confidence))?;
        let alternatives: Vec<(String, f64)> =
            tile.alternatives.iter().map(|(face, p)| (face.to_string(), thousandths(*p))).collect();
        map.serialize_entry("alternatives", &alternatives)?;
        if self.1 == With::Role {
            map.serialize_entry("role", tile.role.name())?;
            map.serialize_entry("group", &tile.group)?;
        }
        map.end()
    }
}

struct DoubtJson<'a>(&'a Doubt);

impl Serialize for DoubtJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("tile", &self.0.tile)?;
        map.serialize_entry("why", &self.0.why)?;
        if let Some(other) = &self.0.otherwise {
            map.serialize_entry("otherwise", &other.to_string())?;
        }
        map.end()
    }
}

struct HandJson<'a>(&'a ShownHand, Option<&'a str>);

impl Serialize for HandJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut doubts: Vec<DoubtJson> = self.0.doubts.iter().map(DoubtJson).collect();
        let withheld = self.1.map(|why| Doubt::of_hand(why.to_owned()));
        if let Some(withheld) = &withheld
            && !self.0.doubts.iter().any(|doubt| doubt.why == withheld.why)
        {
            doubts.push(DoubtJson(withheld));
        }
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("text", &self.0.reading.to_string())?;
        map.serialize_entry("confidence", &thousandths(self.0.confidence))?;
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
        let tiles: Vec<TileJson> =
            shown.tiles.iter().map(|tile| TileJson(tile, With::Role)).collect();
        map.serialize_entry("tiles", &tiles)?;
        let hand = shown.hand.as_ref().map(|hand| HandJson(hand, appraisal.withheld.as_deref()));
        map.serialize_entry("hand", &hand)?;
        map.serialize_entry("score", &appraisal.answer)?;
        if let Some(why) = &shown.refusal {
            map.serialize_entry("refusal", why)?;
        }
        map.end()
    }
}
