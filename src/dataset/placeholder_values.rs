//! Compares a draft with an earlier one: were only placeholders filled in?

use crate::dialogue::Program;
use std::collections::BTreeMap;

/// The search gives up after this many steps, and the programs count as different. A person's
/// draft needs a few; the limit keeps hostile text from taking long.
const TRIES: usize = 100_000;

/// A draft with more placeholders counts as different. It bounds the depth of the recursion.
const PLACEHOLDERS: usize = 200;

/// The code that replaces each placeholder of `before` in `after`. A placeholder that is
/// still open is replaced by itself. `None` if the two differ in anything else.
///
/// ```
/// use dialog2api::dataset::filled;
/// use dialog2api::dialogue::Program;
///
/// let before = Program::new("s3.delete_object(Bucket=?1, Key=?2)");
/// let after = Program::new("s3.delete_object(Bucket=\"photos\", Key=?2)");
/// let values = filled(&before, &after).unwrap_or_default();
/// assert_eq!(values[&1], "\"photos\"");
/// assert_eq!(values[&2], "?2");
/// ```
pub fn filled(before: &Program, after: &Program) -> Option<BTreeMap<u32, String>> {
    let mut numbers = Vec::new();
    // No code has this character: RustPython and CPython refuse it.
    let marked = before.with_placeholders_replaced(|number| {
        numbers.push(number);
        "\0".to_owned()
    });
    let pieces: Vec<&str> = marked.split('\0').collect();
    if pieces.len() != numbers.len() + 1 || numbers.len() > PLACEHOLDERS {
        return None;
    }
    let mut search = Search {
        pieces,
        numbers,
        after: after.code(),
        tries: TRIES,
        values: BTreeMap::new(),
    };
    let found = search.from(0, 0);
    found.then(|| {
        let values = search.values.into_iter();
        values
            .map(|(number, value)| (number, value.to_owned()))
            .collect()
    })
}

struct Search<'a, 'b> {
    /// The code between the placeholders.
    pieces: Vec<&'a str>,
    /// The placeholders between the pieces.
    numbers: Vec<u32>,
    after: &'b str,
    tries: usize,
    values: BTreeMap<u32, &'b str>,
}

impl<'b> Search<'_, 'b> {
    /// Whether the pieces from this one on fit from here to the end.
    fn from(&mut self, piece: usize, at: usize) -> bool {
        let Some(text) = self.pieces.get(piece).copied() else {
            return false;
        };
        let rest = self
            .after
            .get(at..)
            .and_then(|rest| rest.strip_prefix(text));
        let (Some(rest), Some(tries)) = (rest, self.tries.checked_sub(1)) else {
            return false;
        };
        self.tries = tries;
        let Some(number) = self.numbers.get(piece).copied() else {
            return rest.is_empty();
        };
        let start = self.after.len() - rest.len();
        if let Some(value) = self.values.get(&number).copied() {
            return rest.starts_with(value) && self.from(piece + 1, start + value.len());
        }
        let next = self.pieces.get(piece + 1).copied().unwrap_or_default();
        let ends = rest.char_indices().map(|(end, _)| end).chain([rest.len()]);
        for end in ends.skip(1) {
            if !rest.get(end..).is_some_and(|rest| rest.starts_with(next)) {
                continue;
            }
            let value: &'b str = rest.get(..end).unwrap_or_default();
            self.values.insert(number, value);
            if self.from(piece + 1, start + end) {
                return true;
            }
            self.values.remove(&number);
        }
        false
    }
}
