//! Every address, and what it answers.

mod decisions;
mod photos;
mod refused;
mod sources;
mod tilesets;

use std::{path::PathBuf, sync::Arc, time::Duration};

use axum::{
    Json, Router,
    body::Body,
    extract::{Request, State, WebSocketUpgrade},
    http::{StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse, Redirect, Response},
    routing::{get, post},
};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use self::{
    decisions::{also, confirm, context, correct, draw, next_hand, reject, undo},
    photos::{ask, cancel, how_far, photo, photo_again, photo_picture, show},
    refused::Refused,
    sources::{moving_preview, profile, set_profile, still_preview},
    tilesets::{laid_out, laid_out_picture, learn},
};
use super::{
    Book, Hub,
    access::{self, Access},
    pages,
    photos::Photos,
    preview::Previews,
    socket,
    teaching::Teaching,
};
use crate::{rules::RuleSet, tile::Tile};

/// No other request is larger, in bytes …
const LARGEST_WORDS: usize = 64 << 10;
/// … or takes longer to come: one that stops half-way would keep its connection for ever.
const SAYING: Duration = Duration::from_secs(10);
/// No more pages at once.
const MOST_LISTENERS: usize = 256;
/// No more previews at once: each costs the reader time.
const MOST_VIEWERS: usize = 6;

#[derive(Clone)]
struct Served {
    hub: Arc<Hub>,
    photos: Arc<Photos>,
    teaching: Arc<Teaching>,
    book: Option<Arc<Book>>,
    overlay_css: Arc<str>,
    profiles: Arc<[Option<PathBuf>]>,
    previews: Arc<Previews>,
    deciding: Deciding,
    listeners: Arc<Semaphore>,
    viewers: Arc<Semaphore>,
}

type Answer = Result<Response, Refused>;

/// One decision at a time: writing to the ledger takes a moment, and until it is done the table is
/// shown as it was.
pub(super) type Deciding = Arc<tokio::sync::Mutex<()>>;

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
        .route("/api/photo/{number}", post(photo_again))
        .route("/api/photo/{number}/picture.jpg", get(photo_picture))
        .route("/api/photo/{number}/show", post(show))
        .route("/api/line", post(ask))
        .route("/api/line/{number}", get(how_far).delete(cancel))
        .route("/api/tileset/{number}", post(learn))
        .route("/api/tileset/{number}/picture.jpg", get(laid_out_picture))
        .layer(middleware::from_fn(words_only))
        .route("/api/photo", post(photo))
        .route("/api/tileset", post(laid_out))
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

/// Takes what is said whole, before anything is done about it.
async fn words_only(request: Request, next: Next) -> Response {
    let (head, body) = request.into_parts();
    let words = axum::body::to_bytes(body, LARGEST_WORDS);
    let (status, why) = match tokio::time::timeout(SAYING, words).await {
        Ok(Ok(words)) => return next.run(Request::from_parts(head, Body::from(words))).await,
        Ok(Err(_)) => {
            (StatusCode::PAYLOAD_TOO_LARGE, format!("at most {} KB", LARGEST_WORDS >> 10))
        }
        Err(_) => (StatusCode::REQUEST_TIMEOUT, "the request did not come whole".to_owned()),
    };
    Refused(status, why).into_response()
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

fn tile(code: &str) -> Result<Tile, Refused> {
    code.parse().map_err(|error: crate::tile::FaceError| {
        Refused(StatusCode::UNPROCESSABLE_ENTITY, error.to_string())
    })
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
