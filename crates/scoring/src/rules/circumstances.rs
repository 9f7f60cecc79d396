//! The circumstances of a win: seats, the last tile, its giver. Checked against the hand for
//! contradictions before anything is scored.

use thiserror::Error;

use super::{Halves, each_fact, has_facts};
use crate::{
    hand::{Hand, Reading},
    tile::{Face, Seat, Seats, SeenFace, Side, Suit, Tile},
};

/// The source of the winning tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Win {
    /// Drawn by the winner, from the wall or as a supplement.
    SelfDraw,
    /// Discarded by another player.
    Discard {
        /// The discarder.
        from: Seat,
    },
    /// Taken from a kong that another player was making.
    RobKong {
        /// The robbed player.
        from: Seat,
    },
}

impl Win {
    /// The giver of the tile; `None` for a self-draw.
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

/// The number of players at the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Players {
    /// East, South, West.
    Three,
    /// All four.
    #[default]
    Four,
}

/// The player who is charged for giving the winning tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Responsible {
    /// Whoever gave it.
    #[default]
    Giver,
    /// Another player, who discarded the same tile before, or the giver himself.
    Player(Seat),
    /// Nobody: it is paid as if it were self-drawn.
    Nobody,
}

/// Indicator tiles of the dead wall in their order: at most five. Each points to the next tile, which is
/// dora.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Indicators {
    tiles: [Option<Tile>; Self::MOST],
}

/// A text that is not a list of indicators.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is not a list of indicators: expected one to five tiles, such as 4p7z")]
pub struct IndicatorsError(String);

impl Indicators {
    /// No tile.
    pub(crate) const NONE: Self = Self { tiles: [None; Self::MOST] };
    /// The most indicators: one, and one more for each kong.
    pub const MOST: usize = 5;

    /// The tiles in their order.
    pub fn iter(&self) -> impl Iterator<Item = Tile> + Clone + '_ {
        self.tiles.iter().flatten().copied()
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.tiles[0].is_none()
    }

    /// The tile that an indicator points to: the next number or wind or dragon, the first after the
    /// last. Tiles that are not played (`missing`, a bit each) are passed over.
    pub(crate) fn dora(indicator: Face, missing: u64) -> Face {
        let next = |index: usize| match index {
            index @ 0..27 => index / 9 * 9 + (index % 9 + 1) % 9,
            index @ 27..31 => 27 + (index - 27 + 1) % 4,
            index @ 31..34 => 31 + (index - 31 + 1) % 3,
            index => index,
        };
        let mut index = next(indicator.index());
        while missing >> index & 1 == 1 && index != indicator.index() {
            index = next(index);
        }
        Face::from_index(index).unwrap_or(indicator)
    }
}

impl std::str::FromStr for Indicators {
    type Err = IndicatorsError;

    /// # Errors
    /// Where the text is not hand text, or anything but one to five plain tiles.
    fn from_str(text: &str) -> Result<Self, IndicatorsError> {
        let error = || IndicatorsError(text.to_owned());
        let reading: Reading = text.parse().map_err(|_| error())?;
        let Reading { concealed, sets, bonus, winning } = reading;
        let plain = sets.is_empty() && bonus.is_empty() && winning.is_none();
        if !plain || concealed.is_empty() || concealed.len() > Self::MOST {
            return Err(error());
        }
        let mut found = Self::default();
        for (slot, seen) in found.tiles.iter_mut().zip(concealed) {
            match seen {
                SeenFace::Tile(tile) => *slot = Some(tile),
                SeenFace::Back | SeenFace::Unknown => return Err(error()),
            }
        }
        Ok(found)
    }
}

macro_rules! circumstances {
    ($($group:ident { $($(#[$meaning:meta])* $name:ident: $fact:ident, $checked:ident, $label:tt;)* })*) => {
        /// The facts about a win beside the hand. Fields that a rule set does not use are ignored.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct Circumstances {
            /// The winner's own wind.
            pub seat: Seat,
            /// The wind of the round.
            pub round: Seat,
            /// The source of the winning tile.
            pub win: Win,
            /// The winner's own minimum, in place of the rule set's.
            pub minimum: Option<Halves>,
            /// The number of players at the table.
            pub players: Players,
            /// The feeder of the last set of a hand with a liability, where its marks do not show it.
            pub pao: Option<Seat>,
            /// The face-up tiles of the dead wall.
            pub dora_indicators: Indicators,
            /// The tiles below these, for a winner who declared riichi.
            pub ura_indicators: Indicators,
            /// The number of counters on the table.
            pub honba: u8,
            /// The number of riichi sticks on the table that the winner takes, where given.
            pub sticks: Option<u16>,
            /// The player who is charged for the winning tile.
            pub responsible: Responsible,
            /// The number of Norths that the winner has put aside; they are not in the hand.
            pub north: u8,
            /// The players who have won in this deal before, or on this tile: they neither play nor pay any more.
            pub won: Seats,
            /// The suit that the winner has named as the one that he does not play.
            pub missing_suit: Option<Suit>,
            $($($(#[$meaning])* pub $name: bool,)*)*
        }

        impl Circumstances {
            /// An ordinary win without special circumstances.
            pub const fn new(seat: Seat, round: Seat, win: Win) -> Self {
                Self {
                    seat,
                    round,
                    win,
                    minimum: None,
                    players: Players::Four,
                    pao: None,
                    dora_indicators: Indicators::NONE,
                    ura_indicators: Indicators::NONE,
                    honba: 0,
                    sticks: None,
                    responsible: Responsible::Giver,
                    north: 0,
                    won: Seats::NONE,
                    missing_suit: None,
                    $($($name: false,)*)*
                }
            }
        }

        has_facts!(Circumstances: $($($name $fact)*)*);
    };
}
each_fact!(circumstances);

impl Circumstances {
    /// The player who is charged for giving the winning tile; `None` for a self-draw, and where nobody is
    /// responsible.
    pub const fn charged(&self) -> Option<Seat> {
        match (self.win.from(), self.responsible) {
            (None, _) | (_, Responsible::Nobody) => None,
            (Some(from), Responsible::Giver) => Some(from),
            (Some(_), Responsible::Player(player)) => Some(player),
        }
    }

    /// The player on that side of the winner. Of three, nobody sits North: the player before is on the left,
    /// the next on the right, and across from South sits nobody.
    pub const fn neighbour(&self, side: Side) -> Option<Seat> {
        match (self.players, self.seat, side) {
            (Players::Four, seat, side) => Some(seat.neighbour(side)),
            (Players::Three, Seat::East, Side::Right)
            | (Players::Three, Seat::West, Side::Left) => Some(Seat::South),
            (Players::Three, Seat::East, _) | (Players::Three, Seat::South, Side::Right) => {
                Some(Seat::West)
            }
            (Players::Three, Seat::West, _) | (Players::Three, Seat::South, Side::Left) => {
                Some(Seat::East)
            }
            (Players::Three, Seat::South | Seat::North, _) => None,
        }
    }

    /// Whether riichi was declared, in the first go-around or later.
    pub const fn in_riichi(&self) -> bool {
        self.riichi || self.double_riichi
    }

    /// Whether the winning tile was a supplement tile or robbed from a kong.
    pub(crate) const fn is_beside_last_tile(&self) -> bool {
        self.on_supplement() || matches!(self.win, Win::RobKong { .. })
    }

    /// Whether the win was on a supplement tile, of one kong or of two.
    pub const fn on_supplement(&self) -> bool {
        self.supplement || self.kong_on_kong
    }
}

/// Circumstances that contradict each other or the hand (docs/formats.md, `not_allowed`).
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
    #[error("`riichi` with a claimed set: riichi is declared on a concealed hand")]
    RiichiClaimed,
    #[error("`riichi` with `first_turn` or `first_draw`: nobody has declared riichi yet")]
    RiichiFirst,
    #[error("`ippatsu` without `riichi` or `double_riichi`")]
    IppatsuAlone,
    #[error("`ippatsu` with `supplement`: a kong ends it")]
    IppatsuSupplement,
    #[error("`ura_indicators` without `riichi` or `double_riichi`: they count after riichi only")]
    UraAlone,
    #[error("`first_draw` with a claimed set or a kong: nobody has claimed or made a kong yet")]
    FirstDrawMelds,
    #[error("`first_draw` with `last_tile`: the first draw is not the last")]
    FirstDrawLast,
    #[error("`first_draw` with a claimed tile: the winner drew it")]
    FirstDrawClaim,
    #[error("four players are not allowed by this rule set")]
    FourPlayers,
    #[error("a round of North with three players: nobody is North")]
    NorthRound,
    #[error("`responsible` with a self-draw: nobody gave the tile")]
    ResponsibleSelfDraw,
    #[error("`responsible` is the winner's own seat: another player gave the tile")]
    ResponsibleSelf,
    #[error("`original_call` with two or more claimed sets: at most one is claimed after it")]
    OriginalCallClaimed,
    #[error("`pao` is not `from`: the liable player is the one who gave the tile")]
    PaoNotGiver,
    #[error("`dead` names the winner: a dead hand cannot win")]
    DeadWinner,
    #[error("a claimed chow: this rule set is played without claiming chows")]
    ClaimedChow,
    #[error("the player has won before in this deal (`won`), and plays no more")]
    WonBefore,
    #[error("the giver (`from`) has won before in this deal, and plays no more")]
    GiverWonBefore,
    #[error("three have won before (`won`): the deal is over")]
    DealOver,
    #[error("`kong_discard` without a discard")]
    KongDiscard,
    #[error("`first_draw` with `won`: somebody has claimed or drawn a winning tile before")]
    FirstDrawWon,
    #[error(
        "on the same tile (`same`), but nobody has won on a tile of the same giver just before"
    )]
    NotSameTile,
    #[error("`first_turn` or `first_draw` with a North put aside: that ends the first go-around")]
    FirstTurnNorth,
}

impl Circumstances {
    /// Looks for contradictions of who won, who gave the tile, and who has won before.
    ///
    /// # Errors
    /// The first contradiction found.
    pub fn check_players(&self) -> Result<(), Contradiction> {
        use Contradiction as C;
        let giver = self.win.from();
        let rules = [
            (giver == Some(self.seat), C::FromSelf),
            (self.won.contains(self.seat), C::WonBefore),
            (giver.is_some_and(|from| self.won.contains(from)), C::GiverWonBefore),
            (self.won.len() > 2, C::DealOver),
        ];
        rules.into_iter().find(|(broken, _)| *broken).map_or(Ok(()), |(_, what)| Err(what))
    }

    /// Looks for contradictions, in every rule set the same. `flowers_count`: a flower of the hand
    /// may have brought the supplement tile.
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
        self.check_players()?;
        let kongs = hand.melds().filter(|meld| meld.is_kong()).count();
        let concealed_copies = hand.concealed().get(hand.winning().index()).copied().unwrap_or(0);
        let rob = matches!(self.win, Win::RobKong { .. });
        let supplement = self.on_supplement();
        let east = self.seat == Seat::East;
        let three = self.players == Players::Three;
        let named = [Some(self.seat), self.win.from(), self.charged(), self.pao];
        let north = named.contains(&Some(Seat::North));
        let chow = hand.melds().any(|meld| meld.kind() == crate::hand::MeldKind::Chow);
        let rules = [
            (supplement && self.win.is_claim(), C::SupplementClaimed),
            (
                supplement
                    && kongs == 0
                    && self.north == 0
                    && !(flowers_count && hand.bonus() != 0),
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
            (self.in_riichi() && !hand.is_concealed(), C::RiichiClaimed),
            (self.in_riichi() && (self.first_turn || self.first_draw), C::RiichiFirst),
            (self.ippatsu && !self.in_riichi(), C::IppatsuAlone),
            (self.ippatsu && supplement, C::IppatsuSupplement),
            (!self.ura_indicators.is_empty() && !self.in_riichi(), C::UraAlone),
            (self.first_draw && hand.melds().next().is_some(), C::FirstDrawMelds),
            (self.first_draw && self.last_tile, C::FirstDrawLast),
            (self.first_draw && self.win.is_claim(), C::FirstDrawClaim),
            (
                self.original_call && hand.melds().filter(|meld| meld.is_claimed()).count() > 1,
                C::OriginalCallClaimed,
            ),
            (self.kong_discard && !matches!(self.win, Win::Discard { .. }), C::KongDiscard),
            (self.first_draw && !self.won.is_empty(), C::FirstDrawWon),
            (self.north != 0 && (self.first_turn || self.first_draw), C::FirstTurnNorth),
            (
                self.responsible != Responsible::Giver && !self.win.is_claim(),
                C::ResponsibleSelfDraw,
            ),
            (self.responsible == Responsible::Player(self.seat), C::ResponsibleSelf),
        ];
        rules.into_iter().find(|(broken, _)| *broken).map_or(Ok(()), |(_, what)| Err(what))
    }
}
