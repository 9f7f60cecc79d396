//! A deal of which all hands are scored, as a page collects it: hand by hand, or the rest by their scores.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Context, ContextError, reading};
use crate::{
    appraisal::{
        AskedOfDeal, DealInput, DealQuestion, NamedSet, Otherwise, Unsettled, score_unwon, settle,
    },
    hand::{Hand, Reading},
    rules::{Answer, Halves, Library, Payments, RuleSet},
    tile::Seat,
    words::Say,
};

/// What a page has collected of a deal.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CollectedDeal {
    /// The rules, the round, and how the deal was won.
    #[serde(default)]
    #[schemars(with = "Context")]
    context: Map<String, Value>,
    /// Who won, where that is known.
    winner: Option<Seat>,
    /// Hands, as text.
    #[serde(default)]
    hands: BTreeMap<Seat, String>,
    /// Scores of hands that were not photographed, as text.
    #[serde(default)]
    scores: BTreeMap<Seat, String>,
    /// Answers to questions of an earlier answer.
    #[serde(default)]
    answers: Vec<Answered>,
}

/// A question of [`CollectedDeal::answer`], and a person's answer.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "ask", rename_all = "snake_case", deny_unknown_fields)]
enum Answered {
    Claimed { seat: Seat, set: String, yes: bool },
    Fishing { seat: Seat, yes: bool },
    OriginalCall { seat: Seat, yes: bool },
}

/// What is known of a collected deal.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CollectedAnswer {
    /// The worth of each hand; null where it is not known yet.
    worths: BTreeMap<Seat, Option<Halves>>,
    /// With all four hands.
    #[serde(flatten)]
    deal: Option<SettledDeal>,
}

/// The settlement of a deal.
#[derive(Debug, Serialize, JsonSchema)]
struct SettledDeal {
    /// The score and its payments; null where something is missing.
    score: Option<Answer>,
    /// The hands as they count.
    settled: BTreeMap<Seat, String>,
    /// What a person may know better.
    questions: Vec<Question>,
    /// Why there are no payments.
    unsettled: Option<Say>,
    /// The tiles with which the winner may have won, where that is not known.
    winning: Vec<String>,
}

/// A question, with the fields of its answer.
#[derive(Debug, Serialize, JsonSchema)]
struct Question {
    #[serde(flatten)]
    asks: Asks,
    said: [Say; 1],
    /// What counts without an answer.
    taken: bool,
    /// The payments with the other answer, where they differ.
    otherwise: Option<Payments>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "ask", rename_all = "snake_case")]
enum Asks {
    Claimed { seat: Seat, set: String },
    Fishing { seat: Seat },
    OriginalCall { seat: Seat },
}

impl Question {
    fn of(it: &AskedOfDeal) -> Self {
        let asks = match it.question {
            DealQuestion::Claimed(seat, unmarked) => {
                Asks::Claimed { seat, set: unmarked.set.to_string() }
            }
            DealQuestion::Fishing(seat) => Asks::Fishing { seat },
            DealQuestion::OriginalCall(seat) => Asks::OriginalCall { seat },
        };
        let otherwise = match &it.otherwise {
            Otherwise::Paid(payments) => Some(*payments),
            Otherwise::Same | Otherwise::Unsettled => None,
        };
        Self { asks, said: [it.question.sentence()], taken: it.taken, otherwise }
    }
}

fn wrong(error: impl ToString) -> ContextError {
    ContextError(error.to_string())
}

fn score(rules: &RuleSet, text: &str) -> Result<Halves, ContextError> {
    rules.read_worth(text).and_then(|worth| rules.score_of(worth)).map_err(wrong)
}

impl CollectedDeal {
    /// The worth of each hand so far; with all four the payments, what is asked, or why they are not settled.
    ///
    /// # Errors
    /// An invalid field, or rules that score the winner alone.
    pub fn answer(self, library: &Library) -> Result<CollectedAnswer, ContextError> {
        let mut context = self.context;
        if let Some(winner) = self.winner {
            context.insert("seat".to_owned(), winner.to_string().into());
        }
        let context = Context::new("mmm").with(context, library)?;
        let (rules, input) = context.resolve(library)?;
        if !rules.scores_losers() {
            return Err(wrong(format!("{} scores the winner's hand alone", rules.name)));
        }
        let mut readings = Vec::new();
        for (seat, text) in &self.hands {
            let mut reading: Reading = text.parse().map_err(wrong)?;
            if let Some(winning) = input.hints.winning.filter(|_| self.winner == Some(*seat)) {
                reading::name_winning(&mut reading, winning);
            }
            readings.push((*seat, reading));
        }
        let texts = self.scores.iter().filter(|(seat, _)| !self.hands.contains_key(seat));
        let scores = texts.map(|(seat, text)| Ok((*seat, score(&rules, text)?)));
        let scores = scores.collect::<Result<Vec<_>, ContextError>>()?;
        let mut deal = DealInput { at: input.at, scores, ..DealInput::default() };
        for answer in &self.answers {
            answer.give(&mut deal)?;
        }
        let score_of = |(seat, reading): &(Seat, Reading)| {
            let score = match self.winner == Some(*seat) {
                true => winning_score(reading, &rules, &deal),
                false => {
                    let unwon = score_unwon(reading, &rules, *seat, context.round());
                    unwon.ok().map(|score| score.score)
                }
            };
            (*seat, score)
        };
        let worths: BTreeMap<Seat, Option<Halves>> = readings
            .iter()
            .map(score_of)
            .chain(deal.scores.iter().map(|&(seat, it)| (seat, Some(it))))
            .collect();
        if self.winner.is_none() || worths.len() < Seat::ALL.len() {
            return Ok(CollectedAnswer { worths, deal: None });
        }
        let hands: Vec<_> =
            readings.into_iter().map(|(seat, reading)| (seat, reading::shown(reading))).collect();
        let appraisal = settle(&hands, &rules, &deal);
        let choices = match &appraisal.unsettled {
            Some(Unsettled::Winning(choices)) => choices.as_slice(),
            _ => &[],
        };
        let winning = choices.iter().map(ToString::to_string).collect();
        let deal = SettledDeal {
            settled: appraisal.readings.iter().map(|(seat, it)| (*seat, it.to_string())).collect(),
            questions: appraisal.asked.iter().map(Question::of).collect(),
            unsettled: appraisal.unsettled.as_ref().map(Unsettled::sentence),
            score: appraisal.answer,
            winning,
        };
        Ok(CollectedAnswer { worths, deal: Some(deal) })
    }
}

impl Answered {
    /// Adds it to what is known of a deal.
    fn give(&self, deal: &mut DealInput) -> Result<(), ContextError> {
        match self {
            Self::Claimed { seat, set, yes } => {
                let set: NamedSet = set.parse().map_err(wrong)?;
                deal.claimed.push((*seat, set, *yes));
            }
            Self::Fishing { seat, yes } => deal.fishing.push((*seat, *yes)),
            Self::OriginalCall { seat, yes } => {
                deal.original_call_known = true;
                if let Some(at) = deal.at.as_mut().filter(|at| at.seat == *seat) {
                    at.original_call = *yes;
                }
            }
        }
        Ok(())
    }
}

/// The score of the winner's hand, where it is known how it was won and with which tile.
fn winning_score(reading: &Reading, rules: &RuleSet, deal: &DealInput) -> Option<Halves> {
    let hand = Hand::try_from(reading).ok()?;
    rules.value(&hand, &deal.at?).ok().map(|value| value.score)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn answer(asked: Value) -> Result<Value, String> {
        let asked: CollectedDeal =
            serde_json::from_value(asked).map_err(|error| error.to_string())?;
        asked.answer(&Library::default()).map(|answer| json!(answer)).map_err(|error| error.0)
    }

    /// The deal of the specification.
    fn worked() -> Value {
        json!({
            "context": { "rules": "classical-bmja", "round": "E", "win": "discard", "from": "N" },
            "winner": "W",
            "hands": {
                "E": "(5'55z) 999m 22p 4s 16p 78p 1f", "S": "1134557m 113455p",
                "W": "111z 333s 678s (2'22s) 9s 2f +9s", "N": "[6666z] 44z 38p 67m 2458s 4f",
            },
        })
    }

    #[test]
    fn four_hands_are_settled() {
        let settled = answer(worked()).unwrap();
        assert_eq!(settled["worths"], json!({ "E": "64", "S": "200", "W": "152", "N": "152" }));
        let paid = json!({ "E": "-752", "S": "168", "W": "608", "N": "-24" });
        assert_eq!(settled["score"]["payments"], paid);
        let questions = settled["questions"].as_array().unwrap();
        let fishing = questions.iter().find(|question| question["ask"] == "fishing").unwrap();
        // Nothing is asked again once it is answered, and the answer counts.
        let mut asked = worked();
        asked["answers"] = json!([{ "ask": "fishing", "seat": "S", "yes": false }]);
        let again = answer(asked).unwrap();
        assert_eq!(again["score"]["payments"], fishing["otherwise"]);
        assert_eq!(again["settled"]["E"], "999m22p4s1678p (5'55z) 1f");
        let left = again["questions"].as_array().unwrap();
        assert!(left.iter().all(|question| question["ask"] != "fishing"), "{left:?}");
    }

    #[test]
    fn the_rest_may_be_given_by_their_scores() {
        for known in [&["W", "E"][..], &["S", "N"], &["W"], &[]] {
            let mut asked = worked();
            let scores = [("E", "64"), ("S", "200"), ("W", "152"), ("N", "152")];
            for (seat, score) in scores.into_iter().filter(|(seat, _)| !known.contains(seat)) {
                asked["hands"].as_object_mut().unwrap().remove(seat);
                asked["scores"][seat] = score.into();
            }
            let settled = answer(asked).unwrap();
            let paid = json!({ "E": "-752", "S": "168", "W": "608", "N": "-24" });
            assert_eq!(settled["score"]["payments"], paid, "{known:?}: {settled}");
        }
    }

    #[test]
    fn before_all_four_are_there_each_hand_has_its_worth() {
        let mut asked = worked();
        asked["hands"] = json!({ "E": "(5'55z) 999m 22p 4s 16p 78p 1f" });
        assert_eq!(answer(asked.clone()).unwrap(), json!({ "worths": { "E": "64" } }));
        asked["winner"] = Value::Null;
        assert_eq!(answer(asked).unwrap(), json!({ "worths": { "E": "64" } }));
        // How the deal was won, and by which tile, is asked.
        let mut asked = worked();
        asked["context"] = json!({ "rules": "classical-bmja" });
        let open = answer(asked).unwrap();
        assert!(open["score"].is_null() && open["unsettled"].is_array(), "{open}");
        let mut asked = worked();
        asked["hands"]["W"] = "111z 333s 678s (2'22s) 99s 2f".into();
        let open = answer(asked.clone()).unwrap();
        assert_eq!((&open["score"], &open["winning"][0]), (&Value::Null, &json!("9s")), "{open}");
        asked["context"]["winning"] = "9s".into();
        let settled = answer(asked).unwrap();
        assert_eq!(settled["score"]["payments"]["W"], "608");
        assert_eq!(settled["settled"]["W"], "111z3336789s (2'22s) 2f +9s");
    }

    #[test]
    fn nonsense_is_refused() {
        let mut other = worked();
        other["context"]["rules"] = "mmm".into();
        assert!(answer(other).unwrap_err().contains("alone"));
        for (score, said) in [
            ("-4", "`-4` is not a worth"),
            ("much", "`much` is not a worth"),
            ("9999999999999", "is not a worth"),
            ("1/2/3", "is not a worth"),
            ("1002", "1002 is above the limit: no hand scores more than 1000"),
        ] {
            for seat in ["S", "W"] {
                let mut asked = worked();
                asked["hands"].as_object_mut().unwrap().remove(seat);
                asked["scores"] = json!({ seat: score });
                let error = answer(asked).unwrap_err();
                assert!(error.contains(said), "{seat} {score}: {error}");
            }
        }
        let mut asked = worked();
        asked["hands"]["E"] = "1111s".into();
        assert!(
            answer(asked.clone()).unwrap()["unsettled"].is_null(),
            "a short hand is scored as it lies"
        );
        asked["hands"]["E"] = "55555p".into();
        assert!(answer(asked).is_ok_and(|open| open["score"].is_null()));
    }
}
