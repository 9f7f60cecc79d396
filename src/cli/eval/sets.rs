//! `tilelens eval --leave-set-out`: the effect of a profile for each tile set.

use anyhow::Context;
use serde_json::{Value, json};

use super::{EvalArgs, Outcome, pictures};
use crate::{
    evaluation::{
        Dataset, Share,
        sets::{FaceTally, TilePlace, TileSet, quad, to_be_shown, worse},
    },
    sight::Corners,
    tile::{Face, SeenFace},
    tileset::{Exemplar, Profile, SetInfo},
    vision::{Opinion, Reader},
};

/// The least number of faces of a set in the table.
const FEWEST: usize = 10;
/// The least number of tiles of a face for its own figures.
const MANY: usize = 100;

/// The compared ways of reading.
const WAYS: [&str; 4] = ["network alone", "its own profile", "another set's", "the best of all"];

/// One set's figures, way by way.
struct SetFigures {
    name: String,
    shown: usize,
    ways: [FaceTally; 4],
}

pub(super) fn run(args: &EvalArgs, data: &Dataset) -> anyhow::Result<Outcome> {
    let mut reader = pictures::reader(args.models.as_deref(), args.threads)?;
    let mut sets = match &args.sets {
        Some(file) => {
            let text = std::fs::read_to_string(file)
                .with_context(|| format!("cannot read {}", file.display()))?;
            TileSet::parse(&text).with_context(|| file.display().to_string())?
        }
        None => TileSet::each(&data.photos),
    };
    let mut shown = Vec::new();
    let mut profiles = Vec::new();
    sets.retain(|set| data.photos.iter().any(|photo| set.has(photo)));
    let mut kept = Vec::new();
    for set in sets {
        let tiles = to_be_shown(&data.photos, &set);
        if tiles.len() < FEWEST {
            eprintln!("{}: {} faces with corners, too few to be shown", set.name, tiles.len());
            continue;
        }
        profiles.push(profile(&mut reader, data, profiles.len(), &tiles)?);
        shown.push(tiles.into_values().collect::<Vec<TilePlace>>());
        kept.push(set);
    }
    reader.set_tilesets(profiles)?;
    let mut figures = Vec::new();
    for (number, set) in kept.iter().enumerate() {
        let ways = measured(&mut reader, data, set, number, &shown[number])?;
        figures.push(SetFigures { name: set.name.clone(), shown: shown[number].len(), ways });
    }
    if args.json {
        println!("{}", Value::Array(figures.iter().map(report).collect()));
    } else {
        figures.iter().for_each(|set| print!("{}", text(set)));
        let mut all =
            SetFigures { name: "all sets".to_owned(), shown: 0, ways: Default::default() };
        for set in &figures {
            all.shown += set.shown;
            all.ways.iter_mut().zip(&set.ways).for_each(|(sum, way)| *sum += way);
        }
        print!("{}", text(&all));
    }
    Ok(Outcome::Found)
}

/// The profile that the labelled tiles make.
fn profile(
    reader: &mut Reader,
    data: &Dataset,
    number: usize,
    tiles: &std::collections::BTreeMap<Face, TilePlace>,
) -> anyhow::Result<Profile> {
    let about = SetInfo {
        name: format!("set-{number}").parse()?,
        network: reader.fingerprint().to_owned(),
        white: None,
        back: None,
        body: None,
    };
    let mut exemplars = Vec::new();
    for (face, (photo, tile)) in tiles {
        let photo = &data.photos[*photo];
        let picture = pictures::load(&photo.path)?;
        let turns = reader.examples(&picture, &[quad(&photo.tiles[*tile])])?;
        for turns in turns {
            exemplars.push(Exemplar::new((*face).into(), false, turns)?);
        }
    }
    Ok(Profile::new(about, exemplars)?)
}

/// Reads all tiles of a set that were not shown.
fn measured(
    reader: &mut Reader,
    data: &Dataset,
    set: &TileSet,
    number: usize,
    shown: &[TilePlace],
) -> anyhow::Result<[FaceTally; 4]> {
    let mut ways: [FaceTally; 4] = Default::default();
    for (at, photo) in data.photos.iter().enumerate().filter(|(_, photo)| set.has(photo)) {
        // Boxes of slanting tiles hold more than the tile, which the reader would not show the network.
        let tiles: Vec<(Face, Corners)> = (photo.tiles.iter().enumerate())
            .filter(|(place, tile)| {
                tile.corners.is_some() && !tile.ignore && !shown.contains(&(at, *place))
            })
            .filter_map(|(_, tile)| match tile.face {
                SeenFace::Tile(named) => Some((named.face(), quad(tile))),
                _ => None,
            })
            .collect();
        if tiles.is_empty() {
            continue;
        }
        let picture = pictures::load(&photo.path)?;
        let quads: Vec<_> = tiles.iter().map(|(_, quad)| *quad).collect();
        let (alone, opinions) = reader.opinions(&picture, &quads)?;
        let other = &opinions[(number + 1) % opinions.len()];
        let fit = |opinion: &&Opinion| opinion.fit.unwrap_or(f32::NEG_INFINITY);
        let best = opinions.iter().max_by(|a, b| fit(a).total_cmp(&fit(b)));
        let best = best.filter(|best| best.fit.is_some()).map_or(&alone, |best| &best.classes);
        let read = [&alone, &opinions[number].classes, &other.classes, best];
        for (way, read) in ways.iter_mut().zip(read) {
            tiles.iter().zip(read).for_each(|((face, _), read)| way.add(*face, *read));
        }
    }
    Ok(ways)
}

fn text(set: &SetFigures) -> String {
    let mut text = format!("{}: {} faces shown\n", set.name, set.shown);
    for (name, way) in WAYS.iter().zip(&set.ways) {
        text += &format!("  {name:16} sets' faces {}  flowers, seasons {}\n", way.sets, way.bonus);
    }
    for (name, way) in WAYS.iter().zip(&set.ways).skip(1) {
        for (face, loss) in worse(&set.ways[0], way, MANY) {
            let n = way.faces[face.index()].of;
            text += &format!("  {face} with {name}: {:.2} points worse of {n}\n", 100.0 * loss);
        }
    }
    text
}

fn report(set: &SetFigures) -> Value {
    let share =
        |share: Share| json!({ "right": share.good, "of": share.of, "interval": share.interval() });
    let ways: serde_json::Map<String, Value> = (WAYS.iter().zip(&set.ways))
        .map(|(name, way)| {
            let figures = json!({ "all": share(way.all()), "sets": share(way.sets), "bonus": share(way.bonus) });
            ((*name).to_owned(), figures)
        })
        .collect();
    json!({ "set": set.name, "shown": set.shown, "ways": ways })
}
