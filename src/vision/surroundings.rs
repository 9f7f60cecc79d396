//! What lies around a find says of whether it is a tile: a cell of a table cloth, a side wall or a mark on print looks,
//! within its edges, just like a back, a white dragon or a one of dots.

use super::{
    judgement::is_blank,
    networks::{BACK, Named, REJECT},
};

/// Surroundings less like a tile's than this logit speak against one, the more so the less,
const DOUBTFUL: f32 = -1.5;
/// by these odds at most (natural logarithm).
const MOST: f32 = 5.0;

/// Weighs in what the surroundings of a find say: `tile` is the logit of the probability that a whole tile lies there.
///
/// They make it less likely, and never likelier: what a face is cannot be seen from around it.
pub(super) fn weigh_surroundings(named: &mut Named, tile: f32) {
    if tile.is_nan() {
        return;
    }
    let odds = (tile - DOUBTFUL).clamp(-MOST, 0.0).exp();
    let before = 1.0 - named.classes[REJECT];
    let mut after = before * odds / (before * odds + named.classes[REJECT]);
    if is_blank(named) {
        // Within its edges a blank looks like any other: what lies around is all that tells.
        after = after.min(odds);
    }
    let shrink = after / before.max(f32::MIN_POSITIVE);
    named.classes.iter_mut().for_each(|p| *p *= shrink);
    named.classes[REJECT] = 1.0 - after;
    named.around = 1.0 / (1.0 + (-tile).exp());
}

/// Makes a back no likelier than a tile is by its surroundings alone; says whether these make a tile likelier than none.
///
/// Of 362 finds of backs in 500 photos of split `train` 35 % were backs where the logit was below 0, 45 % up to 1, 66 % up
/// to 2 and 95 % beyond, however sure the classifier was: the others were sides of tiles, and cloth between them.
pub(super) fn doubt_back(named: &mut Named) -> bool {
    let back = named.classes[BACK].min(named.around);
    named.classes[REJECT] += named.classes[BACK] - back;
    named.classes[BACK] = back;
    named.around >= 0.5
}

#[cfg(test)]
mod tests {
    use super::{
        super::{networks::CLASSES, judgement::white},
        *,
    };

    fn named(bird: f32, reject: f32) -> Named {
        let mut classes = [0.0; CLASSES];
        (classes[18], classes[REJECT]) = (bird, reject);
        Named { classes, turns: [1.0, 0.0, 0.0, 0.0], red: 0.0, around: 1.0 }
    }

    #[test]
    fn surroundings_unlike_a_tile_s_make_it_less_likely_and_others_never_likelier() {
        let after = |tile: f32| {
            let mut named = named(0.8, 0.2);
            weigh_surroundings(&mut named, tile);
            assert!((named.classes.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{tile}");
            named.classes[REJECT]
        };
        for likely in [0.0, 9.0, DOUBTFUL, f32::NAN] {
            assert!((after(likely) - 0.2).abs() < 1e-6, "{likely}");
        }
        assert!(after(-3.0) > 0.5 && after(-4.0) > after(-3.0));
        assert_eq!(after(-40.0), after(-20.0), "not beyond all doubt");
        assert!(after(-40.0) < 0.99);
    }

    #[test]
    fn a_blank_is_no_likelier_a_tile_than_its_surroundings_say() {
        let after = |tile: f32, face: usize| {
            let mut named = named(0.0, 0.0);
            named.classes[face] = 1.0;
            weigh_surroundings(&mut named, tile);
            assert!((named.classes.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{tile}");
            named.classes[face]
        };
        let white = white().expect("a white dragon");
        for blank in [BACK, white] {
            assert!(after(DOUBTFUL, blank) > 0.99);
            assert!(after(DOUBTFUL - 1.0, blank) < 0.5 && after(-20.0, blank) < 0.01);
        }
        assert!(after(-20.0, 18) > 0.99, "a face that can be named");
    }

    #[test]
    fn a_back_is_as_likely_as_a_tile_is_by_its_surroundings_at_most() {
        let after = |tile: f32| {
            let mut named = named(0.0, 0.1);
            named.classes[BACK] = 0.9;
            weigh_surroundings(&mut named, tile);
            let stays = doubt_back(&mut named);
            assert!((named.classes.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{tile}");
            (stays, named.classes[BACK])
        };
        assert!((after(1.0).1 - 0.731).abs() < 1e-3, "the side of a tile");
        assert!((after(4.0).1 - 0.9).abs() < 1e-6 && after(4.0).0, "a wall: never likelier");
        assert!((after(f32::NAN).1 - 0.9).abs() < 1e-6, "nobody says");
        assert!(after(0.1).0 && !after(-0.1).0, "cloth between two tiles");
    }

    #[test]
    fn what_is_surely_a_tile_or_none_stays_it() {
        for (bird, reject) in [(1.0, 0.0), (0.0, 1.0)] {
            let mut named = named(bird, reject);
            weigh_surroundings(&mut named, -20.0);
            assert_eq!((named.classes[18], named.classes[REJECT]), (bird, reject));
        }
    }
}
