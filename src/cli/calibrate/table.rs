//! `tilelens calibrate table`: four corners in a picture become a table profile.

use std::{
    io::{BufRead as _, Write as _},
    path::{Path, PathBuf},
    str::FromStr,
    time::Duration,
};

use anyhow::{Context as _, bail};
use clap::Args;

use crate::{
    calibration::table::{Edge, TableProfile, Zone},
    capture::{Capture, SourceSpec, SourceState},
    cli::{
        Outcome, pictures,
        wishes::{QUOTES, WishArgs},
    },
    output::{self, Inputs},
    picture::Picture,
    picture_name::is_picture_name,
};

/// The longest wait for the first picture of a source.
const PATIENCE: Duration = Duration::from_secs(20);

#[derive(Args)]
#[command(
    after_help = format!("Example: tilelens calibrate table camera:0 --corners 412,88 1510,90 1790,1010 130,1004 --out table.toml\n         tilelens live --source table.toml=camera:0\n\n{QUOTES}\n\nThe control page of `tilelens live` marks the corners with four clicks.")
)]
pub(in crate::cli) struct CalibrateTableArgs {
    /// A picture of the table as the camera sees it, or the camera itself: camera:0, or a stream
    picture: String,
    #[command(flatten)]
    wishes: WishArgs,
    /// The four corners of the table in the picture, in pixels X,Y, clockwise. Without this option the program
    /// asks for them
    #[arg(long, num_args = 4, value_name = "X,Y", allow_negative_numbers = true)]
    corners: Option<Vec<Corner>>,
    /// The edge at which East sits in the first deal of a round. The edge from the first corner to the second
    /// is the top; right, bottom and left follow
    #[arg(long, default_value = "bottom", value_parser = edge)]
    east: Edge,
    /// The file to write
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// Draw the areas of the table onto the picture, and write it to this file
    #[arg(long, value_name = "FILE")]
    draw: Option<PathBuf>,
}

fn edge(name: &str) -> Result<Edge, String> {
    Edge::from_name(name).ok_or_else(|| "write top, right, bottom or left".to_owned())
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Corner([f32; 2]);

impl FromStr for Corner {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no corner: write X,Y in pixels, such as 412,88");
        let (x, y) = text.trim().split_once(',').ok_or_else(wrong)?;
        let number = |text: &str| text.trim().parse::<f32>().ok().filter(|x| x.is_finite());
        Ok(Self([number(x).ok_or_else(wrong)?, number(y).ok_or_else(wrong)?]))
    }
}

/// The input files: a picture, a video, or those of a folder.
fn inputs(what: &str) -> Inputs {
    match what.parse() {
        Ok(SourceSpec::File { path, .. } | SourceSpec::Folder(path)) => Inputs::of([path]),
        _ => Inputs::of([what]),
    }
}

/// A picture file, or the first frame of a source; and that source.
fn look(args: &CalibrateTableArgs) -> anyhow::Result<(Picture, Option<SourceSpec>)> {
    let path = Path::new(&args.picture);
    // An address may end as a picture's name does.
    let is_file = is_picture_name(path) && !args.picture.contains("://");
    if is_file || pictures::is_stdin(path) {
        args.wishes.ask([])?;
        return Ok((pictures::load(path)?, None));
    }
    let mut source: SourceSpec = args.picture.parse()?;
    args.wishes.ask([&mut source])?;
    let capture = Capture::start(source.clone());
    let Some(frame) = capture.newest(0, PATIENCE) else {
        match capture.state() {
            SourceState::Lost { why, .. } => bail!("{why}"),
            _ => bail!("{source} has shown no picture for {} s", PATIENCE.as_secs()),
        }
    };
    Ok((Picture::clone(&frame.picture), Some(source)))
}

/// Asks at the terminal for the corners, one after the other.
fn ask(size: [u32; 2]) -> anyhow::Result<Vec<Corner>> {
    let mut out = std::io::stderr();
    let [width, height] = size;
    writeln!(out, "The picture has {width} x {height} pixels. The table's corners, clockwise:")?;
    let mut lines = std::io::stdin().lock().lines();
    let mut corners = Vec::new();
    while corners.len() < 4 {
        write!(out, "corner {} (X,Y): ", corners.len() + 1)?;
        out.flush()?;
        let Some(line) = lines.next().transpose()? else {
            bail!("four corners are needed: give them with --corners X,Y X,Y X,Y X,Y");
        };
        match line.parse() {
            Ok(corner) => corners.push(corner),
            Err(wrong) => writeln!(out, "{wrong}")?,
        }
    }
    Ok(corners)
}

pub(super) fn run(args: &CalibrateTableArgs) -> anyhow::Result<Outcome> {
    if args.out.extension().is_none_or(|extension| extension != "toml") {
        let out = args.out.display();
        bail!("{out}: the file's name has to end in .toml, so that --source knows it");
    }
    let inputs = inputs(&args.picture);
    args.draw.iter().chain([&args.out]).try_for_each(|to| inputs.refuse(to))?;
    let (picture, source) = look(args)?;
    let size = [picture.width(), picture.height()];
    let corners = match &args.corners {
        Some(corners) => corners.clone(),
        None => ask(size)?,
    };
    let [a, b, c, d] = corners[..] else { bail!("four corners are needed") };
    let profile = TableProfile::new(size, [a.0, b.0, c.0, d.0], args.east)?;
    if let Some(file) = &args.draw {
        pictures::save(&drawn(&picture, &profile), file, &inputs)?;
    }
    output::write(&args.out, profile.to_toml().as_bytes(), &Inputs::default())
        .with_context(|| format!("cannot write {}", args.out.display()))?;
    let out = args.out.display();
    let source = source.map_or_else(|| "camera:0".to_owned(), |source| source.to_string());
    println!("{out}: now  tilelens live --source {}", for_shell(&format!("{out}={source}")));
    Ok(Outcome::Found)
}

/// Quotes a word for a shell.
fn for_shell(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "=:/._-,".contains(c);
    if word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// The picture with each player's zones in a colour of his own, discards darker.
fn drawn(picture: &Picture, profile: &TableProfile) -> image::RgbImage {
    const COLOURS: [[u16; 3]; 4] = [[255, 90, 60], [70, 200, 90], [70, 130, 255], [240, 200, 40]];
    let view = profile.view([picture.width(), picture.height()]);
    let mut drawn = picture.rgb().clone();
    for (x, y, pixel) in drawn.enumerate_pixels_mut() {
        let (seat, part) = match view.zone([x as f32 + 0.5, y as f32 + 0.5]) {
            Zone::Own(seat) => (seat, 2),
            Zone::Discards(seat) => (seat, 3),
            Zone::Elsewhere => continue,
        };
        let colour = COLOURS[seat.index()];
        for (channel, tint) in pixel.0.iter_mut().zip(colour) {
            *channel = ((u16::from(*channel) * (6 - part) + tint * part) / 6) as u8;
        }
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_shell_would_take_apart_is_quoted() {
        assert_eq!(for_shell("table.toml=camera:0"), "table.toml=camera:0");
        assert_eq!(for_shell("a.toml=camera:0?fps=5&size=9x9"), "'a.toml=camera:0?fps=5&size=9x9'");
        assert_eq!(for_shell("it's"), "'it'\\''s'");
    }

    #[test]
    fn corners_are_read_as_people_write_them() {
        assert_eq!("412, 88.5".parse(), Ok(Corner([412.0, 88.5])));
        assert_eq!("-3,0".parse(), Ok(Corner([-3.0, 0.0])));
        for wrong in ["412", "412;88", "x,8", "1,inf"] {
            assert!(wrong.parse::<Corner>().unwrap_err().contains("X,Y"), "{wrong}");
        }
    }
}
