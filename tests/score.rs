//! Figures from the log of an evaluation: small logs in, figures out.
//!
//! - `logs`: how the tests write a log
//! - `figures`: metrics, epochs and bounds, computed by hand in the comments
//! - `errors`: what is wrong with a wrong turn
//! - `breakdowns`: by position, operation and complexity
//! - `bleu`, `tokens`: against what sacrebleu and Python's `tokenize` say
//! - `comparisons`: two runs beside each other
//! - `properties`: what holds for every log
//! - `whole`: logs made of the dataset
//! - `command_line`: what users see, bad folders above all
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

#[path = "score/bleu.rs"]
mod bleu;
#[path = "score/breakdowns.rs"]
mod breakdowns;
#[path = "support/command.rs"]
mod command;
#[path = "score/command_line.rs"]
mod command_line;
#[path = "score/comparisons.rs"]
mod comparisons;
#[path = "score/errors.rs"]
mod errors;
#[path = "score/figures.rs"]
mod figures;
#[path = "score/logs.rs"]
mod logs;
#[path = "score/properties.rs"]
mod properties;
#[path = "score/tokens.rs"]
mod tokens;
#[path = "score/whole.rs"]
mod whole;
