//! Values by their rank.

/// The value below which a share (0-1) of some values lie: at 0.5 their median, of an even number the upper one.
/// `None` without values.
pub fn quantile(values: impl IntoIterator<Item = f32>, share: f32) -> Option<f32> {
    let mut values: Vec<f32> = values.into_iter().collect();
    let at = (values.len() as f32 * share) as usize;
    (at < values.len()).then(|| *values.select_nth_unstable_by(at, f32::total_cmp).1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_lies_in_the_middle_and_nothing_has_none() {
        assert_eq!(quantile([3.0, 1.0, 2.0], 0.5), Some(2.0));
        assert_eq!(quantile([4.0, 1.0, 2.0, 3.0], 0.5), Some(3.0));
        assert_eq!(quantile([4.0, 1.0, 2.0, 3.0], 0.25), Some(2.0));
        assert_eq!(quantile([], 0.5), None);
    }
}
