//! A table as text for people.

use std::fmt::Write as _;

use jiff::{Timestamp, tz::TimeZone};

use crate::{
    cli::terminal::halves,
    rules::AfterTime,
    table::{DealRecord, Discards, Loss, TableState, WinBy, Winner},
    tile::Seat,
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

/// The whole page.
pub(super) fn page(state: &TableState) -> String {
    let mut page = String::new();
    // Writing to a string cannot fail.
    let _ = write_page(&mut page, state);
    page
}

fn write_page(page: &mut String, state: &TableState) -> std::fmt::Result {
    let title = state.title.as_ref().map_or(String::new(), |title| format!(", {title}"));
    writeln!(page, "Table {}{title}: {}", state.table, state.rules_name)?;
    let dealer = state.players.get(state.place.dealer).map_or("", |player| &player.name);
    match &state.over {
        Some(over) => {
            let played = match state.history.len() {
                1 => "1 deal".to_owned(),
                played => format!("{played} deals"),
            };
            writeln!(page, "The session is over: {over}. {played}.\n")?;
        }
        None => writeln!(
            page,
            "Deal {}, round {} of {}: {}; {dealer} deals\n",
            state.place.number,
            state.rounds_played + 1,
            state.rounds,
            wind(state.place.round)
        )?,
    }
    write_players(page, state)?;
    if let Some(last) = state.last_deal() {
        writeln!(page, "\nLast deal ({}): {}", last.place.number, deal_line(state, last))?;
    }
    if state.tiles_aside > 0 && state.over.is_none() {
        writeln!(page, "Three players: set {} tiles aside, claim no chow", state.tiles_aside)?;
    }
    if let Some(clock) = state.clock
        && state.over.is_none()
    {
        let then = match clock.then {
            AfterTime::FinishDeal => "a deal whose dice were rolled before is finished, none begun",
            AfterTime::FinishRound => "the round is finished",
            AfterTime::Stop => "play stops",
        };
        let time = clock_time(clock.ends);
        if state.time_is_up(Timestamp::now()) {
            writeln!(page, "The clock ran out at {time}: {then}")?;
        } else {
            writeln!(page, "The clock runs until {time}; then {then}")?;
        }
    }
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
        let change = last
            .and_then(|last| last.payments.get(index))
            .map_or(String::new(), |change| change.signed());
        let rank = player.rank.map_or("-".to_owned(), |rank| format!("{rank}."));
        write!(
            page,
            "  {rank:>2} {}  {:<width$}  {:>10}  {change:>8}",
            player.seat,
            player.name,
            player.total.mixed(),
        )?;
        if player.penalties > 0 {
            let (points, standing) = (player.penalty_points.mixed(), player.standing.mixed());
            write!(page, "  penalties {points}: {standing} stands")?;
        }
        if let Some(minimum) = player.minimum {
            write!(page, "  minimum {}", halves(minimum))?;
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

/// A deal in a line: who won how, what it was worth, who paid.
pub(super) fn deal_line(state: &TableState, record: &DealRecord) -> String {
    let name = |player: usize| state.players.get(player).map_or("?", |player| &player.name);
    let mut text = match record.winners.first() {
        None => "a draw".to_owned(),
        Some(first) => {
            let winners: Vec<&str> =
                record.winners.iter().map(|winner| name(winner.player)).collect();
            let how = match (first.win, first.from) {
                (WinBy::Discard, Some(from)) => format!("on {}'s discard", name(from)),
                (WinBy::RobKong, Some(from)) => format!("robbing {}'s kong", name(from)),
                _ => "by self-draw".to_owned(),
            };
            let worth: Vec<String> = record.winners.iter().filter_map(worth).collect();
            let worth =
                if worth.is_empty() { String::new() } else { format!(", {}", worth.join("; ")) };
            format!("{} {how}{worth}", winners.join(" and "))
        }
    };
    let paid: Vec<String> = (record.payments.iter().enumerate())
        .filter(|(_, amount)| **amount != crate::points::Points::ZERO)
        .map(|(player, amount)| format!("{} {}", name(player), amount.signed()))
        .collect();
    if !paid.is_empty() {
        let _ = write!(text, ": {}", paid.join(", "));
    }
    if let Some(by) = record.corrected_by {
        let _ = write!(text, " (corrected by event {by})");
    }
    text
}

fn worth(winner: &Winner) -> Option<String> {
    let scored = winner.scored.as_ref()?;
    let items: Vec<String> = scored.items.iter().map(|(id, _)| id.replace('_', " ")).collect();
    Some(format!("{} ({})", halves(scored.score), items.join(", ")))
}
