//! Sets of tiles taught on the pages.

use crate::support::plain_flowers;
use crate::support::served::{Served, layout_path, table};
use serde_json::{Value, json};

/// The tile sets in a home.
fn sets(home: &std::path::Path) -> Vec<String> {
    let folder = tilelens::tileset::Folder::at(home.join("tilelens/tilesets"));
    folder.names().unwrap().iter().map(ToString::to_string).collect()
}

#[test]
fn a_set_is_taught_on_a_page_and_used_from_then_on() {
    let home = tempfile::tempdir().unwrap();
    let served = Served::at_home(home.path());
    let table = plain_flowers::png(&plain_flowers::on_table());
    let flowers = || {
        let reading = served.send("api/photo", &table).json();
        let tiles = reading["tiles"].as_array().unwrap().clone();
        let codes = tiles.iter().filter_map(|tile| tile["code"].as_str().map(str::to_owned));
        let mut codes: Vec<String> = codes.filter(|code| code.ends_with('f')).collect();
        codes.sort();
        codes
    };
    let truth = ["1f", "2f", "4f", "6f"];
    assert_ne!(flowers(), truth, "the network alone does not know this artwork");
    let photo = plain_flowers::png(&plain_flowers::laid_out());
    let found = served.send("api/tileset?name=mine", &photo);
    assert_eq!(found.status, 200, "{}", found.text());
    let found = found.json();
    assert_eq!(found["missing"], json!([]));
    assert_eq!((&found["known"], &found["full"]), (&json!(false), &json!(false)));
    let rows = found["photos"][0].as_array().unwrap();
    assert_eq!(rows.len(), 7);
    assert_eq!(rows[0]["tiles"][8]["code"], "9m");
    assert!(sets(home.path()).is_empty(), "nothing is written before it is confirmed");
    let sure: Vec<&Value> = (rows.iter())
        .flat_map(|row| row["tiles"].as_array().unwrap())
        .filter(|tile| !tile["looks_like"].is_null())
        .map(|tile| &tile["code"])
        .collect();
    let confirm = format!("api/tileset/{}", found["number"]);
    let learnt = served.post(&confirm, &json!({ "sure": sure }));
    assert_eq!(learnt.json(), json!({ "learnt": "mine", "tiles": 144 }), "{}", learnt.text());
    assert_eq!(sets(home.path()), ["mine"]);
    assert_eq!(flowers(), truth, "without a restart");
    assert_eq!(served.post(&confirm, &json!({ "sure": sure })).status, 404, "it was taken");
    // The same name again: only in its place if that is said.
    let again = served.send("api/tileset?name=mine", &photo).json();
    assert_eq!(again["known"], true);
    let confirm = format!("api/tileset/{}", again["number"]);
    let refused = served.post(&confirm, &json!({ "sure": sure }));
    assert_eq!(refused.status, 409);
    assert!(refused.text().contains("mine is known already"), "{}", refused.text());
    assert_eq!(served.post(&confirm, &json!({ "sure": sure, "replace": true })).status, 200);
}

/// The codes of what was found in a photo, and those a person has to say a word to.
fn found_in(photo: &Value) -> (Vec<String>, Vec<String>) {
    let tiles = photo.as_array().unwrap().iter().flat_map(|row| row["tiles"].as_array().unwrap());
    let (mut all, mut asked) = (Vec::new(), Vec::new());
    for tile in tiles {
        let code = tile["code"].as_str().unwrap().to_owned();
        asked.extend(tile["looks_like"].as_str().map(|_| code.clone()));
        all.push(code);
    }
    (all, asked)
}

#[test]
fn a_second_photo_adds_what_the_first_lacks() {
    let home = tempfile::tempdir().unwrap();
    let served = Served::at_home(home.path());
    let photo = |name: &str| std::fs::read(layout_path(name)).unwrap();
    let first = served.send("api/tileset?name=mine", &photo("other-side")).json();
    assert_eq!(first["missing"], json!(["1f", "2f", "3f", "4f", "5f", "6f", "7f", "8f"]));
    assert_eq!(first["full"], false);
    // A second photo that is refused leaves the first one standing.
    let with = format!("api/tileset?name=mine&with={}", first["number"]);
    assert_eq!(served.send(&with, &photo("mirrored")).status, 422);
    let both = served.send(&with, &photo("in-order"));
    assert_eq!(both.status, 200, "{}", both.text());
    let both = both.json();
    assert_eq!((&both["missing"], &both["full"]), (&json!([]), &json!(true)));
    let photos = both["photos"].as_array().unwrap();
    let (one, other) = (found_in(&photos[0]), found_in(&photos[1]));
    assert_eq!((one.0.len(), other.0.len()), (34, 43));
    // The first one's number is no more, and a third photo is too many.
    let confirm = |number: &Value| format!("api/tileset/{number}");
    assert_eq!(served.post(&confirm(&first["number"]), &json!({})).status, 404);
    let with = format!("api/tileset?name=mine&with={}", both["number"]);
    let third = served.send(&with, &photo("in-order"));
    assert!(third.status != 200 && third.text().contains("one photo or two"), "{}", third.text());
    let sure = [one.1, other.1].concat();
    let learnt = served.post(&confirm(&both["number"]), &json!({ "sure": sure }));
    assert_eq!(learnt.status, 200, "{}", learnt.text());
    let folder = tilelens::tileset::Folder::at(home.path().join("tilelens/tilesets"));
    let profile = folder.load(&"mine".parse().unwrap()).unwrap();
    assert_eq!(profile.exemplars().len(), 77, "what both photos show was learnt from both");
}

#[test]
fn a_tile_in_the_wrong_place_is_asked_about_and_not_learnt_unasked() {
    let home = tempfile::tempdir().unwrap();
    let served = Served::at_home(home.path());
    // Three and seven of dots in each other's place.
    let whole = std::fs::read(layout_path("in-order")).unwrap();
    let found = served.send("api/tileset?name=mine", &whole).json();
    let corners = |code: &str| -> [u32; 4] {
        let rows = found["photos"][0].as_array().unwrap();
        let mut tiles = rows.iter().flat_map(|row| row["tiles"].as_array().unwrap());
        let tile = tiles.find(|tile| tile["code"] == code).unwrap();
        let at = |corner: usize| [0, 1].map(|axis| tile["corners"][corner][axis].as_f64().unwrap());
        let ([left, top], [right, bottom]) = (at(0), at(2));
        [left as u32, top as u32, (right - left) as u32, (bottom - top) as u32]
    };
    let mut picture = image::load_from_memory(&whole).unwrap().to_rgb8();
    let ([a, b, w, h], [c, d, ..]) = (corners("3p"), corners("7p"));
    let cut = |x, y| image::imageops::crop_imm(&picture, x, y, w, h).to_image();
    let (three, seven) = (cut(a, b), cut(c, d));
    image::imageops::replace(&mut picture, &seven, a.into(), b.into());
    image::imageops::replace(&mut picture, &three, c.into(), d.into());
    let mut swapped = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut swapped, image::ImageFormat::Png).unwrap();
    let found = served.send("api/tileset?name=mine", swapped.get_ref()).json();
    let (_, asked) = found_in(&found["photos"][0]);
    assert!(["3p", "7p"].iter().all(|code| asked.contains(&(*code).to_owned())), "{asked:?}");
    let confirm = format!("api/tileset/{}", found["number"]);
    let others: Vec<&String> = asked.iter().filter(|code| *code != "7p").collect();
    let refused = served.post(&confirm, &json!({ "sure": others }));
    assert_eq!(refused.status, 409, "{}", refused.text());
    assert!(refused.text().contains("7p") && sets(home.path()).is_empty(), "{}", refused.text());
    let both = json!({ "sure": asked, "instead": ["3p", "7p"] });
    assert_eq!(served.post(&confirm, &both).status, 200, "answered anew, a person's word counts");
    let folder = tilelens::tileset::Folder::at(home.path().join("tilelens/tilesets"));
    let profile = folder.load(&"mine".parse().unwrap()).unwrap();
    let learnt: Vec<String> = profile.exemplars().iter().map(|e| e.tile.to_string()).collect();
    assert_eq!(learnt[11..13], ["7p", "4p"], "in the photo's order, each by its own name");
}

#[test]
fn a_set_taught_while_a_source_is_read_has_a_say_at_its_next_look() {
    let (home, seen) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let table = plain_flowers::png(&plain_flowers::on_table());
    std::fs::write(seen.path().join("table.png"), table).unwrap();
    let served = Served::live_at_home(home.path(), seen.path().to_str().unwrap());
    let flowers = |state: &Value| {
        let tiles = state["reading"]["tiles"].as_array().cloned().unwrap_or_default();
        let codes = tiles.iter().filter_map(|tile| tile["code"].as_str().map(str::to_owned));
        let mut codes: Vec<String> = codes.filter(|code| code.ends_with('f')).collect();
        codes.sort();
        codes
    };
    let truth = ["1f", "2f", "4f", "6f"];
    let state = served.until(|state| !state["reading"].is_null());
    assert_ne!(flowers(&state), truth, "the network alone does not know this artwork");
    assert_eq!(state["tileset"], Value::Null);
    let photo = plain_flowers::png(&plain_flowers::laid_out());
    let found = served.send("api/tileset?name=mine", &photo).json();
    let rows = found["photos"][0].as_array().unwrap().iter();
    let sure: Vec<Value> = rows
        .flat_map(|row| row["tiles"].as_array().unwrap().clone())
        .map(|tile| tile["code"].clone())
        .collect();
    let learnt = served.post(&format!("api/tileset/{}", found["number"]), &json!({ "sure": sure }));
    assert_eq!(learnt.status, 200, "{}", learnt.text());
    let state = served.until(|state| flowers(state) == truth);
    assert_eq!(state["tileset"], "mine");
}

#[test]
fn what_teaches_nothing_is_told_and_nothing_is_written() {
    let home = tempfile::tempdir().unwrap();
    let served = Served::at_home(home.path());
    let photo = |name: &str| std::fs::read(layout_path(name)).unwrap();
    for (address, bytes, why) in [
        ("api/tileset?name=mine", photo("mirrored"), "mirrored"),
        ("api/tileset?name=..%2Fmine", photo("in-order"), "not a name for a set"),
        ("api/tileset?name=none", photo("in-order"), "not a name for a set"),
        ("api/tileset?name=mine", b"<svg/>".to_vec(), "not a picture"),
    ] {
        let reply = served.send(address, &bytes);
        assert_eq!(reply.status, 422, "{address}: {}", reply.text());
        assert!(reply.text().contains(why), "{address}: {}", reply.text());
    }
    assert_eq!(served.post("api/tileset/7", &json!({})).status, 404);
    assert!(sets(home.path()).is_empty());
}

#[test]
fn corrections_are_kept_in_the_set_in_use_where_that_is_said() {
    let home = tempfile::tempdir().unwrap();
    let served = Served::at_home(home.path());
    let photo = served.send("api/photo", &table("row-sorted")).json();
    assert_eq!(photo["tileset"], Value::Null, "there is no set to keep anything in");
    let picture = std::fs::read(layout_path("in-order")).unwrap();
    let found = served.send("api/tileset?name=mine", &picture).json();
    let tiles = found["photos"][0].as_array().unwrap().iter();
    let sure: Vec<Value> = tiles
        .flat_map(|row| row["tiles"].as_array().unwrap().clone())
        .map(|tile| tile["code"].clone())
        .collect();
    let words = json!({ "sure": sure });
    assert_eq!(served.post(&format!("api/tileset/{}", found["number"]), &words).status, 200);
    let folder = tilelens::tileset::Folder::at(home.path().join("tilelens/tilesets"));
    let taught = || {
        let profile = folder.load(&"mine".parse().unwrap()).unwrap();
        let taught = profile.exemplars().iter().filter(|shown| shown.taught);
        taught.map(|shown| shown.tile.to_string()).collect::<Vec<_>>()
    };
    let photo = served.send("api/photo", &table("row-sorted")).json();
    assert_eq!(photo["tileset"], "mine");
    let (first, second) = (&photo["tiles"][0]["id"], &photo["tiles"][1]["id"]);
    let say = |words: Value| {
        let reply = served.post(&format!("api/photo/{}", photo["photo"]), &words);
        assert_eq!(reply.status, 200, "{}", reply.text());
    };
    say(json!({ "fixes": [[first, "4p"]] }));
    say(json!({ "fixes": [[first, "4p"]], "keep": false }));
    assert!(taught().is_empty(), "only where it is said");
    say(json!({ "fixes": [[first, "4p"]], "keep": true }));
    say(json!({ "fixes": [[first, "4p"], [second, "1f"]], "keep": true }));
    assert_eq!(taught(), ["4p", "1f"]);
    // Another word for the same tile takes its place; without the tick nothing is added.
    say(json!({ "fixes": [[first, "3p"], [second, "1f"]], "keep": true }));
    assert_eq!(taught(), ["1f", "3p"]);
    say(json!({ "fixes": [[second, "1f"]], "keep": false }));
    assert_eq!(taught(), ["1f"], "what was taken back is forgotten, the rest is not");
    say(json!({ "fixes": [], "keep": true }));
    assert!(taught().is_empty());
    // The same on the control page, where undoing the correction takes back what it taught.
    served.post(&format!("api/photo/{}/show", photo["photo"]), &json!({}));
    assert_eq!(served.state()["tileset"], "mine");
    let correct = |words: Value| {
        let reply = served.post("api/correct", &words);
        assert_eq!(reply.status, 200, "{}", reply.text());
    };
    correct(json!({ "tile": first, "code": "4p" }));
    assert!(taught().is_empty());
    correct(json!({ "tile": first, "code": "3p", "keep": true }));
    assert_eq!(taught(), ["3p"]);
    assert_eq!(served.undo().status, 200);
    assert!(taught().is_empty());
    correct(json!({ "tile": first, "code": "3p", "keep": true }));
    assert_eq!(served.post("api/next", &json!({})).status, 200);
    assert_eq!(taught(), ["3p"], "the next hand takes nothing back");
}
