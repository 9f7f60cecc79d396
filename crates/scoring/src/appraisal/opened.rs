//! The hands that players have opened at the end of a deal: around a table in one picture, or one a picture.

use super::reading_size;
use crate::{
    calibration::table::{Edge, TableView},
    hand::{Reading, UnwonHand},
    layout::{Hints, Opened, PictureLayout, Role, TileGroup, hands_around, read_part},
    rules::{Loser, LoserScore, RuleSet},
    sight::SeenTile,
    tile::{Seat, Tile},
};

/// Length of the table's edges in a view of it.
const VIEW: f32 = 1000.0;

/// A player's opened hand.
#[derive(Clone, Debug)]
pub struct OpenedHand {
    /// The edge of the table at which he sits.
    pub edge: Edge,
    /// All tiles of the picture, and his hand.
    pub shown: PictureLayout,
}

impl OpenedHand {
    /// What was read of it.
    pub fn reading(&self) -> Option<&Reading> {
        self.shown.hand.as_ref().map(|hand| &hand.reading)
    }

    /// Its tiles, by index in the layout.
    pub fn tiles(&self) -> impl Iterator<Item = usize> + '_ {
        let tiles = self.shown.tiles.iter().enumerate();
        tiles.filter(|(_, tile)| tile.role != Role::Other).map(|(number, _)| number)
    }

    fn is_whole(&self, hints: &Hints) -> bool {
        self.reading().is_some_and(|reading| reading_size(reading) == hints.whole.tiles())
    }

    fn is_finished(&self) -> bool {
        self.shown.hand.as_ref().is_some_and(|hand| hand.finished)
    }
}

/// The opened hands of a deal.
#[derive(Clone, Debug)]
pub struct OpenedHands {
    /// Each hand, in the order of play: from the player at the lower edge, or as the pictures were given.
    pub hands: Vec<OpenedHand>,
    /// The one that won, by its index; `None` where none has the tiles of a whole hand, or several have.
    pub winner: Option<usize>,
}

/// The tiles of one opened hand: each by its index in its picture, and as its player sees it.
struct OwnTiles<'a> {
    edge: Edge,
    picture: &'a [SeenTile],
    tiles: Vec<(usize, SeenTile)>,
    seated_below: bool,
}

impl OwnTiles<'_> {
    fn read(&self, hints: &Hints) -> OpenedHand {
        let hints = Hints { seated_below: self.seated_below, ..hints.clone() };
        OpenedHand { edge: self.edge, shown: read_part(self.picture, self.tiles.clone(), &hints) }
    }
}

/// The tiles of each opened hand around a table.
fn around<'a>(seen: &'a [SeenTile], view: &TableView) -> Vec<OwnTiles<'a>> {
    let (indices, above): (Vec<usize>, Vec<SeenTile>) = (seen.iter().enumerate())
        .filter_map(|(index, tile)| Some((index, view.seen_from(Edge::Bottom, tile)?)))
        .unzip();
    let own = hands_around(&above, VIEW);
    (Edge::IN_PLAY.into_iter().zip(own))
        .filter(|(_, tiles)| !tiles.is_empty())
        .map(|(edge, tiles)| {
            let seen_there = |tile: usize| {
                let index = indices[tile];
                Some((index, view.seen_from(edge, &seen[index])?))
            };
            let tiles = tiles.into_iter().filter_map(seen_there).collect();
            OwnTiles { edge, picture: seen, tiles, seated_below: true }
        })
        .collect()
}

/// How a deal ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DealEnded {
    /// One of the hands has won.
    Won,
    /// Nobody has won.
    Drawn,
}

impl OpenedHands {
    /// Reads the hands around a table in one picture, each from its player's side. The winning tile of the hints is
    /// the winner's.
    pub fn of_table(seen: &[SeenTile], view: &TableView, hints: &Hints, ended: DealEnded) -> Self {
        Self::read(&around(seen, view), hints, ended)
    }

    /// The number of hands that lie open around a table.
    pub fn number_around(seen: &[SeenTile], view: &TableView) -> usize {
        around(seen, view).len()
    }

    /// Reads pictures of one hand each, of players in the order of play.
    pub fn of_pictures<'a>(
        pictures: impl IntoIterator<Item = &'a [SeenTile]>,
        hints: &Hints,
        ended: DealEnded,
    ) -> Self {
        let own: Vec<OwnTiles> = (Edge::IN_PLAY.into_iter().zip(pictures))
            .map(|(edge, picture)| {
                let tiles = picture.iter().cloned().enumerate().collect();
                OwnTiles { edge, picture, tiles, seated_below: false }
            })
            .collect();
        Self::read(&own, hints, ended)
    }

    fn read(own: &[OwnTiles], hints: &Hints, ended: DealEnded) -> Self {
        let as_opened =
            |opened: Opened, winning: Option<Tile>| Hints { opened, winning, ..hints.clone() };
        let (won, lost) = (as_opened(Opened::Won, hints.winning), as_opened(Opened::Lost, None));
        let winner = match ended {
            DealEnded::Drawn => None,
            DealEnded::Won => {
                let unmarked = as_opened(Opened::Won, None);
                let whole: Vec<OpenedHand> = own.iter().map(|own| own.read(&unmarked)).collect();
                winner_of(&whole, hints)
            }
        };
        let hands = (own.iter().enumerate())
            .map(|(place, own)| own.read(if winner == Some(place) { &won } else { &lost }))
            .collect();
        Self { hands, winner }
    }

    /// All tiles of a table's picture with their parts in the hands.
    pub fn merged(&self) -> PictureLayout {
        let mut all = PictureLayout::default();
        for OpenedHand { shown, .. } in &self.hands {
            let first = all.groups.len();
            if all.tiles.is_empty() {
                all.tiles.clone_from(&shown.tiles);
                all.tiles.iter_mut().for_each(|tile| (tile.role, tile.group) = (Role::Other, None));
            }
            for (tile, own) in all.tiles.iter_mut().zip(&shown.tiles) {
                if own.role != Role::Other {
                    tile.clone_from(own);
                    tile.group = own.group.map(|group| first + group);
                }
            }
            all.groups.extend(shown.groups.iter().map(TileGroup::clone));
        }
        all
    }
}

/// The score of an opened hand that has not won, as it lies or as one that waits for a limit hand.
///
/// # Errors
/// Tiles that no such hand has, or that the rules are played without.
pub fn score_unwon(
    reading: &Reading,
    rules: &RuleSet,
    seat: Seat,
    round: Seat,
) -> Result<LoserScore, String> {
    let hand = UnwonHand::try_from(reading).map_err(|error| error.to_string())?;
    let loser = Loser { hand: &hand, seat, round, dead: false, fishing: true };
    rules.score_loser(&loser).map_err(|error| error.to_string())
}

/// The only whole hand; of several, the only one that is finished.
fn winner_of(hands: &[OpenedHand], hints: &Hints) -> Option<usize> {
    let only = |fits: &dyn Fn(&OpenedHand) -> bool| {
        let mut places = (0..hands.len()).filter(|&place| fits(&hands[place]));
        places.next().filter(|_| places.next().is_none())
    };
    only(&|hand| hand.is_whole(hints))
        .or_else(|| only(&|hand| hand.is_whole(hints) && hand.is_finished()))
}
