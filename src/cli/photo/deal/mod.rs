//! `tilelens photo` of a deal: the hands of all players, around a table in one picture or one a picture.

mod ask;
mod page;
mod seats;

use std::{
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, anyhow, bail};
use clap::Args;

use self::seats::Seating;
use super::{PhotoTiles, Setting, tile_source};
use crate::{
    appraisal::{
        DealAppraisal, DealEnded, DealInput, DrawAppraisal, NamedSet, OpenedHands, Unsettled,
        after_draw, settle,
    },
    calibration::table::{Edge, TableProfile, TableView},
    cli::{Outcome, circumstance_args::seat, pictures},
    layout::{Hints, PictureLayout},
    rules::{Answer, Circumstances},
    tile::{Seat, Seats},
};

/// The options of a deal with the hands of all players.
#[derive(Args, Clone)]
pub(super) struct DealArgs {
    /// The profile of the table (`tilelens calibrate table`). Without it the table is found by the hands around
    /// it
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// The edge at which East sits in a picture of the table: bottom, right, top or left
    #[arg(long, value_name = "EDGE", value_parser = edge)]
    east: Option<Edge>,
    /// Settle a draw: say which of the opened hands are tenpai, and what is paid
    #[arg(long)]
    draw: bool,
    /// Take the pictures for the hands of one deal, one of each player, in the order of play from East
    #[arg(long)]
    deal: bool,
    /// A set that was claimed, if the picture does not show it: S=7z for a pung or kong, S=234m for a chow.
    /// Repeat the option for several sets
    #[arg(long, value_name = "SEAT=SET", value_parser = owned)]
    claimed: Vec<(Seat, NamedSet)>,
    /// A set that was not claimed, if the picture does not show it. Repeat the option for several sets
    #[arg(long, value_name = "SEAT=SET", value_parser = owned)]
    concealed: Vec<(Seat, NamedSet)>,
    /// The seats whose hands are dead, such as E,S
    #[arg(long, value_name = "SEAT", value_parser = seat, value_delimiter = ',')]
    dead: Vec<Seat>,
    /// The losers who had declared that they wait for a limit hand
    #[arg(long, value_name = "SEAT", value_parser = seat, value_delimiter = ',')]
    fishing: Vec<Seat>,
    /// The losers who had not declared that
    #[arg(long, value_name = "SEAT", value_parser = seat, value_delimiter = ',')]
    not_fishing: Vec<Seat>,
    /// Whether it was asked if there was an original call
    #[arg(skip)]
    original_call_asked: bool,
}

fn edge(name: &str) -> Result<Edge, String> {
    Edge::from_name(name).ok_or_else(|| "write top, right, bottom or left".to_owned())
}

fn owned(text: &str) -> Result<(Seat, NamedSet), String> {
    let expected = || "expected a seat and a set, such as S=7z or S=234m".to_owned();
    let (owner, set) = text.split_once('=').ok_or_else(expected)?;
    Ok((seat(owner.trim())?, set.parse().map_err(|_| expected())?))
}

impl DealArgs {
    /// Whether all pictures together show one deal.
    pub const fn joins_pictures(&self) -> bool {
        self.deal || self.draw
    }

    fn profile(&self) -> anyhow::Result<Option<TableProfile>> {
        let Some(file) = &self.table else { return Ok(None) };
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("cannot read {}", file.display()))?;
        let profile = TableProfile::parse(&text);
        Ok(Some(profile.with_context(|| file.display().to_string())?))
    }

    fn input(&self, at: Option<Circumstances>) -> DealInput {
        let claimed = self.claimed.iter().map(|&(seat, set)| (seat, set, true));
        let concealed = self.concealed.iter().map(|&(seat, set)| (seat, set, false));
        let fishing = self.fishing.iter().map(|&seat| (seat, true));
        let not_fishing = self.not_fishing.iter().map(|&seat| (seat, false));
        DealInput {
            at,
            hidden: Vec::new(),
            scores: Vec::new(),
            dead: self.dead.iter().copied().collect::<Seats>(),
            fishing: fishing.chain(not_fishing).collect(),
            claimed: claimed.chain(concealed).collect(),
            original_call_known: self.original_call_asked || at.is_some_and(|at| at.original_call),
        }
    }
}

/// A table that one picture shows.
pub(super) struct FoundTable {
    view: TableView,
    /// East's edge by the table's profile.
    east: Option<Edge>,
}

impl FoundTable {
    /// The table of a picture whose hands make a deal; `None` where a single hand is wanted or shown.
    pub fn of(setting: &Setting, looked: &PhotoTiles) -> anyhow::Result<Option<Self>> {
        let args = &setting.args.deal;
        let size = [looked.size.width, looked.size.height];
        let profile = args.profile()?;
        if !setting.rules.scores_losers() && !args.joins_pictures() && profile.is_none() {
            return Ok(None);
        }
        let east = profile.as_ref().and_then(|it| Some(it.seats.get(&Seat::East)?.edge));
        let table = profile.or_else(|| TableProfile::of_hands(&looked.tiles, size));
        if table.is_none() && args.draw {
            bail!(
                "no table is found in the picture: two opened hands are needed, or its profile (--table)"
            );
        }
        let shows_hands = |view: &TableView| OpenedHands::number_around(&looked.tiles, view) > 1;
        let view = table.map(|table| table.view(size));
        Ok(view.filter(|view| args.draw || shows_hands(view)).map(|view| Self { view, east }))
    }
}

/// The pictures of a deal.
pub(super) struct DealPictures {
    looked: Vec<PhotoTiles>,
    /// The table, where one picture shows all hands.
    table: Option<FoundTable>,
}

impl DealPictures {
    /// One picture of a table.
    pub fn of_table(looked: PhotoTiles, table: FoundTable) -> Self {
        Self { looked: vec![looked], table: Some(table) }
    }

    fn read(&self, hints: &Hints, ended: DealEnded) -> OpenedHands {
        match (&self.table, &self.looked[..]) {
            (Some(table), [looked]) => {
                OpenedHands::of_table(&looked.tiles, &table.view, hints, ended)
            }
            (_, several) => {
                let tiles = several.iter().map(|looked| &looked.tiles[..]);
                OpenedHands::of_pictures(tiles, hints, ended)
            }
        }
    }
}

/// What was read of a deal, and what it comes to.
enum Appraised {
    Won(OpenedHands, Seating, Box<DealAppraisal>),
    Drawn(OpenedHands, Seating, DrawAppraisal),
}

impl Appraised {
    const fn opened(&self) -> &OpenedHands {
        let (Self::Won(opened, ..) | Self::Drawn(opened, ..)) = self;
        opened
    }

    const fn seating(&self) -> &Seating {
        let (Self::Won(_, seating, _) | Self::Drawn(_, seating, _)) = self;
        seating
    }
}

fn appraise(setting: &Setting, pictures: &DealPictures) -> anyhow::Result<Appraised> {
    let args = &setting.args;
    let hints = setting.input().hints;
    if args.deal.draw {
        let opened = pictures.read(&hints, DealEnded::Drawn);
        let seating = Seating::new(setting, pictures, &opened)?;
        let drawn = after_draw(&opened.hands, &setting.rules);
        return Ok(Appraised::Drawn(opened, seating, drawn));
    }
    let opened = pictures.read(&hints, DealEnded::Won);
    let seating = Seating::new(setting, pictures, &opened)?;
    let appraisal = settled(setting, &opened, &seating);
    Ok(Appraised::Won(opened, seating, Box::new(appraisal)))
}

fn settled(setting: &Setting, opened: &OpenedHands, seating: &Seating) -> DealAppraisal {
    let args = &setting.args;
    let Some(winner) = opened.winner else { return DealAppraisal::unsettled(Unsettled::NoWinner) };
    let hands: Option<Vec<(Seat, PictureLayout)>> = (opened.hands.iter())
        .map(|hand| Some((seating.seat(hand.edge)?, hand.shown.clone())))
        .collect();
    let Some(hands) = hands else { return DealAppraisal::unsettled(Unsettled::Seats) };
    let at = args
        .round
        .zip(args.win.win())
        .map(|(round, win)| args.win.circumstances(&args.table(hands[winner].0, round), win));
    let input = DealInput { hidden: args.hidden.clone(), ..args.deal.input(at) };
    settle(&hands, &setting.rules, &input)
}

/// Settles the deal that pictures show, one of each player.
pub(super) fn of_files(setting: &mut Setting, files: &[PathBuf]) -> anyhow::Result<Outcome> {
    if files.len() > Seat::ALL.len() {
        bail!("{} pictures: a deal has four hands at most, one a picture", files.len());
    }
    if setting.drawings.name(0).is_some() {
        bail!("--annotate draws on one picture: give that one alone");
    }
    let look = |file: &PathBuf| setting.source.look(file).with_context(|| pictures::name(file));
    let looked = files.iter().map(look).collect::<anyhow::Result<Vec<_>>>()?;
    run(setting, &DealPictures { looked, table: None }, &files[0])
}

/// Settles a deal and prints it.
pub(super) fn run(
    setting: &mut Setting,
    pictures: &DealPictures,
    file: &Path,
) -> anyhow::Result<Outcome> {
    #[cfg(feature = "vision")]
    if setting.args.teach.is_some() {
        bail!("--teach keeps the corrections of a single hand: give its picture alone");
    }
    let asks = setting.asks(file);
    let mut appraised = appraise(setting, pictures)?;
    let tiles = pictures.looked.first().map_or(0, |looked| appraised_tiles(&appraised, looked));
    if let Some((number, _)) = setting.args.fixes.iter().find(|(number, _)| *number >= tiles) {
        return Err(anyhow!("--fix {number}: there is no tile {number}"));
    }
    if asks {
        appraised = ask::settle(setting, pictures, appraised)?;
    }
    if let (Some(_), [looked]) = (setting.drawings.name(0), &pictures.looked[..]) {
        let caption: Vec<String> =
            page::page(setting, &appraised).lines().map(str::to_owned).collect();
        let shown = appraised.opened().merged();
        tile_source::annotate(looked, &shown, &caption, &setting.drawings, 0)?;
    }
    let mut out = io::stdout().lock();
    if setting.args.json {
        writeln!(out, "{}", page::json(pictures, &appraised))?;
    } else {
        out.write_all(page::page(setting, &appraised).as_bytes())?;
    }
    Ok(outcome(setting, &appraised))
}

fn appraised_tiles(appraised: &Appraised, looked: &PhotoTiles) -> usize {
    let hands = &appraised.opened().hands;
    hands.first().map_or(looked.tiles.len(), |hand| hand.shown.tiles.len())
}

/// Hands are a result; with all that has to be known a settlement is needed too.
fn outcome(setting: &Setting, appraised: &Appraised) -> Outcome {
    let is_found = match appraised {
        Appraised::Drawn(opened, _, drawn) => !opened.hands.is_empty() && drawn.paid.is_some(),
        Appraised::Won(opened, _, appraisal) => {
            let complete = setting.args.round.is_some() && setting.args.win.win().is_some();
            let won = |answer: &Answer| answer.explained.outcome.is_ok();
            appraisal.answer.as_ref().is_some_and(won) || (!complete && !opened.hands.is_empty())
        }
    };
    if is_found { Outcome::Found } else { Outcome::Nothing }
}

impl Setting {
    /// Whether questions can be asked about a picture.
    pub(super) fn asks(&self, file: &Path) -> bool {
        !self.args.json
            && !self.args.no_questions
            && !pictures::is_stdin(file)
            && io::stdin().is_terminal()
            && io::stdout().is_terminal()
    }
}
