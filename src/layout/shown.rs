//! The steps of the layout one after another, and what they give.

use super::{
    arrange::{Arranged, Look, WAITING, WHOLE, arrangements},
    decode::{
        Answer, Choices, Naming, OpenSet, Question, Which, decode, is_finished, is_waiting,
        otherwise,
    },
    frame::{Frame, cosine, knows_axis, settle, upright},
    rows::{Run, find_runs, run_along},
};
use crate::{
    hand::{Reading, SeenSet, SetForm, SetTile},
    tile::{Face, SeenFace, Tile},
    vision::{Corners, SeenTile},
};

/// What a tile is in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Of the hand, not laid open in a set.
    Concealed,
    /// Of a claimed set or a concealed kong.
    Meld,
    /// The tile that finished the hand.
    Winning,
    /// A flower or season of the hand.
    Bonus,
    /// Belongs to no hand: discards, walls, indicators, other players' tiles.
    Other,
}

impl Role {
    /// The word of the JSON format.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Concealed => "concealed",
            Self::Meld => "meld",
            Self::Winning => "winning",
            Self::Bonus => "bonus",
            Self::Other => "other",
        }
    }
}

/// A tile of the picture with its place in the hand.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownTile {
    /// Its index among the tiles that were seen.
    pub seen: usize,
    /// What it shows.
    pub face: SeenFace,
    /// How sure that is, 0-1.
    pub confidence: f32,
    /// Other faces that it may show, the likelier first, with their probabilities.
    pub alternatives: Vec<(Face, f32)>,
    /// Its corners from the face's own top left, clockwise.
    pub corners: Corners,
    /// What it is in the picture.
    pub role: Role,
    /// Its group, by index in [`Shown::groups`].
    pub group: Option<usize>,
}

/// Tiles of one role that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// What they are.
    pub role: Role,
    /// Their indices in [`Shown::tiles`], from the player's left.
    pub tiles: Vec<usize>,
    /// For sets: the index in [`Reading::sets`].
    pub set: Option<usize>,
}

/// Something that is unsure or wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Doubt {
    /// The tile that it is about, by index in [`Shown::tiles`].
    pub tile: Option<usize>,
    /// What is unsure, and what to do about it.
    pub why: String,
    /// The hand as it would read otherwise.
    pub otherwise: Option<Reading>,
}

/// The hand that a picture shows.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownHand {
    /// What was read, whatever the number of tiles.
    pub reading: Reading,
    /// Probability that all of it is right, as far as faces and layout tell, 0-1.
    pub confidence: f32,
    /// Logarithm of the probability of its faces.
    pub log_likelihood: f32,
    /// What making the hand legal cost beside the free reading, in nats; infinite where it could
    /// not be made legal, and then the reading is the free one.
    pub price: f32,
    /// Whether the tiles make a finished hand.
    pub finished: bool,
    /// What is unsure or wrong.
    pub doubts: Vec<Doubt>,
}

/// What a picture shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shown {
    /// Every tile, those of no hand included.
    pub tiles: Vec<ShownTile>,
    /// The groups of the hand.
    pub groups: Vec<Group>,
    /// The hand, where one is shown.
    pub hand: Option<ShownHand>,
    /// Why there is no hand.
    pub refusal: Option<String>,
}

/// What a person tells about the picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Hints {
    /// Corrections: index in [`Shown::tiles`], and what the tile is.
    pub fixes: Vec<(usize, Tile)>,
    /// The winning tile, where none is marked.
    pub winning: Option<Tile>,
    /// False: take every tile for its likeliest face, whatever the rest of the hand says.
    pub joint: bool,
    /// The player sits at the lower edge: the tiles are given as he sees them.
    pub seated_below: bool,
}

impl Default for Hints {
    fn default() -> Self {
        Self { fixes: Vec::new(), winning: None, joint: true, seated_below: false }
    }
}

/// Tiles less likely than this to be tiles at all are passed over.
const SOME_TILE: f32 = 0.2;
/// A face less sure than this is `?`.
const NAMED: f32 = 0.4;
/// When legality costs more than this many nats, the free reading stands and says so.
const DEAR: f32 = 6.0;
/// Tiles less sure than this are doubts.
const SURE: f32 = 0.97;

/// The tiles alone, whatever they make: each once, named and upright, without what is no tile.
pub fn tiles(seen: &[SeenTile]) -> Vec<ShownTile> {
    (distinct(seen).into_iter())
        .map(|index| shown_tile(index, &seen[index], &upright(&seen[index]).0, None))
        .collect()
}

/// The tiles before any hand is seen in them, and which of them lie side by side.
pub(super) struct Prepared {
    pub shown: Shown,
    pub looks: Vec<Look>,
    pub runs: Vec<Run>,
    frames: Vec<Frame>,
    ups: Vec<f32>,
}

pub(super) fn prepare(seen: &[SeenTile], hints: &Hints) -> Prepared {
    let kept = distinct(seen);
    let (mut frames, mut ups): (Vec<Frame>, Vec<f32>) =
        kept.iter().map(|&index| upright(&seen[index])).unzip();
    let known: Vec<bool> = kept.iter().map(|&index| knows_axis(&seen[index])).collect();
    settle(&mut frames, &known);
    let mut looks: Vec<Look> = kept.iter().map(|&index| look(&seen[index])).collect();
    for (tile, fixed) in &hints.fixes {
        if let Some(look) = looks.get_mut(*tile) {
            look.choices = Choices::certain(fixed.face());
            look.back = false;
            look.bonus = fixed.face().is_bonus();
        }
    }
    let shown = Shown {
        tiles: (kept.iter().zip(&frames).enumerate())
            .map(|(place, (&index, frame))| {
                let fixed = hints.fixes.iter().find(|(tile, _)| *tile == place);
                shown_tile(index, &seen[index], frame, fixed.map(|(_, tile)| *tile))
            })
            .collect(),
        ..Shown::default()
    };
    if hints.seated_below {
        // Which way up a tile lies says less than where its player sits.
        for (frame, up) in frames.iter_mut().zip(&mut ups) {
            if frame.right[0].abs() > frame.right[1].abs() {
                *frame = frame.facing([1.0, 0.0]).1;
                *up = 1.0;
            }
        }
    }
    let runs = with_stacked(find_runs(&frames, &ups), &frames, &ups);
    Prepared { shown, looks, runs, frames, ups }
}

/// Reads the hand that the tiles show.
pub fn read(seen: &[SeenTile], hints: &Hints) -> Shown {
    let Prepared { mut shown, looks, runs, frames, ups } = prepare(seen, hints);
    let mut ways: Vec<Judged> = arrangements(&runs, &frames, &ups, &looks)
        .into_iter()
        .filter(|arranged| arranged.size() <= 24)
        .map(|arranged| (rank_by_faces(&arranged, &looks), arranged))
        .take(40)
        .collect::<Vec<_>>()
        .into_iter()
        .map(|(rank, arranged)| Judged { rank, arranged, answer: None })
        .collect();
    ways.sort_by(|a, b| a.rank.total_cmp(&b.rank));
    ways.truncate(6);
    for way in &mut ways {
        let answer = decode(&question(&way.arranged, &looks));
        way.rank = way.arranged.cost + judgement(&way.arranged, &answer);
        way.answer = Some(answer);
    }
    ways.sort_by(|a, b| a.rank.total_cmp(&b.rank));
    let Some(best) = ways.first() else {
        shown.refusal = Some(if shown.tiles.is_empty() {
            "no tiles in the picture".to_owned()
        } else {
            "no hand in the picture: no row of tiles lies together".to_owned()
        });
        return shown;
    };
    // A second hand that is as good as the first, of other tiles.
    let own: Vec<usize> = best.arranged.tiles().collect();
    let rival = ways.iter().skip(1).any(|other| {
        other.rank < best.rank + 2.0
            && other.arranged.size() >= 13
            && best.arranged.size() >= 13
            && other.arranged.tiles().filter(|tile| own.contains(tile)).count() <= 1
    });
    if rival {
        shown.refusal = Some(
            "two hands that cannot be told apart: take the picture of one of them alone".to_owned(),
        );
        return shown;
    }
    let ways = differing(&shown, ways, &looks, seen, hints);
    let weight = |way: &Judged| f64::from(ways[0].rank - way.rank).exp();
    let total: f64 = ways.iter().map(weight).sum();
    let layout_confidence = (1.0 / total) as f32;
    finish(&mut shown, &ways, layout_confidence, &looks, seen, hints, true);
    shown
}

/// One way to see the hand, and what its tiles are then.
pub(super) struct Judged {
    pub rank: f32,
    pub arranged: Arranged,
    pub answer: Option<Answer>,
}

/// Tiles that are tiles, each found once.
fn distinct(seen: &[SeenTile]) -> Vec<usize> {
    let mut kept: Vec<usize> = Vec::new();
    let mut order: Vec<usize> = (0..seen.len())
        .filter(|&index| {
            let tile = &seen[index];
            tile.found * (1.0 - tile.reject) >= SOME_TILE && upright(tile).0.is_sound()
        })
        .collect();
    order.sort_by(|&a, &b| seen[b].found.total_cmp(&seen[a].found));
    for index in order {
        let frame = upright(&seen[index]).0;
        let twice = kept.iter().any(|&other| {
            let other = upright(&seen[other]).0;
            let [x, y] = other.local(frame.centre);
            let [u, v] = frame.local(other.centre);
            (x.abs() < 0.4 && y.abs() < 0.4) || (u.abs() < 0.4 && v.abs() < 0.4)
        });
        if !twice {
            kept.push(index);
        }
    }
    kept.sort_unstable();
    kept
}

fn look(tile: &SeenTile) -> Look {
    let bonus: f32 = tile.faces[Face::SET_FACES..].iter().sum();
    let face: f32 = tile.faces.iter().sum();
    Look {
        choices: Choices::new(&tile.faces),
        back: tile.back > face,
        bonus: tile.back <= face && bonus > face / 2.0,
    }
}

fn shown_tile(seen: usize, tile: &SeenTile, frame: &Frame, fixed: Option<Tile>) -> ShownTile {
    let face = tile.faces.iter().sum::<f32>().max(1e-6);
    let (mut name, mut confidence) = (SeenFace::Back, tile.back);
    let mut alternatives = Vec::new();
    if let Some(fixed) = fixed {
        (name, confidence) = (SeenFace::Tile(fixed), 1.0);
    } else if tile.back <= face {
        let mut faces: Vec<(Face, f32)> =
            Face::all().zip(tile.faces).map(|(name, p)| (name, p / face)).collect();
        faces.sort_by(|a, b| b.1.total_cmp(&a.1));
        confidence = faces[0].1;
        name = if confidence < NAMED {
            SeenFace::Unknown
        } else {
            SeenFace::Tile(coloured(faces[0].0, tile.red))
        };
        alternatives = faces.into_iter().skip(1).take(3).filter(|&(_, p)| p >= 0.001).collect();
    }
    ShownTile {
        seen,
        face: name,
        confidence,
        alternatives,
        corners: frame.corners,
        role: Role::Other,
        group: None,
    }
}

/// A five may be a red one.
fn coloured(face: Face, red: f32) -> Tile {
    match Tile::red_five(face.suit()) {
        Some(five) if five.face() == face && red > 0.5 => five,
        _ => face.into(),
    }
}

/// Single tiles that lie on a sideways tile of a run belong to that run.
fn with_stacked(mut runs: Vec<Run>, frames: &[Frame], ups: &[f32]) -> Vec<Run> {
    let mut at = 0;
    while at < runs.len() {
        let base = if let [single] = runs[at].tiles[..] {
            runs.iter().position(|run| {
                run.tiles.len() > 1
                    && run.tiles.iter().any(|base| {
                        let (quarters, stacked) = frames[single.tile].facing(base.frame.right);
                        let [x, y] = base.frame.sees(&stacked).centre();
                        base.sideways
                            && quarters % 2 == 1
                            && cosine(stacked.right, base.frame.right) > 0.85
                            && x.abs() < 0.4
                            && (0.35..1.35).contains(&y.abs())
                    })
            })
        } else {
            None
        };
        if let Some(base) = base {
            let mut tiles: Vec<usize> = runs[base].tiles.iter().map(|placed| placed.tile).collect();
            tiles.push(runs[at].tiles[0].tile);
            runs[base] = run_along(&tiles, frames, ups, runs[base].right());
            runs.remove(at);
        } else {
            at += 1;
        }
    }
    runs
}

pub(super) fn question(arranged: &Arranged, looks: &[Look]) -> Question {
    let choices = |tile: usize| looks[tile].choices.clone();
    Question {
        singles: (arranged.concealed.iter())
            .chain(&arranged.winning)
            .chain(&arranged.bonus)
            .filter(|&&tile| !looks[tile].back)
            .map(|&tile| choices(tile))
            .collect(),
        sets: (arranged.sets.iter())
            .map(|set| OpenSet {
                tiles: (set.tiles.iter())
                    .map(|&(tile, _)| (!looks[tile].back).then(|| choices(tile)))
                    .collect(),
                may_be_chow: set.form == SetForm::Claimed && set.tiles.len() == 3,
            })
            .collect(),
    }
}

/// An arrangement's cost with what the likeliest faces say of it.
fn rank_by_faces(arranged: &Arranged, looks: &[Look]) -> f32 {
    let mut counts = [0u8; Face::SET_FACES];
    for &tile in arranged.concealed.iter().chain(&arranged.winning) {
        match counts.get_mut(usize::from(looks[tile].choices.best().0)) {
            Some(count) if !looks[tile].back => *count = count.saturating_add(1),
            _ => return arranged.cost,
        }
    }
    if counts.iter().any(|&count| count > 4) {
        return arranged.cost;
    }
    arranged.cost - wholeness(arranged, &counts)
}

fn wholeness(arranged: &Arranged, counts: &[u8; Face::SET_FACES]) -> f32 {
    match arranged.size() {
        14 if is_finished(counts, arranged.sets.len()) => WHOLE,
        13 if is_waiting(counts, arranged.sets.len()) => WAITING,
        _ => 0.0,
    }
}

/// The same once the tiles are named: illegal hands cost, finished ones are favoured.
fn judgement(arranged: &Arranged, answer: &Answer) -> f32 {
    match &answer.legal {
        Some(naming) => {
            let mut counts = [0u8; Face::SET_FACES];
            for &face in &naming.singles {
                if let Some(count) = counts.get_mut(usize::from(face)) {
                    *count += 1;
                }
            }
            answer.price().min(12.0) - wholeness(arranged, &counts)
        }
        None => 12.0,
    }
}

/// Names and groups the tiles of the best way, and says what is in doubt; `whole`: of a hand that
/// should have all its tiles.
pub(super) fn finish(
    shown: &mut Shown,
    ways: &[Judged],
    layout_confidence: f32,
    looks: &[Look],
    seen: &[SeenTile],
    hints: &Hints,
    whole: bool,
) {
    let best = &ways[0];
    let arranged = &best.arranged;
    let Some(answer) = &best.answer else { return };
    let question = question(arranged, looks);
    let price = answer.price();
    let legal = answer.legal.as_ref().filter(|_| hints.joint && price <= DEAR);
    let naming = legal.unwrap_or(&answer.free);
    name_tiles(shown, arranged, naming, looks, seen, hints, legal.is_some());
    group_tiles(shown, arranged);
    let mut reading = reading_of(shown, arranged);
    let mut doubts = Vec::new();
    let mut faces_confidence = answer.confidence;
    if legal.is_none() {
        faces_confidence = free_confidence(shown, arranged);
        if hints.joint {
            doubts.push(illegal(&reading, price));
        }
    } else {
        doubts.extend(unsure_tiles(shown, arranged, &question, answer, looks));
    }
    if !answer.exact {
        doubts.push(Doubt {
            tile: None,
            why: "too many tiles are unclear to weigh every hand: take a sharper picture"
                .to_owned(),
            otherwise: None,
        });
        faces_confidence = faces_confidence.min(0.5);
    }
    if let Some(winning) = hints.winning {
        with_winning(shown, &mut reading, winning);
    }
    if whole {
        doubts.extend(shape_doubts(arranged, &reading, looks));
    }
    if layout_confidence < 0.8 {
        doubts.push(layout_doubt(shown, ways, looks, seen, hints));
    }
    if arranged.sets.iter().any(|set| set.by_count) {
        // Only the number of tiles speaks for a kong, nothing for its being concealed.
        faces_confidence *= 0.7;
    }
    shown.hand = Some(ShownHand {
        reading,
        confidence: (faces_confidence * layout_confidence).clamp(0.0, 1.0),
        log_likelihood: -naming.cost,
        price,
        finished: naming.finished,
        doubts,
    });
}

/// The tiles that a naming's single tiles stand for.
fn singles_of<'a>(arranged: &'a Arranged, looks: &'a [Look]) -> impl Iterator<Item = usize> + 'a {
    (arranged.concealed.iter())
        .chain(&arranged.winning)
        .chain(&arranged.bonus)
        .copied()
        .filter(|&tile| !looks[tile].back)
}

fn name_tiles(
    shown: &mut Shown,
    arranged: &Arranged,
    naming: &Naming,
    looks: &[Look],
    seen: &[SeenTile],
    hints: &Hints,
    joint: bool,
) {
    let singles: Vec<(usize, u8)> =
        singles_of(arranged, looks).zip(naming.singles.iter().copied()).collect();
    let sets = (arranged.sets.iter().zip(&naming.sets)).flat_map(|(set, faces)| {
        set.tiles.iter().zip(faces).filter_map(|(&(tile, _), face)| Some((tile, (*face)?)))
    });
    for (tile, face) in singles.into_iter().chain(sets.collect::<Vec<_>>()) {
        if hints.fixes.iter().any(|(fixed, _)| *fixed == tile) {
            continue;
        }
        let Some(face) = Face::from_index(usize::from(face)) else { continue };
        let shown_tile = &mut shown.tiles[tile];
        let unknown = shown_tile.face == SeenFace::Unknown;
        let named = match shown_tile.face {
            SeenFace::Tile(named) => Some(named.face()),
            _ => None,
        };
        if unknown && !joint || named == Some(face) {
            continue;
        }
        let source = &seen[shown_tile.seen];
        let total = source.faces.iter().sum::<f32>().max(1e-6);
        let mut faces: Vec<(Face, f32)> =
            Face::all().zip(source.faces).map(|(name, p)| (name, p / total)).collect();
        faces.sort_by(|a, b| b.1.total_cmp(&a.1));
        let own = source.faces[face.index()] / total;
        // A face that only the rest of the hand suggests is no reading of this tile.
        if unknown && own < 0.15 {
            continue;
        }
        shown_tile.face = SeenFace::Tile(coloured(face, source.red));
        shown_tile.confidence = own;
        shown_tile.alternatives =
            faces.into_iter().filter(|&(other, p)| other != face && p >= 0.001).take(3).collect();
    }
}

fn group_tiles(shown: &mut Shown, arranged: &Arranged) {
    let mut add = |role: Role, tiles: Vec<usize>, set: Option<usize>| {
        if tiles.is_empty() {
            return;
        }
        for &tile in &tiles {
            shown.tiles[tile].role = role;
            shown.tiles[tile].group = Some(shown.groups.len());
        }
        shown.groups.push(Group { role, tiles, set });
    };
    add(Role::Concealed, arranged.concealed.clone(), None);
    for (index, set) in arranged.sets.iter().enumerate() {
        add(Role::Meld, set.tiles.iter().map(|&(tile, _)| tile).collect(), Some(index));
    }
    add(Role::Bonus, arranged.bonus.clone(), None);
    add(Role::Winning, arranged.winning.into_iter().collect(), None);
}

fn reading_of(shown: &Shown, arranged: &Arranged) -> Reading {
    let face = |tile: usize| shown.tiles[tile].face;
    Reading {
        concealed: arranged.concealed.iter().map(|&tile| face(tile)).collect(),
        sets: (arranged.sets.iter())
            .map(|set| SeenSet {
                tiles: (set.tiles.iter())
                    .map(|&(tile, sideways)| SetTile {
                        face: face(tile),
                        sideways: sideways && set.form == SetForm::Claimed,
                    })
                    .collect(),
                form: set.form,
            })
            .collect(),
        bonus: arranged.bonus.iter().map(|&tile| face(tile)).collect(),
        winning: arranged.winning.map(face),
    }
}

/// Confidence of a reading that no limits helped: all tiles right on their own.
fn free_confidence(shown: &Shown, arranged: &Arranged) -> f32 {
    arranged.tiles().map(|tile| shown.tiles[tile].confidence).product()
}

fn illegal(reading: &Reading, price: f32) -> Doubt {
    let mut counts = [0usize; Face::COUNT];
    let tiles = (reading.concealed.iter())
        .chain(reading.sets.iter().flat_map(|set| set.tiles.iter().map(|tile| &tile.face)))
        .chain(&reading.bonus)
        .chain(&reading.winning);
    for seen in tiles {
        if let SeenFace::Tile(tile) = seen {
            counts[tile.face().index()] += 1;
        }
    }
    let too_many =
        Face::all().find(|face| counts[face.index()] > if face.is_bonus() { 1 } else { 4 });
    let why = match too_many {
        Some(face) => format!(
            "{} {face} were seen, more than there are: show one hand alone, or correct a tile",
            counts[face.index()]
        ),
        None if price.is_finite() => {
            "an open set reads as no chow, pung or kong: correct its tiles".to_owned()
        }
        None => "the tiles make no legal hand: correct them, or take another picture".to_owned(),
    };
    Doubt { tile: None, why, otherwise: None }
}

fn unsure_tiles(
    shown: &Shown,
    arranged: &Arranged,
    question: &Question,
    answer: &Answer,
    looks: &[Look],
) -> Vec<Doubt> {
    let mut doubts = Vec::new();
    let mut places: Vec<(Which, usize)> = (singles_of(arranged, looks).enumerate())
        .map(|(place, tile)| (Which::Single(place), tile))
        .collect();
    for (s, set) in arranged.sets.iter().enumerate() {
        places.extend(set.tiles.iter().enumerate().map(|(t, &(tile, _))| (Which::Set(s, t), tile)));
    }
    for (which, tile) in places {
        let look = &looks[tile];
        if look.back {
            continue;
        }
        let shown_tile = &shown.tiles[tile];
        let name = shown_tile.face;
        let first = Face::from_index(usize::from(look.choices.best().0));
        let bent = matches!(name, SeenFace::Tile(tile) if Some(tile.face()) != first);
        if name == SeenFace::Unknown {
            doubts.push(Doubt {
                tile: Some(tile),
                why: format!("not recognised: say what it is, such as --fix {tile}=5p"),
                otherwise: None,
            });
            continue;
        }
        let clear =
            look.choices.iter().nth(1).is_none_or(|(_, cost)| cost - look.choices.best().1 > 7.0);
        if clear && !bent {
            continue;
        }
        let Some((other, chance)) = otherwise(question, answer, which) else { continue };
        if chance < 1.0 - SURE && !bent {
            continue;
        }
        let other_face = match which {
            Which::Single(place) => other.singles.get(place).copied(),
            Which::Set(s, t) => other.sets[s][t],
        }
        .and_then(|face| Face::from_index(usize::from(face)));
        let mut copy = shown.clone();
        apply(&mut copy, arranged, &other, looks);
        let why = match (bent, first, other_face) {
            (true, Some(first), _) => {
                format!("looks like {first}, read as {name} so that the hand is legal")
            }
            (_, _, Some(face)) => {
                format!("{name}, or {face} ({:.0} %)", 100.0 * chance)
            }
            _ => format!("{name} is not sure"),
        };
        doubts.push(Doubt { tile: Some(tile), why, otherwise: Some(reading_of(&copy, arranged)) });
    }
    doubts
}

/// Names the tiles as a naming does.
fn apply(shown: &mut Shown, arranged: &Arranged, naming: &Naming, looks: &[Look]) {
    let singles: Vec<(usize, u8)> =
        singles_of(arranged, looks).zip(naming.singles.iter().copied()).collect();
    let sets: Vec<(usize, u8)> = (arranged.sets.iter().zip(&naming.sets))
        .flat_map(|(set, faces)| {
            set.tiles.iter().zip(faces).filter_map(|(&(tile, _), face)| Some((tile, (*face)?)))
        })
        .collect();
    for (tile, face) in singles.into_iter().chain(sets) {
        let Some(face) = Face::from_index(usize::from(face)) else { continue };
        let same = matches!(shown.tiles[tile].face, SeenFace::Tile(tile) if tile.face() == face);
        if !same {
            shown.tiles[tile].face = SeenFace::Tile(face.into());
        }
    }
}

/// Puts in the winning tile that a person names: one of the concealed ones, or one that still lies
/// among the discards.
fn with_winning(shown: &mut Shown, reading: &mut Reading, winning: Tile) {
    let kongs = reading.sets.iter().filter(|set| set.tiles.len() == 4).count();
    let size = reading.concealed.len()
        + usize::from(reading.winning.is_some())
        + reading.sets.iter().map(|set| set.tiles.len()).sum::<usize>()
        - kongs;
    if let Some(marked) = reading.winning.take() {
        if marked == SeenFace::Tile(winning) {
            reading.winning = Some(marked);
            return;
        }
        reading.concealed.push(marked);
    }
    let same =
        |seen: &SeenFace| matches!(seen, SeenFace::Tile(tile) if tile.face() == winning.face());
    let own = reading.concealed.iter().rposition(same);
    match own {
        Some(place) if size != 13 => {
            reading.winning = Some(reading.concealed.remove(place));
            let tile = (shown.tiles.iter())
                .position(|tile| tile.role == Role::Concealed && same(&tile.face));
            if let Some(tile) = tile {
                shown.tiles[tile].role = Role::Winning;
            }
        }
        _ => reading.winning = Some(SeenFace::Tile(winning)),
    }
}

fn shape_doubts(arranged: &Arranged, reading: &Reading, looks: &[Look]) -> Vec<Doubt> {
    let mut doubts = Vec::new();
    let mut say = |why: String| doubts.push(Doubt { tile: None, why, otherwise: None });
    let kongs = reading.sets.iter().filter(|set| set.tiles.len() == 4).count();
    let tiles = reading.concealed.len()
        + usize::from(reading.winning.is_some())
        + reading.sets.iter().map(|set| set.tiles.len()).sum::<usize>();
    match tiles as isize - kongs as isize {
        14 if reading.winning.is_none() => {
            say("no tile is marked as the winning one: name it, such as --winning 5p".to_owned());
        }
        14 => {}
        13 if reading.winning.is_none() => say(
            "13 tiles: the winning one may lie among the discards, name it, such as --winning 5p"
                .to_owned(),
        ),
        size if kongs == 0 => {
            say(format!("{size} tiles: a finished hand has 14, and one more for each kong"));
        }
        _ => say(format!("{tiles} tiles: a finished hand with {kongs} kong(s) has {}", 14 + kongs)),
    }
    for set in &arranged.sets {
        if set.by_count {
            let mut claimed = reading.clone();
            for (set, other) in arranged.sets.iter().zip(&mut claimed.sets) {
                if set.by_count {
                    other.form = SetForm::Claimed;
                }
            }
            doubts.push(Doubt {
                tile: set.tiles.first().map(|tile| tile.0),
                why: "four alike in the row: taken as a concealed kong by the number of tiles, \
                      or claimed (--kongs claimed)"
                    .to_owned(),
                otherwise: Some(claimed),
            });
        }
        if set.tiles.iter().all(|&(tile, _)| looks[tile].back) {
            doubts.push(Doubt {
                tile: set.tiles.first().map(|tile| tile.0),
                why: "four backs: say what they hide, such as --hidden 5p".to_owned(),
                otherwise: None,
            });
        }
    }
    doubts
}

/// One way of each reading: which of two equal tiles is the winning one is no doubt.
fn differing(
    shown: &Shown,
    ways: Vec<Judged>,
    looks: &[Look],
    seen: &[SeenTile],
    hints: &Hints,
) -> Vec<Judged> {
    let mut known: Vec<Option<Reading>> = Vec::new();
    let mut kept: Vec<Judged> = Vec::new();
    for way in ways {
        let mut reading = reading_of_way(shown, &way, looks, seen, hints);
        if let Some(reading) = &mut reading {
            reading.concealed.sort();
            reading.bonus.sort();
            reading.sets.sort_by_cached_key(ToString::to_string);
        }
        if !known.contains(&reading) {
            known.push(reading);
            kept.push(way);
        }
    }
    kept
}

fn reading_of_way(
    shown: &Shown,
    way: &Judged,
    looks: &[Look],
    seen: &[SeenTile],
    hints: &Hints,
) -> Option<Reading> {
    let answer = way.answer.as_ref()?;
    let naming = answer.legal.as_ref().unwrap_or(&answer.free);
    let mut copy = Shown { tiles: shown.tiles.clone(), ..Shown::default() };
    name_tiles(&mut copy, &way.arranged, naming, looks, seen, hints, true);
    Some(reading_of(&copy, &way.arranged))
}

fn layout_doubt(
    shown: &Shown,
    ways: &[Judged],
    looks: &[Look],
    seen: &[SeenTile],
    hints: &Hints,
) -> Doubt {
    let other = ways.get(1).and_then(|way| reading_of_way(shown, way, looks, seen, hints));
    let why = match &other {
        Some(other) => format!("which tiles belong to the hand is not sure: it may be {other}"),
        None => "which tiles belong to the hand is not sure".to_owned(),
    };
    Doubt { tile: None, why, otherwise: other }
}
