//! Cards to print and cut: the code of each table, of the desk and of screens, to be scanned or typed.

use maud::{Markup, PreEscaped, html};
use qrcode::{QrCode, render::svg};

use crate::{
    cli::ledger::{address, called},
    ledger::{Code, Opens},
    words::{Language, say},
};

const STYLE: &str = "\
.cards { display: grid; grid-template-columns: 1fr 1fr; gap: 6mm }
.cards div { border: .3mm dashed #666; padding: 4mm; display: grid; grid-template-columns: 32mm 1fr; gap: 4mm; break-inside: avoid }
.cards svg { width: 32mm; height: 32mm }
.cards h2 { margin: 0; font-size: 15pt; text-transform: capitalize }
.cards code { font-size: 11pt; white-space: nowrap }
";

/// A card for each code; `root` is the server's address.
pub(super) fn cards(name: &str, codes: &[(Opens, Code)], root: &str, language: Language) -> Markup {
    let warned = say!(
        "A table's card lies on its table. Who has a code can use its page: keep the desk's to yourself."
    );
    html! {
        section {
            style { (PreEscaped(STYLE)) }
            h1 { (language.say(&say!("{name}: codes for phones", name = name))) }
            p { (language.say(&warned)) }
            .cards {
                @for (opens, code) in codes {
                    @let address = address(root, code);
                    div {
                        (drawn(&address))
                        span {
                            h2 { (language.say(&called(*opens))) }
                            p { code { (code.to_string()) } }
                            small { (address) }
                        }
                    }
                }
            }
        }
    }
}

/// An address as a code to scan; nothing where it is too long for one.
fn drawn(address: &str) -> Markup {
    let code = QrCode::new(address)
        .map(|code| code.render::<svg::Color<'_>>().min_dimensions(200, 200).build());
    // The SVG begins with an XML declaration, which HTML does not allow.
    let text = code.unwrap_or_default();
    let start = text.find("<svg").unwrap_or(0);
    html! { (PreEscaped(&text[start..])) }
}
