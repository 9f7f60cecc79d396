//! What a hand in text is worth: `cargo run --example score_text -- "123m456m789p23s55s +4s"`

use std::error::Error;

use tilelens::{Circumstances, Hand, RuleSet, Seat, Win};

/// The score of a hand that West wins on South's discard: what each item counts, the total, and who receives what.
pub fn shown(hand: &str) -> Result<String, Box<dyn Error>> {
    let hand: Hand = hand.parse()?;
    let at = Circumstances::new(Seat::West, Seat::East, Win::Discard { from: Seat::South });
    let score = RuleSet::preset("mmm").ok_or("there is no such rule set")?.score(&hand, &at)?;
    let mut lines: Vec<String> = Vec::new();
    lines.extend(score.items.iter().map(|item| format!("{} {}", item.name, item.value)));
    lines.push(format!("score {}", score.value.score));
    lines.extend(score.value.payments.iter().map(|(seat, amount)| format!("{seat} {amount}")));
    Ok(lines.join("\n"))
}

fn main() -> Result<(), Box<dyn Error>> {
    let hand = std::env::args().nth(1).ok_or("give a hand, such as \"123m456m789p23s55s +4s\"")?;
    println!("{}", shown(&hand)?);
    Ok(())
}
