//! The score as files for programs that read files, such as text sources: made of the state that viewers get, so that
//! nothing is in them that is not on air.

use std::collections::BTreeMap;

use num_rational::Ratio;
use serde_json::{Map, Value, json};

use crate::{points::mixed, tile::Seat};

/// The file that holds everything, as JSON; by it a folder is known to be one of these.
pub const SCORE_JSON: &str = "score.json";
/// The field of that file that names this program.
const BY: &str = "tilelens";

/// The files of a state, by their names: `score.json`, and a text file for each thing to show, empty where there is
/// nothing to show.
#[must_use]
pub fn score_files(state: &Value) -> BTreeMap<String, String> {
    let on_air = OnAir::of(state);
    let (result, players) = (on_air.result(), on_air.players());
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut files = BTreeMap::from([
        ("title.txt".to_owned(), text(&on_air.title())),
        ("round.txt".to_owned(), text(&on_air.round())),
        ("hand.txt".to_owned(), text(&on_air.hand["text"])),
        ("winner.txt".to_owned(), text(&result["name"])),
        ("total.txt".to_owned(), text(&result["total"])),
    ]);
    for seat in Seat::ALL {
        let player = &players[seat.to_string()];
        files.insert(format!("{seat}-name.txt"), text(&player["name"]));
        files.insert(format!("{seat}-points.txt"), amount(&player["points"]));
        files.insert(format!("{seat}-paid.txt"), amount(&player["paid"]));
    }
    let all = json!({
        "by": BY,
        "title": on_air.title(),
        "round": on_air.round(),
        "hand": on_air.hand["text"],
        "doubtful": on_air.doubtful(),
        "result": result,
        "players": players,
    });
    files.insert(SCORE_JSON.to_owned(), format!("{all:#}"));
    for file in files.values_mut().filter(|text| !text.is_empty()) {
        file.push('\n');
    }
    files
}

/// Whether a text is a `score.json` of this program.
#[must_use]
pub fn is_score_json(text: &str) -> bool {
    serde_json::from_str::<Value>(text).is_ok_and(|all| all["by"] == BY)
}

/// An amount as people write it: `-80/3` is `-26⅔`.
fn amount(value: &Value) -> String {
    let text = value.as_str().unwrap_or_default();
    text.parse::<Ratio<i64>>().map_or_else(|_| text.to_owned(), mixed)
}

/// The part of a state that viewers see.
struct OnAir<'a> {
    state: &'a Value,
    /// The reading on air; null without one.
    hand: &'a Value,
    /// The score of the confirmed hand; null without one.
    score: &'a Value,
    /// The deal of the confirmed hand, with a ledger.
    deal: &'a Value,
}

impl<'a> OnAir<'a> {
    fn of(state: &'a Value) -> Self {
        let is_gone = state["phase"] == "rejected" || state["stale"] == true;
        let hand = if is_gone { &Value::Null } else { &state["reading"]["hand"] };
        let is_confirmed = state["phase"] == "confirmed";
        let score = &state["reading"]["score"];
        // A typed worth has a score without a hand; typed payments have neither.
        let is_scored = score["ok"] == true && score["faan"].is_string();
        let score = if is_confirmed && !is_gone && is_scored { score } else { &Value::Null };
        let deal = if is_confirmed { &state["table"]["last_deal"] } else { &Value::Null };
        Self { state, hand, score, deal }
    }

    fn title(&self) -> Value {
        let titles = [&self.state["context"]["title"], &self.state["table"]["title"]];
        titles.into_iter().find(|title| title.is_string()).cloned().unwrap_or_default()
    }

    fn doubtful(&self) -> bool {
        !self.hand.is_null() && self.state["doubtful"] == true
    }

    /// The round, and with a ledger the deal: that of the confirmed hand while it is on show.
    fn round(&self) -> Value {
        let place = if self.deal.is_null() { &self.state["table"] } else { self.deal };
        match (place["round"].as_str(), self.state["context"]["round"].as_str()) {
            (Some(round), _) => json!(format!("{round} round, deal {}", place["number"])),
            (None, Some(round)) => json!(format!("{round} round")),
            (None, None) => Value::Null,
        }
    }

    fn name(&self, wind: &Value) -> Value {
        let name = wind.as_str().map(|wind| &self.state["context"]["names"][wind]);
        name.filter(|name| name.is_string()).unwrap_or(wind).clone()
    }

    /// The winner, the way of winning and the hand's worth; null without one.
    fn result(&self) -> Value {
        if self.score.is_null() {
            return Value::Null;
        }
        let (context, reading) = (&self.state["context"], &self.state["reading"]);
        let terms = &reading["terms"]["faan"];
        let word = if terms.is_string() { terms } else { &reading["unit"] };
        let items: Vec<Value> = (self.score["items"].as_array().into_iter().flatten())
            .map(|item| {
                let name = item["id"].as_str().map(|id| &reading["item_names"][id]);
                let unit = if item["unit"] == reading["unit"] { word } else { &item["unit"] };
                json!({ "id": item["id"], "name": name, "value": item["value"], "unit": unit })
            })
            .collect();
        // A rule set with a word of its own counts by it; the others by the score.
        let total = match terms.as_str() {
            Some(faan) => format!("{} {faan}", amount(&self.score["faan"])),
            None => amount(&self.score["score"]),
        };
        json!({
            "seat": context["seat"], "name": self.name(&context["seat"]), "win": context["win"],
            "from": context["from"], "total": total, "items": items, "faan": self.score["faan"],
            "points": self.score["points"], "score": self.score["score"], "unit": word,
        })
    }

    /// Each player's name, total and payment in the shown deal, by wind.
    fn players(&self) -> Value {
        let mut players = Map::new();
        for (place, player) in
            self.state["table"]["players"].as_array().into_iter().flatten().enumerate()
        {
            let wind =
                if self.deal.is_null() { &player["seat"] } else { &self.deal["seats"][place] };
            let Some(wind) = wind.as_str() else { continue };
            let paid = self.paid(place).unwrap_or_else(|| self.score["payments"][wind].clone());
            let words =
                json!({ "name": player["name"], "points": player["standing"], "paid": paid });
            players.insert(wind.to_owned(), words);
        }
        if players.is_empty() {
            for wind in Seat::ALL.map(|seat| json!(seat)) {
                let paid = &self.score["payments"][wind.as_str().unwrap_or_default()];
                let name = self.name(&wind);
                if name != wind || !paid.is_null() {
                    let words = json!({ "name": name, "points": null, "paid": paid });
                    players.insert(wind.as_str().unwrap_or_default().to_owned(), words);
                }
            }
        }
        players.into()
    }

    /// A player's points of the deal, sticks included, for a deal with at most one winner.
    fn paid(&self, place: usize) -> Option<Value> {
        if self.deal["winners"].as_array()?.len() > 1 {
            return None;
        }
        let part = |of: &Value| of[place].as_str().and_then(|text| text.parse::<Ratio<i64>>().ok());
        let sticks = part(&self.deal["sticks_moved"]).unwrap_or_default();
        Some(json!((part(&self.deal["payments"])? + sticks).to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> Value {
        json!({
            "phase": "confirmed", "stale": false, "doubtful": false,
            "context": { "seat": "S", "win": "discard", "from": "W", "round": "E", "names": { "E": "Ann", "S": "Bo", "W": "Cy", "N": "Di" } },
            "reading": {
                "hand": { "text": "123m456p789s1115z +5z" }, "unit": "han", "terms": { "faan": "han" },
                "item_names": { "dora": "dora" },
                "score": {
                    "ok": true, "faan": "5", "points": 50, "score": "2000",
                    "items": [{ "id": "dora", "unit": "han", "value": "3" }],
                    "payments": { "E": "0", "S": "8300", "W": "-8300", "N": "0" },
                },
            },
            "table": {
                "title": "Final", "round": "E", "number": 3,
                "players": [
                    { "name": "Ann", "seat": "N", "standing": "26500" }, { "name": "Bo", "seat": "E", "standing": "32800" },
                    { "name": "Cy", "seat": "S", "standing": "17200" }, { "name": "Di", "seat": "W", "standing": "-80/3" },
                ],
                "last_deal": {
                    "round": "E", "number": 2, "seats": ["E", "S", "W", "N"], "winners": [{ "player": 1 }],
                    "payments": ["0", "8300", "-8300", "0"], "sticks_moved": ["0", "1000", "0", "0"],
                },
            },
        })
    }

    #[test]
    fn a_confirmed_hand_is_in_the_files_with_the_winds_of_its_deal() {
        let files = score_files(&state());
        for (name, text) in [
            ("title.txt", "Final\n"),
            ("round.txt", "E round, deal 2\n"),
            ("hand.txt", "123m456p789s1115z +5z\n"),
            ("winner.txt", "Bo\n"),
            ("total.txt", "5 han\n"),
            ("S-name.txt", "Bo\n"),
            ("S-points.txt", "32800\n"),
            ("S-paid.txt", "9300\n"),
            ("N-points.txt", "-26⅔\n"),
        ] {
            assert_eq!(files[name], text, "{name}");
        }
        let all: Value = serde_json::from_str(&files[SCORE_JSON]).unwrap();
        assert_eq!(
            all["result"]["items"][0],
            json!({ "id": "dora", "name": "dora", "value": "3", "unit": "han" })
        );
        assert_eq!(all["players"]["W"]["paid"], "-8300");
        assert!(is_score_json(&files[SCORE_JSON]) && !is_score_json("{}"));
    }

    #[test]
    fn a_typed_worth_has_a_winner_and_a_total_without_a_hand() {
        let mut typed = state();
        typed["reading"]["hand"] = Value::Null;
        let files = score_files(&typed);
        assert_eq!(
            (files["winner.txt"].as_str(), files["total.txt"].as_str()),
            ("Bo\n", "5 han\n")
        );
        assert_eq!(files["hand.txt"], "");
    }

    #[test]
    fn what_is_not_on_air_is_in_no_file() {
        let mut tried = state();
        tried["phase"] = json!("watching");
        let files = score_files(&tried);
        assert_eq!((files["winner.txt"].as_str(), files["total.txt"].as_str()), ("", ""));
        assert_eq!((files["S-paid.txt"].as_str(), files["E-name.txt"].as_str()), ("", "Bo\n"));
        assert_eq!(files["hand.txt"], "123m456p789s1115z +5z\n");
        tried["stale"] = json!(true);
        assert_eq!(score_files(&tried)["hand.txt"], "");
        let empty = score_files(
            &json!({ "phase": "watching", "context": {}, "reading": null, "table": null }),
        );
        assert!(
            empty.iter().all(|(name, text)| name == SCORE_JSON || text.is_empty()),
            "{empty:?}"
        );
        assert_eq!(empty.len(), files.len(), "the same files each time");
    }

    #[test]
    fn without_a_ledger_names_and_payments_are_the_operators() {
        let mut shown = state();
        shown["table"] = Value::Null;
        shown["context"]["names"] = json!({ "S": "Bo" });
        let files = score_files(&shown);
        assert_eq!(
            (files["round.txt"].as_str(), files["W-paid.txt"].as_str()),
            ("E round\n", "-8300\n")
        );
        assert_eq!((files["S-name.txt"].as_str(), files["W-name.txt"].as_str()), ("Bo\n", "W\n"));
        assert_eq!(files["S-points.txt"], "");
    }
}
