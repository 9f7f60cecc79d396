//! A tournament as its events make it: each event is checked against what was before it.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use super::{
    Event, Format, MayPlay, Number, Played, Recorded, Refusal, Roster, Schedule, Table, draw,
    refusal::MOST_PENALTIES,
};
use crate::{name::Name, points::Points};

/// Numbers and tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seating {
    /// The seed of the draw.
    pub seed: String,
    /// Players in the order of their numbers. Higher numbers of the schedule are reserves' seats.
    pub numbers: Vec<Name>,
    /// Who sits where.
    pub schedule: Schedule,
    /// When each session is to start; empty where that was not said.
    pub starts: Vec<Timestamp>,
}

/// Who sits on a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sitter<'a> {
    /// The player whose number it is.
    Player(&'a Name),
    /// A reserve, whose points do not count. `player` is the one who is missing, if the seat is
    /// anybody's; `reserve` the one who plays, if that was said.
    Reserve {
        /// Who is missing.
        player: Option<&'a Name>,
        /// Who plays.
        reserve: Option<&'a Name>,
    },
}

/// Point penalties that a player got at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Penalty {
    /// When.
    pub at: Timestamp,
    /// Who.
    pub player: Name,
    /// The cause's id in the format.
    pub cause: String,
    /// How many.
    pub count: u32,
    /// What they cost, where the referee said it at a table; otherwise what the rules say.
    pub fixed: Option<Points>,
    /// In the referee's words.
    pub note: String,
    /// The table of the ledger at which they were given.
    pub table: Option<u32>,
}

/// A player who may not play on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disqualification {
    /// The first round in which a reserve plays instead.
    pub from_round: usize,
    /// In the referee's words.
    pub note: String,
}

/// A tournament as it stands. Rounds and tables count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tournament {
    /// For people.
    pub name: String,
    /// The rule set that hands are scored with.
    pub rules: String,
    /// The text of its rule file, where it is no preset.
    pub rule_file: Option<String>,
    /// Rulings chosen, ids and choices.
    pub rulings: Vec<(String, String)>,
    /// The values of the tournament's rules.
    pub format: Format,
    /// Everybody entered.
    pub roster: Roster,
    /// Numbers and tables, once drawn.
    pub seating: Option<Seating>,
    /// When sessions started.
    pub started: BTreeMap<usize, Timestamp>,
    /// Points won and lost at a table (round, table), in the order of its seats.
    pub results: BTreeMap<(usize, usize), [Points; 4]>,
    /// Tables (round, table) that are played in the ledger; see [`Tournament::joined`].
    pub played: BTreeMap<(usize, usize), Played>,
    /// Tables of the ledger that say they are of this tournament, and are not.
    pub strays: Vec<u32>,
    /// Who was absent in a round.
    pub absences: BTreeSet<(usize, Name)>,
    /// Reserves by round and the number of the seat on which they play.
    pub substitutes: BTreeMap<(usize, Number), Name>,
    /// Point penalties in the order given.
    pub penalties: Vec<Penalty>,
    /// Who may not play on.
    pub disqualified: BTreeMap<Name, Disqualification>,
}

impl Tournament {
    /// The tournament after its first event.
    pub(super) fn begin(event: &Event) -> Result<Self, Refusal> {
        let Event::Begun { name, rules, rule_file, rulings, format } = event else {
            return Err(Refusal::NotBegun);
        };
        if name.trim().is_empty() {
            return Err(Refusal::NoName);
        }
        Ok(Self {
            name: name.clone(),
            rules: rules.clone(),
            rule_file: rule_file.clone(),
            rulings: rulings.clone(),
            format: Format::clone(format),
            roster: Roster::default(),
            seating: None,
            started: BTreeMap::new(),
            results: BTreeMap::new(),
            played: BTreeMap::new(),
            strays: Vec::new(),
            absences: BTreeSet::new(),
            substitutes: BTreeMap::new(),
            penalties: Vec::new(),
            disqualified: BTreeMap::new(),
        })
    }

    /// Whether an event may be written down for the tournament as it stands, its tables among it;
    /// an undo is the log's to judge.
    pub(crate) fn holds(mut self, recorded: &Recorded) -> Result<(), Refusal> {
        match &recorded.event {
            Event::Undone { .. } => return Ok(()),
            // A replay does not know who was disqualified at a table.
            Event::Substituted { round, number, .. } => {
                if let Sitter::Player(player) = self.sitter(self.seated()?, *round, *number) {
                    let (player, number, round) = (player.clone(), *number, *round);
                    return Err(Refusal::SeatTaken { player, number, round });
                }
            }
            _ => {}
        }
        self.apply(recorded)
    }

    /// Takes one more event in; undoing is the log's. What is refused changes nothing.
    pub(super) fn apply(&mut self, recorded: &Recorded) -> Result<(), Refusal> {
        match &recorded.event {
            Event::Begun { .. } => return Err(Refusal::NotBegun),
            Event::Undone { event } => return Err(Refusal::NoEvent(*event)),
            Event::Entered { entrants } => {
                let mut roster = self.roster.clone();
                for entrant in entrants {
                    if self.seating.is_some() && !entrant.reserve {
                        return Err(Refusal::AfterDraw(entrant.name.clone()));
                    }
                    roster.enter(entrant.clone())?;
                }
                self.roster = roster;
            }
            Event::Seated { seed, numbers, schedule, starts } => {
                self.seat(Seating {
                    seed: seed.clone(),
                    numbers: numbers.clone(),
                    schedule: schedule.clone(),
                    starts: starts.clone(),
                })?;
            }
            Event::Started { round, start } => {
                self.round(*round)?;
                if self.started.contains_key(round) {
                    return Err(Refusal::StartedAlready(*round));
                }
                self.started.insert(*round, *start);
            }
            Event::Result { round, table, points } => self.result(*round, *table, *points)?,
            Event::Absent { player, round, reserve } => {
                self.absent(recorded.at, player, *round, reserve.as_ref())?;
            }
            Event::Substituted { round, number, reserve } => {
                self.substitute(*round, *number, reserve)?;
            }
            Event::Penalty { player, cause, count, note } => {
                self.plays(player)?;
                if !self.format.penalties.causes.contains_key(cause) {
                    let known: Vec<&str> =
                        self.format.penalties.causes.keys().map(String::as_str).collect();
                    return Err(Refusal::NoCause { cause: cause.clone(), known: known.join(", ") });
                }
                let all = self.penalty_count(player).saturating_add(*count);
                if *count == 0 || all > MOST_PENALTIES {
                    return Err(Refusal::Penalties(all));
                }
                self.penalties.push(Penalty {
                    at: recorded.at,
                    player: player.clone(),
                    cause: cause.clone(),
                    count: *count,
                    fixed: None,
                    note: note.clone(),
                    table: None,
                });
            }
            Event::Disqualified { player, round, note } => {
                self.plays(player)?;
                let rounds = self.seated()?.schedule.rounds().len();
                if *round == 0 || *round > rounds + 1 {
                    return Err(Refusal::NoRound { round: *round, rounds });
                }
                for round in *round..=rounds {
                    self.no_result_yet(player, round)?;
                }
                let out = Disqualification { from_round: *round, note: note.clone() };
                self.disqualified.insert(player.clone(), out);
            }
        }
        Ok(())
    }

    fn seat(&mut self, seating: Seating) -> Result<(), Refusal> {
        if self.seating.is_some() {
            return Err(Refusal::SeatedAlready);
        }
        let seats = self.seats_needed()?;
        if seating.schedule.seats() != seats {
            return Err(Refusal::Seats {
                seats: seating.schedule.seats(),
                players: self.roster.players().count(),
            });
        }
        if seating.numbers != draw(&seating.seed, self.roster.players()) {
            return Err(Refusal::Draw(seating.seed));
        }
        let (starts, rounds) = (seating.starts.len(), seating.schedule.rounds().len());
        let rising = seating.starts.windows(2).all(|pair| pair[0] < pair[1]);
        if starts > 0 && (starts != rounds || !rising) {
            return Err(Refusal::Starts { starts, rounds });
        }
        self.seating = Some(seating);
        Ok(())
    }

    fn result(&mut self, round: usize, table: usize, points: [Points; 4]) -> Result<(), Refusal> {
        self.table(round, table)?;
        if let Some(played) = self.played.get(&(round, table)).filter(|played| played.deals > 0) {
            return Err(Refusal::InTheLedger { round, table, number: played.number });
        }
        if self.results.contains_key(&(round, table)) {
            return Err(Refusal::ResultAlready { round, table });
        }
        let expected = self.format.starting_points * 4;
        let sum: Points = points.into_iter().sum();
        if sum != expected {
            return Err(Refusal::Sum { sum, expected, off: sum - expected });
        }
        let earned = points.map(|points| points - self.format.starting_points);
        self.results.insert((round, table), earned);
        Ok(())
    }

    fn absent(
        &mut self,
        at: Timestamp,
        player: &Name,
        round: usize,
        reserve: Option<&Name>,
    ) -> Result<(), Refusal> {
        self.plays(player)?;
        self.round(round)?;
        self.no_result_yet(player, round)?;
        if let Some(reading) = self.read_clock(round, at, 0)
            && reading.may_play != MayPlay::NotYet
            && reading.late_seconds > 0
        {
            return Err(Refusal::NotLateYet {
                player: player.clone(),
                round,
                minutes: (reading.late_seconds + 59) / 60,
            });
        }
        let key = (round, player.clone());
        if self.absences.contains(&key) {
            return Err(Refusal::AbsentAlready { player: player.clone(), round });
        }
        if let Some(reserve) = reserve {
            self.free_reserve(round, reserve)?;
            self.substitutes.insert((round, self.number_of_player(player)?), reserve.clone());
        }
        self.absences.insert(key);
        Ok(())
    }

    /// Names the reserve on a seat.
    fn substitute(
        &mut self,
        round: usize,
        number: Number,
        reserve: &Name,
    ) -> Result<(), Refusal> {
        self.round(round)?;
        let seating = self.seated()?;
        let seats = seating.schedule.seats();
        if !(1..=seats).contains(&number.0) {
            return Err(Refusal::NoNumber { number, seats });
        }
        if let Some(reserve) = self.substitutes.get(&(round, number)) {
            return Err(Refusal::ReserveNamed { reserve: reserve.clone(), number, round });
        }
        self.free_reserve(round, reserve)?;
        self.substitutes.insert((round, number), reserve.clone());
        Ok(())
    }

    /// Whether a reserve is one, and sits nowhere else in that round.
    fn free_reserve(&self, round: usize, reserve: &Name) -> Result<(), Refusal> {
        if !self.roster.reserves().any(|name| name == reserve) {
            return Err(Refusal::NoReserve(reserve.clone()));
        }
        let mut taken = self.substitutes.iter().filter(|((when, _), _)| *when == round);
        match taken.find(|(_, who)| *who == reserve) {
            Some(((_, number), _)) => {
                Err(Refusal::ReserveTaken { reserve: reserve.clone(), number: *number, round })
            }
            None => Ok(()),
        }
    }

    /// A session that has been played is nobody else's afterwards.
    fn no_result_yet(&self, player: &Name, round: usize) -> Result<(), Refusal> {
        for ((_, table), _) in self.results.range((round, 0)..=(round, usize::MAX)) {
            let sits = |sitter: &Sitter| matches!(sitter, Sitter::Player(name) if *name == player);
            if self.table(round, *table)?.iter().any(sits) {
                return Err(Refusal::PlayedAlready {
                    player: player.clone(),
                    round,
                    table: *table,
                });
            }
        }
        Ok(())
    }

    /// How many seats the players need: reserves fill what is missing to a multiple of four.
    ///
    /// # Errors
    /// Where there are too few players, or too many.
    pub fn seats_needed(&self) -> Result<u16, Refusal> {
        let players = self.roster.players().count();
        if players < 4 {
            return Err(Refusal::TooFew(players));
        }
        u16::try_from(players.next_multiple_of(4))
            .ok()
            .filter(|seats| *seats <= Schedule::MOST_SEATS)
            .ok_or(Refusal::TooMany(players))
    }

    /// Numbers and tables.
    ///
    /// # Errors
    /// Where they are not drawn yet.
    pub fn seated(&self) -> Result<&Seating, Refusal> {
        self.seating.as_ref().ok_or(Refusal::NotSeated)
    }

    /// The tables of a round.
    ///
    /// # Errors
    /// Where there is no such round.
    pub fn round(&self, round: usize) -> Result<&[Table], Refusal> {
        let rounds = self.seated()?.schedule.rounds();
        let found = round.checked_sub(1).and_then(|index| rounds.get(index));
        found.map(Vec::as_slice).ok_or(Refusal::NoRound { round, rounds: rounds.len() })
    }

    /// Who sits at a table, East first.
    ///
    /// # Errors
    /// Where there is no such round or table.
    pub fn table(&self, round: usize, table: usize) -> Result<[Sitter<'_>; 4], Refusal> {
        let tables = self.round(round)?;
        let found = table.checked_sub(1).and_then(|index| tables.get(index));
        let seats = found.ok_or(Refusal::NoTable { table, round, tables: tables.len() })?;
        let seating = self.seated()?;
        Ok(seats.map(|number| self.sitter(seating, round, number)))
    }

    fn sitter<'a>(&'a self, seating: &'a Seating, round: usize, number: Number) -> Sitter<'a> {
        let reserve = self.substitutes.get(&(round, number));
        let Some(player) = seating.numbers.get(number.index()) else {
            return Sitter::Reserve { player: None, reserve };
        };
        let absent = self.absences.contains(&(round, player.clone()));
        let out = self.disqualified.get(player).is_some_and(|out| out.from_round <= round);
        if absent || out {
            Sitter::Reserve { player: Some(player), reserve }
        } else {
            Sitter::Player(player)
        }
    }

    /// How many point penalties a player has.
    pub fn penalty_count(&self, player: &Name) -> u32 {
        self.penalties
            .iter()
            .filter(|penalty| penalty.player == *player)
            .map(|penalty| penalty.count)
            .sum()
    }

    /// What all point penalties of a player cost: each is dearer than the one before, whatever
    /// session it was given in (chumchu, Penalties).
    pub fn penalty_cost(&self, player: &Name) -> Points {
        let rules = &self.format.penalties;
        let (mut before, mut cost) = (0_u32, Points::ZERO);
        for penalty in self.penalties.iter().filter(|penalty| penalty.player == *player) {
            let due = i64::try_from(rules.cost(before, penalty.count)).unwrap_or(i64::MAX);
            cost += penalty.fixed.unwrap_or_else(|| Points::whole(due));
            before = before.saturating_add(penalty.count);
        }
        cost
    }

    /// A player's number.
    ///
    /// # Errors
    /// Where he has none.
    pub fn number_of_player(&self, player: &Name) -> Result<Number, Refusal> {
        let index = self.seated()?.numbers.iter().position(|name| name == player);
        index
            .and_then(|index| u16::try_from(index).ok())
            .map(Number::at)
            .ok_or_else(|| Refusal::NoPlayer(player.clone()))
    }

    /// The first round in which a player's table has no result; one more than there are rounds
    /// where all have.
    ///
    /// # Errors
    /// Where nothing is drawn yet.
    pub fn next_round(&self, player: &Name) -> Result<usize, Refusal> {
        let seating = self.seated()?;
        let number = self.number_of_player(player)?;
        let rounds = seating.schedule.rounds().len();
        let open = (0..rounds).find(|round| {
            let place = seating.schedule.place(*round, number);
            place.is_some_and(|(table, _)| !self.results.contains_key(&(round + 1, table + 1)))
        });
        Ok(open.unwrap_or(rounds) + 1)
    }

    /// Whether somebody plays, and may.
    fn plays(&self, player: &Name) -> Result<(), Refusal> {
        self.seated()?;
        if !self.roster.players().any(|name| name == player) {
            return Err(Refusal::NoPlayer(player.clone()));
        }
        if self.disqualified.contains_key(player) {
            return Err(Refusal::Disqualified(player.clone()));
        }
        Ok(())
    }
}
