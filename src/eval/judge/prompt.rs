//! The words of the questions, and what of the rows and of the dialogue stands in them.

use super::turn::JudgedTurn;
use serde_json::{Map, Value as Json};

/// The name of these texts, for a report.
pub const PROMPT: &str = "own/1";

pub(super) const ROLE: &str =
    "You check one answer of an assistant. Answer with one digit and nothing else.";
pub(super) const ROLE_WHOLE: &str = "You check the answers of an assistant. Answer with one digit \
    for each of its answers, in their order, and nothing else.";
pub(super) const AGAIN: &str = "Answer with 0 or 1 only.";

/// A question of the judge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
    Refers,
    Aligned,
    Grounded,
}

impl Question {
    /// The question, as the end of a prompt.
    pub(super) fn text(self) -> &'static str {
        match self {
            Question::Refers => {
                "Does the answer state something that would have to be looked up to know \
                 whether it is true? 1 = yes, 0 = no (greetings, thanks, questions, bookings)."
            }
            Question::Aligned => {
                "Does anything in the answer contradict the knowledge base, for instance by \
                 giving another value or number than the one listed, or by denying what is listed? \
                 0 = it contradicts, 1 = it does not."
            }
            Question::Grounded => {
                "Does the answer mention a name, a value or a property that stands nowhere in \
                 the knowledge base? 0 = it does, 1 = everything mentioned stands in it."
            }
        }
    }
}

/// Which rows a question shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RowChoice {
    /// All.
    #[default]
    All,
    /// Those whose name, or two of whose values, stand in what is judged.
    Relevant,
    /// None: what a model believes by itself.
    None,
}

/// The rows, as text and as what is looked for in words.
pub(super) struct Rows {
    text: String,
    rows: Vec<Row>,
}

struct Row {
    line: String,
    name: String,
    values: Vec<String>,
}

impl Rows {
    /// Rows as JSON Lines, named by the slot `key`. A line that is no object is relevant to all.
    pub(super) fn new(text: &str, key: &str) -> Self {
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        let rows = lines.map(|line| {
            let slots: Map<String, Json> = serde_json::from_str(line).unwrap_or_default();
            let spelt = |value: &Json| match value {
                Json::String(text) => text.to_lowercase(),
                Json::Number(number) => number.to_string(),
                _ => String::new(),
            };
            let values = slots.iter().filter(|(slot, _)| *slot != key);
            Row {
                line: line.to_owned(),
                name: slots.get(key).map(spelt).unwrap_or_default(),
                values: values.map(|(_, value)| spelt(value)).collect(),
            }
        });
        Rows {
            rows: rows.collect(),
            text: text.trim_end().to_owned(),
        }
    }

    /// What a question shows for these words.
    pub(super) fn shown(&self, shown: RowChoice, words: &str) -> String {
        match shown {
            RowChoice::All => self.text.clone(),
            RowChoice::None => String::new(),
            RowChoice::Relevant => {
                let words = words.to_lowercase();
                let rows = self.rows.iter().filter(|row| row.is_in(&words));
                let lines: Vec<&str> = rows.map(|row| row.line.as_str()).collect();
                match lines.is_empty() {
                    true => "(no entry)".to_owned(),
                    false => lines.join("\n"),
                }
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }
}

impl Row {
    fn is_in(&self, words: &str) -> bool {
        let values = self.values.iter().filter(|value| stands(value, words));
        stands(&self.name, words) || values.count() >= 2
    }
}

/// Whether a text stands in words, not as a part of one.
fn stands(text: &str, words: &str) -> bool {
    if text.is_empty() {
        return false;
    }
    words.match_indices(text).any(|(at, _)| {
        let before = words.get(..at).and_then(|it| it.chars().next_back());
        let after = words
            .get(at + text.len()..)
            .and_then(|it| it.chars().next());
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

/// One exchange, as a question shows it.
pub(super) fn exchange(turn: &JudgedTurn, reply: &str) -> String {
    format!("User: {}\nAssistant: {reply}\n", turn.user)
}

/// What is asked, with the rows first, so that a server can keep them.
pub(super) fn content(rows: &str, before: &str, judged: &str, question: &str) -> String {
    let known = match rows.is_empty() {
        true => String::new(),
        false => format!("Knowledge base:\n{rows}\n\n"),
    };
    let before = match before.is_empty() {
        true => String::new(),
        false => format!("What was said before, which you do not check:\n{before}\n"),
    };
    format!("{known}{before}{judged}\n{question}")
}

/// The sentences of a reply. What has no end is one.
pub(super) fn sentences(reply: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, c) in reply.char_indices() {
        let end = at + c.len_utf8();
        let goes_on = |rest: &str| !rest.starts_with(char::is_whitespace) && !rest.is_empty();
        let rest = reply.get(end..).unwrap_or_default();
        let word = reply.get(start..at).unwrap_or_default();
        let word = word.rsplit(char::is_whitespace).next().unwrap_or_default();
        let short = word.chars().count() <= 2 && c == '.';
        if c == '\n' || matches!(c, '.' | '!' | '?') && !goes_on(rest) && !short {
            found.push(reply.get(start..end).unwrap_or_default().trim());
            start = end;
        }
    }
    found.push(reply.get(start..).unwrap_or_default().trim());
    found.retain(|sentence| sentence.chars().any(char::is_alphanumeric));
    found
}

#[cfg(test)]
mod tests {
    use super::{RowChoice, Rows, sentences};

    #[test]
    fn a_reply_has_sentences() {
        for (reply, expected) in [
            ("It is in St. Andrew's Street. Cheap!", 2),
            ("There are two:\n- Graffiti\n- Kohinoor", 3),
            ("It costs 4.50.", 1),
            ("no end", 1),
            ("...", 0),
        ] {
            assert_eq!(sentences(reply).len(), expected, "{reply}");
        }
    }

    #[test]
    fn a_row_is_relevant_by_its_name_or_two_values() {
        let lines = "{\"name\": \"Bar\", \"area\": \"north\", \"food\": \"thai\"}\n\
                     {\"name\": \"ask\", \"area\": \"south\", \"food\": \"thai\"}";
        let rows = Rows::new(lines, "name");
        for (words, expected) in [
            ("The Bar is closed", 1),
            ("Barbecue in the north", 0),
            ("Thai in the north", 1),
            ("Thai, north or south", 2),
        ] {
            let shown = rows.shown(RowChoice::Relevant, words);
            assert_eq!(shown.matches("name").count(), expected, "{words}: {shown}");
        }
    }
}
