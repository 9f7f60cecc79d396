//! The likeliest legal hand, found exactly.
//!
//! In: for every tile of the hand the probability of each face, and the open sets. Out: the likeliest assignment of
//! faces under the limits of the game (four of a face, one of a flower, open sets valid), with a mild preference for
//! finished hands; the free reading without limits; and the confidence of the whole.
//!
//! The search sweeps over the faces in order. A state is the tiles named so far and the forms that the counts so far
//! still allow (chows begun, pair taken, seven pairs, orphans, knitted). Every assignment reaches exactly one state,
//! so that one sweep gives the least cost *and* the total probability of all legal hands. It leaves out only faces
//! that are [`FAINT`] nats less likely than the tile's best, and namings that are [`BUDGET`] nats less likely than the
//! free one: each tile's cheapest later face bounds the cost that a state can still reach.

mod complete;
mod open_set;
mod sweep;

pub use complete::{is_finished, is_waiting};
pub use open_set::OpenSet;
use open_set::{SetChoice, combine};
use sweep::sweep;

use crate::{hand::WholeHand, tile::Face};

/// Difference in cost, in nats, from a tile's best face from which on another face is left out.
pub const FAINT: f32 = 9.0;
/// Difference in cost, in nats, from the free naming from which on a naming is not searched for: it would not be
/// believed.
pub const BUDGET: f32 = 10.0;
/// Preference for a finished hand over one that is merely legal, in nats. The share of finished hands among all would
/// justify some twelve; but a row that lacks one tile must not become a win, so the preference only decides where the
/// faces are nearly open.
pub const FINISHED: f32 = 3.0;

/// The faces a single tile may show, each with its cost: minus the logarithm of its probability.
#[derive(Clone, Debug, PartialEq)]
pub struct FaceChoices(Vec<(u8, f32)>);

impl FaceChoices {
    /// From probabilities by [`Face::index`]; they need not sum to one.
    pub fn new(faces: &[f32; Face::COUNT]) -> Self {
        let cost = |p: f32| -p.max(1e-9).ln();
        let least = faces.iter().copied().map(cost).fold(f32::INFINITY, f32::min);
        let mut choices: Vec<(u8, f32)> = (0u8..)
            .zip(faces)
            .map(|(face, &p)| (face, cost(p)))
            .filter(|&(_, cost)| cost <= least + FAINT)
            .collect();
        choices.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        Self(choices)
    }

    /// One face and no other.
    pub fn certain(face: Face) -> Self {
        Self(vec![(face.index() as u8, 0.0)])
    }

    /// The likeliest face on its own, and its cost.
    pub fn best(&self) -> (u8, f32) {
        self.0.first().copied().unwrap_or((0, 0.0))
    }

    /// The likeliest first.
    pub fn iter(&self) -> impl Iterator<Item = (u8, f32)> + '_ {
        self.0.iter().copied()
    }

    fn cost_of(&self, face: u8) -> Option<f32> {
        self.0.iter().find(|&&(other, _)| other == face).map(|&(_, cost)| cost)
    }

    fn without(&self, face: u8) -> Self {
        Self(self.0.iter().copied().filter(|&(other, _)| other != face).collect())
    }
}

/// The tiles to name.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// The single tiles: concealed, winning, flowers.
    pub singles: Vec<FaceChoices>,
    /// The sets apart.
    pub sets: Vec<OpenSet>,
    /// The size and forms of a whole hand.
    pub whole: WholeHand,
}

/// One naming of all tiles.
#[derive(Clone, Debug, PartialEq)]
pub struct Naming {
    /// Face indices of the single tiles.
    pub singles: Vec<u8>,
    /// Face indices of the sets' tiles; `None` for those face down.
    pub sets: Vec<Vec<Option<u8>>>,
    /// Minus the logarithm of its probability.
    pub cost: f32,
    /// Whether it is a whole hand.
    pub finished: bool,
}

/// The result of the search.
#[derive(Clone, Debug)]
pub struct DecodedHand {
    /// Every tile's likeliest face on its own.
    pub free: Naming,
    /// The likeliest legal naming, finished hands favoured by [`FINISHED`]; `None` if no naming is legal.
    pub legal: Option<Naming>,
    /// Its share of the probability of all legal namings.
    pub confidence: f32,
    /// Whether the search was complete.
    pub exact: bool,
}

impl DecodedHand {
    /// How much less likely the legal naming is than the free one, in nats.
    pub fn price(&self) -> f32 {
        self.legal.as_ref().map_or(f32::INFINITY, |legal| legal.cost - self.free.cost)
    }
}

/// The likeliest legal naming, and its confidence.
pub fn decode(question: &Question) -> DecodedHand {
    let free = Naming {
        singles: question.singles.iter().map(|tile| tile.best().0).collect(),
        sets: (question.sets.iter())
            .map(|set| {
                set.tiles.iter().map(|tile| tile.as_ref().map(|tile| tile.best().0)).collect()
            })
            .collect(),
        cost: (question.singles.iter())
            .chain(question.sets.iter().flat_map(|set| set.tiles.iter().flatten()))
            .map(|tile| tile.best().1)
            .sum(),
        finished: false,
    };
    let choices: Vec<Vec<SetChoice>> = question.sets.iter().map(OpenSet::choices).collect();
    let (combined, whole) = combine(&choices);
    let least: f32 = choices.iter().filter_map(|set| Some(set.first()?.cost)).sum();
    let mut best: Option<(f32, Naming)> = None;
    let mut total = 0.0f64;
    let mut exact = whole;
    for sets in &combined {
        let mut room = [4u8; Face::COUNT];
        room[Face::SET_FACES..].fill(1);
        let mut legal = true;
        for (set, tiles) in sets.iter().zip(&question.sets) {
            // Face-down tiles of a kong are the face of the others.
            let known = set.faces.iter().flatten().count();
            let hidden = if known > 0 { tiles.tiles.len() - known } else { 0 };
            for (i, &face) in set.faces.iter().flatten().enumerate() {
                let used = 1 + if i == 0 { hidden as u8 } else { 0 };
                match room[usize::from(face)].checked_sub(used) {
                    Some(left) => room[usize::from(face)] = left,
                    None => legal = false,
                }
            }
        }
        if !legal {
            continue;
        }
        let set_cost: f32 = sets.iter().map(|set| set.cost).sum();
        let budget = BUDGET - (set_cost - least);
        let swept = sweep(question, &room, sets.len(), budget);
        exact &= swept.exact;
        for (kind, found) in swept.best.into_iter().enumerate() {
            let favour = if kind == 1 { FINISHED } else { 0.0 };
            total += swept.weight[kind] * f64::from(favour - set_cost).exp();
            let Some((cost, singles)) = found else { continue };
            let judged = cost + set_cost - favour;
            if best.as_ref().is_none_or(|(least, _)| judged < *least) {
                let naming = Naming {
                    singles,
                    sets: sets.iter().map(|set| set.faces.clone()).collect(),
                    cost: cost + set_cost,
                    finished: kind == 1,
                };
                best = Some((judged, naming));
            }
        }
    }
    let confidence = best.as_ref().map_or(0.0, |(judged, _)| {
        if total > 0.0 { (f64::from(-judged).exp() / total).min(1.0) as f32 } else { 0.0 }
    });
    DecodedHand { free, legal: best.map(|(_, naming)| naming), confidence, exact }
}

/// A tile of a [`Question`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionTile {
    /// The index of a single tile.
    Single(usize),
    /// The index of a set, and of a tile in it.
    Set(usize, usize),
}

/// The likeliest legal hand in which one tile has another face, and its probability against the answer (0-1).
pub fn otherwise(
    question: &Question,
    answer: &DecodedHand,
    which: QuestionTile,
) -> Option<(Naming, f32)> {
    let legal = answer.legal.as_ref()?;
    let mut question = question.clone();
    match which {
        QuestionTile::Single(i) => {
            question.singles[i] = question.singles[i].without(legal.singles[i]);
            if question.singles[i].0.is_empty() {
                return None;
            }
        }
        QuestionTile::Set(i, j) => {
            let taken = legal.sets[i][j]?;
            let tile = question.sets[i].tiles[j].as_mut()?;
            *tile = tile.without(taken);
            if tile.0.is_empty() {
                return None;
            }
        }
    }
    let other = decode(&question).legal?;
    let favour = |naming: &Naming| if naming.finished { FINISHED } else { 0.0 };
    let gap = (other.cost - favour(&other)) - (legal.cost - favour(legal));
    Some((other, 1.0 / (1.0 + gap.exp())))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        hand::{Forms, Hand, for_each_arrangement},
        rules::RuleSet,
    };

    fn choices(faces: &[(&str, f32)]) -> FaceChoices {
        let mut all = [0.0; Face::COUNT];
        for (code, p) in faces {
            all[code.parse::<Face>().unwrap().index()] = *p;
        }
        FaceChoices::new(&all)
    }

    /// Of a rule set; `seventeen`: five sets, and every form that goes with them.
    fn whole_hand(rules: &str) -> WholeHand {
        match rules {
            "seventeen" => WholeHand { sets: 5, forms: Forms::ALL },
            _ => RuleSet::preset(rules).unwrap().whole_hand(),
        }
    }

    /// Single tiles from hand text without marks.
    fn sure(text: &str) -> Vec<FaceChoices> {
        let reading: crate::hand::Reading = text.parse().unwrap();
        let tiles = reading.concealed.iter().chain(&reading.bonus);
        tiles.map(|tile| choices(&[(&tile.to_string(), 1.0)])).collect()
    }

    fn names(naming: &Naming) -> String {
        naming
            .singles
            .iter()
            .map(|&face| Face::from_index(usize::from(face)).unwrap().to_string())
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Every product of choices, one by one; whether it is finished, by the hand's own arrangements.
    fn by_force(question: &Question) -> (Option<(f32, bool)>, f64) {
        let mut best: Option<(f32, bool)> = None;
        let mut total = 0.0;
        let mut stack = vec![(Vec::<u8>::new(), 0.0f32)];
        while let Some((names, cost)) = stack.pop() {
            if let Some(tile) = question.singles.get(names.len()) {
                for (face, more) in tile.iter() {
                    let mut names = names.clone();
                    names.push(face);
                    stack.push((names, cost + more));
                }
                continue;
            }
            let mut counts = [0u8; Face::COUNT];
            for &face in &names {
                counts[usize::from(face)] += 1;
            }
            if (0..Face::COUNT).any(|face| counts[face] > if face < 34 { 4 } else { 1 }) {
                continue;
            }
            let mut concealed = [0; Face::SET_FACES];
            concealed.copy_from_slice(&counts[..Face::SET_FACES]);
            let winning = (0..Face::SET_FACES).find(|&face| concealed[face] > 0);
            let finished = winning
                .and_then(|face| Hand::new(concealed, &[], 0, Face::from_index(face)?).ok())
                .filter(|hand| usize::from(hand.sets()) == question.whole.sets)
                .is_some_and(|hand| {
                    let mut any = false;
                    for_each_arrangement(&hand, false, question.whole.forms, |_| any = true);
                    any
                });
            let free: f32 = question.singles.iter().map(|tile| tile.best().1).sum();
            if cost - free > BUDGET {
                continue;
            }
            let judged = cost - if finished { FINISHED } else { 0.0 };
            total += f64::from(-judged).exp();
            if best.is_none_or(|(least, _)| judged < least) {
                best = Some((judged, finished));
            }
        }
        (best, total)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]
        #[test]
        fn the_sweep_finds_what_trying_everything_finds(
            rules in prop::sample::select(vec!["mmm", "mcr", "taiwan", "seventeen"]),
            start in 0usize..9,
            faces in prop::collection::vec((0usize..14, 0usize..14, 0usize..14, 0.05f32..1.0, 0.05f32..1.0), 7),
        ) {
            // Half of a nearly finished hand is sure, the other half open.
            let whole = whole_hand(rules);
            let base = ["111234m", "112233p", "19m19p19s1z", "1122m33p", "147m258p3s", "555666z", "78999s", "147m25p36s12z", "147m258p369s"];
            let mut question = Question { singles: sure(base[start]), whole, ..Question::default() };
            let near: Vec<Face> = ["1m","2m","3m","4m","1p","2p","3p","9s","8s","1z","2z","5z","1f","6s"]
                .iter().map(|code| code.parse().unwrap()).collect();
            for (a, b, c, p, q) in faces {
                let mut all = [0.0; Face::COUNT];
                all[near[a].index()] += 1.0;
                all[near[b].index()] += p;
                all[near[c].index()] += q;
                question.singles.push(FaceChoices::new(&all));
            }
            let more = ["", "777s"][usize::from(whole.sets == 5)];
            question.singles.extend(sure(more));
            question.singles.truncate(whole.tiles());
            let answer = decode(&question);
            let (best, total) = by_force(&question);
            prop_assert!(answer.exact);
            match (answer.legal, best) {
                (Some(naming), Some((judged, finished))) => {
                    let own = naming.cost - if naming.finished { FINISHED } else { 0.0 };
                    prop_assert!((own - judged).abs() < 1e-3, "{own} {judged}");
                    let chance = f64::from(-judged).exp() / total;
                    prop_assert!((chance - f64::from(answer.confidence)).abs() < 1e-3);
                    let _ = finished;
                }
                (None, None) => {}
                other => prop_assert!(false, "{other:?}"),
            }
        }
    }

    #[test]
    fn the_fifth_copy_goes_where_it_costs_least() {
        // Greedy naming has five 1m; the cheapest way out is the second tile, not the last.
        let mut singles = sure("11m456p789s1122z");
        singles.push(choices(&[("1m", 0.6), ("4m", 0.4)]));
        singles.push(choices(&[("1m", 0.9), ("7m", 0.1)]));
        singles.push(choices(&[("1m", 0.9), ("9m", 0.1)]));
        let answer = decode(&Question { singles, ..Question::default() });
        assert_eq!(names(&answer.free).matches("1m").count(), 5);
        let legal = answer.legal.unwrap();
        assert_eq!(names(&legal), "1m 1m 4p 5p 6p 7s 8s 9s 1z 1z 2z 2z 4m 1m 1m");
    }

    #[test]
    fn a_set_takes_a_copy_that_a_concealed_tile_wanted() {
        let tile = |code: &str| Some(choices(&[(code, 1.0)]));
        let sets = vec![OpenSet { tiles: vec![tile("5p"); 4], may_be_chow: false }];
        let mut singles = sure("123m789s1122z");
        singles.push(choices(&[("5p", 0.7), ("8p", 0.3)]));
        let answer = decode(&Question { singles, sets, ..Question::default() });
        assert!(names(&answer.legal.unwrap()).ends_with("8p"));
    }

    #[test]
    fn two_of_a_flower_are_no_legal_hand() {
        let mut singles = sure("123m456p789s11222z");
        singles.push(choices(&[("1f", 1.0)]));
        singles.push(choices(&[("1f", 1.0)]));
        let answer = decode(&Question { singles, ..Question::default() });
        assert!(answer.legal.is_none());
        assert!(answer.price().is_infinite());
    }

    #[test]
    fn finished_hands_of_every_form() {
        let counts = |text: &str| {
            let reading: crate::hand::Reading = text.parse().unwrap();
            let mut counts = [0u8; Face::SET_FACES];
            for tile in &reading.concealed {
                counts[tile.to_string().parse::<Face>().unwrap().index()] += 1;
            }
            counts
        };
        for (text, apart, finished) in [
            ("123m456p789s11222z", 0, true),
            ("123m456p789s11223z", 0, false),
            ("1122m3344p5566s77z", 0, true),
            ("1111m3344p5566s77z", 0, true),
            ("19m19p19s12345677z", 0, true),
            ("19m19p19s12345666z", 0, false),
            ("147m258p369s12344z", 0, true),
            ("147m258p369s12234z", 0, true),
            ("147m147p369s12344z", 0, false),
            ("11122233344455m", 0, true),
            ("11122233344457m", 0, false),
            ("11m", 4, true),
            ("1122m", 4, false),
            ("12m", 4, false),
            ("1112345678999m5m", 0, true),
        ] {
            let whole = WholeHand::default();
            assert_eq!(is_finished(whole, &counts(text), apart), finished, "{text}");
        }
        for (rules, text, apart, finished) in [
            ("mcr", "147m258p369s12344z", 0, false),
            ("mcr", "147m258p369s12345z", 0, true),
            ("mcr", "14m258p369s123456z", 0, true),
            ("mcr", "14m258p36s1234567z", 0, true),
            ("mcr", "14m25p36s11234567z", 0, false),
            ("mcr", "14m259p36s1234567z", 0, false),
            ("mcr", "147m258p369s111m22z", 0, true),
            ("mcr", "147m258p369s234m22z", 0, true),
            ("mcr", "147m258p369s234m23z", 0, false),
            ("mcr", "147m258p369s22z", 1, true),
            ("mcr", "147m259p369s22z", 1, false),
            ("mmm", "147m258p369s111m22z", 0, false),
            ("riichi", "1111m3344p5566s77z", 0, false),
            ("riichi", "1122m3344p5566s77z", 0, true),
            ("taiwan", "123m456p789s11122233z", 0, true),
            ("taiwan", "123m456p789s11122234z", 0, false),
            ("taiwan", "1122m3344p5566s77222z", 0, false),
            ("seventeen", "1122m3344p5566s77222z", 0, true),
            ("seventeen", "1122m3344p5566s77112z", 0, false),
            ("taiwan", "123m456p789s11222z", 0, false),
            ("taiwan", "11m", 5, true),
            ("taiwan", "11222m", 4, true),
        ] {
            let found = is_finished(whole_hand(rules), &counts(text), apart);
            assert_eq!(found, finished, "{rules} {text}");
        }
        let whole = WholeHand::default();
        assert!(is_waiting(whole, &counts("1112345678999m"), 0));
        assert!(!is_waiting(whole, &counts("123m456p789s1457z"), 0));
        assert!(is_waiting(whole_hand("taiwan"), &counts("123m456p789s1112223z"), 0));
    }

    #[test]
    fn forty_unclear_tiles_are_no_panic() {
        let unclear = FaceChoices::new(&[1.0 / 42.0; Face::COUNT]);
        let answer = decode(&Question { singles: vec![unclear; 40], ..Question::default() });
        assert!(!answer.exact);
    }
}
