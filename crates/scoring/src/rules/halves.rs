//! Faan, doublings and point values: whole numbers of halves, so that nothing is ever rounded.

use std::{
    fmt,
    ops::{Add, AddAssign, Sub},
    str::FromStr,
};

use num_rational::Ratio;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;

use crate::points::Points;

/// A number of halves: `Halves(3)` is 1½, written `3/2`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Halves(pub i32);

/// A text that is not a number of halves.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is not an amount: expected a whole number or halves, such as 3 or 1/2")]
pub struct HalvesError(String);

impl Halves {
    /// Nothing.
    pub const ZERO: Self = Self(0);
    /// The largest amount that is read: a hundred thousand. Sums of any rule file's items stay far
    /// from overflowing.
    pub const MAX: Self = Self(200_000);

    /// A whole number.
    pub const fn whole(number: i32) -> Self {
        Self(number * 2)
    }

    /// Whether a thing counted so is in the singular: 1, ½.
    pub(crate) const fn is_singular(self) -> bool {
        matches!(self.0, 1 | 2)
    }
}

impl Add for Halves {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Halves {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl AddAssign for Halves {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl From<Halves> for Points {
    fn from(halves: Halves) -> Self {
        // Half of an `i32` is a fraction that points hold.
        Self::of(Ratio::new(i64::from(halves.0), 2)).unwrap_or_default()
    }
}

impl fmt::Display for Halves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 % 2 == 0 { write!(f, "{}", self.0 / 2) } else { write!(f, "{}/2", self.0) }
    }
}

impl FromStr for Halves {
    type Err = HalvesError;

    fn from_str(text: &str) -> Result<Self, HalvesError> {
        let error = || HalvesError(text.to_owned());
        let number = |digits: &str| {
            let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
            if plain { digits.parse::<i32>().ok() } else { None }
        };
        let halves = match text.split_once('/') {
            Some((above, "2")) => number(above),
            Some(_) => None,
            None => number(text).and_then(|whole| whole.checked_mul(2)),
        };
        halves.map(Self).filter(|&halves| halves <= Self::MAX).ok_or_else(error)
    }
}

impl Serialize for Halves {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "schema")]
crate::schema::described_as!("Halves", Halves, |generator| {
    crate::schema::number(generator, "^[0-9]+(/2)?$", 0)
});

impl<'de> Deserialize<'de> for Halves {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Points;
        impl de::Visitor<'_> for Points {
            type Value = Halves;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number or halves, such as 3 or \"1/2\"")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Halves, E> {
                text.parse().map_err(E::custom)
            }
            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Halves, E> {
                number.to_string().parse().map_err(E::custom)
            }
            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Halves, E> {
                number.to_string().parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_any(Points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_print_in_lowest_terms_and_read_back() {
        for (halves, text) in [(0, "0"), (1, "1/2"), (2, "1"), (3, "3/2"), (24, "12")] {
            assert_eq!(Halves(halves).to_string(), text);
            assert_eq!(text.parse(), Ok(Halves(halves)));
        }
        for text in ["", "-1", "1/3", "+1", "1.5", "99999999999", "/2"] {
            assert!(text.parse::<Halves>().is_err(), "{text}");
        }
    }
}
