//! Whether a discard may be won on, and whether it is safe: compares the discards on the table with the
//! rule set's `[session.discards]`.
//!
//! Where the discards are not known, the answer is a question, never a guess.

use schemars::JsonSchema;
use serde::Serialize;

use super::{TableError, TileWas, WinBy};
use crate::{
    rules::{DiscardRules, Repeated},
    tile::{Face, SeenFace, Tile},
};

/// The discards of a deal, as far as they are known. Players by their place in the list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Discards {
    /// Nothing is known.
    #[default]
    Unknown,
    /// Every discard in the order of play, claimed ones too.
    Order(Vec<(usize, Face)>),
    /// The row of discards before each player, and the tiles that others have claimed from him.
    Rows {
        /// Each player's remaining discards in their order.
        rows: Vec<Vec<Face>>,
        /// Each player's claimed discards, in no known order.
        claimed: Vec<Vec<Face>>,
    },
}

/// The ruling on a winning tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It may be won on.
    Free,
    /// It may be won on, and is safe.
    Safe,
    /// It may not be won on.
    Forbidden(TileWas),
}

/// A question to the people at the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Has the winner discarded this tile, or has anyone since his last turn?
    OwnOrPassed,
    /// Has anyone discarded this tile since the winner's last turn? He himself has not.
    Passed,
    /// The last discard that was entered is not the tile that was won on.
    LastIsAnother,
}

/// A tile that was won on.
#[derive(Clone, Copy, Debug)]
pub struct WonTile {
    /// The tile.
    pub tile: Face,
    /// The winner.
    pub winner: usize,
    /// The player who gave it.
    pub from: usize,
    /// Discarded, or robbed from a kong.
    pub by: WinBy,
}

impl Discards {
    /// The earlier discards of the tile that was won on. `order`: the players in the
    /// order of play, the dealer first.
    ///
    /// # Errors
    /// The question that has to be asked.
    pub fn history(&self, won: WonTile, order: &[usize]) -> Result<TileWas, Question> {
        match self {
            Self::Unknown => Err(Question::OwnOrPassed),
            Self::Order(all) => in_order(all, won),
            Self::Rows { rows, claimed } => in_rows(rows, claimed, won, order),
        }
    }
}

fn in_order(all: &[(usize, Face)], won: WonTile) -> Result<TileWas, Question> {
    let before = match (won.by, all.split_last()) {
        (WinBy::Discard, Some((last, before))) if *last == (won.from, won.tile) => before,
        (WinBy::Discard, Some(_)) => return Err(Question::LastIsAnother),
        (WinBy::Discard, None) => return Err(Question::OwnOrPassed),
        _ => all,
    };
    Ok(since_last_turn(before, won))
}

/// Judges a tile by the discards since the winner's last turn. `before`: every discard but the one won on.
fn since_last_turn(before: &[(usize, Face)], won: WonTile) -> TileWas {
    if before.contains(&(won.winner, won.tile)) {
        return TileWas::Own;
    }
    let last_turn = before.iter().rposition(|(player, _)| *player == won.winner);
    let since = &before[last_turn.map_or(0, |place| place + 1)..];
    let passed = since.iter().any(|(_, tile)| *tile == won.tile);
    if passed { TileWas::Passed } else { TileWas::Fresh }
}

fn in_rows(
    rows: &[Vec<Face>],
    claimed: &[Vec<Face>],
    won: WonTile,
    order: &[usize],
) -> Result<TileWas, Question> {
    let none = Vec::new();
    let row = |player: usize| rows.get(player).unwrap_or(&none);
    if [rows, claimed].iter().any(|of| of.get(won.winner).is_some_and(|r| r.contains(&won.tile))) {
        return Ok(TileWas::Own);
    }
    if claimed.iter().all(Vec::is_empty)
        && let Some(all) = interleaved(rows, order)
    {
        let before = match all.split_last() {
            Some((last, before)) if won.by == WinBy::Discard && *last == (won.from, won.tile) => {
                before
            }
            _ => &all,
        };
        return Ok(since_last_turn(before, won));
    }
    // The winning discard itself is last in the row of the player who threw it, or with the winner.
    let own = won.by == WinBy::Discard && row(won.from).last() == Some(&won.tile);
    let copies: usize = (rows.iter().chain(claimed))
        .map(|row| row.iter().filter(|tile| **tile == won.tile).count())
        .sum();
    if copies > usize::from(own) { Err(Question::Passed) } else { Ok(TileWas::Fresh) }
}

/// The order of the discards where nobody has claimed anything and turns went round. `None` where the
/// lengths of the rows contradict that.
fn interleaved(rows: &[Vec<Face>], order: &[usize]) -> Option<Vec<(usize, Face)>> {
    let all: usize = rows.iter().map(Vec::len).sum();
    (0..all)
        .map(|turn| {
            let player = order[turn % order.len()];
            Some((player, *rows.get(player)?.get(turn / order.len())?))
        })
        .collect()
}

/// The rules' verdict on a tile with that history. Only discards are safe; a robbed tile falls
/// under the prohibitions like any claimed one.
pub fn verdict(rules: DiscardRules, was: TileWas, by: WinBy) -> Verdict {
    let repeated = match was {
        TileWas::Fresh => Repeated::Free,
        TileWas::Own => rules.own,
        TileWas::Passed => rules.passed,
    };
    match (repeated, by) {
        (_, WinBy::SelfDraw) | (Repeated::Free, _) | (Repeated::Safe, WinBy::RobKong) => {
            Verdict::Free
        }
        (Repeated::Safe, WinBy::Discard) => Verdict::Safe,
        (Repeated::NoWin, _) => Verdict::Forbidden(was),
    }
}

/// A tile's face.
pub(super) fn face(text: &str) -> Result<Face, TableError> {
    let tile: Tile = text.parse().map_err(|_| TableError::Tile(text.to_owned()))?;
    Ok(tile.face())
}

/// Hand text as faces: `5p1m9m`.
pub(super) fn faces(text: &str) -> Result<Vec<Face>, TableError> {
    let wrong = || TableError::Tile(text.to_owned());
    let reading: crate::hand::Reading = text.parse().map_err(|_| wrong())?;
    if !reading.sets.is_empty() || !reading.bonus.is_empty() || reading.winning.is_some() {
        return Err(wrong());
    }
    let face = |seen: &SeenFace| match seen {
        SeenFace::Tile(tile) => Ok(tile.face()),
        SeenFace::Back | SeenFace::Unknown => Err(wrong()),
    };
    reading.concealed.iter().map(face).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_WIN: DiscardRules = DiscardRules { own: Repeated::NoWin, passed: Repeated::NoWin };
    const SAFE: DiscardRules = DiscardRules { own: Repeated::Safe, passed: Repeated::Safe };

    fn face(text: &str) -> Face {
        text.parse().unwrap()
    }

    fn order(text: &str) -> Discards {
        let one = |word: &str| (word[..1].parse().unwrap(), face(&word[1..]));
        Discards::Order(text.split_whitespace().map(one).collect())
    }

    fn rows(text: [&str; 4], claimed: [&str; 4]) -> Discards {
        let tiles = |row: &str| row.split_whitespace().map(face).collect();
        Discards::Rows {
            rows: text.map(tiles).into_iter().collect(),
            claimed: claimed.map(tiles).into_iter().collect(),
        }
    }

    /// Player 2 wins on a 5p of player 1's.
    const WON: WonTile =
        WonTile { tile: Face::from_index(13).unwrap(), winner: 2, from: 1, by: WinBy::Discard };
    const SEATS: [usize; 4] = [0, 1, 2, 3];

    #[test]
    fn one_is_the_face_that_is_meant() {
        assert_eq!(WON.tile, face("5p"));
    }

    #[test]
    fn own_discards_count_for_the_whole_deal_and_others_since_the_last_turn() {
        for (discards, was) in [
            ("01m 11m 21m 31m 02m 15p", TileWas::Fresh),
            // The winner's own, long ago.
            ("01m 11m 25p 31m 02m 12m 22m 32m 03m 15p", TileWas::Own),
            // Another's before the winner's last discard: forgotten.
            ("05p 11m 21m 31m 02m 15p", TileWas::Fresh),
            // Since then.
            ("01m 11m 21m 35p 02m 15p", TileWas::Passed),
            // The winner has had no turn yet.
            ("05p 15p", TileWas::Passed),
            ("15p", TileWas::Fresh),
            // A claim skipped the winner's turn: what came before is still open to him.
            ("01m 11m 21m 35p 02m 33m 04m 15p", TileWas::Passed),
        ] {
            assert_eq!(order(discards).history(WON, &SEATS), Ok(was), "{discards}");
        }
    }

    #[test]
    fn a_last_discard_that_is_another_tile_is_asked_about() {
        let known = order("01m 11m 21m 35p");
        assert_eq!(known.history(WON, &SEATS), Err(Question::LastIsAnother));
        assert_eq!(Discards::Unknown.history(WON, &SEATS), Err(Question::OwnOrPassed));
        assert_eq!(order("").history(WON, &SEATS), Err(Question::OwnOrPassed));
    }

    #[test]
    fn a_robbed_tile_was_not_discarded_last() {
        let robbed = WonTile { by: WinBy::RobKong, ..WON };
        assert_eq!(order("01m 11m 21m 35p").history(robbed, &SEATS), Ok(TileWas::Passed));
        assert_eq!(order("05p 11m 21m").history(robbed, &SEATS), Ok(TileWas::Fresh));
    }

    #[test]
    fn rows_without_claims_tell_the_order() {
        let known = rows(["1m 2m", "1m 5p", "1m", "5p"], ["", "", "", ""]);
        assert_eq!(known.history(WON, &SEATS), Ok(TileWas::Passed));
        let known = rows(["5p 2m", "1m 5p", "1m", "1m"], ["", "", "", ""]);
        assert_eq!(known.history(WON, &SEATS), Ok(TileWas::Fresh));
    }

    #[test]
    fn rows_with_claims_are_asked_about_where_it_matters() {
        // Another 5p was discarded, at an unknown time.
        let known = rows(["5p 2m", "5p", "1m 3m", "1m 9m"], ["", "7z", "", ""]);
        assert_eq!(known.history(WON, &SEATS), Err(Question::Passed));
        // The only 5p is the one won on.
        let known = rows(["4p 2m", "5p", "1m 3m", "1m 9m"], ["", "7z", "", ""]);
        assert_eq!(known.history(WON, &SEATS), Ok(TileWas::Fresh));
        // One's own that another claimed still counts.
        let known = rows(["4p 2m", "5p", "1m 3m", "1m 9m"], ["", "", "5p", ""]);
        assert_eq!(known.history(WON, &SEATS), Ok(TileWas::Own));
        // A winning tile that was already taken to the hand leaves the rows without it.
        let known = rows(["4p 2m", "", "1m 3m", "1m 9m"], ["", "7z", "", ""]);
        assert_eq!(known.history(WON, &SEATS), Ok(TileWas::Fresh));
    }

    #[test]
    fn rules_decide_what_a_repeated_tile_means() {
        use TileWas::{Fresh, Own, Passed};
        assert_eq!(verdict(NO_WIN, Own, WinBy::Discard), Verdict::Forbidden(Own));
        assert_eq!(verdict(NO_WIN, Passed, WinBy::RobKong), Verdict::Forbidden(Passed));
        assert_eq!(verdict(NO_WIN, Own, WinBy::SelfDraw), Verdict::Free);
        assert_eq!(verdict(NO_WIN, Fresh, WinBy::Discard), Verdict::Free);
        assert_eq!(verdict(SAFE, Passed, WinBy::Discard), Verdict::Safe);
        assert_eq!(verdict(SAFE, Own, WinBy::RobKong), Verdict::Free);
        assert_eq!(verdict(DiscardRules::default(), Own, WinBy::Discard), Verdict::Free);
    }
}
