//! Text of the library GB-Mahjong for Chinese official hands: sets in square brackets with their offer, standing
//! tiles of which the 14th wins, then perhaps `|`, round and seat wind and four flags, `|`, flowers `a`-`h`.
//! The offer of a chow gives its claimed tile, that of a pung or kong the giver (1 left, 2
//! opposite, 3 right; 5-7: the fourth tile was added); a kong without one is concealed.

use super::{
    ConvertError, Converted, HandFormat,
    call::{Call, CallKind},
    seen,
};
use crate::{
    hand::{Reading, SeenSet, SetForm, SetTile, write_tiles},
    tile::{Face, SeenFace, Side, Suit, Tile},
};

const FORMAT: HandFormat = HandFormat::Gb;

/// Winds and dragons in the order of our notation.
const HONORS: [char; 7] = ['E', 'S', 'W', 'N', 'P', 'F', 'C'];
/// The flowers `a`-`h` by their number in our notation: bamboo goes before chrysanthemum there.
const FLOWERS: [u8; 8] = [1, 2, 4, 3, 5, 6, 7, 8];

fn flower(letter: char) -> Option<Face> {
    let place = u32::from(letter).checked_sub(u32::from('a'))?;
    Face::new(Suit::Bonus, *FLOWERS.get(usize::try_from(place).ok()?)?)
}

pub(super) fn parse(text: &str) -> Result<Converted<Reading>, ConvertError> {
    let mut parts = text.trim().split('|');
    let mut hand = Reading::default();
    let mut notes = Vec::new();
    standing(parts.next().unwrap_or_default(), &mut hand)?;
    let tiles = hand.concealed.len() + 3 * hand.sets.len();
    if tiles % 3 == 2 {
        hand.winning = hand.concealed.pop();
    }
    if let Some(how) = parts.next() {
        notes.push(format!(
            "`{how}` (winds, self-drawn, last copy, last tile, kong) is not part of a hand"
        ));
    }
    for letter in parts.next().unwrap_or_default().chars().filter(|letter| !letter.is_whitespace())
    {
        match letter.to_digit(10) {
            Some(count @ 0..=8) => {
                let flowers = FLOWERS[..count as usize].iter();
                hand.bonus.extend(seen(
                    flowers.filter_map(|number| Face::new(Suit::Bonus, *number)).map(Tile::new),
                ));
                if count > 0 {
                    notes.push(format!(
                        "{count} flowers without names: the first {count} are taken"
                    ));
                }
            }
            _ => hand.bonus.extend(seen([flower(letter).map(Tile::new).ok_or_else(|| {
                FORMAT.error(format!("`{letter}` is no flower: expected a-h, or how many"))
            })?])),
        }
    }
    if parts.next().is_some() {
        return Err(FORMAT.error("more than two |"));
    }
    Ok(Converted { value: hand, notes })
}

/// Sets and standing tiles.
fn standing(text: &str, hand: &mut Reading) -> Result<(), ConvertError> {
    let mut digits: Vec<u8> = Vec::new();
    // The set being read, and its offer.
    let mut set: Option<(Vec<Tile>, Option<u8>)> = None;
    let mut offer_follows = false;
    for letter in text.chars().filter(|letter| !letter.is_whitespace()) {
        let wrong = || FORMAT.error(format!("`{letter}` where it cannot stand"));
        let mut found: Vec<Tile> = Vec::new();
        match letter {
            '1'..='9' if offer_follows => {
                let (_, offer) = set.as_mut().ok_or_else(wrong)?;
                if offer.replace(letter as u8 - b'0').is_some() {
                    return Err(wrong());
                }
            }
            '1'..='9' => digits.push(letter as u8 - b'0'),
            'm' | 'p' | 's' if !digits.is_empty() && !offer_follows => {
                let suit = Suit::from_letter(letter).ok_or_else(wrong)?;
                found.extend(
                    digits.drain(..).filter_map(|digit| Face::new(suit, digit)).map(Tile::new),
                );
            }
            '[' if set.is_none() && digits.is_empty() => set = Some((Vec::new(), None)),
            ',' if set.is_some() && digits.is_empty() && !offer_follows => offer_follows = true,
            ']' if digits.is_empty() => {
                let (tiles, offer) = set.take().ok_or_else(wrong)?;
                offer_follows = false;
                hand.sets.push(pack(tiles, offer)?);
            }
            'a'..='h' if set.is_none() && digits.is_empty() => {
                hand.bonus.extend(flower(letter).map(|face| SeenFace::Tile(face.into())));
            }
            _ => {
                let place = HONORS.iter().position(|honor| *honor == letter).ok_or_else(wrong)?;
                if offer_follows || !digits.is_empty() {
                    return Err(wrong());
                }
                found.extend(Face::new(Suit::Honors, place as u8 + 1).map(Tile::new));
            }
        }
        match &mut set {
            Some((tiles, _)) => tiles.extend(found),
            None => hand.concealed.extend(seen(found)),
        }
    }
    if set.is_some() {
        return Err(FORMAT.error("a set that is not closed by ]"));
    }
    if !digits.is_empty() {
        return Err(FORMAT.error("no letter m, p or s after the last digits"));
    }
    Ok(())
}

/// A set by its tiles and its offer, as GB-Mahjong and Botzone count them.
pub(super) fn pack(mut tiles: Vec<Tile>, offer: Option<u8>) -> Result<SeenSet, ConvertError> {
    tiles.sort_unstable();
    let form =
        if tiles.len() == 4 && offer.is_none() { SetForm::ConcealedKong } else { SetForm::Claimed };
    let plain = SeenSet {
        tiles: seen(tiles.iter().copied())
            .into_iter()
            .map(|face| SetTile { face, sideways: false })
            .collect(),
        form,
    };
    let call = Call::try_from(&plain)?;
    let Some(offer) = offer else { return Ok(plain) };
    let giver = match offer % 4 {
        1 => Side::Left,
        2 => Side::Opposite,
        3 => Side::Right,
        _ => {
            return Err(FORMAT.error(format!(
                "{plain}: no offer {offer}: expected 1, 2, 3, for an added kong 5, 6, 7"
            )));
        }
    };
    let kind = match (call.kind, offer) {
        (CallKind::Chow, 1..=3) => {
            let claimed = tiles.remove(usize::from(offer - 1));
            return Ok(SeenSet::claimed(Side::Left, SeenFace::Tile(claimed), seen(tiles)));
        }
        (CallKind::Pung, 1..=3) => CallKind::Pung,
        (CallKind::Kong, 1..=3) => CallKind::Kong,
        (CallKind::Kong, 5..=7) => CallKind::AddedKong,
        _ => return Err(FORMAT.error(format!("{plain}: offer {offer} is for an added kong"))),
    };
    Ok(Call { kind, giver: Some(giver), tiles }.seen())
}

/// The offer of a set, and a note where the set shows no giver.
pub(super) fn offer(
    set: &SeenSet,
    call: &Call,
    format: HandFormat,
) -> Result<Option<u8>, ConvertError> {
    let side = |side: Side| match side {
        Side::Left => 1,
        Side::Opposite => 2,
        Side::Right => 3,
    };
    match (call.kind, call.giver) {
        (CallKind::ConcealedKong, _) => Ok(None),
        (CallKind::Chow, Some(_)) => {
            let claimed = call.claimed().map(|place| call.tiles[place].face());
            Ok(sorted(call)
                .iter()
                .position(|tile| Some(tile.face()) == claimed)
                .map(|place| place as u8 + 1))
        }
        (CallKind::AddedKong, Some(giver)) => Ok(Some(side(giver) + 4)),
        (_, Some(giver)) => Ok(Some(side(giver))),
        (CallKind::Chow, None) => Err(format.cannot(format!(
            "{set} does not show which tile was claimed: mark it, such as (2'13m)"
        ))),
        (_, None) => Err(format.cannot(format!(
            "{set} does not show who gave it: mark the claimed tile, such as (7'77z)"
        ))),
    }
}

/// The tiles of a set in order, red fives as plain ones.
pub(super) fn sorted(call: &Call) -> Vec<Tile> {
    let mut tiles: Vec<Tile> = call.tiles.iter().map(|tile| Tile::new(tile.face())).collect();
    tiles.sort_unstable();
    tiles
}

/// Tiles as their faces: digits and a letter of the suit, letters for honors.
fn faces(tiles: impl IntoIterator<Item = Tile>) -> String {
    let mut text = String::new();
    let mut run: Vec<Tile> = Vec::new();
    let close = |run: &mut Vec<Tile>, text: &mut String| {
        let tiles = std::mem::take(run).into_iter();
        // Writing to a string cannot fail.
        let _ = write_tiles(
            text,
            tiles.map(|tile| SetTile { face: SeenFace::Tile(tile), sideways: false }),
        );
    };
    for tile in tiles {
        let face = tile.face();
        match HONORS.get(usize::from(face.number() - 1)).filter(|_| face.is_honor()) {
            Some(honor) => {
                close(&mut run, &mut text);
                text.push(*honor);
            }
            None => run.push(Tile::new(face)),
        }
    }
    close(&mut run, &mut text);
    text
}

pub(super) fn print(hand: &Reading) -> Result<Converted<String>, ConvertError> {
    let mut text = String::new();
    for set in &hand.sets {
        let call = Call::try_from(set)?;
        let offer =
            offer(set, &call, FORMAT)?.map_or_else(String::new, |offer| format!(",{offer}"));
        text += &format!("[{}{offer}]", faces(sorted(&call)));
    }
    text += &faces(FORMAT.known_tiles(&hand.concealed)?);
    let mut notes: Vec<String> = FORMAT.red_note(hand).into_iter().collect();
    text += &faces(FORMAT.known_tiles(hand.winning.as_slice())?);
    let tiles = hand.concealed.len() + 3 * hand.sets.len() + hand.winning.iter().len();
    if hand.winning.is_some() != (tiles % 3 == 2) {
        notes.push("gb takes the last of 14 tiles for the winning one, and knows of no winning one otherwise".to_owned());
    }
    if !hand.bonus.is_empty() {
        text += "|EE0000|";
        notes.push("gb puts winds and flags before the flowers: EE0000 stands there".to_owned());
        for seen in &hand.bonus {
            let number = FORMAT.known(*seen)?.face().number();
            let place = FLOWERS.iter().position(|flower| *flower == number).unwrap_or(0);
            text.push(char::from(b'a' + place as u8));
        }
    }
    Ok(Converted { value: text, notes })
}
