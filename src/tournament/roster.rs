//! Who plays: players and reserves, whose names can be told apart.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::name::Name;

/// Somebody who plays, or stands by.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entrant {
    /// Who.
    pub name: Name,
    /// Whether to stand by for players who do not appear.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reserve: bool,
    /// A new player with a minimum of his own: how often he has won before the tournament.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_player_wins: Option<u32>,
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
    /// Where the name cannot be told from another.
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
    /// Where the name cannot be told from a player's.
    pub fn join(&mut self, entrant: Entrant) -> Result<(), EnteredTwice> {
        match self.entrants.iter_mut().find(|known| known.name == entrant.name && known.reserve) {
            Some(known) => *known = entrant,
            None => self.enter(entrant)?,
        }
        Ok(())
    }

    /// Calls somebody otherwise.
    ///
    /// # Errors
    /// Where the new name cannot be told from another's.
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

    /// Everybody, in the order entered.
    pub fn entrants(&self) -> &[Entrant] {
        &self.entrants
    }

    /// How often a new player with a minimum of his own had won before the tournament.
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
