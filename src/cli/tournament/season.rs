//! A season over several files.

use std::{collections::HashMap, path::Path};

use anyhow::{Context, anyhow};
use jiff::{civil::Date, tz::TimeZone};
use num_rational::Ratio;

use super::{
    Out,
    args::{SeasonArgs, SeasonCount},
    hall::read,
    out::bytes_of,
    text,
};
use crate::{
    points::read_fraction,
    tournament::{SeasonBy, SeasonLine, Stage, season as table_of},
};

/// How a ledger begins, in bytes.
const LEDGER: &[u8] = b"SQLite format 3\0";

pub(super) fn season(out: &mut Out<'_>, args: &SeasonArgs) -> anyhow::Result<()> {
    let by_file = |all: &[String], what: &str| -> anyhow::Result<HashMap<String, String>> {
        let files: Vec<String> = args.files.iter().map(|file| file.display().to_string()).collect();
        all.iter()
            .map(|text| {
                let (file, said) = text
                    .rsplit_once('=')
                    .ok_or_else(|| anyhow!("`{text}`: expected FILE={what}"))?;
                if !files.iter().any(|known| known == file) {
                    return Err(anyhow!("`{text}`: {file} is not among the files"));
                }
                Ok((file.to_owned(), said.to_owned()))
            })
            .collect()
    };
    let (weights, days) = (by_file(&args.weight, "2.5")?, by_file(&args.date, "2026-05-31")?);
    let mut stages = Vec::new();
    for file in &args.files {
        let mut stage = stage(file)?;
        let name = file.display().to_string();
        if let Some(text) = weights.get(&name) {
            let most = Ratio::from_integer(1000);
            stage.weight = read_fraction(text)
                .filter(|weight| *weight > Ratio::from_integer(0) && *weight <= most)
                .ok_or_else(|| anyhow!("{name}={text}: expected a weight such as 2.5"))?;
        }
        if let Some(text) = days.get(&name) {
            let day = text.parse::<Date>();
            stage.day =
                Some(day.map_err(|_| anyhow!("{name}={text}: expected a day such as 2026-05-31"))?);
        }
        stages.push(stage);
    }
    let by = match (&args.scale, args.by) {
        (Some(scale), _) => SeasonBy::Scale(scale.clone()),
        (None, SeasonCount::Places) => SeasonBy::Places,
        (None, SeasonCount::Points) => SeasonBy::Points,
        (None, SeasonCount::TablePoints) => SeasonBy::TablePoints,
        (None, SeasonCount::Rating) => {
            if args.best.is_some() {
                return Err(anyhow!(
                    "a rating has its own rule for the best results: leave --best out"
                ));
            }
            SeasonBy::Rating(args.on.unwrap_or_else(|| jiff::Zoned::now().date()))
        }
    };
    let lines = table_of(&stages, &by, args.best.map(usize::from))?;
    if out.json {
        let titles: Vec<&str> = stages.iter().map(|stage| stage.title.as_str()).collect();
        return out.as_json(&serde_json::json!({ "tournaments": titles, "table": lines }));
    }
    let mut headings = text::headings([">Rank", "Player"]);
    headings.extend(stages.iter().map(|stage| format!(">{}", stage.title)));
    headings.push(">Total".to_owned());
    if args.csv {
        return out.text(&csv(&headings, &lines)?);
    }
    let rows = lines.iter().map(|line| {
        let result = |(place, cell): (usize, &Option<String>)| match cell {
            None => "·".to_owned(),
            Some(cell) if line.counted.contains(&place) => cell.clone(),
            Some(cell) => format!("({cell})"),
        };
        let mut row = vec![line.rank.to_string(), line.player.to_string()];
        row.extend((1..).zip(&line.stages).map(result));
        row.push(line.total.clone());
        row
    });
    let mut page = text::table(&headings, rows.collect());
    if lines.iter().any(|line| line.counted.len() < line.stages.iter().flatten().count()) {
        page += "\nIn brackets: does not count.\n";
    }
    out.text(&page)
}

/// A tournament's standings, from its ledger or from a spreadsheet.
fn stage(file: &Path) -> anyhow::Result<Stage> {
    let name = || file.display().to_string();
    let mut begins = Vec::new();
    let open = std::fs::File::open(file).with_context(|| format!("cannot read {}", name()))?;
    std::io::Read::read_to_end(&mut std::io::Read::take(open, LEDGER.len() as u64), &mut begins)?;
    if begins == LEDGER {
        let (hall, tournament) = read(file)?;
        let started = tournament.started.values().max().copied();
        let last = started.or_else(|| hall.log.events().last().map(|recorded| recorded.at));
        let day = last.map(|time| time.to_zoned(TimeZone::system()).date());
        if tournament.results.is_empty() {
            return Err(anyhow!("{}: no results yet", name()));
        }
        return Stage::of(&tournament, day).with_context(name);
    }
    let title = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Stage::read(&title, &bytes_of(file)?).with_context(name)
}

fn csv(headings: &[String], lines: &[SeasonLine]) -> anyhow::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(headings.iter().map(|heading| heading.trim_start_matches('>')))?;
    for line in lines {
        let mut row = vec![line.rank.to_string(), line.player.to_string()];
        row.extend(line.stages.iter().map(|cell| cell.clone().unwrap_or_default()));
        row.push(line.total.clone());
        writer.write_record(row)?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}
