//! The programme, which viewers see, and the preview of camera and operator. A hand goes on air automatically or when
//! the operator shows it, a typed one only when he shows it; a result when it is confirmed. Uncertain hands are marked
//! or taken off. Pure: previews in and out, times are passed in.

use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Preview, state::PhaseName};

/// The shortest time between changes by a camera; decisions take effect at once.
const PAUSE: Duration = Duration::from_secs(1);
/// The time after which a hand that is no longer read is taken off the air. Viewers are promised five seconds; the rest
/// is for the next frame and the transfer to the page.
const GONE: Duration = Duration::from_millis(4500);

/// Whether hands go on air automatically, and how uncertain hands are shown.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct OnAirSetting {
    /// Hands go on air automatically.
    pub auto: bool,
    /// The least confidence of a certain hand, from 0 to 1.
    pub least: f64,
    /// How a hand is shown that is uncertain or whose tiles are gone.
    pub unsure: Unsure,
}

impl Default for OnAirSetting {
    fn default() -> Self {
        Self { auto: true, least: 0.0, unsure: Unsure::Off }
    }
}

/// How a hand is shown that is uncertain or whose tiles are gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Unsure {
    /// It is taken off.
    Off,
    /// It stays, marked as in doubt.
    Mark,
}

/// The programme: the preview on air.
#[derive(Debug, Default)]
pub(super) struct Programme {
    setting: OnAirSetting,
    /// The preview as viewers have it; `None` before the first.
    view: Option<Preview>,
    /// The hand that the operator showed, where hands do not go on air automatically.
    kept: Option<Preview>,
    /// A hand that the operator showed although it is uncertain, or took off.
    decided: Option<(String, bool)>,
    /// Since when the reading has differed from the hand on air.
    other_since: Option<Instant>,
    changed: Option<Instant>,
    /// The next check may change the programme even if the preview does not change.
    waits: bool,
    /// The next change takes effect at once, since the operator has decided something.
    urgent: bool,
}

fn hand_of(view: &Preview) -> Option<&str> {
    view.hand().map(|hand| hand.text.as_str())
}

/// Whether the hand was typed, and not seen.
fn is_typed(view: &Preview) -> bool {
    view.context.text("hand").is_some()
}

impl Programme {
    pub const fn setting(&self) -> OnAirSetting {
        self.setting
    }

    /// Takes a setting over; a hand that is on air stays there until another one is shown.
    pub fn set(&mut self, setting: OnAirSetting) {
        if self.setting.auto && !setting.auto {
            self.kept = self.view.clone().filter(|view| view.hand().is_some());
        }
        (self.setting, self.urgent) = (setting, true);
    }

    /// Puts the current hand of a preview on air; false without one.
    pub fn show(&mut self, preview: &Preview) -> bool {
        let is_there = preview.phase != PhaseName::Rejected && !preview.stale;
        let Some(hand) = hand_of(preview).filter(|_| is_there) else { return false };
        self.decided = Some((hand.to_owned(), true));
        self.kept = Some(preview.clone());
        (self.other_since, self.urgent) = (None, true);
        true
    }

    /// Takes the hand that is on air off, until another one is read or it is shown again.
    pub fn hide(&mut self) {
        self.decided = self.view.as_ref().and_then(hand_of).map(|hand| (hand.to_owned(), false));
        (self.kept, self.urgent) = (None, true);
    }

    /// Makes the next change take effect at once, after a decision of the operator.
    pub const fn hurry(&mut self) {
        self.urgent = true;
    }

    /// Whether the programme may change by time alone.
    pub fn is_due(&self, now: Instant) -> bool {
        self.waits && self.changed.is_none_or(|changed| now >= changed + PAUSE)
    }

    /// Updates the programme from a preview. Returns what viewers have in its place; `None` where they have the same.
    pub fn update(&mut self, preview: &Preview, now: Instant) -> Option<Preview> {
        let wanted = self.wanted(preview, now);
        let before = self.view.as_ref();
        let is_decided = self.urgent
            || before.is_none_or(|view| (view.phase, view.photo) != (wanted.phase, wanted.photo));
        let may_change = is_decided || self.changed.is_none_or(|changed| now >= changed + PAUSE);
        let is_same = before == Some(&wanted);
        if !is_same && may_change {
            (self.view, self.changed) = (Some(wanted), Some(now));
        }
        self.urgent &= !may_change;
        self.waits = (!is_same && !may_change) || self.other_since.is_some();
        self.view.clone().filter(|view| view != preview)
    }

    fn wanted(&mut self, preview: &Preview, now: Instant) -> Preview {
        let mut view = preview.clone();
        if preview.phase == PhaseName::Confirmed {
            // Its result is on air, and the next hand is another one.
            (self.kept, self.decided, self.other_since) = (None, None, None);
            return view;
        }
        if !self.setting.auto {
            view = self.kept_now(view, now);
        }
        if self.decided.as_ref().is_some_and(|(hand, _)| hand_of(preview) != Some(hand))
            && self.kept.is_none()
        {
            self.decided = None;
        }
        self.judge(&mut view);
        view
    }

    /// The hand that the operator showed, if it is still read; else a preview without a hand.
    fn kept_now(&mut self, mut preview: Preview, now: Instant) -> Preview {
        // Showing a photo, or taking it off, is the operator's decision.
        let stays =
            |kept: &&Preview| preview.phase != PhaseName::Rejected && kept.photo == preview.photo;
        if let Some(mut kept) = self.kept.as_ref().filter(stays).cloned() {
            if hand_of(&kept) == hand_of(&preview) {
                self.other_since = None;
                (kept.doubtful, kept.stale) = (preview.doubtful, preview.stale);
                return kept;
            }
            let since = *self.other_since.get_or_insert(now);
            let is_gone = now >= since + GONE;
            if !is_gone || self.setting.unsure == Unsure::Mark {
                kept.doubtful = true;
                return kept;
            }
        }
        (self.kept, self.other_since) = (None, None);
        preview.reading = None;
        for seat in preview.seats.values_mut() {
            (seat.hand, seat.waits) = (None, Vec::new());
        }
        preview
    }

    /// Marks uncertain hands or takes them off, and typed ones that were not shown.
    fn judge(&self, view: &mut Preview) {
        let decided = self.decided.as_ref().filter(|(hand, _)| hand_of(view) == Some(hand));
        let decided = decided.map(|(_, is_shown)| *is_shown);
        if !decided.unwrap_or(!is_typed(view)) {
            view.reading = None;
        }
        let confidence = view.hand().map(|hand| hand.confidence).filter(|_| decided != Some(true));
        self.setting.mark(confidence, &mut view.stale, &mut view.doubtful);
        for seat in view.seats.values_mut() {
            let confidence = seat.hand.as_ref().map(|hand| f64::from(hand.confidence));
            self.setting.mark(confidence, &mut seat.stale, &mut seat.doubtful);
        }
    }
}

impl OnAirSetting {
    /// Takes tiles that are gone or not sure enough off, or marks them.
    fn mark(self, confidence: Option<f64>, stale: &mut bool, doubtful: &mut bool) {
        if *stale || confidence.is_some_and(|sure| sure < self.least) {
            *stale = self.unsure == Unsure::Off;
            *doubtful = !*stale;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{
        appraisal::HandReading,
        server::{
            Context, DealReading, SeatView,
            fixture::{confirmed, context, preview, seat},
        },
        tile::Seat,
    };

    /// A preview in which a hand is read with a confidence.
    fn reads(hand: &str, confidence: f64) -> Preview {
        let preview = preview(context("mmm", &[("hand", hand)]));
        let mut reading = preview.read().unwrap().clone();
        reading.hand = Some(HandReading { text: hand.to_owned(), confidence, doubts: Vec::new() });
        Preview { reading: Some(Arc::new(DealReading::Hand(Box::new(reading)))), ..preview }
    }

    /// A hand that is typed.
    fn typed(hand: &str) -> Preview {
        Preview { context: context("mmm", &[("hand", hand)]), ..reads(hand, 1.0) }
    }

    fn gone(preview: Preview) -> Preview {
        Preview { stale: true, ..preview }
    }

    /// A programme, and a clock in milliseconds.
    struct Air(Programme, Instant);

    impl Air {
        fn new(setting: OnAirSetting) -> Self {
            let mut programme = Programme::default();
            programme.set(setting);
            Self(programme, Instant::now())
        }

        /// What viewers see of a preview at a time: the hand, and whether it is marked.
        fn at(&mut self, ms: u64, preview: &Preview) -> Option<(String, bool)> {
            let own = self.0.update(preview, self.1 + Duration::from_millis(ms));
            let seen = own.unwrap_or_else(|| preview.clone());
            let hand =
                hand_of(&seen).filter(|_| !seen.stale && seen.phase != PhaseName::Rejected)?;
            Some((hand.to_owned(), seen.doubtful))
        }
    }

    fn sure(hand: &str) -> Option<(String, bool)> {
        Some((hand.to_owned(), false))
    }

    fn marked(hand: &str) -> Option<(String, bool)> {
        Some((hand.to_owned(), true))
    }

    const MANUAL: OnAirSetting = OnAirSetting { auto: false, least: 0.0, unsure: Unsure::Off };

    #[test]
    fn by_itself_viewers_see_the_preview_and_get_nothing_twice() {
        let mut air = Air::new(OnAirSetting::default());
        let preview = reads("19m", 0.4);
        assert_eq!(air.0.update(&preview, air.1), None);
        assert_eq!(air.at(0, &preview), sure("19m"));
        assert_eq!(air.at(5000, &Preview { doubtful: true, ..preview.clone() }), marked("19m"));
        assert_eq!(air.at(9000, &gone(preview)), None);
    }

    #[test]
    fn what_is_read_changes_the_programme_at_most_once_a_second() {
        let mut air = Air::new(OnAirSetting::default());
        assert_eq!(air.at(0, &reads("1m", 0.9)), sure("1m"));
        assert_eq!(air.at(300, &reads("2m", 0.9)), sure("1m"));
        assert!(!air.0.is_due(air.1 + Duration::from_millis(900)));
        assert!(air.0.is_due(air.1 + Duration::from_millis(1000)));
        assert_eq!(air.at(1000, &reads("3m", 0.9)), sure("3m"));
        // A flicker leaves no trace.
        air.at(1300, &reads("4m", 0.9));
        assert_eq!(air.at(2000, &reads("3m", 0.9)), sure("3m"));
        assert!(!air.0.is_due(air.1 + Duration::from_millis(9000)));
        // Decisions are on air at once.
        air.at(3000, &reads("5m", 0.9));
        assert_eq!(air.at(3050, &reads("6m", 0.9)), sure("5m"));
        air.0.hurry();
        assert_eq!(air.at(3060, &reads("6m", 0.9)), sure("6m"));
        assert_eq!(air.at(3070, &reads("7m", 0.9)), sure("6m"), "for that once");
        assert_eq!(air.at(4070, &reads("5m", 0.9)), sure("5m"));
        let result = confirmed(reads("5m", 0.9));
        assert_eq!(air.0.update(&result, air.1 + Duration::from_millis(4100)), None);
    }

    #[test]
    fn below_the_least_confidence_it_is_off_or_marked_unless_it_is_shown() {
        for (unsure, seen) in [(Unsure::Off, None), (Unsure::Mark, marked("19m"))] {
            let mut air = Air::new(OnAirSetting { auto: true, least: 0.9, unsure });
            assert_eq!(air.at(0, &reads("19m", 0.899)), seen);
            assert_eq!(air.at(2000, &reads("19m", 0.9)), sure("19m"));
            assert_eq!(air.at(4000, &reads("19m", 0.5)), seen, "it has become less sure on air");
            assert!(air.0.show(&reads("19m", 0.5)));
            assert_eq!(air.at(4010, &reads("19m", 0.5)), sure("19m"));
            assert_eq!(
                air.at(6000, &reads("28m", 0.5)).is_none(),
                seen.is_none(),
                "that one was not shown"
            );
        }
        // The hands of players are judged each by itself.
        let mut air = Air::new(OnAirSetting { auto: true, least: 0.9, unsure: Unsure::Off });
        let seats = [(Seat::East, seat("19m", 0.8)), (Seat::South, seat("19m", 0.95))].into();
        let own = air.0.update(&Preview { seats, ..reads("1m", 0.95) }, air.1).unwrap();
        assert_eq!((own.seats[&Seat::East].stale, own.seats[&Seat::South].stale), (true, false));
    }

    #[test]
    fn tiles_that_are_gone_are_off_the_air_or_marked_as_the_operator_wants() {
        for (unsure, seen) in [(Unsure::Off, None), (Unsure::Mark, marked("19m"))] {
            let mut air = Air::new(OnAirSetting { auto: true, least: 0.0, unsure });
            air.at(0, &reads("19m", 0.9));
            assert_eq!(air.at(5000, &gone(reads("19m", 0.9))), seen);
            // A hand that was shown, where another is read now.
            let mut air = Air::new(OnAirSetting { auto: false, least: 0.0, unsure });
            assert!(air.0.show(&reads("19m", 0.9)));
            assert_eq!(air.at(0, &reads("19m", 0.9)), sure("19m"));
            assert_eq!(air.at(2000, &reads("28m", 0.9)), marked("19m"));
            assert!(
                air.0.is_due(air.1 + Duration::from_millis(6600)),
                "although nothing else changes"
            );
            assert_eq!(air.at(6600, &reads("28m", 0.9)), seen);
        }
        // A photo is another matter, at once.
        let mut air = Air::new(OnAirSetting { auto: false, least: 0.0, unsure: Unsure::Mark });
        air.0.show(&reads("19m", 0.9));
        air.at(0, &reads("19m", 0.9));
        assert_eq!(air.at(10, &Preview { photo: Some(1), ..reads("28m", 0.9) }), None);
        // It is back before it has gone.
        let mut air = Air::new(MANUAL);
        air.0.show(&reads("19m", 0.9));
        air.at(0, &reads("19m", 0.9));
        air.at(2000, &reads("28m", 0.9));
        assert_eq!(air.at(4000, &reads("19m", 0.9)), sure("19m"));
    }

    #[test]
    fn without_auto_a_hand_is_on_air_when_it_is_shown_and_drafts_are_not() {
        let mut air = Air::new(MANUAL);
        let seats = [(Seat::East, seat("1z", 0.9))].into();
        let preview = Preview { seats, ..reads("19m", 0.9) };
        assert_eq!(air.at(0, &preview), None);
        let own = air.0.update(&preview, air.1).unwrap();
        assert_eq!(own.seats[&Seat::East], SeatView::default());
        assert!(air.0.show(&preview));
        assert_eq!(air.at(10, &preview), sure("19m"));
        let draft = Preview { context: context("mmm", &[("win", "self_draw")]), ..preview };
        let own = air.0.update(&draft, air.1 + Duration::from_secs(3)).unwrap();
        assert_eq!(own.context, Context::new("mmm"));
        air.0.hide();
        assert_eq!(air.at(3010, &draft), None);
        // A result goes on air by being confirmed, and the hand after it has to be shown.
        assert_eq!(air.at(3020, &confirmed(draft.clone())), sure("19m"));
        assert_eq!(air.at(3030, &draft), None);
        // Nothing to show: no hand, one that is gone, one that was rejected.
        for nothing in [
            Preview { reading: None, ..draft.clone() },
            gone(draft.clone()),
            Preview { phase: PhaseName::Rejected, ..draft },
        ] {
            assert!(!air.0.show(&nothing));
        }
    }

    #[test]
    fn a_typed_hand_is_on_air_when_it_is_shown_or_confirmed_and_never_by_itself() {
        for setting in [OnAirSetting::default(), MANUAL] {
            let mut air = Air::new(setting);
            air.at(0, &reads("19m", 0.9));
            assert_eq!(air.at(2000, &typed("1m")), None);
            assert_eq!(air.at(4000, &typed("19p")), None);
            assert!(air.0.show(&typed("19p")));
            assert_eq!(air.at(4010, &typed("19p")), sure("19p"));
            // A confirmed one is, and once that is taken back it is a draft again.
            assert_eq!(air.at(6000, &confirmed(typed("28p"))), sure("28p"));
            assert_eq!(air.at(8000, &typed("28p")), None);
        }
        // Players' hands beside it are the cameras'.
        let mut air = Air::new(OnAirSetting::default());
        let seats = [(Seat::East, seat("19m", 0.9))].into();
        let preview = Preview { seats, ..typed("19p") };
        let own = air.0.update(&preview, air.1).unwrap();
        assert_eq!((&own.reading, &own.seats), (&None, &preview.seats));
    }

    #[test]
    fn what_was_taken_off_by_hand_stays_off_until_another_one_is_read() {
        let mut air = Air::new(OnAirSetting::default());
        air.at(0, &reads("19m", 0.9));
        air.0.hide();
        assert_eq!(air.at(10, &reads("19m", 0.9)), None);
        assert_eq!(air.at(5000, &reads("19m", 0.95)), None);
        assert_eq!(air.at(7000, &reads("28m", 0.9)), sure("28m"));
        // Switching to manual leaves the current hand on air.
        air.0.set(MANUAL);
        assert_eq!(air.at(9000, &reads("28m", 0.9)), sure("28m"));
    }
}
