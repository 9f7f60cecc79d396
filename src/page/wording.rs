//! The wording of doubts and refusals on pages: a page names its field where a terminal names an option. Doubts are
//! sentences that the page looks up in its language.

use std::fmt::Display;

use crate::{
    appraisal::{Withheld, Worded, Words},
    cure::Cure,
    layout::{Doubt, Effect, Uncertainty},
    words::{Say, say},
};

/// A doubt, its cure and its effect.
pub fn doubt(doubt: &Doubt) -> Vec<Say> {
    let same = doubt.effect == Some(Effect::SameForAny);
    let cure = cure_of(&doubt.why).filter(|_| !same);
    let effect = doubt.effect.as_ref().map(Effect::sentence);
    [Some(doubt.why.sentence()), cure, effect].into_iter().flatten().collect()
}

/// The reason for no score, and its cure.
pub fn withheld(why: &Withheld) -> Vec<Say> {
    let cure = match why {
        Withheld::WinUnknown => Some(say!("choose the winner and how it was won")),
        Withheld::TooUnsure(_) => Some(say!("settle the doubts")),
        Withheld::WinningUnknown => Some(name_winning()),
        Withheld::Doubted(why) => cure_of(why),
        _ => None,
    };
    [Some(why.sentence()), cure].into_iter().flatten().collect()
}

/// The words of pages.
pub const WORDS: Words =
    Words { doubt: |it| worded(doubt(it)), withheld: |why| worded(withheld(why)) };

fn worded(said: Vec<Say>) -> Worded {
    Worded { why: joined(&said), said }
}

/// Sentences one after the other, in English.
pub fn joined(sentences: &[Say]) -> String {
    let sentences: Vec<String> = sentences.iter().map(|it| labels(&it.english())).collect();
    sentences.join("; ")
}

fn name_winning() -> Say {
    say!("name it under “winning tile”")
}

fn cure_of(why: &Uncertainty) -> Option<Say> {
    match why {
        Uncertainty::UnknownFace | Uncertainty::StrayBonus { .. } => {
            Some(say!("choose it and say what it is"))
        }
        Uncertainty::FourBacks => Some(say!("say what they hide under “hidden kong tiles”")),
        Uncertainty::UnnamedIndicators(tiles) => {
            Some(say!("name it under “dora indicators”: {tiles}", tiles))
        }
        why if why.is_of_winning() => Some(name_winning()),
        _ => None,
    }
}

/// A refusal and its cure.
pub fn refusal(error: impl Display, cure: Option<&Cure>) -> String {
    let cure = cure.map_or("", |cure| match cure {
        Cure::Cost => ": say what it costs under “points”",
        Cure::TileWas => " Say it under “that tile had been”",
        Cure::Tenpai => " Tick them under “a draw”",
        Cure::WholeDeal => ": enter the whole deal",
        Cure::AbortiveDraw => ": say so under “a draw”",
        Cure::Taken => " under “taken”",
        Cure::Wins(_) => ": say it under “won” (0 for none)",
        Cure::Payments
        | Cure::ListEvents
        | Cure::ByMeetings
        | Cure::EndSession
        | Cure::UndoAtTable(_) => "",
    });
    labels(&format!("{error}{cure}"))
}

/// A text that names fields of a request, `dora_indicators`, with their labels on the page: “dora indicators”.
pub fn labels(text: &str) -> String {
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
    fn fields_are_named_as_the_page_names_them() {
        for (text, labelled) in [
            (
                "`ippatsu` without `riichi` or `double_riichi`",
                "“ippatsu” without “riichi” or “double riichi”",
            ),
            ("no rule set `a.toml`; one ` stays", "no rule set `a.toml`; one ` stays"),
            (
                "cannot open /home/b_o/x_y.tlg (b_o/x): (",
                "cannot open /home/b_o/x_y.tlg (b_o/x): (",
            ),
        ] {
            assert_eq!(labels(text), labelled);
        }
    }
}
