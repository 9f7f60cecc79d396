//! A deal in which play goes on after a win: kongs and false wins between the wins, what is settled at an empty wall. The
//! rules pay for all of it at once; each part keeps its payments.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Deal, PerPlayer, Scored, TableError, TableState, WinBy, Winner, deal::check_zero,
    scoring::circumstances,
};
use crate::{
    points::Points,
    rules::{
        self, DealError, DealEvent, EndHand, FailedStep, Holding, KongKind, RuleSet, ScoreError,
        SettlementKind, Win, WonHand,
    },
    tile::Seat,
};

/// What a deal had beside its wins, where play goes on after a win.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlayedOn {
    /// Kongs and false wins, in the order of play.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub acts: Vec<Act>,
    /// What each player had who had not won when the wall ran out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub end: Vec<AtEnd>,
    /// What was paid at the end; filled in when it is written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub settled: Vec<Settled>,
}

/// A kong, or a false win.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Act {
    /// The number of wins before it.
    pub after: usize,
    /// The player.
    pub player: usize,
    /// What he did.
    pub kind: ActKind,
    /// Whether the kong was robbed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub robbed: bool,
    /// Whether the discard after the kong was won on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shot: bool,
    /// Each player's gain; filled in when it is written.
    #[serde(default)]
    pub payments: PerPlayer<Points>,
}

/// The kind of an [`Act`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ActKind {
    /// A kong of four tiles of the hand.
    ConcealedKong,
    /// A kong with another player's discard.
    ClaimedKong {
        /// Who gave it.
        from: usize,
    },
    /// A kong by a tile added to a claimed pung.
    AddedKong {
        /// Whether not with the tile just drawn.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        late: bool,
    },
    /// A win that was none.
    FalseWin,
}

/// What a player had when the wall ran out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AtEnd {
    /// The player.
    pub player: usize,
    /// What he had.
    pub holding: Holding,
}

/// A payment at the end of a deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Settled {
    /// Its kind.
    pub kind: SettlementKind,
    /// Who pays.
    pub from: usize,
    /// Who gets it; left out: nobody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<usize>,
    /// The amount.
    pub points: Points,
}

impl Act {
    /// An act after a number of wins, of which nothing more is known.
    pub fn new(after: usize, player: usize, kind: ActKind) -> Self {
        let payments = PerPlayer::default();
        Self { after, player, kind, robbed: false, shot: false, payments }
    }

    /// The player whose discard made it a kong.
    pub fn giver(&self) -> Option<usize> {
        match self.kind {
            ActKind::ClaimedKong { from } => Some(from),
            ActKind::ConcealedKong | ActKind::AddedKong { .. } | ActKind::FalseWin => None,
        }
    }

    fn as_played(
        &self,
        seat: impl Fn(usize) -> Result<Seat, TableError>,
    ) -> Result<DealEvent, TableError> {
        let by = seat(self.player)?;
        let kind = match self.kind {
            ActKind::FalseWin => return Ok(DealEvent::FalseWin { seat: by }),
            ActKind::ConcealedKong => KongKind::Concealed,
            ActKind::ClaimedKong { from } => KongKind::Claimed { from: seat(from)? },
            ActKind::AddedKong { late } => KongKind::Added { late },
        };
        Ok(DealEvent::Kong { seat: by, kind, robbed: self.robbed, shot: self.shot })
    }
}

impl PlayedOn {
    /// The same without what is filled in when it is written.
    #[must_use]
    pub fn as_said(&self) -> Self {
        let bare = |act: &Act| Act { payments: PerPlayer::default(), ..act.clone() };
        let acts = self.acts.iter().map(bare).collect();
        Self { acts, end: self.end.clone(), settled: Vec::new() }
    }

    /// The players whom it names.
    fn named(&self) -> impl Iterator<Item = usize> {
        let acts = self.acts.iter().flat_map(|act| act.giver().into_iter().chain([act.player]));
        let end = self.end.iter().map(|end| end.player);
        acts.chain(end).chain(self.settled.iter().flat_map(|it| it.to.into_iter().chain([it.from])))
    }

    /// Everybody's gain by it.
    pub(super) fn paid(&self, seated: usize) -> Result<PerPlayer<Points>, TableError> {
        if let Some(player) = self.named().find(|player| *player >= seated) {
            return Err(TableError::NoPlayer { player, seated });
        }
        if self.acts.iter().any(|act| act.payments.len() != seated) {
            return Err(TableError::Shape("a payment for each player"));
        }
        let gain = |player: usize| {
            let acts = self.acts.iter().map(|act| act.payments[player]);
            let settled = self.settled.iter().map(|it| {
                let gets = if it.to == Some(player) { it.points } else { Points::ZERO };
                if it.from == player { gets - it.points } else { gets }
            });
            acts.chain(settled).sum()
        };
        Ok((0..seated).map(gain).collect())
    }

    /// Checks that the payments between players balance.
    pub(super) fn zero_sums(&self) -> Result<(), TableError> {
        self.acts.iter().try_for_each(|act| check_zero(&act.payments))
    }
}

impl Deal {
    /// A deal by the seats of the players, as a deal of the players at a table.
    ///
    /// # Errors
    /// A seat where nobody sits, or fields of a win that contradict each other.
    pub fn of_played(played: &rules::Deal, seats: &[Seat]) -> Result<Self, TableError> {
        let player = |seat: Seat| {
            let at = seats.iter().position(|other| *other == seat);
            at.ok_or(TableError::Shape("a player at each seat that it names"))
        };
        let (mut winners, mut acts) = (Vec::new(), Vec::new());
        for event in &played.events {
            match event {
                DealEvent::Win { hand, at, contradiction, same } => {
                    let contradiction = contradiction.map_or(Ok(()), Err);
                    contradiction.map_err(ScoreError::NotAllowed)?;
                    let (hand, worth) = match hand {
                        WonHand::Tiles(text) => (Some(text.clone()), None),
                        WonHand::Worth(worth) => (None, Some(*worth)),
                    };
                    winners.push(Winner {
                        player: player(at.seat)?,
                        win: match at.win {
                            Win::SelfDraw => WinBy::SelfDraw,
                            Win::Discard { .. } => WinBy::Discard,
                            Win::RobKong { .. } => WinBy::RobKong,
                        },
                        from: at.win.from().map(player).transpose()?,
                        hand,
                        worth,
                        missing: at.missing_suit,
                        same_tile: *same,
                        ..Winner::default().with_facts(at.facts())
                    });
                }
                DealEvent::Kong { seat, kind, robbed, shot } => {
                    let kind = match kind {
                        KongKind::Concealed => ActKind::ConcealedKong,
                        KongKind::Claimed { from } => ActKind::ClaimedKong { from: player(*from)? },
                        KongKind::Added { late } => ActKind::AddedKong { late: *late },
                    };
                    let act = Act::new(winners.len(), player(*seat)?, kind);
                    acts.push(Act { robbed: *robbed, shot: *shot, ..act });
                }
                DealEvent::FalseWin { seat } => {
                    acts.push(Act::new(winners.len(), player(*seat)?, ActKind::FalseWin));
                }
            }
        }
        let at_end =
            |end: &EndHand| Ok(AtEnd { player: player(end.seat)?, holding: end.holding.clone() });
        let end = played.end.iter().map(at_end).collect::<Result<_, TableError>>()?;
        let played_on = PlayedOn { acts, end, settled: Vec::new() };
        Ok(Self { winners, played_on: Some(Arc::new(played_on)), ..Self::default() })
    }

    /// The deal by the seats of the players, as the rules pay for it.
    fn as_played(&self, rules: &RuleSet, state: &TableState) -> Result<rules::Deal, TableError> {
        let seated = state.players.len();
        let seat = |player: usize| {
            let at = state.players.get(player).map(|player| player.seat);
            at.ok_or(TableError::NoPlayer { player, seated })
        };
        let nothing = PlayedOn::default();
        let PlayedOn { acts, end, .. } = self.played_on.as_deref().unwrap_or(&nothing);
        if acts.iter().any(|act| act.after > self.winners.len()) {
            return Err(TableError::Shape("as many wins as come before one of its kongs"));
        }
        let mut events = Vec::new();
        for place in 0..=self.winners.len() {
            for act in acts.iter().filter(|act| act.after == place) {
                events.push(act.as_played(seat)?);
            }
            let Some(winner) = self.winners.get(place) else { continue };
            seat(winner.player)?;
            let hand = match (&winner.hand, winner.worth) {
                (Some(hand), None) => WonHand::Tiles(hand.clone()),
                (None, Some(worth)) => WonHand::Worth(worth),
                _ => return Err(TableError::Shape("either each winner's hand, or its worth")),
            };
            let at = Box::new(circumstances(rules, state, winner, 0)?);
            let same = winner.same_tile;
            events.push(DealEvent::Win { hand, at, contradiction: None, same });
        }
        let at_end =
            |end: &AtEnd| Ok(EndHand { seat: seat(end.player)?, holding: end.holding.clone() });
        let mut end: Vec<EndHand> = end.iter().map(at_end).collect::<Result<_, TableError>>()?;
        end.sort_by_key(|end| end.seat);
        Ok(rules::Deal { events, end })
    }
}

/// Fills in everything that the rules pay in a deal.
pub(super) fn pay(rules: &RuleSet, state: &TableState, deal: &mut Deal) -> Result<(), TableError> {
    let mut played_on = deal.played_on.as_deref().map(PlayedOn::as_said).unwrap_or_default();
    played_on.acts.sort_by_key(|act| act.after);
    deal.played_on = Some(Arc::new(played_on.clone()));
    let played = deal.as_played(rules, state)?;
    let outcome = rules.play(&played).map_err(|failed| refused(state, &played, failed))?;
    let mut steps = outcome.steps.iter().map(|step| {
        let of = |seat: Seat| Points::whole(step[seat.index()]);
        state.players.iter().map(|player| of(player.seat)).collect::<PerPlayer<Points>>()
    });
    let mut wins = rules.wins(&played).into_iter();
    for place in 0..=deal.winners.len() {
        for act in played_on.acts.iter_mut().filter(|act| act.after == place) {
            act.payments = steps.next().unwrap_or_default();
        }
        let winner = deal.winners.get_mut(place);
        let Some((winner, win)) = winner.and_then(|it| Some((it, wins.next()?))) else { continue };
        let items = win.items.into_iter();
        winner.scored = Some(Arc::new(Scored {
            seats: state.players.iter().map(|player| player.seat).collect(),
            round: state.place.round,
            minimum: None,
            honba: 0,
            faan: win.faan,
            points: None,
            score: win.score,
            items: items.map(|item| (item.id.as_str().into(), item.value)).collect(),
            others: PerPlayer::default(),
            payments: steps.next().unwrap_or_default(),
        }));
    }
    let sits = |seat: Seat| state.at_seat(seat);
    let settled = outcome.settlement.iter().filter_map(|entry| {
        let (from, to) = (sits(entry.from)?, entry.to.and_then(sits));
        Some(Settled { kind: entry.kind, from, to, points: Points::whole(entry.points) })
    });
    played_on.settled = settled.collect();
    deal.played_on = (played_on != PlayedOn::default()).then(|| Arc::new(played_on));
    Ok(())
}

/// Why the rules do not pay for a deal, by the names of its players.
fn refused(state: &TableState, played: &rules::Deal, (step, why): FailedStep) -> TableError {
    let name = |seat: Seat| state.at_seat(seat).map(|player| state.players[player].name.clone());
    if let DealError::End(expected) = why {
        return TableError::AskEnd(expected.iter().filter_map(name).collect());
    }
    let event = step.and_then(|step| played.events.get(step));
    let by = event.map(|event| match event {
        DealEvent::Kong { seat, .. } | DealEvent::FalseWin { seat } => *seat,
        DealEvent::Win { at, .. } => at.seat,
    });
    TableError::InDeal { name: by.and_then(name), why: Box::new(why) }
}

/// Who deals next where the first winner does: of several on one tile their giver; `None` without a winner.
pub(super) fn next_dealer(winners: &[Winner]) -> Option<usize> {
    let first = winners.first()?;
    let several = winners.get(1).is_some_and(|second| second.same_tile);
    if several { first.from } else { Some(first.player) }
}
