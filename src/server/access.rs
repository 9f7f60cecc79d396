//! Access control: programs on this machine, or clients with one of three tokens in the address.

use axum::{
    Json, RequestExt as _,
    extract::{
        Request, State, WebSocketUpgrade,
        ws::{CloseFrame, Message, close_code},
    },
    http::{HeaderMap, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use serde_json::json;

use super::connections::{Encrypted, Peer};

/// The kind of client that sends a request. A client on another machine has a token or a code, which starts every path
/// that it requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Client {
    /// A program on this machine, which may ask for everything.
    ThisMachine,
    /// The operator, at the control page.
    Operator,
    /// A player with a phone.
    Phone,
    /// An overlay or a scoreboard, which shows and never decides.
    Screen,
    /// The players of one table, whose code their phone knows.
    Table,
}

impl Client {
    /// The clients with a token; the ledger holds the codes of the others.
    pub const WITH_TOKEN: [Self; 3] = [Self::Operator, Self::Phone, Self::Screen];

    /// The client's first page.
    #[must_use]
    pub const fn home(self) -> &'static str {
        match self {
            Self::ThisMachine | Self::Operator => "control",
            Self::Phone => "phone",
            Self::Screen => "overlay",
            Self::Table => "table",
        }
    }
}

/// Rejects requests that a page of another site sends from the user's browser. The browser gives the page's origin, or,
/// if a foreign name resolves to this machine, that name as the host.
pub(super) async fn own_pages_only(mut request: Request, next: Next) -> Response {
    let is_encrypted = request.extensions().get::<Encrypted>().is_some_and(|Encrypted(is)| *is);
    let Some(why) = elsewhere(request.headers(), is_encrypted) else {
        return next.run(request).await;
    };
    match request.extract_parts::<WebSocketUpgrade>().await {
        // A browser hides the answer to an upgrade from its page, but not the code with which a socket is closed.
        Ok(upgrade) => upgrade.on_upgrade(async |mut socket| {
            let reason = "a page of another site".into();
            let frame = CloseFrame { code: close_code::POLICY, reason };
            // Whoever has gone needs no reason.
            let _ = socket.send(Message::Close(Some(frame))).await;
        }),
        Err(_) => (StatusCode::FORBIDDEN, Json(json!({ "error": why }))).into_response(),
    }
}

/// Accepts only requests of this machine, which need no token: from a loopback address and with a loopback host name,
/// since a page of another site can use a name that resolves to this machine. `refused` is the answer to the rest.
pub(super) async fn this_machine_only(
    State(refused): State<(StatusCode, &'static str)>,
    request: Request,
    next: Next,
) -> Response {
    let host = text(request.headers(), header::HOST).unwrap_or_default();
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    let is_named = matches!(name, "127.0.0.1" | "localhost" | "[::1]");
    let comes_from_here =
        request.extensions().get::<Peer>().is_some_and(|Peer(ip)| ip.to_canonical().is_loopback());
    if !is_named || !comes_from_here || is_forwarded(request.headers()) {
        return refused.into_response();
    }
    next.run(request).await
}

/// Whether a proxy or a tunnel that ends on this machine forwards what others ask: each of these headers says so.
fn is_forwarded(headers: &HeaderMap) -> bool {
    const FORWARDING: [&str; 8] = [
        "forwarded",
        "via",
        "x-real-ip",
        "x-client-ip",
        "x-cluster-client-ip",
        "true-client-ip",
        "cf-connecting-ip",
        "fastly-client-ip",
    ];
    headers
        .keys()
        .map(header::HeaderName::as_str)
        .any(|name| FORWARDING.contains(&name) || name.starts_with("x-forwarded"))
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// Why a request counts as one of another site's page. The same host by https is the same place, also where a proxy has
/// taken the encryption off.
fn elsewhere(headers: &HeaderMap, is_encrypted: bool) -> Option<String> {
    let origin = headers.get(header::ORIGIN)?;
    let host = text(headers, header::HOST).unwrap_or_default();
    let is = |scheme: &str| origin.as_bytes() == format!("{scheme}://{host}").as_bytes();
    if is("https") || (is("http") && !is_encrypted) {
        return None;
    }
    let origin = String::from_utf8_lossy(origin.as_bytes());
    Some(format!(
        "rejected: the page is from {origin}, which is another site than {host}. A proxy has to hand on the address that \
         the browser asks for as `Host`, with its port"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(host: &str, origin: Option<&str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        headers
    }

    #[test]
    fn pages_of_other_sites_are_rejected_by_origin() {
        let elsewhere = |origin, is_encrypted| {
            elsewhere(&headers("127.0.0.1:7777", origin), is_encrypted).is_some()
        };
        assert!(!elsewhere(None, false));
        assert!(!elsewhere(Some("http://127.0.0.1:7777"), false));
        assert!(elsewhere(Some("http://127.0.0.1:7778"), false));
        assert!(elsewhere(Some("null"), false));
        assert!(!elsewhere(Some("https://127.0.0.1:7777"), true));
        assert!(elsewhere(Some("http://127.0.0.1:7777"), true));
        // A proxy has taken the encryption off; under another port something else answers.
        assert!(!elsewhere(Some("https://127.0.0.1:7777"), false));
        assert!(elsewhere(Some("https://127.0.0.1"), false));
        assert!(elsewhere(Some("https://127.0.0.1:7777.evil.example"), false));
    }

    #[test]
    fn each_header_of_a_proxy_is_known() {
        for name in [
            "Forwarded",
            "Via",
            "X-Real-IP",
            "X-Forwarded-For",
            "X-Forwarded-Host",
            "X-Forwarded-Proto",
            "X-Forwarded-Server",
            "CF-Connecting-IP",
        ] {
            let mut headers = headers("127.0.0.1:7777", None);
            assert!(!is_forwarded(&headers));
            let name: header::HeaderName = name.parse().unwrap();
            headers.insert(name.clone(), "203.0.113.7".parse().unwrap());
            assert!(is_forwarded(&headers), "{name}");
        }
    }
}
