//! Calls of the packages for Python and JavaScript: what a function is given, as JSON, and what it answers.
//!
//! Fields of a win are those of a request to score. Where a function needs no win, those that are not given have usual
//! values: East's self-draw in the East round.

mod words;

use std::{fmt::Display, sync::Arc};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use words::WORDS;

use crate::{
    advice::{AdviceJson, Waits, Weighed},
    appraisal::{Appraisal, Input, appraise},
    convert::HandFormat,
    hand::Reading,
    layout::Hints,
    rules::{Circumstances, ErrorKind, Library, RuleSet},
    sight::SeenTile,
    tile::{Face, SeenFace, Tile},
};

/// Why a call has no answer: the cause, and what can be done about it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refused {
    /// The kind of error.
    pub kind: ErrorKind,
    /// The cause and the cure.
    pub message: String,
}

impl Refused {
    /// A refusal of a kind.
    pub fn new(kind: ErrorKind, message: impl Display) -> Self {
        Self { kind, message: message.to_string() }
    }
}

fn bad_request(message: impl Display) -> Refused {
    Refused::new(ErrorKind::BadRequest, message)
}

fn bad_hand(message: impl Display) -> Refused {
    Refused::new(ErrorKind::BadHand, message)
}

/// The fields of a request to score, without the hand.
type Fields = Map<String, Value>;

/// The rule set and the circumstances that fields give, and whether they give all of a win.
fn circumstances(
    library: &Library,
    mut fields: Fields,
) -> Result<(Arc<RuleSet>, Circumstances, bool), Refused> {
    let is_won = ["seat", "round", "win"].into_iter().all(|field| fields.contains_key(field));
    fields.insert("hand".to_owned(), "".into());
    for (field, usual) in [("rules", "mmm"), ("seat", "E"), ("round", "E"), ("win", "self_draw")] {
        fields.entry(field).or_insert_with(|| usual.into());
    }
    let text = Value::Object(fields).to_string();
    let (rules, request) = library.read(&text).map_err(bad_request)?;
    if let Some(contradiction) = request.contradiction {
        return Err(Refused::new(ErrorKind::NotAllowed, contradiction));
    }
    Ok((rules, request.at, is_won))
}

/// Whether kongs that only the number of tiles shows were claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kongs {
    /// They were not.
    Concealed,
    /// They were.
    Claimed,
}

/// What is said beside a picture.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PictureQuestion {
    /// Corrections: a tile's number and its face.
    pub fixes: Vec<(usize, String)>,
    /// The winning tile, where it is not marked.
    pub winning: Option<String>,
    /// The tiles of concealed kongs of four backs, as text.
    pub hidden: String,
    /// Whether kongs that only the number of tiles shows were claimed.
    pub kongs: Option<Kongs>,
    /// The fields of the win.
    pub fields: Fields,
}

impl PictureQuestion {
    /// Checks the question, before a picture is read for it.
    ///
    /// # Errors
    /// An unknown rule set, field, value or ruling; a text that is no tile.
    pub fn checked(self, library: &Library) -> Result<PictureCall, Refused> {
        let (rules, at, is_won) = circumstances(library, self.fields)?;
        let tile = |code: &str| code.parse::<Tile>().map_err(bad_request);
        let fixes = self.fixes.iter().map(|(number, code)| Ok((*number, tile(code)?)));
        let input = Input {
            hints: Hints {
                fixes: fixes.collect::<Result<_, Refused>>()?,
                winning: self.winning.as_deref().map(tile).transpose()?,
                whole: rules.whole_hand(),
                ..Hints::default()
            },
            hidden: named_tiles(&self.hidden)?,
            kongs_claimed: self.kongs.map(|kongs| kongs == Kongs::Claimed),
            at: is_won.then_some(at),
            ..Input::default()
        };
        Ok(PictureCall { rules, input })
    }
}

/// The tiles of a text, all of them named.
fn named_tiles(text: &str) -> Result<Vec<Tile>, Refused> {
    let tile = |face| match face {
        SeenFace::Tile(tile) => Ok(tile),
        SeenFace::Back | SeenFace::Unknown => {
            Err(bad_request(format!("`hidden` is \"{text}\": name each tile, such as 5p")))
        }
    };
    reading(text)?.concealed.into_iter().map(tile).collect()
}

fn reading(text: &str) -> Result<Reading, Refused> {
    text.parse().map_err(bad_hand)
}

/// A question about a picture that has been checked.
#[derive(Debug)]
pub struct PictureCall {
    rules: Arc<RuleSet>,
    input: Input,
}

impl PictureCall {
    /// The hand that the tiles of the picture make, and its worth where all of a win is given.
    ///
    /// # Errors
    /// A correction of a tile that is not there.
    pub fn appraised(&self, tiles: &[SeenTile]) -> Result<Appraisal, Refused> {
        let appraisal = appraise(tiles, &self.rules, &self.input);
        let count = appraisal.shown.tiles.len();
        match self.input.hints.fixes.iter().find(|(number, _)| *number >= count) {
            Some((number, _)) => Err(bad_request(format!(
                "`fixes` names tile {number}: the picture has {count} tiles, numbered from 0"
            ))),
            None => Ok(appraisal),
        }
    }
}

/// A question about a hand that is not complete.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HandQuestion {
    /// The hand, as text.
    pub hand: String,
    /// Tiles that lie face up elsewhere, as text.
    pub seen: String,
    /// The rule set and the seats.
    pub fields: Fields,
}

impl HandQuestion {
    /// The tiles that complete a hand one tile short.
    ///
    /// # Errors
    /// An unknown field or value, or a hand that is not one tile short.
    pub fn waits(self, library: &Library) -> Result<Waits, Refused> {
        let (rules, at, hand, seen) = self.read(library)?;
        Waits::of(&rules, &hand, &seen, &at).map_err(bad_hand)
    }

    /// What each discard of a hand leaves.
    ///
    /// # Errors
    /// An unknown field or value, or a hand that is no hand.
    pub fn advice(self, library: &Library) -> Result<AdviceJson, Refused> {
        let (rules, at, hand, seen) = self.read(library)?;
        let weighed = Weighed::new(&rules, &hand, &seen, &at).map_err(bad_hand)?;
        Ok(weighed.json(&rules, &hand))
    }

    fn read(
        self,
        library: &Library,
    ) -> Result<(Arc<RuleSet>, Circumstances, Reading, Vec<Face>), Refused> {
        let (rules, at, _) = circumstances(library, self.fields)?;
        Ok((rules, at, reading(&self.hand)?, reading(&self.seen)?.faces().collect()))
    }
}

/// A hand to be written in another notation.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conversion {
    /// The hand.
    pub text: String,
    /// Its notation.
    pub from: String,
    /// The other notation.
    pub to: String,
}

/// A hand in another notation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConvertedHand {
    /// The hand.
    pub text: String,
    /// What the notation cannot say.
    pub notes: Vec<String>,
}

impl Conversion {
    /// The hand in the other notation.
    ///
    /// # Errors
    /// An unknown notation, or a hand that cannot be read or written.
    pub fn done(&self) -> Result<ConvertedHand, Refused> {
        let format = |name: &str| name.parse::<HandFormat>().map_err(bad_request);
        let (from, to) = (format(&self.from)?, format(&self.to)?);
        let read = from.parse(&self.text).map_err(bad_hand)?;
        let written = to.print(&read.value).map_err(bad_hand)?;
        let notes = read.notes.into_iter().chain(written.notes).collect();
        Ok(ConvertedHand { text: written.value, notes })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn asked<T: serde::de::DeserializeOwned>(question: Value) -> T {
        serde_json::from_value(question).unwrap()
    }

    fn kind<T: std::fmt::Debug>(answer: Result<T, Refused>, said: &str) -> ErrorKind {
        let refused = answer.unwrap_err();
        assert!(refused.message.contains(said), "{refused}");
        refused.kind
    }

    #[test]
    fn a_hand_one_tile_short_is_asked_of_with_usual_seats() {
        let library = Library::default();
        let question: HandQuestion =
            asked(json!({ "hand": "123m456p78s99s (7'77z)", "seen": "6s9s" }));
        let waits = serde_json::to_value(question.waits(&library).unwrap()).unwrap();
        assert_eq!(waits["waits"][0]["tile"], "6s");
        assert_eq!(waits["waits"][0]["unseen"], 3);
    }

    #[test]
    fn what_is_wrong_with_a_question_has_its_kind() {
        let library = Library::default();
        let hand = |question: Value| asked::<HandQuestion>(question).waits(&library);
        let unknown = hand(json!({ "hand": "1m", "fields": { "colour": "red" } }));
        assert_eq!(kind(unknown, "unknown field `colour`"), ErrorKind::BadRequest);
        assert_eq!(kind(hand(json!({ "hand": "123q" })), "q"), ErrorKind::BadHand);
        let fields = json!({ "seat": "S", "round": "E", "win": "self_draw", "from": "E" });
        let given = hand(json!({ "hand": "1m", "fields": fields }));
        assert_eq!(kind(given, "nobody gave the tile"), ErrorKind::NotAllowed);
        let picture = |question: Value| asked::<PictureQuestion>(question).checked(&library);
        let backs = picture(json!({ "hidden": "5px" }));
        assert_eq!(kind(backs, "name each tile"), ErrorKind::BadRequest);
        let fixed = picture(json!({ "fixes": [[3, "1z"]] })).unwrap().appraised(&[]);
        assert_eq!(kind(fixed, "the picture has 0 tiles"), ErrorKind::BadRequest);
        let format = Conversion { text: "1m".into(), from: "morse".into(), to: "tenhou".into() };
        assert_eq!(kind(format.done(), "expected one of tilelens"), ErrorKind::BadRequest);
    }
}
