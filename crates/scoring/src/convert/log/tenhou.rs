//! A game in the JSON of tenhou.net/6: of each deal what each player drew, called and discarded. Who comes next follows
//! from the turns, and from who can claim what was discarded. It does not say when an indicator was turned: it is taken to be
//! turned at once for a concealed kong, and for another before its player's discard or after his next kong.

use serde_json::{Map, Value};

use super::{Building, LogError, PLAYERS, count, end_named, four, names, said, seen, wind};
use crate::{
    convert::{
        call::{Call, CallKind},
        tenhou_log::{call, known},
    },
    record::{ClaimKind, DealBegins, Event, NoWin, Record, Tiles},
    tile::{SeenFace, Side, Tile},
};

/// A discard of the tile that was just drawn.
pub(super) const DRAWN: u64 = 60;
pub(super) const WON: &str = "和了";
/// The ends without a winner; the first of each is written.
pub(super) const ENDS: [(&str, NoWin); 11] = [
    ("流局", NoWin::Exhausted),
    ("全員聴牌", NoWin::Exhausted),
    ("全員不聴", NoWin::Exhausted),
    ("流し満貫", NoWin::Nagashi),
    ("九種九牌", NoWin::NineTerminals),
    ("四風連打", NoWin::FourWinds),
    ("四家立直", NoWin::FourRiichi),
    ("四槓散了", NoWin::FourKongs),
    ("四開槓", NoWin::FourKongs),
    ("三家和了", NoWin::ThreeWinners),
    ("三家和", NoWin::ThreeWinners),
];

pub(super) fn read(game: &Map<String, Value>) -> Result<Record, LogError> {
    let mut building = Building::default();
    building.push("the beginning", Event::Game { players: names(game.get("name")) })?;
    let deals = game.get("log").and_then(Value::as_array);
    for (number, deal) in
        deals.ok_or_else(|| LogError::new("log", "no list of deals"))?.iter().enumerate()
    {
        let at = format!("deal {}", number + 1);
        let items = deal.as_array().map_or(&[][..], Vec::as_slice);
        let wrong = |problem: String| LogError::new(&at, problem);
        let (deal, begins, indicator) = Deal::of(items).map_err(wrong)?;
        building.push(&at, Event::Deal(begins))?;
        building.push(&at, Event::Indicator { tile: SeenFace::Tile(indicator) })?;
        deal.play(&mut Playing { at: &at, building: &mut building })?;
    }
    Ok(building.done())
}

/// What a player drew or discarded, in order, and how much of it is played.
#[derive(Default)]
struct Column<'a> {
    items: &'a [Value],
    next: usize,
}

impl<'a> Column<'a> {
    fn peek(&self) -> Option<&'a Value> {
        self.items.get(self.next)
    }

    fn take(&mut self) -> Option<&'a Value> {
        let item = self.peek();
        self.next += 1;
        item
    }
}

/// The record, and the deal of it that is played.
struct Playing<'a> {
    at: &'a str,
    building: &'a mut Building,
}

impl Playing<'_> {
    fn wrong(&self, problem: impl Into<String>) -> LogError {
        LogError::new(self.at, problem)
    }

    fn push(&mut self, event: Event) -> Result<(), LogError> {
        self.building.push(self.at, event)
    }
}

struct Deal<'a> {
    dealer: usize,
    drawn: [Column<'a>; PLAYERS],
    discarded: [Column<'a>; PLAYERS],
    /// The indicators that kongs turn.
    indicators: std::vec::IntoIter<Tile>,
    /// A kong's indicator is turned with what its player does next.
    is_due: bool,
    ura: Vec<Tile>,
    result: &'a [Value],
}

fn tiles(list: &Value) -> Result<Vec<Tile>, String> {
    let list = list.as_array().ok_or("no list of tiles")?;
    list.iter().map(tile).collect()
}

fn tile(code: &Value) -> Result<Tile, String> {
    code.as_u64().map(known).transpose().map_err(said)?.ok_or_else(|| format!("{code} is no tile"))
}

/// A call of the columns: its set.
fn called(text: &str) -> Result<Call, String> {
    call(text).map_err(said)
}

/// Who gave the claimed tile of a player's call, and the tile.
fn given(player: usize, call: &Call) -> Option<(usize, Tile)> {
    let steps = match call.giver? {
        Side::Right => 1,
        Side::Opposite => 2,
        Side::Left => 3,
    };
    Some(((player + steps) % PLAYERS, *call.tiles.get(call.claimed()?)?))
}

impl<'a> Deal<'a> {
    fn of(items: &'a [Value]) -> Result<(Self, DealBegins, Tile), String> {
        let [place, points, dora, ura, rest @ ..] = items else {
            return Err("a deal of too few parts".to_owned());
        };
        let [columns @ .., result] = rest else { return Err("a deal without a result".to_owned()) };
        if columns.len() != 3 * PLAYERS {
            return Err(format!(
                "{} columns instead of three for each of four players",
                columns.len()
            ));
        }
        let mut indicators = tiles(dora)?.into_iter();
        let first = indicators.next().ok_or("no dora indicator")?;
        let number = count(place, 0).ok_or("no number of the deal")?;
        let (mut drawn, mut discarded): ([Column; PLAYERS], [Column; PLAYERS]) = Default::default();
        let mut hands: Vec<Tiles> = Vec::new();
        for (player, part) in columns.chunks_exact(3).enumerate() {
            hands.push(seen(tiles(&part[0])?));
            drawn[player].items = part[1].as_array().map_or(&[][..], Vec::as_slice);
            discarded[player].items = part[2].as_array().map_or(&[][..], Vec::as_slice);
        }
        let begins = DealBegins {
            round: wind(u64::from(number) / 4).ok_or("no such round")?,
            dealer: number as usize % PLAYERS,
            counters: count(place, 1).ok_or("no number of counters")?,
            sticks: count(place, 2).ok_or("no number of sticks")?,
            hands,
            points: four(points).unwrap_or_default(),
        };
        let deal = Self {
            dealer: begins.dealer,
            drawn,
            discarded,
            indicators,
            is_due: false,
            ura: tiles(ura)?,
            result: result.as_array().map_or(&[][..], Vec::as_slice),
        };
        Ok((deal, begins, first))
    }

    fn play(mut self, playing: &mut Playing) -> Result<(), LogError> {
        let mut player = self.dealer;
        while let Some(next) = self.drawn[player].take() {
            match next {
                Value::String(text) => {
                    let call = called(text).map_err(|problem| playing.wrong(problem))?;
                    playing
                        .push(claim(player, &call).map_err(|problem| playing.wrong(problem))?)?;
                    if call.kind == CallKind::Kong {
                        // The discards have a zero in its place.
                        self.discarded[player].take();
                        self.is_due = true;
                        continue;
                    }
                }
                code => {
                    let tile = tile(code).map_err(|problem| playing.wrong(problem))?;
                    playing.push(Event::Draw { player, tile: SeenFace::Tile(tile) })?;
                }
            }
            let Some(next) = self.discard(player, playing)? else { break };
            player = next;
        }
        self.end(playing)
    }

    /// Turns the indicator of a kong that waits for what its player does next.
    fn turn_due(&mut self, playing: &mut Playing) -> Result<(), LogError> {
        if std::mem::take(&mut self.is_due) { self.turn_indicator(playing) } else { Ok(()) }
    }

    fn turn_indicator(&mut self, playing: &mut Playing) -> Result<(), LogError> {
        let next = self.indicators.next();
        next.map_or(Ok(()), |tile| playing.push(Event::Indicator { tile: SeenFace::Tile(tile) }))
    }

    /// The player's discard; `None` where the deal ends before it. Gives who comes next, who may be the same after a kong.
    fn discard(&mut self, player: usize, playing: &mut Playing) -> Result<Option<usize>, LogError> {
        let Some(next) = self.discarded[player].take() else { return Ok(None) };
        let (sideways, code) = match next {
            Value::String(text) => match text.strip_prefix('r') {
                Some(code) => (true, code.parse().ok()),
                None => {
                    let call = called(text).map_err(|problem| playing.wrong(problem))?;
                    match call.added() {
                        Some(added) => {
                            playing.push(Event::AddedKong { player, tile: call.tiles[added] })?;
                            self.turn_due(playing)?;
                            self.is_due = true;
                        }
                        None => {
                            let tiles = seen(call.tiles);
                            playing.push(Event::ConcealedKong { player, tiles })?;
                            self.turn_due(playing)?;
                            self.turn_indicator(playing)?;
                        }
                    }
                    return Ok(Some(player));
                }
            },
            code => (false, code.as_u64()),
        };
        let code = code.ok_or_else(|| playing.wrong(format!("{next} is no discard")))?;
        let tile = match (code, playing.building.board().and_then(|board| board.drawn)) {
            (DRAWN, Some((_, SeenFace::Tile(tile)))) => tile,
            (DRAWN, _) => {
                return Err(playing.wrong("a drawn tile is discarded, and none was drawn"));
            }
            _ => known(code).map_err(|error| playing.wrong(said(error)))?,
        };
        self.turn_due(playing)?;
        let drawn = Some(code == DRAWN);
        playing.push(Event::Discard { player, tile: SeenFace::Tile(tile), sideways, drawn })?;
        let claims = (1..PLAYERS).map(|step| (player + step) % PLAYERS);
        // Whoever takes a pung or a kong goes before a chow of the next player.
        let claims = claims.filter_map(|other| {
            let call = called(self.drawn[other].peek()?.as_str()?).ok()?;
            let is_claimed = given(other, &call) == Some((player, tile));
            is_claimed.then_some((call.kind == CallKind::Chow, other))
        });
        Ok(Some(claims.min().map_or((player + 1) % PLAYERS, |(_, other)| other)))
    }

    fn end(mut self, playing: &mut Playing) -> Result<(), LogError> {
        let [what, rest @ ..] = self.result else { return Err(playing.wrong("no result")) };
        let what = what.as_str().unwrap_or_default();
        // Those that the log has beside were turned before the end.
        while !self.indicators.as_slice().is_empty() {
            self.turn_indicator(playing)?;
        }
        if what == WON {
            for won in rest.chunks(2) {
                let event = self.won(won, playing).map_err(|problem| playing.wrong(problem))?;
                playing.push(event)?;
            }
        } else {
            let why = end_named(&ENDS, what);
            let why = why.ok_or_else(|| playing.wrong(format!("no result `{what}` is known")))?;
            let paid = rest.first().map_or(Some(vec![0; PLAYERS]), four);
            let paid = paid.ok_or_else(|| playing.wrong("the payments are not four numbers"))?;
            playing.push(Event::NoWin { why, paid })?;
        }
        playing.push(Event::End)
    }

    /// A winner: the payments, then who won from whom.
    fn won(&self, won: &[Value], playing: &Playing) -> Result<Event, String> {
        let [paid, by] = won else { return Err("a winner without payments".to_owned()) };
        let paid = four(paid).ok_or("the payments are not four numbers")?;
        let who = |place| count(by, place).map(|who| who as usize % PLAYERS).ok_or("no winner");
        let (player, from) = (who(0)?, who(1)?);
        let held = playing.building.board().and_then(|board| board.players.get(player));
        let is_riichi = held.is_some_and(|held| held.discards.iter().any(|tile| tile.sideways));
        let ura = if is_riichi { self.ura.clone() } else { Vec::new() };
        Ok(Event::Win {
            player,
            from: Some(from).filter(|from| *from != player),
            below: seen(ura),
            paid,
        })
    }
}

/// A claim among what a player drew.
fn claim(player: usize, call: &Call) -> Result<Event, String> {
    let kind = match call.kind {
        CallKind::Chow => ClaimKind::Chow,
        CallKind::Pung => ClaimKind::Pung,
        CallKind::Kong => ClaimKind::Kong,
        CallKind::AddedKong | CallKind::ConcealedKong => {
            return Err("a kong of the own hand among what was drawn".to_owned());
        }
    };
    let (from, tile) = given(player, call).ok_or("a claim of nobody's tile")?;
    Ok(Event::Claim { player, from, kind, tile: SeenFace::Tile(tile), own: seen(call.own()) })
}
