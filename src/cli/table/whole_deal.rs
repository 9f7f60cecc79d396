//! A whole deal in one line, where play goes on after a win: `bo di 2 cy 1, kong ann, di t 3, end ann 1`. Wins, kongs and
//! false wins in the order of play, parted by commas; then what the others had when the wall ran out.

use anyhow::{Context as _, anyhow, bail};

use super::{players::player, short::is_self_draw};
use crate::{
    hand::Reading,
    rules::{
        Circumstances, Deal, DealEvent, EndHand, Fact, Facts, Holding, KongKind, RuleSet, Win,
        WonHand,
    },
    table::TableState,
    tile::{Seat, Suit},
};

/// Reads a line for the players of a table.
pub(super) fn read(text: &str, rules: &RuleSet, state: &TableState) -> anyhow::Result<Deal> {
    let line = Line { rules, state };
    let (mut events, mut end) = (Vec::new(), Vec::new());
    for part in text.split(',') {
        let words: Vec<&str> = part.split_whitespace().collect();
        match words[..] {
            [] => bail!("nothing stands between two commas"),
            ["end", ref rest @ ..] => end.extend(line.end(rest)?),
            _ if !end.is_empty() => bail!("`{}` after `end`: it comes last", part.trim()),
            ["kong", who, ref rest @ ..] => events.push(line.kong(who, rest)?),
            ["false", who] => events.push(DealEvent::FalseWin { seat: line.seat(who)? }),
            [who, how, ref rest @ ..] => events.extend(line.wins(who, how, rest)?),
            [word] => bail!("`{word}` alone: expected a win such as `bo di 2`, a kong or `end`"),
        }
    }
    end.sort_by_key(|end| end.seat);
    Ok(Deal { events, end })
}

/// The words that follow a hand or its worth, and the fact that each is.
const FACTS: [(&str, Fact); 4] = [
    ("last", Fact::LastTile),
    ("after", Fact::Supplement),
    ("shot", Fact::KongDiscard),
    ("first", Fact::FirstDraw),
];

/// What reads a line.
struct Line<'a> {
    rules: &'a RuleSet,
    state: &'a TableState,
}

impl Line<'_> {
    fn seat(&self, who: &str) -> anyhow::Result<Seat> {
        Ok(self.state.players[player(self.state, who)?].seat)
    }

    /// `kong ann`, `kong ann di`, `kong ann + late`.
    fn kong(&self, who: &str, rest: &[&str]) -> anyhow::Result<DealEvent> {
        let seat = self.seat(who)?;
        let (mut kind, mut robbed, mut shot) = (KongKind::Concealed, false, false);
        for word in rest {
            match (*word, kind) {
                ("+", KongKind::Concealed) => kind = KongKind::Added { late: false },
                ("late", KongKind::Added { .. }) => kind = KongKind::Added { late: true },
                ("robbed", _) => robbed = true,
                ("shot", _) => shot = true,
                (giver, KongKind::Concealed) => {
                    kind = KongKind::Claimed { from: self.seat(giver)? };
                }
                (word, _) => {
                    bail!("`{word}`: expected late (after +), robbed or shot after a kong")
                }
            }
        }
        Ok(DealEvent::Kong { seat, kind, robbed, shot })
    }

    /// `bo di 2`, `bo t 1`, `bo di 2 cy 1` on one tile, `bo di HAND -s last`, `bo di 2 kong` robbing a kong.
    fn wins(&self, who: &str, how: &str, rest: &[&str]) -> anyhow::Result<Vec<DealEvent>> {
        let names: Vec<&str> = self.state.players.iter().map(|player| &*player.name).collect();
        let self_draw = is_self_draw(how, &names).map_err(|why| anyhow!(why))?;
        let win = match self_draw {
            true => Win::SelfDraw,
            false => {
                let from = self.seat(how)?;
                let robs = rest.contains(&"kong");
                if robs { Win::RobKong { from } } else { Win::Discard { from } }
            }
        };
        let (mut wins, mut who, mut rest) = (Vec::new(), who, rest);
        loop {
            let same = !wins.is_empty();
            let seat = self.seat(who)?;
            let (hand, after) = self.hand(rest)?;
            let hand = hand.with_context(|| format!("what had {who}? give the fan or the hand"))?;
            let (missing, facts, after) = details(after);
            let at = Circumstances {
                missing_suit: missing,
                ..Circumstances::new(seat, Seat::East, win).with_facts(facts)
            };
            wins.push(DealEvent::Win { hand, at: Box::new(at), contradiction: None, same });
            match *after {
                [] => return Ok(wins),
                [next, ref after @ ..] => (who, rest) = (next, after),
            }
        }
    }

    /// A hand or its worth at the beginning of some words, and the words after it.
    fn hand<'w>(&self, words: &'w [&'w str]) -> anyhow::Result<(Option<WonHand>, &'w [&'w str])> {
        let tiles = words.iter().take_while(|word| is_tiles(word)).count();
        if tiles > 0 {
            let (hand, rest) = words.split_at(tiles);
            let text = hand.join(" ");
            text.parse::<Reading>().with_context(|| format!("`{text}`"))?;
            return Ok((Some(WonHand::Tiles(text)), rest));
        }
        match words {
            [worth, rest @ ..] if worth.starts_with(|it: char| it.is_ascii_digit()) => {
                Ok((Some(WonHand::Worth(self.rules.read_worth(worth)?)), rest))
            }
            _ => Ok((None, words)),
        }
    }

    /// `ann 2 cy no di pig`, `ann HAND -s`.
    fn end(&self, words: &[&str]) -> anyhow::Result<Vec<EndHand>> {
        let (mut end, mut words) = (Vec::new(), words);
        while let [who, rest @ ..] = words {
            let seat = self.seat(who)?;
            let holding = match rest {
                ["no", rest @ ..] => (Holding::NotReady, rest),
                ["pig", rest @ ..] => (Holding::Pig, rest),
                _ => match self.hand(rest)? {
                    (Some(WonHand::Worth(worth)), rest) => (Holding::Ready(worth), rest),
                    (Some(WonHand::Tiles(hand)), rest) => {
                        let (missing, _, rest) = details(rest);
                        let only_missing = rest.first() == Some(&"only");
                        let rest = &rest[usize::from(only_missing)..];
                        (Holding::Hand { hand, missing, only_missing }, rest)
                    }
                    (None, _) => bail!(
                        "what had {who} at the end? give the fan of his dearest hand, no (not ready), pig, or the hand"
                    ),
                },
            };
            end.push(EndHand { seat, holding: holding.0 });
            words = holding.1;
        }
        if end.is_empty() {
            bail!("`end` alone: say what each player had who had not won");
        }
        Ok(end)
    }
}

/// Whether a word is part of a hand: digits and suits, or brackets.
fn is_tiles(word: &str) -> bool {
    word.starts_with(['(', '[', '+'])
        || word.ends_with(['(', ')', '[', ']'])
        || word.starts_with(|it: char| it.is_ascii_digit()) && word.ends_with(['m', 'p', 's'])
}

/// The missing suit, such as `-s`, and the facts after a hand, and the words after them.
fn details<'w>(words: &'w [&'w str]) -> (Option<Suit>, Facts, &'w [&'w str]) {
    let (mut missing, mut facts, mut rest) = (None, Facts::NONE, words);
    while let [word, after @ ..] = rest {
        let fact = FACTS.iter().find(|(name, _)| name == word);
        let suit = match *word {
            "-m" => Some(Suit::Characters),
            "-p" => Some(Suit::Dots),
            "-s" => Some(Suit::Bamboo),
            _ => None,
        };
        match (fact, suit, *word) {
            (Some((_, fact)), ..) => facts = facts.with(*fact, true),
            (_, Some(_), _) => missing = suit,
            // It said how the tile was won.
            (.., "kong") => {}
            _ => break,
        }
        rest = after;
    }
    (missing, facts, rest)
}
