//! A season: one table over the standings of several tournaments, or a rating over them.

use std::collections::HashMap;

use jiff::{ToSpan, civil::Date};
use num_rational::Ratio;
use serde::Serialize;

use super::{
    ImportError, ImportPlace, Tournament, TournamentError,
    import::at,
    spreadsheet::{Rows, Source},
};
use crate::{name::Name, points::Points};

/// A player's result at a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finish {
    /// The player.
    pub name: Name,
    /// The number in an association's list of players; empty where it is not known.
    pub member: String,
    /// The place, shared by level players.
    pub place: usize,
    /// The total.
    pub points: Points,
    /// Table points, where places are worth some.
    pub table_points: Option<Points>,
}

/// A tournament of a season.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The title of the tournament.
    pub title: String,
    /// Its last day, where that is known.
    pub day: Option<Date>,
    /// Its weight in a rating.
    pub weight: Ratio<i64>,
    /// Everybody who was ranked.
    pub finishes: Vec<Finish>,
}

/// The way in which a season is counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeasonBy {
    /// By places: 1000 for the first, 0 for the last, the others evenly between them, rounded; the base rank
    /// of the European ranking (MERS).
    Places,
    /// Counts the totals.
    Points,
    /// Counts table points.
    TablePoints,
    /// By a scale of points for each place, and nothing for later ones; players level share the mean of their places.
    Scale(Vec<Points>),
    /// A rating on that day, as the European ranking (MERS) is calculated: see [`season`].
    Rating(Date),
}

/// A player in a season's table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SeasonLine {
    /// 1 for the first; players level share it.
    pub rank: usize,
    /// The name used last.
    pub player: Name,
    /// The number in an association's list of players; empty where it is not known.
    pub member: String,
    /// The points from each tournament, in their order; `None` where he did not play.
    pub stages: Vec<Option<String>>,
    /// The tournaments that count, by their places in that order, from 1.
    pub counted: Vec<usize>,
    /// The total that counts.
    pub total: String,
    #[serde(skip)]
    sum: Ratio<i64>,
}

/// Why there is no table of a season.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SeasonError {
    /// A tournament without table points.
    #[error("{0} has no table points: count by places or points")]
    NoTablePoints(String),
    /// One number for two people.
    #[error("{title}: two players have the number {member}")]
    Twice {
        /// The tournament's title.
        title: String,
        /// The number.
        member: String,
    },
    /// A tournament of which the day is not known.
    #[error(
        "{0} does not say on which day it was, and a rating depends on it: --date FILE=2026-05-31"
    )]
    NoDay(String),
    /// A tournament later than the rating.
    #[error("{title} was on {day}, after the day of the rating, {on}")]
    Later {
        /// Its title.
        title: String,
        /// Its day.
        day: Date,
        /// The day of the rating.
        on: Date,
    },
}

impl Stage {
    /// A tournament's standings; who is disqualified is not among them.
    ///
    /// # Errors
    /// Where players are not seated yet.
    pub fn of(tournament: &Tournament, day: Option<Date>) -> Result<Self, TournamentError> {
        let member = |name: &Name| {
            tournament.roster.about(name).map(|about| about.member.clone()).unwrap_or_default()
        };
        let standings = tournament.standings()?.into_iter();
        let finishes = standings.filter_map(|standing| {
            Some(Finish {
                place: standing.rank?,
                points: standing.total,
                table_points: standing.table_points,
                member: member(&standing.name),
                name: standing.name,
            })
        });
        let (title, weight) = (tournament.name.clone(), Ratio::from_integer(1));
        Ok(Self { title, day, weight, finishes: finishes.collect() })
    }

    /// Standings from a spreadsheet: columns `place` (or `rank`), `name` and `points` (or `total`), and where
    /// they are there `table_points` and `member`, as `export standings` and `export report` write them.
    ///
    /// # Errors
    /// Where a line cannot be read, with its place.
    pub fn read(title: &str, bytes: &[u8]) -> Result<Self, ImportError> {
        const COLUMNS: &str = "such as `place`, `name` and `points`";
        let Source::Csv(text) = Source::of(bytes)? else {
            return Err(ImportError::Json("standings are read from CSV".to_owned()));
        };
        let mut rows = Rows::new(text)?;
        let [place, name] = [rows.column("place", COLUMNS)?, rows.column("name", COLUMNS)?];
        let points = rows.column("total", COLUMNS).or_else(|_| rows.column("points", COLUMNS))?;
        let tables = rows.column("table_points", "").or_else(|_| rows.column("table points", ""));
        let (tables, member) = (tables.ok(), rows.column("member", "").ok());
        let mut finishes: Vec<Finish> = Vec::new();
        let mut lines = Vec::new();
        while let Some((line, row)) = rows.next()? {
            let cell = |column: usize| row.get(column).unwrap_or_default();
            // A disqualified player has no place.
            if cell(place).is_empty() {
                continue;
            }
            let number =
                |column: usize| cell(column).parse::<Points>().map_err(|problem| at(line, problem));
            let name = Name::new(cell(name)).map_err(|problem| at(line, problem))?;
            let member = member.map(cell).unwrap_or_default().to_owned();
            // Member numbers show two people of one name apart.
            let is_same = |other: &Finish| {
                let apart =
                    !member.is_empty() && !other.member.is_empty() && member != other.member;
                other.name.same_as(&name) && !apart
            };
            if finishes.iter().any(is_same) {
                return Err(at(line, format!("{name} is there twice")));
            }
            let place = cell(place);
            let ranked = place.parse().ok().filter(|place| *place > 0);
            finishes.push(Finish {
                place: ranked.ok_or_else(|| at(line, format!("`{place}` is no place")))?,
                points: number(points)?,
                table_points: tables.map(number).transpose()?,
                member,
                name,
            });
            lines.push(line);
        }
        if finishes.is_empty() {
            return Err(ImportError::Nothing);
        }
        check_places(&finishes, &lines)?;
        let (title, weight) = (title.to_owned(), Ratio::from_integer(1));
        Ok(Self { title, day: None, weight, finishes })
    }

    /// 1000 for the first of all, 0 for the last.
    fn base_rank(&self, finish: &Finish) -> i64 {
        let [all, place] = [self.finishes.len(), finish.place].map(|count| count as i64);
        if all < 2 { 1000 } else { Ratio::new(1000 * (all - place), all - 1).round().to_integer() }
    }

    fn worth(&self, finish: &Finish, by: &SeasonBy) -> Result<Ratio<i64>, SeasonError> {
        Ok(match by {
            SeasonBy::Places | SeasonBy::Rating(_) => Ratio::from_integer(self.base_rank(finish)),
            SeasonBy::Points => finish.points.ratio(),
            SeasonBy::TablePoints => finish
                .table_points
                .ok_or_else(|| SeasonError::NoTablePoints(self.title.clone()))?
                .ratio(),
            SeasonBy::Scale(scale) => {
                let level =
                    self.finishes.iter().filter(|other| other.place == finish.place).count();
                let places = finish.place - 1..finish.place - 1 + level;
                let worth = places.filter_map(|place| scale.get(place));
                worth.map(|points| points.ratio()).sum::<Ratio<i64>>() / level as i64
            }
        })
    }
}

/// A table over several tournaments: the sum of a number of everybody's best results.
///
/// Somebody is the same person in two of them by the number in the association's list, or, where one of
/// the two has none, by the name.
///
/// A rating is calculated as the European Mahjong Association's ranking is: a result is the base rank, its
/// weight that of the tournament, halved after a year, nothing after two. Part A is the weighted mean of the
/// best results, all of up to five and four fifths of the others, rounded up; part B that of the best four;
/// missing results up to five are 0 with the weight 1; who has but one result is not ranked. The rating is
/// the mean of both.
///
/// # Errors
/// Where a tournament lacks the counted value.
pub fn season(
    stages: &[Stage],
    by: &SeasonBy,
    best: Option<usize>,
) -> Result<Vec<SeasonLine>, SeasonError> {
    let mut lines: Vec<SeasonLine> = Vec::new();
    for (person, name, member) in people(stages) {
        let mut worths: Vec<(usize, Ratio<i64>, Ratio<i64>)> = Vec::new();
        let mut before = None;
        for (index, finish) in person {
            let stage = &stages[index];
            if before.replace(index) == Some(index) {
                let (title, member) = (stage.title.clone(), finish.member.clone());
                return Err(SeasonError::Twice { title, member });
            }
            let weight = match by {
                SeasonBy::Rating(on) => stage.weight * aged(stage, *on)?,
                _ => stage.weight,
            };
            worths.push((index, stage.worth(finish, by)?, weight));
        }
        let mut shown = vec![None; stages.len()];
        let rating = matches!(by, SeasonBy::Rating(_));
        for (index, worth, _) in &worths {
            shown[*index] = Some(crate::points::mixed(*worth));
        }
        worths.sort_by(|one, other| other.1.cmp(&one.1).then(other.2.cmp(&one.2)));
        if rating {
            worths.retain(|(.., weight)| *weight > Ratio::from_integer(0));
        }
        let counting = if rating {
            5 + (4 * worths.len().saturating_sub(5)).div_ceil(5)
        } else {
            best.unwrap_or(usize::MAX)
        };
        let counted = worths.get(..counting).unwrap_or(&worths);
        let mut places: Vec<usize> = counted.iter().map(|(index, ..)| index + 1).collect();
        places.sort_unstable();
        let sum = if rating {
            if worths.len() < 2 {
                continue;
            }
            (mean(counted, 5) + mean(counted.get(..4).unwrap_or(counted), 4)) / 2
        } else {
            counted.iter().map(|(_, worth, _)| worth).sum()
        };
        let total = if rating { hundredths(sum) } else { crate::points::mixed(sum) };
        lines.push(SeasonLine {
            rank: 0,
            player: name,
            member,
            stages: shown,
            counted: places,
            total,
            sum,
        });
    }
    lines.sort_by(|one, other| other.sum.cmp(&one.sum).then(one.player.cmp(&other.player)));
    for index in 0..lines.len() {
        let level = index > 0 && lines[index].sum == lines[index - 1].sum;
        lines[index].rank = if level { lines[index - 1].rank } else { index + 1 };
    }
    Ok(lines)
}

/// Refuses the first place, in the order of the file, that the other places contradict; `lines`: where each is.
fn check_places(finishes: &[Finish], lines: &[ImportPlace]) -> Result<(), ImportError> {
    for (finish, line) in finishes.iter().zip(lines) {
        let place = finish.place;
        let better = finishes.iter().filter(|other| other.place < place).count();
        if better != place - 1 {
            let problem = format!(
                "{} has place {place}, but {better} of the listed players have a better one: \
                 expected {}; players level share the first of their places, as in 1, 2, 2, 4",
                finish.name,
                better + 1
            );
            return Err(at(*line, problem));
        }
    }
    Ok(())
}

/// One person's results by tournament, the name last used, and the member number.
type Person<'a> = (Vec<(usize, &'a Finish)>, Name, String);

fn people(stages: &[Stage]) -> Vec<Person<'_>> {
    let mut people: Vec<Person<'_>> = Vec::new();
    let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
    let mut by_member: HashMap<String, usize> = HashMap::new();
    for (index, stage) in stages.iter().enumerate() {
        for finish in &stage.finishes {
            let member = finish.member.to_lowercase();
            let named = by_name.entry(finish.name.key()).or_default();
            let known = by_member.get(&member).copied().filter(|_| !member.is_empty());
            let free = |person: &usize| {
                let (played, _, number) = &people[*person];
                (member.is_empty() || number.is_empty())
                    && played.iter().all(|(other, _)| *other != index)
            };
            let person = known.or_else(|| named.iter().copied().find(free));
            let person = person.unwrap_or_else(|| {
                people.push((Vec::new(), finish.name.clone(), String::new()));
                people.len() - 1
            });
            if !named.contains(&person) {
                named.push(person);
            }
            let (played, name, number) = &mut people[person];
            played.push((index, finish));
            name.clone_from(&finish.name);
            if !member.is_empty() {
                number.clone_from(&finish.member);
                by_member.insert(member, person);
            }
        }
    }
    people
}

/// The remaining weight of a tournament on a day.
fn aged(stage: &Stage, on: Date) -> Result<Ratio<i64>, SeasonError> {
    let day = stage.day.ok_or_else(|| SeasonError::NoDay(stage.title.clone()))?;
    if day > on {
        return Err(SeasonError::Later { title: stage.title.clone(), day, on });
    }
    let before = |years: i64| on.checked_sub(years.years()).unwrap_or(Date::MIN);
    Ok(match day {
        day if day >= before(1) => Ratio::from_integer(1),
        day if day >= before(2) => Ratio::new(1, 2),
        _ => Ratio::from_integer(0),
    })
}

/// The weighted mean, with results that are missing.
fn mean(results: &[(usize, Ratio<i64>, Ratio<i64>)], at_least: usize) -> Ratio<i64> {
    let missing = Ratio::from_integer(at_least.saturating_sub(results.len()) as i64);
    let weights = results.iter().map(|(.., weight)| weight).sum::<Ratio<i64>>() + missing;
    let sum: Ratio<i64> = results.iter().map(|(_, worth, weight)| worth * weight).sum();
    if weights == Ratio::from_integer(0) { weights } else { sum / weights }
}

fn hundredths(fraction: Ratio<i64>) -> String {
    let all = (fraction * 100).round().to_integer();
    format!("{}.{:02}", all / 100, all % 100)
}
