//! Compares a place with the bodies of the nearest faces: brightness, tint and flatness, in levels (0-255), so that a
//! blank can be compared with tiles in any light.

use super::{ModelError, networks::CROP, pixels::Pixels};
use crate::sight::{
    Corners,
    quad::{grown, nearest},
    rank::quantile,
};

/// Number of nearest faces that give the light at a place.
pub(super) const NEAREST: usize = 4;
/// Side of a place's crop, in sides of the place.
const ROOM: f32 = 1.4;

/// The faces nearest to a place, at most [`NEAREST`].
pub(super) fn nearest_faces(place: &Corners, faces: &[Corners]) -> Vec<Corners> {
    nearest(place, faces, NEAREST).into_iter().map(|face| faces[face]).collect()
}

/// Compares a place with the faces nearest to it, at least one, and gives its weakest edge, in levels. `shades`:
/// the shade of each face.
pub(super) fn beside_nearest(
    pixels: &Pixels<'_>,
    place: &Corners,
    faces: &[Corners],
    shades: &[Shade],
) -> Result<(BodyComparison, f32), ModelError> {
    let near: Vec<Shade> =
        nearest(place, faces, NEAREST).into_iter().map(|face| shades[face]).collect();
    let crop = with_room(pixels, place)?;
    Ok((beside(&crop, &near), weakest_edge(&crop)))
}

/// The shade of each face.
pub(super) fn shades(pixels: &Pixels<'_>, faces: &[Corners]) -> Result<Vec<Shade>, ModelError> {
    let mut crop = vec![0.0; 3 * CROP * CROP];
    let shades = faces.iter().map(|face| {
        pixels.upright(face, &mut crop)?;
        Ok(Shade::of(&crop))
    });
    shades.collect()
}

/// A place with [`ROOM`] around it, cut out upright.
fn with_room(pixels: &Pixels<'_>, place: &Corners) -> Result<Vec<f32>, ModelError> {
    let mut crop = vec![0.0; 3 * CROP * CROP];
    pixels.upright(&grown(place, ROOM), &mut crop)?;
    Ok(crop)
}

/// Brightness and colour of a face's body, and how dark its print is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shade {
    /// Colour of the brightest fifth of the face: blurred print darkens its surroundings.
    body: [f32; 3],
    ink: f32,
}

impl Shade {
    /// The shade of a face's crop: 3 x [`CROP`] x [`CROP`], BGR, 0-255.
    pub(super) fn of(crop: &[f32]) -> Self {
        let mut pixels = inner(crop, CROP / 8);
        let by_brightness = |a: &[f32; 3], b: &[f32; 3]| mean(*a).total_cmp(&mean(*b));
        let brightest = pixels.len() * 4 / 5;
        pixels.select_nth_unstable_by(brightest, by_brightness);
        let body = median(&pixels[brightest..]);
        let ink = quantile(pixels.iter().map(|pixel| mean(*pixel)), 0.05).unwrap_or(0.0);
        Self { body, ink }
    }

    /// How much darker its print is than its body.
    pub(super) fn print(&self) -> f32 {
        mean(self.body) - self.ink
    }
}

/// Pixels of a crop that the room around the place takes, along each edge.
fn margin() -> usize {
    (CROP as f32 * (1.0 - 1.0 / ROOM) / 2.0) as usize
}

/// Differences between a place and the bodies of faces, in levels (0-255).
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyComparison {
    /// How much darker the faces' print is than their bodies.
    pub contrast: f32,
    /// How much brighter the place is than the bodies.
    pub brighter: f32,
    /// How much the place's tint differs from theirs.
    pub tinted: f32,
    /// How much yellower the place is.
    pub yellower: f32,
    /// Largest difference from the place's median among the four fifths of its pixels that are nearest to it.
    pub rough: f32,
}

/// Compares a place with one or more faces; `crop`: the place with [`ROOM`] around it, 3 x [`CROP`] x [`CROP`],
/// BGR, 0-255.
pub(super) fn beside(crop: &[f32], faces: &[Shade]) -> BodyComparison {
    let bodies: Vec<[f32; 3]> = faces.iter().map(|face| face.body).collect();
    let body = median(&bodies);
    // By the face with most print: another one may be a white dragon.
    let contrast = faces.iter().map(Shade::print).fold(0.0, f32::max);
    let inside = inner(crop, margin() + 6);
    let colour = median(&inside);
    let rough = quantile(inside.iter().map(|pixel| differ(*pixel, colour)), 0.8).unwrap_or(0.0);
    let brighter = mean(colour) - mean(body);
    let tint = |colour: [f32; 3]| colour.map(|value| value - mean(colour));
    let (own, theirs) = (tint(colour), tint(body));
    let (tinted, yellower) = (differ(own, theirs), theirs[0] - own[0]);
    BodyComparison { contrast, brighter, tinted, yellower, rough }
}

/// Of the edges of a place, the smallest difference from its inside, in levels.
pub(super) fn weakest_edge(crop: &[f32]) -> f32 {
    let edge = margin();
    // The lines along each side, from outside to inside.
    let line = |side: usize, depth: usize| -> [f32; 3] {
        let pixels: Vec<[f32; 3]> = (edge + 6..CROP - edge - 6)
            .map(|along| match side {
                0 => pixel(crop, along, depth),
                1 => pixel(crop, CROP - 1 - depth, along),
                2 => pixel(crop, along, CROP - 1 - depth),
                _ => pixel(crop, depth, along),
            })
            .collect();
        median(&pixels)
    };
    let edges = (0..4).map(|side| {
        let within: Vec<[f32; 3]> = (edge + 7..edge + 14).map(|depth| line(side, depth)).collect();
        let within = median(&within);
        (edge - 7..edge + 5).map(|depth| differ(line(side, depth), within)).fold(0.0, f32::max)
    });
    edges.fold(f32::INFINITY, f32::min)
}

/// The pixels of a crop without a margin.
fn inner(crop: &[f32], margin: usize) -> Vec<[f32; 3]> {
    let inside = margin..CROP - margin;
    let places = inside.clone().flat_map(|y| inside.clone().map(move |x| (x, y)));
    places.map(|(x, y)| pixel(crop, x, y)).collect()
}

fn pixel(crop: &[f32], x: usize, y: usize) -> [f32; 3] {
    [0, 1, 2].map(|plane| crop[plane * CROP * CROP + y * CROP + x])
}

fn mean(colour: [f32; 3]) -> f32 {
    colour.iter().sum::<f32>() / 3.0
}

/// The largest difference of one channel.
fn differ(a: [f32; 3], b: [f32; 3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

/// The median of each channel.
pub(super) fn median(pixels: &[[f32; 3]]) -> [f32; 3] {
    [0, 1, 2].map(|k| quantile(pixels.iter().map(|pixel| pixel[k]), 0.5).unwrap_or(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A crop of one colour, with `print` in its middle.
    fn crop(colour: [f32; 3], print: f32) -> Vec<f32> {
        let middle = 20..44;
        let value = |of: f32, at: usize| {
            let (x, y) = (at % CROP, at / CROP);
            if middle.contains(&x) && middle.contains(&y) { print } else { of }
        };
        colour.iter().flat_map(|of| (0..CROP * CROP).map(|at| value(*of, at))).collect()
    }

    #[test]
    fn a_blank_compares_with_the_faces_around_in_the_same_way_by_any_light() {
        // In full light, in a fifth of it, and through a veil.
        for light in [|level: f32| level, |level| 0.2 * level, |level| 130.0 + 0.3 * level] {
            let of = |colour: [f32; 3], print: f32| crop(colour.map(light), light(print));
            let faces = [Shade::of(&of([195.0; 3], 45.0)); 2];
            let shares = |colour: [f32; 3], print: f32| {
                let BodyComparison { contrast, brighter, tinted, rough, .. } =
                    beside(&of(colour, print), &faces);
                [brighter, tinted, rough].map(|value| value / contrast)
            };
            let [brighter, tinted, rough] = shares([207.0; 3], 207.0);
            assert!((brighter - 0.08).abs() < 0.01 && tinted < 0.01 && rough < 0.01);
            assert!((shares([140.0; 3], 140.0)[0] + 0.37).abs() < 0.01, "darker: another thing");
            assert!(shares([160.0, 205.0, 235.0], 205.0)[1] > 0.2, "a back, or wood");
            assert!(shares([205.0; 3], 60.0)[2] > 0.2, "something is printed on it");
        }
    }
}
