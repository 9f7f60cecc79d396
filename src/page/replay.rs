//! A game as its replay shows it: of each deal the steps, each with what it changes on the table, and how it was paid.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    advice::{Shape, Turn, advise},
    hand::Reading,
    record::{Board, DealBegins, Discarded, Event, Held, Record, Tiles},
    rules::RuleSet,
    table::Table,
    tile::{Face, SeenFace},
    words::{Say, say},
};

/// A step of a deal.
#[derive(Serialize)]
struct Step {
    said: Say,
    /// The player who does it.
    #[serde(skip_serializing_if = "Option::is_none")]
    player: Option<usize>,
    /// Whose last discard can be claimed or won on after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    last: Option<usize>,
    /// A player's turn begins with it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    turn: bool,
    /// The players of whom it changes something.
    seats: BTreeMap<usize, Seat>,
    /// All indicators, where one was turned.
    #[serde(skip_serializing_if = "Option::is_none")]
    indicators: Option<Tiles>,
}

/// The tiles of a player, and how far they are from a complete hand.
#[derive(Clone, Default, PartialEq, Serialize)]
struct Seat {
    /// The concealed tiles in order, without the one just drawn.
    hand: Tiles,
    #[serde(skip_serializing_if = "Tiles::is_empty")]
    drawn: Tiles,
    /// The sets laid apart, as hand text.
    sets: String,
    aside: Tiles,
    discards: Vec<Discard>,
    /// Tiles away from waiting, 0 for a hand that waits and less for a complete one; left out where the hand is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    away: Option<i8>,
    /// The tiles that it waits for.
    #[serde(skip_serializing_if = "Tiles::is_empty")]
    waits: Tiles,
}

#[derive(Clone, PartialEq, Serialize)]
struct Discard {
    tile: String,
    sideways: bool,
    drawn: bool,
    claimed: bool,
}

impl From<&Discarded> for Discard {
    fn from(discarded: &Discarded) -> Self {
        let Discarded { tile, sideways, drawn, claimed } = *discarded;
        Self { tile: tile.to_string(), sideways, drawn, claimed }
    }
}

/// The whole game; `table` is where it was played again, if it was.
///
/// # Errors
/// An event that the tiles do not allow, or no deal at all.
pub fn replay(record: &Record, rules: &RuleSet, table: Option<&Table>) -> Result<Value, String> {
    let mut names = Vec::new();
    let mut deals: Vec<Value> = Vec::new();
    let mut playing: Option<Playing> = None;
    let record = record.corrected();
    for event in &record.events {
        match (event, &mut playing) {
            (Event::Game { players }, _) => names = called(players),
            (Event::Deal(begins), before) => {
                deals.extend(before.take().map(|deal| deal.json(deals.len(), table)));
                playing = Some(Playing::new(begins, &names, rules)?);
            }
            (event, Some(deal)) => deal.take(event)?,
            (_, None) => return Err("no deal has begun".to_owned()),
        }
    }
    deals.extend(playing.map(|deal| deal.json(deals.len(), table)));
    if deals.is_empty() {
        return Err("no deal has begun".to_owned());
    }
    let state = table.and_then(|table| table.state().ok());
    Ok(json!({
        "players": names, "deals": deals, "item_names": state.map(|state| state.item_names.clone()),
    }))
}

/// The names of the players, or those that a table gives to players without one.
fn called(players: &[String]) -> Vec<Say> {
    let called = players.iter().zip(1..).map(|(name, number)| match name.trim() {
        "" => format!("Player {number}").into(),
        name => name.into(),
    });
    called.collect()
}

/// A deal that is being shown.
struct Playing<'a> {
    begins: &'a DealBegins,
    names: Vec<Say>,
    rules: &'a RuleSet,
    board: Board,
    shown: Vec<Seat>,
    steps: Vec<Step>,
    paid: Vec<i64>,
}

impl<'a> Playing<'a> {
    fn new(begins: &'a DealBegins, names: &[Say], rules: &'a RuleSet) -> Result<Self, String> {
        let board = Board::new(begins)?;
        let shown = vec![Seat::default(); board.players.len()];
        let (names, steps, paid) = (names.to_vec(), Vec::new(), Vec::new());
        let mut deal = Self { begins, names, rules, board, shown, steps, paid };
        deal.step(say!("The tiles are dealt"), None, false);
        Ok(deal)
    }

    fn take(&mut self, event: &Event) -> Result<(), String> {
        self.board.apply(event)?;
        if let Event::Win { paid, .. } | Event::NoWin { paid, .. } = event {
            self.paid.resize(self.board.players.len(), 0);
            self.paid.iter_mut().zip(paid).for_each(|(sum, paid)| *sum += paid);
        }
        let turn = matches!(event, Event::Draw { .. } | Event::Claim { .. });
        if let Some(said) = self.said(event) {
            self.step(said, player_of(event), turn);
        }
        Ok(())
    }

    fn step(&mut self, said: Say, player: Option<usize>, turn: bool) {
        let mut seats = BTreeMap::new();
        for player in 0..self.shown.len() {
            let Some(mut seat) = self.seat(player) else { continue };
            let (away, waits) = (self.shown[player].away, self.shown[player].waits.clone());
            if (Seat { away, waits, ..seat.clone() }) != self.shown[player] {
                (seat.away, seat.waits) = self.distance(player);
                self.shown[player] = seat.clone();
                seats.insert(player, seat);
            }
        }
        let turned = self.steps.iter().rev().find_map(|step| step.indicators.as_ref());
        let indicators = Tiles(self.board.indicators.clone());
        let indicators = (turned != Some(&indicators)).then_some(indicators);
        let last = self.board.offered.filter(|offered| !offered.added);
        let last = last.map(|offered| offered.player);
        self.steps.push(Step { said, player, last, turn, seats, indicators });
    }

    /// What everybody sees of a player, without the distance.
    fn seat(&self, player: usize) -> Option<Seat> {
        let held = self.board.players.get(player)?;
        let mut concealed = held.concealed.clone();
        let drawn = self.board.drawn.filter(|(drawer, _)| *drawer == player);
        let drawn = drawn.and_then(|_| concealed.pop());
        concealed.sort_unstable();
        let sets = held.sets.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        Some(Seat {
            hand: Tiles(concealed),
            drawn: drawn.into_iter().collect(),
            sets,
            aside: Tiles(held.aside.clone()),
            discards: held.discards.iter().map(Discard::from).collect(),
            ..Seat::default()
        })
    }

    /// Tiles away from waiting, and the tiles that a waiting hand waits for; `None` where a tile of it is not known.
    fn distance(&self, player: usize) -> (Option<i8>, Tiles) {
        let unknown = (None, Tiles::default());
        let Some(Held { concealed, sets, .. }) = self.board.players.get(player) else {
            return unknown;
        };
        let is_known = |tile: &SeenFace| matches!(tile, SeenFace::Tile(_));
        if !concealed.iter().all(is_known) {
            return unknown;
        }
        let reading =
            Reading { concealed: concealed.clone(), sets: sets.clone(), ..Reading::default() };
        let shape = Shape::of(self.rules, crate::advice::size(&reading));
        let Ok(advice) = advise(&reading, &[], shape) else { return unknown };
        let (missing, waits): (u8, Vec<Face>) = match &advice.turn {
            Turn::Draw(outlook) if outlook.missing == 1 => {
                (1, outlook.helps.iter().map(|help| help.tile).collect())
            }
            Turn::Draw(outlook) => (outlook.missing, Vec::new()),
            Turn::Discard { missing, .. } => (*missing, Vec::new()),
        };
        let waits = waits.into_iter().map(|face| SeenFace::Tile(face.into())).collect();
        (i8::try_from(missing).ok().map(|missing| missing - 1), waits)
    }

    fn name(&self, player: usize) -> Say {
        self.names.get(player).cloned().unwrap_or_else(|| "?".into())
    }

    /// An event in words; `None` for one that is no step of the deal.
    fn said(&self, event: &Event) -> Option<Say> {
        let last_set = |player: usize| {
            let set = self.board.players.get(player).and_then(|held| held.sets.last());
            set.map_or_else(|| "?".into(), Say::tiles)
        };
        Some(match event {
            Event::Draw { player, tile: tile @ SeenFace::Tile(_) } => {
                say!("{player} draws {tile}", player = self.name(*player), tile = Say::tiles(tile))
            }
            Event::Draw { player, .. } => say!("{player} draws", player = self.name(*player)),
            Event::Discard { player, tile, sideways: true, .. } => say!(
                "{player} lays {tile} sideways",
                player = self.name(*player),
                tile = Say::tiles(tile)
            ),
            Event::Discard { player, tile, .. } => say!(
                "{player} discards {tile}",
                player = self.name(*player),
                tile = Say::tiles(tile)
            ),
            Event::Claim { player, from, .. } => say!(
                "{player} claims from {from}: {set}",
                player = self.name(*player),
                from = self.name(*from),
                set = last_set(*player)
            ),
            Event::ConcealedKong { player, .. } => say!(
                "{player} lays down {set}",
                player = self.name(*player),
                set = last_set(*player)
            ),
            Event::AddedKong { player, tile } => say!(
                "{player} adds {tile} to a pung",
                player = self.name(*player),
                tile = Say::tiles(tile)
            ),
            Event::SetOut { player, tile } => say!(
                "{player} sets {tile} aside",
                player = self.name(*player),
                tile = Say::tiles(tile)
            ),
            Event::Opened { player, .. } => {
                say!("{player} opens the hand", player = self.name(*player))
            }
            Event::Win { player, .. } => say!("{name} wins", name = self.name(*player)),
            Event::NoWin { why, .. } => {
                let why = why.abortive().map(|why| Say::of(why.replace('_', " ")));
                say!("a draw").because(why)
            }
            Event::Indicator { tile } => {
                say!("{tile} is turned as an indicator", tile = Say::tiles(tile))
            }
            Event::Gap { milliseconds } => {
                say!("Nothing was seen for {seconds} s", seconds = milliseconds.div_ceil(1000))
            }
            Event::Game { .. }
            | Event::Deal(_)
            | Event::End
            | Event::Correction { .. }
            | Event::Doubt { .. } => return None,
        })
    }

    fn json(self, before: usize, table: Option<&Table>) -> Value {
        let DealBegins { round, dealer, counters, sticks, points, .. } = self.begins;
        let record = table.and_then(|table| {
            let record = table.state().ok()?.history.get(before)?;
            Some(json!({ "deal": record, "steps": table.explain(record).ok()? }))
        });
        let deal = json!({ "number": before + 1, "round": round, "dealer": dealer, "honba": counters, "sticks": sticks });
        json!({ "place": deal, "points": points, "steps": self.steps, "paid": self.paid, "result": record })
    }
}

fn player_of(event: &Event) -> Option<usize> {
    match event {
        Event::Draw { player, .. }
        | Event::Discard { player, .. }
        | Event::Claim { player, .. }
        | Event::ConcealedKong { player, .. }
        | Event::AddedKong { player, .. }
        | Event::SetOut { player, .. }
        | Event::Opened { player, .. }
        | Event::Win { player, .. } => Some(*player),
        _ => None,
    }
}
