//! How well hands are laid out when every tile is known: the labels of real photos go in as tiles,
//! the hands that a person read come out, or not. With `--seen FILE` the tiles are those that some
//! reader found (JSON Lines: source, file, tiles), each hand read with and without joint decoding.
//!
//! `cargo run --release --example layout_truth -- ../shared/data [-v] [--seen FILE] [PART OF A NAME...]`

use std::{collections::BTreeMap, path::Path, process::ExitCode};

use anyhow::{Context, Result};
use serde_json::Value;
use tilelens::{
    hand::Reading,
    layout::{Hints, read},
    tile::{Face, SeenFace},
    vision::SeenTile,
};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::from(2)
        }
    }
}

fn json(path: &Path) -> Result<Value> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    Ok(serde_json::from_str(&text)?)
}

/// A labelled box as the eye would hand it on.
fn tile(label: &Value) -> Option<SeenTile> {
    let box_of: Vec<f32> =
        label["bbox"].as_array()?.iter().filter_map(|x| Some(x.as_f64()? as f32)).collect();
    let &[x, y, w, h] = &box_of[..] else { return None };
    let face: Face = label["code"].as_str()?.parse().ok()?;
    let turn = label["turn"].as_u64();
    let mut corners = [[x, y], [x + w, y], [x + w, y + h], [x, y + h]];
    let mut turns = [0.0; 4];
    let given: Option<Vec<[f32; 2]>> =
        label.get("corners").and_then(|corners| serde_json::from_value(corners.clone()).ok());
    if let Some([a, b, c, d]) = given.as_deref() {
        corners = [*a, *b, *c, *d];
        turns = if turn.is_some() { [0.97, 0.01, 0.01, 0.01] } else { [0.5, 0.0, 0.5, 0.0] };
    } else if let Some(turn) = turn {
        turns[turn as usize / 90] = 1.0;
    } else {
        let lying = label["turn_axis"].as_u64().map_or(w > h, |axis| axis == 90);
        turns = if lying { [0.0, 0.5, 0.0, 0.5] } else { [0.5, 0.0, 0.5, 0.0] };
    }
    let mut faces = [0.003 / 41.0; Face::COUNT];
    faces[face.index()] = 0.997;
    let red = label["red"].as_bool().is_some_and(|red| red);
    let red = if red { 1.0 } else { 0.0 };
    Some(SeenTile { corners, found: 1.0, faces, back: 0.0, reject: 0.0, red, turns })
}

/// A tile as a reader found it.
#[derive(serde::Deserialize)]
struct Found {
    found: f32,
    corners: [[f32; 2]; 4],
    faces: BTreeMap<String, f32>,
    back: f32,
    reject: f32,
    turns: [f32; 4],
}

#[derive(serde::Deserialize)]
struct FoundIn {
    source: String,
    file: String,
    tiles: Vec<Found>,
}

fn found_tile(found: &Found) -> SeenTile {
    let mut faces = [0.0; Face::COUNT];
    for (code, p) in &found.faces {
        if let Ok(face) = code.parse::<Face>() {
            faces[face.index()] = *p;
        }
    }
    SeenTile {
        corners: found.corners,
        found: found.found.sqrt(),
        faces,
        back: found.back,
        reject: found.reject,
        red: 0.0,
        turns: found.turns,
    }
}

/// Red fives as plain ones: the readers compared do not tell them apart.
fn plain(text: &str) -> String {
    text.replace('0', "5")
}

fn sorted(mut tiles: Vec<SeenFace>) -> Vec<SeenFace> {
    tiles.sort();
    tiles
}

fn all_tiles(reading: &Reading) -> Vec<SeenFace> {
    let sets = reading.sets.iter().flat_map(|set| set.tiles.iter().map(|tile| tile.face));
    let rest = reading.concealed.iter().chain(&reading.bonus).chain(&reading.winning).copied();
    sorted(sets.chain(rest).collect())
}

fn same_layout(truth: &Reading, read: &Reading, kong_by_count: bool) -> bool {
    let sets = |reading: &Reading| {
        let mut sets: Vec<String> = reading.sets.iter().map(ToString::to_string).collect();
        sets.sort();
        sets
    };
    let concealed = if kong_by_count {
        return all_tiles(truth) == all_tiles(read) && truth.winning == read.winning;
    } else {
        truth.concealed == read.concealed
    };
    concealed && sets(truth) == sets(read) && truth.winning == read.winning
}

fn run() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let data = arguments.next().context("the folder of the data: ../shared/data")?;
    let rest: Vec<String> = arguments.collect();
    let verbose = rest.iter().any(|argument| argument == "-v");
    let seen_file = rest.iter().position(|argument| argument == "--seen");
    let seen_file = seen_file.and_then(|at| rest.get(at + 1));
    let mut seen: BTreeMap<(String, String), Vec<SeenTile>> = BTreeMap::new();
    if let Some(file) = seen_file {
        for line in std::fs::read_to_string(file).with_context(|| file.clone())?.lines() {
            let found: FoundIn = serde_json::from_str(line)?;
            let tiles = found.tiles.iter().map(found_tile).collect();
            seen.insert((found.source, found.file), tiles);
        }
    }
    let only: Vec<&String> = (rest.iter())
        .filter(|argument| !argument.starts_with('-') && Some(*argument) != seen_file)
        .collect();
    let data = Path::new(&data);
    let hands = json(&data.join("labels/hands.json"))?;
    let mut labels: BTreeMap<(String, String), Value> = BTreeMap::new();
    for source in ["hk-hands", "kimwong-riichi", "kimwong-hk"] {
        let file = json(&data.join(format!("labels/{source}.json")))?;
        for image in file["images"].as_array().into_iter().flatten() {
            let name = image["file"].as_str().unwrap_or_default().to_owned();
            labels.insert((source.to_owned(), name), image.clone());
        }
    }
    let mut tally: BTreeMap<String, [usize; 6]> = BTreeMap::new();
    for hand in hands.as_array().into_iter().flatten() {
        let field = |name: &str| hand[name].as_str().unwrap_or_default().to_owned();
        let (source, file, split) = (field("source"), field("file"), field("split"));
        if !only.is_empty() && !only.iter().any(|part| file.contains(part.as_str())) {
            continue;
        }
        let image = labels.get(&(source.clone(), file.clone())).context(file.clone())?;
        let labelled = || -> Vec<SeenTile> {
            (image["tiles"].as_array().into_iter().flatten())
                .filter(|label| !label["ignore"].as_bool().unwrap_or(false))
                .filter_map(tile)
                .collect()
        };
        let tiles = match seen.get(&(source.clone(), file.clone())) {
            Some(tiles) => tiles.clone(),
            None if seen_file.is_some() => continue,
            None => labelled(),
        };
        let text = if seen_file.is_some() { plain(&field("text")) } else { field("text") };
        let truth: Reading = text.parse()?;
        let shown = read(&tiles, &Hints::default());
        let reading = shown.hand.as_ref().map(|hand| hand.reading.clone()).unwrap_or_default();
        let greedy = read(&tiles, &Hints { joint: false, ..Hints::default() });
        let greedy = greedy.hand.map(|hand| hand.reading).unwrap_or_default();
        let unboxed = field("notes").contains("no box")
            || field("notes").contains("says plain")
            || field("notes").contains("is labelled");
        let exact = all_tiles(&truth) == all_tiles(&reading);
        let layout = same_layout(&truth, &reading, field("notes").contains("by count"));
        let key = format!("{source} {split}{}", if unboxed { " (labels incomplete)" } else { "" });
        let row = tally.entry(key).or_default();
        row[0] += 1;
        row[1] += usize::from(exact);
        row[2] += usize::from(layout);
        let confidence = shown.hand.as_ref().map_or(0.0, |hand| hand.confidence);
        row[3] += usize::from(all_tiles(&truth) == all_tiles(&greedy));
        row[4] += usize::from(confidence < 0.85);
        row[5] += usize::from(!exact && confidence >= 0.85 && !unboxed);
        if verbose && !layout {
            println!(
                "{file}{}\n   truth {truth}   [{} {}]\n   read  {reading}  {confidence:.2}{}",
                if unboxed { " (labels incomplete)" } else { "" },
                field("side"),
                field("notes"),
                shown.refusal.as_deref().map(|why| format!("  {why}")).unwrap_or_default(),
            );
        }
    }
    println!(
        "{:<44} {:>4} {:>6} {:>7} {:>7} {:>7} {:>10}",
        "", "n", "hand", "layout", "greedy", "unsure", "sure+wrong"
    );
    for (key, [n, exact, layout, greedy, unsure, wrong]) in tally {
        println!("{key:<44} {n:>4} {exact:>6} {layout:>7} {greedy:>7} {unsure:>7} {wrong:>10}");
    }
    Ok(())
}
