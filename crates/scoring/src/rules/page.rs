//! A rule set as a page of documentation, made from its file.

use std::fmt::Write as _;

use indexmap::IndexMap;

use super::{
    Halves, RuleSet,
    compiled::decided,
    fan_kinds::KINDS,
    file::{self, Field, ItemFile, LimitSum, MoreFile, Repeats, RuleFile, Takes},
    page_score::write_score,
    page_whole_deal::{deal_lines, hand_lines, loser_lines},
    pattern::{COUNTED, PATTERNS, Pattern},
};

/// Every pattern that a rule file may name, and its description.
pub fn patterns() -> impl Iterator<Item = (&'static str, &'static str)> {
    PATTERNS.iter().chain(COUNTED).map(|pattern| (pattern.name, pattern.about))
}

/// Every way to combine sets that a rule file may name with `combines`, and its description.
pub fn combinations() -> impl Iterator<Item = (&'static str, &'static str)> {
    KINDS.iter().map(|(_, name, about)| (*name, *about))
}

fn amount(item: &ItemFile) -> String {
    let whole = item.value.unwrap_or(Halves::ZERO);
    let (open, concealed) = (item.open.unwrap_or(whole), item.concealed.unwrap_or(whole));
    let several = match item.several {
        Repeats::Once => "",
        Repeats::Each | Repeats::Multiply => " each",
    };
    match &item.values {
        Some(values) => {
            let values: Vec<String> = values.iter().map(Halves::to_string).collect();
            values.join(", ")
        }
        None if open == concealed => format!("{open}{several}"),
        None => format!("{open} open, {concealed} concealed{several}"),
    }
}

fn about(id: &str, item: &ItemFile) -> String {
    let name = item.pattern.as_deref().unwrap_or(id);
    let mut text = match &item.combines {
        Some(combines) => (combinations().find(|(known, _)| known == combines))
            .map_or(String::new(), |(_, about)| format!("{about}; combines sets")),
        None => Pattern::named(name).map_or(String::new(), |pattern| pattern.about.to_owned()),
    };
    let readable = |name: &String| {
        Pattern::named(name).map_or_else(|| name.clone(), |pattern| pattern.about.to_owned())
    };
    for condition in &item.when {
        let _ = write!(text, "; only with: {}", readable(condition));
    }
    for condition in &item.unless {
        let _ = write!(text, "; not with: {}", readable(condition));
    }
    for MoreFile { when, value } in &item.more {
        let _ = write!(text, "; {value} more with: {}", readable(when));
    }
    if let Some(forms) = &item.forms {
        let names: Vec<String> = forms.iter().map(ToString::to_string).collect();
        let _ = write!(text, "; forms: {}", names.join(", "));
    }
    if !item.replaces.is_empty() {
        let _ = write!(text, "; in place of: {}", item.replaces.join(", "));
    }
    if let Some(name) = &item.r#box {
        let _ = write!(text, "; box: {name}");
    }
    if item.own_sum {
        text += "; a sum of its own, if that is more: the points without flowers, doubled for this item";
        item.beside.iter().for_each(|id| text += &format!(" and {id}"));
    }
    match item.takes {
        Some(Takes::Sets) => text += "; its sets count for no item of what is left",
        Some(Takes::One) => text += "; takes one set from the items of what is left",
        None => {}
    }
    for (said, what) in [
        (item.leftover, "; only sets that no other item has"),
        (item.outside, "; not towards the minimum"),
        (item.nothing_else, "; only where nothing else counts"),
        (item.instead, "; in place of everything else where that scores less"),
    ] {
        if said {
            text += what;
        }
    }
    text
}
impl RuleSet {
    /// The rule file, with the preset that it extends laid under it.
    pub fn to_toml(&self) -> String {
        self.document.to_string()
    }

    /// A page of documentation: items, points, table, payment, rulings.
    pub fn markdown(&self) -> String {
        let mut page = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_page(&mut page);
        page
    }

    /// The tiles that are not played, and those that count for everybody.
    fn write_tiles(&self, page: &mut String, file: &RuleFile) -> std::fmt::Result {
        if let Some(missing) = file.missing_tiles.as_ref().filter(|tiles| !tiles.is_empty()) {
            let indicators = match self.core.uses(Field::DoraIndicators) {
                true => "; an indicator points to the next tile that is played",
                false => "",
            };
            writeln!(page, "Played without {missing}{indicators}.\n")?;
        }
        if let Some(winds) = file.shared_winds.as_ref().filter(|tiles| !tiles.is_empty()) {
            writeln!(page, "{winds} counts for everybody as his own wind.\n")?;
        }
        if self.core.uses(Field::North) {
            let supplement = match self.core.facts.north_supplement {
                true => "its replacement is a supplement tile",
                false => "its replacement is no supplement tile",
            };
            writeln!(page, "A North may be put aside (`north`): {supplement}.\n")?;
        }
        Ok(())
    }

    fn write_page(&self, page: &mut String) -> std::fmt::Result {
        // As played: the default choices of the rulings are part of the page.
        let Ok(file) = file::from_table(&self.document)
            .and_then(|file| decided(&self.document, &file, &self.rulings))
        else {
            return Ok(());
        };
        self.write_head(page, &file)?;
        self.write_tiles(page, &file)?;
        for line in hand_lines(&file) {
            writeln!(page, "{line}\n")?;
        }
        write_items(page, &file)?;
        write_score(page, &file)?;
        let of_deal = file.deal.as_ref().map(deal_lines).unwrap_or_default();
        for (title, lines) in [("The losers' hands", loser_lines(&file)), ("The deal", of_deal)] {
            if !lines.is_empty() {
                writeln!(page, "## {title}\n")?;
                lines.iter().try_for_each(|line| writeln!(page, "- {line}"))?;
                writeln!(page)?;
            }
        }
        write_liabilities(page, &file)?;
        let session = &self.core.session;
        let three_players = self.core.three_players;
        session.write_page(page, (self.core.scheme.stick, self.core.minimum, three_players))?;
        // A table of a tournament seats four.
        if let Some(tournament) = self.core.tournament.as_ref().filter(|_| self.four_players()) {
            tournament.write_page(page, session.placement.is_some())?;
        }
        self.write_rulings(page)
    }

    /// The name of the rules, the size of a hand, and the least and the most that a hand is worth.
    fn write_head(&self, page: &mut String, file: &RuleFile) -> std::fmt::Result {
        writeln!(page, "# {} (`{}`)\n", self.name, self.id)?;
        writeln!(page, "{}. Source: {}.\n", self.about, self.source)?;
        writeln!(page, "Made by `tilelens rules show {} --markdown`.\n", self.id)?;
        if self.sets() != 4 {
            let tiles = self.whole_hand().tiles();
            writeln!(
                page,
                "A hand has {} sets and a pair: {tiles} tiles, and one more for each kong.\n",
                self.sets()
            )?;
        }
        if let Some(minimum) = file.minimum {
            let outside: Vec<&str> = (file.items.iter().flatten())
                .filter(|(_, item)| item.outside && !item.off)
                .map(|(id, _)| id.as_str())
                .collect();
            if outside.is_empty() {
                writeln!(page, "Minimum: {minimum}, auxiliary points not counted.\n")?;
            } else {
                writeln!(page, "Minimum: {minimum}; {} not counted.\n", outside.join(", "))?;
            }
        }
        if let Some(maximum) = file.maximum {
            let limits = file.items.iter().flatten().any(|(_, item)| item.limit && !item.off);
            let but = if limits { ", but for limit hands" } else { "" };
            writeln!(page, "Never more than {maximum}{but}.\n")?;
        }
        Ok(())
    }

    fn write_rulings(&self, page: &mut String) -> std::fmt::Result {
        if self.rulings.is_empty() {
            return Ok(());
        }
        writeln!(page, "## Rulings\n\n| ruling | choices (default first) | what |\n|---|---|---|")?;
        for ruling in &self.rulings {
            let choices: Vec<String> =
                ruling.choices.iter().map(|choice| format!("`{choice}`")).collect();
            let source = ruling.source.as_ref();
            let source = source.map_or(String::new(), |it| format!(". Source: {it}"));
            let about = format!("{}{source}", ruling.about);
            writeln!(page, "| `{}` | {} | {about} |", ruling.id, choices.join(", "))?;
        }
        Ok(())
    }
}

/// The items that are counted, and the limit hands.
fn write_items(page: &mut String, file: &RuleFile) -> std::fmt::Result {
    for (title, limit) in [("Items", false), ("Limit hands", true)] {
        let listed = |item: &ItemFile| item.limit == limit && !item.off;
        let mut items = file.items.iter().flatten().filter(|(_, item)| listed(item)).peekable();
        if items.peek().is_none() {
            continue;
        }
        writeln!(page, "## {title}\n\n| item | worth | what |\n|---|---|---|")?;
        for (id, item) in items {
            writeln!(page, "| `{id}` | {} | {} |", amount(item), about(id, item))?;
        }
        writeln!(page)?;
        let together = match file.limit_together.unwrap_or_default() {
            LimitSum::First => "the first of the list counts",
            LimitSum::Best => "the dearest counts, of equals the first of the list",
            LimitSum::Add => "all count",
        };
        if limit && let Some(score) = file.limit_score {
            writeln!(
                page,
                "The worth is a multiple of {score}, nothing else is added; of several {together}.\n"
            )?;
        } else if limit && file.limit_faan.is_none() {
            writeln!(page, "Nothing is added to the worth; of several {together}.\n")?;
        }
    }
    Ok(())
}

fn write_liabilities(page: &mut String, file: &RuleFile) -> std::fmt::Result {
    let played = || file.liabilities.iter().flat_map(IndexMap::values).filter(|it| !it.off);
    if played().next().is_none() {
        return Ok(());
    }
    writeln!(page, "## Liability\n")?;
    for liability in played() {
        writeln!(page, "- {}", liability.about.as_deref().unwrap_or_default())?;
    }
    if played().filter(|it| it.item.is_none() || it.whole).count() > 1 {
        writeln!(
            page,
            "- of two players who are liable for everything, the one whose set was laid last pays: without his tile the hand was not there yet"
        )?;
    }
    writeln!(page)
}
