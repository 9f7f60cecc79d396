//! What an evening brings: connections that stall, flood and go, words and pictures that never come whole,
//! operators who act at once, a disk without room. Each protection has a test that fails without it.

use std::{
    collections::BTreeMap,
    io::{ErrorKind, Read, Write},
    net::TcpStream,
    path::Path,
    process::Command,
    sync::Arc,
    thread::{self, sleep},
    time::{Duration, Instant},
};

use crate::support::connections::{Page, connect, next_state, raw};
use crate::support::served::{Served, four_players, layout_path, table, table_path, tilelens};
use serde_json::{Value, json};
use tilelens::{
    ledger::Ledger,
    rules::Library,
    server::{Confirming, Context, DealReading, Drawn, EntryTarget, Said, Won},
    table::TableState,
};
use tungstenite::{Message, stream::MaybeTlsStream};

/// Far longer than anything here takes: only a fault reaches it.
const LONG: Duration = Duration::from_secs(120);

fn until(what: &str, is_so: impl Fn() -> bool) {
    let deadline = Instant::now() + LONG;
    while !is_so() {
        assert!(Instant::now() < deadline, "never: {what}");
        sleep(Duration::from_millis(50));
    }
}

/// A request as it stands on the wire.
fn words(line: &str, headers: &str, body: &str) -> Vec<u8> {
    format!("{line} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n{body}").into_bytes()
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or("none")
}

/// Sends a request and leaves it open.
fn begin(served: &Served, bytes: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(("127.0.0.1", served.port())).unwrap();
    stream.set_read_timeout(Some(LONG)).unwrap();
    stream.write_all(bytes).unwrap();
    stream
}

/// Reads as far as those words.
fn read_to(stream: &mut TcpStream, end: &str) -> String {
    let mut read = Vec::new();
    let mut byte = [0];
    while !read.ends_with(end.as_bytes()) {
        assert_eq!(stream.read(&mut byte).unwrap(), 1, "{}", String::from_utf8_lossy(&read));
        read.push(byte[0]);
    }
    String::from_utf8_lossy(&read).into_owned()
}

#[test]
fn pages_of_other_sites_neither_decide_nor_listen() {
    let served = Served::serve();
    let origins = ["http://localhost", "http://elsewhere.example", "null"];
    for (origin, expected) in origins.into_iter().zip(["409", "403", "403"]) {
        let headers = format!("Origin: {origin}\r\nConnection: close\r\n");
        let mut stream = begin(&served, &words("POST /api/undo", &headers, ""));
        assert_eq!(status(&read_to(&mut stream, "\r\n")), expected, "undo from {origin}");
    }
    // A socket of another site hears that it is refused (a close frame with a reason, RFC 6455), and nothing else.
    for (origin, opcode) in origins.into_iter().zip([0x81, 0x88, 0x88]) {
        let upgrade = format!(
            "Origin: {origin}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        );
        let mut stream = begin(&served, &words("GET /api/socket", &upgrade, ""));
        assert_eq!(status(&read_to(&mut stream, "\r\n\r\n")), "101", "{origin}");
        let mut first = [0];
        stream.read_exact(&mut first).unwrap();
        assert_eq!(first, [opcode], "{origin}");
    }
}

#[test]
fn words_are_bounded_in_size_and_in_time() {
    let served = Served::serve();
    let before = served.state();
    let long = served.post("api/context", &json!({ "title": "x".repeat(70_000) }));
    assert_eq!(long.status, 413, "{}", long.text());
    let headers = "Content-Type: application/json\r\nContent-Length: 100\r\n";
    let mut stops = begin(&served, &words("POST /api/context", headers, "{\"title\": \"ha"));
    assert_eq!(status(&read_to(&mut stops, "\r\n")), "408");
    assert_eq!(served.state(), before);
}

#[test]
fn heads_are_bounded() {
    let served = Served::serve();
    let many: String = (0..1000).map(|k| format!("X-{k}: y\r\n")).collect();
    let long = format!("X: {}\r\n", "y".repeat(1 << 20));
    for headers in [many, long] {
        let answer = raw(&served, &words("GET /health", &headers, ""));
        // Whoever still sends when he is sent away may not see why.
        assert!(matches!(status(&answer), "431" | "none"), "{answer}");
    }
    assert_eq!(served.get("health").text(), "ok\n");
}

#[test]
fn silent_connections_take_only_their_places_and_are_sent_away() {
    let served = Served::serve();
    let before = served.open_files();
    let silent: Vec<TcpStream> =
        (0..700).map(|_| begin(&served, b"GET / HTTP/1.1\r\nHo")).collect();
    let port = served.port();
    let health = words("GET /health", "Connection: close\r\n", "");
    let answered = thread::spawn(move || {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_read_timeout(Some(LONG)).unwrap();
        stream.write_all(&health).unwrap();
        read_to(&mut stream, "\r\n")
    });
    let mut most = 0;
    while !answered.is_finished() {
        most = most.max(served.open_files());
        sleep(Duration::from_millis(5));
    }
    assert_eq!(status(&answered.join().unwrap()), "200", "they have been sent away");
    most = most.max(served.open_files());
    assert!(most <= before + 512 + 8, "{most} open, {before} before");
    drop(silent);
}

#[test]
fn a_connection_that_asks_nothing_more_is_closed() {
    let served = Served::serve();
    let mut stream = begin(&served, &words("GET /health", "", ""));
    read_to(&mut stream, "ok\n");
    let mut more = [0];
    assert_eq!(stream.read(&mut more).unwrap(), 0, "closed after a while");
}

/// Whether the page is sent away, rather than that it goes on hearing.
fn is_sent_away(page: &mut Page) -> bool {
    for _ in 0..4 {
        match page.read() {
            Ok(Message::Close(_)) => return true,
            Ok(_) => {}
            Err(tungstenite::Error::Io(error)) => {
                return !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut);
            }
            Err(_) => return true,
        }
    }
    false
}

#[test]
fn a_page_that_says_much_is_sent_away() {
    let served = Served::serve();
    let mut page = connect(&served);
    next_state(&mut page);
    page.send(Message::Text("x".repeat(70_000).into())).unwrap();
    assert!(is_sent_away(&mut page));
    // The head of a frame of half a gigabyte.
    let mut page = connect(&served);
    next_state(&mut page);
    let MaybeTlsStream::Plain(stream) = page.get_mut() else { unreachable!() };
    let head = [&[0x82, 0xFF][..], &(1u64 << 29).to_be_bytes(), &[0; 4]].concat();
    stream.write_all(&head).unwrap();
    assert!(is_sent_away(&mut page));
    assert_eq!(served.get("health").text(), "ok\n");
}

#[test]
fn pages_that_do_not_answer_are_let_go() {
    let served = Served::serve();
    // Nothing answers the server's pings until it is read.
    let dumb = connect(&served);
    until("it is there", || served.get("metrics").text().contains("tilelens_pages 1"));
    until("it is let go", || served.get("metrics").text().contains("tilelens_pages 0"));
    drop(dumb);
}

/// The head of a photo that does not come, once the server waits for the rest.
fn half_a_photo(served: &Served) -> TcpStream {
    let headers = "Content-Length: 1000\r\nExpect: 100-continue\r\n";
    let mut stream = begin(served, &words("POST /api/photo", headers, ""));
    assert_eq!(status(&read_to(&mut stream, "\r\n\r\n")), "100");
    stream
}

#[test]
fn photos_that_stop_half_way_hold_the_line_up_only_while_they_may_still_come() {
    let served = Served::serve();
    let small = words("POST /api/photo", "Content-Length: 3\r\nConnection: close\r\n", "abc");
    let line: Vec<TcpStream> = (0..6).map(|_| half_a_photo(&served)).collect();
    let answer = raw(&served, &small);
    assert!(status(&answer) == "429" && answer.contains("too many pictures at once"), "{answer}");
    assert_eq!(served.get("health").text(), "ok\n", "all else is answered");
    drop(line);
    until("their places are free", || status(&raw(&served, &small)) == "422");
    let mut waits = half_a_photo(&served);
    let answer = read_to(&mut waits, "\r\n");
    assert_eq!(status(&answer), "408", "after a minute");
    assert_eq!(served.send("api/photo", &table("row-sorted")).status, 200);
}

#[test]
fn a_photo_said_to_be_too_large_is_refused_before_it_is_sent() {
    let served = Served::serve();
    let headers = "Content-Length: 104857600\r\n";
    let mut stream = begin(&served, &words("POST /api/photo", headers, ""));
    stream.set_read_timeout(Some(LONG / 4)).unwrap();
    assert_eq!(status(&read_to(&mut stream, "\r\n")), "413");
}

#[test]
fn six_may_look_at_the_preview_and_whoever_goes_makes_room() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(table_path("row-sorted"), folder.path().join("a.jpg")).unwrap();
    let source = folder.path().to_str().unwrap();
    let served = Served::start(&["live", "--port", "0", "--source", source]);
    let look = words("GET /preview.mjpeg", "", "");
    let mut viewers: Vec<TcpStream> = (0..6).map(|_| begin(&served, &look)).collect();
    for viewer in &mut viewers {
        assert_eq!(status(&read_to(viewer, "\r\n")), "200");
    }
    let surplus = || status(&read_to(&mut begin(&served, &look), "\r\n")).to_owned();
    assert_eq!(surplus(), "503");
    viewers.pop();
    until("there is room for another", || surplus() == "200");
}

/// A video of noise, of which no two pictures are alike; false where there is no ffmpeg.
fn noise(file: &Path) -> bool {
    let made = Command::new("ffmpeg")
        .args(["-v", "error", "-f", "lavfi", "-i"])
        .arg("color=gray:size=1280x720:rate=10:duration=2,noise=alls=100:allf=t")
        .args(["-c:v", "mjpeg", "-q:v", "2"])
        .arg(file)
        .status();
    match made {
        Ok(made) => assert!(made.success()),
        Err(_) => eprintln!("skipped: ffmpeg is not installed"),
    }
    file.exists()
}

#[test]
fn viewers_who_take_nothing_give_their_places_back() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("noise.avi");
    if !noise(&file) {
        return;
    }
    let source = format!("{}?loop", file.display());
    let served = Served::start(&["live", "--port", "0", "--source", &source]);
    let look = words("GET /preview.mjpeg", "", "");
    // As phones that have left the network: nothing is read any more, and nobody says so.
    let mut gone: Vec<TcpStream> = (0..6).map(|_| begin(&served, &look)).collect();
    for viewer in &mut gone {
        assert_eq!(status(&read_to(viewer, "\r\n")), "200");
    }
    let next = || status(&read_to(&mut begin(&served, &look), "\r\n")).to_owned();
    assert_eq!(next(), "503");
    until("they are let go", || next() == "200");
    drop(gone);
}

/// A ledger with one table, in a folder.
fn ledger(folder: &Path) -> String {
    let file = folder.join("evening.tlg").to_str().unwrap().to_owned();
    tilelens(&["table", "new", &file, "--rules", "mmm", "--players", "Ann,Bo,Cy,Di"]);
    file
}

#[test]
fn of_simultaneous_decisions_one_is_taken_and_the_others_are_answered() {
    let folder = tempfile::tempdir().unwrap();
    let file = ledger(folder.path());
    let served = Served::start(&["serve", "--port", "0", "--ledger", &file]);
    let deals = || served.get("api/table").json()["history"].as_array().unwrap().len();
    for deal in 1..=5 {
        let draw = || served.post("api/draw", &json!({ "meant": true })).status;
        let mut answers = thread::scope(|scope| {
            let operators: Vec<_> = (0..8).map(|_| scope.spawn(draw)).collect();
            operators.into_iter().map(|operator| operator.join().unwrap()).collect::<Vec<_>>()
        });
        answers.sort_unstable();
        assert_eq!(answers, [[200].as_slice(), &[409; 7]].concat());
        assert_eq!(deals(), deal);
        assert_eq!(served.post("api/next", &json!({})).status, 200);
    }
    // All of them press undo: each deal is taken back once, and then there is nothing more.
    while deals() > 0 {
        let words = json!({ "decision": served.last_decision(), "meant": true });
        let undo = || served.post("api/undo", &words).status;
        let mut answers = thread::scope(|scope| {
            let operators: Vec<_> = (0..8).map(|_| scope.spawn(undo)).collect();
            operators.into_iter().map(|operator| operator.join().unwrap()).collect::<Vec<_>>()
        });
        answers.sort_unstable();
        assert_eq!(answers, [[200].as_slice(), &[409; 7]].concat());
    }
    assert_eq!(served.state()["undoes"]["decision"], Value::Null);
    tilelens(&["table", "verify", &file]);
}

/// A page is out of date once somebody else has written, even before it has the news.
#[tokio::test]
async fn a_page_that_is_late_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = ledger(folder.path());
    let ledger = Ledger::open(file.as_ref()).await.unwrap();
    let shown = ledger.state(1).await.unwrap();
    let draw = EntryTarget::now(shown.clone(), "page").drawn(&Drawn::default(), &[]).unwrap();
    ledger.enter(1, draw.clone()).await.unwrap();
    let late = ledger.enter(1, draw).await.unwrap_err().to_string();
    assert!(late.contains("meanwhile"), "{late}");
    let late = ledger.enter(1, confirming(&shown).entry().unwrap()).await.unwrap_err().to_string();
    assert!(late.contains("meanwhile"), "{late}");
    assert_eq!(ledger.state(1).await.unwrap().history.len(), 1);
}

#[tokio::test]
async fn a_hand_that_the_ledger_counts_otherwise_than_the_page_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = ledger(folder.path());
    let ledger = Ledger::open(file.as_ref()).await.unwrap();
    let shown = ledger.state(1).await.unwrap();
    let mut right = confirming(&shown);
    let refused = ledger.enter(1, right.entry().unwrap()).await.unwrap_err().to_string();
    assert!(refused.contains("counts this hand otherwise"), "the page showed no payments");
    let after = ledger.state(1).await.unwrap();
    assert_eq!(after.last_event, shown.last_event, "it never stood in the log");
    // What the program itself says of the hand, the page would have shown.
    let score = tilelens(&["score", HAND, "--seat", "S", "--self-draw", "--json"]);
    let score: Value = serde_json::from_str(&score).unwrap();
    right.won.shown = serde_json::from_value(score["payments"].clone()).unwrap();
    assert_eq!(ledger.enter(1, right.entry().unwrap()).await.unwrap().history.len(), 1);
}

const HAND: &str = "123m456m789m23s55s +4s";

/// A hand of South's as a page confirms it, but for its payments.
fn confirming(shown: &TableState) -> Confirming {
    let library = Library::default();
    let Value::Object(given) = json!({ "seat": "S", "win": "self_draw" }) else { unreachable!() };
    Confirming {
        won: Won {
            context: Context::new("mmm").with(given, &library).unwrap(),
            said: Said::Hand(HAND.to_owned()),
            shown: Some(BTreeMap::new()),
            others: Default::default(),
            discards: None,
        },
        // What pages show of it is not what is written.
        reading: Arc::new(DealReading::Draw),
        target: Some(EntryTarget::now(shown.clone(), "page")),
        also: None,
    }
}

#[test]
fn a_tables_file_stays_whole_where_the_new_one_finds_no_room() {
    let home = tempfile::tempdir().unwrap();
    let (picture, truth) = four_players();
    let seen = home.path().join("seen");
    std::fs::create_dir(&seen).unwrap();
    std::fs::copy(&picture, seen.join("table.jpg")).unwrap();
    let file = home.path().join("table.toml");
    let served =
        Served::live_at_home(home.path(), &format!("{}={}", file.display(), seen.display()));
    let mut words = json!({
        "picture": truth["picture"], "corners": truth["corners"], "east": "right",
    });
    assert_eq!(served.post("api/table-profile", &words).status, 200);
    let whole = std::fs::read(&file).unwrap();
    served.fill_the_disk();
    words["east"] = json!("left");
    let refused = served.post("api/table-profile", &words);
    assert_eq!(refused.status, 500);
    assert!(refused.text().contains("was not written"), "{}", refused.text());
    assert_eq!(std::fs::read(&file).unwrap(), whole);
}

#[test]
fn a_set_that_a_full_disk_refuses_is_confirmed_without_another_photo() {
    let home = tempfile::tempdir().unwrap();
    let served = Served::at_home(home.path());
    let photo = std::fs::read(layout_path("in-order")).unwrap();
    let found = served.send("api/tileset?name=mine", &photo);
    assert_eq!(found.status, 200, "{}", found.text());
    let found = found.json();
    let rows = found["photos"][0].as_array().unwrap().iter();
    let sure: Vec<Value> = rows
        .flat_map(|row| row["tiles"].as_array().unwrap().clone())
        .map(|tile| tile["code"].clone())
        .collect();
    let confirm =
        || served.post(&format!("api/tileset/{}", found["number"]), &json!({ "sure": sure }));
    served.fill_the_disk();
    let refused = confirm();
    assert_eq!(refused.status, 500, "{}", refused.text());
    assert!(refused.text().contains("mine.toml"), "{}", refused.text());
    let folder = home.path().join("tilelens/tilesets");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "no half of a file is left");
    served.make_room();
    let learnt = confirm();
    assert_eq!(learnt.status, 200, "{}", learnt.text());
    // A set that is there stays as it is where the new one finds no room.
    let whole = std::fs::read(folder.join("mine.toml")).unwrap();
    let found = served.send("api/tileset?name=mine", &photo).json();
    served.fill_the_disk();
    let confirm = format!("api/tileset/{}", found["number"]);
    let refused = served.post(&confirm, &json!({ "sure": sure, "replace": true }));
    assert_eq!(refused.status, 500, "{}", refused.text());
    assert_eq!(std::fs::read(folder.join("mine.toml")).unwrap(), whole);
}

#[test]
fn two_sets_wait_to_be_confirmed_and_a_third_takes_the_place_of_the_first() {
    let home = tempfile::tempdir().unwrap();
    let served = Served::at_home(home.path());
    let photo = std::fs::read(layout_path("in-order")).unwrap();
    let numbers = ["one", "two", "three"].map(|name| {
        served.send(&format!("api/tileset?name={name}"), &photo).json()["number"].clone()
    });
    let [first, others @ ..] =
        numbers.map(|number| served.post(&format!("api/tileset/{number}"), &json!({})).status);
    assert_eq!(first, 404);
    // Learnt, or asked about tiles that look like others.
    assert!(others.iter().all(|status| [200, 409].contains(status)), "{others:?}");
}
