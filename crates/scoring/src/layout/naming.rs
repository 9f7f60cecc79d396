//! Turns an arrangement into the question of its tiles' faces, and the answer back into tiles and a reading.

use super::{
    arrange::{ArrangedHand, TileAppearance},
    decode::{Naming, OpenSet, Question},
    scene::{Scene, alternatives},
    shown::ShownTile,
};
use crate::{
    hand::{Reading, SeenSet, SetForm, SetTile},
    tile::{Face, SeenFace},
};

/// Least share of all faces' probability at which a face that the rest of the hand suggests is given to an
/// unknown tile.
const SUGGESTED: f32 = 0.15;

/// The tiles to name.
pub fn question(arranged: &ArrangedHand, appearances: &[TileAppearance]) -> Question {
    let choices = |tile: usize| appearances[tile].choices.clone();
    Question {
        singles: (arranged.concealed.iter())
            .chain(&arranged.winning)
            .chain(&arranged.bonus)
            .filter(|&&tile| !appearances[tile].back)
            .map(|&tile| choices(tile))
            .collect(),
        sets: (arranged.sets.iter())
            .map(|set| OpenSet {
                tiles: (set.tiles.iter())
                    .map(|&(tile, _)| (!appearances[tile].back).then(|| choices(tile)))
                    .collect(),
                may_be_chow: set.form == SetForm::Claimed && set.tiles.len() == 3,
            })
            .collect(),
        whole: arranged.whole,
    }
}

/// The tiles that a naming's single tiles stand for.
pub fn singles_of<'a>(
    arranged: &'a ArrangedHand,
    appearances: &'a [TileAppearance],
) -> impl Iterator<Item = usize> + 'a {
    (arranged.concealed.iter())
        .chain(&arranged.winning)
        .chain(&arranged.bonus)
        .copied()
        .filter(|&tile| !appearances[tile].back)
}

/// Names tiles by the whole hand; `joint`: also those without a recognised face.
pub fn name_tiles(
    tiles: &mut [ShownTile],
    scene: &Scene,
    arranged: &ArrangedHand,
    naming: &Naming,
    joint: bool,
) {
    for (tile, face) in named(arranged, naming, &scene.appearances) {
        if scene.hints.fixes.iter().any(|(fixed, _)| *fixed == tile) {
            continue;
        }
        let shown_tile = &mut tiles[tile];
        let unknown = shown_tile.face == SeenFace::Unknown;
        let named = match shown_tile.face {
            SeenFace::Tile(named) => Some(named.face()),
            _ => None,
        };
        if unknown && !joint || named == Some(face) {
            continue;
        }
        let source = &scene.seen[shown_tile.seen];
        let faces = source.likeliest_faces();
        let own = faces.iter().find(|(other, _)| *other == face).map_or(0.0, |(_, p)| *p);
        // Only the rest of the hand suggests this face: the tile itself does not show it.
        if unknown && own < SUGGESTED * source.shows_face() {
            continue;
        }
        shown_tile.face = SeenFace::Tile(source.coloured(face));
        shown_tile.confidence = own;
        shown_tile.alternatives = alternatives(source, face);
    }
}

/// Each tile of the hand with its face in a naming.
fn named(
    arranged: &ArrangedHand,
    naming: &Naming,
    appearances: &[TileAppearance],
) -> Vec<(usize, Face)> {
    let singles = singles_of(arranged, appearances).zip(naming.singles.iter().copied());
    let sets = (arranged.sets.iter().zip(&naming.sets)).flat_map(|(set, faces)| {
        set.tiles.iter().zip(faces).filter_map(|(&(tile, _), face)| Some((tile, (*face)?)))
    });
    let face = |(tile, face)| Some((tile, Face::from_index(usize::from(face))?));
    singles.chain(sets).filter_map(face).collect()
}

/// The reading with another naming of the tiles.
pub fn reading_with(
    tiles: &[ShownTile],
    arranged: &ArrangedHand,
    naming: &Naming,
    appearances: &[TileAppearance],
) -> Reading {
    let mut tiles = tiles.to_vec();
    for (tile, face) in named(arranged, naming, appearances) {
        let same = matches!(tiles[tile].face, SeenFace::Tile(tile) if tile.face() == face);
        if !same {
            tiles[tile].face = SeenFace::Tile(face.into());
        }
    }
    reading_of(&tiles, arranged)
}

/// The reading of named tiles.
pub fn reading_of(tiles: &[ShownTile], arranged: &ArrangedHand) -> Reading {
    let face = |tile: usize| tiles[tile].face;
    Reading {
        concealed: arranged.concealed.iter().map(|&tile| face(tile)).collect(),
        sets: (arranged.sets.iter())
            .map(|set| SeenSet {
                tiles: (set.tiles.iter())
                    .map(|&(tile, sideways)| SetTile {
                        face: face(tile),
                        sideways: sideways && set.form == SetForm::Claimed,
                    })
                    .collect(),
                form: set.form,
            })
            .collect(),
        bonus: arranged.bonus.iter().map(|&tile| face(tile)).collect(),
        winning: arranged.winning.map(face),
    }
}
