//! `tilelens photo`: pictures of hands in, scores out; options or questions give the rest.

mod ask;
mod deal;
pub(super) mod doubts;
mod page;
mod tile_source;

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Arc, atomic::Ordering},
};

use anyhow::{Context as _, anyhow, bail};
use clap::{Args, ValueEnum};

use self::{
    deal::{DealArgs, DealPictures, FoundTable},
    tile_source::{PhotoTiles, TileSource},
};
use super::{
    Outcome,
    circumstance_args::{TableArgs, WinArgs, rule_sets, ruling, seat},
    library,
    pictures::{self, Drawings, NetworkArgs, TilesetArgs},
    terminal::Glyphs,
};
#[cfg(feature = "vision")]
use crate::tileset::SetName;
use crate::{
    appraisal::{Appraisal, Input, PictureReading, appraise},
    hand::WholeHand,
    layout::{self, Hints, PictureLayout},
    rules::RuleSet,
    tile::{Seat, Tile},
};

/// Whether kongs that only the number of tiles shows were claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kongs {
    /// They were declared from the hand.
    Concealed,
    /// They were claimed from another player.
    Claimed,
}

#[derive(Args, Clone)]
#[command(
    after_help = "Example: tilelens photo hand.jpg --rules mmm --seat S --round E --from W\n\nExit codes: 0 a result, 1 no hand or no win, 2 an error, of one picture among several too"
)]
pub(super) struct PhotoArgs {
    /// Pictures, folders of pictures, - for a picture from standard input, or the output of --json
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[arg(long, default_value = "mmm", help = rule_sets("Rule set"))]
    rules: String,
    /// The winner's seat: E, S, W or N
    #[arg(long, value_parser = seat)]
    seat: Option<Seat>,
    /// The wind of the round
    #[arg(long, value_parser = seat)]
    round: Option<Seat>,
    /// The number of players. 3 is for chumchu only
    #[arg(long, value_parser = clap::value_parser!(u8).range(3..=4), default_value = "4")]
    players: u8,
    /// Decide a ruling, such as mmm.self_draw_share=east_half. Repeat the option for several rulings
    #[arg(long = "ruling", value_name = "ID=CHOICE", value_parser = ruling)]
    rulings: Vec<(String, String)>,
    #[command(flatten)]
    win: WinArgs,
    /// The winning tile, if it is not marked or still among the discards
    #[arg(long, value_name = "TILE")]
    winning: Option<Tile>,
    /// Correct a tile by its number, such as 3=5p. Repeat the option for several tiles
    #[arg(long = "fix", value_name = "N=TILE", value_parser = fix)]
    fixes: Vec<(usize, Tile)>,
    /// Teach this set of tiles the corrections made by --fix or in answers, so that the next reading uses them.
    /// `tilelens tilesets undo NAME` takes the last one back
    #[cfg(feature = "vision")]
    #[arg(long, value_name = "NAME")]
    teach: Option<SetName>,
    /// The hidden tile of a concealed kong of four backs. Repeat the option for several kongs
    #[arg(long, value_name = "TILE")]
    hidden: Vec<Tile>,
    /// Whether kongs that only the number of tiles shows are concealed or claimed
    #[arg(long, value_enum)]
    kongs: Option<Kongs>,
    #[command(flatten)]
    deal: DealArgs,
    /// Draw the reading onto the picture (for several pictures: a folder)
    #[arg(long, value_name = "FILE")]
    annotate: Option<PathBuf>,
    #[command(flatten)]
    networks: NetworkArgs,
    #[command(flatten)]
    tileset: TilesetArgs,
    /// Give every tile its likeliest face, whatever the rest of the hand suggests
    #[arg(long)]
    no_joint: bool,
    /// Print JSON, one object for each picture
    #[arg(long)]
    json: bool,
    /// Ask nothing, even in a terminal
    #[arg(long)]
    no_questions: bool,
    /// Whether tiles are shown as glyphs
    #[arg(long, value_enum, default_value_t)]
    glyphs: Glyphs,
}

fn fix(text: &str) -> Result<(usize, Tile), String> {
    let expected = || "expected the tile's number and what it is, such as 3=5p".to_owned();
    let (tile, face) = text.split_once('=').ok_or_else(expected)?;
    let tile = tile.trim().parse().map_err(|_| expected())?;
    Ok((tile, face.trim().parse().map_err(|error: crate::tile::FaceError| error.to_string())?))
}

/// The settings for scoring every picture.
struct Setting {
    args: PhotoArgs,
    rules: Arc<RuleSet>,
    source: TileSource,
    drawings: Drawings,
}

impl PhotoArgs {
    fn table(&self, seat: Seat, round: Seat) -> TableArgs {
        TableArgs {
            rules: self.rules.clone(),
            seat,
            round,
            players: self.players,
            rulings: self.rulings.clone(),
        }
    }
}

impl Setting {
    fn input(&self) -> Input {
        let args = &self.args;
        let at = match (args.seat, args.round, args.win.win()) {
            (Some(seat), Some(round), Some(win)) => {
                Some(args.win.circumstances(&args.table(seat, round), win))
            }
            _ => None,
        };
        Input {
            hints: Hints {
                fixes: args.fixes.clone(),
                winning: args.winning,
                whole: self.rules.whole_hand(),
                joint: !args.no_joint,
                ..Hints::default()
            },
            hidden: args.hidden.clone(),
            kongs_claimed: args.kongs.map(|kongs| kongs == Kongs::Claimed),
            at,
            ..Input::default()
        }
    }
}

pub(super) fn run(args: PhotoArgs) -> anyhow::Result<Outcome> {
    let files = pictures::files(&args.files)?;
    if files.len() > 1 && !args.fixes.is_empty() {
        bail!("--fix corrects a tile of one picture: give that one alone");
    }
    let drawings = Drawings::new(args.annotate.as_deref(), &files)?;
    let rules = args.table(Seat::East, Seat::East).rule_set(&library())?;
    let source = TileSource::new(&args.networks, &args.tileset);
    let mut setting = Setting { args, rules, source, drawings };
    match &files[..] {
        [file] => one(&mut setting, file),
        files if setting.args.deal.joins_pictures() => deal::of_files(&mut setting, files),
        files => several(&mut setting, files),
    }
}

/// The hand of a picture, read without corrections.
pub(super) fn shown(
    file: &Path,
    whole: WholeHand,
    networks: &NetworkArgs,
    tileset: &TilesetArgs,
) -> anyhow::Result<PictureLayout> {
    let looked = TileSource::new(networks, tileset).look(file)?;
    Ok(layout::read(&looked.tiles, &Hints { whole, ..Hints::default() }))
}

fn one(setting: &mut Setting, file: &Path) -> anyhow::Result<Outcome> {
    let looked = setting.source.look(file).with_context(|| pictures::name(file))?;
    if let Some(table) = FoundTable::of(setting, &looked)? {
        return deal::run(setting, &DealPictures::of_table(looked, table), file);
    }
    let asks = setting.asks(file);
    let mut appraisal = appraise(&looked.tiles, &setting.rules, &setting.input());
    for (number, _) in &setting.args.fixes {
        ask::known(*number, &appraisal).map_err(|why| anyhow!("--fix {number}: {why}"))?;
    }
    let asks = asks && appraisal.shown.hand.is_some();
    if asks {
        appraisal = ask::settle(setting, &looked)?;
        #[cfg(feature = "vision")]
        if !setting.args.fixes.is_empty() && setting.args.teach.is_none() {
            let set = setting.source.set_in_use();
            setting.args.teach = set.map(ask::keep).transpose()?.flatten();
        }
    }
    #[cfg(feature = "vision")]
    if let Some(name) = &setting.args.teach {
        setting.source.teach(&looked, &appraisal.shown.tiles, name, &setting.args.fixes)?;
    }
    if setting.drawings.name(0).is_some() {
        let caption = page::caption(&setting.rules, &appraisal);
        tile_source::annotate(&looked, &appraisal.shown, &caption, &setting.drawings, 0)?;
    }
    let mut out = io::stdout().lock();
    if setting.args.json {
        let reading = reading(None, &looked, &appraisal);
        serde_json::to_writer(&mut out, &reading)?;
        writeln!(out)?;
    } else if !asks {
        let page = page::page(&setting.rules, &setting.input(), &appraisal, &setting.args);
        out.write_all(page.as_bytes())?;
    }
    Ok(outcome(&appraisal, setting.input().at.is_some()))
}

/// A read hand is a result; with complete options a score is needed too.
fn outcome(appraisal: &Appraisal, is_complete: bool) -> Outcome {
    let wins = appraisal.answer.as_ref().is_some_and(|answer| answer.explained.outcome.is_ok());
    if wins || (!is_complete && appraisal.shown.hand.is_some()) {
        Outcome::Found
    } else {
        Outcome::Nothing
    }
}

fn several(setting: &mut Setting, files: &[PathBuf]) -> anyhow::Result<Outcome> {
    let bar = pictures::progress(files.len());
    let input = setting.input();
    let pressed = pictures::interrupted(files.len())?;
    let (mut hands, mut scored, mut failed) = (0, 0, 0);
    for (place, file) in files.iter().enumerate() {
        if pressed.load(Ordering::Relaxed) {
            break;
        }
        bar.set_message(file.display().to_string());
        match one_of(setting, files, place, &input) {
            Ok((appraisal, line)) => {
                hands += usize::from(appraisal.shown.hand.is_some());
                scored += usize::from(appraisal.answer.is_some());
                bar.suspend(|| writeln!(io::stdout().lock(), "{line}"))?;
            }
            Err(error) => {
                failed += 1;
                bar.suspend(|| pictures::report_failure(file, &error, setting.args.json));
            }
        }
        bar.inc(1);
    }
    let count = bar.position() as usize;
    bar.finish_and_clear();
    eprintln!(
        "{count} pictures: {hands} hands read, {scored} scored, {} in doubt, {} without a hand, {failed} unreadable",
        hands - scored,
        count - failed - hands,
    );
    pictures::all_of(files.len(), count, &pressed)?;
    pictures::ended(failed, count)?;
    let enough = if input.at.is_some() { scored } else { hands };
    Ok(if enough > 0 { Outcome::Found } else { Outcome::Nothing })
}

/// Reads the picture at an index, and draws it if requested; returns the appraisal and the output line.
fn one_of(
    setting: &mut Setting,
    files: &[PathBuf],
    place: usize,
    input: &Input,
) -> anyhow::Result<(Appraisal, String)> {
    let looked = setting.source.look(&files[place])?;
    let appraisal = appraise(&looked.tiles, &setting.rules, input);
    if setting.drawings.name(place).is_some() {
        let caption = page::caption(&setting.rules, &appraisal);
        tile_source::annotate(&looked, &appraisal.shown, &caption, &setting.drawings, place)?;
    }
    let name = files[place].display().to_string();
    let line = if setting.args.json {
        serde_json::to_string(&reading(Some(&name), &looked, &appraisal))?
    } else {
        page::line(&name, &appraisal, setting.args.glyphs.shown())
    };
    Ok((appraisal, line))
}

/// Reads the same picture again with the answers so far.
fn again(setting: &Setting, looked: &PhotoTiles) -> Appraisal {
    appraise(&looked.tiles, &setting.rules, &setting.input())
}

/// A picture's reading in the words of a terminal.
fn reading<'a>(
    file: Option<&'a str>,
    looked: &PhotoTiles,
    appraisal: &'a Appraisal,
) -> PictureReading<'a> {
    PictureReading::of(file, looked.size, appraisal, doubts::WORDS)
}
