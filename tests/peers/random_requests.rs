//! Random requests as JSON Lines for `tilelens score --batch`, to be compared with what other programs
//! say (`tests/peers/compare.sh`).
//!
//! `cargo run --no-default-features --example random_requests -- riichi 200000 [SEED] [RULING=CHOICE ...]`

#[path = "../support/random.rs"]
mod random;

use std::io::{BufWriter, Write};

use random::{Dice, riichi_circumstances, riichi_hand, varied_circumstances, varied_hand};
use serde_json::{Value, json};
use tilelens::{
    hand::Hand,
    rules::{Circumstances, Indicators, RuleSet, Win},
};

fn tiles(list: &Indicators) -> String {
    list.iter().map(|tile| tile.to_string()).collect()
}

/// The request of a hand, with the fields that differ from nothing.
fn request(rules: &str, hand: &Hand, at: &Circumstances, rulings: &Value) -> Value {
    let win = match at.win {
        Win::SelfDraw => "self_draw",
        Win::Discard { .. } => "discard",
        Win::RobKong { .. } => "rob_kong",
    };
    let mut request = json!({
        "rules": rules, "hand": hand.to_string(), "seat": at.seat.to_string(),
        "round": at.round.to_string(), "win": win, "honba": at.honba, "rulings": rulings,
    });
    if let Some(giver) = at.win.from() {
        request["from"] = giver.to_string().into();
    }
    if let Some(sticks) = at.sticks {
        request["sticks"] = sticks.into();
    }
    for (field, said) in [
        ("last_tile", at.last_tile),
        ("supplement", at.supplement),
        ("last_visible", at.last_visible),
        ("riichi", at.riichi),
        ("double_riichi", at.double_riichi),
        ("ippatsu", at.ippatsu),
        ("first_draw", at.first_draw),
    ] {
        if said {
            request[field] = true.into();
        }
    }
    for (field, list) in
        [("dora_indicators", &at.dora_indicators), ("ura_indicators", &at.ura_indicators)]
    {
        if !list.is_empty() {
            request[field] = tiles(list).into();
        }
    }
    request
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).peekable();
    let id = arguments.next().ok_or("give a rule set and a number of hands")?;
    let number: usize = arguments.next().ok_or("give a number of hands")?.parse()?;
    let seed = arguments.next_if(|next| !next.contains('=')).map_or(Ok(51), |seed| seed.parse())?;
    let rules = RuleSet::preset(&id).ok_or("no such rule set")?;
    let mut rulings = json!({});
    for ruling in arguments {
        let (name, choice) = ruling.split_once('=').ok_or("a ruling is NAME=CHOICE")?;
        rulings[name] = choice.into();
    }
    let mut dice = Dice(seed);
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut written = 0;
    while written < number {
        let (hand, at) = if rules.plays_bonus_tiles() {
            let hand = varied_hand(&mut dice);
            (hand, varied_circumstances(&mut dice, &hand))
        } else {
            let hand = riichi_hand(&mut dice);
            (hand, riichi_circumstances(&mut dice, &hand))
        };
        if rules.check(&hand, &at).is_ok() {
            writeln!(out, "{}", request(&id, &hand, &at, &rulings))?;
            written += 1;
        }
    }
    Ok(())
}
