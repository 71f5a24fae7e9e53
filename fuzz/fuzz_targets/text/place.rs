//! Where a text could not be read: a place that it has.

use dialog2api::dialogue::FormatError;

/// Fails when an error names a line or a column that the text does not have.
pub fn check(text: &str, error: &FormatError) {
    let line = text.split('\n').nth(error.line.wrapping_sub(1));
    let line = line.unwrap_or_else(|| panic!("no such line: {error}"));
    let columns = line.chars().count() + 1;
    assert!(
        (1..=columns).contains(&error.column),
        "no such column: {error}"
    );
    assert!(error.problem.len() < 1_000, "nobody reads this: {error}");
}
