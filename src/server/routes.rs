//! Every address, and what it answers.

use std::sync::Arc;

use axum::{
    Json, Router,
    body::Bytes,
    extract::{DefaultBodyLimit, Path, Query, State, WebSocketUpgrade},
    http::{StatusCode, header},
    middleware,
    response::{IntoResponse, Redirect, Response},
    routing::{get, post},
};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::sync::Semaphore;

use super::{
    Book, BookError, Context, ContextError, Hub,
    access::{self, Access},
    hub::{Look, reading},
    pages,
    photos::{PhotoError, Photos},
    preview, socket,
};
use crate::{rules::RuleSet, tile::Tile};

/// No photo is larger, in bytes.
const LARGEST_PHOTO: usize = 30 << 20;
/// No other request is larger, in bytes.
const LARGEST_WORDS: usize = 64 << 10;
/// No more pages and previews at once.
const MOST_LISTENERS: usize = 256;

#[derive(Clone)]
struct Served {
    hub: Arc<Hub>,
    photos: Arc<Photos>,
    book: Option<Arc<Book>>,
    overlay_css: Arc<str>,
    /// One decision at a time: writing to the ledger takes a moment.
    deciding: Arc<tokio::sync::Mutex<()>>,
    listeners: Arc<Semaphore>,
}

type Answer = Result<Response, Refused>;

/// An answer that says what was wrong.
struct Refused(StatusCode, String);

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        (self.0, Json(json!({ "error": self.1 }))).into_response()
    }
}

impl From<ContextError> for Refused {
    fn from(error: ContextError) -> Self {
        Self(StatusCode::UNPROCESSABLE_ENTITY, error.0)
    }
}

impl From<PhotoError> for Refused {
    fn from(error: PhotoError) -> Self {
        let status = match error {
            PhotoError::Busy => StatusCode::TOO_MANY_REQUESTS,
            PhotoError::Picture(_) => StatusCode::UNPROCESSABLE_ENTITY,
            PhotoError::Model(_) | PhotoError::Broken(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self(status, error.to_string())
    }
}

impl From<BookError> for Refused {
    fn from(error: BookError) -> Self {
        Self(StatusCode::CONFLICT, error.to_string())
    }
}

pub(super) fn router(
    hub: Arc<Hub>,
    photos: Arc<Photos>,
    book: Option<Book>,
    overlay_css: Option<String>,
    access: &Access,
) -> Router {
    let served = Served {
        hub,
        photos,
        book: book.map(Arc::new),
        deciding: Arc::default(),
        overlay_css: overlay_css.unwrap_or_default().into(),
        listeners: Arc::new(Semaphore::new(MOST_LISTENERS)),
    };
    let photo = post(photo).layer(DefaultBodyLimit::max(LARGEST_PHOTO));
    let routes = Router::new()
        .route("/", get(async || Redirect::to("control")))
        .route("/overlay", get(async || pages::page("overlay.html")))
        .route("/control", get(async || pages::page("control.html")))
        .route("/scoreboard", get(async || pages::page("scoreboard.html")))
        .route("/phone", get(async || pages::page("phone.html")))
        .route("/assets/{name}", get(pages::asset))
        .route("/faces/{name}", get(pages::face))
        .route("/user.css", get(user_css))
        .route("/preview.mjpeg", get(moving_preview))
        .route("/frame.jpg", get(async |State(at): State<Served>| preview::still(at.hub).await))
        .route("/health", get(async || "ok\n"))
        .route("/metrics", get(async |State(at): State<Served>| at.hub.metrics.text()))
        .route("/api/rules", get(rules))
        .route("/api/state", get(state))
        .route("/api/tournament", get(async |State(at): State<Served>| Json(at.hub.tournament())))
        .route("/api/socket", get(listen))
        .route("/api/context", post(context))
        .route("/api/correct", post(correct))
        .route("/api/confirm", post(confirm))
        .route("/api/reject", post(reject))
        .route("/api/next", post(next_hand))
        .route("/api/undo", post(undo))
        .route("/api/photo", photo)
        .route("/api/photo/{number}", post(photo_again))
        .route("/api/photo/{number}/show", post(show))
        .layer(DefaultBodyLimit::max(LARGEST_WORDS))
        .layer(middleware::from_fn(access::own_pages_only))
        .with_state(served);
    match access {
        Access::Loopback => routes.layer(middleware::from_fn(access::loopback_names_only)),
        Access::Token(token) => Router::new().nest(&format!("/{token}"), routes),
    }
}

fn state_json(hub: &Hub) -> Response {
    let state = hub.states().borrow().to_string();
    ([(header::CONTENT_TYPE, "application/json")], state).into_response()
}

async fn state(State(at): State<Served>) -> Response {
    state_json(&at.hub)
}

async fn user_css(State(at): State<Served>) -> Response {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], at.overlay_css.to_string())
        .into_response()
}

/// The rule sets to choose from, with their rulings.
async fn rules() -> Response {
    let sets: Vec<Value> = RuleSet::presets()
        .map(|rules| {
            let rulings: Vec<Value> = (rules.rulings().iter())
                .map(|ruling| json!({ "id": ruling.id, "about": ruling.about, "chosen": ruling.chosen, "choices": ruling.choices }))
                .collect();
            json!({ "id": rules.id, "name": rules.name, "about": rules.about, "rulings": rulings })
        })
        .collect();
    Json(json!({ "rules": sets })).into_response()
}

fn full() -> Refused {
    let why = format!("{MOST_LISTENERS} pages are connected already: close some");
    Refused(StatusCode::SERVICE_UNAVAILABLE, why)
}

async fn listen(State(at): State<Served>, upgrade: WebSocketUpgrade) -> Answer {
    let Ok(place) = Arc::clone(&at.listeners).try_acquire_owned() else {
        at.hub.metrics.refused.inc();
        return Err(full());
    };
    Ok(upgrade.max_message_size(LARGEST_WORDS).on_upgrade(async move |socket| {
        at.hub.metrics.pages.inc();
        socket::push(socket, Arc::clone(&at.hub)).await;
        at.hub.metrics.pages.dec();
        drop(place);
    }))
}

async fn moving_preview(State(at): State<Served>) -> Answer {
    Ok(preview::moving(&at.hub))
}

async fn context(State(at): State<Served>, Json(changes): Json<Map<String, Value>>) -> Answer {
    at.hub.set_context(changes)?;
    Ok(state_json(&at.hub))
}

/// What a tile is; without `code` a correction is taken back.
#[derive(Deserialize)]
struct Correction {
    tile: u64,
    code: Option<String>,
}

fn tile(code: &str) -> Result<Tile, Refused> {
    code.parse().map_err(|error: crate::tile::FaceError| {
        Refused(StatusCode::UNPROCESSABLE_ENTITY, error.to_string())
    })
}

async fn correct(State(at): State<Served>, Json(correction): Json<Correction>) -> Answer {
    let is = correction.code.as_deref().map(tile).transpose()?;
    if !at.hub.correct(correction.tile, is) {
        let why = format!("no tile {} lies there any more", correction.tile);
        return Err(Refused(StatusCode::NOT_FOUND, why));
    }
    Ok(state_json(&at.hub))
}

async fn confirm(State(at): State<Served>) -> Answer {
    let _one = at.deciding.lock().await;
    let Some((context, hand)) = at.hub.to_confirm() else {
        let why = "there is no scored hand to confirm: settle the doubts and say how it was won";
        return Err(Refused(StatusCode::CONFLICT, why.to_owned()));
    };
    let Some(book) = &at.book else {
        at.hub.confirm(None);
        return Ok(state_json(&at.hub));
    };
    let table = book.write(&context, &hand).await?;
    at.hub.confirm(Some(table.last_event));
    at.hub.set_table(table);
    Ok(state_json(&at.hub))
}

async fn reject(State(at): State<Served>) -> Answer {
    at.hub.reject();
    Ok(state_json(&at.hub))
}

async fn next_hand(State(at): State<Served>) -> Answer {
    at.hub.next();
    Ok(state_json(&at.hub))
}

async fn undo(State(at): State<Served>) -> Answer {
    let _one = at.deciding.lock().await;
    let table = match (&at.book, at.hub.undoes()) {
        (Some(book), Some(event)) => Some(book.take_back(event).await?),
        _ => None,
    };
    if !at.hub.undo() {
        return Err(Refused(StatusCode::CONFLICT, "there is nothing to undo".to_owned()));
    }
    if let Some(table) = table {
        at.hub.set_table(table);
    }
    Ok(state_json(&at.hub))
}

/// What is told of a photo: context fields, and corrections by the tiles' numbers.
#[derive(Default, Deserialize)]
struct PhotoWords {
    #[serde(default)]
    context: Map<String, Value>,
    #[serde(default)]
    fixes: Vec<(u64, String)>,
}

/// The same as text in the address.
#[derive(Deserialize)]
struct PhotoQuery {
    context: Option<String>,
}

fn answer_photo(at: &Served, number: u64, look: &Look, words: PhotoWords) -> Answer {
    let context = Context::new("mmm").with(words.context, at.hub.library())?;
    let (rules, told) = context.told(at.hub.library())?;
    let fixes = words.fixes.iter().map(|(id, code)| Ok((*id, tile(code)?)));
    let fixes = fixes.collect::<Result<Vec<_>, Refused>>()?;
    let mut answer = reading(look, &rules, told, &fixes);
    answer["photo"] = json!(number);
    Ok(Json(answer).into_response())
}

async fn photo(State(at): State<Served>, Query(query): Query<PhotoQuery>, bytes: Bytes) -> Answer {
    let context = match &query.context {
        Some(text) => serde_json::from_str(text).map_err(|error| {
            Refused(StatusCode::BAD_REQUEST, format!("`context` is no JSON object: {error}"))
        })?,
        None => Map::new(),
    };
    let (number, look) = at.photos.read(bytes.to_vec()).await.inspect_err(|_| {
        at.hub.metrics.refused.inc();
    })?;
    at.hub.metrics.photos.inc();
    answer_photo(&at, number, &look, PhotoWords { context, fixes: Vec::new() })
}

fn kept(at: &Served, number: u64) -> Result<Look, Refused> {
    at.photos.kept(number).ok_or_else(|| {
        Refused(StatusCode::NOT_FOUND, "this photo is no longer kept: send it again".to_owned())
    })
}

async fn photo_again(
    State(at): State<Served>,
    Path(number): Path<u64>,
    Json(words): Json<PhotoWords>,
) -> Answer {
    let look = kept(&at, number)?;
    answer_photo(&at, number, &look, words)
}

/// Puts a photo on the overlay and the control page, as if the camera saw it.
async fn show(State(at): State<Served>, Path(number): Path<u64>) -> Answer {
    let look = kept(&at, number)?;
    at.hub.see(look, Value::Null);
    Ok(state_json(&at.hub))
}
