//! Runs the steps of the layout in order.

use super::{
    arrange::{ArrangedHand, LACKS, TileAppearance, arrangements},
    checks::{illegal, layout_doubt, shape_doubts, unsure_tiles},
    decode::{DecodedHand, decode},
    doubt::{Doubt, Uncertainty, Unread},
    naming::{name_tiles, question, reading_of},
    scene::Scene,
    shown::{Hints, PictureLayout, Role, ShownHand, ShownTile, TileGroup},
    stray::stray_bonus,
};
use crate::{
    hand::{Reading, WholeHand},
    sight::SeenTile,
    tile::{SeenFace, Tile},
};

/// Largest cost of legality, in nats; beyond, the free reading is kept and reported as such.
const DEAR: f32 = 6.0;
/// Number of arrangements whose wholeness is counted by their likeliest faces.
const COUNTED: usize = 40;
/// Number of these arrangements whose tiles are named.
const NAMED: usize = 6;
/// Most tiles beyond a whole hand: those of its kongs, and six.
const MOST_SURPLUS: usize = 10;
/// Largest difference in cost, in nats, at which a second hand is equal to the first.
const RIVAL: f32 = 2.0;
/// Confidence in the choice of tiles below which the other arrangement is reported.
const SURE_LAYOUT: f32 = 0.8;
/// Number of face-down tiles in a row from which on they are a wall: a concealed kong shows four at most.
const OF_A_WALL: usize = 5;
/// Confidence of a concealed kong of four alike in the row: only the number of tiles shows that it is a kong, and
/// nothing shows that it is concealed.
pub const BY_COUNT: f32 = 0.7;

/// One arrangement of the hand, and the naming of its tiles.
pub struct Judged {
    pub rank: f32,
    pub arranged: ArrangedHand,
    pub answer: DecodedHand,
}

impl Judged {
    pub fn new(arranged: ArrangedHand, appearances: &[TileAppearance]) -> Self {
        let answer = decode(&question(&arranged, appearances));
        Self { rank: arranged.cost + naming_cost(&arranged, &answer), arranged, answer }
    }
}

/// Reads the hand that the tiles show.
pub fn read(seen: &[SeenTile], hints: &Hints) -> PictureLayout {
    let scene = Scene::new(seen, hints);
    let whole = hints.tiles();
    let mut ways: Vec<(f32, ArrangedHand)> = arrangements(&scene)
        .into_iter()
        .filter(|arranged| arranged.size() <= whole + MOST_SURPLUS)
        .take(COUNTED)
        .map(|arranged| {
            (arranged.cost - arranged.wholeness_by_appearance(&scene.appearances), arranged)
        })
        .collect();
    ways.sort_by(|a, b| a.0.total_cmp(&b.0));
    ways.truncate(NAMED);
    let mut ways: Vec<Judged> =
        ways.into_iter().map(|(_, arranged)| Judged::new(arranged, &scene.appearances)).collect();
    ways.sort_by(|a, b| a.rank.total_cmp(&b.rank));
    let refused = |why: Unread| PictureLayout {
        tiles: scene.tiles.clone(),
        refusal: Some(why),
        ..PictureLayout::default()
    };
    let Some(best) = ways.first() else {
        return refused(if scene.tiles.is_empty() { Unread::NoTiles } else { Unread::NoRow });
    };
    // A second, equal hand of other tiles.
    let own: Vec<usize> = best.arranged.tiles().collect();
    let rival = ways.iter().skip(1).any(|other| {
        other.rank < best.rank + RIVAL
            && other.arranged.size() + 1 >= whole
            && best.arranged.size() + 1 >= whole
            && other.arranged.tiles().filter(|tile| own.contains(tile)).count() <= 1
    });
    if rival {
        return refused(Unread::TwoHands);
    }
    let ways = differing(&scene, ways);
    let weight = |rank: f32| f64::from(ways[0].rank - rank).exp();
    let mut total: f64 = ways.iter().map(|way| weight(way.rank)).sum();
    if may_be_elsewhere(&scene, &ways[0].arranged) {
        total += weight(ELSEWHERE);
    }
    finish(scene, &ways, (1.0 / total) as f32, true)
}

/// Whether the tiles outside an arrangement could be what it lacks, and it is one of the discards perhaps.
fn may_be_elsewhere(scene: &Scene, arranged: &ArrangedHand) -> bool {
    let own = arranged.tiles().filter(|&tile| !scene.appearances[tile].back).count();
    let faces = scene.appearances.iter().filter(|appearance| !appearance.back).count();
    let lacking = scene.hints.tiles().saturating_sub(arranged.size());
    faces - own >= lacking.max(1)
}

/// Rank, in nats, of a hand that no arrangement holds: that of one which lacks two tiles.
const ELSEWHERE: f32 = LACKS[0];
/// Cost, in nats, of faces that are not a legal hand.
const ILLEGAL: f32 = 12.0;

/// The cost of an arrangement by its naming: illegal hands cost, finished ones are favoured.
fn naming_cost(arranged: &ArrangedHand, answer: &DecodedHand) -> f32 {
    match &answer.legal {
        Some(naming) => {
            let faces = naming.singles.iter().map(|&face| usize::from(face));
            answer.price().min(ILLEGAL) - arranged.wholeness(faces)
        }
        None => ILLEGAL,
    }
}

/// Names and groups the tiles of the best arrangement, and adds its doubts; `whole`: the hand should have all its
/// tiles.
pub fn finish(scene: Scene, ways: &[Judged], layout_confidence: f32, whole: bool) -> PictureLayout {
    let Judged { arranged, answer, .. } = &ways[0];
    let (appearances, hints) = (&scene.appearances, scene.hints);
    let price = answer.price();
    let legal = answer.legal.as_ref().filter(|_| hints.joint && price <= DEAR);
    let naming = legal.unwrap_or(&answer.free);
    let mut shown = PictureLayout { tiles: scene.tiles.clone(), ..PictureLayout::default() };
    name_tiles(&mut shown.tiles, &scene, arranged, naming, legal.is_some());
    group_tiles(&mut shown, arranged);
    shown.indicators = indicators(&scene, arranged);
    let mut reading = reading_of(&shown.tiles, arranged);
    let mut doubts = Vec::new();
    let mut faces_confidence = answer.confidence;
    if legal.is_none() {
        faces_confidence = free_confidence(&shown, arranged);
        if hints.joint {
            doubts.push(illegal(&reading, price));
        }
    } else {
        let question = question(arranged, appearances);
        doubts.extend(unsure_tiles(&shown.tiles, arranged, &question, answer, appearances));
    }
    if !answer.exact {
        doubts.push(Doubt::of_hand(Uncertainty::TooUnclear));
        faces_confidence = faces_confidence.min(0.5);
    }
    if let Some(winning) = hints.winning {
        let marked = reading.winning;
        if !with_winning(&mut reading, winning, hints.whole) {
            doubts.push(Doubt::of_hand(Uncertainty::NoSuchWinning(winning)));
        } else if reading.winning != marked && arranged.size() + 1 != hints.whole.tiles() {
            mark_winning(&mut shown, winning);
        }
        for other in doubts.iter_mut().filter_map(|doubt| doubt.otherwise.as_mut()) {
            with_winning(other, winning, hints.whole);
        }
    }
    if whole {
        doubts.extend(shape_doubts(arranged, &reading, &scene));
        let (strays, leaves) = stray_bonus(&scene, arranged, &reading);
        doubts.extend(strays);
        faces_confidence *= leaves;
    }
    if layout_confidence < SURE_LAYOUT {
        let mut other = ways.get(1).map(|way| reading_of_way(&scene, way));
        if let (Some(other), Some(winning)) = (&mut other, hints.winning) {
            with_winning(other, winning, hints.whole);
        }
        doubts.push(layout_doubt(other));
    }
    if arranged.sets.iter().any(|set| set.by_count) {
        faces_confidence *= BY_COUNT;
    }
    shown.hand = Some(ShownHand {
        reading,
        confidence: (faces_confidence * layout_confidence).clamp(0.0, 1.0),
        log_likelihood: -naming.cost,
        price,
        finished: naming.finished,
        doubts,
    });
    shown
}

/// Face-up tiles outside the hand among at least [`OF_A_WALL`] face-down ones in a row.
fn indicators(scene: &Scene, arranged: &ArrangedHand) -> Vec<usize> {
    let hand: Vec<usize> = arranged.tiles().collect();
    let mut found: Vec<usize> = (scene.runs.iter())
        .filter(|run| {
            let backs =
                run.tiles.iter().filter(|placed| scene.appearances[placed.tile].back).count();
            backs >= OF_A_WALL && 2 * backs > run.tiles.len()
        })
        .flat_map(|run| run.tiles.iter().map(|placed| placed.tile))
        .filter(|&tile| {
            matches!(scene.tiles[tile].face, SeenFace::Tile(_)) && !hand.contains(&tile)
        })
        .collect();
    found.sort_unstable();
    found
}

/// Face-up tiles in the rows of a wall, by index among the tiles that were seen: indicators, where a deal has them.
pub fn turned_in_walls(seen: &[SeenTile]) -> Vec<usize> {
    let hints = Hints::default();
    let scene = Scene::new(seen, &hints);
    let turned = indicators(&scene, &ArrangedHand::default());
    turned.into_iter().map(|tile| scene.tiles[tile].seen).collect()
}

/// Gives each tile of the hand its role and group.
fn group_tiles(shown: &mut PictureLayout, arranged: &ArrangedHand) {
    let mut add = |role: Role, tiles: Vec<usize>, set: Option<usize>| {
        if tiles.is_empty() {
            return;
        }
        for &tile in &tiles {
            shown.tiles[tile].role = role;
            shown.tiles[tile].group = Some(shown.groups.len());
        }
        shown.groups.push(TileGroup { role, tiles, set });
    };
    add(Role::Concealed, arranged.concealed.clone(), None);
    for (index, set) in arranged.sets.iter().enumerate() {
        add(Role::Meld, set.tiles.iter().map(|&(tile, _)| tile).collect(), Some(index));
    }
    add(Role::Bonus, arranged.bonus.clone(), None);
    add(Role::Winning, arranged.winning.into_iter().collect(), None);
}

/// Confidence of a free reading: all tiles are right on their own.
fn free_confidence(shown: &PictureLayout, arranged: &ArrangedHand) -> f32 {
    arranged.tiles().map(|tile| shown.tiles[tile].confidence).product()
}

/// Sets the winning tile that a person gave: a concealed one, or one still among the discards. Returns false and
/// changes nothing if the reading has no such tile.
fn with_winning(reading: &mut Reading, winning: Tile, whole: WholeHand) -> bool {
    let same =
        |seen: &SeenFace| matches!(seen, SeenFace::Tile(tile) if tile.face() == winning.face());
    if reading.winning.as_ref().is_some_and(same) {
        return true;
    }
    let sets = reading.sets.len();
    let size = reading.concealed.len() + usize::from(reading.winning.is_some()) + 3 * sets;
    let own = reading.concealed.iter().rposition(same);
    match own {
        Some(place) if size + 1 != whole.tiles() => {
            let named = reading.concealed.remove(place);
            reading.concealed.extend(reading.winning.replace(named));
        }
        _ if size < whole.tiles() => {
            reading.concealed.extend(reading.winning.replace(SeenFace::Tile(winning)));
        }
        _ => return false,
    }
    true
}

/// Gives the winning tile that a person gave its role.
fn mark_winning(shown: &mut PictureLayout, winning: Tile) {
    let is =
        |tile: &ShownTile| matches!(tile.face, SeenFace::Tile(own) if own.face() == winning.face());
    let of = |shown: &PictureLayout, role: Role| {
        shown.groups.iter().position(|group| group.role == role)
    };
    let Some(concealed) = of(shown, Role::Concealed) else { return };
    let Some(place) =
        shown.groups[concealed].tiles.iter().rposition(|&tile| is(&shown.tiles[tile]))
    else {
        return;
    };
    let named = shown.groups[concealed].tiles.remove(place);
    let marked = match of(shown, Role::Winning) {
        Some(group) => group,
        None => {
            shown.groups.push(TileGroup { role: Role::Winning, tiles: Vec::new(), set: None });
            shown.groups.len() - 1
        }
    };
    let before = std::mem::replace(&mut shown.groups[marked].tiles, vec![named]);
    for (tile, role, group) in std::iter::once((named, Role::Winning, marked))
        .chain(before.iter().map(|&tile| (tile, Role::Concealed, concealed)))
    {
        shown.tiles[tile].role = role;
        shown.tiles[tile].group = Some(group);
    }
    shown.groups[concealed].tiles.extend(before);
}

/// One arrangement of each reading: which of two equal tiles is the winning one is not a doubt.
fn differing(scene: &Scene, ways: Vec<Judged>) -> Vec<Judged> {
    let mut known: Vec<Reading> = Vec::new();
    let mut kept: Vec<Judged> = Vec::new();
    for way in ways {
        let mut reading = reading_of_way(scene, &way);
        reading.concealed.sort();
        reading.bonus.sort();
        reading.sets.sort_by_cached_key(ToString::to_string);
        if !known.contains(&reading) {
            known.push(reading);
            kept.push(way);
        }
    }
    kept
}

fn reading_of_way(scene: &Scene, way: &Judged) -> Reading {
    let naming = way.answer.legal.as_ref().unwrap_or(&way.answer.free);
    let mut tiles: Vec<ShownTile> = scene.tiles.clone();
    name_tiles(&mut tiles, scene, &way.arranged, naming, true);
    reading_of(&tiles, &way.arranged)
}
