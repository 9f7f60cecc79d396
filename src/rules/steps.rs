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
use crate::{
    hand::Hand,
    points::{Points, mixed},
    sentence,
    sentence::Sentence,
    tile::Seat,
};

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
    /// For people: how it comes about; first the amount, then the reasons.
    pub said: Vec<Sentence>,
}

impl Step {
    /// How it comes about, in English.
    pub fn text(&self) -> String {
        let mut said = self.said.iter().map(ToString::to_string);
        let first = said.next().unwrap_or_default();
        let reasons: Vec<String> = said.collect();
        if reasons.is_empty() { first } else { format!("{first}: {}", reasons.join(", ")) }
    }
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
        map.serialize_entry("text", &self.text())?;
        map.end()
    }
}

fn halves(amount: Halves) -> String {
    Points::from(amount).mixed()
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
        let step = |kind, said| Step { kind, seat: None, amount: None, said: vec![said] };
        let mut steps = Vec::new();
        if counted > best.faan {
            let (counted, most) = (halves(counted), halves(best.faan));
            let cap = sentence!("{counted} {unit} counted, {most} at most", counted, unit, most);
            steps.push(step(StepKind::Cap, cap));
        }
        if best.is_limit() {
            let text = match self.limit_score {
                Some(one) => {
                    let times = Halves(best.score.0 * 2 / one.0.max(1));
                    let (one, times) = (halves(one), halves(times));
                    sentence!("limit hand: {one} × {times}", one, times)
                }
                None => sentence!("limit hand: {score}", score = halves(best.score)),
            };
            steps.push(step(StepKind::Score, text));
            return steps;
        }
        let (faan, score) = (halves(best.faan), halves(best.score));
        let score_said = if let Some(doubling) = &self.doubling {
            let fixed = doubling
                .steps
                .iter()
                .rev()
                .find(|(from, _)| best.faan >= Halves::whole(*from as i32));
            let times = doubling.added + best.faan.0.max(0) as u32 / 2;
            let full = u64::from(best.points) << times.min(32);
            match fixed {
                Some((from, _)) => sentence!(
                    "{faan} {unit}: {score} from {from} {unit} on",
                    faan,
                    unit,
                    score,
                    from
                ),
                None => {
                    let (points, word) = (best.points, &words.points);
                    // Cut off at the most, or raised to it from where the rules say.
                    if i64::try_from(full).ok() != Some(i64::from(best.score.0 / 2)) {
                        let cap = sentence!(
                            "{points} {word} doubled {times} times would be {full}: {score} counts",
                            points,
                            word,
                            times,
                            full,
                            score
                        );
                        steps.push(step(StepKind::Cap, cap));
                        return steps;
                    }
                    sentence!(
                        "{points} {word} doubled {times} times: {score}",
                        points,
                        word,
                        times,
                        score
                    )
                }
            }
        } else if let Some(stakes) = &self.stakes {
            let (base, worth) = (stakes.base, stakes.unit);
            sentence!("{base} and {faan} {unit} × {worth}: {score}", base, faan, unit, worth, score)
        } else if self.table.is_empty() {
            return steps;
        } else {
            let last = self.table.len() as i32 - 1;
            if best.faan.0 > last {
                let last = halves(Halves(last));
                let cap = sentence!("{faan} {unit} score no more than {last}", faan, unit, last);
                steps.push(step(StepKind::Cap, cap));
            }
            sentence!("{faan} {unit} score {score} by the table", faan, unit, score)
        };
        steps.push(step(StepKind::Score, score_said));
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
            let (kind, said) = self.paid_said(at, liable, words, seat, paid);
            Step { kind, seat: Some(seat), amount: Some(self.scheme.ratio(amount)), said }
        };
        parts.into_iter().map(step).collect()
    }

    fn paid_said(
        &self,
        at: &Circumstances,
        liable: &Liable,
        words: &Words,
        seat: Seat,
        paid: PaidFor,
    ) -> (StepKind, Vec<Sentence>) {
        match paid {
            PaidFor::Plus => (StepKind::Plus, vec![sentence!("each pays that besides")]),
            PaidFor::Counters => {
                let counters = match at.honba {
                    1 => sentence!("1 counter on the table"),
                    count => sentence!("{count} counters on the table", count),
                };
                (StepKind::Counters, vec![counters])
            }
            PaidFor::Dealer => {
                let (faan, unit) = (self.scheme.dealer_faan(at), words.unit);
                let worth = self.stakes.map_or(0, |stakes| stakes.unit);
                let more = sentence!("{faan} {unit} more × {worth}", faan, unit, worth);
                let east = if at.seat == Seat::East {
                    sentence!("East wins")
                } else {
                    sentence!("East pays")
                };
                (StepKind::Dealer, vec![more, east])
            }
            PaidFor::Share { score, share, kind, first, divisor, as_east, east_wins, exact } => {
                let share = self.scheme.ratio(2 * share);
                let mut amount = halves(score);
                if share != Ratio::from_integer(1) {
                    amount += &format!(" × {}", mixed(share));
                }
                let mut said = vec![match divisor {
                    1 => sentence!("{amount}", amount),
                    _ => sentence!("{amount}, divided by {divisor}", amount, divisor),
                }];
                let gave = at.win.from() == Some(seat);
                let step = if kind == Kind::Liable {
                    let about = liable.liability_of(seat).and_then(|it| self.liabilities.get(it));
                    said.push(match about {
                        Some(liability) => sentence!("liable: {about}", about = liability.about),
                        None if gave => sentence!("gave the tile, and shares with who is liable"),
                        None => sentence!("liable"),
                    });
                    StepKind::Liable
                } else {
                    said.push(match (kind, at.win) {
                        (Kind::Safe, _) => sentence!("a safe tile, for which each pays"),
                        (_, Win::SelfDraw) => sentence!("a self-draw, for which each pays"),
                        (_, Win::RobKong { .. }) if first => sentence!("his kong was robbed"),
                        (_, Win::Discard { .. }) if first => sentence!("gave the tile"),
                        _ => sentence!("each pays that"),
                    });
                    StepKind::Share
                };
                if as_east {
                    said.push(sentence!("East pays another share"));
                }
                if east_wins {
                    said.push(sentence!("East wins"));
                }
                let multiple = self.scheme.rounded_up_to();
                let rounded = Ratio::from_integer(multiple.max(1));
                let exact = self.scheme.ratio(exact);
                if !(exact / rounded).is_integer() {
                    let paid = mixed(exact);
                    said.push(sentence!("{paid} rounded up", paid));
                }
                (step, said)
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
