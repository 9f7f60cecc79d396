//! Entries to confirm before they are written: nothing forbids them, but they are more often
//! a slip than the truth.

use std::{collections::HashSet, fmt, sync::Arc};

use jiff::{SignedDuration, Timestamp};

use super::{
    Deal, Draw, Event, PlayedOn, Recorded, Table, TableError, TableState, Winner,
    scoring::{circumstances, paid_by},
    stakes::honba,
};
use crate::{
    name::Name,
    points::Points,
    rules::{Halves, RuleSet, Worth},
    words::{Say, say},
};

/// A reason to ask before an event is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryDoubt {
    /// Payments that no hand of the rule set comes to.
    Payments {
        /// The rule set.
        rules: String,
        /// The only winner's gain for the next smaller and the next greater hand.
        near: Vec<(Name, Points)>,
    },
    /// A worth that no hand has.
    Worth {
        /// The rule set.
        rules: String,
        /// The given total.
        faan: Halves,
        /// The unit's word.
        unit: &'static str,
        /// The given points that choose the score together with it.
        points: u32,
        /// The word for such points.
        points_word: String,
        /// The smallest total of a hand with these points that is won like this.
        fewest: Halves,
    },
    /// A draw before the end of the wall for which another number of players has to be in riichi.
    Riichi {
        /// The description of its cause.
        about: String,
        /// The number of players in riichi that ends a deal.
        needed: usize,
        /// The number that is given.
        given: usize,
    },
    /// An equal deal was entered just before.
    Twice {
        /// Its number.
        number: u32,
        /// The age of the earlier entry in seconds.
        seconds: i64,
    },
}

impl EntryDoubt {
    /// The question as a sentence.
    pub fn sentence(&self) -> Say {
        match self {
            Self::Payments { rules, near } => match &near[..] {
                [] => say!("no hand of {rules} is paid like that", rules),
                [(name, one)] => say!(
                    "no hand of {rules} is paid like that: next to it {name} receives {one}",
                    rules,
                    name,
                    one = one.mixed()
                ),
                [(name, less), (_, more), ..] => say!(
                    "no hand of {rules} is paid like that: next to it {name} receives {less} or {more}",
                    rules,
                    name,
                    less = less.mixed(),
                    more = more.mixed()
                ),
            },
            Self::Worth { rules, faan, unit, points, points_word, fewest } => say!(
                "no hand of {rules} won like this is worth {faan} {unit} with {points} {fu}: the least is {fewest} {unit}",
                rules,
                faan,
                unit = Say::of(*unit),
                points,
                fu = Say::of(points_word.clone()),
                fewest
            ),
            Self::Riichi { about, needed, given } => say!(
                "{cause}: {needed} players are in riichi then, and {given} are given",
                cause = Say::of(about.clone()),
                needed,
                given
            ),
            Self::Twice { number, seconds } => {
                say!("deal {number} was entered like that {seconds} seconds ago", number, seconds)
            }
        }
    }
}

impl fmt::Display for EntryDoubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence().english())
    }
}

/// The most combinations that are tried: beyond them nothing is asked, as people would wait too long.
const MOST_TRIES: usize = 1_000_000;

/// The time within which an equal deal counts as entered twice.
const MINUTE: SignedDuration = SignedDuration::from_mins(1);

impl Table {
    /// The doubts about an event before it is written; `at`: the time of writing.
    ///
    /// # Errors
    /// Where the table was never opened, or the event names players that nobody is.
    pub fn doubts(&self, event: &Event, at: Timestamp) -> Result<Vec<EntryDoubt>, TableError> {
        let corrected = match event {
            Event::Corrected { event, with } => Some((self.before(*event)?, &**with)),
            _ => None,
        };
        let (table, said) =
            corrected.as_ref().map_or((self, event), |(before, with)| (before, *with));
        let mut doubts = Vec::new();
        if corrected.is_none()
            && let Some((number, ago)) = self.entered_before(event, at)
        {
            doubts.push(EntryDoubt::Twice { number, seconds: ago.as_secs() });
        }
        match said {
            Event::Deal(deal) => {
                let (rules, state) = (table.rules()?, table.state()?);
                // What the others settle among themselves may come to anything.
                if let Some(paid) = deal.payments.as_ref().filter(|_| rules.pays_winners_alone()) {
                    doubts.extend(unpayable(rules, state, deal, paid)?);
                }
                for winner in &deal.winners {
                    doubts.extend(impossible_worth(rules, state, winner)?);
                }
            }
            Event::Draw(draw) => doubts.extend(other_riichi(table.rules()?, draw)),
            _ => {}
        }
        Ok(doubts)
    }

    /// An equal deal, written within the last minute as the last one that counts.
    fn entered_before(&self, event: &Event, at: Timestamp) -> Option<(u32, SignedDuration)> {
        let record = self.state().ok()?.last_deal()?;
        let written = self.events().get(usize::try_from(record.event).ok()?.checked_sub(1)?)?;
        let ago = at.duration_since(written.at);
        let same = record.corrected_by.is_none() && bare(&written.event) == bare(event);
        let recent = (SignedDuration::ZERO..MINUTE).contains(&ago);
        let again = self.is_next_to(written);
        (same && recent && again && event.is_deal()).then_some((record.place.number, ago))
    }

    /// Whether no event that counts was written after this one.
    fn is_next_to(&self, written: &Recorded) -> bool {
        let void = self.taken_back();
        let later = self.events().iter().filter(|recorded| recorded.seq > written.seq);
        later
            .filter(|recorded| !void.contains(&recorded.seq))
            .all(|recorded| matches!(recorded.event, Event::Undone { .. }))
    }
}

/// An event as typed, without the fields that are filled in when it is written.
fn bare(event: &Event) -> Event {
    let mut event = event.clone();
    match &mut event {
        Event::Deal(deal) => {
            deal.place = None;
            let said = deal.played_on.as_ref().map(|it| it.as_said().into());
            deal.played_on = said.filter(|said: &Arc<PlayedOn>| **said != PlayedOn::default());
            // A declaration may be said of the deal, of the winner, or of both.
            deal.riichi.retain(|player| deal.winners.iter().all(|it| it.player != *player));
            for winner in &mut deal.winners {
                (winner.scored, winner.tile) = (None, None);
                winner.riichi = false;
            }
        }
        Event::Draw(draw) => {
            draw.place = None;
            let riichi = draw.riichi.clone();
            if let Some(tenpai) = &mut draw.tenpai {
                tenpai.extend(riichi);
                tenpai.sort_unstable();
                tenpai.dedup();
            }
            draw.riichi.sort_unstable();
        }
        Event::Chombo(chombo) => chombo.place = None,
        _ => {}
    }
    event
}

/// All payments that are possible for one winner's hand.
fn payable(
    rules: &RuleSet,
    state: &TableState,
    winners: &[Winner],
    place: usize,
) -> Result<HashSet<Vec<Points>>, TableError> {
    let honba = honba(rules.session(), state, winners, place);
    let at = circumstances(rules, state, &winners[place], honba)?;
    let all = rules.possible_payments(&at);
    all.iter().map(|paid| paid_by(state, paid).map(|paid| paid.to_vec())).collect()
}

fn unpayable(
    rules: &RuleSet,
    state: &TableState,
    deal: &Deal,
    paid: &[Points],
) -> Result<Option<EntryDoubt>, TableError> {
    let seated = state.players.len();
    let named = deal.winners.iter().flat_map(|winner| winner.from.iter().chain([&winner.player]));
    // Faults of the entry itself are reported when it is written.
    if deal.winners.is_empty() || paid.len() != seated || named.into_iter().any(|it| *it >= seated)
    {
        return Ok(None);
    }
    let all = (0..deal.winners.len())
        .map(|place| payable(rules, state, &deal.winners, place))
        .collect::<Result<Vec<_>, _>>()?;
    // Of several winners all that each can be paid is tried with all that others can.
    let tries: usize = all.iter().skip(1).map(HashSet::len).fold(1, usize::saturating_mul);
    if tries > MOST_TRIES || add_up(&all, paid) {
        return Ok(None);
    }
    let mut near = Vec::new();
    if let [winner] = &deal.winners[..] {
        let received = |paid: &Vec<Points>| paid[winner.player];
        let said = paid[winner.player];
        let below = all[0].iter().map(received).filter(|it| *it < said).max();
        let above = all[0].iter().map(received).filter(|it| *it > said).min();
        let same = all[0].iter().map(received).find(|it| *it == said);
        let name = &state.players[winner.player].name;
        let amounts = below.into_iter().chain(same).chain(above);
        near.extend(amounts.map(|amount| (name.clone(), amount)));
    }
    Ok(Some(EntryDoubt::Payments { rules: state.rules_name.clone(), near }))
}

/// A worth with fewer faan than a hand with its points has, won as this winner won.
fn impossible_worth(
    rules: &RuleSet,
    state: &TableState,
    winner: &Winner,
) -> Result<Option<EntryDoubt>, TableError> {
    // A player whom the table does not have is reported when the deal is written.
    let worth = winner.worth.filter(|_| winner.player < state.players.len());
    let Some(Worth::Counted { faan, points: Some(points) }) = worth else { return Ok(None) };
    let at = circumstances(rules, state, winner, 0)?;
    let fewest = rules.fewest_faan(points, &at).filter(|fewest| faan < *fewest);
    Ok(fewest.map(|fewest| EntryDoubt::Worth {
        rules: state.rules_name.clone(),
        faan,
        unit: rules.unit.word(),
        points,
        points_word: rules.points_word(),
        fewest,
    }))
}

/// A cause that ends a deal with another number of players in riichi than are given.
fn other_riichi(rules: &RuleSet, draw: &Draw) -> Option<EntryDoubt> {
    let (known, cause) = (&rules.session().draw, draw.abortive.as_ref()?);
    let (about, needed) = (known.abortive.get(cause)?, *known.riichi.get(cause)?);
    let given = draw.riichi.iter().collect::<HashSet<_>>().len();
    (given != needed).then(|| EntryDoubt::Riichi { about: about.clone(), needed, given })
}

/// Whether a choice of one possible payment for each winner adds up to the entered payments.
fn add_up(winners: &[HashSet<Vec<Points>>], paid: &[Points]) -> bool {
    match winners {
        [] => paid.iter().all(|points| *points == Points::ZERO),
        [only] => only.contains(paid),
        [first, others @ ..] => first.iter().any(|one| {
            let rest: Vec<Points> = paid.iter().zip(one).map(|(paid, one)| *paid - *one).collect();
            add_up(others, &rest)
        }),
    }
}
