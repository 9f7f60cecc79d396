//! Doubts about a hand that was read. Front ends say in their own words how to resolve them.

use std::fmt;

use crate::{
    hand::Reading,
    points::Points,
    tile::{Face, SeenFace, Tile},
    words::{Say, say},
};

/// An unsure or wrong part of a reading.
#[derive(Clone, Debug, PartialEq)]
pub struct Doubt {
    /// The tile in doubt, by index in [`PictureLayout::tiles`](super::PictureLayout::tiles).
    pub tile: Option<usize>,
    /// The reason for the doubt.
    pub why: Uncertainty,
    /// The alternative reading of the hand.
    pub otherwise: Option<Reading>,
    /// The effect of the alternative on the score, where it was computed.
    pub effect: Option<Effect>,
}

impl Doubt {
    /// A doubt about the hand as a whole, without another reading.
    #[must_use]
    pub const fn of_hand(why: Uncertainty) -> Self {
        Self { tile: None, why, otherwise: None, effect: None }
    }

    /// A doubt about one tile, without another reading.
    #[must_use]
    pub const fn of_tile(tile: usize, why: Uncertainty) -> Self {
        Self { tile: Some(tile), why, otherwise: None, effect: None }
    }
}

/// Why a hand, or a tile of it, is unsure or wrong.
#[derive(Clone, Debug, PartialEq)]
pub enum Uncertainty {
    /// More tiles of a face than there are in a set of tiles.
    TooMany {
        /// The number of tiles seen.
        count: usize,
        /// Their face.
        face: Face,
    },
    /// An open set that is not a chow, pung or kong.
    BrokenSet,
    /// Tiles that cannot be a legal hand.
    NoLegalHand,
    /// Too many unclear tiles to weigh every hand.
    TooUnclear,
    /// A tile that was not recognised.
    UnknownFace,
    /// A tile that was classified so that the hand is legal, and looks like another.
    Bent {
        /// The face in the reading.
        taken: SeenFace,
        /// The face that it looks like.
        looks: Face,
        /// Whether the hand is complete with it, or only legal.
        complete: bool,
    },
    /// A tile that may be another.
    OtherFace {
        /// The face in the reading.
        taken: SeenFace,
        /// The alternative face.
        other: Option<Face>,
        /// The other's probability, 0-1.
        chance: f32,
    },
    /// A standing tile that may be another, seen by a player's own camera.
    StandingTile {
        /// The face in the reading.
        taken: SeenFace,
        /// The alternative face.
        other: Face,
    },
    /// A whole hand without a mark on the winning tile.
    WinningUnmarked,
    /// A hand that lacks one tile: the winning one may be a discard.
    WinningElsewhere {
        /// The number of its tiles, a kong counting as three.
        tiles: usize,
    },
    /// A winning tile that was given and is not there.
    NoSuchWinning(Tile),
    /// A number of tiles that no finished hand has.
    WrongCount {
        /// The number seen.
        tiles: usize,
        /// The kongs among them.
        kongs: usize,
        /// The number that a finished hand with these kongs has.
        whole: usize,
    },
    /// Room for one more tile between two of a row.
    Gap {
        /// The tile on its left.
        left: SeenFace,
        /// The tile on its right.
        right: SeenFace,
    },
    /// Four alike in the row, taken for concealed kongs by the number of tiles.
    KongsByCount {
        /// How many such kongs there are.
        kongs: usize,
    },
    /// A concealed kong of four backs.
    FourBacks,
    /// Other tiles may be the hand's.
    OtherLayout(Option<Reading>),
    /// A tile beside the hand that may be a flower or season of it.
    StrayBonus {
        /// The face that it looks like, if known.
        looks: Option<Tile>,
        /// The flower or season.
        bonus: Face,
    },
    /// Dora indicators in the wall that were not given.
    UnnamedIndicators(String),
    /// A discard on its side: riichi may have been declared.
    RiichiUnsaid,
}

impl Uncertainty {
    /// Whether it is about which tile won.
    pub const fn is_of_winning(&self) -> bool {
        matches!(
            self,
            Self::WinningUnmarked | Self::WinningElsewhere { .. } | Self::NoSuchWinning(_)
        )
    }

    /// Whether it is about which tiles are the hand's, their number, or that they make no legal hand.
    pub const fn is_of_hand(&self) -> bool {
        matches!(
            self,
            Self::TooMany { .. }
                | Self::BrokenSet
                | Self::NoLegalHand
                | Self::TooUnclear
                | Self::WrongCount { .. }
                | Self::Gap { .. }
                | Self::OtherLayout(_)
        )
    }

    /// The doubt, without the cure where that depends on the front end.
    pub fn sentence(&self) -> Say {
        match self {
            Self::TooMany { count, face } => say!(
                "{count} {face} were seen, more than there are: show one hand alone, or correct a tile",
                count,
                face = Say::tiles(face)
            ),
            Self::BrokenSet => {
                say!("an open set reads as no chow, pung or kong: correct its tiles")
            }
            Self::NoLegalHand => {
                say!("the tiles make no legal hand: correct them, or take another picture")
            }
            Self::TooUnclear => {
                say!("too many tiles are unclear to weigh every hand: take a sharper picture")
            }
            Self::UnknownFace => say!("not recognised"),
            Self::Bent { taken, looks, complete } => bent(taken, looks, *complete),
            Self::OtherFace { taken, other, chance } => other_face(taken, other.as_ref(), *chance),
            Self::StandingTile { taken, other } => {
                let (taken, other) = (Say::tiles(taken), Say::tiles(other));
                say!("of the standing tiles {taken} may be {other}", taken, other)
            }
            Self::WinningUnmarked => say!("no tile is marked as the winning one"),
            Self::WinningElsewhere { tiles } => {
                say!("{tiles} tiles: the winning one may lie among the discards", tiles)
            }
            Self::NoSuchWinning(tile) => say!(
                "no {tile} is among the tiles, and one tile more is not missing",
                tile = Say::tiles(tile)
            ),
            Self::WrongCount { tiles, kongs, whole } => wrong_count(*tiles, *kongs, *whole),
            Self::Gap { left, right } => say!(
                "between {left} and {right} is room for one more tile: if one lies there, it was not seen, take another picture",
                left = Say::tiles(left),
                right = Say::tiles(right)
            ),
            Self::KongsByCount { kongs: 1 } => {
                say!(
                    "four alike in the row: by the number of tiles a concealed kong, or a claimed one"
                )
            }
            Self::KongsByCount { .. } => {
                say!(
                    "four alike in the row: by the number of tiles concealed kongs, or claimed ones"
                )
            }
            Self::FourBacks => say!("four backs: what they hide is not known"),
            Self::OtherLayout(Some(hand)) => say!(
                "which tiles belong to the hand is not sure: it may be {hand}",
                hand = Say::tiles(hand)
            ),
            Self::OtherLayout(None) => {
                say!("which tiles belong to the hand is not sure")
            }
            Self::StrayBonus { looks: Some(looks), bonus } => say!(
                "a tile beside the hand may be {looks}, or a flower or season of the hand, such as {bonus}",
                looks = Say::tiles(looks),
                bonus = Say::tiles(bonus)
            ),
            Self::StrayBonus { looks: None, bonus } => say!(
                "a tile beside the hand may be a flower or season of it, such as {bonus}",
                bonus = Say::tiles(bonus)
            ),
            Self::UnnamedIndicators(tiles) => say!(
                "{tiles} lies face up in the wall: a dora indicator, and it is not counted yet",
                tiles = Say::tiles(tiles)
            ),
            Self::RiichiUnsaid => {
                say!("one of this player's discards lies sideways: say whether riichi was declared")
            }
        }
    }
}

fn bent(taken: &SeenFace, looks: &Face, complete: bool) -> Say {
    let (taken, looks) = (Say::tiles(taken), Say::tiles(looks));
    if complete {
        say!("{taken}, so that the hand is complete, or {looks}, as it looks", taken, looks)
    } else {
        say!("{taken}, so that the hand is legal, or {looks}, as it looks", taken, looks)
    }
}

fn other_face(taken: &SeenFace, other: Option<&Face>, chance: f32) -> Say {
    let taken = Say::tiles(taken);
    let Some(other) = other else { return say!("{taken} is not sure", taken) };
    let percent = format!("{:.0}", 100.0 * chance);
    say!("{taken}, or {other} ({percent} %)", taken, other = Say::tiles(other), percent)
}

fn wrong_count(tiles: usize, kongs: usize, whole: usize) -> Say {
    match kongs {
        0 => say!(
            "{tiles} tiles: a finished hand has {whole}, and one more for each kong",
            tiles,
            whole
        ),
        1 => say!("{tiles} tiles: a finished hand with 1 kong has {whole}", tiles, whole),
        _ => say!(
            "{tiles} tiles: a finished hand with {kongs} kongs has {whole}",
            tiles,
            kongs,
            whole
        ),
    }
}

impl fmt::Display for Uncertainty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence().english())
    }
}

/// The effect of another reading, or of another winning tile, on the score.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Another score.
    Score(Points),
    /// The hand does not win then.
    NoWin,
    /// The hand has no score then.
    NoScore,
    /// The same score.
    Same,
    /// It does not win, and would not win then.
    NoWinEither,
    /// The same score, whichever tile won.
    SameForAny,
    /// The score by the tile that won.
    ByWinning(Vec<(Tile, Points)>),
}

impl Effect {
    /// The effect, as the end of a doubt's sentence.
    pub fn sentence(&self) -> Say {
        match self {
            Self::Score(points) => say!("then the score is {points}", points = points.mixed()),
            Self::NoWin => say!("then it does not win"),
            Self::NoScore => say!("then there is no score"),
            Self::Same => say!("the score stays the same"),
            Self::NoWinEither => say!("it does not win either way"),
            Self::SameForAny => say!("the score is the same for any"),
            Self::ByWinning(scores) => {
                let score = |(tile, points): &(Tile, Points)| {
                    say!("{tile} {points}", tile = Say::tiles(tile), points = points.mixed())
                };
                let some = scores.iter().map(score);
                let scores = some.reduce(|some, one| say!("{some}, {one}", some, one));
                let scores = scores.unwrap_or_else(|| Say::from(""));
                say!("score by the winning tile: {scores}", scores)
            }
        }
    }
}

/// Why a picture shows no hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unread {
    /// There are no tiles in it.
    NoTiles,
    /// No row of face-up tiles is in it.
    NoRow,
    /// Two hands lie in it, and either may be meant.
    TwoHands,
    /// The player's hand stands, or is hidden.
    Standing,
}

impl Unread {
    /// Why, and what to do about it.
    pub fn sentence(self) -> Say {
        match self {
            Self::NoTiles => {
                say!("no tiles in the picture: lay the whole hand face up, and go near enough")
            }
            Self::NoRow => {
                say!("no hand in the picture: no row of face-up tiles lies together")
            }
            Self::TwoHands => {
                say!("two hands that cannot be told apart: take the picture of one of them alone")
            }
            Self::Standing => {
                say!("this player's hand is not seen: it stands, or is hidden")
            }
        }
    }
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence().english())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_blank_is_filled() {
        let (taken, face) = (SeenFace::Tile("5p".parse().unwrap()), Face::all().next().unwrap());
        let tile: Tile = "5p".parse().unwrap();
        let all = [
            Uncertainty::TooMany { count: 5, face },
            Uncertainty::BrokenSet,
            Uncertainty::NoLegalHand,
            Uncertainty::TooUnclear,
            Uncertainty::UnknownFace,
            Uncertainty::Bent { taken, looks: face, complete: true },
            Uncertainty::Bent { taken, looks: face, complete: false },
            Uncertainty::OtherFace { taken, other: Some(face), chance: 0.12 },
            Uncertainty::OtherFace { taken, other: None, chance: 0.12 },
            Uncertainty::StandingTile { taken, other: face },
            Uncertainty::WinningUnmarked,
            Uncertainty::WinningElsewhere { tiles: 13 },
            Uncertainty::NoSuchWinning(tile),
            Uncertainty::WrongCount { tiles: 12, kongs: 0, whole: 14 },
            Uncertainty::WrongCount { tiles: 12, kongs: 1, whole: 15 },
            Uncertainty::WrongCount { tiles: 12, kongs: 2, whole: 16 },
            Uncertainty::Gap { left: taken, right: taken },
            Uncertainty::KongsByCount { kongs: 1 },
            Uncertainty::KongsByCount { kongs: 2 },
            Uncertainty::FourBacks,
            Uncertainty::OtherLayout(Some(Reading::default())),
            Uncertainty::OtherLayout(None),
            Uncertainty::StrayBonus { looks: Some(tile), bonus: face },
            Uncertainty::StrayBonus { looks: None, bonus: face },
            Uncertainty::UnnamedIndicators("4p".to_owned()),
            Uncertainty::RiichiUnsaid,
        ];
        let points = Points::whole(3);
        let effects = [Effect::Score(points), Effect::ByWinning(vec![(tile, points)])];
        let sentences =
            all.iter().map(Uncertainty::sentence).chain(effects.iter().map(Effect::sentence));
        for sentence in sentences {
            let Say::Words(text, values) = &sentence else { panic!("{sentence:?}") };
            assert_eq!(text.matches('{').count(), values.len(), "{sentence:?}");
            for (name, _) in values {
                assert!(text.contains(&format!("{{{name}}}")), "{sentence:?}");
            }
        }
        assert_eq!(all[7].to_string(), "5p, or 1m (12 %)");
    }
}
