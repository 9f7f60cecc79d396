//! Sichuan rules: worked hands and deals, and random ones against a scorer written naively from the same text.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

use crate::compare::{like, sorted};
use crate::naive_sichuan::{End, Event, Laid, Rulings, Tiles, Way, fan, play, sum, win_paid};
use crate::support::random::Dice;
use serde_json::{Value as Json, json};
use tilelens::rules::{Library, RuleSet};

static LIBRARY: LazyLock<Library> = LazyLock::new(Library::default);

fn answer(request: &Json) -> Json {
    serde_json::to_value(LIBRARY.answer(&request.to_string(), false)).unwrap()
}

#[test]
fn worked_hands_and_deals_of_the_specification() {
    let mut wrong = Vec::new();
    for line in include_str!("../hands/hands-sichuan.jsonl").lines() {
        let case: Json = serde_json::from_str(line).unwrap();
        let answer = answer(&case["request"]);
        let mut found = like(&answer, &case["expect"]);
        if let Some(items) = found.get_mut("items").and_then(Json::as_array_mut) {
            items.iter_mut().for_each(|item| {
                assert_eq!(item["unit"], "fan");
                item.as_object_mut().unwrap().remove("unit");
            });
        }
        if sorted(found) != sorted(case["expect"].clone()) {
            wrong.push(format!("{line}\n  found {answer}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

fn with(base: &Json, fields: &Json) -> Json {
    let mut request = base.clone();
    for (key, value) in fields.as_object().unwrap() {
        request[key] = value.clone();
    }
    request
}

#[test]
fn what_is_refused_of_a_win() {
    let base = json!({
        "rules": "sichuan", "hand": "123m 456m 78m 234p 99p +9m", "win": "discard", "seat": "S",
        "round": "E", "from": "W",
    });
    let kong = json!({ "hand": "123m 456m 99p [8888p] 67m +8m", "win": "self_draw", "from": null });
    for (expected, fields) in [
        ("none", json!({})),
        ("none", json!({ "missing": "s" })),
        ("bad_request", json!({ "missing": "z" })),
        ("bad_request", json!({ "missing": 1 })),
        ("bad_request", json!({ "won": "EE" })),
        ("bad_request", json!({ "won": "X" })),
        ("none", json!({ "won": "EN" })),
        ("not_allowed", json!({ "won": "S" })),
        ("not_allowed", json!({ "won": "W" })),
        ("not_allowed", json!({ "won": "ENW" })),
        ("none", json!({ "kong_discard": true })),
        ("not_allowed", json!({ "win": "rob_kong", "kong_discard": true })),
        ("not_allowed", json!({ "first_draw": true })),
        ("none", json!({ "win": "self_draw", "from": null, "first_draw": true })),
        (
            "not_allowed",
            json!({ "win": "self_draw", "from": null, "first_draw": true, "won": "E" }),
        ),
        ("not_allowed", json!({ "win": "self_draw", "from": null, "supplement": true })),
        ("none", with(&kong, &json!({ "supplement": true }))),
        ("not_allowed", with(&kong, &json!({ "first_draw": true }))),
        ("bad_hand", json!({ "hand": "123m 456m 78m 234p 99p 1f +9m" })),
        ("not_complete", json!({ "hand": "123m 456m 78m 234p 99s +9m" })),
        ("not_complete", json!({ "missing": "m" })),
    ] {
        let found = answer(&with(&base, &fields));
        assert_eq!(found["error"].as_str().unwrap_or("none"), expected, "{fields} {found}");
    }
}

/// A win may be given by what it is worth, a player at the end by what he is, and a false win stands between them.
#[test]
fn worths_and_false_wins_of_a_deal() {
    let win = |seat: &str, from: &str, worth: &str| json!({ "win": { "win": "discard", "seat": seat, "from": from, "worth": worth } });
    let deal = |events: Json, end: Json| {
        answer(&json!({ "rules": "sichuan", "deal": events, "end": end }))
    };
    let kong = json!({ "kong": "concealed", "seat": "N" });
    let events = json!([kong, { "false_win": "N" }, win("S", "W", "5")]);
    let end = json!({ "E": { "ready": "1" }, "W": { "ready": false }, "N": { "pig": true } });
    let found = deal(events.clone(), end.clone());
    let step = |east, south, west, north| json!({ "E": east, "S": south, "W": west, "N": north });
    assert_eq!(found["steps"][0], step("-2", "-2", "-2", "6"));
    // 8 to each, and the kong's 2 back; it is not returned again at the end.
    assert_eq!(found["steps"][1], step("10", "10", "10", "-30"));
    assert_eq!(found["steps"][2], step("0", "8", "-8", "0"));
    let kinds: Vec<&str> = found["settlement"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["pig", "pig", "pig", "not_ready", "not_ready"]);
    assert_eq!(found["payments"], step("28", "32", "14", "-74"));
    assert_eq!((&found["wins"][0]["faan"], &found["wins"][0]["score"]), (&json!("5"), &json!("8")));
    for (expected, step, events, end) in [
        ("bad_request", Some(0), json!([win("S", "W", "much")]), end.clone()),
        ("bad_request", Some(0), json!([win("S", "W", "-1")]), end.clone()),
        ("bad_request", Some(0), json!([{ "false_win": "Q" }]), end.clone()),
        ("bad_request", Some(0), json!([{ "false_win": "N", "seat": "N" }]), end.clone()),
        (
            "bad_request",
            Some(0),
            json!([{ "win": { "win": "self_draw", "seat": "S", "worth": "1", "hand": "11m" } }]),
            end.clone(),
        ),
        ("not_allowed", Some(1), json!([win("S", "W", "1"), { "false_win": "S" }]), end.clone()),
        (
            "not_allowed",
            Some(1),
            json!([win("S", "W", "1"), win("N", "S", "1")]),
            json!({ "E": { "pig": true }, "W": { "pig": true } }),
        ),
        ("not_allowed", Some(0), json!([win("S", "S", "1")]), end.clone()),
        ("bad_request", None, events.clone(), with(&end, &json!({ "N": { "pig": false } }))),
        ("bad_request", None, events.clone(), with(&end, &json!({ "N": { "ready": true } }))),
        (
            "bad_request",
            None,
            events.clone(),
            with(&end, &json!({ "N": { "pig": true, "ready": "1" } })),
        ),
        ("bad_request", None, events, with(&end, &json!({ "S": { "pig": true } }))),
    ] {
        let found = deal(events.clone(), end);
        assert_eq!(found["error"], expected, "{events} {found}");
        assert_eq!(found["step"].as_u64(), step, "{events} {found}");
    }
}

#[test]
fn what_is_refused_of_a_deal() {
    let win = |seat: &str, from: &str| {
        json!({
            "hand": "123m 456m 78m 234p 99p +9m", "win": "discard", "seat": seat, "from": from,
        })
    };
    let end = |seats: &str| -> Json {
        let hand = json!({ "hand": "123m 456m 777m 22p 88p", "missing": "s" });
        seats
            .chars()
            .map(|seat| (seat.to_string(), hand.clone()))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    let three =
        json!([{ "win": win("S", "E") }, { "win": win("W", "E") }, { "win": win("N", "E") }]);
    let cases = [
        (None, None, json!([]), end("ESWN")),
        (Some("bad_request"), None, json!([]), end("ESW")),
        (Some("bad_request"), None, json!([{ "win": win("S", "E") }]), end("ESWN")),
        (None, None, json!([{ "win": win("S", "E") }]), end("EWN")),
        (None, None, three.clone(), json!({})),
        (Some("bad_request"), None, three.clone(), end("E")),
        (Some("bad_request"), Some(0), json!([{ "kong": "open", "seat": "E" }]), end("ESWN")),
        (Some("bad_request"), Some(0), json!([{ "kong": "claimed", "seat": "E" }]), end("ESWN")),
        (Some("bad_request"), Some(0), json!([{ "win": win("S", "E"), "sam": true }]), end("EWN")),
        (Some("bad_request"), None, json!([]), with(&end("ESW"), &json!({ "N": { "hnd": "1m" } }))),
        (Some("bad_request"), Some(0), json!([{}]), end("ESWN")),
        (
            Some("not_allowed"),
            Some(1),
            json!([{ "win": win("S", "E") }, { "kong": "concealed", "seat": "S" }]),
            end("EWN"),
        ),
        (
            Some("not_allowed"),
            Some(1),
            json!([{ "win": win("S", "E") }, { "kong": "claimed", "seat": "E", "from": "S" }]),
            end("EWN"),
        ),
        (
            Some("not_allowed"),
            Some(1),
            json!([{ "win": win("S", "E") }, { "win": win("W", "N"), "same": true }]),
            end("EN"),
        ),
        (
            None,
            None,
            json!([{ "win": win("S", "E") }, { "win": win("W", "E"), "same": true }]),
            end("EN"),
        ),
        (Some("not_allowed"), Some(0), json!([{ "win": win("S", "E"), "same": true }]), end("EWN")),
        (
            Some("not_allowed"),
            Some(1),
            json!([{ "win": win("S", "E") }, { "win": win("W", "S") }]),
            end("EN"),
        ),
        (
            Some("not_complete"),
            Some(0),
            json!([{ "win": with(&win("S", "E"), &json!({ "missing": "m" })) }]),
            end("EWN"),
        ),
        (
            Some("bad_hand"),
            Some(0),
            json!([{ "win": with(&win("S", "E"), &json!({ "hand": "1z" })) }]),
            end("EWN"),
        ),
        (
            Some("bad_hand"),
            None,
            json!([]),
            with(&end("ESW"), &json!({ "N": { "hand": "123m 456m 777m 22p 8p" } })),
        ),
        (
            Some("bad_hand"),
            None,
            json!([]),
            with(&end("ESW"), &json!({ "N": { "hand": "123m 456m 777m 22p 55z" } })),
        ),
        (
            Some("not_allowed"),
            None,
            json!([]),
            with(&end("ESW"), &json!({ "N": { "hand": "456m 777m 22p 88p (1'23m)" } })),
        ),
    ];
    for (error, step, deal, end) in cases {
        let found = answer(&json!({ "rules": "sichuan", "deal": deal, "end": end }));
        assert_eq!(found["error"].as_str(), error, "{deal} {end} {found}");
        assert_eq!(found["step"].as_u64(), step, "{deal} {end} {found}");
    }
    // A rule set that does not play on reads no deals.
    let other = answer(&json!({ "rules": "mcr", "deal": [], "end": end("ESWN") }));
    assert_eq!(other["error"], "bad_request");
}

/// A tile's text.
fn name(tile: usize) -> String {
    format!("{}{}", tile % 9 + 1, ["m", "p", "s"][tile / 9])
}

fn text(hand: &Tiles, winning: Option<usize>) -> String {
    let mut concealed = hand.concealed.clone();
    if let Some(winning) = winning {
        concealed.remove(concealed.iter().position(|tile| *tile == winning).unwrap());
    }
    let mut parts: Vec<String> = vec![concealed.into_iter().map(name).collect()];
    for Laid { tile, kong, back } in &hand.laid {
        let digits = (tile % 9 + 1).to_string().repeat(if *kong { 4 } else { 3 });
        let suit = ["m", "p", "s"][tile / 9];
        parts.push(if *back { format!("[{digits}{suit}]") } else { format!("({digits}{suit})") });
    }
    parts.extend(winning.map(|tile| format!("+{}", name(tile))));
    parts.join(" ")
}

/// Sets and a pair, or seven pairs, mostly of two suits.
fn complete(dice: &mut Dice, missing: usize) -> Tiles {
    loop {
        let mut hand = Tiles::default();
        let suits: Vec<usize> = (0..3).filter(|suit| *suit != missing || dice.chance(3)).collect();
        let suits = if dice.chance(30) { vec![suits[0]] } else { suits };
        let numbers: Vec<usize> = match dice.below(6) {
            0 => vec![0, 8],
            1 => vec![1, 4, 7],
            2 => vec![0, 1, 2, 6, 7, 8],
            _ => (0..9).collect(),
        };
        let any = |dice: &mut Dice| {
            9 * suits[dice.below(suits.len())] + numbers[dice.below(numbers.len())]
        };
        if dice.chance(15) {
            (0..7).for_each(|_| hand.concealed.extend([any(dice); 2]));
        } else {
            let (runs, laid) = ([0, 30, 80][dice.below(3)], [0, 40, 100][dice.below(3)]);
            for _ in 0..4 {
                let tile = any(dice);
                if tile % 9 < 7 && dice.chance(runs) {
                    hand.concealed.extend([tile, tile + 1, tile + 2]);
                } else if dice.chance(laid) {
                    let kong = dice.chance(40);
                    hand.laid.push(Laid { tile, kong, back: kong && dice.chance(50) });
                } else {
                    hand.concealed.extend([tile; 3]);
                }
            }
            hand.concealed.extend([any(dice); 2]);
        }
        if (0..27).all(|tile| hand.count(tile) <= 4) {
            return hand;
        }
    }
}

const SEATS: [&str; 4] = ["E", "S", "W", "N"];
const SUITS: [&str; 3] = ["m", "p", "s"];

/// How a hand was won, without contradictions.
fn way(dice: &mut Dice, hand: &Tiles, seat: usize, missing: usize, won: &[usize]) -> Way {
    let winning = hand.concealed[dice.below(hand.concealed.len())];
    let givers: Vec<usize> =
        (0..4).filter(|other| *other != seat && !won.contains(other)).collect();
    let win = match dice.below(10) {
        0..5 => "self_draw",
        5 if hand.count(winning) == 1 => "rob_kong",
        _ => "discard",
    };
    let mut flags = Vec::new();
    let kongs = hand.laid.iter().filter(|set| set.kong).count();
    let mut add = |name: &'static str, may: bool, percent: usize, dice: &mut Dice| {
        if may && dice.chance(percent) {
            flags.push(name);
        }
    };
    add("supplement", win == "self_draw" && kongs > 0, 30, dice);
    add("kong_on_kong", win == "self_draw" && kongs > 1, 10, dice);
    add("kong_discard", win == "discard", 15, dice);
    let first = win == "self_draw" && won.is_empty() && hand.laid.is_empty();
    if first && dice.chance(20) {
        flags.push("first_draw");
    } else if dice.chance(15) {
        flags.push("last_tile");
    }
    let from = (win != "self_draw").then(|| givers[dice.below(givers.len())]);
    let missing = dice.chance(80).then_some(missing);
    Way { seat, win, from, flags, winning, missing, won: won.to_vec() }
}

fn win_json(hand: &Tiles, way: &Way) -> Json {
    let mut request = json!({
        "hand": text(hand, Some(way.winning)), "win": way.win, "seat": SEATS[way.seat],
    });
    way.flags.iter().for_each(|flag| request[*flag] = true.into());
    if let Some(from) = way.from {
        request["from"] = SEATS[from].into();
    }
    if let Some(missing) = way.missing {
        request["missing"] = SUITS[missing].into();
    }
    request
}

fn by_seat(amounts: [i64; 4]) -> Json {
    let each = SEATS
        .iter()
        .zip(amounts)
        .map(|(seat, amount)| ((*seat).to_owned(), amount.to_string().into()));
    Json::Object(each.collect())
}

fn choices(dice: &mut Dice) -> Vec<Rulings> {
    let rules = RuleSet::preset("sichuan").unwrap();
    let mut all = vec![BTreeMap::new()];
    for _ in 0..100 {
        let some: Vec<_> = rules.rulings().iter().filter(|_| dice.chance(30)).collect();
        let pick = |ruling: &tilelens::rules::Ruling, dice: &mut Dice| {
            (ruling.id.clone(), ruling.choices[dice.below(ruling.choices.len())].clone())
        };
        all.push(some.into_iter().map(|ruling| pick(ruling, dice)).collect());
    }
    all
}

/// A random win and its expected answer.
fn random_win(dice: &mut Dice, rulings: &Rulings) -> (Json, Json) {
    let missing = dice.below(3);
    let hand = complete(dice, missing);
    let seat = dice.below(4);
    let won: Vec<usize> =
        (0..4).filter(|other| *other != seat && dice.chance(25)).take(2).collect();
    let way = way(dice, &hand, seat, missing, &won);
    let mut request = win_json(&hand, &way);
    request["rules"] = "sichuan".into();
    request["round"] = SEATS[dice.below(4)].into();
    request["rulings"] = json!(rulings);
    if !won.is_empty() {
        request["won"] = won.iter().map(|seat| SEATS[*seat]).collect::<String>().into();
    }
    let Some((items, fan)) = fan(&hand, &way, rulings) else {
        return (request, json!({ "ok": false, "error": "not_complete" }));
    };
    let paid = sum(&win_paid(fan, &way, rulings));
    assert_eq!(paid.iter().sum::<i64>(), 0);
    let mut expected = json!({ "ok": true, "faan": fan.to_string(), "payments": by_seat(paid) });
    // Of readings with the same fan any may be told.
    if let [items] = &items[..] {
        let each = items.iter();
        let each =
            each.map(|(id, fan)| json!({ "id": id, "value": fan.to_string(), "unit": "fan" }));
        expected["items"] = each.collect();
    }
    (request, expected)
}

/// A hand at the end: ready, nearly, or anything.
fn end_hand(dice: &mut Dice, seat: usize) -> End {
    let missing = dice.below(3);
    loop {
        let mut hand = complete(dice, missing);
        let place = dice.below(hand.concealed.len());
        hand.concealed.remove(place);
        if dice.chance(40) {
            let place = dice.below(hand.concealed.len());
            hand.concealed[place] = dice.below(27);
        }
        if (0..27).all(|tile| hand.count(tile) <= 4) {
            return End { seat, hand, missing, only_missing: dice.chance(20) };
        }
    }
}

/// A random deal and its expected answer.
fn random_deal(dice: &mut Dice, rulings: &Rulings) -> (Json, Json) {
    let (mut events, mut told, mut won) = (Vec::new(), Vec::new(), Vec::<usize>::new());
    let mut last: Option<Option<usize>> = None;
    for _ in 0..dice.below(7) {
        let playing: Vec<usize> = (0..4).filter(|seat| !won.contains(seat)).collect();
        if playing.len() < 2 {
            break;
        }
        let seat = playing[dice.below(playing.len())];
        let others: Vec<usize> = playing.iter().copied().filter(|other| *other != seat).collect();
        if dice.chance(50) {
            let kind = ["concealed", "claimed", "added"][dice.below(3)];
            let from = (kind == "claimed").then(|| others[dice.below(others.len())]);
            let (robbed, shot) = (dice.chance(10), dice.chance(20));
            let late = kind == "added" && dice.chance(40);
            let mut event = json!({ "kong": kind, "seat": SEATS[seat] });
            if let Some(from) = from {
                event["from"] = SEATS[from].into();
            }
            for (field, is) in [("late", late), ("robbed", robbed), ("shot", shot)] {
                if is {
                    event[field] = true.into();
                }
            }
            told.push(event);
            events.push(Event::Kong { kind, seat, from, late, robbed, shot });
            last = None;
            continue;
        }
        let missing = dice.below(3);
        let hand = complete(dice, missing);
        let mut way = way(dice, &hand, seat, missing, &won);
        let giver = last.flatten().filter(|giver| *giver != seat);
        let mut same = false;
        if let Some(giver) = giver.filter(|_| dice.chance(60)) {
            same = true;
            (way.win, way.from) = ("discard", Some(giver));
            way.flags.clear();
        }
        if fan(&hand, &way, rulings).is_none() {
            continue;
        }
        let mut event = json!({ "win": win_json(&hand, &way) });
        if same {
            event["same"] = true.into();
        }
        last = Some(way.from);
        told.push(event);
        events.push(Event::Win { hand, way, same });
        won.push(seat);
    }
    let checked = rulings.get("sichuan.third_win_check").is_some_and(|choice| choice == "yes");
    let ends: Vec<End> = (0..4)
        .filter(|seat| !won.contains(seat) && (won.len() < 3 || checked))
        .map(|seat| end_hand(dice, seat))
        .collect();
    let mut request = json!({ "rules": "sichuan", "rulings": rulings, "deal": told, "end": {} });
    for end in &ends {
        let mut player = json!({ "hand": text(&end.hand, None), "missing": SUITS[end.missing] });
        if end.only_missing {
            player["only_missing"] = true.into();
        }
        request["end"][SEATS[end.seat]] = player;
    }
    let (steps, entries, dealer) = play(&events, &ends, rulings);
    let mut all = [0; 4];
    steps.iter().for_each(|step| (0..4).for_each(|seat| all[seat] += step[seat]));
    let mut lost = 0;
    let settlement: Vec<Json> = (entries.iter())
        .map(|(kind, from, to, points)| {
            all[*from] -= points;
            match all.get_mut(*to) {
                Some(amount) => *amount += points,
                None => lost += points,
            }
            let to = SEATS.get(*to).copied().unwrap_or("nobody");
            json!({ "kind": kind, "from": SEATS[*from], "to": to, "points": points.to_string() })
        })
        .collect();
    assert_eq!(all.iter().sum::<i64>(), -lost);
    let expected = json!({
        "ok": true, "steps": steps.into_iter().map(by_seat).collect::<Vec<_>>(),
        "settlement": settlement, "payments": by_seat(all), "next_dealer": SEATS[dealer],
    });
    (request, expected)
}

/// Random requests on which the naive scorer and the program must agree; lists of payments in their order.
fn agree(seed: u64, rounds: usize, case: fn(&mut Dice, &Rulings) -> (Json, Json)) {
    let mut dice = Dice(seed);
    let choices = choices(&mut dice);
    let mut wrong = Vec::new();
    for _ in 0..rounds {
        let rulings =
            if dice.chance(30) { &choices[0] } else { &choices[dice.below(choices.len())] };
        let (request, expected) = case(&mut dice, rulings);
        let answer = serde_json::to_value(LIBRARY.answer(&request.to_string(), true)).unwrap();
        let (mut found, mut wanted) = (like(&answer, &expected), expected.clone());
        if expected["items"].is_array() {
            (found, wanted) = (sorted(found), sorted(wanted));
        }
        if found != wanted {
            wrong.push(format!("{request}\n  expected {expected}\n  found {answer}"));
        }
    }
    let some = wrong.iter().take(4).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} wrong:\n{some}", wrong.len());
}

#[test]
fn a_naive_scorer_agrees_on_wins() {
    agree(21, 20_000, random_win);
}

#[test]
fn a_naive_scorer_agrees_on_deals() {
    agree(22, 20_000, random_deal);
}

/// Ruling, a hand and how it was won, and for each choice the fan and the winner's gain.
const RULINGS: &str = "
cap | 1133557799m 224m +4m; S discard W | 3 4 8, 4 4 16, 5 4 16, 6 4 16, none 4 16
cap | 22224444m (888m) 55m +5m; S discard W | 3 not_complete, none not_complete
self_draw | 222m 444m 77p 99p (5'55p) +7p; S self_draw | point 1 9, fan 2 12, nothing 1 6
outside_hand | 123m 789m 111p 99p 78p +9p; S discard W | no 0 1, yes 2 4
pungs_of_258 | 222m 555m 88m 55p (888p) +8m; S discard W | no 1 2, yes 3 8
last_discard | 123m 456m 78m 234p 99p +9m; S discard W last_tile | counts 1 2, not 0 1
last_discard | 123m 456m 78m 234p 99p +9m; S self_draw last_tile | counts 1 9, not 1 9
blessings | 123m 456m 78m 234p 99p +9m; S self_draw first_draw | no 0 6, cap 3 27
golden_wait | 222m 444m 9p (5'55p) (777p) +9p; S discard W | laid_down 1 2, any 2 4
";

/// Choices of a ruling with what each player then has.
type RulingSums = Vec<(&'static str, [i64; 4])>;

/// Ruling, and for each choice the payments of a deal of its own.
fn deals() -> Vec<(&'static str, Json, RulingSums)> {
    let loose = |missing: &str| json!({ "hand": "1358m 369p 147s 28s 5s", "missing": missing });
    let ready_kong = json!({ "hand": "123p 678p 24p 55p (9999p)", "missing": "s" });
    let pig = loose("m");
    let plain = json!({ "hand": "1358p 369p 147s 28s 5s", "missing": "m" });
    let end = |e: &Json, s: &Json, w: &Json, n: &Json| json!({ "E": e, "S": s, "W": w, "N": n });
    let kongs = |end: Json, events: Json| json!({ "deal": events, "end": end });
    let late = json!([{ "kong": "added", "seat": "S", "late": true }]);
    let shot = json!([{ "kong": "concealed", "seat": "S", "shot": true }]);
    let kong = json!([{ "kong": "claimed", "seat": "E", "from": "S" }]);
    let win = |seat: &str| json!({ "win": { "hand": "123m 456m 78m 234p 99p +9m", "win": "discard", "seat": seat, "from": "N" } });
    let three = |end: Json| json!({ "deal": [{ "kong": "claimed", "seat": "N", "from": "S" }, win("E"), win("S"), win("W")], "end": end });
    // South is ready with a flush and a root: 8 points; without the root 4.
    vec![
        (
            "late_kong",
            kongs(end(&plain, &ready_kong, &plain, &plain), late),
            vec![("nothing", [-8, 24, -8, -8]), ("paid", [-9, 27, -9, -9])],
        ),
        (
            "shot_kong",
            kongs(end(&plain, &ready_kong, &plain, &plain), shot),
            vec![("cancelled", [-8, 24, -8, -8]), ("kept", [-10, 30, -10, -10])],
        ),
        (
            "kong_return",
            kongs(end(&plain, &plain, &plain, &plain), kong),
            vec![("yes", [0, 0, 0, 0]), ("no", [2, -2, 0, 0])],
        ),
        (
            "pig",
            kongs(end(&pig, &ready_kong, &plain, &plain), json!([])),
            vec![
                ("16", [-56, 40, 8, 8]),
                ("lost", [-56, 24, -8, -8]),
                ("cap", [-32, 32, 0, 0]),
                ("hand", [-32, 32, 0, 0]),
                ("none", [-8, 24, -8, -8]),
            ],
        ),
        (
            "pig_to",
            json!({ "deal": [win("W")], "end": { "E": pig, "S": ready_kong, "N": plain } }),
            vec![
                ("everybody", [-56, 32, 17, 7]),
                ("playing", [-40, 32, 1, 7]),
                ("ready", [-24, 32, 1, -9]),
            ],
        ),
        (
            "pig_not_ready",
            kongs(end(&pig, &ready_kong, &plain, &plain), json!([])),
            vec![("both", [-56, 40, 8, 8]), ("pig_only", [-48, 32, 8, 8])],
        ),
        (
            "not_ready",
            kongs(end(&plain, &ready_kong, &plain, &plain), json!([])),
            vec![("best", [-8, 24, -8, -8]), ("none", [0, 0, 0, 0])],
        ),
        ("third_win_check", three(json!({ "N": pig })), vec![("yes", [17, 17, 17, -51])]),
        ("third_win_check", three(json!({})), vec![("no", [1, -1, 1, -1])]),
        (
            "exchange",
            kongs(end(&plain, &plain, &plain, &plain), json!([])),
            vec![("three", [0, 0, 0, 0]), ("none", [0, 0, 0, 0])],
        ),
        (
            "dearest_kongs",
            kongs(end(&plain, &ready_kong, &plain, &plain), json!([])),
            vec![("count", [-8, 24, -8, -8]), ("not", [-4, 12, -4, -4])],
        ),
    ]
}

#[test]
fn every_choice_of_every_ruling() {
    let mut tried = BTreeSet::new();
    for line in RULINGS.lines().filter(|line| !line.is_empty()) {
        let fields: Vec<&str> = line.split(" | ").collect();
        let (hand, how) = fields[1].split_once("; ").unwrap();
        let words: Vec<&str> = how.split(' ').collect();
        let mut request = json!({
            "rules": "sichuan", "hand": hand, "seat": words[0], "round": "E", "win": words[1],
        });
        for word in &words[2..] {
            match *word {
                "last_tile" | "first_draw" => request[*word] = true.into(),
                seat => request["from"] = seat.into(),
            }
        }
        for expected in fields[2].split(", ") {
            let (choice, expected) = expected.split_once(' ').unwrap();
            request["rulings"] = json!({ format!("sichuan.{}", fields[0]): choice });
            let found = answer(&request);
            let short = match found["error"].as_str() {
                Some(error) => error.to_owned(),
                None => format!(
                    "{} {}",
                    found["faan"].as_str().unwrap(),
                    found["payments"]["S"].as_str().unwrap()
                ),
            };
            assert_eq!(short, expected, "{line}: {choice} {found}");
            tried.insert((fields[0].to_owned(), choice.to_owned()));
        }
    }
    for (ruling, deal, choices) in deals() {
        for (choice, payments) in choices {
            let mut request = deal.clone();
            request["rules"] = "sichuan".into();
            request["rulings"] = json!({ format!("sichuan.{ruling}"): choice });
            let found = answer(&request);
            assert_eq!(found["payments"], by_seat(payments), "{ruling} {choice} {found}");
            tried.insert((ruling.to_owned(), choice.to_owned()));
        }
    }
    for ruling in RuleSet::preset("sichuan").unwrap().rulings() {
        let id = ruling.id.trim_start_matches("sichuan.");
        for choice in &ruling.choices {
            assert!(tried.contains(&(id.to_owned(), choice.clone())), "{} {choice}", ruling.id);
        }
    }
}
