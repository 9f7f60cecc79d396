//! How long an organiser waits: for a schedule, and for standings after a result.

use criterion::{Criterion, criterion_group, criterion_main};
use tilelens::{
    name::Name,
    points::Points,
    rules::RuleSet,
    tournament::{By, Entrant, Event, Format, Log, Pairing, Recorded, Schedule, draw},
};

/// 800 players in 8 rounds with all results.
fn large() -> Vec<Recorded> {
    let chumchu = RuleSet::preset("chumchu").expect("a preset");
    let begun = Event::Begun {
        name: "Large".into(),
        rules: "chumchu".into(),
        rule_file: None,
        rulings: Vec::new(),
        format: Box::new(Format::of(chumchu, chumchu).expect("it says how")),
    };
    let entrants: Vec<Entrant> = (0..800)
        .map(|place| format!("Player number {place:03}"))
        .map(|name| Entrant { name: Name::new(&name).expect("a name"), ..Entrant::default() })
        .collect();
    let numbers = draw("seed", entrants.iter().map(|entrant| &entrant.name));
    let schedule = Schedule::new(800, 8).expect("a schedule");
    let results = (1..=8).flat_map(|round| {
        (1..=200).map(move |table| {
            let points = [3 * round, 7, -(table as i32), table as i32 - 3 * round - 7];
            Event::Result {
                round: round as usize,
                table,
                points: points.map(Points::whole),
                wins: [None; 4],
                taken: Points::ZERO,
            }
        })
    });
    let seated =
        Event::Seated { seed: "seed".into(), numbers, schedule, starts: Vec::new(), plan: None };
    let mut log = Log::default();
    for event in [begun, Event::Entered { entrants }, seated].into_iter().chain(results) {
        log.append(jiff::Timestamp::UNIX_EPOCH, "bench", event).expect("it holds");
    }
    log.events().to_vec()
}

fn schedules(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("schedule");
    group.sample_size(10);
    for (players, rounds) in [(16, 5), (24, 15), (52, 17), (200, 10)] {
        group.bench_function(format!("{players} players, {rounds} rounds"), |bencher| {
            bencher.iter(|| Schedule::new(players, rounds));
        });
    }
    group.finish();
}

fn pairing(criterion: &mut Criterion) {
    let mut events = large();
    // 200 of the players, one round played.
    let keep = |recorded: &mut Recorded| match &mut recorded.event {
        Event::Entered { entrants } => entrants.truncate(200),
        Event::Seated { numbers, schedule, .. } => {
            let known: std::collections::HashSet<String> =
                (0..200).map(|place| format!("Player number {place:03}")).collect();
            numbers.retain(|name| known.contains(name.as_str()));
            *schedule = Schedule::new(200, 1).expect("a schedule");
        }
        _ => {}
    };
    events.truncate(3 + 50);
    events.iter_mut().for_each(keep);
    let log = Log::replay(events).expect("it holds");
    let state = log.tournament().expect("it");
    let asked = Pairing { by: By::Standings, seed: "seed".into(), ..Pairing::default() };
    let mut group = criterion.benchmark_group("schedule");
    group.sample_size(10);
    group.bench_function("200 players, the next round by the standings", |bencher| {
        bencher.iter(|| state.pair(&asked).expect("it can be"));
    });
    group.finish();
}

fn standings(criterion: &mut Criterion) {
    let events = large();
    criterion.bench_function("log of 200 tables in 8 rounds to standings", |bencher| {
        bencher.iter(|| {
            let log = Log::replay(events.iter().cloned()).expect("it holds");
            log.tournament().map(|it| it.standings())
        });
    });
}

criterion_group!(benches, schedules, pairing, standings);
criterion_main!(benches);
