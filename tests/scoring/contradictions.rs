//! Circumstances that contradict each other or the hand: each refused, its near miss allowed.

use serde_json::json;

use crate::declared::kind;

const PLAIN: &str = "123m456m789p23s55s +4s";
const KONG: &str = "123m456m23s55s [9999p] +4s";
const TWO_KONGS: &str = "123m23s55s [9999p] [1111z] +4s";
const CLAIMED: &str = "123m456m23s55s (7'89p) +4s";
const PUNG: &str = "123m456m789p44s55s +4s";
const IN_SET: &str = "123m456m23s55s (4'56s) +4s";
const FLOWER: &str = "123m456m789p23s55s 3f +4s";

#[test]
fn each_contradiction_is_refused_and_its_near_miss_is_not() {
    let table = [
        (
            "from the winner himself",
            PLAIN,
            json!({"win": "discard", "from": "S"}),
            PLAIN,
            json!({"win": "discard", "from": "E"}),
        ),
        ("from with a self-draw", PLAIN, json!({"from": "E"}), PLAIN, json!({})),
        (
            "a claimed supplement",
            KONG,
            json!({"win": "discard", "from": "E", "supplement": true}),
            KONG,
            json!({"supplement": true}),
        ),
        (
            "a supplement without a kong",
            PLAIN,
            json!({"supplement": true}),
            KONG,
            json!({"supplement": true}),
        ),
        (
            "kong on kong with one",
            KONG,
            json!({"kong_on_kong": true}),
            TWO_KONGS,
            json!({"kong_on_kong": true}),
        ),
        (
            "claimed kong on kong",
            TWO_KONGS,
            json!({"win": "discard", "from": "E", "kong_on_kong": true}),
            TWO_KONGS,
            json!({"kong_on_kong": true}),
        ),
        (
            "robbing a tile held too",
            PUNG,
            json!({"win": "rob_kong", "from": "E"}),
            PUNG,
            json!({"win": "discard", "from": "E"}),
        ),
        (
            "robbing a tile shown too",
            IN_SET,
            json!({"win": "rob_kong", "from": "E"}),
            PLAIN,
            json!({"win": "rob_kong", "from": "E"}),
        ),
        (
            "visible to all, one concealed",
            PUNG,
            json!({"last_visible": true}),
            IN_SET,
            json!({"last_visible": true}),
        ),
        (
            "safe and self-drawn",
            PLAIN,
            json!({"safe": true}),
            PLAIN,
            json!({"win": "discard", "from": "E", "safe": true}),
        ),
        (
            "safe and robbed",
            PLAIN,
            json!({"win": "rob_kong", "from": "E", "safe": true}),
            PLAIN,
            json!({"win": "rob_kong", "from": "E"}),
        ),
        (
            "first turn after a claim",
            CLAIMED,
            json!({"win": "discard", "from": "E", "first_turn": true}),
            KONG,
            json!({"win": "discard", "from": "E", "first_turn": true}),
        ),
        (
            "first and last",
            PLAIN,
            json!({"seat": "E", "first_turn": true, "last_tile": true}),
            PLAIN,
            json!({"seat": "E", "first_turn": true}),
        ),
        (
            "East's first turn on a discard",
            PLAIN,
            json!({"seat": "E", "win": "discard", "from": "W", "first_turn": true}),
            PLAIN,
            json!({"seat": "E", "first_turn": true}),
        ),
        (
            "another's first turn self-drawn",
            PLAIN,
            json!({"first_turn": true}),
            PLAIN,
            json!({"win": "discard", "from": "E", "first_turn": true}),
        ),
        (
            "another's first turn by robbing",
            PLAIN,
            json!({"win": "rob_kong", "from": "E", "first_turn": true}),
            PLAIN,
            json!({"win": "discard", "from": "W", "first_turn": true}),
        ),
    ];
    for (what, hand, changes, near_hand, near) in &table {
        for rules in ["mmm", "mmm-dk", "ims", "hkos", "chumchu"] {
            assert_eq!(kind(rules, hand, changes), "not_allowed", "{what}, {rules}");
            assert_ne!(kind(rules, near_hand, near), "not_allowed", "near {what}, {rules}");
        }
    }
}

#[test]
fn a_flower_may_give_the_supplement_where_it_counts() {
    let supplement = json!({"supplement": true});
    assert_eq!(kind("ims", FLOWER, &supplement), "ok");
    assert_eq!(kind("hkos", FLOWER, &supplement), "ok");
    let ignored = json!({"supplement": true, "rulings": {"hkos.flowers": "not_used"}});
    assert_eq!(kind("hkos", FLOWER, &ignored), "not_allowed");
    assert_eq!(kind("mmm", FLOWER, &supplement), "bad_hand", "no flowers there at all");
}

#[test]
fn three_players_are_chumchus() {
    let three = json!({"players": 3, "minimum": 0});
    assert_eq!(kind("chumchu", PLAIN, &three), "ok");
    for rules in ["mmm", "mmm-dk", "ims", "hkos"] {
        assert_eq!(kind(rules, PLAIN, &three), "not_allowed", "{rules}");
    }
    let north = json!({"players": 3, "minimum": 0, "seat": "N"});
    assert_eq!(kind("chumchu", PLAIN, &north), "not_allowed");
    let from_north = json!({"players": 3, "minimum": 0, "win": "discard", "from": "N"});
    assert_eq!(kind("chumchu", PLAIN, &from_north), "not_allowed");
    assert_eq!(kind("chumchu", CLAIMED, &three), "not_allowed", "no chow is claimed");
    assert_eq!(kind("chumchu", "123m456m23s55s (7'77p) +4s", &three), "ok", "a pung is");
}

#[test]
fn the_first_error_of_the_list_is_reported() {
    let both = json!({"from": "E"});
    assert_eq!(kind("mmm", "11111m456m789p23s +4s", &both), "bad_hand");
    assert_eq!(kind("mmm", FLOWER, &both), "bad_hand");
    assert_eq!(kind("nobody", "zzz", &both), "bad_request");
    assert_eq!(kind("mmm", "zzz", &json!({"rulings": {"mmm.major_points": "x"}})), "bad_request");
    assert_eq!(kind("mmm", "123m456m789p23s55s +9s", &both), "not_allowed");
    assert_eq!(kind("mmm", "123m456m789p23s55s +9s", &json!({})), "not_complete");
    assert_eq!(
        kind("mmm", PLAIN, &json!({"rulings": {"hkos.flowers": "not_used"}})),
        "ok",
        "another set's"
    );
    assert_eq!(kind("mmm", PLAIN, &json!({"rulings": {"hkos.flowers": "maybe"}})), "bad_request");
}
