//! `tilelens calibrate tiles`: a set of tiles from one photo of one of each.

use std::{
    io::{self, IsTerminal, Write as _},
    path::{Path, PathBuf},
};

use anyhow::{Context, bail};
use clap::Args;
use serde_json::{Value, json};

use crate::{
    cli::{
        Outcome,
        pictures::{self, NetworkArgs},
        terminal::Glyphs,
        tilesets::about,
    },
    draw,
    layout::{Role, Shown, ShownTile},
    tile::SeenFace,
    tileset::{
        Folder, Profile, SetName,
        lesson::{Lesson, missing, profile},
    },
};

/// The order in words.
const ORDER: &str = "Lay out one of each face, side by side, in these rows:
  characters 1-9, dots 1-9, bamboo 1-9,
  east south west north, red green white,
  plum orchid chrysanthemum bamboo, spring summer autumn winter.
A red five lies beside its five. A row may be missing, or go the other way; a tile face down at a row's end tells the
colour of the backs. The photo may be taken from any side; two may be given.";

#[derive(Args)]
#[command(
    after_help = format!("{ORDER}\n\nExample: tilelens calibrate tiles set.jpg --name my-set\n\nExit codes: 0 the set is learnt, 1 it is not, 2 an error")
)]
pub(in crate::cli) struct TilesArgs {
    /// One photo of the set, or two
    #[arg(required = true, num_args = 1..=2, value_name = "PHOTO")]
    photos: Vec<PathBuf>,
    /// What the set is to be called: small letters, digits, hyphens
    #[arg(long, value_name = "NAME")]
    name: SetName,
    /// Ask nothing: learn what was found, in place of a set of that name if there is one
    #[arg(long)]
    yes: bool,
    /// Draw what was found onto the photo (for two photos: a folder)
    #[arg(long, value_name = "FILE")]
    annotate: Option<PathBuf>,
    #[command(flatten)]
    networks: NetworkArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Show tiles as glyphs
    #[arg(long, value_enum, default_value_t)]
    glyphs: Glyphs,
}

pub(super) fn run(args: &TilesArgs) -> anyhow::Result<Outcome> {
    let mut reader = pictures::reader(args.networks.models.as_deref(), args.networks.threads)?;
    let folder = Folder::of_user()?;
    let mut lessons = Vec::new();
    for (place, photo) in args.photos.iter().enumerate() {
        let picture = pictures::load(photo)?;
        let lesson =
            Lesson::read(&mut reader, picture).with_context(|| photo.display().to_string())?;
        if let Some(to) = &args.annotate {
            annotate(&lesson, &args.photos, place, to)?;
        }
        lessons.push(lesson);
    }
    if !args.json {
        let mut out = io::stdout().lock();
        for (photo, lesson) in args.photos.iter().zip(&lessons) {
            out.write_all(found(photo, lesson, args.glyphs.shown()).as_bytes())?;
        }
        out.write_all(lacking(&lessons).as_bytes())?;
        out.flush()?;
    }
    // Of a damaged one nobody knows what it was taught.
    let taught = |set: &Profile| set.exemplars().iter().filter(|shown| shown.taught).count();
    let known = (folder.path(&args.name).exists())
        .then(|| folder.load(&args.name).as_ref().map_or(0, taught));
    if !args.yes && !confirmed(args, &lessons, known)? {
        println!("Nothing was learnt.");
        return Ok(Outcome::Nothing);
    }
    let profile = profile(&mut reader, args.name.clone(), &lessons)?;
    let file = folder.save(&profile)?;
    if args.json {
        println!("{}", report(&args.photos, &lessons, &profile, &file));
    } else {
        println!("{}", about(&profile));
        println!("{} is learnt: {}", args.name, file.display());
    }
    Ok(Outcome::Found)
}

/// Asks about what was found, and about the set of that name with so many corrections; whoever cannot be asked has to say --yes.
fn confirmed(args: &TilesArgs, lessons: &[Lesson], known: Option<usize>) -> anyhow::Result<bool> {
    let odd: Vec<_> = lessons.iter().flat_map(Lesson::odd).collect();
    if args.json || !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        bail!(
            "nobody is here to ask whether this is right{}: look at it (--annotate), then say --yes",
            if odd.is_empty() { "" } else { ", and some faces look like others" }
        );
    }
    for place in odd {
        let Some((face, p)) = place.instead else { continue };
        let question = format!(
            "{} looks like {face} ({:.0} %). Is it {} all the same",
            place.tile,
            100.0 * p,
            place.tile
        );
        if !yes(&question)? {
            println!(
                "Then a tile lies in the wrong place, or something else was taken for one: put it right and take the photo again."
            );
            return Ok(false);
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

fn yes(question: &str) -> io::Result<bool> {
    print!("{question} (y/n)? ");
    io::stdout().flush()?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    Ok(answer.trim().eq_ignore_ascii_case("y"))
}

/// The rows of a photo.
fn found(photo: &Path, lesson: &Lesson, glyphs: bool) -> String {
    let count = lesson.places().count();
    let mut text = format!("{}: {count} tiles in {} rows\n", photo.display(), lesson.rows.len());
    for row in &lesson.rows {
        let tile = |place: &crate::tileset::order::Place| {
            let glyph = if glyphs {
                format!("{} ", SeenFace::Tile(place.tile).glyph())
            } else {
                String::new()
            };
            let mark = if place.instead.is_some() { "?" } else { "" };
            format!("{glyph}{}{mark}", place.tile)
        };
        let tiles: Vec<String> = row.places.iter().map(tile).collect();
        let way = if row.reversed { "  (from right to left)" } else { "" };
        text.push_str(&format!("  {}{way}\n", tiles.join(" ")));
        for place in &row.places {
            if let Some((face, p)) = place.instead {
                text.push_str(&format!(
                    "    {} by its place, but it looks like {face} ({:.0} %)\n",
                    place.tile,
                    100.0 * p
                ));
            }
        }
    }
    text
}

fn lacking(lessons: &[Lesson]) -> String {
    let faces: Vec<String> = missing(lessons).iter().map(ToString::to_string).collect();
    if faces.is_empty() {
        return "All 42 faces.\n".to_owned();
    }
    format!("Not found: {}. The network alone will read these.\n", faces.join(" "))
}

fn report(photos: &[PathBuf], lessons: &[Lesson], profile: &Profile, file: &Path) -> Value {
    let photos: Vec<Value> = (photos.iter().zip(lessons))
        .map(|(photo, lesson)| {
            json!({ "file": photo.display().to_string(), "rows": lesson.rows_json() })
        })
        .collect();
    let missing: Vec<String> = missing(lessons).iter().map(ToString::to_string).collect();
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

fn annotate(lesson: &Lesson, photos: &[PathBuf], place: usize, to: &Path) -> anyhow::Result<()> {
    let to = if photos.len() > 1 {
        std::fs::create_dir_all(to)
            .with_context(|| format!("cannot make the folder {}", to.display()))?;
        pictures::drawn_name(to, photos, place)
    } else {
        to.to_owned()
    };
    let tiles = lesson.places().map(|place| ShownTile {
        seen: place.seen,
        face: SeenFace::Tile(place.tile),
        confidence: if place.instead.is_some() { 0.0 } else { 1.0 },
        alternatives: place.instead.into_iter().collect(),
        corners: place.corners,
        role: Role::Concealed,
        group: None,
    });
    let shown = Shown { tiles: tiles.collect(), ..Shown::default() };
    pictures::save(&draw::annotated(lesson.picture().rgb(), &shown, &[])?, &to)
}
