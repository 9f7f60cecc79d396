//! Chromium, driven through its WebDriver, for tests that look at pages as people do.

use std::{
    io::{BufRead, BufReader},
    os::unix::process::CommandExt as _,
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};

/// A driver process with one browser in it.
pub struct Driver(Child);

impl Driver {
    /// The number of its process, of which the browser's are children.
    pub fn id(&self) -> u32 {
        self.0.id()
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // The browser too, which would go on without its driver.
        if let Ok(id) = i32::try_from(self.0.id())
            && let Some(group) = rustix::process::Pid::from_raw(id)
        {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.0.wait();
    }
}

/// A page of 1920 x 1080 pixels; `None`, which is said, where there is no driver.
pub async fn browser() -> Option<(Driver, Client)> {
    browser_with(&[]).await
}

/// The same with more arguments for the browser.
pub async fn browser_with(more: &[&str]) -> Option<(Driver, Client)> {
    let driver = Command::new("chromedriver")
        .arg("--port=0")
        .process_group(0)
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut child) = driver else {
        eprintln!(
            "skipped: there is no chromedriver (scripts/install-packages.sh --for-tests installs it)"
        );
        return None;
    };
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let port = lines
        .by_ref()
        .map_while(Result::ok)
        .filter_map(|line| Some(line.split_once("on port ")?.1.trim_end_matches('.').to_owned()))
        .find(|port| port != "0");
    let driver = Driver(child);
    std::thread::spawn(move || lines.for_each(drop));
    let port = port.expect("chromedriver says its port");
    let arguments = [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--hide-scrollbars",
        "--window-size=1920,1080",
        "--force-device-scale-factor=1",
    ];
    let arguments = [&arguments[..], more].concat();
    let wishes = json!({ "goog:chromeOptions": { "args": arguments } });
    let Value::Object(wishes) = wishes else { unreachable!() };
    let client = ClientBuilder::new(HttpConnector::new())
        .capabilities(wishes)
        .connect(&format!("http://127.0.0.1:{port}"))
        .await
        .unwrap();
    Some((driver, client))
}

/// Waits until a script gives true.
pub async fn until(page: &Client, what: &str) {
    until_within(page, what, Duration::from_secs(30)).await;
}

/// The same for what takes a debug build its time, such as reading a whole table.
pub async fn until_within(page: &Client, what: &str, most: Duration) {
    let began = Instant::now();
    while began.elapsed() < most {
        if page.execute(&format!("return !!({what})"), vec![]).await.unwrap() == json!(true) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let body = page.execute("return document.body.innerText", vec![]).await.unwrap();
    panic!("never came true: {what}\nthe page says: {body}");
}

/// Keeps a screenshot under `target/screenshots`.
pub async fn keep(page: &Client, name: &str) -> Vec<u8> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target/screenshots");
    std::fs::create_dir_all(&folder).unwrap();
    let picture = page.screenshot().await.unwrap();
    std::fs::write(folder.join(format!("{name}.png")), &picture).unwrap();
    picture
}

/// What sticks out of the page sideways.
pub const STICKS_OUT: &str = "[...document.querySelectorAll('body *')].filter((one) => one.checkVisibility() && !one.closest('svg') && (one.getBoundingClientRect().right > innerWidth + .5 || one.getBoundingClientRect().left < -.5)).map((one) => one.outerHTML.slice(0, 90))";

/// Words of buttons and labels of which a part is cut off; what is undone ends with an ellipsis.
pub const CUT_OFF: &str = "[...document.querySelectorAll('button:not(#undo), label, legend, summary, .pick b, .what')].filter((one) => one.checkVisibility() && one.clientWidth && one.scrollWidth > one.clientWidth + 1).map((one) => one.outerHTML.slice(0, 90))";

/// Latin words that are shown to readers of another script, but for keys, code, choices, names and what `server` selects,
/// which says what comes from the server.
pub fn latin_words(server: &str) -> String {
    format!(
        "[...document.querySelectorAll('body :not(kbd, code, script, option, bdi, [translate=no])')].filter((one) => one.checkVisibility() && !one.closest('{server}')).flatMap((one) => [...one.childNodes].filter((node) => node.nodeType === 3 && /[A-Za-z]{{4}}/.test(node.data)).map((node) => node.data))"
    )
}

/// Texts that stand out too little from what is behind them (WCAG 1.4.3): 4.5 to 1, large ones 3 to 1. What is
/// switched off may.
pub const HARD_TO_READ: &str = r"(() => {
  const colour = (text) => { const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number); return [r, g, b, a]; };
  const over = ([r, g, b, a], below) => [r, g, b].map((part, n) => part * a + below[n] * (1 - a));
  const light = (rgb) => { const [r, g, b] = rgb.map((part) => (part / 255 <= .04045 ? part / 255 / 12.92 : ((part / 255 + .055) / 1.055) ** 2.4)); return .2126 * r + .7152 * g + .0722 * b; };
  const ground = (one) => over(colour(getComputedStyle(one).backgroundColor), one.parentElement ? ground(one.parentElement) : [255, 255, 255]);
  const ratio = (a, b) => (Math.max(light(a), light(b)) + .05) / (Math.min(light(a), light(b)) + .05);
  const says = (one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()) || one.value || one.placeholder;
  const all = [...document.body.querySelectorAll('*')].filter((one) => one.checkVisibility() && says(one) && !one.closest('svg, [disabled], option') && !['checkbox', 'file', 'radio'].includes(one.type));
  return all.flatMap((one) => {
    const style = getComputedStyle(one, one.placeholder && !one.value ? '::placeholder' : null);
    const size = parseFloat(style.fontSize);
    const least = size >= 24 || (size >= 18.66 && style.fontWeight >= 700) ? 3 : 4.5;
    const below = ground(one);
    const found = ratio(over(colour(style.color), below), below);
    return found < least ? [`${found.toFixed(2)}: ${one.outerHTML.slice(0, 90)}`] : [];
  });
})()";

/// Shows pages as by day or by night.
pub async fn by(page: &Client, time: &str) {
    let scheme = if time == "night" { "dark" } else { "light" };
    let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
    devtools(page, "Emulation.setEmulatedMedia", features).await;
}

/// A command of Chromium's own protocol, for what WebDriver has no word.
pub async fn devtools(page: &Client, command: &'static str, params: Value) -> Value {
    page.issue_cmd(Devtools(json!({ "cmd": command, "params": params }))).await.unwrap()
}

#[derive(Debug)]
struct Devtools(Value);

impl fantoccini::wd::WebDriverCompatibleCommand for Devtools {
    fn endpoint(
        &self,
        base: &url::Url,
        session: Option<&str>,
    ) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/goog/cdp/execute", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(self.0.to_string()))
    }
}

/// Arguments for a browser whose camera shows a film, on and on: a picture of `datasets/photos/tables`, for as many frames, changed by
/// a filter of `ffmpeg`.
pub fn camera(folder: &std::path::Path, picture: &str, filter: &str, frames: u32) -> [String; 3] {
    let file = folder.join(format!("{picture}-{frames}.mjpeg"));
    let picture = format!("{}/datasets/photos/tables/{picture}.jpg", env!("CARGO_MANIFEST_DIR"));
    let made = Command::new("ffmpeg")
        .args(["-y", "-v", "error", "-loop", "1", "-i", &picture, "-vf", filter])
        .args(["-frames:v", &frames.to_string(), "-c:v", "mjpeg", "-q:v", "2", "-f", "mjpeg"])
        .arg(&file)
        .status();
    assert!(made.unwrap().success());
    [
        "--use-fake-ui-for-media-stream".to_owned(),
        "--use-fake-device-for-media-stream".to_owned(),
        format!("--use-file-for-fake-video-capture={}", file.display()),
    ]
}

/// A filter of [`camera`]: the hand moves from side to side.
pub const MOVES: &str = "scale=1280:960,crop=900:676:190+190*sin(n/4):142,scale=1280:960";
/// The number of frames in which it comes and goes once.
pub const MOVES_FRAMES: u32 = 25;
/// The hand is so unclear that a face is in doubt.
pub const UNCLEAR: &str = "scale=205:-1,scale=1280:960";
