//! Requests of riichi and of the Mahjong Competition Rules through the JSON that other programs speak:
//! the refusals and their order, the answer's contents, and mistakes that public programs make.

use std::sync::LazyLock;

use serde_json::{Map, Value as Json, json};
use tilelens::rules::Library;

const PLAIN: &str = "234m567m34p678s99s +5p";
const OPEN: &str = "567m34p678s99s (2'34m) +5p";
const KONG: &str = "234m34p678s99s [9999p] +5p";
const NO_YAKU: &str = "222m567m34p678s11z +5p";
const NOT_COMPLETE: &str = "234m567m34p678s99s +6p";

/// Rule sets are made once: each has dozens of alternatives to explain.
static LIBRARY: LazyLock<Library> = LazyLock::new(Library::default);

/// The answer to a self-draw of South's, changed as `changes` says.
fn answer(rules: &str, hand: &str, changes: &Json) -> Json {
    let mut request = Map::new();
    for (field, value) in [("rules", rules), ("hand", hand), ("seat", "S"), ("round", "E")] {
        request.insert(field.to_owned(), json!(value));
    }
    request.insert("win".to_owned(), json!("self_draw"));
    for (field, value) in changes.as_object().expect("an object") {
        request.insert(field.clone(), value.clone());
    }
    let answer = LIBRARY.answer(&Json::Object(request).to_string(), false);
    serde_json::to_value(&answer).expect("an answer is JSON")
}

/// The kind of error, or `ok`, of such a request.
pub fn kind(rules: &str, hand: &str, changes: &Json) -> String {
    answer(rules, hand, changes)["error"].as_str().unwrap_or("ok").to_owned()
}

/// The ids of a list of the answer, such as `items`.
fn listed<'a>(answer: &'a Json, list: &str) -> Vec<&'a str> {
    let items = answer[list].as_array().map(Vec::as_slice).unwrap_or_default();
    items.iter().filter_map(|item| item["id"].as_str()).collect()
}

fn ids(answer: &Json) -> Vec<&str> {
    listed(answer, "items")
}

fn discard(more: &Json) -> Json {
    let mut changes = json!({"win": "discard", "from": "W"});
    for (field, value) in more.as_object().expect("an object") {
        changes[field] = value.clone();
    }
    changes
}

#[test]
fn each_contradiction_of_riichi_is_refused_and_its_near_miss_is_not() {
    let riichi = || json!({"riichi": true});
    let cases = [
        (OPEN, riichi(), PLAIN, riichi()),
        (OPEN, json!({"double_riichi": true}), PLAIN, json!({"double_riichi": true})),
        (OPEN, json!({"first_draw": true}), PLAIN, json!({"first_draw": true})),
        (KONG, json!({"first_draw": true}), KONG, riichi()),
        (PLAIN, json!({"ippatsu": true}), PLAIN, json!({"riichi": true, "ippatsu": true})),
        (
            PLAIN,
            json!({"ura_indicators": "1z"}),
            PLAIN,
            json!({"riichi": true, "ura_indicators": "1z"}),
        ),
        (
            KONG,
            json!({"riichi": true, "ippatsu": true, "supplement": true}),
            KONG,
            json!({"riichi": true, "supplement": true}),
        ),
        (PLAIN, json!({"first_draw": true, "last_tile": true}), PLAIN, json!({"last_tile": true})),
        (PLAIN, discard(&json!({"first_draw": true})), PLAIN, discard(&json!({}))),
        (PLAIN, json!({"riichi": true, "first_draw": true}), PLAIN, json!({"first_draw": true})),
        (
            PLAIN,
            discard(&json!({"riichi": true, "first_turn": true})),
            PLAIN,
            discard(&json!({"riichi": true})),
        ),
        (PLAIN, json!({"supplement": true}), KONG, json!({"supplement": true})),
    ];
    for (hand, refused, near, allowed) in cases {
        assert_eq!(kind("riichi", hand, &refused), "not_allowed", "{hand} {refused}");
        assert_eq!(kind("riichi", near, &allowed), "ok", "{near} {allowed}");
        // Sets that do not know these fields ignore them.
        if refused.get("supplement").is_none() && refused.get("first_turn").is_none() {
            assert_ne!(kind("mmm", hand, &refused), "not_allowed", "{hand} {refused}");
        }
    }
}

#[test]
fn wrong_values_are_bad_requests_where_the_field_is_known() {
    let wrong = [
        json!({"riichi": "yes"}),
        json!({"honba": 100}),
        json!({"honba": -1}),
        json!({"sticks": "2"}),
        json!({"dora_indicators": ""}),
        json!({"dora_indicators": "1m2m3m4m5m6m"}),
        json!({"dora_indicators": "9"}),
        json!({"dora_indicators": "1f"}),
        json!({"dora_indicators": "(1'23m)"}),
        json!({"ura_indicators": 5}),
        json!({"rulings": {"riichi.renhou": "perhaps"}}),
    ];
    for changes in wrong {
        assert_eq!(kind("riichi-ema", PLAIN, &changes), "bad_request", "{changes}");
        if changes.get("rulings").is_none() {
            assert_eq!(kind("mcr", PLAIN, &changes), kind("mcr", PLAIN, &json!({})), "{changes}");
        }
    }
    assert_eq!(
        kind("riichi-ema", PLAIN, &json!({"honba": 99, "dora_indicators": "1m2m3m4m6m"})),
        "ok"
    );
}

#[test]
fn errors_come_in_the_order_of_the_format() {
    let five = json!({"dora_indicators": "2m2m2m2m", "ippatsu": true});
    assert_eq!(kind("riichi", PLAIN, &five), "bad_hand", "five 2m with the indicators");
    assert_eq!(kind("riichi", PLAIN, &json!({"dora_indicators": "2m2m2m"})), "ok");
    assert_eq!(kind("riichi", "234m067m340p678s99s +5p", &json!({})), "bad_hand", "15 tiles");
    assert_eq!(kind("riichi", "234m067m30p678s99s +0p", &json!({})), "bad_hand", "two red fives");
    assert_eq!(
        kind("riichi", "234m067m34p678s99s +0p", &json!({"dora_indicators": "0m"})),
        "bad_hand"
    );
    assert_eq!(kind("mmm", "234m567m00p678s99s +5p", &json!({})), "ok", "fives there");
    assert_eq!(kind("riichi", "234m567m34p678s99s 1f +5p", &json!({})), "bad_hand");
    assert_eq!(kind("riichi", NOT_COMPLETE, &json!({"ippatsu": true})), "not_allowed");
    assert_eq!(kind("riichi", NOT_COMPLETE, &json!({})), "not_complete");
    assert_eq!(
        kind("riichi", NO_YAKU, &discard(&json!({"dora_indicators": "1m1m"}))),
        "below_minimum"
    );
}

#[test]
fn complete_without_a_yaku_differs_from_not_complete() {
    let answer = answer("riichi", NO_YAKU, &discard(&json!({"dora_indicators": "1m"})));
    assert_eq!(
        (answer["error"].as_str(), answer["faan"].as_str()),
        (Some("below_minimum"), Some("0"))
    );
}

#[test]
fn red_fives_stay_in_the_answer() {
    let answer_of = |hand: &str| answer("riichi", hand, &json!({}));
    let found = answer_of("234m067m34p678s99s +0p");
    assert_eq!(found["arrangement"], "234m 067m +340p 678s 99s");
    let red =
        found["items"].as_array().unwrap().iter().find(|item| item["id"] == "red_five").unwrap();
    assert_eq!((red["value"].as_str(), red["tiles"].as_str()), (Some("2"), Some("0m0p")));
    // Of three fives the winning one is ordinary.
    let found = answer_of("345m05p678s345s88m +5p");
    assert!(found["arrangement"].as_str().unwrap().contains("+055p"), "{found}");
    let found = answer("riichi", "34p67888s (2'34m) (50'5m) +5p", &json!({}));
    assert!(found["arrangement"].as_str().unwrap().contains("(50'5m)"), "{found}");
    // Where red fives are not played they are fives.
    let found = answer("mmm", "234m067m34p678s99s +0p", &json!({}));
    assert_eq!(found["arrangement"], "234m 567m +345p 678s 99s");
}

#[test]
fn sticks_are_in_the_answer_and_no_payment() {
    let found = answer("riichi-ema", PLAIN, &discard(&json!({"sticks": 2, "honba": 1})));
    assert_eq!(found["sticks"], "2000");
    assert_eq!(found["payments"], json!({"E": "0", "S": "1300", "W": "-1300", "N": "0"}));
    assert_eq!(answer("riichi-ema", PLAIN, &discard(&json!({})))["sticks"], Json::Null);
    assert_eq!(answer("riichi-ema", PLAIN, &discard(&json!({"sticks": 0})))["sticks"], "0");
}

#[test]
fn a_hundred_and_twenty_fu_and_more() {
    // Three concealed kongs of terminals 96, winning 20, self-drawn 2: 118.
    let found = answer("riichi", "34p55s [1111m] [9999s] [9999m] +5p", &json!({}));
    assert_eq!(found["points"], 120);
    // 96, 20, 10 for the concealed hand, the wait 2, the pair 2: 130.
    let found = answer("riichi", "46p55z [1111m] [9999s] [9999m] +5p", &discard(&json!({})));
    assert_eq!(found["points"], 130);
    // Seven pairs always 25, pinfu self-drawn 20.
    let found = answer("riichi", "1122m3355p7799s1z +1z", &json!({}));
    assert_eq!(found["points"], 25);
    assert_eq!(answer("riichi", PLAIN, &json!({}))["points"], 20);
}

#[test]
fn yakuman_and_renhou_have_no_fu() {
    let yakuman = answer(
        "riichi",
        "19m19p1s12345677z +9s",
        &json!({"riichi": true, "dora_indicators": "4z"}),
    );
    assert_eq!(ids(&yakuman), ["kokushi"]);
    assert_eq!(yakuman["items"][0]["unit"], "yakuman");
    assert_eq!((&yakuman["faan"], &yakuman["points"]), (&json!("13"), &Json::Null));
    let renhou = answer("riichi-ema", PLAIN, &discard(&json!({"first_turn": true})));
    assert_eq!(ids(&renhou), ["renhou"]);
    assert_eq!(renhou["items"][0]["unit"], "han");
    assert_eq!((&renhou["faan"], &renhou["points"]), (&json!("5"), &Json::Null));
}

#[test]
fn one_yakuman_is_the_dearest_then_the_first_of_the_table() {
    let hand = "5z (1'11z) (22'2z) (33'3z) (444'z) +5z";
    assert_eq!(ids(&answer("riichi-ema", hand, &json!({}))), ["daisuushii"]);
    assert_eq!(ids(&answer("riichi", hand, &json!({}))), ["daisuushii", "tsuuiisou"]);
    let dearest =
        json!({"rulings": {"riichi.double_yakuman": "all"}, "first_turn": true, "seat": "E"});
    let found = answer("riichi-ema", "111m444p777s999s5z +5z", &dearest);
    assert_eq!(ids(&found), ["suuankou_tanki"], "not the blessing of heaven, which stands first");
}

#[test]
fn dora_do_not_count_towards_the_minimum() {
    let no_yaku = discard(&json!({"dora_indicators": "1m1m1m"}));
    assert_eq!(kind("riichi", NO_YAKU, &no_yaku), "below_minimum");
    let flowers = "4p (7'68p) (8'67p) (55'5s) (7'68s) 1234f +4p";
    let found = answer("mcr", flowers, &json!({}));
    assert_eq!((&found["error"], &found["faan"]), (&json!("below_minimum"), &json!("7")));
}

#[test]
fn the_answer_says_what_was_left_out_and_what_rulings_change() {
    let found = answer("mcr", "222m666p888s44z55z +4z", &json!({}));
    let left = listed(&found, "left_out");
    for id in ["all_pungs", "fully_concealed_hand"] {
        assert!(left.contains(&id), "{id} of {left:?}");
    }
    let found = answer("mcr", "234s22344567p88m +3p", &json!({}));
    let left = listed(&found, "left_out");
    assert!(!left.contains(&"mixed_double_chow"), "two of it could be, one is: {left:?}");
    let red = answer("riichi", "234m067m34p678s99s +5p", &discard(&json!({})));
    let rulings = red["rulings"].as_array().unwrap();
    let none = rulings.iter().find(|effect| effect["id"] == "riichi.red_fives").unwrap();
    assert_eq!((&none["choice"], &none["payments"]["S"]), (&json!("none"), &json!("1000")));
}

#[test]
fn the_same_request_has_the_same_answer() {
    let changes = json!({"riichi": true, "dora_indicators": "1m", "ura_indicators": "2m"});
    let once = answer("riichi", "11m345567m456p67s +5s", &changes);
    for _ in 0..20 {
        assert_eq!(answer("riichi", "11m345567m456p67s +5s", &changes), once);
    }
}
