//! A record beside the true one of the same game: what of it is right, and what is wrong although no doubt says so.

use std::ops::AddAssign;

use super::{ClaimKind, Doubtful, Event};
use crate::tile::{Face, SeenFace};

/// Something that a player did, as far as records are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Played {
    /// A discard.
    Discard {
        /// The player.
        player: usize,
        /// The tile's face; `None` where it is not known.
        face: Option<Face>,
        /// Whether it lies sideways.
        sideways: bool,
    },
    /// A claimed discard.
    Claim {
        /// Who claims.
        player: usize,
        /// Who discarded the tile.
        from: usize,
        /// The set that it makes.
        kind: ClaimKind,
        /// The claimed tile's face.
        face: Option<Face>,
    },
    /// A kong of four own tiles.
    ConcealedKong {
        /// The player.
        player: usize,
        /// Its face.
        face: Option<Face>,
    },
    /// The fourth tile on a pung.
    AddedKong {
        /// The player.
        player: usize,
        /// Its face.
        face: Option<Face>,
    },
    /// A win.
    Win {
        /// The winner.
        player: usize,
        /// Who discarded the winning tile; `None` for a self-draw.
        from: Option<usize>,
    },
}

impl Played {
    /// What an event says that a player did; `None` where it says something else.
    #[must_use]
    pub fn of(event: &Event) -> Option<Self> {
        let known = |tile: &SeenFace| match tile {
            SeenFace::Tile(tile) => Some(tile.face()),
            SeenFace::Back | SeenFace::Unknown => None,
        };
        Some(match event {
            Event::Discard { player, tile, sideways, .. } => {
                Self::Discard { player: *player, face: known(tile), sideways: *sideways }
            }
            Event::Claim { player, from, kind, tile, .. } => {
                Self::Claim { player: *player, from: *from, kind: *kind, face: known(tile) }
            }
            Event::ConcealedKong { player, tiles } => {
                Self::ConcealedKong { player: *player, face: tiles.0.iter().find_map(known) }
            }
            Event::AddedKong { player, tile } => {
                Self::AddedKong { player: *player, face: Some(tile.face()) }
            }
            Event::Win { player, from, .. } => Self::Win { player: *player, from: *from },
            _ => return None,
        })
    }
}

/// How records of deals compare with the true ones. Pairs are the number of right ones, and of all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Deals that were compared.
    pub deals: usize,
    /// Discards: tile, player, sideways or not, and place in the order.
    pub discards: [usize; 2],
    /// Claims: player, giver, kind, tile.
    pub claims: [usize; 2],
    /// Concealed and added kongs.
    pub kongs: [usize; 2],
    /// Players who declared riichi in a deal.
    pub riichi: [usize; 2],
    /// Winners with their givers.
    pub wins: [usize; 2],
    /// Events without a doubt, of all that were recorded.
    pub certain: [usize; 2],
    /// Events that were never played.
    pub invented: usize,
    /// Wrong events that no doubt names.
    pub wrongly_certain: usize,
    /// Deals with something missing that have neither a doubt nor a gap before their end.
    pub silent: usize,
    /// Deals that were taken as one, or cut.
    pub miscounted: usize,
    /// What differs: `-` was played and is not in the record, `+` is in it and was not played.
    pub differences: Vec<String>,
}

impl Compared {
    /// Compares whole records, deal by deal.
    #[must_use]
    pub fn records(truth: &[Event], written: &[Event]) -> Self {
        let [truth, written] = [truth, written].map(deals);
        let mut compared =
            Self { miscounted: truth.len().abs_diff(written.len()), ..Self::default() };
        for (number, deal) in truth.iter().enumerate() {
            let played: Vec<Played> = deal.iter().filter_map(Played::of).collect();
            compared.add(&played, written.get(number).copied().unwrap_or_default());
        }
        compared
    }

    /// Adds a deal: what was played, and its record from the beginning of the deal on.
    pub fn add(&mut self, truth: &[Played], lines: &[Event]) {
        self.deals += 1;
        let mut events: Vec<Event> = lines.to_vec();
        let doubted: Vec<usize> = (lines.iter())
            .filter_map(|event| match event {
                Event::Doubt { event, why } if *why != Doubtful::Place => Some(*event),
                _ => None,
            })
            .collect();
        for event in lines {
            if let Event::Correction { event, tile: right } = event
                && let Some(Event::Discard { tile, .. }) = events.get_mut(*event)
            {
                *tile = *right;
            }
        }
        let (numbers, written): (Vec<usize>, Vec<Played>) = (events.iter().enumerate())
            .filter_map(|(number, event)| Some((number, Played::of(event)?)))
            .unzip();
        let common = common(truth, &written);
        self.tally(truth, &written, &common);
        let found: Vec<bool> =
            (0..written.len()).map(|place| common.iter().any(|pair| pair[1] == place)).collect();
        for (place, (number, found)) in numbers.iter().zip(&found).enumerate() {
            let is_certain = !doubted.contains(number);
            self.certain = [self.certain[0] + usize::from(is_certain), self.certain[1] + 1];
            if *found {
                continue;
            }
            self.invented += 1;
            let is_unknown =
                matches!(&events[*number], Event::Discard { tile: SeenFace::Unknown, .. });
            self.wrongly_certain += usize::from(is_certain && !is_unknown);
            let doubt = if is_certain { "certain" } else { "in doubt" };
            let line = format!("+ {}: {number}, {doubt}: {:?}", self.deals, written[place]);
            self.differences.push(line);
        }
        for (place, played) in truth.iter().enumerate() {
            if common.iter().all(|pair| pair[0] != place) {
                self.differences.push(format!("- {}: {played:?}", self.deals));
            }
        }
        let gaps = lines.iter().filter(|event| matches!(event, Event::Gap { .. })).count();
        let is_whole = common.len() == truth.len();
        self.silent += usize::from(!is_whole && gaps <= 1 && doubted.is_empty());
    }

    fn tally(&mut self, truth: &[Played], written: &[Played], common: &[[usize; 2]]) {
        let tally = |of: &mut [usize; 2], is_it: fn(&Played) -> bool| {
            of[0] += common.iter().filter(|pair| is_it(&truth[pair[0]])).count();
            of[1] += truth.iter().filter(|played| is_it(played)).count();
        };
        tally(&mut self.discards, |it| matches!(it, Played::Discard { .. }));
        tally(&mut self.wins, |it| matches!(it, Played::Win { .. }));
        tally(&mut self.claims, |it| matches!(it, Played::Claim { .. }));
        tally(&mut self.kongs, |it| {
            matches!(it, Played::ConcealedKong { .. } | Played::AddedKong { .. })
        });
        // Whoever declared riichi, with whichever tile.
        let declarers = |list: &[Played]| {
            let declares = |played: &Played| match played {
                Played::Discard { player, sideways: true, .. } => Some(*player),
                _ => None,
            };
            list.iter().filter_map(declares).collect::<std::collections::BTreeSet<usize>>()
        };
        let [truth, written] = [truth, written].map(declarers);
        self.riichi[0] += truth.intersection(&written).count();
        self.riichi[1] += truth.union(&written).count();
    }
}

impl AddAssign for Compared {
    fn add_assign(&mut self, other: Self) {
        let two = |a: &mut [usize; 2], b: [usize; 2]| *a = [a[0] + b[0], a[1] + b[1]];
        two(&mut self.discards, other.discards);
        two(&mut self.claims, other.claims);
        two(&mut self.kongs, other.kongs);
        two(&mut self.riichi, other.riichi);
        two(&mut self.wins, other.wins);
        two(&mut self.certain, other.certain);
        self.deals += other.deals;
        self.invented += other.invented;
        self.wrongly_certain += other.wrongly_certain;
        self.silent += other.silent;
        self.miscounted += other.miscounted;
        self.differences.extend(other.differences);
    }
}

/// The events of each deal, its beginning first.
fn deals(record: &[Event]) -> Vec<&[Event]> {
    let begins: Vec<usize> = (record.iter().enumerate())
        .filter_map(|(place, event)| matches!(event, Event::Deal(_)).then_some(place))
        .collect();
    let ends = begins.iter().skip(1).copied().chain([record.len()]);
    begins.iter().zip(ends).map(|(begin, end)| &record[*begin..end]).collect()
}

/// The longest common part of two lists, as places in both.
fn common(truth: &[Played], written: &[Played]) -> Vec<[usize; 2]> {
    // A tile that is not known is no guess: it is the same as no other.
    let is_known = |played: &Played| match played {
        Played::Discard { face, .. }
        | Played::Claim { face, .. }
        | Played::ConcealedKong { face, .. }
        | Played::AddedKong { face, .. } => face.is_some(),
        Played::Win { .. } => true,
    };
    let same = |i: usize, j: usize| truth[i] == written[j] && is_known(&written[j]);
    let mut best = vec![vec![0usize; written.len() + 1]; truth.len() + 1];
    for i in (0..truth.len()).rev() {
        for j in (0..written.len()).rev() {
            best[i][j] = if same(i, j) {
                1 + best[i + 1][j + 1]
            } else {
                best[i + 1][j].max(best[i][j + 1])
            };
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < truth.len() && j < written.len() {
        if same(i, j) {
            pairs.push([i, j]);
            (i, j) = (i + 1, j + 1);
        } else if best[i + 1][j] >= best[i][j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(lines: &str) -> Vec<Event> {
        lines.lines().map(|line| serde_json::from_str(line.trim()).unwrap()).collect()
    }

    #[test]
    fn what_is_wrong_counts_where_no_doubt_names_it() {
        let begin = r#"{"type":"deal","round":"E","dealer":0,"counters":0,"sticks":0,"hands":[]}"#;
        let truth = record(&format!(
            r#"{begin}
            {{"type":"discard","player":0,"tile":"1z"}}
            {{"type":"discard","player":1,"tile":"2z"}}
            {{"type":"discard","player":2,"tile":"3z","sideways":true}}
            {{"type":"claim","player":3,"from":2,"kind":"pung","tile":"3z","own":"33z"}}"#
        ));
        let written = record(&format!(
            r#"{begin}
            {{"type":"discard","player":0,"tile":"9m"}}
            {{"type":"discard","player":1,"tile":"7z"}}
            {{"type":"discard","player":2,"tile":"4z","sideways":true}}
            {{"type":"claim","player":3,"from":2,"kind":"pung","tile":"3z","own":"33z"}}
            {{"type":"correction","event":1,"tile":"1z"}}
            {{"type":"doubt","event":2,"why":"tile"}}"#
        ));
        let compared = Compared::records(&truth, &written);
        assert_eq!((compared.discards, compared.claims), ([1, 3], [1, 1]));
        assert_eq!((compared.riichi, compared.certain), ([1, 1], [3, 4]));
        assert_eq!((compared.invented, compared.wrongly_certain, compared.silent), (2, 1, 0));
        assert_eq!(compared.differences.len(), 4, "{:#?}", compared.differences);
        let none = Compared::records(&truth, &[]);
        assert_eq!((none.discards, none.miscounted, none.silent), ([0, 3], 1, 1));
    }
}
