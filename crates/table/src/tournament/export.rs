//! People, schedule, results and standings as lines for spreadsheets (CSV) and programs (JSON).
//!
//! [`read_entrants`](super::read_entrants) and [`read_results`](super::read_results) read the same columns.

use jiff::tz::TimeZone;
use serde::Serialize;

use super::{Number, PersonDetails, ResultLine, Sitter, Tournament, TournamentError};
use crate::{clock::time_in, name::Name, points::Points, tile::Seat};

/// A line of the list of people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PersonLine {
    /// The player.
    pub name: Name,
    /// Whether the person stands by as a reserve.
    pub reserve: bool,
    /// A new player's wins before the tournament.
    pub new: Option<u32>,
    /// The number drawn.
    pub number: Option<Number>,
    /// The club, where any is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub club: Option<String>,
    /// The country, where any is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    /// The team, where there are some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
    /// The number in an association's list of players, where any is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub member: Option<String>,
    /// The table at which he always sits, where anybody does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fixed_table: Option<Option<u16>>,
    /// The first round from which he may not play on; where anybody may not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disqualified: Option<Option<usize>>,
    /// Why, in the referee's words; where anybody may not play on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A line of the schedule: a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SeatLine {
    /// The number of the round or table, from 1.
    pub round: usize,
    /// When it is to start.
    pub start: Option<String>,
    /// The number of the round or table, from 1.
    pub table: usize,
    /// The seat in which the player begins.
    pub wind: Seat,
    /// The number.
    pub number: Number,
    /// The player with the number; `None` for a reserve's seat.
    pub player: Option<Name>,
}

/// A line of the standings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StandingLine {
    /// The rank; `None` for a disqualified player.
    pub rank: Option<usize>,
    /// The number.
    pub number: Number,
    /// The player.
    pub player: Name,
    /// Earned points of all sessions.
    pub earned: Points,
    /// Placement bonus of all sessions.
    pub bonus: Points,
    /// Table points of all sessions, where places are worth some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table_points: Option<Points>,
    /// The cost of point penalties.
    pub penalty: Points,
    /// The total that counts.
    pub total: Points,
    /// Sessions played or missed.
    pub sessions: usize,
    /// The number in an association's list of players, where any is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub member: Option<String>,
    /// The first round from which he may not play on; where anybody may not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disqualified: Option<Option<usize>>,
}

impl Tournament {
    /// Everybody entered.
    pub fn person_lines(&self) -> Vec<PersonLine> {
        let numbers = self.seating.as_ref().map_or(&[][..], |seating| &seating.numbers);
        let number = |name: &Name| {
            let index = numbers.iter().position(|other| other == name)?;
            u16::try_from(index).ok().map(Number::at)
        };
        let any = !self.disqualified.is_empty();
        let out = |name: &Name| self.disqualified.get(name);
        let entrants = self.roster.entrants();
        // A column that nobody fills is left out.
        let columns = [
            |about: &PersonDetails| about.club.clone(),
            |about: &PersonDetails| about.country.clone(),
            |about: &PersonDetails| about.team.clone(),
            |about: &PersonDetails| about.member.clone(),
        ]
        .map(|text| {
            entrants.iter().any(|entrant| !text(&entrant.about).is_empty()).then_some(text)
        });
        let fixed = entrants.iter().any(|entrant| entrant.about.fixed_table.is_some());
        let [club, country, team, member] = columns;
        entrants
            .iter()
            .map(|entrant| PersonLine {
                name: entrant.name.clone(),
                reserve: entrant.reserve,
                new: entrant.new_player_wins,
                number: number(&entrant.name),
                club: club.map(|text| text(&entrant.about)),
                country: country.map(|text| text(&entrant.about)),
                team: team.map(|text| text(&entrant.about)),
                member: member.map(|text| text(&entrant.about)),
                fixed_table: fixed.then_some(entrant.about.fixed_table),
                disqualified: any.then(|| out(&entrant.name).map(|out| out.from_round)),
                note: any.then(|| out(&entrant.name).map_or(String::new(), |out| out.note.clone())),
            })
            .collect()
    }

    /// Every seat of every round; times are those of `zone`, with their offset.
    ///
    /// # Errors
    /// Where players are not seated yet.
    pub fn seat_lines(&self, zone: &TimeZone) -> Result<Vec<SeatLine>, TournamentError> {
        let seating = self.seated()?;
        let mut lines = Vec::new();
        for (round, tables) in (1..).zip(seating.schedule.rounds()) {
            let start = seating.starts.get(round - 1).map(|start| time_in(*start, zone));
            for (table, seats) in (1..).zip(tables) {
                for (wind, number) in Seat::ALL.into_iter().zip(*seats) {
                    let player = match self.sitter(seating, round, number) {
                        Sitter::Player(player) => Some(player),
                        Sitter::Reserve { player, .. } => player,
                    };
                    let player = player.cloned();
                    lines.push(SeatLine {
                        round,
                        start: start.clone(),
                        table,
                        wind,
                        number,
                        player,
                    });
                }
            }
        }
        Ok(lines)
    }

    /// Every result, as it was entered.
    ///
    /// # Errors
    /// Never for results that were entered.
    pub fn result_lines(&self) -> Result<Vec<ResultLine>, TournamentError> {
        let mut lines = Vec::new();
        let taken = |earned: &[Points; 4]| -earned.iter().copied().sum::<Points>();
        let any = self.results.values().any(|earned| taken(earned) != Points::ZERO);
        for ((round, table), earned) in &self.results {
            let sitters = self.table(*round, *table)?;
            let wins = self.known_result(*round, *table).unwrap_or_default().1;
            for wind in Seat::ALL {
                let (player, reserve) = match sitters[wind.index()] {
                    Sitter::Player(player) => (player.to_string(), String::new()),
                    Sitter::Reserve { player, reserve } => (
                        player.map(Name::to_string).unwrap_or_default(),
                        reserve.map_or_else(|| "yes".to_owned(), Name::to_string),
                    ),
                };
                lines.push(ResultLine {
                    round: *round,
                    table: *table,
                    wind,
                    player,
                    reserve: Some(reserve),
                    wins: wins[wind.index()],
                    points: earned[wind.index()] + self.format.starting_points,
                    // The table's amount is in its first line.
                    taken: any.then(|| match wind {
                        Seat::East => taken(earned),
                        _ => Points::ZERO,
                    }),
                });
            }
        }
        Ok(lines)
    }

    /// The standings, a line a player.
    ///
    /// # Errors
    /// Where players are not seated yet.
    pub fn standing_lines(&self) -> Result<Vec<StandingLine>, TournamentError> {
        let member =
            |name: &Name| self.roster.about(name).map(|it| it.member.clone()).unwrap_or_default();
        let any = self.roster.entrants().iter().any(|entrant| !entrant.about.member.is_empty());
        let lines = self.standings()?.into_iter().map(|standing| StandingLine {
            member: any.then(|| member(&standing.name)),
            rank: standing.rank,
            number: standing.number,
            disqualified: (!self.disqualified.is_empty())
                .then(|| self.disqualified.get(&standing.name).map(|out| out.from_round)),
            player: standing.name,
            earned: standing.earned,
            bonus: standing.bonus,
            table_points: standing.table_points,
            penalty: standing.penalty,
            total: standing.total,
            sessions: standing.sessions.iter().flatten().count(),
        });
        Ok(lines.collect())
    }
}

/// Lines as CSV, below a line of headings.
///
/// # Errors
/// Never for the lines of this module.
pub fn to_csv<Line: Serialize>(lines: &[Line]) -> Result<String, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    lines.iter().try_for_each(|line| writer.serialize(line))?;
    let bytes = writer.into_inner().map_err(csv::IntoInnerError::into_error)?;
    String::from_utf8(bytes).map_err(|error| csv::Error::from(std::io::Error::other(error)))
}
