//! Names of rows.

use super::{Reader, Reading, What};
use crate::catalogue::Trie;

impl Reader<'_> {
    /// Full names, or the aliases that are left.
    pub(super) fn names(&self, reading: &mut Reading<'_>, full: bool) {
        let trie: &Trie = &self.catalogue.trie;
        let mut at = 0;
        while at < reading.tokens.len() {
            let found = trie.longest(&reading.tokens, at, full);
            let found = found.filter(|(_, end, sure)| {
                let short = *sure == crate::catalogue::Sure::Short;
                let capital = reading.tokens.get(at).is_some_and(|token| token.capital());
                reading.free(&(at..*end)) && (!short || capital)
            });
            let Some((rows, end, _)) = found else {
                at += 1;
                continue;
            };
            let mut rows = rows.to_vec();
            rows.sort_unstable();
            rows.dedup();
            let start = match at.checked_sub(1) {
                Some(before) if reading.low(before) == "the" && !reading.owned(before) => before,
                _ => at,
            };
            reading.claim(What::Name(rows), start..end);
            at = end.max(at + 1);
        }
    }
}
