//! Random draws that a label, a seed and a dialogue fix for ever.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sha2::{Digest, Sha256};

/// A stream of draws.
#[derive(Debug, Clone)]
pub(crate) struct Chance(ChaCha8Rng);

impl Chance {
    /// ChaCha with 8 rounds, whose key is the SHA-256 of the label, a zero byte, the seed as 8
    /// bytes, low byte first, and the dialogue's name.
    pub fn new(label: &str, seed: u64, dialogue: &str) -> Self {
        let mut hash = Sha256::new();
        hash.update(label.as_bytes());
        hash.update([0]);
        hash.update(seed.to_le_bytes());
        hash.update(dialogue.as_bytes());
        Chance(ChaCha8Rng::from_seed(hash.finalize().into()))
    }

    /// A place below a length, the integer part of u · n / 2³²; 0 for none.
    pub fn below(&mut self, n: usize) -> usize {
        let product = u64::from(self.0.next_u32()).saturating_mul(n as u64);
        usize::try_from(product >> 32).unwrap_or(0)
    }

    /// One of the items.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }

    /// Puts items into a drawn order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in 0..items.len() {
            let other = at + self.below(items.len() - at);
            items.swap(at, other);
        }
    }
}
