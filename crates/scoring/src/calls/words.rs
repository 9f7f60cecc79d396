//! The wording of doubts in the packages: the cure is an argument, in words that both languages write alike.

use crate::{
    appraisal::{Withheld, Words},
    layout::{Doubt, Effect, Uncertainty},
};

/// The words of the packages.
pub const WORDS: Words =
    Words { doubt: |doubt| said(doubt).into(), withheld: |why| withheld(why).into() };

/// The argument that names the winning tile.
const NAME_WINNING: &str = "name it in `winning`, such as \"5p\"";

fn said(doubt: &Doubt) -> String {
    let same = doubt.effect == Some(Effect::SameForAny);
    let cure = cure(&doubt.why, doubt.tile).filter(|_| !same);
    let effect = doubt.effect.as_ref().map(|effect| effect.sentence().english());
    let parts = [cure.map(|cure| format!(": {cure}")), effect.map(|it| format!("; {it}"))];
    std::iter::once(doubt.why.to_string()).chain(parts.into_iter().flatten()).collect()
}

fn withheld(why: &Withheld) -> String {
    let cure = match why {
        Withheld::WinUnknown => Some("give seat, round and win".to_owned()),
        Withheld::TooUnsure(_) => {
            Some("settle the doubts in `fixes`, such as {3: \"5p\"}".to_owned())
        }
        Withheld::WinningUnknown => Some(NAME_WINNING.to_owned()),
        Withheld::Doubted(why) => cure(why, None),
        _ => None,
    };
    cure.map_or_else(|| why.to_string(), |cure| format!("{why}: {cure}"))
}

fn cure(why: &Uncertainty, tile: Option<usize>) -> Option<String> {
    let fix = |is: String| {
        tile.map(|tile| format!("correct it in `fixes`, such as {{{tile}: \"{is}\"}}"))
    };
    match why {
        Uncertainty::UnknownFace => fix("5p".to_owned()),
        Uncertainty::StrayBonus { bonus, .. } => fix(bonus.to_string()),
        Uncertainty::KongsByCount { .. } => {
            Some("give `kongs`, \"concealed\" or \"claimed\"".to_owned())
        }
        Uncertainty::FourBacks => Some("give it in `hidden`, such as \"5p\"".to_owned()),
        Uncertainty::UnnamedIndicators(tiles) => {
            Some(format!("give `dora_indicators`, \"{tiles}\""))
        }
        why if why.is_of_winning() => Some(NAME_WINNING.to_owned()),
        _ => None,
    }
}
