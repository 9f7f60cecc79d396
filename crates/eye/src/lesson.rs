//! Makes the profile of a tile set from photos of its tiles, laid out in rows or in the trays of its box.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::{
    picture::Picture,
    sight::Corners,
    tile::{Face, Tile},
    tileset::{
        Exemplar, Profile, ProfileError, SetInfo, SetName,
        order::{OrderRefusal, Row, RowTile, laid_out},
    },
    vision::{ModelError, Reader},
};

/// Least difference in likelihood, in nats, at which the faces are taken to be mirrored.
const MIRRORED: f32 = 8.0;

/// Why photos give no profile.
#[derive(Debug, thiserror::Error)]
pub enum LessonError {
    /// A photo shows no set.
    #[error(transparent)]
    Refused(#[from] OrderRefusal),
    /// The networks fail.
    #[error(transparent)]
    Models(#[from] ModelError),
    /// The examples do not make a profile.
    #[error(transparent)]
    Profile(#[from] ProfileError),
}

/// A photo in which every tile is identified by its looks and its place.
pub struct Lesson {
    picture: Arc<Picture>,
    /// Rows from the top, by the direction of the faces.
    pub rows: Vec<Row>,
    backs: Vec<Corners>,
}

impl Lesson {
    /// Reads a photo of tiles in rows.
    ///
    /// # Errors
    /// There is no row in it, it is mirrored, or the runtime fails.
    pub fn read(reader: &mut Reader, picture: Arc<Picture>) -> Result<Self, LessonError> {
        let seen = reader.read_laid_out(&picture)?;
        let rows = laid_out(&seen)?;
        let places = || rows.iter().flat_map(|row| &row.places);
        let tiles: Vec<(Corners, Face)> =
            places().map(|place| (place.corners, place.tile.face())).collect();
        if reader.mirrored(&picture, &tiles)? > MIRRORED {
            return Err(OrderRefusal::Mirrored.into());
        }
        // A cloth's pattern may look like backs: an ordinary reading is strict about those.
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
    pub fn places(&self) -> impl Iterator<Item = &RowTile> {
        self.rows.iter().flat_map(|row| &row.places)
    }

    /// Tiles that may be another face: a person has to be asked.
    pub fn odd(&self) -> impl Iterator<Item = &RowTile> {
        self.places().filter(|place| place.instead.is_some())
    }

    /// The rows as JSON: for each whether it is `reversed`, whether it is `open` (flowers or seasons, which only
    /// a person can tell), and its `tiles` with `code`, `corners`, `probability` and `looks_like` (null if there
    /// is no question). Tiles that a person confirmed to be the face that they look like (`instead`) have its
    /// code.
    #[must_use]
    pub fn rows_json(&self, instead: &[Tile]) -> Value {
        let tile = |place: &RowTile| {
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

/// The faces in none of the photos, where the tiles `instead` are the faces that they look like.
#[must_use]
pub fn missing(lessons: &[Lesson], instead: &[Tile]) -> Vec<Face> {
    let shown = |face: &Face| {
        let mut places = lessons.iter().flat_map(Lesson::places);
        places.any(|place| place.answered(instead).face() == *face)
    };
    Face::all().filter(|face| !shown(face)).collect()
}

/// The profile from the photos. `instead`: tiles, by the names of their places, that are the faces that they look
/// like.
///
/// # Errors
/// The runtime fails, or the photos show nothing.
pub fn profile(
    reader: &mut Reader,
    name: SetName,
    lessons: &[Lesson],
    instead: &[Tile],
) -> Result<Profile, LessonError> {
    let mut exemplars = Vec::new();
    let network = reader.fingerprint().to_owned();
    let mut about = SetInfo { name, network, white: None, back: None, body: None };
    for lesson in lessons {
        let picture = &lesson.picture;
        let quads: Vec<Corners> = lesson.places().map(|place| place.corners).collect();
        let tiles: Vec<Tile> = lesson.places().map(|place| place.answered(instead)).collect();
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
