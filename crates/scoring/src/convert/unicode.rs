//! Unicode's mahjong tiles (U+1F000-U+1F029, the back U+1F02B): our own notation with a glyph for each tile.
//! There is no glyph for a red five.

use super::{ConvertError, Converted, HandFormat};
use crate::{
    hand::{Reading, SetForm},
    tile::SeenFace,
};

pub(super) fn parse(text: &str) -> Result<Converted<Reading>, ConvertError> {
    let letter = text.chars().find(|letter| letter.is_ascii_alphanumeric());
    if let Some(letter) = letter {
        return Err(HandFormat::Unicode.error(format!("`{letter}` is no glyph of a tile")));
    }
    Ok(text.parse::<Reading>()?.into())
}

pub(super) fn print(hand: &Reading) -> Result<Converted<String>, ConvertError> {
    let glyphs = |seen: &[SeenFace]| seen.iter().map(|seen| seen.glyph()).collect::<String>();
    let mut parts = vec![glyphs(&hand.concealed)];
    for set in &hand.sets {
        let tiles: String = (set.tiles.iter())
            .flat_map(|tile| [Some(tile.face.glyph()), tile.sideways.then_some('\'')])
            .flatten()
            .collect();
        parts.push(match set.form {
            SetForm::Claimed => format!("({tiles})"),
            SetForm::ConcealedKong => format!("[{tiles}]"),
        });
    }
    parts.push(glyphs(&hand.bonus));
    parts.extend(hand.winning.map(|winning| format!("+{}", winning.glyph())));
    parts.retain(|part| !part.is_empty());
    let notes = HandFormat::Unicode.red_note(hand).into_iter().collect();
    Ok(Converted { value: parts.join(" "), notes })
}
