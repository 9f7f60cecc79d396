//! Tiles over time: what a tracker keeps, what it lets go, and when it calls a table settled.

use std::time::Duration;

use proptest::prelude::*;
use tilelens::{
    live::{TrackedSlot, Tracker},
    sight::{Corners, SeenTile, quad},
    tile::Face,
};

/// Time between frames in milliseconds.
const FRAME: u64 = 33;

fn rectangle(x: f32, y: f32) -> Corners {
    [[x, y], [x + 30.0, y], [x + 30.0, y + 40.0], [x, y + 40.0]]
}

/// A tile read as a face with this probability; the rest goes to the face after it.
fn tile(face: usize, corners: Corners, sure: f32) -> SeenTile {
    let mut faces = [0.0; Face::COUNT];
    faces[face] += sure;
    faces[(face + 1) % Face::COUNT] += 1.0 - sure;
    SeenTile {
        corners,
        found: 0.9,
        faces,
        back: 0.0,
        reject: 0.0,
        red: 0.0,
        turns: [0.97, 0.01, 0.01, 0.01],
    }
}

/// A row of tiles with these faces, the first at (100, 200).
fn row(faces: &[usize]) -> Vec<SeenTile> {
    let place = |k: usize| rectangle(100.0 + 31.0 * k as f32, 200.0);
    faces.iter().enumerate().map(|(k, face)| tile(*face, place(k), 0.98)).collect()
}

fn hand() -> Vec<SeenTile> {
    row(&[0, 1, 2, 10, 11, 12, 20, 21, 22, 5, 5, 30, 30, 30])
}

fn moved(seen: &[SeenTile], by: impl Fn([f32; 2]) -> [f32; 2]) -> Vec<SeenTile> {
    seen.iter().map(|tile| SeenTile { corners: tile.corners.map(&by), ..tile.clone() }).collect()
}

/// A table that is watched: time goes on with every frame.
#[derive(Default)]
struct Table {
    tracker: Tracker,
    frame: u64,
}

impl Table {
    fn now(&self) -> Duration {
        Duration::from_millis(FRAME * self.frame)
    }

    fn see(&mut self, seen: &[SeenTile]) {
        self.frame += 1;
        self.tracker.observe(seen, self.now());
    }

    fn see_for(&mut self, seen: &[SeenTile], ms: u64) {
        for _ in 0..ms / FRAME {
            self.see(seen);
        }
    }

    fn see_where(&mut self, seen: &[SeenTile], ms: u64, place: TrackedSlot) {
        for _ in 0..ms / FRAME {
            self.frame += 1;
            self.tracker.observe_where(seen, self.now(), |_, _| Some(place));
        }
    }

    fn settled(&self) -> bool {
        self.tracker.settled(self.now())
    }

    /// The faces from left to right.
    fn faces(&self) -> Vec<usize> {
        let mut tiles = self.tracker.tiles();
        tiles.sort_by(|a, b| quad::centre(&a.corners)[0].total_cmp(&quad::centre(&b.corners)[0]));
        tiles.iter().map(best).collect()
    }
}

fn best(tile: &SeenTile) -> usize {
    (0..Face::COUNT).max_by(|a, b| tile.faces[*a].total_cmp(&tile.faces[*b])).unwrap()
}

fn settled_on_hand() -> Table {
    let mut table = Table::default();
    table.see_for(&hand(), 1200);
    assert!(table.settled());
    table
}

#[test]
fn a_hand_that_is_laid_down_is_settled_within_a_second() {
    let mut table = Table::default();
    table.see_for(&hand(), 500);
    assert!(!table.settled(), "too early to be sure");
    table.see_for(&hand(), 500);
    assert!(table.settled());
    assert_eq!(table.faces(), [0, 1, 2, 10, 11, 12, 20, 21, 22, 5, 5, 30, 30, 30]);
}

#[test]
fn before_the_first_frame_nothing_is_settled() {
    assert!(!Tracker::default().settled(Duration::from_secs(9)));
}

#[test]
fn a_tile_seen_in_one_frame_only_is_not_confirmed() {
    let mut table = settled_on_hand();
    let before = table.tracker.changed();
    let ghost = tile(7, rectangle(300.0, 400.0), 0.99);
    for _ in 0..5 {
        table.see(&[hand(), vec![ghost.clone()]].concat());
        table.see_for(&hand(), 600);
    }
    assert_eq!((table.tracker.tiles().len(), table.tracker.changed()), (14, before));
}

#[test]
fn a_second_find_over_a_tile_that_is_seen_is_no_tile() {
    let mut table = settled_on_hand();
    let half = tile(3, rectangle(100.0 + 15.5, 204.0), 0.9);
    table.see_for(&[hand(), vec![half]].concat(), 1000);
    assert_eq!(table.tracker.tiles().len(), 14);
}

#[test]
fn many_equal_views_make_a_face_no_surer_than_one() {
    let mut table = Table::default();
    table.see_for(&[tile(4, rectangle(0.0, 0.0), 0.7)], 5000);
    let tile = &table.tracker.tiles()[0];
    assert!((tile.faces[4] - 0.7).abs() < 0.02, "{}", tile.faces[4]);
    let sum: f32 = tile.faces.iter().sum::<f32>() + tile.back + tile.reject;
    assert!((sum - 1.0).abs() < 1e-4);
}

#[test]
fn a_misread_frame_changes_nothing_and_another_tile_does() {
    let mut table = settled_on_hand();
    let before = table.tracker.changed();
    let mut misread = hand();
    misread[4] = tile(33, misread[4].corners, 0.99);
    for _ in 0..10 {
        table.see_for(&misread, 99);
        assert_eq!(table.faces()[4], 11);
        table.see_for(&hand(), 400);
    }
    assert_eq!(table.tracker.changed(), before);
    table.see_for(&misread, 1500);
    assert_eq!((table.faces()[4], table.tracker.changed()), (33, before + 1));
    table.see_for(&misread, 600);
    assert!(table.settled());
}

#[test]
fn while_two_faces_contend_neither_is_sure() {
    let mut table = settled_on_hand();
    let mut other = hand();
    other[4] = tile(33, other[4].corners, 0.99);
    // Long enough to be as likely, too short to be clear.
    table.see_for(&other, 430);
    let contended = table
        .tracker
        .tiles()
        .into_iter()
        .find(|tile| overlap(&tile.corners, &hand()[4].corners) > 0.9);
    let contended = contended.unwrap();
    assert!(contended.faces.iter().all(|p| *p < 0.9) || !table.settled());
}

fn overlap(a: &Corners, b: &Corners) -> f32 {
    quad::overlap(a, b)[0]
}

#[test]
fn a_tile_taken_away_goes_and_those_beside_it_stay() {
    for gone in [0, 6, 13] {
        let mut table = settled_on_hand();
        let mut rest = hand();
        rest.remove(gone);
        table.see_for(&rest, 200);
        assert_eq!(table.tracker.tiles().len(), 14, "not at once");
        table.see_for(&rest, 1100);
        assert_eq!(table.tracker.tiles().len(), 13);
        assert!(table.settled(), "it has been gone for as long as it takes");
    }
}

#[test]
fn a_tile_missed_now_and_then_stays() {
    let mut table = settled_on_hand();
    let mut rest = hand();
    rest.remove(6);
    for _ in 0..40 {
        table.see_for(&rest, 200);
        table.see(&hand());
        assert_eq!(table.tracker.tiles().len(), 14);
    }
}

#[test]
fn a_hand_over_the_tiles_erases_no_tile() {
    for covered in [0..14, 3..9, 8..14] {
        let mut table = settled_on_hand();
        let (before, ids) = (table.tracker.changed(), table.tracker.ids());
        let seen: Vec<SeenTile> = (hand().into_iter().enumerate())
            .filter(|(k, _)| !covered.contains(k))
            .map(|(_, tile)| tile)
            .collect();
        table.see_for(&seen, 5000);
        assert_eq!(table.tracker.tiles().len(), 14, "{covered:?}");
        assert!(!table.settled(), "nobody knows what is under a hand");
        table.see_for(&hand(), 200);
        assert_eq!((table.tracker.changed(), table.tracker.ids()), (before, ids));
        assert!(table.settled(), "it lies as it lay");
    }
}

#[test]
fn pixels_tell_a_hand_from_an_empty_place() {
    let rest: Vec<SeenTile> = hand().into_iter().skip(1).collect();
    let mut table = settled_on_hand();
    table.see_where(&rest, 20_000, TrackedSlot::Moving);
    assert_eq!(table.tracker.tiles().len(), 14, "a hand that moves, for as long as it does");
    let mut table = settled_on_hand();
    table.see_where(&rest, 3000, TrackedSlot::Covered);
    assert_eq!(table.tracker.tiles().len(), 14, "a hand that rests");
    table.see_where(&rest, 2000, TrackedSlot::Covered);
    assert_eq!(table.tracker.tiles().len(), 13, "no hand rests so long");
    let mut table = settled_on_hand();
    table.see_where(&[], 500, TrackedSlot::Bare);
    assert_eq!(table.tracker.tiles().len(), 0, "all swept away");
}

#[test]
fn a_new_hand_in_the_place_of_the_old_one_takes_its_place() {
    let mut table = settled_on_hand();
    let other =
        moved(&row(&[31, 32, 33, 6, 7, 8, 15, 16, 17, 24, 24]), |[x, y]| [x + 13.0, y + 6.0]);
    table.see_for(&other, 1500);
    let faces = [31, 32, 33, 6, 7, 8, 15, 16, 17, 24, 24];
    assert_eq!(
        table.faces(),
        faces,
        "where most is another hand, what lay at the end has gone too"
    );
    table.see_for(&other, 1000);
    assert!(table.settled());
}

#[test]
fn another_hand_elsewhere_ends_the_one_before_even_where_the_picture_flickers() {
    let mut table = settled_on_hand();
    let faces = [31, 32, 33, 6, 7, 8, 15, 16, 17, 24, 24];
    let other = moved(&row(&faces), |[x, y]| [x + 37.0, y + 160.0]);
    table.see_where(&other, 2000, TrackedSlot::Moving);
    assert_eq!(table.faces(), faces);
    assert!(table.settled());
    // An arm over most of the tiles brings no new ones: they stay.
    let mut table = settled_on_hand();
    table.see_where(&hand()[..4], 4000, TrackedSlot::Moving);
    assert_eq!(table.tracker.tiles().len(), 14);
}

#[test]
fn tiles_replaced_by_others_are_gone_within_a_second_whatever_the_pixels_say() {
    let faces = [31, 32, 33, 6, 7, 8, 15, 16, 17, 24, 24];
    // Elsewhere; half a tile along the same row, and lower, as another player lays them down.
    for by in [[37.0, 160.0], [0.0, 25.0], [-45.0, 70.0]] {
        for place in [TrackedSlot::Covered, TrackedSlot::Moving, TrackedSlot::Bare] {
            let mut table = settled_on_hand();
            // An arm takes them away: for that long nothing is seen of them, and nothing goes.
            table.see_where(&[], 700, TrackedSlot::Moving);
            assert_eq!(table.tracker.tiles().len(), 14);
            let other = moved(&row(&faces), |[x, y]| [x + by[0], y + by[1]]);
            table.see_where(&other, 1000, place);
            assert_eq!(table.faces(), faces, "{by:?} {place:?}");
            table.see_where(&other, 500, place);
            assert!(table.settled(), "{by:?} {place:?}");
        }
    }
}

#[test]
fn a_hand_laid_nearly_where_the_old_one_lay_is_shown_soon() {
    // Most new tiles lie within a third of a tile of an old one, some between two of them.
    let faces = [31, 32, 33, 6, 7, 8, 15, 16, 17, 24, 24, 3, 3, 3];
    for shift in [0.0, 7.0, 10.0, 15.5] {
        let mut table = settled_on_hand();
        table.see_where(&[], 700, TrackedSlot::Moving);
        let other = moved(&row(&faces), |[x, y]| [x + shift, y + 4.0]);
        // The picture goes on to flicker where they lie.
        table.see_where(&other, 1250, TrackedSlot::Moving);
        assert_eq!(table.faces(), faces, "{shift}");
        table.see_where(&other, 750, TrackedSlot::Moving);
        assert!(table.settled(), "{shift}");
    }
}

#[test]
fn a_hand_that_brings_one_tile_erases_no_tile_under_it() {
    let mut table = settled_on_hand();
    let drawn = tile(9, rectangle(560.0, 200.0), 0.98);
    // It lays the tile down beside the row and rests over most of the others.
    let seen: Vec<SeenTile> = hand().into_iter().skip(9).chain([drawn.clone()]).collect();
    table.see_where(&seen, 2000, TrackedSlot::Moving);
    assert_eq!(table.tracker.tiles().len(), 15);
    table.see_for(&[hand(), vec![drawn]].concat(), 1000);
    assert_eq!(table.tracker.tiles().len(), 15);
    assert!(table.settled());
}

#[test]
fn half_of_a_tile_that_was_seen_first_gives_way_to_the_whole() {
    let rest: Vec<SeenTile> = hand().into_iter().skip(1).collect();
    // The visible part of the first tile beside an arm, detected surely, looks like another tile.
    let half = tile(9, [[100.0, 200.0], [130.0, 200.0], [130.0, 222.0], [100.0, 222.0]], 0.98);
    // The arm leaves: the whole shows, found less surely; the half's own pixels are what they were.
    let whole = SeenTile { found: 0.5, ..hand()[0].clone() };
    let all = [rest.clone(), vec![whole]].concat();
    for leaving in [0, 200] {
        let mut table = Table::default();
        table.see_for(&[rest.clone(), vec![half.clone()]].concat(), 1000);
        assert_eq!(table.tracker.tiles().len(), 14);
        table.see_where(&all, leaving, TrackedSlot::Moving);
        table.see_where(&all, 1300, TrackedSlot::AsBefore);
        assert_eq!(table.faces(), [0, 1, 2, 10, 11, 12, 20, 21, 22, 5, 5, 30, 30, 30]);
    }
}

#[test]
fn a_nudge_changes_no_tile() {
    let mut table = settled_on_hand();
    let ids = table.tracker.ids();
    // Half a tile to the side, as far as to confuse each with its neighbour, and turned a little.
    let (sin, cos) = 0.04f32.sin_cos();
    let nudged = moved(&hand(), |[x, y]| [x * cos - y * sin + 24.0, x * sin + y * cos - 9.0]);
    table.see_for(&nudged, 1200);
    assert_eq!((table.tracker.ids(), table.tracker.tiles().len()), (ids, 14));
    assert_eq!(table.faces(), [0, 1, 2, 10, 11, 12, 20, 21, 22, 5, 5, 30, 30, 30]);
    let to = quad::centre(&nudged[0].corners);
    let at = quad::centre(&table.tracker.tiles()[0].corners);
    assert!((at[0] - to[0]).hypot(at[1] - to[1]) < 1.0);
    assert!(table.settled());
}

#[test]
fn a_nudge_takes_covered_tiles_along() {
    let mut table = settled_on_hand();
    let ids = table.tracker.ids();
    let shift = |[x, y]: [f32; 2]| [x + 40.0, y + 22.0];
    let nudged = moved(&hand(), shift);
    table.see_for(&nudged[5..], 600);
    table.see_for(&nudged, 1200);
    assert_eq!(table.tracker.ids(), ids);
}

#[test]
fn a_shaking_camera_changes_no_face_and_no_tile() {
    let mut table = settled_on_hand();
    let ids = table.tracker.ids();
    for frame in 0..300 {
        let t = frame as f32;
        let by = [18.0 * (t * 0.9).sin(), 11.0 * (t * 1.3).cos()];
        table.see(&moved(&hand(), |[x, y]| [x + by[0], y + by[1]]));
        assert_eq!((table.tracker.ids(), table.tracker.tiles().len()), (ids.clone(), 14));
    }
    assert_eq!(table.faces(), [0, 1, 2, 10, 11, 12, 20, 21, 22, 5, 5, 30, 30, 30]);
}

#[test]
fn a_tile_half_covered_is_neither_moved_nor_another() {
    let mut table = settled_on_hand();
    let (before, changed) = (table.tracker.tiles(), table.tracker.changed());
    // A finger goes over it: what is left of it looks like another, smaller tile.
    for _ in 0..4 {
        for part in [0.8, 0.6, 0.45, 0.6, 0.8, 1.0] {
            let mut seen = hand();
            let [x, y] = seen[6].corners[0];
            let rest = seen[6].corners.map(|[u, v]| [x + part * (u - x), y + (v - y)]);
            seen[6] = tile(if part < 0.7 { 33 } else { 20 }, rest, 0.9);
            table.see_where(&seen, 60, TrackedSlot::Moving);
        }
    }
    table.see_for(&hand(), 300);
    assert_eq!((table.tracker.tiles().len(), table.tracker.changed()), (14, changed));
    assert!(overlap(&table.tracker.tiles()[6].corners, &before[6].corners) > 0.95);
}

#[test]
fn a_tile_pushed_to_another_place_is_there() {
    let mut table = settled_on_hand();
    let (id, changed) = (table.tracker.ids()[13], table.tracker.changed());
    let mut pushed = hand();
    pushed[13].corners = pushed[13].corners.map(|[x, y]| [x + 12.0, y + 5.0]);
    table.see_for(&pushed, 400);
    assert_eq!((table.tracker.ids()[13], table.tracker.changed()), (id, changed + 1));
    assert!(overlap(&table.tracker.tiles()[13].corners, &pushed[13].corners) > 0.95);
    assert!(!table.settled());
}

#[test]
fn a_tile_turned_where_it_lies_is_turned() {
    let mut table = settled_on_hand();
    let mut turned = hand();
    let ([x, y], last) = ([100.0 + 31.0 * 13.0 + 15.0, 220.0], turned.len() - 1);
    // A quarter turn clockwise: its own top left is now at the top right.
    turned[last].corners =
        [[x + 20.0, y - 15.0], [x + 20.0, y + 15.0], [x - 20.0, y + 15.0], [x - 20.0, y - 15.0]];
    table.see_for(&turned, 1500);
    let tiles = table.tracker.tiles();
    let first = tiles[last].corners[0];
    assert!((first[0] - x - 20.0).abs() < 2.0 && (first[1] - y + 15.0).abs() < 2.0, "{first:?}");
    assert!(table.settled());
}

#[test]
fn corners_begin_at_the_faces_own_top_left_wherever_the_finder_began() {
    let mut table = Table::default();
    for frame in 0..60usize {
        let seen: Vec<SeenTile> = (hand().into_iter())
            .map(|tile| {
                let start = frame % 4;
                SeenTile {
                    corners: quad::from_corner(&tile.corners, start),
                    turns: [0, 1, 2, 3].map(|k| tile.turns[(k + start) % 4]),
                    ..tile
                }
            })
            .collect();
        table.see(&seen);
    }
    for (tile, expected) in table.tracker.tiles().iter().zip(hand()) {
        assert!(overlap(&tile.corners, &expected.corners) > 0.98);
        let away = [0, 1].map(|k| (tile.corners[0][k] - expected.corners[0][k]).abs());
        assert!(away[0] < 1.0 && away[1] < 1.0 && tile.turns[0] > 0.9);
    }
}

#[test]
fn nonsense_is_passed_over() {
    let mut table = settled_on_hand();
    let mut odd = hand();
    odd.push(tile(3, [[f32::NAN; 2]; 4], 0.9));
    odd.push(tile(3, [[5.0, 5.0]; 4], 0.9));
    odd.push(tile(3, [[f32::INFINITY, 0.0], [1.0, 2.0], [3.0, 4.0], [0.0, 9.0]], 0.9));
    odd[2].faces = [f32::NAN; Face::COUNT];
    table.see_for(&odd, 1000);
    // Time that goes back is no time.
    table.tracker.observe(&hand(), Duration::ZERO);
    assert_eq!(table.tracker.tiles().len(), 14);
    assert!(table.tracker.tiles().iter().all(|tile| tile.faces.iter().all(|p| p.is_finite())));
}

/// Tiles as read from a still table: some faces are doubtful, and corners tremble.
fn noisy(frames: usize) -> impl Strategy<Value = Vec<Vec<SeenTile>>> {
    let view = (-1.2f32..1.2, -1.2f32..1.2, 0.0f32..1.0, 0.0f32..1.0);
    proptest::collection::vec(proptest::collection::vec(view, 14), frames).prop_map(|frames| {
        frames
            .into_iter()
            .map(|views| {
                let seen = hand().into_iter().zip(views);
                seen.filter(|(_, (.., missed))| *missed > 0.04)
                    .map(|(expected, (x, y, doubt, _))| {
                        // One view in eight speaks for another face.
                        let sure = if doubt < 0.125 { 0.25 } else { 0.6 + 0.4 * doubt };
                        let corners = expected.corners.map(|[u, v]| [u + x, v + y]);
                        tile(best(&expected), corners, sure)
                    })
                    .collect()
            })
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(24) })]

    #[test]
    fn the_order_of_the_tiles_does_not_matter(frames in noisy(30), seed in 0usize..1000) {
        let (mut a, mut b) = (Table::default(), Table::default());
        for (k, frame) in frames.iter().enumerate() {
            let mut other = frame.clone();
            let turn = (seed + k) % other.len().max(1);
            other.rotate_left(turn);
            if seed % 2 == 0 {
                other.reverse();
            }
            a.see(frame);
            b.see(&other);
        }
        prop_assert_eq!(a.tracker.tiles(), b.tracker.tiles());
        prop_assert_eq!(a.tracker.ids(), b.tracker.ids());
        prop_assert_eq!(a.tracker.changed(), b.tracker.changed());
    }

    #[test]
    fn noisy_views_of_a_still_table_do_not_flicker(frames in noisy(240)) {
        let mut table = Table::default();
        let expected = [0, 1, 2, 10, 11, 12, 20, 21, 22, 5, 5, 30, 30, 30];
        let mut settled = None;
        for frame in &frames {
            table.see(frame);
            if table.settled() {
                prop_assert_eq!(table.faces(), expected);
                settled.get_or_insert(table.tracker.changed());
            }
        }
        prop_assert_eq!(table.faces(), expected);
        prop_assert_eq!(settled, Some(table.tracker.changed()), "once settled, nothing changes");
    }

    #[test]
    fn a_still_table_gives_the_same_tiles_for_ever(x in -50f32..50.0, frames in 60u64..400) {
        let seen = moved(&hand(), |[u, v]| [u + x, v]);
        let mut table = Table::default();
        table.see_for(&seen, 1200);
        let (before, changed) = (table.tracker.tiles(), table.tracker.changed());
        table.see_for(&seen, frames * FRAME);
        prop_assert_eq!(table.tracker.changed(), changed);
        for (a, b) in before.iter().zip(table.tracker.tiles()) {
            prop_assert!(overlap(&a.corners, &b.corners) > 0.995);
            for (p, q) in a.faces.iter().zip(b.faces) {
                prop_assert!((p - q).abs() < 1e-3);
            }
        }
    }
}
