//! Deals at simulated tables, without pictures: tiles are laid as players lay them, and followed as a camera follows them.

mod camera;
mod near_misses;
mod script;

use std::time::Duration;

use self::{
    camera::Camera,
    script::{Played, script},
};
use super::{DealPlace, Look, Recorder};
use crate::{
    calibration::table::{Edge, TableProfile, TableView},
    hand::WholeHand,
    record::{Board, Doubtful, Event, SeenEvent},
    tile::{Face, SeenFace},
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

/// The figures of some deals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Figures {
    deals: usize,
    discards: [usize; 2],
    claims: [usize; 2],
    kongs: [usize; 2],
    riichi: [usize; 2],
    wins: [usize; 2],
    /// Events that were never played.
    invented: usize,
    /// Wrong events that no doubt names.
    wrongly_certain: usize,
    /// Deals with something missing that have neither a doubt nor a gap before their end.
    silent: usize,
    /// Events without a doubt, of all.
    certain: [usize; 2],
    /// Deals that were taken as one, or cut.
    miscounted: usize,
}

fn played(event: &Event) -> Option<Played> {
    let known = |tile: &SeenFace| match tile {
        SeenFace::Tile(tile) => Some(tile.face()),
        SeenFace::Back | SeenFace::Unknown => None,
    };
    // A tile that is not known is no guess: it counts as a face that nobody has.
    let face = |tile: &SeenFace| known(tile).unwrap_or(Face::from_index(41).unwrap());
    Some(match event {
        Event::Discard { player, tile, sideways, .. } => {
            Played::Discard { player: *player, face: face(tile), sideways: *sideways }
        }
        Event::Claim { player, from, kind, tile, .. } => {
            Played::Claim { player: *player, from: *from, kind: *kind, face: face(tile) }
        }
        Event::ConcealedKong { player, tiles } => {
            Played::ConcealedKong { player: *player, face: tiles.0.iter().find_map(known)? }
        }
        Event::Win { player, from, .. } => Played::Win { player: *player, from: *from },
        Event::AddedKong { player, tile } => {
            Played::AddedKong { player: *player, face: tile.face() }
        }
        _ => return None,
    })
}

/// The longest common part of two lists: for each entry of the second whether it is in it.
fn common(truth: &[Played], written: &[Played]) -> Vec<bool> {
    let mut best = vec![vec![0usize; written.len() + 1]; truth.len() + 1];
    for (i, a) in truth.iter().enumerate().rev() {
        for (j, b) in written.iter().enumerate().rev() {
            best[i][j] =
                if a == b { 1 + best[i + 1][j + 1] } else { best[i + 1][j].max(best[i][j + 1]) };
        }
    }
    let (mut i, mut j, mut found) = (0, 0, vec![false; written.len()]);
    while i < truth.len() && j < written.len() {
        if truth[i] == written[j] {
            (found[j], i, j) = (true, i + 1, j + 1);
        } else if best[i + 1][j] >= best[i][j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    found
}

impl Figures {
    fn add(&mut self, truth: &[Played], lines: &[Event]) {
        self.deals += 1;
        let mut events: Vec<Event> = lines.to_vec();
        let doubted: Vec<usize> = (lines.iter())
            .filter_map(|event| match event {
                Event::Doubt { event, why } if *why != Doubtful::Place => Some(*event),
                _ => None,
            })
            .collect();
        for event in lines {
            if let Event::Correction { event, tile: right } = event
                && let Some(Event::Discard { tile, .. }) = events.get_mut(*event)
            {
                *tile = *right;
            }
        }
        let (numbers, written): (Vec<usize>, Vec<Played>) = (events.iter().enumerate())
            .filter_map(|(number, event)| Some((number, played(event)?)))
            .unzip();
        let found = common(truth, &written);
        let count = |list: &[Played], is_it: fn(&Played) -> bool| {
            list.iter().filter(|played| is_it(played)).count()
        };
        let right: Vec<Played> =
            written.iter().zip(&found).filter(|(_, found)| **found).map(|(it, _)| *it).collect();
        let tally = |of: &mut [usize; 2], is_it: fn(&Played) -> bool| {
            *of = [of[0] + count(&right, is_it), of[1] + count(truth, is_it)];
        };
        tally(&mut self.discards, |it| matches!(it, Played::Discard { .. }));
        tally(&mut self.wins, |it| matches!(it, Played::Win { .. }));
        tally(&mut self.claims, |it| matches!(it, Played::Claim { .. }));
        // Whoever declared riichi, with whichever tile.
        for player in 0..PLAYERS {
            let declares = |played: &&Played| matches!(played, Played::Discard { player: own, sideways: true, .. } if *own == player);
            let [truth, written] =
                [truth, &written[..]].map(|list| list.iter().any(|it| declares(&it)));
            self.riichi = [
                self.riichi[0] + usize::from(truth && written),
                self.riichi[1] + usize::from(truth || written),
            ];
        }
        tally(&mut self.kongs, |it| {
            matches!(it, Played::ConcealedKong { .. } | Played::AddedKong { .. })
        });
        for (number, found) in numbers.iter().zip(&found) {
            let is_certain = !doubted.contains(number);
            self.certain = [self.certain[0] + usize::from(is_certain), self.certain[1] + 1];
            self.invented += usize::from(!found);
            let is_unknown =
                matches!(&events[*number], Event::Discard { tile: SeenFace::Unknown, .. });
            if !found && is_certain && !is_unknown {
                self.wrongly_certain += 1;
            }
        }
        let gaps = lines.iter().filter(|event| matches!(event, Event::Gap { .. })).count();
        let is_whole = right.len() == truth.len();
        self.silent += usize::from(!is_whole && gaps <= 1 && doubted.is_empty());
    }
}

/// Plays deals, and compares the record with them.
fn figures(seed: u64, deals: usize, noise: Noise) -> Figures {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let (view, mut recorder, mut figures) = (view(), Recorder::default(), Figures::default());
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

fn all(seeds: std::ops::Range<u64>, deals: usize, noise: Noise) -> Figures {
    let mut sum = Figures::default();
    for seed in seeds {
        let one = figures(seed, deals, noise);
        let two = |a: &mut [usize; 2], b: [usize; 2]| *a = [a[0] + b[0], a[1] + b[1]];
        sum.deals += one.deals;
        two(&mut sum.discards, one.discards);
        two(&mut sum.claims, one.claims);
        two(&mut sum.kongs, one.kongs);
        two(&mut sum.riichi, one.riichi);
        two(&mut sum.wins, one.wins);
        two(&mut sum.certain, one.certain);
        sum.invented += one.invented;
        sum.wrongly_certain += one.wrongly_certain;
        sum.silent += one.silent;
        sum.miscounted += one.miscounted;
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
