//! A table of four players under one camera, served: the owners of tiles, hand cameras, the
//! ledger gets to know.

use std::{path::Path, process::Command};

use crate::support::served::{Served, four_players, table_path, tilelens};
use serde_json::{Value, json};

fn all_seen(state: &Value) -> bool {
    state["seats"]["E"]["shows"] == "hand" && state["seats"]["N"]["shows"] == "sets"
}

/// `calibrate table` with the corners of the truth, and a folder with the picture.
fn calibrated(folder: &Path) -> (String, Value) {
    let (picture, truth) = four_players();
    let profile = folder.join("table.toml").to_str().unwrap().to_owned();
    let corners: Vec<String> = (truth["corners"].as_array().unwrap().iter())
        .map(|corner| format!("{},{}", corner[0], corner[1]))
        .collect();
    let mut arguments = vec!["calibrate", "table", &picture, "--out", &profile, "--corners"];
    arguments.extend(corners.iter().map(String::as_str));
    tilelens(&arguments);
    let seen = folder.join("seen");
    std::fs::create_dir(&seen).unwrap();
    std::fs::copy(&picture, seen.join("table.jpg")).unwrap();
    (format!("{profile}={}", seen.display()), truth)
}

#[test]
fn each_player_is_read_from_his_own_side() {
    let folder = tempfile::tempdir().unwrap();
    let (source, truth) = calibrated(folder.path());
    let served = Served::start(&["live", "--port", "0", "--source", &source]);
    let state = served.until(all_seen);
    for (seat, expected) in truth["seats"].as_object().unwrap() {
        let seen = &state["seats"][seat];
        let text = expected["text"].as_str().unwrap();
        // Notation groups tiles of a suit.
        let same: tilelens::hand::Reading = text.parse().unwrap();
        assert_eq!(seen["hand"]["text"], same.to_string(), "{seat}");
        let discards: String =
            seen["discards"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert_eq!(discards, expected["discards"].as_str().unwrap(), "{seat}");
        assert_eq!(seen["discards_known"], true, "{seat}");
    }
    let waits = |seat: &str| {
        let waits = state["seats"][seat]["waits"].as_array().unwrap().clone();
        waits.iter().map(|wait| wait["tile"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(waits("W"), ["2z"], "all 13 are seen");
    assert_eq!(waits("S"), [""; 0], "his hand stands");
    // East won on West's 9s; then North is said to have won, whose hand is upright.
    let won = served.post("api/context", &json!({ "win": "discard", "from": "W" })).json();
    assert_eq!(won["reading"]["score"]["ok"], true, "{}", won["reading"]);
    assert_eq!(won["reading"]["tiles"].as_array().unwrap().len(), 71, "every tile is listed");
    let other = served.post("api/context", &json!({ "seat": "N" })).json();
    assert_eq!(other["reading"]["hand"], Value::Null);
    // The deal passes: the former South is East now, and the tiles there are his.
    let passed = served.post("api/context", &json!({ "dealer": "S", "win": null })).json();
    assert_eq!(passed["seats"]["N"]["hand"], state["seats"]["E"]["hand"]);
    assert_eq!(passed["seats"]["N"]["place"], "E");
}

#[test]
fn discards_that_a_camera_saw_bind_the_winner() {
    let folder = tempfile::tempdir().unwrap();
    let (source, _) = calibrated(folder.path());
    let ledger = folder.path().join("evening.tlg").to_str().unwrap().to_owned();
    tilelens(&["table", "new", &ledger, "--rules", "mmm", "--players", "Ann,Bo,Cy,Di"]);
    let served = Served::start(&["live", "--port", "0", "--source", &source, "--ledger", &ledger]);
    served.until(all_seen);
    // Nobody has to be asked whether the 9s had been discarded: the camera has seen all of them.
    served.post("api/context", &json!({ "seat": "E", "win": "discard", "from": "W" }));
    let refused = served.post("api/confirm", &json!({}));
    assert_eq!(refused.status, 409, "two 9s lie with West: since when is not known");
    assert_eq!(served.get("api/table").json()["discards"], "unknown", "nothing stays of it");
    served.post("api/context", &json!({ "tile": "fresh" }));
    let confirmed = served.post("api/confirm", &json!({}));
    assert_eq!(confirmed.status, 200, "{}", confirmed.text());
    assert_eq!(served.undo().status, 200);
    // On a 7s, of which none was discarded: nobody has to be asked.
    served.post("api/context", &json!({ "tile": null, "winning": "7s" }));
    let confirmed = served.post("api/confirm", &json!({}));
    assert_eq!(confirmed.status, 200, "{}", confirmed.text());
    assert!(tilelens(&["table", "log", &ledger]).contains("discards"));
    let undone = served.undo().json();
    assert_eq!(undone["table"]["discards"], "unknown", "taken back with the deal");
    tilelens(&["table", "verify", &ledger]);
}

#[test]
fn a_camera_of_ones_own_shows_a_standing_hand_and_what_it_waits_for() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| {
        let at = folder.path().join(name);
        std::fs::create_dir(&at).unwrap();
        at
    };
    let (south, west) = (at("south"), at("west"));
    std::fs::copy(table_path("row-waiting-13"), south.join("a.jpg")).unwrap();
    std::fs::copy(table_path("row-sorted"), west.join("a.jpg")).unwrap();
    let of = |seat: &str, at: &Path| format!("{seat}={}", at.display());
    let served = Served::start(&[
        "live",
        "--port",
        "0",
        "--source",
        &of("south", &south),
        "--source",
        &of("W", &west),
    ]);
    let both =
        |state: &Value| ["S", "W"].iter().all(|seat| state["seats"][seat]["shows"] == "hand");
    let state = served.until(both);
    let hand = &state["seats"]["S"];
    assert_eq!(hand["hand"]["text"], "123m456p789s1112z");
    assert_eq!(hand["waits"][0]["tile"], "2z");
    assert_eq!(hand["standing"].as_array().unwrap().len(), 13);
    assert_eq!(state["sources"][1]["shows"], "standing");
    // A tile is corrected by its number, whichever camera sees it.
    let last = &hand["standing"][12];
    assert_eq!(last["code"], "2z");
    let corrected = served.post("api/correct", &json!({ "tile": last["id"], "code": "3z" }));
    assert_eq!(corrected.json()["seats"]["S"]["waits"][0]["tile"], "3z");
    // One camera is lost: that is said, and the other goes on.
    std::fs::remove_dir_all(&west).unwrap();
    let state = served.until(|state| state["sources"][1]["state"] == "lost");
    assert!(state["sources"][1]["why"].as_str().is_some_and(|why| !why.is_empty()));
    assert_eq!(state["sources"][0]["state"], "running");
    std::fs::copy(table_path("row-gaps"), south.join("b.jpg")).unwrap();
    let standing = |state: &Value| state["seats"]["S"]["standing"].as_array().map(Vec::len);
    served.until(|state| standing(state) == Some(14));
}

#[test]
fn corners_are_marked_on_a_page_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (picture, truth) = four_players();
    let seen = folder.path().join("seen");
    std::fs::create_dir(&seen).unwrap();
    std::fs::copy(&picture, seen.join("table.jpg")).unwrap();
    let file = folder.path().join("new.toml");
    let source = format!("{}={}", file.display(), seen.display());
    let served = Served::start(&["live", "--port", "0", "--source", &source]);
    assert_eq!(served.get("api/table-profile").status, 404);
    let mut words = json!({
        "picture": truth["picture"], "corners": truth["corners"], "east": "right",
    });
    let marked = served.post("api/table-profile", &words);
    assert_eq!(marked.status, 200, "{}", marked.text());
    let kept = std::fs::read_to_string(&file).unwrap();
    assert_eq!(served.get("api/table-profile").text(), kept);
    assert!(kept.contains("[seats.E]\nedge = \"right\""), "{kept}");
    words["source"] = json!(7);
    let none = served.post("api/table-profile", &words);
    assert_eq!(none.status, 422);
    assert!(none.json()["error"].as_str().unwrap().contains("source 7"));
    words["corners"] = json!([[0, 0], [1, 1], [2, 2], [3, 3]]);
    let wrong = served.post("api/table-profile", &words);
    assert_eq!(wrong.status, 422);
    assert!(wrong.json()["error"].as_str().unwrap().contains("clockwise"));
    let served = Served::start(&["live", "--port", "0", "--source", &source]);
    served.until(|state| state["seats"]["N"]["shows"] == "hand");
    drop(served);
    // A file that names two seats keeps to them, with their areas, when the corners are marked again.
    let (half, own) = (kept.find("[seats.W]").unwrap(), "hand = { across = [0.1, 0.76], ");
    let two = kept[..half].to_owned() + own + "deep = [-0.15, 0.24] }\n";
    std::fs::write(&file, &two).unwrap();
    let served = Served::start(&["live", "--port", "0", "--source", &source]);
    words["source"] = json!(0);
    words["corners"] = truth["corners"].clone();
    assert_eq!(served.post("api/table-profile", &words).status, 200);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), two);
    // Two sources cannot show the same seat.
    let twice = Command::new(env!("CARGO_BIN_EXE_tilelens"))
        .args(["live", "--port", "0", "--source", &source, "--source", &source])
        .output()
        .unwrap();
    let why = String::from_utf8_lossy(&twice.stderr);
    assert!(!twice.status.success() && why.contains("two sources show East"), "{why}");
}
