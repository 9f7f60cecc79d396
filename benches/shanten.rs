//! Distances of random hands of 14, a second on one core, beside the crates `xiangting` (tables, too)
//! and `agari` (a search) in the same run; all of them say the same of each hand.
//!
//! `cargo bench --no-default-features --bench shanten`

#[path = "../tests/support/random.rs"]
mod random;

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use agari::shanten::{array_to_tilecounts, calculate_shanten};
use criterion::{BatchSize, Criterion, Throughput};
use random::Dice;
use tilelens::advice::{Counts, Target, Targets, tiles_missing_of_concealed};
use xiangting::{PlayerCount, calculate_replacement_number};

const HANDS: usize = 50_000;

fn hands(tiles: usize) -> Vec<Counts> {
    let mut dice = Dice(2026);
    (0..HANDS)
        .map(|_| {
            let mut wall: Vec<usize> = (0..136).map(|tile| tile / 4).collect();
            let mut held = [0; 34];
            for _ in 0..tiles {
                held[wall.swap_remove(dice.below(wall.len()))] += 1;
            }
            held
        })
        .collect()
}

/// The best of a few passes: hands a second.
fn rate<T>(hands: &[T], mut each: impl FnMut(&T) -> i64) -> (f64, i64) {
    let (mut best, mut sum) = (Duration::MAX, 0);
    for _ in 0..9 {
        let start = Instant::now();
        sum = hands.iter().map(|hand| each(black_box(hand))).sum();
        best = best.min(start.elapsed());
    }
    (hands.len() as f64 / best.as_secs_f64() / 1e6, sum)
}

fn main() {
    let targets = [Target::Sets, Target::SevenDifferentPairs, Target::ThirteenOrphans]
        .into_iter()
        .fold(Targets::NONE, Targets::with);
    let all = hands(14);
    let start = Instant::now();
    let _ = tiles_missing_of_concealed(&all[0], targets);
    println!("tables made in {:.0} ms", 1e3 * start.elapsed().as_secs_f64());
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("shanten");
    group.sample_size(20).measurement_time(Duration::from_secs(2));
    group.throughput(Throughput::Elements(1));
    let mut next = (0..HANDS).cycle();
    let mut hand = || &all[next.next().unwrap()];
    group.bench_function("tilelens, sets, seven pairs, orphans", |b| {
        b.iter_batched(
            &mut hand,
            |hand| tiles_missing_of_concealed(hand, targets),
            BatchSize::SmallInput,
        );
    });
    group.bench_function("xiangting, the same", |b| {
        b.iter_batched(
            &mut hand,
            |hand| calculate_replacement_number(hand, PlayerCount::Four),
            BatchSize::SmallInput,
        );
    });
    group.finish();
    criterion.final_summary();

    println!("\nmillion hands a second, one core, {HANDS} random hands, best of nine passes:");
    for tiles in [13, 14] {
        let hands = hands(tiles);
        let ours =
            rate(&hands, |hand| tiles_missing_of_concealed(hand, targets).map_or(99, i64::from));
        let xiangting = rate(&hands, |hand| {
            calculate_replacement_number(hand, PlayerCount::Four).map_or(99, i64::from)
        });
        let parsed: Vec<_> = hands.iter().take(500).map(array_to_tilecounts).collect();
        let agari = rate(&parsed, |hand| i64::from(calculate_shanten(hand).shanten) + 1);
        assert_eq!(ours.1, xiangting.1, "the distances differ");
        println!(
            "{tiles} tiles: tilelens {:.1}, xiangting {:.2}, agari {:.4}",
            ours.0, xiangting.0, agari.0
        );
    }
    let hands = hands(17);
    let sets = Targets::NONE.with(Target::Sets);
    let ours = rate(&hands, |hand| tiles_missing_of_concealed(hand, sets).map_or(99, i64::from));
    println!("17 tiles (five sets and a pair): tilelens {:.1}", ours.0);
}
