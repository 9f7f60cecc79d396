//! Converts a page's deal, by winds, to a table's, by players.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Context, ContextError};
use crate::{
    points::Points,
    rules::Worth,
    table::{Charged, Draw, TableState, WinBy, Winner},
    tile::Seat,
};

/// The result of a won deal, as a page gives it.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// The winner's hand.
    Hand(String),
    /// The hand's worth.
    Worth(Worth),
    /// The points that each player received.
    Payments(BTreeMap<Seat, Points>),
}

/// A draw as a page gives it, by winds, without the riichi declarations.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Drawn {
    /// Who was tenpai, where the rules ask for it.
    pub tenpai: Option<Vec<Seat>>,
    /// The players whose discards were all unclaimed terminals and honors.
    pub nagashi: Vec<Seat>,
    /// The cause that ended the deal before the wall was used up, one of the rule set's.
    pub abortive: Option<String>,
    /// The entry is intended, although it looks like a slip.
    pub meant: bool,
}

impl Drawn {
    /// The draw by players; `riichi`: the winds of those who declared it.
    ///
    /// # Errors
    /// A wind without a player.
    pub fn draw(&self, riichi: &[Seat], seats: &[Seat]) -> Result<Draw, ContextError> {
        Ok(Draw {
            tenpai: self.tenpai.as_ref().map(|tenpai| players(tenpai, seats)).transpose()?,
            riichi: players(riichi, seats)?,
            abortive: self.abortive.clone(),
            nagashi: players(&self.nagashi, seats)?,
            ..Draw::default()
        })
    }
}

/// Converts a winner, given the players' seats.
///
/// # Errors
/// A missing field, or a wind without a player.
pub fn winner(context: &Context, said: &Said, seats: &[Seat]) -> Result<Winner, ContextError> {
    let missing = |why: &str| ContextError(why.to_owned());
    let player = |field: &str| -> Result<Option<usize>, ContextError> {
        let Some(letter) = context.text(field).and_then(|text| text.chars().next()) else {
            return Ok(None);
        };
        let sits = Seat::from_letter(letter)
            .and_then(|seat| seats.iter().position(|other| *other == seat));
        sits.map(Some).ok_or_else(|| missing(&format!("nobody sits {letter} at this table")))
    };
    let win = match context.text("win") {
        Some("self_draw") => WinBy::SelfDraw,
        Some("discard") => WinBy::Discard,
        Some("rob_kong") => WinBy::RobKong,
        _ => return Err(missing("say how the hand was won")),
    };
    let (hand, worth) = match said {
        Said::Hand(hand) => (Some(hand.clone()), None),
        Said::Worth(worth) => (None, Some(*worth)),
        Said::Payments(_) => (None, None),
    };
    Ok(Winner {
        player: player("seat")?.ok_or_else(|| missing("say who won"))?,
        win,
        from: player("from")?,
        hand,
        worth,
        last_tile: context.is("last_tile"),
        supplement: context.is("supplement"),
        kong_on_kong: context.is("kong_on_kong"),
        first_turn: context.is("first_turn"),
        last_visible: context.is("last_visible"),
        pao: player("pao")?,
        responsible: match context.text("responsible") {
            Some("none") => Some(Charged::Nobody),
            _ => player("responsible")?.map(Charged::Player),
        },
        tile: context.tile(),
        riichi: context.in_riichi(),
        double_riichi: context.is("double_riichi"),
        ippatsu: context.is("ippatsu"),
        first_draw: context.is("first_draw"),
        dora_indicators: context.text("dora_indicators").map(str::to_owned),
        ura_indicators: context.text("ura_indicators").map(str::to_owned),
        ..Winner::default()
    })
}

/// The players at some winds, each once, given the winds of a deal's players.
///
/// # Errors
/// A missing field, or a wind without a player.
pub fn players(winds: &[Seat], seats: &[Seat]) -> Result<Vec<usize>, ContextError> {
    winds.iter().map(|wind| player_at(seats, *wind)).collect()
}

/// The player at a wind, given the winds of a deal's players.
///
/// # Errors
/// A missing field, or a wind without a player.
pub fn player_at(seats: &[Seat], wind: Seat) -> Result<usize, ContextError> {
    let sits = seats.iter().position(|seat| *seat == wind);
    sits.ok_or_else(|| ContextError(format!("nobody sits {wind} at this table")))
}

/// The points that each player received, if given.
///
/// # Errors
/// A missing field, or a wind without a player.
pub fn payments(said: &Said, seats: &[Seat]) -> Result<Option<Vec<Points>>, ContextError> {
    let Said::Payments(payments) = said else { return Ok(None) };
    let mut paid = vec![Points::ZERO; seats.len()];
    for (wind, amount) in payments.iter().filter(|(_, amount)| **amount != Points::ZERO) {
        paid[player_at(seats, *wind)?] = *amount;
    }
    Ok(Some(paid))
}

/// The context fields that a table gives: the round and the seating.
pub fn seating(table: &TableState) -> Map<String, Value> {
    let names: Map<String, Value> = (table.players.iter())
        .map(|player| (player.seat.to_string(), player.name.as_str().into()))
        .collect();
    let round = table.place.round.to_string();
    let mut fields = Map::from_iter([
        ("names".to_owned(), names.into()),
        ("round".to_owned(), round.into()),
        ("players".to_owned(), json!(table.players.len())),
        ("dealer".to_owned(), table.dealer_place().to_string().into()),
    ]);
    // A request has room for 99 counters and 999 sticks.
    fields.extend(table.place.honba.map(|honba| ("honba".to_owned(), json!(honba.min(99)))));
    fields.extend(table.place.sticks.map(|sticks| ("sticks".to_owned(), json!(sticks.min(900)))));
    fields
}
