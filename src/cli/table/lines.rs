//! Events of a table in a line each, with corrected values.

use super::page::{clock_time, plain};
use crate::{
    points::Points,
    table::{Deal, DealWords, Event, Opened, Recorded, Table, TableState},
};

/// An event in a line.
pub(super) fn event_line(table: &Table, state: &TableState, recorded: &Recorded) -> String {
    let name = |player: usize| state.players.get(player).map_or("?", |player| &player.name);
    let words = DealWords { players: &state.players, terms: state.terms.as_deref() };
    let event = &recorded.event;
    let what = event.name();
    match event {
        Event::Opened(opened) => {
            let names: Vec<&str> = opened.players.iter().map(|player| &*player.name).collect();
            let chosen = opened.rulings.iter().map(|(id, choice)| format!(", {id}={choice}"));
            let chosen: String = chosen.collect();
            format!("{what}: {}{chosen} by {}", opened.rules, names.join(", "))
        }
        Event::Deal(deal) => format!("{what} {}", won_line(state, words, deal)),
        Event::Draw(draw) => {
            let at = draw.rolled.map_or(String::new(), |at| format!(", at {}", clock_time(at)));
            let number = draw.place.map_or(0, |place| place.number);
            let said: Vec<String> = words.draw(draw).iter().map(plain).collect();
            let said = said.join(", ");
            let said = said.strip_prefix("a draw").unwrap_or(&said);
            format!("{what}: deal {number}{at}{said}{}", riichi_line(words, &draw.riichi))
        }
        Event::Chombo(chombo) => {
            let at = chombo.rolled.map_or(String::new(), |at| format!(", at {}", clock_time(at)));
            let number = chombo.place.map_or(0, |place| place.number);
            let cause = chombo.cause.as_deref().unwrap_or_default();
            let said = [name(chombo.player), cause, &chombo.note];
            format!("{what}: deal {number}{at}, {}", said.join(" ").trim_end())
        }
        Event::Discarded { player, tile } => format!("{what}: {} {tile}", name(*player)),
        Event::Penalty(penalty) => {
            let points = penalty.points.map_or(String::new(), |points| format!(" {points}"));
            let cause = penalty.cause.as_deref().unwrap_or_default();
            let said = [name(penalty.player), cause, &penalty.note];
            format!("{what}{points}: {}", said.join(" ").trim_end())
        }
        Event::DeadHand(fault) | Event::VoidClaim(fault) | Event::Disqualified(fault) => {
            let cause = fault.cause.as_deref().unwrap_or_default();
            let said = [name(fault.player), cause, &fault.note];
            format!("{what}: {}", said.join(" ").trim_end())
        }
        Event::Undone { event } => match written(table, *event) {
            Some(undone) => {
                format!("{what}: event {event}, {}", event_line(table, state, undone))
            }
            None => format!("{what}: event {event}"),
        },
        Event::Corrected { event, with } => {
            let line = |event: &Event| {
                let recorded = Recorded { event: event.clone(), ..recorded.clone() };
                event_line(table, state, &recorded)
            };
            match (before(table, *event, recorded.seq), &**with) {
                (Some(Event::Opened(old)), Event::Opened(new)) => {
                    format!("{what}: event {event}, {}", changes(old, new))
                }
                (Some(old), new) => {
                    format!("{what}: event {event} from {} to {}", line(old), line(new))
                }
                (None, new) => format!("{what}: event {event} to {}", line(new)),
            }
        }
        Event::Ended { why } if !why.is_empty() => format!("{what}: {why}"),
        Event::ClockStarted { minutes, started } => {
            let minutes = minutes.map_or(String::new(), |minutes| format!(", {minutes} minutes"));
            format!("{what}: {}{minutes}", clock_time(started.unwrap_or(recorded.at)))
        }
        Event::ClockSet { ends, paused } => {
            let stands =
                paused.map_or(String::new(), |at| format!(", stands at {}", clock_time(at)));
            format!("{what}: until {}{stands}", clock_time(*ends))
        }
        Event::DiscardRows { rows, claimed } => {
            format!("{what}: {}; claimed: {}", of_players(state, rows), of_players(state, claimed))
        }
        Event::Lost { .. } => format!("{what}: damage of the file has destroyed it"),
        Event::Ended { .. } => what.to_owned(),
    }
}

/// Each player's tiles, by name.
fn of_players(state: &TableState, rows: &[String]) -> String {
    let named = state.players.iter().zip(rows).filter(|(_, row)| !row.is_empty());
    let named: Vec<String> = named.map(|(player, row)| format!("{} {row}", player.name)).collect();
    named.join(", ")
}

/// A deal that was won, as it was entered.
fn won_line(state: &TableState, words: DealWords<'_>, deal: &Deal) -> String {
    let name = |player: usize| state.players.get(player).map_or("?", |player| &player.name);
    let hands: Vec<String> = (deal.winners.iter())
        .map(|winner| {
            let worth = winner.worth.map(|worth| format!("worth {worth}"));
            let hand = winner.hand.as_deref().or(worth.as_deref());
            let hand = hand.unwrap_or("no hand entered");
            let how = plain(&words.won_how(winner));
            let others = winner.others.iter().map(|other| {
                let worth = other.worth.map(|worth| worth.to_string());
                let has = other.hand.clone().or(worth).unwrap_or_default();
                let dead = if other.dead { ", dead" } else { "" };
                format!("; {} {has}{dead}", name(other.player))
            });
            format!("{} wins {how} ({hand}{})", name(winner.player), others.collect::<String>())
        })
        .collect();
    let beside = deal.played_on.iter().flat_map(|played_on| words.beside(played_on));
    let said: Vec<String> = hands.into_iter().chain(beside.map(|said| plain(&said))).collect();
    let scored = deal.winners.iter().filter_map(|winner| winner.scored.as_ref());
    let acts = deal.played_on.iter().flat_map(|played_on| &played_on.acts);
    let paid = scored.map(|scored| &*scored.payments).chain(acts.map(|act| &*act.payments));
    let paid = paid.chain(deal.payments.as_deref());
    let paid: Vec<String> = paid
        .map(|amounts| {
            let amounts: Vec<String> = amounts.iter().map(Points::to_string).collect();
            format!("[{}]", amounts.join(" "))
        })
        .collect();
    let number = deal.place.map_or(0, |place| place.number);
    let at = deal.rolled.map_or(String::new(), |at| format!(", at {}", clock_time(at)));
    let riichi = riichi_line(words, &deal.riichi);
    format!("{number}{at}: {} {}{riichi}", said.join(", "), paid.join(" + "))
}

/// Who put down a stick, after what else is said of the deal.
fn riichi_line(words: DealWords<'_>, riichi: &[usize]) -> String {
    words.declared(riichi).map_or_else(String::new, |said| format!("; {}", plain(&said)))
}

/// An event as it was written.
fn written(table: &Table, seq: u64) -> Option<&Recorded> {
    table.events().iter().find(|recorded| recorded.seq == seq)
}

/// The event before its correction: as written, or as last corrected before.
fn before(table: &Table, event: u64, correction: u64) -> Option<&Event> {
    let earlier = table.events().iter().filter(|recorded| recorded.seq < correction);
    let corrected = earlier.rev().find_map(|recorded| match &recorded.event {
        Event::Corrected { event: of, with } if *of == event => Some(&**with),
        _ => None,
    });
    corrected.or_else(|| written(table, event).map(|recorded| &recorded.event))
}

/// The corrections of a table's opening.
fn changes(old: &Opened, new: &Opened) -> String {
    let mut changes = Vec::new();
    for (old, new) in old.players.iter().zip(&new.players) {
        if old.name != new.name {
            changes.push(format!("{} is {}", old.name, new.name));
        }
        if old.penalties_before != new.penalties_before {
            let (before, now) = (old.penalties_before, new.penalties_before);
            changes.push(format!("{} had {now} penalties before, not {before}", new.name));
        }
        if old.new_player_wins != new.new_player_wins {
            let text = |wins: Option<u32>| wins.map_or("none".to_owned(), |wins| wins.to_string());
            let (before, now) = (text(old.new_player_wins), text(new.new_player_wins));
            changes.push(format!("{}'s wins as a new player: {now}, not {before}", new.name));
        }
    }
    if old.initial != new.initial {
        let points = |opened: &Opened| opened.initial.unwrap_or_default();
        changes.push(format!("{} points to begin with, not {}", points(new), points(old)));
    }
    if old.clock != new.clock {
        changes.push("the clock runs as the tournament's does".to_owned());
    }
    if old.title != new.title {
        changes.push(format!("the title is {}", new.title.as_deref().unwrap_or("none")));
    }
    if changes.is_empty() { "nothing else".to_owned() } else { changes.join("; ") }
}
