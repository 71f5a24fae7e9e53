//! Reads YAML as JSON.

use super::text::Text;
use crate::domain::with_room;

/// The deepest nesting after aliases are filled in. `serde_json` allows more.
const MAX_DEPTH: usize = 100;

/// Reads a text of at most so many bytes.
pub(super) fn read(text: &str, max_bytes: usize) -> Result<Text, String> {
    let parse = || {
        let read =
            serde_saphyr::with_deserializer_from_str_with_options(text, options(max_bytes), |it| {
                Text::read(MAX_DEPTH, it)
            });
        Some(read.map_err(|problem| {
            let problem = problem.to_string();
            if problem.contains("budget breached") || problem.contains("recursion limit") {
                return "the document is nested too deeply, or is too large, to be read as YAML"
                    .to_owned();
            }
            let first = problem.lines().next().unwrap_or("it cannot be read");
            format!("the document is not valid YAML: {first}")
        }))
    };
    // The parser needs up to 40 KB of stack for each level without optimisation.
    with_room(parse).unwrap_or_else(|| Err("the document cannot be read as YAML".to_owned()))
}

fn options(max_bytes: usize) -> serde_saphyr::Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: MAX_DEPTH,
            flow_nesting_limit: MAX_DEPTH,
            max_events: 8_000_000,
            max_nodes: 4_000_000,
            max_total_scalar_bytes: max_bytes,
        },
        // The country code `NO` and the answer `yes` are texts.
        strict_booleans: true,
        duplicate_keys: serde_saphyr::DuplicateKeyPolicy::LastWins,
        non_finite_float_policy: serde_saphyr::NonFiniteFloatPolicy::AsString,
        with_snippet: false,
    }
}
