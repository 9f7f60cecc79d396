//! Points at the table: exact, and quick to add.

use std::{fmt, iter::Sum, str::FromStr};

use num_rational::Ratio;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;

/// Points, exact. Counted in 55 440ths: a rule file's shares have denominators to 12 and its scores
/// are halves, so that every payment is a whole number of them. Written as a fraction in lowest
/// terms, `-20/3`.
///
/// ```
/// use tilelens::table::Amount;
/// let third: Amount = "-20/3".parse().unwrap();
/// assert_eq!((third + third + third).to_string(), "-20");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount(i64);

/// A text that is no amount.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{0}` is no amount: expected points such as 80, -40 or -20/3 (to a thousand million, twelfths)"
)]
pub struct AmountError(String);

/// Two times the least common multiple of 1 to 12.
const UNIT: i64 = 55_440;

impl Amount {
    /// Nothing.
    pub const ZERO: Self = Self(0);
    /// The largest amount that is read. A hundred thousand deals of it do not overflow.
    const MOST: i64 = 1_000_000_000;

    /// Whole points.
    pub const fn whole(points: u32) -> Self {
        Self(points as i64 * UNIT)
    }

    /// An exact fraction; `None` where it is too large or not a whole number of 55 440ths.
    pub fn of(fraction: Ratio<i64>) -> Option<Self> {
        let (above, below) = (*fraction.numer(), *fraction.denom());
        let fits = UNIT % below == 0 && (above / below).abs() <= Self::MOST;
        fits.then(|| above.checked_mul(UNIT / below)).flatten().map(Self)
    }

    /// The same as a fraction.
    pub fn ratio(self) -> Ratio<i64> {
        Ratio::new(self.0, UNIT)
    }
}

impl std::ops::Add for Amount {
    type Output = Self;
    /// Saturating: an audit finds the sum that is not zero, no replay panics.
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl std::ops::AddAssign for Amount {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl std::ops::Neg for Amount {
    type Output = Self;
    fn neg(self) -> Self {
        Self(self.0.saturating_neg())
    }
}

impl std::ops::Sub for Amount {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Sum for Amount {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, |sum, amount| sum + amount)
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.ratio(), f)
    }
}

impl FromStr for Amount {
    type Err = AmountError;

    fn from_str(text: &str) -> Result<Self, AmountError> {
        let error = || AmountError(text.to_owned());
        let (above, below) = text.split_once('/').unwrap_or((text, "1"));
        let digits = |text: &str| {
            let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            plain.then(|| text.parse::<i64>().ok()).flatten()
        };
        let (sign, above) = match above.strip_prefix(['-', '\u{2212}']) {
            Some(rest) => (-1, rest),
            None => (1, above.strip_prefix('+').unwrap_or(above)),
        };
        let above = digits(above).ok_or_else(error)?;
        let below = digits(below).filter(|below| (1..=12).contains(below)).ok_or_else(error)?;
        Self::of(Ratio::new(sign * above, below)).ok_or_else(error)
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl de::Visitor<'_> for Text {
            type Value = Amount;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("points such as 80 or \"-20/3\"")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Amount, E> {
                text.parse().map_err(E::custom)
            }
            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Amount, E> {
                number.to_string().parse().map_err(E::custom)
            }
            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Amount, E> {
                number.to_string().parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_any(Text)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn amounts_print_in_lowest_terms_and_read_back() {
        for text in ["0", "80", "-40", "-20/3", "225/2", "1/12"] {
            assert_eq!(text.parse::<Amount>().unwrap().to_string(), text);
        }
        assert_eq!("+4/6".parse::<Amount>().unwrap().to_string(), "2/3");
        for text in ["", "-", "1/0", "1/13", "1.5", "--1", "1000000001", "1/-2", "1/"] {
            assert!(text.parse::<Amount>().is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn sums_are_exact(amounts in prop::collection::vec((-5000i64..5000, 1i64..13), 1..30)) {
            let exact: Ratio<i64> = amounts.iter().map(|(a, b)| Ratio::new(*a, *b)).sum();
            let sum: Amount =
                amounts.iter().map(|(a, b)| Amount::of(Ratio::new(*a, *b)).unwrap()).sum();
            prop_assert_eq!(sum.ratio(), exact);
        }
    }
}
