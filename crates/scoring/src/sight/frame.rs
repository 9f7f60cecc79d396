//! A tile's own axes. The layout measures all distances in widths and heights of the tiles themselves, along
//! their own sides, so that neither the camera's angle nor its distance matters.

use crate::{
    sight::{Corners, SeenTile},
    tile::Face,
};

/// Height of a tile in widths.
pub const HEIGHT: f32 = 1.35;
/// Least cosine between the directions of parallel tiles.
pub const PARALLEL: f32 = 0.85;
/// Largest distance, in its own widths, of a neighbour that gives a tile its axis.
const FARTHEST_TELLING: f32 = 8.0;
/// Ratio of width to height, in the neighbour's units, from which on a tile is sideways to it.
const BETWEEN_SHAPES: f32 = 1.2;
/// Least area of a tile, in square pixels.
const SMALLEST: f32 = 1.0;

pub type Point = [f32; 2];

pub fn minus(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1]]
}

pub fn dot(a: Point, b: Point) -> f32 {
    a[0] * b[0] + a[1] * b[1]
}

pub fn length(a: Point) -> f32 {
    dot(a, a).sqrt()
}

/// Cosine of the angle between two directions.
pub fn cosine(a: Point, b: Point) -> f32 {
    dot(a, b) / (length(a) * length(b)).max(1e-6)
}

/// A tile as a parallelogram with its own right and down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TileFrame {
    pub corners: Corners,
    pub centre: Point,
    /// From the left side to the right one.
    pub right: Point,
    /// From the top side to the bottom one.
    pub down: Point,
}

/// The place of another tile, in widths to the right and heights downwards of this one.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    pub x: [f32; 2],
    pub y: [f32; 2],
}

impl Extent {
    /// Share of the shorter one of the two that is beside this one.
    pub fn beside(self) -> f32 {
        overlap(self.y)
    }

    /// Free space to the right (or left) and downwards (or upwards), negative where they overlap.
    pub fn gaps(self) -> [f32; 2] {
        [self.x, self.y].map(|[low, high]| (low - 0.5).max(-0.5 - high))
    }

    pub fn centre(self) -> Point {
        [(self.x[0] + self.x[1]) / 2.0, (self.y[0] + self.y[1]) / 2.0]
    }
}

fn overlap([low, high]: [f32; 2]) -> f32 {
    (high.min(0.5) - low.max(-0.5)) / (high - low).clamp(1e-3, 1.0)
}

impl TileFrame {
    /// The frame with its top left at `corners[0]`.
    pub fn new(corners: Corners) -> Self {
        let [a, b, c, d] = corners;
        let half = |p: Point, q: Point| [(p[0] + q[0]) / 2.0, (p[1] + q[1]) / 2.0];
        Self {
            corners,
            centre: half(half(a, c), half(b, d)),
            right: half(minus(b, a), minus(c, d)),
            down: half(minus(d, a), minus(c, b)),
        }
    }

    /// The same tile with its top left at the corner after `quarters` corners.
    pub fn turned(self, quarters: usize) -> Self {
        let mut corners = self.corners;
        corners.rotate_left(quarters % 4);
        Self::new(corners)
    }

    /// The turn whose right is nearest to a direction.
    pub fn facing(self, right: Point) -> (usize, Self) {
        (0..4)
            .map(|quarters| (quarters, self.turned(quarters)))
            .max_by(|a, b| cosine(a.1.right, right).total_cmp(&cosine(b.1.right, right)))
            .unwrap_or((0, self))
    }

    pub fn local(self, point: Point) -> Point {
        let d = minus(point, self.centre);
        let area = self.right[0] * self.down[1] - self.right[1] * self.down[0];
        let area = if area.abs() < 1e-6 { 1e-6 } else { area };
        [
            (d[0] * self.down[1] - d[1] * self.down[0]) / area,
            (self.right[0] * d[1] - self.right[1] * d[0]) / area,
        ]
    }

    pub fn sees(self, other: &Self) -> Extent {
        let points = other.corners.map(|corner| self.local(corner));
        let range = |axis: usize| {
            points.iter().fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], point| {
                [low.min(point[axis]), high.max(point[axis])]
            })
        };
        Extent { x: range(0), y: range(1) }
    }

    /// The factor from this tile's sides to another's, by their areas.
    pub fn times(self, other: &Self) -> f32 {
        (other.area() / self.area().max(f32::MIN_POSITIVE)).sqrt()
    }

    pub fn area(self) -> f32 {
        (self.right[0] * self.down[1] - self.right[1] * self.down[0]).abs()
    }

    /// Whether it is finite and has an area.
    pub fn is_sound(self) -> bool {
        self.corners.iter().flatten().all(|x| x.is_finite()) && self.area() > SMALLEST
    }
}

/// A tile's likeliest orientation: the frame of its face, and how sure its upper side is (0 if the face looks the
/// same both ways up).
pub fn upright(tile: &SeenTile) -> (TileFrame, f32) {
    let frame = TileFrame::new(tile.corners);
    let axes = [tile.turns[0] + tile.turns[2], tile.turns[1] + tile.turns[3]];
    let odd = if !knows_axis(tile) {
        // The face does not give an axis, or there is no face: the longer side is vertical.
        length(frame.right) > length(frame.down)
    } else {
        axes[1] > axes[0]
    };
    let first = usize::from(odd);
    let (up, down) = (tile.turns[first], tile.turns[first + 2]);
    let quarters = if down > up { first + 2 } else { first };
    (frame.turned(quarters), (up - down).abs() * tells_upper_side(tile))
}

/// Probability of a face that looks different upside down. The upper sides read from other faces are chance,
/// which like faces in a row share, so that their sum is no better.
fn tells_upper_side(tile: &SeenTile) -> f32 {
    let faces = tile.shows_face();
    let alike: f32 = (Face::all().filter(|face| face.looks_alike_upside_down()))
        .map(|face| tile.faces[face.index()])
        .sum();
    if faces > 0.0 { 1.0 - alike / faces } else { 0.0 }
}

/// Difference of probability between the axes from which on a face gives its axis.
const AXIS_SURE: f32 = 0.5;

/// Whether a tile's face gives its axis; the turns of a back mean nothing.
pub fn knows_axis(tile: &SeenTile) -> bool {
    let [a, b, c, d] = tile.turns;
    tile.faces.iter().any(|p| *p > tile.back) && (a + c - b - d).abs() >= AXIS_SURE
}

/// Gives tiles without an axis (backs) the axis of their nearest neighbour that has one: in that one's units a
/// tile parallel to it is equally wide and high, a sideways one is not.
pub fn settle(frames: &mut [TileFrame], known: &[bool]) {
    let telling: Vec<TileFrame> =
        frames.iter().zip(known).filter(|(_, known)| **known).map(|(frame, _)| *frame).collect();
    for (frame, _) in frames.iter_mut().zip(known).filter(|(_, known)| !**known) {
        let distance = |other: &TileFrame| length(minus(other.centre, frame.centre));
        let Some(near) = telling.iter().min_by(|a, b| distance(a).total_cmp(&distance(b))) else {
            return;
        };
        let (_, stands) = frame.facing(near.right);
        let parallel = cosine(stands.right, near.right) > PARALLEL;
        let seen = near.sees(&stands);
        let [wide, high] = [seen.x[1] - seen.x[0], seen.y[1] - seen.y[0]];
        if parallel
            && length(minus(near.centre, frame.centre)) < FARTHEST_TELLING * length(near.right)
        {
            *frame = if wide < BETWEEN_SHAPES * high { stands } else { stands.turned(1) };
        }
    }
}
