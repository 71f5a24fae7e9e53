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

/// Verbs that a name may have as a noun, as `charges` is one. They tell what is done where something
/// that it is done to follows: "Charges the card".
const BEFORE_AN_OBJECT: [&str; 71] = [
    "accept",
    "acknowledge",
    "activate",
    "allocate",
    "approve",
    "assign",
    "attach",
    "ban",
    "block",
    "book",
    "buy",
    "charge",
    "change",
    "close",
    "commit",
    "confirm",
    "consume",
    "deactivate",
    "decline",
    "decrement",
    "deploy",
    "detach",
    "dismiss",
    "enqueue",
    "execute",
    "expire",
    "grant",
    "increment",
    "install",
    "invalidate",
    "invite",
    "invoke",
    "launch",
    "lock",
    "mark",
    "merge",
    "modify",
    "mute",
    "notify",
    "order",
    "pause",
    "pop",
    "print",
    "promote",
    "provision",
    "push",
    "reboot",
    "refund",
    "register",
    "reject",
    "release",
    "renew",
    "reserve",
    "restore",
    "resume",
    "rotate",
    "run",
    "save",
    "schedule",
    "set",
    "share",
    "start",
    "subscribe",
    "suspend",
    "switch",
    "toggle",
    "trigger",
    "turn",
    "unlock",
    "unsubscribe",
    "withdraw",
];
/// What begins an object: "the light", "all messages".
const OBJECTS: [&str; 20] = [
    "a",
    "all",
    "an",
    "another",
    "any",
    "each",
    "every",
    "everybody",
    "everyone",
    "it",
    "its",
    "my",
    "one",
    "our",
    "some",
    "that",
    "the",
    "these",
    "this",
    "your",
];
/// Words with which descriptions in German, Italian, Spanish and French begin.
const ELSEWHERE: [(&str, &str); 43] = [
    ("aktiviert", "enable"),
    ("aktualisiert", "update"),
    ("bucht", "book"),
    ("entfernt", "remove"),
    ("erstellt", "create"),
    ("erzeugt", "create"),
    ("leert", "clear"),
    ("löscht", "delete"),
    ("schickt", "send"),
    ("sendet", "send"),
    ("setzt", "set"),
    ("speichert", "save"),
    ("startet", "start"),
    ("stoppt", "stop"),
    ("storniert", "cancel"),
    ("verschiebt", "move"),
    ("ändert", "change"),
    ("überschreibt", "overwrite"),
    ("aggiorna", "update"),
    ("annulla", "cancel"),
    ("avvia", "start"),
    ("cancella", "delete"),
    ("crea", "create"),
    ("elimina", "delete"),
    ("ferma", "stop"),
    ("imposta", "set"),
    ("invia", "send"),
    ("modifica", "change"),
    ("prenota", "book"),
    ("rimuove", "remove"),
    ("sposta", "move"),
    ("svuota", "clear"),
    ("actualiza", "update"),
    ("borra", "delete"),
    ("cambia", "change"),
    ("envía", "send"),
    ("guarda", "save"),
    ("arrête", "stop"),
    ("crée", "create"),
    ("démarre", "start"),
    ("envoie", "send"),
    ("modifie", "change"),
    ("supprime", "delete"),
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
    let of_others = ELSEWHERE.iter().find(|(word, _)| word == first);
    if let Some(verb) = verb(first).or(of_others.map(|(_, verb)| *verb)) {
        return Some(verb);
    }
    let mut before = None;
    let mut pairs = words.iter().zip(words.iter().skip(1));
    pairs.find_map(|(word, next)| {
        let may_be = matches!(before, None | Some("and" | "then" | "or"));
        before = Some(word.as_str());
        let is_done_to = OBJECTS.contains(&next.as_str());
        let verb = || verb(word).or_else(|| form_of(word, &BEFORE_AN_OBJECT));
        (may_be && is_done_to).then(verb).flatten()
    })
}

fn plain(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase()
}

/// The verb that a word is a form of: `deletes`, `Removes`, `purge.`.
fn verb(word: &str) -> Option<&'static str> {
    form_of(&plain(word), &VERBS)
}

fn form_of(word: &str, verbs: &[&'static str]) -> Option<&'static str> {
    let is = |verb: &&&'static str| {
        let end = word.strip_prefix(**verb);
        let of_y = || word.strip_suffix("ies") == verb.strip_suffix('y') && verb.ends_with('y');
        end.is_some_and(|end| matches!(end, "" | "s" | "es")) || of_y()
    };
    verbs.iter().find(is).copied()
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
