//! The questions about a deal in a terminal: one for each fact that its picture does not show and that changes the
//! payments, the likeliest answer first.

use super::{Appraised, DealPictures, Seating, appraise};
use crate::{
    appraisal::{DealQuestion, Unsettled},
    calibration::table::Edge,
    cli::photo::{
        Setting,
        ask::{ask, seat},
    },
    tile::{Seat, Tile},
};

/// Asks until the deal is settled or nothing is left to ask.
pub(super) fn settle(
    setting: &mut Setting,
    pictures: &DealPictures,
    mut appraised: Appraised,
) -> anyhow::Result<Appraised> {
    if setting.args.deal.draw {
        return Ok(appraised);
    }
    ask_how_it_was_won(setting, &appraised)?;
    appraised = appraise(setting, pictures)?;
    loop {
        let Appraised::Won(_, _, appraisal) = &appraised else { return Ok(appraised) };
        let answered = match &appraisal.unsettled {
            Some(Unsettled::Winning(choices)) if setting.args.winning.is_none() => {
                setting.args.winning = ask_winning(choices)?;
                setting.args.winning.is_some()
            }
            _ => ask_first(setting, appraisal.asked.first().map(|it| (it.question, it.taken)))?,
        };
        if !answered {
            return Ok(appraised);
        }
        appraised = appraise(setting, pictures)?;
    }
}

/// Who sits where, the round, and who gave the winning tile.
fn ask_how_it_was_won(setting: &mut Setting, appraised: &Appraised) -> anyhow::Result<()> {
    let Appraised::Won(_, seating, _) = appraised else { return Ok(()) };
    if seating.east.is_none() {
        setting.args.deal.east = Some(ask_east(seating)?);
    }
    let args = &mut setting.args;
    if args.round.is_none() {
        args.round = ask("Round wind (E S W N; Enter for E)", seat)?.or(Some(Seat::East));
    }
    if args.win.win().is_none() {
        let how = ask("Who gave the winning tile (D self-drawn, E S W N; Enter for D)", |text| {
            if text.eq_ignore_ascii_case("d") { Some(None) } else { seat(text).map(Some) }
        })?;
        match how.flatten() {
            Some(from) => args.win.from = Some(from),
            None => args.win.self_draw = true,
        }
    }
    Ok(())
}

fn ask_east(seating: &Seating) -> anyhow::Result<Edge> {
    let first = seating.likely;
    let others = Edge::IN_PLAY.into_iter().filter(|edge| *edge != first);
    let names: Vec<&str> = std::iter::once(first).chain(others).map(Edge::name).collect();
    let question = format!("Where East sits ({}; Enter for {})", names.join(" "), first.name());
    Ok(ask(&question, Edge::from_name)?.unwrap_or(first))
}

fn ask_winning(choices: &[Tile]) -> anyhow::Result<Option<Tile>> {
    let names: Vec<String> = choices.iter().map(ToString::to_string).collect();
    let question = format!("The winning tile ({})", names.join(" "));
    Ok(ask(&question, |text| text.parse().ok())?.or(choices.first().copied()))
}

/// Asks one question and keeps the answer; returns whether there was one to ask.
fn ask_first(setting: &mut Setting, first: Option<(DealQuestion, bool)>) -> anyhow::Result<bool> {
    let Some((question, taken)) = first else { return Ok(false) };
    let likeliest = if taken { "y, n; Enter for y" } else { "n, y; Enter for n" };
    let yes = ask(&format!("{} ({likeliest})", question.sentence().english()), |text| match text
        .to_ascii_lowercase()
        .as_str()
    {
        "y" => Some(true),
        "n" => Some(false),
        _ => None,
    })?
    .unwrap_or(taken);
    let args = &mut setting.args;
    match (question, yes) {
        (DealQuestion::Claimed(seat, it), true) => args.deal.claimed.push((seat, it.set)),
        (DealQuestion::Claimed(seat, it), false) => args.deal.concealed.push((seat, it.set)),
        (DealQuestion::Fishing(seat), true) => args.deal.fishing.push(seat),
        (DealQuestion::Fishing(seat), false) => args.deal.not_fishing.push(seat),
        (DealQuestion::OriginalCall(_), yes) => {
            args.win.of_deal.original_call = yes;
            args.deal.original_call_asked = true;
        }
    }
    Ok(true)
}
