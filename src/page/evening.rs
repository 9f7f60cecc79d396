//! An evening at a table that a page keeps without a server: its events go in, and come out with one more.

use std::collections::BTreeMap;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{
    Context, ContextError,
    deals::{Drawn, EntryTarget, Said, Won, seating},
};
use crate::{
    points::Points,
    rules::{Library, RuleSet},
    table::{Event, Opened, Proposal, Recorded, Seated, Table, TableError},
    tile::Seat,
    words::Say,
};

/// The author of entries by a page without a server.
const AUTHOR: &str = "pocket";

/// The events so far, and the new one.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Evening {
    /// The events so far.
    #[serde(default)]
    events: Vec<Recorded>,
    /// The new event.
    #[serde(default)]
    now: Option<Happens>,
    /// The time of the new event.
    at: Timestamp,
    /// The entry is intended, although it looks like a slip.
    #[serde(default)]
    meant: bool,
}

/// A new event at a table, as a page gives it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Happens {
    /// The players sit down, from East on.
    Open {
        /// The rule set.
        rules: String,
        /// The chosen rulings.
        #[serde(default)]
        #[schemars(with = "Option<BTreeMap<String, String>>")]
        rulings: Option<Map<String, Value>>,
        /// Their names.
        players: Vec<String>,
    },
    /// A hand was won: the one that was read, or the typed one in the context (`hand`, `worth` or `payments`).
    Won {
        /// The context: the winner, the way of winning, the giver.
        #[schemars(with = "Context")]
        context: Map<String, Value>,
        /// The hand that was read.
        #[serde(default)]
        hand: Option<String>,
        /// The payments that the page showed, by winds.
        #[serde(default)]
        payments: Option<BTreeMap<Seat, Points>>,
    },
    /// Nobody won.
    Drawn {
        /// The winds of those who declared riichi.
        #[serde(default)]
        riichi: Vec<Seat>,
        /// The draw's other fields.
        #[serde(default)]
        drawn: Drawn,
    },
    /// A whole deal where play goes on after a win, as a request for one has it.
    Whole {
        /// Its events, by winds.
        deal: Value,
        /// What each player had at the end who had not won, by winds.
        #[serde(default)]
        end: Map<String, Value>,
    },
    /// The last deal is taken back.
    Undo {
        /// Its event, as the page shows it: of two who ask at once, the second one takes back nothing more.
        event: u64,
    },
}

impl Evening {
    /// The events with the new one, the table, and its context fields; `asked`, and nothing written, for a likely slip.
    ///
    /// # Errors
    /// Where the table rejects it.
    pub fn answer(self, library: &Library) -> Result<Value, ContextError> {
        let mut table = Table::replay(1, self.events)?;
        if let Some(now) = self.now {
            let proposal = Proposal { meant: self.meant, ..now.entry(&table, library, AUTHOR)? };
            table = match table.proposed(&proposal, self.at) {
                Ok(after) => after,
                Err(TableError::Unconfirmed(asked)) => {
                    let english: Vec<String> = asked.doubts.iter().map(Say::english).collect();
                    return Ok(json!({ "asked": english, "said": asked.doubts }));
                }
                Err(error) => return Err(error.into()),
            };
        }
        Ok(json!({
            "events": table.events(),
            "table": table.state()?,
            "context": context_at(&table)?,
            "undo": table.state()?.last_deal().map(|deal| deal.event),
        }))
    }
}

/// The context of a new hand at a table: seating, round, rules and rulings.
///
/// # Errors
/// Where the table was never opened.
pub fn context_at(table: &Table) -> Result<Map<String, Value>, TableError> {
    let state = table.state()?;
    let mut context = seating(state);
    context.insert("rules".to_owned(), state.rules.as_str().into());
    if let Ok(opened) = table.opened() {
        let choice = |(id, choice): &(String, String)| (id.clone(), choice.as_str().into());
        let rulings: Map<String, Value> = opened.rulings.iter().map(choice).collect();
        context.insert("rulings".to_owned(), rulings.into());
    }
    Ok(context)
}

impl Happens {
    /// The entry that the table takes it as.
    ///
    /// # Errors
    /// A field that is missing or contradicts the table.
    pub fn entry(
        self,
        table: &Table,
        library: &Library,
        author: &str,
    ) -> Result<Proposal, ContextError> {
        let target = || Ok::<_, TableError>(EntryTarget::now(table.state()?.clone(), author));
        match self {
            Self::Open { rules, rulings, players } => {
                let opened = opened(&rules, rulings, &players)?;
                Ok(Proposal::new(Event::Opened(opened), author))
            }
            Self::Won { context, hand, payments: shown } => {
                let target = target()?;
                let context = Context::new(&target.table.rules).with(context, library)?;
                let (rules, _) = context.resolve(library)?;
                let said = Said::of(&context, &rules, hand.as_deref())?.ok_or_else(|| {
                    let why =
                        "say what was won: a photo of the hand, the hand, or what it was worth";
                    ContextError(why.to_owned())
                })?;
                let others = context.others(&rules)?;
                target.won(&Won { context, said, others, shown, discards: None })
            }
            Self::Drawn { riichi, drawn } => target()?.drawn(&drawn, &riichi),
            Self::Whole { deal, end } => {
                let fields = [("deal".to_owned(), deal), ("end".to_owned(), end.into())];
                target()?.whole(table.rules()?, &fields.into_iter().collect())
            }
            Self::Undo { event } => {
                if table.state()?.last_deal().map(|deal| deal.event) != Some(event) {
                    let why = if table.stands(event) {
                        "this is not the last deal any more: look at the table"
                    } else {
                        "this was taken back already"
                    };
                    return Err(ContextError(why.to_owned()));
                }
                Ok(Proposal::new(Event::Undone { event }, author))
            }
        }
    }
}

/// A table that is being opened.
fn opened(
    rules: &str,
    rulings: Option<Map<String, Value>>,
    players: &[String],
) -> Result<Opened, ContextError> {
    let set = RuleSet::preset(rules)
        .ok_or_else(|| ContextError(format!("there is no rule set `{rules}`")))?;
    let choice =
        |(id, choice): (String, Value)| (id, choice.as_str().unwrap_or_default().to_owned());
    let rulings = rulings.into_iter().flatten().map(choice).collect();
    let players = players.iter().map(|name| Seated::named(name.trim())).collect();
    Ok(Opened::under(set, true, rulings, players))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page's events with the new one.
    fn after(kept: &Value, now: Value, more: Value) -> Result<Value, String> {
        let mut asked = json!({
            "events": kept["events"].as_array().cloned().unwrap_or_default(),
            "at": "2026-05-01T20:00:00Z",
            "now": now,
        });
        asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let evening: Evening = serde_json::from_value(asked).map_err(|error| error.to_string())?;
        evening.answer(&Library::default()).map_err(|error| error.0)
    }

    fn opened(rules: &str) -> Value {
        let open = json!({ "open": { "rules": rules, "players": ["Ann", "Bo", " Cy ", "Di"] } });
        after(&Value::Null, open, json!({})).unwrap()
    }

    fn totals(evening: &Value) -> Vec<&str> {
        let players = evening["table"]["players"].as_array().unwrap();
        players.iter().map(|player| player["total"].as_str().unwrap()).collect()
    }

    fn won(payments: Value) -> Value {
        let context = json!({ "rules": "ims", "seat": "S", "round": "E", "win": "self_draw" });
        let hand = "222p44p56p (1'23p) (7'89p) +7p";
        json!({ "won": { "context": context, "hand": hand, "payments": payments } })
    }

    const PAID: [(&str, &str); 4] =
        [("E", "-75/2"), ("S", "225/2"), ("W", "-75/2"), ("N", "-75/2")];

    fn paid() -> Value {
        PAID.iter()
            .map(|(seat, paid)| ((*seat).to_owned(), json!(paid)))
            .collect::<Map<_, _>>()
            .into()
    }

    #[test]
    fn a_hand_that_was_won_moves_totals_and_winds_and_can_be_taken_back() {
        let begun = opened("ims");
        assert_eq!(totals(&begun), ["0"; 4]);
        assert_eq!(begun["undo"], Value::Null, "sitting down is not undone");
        let played = after(&begun, won(paid()), json!({})).unwrap();
        assert_eq!(totals(&played), PAID.map(|(_, paid)| paid));
        assert_eq!(played["context"]["names"]["E"], "Bo", "the deal has passed on");
        assert_eq!(played["context"]["rules"], "ims");
        let undo = json!({ "undo": { "event": played["undo"] } });
        let undone = after(&played, undo.clone(), json!({})).unwrap();
        assert_eq!(totals(&undone), ["0"; 4]);
        assert_eq!(undone["events"].as_array().unwrap().len(), 3, "nothing is forgotten");
        assert_eq!(undone["undo"], Value::Null);
        assert!(after(&undone, undo, json!({})).unwrap_err().contains("taken back already"));
    }

    #[test]
    fn what_the_page_did_not_show_is_not_written() {
        let begun = opened("ims");
        let other = after(&begun, won(json!({ "S": "3", "E": "-3" })), json!({})).unwrap_err();
        assert!(other.contains("otherwise than the page"), "{other}");
        let mut rules = won(paid());
        rules["won"]["context"]["rules"] = json!("mmm");
        assert!(after(&begun, rules, json!({})).unwrap_err().contains("choose that rule set"));
        let twins = json!({ "open": { "rules": "ims", "players": ["Ann", "ann", "Cy", "Di"] } });
        assert!(after(&Value::Null, twins, json!({})).is_err());
    }

    #[test]
    fn the_same_hand_at_once_again_is_asked_about() {
        let played = after(&opened("ims"), won(paid()), json!({})).unwrap();
        // Bo deals now: the same hand by the same player, a moment later.
        let mut again = won(Value::Null);
        again["won"]["context"]["seat"] = json!("E");
        again["won"]["payments"] =
            json!({ "E": "225/2", "S": "-75/2", "W": "-75/2", "N": "-75/2" });
        let asked = after(&played, again.clone(), json!({})).unwrap();
        assert!(asked["asked"][0].is_string(), "{asked}");
        let meant = after(&played, again, json!({ "meant": true })).unwrap();
        assert_eq!(meant["table"]["history"].as_array().unwrap().len(), 2);
    }

    /// The deal of CLASSICAL.md: every hand is scored, by tiles or by what it is worth.
    #[test]
    fn the_others_hands_are_part_of_a_deal_where_all_are_scored() {
        let begun = opened("classical-bmja");
        let won = |worth: Value, hand: Value, more: Value, paid: Value| {
            let mut context = json!({
                "rules": "classical-bmja", "seat": "W", "round": "E", "win": "discard", "from": "N",
                "worth": worth,
            });
            context.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            json!({ "won": { "context": context, "hand": hand, "payments": paid } })
        };
        let paid = json!({ "E": "-752", "S": "168", "W": "608", "N": "-24" });
        let worths = json!({ "scores": { "E": "64", "S": "200", "N": "152" } });
        let hands = json!({
            "scores": { "S": "200" },
            "others": { "E": "(5'55z) 999m 22p 4s 16p 78p 1f", "N": "[6666z] 44z 38p 67m 2458s 4f" },
        });
        let hand = json!("111z 333s 678s (2'22s) 9s 2f +9s");
        for deal in [
            won(json!("152"), Value::Null, worths.clone(), paid.clone()),
            won(Value::Null, hand, hands, paid.clone()),
        ] {
            let played = after(&begun, deal, json!({})).unwrap();
            assert_eq!(totals(&played), ["-752", "168", "608", "-24"]);
        }
        let other = json!({ "E": "-304", "S": "-152", "W": "608", "N": "-152" });
        let deal = won(json!("152"), Value::Null, worths, other);
        assert!(after(&begun, deal, json!({})).unwrap_err().contains("otherwise than the page"));
        for (scores, said) in [
            (json!({ "E": "64", "S": "200" }), "what did Di have?"),
            (json!({ "E": "64", "S": "1002", "N": "152" }), "1002 is above the limit"),
            (json!({ "E": "64", "S": "much", "N": "152" }), "`much` is not a worth"),
            (json!({ "E": 64 }), "`scores` are texts by E, S, W and N"),
        ] {
            let deal = won(json!("152"), Value::Null, json!({ "scores": scores }), paid.clone());
            let error = after(&begun, deal, json!({})).unwrap_err();
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn a_whole_deal_is_given_where_play_goes_on_after_a_win() {
        let begun = opened("sichuan");
        let won = json!({ "win": { "seat": "S", "win": "discard", "from": "N", "worth": "2" } });
        let other = json!({
            "win": { "seat": "W", "win": "discard", "from": "N", "worth": "1" }, "same": true,
        });
        let events = json!([won, other, { "kong": "concealed", "seat": "E" }]);
        let end = json!({ "E": { "ready": "1" }, "N": { "pig": true } });
        let whole = |deal: &Value, end: &Value| json!({ "whole": { "deal": deal, "end": end } });
        let played = after(&begun, whole(&events, &end), json!({})).unwrap();
        // 4 and 2 from Di, 2 for the kong, 16 to each for the pig, 2 for not being ready.
        assert_eq!(totals(&played), ["20", "20", "18", "-58"]);
        assert_eq!(played["context"]["names"]["E"], "Di", "who gave the tile to two deals");
        let hand = json!({
            "win": { "seat": "S", "win": "self_draw", "hand": "123m456m78m234p99p +9m", "missing": "s" },
        });
        let left =
            json!({ "E": { "ready": false }, "W": { "ready": false }, "N": { "ready": false } });
        let played = after(&begun, whole(&json!([hand]), &left), json!({})).unwrap();
        assert_eq!(totals(&played), ["-2", "6", "-2", "-2"]);
        for (deal, end, said) in [
            (&events, json!({ "E": { "ready": false } }), "what did Ann and Di have"),
            (&json!([{ "kong": "concealed", "seat": "Q" }]), left.clone(), "one of `E`, `S`"),
            (&events, json!({ "E": { "ready": "much" }, "N": { "pig": true } }), "`much`"),
            (&events, json!({ "E": { "ready": "1", "pig": true }, "N": {} }), "`pig` true"),
            (&json!("bo di 2"), left.clone(), "expected a sequence"),
        ] {
            let error = after(&begun, whole(deal, &end), json!({})).unwrap_err();
            assert!(error.contains(said), "{error}");
        }
        let mmm = opened("mmm");
        let error = after(&mmm, whole(&events, &end), json!({})).unwrap_err();
        assert!(error.contains("knows no play after a win"), "{error}");
    }

    #[test]
    fn a_draw_asks_who_was_tenpai_where_the_rules_do() {
        let begun = opened("riichi");
        let draw = |drawn: Value| json!({ "drawn": { "riichi": ["S"], "drawn": drawn } });
        assert!(after(&begun, draw(json!({})), json!({})).unwrap_err().contains("tenpai"));
        let drawn = after(&begun, draw(json!({ "tenpai": ["S", "W"] })), json!({})).unwrap();
        assert_eq!(totals(&drawn), ["23500", "25500", "26500", "23500"]);
        assert_eq!(drawn["context"]["sticks"], 1);
    }
}
