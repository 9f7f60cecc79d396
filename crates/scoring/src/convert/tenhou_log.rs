//! Tiles and calls as in Tenhou's JSON log (the editor at tenhou.net/6): two digits a tile, 11-19 characters,
//! 21-29 dots, 31-39 bamboo, 41-47 honors, 51-53 red fives; a call is a text of its tiles in their order on the table, with a
//! letter before the claimed one: `c` chow, `p` pung, `m` claimed kong, `k` added kong (before the added
//! tile), `a` concealed kong (before the last). The position of the letter gives the giver.

use serde_json::Value;

use super::{
    ConvertError, Converted, HandFormat,
    call::{Call, CallKind},
    seen,
};
use crate::{
    hand::Reading,
    tile::{Face, Side, Suit, Tile},
};

const FORMAT: HandFormat = HandFormat::TenhouLog;

fn tile(code: u64) -> Option<Tile> {
    let suit = *Suit::ALL.get(usize::try_from(code / 10).ok()?.checked_sub(1)?)?;
    match (suit, code % 10) {
        (Suit::Bonus, number) => {
            let red = usize::try_from(number).ok()?.checked_sub(1)?;
            Tile::red_five(*Suit::ALL.get(red)?)
        }
        (suit, number) => Face::new(suit, u8::try_from(number).ok()?).map(Tile::new),
    }
}

pub(super) fn code(tile: Tile) -> u64 {
    let suit =
        Suit::ALL.iter().position(|suit| *suit == tile.face().suit()).unwrap_or(0) as u64 + 1;
    if tile.is_red() { 50 + suit } else { 10 * suit + u64::from(tile.face().number()) }
}

pub(super) fn known(code: u64) -> Result<Tile, ConvertError> {
    tile(code).ok_or_else(|| {
        FORMAT.error(format!(
            "{code} is no tile: expected 11-19, 21-29, 31-39, 41-47, or 51-53 for red fives"
        ))
    })
}

pub(super) fn call(text: &str) -> Result<Call, ConvertError> {
    let wrong = |why: &str| FORMAT.error(format!("`{text}` is no call: {why}"));
    let expected = "expected such as c275226, 4747p47, m39393939, 41k414141 or 424242a42";
    let letters: Vec<(usize, char)> =
        text.char_indices().filter(|(_, letter)| !letter.is_ascii_digit()).collect();
    let [(at, letter)] = letters[..] else { return Err(wrong(expected)) };
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    if !digits.len().is_multiple_of(2) || !at.is_multiple_of(2) {
        return Err(wrong(expected));
    }
    let tiles = (digits.as_bytes().chunks(2))
        .map(|pair| known(pair.iter().fold(0, |code, digit| 10 * code + u64::from(digit - b'0'))))
        .collect::<Result<Vec<Tile>, _>>()?;
    let (kind, size) = match letter {
        'c' => (CallKind::Chow, 3),
        'p' => (CallKind::Pung, 3),
        'm' => (CallKind::Kong, 4),
        'k' => (CallKind::AddedKong, 4),
        'a' => (CallKind::ConcealedKong, 4),
        'r' => return Err(wrong("it is a discard with riichi")),
        _ => return Err(wrong(expected)),
    };
    if tiles.len() != size {
        return Err(wrong(&format!("it has {} tiles instead of {size}", tiles.len())));
    }
    let giver = match (kind, at / 2) {
        (CallKind::ConcealedKong, 3) => None,
        (CallKind::Chow, 0) => Some(Side::Left),
        (CallKind::Chow | CallKind::ConcealedKong, _) => {
            return Err(wrong(
                "the letter of a chow stands first, that of a concealed kong before the last tile",
            ));
        }
        (_, 0) => Some(Side::Left),
        (_, 1) => Some(Side::Opposite),
        (CallKind::Kong, 3) | (CallKind::Pung | CallKind::AddedKong, 2) => Some(Side::Right),
        _ => return Err(wrong("no player sits where its letter stands")),
    };
    let call = Call { kind, giver, tiles };
    if Call::try_from(&call.seen())?.kind != kind {
        return Err(wrong("its tiles make another kind of set"));
    }
    Ok(call)
}

pub(super) fn parse(text: &str) -> Result<Converted<Reading>, ConvertError> {
    let text = text.trim();
    let mut hand = Reading::default();
    let mut add = |item: &str| -> Result<(), ConvertError> {
        match item.parse::<u64>() {
            Ok(code) => hand.concealed.extend(seen([known(code)?])),
            Err(_) => hand.sets.push(call(item)?.seen()),
        }
        Ok(())
    };
    if text.starts_with('[') {
        let items: Vec<Value> =
            serde_json::from_str(text).map_err(|error| FORMAT.error(error.to_string()))?;
        for item in items {
            match &item {
                Value::String(text) => add(text)?,
                Value::Number(_) => add(&item.to_string())?,
                _ => return Err(FORMAT.error(format!("{item} is neither a tile nor a call"))),
            }
        }
    } else {
        for item in text.split(|letter: char| letter.is_whitespace() || letter == ',') {
            if !item.is_empty() {
                add(item.trim_matches('"'))?;
            }
        }
    }
    Ok(hand.into())
}

/// A call as text; `None` where it does not show the giver.
pub(super) fn call_text(call: &Call) -> Option<String> {
    let letter = match call.kind {
        CallKind::Chow => 'c',
        CallKind::Pung => 'p',
        CallKind::Kong => 'm',
        CallKind::AddedKong => 'k',
        CallKind::ConcealedKong => 'a',
    };
    let place = match call.kind {
        CallKind::ConcealedKong => 3,
        _ => call.added().or(call.claimed())?,
    };
    let text = (call.tiles.iter().enumerate()).map(|(at, tile)| {
        let code = code(*tile);
        if at == place { format!("{letter}{code}") } else { code.to_string() }
    });
    Some(text.collect())
}

pub(super) fn print(hand: &Reading) -> Result<Converted<String>, ConvertError> {
    FORMAT.no_bonus(hand)?;
    let mut items: Vec<Value> =
        FORMAT.known_tiles(&hand.concealed)?.into_iter().map(|tile| code(tile).into()).collect();
    let mut notes = Vec::new();
    if let Some(winning) = hand.winning {
        items.extend(
            FORMAT.known_tiles(&[winning])?.into_iter().map(|tile| Value::from(code(tile))),
        );
        notes.push(
            "tenhou-log does not mark the winning tile: it is the last of the tiles".to_owned(),
        );
    }
    for set in &hand.sets {
        let text = call_text(&Call::try_from(set)?).ok_or_else(|| {
            FORMAT.cannot(format!(
                "{set} does not show which tile was claimed from whom: mark it, such as (7'77z)"
            ))
        })?;
        items.push(text.into());
    }
    Ok(Converted { value: Value::from(items).to_string(), notes })
}
