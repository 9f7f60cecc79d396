//! Picture files and the networks that read them, for every command that takes pictures.

#[cfg(feature = "vision")]
use std::io::Read;
use std::{
    collections::HashSet,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use anyhow::{Context, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

#[cfg(feature = "vision")]
use crate::{
    output,
    picture::{MOST_BYTES, Picture},
    tileset::{self, Folder},
    vision::Reader,
};
use crate::{output::Inputs, picture_name::is_listed_picture};

/// Options of the networks, for the commands that read one picture at a time.
#[derive(Args, Clone)]
pub(super) struct NetworkArgs {
    /// Use the networks in this folder instead of the built-in ones: detector.onnx, classifier.onnx,
    /// corners.onnx and confidence.toml. If the folder has a SHA256SUMS, the files have to match it
    #[arg(long, value_name = "DIR")]
    pub models: Option<PathBuf>,
    /// The number of threads for reading a picture
    #[arg(long, default_value_t = 2)]
    pub threads: usize,
}

/// The option of the tile set.
#[derive(Args, Clone)]
pub(super) struct TilesetArgs {
    /// The name or file of a set of tiles that was learnt (`tilelens calibrate tiles`), or none. The default is
    /// your set that clearly fits the picture
    #[arg(long, value_name = "NAME|FILE|none")]
    pub tileset: Option<String>,
}

/// The pictures in files and folders, in order. A folder without pictures stays in the list, so that the others are
/// read and it is reported.
pub(super) fn files(given: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in given {
        let mut inside: Vec<PathBuf> = (std::fs::read_dir(path).into_iter().flatten())
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| is_listed_picture(path))
            .collect();
        if inside.is_empty() {
            inside.push(path.clone());
        }
        inside.sort();
        files.extend(inside);
    }
    if files.iter().filter(|file| is_stdin(file)).count() > 1 {
        bail!("- means one picture from standard input: give it once");
    }
    Ok(files)
}

/// How a run over several pictures ended.
///
/// # Errors
/// Where a picture failed; each has been reported before.
pub(super) fn ended(failed: usize, pictures: usize) -> anyhow::Result<()> {
    match failed {
        0 => Ok(()),
        all if all == pictures => bail!("no picture could be read"),
        some => bail!("{some} of {pictures} pictures could not be read"),
    }
}

/// Prints the failure of one of several pictures, with its name once.
pub(super) fn report_failure(file: &Path, error: &anyhow::Error, json: bool) {
    let name = name(file);
    if json {
        println!("{}", serde_json::json!({ "file": name, "error": format!("{error:#}") }));
    } else {
        println!("{name}: {error:#}");
    }
}

/// Whether a file name means standard input.
pub(super) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The name of a picture.
pub(super) fn name(file: &Path) -> String {
    if is_stdin(file) { "standard input".to_owned() } else { file.display().to_string() }
}

/// Reads and decodes a picture file, or the picture that comes through standard input; an error names it.
#[cfg(feature = "vision")]
pub(super) fn load(file: &Path) -> anyhow::Result<Picture> {
    decode(file).with_context(|| name(file))
}

/// Reads and decodes a picture as [`load`] does; the caller adds the file's name to errors.
#[cfg(feature = "vision")]
pub(super) fn decode(file: &Path) -> anyhow::Result<Picture> {
    if file.is_dir() {
        std::fs::read_dir(file).context("cannot read the folder")?;
        bail!("no pictures in this folder (.jpg, .heic, .png, .webp, .tif, .bmp, .gif)");
    }
    let bytes = if is_stdin(file) {
        bounded(std::io::stdin().lock())
    } else {
        std::fs::File::open(file).and_then(bounded)
    };
    Ok(Picture::from_bytes(&bytes.context("cannot read it")?)?)
}

#[cfg(feature = "vision")]
fn bounded(from: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        let why = format!("more than {} MiB are no picture of a hand", MOST_BYTES >> 20);
        return Err(std::io::Error::other(why));
    }
    Ok(bytes)
}

/// The built-in networks, or those of a folder.
#[cfg(feature = "vision")]
pub(super) fn reader(models: Option<&Path>, threads: usize) -> anyhow::Result<Reader> {
    Ok(match models {
        Some(folder) => Reader::from_folder(folder, threads)?,
        None => Reader::builtin(threads)?,
    })
}

/// The same with the sets of tiles to choose from.
#[cfg(feature = "vision")]
pub(super) fn reader_of_sets(
    networks: &NetworkArgs,
    tilesets: &TilesetArgs,
) -> anyhow::Result<Reader> {
    let mut reader = reader(networks.models.as_deref(), networks.threads)?;
    give_sets(&mut reader, tilesets)?;
    Ok(reader)
}

/// Gives a reader the current sets of tiles to choose from.
#[cfg(feature = "vision")]
pub(super) fn give_sets(reader: &mut Reader, tilesets: &TilesetArgs) -> anyhow::Result<()> {
    match tilesets.tileset.as_deref() {
        Some("none") => {}
        Some(file) if file.ends_with(".toml") => {
            reader.set_tileset(tileset::read(Path::new(file))?)?;
        }
        Some(name) => reader.set_tileset(Folder::of_user()?.load(&name.parse()?)?)?,
        None => {
            // No home folder, no sets of one's own.
            let Ok(folder) = Folder::of_user() else { return Ok(()) };
            let mut profiles = Vec::new();
            for name in folder.names()? {
                match folder.load(&name) {
                    Ok(profile) if reader.knows(&profile) => profiles.push(profile),
                    Ok(_) => eprintln!(
                        "the tile set {name} was learnt for another classifier and is left out: make it again"
                    ),
                    Err(error) => eprintln!("the tile set {name} is left out: {error}"),
                }
            }
            reader.set_tilesets(profiles)?;
        }
    }
    Ok(())
}

/// Warns if the given set of tiles is not the one in the picture.
#[cfg(feature = "vision")]
pub(super) fn tell_of_wrong_set(reader: &Reader, tilesets: &TilesetArgs, file: &Path) {
    let named = tilesets.tileset.is_some();
    if let Some(set) = reader.tileset().filter(|set| named && set.weight <= 0.0) {
        let fit = set.fit.map_or_else(String::new, |fit| format!(" (likeness {fit:.2})"));
        eprintln!("{}: not the tiles of {}{fit}: the set is ignored", file.display(), set.name);
    }
}

/// Writes a picture in the format of its name, unless it would overwrite an input.
#[cfg(feature = "vision")]
pub(super) fn save(picture: &image::RgbImage, to: &Path, inputs: &Inputs) -> anyhow::Result<()> {
    let format = image::ImageFormat::from_path(to)
        .with_context(|| format!("{}: name a .png or .jpg", to.display()))?;
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).with_context(|| to.display().to_string())?;
    output::write(to, bytes.get_ref(), inputs)
        .with_context(|| format!("cannot write {}", to.display()))
}

/// The targets of a command's drawings: a file, or for several pictures a folder.
pub(super) struct Drawings {
    /// The target of each picture; empty without drawings.
    names: Vec<PathBuf>,
    #[cfg(feature = "vision")]
    inputs: Inputs,
}

impl Drawings {
    /// Chooses the names, before anything is read.
    ///
    /// # Errors
    /// A drawing, or standard output, is one of the pictures; the folder cannot be made.
    pub fn new(to: Option<&Path>, pictures: &[PathBuf]) -> anyhow::Result<Self> {
        let inputs = Inputs::of(pictures);
        inputs.refuse_stdout()?;
        let names = match to {
            None => Vec::new(),
            Some(folder) if pictures.len() > 1 => {
                std::fs::create_dir_all(folder)
                    .with_context(|| format!("cannot make the folder {}", folder.display()))?;
                drawn_names(folder, pictures)
            }
            Some(file) => vec![file.to_owned()],
        };
        names.iter().try_for_each(|name| inputs.refuse(name))?;
        Ok(Self {
            names,
            #[cfg(feature = "vision")]
            inputs,
        })
    }

    /// The target of a picture's drawing, by index; `None` without drawings.
    pub fn name(&self, place: usize) -> Option<&Path> {
        self.names.get(place).map(PathBuf::as_path)
    }

    /// The input pictures, which are never overwritten.
    #[cfg(feature = "vision")]
    pub fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// Writes the drawing of a picture, if requested.
    #[cfg(feature = "vision")]
    pub fn save(&self, place: usize, drawing: &image::RgbImage) -> anyhow::Result<()> {
        self.name(place).map_or(Ok(()), |to| save(drawing, to, &self.inputs))
    }
}

fn drawn_names(folder: &Path, pictures: &[PathBuf]) -> Vec<PathBuf> {
    (names(pictures).into_iter()).map(|name| folder.join(format!("{name}.png"))).collect()
}

/// The output folder of each picture: the folder itself, or for several pictures one folder each in it.
#[cfg(feature = "vision")]
pub(super) fn folders(folder: &Path, pictures: &[PathBuf]) -> Vec<PathBuf> {
    match pictures {
        [_] => vec![folder.to_owned()],
        _ => names(pictures).into_iter().map(|name| folder.join(name)).collect(),
    }
}

/// A unique name for each picture, by its file's, also on a disk that ignores case.
fn names(pictures: &[PathBuf]) -> Vec<String> {
    let mut taken = HashSet::new();
    let names = pictures.iter().map(|picture| {
        let stem = if is_stdin(picture) {
            "standard-input".into()
        } else {
            picture.file_stem().unwrap_or_default().to_string_lossy()
        };
        let numbered = (2..).map(|number| format!("{stem}-{number}"));
        let mut candidates = std::iter::once(stem.to_string()).chain(numbered);
        let free = candidates.find(|name| taken.insert(name.to_lowercase()));
        free.unwrap_or_default()
    });
    names.collect()
}

/// Becomes true at Ctrl-C: work on several pictures then ends after those that are being read. A second Ctrl-C ends the
/// program at once.
pub(super) fn interrupted(pictures: usize) -> std::io::Result<Arc<AtomicBool>> {
    use signal_hook::{consts::SIGINT, flag};
    let pressed = Arc::new(AtomicBool::new(false));
    // A single one is given up at once.
    if pictures > 1 {
        flag::register_conditional_default(SIGINT, Arc::clone(&pressed))?;
        flag::register(SIGINT, Arc::clone(&pressed))?;
    }
    Ok(pressed)
}

/// Fails where Ctrl-C ended the work, with the number of pictures that were read.
pub(super) fn all_of(pictures: usize, read: usize, pressed: &AtomicBool) -> anyhow::Result<()> {
    if pressed.load(Ordering::Relaxed) && read < pictures {
        bail!("stopped by Ctrl-C: {read} of {pictures} pictures were read");
    }
    Ok(())
}

/// A bar over pictures that shows on a terminal, and only for more than one.
pub(super) fn progress(pictures: usize) -> ProgressBar {
    if pictures < 2 {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(pictures as u64);
    match ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_of_pictures_of_one_name_do_not_take_each_others_place() {
        let pictures: Vec<PathBuf> =
            ["a/1.jpg", "b/1.jpg", "2.png", "-", "c/1.heic", "1-2.jpg", "A.jpg", "b/a.jpg"]
                .map(PathBuf::from)
                .into();
        let names: Vec<String> = (drawn_names(Path::new("out"), &pictures).iter())
            .map(|name| name.display().to_string())
            .collect();
        let expected = ["1", "1-2", "2", "standard-input", "1-3", "1-2-2", "A", "a-2"];
        assert_eq!(names, expected.map(|name| format!("out/{name}.png")));
    }
}
