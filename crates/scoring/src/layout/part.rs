//! Reads the hand of some of a picture's tiles, as the player who sits before them sees them.

use super::{
    doubt::Doubt,
    read::read,
    scene::tiles,
    shown::{Hints, PictureLayout, ShownHand, ShownTile, TileGroup},
};
use crate::{sight::SeenTile, tile::SeenFace};

/// Reads the hand of some tiles of a picture. `part`: each tile's index among `all`, and the tile as its player sees
/// it. The layout, and the corrections of the hints, number all tiles of the picture.
pub fn read_part(all: &[SeenTile], part: Vec<(usize, SeenTile)>, hints: &Hints) -> PictureLayout {
    let mut shown = PictureLayout { tiles: tiles(all), ..PictureLayout::default() };
    let (indices, own): (Vec<usize>, Vec<SeenTile>) = part.into_iter().unzip();
    let listed = tiles(&own);
    let mut fixes = Vec::new();
    for (number, fixed) in &hints.fixes {
        let Some(tile) = shown.tiles.get_mut(*number) else { continue };
        (tile.face, tile.confidence) = (SeenFace::Tile(*fixed), 1.0);
        tile.alternatives.clear();
        let place = listed.iter().position(|other| indices[other.seen] == tile.seen);
        fixes.extend(place.map(|place| (place, *fixed)));
    }
    let hints = Hints { fixes, ..hints.clone() };
    embed(&mut shown, read(&own, &hints), &own, &indices, all);
    shown
}

/// Adds what was read in one player's view to a layout of all tiles. `own`: the tiles as the player sees them;
/// `indices`: their places among `all`.
pub fn embed(
    shown: &mut PictureLayout,
    part: PictureLayout,
    own: &[SeenTile],
    indices: &[usize],
    all: &[SeenTile],
) {
    let mut at = Vec::with_capacity(part.tiles.len());
    for tile in part.tiles {
        let index = indices[tile.seen];
        // The same corner of the tile in the picture as in the view.
        let first = own[tile.seen].corners.iter().position(|corner| *corner == tile.corners[0]);
        let mut corners = all[index].corners;
        corners.rotate_left(first.unwrap_or_default());
        let group = tile.group.map(|group| group + shown.groups.len());
        let placed = ShownTile { seen: index, corners, group, ..tile };
        match shown.tiles.iter_mut().position(|other| other.seen == index) {
            Some(place) => {
                shown.tiles[place] = placed;
                at.push(place);
            }
            None => {
                at.push(shown.tiles.len());
                shown.tiles.push(placed);
            }
        }
    }
    shown.groups.extend(part.groups.into_iter().map(|group| TileGroup {
        tiles: group.tiles.iter().map(|&tile| at[tile]).collect(),
        ..group
    }));
    shown.refusal = part.refusal;
    shown.hand = part.hand.map(|hand| ShownHand {
        doubts: (hand.doubts.into_iter())
            .map(|doubt| Doubt { tile: doubt.tile.map(|tile| at[tile]), ..doubt })
            .collect(),
        ..hand
    });
}
