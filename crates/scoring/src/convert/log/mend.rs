//! Mends our own record: what somebody who knows says of an event is written behind the events of its deal.

use std::time::Duration;

use thiserror::Error;

use super::{LogError, read_own};
use crate::{
    record::{Event, SeenEvent},
    tile::{SeenFace, Tile},
};

/// What somebody who knows says of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mending {
    /// The deal, from 0.
    pub deal: usize,
    /// The number of the event in the deal, whose beginning is 0.
    pub event: usize,
    /// The tile of a discard, where it was written as another one. Otherwise the event is right as it stands.
    pub tile: Option<Tile>,
}

/// A record that was mended.
#[derive(Clone, Debug, PartialEq)]
pub struct Mended {
    /// The whole record.
    pub text: String,
    /// The lines that were added to it.
    pub added: Vec<SeenEvent>,
}

/// Why a record is not mended.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MendError {
    /// It is another log, or damaged.
    #[error("this is no record of ours ({0}): `tilelens record import` makes one of a log")]
    NotOwn(LogError),
    /// The event is not there, or nothing can be said of it.
    #[error("deal {} has no event {event}: the record has changed, load the page again", .deal + 1)]
    NoEvent {
        /// The deal, from 0.
        deal: usize,
        /// The event.
        event: usize,
    },
    /// A tile for an event that is no discard.
    #[error("only a discard can be given another tile; sets follow the discards that they claim")]
    NoDiscard,
    /// The tiles do not allow it.
    #[error("the other tiles do not allow this one: {0}")]
    NotAllowed(LogError),
}

/// The record with what is said of an event, at `at` since 1970. The lines that are there stay as they are.
///
/// # Errors
/// [`MendError`].
///
/// ```
/// use std::time::Duration;
/// use tilelens_scoring::convert::log::{Mending, mended};
///
/// let record = r#"{"type":"game","players":["",""]}
/// {"type":"deal","round":"E","dealer":0,"hands":["?????????????","?????????????"]}
/// {"type":"draw","player":0,"tile":"?"}
/// {"type":"discard","player":0,"tile":"5m"}
/// {"type":"doubt","event":2,"why":"tile"}
/// {"type":"no_win","why":"exhausted"}
/// {"type":"end"}
/// "#;
/// let is = Mending { deal: 0, event: 2, tile: Some("6m".parse()?) };
/// let text = mended(record, is, Duration::from_secs(9))?.text;
/// assert!(text.ends_with(r#"{"type":"correction","event":2,"tile":"6m","at":9000}
/// {"type":"settled","event":2,"at":9000}
/// {"type":"end"}
/// "#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn mended(text: &str, mending: Mending, at: Duration) -> Result<Mended, MendError> {
    let Mending { deal, event, tile } = mending;
    let record = read_own(text).map_err(MendError::NotOwn)?;
    let none = || MendError::NoEvent { deal, event };
    let begins = |(_, event): &(usize, &Event)| matches!(event, Event::Deal(_));
    let begin = record.events.iter().enumerate().filter(begins).nth(deal).ok_or_else(none)?.0;
    let is_deal = |event: &&Event| !matches!(event, Event::Deal(_) | Event::Game { .. });
    let events = 1 + record.events[begin + 1..].iter().take_while(is_deal).count();
    let is_about = |event: &Event| {
        matches!(event, Event::Correction { .. } | Event::Doubt { .. } | Event::Settled { .. })
    };
    let said = Some(event).filter(|event| *event < events);
    let said = said.and_then(|event| record.events.get(begin + event));
    let said = said.filter(|said| !is_about(said)).ok_or_else(none)?;
    if tile.is_some() && !matches!(said, Event::Discard { .. }) {
        return Err(MendError::NoDiscard);
    }
    let last = begin + events - 1;
    let before = if matches!(record.events[last], Event::End) { last } else { last + 1 };
    let is = tile.map(|tile| Event::Correction { event, tile: SeenFace::Tile(tile) });
    let at = u64::try_from(at.as_millis()).unwrap_or(u64::MAX);
    let mut lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let said = is.into_iter().chain([Event::Settled { event }]);
    let added: Vec<SeenEvent> =
        said.map(|event| SeenEvent { event, at, confidence: None }).collect();
    let written: Vec<String> =
        added.iter().filter_map(|line| serde_json::to_string(line).ok()).collect();
    lines.splice(before..before, written.iter().map(String::as_str));
    let text = lines.join("\n") + "\n";
    let known = read_own(&text).map_err(MendError::NotAllowed)?.corrected();
    let known = known.json_lines().map_err(|error| LogError::new("the record", error.to_string()));
    known.and_then(|known| read_own(&known)).map_err(MendError::NotAllowed)?;
    Ok(Mended { text, added })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::log::read_own;

    const PLAYED: &str = r#"{"type":"game","players":["",""],"at":1}
{"type":"deal","round":"E","dealer":0,"hands":["?????????????","?????????????"]}
{"type":"draw","player":0,"tile":"?"}
{"type":"discard","player":0,"tile":"5m","at":2,"confidence":0.5}
{"type":"claim","player":1,"from":0,"kind":"chow","tile":"5m","own":"67m"}
{"type":"discard","player":1,"tile":"9s"}
{"type":"doubt","event":2,"why":"tile"}
{"type":"doubt","event":3,"why":"order"}
{"type":"no_win","why":"exhausted"}
{"type":"end"}
{"type":"deal","round":"E","dealer":1,"hands":["?????????????","?????????????"]}
{"type":"draw","player":1,"tile":"?"}
"#;

    fn mend(deal: usize, event: usize, tile: Option<&str>) -> Result<String, MendError> {
        let tile = tile.map(|tile| tile.parse().unwrap());
        Ok(mended(PLAYED, Mending { deal, event, tile }, Duration::ZERO)?.text)
    }

    #[test]
    fn what_is_said_stands_in_its_deal_and_the_rest_is_as_it_was() {
        for (deal, event, tile) in [(0, 2, Some("8m")), (0, 3, None), (1, 1, None), (0, 0, None)] {
            let text = mend(deal, event, tile).unwrap();
            let before: Vec<&str> = PLAYED.lines().collect();
            let kept: Vec<&str> = text.lines().filter(|line| before.contains(line)).collect();
            assert_eq!(kept, before);
            let known = read_own(&text).unwrap().known();
            let of_deal = known.iter().filter(|known| known.number == event);
            let of_deal = of_deal.filter(|known| !matches!(known.event, Event::Game { .. }));
            assert!(of_deal.clone().nth(deal).unwrap().doubts.is_empty());
            let lines: Vec<&str> = text.lines().collect();
            let said = lines.iter().position(|line| line.contains("settled")).unwrap();
            let next = lines.get(said + 1).copied();
            assert_eq!(next, (deal == 0).then_some(r#"{"type":"end"}"#), "{text}");
        }
        // Both said one after the other.
        let text = mend(0, 2, Some("8m")).unwrap();
        let text = mended(&text, Mending { deal: 0, event: 3, tile: None }, Duration::ZERO);
        assert!(
            read_own(&text.unwrap().text).unwrap().known().iter().all(|it| it.doubts.is_empty())
        );
    }

    #[test]
    fn what_cannot_be_is_refused() {
        // 9p makes no chow with 6m and 7m.
        assert!(matches!(mend(0, 2, Some("9p")), Err(MendError::NotAllowed(_))));
        assert_eq!(mend(0, 1, Some("9p")), Err(MendError::NoDiscard));
        for (deal, event) in [(0, 5), (0, 9), (1, 2), (2, 0), (0, usize::MAX)] {
            assert_eq!(mend(deal, event, None), Err(MendError::NoEvent { deal, event }));
        }
        let other = mended("{}", Mending { deal: 0, event: 0, tile: None }, Duration::ZERO);
        assert!(other.unwrap_err().to_string().contains("record import"));
    }
}
