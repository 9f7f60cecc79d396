//! A game in Majiang's JSON. Players are numbered from the dealer of the deal on, tiles are a suit with its digits (`m123p0`),
//! `0` a red five, `z1` to `z7` the honors.

use serde_json::{Map, Value};

use super::{Building, LogError, PLAYERS, count, end_named, four, names, seen, wind};
use crate::{
    record::{ClaimKind, DealBegins, Event, NoWin, Record, Tiles},
    tile::{SeenFace, Tile},
};

/// The ends without a winner.
const ENDS: [(&str, NoWin); 7] = [
    ("荒牌平局", NoWin::Exhausted),
    ("流し満貫", NoWin::Nagashi),
    ("九種九牌", NoWin::NineTerminals),
    ("四風連打", NoWin::FourWinds),
    ("四家立直", NoWin::FourRiichi),
    ("四開槓", NoWin::FourKongs),
    ("三家和", NoWin::ThreeWinners),
];

pub(super) fn read(game: &Map<String, Value>) -> Result<Record, LogError> {
    let mut players = names(game.get("player"));
    let first = game.get("qijia").and_then(Value::as_u64).unwrap_or(0) as usize % PLAYERS;
    players.rotate_left(first);
    let mut building = Building::default();
    building.push("the beginning", Event::Game { players })?;
    let deals = game.get("log").and_then(Value::as_array);
    for (number, deal) in
        deals.ok_or_else(|| LogError::new("log", "no list of deals"))?.iter().enumerate()
    {
        let mut dealer = None;
        for (place, event) in deal.as_array().into_iter().flatten().enumerate() {
            let at = format!("deal {}, event {}", number + 1, place + 1);
            let wrong = |problem: String| LogError::new(&at, problem);
            let named = event.as_object().and_then(|event| event.iter().next());
            let (kind, fields) = named.ok_or_else(|| wrong("no event".to_owned()))?;
            match (dealer, kind.as_str()) {
                (None, "qipai") => {
                    let (begins, indicator) = dealt(fields).map_err(wrong)?;
                    dealer = Some(begins.dealer);
                    building.push(&at, Event::Deal(begins))?;
                    building.push(&at, Event::Indicator { tile: SeenFace::Tile(indicator) })?;
                }
                (None, _) => return Err(wrong(format!("a {kind} before qipai"))),
                (Some(dealer), _) => {
                    let deal = Deal { dealer, building: &building };
                    let event = deal.event(kind, fields).map_err(wrong)?;
                    building.push(&at, event)?;
                }
            }
        }
        let at = format!("deal {}", number + 1);
        let is_over = building.board().map(crate::record::Board::has_result);
        let problem = match is_over {
            Some(true) => None,
            Some(false) => Some("it does not end: the log is cut off"),
            None => Some("no tiles are dealt"),
        };
        if let Some(problem) = problem {
            return Err(LogError::new(&at, problem));
        }
        building.push(&at, Event::End)?;
    }
    Ok(building.done())
}

/// The tiles of a text, and where its signs stand among them.
fn tiles(text: &str) -> Result<Vec<Tile>, String> {
    let mut suit = None;
    let mut tiles = Vec::new();
    for letter in text.chars() {
        match letter {
            'm' | 'p' | 's' | 'z' => suit = Some(letter),
            '0'..='9' => {
                let suit = suit.ok_or_else(|| format!("`{text}` has a digit before its suit"))?;
                let tile = format!("{letter}{suit}").parse();
                tiles.push(tile.map_err(|_| format!("`{letter}{suit}` in `{text}` is no tile"))?);
            }
            '+' | '=' | '-' | '_' | '*' => {}
            _ => return Err(format!("`{text}` holds tiles that are not known")),
        }
    }
    Ok(tiles)
}

fn text<'a>(fields: &'a Value, name: &str) -> Result<&'a str, String> {
    fields.get(name).and_then(Value::as_str).ok_or_else(|| format!("no text `{name}`"))
}

fn one(fields: &Value, name: &str) -> Result<Tile, String> {
    match tiles(text(fields, name)?)?[..] {
        [tile] => Ok(tile),
        _ => Err(format!("`{name}` is not one tile")),
    }
}

/// The beginning of a deal, and its first indicator.
fn dealt(fields: &Value) -> Result<(DealBegins, Tile), String> {
    let number = |name: &str| count(fields, name).ok_or_else(|| format!("no number `{name}`"));
    let dealer = number("jushu")? as usize % PLAYERS;
    let dealt = fields.get("shoupai").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let mut hands: Vec<Tiles> = dealt
        .iter()
        .map(|hand| tiles(hand.as_str().unwrap_or_default()).map(seen))
        .collect::<Result<_, _>>()?;
    if hands.len() != PLAYERS {
        return Err("`shoupai` are not four hands".to_owned());
    }
    hands.rotate_right(dealer);
    let mut points = fields.get("defen").and_then(four).unwrap_or_default();
    if !points.is_empty() {
        points.rotate_right(dealer);
    }
    let begins = DealBegins {
        round: wind(u64::from(number("zhuangfeng")?)).ok_or("no such round")?,
        dealer,
        counters: number("changbang")?,
        sticks: number("lizhibang")?,
        hands,
        points,
    };
    Ok((begins, one(fields, "baopai")?))
}

/// The deal that an event belongs to.
struct Deal<'a> {
    /// The player who deals; the log counts from him.
    dealer: usize,
    building: &'a Building,
}

impl Deal<'_> {
    /// A player of the log's numbers.
    fn player(&self, from_dealer: u32) -> usize {
        (self.dealer + from_dealer as usize) % PLAYERS
    }

    fn actor(&self, fields: &Value) -> Result<usize, String> {
        let number = fields.get("l").and_then(Value::as_u64).filter(|number| *number < 4);
        number
            .map(|number| self.player(number as u32))
            .ok_or_else(|| "`l` is no player from 0 to 3".to_owned())
    }

    fn paid(&self, fields: &Value) -> Result<Vec<i64>, String> {
        let mut paid =
            fields.get("fenpei").and_then(four).ok_or("`fenpei` are not four numbers")?;
        paid.rotate_right(self.dealer);
        Ok(paid)
    }

    fn event(&self, kind: &str, fields: &Value) -> Result<Event, String> {
        Ok(match kind {
            "zimo" | "gangzimo" => {
                let tile = SeenFace::Tile(one(fields, "p")?);
                Event::Draw { player: self.actor(fields)?, tile }
            }
            "dapai" => {
                let signs = text(fields, "p")?;
                Event::Discard {
                    player: self.actor(fields)?,
                    tile: SeenFace::Tile(one(fields, "p")?),
                    sideways: signs.contains('*'),
                    drawn: Some(signs.contains('_')),
                }
            }
            "fulou" => self.claim(fields)?,
            "gang" => {
                let (player, set) = (self.actor(fields)?, text(fields, "m")?);
                let tiles = tiles(set)?;
                match tiles.last() {
                    // The added tile stands after the sign of the pung.
                    Some(added) if set.contains(['+', '=', '-']) => {
                        Event::AddedKong { player, tile: *added }
                    }
                    _ => Event::ConcealedKong { player, tiles: seen(tiles) },
                }
            }
            "kaigang" => Event::Indicator { tile: SeenFace::Tile(one(fields, "baopai")?) },
            "hule" => {
                let below = fields.get("fubaopai").and_then(Value::as_array);
                let below = below.into_iter().flatten();
                let below = below.map(|tile| tiles(tile.as_str().unwrap_or_default()));
                Event::Win {
                    player: self.actor(fields)?,
                    from: count(fields, "baojia").map(|from| self.player(from)),
                    below: seen(below.collect::<Result<Vec<_>, _>>()?.concat()),
                    paid: self.paid(fields)?,
                }
            }
            "pingju" => {
                let name = text(fields, "name")?;
                let why = end_named(&ENDS, name);
                Event::NoWin {
                    why: why.ok_or_else(|| format!("no end `{name}` is known"))?,
                    paid: self.paid(fields)?,
                }
            }
            other => return Err(format!("no event `{other}` is known")),
        })
    }

    fn claim(&self, fields: &Value) -> Result<Event, String> {
        let mut own = tiles(text(fields, "m")?)?;
        let offered = self.building.offered()?;
        let place = own.iter().rposition(|tile| SeenFace::Tile(*tile) == offered.tile);
        let wrong = || format!("{} was discarded, and is not claimed", offered.tile);
        let claimed = own.remove(place.ok_or_else(wrong)?);
        let is_chow = own.first().map(|tile| tile.face()) != Some(claimed.face());
        let kind = match own.len() {
            _ if is_chow => ClaimKind::Chow,
            2 => ClaimKind::Pung,
            _ => ClaimKind::Kong,
        };
        let (player, from) = (self.actor(fields)?, offered.player);
        Ok(Event::Claim { player, from, kind, tile: offered.tile, own: seen(own) })
    }
}
