//! `tilelens score`: one hand for a person, or a batch of requests for a program.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use anyhow::{Context, bail};
use clap::Args;

use super::{
    Outcome, batch,
    circumstance_args::{TableArgs, WinArgs},
    library,
    terminal::{Glyphs, page},
};
use crate::{
    hand::Hand,
    rules::{Answer, ErrorKind},
};

#[derive(Args)]
#[command(
    after_help = "Example: tilelens score \"123m456m789p23s55s +4s\" --rules mmm --seat W --round E --from S"
)]
pub(super) struct ScoreArgs {
    /// The hand: 123m456p, claimed sets (7'77z), concealed kongs [1111z], flowers 13f, and the
    /// winning tile +5p
    #[arg(required_unless_present = "batch", conflicts_with = "batch")]
    hand: Option<String>,
    #[command(flatten)]
    table: TableArgs,
    #[command(flatten)]
    win: WinArgs,
    /// Answer requests in JSON Lines from this file, or from standard input with -. There is one answer a line,
    /// in the same order
    #[arg(long, value_name = "FILE")]
    batch: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Leave out explanations: the runner-up, rulings, and items that do not count
    #[arg(long)]
    brief: bool,
    /// Whether tiles are shown as glyphs
    #[arg(long, value_enum, default_value_t)]
    glyphs: Glyphs,
}

pub(super) fn run(args: ScoreArgs) -> anyhow::Result<Outcome> {
    let library = library();
    if let Some(path) = &args.batch {
        return batch::run(path, &library, args.brief);
    }
    let text = args.hand.as_deref().unwrap_or_default();
    let rules = args.table.rule_set(&library)?;
    let Some(win) = args.win.win() else {
        bail!("the way of winning is missing: give --self-draw, --from SEAT or --rob-kong SEAT");
    };
    let at = args.win.circumstances(&args.table, win);
    let hand: Hand = match text.parse() {
        Ok(hand) => hand,
        Err(error) if args.json => {
            let answer = Answer::failed(ErrorKind::BadHand, &error);
            print_json(&answer)?;
            return Err(error).context("no legal hand");
        }
        Err(error) => return Err(error).context("no legal hand"),
    };
    let explained = rules.explain(&hand, &at, None, args.brief);
    let answer = Answer { rules: Some(rules.id.clone()), explained, brief: args.brief };
    if args.json {
        print_json(&answer)?;
    }
    match &answer.explained.outcome {
        Err(failure) if failure.kind < ErrorKind::NotComplete => {
            bail!("{}", failure.message.english());
        }
        outcome => {
            if !args.json {
                let page = page(&rules, &hand, &at, &answer, args.glyphs.shown());
                io::stdout().write_all(page.as_bytes())?;
            }
            Ok(if outcome.is_ok() { Outcome::Found } else { Outcome::Nothing })
        }
    }
}

fn print_json(answer: &Answer) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, answer)?;
    Ok(writeln!(out)?)
}
