//! The tiles of each player of a table with several players: hand or open sets, and discards.

use std::collections::BTreeMap;

use super::tracked_picture::TrackedPicture;
use crate::{
    appraisal::SURE_ENOUGH,
    calibration::table::TableView,
    hand::{Reading, SetForm, WholeHand},
    layout::{self, Doubt, Hints, PictureLayout, Role, ShownHand, ShownTile, Uncertainty},
    page::reading::{Fixes, places},
    sight::SeenTile,
    tile::{Face, Seat, SeenFace, Side, Tile},
};

/// The tiles of one player.
#[derive(Clone, Debug, Default)]
pub(super) struct SeatSeen {
    /// The tiles of the table, with the player's hand or its open part.
    pub shown: PictureLayout,
    /// The whole hand is visible.
    pub hand_seen: bool,
    /// His discards in order, by index in the tiles of [`SeatSeen::shown`].
    pub discards: Vec<usize>,
    /// All discards are visible, as far as the rows show, and recognised.
    pub discards_known: bool,
    /// The one discard that lies sideways, as when riichi is declared, by its place among the discards.
    pub sideways: Option<usize>,
    /// Face-up tiles belong to no set, row or hand: any of them may be a discard.
    pub unplaced: bool,
    /// Tiles from the player's own camera, which the table's picture does not show: numbers and tiles.
    pub standing: Vec<(u64, ShownTile)>,
}

/// The operator's entries about all players' tiles.
#[derive(Clone, Copy)]
pub(super) struct TableHints<'a> {
    pub fixes: Fixes<'a>,
    /// The winner's seat and the winning tile.
    pub winning: Option<(Seat, Tile)>,
    pub whole: WholeHand,
}

impl TableHints<'_> {
    fn winning_of(self, seat: Seat) -> Option<Tile> {
        self.winning.filter(|(winner, _)| *winner == seat).map(|(_, tile)| tile)
    }
}

/// Reads a table player by player.
pub(super) fn read_table(
    tracked: &TrackedPicture,
    view: &TableView,
    hints: TableHints,
) -> BTreeMap<Seat, SeatSeen> {
    let all = classified(&tracked.tiles, &tracked.ids, hints.fixes);
    let stray = view.strays(&tracked.tiles);
    view.divide(&tracked.tiles)
        .into_iter()
        .map(|(seat, lying)| {
            let (indices, own): (Vec<usize>, Vec<SeenTile>) = (lying.own.iter())
                .filter_map(|&index| Some((index, view.seen_by(seat, &tracked.tiles[index])?)))
                .unzip();
            let ids: Vec<u64> = indices.iter().map(|&index| tracked.ids[index]).collect();
            let hints = Hints {
                fixes: places(&own, &ids, hints.fixes),
                winning: hints.winning_of(seat),
                whole: hints.whole,
                seated_below: true,
                ..Hints::default()
            };
            let (part, hand_seen) = layout::read_open(&own, &hints);
            let mut shown = PictureLayout { tiles: all.clone(), ..PictureLayout::default() };
            layout::embed(&mut shown, part, &own, &indices, &tracked.tiles);
            let discards: Vec<usize> = (lying.discards.tiles.iter())
                .filter_map(|index| shown.tiles.iter().position(|tile| tile.seen == *index))
                .collect();
            // Unrecognised own tiles may be an upright hand.
            let unplaced = shown.tiles.iter().filter(|tile| tile.role == Role::Other).any(|tile| {
                let own = lying.own.contains(&tile.seen) && matches!(tile.face, SeenFace::Tile(_));
                own || (stray.contains(&tile.seen) && tile.face != SeenFace::Back)
            });
            let classified = |&tile: &usize| matches!(shown.tiles[tile].face, SeenFace::Tile(_));
            let discards_known = lying.discards.without_gaps && discards.iter().all(classified);
            let sideways = match lying.discards.sideways[..] {
                [one] => discards.iter().position(|tile| shown.tiles[*tile].seen == one),
                _ => None,
            };
            let standing = Vec::new();
            let seen = SeatSeen {
                shown,
                hand_seen,
                discards,
                discards_known,
                sideways,
                unplaced,
                standing,
            };
            (seat, seen)
        })
        .collect()
}

/// All tiles, classified, with corrections.
fn classified(tiles: &[SeenTile], ids: &[u64], fixes: Fixes) -> Vec<ShownTile> {
    let mut classified = layout::tiles(tiles);
    for tile in &mut classified {
        if let Some((_, is)) = fixes.iter().find(|(id, _)| ids.get(tile.seen) == Some(id)) {
            (tile.face, tile.confidence) = (SeenFace::Tile(*is), 1.0);
        }
    }
    classified
}

/// Tiles that count towards those of a whole hand.
fn size(reading: &Reading) -> usize {
    reading.concealed.len() + usize::from(reading.winning.is_some()) + 3 * reading.sets.len()
}

impl SeatSeen {
    /// Adds the upright tiles that the player's own camera sees, unless the hand is already open.
    pub fn stand(&mut self, tracked: &TrackedPicture, place: Seat, hints: TableHints) {
        let whole = hints.whole.tiles();
        let mut tiles = classified(&tracked.tiles, &tracked.ids, hints.fixes);
        // A hand that faces its camera shows no backs.
        tiles.retain(|tile| tile.face != SeenFace::Back);
        tiles.sort_by(|a, b| a.corners[0][0].total_cmp(&b.corners[0][0]));
        let faces: Vec<SeenFace> = tiles.iter().map(|tile| tile.face).collect();
        let sure: f32 = tiles.iter().map(|tile| tile.confidence).product();
        let unsure: Vec<(SeenFace, Face)> = (tiles.iter())
            .filter(|tile| tile.confidence < SURE_ENOUGH)
            .filter_map(|tile| Some((tile.face, tile.alternatives.first()?.0)))
            .collect();
        self.standing = tiles.into_iter().map(|tile| (tracked.ids[tile.seen], tile)).collect();
        if self.hand_seen || faces.is_empty() {
            return;
        }
        let open = self.shown.hand.take();
        let mut reading = open.as_ref().map(|hand| hand.reading.clone()).unwrap_or_default();
        let is_bonus =
            |face: &SeenFace| matches!(face, SeenFace::Tile(tile) if tile.face().is_bonus());
        let (bonus, concealed): (Vec<_>, Vec<_>) = faces.into_iter().partition(is_bonus);
        reading.bonus.extend(bonus);
        reading.concealed = concealed;
        if let Some(winning) = hints.winning_of(place) {
            let own = (reading.concealed.iter()).rposition(
                |face| matches!(face, SeenFace::Tile(tile) if tile.face() == winning.face()),
            );
            match own {
                Some(place) if size(&reading) >= whole => {
                    reading.winning = Some(reading.concealed.remove(place));
                }
                _ => reading.winning = Some(SeenFace::Tile(winning)),
            }
        }
        self.hand_seen = size(&reading) + 1 >= whole;
        let mut doubts = open.as_ref().map(|hand| hand.doubts.clone()).unwrap_or_default();
        if size(&reading) >= whole && reading.winning.is_none() {
            doubts.push(Doubt::of_hand(Uncertainty::WinningUnmarked));
        }
        for (shown, other) in unsure {
            let mut otherwise = reading.clone();
            let tiles = otherwise.concealed.iter_mut().chain(&mut otherwise.winning);
            if let Some(place) = tiles.into_iter().find(|face| **face == shown) {
                *place = SeenFace::Tile(other.into());
                let why = Uncertainty::StandingTile { taken: shown, other };
                doubts.push(Doubt { otherwise: Some(otherwise), ..Doubt::of_hand(why) });
            }
        }
        self.shown.hand = Some(ShownHand {
            confidence: sure * open.as_ref().map_or(1.0, |hand| hand.confidence),
            log_likelihood: sure.max(f32::MIN_POSITIVE).ln(),
            price: 0.0,
            finished: false,
            doubts,
            reading,
        });
        self.shown.refusal = None;
    }

    /// The discards, as faces; `None` where one may have been missed.
    pub fn known_discards(&self) -> Option<Vec<Face>> {
        let face = |&tile: &usize| match self.shown.tiles[tile].face {
            SeenFace::Tile(tile) => Some(tile.face()),
            SeenFace::Back | SeenFace::Unknown => None,
        };
        if !self.discards_known {
            return None;
        }
        self.discards.iter().map(face).collect()
    }

    /// The claimed tiles and the sides they came from. `None` if a set does not show the side.
    pub fn claimed(&self) -> Option<Vec<(Side, Face)>> {
        let Some(hand) = &self.shown.hand else { return Some(Vec::new()) };
        let claimed = hand.reading.sets.iter().filter(|set| set.form == SetForm::Claimed);
        claimed
            .map(|set| {
                let last = set.tiles.len() - 1;
                let place = set.tiles.iter().position(|tile| tile.sideways)?;
                let at_the_end = set.tiles[last].sideways;
                let side = match place {
                    0 => Side::Left,
                    _ if at_the_end => Side::Right,
                    _ => Side::Opposite,
                };
                match set.tiles[place].face {
                    SeenFace::Tile(tile) => Some((side, tile.face())),
                    SeenFace::Back | SeenFace::Unknown => None,
                }
            })
            .collect()
    }

    /// The known faces of all tiles that are not the player's own.
    pub fn elsewhere(&self) -> Vec<Face> {
        self.shown.elsewhere()
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::Arc, time::Instant};

    use super::*;
    use crate::{
        calibration::table::{Edge, TableProfile},
        hand::Forms,
        picture::Picture,
        sight::laid,
    };

    const NOTHING_TOLD: TableHints =
        TableHints { fixes: &[], winning: None, whole: WholeHand { sets: 4, forms: Forms::ALL } };

    fn won_on_9s(fixes: &[(u64, Tile)]) -> TableHints<'_> {
        let winning = Some((Seat::East, "9s".parse().unwrap()));
        TableHints { fixes, winning, ..NOTHING_TOLD }
    }

    /// Tiles of one row as the player at the lower edge sees them.
    fn row(text: &str, from: [f32; 2]) -> Vec<SeenTile> {
        laid::row(text, from, [26.0, 34.0])
    }

    fn tracked(tiles: Vec<SeenTile>, first: u64) -> TrackedPicture {
        let picture = Picture::from_rgb(image::RgbImage::new(1000, 1000)).unwrap();
        let ids = (first..first + tiles.len() as u64).collect();
        let (picture, at) = (Arc::new(picture), Instant::now());
        TrackedPicture {
            picture,
            at,
            tiles,
            ids,
            unseen: Vec::new(),
            settled: true,
            changed: 1,
            tileset: None,
        }
    }

    /// East's set and discards, seen from above.
    fn east(discards: &str) -> SeatSeen {
        east_with(discards, Vec::new())
    }

    /// The same with other tiles on the table.
    fn east_with(discards: &str, others: Vec<SeenTile>) -> SeatSeen {
        let corners = [[0.0, 0.0], [1000.0, 0.0], [1000.0, 1000.0], [0.0, 1000.0]];
        let profile = TableProfile::new([1000, 1000], corners, Edge::Bottom).unwrap();
        let mut tiles = row("7z 7z 7z'", [800.0, 940.0]);
        tiles.extend(row(discards, [420.0, 600.0]));
        tiles.extend(others);
        let mut seats = read_table(&tracked(tiles, 0), &profile.view([1000, 1000]), NOTHING_TOLD);
        seats.remove(&Seat::East).unwrap()
    }

    fn face(code: &str) -> Face {
        code.parse().unwrap()
    }

    fn text(seen: &SeatSeen) -> String {
        seen.shown.hand.as_ref().map_or_else(String::new, |hand| hand.reading.to_string())
    }

    #[test]
    fn open_sets_tell_who_gave_them_and_discards_are_known_where_none_is_missing() {
        let seen = east("9p 1z 8m");
        assert!(!seen.hand_seen);
        assert_eq!(text(&seen), "(777'z)");
        assert_eq!(seen.claimed(), Some(vec![(Side::Right, "7z".parse().unwrap())]));
        let known: Vec<Face> = ["9p", "1z", "8m"].map(|code| code.parse().unwrap()).into();
        assert_eq!(seen.known_discards(), Some(known));
        assert_eq!(seen.elsewhere().len(), 3, "his own set is no discard");
        // An unrecognised face is unknown.
        let mut unclear = row("9p", [420.0, 600.0]);
        unclear[0].faces = [1.0 / Face::COUNT as f32; Face::COUNT];
        let view = TableProfile::new(
            [1000, 1000],
            [[0.0, 0.0], [1000.0, 0.0], [1000.0, 1000.0], [0.0, 1000.0]],
            Edge::Bottom,
        );
        let view = view.unwrap().view([1000, 1000]);
        let seats = read_table(&tracked(unclear, 0), &view, NOTHING_TOLD);
        assert_eq!(seats[&Seat::East].known_discards(), None);
    }

    #[test]
    fn one_discard_on_its_side_says_that_riichi_was_declared() {
        assert_eq!(east("9p 1z 8m").sideways, None);
        assert_eq!(east("9p 1z' 8m").sideways, Some(1));
        assert_eq!(
            east("9p' 1z' 8m").sideways,
            None,
            "whoever lies two sideways means nothing by it"
        );
    }

    #[test]
    fn tiles_that_lie_with_nobody_may_have_been_discarded() {
        assert!(!east("9p 1z 8m").unplaced);
        assert!(east_with("9p 1z 8m", row("5p", [487.0, 517.0])).unplaced, "in the middle");
        assert!(east_with("9p 1z 8m", row("5p", [600.0, 940.0])).unplaced, "of no set");
        assert!(!east_with("9p 1z 8m", row("5p", [487.0, 1250.0])).unplaced, "beside the table");
        let mut back = row("5p", [487.0, 517.0]);
        (back[0].back, back[0].faces) = (1.0, [0.0; Face::COUNT]);
        assert!(!east_with("9p 1z 8m", back).unplaced, "the wall's tiles were not discarded");
    }

    #[test]
    fn a_standing_hand_and_open_sets_make_thirteen() {
        let standing = tracked(row("1m 2m 3m 4p 5p 6p 5z 5z 7s 8s", [100.0, 500.0]), 100);
        let mut seen = east("9p");
        seen.stand(&standing, Seat::East, NOTHING_TOLD);
        assert!(seen.hand_seen);
        assert_eq!(text(&seen), "123m456p55z78s (777'z)");
        // Nine upright tiles are too few to state waits.
        let mut seen = east("9p");
        seen.stand(
            &tracked(row("1m 2m 3m 4p 5p 6p 5z 5z 7s", [100.0, 500.0]), 100),
            Seat::East,
            NOTHING_TOLD,
        );
        assert!(!seen.hand_seen);
        // An uncertain face is reported with its alternatives; the score is withheld where they differ.
        let mut unclear = row("1m 2m 3m 4p 5p 6p 5z 5z 7s 8s", [100.0, 500.0]);
        (unclear[9].faces[face("8s").index()], unclear[9].faces[face("9s").index()]) = (0.6, 0.4);
        let mut seen = east("9p");
        seen.stand(&tracked(unclear, 100), Seat::East, won_on_9s(&[]));
        let hand = seen.shown.hand.unwrap();
        assert!(hand.confidence < SURE_ENOUGH, "{}", hand.confidence);
        let otherwise = hand.doubts[0].otherwise.as_ref().unwrap().to_string();
        assert_eq!(otherwise, "123m456p55z79s (777'z) +9s");
        // The winning tile is given, and a tile corrected by its number.
        let mut seen = east("9p");
        let fixes = [(109, "8m".parse().unwrap())];
        seen.stand(&standing, Seat::East, won_on_9s(&fixes));
        assert_eq!(text(&seen), "123m456p55z7s8m (777'z) +9s");
    }
}
