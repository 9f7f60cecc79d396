//! What is written to the ledger, for a program elsewhere: each event in one signed request, in order, repeated until it is
//! answered. Requests are those of Standard Webhooks (<https://www.standardwebhooks.com>).

use std::{collections::BTreeMap, sync::Weak, time::Duration};

use axum::http::Uri;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use jiff::Timestamp;
use ring::hmac;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::{
    ledger::{Ledger, LedgerError, TournamentLedger},
    name::Name,
    points::Points,
    recorded::Recorded,
    table::{PlayerState, Table},
};

/// The environment variable that holds the key.
pub const WEBHOOK_KEY: &str = "TILELENS_WEBHOOK_KEY";
/// What a key begins with.
const KEY: &str = "whsec_";
/// The number of the tournament's log among those of the tables.
const TOURNAMENT: u32 = 0;
/// The first pause after a request that was not taken, and the longest.
const FIRST: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_secs(300);
/// The longest wait for an answer.
const PATIENCE: Duration = Duration::from_secs(15);

/// Why no events can be sent.
#[derive(Debug, thiserror::Error)]
pub enum WebhookError {
    /// The address is none of the web.
    #[error("--webhook: `{0}` is no address of the web: write https://HOST/PATH")]
    Address(String),
    /// There is no key, or not in its form.
    #[error(
        "--webhook: set {WEBHOOK_KEY} to the key that both programs know: {KEY} and 24 bytes or more in Base64, as \
         `echo {KEY}$(openssl rand -base64 24)` makes one"
    )]
    Key,
    /// What was sent cannot be noted.
    #[error("--webhook needs a ledger that may be written: what was sent is noted in it")]
    ReadOnly,
}

/// The address that gets the events, and the key that signs them.
#[derive(Clone)]
pub struct Webhook {
    address: String,
    /// Its host, for messages: paths of such addresses are secrets.
    host: String,
    key: hmac::Key,
}

/// An event as it is sent.
#[derive(Serialize)]
struct News<'a, E> {
    /// The table; left out: the tournament.
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<u32>,
    #[serde(flatten)]
    recorded: &'a Recorded<E>,
    /// The players' totals after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    totals: Option<Vec<Total>>,
}

#[derive(Serialize)]
struct Total {
    name: Name,
    points: Points,
}

/// A request that waits to be sent.
struct Unsent {
    log: u32,
    seq: u64,
    at: Timestamp,
    body: String,
}

/// The number of the last event of each log that was sent.
type Sent = BTreeMap<u32, u64>;

impl Webhook {
    /// Events for an address, signed with a key.
    ///
    /// # Errors
    /// No address of the web, or no key.
    pub fn new(address: &str, key: &str) -> Result<Self, WebhookError> {
        let parsed: Option<Uri> = address.parse().ok();
        let is_web = |uri: &Uri| matches!(uri.scheme_str(), Some("http" | "https"));
        let parsed = parsed.filter(is_web);
        let host = parsed.as_ref().and_then(Uri::host);
        let host = host.ok_or_else(|| WebhookError::Address(address.to_owned()))?.to_owned();
        let key = key.strip_prefix(KEY).and_then(|key| BASE64_STANDARD.decode(key).ok());
        let key = key.filter(|key| key.len() >= 24).ok_or(WebhookError::Key)?;
        let key = hmac::Key::new(hmac::HMAC_SHA256, &key);
        Ok(Self { address: address.to_owned(), host, key })
    }

    /// Sends each event that is written from now on, or since it last ran; until the ledger is gone. A request that is not
    /// taken is repeated, and holds the later ones back.
    pub async fn follow(self, ledger: Weak<Ledger>) {
        let Some(mut changes) = ledger.upgrade().map(|ledger| ledger.changes()) else { return };
        let (mut written, mut pause, mut said) = (None, FIRST, None);
        loop {
            let Some(open) = ledger.upgrade() else { return };
            let sent = self.send_news(&open, &mut written).await;
            drop(open);
            let Err(why) = sent else {
                (pause, said) = (FIRST, None);
                changes.next().await;
                continue;
            };
            if said.as_ref() != Some(&why) {
                tracing::error!("--webhook: {why}; it is tried again");
                said = Some(why);
            }
            tokio::time::sleep(pause).await;
            pause = (2 * pause).min(LONGEST);
        }
    }

    /// Sends what was not yet; `written`: the number of events when all of them had been.
    async fn send_news(&self, ledger: &Ledger, written: &mut Option<u64>) -> Result<(), String> {
        let failed = |error: LedgerError| error.to_string();
        let now = ledger.written().await.map_err(failed)?;
        if *written == Some(now) {
            return Ok(());
        }
        // Whoever has the ledger is not to have the address.
        let note =
            format!("webhook {}", BASE64_STANDARD.encode(&Sha256::digest(&self.address)[..18]));
        let known = ledger.notes(&note).await.map_err(failed)?;
        let known = known.into_iter().find(|(name, _)| *name == note);
        let logs = Logs::of(ledger).await.map_err(failed)?;
        let mut sent = match known.and_then(|(_, text)| serde_json::from_str(&text).ok()) {
            Some(sent) => sent,
            // It begins with what is written from now on.
            None => {
                let sent = logs.written();
                self.note(ledger, &note, &sent).await.map_err(failed)?;
                sent
            }
        };
        for news in logs.after(&sent) {
            self.post(news.body).await?;
            sent.insert(news.log, news.seq);
            self.note(ledger, &note, &sent).await.map_err(failed)?;
        }
        *written = Some(now);
        Ok(())
    }

    async fn note(&self, ledger: &Ledger, note: &str, sent: &Sent) -> Result<(), LedgerError> {
        let text = serde_json::to_string(sent).unwrap_or_default();
        ledger.note(note, |_| Ok::<_, LedgerError>(vec![(note.to_owned(), Some(text))])).await
    }

    /// Sends one request; an error where it is not taken.
    async fn post(&self, body: String) -> Result<(), String> {
        let address = self.address.clone();
        // The same event has the same id, whenever it is sent.
        let id = BASE64_STANDARD.encode(&Sha256::digest(&body)[..18]);
        let time = Timestamp::now().as_second().to_string();
        let signature = self.signature(&id, &time, &body);
        let sending = tokio::task::spawn_blocking(move || {
            let agent = ureq::Agent::config_builder()
                .timeout_global(Some(PATIENCE))
                .max_redirects(0)
                .build()
                .new_agent();
            let request = agent
                .post(&address)
                .header("content-type", "application/json")
                .header("webhook-id", &id)
                .header("webhook-timestamp", &time)
                .header("webhook-signature", &signature);
            request.send(&body).map(|answer| answer.status().is_success())
        });
        match sending.await {
            Ok(Ok(true)) => Ok(()),
            Ok(Ok(false)) => {
                Err(format!("{} moves requests elsewhere: give that address", self.host))
            }
            Ok(Err(error)) => Err(format!("{}: {error}", self.host)),
            Err(error) => Err(error.to_string()),
        }
    }

    fn signature(&self, id: &str, time: &str, body: &str) -> String {
        let signed = hmac::sign(&self.key, format!("{id}.{time}.{body}").as_bytes());
        format!("v1,{}", BASE64_STANDARD.encode(signed))
    }
}

/// All logs of a ledger.
struct Logs {
    hall: TournamentLedger,
    tables: Vec<Table>,
}

impl Logs {
    async fn of(ledger: &Ledger) -> Result<Self, LedgerError> {
        let hall = ledger.tournament_ledger().await?;
        let mut tables = Vec::new();
        for number in ledger.tables().await? {
            tables.push(ledger.table(number).await?);
        }
        Ok(Self { hall, tables })
    }

    /// The number of the last event of each log.
    fn written(&self) -> Sent {
        let hall = self.hall.log.events().last().map(|event| (TOURNAMENT, event.seq));
        let last = |table: &Table| Some((table.number(), table.events().last()?.seq));
        self.tables.iter().filter_map(last).chain(hall).collect()
    }

    /// The events after those that were sent, in the order in which they were written.
    fn after(&self, sent: &Sent) -> Vec<Unsent> {
        let last = |log: u32| sent.get(&log).copied().unwrap_or(0);
        let of_hall = self.hall.log.events().iter().filter(|event| event.seq > last(TOURNAMENT));
        let mut news: Vec<Unsent> = of_hall.map(|event| of_event(None, event, None)).collect();
        for table in &self.tables {
            let number = table.number();
            let events = table.events().iter().filter(|event| event.seq > last(number));
            news.extend(events.map(|e| of_event(Some(number), e, totals(table, e.seq))));
        }
        news.sort_by_key(|news| (news.at, news.log, news.seq));
        news
    }
}

fn of_event<E: Serialize>(
    table: Option<u32>,
    recorded: &Recorded<E>,
    totals: Option<Vec<Total>>,
) -> Unsent {
    let (log, seq, at) = (table.unwrap_or(TOURNAMENT), recorded.seq, recorded.at);
    let body = serde_json::to_string(&News { table, recorded, totals }).unwrap_or_default();
    Unsent { log, seq, at, body }
}

/// The players' totals after an event.
fn totals(table: &Table, seq: u64) -> Option<Vec<Total>> {
    let then = table.after(seq).ok()?;
    let players = &then.state().ok()?.players;
    let total = |player: &PlayerState| Total { name: player.name.clone(), points: player.total };
    Some(players.iter().map(total).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the specification's own libraries.
    #[test]
    fn requests_are_signed_as_receivers_check_it() {
        let key = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        let webhook = Webhook::new("https://example.org/tilelens", key).unwrap();
        let body = r#"{"test": 2432232314}"#;
        let signature = webhook.signature("msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", body);
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn addresses_and_keys_that_cannot_be_meant_are_refused() {
        let key = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        for address in ["example.org", "ftp://example.org/", "https://", "a b"] {
            let refused = Webhook::new(address, key).err().unwrap();
            assert!(refused.to_string().contains("https://HOST/PATH"), "{address}: {refused}");
        }
        for key in ["", "secret", "whsec_", "whsec_c2hvcnQ=", "whsec_!"] {
            let refused = Webhook::new("http://127.0.0.1:9/", key).err().unwrap();
            assert!(refused.to_string().contains(WEBHOOK_KEY), "{key}: {refused}");
        }
    }
}
