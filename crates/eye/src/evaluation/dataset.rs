//! Reads a folder of photos with labels: `labels/SOURCE.json`, `photos/SOURCE/FILE`, `splits.json`,
//! `labels/hands.json` (the README of the data describes each field).

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    path::{Path, PathBuf},
};

use serde::{Deserialize, de::DeserializeOwned};

use crate::{
    hand::Reading,
    sight::{Corners, SeenTile},
    tile::{Face, SeenFace, Tile},
};

/// Unusable labels.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {why}")]
pub struct DatasetError {
    /// The file.
    pub file: String,
    /// The fault, and its place.
    pub why: String,
}

/// One labelled tile.
#[derive(Clone, Debug)]
pub struct TileTruth {
    /// Left, top, right, bottom in pixels.
    pub bounds: [f32; 4],
    /// Its face.
    pub face: SeenFace,
    /// Whether any reading of it counts neither as right nor as wrong.
    pub ignore: bool,
    /// Corners, clockwise from the face's own top left (or half a turn on if `turn` is unknown).
    pub corners: Option<Corners>,
    /// Clockwise turn from upright: 0, 90, 180 or 270 degrees.
    pub turn: Option<u16>,
    /// Direction of its long side: 0 or 90 degrees.
    pub axis: Option<u16>,
}

impl TileTruth {
    /// The tile as a reader without mistakes would see it; `None` if it cannot be read.
    #[must_use]
    pub fn as_seen(&self) -> Option<SeenTile> {
        /// Probability that such a reader leaves to all other faces.
        const REST: f32 = 0.003;
        let [left, top, right, bottom] = self.bounds;
        let boxed = [[left, top], [right, top], [right, bottom], [left, bottom]];
        let mut turns = match (self.corners, self.turn) {
            (Some(_), Some(_)) => [0.97, 0.01, 0.01, 0.01],
            (Some(_), None) => [0.5, 0.0, 0.5, 0.0],
            (None, Some(turn)) => {
                let mut turns = [0.01; 4];
                turns[usize::from(turn / 90 % 4)] = 0.97;
                turns
            }
            (None, None) => {
                let lying = self.axis.map_or(right - left > bottom - top, |axis| axis == 90);
                if lying { [0.0, 0.5, 0.0, 0.5] } else { [0.5, 0.0, 0.5, 0.0] }
            }
        };
        let mut faces = [0.0; Face::COUNT];
        let (mut back, mut red) = (0.0, 0.0);
        match self.face {
            SeenFace::Unknown => return None,
            SeenFace::Back => {
                back = 1.0;
                turns = [0.25; 4];
            }
            SeenFace::Tile(tile) => {
                faces = [REST / (Face::COUNT - 1) as f32; Face::COUNT];
                faces[tile.face().index()] = 1.0 - REST;
                red = if tile.is_red() { 1.0 } else { 0.0 };
            }
        }
        let corners = self.corners.unwrap_or(boxed);
        Some(SeenTile { corners, found: 1.0, faces, back, reject: 0.0, red, turns })
    }
}

/// One labelled photo.
#[derive(Clone, Debug)]
pub struct Photo {
    /// Name of its source.
    pub source: String,
    /// File name within its source.
    pub file: String,
    /// Its path.
    pub path: PathBuf,
    /// Its session or scene; empty if the labels do not give it.
    pub group: String,
    /// Whether every readable face has a box, so that any other detection is wrong.
    pub complete: bool,
    /// Whether boxes may be too large, so that no corner errors are measured.
    pub loose: bool,
    /// Whether backs are labelled.
    pub backs: bool,
    /// The tiles.
    pub tiles: Vec<TileTruth>,
    /// The hand in it, read by a person.
    pub hand: Option<HandTruth>,
    /// Whether a hand must be refused here.
    pub refuse: bool,
}

/// The hand of a photo.
#[derive(Clone, Debug)]
pub struct HandTruth {
    /// The hand, from its text.
    pub reading: Reading,
    /// Whether a kong is written as four plain tiles although the count shows it: brackets are then not wrong.
    pub kong_by_count: bool,
    /// Whether the row has faces both ways, so that its side is open.
    pub side_open: bool,
}

/// All photos of a folder, or of one split.
#[derive(Clone, Debug, Default)]
pub struct Dataset {
    /// In the order of sources and files.
    pub photos: Vec<Photo>,
}

/// Corrections of labels: missing boxes, and boxes without a whole tile.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LabelPatch {
    /// Photos by `SOURCE/FILE`.
    photos: BTreeMap<String, PhotoPatch>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PhotoPatch {
    #[serde(default)]
    add: Vec<TileLabel>,
    /// Middles of boxes to ignore.
    #[serde(default)]
    ignore: Vec<[f32; 2]>,
    /// Whether every face has a box after these corrections.
    #[serde(default)]
    complete: bool,
}

#[derive(Deserialize)]
struct SourceLabels {
    images: Vec<PhotoLabel>,
    #[serde(default)]
    backs: bool,
}

#[derive(Deserialize)]
struct PhotoLabel {
    file: String,
    #[serde(default)]
    group: String,
    #[serde(default)]
    complete: bool,
    #[serde(default)]
    loose_boxes: bool,
    #[serde(default)]
    refuse: bool,
    tiles: Vec<TileLabel>,
}

#[derive(Clone, Debug, Deserialize)]
struct TileLabel {
    bbox: [f32; 4],
    code: String,
    #[serde(default)]
    red: bool,
    #[serde(default)]
    ignore: bool,
    #[serde(default)]
    corners: Option<Corners>,
    #[serde(default)]
    turn: Option<u16>,
    #[serde(default)]
    turn_axis: Option<u16>,
}

#[derive(Deserialize)]
struct SplitPart {
    photos: HashMap<String, HashSet<String>>,
}

#[derive(Deserialize)]
struct HandLabel {
    source: String,
    file: String,
    text: String,
    #[serde(default)]
    notes: String,
}

impl Dataset {
    /// Reads the labels of a folder; only one split if `split` names it.
    ///
    /// # Errors
    /// A file is missing or malformed, or the split is not in `splits.json`.
    pub fn load(folder: &Path, split: Option<&str>) -> Result<Self, DatasetError> {
        let wanted = match split {
            None => None,
            Some(split) => {
                let path = folder.join("splits.json");
                let invalid = |why| DatasetError { file: path.display().to_string(), why };
                // Besides the splits the file has notes.
                let mut splits: BTreeMap<String, serde_json::Value> = json(&path)?;
                let part = splits.remove(split).filter(|part| part.get("photos").is_some());
                let part = part.ok_or_else(|| invalid(format!("no split `{split}`")))?;
                let part: SplitPart =
                    serde_json::from_value(part).map_err(|error| invalid(error.to_string()))?;
                Some(part.photos)
            }
        };
        let hands_file = folder.join("labels/hands.json");
        let mut hands = HashMap::new();
        if hands_file.exists() {
            for label in json::<Vec<HandLabel>>(&hands_file)? {
                // A `?` face outside the 43 cannot be compared.
                let Ok(reading) = label.text.parse::<Reading>() else { continue };
                let truth = HandTruth {
                    reading,
                    kong_by_count: label.notes.contains("by count"),
                    side_open: label.notes.contains("both ways")
                        || label.notes.contains("upside down"),
                };
                hands.insert((label.source, label.file), truth);
            }
        }
        let labels = folder.join("labels");
        let mut sources: Vec<PathBuf> = std::fs::read_dir(&labels)
            .map_err(|error| DatasetError {
                file: labels.display().to_string(),
                why: format!(
                    "{error}; a data set has labels/SOURCE.json and its pictures in photos/SOURCE/"
                ),
            })?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
            .filter(|path| path.file_stem().is_some_and(|stem| stem != "hands"))
            .collect();
        sources.sort();
        let mut photos = Vec::new();
        for path in sources {
            let source = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let invalid = |why| DatasetError { file: path.display().to_string(), why };
            let text =
                std::fs::read_to_string(&path).map_err(|error| invalid(error.to_string()))?;
            for mut photo in parse_labels(&text, &source, folder).map_err(invalid)? {
                let is_wanted = wanted.as_ref().is_none_or(|wanted| {
                    wanted.get(&source).is_some_and(|files| files.contains(&photo.file))
                });
                if is_wanted {
                    photo.hand = hands.remove(&(source.clone(), photo.file.clone()));
                    photos.push(photo);
                }
            }
        }
        Ok(Self { photos })
    }

    /// Applies corrections.
    ///
    /// # Errors
    /// An added tile is malformed, a box to ignore is missing, or a corrected photo is missing.
    pub fn patch(&mut self, patch: &LabelPatch, file: &Path) -> Result<(), DatasetError> {
        if !self.photos.iter().any(|photo| patch.names(photo)) {
            let why = "it corrects none of these photos: its names are SOURCE/FILE".to_owned();
            return Err(DatasetError { file: file.display().to_string(), why });
        }
        for photo in &mut self.photos {
            let Some(patch) = patch.photos.get(&photo.name()) else {
                continue;
            };
            photo.complete |= patch.complete;
            for [x, y] in &patch.ignore {
                let inside = |b: &[f32; 4]| (b[0]..b[2]).contains(x) && (b[1]..b[3]).contains(y);
                let Some(tile) = photo.tiles.iter_mut().find(|tile| inside(&tile.bounds)) else {
                    let why = format!("{}: no box at {x}, {y}", photo.file);
                    return Err(DatasetError { file: file.display().to_string(), why });
                };
                tile.ignore = true;
            }
            for label in &patch.add {
                let why = |why| DatasetError { file: file.display().to_string(), why };
                photo.tiles.push(truth(label).map_err(why)?);
            }
        }
        Ok(())
    }
}

/// The photos of one file of labels; their pictures are in `folder/photos/SOURCE/`.
///
/// # Errors
/// The fault of the text, and its place.
///
/// ```
/// use tilelens_eye::evaluation::parse_labels;
/// let text = r#"{"images": [{"file": "a.jpg", "tiles": [{"bbox": [5, 8, 30, 40], "code": "5p"}]}]}"#;
/// let photos = parse_labels(text, "mine", "data".as_ref()).expect("labels");
/// assert_eq!(photos[0].path, std::path::Path::new("data/photos/mine/a.jpg"));
/// assert_eq!(photos[0].tiles[0].bounds, [5.0, 8.0, 35.0, 48.0]);
/// ```
pub fn parse_labels(text: &str, source: &str, folder: &Path) -> Result<Vec<Photo>, String> {
    let SourceLabels { images, backs } =
        serde_json::from_str(text).map_err(|error| error.to_string())?;
    let photo = |label: PhotoLabel| {
        let tiles = label
            .tiles
            .iter()
            .map(|tile| truth(tile).map_err(|why| format!("{}: {why}", label.file)));
        Ok(Photo {
            path: folder.join("photos").join(source).join(&label.file),
            group: label.group,
            complete: label.complete,
            loose: label.loose_boxes,
            backs,
            tiles: tiles.collect::<Result<_, String>>()?,
            hand: None,
            refuse: label.refuse,
            source: source.to_owned(),
            file: label.file,
        })
    };
    images.into_iter().map(photo).collect()
}

fn truth(label: &TileLabel) -> Result<TileTruth, String> {
    let [x, y, width, height] = label.bbox;
    let face = match label.code.as_str() {
        "?" => SeenFace::Unknown,
        "x" => SeenFace::Back,
        code => {
            let face: Face =
                code.parse().map_err(|error: crate::tile::FaceError| error.to_string())?;
            let red = Tile::red_five(face.suit()).filter(|five| label.red && five.face() == face);
            SeenFace::Tile(red.unwrap_or_else(|| face.into()))
        }
    };
    Ok(TileTruth {
        bounds: [x, y, x + width, y + height],
        face,
        ignore: label.ignore || face == SeenFace::Unknown,
        corners: label.corners,
        turn: label.turn,
        axis: label.turn_axis,
    })
}

fn json<T: DeserializeOwned>(path: &Path) -> Result<T, DatasetError> {
    let invalid = |why: String| DatasetError { file: path.display().to_string(), why };
    let text = std::fs::read_to_string(path).map_err(|error| invalid(error.to_string()))?;
    serde_json::from_str(&text).map_err(|error| invalid(error.to_string()))
}

impl Photo {
    /// `SOURCE/FILE`.
    fn name(&self) -> String {
        format!("{}/{}", self.source, self.file)
    }
}

impl LabelPatch {
    /// Whether it corrects this photo.
    #[must_use]
    pub fn names(&self, photo: &Photo) -> bool {
        self.photos.contains_key(&photo.name())
    }

    /// Reads a file of corrections.
    ///
    /// # Errors
    /// The file is missing or malformed.
    pub fn load(path: &Path) -> Result<Self, DatasetError> {
        json(path)
    }

    /// Corrections from their text.
    ///
    /// # Errors
    /// The text is malformed.
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }
}
