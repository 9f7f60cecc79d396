//! The operator's entries beside the picture, as fields of a scoring request (docs/formats.md).

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::wording::refusal;
use crate::{
    appraisal::Input,
    hand::Reading,
    layout::Hints,
    points::Points,
    rules::{Library, RuleSet, Win, Worth, hand_request},
    schema::described_as,
    table::{OtherHand, TableError, TileWas, Verdict, WinBy, verdict},
    tile::{Seat, SeenFace, Side, Tile},
};

/// Fields of a scoring request without its hand; without `win` nothing is scored. Further fields: `winning` (a tile's
/// code), `hidden` (tiles of concealed kongs that show backs), `flowers` (flowers and seasons outside the picture),
/// `riichi_by` (the winds of the players who have declared riichi in this deal), and fields for a ledger and pages:
/// `tile` (earlier discards of it: `fresh`, `own`, `passed`), `names` by seat, `title`, and `dealer` (the dealer's seat
/// in the first deal of the round). Typed input takes precedence over the picture: `hand` (hand text), or `worth` (`7`,
/// `3/30`), or `payments` (points received, by wind). `scores` are what the others' hands are worth, by wind, where the
/// rules score them too.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(transparent)]
pub struct Context(Map<String, Value>);

/// The fields of a context that no scoring request has.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "it describes fields that are read one by one")]
struct ContextFields {
    /// The winning tile's code.
    winning: Option<String>,
    /// Tiles of concealed kongs that show backs, as text.
    hidden: Option<String>,
    /// Flowers and seasons outside the picture, as text.
    flowers: Option<String>,
    /// The winds of the players who have declared riichi in this deal.
    riichi_by: Option<Vec<Seat>>,
    /// Earlier discards of the winning tile: `fresh`, `own` or `passed`.
    tile: Option<String>,
    /// The players' names.
    names: Option<BTreeMap<Seat, String>>,
    /// The title of the evening.
    title: Option<String>,
    /// The dealer's seat in the first deal of the round.
    dealer: Option<Seat>,
    /// The typed worth of the hand: `7`, `3/30`.
    worth: Option<String>,
    /// The typed payments: the points received, as text.
    payments: Option<BTreeMap<Seat, String>>,
    /// The worths of the others' hands, where the rules score them.
    scores: Option<BTreeMap<Seat, String>>,
}

described_as!("Context", Context, |generator| {
    let mut context = hand_request(generator);
    let own = ContextFields::json_schema(generator).get_mut("properties").map(Value::take);
    if let (Some(Value::Object(fields)), Some(Value::Object(own))) =
        (context.get_mut("properties"), own)
    {
        for required in ["rules", "hand", "seat", "round", "win"] {
            fields[required]["type"] = json!(["string", "null"]);
        }
        fields.extend(own);
        // It is sent back as it came.
        fields.insert("minimum".to_owned(), json!({ "type": ["integer", "string", "null"] }));
    }
    context.remove("required");
    let about =
        "Fields of a scoring request beside a picture, and those of pages; null removes one.";
    context.insert("description".to_owned(), about.into());
    context
});

/// The message for an invalid context.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ContextError(pub String);

impl From<TableError> for ContextError {
    fn from(error: TableError) -> Self {
        Self(refusal(&error, error.cure().as_ref()))
    }
}

/// The typed result of a won deal.
#[derive(Clone, Debug, PartialEq)]
pub enum Typed {
    /// The winner's hand.
    Hand(Reading),
    /// The hand's worth.
    Worth(Worth),
    /// The points that each player received (negative: paid); a missing player received nothing.
    Payments(BTreeMap<Seat, Points>),
}

/// The fields of [`Typed`].
pub const TYPED: [&str; 3] = ["hand", "worth", "payments"];

/// The field of the others' typed worths.
pub const SCORES: &str = "scores";

/// Fields that no scoring request has.
const FREE_TEXT: [&str; 6] = ["dealer", "names", "others", SCORES, "tile", "title"];
/// The longest context, in bytes of JSON.
const MOST: usize = 4096;

impl Context {
    /// A context of a rule set in which East sits in the east round and nobody has won yet.
    pub fn new(rules: &str) -> Self {
        let fields = [("rules", rules), ("seat", "E"), ("round", "E")];
        Self(fields.into_iter().map(|(field, value)| (field.to_owned(), value.into())).collect())
    }

    /// A field that holds text.
    pub fn text(&self, field: &str) -> Option<&str> {
        self.0.get(field).and_then(Value::as_str)
    }

    /// Whether a hand, its worth or payments are typed.
    pub fn is_typed(&self) -> bool {
        TYPED.iter().any(|field| self.0.contains_key(*field))
    }

    /// This context without typed fields.
    #[must_use]
    pub fn without_typed(&self) -> Self {
        let mut fields = self.0.clone();
        fields.retain(|field, _| !TYPED.contains(&field.as_str()) && field != SCORES);
        Self(fields)
    }

    /// The others' hands, by wind, where the rules score them too: their tiles, or else what they are worth.
    ///
    /// # Errors
    /// A text that is no worth, or a worth above the limit.
    pub fn others(&self, rules: &RuleSet) -> Result<BTreeMap<Seat, OtherHand>, ContextError> {
        let wrong = |error: &dyn std::fmt::Display| ContextError(error.to_string());
        let mut others = BTreeMap::new();
        let fishing = self.0.get("fishing").cloned().map(serde_json::from_value::<Vec<Seat>>);
        let wrong_list = |_| ContextError("`fishing` is a list of E, S, W and N".to_owned());
        let fishing = fishing.transpose().map_err(wrong_list)?;
        let not_fishing = |seat: &Seat| fishing.as_ref().is_some_and(|all| !all.contains(seat));
        if !rules.scores_losers() {
            return Ok(others);
        }
        let texts = |field: &str| -> Result<BTreeMap<Seat, String>, ContextError> {
            let texts = self.0.get(field).cloned().map(serde_json::from_value).transpose();
            let why = || format!("`{field}` are texts by E, S, W and N");
            texts.map(Option::unwrap_or_default).map_err(|_| ContextError(why()))
        };
        for (seat, text) in texts(SCORES)? {
            let text = text.trim();
            if !text.is_empty() && seat != self.seat() {
                let worth = rules.read_worth(text).map_err(|error| wrong(&error))?;
                let worth = Some(worth);
                let not_fishing = not_fishing(&seat);
                others.insert(seat, OtherHand { worth, not_fishing, ..OtherHand::default() });
            }
        }
        for (seat, hand) in texts("others")? {
            let (hand, not_fishing) = (Some(hand), not_fishing(&seat));
            others.insert(seat, OtherHand { hand, not_fishing, ..OtherHand::default() });
        }
        Ok(others)
    }

    /// Whether fields have these values.
    pub fn has(&self, fields: &Map<String, Value>) -> bool {
        fields.iter().all(|(field, value)| self.0.get(field) == Some(value))
    }

    /// What fields are now, as changes that bring it back.
    pub fn before(&self, fields: &Map<String, Value>) -> Map<String, Value> {
        let now = |field: &String| self.0.get(field).cloned().unwrap_or_default();
        fields.keys().map(|field| (field.clone(), now(field))).collect()
    }

    /// The fields that differ from another context's.
    pub fn changed_from(&self, other: &Self) -> Vec<String> {
        let fields: BTreeSet<&String> = self.0.keys().chain(other.0.keys()).collect();
        let is_other = |field: &&&String| self.0.get(**field) != other.0.get(**field);
        fields.iter().filter(is_other).map(|field| (*field).clone()).collect()
    }

    /// The rules alone: not the players, and nothing of the hand.
    #[must_use]
    pub fn of_rules(&self) -> Self {
        let mut fields = self.0.clone();
        fields.retain(|field, _| ["rules", "rulings", "round"].contains(&field.as_str()));
        Self(fields)
    }

    /// The number of players, where it is given.
    pub fn players(&self) -> Option<usize> {
        self.0.get("players").and_then(Value::as_u64).map(|players| players as usize)
    }

    /// The winner's wind.
    pub fn seat(&self) -> Seat {
        let letter = self.text("seat").and_then(|text| text.chars().next());
        letter.and_then(Seat::from_letter).unwrap_or_default()
    }

    /// The wind of the round.
    pub fn round(&self) -> Seat {
        let letter = self.text("round").and_then(|text| text.chars().next());
        letter.and_then(Seat::from_letter).unwrap_or_default()
    }

    /// The field for earlier discards of the winning tile; a safe tile without it counts as one that the winner has
    /// discarded.
    pub fn tile(&self) -> Option<TileWas> {
        match self.text("tile") {
            Some("fresh") => Some(TileWas::Fresh),
            Some("own") => Some(TileWas::Own),
            Some("passed") => Some(TileWas::Passed),
            _ => self.is("safe").then_some(TileWas::Own),
        }
    }

    /// The typed result of the deal, under these rules.
    ///
    /// # Errors
    /// An invalid text, a hand with tiles that no hand has, or more than one typed field.
    pub fn typed(&self, rules: &RuleSet) -> Result<Option<Typed>, ContextError> {
        let wrong = |error: &dyn std::fmt::Display| ContextError(error.to_string());
        let said: Vec<&str> =
            TYPED.into_iter().filter(|field| self.0.contains_key(*field)).collect();
        match said[..] {
            [] => Ok(None),
            ["payments"] => {
                let payments = self.0.get("payments").cloned().unwrap_or_default();
                let texts: BTreeMap<Seat, String> = serde_json::from_value(payments)
                    .map_err(|_| wrong(&"`payments` are amounts by E, S, W and N, as text"))?;
                let amount = |(seat, text): (Seat, String)| {
                    let points = text.parse().map_err(|error| wrong(&error))?;
                    Ok::<(Seat, Points), ContextError>((seat, points))
                };
                texts
                    .into_iter()
                    .map(amount)
                    .collect::<Result<_, _>>()
                    .map(Typed::Payments)
                    .map(Some)
            }
            [field] => {
                let text =
                    self.text(field).ok_or_else(|| wrong(&format!("`{field}` is no text")))?;
                if field == "worth" {
                    let worth = rules.read_worth(text).map_err(|error| wrong(&error))?;
                    return Ok(Some(Typed::Worth(worth)));
                }
                let reading: Reading = text.parse().map_err(|error| wrong(&error))?;
                let whole = rules.whole_hand().tiles();
                reading.can_become(whole).map_err(|error| wrong(&error))?;
                Ok(Some(Typed::Hand(reading)))
            }
            _ => Err(wrong(&"say one of a hand, its worth or the payments")),
        }
    }

    /// The winds of those who have declared riichi in this deal.
    pub fn riichi_by(&self) -> Vec<Seat> {
        let declared = self.0.get("riichi_by").cloned().unwrap_or_default();
        serde_json::from_value(declared).unwrap_or_default()
    }

    /// Whether the winner has declared riichi, but not in the first go-around.
    pub fn in_riichi(&self) -> bool {
        let declared = self.is("riichi") || self.riichi_by().contains(&self.seat());
        declared && !self.is("double_riichi")
    }

    /// The number of Norths that the winner has put aside.
    pub fn north(&self) -> u8 {
        let north = self.0.get("north").and_then(Value::as_u64);
        north.and_then(|north| u8::try_from(north).ok()).unwrap_or_default()
    }

    /// Whether a boolean field is true.
    pub fn is(&self, field: &str) -> bool {
        self.0.get(field).and_then(Value::as_bool).unwrap_or_default()
    }

    /// A player's name, by his wind.
    pub fn name(&self, wind: Seat) -> Option<&str> {
        self.0.get("names")?.get(wind.to_string())?.as_str()
    }

    /// The number of players, and the dealer by seat in the first deal of the round.
    fn deal(&self) -> (usize, usize) {
        let players = self.0.get("players").and_then(Value::as_u64);
        let letter = self.text("dealer").and_then(|text| text.chars().next());
        let dealer = letter.and_then(Seat::from_letter).map_or(0, Seat::index);
        (if players == Some(3) { 3 } else { 4 }, dealer)
    }

    /// The seat, in the first deal of the round, of the player with a wind.
    pub fn place_of(&self, wind: Seat) -> Seat {
        let (players, dealer) = self.deal();
        Seat::ALL[(wind.index() + dealer) % players]
    }

    /// The wind of the player at a seat; `None` for an empty seat.
    pub fn wind_at(&self, place: Seat) -> Option<Seat> {
        let (players, dealer) = self.deal();
        let is_taken = place.index() < players;
        is_taken.then(|| Seat::ALL[(place.index() + players - dealer % players) % players])
    }

    /// The wind of the neighbour on a side of a player; `None` for an empty side. Three players leave one side of the
    /// table empty: winds go round among them, sides do not.
    pub fn neighbour(&self, wind: Seat, side: Side) -> Option<Seat> {
        self.wind_at(self.place_of(wind).neighbour(side))
    }

    /// The context for another player, with a self-drawn win.
    pub fn of_seat(&self, wind: Seat) -> Self {
        let mut fields = self.0.clone();
        let kept =
            ["rules", "rulings", "round", "players", "riichi_by", "dora_indicators", "honba"];
        fields.retain(|field, _| kept.contains(&field.as_str()));
        fields.insert("seat".to_owned(), wind.to_string().into());
        fields.insert("win".to_owned(), "self_draw".into());
        Self(fields)
    }

    /// This context with some fields changed; `null` removes a field.
    ///
    /// # Errors
    /// Where the changed context is invalid.
    pub fn with(
        &self,
        changes: Map<String, Value>,
        library: &Library,
    ) -> Result<Self, ContextError> {
        let mut fields = self.0.clone();
        for (field, value) in changes {
            if value.is_null() {
                fields.remove(&field);
            } else {
                fields.insert(field, value);
            }
        }
        let changed = Self(fields);
        if serde_json::to_string(&changed.0).map_or(0, |text| text.len()) > MOST {
            return Err(ContextError(format!("a context has at most {MOST} bytes")));
        }
        changed.resolve(library)?;
        Ok(changed)
    }

    /// The rule set, and the input for reading and scoring.
    ///
    /// # Errors
    /// An unknown rule set, field value or ruling.
    pub fn resolve(&self, library: &Library) -> Result<(Arc<RuleSet>, Input), ContextError> {
        let wrong = |error: &dyn std::fmt::Display| ContextError(error.to_string());
        let mut fields = self.0.clone();
        for field in FREE_TEXT.into_iter().chain(TYPED) {
            fields.remove(field);
        }
        let winning = tiles(fields.remove("winning"))?.first().copied();
        let hidden = tiles(fields.remove("hidden"))?;
        let flowers = tiles(fields.remove("flowers"))?;
        if let Some(tile) = flowers.iter().find(|tile| !tile.face().is_bonus()) {
            let why = format!("`flowers` holds {tile}: expected flowers and seasons, such as 1f5f");
            return Err(ContextError(why));
        }
        if let Some(declared) = fields.remove("riichi_by") {
            let all: Vec<Seat> = serde_json::from_value(declared)
                .map_err(|_| ContextError("`riichi_by` is no list of E, S, W and N".to_owned()))?;
            if self.in_riichi() {
                fields.insert("riichi".to_owned(), true.into());
            }
            // The winner gets back the own stick and wins the others'.
            let others = all.iter().filter(|seat| **seat != self.seat()).count();
            let lay = fields.get("sticks").and_then(Value::as_u64).unwrap_or(0);
            fields.insert("sticks".to_owned(), (lay + others as u64).into());
        }
        let is_won = fields.contains_key("win");
        if !is_won {
            fields.insert("win".to_owned(), "self_draw".into());
            fields.remove("from");
        }
        fields.insert("hand".to_owned(), "".into());
        let text = Value::Object(fields).to_string();
        let (rules, request) = library.read(&text).map_err(ContextError)?;
        if let Some(contradiction) = request.contradiction {
            return Err(wrong(&contradiction));
        }
        self.typed(&rules)?;
        self.others(&rules)?;
        let mut at = request.at;
        let by = match at.win {
            Win::SelfDraw => WinBy::SelfDraw,
            Win::Discard { .. } => WinBy::Discard,
            Win::RobKong { .. } => WinBy::RobKong,
        };
        let judged = self.tile().map(|was| verdict(rules.session().discards, was, by));
        at.safe |= judged == Some(Verdict::Safe);
        let input = Input {
            hints: Hints { winning, whole: rules.whole_hand(), ..Hints::default() },
            hidden,
            flowers,
            kongs_claimed: None,
            at: is_won.then_some(at),
        };
        Ok((rules, input))
    }
}

fn tiles(value: Option<Value>) -> Result<Vec<Tile>, ContextError> {
    let Some(value) = value else { return Ok(Vec::new()) };
    let text = value.as_str().unwrap_or("?");
    let wrong = || ContextError(format!("\"{text}\" names no tiles: write 5p, or 5p7z for two"));
    let reading: Reading = text.parse().map_err(|_| wrong())?;
    let faces = reading.concealed.into_iter().chain(reading.bonus);
    faces
        .map(|face| match face {
            SeenFace::Tile(tile) => Ok(tile),
            SeenFace::Back | SeenFace::Unknown => Err(wrong()),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn changed(changes: Value) -> Result<Input, ContextError> {
        let Value::Object(changes) = changes else { panic!("an object") };
        let library = Library::default();
        Ok(Context::new("mmm").with(changes, &library)?.resolve(&library)?.1)
    }

    #[test]
    fn nothing_is_scored_until_the_win_is_given() {
        assert!(changed(json!({})).unwrap().at.is_none());
        let input = changed(json!({"win": "discard", "from": "W", "seat": "S"})).unwrap();
        assert_eq!(input.at.unwrap().win, Win::Discard { from: Seat::West });
    }

    #[test]
    fn winds_go_round_as_the_deal_passes() {
        let Value::Object(changes) = json!({ "dealer": "S" }) else { panic!("an object") };
        let mut context = Context::new("mmm").with(changes, &Library::default()).unwrap();
        assert_eq!(context.place_of(Seat::East), Seat::South);
        assert_eq!(context.wind_at(Seat::East), Some(Seat::North));
        context.0.insert("players".to_owned(), json!(3));
        assert_eq!(context.wind_at(Seat::East), Some(Seat::West));
        assert_eq!(context.wind_at(Seat::North), None);
        for wind in [Seat::East, Seat::South, Seat::West] {
            assert_eq!(context.wind_at(context.place_of(wind)), Some(wind));
        }
    }

    #[test]
    fn three_players_leave_one_side_of_the_table_empty() {
        let Value::Object(changes) = json!({ "dealer": "W", "players": 3, "rules": "chumchu" })
        else {
            panic!("an object")
        };
        // In the first deal of the round they sat East, South, West; now the one who sat West deals.
        let context = Context::new("mmm").with(changes, &Library::default()).unwrap();
        assert_eq!(context.neighbour(Seat::East, Side::Opposite), Some(Seat::South));
        assert_eq!(context.neighbour(Seat::East, Side::Left), Some(Seat::West));
        assert_eq!(context.neighbour(Seat::East, Side::Right), None, "where North would sit");
        assert_eq!(context.neighbour(Seat::West, Side::Right), Some(Seat::East));
        assert_eq!(context.neighbour(Seat::West, Side::Left), Some(Seat::South));
    }

    #[test]
    fn who_declared_riichi_wins_in_riichi_and_takes_the_others_sticks() {
        let input = |more: Value| {
            let mut changes = json!({
                "rules": "riichi", "seat": "S", "win": "self_draw", "sticks": 2,
                "riichi_by": ["E", "S", "N"],
            });
            for (field, value) in more.as_object().unwrap() {
                changes[field] = value.clone();
            }
            changed(changes).unwrap().at.unwrap()
        };
        let at = input(json!({}));
        assert_eq!((at.riichi, at.double_riichi, at.sticks), (true, false, Some(4)));
        let at = input(json!({ "double_riichi": true }));
        assert_eq!((at.riichi, at.double_riichi, at.sticks), (false, true, Some(4)));
        let at = input(json!({ "seat": "W" }));
        assert_eq!((at.riichi, at.sticks), (false, Some(5)), "West has declared nothing");
    }

    #[test]
    fn what_is_typed_is_read_by_the_rules() {
        let context = |changes: Value| {
            let Value::Object(changes) = changes else { panic!("an object") };
            let library = Library::default();
            let context = Context::new("mmm").with(changes, &library)?;
            context.typed(&context.resolve(&library)?.0)
        };
        let worth = context(json!({ "worth": "3½" })).unwrap().unwrap();
        assert!(matches!(worth, Typed::Worth(Worth::Counted { points: None, .. })), "{worth:?}");
        let hand = context(json!({ "hand": "123m456p789s1115z +5z" })).unwrap().unwrap();
        assert!(matches!(hand, Typed::Hand(reading) if reading.winning.is_some()));
        let paid = json!({ "payments": { "S": "127½", "N": "-127.5" } });
        let Some(Typed::Payments(paid)) = context(paid).unwrap() else { panic!("payments") };
        assert_eq!(paid[&Seat::North], -paid[&Seat::South]);
        assert_eq!(context(json!({})).unwrap(), None);
        for (changes, said) in [
            (json!({ "worth": "much" }), "`much` is not a worth"),
            (json!({ "worth": 7 }), "`worth` is no text"),
            (json!({ "hand": "123q" }), "q"),
            (json!({ "payments": { "S": "lots" } }), "`lots` is no number of points"),
            (json!({ "payments": { "X": "1" } }), "E, S, W and N"),
            (json!({ "worth": "7", "hand": "123m" }), "say one of"),
        ] {
            let error = context(changes).unwrap_err().0;
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn a_safe_tile_is_said_in_either_way() {
        let of_chumchu = |more: Value| {
            let mut changes =
                json!({ "rules": "chumchu", "seat": "S", "win": "discard", "from": "W" });
            changes.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            changed(changes).unwrap().at.unwrap().safe
        };
        assert!(of_chumchu(json!({ "safe": true })) && of_chumchu(json!({ "tile": "passed" })));
        assert!(!of_chumchu(json!({})) && !of_chumchu(json!({ "tile": "fresh" })));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let error = |changes| changed(changes).unwrap_err().0;
        assert!(error(json!({"rules": "nobody's"})).contains("nobody's"));
        assert!(error(json!({"rules": "/etc/passwd.toml"})).contains("no rule set"));
        assert!(error(json!({"win": "discard"})).contains("from"));
        assert!(error(json!({"seat": "X"})).contains("seat"));
        assert!(error(json!({"winning": "9q"})).contains("9q"));
        assert!(error(json!({"rules": "mcr", "flowers": "5p"})).contains("`flowers` holds 5p"));
        assert!(error(json!({"riichi_by": ["X"]})).contains("riichi_by"));
        let wrong = error(json!({"rules": "riichi", "dora_indicators": "9q"}));
        assert!(wrong.contains("`dora_indicators` is \"9q\""), "{wrong}");
        assert!(changed(json!({"dora_indicators": "9q"})).is_ok(), "mmm does not look at it");
        assert!(error(json!({"title": "x".repeat(5000)})).contains("bytes"));
    }
}
