//! Blanks among finds, doubted where no face of their size lies beside them: side walls, the tops of standing tiles and light
//! backs look the same. Which of those that stay are white dragons their judge says (`whites`).

use super::{
    company::has_company,
    judgement::{SURE_FACE, best, white},
    networks::{BACK, Named, REJECT},
};
use crate::{sight::Corners, tile::Face};
/// A white dragon named more surely than this shows its frame, or lies where only a tile can.
pub(super) const PLAIN_TO_SEE: f32 = 0.985;
/// So sure a blank is at most that no face vouches for: too little to score a hand by.
const ALONE: f32 = 0.75;

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

#[cfg(test)]
mod tests {
    use super::{super::networks::CLASSES, *};

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
}
