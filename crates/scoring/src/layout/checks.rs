//! Checks a hand that was read for unsure and wrong tiles.

use super::{
    arrange::{ArrangedHand, TileAppearance},
    decode::{DecodedHand, Question, QuestionTile, otherwise},
    doubt::{Doubt, Uncertainty},
    naming::{reading_with, singles_of},
    scene::Scene,
    shown::{Opened, ShownTile},
};
use crate::{
    hand::{Reading, SetForm},
    sight::frame::TileFrame,
    tile::{Face, SeenFace},
};

/// Tiles with a lower probability than this are doubts.
const SURE: f32 = 0.97;
/// Least difference in cost, in nats, between the second and the first face of a clear tile.
const CLEAR: f32 = 7.0;
/// Least share of their sides that two neighbours have in common if a tile may be missing between them.
const LEVEL: f32 = 0.7;
/// Free space, in widths, between neighbours where a tile may be missing.
const ROOM: std::ops::Range<f32> = 0.75..1.25;
/// Largest distances, along and across, from the middle of a gap to a tile that fills it.
const BETWEEN: [f32; 2] = [0.6, 0.5];

/// Why the free reading is kept: the fault that no legal hand has.
pub fn illegal(reading: &Reading, price: f32) -> Doubt {
    let mut counts = [0usize; Face::COUNT];
    let tiles = (reading.concealed.iter())
        .chain(reading.sets.iter().flat_map(|set| set.tiles.iter().map(|tile| &tile.face)))
        .chain(&reading.bonus)
        .chain(&reading.winning);
    for seen in tiles {
        if let SeenFace::Tile(tile) = seen {
            counts[tile.face().index()] += 1;
        }
    }
    let too_many =
        Face::all().find(|face| counts[face.index()] > if face.is_bonus() { 1 } else { 4 });
    Doubt::of_hand(match too_many {
        Some(face) => Uncertainty::TooMany { count: counts[face.index()], face },
        None if price.is_finite() => Uncertainty::BrokenSet,
        None => Uncertainty::NoLegalHand,
    })
}

/// Tiles that may have another face, with the hand as it would read then.
pub fn unsure_tiles(
    tiles: &[ShownTile],
    arranged: &ArrangedHand,
    question: &Question,
    answer: &DecodedHand,
    appearances: &[TileAppearance],
) -> Vec<Doubt> {
    let mut doubts = Vec::new();
    let mut places: Vec<(QuestionTile, usize)> = (singles_of(arranged, appearances).enumerate())
        .map(|(place, tile)| (QuestionTile::Single(place), tile))
        .collect();
    for (s, set) in arranged.sets.iter().enumerate() {
        places.extend(
            set.tiles.iter().enumerate().map(|(t, &(tile, _))| (QuestionTile::Set(s, t), tile)),
        );
    }
    for (which, tile) in places {
        let look = &appearances[tile];
        if look.back {
            continue;
        }
        let name = tiles[tile].face;
        let first = Face::from_index(usize::from(look.choices.best().0));
        let bent = matches!(name, SeenFace::Tile(tile) if Some(tile.face()) != first);
        if name == SeenFace::Unknown {
            doubts.push(Doubt::of_tile(tile, Uncertainty::UnknownFace));
            continue;
        }
        let clear =
            look.choices.iter().nth(1).is_none_or(|(_, cost)| cost - look.choices.best().1 > CLEAR);
        if clear && !bent {
            continue;
        }
        let Some((other, chance)) = otherwise(question, answer, which) else { continue };
        if chance < 1.0 - SURE && !bent {
            continue;
        }
        let other_face = match which {
            QuestionTile::Single(place) => other.singles.get(place).copied(),
            QuestionTile::Set(s, t) => other.sets[s][t],
        }
        .and_then(|face| Face::from_index(usize::from(face)));
        let why = match (bent, first) {
            (true, Some(looks)) => {
                let complete = answer.legal.as_ref().is_some_and(|legal| legal.finished);
                Uncertainty::Bent { taken: name, looks, complete }
            }
            _ => Uncertainty::OtherFace { taken: name, other: other_face, chance },
        };
        let otherwise = Some(reading_with(tiles, arranged, &other, appearances));
        doubts.push(Doubt { otherwise, ..Doubt::of_tile(tile, why) });
    }
    doubts
}

/// Doubts about the number of tiles, the winning one and kongs.
pub fn shape_doubts(arranged: &ArrangedHand, reading: &Reading, scene: &Scene) -> Vec<Doubt> {
    let (appearances, frames) = (&scene.appearances, &scene.frames);
    let given = scene.hints.winning.is_some();
    let lost = scene.hints.opened == Opened::Lost;
    let mut doubts = Vec::new();
    let kongs = reading.sets.iter().filter(|set| set.tiles.len() == 4).count();
    let tiles = reading.concealed.len()
        + usize::from(reading.winning.is_some())
        + reading.sets.iter().map(|set| set.tiles.len()).sum::<usize>();
    let size = tiles - kongs;
    let whole = scene.hints.tiles();
    let marked = reading.winning.is_some();
    let why = match whole as i32 - size as i32 {
        0 if lost => None,
        // The given winning tile is not there, which is a doubt of its own.
        0 if marked || given => None,
        0 => Some(Uncertainty::WinningUnmarked),
        1 if !marked && !lost => Some(Uncertainty::WinningElsewhere { tiles: size }),
        _ => Some(Uncertainty::WrongCount { tiles, kongs, whole: whole + kongs }),
    };
    doubts.extend(why.map(Doubt::of_hand));
    if (whole.saturating_sub(3)..whole).contains(&size)
        && let Some((left, right)) = room_for_one(arranged, frames)
    {
        let face = |tile: usize| {
            let place = arranged.concealed.iter().position(|&other| other == tile);
            place.and_then(|place| reading.concealed.get(place))
        };
        if let (Some(left), Some(right)) = (face(left), face(right)) {
            doubts.push(Doubt::of_hand(Uncertainty::Gap { left: *left, right: *right }));
        }
    }
    let by_count: Vec<usize> = (arranged.sets.iter().filter(|set| set.by_count))
        .filter_map(|set| set.tiles.first().map(|tile| tile.0))
        .collect();
    if let Some(&first) = by_count.first() {
        let mut claimed = reading.clone();
        for (set, other) in arranged.sets.iter().zip(&mut claimed.sets) {
            if set.by_count {
                other.form = SetForm::Claimed;
            }
        }
        let why = Uncertainty::KongsByCount { kongs: by_count.len() };
        doubts.push(Doubt { otherwise: Some(claimed), ..Doubt::of_tile(first, why) });
    }
    for set in &arranged.sets {
        if let Some(&(first, _)) = set.tiles.first()
            && set.tiles.iter().all(|&(tile, _)| appearances[tile].back)
        {
            doubts.push(Doubt::of_tile(first, Uncertainty::FourBacks));
        }
    }
    doubts
}

/// Two concealed tiles, one after the other in a row, between which exactly one more would lie.
fn room_for_one(arranged: &ArrangedHand, frames: &[TileFrame]) -> Option<(usize, usize)> {
    (arranged.concealed.windows(2)).map(|pair| (pair[0], pair[1])).find(|&(left, right)| {
        let (own, other) = (&frames[left], &frames[right]);
        let (seen, back) = (own.sees(other), other.sees(own));
        let level = seen.beside().min(back.beside()) > LEVEL;
        let room = (seen.gaps()[0] + back.gaps()[0]) / 2.0;
        let taken = |between: &TileFrame| {
            let [x, y] = own.local(between.centre);
            x.signum() == seen.centre()[0].signum()
                && (BETWEEN[0]..seen.centre()[0].abs() - BETWEEN[0]).contains(&x.abs())
                && y.abs() < BETWEEN[1]
        };
        level && ROOM.contains(&room) && !frames.iter().any(taken)
    })
}

/// Other tiles may be the hand's; `other`: the reading then.
pub fn layout_doubt(other: Option<Reading>) -> Doubt {
    let why = Uncertainty::OtherLayout(other.clone());
    Doubt { otherwise: other, ..Doubt::of_hand(why) }
}
