//! `tilelens waits`: the tiles that complete a hand one tile short.

use std::io::{self, Write};

use anyhow::Context;
use clap::Args;

use super::{
    Outcome,
    circumstance_args::{RiichiArgs, TableArgs},
    library,
    terminal::{Glyphs, halves, not_ready, tiles},
};
use crate::{
    advice::{Shape, Turn, WaitingTiles, Waits, advise, size},
    hand::Reading,
    points::mixed,
    rules::{NoWin, RuleSet, ScoreError, Value, Wait, Win},
    tile::{Face, Seat},
};

#[derive(Args)]
#[command(after_help = "Example: tilelens waits \"123m456p78s99s (7'77z)\" --seen 6s9s --seat S")]
pub(super) struct WaitsArgs {
    /// A hand one tile short, without +. If it has 4, 7 or 10 tiles (13 in taiwan), its other sets are claimed
    hand: String,
    #[command(flatten)]
    table: TableArgs,
    #[command(flatten)]
    riichi: RiichiArgs,
    /// Tiles that lie face up elsewhere, such as 66s9s, without indicators and Norths put aside
    #[arg(long, default_value = "")]
    seen: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Whether tiles are shown as glyphs
    #[arg(long, value_enum, default_value_t)]
    glyphs: Glyphs,
}

pub(super) fn seen_faces(text: &str) -> anyhow::Result<Vec<Face>> {
    let reading: Reading = text.parse().context("--seen is no list of tiles")?;
    Ok(reading.faces().collect())
}

/// The value of a win: "3 faan, +80".
fn gain(outcome: &Result<Value, ScoreError>, winner: Seat) -> String {
    match outcome {
        Ok(value) => {
            let gain = value.payments.of(winner).unwrap_or_default();
            format!("{} → {}", halves(value.faan), mixed(gain))
        }
        Err(ScoreError::NoWin(NoWin::BelowMinimum { faan, minimum })) => {
            format!("no win ({}, the minimum is {})", halves(*faan), halves(*minimum))
        }
        Err(_) => "no win".to_owned(),
    }
}

fn page(waits: &[Wait], rules: &RuleSet, winner: Seat, glyphs: bool) -> String {
    let mut page = format!("{}\n", rules.name);
    for wait in waits {
        let tile = tiles(&wait.tile.to_string(), glyphs);
        page += &format!("  {tile}  {} unseen", wait.unseen);
        page += &format!("   self-drawn {}", gain(&wait.self_draw, winner));
        let gains: Vec<(Seat, String)> =
            wait.claimed.iter().map(|(seat, outcome)| (*seat, gain(outcome, winner))).collect();
        if gains.windows(2).all(|pair| pair[0].1 == pair[1].1) {
            page += &format!("   claimed {}", gains.first().map_or("", |(_, gain)| gain));
        } else {
            for (seat, gain) in gains {
                page += &format!("   from {seat} {gain}");
            }
        }
        page.push('\n');
        for (how, items) in
            [("self-drawn", &wait.self_draw_items), ("claimed", &wait.claimed_items)]
        {
            if !items.is_empty() {
                let names: Vec<String> = items
                    .iter()
                    .map(|item| format!("{} {}", item.name, halves(item.value)))
                    .collect();
                page += &format!("      {how}: {}\n", names.join(", "));
            }
        }
    }
    if rules.asks_for_furiten() {
        page += "A discard wins only if no tile of these lies among the winner's own discards, and \
                 none was passed up since his last turn (furiten).\n";
    }
    page
}

/// States the number of claimed sets that the hand text leaves out.
pub(super) fn unwritten_note(tiles: usize, sets: usize) -> Option<String> {
    let claimed = match sets {
        0 => return None,
        1 => "one more set lies claimed".to_owned(),
        sets => format!("{sets} more sets lie claimed"),
    };
    Some(format!(
        "{tiles} tiles: {claimed} and not written here, so nothing is said of what the hand is worth"
    ))
}

pub(super) fn run(args: &WaitsArgs) -> anyhow::Result<Outcome> {
    let rules = args.table.rule_set(&library())?;
    let reading: Reading = args.hand.parse().context("no hand text")?;
    let at = args.riichi.add_to(args.table.circumstances(Win::SelfDraw));
    let seen = seen_faces(&args.seen)?;
    let found = Waits::of(&rules, &reading, &seen, &at)?;
    let mut out = io::stdout().lock();
    if args.json {
        serde_json::to_writer(&mut out, &found)?;
        writeln!(out)?;
    } else {
        let glyphs = args.glyphs.shown();
        let page = match &found.tiles {
            WaitingTiles::Valued(waits) if waits.is_empty() => String::new(),
            WaitingTiles::Valued(waits) => page(waits, &rules, args.table.seat, glyphs),
            WaitingTiles::Partial { helps, .. } => {
                let note =
                    unwritten_note(size(&reading), found.unwritten_sets()).unwrap_or_default();
                let lines = helps.iter().map(|help| {
                    format!("  {}  {} unseen\n", tiles(&help.tile.to_string(), glyphs), help.left)
                });
                format!("{}\n{note}\n{}", rules.name, lines.collect::<String>())
            }
        };
        out.write_all(page.as_bytes())?;
    }
    if !found.is_empty() {
        return Ok(Outcome::Found);
    }
    if !args.json {
        writeln!(out, "{}", no_waits(&rules, &reading, &seen, args.glyphs.shown()))?;
    }
    Ok(Outcome::Nothing)
}

/// Why a hand waits for no tile. Forms unknown to the advice have no fifth tile.
fn no_waits(rules: &RuleSet, reading: &Reading, seen: &[Face], glyphs: bool) -> String {
    let turn = advise(reading, seen, Shape::of(rules, size(reading))).map(|advice| advice.turn);
    match turn {
        Ok(Turn::Draw(standing)) if standing.waits_for_a_fifth() => {
            let faces: Vec<String> =
                (standing.held_out.iter()).map(|face| tiles(&face.to_string(), glyphs)).collect();
            let (faces, not_ready) = (faces.join(", "), not_ready(rules));
            format!("it would wait only for {faces}, of which it holds all four: {not_ready}")
        }
        _ => "no tile completes this hand".to_owned(),
    }
}
