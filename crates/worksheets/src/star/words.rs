//! What an utterance says, by its words.

/// An utterance in small letters, its words apart, without marks.
pub(super) struct Words(String);

impl Words {
    pub(super) fn of(text: &str) -> Self {
        let text = text.to_lowercase().replace(['\'', '’'], "");
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '$');
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        Self(format!(" {} ", words.join(" ")))
    }

    /// Whether one of these phrases is said; `*` at its end stands for the rest of a word.
    pub(super) fn has(&self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| match phrase.strip_suffix('*') {
            Some(start) => self.0.contains(&format!(" {start}")),
            None => self.0.contains(&format!(" {phrase} ")),
        })
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.split_whitespace()
    }

    /// Whether the words of another text are said, in their order.
    pub(super) fn say(&self, text: &str) -> bool {
        let other = Self::of(text);
        !other.0.trim().is_empty() && self.0.contains(&other.0)
    }

    /// Whether a word of a text is said that is no small one.
    pub(super) fn touch(&self, text: &str) -> bool {
        let other = Self::of(text);
        let counts = |word: &&str| word.len() > 2 || word.bytes().all(|b| b.is_ascii_digit());
        other
            .iter()
            .filter(counts)
            .any(|word| self.iter().any(|said| said == word))
    }

    /// The first number of so many digits.
    pub(super) fn digits(&self, count: std::ops::RangeInclusive<usize>) -> Option<&str> {
        self.iter().find(|word| {
            count.contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit())
        })
    }

    /// Whether nothing but a greeting is said.
    pub(super) fn is_greeting(&self) -> bool {
        const GREETINGS: &[&str] = &[
            "hi",
            "hello",
            "hey",
            "there",
            "good",
            "morning",
            "afternoon",
            "evening",
            "greetings",
            "yo",
            "ai",
            "how",
            "are",
            "you",
            "today",
        ];
        self.iter().all(|word| GREETINGS.contains(&word))
    }

    /// Whether the user takes their leave, or wants nothing more.
    pub(super) fn is_farewell(&self) -> bool {
        self.has(&[
            "bye",
            "goodbye",
            "thank*",
            "no",
            "nope",
            "thats all",
            "thats it",
            "im good",
        ])
    }
}
