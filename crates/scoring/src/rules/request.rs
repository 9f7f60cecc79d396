//! A request to score a hand, as one JSON object (docs/formats.md).

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value as Json;
use thiserror::Error;

use super::{
    Circumstances, Contradiction, Fact, Facts, Halves, Indicators, Players, Responsible, RuleSet,
    Win, each_fact, file::Field,
};
use crate::tile::{Seat, Seats, Suit};

macro_rules! written {
    ($($group:ident { $($(#[$meaning:meta])* $name:ident: $fact:ident, $checked:ident, $label:tt;)* })*) => {
        /// A request to score a hand.
        // The object as written, with unchecked texts.
        #[derive(Debug, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "HandRequest"))]
        #[serde(deny_unknown_fields)]
        pub(super) struct Written<'a> {
            /// A rule set, or the path of a rule file.
            #[serde(borrow)]
            rules: Cow<'a, str>,
            /// The hand as text; with `win`: `none`, without a winning tile.
            #[serde(borrow)]
            hand: Cow<'a, str>,
            /// The winner's wind.
            #[serde(borrow)]
            #[cfg_attr(feature = "schema", schemars(regex(pattern = "^[ESWN]$")))]
            seat: Cow<'a, str>,
            /// The wind of the round.
            #[serde(borrow)]
            #[cfg_attr(feature = "schema", schemars(regex(pattern = "^[ESWN]$")))]
            round: Cow<'a, str>,
            /// How it was won; `none` for a hand that has not won, where the rules score these.
            #[serde(borrow)]
            #[cfg_attr(feature = "schema", schemars(regex(pattern = "^(self_draw|discard|rob_kong|none)$")))]
            win: Cow<'a, str>,
            /// The giver of the winning tile, or the robbed player: with `discard` and `rob_kong`.
            #[serde(borrow, default)]
            #[cfg_attr(feature = "schema", schemars(regex(pattern = "^[ESWN]$")))]
            from: Option<Cow<'a, str>>,
            /// An own minimum in place of that of the rules (chumchu).
            #[serde(default)]
            minimum: Option<Halves>,
            /// The number of players.
            #[serde(default)]
            #[cfg_attr(feature = "schema", schemars(range(min = 3, max = 4)))]
            players: Option<u8>,
            /// Who fed the last set of a set-liable hand, where the claimed sets do not show it (mmm-dk).
            #[serde(borrow, default)]
            #[cfg_attr(feature = "schema", schemars(regex(pattern = "^[ESWN]$")))]
            pao: Option<Cow<'a, str>>,
            /// Ruling ids and choices.
            #[serde(borrow, default)]
            #[cfg_attr(feature = "schema", schemars(with = "Option<std::collections::BTreeMap<String, String>>"))]
            rulings: Option<Chosen<'a>>,
            // Fields that only some rule sets know: any JSON, checked only under these rule sets.
            /// Dora indicators: one to five tiles as hand text.
            #[serde(default)]
            #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
            dora_indicators: Option<Json>,
            /// Indicators under these, which count with riichi.
            #[serde(default)]
            #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
            ura_indicators: Option<Json>,
            /// Counters on the table.
            #[serde(default)]
            #[cfg_attr(feature = "schema", schemars(with = "Option<u8>", range(max = 99)))]
            honba: Option<Json>,
            /// Riichi sticks on the table, the winner's own included.
            #[serde(default)]
            #[cfg_attr(feature = "schema", schemars(with = "Option<u16>", range(max = 999)))]
            sticks: Option<Json>,
            /// Who is liable for the hand, where the claimed sets do not show it.
            #[serde(default)]
            #[cfg_attr(feature = "schema", schemars(with = "Option<String>", regex(pattern = "^([ESWN]|none)$")))]
            responsible: Option<Json>,
            /// Norths put aside (riichi-sanma).
            #[serde(default)]
            #[cfg_attr(feature = "schema", schemars(with = "Option<u8>", range(max = 4)))]
            north: Option<Json>,
            /// Who had won before, such as `EN` (sichuan).
            #[serde(default)]
            #[cfg_attr(feature = "schema", schemars(with = "Option<String>", regex(pattern = "^[ESWN]*$")))]
            won: Option<Json>,
            /// The suit that the winner does not play (sichuan).
            #[serde(default)]
            #[cfg_attr(feature = "schema", schemars(with = "Option<String>", regex(pattern = "^[mps]$")))]
            missing: Option<Json>,
            /// The three losers' hands as text, by seat (classical sets).
            #[serde(default)]
            #[cfg_attr(feature = "schema", schemars(with = "Option<std::collections::BTreeMap<Seat, String>>"))]
            others: Option<Json>,
            /// Players whose hands are dead (classical sets).
            #[serde(default)]
            #[cfg_attr(feature = "schema", schemars(with = "Option<SeatList>"))]
            dead: Option<Json>,
            /// Players who had declared that they wait for a limit hand (classical sets); all, if this is left out.
            #[serde(default)]
            #[cfg_attr(feature = "schema", schemars(with = "Option<SeatList>"))]
            fishing: Option<Json>,
            $($(
                $(#[$meaning])*
                #[serde(default)]
                #[cfg_attr(feature = "schema", schemars(with = "Option<bool>"))]
                $name: Option<<$checked as Checked>::Written>,
            )*)*
        }

        impl Written<'_> {
            /// The facts that are true.
            fn facts(&mut self, known: &mut FieldReader) -> Facts {
                let mut facts = Facts::NONE;
                $($(
                    let field = (Field::$fact, stringify!($name));
                    let is = self.$name.take().is_some_and(|is| $checked::read(known, field, is));
                    facts = facts.with(Fact::$fact, is);
                )*)*
                facts
            }
        }
    };
}
each_fact!(written);

/// How a fact is written, by where it is checked.
trait Checked {
    type Written;

    fn read(known: &mut FieldReader, field: (Field, &'static str), is: Self::Written) -> bool;
}

/// A fact that every rule set checks.
struct Everywhere;

/// A fact that only some rule sets know: any JSON, checked under these.
struct WhereCounted;

impl Checked for Everywhere {
    type Written = bool;

    fn read(_: &mut FieldReader, _: (Field, &'static str), is: bool) -> bool {
        is
    }
}

impl Checked for WhereCounted {
    type Written = Json;

    fn read(known: &mut FieldReader, field: (Field, &'static str), is: Json) -> bool {
        known.read(field, Some(is), "true or false", Json::as_bool).unwrap_or(false)
    }
}

/// Rulings in the order in which they were written.
#[derive(Debug, Default)]
struct Chosen<'a>(Vec<(Cow<'a, str>, Cow<'a, str>)>);

impl<'de: 'a, 'a> Deserialize<'de> for Chosen<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Map<'a>(std::marker::PhantomData<&'a ()>);
        impl<'de: 'a, 'a> serde::de::Visitor<'de> for Map<'a> {
            type Value = Chosen<'a>;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object of ruling ids and choices")
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<Chosen<'a>, A::Error> {
                let mut chosen = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    chosen.push(entry);
                }
                Ok(Chosen(chosen))
            }
        }
        deserializer.deserialize_map(Map(std::marker::PhantomData))
    }
}

/// A request whose fields are valid; its hand is still text, its rule set a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request<'a> {
    /// A preset's id, or a path to a rule file.
    pub rules: Cow<'a, str>,
    /// Hand text.
    pub hand: Cow<'a, str>,
    /// The circumstances of the win.
    pub at: Circumstances,
    /// The number of players, where the request says it.
    pub players: Option<Players>,
    /// `from` with a self-draw: not allowed, but found out only after the hand was read.
    pub contradiction: Option<Contradiction>,
    /// Ruling ids and choices.
    pub rulings: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    /// Whether the hand won.
    pub has_won: bool,
    /// The losers' hands, as text, by their seats.
    pub others: Option<Vec<(Seat, String)>>,
    /// Players whose hands are dead.
    pub dead: Seats,
    /// Players who had declared that they wait for a limit hand.
    pub fishing: Seats,
    /// Wrong values of fields that only some rule sets know.
    wrong: Vec<(Field, RequestError)>,
}

impl Request<'_> {
    /// Looks for wrong values of fields that a rule set knows and others ignore.
    ///
    /// # Errors
    /// The first of them.
    pub fn check_fields(&self, rules: &RuleSet) -> Result<(), RequestError> {
        if !self.has_won && !rules.scores_losers() {
            let (field, value) = ("win", "none".to_owned());
            return Err(RequestError::Value { field, value, expected: WINS });
        }
        let wrong = self.wrong.iter().find(|(field, _)| rules.core.uses(*field));
        wrong.map_or(Ok(()), |(_, error)| Err(error.clone()))
    }
}

/// Reads the fields that only some rule sets know; a wrong one is noted and left out.
struct FieldReader {
    wrong: Vec<(Field, RequestError)>,
}

impl FieldReader {
    fn read<T>(
        &mut self,
        (field, name): (Field, &'static str),
        value: Option<Json>,
        expected: &'static str,
        read: impl Fn(&Json) -> Option<T>,
    ) -> Option<T> {
        let value = value?;
        let found = read(&value);
        if found.is_none() {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            self.wrong.push((field, RequestError::Value { field: name, value, expected }));
        }
        found
    }

    fn indicators(&mut self, field: (Field, &'static str), value: Option<Json>) -> Indicators {
        let read = |value: &Json| value.as_str()?.parse().ok();
        self.read(field, value, "one to five tiles, such as 4p7z", read).unwrap_or_default()
    }

    fn responsible(
        &mut self,
        field: (Field, &'static str),
        value: Option<Json>,
    ) -> Option<Responsible> {
        self.read(field, value, "E, S, W, N or none", |value| match value.as_str()? {
            "none" => Some(Responsible::Nobody),
            text => seat(field.1, text).ok().map(Responsible::Player),
        })
    }

    fn number<T: TryFrom<u64> + PartialOrd>(
        &mut self,
        field: (Field, &'static str),
        value: Option<Json>,
        expected: &'static str,
        most: u64,
    ) -> Option<T> {
        self.read(field, value, expected, |value| {
            value
                .as_u64()
                .filter(|&number| number <= most)
                .and_then(|number| number.try_into().ok())
        })
    }
}

/// Why a line is not a request.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RequestError {
    /// The line is not a JSON object, or a value has the wrong kind.
    #[error("not a request: {0}")]
    Json(String),
    /// A value that the field does not have.
    #[error("`{field}` is \"{value}\": expected {expected}")]
    Value {
        /// The field.
        field: &'static str,
        /// The given value.
        value: String,
        /// The allowed values.
        expected: &'static str,
    },
    /// A claim without its giver.
    #[error("`from` is missing: a claimed tile comes from E, S, W or N")]
    NoFrom,
}

pub(super) fn seat(field: &'static str, text: &str) -> Result<Seat, RequestError> {
    let mut letters = text.chars();
    match (letters.next().and_then(Seat::from_letter), letters.next()) {
        (Some(seat), None) => Ok(seat),
        _ => Err(RequestError::Value { field, value: text.to_owned(), expected: "E, S, W or N" }),
    }
}

impl<'a> Request<'a> {
    /// Reads one JSON object.
    ///
    /// # Errors
    /// [`RequestError`] names the field and what was expected.
    pub fn parse(json: &'a str) -> Result<Self, RequestError> {
        // A list of values in the right order would do for serde.
        if !json.trim_start().starts_with('{') {
            return Err(RequestError::Json("expected a JSON object".to_owned()));
        }
        let mut written: Written<'a> =
            serde_json::from_str(json).map_err(|error| RequestError::Json(error.to_string()))?;
        let from = written.from.as_deref().map(|from| seat("from", from)).transpose()?;
        let has_won = written.win != "none";
        let (win, contradiction) = win(&written.win, from)?;
        let players = written.players.map(players).transpose()?;
        let mut known = FieldReader { wrong: Vec::new() };
        let winds = (seat("seat", &written.seat)?, seat("round", &written.round)?);
        let facts = written.facts(&mut known);
        let at = Circumstances {
            minimum: written.minimum,
            players: players.unwrap_or_default(),
            pao: written.pao.as_deref().map(|pao| seat("pao", pao)).transpose()?,
            dora_indicators: known
                .indicators((Field::DoraIndicators, "dora_indicators"), written.dora_indicators),
            ura_indicators: known
                .indicators((Field::UraIndicators, "ura_indicators"), written.ura_indicators),
            honba: known
                .number((Field::Honba, "honba"), written.honba, "a number from 0 to 99", 99)
                .unwrap_or(0),
            sticks: known.number(
                (Field::Sticks, "sticks"),
                written.sticks,
                "a number from 0 to 999",
                999,
            ),
            responsible: known
                .responsible((Field::Responsible, "responsible"), written.responsible)
                .unwrap_or_default(),
            north: known
                .number((Field::North, "north"), written.north, "a number from 0 to 4", 4)
                .unwrap_or(0),
            won: known
                .read((Field::Won, "won"), written.won, "different seats, such as EN", seats)
                .unwrap_or_default(),
            missing_suit: known.read(
                (Field::Missing, "missing"),
                written.missing,
                "m, p or s",
                missing_suit,
            ),
            ..Circumstances::new(winds.0, winds.1, win).with_facts(facts)
        };
        let rulings = written.rulings.unwrap_or_default().0;
        let expected = "the hands of the three others, such as {\"E\": HAND, …}, with a win";
        let others = known.read((Field::Others, "others"), written.others, expected, |value| {
            others(value).filter(|hands| has_won && are_losers(hands, at.seat))
        });
        let expected = "a list of seats, such as [\"E\"]";
        let dead = known.read((Field::Others, "dead"), written.dead, expected, listed_seats);
        let fishing =
            known.read((Field::Others, "fishing"), written.fishing, expected, listed_seats);
        let (dead, all) = (dead.unwrap_or_default(), Seat::ALL.into_iter().collect());
        let fishing = fishing.unwrap_or(all);
        let FieldReader { wrong } = known;
        let (rules, hand) = (written.rules, written.hand);
        Ok(Self {
            rules,
            hand,
            at,
            players,
            contradiction,
            rulings,
            has_won,
            others,
            dead,
            fishing,
            wrong,
        })
    }
}

/// The values of `win`.
const WINS: &str = "self_draw, discard or rob_kong; none where hands that have not won are scored";

/// How a hand won, and what is wrong with `from`.
fn win(text: &str, from: Option<Seat>) -> Result<(Win, Option<Contradiction>), RequestError> {
    Ok(match (text, from) {
        ("self_draw", from) => (Win::SelfDraw, from.map(|_| Contradiction::FromSelfDraw)),
        ("discard", Some(from)) => (Win::Discard { from }, None),
        ("rob_kong", Some(from)) => (Win::RobKong { from }, None),
        // How it was won does not matter for a hand that has not.
        ("none", _) => (Win::SelfDraw, None),
        ("discard" | "rob_kong", None) => return Err(RequestError::NoFrom),
        (other, _) => {
            let value = other.to_owned();
            return Err(RequestError::Value { field: "win", value, expected: WINS });
        }
    })
}

fn players(number: u8) -> Result<Players, RequestError> {
    match number {
        4 => Ok(Players::Four),
        3 => Ok(Players::Three),
        other => {
            let value = other.to_string();
            Err(RequestError::Value { field: "players", value, expected: "3 or 4" })
        }
    }
}

/// Different seats as one text, such as `EN`.
fn seats(value: &Json) -> Option<Seats> {
    let text = value.as_str()?;
    let seats: Seats = text.chars().map(Seat::from_letter).collect::<Option<_>>()?;
    (seats.len() == text.len()).then_some(seats)
}

/// Seats as a list, or as one text.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "it describes a field that is read only under some rule sets")]
enum SeatList {
    Each(Vec<Seat>),
    Together(#[schemars(regex(pattern = "^[ESWN]*$"))] String),
}

/// Seats as a list, or as one text.
fn listed_seats(value: &Json) -> Option<Seats> {
    let Some(list) = value.as_array() else { return seats(value) };
    list.iter().map(|value| seat("", value.as_str()?).ok()).collect()
}

pub(super) fn missing_suit(value: &Json) -> Option<Suit> {
    match value.as_str()? {
        "m" => Some(Suit::Characters),
        "p" => Some(Suit::Dots),
        "s" => Some(Suit::Bamboo),
        _ => None,
    }
}

/// Hands by their seats.
fn others(value: &Json) -> Option<Vec<(Seat, String)>> {
    let each = value.as_object()?.iter();
    each.map(|(name, hand)| Some((seat("", name).ok()?, hand.as_str()?.to_owned()))).collect()
}

/// Whether these are the hands of just the three other players.
fn are_losers(hands: &[(Seat, String)], winner: Seat) -> bool {
    let seats: Seats = hands.iter().map(|(seat, _)| *seat).collect();
    hands.len() == 3 && seats.len() == 3 && !seats.contains(winner)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"{"rules":"mmm","hand":"1m","seat":"E","round":"S","win":"discard","from":"W","safe":true}"#;

    #[test]
    fn a_request_reads() {
        let request = Request::parse(GOOD).unwrap();
        assert_eq!(request.at.win, Win::Discard { from: Seat::West });
        assert_eq!(request.at.players, Players::Four);
    }

    #[test]
    fn errors_name_the_field() {
        let error =
            |from: &str, to: &str| Request::parse(&GOOD.replace(from, to)).unwrap_err().to_string();
        assert!(error(r#""seat":"E""#, r#""seat":"X""#).contains("`seat`"));
        assert!(error(r#""seat":"E","#, "").contains("seat"));
        assert!(error("discard", "tsumo").contains("`win`"));
        assert!(error(r#","from":"W""#, "").contains("`from`"));
        assert!(error(r#""safe":true"#, r#""players":5"#).contains("`players`"));
        assert!(error(r#""safe":true"#, r#""minimum":-1"#).contains("amount"));
        assert!(error(r#""safe":true"#, r#""last_tile":"yes""#).contains("boolean"));
        assert!(error(r#""safe":true"#, r#""note":"x""#).contains("unknown field `note`"));
        let list = r#"["mmm","1m","E","S","self_draw",null,null,null,null,null,null,null,null,null,null,null]"#;
        assert!(Request::parse(list).is_err());
        assert!(Request::parse("").is_err());
    }

    #[test]
    fn from_with_a_self_draw_is_reported_later() {
        let json = GOOD.replace("discard", "self_draw");
        assert_eq!(Request::parse(&json).unwrap().contradiction, Some(Contradiction::FromSelfDraw));
    }
}
