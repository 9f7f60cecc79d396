//! A table as a fold over its events: seats, winds, totals, standings, history.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, LazyLock},
};

use jiff::{SignedDuration, Timestamp};

use super::{
    Amount, Clock, Deal, DealRecord, Discards, Event, Opened, Over, Place, PlayerState, Problem,
    Recorded, TableError, TableState, Winner, scoring::score,
};
use crate::{
    rules::{AfterTime, DealEnd, Library, RuleSet, SessionRules},
    tile::{Face, Seat, SeenFace, Tile},
};

/// A table: its events, and what they come to.
#[derive(Clone, Debug)]
pub struct Table {
    number: u32,
    events: Vec<Recorded>,
    folded: Option<Folded>,
}

/// The rules and the state, once the table was opened.
#[derive(Clone, Debug)]
struct Folded {
    opened: Opened,
    rules: Arc<RuleSet>,
    state: TableState,
}

/// The rule set that a table was opened with.
pub(super) fn rules_of(opened: &Opened) -> Result<Arc<RuleSet>, TableError> {
    static PRESETS: LazyLock<Library> = LazyLock::new(Library::default);
    let rulings = || opened.rulings.iter().map(|(id, choice)| (id.as_str(), choice.as_str()));
    match &opened.rule_file {
        Some(text) => RuleSet::parse(text)
            .and_then(|rules| rules.with_rulings(rulings()))
            .map(Arc::new)
            .map_err(|error| TableError::Rules(error.to_string())),
        None => {
            let rulings: Vec<_> = rulings()
                .map(|(id, choice)| (id.to_owned().into(), choice.to_owned().into()))
                .collect();
            PRESETS.rule_set(&opened.rules, &rulings).map_err(TableError::Rules)
        }
    }
}

impl Table {
    /// A table of which nothing is known yet. `number`: its number in the ledger.
    pub fn new(number: u32) -> Self {
        Self { number, events: Vec::new(), folded: None }
    }

    /// A table from its log.
    ///
    /// # Errors
    /// The first event that cannot be replayed.
    pub fn replay(
        number: u32,
        events: impl IntoIterator<Item = Recorded>,
    ) -> Result<Self, TableError> {
        let mut table = Self { events: events.into_iter().collect(), ..Self::new(number) };
        table.fold_anew()?;
        Ok(table)
    }

    /// Its number in the ledger.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The table with events that others have written meanwhile.
    ///
    /// # Errors
    /// The first event that cannot be replayed.
    #[cfg(feature = "ledger")]
    pub(crate) fn extended(mut self, events: Vec<Recorded>) -> Result<Self, (u64, TableError)> {
        let undoes =
            |event: &Event| matches!(event, Event::Undone { .. } | Event::Corrected { .. });
        // Looking up what was undone is done once for all.
        if events.iter().any(|recorded| undoes(&recorded.event)) {
            let last = events.last().map_or(0, |recorded| recorded.seq);
            self.events.extend(events);
            return self.fold_anew().map(|()| self).map_err(|error| (last, error));
        }
        for recorded in events {
            let seq = recorded.seq;
            self.push(recorded).map_err(|error| (seq, error))?;
        }
        Ok(self)
    }

    /// Everything that was written down, taken back or not.
    pub fn events(&self) -> &[Recorded] {
        &self.events
    }

    /// The table as it stands.
    ///
    /// # Errors
    /// Where it was never opened.
    pub fn state(&self) -> Result<&TableState, TableError> {
        self.folded.as_ref().map(|folded| &folded.state).ok_or(TableError::NotOpened)
    }

    /// The rule set that is played.
    ///
    /// # Errors
    /// Where the table was never opened.
    pub fn rules(&self) -> Result<&Arc<RuleSet>, TableError> {
        self.folded.as_ref().map(|folded| &folded.rules).ok_or(TableError::NotOpened)
    }

    /// What the table was opened with, corrections included.
    ///
    /// # Errors
    /// Where the table was never opened.
    pub fn opened(&self) -> Result<&Opened, TableError> {
        self.folded.as_ref().map(|folded| &folded.opened).ok_or(TableError::NotOpened)
    }

    /// Adds an event that was written down.
    ///
    /// # Errors
    /// Where it cannot be replayed; the table is then as before.
    pub fn push(&mut self, recorded: Recorded) -> Result<(), TableError> {
        if recorded.seq != self.events.len() as u64 + 1 {
            return Err(TableError::OutOfOrder { seq: recorded.seq });
        }
        if matches!(recorded.event, Event::Undone { .. } | Event::Corrected { .. }) {
            self.events.push(recorded);
            return self.fold_anew().inspect_err(|_| {
                self.events.pop();
            });
        }
        apply(&mut self.folded, self.number, &recorded, &recorded.event, None)?;
        self.events.push(recorded);
        Ok(())
    }

    /// The table as it stood when only the first events had been written: a replay to any moment.
    ///
    /// # Errors
    /// As [`Table::replay`].
    pub fn after(&self, events: u64) -> Result<Self, TableError> {
        Self::replay(self.number, self.events.iter().take(events as usize).cloned())
    }

    /// The table as it stood at that time.
    ///
    /// # Errors
    /// As [`Table::replay`].
    pub fn at(&self, time: Timestamp) -> Result<Self, TableError> {
        let earlier = self.events.iter().take_while(|recorded| recorded.at <= time);
        Self::replay(self.number, earlier.cloned())
    }

    /// The table just before an event, under everything that was corrected since.
    ///
    /// # Errors
    /// As [`Table::replay`].
    pub fn before(&self, seq: u64) -> Result<Self, TableError> {
        let mut table = Self::new(self.number);
        let effects = Effects::of(&self.events);
        for recorded in self.events.iter().take_while(|recorded| recorded.seq < seq) {
            effects.apply(&mut table.folded, self.number, recorded)?;
        }
        Ok(table)
    }

    /// Whether an event stands: it was not taken back.
    pub fn stands(&self, seq: u64) -> bool {
        (1..=self.events.len() as u64).contains(&seq)
            && !Effects::of(&self.events).void.contains(&seq)
    }

    /// The events that were taken back.
    pub fn taken_back(&self) -> HashSet<u64> {
        Effects::of(&self.events).void
    }

    fn fold_anew(&mut self) -> Result<(), TableError> {
        let mut folded = None;
        let effects = Effects::of(&self.events);
        for recorded in &self.events {
            effects.apply(&mut folded, self.number, recorded)?;
        }
        self.folded = folded;
        Ok(())
    }
}

/// What later events did to earlier ones.
struct Effects<'a> {
    void: HashSet<u64>,
    replaced: HashMap<u64, (u64, &'a Event)>,
}

impl<'a> Effects<'a> {
    /// From the last event to the first: what was taken back takes nothing back itself, and the
    /// last correction counts.
    fn of(events: &'a [Recorded]) -> Self {
        let mut effects = Self { void: HashSet::new(), replaced: HashMap::new() };
        for recorded in events.iter().rev() {
            if effects.void.contains(&recorded.seq) {
                continue;
            }
            match &recorded.event {
                Event::Undone { event } if *event < recorded.seq => {
                    effects.void.insert(*event);
                }
                Event::Corrected { event, with } if *event < recorded.seq => {
                    effects.replaced.entry(*event).or_insert((recorded.seq, with));
                }
                _ => {}
            }
        }
        effects
    }

    fn apply(
        &self,
        folded: &mut Option<Folded>,
        number: u32,
        recorded: &Recorded,
    ) -> Result<(), TableError> {
        if self.void.contains(&recorded.seq) {
            if let Some(folded) = folded {
                folded.state.last_event = recorded.seq;
            }
            return Ok(());
        }
        match self.replaced.get(&recorded.seq) {
            Some((by, event)) => apply(folded, number, recorded, event, Some(*by)),
            None => apply(folded, number, recorded, &recorded.event, None),
        }
    }
}

fn apply(
    folded: &mut Option<Folded>,
    number: u32,
    recorded: &Recorded,
    event: &Event,
    corrected_by: Option<u64>,
) -> Result<(), TableError> {
    match (folded.as_mut(), event) {
        (None, Event::Opened(opened)) => {
            *folded = Some(Folded::new(number, recorded.seq, opened)?);
            Ok(())
        }
        (Some(_), Event::Opened(_)) => Err(TableError::OpenedTwice { seq: recorded.seq }),
        (None, _) => Err(TableError::NotOpened),
        (Some(folded), event) => folded.apply(recorded, event, corrected_by),
    }
}

impl Folded {
    fn new(table: u32, seq: u64, opened: &Opened) -> Result<Self, TableError> {
        let rules = rules_of(opened)?;
        let session = rules.session();
        let seated = opened.players.len();
        if seated != 4 && !(seated == 3 && rules.three_players()) {
            return Err(TableError::Players { rules: rules.id.clone(), seated });
        }
        let initial = opened.initial.unwrap_or(Amount::whole(session.initial_points));
        let players: Vec<PlayerState> = (opened.players.iter().zip(Seat::ALL))
            .map(|(player, seat)| PlayerState::new(player, seat, initial))
            .collect();
        let state = TableState {
            table,
            title: opened.title.clone(),
            rules: rules.id.clone(),
            rules_name: rules.name.clone(),
            players,
            place: Place { number: 1, round: Seat::East, dealer: 0 },
            rounds_played: 0,
            rounds: session.rounds,
            over: None,
            clock: None,
            tiles_aside: if seated == 3 { session.three_players.tiles_aside } else { 0 },
            discards: Discards::Unknown,
            last_event: seq,
            history: Vec::new(),
            problems: Vec::new(),
            passes: 0,
        };
        let mut folded = Self { opened: opened.clone(), rules, state };
        folded.set_minimums();
        Ok(folded)
    }

    fn player(&mut self, player: usize) -> Result<&mut PlayerState, TableError> {
        let seated = self.state.players.len();
        self.state.players.get_mut(player).ok_or(TableError::NoPlayer { player, seated })
    }

    fn apply(
        &mut self,
        recorded: &Recorded,
        event: &Event,
        corrected_by: Option<u64>,
    ) -> Result<(), TableError> {
        match event {
            // What they change was looked up before the fold began.
            Event::Opened(_) | Event::Undone { .. } | Event::Corrected { .. } => {}
            Event::VoidClaim(fault) => {
                self.player(fault.player)?;
            }
            Event::ClockStarted { minutes } => {
                let session = self.rules.session();
                let minutes = minutes.or(session.clock_minutes).unwrap_or(0);
                let length = SignedDuration::from_mins(i64::from(minutes));
                let ends = recorded.at.checked_add(length).unwrap_or(Timestamp::MAX);
                let then = session.after_time;
                self.state.clock = Some(Clock { started: recorded.at, ends, then });
            }
            Event::Deal(deal) => self.deal(recorded, deal, corrected_by)?,
            Event::Draw { .. } => {
                let payments = vec![Amount::ZERO; self.state.players.len()];
                self.settle(recorded, Vec::new(), payments, corrected_by);
            }
            Event::Discarded { player, tile } => {
                self.player(*player)?;
                let tile = face(tile)?;
                match &mut self.state.discards {
                    Discards::Order(all) => all.push((*player, tile)),
                    // Where rows were seen first, later discards go on in their rows.
                    Discards::Rows { rows, .. } => rows[*player].push(tile),
                    none => *none = Discards::Order(vec![(*player, tile)]),
                }
            }
            Event::DiscardRows { rows, claimed } => {
                let seated = self.state.players.len();
                if rows.len() != seated || claimed.len() != seated {
                    return Err(TableError::Shape("a row of discards for each player"));
                }
                let faces =
                    |rows: &[String]| rows.iter().map(|row| faces(row)).collect::<Result<_, _>>();
                self.state.discards =
                    Discards::Rows { rows: faces(rows)?, claimed: faces(claimed)? };
            }
            Event::Penalty(penalty) => {
                let rules = self.rules.session().penalties.clone();
                let cause = penalty.cause.as_ref().and_then(|cause| rules.causes.get(cause));
                let count = cause.map_or(1, |cause| cause.counts);
                let player = self.player(penalty.player)?;
                let cost = match penalty.points {
                    Some(points) => points,
                    None => u32::try_from(rules.cost(player.penalties, count)).unwrap_or(u32::MAX),
                };
                player.penalties = player.penalties.saturating_add(count);
                player.penalty_points += Amount::whole(cost);
                self.state.rank();
            }
            Event::DeadHand(fault) => {
                self.player(fault.player)?.dead_hand = Some(reason(fault));
            }
            Event::Disqualified(fault) => {
                self.player(fault.player)?.disqualified = Some(reason(fault));
                self.state.rank();
            }
            Event::Ended { why } => self.state.over = Some(Over::Ended { note: why.clone() }),
        }
        self.state.last_event = recorded.seq;
        Ok(())
    }

    fn deal(
        &mut self,
        recorded: &Recorded,
        deal: &Deal,
        corrected_by: Option<u64>,
    ) -> Result<(), TableError> {
        if deal.winners.is_empty() {
            return Err(TableError::Shape("a winner in a deal that was won"));
        }
        let mut winners = deal.winners.clone();
        for winner in &mut winners {
            self.player(winner.player)?;
            self.rescore_where_moved(recorded.seq, winner);
        }
        let seated = self.state.players.len();
        let scored: Option<Vec<&Vec<Amount>>> =
            winners.iter().map(|winner| Some(&winner.scored.as_ref()?.payments)).collect();
        let payments: Vec<Amount> = match (scored, &deal.payments) {
            (Some(all), _) => (0..seated)
                .map(|player| all.iter().filter_map(|payments| payments.get(player)).copied().sum())
                .collect(),
            (None, Some(said)) => said.clone(),
            (None, None) => return Err(TableError::Shape("hands or payments in a deal")),
        };
        if payments.len() != seated {
            return Err(TableError::Shape("a payment for each player"));
        }
        for winner in &winners {
            let name = self.player(winner.player)?.name.clone();
            let state = self.player(winner.player)?;
            let barred = state.dead_hand.is_some() || state.disqualified.is_some();
            state.wins += 1;
            if barred {
                self.problem(recorded.seq, format!("{name} wins, but may not win in this deal"));
            }
        }
        self.settle(recorded, winners, payments, corrected_by);
        Ok(())
    }

    /// A hand keeps the worth that was written down, unless a correction of an earlier deal has
    /// moved the winds or the winner's minimum since.
    fn rescore_where_moved(&mut self, seq: u64, winner: &mut Winner) {
        let Some(scored) = &winner.scored else { return };
        let player = &self.state.players[winner.player];
        let seats = self.state.players.iter().map(|player| &player.seat);
        let same = scored.seats.iter().eq(seats)
            && (scored.round, scored.minimum) == (self.state.place.round, player.minimum);
        if same {
            return;
        }
        match score(&self.rules, &self.state, winner) {
            Ok(scored) => winner.scored = Some(scored),
            Err(error) => {
                let name = player.name.clone();
                self.problem(
                    seq,
                    format!("{name}'s hand would not win as the seats are now ({error}); its payments stay as they were: correct this deal"),
                );
            }
        }
    }

    fn problem(&mut self, event: u64, what: String) {
        self.state.problems.push(Problem { event, what });
    }

    fn settle(
        &mut self,
        recorded: &Recorded,
        winners: Vec<Winner>,
        payments: Vec<Amount>,
        corrected_by: Option<u64>,
    ) {
        if self.state.over.is_some() {
            let what = "played after the session's end: undo it, or correct what ended the session";
            self.problem(recorded.seq, what.to_owned());
        }
        let state = &mut self.state;
        for (player, payment) in state.players.iter_mut().zip(&payments) {
            player.total += *payment;
            player.dead_hand = None;
        }
        state.rank();
        state.discards = Discards::Unknown;
        let end = if winners.is_empty() {
            DealEnd::Draw
        } else if winners.iter().any(|winner| winner.player == state.place.dealer) {
            DealEnd::DealerWins
        } else {
            DealEnd::OtherWins
        };
        state.history.push(DealRecord {
            event: recorded.seq,
            at: recorded.at,
            place: state.place,
            seats: state.players.iter().map(|player| player.seat).collect(),
            winners,
            payments,
            totals: state.players.iter().map(|player| player.total).collect(),
            corrected_by,
        });
        move_on(state, self.rules.session(), end, recorded.at);
        self.set_minimums();
    }

    fn set_minimums(&mut self) {
        let Some(handicap) = self.rules.session().handicap else { return };
        let most = self.rules.minimum();
        for player in &mut self.state.players {
            let before = player.new_player_wins;
            player.minimum = before.map(|before| {
                let wins = i32::try_from(before.saturating_add(player.wins)).unwrap_or(i32::MAX);
                let own = handicap.step.0.saturating_mul(wins).saturating_add(handicap.start.0);
                most.min(crate::rules::Halves(own))
            });
        }
    }
}

/// Winds, seats and rounds after a deal.
fn move_on(state: &mut TableState, session: &SessionRules, end: DealEnd, at: Timestamp) {
    state.place.number += 1;
    let mut round_ended = false;
    if session.deal_passes.contains(&end) {
        rotate(state);
        state.passes += 1;
        if state.passes == state.players.len() {
            state.passes = 0;
            state.rounds_played += 1;
            round_ended = true;
        }
    }
    let time_is_up = state.time_is_up(at);
    if state.rounds_played >= state.rounds {
        state.over = state.over.take().or(Some(Over::Played));
    } else if time_is_up && (round_ended || session.after_time != AfterTime::FinishRound) {
        state.over = state.over.take().or(Some(Over::Time));
    } else if round_ended {
        state.place.round = Seat::ALL[state.rounds_played as usize % 4];
        let change = session.seat_changes.get(state.rounds_played as usize - 1);
        // Seat changes name four seats; three players keep theirs.
        if let Some(change) = change
            && state.players.len() == 4
        {
            for player in &mut state.players {
                player.seat = change.get(&player.seat).copied().unwrap_or(player.seat);
            }
        }
    }
    state.place.dealer = state.at_seat(Seat::East).unwrap_or(0);
}

/// The deal passes: who sat South is East, and East sits where play ends.
fn rotate(state: &mut TableState) {
    let seated = state.players.len();
    for player in &mut state.players {
        player.seat = Seat::ALL[(player.seat.index() + seated - 1) % seated];
    }
}

fn reason(fault: &super::Fault) -> String {
    let cause = fault.cause.as_deref().unwrap_or_default();
    match (cause, fault.note.as_str()) {
        (cause, "") => cause.to_owned(),
        ("", note) => note.to_owned(),
        (cause, note) => format!("{cause}: {note}"),
    }
}

pub(super) fn face(text: &str) -> Result<Face, TableError> {
    let tile: Tile = text.parse().map_err(|_| TableError::Tile(text.to_owned()))?;
    Ok(tile.face())
}

/// Hand text as faces: `5p1m9m`.
pub(super) fn faces(text: &str) -> Result<Vec<Face>, TableError> {
    let wrong = || TableError::Tile(text.to_owned());
    let reading: crate::hand::Reading = text.parse().map_err(|_| wrong())?;
    if !reading.sets.is_empty() || !reading.bonus.is_empty() || reading.winning.is_some() {
        return Err(wrong());
    }
    let face = |seen: &SeenFace| match seen {
        SeenFace::Tile(tile) => Ok(tile.face()),
        SeenFace::Back | SeenFace::Unknown => Err(wrong()),
    };
    reading.concealed.iter().map(face).collect()
}
