//! `tilelens waits`: the tiles that complete a hand one tile short.

use std::io::{self, Write};

use anyhow::Context;
use clap::Args;
use serde_json::json;

use super::{
    Outcome,
    circumstance_args::{RiichiArgs, TableArgs},
    library,
    terminal::{Glyphs, halves, not_ready, tiles},
};
use crate::{
    advice::{Outlook, Shape, Turn, advise, size},
    hand::Reading,
    points::mixed,
    rules::{
        Circumstances, ErrorKind, Field, NoWin, RuleSet, ScoreError, ScoredItem, Value, Wait,
        WaitsError, Win,
    },
    tile::{Face, Seat, SeenFace, Tile},
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
    let tiles = reading.concealed.into_iter().chain(reading.bonus);
    let sets = reading.sets.into_iter().flat_map(|set| set.tiles).map(|tile| tile.face);
    Ok(tiles
        .chain(sets)
        .filter_map(|seen| match seen {
            SeenFace::Tile(tile) => Some(tile.face()),
            SeenFace::Back | SeenFace::Unknown => None,
        })
        .collect())
}

/// Tiles that lie face up by the circumstances: indicators, and Norths put aside.
fn shown_by(rules: &RuleSet, at: &Circumstances) -> Vec<Face> {
    let mut shown = Vec::new();
    if rules.uses(Field::DoraIndicators) {
        shown.extend(at.dora_indicators.iter().map(Tile::face));
    }
    if rules.uses(Field::North) {
        shown.extend(std::iter::repeat_n(Seat::North.wind(), at.north.into()));
    }
    shown
}

fn outcome_json(outcome: &Result<Value, ScoreError>, items: &[ScoredItem]) -> serde_json::Value {
    match outcome {
        Ok(value) => {
            let items: Vec<_> = items
                .iter()
                .map(|item| json!({ "id": item.id, "value": item.value, "unit": item.unit }))
                .collect();
            json!({
                "ok": true, "faan": value.faan, "score": value.score, "payments": value.payments,
                "items": items,
            })
        }
        Err(refusal) => {
            let mut failed = json!({ "ok": false, "error": ErrorKind::from(refusal) });
            if let ScoreError::NoWin(NoWin::BelowMinimum { faan, .. }) = refusal {
                failed["faan"] = json!(faan);
            }
            failed
        }
    }
}

fn wait_json(wait: &Wait) -> serde_json::Value {
    let claimed: serde_json::Map<_, _> = (wait.claimed.iter())
        .map(|(seat, outcome)| (seat.to_string(), outcome_json(outcome, &wait.claimed_items)))
        .collect();
    json!({
        "tile": wait.tile.to_string(), "unseen": wait.unseen,
        "self_draw": outcome_json(&wait.self_draw, &wait.self_draw_items), "from": claimed,
    })
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

/// The waits of a hand without all its claimed sets: without them no tile has a value.
fn partial(standing: &Outlook) -> Vec<(Face, u8)> {
    if standing.missing > 1 {
        return Vec::new();
    }
    standing.helps.iter().map(|help| (help.tile, help.left)).collect()
}

pub(super) fn run(args: &WaitsArgs) -> anyhow::Result<Outcome> {
    let rules = args.table.rule_set(&library())?;
    let reading: Reading = args.hand.parse().context("no hand text")?;
    let at = args.riichi.add_to(args.table.circumstances(Win::SelfDraw));
    let mut seen = seen_faces(&args.seen)?;
    seen.extend(shown_by(&rules, &at));
    let standing = || match advise(&reading, &seen, Shape::of(&rules, size(&reading)))?.turn {
        Turn::Draw(standing) => Ok(standing),
        Turn::Discard { .. } => anyhow::bail!("the hand is not one tile short"),
    };
    let mut out = io::stdout().lock();
    let waits = match rules.waits(&reading, &seen, &at) {
        Err(WaitsError::ClaimedSetsMissing { found, missing }) => {
            let waits = partial(&standing()?);
            if args.json {
                let waits: Vec<_> = (waits.iter())
                    .map(|(tile, left)| json!({ "tile": tile, "unseen": left }))
                    .collect();
                let object =
                    json!({ "rules": rules.id, "unwritten_sets": missing, "waits": waits });
                writeln!(out, "{object}")?;
            } else {
                let note = unwritten_note(found, missing).unwrap_or_default();
                writeln!(out, "{}\n{note}", rules.name)?;
                for (tile, left) in &waits {
                    let tile = tiles(&tile.to_string(), args.glyphs.shown());
                    writeln!(out, "  {tile}  {left} unseen")?;
                }
            }
            waits.len()
        }
        waits => {
            let waits = waits?;
            if args.json {
                let waits: Vec<_> = waits.iter().map(wait_json).collect();
                writeln!(out, "{}", json!({ "rules": rules.id, "waits": waits }))?;
            } else if !waits.is_empty() {
                let page = page(&waits, &rules, args.table.seat, args.glyphs.shown());
                out.write_all(page.as_bytes())?;
            }
            waits.len()
        }
    };
    if waits > 0 {
        return Ok(Outcome::Found);
    }
    if !args.json {
        // Forms unknown to the advice have no fifth tile.
        let fifth = standing().ok().filter(Outlook::waits_for_a_fifth);
        let fifth = fifth.map(|standing| standing.held_out);
        match fifth {
            Some(faces) => {
                let faces: Vec<String> = (faces.iter())
                    .map(|face| tiles(&face.to_string(), args.glyphs.shown()))
                    .collect();
                let faces = faces.join(", ");
                let not_ready = not_ready(&rules);
                writeln!(
                    out,
                    "it would wait only for {faces}, of which it holds all four: {not_ready}"
                )?;
            }
            None => writeln!(out, "no tile completes this hand")?,
        }
    }
    Ok(Outcome::Nothing)
}
