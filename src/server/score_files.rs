//! The score as files for programs that read files, such as text sources: made of the scene that viewers see, so that
//! nothing is in them that is not on air.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::OnAir;
use crate::{
    points::Points,
    rules::{Halves, UnitName},
    table::WinBy,
    tile::Seat,
};

/// The file that holds everything, as JSON; by it a folder is known to be one of these.
pub const SCORE_JSON: &str = "score.json";
/// The field of that file that names this program.
const BY: &str = "tilelens";

/// `score.json`.
#[derive(Serialize)]
struct ScoreJson<'a> {
    by: &'static str,
    title: Option<&'a str>,
    round: Option<String>,
    hand: Option<&'a str>,
    doubtful: bool,
    result: Option<ResultJson<'a>>,
    players: BTreeMap<Seat, PlayerJson>,
}

/// The winner, the way of winning and the hand's worth.
#[derive(Serialize)]
struct ResultJson<'a> {
    seat: Seat,
    name: String,
    win: Option<WinBy>,
    from: Option<Seat>,
    total: String,
    items: Vec<ItemJson<'a>>,
    faan: Halves,
    points: Option<u32>,
    score: Halves,
    unit: &'a str,
}

#[derive(Serialize)]
struct ItemJson<'a> {
    id: &'a str,
    name: Option<&'a str>,
    value: Halves,
    unit: UnitJson<'a>,
}

/// An item's unit: the word of those who play the rules, or its own.
#[derive(Serialize)]
#[serde(untagged)]
enum UnitJson<'a> {
    Word(&'a str),
    Own(UnitName),
}

/// A player's name, total and payment in the shown deal.
#[derive(Serialize)]
struct PlayerJson {
    name: String,
    points: Option<Points>,
    paid: Option<Points>,
}

/// The files of a scene, by their names: `score.json`, and a text file for each thing to show, empty where there is
/// nothing to show.
#[must_use]
pub fn score_files(scene: &OnAir) -> BTreeMap<String, String> {
    let all = ScoreJson::of(scene);
    let result = all.result.as_ref();
    let mut files = BTreeMap::from([
        ("title.txt".to_owned(), all.title.unwrap_or_default().to_owned()),
        ("round.txt".to_owned(), all.round.clone().unwrap_or_default()),
        ("hand.txt".to_owned(), all.hand.unwrap_or_default().to_owned()),
        ("winner.txt".to_owned(), result.map(|it| it.name.clone()).unwrap_or_default()),
        ("total.txt".to_owned(), result.map(|it| it.total.clone()).unwrap_or_default()),
    ]);
    let amount = |points: Option<Points>| points.map(Points::mixed).unwrap_or_default();
    for seat in Seat::ALL {
        let player = all.players.get(&seat);
        let mut file = |what: &str, text: String| files.insert(format!("{seat}-{what}.txt"), text);
        file("name", player.map(|it| it.name.clone()).unwrap_or_default());
        file("points", amount(player.and_then(|it| it.points)));
        file("paid", amount(player.and_then(|it| it.paid)));
    }
    // Keys of maps are seats, and so text.
    files.insert(SCORE_JSON.to_owned(), serde_json::to_string_pretty(&all).unwrap_or_default());
    for file in files.values_mut().filter(|text| !text.is_empty()) {
        file.push('\n');
    }
    files
}

/// Whether a text is a `score.json` of this program.
#[must_use]
pub fn is_score_json(text: &str) -> bool {
    #[derive(Deserialize)]
    struct By {
        by: String,
    }
    serde_json::from_str::<By>(text).is_ok_and(|all| all.by == BY)
}

/// The name of the player at a wind, or the wind.
fn name(scene: &OnAir, seat: Seat) -> String {
    let player = scene.players.iter().find(|player| player.seat == seat);
    player.and_then(|player| player.name.clone()).unwrap_or_else(|| seat.to_string())
}

impl<'a> ScoreJson<'a> {
    fn of(scene: &'a OnAir) -> Self {
        let round = match (scene.place, scene.round) {
            (Some(place), _) => Some(format!("{} round, deal {}", place.round, place.number)),
            (None, Some(round)) => Some(format!("{round} round")),
            (None, None) => None,
        };
        let player = |player: &super::on_air::PlayerOnAir| {
            let (points, paid) = (player.standing, player.paid);
            (player.seat, PlayerJson { name: name(scene, player.seat), points, paid })
        };
        Self {
            by: BY,
            title: scene.title.as_deref(),
            round,
            hand: scene.hand.as_ref().map(|hand| hand.text.as_str()),
            doubtful: scene.hand.as_ref().is_some_and(|hand| hand.doubtful),
            result: ResultJson::of(scene),
            players: scene.players.iter().map(player).collect(),
        }
    }
}

impl<'a> ResultJson<'a> {
    fn of(scene: &'a OnAir) -> Option<Self> {
        let story = scene.story.as_ref()?;
        let value = &story.score.value;
        let faan = story.rules.terms.as_ref().and_then(|terms| terms.faan.as_deref());
        let word = faan.unwrap_or(story.rules.unit);
        let items = story.score.items.iter().map(|item| ItemJson {
            id: &item.id,
            name: story.item_names.get(&item.id).map(String::as_str),
            value: item.value,
            unit: match item.unit {
                UnitName::Doubling => UnitJson::Own(UnitName::Doubling),
                unit if unit.word() == story.rules.unit => UnitJson::Word(word),
                unit => UnitJson::Own(unit),
            },
        });
        Some(Self {
            seat: story.winner,
            name: name(scene, story.winner),
            win: story.win,
            from: story.from,
            // A rule set with a word of its own counts by it; the others by the score.
            total: match faan {
                Some(faan) => format!("{} {faan}", Points::from(value.faan).mixed()),
                None => Points::from(value.score).mixed(),
            },
            items: items.collect(),
            faan: value.faan,
            points: value.points,
            score: value.score,
            unit: word,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::{
        Preview,
        fixture::{HAND, confirmed, context, deal, preview, table, won},
    };

    #[test]
    fn a_confirmed_hand_is_in_the_files_with_the_winds_of_its_deal() {
        let files = score_files(&OnAir::of(&confirmed(won()), Some(&table(vec![deal()]))));
        for (name, text) in [
            ("title.txt", "Final\n"),
            ("round.txt", "E round, deal 1\n"),
            ("hand.txt", &format!("{HAND}\n")),
            ("winner.txt", "Bo\n"),
            ("total.txt", "1 han\n"),
            ("S-name.txt", "Bo\n"),
            ("S-points.txt", "29200\n"),
            ("S-paid.txt", "4200\n"),
            ("E-paid.txt", "0\n"),
        ] {
            assert_eq!(files[name], text, "{name}");
        }
        let all: serde_json::Value = serde_json::from_str(&files[SCORE_JSON]).unwrap();
        let item = serde_json::json!({ "id": "round_wind", "name": "prevalent wind", "value": "1", "unit": "han" });
        assert_eq!(all["result"]["items"], serde_json::json!([item]));
        assert_eq!(
            (&all["players"]["W"]["paid"], &all["doubtful"]),
            (&"-4200".into(), &false.into())
        );
        assert!(is_score_json(&files[SCORE_JSON]) && !is_score_json("{}"));
    }

    #[test]
    fn a_typed_worth_has_a_winner_and_a_total_without_a_hand() {
        let typed = context("riichi", &[("seat", "S"), ("win", "self_draw"), ("worth", "3/30")]);
        let files = score_files(&OnAir::of(&confirmed(preview(typed)), None));
        assert_eq!((files["winner.txt"].as_str(), files["total.txt"].as_str()), ("S\n", "3 han\n"));
        assert_eq!((files["hand.txt"].as_str(), files["round.txt"].as_str()), ("", "E round\n"));
        assert_eq!((files["S-points.txt"].as_str(), files["W-paid.txt"].as_str()), ("", "-1000\n"));
    }

    #[test]
    fn what_is_not_on_air_is_in_no_file() {
        let files = score_files(&OnAir::of(&won(), Some(&table(vec![]))));
        assert_eq!((files["winner.txt"].as_str(), files["total.txt"].as_str()), ("", ""));
        assert_eq!((files["S-paid.txt"].as_str(), files["E-name.txt"].as_str()), ("", "Ann\n"));
        assert_eq!(files["hand.txt"], format!("{HAND}\n"));
        let gone = Preview { stale: true, ..won() };
        assert_eq!(score_files(&OnAir::of(&gone, None))["hand.txt"], "");
        let empty = score_files(&OnAir::default());
        let is_empty = |(name, text): (&String, &String)| name == SCORE_JSON || text.is_empty();
        assert!(empty.iter().all(is_empty), "{empty:?}");
        assert_eq!(empty.len(), files.len(), "the same files each time");
    }
}
