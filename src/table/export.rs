//! A table's deals as CSV, for a spreadsheet.

use std::fmt::Write as _;

use super::{DealRecord, TableState, WinBy};

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
    /// payment and total. Amounts are exact, `-20/3`.
    pub fn to_csv(&self) -> String {
        let mut csv = String::from("deal,time,round,dealer,winners,win,from,hands");
        for player in &self.players {
            let name = &player.name;
            let _ = write!(csv, ",{},{}", field(name), field(&format!("{name} total")));
        }
        csv += "\r\n";
        for record in &self.history {
            self.write_record(&mut csv, record);
        }
        csv
    }

    fn write_record(&self, csv: &mut String, record: &DealRecord) {
        let name = |player: usize| self.players.get(player).map_or("", |p| p.name.as_str());
        let joined = |texts: Vec<&str>| field(&texts.join("; "));
        let winners = joined(record.winners.iter().map(|winner| name(winner.player)).collect());
        let hands =
            joined(record.winners.iter().map(|w| w.hand.as_deref().unwrap_or_default()).collect());
        let (win, from) = match record.winners.first() {
            None => ("draw", ""),
            Some(first) => {
                let win = match first.win {
                    WinBy::SelfDraw => "self-draw",
                    WinBy::Discard => "discard",
                    WinBy::RobKong => "robbed kong",
                };
                (win, first.from.map_or("", name))
            }
        };
        let place = record.place;
        let dealer = field(name(place.dealer));
        let _ = write!(
            csv,
            "{},{},{},{dealer},{winners},{win},{},{hands}",
            place.number,
            record.at,
            place.round,
            field(from)
        );
        for (payment, total) in record.payments.iter().zip(&record.totals) {
            let _ = write!(csv, ",{payment},{total}");
        }
        *csv += "\r\n";
    }
}
