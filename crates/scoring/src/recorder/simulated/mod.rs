//! Deals at simulated tables, without pictures: tiles are laid as players lay them, and followed as a camera follows them.

mod camera;
mod near_misses;
mod script;

use std::time::Duration;

use self::{camera::Camera, script::script};
use super::{DealPlace, Look, Recorder};
use crate::{
    calibration::table::{Edge, TableProfile, TableView},
    hand::WholeHand,
    record::{Board, Compared, Event, SeenEvent},
};

const PLAYERS: usize = 4;
/// Time between two looks, in milliseconds.
const STEP: u64 = 200;

/// Numbers that a seed decides.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() >> 11) as usize % count
    }

    fn share(&mut self) -> f32 {
        self.below(1 << 20) as f32 / (1 << 20) as f32
    }

    fn between(&mut self, from: f32, to: f32) -> f32 {
        from + (to - from) * self.share()
    }

    fn happens(&mut self, chance: f32) -> bool {
        self.share() < chance
    }
}

/// How hard it is to follow.
#[derive(Clone, Copy)]
struct Noise {
    /// 0 for tiles as they are, 1 for those of a table.
    level: f32,
}

fn view() -> TableView {
    let corners = [[0.0, 0.0], [1000.0, 0.0], [1000.0, 1000.0], [0.0, 1000.0]];
    TableProfile::new([1000, 1000], corners, Edge::Bottom).unwrap().view([1000, 1000])
}

/// Plays deals, and compares the record with them.
fn figures(seed: u64, deals: usize, noise: Noise) -> Compared {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let (view, mut recorder, mut figures) = (view(), Recorder::default(), Compared::default());
    let mut camera = Camera::default();
    let mut start = 0u64;
    for deal in 0..deals {
        let dealer = deal % PLAYERS;
        let script = script(&mut dice, noise, dealer);
        let place = (deal % 2 == 0).then_some(DealPlace {
            number: deal as u32,
            dealer,
            ..DealPlace::default()
        });
        let mut lines: Vec<SeenEvent> = Vec::new();
        camera.forget();
        for step in 0..(script.ends * 1000.0) as u64 / STEP {
            let at = Duration::from_millis(step * STEP);
            let seen = camera.look(&script, at.as_secs_f32(), &mut dice, noise);
            let (tiles, ids, unseen) = (&seen.tiles, &seen.ids, &seen.unseen);
            let at = at + Duration::from_millis(start);
            let look = Look { at, tiles, ids, unseen };
            lines.extend(recorder.observe(&look, &view, place, WholeHand::default()));
        }
        start += (script.ends * 1000.0) as u64;
        let events: Vec<Event> = lines.iter().map(|line| line.event.clone()).collect();
        let begun = events.iter().filter(|event| matches!(event, Event::Deal(_))).count();
        let ended = events.iter().filter(|event| **event == Event::End).count();
        figures.miscounted += usize::from((begun, ended) != (1, 1));
        check(&events);
        figures.add(&script.played, &events);
    }
    figures
}

/// A record has to be one that reads.
fn check(events: &[Event]) {
    let mut board: Option<Board> = None;
    for event in events {
        match (event, &mut board) {
            (Event::Deal(begins), None) => board = Some(Board::new(begins).unwrap()),
            (event, Some(board)) => board.apply(event).unwrap(),
            (event, None) => panic!("{event:?} before a deal"),
        }
        if *event == Event::End {
            board = None;
        }
    }
}

fn all(seeds: std::ops::Range<u64>, deals: usize, noise: Noise) -> Compared {
    let mut sum = Compared::default();
    for seed in seeds {
        sum += figures(seed, deals, noise);
    }
    sum
}

#[test]
fn deals_that_are_seen_well_are_recorded_whole() {
    let seen = all(1..4, 4, Noise { level: 0.0 });
    println!("{seen:?}");
    assert_eq!(seen.discards[0], seen.discards[1]);
    assert_eq!(seen.claims[0], seen.claims[1]);
    assert_eq!(seen.kongs[0], seen.kongs[1]);
    assert_eq!([seen.invented, seen.miscounted, seen.silent, seen.wrongly_certain], [0; 4]);
    // In doubt are the first discard where the dealer is not known, and opened hands, of many tiles each.
    assert!(20 * seen.certain[0] >= 19 * seen.certain[1], "{seen:?}");
}

#[test]
fn deals_of_a_busy_table_are_recorded_and_what_is_not_certain_is_said() {
    // Of other seeds than those that it was developed with.
    let seen = all(2000..2010, 4, Noise { level: 1.0 });
    println!("{seen:?}");
    let share = |[right, of]: [usize; 2]| right as f32 / of as f32;
    assert!(share(seen.discards) >= 0.98, "{seen:?}");
    assert!(share(seen.claims) >= 0.97, "{seen:?}");
    assert_eq!(seen.riichi[0], seen.riichi[1], "{seen:?}");
    assert_eq!([seen.wrongly_certain, seen.silent, seen.miscounted], [0; 3], "{seen:?}");
}
