//! Scores and hands as text for people.

use std::{
    fmt::Write as _,
    io::{self, IsTerminal},
};

use clap::ValueEnum;
use num_rational::Ratio;

use crate::{
    hand::{Hand, Reading},
    points::{Points, mixed},
    rules::{
        Answer, Circumstances, Halves, Payments, RuleSet, RulingEffect, Score, ScoreStep, UnitName,
        Win,
    },
    tile::{Face, SeenFace},
};

/// Whether tiles are shown as Unicode glyphs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Glyphs {
    /// Tiles are shown as glyphs if the terminal can show them.
    #[default]
    Auto,
    /// Tiles are always shown as glyphs.
    Always,
    /// Tiles are never shown as glyphs.
    Never,
}

impl Glyphs {
    /// Whether to show them on standard output.
    pub(super) fn shown(self) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => {
                let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
                    .iter()
                    .filter_map(|name| std::env::var(name).ok())
                    .find(|value| !value.is_empty())
                    .unwrap_or_default()
                    .to_lowercase();
                let linux_console = std::env::var("TERM").is_ok_and(|term| term == "linux");
                // Windows has no locale of characters; its newer terminal says that it is there.
                let windows_terminal = cfg!(windows) && std::env::var_os("WT_SESSION").is_some();
                io::stdout().is_terminal()
                    && !linux_console
                    && (windows_terminal || locale.contains("utf-8") || locale.contains("utf8"))
            }
        }
    }
}

/// Halves as people write them: 3½.
pub(super) fn halves(amount: Halves) -> String {
    Points::from(amount).mixed()
}

/// An amount with its sign: +80, -26⅔.
pub(super) fn signed(amount: Ratio<i64>) -> String {
    let plus = if amount > Ratio::from_integer(0) { "+" } else { "" };
    format!("{plus}{}", mixed(amount))
}

/// A confidence; nothing that was read is certain.
pub(super) fn confidence(p: f32) -> String {
    if p >= 0.995 { "over 99 %".to_owned() } else { format!("{:.0} %", 100.0 * p) }
}

/// A hand text with its tiles as glyphs; marks, brackets and spaces stay.
fn glyphs_of(text: &str) -> String {
    let mut out = String::new();
    let letters: Vec<char> = text.chars().collect();
    for (place, &letter) in letters.iter().enumerate() {
        match letter {
            '0'..='9' => {
                let suit = letters[place..]
                    .iter()
                    .find(|letter| letter.is_ascii_lowercase() && **letter != 'x');
                let digit = if letter == '0' { '5' } else { letter };
                let face = suit.and_then(|suit| format!("{digit}{suit}").parse::<Face>().ok());
                out.push(face.map_or(letter, Face::glyph));
            }
            'x' => out.push(SeenFace::Back.glyph()),
            'm' | 'p' | 's' | 'z' | 'f' => {}
            _ => out.push(letter),
        }
    }
    out
}

/// Hand text, or the same in glyphs.
pub(super) fn tiles(text: &str, glyphs: bool) -> String {
    if glyphs { glyphs_of(text) } else { text.to_owned() }
}

/// A rule set's term for a hand whose waits are all used up.
pub(super) fn not_ready(rules: &RuleSet) -> &'static str {
    if rules.asks_for_furiten() { "noten" } else { "not ready" }
}

/// How a win reads: "self-drawn", "on a discard of West".
pub(super) fn win_text(win: Win) -> String {
    match win {
        Win::SelfDraw => "self-drawn".to_owned(),
        Win::Discard { from } => format!("on a discard of {}", from.name()),
        Win::RobKong { from } => format!("robbing a kong of {}", from.name()),
    }
}

/// A scored hand, or why it does not win, as a page of text.
pub(super) fn page(
    rules: &RuleSet,
    hand: &Hand,
    at: &Circumstances,
    answer: &Answer,
    glyphs: bool,
) -> String {
    let mut page = String::new();
    // Writing to a string cannot fail.
    let _ = write_page(&mut page, rules, hand, at, answer, glyphs);
    page
}

fn write_page(
    out: &mut String,
    rules: &RuleSet,
    hand: &Hand,
    at: &Circumstances,
    answer: &Answer,
    glyphs: bool,
) -> std::fmt::Result {
    let text = Reading::from(hand).to_string();
    writeln!(out, "{}", tiles(&text, glyphs))?;
    writeln!(
        out,
        "{} · {} seat, {} round, {}\n",
        rules.name,
        at.seat.name(),
        at.round.name(),
        win_text(at.win)
    )?;
    let explained = &answer.explained;
    let score = match &explained.outcome {
        Err(failure) => {
            writeln!(out, "No win: {}", failure.message.english())?;
            return write_rulings(out, &explained.rulings);
        }
        Ok(score) => score,
    };
    write_sum(out, rules, score, glyphs)?;
    writeln!(out)?;
    for step in explained.steps.iter().filter(|step| step.seat.is_none()) {
        writeln!(out, "  {}", step.text.english())?;
    }
    write_payments(out, &score.value.payments, &explained.steps)?;
    if !answer.brief {
        for left in &score.left_out {
            writeln!(out, "\n  not counted: {} ({})", left.name, left.why)?;
        }
        if let Some(next) = &explained.next {
            writeln!(
                out,
                "\n  next best reading: {} ({} {}, score {})",
                tiles(&next.arrangement, glyphs),
                halves(next.faan),
                rules.unit.counted(next.faan),
                halves(next.score)
            )?;
        }
        write_rulings(out, &explained.rulings)?;
    }
    Ok(())
}

/// The items, what they add up to, and what comes on top of it.
fn write_sum(out: &mut String, rules: &RuleSet, score: &Score, glyphs: bool) -> std::fmt::Result {
    let width = score.items.iter().map(|item| item.name.chars().count()).max().unwrap_or(0).max(12);
    for item in &score.items {
        let amount = halves(item.value);
        let shown = tiles(&item.tiles, glyphs);
        writeln!(out, "  {:<width$}  {amount:>4}   {shown}", item.name)?;
    }
    let value = &score.value;
    let counted = score.items.iter().fold(Halves::ZERO, |sum, item| sum + item.value);
    // Points that are worth faan of their own, or points that choose the score with the faan.
    if let Some(points) = value.points.filter(|_| rules.points_choose_score()) {
        writeln!(out, "  {:<width$}  {points:>4}", rules.points_word())?;
    } else if let Some(points) = value.points {
        let from_points = halves(Halves((value.faan.0 - counted.0).max(0)));
        writeln!(out, "  {:<width$}  {from_points:>4}   {points} points", "points")?;
    }
    writeln!(out, "  {}", "─".repeat(width + 6))?;
    if value.limit {
        let name = match rules.limit_unit() {
            UnitName::Yakuman => "yakuman",
            _ => "limit hand",
        };
        writeln!(out, "  {name:<width$}  {:>4}", halves(value.score))?;
    } else {
        let total = halves(value.faan);
        let score = halves(value.score);
        // Where the rules stop the total, the items add up to more.
        let stopped = if counted > value.faan {
            format!(" (the limit; {} counted)", halves(counted))
        } else {
            String::new()
        };
        let unit = rules.unit.counted(value.faan);
        writeln!(out, "  {:<width$}  {total:>4}   {unit}{stopped} → score {score}", "total")?;
    }
    if let Some(dealer) = value.dealer_faan {
        let unit = rules.unit.counted(Halves::whole(dealer.cast_signed()));
        writeln!(
            out,
            "  {:<width$}  {dealer:>4}   {unit} more for what East pays or is paid",
            "dealer"
        )?;
    }
    if let Some(sticks) = value.sticks {
        writeln!(out, "  {:<width$}  {sticks:>4}   from the table", "sticks")?;
    }
    Ok(())
}

/// What each of the four pays or receives, and why.
fn write_payments(out: &mut String, payments: &Payments, steps: &[ScoreStep]) -> std::fmt::Result {
    for (seat, amount) in payments.iter() {
        let zero = Ratio::from_integer(0);
        let what = if amount > zero {
            format!("receives {}", mixed(amount))
        } else if amount < zero {
            format!("pays {}", mixed(-amount))
        } else {
            "pays nothing".to_owned()
        };
        writeln!(out, "  {:<5}  {what}", seat.name())?;
        for step in steps.iter().filter(|step| step.seat == Some(seat)) {
            let amount = step.amount.map_or(String::new(), mixed);
            writeln!(out, "         {amount:>6}  {}", step.text.english())?;
        }
    }
    Ok(())
}

fn write_rulings(out: &mut String, effects: &[RulingEffect]) -> std::fmt::Result {
    for effect in effects {
        write!(out, "\n  with {}={}: ", effect.id, effect.choice)?;
        match &effect.outcome {
            Ok(value) => {
                let amounts: Vec<String> = value
                    .payments
                    .iter()
                    .map(|(seat, amount)| format!("{seat} {}", mixed(amount)))
                    .collect();
                writeln!(out, "{}", amounts.join(", "))?;
            }
            Err(refusal) => writeln!(out, "no win: {refusal}")?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glyphs_keep_marks_and_brackets() {
        assert_eq!(glyphs_of("12m (7'77z) [1xx1z] +0p"), "🀇🀈 (🀄'🀄🀄) [🀀🀫🀫🀀] +🀝");
    }
}
