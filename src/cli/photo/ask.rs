//! Questions in a terminal: only about facts that are not visible and change the score, then corrections.

use std::io::{self, Write};

use super::{Kongs, PhotoTiles, Setting, again, fix, page};
#[cfg(feature = "vision")]
use crate::tileset::SetName;
use crate::{
    appraisal::Appraisal,
    cli::circumstance_args::RiichiArgs,
    hand::SetForm,
    layout::{PictureLayout, ShownHand, Uncertainty},
    rules::{Field, RuleSet},
    tile::{Seat, Tile},
};

/// Asks for everything that the score needs, then for corrections, with the page before each question.
pub(super) fn settle(setting: &mut Setting, looked: &PhotoTiles) -> anyhow::Result<Appraisal> {
    let args = &mut setting.args;
    if args.seat.is_none() {
        args.seat = ask("Winner's seat (E S W N)", seat)?;
    }
    if args.round.is_none() {
        args.round = ask("Round wind (E S W N)", seat)?;
    }
    if args.win.win().is_none() {
        let how = ask("Who discarded the winning tile (E S W N), or D for self-drawn", |text| {
            if text.eq_ignore_ascii_case("d") { Some(None) } else { seat(text).map(Some) }
        })?;
        match how {
            Some(None) => args.win.self_draw = true,
            Some(from) => args.win.from = from,
            None => {}
        }
    }
    let mut appraisal = again(setting, looked);
    if ask_of_riichi(&mut setting.args.win.riichi, &setting.rules, &appraisal.shown)? {
        appraisal = again(setting, looked);
    }
    loop {
        // Where there is a score, no answer changes it.
        let hand = appraisal.shown.hand.as_ref().filter(|_| appraisal.answer.is_none());
        let open = |about: fn(&Uncertainty) -> bool| {
            hand.is_some_and(|hand| hand.doubts.iter().any(|doubt| about(&doubt.why)))
        };
        let before = setting.args.hidden.len();
        if open(Uncertainty::is_of_winning) && setting.args.winning.is_none() {
            setting.args.winning = ask("The winning tile (such as 5p)", tile)?;
        } else if open(|why| *why == Uncertainty::FourBacks) && before < 4 {
            setting.args.hidden.extend(ask("What the four backs hide (such as 5p)", tile)?);
        } else if open(|why| matches!(why, Uncertainty::KongsByCount { .. }))
            && setting.args.kongs.is_none()
        {
            setting.args.kongs = ask("Were the kongs in the row claimed (y/n)", |text| match text
                .to_ascii_lowercase()
                .as_str()
            {
                "y" => Some(Kongs::Claimed),
                "n" => Some(Kongs::Concealed),
                _ => None,
            })?;
        } else {
            break;
        }
        let answered = again(setting, looked);
        let settled = setting.args.winning.is_some()
            || setting.args.hidden.len() > before
            || setting.args.kongs.is_some();
        appraisal = answered;
        if !settled {
            break;
        }
    }
    loop {
        let page = page::page(&setting.rules, &setting.input(), &appraisal, &setting.args);
        let tiles: Vec<String> = (appraisal.shown.tiles.iter().enumerate())
            .filter(|(_, tile)| tile.group.is_some())
            .map(|(number, tile)| format!("{number}={}", tile.face))
            .collect();
        println!("{page}\nTiles by number: {}", tiles.join(" "));
        let Some(correction) =
            ask("Correct a tile (such as 3=5p), or Enter when all is right", |text| {
                fix(text).ok()
            })?
        else {
            return Ok(appraisal);
        };
        if let Err(why) = known(correction.0, &appraisal) {
            println!("  {why}");
            continue;
        }
        setting.args.fixes.retain(|(tile, _)| *tile != correction.0);
        setting.args.fixes.push(correction);
        appraisal = again(setting, looked);
    }
}

/// Asks for the riichi fields that the rules use; returns whether anything changed.
fn ask_of_riichi(
    args: &mut RiichiArgs,
    rules: &RuleSet,
    shown: &PictureLayout,
) -> io::Result<bool> {
    let before = args.clone();
    let claimed =
        |hand: &ShownHand| hand.reading.sets.iter().any(|set| set.form == SetForm::Claimed);
    let uses = |field: Field| rules.uses(field);
    if uses(Field::Riichi) && !args.declared() && !shown.hand.as_ref().is_some_and(claimed) {
        match ask("Riichi declared (y, or d in the first go-around; Enter for no)", |text| {
            ["y", "d", "n"].into_iter().find(|known| text.eq_ignore_ascii_case(known))
        })? {
            Some("y") => args.riichi = true,
            Some("d") => args.double_riichi = true,
            _ => {}
        }
    }
    if uses(Field::DoraIndicators) && args.dora.is_none() {
        let seen: String = shown.indicators().iter().map(ToString::to_string).collect();
        let seen =
            if seen.is_empty() { seen } else { format!("; {seen} lies face up in the wall") };
        args.dora =
            ask(&format!("Dora indicators (such as 4p7z{seen})"), |text| text.parse().ok())?;
    }
    if uses(Field::UraIndicators) && args.declared() && args.ura.is_none() {
        args.ura = ask("Indicators below them (such as 4p7z)", |text| text.parse().ok())?;
    }
    Ok(*args != before)
}

/// Asks whether to keep corrections in the used set of tiles; Enter says no.
#[cfg(feature = "vision")]
pub(super) fn keep(set: SetName) -> io::Result<Option<SetName>> {
    let question = format!("Keep the corrections in the set {set}, for next time (y/n)");
    let yes = ask(&question, |text| match text.to_ascii_lowercase().as_str() {
        "y" => Some(true),
        "n" => Some(false),
        _ => None,
    })?;
    Ok((yes == Some(true)).then_some(set))
}

/// Whether there is a tile of that number to correct.
pub(super) fn known(number: usize, appraisal: &Appraisal) -> Result<(), String> {
    match appraisal.shown.tiles.len() {
        count if number < count => Ok(()),
        0 => Err(format!("there is no tile {number}: no tiles were found")),
        count => {
            Err(format!("there is no tile {number}: they have the numbers 0 to {}", count - 1))
        }
    }
}

pub(super) fn seat(text: &str) -> Option<Seat> {
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) => Seat::from_letter(letter.to_ascii_uppercase()),
        _ => None,
    }
}

fn tile(text: &str) -> Option<Tile> {
    text.parse().ok()
}

/// An answer, or `None` for an empty line or the end of input.
pub(super) fn ask<T>(question: &str, read: impl Fn(&str) -> Option<T>) -> io::Result<Option<T>> {
    loop {
        print!("{question}: ");
        io::stdout().flush()?;
        let mut line = String::new();
        if io::stdin().read_line(&mut line)? == 0 || line.trim().is_empty() {
            return Ok(None);
        }
        match read(line.trim()) {
            Some(answer) => return Ok(Some(answer)),
            None => println!("  not understood: {}", line.trim()),
        }
    }
}
