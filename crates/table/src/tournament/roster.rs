//! Players and reserves, with distinct names.

use std::collections::HashSet;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::name::{Name, NameError, label};

/// A player or reserve.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entrant {
    /// The person's name.
    pub name: Name,
    /// Whether the person stands by for players who do not appear.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reserve: bool,
    /// The wins before the tournament of a new player with a minimum of his own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_player_wins: Option<u32>,
    /// Further details of the person.
    #[serde(default, skip_serializing_if = "PersonDetails::is_empty")]
    pub about: PersonDetails,
}

/// A person's details besides the name; unknown texts are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PersonDetails {
    /// The club.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub club: String,
    /// The country.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub country: String,
    /// The team: its members never meet, and their points add up.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub team: String,
    /// The number in an association's list of players.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub member: String,
    /// The table at which he always sits, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fixed_table: Option<u16>,
}

/// Groups of players who can be kept apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    /// Players of one club.
    Club,
    /// Players of one country.
    Country,
}

impl Group {
    /// All kinds of groups.
    pub const ALL: [Self; 2] = [Self::Club, Self::Country];

    /// The word for the group.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Club => "club",
            Self::Country => "country",
        }
    }
}

/// Whether two texts name the same club, country or team: they differ in capital letters at most, and are
/// not empty.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    !one.is_empty() && one.to_lowercase() == other.to_lowercase()
}

impl PersonDetails {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The details, checked for a log.
    ///
    /// # Errors
    /// Where a text cannot be printed or a spreadsheet would calculate it, or there is no such table.
    pub fn checked(self) -> Result<Self, String> {
        let [club, country, team, member] = [
            ("club", self.club),
            ("country", self.country),
            ("team", self.team),
            ("member", self.member),
        ]
        .map(|(column, text)| {
            // A dash instead of a text means that there is no text.
            let text = if matches!(text.trim(), "-" | "–" | "—") { "" } else { &text };
            label(text).map_err(|error| {
                format!("{column} = {}", error.to_string().replacen("the name ", "", 1))
            })
        });
        let fixed_table = self.fixed_table;
        if fixed_table == Some(0) {
            return Err("fixed_table = 0: tables are counted from 1".to_owned());
        }
        Ok(Self { club: club?, country: country?, team: team?, member: member?, fixed_table })
    }

    /// A name without the mark that shows people of one name apart: the club or the member number in brackets.
    pub fn without_mark<'a>(&self, name: &'a str) -> &'a str {
        let marks = [&self.club, &self.member].into_iter().filter(|text| !text.is_empty());
        marks.filter_map(|text| name.strip_suffix(&mark(text))).next().unwrap_or(name)
    }

    /// The group of that kind.
    pub fn group(&self, kind: Group) -> &str {
        match kind {
            Group::Club => &self.club,
            Group::Country => &self.country,
        }
    }
}

/// The end of the name of somebody who shares it with another.
fn mark(text: &str) -> String {
    format!(" ({text})")
}

/// Marks the names that several people share, with their clubs or else with their member numbers. Without such
/// details for each of them the names stay the same.
pub(super) fn mark_namesakes(
    people: &mut [(Name, PersonDetails)],
) -> Result<(), (usize, NameError)> {
    let mut by_name: IndexMap<String, Vec<usize>> = IndexMap::new();
    for (index, (name, _)) in people.iter().enumerate() {
        by_name.entry(name.key()).or_default().push(index);
    }
    for namesakes in by_name.into_values().filter(|namesakes| namesakes.len() > 1) {
        let details: [fn(&PersonDetails) -> &String; 2] =
            [|about| &about.club, |about| &about.member];
        let tells_apart = |detail: &fn(&PersonDetails) -> &String| {
            let texts = namesakes.iter().map(|index| detail(&people[*index].1).to_lowercase());
            let texts: HashSet<String> = texts.filter(|text| !text.is_empty()).collect();
            texts.len() == namesakes.len()
        };
        let Some(detail) = details.into_iter().find(tells_apart) else { continue };
        for index in namesakes {
            let (name, about) = &mut people[index];
            let marked = Name::new(&format!("{name}{}", mark(detail(about))));
            *name = marked.map_err(|error| (index, error))?;
        }
    }
    Ok(())
}

/// Everybody entered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roster {
    entrants: Vec<Entrant>,
    keys: HashSet<String>,
}

/// Somebody entered twice.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0} is entered already: names have to differ, add a letter or a club to one of them")]
pub struct EnteredTwice(pub Name);

impl Roster {
    /// Enters one more.
    ///
    /// # Errors
    /// Where the name is too similar to another.
    pub fn enter(&mut self, entrant: Entrant) -> Result<(), EnteredTwice> {
        if !self.keys.insert(entrant.name.key()) {
            return Err(EnteredTwice(entrant.name));
        }
        self.entrants.push(entrant);
        Ok(())
    }

    /// Enters a player after the draw; who stood by is a player from then on.
    ///
    /// # Errors
    /// Where the name is too similar to a player's.
    pub fn join(&mut self, entrant: Entrant) -> Result<(), EnteredTwice> {
        match self.entrants.iter_mut().find(|known| known.name == entrant.name && known.reserve) {
            Some(known) => *known = entrant,
            None => self.enter(entrant)?,
        }
        Ok(())
    }

    /// Renames a person.
    ///
    /// # Errors
    /// Where the new name is too similar to another's.
    pub fn rename(&mut self, player: &Name, name: &Name) -> Result<(), EnteredTwice> {
        if player.key() != name.key() && self.keys.contains(&name.key()) {
            return Err(EnteredTwice(name.clone()));
        }
        self.keys.remove(&player.key());
        self.keys.insert(name.key());
        let known = self.entrants.iter_mut().find(|entrant| entrant.name == *player);
        known.into_iter().for_each(|entrant| entrant.name = name.clone());
        Ok(())
    }

    /// A person's details besides the name.
    pub fn about(&self, name: &Name) -> Option<&PersonDetails> {
        self.entrants.iter().find(|entrant| entrant.name == *name).map(|entrant| &entrant.about)
    }

    /// Replaces a person's details; `false` where nobody has that name.
    pub fn describe(&mut self, name: &Name, about: &PersonDetails) -> bool {
        let known = self.entrants.iter_mut().find(|entrant| entrant.name == *name);
        known.map(|entrant| entrant.about = about.clone()).is_some()
    }

    /// Everybody, in the order entered.
    pub fn entrants(&self) -> &[Entrant] {
        &self.entrants
    }

    /// The wins before the tournament of a new player with a minimum of his own.
    pub fn new_player_wins(&self, name: &Name) -> Option<u32> {
        self.entrants.iter().find(|entrant| entrant.name == *name)?.new_player_wins
    }

    /// Those who play.
    pub fn players(&self) -> impl Iterator<Item = &Name> {
        self.entrants.iter().filter(|entrant| !entrant.reserve).map(|entrant| &entrant.name)
    }

    /// Those who stand by.
    pub fn reserves(&self) -> impl Iterator<Item = &Name> {
        self.entrants.iter().filter(|entrant| entrant.reserve).map(|entrant| &entrant.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_by_more_than_capitals() {
        let mut roster = Roster::default();
        let mut enter = |name: &str| {
            roster.enter(Entrant { name: Name::new(name).unwrap(), ..Entrant::default() })
        };
        assert!(enter("Åse Berg").is_ok());
        assert!(enter("åse  berg").is_err());
        assert!(enter("Åse Bergh").is_ok());
    }
}
