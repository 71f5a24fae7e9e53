//! How far two raters agree.

/// The verdicts of two raters on the same items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Agreement {
    /// Items by the first rater's verdict, then the second's: `table[1][0]` are those that the
    /// first holds and the second does not.
    pub table: [[usize; 2]; 2],
}

impl Agreement {
    /// Counts pairs of verdicts, such as judge and checker of one turn.
    ///
    /// ```
    /// use typed_claims::Agreement;
    ///
    /// let pairs = [(true, true), (true, false), (false, false), (false, false)];
    /// assert_eq!(Agreement::of(pairs).kappa(), Some(0.5));
    /// ```
    pub fn of(pairs: impl IntoIterator<Item = (bool, bool)>) -> Self {
        let mut agreement = Agreement::default();
        for (first, second) in pairs {
            let row = agreement.table.get_mut(usize::from(first));
            if let Some(count) = row.and_then(|row| row.get_mut(usize::from(second))) {
                *count += 1;
            }
        }
        agreement
    }

    /// The share of items on which both say the same, p_o; none without items.
    pub fn raw(&self) -> Option<f64> {
        let [[neither, second], [first, both]] = self.table;
        share(neither + both, neither + second + first + both)
    }

    /// Cohen's κ = (p_o − p_e) / (1 − p_e), where p_e is the agreement that the two raters' margins
    /// give by chance. None without items, and where p_e is 1: both say one thing throughout.
    pub fn kappa(&self) -> Option<f64> {
        let [[neither, second], [first, both]] = self.table;
        let all = neither + second + first + both;
        let (one, two) = (share(first + both, all)?, share(second + both, all)?);
        let chance = one * two + (1.0 - one) * (1.0 - two);
        let settled = (first + both == 0 && second + both == 0)
            || (first + both == all && second + both == all);
        (!settled).then(|| self.raw().map(|raw| (raw - chance) / (1.0 - chance)))?
    }
}

/// A part of a whole; none of nothing.
#[expect(clippy::cast_precision_loss, reason = "counts of turns")]
pub(crate) fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
