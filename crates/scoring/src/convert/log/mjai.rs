//! A game of mjai events, read and written. `?` is a tile that whoever wrote the log did not see.

use serde_json::{Value, json};

use super::{Building, LogError, PLAYERS, count, end_named, four, name_of_end, names, said};
use crate::{
    convert::{
        Converted,
        mjai::{Event as MjaiEvent, name, tile},
    },
    record::{Board, ClaimKind, DealBegins, Event, NoWin, Record, Tiles},
    tile::{Seat, SeenFace, Tile},
};

/// The ends without a winner, by the names that engines have for them; the first of each is written.
const ENDS: [(&str, NoWin); 18] = [
    ("fanpai", NoWin::Exhausted),
    ("exhaustive_draw", NoWin::Exhausted),
    ("howanpai", NoWin::Exhausted),
    ("nagashimangan", NoWin::Nagashi),
    ("nagashi_mangan", NoWin::Nagashi),
    ("kyushukyuhai", NoWin::NineTerminals),
    ("kyushu_kyuhai", NoWin::NineTerminals),
    ("sufonrenta", NoWin::FourWinds),
    ("sufuurenta", NoWin::FourWinds),
    ("sufurenta", NoWin::FourWinds),
    ("suchareach", NoWin::FourRiichi),
    ("suuchariichi", NoWin::FourRiichi),
    ("suucha_riichi", NoWin::FourRiichi),
    ("sukaikan", NoWin::FourKongs),
    ("suukaikan", NoWin::FourKongs),
    ("suukansansen", NoWin::FourKongs),
    ("sanchahoa", NoWin::ThreeWinners),
    ("sanchahou", NoWin::ThreeWinners),
];
const UNKNOWN: &str = "?";

/// Reads events with their places in the text.
pub(super) fn read(
    events: impl Iterator<Item = (String, Result<Value, serde_json::Error>)>,
) -> Result<Record, LogError> {
    let mut game = Game::default();
    for (at, event) in events {
        let wrong = |problem: String| LogError::new(&at, problem);
        let event = event.map_err(|error| wrong(format!("no mjai event: {error}")))?;
        let fields = event
            .as_object()
            .ok_or_else(|| wrong("no mjai event: expected a JSON object".to_owned()))?;
        let kind = fields.get("type").and_then(Value::as_str).unwrap_or_default();
        for event in game.events(&MjaiEvent { kind, fields }).map_err(wrong)? {
            game.building.push(&at, event)?;
        }
    }
    if game.has_result() {
        game.building.push("the end", Event::End)?;
    }
    Ok(game.building.done())
}

#[derive(Default)]
struct Game {
    building: Building,
    is_named: bool,
    /// Somebody has said riichi and discards next.
    declares: bool,
}

impl Game {
    /// Whether a deal has a result, and its end is not logged yet.
    fn has_result(&self) -> bool {
        self.building.board().is_some_and(Board::has_result)
    }

    /// An event as a record has it, with those that mjai leaves out.
    fn events(&mut self, event: &MjaiEvent) -> Result<Vec<Event>, String> {
        let ended = || self.has_result().then_some(Event::End);
        match event.kind {
            "start_game" => {
                self.is_named = true;
                Ok(vec![Event::Game { players: names(event.fields.get("names")) }])
            }
            "start_kyoku" => {
                let ended = ended();
                let named = (!std::mem::replace(&mut self.is_named, true))
                    .then(|| Event::Game { players: names(None) });
                self.declares = false;
                let (begins, indicator) = dealt(event)?;
                let begins = [Event::Deal(begins), Event::Indicator { tile: indicator }];
                Ok(ended.into_iter().chain(named).chain(begins).collect())
            }
            "end_kyoku" | "end_game" => Ok(match self.building.board() {
                Some(_) => vec![Event::End],
                None => Vec::new(),
            }),
            "none" | "reach_accepted" => Ok(Vec::new()),
            kind if self.building.board().is_none() => Err(format!("a {kind} before start_kyoku")),
            "reach" => {
                self.declares = true;
                Ok(Vec::new())
            }
            _ => Ok(vec![played(event, &mut self.declares)?]),
        }
    }
}

fn player(event: &MjaiEvent, name: &str) -> Result<usize, String> {
    event.player(name).map(|player| player as usize).map_err(said)
}

/// A tile that may not be known.
fn seen_tile(name: &str) -> Result<SeenFace, String> {
    if name == UNKNOWN {
        Ok(SeenFace::Unknown)
    } else {
        tile(name).map(SeenFace::Tile).map_err(said)
    }
}

fn seen_field(event: &MjaiEvent, name: &str) -> Result<SeenFace, String> {
    let text = event.fields.get(name).and_then(Value::as_str);
    seen_tile(text.ok_or_else(|| format!("no `{name}`"))?)
}

fn seen_tiles(list: &Value) -> Result<Tiles, String> {
    let list = list.as_array().ok_or_else(|| format!("{list} is no list of tiles"))?;
    let name = |tile: &Value| seen_tile(tile.as_str().ok_or_else(|| format!("{tile} is no tile"))?);
    list.iter().map(name).collect()
}

fn consumed(event: &MjaiEvent) -> Result<Tiles, String> {
    seen_tiles(event.fields.get("consumed").ok_or("no `consumed`")?)
}

fn dealt(event: &MjaiEvent) -> Result<(DealBegins, SeenFace), String> {
    let fields = Value::Object(event.fields.clone());
    let number = |name: &str| count(&fields, name).ok_or_else(|| format!("no number `{name}`"));
    let wind = event.fields.get("bakaze").and_then(Value::as_str);
    let round = wind.and_then(|wind| Seat::from_letter(wind.chars().next()?));
    let hands = event.fields.get("tehais").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let hands: Vec<Tiles> = hands.iter().map(seen_tiles).collect::<Result<_, _>>()?;
    if hands.len() != PLAYERS {
        return Err("`tehais` are not four hands".to_owned());
    }
    let begins = DealBegins {
        round: round.ok_or("no `bakaze`")?,
        dealer: player(event, "oya")?,
        counters: number("honba")?,
        sticks: number("kyotaku")?,
        hands,
        points: event.fields.get("scores").and_then(four).unwrap_or_default(),
    };
    Ok((begins, seen_field(event, "dora_marker")?))
}

/// What was paid; empty where the log does not say.
fn paid(event: &MjaiEvent) -> Result<Vec<i64>, String> {
    let deltas = event.fields.get("deltas");
    deltas.map_or(Ok(Vec::new()), |deltas| {
        four(deltas).ok_or_else(|| "`deltas` are not four numbers".to_owned())
    })
}

/// An event in the middle of a deal.
fn played(event: &MjaiEvent, declares: &mut bool) -> Result<Event, String> {
    let pai = || seen_field(event, "pai");
    match event.kind {
        "dora" => return Ok(Event::Indicator { tile: seen_field(event, "dora_marker")? }),
        "ryukyoku" => {
            let reason = event.fields.get("reason").and_then(Value::as_str).unwrap_or("fanpai");
            let why = end_named(&ENDS, reason).ok_or_else(|| {
                format!("no reason `{reason}` is known for an end without a winner")
            })?;
            // Engines leave out payments of nothing.
            let paid = Some(paid(event)?).filter(|paid| !paid.is_empty());
            return Ok(Event::NoWin { why, paid: paid.unwrap_or(vec![0; PLAYERS]) });
        }
        _ => {}
    }
    let player = self::player(event, "actor")?;
    let claim = |kind: ClaimKind| {
        let (from, tile) = (self::player(event, "target")?, pai()?);
        Ok::<_, String>(Event::Claim { player, from, kind, tile, own: consumed(event)? })
    };
    Ok(match event.kind {
        "tsumo" => Event::Draw { player, tile: pai()? },
        "dahai" => Event::Discard {
            player,
            tile: pai()?,
            sideways: std::mem::take(declares),
            drawn: event.fields.get("tsumogiri").and_then(Value::as_bool),
        },
        "chi" => claim(ClaimKind::Chow)?,
        "pon" => claim(ClaimKind::Pung)?,
        "daiminkan" => claim(ClaimKind::Kong)?,
        "ankan" => Event::ConcealedKong { player, tiles: consumed(event)? },
        "kakan" => Event::AddedKong { player, tile: event.pai().map_err(said)? },
        "hora" => {
            let below =
                ["ura_markers", "uradora_markers"].iter().find_map(|name| event.fields.get(*name));
            Event::Win {
                player,
                from: Some(self::player(event, "target")?).filter(|target| *target != player),
                below: below.map_or(Ok(Tiles::default()), seen_tiles)?,
                paid: paid(event)?,
            }
        }
        other => return Err(format!("no event `{other}` of a game of four is known")),
    })
}

/// Writes a record of riichi for four.
pub(super) fn print(record: &Record) -> Result<Converted<String>, LogError> {
    let mut writer = Writer::default();
    for (place, event) in record.events.iter().enumerate() {
        let next = record.events.get(place + 1);
        let wrong = |problem: String| LogError::new(&record.places[place], problem);
        writer.event(event, next).map_err(wrong)?;
    }
    writer.line(json!({ "type": "end_game" }));
    Ok(Converted { value: writer.text, notes: writer.notes })
}

#[derive(Default)]
struct Writer {
    text: String,
    notes: Vec<String>,
    board: Option<Board>,
    /// Who has declared riichi in this deal.
    riichi: [bool; PLAYERS],
    /// The deal waits for its first indicator, which mjai has in the same event.
    begins: Option<DealBegins>,
}

impl Writer {
    fn line(&mut self, event: Value) {
        self.text += &event.to_string();
        self.text.push('\n');
    }

    fn note(&mut self, note: &str) {
        if !self.notes.iter().any(|known| known == note) {
            self.notes.push(note.to_owned());
        }
    }

    fn event(&mut self, event: &Event, next: Option<&Event>) -> Result<(), String> {
        let indicator = match event {
            Event::Indicator { tile } => Some(*tile),
            _ => None,
        };
        self.board.as_mut().map_or(Ok(()), |board| board.apply(event))?;
        if let Some(begins) = self.begins.take() {
            self.begin(&begins, indicator.unwrap_or(SeenFace::Unknown))?;
            if indicator.is_some() {
                return Ok(());
            }
        }
        if *event == Event::End {
            self.board = None;
        }
        match event {
            Event::Game { players } => {
                self.line(json!({ "type": "start_game", "names": players }));
            }
            Event::Deal(begins) => {
                if begins.hands.len() != PLAYERS {
                    return Err("mjai is written for games of four".to_owned());
                }
                self.board = Some(Board::new(begins)?);
                (self.riichi, self.begins) = ([false; PLAYERS], Some(begins.clone()));
            }
            Event::Discard { player, tile, sideways, drawn } => {
                let declared = self.riichi.get_mut(*player).ok_or("there is no such player")?;
                let declares = *sideways && !*declared;
                *declared |= sideways;
                self.discard(*player, *tile, declares, *drawn, next)?;
            }
            Event::Opened { .. } => self.note("mjai does not open hands: those are left out"),
            Event::Gap { .. } => self.note("mjai has no gaps: those are left out"),
            other => {
                let line = self.played(other)?;
                line.into_iter().for_each(|line| self.line(line));
            }
        }
        Ok(())
    }

    fn begin(&mut self, begins: &DealBegins, indicator: SeenFace) -> Result<(), String> {
        let hands: Vec<Value> =
            begins.hands.iter().map(|hand| names_of(&hand.0)).collect::<Result<_, _>>()?;
        let mut line = json!({
            "type": "start_kyoku", "bakaze": begins.round, "kyoku": begins.dealer + 1,
            "honba": begins.counters, "kyotaku": begins.sticks, "oya": begins.dealer,
            "dora_marker": name_of(indicator)?, "tehais": hands,
        });
        if !begins.points.is_empty() {
            line["scores"] = json!(begins.points);
        }
        self.line(line);
        Ok(())
    }

    fn discard(
        &mut self,
        actor: usize,
        tile: SeenFace,
        declares: bool,
        drawn: Option<bool>,
        next: Option<&Event>,
    ) -> Result<(), String> {
        if declares {
            self.line(json!({ "type": "reach", "actor": actor }));
        }
        let mut line = json!({ "type": "dahai", "actor": actor, "pai": name_of(tile)? });
        if let Some(drawn) = drawn {
            line["tsumogiri"] = drawn.into();
        }
        self.line(line);
        if declares && !matches!(next, Some(Event::Win { .. })) {
            self.line(json!({ "type": "reach_accepted", "actor": actor }));
        }
        Ok(())
    }

    /// The one event that mjai has for an event in the middle of a deal.
    fn played(&self, event: &Event) -> Result<Option<Value>, String> {
        Ok(Some(match event {
            Event::Indicator { tile } => json!({ "type": "dora", "dora_marker": name_of(*tile)? }),
            Event::Draw { player, tile } => {
                json!({ "type": "tsumo", "actor": player, "pai": name_of(*tile)? })
            }
            Event::Claim { player, from, kind, tile, own } => {
                let kind = match kind {
                    ClaimKind::Chow => "chi",
                    ClaimKind::Pung => "pon",
                    ClaimKind::Kong => "daiminkan",
                };
                json!({
                    "type": kind, "actor": player, "target": from, "pai": name_of(*tile)?,
                    "consumed": names_of(&own.0)?,
                })
            }
            Event::ConcealedKong { player, tiles } => {
                json!({ "type": "ankan", "actor": player, "consumed": names_of(&tiles.0)? })
            }
            Event::AddedKong { player, tile } => {
                let pung = self.pung_under(*player, *tile);
                json!({
                    "type": "kakan", "actor": player, "pai": name(*tile), "consumed": names_of(&pung)?,
                })
            }
            Event::Win { player, from, below, paid } => {
                let mut line =
                    json!({ "type": "hora", "actor": player, "target": from.unwrap_or(*player) });
                if !below.is_empty() {
                    line["ura_markers"] = names_of(&below.0)?;
                }
                with_paid(line, paid)
            }
            Event::NoWin { why, paid } => {
                with_paid(json!({ "type": "ryukyoku", "reason": name_of_end(&ENDS, *why) }), paid)
            }
            Event::End => json!({ "type": "end_kyoku" }),
            Event::SetOut { .. } => {
                return Err("mjai for four has no tile that is set aside".to_owned());
            }
            _ => return Ok(None),
        }))
    }

    /// The pung that a tile was added to.
    fn pung_under(&self, player: usize, added: Tile) -> Vec<SeenFace> {
        let held = self.board.as_ref().and_then(|board| board.players.get(player));
        let kong = held.and_then(|held| held.kong_with(added));
        let mut tiles: Vec<SeenFace> =
            kong.into_iter().flat_map(|set| &set.tiles).map(|tile| tile.face).collect();
        // The added tile is the first of the two that lie sideways.
        if let Some(place) = tiles.iter().position(|tile| *tile == SeenFace::Tile(added)) {
            tiles.remove(place);
        }
        tiles
    }
}

fn with_paid(mut line: Value, paid: &[i64]) -> Value {
    if !paid.is_empty() {
        line["deltas"] = json!(paid);
    }
    line
}

fn name_of(tile: SeenFace) -> Result<String, String> {
    match tile {
        SeenFace::Tile(tile) if tile.face().is_bonus() => {
            Err(format!("mjai has no flowers, such as {tile}"))
        }
        SeenFace::Tile(tile) => Ok(name(tile)),
        SeenFace::Back | SeenFace::Unknown => Ok(UNKNOWN.to_owned()),
    }
}

fn names_of(tiles: &[SeenFace]) -> Result<Value, String> {
    Ok(tiles.iter().map(|tile| name_of(*tile)).collect::<Result<Vec<_>, _>>()?.into())
}
