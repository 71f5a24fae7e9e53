//! Operations that are said to read only, and by their own words do not.

/// Verbs of operations that change something, as a name or a sentence begins with them.
const VERBS: [&str; 40] = [
    "add",
    "append",
    "archive",
    "cancel",
    "clear",
    "create",
    "delete",
    "destroy",
    "disable",
    "drop",
    "edit",
    "enable",
    "erase",
    "flush",
    "insert",
    "kill",
    "move",
    "overwrite",
    "patch",
    "pay",
    "post",
    "publish",
    "purge",
    "put",
    "remove",
    "rename",
    "replace",
    "reset",
    "restart",
    "revoke",
    "send",
    "stop",
    "submit",
    "terminate",
    "transfer",
    "truncate",
    "update",
    "upload",
    "wipe",
    "write",
];
/// Those that also tell what a name does at its end: `cache_purge`.
const AT_END: [&str; 10] = [
    "clear", "delete", "destroy", "drop", "erase", "flush", "purge", "remove", "truncate", "wipe",
];

/// An operation that seems to change something.
pub struct Doubt {
    /// Its name in Python.
    pub operation: String,
    /// What it seems to do: `delete`.
    verb: &'static str,
}

impl Doubt {
    /// The doubt about an operation that is said to read only, by its name and the first words
    /// of its descriptions.
    pub fn of(operation: &str, descriptions: &[&str]) -> Option<Doubt> {
        let words: Vec<&str> = operation.split('_').filter(|it| !it.is_empty()).collect();
        let first = words.first().and_then(|word| verb(word));
        let last = words.last().and_then(|word| verb(word));
        let last = last.filter(|verb| AT_END.contains(verb));
        let mut told = descriptions
            .iter()
            .filter_map(|text| verb(text.split_whitespace().next()?));
        let verb = first.or(last).or_else(|| told.next())?;
        Some(Doubt {
            operation: operation.to_owned(),
            verb,
        })
    }

    /// The sentence for the owner.
    pub fn sentence(&self, claim: &str) -> String {
        let Doubt { operation, verb } = self;
        format!(
            "{operation} seems to {verb} something, although {claim}. It is not among `reads`, so \
             each call is shown first."
        )
    }
}

/// The verb that a word is a form of: `deletes`, `Removes`, `purge.`.
fn verb(word: &str) -> Option<&'static str> {
    let word = word
        .trim_matches(|c: char| !c.is_alphanumeric())
        .to_ascii_lowercase();
    let is = |verb: &&&'static str| {
        word == **verb || word == format!("{verb}s") || word == format!("{verb}es")
    };
    VERBS.iter().find(is).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_operation_does_is_known_by_its_words() {
        let verb = |name: &str, text: &str| Doubt::of(name, &[text]).map(|it| it.verb);
        assert_eq!(verb("purge_cache", ""), Some("purge"));
        assert_eq!(verb("cache_flush", ""), Some("flush"));
        assert_eq!(
            verb("entries", "Deletes all entries and returns them."),
            Some("delete")
        );
        assert_eq!(verb("list_deleted", "Lists what was deleted."), None);
        assert_eq!(verb("get_updates", "Returns the updates."), None);
        assert_eq!(verb("charset", "The set."), None);
    }
}
