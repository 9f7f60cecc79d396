//! The state pushed whole to each page, on connect and on change.

use std::time::Duration;

use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use tokio::{
    sync::watch,
    time::{Instant, interval},
};

/// The ping interval, by which both sides notice a lost connection.
const BEAT: Duration = Duration::from_secs(5);

/// Serves one page until it disconnects, with the state of its kind of client. A slow page skips states and gets the
/// newest; one that does not read at all is disconnected.
pub(super) async fn push<State, Text: Into<Utf8Bytes>>(
    mut socket: WebSocket,
    mut states: watch::Receiver<State>,
    for_it: impl Fn(&State) -> Text,
) {
    states.mark_changed();
    let mut beat = interval(BEAT);
    let mut heard = Instant::now();
    loop {
        let message = tokio::select! {
            changed = states.changed() => {
                if changed.is_err() {
                    return;
                }
                let state = for_it(&states.borrow_and_update());
                Message::Text(state.into())
            }
            _ = beat.tick() => {
                if heard.elapsed() > 4 * BEAT {
                    return;
                }
                Message::Ping(Default::default())
            }
            word = socket.recv() => match word {
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                // Pages only listen; what they say matters as a sign of life. A page sees no pings: one that speaks
                // gets an empty text, by which it notices a lost connection too.
                Some(Ok(said)) => {
                    heard = Instant::now();
                    match said {
                        Message::Text(_) => Message::Text(Default::default()),
                        _ => continue,
                    }
                }
            },
        };
        // Fails too where the page takes nothing for a while.
        if socket.send(message).await.is_err() {
            return;
        }
    }
}
