//! Operations that are said to read only, and by their own words do not.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The words of `doubt.toml`, which says what each list is for.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    verbs: Vec<String>,
    at_end: Vec<String>,
    before_an_object: Vec<String>,
    objects: Vec<String>,
    elsewhere: BTreeMap<String, String>,
}

static WORDS: LazyLock<Words> =
    LazyLock::new(|| toml::from_str(include_str!("doubt.toml")).unwrap_or_default());

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
        let last = last.filter(|verb| WORDS.at_end.iter().any(|known| known == verb));
        let mut told = descriptions.iter().filter_map(|text| told(text));
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

/// What a description says that the operation does, by its first word, or by one behind *and* or
/// *then* that has an object: "Returns the count and deletes the queue."
fn told(text: &str) -> Option<&'static str> {
    let words: Vec<String> = text.split_whitespace().map(plain).collect();
    let first = words.first()?;
    let of_others = WORDS.elsewhere.get(first).map(String::as_str);
    if let Some(verb) = verb(first).or(of_others) {
        return Some(verb);
    }
    let mut before = None;
    let mut pairs = words.iter().zip(words.iter().skip(1));
    pairs.find_map(|(word, next)| {
        let may_be = matches!(before, None | Some("and" | "then" | "or"));
        before = Some(word.as_str());
        let is_done_to = WORDS.objects.contains(next);
        let verb = || verb(word).or_else(|| form_of(word, &WORDS.before_an_object));
        (may_be && is_done_to).then(verb).flatten()
    })
}

fn plain(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase()
}

/// The verb that a word is a form of: `deletes`, `Removes`, `purge.`.
fn verb(word: &str) -> Option<&'static str> {
    form_of(&plain(word), &WORDS.verbs)
}

fn form_of(word: &str, verbs: &'static [String]) -> Option<&'static str> {
    let is = |verb: &&String| {
        let end = word.strip_prefix(verb.as_str());
        let of_y = || word.strip_suffix("ies") == verb.strip_suffix('y') && verb.ends_with('y');
        end.is_some_and(|end| matches!(end, "" | "s" | "es")) || of_y()
    };
    verbs.iter().find(is).map(String::as_str)
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
        for (text, does) in [
            ("Returns the count and deletes the queue.", "delete"),
            ("Charges the card of the customer.", "charge"),
            ("Unsubscribes the user.", "unsubscribe"),
            ("Toggles the light.", "toggle"),
            ("Notifies everybody by mail.", "notify"),
            ("Triggers a build.", "trigger"),
            ("Get and increment the counter.", "increment"),
            ("Löscht alle Daten.", "delete"),
        ] {
            assert_eq!(verb("thing", text), Some(does), "{text}");
        }
        for text in [
            "Charges of a customer.",
            "Lists orders and updates.",
            "The runs and their releases.",
            "Returns a run, and the tags of it.",
            "Start and end of the period.",
            "Order of the items",
        ] {
            assert_eq!(verb("thing", text), None, "{text}");
        }
        assert_eq!(verb("list_deleted", "Lists what was deleted."), None);
        assert_eq!(verb("get_updates", "Returns the updates."), None);
        assert_eq!(verb("charset", "The set."), None);
    }
}
