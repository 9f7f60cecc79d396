//! A game as its replay shows it: of each deal the steps, each with what it changes on the table, and how it was paid.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    advice::{AdviceJson, Shape, Turn, Weighed, advise},
    hand::Reading,
    record::{Board, DealBegins, Discarded, Doubtful, Event, Held, KnownEvent, Record, Tiles},
    rules::RuleSet,
    table::Table,
    tile::{Face, SeenFace},
    words::{Say, say},
};

/// A step of a deal.
#[derive(Serialize)]
struct Step {
    said: Say,
    /// The number of its event in the deal.
    event: usize,
    /// The tile of a discard.
    #[serde(skip_serializing_if = "Option::is_none")]
    discarded: Option<String>,
    /// What of it is not certain.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    doubts: Vec<Say>,
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
    /// What each discard would leave, as docs/advise.md has it, where the player has one to make.
    #[serde(skip_serializing_if = "Option::is_none")]
    outlook: Option<AdviceJson>,
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
    let known = record.known();
    for known in &known {
        match (&known.event, &mut playing) {
            (Event::Game { players }, _) => names = called(players),
            (Event::Deal(begins), before) => {
                deals.extend(before.take().map(|deal| deal.json(deals.len(), table)));
                playing = Some(Playing::new(begins, known, &names, rules)?);
            }
            (_, Some(deal)) => deal.take(known)?,
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
    fn new(
        begins: &'a DealBegins,
        known: &KnownEvent,
        names: &[Say],
        rules: &'a RuleSet,
    ) -> Result<Self, String> {
        let board = Board::new(begins)?;
        let shown = vec![Seat::default(); board.players.len()];
        let (names, steps, paid) = (names.to_vec(), Vec::new(), Vec::new());
        let mut deal = Self { begins, names, rules, board, shown, steps, paid };
        deal.step(say!("The tiles are dealt"), known);
        Ok(deal)
    }

    fn take(&mut self, known: &KnownEvent) -> Result<(), String> {
        let event = &known.event;
        self.board.apply(event)?;
        if let Event::Win { paid, .. } | Event::NoWin { paid, .. } = event {
            self.paid.resize(self.board.players.len(), 0);
            self.paid.iter_mut().zip(paid).for_each(|(sum, paid)| *sum += paid);
        }
        if let Some(said) = self.said(event) {
            self.step(said, known);
        }
        Ok(())
    }

    fn step(&mut self, said: Say, known: &KnownEvent) {
        let mut seats = BTreeMap::new();
        for player in 0..self.shown.len() {
            let Some(mut seat) = self.seat(player) else { continue };
            let Seat { away, waits, outlook, .. } = self.shown[player].clone();
            if (Seat { away, waits, outlook, ..seat.clone() }) != self.shown[player] {
                self.look_ahead(player, &mut seat);
                self.shown[player] = seat.clone();
                seats.insert(player, seat);
            }
        }
        let turned = self.steps.iter().rev().find_map(|step| step.indicators.as_ref());
        let indicators = Tiles(self.board.indicators.clone());
        let indicators = (turned != Some(&indicators)).then_some(indicators);
        let last = self.board.offered.filter(|offered| !offered.added);
        let last = last.map(|offered| offered.player);
        let KnownEvent { event, number, doubts, .. } = known;
        let discarded = match event {
            Event::Discard { tile, .. } => Some(tile.to_string()),
            _ => None,
        };
        self.steps.push(Step {
            said,
            event: *number,
            discarded,
            doubts: doubts.iter().map(|doubt| doubted(*doubt)).collect(),
            player: player_of(event),
            last,
            turn: matches!(event, Event::Draw { .. } | Event::Claim { .. }),
            seats,
            indicators,
        });
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

    /// Says how far a hand is, what it waits for, and what each discard would leave; nothing where a tile of it is not
    /// known.
    fn look_ahead(&self, player: usize, seat: &mut Seat) {
        let Some(Held { concealed, sets, .. }) = self.board.players.get(player) else { return };
        let is_known = |tile: &SeenFace| matches!(tile, SeenFace::Tile(_));
        if !concealed.iter().all(is_known) {
            return;
        }
        let hand =
            Reading { concealed: concealed.clone(), sets: sets.clone(), ..Reading::default() };
        let shape = Shape::of(self.rules, crate::advice::size(&hand));
        let Ok(mut advice) = advise(&hand, &self.seen_by(player), shape) else { return };
        let missing = match &mut advice.turn {
            Turn::Draw(outlook) => {
                if outlook.missing == 1 {
                    let waits = outlook.helps.iter().map(|help| SeenFace::Tile(help.tile.into()));
                    seat.waits = waits.collect();
                }
                outlook.missing
            }
            Turn::Discard { missing, discards } => {
                // The page only names the discards that leave the hand further away.
                let least = discards.first().map(|best| best.after.missing);
                let further = discards.iter_mut().filter(|one| Some(one.after.missing) > least);
                further.for_each(|discard| discard.after.helps.clear());
                *missing
            }
        };
        seat.away = i8::try_from(missing).ok().map(|missing| missing - 1);
        if matches!(advice.turn, Turn::Discard { .. }) {
            seat.outlook = Some(Weighed::unpriced(advice).json(self.rules, &hand));
        }
    }

    /// The faces that a player sees beside his own hand and sets.
    fn seen_by(&self, player: usize) -> Vec<Face> {
        let mut seen = self.board.indicators.clone();
        for (other, held) in self.board.players.iter().enumerate() {
            let left = held.discards.iter().filter(|discarded| !discarded.claimed);
            seen.extend(left.map(|discarded| discarded.tile));
            seen.extend(&held.aside);
            if other != player {
                seen.extend(
                    held.sets.iter().flat_map(|set| set.tiles.iter().map(|tile| tile.face)),
                );
            }
        }
        let face = |tile: SeenFace| match tile {
            SeenFace::Tile(tile) => Some(tile.face()),
            SeenFace::Back | SeenFace::Unknown => None,
        };
        seen.into_iter().filter_map(face).collect()
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
            | Event::Doubt { .. }
            | Event::Settled { .. } => return None,
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

/// What is not certain, in words.
fn doubted(doubt: Doubtful) -> Say {
    match doubt {
        Doubtful::Tile => say!("which tile it is"),
        Doubtful::Count => say!("more than four of this tile were seen"),
        Doubtful::Order => say!("whether it was now, or before or after others"),
        Doubtful::Giver => say!("who discarded the tile"),
        Doubtful::Unseen => say!("it was not seen among the discards"),
        Doubtful::Place => say!("which wind, dealer and counters this deal has"),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::log;

    const DEALT: &str = r#"{"type":"game","players":["Ann","Bo"]}
{"type":"deal","round":"E","dealer":0,"counters":0,"sticks":0,"hands":["123456789m11p34p","?????????????"]}
{"type":"indicator","tile":"2p"}
{"type":"draw","player":0,"tile":"7z"}
{"type":"discard","player":0,"tile":"7z"}
{"type":"draw","player":1,"tile":"?"}
{"type":"discard","player":1,"tile":"9p"}
{"type":"draw","player":0,"tile":"9s"}
"#;

    /// What a player sees is not left to draw; the tiles of others that nobody knows are.
    #[test]
    fn a_turn_says_what_each_discard_would_leave() {
        let record = log::read(DEALT).unwrap();
        let rules = RuleSet::preset("riichi").unwrap();
        let game = replay(&record, rules, None).unwrap();
        let steps = game["deals"][0]["steps"].as_array().unwrap();
        let outlook = &steps.last().unwrap()["seats"]["0"]["outlook"];
        let (best, rest) = outlook["discards"].as_array().unwrap().split_first().unwrap();
        assert_eq!(
            (&best["discard"], &best["shanten"], &best["left"]),
            (&json!("9s"), &json!(0), &json!(7))
        );
        assert_eq!(
            best["helps"],
            json!([{ "tile": "2p", "left": 3 }, { "tile": "5p", "left": 4 }])
        );
        assert!(rest.iter().all(|discard| discard["shanten"] == json!(1)), "{rest:?}");
        // Bo's tiles are not known, and after a discard nothing is to be chosen.
        assert_eq!(steps[4]["seats"]["1"]["outlook"], Value::Null);
        assert_eq!(steps[3]["seats"]["0"]["outlook"], Value::Null);
        assert_eq!(steps[3]["seats"]["0"]["waits"], json!("25p"));
    }
}
