//! `tilelens advise`: how far a hand is from complete, and the effect of each discard.

use std::{
    io::{self, Write},
    path::Path,
};

use anyhow::{Context, anyhow};
use clap::Args;

use super::{
    Outcome,
    circumstance_args::TableArgs,
    library,
    photo::{self, doubts},
    pictures::{NetworkArgs, TilesetArgs},
    terminal::{Glyphs, halves, not_ready, signed, tiles},
    waits::{seen_faces, unwritten_note},
};
use crate::{
    advice::{Advice, Discard, Outlook, Turn, Weighed, WorthRange},
    hand::Reading,
    layout::Unread,
    rules::{RuleSet, Win},
    tile::{Face, Seat},
};

#[derive(Args)]
#[command(
    after_help = "Example: tilelens advise \"123m456p678s9s1z (7'77z)\" --seen 5s9s --seat S\n\nIf a hand has 4, 7 or 10 tiles (5, 8 or 11 with the drawn one; 13 and 14 too if hands have five sets, as in taiwan), its other sets are claimed."
)]
pub(super) struct AdviseArgs {
    /// A hand of 13 tiles, or of 14 with the tile just drawn (16 and 17 if hands have five sets), with claimed
    /// sets in brackets as for `score`. Or a picture of a hand, or the output of `photo --json`
    #[arg(value_name = "HAND|PICTURE")]
    hand: String,
    #[command(flatten)]
    table: TableArgs,
    /// Tiles that lie face up elsewhere, such as 66s9s
    #[arg(long, default_value = "")]
    seen: String,
    #[command(flatten)]
    networks: NetworkArgs,
    #[command(flatten)]
    tileset: TilesetArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Whether tiles are shown as glyphs
    #[arg(long, value_enum, default_value_t)]
    glyphs: Glyphs,
}

/// The hand, and the face-up tiles elsewhere, such as those of a picture outside the hand.
fn hand(args: &AdviseArgs, rules: &RuleSet) -> anyhow::Result<(Reading, Vec<Face>)> {
    let seen = seen_faces(&args.seen)?;
    let file = Path::new(&args.hand);
    match args.hand.parse::<Reading>() {
        Err(_) if file.is_file() => {
            let shown = photo::shown(file, rules.whole_hand(), &args.networks, &args.tileset)?;
            let seen = seen.into_iter().chain(shown.elsewhere()).collect();
            let refusal = shown.refusal.unwrap_or(Unread::NoRow);
            let hand = shown.hand.ok_or_else(|| anyhow!("{}: {refusal}", file.display()))?;
            for doubt in &hand.doubts {
                eprintln!("tilelens: in doubt: {}", doubts::said(doubt));
            }
            Ok((hand.reading, seen))
        }
        reading => Ok((reading.context("neither hand text nor a picture")?, seen)),
    }
}

pub(super) fn run(args: &AdviseArgs) -> anyhow::Result<Outcome> {
    let rules = args.table.rule_set(&library())?;
    let (reading, seen) = hand(args, &rules)?;
    let at = args.table.circumstances(Win::SelfDraw);
    let weighed = Weighed::new(&rules, &reading, &seen, &at)?;
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&weighed.json(&rules, &reading))?)?;
        return Ok(Outcome::Found);
    }
    let shown = AdvicePage {
        hand: reading.to_string(),
        rules: &rules,
        winner: at.seat,
        glyphs: args.glyphs.shown(),
    };
    out.write_all(shown.page(&weighed).as_bytes())?;
    Ok(Outcome::Found)
}

/// The text of advice.
struct AdvicePage<'a> {
    /// As hand text.
    hand: String,
    rules: &'a RuleSet,
    winner: Seat,
    glyphs: bool,
}

/// "waiting", "2 tiles away from waiting".
fn distance(missing: u8) -> String {
    match missing {
        0 => "complete".to_owned(),
        1 => "waiting".to_owned(),
        2 => "1 tile away from waiting".to_owned(),
        more => format!("{} tiles away from waiting", more - 1),
    }
}

impl AdvicePage<'_> {
    fn tile(&self, tile: impl ToString) -> String {
        tiles(&tile.to_string(), self.glyphs)
    }

    fn list(&self, faces: &[Face]) -> String {
        faces.iter().map(|face| self.tile(face)).collect::<Vec<_>>().join(", ")
    }

    /// "helps 3s 4, 6s 3: 7 left".
    fn helps(&self, standing: &Outlook) -> String {
        let each: Vec<String> = (standing.helps.iter())
            .map(|help| format!("{} {}", self.tile(help.tile), help.left))
            .collect();
        if each.is_empty() {
            return "no tile helps".to_owned();
        }
        format!("{} left: {}", standing.left(), each.join(", "))
    }

    /// A note on tiles of which the hand holds all.
    fn held_out(&self, standing: &Outlook) -> Option<String> {
        if standing.held_out.is_empty() {
            return None;
        }
        let tiles = self.list(&standing.held_out);
        Some(if standing.waits_for_a_fifth() {
            let not_ready = not_ready(self.rules);
            format!("it would wait only for {tiles}, of which it holds all four: {not_ready}")
        } else {
            format!("a fifth {tiles} would bring it nearer, but it holds all four")
        })
    }

    /// "3 to 5 faan, +20 to +80".
    fn worth(&self, worth: &WorthRange) -> String {
        let gain = |value: &crate::rules::Value| {
            signed(value.payments.of(self.winner).unwrap_or_default())
        };
        let (least, most) = (gain(&worth.least), gain(&worth.most));
        let faan = (halves(worth.least.faan), halves(worth.most.faan));
        let unit = self.rules.unit.counted(worth.most.faan);
        let faan = match worth.least.faan.cmp(&worth.most.faan) {
            std::cmp::Ordering::Equal => format!("{} {unit}", faan.0),
            _ => format!("{} to {} {unit}", faan.0, faan.1),
        };
        let gain = if least == most { least } else { format!("{least} to {most}") };
        let refused = if worth.some_refused { ", some wins are worth too little" } else { "" };
        format!("{faan}, {gain}{refused}")
    }

    fn head(&self, advice: &Advice, missing: u8) -> String {
        let hand = tiles(&self.hand, self.glyphs);
        let mut head = format!("{hand}\n{}\n\n{}\n", self.rules.name, distance(missing));
        if let Some(note) = unwritten_note(advice.tiles, advice.unwritten_sets) {
            head += &format!("{note}\n");
        }
        if advice.tiles > self.rules.whole_hand().tiles() {
            head += &format!(
                "{} tiles: taken for a hand of five sets and a pair; worth is not shown\n",
                advice.tiles
            );
        }
        head
    }

    fn page(&self, weighed: &Weighed) -> String {
        let advice = &weighed.advice;
        match &advice.turn {
            Turn::Draw(standing) => {
                let mut page = self.head(advice, standing.missing);
                page += &format!("  {}\n", self.helps(standing));
                page.extend(self.held_out(standing).map(|why| format!("  {why}\n")));
                let worth = weighed.worth.iter().flatten();
                page.extend(worth.map(|worth| format!("  worth {}\n", self.worth(worth))));
                page
            }
            Turn::Discard { missing, .. } => {
                let mut page = self.head(advice, *missing);
                for (discard, worth) in weighed.discards() {
                    page += &self.discard_line(discard, worth);
                }
                page
            }
        }
    }

    fn discard_line(&self, discard: &Discard, worth: Option<&WorthRange>) -> String {
        let after = &discard.after;
        let mut line = format!(
            "  discard {}   {}   {}",
            self.tile(discard.tile),
            distance(after.missing),
            self.helps(after)
        );
        line.extend(worth.map(|worth| format!("   {}", self.worth(worth))));
        line.extend(self.held_out(after).map(|why| format!("   ({why})")));
        line.push('\n');
        line
    }
}
