//! Fixed parties in other languages. They think in English: what they say is translated phrase by
//! phrase, and so are words of what they are asked. Names, numbers and times stay as they are.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::player::Player;
use crate::table::Table;

/// A language that fixed parties speak.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Language {
    /// English.
    #[default]
    #[serde(rename = "en")]
    English,
    /// German.
    #[serde(rename = "de")]
    German,
    /// Italian.
    #[serde(rename = "it")]
    Italian,
}

/// Reads a code; a sentence says which ones there are.
impl std::str::FromStr for Language {
    type Err = String;

    fn from_str(code: &str) -> Result<Language, String> {
        Language::named(code).ok_or_else(|| {
            let codes = Language::ALL.map(|(code, _)| code).join(", ");
            format!("there is no language {code:?}; the languages are {codes}")
        })
    }
}

impl Language {
    /// All languages with their codes.
    pub const ALL: [(&'static str, Language); 3] = [
        ("en", Language::English),
        ("de", Language::German),
        ("it", Language::Italian),
    ];

    /// The language of this code.
    pub fn named(code: &str) -> Option<Language> {
        let found = Language::ALL.iter().find(|(known, _)| *known == code);
        found.map(|(_, language)| *language)
    }

    /// Its code.
    pub fn code(self) -> &'static str {
        let found = Language::ALL.iter().find(|(_, known)| *known == self);
        found.map_or("", |(code, _)| code)
    }

    /// Whether it is the language of those who do not say it.
    pub fn is_usual(&self) -> bool {
        *self == Language::default()
    }

    fn words(self) -> Option<&'static Words> {
        static GERMAN: LazyLock<Words> =
            LazyLock::new(|| Words::of(include_str!("../data/languages/de.txt")));
        static ITALIAN: LazyLock<Words> =
            LazyLock::new(|| Words::of(include_str!("../data/languages/it.txt")));
        match self {
            Language::English => None,
            Language::German => Some(&GERMAN),
            Language::Italian => Some(&ITALIAN),
        }
    }
}

/// The player, speaking a language. Only fixed parties say what can be translated: their words are
/// templates.
///
/// ```
/// use decision_games::{Language, Manner, Rules, generate, open, speaking};
///
/// let world = generate("planning", 7).unwrap();
/// let game = open("planning", &world, Rules::default()).unwrap();
/// let user = game.partner(0, Manner::Shy, 1).unwrap();
/// let mut user = speaking(user, Language::German);
/// user.turn(&game.view(0)).unwrap();
/// let told = user.turn("Agent: [message] Wie viel Geld willst du ausgeben?").unwrap();
/// assert_eq!(told, "[message] das Budget bleibt unter $60");
/// ```
pub fn speaking(player: Box<dyn Player>, language: Language) -> Box<dyn Player> {
    match language.words() {
        None => player,
        Some(words) => Box::new(Speaking { player, words }),
    }
}

struct Speaking {
    player: Box<dyn Player>,
    words: &'static Words,
}

impl Speaking {
    fn told(&self, turn: Result<String, String>) -> Result<String, String> {
        let mut says = false;
        let line = |line: &str| {
            says = line.starts_with(SAYS) || says && !line.starts_with('[');
            match line.strip_prefix(SAYS) {
                Some(text) => format!("{SAYS}{}", self.words.said(text)),
                // Further lines of a message.
                None if says => self.words.said(line),
                None => line.to_owned(),
            }
        };
        Ok(turn?.lines().map(line).collect::<Vec<_>>().join("\n"))
    }
}

const SAYS: &str = "[message] ";

impl Player for Speaking {
    fn sit(&mut self, table: &Table) {
        self.player.sit(table);
    }

    fn lost(&self) -> Option<String> {
        self.player.lost()
    }

    fn turn(&mut self, news: &str) -> Result<String, String> {
        let turn = self.player.turn(&self.words.heard(news));
        self.told(turn)
    }

    fn decide(&mut self, news: &str) -> Result<String, String> {
        let turn = self.player.decide(&self.words.heard(news));
        self.told(turn)
    }
}

struct Words {
    /// What is said, the longest first.
    said: Vec<(&'static str, &'static str)>,
    /// Beginnings of words that are asked, the longest first.
    asked: Vec<(&'static str, &'static str)>,
}

impl Words {
    fn of(text: &'static str) -> Words {
        let (said, asked) = text.split_once("[asked]").unwrap_or((text, ""));
        let pairs = |text: &'static str| {
            let lines = text.lines().filter(|line| !line.starts_with('#'));
            let pair = |line: &'static str| line.split_once(" =");
            let mut pairs: Vec<_> = lines
                .filter_map(pair)
                .map(|(from, to)| (from.trim(), to.trim()))
                .collect();
            pairs.sort_by_key(|(from, _)| std::cmp::Reverse(from.len()));
            pairs
        };
        Words {
            said: pairs(said),
            asked: pairs(asked),
        }
    }

    /// A text of templates in this language.
    fn said(&self, text: &str) -> String {
        let mut told = String::with_capacity(text.len());
        let mut rest = text;
        let in_word = |c: char| c.is_alphanumeric() || c == '\'';
        while let Some(next) = rest.chars().next() {
            let begins = !told.ends_with(in_word);
            let fits = |(from, _): &&(&str, &str)| {
                let behind = rest.strip_prefix(*from);
                let ends = !from.ends_with(in_word);
                behind.is_some_and(|behind| ends || !behind.starts_with(in_word))
            };
            match self.said.iter().find(fits).filter(|_| begins) {
                Some((from, to)) => {
                    told += to;
                    rest = rest.get(from.len()..).unwrap_or_default();
                }
                None => {
                    told.push(next);
                    rest = rest.get(next.len_utf8()..).unwrap_or_default();
                }
            }
        }
        told.replace("  ", " ").trim().to_owned()
    }

    /// What others said, with the English word before each one that is understood.
    fn heard(&self, news: &str) -> String {
        let word = |word: &str| {
            let lower = word.to_lowercase();
            let bare = lower.trim_start_matches(|c: char| !c.is_alphanumeric());
            let known = self.asked.iter().find(|(stem, _)| bare.starts_with(stem));
            match known {
                Some((_, english)) => format!("{english} {word}"),
                None => word.to_owned(),
            }
        };
        let line = |line: &str| {
            let says = |from: &str| !from.is_empty() && !from.starts_with("You");
            match line.split_once(": [message] ") {
                Some((from, text)) if says(from) => {
                    let words: Vec<String> = text.split(' ').map(word).collect();
                    format!("{from}: [message] {}", words.join(" "))
                }
                _ => line.to_owned(),
            }
        };
        news.lines().map(line).collect::<Vec<_>>().join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_translated_and_names_are_not() {
        let german = Language::German.words().expect("words");
        for (said, expected) in [
            (
                "Ava Li: BLEU good, GLUE terrible.",
                "Ava Li: BLEU gut, GLUE furchtbar.",
            ),
            (
                "I have 5/31 8 PM - 10 PM (high).",
                "Ich habe 5/31 8 PM - 10 PM (sehr wichtig).",
            ),
            (
                "don't like: thai, like: french",
                "mag nicht: thailändisch, mag: französisch",
            ),
            (
                "heard these bars were good: The Dive, A-Trane",
                "diese Bars sollen gut sein: The Dive, A-Trane",
            ),
            (
                "heard good things about Atlas Park",
                "habe Gutes gehört über Atlas Park",
            ),
        ] {
            assert_eq!(german.said(said), expected);
        }
        let italian = Language::Italian.words().expect("words");
        assert_eq!(
            italian.said("like romantic places"),
            "mi piacciono i posti del tipo romantico"
        );
        let asked = italian.heard("Agent: [message] Andate in auto?\nYou: [message] auto");
        assert_eq!(
            asked,
            "Agent: [message] Andate in parking auto?\nYou: [message] auto"
        );
    }

    #[test]
    fn both_languages_have_the_same_phrases() {
        let phrases = |language: Language| {
            let words = language.words().expect("words");
            let mut all: Vec<&str> = words.said.iter().map(|(from, _)| *from).collect();
            all.sort_unstable();
            all
        };
        assert_eq!(phrases(Language::German), phrases(Language::Italian));
        for (_, language) in Language::ALL.iter().skip(1) {
            let words = language.words().expect("words");
            assert!(words.said.iter().all(|(from, _)| !from.is_empty()));
        }
    }
}
