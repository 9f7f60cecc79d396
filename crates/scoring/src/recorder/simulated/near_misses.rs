//! What is no discard, and what is not certain.

use std::time::Duration;

use super::{
    STEP,
    script::{FIRST, SIZE, in_picture},
    view,
};
use crate::{
    hand::WholeHand,
    record::{Doubtful, Event},
    recorder::{DealPlace, Look, Recorder},
    sight::{Corners, SeenTile, laid},
    tile::Face,
};

/// A table under a camera, East dealing.
#[derive(Default)]
pub(super) struct Watched {
    pub recorder: Recorder,
    pub tiles: Vec<(u64, SeenTile)>,
    /// The tiles under an arm.
    pub covered: Vec<u64>,
    now: u64,
    events: Vec<Event>,
}

fn seen_by(player: usize, corners: Corners) -> Corners {
    corners.map(|corner| in_picture(player, corner))
}

impl Watched {
    /// A bare table, at which a deal may begin.
    pub fn new() -> Self {
        let mut watched = Self::default();
        watched.wait(3.0);
        watched
    }

    pub fn wait(&mut self, seconds: f32) {
        for _ in 0..(seconds * 1000.0) as u64 / STEP {
            let (ids, tiles): (Vec<u64>, Vec<SeenTile>) = self.tiles.iter().cloned().unzip();
            let at = Duration::from_millis(self.now);
            let hidden = |id| Duration::from_secs(u64::from(self.covered.contains(id)));
            let unseen: Vec<Duration> = ids.iter().map(hidden).collect();
            let look = Look { at, tiles: &tiles, ids: &ids, unseen: &unseen };
            let place = Some(DealPlace::default());
            let lines = self.recorder.observe(&look, &view(), place, WholeHand::default());
            self.events.extend(lines.into_iter().map(|line| line.event));
            self.now += STEP;
        }
    }

    /// Tiles in a row before a player, numbered from a number on.
    pub fn put(&mut self, id: u64, player: usize, text: &str, at: [f32; 2]) {
        for (id, tile) in (id..).zip(laid::row(text, at, SIZE)) {
            let corners = seen_by(player, tile.corners);
            self.tiles.push((id, SeenTile { corners, ..tile }));
        }
    }

    /// A player's discard by its place in the first row.
    pub fn discard(&mut self, id: u64, player: usize, text: &str, place: u8) {
        let [x, y] = FIRST;
        self.put(id, player, text, [x + 28.0 * f32::from(place), y]);
        self.wait(1.6);
    }

    pub fn tile(&mut self, id: u64) -> &mut SeenTile {
        &mut self.tiles.iter_mut().find(|(other, _)| *other == id).unwrap().1
    }

    pub fn take(&mut self, ids: std::ops::Range<u64>) {
        self.tiles.retain(|(id, _)| !ids.contains(id));
    }

    /// Sweeps the table; what was discarded, claimed and doubted.
    fn swept(mut self) -> Vec<String> {
        self.tiles.clear();
        self.wait(14.0);
        let said = |event: &Event| match event {
            Event::Discard { player, tile, sideways, .. } => {
                Some(format!("{player} {tile}{}", if *sideways { "'" } else { "" }))
            }
            Event::Claim { player, from, own, tile, .. } => {
                Some(format!("{player} from {from} {tile} {own}"))
            }
            Event::Correction { event, tile } => Some(format!("{event} is {tile}")),
            Event::Doubt { event, why } => Some(format!("{event} {why:?}")),
            Event::SetOut { player, tile } => Some(format!("{player} aside {tile}")),
            Event::Indicator { tile } => Some(format!("indicator {tile}")),
            _ => None,
        };
        self.events.iter().filter_map(said).collect()
    }
}

#[test]
fn a_tile_that_is_nudged_put_straight_or_followed_again_is_one_discard() {
    let mut table = Watched::new();
    table.discard(1, 0, "5p", 0);
    table.discard(2, 1, "7z", 0);
    // Crooked, then straight, then pushed by half its width, then with another number.
    let straight = table.tile(2).corners;
    table.tile(2).corners = straight.map(|[x, y]| [x + 0.2 * y - 100.0, y]);
    table.wait(2.0);
    table.tile(2).corners = straight.map(|[x, y]| [x + 13.0, y]);
    table.wait(2.0);
    table.tiles[1].0 = 3;
    table.wait(2.0);
    table.discard(4, 2, "1s'", 0);
    assert_eq!(table.swept(), ["0 5p", "1 7z", "2 1s'"]);
}

#[test]
fn a_tile_that_is_carried_over_a_row_is_no_discard_and_one_that_is_taken_back_soon_neither() {
    let mut table = Watched::new();
    table.discard(1, 0, "5p", 0);
    let [x, y] = FIRST;
    table.put(2, 1, "9m", [x, y]);
    for _ in 0..10 {
        table.wait(0.2);
        table.tile(2).corners = table.tile(2).corners.map(|[x, y]| [x, y - 14.0]);
    }
    table.take(2..3);
    table.put(3, 1, "8m", [x, y]);
    table.wait(0.4);
    table.take(3..4);
    table.discard(4, 1, "7m", 0);
    assert_eq!(table.swept(), ["0 5p", "1 7m"]);
}

#[test]
fn a_deal_that_has_begun_already_is_passed_over() {
    let mut table = Watched::default();
    table.put(1, 0, "5p 6p", FIRST);
    table.put(3, 1, "5s", FIRST);
    table.wait(8.0);
    table.discard(4, 1, "6s", 1);
    assert!(table.events.is_empty());
    table.tiles.clear();
    table.wait(4.0);
    table.discard(5, 0, "1z", 0);
    assert_eq!(table.swept(), ["0 1z"]);
}

#[test]
fn a_set_says_whose_tile_it_has_unless_it_points_to_somebody_else() {
    for (set, doubt) in [("7z' 7z 7z", None), ("7z 7z 7z'", Some("3 Giver")), ("7z 7z 7z", None)] {
        let mut table = Watched::new();
        table.discard(1, 0, "7z", 0);
        table.take(1..2);
        table.put(10, 1, set, [890.0, 965.0]);
        table.wait(2.0);
        table.discard(2, 1, "9p", 0);
        let mut expected = vec!["0 7z", "1 from 0 7z 77z", "1 9p"];
        expected.extend(doubt);
        assert_eq!(table.swept(), expected, "{set}");
    }
}

#[test]
fn another_face_for_a_moment_changes_nothing_and_for_longer_it_is_a_correction() {
    for (seconds, expected) in [(0.6, &["0 3s"][..]), (4.0, &["0 3s", "2 is 9s"][..])] {
        let mut table = Watched::new();
        table.discard(1, 0, "3s", 0);
        let before = table.tile(1).clone();
        let nine = laid::tile("9s".parse::<Face>().unwrap(), before.corners);
        *table.tile(1) = nine;
        table.wait(seconds);
        if seconds < 1.0 {
            *table.tile(1) = before;
            table.wait(2.0);
        }
        assert_eq!(table.swept(), expected);
    }
}

#[test]
fn a_discard_out_of_turn_comes_after_a_gap_and_its_place_is_in_doubt() {
    let mut table = Watched::new();
    table.discard(1, 0, "5p", 0);
    table.discard(2, 2, "7z", 0);
    assert_eq!(table.events.len(), 3, "it waits for South's: {:?}", table.events);
    table.wait(7.0);
    let order = format!("{:?}", Doubtful::Order);
    let gaps = table.events.iter().filter(|event| matches!(event, Event::Gap { .. })).count();
    assert_eq!(gaps, 1);
    let said = table.swept();
    assert_eq!(said[..2], ["0 5p", "2 7z"]);
    assert!(said[2..].iter().all(|said| said.ends_with(&order)) && said.len() == 4, "{said:?}");
}

#[test]
fn a_deal_before_the_last_one_was_entered_has_no_place() {
    let mut table = Watched::new();
    for _ in 0..2 {
        table.discard(1, 0, "5p", 0);
        table.tiles.clear();
        table.wait(16.0);
    }
    let is_place = |event: &&Event| matches!(event, Event::Doubt { why: Doubtful::Place, .. });
    let ends: Vec<usize> = table
        .events
        .split_inclusive(|event| *event == Event::End)
        .map(|deal| deal.iter().filter(is_place).count())
        .collect();
    assert_eq!(ends, [0, 1], "{:?}", table.events);
}

#[test]
fn a_camera_that_stops_leaves_a_gap_of_its_length() {
    let mut table = Watched::new();
    table.discard(1, 0, "5p", 0);
    table.now += 30_000;
    table.discard(2, 1, "7z", 0);
    let gap = table.events.iter().find_map(|event| match event {
        Event::Gap { milliseconds } => Some(*milliseconds / 1000),
        _ => None,
    });
    assert_eq!(gap, Some(31), "from the discard on");
}

#[test]
fn an_indicator_and_flowers_are_no_discards() {
    let mut table = Watched::new();
    table.put(1, 0, "1m 1m 1m 4p 1m 1m 1m", [400.0, 745.0]);
    for (id, tile) in &mut table.tiles {
        if *id != 4 {
            (tile.back, tile.faces) = (1.0, [0.0; Face::COUNT]);
        }
    }
    table.put(20, 0, "1f", [900.0, 965.0]);
    table.wait(2.0);
    table.discard(30, 0, "5p", 0);
    assert_eq!(table.swept(), ["indicator 4p", "0 aside 1f", "0 5p"]);
}
