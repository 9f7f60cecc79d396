//! How a hand was won: seats, the last tile, who gave it. Checked against the hand for
//! contradictions before anything is scored.

use thiserror::Error;

use super::Halves;
use crate::{hand::Hand, tile::Seat};

/// Where the winning tile came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Win {
    /// Drawn by the winner, from the wall or as a supplement.
    SelfDraw,
    /// Discarded by another player.
    Discard {
        /// Who discarded it.
        from: Seat,
    },
    /// Taken from a kong that another player was making.
    RobKong {
        /// Who was robbed.
        from: Seat,
    },
}

impl Win {
    /// Who gave the tile; `None` for a self-draw.
    pub const fn from(self) -> Option<Seat> {
        match self {
            Self::SelfDraw => None,
            Self::Discard { from } | Self::RobKong { from } => Some(from),
        }
    }

    /// Whether the tile came from another player.
    pub const fn is_claim(self) -> bool {
        !matches!(self, Self::SelfDraw)
    }
}

/// How many sit at the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Players {
    /// East, South, West.
    Three,
    /// All four.
    #[default]
    Four,
}

/// All that is to be known beside the hand. Fields that a rule set does not use are ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Circumstances {
    /// The winner's own wind.
    pub seat: Seat,
    /// The wind of the round.
    pub round: Seat,
    /// Where the winning tile came from.
    pub win: Win,
    /// Won on the last tile of the wall, or on the last discard.
    pub last_tile: bool,
    /// Won on a supplement tile.
    pub supplement: bool,
    /// On the supplement of the second kong of one turn.
    pub kong_on_kong: bool,
    /// Heavenly or Earthly.
    pub first_turn: bool,
    /// The winning discard was a safe tile.
    pub safe: bool,
    /// The other three copies of the winning tile were visible to all.
    pub last_visible: bool,
    /// Own minimum, in place of the rule set's.
    pub minimum: Option<Halves>,
    /// How many sit at the table.
    pub players: Players,
    /// Who fed the last set of a hand with a liability, where its marks do not show it.
    pub pao: Option<Seat>,
}

impl Circumstances {
    /// An ordinary win, nothing special about it.
    pub const fn new(seat: Seat, round: Seat, win: Win) -> Self {
        Self {
            seat,
            round,
            win,
            last_tile: false,
            supplement: false,
            kong_on_kong: false,
            first_turn: false,
            safe: false,
            last_visible: false,
            minimum: None,
            players: Players::Four,
            pao: None,
        }
    }

    /// On a supplement tile, of one kong or of two.
    pub const fn on_supplement(&self) -> bool {
        self.supplement || self.kong_on_kong
    }
}

/// Circumstances that contradict each other or the hand (FORMATS, `not_allowed`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum Contradiction {
    #[error("`from` is the winner's own seat: a claimed tile comes from another player")]
    FromSelf,
    #[error("`from` with a self-draw: nobody gave the tile")]
    FromSelfDraw,
    #[error("`supplement` with a claimed tile: a supplement tile is drawn by the winner")]
    SupplementClaimed,
    #[error("`supplement` without a kong (or a flower that counts) in the hand")]
    SupplementWithoutKong,
    #[error("`kong_on_kong` needs two kongs in the hand")]
    KongOnKong,
    #[error(
        "`rob_kong` with another copy of the winning tile in the hand: the robbed player held the other three"
    )]
    RobbedCopy,
    #[error(
        "`last_visible` with another copy of the winning tile concealed: the other three were visible to all"
    )]
    VisibleCopy,
    #[error("`safe` without a discard: only a discard is safe")]
    SafeWithoutDiscard,
    #[error("`first_turn` with claimed sets: nobody has claimed yet")]
    FirstTurnClaimed,
    #[error("`first_turn` with `last_tile`: the first turn is not the last")]
    FirstTurnLast,
    #[error("`first_turn`: East wins with the dealt tiles, so self-drawn")]
    FirstTurnEast,
    #[error("`first_turn`: another seat than East wins on the first discard")]
    FirstTurnOther,
    #[error("three players are not allowed by this rule set")]
    ThreePlayers,
    #[error("three players sit East, South and West: nobody is North")]
    ThreePlayersNorth,
    #[error("a claimed chow with three players: none may be claimed")]
    ThreePlayersChow,
}

impl Circumstances {
    /// Looks for contradictions, in every rule set the same.
    ///
    /// # Errors
    /// The first contradiction found.
    pub fn check(
        &self,
        hand: &Hand,
        flowers_count: bool,
        three_allowed: bool,
    ) -> Result<(), Contradiction> {
        use Contradiction as C;
        let kongs = hand.melds().filter(|meld| meld.is_kong()).count();
        let concealed_copies = hand.concealed()[hand.winning().index()];
        let rob = matches!(self.win, Win::RobKong { .. });
        let supplement = self.on_supplement();
        let east = self.seat == Seat::East;
        let three = self.players == Players::Three;
        let north = [Some(self.seat), self.win.from(), self.pao].contains(&Some(Seat::North));
        let chow = hand.melds().any(|meld| meld.kind() == crate::hand::MeldKind::Chow);
        let rules = [
            (self.win.from() == Some(self.seat), C::FromSelf),
            (supplement && self.win.is_claim(), C::SupplementClaimed),
            (
                supplement && kongs == 0 && !(flowers_count && hand.bonus() != 0),
                C::SupplementWithoutKong,
            ),
            (self.kong_on_kong && kongs < 2, C::KongOnKong),
            (rob && hand.count(hand.winning()) > 1, C::RobbedCopy),
            (self.last_visible && concealed_copies > 1, C::VisibleCopy),
            (self.safe && !matches!(self.win, Win::Discard { .. }), C::SafeWithoutDiscard),
            (self.first_turn && !hand.is_concealed(), C::FirstTurnClaimed),
            (self.first_turn && self.last_tile, C::FirstTurnLast),
            (self.first_turn && east && self.win.is_claim(), C::FirstTurnEast),
            (
                self.first_turn && !east && !matches!(self.win, Win::Discard { .. }),
                C::FirstTurnOther,
            ),
            (three && !three_allowed, C::ThreePlayers),
            (three && north, C::ThreePlayersNorth),
            (three && chow, C::ThreePlayersChow),
        ];
        rules.into_iter().find(|(broken, _)| *broken).map_or(Ok(()), |(_, what)| Err(what))
    }
}
