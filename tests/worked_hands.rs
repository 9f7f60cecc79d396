//! The worked hands of the rulebook, read straight from their file.

use serde_json::Value as Json;
use std::{fs, path::Path};
use tilelens::{hand::Hand, rules::*, tile::Seat};

fn seat(json: &Json) -> Option<Seat> {
    Seat::from_letter(json.as_str()?.chars().next()?)
}

#[test]
fn worked_hands() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/rules/hands.jsonl");
    let Ok(text) = fs::read_to_string(&path) else {
        println!("skipped: no {}", path.display());
        return;
    };
    for line in text.lines() {
        let json: Json = serde_json::from_str(line).unwrap();
        let (request, expect) = (&json["request"], &json["expect"]);
        let from = seat(&request["from"]);
        let win = match request["win"].as_str().unwrap() {
            "self_draw" => Win::SelfDraw,
            "discard" => Win::Discard { from: from.unwrap() },
            _ => Win::RobKong { from: from.unwrap() },
        };
        let mut at = Circumstances::new(
            seat(&request["seat"]).unwrap(),
            seat(&request["round"]).unwrap(),
            win,
        );
        at.last_tile = request["last_tile"] == true;
        at.supplement = request["supplement"] == true;
        let hand: Hand = request["hand"].as_str().unwrap().parse().unwrap();
        let base = RuleSet::preset(request["rules"].as_str().unwrap()).unwrap();
        let chosen: Vec<(&str, &str)> = request["rulings"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(k, v)| (k.as_str(), v.as_str().unwrap()))
            .collect();
        let rules = base.with_rulings(chosen).unwrap();
        match rules.score(&hand, &at) {
            Ok(score) => {
                println!(
                    "{} {:?}",
                    json["id"],
                    score
                        .items
                        .iter()
                        .map(|i| format!("{} {} [{}]", i.id, i.value, i.tiles))
                        .collect::<Vec<_>>()
                );
                assert_eq!(expect["ok"], true, "{line}");
                assert_eq!(expect["faan"], score.value.faan.to_string(), "{line}");
                assert_eq!(expect["score"], score.value.score.to_string(), "{line}");
                if let Some(points) = expect["points"].as_u64() {
                    assert_eq!(score.value.points, Some(points as u32), "{line}");
                }
                for (seat, amount) in score.value.payments.iter() {
                    assert_eq!(expect["payments"][seat.to_string()], amount.to_string(), "{line}");
                }
            }
            Err(Refusal::NoWin(NoWin::BelowMinimum { faan, .. })) => {
                assert_eq!(expect["error"], "below_minimum");
                assert_eq!(expect["faan"], faan.to_string());
            }
            Err(other) => panic!("{other}: {line}"),
        }
    }
}
