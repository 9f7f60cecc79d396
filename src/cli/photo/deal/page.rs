//! A deal with the hands of all players, as text and as JSON.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{Appraised, DealPictures, Seating, Setting};
use crate::{
    appraisal::{
        AskedOfDeal, DealAppraisal, DealDoubt, DealQuestion, DrawAppraisal, HandAtDraw, OpenedHand,
        OpenedHands, Otherwise, TileReading, Unsettled,
    },
    cli::{photo::doubts::said, terminal},
    layout::Unread,
    points::Points,
    rules::{Answer, LoserScore, Payments},
    tile::Face,
};

/// The option that gives the other answer.
fn option(asked: &AskedOfDeal) -> String {
    match asked.question {
        DealQuestion::Claimed(seat, it) => {
            let option = if asked.taken { "--concealed" } else { "--claimed" };
            format!("{option} {seat}={}", it.set)
        }
        DealQuestion::Fishing(seat) => format!("--not-fishing {seat}"),
        DealQuestion::OriginalCall(_) => "--original-call".to_owned(),
    }
}

fn amounts(payments: &Payments) -> String {
    let each = payments.iter().map(|(seat, amount)| format!("{seat} {}", terminal::signed(amount)));
    each.collect::<Vec<_>>().join(", ")
}

/// The effect of another answer or reading.
fn effect(otherwise: &Otherwise) -> String {
    match otherwise {
        Otherwise::Same => "the payments stay the same".to_owned(),
        Otherwise::Paid(payments) => format!("then {}", amounts(payments)),
        Otherwise::Unsettled => "then nothing can be settled".to_owned(),
    }
}

/// Why a deal is not settled, and what can be done.
fn unsettled(why: &Unsettled) -> String {
    let cure = match why {
        Unsettled::Seats => "give --east EDGE, or --seat, the winner's".to_owned(),
        Unsettled::Win => "give --round, and either --self-draw or --from SEAT".to_owned(),
        Unsettled::Winning(choices) => {
            let name = choices.first().map_or_else(|| "5p".to_owned(), ToString::to_string);
            format!("name it, such as --winning {name}")
        }
        Unsettled::TooUnsure(_) => "settle the doubts, such as --fix 3=5p".to_owned(),
        Unsettled::NoWinner => {
            "correct a tile by its number, such as --fix 3=5p; --draw if nobody has won".to_owned()
        }
        _ => return why.to_string(),
    };
    format!("{why}: {cure}")
}

/// The page of a deal.
pub(super) fn page(setting: &Setting, appraised: &Appraised) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = match appraised {
        Appraised::Won(opened, seating, appraisal) => {
            write_won(&mut out, setting, opened, seating, appraisal)
        }
        Appraised::Drawn(opened, seating, drawn) => {
            write_drawn(&mut out, setting, opened, seating, drawn)
        }
    };
    out
}

/// A hand as it was read.
fn hand_text(hand: &OpenedHand, glyphs: bool) -> String {
    match hand.reading() {
        Some(reading) => terminal::tiles(&reading.to_string(), glyphs),
        None => hand.shown.refusal.unwrap_or(Unread::NoRow).to_string(),
    }
}

fn write_hands(
    out: &mut String,
    opened: &OpenedHands,
    seating: &Seating,
    glyphs: bool,
    note: impl Fn(usize, &OpenedHand) -> String,
) -> std::fmt::Result {
    for (place, hand) in opened.hands.iter().enumerate() {
        let player = seating.player(hand.edge);
        let note = note(place, hand);
        writeln!(out, "  {player:<15} {}{note}", hand_text(hand, glyphs))?;
    }
    Ok(())
}

fn write_won(
    out: &mut String,
    setting: &Setting,
    opened: &OpenedHands,
    seating: &Seating,
    appraisal: &DealAppraisal,
) -> std::fmt::Result {
    let glyphs = setting.args.glyphs.shown();
    writeln!(out, "Read with {} confidence:", terminal::confidence(appraisal.confidence))?;
    write_hands(out, opened, seating, glyphs, |place, _| {
        if opened.winner == Some(place) { "  won".to_owned() } else { String::new() }
    })?;
    for DealDoubt { seat, doubt, otherwise } in &appraisal.doubts {
        let effect = otherwise.as_ref().map(|it| format!("; {}", effect(it))).unwrap_or_default();
        let tile = doubt.tile.map(|tile| format!(", tile {tile}")).unwrap_or_default();
        writeln!(out, "  ? {}{tile}: {}{effect}", seat.name(), said(doubt))?;
    }
    for it in &appraisal.asked {
        let taken = if it.taken { "yes" } else { "no" };
        let question = it.question.sentence().english();
        let (effect, option) = (effect(&it.otherwise), option(it));
        writeln!(out, "  ? {question} Taken for {taken}; if not ({option}), {effect}")?;
    }
    if let Some(why) = &appraisal.unsettled {
        return writeln!(out, "\nNot settled: {}.", unsettled(why));
    }
    let (Some(hand), Some(answer)) = (&appraisal.hand, &appraisal.answer) else { return Ok(()) };
    let args = &setting.args;
    let winner = opened.winner.and_then(|place| seating.seat(opened.hands[place].edge));
    if let (Some(seat), Some(round), Some(win)) = (winner, args.round, args.win.win()) {
        let at = args.win.circumstances(&args.table(seat, round), win);
        writeln!(out)?;
        write_losers(out, setting, answer)?;
        out.push_str(&terminal::page(&setting.rules, hand, &at, answer, glyphs));
    }
    Ok(())
}

fn write_losers(out: &mut String, setting: &Setting, answer: &Answer) -> std::fmt::Result {
    for (seat, LoserScore { score, faan, points, items, .. }) in &answer.explained.hands {
        let items: Vec<String> = items.iter().map(|item| item.name.clone()).collect();
        let points = points.map(|points| format!("{points} points, ")).unwrap_or_default();
        let unit = setting.rules.unit.counted(*faan);
        writeln!(
            out,
            "  {:<5}  {points}{} {unit}: {}   {}",
            seat.name(),
            terminal::halves(*faan),
            terminal::halves(*score),
            items.join(", ")
        )?;
    }
    writeln!(out)
}

fn faces(faces: &[Face], glyphs: bool) -> String {
    let each = faces.iter().map(|face| terminal::tiles(&face.to_string(), glyphs));
    each.collect::<Vec<_>>().join(" ")
}

fn standing(hand: &HandAtDraw, glyphs: bool) -> String {
    match &hand.fault {
        Some(fault) => format!("  unknown: {fault}"),
        None if hand.is_tenpai() => format!("  tenpai: {}", faces(&hand.waits, glyphs)),
        None => "  not tenpai".to_owned(),
    }
}

fn write_drawn(
    out: &mut String,
    setting: &Setting,
    opened: &OpenedHands,
    seating: &Seating,
    drawn: &DrawAppraisal,
) -> std::fmt::Result {
    let glyphs = setting.args.glyphs.shown();
    writeln!(out, "{} · after a draw:", setting.rules.name)?;
    write_hands(out, opened, seating, glyphs, |_, hand| {
        let read = drawn.hands.iter().find(|read| read.edge == hand.edge);
        read.map(|read| standing(read, glyphs)).unwrap_or_default()
    })?;
    for hand in &drawn.hands {
        for (doubt, changes) in &hand.doubts {
            let effect = if *changes { "; that decides whether it is tenpai" } else { "" };
            writeln!(out, "  ? {}: {}{effect}", seating.player(hand.edge), said(doubt))?;
        }
    }
    match drawn.paid {
        None => writeln!(out, "\nNot settled: settle the doubts, such as --fix 3=5p."),
        Some((Points::ZERO, _)) => writeln!(out, "\nNothing is paid."),
        Some((gets, pays)) => writeln!(
            out,
            "\nWho is tenpai gets {} each, every other player pays {}.",
            gets.mixed(),
            pays.mixed()
        ),
    }
}

fn otherwise_json(otherwise: &Otherwise) -> Value {
    match otherwise {
        Otherwise::Same => json!("same"),
        Otherwise::Paid(payments) => json!(payments),
        Otherwise::Unsettled => Value::Null,
    }
}

/// A deal as one JSON object.
pub(super) fn json(pictures: &DealPictures, appraised: &Appraised) -> Value {
    let opened = appraised.opened();
    let seating = appraised.seating();
    let hand = |place: usize, hand: &OpenedHand| {
        let text = hand.reading().map(ToString::to_string);
        let edge = seating.at_table.then(|| hand.edge.name());
        let mut object = json!({
            "edge": edge, "seat": seating.seat(hand.edge), "text": text,
            "tiles": hand.tiles().collect::<Vec<_>>(),
        });
        match appraised {
            Appraised::Won(..) => object["won"] = (opened.winner == Some(place)).into(),
            Appraised::Drawn(.., drawn) => {
                let read = drawn.hands.iter().find(|read| read.edge == hand.edge);
                object["tenpai"] = read.map(HandAtDraw::is_tenpai).into();
                object["waits"] = json!(read.map(|read| &read.waits));
            }
        }
        object
    };
    let hands: Vec<Value> =
        opened.hands.iter().enumerate().map(|(place, it)| hand(place, it)).collect();
    let mut all = json!({ "hands": hands });
    if let (true, [looked]) = (seating.at_table, &pictures.looked[..]) {
        all["image"] = json!(looked.size);
        all["tiles"] = json!(TileReading::in_hand(&opened.merged().tiles, None));
    }
    match appraised {
        Appraised::Won(.., appraisal) => add_won(&mut all, appraisal),
        Appraised::Drawn(.., drawn) => {
            let doubts = drawn.hands.iter().flat_map(|hand| {
                let who = (hand.edge.name(), seating.seat(hand.edge));
                hand.doubts.iter().map(move |(doubt, changes)| {
                    json!({ "edge": who.0, "seat": who.1, "tile": doubt.tile, "why": said(doubt), "changes": changes })
                })
            });
            all["doubts"] = doubts.collect();
            let paid = |(gets, pays): (Points, Points)| json!({ "tenpai": gets, "others": -pays });
            all["payments"] = drawn.paid.map_or(Value::Null, paid);
        }
    }
    all
}

fn add_won(all: &mut Value, appraisal: &DealAppraisal) {
    let doubt = |DealDoubt { seat, doubt, otherwise }: &DealDoubt| {
        json!({
            "seat": seat, "tile": doubt.tile, "why": said(doubt),
            "otherwise": otherwise.as_ref().map(otherwise_json),
        })
    };
    let question = |it: &AskedOfDeal| {
        json!({
            "question": it.question.sentence().english(), "taken": it.taken, "option": option(it),
            "otherwise": otherwise_json(&it.otherwise),
        })
    };
    all["confidence"] = json!((f64::from(appraisal.confidence) * 1000.0).round() / 1000.0);
    all["doubts"] = appraisal.doubts.iter().map(doubt).collect();
    all["questions"] = appraisal.asked.iter().map(question).collect();
    all["score"] = json!(appraisal.answer);
    all["unsettled"] = json!(appraisal.unsettled.as_ref().map(unsettled));
}
