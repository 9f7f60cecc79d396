//! The wording of doubts in a terminal: the cure is an option.

use crate::{
    appraisal::{Withheld, Words},
    layout::{Doubt, Effect, Uncertainty},
};

/// A doubt, its cure and its effect.
pub(in crate::cli) fn said(doubt: &Doubt) -> String {
    let same = doubt.effect == Some(Effect::SameForAny);
    let cure = cure(&doubt.why, doubt.tile).filter(|_| !same);
    let effect = doubt.effect.as_ref().map(|effect| effect.sentence().english());
    [
        Some(doubt.why.to_string()),
        cure.map(|cure| format!(": {cure}")),
        effect.map(|it| format!("; {it}")),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The reason for no score, and its cure.
pub(super) fn withheld(why: &Withheld) -> String {
    let cure = match why {
        Withheld::WinUnknown => {
            Some("give --seat, --round, and either --self-draw or --from SEAT".to_owned())
        }
        Withheld::TooUnsure(_) => Some("settle the doubts, such as --fix 3=5p".to_owned()),
        Withheld::WinningUnknown => Some(NAME_WINNING.to_owned()),
        Withheld::Doubted(why) => cure(why, None),
        _ => None,
    };
    cure.map_or_else(|| why.to_string(), |cure| format!("{why}: {cure}"))
}

/// The words of a terminal.
pub(super) const WORDS: Words =
    Words { doubt: |doubt| said(doubt).into(), withheld: |why| withheld(why).into() };

/// The option that names the winning tile.
const NAME_WINNING: &str = "name it, such as --winning 5p";

fn cure(why: &Uncertainty, tile: Option<usize>) -> Option<String> {
    let fix = |is: String| tile.map(|tile| format!("correct it, such as --fix {tile}={is}"));
    match why {
        Uncertainty::UnknownFace => fix("5p".to_owned()),
        Uncertainty::StrayBonus { bonus, .. } => fix(bonus.to_string()),
        Uncertainty::KongsByCount { .. } => {
            Some("give --kongs concealed or --kongs claimed".to_owned())
        }
        Uncertainty::FourBacks => Some("give it, such as --hidden 5p".to_owned()),
        Uncertainty::UnnamedIndicators(tiles) => Some(format!("give it with --dora {tiles}")),
        why if why.is_of_winning() => Some(NAME_WINNING.to_owned()),
        _ => None,
    }
}
