//! Lays out rounds for an organiser: by meetings, by the standings, with a final table; players may be
//! left out, kept apart, or fixed to a table.

use std::{
    collections::{BTreeMap, HashMap},
    ops::RangeInclusive,
};

use jiff::{SignedDuration, Timestamp};

use super::{
    By, Entrant, Event, Group, Number, Paired, PersonDetails, Plan, Schedule, ScheduleError,
    Seating, Sitter, Table, Tournament, TournamentError, draw, lot,
    schedule::{Guest, LaidOut, Layout},
};
use crate::name::Name;

/// A seated player with his number.
type Playing<'a> = (Number, &'a Name);

/// An organiser's wishes for rounds that are laid out after the draw.
#[derive(Clone, Debug, Default)]
pub struct Pairing {
    /// The way in which they are laid out.
    pub by: By,
    /// The first round; where it is left out the first of which nothing has begun.
    pub round: Option<usize>,
    /// The number of rounds; left out: one, or all planned ones if as many as possible are to meet.
    pub rounds: Option<usize>,
    /// Whether only the four of the final table play.
    pub only_final: bool,
    /// Which groups are kept apart; as before where it is left out.
    pub apart: Option<Vec<Group>>,
    /// The seed of all random choices.
    pub seed: String,
    /// When the first session starts that was not planned before; where it is left out as long after the one
    /// before it as the rules plan.
    pub start: Option<Timestamp>,
}

impl Tournament {
    /// The draw of numbers, and the rounds: all of them, or the first where the others go by the standings.
    ///
    /// # Errors
    /// Where there are too few or too many players, or too many rounds, or a fixed table is impossible.
    pub fn first_seating(
        &self,
        (rounds, by): (u16, By),
        apart: &[Group],
        seed: &str,
        starts: Vec<Timestamp>,
    ) -> Result<Event, TournamentError> {
        if rounds == 0 || rounds > Schedule::MOST_ROUNDS {
            return Err(ScheduleError::Rounds(rounds).into());
        }
        let seats = self.seats_needed()?;
        let numbers = draw(seed, self.roster.players());
        let laid_out = if by == By::Meetings { rounds } else { 1 };
        let wished = |about: &PersonDetails| {
            let group = apart.iter().any(|kind| !about.group(*kind).is_empty());
            group || !about.team.is_empty() || about.fixed_table.is_some()
        };
        let schedule = if numbers.iter().filter_map(|name| self.roster.about(name)).any(wished) {
            let seating = Seating {
                seed: seed.to_owned(),
                numbers: numbers.clone(),
                schedule: Schedule::of(Vec::new()),
                starts: Vec::new(),
                planned: 0,
                apart: apart.to_vec(),
                by: By::Meetings,
            };
            let drawn = Self { seating: Some(seating), ..self.clone() };
            drawn.lay_out(1, laid_out, (By::Meetings, false), (apart, seed))?.schedule
        } else {
            Schedule::new(seats, laid_out)?
        };
        let plan = Plan { rounds: (laid_out < rounds).then_some(rounds), apart: apart.to_vec() };
        let plan = (plan != Plan::default()).then_some(plan);
        Ok(Event::Seated { seed: seed.to_owned(), numbers, schedule, starts, plan })
    }

    /// Rounds after the draw, laid out as asked for.
    ///
    /// # Errors
    /// Where a round has begun, or cannot be laid out so.
    pub fn pair(&self, asked: &Pairing) -> Result<Event, TournamentError> {
        let seating = self.seated()?;
        let laid_out = seating.schedule.rounds().len();
        let open = self.first_open_round()?;
        let round = asked.round.unwrap_or_else(|| open.min(laid_out + 1));
        if round < open {
            return Err(TournamentError::RoundBegun { round, open });
        }
        if round > laid_out + 1 {
            return Err(TournamentError::NotNext { round, next: laid_out + 1 });
        }
        let all = (seating.planned + 1).saturating_sub(round).max(1);
        let rounds = match (asked.rounds, asked.by) {
            (_, By::Final) | (None, By::Standings) => 1,
            (None, By::Meetings) => all,
            (Some(rounds), _) => rounds,
        };
        let last = round + rounds - usize::from(rounds > 0);
        let count = u16::try_from(rounds).unwrap_or(u16::MAX);
        if rounds == 0 || last > usize::from(Schedule::MOST_ROUNDS) {
            return Err(ScheduleError::Rounds(count).into());
        }
        let apart = asked.apart.as_ref().unwrap_or(&seating.apart);
        let how = (asked.by, asked.only_final);
        let found = self.lay_out(round, count, how, (apart, &asked.seed))?;
        Ok(Event::Paired(Box::new(Paired {
            round,
            by: asked.by,
            apart: apart.clone(),
            seed: asked.seed.clone(),
            schedule: found.schedule,
            out: found.out,
            starts: self.starts_after(seating, last, asked.start),
            proven: found.proven,
        })))
    }

    /// When sessions start that were not planned before, up to a round.
    fn starts_after(
        &self,
        seating: &Seating,
        last: usize,
        start: Option<Timestamp>,
    ) -> Vec<Timestamp> {
        let length = SignedDuration::from_mins(i64::from(self.format.rules.minutes));
        let added = last.saturating_sub(seating.planned.max(seating.starts.len()));
        let known = seating.starts.last().filter(|_| seating.starts.len() >= seating.planned);
        let follows = known.and_then(|before| before.checked_add(length).ok());
        let first = start.or(follows).filter(|_| added > 0);
        let starts = std::iter::successors(first, |before| before.checked_add(length).ok());
        // The log refuses an impossible start.
        if added == 0 { start.into_iter().collect() } else { starts.take(added).collect() }
    }

    /// Players who join, with the rounds laid out again from their first one on, in the way of the last.
    ///
    /// # Errors
    /// Where there is no such round, it has begun, or a name is taken.
    pub fn joining(&self, entrants: Vec<Entrant>, round: usize) -> Result<Event, TournamentError> {
        let seating = self.seated()?;
        if !(1..=seating.planned).contains(&round) {
            return Err(TournamentError::NoRound { round, rounds: seating.planned });
        }
        let laid_out = seating.schedule.rounds().len();
        let mut next = self.clone();
        for entrant in &entrants {
            next.roster.join(entrant.clone())?;
            next.joined_in.insert(entrant.name.clone(), round);
        }
        let names = entrants.iter().map(|entrant| entrant.name.clone());
        next.seating.iter_mut().for_each(|seating| seating.numbers.extend(names.clone()));
        next.seats_needed()?;
        let open = self.first_open_round()?;
        if round < open {
            return Err(TournamentError::RoundBegun { round, open });
        }
        if round > laid_out {
            let (schedule, out) = (seating.schedule.clone(), Vec::new());
            return Ok(Event::Joined { entrants, round, schedule, out });
        }
        let count = u16::try_from(laid_out + 1 - round).unwrap_or(u16::MAX);
        let by = if self.results.is_empty() { By::Meetings } else { seating.by };
        let by = if by == By::Final && count > 1 { By::Standings } else { by };
        let found = next.lay_out(round, count, (by, false), (&seating.apart, &seating.seed))?;
        Ok(Event::Joined { entrants, round, schedule: found.schedule, out: found.out })
    }

    /// Lays rounds out from one on.
    fn lay_out(
        &self,
        round: usize,
        rounds: u16,
        (by, only_final): (By, bool),
        (apart, seed): (&[Group], &str),
    ) -> Result<LaidOutRounds, TournamentError> {
        let seating = self.seated()?;
        let mut playing = self.who_plays(seating, round..=round + usize::from(rounds) - 1);
        let by_standings = by != By::Meetings;
        if by_standings {
            self.sort_by_standings(&mut playing, seed)?;
        }
        let earlier = seating.schedule.rounds().get(..round - 1).unwrap_or_default();
        let mut finalists = Vec::new();
        if by == By::Final {
            if playing.len() < 4 {
                return Err(TournamentError::NoFinal(playing.len()));
            }
            finalists = playing.drain(..4).collect();
            if only_final {
                playing.clear();
            }
        }
        if finalists.is_empty() && playing.len() < 4 {
            return Err(TournamentError::TooFew(playing.len()));
        }
        let mut guests: Vec<Guest> = self.guests(&playing, apart, round);
        let reserves = guests.len().next_multiple_of(4) - guests.len();
        let reserve = |index| Guest {
            number: Some(number_at(seating.numbers.len() + index)),
            reserve: true,
            ..Guest::default()
        };
        guests.extend((0..reserves).map(reserve));
        if guests.len() + finalists.len() > usize::from(Schedule::MOST_SEATS) {
            return Err(TournamentError::TooMany(playing.len() + finalists.len()));
        }
        let tables = (guests.len() + finalists.len()) / 4;
        let final_table = self.final_table(&finalists, &playing)?;
        self.check_fixed((&finalists, &playing), tables, final_table)?;
        // The others' tables are counted without the one of the final.
        if let Some(at) = final_table {
            let fixed = guests.iter_mut().filter_map(|guest| guest.fixed.as_mut());
            fixed.filter(|table| **table > at).for_each(|table| *table -= 1);
        }
        let met = self.met(&guests, round);
        let layout = Layout { guests: &guests, met: &met, earlier, rounds, by_standings, seed };
        let LaidOut { rounds: mut found, mut proven } = if guests.is_empty() {
            LaidOut { rounds: vec![Vec::new()], proven: true }
        } else {
            layout.lay_out()
        };
        if let Some(at) = final_table {
            let seats: Table = std::array::from_fn(|seat| finalists[seat].0);
            found.iter_mut().for_each(|round| round.insert(usize::from(at) - 1, seats));
            // The players of the final table were not chosen by the search.
            proven = proven || guests.is_empty();
        }
        let sits = |name: &Name| playing.iter().chain(&finalists).any(|(_, own)| *own == name);
        Ok(LaidOutRounds {
            schedule: Schedule::of(earlier.iter().cloned().chain(found).collect()),
            out: seating.numbers.iter().filter(|name| !sits(name)).cloned().collect(),
            proven,
        })
    }

    /// The players who play at least one of these rounds.
    fn who_plays<'a>(
        &self,
        seating: &'a Seating,
        rounds: RangeInclusive<usize>,
    ) -> Vec<Playing<'a>> {
        let plays = |name: &Name| {
            let joins = self.joined_in.get(name).is_none_or(|first| first <= rounds.end());
            joins && rounds.clone().any(|round| !self.is_missing(name, round))
        };
        let all = seating.numbers.iter().enumerate().filter(|(_, name)| plays(name));
        all.map(|(index, name)| (number_at(index), name)).collect()
    }

    /// The first of the standings first; lots decide between equals.
    fn sort_by_standings(
        &self,
        playing: &mut [Playing<'_>],
        seed: &str,
    ) -> Result<(), TournamentError> {
        if self.results.is_empty() {
            return Err(TournamentError::NoStandings);
        }
        let rank: HashMap<Number, usize> = self
            .standings()?
            .into_iter()
            .map(|standing| (standing.number, standing.rank.unwrap_or(usize::MAX)))
            .collect();
        playing.sort_by_cached_key(|(number, name)| {
            (rank.get(number).copied().unwrap_or(usize::MAX), lot(seed, name))
        });
        Ok(())
    }

    fn fixed_table(&self, name: &Name) -> Option<u16> {
        self.roster.about(name)?.fixed_table.filter(|table| *table > 0)
    }

    /// The table of the final: at the table at which one of the four always sits, or the first that is no
    /// other's.
    fn final_table(
        &self,
        finalists: &[Playing<'_>],
        others: &[Playing<'_>],
    ) -> Result<Option<u16>, TournamentError> {
        if finalists.is_empty() {
            return Ok(None);
        }
        let fixed = |(_, name): &Playing<'_>| self.fixed_table(name);
        let own: Vec<u16> = finalists.iter().filter_map(fixed).collect();
        let mut free =
            (1_u16..).filter(|table| others.iter().all(|one| fixed(one) != Some(*table)));
        match own.as_slice() {
            [] => Ok(free.next()),
            [first, rest @ ..] if rest.iter().all(|table| table == first) => Ok(Some(*first)),
            _ => {
                let at = |one: &&Playing<'_>| fixed(one).is_some();
                let names = finalists.iter().filter(at).map(|(_, name)| Name::clone(name));
                Err(TournamentError::FinalTables(names.collect()))
            }
        }
    }

    /// Checks that the fixed tables exist and have room for their players.
    fn check_fixed(
        &self,
        (finalists, others): (&[Playing<'_>], &[Playing<'_>]),
        tables: usize,
        final_table: Option<u16>,
    ) -> Result<(), TournamentError> {
        let at = |one: &Playing<'_>| self.fixed_table(one.1);
        for (player, table) in
            finalists.iter().chain(others).filter_map(|one| Some((one.1.clone(), at(one)?)))
        {
            if usize::from(table) > tables {
                return Err(TournamentError::FixedTable { player, table, tables });
            }
        }
        if final_table.is_some_and(|table| usize::from(table) > tables) {
            let fixed = others.iter().filter(|one| at(one).is_some());
            return Err(TournamentError::FinalTables(
                fixed.map(|(_, name)| Name::clone(name)).collect(),
            ));
        }
        let mut sit: BTreeMap<u16, usize> =
            final_table.map(|table| (table, 4)).into_iter().collect();
        for table in others.iter().filter_map(at) {
            *sit.entry(table).or_default() += 1;
        }
        match sit.into_iter().find(|(_, players)| *players > 4) {
            Some((table, players)) => Err(TournamentError::FixedTogether { table, players }),
            None => Ok(()),
        }
    }

    /// The seats to fill, with the details that weigh in the layout.
    fn guests(&self, playing: &[Playing<'_>], apart: &[Group], round: usize) -> Vec<Guest> {
        let nothing = PersonDetails::default();
        let mut known: HashMap<(usize, String), usize> = HashMap::new();
        let mut with_reserves: HashMap<Number, u16> = HashMap::new();
        for players in self.at_tables(round).filter(|players| players.iter().any(Option::is_none)) {
            for number in players.into_iter().flatten() {
                *with_reserves.entry(number).or_default() += 1;
            }
        }
        let mut guests = Vec::new();
        for (number, name) in playing {
            let about = self.roster.about(name).unwrap_or(&nothing);
            let mut id = |kind: usize, text: &str| {
                let next = known.len();
                let key = (kind, text.to_lowercase());
                (!text.is_empty()).then(|| *known.entry(key).or_insert(next))
            };
            guests.push(Guest {
                number: Some(*number),
                reserve: false,
                team: id(0, &about.team),
                groups: (1..)
                    .zip(apart)
                    .map(|(kind, group)| id(kind, about.group(*group)))
                    .collect(),
                fixed: self.fixed_table(name),
                with_reserves: with_reserves.get(number).copied().unwrap_or(0),
            });
        }
        guests
    }

    /// The number of earlier meetings of each pair before a round.
    fn met(&self, guests: &[Guest], round: usize) -> Vec<u16> {
        let place: HashMap<Number, usize> = (guests.iter().enumerate())
            .filter_map(|(place, guest)| Some((guest.number?, place)))
            .collect();
        let mut met = vec![0; guests.len() * guests.len()];
        for players in self.at_tables(round) {
            let here = || players.iter().flatten().filter_map(|number| place.get(number));
            for (one, other) in here().flat_map(|one| here().map(move |other| (one, other))) {
                met[one * guests.len() + other] += u16::from(one != other);
            }
        }
        met
    }

    /// The players at each table before a round; `None` where a reserve sits.
    pub(super) fn at_tables(&self, before: usize) -> impl Iterator<Item = [Option<Number>; 4]> {
        let seating = self.seating.as_ref();
        let rounds = seating.map_or(&[][..], |seating| seating.schedule.rounds());
        let rounds = (1..before).zip(rounds);
        rounds.flat_map(move |(round, tables)| {
            tables.iter().map(move |seats| {
                seats.map(|number| match self.sitter(seating?, round, number) {
                    Sitter::Player(_) => Some(number),
                    Sitter::Reserve { .. } => None,
                })
            })
        })
    }
}

/// The number of the seat at that place in the draw.
fn number_at(index: usize) -> Number {
    u16::try_from(index).map(Number::at).unwrap_or(Number(u16::MAX))
}

/// Rounds that were laid out.
struct LaidOutRounds {
    schedule: Schedule,
    out: Vec<Name>,
    proven: bool,
}
