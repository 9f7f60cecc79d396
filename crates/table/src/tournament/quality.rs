//! The quality of a tournament's rounds: repeated meetings, meetings within a team, club or country, shares of
//! the winds. An absent player meets nobody.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Group, Number, PersonDetails, Quality, Tournament, TournamentError};
use crate::name::Name;

/// The quality of a tournament's rounds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TournamentQuality {
    /// The quality of meetings and winds.
    #[serde(flatten)]
    pub meetings: Quality,
    /// The meetings within a team, club or country, where players have one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub together: Vec<GroupMeetings>,
}

/// The meetings within the groups of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GroupMeetings {
    /// `team`, `club` or `country`.
    pub of: &'static str,
    /// The number of meetings in all.
    pub meetings: usize,
    /// The number of meetings by the name of the group, without zeros.
    pub by_name: BTreeMap<String, usize>,
}

impl Tournament {
    /// The quality of the rounds laid out so far.
    ///
    /// # Errors
    /// Where players are not seated yet.
    pub fn quality(&self) -> Result<TournamentQuality, TournamentError> {
        let seating = self.seated()?;
        let all = || self.at_tables(seating.schedule.rounds().len() + 1);
        let meetings = Quality::of(all(), seating.numbers.len());
        let nothing = PersonDetails::default();
        let about = |number: Number| {
            let name = seating.numbers.get(number.index());
            name.and_then(|name| self.roster.about(name)).unwrap_or(&nothing)
        };
        let kinds = std::iter::once(("team", None))
            .chain(Group::ALL.into_iter().map(|group| (group.word(), Some(group))));
        let mut together = Vec::new();
        for (of, kind) in kinds {
            let group = |number: Number| -> &str {
                let about = about(number);
                kind.map_or(about.team.as_str(), |kind| about.group(kind))
            };
            let numbers = || (1..).map(Number).take(seating.numbers.len());
            if numbers().all(|number| group(number).is_empty()) {
                continue;
            }
            // Spelt as the first of them writes it.
            let mut names: BTreeMap<String, &str> = BTreeMap::new();
            for number in numbers() {
                names.entry(group(number).to_lowercase()).or_insert(group(number));
            }
            let mut by_name: BTreeMap<String, usize> = BTreeMap::new();
            for players in all() {
                for (one, other) in pairs(players) {
                    let key = group(one).to_lowercase();
                    if !key.is_empty() && key == group(other).to_lowercase() {
                        let name = names.get(&key).copied().unwrap_or_default();
                        *by_name.entry(name.to_owned()).or_default() += 1;
                    }
                }
            }
            together.push(GroupMeetings { of, meetings: by_name.values().sum(), by_name });
        }
        Ok(TournamentQuality { meetings, together })
    }

    /// The pairs of a round that have met before.
    ///
    /// # Errors
    /// Where there is no such round.
    pub fn meets_again(&self, round: usize) -> Result<Vec<[Name; 2]>, TournamentError> {
        self.round(round)?;
        let seating = self.seated()?;
        let mut met = std::collections::HashSet::new();
        for players in self.at_tables(round) {
            met.extend(pairs(players));
        }
        let before = self.at_tables(round).count();
        let name = |number: Number| seating.numbers[number.index()].clone();
        let now = self.at_tables(round + 1).skip(before).flat_map(pairs);
        let again = now.filter(|pair| met.contains(pair));
        Ok(again.map(|(one, other)| [name(one), name(other)]).collect())
    }
}

/// Each two at a table, the lower number first.
fn pairs(players: [Option<Number>; 4]) -> impl Iterator<Item = (Number, Number)> {
    let pair = move |(one, other): (usize, usize)| {
        let (one, other) = (players[one]?, players[other]?);
        Some((one.min(other), one.max(other)))
    };
    (0..4).flat_map(|one| (one + 1..4).map(move |other| (one, other))).filter_map(pair)
}
