//! Addresses of streams. Cameras carry names, passwords and keys in theirs, which must never be shown.
//!
//! An [`Address`] knows its secrets. Printed, it shows `…` in the place of each, and [`Address::mask`] does the
//! same to other programs' messages, such as `ffmpeg`'s.

use std::{fmt, ops::Range};

/// Replaces a secret.
const HIDDEN: &str = "…";
/// Shortest secret, in bytes, that is hidden inside words; a shorter one is hidden only as a word by itself.
const SHORT: usize = 4;
/// Parts of names of secret parameters: `passwd`, `loginpas`, `access_token`, `userPwd` …
const SECRET_NAMES: &str = "pas pw psw secret token key auth user usr login account cred sig hash jwt otp \
                            ticket session streamid";
/// Names of secret parameters that are too short to be searched for inside others.
const SHORT_NAMES: [&str; 4] = ["u", "p", "sid", "pin"];

/// A stream's address. `Display` and `Debug` print it without its secrets; only [`Address::typed`] gives all of
/// it.
#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    typed: String,
    shown: String,
    /// Each secret, as typed and percent-decoded.
    secrets: Vec<Vec<u8>>,
}

impl Address {
    /// Takes an address as typed. Any text is valid: everything that looks like a name with a password before an
    /// `@` counts as secret, with any characters, and so do parameters with secret names.
    #[must_use]
    pub fn new(typed: &str) -> Self {
        let parts = Parts::of(typed);
        let shown = hide(typed, &parts.hidden);
        let mut secrets: Vec<Vec<u8>> = Vec::new();
        for secret in parts.secrets {
            let decoded = Decoded::of(secret).bytes;
            secrets.extend([secret.as_bytes().to_vec(), decoded]);
        }
        secrets.retain(|secret| !secret.is_empty());
        secrets.sort();
        secrets.dedup();
        Self { typed: typed.to_owned(), shown, secrets }
    }

    /// The whole address with its secrets, for connecting to it; it must not be shown.
    #[must_use]
    pub fn typed(&self) -> &str {
        &self.typed
    }

    /// Whether it has any secret.
    #[must_use]
    pub fn has_secrets(&self) -> bool {
        !self.secrets.is_empty()
    }

    /// The cure if a connection fails, where the address itself may be wrong.
    #[must_use]
    pub fn advice(&self) -> Option<&'static str> {
        let user_info = Parts::of(&self.typed).user_info?;
        user_info.contains(['/', '?', '#']).then_some(
            "a password with / ? or # in it has to be written percent-encoded: %2F %3F %23",
        )
    }

    /// A text without the secrets of this address (as typed, percent-decoded, or wholly or partly percent-
    /// encoded), and without those of other addresses in it.
    #[must_use]
    pub fn mask(&self, text: &str) -> String {
        if self.has_secrets() {
            for whole in [&self.typed, &self.shown] {
                if let Some((before, after)) = text.split_once(whole.as_str()) {
                    return [self.mask(before), self.shown.clone(), self.mask(after)].concat();
                }
            }
        }
        mask_addresses(&self.hide_secrets(text))
    }

    fn hide_secrets(&self, text: &str) -> String {
        let views = [Decoded::plain(text), Decoded::of(text)];
        let mut places: Vec<Range<usize>> = (self.secrets.iter())
            .flat_map(|secret| views.iter().flat_map(|view| view.places_of(secret)))
            .collect();
        places.sort_by_key(|place| place.start);
        hide(text, &places)
    }
}

/// A text with [`HIDDEN`] in the place of each of these ranges, which are sorted and may overlap.
fn hide(text: &str, places: &[Range<usize>]) -> String {
    let mut masked = String::new();
    let mut end = 0;
    for place in places {
        if place.start >= end {
            masked.push_str(text.get(end..place.start).unwrap_or_default());
            masked.push_str(HIDDEN);
        }
        end = end.max(place.end);
    }
    masked.push_str(text.get(end..).unwrap_or_default());
    masked
}

/// A text without the secrets of the addresses in it, for example one to which a camera has redirected.
#[must_use]
pub fn mask_addresses(text: &str) -> String {
    const QUOTES: [char; 6] = ['"', '\'', '`', '<', '>', '|'];
    let Some(middle) = text.find("://") else { return text.to_owned() };
    let is_scheme = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    let start = text[..middle].trim_end_matches(is_scheme).len();
    let ends = |c: char| c.is_whitespace() || c.is_control() || QUOTES.contains(&c);
    let address = text[start..].split(ends).next().unwrap_or_default();
    let address = address.trim_end_matches([':', ';', ',', '.', ')', ']']);
    let (before, after) = (&text[..start], &text[start + address.len()..]);
    // Of "a://" alone only the scheme is left.
    let (address, after) = if address.len() <= middle + 3 - start {
        (text[start..middle + 3].to_owned(), &text[middle + 3..])
    } else {
        (Address::new(address).shown, after)
    };
    [before, &address, &mask_addresses(after)].concat()
}

/// The secrets of an address: their places, and the words to search for in other texts.
struct Parts<'a> {
    /// The name and password before the host.
    user_info: Option<&'a str>,
    hidden: Vec<Range<usize>>,
    secrets: Vec<&'a str>,
}

impl<'a> Parts<'a> {
    fn of(typed: &'a str) -> Self {
        let (mut hidden, mut secrets) = (Vec::new(), Vec::new());
        let start = typed.find("://").map_or(0, |scheme| scheme + 3);
        let rest = &typed[start..];
        let has_scheme = start > 0;
        let is_info = |end: &usize| *end > 0 && (has_scheme || rest[..*end].contains(':'));
        let end = user_info(rest).filter(is_info);
        if let Some(end) = end {
            hidden.push(start..start + end);
            secrets.push(&rest[..end]);
            let (user, password) = rest[..end].split_once(':').unwrap_or((&rest[..end], ""));
            secrets.extend([user, password]);
            // `ffmpeg` takes a part of a password for the host if it holds one of these; and in a text that is
            // not an address the name may begin anywhere.
            let pieces = if has_scheme { password } else { &rest[..end] };
            secrets.extend(pieces.split([':', '@', '/', '?', '#', '=']));
        }
        let from = start + end.map_or(0, |end| end + 1);
        if has_scheme || typed.contains('?') {
            for value in parameters(&typed[from..]) {
                let value = from + value.start..from + value.end;
                secrets.push(&typed[value.clone()]);
                if hidden.last().is_none_or(|last: &Range<usize>| last.end <= value.start) {
                    hidden.push(value);
                }
            }
        }
        Self { user_info: end.map(|end| &rest[..end]), hidden, secrets }
    }
}

/// The end of the name and password before a host, at their `@`; `None` without them.
///
/// People type passwords unencoded, with `@`, `/`, `?` and `#` in them. An `@` that may belong to the password or
/// to the path counts as the password's: it is better to hide too much than too little.
fn user_info(rest: &str) -> Option<usize> {
    // A `#` ends nothing: what comes after it means nothing to a camera.
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let authority = &rest[..end];
    let own = authority.rfind('@');
    let host = &authority[own.map_or(0, |at| at + 1)..];
    let trusted = is_host(host) && (own.is_some() || is_sure(host) || !authority.contains(':'));
    let path = match rest[end..].split_once('?') {
        Some((path, query)) if trusted && !path.is_empty() && is_query(query) => path,
        _ => &rest[end..],
    };
    let Some(later) = path.rfind('@').map(|at| end + at) else { return own };
    let is_name_alone = own.is_none() && !rest[..later].contains(':');
    if is_host(host) && (is_sure(host) || is_name_alone) { own } else { Some(later) }
}

/// Whether it can be a host with or without a port.
fn is_host(text: &str) -> bool {
    let (name, port) = match text.rfind(':') {
        Some(colon) if !text.ends_with(']') => (&text[..colon], &text[colon + 1..]),
        _ => (text, "0"),
    };
    let is_name = |c: char| c.is_alphanumeric() || "-._".contains(c);
    let is_number = |c: char| c.is_ascii_hexdigit() || ":.%".contains(c);
    let inside = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
    let is_named = match inside {
        Some(number) => number.chars().all(is_number),
        None => !name.is_empty() && name.chars().all(is_name),
    };
    is_named && port.len() <= 5 && !port.is_empty() && port.chars().all(|c| c.is_ascii_digit())
}

/// Whether a host is one beyond doubt, and no part of a password: it has a dot or brackets.
fn is_sure(host: &str) -> bool {
    host.contains('.') || host.starts_with('[') || host.split(':').next() == Some("localhost")
}

/// Whether a text consists of parameters, each with a name and a value.
fn is_query(text: &str) -> bool {
    text.split('&').all(|item| item.split_once('=').is_some_and(|(name, _)| is_name(name)))
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_of_name)
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-_.[]%".contains(c)
}

/// The values of secret parameters, each from its `=` to the next `&`: in the query, and in the path, where some
/// cameras have them.
fn parameters(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.match_indices('=').filter_map(|(at, _)| {
        let name = &text[text[..at].trim_end_matches(is_of_name).len()..at];
        let end = text[at..].find('&').map_or(text.len(), |length| at + length);
        (is_secret(name) && end > at + 1).then_some(at + 1..end)
    })
}

fn is_secret(name: &str) -> bool {
    let name = String::from_utf8_lossy(&Decoded::of(name).bytes).to_ascii_lowercase();
    SHORT_NAMES.contains(&name.as_str()) || SECRET_NAMES.split(' ').any(|part| name.contains(part))
}

/// A percent-decoded text, and the origin of each of its bytes.
struct Decoded {
    bytes: Vec<u8>,
    /// One more than the bytes: the last is the text's length.
    from: Vec<usize>,
}

impl Decoded {
    fn of(text: &str) -> Self {
        let raw = text.as_bytes();
        let digit = |at: usize| raw.get(at).and_then(|byte| char::from(*byte).to_digit(16));
        let (mut bytes, mut from, mut at) = (Vec::new(), Vec::new(), 0);
        while let Some(byte) = raw.get(at) {
            from.push(at);
            match (byte, digit(at + 1), digit(at + 2)) {
                (b'%', Some(high), Some(low)) => {
                    bytes.push((16 * high + low) as u8);
                    at += 3;
                }
                _ => {
                    bytes.push(*byte);
                    at += 1;
                }
            }
        }
        from.push(at);
        Self { bytes, from }
    }

    /// The text unchanged.
    fn plain(text: &str) -> Self {
        Self { bytes: text.as_bytes().to_vec(), from: (0..=text.len()).collect() }
    }

    /// The places of a secret in the text.
    fn places_of(&self, secret: &[u8]) -> impl Iterator<Item = Range<usize>> {
        let is_word = |at: usize| self.bytes.get(at).is_some_and(u8::is_ascii_alphanumeric);
        let found = self.bytes.windows(secret.len()).enumerate();
        found.filter_map(move |(at, window)| {
            let end = at + secret.len();
            let inside = (at > 0 && is_word(at - 1)) || is_word(end);
            let counts = window == secret && (secret.len() >= SHORT || !inside);
            counts.then(|| self.from[at]..self.from[end])
        })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.shown, f)
    }
}
#[cfg(test)]
mod tests {
    use super::*;

    fn shown(address: &str) -> String {
        Address::new(address).to_string()
    }

    #[test]
    fn names_and_passwords_are_hidden_whatever_they_hold() {
        for (address, seen) in [
            ("rtsp://me:secret@cam/live", "rtsp://…@cam/live"),
            ("rtsp://me@cam/live", "rtsp://…@cam/live"),
            ("rtsp://me:p@ss#w0rd!@cam:554/live", "rtsp://…@cam:554/live"),
            ("rtsp://me:a/b@cam/live", "rtsp://…@cam/live"),
            ("rtsp://me:a?b@cam/live", "rtsp://…@cam/live"),
            ("rtsp://me:a:b@10.0.0.7/live", "rtsp://…@10.0.0.7/live"),
            ("rtsp://me:@:#/?@10.0.0.7/live", "rtsp://…@10.0.0.7/live"),
            ("rtsp://me:p%40ss@[fe80::1]:554/live", "rtsp://…@[fe80::1]:554/live"),
            ("rtsp:/me:secret@cam/live", "…@cam/live"),
            ("me:secret@cam/live", "…@cam/live"),
            ("table.toml=rtsp://me:secret@cam/live", "table.toml=rtsp://…@cam/live"),
            ("rtsp://me:secret@cam/live?a=@b", "rtsp://…@cam/live?a=@b"),
        ] {
            assert_eq!(shown(address), seen, "{address}");
        }
    }

    #[test]
    fn parameters_that_say_so_are_hidden() {
        for (address, seen) in [
            (
                "http://cam/v.cgi?user=me&password=a/b@c&channel=1",
                "http://cam/v.cgi?user=…&password=…&channel=1",
            ),
            ("http://cam/v?loginuse=me&loginPas=x", "http://cam/v?loginuse=…&loginPas=…"),
            ("http://cam/v?pass%77ord=x&size=2", "http://cam/v?pass%77ord=…&size=2"),
            ("srt://cam:9?passphrase=long+one&mode=caller", "srt://cam:9?passphrase=…&mode=caller"),
            (
                "rtsp://10.0.0.7/user=me&password=x&channel=1",
                "rtsp://10.0.0.7/user=…&password=…&channel=1",
            ),
            ("rtsp://10.0.0.7/user=me_password=x_channel=1.sdp", "rtsp://10.0.0.7/user=…"),
            ("10.0.0.7/v?access_token=x", "10.0.0.7/v?access_token=…"),
        ] {
            assert_eq!(shown(address), seen, "{address}");
        }
    }

    #[test]
    fn addresses_without_secrets_stay_as_they_are() {
        for address in [
            "rtsp://cam/live@home",
            "http://cam.local:8080/live@home?channel=1&size=1280x720",
            "http://localhost:8080/a:b@c",
            "http://10.0.0.7:8080/video?channel=1&loop",
            "udp://@239.0.0.1:1234",
            "a@b.mp4",
            "match?loop",
        ] {
            assert_eq!(shown(address), address);
        }
    }

    #[test]
    fn what_others_say_is_masked_in_every_form() {
        let address = Address::new("http://me:p%40ss w0rd@cam/v?key=a+b!&x=1");
        for said in [
            "http://me:p%40ss w0rd@cam/v?key=a+b!&x=1: not found",
            "password p@ss w0rd refused",
            "http://me:p%40ss%20w0rd@cam/other failed",
            "for me: p%40%73s%20w0rd",
            "key a+b%21, key %61%2B%62%21",
        ] {
            let masked = address.mask(said);
            for secret in ["p%40", "p@ss", "w0rd", "me:", "a+b", "%2B"] {
                assert!(!masked.contains(secret), "{said}: {masked}");
            }
        }
        assert_eq!(
            address.mask("http://me:p%40ss w0rd@cam/v?key=a+b!&x=1: gone"),
            "http://…@cam/v?key=…&x=1: gone"
        );
        assert_eq!(address.mask("some men came home"), "some men came home", "a short name");
        let redirected =
            "to http://you:other@cdn.test/a?token=abc: 404; see https://help.test/a://";
        let seen = "to http://…@cdn.test/a?token=…: 404; see https://help.test/a://";
        assert_eq!(address.mask(redirected), seen);
    }

    #[test]
    fn a_host_that_ffmpeg_finds_in_a_password_is_masked() {
        let address = Address::new("rtsp://admin:p@ss#w0rd!@127.0.0.1/live");
        let said = address.mask("Failed to resolve hostname ss: Name or service not known");
        assert_eq!(said, "Failed to resolve hostname …: Name or service not known");
    }
}
