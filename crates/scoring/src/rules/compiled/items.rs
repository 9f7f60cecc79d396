//! The items of a rule file, compiled: those that are counted, limit hands, fans that combine sets, special items.

use crate::{
    hand::{Form, Forms},
    rules::{
        Halves, RuleFileError,
        combining::{Combining, Fan},
        fan_kinds::FanKind,
        file::{FormName, ItemFile, Repeats, RuleFile, Takes, line_of},
        pattern::{EarningTiles, Pattern, PatternSet, Predicate},
        sums::Sums,
    },
};

/// The most items of a file: they are bits of a mask.
const MOST_ITEMS: usize = 64;
/// The most values, or additions, of one item.
const MOST_VALUES: usize = 16;

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
    pub(super) fn new(item: &Item) -> Self {
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

/// An item of the file with its id and its place.
type Listed<'a> = (&'a String, &'a ItemFile, u16);

fn ids<'a>(items: &[Listed<'a>]) -> Vec<&'a str> {
    items.iter().map(|(id, ..)| id.as_str()).collect()
}

/// All items that are played.
pub(super) struct Items {
    /// The items that are counted, in the order of their bits.
    pub counted: Vec<Item>,
    pub limits: Vec<Item>,
    pub instead: Option<Item>,
    pub nothing_else: Option<Item>,
    pub combining: Option<Combining>,
    pub sums: Sums,
    /// Items outside the minimum, those that take sets, and those that count what is left, by bit.
    pub outside: u64,
    pub takers: u64,
    pub leftover: u64,
    pub boxes: Vec<String>,
}

impl Items {
    pub(super) fn new(file: &RuleFile, text: &str) -> Result<Self, RuleFileError> {
        let all = file.items.as_ref().ok_or(RuleFileError::Missing("items"))?;
        let used = || {
            let numbered = all.iter().zip(0u16..).map(|((id, item), order)| (id, item, order));
            numbered.filter(|(_, item, _)| !item.off)
        };
        let special = |item: &ItemFile| {
            item.combines.is_some() || item.instead || item.nothing_else || item.own_sum
        };
        let counted: Vec<_> = used().filter(|(_, item, _)| !item.limit && !special(item)).collect();
        let limits: Vec<_> = used().filter(|(_, item, _)| item.limit && !special(item)).collect();
        check_number(all.len(), counted.len(), limits.len())?;
        let mut compiler = Compiler {
            text,
            counted: ids(&counted),
            limits: ids(&limits),
            fans: Vec::new(),
            off: all.iter().filter(|(_, item)| item.off).map(|(id, _)| id.as_str()).collect(),
            boxes: Vec::new(),
        };
        let combining = compiler.combining(used())?;
        let mut compile = |items: &[Listed<'_>]| -> Result<Vec<Item>, RuleFileError> {
            items.iter().map(|(id, item, order)| compiler.item(id, item, *order)).collect()
        };
        let compiled = compile(&counted)?;
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
        let mask = |wanted: &dyn Fn(&ItemFile) -> bool| {
            let places = counted.iter().enumerate().filter(|(_, (_, item, _))| wanted(item));
            places.fold(0u64, |mask, (place, _)| mask | 1 << place)
        };
        let sums = Sums {
            everybody: mask(&|item| item.everybody),
            of_flowers: (compiled.iter().enumerate())
                .filter(|(_, item)| matches!(item.evidence, EarningTiles::Bonus(_)))
                .fold(0, |mask, (place, _)| mask | 1 << place),
            beside: (compiled.iter().enumerate())
                .filter(|(_, item)| beside.contains(&item.id))
                .fold(0, |mask, (place, _)| mask | 1 << place),
            own_sum,
            limit_alone: file.limit_alone.unwrap_or(false),
            limit_bonus: file.limit_bonus.unwrap_or(false),
            losers: file.losers.map(Into::into),
        };
        Ok(Self {
            outside: mask(&|item| item.outside),
            takers: mask(&|item| item.takes.is_some()),
            leftover: mask(&|item| item.leftover),
            counted: compiled,
            limits,
            instead,
            nothing_else,
            combining,
            sums,
            boxes: compiler.boxes,
        })
    }

    /// Every pattern that one of them looks at.
    pub(super) fn wanted(&self) -> PatternSet {
        let special = self.instead.iter().chain(&self.nothing_else).chain(&self.sums.own_sum);
        let of_fans = self.combining.as_ref().map_or(0, Combining::wanted);
        self.counted.iter().chain(&self.limits).chain(special).fold(of_fans, |set, item| {
            item.more.iter().fold(set | item.needs | item.unless, |set, (when, _)| set | when)
        })
    }
}

/// Refuses more items than the masks have bits.
fn check_number(all: usize, counted: usize, limits: usize) -> Result<(), RuleFileError> {
    if counted > MOST_ITEMS || limits > MOST_ITEMS || all > MOST_ITEMS * 2 {
        return Err(RuleFileError::Key {
            line: 0,
            key: "items".to_owned(),
            problem: format!("{} items; at most {MOST_ITEMS} can be counted", counted.max(limits)),
        });
    }
    Ok(())
}

pub(super) fn forms_of(names: &[FormName]) -> Forms {
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

impl<'a> Compiler<'a> {
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

    /// The fans that combine sets, if there are any.
    fn combining(
        &mut self,
        used: impl Iterator<Item = Listed<'a>>,
    ) -> Result<Option<Combining>, RuleFileError> {
        let mut kinds: Vec<(FanKind, &String, &ItemFile, u16)> = Vec::new();
        for (id, item, order) in used {
            let Some(name) = &item.combines else { continue };
            let kind = Combining::kind(name).ok_or_else(|| {
                self.error(
                    id,
                    "combines",
                    format!(
                        "no way to combine sets is `{name}`; `tilelens rules patterns` lists them"
                    ),
                )
            })?;
            if item.limit || kinds.iter().any(|(other, ..)| *other == kind) {
                let problem = format!("`{name}` is a limit hand, or another item's already");
                return Err(self.error(id, "combines", problem));
            }
            kinds.push((kind, id, item, order));
            self.fans.push((id, kind as u32));
        }
        let mut combining = Combining::default();
        for (kind, id, item, order) in &kinds {
            combining.add(*kind, self.fan(id, item, *order)?);
        }
        Ok((!kinds.is_empty()).then_some(combining))
    }
}
