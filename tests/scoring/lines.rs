//! Hands and how they were won as one line: `HAND; seat round win [giver] [flags ...]`.

#![allow(dead_code, reason = "each test file uses a part of it")]

use tilelens::{
    hand::Hand,
    rules::{Circumstances, Players, Responsible, RuleSet, Score, ScoreError, Win},
    tile::Seat,
};

/// What stands after the hand where nothing does.
const ORDINARY: &str = "S E discard W";

fn seat(text: &str) -> Seat {
    text.chars().next().and_then(Seat::from_letter).unwrap_or_else(|| panic!("no seat: {text}"))
}

/// Reads such a line.
pub fn deal(text: &str) -> (Hand, Circumstances) {
    let (hand, how) = text.split_once(';').unwrap_or((text, ORDINARY));
    let hand: Hand = hand.trim().parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    let mut words = how.split_whitespace();
    let mut next = || words.next().unwrap_or_else(|| panic!("too short: {text}"));
    let (own, round) = (seat(next()), seat(next()));
    let win = match next() {
        "self_draw" => Win::SelfDraw,
        "discard" => Win::Discard { from: seat(next()) },
        "rob_kong" => Win::RobKong { from: seat(next()) },
        other => panic!("no win: {other}"),
    };
    let mut at = Circumstances::new(own, round, win);
    for flag in words {
        match flag.split_once('=').unwrap_or((flag, "")) {
            ("last_tile", _) => at.last_tile = true,
            ("supplement", _) => at.supplement = true,
            ("kong_on_kong", _) => at.kong_on_kong = true,
            ("first_turn", _) => at.first_turn = true,
            ("safe", _) => at.safe = true,
            ("last_visible", _) => at.last_visible = true,
            ("three", _) => at.players = Players::Three,
            ("minimum", number) => at.minimum = Some(number.parse().unwrap()),
            ("pao", feeder) => at.pao = Some(seat(feeder)),
            ("riichi", _) => at.riichi = true,
            ("double_riichi", _) => at.double_riichi = true,
            ("ippatsu", _) => at.ippatsu = true,
            ("first_draw", _) => at.first_draw = true,
            ("original_call", _) => at.original_call = true,
            ("ninth_east_win", _) => at.ninth_east_win = true,
            ("kong_discard", _) => at.kong_discard = true,
            ("dora", tiles) => at.dora_indicators = tiles.parse().unwrap(),
            ("ura", tiles) => at.ura_indicators = tiles.parse().unwrap(),
            ("honba", number) => at.honba = number.parse().unwrap(),
            ("sticks", number) => at.sticks = Some(number.parse().unwrap()),
            ("north", number) => at.north = number.parse().unwrap(),
            ("responsible", "none") => at.responsible = Responsible::Nobody,
            ("responsible", player) => at.responsible = Responsible::Player(seat(player)),
            _ => panic!("no flag: {flag}"),
        }
    }
    (hand, at)
}

/// Scores such a line under a preset, `mmm` or with rulings `mmm mmm.major_pungs=pung_hand`.
pub fn score(rules: &str, text: &str) -> Result<Score, ScoreError> {
    let (hand, at) = deal(text);
    let mut words = rules.split_whitespace();
    let preset = words.next().and_then(RuleSet::preset).unwrap_or_else(|| panic!("{rules}"));
    let rulings: Vec<(&str, &str)> = words.map(|word| word.split_once('=').unwrap()).collect();
    if rulings.is_empty() {
        return preset.score(&hand, &at);
    }
    preset.with_rulings(rulings).unwrap().score(&hand, &at)
}

/// `E -20, S 20, ...`: who gets and who pays.
pub fn payments(score: &Score) -> String {
    let each: Vec<String> =
        score.value.payments.iter().map(|(seat, amount)| format!("{seat} {amount}")).collect();
    each.join(", ")
}
