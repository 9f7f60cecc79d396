//! The tiles that complete a hand: `cargo run --example waits -- 123m456m789p23s55s`

use std::error::Error;

use tilelens::{Circumstances, Reading, RuleSet, Seat, Win};

/// Each tile that completes a hand one tile short, how many of it are left, and its score when it is drawn.
pub fn shown(hand: &str) -> Result<String, Box<dyn Error>> {
    let hand: Reading = hand.parse()?;
    let at = Circumstances::new(Seat::East, Seat::East, Win::SelfDraw);
    let rules = RuleSet::preset("riichi").ok_or("there is no such rule set")?;
    let lines = rules.waits(&hand, &[], &at)?.into_iter().map(|wait| {
        let worth = match wait.self_draw {
            Ok(value) => value.score.to_string(),
            Err(why) => why.to_string(),
        };
        format!("{}: {} left, {worth}", wait.tile, wait.unseen)
    });
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

fn main() -> Result<(), Box<dyn Error>> {
    let hand = std::env::args().nth(1).ok_or("give a hand, such as 123m456m789p23s55s")?;
    println!("{}", shown(&hand)?);
    Ok(())
}
