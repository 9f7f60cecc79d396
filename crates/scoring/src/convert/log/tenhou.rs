//! A game in the JSON of tenhou.net/6: of each deal what each player drew, called and discarded. Who comes next follows
//! from the turns, and from who can claim what was discarded.

use serde_json::{Map, Value};

use super::{
    GameLog, LogError, PLAYERS, count, four,
    play::{Place, Play},
    said, wind,
};
use crate::{
    convert::{
        call::{Call, CallKind},
        tenhou_log::{call, known},
    },
    tile::Tile,
};

/// A discard of the tile that was just drawn.
const DRAWN: u64 = 60;

pub(super) fn read(game: &Map<String, Value>) -> Result<GameLog, LogError> {
    let mut log = GameLog::default();
    let names = game.get("name").and_then(Value::as_array);
    log.names = names.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect();
    let deals = game.get("log").and_then(Value::as_array);
    for (number, deal) in
        deals.ok_or_else(|| LogError::new("log", "no list of deals"))?.iter().enumerate()
    {
        let at = format!("deal {}", number + 1);
        let items = deal.as_array().map_or(&[][..], Vec::as_slice);
        Deal::of(items)
            .and_then(|deal| deal.play(&at, &mut log))
            .map_err(|problem| LogError::new(&at, problem))?;
    }
    Ok(log)
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

struct Deal<'a> {
    play: Play,
    drawn: [Column<'a>; PLAYERS],
    discarded: [Column<'a>; PLAYERS],
    /// The indicators that kongs turn.
    indicators: std::vec::IntoIter<Tile>,
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

impl<'a> Deal<'a> {
    fn of(items: &'a [Value]) -> Result<Self, String> {
        let [place, _, dora, ura, rest @ ..] = items else {
            return Err("a deal of too few parts".to_owned());
        };
        let [columns @ .., result] = rest else { return Err("a deal without a result".to_owned()) };
        if columns.len() != 3 * PLAYERS {
            return Err(format!(
                "{} columns instead of three for each of four players",
                columns.len()
            ));
        }
        let mut dora = tiles(dora)?.into_iter();
        let number = count(place, 0).ok_or("no number of the deal")?;
        let place = Place {
            round: wind(u64::from(number) / 4).ok_or("no such round")?,
            dealer: number as usize % PLAYERS,
            honba: count(place, 1).ok_or("no number of counters")?,
            sticks: count(place, 2).ok_or("no number of sticks")?,
            dora: dora.next().ok_or("no dora indicator")?,
        };
        let mut hands: [Vec<Tile>; PLAYERS] = Default::default();
        let (mut drawn, mut discarded): ([Column; PLAYERS], [Column; PLAYERS]) = Default::default();
        for (player, part) in columns.chunks_exact(3).enumerate() {
            hands[player] = tiles(&part[0])?;
            drawn[player].items = part[1].as_array().map_or(&[][..], Vec::as_slice);
            discarded[player].items = part[2].as_array().map_or(&[][..], Vec::as_slice);
        }
        Ok(Self {
            play: Play::dealt(place, hands)?,
            drawn,
            discarded,
            indicators: dora,
            ura: tiles(ura)?,
            result: result.as_array().map_or(&[][..], Vec::as_slice),
        })
    }

    fn play(mut self, at: &str, log: &mut GameLog) -> Result<(), String> {
        let mut player = self.play.dealer();
        while let Some(next) = self.drawn[player].take() {
            match next {
                Value::String(text) => {
                    let call = called(text)?;
                    self.claim(player, &call)?;
                    if call.kind == CallKind::Kong {
                        // The discards have a zero in its place.
                        self.discarded[player].take();
                        self.turn_indicator();
                        continue;
                    }
                }
                code => self.play.draw(player, tile(code)?),
            }
            let Some(next) = self.discard(player)? else { break };
            player = next;
        }
        self.end(at, log)
    }

    fn turn_indicator(&mut self) {
        let next = self.indicators.next();
        next.into_iter().for_each(|tile| self.play.indicator(tile));
    }

    fn claim(&mut self, player: usize, call: &Call) -> Result<(), String> {
        let kind = call.kind;
        if !matches!(kind, CallKind::Chow | CallKind::Pung | CallKind::Kong) {
            return Err("a kong of the own hand among what was drawn".to_owned());
        }
        self.play.claim(player, kind, call.own())
    }

    /// The player's discard; `None` where the deal ends before it. Gives who comes next, who may be the same after a kong.
    fn discard(&mut self, player: usize) -> Result<Option<usize>, String> {
        let Some(next) = self.discarded[player].take() else { return Ok(None) };
        let (declares, code) = match next {
            Value::String(text) => match text.strip_prefix('r') {
                Some(code) => (true, code.parse().ok()),
                None => {
                    let call = called(text)?;
                    match call.added() {
                        Some(added) => self.play.added_kong(player, call.tiles[added])?,
                        None => self.play.concealed_kong(player, call.tiles)?,
                    }
                    self.turn_indicator();
                    return Ok(Some(player));
                }
            },
            code => (false, code.as_u64()),
        };
        let code = code.ok_or_else(|| format!("{next} is no discard"))?;
        let tile = match code {
            DRAWN => self.play.drawn().ok_or("a drawn tile is discarded, and none was drawn")?,
            code => known(code).map_err(said)?,
        };
        self.play.discard(player, tile, declares)?;
        let claims = (1..PLAYERS).map(|step| (player + step) % PLAYERS);
        // Whoever takes a pung or a kong goes before a chow of the next player.
        let claims = claims.filter_map(|other| {
            let call = called(self.drawn[other].peek()?.as_str()?).ok()?;
            let claimed = call.tiles[call.claimed()?];
            let giver = (other
                + match call.giver? {
                    crate::tile::Side::Right => 1,
                    crate::tile::Side::Opposite => 2,
                    crate::tile::Side::Left => 3,
                })
                % PLAYERS;
            (claimed == tile && giver == player).then_some((call.kind == CallKind::Chow, other))
        });
        Ok(Some(claims.min().map_or((player + 1) % PLAYERS, |(_, other)| other)))
    }

    fn end(mut self, at: &str, log: &mut GameLog) -> Result<(), String> {
        let [what, rest @ ..] = self.result else { return Err("no result".to_owned()) };
        let what = what.as_str().unwrap_or_default();
        if what == "和了" {
            let mut paid = [0; PLAYERS];
            for won in rest.chunks(2) {
                let [deltas, by] = won else { return Err("a winner without payments".to_owned()) };
                let deltas = four(deltas).ok_or("the payments are not four numbers")?;
                paid.iter_mut().zip(deltas).for_each(|(paid, more)| *paid += more);
                let who = |place| {
                    count(by, place).map(|player| player as usize % PLAYERS).ok_or("no winner")
                };
                let (winner, from) = (who(0)?, who(1)?);
                self.play.win(
                    winner,
                    Some(from).filter(|from| *from != winner),
                    self.ura.clone(),
                )?;
            }
            log.deals.push(self.play.won(at, paid));
            return Ok(());
        }
        let (abortive, nagashi) = match what {
            "流局" | "全員聴牌" | "全員不聴" => (None, false),
            "流し満貫" => (None, true),
            "九種九牌" => (Some("nine_terminals"), false),
            "四風連打" => (Some("four_winds"), false),
            "四家立直" => (Some("four_riichi"), false),
            "四槓散了" | "四開槓" => (Some("four_kongs"), false),
            "三家和了" | "三家和" => (Some("three_winners"), false),
            other => return Err(format!("no result `{other}` is known")),
        };
        let paid = rest
            .first()
            .map_or(Some([0; PLAYERS]), four)
            .ok_or("the payments are not four numbers")?;
        log.deals.push(self.play.drawn_deal(at, paid, abortive, nagashi));
        Ok(())
    }
}
