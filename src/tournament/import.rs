//! People and results from spreadsheets (CSV) and programs (JSON).
//!
//! CSV: a first line that names the columns; commas, semicolons or tabs; quotes; with or without a byte
//! order mark; UTF-8. Columns that mean nothing here are passed over.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{
    Entrant, Event, Roster, Sitter, Tournament,
    spreadsheet::{Rows, Source},
};
use crate::{name::Name, points::Points, tile::Seat};

/// What is wrong with a file, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ImportError {
    /// Text in another encoding.
    #[error("line {0} is not UTF-8: save the file as \"CSV UTF-8\"")]
    Encoding(usize),
    /// No such column.
    #[error("line 1: there is no column `{column}`: the first line names the columns, {expected}")]
    Column {
        /// Which.
        column: &'static str,
        /// What is expected.
        expected: &'static str,
    },
    /// Not JSON, or something else in it.
    #[error("{0}")]
    Json(String),
    /// A line that means nothing.
    #[error("{place}: {problem}")]
    Entry {
        /// The line of a CSV file or the entry of a JSON list, from 1.
        place: Place,
        /// What is wrong.
        problem: String,
    },
    /// Nothing in it.
    #[error("there is nobody and nothing in it")]
    Nothing,
}

/// Where an entry stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The line of a CSV file.
    Line(u64),
    /// The entry of a JSON list.
    Entry(usize),
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Entry(entry) => write!(f, "entry {entry}"),
        }
    }
}

/// One player's result, as a line of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultLine {
    /// From 1.
    pub round: usize,
    /// From 1.
    pub table: usize,
    /// The seat in which the player began.
    pub wind: Seat,
    /// Whose seat it is; empty where it is a reserve's, or was not said.
    #[serde(default)]
    pub player: String,
    /// The final score at the table.
    pub points: Points,
}

/// Reads people: columns `name` and, where there are reserves, `reserve` (yes or no), and where new
/// players have a minimum of their own, `new` (yes, or how often they have won before); or a JSON list
/// of names or of `{"name": …, "reserve": …, "new": …}`.
///
/// ```
/// use tilelens::tournament::read_entrants;
/// let people = read_entrants("name;reserve\nSøren;\n\"Berg, Åse\";yes\n".as_bytes()).unwrap();
/// assert_eq!(people[1].name.as_str(), "Berg, Åse");
/// assert!(people[1].reserve && !people[0].reserve);
/// ```
///
/// # Errors
/// Where a name is empty, doubled or none, with its line.
pub fn read_entrants(bytes: &[u8]) -> Result<Vec<Entrant>, ImportError> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Listed {
        Name(String),
        Person {
            name: String,
            #[serde(default)]
            reserve: bool,
            #[serde(default)]
            new: Option<u32>,
        },
    }
    let mut people: Vec<(Place, String, bool, Option<u32>)> = Vec::new();
    match Source::of(bytes)? {
        Source::Json(text) => {
            let listed: Vec<Listed> =
                serde_json::from_str(text).map_err(|error| ImportError::Json(error.to_string()))?;
            for (index, one) in listed.into_iter().enumerate() {
                let (name, reserve, new) = match one {
                    Listed::Name(name) => (name, false, None),
                    Listed::Person { name, reserve, new } => (name, reserve, new),
                };
                people.push((Place::Entry(index + 1), name, reserve, new));
            }
        }
        Source::Csv(text) => {
            let mut rows = Rows::new(text)?;
            let name = rows.column("name", "such as `name` and `reserve`")?;
            let reserve = rows.column("reserve", "").ok();
            let new = rows.column("new", "").ok();
            while let Some((place, row)) = rows.next()? {
                let cell = |column: Option<usize>| column.and_then(|column| row.get(column));
                let stands_by = cell(reserve).unwrap_or_default();
                let new = cell(new).unwrap_or_default();
                people.push((
                    place,
                    row.get(name).unwrap_or_default().to_owned(),
                    yes_or_no(stands_by).map_err(|problem| at(place, problem))?,
                    wins_of_a_new_player(new).map_err(|problem| at(place, problem))?,
                ));
            }
        }
    }
    let mut roster = Roster::default();
    let mut places: Vec<Place> = Vec::new();
    for (place, text, reserve, new_player_wins) in people {
        let name = Name::new(&text).map_err(|problem| at(place, problem))?;
        roster.enter(Entrant { name, reserve, new_player_wins }).map_err(|twice| {
            let twin = roster.entrants().iter().position(|other| other.name.same_as(&twice.0));
            match twin {
                Some(twin) => at(place, format!("{} is in {} already", twice.0, places[twin])),
                None => at(place, twice),
            }
        })?;
        places.push(place);
    }
    if roster.entrants().is_empty() {
        return Err(ImportError::Nothing);
    }
    Ok(roster.entrants().to_vec())
}

/// Reads results: columns `round`, `table`, `wind`, `points` and, to be checked, `player`; or a
/// JSON list of the same.
///
/// # Errors
/// Where a line is none, a seat is there twice or missing, or another player sits on it.
pub fn read_results(bytes: &[u8], tournament: &Tournament) -> Result<Vec<Event>, ImportError> {
    let mut lines: Vec<(Place, ResultLine)> = Vec::new();
    match Source::of(bytes)? {
        Source::Json(text) => {
            let listed: Vec<ResultLine> =
                serde_json::from_str(text).map_err(|error| ImportError::Json(error.to_string()))?;
            lines.extend((1..).map(Place::Entry).zip(listed));
        }
        Source::Csv(text) => {
            const COLUMNS: &str = "such as `round`, `table`, `wind`, `player` and `points`";
            let mut rows = Rows::new(text)?;
            let [round, table, wind, points] = [
                rows.column("round", COLUMNS)?,
                rows.column("table", COLUMNS)?,
                rows.column("wind", COLUMNS)?,
                rows.column("points", COLUMNS)?,
            ];
            let player = rows.column("player", COLUMNS).ok();
            while let Some((place, row)) = rows.next()? {
                let cell = |column: usize| row.get(column).unwrap_or_default();
                let count = |column: usize, what: &str| -> Result<usize, ImportError> {
                    let text = cell(column);
                    text.parse().map_err(|_| at(place, format!("`{text}` is no {what}")))
                };
                let seat = cell(wind);
                let line = ResultLine {
                    round: count(round, "round")?,
                    table: count(table, "table")?,
                    wind: one_letter(seat)
                        .and_then(Seat::from_letter)
                        .ok_or_else(|| at(place, format!("`{seat}` is no wind: E, S, W or N")))?,
                    player: player.map(cell).unwrap_or_default().to_owned(),
                    points: cell(points).parse().map_err(|problem| at(place, problem))?,
                };
                lines.push((place, line));
            }
        }
    }
    results(&lines, tournament)
}

fn results(
    lines: &[(Place, ResultLine)],
    tournament: &Tournament,
) -> Result<Vec<Event>, ImportError> {
    let mut tables: indexmap::IndexMap<(usize, usize), [Option<Points>; 4]> =
        indexmap::IndexMap::new();
    let mut last = Place::Entry(0);
    for (place, line) in lines {
        let sitters =
            tournament.table(line.round, line.table).map_err(|problem| at(*place, problem))?;
        let sitter = sitters[line.wind.index()];
        if !line.player.trim().is_empty() && !sits(&line.player, sitter) {
            let wind = line.wind;
            return Err(at(
                *place,
                format!(
                    "{} does not sit as {wind} at table {} of round {}",
                    line.player, line.table, line.round
                ),
            ));
        }
        let four = tables.entry((line.round, line.table)).or_default();
        if four[line.wind.index()].replace(line.points).is_some() {
            return Err(at(*place, format!("{} has two results at this table", line.wind)));
        }
        last = *place;
    }
    if tables.is_empty() {
        return Err(ImportError::Nothing);
    }
    tables
        .into_iter()
        .map(|((round, table), four)| match four {
            [Some(east), Some(south), Some(west), Some(north)] => {
                Ok(Event::Result { round, table, points: [east, south, west, north] })
            }
            _ => Err(at(
                last,
                format!("table {table} of round {round} needs four lines, one for each wind"),
            )),
        })
        .collect()
}

fn sits(text: &str, sitter: Sitter<'_>) -> bool {
    let Ok(name) = Name::new(text) else { return false };
    match sitter {
        Sitter::Player(player) => player.same_as(&name),
        Sitter::Reserve { player, reserve } => {
            [player, reserve].into_iter().flatten().any(|other| other.same_as(&name))
        }
    }
}

fn one_letter(text: &str) -> Option<char> {
    let mut letters = text.chars();
    let first = letters.next()?;
    letters.next().is_none().then_some(first)
}

fn at(place: Place, problem: impl ToString) -> ImportError {
    ImportError::Entry { place, problem: problem.to_string() }
}

fn yes_or_no(text: &str) -> Result<bool, String> {
    match text.to_lowercase().as_str() {
        "yes" | "y" | "true" | "1" | "x" => Ok(true),
        "" | "no" | "n" | "false" | "0" => Ok(false),
        _ => Err(format!("reserve = `{text}`: expected yes or no")),
    }
}

/// `yes`, or how often he has won before.
fn wins_of_a_new_player(text: &str) -> Result<Option<u32>, String> {
    match text.to_lowercase().as_str() {
        "" | "no" | "n" => Ok(None),
        "yes" | "y" | "x" => Ok(Some(0)),
        wins => wins.parse().map(Some).map_err(|_| {
            format!("new = `{text}`: expected yes, or how often the new player has won before")
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        let people = read_entrants(text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
        people.into_iter().map(|one| one.name.to_string()).collect()
    }

    fn refusal(bytes: &[u8]) -> String {
        read_entrants(bytes).unwrap_err().to_string()
    }

    #[test]
    fn spreadsheets_of_every_country_read() {
        let expected = ["Berg, Åse", "Jörg \"Jo\" Öz", "李小龍"];
        for text in [
            "name\n\"Berg, Åse\"\n\"Jörg \"\"Jo\"\" Öz\"\n李小龍\n",
            "\u{feff}name,club\r\n\"Berg, Åse\",A\r\n\"Jörg \"\"Jo\"\" Öz\",B\r\n李小龍,\r\n",
            "Club;Name\nA;Berg, Åse\nB;\"Jörg \"\"Jo\"\" Öz\"\n;李小龍\n;\n",
            "Name\tclub\nBerg, Åse\tx\n\"Jörg \"\"Jo\"\" Öz\"\t\n\n  李小龍 \t",
            r#"["Berg, Åse", {"name": "Jörg \"Jo\" Öz"}, {"name": "李小龍", "reserve": false}]"#,
        ] {
            assert_eq!(names(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (text, cause) in [
            ("Navn\nBo\n", "line 1: there is no column `name`"),
            ("name\nBo\nEva\n bo \n", "line 4: bo is in line 2 already"),
            ("name,club\nBo,\n,A\n", "line 3: the name is empty"),
            ("name\n\"Bo\nB\"\n=1\n", "line 4: the name `=1` begins with ="),
            ("name,reserve\nBo,perhaps\n", "line 2: reserve = `perhaps`"),
            ("name,new\nBo,-1\n", "line 2: new = `-1`"),
            ("name\n", "nobody"),
            ("", "no column `name`"),
            ("[]", "nobody"),
            ("[\"Bo\", \"BO\"]", "entry 2: BO is in entry 1 already"),
            ("[\"Bo\",\n7]", "line 2"),
            ("{\"a\":1}", "expected a sequence"),
        ] {
            let error = refusal(text.as_bytes());
            assert!(error.contains(cause), "{text}: {error}");
        }
        assert!(refusal(b"name\nJ\xf6rg\n").contains("line 2 is not UTF-8"));
    }
}
