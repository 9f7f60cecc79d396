//! Hands divided naively into lists of sets, with every set that the winning tile may complete.

#![allow(dead_code, reason = "each test program uses a part of it")]

use tilelens::hand::{Hand, MeldKind};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    Run,
    Triplet,
    Kong,
}

/// A set: `face` is the lowest of a run.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    pub sort: Sort,
    pub face: usize,
    /// Laid down by a claim, or a triplet that a claimed tile completes.
    pub open: bool,
}

impl Group {
    pub fn faces(&self) -> Vec<usize> {
        match self.sort {
            Sort::Run => (self.face..self.face + 3).collect(),
            Sort::Triplet | Sort::Kong => vec![self.face],
        }
    }
}

/// Four sets and a pair.
#[derive(Clone, Debug)]
pub struct Divided {
    pub pair: usize,
    pub groups: Vec<Group>,
    /// The place of the set that the winning tile completes; `None`: the pair.
    pub won: Option<usize>,
}

impl Divided {
    pub fn of(&self, sort: Sort) -> Vec<usize> {
        self.groups.iter().filter(|group| group.sort == sort).map(|group| group.face).collect()
    }

    pub fn runs(&self) -> Vec<usize> {
        self.of(Sort::Run)
    }

    /// Triplets and kongs.
    pub fn alike(&self) -> Vec<usize> {
        [self.of(Sort::Triplet), self.of(Sort::Kong)].concat()
    }

    pub fn concealed_alike(&self) -> usize {
        self.groups.iter().filter(|group| group.sort != Sort::Run && !group.open).count()
    }

    /// Whether each set and the pair has a tile of which `is` holds.
    pub fn each_has(&self, is: impl Fn(usize) -> bool) -> bool {
        is(self.pair) && self.groups.iter().all(|group| group.faces().into_iter().any(&is))
    }
}

/// The sets laid down.
fn laid(hand: &Hand) -> Vec<Group> {
    let group = |meld: tilelens::hand::Meld| Group {
        sort: match meld.kind() {
            MeldKind::Chow => Sort::Run,
            MeldKind::Pung => Sort::Triplet,
            MeldKind::OpenKong | MeldKind::ConcealedKong => Sort::Kong,
        },
        face: meld.face().index(),
        open: meld.is_claimed(),
    };
    hand.melds().map(group).collect()
}

/// Every list of sets that sorted tiles make.
fn sets(tiles: &[usize]) -> Vec<Vec<Group>> {
    let Some(&first) = tiles.first() else { return vec![Vec::new()] };
    let without = |wanted: &[usize]| {
        let mut rest = tiles.to_vec();
        for face in wanted {
            rest.remove(rest.iter().position(|tile| tile == face)?);
        }
        Some(rest)
    };
    let mut kinds = vec![(Sort::Triplet, vec![first; 3])];
    if first < 27 && first % 9 < 7 {
        kinds.push((Sort::Run, vec![first, first + 1, first + 2]));
    }
    let mut all = Vec::new();
    for (sort, wanted) in kinds {
        for rest in without(&wanted).iter().flat_map(|rest| sets(rest)) {
            all.push([vec![Group { sort, face: first, open: false }], rest].concat());
        }
    }
    all
}

/// The concealed tiles, the winning one among them, sorted.
pub fn concealed(hand: &Hand) -> Vec<usize> {
    (0..34).flat_map(|face| vec![face; usize::from(hand.concealed()[face])]).collect()
}

/// Every reading as four sets and a pair.
pub fn readings(hand: &Hand, claimed: bool) -> Vec<Divided> {
    let (tiles, laid, winning) = (concealed(hand), laid(hand), hand.winning().index());
    let mut all = Vec::new();
    for pair in (0..34).filter(|pair| tiles.iter().filter(|tile| *tile == pair).count() > 1) {
        let mut rest = tiles.clone();
        for _ in 0..2 {
            rest.remove(rest.iter().position(|tile| *tile == pair).unwrap());
        }
        for own in sets(&rest) {
            if pair == winning {
                let groups = [own.clone(), laid.clone()].concat();
                all.push(Divided { pair, groups, won: None });
            }
            for place in (0..own.len()).filter(|place| own[*place].faces().contains(&winning)) {
                let mut groups = [own.clone(), laid.clone()].concat();
                groups[place].open = claimed && groups[place].sort == Sort::Triplet;
                all.push(Divided { pair, groups, won: Some(place) });
            }
        }
    }
    all
}

/// Whether the tiles are seven pairs; four alike are two where `twice`.
pub fn is_seven_pairs(hand: &Hand, twice: bool) -> bool {
    let mut counts = hand.concealed().iter().filter(|count| **count > 0);
    hand.melds().next().is_none()
        && hand.sets() == 4
        && counts.all(|count| *count == 2 || twice && *count == 4)
}

pub fn is_major(face: usize) -> bool {
    face >= 27 || matches!(face % 9, 0 | 8)
}

/// Whether the tiles are one of each terminal and honor, and one more.
pub fn is_thirteen(hand: &Hand) -> bool {
    let majors = (0..34).filter(|face| is_major(*face));
    hand.sets() == 4
        && hand.melds().next().is_none()
        && majors.clone().all(|face| hand.concealed()[face] > 0)
        && majors.map(|face| hand.concealed()[face]).sum::<u8>() == 14
}

/// Every face of the hand.
pub fn present(hand: &Hand) -> Vec<usize> {
    let faces = tilelens::tile::Face::all().take(34);
    faces.filter(|face| hand.count(*face) > 0).map(|face| face.index()).collect()
}

/// The number of suits of some tiles.
pub fn suits(faces: &[usize]) -> usize {
    (0..3).filter(|suit| faces.iter().any(|face| face / 9 == *suit)).count()
}

/// Whether the thirteen tiles before the win, all concealed, are 1112345678999 of a suit.
pub fn waits_on_nine(hand: &Hand) -> bool {
    let mut before = concealed(hand);
    let winning = before.iter().position(|tile| *tile == hand.winning().index());
    before.remove(winning.unwrap());
    let gates =
        |suit: usize| [0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8].map(|number| 9 * suit + number);
    (0..3).any(|suit| before == gates(suit)) && hand.winning().index() / 9 == before[0] / 9
}
