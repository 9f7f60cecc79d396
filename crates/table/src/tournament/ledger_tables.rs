//! Tables of the tournament that are played in the same ledger: how they are opened, how they follow
//! the tournament, and how their totals, penalties and disqualifications become part of it.

use std::collections::BTreeMap;

use super::{Disqualification, GivenPenalty, Sitter, Tournament, TournamentError, Wins};
use crate::{
    clock::Clock,
    name::Name,
    points::Points,
    table::{Event, Opened, Over, Seated, SessionClock, Sitting, Table, TableState},
};

/// A table of the tournament that is played in the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerTable {
    /// Its number in the ledger.
    pub number: u32,
    /// Deals so far.
    pub deals: usize,
    /// Why nothing more is played; `None` while the session goes on.
    pub over: Option<Over>,
    /// Points won and lost so far, in the order of its seats.
    pub earned: [Points; 4],
    /// The wins of each player, in the order of its seats.
    pub wins: [u32; 4],
    /// Its clock.
    pub clock: Option<Clock>,
}

impl Tournament {
    /// The tournament with the results of the ledger's tables. A table whose session is over
    /// is a result if a deal was played there; penalties and disqualifications count as if they had been entered here. A result
    /// from paper goes before a table's. A table that was closed again before anything happened does not belong to it.
    #[must_use]
    pub fn joined<'a>(mut self, tables: impl IntoIterator<Item = &'a TableState>) -> Self {
        for state in tables {
            let Some(Sitting { round, table }) = state.sitting else { continue };
            if state.is_closed() {
                continue;
            }
            let players: Option<Vec<Option<Name>>> = self.table(round, table).ok().map(|four| {
                let name = |sitter| match sitter {
                    Sitter::Player(name) => Some(Name::clone(name)),
                    Sitter::Reserve { .. } => None,
                };
                four.map(name).into()
            });
            let Some(players) = players.filter(|players| players.len() == state.players.len())
            else {
                self.strays.push(state.table);
                continue;
            };
            let at_seat = |seat: usize| players.get(seat).and_then(Option::as_ref);
            for fine in &state.penalties {
                let Some(player) = at_seat(fine.player) else { continue };
                self.penalties.push(GivenPenalty {
                    at: fine.at,
                    player: player.clone(),
                    cause: fine.cause.clone().unwrap_or_default(),
                    count: fine.count,
                    // Penalties taken from the table's score are in the result already.
                    fixed: if fine.in_table {
                        Some(Points::ZERO)
                    } else {
                        fine.points.map(Points::whole)
                    },
                    note: fine.note.clone(),
                    table: Some(state.table),
                });
            }
            for (seat, sitting) in state.players.iter().enumerate() {
                if let (Some(why), Some(player)) = (&sitting.disqualified, at_seat(seat))
                    && !self.disqualified.contains_key(player)
                {
                    let out = Disqualification { from_round: round + 1, note: why.clone() };
                    self.disqualified.insert(player.clone(), out);
                }
            }
            let totals = state.players.iter().map(|player| player.total - state.initial);
            let mut earned = [Points::ZERO; 4];
            earned.iter_mut().zip(totals).for_each(|(earned, total)| *earned = total);
            let mut wins = [0; 4];
            wins.iter_mut().zip(&state.players).for_each(|(wins, player)| *wins = player.wins);
            if state.over.is_some() && !state.history.is_empty() {
                self.results.entry((round, table)).or_insert(earned);
            }
            let played = LedgerTable {
                number: state.table,
                deals: state.history.len(),
                over: state.over.clone(),
                earned,
                wins,
                clock: state.clock,
            };
            self.played.insert((round, table), played);
        }
        self.penalties.sort_by_key(|penalty| penalty.at);
        self
    }

    /// The tables that play, by their rounds: the session goes on, and no result was entered from paper.
    pub fn playing(&self) -> BTreeMap<usize, Vec<usize>> {
        let mut playing: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for ((round, table), played) in &self.played {
            if self.is_playing((*round, *table), played) {
                playing.entry(*round).or_default().push(*table);
            }
        }
        playing
    }

    /// The points that players have won and lost so far at tables that still play. No standing has them yet.
    pub fn running(&self) -> BTreeMap<Name, Points> {
        let mut running = BTreeMap::new();
        for (at, played) in &self.played {
            let (true, Ok(four)) = (self.is_playing(*at, played), self.table(at.0, at.1)) else {
                continue;
            };
            for (sitter, earned) in four.into_iter().zip(played.earned) {
                if let Sitter::Player(name) = sitter {
                    *running.entry(name.clone()).or_insert(Points::ZERO) += earned;
                }
            }
        }
        running
    }

    fn is_playing(&self, at: (usize, usize), played: &LedgerTable) -> bool {
        played.over.is_none() && !self.results.contains_key(&at)
    }

    /// The number in the ledger of the session at each table of the hall: the first that still plays, or else
    /// the last that was opened.
    pub fn sessions_in_hall(&self) -> BTreeMap<usize, u32> {
        let mut sessions: BTreeMap<usize, (u32, bool)> = BTreeMap::new();
        for ((round, table), played) in &self.played {
            let session = (played.number, self.is_playing((*round, *table), played));
            match sessions.get_mut(table) {
                Some((_, true)) => {}
                Some(earlier) => *earlier = session,
                None => drop(sessions.insert(*table, session)),
            }
        }
        sessions.into_iter().map(|(table, (number, _))| (table, number)).collect()
    }

    /// The number in a ledger of a table of the tournament: 2003 is table 3 of round 2.
    pub fn number_of(round: usize, table: usize) -> Option<u32> {
        u32::try_from(round.checked_mul(1000)?.checked_add(table)?).ok()
    }

    /// The opening of a table: its players, rule set and rulings, penalties so far.
    ///
    /// # Errors
    /// Where there is no such table.
    pub fn opening(&self, round: usize, table: usize) -> Result<Opened, TournamentError> {
        let numbers = self.round(round)?.get(table.wrapping_sub(1)).copied();
        let sitters = self.table(round, table)?;
        let seats = sitters.into_iter().zip(numbers.into_iter().flatten());
        let here = Self::number_of(round, table);
        let players = seats.map(|(sitter, number)| match sitter {
            Sitter::Player(name) => {
                let before = self.penalties.iter().filter(|penalty| {
                    penalty.player == *name && (penalty.table.is_none() || penalty.table != here)
                });
                let penalties_before = before.map(|penalty| penalty.count).sum();
                let new_player_wins = self.wins_before(name, round);
                Seated { penalties_before, new_player_wins, ..Seated::named(name.as_str()) }
            }
            Sitter::Reserve { reserve: Some(reserve), .. } => Seated {
                new_player_wins: self.wins_before(reserve, round),
                ..Seated::named(reserve.as_str())
            },
            Sitter::Reserve { reserve: None, .. } => Seated::named(format!("Reserve {number}")),
        });
        Ok(Opened {
            title: Some(format!("{}: round {round}, table {table}", self.name)),
            rules: self.rules.clone(),
            rule_file: self.rule_file.clone(),
            rulings: self.rulings.clone(),
            players: players.collect(),
            initial: Some(self.format.starting_points),
            sitting: Some(Sitting { round, table }),
            penalties: Some(self.format.penalties.clone()),
            clock: Some(SessionClock {
                minutes: self.format.clock_minutes,
                then: self.format.after_time,
            }),
        })
    }

    /// The wins of a new player before a round: before the tournament, and in its earlier
    /// rounds, at tables of the ledger and on paper. `None` for everybody else.
    pub(super) fn wins_before(&self, name: &Name, round: usize) -> Option<u32> {
        let before = self.roster.new_player_wins(name)?;
        let sits = |sitter: &Sitter| match sitter {
            Sitter::Player(sitter) | Sitter::Reserve { reserve: Some(sitter), .. } => {
                *sitter == name
            }
            Sitter::Reserve { reserve: None, .. } => false,
        };
        let seat = |(round, table): &(usize, usize)| {
            self.table(*round, *table).ok()?.iter().position(sits)
        };
        let paper = self.paper_wins.range(..(round, 0));
        let paper = paper.filter_map(|(at, wins)| wins[seat(at)?]);
        // A result from paper goes before a table's.
        let here = self.played.range(..(round, 0));
        let here = here.filter(|(at, _)| !self.paper_wins.contains_key(at));
        let here = here.filter_map(|(at, played)| Some(played.wins[seat(at)?]));
        Some(paper.chain(here).fold(before, u32::saturating_add))
    }

    /// New players at a table whose wins there have to be given: their minimum may
    /// still rise (chumchu, Handicap).
    pub(super) fn wins_to_be_said(
        &self,
        round: usize,
        table: usize,
        said: &Wins,
    ) -> Result<Vec<Name>, TournamentError> {
        let unknown =
            self.table(round, table)?.into_iter().zip(said).filter_map(|(sitter, said)| {
                let (Sitter::Player(name) | Sitter::Reserve { reserve: Some(name), .. }) = sitter
                else {
                    return None;
                };
                let before = self.wins_before(name, round)?;
                let rises = self.format.full_after.is_none_or(|full| before < full);
                (rises && said.is_none()).then(|| name.clone())
            });
        Ok(unknown.collect())
    }

    /// The events that keep a table in step with the tournament: names, earlier
    /// penalties, the clock. Once its session is over, only names; one that was closed may be opened again.
    ///
    /// # Errors
    /// Where the table does not belong to the tournament.
    pub fn follow(&self, before: &Self, table: &Table) -> Result<Vec<Event>, TournamentError> {
        let (Ok(state), Ok(opened)) = (table.state(), table.opened()) else { return Ok(vec![]) };
        let Some(Sitting { round, table }) = state.sitting else { return Ok(vec![]) };
        let due = match self.opening(round, table) {
            // Its round was laid out again, with fewer tables.
            Err(_) if state.is_closed() => return Ok(vec![]),
            due => due?,
        };
        if state.over.is_some() && !state.is_closed() {
            let names = before.opening(round, table)?.players;
            let mut players = opened.players.clone();
            for ((player, was), is) in players.iter_mut().zip(names).zip(due.players) {
                if player.name == was.name {
                    player.name = is.name;
                }
            }
            if players == opened.players {
                return Ok(vec![]);
            }
            let with = Box::new(Event::Opened(Opened { players, ..opened.clone() }));
            return Ok(vec![Event::Corrected { event: 1, with }]);
        }
        let mut events = Vec::new();
        if (&due.players, due.clock) != (&opened.players, opened.clock) {
            let Opened { players, clock, .. } = due;
            let with = Event::Opened(Opened { players, clock, ..opened.clone() });
            events.push(Event::Corrected { event: 1, with: Box::new(with) });
        }
        let due = self.clock(round, Some(table));
        let start = due.map(|clock| clock.started);
        let shown = state.clock.map(|clock| clock.started);
        let was_the_tournaments = shown.is_some() && shown == before.started.get(&round).copied();
        if let Some(clock) = state.clock_event
            && shown != start
            && (start.is_some() || was_the_tournaments)
        {
            events.push(Event::Undone { event: clock });
        }
        if let Some(started) = start.filter(|_| state.over.is_none())
            && shown != start
        {
            let minutes = Some(self.format.clock_minutes);
            events.push(Event::ClockStarted { minutes, started: Some(started) });
        }
        let known = state
            .clock
            .filter(|_| shown == start)
            .or_else(|| Some(Clock::of(start?, self.format.clock_minutes, self.format.after_time)));
        if let Some(Clock { ends, paused, .. }) = due.filter(|_| state.over.is_none())
            && due != known
        {
            events.push(Event::ClockSet { ends, paused });
        }
        Ok(events)
    }
}
