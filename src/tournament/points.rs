//! What a player wins or loses at a table, and what standings add up: exact fractions.

use std::{
    fmt,
    iter::Sum,
    ops::{Add, AddAssign, Mul, Neg, Sub},
    str::FromStr,
};

use num_rational::Ratio;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;

/// An exact number of points, written `34`, `-12` or `-20/3`.
///
/// What is read has at most twelfths and nine digits, so that a tournament's sums stay far from
/// overflowing; means of shared places are exact too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Points(Ratio<i64>);

/// A text that is no number of points.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{0}` is no number of points: expected a whole number or a fraction, such as 34, -12 or \
     -20/3 (at most 999999999, at most twelfths)"
)]
pub struct PointsError(String);

impl Points {
    /// Nothing.
    pub const ZERO: Self = Self(Ratio::new_raw(0, 1));

    /// A whole number.
    ///
    /// ```
    /// use tilelens::tournament::Points;
    /// let mean = Points::mean([80, 50].map(Points::whole)).unwrap();
    /// assert_eq!(mean, Points::whole(65));
    /// ```
    pub fn whole(number: i32) -> Self {
        Self(Ratio::from_integer(i64::from(number)))
    }

    /// The mean; `None` of nothing.
    pub fn mean(amounts: impl IntoIterator<Item = Self>) -> Option<Self> {
        let (mut sum, mut count) = (Self::ZERO, 0);
        for amount in amounts {
            sum += amount;
            count += 1;
        }
        (count > 0).then(|| Self(sum.0 / count))
    }

    /// Without its sign.
    #[must_use]
    pub fn abs(self) -> Self {
        if self < Self::ZERO { -self } else { self }
    }

    /// As people write it: 26⅔, -40.
    pub fn mixed(self) -> String {
        let (whole, rest) = (self.0.to_integer(), self.0.fract());
        if *rest.numer() == 0 {
            return whole.to_string();
        }
        let sign = if self < Self::ZERO { "-" } else { "" };
        let whole = if whole == 0 { String::new() } else { whole.abs().to_string() };
        let part = match (rest.numer().abs(), *rest.denom()) {
            (1, 2) => "½".to_owned(),
            (1, 3) => "⅓".to_owned(),
            (2, 3) => "⅔".to_owned(),
            (1, 4) => "¼".to_owned(),
            (3, 4) => "¾".to_owned(),
            (above, below) if whole.is_empty() => format!("{above}/{below}"),
            (above, below) => format!(" {above}/{below}"),
        };
        format!("{sign}{whole}{part}")
    }

    /// The fraction.
    pub const fn ratio(self) -> Ratio<i64> {
        self.0
    }
}

impl From<Ratio<i64>> for Points {
    fn from(fraction: Ratio<i64>) -> Self {
        Self(fraction)
    }
}

impl Add for Points {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Points {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sub for Points {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Neg for Points {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Mul<i64> for Points {
    type Output = Self;
    fn mul(self, times: i64) -> Self {
        Self(self.0 * times)
    }
}

impl Sum for Points {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Points {
    type Err = PointsError;

    fn from_str(text: &str) -> Result<Self, PointsError> {
        const MOST_DIGITS: usize = 9;
        const FINEST: i64 = 12;
        let refused = || PointsError(text.to_owned());
        let digits = |digits: &str| -> Option<i64> {
            let plain = (1..=MOST_DIGITS).contains(&digits.len())
                && digits.bytes().all(|byte| byte.is_ascii_digit());
            if plain { digits.parse().ok() } else { None }
        };
        let trimmed = text.trim();
        let (sign, amount) = match trimmed.strip_prefix(['-', '−']) {
            Some(rest) => (-1, rest),
            None => (1, trimmed.strip_prefix('+').unwrap_or(trimmed)),
        };
        let (above, below) = amount.split_once('/').unwrap_or((amount, "1"));
        match (digits(above), digits(below)) {
            (Some(above), Some(below)) if (1..=FINEST).contains(&below) => {
                Ok(Self(Ratio::new(sign * above, below)))
            }
            _ => Err(refused()),
        }
    }
}

impl Serialize for Points {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Points {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl de::Visitor<'_> for Text {
            type Value = Points;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("points, such as 34 or \"-20/3\"")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Points, E> {
                text.parse().map_err(E::custom)
            }
            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Points, E> {
                number.to_string().parse().map_err(E::custom)
            }
            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Points, E> {
                number.to_string().parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_any(Text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_read_and_print_in_lowest_terms() {
        for (text, printed) in
            [("34", "34"), ("-12", "-12"), ("+8/2", "4"), (" -40/6 ", "-20/3"), ("−7", "-7")]
        {
            assert_eq!(text.parse::<Points>().unwrap().to_string(), printed);
        }
    }

    #[test]
    fn points_read_as_people_write_them() {
        for (text, shown) in [
            ("80/3", "26⅔"),
            ("-80/3", "-26⅔"),
            ("1/2", "½"),
            ("-1/2", "-½"),
            ("4/2", "2"),
            ("7/5", "1 2/5"),
            ("-3/5", "-3/5"),
            ("-12", "-12"),
        ] {
            assert_eq!(text.parse::<Points>().unwrap().mixed(), shown);
        }
    }

    #[test]
    fn what_is_no_number_of_points_is_refused() {
        for text in ["", "-", "1/0", "1/13", "1.5", "--1", "1/-2", "1234567890", "x", "1/"] {
            assert!(text.parse::<Points>().is_err(), "{text}");
        }
    }
}
