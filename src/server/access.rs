//! Who may ask: this machine alone, or whoever has the token.

use std::fmt::Write as _;

use axum::{
    extract::Request,
    http::{HeaderMap, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use super::ServerError;

/// Who may ask.
#[derive(Clone, Debug)]
pub(super) enum Access {
    /// Programs on this machine.
    Loopback,
    /// Whoever knows this token, 128 random bits in hexadecimal; it begins every path.
    Token(String),
}

impl Access {
    pub fn with_token() -> Result<Self, ServerError> {
        let mut bytes = [0u8; 16];
        getrandom::fill(&mut bytes).map_err(|error| ServerError::Token(error.to_string()))?;
        let mut token = String::with_capacity(32);
        for byte in bytes {
            // Writing to a string cannot fail.
            let _ = write!(token, "{byte:02x}");
        }
        Ok(Self::Token(token))
    }

    /// What every path begins with, from slash to slash.
    pub fn prefix(&self) -> String {
        match self {
            Self::Loopback => "/".to_owned(),
            Self::Token(token) => format!("/{token}/"),
        }
    }
}

/// A page of another site that the user has open may send requests here too: the browser then says
/// where it comes from, or, with a name made to point here, what it thinks we are called.
pub(super) async fn own_pages_only(request: Request, next: Next) -> Response {
    if comes_from_elsewhere(request.headers()) {
        let why = "this request comes from a page of another site and is not answered";
        return (StatusCode::FORBIDDEN, why).into_response();
    }
    next.run(request).await
}

/// Loopback needs no token, so it must be asked by its own name.
pub(super) async fn loopback_names_only(request: Request, next: Next) -> Response {
    let host = text(request.headers(), header::HOST).unwrap_or_default();
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    if !matches!(name, "127.0.0.1" | "localhost" | "[::1]") {
        let why =
            "only http://127.0.0.1 and http://localhost are answered; start with --lan for others";
        return (StatusCode::FORBIDDEN, why).into_response();
    }
    next.run(request).await
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn comes_from_elsewhere(headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return false };
    let own = text(headers, header::HOST).map(|host| format!("http://{host}"));
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
    fn pages_of_other_sites_are_told_by_their_origin() {
        assert!(!comes_from_elsewhere(&headers("127.0.0.1:7777", None)));
        assert!(!comes_from_elsewhere(&headers("127.0.0.1:7777", Some("http://127.0.0.1:7777"))));
        assert!(comes_from_elsewhere(&headers("127.0.0.1:7777", Some("http://127.0.0.1:7778"))));
        assert!(comes_from_elsewhere(&headers("127.0.0.1:7777", Some("null"))));
    }

    #[test]
    fn tokens_are_long_and_differ() {
        let [a, b] = [Access::with_token().unwrap(), Access::with_token().unwrap()];
        assert_eq!(a.prefix().len(), 34);
        assert_ne!(a.prefix(), b.prefix());
    }
}
