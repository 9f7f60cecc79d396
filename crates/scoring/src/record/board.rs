//! The table in the middle of a deal, as the events so far leave it: everybody's tiles, sets and discards. It holds for any
//! rules; an event that the tiles do not allow is refused. After a gap more is allowed, as tiles may have moved unseen.

use super::{ClaimKind, DealBegins, Event};
use crate::{
    hand::{Meld, MeldKind, SeenSet, SetForm, SetTile},
    tile::{SeenFace, Side, Tile},
};

/// The largest payment that is read; no rules come near it.
pub(crate) const MOST_PAID: i64 = 1_000_000_000;

/// The table in a deal.
#[derive(Clone, Debug)]
pub struct Board {
    /// The players' tiles.
    pub players: Vec<Held>,
    /// The indicators that were turned.
    pub indicators: Vec<SeenFace>,
    /// The tile that was drawn last, until a discard, a claim or a kong, and whose it is.
    pub drawn: Option<(usize, SeenFace)>,
    /// The last discard or tile added to a pung, until a draw or a claim.
    pub offered: Option<Offered>,
    gapped: bool,
    has_result: bool,
    /// The number of events so far, the beginning included.
    events: usize,
    /// The event of each discard, the player, and the place among the player's discards.
    discards: Vec<(usize, usize, usize)>,
}

/// A tile that others may claim or win on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offered {
    /// Whose it is.
    pub player: usize,
    /// The tile.
    pub tile: SeenFace,
    /// Whether it was added to a pung.
    pub added: bool,
}

/// The tiles of a player.
#[derive(Clone, Debug, Default)]
pub struct Held {
    /// The concealed tiles, the one just drawn last.
    pub concealed: Vec<SeenFace>,
    /// The sets laid apart.
    pub sets: Vec<SeenSet>,
    /// Flowers, seasons and Norths set aside.
    pub aside: Vec<SeenFace>,
    /// The discards in their order.
    pub discards: Vec<Discarded>,
}

impl Held {
    /// The kong to which a tile was added: it lies sideways there.
    pub fn kong_with(&self, added: Tile) -> Option<&SeenSet> {
        let is_added = |tile: &SetTile| tile.sideways && tile.face == SeenFace::Tile(added);
        self.sets.iter().find(|set| set.tiles.len() == 4 && set.tiles.iter().any(is_added))
    }
}

/// A discard on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Discarded {
    /// The tile.
    pub tile: SeenFace,
    /// Whether it lies sideways.
    pub sideways: bool,
    /// Whether it was just drawn.
    pub drawn: bool,
    /// Whether another player has claimed it.
    pub claimed: bool,
}

type Done = Result<(), String>;

impl Board {
    /// The table when the tiles are dealt.
    ///
    /// # Errors
    /// Where it is not a deal of two to four players.
    pub fn new(deal: &DealBegins) -> Result<Self, String> {
        let count = deal.hands.len();
        if !(2..=4).contains(&count) {
            return Err(format!(
                "{count} hands are dealt: expected one for each of 2 to 4 players"
            ));
        }
        if deal.dealer >= count {
            return Err(format!("there is no player {} to deal", deal.dealer));
        }
        if !deal.points.is_empty() && deal.points.len() != count {
            return Err(format!("points of {} players, and {count} play", deal.points.len()));
        }
        let held = |hand: &super::Tiles| Held { concealed: hand.0.clone(), ..Held::default() };
        Ok(Self {
            players: deal.hands.iter().map(held).collect(),
            indicators: Vec::new(),
            drawn: None,
            offered: None,
            gapped: false,
            has_result: false,
            events: 1,
            discards: Vec::new(),
        })
    }

    /// Whether the deal has a winner, or has ended without one.
    pub const fn has_result(&self) -> bool {
        self.has_result
    }

    fn player(&mut self, player: usize) -> Result<&mut Held, String> {
        let count = self.players.len();
        self.players
            .get_mut(player)
            .ok_or_else(|| format!("there is no player {player}: they are 0 to {}", count - 1))
    }

    /// Takes a tile out of a hand: the tile itself, or one that is not known.
    fn take(&mut self, player: usize, tile: SeenFace) -> Done {
        let gapped = self.gapped;
        let held = &mut self.player(player)?.concealed;
        let place = |wanted: fn(SeenFace, SeenFace) -> bool| {
            held.iter().rposition(|held| wanted(*held, tile))
        };
        let is_unknown = |held, _| matches!(held, SeenFace::Unknown | SeenFace::Back);
        let place = place(|held, tile| held == tile).or_else(|| place(is_unknown));
        match place {
            Some(place) => drop(held.remove(place)),
            None if gapped => {}
            None => {
                return Err(format!(
                    "nobody has {tile} here to lay down: the log gives other tiles"
                ));
            }
        }
        Ok(())
    }

    /// Takes the effect of an event of the deal.
    ///
    /// # Errors
    /// Where the tiles do not allow it.
    pub fn apply(&mut self, event: &Event) -> Done {
        self.take_effect(event)?;
        self.events += 1;
        Ok(())
    }

    fn take_effect(&mut self, event: &Event) -> Done {
        if self.has_result
            && !matches!(
                event,
                Event::Win { .. }
                    | Event::End
                    | Event::Gap { .. }
                    | Event::Opened { .. }
                    | Event::Correction { .. }
                    | Event::Doubt { .. }
                    | Event::Settled { .. }
            )
        {
            return Err("the deal has a result already".to_owned());
        }
        match event {
            Event::Game { .. } | Event::Deal(_) => {
                return Err("the deal before does not end: the log is cut off".to_owned());
            }
            Event::Indicator { tile } => self.indicators.push(*tile),
            Event::Draw { player, tile } => {
                self.player(*player)?.concealed.push(*tile);
                (self.drawn, self.offered) = (Some((*player, *tile)), None);
            }
            Event::Discard { player, tile, sideways, drawn } => {
                self.take(*player, *tile)?;
                let (tile, sideways, drawn) = (*tile, *sideways, *drawn == Some(true));
                let discarded = Discarded { tile, sideways, drawn, claimed: false };
                let row = &mut self.player(*player)?.discards;
                row.push(discarded);
                let place = row.len() - 1;
                self.discards.push((self.events, *player, place));
                self.offer(*player, tile, false);
            }
            Event::Claim { player, from, kind, tile, own } => {
                self.claim(*player, *from, *kind, *tile, &own.0)?;
            }
            Event::ConcealedKong { player, tiles } => self.concealed_kong(*player, &tiles.0)?,
            Event::AddedKong { player, tile } => self.added_kong(*player, *tile)?,
            Event::SetOut { player, tile } => {
                self.take(*player, *tile)?;
                self.player(*player)?.aside.push(*tile);
                self.drawn = None;
            }
            Event::Opened { player, hand } => {
                let (gapped, own) = (self.gapped, self.player(*player)?);
                if own.concealed.len() != hand.0.len() && !gapped {
                    let (held, opened) = (own.concealed.len(), hand.0.len());
                    return Err(format!("{opened} tiles are opened of a hand of {held}"));
                }
                own.concealed.clone_from(&hand.0);
            }
            Event::Win { player, from, paid, .. } => {
                self.paid(paid)?;
                self.wins(*player, *from)?;
                self.has_result = true;
            }
            Event::NoWin { paid, .. } => {
                self.paid(paid)?;
                self.has_result = true;
            }
            Event::End if !self.has_result && !self.gapped => {
                return Err("the deal before does not end: the log is cut off".to_owned());
            }
            Event::End => {}
            Event::Gap { .. } => self.gap(),
            Event::Correction { event, tile } => self.correct(*event, *tile)?,
            Event::Doubt { event, .. } | Event::Settled { event } if *event >= self.events => {
                return Err(format!("there is no event {event} yet"));
            }
            Event::Doubt { .. } | Event::Settled { .. } => {}
        }
        Ok(())
    }

    /// Gives a discard another tile. The hand that it came from stays as it is.
    fn correct(&mut self, event: usize, tile: SeenFace) -> Done {
        let Some(last) = self.discards.iter().rposition(|(number, ..)| *number == event) else {
            return Err(format!("event {event} is no discard to correct"));
        };
        let (_, player, place) = self.discards[last];
        if let Some(discarded) = self.player(player)?.discards.get_mut(place) {
            discarded.tile = tile;
        }
        if last + 1 == self.discards.len()
            && let Some(offered) = self.offered.as_mut().filter(|offered| !offered.added)
        {
            offered.tile = tile;
        }
        Ok(())
    }

    /// Tiles may have been drawn and discarded: no hand is known any more.
    fn gap(&mut self) {
        (self.gapped, self.drawn, self.offered) = (true, None, None);
        for held in &mut self.players {
            held.concealed.fill(SeenFace::Unknown);
        }
    }

    fn offer(&mut self, player: usize, tile: SeenFace, added: bool) {
        (self.drawn, self.offered) = (None, Some(Offered { player, tile, added }));
    }

    fn paid(&self, paid: &[i64]) -> Done {
        if !paid.is_empty() && paid.len() != self.players.len() {
            return Err(format!("{} payments, and {} play", paid.len(), self.players.len()));
        }
        match paid.iter().find(|paid| !(-MOST_PAID..=MOST_PAID).contains(*paid)) {
            Some(paid) => Err(format!("no rules pay {paid} points")),
            None => Ok(()),
        }
    }

    fn wins(&mut self, player: usize, from: Option<usize>) -> Done {
        self.player(player)?;
        match from {
            None if self.drawn.is_none_or(|(drawer, _)| drawer != player) && !self.gapped => {
                Err("a self-draw without a draw".to_owned())
            }
            Some(from) if from == player => Err("a player wins on the own tile".to_owned()),
            Some(from)
                if self.offered.is_none_or(|offered| offered.player != from) && !self.gapped =>
            {
                Err("a win without a discard before it".to_owned())
            }
            _ => Ok(()),
        }
    }

    /// A set of the last discard and tiles of the hand.
    fn claim(
        &mut self,
        player: usize,
        from: usize,
        kind: ClaimKind,
        tile: SeenFace,
        own: &[SeenFace],
    ) -> Done {
        match self.offered.take() {
            Some(Offered { player, tile: offered, added: false })
                if player == from && offered == tile => {}
            _ if self.gapped => {}
            Some(offered) => {
                return Err(format!("{} was discarded, and is not claimed", offered.tile));
            }
            None => return Err("a claim without a discard before it".to_owned()),
        }
        // Three players leave one side of the table empty.
        let giver = match (4 + from).checked_sub(player).map(|steps| steps % 4) {
            Some(1) => Side::Right,
            Some(2) => Side::Opposite,
            Some(3) => Side::Left,
            _ => return Err("a player claims his own discard".to_owned()),
        };
        if kind == ClaimKind::Chow && giver != Side::Left {
            return Err("a chow of a tile that is not of the player before".to_owned());
        }
        if own.len() != kind.own() {
            return Err(format!("{} tiles of the hand instead of {}", own.len(), kind.own()));
        }
        own.iter().try_for_each(|tile| self.take(player, *tile))?;
        let set = SeenSet::claimed(giver, tile, own.iter().copied());
        check(&set, |made| match kind {
            ClaimKind::Chow => made == MeldKind::Chow,
            ClaimKind::Pung => made == MeldKind::Pung,
            ClaimKind::Kong => made == MeldKind::OpenKong,
        })?;
        self.player(player)?.sets.push(set);
        if let Some(last) = self.player(from)?.discards.last_mut() {
            last.claimed = true;
        }
        self.drawn = None;
        Ok(())
    }

    fn concealed_kong(&mut self, player: usize, tiles: &[SeenFace]) -> Done {
        if tiles.len() != 4 {
            return Err(format!("a concealed kong of {} tiles", tiles.len()));
        }
        tiles.iter().try_for_each(|tile| self.take(player, *tile))?;
        let tiles = tiles.iter().map(|&face| SetTile { face, sideways: false }).collect();
        let set = SeenSet { tiles, form: SetForm::ConcealedKong };
        check(&set, |made| made == MeldKind::ConcealedKong)?;
        self.player(player)?.sets.push(set);
        (self.drawn, self.offered) = (None, None);
        Ok(())
    }

    fn added_kong(&mut self, player: usize, tile: Tile) -> Done {
        self.take(player, SeenFace::Tile(tile))?;
        let sets = &mut self.player(player)?.sets;
        let added = sets.iter_mut().find_map(|set| set.with_added(tile).map(|kong| (set, kong)));
        let (set, kong) = added.ok_or_else(|| format!("{tile} is added to no pung"))?;
        *set = kong;
        self.offer(player, SeenFace::Tile(tile), true);
        Ok(())
    }
}

/// That the tiles of a set make such a set; tiles that are not known may.
fn check(set: &SeenSet, is_kind: impl Fn(MeldKind) -> bool) -> Done {
    let is_known = |tile: &SetTile| matches!(tile.face, SeenFace::Tile(_));
    if !set.tiles.iter().all(is_known) {
        return Ok(());
    }
    let meld = Meld::try_from(set).map_err(|error| error.to_string())?;
    if is_kind(meld.kind()) { Ok(()) } else { Err(format!("{set} is another kind of set")) }
}
