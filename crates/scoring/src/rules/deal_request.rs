//! A request for a whole deal, as one JSON object, and its answer.

use std::borrow::Cow;

use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::{Map, Value as Json};

use super::{
    DealEffect, DealOutcome, DealWin, ErrorKind, Library, Request, RequestError, RuleSet, Worth,
    answer::AsText,
    deal::{
        Deal, DealError, DealEvent, EndHand, FailedStep, Holding, KongKind, SettlementEntry,
        WonHand,
    },
    request::{missing_suit, seat},
};
use crate::tile::Seat;

/// The answer to a request for a whole deal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DealAnswer {
    /// The rule set, where it is known.
    pub rules: Option<String>,
    /// What the deal comes to, or why it is not scored.
    pub outcome: Result<DealOutcome, DealFailure>,
    /// The wins with their items.
    pub wins: Vec<DealWin>,
    /// The effects of other rulings.
    pub rulings: Vec<DealEffect>,
    /// Whether to leave out the explanations.
    pub brief: bool,
}

/// A deal that is not scored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DealFailure {
    /// The kind of error.
    pub kind: ErrorKind,
    /// The fault and the expected value, for people.
    pub message: String,
    /// The event at fault, from 0.
    pub step: Option<usize>,
}

impl From<RequestError> for DealFailure {
    fn from(error: RequestError) -> Self {
        Self { kind: ErrorKind::BadRequest, message: error.to_string(), step: None }
    }
}

impl From<FailedStep> for DealFailure {
    fn from((step, error): FailedStep) -> Self {
        let kind = match &error {
            DealError::End(_) | DealError::Worth(_) => ErrorKind::BadRequest,
            DealError::Hand(_) | DealError::Size { .. } => ErrorKind::BadHand,
            DealError::Score(refusal) => ErrorKind::from(refusal),
        };
        Self { kind, message: error.to_string(), step }
    }
}

fn wrong(field: &'static str, value: Option<&Json>, expected: &'static str) -> RequestError {
    let value = value.map_or_else(|| "missing".to_owned(), Json::to_string);
    RequestError::Value { field, value, expected }
}

type Fields = Map<String, Json>;

fn object<'a>(field: &'static str, value: Option<&'a Json>) -> Result<&'a Fields, RequestError> {
    value.and_then(Json::as_object).ok_or_else(|| wrong(field, value, "an object"))
}

/// Refuses a field that its object does not know: its sender would wait for an effect in vain.
fn only(fields: &Fields, known: &[&str]) -> Result<(), RequestError> {
    match fields.keys().find(|field| !known.contains(&field.as_str())) {
        None => Ok(()),
        Some(field) => {
            let known = known.join("`, `");
            Err(RequestError::Json(format!("unknown field `{field}`, expected one of `{known}`")))
        }
    }
}

fn yes(fields: &Fields, field: &'static str) -> Result<bool, RequestError> {
    match fields.get(field) {
        None => Ok(false),
        Some(value) => value.as_bool().ok_or_else(|| wrong(field, Some(value), "true or false")),
    }
}

fn seat_of(fields: &Fields, field: &'static str) -> Result<Seat, RequestError> {
    let value = fields.get(field);
    let text = value.and_then(Json::as_str).ok_or_else(|| wrong(field, value, "E, S, W or N"))?;
    seat(field, text)
}

fn kong(fields: &Fields) -> Result<DealEvent, RequestError> {
    only(fields, &["kong", "seat", "from", "late", "robbed", "shot"])?;
    let named = fields.get("kong");
    let kind = match named.and_then(Json::as_str) {
        Some("concealed") => KongKind::Concealed,
        Some("claimed") => KongKind::Claimed { from: seat_of(fields, "from")? },
        Some("added") => KongKind::Added { late: yes(fields, "late")? },
        _ => return Err(wrong("kong", named, "concealed, claimed or added")),
    };
    let (robbed, shot) = (yes(fields, "robbed")?, yes(fields, "shot")?);
    Ok(DealEvent::Kong { seat: seat_of(fields, "seat")?, kind, robbed, shot })
}

fn win(fields: &Fields, rules: &RuleSet) -> Result<DealEvent, RequestError> {
    only(fields, &["win", "same"])?;
    let mut request = object("win", fields.get("win"))?.clone();
    // Neither matters: who has won follows from the events, and rounds count for nothing.
    request.insert("rules".to_owned(), rules.id.clone().into());
    request.insert("round".to_owned(), "E".into());
    request.remove("won");
    // The hand, or what it is worth.
    let worth = request.remove("worth").map(|worth| self::worth(&worth, rules)).transpose()?;
    if worth.is_some() && request.insert("hand".to_owned(), "".into()).is_some() {
        return Err(RequestError::Json("`hand` and `worth`: expected one of them".to_owned()));
    }
    let text = Json::Object(request).to_string();
    let request = Request::parse(&text)?;
    request.check_fields(rules)?;
    let hand =
        worth.map_or_else(|| WonHand::Tiles(request.hand.clone().into_owned()), WonHand::Worth);
    let (at, contradiction) = (Box::new(request.at), request.contradiction);
    Ok(DealEvent::Win { hand, at, contradiction, same: yes(fields, "same")? })
}

/// What a hand is worth, as players say it.
fn worth(value: &Json, rules: &RuleSet) -> Result<Worth, RequestError> {
    let text =
        value.as_str().ok_or_else(|| wrong("worth", Some(value), "a text, such as \"2\""))?;
    rules.read_worth(text).map_err(|error| RequestError::Json(error.to_string()))
}

fn event(value: &Json, rules: &RuleSet) -> Result<DealEvent, RequestError> {
    let fields = object("deal", Some(value))?;
    if fields.contains_key("kong") {
        return kong(fields);
    }
    if fields.contains_key("false_win") {
        only(fields, &["false_win"])?;
        return Ok(DealEvent::FalseWin { seat: seat_of(fields, "false_win")? });
    }
    win(fields, rules)
}

fn end(name: &str, value: &Json, rules: &RuleSet) -> Result<EndHand, RequestError> {
    let seat = seat("end", name)?;
    let fields = object("end", Some(value))?;
    let holding = match (fields.get("ready"), fields.get("pig")) {
        (None, None) => end_hand(fields)?,
        (Some(Json::Bool(false)), None) if fields.len() == 1 => Holding::NotReady,
        (Some(text), None) if fields.len() == 1 => Holding::Ready(worth(text, rules)?),
        (None, Some(Json::Bool(true))) if fields.len() == 1 => Holding::Pig,
        _ => return Err(wrong("end", Some(value), END)),
    };
    Ok(EndHand { seat, holding })
}

/// What an entry of `end` may be.
const END: &str = "a `hand`, `ready` with what it is worth or false, or `pig` true";

fn end_hand(fields: &Fields) -> Result<Holding, RequestError> {
    only(fields, &["hand", "missing", "only_missing"])?;
    let hand = fields.get("hand");
    let text = hand.and_then(Json::as_str).ok_or_else(|| wrong("hand", hand, "hand text"))?;
    let missing = fields.get("missing");
    let suit = missing
        .map(|value| missing_suit(value).ok_or_else(|| wrong("missing", Some(value), "m, p or s")));
    let only_missing = yes(fields, "only_missing")?;
    Ok(Holding::Hand { hand: text.to_owned(), missing: suit.transpose()?, only_missing })
}

fn deal(fields: &Fields, rules: &RuleSet) -> Result<Deal, (Option<usize>, RequestError)> {
    let listed = fields.get("deal");
    let events = listed.and_then(Json::as_array);
    let events = events.ok_or_else(|| (None, wrong("deal", listed, "a list of events")))?;
    let events: Result<Vec<_>, _> = (events.iter().enumerate())
        .map(|(step, value)| event(value, rules).map_err(|error| (Some(step), error)))
        .collect();
    let none = Fields::new();
    let players = match fields.get("end") {
        None => &none,
        value => object("end", value).map_err(|error| (None, error))?,
    };
    let end: Result<Vec<EndHand>, RequestError> =
        players.iter().map(|(name, value)| end(name, value, rules)).collect();
    let mut end = end.map_err(|error| (None, error))?;
    end.sort_by_key(|player| player.seat);
    Ok(Deal { events: events?, end })
}

impl Deal {
    /// Reads the fields `deal` and `end` of a request.
    ///
    /// # Errors
    /// The field or the event that is wrong.
    pub fn from_json(fields: &Map<String, Json>, rules: &RuleSet) -> Result<Self, DealFailure> {
        deal(fields, rules)
            .map_err(|(step, error)| DealFailure { step, ..DealFailure::from(error) })
    }
}

/// Ruling ids and choices.
type Chosen<'a> = Vec<(Cow<'a, str>, Cow<'a, str>)>;

fn rulings(fields: &Fields) -> Result<Chosen<'_>, RequestError> {
    let Some(value) = fields.get("rulings") else { return Ok(Vec::new()) };
    let chosen = object("rulings", Some(value))?.iter().map(|(id, choice)| {
        let text = choice.as_str().ok_or_else(|| wrong("rulings", Some(choice), "a choice"))?;
        Ok((Cow::Borrowed(id.as_str()), Cow::Borrowed(text)))
    });
    chosen.collect()
}

impl Library {
    /// Answers a request for a whole deal; `None` where the text is none, or its rule set does not play on
    /// after a win.
    pub(crate) fn answer_deal(&self, json: &str, brief: bool) -> Option<DealAnswer> {
        let Ok(Json::Object(fields)) = serde_json::from_str(json) else { return None };
        if !fields.contains_key("deal") || fields.contains_key("hand") {
            return None;
        }
        let failed = |failure: DealFailure| DealAnswer {
            rules: None,
            outcome: Err(failure),
            wins: Vec::new(),
            rulings: Vec::new(),
            brief: true,
        };
        let chosen = match rulings(&fields) {
            Ok(chosen) => chosen,
            Err(error) => return Some(failed(error.into())),
        };
        let rules = self.rule_set(fields.get("rules")?.as_str()?, &chosen).ok()?;
        if !rules.plays_on() {
            return None;
        }
        let known = only(&fields, &["rules", "rulings", "deal", "end"]);
        let deal = known.map_err(DealFailure::from).and_then(|()| Deal::from_json(&fields, &rules));
        let deal = match deal {
            Ok(deal) => deal,
            Err(failure) => return Some(failed(failure)),
        };
        let outcome = rules.play(&deal).map_err(DealFailure::from);
        let explained = !brief && outcome.is_ok();
        Some(DealAnswer {
            rules: Some(rules.id.clone()),
            wins: if explained { rules.wins(&deal) } else { Vec::new() },
            rulings: if brief { Vec::new() } else { rules.deal_effects(&deal) },
            outcome,
            brief,
        })
    }
}

/// Amounts by seats.
struct BySeat<'a>(&'a [i64; 4]);

impl Serialize for BySeat<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let amounts = Seat::ALL.into_iter().zip(self.0);
        serializer.collect_map(amounts.map(|(seat, amount)| (seat, AsText(amount))))
    }
}

impl Serialize for SettlementEntry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry("kind", &self.kind)?;
        map.serialize_entry("from", &self.from)?;
        match self.to {
            Some(to) => map.serialize_entry("to", &to)?,
            None => map.serialize_entry("to", "nobody")?,
        }
        map.serialize_entry("points", &AsText(self.points))?;
        map.end()
    }
}

impl Serialize for DealWin {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(5))?;
        map.serialize_entry("step", &self.step)?;
        map.serialize_entry("seat", &self.seat)?;
        map.serialize_entry("items", &self.items)?;
        map.serialize_entry("faan", &self.faan)?;
        map.serialize_entry("score", &self.score)?;
        map.end()
    }
}

impl Serialize for DealEffect {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("id", &self.id)?;
        map.serialize_entry("choice", &self.choice)?;
        match &self.outcome {
            Ok(payments) => map.serialize_entry("payments", &BySeat(payments))?,
            Err(failed) => {
                map.serialize_entry("ok", &false)?;
                map.serialize_entry("error", &DealFailure::from(failed.clone()).kind)?;
            }
        }
        map.end()
    }
}

impl Serialize for DealAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("ok", &self.outcome.is_ok())?;
        if let Some(rules) = &self.rules {
            map.serialize_entry("rules", rules)?;
        }
        match &self.outcome {
            Ok(outcome) => {
                let steps: Vec<BySeat> = outcome.steps.iter().map(BySeat).collect();
                map.serialize_entry("steps", &steps)?;
                map.serialize_entry("settlement", &outcome.settlement)?;
                map.serialize_entry("payments", &BySeat(&outcome.payments))?;
                map.serialize_entry("next_dealer", &outcome.next_dealer)?;
                if !self.brief {
                    map.serialize_entry("wins", &self.wins)?;
                }
            }
            Err(failure) => {
                map.serialize_entry("error", &failure.kind)?;
                map.serialize_entry("message", &failure.message)?;
                if let Some(step) = failure.step {
                    map.serialize_entry("step", &step)?;
                }
            }
        }
        if !self.brief {
            map.serialize_entry("rulings", &self.rulings)?;
        }
        map.end()
    }
}
