//! White dragons that show nothing. Side walls, the tops of standing tiles and light backs look the same; what tells
//! them apart is a face of the same size beside them, or that a set has no more than four, all of them alike.

use super::{
    Corners, SeenTile,
    classifier::{BACK, Named, REJECT},
    company::{companions, has_company},
    judgement::{SURE_FACE, best, is_sure_face, white},
};
use crate::tile::Face;

/// A white dragon named more surely than this shows its frame, or lies where only a tile can.
const PLAIN_TO_SEE: f32 = 0.985;
/// So sure a blank is at most that no face vouches for: too little to score a hand by.
const ALONE: f32 = 0.75;
/// A white dragon shows its frame where its print is at least this share as dark as that of other faces,
const FRAME: f32 = 0.5;
/// and nothing where it is less than this share as dark.
const BARE: f32 = 0.35;
/// A blank that lies apart is a tile where what lies around it says so with a logit of more than this, and what it shows that it is a white
/// dragon likelier than this, if it is as plain as faces and of their colour;
pub(super) const LONE_PLAIN: [f32; 2] = [2.0, 0.3];
/// or whatever it looks like, as with a frame or through the dots of a screen, where they are as sure as this.
pub(super) const LONE: [f32; 2] = [4.5, 0.6];
/// So many faces with print right beside it vouch for a blank where there are more than a set has.
const BESIDE: usize = 2;

/// A find that may be a blank.
pub(super) struct Doubted<'n> {
    pub quad: Corners,
    pub named: &'n mut Named,
    /// The detector takes it for one that lies face down.
    pub back: bool,
}

/// Doubts the blanks that lie neither beside a face of their size nor beside another blank that does. More of them than
/// a set has white dragons are backs, where the detector said so, or no tiles: the places of these.
pub(super) fn doubt_blanks(finds: &mut [Doubted<'_>]) -> Vec<usize> {
    let Some(white) = white() else { return Vec::new() };
    let (mut vouching, mut lone) = (Vec::new(), Vec::new());
    for (place, find) in finds.iter().enumerate() {
        let best = best(&find.named.classes);
        if best == white && find.named.classes[white] < PLAIN_TO_SEE {
            lone.push(place);
        } else if best < BACK && find.named.classes[best] > SURE_FACE {
            vouching.push(find.quad);
        }
    }
    // One beside a face vouches for the next.
    loop {
        let (beside, rest): (Vec<usize>, Vec<usize>) =
            lone.iter().partition(|place| has_company(&finds[**place].quad, &vouching));
        lone = rest;
        if beside.is_empty() {
            break;
        }
        vouching.extend(beside.iter().map(|place| finds[*place].quad));
    }
    // Of more blanks apart from faces than a set has white dragons none is believed.
    let too_many = lone.len() > usize::from(Face::COPIES);
    for place in &lone {
        let Doubted { named, back, .. } = &mut finds[*place];
        let classes = &mut named.classes;
        let left = if too_many { 0.0 } else { classes[white].min(ALONE) };
        let instead = if too_many && *back { BACK } else { REJECT };
        classes[instead] += classes[white] - left;
        classes[white] = left;
    }
    lone.retain(|place| too_many && !finds[*place].back);
    lone
}

/// Whether a tile is a white dragon more likely than anything else.
pub(super) fn is_white(tile: &SeenTile) -> bool {
    white().is_some_and(|white| {
        best(&tile.faces) == white && tile.faces[white] > tile.back.max(tile.reject)
    })
}

/// Which white dragons show nothing where another one of the picture shows its frame: those of a set are alike.
///
/// `whites`: how sure each is, and how much darker its print is than its body, in levels (0-255); `print`: that of other faces.
pub(super) fn unlike_framed(whites: &[(f32, f32)], print: f32) -> Vec<bool> {
    let is_framed = |(sure, ink): &(f32, f32)| *sure >= PLAIN_TO_SEE && *ink >= FRAME * print;
    let framed = whites.iter().any(is_framed);
    let unlike = |(sure, ink): &(f32, f32)| framed && *sure < PLAIN_TO_SEE && *ink < BARE * print;
    whites.iter().map(unlike).collect()
}

/// A tile that lies face down, as far as it is known.
pub(super) struct Back {
    /// Whether that is sure,
    pub is_sure: bool,
    /// whether it lies beside a face of its size,
    pub is_beside: bool,
    /// and whether it is as flat as the bodies of faces, and of their colour.
    pub is_plain: bool,
}

/// Which backs are white dragons that show nothing: those beside a face and as plain as it is, unless another, sure back of the
/// picture is as plain. The backs of most sets have a colour of their own.
///
/// So found, 14 of 15 in the photos of split `train` were white dragons, and 11 of 13 in 400 rendered tables; with another such back there, 5 of 27.
pub(super) fn white_backs(backs: &[Back]) -> Vec<bool> {
    let like_bodies = |but: usize| {
        let is_one = |(at, back): (usize, &Back)| at != but && back.is_sure && back.is_plain;
        backs.iter().enumerate().any(is_one)
    };
    (backs.iter().enumerate())
        .map(|(at, back)| back.is_beside && back.is_plain && !like_bodies(at))
        .collect()
}

/// Drops the white dragons that may be none, where there are more than a set has: all but those with
/// two faces with print right beside them.
pub(super) fn drop_surplus_blanks(tiles: &mut Vec<SeenTile>) {
    let Some(white) = white() else { return };
    if tiles.iter().filter(|tile| is_white(tile)).count() <= usize::from(Face::COPIES) {
        return;
    }
    let printed: Vec<Corners> = (tiles.iter())
        .filter(|tile| is_sure_face(tile) && !is_white(tile))
        .map(|tile| tile.corners)
        .collect();
    tiles.retain(|tile| {
        !is_white(tile)
            || tile.faces[white] >= PLAIN_TO_SEE
            || companions(&tile.corners, &printed) >= BESIDE
    });
}

#[cfg(test)]
mod tests {
    use super::{
        super::{classifier::CLASSES, judgement::seen_tile},
        *,
    };

    fn tile(x: f32, y: f32) -> Corners {
        [[x, y], [x + 30.0, y], [x + 30.0, y + 40.0], [x, y + 40.0]]
    }

    fn named(class: usize, sure: f32) -> Named {
        let mut classes = [0.0; CLASSES];
        (classes[class], classes[REJECT]) = (sure, 1.0 - sure);
        Named { classes, turns: [1.0, 0.0, 0.0, 0.0], red: 0.0, around: 1.0 }
    }

    /// What white dragons, so sure, at these places are afterwards; two faces lie at 0 and 31.
    fn after(sure: f32, places: &[f32], back: bool) -> Vec<(usize, f32)> {
        let white = white().expect("a white dragon");
        let mut quads = vec![tile(0.0, 0.0), tile(31.0, 0.0)];
        quads.extend(places.iter().map(|x| tile(*x, 0.0)));
        let mut names = vec![named(3, 1.0), named(4, 0.9)];
        names.extend(places.iter().map(|_| named(white, sure)));
        let mut finds: Vec<Doubted<'_>> = (quads.into_iter().zip(&mut names))
            .map(|(quad, named)| Doubted { quad, named, back })
            .collect();
        let none = doubt_blanks(&mut finds);
        assert!(names.iter().all(|named| (named.classes.iter().sum::<f32>() - 1.0).abs() < 1e-5));
        let told = |named: &Named| (best(&named.classes), named.classes[best(&named.classes)]);
        assert_eq!(told(&names[1]), (4, 0.9), "faces stay");
        assert!(none.iter().all(|place| best(&names[*place].classes) == REJECT));
        names[2..].iter().map(told).collect()
    }

    #[test]
    fn a_blank_beside_a_face_is_believed_and_so_is_the_next_one() {
        let white = white().expect("a white dragon");
        assert_eq!(after(0.9, &[93.0, 62.0, 124.0], false), [(white, 0.9); 3]);
    }

    #[test]
    fn a_blank_that_lies_apart_is_doubted_and_a_frame_is_not() {
        let white = white().expect("a white dragon");
        assert_eq!(after(0.95, &[200.0, 62.0], false), [(white, ALONE), (white, 0.95)]);
        assert_eq!(after(0.99, &[200.0], false), [(white, 0.99)]);
        assert_eq!(after(0.6, &[200.0], false), [(white, 0.6)], "not surer than it was");
    }

    #[test]
    fn more_blanks_apart_than_a_set_has_are_backs_or_nothing() {
        let white = white().expect("a white dragon");
        let row: Vec<f32> = (0..5).map(|k| 200.0 + 31.0 * k as f32).collect();
        assert_eq!(after(0.9, &row[..4], true), [(white, ALONE); 4], "four may be");
        assert!(after(0.9, &row, true).iter().all(|(class, sure)| *class == BACK && *sure > 0.89));
        assert!(after(0.9, &row, false).iter().all(|(class, _)| *class == REJECT), "and told");
    }

    /// How many white dragons, so sure, are left of those at these places; a row of faces lies above them, with a gap at 124.
    fn left(sure: f32, places: &[[f32; 2]]) -> usize {
        let white = white().expect("a white dragon");
        let seen = |[x, y]: [f32; 2], face, sure| seen_tile(sure, &tile(x, y), &named(face, sure));
        let row = [0, 1, 2, 3, 5, 6, 7, 8];
        let faces = row.map(|k| seen([31.0 * k as f32, 0.0], k, 0.95)).into_iter();
        let whites = places.iter().map(|place| seen(*place, white, sure));
        let mut tiles: Vec<SeenTile> = faces.chain(whites).collect();
        drop_surplus_blanks(&mut tiles);
        assert!(row.iter().all(|face| tiles.iter().any(|tile| best(&tile.faces) == *face)));
        tiles.len() - row.len()
    }

    #[test]
    fn of_more_blanks_than_a_set_has_those_stay_that_have_two_faces_beside_them() {
        let below = [0, 1, 2, 3, 5].map(|k| [31.0 * k as f32, 41.0]);
        let in_row = [124.0, 0.0];
        assert_eq!(left(0.75, &below[..4]), 4, "a set has four");
        assert_eq!(left(0.75, &below), 0, "a row of backs below a row of faces");
        assert_eq!(left(0.99, &below), 5, "their frames are plain to see");
        let with_one = [&below[..4], &[in_row]].concat();
        assert_eq!(left(0.75, &with_one), 1, "one between two faces is a tile");
        let at_end = [&below[..4], &[[279.0, 0.0]]].concat();
        assert_eq!(left(0.75, &at_end), 0, "a face to one side is not enough");
    }

    #[test]
    fn a_back_as_plain_as_the_face_beside_it_is_a_white_dragon_where_no_other_back_is() {
        let back = |is_sure, is_beside, is_plain| Back { is_sure, is_beside, is_plain };
        let (plain, green, wall) =
            (back(true, true, true), back(true, true, false), back(true, false, true));
        let doubtful = back(false, true, true);
        assert_eq!(white_backs(&[plain, green]), [true, false], "a set with green backs");
        let plain = || back(true, true, true);
        assert_eq!(white_backs(&[plain(), wall]), [false, false], "backs are as bodies are");
        assert_eq!(white_backs(&[plain(), plain()]), [false, false], "a concealed kong's");
        assert_eq!(white_backs(&[doubtful, back(false, true, true)]), [true, true]);
        assert_eq!(white_backs(&[back(true, false, true)]), [false], "a face vouches for it");
    }

    #[test]
    fn what_shows_nothing_is_no_white_dragon_where_another_shows_its_frame() {
        // How sure, and how much darker than the body the print is; that of other faces is 150.
        let (framed, gap, plain) = ((0.999, 120.0), (0.75, 35.0), (0.75, 20.0));
        assert_eq!(unlike_framed(&[framed, gap, plain], 150.0), [false, true, true]);
        assert_eq!(unlike_framed(&[gap, plain], 150.0), [false, false], "no frame to be seen");
        let sure = (0.99, 20.0);
        assert_eq!(unlike_framed(&[framed, sure], 150.0), [false, false], "two sets on the table");
        assert_eq!(unlike_framed(&[sure, plain], 150.0), [false, false], "a set without frames");
        let faint = (0.75, 60.0);
        assert_eq!(unlike_framed(&[framed, faint], 150.0), [false, false], "a frame that shines");
        let doubtful = (0.9, 120.0);
        assert_eq!(unlike_framed(&[doubtful, plain], 150.0), [false, false], "maybe no frame");
    }
}
