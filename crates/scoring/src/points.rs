//! Points won and lost at a table and added up over a tournament: exact, and quick to add.

use std::{fmt, iter::Sum, str::FromStr};

use num_rational::Ratio;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;

/// Points, exact. Counted in 55 440ths: a rule file's shares have denominators to 12 and its scores
/// are halves, so that every payment is a whole number of them. Written as a fraction in lowest
/// terms, `-20/3`.
///
/// ```
/// use tilelens_scoring::points::Points;
/// let third: Points = "-20/3".parse().unwrap();
/// assert_eq!((third + third + third).to_string(), "-20");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Points(i64);

/// A text that is not a number of points.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{0}` is no number of points: expected a whole number or a fraction, such as 80, -40, -20/3, 127½ or 20.5 \
     (at most a thousand million, at most twelfths; thousands are parted by spaces or not at all)"
)]
pub struct PointsError(String);

/// Two times the least common multiple of 1 to 12.
const UNIT: i64 = 55_440;

impl Points {
    /// Nothing.
    pub const ZERO: Self = Self(0);
    /// The largest amount that is read. A hundred thousand deals of it do not overflow.
    const MOST: i64 = 1_000_000_000;

    /// Whole points.
    pub fn whole(points: impl Into<i64>) -> Self {
        Self(points.into().saturating_mul(UNIT))
    }

    /// An exact fraction; `None` where it is too large or not a whole number of 55 440ths.
    pub fn of(fraction: Ratio<i64>) -> Option<Self> {
        let (above, below) = (*fraction.numer(), *fraction.denom());
        let fits = UNIT % below == 0 && (above / below).abs() <= Self::MOST;
        fits.then(|| above.checked_mul(UNIT / below)).flatten().map(Self)
    }

    /// The mean of up to twelve; `None` of nothing. Exact for points that were read, of up to four.
    ///
    /// ```
    /// use tilelens_scoring::points::Points;
    /// let mean = Points::mean([80, 50].map(Points::whole)).unwrap();
    /// assert_eq!(mean, Points::whole(65));
    /// ```
    pub fn mean(all: impl IntoIterator<Item = Self>) -> Option<Self> {
        let (mut sum, mut count) = (Self::ZERO, 0);
        for points in all {
            sum += points;
            count += 1;
        }
        (count > 0).then(|| Self(sum.0 / count))
    }

    /// The points without their sign.
    #[must_use]
    pub fn abs(self) -> Self {
        Self(self.0.saturating_abs())
    }

    /// The points as a fraction.
    pub fn ratio(self) -> Ratio<i64> {
        Ratio::new(self.0, UNIT)
    }

    /// The points as people write them: 26⅔, -40.
    pub fn mixed(self) -> String {
        mixed(self.ratio())
    }

    /// The points with their sign: +34, -6⅔.
    pub fn signed(self) -> String {
        let plus = if self > Self::ZERO { "+" } else { "" };
        format!("{plus}{}", self.mixed())
    }
}

/// A fraction as people write it: 26⅔, -40.
pub fn mixed(fraction: Ratio<i64>) -> String {
    let (whole, rest) = (fraction.to_integer(), fraction.fract());
    if *rest.numer() == 0 {
        return whole.to_string();
    }
    let sign = if *rest.numer() < 0 { "-" } else { "" };
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

impl std::ops::Add for Points {
    type Output = Self;
    /// Saturating: an audit reports the sum that is not zero, no replay panics.
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl std::ops::AddAssign for Points {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl std::ops::Neg for Points {
    type Output = Self;
    fn neg(self) -> Self {
        Self(self.0.saturating_neg())
    }
}

impl std::ops::Sub for Points {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl std::ops::Mul<i64> for Points {
    type Output = Self;
    fn mul(self, times: i64) -> Self {
        Self(self.0.saturating_mul(times))
    }
}

impl Sum for Points {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, |sum, amount| sum + amount)
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.ratio(), f)
    }
}

impl FromStr for Points {
    type Err = PointsError;

    fn from_str(text: &str) -> Result<Self, PointsError> {
        // The value read is written as a fraction, and has to be readable again.
        let fits = |read: &Ratio<i64>| {
            read.numer().abs() / read.denom() <= Self::MOST && *read.denom() <= MOST_BELOW
        };
        let points = read_fraction(text).filter(fits).and_then(Self::of);
        points.ok_or_else(|| PointsError(text.to_owned()))
    }
}

/// A number as people write it and as this program prints it: `80`, `-40`, `-20/3`, `127½`, `1 2/5`, `20.5`, `20,5`, `1 000`.
/// `None` for anything else, a comma or point before three digits among it: it may part thousands or
/// begin a fraction.
///
/// ```
/// use tilelens_scoring::points::read_fraction;
/// let shown = |text| read_fraction(text).map(|read| read.to_string());
/// assert_eq!(shown("127½").unwrap(), "255/2");
/// assert_eq!(shown("1 000").unwrap(), "1000");
/// assert_eq!(shown("1,000"), None);
/// ```
pub fn read_fraction(text: &str) -> Option<Ratio<i64>> {
    let text = text.trim();
    let (sign, text) = match text.strip_prefix(['-', '\u{2212}']) {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    unsigned(text).map(|read| read * sign)
}

/// Fractions that have a letter of their own.
const LETTERS: [(char, i64, i64); 11] = [
    ('½', 1, 2),
    ('⅓', 1, 3),
    ('⅔', 2, 3),
    ('¼', 1, 4),
    ('¾', 3, 4),
    ('⅕', 1, 5),
    ('⅖', 2, 5),
    ('⅗', 3, 5),
    ('⅘', 4, 5),
    ('⅙', 1, 6),
    ('⅚', 5, 6),
];

/// The largest denominator of a fraction: twelfths.
const MOST_BELOW: i64 = 12;

/// The most digits that a number may have; nothing overflows then.
const DIGITS: usize = 15;

fn unsigned(text: &str) -> Option<Ratio<i64>> {
    if let Some(&(letter, above, below)) = LETTERS.iter().find(|(it, ..)| text.ends_with(*it)) {
        let whole = text.strip_suffix(letter)?.trim_end();
        let whole = if whole.is_empty() { 0 } else { whole_number(whole)? };
        return Some(Ratio::from_integer(whole) + Ratio::new(above, below));
    }
    if let Some((above, below)) = text.split_once('/') {
        let (whole, above) = match above.rsplit_once(' ') {
            Some((whole, above)) => (whole_number(whole)?, above),
            None => (0, above),
        };
        let below = digits(below).filter(|below| (1..=MOST_BELOW).contains(below))?;
        return Some(Ratio::from_integer(whole) + Ratio::new(digits(above)?, below));
    }
    if let Some((whole, part)) = text.rsplit_once(['.', ',']) {
        let power = u32::try_from(part.len()).ok().filter(|places| (1..=6).contains(places))?;
        if power == 3 {
            return None;
        }
        return Some(
            Ratio::from_integer(whole_number(whole)?)
                + Ratio::new(digits(part)?, 10_i64.pow(power)),
        );
    }
    whole_number(text).map(Ratio::from_integer)
}

/// Digits, their thousands parted by spaces or apostrophes, or not.
fn whole_number(text: &str) -> Option<i64> {
    let mut groups = text.split([' ', '\u{a0}', '\u{2009}', '\u{202f}', '\'', '\u{2019}']);
    let mut all = groups.next()?.to_owned();
    for group in groups {
        if all.len() > DIGITS || group.len() != 3 {
            return None;
        }
        all += group;
    }
    digits(&all)
}

fn digits(text: &str) -> Option<i64> {
    let plain = (1..=DIGITS).contains(&text.len()) && text.bytes().all(|it| it.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

impl Serialize for Points {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "schema")]
crate::schema::described_as!("Points", Points, |generator| {
    crate::schema::number(generator, "[0-9]", i64::MIN)
});

impl<'de> Deserialize<'de> for Points {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl de::Visitor<'_> for Text {
            type Value = Points;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("points such as 80 or \"-20/3\"")
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
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn points_print_in_lowest_terms_and_read_back() {
        for text in ["0", "80", "-40", "-20/3", "225/2", "1/12"] {
            assert_eq!(text.parse::<Points>().unwrap().to_string(), text);
        }
        for (text, printed) in [("+4/6", "2/3"), (" -40/6 ", "-20/3"), ("−7", "-7")] {
            assert_eq!(text.parse::<Points>().unwrap().to_string(), printed);
        }
        for (text, exact) in [
            ("127½", "255/2"),
            ("-26⅔", "-80/3"),
            ("−½", "-1/2"),
            ("1 2/5", "7/5"),
            ("20.5", "41/2"),
            ("20,5", "41/2"),
            ("-10,25", "-41/4"),
            ("1 000", "1000"),
            ("12 345,5", "24691/2"),
            ("1'000", "1000"),
            ("1\u{202f}000", "1000"),
        ] {
            assert_eq!(text.parse::<Points>().unwrap().to_string(), exact, "{text}");
        }
        for text in [
            "",
            "-",
            "1/0",
            "1/13",
            "--1",
            "1000000001",
            "1/-2",
            "1/",
            "1.",
            ".5",
            "1,000",
            "1.000",
            "1 00",
            "1 000 0",
            "1 0000",
            "½½",
            "1.5.5",
            "1e3",
            "1.0000001",
            "99999999999999999999",
            "99999999999999999999/2",
            "1.23457",
            "0.05",
        ] {
            assert!(text.parse::<Points>().is_err(), "{text}");
        }
    }

    #[test]
    fn points_are_shown_as_people_write_them() {
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
        assert_eq!(
            ["12", "0", "-1/2"].map(|it| it.parse::<Points>().unwrap().signed()),
            ["+12", "0", "-½"]
        );
    }

    proptest! {
        #[test]
        fn sums_are_exact(amounts in prop::collection::vec((-5000i64..5000, 1i64..13), 1..30)) {
            let exact: Ratio<i64> = amounts.iter().map(|(a, b)| Ratio::new(*a, *b)).sum();
            let sum: Points =
                amounts.iter().map(|(a, b)| Points::of(Ratio::new(*a, *b)).unwrap()).sum();
            prop_assert_eq!(sum.ratio(), exact);
        }
    }
}
