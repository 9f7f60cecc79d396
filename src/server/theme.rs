//! A theme of the user's for the overlay, without CSS: a TOML file with colours, letters, a logo, sponsors, and players' pictures
//! and flags. Everything is read when the program starts, so that a file that is missing is known before the stream begins.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs, io,
    path::{Path, PathBuf},
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The colours of a theme, as its style sheet names them.
const COLOURS: [&str; 11] = [
    "panel", "ink", "soft", "line", "brand", "gain", "loss", "player-E", "player-S", "player-W",
    "player-N",
];
/// What figures and texts are written in, on the colour of the panel.
const WRITTEN: [&str; 5] = ["ink", "soft", "brand", "gain", "loss"];
/// The least contrast of figures that are read on a small screen.
const READABLE: f32 = 7.0;
/// The file types of pictures that browsers show.
const PICTURES: &[&str] = &["svg", "png", "jpg", "jpeg", "webp", "gif"];
const LETTERS: &[&str] = &["woff2"];
/// The most bytes of a file: each overlay loads all of them.
const MOST_BYTES: u64 = 4 << 20;

/// A theme that cannot be used.
#[derive(Debug, Error)]
pub enum ThemeError {
    /// A file cannot be read.
    #[error("cannot read {}: {cause}", .file.display())]
    Unread {
        /// Its path.
        file: PathBuf,
        /// The system's error.
        cause: io::Error,
    },
    /// It is no theme.
    #[error("{} is no theme: {cause}", .file.display())]
    Syntax {
        /// Its path.
        file: PathBuf,
        /// What is wrong, with the line.
        cause: Box<toml::de::Error>,
    },
    /// There is no such colour.
    #[error("a theme has no colour `{name}`: it has {}", COLOURS.join(", "))]
    Name {
        /// What is written.
        name: String,
    },
    /// A colour is written in another way.
    #[error("`{name} = \"{value}\"` is no colour: write six digits, such as \"#10141f\"")]
    Colour {
        /// The colour's name.
        name: String,
        /// What it is set to.
        value: String,
    },
    /// A file of another type.
    #[error("{} does not end in {}", .file.display(), .expected.iter().map(|end| format!(".{end}")).collect::<Vec<_>>().join(", "))]
    Kind {
        /// Its path.
        file: PathBuf,
        /// The types that are possible there.
        expected: &'static [&'static str],
    },
    /// A file is too large.
    #[error("{} has more than {} MB: make the picture smaller", .0.display(), MOST_BYTES >> 20)]
    Large(PathBuf),
}

/// The file as it is written. Paths are relative to its folder.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ThemeFile {
    letters: Option<PathBuf>,
    logo: Option<PathBuf>,
    sponsors: Vec<PathBuf>,
    colours: BTreeMap<String, String>,
    players: BTreeMap<String, PlayerFile>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct PlayerFile {
    picture: Option<PathBuf>,
    flag: Option<PathBuf>,
}

/// What the overlay shows of a theme besides colours and letters: addresses of pictures.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct ThemePictures {
    logo: Option<String>,
    sponsors: Vec<String>,
    /// By the players' names.
    players: BTreeMap<String, PlayerPictures>,
}

#[derive(Debug, Default, Serialize, JsonSchema)]
struct PlayerPictures {
    picture: Option<String>,
    flag: Option<String>,
}

/// A theme with all its files.
#[derive(Debug, Default)]
pub struct Theme {
    pub(super) css: String,
    pub(super) pictures: ThemePictures,
    /// Colours that are hardly read on the panel, with their contrast.
    pub faint: Vec<(String, f32)>,
    files: Vec<(String, Vec<u8>)>,
}

impl Theme {
    /// Reads a theme and the files that it names.
    ///
    /// # Errors
    /// The first fault, with its file.
    pub fn read(file: &Path) -> Result<Self, ThemeError> {
        let text = fs::read_to_string(file)
            .map_err(|cause| ThemeError::Unread { file: file.to_owned(), cause })?;
        let given: ThemeFile = toml::from_str(&text)
            .map_err(|cause| ThemeError::Syntax { file: file.to_owned(), cause: cause.into() })?;
        let folder = file.parent().unwrap_or(Path::new("."));
        let mut theme = Self::default();
        theme.colour(&given.colours)?;
        if let Some(letters) = &given.letters {
            let address = theme.keep(&folder.join(letters), LETTERS)?;
            let own = |language: &str, theirs: &str| {
                format!(
                    ":root{language} body {{ font-family: \"Own\", \"Tilelens\", \"Tilelens {theirs}\", system-ui, sans-serif; }}\n"
                )
            };
            theme.css += &format!("@font-face {{ font-family: \"Own\"; src: url({address}); }}\n");
            theme.css += &(own("", "ja") + &own(":lang(zh)", "zh"));
        }
        let mut picture = |place: &Option<PathBuf>| {
            place.as_ref().map(|place| theme.keep(&folder.join(place), PICTURES)).transpose()
        };
        let logo = picture(&given.logo)?;
        let players = given.players.iter().map(|(name, player)| {
            let pictures =
                PlayerPictures { picture: picture(&player.picture)?, flag: picture(&player.flag)? };
            Ok((name.clone(), pictures))
        });
        let players = players.collect::<Result<_, ThemeError>>()?;
        let sponsors = given.sponsors.iter().map(|place| theme.keep(&folder.join(place), PICTURES));
        let sponsors = sponsors.collect::<Result<_, _>>()?;
        theme.pictures = ThemePictures { logo, sponsors, players };
        Ok(theme)
    }

    /// One of its files, by the end of its address.
    pub(super) fn file(&self, name: &str) -> Option<&[u8]> {
        self.files.iter().find(|(known, _)| known == name).map(|(_, bytes)| &bytes[..])
    }

    /// Sets the colours, over those of the theme that the overlay's address names.
    fn colour(&mut self, colours: &BTreeMap<String, String>) -> Result<(), ThemeError> {
        let mut light = BTreeMap::new();
        for (name, value) in colours {
            if !COLOURS.contains(&name.as_str()) {
                return Err(ThemeError::Name { name: name.clone() });
            }
            let written = || ThemeError::Colour { name: name.clone(), value: value.clone() };
            light.insert(name.as_str(), luminance(value).ok_or_else(written)?);
        }
        let sets: String = colours.iter().fold(String::new(), |mut sets, (name, value)| {
            let _ = write!(sets, " --{name}: {value};");
            sets
        });
        self.css = format!(":root[data-theme], :root {{{sets} }}\n");
        if let Some(panel) = light.get("panel") {
            let contrast = |of: &f32| (of.max(*panel) + 0.05) / (of.min(*panel) + 0.05);
            let written =
                WRITTEN.iter().filter_map(|name| Some((*name, contrast(light.get(name)?))));
            let faint = written.filter(|(_, contrast)| *contrast < READABLE);
            self.faint = faint.map(|(name, contrast)| (name.to_owned(), contrast)).collect();
        }
        Ok(())
    }

    /// Reads a file, and gives its address.
    fn keep(
        &mut self,
        file: &Path,
        expected: &'static [&'static str],
    ) -> Result<String, ThemeError> {
        let unread = |cause| ThemeError::Unread { file: file.to_owned(), cause };
        let end = file.extension().and_then(|end| end.to_str()).map(str::to_ascii_lowercase);
        let end = end.filter(|end| expected.contains(&end.as_str()));
        let end = end.ok_or_else(|| ThemeError::Kind { file: file.to_owned(), expected })?;
        if fs::metadata(file).map_err(unread)?.len() > MOST_BYTES {
            return Err(ThemeError::Large(file.to_owned()));
        }
        let name = format!("{}.{end}", self.files.len());
        let address = format!("theme/{name}");
        self.files.push((name, fs::read(file).map_err(unread)?));
        Ok(address)
    }
}

/// The relative luminance of a colour such as `#10141f`, as WCAG 2 defines it.
fn luminance(colour: &str) -> Option<f32> {
    let digits =
        colour.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.is_ascii())?;
    let part = |place: usize| {
        let level = u8::from_str_radix(&digits[place..place + 2], 16).ok()?;
        let level = f32::from(level) / 255.0;
        Some(if level <= 0.040_45 { level / 12.92 } else { ((level + 0.055) / 1.055).powf(2.4) })
    };
    Some(0.2126 * part(0)? + 0.7152 * part(2)? + 0.0722 * part(4)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Theme, String> {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("logo.PNG"), b"logo").unwrap();
        fs::write(folder.path().join("club.woff2"), b"letters").unwrap();
        let file = folder.path().join("club.toml");
        fs::write(&file, text).unwrap();
        Theme::read(&file).map_err(|error| error.to_string())
    }

    #[test]
    fn a_theme_has_colours_letters_and_pictures() {
        let text = "letters = \"club.woff2\"\nlogo = \"logo.PNG\"\nsponsors = [\"logo.PNG\"]\n\
                    [colours]\npanel = \"#000000\"\nink = \"#ffffff\"\nsoft = \"#555555\"\n\
                    [players.\"Ann Ax\"]\nflag = \"logo.PNG\"\n";
        let theme = read(text).unwrap();
        assert!(theme.css.contains("--ink: #ffffff; --panel: #000000;"), "{}", theme.css);
        assert!(theme.css.contains("src: url(theme/0.woff2)"), "{}", theme.css);
        assert_eq!(theme.file("1.png"), Some(&b"logo"[..]));
        let pictures = serde_json::to_value(&theme.pictures).unwrap();
        assert_eq!(pictures["logo"], "theme/1.png");
        assert_eq!(pictures["players"]["Ann Ax"]["picture"], serde_json::Value::Null);
        assert_eq!(pictures["players"]["Ann Ax"]["flag"], "theme/2.png");
        let [(name, contrast)] = &theme.faint[..] else { panic!("{:?}", theme.faint) };
        assert!(name == "soft" && (2.8..2.9).contains(contrast), "{name} {contrast}");
    }

    #[test]
    fn a_fault_is_named_with_its_cure() {
        for (text, says) in [
            ("logo = \"other.png\"", "cannot read"),
            ("logo = \"logo.bmp\"", "does not end in .svg, .png"),
            ("letters = \"logo.PNG\"", "does not end in .woff2"),
            ("[colours]\npanle = \"#000000\"", "no colour `panle`: it has panel, ink"),
            ("[colours]\npanel = \"black\"", "write six digits"),
            ("[colours]\npanel = \"#00000é\"", "write six digits"),
            ("colors = {}", "no theme"),
        ] {
            let why = read(text).unwrap_err();
            assert!(why.contains(says), "{text}: {why}");
        }
    }
}
