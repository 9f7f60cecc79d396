//! `tilelens convert`: hands from and to the notations of other programs.

use std::{
    io::{self, Read, Write},
    path::Path,
};

use anyhow::{Context, bail};
use clap::Args;

use super::Outcome;
use crate::convert::HandFormat;

/// The largest file of hands, in bytes.
const MOST: u64 = 1 << 24;

#[derive(Args)]
#[command(
    after_help = "Formats:\n  tilelens    our own: 123m406p55z78s (7'77z) +9s\n  tenhou      Tenhou's text for concealed hands: 123m406p11z\n  tenhou-log  tiles and calls of Tenhou's JSON log: [12,13,\"p474747\"]\n  mjai        events: chi, pon, daiminkan, kakan, ankan, hora\n  gb          GB-Mahjong: [123m,1]456p33s4p\n  botzone     PyMahjongGB's arguments as JSON: pack, hand, winTile, flowerCount\n  kajongg     b1b1b1 RC1C2C3 LC3\n  unicode     glyphs\n\nExample: tilelens convert --from tenhou-log --to tilelens '[12,13,14,\"p474747\"]'"
)]
pub(super) struct ConvertArgs {
    /// The format of the text
    #[arg(long, value_name = "FORMAT")]
    from: HandFormat,
    /// The format to write
    #[arg(long, value_name = "FORMAT")]
    to: HandFormat,
    /// The hand, a file of hands, or - for standard input. Each line is a hand; with mjai and botzone the whole
    /// input is one hand
    #[arg(value_name = "TEXT|FILE|-", allow_hyphen_values = true)]
    text: String,
}

/// The text itself, or the contents of the file or standard input.
fn input(text: &str) -> anyhow::Result<String> {
    let mut read = String::new();
    if text == "-" {
        io::stdin()
            .lock()
            .take(MOST + 1)
            .read_to_string(&mut read)
            .context("cannot read standard input")?;
    } else if Path::new(text).is_file() {
        let file = std::fs::File::open(text).with_context(|| format!("cannot read {text}"))?;
        file.take(MOST + 1)
            .read_to_string(&mut read)
            .with_context(|| format!("cannot read {text}"))?;
    } else {
        return Ok(text.to_owned());
    }
    if read.len() as u64 > MOST {
        bail!("more than {MOST} bytes: give fewer hands at once");
    }
    Ok(read)
}

pub(super) fn run(args: &ConvertArgs) -> anyhow::Result<Outcome> {
    let text = input(&args.text)?;
    let hands: Vec<(usize, &str)> = if args.from.is_a_line() {
        let lines = text.lines().enumerate().map(|(place, line)| (place + 1, line));
        lines.filter(|(_, line)| !line.trim().is_empty()).collect()
    } else {
        vec![(1, text.as_str())]
    };
    if hands.is_empty() {
        bail!("no hand to convert");
    }
    let many = hands.len() > 1;
    let mut out = io::stdout().lock();
    for (line, hand) in hands {
        let place = || if many { format!("line {line}: ") } else { String::new() };
        let read = args.from.parse(hand).with_context(|| format!("{}no hand", place()))?;
        let written =
            args.to.print(&read.value).with_context(|| format!("{}not converted", place()))?;
        for note in read.notes.iter().chain(&written.notes) {
            eprintln!("tilelens: {}{note}", place());
        }
        writeln!(out, "{}", written.value)?;
    }
    Ok(Outcome::Found)
}
