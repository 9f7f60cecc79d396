//! `tilelens calibrate tiles`: a set of tiles from one or two photos that show each face.

use std::{
    io::{self, IsTerminal, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context, bail};
use clap::Args;
use serde_json::{Value, json};

use crate::{
    cli::{
        Outcome,
        pictures::{self, Drawings, NetworkArgs},
        terminal::Glyphs,
        tilesets::about,
    },
    draw,
    layout::{PictureLayout, Role, ShownTile},
    lesson::{Lesson, missing, profile},
    tile::{SeenFace, Tile},
    tileset::{Folder, Profile, SetName, order::RowTile},
};

/// The order in words.
const ORDER: &str = "Photograph the tiles in the trays of their box, or lay them out side by side, best in these rows:
  characters 1-9, dots 1-9, bamboo 1-9,
  east south west north, red green white,
  plum orchid chrysanthemum bamboo, spring summer autumn winter.
Another order does as well where the faces are known; the order tells those that are not. A face may lie there several
times, and rows may be missing or go the other way; a tile face down at a row's end tells the colour of the backs. The
photo may be taken from any side; two may be given.";

#[derive(Args)]
#[command(
    after_help = format!("{ORDER}\n\nExample: tilelens calibrate tiles set.jpg --name my-set\n\nExit codes: 0 the set is learnt, 1 it is not, 2 an error")
)]
pub(in crate::cli) struct CalibrateTilesArgs {
    /// One photo of the set, or two
    #[arg(required = true, num_args = 1..=2, value_name = "PHOTO")]
    photos: Vec<PathBuf>,
    /// The name of the set: small letters, digits, hyphens
    #[arg(long, value_name = "NAME")]
    name: SetName,
    /// Ask nothing: learn the tiles that were found, and replace a set of that name
    #[arg(long)]
    yes: bool,
    /// Take a row that may be flowers or seasons for seasons
    #[arg(long)]
    seasons: bool,
    /// Draw the found tiles onto the photo (for two photos: a folder)
    #[arg(long, value_name = "FILE")]
    annotate: Option<PathBuf>,
    #[command(flatten)]
    networks: NetworkArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Whether tiles are shown as glyphs
    #[arg(long, value_enum, default_value_t)]
    glyphs: Glyphs,
}

pub(super) fn run(args: &CalibrateTilesArgs) -> anyhow::Result<Outcome> {
    let drawings = Drawings::new(args.annotate.as_deref(), &args.photos)?;
    let mut reader = pictures::reader(args.networks.models.as_deref(), args.networks.threads)?;
    let folder = Folder::of_user()?;
    let mut lessons = Vec::new();
    for (place, photo) in args.photos.iter().enumerate() {
        let picture = pictures::load(photo)?;
        let lesson = Lesson::read(&mut reader, Arc::new(picture))
            .with_context(|| photo.display().to_string())?;
        if drawings.name(place).is_some() {
            drawings.save(place, &drawn(&lesson)?)?;
        }
        lessons.push(lesson);
    }
    let mut instead = if args.seasons { flowers_for_seasons(&lessons) } else { Vec::new() };
    if !args.json {
        let mut out = io::stdout().lock();
        for (photo, lesson) in args.photos.iter().zip(&lessons) {
            out.write_all(found(photo, lesson, &instead, args.glyphs.shown()).as_bytes())?;
        }
        out.write_all(lacking(&lessons, &instead).as_bytes())?;
        out.flush()?;
    }
    // The corrections in a damaged set are unknown.
    let taught = |set: &Profile| set.exemplars().iter().filter(|shown| shown.taught).count();
    let known = (folder.path(&args.name).exists())
        .then(|| folder.load(&args.name).as_ref().map_or(0, taught));
    if !args.yes && !confirmed(args, &lessons, known, &mut instead)? {
        println!("Nothing was learnt.");
        return Ok(Outcome::Nothing);
    }
    let profile = profile(&mut reader, args.name.clone(), &lessons, &instead)?;
    let file = folder.save(&profile)?;
    if args.json {
        println!("{}", report(&args.photos, &lessons, &instead, &profile, &file));
    } else {
        println!("{}", about(&profile));
        println!("{} is learnt: {}", args.name, file.display());
    }
    Ok(Outcome::Found)
}

/// The tiles that have a flower's place in a row that may be seasons as well.
fn flowers_for_seasons(lessons: &[Lesson]) -> Vec<Tile> {
    (lessons.iter().flat_map(|lesson| &lesson.rows))
        .filter(|row| row.is_open())
        .flat_map(|row| &row.places)
        .map(|place| place.tile)
        .filter(|tile| tile.face().number() <= 4)
        .collect()
}

/// Asks about the found tiles, and about replacing a set of that name with its number of corrections; without a
/// terminal `--yes` is needed. Tiles that are the other face go into `instead`.
fn confirmed(
    args: &CalibrateTilesArgs,
    lessons: &[Lesson],
    known: Option<usize>,
    instead: &mut Vec<Tile>,
) -> anyhow::Result<bool> {
    let odd: Vec<_> = lessons.iter().flat_map(Lesson::odd).collect();
    if args.json || !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        bail!(
            "no terminal to ask in whether this is right{}: check it with --annotate, then give --yes",
            if odd.is_empty() { "" } else { ", and some faces look like others" }
        );
    }
    for row in lessons.iter().flat_map(|lesson| &lesson.rows) {
        if row.is_open() && args.seasons {
            continue;
        }
        if row.is_open() {
            let names = |tile: fn(&RowTile) -> String| {
                row.places.iter().map(tile).collect::<Vec<_>>().join(" ")
            };
            let by_place = names(|place| place.tile.to_string());
            let other = names(|p| p.instead.map_or_else(String::new, |(face, _)| face.to_string()));
            match choice(&format!(
                "One row may be flowers or seasons. Is it {by_place}, or {other}"
            ))? {
                Choice::ByPlace => {}
                Choice::Looks => instead.extend(row.places.iter().map(|place| place.tile)),
                Choice::Neither => return Ok(put_right()),
            }
            continue;
        }
        for place in &row.places {
            let Some((face, p)) = place.instead else { continue };
            let by_place = place.tile;
            let looks = format!(
                "A tile may be {by_place}, or {face} ({:.0} %). Is it {by_place}, or {face}",
                100.0 * p
            );
            match choice(&looks)? {
                Choice::ByPlace => {}
                Choice::Looks => instead.push(by_place),
                Choice::Neither => return Ok(put_right()),
            }
        }
    }
    if let Some(corrections) = known {
        let corrections = match corrections {
            0 => String::new(),
            1 => ", with the correction that it was taught".to_owned(),
            count => format!(", with the {count} corrections that it was taught"),
        };
        if !yes(&format!("{} is known already. Replace it{corrections}", args.name))? {
            return Ok(false);
        }
    }
    Ok(yes("Is every face right")?)
}

/// The answer about a tile that may be another face.
enum Choice {
    ByPlace,
    Looks,
    Neither,
}

/// Asks until the answer is one of the two, or neither.
fn choice(question: &str) -> io::Result<Choice> {
    loop {
        print!("{question} (1 the first, 2 the second, n neither)? ");
        io::stdout().flush()?;
        let mut answer = String::new();
        // The end of the input is no answer, and nothing is learnt without one.
        if io::stdin().read_line(&mut answer)? == 0 {
            return Ok(Choice::Neither);
        }
        match answer.trim() {
            "1" => return Ok(Choice::ByPlace),
            "2" => return Ok(Choice::Looks),
            "n" | "N" => return Ok(Choice::Neither),
            _ => {}
        }
    }
}

fn put_right() -> bool {
    println!(
        "Then a tile lies in the wrong place, or something else was taken for one: put it right and take the photo again."
    );
    false
}

fn yes(question: &str) -> io::Result<bool> {
    print!("{question} (y/n)? ");
    io::stdout().flush()?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    Ok(answer.trim().eq_ignore_ascii_case("y"))
}

/// The rows of a photo.
fn found(photo: &Path, lesson: &Lesson, instead: &[Tile], glyphs: bool) -> String {
    let count = lesson.places().count();
    let mut text = format!("{}: {count} tiles in {} rows\n", photo.display(), lesson.rows.len());
    for row in &lesson.rows {
        let tile = |place: &RowTile| {
            let glyph = if glyphs {
                format!("{} ", SeenFace::Tile(place.answered(instead)).glyph())
            } else {
                String::new()
            };
            let asked = place.instead.is_some() && !instead.contains(&place.tile);
            format!("{glyph}{}{}", place.answered(instead), if asked { "?" } else { "" })
        };
        let tiles: Vec<String> = row.places.iter().map(tile).collect();
        let way = if row.reversed { "  (from right to left)" } else { "" };
        text.push_str(&format!("  {}{way}\n", tiles.join(" ")));
        for place in &row.places {
            if let Some((face, p)) = place.instead.filter(|_| !instead.contains(&place.tile)) {
                text.push_str(&format!("    {} may be {face} ({:.0} %)\n", place.tile, 100.0 * p));
            }
        }
    }
    text
}

fn lacking(lessons: &[Lesson], instead: &[Tile]) -> String {
    let faces: Vec<String> = missing(lessons, instead).iter().map(ToString::to_string).collect();
    if faces.is_empty() {
        return "All 42 faces.\n".to_owned();
    }
    format!("Not found: {}. The network alone will read these.\n", faces.join(" "))
}

fn report(
    photos: &[PathBuf],
    lessons: &[Lesson],
    instead: &[Tile],
    profile: &Profile,
    file: &Path,
) -> Value {
    let photos: Vec<Value> = (photos.iter().zip(lessons))
        .map(|(photo, lesson)| {
            json!({ "file": photo.display().to_string(), "rows": lesson.rows_json(instead) })
        })
        .collect();
    let missing: Vec<String> = missing(lessons, instead).iter().map(ToString::to_string).collect();
    let red: Vec<String> = profile.red_fives().iter().map(ToString::to_string).collect();
    json!({
        "name": profile.about.name.as_str(),
        "file": file.display().to_string(),
        "photos": photos,
        "missing": missing,
        "tiles": profile.tiles(),
        "red_fives": red,
        "white": profile.about.white.map(|white| white.to_string()),
        "back": profile.about.back,
        "body": profile.about.body,
    })
}

/// The photo with the found tiles.
fn drawn(lesson: &Lesson) -> anyhow::Result<image::RgbImage> {
    let tiles = lesson.places().map(|place| ShownTile {
        seen: place.seen,
        face: SeenFace::Tile(place.tile),
        confidence: if place.instead.is_some() { 0.0 } else { 1.0 },
        alternatives: place.instead.into_iter().collect(),
        corners: place.corners,
        role: Role::Concealed,
        group: None,
    });
    let shown = PictureLayout { tiles: tiles.collect(), ..PictureLayout::default() };
    Ok(draw::annotated(lesson.picture().rgb(), &shown, &[])?)
}
