//! White dragons that show nothing, told from what else is plain by the pixels of the faces around them.

use super::{
    ModelError, gaps,
    judgement::{best, is_sure_face, white},
    networks::{CLASSES, CROP, Named, REJECT},
    pixels::Pixels,
};
use crate::sight::{
    Corners, SeenTile,
    quad::{grown, nearest},
};

/// How sure a tile is that only its neighbours tell of.
pub(super) const IN_GAP: f32 = 0.75;
/// The nearest faces tell what light there is at a place.
pub(super) const NEAREST: usize = 4;
/// What only its neighbours tell of, and is blank, is a white dragon, never surely.
pub(super) fn make_blank(named: &mut Named) {
    let Some(white) = white() else { return };
    named.classes = [0.0; CLASSES];
    named.classes[white] = IN_GAP;
    named.classes[REJECT] = 1.0 - IN_GAP;
}

/// Whether a place among faces holds a blank one: see [`gaps::holds_blank`].
pub(super) fn holds_blank(
    pixels: &Pixels<'_>,
    place: &gaps::Place,
    faces: &[Corners],
    around: f32,
    reject: f32,
) -> Result<bool, ModelError> {
    let shades = shades(pixels, place.around.iter().map(|face| faces[*face]))?;
    let crop = with_room(pixels, &place.quad)?;
    Ok(gaps::holds_blank(&crop, &shades, around, reject))
}

/// The sure faces that have print.
pub(super) fn printed(tiles: &[SeenTile]) -> Vec<Corners> {
    let printed =
        tiles.iter().filter(|tile| is_sure_face(tile) && Some(best(&tile.faces)) != white());
    printed.map(|tile| tile.corners).collect()
}

/// The faces nearest to a place, [`NEAREST`] where there are so many.
pub(super) fn nearest_faces(place: &Corners, faces: &[Corners]) -> Vec<Corners> {
    nearest(place, faces, NEAREST).into_iter().map(|face| faces[face]).collect()
}

/// How a place looks beside the faces nearest to it, and how clear the weakest of its edges is.
pub(super) fn beside_nearest(
    pixels: &Pixels<'_>,
    place: &Corners,
    faces: &[Corners],
) -> Result<(gaps::Beside, f32), ModelError> {
    let shades = shades(pixels, nearest_faces(place, faces).into_iter())?;
    let crop = with_room(pixels, place)?;
    Ok((gaps::beside(&crop, &shades), gaps::weakest_edge(&crop)))
}

/// What faces look like.
fn shades(
    pixels: &Pixels<'_>,
    faces: impl Iterator<Item = Corners>,
) -> Result<Vec<gaps::Shade>, ModelError> {
    let mut crop = vec![0.0; 3 * CROP * CROP];
    let shades = faces.map(|face| {
        pixels.upright(&face, &mut crop)?;
        Ok(gaps::Shade::of(&crop))
    });
    shades.collect()
}

/// A place with [`gaps::ROOM`] around it, cut out upright.
fn with_room(pixels: &Pixels<'_>, place: &Corners) -> Result<Vec<f32>, ModelError> {
    let mut crop = vec![0.0; 3 * CROP * CROP];
    pixels.upright(&grown(place, gaps::ROOM), &mut crop)?;
    Ok(crop)
}
