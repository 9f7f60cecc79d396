//! A disk that was full and has room again.

#![cfg(all(feature = "server", target_os = "linux"))]

use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::{
    postgres::Server,
    served::{Served, tilelens},
};

const PLAYERS: [&str; 4] = ["--rules", "mmm", "--players", "Ann,Bo,Cy,Di"];

/// Enters a draw, and goes on to the next deal.
fn enter(served: &Served) {
    let drawn = served.post("api/draw", &json!({ "meant": true }));
    assert_eq!(drawn.status, 200, "{}", drawn.text());
    assert_eq!(served.post("api/next", &json!({})).status, 200);
}

/// An entry on the full disk is refused, again and again, and the table can be looked at meanwhile.
fn is_refused(served: &Served, deals: usize) {
    for _ in 0..3 {
        let refused = served.post("api/draw", &json!({ "meant": true }));
        assert_eq!(refused.status, 409, "{}", refused.text());
        assert!(refused.text().contains("disk is full"), "{}", refused.text());
        assert_eq!(history(served), deals);
    }
}

fn history(served: &Served) -> usize {
    served.get("api/table").json()["history"].as_array().unwrap().len()
}

/// A user saw: "the disk was full for a minute; there is room again, and every entry is refused until I start it again."
#[test]
fn entries_go_on_in_the_same_server_once_there_is_room() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evening.tlg");
    let file = file.to_str().unwrap();
    tilelens(&[&["table", "new", file][..], &PLAYERS].concat());
    let served = Served::on_a_disk(&["serve", "--port", "0", "--ledger", file]);
    enter(&served);
    for deals in [1, 2] {
        served.fill_the_disk();
        is_refused(&served, deals);
        served.make_room();
        enter(&served);
        assert_eq!(history(&served), deals + 1);
    }
    drop(served);
    tilelens(&["table", "verify", file]);
}

/// The same with a database that is away: the file in its place was on the full disk.
#[test]
fn entries_go_on_in_the_file_beside_a_database_too() {
    let Some(database) = Server::new() else { return };
    let address = database.database().0;
    let ledger = address.to_str().unwrap();
    tilelens(&[&["table", "new", ledger][..], &PLAYERS].concat());
    let served = Served::on_a_disk(&["serve", "--port", "0", "--ledger", ledger]);
    enter(&served);
    database.kill();
    enter(&served);
    served.fill_the_disk();
    is_refused(&served, 2);
    served.make_room();
    enter(&served);
    database.start();
    let began = Instant::now();
    while tilelens(&["table", "log", ledger, "--json"]).lines().count() < 4 {
        assert!(began.elapsed() < Duration::from_secs(60), "nothing is sent");
        std::thread::sleep(Duration::from_millis(100));
    }
    // With the database there, a full disk of this machine keeps nobody from writing.
    served.fill_the_disk();
    enter(&served);
    served.make_room();
    enter(&served);
    assert_eq!(tilelens(&["table", "log", ledger, "--json"]).lines().count(), 6);
}
