//! Photos that are sent, read, corrected and put on show.

use std::{
    net::IpAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    Extension, Json,
    extract::{Path, Query, Request, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{
    Answer, Served,
    refused::{Refused, waits},
    tile,
    words::Words,
};
use crate::{
    page::reading::PageReading,
    server::{
        Client, Context, TrackedPicture,
        connections::Peer,
        hub::PhotoRequest,
        photos::{PhotoError, ReceivedPhoto},
        preview, reading,
        teaching::{Keeping, numbered},
    },
    tile::Tile,
    tileset::SetName,
};

/// No photo is larger, in bytes.
const LARGEST_PHOTO: usize = 30 << 20;
/// A photo that takes longer to come is given up.
const SENDING: Duration = Duration::from_secs(60);

/// The fields sent with a photo: context, and corrections by the tiles' numbers in the photo's reading.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PhotoWords {
    #[serde(default)]
    #[schemars(with = "Context")]
    context: Map<String, Value>,
    #[serde(default)]
    fixes: Vec<(u64, String)>,
    /// Whether corrections are kept in the tile set in use; without it the set stays as it is.
    keep: Option<bool>,
}

impl PhotoWords {
    fn fixes(&self) -> Result<Vec<(u64, Tile)>, Refused> {
        self.fixes.iter().map(|(id, code)| Ok((*id, tile(code)?))).collect()
    }
}

/// The same as text in the address.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PhotoQuery {
    context: Option<String>,
    ticket: Option<u64>,
}

/// A request for the turn to send.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TicketQuery {
    ticket: Option<u64>,
    /// How large his picture is: he is not to wait for nothing.
    bytes: Option<usize>,
}

/// Whose turn it is: `send`, or how many are before him and when to ask again.
pub(super) async fn ask(
    State(at): State<Served>,
    Extension(Peer(from)): Extension<Peer>,
    Words(asks): Words<TicketQuery>,
) -> Answer {
    if asks.bytes.is_some_and(|bytes| bytes > LARGEST_PHOTO) {
        return Err(too_large());
    }
    Ok(match at.photos.queue.ask(asks.ticket, from, Instant::now()) {
        Ok(turn) => Json(turn).into_response(),
        Err(wait) => waits(wait),
    })
}

/// How far a picture is.
pub(super) async fn how_far(State(at): State<Served>, Path(ticket): Path<u64>) -> Answer {
    let progress = at.photos.queue.how_far(ticket).ok_or_else(nobody)?;
    Ok(Json(progress).into_response())
}

/// Whoever sent a picture, or waits to send one, does not want it read any more.
pub(super) async fn cancel(State(at): State<Served>, Path(ticket): Path<u64>) -> Answer {
    if at.photos.queue.cancel(ticket) {
        Ok(StatusCode::NO_CONTENT.into_response())
    } else {
        Err(nobody())
    }
}

fn nobody() -> Refused {
    let why = "no such picture is in the line: it was answered, or nobody asked for a minute";
    Refused(StatusCode::NOT_FOUND, why.to_owned())
}

fn too_large() -> Refused {
    let why = format!("a photo has at most {} MB", LARGEST_PHOTO >> 20);
    Refused(StatusCode::PAYLOAD_TOO_LARGE, why)
}

/// The reading of a photo.
#[derive(Serialize, JsonSchema)]
pub(super) struct PhotoReading<'a> {
    /// The number under which the photo is kept.
    photo: u64,
    /// The user's tile set that influenced the reading.
    tileset: Option<&'a str>,
    #[serde(flatten)]
    reading: PageReading,
}

async fn answer_photo(
    at: &Served,
    number: u64,
    tracked: &TrackedPicture,
    words: PhotoWords,
) -> Answer {
    let fixes = words.fixes()?;
    let context = Context::new("mmm").with(words.context, at.hub.library())?;
    let (rules, input) = context.resolve(at.hub.library())?;
    let reading = reading::of_photo(tracked, &rules, input, &fixes, &context)?;
    let tileset = tracked.tileset.as_ref().map(SetName::as_str);
    if let (Some(set), Some(keep)) = (&tracked.tileset, words.keep) {
        let (set, picture) = (set.clone(), Arc::clone(&tracked.picture));
        let (tiles, fixes) = (tracked.by_tracking(numbered(&reading)), tracked.by_tracking(fixes));
        let keeping = Keeping { set, picture, tiles, fixes, keep };
        at.teaching.keep_corrections(keeping).await?;
    }
    Ok(Json(PhotoReading { photo: number, tileset, reading }).into_response())
}

/// A picture that somebody sends, and its place in the line; or the answer that it is not taken.
pub(super) async fn sent(
    at: &Served,
    from: IpAddr,
    ticket: Option<u64>,
    request: Request,
) -> Result<ReceivedPhoto, Box<Response>> {
    let refused = |refused: Refused| {
        at.hub.metrics.refused.inc();
        Box::new(refused.into_response())
    };
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if length.is_some_and(|length| length > LARGEST_PHOTO) {
        return Err(refused(too_large()));
    }
    // The place first: who waits for one has sent nothing yet.
    let (standing, place) =
        at.photos.queue.begin(ticket, from, Instant::now()).map_err(|wait| {
            at.hub.metrics.refused.inc();
            Box::new(waits(wait))
        })?;
    let bytes = axum::body::to_bytes(request.into_body(), LARGEST_PHOTO);
    let bytes = tokio::select! {
        bytes = tokio::time::timeout(SENDING, bytes) => bytes,
        () = standing.progress.cancelled() => return Err(refused(PhotoError::Cancelled.into())),
    };
    let bytes = match bytes {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(_)) => return Err(refused(too_large())),
        Err(_) => {
            let why = "the photo did not come: check the connection and send it again";
            return Err(refused(Refused(StatusCode::REQUEST_TIMEOUT, why.to_owned())));
        }
    };
    standing.arrived();
    Ok(ReceivedPhoto { standing, place, bytes: bytes.to_vec() })
}

pub(super) async fn photo(
    State(at): State<Served>,
    Extension(Peer(from)): Extension<Peer>,
    Query(query): Query<PhotoQuery>,
    request: Request,
) -> Answer {
    let sent = match sent(&at, from, query.ticket, request).await {
        Ok(sent) => sent,
        Err(answer) => return Ok(*answer),
    };
    let context = match &query.context {
        Some(text) => serde_json::from_str(text).map_err(|error| {
            Refused(StatusCode::BAD_REQUEST, format!("`context` is no JSON object: {error}"))
        })?,
        None => Map::new(),
    };
    let read = at.photos.read(sent).await.inspect_err(|_| {
        at.hub.metrics.refused.inc();
    });
    let (number, tracked) = read?;
    at.hub.metrics.photos.inc();
    answer_photo(&at, number, &tracked, PhotoWords { context, ..PhotoWords::default() }).await
}

fn kept(at: &Served, number: u64) -> Result<TrackedPicture, Refused> {
    at.photos.kept(number).ok_or_else(|| {
        Refused(StatusCode::NOT_FOUND, "this photo is no longer kept: send it again".to_owned())
    })
}

/// A photo as it was read, for browsers that cannot show its kind of file.
pub(super) async fn photo_picture(State(at): State<Served>, Path(number): Path<u64>) -> Answer {
    Ok(preview::one(kept(&at, number)?.picture).await)
}

pub(super) async fn photo_again(
    State(at): State<Served>,
    Path(number): Path<u64>,
    Words(words): Words<PhotoWords>,
) -> Answer {
    let tracked = kept(&at, number)?;
    answer_photo(&at, number, &tracked, words).await
}

/// Puts a photo on the overlay and the control page, as if the camera saw it; a phone in the network asks the operator.
pub(super) async fn show(
    State(at): State<Served>,
    Path(number): Path<u64>,
    Words(words): Words<PhotoWords>,
) -> Answer {
    let _one = at.deciding.lock().await;
    let tracked = kept(&at, number)?;
    let fixes = words.fixes()?;
    let context = Context::new("mmm").with(words.context.clone(), at.hub.library())?;
    let (rules, input) = context.resolve(at.hub.library())?;
    let read = reading::of_photo(&tracked, &rules, input, &fixes, &context)?;
    if at.client == Client::Phone {
        let hand = read.hand.map(|hand| hand.text);
        at.hub.ask_to_show(PhotoRequest {
            photo: number,
            tracked,
            context: words.context,
            fixes,
            hand,
        })?;
    } else {
        at.hub.put(tracked, words.context, fixes)?;
    }
    Ok(at.state())
}

/// The decision about a photo that was requested to be shown.
pub(super) async fn asked_to_show(State(at): State<Served>, Path(number): Path<u64>) -> Answer {
    let stage = at.hub.ask_stage(number).ok_or_else(|| {
        Refused(StatusCode::NOT_FOUND, "nobody asked to have this photo shown".to_owned())
    })?;
    Ok(Json(json!({ "stage": stage })).into_response())
}

/// The operator's decision about a photo.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AskAnswer {
    photo: u64,
    show: bool,
}

/// Shows a photo that a phone asked about, or does not.
pub(super) async fn answer_ask(
    State(at): State<Served>,
    Words(answer): Words<AskAnswer>,
) -> Answer {
    let _one = at.deciding.lock().await;
    if !at.hub.decide_ask(answer.photo, answer.show)? {
        let why = "nobody asks to have this photo shown any more".to_owned();
        return Err(Refused(StatusCode::NOT_FOUND, why));
    }
    Ok(at.state())
}
