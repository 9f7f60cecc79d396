//! A tournament as its events make it: each event is checked against what was before it.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::{
    Event, Format, MayPlay, Name, Number, Points, Refusal, Roster, Schedule, SessionClock, Table,
    What, draw, refusal::MOST_PENALTIES,
};

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
    /// The event's id.
    pub event: usize,
    /// When.
    pub at: Timestamp,
    /// Who.
    pub player: Name,
    /// The cause's id in the format.
    pub cause: String,
    /// How many.
    pub count: u32,
    /// In the referee's words.
    pub note: String,
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
    /// Who was absent in a round, and who played instead.
    pub absences: BTreeMap<(usize, Name), Option<Name>>,
    /// Point penalties in the order given.
    pub penalties: Vec<Penalty>,
    /// Who may not play on.
    pub disqualified: BTreeMap<Name, Disqualification>,
}

impl Tournament {
    /// The tournament after its first event.
    pub(super) fn begin(what: &What) -> Result<Self, Refusal> {
        let What::Begun { name, rules, format } = what else { return Err(Refusal::NotBegun) };
        if name.trim().is_empty() {
            return Err(Refusal::NoName);
        }
        format.check()?;
        Ok(Self {
            name: name.clone(),
            rules: rules.clone(),
            format: Format::clone(format),
            roster: Roster::default(),
            seating: None,
            started: BTreeMap::new(),
            results: BTreeMap::new(),
            absences: BTreeMap::new(),
            penalties: Vec::new(),
            disqualified: BTreeMap::new(),
        })
    }

    /// Takes one more event in; undoing is the log's.
    pub(super) fn apply(&mut self, event: &Event) -> Result<(), Refusal> {
        match &event.what {
            What::Begun { .. } => return Err(Refusal::NotBegun),
            What::Undone { undone } => return Err(Refusal::NoEvent(*undone)),
            What::Entered { entrants } => {
                for entrant in entrants {
                    if self.seating.is_some() && !entrant.reserve {
                        return Err(Refusal::AfterDraw(entrant.name.clone()));
                    }
                    self.roster.enter(entrant.clone())?;
                }
            }
            What::Seated { seed, numbers, schedule, starts } => {
                self.seat(Seating {
                    seed: seed.clone(),
                    numbers: numbers.clone(),
                    schedule: schedule.clone(),
                    starts: starts.clone(),
                })?;
            }
            What::Started { round, start } => {
                self.round(*round)?;
                if self.started.insert(*round, *start).is_some() {
                    return Err(Refusal::StartedAlready(*round));
                }
            }
            What::Result { round, table, points } => self.result(*round, *table, *points)?,
            What::Absent { player, round, reserve } => {
                self.absent(event.at, player, *round, reserve.as_ref())?;
            }
            What::Penalty { player, cause, count, note } => {
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
                    event: event.id,
                    at: event.at,
                    player: player.clone(),
                    cause: cause.clone(),
                    count: *count,
                    note: note.clone(),
                });
            }
            What::Disqualified { player, round, note } => {
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
        let expected = self.format.starting_points * 4;
        let sum: Points = points.into_iter().sum();
        if sum != expected {
            return Err(Refusal::Sum { sum, expected, off: sum - expected });
        }
        let earned = points.map(|points| points - self.format.starting_points);
        if self.results.insert((round, table), earned).is_some() {
            return Err(Refusal::ResultAlready { round, table });
        }
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
        if let Some(clock) = self.clock(round) {
            let reading = clock.read(at, 0);
            if reading.may_play != MayPlay::NotYet && reading.late_seconds > 0 {
                return Err(Refusal::NotLateYet {
                    player: player.clone(),
                    round,
                    minutes: (reading.late_seconds + 59) / 60,
                });
            }
        }
        if let Some(reserve) = reserve {
            if !self.roster.reserves().any(|name| name == reserve) {
                return Err(Refusal::NoReserve(reserve.clone()));
            }
            let taken = self
                .absences
                .iter()
                .find(|((when, _), who)| *when == round && who.as_ref() == Some(reserve));
            if let Some(((_, player), _)) = taken {
                return Err(Refusal::ReserveTaken {
                    reserve: reserve.clone(),
                    player: player.clone(),
                    round,
                });
            }
        }
        if self.absences.insert((round, player.clone()), reserve.cloned()).is_some() {
            return Err(Refusal::AbsentAlready { player: player.clone(), round });
        }
        Ok(())
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
        let Some(player) = seating.numbers.get(number.index()) else {
            return Sitter::Reserve { player: None, reserve: None };
        };
        let absence = self.absences.get(&(round, player.clone()));
        let out = self.disqualified.get(player).is_some_and(|out| out.from_round <= round);
        match absence {
            Some(reserve) => Sitter::Reserve { player: Some(player), reserve: reserve.as_ref() },
            None if out => Sitter::Reserve { player: Some(player), reserve: None },
            None => Sitter::Player(player),
        }
    }

    /// The clock of a session that has started.
    pub fn clock(&self, round: usize) -> Option<SessionClock> {
        let start = *self.started.get(&round)?;
        Some(SessionClock { start, format: self.format.session })
    }

    /// How many point penalties a player has.
    pub fn penalty_count(&self, player: &Name) -> u32 {
        self.penalties
            .iter()
            .filter(|penalty| penalty.player == *player)
            .map(|penalty| penalty.count)
            .sum()
    }

    /// The first round in which a player's table has no result; one more than there are rounds
    /// where all have.
    ///
    /// # Errors
    /// Where nothing is drawn yet.
    pub fn next_round(&self, player: &Name) -> Result<usize, Refusal> {
        let seating = self.seated()?;
        let index = seating.numbers.iter().position(|name| name == player);
        let number = index
            .and_then(|index| u16::try_from(index).ok())
            .map(Number::at)
            .ok_or_else(|| Refusal::NoPlayer(player.clone()))?;
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
