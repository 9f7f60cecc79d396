//! A table played in a test, without a file.

use jiff::{SignedDuration, Timestamp};
use tilelens::{
    table::{
        Deal, Event, Opened, Recorded, Seated, Table, TableError, TableState, TileWas, WinBy,
        Winner,
    },
    tile::Seat,
};

use super::random::Dice;

/// Who plays.
pub const NAMES: [&str; 4] = ["Ann", "Bo", "Cy", "Di"];

/// Sitting down to a rule set.
pub fn opened(rules: &str, players: usize) -> Opened {
    Opened {
        title: None,
        rules: rules.to_owned(),
        rule_file: None,
        rulings: Vec::new(),
        players: NAMES[..players].iter().map(|name| Seated::named(*name)).collect(),
        initial: None,
        sitting: None,
        penalties: None,
        clock: None,
    }
}

/// A table that is being played at; an event a minute.
pub struct Evening {
    pub table: Table,
    pub now: Timestamp,
}

impl Evening {
    /// Four sit down.
    pub fn of(rules: &str) -> Self {
        Self::opened(opened(rules, 4))
    }

    pub fn opened(opened: Opened) -> Self {
        let now = "2026-11-21T19:00:00Z".parse().unwrap();
        let mut evening = Self { table: Table::new(1), now };
        evening.enter(Event::Opened(opened)).unwrap();
        evening
    }

    /// Writes an event down.
    pub fn enter(&mut self, event: Event) -> Result<(), TableError> {
        let event = self.table.complete(event, self.now)?;
        let seq = self.table.events().len() as u64 + 1;
        self.table.push(Recorded { seq, at: self.now, author: "test".to_owned(), event })?;
        self.now += SignedDuration::from_mins(1);
        Ok(())
    }

    pub fn state(&self) -> &TableState {
        self.table.state().unwrap()
    }

    pub fn draw(&mut self) {
        self.enter(Event::DRAW).unwrap();
    }

    /// A deal won by the player in that seat.
    pub fn winner(&self, seat: Seat, how: &str, hand: &str) -> Winner {
        let at = |letter: &str| {
            let seat = Seat::from_letter(letter.chars().next().unwrap()).unwrap();
            self.state().at_seat(seat)
        };
        let mut winner = Winner {
            player: self.state().at_seat(seat).unwrap(),
            hand: Some(hand.to_owned()),
            tile: None,
            ..Winner::default()
        };
        let mut words = how.split_whitespace();
        while let Some(word) = words.next() {
            match word {
                "self_draw" => winner.win = WinBy::SelfDraw,
                "discard" | "rob_kong" => {
                    winner.win = if word == "discard" { WinBy::Discard } else { WinBy::RobKong };
                    winner.from = at(words.next().unwrap());
                    winner.tile = winner.tile.or(Some(TileWas::Fresh));
                }
                "own" => winner.tile = Some(TileWas::Own),
                "passed" => winner.tile = Some(TileWas::Passed),
                "unasked" => winner.tile = None,
                other => panic!("{other}"),
            }
        }
        winner
    }

    /// `discard W`, `self_draw`, `rob_kong E` and the like.
    pub fn try_win(&mut self, seat: Seat, how: &str, hand: &str) -> Result<(), TableError> {
        let winners = vec![self.winner(seat, how, hand)];
        self.enter(Event::Deal(Deal { winners, ..Deal::default() }))
    }

    pub fn win(&mut self, seat: Seat, how: &str, hand: &str) {
        self.try_win(seat, how, hand).unwrap_or_else(|error| panic!("{hand}: {error}"));
    }

    /// Everybody's total, in the order of the first deal.
    pub fn totals(&self) -> String {
        let totals: Vec<String> =
            self.state().players.iter().map(|player| player.total.to_string()).collect();
        totals.join(" ")
    }

    /// Who sits East, South, West, North.
    pub fn seats(&self) -> String {
        let names = self.state().order().into_iter().map(|player| NAMES[player]);
        names.collect::<Vec<_>>().join(" ")
    }

    /// Reads its log again and again, each time with another number in it changed: whatever it says, it is refused or
    /// replayed.
    pub fn with_changed_numbers(&self, changes: usize) {
        let text = serde_json::to_string(self.table.events()).unwrap();
        let digits: Vec<usize> = text
            .bytes()
            .enumerate()
            .filter(|(_, b)| b.is_ascii_digit())
            .map(|(at, _)| at)
            .collect();
        let mut dice = Dice(12);
        let (mut replayed, mut refused) = (0, 0);
        for _ in 0..changes {
            let mut changed = text.clone();
            let at = digits[dice.below(digits.len())];
            changed.replace_range(at..=at, ["", "0", "4", "7", "4294967295"][dice.below(5)]);
            let Ok(events) = serde_json::from_str::<Vec<Recorded>>(&changed) else { continue };
            let mut table = Table::new(1);
            for recorded in events {
                let _ = table.complete(recorded.event.clone(), recorded.at);
                match table.push(recorded) {
                    Ok(()) => replayed += 1,
                    Err(_) => refused += 1,
                }
            }
            if let Ok(state) = table.state() {
                assert!(!state.to_csv(&jiff::tz::TimeZone::UTC).is_empty());
                for record in &state.history {
                    let _ = table.explain(record);
                }
            }
        }
        assert!(replayed > 100 && refused > 100, "{replayed} {refused}");
    }
}
