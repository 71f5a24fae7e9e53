use std::collections::BTreeSet;
use std::ops::AddAssign;

/// How many elements two sets have, and have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Elements of the gold set.
    pub gold: u64,
    /// Elements of the predicted set.
    pub predicted: u64,
    /// Elements of both.
    pub common: u64,
}

impl Tally {
    /// Counts two sets.
    ///
    /// ```
    /// use worksheets::evaluate::Tally;
    ///
    /// let tally = Tally::of(&[1, 2, 3].into(), &[2, 3, 4, 5].into());
    /// assert_eq!(tally.precision(), Some(0.5));
    /// assert_eq!(tally.recall(), Some(2.0 / 3.0));
    /// assert_eq!(tally.f1(), Some(4.0 / 7.0));
    /// assert!(!tally.is_exact());
    /// ```
    pub fn of<T: Ord>(gold: &BTreeSet<T>, predicted: &BTreeSet<T>) -> Self {
        Self {
            gold: gold.len() as u64,
            predicted: predicted.len() as u64,
            common: gold.intersection(predicted).count() as u64,
        }
    }

    /// The share of what was predicted that is right; none where nothing was predicted.
    pub fn precision(&self) -> Option<f64> {
        ratio((self.common, self.predicted))
    }

    /// The share of the gold elements that were found; none where there are none.
    pub fn recall(&self) -> Option<f64> {
        ratio((self.common, self.gold))
    }

    /// The harmonic mean of both: 2·common / (gold + predicted).
    pub fn f1(&self) -> Option<f64> {
        ratio((2 * self.common, self.gold + self.predicted))
    }

    /// Whether the sets are equal.
    pub fn is_exact(&self) -> bool {
        self.common == self.gold && self.common == self.predicted
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.gold += other.gold;
        self.predicted += other.predicted;
        self.common += other.common;
    }
}

#[allow(clippy::cast_precision_loss, reason = "counts are small")]
pub(super) fn ratio((part, whole): (u64, u64)) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
