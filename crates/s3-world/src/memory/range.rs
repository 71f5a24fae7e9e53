//! The `Range` of a read.

use std::ops::Range;

/// The part of `size` bytes that a `Range` header selects.
#[derive(Debug, PartialEq, Eq)]
pub enum Selection {
    /// Everything. There is no range, or it is ignored because it is not well-formed or
    /// names several ranges.
    Whole,
    /// These bytes.
    Part(Range<usize>),
    /// A range outside of the content.
    Unsatisfiable,
}

/// Reads `bytes=FIRST-LAST`, `bytes=FIRST-` or `bytes=-LENGTH` (RFC 9110, section 14).
pub fn select(header: Option<&str>, size: usize) -> Selection {
    let parsed = header
        .and_then(|header| header.trim().strip_prefix("bytes="))
        .and_then(|range| range.split_once('-'));
    let Some((first, last)) = parsed else {
        return Selection::Whole;
    };
    let (first, last) = (number(first), number(last));
    let part = match (first, last) {
        (Some(Some(first)), Some(Some(last))) if first > last => return Selection::Whole,
        (Some(Some(first)), Some(Some(last))) => first..last.saturating_add(1).min(size),
        (Some(Some(first)), Some(None)) => first..size,
        (Some(None), Some(Some(length))) => size.saturating_sub(length)..size,
        _ => return Selection::Whole,
    };
    if part.is_empty() {
        return Selection::Unsatisfiable;
    }
    Selection::Part(part)
}

/// Reads a number: `None` for a text that is not a number, `Some(None)` for an empty
/// text. A number too large for an offset is replaced by one beyond the end of every
/// object.
fn number(text: &str) -> Option<Option<usize>> {
    match text.trim() {
        "" => Some(None),
        digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            Some(Some(digits.parse().unwrap_or(usize::MAX)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_select_bytes() {
        let lines = [
            "bytes=0-3",
            "bytes=8-100",
            "bytes=4-",
            "bytes=-3",
            "bytes=-30",
            "bytes=-0",
            "bytes=10-",
            "bytes=5-2",
            "bytes=0-1,4-5",
            "bytes=a-b",
            "bytes=",
            "items=0-1",
            "bytes=99999999999999999999-",
            "bytes=0-99999999999999999999",
        ]
        .map(|header| format!("{header} {:?}\n", select(Some(header), 10)));
        expect_test::expect![[r#"
            bytes=0-3 Part(0..4)
            bytes=8-100 Part(8..10)
            bytes=4- Part(4..10)
            bytes=-3 Part(7..10)
            bytes=-30 Part(0..10)
            bytes=-0 Unsatisfiable
            bytes=10- Unsatisfiable
            bytes=5-2 Whole
            bytes=0-1,4-5 Whole
            bytes=a-b Whole
            bytes= Whole
            items=0-1 Whole
            bytes=99999999999999999999- Unsatisfiable
            bytes=0-99999999999999999999 Part(0..10)
        "#]]
        .assert_eq(&lines.concat());
    }
}
