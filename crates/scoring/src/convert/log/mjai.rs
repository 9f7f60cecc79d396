//! A game of mjai events.

use serde_json::Value;

use super::{
    GameLog, LogError, PLAYERS, four,
    play::{Place, Play},
    said,
};
use crate::{
    convert::{
        call::CallKind,
        mjai::{Event, tile, tiles},
    },
    tile::Seat,
};

/// Reads events with their places in the text.
pub(super) fn read(
    events: impl Iterator<Item = (String, Result<Value, serde_json::Error>)>,
) -> Result<GameLog, LogError> {
    let mut game = Game::default();
    for (at, event) in events {
        let wrong = |problem: String| LogError::new(&at, problem);
        let event = event.map_err(|error| wrong(format!("no mjai event: {error}")))?;
        let fields = event
            .as_object()
            .ok_or_else(|| wrong("no mjai event: expected a JSON object".to_owned()))?;
        let kind = fields.get("type").and_then(Value::as_str).unwrap_or_default();
        game.event(&Event { kind, fields }, &at).map_err(wrong)?;
    }
    let end = "the end";
    game.ended(end).map_err(|problem| LogError::new(end, problem))?;
    Ok(game.log)
}

#[derive(Default)]
struct Game {
    log: GameLog,
    play: Option<Play>,
    /// Who has said riichi and discards next.
    declares: bool,
    paid: [i64; PLAYERS],
}

impl Game {
    /// Ends the deal that was won, if one is played.
    fn ended(&mut self, at: &str) -> Result<(), String> {
        match self.play.take() {
            Some(play) if play.is_won() => self.log.deals.push(play.won(at, self.paid)),
            Some(_) => return Err("the deal before does not end: the log is cut off".to_owned()),
            None => {}
        }
        Ok(())
    }

    fn event(&mut self, event: &Event, at: &str) -> Result<(), String> {
        match event.kind {
            "start_game" => {
                let names = event.fields.get("names").and_then(Value::as_array);
                let names = names.into_iter().flatten().filter_map(Value::as_str);
                self.log.names = names.map(str::to_owned).collect();
            }
            "start_kyoku" => {
                self.ended(at)?;
                self.play = Some(dealt(event)?);
                (self.declares, self.paid) = (false, [0; PLAYERS]);
            }
            "end_kyoku" | "end_game" => self.ended(at)?,
            "none" | "reach_accepted" => {}
            "ryukyoku" => {
                let play = self.play.take().ok_or("a ryukyoku before start_kyoku")?;
                let (abortive, nagashi) = ended(event)?;
                let paid = event.fields.get("deltas").map_or(Some([0; PLAYERS]), four);
                let paid = paid.ok_or("`deltas` are not four numbers")?;
                self.log.deals.push(play.drawn_deal(at, paid, abortive, nagashi));
            }
            _ => {
                let play = self
                    .play
                    .as_mut()
                    .ok_or_else(|| format!("a {} before start_kyoku", event.kind))?;
                played(play, event, &mut self.declares, &mut self.paid)?;
            }
        }
        Ok(())
    }
}

fn player(event: &Event, name: &str) -> Result<usize, String> {
    event.player(name).map(|player| player as usize).map_err(said)
}

fn dealt(event: &Event) -> Result<Play, String> {
    let text = |name: &str| event.fields.get(name).and_then(Value::as_str);
    let number = |name: &str| {
        let number = event
            .fields
            .get(name)
            .and_then(Value::as_u64)
            .and_then(|number| number.try_into().ok());
        number.ok_or_else(|| format!("no number `{name}`"))
    };
    let round = text("bakaze").and_then(|wind| Seat::from_letter(wind.chars().next()?));
    let hands = event.fields.get("tehais").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let hands =
        hands.iter().map(|hand| tiles(hand).map_err(said)).collect::<Result<Vec<_>, _>>()?;
    let hands = hands.try_into().map_err(|_| "`tehais` are not four hands".to_owned())?;
    let place = Place {
        round: round.ok_or("no `bakaze`")?,
        dealer: player(event, "oya")?,
        honba: number("honba")?,
        sticks: number("kyotaku")?,
        dora: text("dora_marker")
            .ok_or("no `dora_marker`".to_owned())
            .and_then(|name| tile(name).map_err(said))?,
    };
    Play::dealt(place, hands)
}

/// The cause of an end without a winner, by the names that engines have for it, and whether discards were paid for.
fn ended(event: &Event) -> Result<(Option<&'static str>, bool), String> {
    let reason = event.fields.get("reason").and_then(Value::as_str).unwrap_or("fanpai");
    Ok(match reason {
        "exhaustive_draw" | "fanpai" | "howanpai" => (None, false),
        "nagashimangan" | "nagashi_mangan" => (None, true),
        "kyushukyuhai" | "kyushu_kyuhai" => (Some("nine_terminals"), false),
        "sufonrenta" | "sufuurenta" | "sufurenta" => (Some("four_winds"), false),
        "suchareach" | "suuchariichi" | "suucha_riichi" => (Some("four_riichi"), false),
        "sukaikan" | "suukansansen" | "suukaikan" => (Some("four_kongs"), false),
        "sanchahoa" | "sanchahou" => (Some("three_winners"), false),
        other => return Err(format!("no reason `{other}` is known for an end without a winner")),
    })
}

fn played(
    play: &mut Play,
    event: &Event,
    declares: &mut bool,
    paid: &mut [i64; PLAYERS],
) -> Result<(), String> {
    let pai = || event.pai().map_err(said);
    if event.kind == "dora" {
        let name =
            event.fields.get("dora_marker").and_then(Value::as_str).ok_or("no `dora_marker`")?;
        play.indicator(tile(name).map_err(said)?);
        return Ok(());
    }
    let actor = player(event, "actor")?;
    let own = |count| event.consumed(count).map_err(said);
    match event.kind {
        "tsumo" => play.draw(actor, pai()?),
        "reach" => *declares = true,
        "dahai" => play.discard(actor, pai()?, std::mem::take(declares))?,
        "chi" => play.claim(actor, CallKind::Chow, own(2)?)?,
        "pon" => play.claim(actor, CallKind::Pung, own(2)?)?,
        "daiminkan" => play.claim(actor, CallKind::Kong, own(3)?)?,
        "ankan" => play.concealed_kong(actor, own(4)?)?,
        "kakan" => play.added_kong(actor, pai()?)?,
        "hora" => {
            let from = Some(player(event, "target")?).filter(|target| *target != actor);
            let ura =
                ["ura_markers", "uradora_markers"].iter().find_map(|name| event.fields.get(*name));
            let ura = ura.map_or(Ok(Vec::new()), |list| tiles(list).map_err(said))?;
            let deltas =
                event.fields.get("deltas").and_then(four).ok_or("`deltas` are not four numbers")?;
            play.win(actor, from, ura)?;
            paid.iter_mut().zip(deltas).for_each(|(paid, more)| *paid += more);
        }
        other => return Err(format!("no event `{other}` of a game of four is known")),
    }
    Ok(())
}
