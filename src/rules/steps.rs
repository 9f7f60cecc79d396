//! How a score and its payments came about: each cap, table value, share, liability and extra as a step,
//! for people and for programs.

use num_rational::Ratio;
use serde::{Serialize, Serializer, ser::SerializeMap};

use super::{
    Circumstances, Halves, Refusal, RuleSet, Win, Worth, WorthError,
    compiled::Core,
    payment::{Kind, Liable, Paid, PaidFor},
    scoring::{Appraisal, Rank},
};
use crate::{hand::Hand, points::mixed, tile::Seat};

/// What a step of an explanation is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// More was counted than is paid.
    Cap,
    /// What the total scores.
    Score,
    /// A player's share of the score.
    Share,
    /// A share that a liable player pays.
    Liable,
    /// What every player pays besides.
    Plus,
    /// The counters on the table.
    Counters,
    /// What the dealer pays or is paid more.
    Dealer,
}

/// A step from what was counted to what is paid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What it is about.
    pub kind: StepKind,
    /// Who pays, where somebody does.
    pub seat: Option<Seat>,
    /// How much that is.
    pub amount: Option<Ratio<i64>>,
    /// For people: how it comes about.
    pub text: String,
}

impl Serialize for Step {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("kind", &self.kind)?;
        if let Some(seat) = self.seat {
            map.serialize_entry("seat", &seat)?;
        }
        if let Some(amount) = self.amount {
            map.serialize_entry("amount", &amount.to_string())?;
        }
        map.serialize_entry("text", &self.text)?;
        map.end()
    }
}

fn halves(amount: Halves) -> String {
    mixed(Ratio::new(i64::from(amount.0), 2))
}

/// What the points are called where they choose the score.
struct Words {
    unit: &'static str,
    points: String,
}

impl Core {
    /// What was counted of a reading before anything was cut off; of limit hands what they are worth.
    fn counted(&self, hand: &Hand, at: &Circumstances, best: &Appraisal) -> Halves {
        if best.rank != Rank::Ordinary {
            return best.faan;
        }
        let mut sum = None;
        self.each_reading(hand, at, |appraisal, view| {
            if sum.is_none() && appraisal == *best {
                let counted = self.count(view, self.held(view));
                let items: i32 =
                    super::scoring::bits(counted.counting).map(|it| counted.amounts[it]).sum();
                sum = Some(Halves(items + counted.combination.total));
            }
        });
        let points = self.points.as_ref().map_or(Halves::ZERO, |it| it.faan(best.points));
        sum.map_or(best.faan, |sum| (sum + points).max(best.faan))
    }

    /// The steps to the score; `counted`: before anything was cut off.
    fn score_steps(&self, counted: Halves, best: &Appraisal, words: &Words) -> Vec<Step> {
        let unit = words.unit;
        let step = |kind, text| Step { kind, seat: None, amount: None, text };
        let mut steps = Vec::new();
        if counted > best.faan {
            let (counted, most) = (halves(counted), halves(best.faan));
            steps.push(step(StepKind::Cap, format!("{counted} {unit} counted, {most} at most")));
        }
        if best.is_limit() {
            let text = match self.limit_score {
                Some(one) => {
                    let times = Halves(best.score.0 * 2 / one.0.max(1));
                    format!("limit hand: {} × {}", halves(one), halves(times))
                }
                None => format!("limit hand: {}", halves(best.score)),
            };
            steps.push(step(StepKind::Score, text));
            return steps;
        }
        let (faan, score) = (halves(best.faan), halves(best.score));
        let text = if let Some(doubling) = &self.doubling {
            let fixed = doubling
                .steps
                .iter()
                .rev()
                .find(|(from, _)| best.faan >= Halves::whole(*from as i32));
            let times = doubling.added + best.faan.0.max(0) as u32 / 2;
            let full = u64::from(best.points) << times.min(32);
            match fixed {
                Some((from, _)) => format!("{faan} {unit}: {score} from {from} {unit} on"),
                None => {
                    let doubled = format!("{} {} doubled {times} times", best.points, words.points);
                    // Cut off at the most, or raised to it from where the rules say.
                    if i64::try_from(full).ok() != Some(i64::from(best.score.0 / 2)) {
                        let text = format!("{doubled} would be {full}: {score} counts");
                        steps.push(step(StepKind::Cap, text));
                        return steps;
                    }
                    format!("{doubled}: {score}")
                }
            }
        } else if let Some(stakes) = &self.stakes {
            format!("{} and {faan} {unit} × {}: {score}", stakes.base, stakes.unit)
        } else if self.table.is_empty() {
            return steps;
        } else {
            let last = self.table.len() as i32 - 1;
            if best.faan.0 > last {
                let last = halves(Halves(last));
                let text = format!("{faan} {unit} score no more than {last}");
                steps.push(step(StepKind::Cap, text));
            }
            format!("{faan} {unit} score {score} by the table")
        };
        steps.push(step(StepKind::Score, text));
        steps
    }

    /// The steps from the score to what everybody pays.
    fn payment_steps(
        &self,
        at: &Circumstances,
        best: &Appraisal,
        liable: &Liable,
        words: &Words,
    ) -> Vec<Step> {
        let mut parts: Vec<Paid> = Vec::new();
        self.scheme.payments_noted(best.score, at, liable, &mut |part| parts.push(part));
        let step = |(seat, paid, amount): Paid| {
            let (kind, text) = self.paid_text(at, liable, words, seat, paid);
            Step { kind, seat: Some(seat), amount: Some(self.scheme.ratio(amount)), text }
        };
        parts.into_iter().map(step).collect()
    }

    fn paid_text(
        &self,
        at: &Circumstances,
        liable: &Liable,
        words: &Words,
        seat: Seat,
        paid: PaidFor,
    ) -> (StepKind, String) {
        match paid {
            PaidFor::Plus => (StepKind::Plus, "each pays that besides".to_owned()),
            PaidFor::Counters => {
                let counters = if at.honba == 1 { "counter" } else { "counters" };
                (StepKind::Counters, format!("{} {counters} on the table", at.honba))
            }
            PaidFor::Dealer => {
                let (faan, unit) = (self.scheme.dealer_faan(at), words.unit);
                let worth = self.stakes.map_or(0, |stakes| stakes.unit);
                let who = if at.seat == Seat::East { "East wins" } else { "East pays" };
                (StepKind::Dealer, format!("{faan} {unit} more × {worth}, as {who}"))
            }
            PaidFor::Share { score, share, kind, first, divisor, as_east, east_wins, exact } => {
                let share = self.scheme.ratio(2 * share);
                let mut text = halves(score);
                if share != Ratio::from_integer(1) {
                    text += &format!(" × {}", mixed(share));
                }
                if divisor != 1 {
                    text += &format!(", divided by {divisor}");
                }
                let gave = at.win.from() == Some(seat);
                let mut reasons: Vec<String> = Vec::new();
                let step = if kind == Kind::Liable {
                    let about = liable.liability_of(seat).and_then(|it| self.liabilities.get(it));
                    reasons.push(match about {
                        Some(liability) => format!("liable: {}", liability.about),
                        None if gave => "gave the tile, and shares with who is liable".to_owned(),
                        None => "liable".to_owned(),
                    });
                    StepKind::Liable
                } else {
                    reasons.push(match (kind, at.win) {
                        (Kind::Safe, _) => "a safe tile, for which each pays".to_owned(),
                        (_, Win::SelfDraw) => "a self-draw, for which each pays".to_owned(),
                        (_, Win::RobKong { .. }) if first => "his kong was robbed".to_owned(),
                        (_, Win::Discard { .. }) if first => "gave the tile".to_owned(),
                        _ => "each pays that".to_owned(),
                    });
                    StepKind::Share
                };
                if as_east {
                    reasons.push("East pays another share".to_owned());
                }
                if east_wins {
                    reasons.push("East wins".to_owned());
                }
                let multiple = self.scheme.rounded_up_to();
                let rounded = Ratio::from_integer(multiple.max(1));
                let exact = self.scheme.ratio(exact);
                if !(exact / rounded).is_integer() {
                    let paid = mixed(exact);
                    reasons.push(format!("{paid} rounded up"));
                }
                (step, format!("{text}: {}", reasons.join(", ")))
            }
        }
    }
}

impl RuleSet {
    fn words(&self) -> Words {
        Words { unit: self.unit.word(), points: self.points_word() }
    }

    /// How a hand's score and its payments come about, step by step; what the steps of a payer come to is what
    /// he pays. Nothing for a hand that does not win.
    ///
    /// # Errors
    /// As [`RuleSet::score`].
    pub fn steps(&self, hand: &Hand, at: &Circumstances) -> Result<Vec<Step>, Refusal> {
        self.check(hand, at)?;
        let core = &self.core;
        let (hand, at) = (&*core.shown(hand), &core.used(at));
        let (best, arrangement) = core.best(hand, at).ok_or(super::NoWin::NotComplete)?;
        core.settle(hand, at, &best, &arrangement)?;
        let liable = core.liable(&core.deal(hand, at).view(&arrangement), &best);
        let words = self.words();
        let counted = core.counted(hand, at, &best);
        let mut steps = core.score_steps(counted, &best, &words);
        steps.extend(core.payment_steps(at, &best, &liable, &words));
        Ok(steps)
    }

    /// The same for a hand of which the worth alone is said.
    ///
    /// # Errors
    /// As [`RuleSet::value_of`].
    pub fn steps_of(&self, worth: Worth, at: &Circumstances) -> Result<Vec<Step>, WorthError> {
        let (at, best, liable) = self.appraised(worth, at)?;
        let counted = match worth {
            Worth::Counted { faan, .. } => faan,
            Worth::Limit(_) => best.faan,
        };
        let words = self.words();
        let mut steps = self.core.score_steps(counted, &best, &words);
        steps.extend(self.core.payment_steps(&at, &best, &liable, &words));
        Ok(steps)
    }
}
