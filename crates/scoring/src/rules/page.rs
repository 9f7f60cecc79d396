//! A rule set as a page of documentation, made from its file.

use std::fmt::Write as _;

use super::{
    Halves, RuleSet,
    combining::KINDS,
    compiled::decided,
    file::{
        self, CountersFile, CountersPayer, Field, ItemFile, LiabilityFile, LimitSum, MoreFile,
        OpenConcealed, PointsFile, Repeats, RuleFile, ScoreShare, Split, Splits, Takes,
    },
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

fn share(ScoreShare(share): ScoreShare) -> String {
    share.to_string()
}

fn splits_of(splits: Splits) -> [Option<Split>; 6] {
    let Splits { discard, self_draw, safe, liable, liable_self_draw, robbed } = splits;
    [discard, self_draw, safe, liable, liable_self_draw, robbed]
}

fn split(split: &Split) -> String {
    let mut text = match split.discarder {
        Some(first) => {
            format!("{} from the discarder, {} from each other", share(first), share(split.others))
        }
        None => format!("{} from each", share(split.others)),
    };
    if let Some(east) = split.east {
        let _ = write!(text, ", {} from East", share(east));
    }
    if split.round_up {
        text += ", rounded up";
    }
    text
}

/// The auxiliary points beside those of sets, pairs and flowers.
fn points_lines(points: &PointsFile) -> Vec<String> {
    let mut lines = Vec::new();
    if points.base != 0 || points.concealed_claimed != 0 || points.narrow_wait != 0 {
        lines.push(format!(
            "Every hand {}; a concealed hand that claimed its last tile {} more; the winning tile in the \
             middle of a chow, at its closed end or in the pair {}.",
            points.base, points.concealed_claimed, points.narrow_wait
        ));
    }
    if points.mah_jong != 0 {
        lines.push(format!("A winner's four sets and a pair: {}.", points.mah_jong));
    }
    if let [simples, majors] = points.pair_completed
        && simples + majors != 0
    {
        lines.push(format!(
            "A pair completed by the winning tile: {simples} of 2-8, {majors} of terminals and honors."
        ));
    }
    if points.only_tile != 0 {
        lines.push(format!("The only tile that was waited for: {}.", points.only_tile));
    }
    if let Some(both) = points.both_winds_pair {
        lines.push(format!("A pair that is own and round wind at once: {both}."));
    }
    if !points.self_drawn_unless.is_empty() {
        let names = points.self_drawn_unless.join(", ");
        lines.push(format!("A self-draw brings nothing with: {names}."));
    }
    if let Some(pairs) = points.seven_pairs {
        lines.push(format!("Seven pairs have {pairs} in all."));
    }
    if points.open_least != 0 {
        lines.push(format!("A hand with claimed sets has at least {}.", points.open_least));
    }
    if let Some(multiple) = points.rounded_up_to {
        lines.push(format!("The sum is rounded up to a multiple of {multiple}."));
    }
    lines
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
        self.write_tiles(page, &file)?;
        for line in hand_lines(&file) {
            writeln!(page, "{line}\n")?;
        }
        let of_losers = loser_lines(&file);
        let items = file.items.unwrap_or_default();
        for (title, limit) in [("Items", false), ("Limit hands", true)] {
            if !items.values().any(|item| item.limit == limit && !item.off) {
                continue;
            }
            writeln!(page, "## {title}\n\n| item | worth | what |\n|---|---|---|")?;
            for (id, item) in items.iter().filter(|(_, item)| item.limit == limit && !item.off) {
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
        if let Some(points) = &file.points {
            writeln!(page, "## Auxiliary points\n\n| | open | concealed |\n|---|---|---|")?;
            let mut row = |name: &str, OpenConcealed { simple, major }: OpenConcealed| {
                writeln!(page, "| {name} of 2-8 | {} | {} |", simple[0], simple[1])?;
                writeln!(page, "| {name} of terminals and honors | {} | {} |", major[0], major[1])
            };
            row("pung", points.pung)?;
            row("kong", points.kong)?;
            writeln!(
                page,
                "\nPair of dragons {}, of the own wind {}, of the round's wind {}; self-drawn {}; \
                 each flower or season {}.\n",
                points.dragon_pair,
                points.own_wind_pair,
                points.round_wind_pair,
                points.self_drawn,
                points.bonus_tile
            )?;
            for line in points_lines(points) {
                writeln!(page, "{line}\n")?;
            }
            let steps: Vec<String> =
                points.steps.iter().map(|(from, worth)| format!("from {from}: {worth}")).collect();
            if !steps.is_empty() {
                writeln!(page, "Worth: {}.\n", steps.join(", "))?;
            }
        }
        if let Some(doubling) = &file.doubling {
            writeln!(page, "## Score\n")?;
            let added = match doubling.added {
                0 => String::new(),
                times => format!("{times} times and "),
            };
            let more = if doubling.added == 0 { "once" } else { "once more" };
            writeln!(
                page,
                "The points, doubled {added}{more} for each of the total, at most {}.\n",
                doubling.most
            )?;
            if file.limit_bonus == Some(true) {
                writeln!(
                    page,
                    "Flowers add their points, doubled for the items of flowers, to limit hands below that and to sums of their own.\n"
                )?;
            }
            if let Some(from) = doubling.most_from.filter(|from| *from < doubling.most) {
                writeln!(page, "From {from} on it is {}.\n", doubling.most)?;
            }
            if !doubling.steps.is_empty() {
                writeln!(page, "| total | score |\n|---|---|")?;
                let mut names = doubling.names.iter();
                for (faan, score) in &doubling.steps {
                    let name = names.next().map_or(String::new(), |name| format!(", {name}"));
                    writeln!(page, "| from {faan}{name} | {score} |")?;
                }
                writeln!(page)?;
            }
        }
        if let Some(table) = &file.table {
            writeln!(page, "## Table\n\n| total | score |\n|---|---|")?;
            for (faan, score) in table {
                writeln!(page, "| {faan} | {score} |")?;
            }
            writeln!(page)?;
        }
        if let Some(stakes) = &file.stakes {
            writeln!(page, "## Score\n")?;
            writeln!(page, "{}, and {} for each of the total.\n", stakes.base, stakes.unit)?;
            if stakes.dealer != 0 || stakes.repeat != 0 {
                writeln!(
                    page,
                    "What East pays and is paid counts {} more, and {} more for each time that he has stayed.\n",
                    stakes.dealer, stakes.repeat
                )?;
            }
        }
        if let Some(payment) = &file.payment {
            writeln!(page, "## Payment (times the score)\n")?;
            for (who, splits) in [
                (
                    "",
                    [
                        payment.discard,
                        payment.self_draw,
                        payment.safe,
                        payment.liable,
                        payment.liable_self_draw,
                        payment.robbed,
                    ],
                ),
                ("East wins: ", {
                    let east = payment.east_winner;
                    splits_of(east)
                }),
                ("Three players: ", {
                    let three = payment.three_players;
                    splits_of(three)
                }),
            ] {
                let kinds = [
                    "on a discard",
                    "self-drawn",
                    "on a safe tile",
                    "with a liable feeder (as discarder)",
                    "self-drawn with a liable feeder (as discarder)",
                    "on a robbed kong (from its owner as discarder)",
                ];
                for (kind, found) in kinds.iter().zip(splits) {
                    if let Some(found) = found {
                        writeln!(page, "- {who}{kind}: {}", split(&found))?;
                    }
                }
            }
            if let Some(most) = payment.others_at_most {
                writeln!(
                    page,
                    "- on a claimed tile nobody but who is responsible pays more than {most}: he pays the rest"
                )?;
            }
            if payment.plus != 0 {
                writeln!(page, "- each payer, who pays nothing else too: {} more", payment.plus)?;
            }
            if payment.plus_self_draw != 0 {
                writeln!(page, "- each payer of a self-draw: {} more", payment.plus_self_draw)?;
            }
            if let Some(multiple) = payment.round_up_to {
                writeln!(page, "- each payer's amount is rounded up to a multiple of {multiple}")?;
            }
            if payment.counters != CountersFile::default() {
                writeln!(
                    page,
                    "- each counter on the table: {} from who gave the tile, or {} from each",
                    payment.counters.claimed, payment.counters.self_draw
                )?;
            }
            if payment.liable_shared {
                let counters = match payment.counters.with_liable {
                    CountersPayer::Giver => "the giver",
                    CountersPayer::Liable => "the liable player",
                };
                writeln!(
                    page,
                    "- a liable player and another who gave the tile pay half each, {counters} the counters"
                )?;
            }
            if payment.stick != 0 {
                writeln!(page, "- each stick on the table: {} to the winner", payment.stick)?;
            }
            writeln!(page)?;
        }
        let of_deal = file.deal.as_ref().map(deal_lines).unwrap_or_default();
        for (title, lines) in [("The losers' hands", of_losers), ("The deal", of_deal)] {
            if !lines.is_empty() {
                writeln!(page, "## {title}\n")?;
                lines.iter().try_for_each(|line| writeln!(page, "- {line}"))?;
                writeln!(page)?;
            }
        }
        let mut liabilities = file.liabilities.unwrap_or_default();
        liabilities.retain(|_, liability| !liability.off);
        if !liabilities.is_empty() {
            writeln!(page, "## Liability\n")?;
            for liability in liabilities.values() {
                writeln!(page, "- {}", liability.about.as_deref().unwrap_or_default())?;
            }
            let wholly = |it: &&LiabilityFile| it.item.is_none() || it.whole;
            if liabilities.values().filter(wholly).count() > 1 {
                writeln!(
                    page,
                    "- of two players who are liable for everything, the one whose set was laid last pays: without his tile the hand was not there yet"
                )?;
            }
            writeln!(page)?;
        }
        let session = &self.core.session;
        let three_players = self.core.three_players;
        session.write_page(page, (self.core.scheme.stick, self.core.minimum, three_players))?;
        if let Some(tournament) = &self.core.tournament {
            tournament.write_page(page, session.placement.is_some())?;
        }
        if !self.rulings.is_empty() {
            writeln!(
                page,
                "## Rulings\n\n| ruling | choices (default first) | what |\n|---|---|---|"
            )?;
            for ruling in &self.rulings {
                let choices: Vec<String> =
                    ruling.choices.iter().map(|choice| format!("`{choice}`")).collect();
                let source = ruling.source.as_ref();
                let source = source.map_or(String::new(), |it| format!(". Source: {it}"));
                let about = format!("{}{source}", ruling.about);
                writeln!(page, "| `{}` | {} | {about} |", ruling.id, choices.join(", "))?;
            }
        }
        Ok(())
    }
}
