//! What is unsure or wrong about a hand, and what a person can do about it.

use super::{
    arrange::{Arranged, Look},
    decode::{Answer, Question, Which, otherwise},
    naming::{reading_with, singles_of},
    scene::Scene,
    shown::{Doubt, Matter, ShownTile},
};
use crate::{
    hand::{Reading, SetForm},
    sight::frame::Frame,
    tile::{Face, SeenFace, Tile},
};

/// Tiles less sure than this are doubts.
const SURE: f32 = 0.97;
/// A tile is clear where its second face costs so many nats more than its first.
const CLEAR: f32 = 7.0;
/// Neighbours between which a tile may be missing share this much of their sides,
const LEVEL: f32 = 0.7;
/// have so many widths between them,
const ROOM: std::ops::Range<f32> = 0.75..1.25;
/// and no other tile there: no nearer to a middle along, and no farther across.
const BETWEEN: [f32; 2] = [0.6, 0.5];

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
    Doubt::of_hand(why)
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
                matter: Matter::Face,
                why: format!("not recognised: say what it is, such as --fix {tile}=5p"),
                otherwise: None,
            });
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
            Which::Single(place) => other.singles.get(place).copied(),
            Which::Set(s, t) => other.sets[s][t],
        }
        .and_then(|face| Face::from_index(usize::from(face)));
        let why = match (bent, first, other_face) {
            (true, Some(first), _) => {
                let whole = answer.legal.as_ref().is_some_and(|legal| legal.finished);
                let whole = if whole { "complete" } else { "legal" };
                format!("{name}, so that the hand is {whole}, or {first}, as it looks")
            }
            (_, _, Some(face)) => format!("{name}, or {face} ({:.0} %)", 100.0 * chance),
            _ => format!("{name} is not sure"),
        };
        let otherwise = Some(reading_with(tiles, arranged, &other, looks));
        doubts.push(Doubt { tile: Some(tile), matter: Matter::Face, why, otherwise });
    }
    doubts
}

/// What the number of tiles, the winning one and kongs leave open.
pub fn shape_doubts(arranged: &Arranged, reading: &Reading, scene: &Scene) -> Vec<Doubt> {
    let (looks, frames) = (&scene.looks, &scene.frames);
    let told = scene.hints.winning.is_some();
    let mut doubts = Vec::new();
    let kongs = reading.sets.iter().filter(|set| set.tiles.len() == 4).count();
    let tiles = reading.concealed.len()
        + usize::from(reading.winning.is_some())
        + reading.sets.iter().map(|set| set.tiles.len()).sum::<usize>();
    let size = tiles - kongs;
    let whole = scene.hints.whole.tiles();
    let winning = |why: String| Doubt { matter: Matter::Winning, ..Doubt::of_hand(why) };
    let marked = reading.winning.is_some();
    match whole as i32 - size as i32 {
        // A person named one that is not there, and that is said.
        0 if marked || told => {}
        0 => doubts.push(winning(
            "no tile is marked as the winning one: name it, such as --winning 5p".to_owned(),
        )),
        1 if !marked => doubts.push(winning(format!(
            "{size} tiles: the winning one may lie among the discards, name it, such as \
             --winning 5p"
        ))),
        _ if kongs == 0 => doubts.push(Doubt::of_hand(format!(
            "{size} tiles: a finished hand has {whole}, and one more for each kong"
        ))),
        _ => doubts.push(Doubt::of_hand(format!(
            "{tiles} tiles: a finished hand with {kongs} {} has {}",
            if kongs == 1 { "kong" } else { "kongs" },
            whole + kongs
        ))),
    }
    if (whole - 3..whole).contains(&size)
        && let Some((left, right)) = room_for_one(arranged, frames)
    {
        let face = |tile: usize| {
            let place = arranged.concealed.iter().position(|&other| other == tile);
            place.and_then(|place| reading.concealed.get(place))
        };
        if let (Some(left), Some(right)) = (face(left), face(right)) {
            doubts.push(Doubt::of_hand(format!(
                "between {left} and {right} is room for one more tile: if one lies there, it was not \
                 seen, take another picture"
            )));
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
        let what = if by_count.len() == 1 { "a concealed kong" } else { "concealed kongs" };
        doubts.push(Doubt {
            tile: Some(first),
            matter: Matter::Kongs,
            why: format!(
                "four alike in the row: taken as {what} by the number of tiles, or claimed \
                 (--kongs claimed)"
            ),
            otherwise: Some(claimed),
        });
    }
    for set in &arranged.sets {
        if set.tiles.iter().all(|&(tile, _)| looks[tile].back) {
            doubts.push(Doubt {
                tile: set.tiles.first().map(|tile| tile.0),
                matter: Matter::Hidden,
                why: "four backs: say what they hide, such as --hidden 5p".to_owned(),
                otherwise: None,
            });
        }
    }
    doubts
}

/// Two concealed tiles, one after the other in a row, between which exactly one more would lie.
fn room_for_one(arranged: &Arranged, frames: &[Frame]) -> Option<(usize, usize)> {
    (arranged.concealed.windows(2)).map(|pair| (pair[0], pair[1])).find(|&(left, right)| {
        let (own, other) = (&frames[left], &frames[right]);
        let (seen, back) = (own.sees(other), other.sees(own));
        let level = seen.beside().min(back.beside()) > LEVEL;
        let room = (seen.gaps()[0] + back.gaps()[0]) / 2.0;
        let taken = |between: &Frame| {
            let [x, y] = own.local(between.centre);
            x.signum() == seen.centre()[0].signum()
                && (BETWEEN[0]..seen.centre()[0].abs() - BETWEEN[0]).contains(&x.abs())
                && y.abs() < BETWEEN[1]
        };
        level && ROOM.contains(&room) && !frames.iter().any(taken)
    })
}

/// A person named a winning tile that is not there.
pub fn no_such_winning(winning: Tile) -> Doubt {
    let why = format!(
        "no {winning} is among the tiles, and none is missing: name the tile that won, such as \
         --winning 5p"
    );
    Doubt { matter: Matter::Winning, ..Doubt::of_hand(why) }
}

/// Other tiles may be the hand's; `other`: the reading then.
pub fn layout_doubt(other: Option<Reading>) -> Doubt {
    let why = match &other {
        Some(other) => format!("which tiles belong to the hand is not sure: it may be {other}"),
        None => "which tiles belong to the hand is not sure".to_owned(),
    };
    Doubt { otherwise: other, ..Doubt::of_hand(why) }
}
