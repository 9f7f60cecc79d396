//! The programme, which viewers see, and the preview of camera and operator. A hand goes on air automatically or when
//! the operator shows it, a typed one only when he shows it; a result when it is confirmed. Uncertain hands are marked
//! or taken off. Pure: states as JSON in and out, times are passed in.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The shortest time between changes by a camera; decisions take effect at once.
const PAUSE: Duration = Duration::from_secs(1);
/// The time after which a hand that is no longer read is taken off the air. Viewers are promised five seconds; the rest
/// is for the next frame and the transfer to the page.
const GONE: Duration = Duration::from_millis(4500);
/// The fields of a state that differ between viewers and operator.
const FIELDS: [&str; 8] =
    ["phase", "photo", "doubtful", "stale", "reading", "context", "seats", "also"];

/// Whether hands go on air automatically, and how uncertain hands are shown.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unsure {
    /// It is taken off.
    Off,
    /// It stays, marked as in doubt.
    Mark,
}

/// The programme: the state on air.
#[derive(Debug, Default)]
pub(super) struct Programme {
    setting: OnAirSetting,
    /// The fields of the state as viewers have them.
    view: Value,
    /// The hand that the operator showed, where hands do not go on air automatically.
    kept: Option<Value>,
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

fn view_of(preview: &Value) -> Value {
    FIELDS
        .iter()
        .map(|field| ((*field).to_owned(), preview[*field].clone()))
        .collect::<Map<_, _>>()
        .into()
}

fn hand_of(view: &Value) -> Option<&str> {
    view["reading"]["hand"]["text"].as_str()
}

/// Whether the hand was typed, and not seen.
fn is_typed(view: &Value) -> bool {
    view["context"]["hand"].is_string()
}

impl Programme {
    pub const fn setting(&self) -> OnAirSetting {
        self.setting
    }

    /// Takes a setting over; a hand that is on air stays there until another one is shown.
    pub fn set(&mut self, setting: OnAirSetting) {
        if self.setting.auto && !setting.auto {
            self.kept = Some(self.view.clone()).filter(|view| hand_of(view).is_some());
        }
        (self.setting, self.urgent) = (setting, true);
    }

    /// Puts the current hand of a preview on air; false without one.
    pub fn show(&mut self, preview: &Value) -> bool {
        let is_there = preview["phase"] != "rejected" && preview["stale"] != true;
        let Some(hand) = hand_of(preview).filter(|_| is_there) else { return false };
        self.decided = Some((hand.to_owned(), true));
        self.kept = Some(view_of(preview));
        (self.other_since, self.urgent) = (None, true);
        true
    }

    /// Takes the hand that is on air off, until another one is read or it is shown again.
    pub fn hide(&mut self) {
        self.decided = hand_of(&self.view).map(|hand| (hand.to_owned(), false));
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

    /// Updates the programme from a preview. Returns the fields that viewers have instead of the preview's, null where
    /// they are equal.
    pub fn update(&mut self, preview: &Value, now: Instant) -> Value {
        let wanted = self.wanted(preview, now);
        let is_decided =
            self.urgent || ["phase", "photo"].iter().any(|of| wanted[*of] != self.view[*of]);
        let may_change = is_decided || self.changed.is_none_or(|changed| now >= changed + PAUSE);
        let is_same = wanted == self.view;
        if !is_same && may_change {
            (self.view, self.changed) = (wanted, Some(now));
        }
        self.urgent &= !may_change;
        self.waits = (!is_same && !may_change) || self.other_since.is_some();
        if self.view == view_of(preview) { Value::Null } else { self.view.clone() }
    }

    fn wanted(&mut self, preview: &Value, now: Instant) -> Value {
        let mut view = view_of(preview);
        if preview["phase"] == "confirmed" {
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
    fn kept_now(&mut self, preview: Value, now: Instant) -> Value {
        let is_rejected = preview["phase"] == "rejected";
        // Showing a photo, or taking it off, is the operator's decision.
        let stays = |kept: &&Value| !is_rejected && kept["photo"] == preview["photo"];
        if let Some(kept) = self.kept.as_ref().filter(stays) {
            let mut kept = kept.clone();
            if hand_of(&kept) == hand_of(&preview) {
                self.other_since = None;
                for field in ["doubtful", "stale"] {
                    kept[field] = preview[field].clone();
                }
                return kept;
            }
            let since = *self.other_since.get_or_insert(now);
            let is_gone = now >= since + GONE;
            if !is_gone || self.setting.unsure == Unsure::Mark {
                kept["doubtful"] = json!(true);
                return kept;
            }
        }
        (self.kept, self.other_since) = (None, None);
        let mut none = preview;
        none["reading"] = Value::Null;
        for seat in none["seats"].as_object_mut().into_iter().flat_map(Map::values_mut) {
            (seat["hand"], seat["waits"]) = (Value::Null, json!([]));
        }
        none
    }

    /// Marks uncertain hands or takes them off, and typed ones that were not shown.
    fn judge(&self, view: &mut Value) {
        let setting = self.setting;
        let decided = self.decided.as_ref().filter(|(hand, _)| hand_of(view) == Some(hand));
        let decided = decided.map(|(_, is_shown)| *is_shown);
        if !decided.unwrap_or(!is_typed(view)) {
            view["reading"] = Value::Null;
        }
        let judge = |of: &mut Value, confidence: Option<f64>, is_shown: bool| {
            let is_low = confidence.is_some_and(|sure| sure < setting.least) && !is_shown;
            let is_gone = of["stale"] == true;
            if !is_low && !is_gone {
                return;
            }
            let is_off = setting.unsure == Unsure::Off;
            (of["stale"], of["doubtful"]) = (json!(is_off), json!(!is_off));
        };
        let confidence = view["reading"]["hand"]["confidence"].as_f64();
        judge(view, confidence, decided == Some(true));
        for seat in view["seats"].as_object_mut().into_iter().flat_map(Map::values_mut) {
            let confidence = seat["hand"]["confidence"].as_f64();
            judge(seat, confidence, false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A preview in which a hand is read with a confidence.
    fn reads(hand: &str, confidence: f64) -> Value {
        json!({
            "phase": "watching", "photo": null, "doubtful": false, "stale": false, "context": {}, "seats": {}, "also": null,
            "reading": { "hand": { "text": hand, "confidence": confidence } },
        })
    }

    fn with(mut preview: Value, field: &str, value: Value) -> Value {
        preview[field] = value;
        preview
    }

    /// The state as viewers see it.
    fn programme(mut state: Value) -> Value {
        if let Value::Object(own) = state["programme"].take() {
            for (field, value) in own {
                state[field] = value;
            }
        }
        state
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
        fn at(&mut self, ms: u64, preview: &Value) -> Option<(String, bool)> {
            let own = self.0.update(preview, self.1 + Duration::from_millis(ms));
            let seen = programme(with(preview.clone(), "programme", own));
            let hand =
                hand_of(&seen).filter(|_| seen["stale"] != true && seen["phase"] != "rejected")?;
            Some((hand.to_owned(), seen["doubtful"] == true))
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
        assert_eq!(air.0.update(&preview, air.1), Value::Null);
        assert_eq!(air.at(0, &preview), sure("19m"));
        assert_eq!(air.at(5000, &with(preview.clone(), "doubtful", json!(true))), marked("19m"));
        assert_eq!(air.at(9000, &with(preview, "stale", json!(true))), None);
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
        let confirmed = with(reads("5m", 0.9), "phase", json!("confirmed"));
        let own = air.0.update(&confirmed, air.1 + Duration::from_millis(4100));
        assert_eq!(programme(with(confirmed, "programme", own))["phase"], "confirmed");
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
        let hand = |confidence: f64| json!({ "hand": { "text": "19m", "confidence": confidence } });
        let preview = with(reads("1m", 0.95), "seats", json!({ "E": hand(0.8), "S": hand(0.95) }));
        let own = air.0.update(&preview, air.1);
        assert_eq!(
            (&own["seats"]["E"]["stale"], &own["seats"]["S"]["stale"]),
            (&json!(true), &Value::Null)
        );
    }

    #[test]
    fn tiles_that_are_gone_are_off_the_air_or_marked_as_the_operator_wants() {
        for (unsure, seen) in [(Unsure::Off, None), (Unsure::Mark, marked("19m"))] {
            let mut air = Air::new(OnAirSetting { auto: true, least: 0.0, unsure });
            air.at(0, &reads("19m", 0.9));
            assert_eq!(air.at(5000, &with(reads("19m", 0.9), "stale", json!(true))), seen);
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
        assert_eq!(air.at(10, &with(reads("28m", 0.9), "photo", json!(1))), None);
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
        let preview = with(
            reads("19m", 0.9),
            "seats",
            json!({ "E": { "hand": { "text": "1z" }, "waits": [1] } }),
        );
        assert_eq!(air.at(0, &preview), None);
        let own = air.0.update(&preview, air.1);
        assert_eq!(own["seats"]["E"], json!({ "hand": null, "waits": [] }));
        assert!(air.0.show(&preview));
        assert_eq!(air.at(10, &preview), sure("19m"));
        let draft = with(preview, "context", json!({ "win": "self_draw" }));
        assert_eq!(air.0.update(&draft, air.1 + Duration::from_secs(3))["context"], json!({}));
        air.0.hide();
        assert_eq!(air.at(3010, &draft), None);
        // A result goes on air by being confirmed, and the hand after it has to be shown.
        assert_eq!(air.at(3020, &with(draft.clone(), "phase", json!("confirmed"))), sure("19m"));
        assert_eq!(air.at(3030, &draft), None);
        // Nothing to show: no hand, one that is gone, one that was rejected.
        for nothing in [
            with(draft.clone(), "reading", Value::Null),
            with(draft.clone(), "stale", json!(true)),
            with(draft, "phase", json!("rejected")),
        ] {
            assert!(!air.0.show(&nothing));
        }
    }

    #[test]
    fn a_typed_hand_is_on_air_when_it_is_shown_or_confirmed_and_never_by_itself() {
        let typed = |hand: &str| with(reads(hand, 1.0), "context", json!({ "hand": hand }));
        for setting in [OnAirSetting::default(), MANUAL] {
            let mut air = Air::new(setting);
            air.at(0, &reads("19m", 0.9));
            assert_eq!(air.at(2000, &typed("1")), None);
            assert_eq!(air.at(4000, &typed("19p")), None);
            assert!(air.0.show(&typed("19p")));
            assert_eq!(air.at(4010, &typed("19p")), sure("19p"));
            // A confirmed one is, and once that is taken back it is a draft again.
            assert_eq!(air.at(6000, &with(typed("28p"), "phase", json!("confirmed"))), sure("28p"));
            assert_eq!(air.at(8000, &typed("28p")), None);
        }
        // Players' hands beside it are the cameras'.
        let mut air = Air::new(OnAirSetting::default());
        let seats = json!({ "E": { "hand": { "text": "19m", "confidence": 0.9 } } });
        let own = air.0.update(&with(typed("19p"), "seats", seats.clone()), air.1);
        assert_eq!((&own["reading"], &own["seats"]), (&Value::Null, &seats));
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
