//! Tenhou's text for concealed hands, as its hand page and most riichi libraries read it: digits with `m p s
//! z`, 0 a red five (PyPI `mahjong` also takes `r`), the drawn tile last.

use super::{ConvertError, Converted, HandFormat, seen};
use crate::{
    hand::{Reading, SetTile, write_tiles},
    tile::{Face, SeenFace, Suit, Tile},
};

const FORMAT: HandFormat = HandFormat::Tenhou;

pub(super) fn parse(text: &str) -> Result<Converted<Reading>, ConvertError> {
    let mut tiles = Vec::new();
    let mut digits: Vec<u8> = Vec::new();
    for letter in text.chars().filter(|letter| !letter.is_whitespace()) {
        match letter {
            '0'..='9' => digits.push(letter as u8 - b'0'),
            'r' => digits.push(0),
            'm' | 'p' | 's' | 'z' => {
                if digits.is_empty() {
                    return Err(FORMAT.error(format!("`{letter}` has no digit before it")));
                }
                for digit in digits.drain(..) {
                    let suit = Suit::from_letter(letter);
                    let tile = match digit {
                        0 => suit.and_then(Tile::red_five),
                        _ => suit.and_then(|suit| Face::new(suit, digit)).map(Tile::new),
                    };
                    tiles.push(
                        tile.ok_or_else(|| FORMAT.error(format!("there is no {digit}{letter}")))?,
                    );
                }
            }
            _ => {
                return Err(FORMAT.error(format!(
                    "`{letter}` is not part of it: expected digits with m, p, s or z, such as 123m406p11z"
                )));
            }
        }
    }
    if !digits.is_empty() {
        return Err(FORMAT.error("no letter m, p, s or z after the last digits"));
    }
    Ok(Reading { concealed: seen(tiles), ..Reading::default() }.into())
}

pub(super) fn print(hand: &Reading) -> Result<Converted<String>, ConvertError> {
    if let Some(set) = hand.sets.first() {
        return Err(
            FORMAT.cannot(format!("{set}: sets that lie apart; tenhou-log has signs for them"))
        );
    }
    FORMAT.no_bonus(hand)?;
    let plain = |tiles: Vec<Tile>| {
        let mut text = String::new();
        let tiles = tiles.into_iter();
        // Writing to a string cannot fail.
        let _ = write_tiles(
            &mut text,
            tiles.map(|tile| SetTile { face: SeenFace::Tile(tile), sideways: false }),
        );
        text
    };
    let mut value = plain(FORMAT.known_tiles(&hand.concealed)?);
    let mut notes = Vec::new();
    if let Some(winning) = hand.winning {
        value += &plain(FORMAT.known_tiles(&[winning])?);
        notes.push("tenhou does not mark the winning tile: it stands last".to_owned());
    }
    Ok(Converted { value, notes })
}
