//! What is in doubt, said to people in front of a page: where the terminal names an option, the page
//! names its field.

/// What the terminal says, and what the page says instead.
const WORDS: [(&str, &str); 17] = [
    (": `--by meetings` lays them out without", ""),
    (", such as --winning 5p", " under “winning tile”"),
    (", such as --hidden 5p", " under “hidden kong tiles”"),
    (" (--kongs claimed)", ""),
    (", such as --dora ", " under “dora indicators”: "),
    ("say --seat, --round, and --self-draw or --from", "choose the winner and how it was won"),
    ("settle the doubts, such as --fix 3=5p", "settle the doubts"),
    (": say what it is, such as --fix ", ": choose it and say what it is"),
    ("? say --tenpai Ann,Bo, or --noten for nobody", "? Tick them under “a draw”"),
    (" (tilelens table draw --abortive CAUSE)", ": say so under “a draw”"),
    (
        " Say --tile own, passed or fresh (neither), or enter the discards",
        " Say it under “that tile had been”",
    ),
    (": say it (--points 10)", ": say it under “points”"),
    (": say what it costs (--points 10)", ": say what it costs under “points”"),
    (": say what everybody paid (--pay),", ": say what everybody received and paid,"),
    (
        ", or say what penalties took from the table (--taken 20)",
        ", or say under “taken” what penalties took",
    ),
    (": --wins ", ": say it under “won”"),
    (" (tilelens table log lists them)", ""),
];

/// The same sentence for a page.
pub fn for_pages(why: &str) -> String {
    let mut said = why.to_owned();
    for (option, field) in WORDS {
        if let Some((before, after)) = said.split_once(option) {
            // The example of a correction names the tile's number, that of a new player his name.
            let rest = if option.ends_with("--fix ") {
                after.split_once("=5p").map_or(after, |(_, rest)| rest)
            } else if option.ends_with("--wins ") {
                after.split_once("=1\"").map_or(after, |(_, rest)| rest)
            } else {
                after
            };
            said = format!("{before}{field}{rest}");
        }
    }
    causes_as_words(&fields_as_words(&said))
}

/// A cause that stands in brackets, (too_many_tiles), as the page writes it.
fn causes_as_words(text: &str) -> String {
    let is_cause = |part: &str| part.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    let mut parts = text.split('(');
    let mut said = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        said.push('(');
        match part.split_once(')') {
            Some((cause, rest)) if is_cause(cause) => {
                said.push_str(&cause.replace('_', " "));
                said.push(')');
                said.push_str(rest);
            }
            _ => said.push_str(part),
        }
    }
    said
}

/// A field of a request, `dora_indicators`, as the page writes it: “dora indicators”.
fn fields_as_words(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return text.to_owned();
    }
    let is_field = |part: &str| {
        let letters = part.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        letters && !part.is_empty()
    };
    let quoted = |(place, part): (usize, &&str)| match place % 2 {
        0 => (*part).to_owned(),
        _ if is_field(part) => format!("“{}”", part.replace('_', " ")),
        _ => format!("`{part}`"),
    };
    parts.iter().enumerate().map(quoted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_name_no_options() {
        for (why, said) in [
            (
                "no tile is marked as the winning one: name it, such as --winning 5p (score: 5p 40)",
                "no tile is marked as the winning one: name it under “winning tile” (score: 5p 40)",
            ),
            (
                "not recognised: say what it is, such as --fix 12=5p; the score stays the same",
                "not recognised: choose it and say what it is; the score stays the same",
            ),
            (
                "four backs: say what they hide, such as --hidden 5p",
                "four backs: say what they hide under “hidden kong tiles”",
            ),
            (
                "not sure enough for a score (71 %): settle the doubts, such as --fix 3=5p",
                "not sure enough for a score (71 %): settle the doubts",
            ),
            (
                "4p lies face up in the wall: a dora indicator is to be named, such as --dora 4p; then the score is 8000",
                "4p lies face up in the wall: a dora indicator is to be named under “dora indicators”: 4p; then the score is 8000",
            ),
            ("5p, or 6p (12 %)", "5p, or 6p (12 %)"),
            (
                "who was tenpai in the draw? say --tenpai Ann,Bo, or --noten for nobody",
                "who was tenpai in the draw? Tick them under “a draw”",
            ),
            (
                "`ippatsu` without `riichi` or `double_riichi`",
                "“ippatsu” without “riichi” or “double riichi”",
            ),
            (
                "`dora_indicators` is \"9q\": expected one to five tiles, such as 4p7z",
                "“dora indicators” is \"9q\": expected one to five tiles, such as 4p7z",
            ),
            ("no rule set `a.toml`; one ` stays", "no rule set `a.toml`; one ` stays"),
            ("no rule set `a.toml`", "no rule set `a.toml`"),
            (
                "Bo cannot win: a dead hand in this deal (wrong_place)",
                "Bo cannot win: a dead hand in this deal (wrong place)",
            ),
            (
                "cannot open /home/b_o/x_y.tlg (b_o/x): (",
                "cannot open /home/b_o/x_y.tlg (b_o/x): (",
            ),
            (
                "look at the score sheet, or say what penalties took from the table (--taken 20)",
                "look at the score sheet, or say under “taken” what penalties took",
            ),
            (
                "how often did Bo win at table 1 of round 1? A new player's minimum rises with every win: --wins \"Bo=1\" (0 for none)",
                "how often did Bo win at table 1 of round 1? A new player's minimum rises with every win: say it under “won” (0 for none)",
            ),
        ] {
            assert_eq!(for_pages(why), said);
        }
    }
}
