//! What is in doubt, said to people in front of a page: where the terminal names an option, the page
//! names its field.

/// What the terminal says, and what the page says instead.
const WORDS: [(&str, &str); 7] = [
    (", such as --winning 5p", " under “winning tile”"),
    (", such as --hidden 5p", " under “hidden kong tiles”"),
    (" (--kongs claimed)", ""),
    (", such as --dora ", " under “dora indicators”: "),
    ("say --seat, --round, and --self-draw or --from", "choose the winner and how it was won"),
    ("settle the doubts, such as --fix 3=5p", "settle the doubts"),
    (": say what it is, such as --fix ", ": choose it and say what it is"),
];

/// The same sentence for a page.
pub(super) fn for_pages(why: &str) -> String {
    let mut said = why.to_owned();
    for (option, field) in WORDS {
        if let Some((before, after)) = said.split_once(option) {
            // The example of a correction names the tile's number.
            let number = option.ends_with("--fix ");
            let rest = if number {
                after.split_once("=5p").map_or(after, |(_, rest)| rest)
            } else {
                after
            };
            said = format!("{before}{field}{rest}");
        }
    }
    said
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
        ] {
            assert_eq!(for_pages(why), said);
        }
    }
}
