//! Reads people from spreadsheets (CSV) and programs (JSON), and reports the place of each error.
//!
//! CSV: a first line that names the columns; commas, semicolons or tabs; quotes; with or without a byte
//! order mark; UTF-8. Unknown columns are ignored.

use serde::Deserialize;
use thiserror::Error;

use super::{
    Entrant, PersonDetails, Roster,
    roster::mark_namesakes,
    spreadsheet::{Rows, Source},
};
use crate::{name::Name, points::Points, words};

/// An error in a file, and its place.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ImportError {
    /// Text in another encoding.
    #[error("line {0} is not UTF-8: save the file as \"CSV UTF-8\"")]
    Encoding(usize),
    /// A column is missing.
    #[error("line 1: there is no column `{column}`: the first line names the columns, {expected}")]
    Column {
        /// The missing column.
        column: &'static str,
        /// The expected columns.
        expected: &'static str,
    },
    /// Not JSON, or something else in it.
    #[error("{0}")]
    Json(String),
    /// A line that cannot be read.
    #[error("{place}: {problem}")]
    Entry {
        /// The line of a CSV file or the entry of a JSON list, from 1.
        place: ImportPlace,
        /// The problem.
        problem: String,
    },
    /// A quote that is never closed.
    #[error(
        "line {0}: a quote is opened here and never closed: close it, or double it where it is part of the text"
    )]
    Quote(usize),
    /// Results that differ from those entered before.
    #[error("nothing was written, as these results are there already and the file says others: {}. Undo what is wrong (tilelens tournament log lists it), or mend the file", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Different(Vec<Different>),
    /// An empty file.
    #[error("the file has no players")]
    Nothing,
}

/// A result that is there already, and another one in a file: final scores in the order in which the four began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Different {
    /// Its number, from 1.
    pub round: usize,
    /// Its number, from 1.
    pub table: usize,
    /// The scores entered before.
    pub there: [Points; 4],
    /// The scores in the file.
    pub said: [Points; 4],
}

impl std::fmt::Display for Different {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let shown = |points: [Points; 4]| points.map(Points::mixed).join(" ");
        let (round, table) = (self.round, self.table);
        write!(
            f,
            "round {round}, table {table}: {}, the file {}",
            shown(self.there),
            shown(self.said)
        )
    }
}

/// The place of an entry in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportPlace {
    /// The line of a CSV file.
    Line(u64),
    /// The entry of a JSON list.
    Entry(usize),
}

impl std::fmt::Display for ImportPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Entry(entry) => write!(f, "entry {entry}"),
        }
    }
}

/// Reads people: columns `name` and, where there are reserves, `reserve` (yes or no), and where new
/// players have a minimum of their own, `new` (yes, or how often they have won before); further details
/// in `club`, `country`, `team`, `member` and `fixed_table`, of which club or member number mark the names of people
/// who share one; or a JSON list of names or of
/// `{"name": …, "reserve": …, "new": …, "club": …}`.
///
/// ```
/// use tilelens_table::tournament::read_entrants;
/// let people = read_entrants("name;reserve\nSøren;\n\"Berg, Åse\";yes\n".as_bytes()).unwrap();
/// assert_eq!(people[1].name.as_str(), "Berg, Åse");
/// assert!(people[1].reserve && !people[0].reserve);
/// ```
///
/// # Errors
/// Where a name is empty, doubled or invalid, with its line.
pub fn read_entrants(bytes: &[u8]) -> Result<Vec<Entrant>, ImportError> {
    let people = match Source::of(bytes)? {
        Source::Json(text) => read_json(text)?,
        Source::Csv(text) => read_csv(text)?,
    };
    let mut named = Vec::new();
    for person in &people {
        let name = Name::new(&person.name).map_err(|problem| at(person.place, problem))?;
        let about = person.about.clone().checked().map_err(|problem| at(person.place, problem))?;
        named.push((name, about));
    }
    mark_namesakes(&mut named).map_err(|(index, problem)| at(people[index].place, problem))?;
    let mut roster = Roster::default();
    let mut places: Vec<ImportPlace> = Vec::new();
    for (person, (name, about)) in people.into_iter().zip(named) {
        let Person { place, reserve, new_player_wins, .. } = person;
        roster.enter(Entrant { name, reserve, new_player_wins, about }).map_err(|twice| {
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

/// A person as a file has him, not checked yet.
struct Person {
    place: ImportPlace,
    name: String,
    reserve: bool,
    new_player_wins: Option<u32>,
    about: PersonDetails,
}

/// An entry of a JSON list.
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
        #[serde(default)]
        club: String,
        #[serde(default)]
        country: String,
        #[serde(default)]
        team: String,
        #[serde(default)]
        member: String,
        #[serde(default)]
        fixed_table: Option<u16>,
    },
}

fn read_json(text: &str) -> Result<Vec<Person>, ImportError> {
    let listed: Vec<Listed> =
        serde_json::from_str(text).map_err(|error| ImportError::Json(error.to_string()))?;
    let people = (1..).map(ImportPlace::Entry).zip(listed).map(|(place, one)| match one {
        Listed::Name(name) => {
            let about = PersonDetails::default();
            Person { place, name, reserve: false, new_player_wins: None, about }
        }
        Listed::Person { name, reserve, new, club, country, team, member, fixed_table } => {
            let about = PersonDetails { club, country, team, member, fixed_table };
            Person { place, name, reserve, new_player_wins: new, about }
        }
    });
    Ok(people.collect())
}

fn read_csv(text: &str) -> Result<Vec<Person>, ImportError> {
    let mut people = Vec::new();
    let mut rows = Rows::new(text)?;
    let name = rows.column("name", "such as `name` and `reserve`")?;
    let reserve = rows.column("reserve", "").ok();
    let new = rows.column("new", "").ok();
    let [club, country, team, member, fixed] = ["club", "country", "team", "member", "fixed_table"]
        .map(|column| rows.column(column, "").ok());
    while let Some((place, row)) = rows.next()? {
        let cell =
            |column: Option<usize>| column.and_then(|column| row.get(column)).unwrap_or_default();
        let fixed_table = match cell(fixed) {
            "" => None,
            text => Some(text.parse().map_err(|_| {
                at(place, format!("fixed_table = `{text}`: expected a table's number"))
            })?),
        };
        people.push(Person {
            place,
            name: cell(Some(name)).to_owned(),
            reserve: yes_or_no(cell(reserve))
                .map_err(|problem| at(place, format!("reserve = {problem}")))?,
            new_player_wins: wins_of_a_new_player(cell(new))
                .map_err(|problem| at(place, problem))?,
            about: PersonDetails {
                club: cell(club).to_owned(),
                country: cell(country).to_owned(),
                team: cell(team).to_owned(),
                member: cell(member).to_owned(),
                fixed_table,
            },
        });
    }
    Ok(people)
}

pub(super) fn at(place: ImportPlace, problem: impl ToString) -> ImportError {
    ImportError::Entry { place, problem: problem.to_string() }
}

pub(super) fn yes_or_no(text: &str) -> Result<bool, String> {
    words::yes_or_no(text).ok_or_else(|| format!("`{text}`: expected yes or no"))
}

/// Reads the wins of a new player: `yes`, or their number.
fn wins_of_a_new_player(text: &str) -> Result<Option<u32>, String> {
    // A number counts wins here, 0 and 1 too.
    if let Ok(wins) = text.parse() {
        return Ok(Some(wins));
    }
    match words::yes_or_no(text) {
        Some(new) => Ok(new.then_some(0)),
        None => {
            Err(format!("new = `{text}`: expected yes, or how often the new player has won before"))
        }
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
    fn lists_in_other_languages_read() {
        for text in [
            "Navn;Reserve;Ny\nBo;nej;\nÅse;Ja;ja\n",
            "Spieler,Ersatz,Neu\nBo,nein,\nÅse,ja,0\n",
            "姓名,候补,新手\nBo,否,\nÅse,是,是\n",
            "名前\t補欠\t初心者\nBo\tいいえ\t\nÅse\tはい\tはい\n",
        ] {
            let people =
                read_entrants(text.as_bytes()).unwrap_or_else(|why| panic!("{text}: {why}"));
            assert_eq!(people[1].name.as_str(), "Åse");
            assert_eq!([people[0].reserve, people[1].reserve], [false, true], "{text}");
            assert_eq!(
                [people[0].new_player_wins, people[1].new_player_wins],
                [None, Some(0)],
                "{text}"
            );
        }
        // A quote inside a cell opens nothing.
        assert_eq!(names("name\nBo \"B\n"), ["Bo \"B"]);
    }

    #[test]
    fn errors_are_reported_with_their_line() {
        for (text, cause) in [
            ("Verein\nBo\n", "line 1: there is no column `name`"),
            ("name\nBo\nEva\n bo \n", "line 4: bo is in line 2 already"),
            ("name,club\nBo,\n,A\n", "line 3: the name is empty"),
            ("name\n\"Bo\nB\"\n=1\n", "line 4: the name `=1` begins with ="),
            ("name,reserve\nBo,perhaps\n", "line 2: reserve = `perhaps`"),
            ("name,new\nBo,-1\n", "line 2: new = `-1`"),
            ("name,reserve\r\nBo,\r\n\r\nEva,perhaps\r\n", "line 4: reserve = `perhaps`"),
            ("name,reserve\r\n\r\n\r\nBo,perhaps\r\n", "line 4: reserve = `perhaps`"),
            ("name,reserve\rBo,perhaps\r", "line 2: reserve = `perhaps`"),
            ("name\n\"Bo\nEva\nCy\n", "line 2: a quote is opened here and never closed"),
            ("name;club\nBo;\"A\nEva;B\n", "line 2: a quote is opened"),
            ("name\n", "no players"),
            ("", "no column `name`"),
            ("[]", "no players"),
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
