//! Python names for tools and parameters.

use crate::domain::is_keyword;
use std::collections::HashSet;
use unicode_ident::{is_xid_continue, is_xid_start};
use unicode_normalization::{UnicodeNormalization, is_nfkc};

/// The longest name. Longer ones are cut.
const MOST: usize = 80;

/// Gives every name only once.
#[derive(Debug, Default)]
pub struct Names(HashSet<String>);

impl Names {
    /// The name itself, or the first `name_2`, `name_3` … that is still free.
    pub fn take(&mut self, name: String) -> String {
        let mut free = name.clone();
        let mut number = 2usize;
        while !self.0.insert(free.clone()) {
            free = format!("{name}_{number}");
            number += 1;
        }
        free
    }

    /// Whether the name is taken.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}

/// Python names for names on the wire, in the same order: each a different identifier.
/// A name that is an identifier already is kept, whatever comes before it; [`identifier`]
/// makes the others. Names in `taken` are not used.
pub fn in_python(wire: &[&str], other: &str, taken: &[&str], is_public: bool) -> Vec<String> {
    let is_kept = |name: &str| is_kept(name, is_public) && !taken.contains(&name);
    let mut names = Names::default();
    let kept = wire.iter().filter(|name| is_kept(name));
    names
        .0
        .extend(kept.chain(taken).map(|name| (*name).to_owned()));
    let named = wire.iter().map(|name| match is_kept(name) {
        true => (*name).to_owned(),
        false => names.take(identifier(name, other, is_public)),
    });
    named.collect()
}

/// Whether a name needs no change.
fn is_kept(name: &str, is_public: bool) -> bool {
    name.starts_with(|c: char| is_xid_start(c) || (c == '_' && !is_public))
        && name.chars().all(is_xid_continue)
        && name.chars().count() <= MOST
        // Python compares names in this form.
        && is_nfkc(name)
        && !is_keyword(name)
        // No keyword, but Python lets nobody assign it.
        && name != "__debug__"
}

/// A name as an identifier (PEP 3131). `other` replaces a name without letters and digits,
/// and is put before a leading digit. If `is_public`, a leading `_` is removed, because stubs
/// hide such names.
pub fn identifier(name: &str, other: &str, is_public: bool) -> String {
    if is_kept(name, is_public) {
        return name.to_owned();
    }
    let mut text = String::new();
    for (count, c) in name.nfkc().enumerate() {
        if is_xid_continue(c) && (c != '_' || !text.is_empty()) {
            text.push(c);
        } else if !text.is_empty() && !text.ends_with('_') {
            text.push('_');
        }
        if count >= 4 * MOST || text.chars().count() >= MOST {
            break;
        }
    }
    let text = match name.chars().all(is_xid_continue) {
        // What ends with `_` did so before.
        true => text,
        false => text.trim_end_matches('_').to_owned(),
    };
    if text.is_empty() {
        return other.to_owned();
    }
    if !text.starts_with(|c: char| c == '_' || is_xid_start(c)) {
        return format!("{other}_{text}");
    }
    match is_kept(&text, is_public) {
        true => text,
        false => format!("{text}_"),
    }
}

/// Whether a reader would not guess the name on the wire from the one in Python.
pub fn differs(wire: &str, python: &str) -> bool {
    let plain = wire.replace(['-', '.', ' ', '/', ':'], "_");
    plain != python
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_different_identifiers() {
        let wire = [
            "get-sum",
            "get_sum",
            "get.sum",
            "$defs",
            "3d.render",
            "class",
            "名前",
            "naïve",
            "_private",
            "a--b",
            "ToolError",
            "",
            "-",
            "x",
            "match",
            "list_",
            "list-",
        ];
        let python = in_python(&wire, "tool", &["ToolError"], true);
        assert_eq!(
            python.join(" "),
            "get_sum_2 get_sum get_sum_3 defs tool_3d_render class_ 名前 naïve private a_b \
             ToolError_2 tool tool_2 x match list_ list"
        );
        let python = in_python(&["_id", "__debug__", "id", "self"], "arg", &[], false);
        assert_eq!(python.join(" "), "_id debug__ id self");
    }
}
