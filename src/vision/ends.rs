//! Places beyond the ends of rows, where a tile may have been overlooked: a hand has more tiles than two.

use crate::sight::{
    Corners,
    quad::{centre, moved, overlap, sides, step},
};

/// From the middle of a face to that of the next, in its widths or heights.
const PITCH: f32 = 1.06;
/// Two places are one where they share more than this of both.
const SAME: f32 = 0.6;
/// A place is taken where a tile covers more than this of the smaller.
const TAKEN: f32 = 0.25;
/// Most places of one picture.
const MOST: usize = 48;

/// The free places beyond the ends of rows of `faces`, two at least, as large as the last of each; `taken`: every tile there is.
pub fn ends(faces: &[Corners], taken: &[Corners]) -> Vec<Corners> {
    let is_face =
        |quad: &Corners| faces.iter().any(|face| near(face, quad) && overlap(face, quad)[0] > SAME);
    let ends = faces
        .iter()
        .flat_map(|face| steps(face).map(|[x, y]| (moved(face, [x, y]), moved(face, [-x, -y]))));
    ends.filter(|(place, before)| is_free(place, taken) && is_face(before))
        .map(|(place, _)| place)
        .take(MOST)
        .collect()
}

/// Whether no tile lies in a place.
pub fn is_free(quad: &Corners, taken: &[Corners]) -> bool {
    !taken.iter().any(|tile| near(tile, quad) && overlap(tile, quad)[1] > TAKEN)
}

/// The ways from a face's middle to those of its neighbours.
fn steps(face: &Corners) -> [[f32; 2]; 4] {
    [1, 3, 2, 0].map(|edge| step(face, edge).map(|way| PITCH * way))
}

fn near(a: &Corners, b: &Corners) -> bool {
    let ([ax, ay], [bx, by]) = (centre(a), centre(b));
    (ax - bx).hypot(ay - by) < sides(a)[1] + sides(b)[1]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sight::quad::from_corner;

    fn tile(x: f32, y: f32) -> Corners {
        [[x, y], [x + 30.0, y], [x + 30.0, y + 40.0], [x, y + 40.0]]
    }

    #[test]
    fn a_row_may_go_on_at_both_ends_and_not_to_its_sides() {
        let row = [0.0, 32.0, 64.0].map(|x| tile(x, 0.0));
        let mut found = ends(&row, &row);
        found.sort_by(|a, b| a[0][0].total_cmp(&b[0][0]));
        assert_eq!(found.len(), 2);
        for (place, x) in found.iter().zip([-32.0, 96.0]) {
            assert!(overlap(place, &tile(x, 0.0))[0] > 0.9);
        }
        let turned = [row[0], from_corner(&row[1], 2), from_corner(&row[2], 1)];
        assert_eq!(ends(&turned, &turned).len(), 2, "whichever corner a tile begins with");
        let with_next: Vec<Corners> = row.iter().copied().chain([tile(98.0, 6.0)]).collect();
        assert_eq!(ends(&row, &with_next).len(), 1, "one end is taken");
        assert!(ends(&row[..1], &row[..1]).is_empty(), "one tile is no row");
        let apart = [tile(0.0, 0.0), tile(50.0, 0.0)];
        assert!(ends(&apart, &apart).is_empty());
    }
}
