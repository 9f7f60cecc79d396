//! How likely each tile of a lay-out shows each face, by what the network sees and by the order of the rows.
//!
//! All tiles, row after row, are one chain: the next one in a row mostly shows the next face or the same, and the next
//! row another group. The order is a help and not a condition, so whatever lies otherwise has its cost. The likeliest
//! naming with each face of each tile is found exactly (forward and backward, with maxima; Viterbi, 1967).

use super::pieces::Piece;
use crate::{
    sight::SeenTile,
    tile::{Face, Suit},
};

/// Least probability of any face, however sure the network is of another.
const LEAST: f32 = 0.004;
/// The same of a face that each maker draws in his own way.
const LEAST_OWN: f32 = 0.05;

/// Cost of a tile that follows another out of order, in nats, like those below.
const OUT_OF_ORDER: f64 = 3.0;
/// Cost of a tile or a row that shows the same again.
const AGAIN: f64 = 3.0;
/// Cost of a row that begins or ends in the middle of its group.
const PART: f64 = 2.0;
/// Cost of a row that goes the other way than the one before, or belongs before it.
const UNUSUAL: f64 = 2.5;
/// Cost of each group that is left out between two rows.
const LEFT_OUT: f64 = 0.1;

/// What a tile shows, and whether its row goes from right to left.
#[derive(Clone, Copy)]
struct State {
    face: Face,
    reversed: bool,
}

/// How likely the best naming of all tiles is with each choice for one tile, as shares of one.
pub(super) struct Chances {
    /// By the index of its face.
    pub faces: Vec<f64>,
    /// Whether its row goes from right to left in the best one.
    pub reversed: bool,
}

/// The chances of the tiles of all pieces, one after the other.
pub(super) fn chances(pieces: &[Piece], seen: &[SeenTile]) -> Vec<Chances> {
    let states: Vec<State> = Face::all()
        .flat_map(|face| [false, true].map(|reversed| State { face, reversed }))
        .collect();
    let table = |cost: fn(State, State) -> f64| -> Vec<Vec<f64>> {
        let row = |to: &State| states.iter().map(|from| (-cost(*from, *to)).exp()).collect();
        states.iter().map(row).collect()
    };
    let (beside, below) = (table(beside), table(below));
    let ends = |is_first: bool| -> Vec<f64> {
        states.iter().map(|state| (-end(*state, is_first)).exp()).collect()
    };
    let first: Vec<usize> = (pieces.iter())
        .scan(0, |at, piece| Some(std::mem::replace(at, *at + piece.tiles.len())))
        .collect();
    let tiles: Vec<&SeenTile> =
        pieces.iter().flat_map(|piece| &piece.tiles).map(|(tile, _)| &seen[*tile]).collect();
    let shows: Vec<Vec<f64>> = (tiles.iter())
        .map(|tile| states.iter().map(|state| emission(tile, state.face)).collect())
        .collect();
    let to = |at: usize| if first.contains(&at) { &below } else { &beside };
    let mut before = vec![ends(true)];
    for at in 1..tiles.len() {
        let so_far: Vec<f64> =
            before[at - 1].iter().zip(&shows[at - 1]).map(|(a, b)| a * b).collect();
        let next = to(at).iter().map(|from| most(from.iter().zip(&so_far).map(|(a, b)| a * b)));
        before.push(scaled(next.collect()));
    }
    let mut after = ends(false);
    let mut all = Vec::with_capacity(tiles.len());
    for at in (0..tiles.len()).rev() {
        let rest: Vec<f64> = after.iter().zip(&shows[at]).map(|(a, b)| a * b).collect();
        let own: Vec<f64> = rest.iter().zip(&before[at]).map(|(a, b)| a * b).collect();
        let of = |is: &dyn Fn(&State) -> bool| {
            most(states.iter().zip(&own).filter(|(state, _)| is(state)).map(|(_, p)| *p))
        };
        let faces = Face::all().map(|face| of(&|state| state.face == face));
        let reversed = of(&|state| state.reversed) > of(&|state| !state.reversed);
        all.push(Chances { faces: scaled(faces.collect()), reversed });
        let mut next = vec![0.0f64; states.len()];
        for (from, p) in to(at).iter().zip(&rest) {
            next.iter_mut().zip(from).for_each(|(best, step)| *best = best.max(p * step));
        }
        after = scaled(next);
    }
    all.reverse();
    all
}

fn most(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, f64::max)
}

/// The values, with a sum of one.
fn scaled(mut values: Vec<f64>) -> Vec<f64> {
    let sum: f64 = values.iter().sum();
    values.iter_mut().for_each(|value| *value /= sum);
    values
}

/// How well a face fits what the network sees.
fn emission(tile: &SeenTile, face: Face) -> f64 {
    let own = probability(tile, face).max(LEAST);
    // It may look like another flower, like nothing, or a little like several faces, but not like one that everyone draws alike.
    let strange = 1.0 - tile.faces[..Face::SET_FACES].iter().copied().fold(0.0, f32::max);
    let least = if is_makers_own(face) { LEAST_OWN * strange } else { LEAST };
    own.max(least).into()
}

/// Whether a face is the white dragon.
fn is_white(face: Face) -> bool {
    Face::new(Suit::Honors, 5) == Some(face)
}

/// Whether each maker draws the face in his own way.
pub(super) fn is_makers_own(face: Face) -> bool {
    face.suit() == Suit::Bonus || is_white(face) || Face::new(Suit::Bamboo, 1) == Some(face)
}

/// Probability of a face; a white dragon may look like a plain body.
pub(super) fn probability(tile: &SeenTile, face: Face) -> f32 {
    let blank = if is_white(face) { 0.5 * (tile.back + tile.reject) } else { 0.0 };
    tile.faces[face.index()] + blank
}

/// Sizes of the groups that belong together, in the order of faces: suits, winds, dragons, flowers, seasons.
const GROUPS: [usize; 7] = [9, 9, 9, 4, 3, 4, 4];
/// The group of the winds; the dragons, which lie in any order, are the next one.
const WINDS: usize = 3;

/// The group of a face, and its place in it.
fn group(face: Face) -> (usize, usize) {
    let mut place = face.index();
    for (group, size) in GROUPS.into_iter().enumerate() {
        if place < size {
            return (group, place);
        }
        place -= size;
    }
    (GROUPS.len(), place)
}

/// Cost of a row that shows the same group or tile again: there is one of each flower.
fn again(face: Face) -> f64 {
    if face.suit() == Suit::Bonus { OUT_OF_ORDER } else { AGAIN }
}

/// Cost of the next tile in a row.
fn beside(from: State, to: State) -> f64 {
    if from.reversed != to.reversed {
        return f64::INFINITY;
    }
    let (a, b) = if to.reversed { (to.face, from.face) } else { (from.face, to.face) };
    let ((group_a, _), (group_b, place_b)) = (group(a), group(b));
    let both_dragons = (group_a, group_b) == (WINDS + 1, WINDS + 1);
    let winds_before = group_a == WINDS && is_end(a, true) && group_b == WINDS + 1;
    let next = b.index() == a.index() + 1
        && (group_a == group_b || b.suit() == Suit::Bonus && place_b == 0);
    match a == b {
        true => again(a),
        false if next || both_dragons || winds_before => 0.0,
        false => OUT_OF_ORDER,
    }
}

/// Cost of the first tile of a row after the last one of the row before.
fn below(from: State, to: State) -> f64 {
    let ((before, _), (after, _)) = (group(from.face), group(to.face));
    let order = match after.checked_sub(before) {
        Some(0) => again(to.face),
        Some(steps) => LEFT_OUT * (steps - 1) as f64,
        None => UNUSUAL,
    };
    let turned = if from.reversed == to.reversed { 0.0 } else { UNUSUAL };
    order + turned + end(from, false) + end(to, true)
}

/// Cost of a row's first or last tile.
fn end(state: State, is_first: bool) -> f64 {
    if is_end(state.face, is_first == state.reversed) { 0.0 } else { PART }
}

/// Whether a face is its group's last, or its first.
fn is_end(face: Face, is_last: bool) -> bool {
    let (group, place) = group(face);
    group == WINDS + 1 || place == if is_last { GROUPS[group] - 1 } else { 0 }
}
