//! From a way to see the hand to the question of what its tiles are, and from the answer back to tiles
//! and a reading.

use super::{
    arrange::{Arranged, Look},
    decode::{Naming, OpenSet, Question},
    scene::{Scene, alternatives},
    shown::ShownTile,
};
use crate::{
    hand::{Reading, SeenSet, SetForm, SetTile},
    tile::{Face, SeenFace},
};

/// A face that the rest of the hand suggests names an unknown tile where it has this share of all faces' probability.
const SUGGESTED: f32 = 0.15;

/// What is to be named.
pub fn question(arranged: &Arranged, looks: &[Look]) -> Question {
    let choices = |tile: usize| looks[tile].choices.clone();
    Question {
        singles: (arranged.concealed.iter())
            .chain(&arranged.winning)
            .chain(&arranged.bonus)
            .filter(|&&tile| !looks[tile].back)
            .map(|&tile| choices(tile))
            .collect(),
        sets: (arranged.sets.iter())
            .map(|set| OpenSet {
                tiles: (set.tiles.iter())
                    .map(|&(tile, _)| (!looks[tile].back).then(|| choices(tile)))
                    .collect(),
                may_be_chow: set.form == SetForm::Claimed && set.tiles.len() == 3,
            })
            .collect(),
        whole: arranged.whole,
    }
}

/// The tiles that a naming's single tiles stand for.
pub fn singles_of<'a>(
    arranged: &'a Arranged,
    looks: &'a [Look],
) -> impl Iterator<Item = usize> + 'a {
    (arranged.concealed.iter())
        .chain(&arranged.winning)
        .chain(&arranged.bonus)
        .copied()
        .filter(|&tile| !looks[tile].back)
}

/// Names tiles as the whole hand has it; `joint`: those too that nothing is recognised on.
pub fn name_tiles(
    tiles: &mut [ShownTile],
    scene: &Scene,
    arranged: &Arranged,
    naming: &Naming,
    joint: bool,
) {
    for (tile, face) in named(arranged, naming, &scene.looks) {
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
        // A face that only the rest of the hand suggests is no reading of this tile.
        if unknown && own < SUGGESTED * source.shows_face() {
            continue;
        }
        shown_tile.face = SeenFace::Tile(source.coloured(face));
        shown_tile.confidence = own;
        shown_tile.alternatives = alternatives(source, face);
    }
}

/// Each tile of the hand with the face that a naming gives it.
fn named(arranged: &Arranged, naming: &Naming, looks: &[Look]) -> Vec<(usize, Face)> {
    let singles = singles_of(arranged, looks).zip(naming.singles.iter().copied());
    let sets = (arranged.sets.iter().zip(&naming.sets)).flat_map(|(set, faces)| {
        set.tiles.iter().zip(faces).filter_map(|(&(tile, _), face)| Some((tile, (*face)?)))
    });
    let face = |(tile, face)| Some((tile, Face::from_index(usize::from(face))?));
    singles.chain(sets).filter_map(face).collect()
}

/// The reading in which the tiles are what another naming says.
pub fn reading_with(
    tiles: &[ShownTile],
    arranged: &Arranged,
    naming: &Naming,
    looks: &[Look],
) -> Reading {
    let mut tiles = tiles.to_vec();
    for (tile, face) in named(arranged, naming, looks) {
        let same = matches!(tiles[tile].face, SeenFace::Tile(tile) if tile.face() == face);
        if !same {
            tiles[tile].face = SeenFace::Tile(face.into());
        }
    }
    reading_of(&tiles, arranged)
}

/// The reading that named tiles make.
pub fn reading_of(tiles: &[ShownTile], arranged: &Arranged) -> Reading {
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
