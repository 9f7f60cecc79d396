//! Tiles as the reader would return them, without a picture: for tests.

use super::{Corners, SeenTile};
use crate::tile::{Face, Tile};

/// A tile that is surely this face, upright.
pub fn tile(face: Face, corners: Corners) -> SeenTile {
    let mut faces = [0.0; Face::COUNT];
    faces[face.index()] = 1.0;
    SeenTile {
        corners,
        found: 1.0,
        faces,
        back: 0.0,
        reject: 0.0,
        red: 0.0,
        turns: [1.0, 0.0, 0.0, 0.0],
    }
}

/// A row as the player at the lower edge sees it, from its lower left corner: tiles' codes, `'` for sideways, `_`
/// for a gap of a tile's length. `size`: short and long side.
///
/// # Panics
/// Where a word is no tile's code.
pub fn row(text: &str, [mut x, bottom]: [f32; 2], [short, long]: [f32; 2]) -> Vec<SeenTile> {
    let mut seen = Vec::new();
    for word in text.split_whitespace() {
        if word == "_" {
            x += long;
            continue;
        }
        let sideways = word.ends_with('\'');
        let code: Tile = word.trim_end_matches('\'').parse().expect("a tile's code");
        let [w, h] = if sideways { [long, short] } else { [short, long] };
        let top = bottom - h;
        let mut corners = [[x, top], [x + w, top], [x + w, bottom], [x, bottom]];
        if sideways {
            corners.rotate_left(3);
        }
        x += w + 1.0;
        seen.push(tile(code.face(), corners));
    }
    seen
}
