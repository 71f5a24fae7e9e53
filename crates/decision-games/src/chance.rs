//! Random draws that a seed fixes for ever.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A stream of draws. The same seed gives the same draws, in every version of this crate.
pub struct Chance(ChaCha8Rng);

impl Chance {
    /// Starts the stream of a seed: ChaCha with 8 rounds, whose key is the seed as 8 bytes, low
    /// byte first, and zeros.
    pub fn new(seed: u64) -> Chance {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Chance(ChaCha8Rng::from_seed(key))
    }

    /// The seed of the stream, for draws that are made elsewhere.
    pub(crate) fn seed(&self) -> u64 {
        let key = self.0.get_seed();
        key[..8]
            .iter()
            .rev()
            .fold(0, |seed, byte| seed << 8 | u64::from(*byte))
    }

    /// A real number, uniform in [0, 1), with 53 bits.
    pub fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// An integer, uniform in 0 .. n; 0 if n is 0.
    pub fn below(&mut self, n: usize) -> usize {
        // The high half of the product; the bias is below one in 2^32 for such n.
        ((u128::from(self.0.next_u64()) * n as u128) >> 64) as usize
    }

    /// An integer, uniform from `low` to `high`, both included.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1).max(1) as usize) as i64
    }

    /// True with this probability.
    pub fn with_probability(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// One of the items; the first if there is only one.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// Puts the items into random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// A real number with an exponential distribution of this mean.
    pub fn exponential(&mut self, mean: f64) -> f64 {
        -mean * (1.0 - self.unit()).ln()
    }

    /// A real number with a normal distribution.
    pub fn normal(&mut self, mean: f64, deviation: f64) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        mean + deviation * radius * (std::f64::consts::TAU * self.unit()).cos()
    }
}
