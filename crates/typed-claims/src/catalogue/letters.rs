//! How often each letter stands in a name, which tells names apart sooner than their distance.

/// The letters of a name, in so many bins.
const BINS: usize = 32;

#[derive(Debug)]
pub(crate) struct Letters {
    pub count: usize,
    bins: [u8; BINS],
}

impl Letters {
    pub fn of(name: &str) -> Self {
        let mut letters = Letters {
            count: 0,
            bins: [0; BINS],
        };
        for letter in name.chars() {
            letters.count += 1;
            if let Some(bin) = letters.bins.get_mut(letter as usize % BINS) {
                *bin = bin.saturating_add(1);
            }
        }
        letters
    }

    /// Whether so many typos could make one name of the other: each moves at most two letters
    /// between bins.
    pub fn may_be(&self, other: &Letters, typos: usize) -> bool {
        let moved = self.bins.iter().zip(&other.bins);
        let moved = moved.map(|(one, two)| usize::from(one.abs_diff(*two)));
        self.count.abs_diff(other.count) <= typos && moved.sum::<usize>() <= 2 * typos
    }
}
