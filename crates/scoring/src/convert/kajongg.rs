//! The text with which kajongg writes hands: two letters a tile (`s b c` dots, bamboo, characters with 1-9; `w` with
//! `e s w n`; `d` with `b g r` for white, green, red; `f` and `y` with `e s w n` for flowers and seasons), capitals for
//! concealed ones; sets apart, the other tiles behind `R`, the winning one once more behind `L`.
//! Of kongs `aaaA` was claimed from a discard, `aaaa` is a claimed pung with a tile added, `aAAa` is concealed.

use super::{
    ConvertError, Converted, HandFormat,
    call::{Call, CallKind},
    gb::sorted,
    seen,
};
use crate::{
    hand::Reading,
    tile::{Face, SeenFace, Suit, Tile},
};

const FORMAT: HandFormat = HandFormat::Kajongg;
const WINDS: &str = "eswn";
const DRAGONS: &str = "bgr";

/// A tile, and whether it is written as concealed.
fn tile(text: &str) -> Result<(Face, bool), ConvertError> {
    let mut letters = text.chars();
    let face = match (letters.next(), letters.next(), letters.next()) {
        (Some(group), Some(value), None) => {
            let among = |values: &str, from: u8| {
                values
                    .find(value)
                    .and_then(|place| u8::try_from(place).ok())
                    .map(|place| place + from)
            };
            let number = value.to_digit(10).and_then(|digit| u8::try_from(digit).ok());
            let face = match group.to_ascii_lowercase() {
                's' => number.and_then(|number| Face::new(Suit::Dots, number)),
                'b' => number.and_then(|number| Face::new(Suit::Bamboo, number)),
                'c' => number.and_then(|number| Face::new(Suit::Characters, number)),
                'w' => among(WINDS, 1).and_then(|number| Face::new(Suit::Honors, number)),
                'd' => among(DRAGONS, 5).and_then(|number| Face::new(Suit::Honors, number)),
                'f' => among(WINDS, 1).and_then(|number| Face::new(Suit::Bonus, number)),
                'y' => among(WINDS, 5).and_then(|number| Face::new(Suit::Bonus, number)),
                _ => None,
            };
            face.map(|face| (face, group.is_ascii_uppercase()))
        }
        _ => None,
    };
    face.ok_or_else(|| {
        FORMAT.error(format!(
            "`{text}` is no tile: expected two letters, such as s1, B9, we, Dr or fn"
        ))
    })
}

fn tiles(text: &str) -> Result<Vec<(Face, bool)>, ConvertError> {
    let letters: Vec<char> = text.chars().collect();
    letters.chunks(2).map(|pair| tile(&pair.iter().collect::<String>())).collect()
}

fn name(face: Face, concealed: bool) -> String {
    let pick = |letters: &str, number: u8| letters.chars().nth(usize::from(number)).unwrap_or('?');
    let number = face.number();
    let digit = char::from(b'0' + number);
    let (group, value) = match face.suit() {
        Suit::Dots => ('s', digit),
        Suit::Bamboo => ('b', digit),
        Suit::Characters => ('c', digit),
        Suit::Honors if number <= 4 => ('w', pick(WINDS, number - 1)),
        Suit::Honors => ('d', pick(DRAGONS, number - 5)),
        Suit::Bonus if number <= 4 => ('f', pick(WINDS, number - 1)),
        Suit::Bonus => ('y', pick(WINDS, number - 5)),
    };
    let group = if concealed { group.to_ascii_uppercase() } else { group };
    format!("{group}{value}")
}

pub(super) fn parse(text: &str) -> Result<Converted<Reading>, ConvertError> {
    let mut hand = Reading::default();
    let mut notes = Vec::new();
    let mut last = None;
    for part in text.split_whitespace() {
        match part.chars().next() {
            Some('m') => {
                if part.len() > 1 {
                    notes.push(format!(
                        "`{part}` (where the last tile came from) is not part of a hand"
                    ));
                }
            }
            Some('L') => {
                let tiles = tiles(&part[1..])?;
                let Some((face, _)) = tiles.first() else {
                    return Err(FORMAT.error("L without a tile"));
                };
                if last.replace(*face).is_some() {
                    return Err(FORMAT.error("two winning tiles (L)"));
                }
            }
            Some('R') => {
                hand.concealed
                    .extend(seen(tiles(&part[1..])?.into_iter().map(|(face, _)| Tile::new(face))));
            }
            _ => meld(part, &mut hand)?,
        }
    }
    if let Some(face) = last {
        let winning = SeenFace::Tile(face.into());
        let place = hand.concealed.iter().rposition(|seen| *seen == winning);
        let place = place.ok_or_else(|| {
            FORMAT.error(format!("L names {face}, which is not among the concealed tiles"))
        })?;
        hand.concealed.remove(place);
        hand.winning = Some(winning);
    }
    Ok(Converted { value: hand, notes })
}

/// A set, or tiles of a hand that was laid out: only claimed sets and kongs are apart.
fn meld(part: &str, hand: &mut Reading) -> Result<(), ConvertError> {
    let found = tiles(part)?;
    let case: Vec<bool> = found.iter().map(|(_, concealed)| *concealed).collect();
    let faces = found.iter().map(|(face, _)| Tile::new(*face));
    let kind = match case[..] {
        [false, true, true, false] => CallKind::ConcealedKong,
        [false, false, false, _] => CallKind::Kong,
        [false, false, false] => CallKind::Pung,
        _ if case.len() > 3 => {
            return Err(
                FORMAT.error(format!("`{part}` is no set: a kong is written aaaa, aaaA or aAAa"))
            );
        }
        _ => {
            for tile in faces {
                let to = if tile.face().is_bonus() { &mut hand.bonus } else { &mut hand.concealed };
                to.push(SeenFace::Tile(tile));
            }
            return Ok(());
        }
    };
    let set = Call { kind, giver: None, tiles: faces.collect() }.seen();
    Call::try_from(&set)?;
    hand.sets.push(set);
    Ok(())
}

pub(super) fn print(hand: &Reading) -> Result<Converted<String>, ConvertError> {
    let mut notes: Vec<String> = FORMAT.red_note(hand).into_iter().collect();
    let mut parts = Vec::new();
    let mut givers = false;
    for set in &hand.sets {
        let call = Call::try_from(set)?;
        givers |= call.giver.is_some();
        let case = match call.kind {
            CallKind::ConcealedKong => [false, true, true, false],
            CallKind::Kong => [false, false, false, true],
            _ => [false; 4],
        };
        parts.push(
            sorted(&call).iter().zip(case).map(|(tile, case)| name(tile.face(), case)).collect(),
        );
    }
    if givers {
        notes.push("kajongg does not say who gave a set, nor which tile was claimed".to_owned());
    }
    for bonus in &hand.bonus {
        parts.push(name(FORMAT.known(*bonus)?.face(), false));
    }
    let mut rest = FORMAT.known_tiles(&hand.concealed)?;
    let winning = hand.winning.map(|winning| FORMAT.known_tiles(&[winning])).transpose()?;
    rest.extend(winning.iter().flatten());
    if !rest.is_empty() {
        let rest: String = rest.iter().map(|tile| name(tile.face(), true)).collect();
        parts.push(format!("R{rest}"));
    }
    parts.extend(winning.iter().flatten().map(|tile| format!("L{}", name(tile.face(), true))));
    Ok(Converted { value: parts.join(" "), notes })
}
