//! The tiles that earn an item, as text.

use super::{
    combining::{Made, sets_of},
    pattern::{EarningTiles, View},
};
use crate::{
    hand::{Meld, MeldKind, SetTile, WonGroup, each_chow, each_face, write_tiles},
    tile::{Face, Seat, SeenFace, Suit, Tile},
};

fn tiles_text(tiles: impl Iterator<Item = Tile> + Clone) -> String {
    let mut text = String::new();
    let tiles = tiles.map(|tile| SetTile { face: SeenFace::Tile(tile), sideways: false });
    // Writing to a string cannot fail.
    let _ = write_tiles(&mut text, tiles);
    text
}

fn faces_text(faces: impl Iterator<Item = Face> + Clone) -> String {
    tiles_text(faces.map(Tile::new))
}

/// All copies of these faces, those put aside too, a red five before the other fives.
fn copies_text(view: &View, faces: u64) -> String {
    let red = view.hand.red_suits();
    let tiles: Vec<Tile> = (each_face(faces))
        .flat_map(|face| {
            (0..view.hand.count(face) + view.aside(face)).map(move |i| {
                let here = i == 0 && face.index() < 27 && red >> (face.index() / 9) & 1 == 1;
                let five = Tile::red_five(face.suit()).filter(|five| here && five.face() == face);
                five.unwrap_or(Tile::new(face))
            })
        })
        .collect();
    tiles_text(tiles.into_iter())
}

/// A group's text, `+` before it where the winning tile completes it.
fn marked(won: bool, text: String) -> String {
    if won { format!("+{text}") } else { text }
}

fn pair_text(view: &View) -> String {
    let won = view.arrangement.won == WonGroup::Pair;
    marked(won, faces_text(std::iter::repeat_n(view.arrangement.pair, 2)))
}

/// The tiles of pungs, a text each: sets laid apart with their marks, four tiles for a kong.
pub(super) fn pung_texts(view: &View, mask: u64) -> Vec<String> {
    each_face(mask)
        .map(|face| {
            let laid = |meld: &Meld| meld.face() == face && meld.kind() != MeldKind::Chow;
            match view.hand.melds().find(laid) {
                Some(meld) => meld.to_string(),
                None => {
                    let won = view.arrangement.won == WonGroup::Pung && face == view.hand.winning();
                    marked(won, faces_text(std::iter::repeat_n(face, 3)))
                }
            }
        })
        .collect()
}

fn chow_texts(view: &View, chows: u64) -> Vec<String> {
    each_chow(chows)
        .flat_map(|(lowest, count)| {
            let tiles = Meld::chow(lowest, None).into_iter().flat_map(Meld::faces);
            let won = view.arrangement.won == WonGroup::Chow(lowest);
            let text = faces_text(tiles);
            (0..count).map(move |i| marked(won && i == 0, text.clone()))
        })
        .collect()
}

/// The sets that a fan was made of.
pub(super) fn made_text(view: &View, made: Made) -> String {
    let (chows, pungs) = sets_of(view, made);
    let mut texts = chow_texts(view, chows);
    texts.extend(pung_texts(view, pungs));
    texts.join(" ")
}

/// The tiles that earn an item; for items listed one by one, the text of each.
pub(super) fn evidence_texts(evidence: EarningTiles, view: &View, whole: &str) -> Vec<String> {
    let hand = view.hand;
    let joined = |texts: Vec<String>| vec![texts.join(" ")];
    match evidence {
        EarningTiles::Whole => vec![whole.to_owned()],
        EarningTiles::Winning => vec![format!("+{}", hand.winning())],
        EarningTiles::Chows(chows) => joined(chow_texts(view, chows(view))),
        EarningTiles::Pungs(pungs) => pung_texts(view, pungs(view)),
        EarningTiles::PungsAndPair(pungs) => {
            let mut texts = pung_texts(view, pungs(view));
            texts.push(pair_text(view));
            joined(texts)
        }
        EarningTiles::Pair => vec![pair_text(view)],
        EarningTiles::Bonus(bonus) => {
            let mask = bonus(view);
            let faces = (0..8).filter(|bit| mask >> bit & 1 == 1);
            let faces: Vec<Face> = faces.filter_map(|bit| Face::from_index(34 + bit)).collect();
            vec![faces_text(faces.into_iter())]
        }
        EarningTiles::Faces(faces) => vec![copies_text(view, faces(view))],
        EarningTiles::EachFace(faces) => {
            each_face(faces(view)).map(|face| copies_text(view, 1 << face.index())).collect()
        }
        EarningTiles::RedFives => {
            let suits = [Suit::Characters, Suit::Dots, Suit::Bamboo].into_iter().enumerate();
            let held = suits.filter(|(i, _)| hand.red_suits() >> i & 1 == 1);
            let tiles: Vec<Tile> = held.filter_map(|(_, suit)| Tile::red_five(suit)).collect();
            vec![tiles_text(tiles.into_iter())]
        }
        EarningTiles::Norths => {
            let north = Seat::North.wind();
            vec![faces_text(std::iter::repeat_n(north, usize::from(view.at.north)))]
        }
    }
}
