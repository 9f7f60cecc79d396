//! How a score and its payments came about: each cap, table value, share, liability and extra as a step,
//! for people and for programs.

use num_rational::Ratio;
use serde::{Serialize, Serializer};

use super::{
    Circumstances, Halves, RuleSet, ScoreError, UnitName, Win, Worth, WorthError,
    answer::{AsText, english},
    compiled::Core,
    file::DoublingFile,
    liability::Liable,
    payment::{Paid, PaidFor, PaymentKind, Settled},
    scoring::{Rank, ReadingValue},
};
use crate::{
    hand::Hand,
    points::{Points, mixed},
    tile::Seat,
    words::{Say, say},
};

/// The subject of a step of an explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// More was counted than is paid.
    Cap,
    /// The score of the total.
    Score,
    /// A player's share of the score.
    Share,
    /// A share that a liable player pays.
    Liable,
    /// The amount that every player pays besides.
    Plus,
    /// The counters on the table.
    Counters,
    /// The dealer's extra amount.
    Dealer,
    /// What two losers settle.
    Settlement,
    /// What the others do not pay, because it is more than they have to: the giver pays it.
    Excess,
}

/// A step from the counted items to the payments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScoreStep {
    /// The subject.
    pub kind: StepKind,
    /// The payer, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<Seat>,
    /// The amount.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "amount_as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Points>"))]
    pub amount: Option<Ratio<i64>>,
    /// The explanation for people.
    #[serde(flatten, serialize_with = "in_words")]
    #[cfg_attr(feature = "schema", schemars(with = "InWords"))]
    pub text: Say,
}

/// An explanation in English, and as a sentence for pages.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct InWords<'a> {
    /// In English.
    #[serde(serialize_with = "english")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    text: &'a Say,
    /// As a sentence that a page looks up in its language.
    said: &'a Say,
}

fn in_words<S: Serializer>(text: &Say, serializer: S) -> Result<S::Ok, S::Error> {
    InWords { text, said: text }.serialize(serializer)
}

fn amount_as_text<S: Serializer>(
    amount: &Option<Ratio<i64>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    amount.map(AsText).serialize(serializer)
}

impl ScoreStep {
    /// The steps of both players of a payment between two losers.
    pub(crate) fn of_settlement(part: Settled, ratio: impl Fn(i64) -> Ratio<i64>) -> [Self; 2] {
        let Settled { payer: (payer, less), payee: (payee, more), share, amount } = part;
        let difference = match ratio(2 * share) {
            one if one == Ratio::from_integer(1) => format!("{} − {}", halves(more), halves(less)),
            share => format!("({} − {}) × {}", halves(more), halves(less), mixed(share)),
        };
        let step = |seat, units, text| Self {
            kind: StepKind::Settlement,
            seat: Some(seat),
            amount: Some(ratio(units)),
            text,
        };
        let (to, from) = (Say::of(payee.name()), Say::of(payer.name()));
        [
            step(
                payer,
                amount,
                say!("{difference}: to {seat}", difference = difference.clone(), seat = to),
            ),
            step(
                payee,
                -amount,
                say!("{difference}: from {seat}", difference = difference, seat = from),
            ),
        ]
    }
}

fn halves(amount: Halves) -> String {
    Points::from(amount).mixed()
}

/// A rule set's words for what it counts.
struct Units {
    faan: UnitName,
    points: Say,
}

impl Units {
    /// The unit beside a number of it.
    fn of(&self, faan: Halves) -> Say {
        Say::of(self.faan.counted(faan))
    }
}

/// The step to the score of points that are doubled, or that a number of faan fixes.
fn doubled_text(doubling: &DoublingFile, best: &ReadingValue, units: &Units) -> (StepKind, Say) {
    let (score, unit) = (halves(best.score), || units.of(best.faan));
    let steps = doubling.steps.iter().rev();
    let fixed = steps.map(|(from, _)| Halves::whole(*from as i32)).find(|from| best.faan >= *from);
    if let Some(from) = fixed {
        let (faan, from) = (halves(best.faan), halves(from));
        let text =
            say!("{faan} {unit}: {score} from {from} {unit} on", faan, unit = unit(), score, from);
        return (StepKind::Score, text);
    }
    let times = doubling.added + best.faan.0.max(0) as u32 / 2;
    let full = u64::from(best.points) << times.min(32);
    let doubled = say!(
        "{count} {points} doubled {times} times",
        count = best.points,
        points = units.points.clone(),
        times,
    );
    // Cut off at the most, or raised to it from where the rules say.
    if i64::try_from(full).ok() == Some(i64::from(best.score.0 / 2)) {
        (StepKind::Score, say!("{doubled}: {score}", doubled, score))
    } else {
        (StepKind::Cap, say!("{doubled} would be {full}: {score} counts", doubled, full, score))
    }
}

impl Core {
    /// The total of a reading before any cut; for limit hands their value.
    fn counted(&self, hand: &Hand, at: &Circumstances, best: &ReadingValue) -> Halves {
        if best.rank != Rank::Ordinary {
            return best.faan;
        }
        let mut sum = None;
        self.each_reading(hand, at, |appraisal, view| {
            if sum.is_none() && appraisal == *best {
                let counted = self.count(view, self.held(view));
                sum = Some(Halves(counted.total + counted.combination.total));
            }
        });
        let points = self.points.as_ref().map_or(Halves::ZERO, |it| it.faan(best.points));
        sum.map_or(best.faan, |sum| (sum + points).max(best.faan))
    }

    /// The steps to the score; `counted`: the total before any cut.
    fn score_steps(&self, counted: Halves, best: &ReadingValue, units: &Units) -> Vec<ScoreStep> {
        let unit = || units.of(best.faan);
        let step = |kind, text| ScoreStep { kind, seat: None, amount: None, text };
        let mut steps = Vec::new();
        if counted > best.faan {
            let text = say!(
                "{counted} {unit} counted, {most} at most",
                counted = halves(counted),
                unit = units.of(counted),
                most = halves(best.faan),
            );
            steps.push(step(StepKind::Cap, text));
        }
        if best.is_limit() {
            let score = match self.limit_score {
                Some(one) => {
                    let times = Halves(best.score.0 * 2 / one.0.max(1));
                    format!("{} × {}", halves(one), halves(times))
                }
                None => halves(best.score),
            };
            let text = match self.limit_unit {
                UnitName::Yakuman => say!("yakuman: {score}", score = score),
                _ => say!("limit hand: {score}", score = score),
            };
            steps.push(step(StepKind::Score, text));
            return steps;
        }
        let (faan, score) = (halves(best.faan), halves(best.score));
        let (kind, text) = if let Some(doubling) = &self.doubling {
            doubled_text(doubling, best, units)
        } else if let Some(stakes) = &self.stakes {
            let text = say!(
                "{base} and {faan} {unit} × {each}: {score}",
                base = stakes.base,
                faan = faan,
                unit = unit(),
                each = stakes.unit,
                score = score,
            );
            (StepKind::Score, text)
        } else if self.table.is_empty() {
            return steps;
        } else {
            let last = self.table.len() as i32 - 1;
            if best.faan.0 > last {
                let text = say!(
                    "{faan} {unit} score no more than {most}",
                    faan = faan.clone(),
                    unit = unit(),
                    most = halves(Halves(last)),
                );
                steps.push(step(StepKind::Cap, text));
            }
            let text = match best.faan.is_singular() {
                true => {
                    say!("{faan} {unit} scores {score} by the table", faan, unit = unit(), score)
                }
                false => {
                    say!("{faan} {unit} score {score} by the table", faan, unit = unit(), score)
                }
            };
            (StepKind::Score, text)
        };
        steps.push(step(kind, text));
        steps
    }

    /// The steps from the score to everybody's payments.
    fn payment_steps(
        &self,
        at: &Circumstances,
        best: &ReadingValue,
        liable: &Liable,
        units: &Units,
    ) -> Vec<ScoreStep> {
        let mut parts: Vec<Paid> = Vec::new();
        self.scheme.payments_noted(best.score, at, liable, &mut |part| parts.push(part));
        let step = |(seat, paid, amount): Paid| {
            let (kind, text) = self.paid_text(at, liable, units, seat, paid);
            ScoreStep { kind, seat: Some(seat), amount: Some(self.scheme.ratio(amount)), text }
        };
        parts.into_iter().map(step).collect()
    }

    fn paid_text(
        &self,
        at: &Circumstances,
        liable: &Liable,
        units: &Units,
        seat: Seat,
        paid: PaidFor,
    ) -> (StepKind, Say) {
        match paid {
            PaidFor::Plus => (StepKind::Plus, say!("each pays that besides")),
            PaidFor::Counters { liable } => {
                let counters = match at.honba {
                    1 => say!("1 counter on the table"),
                    count => say!("{count} counters on the table", count = count),
                };
                let text = match liable {
                    true => say!("{part}: {why}", part = counters, why = say!("liable")),
                    false => counters,
                };
                (StepKind::Counters, text)
            }
            PaidFor::Dealer => {
                let faan = self.scheme.dealer_faan(at);
                let text = say!(
                    "{faan} {unit} more × {each}, as {why}",
                    faan,
                    unit = units.of(Halves::whole(faan.cast_signed())),
                    each = self.stakes.map_or(0, |stakes| stakes.unit),
                    why = if at.seat == Seat::East { say!("East wins") } else { say!("East pays") },
                );
                (StepKind::Dealer, text)
            }
            PaidFor::Excess => {
                let text = if at.charged() == Some(seat) {
                    say!("what the others do not pay")
                } else {
                    let most = mixed(self.scheme.others_at_most());
                    say!("no more than {most} from who is not responsible", most = most)
                };
                (StepKind::Excess, text)
            }
            PaidFor::Share { score, share, kind, first, divisor, as_east, east_wins, exact } => {
                let share = self.scheme.ratio(2 * share);
                let mut text = halves(score);
                if share != Ratio::from_integer(1) {
                    text += &format!(" × {}", mixed(share));
                }
                let part = match divisor {
                    1 => Say::Plain(text),
                    divisor => {
                        say!("{score}, divided by {divisor}", score = text, divisor = divisor)
                    }
                };
                let step = match kind {
                    PaymentKind::Liable | PaymentKind::LiableSelfDraw => StepKind::Liable,
                    _ => StepKind::Share,
                };
                let mut why = self.why_paid(at, liable, seat, kind, first);
                let mut also =
                    |more: Say| why = say!("{why}, {more}", why = why.clone(), more = more);
                if as_east {
                    also(say!("East pays another share"));
                }
                if east_wins {
                    also(say!("East wins"));
                }
                let multiple = self.scheme.rounded_up_to();
                let rounded = Ratio::from_integer(multiple.max(1));
                let exact = self.scheme.ratio(exact);
                if !(exact / rounded).is_integer() {
                    also(say!("{points} rounded up", points = mixed(exact)));
                }
                (step, say!("{part}: {why}", part = part, why = why))
            }
        }
    }

    /// Why a player pays a share; `first`: that of a discarder or feeder.
    fn why_paid(
        &self,
        at: &Circumstances,
        liable: &Liable,
        seat: Seat,
        kind: PaymentKind,
        first: bool,
    ) -> Say {
        let gave = at.win.from() == Some(seat);
        match (kind, at.win) {
            (PaymentKind::Liable | PaymentKind::LiableSelfDraw, _) => {
                let about = liable.liability_of(seat).and_then(|it| self.liabilities.get(it));
                let Some(about) = about.map(|it| Say::of(it.about.clone())) else {
                    return if gave {
                        say!("gave the tile, and shares with who is liable")
                    } else {
                        say!("liable")
                    };
                };
                let why = say!("liable: {why}", why = about);
                match liable.goes_before_another() {
                    true => {
                        say!("{why}, {more}", why, more = say!("the later of two who are liable"))
                    }
                    false => why,
                }
            }
            (PaymentKind::Safe, _) => say!("a safe tile, for which each pays"),
            (_, Win::SelfDraw) => say!("a self-draw, for which each pays"),
            _ if at.charged().is_none() => {
                say!("nobody is responsible for the tile, so that each pays")
            }
            _ if first && !gave => say!("responsible for the tile"),
            (_, Win::RobKong { .. }) if first => say!("his kong was robbed"),
            (_, Win::Discard { .. }) if first => say!("gave the tile"),
            _ => say!("each pays that"),
        }
    }
}

impl RuleSet {
    fn units(&self) -> Units {
        Units { faan: self.unit, points: Say::of(self.points_word()) }
    }

    /// The steps to a hand's score and payments; the steps of a payer add up to his payment. Empty for
    /// a hand that does not win.
    ///
    /// # Errors
    /// As [`RuleSet::score`].
    pub fn steps(&self, hand: &Hand, at: &Circumstances) -> Result<Vec<ScoreStep>, ScoreError> {
        self.check(hand, at)?;
        let core = &self.core;
        let (hand, at) = (&*core.shown(hand), &core.used(at));
        let (best, arrangement) = core.best(hand, at).ok_or(super::NoWin::NotComplete)?;
        core.settle(hand, at, &best, &arrangement)?;
        let liable = core.liable(&core.deal(hand, at).view(&arrangement), &best);
        let units = self.units();
        let counted = core.counted(hand, at, &best);
        let mut steps = core.score_steps(counted, &best, &units);
        steps.extend(core.payment_steps(at, &best, &liable, &units));
        Ok(steps)
    }

    /// The steps for a hand of which only the value is given.
    ///
    /// # Errors
    /// As [`RuleSet::value_of`].
    pub fn steps_of(&self, worth: Worth, at: &Circumstances) -> Result<Vec<ScoreStep>, WorthError> {
        let (at, best, liable) = self.appraised(worth, at)?;
        let counted = match worth {
            Worth::Counted { faan, .. } => faan,
            Worth::Limit(_) | Worth::Score(_) => best.faan,
        };
        let units = self.units();
        let mut steps = match worth {
            Worth::Score(_) => Vec::new(),
            _ => self.core.score_steps(counted, &best, &units),
        };
        steps.extend(self.core.payment_steps(&at, &best, &liable, &units));
        Ok(steps)
    }
}
