//! Final standings in the columns of an association's template.

use indexmap::IndexMap;

use super::{PersonDetails, Standing, Tournament, TournamentError, spreadsheet::delimiter_of};
use crate::{points::Points, words::is_column};

/// The fields that a column may hold.
const FIELDS: [&str; 15] = [
    "place",
    "number",
    "member",
    "name",
    "first_name",
    "last_name",
    "country",
    "club",
    "team",
    "points",
    "table_points",
    "earned",
    "bonus",
    "penalty",
    "sessions",
];

/// Which columns a report has, as the first line of a CSV file names them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    delimiter: char,
    /// The heading of each column, and its field.
    columns: Vec<(String, &'static str)>,
}

/// Why a file is not a template.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// Text in another encoding.
    #[error("the template is not UTF-8: save it as \"CSV UTF-8\"")]
    Encoding,
    /// An empty template.
    #[error("the template is empty: its first line names the columns, of {}", FIELDS.join(", "))]
    Empty,
    /// An unknown heading.
    #[error("the template's column {place} is `{heading}`: known are {}", FIELDS.join(", "))]
    Unknown {
        /// The number of the column, from 1.
        place: usize,
        /// The heading.
        heading: String,
    },
}

impl Template {
    /// Place, player number, name, country and points, and table points where places are worth some.
    pub fn usual(table_points: bool) -> Self {
        let all = [
            ("Place", "place"),
            ("Player number", "member"),
            ("Name", "name"),
            ("Country", "country"),
            ("Table points", "table_points"),
            ("Points", "points"),
        ];
        let columns = all.into_iter().filter(|(_, field)| table_points || *field != "table_points");
        let columns = columns.map(|(heading, field)| (heading.to_owned(), field)).collect();
        Self { delimiter: ',', columns }
    }

    /// Reads a template: the first line of a CSV file, whose headings name the fields of the columns, in capitals
    /// or not, with spaces or underscores, in the languages of the other files.
    ///
    /// ```
    /// use tilelens_table::tournament::Template;
    /// assert!(Template::read(b"Place;EMA number;Last name;Country;Points").is_ok());
    /// let error = Template::read(b"Place,Shoe size").unwrap_err();
    /// assert!(error.to_string().contains("column 2 is `Shoe size`: known are place, number"));
    /// ```
    ///
    /// # Errors
    /// Where it is empty, or a heading is unknown.
    pub fn read(bytes: &[u8]) -> Result<Self, TemplateError> {
        let text = std::str::from_utf8(bytes).map_err(|_| TemplateError::Encoding)?;
        let text = text.trim_start_matches('\u{feff}');
        let first =
            text.lines().find(|line| !line.trim().is_empty()).ok_or(TemplateError::Empty)?;
        let delimiter = delimiter_of(first);
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(delimiter as u8)
            .has_headers(false)
            .trim(csv::Trim::All)
            .from_reader(first.as_bytes());
        let headings = reader.records().next().and_then(Result::ok).ok_or(TemplateError::Empty)?;
        let column = |(index, heading): (usize, &str)| {
            let plain = heading.to_lowercase().replace('_', " ");
            // An exact name wins over a second meaning.
            let exact = FIELDS.iter().find(|field| field.replace('_', " ") == plain);
            let known = exact.or_else(|| FIELDS.iter().find(|field| is_column(&plain, field)));
            let unknown =
                || TemplateError::Unknown { place: index + 1, heading: heading.to_owned() };
            Ok((heading.to_owned(), *known.ok_or_else(unknown)?))
        };
        let columns = headings.iter().enumerate().map(column).collect::<Result<_, _>>()?;
        Ok(Self { delimiter, columns })
    }
}

impl Tournament {
    /// The final standings with a template's columns, as CSV.
    ///
    /// # Errors
    /// Where players are not seated yet.
    pub fn report(&self, template: &Template) -> Result<String, TournamentError> {
        let mut writer =
            csv::WriterBuilder::new().delimiter(template.delimiter as u8).from_writer(Vec::new());
        let headings = template.columns.iter().map(|(heading, _)| heading.clone()).collect();
        for row in std::iter::once(headings).chain(self.report_rows(template)?) {
            // Written into memory, in which nothing fails.
            let _ = writer.write_record(&row);
        }
        let bytes = writer.into_inner().unwrap_or_default();
        Ok(String::from_utf8(bytes).unwrap_or_default())
    }

    /// The final standings as lists of headings and cells.
    ///
    /// # Errors
    /// Where players are not seated yet.
    pub fn report_lines(
        &self,
        template: &Template,
    ) -> Result<Vec<IndexMap<String, String>>, TournamentError> {
        let headings = || template.columns.iter().map(|(heading, _)| heading.clone());
        let rows = self.report_rows(template)?.into_iter();
        Ok(rows.map(|row| headings().zip(row).collect()).collect())
    }

    /// The fields with a column that some players lack, and the number of these players.
    ///
    /// # Errors
    /// Where players are not seated yet.
    pub fn missing_in(
        &self,
        template: &Template,
    ) -> Result<Vec<(&'static str, usize)>, TournamentError> {
        let rows = self.report_rows(template)?;
        let asked = template
            .columns
            .iter()
            .enumerate()
            .filter(|(_, (_, field))| ["member", "country", "club", "team"].contains(field));
        let missing = asked.map(|(column, (_, field))| {
            (*field, rows.iter().filter(|row| row[column].is_empty()).count())
        });
        Ok(missing.filter(|(_, missing)| *missing > 0).collect())
    }

    /// The cells of a report.
    fn report_rows(&self, template: &Template) -> Result<Vec<Vec<String>>, TournamentError> {
        let nothing = PersonDetails::default();
        let standings = self.standings()?;
        let row = |standing: &Standing| {
            let about = self.roster.about(&standing.name).unwrap_or(&nothing);
            let fields = template.columns.iter().map(|(_, field)| cell(field, standing, about));
            fields.collect()
        };
        Ok(standings.iter().map(row).collect())
    }
}

fn cell(field: &str, standing: &Standing, about: &PersonDetails) -> String {
    let name = standing.name.as_str();
    // The last word is the last name; a single name is a last name.
    let unmarked = about.without_mark(name);
    let (first, last) = unmarked.rsplit_once(' ').unwrap_or(("", unmarked));
    match field {
        "place" => standing.rank.map_or_else(String::new, |rank| rank.to_string()),
        "number" => standing.number.to_string(),
        "member" => about.member.clone(),
        "name" => name.to_owned(),
        "first_name" => first.to_owned(),
        "last_name" => last.to_owned(),
        "country" => about.country.clone(),
        "club" => about.club.clone(),
        "team" => about.team.clone(),
        "points" => decimal(standing.total),
        "table_points" => standing.table_points.map(decimal).unwrap_or_default(),
        "earned" => decimal(standing.earned),
        "bonus" => decimal(standing.bonus),
        "penalty" => decimal(standing.penalty),
        _ => standing.sessions.iter().flatten().count().to_string(),
    }
}

/// Points with two decimals at most, as spreadsheets read them.
fn decimal(points: Points) -> String {
    let hundredths = (points.ratio() * 100).round().to_integer();
    let (sign, whole) = (if hundredths < 0 { "-" } else { "" }, hundredths.abs() / 100);
    match hundredths.abs() % 100 {
        0 => format!("{sign}{whole}"),
        part if part % 10 == 0 => format!("{sign}{whole}.{}", part / 10),
        part => format!("{sign}{whole}.{part:02}"),
    }
}
