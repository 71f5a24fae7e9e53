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

mod bleu;
mod breakdowns;
mod command_line;
mod comparisons;
mod errors;
mod figures;
mod logs;
mod properties;
mod tokens;
mod whole;
