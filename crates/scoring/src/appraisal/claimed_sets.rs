//! Sets of which nothing shows whether they were claimed: which they are, and a hand with one of them claimed or not.

use std::{fmt, str::FromStr};

use crate::{
    hand::{Reading, SeenSet, SetForm, SetTile},
    tile::{Face, SeenFace, Suit},
};

/// A set by its tiles: `7z` for a pung or kong, `234m` for a chow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedSet {
    /// A pung or kong of this face.
    Alike(Face),
    /// The chow from this face on.
    Chow(Face),
}

impl NamedSet {
    /// The chow from a face on, where there is one.
    fn chow(first: Face) -> Option<Self> {
        let is_suit = !matches!(first.suit(), Suit::Honors | Suit::Bonus);
        (is_suit && first.number() <= 7).then_some(Self::Chow(first))
    }

    fn of(faces: &[Face]) -> Option<Self> {
        let mut faces = faces.to_vec();
        faces.sort_unstable();
        let first = *faces.first()?;
        let step = faces.get(1).map_or(0, |second| second.index() - first.index());
        let set = match (step, faces.len()) {
            (0, 1 | 3 | 4) => Self::Alike(first),
            (1, 3) => Self::chow(first)?,
            _ => return None,
        };
        let is_next = |pair: &[Face]| pair[1].index() - pair[0].index() == step;
        faces.windows(2).all(is_next).then_some(set)
    }

    /// The set that tiles lying apart make.
    fn of_set(set: &SeenSet) -> Option<Self> {
        let face = |tile: &SetTile| match tile.face {
            SeenFace::Tile(tile) => Some(tile.face()),
            SeenFace::Back | SeenFace::Unknown => None,
        };
        Self::of(&set.tiles.iter().map(face).collect::<Option<Vec<_>>>()?)
    }

    /// The faces of its first three tiles.
    fn faces(self) -> [Option<Face>; 3] {
        match self {
            Self::Alike(face) => [Some(face); 3],
            Self::Chow(first) => [0, 1, 2].map(|more| Face::from_index(first.index() + more)),
        }
    }
}

impl fmt::Display for NamedSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Alike(face) => fmt::Display::fmt(face, f),
            Self::Chow(first) => {
                for face in self.faces().into_iter().flatten() {
                    write!(f, "{}", face.number())?;
                }
                write!(f, "{}", first.suit().letter())
            }
        }
    }
}

/// The text names no set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no set: write 7z for a pung or kong, 234m for a chow")]
pub struct NoSet(String);

impl FromStr for NamedSet {
    type Err = NoSet;

    fn from_str(text: &str) -> Result<Self, NoSet> {
        let no_set = || NoSet(text.to_owned());
        let reading: Reading = text.trim().parse().map_err(|_| no_set())?;
        let tiles = reading.concealed.iter().map(|face| SetTile { face: *face, sideways: false });
        Self::of_set(&SeenSet { tiles: tiles.collect(), form: SetForm::Claimed }).ok_or_else(no_set)
    }
}

/// A set of which nothing shows whether it was claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnmarkedSet {
    /// Its tiles.
    pub set: NamedSet,
    /// The number of its tiles.
    pub count: usize,
    /// Whether it lies apart from the other tiles, as claimed sets do.
    pub apart: bool,
}

/// The sets of a hand of which nothing shows whether they were claimed. A hand of which nothing lies apart may have
/// claimed any that its tiles make.
pub fn unmarked_sets(reading: &Reading) -> Vec<UnmarkedSet> {
    let is_unmarked = |set: &&SeenSet| {
        set.form == SetForm::Claimed && !set.tiles.iter().any(|tile| tile.sideways)
    };
    if reading.sets.iter().any(|set| set.form == SetForm::Claimed) {
        let sets = reading.sets.iter().filter(is_unmarked);
        return sets
            .filter_map(|it| {
                let (set, count) = (NamedSet::of_set(it)?, it.tiles.len());
                Some(UnmarkedSet { set, count, apart: true })
            })
            .collect();
    }
    let faces = || Face::all().take(Face::SET_FACES);
    let sets = faces().map(NamedSet::Alike).chain(faces().filter_map(NamedSet::chow));
    sets.filter(|set| places(reading, *set).is_some())
        .map(|set| UnmarkedSet { set, count: 3, apart: false })
        .collect()
}

/// The places of a set's tiles among the concealed ones.
fn places(reading: &Reading, set: NamedSet) -> Option<Vec<usize>> {
    let mut places: Vec<usize> = Vec::new();
    for face in set.faces() {
        let is_face =
            |seen: &SeenFace| matches!(seen, SeenFace::Tile(tile) if Some(tile.face()) == face);
        let is_next =
            |place: &usize| is_face(&reading.concealed[*place]) && !places.contains(place);
        let next = (0..reading.concealed.len()).find(is_next)?;
        places.push(next);
    }
    Some(places)
}

/// The reading with a set claimed, or concealed.
pub fn with_set(reading: &Reading, set: NamedSet, claimed: bool) -> Reading {
    let mut reading = reading.clone();
    let apart = reading.sets.iter().position(|other| NamedSet::of_set(other) == Some(set));
    match (apart, claimed) {
        (Some(place), false) => {
            if reading.sets[place].tiles.len() == 4 {
                let set = &mut reading.sets[place];
                set.form = SetForm::ConcealedKong;
                set.tiles.iter_mut().for_each(|tile| tile.sideways = false);
            } else {
                let set = reading.sets.remove(place);
                reading.concealed.extend(set.tiles.into_iter().map(|tile| tile.face));
            }
        }
        (Some(place), true) => reading.sets[place].form = SetForm::Claimed,
        (None, true) => {
            if let Some(places) = places(&reading, set) {
                let tiles = places.iter().map(|&place| reading.concealed[place]);
                let tiles = tiles.map(|face| SetTile { face, sideways: false }).collect();
                let mut place = 0..;
                reading.concealed.retain(|_| place.next().is_none_or(|at| !places.contains(&at)));
                reading.sets.push(SeenSet { tiles, form: SetForm::Claimed });
            }
        }
        (None, false) => {}
    }
    reading
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(text: &str) -> Reading {
        text.parse().unwrap()
    }

    #[test]
    fn sets_are_named_by_their_tiles() {
        for (text, named) in [("7z", "7z"), ("777z", "7z"), ("7777z", "7z"), ("423m", "234m")] {
            assert_eq!(text.parse::<NamedSet>().unwrap().to_string(), named);
        }
        for text in ["77z", "123z", "89m1p", "124m", "", "1234s", "x"] {
            assert!(text.parse::<NamedSet>().is_err(), "{text}");
        }
    }

    #[test]
    fn sets_without_a_mark_may_have_been_claimed() {
        let named = |text: &str| -> Vec<String> {
            let all = unmarked_sets(&reading(text)).into_iter();
            all.map(|it| format!("{} {} {}", it.set, it.count, it.apart)).collect()
        };
        assert_eq!(named("11m55z (777z) (5'67m) (345s)"), ["7z 3 true", "345s 3 true"]);
        assert_eq!(named("111m345p 79s1f"), ["1m 3 false", "345p 3 false"]);
        assert_eq!(named("111m [2222z]"), ["1m 3 false"]);
        assert_eq!(
            named("111m (2'22z)"),
            [""; 0],
            "who sets one claimed set apart does so with all"
        );
    }

    #[test]
    fn a_set_is_claimed_or_not() {
        let with = |text: &str, set: &str, claimed| {
            with_set(&reading(text), set.parse().unwrap(), claimed).to_string()
        };
        assert_eq!(with("2344m1z", "234m", true), "4m1z (234m)");
        assert_eq!(with("4m1z (234m)", "234m", false), "4m1z234m");
        assert_eq!(with("1m (7777z)", "7z", false), "1m [7777z]");
        assert_eq!(with("24m1z", "234m", true), "24m1z");
    }
}
