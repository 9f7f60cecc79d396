//! Reports about the programme.

#![cfg(all(feature = "server", target_os = "linux"))]

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use fantoccini::Client;
use serde_json::{Value, json};
use tilelens::{
    calibration::table::{Edge, TableProfile},
    live::{TrackedSlot, Tracker},
    picture::Picture,
    rules::Library,
    server::{self, Hub, Shows, TrackedPicture},
    sight::SeenTile,
    tile::Face,
};

use crate::support::{
    browser::{browser, keep, until, until_within},
    served::{Served, Watched, tilelens},
};

/// The result, the winner's frame, or what is paid.
const ON_AIR: &str = "!document.querySelector('#score-panel').hidden || document.querySelector('.winner, .wins, .paid, #payments .gain')";

/// Reopens an overlay and waits for its hand; returns whether a result is on it.
async fn is_on_air(page: &Client, served: &Served, layout: &str) -> bool {
    page.goto(&format!("{}overlay?layout={layout}", served.address)).await.unwrap();
    until(page, "document.querySelector('.hand .tile')?.checkVisibility()").await;
    page.execute(&format!("return !!({ON_AIR})"), vec![]).await.unwrap() == json!(true)
}

/// A user pressed "confirm", the ledger refused the hand, and the overlay showed viewers its score, who had won
/// and what everybody paid all the same.
#[tokio::test]
async fn only_what_the_ledger_took_is_on_air() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evening.tlg");
    let file = file.to_str().unwrap();
    tilelens(&["table", "new", file, "--rules", "mmm", "--players", "Ann,Bo,Cy,Di"]);
    let served = Served::start(&["serve", "--port", "0", "--ledger", file]);
    let post = |path: &str, words: Value, status: u16| {
        let reply = served.post(path, &words);
        assert_eq!(reply.status, status, "{path} {words}: {}", reply.text());
    };
    let both = async |on_air: bool, when: &str| {
        for layout in ["hand", "table"] {
            assert_eq!(is_on_air(&page, &served, layout).await, on_air, "{layout}: {when}");
        }
    };
    let won = json!({ "seat": "S", "win": "discard", "from": "W" });
    served.show("won-sideways");
    post("api/context", won, 200);
    assert_eq!(
        served.state()["reading"]["score"]["ok"],
        true,
        "the operator sees what it is worth"
    );
    both(false, "before it is confirmed").await;
    post("api/confirm", json!({}), 409);
    both(false, "nobody said whether the tile had been passed").await;
    post("api/context", json!({ "tile": "fresh" }), 200);
    post("api/confirm", json!({}), 200);
    both(true, "it was confirmed").await;
    keep(&page, "overlay-confirmed-table").await;

    post("api/also", json!({}), 200);
    served.show("won-sideways");
    post("api/context", json!({ "seat": "N", "win": "discard", "from": "W" }), 200);
    post("api/confirm", json!({}), 409);
    both(false, "a second winner whom the ledger refused").await;
    post("api/context", json!({ "tile": "fresh" }), 200);
    post("api/confirm", json!({}), 200);
    both(true, "a second winner").await;
    assert_eq!(served.undo().status, 200);
    both(false, "the second winner was taken back").await;

    // Confirmed once more, and taken back in another program: that goes off the air by itself.
    post("api/confirm", json!({}), 200);
    both(true, "confirmed once more").await;
    tilelens(&["table", "undo", file]);
    until(&page, &format!("!({ON_AIR})")).await;
    assert_eq!(served.state()["phase"], "watching");

    // Nothing more is written to a session that is over.
    post("api/next", json!({}), 200);
    served.show("won-sideways");
    post("api/context", json!({ "seat": "E", "win": "self_draw" }), 200);
    tilelens(&["table", "end", file]);
    post("api/confirm", json!({}), 409);
    both(false, "the session is over").await;
    post("api/draw", json!({}), 409);
    both(false, "no draw was written either").await;
}

/// A deal that was corrected in another program went on being shown with the payments of before.
#[test]
fn a_deal_that_was_corrected_elsewhere_is_no_longer_on_air() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evening.tlg");
    let file = file.to_str().unwrap();
    tilelens(&["table", "new", file, "--rules", "mmm", "--players", "Ann,Bo,Cy,Di"]);
    let served = Served::start(&["serve", "--port", "0", "--ledger", file]);
    served.show("row-sorted");
    served.post("api/context", &json!({ "seat": "E", "win": "self_draw" }));
    let confirmed = served.post("api/confirm", &json!({})).json();
    assert_eq!(confirmed["phase"], "confirmed", "{confirmed}");
    // What comes after it takes nothing of it back.
    tilelens(&["table", "penalty", file, "Di", "--points", "10"]);
    let later =
        served.until(|state| state["table"]["last_event"] != confirmed["table"]["last_event"]);
    assert_eq!(later["phase"], "confirmed");
    let other = ["--winner", "Ann", "--self-draw", "--pay", "Ann=30,Bo=-10,Cy=-10,Di=-10"];
    tilelens(&[&["table", "correct", file, "--deal", "1"][..], &other].concat());
    let state = served.until(|state| state["phase"] == "watching");
    assert!(state["table"]["last_deal"]["corrected_by"].is_u64(), "{state}");
}

/// Time between frames in milliseconds.
const FRAME: u64 = 33;

fn tile(face: usize, [x, y]: [f32; 2]) -> SeenTile {
    let mut faces = [0.0; Face::COUNT];
    faces[face] = 0.98;
    SeenTile {
        corners: [[x, y], [x + 30.0, y], [x + 30.0, y + 40.0], [x, y + 40.0]],
        found: 0.9,
        faces,
        back: 0.0,
        reject: 0.0,
        red: 0.0,
        turns: [0.97, 0.01, 0.01, 0.01],
    }
}

const HAND: [usize; 14] = [0, 1, 2, 10, 11, 12, 20, 21, 22, 5, 5, 30, 30, 30];

fn row(faces: &[usize], left: f32, top: f32) -> Vec<SeenTile> {
    (faces.iter().enumerate())
        .map(|(place, face)| tile(*face, [left + 31.0 * place as f32, top]))
        .collect()
}

/// A camera and the pages' state, with a clock of their own.
struct Air {
    hub: Arc<Hub>,
    source: usize,
    tracker: Tracker,
    picture: Arc<Picture>,
    start: Instant,
    frame: u64,
}

impl Air {
    fn of(shows: Shows, size: [u32; 2]) -> Self {
        let hub = Hub::new(Library::default(), "mmm").unwrap();
        let source = hub.add_source("camera:0", shows);
        let picture = Picture::from_rgb(image::RgbImage::new(size[0], size[1])).unwrap();
        let (tracker, picture) = (Tracker::default(), Arc::new(picture));
        Self { hub, source, tracker, picture, start: Instant::now(), frame: 0 }
    }

    /// A hand that has settled before a camera of one hand.
    fn with_hand() -> Self {
        let mut air = Self::of(Shows::Hand, [1280, 720]);
        let hand = row(&HAND, 100.0, 200.0);
        let state = air.see_for(1200, |_| (hand.clone(), None));
        assert!(state["reading"]["hand"].is_object(), "{}", state["reading"]);
        air
    }

    /// One frame; the state after it, as the overlay gets it.
    fn see(&mut self, seen: &[SeenTile], place: Option<TrackedSlot>) -> Value {
        self.frame += 1;
        let now = Duration::from_millis(FRAME * self.frame);
        self.tracker.observe_where(seen, now, |_, _| place);
        let look = TrackedPicture {
            picture: Arc::clone(&self.picture),
            at: self.start + now,
            tiles: self.tracker.tiles(),
            ids: self.tracker.ids(),
            unseen: self.tracker.unseen(),
            settled: self.tracker.settled(now),
            changed: self.tracker.changed(),
            tileset: None,
        };
        self.hub.see(self.source, look, None);
        serde_json::from_str(self.hub.states().borrow().of(server::Client::Screen)).unwrap()
    }

    /// Frames for a time in milliseconds, each by its number; the last state.
    fn see_for(
        &mut self,
        ms: u64,
        frame: impl Fn(u64) -> (Vec<SeenTile>, Option<TrackedSlot>),
    ) -> Value {
        let mut state = Value::Null;
        for number in 0..ms.div_ceil(FRAME) {
            let (seen, place) = frame(number);
            state = self.see(&seen, place);
        }
        state
    }

    /// The same; when, in milliseconds after the first frame, a state first says of what it holds at `at` that it
    /// is in doubt, and that it is off the air: stale, or another hand is read.
    fn times(
        &mut self,
        ms: u64,
        at: &str,
        frame: impl Fn(u64) -> (Vec<SeenTile>, Option<TrackedSlot>),
    ) -> [Option<u64>; 2] {
        let mut times = [None; 2];
        let mut shown = None;
        for number in 0..ms.div_ceil(FRAME) {
            let (seen, place) = frame(number);
            let state = self.see(&seen, place);
            let of = &state.pointer(at).unwrap_or(&Value::Null);
            let text = [&of["reading"]["hand"]["text"], &of["hand"]["text"]].map(Clone::clone);
            let is_other = *shown.get_or_insert_with(|| text.clone()) != text;
            let marks = [of["doubtful"] == true, of["stale"] == true || is_other];
            for (time, mark) in times.iter_mut().zip(marks) {
                if mark {
                    time.get_or_insert(FRAME * (number + 1));
                }
            }
            let both = of["doubtful"] == true && of["stale"] == true;
            assert!(!both, "what is gone is no longer in doubt");
        }
        times
    }
}

/// Tiles of other tables that a camera which never rests passes over.
fn passing(number: u64) -> Vec<SeenTile> {
    let noise = |k: u64| (number * 7919 + k * 104_729) % 9973;
    (0..8)
        .map(|k| {
            let at = [40.0 + (noise(k) % 1100) as f32, 260.0 + (noise(k + 31) % 400) as f32];
            tile((noise(k + 77) % 34) as usize, at)
        })
        .collect()
}

/// A tile that somebody pushes to and fro, so that nothing settles.
fn pushed(number: u64) -> SeenTile {
    let along = if (number / 9).is_multiple_of(2) { 0.0 } else { 14.0 };
    tile(33, [600.0 + along, 500.0])
}

fn in_time([doubtful, stale]: [Option<u64>; 2], what: &str) {
    let (Some(doubtful), Some(stale)) = (doubtful, stale) else {
        panic!("{what}: in doubt after {doubtful:?} ms, gone after {stale:?}")
    };
    assert!((500..=2000).contains(&doubtful), "{what}: in doubt after {doubtful} ms");
    assert!((doubtful..=5000).contains(&stale), "{what}: gone after {stale} ms");
}

/// A camera was turned to other tables, and for as long as it moved the overlay showed the hand of the first one
/// over them, without a mark.
#[test]
fn a_hand_is_off_the_air_five_seconds_after_its_tiles_are_gone() {
    let other = [31, 32, 33, 6, 7, 8, 15, 16, 17, 24, 24, 3, 3, 3];
    let moving = Some(TrackedSlot::Moving);
    let times = Air::with_hand().times(9000, "", |k| (passing(k), moving));
    in_time(times, "a camera turned to other tables");
    let times = Air::with_hand().times(9000, "", |_| (Vec::new(), moving));
    in_time(times, "a picture in which something moves and no tile is seen");
    let times = Air::with_hand().times(9000, "", |k| {
        (row(&other, 100.0, 200.0).into_iter().chain([pushed(k)]).collect(), None)
    });
    in_time(times, "another hand in the same place");
    let times = Air::with_hand().times(9000, "", |k| {
        (
            row(&HAND[..13], 100.0, 200.0).into_iter().chain([pushed(k)]).collect(),
            Some(TrackedSlot::Bare),
        )
    });
    in_time(times, "a tile taken away");
    // At a table of four, and of a player's own camera.
    let corners = [[0.0, 0.0], [1000.0, 0.0], [1000.0, 1000.0], [0.0, 1000.0]];
    let profile = TableProfile::new([1000, 1000], corners, Edge::Bottom).unwrap();
    for shows in [Shows::Table(profile), Shows::Standing(tilelens::tile::Seat::East)] {
        let mut air = Air::of(shows.clone(), [1000, 1000]);
        let hand = row(&HAND[..13], 300.0, 880.0);
        let state = air.see_for(2500, |_| (hand.clone(), None));
        assert_eq!(state["seats"]["E"]["shows"], "hand", "{}", state["seats"]);
        let times = air.times(9000, "/seats/E", |k| (passing(k), moving));
        in_time(times, &format!("{shows:?}"));
    }
}

/// Near misses: an arm that passes, an arm that rests over some tiles, and play beside a hand that lies still.
#[test]
fn a_hand_that_is_covered_for_a_while_is_in_doubt_and_comes_back() {
    let hand = row(&HAND, 100.0, 200.0);
    let under = |covered: std::ops::Range<usize>| -> Vec<SeenTile> {
        let seen = hand.iter().enumerate().filter(|(place, _)| !covered.contains(place));
        seen.map(|(_, tile)| tile.clone()).collect()
    };
    let moving = Some(TrackedSlot::Moving);
    let mut air = Air::with_hand();
    let text = air.see(&hand, None)["reading"]["hand"]["text"].clone();
    assert_eq!(air.times(600, "", |_| (under(0..14), moving)), [None; 2], "an arm that passes");
    assert_eq!(air.times(600, "", |_| (hand.clone(), None)), [None; 2]);
    let [doubtful, stale] = air.times(3500, "", |_| (under(2..14), moving));
    assert!(doubtful.is_some() && stale.is_none(), "{doubtful:?} {stale:?}");
    let back = air.see_for(100, |_| (hand.clone(), None));
    assert_eq!((&back["doubtful"], &back["stale"]), (&json!(false), &json!(false)));
    let [doubtful, stale] = air.times(20_000, "", |_| (under(2..5), moving));
    assert!(doubtful.is_some() && stale.is_none(), "most of it is seen: {stale:?}");
    air.see_for(1200, |_| (hand.clone(), None));
    // Off the air, and seen again: it lies there still.
    let [_, stale] = air.times(7000, "", |_| (under(0..14), moving));
    assert!(stale.is_some_and(|stale| stale <= 5000));
    let back = air.see_for(100, |_| (hand.clone(), None));
    assert_eq!((&back["doubtful"], &back["stale"]), (&json!(false), &json!(false)));
    assert_eq!(back["reading"]["hand"]["text"], text);
    let beside = |k: u64| hand.iter().cloned().chain([pushed(k)]).collect();
    assert_eq!(air.times(20_000, "", |k| (beside(k), None)), [None; 2], "others play on");
}

/// What a lost camera had seen stayed on the overlay for five seconds as if nothing had happened.
#[tokio::test]
async fn what_a_lost_camera_saw_is_marked_before_it_goes() {
    let Some((_driver, page)) = browser().await else { return };
    let seen = Watched::new("row-sorted");
    let served = Served::start(&["live", "--port", "0", "--source", seen.path()]);
    page.goto(&format!("{}overlay", served.address)).await.unwrap();
    let shown = "document.querySelector('#hand-panel:not(.doubtful) .tile')?.checkVisibility()";
    until_within(&page, shown, Duration::from_secs(60)).await;
    std::fs::remove_dir_all(seen.path()).unwrap();
    let marked = "document.querySelector('#hand-panel.doubtful')?.checkVisibility()";
    until_within(&page, marked, Duration::from_secs(30)).await;
    keep(&page, "overlay-in-doubt").await;
    until(&page, "document.querySelector('#hand-panel').hidden").await;
    std::fs::create_dir(seen.path()).unwrap();
    seen.put("row-sorted");
    until_within(&page, shown, Duration::from_secs(60)).await;
    // The same where the program itself is gone.
    drop(served);
    until(&page, marked).await;
    until(&page, "document.querySelector('#hand-panel').hidden").await;
}
