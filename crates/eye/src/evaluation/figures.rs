//! Shares with their intervals, and other figures.

use std::fmt;

/// A share, as two counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// The count of good ones.
    pub good: usize,
    /// The count of all.
    pub of: usize,
}

impl Share {
    /// Counts one more.
    pub fn add(&mut self, good: bool) {
        self.good += usize::from(good);
        self.of += 1;
    }

    /// The share; `None` of zero.
    #[must_use]
    pub fn value(self) -> Option<f64> {
        (self.of > 0).then(|| self.good as f64 / self.of as f64)
    }

    /// The 95 % interval (Wilson, 1927); `None` of zero.
    #[must_use]
    pub fn interval(self) -> Option<[f64; 2]> {
        const Z: f64 = 1.959_964;
        let p = self.value()?;
        let n = self.of as f64;
        let middle = p + Z * Z / (2.0 * n);
        let half = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
        let scale = 1.0 + Z * Z / n;
        Some([((middle - half) / scale).max(0.0), ((middle + half) / scale).min(1.0)])
    }
}

impl std::ops::AddAssign for Share {
    fn add_assign(&mut self, other: Self) {
        self.good += other.good;
        self.of += other.of;
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.value(), self.interval()) {
            (Some(p), Some([low, high])) => write!(
                f,
                "{:6.2} % [{:.2}, {:.2}] {}/{}",
                100.0 * p,
                100.0 * low,
                100.0 * high,
                self.good,
                self.of
            ),
            _ => write!(f, "     - (none)"),
        }
    }
}

/// Median and 95th percentile; `None` of zero values.
#[must_use]
pub fn median_and_p95(values: &[f64]) -> Option<[f64; 2]> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = |share: f64| sorted.get(((sorted.len() as f64 - 1.0) * share).round() as usize);
    Some([*at(0.5)?, *at(0.95)?])
}

/// Ten bins of confidence (mean confidence, share of right ones, count) and the expected
/// calibration error: the mean distance of the two, weighted by count (Guo et al., 2017).
#[must_use]
pub fn reliability(answers: &[(f64, bool)]) -> (Vec<(f64, f64, usize)>, f64) {
    let mut bins = vec![(0.0, 0.0, 0usize); 10];
    for (confidence, right) in answers {
        let bin = ((confidence * 10.0) as usize).min(9);
        bins[bin].0 += confidence;
        bins[bin].1 += f64::from(u8::from(*right));
        bins[bin].2 += 1;
    }
    let mut error = 0.0;
    for (confidence, right, count) in &mut bins {
        if *count > 0 {
            error += (*confidence - *right).abs();
            *confidence /= *count as f64;
            *right /= *count as f64;
        }
    }
    (bins, error / answers.len().max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_matches_published_values() {
        // Newcombe (1998), table I: 81 of 263 and 0 of 20.
        let interval = |good, of| Share { good, of }.interval().expect("some");
        let near = |a: f64, b: f64| (a - b).abs() < 5e-5;
        let [low, high] = interval(81, 263);
        assert!(near(low, 0.2553) && near(high, 0.3662), "{low} {high}");
        let [low, high] = interval(0, 20);
        assert!(near(low, 0.0) && near(high, 0.1611), "{low} {high}");
        assert_eq!(Share::default().interval(), None);
    }

    #[test]
    fn a_well_calibrated_reader_has_no_error() {
        let mut answers = vec![(0.75, true); 75];
        answers.extend(vec![(0.75, false); 25]);
        let (bins, error) = reliability(&answers);
        assert!(error < 1e-9 && bins[7].2 == 100);
        let (_, error) = reliability(&[(1.0, false)]);
        assert!((error - 1.0).abs() < 1e-9);
    }
}
