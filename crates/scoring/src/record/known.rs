//! What is known of each event in the end: its tile as later events correct it, and the doubts that nobody has settled.

use std::collections::BTreeSet;

use super::{ClaimKind, Doubtful, Event, Record};
use crate::tile::SeenFace;

/// An event as it is known in the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownEvent {
    /// The event.
    pub event: Event,
    /// Its place in the text that was read, for messages: `line 3`.
    pub place: String,
    /// Its number in the deal, whose beginning is 0.
    pub number: usize,
    /// What about it is not certain.
    pub doubts: BTreeSet<Doubtful>,
}

impl Record {
    /// The events with the tiles as later events correct them, and what of them is not certain. Events about others are not
    /// among them.
    #[must_use]
    pub fn known(&self) -> Vec<KnownEvent> {
        let mut known: Vec<KnownEvent> = Vec::new();
        // The place among the known ones of each event of the deal; of an event about another one nothing.
        let mut deal: Vec<Option<usize>> = Vec::new();
        for (event, place) in self.events.iter().zip(&self.places) {
            if matches!(event, Event::Game { .. } | Event::Deal(_)) {
                deal.clear();
            }
            let is_about = match event {
                Event::Correction { event, .. }
                | Event::Doubt { event, .. }
                | Event::Settled { event } => Some(*event),
                _ => None,
            };
            deal.push(is_about.is_none().then_some(known.len()));
            let Some(number) = is_about else {
                let (number, doubts) = (deal.len() - 1, BTreeSet::new());
                known.push(KnownEvent {
                    event: event.clone(),
                    place: place.clone(),
                    number,
                    doubts,
                });
                continue;
            };
            let Some(about) = deal.get(number).copied().flatten() else { continue };
            match event {
                Event::Correction { tile, .. } => correct(&mut known[about..], *tile),
                Event::Doubt { why, .. } => drop(known[about].doubts.insert(*why)),
                _ => known[about].doubts.clear(),
            }
        }
        known
    }

    /// The same without what is not certain: for what has no corrections and doubts.
    #[must_use]
    pub fn corrected(&self) -> Self {
        let known = self.known().into_iter();
        let (events, places) = known.map(|known| (known.event, known.place)).unzip();
        Self { events, places }
    }
}

/// Gives the first event, a discard, another tile, and so the set of whoever has claimed it.
fn correct(events: &mut [KnownEvent], right: SeenFace) {
    let Some((first, rest)) = events.split_first_mut() else { return };
    let Event::Discard { tile, .. } = &mut first.event else { return };
    let wrong = std::mem::replace(tile, right);
    let until_next = rest
        .iter_mut()
        .take_while(|next| !matches!(next.event, Event::Draw { .. } | Event::Discard { .. }));
    for next in until_next {
        if let Event::Claim { kind, tile, own, .. } = &mut next.event {
            *tile = right;
            if *kind != ClaimKind::Chow {
                own.0.iter_mut().filter(|own| **own == wrong).for_each(|own| *own = right);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::log;

    const PLAYED: &str = r#"{"type":"game","players":["",""]}
{"type":"deal","round":"E","dealer":0,"hands":["?????????????","?????????????"]}
{"type":"draw","player":0,"tile":"?"}
{"type":"discard","player":0,"tile":"5m"}
{"type":"claim","player":1,"from":0,"kind":"pung","tile":"5m","own":"55m"}
{"type":"doubt","event":2,"why":"tile"}
{"type":"doubt","event":3,"why":"giver"}
"#;

    fn known(more: &str) -> Vec<KnownEvent> {
        log::read_own(&format!("{PLAYED}{more}")).unwrap().known()
    }

    #[test]
    fn a_corrected_discard_is_corrected_in_the_set_that_claims_it() {
        let record =
            log::read_own(&format!("{PLAYED}{}", r#"{"type":"correction","event":2,"tile":"6p"}"#));
        let lines = record.unwrap().corrected().json_lines().unwrap();
        assert!(lines.contains(r#""kind":"pung","tile":"6p","own":"66p""#), "{lines}");
        assert!(!lines.contains("5m"), "{lines}");
    }

    #[test]
    fn doubts_stay_until_they_are_settled_each_event_for_itself() {
        let doubts = |more: &str| -> Vec<(usize, Vec<Doubtful>)> {
            let doubted = known(more).into_iter().filter(|known| !known.doubts.is_empty());
            doubted.map(|known| (known.number, known.doubts.into_iter().collect())).collect()
        };
        assert_eq!(doubts(""), [(2, vec![Doubtful::Tile]), (3, vec![Doubtful::Giver])]);
        let settled = r#"{"type":"settled","event":2}"#;
        assert_eq!(doubts(settled), [(3, vec![Doubtful::Giver])]);
        // A tile that is corrected is not yet said to be certain.
        assert_eq!(doubts(r#"{"type":"correction","event":2,"tile":"6p"}"#).len(), 2);
    }
}
