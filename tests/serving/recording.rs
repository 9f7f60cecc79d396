//! `live --record` at a rendered table, into its ledger and to a file: its discards are uncovered one after another, a set is claimed, the table is swept.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use image::RgbImage;
use serde_json::Value;
use tilelens::{
    Picture, Reader, SeenTile,
    calibration::table::{Edge, TableProfile},
    convert::log,
    ledger::Ledger,
    record::Event,
    sight::quad,
    tile::Seat,
};

use crate::support::served::{Served, four_players, tilelens};

/// Far longer than anything takes on a busy machine: only a fault reaches it.
const PATIENCE: Duration = Duration::from_secs(300);
/// Time between two pictures of the camera.
const STEP: Duration = Duration::from_millis(400);

/// The rendered table, of which some tiles are covered with cloth.
struct Table {
    picture: RgbImage,
    /// For each pixel the tile that it shows, by its place among the tiles.
    owners: Vec<Option<usize>>,
    tiles: Vec<SeenTile>,
    profile: TableProfile,
    /// The discards of each player in order.
    discards: Vec<Vec<usize>>,
    /// Each player's own tiles.
    own: Vec<Vec<usize>>,
    shown: Vec<usize>,
}

impl Table {
    fn new() -> Self {
        let (path, truth) = four_players();
        let corner = |corner: &Value| [0, 1].map(|axis| corner[axis].as_f64().unwrap() as f32);
        let corners: Vec<[f32; 2]> =
            truth["corners"].as_array().unwrap().iter().map(corner).collect();
        let picture = Picture::from_bytes(&fs::read(path).unwrap()).unwrap();
        let size = [picture.width(), picture.height()];
        let profile = TableProfile::new(size, corners.try_into().unwrap(), Edge::Bottom).unwrap();
        let tiles = Reader::builtin(2).unwrap().read(&picture).unwrap();
        let lying = profile.view(size).divide(&tiles);
        let discards = Seat::ALL.map(|seat| lying[&seat].discards.tiles.clone()).to_vec();
        let own = Seat::ALL.map(|seat| lying[&seat].own.clone()).to_vec();
        let rgb = picture.rgb().clone();
        let middles: Vec<([f32; 2], f32)> = tiles
            .iter()
            .map(|tile| (quad::centre(&tile.corners), quad::sides(&tile.corners)[1]))
            .collect();
        let owner = |x: u32, y: u32| {
            let away = |(place, ([u, v], long)): (usize, &([f32; 2], f32))| {
                ((x as f32 - u).hypot(y as f32 - v) / long, place)
            };
            let nearest = middles.iter().enumerate().map(away);
            let nearest = nearest.min_by(|a, b| a.0.total_cmp(&b.0))?;
            (nearest.0 < 1.1).then_some(nearest.1)
        };
        let owners = (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| (x, y)));
        let owners = owners.map(|(x, y)| owner(x, y)).collect();
        Self { picture: rgb, owners, tiles, profile, discards, own, shown: Vec::new() }
    }

    /// South's tile of a face.
    fn own(&self, face: &str) -> usize {
        let is_it = |tile: &&usize| self.tiles[**tile].classified().0.to_string() == face;
        *self.own[1].iter().find(is_it).unwrap()
    }

    /// Puts a picture of the table before the camera.
    fn photograph(&self, camera: &Path, number: usize) {
        let (width, height) = self.picture.dimensions();
        // Bare cloth between the rows of discards.
        let [left, top] = [width / 2 - 60, height / 2 - 60];
        let picture =
            RgbImage::from_fn(width, height, |x, y| match self.owners[(y * width + x) as usize] {
                Some(tile) if !self.shown.contains(&tile) => {
                    *self.picture.get_pixel(left + x % 100, top + y % 100)
                }
                _ => *self.picture.get_pixel(x, y),
            });
        let (new, file) = (camera.join(".new"), camera.join(format!("{}.jpg", number % 2)));
        let mut bytes = Vec::new();
        let mut encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut bytes, 93);
        encoder.encode_image(&picture).unwrap();
        fs::write(&new, bytes).unwrap();
        fs::rename(&new, file).unwrap();
    }
}

/// A session before that table, and its record.
struct Session {
    served: Served,
    table: Table,
    camera: PathBuf,
    record: Kept,
    photographed: usize,
}

/// Where a record is kept: in a ledger, or in a file.
enum Kept {
    Ledger(PathBuf),
    File(PathBuf),
}

fn lines(record: &Kept) -> Vec<Value> {
    let text = match record {
        Kept::File(file) => fs::read_to_string(file).unwrap_or_default(),
        Kept::Ledger(ledger) => {
            let runtime = tokio::runtime::Runtime::new().unwrap();
            let read = async { Ledger::read(ledger).await.unwrap().record(1).await.unwrap() };
            runtime.block_on(read).text()
        }
    };
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn count(lines: &[Value], kind: &str) -> usize {
    lines.iter().filter(|line| line["type"] == kind).count()
}

impl Session {
    fn start(folder: &Path, record: Kept, table: Table) -> Self {
        let (camera, ledger) = (folder.join("camera"), folder.join("evening.tlg"));
        let profile = folder.join("table.toml");
        if !camera.exists() {
            fs::create_dir(&camera).unwrap();
            fs::write(&profile, table.profile.to_toml()).unwrap();
        }
        table.photograph(&camera, 0);
        let source = format!("{}={}", profile.display(), camera.display());
        let ledger = ledger.display().to_string();
        let file = match &record {
            Kept::File(file) => Some(file.display().to_string()),
            Kept::Ledger(_) => None,
        };
        let mut arguments =
            vec!["live", "--port", "0", "--source", &source, "--ledger", &ledger, "--record"];
        arguments.extend(file.as_deref());
        let served = Served::start(&arguments);
        let mut session = Self { served, table, camera, record, photographed: 0 };
        session.served.until(|state| state["seats"]["E"].is_object());
        // The table is bare for long enough that a deal may begin.
        let bare = Instant::now();
        session.until("a bare table", |_| bare.elapsed() > Duration::from_secs(5));
        session
    }

    /// Photographs the table again and again until its record has something.
    fn until(&mut self, what: &str, has: impl Fn(&[Value]) -> bool) {
        let began = Instant::now();
        while !has(&lines(&self.record)) {
            assert!(began.elapsed() < PATIENCE, "{what}: {:#?}", lines(&self.record));
            self.photographed += 1;
            self.table.photograph(&self.camera, self.photographed);
            std::thread::sleep(STEP);
        }
    }

    /// Photographs the table again and again until the pages show something.
    fn shows(&mut self, what: &str, has: impl Fn(&Value) -> bool) -> Value {
        let began = Instant::now();
        loop {
            let state = self.served.get("api/state").json();
            if has(&state) {
                return state;
            }
            assert!(began.elapsed() < PATIENCE, "{what}: {:#}", state["proposed"]);
            self.photographed += 1;
            self.table.photograph(&self.camera, self.photographed);
            std::thread::sleep(STEP);
        }
    }

    /// A deal that East wins: East claims a 7z of North's, and opens the hand on West's 9s. South's last discard may be missed.
    fn east_wins(&mut self, is_missed: bool) {
        for (player, place) in [(0, 0), (1, 0), (2, 2), (3, 3)] {
            self.discards(player, place);
        }
        let hand = self.table.own[0].clone();
        let is_set = |tile: &usize| self.table.tiles[*tile].classified().0.to_string() == "7z";
        let (set, rest): (Vec<usize>, Vec<usize>) = hand.into_iter().partition(is_set);
        self.table.shown.pop();
        self.table.shown.extend(set);
        self.until("a claim", |lines| count(lines, "claim") == 1);
        self.discards(0, 1);
        if !is_missed {
            self.discards(1, 1);
        }
        self.discards(2, 0);
        self.table.shown.pop();
        self.table.shown.extend(rest);
    }

    fn discards(&mut self, player: usize, place: usize) {
        let tile = self.table.discards[player][place];
        self.table.shown.push(tile);
        let before = count(&lines(&self.record), "discard");
        self.until("a discard", |lines| count(lines, "discard") > before);
    }

    fn sweeps(&mut self) {
        self.table.shown.clear();
        let before = count(&lines(&self.record), "end");
        self.until("the end", |lines| count(lines, "end") > before);
    }
}

#[test]
fn a_game_before_the_camera_becomes_a_record_that_is_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = folder.path().join("evening.tlg").display().to_string();
    tilelens(&["table", "new", &ledger, "--rules", "riichi", "--players", "Ann,Bo,Cy,Di"]);
    let kept = || Kept::Ledger(ledger.clone().into());
    let mut session = Session::start(folder.path(), kept(), Table::new());
    for player in 0..3 {
        session.discards(player, 0);
    }
    // Another program reads it while it grows.
    let export = || tilelens(&["record", "export", &ledger, "--to", "mjai"]);
    assert!(export().contains(r#""pai":"9p""#));
    // Killed in the middle of the deal, it has lost nothing, and goes on behind it.
    session.served.signal("KILL");
    let before = lines(&session.record);
    let Session { table, record, .. } = session;
    let mut session = Session::start(folder.path(), kept(), Table { shown: Vec::new(), ..table });
    let resumed = lines(&record);
    assert_eq!(resumed[..before.len()], before[..]);
    assert_eq!(
        [&resumed[before.len()]["type"], &resumed[before.len() + 1]["type"]],
        ["gap", "end"]
    );
    for (player, place) in [(0, 0), (1, 0), (2, 0), (3, 0)] {
        session.discards(player, place);
    }
    // South takes a 3s that East has hardly put down.
    let set = ["3s", "4s", "5s"].map(|face| session.table.own(face));
    session.table.shown.extend(set);
    session.until("a claim", |lines| count(lines, "claim") == 1);
    session.discards(1, 1);
    session.sweeps();

    let text: String = lines(&session.record).iter().map(|line| format!("{line}\n")).collect();
    let read = log::read(&text).unwrap();
    let second = read.events.iter().rposition(|event| matches!(event, Event::Deal(_))).unwrap();
    let events: Vec<String> = read.events[second..]
        .iter()
        .filter_map(|event| match event {
            Event::Discard { player, tile, .. } => Some(format!("{player} {tile}")),
            Event::Claim { player, from, tile, own, .. } => {
                Some(format!("{player} from {from} {tile} {own}"))
            }
            _ => None,
        })
        .collect();
    assert_eq!(
        events,
        ["0 9p", "1 1z", "2 9s", "3 3z", "0 3s", "1 from 0 3s 45s", "1 9m"],
        "{text}"
    );
    assert!(text.contains(r#""why":"unseen""#), "{text}");
    assert_eq!(lines(&session.record)[0]["players"][3], "Di");
    // It is listed, replayed and mended while it is written.
    let served = &session.served;
    assert_eq!(served.get("api/records").json()[0]["name"], "table 1");
    assert!(served.get("replay/table%201").text().contains("claims from"));
    assert_eq!(served.get("replay/table%202").status, 404);
    let said = serde_json::json!({ "deal": 0, "event": 2, "tile": "8p" });
    let mended = served.post("api/records/table%201", &said);
    assert_eq!(mended.status, 204, "{}", mended.text());
    assert!(export().contains(r#""pai":"8p""#));
    session.discards(0, 0);
    assert!(tilelens(&["table", "verify", &ledger]).contains("the record of table 1: "));
    drop(session);
    let page = folder.path().join("game.html").display().to_string();
    tilelens(&["record", "replay", &ledger, "--table", "1", "-o", &page]);
    assert!(fs::read_to_string(&page).unwrap().contains("claims from"));
}

/// A table of the ledger, with a session before it.
fn at_a_table(folder: &Path) -> Session {
    let ledger = folder.join("evening.tlg").display().to_string();
    tilelens(&["table", "new", &ledger, "--rules", "mmm", "--players", "Ann,Bo,Cy,Di"]);
    Session::start(folder, Kept::File(folder.join("game.jsonl")), Table::new())
}

#[test]
fn a_win_that_the_record_is_certain_of_takes_one_key() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = at_a_table(folder.path());
    session.east_wins(false);
    let is_ready = |state: &Value| {
        state["proposed"]["taken"] == true && state["reading"]["score"]["ok"] == true
    };
    let state = session.shows("a win", is_ready);
    assert_eq!(state["proposed"]["certain"], true);
    let context = &state["context"];
    assert_eq!(
        ["seat", "win", "from", "winning", "tile"].map(|field| &context[field]),
        ["E", "discard", "W", "9s", "fresh"]
    );
    // What the operator says overrules it, and stays.
    session.served.post("api/context", &serde_json::json!({ "from": "S" }));
    let looked = Instant::now();
    let state = session.shows("time", |_| looked.elapsed() > Duration::from_secs(4));
    assert_eq!([&state["context"]["from"], &state["context"]["tile"]], [&"S".into(), &Value::Null]);
    assert_eq!(state["proposed"]["taken"], false);
    session.served.undo();
    // Enter.
    let confirmed = session.served.post("api/confirm", &serde_json::json!({}));
    assert_eq!(confirmed.status, 200, "{}", confirmed.text());
    let confirmed = confirmed.json();
    let winner = &confirmed["table"]["last_deal"]["winners"][0];
    assert_eq!(["player", "from"].map(|field| &winner[field]), [0, 2]);
    assert_eq!(confirmed["proposed"], Value::Null);
    // The same hand, which lies there still, is not proposed for the next deal.
    session.served.post("api/next", &serde_json::json!({}));
    let looked = Instant::now();
    let state = session.shows("time", |_| looked.elapsed() > Duration::from_secs(4));
    assert_eq!([&state["proposed"], &state["context"]["win"]], [&Value::Null; 2]);
}

#[test]
fn a_win_in_doubt_is_shown_and_filled_in_by_a_key_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = at_a_table(folder.path());
    session.east_wins(true);
    let state = session.shows("a win", |state| state["proposed"].is_object());
    let proposed = &state["proposed"];
    assert_eq!([&proposed["certain"], &proposed["taken"]], [false, false]);
    assert_eq!(["seat", "from"].map(|field| &proposed["fields"][field]), ["E", "W"]);
    let looked = Instant::now();
    let state = session.shows("time", |_| looked.elapsed() > Duration::from_secs(4));
    assert_eq!(state["context"]["win"], Value::Null, "nothing is filled in");
    assert_eq!(session.served.post("api/confirm", &serde_json::json!({})).status, 409);
    let taken = session.served.post("api/context", &proposed["fields"]).json();
    assert_eq!(taken["context"]["from"], "W");
    assert_eq!(taken["proposed"]["taken"], true);
}

fn refused(arguments: &[&str]) -> String {
    let out = Command::new(env!("CARGO_BIN_EXE_tilelens")).args(arguments).output().unwrap();
    assert!(!out.status.success());
    String::from_utf8(out.stderr).unwrap()
}

#[test]
fn a_file_that_is_no_record_is_left_alone_and_a_table_is_needed() {
    let folder = tempfile::tempdir().unwrap();
    let notes = folder.path().join("notes.txt");
    fs::write(&notes, "milk\nbread\n").unwrap();
    let file = notes.display().to_string();
    let said = refused(&["live", "--port", "0", "--source", "screen:", "--record", &file]);
    assert!(said.contains("is no record to go on with (line 1"), "{said}");
    assert_eq!(fs::read_to_string(&notes).unwrap(), "milk\nbread\n");
    let said = refused(&["live", "--port", "0", "--source", "screen:", "--record"]);
    assert!(said.contains("give --ledger FILE and --table N, or name a file"), "{said}");
    let ledger = folder.path().join("evening.tlg").display().to_string();
    tilelens(&["table", "new", &ledger, "--rules", "mmm", "--players", "Ann,Bo,Cy,Di"]);
    let said = refused(&["record", "export", &ledger, "--to", "mjai"]);
    assert!(said.contains("has a record: `tilelens live --record` writes one"), "{said}");
    let said = refused(&["record", "export", &file, "--table", "1", "--to", "mjai"]);
    assert!(said.contains("--table is the table of a ledger"), "{said}");
    let said = refused(&["live", "--source", "south=camera:0", "--record", &file]);
    assert!(said.contains("one source that shows the whole table"), "{said}");
}
