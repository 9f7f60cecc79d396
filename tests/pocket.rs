//! The page that reads by itself, in a real browser, with the network off: it says what the program says.
//! `make web` builds it; without that the tests are skipped, and say so.
#![cfg(feature = "server")]

use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use fantoccini::{Client, Locator};
use serde_json::{Value, json};

#[path = "support/browser.rs"]
mod browser;

use browser::{browser, devtools, keep, until, until_within};

/// A picture takes no longer, on a busy machine either.
const A_PICTURE: Duration = Duration::from_secs(120);
/// Of a tile's side: its middle may differ by so much.
const SAME_PLACE: f64 = 0.25;
/// Faces that may be read otherwise than by the program, of a thousand tiles.
const FACES: usize = 2;
/// The same for tiles that lie face down, as in a wall: two runtimes round otherwise, and some of them are seen hardly.
const BACKS: usize = 10;
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
    is_on: Arc<AtomicBool>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Files {
    fn of(folder: PathBuf) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://localhost:{}/", listener.local_addr().unwrap().port());
        let is_on = Arc::new(AtomicBool::new(true));
        let on = Arc::clone(&is_on);
        let thread = thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if !on.load(Ordering::SeqCst) {
                    break;
                }
                let folder = folder.clone();
                // A browser opens connections that it does not use.
                thread::spawn(move || drop(answer(stream, &folder)));
            }
        });
        Self { address, is_on, thread: Some(thread) }
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

/// Opens the page, waits until the device keeps it, turns the network off, and opens it again from there.
async fn without_network(page: &Client, files: Files) {
    let began = Instant::now();
    page.goto(&files.address).await.unwrap();
    until(page, "document.body.dataset.ready === 'yes'").await;
    eprintln!("first start: {} ms", began.elapsed().as_millis());
    run(page, "navigator.serviceWorker.ready.then((kept) => (window.kept = kept.active?.state))")
        .await;
    until(page, "window.kept && navigator.serviceWorker.controller").await;
    let address = files.address.clone();
    drop(files);
    let began = Instant::now();
    page.goto(&format!("{address}?again")).await.unwrap();
    until(page, "document.body.dataset.ready === 'yes'").await;
    eprintln!("second start, without a network: {} ms", began.elapsed().as_millis());
    run(
        page,
        "document.addEventListener('reading', (event) => (window.seen = event.detail)); \
         document.getElementById('context').elements.how.value = 'self_draw'",
    )
    .await;
}

/// What the page says of a picture.
async fn read(page: &Client, picture: &Path) -> Value {
    run(page, "window.seen = null; document.getElementById('status').classList.remove('loss')")
        .await;
    let file = page.find(Locator::Css("#file")).await.unwrap();
    file.send_keys(picture.canonicalize().unwrap().to_str().unwrap()).await.unwrap();
    until_within(page, "window.seen", A_PICTURE).await;
    run(page, "return window.seen.reading").await
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

/// What the program says of pictures, each by its name.
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

/// The faces of a reading with the middles of their tiles, in pixels, and their sides. Which corner of a 4p is its first
/// cannot be told.
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
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let picture = root.join("datasets/photos/tables").join(HAND);
    let seen = read(&page, &picture).await;
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
    for (wind, name) in [("E", "Ann"), ("S", "Bo"), ("W", "Cy"), ("N", "Di")] {
        run(&page, &format!("document.querySelector('#sit [name={wind}]').value = '{name}'")).await;
    }
    run(&page, "document.querySelector('#sit button').click()").await;
    until(&page, "!document.getElementById('playing').hidden").await;
    until(&page, "!document.getElementById('write').disabled").await;
    keep(&page, "pocket").await;
    run(&page, "document.getElementById('write').click()").await;
    until(&page, "document.querySelectorAll('#deals li').length === 1").await;
    let totals = "return [...document.querySelectorAll('#totals tbody tr')].map((line) => line.lastChild.textContent)";
    let written = run(&page, totals).await;
    let saved =
        "import('./assets/kept.js').then(async (kept) => (window.saved = await kept.evening()))";
    run(&page, saved).await;
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
async fn it_can_be_installed_and_fits_every_screen() {
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
    page.goto(&files.address).await.unwrap();
    until(&page, "document.body.dataset.ready === 'yes'").await;
    let told = devtools(&page, "Page.getInstallabilityErrors", json!({})).await;
    let errors = told["installabilityErrors"].as_array().cloned().unwrap_or_default();
    // A headless browser without a profile installs nothing; all else counts.
    let others: Vec<&Value> =
        (errors.iter()).filter(|error| error["errorId"] != "in-incognito").collect();
    assert!(others.is_empty(), "{others:?}");
    without_network(&page, files).await;
    for width in [320, 375, 768, 1280] {
        let size =
            json!({ "width": width, "height": 800, "deviceScaleFactor": 1, "mobile": false });
        devtools(&page, "Emulation.setDeviceMetricsOverride", size).await;
        let wide = run(&page, "return document.documentElement.scrollWidth").await;
        assert!(wide.as_u64().unwrap() <= width, "{wide} at {width}");
        keep(&page, &format!("pocket-{width}")).await;
    }
    page.close().await.unwrap();
}
