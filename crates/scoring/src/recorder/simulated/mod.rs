//! Deals at simulated tables, without pictures: tiles are laid as players lay them, and followed as a camera follows them.

mod camera;
mod near_misses;
mod script;
mod wins;

use std::{ops::AddAssign, time::Duration};

use self::{camera::Camera, script::script};
use super::{DealPlace, Look, Recorder, WonHand};
use crate::{
    calibration::table::{Edge, TableProfile, TableView},
    hand::WholeHand,
    record::{Board, ClaimKind, Compared, Event, Played, SeenEvent},
    rules::Fact,
    tile::SeenFace,
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

/// What was proposed of wins, by deal: how often anything was certain at any time, and how often wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Proposed {
    /// Deals in which a complete hand was opened.
    won: usize,
    /// Winner and giver, of which the first is wrong.
    wins: [usize; 2],
    /// The same with all that rules with riichi ask.
    whole: [usize; 2],
    /// Wins that were shown and never certain.
    unsure: usize,
}

/// What rules with riichi ask of a win.
const RIICHI: [Fact; 6] = [
    Fact::Riichi,
    Fact::DoubleRiichi,
    Fact::Ippatsu,
    Fact::Supplement,
    Fact::LastTile,
    Fact::FirstDraw,
];

impl Proposed {
    fn add(&mut self, truth: &[Played], seen: &[WonHand]) {
        let is_win = |played: &&Played| matches!(played, Played::Win { .. });
        let won = truth.iter().find(is_win);
        self.won += usize::from(won.is_some());
        let is_right = |hand: &&WonHand| {
            let is_tile = hand.from.is_none() || hand.tile == last_tile(truth);
            won == Some(&Played::Win { player: hand.player, from: hand.from }) && is_tile
        };
        let knows = |hand: &&WonHand| hand.is_known(|fact| RIICHI.contains(&fact));
        let facts_right = |hand: &&WonHand| {
            RIICHI.iter().all(|fact| hand.is(*fact) == Some(is(truth, hand.player, *fact)))
        };
        let certain: Vec<&WonHand> = seen.iter().filter(|hand| hand.is_certain).collect();
        let whole: Vec<&WonHand> = certain.iter().copied().filter(knows).collect();
        let count = |of: &mut [usize; 2], all: &[&WonHand], right: &dyn Fn(&&WonHand) -> bool| {
            let wrong = !all.iter().all(right);
            *of = [of[0] + usize::from(wrong), of[1] + usize::from(!all.is_empty())];
        };
        count(&mut self.wins, &certain, &is_right);
        count(&mut self.whole, &whole, &|hand| is_right(hand) && facts_right(hand));
        self.unsure += usize::from(certain.is_empty() && !seen.is_empty());
    }
}

impl AddAssign for Proposed {
    fn add_assign(&mut self, other: Self) {
        let two = |a: &mut [usize; 2], b: [usize; 2]| *a = [a[0] + b[0], a[1] + b[1]];
        two(&mut self.wins, other.wins);
        two(&mut self.whole, other.whole);
        self.won += other.won;
        self.unsure += other.unsure;
    }
}

fn last_tile(truth: &[Played]) -> Option<SeenFace> {
    truth.iter().rev().find_map(|played| match played {
        Played::Discard { face, .. } => face.map(|face| SeenFace::Tile(face.into())),
        _ => None,
    })
}

/// Whether a fact is true of a win, from what was played alone.
fn is(truth: &[Played], player: usize, fact: Fact) -> bool {
    let sideways = |played: &Played| matches!(played, Played::Discard { player: own, sideways: true, .. } if *own == player);
    let own =
        |played: &Played| matches!(played, Played::Discard { player: own, .. } if *own == player);
    let stirs = |played: &Played| {
        matches!(
            played,
            Played::Claim { .. } | Played::ConcealedKong { .. } | Played::AddedKong { .. }
        )
    };
    let declared = truth.iter().position(sideways);
    let since = declared.map(|at| &truth[at + 1..]);
    let is_double = declared
        .is_some_and(|at| truth.iter().position(own) == Some(at) && !truth[..at].iter().any(stirs));
    match fact {
        Fact::Riichi => declared.is_some() && !is_double,
        Fact::DoubleRiichi => is_double,
        Fact::Ippatsu => since.is_some_and(|since| !since.iter().any(|it| stirs(it) || own(it))),
        Fact::Supplement => {
            let last = truth.iter().rposition(|it| !matches!(it, Played::Win { .. }));
            last.is_some_and(|last| match truth[last] {
                Played::ConcealedKong { player: own, .. }
                | Played::AddedKong { player: own, .. } => own == player,
                Played::Claim { player: own, kind, .. } => own == player && kind == ClaimKind::Kong,
                _ => false,
            })
        }
        // No simulated deal is played to its last tile, or won on the first draw.
        _ => false,
    }
}

/// Plays deals, and compares the record with them.
fn figures(seed: u64, deals: usize, noise: Noise) -> (Compared, Proposed) {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let (view, mut recorder) = (view(), Recorder::default());
    let (mut figures, mut proposed) = (Compared::default(), Proposed::default());
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
        let (mut lines, mut seen_won) = (Vec::<SeenEvent>::new(), Vec::new());
        camera.forget();
        for step in 0..(script.ends * 1000.0) as u64 / STEP {
            let at = Duration::from_millis(step * STEP);
            let seen = camera.look(&script, at.as_secs_f32(), &mut dice, noise);
            let (tiles, ids, unseen) = (&seen.tiles, &seen.ids, &seen.unseen);
            let at = at + Duration::from_millis(start);
            let look = Look { at, tiles, ids, unseen };
            lines.extend(recorder.observe(&look, &view, place, WholeHand::default()));
            let won = recorder.standing().and_then(|standing| standing.won);
            seen_won.extend(won.filter(|won| seen_won.last() != Some(won)));
        }
        start += (script.ends * 1000.0) as u64;
        let events: Vec<Event> = lines.iter().map(|line| line.event.clone()).collect();
        let begun = events.iter().filter(|event| matches!(event, Event::Deal(_))).count();
        let ended = events.iter().filter(|event| **event == Event::End).count();
        figures.miscounted += usize::from((begun, ended) != (1, 1));
        check(&events);
        figures.add(&script.played, &events);
        proposed.add(&script.played, &seen_won);
    }
    (figures, proposed)
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

fn all(seeds: std::ops::Range<u64>, deals: usize, noise: Noise) -> (Compared, Proposed) {
    let (mut sum, mut proposed) = (Compared::default(), Proposed::default());
    for seed in seeds {
        let (seen, won) = figures(seed, deals, noise);
        sum += seen;
        proposed += won;
    }
    (sum, proposed)
}

#[test]
fn deals_that_are_seen_well_are_recorded_whole() {
    let (seen, proposed) = all(1..4, 4, Noise { level: 0.0 });
    println!("{seen:?} {proposed:?}");
    assert_eq!(seen.discards[0], seen.discards[1]);
    assert_eq!(seen.claims[0], seen.claims[1]);
    assert_eq!(seen.kongs[0], seen.kongs[1]);
    assert_eq!([seen.invented, seen.miscounted, seen.silent, seen.wrongly_certain], [0; 4]);
    let Proposed { won, wins, whole, .. } = proposed;
    assert_eq!([wins, whole], [[0, won]; 2]);
    // In doubt are the first discard where the dealer is not known, opened hands, of many tiles each, and what may have
    // been a claimed kong.
    assert!(10 * seen.certain[0] >= 9 * seen.certain[1], "{seen:?}");
}

#[test]
fn deals_of_a_busy_table_are_recorded_and_what_is_not_certain_is_said() {
    // Of other seeds than those that it was developed with.
    let (seen, proposed) = all(2000..2010, 4, Noise { level: 1.0 });
    println!("{seen:?} {proposed:?}");
    let share = |[right, of]: [usize; 2]| right as f32 / of as f32;
    assert!(share(seen.discards) >= 0.98, "{seen:?}");
    assert!(share(seen.claims) >= 0.97, "{seen:?}");
    assert_eq!(seen.riichi[0], seen.riichi[1], "{seen:?}");
    assert_eq!([seen.wrongly_certain, seen.silent, seen.miscounted], [0; 3], "{seen:?}");
    let Proposed { won, wins, whole, .. } = proposed;
    assert_eq!([wins[0], whole[0]], [0; 2], "{seen:?}");
    assert!(4 * wins[1] >= 3 * won && 3 * whole[1] >= won, "{proposed:?}");
}

/// Takes minutes: for the figures of docs/record.md.
#[test]
#[ignore = "it plays hundreds of deals"]
fn what_is_proposed_of_wins_is_right() {
    // Of seeds that nothing was developed with.
    let (_, proposed) = all(5000..5100, 4, Noise { level: 1.0 });
    println!("{:?}", proposed);
    assert_eq!([proposed.wins[0], proposed.whole[0]], [0; 2]);
}
