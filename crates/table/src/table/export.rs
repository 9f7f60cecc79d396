//! A table's deals as CSV, for a spreadsheet.

use std::fmt::Write as _;

use jiff::tz::TimeZone;

use crate::clock::time_in;

use super::{DealRecord, DealWords, TableState, WinBy, Winner};

/// A field, quoted where it has to be (RFC 4180). A leading `=`, `+`, `-` or `@` of a text is kept
/// from being read as a formula.
fn field(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = if formula { format!("'{text}") } else { text.to_owned() };
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

impl TableState {
    /// A line for each deal: number, time, round, dealer, winners, giver, hands, then each player's
    /// payment (sticks included) and total, then, where the rules have them, counters and sticks on the
    /// table before it, who put down a stick, who was tenpai, what each hand scored, or kongs and what players had at the
    /// end. Amounts are exact, `-20/3`.
    /// Times are those of `zone`, with their offset.
    pub fn to_csv(&self, zone: &TimeZone) -> String {
        let mut csv = String::from("deal,time,round,dealer,winners,win,from,hands");
        for player in &self.players {
            let name = &player.name;
            let _ = write!(csv, ",{},{}", field(name), field(&format!("{name} total")));
        }
        let plays_sticks = self.place.sticks.is_some();
        if plays_sticks {
            csv += ",counters,sticks,riichi,tenpai";
        }
        let of_hands = self.scores_all_hands();
        if of_hands {
            for player in &self.players {
                let _ = write!(csv, ",{}", field(&format!("{} hand", player.name)));
            }
        }
        let plays_on = self.history.iter().any(|record| record.played_on.is_some());
        if plays_on {
            csv += ",beside";
        }
        csv += "\r\n";
        for record in &self.history {
            self.write_record(&mut csv, record, zone);
            if of_hands {
                self.write_hands(&mut csv, record);
            }
            if plays_on {
                self.write_beside(&mut csv, record);
            }
            csv += "\r\n";
        }
        csv
    }

    /// Whether hands were scored that did not win.
    fn scores_all_hands(&self) -> bool {
        let winners = self.history.iter().flat_map(|record| &record.winners);
        winners.filter_map(|winner| winner.scored.as_ref()).any(|scored| !scored.others.is_empty())
    }

    fn write_record(&self, csv: &mut String, record: &DealRecord, zone: &TimeZone) {
        let name = |player: usize| self.players.get(player).map_or("", |p| p.name.as_str());
        let joined = |texts: Vec<&str>| field(&texts.join("; "));
        let winners = joined(record.winners.iter().map(|winner| name(winner.player)).collect());
        let hand = |winner: &Winner| {
            let worth = winner.worth.map(|worth| format!("worth {worth}"));
            winner.hand.clone().or(worth).unwrap_or_default()
        };
        let hands: Vec<String> = record.winners.iter().map(hand).collect();
        let hands = field(&hands.join("; "));
        // Where play goes on after a win each winner has his own way of winning and giver.
        let each = if record.played_on.is_some() { record.winners.len() } else { 1 };
        let ways = record.winners.iter().take(each).map(|winner| {
            let win = match winner.win {
                WinBy::SelfDraw => "self-draw",
                WinBy::Discard => "discard",
                WinBy::RobKong => "robbed kong",
            };
            (win, winner.from.map_or("", name))
        });
        let (win, from): (Vec<&str>, Vec<&str>) = ways.unzip();
        let win = match win.is_empty() {
            true if record.chombo.is_some() => "chombo".to_owned(),
            true => "draw".to_owned(),
            false => win.join("; "),
        };
        let place = record.place;
        let dealer = field(name(place.dealer));
        let _ = write!(
            csv,
            "{},{},{},{dealer},{winners},{win},{},{hands}",
            place.number,
            time_in(record.at, zone),
            place.round,
            field(&from.join("; "))
        );
        for (player, total) in record.totals.iter().enumerate() {
            let _ = write!(csv, ",{},{total}", Self::change(record, player));
        }
        if self.place.sticks.is_some() {
            let all = |players: &[usize]| joined(players.iter().map(|&it| name(it)).collect());
            let (honba, sticks) = (place.honba.unwrap_or(0), place.sticks.unwrap_or(0));
            let tenpai = record.draw.as_ref().and_then(|draw| draw.tenpai.as_deref());
            let (riichi, tenpai) = (all(&record.riichi), all(tenpai.unwrap_or_default()));
            let _ = write!(csv, ",{honba},{sticks},{riichi},{tenpai}");
        }
    }

    /// Kongs, false wins, and what players had at the end.
    fn write_beside(&self, csv: &mut String, record: &DealRecord) {
        let words = DealWords { players: &self.players, terms: self.terms.as_deref() };
        let said = record.played_on.iter().flat_map(|it| words.beside(it));
        let said: Vec<String> = said.map(|said| said.english().replace('’', "'")).collect();
        let _ = write!(csv, ",{}", field(&said.join("; ")));
    }

    /// What each player's hand scored.
    fn write_hands(&self, csv: &mut String, record: &DealRecord) {
        let first = record.winners.first();
        let scored = first.and_then(|winner| Some((winner, winner.scored.as_ref()?)));
        for player in 0..self.players.len() {
            let score = scored.and_then(|(winner, scored)| match winner.player == player {
                true => Some(scored.score),
                false => scored.others.get(player).copied(),
            });
            let _ = write!(csv, ",{}", score.map_or(String::new(), |score| score.to_string()));
        }
    }
}
