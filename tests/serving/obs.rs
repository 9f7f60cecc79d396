//! OBS is switched over obs-websocket 5, against a small server that speaks the protocol.

use std::{
    net::{TcpListener, TcpStream},
    process::{Command, Stdio},
    sync::mpsc::{Receiver, Sender, channel},
    time::Duration,
};

use crate::support::served::Served;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tungstenite::{Message, WebSocket};

/// Far longer than anything here takes: only a fault reaches it.
const LONG: Duration = Duration::from_secs(60);
const PASSWORD: &str = "a secret of OBS’s";

/// What somebody asked of the server: the request's type and its data.
type Asked = (String, Value);

/// A server that answers as OBS 29 does; its requests come out of the channel.
struct Obs {
    port: u16,
    asked: Receiver<Asked>,
}

impl Obs {
    fn start() -> Self {
        Self::on(0)
    }

    fn on(port: u16) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", port)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let (tell, asked) = channel();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // The client may go away in the middle of it.
                let _ = answer(stream, &tell);
            }
        });
        Self { port, asked }
    }

    fn address(&self) -> String {
        format!("ws://127.0.0.1:{}", self.port)
    }

    /// The next request but those by which OBS is asked whether it is there.
    fn next(&self) -> Asked {
        loop {
            let asked = self.asked.recv_timeout(LONG).expect("something is asked");
            if asked.0 != "GetVersion" {
                return asked;
            }
        }
    }

    /// Whether nothing was asked but whether it is there.
    fn is_quiet(&self) -> bool {
        self.asked.try_iter().all(|(kind, _)| kind == "GetVersion")
    }
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let number =
            (0..3).fold(0, |all, place| all << 8 | u32::from(*three.get(place).unwrap_or(&0)));
        for place in 0..4 {
            let letter = LETTERS[(number >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= three.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

type Answered = Result<(), Box<dyn std::error::Error>>;

fn say(socket: &mut WebSocket<TcpStream>, op: u8, data: Value) -> Answered {
    Ok(socket.send(Message::text(json!({ "op": op, "d": data }).to_string()))?)
}

fn answer(stream: TcpStream, tell: &Sender<Asked>) -> Answered {
    let (salt, challenge) = ("salt of the test", "challenge of the test");
    let mut socket = tungstenite::accept(stream)?;
    let authentication = json!({ "challenge": challenge, "salt": salt });
    let hello = json!({ "obsWebSocketVersion": "5.1.0", "rpcVersion": 1, "authentication": authentication });
    say(&mut socket, 0, hello)?;
    loop {
        let Message::Text(text) = socket.read()? else { continue };
        let word: Value = serde_json::from_str(&text)?;
        let data = &word["d"];
        if word["op"] == 1 {
            let secret = base64(&Sha256::digest(format!("{PASSWORD}{salt}")));
            let expected = base64(&Sha256::digest(format!("{secret}{challenge}")));
            if data["authentication"] != json!(expected) {
                let frame = tungstenite::protocol::CloseFrame {
                    code: 4009.into(),
                    reason: "Authentication failed.".into(),
                };
                socket.close(Some(frame))?;
                continue;
            }
            say(&mut socket, 2, json!({ "negotiatedRpcVersion": 1 }))?;
            continue;
        }
        let kind = data["requestType"].as_str().unwrap_or_default().to_owned();
        let given = data["requestData"].clone();
        let is_known = given["sceneName"].is_null() || given["sceneName"] != "Nowhere";
        let response = match kind.as_str() {
            "GetVersion" => json!({
                "obsVersion": "29.1.3", "obsWebSocketVersion": "5.1.0", "rpcVersion": 1, "availableRequests": [],
                "supportedImageFormats": [], "platform": "debian", "platformDescription": "Debian",
            }),
            "GetSceneItemId" => json!({ "sceneItemId": 7 }),
            _ => Value::Null,
        };
        let status = if is_known {
            json!({ "result": true, "code": 100 })
        } else {
            json!({ "result": false, "code": 600, "comment": "No source was found." })
        };
        let answer = json!({
            "requestType": kind, "requestId": data["requestId"], "requestStatus": status, "responseData": response,
        });
        let _ = tell.send((kind, given));
        say(&mut socket, 7, answer)?;
    }
}

/// Serves with OBS, whose password is in the environment.
fn serve(address: &str, password: &str, cues: &[&str], more: &[&str]) -> Served {
    let mut program = Command::new(env!("CARGO_BIN_EXE_tilelens"));
    program.args(["serve", "--port", "0", "--obs", address]).args(more);
    for cue in cues {
        program.args(["--obs-on", cue]);
    }
    Served::spawn(program.env("TILELENS_OBS_PASSWORD", password).stderr(Stdio::null()))
}

/// Scenes had to be switched by hand, while cards were being turned.
#[test]
fn scenes_and_sources_are_switched_as_the_table_goes_on() {
    let obs = Obs::start();
    let cues = [
        "settled=scene:Close-up",
        "confirmed=show:Table/Score",
        "next=hide:Table/Score",
        "next=scene:Table",
    ];
    let served = serve(&obs.address(), PASSWORD, &cues, &[]);
    served.until(|state| state["obs"]["state"] == "connected");
    assert!(obs.is_quiet(), "nothing has happened");
    served.show("row-sorted");
    let scene = |name: &str| ("SetCurrentProgramScene".to_owned(), json!({ "sceneName": name }));
    assert_eq!(obs.next(), scene("Close-up"));
    // A correction is no other hand, and how it was won none either.
    let tile = served.state()["reading"]["tiles"][0]["id"].clone();
    served.post("api/correct", &json!({ "tile": tile, "code": "4m" }));
    served.post("api/correct", &json!({ "tile": tile }));
    served.post("api/context", &json!({ "win": "self_draw" }));
    assert_eq!(served.post("api/confirm", &json!({})).status, 200);
    let item = |is_on: bool| {
        let id = json!({ "sceneName": "Table", "sourceName": "Score" });
        let enabled = json!({ "sceneName": "Table", "sceneItemId": 7, "sceneItemEnabled": is_on });
        [("GetSceneItemId".to_owned(), id), ("SetSceneItemEnabled".to_owned(), enabled)]
    };
    assert_eq!([obs.next(), obs.next()], item(true));
    assert_eq!(served.post("api/next", &json!({})).status, 200);
    assert_eq!([obs.next(), obs.next()], item(false));
    assert_eq!(obs.next(), scene("Table"));
    assert!(obs.is_quiet());
}

/// Errors are shown on the control page and end nothing.
#[test]
fn what_is_wrong_with_obs_is_said_and_tried_again() {
    let obs = Obs::start();
    let served = serve(&obs.address(), "wrong", &["settled=scene:Table"], &[]);
    let state = served.until(|state| state["obs"]["state"] == "lost");
    let why = state["obs"]["why"].as_str().unwrap();
    assert!(why.contains("set TILELENS_OBS_PASSWORD") && !why.contains("wrong"), "{why}");
    drop(served);
    // A scene that OBS does not have.
    let cues = ["settled=scene:Nowhere", "confirmed=scene:Table"];
    let served = serve(&obs.address(), PASSWORD, &cues, &[]);
    served.until(|state| state["obs"]["state"] == "connected");
    served.show("row-sorted");
    let state = served.until(|state| state["obs"]["state"] == "lost");
    let why = state["obs"]["why"].as_str().unwrap();
    assert!(why.contains("scene Nowhere") && why.contains("No source was found"), "{why}");
    served.post("api/context", &json!({ "win": "self_draw" }));
    served.post("api/confirm", &json!({}));
    served.until(|state| state["obs"]["state"] == "connected");
    drop(served);
    // Nobody answers there, and then somebody does.
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let served = serve(&format!("ws://127.0.0.1:{free}"), PASSWORD, &["settled=scene:Table"], &[]);
    let state = served.until(|state| state["obs"]["state"] == "lost");
    assert!(state["obs"]["why"].as_str().unwrap().contains("start OBS"), "{state}");
    let _later = Obs::on(free);
    served.until(|state| state["obs"]["state"] == "connected");
}

/// Invalid options are rejected before anything starts.
#[test]
fn nothing_is_served_with_half_of_it() {
    for (arguments, said) in [
        (&["--obs", "ws://127.0.0.1:4455"][..], "such as --obs-on settled=scene:Table"),
        (&["--obs", "ws://me:secret@127.0.0.1"], "leave the password out"),
        (&["--obs", "ws://127.0.0.1", "--obs-on", "won=scene:Table"], "settled, confirmed or next"),
    ] {
        let all = [&["serve", "--port", "0"], arguments].concat();
        let out = Command::new(env!("CARGO_BIN_EXE_tilelens")).args(all).output().unwrap();
        let message = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(2), "{message}");
        assert!(message.contains(said) && !message.contains("secret"), "{message}");
    }
}
