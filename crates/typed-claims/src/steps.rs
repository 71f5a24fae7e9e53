//! Counts what checks look at, in tests: a count says what a time only hints at.

#[cfg(test)]
thread_local! {
    static STEPS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// So many things were looked at.
#[cfg(test)]
pub(crate) fn count(more: usize) {
    STEPS.with(|steps| steps.set(steps.get() + more));
}

/// Outside tests nothing is counted.
#[cfg(not(test))]
#[inline]
pub(crate) fn count(_: usize) {}

/// The steps so far; the count begins again.
#[cfg(test)]
fn take() -> usize {
    STEPS.with(|steps| steps.replace(0))
}

#[cfg(test)]
#[path = "../tests/long/mod.rs"]
mod long;

#[cfg(test)]
mod tests {
    use super::{long, take};
    use crate::{Catalogue, Error, Tracker, restaurant};

    /// Eight times the text takes at most so many times the steps: a square would take 64.
    const MOST: usize = 12;

    #[test]
    fn eight_times_the_reply_takes_no_square_of_steps() -> Result<(), Error> {
        let schema = restaurant::schema()?;
        let lexicon = restaurant::lexicon("en", &schema)?;
        let catalogue = Catalogue::new(restaurant::rows()?, &schema, &lexicon)?;
        for (kind, piece) in long::PIECES {
            let steps = [800, 6_400].map(|length| {
                let text = long::reply(piece, length);
                let mut tracker = Tracker::new(&schema, &lexicon, &catalogue, catalogue.full());
                take();
                tracker.check(&text, None);
                tracker.hear(&text);
                tracker.check(&text, None);
                take()
            });
            let [short, long] = steps;
            assert!(
                long <= MOST * (short + 100),
                "{kind}: {short} and {long} steps"
            );
        }
        Ok(())
    }
}
