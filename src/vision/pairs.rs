//! Two tiles that touch and were taken for one.
//!
//! Where little parts them, as in a low view or out of focus, the detector may see one tile that is too
//! wide and shows no face, or one of the two not surely. Cut in two it is as large as the tile beside it,
//! and each half can be named.

use crate::sight::{
    Corners,
    quad::{centre, sides},
};

/// A half's sides differ from the nearest face's by at most this share of them,
const ALIKE: f32 = 0.3;
/// and it is no smaller than this: half of one tile is not taken for a tile.
const AS_LARGE: f32 = 0.75;
/// Near is within so many long sides of the face.
const NEAR: f32 = 4.0;

/// The halves of a quad, where they are as large as the nearest face: cut across the one pair of edges or the
/// other, clockwise, beginning anywhere.
pub fn halves(quad: &Corners, faces: &[Corners]) -> Option<[Corners; 2]> {
    let [x, y] = centre(quad);
    let [a, b, c, d] = *quad;
    let middle = |p: [f32; 2], q: [f32; 2]| [(p[0] + q[0]) / 2.0, (p[1] + q[1]) / 2.0];
    let (ab, bc, cd, da) = (middle(a, b), middle(b, c), middle(c, d), middle(d, a));
    let cuts = [[[a, ab, cd, d], [ab, b, c, cd]], [[a, b, bc, da], [da, bc, c, d]]];
    let away = |face: &&Corners| {
        let [u, v] = centre(face);
        (x - u).hypot(y - v)
    };
    // Of tiles farther off one may be as small as half of a near one.
    let nearest = faces.iter().min_by(|a, b| away(a).total_cmp(&away(b)))?;
    let [across, along] = sides(nearest);
    let alike = |half: &Corners| {
        let [a, b] = sides(half);
        (a - across).abs() < ALIKE * across
            && (b - along).abs() < ALIKE * along
            && a * b > AS_LARGE * across * along
    };
    cuts.into_iter().find(|halves| away(&nearest) < NEAR * along && halves.iter().all(alike))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tile(x: f32, y: f32, width: f32, height: f32) -> Corners {
        [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]
    }

    #[test]
    fn a_quad_as_wide_as_two_tiles_beside_it_is_cut_between_them() {
        let wide = tile(0.0, 0.0, 62.0, 40.0);
        let row = [tile(62.0, 0.0, 30.0, 40.0)];
        assert_eq!(
            halves(&wide, &row),
            Some([tile(0.0, 0.0, 31.0, 40.0), tile(31.0, 0.0, 31.0, 40.0)])
        );
        let high = tile(0.0, 0.0, 30.0, 80.0);
        assert_eq!(
            halves(&high, &row),
            Some([tile(0.0, 0.0, 30.0, 40.0), tile(0.0, 40.0, 30.0, 40.0)])
        );
    }

    #[test]
    fn what_is_no_two_tiles_or_far_from_any_stays_whole() {
        let row = [tile(62.0, 0.0, 30.0, 40.0)];
        assert_eq!(halves(&tile(0.0, 0.0, 32.0, 40.0), &row), None, "one tile");
        assert_eq!(halves(&tile(-40.0, 0.0, 90.0, 40.0), &row), None, "three tiles");
        assert_eq!(halves(&tile(0.0, 0.0, 32.0, 46.0), &row), None, "a tile seen a little larger");
        assert_eq!(
            halves(&tile(0.0, 0.0, 62.0, 62.0), &row),
            None,
            "a square of two by one and a half"
        );
        assert_eq!(halves(&tile(0.0, 400.0, 62.0, 40.0), &row), None, "far away");
        let faces = [tile(60.0, 0.0, 60.0, 80.0), tile(0.0, -130.0, 40.0, 60.0)];
        assert_eq!(halves(&tile(0.0, 0.0, 60.0, 80.0), &faces), None, "a smaller one farther off");
        assert!(halves(&tile(0.0, 0.0, 60.0, 80.0), &faces[1..]).is_some());
        assert_eq!(halves(&tile(0.0, 0.0, 62.0, 40.0), &[]), None);
        assert_eq!(halves(&[[3.0, 3.0]; 4], &row), None);
    }
}
