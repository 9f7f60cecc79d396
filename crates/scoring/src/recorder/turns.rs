//! The order of what was seen. Tiles come to rest in another order than they were played: a player discards before the
//! claimed set lies there, an arm hides a discard for a while. Turns go round, and that puts most of it in order; what fits no
//! turn waits, and comes after a gap in the end.

use std::time::Duration;

use super::{deal::Deal, open::OpenNews, pond::Pond};
use crate::{
    hand::{Meld, MeldKind, SeenSet},
    record::{ClaimKind, Doubtful, Event, Tiles},
    tile::{SeenFace, Side},
};

/// Time for which what fits no turn waits for what is missing.
const PATIENCE: Duration = Duration::from_secs(6);
/// Time after which a discard that was missed is no longer expected.
const LATE: Duration = Duration::from_secs(10);
/// Time for which a claimed set waits for its tile to be seen as a discard.
const UNSEEN: Duration = Duration::from_secs(2);
/// Time for which the first tile of a deal whose dealer is not known waits for an earlier one.
const FIRST: Duration = Duration::from_secs(3);

/// What a player has laid down.
#[derive(Clone, Debug)]
pub(super) enum Laid {
    /// A discard, by its place in the pond.
    Discard(usize),
    /// A set, a flower or the hand, and how clear it is.
    Open(OpenNews, f32),
}

/// Something that was seen and is not written yet.
#[derive(Clone, Debug)]
pub(super) struct Fact {
    pub player: usize,
    pub laid: Laid,
    /// When it came to lie there.
    pub since: Duration,
    /// Whether it may have lain there before, when it was not seen.
    pub is_late: bool,
}

/// How a fact fits the turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    /// It is this player's turn.
    InTurn,
    /// It may have been this player's turn before, when it was not seen.
    Late,
    /// A claim whose tile was never seen, or another one, where it was discarded.
    Unseen,
    /// Nothing fits, and it has waited long enough.
    Forced,
}

/// Whose turn it is, and what waits.
#[derive(Debug, Default)]
pub(super) struct Turns {
    facts: Vec<Fact>,
    /// The player who lays down next; `None` before the deal.
    next: Option<usize>,
    /// That player has claimed or made a kong: nothing comes between.
    is_bound: bool,
    /// The last discard, by player and place, until it is claimed.
    last: Option<(usize, usize)>,
    /// When the last discard in turn came to lie there.
    discarded: Duration,
    /// Players whose turn was passed over, and when.
    missed: Vec<(usize, Duration)>,
}

/// What is written, and the discards that facts refer to.
pub(super) struct Writing<'a> {
    pub deal: &'a mut Deal,
    pub ponds: &'a mut [Pond],
    pub now: Duration,
}

impl Writing<'_> {
    /// The player after another one.
    fn after(&self, player: usize) -> usize {
        (player + 1) % self.ponds.len()
    }
}

impl Turns {
    /// Begins the deal with the dealer's turn.
    pub fn begin(&mut self, dealer: usize) {
        self.next = Some(dealer);
    }

    /// Adds what was seen.
    pub fn add(&mut self, fact: Fact) {
        self.facts.push(fact);
        self.facts.sort_by_key(|fact| fact.since);
    }

    /// The player who lays down next, and the last discard by player and place, unless it was claimed.
    pub const fn standing(&self) -> (Option<usize>, Option<(usize, usize)>) {
        (self.next, self.last)
    }

    /// Whether nothing waits for its turn.
    pub const fn is_quiet(&self) -> bool {
        self.facts.is_empty()
    }

    /// Leaves out what was seen from a time on: tiles that are being swept away are not played.
    pub fn drop_since(&mut self, since: Duration) {
        self.facts.retain(|fact| fact.since < since);
    }

    /// The player who would begin the deal now; `dealer` where that is known.
    pub fn first(&self, now: Duration, dealer: Option<usize>) -> Option<usize> {
        let first = self.facts.first()?;
        let waited = now.saturating_sub(first.since);
        match dealer {
            Some(dealer) if self.facts.iter().any(|fact| fact.player == dealer) => Some(dealer),
            Some(_) if waited < PATIENCE => None,
            None if waited < FIRST => None,
            _ => Some(first.player),
        }
    }

    /// Writes everything whose turn has come; with `all` also what fits no turn.
    pub fn write(&mut self, to: &mut Writing, all: bool) {
        while let Some((place, fit)) = self.choose(to, all) {
            let fact = self.facts.remove(place);
            let player = fact.player;
            match fact.laid {
                Laid::Discard(place) => {
                    self.discard(to, player, place, fit, fact.since);
                }
                Laid::Open(OpenNews::Claimed(set), clear) => {
                    let claim = Claim { player, set, clear, at: fact.since };
                    self.claim(to, &claim, fit);
                }
                Laid::Open(news, clear) => self.open(to, player, (news, clear), fit, fact.since),
            }
        }
    }

    fn choose(&self, to: &Writing, all: bool) -> Option<(usize, Fit)> {
        let fits = |of: &dyn Fn(&Fact) -> Option<Fit>| {
            self.facts.iter().enumerate().find_map(|(place, fact)| Some((place, of(fact)?)))
        };
        let waited = |fact: &Fact| to.now.saturating_sub(fact.since);
        fits(&|fact| self.in_turn(fact, to))
            .or_else(|| fits(&|fact| self.unseen(fact, to).filter(|_| waited(fact) >= UNSEEN)))
            .or_else(|| fits(&|fact| (all || waited(fact) >= PATIENCE).then_some(Fit::Forced)))
    }

    /// Whether the last discard lies there still, so that nobody has claimed it.
    fn is_passed(&self, to: &Writing) -> bool {
        self.is_bound
            || self.last.is_none_or(|(player, place)| to.ponds[player].0[place].lies_there())
    }

    fn in_turn(&self, fact: &Fact, to: &Writing) -> Option<Fit> {
        let is_next = self.next.is_none_or(|next| next == fact.player);
        let acts = (is_next && self.is_passed(to)).then_some(Fit::InTurn);
        match &fact.laid {
            Laid::Discard(_) => acts.or_else(|| {
                let is_expected = |(player, at): &(usize, Duration)| {
                    *player == fact.player && to.now.saturating_sub(*at) <= LATE
                };
                self.missed.iter().any(is_expected).then_some(Fit::Late)
            }),
            Laid::Open(OpenNews::Claimed(set), _) => {
                let (giver, place) = self.last.filter(|(giver, _)| *giver != fact.player)?;
                let tile = &to.ponds[giver].0[place];
                let is_it = claimed_of(set, tile.face).is_some();
                (is_it && !tile.lies_there()).then_some(Fit::InTurn)
            }
            Laid::Open(OpenNews::ConcealedKong(_) | OpenNews::Added(_), _) => {
                let is_late = fact.is_late || fact.since < self.discarded;
                acts.map(|fit| if is_late { Fit::Late } else { fit })
            }
            Laid::Open(OpenNews::SetOut(_) | OpenNews::Hand { .. }, _) => Some(Fit::InTurn),
        }
    }

    /// A claim of a tile that nobody has seen among the discards: the player who gave it had the turn, or it replaces the
    /// last discard, which was read as another tile.
    fn unseen(&self, fact: &Fact, to: &Writing) -> Option<Fit> {
        let Laid::Open(OpenNews::Claimed(set), _) = &fact.laid else { return None };
        let giver = giver_of(set, fact.player)?;
        let is_next = self.next == Some(giver) && giver != fact.player;
        let is_misread = self
            .last
            .is_some_and(|(player, place)| player == giver && to.ponds[player].0[place].is_gone());
        (is_next || is_misread).then_some(Fit::Unseen)
    }

    fn discard(&mut self, to: &mut Writing, player: usize, place: usize, fit: Fit, at: Duration) {
        if fit == Fit::Forced {
            to.deal.gap(at);
            let mut passed = self.next.unwrap_or(player);
            while passed != player {
                self.missed.push((passed, to.now));
                passed = to.after(passed);
            }
        }
        let after = to.after(player);
        let tile = &mut to.ponds[player].0[place];
        to.deal.draw(player, at);
        let event =
            Event::Discard { player, tile: tile.face, sideways: tile.sideways, drawn: None };
        tile.event = to.deal.write(event, at, Some(tile.confidence));
        if let Some(event) = tile.event.filter(|_| fit == Fit::Late) {
            to.deal.doubt(event, Doubtful::Order);
        }
        self.missed.retain(|(missed, _)| *missed != player);
        if fit == Fit::Late {
            return;
        }
        (self.next, self.is_bound, self.last) = (Some(after), false, Some((player, place)));
        self.discarded = at;
    }

    fn open(
        &mut self,
        to: &mut Writing,
        player: usize,
        (news, clear): (OpenNews, f32),
        fit: Fit,
        at: Duration,
    ) {
        if fit == Fit::Forced {
            to.deal.gap(at);
        }
        let (event, is_kong) = match news {
            OpenNews::ConcealedKong(tiles) => (Event::ConcealedKong { player, tiles }, true),
            OpenNews::Added(tile) => (Event::AddedKong { player, tile }, true),
            OpenNews::SetOut(tile) => (Event::SetOut { player, tile }, false),
            OpenNews::Claimed(_) | OpenNews::Hand { .. } => return,
        };
        // Nobody adds to a pung in the turn of the claim: it may have been a kong all the time.
        let claim = to.deal.claimed_last(player);
        if is_kong {
            to.deal.draw(player, at);
        }
        let written = to.deal.write(event, at, Some(clear));
        if let Some(event) = written.filter(|_| fit == Fit::Late || claim.is_some()) {
            to.deal.doubt(event, Doubtful::Order);
        }
        if let Some(claim) = claim {
            to.deal.doubt(claim, Doubtful::Order);
        }
        to.deal.draw(player, at);
        if is_kong {
            (self.next, self.is_bound, self.last) = (Some(player), true, None);
        }
    }

    fn claim(&mut self, to: &mut Writing, claim: &Claim, fit: Fit) {
        let &Claim { player, ref set, clear, at } = claim;
        let Ok(meld) = Meld::try_from(set) else { return };
        if fit == Fit::Forced {
            to.deal.gap(at);
        }
        let shown = giver_of(set, player);
        let last = self.last.filter(|(giver, _)| *giver != player);
        let found = match fit {
            Fit::InTurn => last,
            Fit::Unseen => last.filter(|(giver, _)| Some(*giver) == shown && self.next != shown),
            _ => self.taken_before(to.ponds, player, set),
        };
        let before = (player + to.ponds.len() - 1) % to.ponds.len();
        let giver = found.map(|(giver, _)| giver).or(shown).unwrap_or(before);
        let marked = set.tiles.iter().find(|tile| tile.sideways).map(|tile| tile.face);
        let discarded = found.map(|(giver, place)| to.ponds[giver].0[place].face);
        let tile = match discarded.and_then(|face| claimed_of(set, face)) {
            Some(tile) => tile,
            None => marked.unwrap_or(set.tiles[0].face),
        };
        self.discard_of(to, found, (giver, tile), claim);
        let mut own: Vec<SeenFace> = set.tiles.iter().map(|tile| tile.face).collect();
        if let Some(place) = own.iter().position(|face| *face == tile) {
            own.remove(place);
        }
        let kind = match meld.kind() {
            MeldKind::Chow => ClaimKind::Chow,
            MeldKind::Pung => ClaimKind::Pung,
            MeldKind::OpenKong | MeldKind::ConcealedKong => ClaimKind::Kong,
        };
        let event = Event::Claim { player, from: giver, kind, tile, own: Tiles(own) };
        let Some(written) = to.deal.write(event, at, Some(clear)) else { return };
        if shown.is_some_and(|shown| shown != giver) || (shown.is_none() && found.is_none()) {
            to.deal.doubt(written, Doubtful::Giver);
        }
        if found.is_none() || found == self.last || fit != Fit::Forced {
            (self.next, self.is_bound, self.last) = (Some(player), true, None);
        }
    }

    /// The event of a claimed discard: where it was not seen it is written now, and where it was read as another tile
    /// it is corrected.
    fn discard_of(
        &mut self,
        to: &mut Writing,
        found: Option<(usize, usize)>,
        (giver, tile): (usize, SeenFace),
        claim: &Claim,
    ) {
        let at = claim.at;
        let Some((giver, place)) = found else {
            to.deal.draw(giver, at);
            let event = Event::Discard { player: giver, tile, sideways: false, drawn: None };
            if let Some(written) = to.deal.write(event, at, Some(claim.clear)) {
                to.deal.doubt(written, Doubtful::Unseen);
            }
            return;
        };
        let waits = |fact: &Fact| {
            fact.player == giver && matches!(fact.laid, Laid::Discard(other) if other == place)
        };
        if let Some(waiting) = self.facts.iter().position(waits) {
            let fact = self.facts.remove(waiting);
            self.discard(to, giver, place, Fit::Forced, fact.since);
        }
        let discarded = &mut to.ponds[giver].0[place];
        discarded.claimed = true;
        if let Some(event) = discarded.event.filter(|_| discarded.face != tile) {
            discarded.face = tile;
            to.deal.correct(event, tile, at, claim.clear);
            to.deal.doubt(event, Doubtful::Tile);
        }
    }

    /// A discard that was taken away and is the claimed tile of a set, by player and place.
    fn taken_before(&self, ponds: &[Pond], player: usize, set: &SeenSet) -> Option<(usize, usize)> {
        let marked = set.tiles.iter().find(|tile| tile.sideways).map(|tile| tile.face);
        let givers: Vec<usize> = match giver_of(set, player) {
            Some(giver) => vec![giver],
            None => (0..ponds.len()).filter(|giver| *giver != player).collect(),
        };
        let faces = set.tiles.iter().map(|tile| tile.face);
        let faces: Vec<SeenFace> =
            faces.filter(|face| marked.is_none_or(|it| it == *face)).collect();
        givers.into_iter().find_map(|giver| {
            let place = faces.iter().find_map(|face| ponds.get(giver)?.taken(*face))?;
            Some((giver, place))
        })
    }
}

/// A set that a player has laid down with somebody's discard.
struct Claim {
    player: usize,
    set: SeenSet,
    clear: f32,
    at: Duration,
}

/// The tile of a set that a discard of this face may be: the sideways one, or where none is marked one of that face.
fn claimed_of(set: &SeenSet, discarded: SeenFace) -> Option<SeenFace> {
    let face = |tile: SeenFace| match tile {
        SeenFace::Tile(tile) => Some(tile.face()),
        SeenFace::Back | SeenFace::Unknown => None,
    };
    let is_marked = set.tiles.iter().any(|tile| tile.sideways);
    let mut may_be = set.tiles.iter().filter(|tile| tile.sideways || !is_marked);
    may_be.find(|tile| face(tile.face) == face(discarded)).map(|tile| tile.face)
}

/// The player whom a set's sideways tile points to.
fn giver_of(set: &SeenSet, player: usize) -> Option<usize> {
    let steps = match Meld::try_from(set).ok()?.giver()? {
        Side::Right => 1,
        Side::Opposite => 2,
        Side::Left => 3,
    };
    Some((player + steps) % 4)
}
