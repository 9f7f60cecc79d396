//! Hands scored a second on one core: totals alone, with items and payments, with what explains
//! them; and, in the same run, the `agari` crate on random riichi hands.
//!
//! `cargo bench --no-default-features --bench scoring`

#[path = "../tests/support/random.rs"]
mod random;

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use agari::{
    context::{GameContext, WinType},
    hand::{HandStructure, KanType, Meld as PeerMeld, decompose_hand, decompose_hand_with_melds},
    parse::TileCounts,
    scoring::calculate_score,
    tile::{Honor, Suit as PeerSuit, Tile},
    yaku::detect_yaku_with_context,
};
use criterion::{BatchSize, Criterion, Throughput};
use random::{Dice, circumstances, complete_hand_of};
use tilelens::{
    hand::{Hand, Meld, MeldKind},
    rules::{Circumstances, RuleSet, Win},
    tile::{Face, Seat},
};

const HANDS: usize = 20_000;

/// Random hands that win under a rule set: half with claimed sets, a third self-drawn.
fn winning_hands(rules: &RuleSet) -> Vec<(Hand, Circumstances)> {
    let mut dice = Dice(2026);
    let mut hands = Vec::with_capacity(HANDS);
    while hands.len() < HANDS {
        let claims = hands.len() % 2 == 0;
        let hand = complete_hand_of(&mut dice, rules.sets(), claims);
        let mut at = circumstances(&mut dice, &hand);
        if hands.len() % 3 == 0 {
            at.win = Win::SelfDraw;
        } else if !at.win.is_claim() {
            continue;
        }
        // Elsewhere ignored; the peer's concealed hands have declared riichi too.
        at.riichi = hand.is_concealed();
        if rules.check(&hand, &at).is_ok() && rules.value(&hand, &at).is_ok() {
            hands.push((hand, at));
        }
    }
    hands
}

/// A hand as the peer takes it, already parsed.
struct PeerHand {
    concealed: TileCounts,
    all: TileCounts,
    melds: Vec<PeerMeld>,
    context: GameContext,
}

fn peer_tile(face: Face) -> Tile {
    const HONORS: [Honor; 7] = [
        Honor::East,
        Honor::South,
        Honor::West,
        Honor::North,
        Honor::White,
        Honor::Green,
        Honor::Red,
    ];
    const SUITS: [PeerSuit; 3] = [PeerSuit::Man, PeerSuit::Pin, PeerSuit::Sou];
    match face.index() {
        index @ 0..27 => Tile::suited(SUITS[index / 9], face.number()),
        index => Tile::honor(HONORS[index - 27]),
    }
}

fn peer_wind(seat: Seat) -> Honor {
    [Honor::East, Honor::South, Honor::West, Honor::North][seat.index()]
}

fn peer_meld(meld: Meld) -> PeerMeld {
    let tile = peer_tile(meld.face());
    match meld.kind() {
        MeldKind::Chow => PeerMeld::shuntsu_open(tile),
        MeldKind::Pung => PeerMeld::koutsu_open(tile),
        MeldKind::OpenKong => PeerMeld::kan(tile, KanType::Open),
        MeldKind::ConcealedKong => PeerMeld::kan(tile, KanType::Closed),
    }
}

/// Random hands of the same make for riichi: closed ones have declared it.
fn peer_hands(hands: &[(Hand, Circumstances)]) -> Vec<PeerHand> {
    (hands.iter())
        .map(|(hand, at)| {
            let mut concealed = TileCounts::new();
            let mut all = TileCounts::new();
            for face in Face::all().take(Face::SET_FACES) {
                let (held, whole) = (hand.concealed()[face.index()], hand.count(face));
                if held > 0 {
                    concealed.insert(peer_tile(face), held);
                }
                if whole > 0 {
                    all.insert(peer_tile(face), whole);
                }
            }
            let win = if at.win.is_claim() { WinType::Ron } else { WinType::Tsumo };
            let context = GameContext::new(win, peer_wind(at.round), peer_wind(at.seat))
                .with_winning_tile(peer_tile(hand.winning()));
            let context = if hand.is_concealed() { context.riichi() } else { context.open() };
            PeerHand { concealed, all, melds: hand.melds().map(peer_meld).collect(), context }
        })
        .collect()
}

/// The best score of a hand, as the peer's own program finds it.
fn peer_score(hand: &PeerHand) -> Option<u32> {
    let structures: Vec<HandStructure> = if hand.melds.is_empty() {
        decompose_hand(&hand.concealed)
    } else {
        decompose_hand_with_melds(&hand.concealed, &hand.melds)
    };
    (structures.iter())
        .map(|structure| {
            let yaku = detect_yaku_with_context(structure, &hand.all, &hand.context);
            calculate_score(structure, &yaku, &hand.context).payment.total
        })
        .max()
}

/// The best of a few passes: hands a second.
fn rate<T>(hands: &[T], mut each: impl FnMut(&T)) -> f64 {
    let mut best = Duration::MAX;
    for _ in 0..7 {
        let start = Instant::now();
        hands.iter().for_each(&mut each);
        best = best.min(start.elapsed());
    }
    hands.len() as f64 / best.as_secs_f64()
}

fn explain(rules: &RuleSet, hand: &Hand, at: &Circumstances) {
    let _ = black_box(rules.score(hand, at));
    black_box(rules.runner_up(hand, at));
    black_box(rules.ruling_effects(hand, at));
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("scoring");
    group.sample_size(20).measurement_time(Duration::from_secs(2));
    group.throughput(Throughput::Elements(1));
    let rules = RuleSet::preset("mmm").unwrap();
    let hands = winning_hands(rules);
    let mut next = (0..HANDS).cycle();
    let mut hand = || &hands[next.next().unwrap()];
    group.bench_function("mmm, score and payments", |b| {
        b.iter_batched(&mut hand, |(hand, at)| rules.value(hand, at), BatchSize::SmallInput);
    });
    group.bench_function("mmm, with items", |b| {
        b.iter_batched(&mut hand, |(hand, at)| rules.score(hand, at), BatchSize::SmallInput);
    });
    group.bench_function("mmm, with runner-up and rulings", |b| {
        b.iter_batched(&mut hand, |(hand, at)| explain(rules, hand, at), BatchSize::SmallInput);
    });
    group.finish();
    criterion.final_summary();

    println!("\nhands a second, one core, {HANDS} random winning hands, best of seven passes:");
    for id in ["mmm", "mmm-dk", "ims", "hkos", "chumchu", "riichi", "mcr", "hk", "taiwan"] {
        let rules = RuleSet::preset(id).unwrap();
        let hands = winning_hands(rules);
        let value = rate(&hands, |(hand, at)| {
            let _ = black_box(rules.value(black_box(hand), at));
        });
        let score = rate(&hands, |(hand, at)| {
            let _ = black_box(rules.score(black_box(hand), at));
        });
        let explained = rate(&hands, |(hand, at)| explain(rules, black_box(hand), at));
        println!("{id:8} value {value:>11.0}  items {score:>11.0}  explained {explained:>11.0}");
        if id == "riichi" {
            let peers = peer_hands(&hands);
            let peer = rate(&peers, |hand| {
                black_box(peer_score(black_box(hand)));
            });
            println!(
                "agari    riichi hands {peer:.0}: tilelens scores {:.1} times as many",
                value / peer
            );
        }
    }
}
