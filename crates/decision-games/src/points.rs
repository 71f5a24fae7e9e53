//! What a decision is worth.

/// The score of a decision, between the least and the greatest that its world allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Points {
    /// The score of the decision.
    pub score: i64,
    /// The greatest score of any decision.
    pub best: i64,
    /// The score that counts as 0: the least of any decision, or 0 itself.
    pub worst: i64,
}

impl Points {
    /// The score scaled to 1 at `best` and 0 at `worst`; 1 where the two are equal.
    ///
    /// ```
    /// let points = decision_games::Points { score: 4, best: 13, worst: -106 };
    /// assert_eq!(points.norm(), 110.0 / 119.0);
    /// ```
    pub fn norm(&self) -> f64 {
        if self.best == self.worst {
            return 1.0;
        }
        (self.score - self.worst) as f64 / (self.best - self.worst) as f64
    }
}
