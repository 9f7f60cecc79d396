//! A game in Majiang's JSON. Players are numbered from the dealer of the deal on, tiles are a suit with its digits (`m123p0`),
//! `0` a red five, `z1` to `z7` the honors.

use serde_json::{Map, Value};

use super::{
    GameLog, LogError, PLAYERS, count, four,
    play::{Place, Play},
    wind,
};
use crate::{convert::call::CallKind, tile::Tile};

pub(super) fn read(game: &Map<String, Value>) -> Result<GameLog, LogError> {
    let mut log = GameLog::default();
    let names = game.get("player").and_then(Value::as_array);
    log.names = names.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect();
    let first = game.get("qijia").and_then(Value::as_u64).unwrap_or(0) as usize % PLAYERS;
    if log.names.len() == PLAYERS {
        log.names.rotate_left(first);
    }
    let deals = game.get("log").and_then(Value::as_array);
    for (number, deal) in
        deals.ok_or_else(|| LogError::new("log", "no list of deals"))?.iter().enumerate()
    {
        let mut play: Option<Deal> = None;
        for (place, event) in deal.as_array().into_iter().flatten().enumerate() {
            let at = format!("deal {}, event {}", number + 1, place + 1);
            let wrong = |problem: String| LogError::new(&at, problem);
            let named = event.as_object().and_then(|event| event.iter().next());
            let (kind, fields) = named.ok_or_else(|| wrong("no event".to_owned()))?;
            match (&mut play, kind.as_str()) {
                (None, "qipai") => play = Some(Deal::of(fields).map_err(wrong)?),
                (None, _) => return Err(wrong(format!("a {kind} before qipai"))),
                (Some(play), _) => play.event(kind, fields).map_err(wrong)?,
            }
        }
        let at = format!("deal {}", number + 1);
        let ended = play.ok_or("no tiles are dealt".to_owned()).and_then(|play| play.ended(&at));
        log.deals.push(ended.map_err(|problem| LogError::new(&at, problem))?);
    }
    Ok(log)
}

struct Deal {
    play: Play,
    /// The player who deals; the log counts from him.
    dealer: usize,
    paid: [i64; PLAYERS],
    /// How it ended without a winner.
    drawn: Option<(Option<&'static str>, bool)>,
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

impl Deal {
    fn of(fields: &Value) -> Result<Self, String> {
        let number = |name: &str| count(fields, name).ok_or_else(|| format!("no number `{name}`"));
        let dealer = number("jushu")? as usize % PLAYERS;
        let dealt = fields.get("shoupai").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let dealt = dealt
            .iter()
            .map(|hand| tiles(hand.as_str().unwrap_or_default()))
            .collect::<Result<Vec<_>, _>>()?;
        let mut hands: [Vec<Tile>; PLAYERS] =
            dealt.try_into().map_err(|_| "`shoupai` are not four hands".to_owned())?;
        hands.rotate_right(dealer);
        let place = Place {
            round: wind(u64::from(number("zhuangfeng")?)).ok_or("no such round")?,
            dealer,
            honba: number("changbang")?,
            sticks: number("lizhibang")?,
            dora: one(fields, "baopai")?,
        };
        Ok(Self { play: Play::dealt(place, hands)?, dealer, paid: [0; PLAYERS], drawn: None })
    }

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

    fn payments(&mut self, fields: &Value) -> Result<(), String> {
        let mut paid =
            fields.get("fenpei").and_then(four).ok_or("`fenpei` are not four numbers")?;
        paid.rotate_right(self.dealer);
        self.paid.iter_mut().zip(paid).for_each(|(paid, more)| *paid += more);
        Ok(())
    }

    fn event(&mut self, kind: &str, fields: &Value) -> Result<(), String> {
        match kind {
            "zimo" | "gangzimo" => self.play.draw(self.actor(fields)?, one(fields, "p")?),
            "dapai" => {
                let declares = text(fields, "p")?.contains('*');
                self.play.discard(self.actor(fields)?, one(fields, "p")?, declares)?;
            }
            "fulou" => {
                let actor = self.actor(fields)?;
                let (mut own, (_, claimed)) = (
                    tiles(text(fields, "m")?)?,
                    self.play.offered().ok_or("a fulou without a discard before it")?,
                );
                let place = own.iter().rposition(|tile| *tile == claimed);
                own.remove(
                    place.ok_or_else(|| format!("{claimed} was discarded, and is not claimed"))?,
                );
                let is_chow = own.first().map(|tile| tile.face()) != Some(claimed.face());
                let kind = match own.len() {
                    _ if is_chow => CallKind::Chow,
                    2 => CallKind::Pung,
                    _ => CallKind::Kong,
                };
                self.play.claim(actor, kind, own)?;
            }
            "gang" => {
                let (actor, set) = (self.actor(fields)?, text(fields, "m")?);
                let tiles = tiles(set)?;
                match tiles.last() {
                    // The added tile stands after the sign of the pung.
                    Some(added) if set.contains(['+', '=', '-']) => {
                        self.play.added_kong(actor, *added)?
                    }
                    _ => self.play.concealed_kong(actor, tiles)?,
                }
            }
            "kaigang" => self.play.indicator(one(fields, "baopai")?),
            "hule" => {
                let from = count(fields, "baojia").map(|from| self.player(from));
                let ura = fields.get("fubaopai").and_then(Value::as_array);
                let ura =
                    ura.into_iter().flatten().map(|tile| tiles(tile.as_str().unwrap_or_default()));
                let ura = ura.collect::<Result<Vec<_>, _>>()?.concat();
                self.play.win(self.actor(fields)?, from, ura)?;
                self.payments(fields)?;
            }
            "pingju" => {
                self.drawn = Some(match text(fields, "name")? {
                    "荒牌平局" => (None, false),
                    "流し満貫" => (None, true),
                    "九種九牌" => (Some("nine_terminals"), false),
                    "四風連打" => (Some("four_winds"), false),
                    "四家立直" => (Some("four_riichi"), false),
                    "四開槓" => (Some("four_kongs"), false),
                    "三家和" => (Some("three_winners"), false),
                    other => return Err(format!("no end `{other}` is known")),
                });
                self.payments(fields)?;
            }
            other => return Err(format!("no event `{other}` is known")),
        }
        Ok(())
    }

    fn ended(self, at: &str) -> Result<super::LoggedDeal, String> {
        match self.drawn {
            Some((abortive, nagashi)) => Ok(self.play.drawn_deal(at, self.paid, abortive, nagashi)),
            None if self.play.is_won() => Ok(self.play.won(at, self.paid)),
            None => Err("it does not end: the log is cut off".to_owned()),
        }
    }
}
