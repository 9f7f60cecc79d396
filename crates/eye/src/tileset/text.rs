//! Profiles as TOML: strict, and exact both ways except for embeddings, which are kept to 1/127.

use serde::{Deserialize, Serialize};

use super::{
    Embedding, Exemplar, Profile, SetInfo, White,
    profile::{MOST_EXEMPLARS, MOST_NUMBERS},
};
use crate::tile::Tile;

/// Why a text is not a profile.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProfileError {
    /// The name is not allowed for a file.
    #[error(
        "`{0}` is not a name for a set: give 1-40 small letters, digits and hyphens, such as my-set"
    )]
    Name(String),
    /// There are no exemplars.
    #[error("a profile without a single face")]
    Empty,
    /// There are too many exemplars.
    #[error("{0} tiles: a profile holds at most {MOST_EXEMPLARS}; make it again from a photo")]
    TooMany(usize),
    /// An embedding cannot be compared with the others.
    #[error("the embedding of {0} is empty, damaged or another network's: make the profile again")]
    Embedding(Tile),
    /// The text is not in the file's format.
    #[error("not a tile-set profile: {0}")]
    Format(String),
}

/// The number at the head of the file, for later formats.
const FORMAT: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: u32,
    name: String,
    network: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    white: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    back: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    body: Option<String>,
    tile: Vec<Entry>,
}

/// One exemplar.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    code: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    taught: bool,
    /// Four turns, each as signed bytes in hexadecimal.
    turns: [String; 4],
}

impl Profile {
    /// Reads a profile's file.
    ///
    /// # Errors
    /// The text is not a profile, or one of another version.
    pub fn parse(text: &str) -> Result<Self, ProfileError> {
        let format = |why: String| ProfileError::Format(why);
        let file: File =
            toml::from_str(text).map_err(|error| format(error.message().to_owned()))?;
        if file.format != FORMAT {
            return Err(format(format!("format {}, this program reads {FORMAT}", file.format)));
        }
        if file.network.is_empty() || !file.network.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(format(format!("network `{}` is not a hexadecimal number", file.network)));
        }
        let white = match file.white.as_deref() {
            None => None,
            Some("blank") => Some(White::Blank),
            Some("framed") => Some(White::Framed),
            Some(other) => return Err(format(format!("white is `{other}`, not blank or framed"))),
        };
        let about = SetInfo {
            name: file.name.parse()?,
            network: file.network,
            white,
            back: file.back.as_deref().map(colour).transpose()?,
            body: file.body.as_deref().map(colour).transpose()?,
        };
        let mut exemplars = Vec::with_capacity(file.tile.len().min(MOST_EXEMPLARS));
        for entry in &file.tile {
            let tile: Tile = entry.code.parse().map_err(|error| format(format!("{error}")))?;
            let [a, b, c, d] = &entry.turns;
            let read = |hex: &String| bytes(hex).ok_or(ProfileError::Embedding(tile));
            let turns = [read(a)?, read(b)?, read(c)?, read(d)?];
            if exemplars.last().is_some_and(|last: &Exemplar| last.taught && !entry.taught) {
                return Err(format(format!("{tile} of the photo comes after a correction")));
            }
            exemplars.push(Exemplar::new(tile, entry.taught, turns)?);
        }
        Self::new(about, exemplars)
    }
}

impl std::fmt::Display for Profile {
    /// The profile as the text of its file.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let about = &self.about;
        let file = File {
            format: FORMAT,
            name: about.name.to_string(),
            network: about.network.clone(),
            white: about.white.map(|white| white.to_string()),
            back: about.back.map(hash),
            body: about.body.map(hash),
            tile: (self.exemplars().iter())
                .map(|shown| Entry {
                    code: shown.tile.to_string(),
                    taught: shown.taught,
                    turns: shown.turns.each_ref().map(|turn| hex(turn)),
                })
                .collect(),
        };
        let text = toml::to_string(&file).map_err(|_| std::fmt::Error)?;
        f.write_str("# A set of tiles for Tilelens, made by `tilelens calibrate tiles`.\n")?;
        f.write_str(&text)
    }
}

impl std::fmt::Display for White {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Blank => "blank",
            Self::Framed => "framed",
        })
    }
}

/// A colour as `#rrggbb`.
fn hash([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

fn colour(text: &str) -> Result<[u8; 3], ProfileError> {
    let wrong = || ProfileError::Format(format!("`{text}` is not a colour such as #2a7d4f"));
    let digits = text
        .strip_prefix('#')
        .filter(|digits| digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let digits = digits.ok_or_else(wrong)?;
    let value = u32::from_str_radix(digits, 16).map_err(|_| wrong())?;
    let [_, r, g, b] = value.to_be_bytes();
    Ok([r, g, b])
}

/// Signed bytes in proportion to the largest number, in hexadecimal.
fn hex(vector: &[f32]) -> String {
    let most = vector.iter().fold(0.0f32, |most, x| most.max(x.abs())).max(f32::MIN_POSITIVE);
    vector.iter().map(|x| format!("{:02x}", (x / most * 127.0).round() as i8)).collect()
}

fn bytes(hex: &str) -> Option<Embedding> {
    let hex = hex.as_bytes();
    if !hex.len().is_multiple_of(2) || hex.len() > 2 * MOST_NUMBERS {
        return None;
    }
    let digit = |byte: u8| char::from(byte).to_digit(16);
    hex.chunks_exact(2)
        .map(|pair| {
            let byte = digit(pair[0])? << 4 | digit(pair[1])?;
            Some(f32::from(u8::try_from(byte).ok()?.cast_signed()))
        })
        .collect()
}
