//! Sichuan rules scored naively: lists of sets, one pass for each hand, payments as a list of who pays whom.

use std::collections::BTreeMap;

/// A set laid down: three or four tiles alike.
#[derive(Clone, Debug)]
pub struct Laid {
    pub tile: usize,
    pub kong: bool,
    pub back: bool,
}

/// A hand; the winning tile, if there is one, is among `concealed`.
#[derive(Clone, Debug, Default)]
pub struct Tiles {
    pub concealed: Vec<usize>,
    pub laid: Vec<Laid>,
}

#[derive(Clone, Debug, Default)]
pub struct Way {
    pub seat: usize,
    pub win: &'static str,
    pub from: Option<usize>,
    pub flags: Vec<&'static str>,
    pub winning: usize,
    pub missing: Option<usize>,
    pub won: Vec<usize>,
}

pub type Rulings = BTreeMap<String, String>;

fn choice<'a>(rulings: &'a Rulings, id: &str, default: &'a str) -> &'a str {
    rulings.get(&format!("sichuan.{id}")).map_or(default, String::as_str)
}

fn cap(rulings: &Rulings) -> Option<u32> {
    choice(rulings, "cap", "3").parse().ok()
}

fn points(fan: u32, rulings: &Rulings) -> i64 {
    1 << cap(rulings).map_or(fan, |cap| fan.min(cap))
}

impl Tiles {
    pub fn count(&self, tile: usize) -> usize {
        let laid = self.laid.iter().filter(|set| set.tile == tile);
        self.concealed.iter().filter(|other| **other == tile).count()
            + laid.map(|set| if set.kong { 4 } else { 3 }).sum::<usize>()
    }
    fn suits(&self) -> Vec<usize> {
        (0..3).filter(|suit| (9 * suit..9 * suit + 9).any(|tile| self.count(tile) > 0)).collect()
    }
}

/// The ways to make sets (a run by its lowest tile, or three alike) of counts.
fn sets(counts: &mut [usize; 27], from: usize) -> Vec<Vec<(usize, bool)>> {
    let Some(first) = (from..27).find(|tile| counts[*tile] > 0) else { return vec![Vec::new()] };
    let mut found = Vec::new();
    if counts[first] >= 3 {
        counts[first] -= 3;
        found.extend(
            sets(counts, first).into_iter().map(|rest| [vec![(first, false)], rest].concat()),
        );
        counts[first] += 3;
    }
    if first % 9 < 7 && counts[first + 1] > 0 && counts[first + 2] > 0 {
        (first..first + 3).for_each(|tile| counts[tile] -= 1);
        found.extend(
            sets(counts, first).into_iter().map(|rest| [vec![(first, true)], rest].concat()),
        );
        (first..first + 3).for_each(|tile| counts[tile] += 1);
    }
    found
}

/// Items with their fan.
pub type Items = Vec<(String, u32)>;

/// The items of each reading worth most, and its fan; `None`: not complete.
pub fn fan(hand: &Tiles, way: &Way, rulings: &Rulings) -> Option<(Vec<Items>, u32)> {
    let suits = hand.suits();
    if suits.len() > 2 || way.missing.is_some_and(|missing| suits.contains(&missing)) {
        return None;
    }
    let flag = |name: &str| way.flags.contains(&name);
    let drawn = way.win == "self_draw";
    let mut luck: Vec<(&str, u32)> = Vec::new();
    if flag("supplement") || flag("kong_on_kong") {
        luck.push(("after_kong", 1));
    }
    if flag("kong_discard") {
        luck.push(("kong_discard", 1));
    }
    if way.win == "rob_kong" {
        luck.push(("robbing_the_kong", 1));
    }
    let discard_counts = choice(rulings, "last_discard", "counts") == "counts";
    if flag("last_tile") && (drawn || way.win == "discard" && discard_counts) {
        luck.push(("last_tile", 1));
    }
    if drawn && choice(rulings, "self_draw", "point") == "fan" {
        luck.push(("self_drawn", 1));
    }
    if suits.len() == 1 {
        luck.push(("full_flush", 2));
    }
    luck.extend((0..27).filter(|tile| hand.count(*tile) == 4).map(|_| ("root", 1)));
    let mut counts = [0; 27];
    hand.concealed.iter().for_each(|tile| counts[*tile] += 1);
    let mut readings: Vec<Vec<(&str, u32)>> = Vec::new();
    for pair in 0..27 {
        if counts[pair] < 2 {
            continue;
        }
        counts[pair] -= 2;
        for own in sets(&mut counts, 0) {
            if own.len() + hand.laid.len() != 4 {
                continue;
            }
            let own: Vec<(usize, bool)> =
                own.into_iter().chain(hand.laid.iter().map(|set| (set.tile, false))).collect();
            let pungs = own.iter().all(|(_, run)| !run);
            let ends = |tile: usize, run: bool| match run {
                true => tile.is_multiple_of(9) || tile % 9 == 6,
                false => tile.is_multiple_of(9) || tile % 9 == 8,
            };
            let outside = ends(pair, false) && own.iter().all(|(tile, run)| ends(*tile, *run));
            let of_258 = |tile: usize| [1, 4, 7].contains(&(tile % 9));
            let all_258 = pungs && of_258(pair) && own.iter().all(|(tile, _)| of_258(*tile));
            let any = choice(rulings, "golden_wait", "laid_down") == "any";
            let golden = pair == way.winning && if any { pungs } else { hand.laid.len() == 4 };
            let mut reading = Vec::new();
            if all_258 && choice(rulings, "pungs_of_258", "no") == "yes" {
                reading.push(("pungs_of_258", 3));
            } else if golden {
                reading.push(("golden_single_wait", 2));
            } else if outside && choice(rulings, "outside_hand", "no") == "yes" {
                reading.push(("outside_hand", 2));
            } else if pungs {
                reading.push(("all_pungs", 1));
            }
            readings.push(reading);
        }
        counts[pair] += 2;
    }
    if hand.laid.is_empty() && counts.iter().all(|count| count % 2 == 0) {
        readings.push(vec![("seven_pairs", 2)]);
    }
    let mut readings: Vec<Vec<(&str, u32)>> =
        readings.into_iter().map(|reading| [reading, luck.clone()].concat()).collect();
    readings.sort();
    readings.dedup();
    let blessed = flag("first_draw") && choice(rulings, "blessings", "no") == "cap";
    if blessed && !readings.is_empty() {
        let name = if way.seat == 0 { "heavenly_hand" } else { "earthly_hand" };
        readings = vec![vec![(name, cap(rulings).unwrap_or(3))]];
    }
    let total = |items: &Vec<(&str, u32)>| items.iter().map(|(_, fan)| fan).sum::<u32>();
    let most = readings.iter().map(total).max()?;
    readings.retain(|items| total(items) == most);
    let named = |items: Vec<(&str, u32)>| -> Items {
        items.into_iter().map(|(id, fan)| (id.to_owned(), fan)).collect()
    };
    Some((readings.into_iter().map(named).collect(), most))
}

/// Payments: from, to, points.
pub type Paid = Vec<(usize, usize, i64)>;

pub fn sum(paid: &Paid) -> [i64; 4] {
    let mut all = [0; 4];
    for (from, to, points) in paid {
        all[*from] -= points;
        all[*to] += points;
    }
    all
}

pub fn win_paid(fan: u32, way: &Way, rulings: &Rulings) -> Paid {
    let worth = points(fan, rulings);
    match way.from {
        Some(from) => vec![(from, way.seat, worth)],
        None => {
            let more = i64::from(choice(rulings, "self_draw", "point") == "point");
            (0..4)
                .filter(|seat| *seat != way.seat && !way.won.contains(seat))
                .map(|seat| (seat, way.seat, worth + more))
                .collect()
        }
    }
}

#[derive(Clone, Debug)]
pub enum Event {
    Kong {
        kind: &'static str,
        seat: usize,
        from: Option<usize>,
        late: bool,
        robbed: bool,
        shot: bool,
    },
    Win {
        hand: Tiles,
        way: Way,
        same: bool,
    },
}

#[derive(Clone, Debug)]
pub struct End {
    pub seat: usize,
    pub hand: Tiles,
    pub missing: usize,
    pub only_missing: bool,
}

/// The points of the dearest hand, where some tile completes the hand.
pub fn dearest(end: &End, rulings: &Rulings) -> Option<i64> {
    let mut best = None;
    for tile in 0..27 {
        if end.hand.count(tile) == 4 {
            continue;
        }
        let mut with = end.hand.clone();
        with.concealed.push(tile);
        if choice(rulings, "dearest_kongs", "count") == "not" {
            with.laid.iter_mut().for_each(|set| set.kong = false);
        }
        let way = Way {
            seat: end.seat,
            win: "discard",
            winning: tile,
            missing: Some(end.missing),
            ..Way::default()
        };
        if let Some((_, fan)) = fan(&with, &way, rulings) {
            best = best.max(Some(points(fan, rulings)));
        }
    }
    best
}

/// The payments of each event, those at the end (to 4: nobody), and the next dealer.
pub type Played = (Vec<[i64; 4]>, Vec<(&'static str, usize, usize, i64)>, usize);

pub fn play(events: &[Event], ends: &[End], rulings: &Rulings) -> Played {
    let mut won: Vec<usize> = Vec::new();
    let mut steps = Vec::new();
    let mut kongs: Paid = Vec::new();
    let mut dealer = 0;
    for event in events {
        let paid = match event {
            Event::Kong { kind, seat, from, late, robbed, shot } => {
                let each = match *kind {
                    "concealed" | "claimed" => 2,
                    _ if !late || choice(rulings, "late_kong", "nothing") == "paid" => 1,
                    _ => 0,
                };
                let cancelled =
                    *robbed || *shot && choice(rulings, "shot_kong", "cancelled") == "cancelled";
                let payers = (0..4).filter(|payer| payer != seat && !won.contains(payer));
                let payers = payers.filter(|payer| from.is_none_or(|from| from == *payer));
                let paid: Paid = payers
                    .filter(|_| !cancelled && each > 0)
                    .map(|payer| (payer, *seat, each))
                    .collect();
                kongs.extend(&paid);
                paid
            }
            Event::Win { hand, way, same } => {
                let way = Way { won: won.clone(), ..way.clone() };
                let (_, fan) = fan(hand, &way, rulings).expect("complete");
                if won.is_empty() {
                    dealer = way.seat;
                } else if *same && won.len() == 1 {
                    dealer = way.from.expect("a giver");
                }
                won.push(way.seat);
                win_paid(fan, &way, rulings)
            }
        };
        steps.push(sum(&paid));
    }
    let settled = |end: &End| -> (usize, bool, Option<i64>) {
        let pig = end.hand.suits().contains(&end.missing) && !end.only_missing;
        (end.seat, pig, dearest(end, rulings))
    };
    let players: Vec<(usize, bool, Option<i64>)> = ends.iter().map(settled).collect();
    let mut entries = Vec::new();
    let fine = choice(rulings, "pig", "16");
    let fined = |pig: bool| pig && fine != "none";
    for (seat, _, _) in players.iter().filter(|(_, pig, _)| fined(*pig)) {
        if fine == "lost" {
            entries.push(("pig", *seat, 4, 48));
            continue;
        }
        for to in (0..4).filter(|to| to != seat) {
            let player = players.iter().find(|(other, ..)| *other == to);
            let gets = match choice(rulings, "pig_to", "everybody") {
                "everybody" => true,
                "playing" => player.is_some(),
                _ => player.is_some_and(|(.., dearest)| dearest.is_some()),
            };
            if !gets || player.is_some_and(|(_, pig, _)| *pig) {
                continue;
            }
            let worth = match fine {
                "16" => 16,
                "cap" => points(cap(rulings).unwrap_or(3), rulings),
                _ => player.and_then(|(.., dearest)| *dearest).unwrap_or(8).max(8),
            };
            entries.push(("pig", *seat, to, worth));
        }
    }
    for (seat, pig, _) in players.iter().filter(|(.., dearest)| dearest.is_none()) {
        let spared = choice(rulings, "pig_not_ready", "both") == "pig_only" && fined(*pig);
        if choice(rulings, "not_ready", "best") == "best" && !spared {
            for (to, _, dearest) in &players {
                entries.extend(dearest.map(|worth| ("not_ready", *seat, *to, worth)));
            }
        }
    }
    for (seat, ..) in players.iter().filter(|(.., dearest)| dearest.is_none()) {
        if choice(rulings, "kong_return", "yes") == "yes" {
            let got = kongs.iter().filter(|(_, to, _)| to == seat);
            entries.extend(got.map(|(from, _, points)| ("kong_returned", *seat, *from, *points)));
        }
    }
    (steps, entries, dealer)
}
