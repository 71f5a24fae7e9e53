//! Means and intervals.

use crate::chance::Chance;

/// A mean with its spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The mean; 0 of nothing.
    pub mean: f64,
    /// The standard error of the mean; 0 of fewer than two values.
    pub error: f64,
    /// How many values.
    pub count: usize,
}

/// The mean of values.
///
/// ```
/// let mean = decision_games::figures::mean(&[1.0, 2.0, 3.0]);
/// assert_eq!((mean.mean, mean.count), (2.0, 3));
/// ```
pub fn mean(values: &[f64]) -> Mean {
    let count = values.len();
    let n = count.max(1) as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let error = if count < 2 {
        0.0
    } else {
        (squares / (n - 1.0) / n).sqrt()
    };
    Mean { mean, error, count }
}

/// How much of what silence leaves open was gained: (mean − silent) / (1 − silent), a ratio of
/// means over the same games. 0 where silence leaves nothing open.
pub fn gain(norms: &[f64], silent: &[f64]) -> f64 {
    let (norm, silent) = (mean(norms).mean, mean(silent).mean);
    if silent >= 1.0 {
        0.0
    } else {
        (norm - silent) / (1.0 - silent)
    }
}

/// How often differences are drawn anew.
const DRAWS: usize = 2_000;

/// The 95 % interval of a mean difference, by a bootstrap over the pairs. The same differences
/// give the same interval; none without a difference.
pub fn interval(differences: &[f64]) -> Option<(f64, f64)> {
    let n = differences.len();
    if n == 0 {
        return None;
    }
    let mut chance = Chance::new(95);
    let mut means: Vec<f64> = (0..DRAWS)
        .map(|_| (0..n).map(|_| differences[chance.below(n)]).sum::<f64>() / n as f64)
        .collect();
    means.sort_by(f64::total_cmp);
    Some((means[DRAWS / 40], means[DRAWS - 1 - DRAWS / 40]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_holds_the_mean_and_narrows_with_more_values() {
        let few: Vec<f64> = (0..20).map(|n| f64::from(n % 5)).collect();
        let many: Vec<f64> = (0..500).map(|n| f64::from(n % 5)).collect();
        let ((a, b), (c, d)) = (
            interval(&few).expect("some"),
            interval(&many).expect("some"),
        );
        assert!(a < 2.0 && 2.0 < b && d - c < b - a);
        assert_eq!(interval(&[]), None);
        assert!((gain(&[0.9], &[0.8]) - 0.5).abs() < 1e-9);
    }
}
