//! Hands scored a second on one core: totals alone, with items and payments, with what explains
//! them; and, in the same run, the `agari` crate on the same hands of `riichi`.
//!
//! `cargo bench --no-default-features --bench scoring`; `benches/pymahjonggb.sh` runs it with PyMahjongGB
//! on the same hands of `mcr`.

#[path = "../tests/scoring/agari.rs"]
mod peer;
#[path = "../tests/support/random.rs"]
mod random;

use std::{
    hint::black_box,
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};

use criterion::{BatchSize, Criterion, Throughput};
use peer::PeerHand;
use random::{Dice, circumstances, complete_hand_of};
use tilelens::{
    hand::{Hand, MeldKind},
    rules::{Circumstances, LosingHands, RuleSet, Win},
    tile::{Face, Seat, Seats, Side},
};

const HANDS: usize = 20_000;
/// Everything is measured so often, by turns: a busy machine then slows all of it alike.
const ROUNDS: usize = 9;

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

/// PyMahjongGB's calculator in a process of its own (`pymahjonggb.cpp`), which takes the hands on its standard
/// input and answers each further line with the hands a second of one pass over them.
struct Peer {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Peer {
    /// The program that the environment variable PYMAHJONGGB names.
    fn start(hands: &[(Hand, Circumstances)]) -> Option<Self> {
        let program = std::env::var_os("PYMAHJONGGB")?;
        let mut process = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("PYMAHJONGGB is a program");
        let mut input = process.stdin.take().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let lines: Vec<String> = hands.iter().map(|(hand, at)| peer_line(hand, at)).collect();
        writeln!(input, "{}\n{}", lines.len(), lines.join("\n")).unwrap();
        Some(Self { process, input, output })
    }

    fn rate(&mut self) -> f64 {
        writeln!(self.input).unwrap();
        self.input.flush().unwrap();
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line.trim().parse().expect("a rate")
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A hand as numbers: packs (giver 0-3, kind 1-3, tile), the thirteen other tiles, the winning one, the flags
/// (1 self-drawn, 2 last of its kind, 4 about a kong, 8 last tile), own and round wind, flowers.
fn peer_line(hand: &Hand, at: &Circumstances) -> String {
    // Characters 1x, bamboo 2x, dots 3x, honors 4x with red, green, white last.
    let tile = |face: Face| match face.index() {
        index @ 0..9 => 0x11 + index,
        index @ 9..18 => 0x31 + index - 9,
        index @ 18..27 => 0x21 + index - 18,
        index @ 27..31 => 0x41 + index - 27,
        index => 0x47 - (index - 31),
    };
    let mut numbers = vec![hand.melds().count()];
    for meld in hand.melds() {
        let giver = match meld.giver() {
            _ if !meld.is_claimed() => 0,
            Some(Side::Opposite) => 2,
            Some(Side::Right) => 3,
            Some(Side::Left) | None => 1,
        };
        let (kind, lowest) = match meld.kind() {
            MeldKind::Chow => (1, 1),
            MeldKind::Pung => (2, 0),
            MeldKind::OpenKong | MeldKind::ConcealedKong => (3, 0),
        };
        numbers.extend([giver, kind, tile(meld.face()) + lowest]);
    }
    let mut held = *hand.concealed();
    held[hand.winning().index()] -= 1;
    let tiles = Face::all().take(Face::SET_FACES);
    let tiles: Vec<usize> = tiles
        .flat_map(|face| std::iter::repeat_n(tile(face), usize::from(held[face.index()])))
        .collect();
    numbers.push(tiles.len());
    numbers.extend(tiles);
    let kong = at.on_supplement() || matches!(at.win, Win::RobKong { .. });
    let flags = usize::from(!at.win.is_claim())
        | usize::from(at.last_visible) << 1
        | usize::from(kong) << 2
        | usize::from(at.last_tile) << 3;
    let flowers = hand.bonus().count_ones() as usize;
    numbers.extend([tile(hand.winning()), flags, at.seat.index(), at.round.index(), flowers]);
    let words: Vec<String> = numbers.iter().map(usize::to_string).collect();
    words.join(" ")
}

/// The hands of three losers, drawn from the tiles that a winner leaves.
fn losers(dice: &mut Dice, hand: &Hand, at: &Circumstances) -> LosingHands {
    let faces = Face::all().take(Face::SET_FACES);
    let mut wall: Vec<Face> = faces
        .flat_map(|face| std::iter::repeat_n(face, usize::from(Face::COPIES - hand.count(face))))
        .collect();
    let mut loser = |seat: Seat| {
        let draw = |_| wall.swap_remove(dice.below(wall.len())).to_string();
        let tiles: String = (0..13).map(draw).collect();
        (seat, tiles.parse().unwrap())
    };
    let hands = Seat::ALL.into_iter().filter(|seat| *seat != at.seat).map(&mut loser).collect();
    LosingHands {
        hands,
        scores: Vec::new(),
        dead: Seats::NONE,
        fishing: Seat::ALL.into_iter().collect(),
    }
}

/// Tables of four hands a second, the losers settled too: totals alone, and with each hand's items.
fn print_tables() {
    for id in ["classical-bmja", "classical-dmjl"] {
        let rules = RuleSet::preset(id).unwrap();
        let mut dice = Dice(2027);
        let tables: Vec<_> = winning_hands(rules)
            .into_iter()
            .map(|(hand, at)| (hand, at, losers(&mut dice, &hand, &at)))
            .collect();
        let (mut totals, mut brief) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            totals.push(rate(&tables, |(hand, at, losers)| {
                let value = rules.value(black_box(hand), at);
                let _ = black_box(value.map(|value| rules.with_losers(value, at, losers)));
            }));
            brief.push(rate(&tables, |(hand, at, losers)| {
                black_box(rules.explain_table(black_box(hand), at, losers, None, true));
            }));
        }
        let [totals, brief] = [&totals, &brief].map(|rates| median(rates));
        println!("{id:14} tables of four hands: totals {totals:>9.0}  items {brief:>9.0}");
    }
}

/// Hands a second of one pass.
fn rate<T>(hands: &[T], each: impl FnMut(&T)) -> f64 {
    let start = Instant::now();
    hands.iter().for_each(each);
    hands.len() as f64 / start.elapsed().as_secs_f64()
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
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

    let ids = [
        "mmm",
        "mmm-dk",
        "ims",
        "hkos",
        "chumchu",
        "riichi",
        "mcr",
        "hk",
        "taiwan",
        "riichi-sanma",
        "zung-jung",
        "classical-bmja",
        "classical-dmjl",
        "sichuan",
    ];
    let sets = ids.map(|id| {
        let rules = RuleSet::preset(id).unwrap();
        (id, rules, winning_hands(rules))
    });
    println!(
        "\nhands a second, one core, {HANDS} random winning hands, medians of {ROUNDS} rounds of everything:"
    );
    let riichi = &sets[5].2;
    let mcr = &sets[6].2;
    let agari: Vec<PeerHand> = riichi.iter().map(|(hand, at)| PeerHand::new(hand, at)).collect();
    let mut pymahjonggb = Peer::start(mcr);
    let mut rates = vec![[const { Vec::new() }; 3]; sets.len()];
    let (mut of_agari, mut of_pymahjonggb) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        for ((_, rules, hands), rates) in sets.iter().zip(&mut rates) {
            rates[0].push(rate(hands, |(hand, at)| {
                let _ = black_box(rules.value(black_box(hand), at));
            }));
            rates[1].push(rate(hands, |(hand, at)| {
                let _ = black_box(rules.score(black_box(hand), at));
            }));
            rates[2]
                .push(rate(&hands[..HANDS / 4], |(hand, at)| explain(rules, black_box(hand), at)));
        }
        of_agari.push(rate(&agari[..HANDS / 4], |hand| {
            black_box(black_box(hand).best_total());
        }));
        of_pymahjonggb.extend(pymahjonggb.as_mut().map(Peer::rate));
    }
    for ((id, ..), rates) in sets.iter().zip(&rates) {
        let [value, score, explained] = rates.each_ref().map(|rates| median(rates));
        println!("{id:14} value {value:>11.0}  items {score:>11.0}  explained {explained:>11.0}");
    }
    let peers = [("riichi", 5, "agari", &of_agari), ("mcr", 6, "PyMahjongGB", &of_pymahjonggb)];
    for (id, place, name, peer) in peers {
        if peer.is_empty() {
            println!("{name} was not run: benches/pymahjonggb.sh builds it");
            continue;
        }
        let times: Vec<f64> =
            rates[place][0].iter().zip(peer).map(|(ours, peer)| ours / peer).collect();
        let (least, most) = (
            times.iter().copied().fold(f64::MAX, f64::min),
            times.iter().copied().fold(0.0, f64::max),
        );
        println!(
            "{name} {:.0}: {id} has {:.1} times as many ({least:.1} to {most:.1} in the rounds)",
            median(peer),
            median(&times),
        );
    }
    print_tables();
}
