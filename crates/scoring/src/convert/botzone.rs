//! The arguments of `MahjongFanCalculator` (Botzone's library, PyPI `PyMahjongGB`) as JSON: `pack` of type, tile and offer,
//! `hand`, `winTile`, `flowerCount`. Tiles are `W1` characters, `B1` dots, `T1` bamboo, `F1`-`F4` winds, `J1`-`J3` red,
//! green, white; a chow is named by its middle tile. The offer of a chow gives its claimed tile, that
//! of a pung or kong the giver: 1 left, 2 opposite, 3 right, 0 nobody.

use serde_json::{Value, json};

use super::{
    ConvertError, Converted, HandFormat,
    call::{Call, CallKind},
    gb::{offer, pack, sorted},
    seen,
};
use crate::{
    hand::Reading,
    tile::{Face, SeenFace, Suit, Tile},
};

const FORMAT: HandFormat = HandFormat::Botzone;

fn tile(value: &Value) -> Result<Face, ConvertError> {
    let text = value.as_str().unwrap_or_default();
    let mut letters = text.chars();
    let face =
        match (letters.next(), letters.next().and_then(|digit| digit.to_digit(10)), letters.next())
        {
            (Some(suit), Some(number), None) => {
                let number = number as u8;
                match (suit, number) {
                    ('W', _) => Face::new(Suit::Characters, number),
                    ('B', _) => Face::new(Suit::Dots, number),
                    ('T', _) => Face::new(Suit::Bamboo, number),
                    ('F', 1..=4) => Face::new(Suit::Honors, number),
                    ('J', 1..=3) => Face::new(Suit::Honors, 8 - number),
                    _ => None,
                }
            }
            _ => None,
        };
    face.ok_or_else(|| {
        FORMAT.error(format!("{value} is no tile: expected W1-W9, B1-B9, T1-T9, F1-F4 or J1-J3"))
    })
}

fn name(face: Face) -> String {
    let number = face.number();
    match face.suit() {
        Suit::Characters => format!("W{number}"),
        Suit::Dots => format!("B{number}"),
        Suit::Bamboo => format!("T{number}"),
        Suit::Honors if number <= 4 => format!("F{number}"),
        Suit::Honors => format!("J{}", 8 - number),
        Suit::Bonus => format!("H{number}"),
    }
}

fn set(value: &Value) -> Result<crate::hand::SeenSet, ConvertError> {
    let wrong = |why: &str| FORMAT.error(format!("the pack {value}: {why}"));
    let Some([kind, face, offer]) = value.as_array().map(Vec::as_slice) else {
        return Err(wrong("expected type, tile and offer, such as [\"PENG\",\"W1\",1]"));
    };
    let face = tile(face)?;
    let offer = offer
        .as_u64()
        .filter(|offer| *offer <= 3)
        .ok_or_else(|| wrong("the offer is a number from 0 to 3"))? as u8;
    let beside = |step: isize| {
        let number = face.number().checked_add_signed(step as i8)?;
        Face::new(face.suit(), number).filter(|face| !face.is_honor())
    };
    let tiles: Vec<Face> = match kind.as_str() {
        Some("CHI") => match (beside(-1), beside(1)) {
            (Some(low), Some(high)) => vec![low, face, high],
            _ => return Err(wrong("its tile is not the middle of a chow")),
        },
        Some("PENG") => vec![face; 3],
        Some("GANG") => vec![face; 4],
        _ => return Err(wrong("its type is CHI, PENG or GANG")),
    };
    let offer = (offer > 0).then_some(offer);
    pack(tiles.into_iter().map(Tile::new).collect(), offer)
}

pub(super) fn parse(text: &str) -> Result<Converted<Reading>, ConvertError> {
    let value: Value =
        serde_json::from_str(text).map_err(|error| FORMAT.error(error.to_string()))?;
    let list = |name: &str| {
        match value.get(name) {
        Some(Value::Array(list)) => Ok(list.as_slice()),
        None if name == "pack" => Ok(&[][..]),
        _ => Err(FORMAT.error(format!("no list `{name}`: expected such as {{\"pack\":[],\"hand\":[\"W1\"],\"winTile\":\"W1\"}}"))),
    }
    };
    let winning = value.get("winTile").filter(|tile| !tile.is_null()).map(tile).transpose()?;
    let concealed = list("hand")?.iter().map(tile).collect::<Result<Vec<_>, _>>()?;
    let hand = Reading {
        concealed: seen(concealed.into_iter().map(Tile::new)),
        sets: list("pack")?.iter().map(set).collect::<Result<_, _>>()?,
        bonus: Vec::new(),
        winning: winning.map(|face| SeenFace::Tile(face.into())),
    };
    let flowers = value.get("flowerCount").and_then(Value::as_u64).unwrap_or(0);
    let notes = (flowers > 0)
        .then(|| format!("{flowers} flowers without names are left out"))
        .into_iter()
        .collect();
    Ok(Converted { value: hand, notes })
}

pub(super) fn print(hand: &Reading) -> Result<Converted<String>, ConvertError> {
    let mut notes: Vec<String> = FORMAT.red_note(hand).into_iter().collect();
    let mut packs = Vec::new();
    for set in &hand.sets {
        let call = Call::try_from(set)?;
        let kind = match call.kind {
            CallKind::Chow => "CHI",
            CallKind::Pung => "PENG",
            _ => "GANG",
        };
        if call.kind == CallKind::AddedKong {
            notes.push(format!("{set}: botzone does not tell an added kong from a claimed one"));
        }
        let offer = offer(set, &call, FORMAT)?.unwrap_or(0) % 4;
        packs.push(json!([kind, sorted(&call).get(1).map(|tile| name(tile.face())), offer]));
    }
    let names = |tiles: &[SeenFace]| -> Result<Vec<String>, ConvertError> {
        Ok(FORMAT.known_tiles(tiles)?.into_iter().map(|tile| name(tile.face())).collect())
    };
    let mut object = json!({ "pack": packs, "hand": names(&hand.concealed)? });
    if let Some(winning) = hand.winning {
        object["winTile"] = names(&[winning])?.into_iter().next().into();
    }
    object["flowerCount"] = hand.bonus.len().into();
    if !hand.bonus.is_empty() {
        notes.push("botzone counts flowers without naming them".to_owned());
    }
    Ok(Converted { value: object.to_string(), notes })
}
