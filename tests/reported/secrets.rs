//! Passwords of cameras, and whatever else leaves the program.

#![cfg(all(feature = "server", target_os = "linux"))]

use std::{
    fs::{self, File},
    io::{BufRead, BufReader, Write},
    net::TcpListener,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Command, Output},
    thread::{self, sleep},
    time::{Duration, Instant},
};

use tempfile::TempDir;
use tilelens::capture::{Capture, Settings, SourceState};

use crate::support::served::{Served, table};

/// Far longer than anything here takes: only a fault reaches it.
const LONG: Duration = Duration::from_secs(60);

fn has_ffmpeg() -> bool {
    let is_there = Command::new("ffmpeg").arg("-version").output().is_ok();
    if !is_there {
        eprintln!("skipped: ffmpeg is not installed (1 of 1)");
    }
    is_there
}

/// A camera on this machine that answers by the beginning of the path; its port.
fn camera() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            thread::spawn(move || {
                let mut head = BufReader::new(stream.try_clone().unwrap()).lines();
                let first = head.next().and_then(Result::ok).unwrap_or_default();
                let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
                while head.next().is_some_and(|line| line.is_ok_and(|line| !line.is_empty())) {}
                let _ = stream.write_all(&answer(&path, port));
            });
        }
    });
    port
}

fn answer(path: &str, port: u16) -> Vec<u8> {
    let with = |head: &str, body: &[u8]| {
        let head = format!(
            "HTTP/1.1 {head}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        );
        [head.as_bytes(), body].concat()
    };
    match path.split(['/', '?']).nth(1) {
        Some("basic") => with("401 No\r\nWWW-Authenticate: Basic realm=\"cam\"", b""),
        Some("digest") => {
            with("401 No\r\nWWW-Authenticate: Digest realm=\"cam\", nonce=\"n\"", b"")
        }
        Some("gone") => with("404 Not Found", b""),
        Some("moved") => {
            let to = format!("Location: http://other:cdnword@127.0.0.1:{port}/list?token=cdntoken");
            with(&format!("302 Found\r\n{to}"), b"")
        }
        Some("list") => {
            let list = b"#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\ngone.ts\n#EXT-X-ENDLIST\n";
            with("200 OK\r\nContent-Type: application/vnd.apple.mpegurl", list)
        }
        Some("picture") => with("200 OK\r\nContent-Type: image/jpeg", &table("row-sorted")),
        _ => with("200 OK", &b"no video, whatever is asked for. ".repeat(99)),
    }
}

/// Messages about a source that fails.
fn said_of(source: &str, ffmpeg: Option<&Path>) -> String {
    let mut settings = Settings { first_frame: Duration::from_secs(20), ..Settings::default() };
    settings.ffmpeg = ffmpeg.map_or(settings.ffmpeg, Path::to_owned);
    let capture = Capture::with_settings(source.parse().unwrap(), settings);
    let began = Instant::now();
    loop {
        if let SourceState::Lost { why, .. } = capture.state() {
            let spec = capture.spec();
            return format!("{why} {:?} {spec} {spec:?} {:?}", capture.trouble(), capture.state());
        }
        assert!(began.elapsed() < LONG, "{source} is never lost");
        sleep(Duration::from_millis(5));
    }
}

fn assert_hidden(said: &str, secrets: &[&str], visible: &str) {
    for secret in secrets {
        assert!(!said.contains(secret), "{secret} in: {said}");
    }
    assert!(said.contains(visible), "{visible} is not in: {said}");
}

/// A user saw: "`sources[0].why` of the state holds the whole address, from ffmpeg's own last lines", "a password with
/// `@` is cut at the first `@`", "`?user=…&password=…` is not masked at all", "with a 401 the same".
#[test]
fn what_ffmpeg_says_of_a_camera_holds_no_password() {
    if !has_ffmpeg() {
        return;
    }
    let port = camera();
    let passwords: [(&str, &[&str]); 7] = [
        ("s3cret", &["s3cret"]),
        ("p@ss#w0rd!", &["p@ss", "w0rd"]),
        ("pa/ss?w0:rd@", &["pa/ss", "ss?w0", "w0:rd", "rd@"]),
        ("p%40ss%23word", &["p%40", "p@ss", "ss%23", "ss#", "word"]),
        ("long pass word", &["long", "pass", "word"]),
        ("pässwörd", &["ssw"]),
        ("ss", &[":ss@"]),
    ];
    for (password, secrets) in passwords {
        for address in [
            format!("rtsp://admin:{password}@127.0.0.1:1/live"),
            format!("rtsp://admin:{password}@127.0.0.1:{port}/nonsense"),
            format!("http://admin:{password}@127.0.0.1:{port}/basic"),
            format!("http://admin:{password}@127.0.0.1:{port}/nonsense"),
            format!("tcp://admin:{password}@127.0.0.1:1"),
        ] {
            let said = said_of(&address, None);
            let host = address.rsplit('@').next().unwrap();
            assert_hidden(&said, &[secrets, &["admin"]].concat(), host);
        }
    }
    let said = said_of("rtsp://admin:pa/ss@127.0.0.1:1/live", None);
    assert!(said.contains("percent-encoded: %2F"), "it says what to do: {said}");
    for path in ["basic", "digest", "gone", "moved", "list", "nonsense"] {
        let address =
            format!("http://admin:s3cret@127.0.0.1:{port}/{path}?loginuse=me99&pwd=p%61rt&x=1");
        let secrets = ["admin", "s3cret", "me99", "p%61rt", "part", "cdnword", "cdntoken"];
        let visible = format!("127.0.0.1:{port}/{path}?loginuse=…&pwd=…&x=1");
        assert_hidden(&said_of(&address, None), &secrets, &visible);
    }
    let address = "srt://127.0.0.1:1?passphrase=longsecret&timeout=200000";
    assert_hidden(
        &said_of(address, None),
        &["longsecret"],
        "srt://127.0.0.1:1?passphrase=…&timeout",
    );
    // Nothing is taken away where there is nothing to hide.
    let address = format!("http://127.0.0.1:{port}/gone/live@home?channel=1");
    assert_hidden(&said_of(&address, None), &["…"], &address);
}

/// A program in place of ffmpeg that says these lines, and ends.
fn stand_in(folder: &TempDir, lines: &str) -> std::path::PathBuf {
    let path = folder.path().join("stand-in");
    let version = "[ \"$2\" = -version ] && echo ffmpeg version 6.0 && exit 0";
    fs::write(&path, format!("#!/bin/sh\n{version}\ncat >&2 <<'LINES'\n{lines}\nLINES\nexit 1\n"))
        .unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// Other versions of ffmpeg print an address in another form than it was typed.
#[test]
fn a_password_is_hidden_in_whatever_form_it_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let address = "rtsp://admin:p%40ss w%C3%B6rd@10.0.0.7/live?key=a/b+c";
    let secrets = ["p%40", "p@", "ss w", "ss%20w", "%61", "a/b", "a%2Fb", "a%2fb", "wörd"];
    for line in [
        "cannot open rtsp://admin:p%40ss w%C3%B6rd@10.0.0.7/live?key=a/b+c",
        "cannot open rtsp://admin:p%40ss%20w%C3%B6rd@10.0.0.7/other?key=a%2Fb%2Bc, so it ends",
        "user admin, password p@ss wörd, key a%2fb+c: refused",
        "authorization failed for admin:p%40%73s%20w%c3%b6rd",
        "redirected to rtsp://admin:p@ss@10.0.0.8/live?auth=a%2Fb",
    ] {
        let said = said_of(address, Some(&stand_in(&folder, line)));
        assert_hidden(&said, &[&secrets[..], &["admin"]].concat(), "10.0.0.7/live?key=…");
    }
    // A line that is cut, is not cut within a password.
    for length in 255..310 {
        let line = format!("{} rtsp://admin:p%40ss w%C3%B6rd@10.0.0.7/live", "x".repeat(length));
        let said = said_of(address, Some(&stand_in(&folder, &line)));
        assert_hidden(&said, &["p%40", "admin"], "xxx");
    }
    let line = format!("{} admin:p%40ss w%C3%B6rd", "x".repeat((16 << 10) - 10));
    assert_hidden(&said_of(address, Some(&stand_in(&folder, &line))), &["ss w", "p%40"], "xxx");
}

/// A user saw the password on the pages, in the log and in the terminal of `tilelens live`.
#[test]
fn nothing_that_leaves_a_running_program_holds_a_password() {
    if !has_ffmpeg() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let port = camera();
    let sources = [
        "rtsp://admin:s3cret@127.0.0.1:1/live".to_owned(),
        format!("south=http://admin:s3cret@127.0.0.1:{port}/basic?user=admin&password=s3cret"),
    ];
    let mut program = Command::new(env!("CARGO_BIN_EXE_tilelens"));
    program.args(["live", "--port", "0", "--source", &sources[0], "--source", &sources[1]]);
    program.env("RUST_LOG", "trace").stderr(File::create(&log).unwrap());
    let served = Served::spawn(&mut program);
    let state = served.until(|state| {
        let sources = state["sources"].as_array();
        sources.is_some_and(|all| all.iter().all(|source| source["state"] == "lost"))
    });
    let said = [
        state.to_string(),
        served.greeting.clone(),
        served.get("metrics").text(),
        served.get("api/table-profile").text(),
        served.get("api/table-profile?source=1").text(),
        fs::read_to_string(&log).unwrap(),
    ];
    for said in &said {
        assert_hidden(said, &["s3cret", "admin"], "");
    }
    assert_hidden(&said[0], &[], "rtsp://…@127.0.0.1:1/live");
    assert_hidden(&said[0], &[], &format!("http://…@127.0.0.1:{port}/basic?user=…&password=…"));
}

fn run(arguments: &[&str]) -> (Option<i32>, String) {
    let program = Command::new(env!("CARGO_BIN_EXE_tilelens")).args(arguments).output();
    let Output { status, stdout, stderr } = program.unwrap();
    (status.code(), String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned())
}

/// A user saw: "`calibrate table rtsp://…` prints it", when it fails and when it does not.
#[test]
fn calibrating_by_a_camera_prints_no_password() {
    if !has_ffmpeg() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("table.toml");
    let out = ["--out", out.to_str().unwrap(), "--corners", "90,40", "400,40", "400,300", "90,300"];
    let port = camera();
    for (path, code) in [("picture", 0), ("basic", 2), ("a.jpg", 2)] {
        let source = format!("http://admin:s3cret@127.0.0.1:{port}/{path}?pwd=other9");
        let (ended, said) = run(&[&["calibrate", "table", &source][..], &out].concat());
        assert_eq!(ended, Some(code), "{said}");
        let visible = format!("http://…@127.0.0.1:{port}/{path}?pwd=…");
        assert_hidden(&said, &["admin", "s3cret", "other9"], &visible);
    }
}

/// A slip of the keyboard, and the address stood in the error.
#[test]
fn an_address_that_is_refused_is_not_printed_with_its_password() {
    for wrong in [
        "gopher://admin:s3cret@10.0.0.7/live",
        "rtsp:/admin:s3cret@10.0.0.7/live",
        "admin:s3cret@10.0.0.7/live",
        "south=rtsp//admin:s3cret@10.0.0.7/live",
        "10.0.0.7/live?user=admin&password=s3cret",
    ] {
        for arguments in [
            &["live", "--port", "0", "--source", wrong][..],
            &["live", "--port", "0", &format!("--source={wrong}")],
            &["live", wrong],
            &["serve", "--source", wrong],
            &["calibrate", "table", wrong, "--out", "/nowhere/table.toml"],
            &["tiles", wrong],
            &["photo", wrong],
        ] {
            let (code, said) = run(arguments);
            assert_eq!(code, Some(2), "{arguments:?}: {said}");
            assert_hidden(&said, &["s3cret", "admin"], "");
            assert!(!said.is_empty());
        }
    }
}

/// A user saw: "Prometheus says that /metrics is no valid text, and promtool that counters have no help."
#[test]
fn figures_come_in_the_form_that_their_kind_says() {
    let served = Served::serve();
    let get = |accept: &str| {
        let mut answer = ureq::get(format!("{}metrics", served.address))
            .header("Accept", accept)
            .call()
            .unwrap();
        let kind = answer.headers()["content-type"].to_str().unwrap().to_owned();
        (kind, answer.body_mut().read_to_string().unwrap())
    };
    let prometheus =
        "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1";
    let (kind, open) = get(prometheus);
    assert_eq!(kind, "application/openmetrics-text; version=1.0.0; charset=utf-8");
    assert!(
        open.ends_with("# EOF\n") && open.contains("# TYPE tilelens_frames counter\n"),
        "{open}"
    );
    for accept in ["*/*", "text/plain", "text/html", "text/plain;version=0.0.4"] {
        let (kind, text) = get(accept);
        assert_eq!(kind, "text/plain; version=0.0.4; charset=utf-8");
        assert_eq!(lacks(&text), Vec::<String>::new(), "{text}");
        let values = |text: &str| {
            let values = text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned);
            values.collect::<Vec<_>>()
        };
        assert_eq!(values(&text), values(&open));
        assert!(text.contains("\ntilelens_refused_total "), "{text}");
    }
}

/// What `promtool check metrics` finds wrong: figures without help or kind, counters without `_total`, others with it.
fn lacks(text: &str) -> Vec<String> {
    let of = |what: &str, name: &str| {
        let start = format!("# {what} {name} ");
        text.lines().find_map(|line| line.strip_prefix(start.as_str()).map(str::to_owned))
    };
    let mut lacks = Vec::new();
    for line in text.lines() {
        if line.starts_with('#') {
            if !line.starts_with("# HELP ") && !line.starts_with("# TYPE ") {
                lacks.push(format!("no comment that is known: {line}"));
            }
            continue;
        }
        let name = line.split(['{', ' ']).next().unwrap_or_default();
        let ends = ["_bucket", "_sum", "_count"];
        let family = ends.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
        match (of("HELP", family), of("TYPE", family)) {
            (Some(help), Some(kind)) if help.len() > 8 => {
                if (kind == "counter") != name.ends_with("_total") {
                    lacks.push(format!("{name} is a {kind}"));
                }
            }
            (help, kind) => lacks.push(format!("{name}: help {help:?}, kind {kind:?}")),
        }
    }
    lacks
}

/// A user saw: "with my distribution's ONNX Runtime it says that a network is no network", or was cut off as the library
/// aborted, and not that it is too old.
#[test]
fn a_runtime_that_is_too_old_is_named_with_its_version() {
    let folder = tempfile::tempdir().unwrap();
    let photo = crate::support::served::table_path("row-sorted");
    let mut tried = 0;
    for version in ["1.10.0", "1.17.3", "1.29.0", "0.9"] {
        let source = folder.path().join("old.c");
        let code = format!(
            "static const char *version(void) {{ return \"{version}\"; }}
             static const void *api(unsigned wanted) {{ return 0; }}
             static const struct {{ const void *(*api)(unsigned); const char *(*version)(void); }} base = {{ api, version }};
             const void *OrtGetApiBase(void) {{ return &base; }}"
        );
        fs::write(&source, code).unwrap();
        let library = folder.path().join(format!("libonnxruntime-{version}.so"));
        let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
        let compiled = Command::new(compiler)
            .args(["-shared", "-fPIC", "-o"])
            .arg(&library)
            .arg(&source)
            .status();
        let Ok(compiled) = compiled else { continue };
        assert!(compiled.success());
        tried += 1;
        let program = Command::new(env!("CARGO_BIN_EXE_tilelens"))
            .args(["tiles", &photo])
            .env("ORT_DYLIB_PATH", &library)
            .output();
        let Output { status, stderr, .. } = program.unwrap();
        let said = String::from_utf8_lossy(&stderr).into_owned();
        assert_eq!(status.code(), Some(2), "{said}");
        assert!(said.contains(version) && said.contains(library.to_str().unwrap()), "{said}");
        assert!(said.contains("ORT_DYLIB_PATH") && said.contains("1.30"), "{said}");
    }
    if tried < 4 {
        eprintln!("skipped: there is no C compiler ({} of 4)", 4 - tried);
    }
}
