//! The make-up of a whole hand: a number of sets and a pair, or another form.

use super::{Form, Forms};

/// The make-up of a whole hand; [`RuleSet::whole_hand`](crate::rules::RuleSet::whole_hand) gives that of a rule set.
///
/// ```
/// use tilelens_scoring::{hand::WholeHand, rules::RuleSet};
///
/// assert_eq!(WholeHand::default().tiles(), 14);
/// assert_eq!(RuleSet::preset("taiwan").unwrap().whole_hand().tiles(), 17);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WholeHand {
    /// The number of sets beside the pair: four or five.
    pub sets: usize,
    /// The forms that are complete.
    pub forms: Forms,
}

impl WholeHand {
    /// Its tiles, kongs counted as three: 14 or 17.
    pub const fn tiles(self) -> usize {
        3 * self.sets + 2
    }
}

impl Default for WholeHand {
    /// The whole hand without given rules: 14 tiles, and the forms that most rules know.
    fn default() -> Self {
        let forms = Forms::NONE
            .with(Form::Sets)
            .with(Form::SevenPairs)
            .with(Form::ThirteenOrphans)
            .with(Form::Knitted);
        Self { sets: 4, forms }
    }
}
