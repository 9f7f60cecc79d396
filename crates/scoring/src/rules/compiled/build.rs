//! Builds the core of a rule set from its file and the choices of its rulings.

use std::sync::{Arc, OnceLock};

use indexmap::IndexMap;
use toml::Table;

use super::{
    Condition, Core, Item, Liability, Points, Quick,
    amounts::{check_doubling, check_stakes, table},
    items::{Items, forms_of},
};
use crate::{
    hand::{Form, Forms, Reading, WonGroups},
    rules::{
        Facts, Halves, RuleFileError, SessionRules, UnitName,
        file::{self, BonusTiles, Field, FormName, GroupsName, ItemFile, RuleFile, line_of, merge},
        pattern::{Pattern, PatternSet, RuleFacts},
        payment::Scheme,
        rule_set::Ruling,
    },
    tile::SeenFace,
};

/// The most sets that a hand may have.
const MOST_SETS: u8 = 5;

/// The file with the changes of each ruling's choice laid over it.
pub(crate) fn decided(
    document: &Table,
    file: &RuleFile,
    rulings: &[Ruling],
) -> Result<RuleFile, RuleFileError> {
    let mut document = document.clone();
    for ruling in rulings {
        let changes = (file.rulings.as_ref())
            .and_then(|all| all.get(&ruling.id)?.choices.get(&ruling.chosen));
        if let Some(changes) = changes {
            merge(&mut document, changes);
        }
    }
    let mut file = file::from_table(&document)?;
    place_items(file.items.as_mut())?;
    Ok(file)
}

/// Moves items to where they are listed: after those that they name.
fn place_items(items: Option<&mut IndexMap<String, ItemFile>>) -> Result<(), RuleFileError> {
    let Some(items) = items else { return Ok(()) };
    let named = |(id, item): (&String, &ItemFile)| Some((id.clone(), item.after.clone()?));
    let moved: Vec<(String, String)> = items.iter().filter_map(named).collect();
    for (id, after) in moved {
        match (items.get_index_of(&id), items.get_index_of(&after)) {
            (Some(from), Some(to)) if from > to => items.move_index(from, to + 1),
            _ => {
                return Err(RuleFileError::Key {
                    line: 0,
                    key: format!("items.{id}.after"),
                    problem: format!("`{after}` is no item before it"),
                });
            }
        }
    }
    Ok(())
}

impl Core {
    pub(crate) fn new(
        document: &Table,
        file: &RuleFile,
        rulings: &[Ruling],
        text: &str,
    ) -> Result<Self, RuleFileError> {
        let mut file = decided(document, file, rulings)?;
        let missing = RuleFileError::Missing;
        let items = Items::new(&file, text)?;
        let liabilities = liabilities(&file, &items.limits, text)?;
        let session = checked_session(&mut file, text)?;
        let players = check_players(file.players.take().unwrap_or_else(|| vec![4]), text)?;
        let points = file.points.take().map(|points| Points::new(points, text)).transpose()?;
        let stakes = file.stakes.map(|stakes| check_stakes(stakes, text)).transpose()?;
        let sets = file.sets.unwrap_or(4);
        let [forms, claimed_forms] = winning_forms(&file, &items, sets, text)?;
        let doubling =
            file.doubling.take().map(|doubling| check_doubling(doubling, text)).transpose()?;
        let fields = file.fields.iter().flatten().fold(0, |set, field| set | 1 << *field as u32);
        let counted = Facts::of(|fact| fields >> Field::from(fact) as u32 & 1 == 1);
        let of_points = points.as_ref().map_or(0, |points| points.self_drawn_unless);
        Ok(Self {
            wanted: of_points | items.wanted(),
            item_patterns: patterns_of(&items.counted),
            limit_patterns: patterns_of(&items.limits),
            items_of: items_by_pattern(&items.counted),
            bonus_tiles: file.bonus_tiles.ok_or(missing("bonus_tiles"))?,
            facts: rule_facts(&file, text)?,
            forms,
            claimed_forms,
            most_chows: file.most_chows.unwrap_or(MOST_SETS),
            most_suits: file.most_suits.unwrap_or(3),
            claimed_chows: file.claimed_chows.unwrap_or(true),
            last_tile_alone: file.last_tile_alone.unwrap_or(false),
            liable_giver: file.liable_giver.unwrap_or(false),
            sums: items.sums,
            sets,
            minimum: file.minimum.unwrap_or(Halves::ZERO),
            maximum: file.maximum.unwrap_or(Halves::MAX),
            limit_faan: file.limit_faan,
            limit_score: file.limit_score,
            limit_together: file.limit_together.unwrap_or_default(),
            limit_unit: file.limit_unit.unwrap_or(UnitName::Limit),
            listed_first: file.listed_first.unwrap_or(false),
            won_groups: file.winning_groups.unwrap_or_default().into(),
            red_fives: file.red_fives.unwrap_or(false),
            flower_supplement: file.flower_supplement.unwrap_or(true),
            terms: file.terms.clone().map(Arc::new),
            session,
            tournament: file.tournament,
            deal: file.deal,
            three_players: players.contains(&3),
            four_players: players.contains(&4),
            fields,
            counted,
            checked: counted.or_checked_everywhere(),
            table: table(&file.table.unwrap_or_default(), text)?,
            stakes,
            doubling,
            points,
            fewest: OnceLock::new(),
            scheme: Scheme::new(&file.payment.ok_or(missing("payment"))?, stakes),
            liabilities,
            quick: items.counted.iter().map(Quick::new).collect(),
            items: items.counted,
            limits: items.limits,
            instead: items.instead,
            nothing_else: items.nothing_else,
            combining: items.combining,
            outside: items.outside,
            takers: items.takers,
            leftover: items.leftover,
            boxes: items.boxes,
        })
    }
}

/// The liabilities that are played. `limits`: the limit hands, which they may name.
fn liabilities(
    file: &RuleFile,
    limits: &[Item],
    text: &str,
) -> Result<Vec<Liability>, RuleFileError> {
    let is_off = |id: &String| {
        let item = file.items.as_ref().and_then(|items| items.get(id));
        item.is_some_and(|item| item.limit && item.off)
    };
    let mut liabilities = Vec::new();
    for (id, liability) in file.liabilities.iter().flatten() {
        let error = |problem: &str| RuleFileError::Key {
            line: line_of(text, &format!("liabilities.{id}")),
            key: format!("liabilities.{id}"),
            problem: problem.to_owned(),
        };
        if liability.off {
            continue;
        }
        let condition = match (&liability.pattern, liability.last_set_of) {
            (Some(name), None) => Condition::Pattern(
                Pattern::named(name).ok_or_else(|| error("its pattern is not known"))?.count,
            ),
            (None, Some(family)) => Condition::LastSetOf(family),
            _ => return Err(error("needs either `pattern` or `last_set_of`")),
        };
        let feeder = liability.feeder.ok_or_else(|| error("`feeder` is missing"))?;
        let self_draw = liability.self_draw.unwrap_or(true);
        let claimed = liability.claimed.unwrap_or(true);
        let item = match &liability.item {
            None => None,
            // A limit hand that is not played makes nobody liable.
            Some(item) if is_off(item) => continue,
            Some(item) => Some(
                (limits.iter().position(|limit| limit.id == *item))
                    .ok_or_else(|| error("its `item` is no limit hand"))?,
            ),
        };
        liabilities.push(Liability {
            about: liability.about.clone().unwrap_or_else(|| id.replace('_', " ")),
            condition,
            feeder,
            self_draw,
            claimed,
            item,
            whole: liability.whole,
            concealed_kongs: liability.concealed_kongs.unwrap_or(true),
        });
    }
    Ok(liabilities)
}

fn checked_session(file: &mut RuleFile, text: &str) -> Result<SessionRules, RuleFileError> {
    let session = file.session.take().unwrap_or_default();
    session.check(text)?;
    if let Some(tournament) = &file.tournament {
        tournament.check(text, session.clock_minutes)?;
    }
    Ok(session)
}

/// The forms that win, and those that a claimed tile completes too.
fn winning_forms(
    file: &RuleFile,
    items: &Items,
    sets: u8,
    text: &str,
) -> Result<[Forms; 2], RuleFileError> {
    let names = file.forms.as_deref().ok_or(RuleFileError::Missing("forms"))?;
    check_sets(sets, names, items.combining.is_some(), text)?;
    let all = forms_of(names);
    let claimed = all.without_all(forms_of(file.self_drawn_forms.as_deref().unwrap_or_default()));
    // Flowers win where they count and an item gives the value of that.
    let flowers_win = file.bonus_tiles == Some(BonusTiles::Count)
        && items.counted.iter().any(|item| item.forms.contains(Form::EightFlowers));
    Ok([all, claimed]
        .map(|forms| if flowers_win { forms } else { forms.without(Form::EightFlowers) }))
}

fn patterns_of(items: &[Item]) -> PatternSet {
    items.iter().fold(0, |set, item| set | item.pattern)
}

fn items_by_pattern(items: &[Item]) -> [u64; 128] {
    let mut items_of = [0; 128];
    for (place, item) in items.iter().enumerate() {
        items_of[item.pattern.trailing_zeros() as usize % 128] |= 1 << place;
    }
    items_of
}

fn rule_facts(file: &RuleFile, text: &str) -> Result<RuleFacts, RuleFileError> {
    Ok(RuleFacts {
        exhausted_waits: file.exhausted_waits.unwrap_or(false),
        north_supplement: file.north_supplement.unwrap_or(true),
        missing: faces("missing_tiles", file.missing_tiles.as_deref(), text)?,
        shared_winds: faces("shared_winds", file.shared_winds.as_deref(), text)?,
    })
}

impl From<GroupsName> for WonGroups {
    fn from(name: GroupsName) -> Self {
        match name {
            GroupsName::ByConcealment => Self::ByConcealment,
            GroupsName::Every => Self::Every,
        }
    }
}

/// The faces of a list of tiles in a file, a bit each.
fn faces(key: &str, tiles: Option<&str>, text: &str) -> Result<u64, RuleFileError> {
    let read: Result<Reading, _> = tiles.unwrap_or_default().parse();
    let listed = read.ok().and_then(|Reading { concealed, sets, bonus, winning }| {
        let plain = sets.is_empty() && bonus.is_empty() && winning.is_none();
        concealed.into_iter().filter(|_| plain).try_fold(0, |faces, seen| match seen {
            SeenFace::Tile(tile) => Some(faces | 1 << tile.face().index()),
            SeenFace::Back | SeenFace::Unknown => None,
        })
    });
    listed.ok_or_else(|| RuleFileError::Key {
        line: line_of(text, key),
        key: key.to_owned(),
        problem: "is no list of tiles, such as 2345678m".to_owned(),
    })
}

/// Refuses numbers of players that no table has.
fn check_players(players: Vec<u8>, text: &str) -> Result<Vec<u8>, RuleFileError> {
    if players.is_empty() || players.iter().any(|number| !(3..=4).contains(number)) {
        return Err(RuleFileError::Key {
            line: line_of(text, "players"),
            key: "players".to_owned(),
            problem: "must be [4], [3] or [3, 4]".to_owned(),
        });
    }
    Ok(players)
}

/// Refuses a number of sets that cannot be played, and forms that have another number of tiles.
fn check_sets(
    sets: u8,
    forms: &[FormName],
    combines: bool,
    text: &str,
) -> Result<(), RuleFileError> {
    let error = |key: &str, problem: String| {
        Err(RuleFileError::Key { line: line_of(text, key), key: key.to_owned(), problem })
    };
    if !(MOST_SETS - 1..=MOST_SETS).contains(&sets) {
        return error("sets", format!("{sets}: a hand has 4 sets and a pair, or {MOST_SETS}"));
    }
    if let Some(name) = forms.iter().find(|name| !forms_of(&[**name]).fit(sets)) {
        return error(
            "forms",
            format!("{name}: a hand of {sets} sets has another number of tiles"),
        );
    }
    if combines && sets != MOST_SETS - 1 {
        return error("combines", "fans that combine sets need sets = 4".to_owned());
    }
    Ok(())
}
