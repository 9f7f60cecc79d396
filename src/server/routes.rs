//! Every address, and what it answers.

use std::{
    net::IpAddr,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use axum::{
    Extension, Json, Router,
    extract::{DefaultBodyLimit, Path, Query, Request, State, WebSocketUpgrade},
    http::{StatusCode, header},
    middleware,
    response::{IntoResponse, Redirect, Response},
    routing::{get, post},
};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{
    Book, BookError, Context, ContextError, Hub, Look,
    access::{self, Access},
    connections::Peer,
    pages,
    photos::{PhotoError, Photos},
    preview::{self, Previews},
    rate::Rate,
    reading, socket,
    teaching::{Answered, Keeping, Teaching, TeachingError, numbered},
};
use crate::{
    calibration::table::{Edge, TableProfile},
    rules::RuleSet,
    tile::Tile,
    tileset::SetName,
};

/// No photo is larger, in bytes.
const LARGEST_PHOTO: usize = 30 << 20;
/// No other request is larger, in bytes.
const LARGEST_WORDS: usize = 64 << 10;
/// No more pages at once.
const MOST_LISTENERS: usize = 256;
/// No more previews at once: each costs the reader time.
const MOST_VIEWERS: usize = 6;
/// A photo that takes longer to come is given up.
const SENDING: Duration = Duration::from_secs(60);

#[derive(Clone)]
struct Served {
    hub: Arc<Hub>,
    photos: Arc<Photos>,
    teaching: Arc<Teaching>,
    book: Option<Arc<Book>>,
    overlay_css: Arc<str>,
    profiles: Arc<[Option<PathBuf>]>,
    uploads: Arc<Mutex<Rate>>,
    previews: Arc<Previews>,
    deciding: Deciding,
    listeners: Arc<Semaphore>,
    viewers: Arc<Semaphore>,
}

type Answer = Result<Response, Refused>;

/// One decision at a time: writing to the ledger takes a moment, and until it is done the table is
/// shown as it was.
pub(super) type Deciding = Arc<tokio::sync::Mutex<()>>;

/// An answer that says what was wrong.
struct Refused(StatusCode, String);

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        (self.0, Json(json!({ "error": self.1 }))).into_response()
    }
}

/// The answer to an address that has sent too many photos.
fn too_many(wait: Duration) -> Response {
    let seconds = wait.as_secs_f64().ceil() as u64;
    let why = format!("too many photos from one address: try again in {seconds} s");
    let refused = Refused(StatusCode::TOO_MANY_REQUESTS, why);
    ([(header::RETRY_AFTER, seconds.to_string())], refused).into_response()
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

impl From<TeachingError> for Refused {
    fn from(error: TeachingError) -> Self {
        let status = match &error {
            TeachingError::Photo(_) => StatusCode::INTERNAL_SERVER_ERROR,
            TeachingError::Lesson(_) => StatusCode::UNPROCESSABLE_ENTITY,
            TeachingError::Gone => StatusCode::NOT_FOUND,
            TeachingError::Unsure(_) | TeachingError::Known(_) | TeachingError::Full => {
                StatusCode::CONFLICT
            }
            TeachingError::NoHome | TeachingError::Folder(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        match error {
            TeachingError::Photo(error) => error.into(),
            error => Self(status, error.to_string()),
        }
    }
}

impl From<BookError> for Refused {
    fn from(error: BookError) -> Self {
        Self(StatusCode::CONFLICT, error.to_string())
    }
}

/// Files of the user's: what was read of them, and what is written to them.
pub(super) struct Kept {
    pub overlay_css: Option<String>,
    /// By the number of the source whose table they describe.
    pub profiles: Vec<Option<PathBuf>>,
    pub teaching: Arc<Teaching>,
}

pub(super) fn router(
    hub: Arc<Hub>,
    photos: Arc<Photos>,
    book: Option<Arc<Book>>,
    kept: Kept,
    deciding: Deciding,
    access: &Access,
) -> Router {
    let served = Served {
        hub,
        photos,
        teaching: kept.teaching,
        book,
        deciding,
        overlay_css: kept.overlay_css.unwrap_or_default().into(),
        profiles: kept.profiles.into(),
        uploads: Arc::default(),
        previews: Arc::default(),
        listeners: Arc::new(Semaphore::new(MOST_LISTENERS)),
        viewers: Arc::new(Semaphore::new(MOST_VIEWERS)),
    };
    let control = format!("{}control", access.prefix());
    let routes = Router::new()
        .route("/", get(async move || Redirect::to(&control)))
        .route("/overlay", get(async || pages::page("overlay.html")))
        .route("/control", get(async || pages::page("control.html")))
        .route("/scoreboard", get(async || pages::page("scoreboard.html")))
        .route("/phone", get(async || pages::page("phone.html")))
        .route("/tiles", get(async || pages::page("tiles.html")))
        .route("/assets/{name}", get(pages::asset))
        .route("/faces/{name}", get(pages::face))
        .route("/user.css", get(user_css))
        .route("/preview.mjpeg", get(moving_preview))
        .route("/frame.jpg", get(still_preview))
        .route("/health", get(async || "ok\n"))
        .route("/metrics", get(async |State(at): State<Served>| at.hub.metrics.text()))
        .route("/api/rules", get(rules))
        .route("/api/state", get(state))
        .route("/api/table", get(async |State(at): State<Served>| Json(at.hub.table())))
        .route("/api/table-profile", get(profile).post(set_profile))
        .route("/api/tournament", get(async |State(at): State<Served>| Json(at.hub.tournament())))
        .route("/api/socket", get(listen))
        .route("/api/context", post(context))
        .route("/api/correct", post(correct))
        .route("/api/confirm", post(confirm))
        .route("/api/reject", post(reject))
        .route("/api/draw", post(draw))
        .route("/api/also", post(also))
        .route("/api/next", post(next_hand))
        .route("/api/undo", post(undo))
        .route("/api/photo", post(photo))
        .route("/api/photo/{number}", post(photo_again))
        .route("/api/photo/{number}/show", post(show))
        .route("/api/tileset", post(laid_out))
        .route("/api/tileset/{number}", post(learn))
        .layer(DefaultBodyLimit::max(LARGEST_WORDS))
        .layer(middleware::from_fn(access::own_pages_only))
        .with_state(served);
    match access {
        Access::Loopback => routes.layer(middleware::from_fn(access::loopback_names_only)),
        Access::Token(token) => {
            let control = format!("/{token}/control");
            Router::new()
                .nest(&format!("/{token}"), routes)
                .route(&format!("/{token}/"), get(async move || Redirect::to(&control)))
        }
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
    Ok(upgrade.max_message_size(LARGEST_WORDS).max_frame_size(LARGEST_WORDS).on_upgrade(
        async move |socket| {
            at.hub.metrics.pages.inc();
            socket::push(socket, Arc::clone(&at.hub)).await;
            at.hub.metrics.pages.dec();
            drop(place);
        },
    ))
}

/// Which source; the first unless it is told.
#[derive(Deserialize)]
struct Which {
    #[serde(default)]
    source: usize,
}

async fn still_preview(State(at): State<Served>, Query(which): Query<Which>) -> Response {
    preview::still(at.hub, which.source).await
}

/// The profile of a source's table, as its file.
async fn profile(State(at): State<Served>, Query(which): Query<Which>) -> Answer {
    let Some(profile) = at.hub.profile(which.source) else {
        let why = "no table was marked in this source's picture: mark its corners";
        return Err(Refused(StatusCode::NOT_FOUND, why.to_owned()));
    };
    let headers = [
        (header::CONTENT_TYPE, "application/toml"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"table.toml\""),
    ];
    Ok((headers, profile.to_toml()).into_response())
}

/// Where the table lies in a source's picture, as it was marked on a page.
#[derive(Deserialize)]
struct Marked {
    #[serde(default)]
    source: usize,
    /// Size of the picture in which it was marked.
    picture: [u32; 2],
    corners: [[f32; 2]; 4],
    east: Edge,
}

/// The usual areas go with new corners; areas and seats of a file that was changed by hand stay.
async fn set_profile(State(at): State<Served>, Json(marked): Json<Marked>) -> Answer {
    let _one = at.deciding.lock().await;
    let new = TableProfile::new(marked.picture, marked.corners, marked.east)
        .map_err(|error| Refused(StatusCode::UNPROCESSABLE_ENTITY, error.to_string()))?;
    let profile = at.hub.set_profile(marked.source, new)?;
    if let Some(Some(file)) = at.profiles.get(marked.source) {
        profile.save(file).map_err(|error| {
            let why = format!(
                "the table is marked, but {} was not written, so a new start will not know it: {error}",
                file.display()
            );
            Refused(StatusCode::INTERNAL_SERVER_ERROR, why)
        })?;
    }
    Ok(state_json(&at.hub))
}

async fn moving_preview(State(at): State<Served>, Query(which): Query<Which>) -> Answer {
    match Arc::clone(&at.viewers).try_acquire_owned() {
        Ok(place) => Ok(at.previews.moving(&at.hub, which.source, place)),
        Err(_) => {
            let why = format!("{MOST_VIEWERS} previews are open already: close some");
            Err(Refused(StatusCode::SERVICE_UNAVAILABLE, why))
        }
    }
}

async fn context(State(at): State<Served>, Json(changes): Json<Map<String, Value>>) -> Answer {
    let _one = at.deciding.lock().await;
    if at.book.is_some() && ["rules", "rulings"].iter().any(|field| changes.contains_key(*field)) {
        let why = "the ledger's table says which rules are played: they cannot be changed here";
        return Err(Refused(StatusCode::CONFLICT, why.to_owned()));
    }
    at.hub.set_context(changes)?;
    Ok(state_json(&at.hub))
}

/// What a tile is; without `code` a correction is taken back.
#[derive(Deserialize)]
struct Correction {
    tile: u64,
    code: Option<String>,
    /// The corrections of the hand on show are to be kept in the tile set in use.
    #[serde(default)]
    keep: bool,
}

/// Has the tile set in use learn the corrections of the hand on show, and forget those that were taken
/// back.
async fn keep_shown(at: &Served, keep: bool) -> Result<(), TeachingError> {
    match at.hub.corrected(keep) {
        Some(keeping) => at.teaching.keep_corrections(keeping).await,
        None => Ok(()),
    }
}

fn tile(code: &str) -> Result<Tile, Refused> {
    code.parse().map_err(|error: crate::tile::FaceError| {
        Refused(StatusCode::UNPROCESSABLE_ENTITY, error.to_string())
    })
}

async fn correct(State(at): State<Served>, Json(correction): Json<Correction>) -> Answer {
    let one = at.deciding.lock().await;
    let is = correction.code.as_deref().map(tile).transpose()?;
    if !at.hub.correct(correction.tile, is) {
        let why = format!(
            "no tile {} lies there any more, or a confirmed hand is on show",
            correction.tile
        );
        return Err(Refused(StatusCode::NOT_FOUND, why));
    }
    drop(one);
    keep_shown(&at, correction.keep).await?;
    Ok(state_json(&at.hub))
}

async fn confirm(State(at): State<Served>) -> Answer {
    let _one = at.deciding.lock().await;
    let Some(confirming) = at.hub.to_confirm() else {
        let why = "there is no scored hand to confirm: settle the doubts and say how it was won";
        return Err(Refused(StatusCode::CONFLICT, why.to_owned()));
    };
    let Some(book) = &at.book else {
        at.hub.confirm(confirming.reading, None);
        return Ok(state_json(&at.hub));
    };
    let written = book.write(&confirming).await;
    decided(&at, book, confirming.reading, written).await
}

/// What was decided is on show once the ledger has it.
async fn decided(
    at: &Served,
    book: &Book,
    reading: Value,
    written: Result<crate::table::TableState, BookError>,
) -> Answer {
    match written {
        Ok(table) => {
            at.hub.confirm(reading, Some(table.last_event));
            at.hub.set_table(table);
            Ok(state_json(&at.hub))
        }
        Err(error) => {
            // Somebody may have written meanwhile: the page shows the table as it is now.
            if let Ok(table) = book.state().await {
                at.hub.set_table(table);
            }
            Err(error.into())
        }
    }
}

/// Nobody won the deal.
async fn draw(State(at): State<Served>) -> Answer {
    let _one = at.deciding.lock().await;
    let conflict = |why: &str| Err(Refused(StatusCode::CONFLICT, why.to_owned()));
    let (Some(book), Some(shown)) = (&at.book, at.hub.to_draw()) else {
        return conflict("a draw is entered at a ledger's table, before a hand is confirmed");
    };
    let written = book.draw(&shown).await;
    decided(&at, book, json!({ "draw": true }), written).await
}

/// Another player has won on the same tile.
async fn also(State(at): State<Served>) -> Answer {
    let _one = at.deciding.lock().await;
    if !at.hub.also() {
        let why =
            "confirm the first winner's hand, won on another's tile at a ledger's table, first";
        return Err(Refused(StatusCode::CONFLICT, why.to_owned()));
    }
    Ok(state_json(&at.hub))
}

async fn reject(State(at): State<Served>) -> Answer {
    let _one = at.deciding.lock().await;
    at.hub.reject()?;
    Ok(state_json(&at.hub))
}

async fn next_hand(State(at): State<Served>) -> Answer {
    let _one = at.deciding.lock().await;
    at.hub.next();
    Ok(state_json(&at.hub))
}

async fn undo(State(at): State<Served>) -> Answer {
    let one = at.deciding.lock().await;
    let table = match (&at.book, at.hub.undoes()) {
        // Somebody else may have taken it back already.
        (Some(book), Some(event)) if book.stands(event).await.map_err(BookError::from)? => {
            Some(book.take_back(event).await?)
        }
        _ => None,
    };
    if !at.hub.undo() {
        return Err(Refused(StatusCode::CONFLICT, "there is nothing to undo".to_owned()));
    }
    if let Some(table) = table {
        at.hub.set_table(table);
    }
    drop(one);
    keep_shown(&at, false).await?;
    Ok(state_json(&at.hub))
}

/// What is told of a photo: context fields, and corrections by the tiles' numbers.
#[derive(Default, Deserialize)]
struct PhotoWords {
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
struct PhotoQuery {
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
async fn sent(
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

async fn photo(
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

async fn photo_again(
    State(at): State<Served>,
    Path(number): Path<u64>,
    Json(words): Json<PhotoWords>,
) -> Answer {
    let look = kept(&at, number)?;
    answer_photo(&at, number, &look, words).await
}

/// Puts a photo on the overlay and the control page, as if the camera saw it.
async fn show(
    State(at): State<Served>,
    Path(number): Path<u64>,
    Json(words): Json<PhotoWords>,
) -> Answer {
    let _one = at.deciding.lock().await;
    let look = kept(&at, number)?;
    let fixes = words.fixes()?;
    at.hub.put(look, words.context, fixes)?;
    Ok(state_json(&at.hub))
}

/// What the set is to be called, and the photo that this one goes with.
#[derive(Deserialize)]
struct LaidOut {
    name: String,
    with: Option<u64>,
}

/// A photo of a set that was laid out. Nothing is written.
async fn laid_out(
    State(at): State<Served>,
    Extension(Peer(from)): Extension<Peer>,
    Query(told): Query<LaidOut>,
    request: Request,
) -> Answer {
    let (place, bytes) = match sent(&at, from, request).await {
        Ok(sent) => sent,
        Err(answer) => return Ok(*answer),
    };
    // After the picture has come: who is answered while still sending sees a broken connection.
    let name: SetName = told.name.parse().map_err(|error: crate::tileset::ProfileError| {
        Refused(StatusCode::UNPROCESSABLE_ENTITY, error.to_string())
    })?;
    let found = at.teaching.look(place, name, told.with, bytes).await;
    let found = found.inspect_err(|_| {
        at.hub.metrics.refused.inc();
    })?;
    at.hub.metrics.photos.inc();
    Ok(Json(found).into_response())
}

/// Writes what was found, as a person has confirmed it.
async fn learn(
    State(at): State<Served>,
    Path(number): Path<u64>,
    Json(answered): Json<Answered>,
) -> Answer {
    let place = at.photos.place()?;
    Ok(Json(at.teaching.learn(place, number, answered).await?).into_response())
}
