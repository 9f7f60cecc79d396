//! Pictures in which tiles can be seen better than in the one that was taken: without specks (`specks`), grain (`grain`),
//! veil (`veil`) or tint (`tint`), in less light (`bright`) or even light (`shade`), or with dark tiles made bright (`dark_bodies`). The networks have seen few such as they are.

mod bright;
mod dark_bodies;
pub(super) mod glare;
mod grain;
pub(super) mod shade;
mod specks;
mod tint;
mod veil;

use std::{borrow::Cow, cell::OnceCell};

use image::RgbImage;

use super::{Corners, ModelError, Picture, classifier::CROP, pixels::Pixels, quad::sides};

/// A picture, what was read in it so far, and what several ask of its pixels.
pub(super) struct SoFar<'p> {
    pub picture: Cow<'p, Picture>,
    /// Where a face shows surely.
    pub faces: Vec<Corners>,
    /// Whether there are too many besides that show none surely, or more of one face than a set has: the strokes of light
    /// print on dark bodies are alike.
    pub is_doubtful: bool,
    /// Each face cut out upright, once one has asked for them.
    crops: OnceCell<Vec<Vec<f32>>>,
    /// See [`SoFar::counts`], once one has asked.
    counts: OnceCell<[usize; 256]>,
}

impl<'p> SoFar<'p> {
    pub(super) fn new(picture: Cow<'p, Picture>, faces: Vec<Corners>, is_doubtful: bool) -> Self {
        let (crops, counts) = (OnceCell::new(), OnceCell::new());
        Self { picture, faces, is_doubtful, crops, counts }
    }

    /// What each face tells, cut out upright. `tell` takes 3 x [`CROP`] x [`CROP`].
    fn of_each<T>(&self, tell: impl Fn(&[f32]) -> T) -> Result<Vec<T>, ModelError> {
        let crops = match self.crops.get() {
            Some(crops) => crops,
            None => {
                let cut = Pixels::new(self.picture.rgb())?.each_upright(&self.faces)?;
                self.crops.get_or_init(|| cut)
            }
        };
        Ok(crops.iter().map(|crop| tell(crop)).collect())
    }

    /// How bright the darkest and the brightest of the picture are.
    fn range(&self) -> [f32; 2] {
        let counts = self.counts();
        let all = counts.iter().sum::<usize>() as f32;
        let mut below = 0;
        let darkest = counts.iter().position(|count| {
            below += count;
            below as f32 > DARKEST * all
        });
        let mut above = 0;
        let brightest = counts.iter().rposition(|count| {
            above += count;
            above as f32 > BRIGHTEST * all
        });
        [darkest.unwrap_or(0) as f32, brightest.unwrap_or(255) as f32]
    }

    /// How many of the picture's pixels are how bright, of some that lie all over it.
    fn counts(&self) -> &[usize; 256] {
        self.counts.get_or_init(|| {
            let rgb = self.picture.rgb();
            let stride = (rgb.as_raw().len() / (3 * SAMPLED)).max(1);
            let mut counts = [0; 256];
            for pixel in rgb.pixels().step_by(stride) {
                counts[usize::from(brightness(pixel.0))] += 1;
            }
            counts
        })
    }
}

/// A clearer picture than the one that was read, where there is reason to make one.
pub(super) type Way = fn(&SoFar<'_>) -> Result<Option<Picture>, ModelError>;

/// In which order they are tried: where one is taken, the next one begins.
pub(super) const WAYS: [Way; 6] = [
    specks::removed,
    grain::softened,
    bright::dimmed,
    veil::lifted,
    dark_bodies::inverted,
    tint::freed,
];

/// Fewer sure faces tell nothing of a set's bodies.
const FACES: usize = 4;
/// Most pixels that tell of the whole picture's light.
const SAMPLED: usize = 1 << 16;

/// One in a hundred pixels is darker than the darkest that counts,
const DARKEST: f32 = 0.01;
/// and one in two hundred brighter than the brightest.
const BRIGHTEST: f32 = 0.005;

/// The green of three by three pixels, row by row, about each of at most [`SAMPLED`] in rows spread over a picture.
fn patches(picture: &Picture) -> impl Iterator<Item = [u8; 9]> + '_ {
    let rgb = picture.rgb();
    let (width, height) = (rgb.width(), rgb.height());
    let rows = (SAMPLED as u32 / width).clamp(1, height - 2);
    (0..rows).flat_map(move |row| {
        let y = (u64::from(row) * u64::from(height - 2) / u64::from(rows)) as u32;
        (0..width - 2).map(move |x| {
            std::array::from_fn(|k| rgb.get_pixel(x + k as u32 % 3, y + k as u32 / 3).0[1])
        })
    })
}

/// How bright a pixel is, 0-255.
fn brightness([red, green, blue]: [u8; 3]) -> u8 {
    let [red, green, blue] = [red, green, blue].map(u32::from);
    ((299 * red + 587 * green + 114 * blue) / 1000) as u8
}

/// How bright a face is where `share` of its pixels are darker: its ink, or its body. `crop`: 3 x [`CROP`] x [`CROP`].
fn level(crop: &[f32], share: f32) -> u8 {
    let (blue, rest) = crop.split_at(CROP * CROP);
    let (green, red) = rest.split_at(CROP * CROP);
    let mut levels: Vec<u8> = (blue.iter().zip(green).zip(red))
        .map(|((blue, green), red)| brightness([*red, *green, *blue].map(|light| light as u8)))
        .collect();
    let darker = (share * levels.len() as f32) as usize;
    *levels.select_nth_unstable(darker).1
}

/// A picture with each pixel changed alike, wherever it is.
fn changed(picture: &Picture, change: impl Fn([u8; 3]) -> [u8; 3]) -> Result<Picture, ModelError> {
    let mut rgb: RgbImage = picture.rgb().clone();
    for pixel in rgb.pixels_mut() {
        pixel.0 = change(pixel.0);
    }
    picture_of(rgb)
}

/// The short side of a face as most have it.
fn typical_short(faces: &[Corners]) -> Option<f32> {
    let mut shorts: Vec<f32> = faces.iter().map(|face| sides(face)[0]).collect();
    shorts.sort_by(f32::total_cmp);
    shorts.get(shorts.len() / 2).copied()
}

/// How many cells of such a side, in pixels, a picture has across and down, with no more than `most` to its long side.
fn cells(picture: &Picture, side: f32, most: f32) -> [usize; 2] {
    let [width, height] = [picture.width(), picture.height()].map(|side| side as f32);
    let side = side.max(width.max(height) / most).max(1.0);
    [width, height].map(|length| (length / side).round().max(2.0) as usize)
}

/// A picture with each pixel changed by what its place is worth, between the middles of cells, whose worths are given row by row.
fn by_cells(
    picture: &Picture,
    size: [usize; 2],
    worths: &[f32],
    change: impl Fn([u8; 3], f32) -> [u8; 3],
) -> Result<Picture, ModelError> {
    let mut rgb = picture.rgb().clone();
    let place = |at: u32, side: u32, cells: usize| {
        let place = (at as f32 + 0.5) * cells as f32 / side as f32 - 0.5;
        let place = place.clamp(0.0, cells as f32 - 1.0);
        let low = (place as usize).min(cells - 2);
        (low, place - low as f32)
    };
    let (width, height) = rgb.dimensions();
    let columns: Vec<(usize, f32)> = (0..width).map(|x| place(x, width, size[0])).collect();
    for (y, row) in rgb.enumerate_rows_mut() {
        let (low, part) = place(y, height, size[1]);
        let [above, below] = [low, low + 1].map(|row| &worths[row * size[0]..][..size[0]]);
        let across: Vec<f32> = above.iter().zip(below).map(|(a, b)| a + part * (b - a)).collect();
        for ((_, _, pixel), (low, part)) in row.zip(&columns) {
            let worth = across[*low] + part * (across[*low + 1] - across[*low]);
            pixel.0 = change(pixel.0, worth);
        }
    }
    picture_of(rgb)
}

/// A picture of as many pixels as one that there is already.
fn picture_of(rgb: RgbImage) -> Result<Picture, ModelError> {
    Picture::from_rgb(rgb).map_err(|error| ModelError::Run(error.to_string()))
}

/// A picture in which faces were read, all there is.
#[cfg(test)]
fn read(picture: &Picture, faces: Vec<Corners>) -> SoFar<'_> {
    SoFar::new(Cow::Borrowed(picture), faces, false)
}
