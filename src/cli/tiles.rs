//! `tilelens tiles`: every tile of a picture, classified, whether or not they form a hand.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    sync::atomic::Ordering,
};

use clap::Args;

use super::{
    Outcome, inside,
    pictures::{self, Drawings, NetworkArgs, TilesetArgs},
    terminal::Glyphs,
};
use crate::{
    appraisal::{ImageSize, TileReading, TilesReading},
    draw,
    layout::{self, PictureLayout, ShownTile},
    picture::Picture,
    sight::quad::{bounding_box, sides},
    vision::{Reader, Rule},
};

#[derive(Args)]
#[command(
    after_help = "Example: tilelens tiles table.jpg --annotate table-read.png\n\nExit codes: 0 tiles were found, 1 there are none, 2 an error, of one picture among several too"
)]
pub(super) struct TilesArgs {
    /// Pictures, folders of pictures, or - for a picture from standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Draw the found tiles onto the picture (for several pictures: a folder)
    #[arg(long, value_name = "FILE")]
    annotate: Option<PathBuf>,
    #[command(flatten)]
    networks: NetworkArgs,
    #[command(flatten)]
    tileset: TilesetArgs,
    /// Leave out a rule or view of the reader, to see its effect. Separate several with commas; a wrong name
    /// lists all of them
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    without: Vec<Rule>,
    /// Write the steps of the reading into this folder: detector passes, detections, crops, the tiles after
    /// each step, and a page that shows them (index.html). Several pictures get a folder each
    #[arg(long, value_name = "DIR")]
    inside: Option<PathBuf>,
    /// Print JSON, one object for each picture
    #[arg(long)]
    json: bool,
    /// Whether tiles are shown as glyphs
    #[arg(long, value_enum, default_value_t)]
    glyphs: Glyphs,
}

pub(super) fn run(args: &TilesArgs) -> anyhow::Result<Outcome> {
    let files = pictures::files(&args.files)?;
    let drawings = Drawings::new(args.annotate.as_deref(), &files)?;
    let mut reader = pictures::reader_of_sets(&args.networks, &args.tileset)?;
    reader.leave_out(&args.without);
    reader.keep_inside(args.inside.is_some());
    let insides = args.inside.as_deref().map(|folder| pictures::folders(folder, &files));
    let many = files.len() > 1;
    let bar = pictures::progress(files.len());
    let pressed = pictures::interrupted(files.len())?;
    let (mut found, mut failed) = (0, 0);
    for (place, file) in files.iter().enumerate() {
        if pressed.load(Ordering::Relaxed) {
            break;
        }
        bar.set_message(file.display().to_string());
        let into = insides.as_ref().map(|folders| folders[place].as_path());
        match one(args, &mut reader, &files, place, &drawings, into) {
            Ok((count, text)) => {
                found += count;
                bar.suspend(|| io::stdout().lock().write_all(text.as_bytes()))?;
            }
            Err(error) if many => {
                failed += 1;
                bar.suspend(|| pictures::report_failure(file, &error, args.json));
            }
            Err(error) => return Err(error.context(pictures::name(file))),
        }
        bar.inc(1);
    }
    let count = bar.position() as usize;
    bar.finish_and_clear();
    if many {
        eprintln!("{count} pictures: {found} tiles, {failed} unreadable");
        pictures::all_of(files.len(), count, &pressed)?;
        pictures::ended(failed, count)?;
    }
    Ok(if found > 0 { Outcome::Found } else { Outcome::Nothing })
}

/// Reads the picture at an index; returns its number of tiles and the output.
fn one(
    args: &TilesArgs,
    reader: &mut Reader,
    files: &[PathBuf],
    place: usize,
    drawings: &Drawings,
    inside: Option<&Path>,
) -> anyhow::Result<(usize, String)> {
    let (file, many) = (&files[place], files.len() > 1);
    let picture = pictures::decode(file)?;
    let tiles = layout::tiles(&reader.read(&picture)?);
    pictures::tell_of_wrong_set(reader, &args.tileset, file);
    if drawings.name(place).is_some() {
        let shown = PictureLayout { tiles: tiles.clone(), ..PictureLayout::default() };
        drawings.save(place, &draw::annotated(picture.rgb(), &shown, &[])?)?;
    }
    let name = file.display().to_string();
    if let Some(folder) = inside {
        let kept = reader.take_inside();
        inside::save(folder, &name, &picture, &kept, reader.work(), drawings.inputs())?;
    }
    let text = if args.json {
        let image = ImageSize { width: picture.width(), height: picture.height() };
        let work = serde_json::to_value(reader.work())?;
        let file = many.then_some(name.as_str());
        let numbered = (0..).zip(&tiles);
        let listed = numbered.map(|(number, tile)| TileReading::of(number, tile)).collect();
        let reading = TilesReading { file, image, tiles: listed, work: &work };
        format!("{}\n", serde_json::to_string(&reading)?)
    } else {
        page(&name, &picture, &tiles, args.glyphs.shown())
    };
    Ok((tiles.len(), text))
}

fn page(name: &str, picture: &Picture, tiles: &[ShownTile], glyphs: bool) -> String {
    let (width, height) = (picture.width(), picture.height());
    let mut page = format!("{name}: {width} x {height}, {} tiles\n", tiles.len());
    for (number, tile) in tiles.iter().enumerate() {
        let glyph = if glyphs { format!(" {}", tile.face.glyph()) } else { String::new() };
        let [left, top, right, bottom] = bounding_box(&tile.corners);
        let (x, y) = ((left + right) / 2.0, (top + bottom) / 2.0);
        let [short, long] = sides(&tile.corners);
        let name = tile.face.to_string();
        let others: Vec<String> = (tile.alternatives.iter())
            .filter(|(_, p)| *p >= 0.01)
            .map(|(face, p)| format!("{face} {:.0} %", 100.0 * p))
            .collect();
        let or =
            if others.is_empty() { String::new() } else { format!("  or {}", others.join(", ")) };
        let sure = 100.0 * tile.confidence;
        page.push_str(&format!(
            "{number:>4}  {name:<2}{glyph}  {sure:>5.1} %  at {x:.0}, {y:.0}  {short:.0} x {long:.0} px  {:>3}°{or}\n",
            turn(tile)
        ));
    }
    page
}

/// How far the face is turned clockwise, in whole degrees.
fn turn(tile: &ShownTile) -> i32 {
    let [a, b, c, d] = tile.corners;
    let (x, y) = (b[0] - a[0] + c[0] - d[0], b[1] - a[1] + c[1] - d[1]);
    (y.atan2(x).to_degrees().round() as i32).rem_euclid(360)
}
