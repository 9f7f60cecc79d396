//! How a deal stands while it is played: what was laid down so far, and once a complete hand lies open who has won, on which
//! tile and under which circumstances. What is not certain says so, and nobody has won where more than one hand is complete.

use std::{collections::BTreeSet, time::Duration};

use super::{
    deal::{Deal, is_played, laid_down},
    ending::OpenHand,
    pond::{Pond, PondTile},
    turns::Turns,
};
use crate::{
    record::{ClaimKind, Doubtful, Event},
    rules::Fact,
    tile::SeenFace,
};

/// Time for which a hand has to lie open, and the last discard has to be gone, before somebody has won: tiles are lifted and put
/// back.
const SURE: Duration = Duration::from_secs(1);
/// Draws that may have been missed in a record without a gap, and the most tiles that any rules leave in the wall.
const MISSED: usize = 4;
const DEAD_WALL: usize = 16;
/// The fewest tiles that are played with by four, and by fewer players.
const TILES: [usize; 2] = [136, 108];

/// How a deal stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Which deal of its recorder it is.
    pub deal: u64,
    /// The deal's number in its session, where that was known when it began.
    pub number: Option<u32>,
    /// Each player's discards in order, claimed ones included.
    pub discards: Vec<Vec<StandingDiscard>>,
    /// The claims in order: who, from whom, and the tile.
    pub claims: Vec<(usize, usize, SeenFace)>,
    /// The last discard, by its player, and whether it is certain that no other has followed. `None` before the first one, and
    /// once it was claimed.
    pub last: Option<(usize, bool)>,
    /// Whether each player has declared riichi.
    pub riichi: Vec<Option<bool>>,
    /// The tiles drawn from the wall, replacements included, where nothing was missed.
    pub drawn: Option<usize>,
    /// Who has won.
    pub won: Option<WonHand>,
}

/// A discard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StandingDiscard {
    /// The tile.
    pub tile: SeenFace,
    /// Whether it lies sideways.
    pub sideways: bool,
    /// Whether nothing about it is in doubt.
    pub is_certain: bool,
}

/// A hand that has won.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WonHand {
    /// The winner.
    pub player: usize,
    /// Who gave the tile; `None` for a self-draw.
    pub from: Option<usize>,
    /// The tile that was won on; `None` for one that was drawn and does not lie apart.
    pub tile: Option<SeenFace>,
    /// Whether winner and giver are certain: nothing was in doubt since the last discard.
    pub is_certain: bool,
    /// What else the record says of the win; `None` where it is not certain.
    pub facts: Vec<(Fact, Option<bool>)>,
    /// Who had discarded the winning tile before.
    pub before: Option<TileBefore>,
}

impl WonHand {
    /// Whether winner and giver are certain, and so is each of some facts.
    pub fn is_known(&self, asks: impl Fn(Fact) -> bool) -> bool {
        self.is_certain && self.facts.iter().all(|(fact, is)| is.is_some() || !asks(*fact))
    }

    /// What the record says of a fact; `None` where it is not certain, or not seen.
    pub fn is(&self, fact: Fact) -> Option<bool> {
        self.facts.iter().find(|(other, _)| *other == fact).and_then(|(_, is)| *is)
    }
}

/// The earlier discards of a tile that was won on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TileBefore {
    /// The winner has discarded one.
    Own,
    /// Somebody has discarded one since the winner's last turn.
    Passed,
    /// Neither.
    Fresh,
}

/// The events of a deal, with what is not certain.
pub(super) struct Seen<'a> {
    deal: &'a Deal,
    events: &'a [Event],
    doubts: BTreeSet<(usize, Doubtful)>,
}

impl<'a> Seen<'a> {
    pub fn of(deal: &'a Deal) -> Self {
        Self { deal, events: deal.events(), doubts: deal.doubts() }
    }

    fn is_clear(&self, event: usize) -> bool {
        !self.doubts.iter().any(|(other, why)| *other == event && *why != Doubtful::Place)
    }

    /// Whether nothing from an event on is in doubt, and nothing was missed.
    fn is_clear_from(&self, event: usize) -> bool {
        let gaps = &self.events[event.min(self.events.len())..];
        !gaps.iter().any(|event| matches!(event, Event::Gap { .. }))
            && (event..self.events.len()).all(|event| self.is_clear(event))
    }

    /// The numbers of the events that are so.
    fn all(&self, is_it: impl Fn(&Event) -> bool) -> Vec<usize> {
        (0..self.events.len()).filter(|event| is_it(&self.events[*event])).collect()
    }

    fn discards_of(&self, player: usize) -> Vec<usize> {
        self.all(|event| matches!(event, Event::Discard { player: own, .. } if *own == player))
    }

    /// What the deal shows of its players.
    pub fn standing(&self, players: usize, last: Option<(usize, bool)>) -> Standing {
        let discard = |event: usize| match self.events[event] {
            Event::Discard { tile, sideways, .. } => {
                Some(StandingDiscard { tile, sideways, is_certain: self.is_clear(event) })
            }
            _ => None,
        };
        let of = |player| self.discards_of(player).into_iter().filter_map(discard).collect();
        let claims = self.events.iter().filter_map(|event| match event {
            Event::Claim { player, from, tile, .. } => Some((*player, *from, *tile)),
            _ => None,
        });
        Standing {
            deal: 0,
            number: None,
            discards: (0..players).map(of).collect(),
            claims: claims.collect(),
            last,
            riichi: (0..players).map(|player| self.riichi(player).map(|at| at.is_some())).collect(),
            drawn: self.drawn(),
            won: None,
        }
    }

    /// The discard with which a player has declared riichi, if he has; `None` where that is not certain.
    fn riichi(&self, player: usize) -> Option<Option<usize>> {
        let own = self.discards_of(player);
        let sideways =
            |event: &usize| matches!(self.events[*event], Event::Discard { sideways: true, .. });
        let claimed =
            |event: &usize| matches!(self.events.get(event + 1), Some(Event::Claim { .. }));
        let declared = own.iter().copied().find(sideways);
        // A claimed sideways tile is followed by another one; two of them that lie there mean nothing.
        let lying = own.iter().filter(|event| sideways(event) && !claimed(event)).count();
        let unseen = own.iter().any(|event| self.doubts.contains(&(*event, Doubtful::Unseen)));
        let is_open = !self
            .all(|event| matches!(event, Event::Claim { player: own, .. } if *own == player))
            .is_empty();
        match declared {
            _ if unseen => None,
            Some(_) if is_open || lying > 1 => None,
            declared => Some(declared),
        }
    }

    fn drawn(&self) -> Option<usize> {
        let draws = self.all(|event| matches!(event, Event::Draw { .. })).len();
        let gaps = self.all(|event| matches!(event, Event::Gap { .. }));
        gaps.is_empty().then_some(draws)
    }

    /// Whether no claim and no kong was made after an event; `None` where that is not certain.
    fn is_quiet_from(&self, event: usize) -> Option<bool> {
        let stirs = |other: usize| {
            other > event
                && matches!(
                    self.events[other],
                    Event::Claim { .. } | Event::ConcealedKong { .. } | Event::AddedKong { .. }
                )
        };
        if (event..self.events.len()).any(|other| stirs(other) && self.is_clear(other)) {
            return Some(false);
        }
        self.is_clear_from(event).then_some(true)
    }

    /// The circumstances of a win.
    fn facts(&self, won: &WonHand, players: usize) -> Vec<(Fact, Option<bool>)> {
        let player = won.player;
        let own = self.discards_of(player);
        let declared = self.riichi(player);
        let first = self.all(is_played).first().copied().unwrap_or_default();
        let is_first = declared.map(|at| at.is_some() && at == own.first().copied());
        let quiet_before = |at: usize| {
            let stirs = self.events[..at]
                .iter()
                .any(|event| is_played(event) && !matches!(event, Event::Discard { .. }));
            let all = (first..=at).all(|event| self.is_clear(event));
            let gap = self.events[..at].iter().any(|event| matches!(event, Event::Gap { .. }));
            if stirs { Some(false) } else { (all && !gap).then_some(true) }
        };
        let double = match declared {
            Some(Some(at)) if is_first == Some(true) => quiet_before(at),
            Some(_) => Some(false),
            None => None,
        };
        let ippatsu = match declared {
            Some(Some(at)) if own.last() == Some(&at) => self.is_quiet_from(at),
            Some(_) => Some(false),
            None => None,
        };
        let [kongs, flowers] = self.since_last_discard(player);
        let after_kong = won.from.is_none().then(|| (flowers == 0).then_some(kongs));
        let after = |least: usize| match after_kong {
            None => Some(false),
            Some(kongs) => kongs.map(|kongs| kongs >= least),
        };
        let given = own_kong_before(self.events, won.from);
        // What is won before anybody could play has names of its own, which rules give to different wins.
        let has_played = (!own.is_empty()).then_some(false);
        let riichi = match (declared, double) {
            (Some(Some(_)), Some(double)) => Some(!double),
            (Some(Some(_)), None) | (None, _) => None,
            (Some(None), _) => Some(false),
        };
        vec![
            (Fact::Riichi, riichi),
            (Fact::DoubleRiichi, double),
            (Fact::Ippatsu, ippatsu),
            (Fact::Supplement, after(1)),
            (Fact::KongOnKong, after(2)),
            (Fact::KongDiscard, Some(given)),
            (Fact::LastTile, self.is_last(players)),
            (Fact::FirstTurn, has_played),
            (Fact::FirstDraw, has_played),
            (Fact::LastVisible, self.others_visible(won)),
        ]
    }

    /// Kongs and flowers that a player has laid down since the last discard.
    fn since_last_discard(&self, player: usize) -> [usize; 2] {
        let is_discard = |event: &Event| matches!(event, Event::Discard { .. });
        let last = self.events.iter().rposition(is_discard).map_or(0, |last| last + 1);
        let count = |is_it: &dyn Fn(&Event) -> bool| {
            self.events[last..].iter().filter(|event| is_it(event)).count()
        };
        [
            count(&|event| match event {
                Event::ConcealedKong { player: own, .. } | Event::AddedKong { player: own, .. } => {
                    *own == player
                }
                Event::Claim { player: own, kind, .. } => {
                    *own == player && *kind == ClaimKind::Kong
                }
                _ => false,
            }),
            count(&|event| matches!(event, Event::SetOut { player: own, .. } if *own == player)),
        ]
    }

    /// Whether it was the last tile of the wall. That it was is not known, as rules leave different walls; that it was not is,
    /// as long as more are left than rules leave and the camera may have missed.
    fn is_last(&self, players: usize) -> Option<bool> {
        let dealt = players * (self.deal.whole() - 1);
        let drawn = self.drawn()? + MISSED;
        (dealt + drawn + DEAD_WALL < TILES[usize::from(players < 4)]).then_some(false)
    }

    /// Whether everybody sees the other three of the winning tile.
    fn others_visible(&self, won: &WonHand) -> Option<bool> {
        let Some(SeenFace::Tile(tile)) = won.tile else { return None };
        let last = self.events.iter().rposition(|event| matches!(event, Event::Discard { .. }));
        let last = last.filter(|_| won.from.is_some());
        let (mut clear, mut unclear) = (0, 0);
        for event in (0..self.events.len()).filter(|event| Some(*event) != last) {
            let copies =
                laid_down(&self.events[event]).iter().filter(|face| **face == tile.face()).count();
            let count = if self.is_clear(event) { &mut clear } else { &mut unclear };
            *count += copies;
            // A tile that is not read may be one of them.
            let is_vague = !self.is_clear(event) && is_played(&self.events[event]);
            unclear += usize::from(is_vague);
        }
        if clear >= 3 { Some(true) } else { (clear + unclear < 3).then_some(false) }
    }

    /// What had become of the winning tile before.
    fn before(&self, won: &WonHand) -> Option<TileBefore> {
        let (Some(SeenFace::Tile(tile)), Some(_)) = (won.tile, won.from) else { return None };
        let last = self.events.iter().rposition(|event| matches!(event, Event::Discard { .. }))?;
        let is_it = |event: &usize| matches!(self.events[*event], Event::Discard { tile: SeenFace::Tile(other), .. } if other.face() == tile.face());
        let own: Vec<usize> = self.discards_of(won.player);
        if own.iter().any(|event| is_it(event) && self.is_clear(*event)) {
            return Some(TileBefore::Own);
        }
        let turn = own.last().copied().unwrap_or_default();
        let since = turn..last;
        let all_clear = own.iter().all(|event| self.is_clear(*event)) && self.is_clear_from(turn);
        match since.clone().find(|event| event > &turn && is_it(event)) {
            _ if !all_clear => None,
            Some(_) => Some(TileBefore::Passed),
            None => Some(TileBefore::Fresh),
        }
    }
}

/// Whether the last discard followed its player's kong.
fn own_kong_before(events: &[Event], giver: Option<usize>) -> bool {
    let is_discard = |event: &Event| matches!(event, Event::Discard { .. });
    let Some(last) = events.iter().rposition(is_discard) else { return false };
    let mut before = events[..last].iter().rev().filter(|event| is_played(event));
    before.next().is_some_and(|event| match event {
        Event::ConcealedKong { player, .. } | Event::AddedKong { player, .. } => {
            Some(*player) == giver
        }
        Event::Claim { player, kind, .. } => *kind == ClaimKind::Kong && Some(*player) == giver,
        _ => false,
    })
}

/// What lies there when somebody may have won.
pub(super) struct Lying<'a> {
    pub ponds: &'a [Pond],
    pub turns: &'a Turns,
    /// The hands that lie open, by player, complete ones and others.
    pub hands: Vec<(usize, &'a OpenHand)>,
    pub now: Duration,
}

impl Lying<'_> {
    /// The last discard, by its player, and whether nothing that lies there or waits speaks of a later one.
    pub fn last(&self, seen: &Seen) -> Option<(usize, bool)> {
        let (player, place) = self.turns.standing().1?;
        let event = self.ponds[player].0[place].event;
        let is_certain = event.is_some_and(|event| seen.is_clear_from(event));
        Some((player, is_certain && self.turns.is_quiet()))
    }

    /// The hands that are complete.
    fn complete(&self, seen: &Seen) -> Vec<(usize, &OpenHand)> {
        let is_complete = |(player, open): &(usize, &OpenHand)| {
            open.finished && seen.deal.missing(*player, open.tiles().len()) == Some(0)
        };
        self.hands.iter().copied().filter(is_complete).collect()
    }

    /// Whether what lies there now speaks against a win: another hand is complete too, or the tile that was won on lies where
    /// it was.
    pub fn contradicts(&self, won: &WonHand, seen: &Seen) -> bool {
        let last = self.turns.standing().1.map(|(giver, place)| &self.ponds[giver].0[place]);
        let lies_there = won.from.is_some() && last.is_some_and(PondTile::lies_there);
        lies_there || self.complete(seen).iter().any(|(player, _)| *player != won.player)
    }

    /// Who has won. Nobody where not exactly one hand is complete, or its last tile could be another's.
    pub fn won(&self, seen: &Seen) -> Option<WonHand> {
        let &[(player, open)] = &self.complete(seen)[..] else { return None };
        // The winning tile of a set that was just claimed is no draw.
        if seen.deal.has_just_claimed(player) {
            return None;
        }
        let (next, last) = self.turns.standing();
        let of = |(giver, place): (usize, usize)| &self.ponds[giver].0[place];
        let (from, tile, is_clear) = match last {
            Some((giver, place)) if of((giver, place)).is_gone() => {
                let tile = of((giver, place));
                let is_apart = open.hand.winning.is_none_or(|winning| winning == tile.face);
                let is_taken = tile.was_taken() && tile.gone_for(self.now) >= SURE;
                if giver == player || !open.tiles().contains(&tile.face) {
                    return None;
                }
                (Some(giver), Some(tile.face), is_apart && is_taken)
            }
            _ if next != Some(player) => return None,
            last => (None, open.hand.winning, last.is_none_or(|last| of(last).lies_there())),
        };
        let rested = self.now.saturating_sub(open.at) >= SURE;
        let others_lie = self.all_others_lie(last);
        let since = last.and_then(|last| of(last).event).unwrap_or_else(|| last_played(seen));
        let is_certain =
            is_clear && rested && others_lie && self.turns.is_quiet() && seen.is_clear_from(since);
        let mut won = WonHand { player, from, tile, is_certain, facts: Vec::new(), before: None };
        won.facts = seen.facts(&won, self.ponds.len());
        won.before = seen.before(&won);
        Some(won)
    }

    /// Whether every discard but one lies in sight: an arm over the table, or one that sweeps it, may hide another.
    fn all_others_lie(&self, last: Option<(usize, usize)>) -> bool {
        self.ponds.iter().enumerate().all(|(player, pond)| {
            let mut others = pond.0.iter().enumerate();
            others.all(|(place, tile)| {
                tile.claimed || Some((player, place)) == last || tile.lies_there()
            })
        })
    }
}

/// The last event that was played.
fn last_played(seen: &Seen) -> usize {
    seen.events.iter().rposition(is_played).unwrap_or_default()
}
