//! Fakes of the networks, for tests: they read pictures in which each tile is a rectangle whose colour encodes
//! its class.

use image::{Rgb, RgbImage};

use super::{
    CLASSES, CROP, Lazy, Models, Network, Output, REJECT,
    classifier::{Classifier, Outputs},
};
use crate::tile::Face;

/// Red of class 0, and the step to the next class.
const RED: [usize; 2] = [40, 4];
/// Green of a tile that the detector sees, and of one that it overlooks.
const GREEN: [u8; 2] = [200, 90];
/// Logit of yes, and of no.
const LOGIT: [f32; 2] = [7.0, -7.0];

/// A picture of black cloth with tiles on it: left, top, width and height in pixels, class, and whether the detector sees it.
pub fn painted(size: [u32; 2], tiles: &[([u32; 4], usize, bool)]) -> RgbImage {
    let mut picture = RgbImage::new(size[0], size[1]);
    for ([left, top, width, height], class, is_seen) in tiles {
        let colour = Rgb([(RED[0] + RED[1] * class) as u8, GREEN[usize::from(!is_seen)], 128]);
        for (x, y) in (*top..top + height).flat_map(|y| (*left..left + width).map(move |x| (x, y)))
        {
            picture.put_pixel(x, y, colour);
        }
    }
    picture
}

/// A function from a tensor of some shape to a network's outputs.
pub type RunFunction = fn([usize; 4], &[f32]) -> Result<Vec<Output>, String>;

/// A network that is a function.
struct Fake(RunFunction);

impl Network for Fake {
    fn input(&self) -> Option<(String, Option<usize>)> {
        None
    }

    fn output(&self, _: &str) -> Option<Option<usize>> {
        None
    }

    fn run(
        &mut self,
        shape: [usize; 4],
        values: &[f32],
        _: &[&str],
    ) -> Result<Vec<Output>, String> {
        (self.0)(shape, values)
    }
}

impl Models {
    /// Networks that read painted pictures, with this detector.
    pub fn painted(detector: RunFunction) -> Self {
        let codes = Face::all().map(|face| face.to_string());
        let codes: Vec<String> = codes.chain(["x", "reject"].map(str::to_owned)).collect();
        let outputs = Outputs::new(&codes, [0, 1, 2, 3]).expect("every class once");
        let classifier = Classifier::new(Box::new(Fake(classified)), outputs, 1.0);
        Self {
            detector: Box::new(Fake(detector)),
            classifier: loaded(classifier),
            corners: Some(loaded(Box::new(Fake(fitted)))),
            fingerprint: String::new(),
        }
    }
}

fn loaded<T>(network: T) -> Lazy<T> {
    Lazy { load: Box::new(|| unreachable!("it is loaded")), loaded: Some(network) }
}

/// The box around each patch that the detector sees, as a face in its middle cell.
pub fn detected([_, _, height, width]: [usize; 4], image: &[f32]) -> Result<Vec<Output>, String> {
    let green = &image[width * height..2 * width * height];
    let mut is_new: Vec<bool> = green.iter().map(|level| *level > 150.0).collect();
    let (across, cells) = (width / 4, width / 4 * (height / 4));
    let mut map = vec![0.0; 10 * cells];
    map[..2 * cells].fill(LOGIT[1]);
    for start in 0..is_new.len() {
        let mut next = vec![start];
        let (mut low, mut high) = ([usize::MAX; 2], [0; 2]);
        while let Some(at) = next.pop().filter(|_| is_new[start] || low[0] != usize::MAX) {
            if !std::mem::take(&mut is_new[at]) {
                continue;
            }
            let place = [at % width, at / width];
            low = [0, 1].map(|axis| low[axis].min(place[axis]));
            high = [0, 1].map(|axis| high[axis].max(place[axis] + 1));
            let beside = [(place[0] > 0, -1), (place[0] + 1 < width, 1)];
            let above =
                [(place[1] > 0, -(width as isize)), (place[1] + 1 < height, width as isize)];
            let around = beside.into_iter().chain(above).filter(|(is_inside, _)| *is_inside);
            next.extend(around.map(|(_, by)| at.wrapping_add_signed(by)));
        }
        if low[0] == usize::MAX {
            continue;
        }
        let cell = [0, 1].map(|axis| (low[axis] + high[axis]) / 8);
        let at = cell[1] * across + cell[0];
        map[at] = LOGIT[0];
        let corners = [[low[0], low[1]], [high[0], low[1]], high, [low[0], high[1]]];
        for (number, corner) in corners.iter().enumerate() {
            for axis in 0..2 {
                let off = corner[axis] as f32 - 4.0 * (cell[axis] as f32 + 0.5);
                map[(2 + 4 * axis + number) * cells + at] = off / 16.0;
            }
        }
    }
    Ok(vec![(vec![1, 10, height / 4, width / 4], map)])
}

/// The class that the middle of each crop is painted in; no tile for cloth.
fn classified(_: [usize; 4], crops: &[f32]) -> Result<Vec<Output>, String> {
    let (mut faces, mut turns) = (Vec::new(), Vec::new());
    for red in reds(crops) {
        let class = (red.round() as usize).checked_sub(RED[0]).map_or(REJECT, |red| red / RED[1]);
        faces.extend((0..CLASSES).map(|other| LOGIT[usize::from(other != class)]));
        turns.extend([LOGIT[0], LOGIT[1], LOGIT[1], LOGIT[1]]);
    }
    Ok(vec![(Vec::new(), faces), (Vec::new(), turns)])
}

/// Every corner stays; a tile where the middle of the crop is painted.
fn fitted(_: [usize; 4], crops: &[f32]) -> Result<Vec<Output>, String> {
    let tile: Vec<f32> = reds(crops).map(|red| LOGIT[usize::from(red < RED[0] as f32)]).collect();
    Ok(vec![(Vec::new(), vec![0.0; 8 * tile.len()]), (Vec::new(), tile)])
}

/// Red in the middle of each crop, a pixel to the right: the seam between two halves is not cut exactly.
fn reds(crops: &[f32]) -> impl Iterator<Item = f32> {
    crops
        .chunks_exact(3 * CROP * CROP)
        .map(|crop| crop[2 * CROP * CROP + CROP / 2 * (CROP + 1) + 1])
}
