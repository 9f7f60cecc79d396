//! What is unsure or wrong about a hand, and what a person can do about it.

use super::{
    arrange::{Arranged, Look},
    decode::{Answer, Question, Which, otherwise},
    naming::{reading_with, singles_of},
    shown::{Doubt, ShownTile},
};
use crate::{
    hand::{Reading, SetForm},
    tile::{Face, SeenFace},
};

/// Tiles less sure than this are doubts.
const SURE: f32 = 0.97;

/// Why the free reading stands: what it has that no legal hand has.
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
    let why = match too_many {
        Some(face) => format!(
            "{} {face} were seen, more than there are: show one hand alone, or correct a tile",
            counts[face.index()]
        ),
        None if price.is_finite() => {
            "an open set reads as no chow, pung or kong: correct its tiles".to_owned()
        }
        None => "the tiles make no legal hand: correct them, or take another picture".to_owned(),
    };
    Doubt { tile: None, why, otherwise: None }
}

/// Tiles that may be something else, with the hand as it would read then.
pub fn unsure_tiles(
    tiles: &[ShownTile],
    arranged: &Arranged,
    question: &Question,
    answer: &Answer,
    looks: &[Look],
) -> Vec<Doubt> {
    let mut doubts = Vec::new();
    let mut places: Vec<(Which, usize)> = (singles_of(arranged, looks).enumerate())
        .map(|(place, tile)| (Which::Single(place), tile))
        .collect();
    for (s, set) in arranged.sets.iter().enumerate() {
        places.extend(set.tiles.iter().enumerate().map(|(t, &(tile, _))| (Which::Set(s, t), tile)));
    }
    for (which, tile) in places {
        let look = &looks[tile];
        if look.back {
            continue;
        }
        let name = tiles[tile].face;
        let first = Face::from_index(usize::from(look.choices.best().0));
        let bent = matches!(name, SeenFace::Tile(tile) if Some(tile.face()) != first);
        if name == SeenFace::Unknown {
            doubts.push(Doubt {
                tile: Some(tile),
                why: format!("not recognised: say what it is, such as --fix {tile}=5p"),
                otherwise: None,
            });
            continue;
        }
        let clear =
            look.choices.iter().nth(1).is_none_or(|(_, cost)| cost - look.choices.best().1 > 7.0);
        if clear && !bent {
            continue;
        }
        let Some((other, chance)) = otherwise(question, answer, which) else { continue };
        if chance < 1.0 - SURE && !bent {
            continue;
        }
        let other_face = match which {
            Which::Single(place) => other.singles.get(place).copied(),
            Which::Set(s, t) => other.sets[s][t],
        }
        .and_then(|face| Face::from_index(usize::from(face)));
        let why = match (bent, first, other_face) {
            (true, Some(first), _) => {
                format!("looks like {first}, read as {name} so that the hand is legal")
            }
            (_, _, Some(face)) => {
                format!("{name}, or {face} ({:.0} %)", 100.0 * chance)
            }
            _ => format!("{name} is not sure"),
        };
        doubts.push(Doubt {
            tile: Some(tile),
            why,
            otherwise: Some(reading_with(tiles, arranged, &other, looks)),
        });
    }
    doubts
}

/// What the number of tiles, the winning one and kongs leave open.
pub fn shape_doubts(arranged: &Arranged, reading: &Reading, looks: &[Look]) -> Vec<Doubt> {
    let mut doubts = Vec::new();
    let mut say = |why: String| doubts.push(Doubt { tile: None, why, otherwise: None });
    let kongs = reading.sets.iter().filter(|set| set.tiles.len() == 4).count();
    let tiles = reading.concealed.len()
        + usize::from(reading.winning.is_some())
        + reading.sets.iter().map(|set| set.tiles.len()).sum::<usize>();
    match tiles as isize - kongs as isize {
        14 if reading.winning.is_none() => {
            say("no tile is marked as the winning one: name it, such as --winning 5p".to_owned());
        }
        14 => {}
        13 if reading.winning.is_none() => say(
            "13 tiles: the winning one may lie among the discards, name it, such as --winning 5p"
                .to_owned(),
        ),
        size if kongs == 0 => {
            say(format!("{size} tiles: a finished hand has 14, and one more for each kong"));
        }
        _ => say(format!("{tiles} tiles: a finished hand with {kongs} kong(s) has {}", 14 + kongs)),
    }
    for set in &arranged.sets {
        if set.by_count {
            let mut claimed = reading.clone();
            for (set, other) in arranged.sets.iter().zip(&mut claimed.sets) {
                if set.by_count {
                    other.form = SetForm::Claimed;
                }
            }
            doubts.push(Doubt {
                tile: set.tiles.first().map(|tile| tile.0),
                why: "four alike in the row: taken as a concealed kong by the number of tiles, \
                      or claimed (--kongs claimed)"
                    .to_owned(),
                otherwise: Some(claimed),
            });
        }
        if set.tiles.iter().all(|&(tile, _)| looks[tile].back) {
            doubts.push(Doubt {
                tile: set.tiles.first().map(|tile| tile.0),
                why: "four backs: say what they hide, such as --hidden 5p".to_owned(),
                otherwise: None,
            });
        }
    }
    doubts
}

/// Other tiles may be the hand's; `other`: the reading then.
pub fn layout_doubt(other: Option<Reading>) -> Doubt {
    let why = match &other {
        Some(other) => format!("which tiles belong to the hand is not sure: it may be {other}"),
        None => "which tiles belong to the hand is not sure".to_owned(),
    };
    Doubt { tile: None, why, otherwise: other }
}
