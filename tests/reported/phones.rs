//! Phones, tokens and addresses.

#![cfg(all(feature = "server", target_os = "linux"))]

use std::{
    io::{Read, Write},
    net::{IpAddr, SocketAddr, TcpStream},
    os::unix::fs::PermissionsExt,
    path::Path,
    process::Command,
    time::Duration,
};

use serde_json::Value;
use tilelens::server::{Client, own_addresses, routes};

use crate::support::{
    connections::{next_state, raw},
    served::{Served, Watched, tilelens},
};

const LAN: [&str; 4] = ["serve", "--port", "0", "--lan"];

fn program(arguments: &[&str], state_home: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilelens"));
    command.args(arguments).env("XDG_STATE_HOME", state_home);
    command
}

/// What begins each path of a client: `/` and a token.
fn prefix(served: &Served, client: Client) -> String {
    let page = match client {
        Client::ThisMachine => return String::new(),
        Client::Operator => "control",
        Client::Phone => "phone",
        Client::Screen => "overlay",
        Client::Table => unreachable!("it has a code, and no token"),
    };
    let line = served.greeting.lines().find(|line| line.split_whitespace().next() == Some(page));
    let address = line.unwrap().split_whitespace().nth(1).unwrap();
    let path = address.splitn(4, '/').nth(3).unwrap();
    format!("/{}", path.trim_end_matches(&format!("/{page}")))
}

fn prefixes(served: &Served) -> [String; 3] {
    Client::WITH_TOKEN.map(|client| prefix(served, client))
}

/// Asks by an address of the local network; the whole answer.
fn ask(served: &Served, method: &str, path: &str) -> String {
    let host = "Host: 192.168.1.20:7777\r\nConnection: close\r\nContent-Length: 0\r\n";
    raw(served, format!("{method} {path} HTTP/1.1\r\n{host}\r\n").as_bytes())
}

fn is_refused(answer: &str) -> bool {
    answer.starts_with("HTTP/1.1 404") && answer.contains("There is nothing at this address.")
}

/// A user saw: "after a restart the overlay in OBS and every phone are dead, as the address is new."
#[test]
fn addresses_stay_the_same_over_restarts() {
    let home = tempfile::tempdir().unwrap();
    let before = prefixes(&Served::spawn(&mut program(&LAN, home.path())));
    let file = home.path().join("tilelens/tokens.toml");
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(
        std::fs::read_dir(file.parent().unwrap()).unwrap().count(),
        1,
        "nothing is left over"
    );
    // A copy that anybody could read.
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o644)).unwrap();
    assert_eq!(prefixes(&Served::spawn(&mut program(&LAN, home.path()))), before);
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let [operator, phone, screen] = &before;
    assert!(operator != phone && phone != screen && operator != screen);
    assert!(before.iter().all(|token| token.len() == 33), "{before:?}");
    let renewed = [&LAN[..], &["--new-tokens"]].concat();
    let served = Served::spawn(&mut program(&renewed, home.path()));
    let after = prefixes(&served);
    for old in &before {
        assert!(!after.contains(old));
        assert!(
            is_refused(&ask(&served, "GET", &format!("{old}/"))),
            "an old address says what to do"
        );
    }
    assert_eq!(prefixes(&Served::spawn(&mut program(&LAN, home.path()))), after);
}

/// A user saw: "another evening's ledger, and the phones of the first get in": each ledger has its own tokens.
#[test]
fn a_ledger_has_its_tokens_beside_it() {
    let (home, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let with = |ledger: &str| {
        let arguments = [&LAN[..], &["--ledger", ledger]].concat();
        prefixes(&Served::spawn(&mut program(&arguments, home.path())))
    };
    let ledgers = [file("a.tlg"), file("b.tlg")];
    for ledger in &ledgers {
        tilelens(&["table", "new", ledger, "--rules", "mmm", "--players", "Ann,Bo,Cy,Di"]);
    }
    let before = with(&ledgers[0]);
    assert_eq!(with(&ledgers[0]), before);
    assert_ne!(with(&ledgers[1]), before);
    let kept = std::fs::metadata(file("a.tlg.tokens")).unwrap();
    assert_eq!(kept.permissions().mode() & 0o777, 0o600);
    assert!(!home.path().join("tilelens").exists());
}

/// A user saw tokens that were half a file after the disk had been full: it says so, and how to mend it.
#[test]
fn a_damaged_file_of_tokens_is_named_and_can_be_renewed() {
    let home = tempfile::tempdir().unwrap();
    let before = prefixes(&Served::spawn(&mut program(&LAN, home.path())));
    let file = home.path().join("tilelens/tokens.toml");
    let whole = std::fs::read_to_string(&file).unwrap();
    let token = before[0].trim_start_matches('/');
    for damaged in [
        whole[..whole.len() - 8].to_owned(),
        String::new(),
        whole.replace(token, &token[..8]),
        whole.replace(token, before[1].trim_start_matches('/')),
    ] {
        std::fs::write(&file, damaged).unwrap();
        let refused = program(&LAN, home.path()).output().unwrap();
        let answer = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{answer}");
        assert!(answer.contains("tokens.toml") && answer.contains("--new-tokens"), "{answer}");
        assert!(!answer.contains(token), "{answer}");
    }
    let renewed = [&LAN[..], &["--new-tokens"]].concat();
    assert_ne!(prefixes(&Served::spawn(&mut program(&renewed, home.path()))), before);
}

/// Who may open what, beside this machine. A path that is not here fails the test.
fn may(path: &str) -> &'static [Client] {
    use Client::{Operator, Phone, Screen, Table};
    match path {
        "/" | "/health" | "/assets/{name}" | "/faces/{name}" | "/api/state" => {
            &[Operator, Phone, Screen, Table]
        }
        "/control"
        | "/preview.mjpeg"
        | "/frame.jpg"
        | "/metrics"
        | "/api/table-profile"
        | "/api/context"
        | "/api/correct"
        | "/api/confirm"
        | "/api/reject"
        | "/api/draw"
        | "/api/whole-deal"
        | "/api/chombo"
        | "/api/penalty"
        | "/api/dead-hand"
        | "/api/void-claim"
        | "/api/disqualify"
        | "/api/amend"
        | "/api/take-out"
        | "/api/result"
        | "/api/also"
        | "/api/next"
        | "/api/undo"
        | "/api/show"
        | "/api/hide"
        | "/api/auto"
        | "/api/ask"
        | "/desk"
        | "/api/desk"
        | "/api/desk/socket"
        | "/api/desk/paper"
        | "/api/after-confirm"
        | "/api/records/{name}" => &[Operator],
        "/table/{table}"
        | "/api/table/{table}"
        | "/api/table/{table}/socket"
        | "/api/table/{table}/enter"
        | "/api/table/{table}/confirm"
        | "/api/table/{table}/refuse"
        | "/api/table/{table}/ask" => &[Operator, Table],
        "/api/photo"
        | "/api/photo/{number}"
        | "/api/photo/{number}/picture.jpg"
        | "/api/line"
        | "/api/line/{number}" => &[Phone, Table],
        "/phone"
        | "/tiles"
        | "/api/photo/{number}/show"
        | "/pocket"
        | "/pocket/"
        | "/pocket/{*file}"
        | "/api/tileset"
        | "/api/tileset/{number}"
        | "/api/tileset/{number}/picture.jpg" => &[Phone],
        // The operator's page shows the overlay and leads to both.
        "/overlay" | "/scoreboard" | "/user.css" | "/theme.json" | "/theme/{name}"
        | "/api/table" | "/api/tournament" => &[Operator, Screen],
        "/replay" | "/replay/{name}" | "/api/records" => &[Operator, Phone, Screen],
        "/api/rules" | "/api/advise" | "/api/four-hands" => &[Operator, Phone, Table],
        "/api/socket" => &[Operator, Screen],
        _ => panic!("say who may open {path}"),
    }
}

/// A user saw: "a player changed `/phone` to `/control` in the address that his phone had got, and confirmed hands."
#[test]
fn each_token_opens_its_own_pages_and_calls_alone() {
    let served = Served::start(&LAN);
    let mut asked = 0;
    for (path, stated) in routes() {
        let expected = may(path);
        assert_eq!(stated, expected, "{path}");
        let path =
            path.replace("{name}", "link.js").replace("{number}", "7").replace("{table}", "1");
        let path = path.replace("{*file}", "assets/reader.js");
        for client in Client::WITH_TOKEN {
            let prefix = prefix(&served, client);
            for method in ["GET", "POST"] {
                let answer = ask(&served, method, &format!("{prefix}{path}"));
                let opens = !is_refused(&answer);
                assert_eq!(
                    opens,
                    expected.contains(&client),
                    "{client:?} {method} {path}: {answer}"
                );
                asked += 1;
            }
        }
        for token in ["", "/00000000000000000000000000000000", "/", "/%20"] {
            let answer = ask(&served, "GET", &format!("{token}{path}"));
            assert!(is_refused(&answer), "{token}{path}: {answer}");
        }
    }
    assert!(asked > 150, "{asked}");
    // A page is no asset, and the token alone leads to the client's own page.
    for client in Client::WITH_TOKEN {
        let (prefix, home) = (prefix(&served, client), client.home());
        for page in ["control", "phone", "overlay", "scoreboard", "tiles"] {
            let answer = ask(&served, "GET", &format!("{prefix}/assets/{page}.html"));
            assert!(answer.starts_with("HTTP/1.1 404"), "{client:?} {page}");
        }
        for begin in ["", "/"] {
            let answer = ask(&served, "GET", &format!("{prefix}{begin}"));
            assert!(answer.contains(&format!("location: {prefix}/{home}\r\n")), "{answer}");
        }
    }
}

/// A user saw: "OBS on the machine itself answers 404 at http://127.0.0.1:7777/overlay as soon as I start with --lan." A
/// proxy on the machine made everybody the operator, so this is for whoever asks for it.
#[test]
fn this_machine_needs_no_token_where_it_is_opened_and_nobody_else_passes_for_it() {
    let served = Served::start(&[&LAN[..], &["--no-token-here"]].concat());
    let get = |host: &str, more: &str, path: &str| {
        let head =
            format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{more}Connection: close\r\n\r\n");
        raw(&served, head.as_bytes())
    };
    let port = served.port();
    for host in ["127.0.0.1", "localhost", "[::1]"] {
        for path in ["/overlay", "/control", "/phone", "/api/state", "/health"] {
            let answer = get(&format!("{host}:{port}"), "", path);
            assert!(answer.starts_with("HTTP/1.1 200"), "{host}{path}: {answer}");
        }
    }
    // A name that somebody has made to point here, and a page of another site.
    for host in ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "0", ""] {
        for path in ["/", "/overlay", "/api/state", "/nothing"] {
            let answer = get(&format!("{host}:{port}"), "", path);
            assert!(is_refused(&answer), "{host}{path}: {answer}");
        }
    }
    let own = format!("localhost:{port}");
    for handed_on in [
        "X-Forwarded-For: 203.0.113.7\r\n",
        "X-Forwarded-Proto: https\r\n",
        "X-Real-IP: 203.0.113.7\r\n",
        "Forwarded: for=203.0.113.7\r\n",
        "Via: 1.1 hall\r\n",
    ] {
        assert!(is_refused(&get(&own, handed_on, "/api/state")), "{handed_on}");
    }
    let answer = get(&own, "Origin: http://evil.example\r\n", "/api/state");
    assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
    // From the network, whatever name is asked for.
    let Some(outside) = own_addresses().into_iter().next() else {
        eprintln!("skipped: asking from the network (1 of 1), as this machine is in none");
        return;
    };
    for host in [&own, &format!("127.0.0.1:{port}"), &format!("{}:{port}", outside.ip)] {
        let head = format!("GET /api/state HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        let answer = from_network(SocketAddr::new(IpAddr::V4(outside.ip), port), &head);
        assert!(is_refused(&answer), "{host}: {answer}");
    }
}

/// Otherwise the printed addresses for this machine have a token too.
#[test]
fn this_machine_has_addresses_of_its_own_with_tokens() {
    let served = Served::start(&LAN);
    for (client, page) in [(Client::Operator, "control"), (Client::Screen, "overlay")] {
        let path = format!("{}/{page}", prefix(&served, client));
        let address = format!("http://127.0.0.1:{}{path}", served.port());
        assert!(served.greeting.contains(&address), "{}", served.greeting);
        let own = format!("127.0.0.1:{}", served.port());
        let get = |path: &str| {
            raw(
                &served,
                format!("GET {path} HTTP/1.1\r\nHost: {own}\r\nConnection: close\r\n\r\n")
                    .as_bytes(),
            )
        };
        assert!(get(&path).starts_with("HTTP/1.1 200"), "{path}");
        assert!(is_refused(&get(&format!("/{page}"))), "{page}");
    }
}

fn from_network(to: SocketAddr, head: &str) -> String {
    let mut stream = TcpStream::connect(to).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

fn body(answer: &str) -> Value {
    serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
}

fn fields(object: &Value) -> Vec<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

/// A user saw: "a phone's page is sent everybody's hand, and where the cameras are."
#[test]
fn phones_and_screens_get_only_what_they_show() {
    let folder = Watched::new("row-sorted");
    let served = Served::start(&["live", "--port", "0", "--lan", "--source", folder.path()]);
    let state =
        || body(&ask(&served, "GET", &format!("{}/api/state", prefix(&served, Client::Operator))));
    let of = |client| body(&ask(&served, "GET", &format!("{}/api/state", prefix(&served, client))));
    let began = std::time::Instant::now();
    // What is read comes on air a moment later.
    while of(Client::Screen)["reading"].is_null() {
        assert!(began.elapsed() < Duration::from_secs(120), "{}", state());
        std::thread::sleep(Duration::from_millis(50));
    }
    let operator = state();
    assert!(operator["sources"][0]["name"].as_str().unwrap().contains(folder.path()));
    let screen = of(Client::Screen);
    let shown = [
        "also",
        "context",
        "doubtful",
        "moving",
        "phase",
        "photo",
        "reading",
        "revision",
        "scene",
        "seats",
        "stale",
        "table",
        "tournament",
    ];
    assert_eq!(fields(&screen), shown);
    assert_eq!(screen["reading"], operator["reading"]);
    assert!(!screen.to_string().contains(folder.path()));
    let phone = of(Client::Phone);
    assert_eq!(fields(&phone), ["context", "revision"]);
    assert_eq!(fields(&phone["context"]), ["round", "rules"]);
    // The same over the socket.
    let stream = TcpStream::connect(("127.0.0.1", served.port())).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let stream = tungstenite::stream::MaybeTlsStream::Plain(stream);
    let path = format!("ws://127.0.0.1{}/api/socket", prefix(&served, Client::Screen));
    let mut page = tungstenite::client(path, stream).unwrap().0;
    assert_eq!(fields(&next_state(&mut page)), shown);
    // The answer to a phone that shows a photo has only the fields for phones.
    let phone = format!("http://127.0.0.1:{}{}", served.port(), prefix(&served, Client::Phone));
    let json = |answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>| -> Value {
        serde_json::from_str(&answer.unwrap().body_mut().read_to_string().unwrap()).unwrap()
    };
    let photo = json(
        ureq::post(format!("{phone}/api/photo"))
            .send(crate::support::served::table("row-opposite")),
    );
    let show = format!("{phone}/api/photo/{}/show", photo["photo"]);
    assert_eq!(
        fields(&json(ureq::post(&show).send_json(serde_json::json!({})))),
        ["context", "revision"]
    );
    // The operator is asked first, and decides.
    let stage = || json(ureq::get(&show).call())["stage"].clone();
    assert_eq!(stage(), "asked");
    let asks = state()["asks"].clone();
    assert_eq!(asks[0]["photo"], photo["photo"]);
    assert_eq!(asks[0]["hand"], photo["hand"]["text"]);
    assert!(state()["photo"].is_null(), "nothing of it is shown");
    assert!(!of(Client::Screen).to_string().contains("asks"));
    let decide = |show: bool| {
        let path = format!("{}/api/ask", prefix(&served, Client::Operator));
        let answer = serde_json::json!({ "photo": photo["photo"], "show": show });
        ureq::post(format!("http://127.0.0.1:{}{path}", served.port()))
            .config()
            .http_status_as_error(false)
            .build()
            .send_json(answer)
            .unwrap()
            .status()
            .as_u16()
    };
    assert_eq!(decide(false), 200);
    assert_eq!((stage(), state()["photo"].clone()), ("refused".into(), Value::Null));
    assert_eq!(decide(true), 404, "it was decided");
    ureq::post(&show).send_json(serde_json::json!({})).unwrap();
    assert_eq!(stage(), "asked");
    assert_eq!(decide(true), 200);
    assert_eq!(stage(), "shown");
    assert!(state()["photo"].is_number());
}

/// A user saw: "with a VPN the code for phones points into the tunnel, and no other address is told."
#[test]
fn every_address_is_listed_and_the_printed_code_is_the_phones() {
    let own = own_addresses();
    let Some(first) = own.first() else {
        eprintln!("skipped: this machine is in no network (1 of 1)");
        return;
    };
    let served = Served::start(&LAN);
    let out = &served.greeting;
    let address = |ip, client, page: &str| {
        format!("http://{ip}:{}{}/{page}", served.port(), prefix(&served, client))
    };
    for (client, page) in [
        (Client::Operator, "control"),
        (Client::Screen, "overlay"),
        (Client::Screen, "scoreboard"),
        (Client::Phone, "phone"),
    ] {
        assert!(out.contains(&address(first.ip, client, page)), "{out}");
    }
    let code = qrcode::QrCode::new(address(first.ip, Client::Phone, "phone")).unwrap();
    let code = code.render::<qrcode::render::unicode::Dense1x2>().quiet_zone(true).build();
    assert!(out.contains(&code), "{out}");
    for one in &own {
        let line = out.lines().find(|line| line.trim_start().starts_with(&one.ip.to_string()));
        assert!(line.unwrap_or_default().contains(&one.interface), "{out}");
    }
    // Each of them can be chosen, and no other.
    for one in &own {
        let ip = one.ip.to_string();
        let served = Served::start(&[&LAN[..], &["--host", &ip]].concat());
        assert!(served.address.starts_with(&format!("http://{ip}:")), "{}", served.address);
    }
    for wrong in ["203.0.113.77", "::1", "127.0.0.1"] {
        let home = tempfile::tempdir().unwrap();
        let arguments = [&LAN[..], &["--host", wrong]].concat();
        let refused = program(&arguments, home.path()).output().unwrap();
        let answer = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{answer}");
        assert!(answer.contains(wrong) && answer.contains(&first.ip.to_string()), "{answer}");
        assert!(answer.contains(&first.interface), "{answer}");
    }
}

/// The same with a VPN through which all goes, and Docker, in a network that the test makes.
#[test]
fn a_tunnel_and_a_bridge_come_after_the_network_of_the_phones() {
    let made = "set -e; ip link set lo up
        ip link add eth5 type veth peer name other; ip tuntap add dev tun0 mode tun
        ip link add docker0 type bridge
        ip addr add 10.8.0.2/24 dev tun0; ip addr add 172.17.0.1/16 dev docker0
        ip addr add 192.168.1.20/24 dev eth5
        for one in tun0 docker0 other eth5; do ip link set $one up; done
        ip route add default via 10.8.0.1 dev tun0";
    let inside = |script: &str| {
        let mut command = Command::new("unshare");
        command.args(["-rn", "sh", "-c", script, "tilelens", env!("CARGO_BIN_EXE_tilelens")]);
        command
    };
    let can = inside(made).output().is_ok_and(|out| out.status.success());
    if !can {
        eprintln!("skipped: no network can be made here (1 of 1)");
        return;
    }
    let served = Served::spawn(inside(&format!("{made}; exec \"$@\"")).args(LAN));
    let text = &served.greeting;
    let places =
        ["192.168.1.20", "10.8.0.2", "172.17.0.1"].map(|ip| text.find(&format!("\n  {ip}")));
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{text}");
    assert!(text.contains("http://192.168.1.20:") && !text.contains("http://10.8.0.2"), "{text}");
}

#[cfg(all(feature = "server", target_os = "linux"))]
mod photos {
    //! Photos on their way: many at once, of kinds that browsers do not show, and cancelled.

    use std::{
        io::{Cursor, Read, Write},
        net::TcpStream,
        sync::atomic::{AtomicUsize, Ordering},
        thread::{self, sleep},
        time::{Duration, Instant},
    };

    use fantoccini::{Client, Locator};
    use image::{ImageFormat, Rgb, RgbImage};
    use serde_json::{Value, json};
    use tilelens::picture::Picture;
    use tilelens::vision::{ModelError, Reader};

    use crate::support::{
        browser::{browser, keep, until, until_within},
        connections::raw,
        served::{Reply, Served, layout_path, table, table_path},
    };

    /// Far longer than anything here takes: only a fault reaches it.
    const LONG: Duration = Duration::from_secs(600);

    fn encoded(picture: &RgbImage, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        picture.write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    /// A picture that is read quickly: a corner of a table's.
    fn small() -> Vec<u8> {
        let photo = image::load_from_memory(&table("row-sorted")).unwrap().into_rgb8();
        let part = image::imageops::thumbnail(&photo, 320, 240);
        encoded(&part, ImageFormat::Jpeg)
    }

    /// A picture that takes its time: 12 megapixels of cloth, which are looked at in every way there is.
    fn slow() -> Vec<u8> {
        let squares =
            |x: u32, y: u32| Rgb([if (x / 97 + y / 61).is_multiple_of(2) { 40 } else { 200 }; 3]);
        encoded(&RgbImage::from_fn(9000, 6000, squares), ImageFormat::Jpeg)
    }

    /// As the page does it: asks until it is its turn, then sends, and begins again where that is refused.
    fn sends(served: &Served, photo: &[u8], sending: impl Fn(&Value)) -> Reply {
        let mut ticket = Value::Null;
        let began = Instant::now();
        while began.elapsed() < LONG {
            let answer =
                served.post("api/line", &json!({ "ticket": ticket, "bytes": photo.len() }));
            assert!([200, 429].contains(&answer.status), "{}", answer.text());
            let answer = answer.json();
            if answer["ticket"].is_u64() {
                ticket = answer["ticket"].clone();
            }
            sending(&answer);
            if answer["stage"] == "send" {
                let answer = served.send(&format!("api/photo?ticket={ticket}"), photo);
                if answer.status != 429 {
                    return answer;
                }
            }
            sleep(Duration::from_millis(answer["again_ms"].as_u64().unwrap_or(500)));
        }
        panic!("its turn never came")
    }

    fn metric(served: &Served, name: &str) -> u64 {
        let text = served.get("metrics").text();
        let line = text.lines().find(|line| line.starts_with(name)).unwrap();
        line.rsplit_once(' ').unwrap().1.parse().unwrap()
    }

    /// The head of a photo that does not come, once the server waits for the rest.
    fn half_a_photo(served: &Served) -> TcpStream {
        let mut stream = TcpStream::connect(("127.0.0.1", served.port())).unwrap();
        stream.set_read_timeout(Some(LONG)).unwrap();
        let head = "POST /api/photo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n";
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, b"HTTP/1.1 100");
        stream
    }

    /// Fifty players of a hall sent their photos at the end of a round: 44 were refused.
    #[test]
    fn fifty_photos_at_once_are_all_read_and_only_six_are_held() {
        let served = Served::serve();
        let photo = small();
        let (queued, read) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let before = served.memory();
        thread::scope(|scope| {
            for _ in 0..50 {
                scope.spawn(|| {
                    let answer = sends(&served, &photo, |answer| {
                        if answer["stage"] == "queued" {
                            queued.fetch_add(1, Ordering::Relaxed);
                        }
                    });
                    assert_eq!(answer.status, 200, "{}", answer.text());
                    assert!(answer.json()["photo"].is_u64());
                    read.fetch_add(1, Ordering::Relaxed);
                });
            }
        });
        assert_eq!(read.load(Ordering::Relaxed), 50);
        assert!(queued.load(Ordering::Relaxed) >= 44, "most of them had to wait");
        assert_eq!(metric(&served, "tilelens_photos_total"), 50, "each was read once");
        let grown = served.memory().saturating_sub(before);
        assert!(grown < 1 << 30, "{grown} bytes more than before");
    }

    /// Somebody who had to wait had sent his 12 megapixels for nothing.
    #[test]
    fn who_has_to_wait_learns_it_before_sending() {
        let served = Served::serve();
        let held: Vec<TcpStream> = (0..6).map(|_| half_a_photo(&served)).collect();
        let queued = served.post("api/line", &json!({})).json();
        assert_eq!(
            (&queued["stage"], &queued["before"]),
            (&json!("queued"), &json!(6)),
            "{queued}"
        );
        assert!(queued["again_ms"].is_u64(), "{queued}");
        // Without asking: refused at the head, with a time to come back, and the rest is not waited for.
        let head = "POST /api/photo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20000000\r\nExpect: 100-continue\r\n\r\n";
        let answer = raw(&served, head.as_bytes()).to_lowercase();
        assert!(answer.starts_with("http/1.1 429"), "{answer}");
        assert!(answer.contains("retry-after: ") && answer.contains("\"before\":7"), "{answer}");
        let large = served.post("api/line", &json!({ "bytes": 31 << 20 }));
        assert_eq!(large.status, 413, "nobody waits with a picture that is too large");
        drop(held);
        let ticket = &queued["ticket"];
        let began = Instant::now();
        while served.post("api/line", &json!({ "ticket": ticket })).json()["stage"] != "send" {
            assert!(began.elapsed() < LONG, "its turn never came");
        }
        assert_eq!(served.send(&format!("api/photo?ticket={ticket}"), &small()).status, 200);
        assert_eq!(served.get(&format!("api/line/{ticket}")).status, 404, "it is answered");
    }

    fn cancel(served: &Served, ticket: &Value) -> u16 {
        let answer = ureq::delete(format!("{}api/line/{ticket}", served.address))
            .config()
            .http_status_as_error(false)
            .build()
            .call();
        answer.unwrap().status().as_u16()
    }

    /// A picture of 12 megapixels was read for nine seconds, and there was no way to stop it: everybody behind it
    /// waited for nothing.
    #[test]
    fn a_photo_says_how_far_it_is_and_can_be_cancelled() {
        let served = Served::serve();
        assert_eq!(served.send("api/photo", &small()).status, 200, "the networks are there");
        let slow = slow();
        let ticket = || served.post("api/line", &json!({})).json()["ticket"].clone();
        let how_far = |ticket: &Value| served.get(&format!("api/line/{ticket}")).json();
        let until = |ticket: &Value, is_so: &dyn Fn(&Value) -> bool| {
            let began = Instant::now();
            loop {
                let answer = how_far(ticket);
                if is_so(&answer) {
                    return answer;
                }
                assert!(began.elapsed() < LONG, "never: {answer}");
                sleep(Duration::from_millis(5));
            }
        };
        let first = ticket();
        assert_eq!(how_far(&first)["stage"], "send");
        thread::scope(|scope| {
            let (slow, served) = (&slow, &served);
            let send = |ticket: &Value| {
                let address = format!("api/photo?ticket={ticket}");
                scope.spawn(move || served.send(&address, slow))
            };
            let one = send(&first);
            until(&first, &|answer| answer["stage"] == "reading" && answer["step"] != "opening");
            let second = ticket();
            let other = send(&second);
            let waiting = until(&second, &|answer| answer["stage"] == "waiting");
            assert_eq!(waiting["before"], 1);
            // One that waits for its turn never begins, and is answered at once.
            assert_eq!(cancel(served, &second), 204);
            assert_eq!(other.join().unwrap().status, 409);
            assert_eq!(how_far(&first)["stage"], "reading", "the first is still being read");
            assert_eq!(cancel(served, &first), 204);
            let answer = one.join().unwrap();
            assert_eq!(answer.status, 409, "{}", answer.text());
            assert!(answer.text().contains("cancelled"));
        });
        assert_eq!(cancel(&served, &first), 404);
        assert_eq!(metric(&served, "tilelens_photos_total"), 1);
        assert_eq!(served.send("api/photo", &small()).status, 200, "the next one is read");
    }

    /// The reader that a cancelled photo had went on to the end.
    #[test]
    fn a_reading_that_is_stopped_takes_no_further_step() {
        let picture = Picture::from_bytes(&table("row-sorted")).unwrap();
        let mut reader = Reader::builtin(2).unwrap();
        let whole = reader.read(&picture).unwrap();
        let steps = std::sync::Arc::new(AtomicUsize::new(0));
        for most in [1, 2, 3] {
            steps.store(0, Ordering::Relaxed);
            let count = std::sync::Arc::clone(&steps);
            reader.watch(Some(Box::new(move |_| count.fetch_add(1, Ordering::Relaxed) + 1 < most)));
            assert!(matches!(reader.read(&picture), Err(ModelError::Stopped)));
            assert_eq!(steps.load(Ordering::Relaxed), most);
        }
        reader.watch(None);
        assert_eq!(
            reader.read(&picture).unwrap().len(),
            whole.len(),
            "and then it reads as before"
        );
    }

    /// A phone that had gone out of the network kept the reader busy.
    #[test]
    fn a_phone_that_goes_away_gives_its_place_back() {
        let served = Served::serve();
        let held: Vec<TcpStream> = (0..6).map(|_| half_a_photo(&served)).collect();
        let free = || served.post("api/line", &json!({})).json();
        assert_eq!(free()["stage"], "queued");
        drop(held);
        let began = Instant::now();
        while free()["stage"] != "send" {
            assert!(began.elapsed() < LONG);
        }
    }

    async fn phone(page: &Client, served: &Served) {
        page.set_window_size(390, 844).await.unwrap();
        page.goto(&format!("{}phone", served.address)).await.unwrap();
        until(page, "document.querySelectorAll('#rules option').length >= 5").await;
    }

    async fn pick(page: &Client, file: &str) {
        page.find(Locator::Css("#file")).await.unwrap().send_keys(file).await.unwrap();
    }

    const BAR: &str = "document.querySelector('#sending:not([hidden]) span')?.textContent";
    const READ: &str = "document.querySelectorAll('#hand .tile').length === 14";

    /// The phone page said "too many pictures at once" and forgot the photo.
    #[tokio::test(flavor = "multi_thread")]
    async fn the_phone_page_waits_for_its_turn_and_can_be_cancelled() {
        let Some((_driver, page)) = browser().await else { return };
        let served = Served::serve();
        let mut held: Vec<TcpStream> = (0..6).map(|_| half_a_photo(&served)).collect();
        phone(&page, &served).await;
        pick(&page, &table_path("row-sorted")).await;
        until(&page, &format!("{BAR} === 'Waiting: 6 before you'")).await;
        keep(&page, "phone-waits").await;
        let fits = "document.documentElement.scrollWidth <= innerWidth";
        until(&page, fits).await;
        // Cancelled, it stands in nobody's way.
        let behind = served.post("api/line", &json!({})).json();
        assert_eq!(behind["before"], 7);
        page.find(Locator::Css("#sending button")).await.unwrap().click().await.unwrap();
        until(&page, "document.querySelector('#status').textContent.startsWith('Cancelled')").await;
        until(&page, "document.querySelector('#sending').hidden").await;
        let began = Instant::now();
        while served.post("api/line", &json!({ "ticket": behind["ticket"] })).json()["before"] != 6
        {
            assert!(began.elapsed() < LONG, "the cancelled photo still waits");
        }
        assert_eq!(cancel(&served, &behind["ticket"]), 204);
        // The next one waits, and is read as soon as there is a place.
        pick(&page, &table_path("row-sorted")).await;
        until(&page, &format!("{BAR} === 'Waiting: 6 before you'")).await;
        held.pop();
        until_within(&page, READ, Duration::from_secs(60)).await;
        until(&page, "document.querySelector('#sending').hidden").await;
        until(&page, fits).await;
        keep(&page, "phone-read").await;
        assert_eq!(metric(&served, "tilelens_photos_total"), 1);
    }

    /// A photo of 12 megapixels said "Reading …" for nine seconds, and nothing stopped it.
    #[tokio::test(flavor = "multi_thread")]
    async fn the_phone_page_says_how_far_a_photo_is() {
        let Some((_driver, page)) = browser().await else { return };
        let served = Served::serve();
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("slow.jpg");
        std::fs::write(&file, slow()).unwrap();
        phone(&page, &served).await;
        // Every step that is shown, also one that is gone again at once. It is cancelled as soon as it is read: any later, and
        // a slow browser would come when a fast reader has done.
        let seen = "window.seen = []; new MutationObserver(() => {
              seen.push(document.querySelector('#sending span').textContent);
              if (!window.cancelled && seen.at(-1).startsWith('Reading: ')) {
                window.cancelled = true;
                document.querySelector('#sending button').click();
              }
            }).observe(document.querySelector('#sending'), { subtree: true, childList: true, characterData: true })";
        page.execute(seen, vec![]).await.unwrap();
        pick(&page, file.to_str().unwrap()).await;
        let cancelled = "document.querySelector('#status').textContent.startsWith('Cancelled')";
        until_within(&page, cancelled, Duration::from_secs(60)).await;
        until(&page, "seen.some((text) => text.startsWith('Sending: '))").await;
        pick(&page, &table_path("row-sorted")).await;
        until_within(&page, READ, Duration::from_secs(60)).await;
        assert_eq!(
            metric(&served, "tilelens_photos_total"),
            1,
            "the first was not read to its end"
        );
    }

    /// An iPhone's HEIC and a scanner's TIFF could not be picked on Android and desktops, though the server reads
    /// them; and where they could, the page showed a broken picture.
    #[tokio::test(flavor = "multi_thread")]
    async fn heic_and_tiff_can_be_picked_and_are_shown() {
        let Some((_driver, page)) = browser().await else { return };
        let served = Served::serve();
        let folder = tempfile::tempdir().unwrap();
        let photo = image::load_from_memory(&table("row-sorted")).unwrap().into_rgb8();
        let tiff = folder.path().join("scan.tif");
        std::fs::write(&tiff, encoded(&photo, ImageFormat::Tiff)).unwrap();
        let heic = format!("{}/tests/pictures/phone.heic", env!("CARGO_MANIFEST_DIR"));
        phone(&page, &served).await;
        let shown = "const picture = document.querySelector('#taken'); return !picture.hidden && picture.complete && picture.naturalWidth > 100 && picture.src.endsWith('/picture.jpg')";
        let boxes = "document.querySelectorAll('#boxes polygon').length === 14";
        for (file, tiles) in [(tiff.to_str().unwrap(), true), (&heic, false)] {
            pick(&page, file).await;
            until_within(&page, &format!("(() => {{ {shown} }})()"), Duration::from_secs(60)).await;
            until(&page, "document.querySelector('#unshown').hidden").await;
            if tiles {
                until(&page, boxes).await;
                keep(&page, "phone-tiff").await;
            }
        }
        // One that the browser knows is shown as it is.
        pick(&page, &table_path("row-sorted")).await;
        until_within(&page, READ, Duration::from_secs(60)).await;
        until(&page, "document.querySelector('#taken').src.startsWith('blob:')").await;
        // The other page that takes photos, too.
        page.goto(&format!("{}tiles", served.address)).await.unwrap();
        until(&page, "document.querySelectorAll('#order .tile').length === 42").await;
        let set = image::open(layout_path("in-order")).unwrap().into_rgb8();
        std::fs::write(&tiff, encoded(&set, ImageFormat::Tiff)).unwrap();
        pick(&page, tiff.to_str().unwrap()).await;
        until_within(&page, &format!("(() => {{ {shown} }})()"), Duration::from_secs(120)).await;
        until(&page, "document.querySelectorAll('#boxes polygon').length === 43").await;
    }

    /// The pickers offer every kind of file that the server reads, on systems that know the type and on those that
    /// know the name alone; and phones still open their camera.
    #[tokio::test(flavor = "multi_thread")]
    async fn the_pickers_offer_what_the_server_reads() {
        let Some((_driver, page)) = browser().await else { return };
        let served = Served::serve();
        for name in ["phone", "tiles"] {
            page.goto(&format!("{}{name}", served.address)).await.unwrap();
            until(&page, "document.querySelector('#file').accept.includes('heic')").await;
            let accept = "return ['file', 'photo'].map((id) => document.getElementById(id).accept)";
            let accept = page.execute(accept, vec![]).await.unwrap();
            let [file, photo] = [0, 1].map(|at| accept[at].as_str().unwrap().to_owned());
            let offers: Vec<&str> = file.split(',').collect();
            for kind in ["jpeg", "png", "webp", "heic", "heif", "tiff", "bmp", "gif"] {
                assert!(offers.contains(&format!("image/{kind}").as_str()), "{kind}: {file}");
            }
            let named = offers.iter().filter_map(|offer| offer.strip_prefix('.'));
            let named: Vec<&str> = named.collect();
            assert!(named.contains(&"heic") && named.contains(&"tif"), "{file}");
            let read =
                |name: &&str| tilelens::picture_name::is_picture_name(format!("a.{name}").as_ref());
            assert!(named.iter().all(read), "each is read: {file}");
            // This browser has no camera to open: the first button is a picker as well.
            assert_eq!(photo, file);
            let capture = "return document.getElementById('photo').getAttribute('capture')";
            assert_eq!(page.execute(capture, vec![]).await.unwrap(), "environment");
            // One that has opens it for pictures.
            let other = "return import('./assets/upload.js').then(({ offer }) => {
                const camera = { capture: 'environment' };
                offer(camera, {});
                return camera.accept;
            })";
            assert_eq!(page.execute(other, vec![]).await.unwrap(), "image/*");
        }
    }
}
