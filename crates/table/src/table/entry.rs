//! Checks a new event against the table and completes it: hands are scored, the place in the
//! session is noted.

use jiff::Timestamp;

use super::{
    Chombo, Deal, DealPlace, Discards, Draw, Event, Over, PlayerFault, Recorded, Seated, Table,
    TableError, TableState,
    claims::{face, faces},
    deal::{check_zero, complete_deal, zero_sums},
    fold::Folded,
    opening::{check_seats, rules_of},
    stakes::complete_draw,
};
use crate::{
    name::Name,
    points::Points,
    rules::{AfterTime, RuleSet},
};

impl Table {
    /// Checks an event against the table and completes it: hands are scored, the deal's place is
    /// noted. Nothing changes yet.
    ///
    /// ```
    /// use tilelens_table::table::{Deal, Event, Opened, Recorded, Seated, Table, WinBy, Winner};
    /// # use jiff::Timestamp;
    /// let mut table = Table::new(1);
    /// let opened = Event::Opened(Opened {
    ///     title: None,
    ///     rules: "ims".into(),
    ///     rule_file: None,
    ///     rulings: vec![],
    ///     players: ["Ann", "Bo", "Cy", "Di"].map(Seated::named).into(),
    ///     initial: None,
    ///     sitting: None,
    ///     penalties: None,
    ///     clock: None,
    /// });
    /// let now = Timestamp::UNIX_EPOCH;
    /// let event = table.complete(opened, now).unwrap();
    /// table.push(Recorded { seq: 1, at: now, author: "Ann".into(), event }).unwrap();
    /// let hand = Some("222p44p56p (1'23p) (7'89p) +7p".into());
    /// let winner = Winner { player: 1, win: WinBy::SelfDraw, hand, ..Winner::default() };
    /// let deal = Event::Deal(Deal { winners: vec![winner], ..Deal::default() });
    /// let event = table.complete(deal, now).unwrap();
    /// table.push(Recorded { seq: 2, at: now, author: "Ann".into(), event }).unwrap();
    /// assert_eq!(table.state().unwrap().players[1].total.to_string(), "225/2");
    /// ```
    ///
    /// # Errors
    /// Why it cannot be written, or the question that has to be answered first.
    pub fn complete(&self, event: Event, at: Timestamp) -> Result<Event, TableError> {
        match event {
            Event::Lost { .. } => Err(TableError::Shape("anything that happened")),
            Event::Opened(_) if !self.events().is_empty() && !self.lacks_opening() => {
                Err(TableError::OpenedTwice { seq: self.events().len() as u64 + 1 })
            }
            Event::Opened(opened) => {
                let rules = rules_of(&opened)?;
                check_seats(opened.players.len(), &rules)?;
                check_players(&opened.players, &rules)?;
                let initial =
                    opened.initial.unwrap_or(Points::whole(rules.session().initial_points));
                let opened = Event::Opened(super::Opened { initial: Some(initial), ..opened });
                if self.lacks_opening() {
                    return Ok(Event::Corrected { event: 1, with: Box::new(opened) });
                }
                Ok(opened)
            }
            Event::Undone { event } => {
                self.state()?;
                if event <= 1 || !self.stands(event) {
                    return Err(TableError::NoEvent(event));
                }
                Ok(Event::Undone { event })
            }
            Event::Corrected { event, with } => self.complete_correction(event, *with),
            event => {
                let state = self.state()?;
                let after_the_end = matches!(event, Event::Penalty(_) | Event::Disqualified(_));
                if let Some(over) = &state.over
                    && !after_the_end
                {
                    return Err(TableError::Over { why: over.to_string() });
                }
                let rolled = check_rolled(state, &event)?;
                if let Some(said) = rolled.filter(|said| *said > at) {
                    return Err(TableError::NotThen { said, last: None });
                }
                if let Some(clock) = state.clock.filter(|_| event.is_deal())
                    && clock.is_up(rolled.unwrap_or(at))
                {
                    match (clock.then, rolled) {
                        (AfterTime::Stop, _) => return Err(TableError::Time),
                        (AfterTime::FinishDeal, Some(rolled)) => {
                            return Err(TableError::NotStarted { rolled, ends: clock.ends });
                        }
                        // Without a time the deal counts as already being played.
                        (AfterTime::FinishDeal, None) | (AfterTime::FinishRound, _) => {}
                    }
                }
                complete(self.folded()?, event)
            }
        }
    }

    /// The table as it would be with an event that is not written down.
    ///
    /// # Errors
    /// Why it cannot be written down.
    pub fn with(&self, event: Event, author: &str, at: Timestamp) -> Result<Self, TableError> {
        let event = self.complete(event, at)?;
        let (mut table, seq) = (self.clone(), self.events().len() as u64 + 1);
        table.push(Recorded { seq, at, author: author.to_owned(), event })?;
        Ok(table)
    }

    fn complete_correction(&self, event: u64, with: Event) -> Result<Event, TableError> {
        self.state()?;
        let target = event.checked_sub(1).and_then(|place| self.events().get(place as usize));
        let target = target.filter(|_| self.stands(event)).ok_or(TableError::NoEvent(event))?;
        let alike = match (&target.event, &with) {
            (Event::Undone { .. } | Event::Corrected { .. }, _) => false,
            (Event::Lost { .. }, Event::Opened(_)) => event == 1,
            (Event::Lost { .. }, new) => new.name() != "lost" && event > 1,
            (old, new) if old.is_deal() => new.is_deal(),
            (old, new) => old.name() == new.name(),
        };
        if !alike {
            return Err(TableError::OtherKind { event, with: with.name() });
        }
        let with = match with {
            Event::Opened(new) => {
                check_players(&new.players, self.rules()?)?;
                let old = self.opened()?;
                let fixed = |it: &super::Opened| {
                    let (rules, rulings) = (it.rules.clone(), it.rulings.clone());
                    (rules, it.rule_file.clone(), rulings, it.players.len(), it.sitting)
                };
                let same = fixed(old) == fixed(&new);
                if !same {
                    return Err(TableError::RulesChanged);
                }
                Event::Opened(super::Opened { initial: new.initial.or(old.initial), ..new })
            }
            with => {
                // The time of play stays, unless it is corrected too.
                let played = self.state()?.history.iter().find(|record| record.event == event);
                let played = played.map(|record| record.at).filter(|at| *at != target.at);
                let with = match with {
                    Event::Deal(deal) => {
                        Event::Deal(Deal { rolled: deal.rolled.or(played), ..deal })
                    }
                    Event::Draw(draw) => {
                        Event::Draw(Draw { rolled: draw.rolled.or(played), ..draw })
                    }
                    Event::Chombo(chombo) => {
                        Event::Chombo(Chombo { rolled: chombo.rolled.or(played), ..chombo })
                    }
                    other => other,
                };
                let before = self.before(event)?;
                complete(before.folded()?, with)?
            }
        };
        Ok(Event::Corrected { event, with: Box::new(with) })
    }

    /// Whether an event fits the table's current state, for an audit: a deal says the number, round and
    /// dealer that it was written down with, payments add up to zero.
    ///
    /// # Errors
    /// The contradiction.
    pub fn fits(&self, event: &Event) -> Result<(), String> {
        let place_fits = |table: &Table, place: &Option<DealPlace>| match (place, table.state()) {
            (Some(place), Ok(state)) if *place != state.place && !state.adrift => {
                let said = |place: &DealPlace| {
                    let on_table = [(place.honba, "counters"), (place.sticks, "sticks")];
                    let on_table = on_table
                        .iter()
                        .filter_map(|(count, what)| Some(format!(", {} {what}", (*count)?)));
                    let on_table: String = on_table.collect();
                    format!("deal {} of round {}{on_table}", place.number, place.round)
                };
                let (says, comes_to) = (said(place), said(&state.place));
                Err(format!("it says {says}, the log comes to {comes_to}"))
            }
            _ => Ok(()),
        };
        match event {
            Event::Deal(deal) => {
                place_fits(self, &deal.place)?;
                zero_sums(deal).map_err(|error| error.to_string())
            }
            Event::Chombo(Chombo { place, payments, .. }) => {
                place_fits(self, place)?;
                check_zero(payments.as_deref().unwrap_or_default()).map_err(|why| why.to_string())
            }
            Event::Draw(Draw { place, .. }) => place_fits(self, place),
            Event::Undone { event } | Event::Corrected { event, .. } if !self.stands(*event) => {
                Err(TableError::NoEvent(*event).to_string())
            }
            Event::Corrected { event, with } => {
                let before = self.before(*event).map_err(|error| error.to_string())?;
                if matches!(**with, Event::Opened(_)) { Ok(()) } else { before.fits(with) }
            }
            _ => Ok(()),
        }
    }
}

fn check_players(players: &[Seated], rules: &RuleSet) -> Result<(), TableError> {
    for (place, player) in players.iter().enumerate() {
        let name = Name::new(&player.name)?;
        if players[..place].iter().any(|other| other.name.same_as(&name)) {
            return Err(TableError::Twins(name));
        }
        if player.new_player_wins.is_some() && rules.session().handicap.is_none() {
            let what = "minimum of a new player's own";
            return Err(TableError::Unknown { rules: rules.id.clone(), what, hint: "" });
        }
    }
    Ok(())
}

/// The time at which a deal's dice were rolled, if given: not before the last deal's.
fn check_rolled(state: &TableState, event: &Event) -> Result<Option<Timestamp>, TableError> {
    let (Event::Deal(Deal { rolled, .. })
    | Event::Draw(Draw { rolled, .. })
    | Event::Chombo(Chombo { rolled, .. })) = event
    else {
        return Ok(None);
    };
    let last = state.last_deal().map(|deal| deal.at);
    match (rolled, last) {
        (Some(said), Some(last)) if *said < last => {
            Err(TableError::NotThen { said: *said, last: Some(last) })
        }
        _ => Ok(*rolled),
    }
}

/// Completes an event that changes the table's current state.
fn complete(table: &Folded, event: Event) -> Result<Event, TableError> {
    let Folded { rules, state, .. } = table;
    let seated = state.players.len();
    let check = |player: usize| {
        if player < seated { Ok(()) } else { Err(TableError::NoPlayer { player, seated }) }
    };
    let session = rules.session();
    match &event {
        Event::Deal(deal) => return complete_deal(rules, state, deal).map(Event::Deal),
        Event::Draw(draw) => return complete_draw(rules, state, draw).map(Event::Draw),
        Event::Chombo(chombo) => {
            check(chombo.player)?;
            return complete_chombo(rules, state, chombo).map(Event::Chombo);
        }
        Event::ClockStarted { minutes, .. } => {
            if let Some(clock) = state.clock {
                return Err(TableError::ClockRuns { started: clock.started });
            }
            if minutes.or(table.clock_minutes()).is_none() {
                let hint = ": say how many minutes";
                return Err(TableError::Unknown { rules: rules.id.clone(), what: "clock", hint });
            }
        }
        Event::ClockSet { .. } => {
            if state.clock.is_none() {
                return Err(TableError::NoClock);
            }
        }
        Event::Discarded { player, tile } => {
            check(*player)?;
            face(tile)?;
        }
        Event::DiscardRows { rows, claimed } => {
            if rows.len() != seated || claimed.len() != seated {
                return Err(TableError::Shape("a row of discards for each player"));
            }
            for row in rows.iter().chain(claimed) {
                faces(row)?;
            }
        }
        Event::Penalty(penalty) => {
            check(penalty.player)?;
            let penalties = table.penalty_rules();
            if !penalties.are_known() && penalty.points.is_none() {
                return Err(TableError::Cost { rules: rules.id.clone() });
            }
            let causes = penalties.causes.keys();
            check_cause(rules, "penalty", penalty.cause.as_deref(), causes)?;
            let cause = penalty.cause.as_ref().and_then(|cause| penalties.causes.get(cause));
            let fixed = penalty.points.or(cause.and_then(|cause| cause.points));
            if penalties.first == 0 && fixed.is_none() {
                return Err(TableError::Cost { rules: rules.id.clone() });
            }
        }
        Event::DeadHand(fault) => {
            check(fault.player)?;
            if session.dead_hands.is_empty() {
                return Err(TableError::Unknown {
                    rules: rules.id.clone(),
                    what: "dead hands",
                    hint: "",
                });
            }
            check_fault(rules, "dead hand", fault, session.dead_hands.keys())?;
        }
        Event::VoidClaim(fault) => {
            check(fault.player)?;
            check_cause(rules, "void claim", fault.cause.as_deref(), session.void_claims.keys())?;
        }
        Event::Disqualified(fault) => check(fault.player)?,
        Event::Ended { .. } => {}
        // These are completed by their callers.
        Event::Opened(_) | Event::Undone { .. } | Event::Corrected { .. } | Event::Lost { .. } => {}
    }
    Ok(event)
}

fn check_fault<'a>(
    rules: &RuleSet,
    what: &'static str,
    fault: &PlayerFault,
    known: impl Iterator<Item = &'a String> + Clone,
) -> Result<(), TableError> {
    if fault.cause.is_none() && fault.note.is_empty() {
        let known = known.cloned().collect();
        return Err(TableError::Cause {
            rules: rules.id.clone(),
            what,
            cause: String::new(),
            known,
        });
    }
    check_cause(rules, what, fault.cause.as_deref(), known)
}

/// A void deal checked against the table and completed.
fn complete_chombo(
    rules: &RuleSet,
    state: &TableState,
    chombo: &Chombo,
) -> Result<Chombo, TableError> {
    let known = &rules.session().chombo;
    if let Some(payments) = &chombo.payments {
        if payments.len() != state.players.len() {
            return Err(TableError::Shape("a payment for each player"));
        }
        check_zero(payments)?;
    } else if !known.are_known() {
        return Err(TableError::ChomboUnpaid { rules: rules.id.clone() });
    }
    // A fault that the rules do not know may be for anything.
    if known.are_known() {
        check_cause(rules, "chombo", chombo.cause.as_deref(), known.causes.keys())?;
    }
    Ok(Chombo { place: Some(state.place), ..chombo.clone() })
}

fn check_cause<'a>(
    rules: &RuleSet,
    what: &'static str,
    cause: Option<&str>,
    mut known: impl Iterator<Item = &'a String> + Clone,
) -> Result<(), TableError> {
    let all = known.clone();
    match cause {
        Some(cause) if !known.any(|other| other == cause) => Err(TableError::Cause {
            rules: rules.id.clone(),
            what,
            cause: cause.to_owned(),
            known: all.cloned().collect(),
        }),
        _ => Ok(()),
    }
}

impl std::fmt::Display for Over {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Played => f.write_str("all rounds were played"),
            Self::Time => f.write_str("the clock had run out"),
            Self::Bust { .. } => f.write_str("somebody has less than nothing"),
            Self::Leader => f.write_str("the last dealer leads"),
            Self::Target => {
                f.write_str("the target is reached, or the rounds played for it are over")
            }
            Self::Ended { note } if note.is_empty() => f.write_str("it was ended"),
            Self::Ended { note } => write!(f, "it was ended ({note})"),
        }
    }
}

impl Discards {
    /// Whether any discard has been entered.
    pub fn are_known(&self) -> bool {
        *self != Self::Unknown
    }
}
