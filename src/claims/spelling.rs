//! Tells words that are spelt like names from English words.

/// Whether a word is spelt like a name and not like English.
pub(super) fn is_name(word: &str) -> bool {
    let alphanumeric = |c: char| c.is_alphanumeric();
    if !word.contains(alphanumeric) {
        return false;
    }
    let digits = word.chars().filter(char::is_ascii_digit).count();
    if word.contains(['_', '=', '@']) || word.contains("://") {
        return true;
    }
    if let Some((first, rest)) = word.split_once('/') {
        let letters = |part: &str| part.chars().all(char::is_alphabetic);
        let english = letters(first) && letters(rest) && !rest.is_empty() && !first.is_empty();
        return !(english && (is_either(first, rest) || is_capital(word)));
    }
    if word.contains(':') {
        return digits > 0;
    }
    if let Some((first, last)) = word.rsplit_once('.') {
        // `.txt`, `a.txt`, `10.0.0.1`; not `e.g`, `deleted.The`.
        let ending = last.chars().all(char::is_alphanumeric) && last.len() <= 10;
        let sentence = last.chars().next().is_some_and(char::is_uppercase)
            && last.chars().any(char::is_lowercase);
        let initials = word.split('.').all(|part| part.chars().count() == 1);
        let dates = word.split('.').all(|part| part.parse::<u32>().is_ok());
        return ending && (dates || !initials) && (first.is_empty() || !sentence);
    }
    if word.contains('-') {
        let mut parts = word.trim_matches('-').split('-');
        if word.chars().all(|c| c == '-' || c.is_ascii_digit()) {
            // A date; `10-20` is a range.
            return parts.any(|part| part.len() == 4);
        }
        // `UTF-8`, `SHA-256`.
        return !is_capital(word) && (digits > 0 || !parts.any(is_compound));
    }
    // `S3`, `EC2`, `MP3`, `1h`; but `photos2024`.
    digits >= 2 && word.chars().filter(|c| c.is_alphabetic()).count() >= 3
}

/// Whether a hyphenated word at the start of a list's item is a name, although it is spelt
/// like English: `- read-only`.
pub(super) fn is_list_name(word: &str) -> bool {
    let inner = word.trim_matches('-');
    inner.contains('-') && inner.starts_with(char::is_lowercase)
}

fn is_capital(word: &str) -> bool {
    !word.is_empty() && !word.chars().any(char::is_lowercase)
}

/// Whether both words are alternatives, as in `and/or`.
fn is_either(first: &str, rest: &str) -> bool {
    const CHOICES: &[&str] = &[
        "and", "or", "his", "her", "he", "she", "yes", "no", "read", "write", "input", "output",
        "i", "o", "n", "a", "on", "off", "true", "false", "w", "key", "name", "object", "file",
        "start", "stop", "before", "after", "either", "in", "out", "up", "down",
    ];
    let known = |word: &str| CHOICES.contains(&word.to_lowercase().as_str());
    known(first) && known(rest)
}

/// Whether this is a part of English compounds with a hyphen: `case-sensitive`,
/// `read-only`, `e-mail`, `server-side`, `up-to-date`.
fn is_compound(part: &str) -> bool {
    const PARTS: &str = "\
        a all and as based being built by case co consistent cross day double down e end ex \
        ended first for free full general half hand high in insensitive known last left \
        level like line long low lower made mail mid more multi named new no non of off old \
        on one only out over part post pre purpose re read real right second self semi \
        sensitive separated short side single size sized so step sub the third time to top \
        two three four five up upper user well wide word write yet";
    let part = part.to_lowercase();
    PARTS.split(' ').any(|known| known == part)
}
