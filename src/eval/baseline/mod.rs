//! Baselines: candidates without a model, to compare every score with.
//!
//! - `ground-truth` answers with the truth, through the whole path of a turn: text,
//!   parser, stack, sandbox, signature. Its EMR is 1, or something is broken.
//! - `do-nothing` updates no goal and says nothing.
//! - `nearest-example` repeats the training turn that is most like the one at hand, with
//!   the names of this dialogue in the place of its own, and its reply.
//! - `random-example` does the same with any training turn.

mod adapt;
mod do_nothing;
mod ground_truth;
mod nearest_example;
mod random_example;
mod values;

use super::candidate::Candidate;
use std::sync::Arc;

/// The names of the baselines.
pub const NAMES: [&str; 4] = [
    "ground-truth",
    "do-nothing",
    "nearest-example",
    "random-example",
];

/// The baseline of this name.
pub fn named(name: &str) -> Option<Arc<dyn Candidate>> {
    Some(match name {
        "ground-truth" => Arc::new(ground_truth::GroundTruth),
        "do-nothing" => Arc::new(do_nothing::DoNothing),
        "nearest-example" => Arc::new(nearest_example::NearestExample),
        "random-example" => Arc::new(random_example::RandomExample),
        _ => return None,
    })
}
