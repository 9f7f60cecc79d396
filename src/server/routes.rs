//! Every route and its handler.

mod advice;
mod api;
mod calls;
mod decisions;
mod photos;
mod programme;
mod records;
mod refused;
mod results;
mod sources;
mod tilesets;
mod venue;
mod words;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use axum::{
    Json, Router,
    body::Body,
    extract::{self, Query, Request, State, WebSocketUpgrade},
    http::{HeaderMap, StatusCode, Uri, header},
    middleware::{self, Next},
    response::{IntoResponse, Redirect, Response},
    routing::{MethodRouter, get, post},
};
use tokio::sync::Semaphore;
use tower::ServiceExt as _;

pub use self::api::document as api_schema;
use self::{
    advice::{advise, four_hands},
    decisions::{
        after_confirm, also, amend, chombo, confirm, context, correct, dead_hand, disqualify, draw,
        next_hand, penalty, reject, take_out, undo, void_claim, whole_deal,
    },
    photos::{
        answer_ask, ask, asked_to_show, cancel, how_far, photo, photo_again, photo_picture, show,
    },
    programme::{auto, put_on_air, take_off_air},
    refused::Refused,
    results::{result, results},
    sources::{moving_preview, profile, set_profile, still_preview},
    tilesets::{laid_out, laid_out_picture, learn},
};
use super::{
    Client, Hub, LedgerHandle, access, json::WholeTable, metrics, page_query, pages, paper::Paper,
    photos::Photos, pocket, preview::Previews, records::Records, socket, teaching::Teaching,
    theme::Theme, tokens::Tokens, venue::Venue,
};
use crate::{
    ledger::{Code, Opens},
    page,
    tile::Tile,
};

/// The largest request other than a photo, in bytes.
const LARGEST_WORDS: usize = 64 << 10;
/// The longest time for a request to arrive: one that stops half-way would keep its connection for ever.
const SAYING: Duration = Duration::from_secs(10);
/// The most pages connected at once.
const MOST_LISTENERS: usize = 256;
/// The most phones at tables and desks connected at once: five for each of 200 tables.
const MOST_PHONES: usize = 1_000;
/// The most previews at once: each costs the reader time.
const MOST_VIEWERS: usize = 6;

/// A route, and the clients that may use it.
struct Route {
    path: &'static str,
    /// The clients that may use it, besides this machine where it needs no token, which may use all.
    may: &'static [Client],
    answer: fn() -> MethodRouter<Served>,
    takes: Takes,
}

/// The requests that a route takes.
enum Takes {
    /// A short body, which is read in full before the handler runs.
    Words,
    /// A picture, which the handler reads.
    Picture,
    /// No body. The route gives a part of the program to any page: without its scripts, a page that a proxy has made one of
    /// another site could not show why the rest is refused.
    Nothing,
}

const fn words(
    path: &'static str,
    may: &'static [Client],
    answer: fn() -> MethodRouter<Served>,
) -> Route {
    Route { path, may, answer, takes: Takes::Words }
}

const fn picture(
    path: &'static str,
    may: &'static [Client],
    answer: fn() -> MethodRouter<Served>,
) -> Route {
    Route { path, may, answer, takes: Takes::Picture }
}

const fn part(
    path: &'static str,
    may: &'static [Client],
    answer: fn() -> MethodRouter<Served>,
) -> Route {
    Route { path, may, answer, takes: Takes::Nothing }
}

const ALL: &[Client] = &[Client::Operator, Client::Phone, Client::Screen, Client::Table];
const OPERATOR: &[Client] = &[Client::Operator];
const PHONE: &[Client] = &[Client::Phone];
const PHOTO: &[Client] = &[Client::Phone, Client::Table];
const SCREEN: &[Client] = &[Client::Operator, Client::Screen];
const WATCHING: &[Client] = &[Client::Operator, Client::Phone, Client::Screen];
const TABLE: &[Client] = &[Client::Operator, Client::Table];

/// All routes.
const ROUTES: &[Route] = &[
    words("/", ALL, || get(home)),
    words("/health", ALL, || get(async || "ok\n")),
    part("/assets/{name}", ALL, || get(pages::asset)),
    part("/faces/{name}", ALL, || get(pages::face)),
    words("/control", OPERATOR, || get(async || pages::page("control.html"))),
    words("/overlay", SCREEN, || {
        get(async |asked| screen("overlay.html", page_query::OVERLAY, asked))
    }),
    words("/scoreboard", SCREEN, || {
        get(async |asked| screen("scoreboard.html", page_query::SCOREBOARD, asked))
    }),
    words("/phone", PHONE, || get(async || pages::page("phone.html"))),
    words("/tiles", PHONE, || get(async || pages::page("tiles.html"))),
    words("/pocket", PHONE, || get(async || Redirect::to("pocket/"))),
    part("/pocket/", PHONE, || {
        get(async |State(at): State<Served>| pocket::file(at.pocket.as_deref(), "").await)
    }),
    part("/pocket/{*file}", PHONE, || {
        get(async |State(at): State<Served>, extract::Path(file): extract::Path<String>| {
            pocket::file(at.pocket.as_deref(), &file).await
        })
    }),
    words("/replay", WATCHING, || get(async || pages::page("records.html"))),
    words("/replay/{name}", WATCHING, || get(records::game)),
    words("/api/records", WATCHING, || get(records::games)),
    words("/api/records/{name}", OPERATOR, || post(records::mend)),
    words("/user.css", SCREEN, || get(user_css)),
    words("/theme.json", SCREEN, || {
        get(async |State(at): State<Served>| Json(&at.theme.pictures).into_response())
    }),
    part("/theme/{name}", SCREEN, || get(theme_file)),
    words("/preview.mjpeg", OPERATOR, || get(moving_preview)),
    words("/frame.jpg", OPERATOR, || get(still_preview)),
    words("/metrics", OPERATOR, || get(figures)),
    words("/api/rules", &[Client::Operator, Client::Phone, Client::Table], || get(rules)),
    words("/api/advise", &[Client::Operator, Client::Phone, Client::Table], || post(advise)),
    words("/api/four-hands", &[Client::Operator, Client::Phone, Client::Table], || {
        post(four_hands)
    }),
    words("/api/state", ALL, || get(async |State(at): State<Served>| at.state())),
    words("/api/socket", &[Client::Operator, Client::Screen], || get(listen)),
    words("/api/table", &[Client::Operator, Client::Screen], || {
        get(async |State(at): State<Served>| {
            Json(at.hub.table_shown().as_ref().map(WholeTable::of)).into_response()
        })
    }),
    words("/api/tournament", &[Client::Operator, Client::Screen], || {
        get(async |State(at): State<Served>| Json(at.hub.tournament()))
    }),
    words("/api/table-profile", OPERATOR, || get(profile).post(set_profile)),
    words("/api/context", OPERATOR, || post(context)),
    words("/api/correct", OPERATOR, || post(correct)),
    words("/api/show", OPERATOR, || post(put_on_air)),
    words("/api/hide", OPERATOR, || post(take_off_air)),
    words("/api/auto", OPERATOR, || post(auto)),
    words("/api/confirm", OPERATOR, || post(confirm)),
    words("/api/after-confirm", OPERATOR, || get(after_confirm)),
    words("/api/reject", OPERATOR, || post(reject)),
    words("/api/draw", OPERATOR, || post(draw)),
    words("/api/whole-deal", OPERATOR, || post(whole_deal)),
    words("/api/chombo", OPERATOR, || post(chombo)),
    words("/api/penalty", OPERATOR, || post(penalty)),
    words("/api/dead-hand", OPERATOR, || post(dead_hand)),
    words("/api/void-claim", OPERATOR, || post(void_claim)),
    words("/api/disqualify", OPERATOR, || post(disqualify)),
    words("/api/amend", OPERATOR, || post(amend)),
    words("/api/take-out", OPERATOR, || post(take_out)),
    words("/api/result", OPERATOR, || get(results).post(result)),
    words("/api/also", OPERATOR, || post(also)),
    words("/api/next", OPERATOR, || post(next_hand)),
    words("/api/undo", OPERATOR, || post(undo)),
    words("/table/{table}", TABLE, || get(venue::table_page)),
    words("/api/table/{table}", TABLE, || get(venue::table)),
    words("/api/table/{table}/socket", TABLE, || get(venue::table_socket)),
    words("/api/table/{table}/enter", TABLE, || post(venue::enter)),
    words("/api/table/{table}/confirm", TABLE, || post(venue::confirm)),
    words("/api/table/{table}/refuse", TABLE, || post(venue::refuse)),
    words("/api/table/{table}/ask", TABLE, || post(venue::ask_desk)),
    words("/desk", OPERATOR, || get(venue::desk_page)),
    words("/api/desk", OPERATOR, || get(venue::desk).post(venue::desk_does)),
    words("/api/desk/socket", OPERATOR, || get(venue::desk_socket)),
    words("/api/desk/paper", OPERATOR, || post(venue::desk_paper)),
    picture("/api/photo", PHOTO, || post(photo)),
    words("/api/photo/{number}", PHOTO, || post(photo_again)),
    words("/api/photo/{number}/picture.jpg", PHOTO, || get(photo_picture)),
    words("/api/photo/{number}/show", PHONE, || get(asked_to_show).post(show)),
    words("/api/ask", OPERATOR, || post(answer_ask)),
    words("/api/line", PHOTO, || post(ask)),
    words("/api/line/{number}", PHOTO, || get(how_far).delete(cancel)),
    picture("/api/tileset", PHONE, || post(laid_out)),
    words("/api/tileset/{number}", PHONE, || post(learn)),
    words("/api/tileset/{number}/picture.jpg", PHONE, || get(laid_out_picture)),
];

/// Every path with the clients that may use it by a token or a code.
pub fn routes() -> impl Iterator<Item = (&'static str, &'static [Client])> {
    ROUTES.iter().map(|route| (route.path, route.may))
}

#[derive(Clone)]
struct Served {
    /// The client of these routes.
    client: Client,
    hub: Arc<Hub>,
    photos: Arc<Photos>,
    teaching: Arc<Teaching>,
    table_ledger: Option<LedgerHandle>,
    paper: Option<Arc<Paper>>,
    venue: Option<Arc<Venue>>,
    overlay_css: Arc<str>,
    theme: Arc<Theme>,
    pocket: Option<Arc<Path>>,
    records: Option<Arc<Records>>,
    profiles: Arc<[Option<PathBuf>]>,
    previews: Arc<Previews>,
    deciding: Deciding,
    listeners: Arc<Semaphore>,
    phones: Arc<Semaphore>,
    viewers: Arc<Semaphore>,
}

type Answer = Result<Response, Refused>;

/// Allows one decision at a time: a write to the ledger takes a moment, and until it is done the old table is shown.
pub(super) type Deciding = Arc<tokio::sync::Mutex<()>>;

/// The user's files and services that the routes need.
pub(super) struct RouteOptions {
    pub overlay_css: Option<String>,
    pub theme: Theme,
    pub pocket: Option<PathBuf>,
    pub records: Option<Records>,
    /// The table profiles by source number.
    pub profiles: Vec<Option<PathBuf>>,
    /// The table of the control page.
    pub table_ledger: Option<LedgerHandle>,
    /// The ledger, which may hold a tournament.
    pub paper: Option<Arc<Paper>>,
    pub venue: Option<Arc<Venue>>,
    pub teaching: Arc<Teaching>,
}

/// Who is let in.
pub(super) struct Doors<'a> {
    /// The tokens of the local network, where that is answered.
    pub tokens: Option<&'a Tokens>,
    /// Whether programs on this machine need no token.
    pub is_open_here: bool,
}

pub(super) fn router(
    hub: Arc<Hub>,
    photos: Arc<Photos>,
    kept: RouteOptions,
    deciding: Deciding,
    doors: Doors,
) -> Router {
    let Doors { tokens, is_open_here } = doors;
    let served = Served {
        client: Client::ThisMachine,
        hub,
        photos,
        teaching: kept.teaching,
        table_ledger: kept.table_ledger,
        paper: kept.paper,
        venue: kept.venue,
        deciding,
        overlay_css: kept.overlay_css.unwrap_or_default().into(),
        theme: Arc::new(kept.theme),
        pocket: kept.pocket.map(Into::into),
        records: kept.records.map(Arc::new),
        profiles: kept.profiles.into(),
        previews: Arc::default(),
        listeners: Arc::new(Semaphore::new(MOST_LISTENERS)),
        phones: Arc::new(Semaphore::new(MOST_PHONES)),
        viewers: Arc::new(Semaphore::new(MOST_VIEWERS)),
    };
    // Clients without a token do not learn which routes exist.
    let refused = if tokens.is_some() { NOTHING } else { ELSEWHERE };
    let here = middleware::from_fn_with_state(refused, access::this_machine_only);
    let coded = Coded::new(&served);
    let mut router = Router::new().fallback(async move |request| match coded {
        Some(coded) => coded.answer(request).await,
        None => NOTHING.into_response(),
    });
    for route in ROUTES.iter().filter(|_| is_open_here) {
        let answer = answer(route, &served).layer(here.clone());
        router = router.route(route.path, answer);
    }
    for client in tokens.iter().flat_map(|_| Client::WITH_TOKEN) {
        let prefix = tokens.map(|tokens| tokens.prefix(client)).unwrap_or_default();
        let served = Served { client, ..served.clone() };
        router = router.route(&prefix, get(home).with_state(served.clone()));
        for route in ROUTES.iter().filter(|route| route.may.contains(&client)) {
            router = router.route(&format!("{prefix}{}", route.path), answer(route, &served));
        }
    }
    router
}

/// The routes for addresses with a code, and the ledger that knows the codes.
#[derive(Clone)]
struct Coded {
    venue: Arc<Venue>,
    table: Router,
    desk: Router,
    screen: Router,
}

impl Coded {
    fn new(served: &Served) -> Option<Self> {
        let venue = served.venue.clone()?;
        let [table, desk, screen] =
            [Client::Table, Client::Operator, Client::Screen].map(|client| {
                let served = Served { client, ..served.clone() };
                let may = ROUTES.iter().filter(|route| route.may.contains(&client));
                may.fold(Router::new().fallback(async || NOTHING), |router, route| {
                    router.route(route.path, answer(route, &served))
                })
            });
        Some(Self { venue, table, desk, screen })
    }

    /// The answer at `/CODE/…`, as if the code were not there.
    async fn answer(self, mut request: Request) -> Response {
        let path = request.uri().path().trim_start_matches('/');
        let (code, rest) = path.split_once('/').unwrap_or((path, ""));
        let Some(code) = Code::read(code) else { return NOTHING.into_response() };
        let opens = match self.venue.opened_by(&code).await {
            Ok(Some(opens)) => opens,
            Ok(None) => return NOTHING.into_response(),
            Err(error) => {
                return Refused(StatusCode::SERVICE_UNAVAILABLE, error.to_string()).into_response();
            }
        };
        if rest.is_empty() {
            let home = match opens {
                Opens::Table(table) => format!("table/{table}"),
                Opens::Desk => "desk".to_owned(),
                Opens::Screen => "scoreboard".to_owned(),
            };
            return Redirect::to(&format!("/{}/{home}", code.plain())).into_response();
        }
        let query = request.uri().query().map_or_else(String::new, |query| format!("?{query}"));
        let Ok(uri) = format!("/{rest}{query}").parse() else { return NOTHING.into_response() };
        *request.uri_mut() = uri;
        request.extensions_mut().insert(opens);
        let router = match opens {
            Opens::Table(_) => self.table,
            Opens::Desk => self.desk,
            Opens::Screen => self.screen,
        };
        router.oneshot(request).await.into_response()
    }
}

fn answer(route: &Route, served: &Served) -> MethodRouter {
    let answer = (route.answer)();
    let own_pages_only = middleware::from_fn(access::own_pages_only);
    let answer = match route.takes {
        Takes::Words => answer.layer(middleware::from_fn(words_only)).layer(own_pages_only),
        Takes::Picture => answer.layer(own_pages_only),
        Takes::Nothing => answer,
    };
    answer.with_state(served.clone())
}

/// The answer to unknown or forbidden paths.
const NOTHING: (StatusCode, &str) = (
    StatusCode::NOT_FOUND,
    "There is nothing at this address. Addresses hold a secret token, on this machine too unless it was started with \
     --no-token-here, and each opens its own page alone: take this one from the terminal in which Tilelens runs, or point \
     the phone at the code there.\n",
);
/// The answer to other machines without `--lan`.
const ELSEWHERE: (StatusCode, &str) = (
    StatusCode::FORBIDDEN,
    "Use http://127.0.0.1 or http://localhost, or start with --lan for other machines and for a proxy before it.\n",
);

/// The first page of the client.
async fn home(State(at): State<Served>, asked: Uri) -> Redirect {
    Redirect::to(&format!("{}/{}", asked.path().trim_end_matches('/'), at.client.home()))
}

/// Reads the body in full before the handler runs.
async fn words_only(request: Request, next: Next) -> Response {
    let (head, body) = request.into_parts();
    let words = axum::body::to_bytes(body, LARGEST_WORDS);
    let (status, why) = match tokio::time::timeout(SAYING, words).await {
        Ok(Ok(words)) => return next.run(Request::from_parts(head, Body::from(words))).await,
        Ok(Err(_)) => {
            (StatusCode::PAYLOAD_TOO_LARGE, format!("at most {} KB", LARGEST_WORDS >> 10))
        }
        Err(_) => (StatusCode::REQUEST_TIMEOUT, "the request did not arrive in full".to_owned()),
    };
    Refused(status, why).into_response()
}

impl Served {
    /// The state as this kind of client may see it.
    fn state(&self) -> Response {
        let state = self.hub.states().borrow().of(self.client).as_str().to_owned();
        ([(header::CONTENT_TYPE, "application/json")], state).into_response()
    }
}

/// A page for viewers. Rejected options of its address are reported on the page and in the terminal.
fn screen(
    page: &'static str,
    options: &[page_query::PageOption],
    Query(query): Query<Vec<(String, String)>>,
) -> Response {
    let asked = page_query::PageQuery::of(&query, options);
    for wrong in &asked.wrong {
        tracing::error!("{}: {wrong}", page.trim_end_matches(".html"));
    }
    pages::page_asked(page, &asked)
}

/// The metrics in the requested format.
async fn figures(State(at): State<Served>, headers: HeaderMap) -> Response {
    let form = metrics::Form::accepted(headers.get_all(header::ACCEPT));
    ([(header::CONTENT_TYPE, form.content_type())], at.hub.metrics.text(form)).into_response()
}

async fn user_css(State(at): State<Served>) -> Response {
    let css = format!("{}{}", at.theme.css, at.overlay_css);
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], css).into_response()
}

/// A picture of the user's theme, or its letters.
async fn theme_file(
    State(at): State<Served>,
    extract::Path(name): extract::Path<String>,
) -> Response {
    match at.theme.file(&name) {
        Some(bytes) => pages::file_of_page(&name, pages::OWN_ONLY, bytes.to_vec()),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// The rule sets to choose from, with their rulings and the fields that they need.
async fn rules() -> Response {
    Json(page::RulesList::presets()).into_response()
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
            socket::push(socket, at.hub.states(), |states| states.of(at.client).clone()).await;
            at.hub.metrics.pages.dec();
            drop(place);
        },
    ))
}
