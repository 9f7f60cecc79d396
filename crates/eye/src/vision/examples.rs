//! Makes profiles of tile sets: embeddings of a photo's tiles as the classifier would see them in other photos, and
//! the colours of the set.

use rand_xoshiro::{
    SplitMix64,
    rand_core::{Rng as _, SeedableRng as _},
};

use super::{
    ModelError, Reader,
    networks::CROP,
    pixels::{Lights, Pixels, quarter_turn},
};
use crate::{
    picture::Picture,
    sight::{Corners, quad::sides, rank::quantile},
    tile::Face,
    tileset::{Embedding, White},
};
const PLANE: usize = CROP * CROP;
const SIZE: usize = 3 * PLANE;
/// Number of views of each tile: with corners moved a little, in other light, from farther away.
const VIEWS: usize = 6;
/// Spread of the corners between views, as a share of the tile's long side.
const JITTER: f32 = 0.025;
/// Least and greatest side, in pixels, of a tile seen from afar.
const FAR: [f32; 2] = [20.0, 48.0];
/// Least probability of any face.
const LEAST: f32 = 0.004;
/// Least difference between ink and body, in grey levels.
const INK: f32 = 35.0;
/// Share of a tile's pixels that are darker than its dark level; the same share is brighter than its bright level.
const EXTREME: f32 = 0.05;
/// Least share of ink among the pixels of a framed white dragon.
const FRAME: f32 = 0.03;

impl Reader {
    /// Identifier of this classifier; a profile fits one classifier only.
    #[must_use]
    pub fn fingerprint(&self) -> &str {
        self.models.fingerprint()
    }

    /// Embeddings of tiles whose corners begin at the face's own top left: four for each tile, one for each quarter
    /// turn, each the mean of several views.
    ///
    /// # Errors
    /// The runtime fails, or the classifier gives no embeddings.
    pub fn examples(
        &mut self,
        picture: &Picture,
        quads: &[Corners],
    ) -> Result<Vec<[Embedding; 4]>, ModelError> {
        let lights = Lights::new(picture.rgb())?;
        let pixels = light_of(&lights, quads)?;
        let mut random = Random(SplitMix64::seed_from_u64(7));
        let mut examples = Vec::with_capacity(quads.len());
        for quad in quads {
            let mut views = vec![0.0; VIEWS * 4 * SIZE];
            for (view, four) in views.chunks_exact_mut(4 * SIZE).enumerate() {
                let reach = JITTER * sides(quad)[1];
                let moved = quad.map(|corner| corner.map(|x| x + reach * random.around_zero()));
                pixels.upright(&moved, &mut four[..SIZE])?;
                if view > 0 {
                    random.change(&mut four[..SIZE], view % 2 == 1);
                }
                for turn in 1..4 {
                    let (before, after) = four.split_at_mut(turn * SIZE);
                    quarter_turn(&before[(turn - 1) * SIZE..], &mut after[..SIZE]);
                }
            }
            let mut turns: [Embedding; 4] = std::array::from_fn(|_| Vec::new());
            for (place, (_, seen)) in self.models.embed(&views)?.into_iter().enumerate() {
                // After N quarter turns the face's own top left is N corners earlier.
                let sum = &mut turns[(4 - place % 4) % 4];
                sum.resize(seen.len(), 0.0);
                sum.iter_mut().zip(&seen).for_each(|(sum, x)| *sum += x);
            }
            examples.push(turns);
        }
        Ok(examples)
    }

    /// How much likelier the tiles are these faces mirrored than unmirrored, in nats.
    ///
    /// # Errors
    /// The runtime fails.
    pub fn mirrored(
        &mut self,
        picture: &Picture,
        tiles: &[(Corners, Face)],
    ) -> Result<f32, ModelError> {
        let lights = Lights::new(picture.rgb())?;
        let quads: Vec<Corners> = tiles.iter().map(|(quad, _)| *quad).collect();
        let pixels = light_of(&lights, &quads)?;
        let mut crops = vec![0.0; tiles.len() * SIZE];
        for ((quad, _), crop) in tiles.iter().zip(crops.chunks_exact_mut(SIZE)) {
            pixels.upright(quad, crop)?;
        }
        let seen = self.models.classify(&crops)?;
        crops.chunks_exact_mut(CROP).for_each(<[f32]>::reverse);
        let mirrored = self.models.classify(&crops)?;
        Ok((tiles.iter().zip(seen.iter().zip(&mirrored)))
            .map(|((_, face), (seen, mirrored))| {
                let log = |classes: &[f32]| classes[face.index()].max(LEAST).ln();
                log(&mirrored.classes) - log(&seen.classes)
            })
            .sum())
    }

    /// Colour of the tiles' bodies, red green blue: the median of the bright and common colour of each.
    ///
    /// # Errors
    /// The runtime fails.
    pub fn body_colour(
        &self,
        picture: &Picture,
        quads: &[Corners],
    ) -> Result<Option<[u8; 3]>, ModelError> {
        let mut bodies: Vec<[f32; 3]> = Vec::with_capacity(quads.len());
        for crop in Pixels::new(picture.rgb())?.each_upright(quads)? {
            bodies.push(body(&crop));
        }
        let median = |channel: usize| {
            let median = quantile(bodies.iter().map(|body| body[channel]), 0.5);
            median.map(|value| value.round() as u8)
        };
        Ok(match (median(0), median(1), median(2)) {
            (Some(blue), Some(green), Some(red)) => Some([red, green, blue]),
            _ => None,
        })
    }

    /// Whether a white dragon has a frame.
    ///
    /// # Errors
    /// The runtime fails.
    pub fn white(&self, picture: &Picture, quad: &Corners) -> Result<White, ModelError> {
        let crops = Pixels::new(picture.rgb())?.each_upright(&[*quad])?;
        let framed = crops.iter().any(|crop| {
            let body = body(crop);
            let inner = |at: &usize| {
                let edge = CROP / 10;
                let (x, y) = (at % CROP, at / CROP);
                (edge..CROP - edge).contains(&x) && (edge..CROP - edge).contains(&y)
            };
            let ink = |at: &usize| (0..3).any(|c| (crop[c * PLANE + at] - body[c]).abs() > INK);
            let all = (0..PLANE).filter(inner).count();
            (0..PLANE).filter(inner).filter(ink).count() as f32 > FRAME * all as f32
        });
        Ok(if framed { White::Framed } else { White::Blank })
    }
}

/// The light in which tiles are read: that with light bodies.
fn light_of<'l, 'p>(
    lights: &'l Lights<'p>,
    quads: &[Corners],
) -> Result<&'l Pixels<'p>, ModelError> {
    let crops = lights.pixels(false).each_upright(quads)?;
    let dark = crops.iter().filter(|crop| is_dark(crop)).count();
    Ok(lights.pixels(2 * dark > crops.len()))
}

/// Whether a tile's body, which is most of it, is darker than its print.
fn is_dark(crop: &[f32]) -> bool {
    let level = |at: usize| (crop[at] + crop[PLANE + at] + crop[2 * PLANE + at]) / 3.0;
    let [darkest, body, brightest] = [EXTREME, 0.5, 1.0 - EXTREME]
        .map(|share| quantile((0..PLANE).map(level), share).unwrap_or(0.0));
    brightest - body > body - darkest
}

/// Blue, green and red of a crop's body.
fn body(crop: &[f32]) -> [f32; 3] {
    let light = |at: usize| crop[at] + crop[PLANE + at] + crop[2 * PLANE + at];
    let mut order: Vec<usize> = (0..PLANE).collect();
    order.sort_by(|a, b| light(*a).total_cmp(&light(*b)));
    // The middle of the brighter half: neither ink nor reflection.
    let at = order[PLANE * 3 / 4];
    [crop[at], crop[PLANE + at], crop[2 * PLANE + at]]
}

/// Random numbers with a fixed seed.
struct Random(SplitMix64);

impl Random {
    /// A uniform number between two numbers.
    fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * ((self.0.next_u64() >> 40) as f32 / (1u64 << 24) as f32)
    }

    /// A number with mean zero and a standard deviation of about one.
    fn around_zero(&mut self) -> f32 {
        (0..3).map(|_| self.between(-1.0, 1.0)).sum()
    }

    /// Changes the light of a crop, and coarsens it where `far` is set.
    fn change(&mut self, crop: &mut [f32], far: bool) {
        if far {
            let side = self.between(FAR[0], FAR[1]) as usize;
            crop.chunks_exact_mut(PLANE).for_each(|plane| coarse(plane, side));
        }
        let light = self.between(0.75, 1.2);
        for plane in crop.chunks_exact_mut(PLANE) {
            let gain = light * self.between(0.92, 1.08);
            plane.iter_mut().for_each(|x| *x = (*x * gain).min(255.0));
        }
    }
}

/// A plane reduced to `side` pixels across and enlarged again.
fn coarse(plane: &mut [f32], side: usize) {
    let mut small = vec![(0.0f32, 0.0f32); side * side];
    for (at, value) in plane.iter().enumerate() {
        let (x, y) = (at % CROP * side / CROP, at / CROP * side / CROP);
        let (sum, count) = &mut small[y * side + x];
        *sum += value;
        *count += 1.0;
    }
    let mean = |x: usize, y: usize| {
        let (sum, count) = small[y * side + x];
        sum / count.max(1.0)
    };
    for (at, value) in plane.iter_mut().enumerate() {
        let place = |at: usize| {
            let place =
                ((at as f32 + 0.5) * side as f32 / CROP as f32 - 0.5).clamp(0.0, side as f32 - 1.0);
            (place as usize, (place as usize + 1).min(side - 1), place.fract())
        };
        let ((left, right, u), (top, bottom, v)) = (place(at % CROP), place(at / CROP));
        let across = |y: usize| mean(left, y) * (1.0 - u) + mean(right, y) * u;
        *value = across(top) * (1.0 - v) + across(bottom) * v;
    }
}
