//! A record in the JSON of tenhou.net/6, which has every tile of the game: a record with unknown ones is refused.

use serde_json::{Value, json};

use super::{
    LogError, PLAYERS, name_of_end, said,
    tenhou::{DRAWN, ENDS, WON},
};
use crate::{
    convert::{
        Converted,
        call::Call,
        tenhou_log::{call_text, code},
    },
    hand::SeenSet,
    record::{Board, ClaimKind, DealBegins, Event, Record},
    tile::SeenFace,
};

/// Writes a record of riichi for four.
pub(super) fn print(record: &Record) -> Result<Converted<String>, LogError> {
    let mut writer = Writer::default();
    for (event, at) in record.events.iter().zip(&record.places) {
        writer.event(event).map_err(|problem| LogError::new(at, problem))?;
    }
    if writer.deal.is_some() {
        return Err(LogError::new(
            "the end",
            "Tenhou's JSON has whole deals, and the last has no end",
        ));
    }
    let game = json!({
        "title": ["", ""], "name": writer.names, "rule": { "disp": "", "aka": 1 }, "log": writer.deals,
    });
    Ok(Converted { value: format!("{game}\n"), notes: writer.notes })
}

#[derive(Default)]
struct Writer {
    names: Vec<String>,
    deals: Vec<Value>,
    deal: Option<Deal>,
    notes: Vec<String>,
}

/// A deal in columns.
struct Deal {
    begins: DealBegins,
    board: Board,
    indicators: Vec<u64>,
    below: Vec<u64>,
    drawn: [Vec<Value>; PLAYERS],
    discarded: [Vec<Value>; PLAYERS],
    result: Vec<Value>,
}

fn tile(seen: SeenFace) -> Result<u64, String> {
    match seen {
        SeenFace::Tile(tile) if !tile.face().is_bonus() => Ok(code(tile)),
        SeenFace::Tile(tile) => Err(format!("Tenhou's JSON has no flowers, such as {tile}")),
        SeenFace::Back | SeenFace::Unknown => {
            Err("Tenhou's JSON has no sign for a tile that is not known".to_owned())
        }
    }
}

fn tiles(seen: &[SeenFace]) -> Result<Vec<u64>, String> {
    seen.iter().map(|seen| tile(*seen)).collect()
}

fn set(set: Option<&SeenSet>) -> Result<Value, String> {
    let call = Call::try_from(set.ok_or("no set was laid down")?).map_err(said)?;
    call_text(&call).map(Value::from).ok_or_else(|| "a claim from nobody".to_owned())
}

impl Writer {
    fn note(&mut self, note: &str) {
        if !self.notes.iter().any(|known| known == note) {
            self.notes.push(note.to_owned());
        }
    }

    fn event(&mut self, event: &Event) -> Result<(), String> {
        match (event, self.deal.take()) {
            (Event::Game { players }, None) => self.names.clone_from(players),
            (Event::Deal(begins), None) => self.deal = Some(Deal::new(begins)?),
            (Event::End, Some(deal)) => self.deals.push(deal.written()?),
            (event, Some(mut deal)) => {
                deal.board.apply(event)?;
                deal.event(event)?;
                self.deal = Some(deal);
            }
            (_, None) => return Err("no deal has begun".to_owned()),
        }
        match event {
            Event::Discard { drawn: None, .. } => self.note(
                "Tenhou's JSON says of each discard whether it was just drawn: where that is not known it is written as not drawn",
            ),
            Event::Gap { .. } => self.note("Tenhou's JSON has no gaps: those are left out"),
            Event::Opened { .. } => {
                self.note("Tenhou's JSON does not open hands: those are left out");
            }
            _ => {}
        }
        Ok(())
    }
}

impl Deal {
    fn new(begins: &DealBegins) -> Result<Self, String> {
        if begins.hands.len() != PLAYERS {
            return Err("Tenhou's JSON is written for games of four".to_owned());
        }
        if begins.points.is_empty() {
            return Err("Tenhou's JSON has everybody's points before a deal, which are not known"
                .to_owned());
        }
        Ok(Self {
            begins: begins.clone(),
            board: Board::new(begins)?,
            indicators: Vec::new(),
            below: Vec::new(),
            drawn: Default::default(),
            discarded: Default::default(),
            result: Vec::new(),
        })
    }

    /// Adds an event that the board has taken, so that its player is there.
    fn event(&mut self, event: &Event) -> Result<(), String> {
        match event {
            Event::Indicator { tile } => self.indicators.push(self::tile(*tile)?),
            Event::Draw { player, tile } => self.drawn[*player].push(self::tile(*tile)?.into()),
            Event::Discard { player, tile, sideways, drawn } => {
                let code = self::tile(*tile)?;
                let code = if *drawn == Some(true) { DRAWN } else { code };
                let is_declared = self.discarded[*player]
                    .iter()
                    .any(|item| item.as_str().is_some_and(|text| text.starts_with('r')));
                self.discarded[*player].push(match *sideways && !is_declared {
                    true => format!("r{code}").into(),
                    false => code.into(),
                });
            }
            Event::Claim { player, kind, .. } => {
                self.drawn[*player].push(set(self.board.players[*player].sets.last())?);
                if *kind == ClaimKind::Kong {
                    self.discarded[*player].push(0.into());
                }
            }
            Event::ConcealedKong { player, .. } => {
                self.discarded[*player].push(set(self.board.players[*player].sets.last())?);
            }
            Event::AddedKong { player, tile } => {
                let kong = self.board.players[*player].kong_with(*tile);
                self.discarded[*player].push(set(kong)?);
            }
            Event::Win { player, from, below, paid } => {
                if self.below.is_empty() {
                    self.below = tiles(&below.0)?;
                }
                let won = [json!(known(paid)?), json!([player, from.unwrap_or(*player), player])];
                if self.result.is_empty() {
                    self.result.push(WON.into());
                }
                self.result.extend(won);
            }
            Event::NoWin { why, paid } => {
                self.result = vec![name_of_end(&ENDS, *why).into(), json!(known(paid)?)];
            }
            Event::SetOut { .. } => {
                return Err("Tenhou's JSON for four has no tile that is set aside".to_owned());
            }
            Event::Game { .. }
            | Event::Deal(_)
            | Event::End
            | Event::Opened { .. }
            | Event::Gap { .. }
            | Event::Correction { .. }
            | Event::Doubt { .. }
            | Event::Settled { .. } => {}
        }
        Ok(())
    }

    fn written(self) -> Result<Value, String> {
        let DealBegins { round, dealer, counters, sticks, hands, points } = self.begins;
        let number = PLAYERS * round.index() + dealer;
        let mut parts = vec![
            json!([number, counters, sticks]),
            json!(points),
            json!(self.indicators),
            json!(self.below),
        ];
        for (hand, (drawn, discarded)) in
            hands.iter().zip(self.drawn.into_iter().zip(self.discarded))
        {
            parts.extend([json!(tiles(&hand.0)?), drawn.into(), discarded.into()]);
        }
        parts.push(self.result.into());
        Ok(parts.into())
    }
}

fn known(paid: &[i64]) -> Result<&[i64], String> {
    if paid.is_empty() { Err("what was paid is not known".to_owned()) } else { Ok(paid) }
}
