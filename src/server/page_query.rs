//! The options in the address of a page for viewers (`/overlay?theme=light`). They are checked here, so that a misspelt
//! option is reported on the page and in the terminal, and pages get valid values.

use crate::words::LANGUAGES;

/// An option of a page: its name and the kind of its values.
pub(super) type PageOption = (&'static str, OptionKind);

/// The values of an option.
pub(super) enum OptionKind {
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// Whole seconds up to this number.
    Seconds(u32),
    /// A colour to be keyed out.
    Colour,
    /// `panel:corner` pairs with commas between, for these panels.
    Places(&'static [&'static str]),
    /// A time of day (`20:30`), or a moment with its date.
    Time,
    /// Any text up to this number of letters.
    Text(usize),
}

/// The options of `/overlay`.
pub(super) const OVERLAY: &[PageOption] = &[
    ("theme", OptionKind::OneOf(&["dark", "light", "felt", "ink"])),
    ("layout", OptionKind::OneOf(&["hand", "table"])),
    ("part", OptionKind::OneOf(&PARTS)),
    ("place", OptionKind::Places(&["hand", "score", "standings", "round", "logo"])),
    ("background", OptionKind::Colour),
    ("delay", OptionKind::Seconds(600)),
    ("until", OptionKind::Time),
    ("text", OptionKind::Text(120)),
    ("after", OptionKind::OneOf(&["confirm"])),
    ("lang", OptionKind::OneOf(&LANGUAGES)),
];
/// The parts of the overlay, each of which can be a source of its own.
const PARTS: [&str; 10] = [
    "hand",
    "score",
    "seats",
    "waits",
    "standings",
    "clock",
    "title",
    "last-deal",
    "countdown",
    "break",
];
/// The options of `/scoreboard`.
pub(super) const SCOREBOARD: &[PageOption] = &[
    ("show", OptionKind::OneOf(&["standings", "seating", "names", "clock", "table"])),
    ("turn", OptionKind::Seconds(600)),
    ("lang", OptionKind::OneOf(&LANGUAGES)),
];

const CORNERS: [&str; 6] =
    ["top-left", "top", "top-right", "bottom-left", "bottom", "bottom-right"];
/// Colours that are keyed out, by name.
const COLOURS: [(&str, &str); 6] = [
    ("green", "#00ff00"),
    ("blue", "#0000ff"),
    ("magenta", "#ff00ff"),
    ("black", "#000000"),
    ("white", "#ffffff"),
    ("transparent", "transparent"),
];

/// The checked options of an address.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct PageQuery {
    /// Options with valid values.
    pub data: Vec<(&'static str, String)>,
    /// A message for each rejected option.
    pub wrong: Vec<String>,
}

impl PageQuery {
    /// Checks a query.
    pub fn of(query: &[(String, String)], options: &[PageOption]) -> Self {
        let mut asked = Self::default();
        for (name, value) in query {
            let Some((name, takes)) = options.iter().find(|(known, _)| known == name) else {
                let known: Vec<&str> = options.iter().map(|(known, _)| *known).collect();
                asked.wrong.push(format!(
                    "There is no option “{}”; there are: {}.",
                    shown(name),
                    known.join(", ")
                ));
                continue;
            };
            match takes.read(value) {
                Some(value) => asked.data.push((name, value)),
                None => asked.wrong.push(format!(
                    "“{name}” takes {}, not “{}”.",
                    takes.about(),
                    shown(value)
                )),
            }
        }
        asked
    }
}

/// A word of an address as messages repeat it: shortened and escaped for the terminal.
fn shown(text: &str) -> String {
    text.chars().take(40).flat_map(char::escape_debug).collect()
}

impl OptionKind {
    /// The value as the page gets it; `None` if it is invalid.
    fn read(&self, value: &str) -> Option<String> {
        match self {
            Self::OneOf(words) => words.contains(&value).then(|| value.to_owned()),
            Self::Seconds(most) => {
                let seconds: u32 = value.parse().ok()?;
                (seconds <= *most).then(|| seconds.to_string())
            }
            Self::Colour => {
                if let Some((_, colour)) = COLOURS.iter().find(|(name, _)| *name == value) {
                    return Some((*colour).to_owned());
                }
                let digits = value.strip_prefix('#').unwrap_or(value);
                let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
                (is_hex && matches!(digits.len(), 3 | 6)).then(|| format!("#{digits}"))
            }
            Self::Places(panels) => {
                let is_place = |place: &str| {
                    place.split_once(':').is_some_and(|(panel, corner)| {
                        panels.contains(&panel) && CORNERS.contains(&corner)
                    })
                };
                value.split(',').all(is_place).then(|| value.to_owned())
            }
            Self::Time => {
                let time = value.parse::<jiff::civil::Time>().is_ok_and(|_| value.len() == 5);
                let moment = value.parse::<jiff::civil::DateTime>().is_ok() && value.contains('T');
                (time || moment || value.parse::<jiff::Timestamp>().is_ok())
                    .then(|| value.to_owned())
            }
            Self::Text(most) => (value.chars().count() <= *most).then(|| value.to_owned()),
        }
    }

    /// The values, for people.
    fn about(&self) -> String {
        match self {
            Self::OneOf(words) => words.join(", "),
            Self::Seconds(most) => format!("whole seconds up to {most}"),
            Self::Colour => {
                let names: Vec<&str> = COLOURS.iter().map(|(name, _)| *name).collect();
                format!("{}, or six hexadecimal digits such as 00b140", names.join(", "))
            }
            Self::Places(panels) => format!(
                "a panel ({}) and a place ({}), such as hand:top-left,score:bottom-right",
                panels.join(", "),
                CORNERS.join(", ")
            ),
            Self::Time => "a time such as 20:30, or 2026-05-01T20:30".to_owned(),
            Self::Text(most) => format!("up to {most} letters"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(query: &[(&str, &str)]) -> PageQuery {
        let query: Vec<(String, String)> =
            query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        PageQuery::of(&query, OVERLAY)
    }

    #[test]
    fn good_values_are_handed_on() {
        for (name, value, is) in [
            ("theme", "felt", "felt"),
            ("lang", "da", "da"),
            ("part", "last-deal", "last-deal"),
            ("delay", "600", "600"),
            ("background", "green", "#00ff00"),
            ("background", "00b140", "#00b140"),
            ("background", "#0af", "#0af"),
            ("place", "hand:top-left,score:bottom", "hand:top-left,score:bottom"),
            ("until", "20:30", "20:30"),
            ("until", "2026-05-01T20:30", "2026-05-01T20:30"),
            ("until", "2026-05-01T20:30:00Z", "2026-05-01T20:30:00Z"),
            ("text", "Back at \"eight\" <soon>", "Back at \"eight\" <soon>"),
        ] {
            let of = asked(&[(name, value)]);
            assert_eq!(of, PageQuery { data: vec![(name, is.to_owned())], wrong: Vec::new() });
        }
    }

    #[test]
    fn what_is_misspelt_is_said_and_the_rest_holds() {
        for (name, value, said) in [
            ("plce", "hand:top", "no option “plce”; there are: theme, layout, part, place"),
            ("lang", "fr", "“lang” takes en, da, de, ja, zh, not “fr”"),
            ("theme", "drak", "“theme” takes dark, light, felt, ink, not “drak”"),
            ("delay", "601", "“delay” takes whole seconds up to 600, not “601”"),
            ("delay", "-1", "not “-1”"),
            ("background", "gren", "“background” takes green, blue"),
            ("background", "12345", "not “12345”"),
            ("place", "hand:left", "such as hand:top-left,score:bottom-right, not “hand:left”"),
            ("place", "hand:top-left,", "“place” takes"),
            ("until", "25:00", "“until” takes a time such as 20:30"),
            ("until", "tonight", "not “tonight”"),
            ("layout", "\u{1b}[31m", "not “\\u{1b}[31m”"),
        ] {
            let of = asked(&[(name, value), ("theme", "light")]);
            assert_eq!(of.data, [("theme", "light".to_owned())], "{name}={value}");
            assert_eq!(of.wrong.len(), 1);
            assert!(of.wrong[0].contains(said), "{:?}", of.wrong);
        }
    }
}
