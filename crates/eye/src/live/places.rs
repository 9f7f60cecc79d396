//! Compares the places of tiles over time, to tell whether a tile that the reader does not see is still there.

use std::{collections::HashMap, time::Duration};

use crate::{
    picture::Picture,
    sight::Corners,
    vision::{SAMPLES, grey_samples, is_same_pattern},
};
/// Time without change after which a place is still.
const STILL: Duration = Duration::from_millis(300);
/// Time without change after which a detection counts as a whole tile; a moving cover may leave only a part of
/// one.
const AT_REST: Duration = Duration::from_millis(150);
/// Least correlation of the pattern of light and dark between a place and its tile. An empty place and a sleeve
/// over it are both smooth, so an equal look is not enough.
const SAME_PATTERN: f32 = 0.8;
/// Distance beside its place at which a tile is searched for, in pixels: the error of the common movement.
const BESIDE: f32 = 2.0;

type Samples = [f32; SAMPLES * SAMPLES];

/// The places of the tiles that are followed.
#[derive(Default)]
pub(super) struct Places(HashMap<u64, KnownSlot>);

struct KnownSlot {
    /// Samples of the last frame in which the tile was detected and nothing moved over it.
    with_tile: Option<Samples>,
    /// Samples of the last change.
    recent: Samples,
    since: Duration,
}

/// The look of a tile's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SlotAppearance {
    /// It looks as it did with the tile.
    AsWithTile,
    /// It is changing.
    Changing,
    /// It is still, and looks unlike the tile.
    Otherwise,
}

impl Places {
    /// Takes in a frame: each tile's number, its place, and whether the networks detected it in this frame.
    pub fn watch(
        &mut self,
        picture: &Picture,
        tiles: impl Iterator<Item = (u64, Corners, bool)>,
        at: Duration,
    ) {
        let mut before = std::mem::take(&mut self.0);
        for (id, corners, found) in tiles {
            let now = grey_samples(picture, &corners);
            let mut known = match before.remove(&id) {
                None => KnownSlot { with_tile: None, recent: now, since: at },
                Some(known) if !is_same_pattern(&known.recent, &now) => {
                    KnownSlot { recent: now, since: at, ..known }
                }
                Some(known) => known,
            };
            if found && at.saturating_sub(known.since) >= AT_REST {
                known.with_tile = Some(now);
            }
            self.0.insert(id, known);
        }
    }

    /// The look of a tile's place in a frame.
    pub fn appearance(
        &self,
        picture: &Picture,
        id: u64,
        place: &Corners,
        at: Duration,
    ) -> SlotAppearance {
        let Some(known) = self.0.get(&id) else { return SlotAppearance::Changing };
        let now = grey_samples(picture, place);
        let beside = || {
            let steps = [-BESIDE, 0.0, BESIDE];
            let shifts = steps.into_iter().flat_map(move |x| steps.map(|y| [x, y]));
            shifts.map(|[x, y]| place.map(|[u, v]| [u + x, v + y]))
        };
        let shows = |now: &Samples| {
            known.with_tile.as_ref().is_some_and(|with_tile| {
                is_same_pattern(with_tile, now) && correlation(with_tile, now) >= SAME_PATTERN
            })
        };
        if shows(&now) || beside().any(|place| shows(&grey_samples(picture, &place))) {
            SlotAppearance::AsWithTile
        } else if is_same_pattern(&known.recent, &now) && at.saturating_sub(known.since) >= STILL {
            SlotAppearance::Otherwise
        } else {
            SlotAppearance::Changing
        }
    }
}

/// Correlation of two patterns, -1 to 1; 0 if one is flat.
fn correlation(a: &Samples, b: &Samples) -> f32 {
    let count = a.len() as f32;
    let [p, q] = [a, b].map(|samples| samples.iter().sum::<f32>() / count);
    let (mut both, mut first, mut second) = (0.0, 0.0, 0.0);
    for (a, b) in a.iter().zip(b) {
        both += (a - p) * (b - q);
        first += (a - p).powi(2);
        second += (b - q).powi(2);
    }
    let most = (first * second).sqrt();
    if most > 0.0 { both / most } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage};

    use super::*;

    const PLACE: Corners = [[100.0, 100.0], [160.0, 100.0], [160.0, 180.0], [100.0, 180.0]];

    /// Cloth with a tile that has two bars, which may be moved or lit differently; or with a sleeve; or bare.
    fn picture(tile: Option<u32>, sleeve: bool, light: f32, noise: u32) -> Picture {
        let value = |x: u32, y: u32| {
            let inside = |from: u32| (from..from + 60).contains(&x) && (100..180).contains(&y);
            let bar = |from: u32| (from + 20..from + 40).contains(&x) && y % 40 > 12;
            match tile {
                Some(from) if inside(from) && bar(from) => 70.0,
                Some(from) if inside(from) => 220.0,
                _ if sleeve && x > 90 => 62.0,
                _ => 57.0,
            }
        };
        let shade = |x: u32, y: u32| ((x * 31 + y * 17 + noise * 23) % 7) as f32;
        let level = |x, y| [(light * (value(x, y) + shade(x, y))) as u8; 3];
        Picture::from_rgb(RgbImage::from_fn(320, 240, |x, y| Rgb(level(x, y)))).unwrap()
    }

    /// The appearance of the place in one picture, after some time of another.
    fn appearance(before: &Picture, now: &Picture, since: u64) -> SlotAppearance {
        let mut places = Places::default();
        let ms = Duration::from_millis;
        for step in 0..5 {
            places.watch(before, [(7, PLACE, true)].into_iter(), ms(200 * step));
        }
        places.watch(now, [(7, PLACE, false)].into_iter(), ms(1000));
        places.appearance(now, 7, &PLACE, ms(1000 + since))
    }

    #[test]
    fn a_tile_shows_under_other_light_and_beside_its_place() {
        let with = picture(Some(100), false, 1.0, 0);
        for now in [
            picture(Some(100), false, 1.0, 1),
            picture(Some(100), false, 0.9, 2),
            picture(Some(102), false, 1.0, 3),
        ] {
            assert_eq!(appearance(&with, &now, 0), SlotAppearance::AsWithTile);
        }
        let gone = picture(None, false, 1.0, 1);
        assert_eq!(appearance(&with, &gone, 0), SlotAppearance::Changing);
        assert_eq!(appearance(&with, &gone, 300), SlotAppearance::Otherwise);
    }

    #[test]
    fn what_was_found_only_while_something_moved_is_not_kept_by_its_looks() {
        let ms = Duration::from_millis;
        let mut places = Places::default();
        let under = |k: u32| picture(Some(100 + 7 * k), false, 1.0, k);
        for step in 0..5 {
            places.watch(&under(step), [(7, PLACE, true)].into_iter(), ms(33 * u64::from(step)));
        }
        for step in 5..20 {
            places.watch(&under(4), [(7, PLACE, false)].into_iter(), ms(33 * step));
        }
        assert_eq!(places.appearance(&under(4), 7, &PLACE, ms(700)), SlotAppearance::Otherwise);
    }

    #[test]
    fn a_sleeve_that_was_taken_for_a_tile_does_not_stay_on_the_cloth() {
        let with = picture(None, true, 1.0, 0);
        assert_eq!(
            appearance(&with, &picture(None, false, 1.0, 1), 300),
            SlotAppearance::Otherwise
        );
    }
}
