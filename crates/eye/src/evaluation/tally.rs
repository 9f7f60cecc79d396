//! Counts detected tiles against labelled ones.

use super::{
    dataset::{Photo, TileTruth},
    figures::Share,
};
use crate::{
    sight::{
        Corners, SeenTile,
        quad::{bounding_box, box_overlap, from_corner, sides},
    },
    tile::{Face, SeenFace, Tile},
};

/// Least overlap (intersection over union) of boxes in the usual measure.
const HALF: f32 = 0.5;
/// Least overlap in the stricter measure.
const TIGHT: f32 = 0.75;
/// Least share of a face inside a box that belongs to it: boxes around a whole tile, with its sides, hold much
/// more than its face.
const INSIDE: f32 = 0.75;
/// Least share of such a box that the face fills.
const FILLS: f32 = 0.3;
/// Overlap with an ignored box from which on a detection is neither right nor wrong.
const IGNORED: f32 = 0.2;
/// Largest short side of a small tile's box, in pixels.
const SMALL: f32 = 30.0;
/// Probability from which on a reading is sure.
const SURE: f32 = 0.8;

/// A kind of error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// A labelled tile was not detected.
    Missed,
    /// Something else was taken for a tile, on a photo with all tiles labelled.
    Extra,
    /// A tile was detected and classified wrong.
    Misclassified,
}

/// One error.
#[derive(Clone, Debug)]
pub struct TileError {
    /// Index of the photo.
    pub photo: usize,
    /// The kind of error.
    pub kind: ErrorKind,
    /// Left, top, right, bottom.
    pub bounds: [f32; 4],
    /// The true face.
    pub truth: Option<SeenFace>,
    /// The face that was read, and its probability.
    pub read: Option<(SeenFace, f32)>,
}

/// Counts over any number of photos.
#[derive(Clone, Debug, Default)]
pub struct TileTally {
    /// Photos.
    pub photos: usize,
    /// Labelled tiles that were detected: IoU 0.5 of bounding boxes, or three quarters of the detection inside
    /// the label's box and IoU 0.3.
    pub recall: Share,
    /// Labelled tiles detected at IoU 0.5.
    pub recall_half: Share,
    /// Labelled tiles detected at IoU 0.75.
    pub recall_tight: Share,
    /// Detections that are tiles, on complete photos.
    pub precision: Share,
    /// Detections that are tiles at IoU 0.5.
    pub precision_half: Share,
    /// Detections that are tiles at IoU 0.75.
    pub precision_tight: Share,
    /// Detected tiles that are classified right.
    pub faces: Share,
    /// Labelled tiles that are detected and classified right.
    pub read: Share,
    /// Flowers and seasons that are read right.
    pub bonus: Share,
    /// Sideways tiles that are read right.
    pub sideways: Share,
    /// Upside-down tiles that are read right.
    pub upside_down: Share,
    /// Small tiles that are read right.
    pub small: Share,
    /// Fives classified right whose red or plain print is right, too.
    pub red: Share,
    /// Detected tiles with a known turn whose turn is right.
    pub turns: Share,
    /// Complete photos with every tile right and no extra.
    pub exact: Share,
    /// Complete photos without tiles in which no tile was seen.
    pub silent: Share,
    /// Labelled tiles classified wrong at a probability of 0.8 or more.
    pub sure_and_wrong: Share,
    /// Number of extra tiles classified at 0.8 or more, on complete photos.
    pub sure_extras: usize,
    /// Mean distances of the corners, in short sides, of detected tiles with known corners.
    pub corner_errors: Vec<f64>,
    /// Confidence of each detected tile, and whether it was right.
    pub answers: Vec<(f64, bool)>,
    /// `confusion[truth][read]`: faces, then the back, then `?`, then no tile: that column holds the missed
    /// tiles, that row the extras.
    pub confusion: Vec<Vec<u32>>,
    /// Faces whose turn some label gives.
    pub turned_faces: Vec<Face>,
}

/// Rows of the confusion matrix.
const ROWS: usize = Face::COUNT + 3;

/// Index of "no tile" in the matrix.
const NO_TILE: usize = ROWS - 1;

fn row(face: SeenFace) -> usize {
    match face {
        SeenFace::Tile(tile) => tile.face().index(),
        SeenFace::Back => Face::COUNT,
        SeenFace::Unknown => Face::COUNT + 1,
    }
}

/// The overlap of each detection with its label, if it has one, and the detection of each label: the best pairs
/// first.
fn matches<'a>(
    truths: &[&TileTruth],
    detections: &[&'a SeenTile],
) -> (Vec<Option<f32>>, Vec<Option<&'a SeenTile>>) {
    let mut pairs = Vec::new();
    for (f, detection) in detections.iter().enumerate() {
        let bounds = bounding_box(&detection.corners);
        for (t, truth) in truths.iter().enumerate() {
            let overlap = box_overlap(truth.bounds, bounds);
            if overlap >= HALF || overlap >= FILLS && share_inside(bounds, truth.bounds) >= INSIDE {
                pairs.push((overlap, f, t));
            }
        }
    }
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut of_detection = vec![None; detections.len()];
    let mut of_truth: Vec<Option<&SeenTile>> = vec![None; truths.len()];
    for (overlap, f, t) in pairs {
        if of_detection[f].is_none() && of_truth[t].is_none() {
            of_detection[f] = Some(overlap);
            of_truth[t] = Some(detections[f]);
        }
    }
    (of_detection, of_truth)
}

/// The share of a box inside another one.
fn share_inside(inner: [f32; 4], outer: [f32; 4]) -> f32 {
    let width = inner[2].min(outer[2]) - inner[0].max(outer[0]);
    let height = inner[3].min(outer[3]) - inner[1].max(outer[1]);
    let area = (inner[2] - inner[0]) * (inner[3] - inner[1]);
    if area > 0.0 { width.max(0.0) * height.max(0.0) / area } else { 0.0 }
}

impl TileTally {
    /// Counts one photo; returns its errors.
    pub fn add(&mut self, place: usize, photo: &Photo, seen: &[SeenTile]) -> Vec<TileError> {
        if self.confusion.is_empty() {
            self.confusion = vec![vec![0; ROWS]; ROWS];
        }
        self.photos += 1;
        let truths: Vec<&TileTruth> = photo.tiles.iter().filter(|tile| !tile.ignore).collect();
        let ignored: Vec<&TileTruth> = photo.tiles.iter().filter(|tile| tile.ignore).collect();
        let detections: Vec<&SeenTile> = seen
            .iter()
            // Backs count only if they are labelled.
            .filter(|seen| photo.backs || seen.classified().0 != SeenFace::Back)
            .collect();
        let mut errors = Vec::new();
        let mut extras = 0;
        let (of_detection, matched) = matches(&truths, &detections);
        for (detection, overlap) in detections.iter().zip(of_detection) {
            let bounds = bounding_box(&detection.corners);
            match overlap {
                Some(overlap) => {
                    self.recall_half.good += usize::from(overlap >= HALF);
                    self.recall_tight.good += usize::from(overlap >= TIGHT);
                    if photo.complete {
                        self.precision.add(true);
                        self.precision_half.add(overlap >= HALF);
                        self.precision_tight.add(overlap >= TIGHT);
                    }
                }
                None if ignored.iter().any(|t| box_overlap(t.bounds, bounds) > IGNORED) => {}
                None if !photo.complete => {}
                None => {
                    extras += 1;
                    self.precision.add(false);
                    self.precision_half.add(false);
                    self.precision_tight.add(false);
                    let read = detection.classified();
                    self.sure_extras += usize::from(read.1 >= SURE);
                    self.confusion[NO_TILE][row(read.0)] += 1;
                    errors.push(TileError {
                        photo: place,
                        kind: ErrorKind::Extra,
                        bounds,
                        truth: None,
                        read: Some(read),
                    });
                }
            }
        }
        let mut all_right = extras == 0;
        for (truth, detection) in truths.iter().zip(matched) {
            let right = self.add_tile(photo, truth, detection);
            all_right &= right;
            if !right {
                errors.push(TileError {
                    photo: place,
                    kind: if detection.is_some() {
                        ErrorKind::Misclassified
                    } else {
                        ErrorKind::Missed
                    },
                    bounds: truth.bounds,
                    truth: Some(truth.face),
                    read: detection.map(SeenTile::classified),
                });
            }
        }
        if photo.complete {
            let which = if truths.is_empty() { &mut self.silent } else { &mut self.exact };
            which.add(all_right);
        }
        errors
    }

    /// Counts one labelled tile; returns whether it was detected and classified right.
    fn add_tile(&mut self, photo: &Photo, truth: &TileTruth, detection: Option<&SeenTile>) -> bool {
        let read = detection.map(SeenTile::classified);
        let same = |a: SeenFace, b: SeenFace| row(a) == row(b);
        let right = read.is_some_and(|(face, _)| same(face, truth.face));
        self.recall.add(detection.is_some());
        self.recall_half.of += 1;
        self.recall_tight.of += 1;
        self.read.add(right);
        let short = (truth.bounds[2] - truth.bounds[0]).min(truth.bounds[3] - truth.bounds[1]);
        if short < SMALL {
            self.small.add(right);
        }
        match truth.turn {
            Some(90 | 270) => self.sideways.add(right),
            Some(180) => self.upside_down.add(right),
            _ => {}
        }
        if let SeenFace::Tile(tile) = truth.face
            && tile.face().is_bonus()
        {
            self.bonus.add(right);
        }
        let sure = read.is_some_and(|(face, p)| face != SeenFace::Unknown && p >= SURE);
        self.sure_and_wrong.add(sure && !right);
        self.confusion[row(truth.face)][read.map_or(NO_TILE, |(face, _)| row(face))] += 1;
        let Some((seen, (_, p))) = detection.zip(read) else { return false };
        self.faces.add(right);
        self.answers.push((f64::from(p), right));
        if let (true, SeenFace::Tile(tile)) = (right, truth.face)
            && Tile::red_five(tile.face().suit()).is_some_and(|five| five.face() == tile.face())
        {
            self.red.add(tile.is_red() == (seen.red > 0.5));
        }
        if let (Some(corners), false) = (&truth.corners, photo.loose) {
            self.corner_errors.push(corner_error(corners, &seen.corners));
        }
        if let (Some(turn), SeenFace::Tile(tile)) = (truth.turn, truth.face) {
            let off = (turn_of(&seen.corners) + 360 - turn) % 360;
            let alike = tile.face().looks_alike_upside_down();
            self.turns.add(off == 0 || (alike && off == 180));
            if !self.turned_faces.contains(&tile.face()) {
                self.turned_faces.push(tile.face());
            }
        }
        right
    }

    /// Adds the counts of other photos.
    pub fn merge(&mut self, other: &Self) {
        self.photos += other.photos;
        self.recall += other.recall;
        self.recall_half += other.recall_half;
        self.recall_tight += other.recall_tight;
        self.precision += other.precision;
        self.precision_half += other.precision_half;
        self.precision_tight += other.precision_tight;
        self.faces += other.faces;
        self.read += other.read;
        self.bonus += other.bonus;
        self.sideways += other.sideways;
        self.upside_down += other.upside_down;
        self.small += other.small;
        self.red += other.red;
        self.turns += other.turns;
        self.exact += other.exact;
        self.silent += other.silent;
        self.sure_and_wrong += other.sure_and_wrong;
        self.sure_extras += other.sure_extras;
        self.corner_errors.extend(&other.corner_errors);
        self.answers.extend(&other.answers);
        if self.confusion.is_empty() {
            self.confusion = vec![vec![0; ROWS]; ROWS];
        }
        for (mine, theirs) in
            self.confusion.iter_mut().flatten().zip(other.confusion.iter().flatten())
        {
            *mine += theirs;
        }
        for face in &other.turned_faces {
            if !self.turned_faces.contains(face) {
                self.turned_faces.push(*face);
            }
        }
    }
}

/// Mean distance of four corners, in short sides, from any first corner.
fn corner_error(truth: &Corners, read: &Corners) -> f64 {
    let off = |start: usize| {
        let turned = from_corner(read, start);
        let each = truth.iter().zip(&turned).map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1]));
        f64::from(each.sum::<f32>() / 4.0 / sides(truth)[0].max(1.0))
    };
    (0..4).map(off).fold(f64::INFINITY, f64::min)
}

/// The quarter turn, clockwise, of a face whose corners are these.
fn turn_of(corners: &Corners) -> u16 {
    // Along the top edge and, the other way, along the bottom one.
    let x = corners[1][0] - corners[0][0] + corners[2][0] - corners[3][0];
    let y = corners[1][1] - corners[0][1] + corners[2][1] - corners[3][1];
    match (x.abs() >= y.abs(), x >= 0.0, y >= 0.0) {
        (true, true, _) => 0,
        (true, false, _) => 180,
        (false, _, true) => 90,
        (false, _, false) => 270,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(x: f32, y: f32) -> Corners {
        [[x, y], [x + 30.0, y], [x + 30.0, y + 40.0], [x, y + 40.0]]
    }

    fn seen(corners: Corners, code: &str, p: f32) -> SeenTile {
        let mut faces = [0.0; Face::COUNT];
        let face: Face = code.parse().expect("a face");
        faces[face.index()] = p;
        let turns = [1.0, 0.0, 0.0, 0.0];
        SeenTile { corners, found: 0.9, faces, back: 0.0, reject: 1.0 - p, red: 0.0, turns }
    }

    fn photo(tiles: &[(&str, f32, f32)], complete: bool) -> Photo {
        let truth = |&(code, x, y): &(&str, f32, f32)| TileTruth {
            bounds: bounding_box(&square(x, y)),
            face: SeenFace::Tile(code.parse::<Tile>().expect("a tile")),
            ignore: false,
            corners: Some(square(x, y)),
            turn: Some(0),
            axis: None,
        };
        Photo {
            source: "s".into(),
            file: "f".into(),
            group: String::new(),
            path: "f".into(),
            complete,
            loose: false,
            backs: false,
            tiles: tiles.iter().map(truth).collect(),
            hand: None,
            refuse: false,
        }
    }

    #[test]
    fn right_wrong_missed_and_extra_tiles_count_apart() {
        let photo = photo(&[("1m", 0.0, 0.0), ("2m", 50.0, 0.0), ("3m", 100.0, 0.0)], true);
        let read = [
            seen(square(1.0, 0.0), "1m", 0.99),
            seen(square(50.0, 0.0), "5m", 0.9),
            seen(square(300.0, 0.0), "5z", 0.95),
        ];
        let mut tally = TileTally::default();
        let errors = tally.add(0, &photo, &read);
        let kinds: Vec<ErrorKind> = errors.iter().map(|error| error.kind).collect();
        assert_eq!(kinds, [ErrorKind::Extra, ErrorKind::Misclassified, ErrorKind::Missed]);
        assert_eq!(
            (tally.recall, tally.faces),
            (Share { good: 2, of: 3 }, Share { good: 1, of: 2 })
        );
        assert_eq!((tally.precision, tally.exact.good), (Share { good: 2, of: 3 }, 0));
        assert_eq!((tally.sure_and_wrong.good, tally.sure_extras), (1, 1));
        let place = |code: &str| code.parse::<Face>().expect("a face").index();
        let cell = |truth: usize, read: usize| tally.confusion[truth][read];
        assert_eq!(cell(place("1m"), place("1m")), 1);
        assert_eq!(cell(place("2m"), place("5m")), 1);
        assert_eq!((cell(place("3m"), NO_TILE), cell(NO_TILE, place("5z"))), (1, 1));
        assert_eq!(tally.confusion.iter().flatten().sum::<u32>(), 4);
        assert!((tally.corner_errors[0] - 1.0 / 30.0).abs() < 1e-6);
    }

    #[test]
    fn a_find_counts_once_and_an_incomplete_photo_has_no_extras() {
        let photo = photo(&[("1m", 0.0, 0.0)], false);
        let read = [seen(square(0.0, 0.0), "1m", 0.99), seen(square(2.0, 0.0), "1m", 0.9)];
        let mut tally = TileTally::default();
        assert!(tally.add(0, &photo, &read).is_empty());
        assert_eq!((tally.precision.of, tally.exact.of), (0, 0));
    }

    #[test]
    fn a_photo_without_tiles_asks_for_silence() {
        let mut tally = TileTally::default();
        tally.add(0, &photo(&[], true), &[]);
        tally.add(0, &photo(&[], true), &[seen(square(0.0, 0.0), "1p", 0.99)]);
        assert_eq!((tally.silent, tally.exact.of), (Share { good: 1, of: 2 }, 0));
    }

    #[test]
    fn a_face_in_a_box_round_the_whole_tile_is_found_but_not_at_half_overlap() {
        let mut photo = photo(&[("1m", 0.0, 0.0)], true);
        photo.tiles[0].bounds = [-5.0, -20.0, 35.0, 45.0];
        let mut tally = TileTally::default();
        assert!(tally.add(0, &photo, &[seen(square(0.0, 0.0), "1m", 0.99)]).is_empty());
        assert_eq!((tally.recall.good, tally.recall_half.good, tally.exact.good), (1, 0, 1));
        // A detection beside the box does not count, however well the box holds a part of it.
        let mut tally = TileTally::default();
        assert_eq!(tally.add(0, &photo, &[seen(square(20.0, 0.0), "1m", 0.99)]).len(), 2);
    }

    #[test]
    fn turns_go_clockwise() {
        let quad = square(0.0, 0.0);
        let turns = [0, 1, 2, 3].map(|start| turn_of(&from_corner(&quad, start)));
        // A face whose own top left is the tile's top right as seen is turned clockwise.
        assert_eq!(turns, [0, 90, 180, 270]);
    }
}
