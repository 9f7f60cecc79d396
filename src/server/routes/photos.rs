//! Photos that are sent, read, corrected and put on show.

use std::{
    net::IpAddr,
    sync::{Arc, PoisonError},
    time::{Duration, Instant},
};

use axum::{
    Extension, Json,
    extract::{Path, Query, Request, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::sync::OwnedSemaphorePermit;

use super::{
    Answer, Served,
    refused::{Refused, too_many},
    tile,
};
use crate::{
    server::{
        Context, Look,
        connections::Peer,
        reading,
        teaching::{Keeping, numbered},
    },
    tile::Tile,
    tileset::SetName,
};

/// No photo is larger, in bytes.
const LARGEST_PHOTO: usize = 30 << 20;
/// A photo that takes longer to come is given up.
const SENDING: Duration = Duration::from_secs(60);

/// What is told of a photo: context fields, and corrections by the tiles' numbers.
#[derive(Default, Deserialize)]
pub(super) struct PhotoWords {
    #[serde(default)]
    context: Map<String, Value>,
    #[serde(default)]
    fixes: Vec<(u64, String)>,
    /// Whether corrections are kept in the tile set in use; what it was taught stays as it is
    /// where nothing is said.
    keep: Option<bool>,
}

impl PhotoWords {
    fn fixes(&self) -> Result<Vec<(u64, Tile)>, Refused> {
        self.fixes.iter().map(|(id, code)| Ok((*id, tile(code)?))).collect()
    }
}

/// The same as text in the address.
#[derive(Deserialize)]
pub(super) struct PhotoQuery {
    context: Option<String>,
}

async fn answer_photo(at: &Served, number: u64, look: &Look, words: PhotoWords) -> Answer {
    let fixes = words.fixes()?;
    let context = Context::new("mmm").with(words.context, at.hub.library())?;
    let (rules, told) = context.told(at.hub.library())?;
    let mut answer = reading::of_picture(look, &rules, told, &fixes);
    answer["photo"] = json!(number);
    answer["tileset"] = json!(look.tileset.as_ref().map(SetName::as_str));
    if let (Some(set), Some(keep)) = (&look.tileset, words.keep) {
        let (set, picture) = (set.clone(), Arc::clone(&look.picture));
        let keeping = Keeping { set, picture, tiles: numbered(&answer), fixes, keep };
        at.teaching.keep_corrections(keeping).await?;
    }
    Ok(Json(answer).into_response())
}

/// A picture that somebody sends, and its place in the line; or the answer that it is not taken.
pub(super) async fn sent(
    at: &Served,
    from: IpAddr,
    request: Request,
) -> Result<(OwnedSemaphorePermit, Vec<u8>), Box<Response>> {
    let refused = |refused: Refused| {
        at.hub.metrics.refused.inc();
        Box::new(refused.into_response())
    };
    let large = || {
        let why = format!("a photo has at most {} MB", LARGEST_PHOTO >> 20);
        refused(Refused(StatusCode::PAYLOAD_TOO_LARGE, why))
    };
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if length.is_some_and(|length| length > LARGEST_PHOTO) {
        return Err(large());
    }
    let taken =
        at.uploads.lock().unwrap_or_else(PoisonError::into_inner).take(from, Instant::now());
    if let Err(wait) = taken {
        at.hub.metrics.refused.inc();
        return Err(Box::new(too_many(wait)));
    }
    // The place first: who waits for one has sent nothing yet.
    let place = at.photos.place().map_err(|error| refused(error.into()))?;
    let bytes = axum::body::to_bytes(request.into_body(), LARGEST_PHOTO);
    let bytes = match tokio::time::timeout(SENDING, bytes).await {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(_)) => return Err(large()),
        Err(_) => {
            let why = "the photo did not come: check the connection and send it again";
            return Err(refused(Refused(StatusCode::REQUEST_TIMEOUT, why.to_owned())));
        }
    };
    Ok((place, bytes.to_vec()))
}

pub(super) async fn photo(
    State(at): State<Served>,
    Extension(Peer(from)): Extension<Peer>,
    Query(query): Query<PhotoQuery>,
    request: Request,
) -> Answer {
    let (place, bytes) = match sent(&at, from, request).await {
        Ok(sent) => sent,
        Err(answer) => return Ok(*answer),
    };
    let context = match &query.context {
        Some(text) => serde_json::from_str(text).map_err(|error| {
            Refused(StatusCode::BAD_REQUEST, format!("`context` is no JSON object: {error}"))
        })?,
        None => Map::new(),
    };
    let read = at.photos.read(place, bytes).await.inspect_err(|_| {
        at.hub.metrics.refused.inc();
    });
    let (number, look) = read?;
    at.hub.metrics.photos.inc();
    answer_photo(&at, number, &look, PhotoWords { context, ..PhotoWords::default() }).await
}

fn kept(at: &Served, number: u64) -> Result<Look, Refused> {
    at.photos.kept(number).ok_or_else(|| {
        Refused(StatusCode::NOT_FOUND, "this photo is no longer kept: send it again".to_owned())
    })
}

pub(super) async fn photo_again(
    State(at): State<Served>,
    Path(number): Path<u64>,
    Json(words): Json<PhotoWords>,
) -> Answer {
    let look = kept(&at, number)?;
    answer_photo(&at, number, &look, words).await
}

/// Puts a photo on the overlay and the control page, as if the camera saw it.
pub(super) async fn show(
    State(at): State<Served>,
    Path(number): Path<u64>,
    Json(words): Json<PhotoWords>,
) -> Answer {
    let _one = at.deciding.lock().await;
    let look = kept(&at, number)?;
    let fixes = words.fixes()?;
    at.hub.put(look, words.context, fixes)?;
    Ok(at.state())
}
