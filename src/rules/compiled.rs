//! A rule file compiled into flat lists: what scoring reads.

use toml::Table;

use super::{
    Circumstances, Halves, RuleFileError, SessionRules, TournamentRules,
    file::{
        self, BonusTiles, Feeder, Field, FormName, ItemFile, OpenConcealed, PointsFile, RuleFile,
        SetFamily, Several, line_of, merge,
    },
    pattern::{Evidence, Pattern, PatternSet, Predicate},
    payment::Scheme,
    rule_set::Ruling,
};
use crate::hand::{Form, Forms};

/// What scoring needs, compiled.
#[derive(Debug)]
pub(crate) struct Core {
    pub bonus_tiles: BonusTiles,
    pub forms: Forms,
    pub minimum: Halves,
    pub maximum: Halves,
    pub limit_faan: Halves,
    pub three_players: bool,
    pub session: SessionRules,
    pub tournament: Option<TournamentRules>,
    /// The fields that are used, a bit each.
    pub fields: u32,
    /// The score by faan in halves; the last for all above. Empty: the faan are the score.
    pub table: Vec<i32>,
    pub points: Option<Points>,
    pub scheme: Scheme,
    pub liabilities: Vec<Liability>,
    pub items: Vec<Item>,
    /// Items of limit hands, in the order of the file.
    pub limits: Vec<Item>,
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
    pub self_drawn: u32,
    pub bonus_tile: u32,
    pub steps: Vec<(u32, Halves)>,
}

#[derive(Debug)]
pub(crate) struct Liability {
    pub condition: Condition,
    pub feeder: Feeder,
    pub self_draw: bool,
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
    pub evidence: Evidence,
    /// For one, two ... of it, open and concealed.
    pub amounts: [Vec<i32>; 2],
    pub several: Several,
    pub more: Vec<(PatternSet, i32)>,
    pub forms: Forms,
    /// Patterns that must all be there, its own among them.
    pub needs: PatternSet,
    /// Patterns of which none may be there.
    pub unless: PatternSet,
    /// Items, by bit, that do not count beside this one.
    pub replaces: u64,
    pub r#box: Option<u8>,
}

impl std::fmt::Debug for Item {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Item").field("id", &self.id).finish_non_exhaustive()
    }
}

/// How many items a file may have: they are bits of a mask.
const MOST_ITEMS: usize = 64;
/// The most points that anything may be worth.
const MOST_POINTS: u32 = 10_000;
/// How many values, or additions, one item may have.
const MOST_VALUES: usize = 16;
/// The highest faan, in halves, that a table may name.
const MOST_FAAN: i32 = 2_000;

fn forms_of(names: &[FormName]) -> Forms {
    names.iter().fold(Forms::NONE, |forms, name| {
        forms.with(match name {
            FormName::Sets => Form::Sets,
            FormName::SevenPairs => Form::SevenPairs,
            FormName::ThirteenOrphans => Form::ThirteenOrphans,
            FormName::Knitted => Form::Knitted,
        })
    })
}

/// Compiles the items of a file.
struct Compiler<'a> {
    text: &'a str,
    ids: Vec<&'a str>,
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

    fn item(&mut self, id: &str, item: &ItemFile) -> Result<Item, RuleFileError> {
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
            names.iter().try_fold(0, |set, name| Ok(set | self.pattern(id, key, name)?.bit()))
        };
        let (when, unless) = (patterns("when", &item.when)?, patterns("unless", &item.unless)?);
        if item.more.len() > MOST_VALUES {
            return Err(self.error(id, "more", format!("has more than {MOST_VALUES} entries")));
        }
        let mut more = Vec::new();
        for extra in &item.more {
            more.push((self.pattern(id, "more", &extra.when)?.bit(), extra.value.0));
        }
        let mut replaces = 0;
        for other in &item.replaces {
            match self.ids.iter().position(|known| known == other) {
                Some(place) if other != id => replaces |= 1 << place,
                _ => {
                    let problem = format!("`{other}` is no other item of this file");
                    return Err(self.error(id, "replaces", problem));
                }
            }
        }
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
            more,
            forms: item.forms.as_deref().map_or(Forms::ALL, forms_of),
            needs: when | pattern.bit(),
            unless,
            replaces,
            r#box,
        })
    }
}

impl Core {
    pub(crate) fn new(
        document: &Table,
        file: &RuleFile,
        rulings: &[Ruling],
        text: &str,
    ) -> Result<Self, RuleFileError> {
        let mut document = document.clone();
        for ruling in rulings {
            let changes = (file.rulings.as_ref())
                .and_then(|all| all.get(&ruling.id)?.choices.get(&ruling.chosen));
            if let Some(changes) = changes {
                merge(&mut document, changes);
            }
        }
        let file = file::from_table(&document)?;
        let missing = RuleFileError::Missing;
        let all = file.items.ok_or(missing("items"))?;
        let used = || all.iter().filter(|(_, item)| !item.off);
        let counted: Vec<(&String, &ItemFile)> = used().filter(|(_, item)| !item.limit).collect();
        let limits: Vec<(&String, &ItemFile)> = used().filter(|(_, item)| item.limit).collect();
        if counted.len() > MOST_ITEMS {
            return Err(RuleFileError::Key {
                line: 0,
                key: "items".to_owned(),
                problem: format!("{} items; at most {MOST_ITEMS} can be counted", counted.len()),
            });
        }
        let ids = counted.iter().map(|(id, _)| id.as_str()).collect();
        let mut compiler = Compiler { text, ids, boxes: Vec::new() };
        let mut compile = |items: &[(&String, &ItemFile)]| -> Result<Vec<Item>, RuleFileError> {
            items.iter().map(|(id, item)| compiler.item(id, item)).collect()
        };
        let items = compile(&counted)?;
        let limits = compile(&limits)?;
        let boxes = compiler.boxes;
        let mut liabilities = Vec::new();
        for (id, liability) in file.liabilities.iter().flatten() {
            let error = |problem: &str| RuleFileError::Key {
                line: line_of(text, &format!("liabilities.{id}")),
                key: format!("liabilities.{id}"),
                problem: problem.to_owned(),
            };
            let condition = match (&liability.pattern, liability.last_set_of) {
                (Some(name), None) => Condition::Pattern(
                    Pattern::named(name).ok_or_else(|| error("its pattern is not known"))?.count,
                ),
                (None, Some(family)) => Condition::LastSetOf(family),
                _ => return Err(error("needs either `pattern` or `last_set_of`")),
            };
            let feeder = liability.feeder.ok_or_else(|| error("`feeder` is missing"))?;
            let self_draw = liability.self_draw.unwrap_or(true);
            liabilities.push(Liability { condition, feeder, self_draw });
        }
        let session = file.session.unwrap_or_default();
        session.check(text)?;
        if let Some(tournament) = &file.tournament {
            tournament.check(text, session.clock_minutes)?;
        }
        let players = file.players.unwrap_or_else(|| vec![4]);
        let of = |items: &[Item]| items.iter().fold(0, |set, item| set | item.pattern);
        let looked_at = |item: &Item| {
            item.more.iter().fold(item.needs | item.unless, |set, (when, _)| set | when)
        };
        let mut items_of = [0; 128];
        for (place, item) in items.iter().enumerate() {
            items_of[item.pattern.trailing_zeros() as usize % 128] |= 1 << place;
        }
        Ok(Self {
            wanted: items.iter().chain(&limits).fold(0, |set, item| set | looked_at(item)),
            item_patterns: of(&items),
            limit_patterns: of(&limits),
            items_of,
            bonus_tiles: file.bonus_tiles.ok_or(missing("bonus_tiles"))?,
            forms: forms_of(&file.forms.ok_or(missing("forms"))?),
            minimum: file.minimum.unwrap_or(Halves::ZERO),
            maximum: file.maximum.unwrap_or(Halves::MAX),
            limit_faan: file.limit_faan.unwrap_or(Halves::ZERO),
            session,
            tournament: file.tournament,
            three_players: players.contains(&3),
            fields: file.fields.iter().flatten().fold(0, |set, field| set | 1 << *field as u32),
            table: table(&file.table.unwrap_or_default(), text)?,
            points: file.points.map(|points| Points::new(points, text)).transpose()?,
            scheme: Scheme::new(&file.payment.ok_or(missing("payment"))?),
            liabilities,
            items,
            limits,
            boxes,
        })
    }

    /// The circumstances that this set looks at; the others as if nothing had been said.
    #[inline]
    pub(crate) fn used(&self, at: &Circumstances) -> Circumstances {
        let uses = |field: Field| self.fields >> field as u32 & 1 == 1;
        Circumstances {
            last_tile: at.last_tile && uses(Field::LastTile),
            supplement: at.on_supplement() && uses(Field::Supplement),
            kong_on_kong: at.kong_on_kong && uses(Field::KongOnKong),
            first_turn: at.first_turn && uses(Field::FirstTurn),
            safe: at.safe && uses(Field::Safe),
            last_visible: at.last_visible && uses(Field::LastVisible),
            minimum: if uses(Field::Minimum) { at.minimum } else { None },
            pao: if uses(Field::Pao) { at.pao } else { None },
            ..*at
        }
    }

    /// What the table gives for so much faan.
    #[inline]
    pub(crate) fn score(&self, faan: Halves) -> Halves {
        match self.table.last() {
            None => faan,
            Some(&top) => Halves(self.table.get(faan.0 as usize).copied().unwrap_or(top)),
        }
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
        let single = [
            file.dragon_pair,
            file.own_wind_pair,
            file.round_wind_pair,
            file.self_drawn,
            file.bonus_tile,
        ];
        let all = single.into_iter().chain(four(file.pung)).chain(four(file.kong));
        let rising = file.steps.windows(2).all(|pair| pair[0].0 < pair[1].0);
        if all.max() > Some(MOST_POINTS) || !rising {
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
            self_drawn: file.self_drawn,
            bonus_tile: file.bonus_tile,
            steps: file.steps,
        })
    }
}
