//! Events of the mjai protocol that describe a hand: `chi`, `pon`, `daiminkan`, `kakan`, `ankan` for
//! sets laid apart, `hora` for the concealed tiles and the winning one, or, before a win, the list of tiles
//! that `tehais` holds of a player. Tiles are `1m`-`9s`, `5mr` for a red five, `E S W N P F C` for honors.

use serde_json::{Map, Value, json};

use super::{
    ConvertError, Converted, HandFormat,
    call::{Call, CallKind},
    seen,
};
use crate::{
    hand::{Reading, SeenSet},
    tile::{Face, SeenFace, Side, Suit, Tile},
};

const FORMAT: HandFormat = HandFormat::Mjai;
const HONORS: [&str; 7] = ["E", "S", "W", "N", "P", "F", "C"];

pub(super) fn tile(text: &str) -> Result<Tile, ConvertError> {
    let honor = HONORS.iter().position(|honor| *honor == text);
    let found = match honor {
        Some(place) => Face::new(Suit::Honors, place as u8 + 1).map(Tile::new),
        None => match text.strip_suffix('r') {
            Some(five) => five.strip_prefix('5').and_then(|suit| format!("0{suit}").parse().ok()),
            None => text.parse().ok().filter(|tile: &Tile| {
                !tile.is_red() && !tile.face().is_honor() && !tile.face().is_bonus()
            }),
        },
    };
    found.ok_or_else(|| {
        FORMAT
            .error(format!("`{text}` is no tile: expected such as 4p, 5mr or one of E S W N P F C"))
    })
}

pub(super) fn name(tile: Tile) -> String {
    let face = tile.face();
    if face.is_honor() {
        return HONORS
            .get(usize::from(face.number() - 1))
            .map_or_else(String::new, ToString::to_string);
    }
    format!("{face}{}", if tile.is_red() { "r" } else { "" })
}

fn names(tiles: impl IntoIterator<Item = Tile>) -> Value {
    tiles.into_iter().map(|tile| Value::from(name(tile))).collect()
}

pub(super) fn tiles(list: &Value) -> Result<Vec<Tile>, ConvertError> {
    let Value::Array(list) = list else {
        return Err(FORMAT.error(format!("{list} is no list of tiles")));
    };
    (list.iter())
        .map(|name| match name {
            Value::String(name) => tile(name),
            other => Err(FORMAT.error(format!("{other} is no tile"))),
        })
        .collect()
}

/// The events of a text: one a line, or one list of all.
fn events(text: &str) -> Result<Vec<Value>, ConvertError> {
    let mut events = Vec::new();
    for value in serde_json::Deserializer::from_str(text).into_iter::<Value>() {
        match value.map_err(|error| FORMAT.error(error.to_string()))? {
            Value::Array(list) if list.iter().any(Value::is_object) => events.extend(list),
            value => events.push(value),
        }
    }
    Ok(events)
}

/// The fields of an event.
pub(super) struct Event<'a> {
    pub kind: &'a str,
    pub fields: &'a Map<String, Value>,
}

impl Event<'_> {
    fn wrong(&self, why: &str) -> ConvertError {
        FORMAT.error(format!("event {}: {why}", self.kind))
    }

    fn field(&self, name: &str) -> Result<&Value, ConvertError> {
        self.fields.get(name).ok_or_else(|| self.wrong(&format!("no `{name}`")))
    }

    pub(super) fn player(&self, name: &str) -> Result<u64, ConvertError> {
        (self.field(name)?.as_u64().filter(|player| *player < 4))
            .ok_or_else(|| self.wrong(&format!("`{name}` is no player from 0 to 3")))
    }

    pub(super) fn pai(&self) -> Result<Tile, ConvertError> {
        match self.field("pai")? {
            Value::String(name) => tile(name),
            other => Err(self.wrong(&format!("`pai` is {other}"))),
        }
    }

    pub(super) fn consumed(&self, count: usize) -> Result<Vec<Tile>, ConvertError> {
        let tiles = tiles(self.field("consumed")?)?;
        if tiles.len() != count {
            return Err(
                self.wrong(&format!("`consumed` has {} tiles instead of {count}", tiles.len()))
            );
        }
        Ok(tiles)
    }

    fn giver(&self) -> Result<Side, ConvertError> {
        match (4 + self.player("target")? - self.player("actor")?) % 4 {
            1 => Ok(Side::Right),
            2 => Ok(Side::Opposite),
            3 => Ok(Side::Left),
            _ => Err(self.wrong("`target` is `actor`")),
        }
    }
}

/// A call whose tiles are a set.
fn checked(call: &Call) -> Result<SeenSet, ConvertError> {
    let set = call.seen();
    Call::try_from(&set)?;
    Ok(set)
}

/// Adds the fourth tile to the pung that was claimed before.
fn add(
    sets: &mut Vec<SeenSet>,
    pai: Tile,
    consumed: Vec<Tile>,
) -> Result<Option<String>, ConvertError> {
    if let Some((set, kong)) =
        sets.iter_mut().find_map(|set| set.with_added(pai).map(|kong| (set, kong)))
    {
        Call::try_from(&kong)?;
        *set = kong;
        return Ok(None);
    }
    let tiles = std::iter::once(pai).chain(consumed).collect();
    sets.push(checked(&Call { kind: CallKind::Kong, giver: None, tiles })?);
    Ok(Some(format!("no pon before the kakan of {pai}: who gave the pung is not known")))
}

pub(super) fn parse(text: &str) -> Result<Converted<Reading>, ConvertError> {
    let mut hand = Reading::default();
    let mut notes = Vec::new();
    let (mut player, mut has_tiles) = (None, false);
    for event in events(text)? {
        let Value::Object(fields) = &event else {
            if std::mem::replace(&mut has_tiles, true) {
                return Err(FORMAT.error("concealed tiles twice"));
            }
            hand.concealed = seen(tiles(&event)?);
            continue;
        };
        let kind = fields.get("type").and_then(Value::as_str).unwrap_or_default();
        let event = Event { kind, fields };
        if !matches!(kind, "chi" | "pon" | "daiminkan" | "kakan" | "ankan" | "hora") {
            return Err(event.wrong("expected chi, pon, daiminkan, kakan, ankan or hora, the events that say what one hand holds"));
        }
        let actor = event.player("actor")?;
        if *player.get_or_insert(actor) != actor {
            return Err(event.wrong("another `actor` than before: give the events of one player"));
        }
        match kind {
            "hora" => {
                if std::mem::replace(&mut has_tiles, true) {
                    return Err(event.wrong("concealed tiles twice"));
                }
                let winning = event.pai()?;
                let mut held = tiles(event.field("hora_tehais")?)?;
                // Self-drawn, the winning tile is among them.
                if held.len() % 3 == 2 {
                    let place = held.iter().rposition(|tile| *tile == winning);
                    held.remove(place.ok_or_else(|| event.wrong("`pai` is not in `hora_tehais`"))?);
                }
                hand.concealed = seen(held);
                hand.winning = Some(SeenFace::Tile(winning));
            }
            "kakan" => notes.extend(add(&mut hand.sets, event.pai()?, event.consumed(3)?)?),
            "ankan" => {
                let tiles = event.consumed(4)?;
                hand.sets.push(checked(&Call {
                    kind: CallKind::ConcealedKong,
                    giver: None,
                    tiles,
                })?);
            }
            _ => {
                let (kind, count) = match kind {
                    "chi" => (CallKind::Chow, 2),
                    "pon" => (CallKind::Pung, 2),
                    _ => (CallKind::Kong, 3),
                };
                let giver = event.giver()?;
                if kind == CallKind::Chow && giver != Side::Left {
                    return Err(event.wrong(
                        "a chow is claimed from the player before, `target` = `actor` - 1",
                    ));
                }
                let own = event.consumed(count)?;
                let set = SeenSet::claimed(giver, SeenFace::Tile(event.pai()?), seen(own));
                if Call::try_from(&set)?.kind != kind {
                    return Err(event.wrong(&format!("{set} is another kind of set")));
                }
                hand.sets.push(set);
            }
        }
    }
    Ok(Converted { value: hand, notes })
}

pub(super) fn print(hand: &Reading) -> Result<Converted<String>, ConvertError> {
    FORMAT.no_bonus(hand)?;
    let mut lines = Vec::new();
    let mut notes = Vec::new();
    for set in &hand.sets {
        let call = Call::try_from(set)?;
        if call.kind == CallKind::ConcealedKong {
            lines.push(json!({ "type": "ankan", "actor": 0, "consumed": names(call.tiles) }));
            continue;
        }
        let (Some(claimed), Some(giver)) = (call.claimed(), call.giver) else {
            return Err(FORMAT.cannot(format!(
                "{set} does not show which tile was claimed from whom: mark it, such as (7'77z)"
            )));
        };
        let target = match giver {
            Side::Right => 1,
            Side::Opposite => 2,
            Side::Left => 3,
        };
        let kind = match call.kind {
            CallKind::Chow => "chi",
            CallKind::Kong => "daiminkan",
            _ => "pon",
        };
        let claimed = call.tiles[claimed];
        lines.push(json!({
            "type": kind, "actor": 0, "target": target, "pai": name(claimed), "consumed": names(call.own()),
        }));
        if let Some(added) = call.added() {
            let pung = std::iter::once(claimed).chain(call.own());
            lines.push(json!({
                "type": "kakan", "actor": 0, "pai": name(call.tiles[added]), "consumed": names(pung),
            }));
        }
    }
    let concealed = names(FORMAT.known_tiles(&hand.concealed)?);
    match hand.winning {
        None => lines.push(concealed),
        Some(_) if hand.concealed.len() % 3 == 2 => {
            return Err(FORMAT.cannot(format!(
                "{} concealed tiles beside the winning one: a hora holds 13, 10, 7, 4 or 1",
                hand.concealed.len()
            )));
        }
        Some(winning) => {
            let pai = FORMAT.known_tiles(&[winning])?;
            notes.push("mjai's hora says who was won from: `target` is left out".to_owned());
            lines.push(json!({
                "type": "hora", "actor": 0, "pai": pai.first().map(|tile| name(*tile)), "hora_tehais": concealed,
            }));
        }
    }
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    Ok(Converted { value: lines.join("\n"), notes })
}
