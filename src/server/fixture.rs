//! Previews and a table for tests, as plain values.

use std::sync::Arc;

use jiff::Timestamp;

use super::{DealReading, PhaseName, Preview, SeatView, state::SeatHand};
use crate::{
    page::{Context, reading::of_typed},
    rules::Library,
    table::{Deal, Draw, Event, Opened, Recorded, Seated, Table, TableState, WinBy, Winner},
};

/// A hand of the winner in the round of East under the rules of riichi: 5 han, by a discard of West.
pub(super) const HAND: &str = "123m456p789s1115z +5z";

/// Fields of a context, as text.
pub(super) fn context(rules: &str, fields: &[(&str, &str)]) -> Context {
    let field = |(field, value): &(&str, &str)| ((*field).to_owned(), (*value).into());
    let changes = fields.iter().map(field).collect();
    Context::new(rules).with(changes, &Library::default()).unwrap()
}

/// A preview whose hand is what this context types, as if a camera had seen it.
pub(super) fn preview(context: Context) -> Preview {
    let (rules, input) = context.resolve(&Library::default()).unwrap();
    let typed = context.typed(&rules).unwrap();
    let reading = typed.map(|typed| of_typed(typed, &rules, &input));
    Preview {
        phase: PhaseName::Watching,
        photo: None,
        doubtful: false,
        stale: false,
        reading: reading.map(|reading| Arc::new(DealReading::Hand(Box::new(reading)))),
        context: context.without_typed(),
        seats: [].into(),
        also: None,
    }
}

/// South wins by West's discard under the rules of riichi.
pub(super) fn won() -> Preview {
    let fields = [("seat", "S"), ("win", "discard"), ("from", "W"), ("hand", HAND)];
    preview(context("riichi", &fields))
}

pub(super) fn confirmed(preview: Preview) -> Preview {
    Preview { phase: PhaseName::Confirmed, ..preview }
}

/// A player's hand that is read with a confidence.
pub(super) fn seat(text: &str, confidence: f32) -> SeatView {
    let hand = Some(SeatHand { text: text.to_owned(), confidence, doubts: Vec::new() });
    SeatView { hand, ..SeatView::default() }
}

/// A table of Ann, Bo, Cy and Di under the rules of riichi, after some events.
pub(super) fn table(events: Vec<Event>) -> TableState {
    let opened = Opened {
        title: Some("Final".to_owned()),
        rules: "riichi".to_owned(),
        rule_file: None,
        rulings: Vec::new(),
        players: ["Ann", "Bo", "Cy", "Di"].map(Seated::named).to_vec(),
        initial: None,
        sitting: None,
        penalties: None,
        clock: None,
    };
    let mut table = Table::new(1);
    for (seq, event) in (1..).zip([Event::Opened(opened)].into_iter().chain(events)) {
        let at = Timestamp::from_second(seq as i64 * 600).unwrap();
        let event = if seq == 1 { event } else { table.complete(event, at).unwrap() };
        table.push(Recorded { seq, at, author: "test".to_owned(), event }).unwrap();
    }
    table.state().unwrap().clone()
}

/// Bo's win by Cy's discard; both have declared riichi.
pub(super) fn deal() -> Event {
    let winner = Winner {
        player: 1,
        win: WinBy::Discard,
        from: Some(2),
        hand: Some(HAND.to_owned()),
        riichi: true,
        ..Winner::default()
    };
    Event::Deal(Deal { winners: vec![winner], riichi: vec![1, 2], ..Deal::default() })
}

/// Nobody wins, and nobody is paid: all are tenpai.
pub(super) fn draw() -> Event {
    Event::Draw(Draw { tenpai: Some(vec![0, 1, 2, 3]), ..Draw::default() })
}
