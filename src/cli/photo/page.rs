//! The reading of a picture as text.

use std::fmt::Write as _;

use super::{
    PhotoArgs,
    doubts::{said, withheld},
};
use crate::{
    appraisal::{Appraisal, Input},
    cli::terminal,
    hand::{Meld, SetForm},
    layout::{Doubt, PictureLayout, Role, ShownHand, Unread},
    rules::RuleSet,
    tile::{Seat, Side},
};

/// The whole page for one picture.
pub(super) fn page(
    rules: &RuleSet,
    input: &Input,
    appraisal: &Appraisal,
    args: &PhotoArgs,
) -> String {
    let mut out = String::new();
    let glyphs = args.glyphs.shown();
    // Writing to a string cannot fail.
    let _ = write_page(&mut out, rules, input, appraisal, args.seat, glyphs);
    out
}

/// The caption of an annotated picture: the hand, its score and payments, the doubts.
pub(super) fn caption(rules: &RuleSet, appraisal: &Appraisal) -> Vec<String> {
    let Some(found) = &appraisal.shown.hand else {
        let why = appraisal.shown.refusal.unwrap_or(Unread::NoRow);
        return vec![format!("No hand: {why}")];
    };
    let mut lines =
        vec![format!("{} · {} sure", found.reading, terminal::confidence(found.confidence))];
    match appraisal.answer.as_ref().map(|answer| &answer.explained.outcome) {
        Some(Ok(score)) => {
            let items: Vec<String> = (score.items.iter())
                .map(|item| format!("{} {}", item.name, terminal::halves(item.value)))
                .collect();
            lines.push(format!(
                "{}: score {} · {}",
                rules.name,
                terminal::halves(score.value.score),
                items.join(", ")
            ));
            let amounts: Vec<String> = (score.value.payments.iter())
                .map(|(seat, amount)| format!("{seat} {}", terminal::signed(amount)))
                .collect();
            lines.push(amounts.join(" · "));
        }
        Some(Err(failure)) => {
            lines.push(format!("{}: no win: {}", rules.name, failure.message.english()))
        }
        None => {
            if let Some(why) = &appraisal.withheld {
                lines.push(format!("No score: {}", withheld(why)));
            }
        }
    }
    lines.extend(doubts(appraisal, found).take(4).map(|doubt| match doubt.tile {
        Some(tile) => format!("? tile {tile}: {}", said(doubt)),
        None => format!("? {}", said(doubt)),
    }));
    lines
}

/// The doubts, except those given as the reason for no score.
fn doubts<'a>(appraisal: &'a Appraisal, found: &'a ShownHand) -> impl Iterator<Item = &'a Doubt> {
    let withheld = appraisal.withheld.as_ref();
    found.doubts.iter().filter(move |doubt| !withheld.is_some_and(|why| why.is(doubt)))
}

/// One line for one of several pictures.
pub(super) fn line(name: &str, appraisal: &Appraisal, glyphs: bool) -> String {
    let Some(hand) = &appraisal.shown.hand else {
        let why = appraisal.shown.refusal.unwrap_or(Unread::NoRow);
        return format!("{name}: {why}");
    };
    let text = terminal::tiles(&hand.reading.to_string(), glyphs);
    let score = appraisal.answer.as_ref().map(|answer| match &answer.explained.outcome {
        Ok(score) => format!("score {}", terminal::halves(score.value.score)),
        Err(failure) => failure.message.english(),
    });
    let rest = score.or_else(|| appraisal.withheld.as_ref().map(withheld)).unwrap_or_default();
    format!("{name}: {text}  {}  {rest}", terminal::confidence(hand.confidence))
}

fn write_page(
    out: &mut String,
    rules: &RuleSet,
    input: &Input,
    appraisal: &Appraisal,
    seat: Option<Seat>,
    glyphs: bool,
) -> std::fmt::Result {
    let Some(found) = &appraisal.shown.hand else {
        let why = appraisal.shown.refusal.unwrap_or(Unread::NoRow);
        return writeln!(out, "No hand: {why}.");
    };
    write_hand(out, found, seat, glyphs)?;
    write_doubts(out, appraisal, found)?;
    match (&appraisal.answer, &appraisal.hand, &input.at) {
        (Some(answer), Some(hand), Some(at)) => {
            writeln!(out)?;
            out.push_str(&terminal::page(rules, hand, at, answer, glyphs));
        }
        _ => {
            if let Some(why) = &appraisal.withheld {
                writeln!(out, "\nNo score: {}.", withheld(why))?;
            }
        }
    }
    Ok(())
}

fn write_hand(
    out: &mut String,
    found: &ShownHand,
    seat: Option<Seat>,
    glyphs: bool,
) -> std::fmt::Result {
    let reading = &found.reading;
    let part = |text: String| terminal::tiles(&text, glyphs);
    let alone = |tiles: &[crate::tile::SeenFace]| {
        let part = crate::hand::Reading { concealed: tiles.to_vec(), ..Default::default() };
        part.to_string()
    };
    writeln!(out, "Read with {} confidence:", terminal::confidence(found.confidence))?;
    let concealed = if reading.concealed.is_empty() {
        "none seen".to_owned()
    } else {
        part(alone(&reading.concealed))
    };
    writeln!(out, "  concealed  {concealed}")?;
    for set in &reading.sets {
        let text = part(set.to_string());
        let giver = Meld::try_from(set).ok().and_then(Meld::giver);
        match (set.form, giver) {
            (SetForm::ConcealedKong, _) => writeln!(out, "  kong       {text}  concealed")?,
            (_, None) => writeln!(out, "  claimed    {text}")?,
            (_, Some(side)) => {
                let place = match side {
                    Side::Left => "the left",
                    Side::Opposite => "opposite",
                    Side::Right => "the right",
                };
                match seat.map(|seat| seat.neighbour(side)) {
                    Some(from) => writeln!(out, "  claimed    {text}  from {place} ({from})")?,
                    None => writeln!(out, "  claimed    {text}  from {place}")?,
                }
            }
        }
    }
    if !reading.bonus.is_empty() {
        writeln!(out, "  flowers    {}", part(alone(&reading.bonus)))?;
    }
    if let Some(winning) = reading.winning {
        writeln!(out, "  winning    {}", part(alone(&[winning])))?;
    }
    Ok(())
}

fn write_doubts(out: &mut String, appraisal: &Appraisal, found: &ShownHand) -> std::fmt::Result {
    for (place, doubt) in doubts(appraisal, found).enumerate() {
        if place == 0 {
            writeln!(out)?;
        }
        match doubt.tile {
            Some(tile) => {
                let which = place_of(&appraisal.shown, tile);
                writeln!(out, "  ? tile {tile}{which}: {}", said(doubt))?;
            }
            None => writeln!(out, "  ? {}", said(doubt))?,
        }
    }
    Ok(())
}

/// The position of a tile in words: ", the 3rd concealed from the left".
fn place_of(shown: &PictureLayout, tile: usize) -> String {
    let Some(group) = shown.tiles.get(tile).and_then(|tile| tile.group) else {
        return String::new();
    };
    let Some(group) = shown.groups.get(group) else { return String::new() };
    let Some(place) = group.tiles.iter().position(|&other| other == tile) else {
        return String::new();
    };
    match group.role {
        Role::Concealed => format!(" (concealed, number {} from the left)", place + 1),
        Role::Meld => {
            format!(" (set {}, tile {})", group.set.map_or(1, |set| set + 1), place + 1)
        }
        Role::Winning => " (the winning tile)".to_owned(),
        Role::Bonus => " (flower)".to_owned(),
        Role::Other => String::new(),
    }
}
