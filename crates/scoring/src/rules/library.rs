//! Rule sets by name: presets, files that a caller reads, and each with rulings chosen; every one
//! made once.

use std::{
    borrow::Cow,
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
};

use serde::Serialize;

use super::{
    Answer, Contradiction, DealAnswer, ErrorKind, Loser, LoserAnswer, LosingHands, Players,
    Request, RequestError, RuleFileError, RuleSet,
};
use crate::{
    hand::{Hand, TextError, UnwonHand},
    tile::Seat,
};

/// The most rule sets kept in memory.
const KEPT: usize = 512;

/// Reads the text of a rule file by the name that a request gave; `None` where it is not a file.
pub type ReadFile = Box<dyn Fn(&str) -> Option<Result<String, String>> + Send + Sync>;

type Key = (String, Vec<(String, String)>);

/// Rule sets by name.
pub struct Library {
    read_file: ReadFile,
    kept: RwLock<HashMap<Key, Arc<RuleSet>>>,
}

impl Default for Library {
    /// Presets alone.
    fn default() -> Self {
        Self::new(Box::new(|_| None))
    }
}

impl Library {
    /// A library that may read files.
    pub fn new(read_file: ReadFile) -> Self {
        Self { read_file, kept: RwLock::default() }
    }

    /// The text of a rule file; `None` where no file has the name.
    pub fn text(&self, name: &str) -> Option<Result<String, String>> {
        (self.read_file)(name)
    }

    /// A rule set by its id or path, with rulings chosen.
    ///
    /// # Errors
    /// The unknown name, or the error in the file.
    pub fn rule_set(
        &self,
        name: &str,
        rulings: &[(Cow<'_, str>, Cow<'_, str>)],
    ) -> Result<Arc<RuleSet>, String> {
        let key: Key = (
            name.to_owned(),
            rulings.iter().map(|(id, choice)| (id.to_string(), choice.to_string())).collect(),
        );
        if let Some(found) = self.kept.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(Arc::clone(found));
        }
        let chosen = || rulings.iter().map(|(id, choice)| (&**id, &**choice));
        let as_text = |error: RuleFileError| error.to_string();
        let made = match RuleSet::preset(name) {
            Some(preset) => preset.with_rulings(chosen()).map_err(as_text)?,
            None => {
                let known: Vec<&str> = RuleSet::presets().map(|rules| rules.id.as_str()).collect();
                let text = self.text(name).unwrap_or_else(|| {
                    Err(format!(
                        "no rule set `{name}`: expected {} or a path to a .toml rule file",
                        known.join(", ")
                    ))
                })?;
                let file = RuleSet::parse(&text).map_err(|error| format!("{name}: {error}"))?;
                file.with_rulings(chosen()).map_err(as_text)?
            }
        };
        let made = Arc::new(made);
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT {
            kept.clear();
        }
        kept.insert(key, Arc::clone(&made));
        Ok(made)
    }

    /// Answers one request, in the order of errors that the format gives.
    pub fn answer(&self, json: &str, brief: bool) -> Reply {
        let (rules, request) = match self.read(json) {
            Ok(read) => read,
            Err(error) => {
                return match self.answer_deal(json, brief) {
                    Some(deal) => Reply::Deal(deal),
                    None => Answer::failed(ErrorKind::BadRequest, error).into(),
                };
            }
        };
        let bad_hand = |error: TextError| -> Reply {
            let failed = Answer::failed(ErrorKind::BadHand, error);
            Answer { rules: Some(rules.id.clone()), ..failed }.into()
        };
        if !request.has_won {
            return match request.hand.parse() {
                Ok(hand) => {
                    let (seat, round) = (request.at.seat, request.at.round);
                    let dead = request.dead.contains(seat);
                    let fishing = request.fishing.contains(seat);
                    let loser = Loser { hand: &hand, seat, round, dead, fishing };
                    Reply::Loser(rules.answer_loser(&loser, brief))
                }
                Err(error) => bad_hand(error),
            };
        }
        let hand = match request.hand.parse::<Hand>() {
            Ok(hand) => hand,
            Err(error) => return bad_hand(error),
        };
        let losers = match losing_hands(&request, &rules, &hand) {
            Ok(losers) => losers,
            Err(error) => return bad_hand(error),
        };
        let contradiction = contradiction(&request, &rules);
        let at = &request.at;
        let explained = match &losers {
            Some(losers) => rules.explain_table(&hand, at, losers, contradiction, brief),
            None => rules.explain(&hand, at, contradiction, brief),
        };
        Answer { rules: Some(rules.id.clone()), explained, brief }.into()
    }

    /// The rule set of a request, and its fields; its hand is not looked at.
    ///
    /// # Errors
    /// The text is not a request, or holds an unknown rule set, field, value or ruling.
    pub fn read<'a>(&self, json: &'a str) -> Result<(Arc<RuleSet>, Request<'a>), String> {
        let as_text = |error: RequestError| error.to_string();
        let request = Request::parse(json).map_err(as_text)?;
        let rules = self.rule_set(&request.rules, &request.rulings)?;
        request.check_fields(&rules).map_err(as_text)?;
        Ok((rules, request))
    }
}

/// What contradicts the rule set before the hand is looked at.
fn contradiction(request: &Request, rules: &RuleSet) -> Option<Contradiction> {
    let four = request.players == Some(Players::Four) && !rules.four_players();
    let dead = rules.scores_losers() && request.dead.contains(request.at.seat);
    (request.contradiction)
        .or(four.then_some(Contradiction::FourPlayers))
        .or(dead.then_some(Contradiction::DeadWinner))
}

/// The losers' hands, where the request has them and the rule set scores them.
fn losing_hands(
    request: &Request,
    rules: &RuleSet,
    winner: &Hand,
) -> Result<Option<LosingHands>, TextError> {
    let Some(others) = request.others.as_ref().filter(|_| rules.scores_losers()) else {
        return Ok(None);
    };
    let read = |(seat, text): &(Seat, String)| Ok((*seat, text.parse::<UnwonHand>()?));
    let hands: Result<Vec<_>, TextError> = others.iter().map(read).collect();
    let (dead, fishing) = (request.dead, request.fishing);
    let losers = LosingHands { hands: hands?, scores: Vec::new(), dead, fishing };
    losers.check(Some(winner))?;
    Ok(Some(losers))
}

/// An answer to any request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Reply {
    /// A hand that won, or all four hands; or a request that could not be read.
    Win(Box<Answer>),
    /// A hand that has not won.
    Loser(LoserAnswer),
    /// A whole deal.
    Deal(DealAnswer),
}

impl From<Answer> for Reply {
    fn from(answer: Answer) -> Self {
        Self::Win(Box::new(answer))
    }
}
