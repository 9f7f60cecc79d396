//! The reading of a picture as one JSON object (docs/formats.md).

use serde::Serialize;

use super::{Appraisal, Withheld};
use crate::{
    layout::{Doubt, Role, ShownHand, ShownTile},
    rules::Answer,
    words::Say,
};

/// Size of the picture in pixels, after its EXIF orientation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ImageSize {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
}

/// The reading of one picture.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PictureReading<'a> {
    /// The file, where several were read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<&'a str>,
    /// Its size.
    pub image: ImageSize,
    /// Its tiles, with their places in the hand.
    pub tiles: Vec<TileReading>,
    /// The hand, where one is shown.
    pub hand: Option<HandReading>,
    /// The score.
    pub score: Option<&'a Answer>,
    /// Why there is no hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
}

impl<'a> PictureReading<'a> {
    /// The reading in the words of a front end; a tile's number is its place in the list.
    pub fn of(
        file: Option<&'a str>,
        image: ImageSize,
        appraisal: &'a Appraisal,
        words: Words,
    ) -> Self {
        Self {
            file,
            image,
            tiles: TileReading::in_hand(&appraisal.shown.tiles, None),
            hand: HandReading::of(appraisal, None, words),
            score: appraisal.answer.as_ref(),
            refusal: appraisal.shown.refusal.as_ref().map(ToString::to_string),
        }
    }
}

/// A doubt, or the reason for no score, as a front end words it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worded {
    /// In English.
    pub why: String,
    /// As sentences that a page looks up in its language; empty for a terminal.
    pub said: Vec<Say>,
}

/// A front end's words for doubts. The library's own words mention no option and no field.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// The words for a doubt, with its cure and its effect.
    pub doubt: fn(&Doubt) -> Worded,
    /// The words for why there is no score.
    pub withheld: fn(&Withheld) -> Worded,
}

impl From<String> for Worded {
    fn from(why: String) -> Self {
        Self { why, said: Vec::new() }
    }
}

impl Default for Words {
    fn default() -> Self {
        let doubt = |doubt: &Doubt| {
            let effect =
                doubt.effect.as_ref().map(|effect| format!("; {}", effect.sentence().english()));
            format!("{}{}", doubt.why, effect.unwrap_or_default()).into()
        };
        Self { doubt, withheld: |why| why.to_string().into() }
    }
}

/// The tiles of one picture, whatever they make.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TilesReading<'a> {
    /// The file, where several were read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<&'a str>,
    /// Its size.
    pub image: ImageSize,
    /// The detected tiles.
    pub tiles: Vec<TileReading>,
    /// The number of pixels and crops that the networks processed.
    pub work: &'a serde_json::Value,
}

fn thousandths(p: f32) -> f64 {
    (f64::from(p) * 1000.0).round() / 1000.0
}

fn tenths(x: f32) -> f64 {
    (f64::from(x) * 10.0).round() / 10.0
}

/// A tile of a picture.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TileReading {
    /// Its number, by which doubts and corrections name it.
    pub id: u64,
    /// Its face; `x` for a back, `?` for one that was not recognised.
    pub code: String,
    /// Its corners from the face's own top left, clockwise, in pixels.
    pub corners: [[f64; 2]; 4],
    /// The probability of that face, 0-1.
    pub confidence: f64,
    /// Other faces that it may show, the likelier first, with their probabilities.
    pub alternatives: Vec<(String, f64)>,
    /// Its place in the hand; left out where hands are not read.
    #[serde(flatten)]
    pub place: Option<TilePlace>,
}

/// The place of a tile in the hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TilePlace {
    /// Its role.
    pub role: Role,
    /// The number of its group.
    pub group: Option<usize>,
}

impl TileReading {
    /// Tiles with their places in the hand. `ids`: their numbers; `None`: their places in the list.
    pub fn in_hand(tiles: &[ShownTile], ids: Option<&[u64]>) -> Vec<Self> {
        let placed = |(place, tile): (usize, &ShownTile)| Self {
            place: Some(TilePlace { role: tile.role, group: tile.group }),
            ..Self::of(number(ids, place), tile)
        };
        tiles.iter().enumerate().map(placed).collect()
    }

    /// A tile alone.
    pub fn of(id: u64, tile: &ShownTile) -> Self {
        let alternatives = tile.alternatives.iter();
        Self {
            id,
            code: tile.face.to_string(),
            corners: tile.corners.map(|corner| corner.map(tenths)),
            confidence: thousandths(tile.confidence),
            alternatives: alternatives
                .map(|(face, p)| (face.to_string(), thousandths(*p)))
                .collect(),
            place: None,
        }
    }

    /// Whether it belongs to the hand.
    pub fn is_of_hand(&self) -> bool {
        self.place.is_some_and(|place| place.role != Role::Other)
    }
}

/// The number of the tile at a place.
fn number(ids: Option<&[u64]>, place: usize) -> u64 {
    ids.and_then(|ids| ids.get(place)).copied().unwrap_or(place as u64)
}

/// The hand of a picture.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HandReading {
    /// The hand, in our notation.
    pub text: String,
    /// The probability that all of it is right, 0-1.
    pub confidence: f64,
    /// What is unsure or wrong, and why there is no score.
    pub doubts: Vec<DoubtReading>,
}

/// A doubt about a hand.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DoubtReading {
    /// The number of the tile in doubt; `None` where all of the hand is.
    pub tile: Option<u64>,
    /// The doubt in English.
    pub why: String,
    /// The hand as it would be otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub otherwise: Option<String>,
    /// The doubt as sentences, for pages.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<Say>,
}

impl HandReading {
    /// The hand of an appraisal; `None` where none is shown.
    pub fn of(appraisal: &Appraisal, ids: Option<&[u64]>, words: Words) -> Option<Self> {
        let ShownHand { reading, confidence, doubts, .. } = appraisal.shown.hand.as_ref()?;
        let doubt = |doubt: &Doubt| {
            let Worded { why, said } = (words.doubt)(doubt);
            let otherwise = doubt.otherwise.as_ref().map(ToString::to_string);
            DoubtReading { tile: doubt.tile.map(|place| number(ids, place)), why, otherwise, said }
        };
        let withheld = appraisal.withheld.as_ref();
        let withheld = withheld.filter(|why| !doubts.iter().any(|doubt| why.is(doubt))).map(|it| {
            let Worded { why, said } = (words.withheld)(it);
            DoubtReading { tile: None, why, otherwise: None, said }
        });
        Some(Self {
            text: reading.to_string(),
            confidence: thousandths(*confidence),
            doubts: doubts.iter().map(doubt).chain(withheld).collect(),
        })
    }
}
