//! Access control: programs on this machine, or clients with one of three tokens in the address.

use axum::{
    extract::{Request, State},
    http::{HeaderMap, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

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
pub(super) async fn own_pages_only(request: Request, next: Next) -> Response {
    let is_encrypted = request.extensions().get::<Encrypted>().is_some_and(|Encrypted(is)| *is);
    if comes_from_elsewhere(request.headers(), is_encrypted) {
        let why = "rejected: the request comes from a page of another site";
        return (StatusCode::FORBIDDEN, why).into_response();
    }
    next.run(request).await
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
    // A tunnel that ends on this machine hands on what others ask.
    let is_handed_on = ["forwarded", "x-forwarded-for", "x-forwarded-host"]
        .iter()
        .any(|name| request.headers().contains_key(*name));
    if !is_named || !comes_from_here || is_handed_on {
        return refused.into_response();
    }
    next.run(request).await
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn comes_from_elsewhere(headers: &HeaderMap, is_encrypted: bool) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return false };
    let scheme = if is_encrypted { "https" } else { "http" };
    let own = text(headers, header::HOST).map(|host| format!("{scheme}://{host}"));
    own.is_none_or(|own| origin.as_bytes() != own.as_bytes())
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
            comes_from_elsewhere(&headers("127.0.0.1:7777", origin), is_encrypted)
        };
        assert!(!elsewhere(None, false));
        assert!(!elsewhere(Some("http://127.0.0.1:7777"), false));
        assert!(elsewhere(Some("http://127.0.0.1:7778"), false));
        assert!(elsewhere(Some("null"), false));
        assert!(!elsewhere(Some("https://127.0.0.1:7777"), true));
        assert!(elsewhere(Some("http://127.0.0.1:7777"), true));
        assert!(elsewhere(Some("https://127.0.0.1:7777"), false));
    }
}
