//! From photos of a set that was laid out to its profile.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::{
    picture::Picture,
    sight::Corners,
    tile::{Face, Tile},
    tileset::{
        About, Exemplar, Profile, ProfileError, SetName,
        order::{Place, Refusal, Row, laid_out},
    },
    vision::{ModelError, Reader},
};

/// Nats by which the faces have to be likelier as mirror images for a photo to be mirrored.
const MIRRORED: f32 = 8.0;

/// Why photos teach nothing.
#[derive(Debug, thiserror::Error)]
pub enum LessonError {
    /// A photo shows no set laid out in order.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The networks fail.
    #[error(transparent)]
    Models(#[from] ModelError),
    /// What was found makes no profile.
    #[error(transparent)]
    Profile(#[from] ProfileError),
    /// One face has two tiles in a photo, after what a person said of them.
    #[error(
        "two tiles would be {0}: where tiles lie in each other's places, say of each what it is"
    )]
    Twice(Tile),
}

/// A photo in which every tile is named by its place.
pub struct Lesson {
    picture: Arc<Picture>,
    /// Rows from the top as the faces stand.
    pub rows: Vec<Row>,
    backs: Vec<Corners>,
}

impl Lesson {
    /// Reads a photo of tiles laid out in rows.
    ///
    /// # Errors
    /// There is no order in it, it is mirrored, or the runtime fails.
    pub fn read(reader: &mut Reader, picture: Arc<Picture>) -> Result<Self, LessonError> {
        let seen = reader.read_laid_out(&picture)?;
        let rows = laid_out(&seen)?;
        let places = || rows.iter().flat_map(|row| &row.places);
        let tiles: Vec<(Corners, Face)> =
            places().map(|place| (place.corners, place.tile.face())).collect();
        if reader.mirrored(&picture, &tiles)? > MIRRORED {
            return Err(Refusal::Mirrored.into());
        }
        // A cloth's pattern may look like backs: an ordinary reading is strict with those.
        let back = (reader.read(&picture)?.into_iter())
            .filter(|tile| tile.back >= 0.5)
            .max_by(|a, b| a.found.total_cmp(&b.found));
        let backs = back.map(|tile| tile.corners).into_iter().collect();
        Ok(Self { picture, rows, backs })
    }

    /// The photo.
    #[must_use]
    pub const fn picture(&self) -> &Arc<Picture> {
        &self.picture
    }

    /// All tiles, row by row.
    pub fn places(&self) -> impl Iterator<Item = &Place> {
        self.rows.iter().flat_map(|row| &row.places)
    }

    /// Tiles that strongly look like another face than their place says: a person has to be asked.
    pub fn odd(&self) -> impl Iterator<Item = &Place> {
        self.places().filter(|place| place.instead.is_some())
    }

    /// The rows for programs: of each whether it is `reversed`, whether it is `open` (flowers or seasons, a
    /// person has to say which), and its `tiles` with `code`, `corners`,
    /// `probability` and `looks_like` (null where nobody has to be asked).
    /// Tiles that were said to be what they look like `instead` have that code.
    #[must_use]
    pub fn rows_json(&self, instead: &[Tile]) -> Value {
        let tile = |place: &Place| {
            json!({
                "code": place.answered(instead).to_string(),
                "corners": place.corners,
                "probability": place.probability,
                "looks_like": place.instead.map(|(face, _)| face.to_string()),
            })
        };
        let row = |row: &Row| {
            let tiles: Vec<Value> = row.places.iter().map(tile).collect();
            json!({ "reversed": row.reversed, "open": row.is_open(), "tiles": tiles })
        };
        self.rows.iter().map(row).collect()
    }
}

/// The faces that none of the photos shows, where the tiles `instead` are what they look like.
#[must_use]
pub fn missing(lessons: &[Lesson], instead: &[Tile]) -> Vec<Face> {
    let shown = |face: &Face| {
        let mut places = lessons.iter().flat_map(Lesson::places);
        places.any(|place| place.answered(instead).face() == *face)
    };
    Face::all().filter(|face| !shown(face)).collect()
}

/// What the photos teach, where the tiles `instead`, by the names of their places, are what they look like.
///
/// # Errors
/// The runtime fails, the photos show nothing, or one of them shows a tile twice.
pub fn profile(
    reader: &mut Reader,
    name: SetName,
    lessons: &[Lesson],
    instead: &[Tile],
) -> Result<Profile, LessonError> {
    let mut exemplars = Vec::new();
    let network = reader.fingerprint().to_owned();
    let mut about = About { name, network, white: None, back: None, body: None };
    for lesson in lessons {
        let picture = &lesson.picture;
        let quads: Vec<Corners> = lesson.places().map(|place| place.corners).collect();
        let tiles: Vec<Tile> = lesson.places().map(|place| place.answered(instead)).collect();
        let mut sorted = tiles.clone();
        sorted.sort_unstable();
        if let Some(twice) = sorted.windows(2).find(|two| two[0] == two[1]) {
            return Err(LessonError::Twice(twice[0]));
        }
        for (tile, turns) in tiles.iter().zip(reader.examples(picture, &quads)?) {
            exemplars.push(Exemplar::new(*tile, false, turns)?);
        }
        let is_white = |tile: &Tile| tile.to_string() == "5z";
        if let Some(place) = tiles.iter().position(is_white) {
            about.white = Some(reader.white(picture, &quads[place])?);
        }
        about.body = about.body.or(reader.body_colour(picture, &quads)?);
        about.back = about.back.or(reader.body_colour(picture, &lesson.backs)?);
    }
    Ok(Profile::new(about, exemplars)?)
}
