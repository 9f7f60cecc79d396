//! A rule set ready for scoring: a rule file with its rulings chosen, checked, and compiled into
//! flat lists.

use std::{
    collections::BTreeMap,
    sync::{Arc, OnceLock},
};

use toml::Table;

use super::{
    Circumstances, Halves, Payments, Players, RuleFileError, SessionRules, Terms, TournamentRules,
    compiled::Core,
    file::{self, Field, UnitName, line_of, merge},
    liability::Liable,
};
use crate::{
    hand::WholeHand,
    tile::{Face, Seat},
};

/// The rule files that are built in, as id and text; those of a tradition one after another.
pub const PRESETS: [(&str, &str); 17] = [
    ("mmm", include_str!("presets/mmm.toml")),
    ("mmm-dk", include_str!("presets/mmm-dk.toml")),
    ("ims", include_str!("presets/ims.toml")),
    ("hkos", include_str!("presets/hkos.toml")),
    ("hkos-heavy", include_str!("presets/hkos-heavy.toml")),
    ("hkos-faan", include_str!("presets/hkos-faan.toml")),
    ("hk", include_str!("presets/hk.toml")),
    ("riichi-ema", include_str!("presets/riichi-ema.toml")),
    ("riichi", include_str!("presets/riichi.toml")),
    ("riichi-sanma", include_str!("presets/riichi-sanma.toml")),
    ("mcr", include_str!("presets/mcr.toml")),
    ("chumchu", include_str!("presets/chumchu.toml")),
    ("zung-jung", include_str!("presets/zung-jung.toml")),
    ("taiwan", include_str!("presets/taiwan.toml")),
    ("classical-bmja", include_str!("presets/classical-bmja.toml")),
    ("classical-dmjl", include_str!("presets/classical-dmjl.toml")),
    ("sichuan", include_str!("presets/sichuan.toml")),
];

static COMPILED: [OnceLock<RuleSet>; PRESETS.len()] = [const { OnceLock::new() }; PRESETS.len()];

/// The preset at a place of [`PRESETS`], compiled where it is first asked for: to compile all of them takes longer than to decode a
/// photo.
fn compiled(place: usize) -> &'static RuleSet {
    let (id, text) = PRESETS[place];
    COMPILED[place].get_or_init(|| match RuleSet::parse(text) {
        Ok(rules) => rules,
        // A test checks every preset; a user's text never gets here.
        Err(error) => unreachable!("preset {id}: {error}"),
    })
}

/// A question that a rule set leaves open, and its answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// The id, such as `mmm.self_draw_share`.
    pub id: String,
    /// The question, for people.
    pub about: String,
    /// Where the choices come from, if the file says so.
    pub source: Option<String>,
    /// The choice of the file.
    pub chosen: String,
    /// Every choice, the default first.
    pub choices: Vec<String>,
}

/// A rule set: the items that count, their values, and the payments.
#[derive(Debug)]
pub struct RuleSet {
    /// The name by which requests know it.
    pub id: String,
    /// The name for people.
    pub name: String,
    /// The family of rule sets that it belongs to; may be empty.
    pub tradition: String,
    /// A line about it.
    pub about: String,
    /// Where the rules come from.
    pub source: String,
    /// The unit of items.
    pub unit: UnitName,
    pub(crate) document: Table,
    pub(crate) rulings: Vec<Ruling>,
    pub(crate) core: Core,
    /// Each other choice of each ruling: ruling, choice, the set with it. Made when asked for.
    alternatives: OnceLock<Vec<Alternative>>,
}

/// The rule set with one ruling decided otherwise.
#[derive(Debug)]
pub(crate) struct Alternative {
    pub ruling: String,
    pub choice: String,
    pub core: Core,
}

impl RuleSet {
    /// Whether flowers and seasons are played, and count.
    #[must_use]
    pub fn plays_bonus_tiles(&self) -> bool {
        self.core.bonus_tiles == file::BonusTiles::Count
    }

    /// The number of sets of a hand beside its pair: four, or five in a hand of 17 tiles.
    #[must_use]
    pub fn sets(&self) -> usize {
        usize::from(self.core.sets)
    }

    /// The make-up of a whole hand under these rules.
    #[must_use]
    pub fn whole_hand(&self) -> WholeHand {
        WholeHand { sets: self.sets(), forms: self.core.forms }
    }

    /// The fields of a request that count under these rules, by name. Others are ignored.
    pub fn fields(&self) -> impl Iterator<Item = &'static str> {
        let used = file::Field::ALL.iter().filter(|(field, _)| self.core.uses(*field));
        used.map(|(_, name)| *name)
    }

    /// Whether auxiliary points choose the score together with the faan, and are worth no faan
    /// themselves.
    #[must_use]
    pub fn points_choose_score(&self) -> bool {
        self.core.doubling.is_some()
    }

    /// Whether a hand may be barred from winning on discards by earlier discards, which the
    /// hand does not show: where riichi is played.
    #[must_use]
    pub fn asks_for_furiten(&self) -> bool {
        self.core.uses(file::Field::Riichi)
    }

    /// A built-in rule set.
    ///
    /// ```
    /// use tilelens_scoring::rules::RuleSet;
    /// assert_eq!(RuleSet::preset("chumchu").unwrap().id, "chumchu");
    /// ```
    pub fn preset(id: &str) -> Option<&'static Self> {
        PRESETS.iter().position(|(known, _)| *known == id).map(compiled)
    }

    /// Every built-in rule set.
    pub fn presets() -> impl Iterator<Item = &'static Self> {
        (0..PRESETS.len()).map(compiled)
    }

    /// Reads a rule file.
    ///
    /// # Errors
    /// [`RuleFileError`] with the line and the key.
    pub fn parse(text: &str) -> Result<Self, RuleFileError> {
        let document = resolve(text)?;
        Self::from_document(document, &[], text)
    }

    /// The set with rulings decided as said; those of other sets are ignored.
    ///
    /// # Errors
    /// Where a ruling or a choice is unknown.
    pub fn with_rulings<'a>(
        &self,
        chosen: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, RuleFileError> {
        let mut own = Vec::new();
        for (id, choice) in chosen {
            let known = (self.rulings.iter())
                .chain(RuleSet::presets().flat_map(|rules| &rules.rulings))
                .find(|ruling| ruling.id == id);
            let Some(ruling) = known else {
                let all: Vec<&str> = self.rulings.iter().map(|r| r.id.as_str()).collect();
                return Err(RuleFileError::Ruling(format!(
                    "no ruling `{id}`: {} has {}",
                    self.id,
                    all.join(", ")
                )));
            };
            if !ruling.choices.iter().any(|known| known == choice) {
                return Err(RuleFileError::Ruling(format!(
                    "`{choice}` is no choice of {id}: expected {}",
                    ruling.choices.join(" or ")
                )));
            }
            if self.rulings.iter().any(|ruling| ruling.id == id) {
                own.push((id.to_owned(), choice.to_owned()));
            }
        }
        Self::from_document(self.document.clone(), &own, "")
    }

    /// Its rulings, as chosen.
    pub fn rulings(&self) -> &[Ruling] {
        &self.rulings
    }

    /// The rules of a session between the hands, under its chosen rulings.
    pub fn session(&self) -> &SessionRules {
        &self.core.session
    }

    /// The rules for a tournament's standings, where the file has them.
    pub fn tournament(&self) -> Option<&TournamentRules> {
        self.core.tournament.as_ref()
    }

    /// Whether a field of a request counts in this rule set; the others are ignored.
    pub const fn uses(&self, field: Field) -> bool {
        self.core.uses(field)
    }

    /// The unit of a limit hand.
    pub const fn limit_unit(&self) -> UnitName {
        self.core.limit_unit
    }

    /// The words of its players, where they have their own.
    pub fn terms(&self) -> Option<&Arc<Terms>> {
        self.core.terms.as_ref()
    }

    /// The value of a stick on the table; 0 where sticks are not played.
    pub fn stick(&self) -> u32 {
        self.core.scheme.stick
    }

    /// The payments of a score without a hand, such as a mangan for discards.
    pub fn payments(&self, score: Halves, at: &Circumstances) -> Payments {
        self.core.scheme.payments(score, &self.core.declared(at), &Liable::NOBODY)
    }

    /// The minimum value of a hand, without auxiliary points.
    pub fn minimum(&self) -> Halves {
        self.core.minimum
    }

    /// The maximum total of a hand.
    pub fn maximum(&self) -> Halves {
        self.core.maximum
    }

    /// Whether three may play.
    pub fn three_players(&self) -> bool {
        self.core.three_players
    }

    /// Whether four may play.
    pub fn four_players(&self) -> bool {
        self.core.four_players
    }

    /// The seats that are taken, in the order of play.
    pub fn seats(&self, at: &Circumstances) -> impl Iterator<Item = Seat> + use<> {
        let three = self.core.declared(at).players == Players::Three;
        Seat::ALL.into_iter().take(if three { 3 } else { 4 })
    }

    /// Whether a tile is played under these rules.
    pub fn plays(&self, tile: Face) -> bool {
        self.core.facts.missing >> tile.index() & 1 == 0
    }

    fn from_document(
        document: Table,
        chosen: &[(String, String)],
        text: &str,
    ) -> Result<Self, RuleFileError> {
        let file = file::from_table(&document)?;
        let mut rulings = Vec::new();
        for (id, ruling) in file.rulings.iter().flatten() {
            let wanted = chosen.iter().rev().find(|(other, _)| other == id);
            let choice = wanted.map_or(&ruling.default, |(_, choice)| choice);
            if !ruling.choices.contains_key(choice) {
                return Err(RuleFileError::Key {
                    line: line_of(text, &format!("\"{id}\"")),
                    key: format!("rulings.\"{id}\".default"),
                    problem: format!("`{choice}` is not one of its choices"),
                });
            }
            rulings.push(Ruling {
                id: id.clone(),
                about: ruling.about.clone().unwrap_or_default(),
                source: ruling.source.clone(),
                chosen: choice.clone(),
                choices: default_first(ruling),
            });
        }
        let core = Core::new(&document, &file, &rulings, text)?;
        let missing = RuleFileError::Missing;
        Ok(Self {
            id: file.id.ok_or(missing("id"))?,
            name: file.name.ok_or(missing("name"))?,
            tradition: file.tradition.unwrap_or_default(),
            about: file.about.unwrap_or_default(),
            source: file.source.unwrap_or_default(),
            unit: file.unit.ok_or(missing("unit"))?,
            document,
            rulings,
            core,
            alternatives: OnceLock::new(),
        })
    }

    /// The names of items that are not their ids with spaces.
    pub fn item_names(&self) -> BTreeMap<String, String> {
        let core = &self.core;
        let special = core.instead.iter().chain(&core.nothing_else).chain(&core.sums.own_sum);
        let items = core.items.iter().chain(&core.limits).chain(special);
        let fans = core.combining.iter().flat_map(|combining| combining.fans.iter().flatten());
        let all =
            items.map(|item| (&item.id, &item.name)).chain(fans.map(|fan| (&fan.id, &fan.name)));
        let own = all.filter(|(id, name)| id.replace('_', " ") != **name);
        own.map(|(id, name)| (id.clone(), name.clone())).collect()
    }

    /// The items that count under its rulings as chosen, limit hands after the others.
    pub fn item_ids(&self) -> impl Iterator<Item = &str> {
        let core = &self.core;
        let special = core.instead.iter().chain(&core.nothing_else).chain(&core.sums.own_sum);
        let fans = core.combining.iter().flat_map(|combining| combining.fans.iter().flatten());
        (core.items.iter().chain(&core.limits).chain(special).map(|item| item.id.as_str()))
            .chain(fans.map(|fan| fan.id.as_str()))
    }

    /// The set with each single ruling decided otherwise.
    pub(crate) fn alternatives(&self) -> &[Alternative] {
        self.alternatives.get_or_init(|| {
            let mut all = Vec::new();
            let Ok(file) = file::from_table(&self.document) else { return all };
            for (place, ruling) in self.rulings.iter().enumerate() {
                let changes = file.rulings.as_ref().and_then(|all| all.get(&ruling.id));
                let changes_nothing = |choice: &String| {
                    changes.is_none_or(|changes| {
                        let between = |key: &String| key == "session" || key == "tournament";
                        changes.choices.get(choice).is_none_or(|table| table.keys().all(between))
                    })
                };
                for choice in ruling.choices.iter().filter(|choice| **choice != ruling.chosen) {
                    // A ruling on the play between the hands.
                    if changes_nothing(choice) && changes_nothing(&ruling.chosen) {
                        continue;
                    }
                    let mut rulings = self.rulings.clone();
                    rulings[place].chosen.clone_from(choice);
                    // A choice that does not make a rule set is refused when the file is read.
                    if let Ok(core) = Core::new(&self.document, &file, &rulings, "") {
                        let (ruling, choice) = (ruling.id.clone(), choice.clone());
                        all.push(Alternative { ruling, choice, core });
                    }
                }
            }
            all
        })
    }

    /// Checks every choice of every ruling, and that values make sense together.
    ///
    /// # Errors
    /// The first choice that makes no rule set.
    pub fn check_choices(&self) -> Result<(), RuleFileError> {
        let file = file::from_table(&self.document)?;
        for (place, ruling) in self.rulings.iter().enumerate() {
            for choice in &ruling.choices {
                let mut rulings = self.rulings.clone();
                rulings[place].chosen.clone_from(choice);
                Core::new(&self.document, &file, &rulings, "").map_err(|error| {
                    RuleFileError::Ruling(format!("with {} = {choice}: {error}", ruling.id))
                })?;
            }
        }
        Ok(())
    }
}

/// The choices of a ruling, the file's choice first.
fn default_first(ruling: &file::RulingFile) -> Vec<String> {
    let others = ruling.choices.keys().filter(|choice| **choice != ruling.default);
    std::iter::once(&ruling.default).chain(others).cloned().collect()
}

/// The document of a file, laid over the preset that it extends.
fn resolve(text: &str) -> Result<Table, RuleFileError> {
    let (own, file) = file::parse(text)?;
    let Some(name) = &file.extends else { return Ok(own) };
    let found = PRESETS.iter().find(|(id, base)| id == name && *base != text);
    let (_, base) = found.ok_or_else(|| RuleFileError::Extends {
        line: line_of(text, "extends"),
        name: name.clone(),
        known: PRESETS.map(|(id, _)| id).join(", "),
    })?;
    let mut document = resolve(base)?;
    merge(&mut document, &own);
    document.remove("extends");
    Ok(document)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_and_every_choice_of_its_rulings_makes_a_rule_set() {
        for (id, text) in PRESETS {
            let rules = RuleSet::parse(text).unwrap_or_else(|error| panic!("{id}: {error}"));
            assert_eq!(rules.id, id);
            rules.check_choices().unwrap_or_else(|error| panic!("{id}: {error}"));
            assert!(rules.rulings.iter().all(|ruling| ruling.chosen == ruling.choices[0]));
        }
    }
}
