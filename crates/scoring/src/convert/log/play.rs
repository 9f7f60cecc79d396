//! A deal that is played: everybody's tiles, from the deal to the end.

use super::{LoggedDeal, LoggedEnd, LoggedWin, PLAYERS, STICK, said};
use crate::{
    convert::{
        call::{Call, CallKind},
        mjai::add,
        seen,
    },
    hand::{Reading, SeenSet},
    rules::{Fact, Facts},
    tile::{Seat, SeenFace, Side, Tile},
};

/// Tiles that are drawn in a deal: all but the hands and the dead wall. A supplement takes one from the wall's end.
const WALL: u32 = 136 - 14 - 13 * PLAYERS as u32;

/// The place of a deal in its game, and its first indicator.
pub(super) struct Place {
    pub round: Seat,
    pub dealer: usize,
    pub honba: u32,
    pub sticks: u32,
    pub dora: Tile,
}

/// A deal so far.
pub(super) struct Play {
    place: Place,
    players: [Player; PLAYERS],
    dora: Vec<Tile>,
    /// The tile that was drawn last, until a discard, and whether it is a supplement.
    drawn: Option<(Tile, bool)>,
    /// The last discard or added tile, whose it is, and whether it was added.
    offered: Option<(usize, Tile, bool)>,
    draws: u32,
    after_kong: bool,
    /// Nobody has claimed, and nobody has made a kong.
    untouched: bool,
    /// Who has declared riichi with the last discard: it counts once nobody has won on it.
    declaring: Option<usize>,
    wins: Vec<LoggedWin>,
}

#[derive(Default)]
struct Player {
    concealed: Vec<Tile>,
    sets: Vec<SeenSet>,
    discards: u32,
    riichi: bool,
    double: bool,
    ippatsu: bool,
    /// The stick is on the table.
    accepted: bool,
}

type Done = Result<(), String>;

impl Player {
    fn take(&mut self, tile: Tile) -> Done {
        let place = self.concealed.iter().rposition(|held| *held == tile);
        let place = place.ok_or_else(|| {
            format!("nobody has {tile} here to lay down: the log gives other tiles")
        })?;
        self.concealed.remove(place);
        Ok(())
    }
}

impl Play {
    pub fn dealt(place: Place, hands: [Vec<Tile>; PLAYERS]) -> Result<Self, String> {
        if let Some(hand) = hands.iter().find(|hand| hand.len() != 13) {
            return Err(format!("a hand of {} tiles is dealt instead of 13", hand.len()));
        }
        let players = hands.map(|concealed| Player { concealed, ..Player::default() });
        Ok(Self {
            dora: vec![place.dora],
            place,
            players,
            drawn: None,
            offered: None,
            draws: 0,
            after_kong: false,
            untouched: true,
            declaring: None,
            wins: Vec::new(),
        })
    }

    pub fn dealer(&self) -> usize {
        self.place.dealer
    }

    fn player(&mut self, player: usize) -> &mut Player {
        &mut self.players[player % PLAYERS]
    }

    /// Nobody has won on the last discard.
    fn goes_on(&mut self) {
        if let Some(player) = self.declaring.take() {
            let player = self.player(player);
            (player.accepted, player.ippatsu) = (true, true);
        }
        if self.offered.is_some_and(|(_, _, added)| added) {
            self.broken();
        }
    }

    /// A claim or a kong: no first turn and no ippatsu any more.
    fn broken(&mut self) {
        self.untouched = false;
        self.players.iter_mut().for_each(|player| player.ippatsu = false);
    }

    pub fn draw(&mut self, player: usize, tile: Tile) {
        self.goes_on();
        self.player(player).concealed.push(tile);
        self.drawn = Some((tile, std::mem::take(&mut self.after_kong)));
        self.draws += 1;
    }

    /// The tile that was drawn last.
    pub fn drawn(&self) -> Option<Tile> {
        self.drawn.map(|(tile, _)| tile)
    }

    pub fn discard(&mut self, player: usize, tile: Tile, declares: bool) -> Done {
        let untouched = self.untouched;
        let own = self.player(player);
        own.take(tile)?;
        own.discards += 1;
        own.ippatsu = false;
        if declares {
            (own.riichi, own.double) = (true, untouched && own.discards == 1);
            self.declaring = Some(player);
        }
        (self.drawn, self.offered) = (None, Some((player, tile, false)));
        Ok(())
    }

    /// Whose discard or added tile was last.
    pub fn offered(&self) -> Option<(usize, Tile)> {
        self.offered.map(|(player, tile, _)| (player, tile))
    }

    /// A set of the last discard and tiles of the hand.
    pub fn claim(&mut self, player: usize, kind: CallKind, own: Vec<Tile>) -> Done {
        self.goes_on();
        let (from, tile, _) = self.offered.take().ok_or("a claim without a discard before it")?;
        let giver = match (PLAYERS + from - player) % PLAYERS {
            1 => Side::Right,
            2 => Side::Opposite,
            3 => Side::Left,
            _ => return Err("a player claims his own discard".to_owned()),
        };
        own.iter().try_for_each(|tile| self.player(player).take(*tile))?;
        let call = Call::lay(kind, giver, tile, own, None);
        let set = call.seen();
        if Call::try_from(&set).map_err(said)?.kind != kind {
            return Err(format!("{set} is another kind of set"));
        }
        self.player(player).sets.push(set);
        self.broken();
        self.after_kong = kind == CallKind::Kong;
        Ok(())
    }

    pub fn concealed_kong(&mut self, player: usize, tiles: Vec<Tile>) -> Done {
        self.goes_on();
        tiles.iter().try_for_each(|tile| self.player(player).take(*tile))?;
        let set = Call { kind: CallKind::ConcealedKong, giver: None, tiles }.seen();
        Call::try_from(&set).map_err(said)?;
        self.player(player).sets.push(set);
        self.broken();
        self.after_kong = true;
        Ok(())
    }

    pub fn added_kong(&mut self, player: usize, tile: Tile) -> Done {
        self.goes_on();
        self.player(player).take(tile)?;
        let note = add(&mut self.player(player).sets, tile, vec![tile; 3]).map_err(said)?;
        if note.is_some() {
            return Err(format!("{tile} is added to no pung"));
        }
        (self.offered, self.after_kong) = (Some((player, tile, true)), true);
        Ok(())
    }

    pub fn indicator(&mut self, tile: Tile) {
        self.dora.push(tile);
    }

    /// A winner; several may follow each other on one tile.
    pub fn win(&mut self, player: usize, from: Option<usize>, ura: Vec<Tile>) -> Done {
        let own = &self.players[player % PLAYERS];
        let mut concealed = own.concealed.clone();
        let (tile, supplement, robbed) = match from {
            None => {
                let (tile, supplement) = self.drawn.ok_or("a self-draw without a draw")?;
                let place = concealed.iter().rposition(|held| *held == tile);
                concealed.remove(place.ok_or("the winner does not hold the tile")?);
                (tile, supplement, false)
            }
            Some(_) => {
                let (_, tile, added) = self.offered.ok_or("a win without a discard before it")?;
                (tile, false, added)
            }
        };
        let (selfdrawn, last) = (from.is_none(), self.draws >= WALL && !supplement && !robbed);
        let facts = Facts::NONE
            .with(Fact::Riichi, own.riichi)
            .with(Fact::DoubleRiichi, own.double)
            .with(Fact::Ippatsu, own.ippatsu)
            .with(Fact::Supplement, supplement)
            .with(Fact::LastTile, last)
            .with(Fact::FirstTurn, selfdrawn && self.untouched && own.discards == 0);
        let hand = Reading {
            concealed: seen(concealed),
            sets: own.sets.clone(),
            winning: Some(SeenFace::Tile(tile)),
            ..Reading::default()
        };
        let ura = if own.riichi { ura } else { Vec::new() };
        let dora = self.dora.clone();
        self.wins.push(LoggedWin { player, from, robbed, hand, facts, dora, ura });
        Ok(())
    }

    /// Whether the deal has a winner.
    pub fn is_won(&self) -> bool {
        !self.wins.is_empty()
    }

    /// The deal after its winners, by their payments.
    pub fn won(self, at: &str, paid: [i64; PLAYERS]) -> LoggedDeal {
        let wins = self.wins.clone();
        self.ended(at, paid, LoggedEnd::Won(wins))
    }

    /// The deal after an end without a winner.
    pub fn drawn_deal(
        mut self,
        at: &str,
        paid: [i64; PLAYERS],
        abortive: Option<&'static str>,
        nagashi: bool,
    ) -> LoggedDeal {
        if abortive != Some("three_winners") {
            self.goes_on();
        }
        let gains = || (0..PLAYERS).filter(|player| paid[*player] > 0).collect::<Vec<_>>();
        // Where nothing is paid, all are ready, or nobody: who deals next shows it.
        let is_paid = abortive.is_none() && !nagashi && paid.iter().any(|paid| *paid != 0);
        let tenpai = is_paid.then(gains);
        let nagashi = if nagashi { gains() } else { Vec::new() };
        self.ended(at, paid, LoggedEnd::Drawn { tenpai, abortive, nagashi })
    }

    fn ended(self, at: &str, paid: [i64; PLAYERS], end: LoggedEnd) -> LoggedDeal {
        let riichi: Vec<usize> =
            (0..PLAYERS).filter(|player| self.players[*player].accepted).collect();
        let mut changes = paid;
        riichi.iter().for_each(|player| changes[*player] -= STICK);
        let Place { round, dealer, honba, sticks, .. } = self.place;
        LoggedDeal { at: at.to_owned(), round, dealer, honba, sticks, riichi, end, changes }
    }
}
