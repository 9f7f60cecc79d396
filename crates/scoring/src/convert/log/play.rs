//! A deal of riichi that is played: what its rules ask of a win that tiles alone do not say.

use super::{LoggedDeal, LoggedEnd, LoggedWin, PLAYERS, STICK};
use crate::{
    hand::Reading,
    record::{Board, ClaimKind, DealBegins, Event, NoWin, Tiles},
    rules::{Fact, Facts},
    tile::{SeenFace, Tile},
};

/// Tiles that are drawn in a deal: all but the hands and the dead wall. A supplement takes one from the wall's end.
const WALL: u32 = 136 - 14 - 13 * PLAYERS as u32;

/// A deal so far.
pub(super) struct Play {
    begins: DealBegins,
    board: Board,
    players: [Declared; PLAYERS],
    draws: u32,
    after_kong: bool,
    /// The tile that was drawn last is a supplement.
    supplement: bool,
    /// Nobody has claimed, and nobody has made a kong.
    untouched: bool,
    /// Who has declared riichi with the last discard: it counts once nobody has won on it.
    declaring: Option<usize>,
    wins: Vec<LoggedWin>,
    ended: Option<NoWin>,
    /// What was paid, as far as the log says.
    paid: Option<[i64; PLAYERS]>,
}

#[derive(Default)]
struct Declared {
    discards: u32,
    riichi: bool,
    double: bool,
    ippatsu: bool,
    /// The stick is on the table.
    accepted: bool,
}

type Done = Result<(), String>;

impl Play {
    pub fn of(begins: &DealBegins) -> Result<Self, String> {
        let board = Board::new(begins)?;
        if begins.hands.len() != PLAYERS {
            return Err(format!(
                "{} players: only games of four are played again",
                begins.hands.len()
            ));
        }
        if let Some(hand) = begins.hands.iter().find(|hand| hand.0.len() != 13) {
            return Err(format!("a hand of {} tiles is dealt instead of 13", hand.0.len()));
        }
        Ok(Self {
            begins: begins.clone(),
            board,
            players: Default::default(),
            draws: 0,
            after_kong: false,
            supplement: false,
            untouched: true,
            declaring: None,
            wins: Vec::new(),
            ended: None,
            paid: Some([0; PLAYERS]),
        })
    }

    /// Nobody has won on the last discard.
    fn goes_on(&mut self) {
        if let Some(declared) =
            self.declaring.take().and_then(|player| self.players.get_mut(player))
        {
            (declared.accepted, declared.ippatsu) = (true, true);
        }
        if self.board.offered.is_some_and(|offered| offered.added) {
            self.broken();
        }
    }

    /// A claim or a kong: no first turn and no ippatsu any more.
    fn broken(&mut self) {
        self.untouched = false;
        self.players.iter_mut().for_each(|player| player.ippatsu = false);
    }

    /// Takes the next event of the deal.
    pub fn take(&mut self, event: &Event) -> Done {
        if let Event::SetOut { .. } = event {
            return Err("a tile is set aside, which riichi for four does not know".to_owned());
        }
        if matches!(event, Event::Draw { .. } | Event::Claim { .. } | Event::ConcealedKong { .. }) {
            self.goes_on();
        }
        if let Event::Win { player, from, below, paid } = event {
            self.win(*player, *from, below)?;
            self.pay(paid);
        }
        self.board.apply(event)?;
        match event {
            Event::Draw { .. } => {
                self.supplement = std::mem::take(&mut self.after_kong);
                self.draws += 1;
            }
            Event::Discard { player, sideways, .. } => self.discarded(*player, *sideways),
            Event::Claim { kind, .. } => {
                self.broken();
                self.after_kong = *kind == ClaimKind::Kong;
            }
            Event::ConcealedKong { .. } => {
                self.broken();
                self.after_kong = true;
            }
            Event::AddedKong { .. } => self.after_kong = true,
            Event::NoWin { why, paid } => {
                if *why != NoWin::ThreeWinners {
                    self.goes_on();
                }
                self.ended = Some(*why);
                self.pay(paid);
            }
            _ => {}
        }
        Ok(())
    }

    fn discarded(&mut self, player: usize, sideways: bool) {
        let untouched = self.untouched;
        let Some(own) = self.players.get_mut(player) else { return };
        own.discards += 1;
        own.ippatsu = false;
        // A sideways tile that was claimed leaves the next one sideways too.
        if sideways && !own.riichi {
            (own.riichi, own.double) = (true, untouched && own.discards == 1);
            self.declaring = Some(player);
        }
    }

    fn pay(&mut self, paid: &[i64]) {
        self.paid = match (self.paid, <[i64; PLAYERS]>::try_from(paid)) {
            (Some(sum), Ok(paid)) => Some(std::array::from_fn(|player| sum[player] + paid[player])),
            _ => None,
        };
    }

    /// A winner; several may follow each other on one tile.
    fn win(&mut self, player: usize, from: Option<usize>, below: &Tiles) -> Done {
        let (Some(own), Some(held)) = (self.players.get(player), self.board.players.get(player))
        else {
            return Err(format!("there is no player {player}"));
        };
        let mut concealed = held.concealed.clone();
        let (tile, supplement, robbed) = match from {
            None => {
                let (_, tile) = self.board.drawn.ok_or("a self-draw without a draw")?;
                let place = concealed.iter().rposition(|held| *held == tile);
                concealed.remove(place.ok_or("the winner does not hold the tile")?);
                (tile, self.supplement, false)
            }
            Some(_) => {
                let offered = self.board.offered.ok_or("a win without a discard before it")?;
                (offered.tile, false, offered.added)
            }
        };
        concealed.sort_unstable();
        let (selfdrawn, last) = (from.is_none(), self.draws >= WALL && !supplement && !robbed);
        let facts = Facts::NONE
            .with(Fact::Riichi, own.riichi)
            .with(Fact::DoubleRiichi, own.double)
            .with(Fact::Ippatsu, own.ippatsu)
            .with(Fact::Supplement, supplement)
            .with(Fact::LastTile, last)
            .with(Fact::FirstTurn, selfdrawn && self.untouched && own.discards == 0);
        let hand = Reading {
            concealed,
            sets: held.sets.clone(),
            winning: Some(tile),
            ..Reading::default()
        };
        let ura = if own.riichi { known(&below.0)? } else { Vec::new() };
        let dora = known(&self.board.indicators)?;
        self.wins.push(LoggedWin { player, from, robbed, hand, facts, dora, ura });
        Ok(())
    }

    /// The deal once it is over.
    pub fn ended(self, at: &str) -> Result<LoggedDeal, String> {
        let end = match self.ended {
            None if self.wins.is_empty() => {
                return Err("the deal before does not end: the log is cut off".to_owned());
            }
            None => LoggedEnd::Won(self.wins),
            Some(why) => {
                let is_exhausted = why.abortive().is_none();
                let paid = match self.paid {
                    None if is_exhausted => {
                        return Err(
                            "the record does not say who was paid for being ready".to_owned()
                        );
                    }
                    paid => paid.unwrap_or_default(),
                };
                let gains = || (0..PLAYERS).filter(|player| paid[*player] > 0).collect::<Vec<_>>();
                // Where nothing is paid, all are ready, or nobody: who deals next shows it.
                let is_paid = why == NoWin::Exhausted && paid.iter().any(|paid| *paid != 0);
                LoggedEnd::Drawn {
                    tenpai: is_paid.then(gains),
                    abortive: why.abortive(),
                    nagashi: if why == NoWin::Nagashi { gains() } else { Vec::new() },
                }
            }
        };
        let riichi: Vec<usize> =
            (0..PLAYERS).filter(|player| self.players[*player].accepted).collect();
        let changes = self.paid.map(|paid| {
            std::array::from_fn(|player| {
                paid[player] - if riichi.contains(&player) { STICK } else { 0 }
            })
        });
        let DealBegins { round, dealer, counters: honba, sticks, .. } = self.begins;
        Ok(LoggedDeal { at: at.to_owned(), round, dealer, honba, sticks, riichi, end, changes })
    }
}

/// Indicators, all of which have to be known.
fn known(tiles: &[SeenFace]) -> Result<Vec<Tile>, String> {
    let known = |tile: &SeenFace| match tile {
        SeenFace::Tile(tile) => Ok(*tile),
        SeenFace::Back | SeenFace::Unknown => {
            Err("one of the indicators is not known, which a win counts".to_owned())
        }
    };
    tiles.iter().map(known).collect()
}
