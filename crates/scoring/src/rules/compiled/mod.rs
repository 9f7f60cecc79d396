//! A rule file compiled into flat lists for scoring.

use std::sync::{Arc, OnceLock};

use indexmap::IndexMap;
use toml::Table;

use super::{
    Circumstances, Facts, Halves, Indicators, Players, Responsible, RuleFileError, SessionRules,
    Terms, TournamentRules, UnitName,
    combining::{Combining, Fan, FanKind},
    deal::DealRules,
    file::{
        self, BonusTiles, DoublingFile, Feeder, Field, FormName, GroupsName, ItemFile, LimitSum,
        OpenConcealed, PointsFile, Repeats, RuleFile, SetFamily, StakesFile, Takes, line_of, merge,
    },
    pattern::{EarningTiles, Pattern, PatternSet, Predicate, RuleFacts},
    payment::Scheme,
    rule_set::Ruling,
    shapes::FewestFaan,
    sums::Sums,
};
use crate::{
    hand::{Form, Forms, Reading, WonGroups},
    tile::{Seats, SeenFace},
};

/// The compiled data for scoring.
#[derive(Debug)]
pub(crate) struct Core {
    pub bonus_tiles: BonusTiles,
    /// What patterns look at beside the hand.
    pub facts: RuleFacts,
    pub forms: Forms,
    /// The forms that a claimed tile completes too.
    pub claimed_forms: Forms,
    /// The most chows of sets and a pair, and the most suits of a hand.
    pub most_chows: u8,
    pub most_suits: u8,
    pub claimed_chows: bool,
    /// Whether a last tile counts for nothing beside a supplement tile or a robbed kong.
    pub last_tile_alone: bool,
    /// Whether nobody but the giver of the winning tile is liable.
    pub liable_giver: bool,
    /// Limit hands with flowers, sums of their own, hands that have not won.
    pub sums: Sums,
    /// The number of sets of a hand beside its pair.
    pub sets: u8,
    pub minimum: Halves,
    pub maximum: Halves,
    /// The faan shown for a limit hand; its score where this is left out.
    pub limit_faan: Option<Halves>,
    /// The score of a limit hand of value 1, where values of limit hands are multiples.
    pub limit_score: Option<Halves>,
    pub limit_together: LimitSum,
    pub limit_unit: UnitName,
    pub listed_first: bool,
    pub won_groups: WonGroups,
    pub red_fives: bool,
    pub flower_supplement: bool,
    pub three_players: bool,
    pub four_players: bool,
    pub terms: Option<Arc<Terms>>,
    pub session: SessionRules,
    pub tournament: Option<TournamentRules>,
    pub deal: Option<DealRules>,
    /// The fields that are used, a bit each.
    pub fields: u32,
    /// The facts of a win that count.
    pub counted: Facts,
    /// The facts that are checked for contradictions.
    pub checked: Facts,
    /// The score by faan in halves; the last for all above. Empty: the faan are the score.
    pub table: Vec<i32>,
    /// A score that rises evenly, in place of the table.
    pub stakes: Option<StakesFile>,
    /// The score of points and faan, in place of the table.
    pub doubling: Option<DoublingFile>,
    pub points: Option<Points>,
    /// The fewest faan by points, of a self-draw and of a claim, once they were asked for.
    pub fewest: OnceLock<[FewestFaan; 2]>,
    pub scheme: Scheme,
    pub liabilities: Vec<Liability>,
    pub items: Vec<Item>,
    /// The data of the same items that counting reads first.
    pub quick: Vec<Quick>,
    /// Items of limit hands, in the order of the file.
    pub limits: Vec<Item>,
    /// The item that counts in place of everything else where that scores less.
    pub instead: Option<Item>,
    /// The item that counts where nothing else does.
    pub nothing_else: Option<Item>,
    /// Fans that combine sets.
    pub combining: Option<Combining>,
    /// Items outside the minimum, those that take sets, and those that count what is left, by bit.
    pub outside: u64,
    pub takers: u64,
    pub leftover: u64,
    pub boxes: Vec<String>,
    /// Every pattern that an item or a limit hand looks at.
    pub wanted: PatternSet,
    /// The patterns of items, and those of limit hands.
    pub item_patterns: PatternSet,
    pub limit_patterns: PatternSet,
    /// The items of each pattern, by bit.
    pub items_of: [u64; 128],
}

#[derive(Debug)]
pub(crate) struct Points {
    /// Open simple, concealed simple, open major, concealed major.
    pub pung: [u32; 4],
    pub kong: [u32; 4],
    pub dragon_pair: u32,
    pub own_wind_pair: u32,
    pub round_wind_pair: u32,
    /// A pair that is both winds at once.
    pub both_winds_pair: u32,
    pub self_drawn: u32,
    /// Patterns with which a self-draw brings nothing.
    pub self_drawn_unless: PatternSet,
    pub bonus_tile: u32,
    pub mah_jong: u32,
    /// Of simples, of majors.
    pub pair_completed: [u32; 2],
    pub only_tile: u32,
    pub listed: bool,
    pub base: u32,
    pub concealed_claimed: u32,
    pub narrow_wait: u32,
    pub seven_pairs: Option<u32>,
    pub open_least: u32,
    pub rounded_up_to: u32,
    pub steps: Vec<(u32, Halves)>,
}

#[derive(Debug)]
pub(crate) struct Liability {
    /// The description for people.
    pub about: String,
    pub condition: Condition,
    pub feeder: Feeder,
    pub self_draw: bool,
    pub claimed: bool,
    /// The limit hand, by its place, for whose part alone the feeder is liable.
    pub item: Option<usize>,
    /// Whether the feeder is liable for everything, with `item`.
    pub whole: bool,
    /// Whether concealed kongs are among the sets.
    pub concealed_kongs: bool,
}

#[derive(Debug)]
pub(crate) enum Condition {
    Pattern(Predicate),
    LastSetOf(SetFamily),
}

/// An item of the file, ready to be counted.
pub(crate) struct Item {
    pub id: String,
    pub name: String,
    /// Its pattern, alone.
    pub pattern: PatternSet,
    pub count: Predicate,
    pub evidence: EarningTiles,
    /// The values of one, two ... of it, open and concealed.
    pub amounts: [Vec<i32>; 2],
    pub several: Repeats,
    /// Whether only the count of its pattern shows that a hand has it.
    pub is_counted: bool,
    pub more: Vec<(PatternSet, i32)>,
    pub forms: Forms,
    /// Patterns that must all be there, its own among them.
    pub needs: PatternSet,
    /// Patterns of which none may be there.
    pub unless: PatternSet,
    /// Items, by bit, that do not count beside this one; of a limit hand: other limit hands.
    pub replaces: u64,
    /// Fans that combine sets and do not count beside this one, a bit for each kind.
    pub replaces_fans: u32,
    pub r#box: Option<u8>,
    pub takes: Option<Takes>,
    /// Its place among all items of the file.
    pub order: u16,
}

/// The data that counting reads first, for all items in one piece of memory.
pub(crate) struct Quick {
    pub needs: PatternSet,
    pub unless: PatternSet,
    pub replaces: u64,
    pub replaces_fans: u32,
    /// The value where it counts once, open and concealed.
    pub amounts: [i32; 2],
    pub forms: Forms,
    /// Whether it counts once in every hand, and nothing is added.
    pub once: bool,
}

impl Quick {
    fn new(item: &Item) -> Self {
        let [open, concealed] = &item.amounts;
        let single = open.len() == 1 && concealed.len() == 1;
        Self {
            needs: item.needs,
            unless: item.unless,
            replaces: item.replaces,
            replaces_fans: item.replaces_fans,
            amounts: [open[0], concealed[0]],
            forms: item.forms,
            once: single
                && !item.is_counted
                && item.several == Repeats::Once
                && item.more.is_empty(),
        }
    }
}

impl std::fmt::Debug for Quick {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Quick").finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Item {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Item").field("id", &self.id).finish_non_exhaustive()
    }
}

/// The most items of a file: they are bits of a mask.
const MOST_ITEMS: usize = 64;
/// The largest value of anything in points.
const MOST_POINTS: u32 = 10_000;
/// The most values, or additions, of one item.
const MOST_VALUES: usize = 16;
/// The highest faan, in halves, that a table may name.
const MOST_FAAN: i32 = 2_000;

fn forms_of(names: &[FormName]) -> Forms {
    names.iter().fold(Forms::NONE, |forms, name| {
        forms.with(match name {
            FormName::Sets => Form::Sets,
            FormName::SevenPairs => Form::SevenPairs,
            FormName::SevenDifferentPairs => return forms.with_different_pairs(Form::SevenPairs),
            FormName::MajorPairs => Form::MajorPairs,
            FormName::DifferentMajorPairs => return forms.with_different_pairs(Form::MajorPairs),
            FormName::KnittedPairs => Form::KnittedPairs,
            FormName::KnittedThrees => Form::KnittedThrees,
            FormName::Gates => Form::Gates,
            FormName::Snake => Form::Snake,
            FormName::ThirteenOrphans => Form::ThirteenOrphans,
            FormName::Knitted => Form::Knitted,
            FormName::HonorsAndKnitted => Form::HonorsAndKnitted,
            FormName::KnittedStraight => Form::KnittedStraight,
            FormName::PairsAndPung => Form::PairsAndPung,
            FormName::EightFlowers => Form::EightFlowers,
        })
    })
}

/// Compiles the items of a file.
struct Compiler<'a> {
    text: &'a str,
    /// Counted items, limit hands, and fans that combine sets with their kinds.
    counted: Vec<&'a str>,
    limits: Vec<&'a str>,
    fans: Vec<(&'a str, u32)>,
    /// Items that are not played: others may still say that they replace them.
    off: Vec<&'a str>,
    boxes: Vec<String>,
}

impl Compiler<'_> {
    fn error(&self, id: &str, key: &str, problem: String) -> RuleFileError {
        RuleFileError::Key {
            line: line_of(self.text, &format!("items.{id}")),
            key: format!("items.{id}.{key}"),
            problem,
        }
    }

    fn pattern(&self, id: &str, key: &str, name: &str) -> Result<&'static Pattern, RuleFileError> {
        Pattern::named(name).ok_or_else(|| {
            self.error(
                id,
                key,
                format!("no pattern `{name}`; `tilelens rules patterns` lists them"),
            )
        })
    }

    fn condition(
        &self,
        id: &str,
        key: &str,
        name: &str,
    ) -> Result<&'static Pattern, RuleFileError> {
        let pattern = self.pattern(id, key, name)?;
        if pattern.is_counted() {
            let problem = format!("`{name}` is a pattern for items, not for conditions");
            return Err(self.error(id, key, problem));
        }
        Ok(pattern)
    }

    /// The items and the fans, by bit, that an item replaces. Limit hands replace each other.
    fn replaced(&self, id: &str, item: &ItemFile) -> Result<(u64, u32), RuleFileError> {
        let own = if item.limit { &self.limits } else { &self.counted };
        let (mut replaces, mut fans) = (0, 0);
        for other in item.replaces.iter().filter(|other| *other != id) {
            let fan = self.fans.iter().find(|(known, _)| known == other);
            match (own.iter().position(|known| known == other), fan) {
                (Some(place), _) => replaces |= 1 << place,
                (None, Some((_, kind))) if !item.limit => fans |= 1 << kind,
                _ if self.off.contains(&other.as_str()) => {}
                _ => {
                    let problem = format!("`{other}` is no other item of this file");
                    return Err(self.error(id, "replaces", problem));
                }
            }
        }
        if item.replaces.iter().any(|other| other == id) {
            let problem = format!("`{id}` is no other item of this file");
            return Err(self.error(id, "replaces", problem));
        }
        Ok((replaces, fans))
    }

    fn item(&mut self, id: &str, item: &ItemFile, order: u16) -> Result<Item, RuleFileError> {
        let pattern = self.pattern(id, "pattern", item.pattern.as_deref().unwrap_or(id))?;
        let whole = item.value.unwrap_or(Halves::ZERO);
        let amounts = match &item.values {
            Some(values) if values.is_empty() || values.len() > MOST_VALUES => {
                return Err(self.error(id, "values", format!("needs 1 to {MOST_VALUES} values")));
            }
            Some(values) => {
                let values: Vec<i32> = values.iter().map(|value| value.0).collect();
                [values.clone(), values]
            }
            None => [vec![item.open.unwrap_or(whole).0], vec![item.concealed.unwrap_or(whole).0]],
        };
        let given = [item.value, item.open, item.concealed].iter().flatten().count();
        if given == 0 && item.values.is_none() {
            let problem = "is missing: value, open and concealed, or values".to_owned();
            return Err(self.error(id, "value", problem));
        }
        let patterns = |key: &str, names: &[String]| -> Result<PatternSet, RuleFileError> {
            names.iter().try_fold(0, |set, name| Ok(set | self.condition(id, key, name)?.bit()))
        };
        let (when, unless) = (patterns("when", &item.when)?, patterns("unless", &item.unless)?);
        if item.more.len() > MOST_VALUES {
            return Err(self.error(id, "more", format!("has more than {MOST_VALUES} entries")));
        }
        let mut more = Vec::new();
        for extra in &item.more {
            more.push((self.condition(id, "more", &extra.when)?.bit(), extra.value.0));
        }
        let (replaces, replaces_fans) = self.replaced(id, item)?;
        let r#box = item.r#box.as_ref().map(|name| {
            let place = self.boxes.iter().position(|known| known == name);
            place.unwrap_or_else(|| {
                self.boxes.push(name.clone());
                self.boxes.len() - 1
            }) as u8
        });
        Ok(Item {
            id: id.to_owned(),
            name: item.name.clone().unwrap_or_else(|| id.replace('_', " ")),
            pattern: pattern.bit(),
            count: pattern.count,
            evidence: pattern.evidence,
            amounts,
            several: item.several,
            is_counted: pattern.is_counted(),
            more,
            forms: item.forms.as_deref().map_or(Forms::OF_TILES, forms_of),
            needs: when | pattern.bit(),
            unless,
            replaces,
            replaces_fans,
            r#box,
            takes: item.takes,
            order,
        })
    }

    fn fan(&self, id: &str, item: &ItemFile, order: u16) -> Result<Fan, RuleFileError> {
        let (replaces, _) = self.replaced(id, item)?;
        let value = item.value.ok_or_else(|| self.error(id, "value", "is missing".to_owned()))?;
        let kind = item.combines.as_deref().and_then(Combining::kind);
        if replaces != 0 && !kind.is_some_and(Combining::takes_all_sets) {
            let problem = "only a fan of all four sets replaces others".to_owned();
            return Err(self.error(id, "replaces", problem));
        }
        let name = item.name.clone().unwrap_or_else(|| id.replace('_', " "));
        let unless = (item.unless.iter())
            .try_fold(0, |set, name| Ok(set | self.condition(id, "unless", name)?.bit()))?;
        Ok(Fan { id: id.to_owned(), name, order, value: value.0, replaces, unless })
    }
}

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
        let file = decided(document, file, rulings)?;
        let missing = RuleFileError::Missing;
        let all = file.items.ok_or(missing("items"))?;
        let used = || {
            let numbered = all.iter().zip(0u16..).map(|((id, item), order)| (id, item, order));
            numbered.filter(|(_, item, _)| !item.off)
        };
        let special = |item: &ItemFile| {
            item.combines.is_some() || item.instead || item.nothing_else || item.own_sum
        };
        let counted: Vec<_> = used().filter(|(_, item, _)| !item.limit && !special(item)).collect();
        let limits: Vec<_> = used().filter(|(_, item, _)| item.limit && !special(item)).collect();
        if counted.len() > MOST_ITEMS || limits.len() > MOST_ITEMS || all.len() > MOST_ITEMS * 2 {
            return Err(RuleFileError::Key {
                line: 0,
                key: "items".to_owned(),
                problem: format!(
                    "{} items; at most {MOST_ITEMS} can be counted",
                    counted.len().max(limits.len())
                ),
            });
        }
        let ids = |items: &[(&'_ String, &'_ ItemFile, u16)]| -> Vec<String> {
            items.iter().map(|(id, ..)| (*id).clone()).collect()
        };
        let (counted_ids, limit_ids) = (ids(&counted), ids(&limits));
        let mut compiler = Compiler {
            text,
            counted: counted_ids.iter().map(String::as_str).collect(),
            limits: limit_ids.iter().map(String::as_str).collect(),
            fans: Vec::new(),
            off: all.iter().filter(|(_, item)| item.off).map(|(id, _)| id.as_str()).collect(),
            boxes: Vec::new(),
        };
        let mut kinds: Vec<(FanKind, &String, &ItemFile, u16)> = Vec::new();
        for (id, item, order) in used() {
            let Some(name) = &item.combines else { continue };
            let kind = Combining::kind(name).ok_or_else(|| {
                compiler.error(
                    id,
                    "combines",
                    format!(
                        "no way to combine sets is `{name}`; `tilelens rules patterns` lists them"
                    ),
                )
            })?;
            if item.limit || kinds.iter().any(|(other, ..)| *other == kind) {
                let problem = format!("`{name}` is a limit hand, or another item's already");
                return Err(compiler.error(id, "combines", problem));
            }
            kinds.push((kind, id, item, order));
            compiler.fans.push((id, kind as u32));
        }
        let mut combining = Combining::default();
        for (kind, id, item, order) in &kinds {
            combining.add(*kind, compiler.fan(id, item, *order)?);
        }
        let mut compile =
            |items: &[(&String, &ItemFile, u16)]| -> Result<Vec<Item>, RuleFileError> {
                items.iter().map(|(id, item, order)| compiler.item(id, item, *order)).collect()
            };
        let items = compile(&counted)?;
        let limits = compile(&limits)?;
        let instead: Vec<_> = used().filter(|(_, item, _)| item.instead).collect();
        let nothing_else: Vec<_> = used().filter(|(_, item, _)| item.nothing_else).collect();
        let own_sum: Vec<_> = used().filter(|(_, item, _)| item.own_sum).collect();
        if instead.len() > 1 || nothing_else.len() > 1 || own_sum.len() > 1 {
            return Err(RuleFileError::Key {
                line: 0,
                key: "items".to_owned(),
                problem:
                    "more than one item with `instead`, with `nothing_else`, or with `own_sum`"
                        .to_owned(),
            });
        }
        let instead = compile(&instead)?.pop();
        let nothing_else = compile(&nothing_else)?.pop();
        let beside = own_sum.first().map_or(&[][..], |(_, item, _)| &item.beside);
        let own_sum = compile(&own_sum)?.pop();
        let boxes = compiler.boxes;
        let mask = |wanted: &dyn Fn(&ItemFile) -> bool| {
            let places = counted.iter().enumerate().filter(|(_, (_, item, _))| wanted(item));
            places.fold(0u64, |mask, (place, _)| mask | 1 << place)
        };
        let (outside, takers) = (mask(&|item| item.outside), mask(&|item| item.takes.is_some()));
        let leftover = mask(&|item| item.leftover);
        let sums = Sums {
            everybody: mask(&|item| item.everybody),
            of_flowers: (items.iter().enumerate())
                .filter(|(_, item)| matches!(item.evidence, EarningTiles::Bonus(_)))
                .fold(0, |mask, (place, _)| mask | 1 << place),
            beside: (items.iter().enumerate())
                .filter(|(_, item)| beside.contains(&item.id))
                .fold(0, |mask, (place, _)| mask | 1 << place),
            own_sum,
            limit_alone: file.limit_alone.unwrap_or(false),
            limit_bonus: file.limit_bonus.unwrap_or(false),
            losers: file.losers.map(Into::into),
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
                Some(item) if all.get(item).is_some_and(|item| item.limit && item.off) => continue,
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
        let session = file.session.unwrap_or_default();
        session.check(text)?;
        if let Some(tournament) = &file.tournament {
            tournament.check(text, session.clock_minutes)?;
        }
        let players = check_players(file.players.unwrap_or_else(|| vec![4]), text)?;
        let of = |items: &[Item]| items.iter().fold(0, |set, item| set | item.pattern);
        let looked_at = |item: &Item| {
            item.more.iter().fold(item.needs | item.unless, |set, (when, _)| set | when)
        };
        let points = file.points.map(|points| Points::new(points, text)).transpose()?;
        let stakes = file.stakes.map(|stakes| check_stakes(stakes, text)).transpose()?;
        let sets = file.sets.unwrap_or(4);
        let forms = file.forms.ok_or(missing("forms"))?;
        check_sets(sets, &forms, !kinds.is_empty(), text)?;
        let doubling = file.doubling.map(|doubling| check_doubling(doubling, text)).transpose()?;
        let specials = instead.iter().chain(&nothing_else).chain(&sums.own_sum);
        let forms_of_file = forms_of(&forms);
        let claimed_forms = forms_of_file
            .without_all(forms_of(file.self_drawn_forms.as_deref().unwrap_or_default()));
        // Flowers win where they count and an item gives the value of that.
        let flowers_win = file.bonus_tiles == Some(BonusTiles::Count)
            && items.iter().any(|item| item.forms.contains(Form::EightFlowers));
        let fields = file.fields.iter().flatten().fold(0, |set, field| set | 1 << *field as u32);
        let counted = Facts::of(|fact| fields >> Field::from(fact) as u32 & 1 == 1);
        let of_points = points.as_ref().map_or(0, |points| points.self_drawn_unless);
        let mut items_of = [0; 128];
        for (place, item) in items.iter().enumerate() {
            items_of[item.pattern.trailing_zeros() as usize % 128] |= 1 << place;
        }
        Ok(Self {
            wanted: (items.iter().chain(&limits).chain(specials))
                .fold(of_points | combining.wanted(), |set, item| set | looked_at(item)),
            item_patterns: of(&items),
            limit_patterns: of(&limits),
            items_of,
            bonus_tiles: file.bonus_tiles.ok_or(missing("bonus_tiles"))?,
            facts: RuleFacts {
                exhausted_waits: file.exhausted_waits.unwrap_or(false),
                north_supplement: file.north_supplement.unwrap_or(true),
                missing: faces("missing_tiles", file.missing_tiles.as_deref(), text)?,
                shared_winds: faces("shared_winds", file.shared_winds.as_deref(), text)?,
            },
            forms: if flowers_win {
                forms_of_file
            } else {
                forms_of_file.without(Form::EightFlowers)
            },
            claimed_forms: if flowers_win {
                claimed_forms
            } else {
                claimed_forms.without(Form::EightFlowers)
            },
            most_chows: file.most_chows.unwrap_or(MOST_SETS),
            most_suits: file.most_suits.unwrap_or(3),
            claimed_chows: file.claimed_chows.unwrap_or(true),
            last_tile_alone: file.last_tile_alone.unwrap_or(false),
            liable_giver: file.liable_giver.unwrap_or(false),
            sums,
            sets,
            minimum: file.minimum.unwrap_or(Halves::ZERO),
            maximum: file.maximum.unwrap_or(Halves::MAX),
            limit_faan: file.limit_faan,
            limit_score: file.limit_score,
            limit_together: file.limit_together.unwrap_or_default(),
            limit_unit: file.limit_unit.unwrap_or(UnitName::Limit),
            listed_first: file.listed_first.unwrap_or(false),
            won_groups: match file.winning_groups.unwrap_or_default() {
                GroupsName::ByConcealment => WonGroups::ByConcealment,
                GroupsName::Every => WonGroups::Every,
            },
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
            quick: items.iter().map(Quick::new).collect(),
            items,
            limits,
            instead,
            nothing_else,
            combining: (!kinds.is_empty()).then_some(combining),
            outside,
            takers,
            leftover,
            boxes,
        })
    }

    /// Whether a field of a request counts here.
    pub(crate) const fn uses(&self, field: Field) -> bool {
        self.fields >> field as u32 & 1 == 1
    }

    /// The circumstances that this set uses; the others have their defaults.
    #[inline]
    pub(crate) fn used(&self, at: &Circumstances) -> Circumstances {
        let mut used = self.declared(at);
        used.supplement |= used.kong_on_kong;
        used = used.with_facts(used.facts().among(self.counted));
        used.last_tile &= !(self.last_tile_alone && used.is_beside_last_tile());
        if !self.uses(Field::Minimum) {
            used.minimum = None;
        }
        if !self.uses(Field::Pao) {
            used.pao = None;
        }
        used
    }

    /// The circumstances without those that only rule sets with riichi know: elsewhere they are not even
    /// checked for contradictions.
    #[inline]
    pub(crate) fn declared(&self, at: &Circumstances) -> Circumstances {
        let mut declared = at.with_facts(at.facts().among(self.checked));
        if !self.uses(Field::DoraIndicators) {
            declared.dora_indicators = Indicators::NONE;
        }
        if !self.uses(Field::UraIndicators) {
            declared.ura_indicators = Indicators::NONE;
        }
        if !self.uses(Field::Honba) {
            declared.honba = 0;
        }
        if !self.uses(Field::Sticks) {
            declared.sticks = None;
        }
        if !self.uses(Field::Responsible) {
            declared.responsible = Responsible::Giver;
        }
        if !self.uses(Field::North) {
            declared.north = 0;
        }
        if !self.four_players {
            declared.players = Players::Three;
        }
        if !self.uses(Field::Won) {
            declared.won = Seats::NONE;
        }
        if !self.uses(Field::Missing) {
            declared.missing_suit = None;
        }
        declared
    }

    /// The score of a total in faan, and of the points where these choose it too.
    #[inline]
    pub(crate) fn score(&self, faan: Halves, points: u32) -> Halves {
        if let Some(doubling) = &self.doubling {
            return Halves::whole(doubling.score(faan.0.max(0) as u32 / 2, points) as i32);
        }
        match self.table.last() {
            None => self.stakes.map_or(faan, |stakes| stakes.score(faan)),
            Some(&top) => Halves(self.table.get(faan.0 as usize).copied().unwrap_or(top)),
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

/// The most sets that a hand may have.
const MOST_SETS: u8 = 5;

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

/// Refuses amounts that could overflow.
fn check_stakes(stakes: StakesFile, text: &str) -> Result<StakesFile, RuleFileError> {
    let StakesFile { base, unit, dealer, repeat } = stakes;
    if base.max(unit) > MOST_POINTS || dealer.max(repeat) > MOST_DEALER || unit == 0 {
        return Err(RuleFileError::Key {
            line: line_of(text, "[stakes]"),
            key: "stakes".to_owned(),
            problem: format!(
                "needs a unit, at most {MOST_POINTS} as the base is, and dealer and repeat at most {MOST_DEALER}"
            ),
        });
    }
    Ok(stakes)
}

impl StakesFile {
    /// The score of a total.
    #[inline]
    fn score(self, faan: Halves) -> Halves {
        Halves(2 * self.base as i32 + self.unit as i32 * faan.0)
    }
}

/// The most faan that a dealer may have more.
const MOST_DEALER: u32 = 100;
/// The most that a doubled score may be.
const MOST_SCORE: u32 = 1_000_000;
/// The most doublings that a file may add.
const MOST_ADDED: u32 = 8;

/// Refuses amounts that could overflow, and steps that do not rise.
fn check_doubling(file: DoublingFile, text: &str) -> Result<DoublingFile, RuleFileError> {
    let rising = file.steps.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1);
    let first = file.steps.first().map_or(1, |(from, _)| *from);
    let most = file.steps.iter().map(|(_, score)| *score).chain([file.most]).max();
    if !rising
        || most > Some(MOST_SCORE)
        || file.added > MOST_ADDED
        || !(1..=MOST_ADDED).contains(&first)
        || file.names.iter().any(|name| !name.starts_with(char::is_alphabetic))
    {
        return Err(RuleFileError::Key {
            line: line_of(text, "[doubling]"),
            key: "doubling".to_owned(),
            problem: format!(
                "needs rising steps, the first from 1 to {MOST_ADDED} faan, such as [[5, 2000]]; scores at most a million; names that begin with a letter"
            ),
        });
    }
    Ok(file)
}

impl DoublingFile {
    /// The points and faan together, before anything is cut.
    #[inline]
    pub(crate) fn sum(&self, faan: u32, points: u32) -> u64 {
        /// More doublings than any hand has.
        const MOST: u32 = 40;
        u64::from(points) << (self.added + faan).min(MOST)
    }

    /// The score of a hand by its faan and its points.
    #[inline]
    fn score(&self, faan: u32, points: u32) -> u32 {
        if let Some((_, score)) = self.steps.iter().rev().find(|(from, _)| faan >= *from) {
            return *score;
        }
        // Below the first step, so that the shift is small.
        let doubled = self.sum(faan, points);
        let most = self.most_from.unwrap_or(self.most).min(self.most);
        if doubled >= u64::from(most) { self.most } else { doubled as u32 }
    }
}

/// Spreads the steps of a table over every half faan.
fn table(steps: &[(Halves, Halves)], text: &str) -> Result<Vec<i32>, RuleFileError> {
    let Some(last) = steps.last() else { return Ok(Vec::new()) };
    let rising = steps.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1);
    if steps[0].0 != Halves::ZERO || !rising || last.0.0 > MOST_FAAN {
        return Err(RuleFileError::Key {
            line: line_of(text, "table"),
            key: "table".to_owned(),
            problem: "must begin with 0 faan and rise, such as [[0, 1], [1, 2]]".to_owned(),
        });
    }
    Ok((0..=last.0.0)
        .map(|faan| {
            let step = steps.iter().take_while(|(from, _)| from.0 <= faan).last();
            step.map_or(0, |(_, score)| score.0)
        })
        .collect())
}

impl Points {
    fn new(file: PointsFile, text: &str) -> Result<Self, RuleFileError> {
        let four = |OpenConcealed { simple, major }| [simple[0], simple[1], major[0], major[1]];
        let both_winds_pair =
            file.both_winds_pair.unwrap_or(file.own_wind_pair.saturating_add(file.round_wind_pair));
        let rounded_up_to = file.rounded_up_to.unwrap_or(1);
        let [simple, major] = file.pair_completed;
        let single = [
            file.mah_jong,
            simple,
            major,
            file.only_tile,
            file.dragon_pair,
            file.own_wind_pair,
            file.round_wind_pair,
            both_winds_pair,
            file.self_drawn,
            file.bonus_tile,
            file.base,
            file.concealed_claimed,
            file.narrow_wait,
            file.seven_pairs.unwrap_or(0),
            file.open_least,
            rounded_up_to,
        ];
        let mut self_drawn_unless = 0;
        for name in &file.self_drawn_unless {
            let pattern = Pattern::condition(name).ok_or_else(|| RuleFileError::Key {
                line: line_of(text, "self_drawn_unless"),
                key: "points.self_drawn_unless".to_owned(),
                problem: format!("no pattern `{name}`; `tilelens rules patterns` lists them"),
            })?;
            self_drawn_unless |= pattern.bit();
        }
        let all = single.into_iter().chain(four(file.pung)).chain(four(file.kong));
        let rising = file.steps.windows(2).all(|pair| pair[0].0 < pair[1].0);
        if all.max() > Some(MOST_POINTS) || !rising || rounded_up_to == 0 {
            return Err(RuleFileError::Key {
                line: line_of(text, "[points]"),
                key: "points".to_owned(),
                problem: format!("each at most {MOST_POINTS}, steps rising"),
            });
        }
        Ok(Self {
            pung: four(file.pung),
            kong: four(file.kong),
            dragon_pair: file.dragon_pair,
            own_wind_pair: file.own_wind_pair,
            round_wind_pair: file.round_wind_pair,
            both_winds_pair,
            self_drawn: file.self_drawn,
            self_drawn_unless,
            bonus_tile: file.bonus_tile,
            mah_jong: file.mah_jong,
            pair_completed: file.pair_completed,
            only_tile: file.only_tile,
            listed: file.listed,
            base: file.base,
            concealed_claimed: file.concealed_claimed,
            narrow_wait: file.narrow_wait,
            seven_pairs: file.seven_pairs,
            open_least: file.open_least,
            rounded_up_to,
            steps: file.steps,
        })
    }
}
