//! The JSON of the server's state, for each kind of client. Screens and phones get the fields that they show and no
//! others, so that a new field is the operator's alone until it is listed here. Nothing else in the server looks into
//! JSON that it has made.

use std::{collections::BTreeMap, sync::Arc};

use axum::extract::ws::Utf8Bytes;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::{
    Amended, Client, OnAir, OnAirSetting, Preview, ProposedWin, Undoable,
    feeds::{Feed, FrameTiming, Shows, SourceStatus},
    state::{ObsState, State},
};
use crate::{
    calibration::table::Edge,
    page::DescribedRules,
    rules::{RuleSet, ScoreStep},
    schema::of_answer,
    table::{DealRecord, TableState},
    tile::Seat,
};

/// One state as JSON, for each kind of client, and the scene that viewers see.
#[derive(Clone, Debug, Default)]
pub struct States {
    whole: Utf8Bytes,
    screen: Utf8Bytes,
    phone: Utf8Bytes,
    scene: Arc<OnAir>,
}

impl States {
    /// Splits the whole state by kind of client.
    pub(super) fn new(state: &State) -> Self {
        // Screens get the preview as it is on air, without the operator's drafts: what is typed is on air as a reading
        // or not at all.
        let mut on_air = state.programme.as_ref().unwrap_or(&state.preview).clone();
        on_air.context = on_air.context.without_typed();
        let facts = Facts {
            revision: state.revision,
            moving: state.moving,
            table: state.table,
            tournament: state.tournament,
            scene: &state.scene,
        };
        let context = state.preview.context.of_rules();
        Self {
            whole: text(&Whole::of(state, facts)),
            screen: text(&Screen { facts, on_air: &on_air }),
            phone: text(&Phone { revision: state.revision, context: &context }),
            scene: Arc::clone(&state.scene),
        }
    }

    /// The state for a client, as JSON.
    #[must_use]
    pub fn of(&self, client: Client) -> &Utf8Bytes {
        match client {
            Client::ThisMachine | Client::Operator => &self.whole,
            Client::Screen => &self.screen,
            Client::Phone | Client::Table => &self.phone,
        }
    }

    /// The scene that viewers see.
    #[must_use]
    pub const fn scene(&self) -> &Arc<OnAir> {
        &self.scene
    }
}

/// A value as text. Maps with keys that are no text, the only values without JSON, do not occur.
fn text(value: &impl Serialize) -> Utf8Bytes {
    serde_json::to_string(value).unwrap_or_else(|error| error.to_string()).into()
}

/// The facts beside the preview that screens get too.
#[derive(Clone, Copy, Serialize, JsonSchema)]
struct Facts<'a> {
    revision: u64,
    moving: bool,
    #[schemars(schema_with = "table_shown")]
    table: Option<&'a Made>,
    tournament: u64,
    scene: &'a OnAir,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ScreenState")]
pub(super) struct Screen<'a> {
    #[serde(flatten)]
    facts: Facts<'a>,
    #[serde(flatten)]
    on_air: &'a Preview,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "PhoneState")]
pub(super) struct Phone<'a> {
    revision: u64,
    context: &'a super::Context,
}

/// The operator's state.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "OperatorState")]
pub(super) struct Whole<'a> {
    #[serde(flatten)]
    facts: Facts<'a>,
    #[serde(flatten)]
    preview: &'a Preview,
    programme: Option<&'a Preview>,
    source: SourceJson<'a>,
    sources: Vec<FeedJson<'a>>,
    trouble: Option<&'a str>,
    timing: Option<FrameTiming>,
    #[schemars(with = "Option<DescribedRules<'a>>")]
    played: Option<&'a Made>,
    fixes: BTreeMap<u64, String>,
    tileset: Option<&'a str>,
    discards_missed: Option<&'a str>,
    amends: Option<AmendsJson>,
    can_undo: bool,
    undoes: Option<&'a Undoable>,
    on_air: OnAirSetting,
    proposed: Option<&'a ProposedWin>,
    asks: Vec<AskJson<'a>>,
    obs: Option<&'a ObsState>,
}

/// A state as one of the clients gets it.
#[derive(JsonSchema)]
#[schemars(rename = "State")]
#[serde(untagged)]
#[expect(dead_code, reason = "it describes states, each of which is written by itself")]
pub(super) enum AnyState<'a> {
    Operator(Box<Whole<'a>>),
    Screen(Screen<'a>),
    Phone(Phone<'a>),
}

/// The earlier deal that is being re-entered, with its number.
#[derive(Serialize, JsonSchema)]
struct AmendsJson {
    event: u64,
    winner: usize,
    number: Option<u32>,
}

#[derive(Serialize, JsonSchema)]
struct AskJson<'a> {
    photo: u64,
    hand: Option<&'a str>,
}

impl<'a> Whole<'a> {
    fn of(state: &'a State, facts: Facts<'a>) -> Self {
        let first = state.feeds.first();
        let none = SourceJson { name: None, status: StatusJson::None };
        let fixes = state.fixes.iter().map(|(tile, is)| (*tile, is.to_string()));
        let amends = state.amends.map(|(Amended { event, winner }, number)| AmendsJson {
            event,
            winner,
            number,
        });
        Self {
            facts,
            preview: &state.preview,
            programme: state.programme.as_ref(),
            source: first.map_or(none, SourceJson::of),
            sources: state.feeds.iter().map(FeedJson::of).collect(),
            trouble: first.and_then(|feed| feed.trouble.as_deref()),
            timing: first.and_then(|feed| feed.timing),
            played: state.played,
            fixes: fixes.collect(),
            tileset: state.tileset,
            discards_missed: state.discards_missed.as_deref(),
            amends,
            can_undo: state.undoes.is_some(),
            undoes: state.undoes.as_ref(),
            on_air: state.on_air,
            proposed: state.proposed.as_ref(),
            asks: state.asks.iter().map(|&(photo, hand)| AskJson { photo, hand }).collect(),
            obs: state.obs,
        }
    }
}

/// A source by its name, and how it is.
#[derive(Serialize, JsonSchema)]
struct SourceJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(flatten)]
    status: StatusJson<'a>,
}

/// How a source is; `none` without a source.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "state", rename_all = "snake_case")]
enum StatusJson<'a> {
    None,
    Starting,
    Running { width: u32, height: u32 },
    Lost { why: &'a str },
    Ended,
}

impl<'a> SourceJson<'a> {
    fn of(feed: &'a Feed) -> Self {
        let status = match &feed.status {
            SourceStatus::Starting => StatusJson::Starting,
            SourceStatus::Running { width, height } => {
                StatusJson::Running { width: *width, height: *height }
            }
            SourceStatus::Lost { why } => StatusJson::Lost { why },
            SourceStatus::Ended => StatusJson::Ended,
        };
        Self { name: Some(&feed.name), status }
    }
}

/// A source with what it shows.
#[derive(Serialize, JsonSchema)]
struct FeedJson<'a> {
    #[serde(flatten)]
    source: SourceJson<'a>,
    shows: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    seat: Option<Seat>,
    #[serde(flatten)]
    table: Option<ProfileJson>,
    trouble: Option<&'a str>,
    stale: bool,
    changed: Option<u64>,
    timing: Option<FrameTiming>,
}

/// Where a table and its seats are in a source's picture.
#[derive(Serialize, JsonSchema)]
struct ProfileJson {
    corners: [[f32; 2]; 4],
    picture: [u32; 2],
    seats: BTreeMap<Seat, Edge>,
}

impl<'a> FeedJson<'a> {
    fn of(feed: &'a Feed) -> Self {
        let (shows, seat, table) = match &feed.shows {
            Shows::Hand => ("hand", None, None),
            Shows::Standing(seat) => ("standing", Some(*seat), None),
            Shows::Table(profile) => {
                let seats = profile.seats.iter().map(|(seat, at)| (*seat, at.edge)).collect();
                let (corners, picture) = (profile.corners, profile.picture);
                ("table", None, Some(ProfileJson { corners, picture, seats }))
            }
        };
        Self {
            source: SourceJson::of(feed),
            shows,
            seat,
            table,
            trouble: feed.trouble.as_deref(),
            stale: feed.stale,
            changed: feed.settled.as_ref().map(|tracked| tracked.changed),
            timing: feed.timing,
        }
    }
}

/// JSON that is made once for several states.
#[derive(Clone, Debug)]
pub(super) struct Made(Value);

impl Made {
    /// The rule set in play.
    pub fn rules(rules: &RuleSet) -> Self {
        Self(serde_json::json!(DescribedRules::of(rules)))
    }

    /// A ledger's table as states have it: with its last deal alone, and `steps`, how that was paid, a list for each
    /// winner.
    pub fn table(table: &TableState, steps: &[Vec<ScoreStep>]) -> Self {
        let mut json = serde_json::json!(WholeTable::of(table));
        json["last_deal"] = serde_json::json!(table.last_deal());
        json["last_deal_steps"] = serde_json::json!(steps);
        if let Some(fields) = json.as_object_mut() {
            fields.remove("history");
        }
        Self(json)
    }
}

impl Serialize for Made {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// A ledger's table with all its deals.
#[derive(Serialize, JsonSchema)]
pub(super) struct WholeTable<'a> {
    #[serde(flatten)]
    table: &'a TableState,
    item_names: &'a BTreeMap<String, String>,
}

impl<'a> WholeTable<'a> {
    pub fn of(table: &'a TableState) -> Self {
        Self { table, item_names: &table.item_names }
    }
}

/// What confirming the hand on show would bring.
#[derive(Serialize, JsonSchema)]
pub(super) struct AfterConfirm {
    /// What viewers would see.
    scene: OnAir,
    /// The ledger's table with the deal.
    #[schemars(schema_with = "table_shown")]
    table: Option<Made>,
}

impl AfterConfirm {
    pub fn new(scene: OnAir, table: Option<&TableState>) -> Self {
        Self { scene, table: table.map(|table| Made::table(table, &[])) }
    }
}

/// The schema of the states that pages get.
#[must_use]
pub fn state_schema() -> Schema {
    of_answer::<AnyState>()
}

/// A ledger's table as states have it, or null.
fn table_shown(generator: &mut SchemaGenerator) -> Schema {
    let (last, steps) = (
        generator.subschema_for::<Option<DealRecord>>(),
        generator.subschema_for::<Vec<Vec<ScoreStep>>>(),
    );
    let mut table = WholeTable::json_schema(generator);
    if let Some(Value::Object(fields)) = table.get_mut("properties") {
        fields.remove("history");
        fields.insert("last_deal".to_owned(), last.into());
        fields.insert("last_deal_steps".to_owned(), steps.into());
    }
    if let Some(Value::Array(required)) = table.get_mut("required") {
        required.retain(|field| field != "history");
    }
    json_schema!({ "anyOf": [table, { "type": "null" }] })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::json;

    use super::*;
    use crate::server::{
        PhaseName,
        fixture::{confirmed, context, deal, preview, seat, table, won},
    };

    fn state(preview: Preview, programme: Option<Preview>) -> States {
        let after = table(vec![deal()]);
        let table = Made::table(&after, &[]);
        let scene = OnAir::of(programme.as_ref().unwrap_or(&preview), Some(&after));
        States::new(&State {
            revision: 3,
            preview,
            programme,
            scene: Arc::new(scene),
            feeds: &[Feed::new("camera:0", Shows::Hand)],
            played: None,
            moving: false,
            fixes: &[],
            tileset: None,
            table: Some(&table),
            tournament: 0,
            discards_missed: None,
            proposed: None,
            amends: None,
            undoes: None,
            on_air: OnAirSetting::default(),
            asks: Vec::new(),
            obs: None,
        })
    }

    fn json_of(states: &States, client: Client) -> Value {
        serde_json::from_str(states.of(client)).unwrap()
    }

    #[test]
    fn screens_get_what_is_on_air_and_no_draft() {
        let draft = context("mmm", &[("win", "self_draw"), ("worth", "3")]);
        let draft = Preview { context: draft.clone(), ..preview(draft) };
        let states = state(draft.clone(), Some(Preview { reading: None, ..draft }));
        let screen = json_of(&states, Client::Screen);
        assert_eq!((&screen["reading"], &screen["context"]["worth"]), (&Value::Null, &Value::Null));
        assert_eq!(
            (&screen["revision"], &screen["context"]["win"]),
            (&json!(3), &json!("self_draw"))
        );
        assert!(screen["table"]["last_deal"].is_object() && screen["table"]["history"].is_null());
        for own in ["on_air", "sources", "fixes", "programme", "asks"] {
            assert!(screen.get(own).is_none(), "{own}");
        }
        let whole = json_of(&states, Client::Operator);
        assert_eq!(whole["context"]["worth"], "3");
        assert_eq!(
            (&whole["source"]["state"], &whole["phase"]),
            (&json!("starting"), &json!("watching"))
        );
        let phone = json_of(&states, Client::Phone);
        assert_eq!(phone, json!({ "revision": 3, "context": { "rules": "mmm", "round": "E" } }));
    }

    /// The fields of an interface of `state.d.ts`; those that may be missing end with a question mark.
    fn fields(interface: &str) -> BTreeSet<&'static str> {
        let types = include_str!("pages/state.d.ts");
        let start = types.find(&format!("\ninterface {interface} ")).unwrap();
        let lines = types[start + 1..].lines().skip(1).take_while(|line| *line != "}");
        lines
            .filter(|line| !line.contains("/**"))
            .filter_map(|line| line.trim().split_once(':'))
            .map(|(field, _)| field)
            .collect()
    }

    #[test]
    fn the_types_of_the_pages_have_the_fields_that_the_server_sends() {
        let seats = [(Seat::East, seat("19m", 0.9))].into();
        let shown = Preview { seats, ..confirmed(won()) };
        let whole = json_of(
            &state(shown.clone(), Some(Preview { phase: PhaseName::Watching, ..won() })),
            Client::Operator,
        );
        let scene = json_of(&state(shown, None), Client::Screen)["scene"].take();
        for (interface, sent) in [
            ("OnAir", &scene),
            ("HandOnAir", &scene["hand"]),
            ("Story", &scene["story"]),
            ("PlayerOnAir", &scene["players"][0]),
            ("SeatOnAir", &scene["seats"][0]),
            ("Preview", &whole["programme"]),
            ("SeenSeat", &whole["seats"]["E"]),
            ("State", &whole),
        ] {
            let mut known = fields(interface);
            if interface == "State" {
                known.extend(fields("Preview"));
            }
            let sent: BTreeSet<&str> =
                sent.as_object().unwrap().keys().map(String::as_str).collect();
            let is_known =
                |field: &&&str| known.iter().any(|of| of.trim_end_matches('?') == **field);
            let unknown: Vec<_> = sent.iter().filter(|field| !is_known(field)).collect();
            assert!(unknown.is_empty(), "{interface} lacks {unknown:?}");
            let missing: Vec<_> =
                known.iter().filter(|of| !of.ends_with('?') && !sent.contains(*of)).collect();
            assert!(missing.is_empty(), "{interface} has {missing:?}, which are not sent");
        }
    }
}
