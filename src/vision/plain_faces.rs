//! White dragons that show nothing, told from what else is plain by the pixels of the faces around them.

use super::{
    Corners, ModelError, SeenTile,
    blanks::{Back, is_white, unlike_framed, white_backs},
    classifier::{CLASSES, CROP, Named, REJECT},
    company::has_company,
    gaps,
    judgement::{SURE_FACE, is_sure_face, lies_face_down, white},
    pixels::Pixels,
    quad::{grown, nearest},
};

/// How sure a tile is that only its neighbours tell of.
pub(super) const IN_GAP: f32 = 0.75;
/// The nearest faces tell what light there is at a place.
pub(super) const NEAREST: usize = 4;
/// So many faces tell how dark print is.
const PRINTED: usize = 16;

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
    let printed = tiles.iter().filter(|tile| is_sure_face(tile) && !is_white(tile));
    printed.map(|tile| tile.corners).collect()
}

/// The faces nearest to a place, [`NEAREST`] where there are so many.
pub(super) fn nearest_faces(place: &Corners, faces: &[Corners]) -> Vec<Corners> {
    nearest(place, faces, NEAREST).into_iter().map(|face| faces[face]).collect()
}

/// Whether a place is as plain as the faces nearest to it and of their colour: see [`gaps::is_plain`].
pub(super) fn is_plain(
    pixels: &Pixels<'_>,
    place: &Corners,
    faces: &[Corners],
) -> Result<bool, ModelError> {
    let shades = shades(pixels, nearest_faces(place, faces).into_iter())?;
    Ok(gaps::is_plain(&with_room(pixels, place)?, &shades))
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

/// Names the white dragons that show nothing and were taken for backs, never surely: see [`white_backs`].
pub(super) fn name_white_backs(
    pixels: &Pixels<'_>,
    tiles: &mut [SeenTile],
) -> Result<(), ModelError> {
    let Some(white) = white() else { return Ok(()) };
    let places: Vec<usize> = (0..tiles.len()).filter(|at| lies_face_down(&tiles[*at])).collect();
    let faces = printed(tiles);
    let beside: Vec<bool> =
        places.iter().map(|at| has_company(&tiles[*at].corners, &faces)).collect();
    if !beside.contains(&true) {
        return Ok(());
    }
    let backs = (places.iter().zip(beside))
        .map(|(at, is_beside)| {
            let tile = &tiles[*at];
            let is_plain = is_plain(pixels, &tile.corners, &faces)?;
            Ok(Back { is_sure: tile.back > SURE_FACE, is_beside, is_plain })
        })
        .collect::<Result<Vec<Back>, ModelError>>()?;
    for (at, _) in places.iter().zip(white_backs(&backs)).filter(|(_, is_white)| *is_white) {
        let tile = &mut tiles[*at];
        let both = tile.faces[white] + tile.back;
        tile.faces[white] = both.min(IN_GAP);
        tile.back = both - tile.faces[white];
    }
    Ok(())
}

/// Drops the white dragons that show nothing where another one shows its frame: see [`unlike_framed`].
pub(super) fn drop_unlike_framed(
    pixels: &Pixels<'_>,
    tiles: &mut Vec<SeenTile>,
) -> Result<(), ModelError> {
    let Some(white) = white() else { return Ok(()) };
    let (whites, others): (Vec<&SeenTile>, Vec<&SeenTile>) = tiles
        .iter()
        .filter(|tile| is_white(tile) || is_sure_face(tile))
        .partition(|tile| is_white(tile));
    if whites.len() < 2 || others.is_empty() {
        return Ok(());
    }
    let print = |tiles: &[&SeenTile]| -> Result<Vec<f32>, ModelError> {
        let shades = shades(pixels, tiles.iter().map(|tile| tile.corners))?;
        Ok(shades.iter().map(gaps::Shade::print).collect())
    };
    let mut of_others = print(&others[..others.len().min(PRINTED)])?;
    of_others.sort_by(f32::total_cmp);
    let sure = whites.iter().map(|tile| tile.faces[white]);
    let shown: Vec<(f32, f32)> = sure.zip(print(&whites)?).collect();
    let mut unlike = unlike_framed(&shown, of_others[of_others.len() / 2]).into_iter();
    tiles.retain(|tile| !(is_white(tile) && unlike.next().unwrap_or(false)));
    Ok(())
}
