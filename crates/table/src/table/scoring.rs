//! Scores a winner's hand at a table by the rule set and the current seats.

use super::{
    Charged, Discards, PerPlayer, Scored, TableError, TableState, TileWas, Verdict, WinBy, Winner,
    WonTile,
    others::{self, losing_hands},
    verdict,
};
use crate::{
    hand::{Hand, UnwonHand},
    points::Points,
    rules::{
        Circumstances, Contradiction, Indicators, Payments, Players, Responsible, RuleSet,
        ScoreError, Win,
    },
};

impl Winner {
    /// The player who gave the tile.
    pub(super) fn giver(&self, state: &TableState) -> Result<Option<usize>, TableError> {
        let seated = state.players.len();
        match (self.win, self.from) {
            (WinBy::SelfDraw, None) => Ok(None),
            (WinBy::SelfDraw, Some(_)) => Err(TableError::FromSelfDraw),
            (_, None) => Err(TableError::NoGiver),
            (_, Some(from)) if from == self.player => Err(TableError::FromSelf),
            (_, Some(player)) if player >= seated => Err(TableError::NoPlayer { player, seated }),
            (_, Some(from)) => Ok(Some(from)),
        }
    }

    /// The player who is charged for the tile, by his seat.
    fn responsible(&self, state: &TableState) -> Result<Responsible, TableError> {
        let contradiction = match self.responsible {
            None => return Ok(Responsible::Giver),
            Some(_) if self.win == WinBy::SelfDraw => Contradiction::ResponsibleSelfDraw,
            Some(Charged::Player(player)) if player == self.player => {
                Contradiction::ResponsibleSelf
            }
            Some(Charged::Nobody) => return Ok(Responsible::Nobody),
            Some(Charged::Player(player)) => {
                let seated = state.players.len();
                let charged = state.players.get(player);
                let charged = charged.ok_or(TableError::NoPlayer { player, seated })?;
                return Ok(Responsible::Player(charged.seat));
            }
        };
        Err(ScoreError::NotAllowed(contradiction).into())
    }
}

/// The legal hand of a text.
pub(super) fn hand_of(text: &str) -> Result<Hand, TableError> {
    text.parse().map_err(|error| TableError::Hand(format!("{error}")))
}

/// The hand of a text that has not won.
pub(super) fn unwon_of(text: &str) -> Result<UnwonHand, TableError> {
    text.parse().map_err(|error| TableError::Hand(format!("{error}")))
}

/// The indicators of a text.
fn indicators(text: Option<&str>) -> Result<Indicators, TableError> {
    text.map_or(Ok(Indicators::default()), |text| {
        text.parse().map_err(|error| TableError::Indicators(format!("{error}")))
    })
}

/// Scores a hand at the table's current state, with the counters that it is paid. Whether its tile may
/// be won on is taken from the winner's entry.
pub(super) fn score(
    rules: &RuleSet,
    state: &TableState,
    winner: &Winner,
    honba: u32,
) -> Result<Scored, TableError> {
    let at = circumstances(rules, state, winner, honba)?;
    let hand =
        winner.hand.as_deref().filter(|_| winner.worth.is_none()).map(hand_of).transpose()?;
    let (value, items) = match (winner.worth, &hand) {
        (Some(worth), _) => (rules.value_of(worth, &at)?, Vec::new()),
        (None, Some(hand)) => {
            let score = rules.score(hand, &at)?;
            (score.value, score.items)
        }
        (None, None) => return Err(TableError::Shape("the winner's hand or its worth")),
    };
    let losers = losing_hands(rules, state, winner, hand.as_ref())?;
    let (value, others) = match &losers {
        Some(losers) => {
            (rules.with_losers(value, &at, losers), others::scores(rules, state, losers)?)
        }
        None => (value, PerPlayer::default()),
    };
    let payments = paid_by(state, &value.payments)?;
    Ok(Scored {
        seats: state.players.iter().map(|player| player.seat).collect(),
        round: state.place.round,
        minimum: at.minimum,
        honba,
        faan: value.faan,
        points: value.points,
        score: value.score,
        items: items.into_iter().map(|item| (item.id.as_str().into(), item.value)).collect(),
        others,
        payments,
    })
}

/// Each player's gain, by the current seats.
pub(super) fn paid_by(
    state: &TableState,
    payments: &Payments,
) -> Result<PerPlayer<Points>, TableError> {
    let of = |seat| Points::of(payments.of(seat).unwrap_or_default()).ok_or(TableError::TooLarge);
    state.players.iter().map(|player| of(player.seat)).collect()
}

/// The circumstances of a win, with the table's part: seats, winds, his minimum, the counters.
pub(super) fn circumstances(
    rules: &RuleSet,
    state: &TableState,
    winner: &Winner,
    honba: u32,
) -> Result<Circumstances, TableError> {
    let seat = |player: usize| state.players[player].seat;
    let win = match (winner.win, winner.giver(state)?.map(seat)) {
        (WinBy::Discard, Some(from)) => Win::Discard { from },
        (WinBy::RobKong, Some(from)) => Win::RobKong { from },
        _ => Win::SelfDraw,
    };
    if let Some(player) = winner.pao.filter(|pao| *pao >= state.players.len()) {
        return Err(TableError::NoPlayer { player, seated: state.players.len() });
    }
    let safe = match winner.tile.map(|was| verdict(rules.session().discards, was, winner.win)) {
        Some(Verdict::Forbidden(was)) => {
            let name = state.players[winner.player].name.clone();
            let hand = winner.hand.as_deref().map(hand_of).transpose()?;
            let tile = hand.map(|hand| hand.winning());
            return Err(TableError::Forbidden { name, tile, was });
        }
        Some(Verdict::Safe) => true,
        Some(Verdict::Free) | None => false,
    };
    Ok(Circumstances {
        safe,
        minimum: state.players[winner.player].minimum,
        players: if state.players.len() == 3 { Players::Three } else { Players::Four },
        pao: winner.pao.map(seat),
        responsible: winner.responsible(state)?,
        dora_indicators: indicators(winner.dora_indicators.as_deref())?,
        ura_indicators: indicators(winner.ura_indicators.as_deref())?,
        north: winner.north,
        missing_suit: winner.missing,
        honba: u8::try_from(honba).unwrap_or(u8::MAX),
        ..Circumstances::new(seat(winner.player), state.place.round, win).with_facts(winner.facts())
    })
}

/// The known earlier discards of a winning tile: from the entered discards, else from the
/// person's answer.
///
/// # Errors
/// The question that has to be answered first, or that the answer contradicts the entered discards.
pub(super) fn tile_history(
    rules: &RuleSet,
    state: &TableState,
    discards: &Discards,
    winner: &Winner,
) -> Result<Option<TileWas>, TableError> {
    let Some(from) = winner.giver(state)? else { return Ok(None) };
    // A person who states a value has judged the tile, too: the stated history counts.
    let Some(text) = &winner.hand else { return Ok(winner.tile) };
    if !rules.session().discards.matter() {
        return Ok(winner.tile);
    }
    let tile = hand_of(text)?.winning();
    let won = WonTile { tile, winner: winner.player, from, by: winner.win };
    let name = || state.players[winner.player].name.clone();
    match (discards.history(won, &state.order()), winner.tile) {
        (Ok(known), Some(said)) if known != said => {
            Err(TableError::Contradicted { name: name(), tile, said, known })
        }
        (Ok(known), _) => Ok(Some(known)),
        (Err(_), Some(said)) => Ok(Some(said)),
        (Err(question), None) => Err(TableError::Ask { name: name(), tile, question }),
    }
}
