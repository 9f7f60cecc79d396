//! The program serving its pages, for tests that ask it.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    time::Duration,
};

use serde_json::{Value, json};

/// Far longer than any answer takes: only a fault reaches it.
const ANSWERED: Duration = Duration::from_secs(180);

/// Runs the program to its end; returns its output.
pub fn tilelens(arguments: &[&str]) -> String {
    let out = Command::new(env!("CARGO_BIN_EXE_tilelens")).args(arguments).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

/// A running `tilelens serve` or `live`; dropping it ends it.
pub struct Served {
    child: Child,
    /// The start of the control page's address, with a slash at its end.
    pub address: String,
    /// The program's output up to its first answer.
    pub greeting: String,
    /// Where it keeps what it remembers, unless the test says where.
    _state: tempfile::TempDir,
}

/// An answer of the server.
pub struct Reply {
    pub status: u16,
    pub body: Vec<u8>,
}

impl Reply {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

impl Served {
    pub fn start(arguments: &[&str]) -> Self {
        Self::spawn(Command::new(env!("CARGO_BIN_EXE_tilelens")).args(arguments))
    }

    /// Serves although the terminal is closed.
    pub fn without_hangup(arguments: &[&str]) -> Self {
        let mut nohup = Command::new("nohup");
        Self::spawn(nohup.arg(env!("CARGO_BIN_EXE_tilelens")).args(arguments))
    }

    /// Serves with a folder of its own for the user's data.
    pub fn at_home(home: &std::path::Path) -> Self {
        Self::start_at_home(home, &["serve", "--port", "0"])
    }

    /// Reads a source, with a folder of its own for the user's data.
    pub fn live_at_home(home: &std::path::Path, source: &str) -> Self {
        Self::start_at_home(home, &["live", "--port", "0", "--source", source])
    }

    fn start_at_home(home: &std::path::Path, arguments: &[&str]) -> Self {
        Self::spawn(on_a_disk(arguments).env("XDG_DATA_HOME", home))
    }

    /// Serves on a disk that the test can fill.
    pub fn on_a_disk(arguments: &[&str]) -> Self {
        Self::spawn(&mut on_a_disk(arguments))
    }

    /// The largest file size in KiB, to simulate a full disk.
    pub fn on_a_small_disk(kib: u32, arguments: &[&str]) -> Self {
        // The signal is ignored, so that the write itself fails.
        let script = format!("trap '' XFSZ; ulimit -f {kib}; exec \"$@\"");
        let program = ["-c", &script, "tilelens", env!("CARGO_BIN_EXE_tilelens")];
        Self::spawn(Command::new("bash").args(program).args(arguments))
    }

    /// No file may grow any more, as on a disk that has become full.
    pub fn fill_the_disk(&self) {
        self.limit_files("0");
    }

    /// Files may grow again.
    pub fn make_room(&self) {
        self.limit_files("unlimited");
    }

    fn limit_files(&self, bytes: &str) {
        let process = self.child.id().to_string();
        let limit = format!("--fsize={bytes}:");
        let done = Command::new("prlimit").args([&limit, "--pid", &process]).status();
        assert!(done.unwrap().success());
    }

    /// Starts a program that serves.
    pub fn spawn(program: &mut Command) -> Self {
        let state = tempfile::tempdir().unwrap();
        if program.get_envs().all(|(name, _)| name != "XDG_STATE_HOME") {
            program.env("XDG_STATE_HOME", state.path());
        }
        let mut child = program.stdout(Stdio::piped()).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut greeting = String::new();
        while !greeting.ends_with("ends it.\n") && out.read_line(&mut greeting).unwrap() > 0 {}
        let control = greeting.split_whitespace().nth(1).expect("the control page's address");
        let address = control.trim_end_matches("control").to_owned();
        Self { child, address, greeting, _state: state }
    }

    /// Sends the program a signal, as `HUP`.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").args(["-s", name, &self.child.id().to_string()]).status();
        assert!(sent.unwrap().success());
    }

    /// Waits for the program to end by itself.
    pub fn ended(mut self) -> std::process::ExitStatus {
        self.child.wait().unwrap()
    }

    pub fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    pub fn serve() -> Self {
        Self::start(&["serve", "--port", "0"])
    }

    pub fn port(&self) -> u16 {
        let host = self.address.split('/').nth(2).unwrap();
        host.rsplit(':').next().unwrap().parse().unwrap()
    }

    /// Files and connections that the server has open.
    pub fn open_files(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/fd", self.child.id())).unwrap().count()
    }

    /// Memory that the server holds, in bytes.
    pub fn memory(&self) -> usize {
        let about = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = about.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() << 10
    }

    pub fn get(&self, path: &str) -> Reply {
        ask(ureq::get(format!("{}{path}", self.address))
            .config()
            .http_status_as_error(false)
            .timeout_global(Some(ANSWERED))
            .build()
            .call())
    }

    pub fn post(&self, path: &str, words: &Value) -> Reply {
        let request = ureq::post(format!("{}{path}", self.address));
        ask(request
            .config()
            .http_status_as_error(false)
            .timeout_global(Some(ANSWERED))
            .build()
            .send_json(words))
    }

    pub fn send(&self, path: &str, bytes: &[u8]) -> Reply {
        let request = ureq::post(format!("{}{path}", self.address));
        ask(request
            .config()
            .http_status_as_error(false)
            .timeout_global(Some(ANSWERED))
            .build()
            .send(bytes))
    }

    pub fn state(&self) -> Value {
        self.get("api/state").json()
    }

    /// The state once something is so; a debug build takes its time to read a picture.
    pub fn until(&self, is_so: impl Fn(&Value) -> bool) -> Value {
        for _ in 0..1200 {
            let state = self.state();
            if is_so(&state) {
                return state;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("never came true: {}", self.state());
    }

    /// The number of the decision that undo would take back; null without one.
    pub fn last_decision(&self) -> Value {
        self.state()["undoes"]["decision"].clone()
    }

    /// Takes the last decision back, as the control page does once it is said to be meant.
    pub fn undo(&self) -> Reply {
        let words = json!({ "decision": self.last_decision(), "meant": true });
        self.post("api/undo", &words)
    }

    /// Sends a picture of `datasets/` and puts it on show; its reading.
    pub fn show(&self, picture: &str) -> Value {
        let reading = self.send("api/photo", &table(picture)).json();
        let shown = self.post(&format!("api/photo/{}/show", reading["photo"]), &json!({}));
        assert_eq!(shown.status, 200, "{}", shown.text());
        reading
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The program, for which a write beyond a limit fails, as on a full disk, and does not kill.
fn on_a_disk(arguments: &[&str]) -> Command {
    let script = "trap '' XFSZ; exec \"$@\"";
    let program = ["-c", script, "tilelens", env!("CARGO_BIN_EXE_tilelens")];
    let mut bash = Command::new("bash");
    bash.args(program).args(arguments);
    bash
}

fn ask(answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Reply {
    let mut answer = answer.unwrap();
    let status = answer.status().as_u16();
    Reply { status, body: answer.body_mut().read_to_vec().unwrap() }
}

/// The picture of a table of four players, and what lies on it.
pub fn four_players() -> (String, Value) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/datasets/four-players");
    let truth = std::fs::read_to_string(format!("{folder}/table.json")).unwrap();
    (format!("{folder}/table.jpg"), serde_json::from_str(&truth).unwrap())
}

/// A picture of a set that was laid out.
pub fn layout_path(name: &str) -> String {
    format!("{}/datasets/tilesets/{name}.jpg", env!("CARGO_MANIFEST_DIR"))
}

/// A picture of `datasets/photos/tables`.
pub fn table(name: &str) -> Vec<u8> {
    std::fs::read(table_path(name)).unwrap()
}

pub fn table_path(name: &str) -> String {
    format!("{}/datasets/photos/tables/{name}.jpg", env!("CARGO_MANIFEST_DIR"))
}

/// A folder that a source watches, and pictures of `datasets/` that are put there.
pub struct Watched(tempfile::TempDir);

impl Watched {
    pub fn new(picture: &str) -> Self {
        let watched = Self(tempfile::tempdir().unwrap());
        watched.put(picture);
        watched
    }

    pub fn path(&self) -> &str {
        self.0.path().to_str().unwrap()
    }

    pub fn put(&self, picture: &str) {
        std::fs::write(self.0.path().join(format!("{picture}.jpg")), table(picture)).unwrap();
    }
}
