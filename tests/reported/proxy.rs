//! A reverse proxy on the machine of the server: nginx.

#![cfg(all(feature = "server", target_os = "linux"))]

use std::{
    io::Write as _,
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Child, Command},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::support::{
    browser::{browser_with, until},
    served::Served,
};

const NGINX: &str = "/usr/sbin/nginx";
const LAN: [&str; 4] = ["serve", "--port", "0", "--lan"];

/// A running nginx and its port; dropping it ends it.
struct Proxy {
    child: Child,
    port: u16,
    _folder: tempfile::TempDir,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Proxy {
    /// nginx with that configuration, in which `PORT` is its own port and `FOLDER` has a certificate, `hall.pem` and
    /// `hall.key`; `None` where it is not installed, which is said.
    fn start(configuration: &str) -> Option<Self> {
        if !Path::new(NGINX).exists() {
            // CI looks for this word.
            let why =
                "skipped: there is no nginx (scripts/install-packages.sh --for-tests installs it)";
            let _ = writeln!(std::io::stderr(), "{why}");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
        let write =
            |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        write("hall.pem", &made.cert.pem());
        write("hall.key", &made.signing_key.serialize_pem());
        // Free a moment ago.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let place = folder.path().display().to_string();
        let configuration =
            configuration.replace("PORT", &port.to_string()).replace("FOLDER", &place);
        let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|kind| format!("{kind}_temp_path {place}/{kind};\n"))
            .concat();
        write(
            "nginx.conf",
            &format!(
                "pid {place}/pid;\nevents {{}}\nhttp {{\naccess_log off;\n{temporary}{configuration}\n}}\n"
            ),
        );
        let child = Command::new(NGINX)
            .args(["-p", &place, "-c", "nginx.conf", "-e", "log"])
            .args(["-g", "daemon off; master_process off;"])
            .spawn()
            .unwrap();
        let proxy = Self { child, port, _folder: folder };
        let began = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(began.elapsed() < Duration::from_secs(30), "nginx does not answer");
            std::thread::sleep(Duration::from_millis(20));
        }
        Some(proxy)
    }

    /// nginx as docs/venue.md has it.
    fn documented(served: &Served) -> Option<Self> {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/venue.md");
        let page = std::fs::read_to_string(page).unwrap();
        let (_, block) = page.split_once("```nginx\n").unwrap();
        let (block, _) = block.split_once("```").unwrap();
        let changes = [
            ("listen 443 ssl", "listen 127.0.0.1:PORT ssl".to_owned()),
            ("/etc/ssl/hall.", "FOLDER/hall.".to_owned()),
            ("127.0.0.1:7777", format!("127.0.0.1:{}", served.port())),
        ];
        let configuration = changes.iter().fold(block.to_owned(), |text, (from, to)| {
            assert!(text.contains(from), "{from} is not in {block}");
            text.replace(from, to)
        });
        Self::start(&configuration)
    }

    /// The status of a request over http.
    fn status(&self, path: &str, words: Option<Value>) -> u16 {
        let address = format!("http://127.0.0.1:{}{path}", self.port);
        let answer = match words {
            Some(words) => {
                ureq::post(address).config().http_status_as_error(false).build().send_json(words)
            }
            None => ureq::get(address).config().http_status_as_error(false).build().call(),
        };
        answer.unwrap().status().as_u16()
    }
}

/// The operator's token in the addresses of a server.
fn token(served: &Served) -> String {
    served.address.splitn(4, '/').nth(3).unwrap().trim_end_matches('/').to_owned()
}

/// A user saw: "with nginx before it, everybody in the internet is the operator: /control opens without a token."
#[test]
fn nobody_who_comes_through_a_proxy_passes_for_this_machine() {
    let served = Served::start(&LAN);
    for header in ["", "proxy_set_header X-Real-IP $remote_addr;"] {
        let port = served.port();
        let Some(proxy) = Proxy::start(&format!(
            "server {{ listen 127.0.0.1:PORT; location / {{ proxy_pass http://127.0.0.1:{port}; {header} }} }}"
        )) else {
            return;
        };
        for path in ["/", "/control", "/desk", "/overlay", "/api/state", "/api/desk", "/metrics"] {
            assert_eq!(proxy.status(path, None), 404, "{header} {path}");
        }
        for path in ["/api/context", "/api/next", "/api/desk"] {
            assert_eq!(proxy.status(path, Some(json!({}))), 404, "{header} {path}");
        }
        assert_eq!(proxy.status(&format!("/{}/control", token(&served)), None), 200);
    }
    // Opened on purpose, a proxy that says that it is one is not this machine either.
    let served = Served::start(&[&LAN[..], &["--no-token-here"]].concat());
    let Some(proxy) = Proxy::start(&format!(
        "server {{ listen 127.0.0.1:PORT; location / {{ proxy_pass http://127.0.0.1:{}; \
         proxy_set_header X-Real-IP $remote_addr; }} }}",
        served.port()
    )) else {
        return;
    };
    assert_eq!(proxy.status("/control", None), 404);
}

/// A user saw: "behind our https proxy the pages stay empty."
#[tokio::test]
async fn pages_work_behind_the_documented_proxy() {
    let served = Served::start(&LAN);
    let Some(proxy) = Proxy::documented(&served) else { return };
    let arguments = ["--ignore-certificate-errors"];
    let Some((_driver, page)) = browser_with(&arguments).await else { return };
    let own = format!("https://localhost:{}/{}", proxy.port, token(&served));
    page.goto(&format!("{own}/control")).await.unwrap();
    until(&page, "document.querySelector('#rules').options.length > 1").await;
    // The socket and the calls get through.
    let post = "return await (await fetch('api/context', { method: 'POST', \
                headers: { 'Content-Type': 'application/json' }, body: '{\"title\": \"Final\"}' })).status";
    assert_eq!(page.execute(post, vec![]).await.unwrap(), json!(200));
    assert_eq!(
        page.execute("return document.querySelector('#refused')", vec![]).await.unwrap(),
        Value::Null
    );
    page.close().await.unwrap();
}

/// A user saw: "the page stays empty, and nothing says why." nginx hands on its own name for the server unless it is
/// configured otherwise.
#[tokio::test]
async fn a_page_that_a_proxy_has_made_anothers_says_so() {
    let served = Served::start(&LAN);
    let configuration = format!(
        "server {{ listen 127.0.0.1:PORT; location / {{ proxy_pass http://127.0.0.1:{}; \
         proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; \
         proxy_set_header Connection \"upgrade\"; }} }}",
        served.port()
    );
    let Some(proxy) = Proxy::start(&configuration) else { return };
    let Some((_driver, page)) = browser_with(&[]).await else { return };
    let own = format!("http://localhost:{}/{}", proxy.port, token(&served));
    page.goto(&format!("{own}/control?lang=en")).await.unwrap();
    until(&page, "document.querySelector('#refused')?.textContent.includes('a proxy between')")
        .await;
    let post = "return await (await fetch('api/next', { method: 'POST' })).text()";
    let refused = page.execute(post, vec![]).await.unwrap();
    assert!(refused.as_str().unwrap().contains("`Host`"), "{refused}");
    page.close().await.unwrap();
}
