//! Checks whether the visible discards can be all: turns go round, each ends with a discard, and a claim says whose
//! turn comes next.

use crate::{rules::Win, tile::Seat};

/// The discards and claims of a deal that was won. Players by wind, East first.
pub(super) struct TurnCheck<'a> {
    /// The number of discards in front of each player.
    pub rows: &'a [usize],
    /// Discards claimed for a set: giver and taker.
    pub claims: &'a [(usize, usize)],
}

/// The discards do not add up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MissedDiscard {
    /// The player whose discard is missing, if one missing discard explains it.
    pub by: Option<usize>,
}

impl TurnCheck<'_> {
    /// Checks the turns up to a win.
    ///
    /// # Errors
    /// [`MissedDiscard`] where they cannot have gone like this.
    pub fn check(&self, winner: Seat, win: Win) -> Result<(), MissedDiscard> {
        let players = self.rows.len();
        let next = |player: usize| (player + 1) % players;
        // The discards of each player minus the player's turns.
        let mut over = vec![0i64; players];
        over[0] -= 1;
        for (player, row) in self.rows.iter().enumerate() {
            over[player] += *row as i64;
            over[next(player)] -= *row as i64;
        }
        for &(giver, taker) in self.claims {
            over[giver] += 1;
            over[taker] -= 1;
        }
        // One turn ended without a discard in a row or a set.
        let ended = match win {
            Win::SelfDraw => vec![winner.index()],
            // The winning tile is with the winner's hand or still among the discards.
            Win::Discard { from } => vec![from.index(), next(from.index())],
            Win::RobKong { from } => vec![from.index()],
        };
        let left = |last: usize| {
            let mut over = over.clone();
            if let Some(over) = over.get_mut(last) {
                *over += 1;
            }
            over
        };
        if ended.iter().any(|last| left(*last).iter().all(|over| *over == 0)) {
            return Ok(());
        }
        let is_missed = |player: usize, over: &[i64]| {
            (0..players).all(|other| {
                over[other] == i64::from(other == next(player)) - i64::from(other == player)
            })
        };
        let by = (ended.iter())
            .find_map(|last| (0..players).find(|player| is_missed(*player, &left(*last))));
        Err(MissedDiscard { by })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Plays the given turns: `None` goes on, `Some(by)` claims the discard. Returns the rows, the claims and whose
    /// turn it is.
    fn play(players: usize, turns: &[Option<usize>]) -> (Vec<usize>, Vec<(usize, usize)>, usize) {
        let (mut rows, mut claims, mut turn) = (vec![0; players], Vec::new(), 0);
        for claim in turns {
            match claim.map(|by| by % players).filter(|by| *by != turn) {
                Some(by) => {
                    claims.push((turn, by));
                    turn = by;
                }
                None => {
                    rows[turn] += 1;
                    turn = (turn + 1) % players;
                }
            }
        }
        (rows, claims, turn)
    }

    proptest! {
        #[test]
        fn what_was_played_adds_up_and_with_a_discard_missed_it_does_not(
            players in 3usize..=4,
            turns in prop::collection::vec(prop::option::weighted(0.2, 0usize..4), 1..60),
            missed in 0usize..4,
        ) {
            let (mut rows, claims, turn) = play(players, &turns);
            let winner = Seat::ALL[turn];
            let check = |rows: &[usize]| TurnCheck { rows, claims: &claims }.check(winner, Win::SelfDraw);
            prop_assert_eq!(check(&rows), Ok(()));
            let missed = missed % players;
            if rows[missed] > 0 {
                rows[missed] -= 1;
                prop_assert_eq!(check(&rows), Err(MissedDiscard { by: Some(missed) }));
            }
        }

        #[test]
        fn a_tile_won_on_lies_where_it_was_discarded_or_with_the_winner(
            turns in prop::collection::vec(prop::option::weighted(0.2, 0usize..4), 1..60),
            step in 1usize..4,
        ) {
            let (mut rows, claims, turn) = play(4, &turns);
            let (from, winner) = (Seat::ALL[turn], Seat::ALL[(turn + step) % 4]);
            let check = |rows: &[usize]| TurnCheck { rows, claims: &claims }.check(winner, Win::Discard { from });
            prop_assert_eq!(check(&rows), Ok(()), "with the winner");
            rows[turn] += 1;
            prop_assert_eq!(check(&rows), Ok(()), "where it was discarded");
            rows[turn] += 1;
            prop_assert!(check(&rows).is_err());
        }
    }

    #[test]
    fn nothing_is_wrong_with_a_hand_won_before_the_first_discard() {
        let none = TurnCheck { rows: &[0; 4], claims: &[] };
        assert_eq!(none.check(Seat::East, Win::SelfDraw), Ok(()));
        assert!(none.check(Seat::South, Win::SelfDraw).is_err());
    }
}
