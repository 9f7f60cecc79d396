//! Rule sets by name: presets, files that a caller reads, and each with rulings chosen; every one
//! made once.

use std::{
    borrow::Cow,
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
};

use super::{Answer, Contradiction, ErrorKind, Players, Request, RuleFileError, RuleSet};
use crate::hand::Hand;

/// The most rule sets kept in memory.
const KEPT: usize = 512;

/// Reads the text of a rule file by the name that a request gave; `None` where it is not a file.
pub type ReadFile = Box<dyn Fn(&str) -> Option<Result<String, String>> + Send + Sync>;

type Key = (String, Vec<(String, String)>);

/// Rule sets by name.
pub struct Library {
    read_file: ReadFile,
    kept: RwLock<HashMap<Key, Arc<RuleSet>>>,
}

impl Default for Library {
    /// Presets alone.
    fn default() -> Self {
        Self::new(Box::new(|_| None))
    }
}

impl Library {
    /// A library that may read files.
    pub fn new(read_file: ReadFile) -> Self {
        Self { read_file, kept: RwLock::default() }
    }

    /// The text of a rule file; `None` where no file has the name.
    pub fn text(&self, name: &str) -> Option<Result<String, String>> {
        (self.read_file)(name)
    }

    /// A rule set by its id or path, with rulings chosen.
    ///
    /// # Errors
    /// The unknown name, or the error in the file.
    pub fn rule_set(
        &self,
        name: &str,
        rulings: &[(Cow<'_, str>, Cow<'_, str>)],
    ) -> Result<Arc<RuleSet>, String> {
        let key: Key = (
            name.to_owned(),
            rulings.iter().map(|(id, choice)| (id.to_string(), choice.to_string())).collect(),
        );
        if let Some(found) = self.kept.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(Arc::clone(found));
        }
        let chosen = || rulings.iter().map(|(id, choice)| (&**id, &**choice));
        let as_text = |error: RuleFileError| error.to_string();
        let made = match RuleSet::preset(name) {
            Some(preset) => preset.with_rulings(chosen()).map_err(as_text)?,
            None => {
                let known: Vec<&str> = RuleSet::presets().map(|rules| rules.id.as_str()).collect();
                let text = self.text(name).unwrap_or_else(|| {
                    Err(format!(
                        "no rule set `{name}`: expected {} or a path to a .toml rule file",
                        known.join(", ")
                    ))
                })?;
                let file = RuleSet::parse(&text).map_err(|error| format!("{name}: {error}"))?;
                file.with_rulings(chosen()).map_err(as_text)?
            }
        };
        let made = Arc::new(made);
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT {
            kept.clear();
        }
        kept.insert(key, Arc::clone(&made));
        Ok(made)
    }

    /// Answers one request, in the order of errors that the format gives.
    pub fn answer(&self, json: &str, brief: bool) -> Answer {
        let request = match Request::parse(json) {
            Ok(request) => request,
            Err(error) => return Answer::failed(ErrorKind::BadRequest, error),
        };
        let rules = match self.rule_set(&request.rules, &request.rulings) {
            Ok(rules) => rules,
            Err(error) => return Answer::failed(ErrorKind::BadRequest, error),
        };
        if let Err(error) = request.check_fields(&rules) {
            return Answer::failed(ErrorKind::BadRequest, error);
        }
        let hand = match request.hand.parse::<Hand>() {
            Ok(hand) => hand,
            Err(error) => {
                let failed = Answer::failed(ErrorKind::BadHand, error);
                return Answer { rules: Some(rules.id.clone()), ..failed };
            }
        };
        let four = request.players == Some(Players::Four);
        let refused = (four && !rules.four_players()).then_some(Contradiction::FourPlayers);
        let contradiction = request.contradiction.or(refused);
        let explained = rules.explain(&hand, &request.at, contradiction, brief);
        Answer { rules: Some(rules.id.clone()), explained, brief }
    }
}
