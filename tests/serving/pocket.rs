//! The page that reads by itself, in a real browser, with the network off: it says what the program says.
//! `make web` builds it; without that the tests are skipped, and say so.

use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use fantoccini::{
    Client, Locator,
    actions::{InputSource, KeyAction, KeyActions},
    key::Key,
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::support::browser::{
    Driver, HARD_TO_READ, MOVES, MOVES_FRAMES, STICKS_OUT, UNCLEAR, browser, browser_with, by,
    camera, devtools, keep, until, until_within,
};

/// A picture takes no longer, on a busy machine either.
const A_PICTURE: Duration = Duration::from_secs(120);
/// The largest distance between centres, as a fraction of a tile's side.
const SAME_PLACE: f64 = 0.25;
/// Faces that may be read otherwise than by the program, of a thousand tiles.
const FACES: usize = 2;
/// The same for face-down tiles, as in a wall, of a thousand: two runtimes round differently, and some of them are
/// hardly visible.
const BACKS: usize = 10;
/// What reading a picture of 12 megapixels may take at its peak.
const MEMORY: u64 = 350 << 20;
/// A hand with its winning tile apart.
const HAND: &str = "won-apart.jpg";
/// Pictures of each set; all of them where `TILELENS_POCKET=all` is set.
const SOME: usize = 6;

/// The folder that `make web` makes.
fn folder() -> Option<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let build =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let folder = build.join("pocket");
    let is_there = folder.join("service.js").exists();
    if !is_there {
        eprintln!("skipped: there is no {}: `make web` builds it", folder.display());
    }
    is_there.then_some(folder)
}

/// Any file server, as a club has one; it answers until it is dropped.
struct Files {
    address: String,
    folder: Arc<Mutex<PathBuf>>,
    is_on: Arc<AtomicBool>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Files {
    fn of(folder: PathBuf) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://localhost:{}/", listener.local_addr().unwrap().port());
        let is_on = Arc::new(AtomicBool::new(true));
        let on = Arc::clone(&is_on);
        let folder = Arc::new(Mutex::new(folder));
        let shown = Arc::clone(&folder);
        let thread = thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if !on.load(Ordering::SeqCst) {
                    break;
                }
                let folder = shown.lock().unwrap().clone();
                // A browser opens connections that it does not use.
                thread::spawn(move || drop(answer(stream, &folder)));
            }
        });
        Self { address, folder, is_on, thread: Some(thread) }
    }

    /// Puts another folder online in its place.
    fn put_online(&self, folder: PathBuf) {
        *self.folder.lock().unwrap() = folder;
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        self.is_on.store(false, Ordering::SeqCst);
        let port = self.address.trim_end_matches('/').rsplit(':').next().unwrap();
        let _ = TcpStream::connect(format!("127.0.0.1:{port}"));
        self.thread.take().map(thread::JoinHandle::join);
    }
}

fn answer(mut stream: TcpStream, folder: &Path) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let asked = lines.next().transpose()?.unwrap_or_default();
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    let path = asked.split(' ').nth(1).unwrap_or("/").split('?').next().unwrap_or("/");
    let name = if path == "/" { "index.html" } else { path.trim_start_matches('/') };
    let kind = match name.rsplit('.').next() {
        Some("html") => "text/html",
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("svg") => "image/svg+xml",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    };
    let head = |status: &str, length: usize| {
        format!(
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
        )
    };
    match fs::read(folder.join(name)) {
        Ok(bytes) => {
            stream.write_all(head("200 OK", bytes.len()).as_bytes())?;
            stream.write_all(&bytes)
        }
        Err(_) => stream.write_all(head("404 Not Found", 0).as_bytes()),
    }
}

async fn run(page: &Client, script: &str) -> Value {
    page.execute(script, vec![]).await.unwrap()
}

/// The page is there, and answers.
const READY: &str = "document.body.dataset.ready === 'yes'";

/// Opens the page, and waits until the device keeps it.
async fn kept_on_the_device(page: &Client, files: &Files) {
    let began = Instant::now();
    page.goto(&files.address).await.unwrap();
    until(page, READY).await;
    eprintln!("first start: {} ms", began.elapsed().as_millis());
    run(page, "navigator.serviceWorker.ready.then((kept) => (window.kept = kept.active?.state))")
        .await;
    until(page, "window.kept && navigator.serviceWorker.controller").await;
}

/// Opens the page, waits until the device keeps it, turns the network off, and opens it again from there.
async fn without_network(page: &Client, files: Files) {
    kept_on_the_device(page, &files).await;
    let address = files.address.clone();
    drop(files);
    let began = Instant::now();
    page.goto(&format!("{address}?again")).await.unwrap();
    until(page, READY).await;
    eprintln!("second start, without a network: {} ms", began.elapsed().as_millis());
    run(page, "document.addEventListener('reading', (event) => (window.seen = event.detail))")
        .await;
}

/// Picks a picture.
async fn pick(page: &Client, picture: &Path) {
    run(page, "window.seen = null; document.getElementById('status').classList.remove('loss')")
        .await;
    let file = page.find(Locator::Css("#file")).await.unwrap();
    file.send_keys(picture.canonicalize().unwrap().to_str().unwrap()).await.unwrap();
}

/// A picture of our own, by its name.
fn own(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("datasets/photos/tables").join(name)
}

/// The evening as the page keeps it, as a promise.
const EVENING: &str = "new Promise((done) => { const asked = indexedDB.open('tilelens', 1); \
     asked.onsuccess = () => { const now = asked.result.transaction('evenings').objectStore('evenings').get('now'); \
     now.onsuccess = () => done(now.result); }; })";

/// Ann, Bo, Cy and Di sit down.
async fn sit_down(page: &Client) {
    offer_seats(page, "Di").await;
    until(page, "!document.getElementById('playing').hidden").await;
}

/// The same by the names in the page, of which the fourth may be left empty.
async fn offer_seats(page: &Client, fourth: &str) {
    for (wind, name) in [("E", "Ann"), ("S", "Bo"), ("W", "Cy"), ("N", fourth)] {
        run(page, &format!("document.querySelector('#sit [name={wind}]').value = '{name}'")).await;
    }
    run(page, "document.querySelector('#sit button').click()").await;
}

/// The page's reading of a picture, won by self-draw, which is said of each hand anew.
async fn read(page: &Client, picture: &Path) -> Value {
    pick(page, picture).await;
    until_within(page, "window.seen", A_PICTURE).await;
    run(
        page,
        "window.first = window.seen.reading; window.seen = null; const { how } = document.getElementById('context').elements; \
         how.value = 'self_draw'; how.dispatchEvent(new Event('change', { bubbles: true }))",
    )
    .await;
    until(page, "window.seen").await;
    run(page, "return { ...window.first, ...window.seen.reading }").await
}

/// Pictures of `datasets/`, and of the shared photos that nothing was trained on, where those are there.
fn pictures() -> Vec<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut own: Vec<PathBuf> = fs::read_dir(root.join("datasets/photos/tables"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "jpg"))
        .collect();
    own.sort();
    let shared = root.join("../shared/data");
    let splits = fs::read_to_string(shared.join("splits.json")).unwrap_or_else(|_| {
        eprintln!("skipped: the photos of ../shared are not there");
        "{}".to_owned()
    });
    let splits: Value = serde_json::from_str(&splits).unwrap();
    let photos = splits["val"]["photos"].as_object().cloned().unwrap_or_default();
    let names = photos.iter().flat_map(|(source, names)| {
        let names = names.as_array().into_iter().flatten().filter_map(Value::as_str);
        names.map(move |name| (source.clone(), name.to_owned()))
    });
    let val: Vec<PathBuf> = names
        .map(|(source, name)| shared.join("photos").join(source).join(name))
        .filter(|path| path.exists())
        .collect();
    let all = std::env::var("TILELENS_POCKET").is_ok_and(|wish| wish == "all");
    let some = |set: Vec<PathBuf>, most: usize| {
        let step = set.len().div_ceil(most).max(1);
        set.into_iter().step_by(step).collect::<Vec<_>>()
    };
    [some(own, if all { 60 } else { SOME }), some(val, if all { 45 } else { SOME })].concat()
}

/// The program's readings of pictures, by name.
fn program(pictures: &[PathBuf]) -> BTreeMap<String, Value> {
    let program = std::env::var_os("TILELENS_PROGRAM")
        .unwrap_or_else(|| env!("CARGO_BIN_EXE_tilelens").into());
    let began = Instant::now();
    let out = Command::new(program)
        .args(["photo", "--json", "--threads", "1", "--seat", "E", "--round", "E", "--self-draw"])
        .args(pictures)
        .output()
        .unwrap();
    eprintln!("the program: {} ms in all", began.elapsed().as_millis());
    let text = String::from_utf8(out.stdout).unwrap();
    text.lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|reading| (reading["file"].as_str().unwrap_or_default().to_owned(), reading))
        .collect()
}

/// The faces of a reading with the centres of their tiles, in pixels, and their sides. The first corner of a 4p is
/// arbitrary.
fn tiles(reading: &Value) -> Vec<(String, [f64; 2], f64)> {
    let tiles = reading["tiles"].as_array().into_iter().flatten();
    tiles
        .map(|tile| {
            let corner = |n: usize, axis: usize| tile["corners"][n][axis].as_f64().unwrap();
            let middle = [0, 1].map(|axis| (0..4).map(|n| corner(n, axis)).sum::<f64>() / 4.0);
            let side = (corner(0, 0) - corner(1, 0)).hypot(corner(0, 1) - corner(1, 1));
            (tile["code"].as_str().unwrap_or_default().to_owned(), middle, side)
        })
        .collect()
}

/// How many faces, and how many tiles that lie face down, one reading has and the other has not.
fn differences(one: &Value, other: &Value) -> [usize; 2] {
    let (one, other) = (tiles(one), tiles(other));
    let lacks = |all: &[(String, [f64; 2], f64)], tile: &(String, [f64; 2], f64)| {
        !all.iter().any(|(code, at, side)| {
            let away = (at[0] - tile.1[0]).hypot(at[1] - tile.1[1]);
            *code == tile.0 && away <= SAME_PLACE * side
        })
    };
    [false, true].map(|down| {
        let of = |tile: &&(String, [f64; 2], f64)| (tile.0 == "x") == down;
        let lacking = one.iter().filter(of).filter(|tile| lacks(&other, tile)).count();
        lacking.max(other.iter().filter(of).filter(|tile| lacks(&one, tile)).count())
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_network_it_says_what_the_program_says() {
    let Some(folder) = folder() else { return };
    let Some((_driver, page)) = browser().await else { return };
    without_network(&page, Files::of(folder)).await;
    let pictures = pictures();
    let expected = program(&pictures);
    let (mut all, mut otherwise, mut milliseconds, mut memory) = (0, [0; 2], 0.0, 0.0f64);
    let mut other_hands = Vec::new();
    for picture in &pictures {
        let Some(expected) = expected.get(&picture.display().to_string()) else {
            panic!("the program does not read {}", picture.display());
        };
        let seen = read(&page, picture).await;
        milliseconds += seen["milliseconds"].as_f64().unwrap_or_default();
        memory = memory.max(seen["memory"].as_f64().unwrap_or_default());
        let count = differences(expected, &seen);
        all += tiles(expected).len();
        otherwise = [otherwise[0] + count[0], otherwise[1] + count[1]];
        if count != [0; 2] {
            let [faces, backs] = count;
            eprintln!("{}: {faces} faces, {backs} backs otherwise", picture.display());
        }
        let hand = |reading: &Value| reading["hand"]["text"].clone();
        let score = |reading: &Value| reading["score"]["payments"].clone();
        if (hand(expected), score(expected)) != (hand(&seen), score(&seen)) {
            other_hands.push(format!(
                "{}: {} {} instead of {} {}",
                picture.display(),
                hand(&seen),
                score(&seen),
                hand(expected),
                score(expected)
            ));
        }
    }
    eprintln!(
        "{} pictures, {all} tiles, {} faces and {} backs otherwise; {:.0} ms each, at most {:.0} MB in WebAssembly",
        pictures.len(),
        otherwise[0],
        otherwise[1],
        milliseconds / pictures.len() as f64,
        memory / 1e6
    );
    for other in &other_hands {
        eprintln!("{other}");
    }
    assert!(all > 0);
    for (count, most) in otherwise.into_iter().zip([FACES, BACKS]) {
        assert!(1000 * count <= most * all, "{otherwise:?} of {all} tiles");
    }
    assert!(other_hands.is_empty(), "{} other hands", other_hands.len());
    page.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hand_is_corrected_scored_and_written_down_without_a_network() {
    let Some(folder) = folder() else { return };
    let Some((_driver, page)) = browser().await else { return };
    without_network(&page, Files::of(folder)).await;
    let seen = read(&page, &own(HAND)).await;
    assert_eq!(seen["score"]["ok"], json!(true), "{seen}");
    // A tap on a tile, and what it is.
    let first = seen["tiles"][0]["code"].as_str().unwrap().to_owned();
    let other = if first == "9s" { "1z" } else { "9s" };
    run(&page, "window.seen = null; document.querySelector('#hand button.tile').click()").await;
    let corrected =
        run(&page, "return document.querySelector('#hand button.tile').dataset.code").await;
    run(&page, &format!("document.querySelector('#palette [data-code=\"{other}\"]').click()"))
        .await;
    until(&page, "window.seen && document.querySelector('#hand .fixed')").await;
    let fixed = run(&page, "return window.seen.reading.hand.text").await;
    assert_ne!(fixed, seen["hand"]["text"], "{corrected} became {other}");
    run(&page, "window.seen = null; document.querySelector('#hand .fixed').click()").await;
    run(&page, "document.getElementById('take-back').click()").await;
    until(&page, "window.seen?.reading.score?.ok").await;

    // Four players; the hand goes into their totals, stays over a new start, and can be taken back.
    sit_down(&page).await;
    until(&page, "!document.getElementById('write').disabled").await;
    keep(&page, "pocket").await;
    run(&page, "document.getElementById('write').click()").await;
    until(&page, "document.querySelectorAll('#deals li').length === 1").await;
    let totals = "return [...document.querySelectorAll('#totals tbody tr')].map((line) => line.lastChild.textContent)";
    let written = run(&page, totals).await;
    run(&page, &format!("{EVENING}.then((evening) => (window.saved = evening))")).await;
    until(&page, "window.saved").await;
    let saved =
        run(&page, "return { table: window.saved.table, events: window.saved.events }").await;
    let paid = &saved["table"]["history"][0]["payments"][0];
    assert_eq!(paid, &seen["score"]["payments"]["E"], "Ann, who sits East, has won");
    page.refresh().await.unwrap();
    until(&page, "document.querySelectorAll('#deals li').length === 1").await;
    assert_eq!(run(&page, totals).await, written, "kept on the device");

    // The file that it saves is one that a ledger takes.
    let to = std::env::temp_dir().join(format!("tilelens-pocket-{}", std::process::id()));
    fs::create_dir_all(&to).unwrap();
    let (file, ledger) = (to.join("evening.json"), to.join("evening.tlg"));
    fs::write(&file, saved.to_string()).unwrap();
    let import = || {
        let program = Command::new(env!("CARGO_BIN_EXE_tilelens"))
            .args(["table", "import", "--json"])
            .args([&ledger, &file])
            .output();
        program.unwrap()
    };
    for _ in 0..2 {
        let out = import();
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        let table: Value = serde_json::from_slice(&out.stdout).unwrap();
        assert_eq!(table["players"], saved["table"]["players"], "also when it is imported again");
    }
    fs::remove_dir_all(&to).unwrap();

    run(&page, "document.getElementById('undo').click()").await;
    until(&page, "document.querySelectorAll('#deals li').length === 0").await;
    page.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rules_and_rulings_that_are_chosen_first_hold_for_the_evening() {
    let Some(folder) = folder() else { return };
    let Some((_driver, page)) = browser().await else { return };
    without_network(&page, Files::of(folder)).await;
    let sets: Vec<_> = tilelens::rules::RuleSet::presets().collect();
    let offered = run(
        &page,
        "return [...document.getElementById('rules').options].map((option) => option.value)",
    )
    .await;
    assert_eq!(offered, sets.iter().map(|set| json!(set.id)).collect::<Value>());
    // Of each rule set the first ruling is chosen otherwise than usual.
    let chosen = "(() => { const select = document.querySelector('#rulings select'); if (!select) return null; \
        const other = [...select.options].find((option) => option.value !== select.value); \
        select.value = other.value; select.dispatchEvent(new Event('change', { bubbles: true })); return other.value; })()";
    for rules in &sets {
        let set = &rules.id;
        let choose = format!(
            "const rules = document.getElementById('rules'); rules.value = '{set}'; rules.dispatchEvent(new Event('change', {{ bubbles: true }}))"
        );
        run(&page, &choose).await;
        let ruling = run(&page, &format!("return {chosen}")).await;
        offer_seats(&page, if rules.four_players() { "Di" } else { "" }).await;
        if !rules.session().kept {
            until(&page, "document.getElementById('kept').textContent").await;
            continue;
        }
        until(&page, "!document.getElementById('playing').hidden").await;
        let kept =
            format!("window.kept = null; {EVENING}.then((evening) => (window.kept = evening))");
        run(&page, &kept).await;
        until(&page, "window.kept").await;
        let context = run(&page, "return window.kept.context").await;
        assert_eq!(context["rules"], json!(set));
        let rulings = context["rulings"].as_object().cloned().unwrap_or_default();
        assert_eq!(rulings.values().next().unwrap_or(&Value::Null), &ruling, "{set}: {context}");
        run(&page, "document.getElementById('over').click()").await;
        until(&page, "document.getElementById('playing').hidden").await;
    }
    let evenings = run(&page, "return document.querySelectorAll('#earlier li').length").await;
    let kept = sets.iter().filter(|rules| rules.session().kept).count();
    assert_eq!(evenings, json!(kept), "the earlier evenings are kept");
    page.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn it_can_be_installed() {
    let Some(folder) = folder() else { return };
    let manifest: Value =
        serde_json::from_slice(&fs::read(folder.join("manifest.webmanifest")).unwrap()).unwrap();
    for icon in manifest["icons"].as_array().unwrap() {
        let bytes = fs::read(folder.join(icon["src"].as_str().unwrap())).unwrap();
        let side = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!(icon["sizes"], format!("{}x{}", side(16), side(20)), "as its file says");
    }
    let Some((_driver, page)) = browser().await else { return };
    let files = Files::of(folder);
    kept_on_the_device(&page, &files).await;
    let answer = devtools(&page, "Page.getInstallabilityErrors", json!({})).await;
    let errors = answer["installabilityErrors"].as_array().cloned().unwrap_or_default();
    // A headless browser without a profile installs nothing; all else counts.
    let others: Vec<&Value> =
        (errors.iter()).filter(|error| error["errorId"] != "in-incognito").collect();
    assert!(others.is_empty(), "{others:?}");
    let answer = devtools(&page, "Page.getAppManifest", json!({})).await;
    assert_eq!(answer["errors"], json!([]));
    page.close().await.unwrap();
}

async fn size(page: &Client, [width, height]: [u32; 2]) {
    let params =
        json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
    devtools(page, "Emulation.setDeviceMetricsOverride", params).await;
    until(page, &format!("innerWidth === {width}")).await;
}

/// Nothing sticks out on phones and on desks, and all can be read by day and by night.
async fn looks_well(page: &Client, name: &str) {
    for width in [320, 375, 768, 1280] {
        size(page, [width, 800]).await;
        let out = run(page, &format!("return {STICKS_OUT}")).await;
        assert_eq!(out, json!([]), "{name} at {width}");
        let wide = run(page, "return document.documentElement.scrollWidth").await;
        assert!(wide.as_u64().unwrap() <= u64::from(width), "{name}: {wide} at {width}");
        for time in ["day", "night"] {
            by(page, time).await;
            let hard = run(page, &format!("return {HARD_TO_READ}")).await;
            assert_eq!(hard, json!([]), "{name} at {width} by {time}");
        }
        keep(page, &format!("pocket-{name}-{width}")).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn it_fits_every_screen_and_can_be_read_by_day_and_by_night() {
    let Some(folder) = folder() else { return };
    let Some((_driver, page)) = browser().await else { return };
    without_network(&page, Files::of(folder)).await;
    looks_well(&page, "start").await;
    read(&page, &own(HAND)).await;
    run(&page, "for (const fold of document.querySelectorAll('details')) fold.open = true").await;
    until(&page, "document.querySelector('#advice .distance')").await;
    sit_down(&page).await;
    until(&page, "!document.getElementById('write').disabled").await;
    looks_well(&page, "hand").await;
    // A refusal, a slip, a correction.
    run(&page, "document.getElementById('write').click()").await;
    until(&page, "document.querySelectorAll('#deals li').length === 1").await;
    run(&page, "document.querySelector('#hand button.tile').click()").await;
    // A second tap within a moment is meant for the first.
    let draws = "!document.getElementById('drawn').disabled";
    until(&page, draws).await;
    run(&page, "document.getElementById('drawn').click()").await;
    until(&page, "document.querySelectorAll('#deals li').length === 2").await;
    until(&page, draws).await;
    run(&page, "document.getElementById('drawn').click()").await;
    until(&page, "document.querySelectorAll('#deals li').length === 3 || document.querySelector('#kept button')").await;
    looks_well(&page, "evening").await;
    page.close().await.unwrap();
}

/// Presses keys where the focus is.
async fn press(page: &Client, keys: &str) {
    // By the keyboard: an element would take a key for text, and a file field for the name of a file.
    let each = |key: char| [KeyAction::Down { value: key }, KeyAction::Up { value: key }];
    let all = keys.chars().flat_map(each);
    let pressed = all.fold(KeyActions::new("keys".to_owned()), KeyActions::then);
    page.perform_actions(pressed).await.unwrap();
}

fn key(key: Key) -> String {
    char::from(key).to_string()
}

/// Goes on by the tab key until the focus is on what a selector names.
async fn tab_to(page: &Client, css: &str) {
    for _ in 0..120 {
        press(page, &key(Key::Tab)).await;
        if run(page, &format!("return document.activeElement.matches('{css}')")).await == true {
            // Whoever looks sees where it is.
            let seen = "const one = document.activeElement; const style = getComputedStyle(one.closest('#take, .small') ?? one); \
                        return one.type === 'file' || (style.outlineStyle === 'solid' && parseFloat(style.outlineWidth) >= 2)";
            assert_eq!(run(page, seen).await, json!(true), "{css}: its focus is seen");
            return;
        }
    }
    panic!("no tab leads to {css}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hand_is_corrected_and_written_down_by_keys_alone() {
    let Some(folder) = folder() else { return };
    let Some((_driver, page)) = browser().await else { return };
    without_network(&page, Files::of(folder)).await;
    let [enter, escape] = [Key::Enter, Key::Escape].map(key);
    for (wind, name) in [("E", "Ann"), ("S", "Bo"), ("W", "Cy"), ("N", "Di")] {
        tab_to(&page, &format!("#sit [name={wind}]")).await;
        press(&page, name).await;
    }
    press(&page, &enter).await;
    until(&page, "!document.getElementById('playing').hidden").await;
    let seen = read(&page, &own(HAND)).await;
    let chosen = |place: usize| {
        format!(
            "document.activeElement === document.querySelectorAll('#hand button.tile')[{place}]"
        )
    };
    // The first tile: looked at, left as it was, then said to be another, then as it was read.
    run(&page, "document.querySelectorAll('#file, #photo').forEach((one) => one.blur())").await;
    tab_to(&page, "#hand button.tile").await;
    press(&page, &enter).await;
    until(&page, "document.activeElement.closest('#palette')").await;
    press(&page, &escape).await;
    until(&page, "document.getElementById('palette').hidden").await;
    until(&page, &chosen(0)).await;
    press(&page, &enter).await;
    let first = seen["tiles"][0]["code"].as_str().unwrap();
    let other = if first == "9s" { "1z" } else { "9s" };
    tab_to(&page, &format!("#palette [data-code=\"{other}\"]")).await;
    run(&page, "window.seen = null").await;
    press(&page, &enter).await;
    until(&page, "window.seen && document.querySelector('#hand .fixed')").await;
    until(&page, &chosen(0)).await;
    press(&page, &enter).await;
    until(&page, "document.activeElement.id === 'take-back'").await;
    run(&page, "window.seen = null").await;
    press(&page, &enter).await;
    until(&page, "window.seen?.reading.score?.ok && !document.querySelector('#hand .fixed')").await;
    until(&page, &chosen(0)).await;
    tab_to(&page, "#write").await;
    press(&page, &enter).await;
    until(&page, "document.querySelectorAll('#deals li').length === 1").await;
    until(&page, "!document.getElementById('undo').disabled").await;
    tab_to(&page, "#undo").await;
    press(&page, &enter).await;
    until(&page, "document.querySelectorAll('#deals li').length === 0").await;
    page.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn reading_says_how_far_it_is_and_can_be_cancelled() {
    let Some(folder) = folder() else { return };
    let Some((_driver, page)) = browser().await else { return };
    without_network(&page, Files::of(folder)).await;
    // Each step that is said, and how often the page has drawn itself meanwhile.
    run(
        &page,
        "window.said = []; window.drawn = 0; const draw = () => { window.drawn += 1; requestAnimationFrame(draw); }; draw(); \
         const now = document.querySelector('#sending span'); \
         new MutationObserver(() => window.said.push(now.textContent)).observe(now, { childList: true })",
    )
    .await;
    let first = read(&page, &own(HAND)).await;
    assert!(first["tiles"].as_array().is_some_and(|tiles| tiles.len() >= 13), "{first}");
    let said = run(&page, "return window.said").await;
    for step in ["opening the picture", "looking for tiles", "naming the tiles"] {
        let step = json!(format!("Reading: {step} …"));
        assert!(said.as_array().unwrap().contains(&step), "{step} in {said}");
    }
    assert!(run(&page, "return window.drawn").await.as_u64().unwrap() > 5, "it never freezes");
    // While it looks for tiles in the next one, that is cancelled.
    run(&page, "window.said.length = 0").await;
    let other = pictures().into_iter().find(|picture| !picture.ends_with(HAND)).unwrap();
    pick(&page, &other).await;
    until_within(&page, "window.said.includes('Reading: looking for tiles …')", A_PICTURE).await;
    run(&page, "document.querySelector('#sending button').click()").await;
    until(&page, "document.getElementById('sending').hidden").await;
    until(&page, "document.getElementById('status').textContent.startsWith('Cancelled')").await;
    let gone = "return document.getElementById('picture').hidden && !document.querySelector('#hand .tile') && !window.seen";
    assert_eq!(run(&page, gone).await, json!(true));
    keep(&page, "pocket-cancelled").await;
    // A picture that is picked while one is read takes its place; the page says what it said of it before.
    pick(&page, &other).await;
    until_within(&page, "!document.getElementById('sending').hidden", A_PICTURE).await;
    let again = read(&page, &own(HAND)).await;
    assert_eq!(again["hand"], first["hand"]);
    assert_eq!(again["score"], first["score"]);
    page.close().await.unwrap();
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let one = |three: &[u8]| {
        let bits = (0..3).fold(0u32, |bits, n| bits << 8 | u32::from(*three.get(n).unwrap_or(&0)));
        let letter = |n: usize| match n <= three.len() {
            true => char::from(LETTERS[(bits >> (18 - 6 * n)) as usize & 63]),
            false => '=',
        };
        [0, 1, 2, 3].map(letter)
    };
    bytes.chunks(3).flat_map(one).collect()
}

fn hash(bytes: &[u8]) -> String {
    base64(&Sha256::digest(bytes))
}

/// Files that say which version they are, from what loads first to what loads last.
const MARKED: [&str; 4] =
    ["index.html", "assets/pocket.css", "assets/pocket.js", "assets/worker.js"];
/// The version that each of them is of.
const VERSIONS: &str = "Promise.all(['./', 'assets/pocket.css', 'assets/pocket.js', 'assets/worker.js'].map((file) => fetch(file).then((answer) => answer.text()))).then((texts) => (window.versions = texts.map((text) => (text.match(/version-(\\w+)/) ?? [])[1] ?? 'first')))";

/// The page of a folder, as another version of it.
fn version(from: &Path, to: &Path, name: &str) -> PathBuf {
    let to = to.join(name);
    for file in ["", "assets", "faces"] {
        fs::create_dir_all(to.join(file)).unwrap();
        for entry in fs::read_dir(from.join(file)).unwrap().map(Result::unwrap) {
            if entry.path().is_file() {
                fs::copy(entry.path(), to.join(file).join(entry.file_name())).unwrap();
            }
        }
    }
    let mut service = fs::read_to_string(to.join("service.js")).unwrap();
    let line = service.lines().find(|line| line.starts_with("const VERSION")).unwrap().to_owned();
    service = service.replace(&line, &format!("const VERSION = \"{name}\";"));
    for file in MARKED {
        let mut text = fs::read_to_string(to.join(file)).unwrap();
        let before = hash(text.as_bytes());
        let (opens, closes) = if file.ends_with("html") { ("<!--", "-->") } else { ("/*", "*/") };
        text.push_str(&format!("{opens} version-{name} {closes}\n"));
        fs::write(to.join(file), &text).unwrap();
        assert!(service.contains(&before), "{file} is listed with its hash");
        service = service.replace(&before, &hash(text.as_bytes()));
    }
    fs::write(to.join("service.js"), service).unwrap();
    to
}

async fn versions(page: &Client) -> Value {
    run(page, &format!("window.versions = null; {VERSIONS}")).await;
    until(page, "window.versions").await;
    run(page, "return window.versions").await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_version_is_taken_as_a_whole_and_the_evening_stays() {
    let Some(folder) = folder() else { return };
    let Some((_driver, page)) = browser().await else { return };
    let to = tempfile::tempdir().unwrap();
    let [second, third] = ["second", "third"].map(|name| version(&folder, to.path(), name));
    let files = Files::of(folder);
    kept_on_the_device(&page, &files).await;
    sit_down(&page).await;
    let sits = "document.querySelector('#totals tbody')?.innerText.includes('Ann')";
    assert_eq!(versions(&page).await, json!(["first"].repeat(4)));

    // Half of the next version is online, as while somebody copies it: nothing of it is taken.
    let half = version(&second, to.path(), "half");
    fs::copy(second.join("service.js"), half.join("service.js")).unwrap();
    fs::copy(second.join("index.html"), half.join("index.html")).unwrap();
    files.put_online(half);
    page.refresh().await.unwrap();
    until(&page, READY).await;
    let failed = "navigator.serviceWorker.getRegistration().then((kept) => kept.update()).then(() => (window.checked = 'ok'), (why) => (window.checked = String(why)))";
    run(&page, failed).await;
    until(&page, "window.checked").await;
    let waits = "navigator.serviceWorker.getRegistration().then((kept) => (window.waits = `${!!kept.waiting} ${kept.installing?.state ?? ''}`))";
    until(&page, &format!("({waits}, window.waits === 'false ')")).await;
    assert_eq!(versions(&page).await, json!(["first"].repeat(4)));
    assert_eq!(run(&page, "return document.getElementById('newer').hidden").await, json!(true));

    // All of it: it is fetched beside the old one, and taken when the page is opened the next time.
    files.put_online(second);
    page.refresh().await.unwrap();
    until_within(&page, "!document.getElementById('newer').hidden", A_PICTURE).await;
    assert_eq!(versions(&page).await, json!(["first"].repeat(4)), "while this one is open");
    keep(&page, "pocket-newer").await;
    page.goto("about:blank").await.unwrap();
    let began = Instant::now();
    loop {
        page.goto(&files.address).await.unwrap();
        until(&page, READY).await;
        if versions(&page).await == json!(["second"].repeat(4)) {
            break;
        }
        assert_eq!(versions(&page).await, json!(["first"].repeat(4)), "not half of each");
        assert!(began.elapsed() < A_PICTURE, "the next start takes it");
        page.goto("about:blank").await.unwrap();
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    until(&page, sits).await;
    assert_eq!(run(&page, "return document.getElementById('newer').hidden").await, json!(true));

    // At once, where that is wished; then without a network.
    files.put_online(third);
    page.refresh().await.unwrap();
    until_within(&page, "!document.getElementById('newer').hidden", A_PICTURE).await;
    run(&page, "window.before = true; document.querySelector('#newer button').click()").await;
    until(&page, &format!("!window.before && {READY}")).await;
    assert_eq!(versions(&page).await, json!(["third"].repeat(4)));
    until(&page, sits).await;
    let address = files.address.clone();
    drop(files);
    page.goto(&address).await.unwrap();
    until(&page, READY).await;
    assert_eq!(versions(&page).await, json!(["third"].repeat(4)));
    until(&page, sits).await;
    let kept = "caches.keys().then((all) => (window.all = all))";
    run(&page, kept).await;
    until(&page, "window.all").await;
    assert_eq!(run(&page, "return window.all").await, json!(["third"]), "older ones are gone");
    page.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hand_is_shared_as_a_picture_or_saved() {
    let Some(folder) = folder() else { return };
    let Some((_driver, page)) = browser().await else { return };
    // What is drawn: texts, photos and faces, and how many tiles are framed.
    let source = "window.texts = []; window.images = []; window.frames = 0; \
        const of = CanvasRenderingContext2D.prototype; const { fillText, drawImage, closePath } = of; \
        of.fillText = function (text, ...more) { window.texts.push(text); return fillText.call(this, text, ...more); }; \
        of.drawImage = function (image, ...more) { window.images.push(image.src ?? ''); return drawImage.call(this, image, ...more); }; \
        of.closePath = function () { window.frames += 1; return closePath.call(this); }; \
        navigator.canShare = ({ files }) => window.shares !== false && files.length === 1; \
        navigator.share = async (what) => { window.shared = what; }";
    devtools(&page, "Page.addScriptToEvaluateOnNewDocument", json!({ "source": source })).await;
    without_network(&page, Files::of(folder)).await;
    let seen = read(&page, &own(HAND)).await;
    run(&page, "document.getElementById('share-picture').click()").await;
    until(&page, "window.shared").await;
    let file = "const [file] = window.shared.files; return [window.shared.files.length, file.name, file.type, file.size > 20000]";
    assert_eq!(run(&page, file).await, json!([1, "tilelens.jpg", "image/jpeg", true]));
    let size = "createImageBitmap(window.shared.files[0]).then(({ width, height }) => (window.size = [width, height]))";
    run(&page, size).await;
    until(&page, "window.size").await;
    let size = run(&page, "return window.size").await;
    assert!(size[0] == 1080 && size[1].as_u64().unwrap() > 900, "{size}");
    let texts = run(&page, "return window.texts").await;
    let texts: Vec<&str> = texts.as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let score = run(&page, "return document.querySelector('#score h2').textContent").await;
    assert!(texts.contains(&score.as_str().unwrap()), "{score} in {texts:?}");
    let pay = "return [...document.querySelectorAll('#score .pay span')].map((one) => [one.firstChild.textContent, one.lastChild.textContent])";
    let pay = run(&page, pay).await;
    assert_eq!(pay.as_array().unwrap().len(), 4);
    for text in pay.as_array().unwrap().iter().flat_map(|both| both.as_array().unwrap()) {
        assert!(texts.contains(&text.as_str().unwrap()), "{text} in {texts:?}");
    }
    let items = run(&page, "return [...document.querySelectorAll('#counts table tr')].map((line) => line.firstChild.textContent)").await;
    for item in items.as_array().unwrap() {
        let item = item.as_str().unwrap();
        assert!(texts.iter().any(|text| text.starts_with(item)), "{item} in {texts:?}");
    }
    let tiles = seen["tiles"].as_array().unwrap();
    let hand = tiles.iter().filter(|tile| tile["role"] != "other").count();
    let images = run(&page, "return [window.images.filter((from) => from.startsWith('blob:')).length, window.images.filter((from) => from.startsWith('data:image/svg')).length]").await;
    assert_eq!(images, json!([1, hand]), "the photo, and each tile of the hand");
    assert_eq!(run(&page, "return window.frames").await, json!(tiles.len()));
    // To be looked at.
    let shown = "const image = Object.assign(new Image(), { src: URL.createObjectURL(window.shared.files[0]) }); document.body.replaceChildren(image); image.style.height = '100vh'; image.decode().then(() => (window.looks = true))";
    run(&page, shown).await;
    until(&page, "window.looks").await;
    size_as(&page, &size).await;
    keep(&page, "pocket-shared").await;

    // Where nothing can be shared it is saved; so is a hand that is no win.
    page.refresh().await.unwrap();
    until(&page, READY).await;
    let to = tempfile::tempdir().unwrap();
    let folder = json!({ "behavior": "allow", "downloadPath": to.path() });
    devtools(&page, "Page.setDownloadBehavior", folder).await;
    run(&page, "window.shares = false; document.addEventListener('reading', (event) => (window.seen = event.detail))").await;
    pick(&page, &own(HAND)).await;
    until_within(&page, "window.seen", A_PICTURE).await;
    run(&page, "document.getElementById('share-picture').click()").await;
    until(&page, "document.getElementById('status').textContent === 'Saved as a picture.'").await;
    let saved = to.path().join("tilelens.jpg");
    let began = Instant::now();
    while !saved.exists() && began.elapsed() < A_PICTURE {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(fs::read(&saved).unwrap().starts_with(&[0xff, 0xd8, 0xff]), "a JPEG");
    assert_eq!(run(&page, "return window.shared ?? null").await, Value::Null);
    page.close().await.unwrap();
}

async fn size_as(page: &Client, of: &Value) {
    let side = |n: usize| of[n].as_u64().unwrap() as u32;
    size(page, [side(0) + 16, side(1) + 16]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn it_speaks_the_language_of_who_reads_it_without_a_network() {
    let Some(folder) = folder() else { return };
    let Some((_driver, page)) = browser().await else { return };
    let files = Files::of(folder);
    let address = files.address.clone();
    without_network(&page, files).await;
    for (language, evening, sit, newer) in [
        ("en", "The evening", "Sit down", "Use it"),
        ("da", "Aftenen", "Sæt jer", "Brug den"),
        ("de", "Der Abend", "Platz nehmen", "Verwenden"),
        ("ja", "今夜の成績", "着席する", "使う"),
        ("zh", "今晚的牌局", "入座", "使用"),
    ] {
        page.goto(&format!("{address}?lang={language}")).await.unwrap();
        until(&page, READY).await;
        let said = "return ['#evening-title', '#sit button', '#newer button'].map((css) => document.querySelector(css).textContent)";
        assert_eq!(run(&page, said).await, json!([evening, sit, newer]));
        assert_eq!(run(&page, "return document.documentElement.lang").await, json!(language));
        run(&page, "document.getElementById('playing').hidden = false").await;
        size(&page, [320, 640]).await;
        let out = run(&page, &format!("return {STICKS_OUT}")).await;
        assert_eq!(out, json!([]), "{language}");
        keep(&page, &format!("pocket-words-{language}")).await;
    }
    page.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn every_kind_of_picture_is_read_and_shown() {
    let Some(folder) = folder() else { return };
    let Some((_driver, page)) = browser().await else { return };
    without_network(&page, Files::of(folder)).await;
    let expected = read(&page, &own(HAND)).await;
    let to = tempfile::tempdir().unwrap();
    // The browser decodes the first two, our own reader the third.
    for (kind, how) in
        [("png", &[][..]), ("webp", &["-lossless", "1"]), ("tiff", &["-pix_fmt", "rgb24"])]
    {
        let file = to.path().join(format!("hand.{kind}"));
        let made = Command::new("ffmpeg")
            .args(["-v", "error", "-i"])
            .arg(own(HAND))
            .args(how)
            .arg(&file)
            .status();
        assert!(made.unwrap().success(), "{kind}");
        let seen = read(&page, &file).await;
        assert_eq!(seen["hand"]["text"], expected["hand"]["text"], "{kind}");
        assert_eq!(seen["score"]["payments"], expected["score"]["payments"], "{kind}");
        until(&page, "document.getElementById('taken').naturalWidth > 0").await;
    }
    // HEIC as a phone writes it: read as by the program (tests/reading/pictures.rs), and shown though the browser does not know it.
    let heic = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/pictures/phone.heic");
    let seen = read(&page, &heic).await;
    assert_eq!(seen["image"], json!({ "width": 960, "height": 720 }));
    assert_eq!(seen["hand"]["text"], "123m456p789s11155z");
    until(&page, "document.getElementById('taken').naturalWidth > 0 && !document.getElementById('taken').hidden").await;
    keep(&page, "pocket-heic").await;
    page.close().await.unwrap();
}

/// The page without a network, before a camera that shows a film.
async fn before_a_camera(folder: PathBuf, camera: &[String]) -> Option<(Driver, Client)> {
    let camera: Vec<&str> = camera.iter().map(String::as_str).collect();
    let (driver, page) = browser_with(&camera).await?;
    without_network(&page, Files::of(folder)).await;
    until(&page, "document.getElementById('find').checkVisibility()").await;
    run(&page, "window.seen = null; document.querySelector('[name=how]').value = 'self_draw'")
        .await;
    Some((driver, page))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_still_hand_has_its_score_without_a_press_or_a_network() {
    let Some(folder) = folder() else { return };
    let to = tempfile::tempdir().unwrap();
    let film = camera(to.path(), "row-sorted", "scale=1280:960", 10);
    let Some((_driver, page)) = before_a_camera(folder, &film).await else { return };
    let mut milliseconds = Vec::new();
    for _ in 0..5 {
        let watched = "window.seen = null; const video = document.querySelector('#finder video'); \
            video.onplaying = () => (window.began = performance.now()); document.getElementById('find').click(); \
            document.getElementById('next-how').value = 'self_draw'; \
            document.addEventListener('reading', () => requestAnimationFrame(() => (window.took = performance.now() - window.began)), { once: true })";
        run(&page, &format!("window.took = 0; {watched}")).await;
        until_within(&page, "window.took", A_PICTURE).await;
        milliseconds.push(run(&page, "return window.took").await.as_f64().unwrap());
        let shown = "return [document.querySelector('#score h2').textContent, document.getElementById('finder').hidden, document.querySelector('#finder video').srcObject]";
        assert_eq!(run(&page, shown).await, json!(["120", true, null]));
    }
    milliseconds.sort_by(f64::total_cmp);
    eprintln!("a still hand has its score after {milliseconds:.0?} ms");
    size(&page, [390, 844]).await;
    keep(&page, "pocket-by-itself").await;
    page.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hand_that_moves_or_is_unclear_is_not_taken_without_a_press() {
    let Some(folder) = folder() else { return };
    let to = tempfile::tempdir().unwrap();
    for (hint, filter, frames) in [("still", MOVES, MOVES_FRAMES), ("doubt", UNCLEAR, 10)] {
        let film = camera(to.path(), "row-gaps", filter, frames);
        let Some((_driver, page)) = before_a_camera(folder.clone(), &film).await else { return };
        size(&page, [390, 844]).await;
        run(&page, "document.getElementById('find').click()").await;
        let hinted = format!("document.getElementById('finder').dataset.hint === '{hint}'");
        until_within(&page, &hinted, A_PICTURE).await;
        assert_eq!(run(&page, &format!("return {STICKS_OUT}")).await, json!([]));
        keep(&page, &format!("pocket-finder-{hint}")).await;
        until(&page, "document.querySelector('#finder video').currentTime > 3").await;
        assert_eq!(
            run(&page, "return [window.seen, document.getElementById('score').textContent]").await,
            json!([null, ""])
        );
        // The button takes what there is.
        run(&page, "document.getElementById('shoot').click()").await;
        until_within(&page, "window.seen", A_PICTURE).await;
        assert_eq!(
            run(&page, "return document.getElementById('finder').hidden").await,
            json!(true)
        );
        page.close().await.unwrap();
    }
}

/// The processes below another one, as Linux tells.
fn below(process: u32) -> Vec<u32> {
    let parent = |one: &u32| -> Option<u32> {
        let stat = fs::read_to_string(format!("/proc/{one}/stat")).ok()?;
        stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
    };
    let all = fs::read_dir("/proc").into_iter().flatten().flatten();
    let all: Vec<u32> = all.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    let children = all.into_iter().filter(|one| parent(one) == Some(process));
    children.flat_map(|child| [vec![child], below(child)].concat()).collect()
}

/// The private memory of the largest process, in bytes.
fn held(processes: &[u32]) -> u64 {
    let of = |process: &u32| -> u64 {
        let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        let parts = status.lines().filter_map(|line| {
            let rest = line.strip_prefix("RssAnon:").or(line.strip_prefix("RssShmem:"))?;
            rest.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
        });
        parts.sum::<u64>() << 10
    };
    processes.iter().map(of).max().unwrap_or(0)
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_picture_of_twelve_megapixels_is_read_in_little_memory() {
    let Some(folder) = folder() else { return };
    let Some((driver, page)) = browser().await else { return };
    without_network(&page, Files::of(folder)).await;
    let to = tempfile::tempdir().unwrap();
    let large = to.path().join("large.jpg");
    let own = image::open(own(HAND)).unwrap();
    own.resize_exact(4000, 3000, image::imageops::FilterType::Triangle).save(&large).unwrap();
    let processes: Vec<u32> = (below(driver.id()).into_iter())
        .filter(|one| {
            let answer = fs::read(format!("/proc/{one}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&answer).contains("--type=renderer")
        })
        .collect();
    assert!(!processes.is_empty(), "the page has a process");
    let is_on = Arc::new(AtomicBool::new(true));
    let on = Arc::clone(&is_on);
    let watch = thread::spawn(move || {
        let mut most = 0;
        while on.load(Ordering::SeqCst) {
            most = most.max(held(&processes));
            thread::sleep(Duration::from_millis(5));
        }
        most
    });
    let seen = read(&page, &large).await;
    assert_eq!(seen["score"]["ok"], json!(true), "{seen}");
    is_on.store(false, Ordering::SeqCst);
    let most = watch.join().unwrap();
    let wasm = seen["memory"].as_u64().unwrap_or_default();
    eprintln!("12 megapixels: {} MB at most, {} MB in WebAssembly", most >> 20, wasm >> 20);
    assert!(most > wasm && most <= MEMORY, "{most} bytes");
    page.close().await.unwrap();
}
