//! A table as text for people.

use std::fmt::Write as _;

use jiff::{Timestamp, tz::TimeZone};

use crate::{
    cli::terminal::halves,
    points::{Points, mixed},
    rules::{AfterTime, ScoreStep},
    table::{DealPlace, DealRecord, Discards, Loss, TableState},
    tile::Seat,
    words::Say,
};

/// A wind's name.
fn wind(seat: Seat) -> &'static str {
    match seat {
        Seat::East => "East",
        Seat::South => "South",
        Seat::West => "West",
        Seat::North => "North",
    }
}

/// A time as the clock on the wall shows it.
pub(super) fn clock_time(time: Timestamp) -> String {
    time.to_zoned(TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// The whole page; `steps`: how the payments of the last deal came about, for each winner.
pub(super) fn page(state: &TableState, steps: &[Vec<ScoreStep>]) -> String {
    let mut page = String::new();
    // Writing to a string cannot fail.
    let _ = write_page(&mut page, state, steps);
    page
}

fn write_page(page: &mut String, state: &TableState, steps: &[Vec<ScoreStep>]) -> std::fmt::Result {
    write_head(page, state)?;
    write_players(page, state)?;
    if let Some(last) = state.last_deal() {
        writeln!(page, "\nLast deal ({}): {}", last.place.number, deal_line(state, last))?;
        for step in steps.iter().flatten() {
            let payer = last.seats.iter().position(|seat| Some(*seat) == step.seat);
            let payer = payer.and_then(|player| state.players.get(player));
            match (payer, step.amount) {
                (Some(player), Some(amount)) => {
                    let (does, amount) = match *amount.numer() < 0 {
                        true => ("receives", -amount),
                        false => ("pays", amount),
                    };
                    let (name, amount) = (&player.name, mixed(amount));
                    writeln!(page, "  {name} {does} {amount}: {}", step.text.english())?;
                }
                _ => writeln!(page, "  {}", step.text.english())?,
            }
        }
    }
    if let Some(leftover) = &state.leftover {
        let got = leftover.iter().zip(&state.players).filter(|(got, _)| **got != Points::ZERO);
        let got: Vec<String> =
            got.map(|(got, player)| format!("{} {}", player.name, got.signed())).collect();
        writeln!(page, "Sticks left on the table: {}", got.join(", "))?;
    }
    if state.tiles_aside > 0 && state.over.is_none() {
        writeln!(page, "Three players: set {} tiles aside, claim no chow", state.tiles_aside)?;
    }
    write_clock(page, state)?;
    match &state.discards {
        Discards::Unknown => {}
        Discards::Order(all) => writeln!(page, "Discards entered in this deal: {}", all.len())?,
        Discards::Rows { rows, .. } => {
            let all: usize = rows.iter().map(Vec::len).sum();
            writeln!(page, "Discards seen in this deal: {all}")?;
        }
    }
    for loss in &state.lost {
        writeln!(page, "Lost to damage: {}; the totals are without them", lost_line(loss))?;
    }
    for problem in &state.problems {
        writeln!(page, "Look at event {}: {}", problem.event, problem.what)?;
    }
    Ok(())
}

/// The table and its rules, then the deal that is being played.
fn write_head(page: &mut String, state: &TableState) -> std::fmt::Result {
    let title = state.title.as_ref().map_or(String::new(), |title| format!(", {title}"));
    writeln!(page, "Table {}{title}: {}", state.table, state.rules_name)?;
    let dealer = state.players.get(state.place.dealer).map_or("", |player| &player.name);
    match &state.over {
        Some(over) => {
            let played = match state.history.len() {
                1 => "1 deal".to_owned(),
                played => format!("{played} deals"),
            };
            writeln!(page, "The session is over: {over}. {played}.\n")
        }
        None => {
            let place = state.place;
            if let Some(deals) = state.deals {
                return writeln!(page, "Deal {} of {deals}; {dealer} deals\n", place.number);
            }
            let round = state.rounds_played + 1;
            let beyond = if round > state.rounds { " and more" } else { "" };
            writeln!(
                page,
                "Deal {}, round {round} of {}{beyond}: {}; {dealer} deals{}\n",
                place.number,
                state.rounds,
                wind(place.round),
                on_table(place),
            )
        }
    }
}

/// How long the session's clock runs, and what follows.
fn write_clock(page: &mut String, state: &TableState) -> std::fmt::Result {
    let Some(clock) = state.clock.filter(|_| state.over.is_none()) else { return Ok(()) };
    let then = match clock.then {
        AfterTime::FinishDeal => "a deal whose dice were rolled before is finished, none begun",
        AfterTime::FinishRound => "the round is finished",
        AfterTime::Stop => "play stops",
    };
    let time = clock_time(clock.ends);
    if state.time_is_up(Timestamp::now()) {
        writeln!(page, "The clock ran out at {time}: {then}")
    } else {
        writeln!(page, "The clock runs until {time}; then {then}")
    }
}

/// Counters and sticks on the table.
fn on_table(place: DealPlace) -> String {
    let counted = |count: Option<u32>, one: &str, more: &str| match count {
        None | Some(0) => String::new(),
        Some(1) => format!(", 1 {one}"),
        Some(count) => format!(", {count} {more}"),
    };
    counted(place.honba, "counter", "counters") + &counted(place.sticks, "stick", "sticks")
}

/// A sentence with the apostrophe of keyboards.
pub(super) fn plain(said: &Say) -> String {
    said.english().replace('’', "'")
}

/// Events that were lost, and how many deals were among them.
pub(super) fn lost_line(loss: &Loss) -> String {
    let events = if loss.first == loss.last {
        format!("event {}", loss.first)
    } else {
        format!("events {} to {}", loss.first, loss.last)
    };
    match loss.deals {
        None => events,
        Some(1) => format!("{events} (1 deal)"),
        Some(deals) => format!("{events} ({deals} deals)"),
    }
}

fn write_players(page: &mut String, state: &TableState) -> std::fmt::Result {
    let width = state.players.iter().map(|player| player.name.chars().count()).max().unwrap_or(0);
    let last = state.last_deal();
    let mut order = state.order();
    // Once it is over the standings count, not the seats.
    if state.over.is_some() {
        let place = |&player: &usize| state.players[player].rank.unwrap_or(u32::MAX);
        order.sort_by_key(place);
    }
    for index in order {
        let player = &state.players[index];
        let change = last.map_or(String::new(), |last| TableState::change(last, index).signed());
        let rank = player.rank.map_or("-".to_owned(), |rank| format!("{rank}."));
        write!(
            page,
            "  {rank:>2} {}  {:<width$}  {:>10}  {change:>8}",
            player.seat,
            player.name,
            player.total.mixed(),
        )?;
        let own = state.penalties.iter().filter(|penalty| penalty.player == index);
        let in_table = own.clone().filter(|penalty| penalty.in_table).count();
        if in_table > 0 {
            let times = if in_table == 1 { String::new() } else { format!(" ×{in_table}") };
            write!(page, "  penalty off the score{times}")?;
        }
        if player.penalty_points != Points::ZERO || player.penalties > 0 && in_table == 0 {
            let (points, standing) = (player.penalty_points.mixed(), player.standing.mixed());
            write!(page, "  penalties {points}: {standing} stands")?;
        }
        if let Some(minimum) = player.minimum {
            write!(page, "  minimum {}", halves(minimum))?;
        }
        if let Some(placed) = player.placed {
            if let Some(points) = placed.table_points {
                write!(page, "  table points {}", points.mixed())?;
            }
            if let Some(bonus) = placed.bonus {
                let result = placed.result.signed();
                write!(page, "  result {result}, {} for the place", bonus.signed())?;
            }
        }
        if let Some(why) = &player.dead_hand {
            write!(page, "  dead hand ({why})")?;
        }
        if let Some(why) = &player.disqualified {
            write!(page, "  disqualified ({why})")?;
        }
        writeln!(page)?;
    }
    Ok(())
}

/// A deal in a line: winner, way of winning, worth and items, payments.
pub(super) fn deal_line(state: &TableState, record: &DealRecord) -> String {
    let mut sentences: Vec<String> = record.said.iter().map(plain).collect();
    for (sentence, winner) in sentences.iter_mut().zip(&record.winners) {
        let items = winner.scored.iter().flat_map(|scored| &scored.items);
        let items: Vec<String> = items.map(|(id, _)| state.item_name(id)).collect();
        if !items.is_empty() {
            let _ = write!(sentence, " ({})", items.join(", "));
        }
    }
    let riichi = sentences.pop_if(|_| !record.riichi.is_empty());
    let between = if record.winners.is_empty() { ", " } else { "; " };
    let mut text = sentences.join(between);
    if let Some(riichi) = riichi {
        let _ = write!(text, "; {riichi}");
    }
    let paid: Vec<String> = (state.players.iter().enumerate())
        .map(|(player, about)| (about, TableState::change(record, player)))
        .filter(|(_, amount)| *amount != Points::ZERO)
        .map(|(about, amount)| format!("{} {}", about.name, amount.signed()))
        .collect();
    if !paid.is_empty() {
        let _ = write!(text, ": {}", paid.join(", "));
    }
    if let Some(by) = record.corrected_by {
        let _ = write!(text, " (corrected by event {by})");
    }
    text
}
