//! The calls for programs: which method and path, what is sent, what is answered.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::{
    decisions::{Amending, Correction, Meant, TakingOut, Undoing, WholeDeal},
    photos::{AskAnswer, PhotoQuery, PhotoReading, PhotoWords, TicketQuery},
    records::MendedEvent,
    sources::{Marked, SourceQuery},
    tilesets::LaidOut,
    words::Nothing,
};
use crate::{
    advice::AdviceJson,
    page::{
        RulesList,
        advice::AdviceRequest,
        four_hands::{CollectedAnswer, CollectedDeal},
    },
    server::{
        Context, Drawn, FaultReport, OnAirSetting, TournamentShown,
        hub::RequestStage,
        json::{AfterConfirm, AnyState, WholeTable},
        paper::{ListedResults, TableResult},
        photo_queue::InLine,
        records::KeptGame,
        teaching::{Answered, FoundSet, LearntSet},
        theme::ThemePictures,
        venue::{Answering, AskingDesk, DeskShown, Doing, Entering, HallTable, PaperEntry},
    },
};

pub(super) type Describe = fn(&mut SchemaGenerator) -> Schema;

/// What a call takes beside its path.
pub(super) enum Takes {
    Nothing,
    /// Parameters of the address.
    Query(Describe),
    /// A JSON body.
    Json(Describe),
    /// A picture's bytes, and parameters of the address.
    Picture(Describe),
}

/// What a call answers with.
pub(super) enum Gives {
    Json(Describe),
    /// A file of this kind.
    File(&'static str),
    /// Nothing (204).
    Done,
    /// The JSON of the schema, now and after each change, through a WebSocket (101).
    Socket(Describe),
}

/// A call.
pub(super) struct Call {
    pub method: &'static str,
    pub path: &'static str,
    pub about: &'static str,
    pub takes: Takes,
    pub gives: Gives,
    /// The statuses of its own refusals.
    pub refusals: &'static [u16],
}

const fn call(
    (method, path): (&'static str, &'static str),
    about: &'static str,
    takes: Takes,
    gives: Gives,
    refusals: &'static [u16],
) -> Call {
    Call { method, path, about, takes, gives, refusals }
}

fn of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

fn stage(generator: &mut SchemaGenerator) -> Schema {
    let stage = generator.subschema_for::<RequestStage>();
    json_schema!({ "type": "object", "properties": { "stage": stage }, "required": ["stage"] })
}

fn nullable(schema: &Schema) -> Schema {
    json_schema!({ "anyOf": [schema, { "type": "null" }] })
}

const STATE: Gives = Gives::Json(of::<AnyState>);
const RESULTS: Gives = Gives::Json(of::<ListedResults>);
const HALL_TABLE: Gives = Gives::Json(of::<HallTable<'static>>);
const DESK: Gives = Gives::Json(of::<DeskShown<'static>>);
const LINE: Gives = Gives::Json(of::<InLine>);
const JPEG: Gives = Gives::File("image/jpeg");

const fn body<T: JsonSchema>() -> Takes {
    Takes::Json(of::<T>)
}

/// All calls.
pub(super) const CALLS: &[Call] = &[
    call(
        ("get", "/health"),
        "Whether the server runs",
        Takes::Nothing,
        Gives::File("text/plain"),
        &[],
    ),
    call(
        ("get", "/metrics"),
        "Figures for Prometheus",
        Takes::Nothing,
        Gives::File("text/plain"),
        &[],
    ),
    call(
        ("get", "/theme.json"),
        "The pictures of the user's theme",
        Takes::Nothing,
        Gives::Json(of::<ThemePictures>),
        &[],
    ),
    call(
        ("get", "/preview.mjpeg"),
        "A source's picture, on and on",
        Takes::Query(of::<SourceQuery>),
        Gives::File("multipart/x-mixed-replace"),
        &[400, 404, 503],
    ),
    call(
        ("get", "/frame.jpg"),
        "A source's picture, or the photo on show",
        Takes::Query(of::<SourceQuery>),
        JPEG,
        &[400, 404],
    ),
    call(
        ("get", "/api/rules"),
        "The rule sets, and the facts of a win",
        Takes::Nothing,
        Gives::Json(of::<RulesList>),
        &[],
    ),
    call(
        ("post", "/api/advise"),
        "Advice on a hand",
        body::<AdviceRequest>(),
        Gives::Json(of::<AdviceJson>),
        &[],
    ),
    call(
        ("post", "/api/four-hands"),
        "A deal of which all hands are scored",
        body::<CollectedDeal>(),
        Gives::Json(of::<CollectedAnswer>),
        &[],
    ),
    call(("get", "/api/state"), "The state", Takes::Nothing, STATE, &[]),
    call(
        ("get", "/api/socket"),
        "The state, now and after each change",
        Takes::Nothing,
        Gives::Socket(of::<AnyState>),
        &[400, 426, 503],
    ),
    call(
        ("get", "/api/table"),
        "The ledger's table with all its deals, or null",
        Takes::Nothing,
        Gives::Json(|generator| nullable(&of::<WholeTable>(generator))),
        &[],
    ),
    call(
        ("get", "/api/tournament"),
        "The tournament in the ledger, or null",
        Takes::Nothing,
        Gives::Json(|generator| nullable(&of::<TournamentShown>(generator))),
        &[],
    ),
    call(
        ("get", "/api/records"),
        "The games of the folder of --records and the records of the ledger's tables, the newest first",
        Takes::Nothing,
        Gives::Json(of::<Vec<KeptGame>>),
        &[404],
    ),
    call(
        ("post", "/api/records/{name}"),
        "Mends a record: what a discard was, or that an event is right as it stands",
        body::<MendedEvent>(),
        Gives::Done,
        &[404, 409, 422],
    ),
    call(
        ("get", "/api/table-profile"),
        "The file of the table in a source's picture",
        Takes::Query(of::<SourceQuery>),
        Gives::File("application/toml"),
        &[400, 404],
    ),
    call(
        ("post", "/api/table-profile"),
        "Marks the table in a source's picture",
        body::<Marked>(),
        STATE,
        &[404, 409],
    ),
    call(
        ("post", "/api/context"),
        "Changes fields beside the picture",
        body::<Context>(),
        STATE,
        &[409],
    ),
    call(
        ("post", "/api/correct"),
        "Corrects a tile, or takes its correction back",
        body::<Correction>(),
        STATE,
        &[404],
    ),
    call(("post", "/api/show"), "Puts the hand on air", body::<Nothing>(), STATE, &[409]),
    call(("post", "/api/hide"), "Takes the hand off the air", body::<Nothing>(), STATE, &[]),
    call(("post", "/api/auto"), "Changes how hands go on air", body::<OnAirSetting>(), STATE, &[]),
    call(("post", "/api/confirm"), "Confirms the hand on show", body::<Meant>(), STATE, &[409]),
    call(
        ("get", "/api/after-confirm"),
        "The scene and the table after confirming, or null",
        Takes::Nothing,
        Gives::Json(|generator| nullable(&of::<AfterConfirm>(generator))),
        &[],
    ),
    call(("post", "/api/reject"), "Rejects the hand on show", body::<Nothing>(), STATE, &[409]),
    call(("post", "/api/draw"), "Nobody won", body::<Drawn>(), STATE, &[409]),
    call(
        ("post", "/api/whole-deal"),
        "A deal in which play went on after a win",
        body::<WholeDeal>(),
        STATE,
        &[409],
    ),
    call(
        ("post", "/api/chombo"),
        "The deal is void for a fault",
        body::<FaultReport>(),
        STATE,
        &[409],
    ),
    call(("post", "/api/penalty"), "A player loses points", body::<FaultReport>(), STATE, &[409]),
    call(
        ("post", "/api/dead-hand"),
        "A player cannot win this deal",
        body::<FaultReport>(),
        STATE,
        &[409],
    ),
    call(("post", "/api/void-claim"), "A claim is ignored", body::<FaultReport>(), STATE, &[409]),
    call(
        ("post", "/api/disqualify"),
        "A player is disqualified",
        body::<FaultReport>(),
        STATE,
        &[409],
    ),
    call(("post", "/api/amend"), "Loads an earlier deal", body::<Amending>(), STATE, &[404]),
    call(
        ("post", "/api/take-out"),
        "Removes an earlier deal or penalty",
        body::<TakingOut>(),
        STATE,
        &[409],
    ),
    call(
        ("get", "/api/result"),
        "The seats and results of a tournament",
        Takes::Nothing,
        RESULTS,
        &[409],
    ),
    call(
        ("post", "/api/result"),
        "Enters a table's result, or takes it back",
        body::<TableResult>(),
        RESULTS,
        &[409],
    ),
    call(
        ("post", "/api/also"),
        "Another winner on the same tile",
        body::<Nothing>(),
        STATE,
        &[409],
    ),
    call(
        ("post", "/api/next"),
        "Ends the hand and watches for the next",
        body::<Nothing>(),
        STATE,
        &[],
    ),
    call(("post", "/api/undo"), "Takes the last decision back", body::<Undoing>(), STATE, &[409]),
    call(
        ("get", "/api/table/{table}"),
        "A table of the hall",
        Takes::Nothing,
        HALL_TABLE,
        &[400, 403, 409],
    ),
    call(
        ("get", "/api/table/{table}/socket"),
        "The same on each change",
        Takes::Nothing,
        Gives::Socket(of::<HallTable<'static>>),
        &[400, 403, 409, 426, 503],
    ),
    call(
        ("post", "/api/table/{table}/enter"),
        "An entry of a player",
        body::<Entering>(),
        HALL_TABLE,
        &[400, 403, 409],
    ),
    call(
        ("post", "/api/table/{table}/confirm"),
        "Writes the waiting entry",
        body::<Answering>(),
        HALL_TABLE,
        &[400, 403, 409],
    ),
    call(
        ("post", "/api/table/{table}/refuse"),
        "Removes the waiting entry",
        body::<Answering>(),
        HALL_TABLE,
        &[400, 403, 409],
    ),
    call(
        ("post", "/api/table/{table}/ask"),
        "A question for the desk",
        body::<AskingDesk>(),
        HALL_TABLE,
        &[400, 403, 409],
    ),
    call(("get", "/api/desk"), "Every table of the round", Takes::Nothing, DESK, &[409]),
    call(("post", "/api/desk"), "What the desk does", body::<Doing>(), DESK, &[409]),
    call(
        ("get", "/api/desk/socket"),
        "The desk on each change",
        Takes::Nothing,
        Gives::Socket(of::<DeskShown<'static>>),
        &[400, 409, 426, 503],
    ),
    call(("post", "/api/desk/paper"), "A result from paper", body::<PaperEntry>(), DESK, &[409]),
    call(
        ("post", "/api/photo"),
        "Reads a photo",
        Takes::Picture(of::<PhotoQuery>),
        Gives::Json(of::<PhotoReading>),
        &[400, 409, 422, 429],
    ),
    call(
        ("post", "/api/photo/{number}"),
        "The same photo again, corrected",
        body::<PhotoWords>(),
        Gives::Json(of::<PhotoReading>),
        &[400, 404, 409, 429],
    ),
    call(
        ("get", "/api/photo/{number}/picture.jpg"),
        "A photo as it was read",
        Takes::Nothing,
        JPEG,
        &[400, 404],
    ),
    call(
        ("get", "/api/photo/{number}/show"),
        "The operator's decision",
        Takes::Nothing,
        Gives::Json(stage),
        &[400, 404],
    ),
    call(
        ("post", "/api/photo/{number}/show"),
        "Puts a photo on show, or asks for it",
        body::<PhotoWords>(),
        STATE,
        &[400, 404, 409, 429],
    ),
    call(("post", "/api/ask"), "The operator's answer", body::<AskAnswer>(), STATE, &[404, 409]),
    call(("post", "/api/line"), "A turn to send a picture", body::<TicketQuery>(), LINE, &[429]),
    call(("get", "/api/line/{number}"), "A picture's progress", Takes::Nothing, LINE, &[400, 404]),
    call(
        ("delete", "/api/line/{number}"),
        "Leaves the line",
        Takes::Nothing,
        Gives::Done,
        &[400, 404],
    ),
    call(
        ("post", "/api/tileset"),
        "A photo of a set laid out",
        Takes::Picture(of::<LaidOut>),
        Gives::Json(of::<FoundSet>),
        &[400, 404, 409, 422, 429],
    ),
    call(
        ("post", "/api/tileset/{number}"),
        "Writes the set",
        body::<Answered>(),
        Gives::Json(of::<LearntSet>),
        &[400, 404, 409, 429],
    ),
    call(
        ("get", "/api/tileset/{number}/picture.jpg"),
        "The photo of a set",
        Takes::Nothing,
        JPEG,
        &[400, 404],
    ),
];
