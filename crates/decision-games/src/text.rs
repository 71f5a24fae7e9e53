//! What seats read, taken apart: lines of moves, sentences, words.

use crate::table::{ANSWER, WITHDRAWN};

/// A move as a seat read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heard {
    /// Who made it, as the reader sees it: `You`, `You to 0`, `Partner`, `User 1`.
    pub from: String,
    /// The tag, such as `message`.
    pub tag: String,
    /// The rest, with its further lines.
    pub content: String,
}

/// Reads what a seat has read, move by move. Lines that begin no move belong to the one above. What
/// the table says itself is a `note` of `Table`; that an answer is due is left out.
///
/// ```
/// let heard = decision_games::heard("User: [message] Hi!\nUser: [reject]");
/// assert_eq!((heard[0].content.as_str(), heard[1].tag.as_str()), ("Hi!", "reject"));
/// ```
pub fn heard(text: &str) -> Vec<Heard> {
    let mut moves: Vec<Heard> = Vec::new();
    for line in text.lines().filter(|line| *line != ANSWER) {
        match begin(line) {
            Some(heard) => moves.push(heard),
            None => {
                if let Some(last) = moves.last_mut() {
                    last.content += "\n";
                    last.content += line;
                }
            }
        }
    }
    moves
}

/// Words on one line, so that no line of them begins a move.
pub(crate) fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Words as others read them: a further line that would read as a move of somebody else, or as one of
/// the table's own, is marked as a quotation.
pub(crate) fn as_said(text: &str) -> String {
    let poses = |line: &str| begin(line.trim()).is_some() || line.trim() == ANSWER;
    let mut lines = text.split('\n');
    let first = lines.next().unwrap_or_default().to_owned();
    lines.fold(first, |said, line| {
        let mark = if poses(line) { "> " } else { "" };
        format!("{said}\n{mark}{line}")
    })
}

fn begin(line: &str) -> Option<Heard> {
    if line == WITHDRAWN {
        return Some(Heard {
            from: "Table".to_owned(),
            tag: "note".to_owned(),
            content: line.to_owned(),
        });
    }
    let (from, rest) = line.split_once(": [")?;
    let (tag, content) = rest.split_once(']')?;
    let is_name = !from.is_empty() && from.chars().all(|c| c.is_alphanumeric() || c == ' ');
    is_name.then(|| Heard {
        from: from.to_owned(),
        tag: tag.to_owned(),
        content: content.trim().to_owned(),
    })
}

/// The sentences of a text. A point between digits ends none.
pub(crate) fn sentences(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut sentences = vec![String::new()];
    for (place, c) in chars.iter().enumerate() {
        let digit = |at: Option<&char>| at.is_some_and(char::is_ascii_digit);
        let inside = place > 0 && digit(chars.get(place - 1)) && digit(chars.get(place + 1));
        let slash = *c == '/' && !inside;
        let point = *c == '.' && !inside;
        if let Some(last) = sentences.last_mut() {
            last.push(*c);
        }
        if slash || point || matches!(c, '!' | '?' | '\n' | ';') {
            sentences.push(String::new());
        }
    }
    sentences.retain(|sentence| !sentence.trim().is_empty());
    sentences
}

/// The words of a text in lower case; commas are words, too.
pub(crate) fn words(text: &str) -> Vec<String> {
    let text = text.to_lowercase().replace(['’', '`'], "'");
    let mut words = Vec::new();
    let mut word = String::new();
    let chars: Vec<char> = text.chars().collect();
    for (place, c) in chars.iter().enumerate() {
        let digits = |at: usize| chars.get(at).is_some_and(char::is_ascii_digit);
        let inside =
            matches!(c, '.' | '/' | ':') && place > 0 && digits(place - 1) && digits(place + 1);
        if c.is_alphanumeric() || matches!(c, '\'' | '-' | '$') || inside {
            word.push(*c);
            continue;
        }
        push(&mut words, &mut word);
        if *c == ',' {
            words.push(",".to_owned());
        }
    }
    push(&mut words, &mut word);
    words
}

fn push(words: &mut Vec<String>, word: &mut String) {
    let trimmed = word.trim_matches(['\'', '-']);
    if !trimmed.is_empty() {
        words.push(trimmed.to_owned());
    }
    word.clear();
}

/// Where a phrase begins among words. A word of the phrase that ends in `*` stands for all that
/// begin so.
pub(crate) fn find(words: &[String], phrase: &str) -> Option<usize> {
    let phrase: Vec<&str> = phrase.split(' ').collect();
    let fits = |window: &[String]| {
        window
            .iter()
            .zip(&phrase)
            .all(|(word, wanted)| match wanted.strip_suffix('*') {
                Some(stem) => word.starts_with(stem),
                None => word == wanted,
            })
    };
    words.windows(phrase.len()).position(fits)
}

/// Whether any of the phrases is among the words.
pub(crate) fn any(words: &[String], phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| find(words, phrase).is_some())
}

/// A number with its noun: `1 meeting`, `2 meetings`.
pub(crate) fn counted(count: usize, one: &str) -> String {
    format!("{count} {one}{}", if count == 1 { "" } else { "s" })
}

/// Whether a word up to `reach` words before this place denies it.
pub(crate) fn denied(words: &[String], place: usize, reach: usize) -> bool {
    const NO: [&str; 20] = [
        "no", "not", "don't", "dont", "isn't", "aren't", "doesn't", "avoid", "without", "hate",
        "dislike", "dislikes", "never", "nothing", "non", "rather", "isnt", "arent", "doesnt",
        "skip",
    ];
    let from = place.saturating_sub(reach);
    words[from..place]
        .iter()
        .any(|word| NO.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_taken_apart() {
        assert_eq!(sentences("A 4.5? Yes / no. ").len(), 3);
        assert_eq!(
            words("Don’t go 5/31, 8:30 - $60!"),
            ["don't", "go", "5/31", ",", "8:30", "$60"]
        );
        let words = words("places that are reservable in advance");
        assert_eq!(find(&words, "reserv* in"), Some(3));
        assert!(!denied(&words, 3, 3));
    }
}
