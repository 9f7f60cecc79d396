//! Results from spreadsheets (CSV) and programs (JSON): points, who played for whom, how often
//! somebody won.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::{
    Event, ImportError, ImportPlace, Number, Sitter, Tournament, TournamentError, Wins,
    import::{Different, at, yes_or_no},
    spreadsheet::{Rows, Source},
};
use crate::{name::Name, points::Points, tile::Seat, words};

/// One player's result, as a line of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultLine {
    /// Its number, from 1.
    pub round: usize,
    /// Its number, from 1.
    pub table: usize,
    /// The seat in which the player began.
    pub wind: Seat,
    /// The player whose seat it is; empty where it is a reserve's, or was not given.
    #[serde(default)]
    pub player: String,
    /// The reserve who played instead, or `yes` without a name; empty where the player played
    /// himself. `None` where a file has no such column.
    #[serde(default)]
    pub reserve: Option<String>,
    /// The number of wins, where known.
    #[serde(default)]
    pub wins: Option<u32>,
    /// The final score at the table.
    pub points: Points,
    /// Points taken from the table's score and given to nobody, the table's lines together: penalties,
    /// lost sticks. `None` where no table of a file has any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken: Option<Points>,
}

/// The contents of a file of results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadResults {
    /// The events to write.
    pub events: Vec<Event>,
    /// Tables (round, table) whose equal results were entered before.
    pub known: Vec<(usize, usize)>,
}

/// Reads results: columns `round`, `table`, `wind`, `points` and, where they are there, `player` to be
/// checked, `reserve`, `wins` and `taken`; or a JSON list of the same. A replaced player who
/// is not absent yet becomes so first. Equal results that were entered before are skipped.
///
/// # Errors
/// Where results differ from those entered before, a line cannot be read, or a seat is double, missing or taken by
/// others.
pub fn read_results(bytes: &[u8], tournament: &Tournament) -> Result<ReadResults, ImportError> {
    let lines = match Source::of(bytes)? {
        Source::Json(text) => {
            let listed: Vec<ResultLine> =
                serde_json::from_str(text).map_err(|error| ImportError::Json(error.to_string()))?;
            (1..).map(ImportPlace::Entry).zip(listed).collect()
        }
        Source::Csv(text) => from_csv(text)?,
    };
    events(&lines, tournament)
}

fn from_csv(text: &str) -> Result<Vec<(ImportPlace, ResultLine)>, ImportError> {
    const COLUMNS: &str = "such as `round`, `table`, `wind`, `player` and `points`";
    let mut rows = Rows::new(text)?;
    let [round, table, wind, points] = [
        rows.column("round", COLUMNS)?,
        rows.column("table", COLUMNS)?,
        rows.column("wind", COLUMNS)?,
        rows.column("points", COLUMNS)?,
    ];
    let [player, reserve, wins, taken] =
        ["player", "reserve", "wins", "taken"].map(|column| rows.column(column, COLUMNS).ok());
    let mut lines = Vec::new();
    while let Some((place, row)) = rows.next()? {
        let cell = |column: usize| row.get(column).unwrap_or_default();
        let count = |column: usize, what: &str| -> Result<usize, ImportError> {
            let text = cell(column);
            text.parse().map_err(|_| at(place, format!("`{text}` is no {what}")))
        };
        let seat = cell(wind);
        let wins = wins.map(cell).filter(|text| !text.is_empty());
        let wins = wins.map(|text| {
            text.parse().map_err(|_| at(place, format!("wins = `{text}`: expected a number")))
        });
        let line = ResultLine {
            round: count(round, "round")?,
            table: count(table, "table")?,
            wind: words::wind(seat)
                .ok_or_else(|| at(place, format!("`{seat}` is no wind: E, S, W or N")))?,
            player: player.map(cell).unwrap_or_default().to_owned(),
            reserve: reserve.map(|column| cell(column).to_owned()),
            wins: wins.transpose()?,
            points: cell(points).parse().map_err(|problem| at(place, problem))?,
            taken: taken
                .map(cell)
                .filter(|text| !text.is_empty())
                .map(|text| text.parse().map_err(|problem| at(place, problem)))
                .transpose()?,
        };
        lines.push((place, line));
    }
    Ok(lines)
}

impl Tournament {
    /// The points won and lost at a table that has a result, and the wins of each, as far as known.
    pub(super) fn known_result(&self, round: usize, table: usize) -> Option<([Points; 4], Wins)> {
        let earned = self.results.get(&(round, table))?;
        let here = self.played.get(&(round, table)).map(|played| played.wins.map(Some));
        let wins = self.paper_wins.get(&(round, table)).copied().or(here).unwrap_or_default();
        Some((*earned, wins))
    }
}

/// The four lines of a table, as far as they were read.
#[derive(Default)]
struct Four {
    /// The place of its first line.
    place: Option<ImportPlace>,
    points: [Option<Points>; 4],
    wins: Wins,
    taken: Points,
}

fn events(
    lines: &[(ImportPlace, ResultLine)],
    tournament: &Tournament,
) -> Result<ReadResults, ImportError> {
    let mut tables: IndexMap<(usize, usize), Four> = IndexMap::new();
    let (mut events, mut last) = (Vec::new(), ImportPlace::Entry(0));
    for (place, line) in lines {
        let (place, seat) = (*place, line.wind.index());
        let failed = |problem: TournamentError| at(place, problem);
        let sitter = tournament.table(line.round, line.table).map_err(failed)?[seat];
        let number = tournament.round(line.round).map_err(failed)?[line.table - 1][seat];
        events.extend(replaced(tournament, line, sitter, number).map_err(|why| at(place, why))?);
        let four = tables.entry((line.round, line.table)).or_default();
        four.place = four.place.or(Some(place));
        if four.points[seat].replace(line.points).is_some() {
            return Err(at(place, format!("{} has two results at this table", line.wind)));
        }
        four.wins[seat] = line.wins;
        four.taken += line.taken.unwrap_or_default();
        last = place;
    }
    if tables.is_empty() {
        return Err(ImportError::Nothing);
    }
    let (mut known, mut others) = (Vec::new(), Vec::new());
    for ((round, table), Four { place, points, wins, taken }) in tables {
        let [Some(east), Some(south), Some(west), Some(north)] = points else {
            let problem =
                format!("table {table} of round {round} needs four lines, one for each wind");
            return Err(at(place.unwrap_or(last), problem));
        };
        let points = [east, south, west, north];
        match tournament.known_result(round, table) {
            None => {
                // Scores that do not add up are reported with their table.
                let failed = |why: TournamentError| {
                    at(place.unwrap_or(last), format!("round {round}, table {table}: {why}"))
                };
                tournament.clone().result((round, table), points, taken).map_err(failed)?;
                events.push(Event::Result { round, table, points, wins, taken });
            }
            Some((there, won)) => {
                let earned = points.map(|points| points - tournament.format.starting_points);
                let same_wins = wins.iter().zip(won).all(|(said, won)| match (said, won) {
                    (Some(said), Some(won)) => *said == won,
                    _ => true,
                });
                if there == earned && same_wins {
                    known.push((round, table));
                } else {
                    let is = there.map(|points| points + tournament.format.starting_points);
                    others.push(Different { round, table, there: is, said: points });
                }
            }
        }
    }
    if !others.is_empty() {
        return Err(ImportError::Different(others));
    }
    Ok(ReadResults { events, known })
}

/// The events that bring the tournament in line with the replacement of a result's line.
fn replaced(
    tournament: &Tournament,
    line: &ResultLine,
    sitter: Sitter<'_>,
    number: Number,
) -> Result<Option<Event>, String> {
    let named = |text: &str| Name::new(text).ok();
    let is = |name: Option<&Name>, text: &str| {
        name.is_some_and(|name| named(text).is_some_and(|text| name.same_as(&text)))
    };
    let (whose, noted) = match sitter {
        Sitter::Player(player) => (Some(player), None),
        Sitter::Reserve { player, reserve } => (player, reserve),
    };
    let (player, round) = (line.player.trim(), line.round);
    let himself = is(noted, player);
    if !player.is_empty() && !himself && !is(whose, player) {
        let (wind, table) = (line.wind, line.table);
        return Err(format!("{player} does not sit as {wind} at table {table} of round {round}"));
    }
    let Some(said) = line.reserve.as_deref().map(str::trim) else { return Ok(None) };
    let reserve = match yes_or_no(said) {
        Ok(true) => None,
        Ok(false) => match (sitter, whose) {
            (Sitter::Reserve { .. }, Some(whose)) if !himself => {
                return Err(format!(
                    "{whose} did not play in round {round}, as was noted: say in `reserve` who did (or yes), or undo that first"
                ));
            }
            _ => return Ok(None),
        },
        Err(_) => {
            let found = tournament.roster.reserves().find(|name| is(Some(*name), said));
            Some(
                found
                    .cloned()
                    .ok_or_else(|| format!("reserve = `{said}`: nobody of that name stands by"))?,
            )
        }
    };
    Ok(match (sitter, reserve) {
        (Sitter::Player(player), reserve) => {
            Some(Event::Absent { player: player.clone(), round, reserve })
        }
        (Sitter::Reserve { reserve: Some(noted), .. }, Some(said)) if *noted != said => {
            return Err(format!("{noted} plays there in round {round}, as was noted, not {said}"));
        }
        (Sitter::Reserve { reserve: None, .. }, Some(reserve)) => {
            Some(Event::Substituted { round, number, reserve })
        }
        (Sitter::Reserve { .. }, _) => None,
    })
}
