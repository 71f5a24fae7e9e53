//! A yes in words that says nothing else.

/// What says yes, by language: English, German, Italian.
const YES: [&str; 56] = [
    "yes",
    "yeah",
    "yep",
    "yup",
    "sure",
    "of course",
    "certainly",
    "absolutely",
    "ok",
    "okay",
    "correct",
    "right",
    "exactly",
    "confirmed",
    "i confirm",
    "go ahead",
    "go on",
    "go for it",
    "proceed",
    "please proceed",
    "do it",
    "do that",
    "please do",
    "that is right",
    "that s right",
    "that is correct",
    "that s correct",
    "sounds good",
    "all right",
    "alright", //
    "ja",
    "jawohl",
    "genau",
    "gerne",
    "klar",
    "sicher",
    "richtig",
    "stimmt",
    "das stimmt",
    "das ist richtig",
    "passt",
    "in ordnung",
    "mach das",
    "mach es",
    "mach weiter",
    "nur zu", //
    "sì",
    "si",
    "certo",
    "esatto",
    "giusto",
    "va bene",
    "d accordo",
    "procedi",
    "fallo",
    "confermo",
];

/// What may stand beside it.
const POLITE: [&str; 10] = [
    "please",
    "thanks",
    "thank you",
    "it is",
    "bitte",
    "danke",
    "vielen dank",
    "per favore",
    "grazie",
    "prego",
];

/// Whether these words of the user are a yes and nothing else: "Yes, please", and neither "yes,
/// but on Monday" nor "right?". Nothing that a model has understood counts as the user's yes.
pub(super) fn is_plain_yes(words: &str) -> bool {
    if words.contains('?') {
        return false;
    }
    let folded = words.to_lowercase();
    let folded = folded.split(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = folded.filter(|word| !word.is_empty()).collect();
    let (mut rest, mut is_yes) = (&words[..], false);
    while !rest.is_empty() {
        let longest = |phrases: &[&str]| {
            let phrases = phrases.iter().map(|it| it.split(' ').collect::<Vec<_>>());
            let fitting = phrases.filter(|phrase| rest.starts_with(phrase));
            fitting.map(|phrase| phrase.len()).max()
        };
        let (yes, polite) = (longest(&YES), longest(&POLITE));
        let Some(taken) = yes.max(polite) else {
            return false;
        };
        is_yes |= yes.is_some();
        rest = &rest[taken..];
    }
    is_yes
}

#[cfg(test)]
mod tests {
    use super::is_plain_yes;

    #[test]
    fn a_plain_yes_says_nothing_else() {
        for yes in [
            "yes",
            "Yes, please!",
            "OK, go ahead. Thanks",
            "that’s right",
            "That's right",
            "ja, bitte",
            "Sì, grazie",
            "yes yes",
            "Yes, it is.",
            "SI",
            "please do",
            "Yes, go on",
            "ja, mach weiter",
        ] {
            assert!(is_plain_yes(yes), "{yes:?}");
        }
        for other in [
            "",
            "!",
            "please",
            "thanks",
            "right?",
            "yes, and make it 7",
            "yes but not Monday",
            "no",
            "yes no",
            "yesterday",
            "not right",
            "I said yes to Ada",
            "ja, aber morgen",
            "yes\u{200b}delete",
            "sure, 2",
            "да",
        ] {
            assert!(!is_plain_yes(other), "{other:?}");
        }
    }
}
