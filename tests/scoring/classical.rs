//! Classical rules with all four hands scored: worked hands, and random requests against a scorer written
//! naively from the same text.

use std::{collections::BTreeMap, sync::LazyLock};

use crate::compare::{like, sorted};
use crate::naive_classical::{self, Laid, Rules, Tiles, Way, Worth};
use crate::support::random::Dice;
use serde_json::{Value as Json, json};
use tilelens::rules::{Library, RuleSet};

static LIBRARY: LazyLock<Library> = LazyLock::new(Library::default);

fn answer(request: &Json) -> Json {
    serde_json::to_value(LIBRARY.answer(&request.to_string(), false)).unwrap()
}

#[test]
fn worked_hands_of_the_specification() {
    let mut wrong = Vec::new();
    for line in include_str!("../hands/hands-classical.jsonl").lines() {
        let case: Json = serde_json::from_str(line).unwrap();
        let answer = answer(&case["request"]);
        let found = sorted(like(&answer, &case["expect"]));
        let expected = sorted(case["expect"].clone());
        if found != expected {
            wrong.push(format!("{line}\n  found {answer}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn what_is_refused() {
    let base = json!({
        "rules": "classical-bmja", "hand": "22m 99p 555s (1'11p) (7'77m) +2m", "win": "discard",
        "seat": "S", "round": "E", "from": "W",
    });
    let with = |fields: Json| {
        let mut request = base.clone();
        for (key, value) in fields.as_object().unwrap() {
            request[key] = value.clone();
        }
        answer(&request)["error"].as_str().unwrap_or("none").to_owned()
    };
    let others = json!({ "E": "123456789m1234z", "W": "123456789s1234z", "N": "2468p3679s1357z" });
    let mut cases = vec![
        ("none", json!({})),
        ("none", json!({ "others": others })),
        ("bad_request", json!({ "win": "none", "others": others })),
        ("bad_request", json!({ "others": { "E": "1m", "W": "1m" } })),
        ("bad_request", json!({ "others": { "E": "1m", "W": "1m", "S": "1m" } })),
        ("bad_request", json!({ "others": "E" })),
        ("bad_request", json!({ "dead": "X" })),
        ("bad_request", json!({ "win": "nothing" })),
        ("bad_hand", json!({ "win": "none" })),
        ("not_allowed", json!({ "pao": "E" })),
        ("none", json!({ "pao": "W" })),
        ("not_allowed", json!({ "dead": ["S"] })),
        ("none", json!({ "dead": ["E"] })),
        ("not_allowed", json!({ "original_call": true })),
        ("bad_request", json!({ "rules": "hkos", "win": "none" })),
        ("none", json!({ "rules": "hkos", "others": "ignored", "dead": 7 })),
    ];
    for (field, hand) in [("E", "1m +2m"), ("E", "2222m"), ("E", "11f"), ("N", "x")] {
        let mut wrong = others.clone();
        wrong[field] = hand.into();
        cases.push(("bad_hand", json!({ "others": wrong })));
    }
    let mut flowers = others.clone();
    (flowers["E"], flowers["N"]) = ("1f".into(), "1f".into());
    cases.push(("bad_hand", json!({ "others": flowers })));
    for (expected, fields) in cases {
        assert_eq!(with(fields.clone()), expected, "{fields}");
    }
}

/// Set, ruling, hand and how it was won, and for each choice the doublings and the score or the error.
const RULINGS: &str = "
dmjl classical.claimed_kong | 33m 77p [2222s] (4'444s) 999m +7p; S E discard W | concealed 2 216, exposed 1 108
bmja classical.claimed_kong | 33m 77p [2222s] (4'444s) 999m +7p; S E self_draw | exposed 1 116, concealed 2 232
dmjl classical.concealed_claim | 234m 567p 22s 678s 34p +5p; S E discard W | spoils 1 40, allowed 2 80
bmja classical.concealed_claim | 222m 444m 99p 555s 67s +8s; S E discard W | spoils 0 32, allowed 1 64
bmja classical.flower_supplement | 345m (5'55p) 222s (1'11p) 9s 7f +9s; S E self_draw supplement | yes 1 72, no not_allowed
dmjl classical.flower_supplement | 345m (5'55p) 222s (1'11p) 9s 7f +9s; S E self_draw supplement | no not_allowed, yes 1 84
bmja classical.all_green_dragon | 234s 666s 444s 8s (2'22s) +8s; S E discard W | not_needed 10 1000, needed 0 30
dmjl classical.all_green_dragon | 234s 234s 666s 3s (8'88s) +3s; S E discard W | not_needed 10 500, needed 3 224
bmja classical.short_hand | 111m 5567p 3s 55z 89s; S E none | scored 0 10, dead 0 0
dmjl classical.short_hand | 111m 5567p 3s 55z 89s; S E none | scored 0 10, dead 0 0
bmja classical.concealed_special_claim | 1123456789s 234z +1z; N E discard E | allowed 10 1000, refused not_complete
bmja classical.concealed_special_claim | 1112345678999s +5s; N E discard E | allowed 10 1000, refused not_complete
dmjl classical.concealed_special_claim | 1112345678999p +7p; S E discard W | allowed 10 500, refused 3 224
bmja bmja.one_suit | 111z 333s 678s (2'22s) 9s +9s; N E discard W | with_honors 2 136, any 2 136, none 1 68
bmja bmja.one_suit | 333s 678s 555s (2'22s) 9s +9s; N E discard W | with_honors 0 30, any 1 60, none 0 30
bmja bmja.supplement | 345m (5'55p) 222s (1'11p) 9s 7f +9s; S E self_draw supplement | counts 1 72, none 0 36
bmja bmja.special_bonus | 1199m 1199p 11z 44z 5z 14f +5z; N E self_draw | added 10 516, none 10 500
bmja bmja.special_bonus | 1199m 1199p 11z 44z 5z 12345678f +5z; N E self_draw | added 10 1000, none 9 1000
bmja bmja.pairs_four_alike | 1111m 99p 11z 44z 55z 6z +6z; S E self_draw | no not_complete, yes 10 500
bmja bmja.purity | 333s 7s 555s (2'22s) (6'66s) +7s; N E discard W | own_sum 3 256, doublings 4 512
bmja bmja.fishing | 1134557m 113455p; S E none | scored 10 200, none 0 0
bmja bmja.concealed_honors | 222m 444m 99p 555s 67s +8s; S E self_draw | not_needed 1 68, needed 0 34
dmjl dmjl.all_honors | 1z 333z 555z (6'66z) 444z +1z; S S discard W | limit 10 500, two_doublings 7 500
dmjl dmjl.snake_kongs | 345p 22p 67p (1'111p) (9'99p) +8p; S E discard W | allowed 10 500, none 3 320
dmjl dmjl.win_points | 234m 567p 22s 678s 34p +5p; S E discard W | 20 1 40, 10 1 20
";

/// The request of a hand and how it was won.
fn told(text: &str) -> Json {
    let (hand, way) = text.split_once("; ").unwrap();
    let words: Vec<&str> = way.split(' ').collect();
    let mut request = json!({ "hand": hand, "seat": words[0], "round": words[1], "win": words[2] });
    for word in &words[3..] {
        match *word {
            "supplement" => request["supplement"] = true.into(),
            seat => request["from"] = seat.into(),
        }
    }
    request
}

#[test]
fn every_choice_of_every_ruling() {
    let mut tried = std::collections::BTreeSet::new();
    for line in RULINGS.lines().filter(|line| !line.is_empty()) {
        let fields: Vec<&str> = line.split(" | ").collect();
        let (set, ruling) = fields[0].split_once(' ').unwrap();
        let set = format!("classical-{set}");
        let rules = RuleSet::preset(&set).unwrap();
        let known = rules.rulings().iter().find(|known| known.id == ruling).unwrap();
        for (place, expected) in fields[2].split(", ").enumerate() {
            let (choice, expected) = expected.split_once(' ').unwrap();
            let mut request = told(fields[1]);
            request["rules"] = set.clone().into();
            let plain = answer(&request);
            request["rulings"] = json!({ ruling: choice });
            let found = answer(&request);
            let short = |answer: &Json| match answer["error"].as_str() {
                Some(error) => error.to_owned(),
                None => format!(
                    "{} {}",
                    answer["faan"].as_str().unwrap(),
                    answer["score"].as_str().unwrap()
                ),
            };
            assert_eq!(short(&found), expected, "{line}: {choice}\n{found}");
            assert_eq!(place == 0, choice == known.chosen, "{line}: the default stands first");
            if place == 0 {
                assert_eq!(short(&plain), expected, "{line}: without the ruling");
            } else if short(&plain) != expected {
                let effects = plain["rulings"].as_array().unwrap();
                let named = effects.iter().any(|it| it["id"] == ruling && it["choice"] == choice);
                assert!(named || plain["payments"] == found["payments"], "{line}: {plain}");
            }
            tried.insert((set.clone(), ruling.to_owned(), choice.to_owned()));
        }
    }
    for set in ["classical-bmja", "classical-dmjl"] {
        for ruling in RuleSet::preset(set).unwrap().rulings() {
            for choice in &ruling.choices {
                let choice = (set.to_owned(), ruling.id.clone(), choice.clone());
                assert!(tried.contains(&choice), "{choice:?}");
            }
        }
    }
}

#[test]
fn the_steps_of_each_player_add_up_to_his_payment() {
    for line in include_str!("../hands/hands-classical.jsonl").lines() {
        let case: Json = serde_json::from_str(line).unwrap();
        let answer = answer(&case["request"]);
        let Some(payments) = answer["payments"].as_object() else { continue };
        for (seat, paid) in payments.iter().filter(|(seat, _)| **seat != case["request"]["seat"]) {
            let steps = answer["steps"].as_array().unwrap().iter();
            let own = steps.filter(|step| step["seat"] == **seat);
            let sum: i64 =
                own.map(|it| it["amount"].as_str().unwrap().parse::<i64>().unwrap()).sum();
            assert_eq!(paid.as_str().unwrap(), (-sum).to_string(), "{seat} of {line}");
        }
    }
}

#[test]
fn a_house_file_lies_on_top() {
    let house = "extends = \"classical-bmja\"\nid = \"our-club\"\n[doubling]\nmost = 2000\n\
        [points]\nmah_jong = 30\n[items.no_chows]\nvalue = 2\n";
    let library =
        Library::new(Box::new(|name| (name == "club.toml").then(|| Ok(house.to_owned()))));
    let request = json!({
        "rules": "club.toml", "hand": "22m 99p 555s (1'11p) (7'77m) +2m", "win": "discard",
        "seat": "S", "round": "E", "from": "W",
    });
    let answer = serde_json::to_value(library.answer(&request.to_string(), true)).unwrap();
    assert_eq!(answer["score"], "168", "{answer}");
}

/// A tile's text.
fn name(tile: usize) -> String {
    format!("{}{}", tile % 9 + 1, ["m", "p", "s", "z"][tile / 9])
}

fn text(hand: &Tiles, winning: Option<usize>) -> String {
    let mut concealed = hand.concealed.clone();
    if let Some(winning) = winning {
        concealed.remove(concealed.iter().position(|tile| *tile == winning).unwrap());
    }
    let mut parts: Vec<String> = vec![concealed.into_iter().map(name).collect()];
    for set in &hand.laid {
        let mut digits: Vec<String> = set.tiles.iter().map(|t| (t % 9 + 1).to_string()).collect();
        digits.iter_mut().take(set.marks).for_each(|digit| digit.push('\''));
        let suit = ["m", "p", "s", "z"][set.tiles[0] / 9];
        let (open, close) = if set.back { ("[", "]") } else { ("(", ")") };
        parts.push(format!("{open}{}{suit}{close}", digits.concat()));
    }
    parts.extend(hand.flowers.iter().map(|flower| format!("{}f", flower + 1)));
    parts.extend(winning.map(|tile| format!("+{}", name(tile))));
    parts.join(" ")
}

/// Faces that sets are made of: all, one suit, one suit and honors, majors, honors, greens, terminals.
fn palette(dice: &mut Dice) -> Vec<usize> {
    let suit = 9 * dice.below(3);
    let one: Vec<usize> = (suit..suit + 9).collect();
    let honors: Vec<usize> = (27..34).collect();
    match dice.below(10) {
        0 => one,
        1 => [one, honors].concat(),
        2 => [vec![0, 8, 9, 17, 18, 26], honors].concat(),
        3 => honors,
        4 => vec![19, 20, 21, 23, 25, 32],
        5 => vec![0, 8, 9, 17, 18, 26],
        6 => [honors, vec![suit, suit + 1, suit + 2, suit + 8]].concat(),
        _ => (0..34).collect(),
    }
}

/// Sets and a pair of a palette, some laid apart.
fn sets_hand(dice: &mut Dice) -> Tiles {
    let palette = palette(dice);
    let (chows, laid) = ([0, 10, 30, 70][dice.below(4)], [0, 20, 60][dice.below(3)]);
    let kongs = [0, 30, 100][dice.below(3)];
    let mut hand = Tiles::default();
    for _ in 0..4 {
        let face = palette[dice.below(palette.len())];
        let run = face < 27 && face % 9 < 7 && dice.chance(chows);
        let mut tiles = if run { vec![face, face + 1, face + 2] } else { vec![face; 3] };
        let kong = !run && dice.chance(kongs) && dice.chance(40);
        if kong {
            tiles.push(face);
        }
        let apart = dice.chance(laid);
        if apart || kong {
            let back = kong && dice.chance(50);
            let marks = if back { 0 } else { dice.below(if kong { 3 } else { 2 }) };
            hand.laid.push(Laid { tiles, back, marks });
        } else {
            hand.concealed.extend(tiles);
        }
    }
    let pair = palette[dice.below(palette.len())];
    hand.concealed.extend([pair, pair]);
    hand
}

/// Fourteen tiles of a special form.
fn special_hand(dice: &mut Dice) -> Tiles {
    let suit = 9 * dice.below(3);
    let majors: Vec<usize> = (0..34).filter(|t| *t >= 27 || t % 9 == 0 || t % 9 == 8).collect();
    let mut tiles: Vec<usize> = Vec::new();
    match dice.below(6) {
        0 => {
            tiles.extend([0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8].map(|number| suit + number));
            tiles.push(suit + dice.below(9));
        }
        1 => {
            tiles.extend([0, 0, 1, 2, 3, 4, 5, 6, 7, 8].map(|number| suit + number));
            tiles.extend(27..31);
        }
        2 => {
            tiles.extend(&majors);
            tiles.push(majors[dice.below(13)]);
        }
        3 => {
            for _ in 0..7 {
                let major = majors[dice.below(13)];
                tiles.extend([major, major]);
            }
        }
        4 => {
            let other = (suit + 9) % 27;
            for _ in 0..7 {
                let number = dice.below(9);
                tiles.extend([suit + number, other + number]);
            }
        }
        _ => {
            for _ in 0..4 {
                let number = dice.below(9);
                tiles.extend([number, 9 + number, 18 + number]);
            }
            let (number, other) = (dice.below(9), (suit + 9) % 27);
            tiles.extend([suit + number, other + number]);
        }
    }
    Tiles { concealed: tiles, ..Tiles::default() }
}

fn held(hand: &Tiles) -> [u8; 34] {
    let mut held = [0; 34];
    let laid = hand.laid.iter().flat_map(|set| &set.tiles);
    hand.concealed.iter().chain(laid).for_each(|tile| held[*tile] += 1);
    held
}

fn winning_hand(dice: &mut Dice) -> Tiles {
    loop {
        let mut hand = if dice.chance(25) { special_hand(dice) } else { sets_hand(dice) };
        // Now and then a hand that is one tile off.
        if dice.chance(4) {
            hand.concealed[0] = dice.below(34);
        }
        if held(&hand).iter().all(|held| *held <= 4) {
            return hand;
        }
    }
}

/// A hand that has not won: a complete one less a tile, loose tiles, too many or too few.
fn losing_hand(dice: &mut Dice) -> Tiles {
    loop {
        let hand = any_losing_hand(dice);
        if held(&hand).iter().all(|held| *held <= 4) {
            return hand;
        }
    }
}

fn any_losing_hand(dice: &mut Dice) -> Tiles {
    let mut hand = winning_hand(dice);
    if dice.chance(30) {
        let loose = dice.below(hand.concealed.len());
        for _ in 0..loose {
            let place = dice.below(hand.concealed.len());
            hand.concealed[place] = dice.below(34);
        }
    }
    let out = match dice.below(20) {
        0 => 0,
        1 => 2,
        _ => 1,
    };
    for _ in 0..out {
        hand.concealed.remove(dice.below(hand.concealed.len()));
    }
    hand
}

/// Hands that could lie on one table: no more than four of a tile, no flower twice.
fn fits(hands: &[Tiles]) -> bool {
    (0..34).all(|tile| hands.iter().map(|hand| held(hand)[tile]).sum::<u8>() <= 4)
}

fn deal_flowers(dice: &mut Dice, hands: &mut [Tiles]) {
    let share = [0, 1, 3][dice.below(3)];
    for flower in 0..8 {
        if dice.below(4) < share {
            let hand = dice.below(hands.len());
            hands[hand].flowers.push(flower);
        }
    }
}

const SEATS: [&str; 4] = ["E", "S", "W", "N"];

/// How it was won, without contradictions.
fn way(dice: &mut Dice, hand: &Tiles, flower_supplement: bool) -> Way {
    let (seat, round) = (dice.below(4), dice.below(4));
    let winning = hand.concealed[dice.below(hand.concealed.len())];
    let from = (seat + 1 + dice.below(3)) % 4;
    let alone = held(hand)[winning] == 1;
    let win = match dice.below(10) {
        0..4 => "self_draw",
        4 if alone => "rob_kong",
        _ => "discard",
    };
    let kongs = hand.laid.iter().filter(|set| set.tiles.len() == 4).count();
    let claimed = hand.laid.iter().filter(|set| !set.back).count();
    let mut flags = Vec::new();
    let mut add = |name: &'static str, may: bool, percent: usize, dice: &mut Dice| {
        if may && dice.chance(percent) {
            flags.push(name);
        }
    };
    let replaced = kongs > 0 || flower_supplement && !hand.flowers.is_empty();
    add("supplement", win == "self_draw" && replaced, 25, dice);
    add("kong_on_kong", win == "self_draw" && kongs > 1, 5, dice);
    add("original_call", claimed <= 1, 10, dice);
    add("ninth_east_win", true, 2, dice);
    let first = claimed == 0 && (win == "self_draw") == (seat == 0) && win != "rob_kong";
    if first && dice.chance(3) {
        flags.push("first_turn");
    } else if dice.chance(10) {
        flags.push("last_tile");
    }
    let from = (win != "self_draw").then_some(from);
    Way { seat, round, win, from, flags, winning }
}

fn request(set: &str, rulings: &BTreeMap<String, String>, hand: String) -> Json {
    json!({ "rules": set, "hand": hand, "rulings": rulings })
}

fn worth_json(worth: &Worth) -> Json {
    let items: Vec<Json> = (worth.items.iter())
        .map(|(id, value, unit, fishing)| {
            let mut item = json!({ "id": id, "value": value.to_string(), "unit": unit });
            if *fishing {
                item["fishing"] = true.into();
            }
            item
        })
        .collect();
    let mut found = json!({
        "items": items, "faan": worth.faan.to_string(), "score": worth.score.to_string(),
    });
    if let Some(points) = worth.points {
        let each = |(id, value): &(String, u64)| json!({ "id": id, "value": value.to_string() });
        found["points"] = points.into();
        found["point_items"] = worth.point_items.iter().map(each).collect();
    }
    found
}

/// Random choices of a rule set's rulings, few of them so that each is compiled once.
fn choices(dice: &mut Dice, set: &str) -> Vec<BTreeMap<String, String>> {
    let rules = RuleSet::preset(set).unwrap();
    let mut all = vec![BTreeMap::new()];
    for _ in 0..60 {
        let some = rules.rulings().iter().filter(|_| dice.chance(25)).collect::<Vec<_>>();
        let pick = |ruling: &tilelens::rules::Ruling, dice: &mut Dice| {
            (ruling.id.clone(), ruling.choices[dice.below(ruling.choices.len())].clone())
        };
        all.push(some.into_iter().map(|ruling| pick(ruling, dice)).collect());
    }
    all
}

/// One random request and its expected answer.
fn random_case(dice: &mut Dice, set: &str, rulings: &BTreeMap<String, String>) -> (Json, Json) {
    let rules = Rules { bmja: set == "classical-bmja", rulings };
    let seats = |dice: &mut Dice| -> Vec<usize> { (0..4).filter(|_| dice.chance(50)).collect() };
    let listed = |seats: &[usize]| -> Vec<&str> { seats.iter().map(|s| SEATS[*s]).collect() };
    if dice.chance(30) {
        let mut hand = losing_hand(dice);
        deal_flowers(dice, std::slice::from_mut(&mut hand));
        let (seat, round, fishing) = (dice.below(4), dice.below(4), seats(dice));
        let mut request = request(set, rulings, text(&hand, None));
        request["win"] = "none".into();
        request["seat"] = SEATS[seat].into();
        request["round"] = SEATS[round].into();
        if dice.chance(30) {
            request["fishing"] = json!(listed(&fishing));
        }
        let fishes = request["fishing"].is_null() || fishing.contains(&seat);
        let mut expected = worth_json(&rules.loser(&hand, seat, round, false, fishes));
        expected["ok"] = true.into();
        return (request, expected);
    }
    let four = dice.chance(60);
    let mut hands = loop {
        let mut hands = vec![winning_hand(dice)];
        if four {
            hands.extend((0..3).map(|_| losing_hand(dice)));
        }
        if fits(&hands) {
            break hands;
        }
    };
    deal_flowers(dice, &mut hands);
    let default = if rules.bmja { "yes" } else { "no" };
    let replaces = rulings.get("classical.flower_supplement").map_or(default, String::as_str);
    let way = way(dice, &hands[0], replaces == "yes");
    let mut request = request(set, rulings, text(&hands[0], Some(way.winning)));
    request["win"] = way.win.into();
    request["seat"] = SEATS[way.seat].into();
    request["round"] = SEATS[way.round].into();
    way.flags.iter().for_each(|flag| request[*flag] = true.into());
    if let Some(from) = way.from {
        request["from"] = SEATS[from].into();
    }
    let liable = way.from.filter(|_| dice.chance(8));
    if let Some(liable) = liable {
        request["pao"] = SEATS[liable].into();
    }
    let Some(worth) = rules.winner(&hands[0], &way) else {
        return (request, json!({ "ok": false, "error": "not_complete" }));
    };
    let mut expected = worth_json(&worth);
    let mut scores = [0; 4];
    scores[way.seat] = worth.score;
    if four {
        let losers: Vec<usize> = (0..4).filter(|seat| *seat != way.seat).collect();
        let (dead, fishing) = (seats(dice), seats(dice));
        let dead: Vec<usize> =
            dead.into_iter().filter(|seat| *seat != way.seat && dice.chance(15)).collect();
        let (mut others, mut told) = (json!({}), json!({}));
        let tells = dice.chance(30);
        for (seat, hand) in losers.iter().zip(&hands[1..]) {
            others[SEATS[*seat]] = text(hand, None).into();
            let fishes = !tells || fishing.contains(seat);
            let worth = rules.loser(hand, *seat, way.round, dead.contains(seat), fishes);
            scores[*seat] = worth.score;
            told[SEATS[*seat]] = worth_json(&worth);
        }
        request["others"] = others;
        if tells {
            request["fishing"] = json!(listed(&fishing));
        }
        if !dead.is_empty() {
            request["dead"] = json!(listed(&dead));
        }
        expected["hands"] = told;
    }
    let paid = naive_classical::payments(way.seat, scores, four, liable);
    assert_eq!(paid.iter().sum::<i64>(), 0);
    expected["payments"] =
        SEATS.iter().zip(paid).map(|(seat, amount)| (*seat, amount.to_string())).collect();
    expected["ok"] = true.into();
    (request, expected)
}

/// Random requests on which the naive scorer and the program must agree.
fn agree(set: &str, seed: u64) {
    let mut dice = Dice(seed);
    let choices = choices(&mut dice, set);
    let (mut wrong, mut won) = (Vec::new(), 0);
    for _ in 0..20_000 {
        let rulings =
            if dice.chance(30) { &choices[0] } else { &choices[dice.below(choices.len())] };
        let (request, expected) = random_case(&mut dice, set, rulings);
        let answer = serde_json::to_value(LIBRARY.answer(&request.to_string(), true)).unwrap();
        won += usize::from(expected["payments"].is_object());
        let found = sorted(like(&answer, &expected));
        if found != sorted(expected.clone()) {
            wrong.push(format!("{request}\n  expected {expected}\n  found {answer}"));
        }
    }
    assert!(won > 8_000, "{won} of the hands won");
    let some = wrong.iter().take(4).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} wrong:\n{some}", wrong.len());
}

#[test]
fn a_naive_scorer_agrees_on_british_rules() {
    agree("classical-bmja", 11);
}

#[test]
fn a_naive_scorer_agrees_on_german_rules() {
    agree("classical-dmjl", 12);
}
