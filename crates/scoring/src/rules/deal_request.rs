//! A request for a whole deal, as one JSON object, and its answer.

use std::{borrow::Cow, collections::BTreeMap};

use serde::{Deserialize, Serialize, Serializer, de::DeserializeOwned};
use serde_json::{Map, Value as Json};

use super::{
    DealEffect, DealOutcome, DealWin, ErrorKind, Library, Request, RequestError, RuleSet, Worth,
    answer::{AsText, WrittenAnswer, WrittenEffect},
    deal::{
        Deal, DealError, DealEvent, EndHand, FailedStep, Holding, KongKind, SettlementEntry,
        WonHand,
    },
    request::missing_suit,
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DealFailure {
    /// The kind of error.
    #[serde(rename = "error")]
    pub kind: ErrorKind,
    /// The fault and the expected value, for people.
    pub message: String,
    /// The event at fault, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
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

/// A request as written. Its events are read one by one, so that an error names the event.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "DealRequest"))]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenDeal {
    /// A rule set in which play goes on after a win, or the path of a rule file.
    rules: String,
    /// Ruling ids and choices.
    #[serde(default)]
    rulings: BTreeMap<String, String>,
    /// The events in the order of play.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<written::Event>"))]
    deal: Vec<Json>,
    /// The players who had not won when the deal ended, by seat.
    #[serde(default)]
    end: BTreeMap<Seat, WrittenEnd>,
}

/// The events and the end of a deal, by themselves.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenPlay {
    deal: Vec<Json>,
    #[serde(default)]
    end: BTreeMap<Seat, WrittenEnd>,
}

#[derive(Clone, Copy, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
enum KongName {
    /// From four tiles of the hand.
    Concealed,
    /// With another player's discard.
    Claimed,
    /// Added to a claimed pung.
    Added,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Kong"))]
#[serde(deny_unknown_fields)]
struct WrittenKong {
    /// How it was made.
    kong: KongName,
    /// Who made it.
    seat: Seat,
    /// The giver of a claimed kong's tile.
    #[serde(default)]
    from: Option<Seat>,
    /// An added kong: not with the tile just drawn.
    #[serde(default)]
    late: bool,
    /// It was robbed.
    #[serde(default)]
    robbed: bool,
    /// The discard after it was won on.
    #[serde(default)]
    shot: bool,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "WinOfDeal"))]
#[serde(deny_unknown_fields)]
struct WrittenWin {
    /// A request for the winner's hand, or its `worth` in place of that; `rules` and `round` are not needed.
    #[cfg_attr(feature = "schema", schemars(schema_with = "written::win"))]
    win: Map<String, Json>,
    /// On the same tile as the win before.
    #[serde(default)]
    same: bool,
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "FalseWin"))]
#[serde(deny_unknown_fields)]
struct WrittenFalseWin {
    /// Who declared a win that was none.
    false_win: Seat,
}

/// One of `hand`, `ready` and `pig`.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "EndHand"))]
#[serde(deny_unknown_fields)]
struct WrittenEnd {
    /// The hand, as text, without a winning tile.
    #[serde(default)]
    hand: Option<String>,
    /// The suit that the player does not play.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>", regex(pattern = "^[mps]$")))]
    missing: Option<Json>,
    /// All discards were of that suit.
    #[serde(default)]
    only_missing: bool,
    /// What a ready hand is worth, or false for one that is not ready.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Option<written::Ready>"))]
    ready: Option<Json>,
    /// Whether the hand holds a tile of the missing suit.
    #[serde(default)]
    pig: bool,
}

/// What an entry of `end` may be.
const END: &str = "a `hand`, `ready` with what it is worth or false, or `pig` true";

fn read<T: DeserializeOwned>(value: impl Into<Json>) -> Result<T, RequestError> {
    serde_json::from_value(value.into()).map_err(|error| RequestError::Json(error.to_string()))
}

fn kong(value: Json) -> Result<DealEvent, RequestError> {
    let WrittenKong { kong, seat, from, late, robbed, shot } = read(value)?;
    let kind = match kong {
        KongName::Concealed => KongKind::Concealed,
        KongName::Claimed => KongKind::Claimed { from: from.ok_or(RequestError::NoFrom)? },
        KongName::Added => KongKind::Added { late },
    };
    Ok(DealEvent::Kong { seat, kind, robbed, shot })
}

fn win(value: Json, rules: &RuleSet) -> Result<DealEvent, RequestError> {
    let WrittenWin { win: mut request, same } = read(value)?;
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
    Ok(DealEvent::Win { hand, at, contradiction, same })
}

/// What a hand is worth, as players say it.
fn worth(value: &Json, rules: &RuleSet) -> Result<Worth, RequestError> {
    let wrong =
        |expected| RequestError::Value { field: "worth", value: value.to_string(), expected };
    let text = value.as_str().ok_or_else(|| wrong("a text, such as \"2\""))?;
    rules.read_worth(text).map_err(|error| RequestError::Json(error.to_string()))
}

fn false_win(value: Json) -> Result<DealEvent, RequestError> {
    let WrittenFalseWin { false_win: seat } = read(value)?;
    Ok(DealEvent::FalseWin { seat })
}

fn event(value: Json, rules: &RuleSet) -> Result<DealEvent, RequestError> {
    let has = |field| value.get(field).is_some();
    match (has("kong"), has("false_win")) {
        (true, _) => kong(value),
        (false, true) => false_win(value),
        (false, false) => win(value, rules),
    }
}

fn end((seat, player): (Seat, WrittenEnd), rules: &RuleSet) -> Result<EndHand, RequestError> {
    let WrittenEnd { hand, missing, only_missing, ready, pig } = player;
    let suit = |value: Json| {
        let (field, expected) = ("missing", "m, p or s");
        missing_suit(&value).ok_or_else(|| {
            let value = value.to_string();
            RequestError::Value { field, value, expected }
        })
    };
    let is_said = missing.is_none() && !only_missing;
    let holding = match (hand, ready, pig) {
        (Some(hand), None, false) => {
            Holding::Hand { hand, missing: missing.map(suit).transpose()?, only_missing }
        }
        (None, Some(Json::Bool(false)), false) if is_said => Holding::NotReady,
        (None, Some(text), false) if is_said => Holding::Ready(worth(&text, rules)?),
        (None, None, true) if is_said => Holding::Pig,
        _ => {
            let value = seat.to_string();
            return Err(RequestError::Value { field: "end", value, expected: END });
        }
    };
    Ok(EndHand { seat, holding })
}

impl WrittenPlay {
    fn deal(self, rules: &RuleSet) -> Result<Deal, DealFailure> {
        let event = |(step, value): (usize, Json)| {
            let at = |error| DealFailure { step: Some(step), ..DealFailure::from(error) };
            event(value, rules).map_err(at)
        };
        let events = self.deal.into_iter().enumerate().map(event).collect::<Result<_, _>>()?;
        let end = self.end.into_iter().map(|player| end(player, rules));
        Ok(Deal { events, end: end.collect::<Result<_, _>>()? })
    }
}

impl Deal {
    /// Reads the fields `deal` and `end` of a request.
    ///
    /// # Errors
    /// The field or the event that is wrong.
    pub fn from_json(fields: &Map<String, Json>, rules: &RuleSet) -> Result<Self, DealFailure> {
        read::<WrittenPlay>(fields.clone())?.deal(rules)
    }
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
        let written: WrittenDeal = match read(fields) {
            Ok(written) => written,
            Err(error) => return Some(failed(error.into())),
        };
        let chosen = written.rulings.iter();
        let chosen: Vec<_> =
            chosen.map(|(id, choice)| (Cow::from(id.clone()), Cow::from(choice.clone()))).collect();
        let rules = self.rule_set(&written.rules, &chosen).ok()?;
        if !rules.plays_on() {
            return None;
        }
        let WrittenDeal { deal, end, .. } = written;
        let deal = match (WrittenPlay { deal, end }).deal(&rules) {
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
pub(super) struct BySeat([i64; 4]);

impl Serialize for BySeat {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let amounts = Seat::ALL.into_iter().zip(self.0);
        serializer.collect_map(amounts.map(|(seat, amount)| (seat, AsText(amount))))
    }
}

/// Writes what a deal comes to under another ruling.
pub(super) fn written_effect<S: Serializer>(
    outcome: &Result<[i64; 4], FailedStep>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let failed = |failed: &FailedStep| DealFailure::from(failed.clone()).kind;
    let payments = outcome.as_ref().map(|payments| BySeat(*payments));
    WrittenEffect::of(payments.map_err(failed)).serialize(serializer)
}

/// What a deal comes to, as it is written.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "DealScore"))]
struct WrittenOutcome<'a> {
    /// The payments of each event.
    steps: Vec<BySeat>,
    /// Payments at the end.
    settlement: &'a [SettlementEntry],
    /// All payments together.
    payments: BySeat,
    /// Who deals next.
    next_dealer: Seat,
    /// The wins with their items; unless the request was brief.
    #[serde(skip_serializing_if = "Option::is_none")]
    wins: Option<&'a [DealWin]>,
}

type Written<'a> = WrittenAnswer<'a, WrittenOutcome<'a>, &'a DealFailure, DealEffect>;

impl<'a> WrittenOutcome<'a> {
    fn of(outcome: &'a DealOutcome, wins: Option<&'a [DealWin]>) -> Self {
        Self {
            steps: outcome.steps.iter().map(|step| BySeat(*step)).collect(),
            settlement: &outcome.settlement,
            payments: BySeat(outcome.payments),
            next_dealer: outcome.next_dealer,
            wins,
        }
    }
}

impl Serialize for DealAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { rules, outcome, wins, rulings, brief } = self;
        let wins = (!brief).then_some(&wins[..]);
        let outcome = outcome.as_ref().map(|outcome| WrittenOutcome::of(outcome, wins));
        Written::new(rules.as_deref(), outcome, rulings, *brief).serialize(serializer)
    }
}

#[cfg(feature = "schema")]
mod written {
    use schemars::{JsonSchema, Schema, SchemaGenerator};
    use serde_json::json;

    use super::{BySeat, DealAnswer, Written, WrittenFalseWin, WrittenKong, WrittenWin};
    use crate::{
        rules::request,
        schema::{amounts, described_as},
    };

    /// An event of a deal.
    #[derive(JsonSchema)]
    #[serde(untagged)]
    #[expect(dead_code, reason = "it describes events, which are read by their fields")]
    pub(super) enum Event {
        Kong(WrittenKong),
        Win(WrittenWin),
        FalseWin(WrittenFalseWin),
    }

    /// A hand at the end that is ready, or not.
    #[derive(JsonSchema)]
    #[serde(untagged)]
    #[expect(dead_code, reason = "it describes a field that is read by the rule set")]
    pub(super) enum Ready {
        /// What it is worth, as players say it.
        Worth(String),
        /// False: it is not ready.
        Not(bool),
    }

    /// A request for a hand, of which the deal knows the rules and the round; what it is worth may stand for the hand.
    pub fn win(generator: &mut SchemaGenerator) -> Schema {
        let mut request = request::Written::json_schema(generator);
        if let Some(required) = request.get_mut("required").and_then(|it| it.as_array_mut()) {
            required.retain(|field| field != "rules" && field != "round" && field != "hand");
        }
        if let Some(known) = request.get_mut("properties").and_then(|it| it.as_object_mut()) {
            let about = "What the hand is worth, as players say it.";
            known.insert("worth".to_owned(), json!({ "description": about, "type": "string" }));
        }
        request
    }

    described_as!("DealAnswer", DealAnswer, Written<'static>);
    described_as!("Payments", BySeat, |generator| amounts(generator));
}
