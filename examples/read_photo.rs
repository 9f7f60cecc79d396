//! A photo of a hand, and what it is worth: `cargo run --example read_photo -- hand.jpg`

use std::error::Error;

use tilelens::{Circumstances, Input, Library, Picture, Reader, Seat, Win, appraise};

/// The hand that a photo shows, what it is worth where South wins on West's discard, and what is in doubt.
pub fn shown(photo: &[u8]) -> Result<String, Box<dyn Error>> {
    let picture = Picture::from_bytes(photo)?;
    let tiles = Reader::builtin(2)?.read(&picture)?;
    let rules = Library::default().rule_set("mmm", &[])?;
    let at = Circumstances::new(Seat::South, Seat::East, Win::Discard { from: Seat::West });
    let appraisal = appraise(&tiles, &rules, &Input { at: Some(at), ..Input::default() });
    let mut lines = vec![match (&appraisal.hand, &appraisal.withheld) {
        (Some(hand), None) => format!("{hand}: score {}", rules.score(hand, &at)?.value.score),
        (_, Some(why)) => why.to_string(),
        (None, None) => "no hand".to_owned(),
    }];
    if let Some(hand) = appraisal.shown.hand {
        lines.extend(hand.doubts.iter().map(|doubt| doubt.why.to_string()));
    }
    Ok(lines.join("\n"))
}

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("give a photo of a hand")?;
    println!("{}", shown(&std::fs::read(file)?)?);
    Ok(())
}
