//! What is written to a ledger goes to another program: each event once, signed, in order, whatever happens to either.

use std::{
    collections::BTreeMap,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Command, Stdio},
    sync::mpsc::{Receiver, channel},
    time::Duration,
};

use serde_json::{Value, json};

use crate::support::served::Served;

/// Far longer than anything here takes: only a fault reaches it.
const LONG: Duration = Duration::from_secs(60);
const KEY: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/// A request that came.
struct Request {
    heads: BTreeMap<String, String>,
    body: Value,
}

/// A program that gets events and answers with one status after the other, then with the last of them.
struct Receiving {
    port: u16,
    requests: Receiver<Request>,
}

impl Receiving {
    fn start(statuses: &[&'static str]) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let statuses = statuses.to_vec();
        let (tell, requests) = channel();
        std::thread::spawn(move || {
            for (place, stream) in listener.incoming().flatten().enumerate() {
                let status = statuses[place.min(statuses.len() - 1)];
                if tell.send(answered(stream, status)).is_err() {
                    return;
                }
            }
        });
        Self { port, requests }
    }

    fn next(&self) -> Request {
        self.requests.recv_timeout(LONG).expect("an event comes")
    }
}

fn answered(mut stream: TcpStream, status: &str) -> Request {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut heads = BTreeMap::new();
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    assert!(line.starts_with("POST /tilelens "), "{line}");
    loop {
        line.clear();
        reader.read_line(&mut line).unwrap();
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        heads.insert(name.to_ascii_lowercase(), value.to_owned());
    }
    let mut body = vec![0; heads["content-length"].parse().unwrap()];
    reader.read_exact(&mut body).unwrap();
    let body = serde_json::from_slice(&body).unwrap();
    write!(stream, "HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").unwrap();
    Request { heads, body }
}

fn tilelens(arguments: &[&str]) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_tilelens"));
    program.args(arguments).stdout(Stdio::null());
    program
}

fn written(ledger: &Path, arguments: &[&str]) {
    let (command, rest) = arguments.split_first().unwrap();
    let file = ledger.to_str().unwrap();
    assert!(tilelens(&["table", command, file]).args(rest).status().unwrap().success());
}

fn serving(ledger: &Path, port: u16) -> Served {
    let address = format!("http://127.0.0.1:{port}/tilelens");
    let arguments = ["serve", "--port", "0", "--ledger", ledger.to_str().unwrap()];
    let mut program = Command::new(env!("CARGO_BIN_EXE_tilelens"));
    program.args(arguments).args(["--webhook", &address]);
    Served::spawn(program.env("TILELENS_WEBHOOK_KEY", KEY).stderr(Stdio::null()))
}

#[test]
fn each_event_comes_once_in_order_though_either_program_was_away() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = folder.path().join("evening.tlg");
    written(&ledger, &["new", "--rules", "mmm-dk", "--players", "Ann,Bo,Cy,Di"]);
    // The first answer is that of a server in trouble.
    let receiving = Receiving::start(&["503 Service Unavailable", "204 No Content"]);
    let served = serving(&ledger, receiving.port);
    // Only what is written from now on is sent.
    noted(&ledger, r#""1":1"#);
    written(&ledger, &["deal", "--winner", "Bo", "--from", "Di", "--worth", "7"]);
    let [first, again] = [receiving.next(), receiving.next()];
    assert_eq!(first.heads["webhook-id"], again.heads["webhook-id"]);
    assert_eq!(first.body, again.body);
    assert_eq!(first.body["table"], 1);
    assert_eq!(first.body["seq"], 2);
    assert_eq!(first.body["event"]["deal"]["winners"][0]["player"], 1);
    let names: Vec<&Value> =
        first.body["totals"].as_array().unwrap().iter().map(|total| &total["name"]).collect();
    assert_eq!(names, ["Ann", "Bo", "Cy", "Di"]);
    assert!(again.heads["webhook-signature"].starts_with("v1,"));
    // An answer that is not noted yet would bring the event again, with the same id.
    noted(&ledger, r#""1":2"#);
    drop(served);
    // While nobody serves, people go on.
    written(&ledger, &["draw"]);
    written(&ledger, &["undo"]);
    let _served = serving(&ledger, receiving.port);
    let [draw, undo] = [receiving.next(), receiving.next()];
    assert_eq!([&draw.body["seq"], &undo.body["seq"]], [&json!(3), &json!(4)]);
    assert!(draw.body["event"].get("draw").is_some(), "{}", draw.body);
    assert_eq!(undo.body["event"]["undone"]["event"], 3);
    assert_ne!(draw.heads["webhook-id"], undo.heads["webhook-id"]);
    assert!(receiving.requests.try_recv().is_err(), "nothing comes twice");
}

/// Waits until it is noted which events were sent.
fn noted(ledger: &Path, sent: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let ledger = tilelens::ledger::Ledger::read(ledger).await.unwrap();
        while !ledger.notes("webhook ").await.unwrap().iter().any(|(_, text)| text.contains(sent)) {
            tokio::time::sleep(Duration::from_millis(50)).await;
            let _ = ledger.read_again().await;
        }
    });
}

#[test]
fn without_a_key_or_a_ledger_nothing_begins() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = folder.path().join("evening.tlg");
    written(&ledger, &["new", "--rules", "mmm", "--players", "Ann,Bo,Cy,Di"]);
    let refused = |program: &mut Command| {
        let out = program.stderr(Stdio::piped()).output().unwrap();
        assert_eq!(out.status.code(), Some(2));
        String::from_utf8(out.stderr).unwrap()
    };
    let file = ledger.to_str().unwrap();
    let hook = ["--webhook", "http://127.0.0.1:9/"];
    let said = refused(tilelens(&["serve", "--port", "0", "--ledger", file]).args(hook));
    assert!(said.contains("TILELENS_WEBHOOK_KEY") && said.contains("openssl rand"), "{said}");
    let said = refused(tilelens(&["serve", "--port", "0"]).args(hook));
    assert!(said.contains("--ledger"), "{said}");
    let wrong = ["--webhook", "example.org"];
    let said = refused(
        tilelens(&["serve", "--port", "0", "--ledger", file])
            .args(wrong)
            .env("TILELENS_WEBHOOK_KEY", KEY),
    );
    assert!(said.contains("https://HOST/PATH"), "{said}");
}
