//! The addresses and codes that a session prints when it begins.

use std::{
    io::{self, IsTerminal as _, Write as _},
    net::IpAddr,
};

use qrcode::{QrCode, render::unicode};

use super::ledger::{listed, renewed};
use crate::{
    ledger::{Code, Ledger, LedgerError, Opens},
    server::{Client, Server, own_addresses},
};

/// A QR code for a terminal of any colours: blocks are drawn in the letters' colour, which would be the lighter one on
/// a dark ground.
fn on_white(code: &str) -> String {
    const BLACK_ON_WHITE: &str = "\x1b[30;107m";
    const AS_BEFORE: &str = "\x1b[0m";
    let lines: Vec<String> =
        code.lines().map(|line| format!("{BLACK_ON_WHITE}{line}{AS_BEFORE}")).collect();
    lines.join("\n")
}

/// The codes of a ledger.
pub(super) enum Codes {
    /// New codes, for a ledger without any.
    New(Vec<(Opens, Code)>),
    /// The number of existing codes, of which only hashes are stored.
    Known(usize),
}

impl Codes {
    /// The codes of a ledger; made if there are none.
    pub async fn of(ledger: &Ledger) -> Result<Self, LedgerError> {
        match ledger.codes().await?.len() {
            0 => Ok(Self::New(renewed(ledger).await?)),
            count => Ok(Self::Known(count)),
        }
    }

    fn text(self, server: &Server) -> String {
        let root = server.root();
        match self {
            Self::New(new) => format!(
                "Codes for the phones at the tables, the desk and screens, this once; `tilelens ledger codes` makes new ones:\n{}",
                listed(&new, Some(&root))
            ),
            Self::Known(count) => format!(
                "{count} codes of tables, desk and screens are valid: {root}CODE/ (new ones: tilelens ledger codes)\n"
            ),
        }
    }
}

/// A page's name in its address, and who uses it.
pub(super) type PageName = (&'static str, Client);

/// Prints where the pages are. A closed standard output is no reason to stop.
pub(super) fn greet(server: &Server, pages: &[PageName], lan: bool, codes: Option<Codes>) {
    let mut text = String::new();
    for (page, client) in pages {
        text += &format!("{page:10} {}{page}\n", server.address(*client));
    }
    if lan {
        text += &of_network(server, pages);
        text += &codes.map_or_else(String::new, |codes| codes.text(server));
        text += "Whoever has an address can use its pages: keep them off the stream.\n";
    }
    text += "Ctrl-C ends it.\n";
    let _ = io::stdout().write_all(text.as_bytes());
}

/// The phone page's code, this machine's addresses, and how programs on it get in.
fn of_network(server: &Server, pages: &[PageName]) -> String {
    let mut text = String::new();
    if let Ok(code) = QrCode::new(format!("{}phone", server.address(Client::Phone))) {
        let code = code.render::<unicode::Dense1x2>().quiet_zone(true).build();
        text += &if io::stdout().is_terminal() { on_white(&code) } else { code };
    }
    text += "\nThe code is the phone page's.\n";
    let own = own_addresses();
    text += match own.is_empty() {
        true => {
            "This machine is in no network: connect it to the one that the phones are in, and start again.\n"
        }
        false => "This machine has these addresses (--host ADDRESS chooses):\n",
    };
    for address in own {
        let (ip, interface) = (address.ip.to_string(), address.interface);
        let is_used = server.host() == IpAddr::V4(address.ip);
        let used = if is_used { ", used above" } else { "" };
        let about = if address.is_virtual { ", a tunnel or virtual network" } else { "" };
        text += &format!("  {ip:15} {interface}{about}{used}\n");
    }
    text += if server.is_open_here() {
        "On this machine no token is needed:\n"
    } else {
        "On this machine, as for OBS (--no-token-here: without a token):\n"
    };
    for (page, client) in &pages[..2] {
        text += &format!("  {}{page}\n", server.address_here(*client));
    }
    if let Some(fingerprint) = server.made_certificate() {
        text += &format!(
            "The certificate was made here: browsers warn of it once. Go on if it is this one (SHA-256):\n  {fingerprint}\n"
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The dark half cells of a code in a terminal. `letters` and `ground` say which of its own colours are dark.
    fn shown(text: &str, letters: bool, ground: bool) -> Vec<Vec<bool>> {
        let mut rows = Vec::new();
        for line in text.lines() {
            let (mut upper, mut lower) = (Vec::new(), Vec::new());
            let (mut fore, mut back) = (letters, ground);
            let mut rest = line;
            while let Some(letter) = rest.chars().next() {
                if let Some(colours) = rest.strip_prefix("\x1b[") {
                    let (codes, after) = colours.split_once('m').unwrap();
                    for code in codes.split(';') {
                        match code {
                            "0" => (fore, back) = (letters, ground),
                            "30" => fore = true,
                            "107" => back = false,
                            other => panic!("{other}"),
                        }
                    }
                    rest = after;
                    continue;
                }
                let [top, bottom] = match letter {
                    ' ' => [back, back],
                    '\u{2588}' => [fore, fore],
                    '\u{2580}' => [fore, back],
                    '\u{2584}' => [back, fore],
                    other => panic!("{other}"),
                };
                upper.push(top);
                lower.push(bottom);
                rest = &rest[letter.len_utf8()..];
            }
            rows.extend([upper, lower]);
        }
        rows
    }

    #[test]
    fn a_code_is_dark_on_light_in_dark_terminals_too() {
        let code = QrCode::new("http://192.168.1.20:7777/0123456789abcdef/phone").unwrap();
        let text = code.render::<unicode::Dense1x2>().quiet_zone(true).build();
        let width = code.width();
        let colours = code.to_colors();
        for (letters, ground) in [(true, false), (false, true)] {
            let rows = shown(&on_white(&text), letters, ground);
            for (y, row) in rows.iter().enumerate() {
                for (x, is_dark) in row.iter().enumerate() {
                    // Four light cells all around.
                    let at = |place: usize| place.checked_sub(4).filter(|place| *place < width);
                    let of_code = at(x).zip(at(y)).map(|(x, y)| colours[y * width + x]);
                    assert_eq!(*is_dark, of_code == Some(qrcode::Color::Dark), "{x} {y}");
                }
            }
            assert!(rows.len() >= width + 8);
        }
        assert_ne!(
            shown(&text, false, true),
            shown(&text, true, false),
            "without colours it differs"
        );
    }
}
