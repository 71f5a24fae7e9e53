//! The values in a dialogue: names of buckets, keys and the like.

use crate::dialogue::{Program, Stack};

/// The values that a turn has, in order.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Values {
    /// Those in the utterance, as they are said.
    said: Vec<String>,
    /// Those quoted in the programs of the stack, the goal touched last first.
    known: Vec<String>,
}

/// The values of a turn: in its utterance, what is quoted and what looks like a name of
/// something (`my-bucket`, `logs/2024/`, `cat.jpg`: a digit, or a mark inside of a word);
/// in the programs of its stack, the quoted texts that look so.
pub(super) fn values(utterance: &str, stack: &Stack) -> Values {
    let mut values = Values {
        said: said(utterance),
        known: Vec::new(),
    };
    for goal in stack.goals().iter().rev() {
        for (start, end) in quoted(goal.program.code(), &goal.program.without_text()) {
            let text = goal.program.code().get(start..end).unwrap_or_default();
            if is_name(text) && !values.known.iter().any(|known| known == text) {
                values.known.push(text.to_owned());
            }
        }
    }
    values
}

/// The mapping from the values of one dialogue to those of another.
pub(super) struct Exchange(Vec<(String, String)>);

impl Exchange {
    /// The first value said there becomes the first said here, and so on; then the same
    /// with the values of the stacks.
    pub fn between(there: Values, here: Values) -> Self {
        let said = there.said.into_iter().zip(here.said);
        let known = there.known.into_iter().zip(here.known);
        Exchange(said.chain(known).collect())
    }

    /// The text of a program, with every quoted value replaced that is one of theirs.
    pub fn applied(&self, program: &Program) -> String {
        let (code, tokens) = (program.code(), program.without_text());
        let mut text = String::from("\n");
        let mut rest = 0;
        for (start, end) in quoted(code, &tokens) {
            let old = code.get(start..end).unwrap_or_default();
            if let Some((_, new)) = self.0.iter().find(|(theirs, _)| theirs == old) {
                text.push_str(code.get(rest..start).unwrap_or_default());
                text.push_str(new);
                rest = end;
            }
        }
        text.push_str(code.get(rest..).unwrap_or_default());
        text.push('\n');
        text
    }
}

/// Where the insides of quoted texts stand in code. `tokens` is the code with blanks for
/// what stands in texts, so that a quote is always one that opens or closes.
fn quoted(code: &str, tokens: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut open: Option<(usize, char)> = None;
    for (at, c) in tokens
        .char_indices()
        .filter(|(_, c)| matches!(c, '"' | '\''))
    {
        match open {
            Some((start, quote)) if quote == c => {
                if code.get(start..at).is_some_and(|text| !text.is_empty()) {
                    found.push((start, at));
                }
                open = None;
            }
            Some(_) => {}
            None => open = Some((at + 1, c)),
        }
    }
    found
}

/// The values in an utterance: what stands in quotes, and words that look like a name.
fn said(utterance: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = utterance;
    while let Some(c) = rest.chars().next() {
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        let close = match c {
            '"' | '`' => Some(c),
            '“' => Some('”'),
            '‘' => Some('’'),
            '\'' => Some('\''),
            _ => None,
        };
        if let Some((text, behind)) = close.and_then(|close| after.split_once(close)) {
            found.push(text.to_owned());
            rest = behind;
            continue;
        }
        if c.is_whitespace() {
            rest = after;
            continue;
        }
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        let outside = |c: char| matches!(c, ',' | ';' | ':' | '!' | '?' | '(' | ')' | '…');
        let word = word.trim_matches(outside);
        let word = word.strip_suffix('.').unwrap_or(word).trim_matches(outside);
        if is_name(word) {
            found.push(word.to_owned());
        }
        rest = behind;
    }
    // What would end a quoted text in a program is no value for it.
    found.retain(|text| !text.is_empty() && !text.contains(['"', '\'', '\\', '\n', '{', '}']));
    found
}

/// Whether a word looks like the name of something and not like one of a language.
fn is_name(word: &str) -> bool {
    let inner = |c: char| matches!(c, '-' | '_' | '/' | '.');
    let letters = word.chars().any(char::is_alphanumeric);
    letters && word.chars().any(|c| inner(c) || c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialogue::{Goal, Status};

    fn stack(code: &str) -> Stack {
        let goal = Goal {
            uid: 1,
            status: Status::Drafting,
            program: Program::new(code),
            outcome: None,
            signature: None,
        };
        Stack::from_goals(vec![goal]).unwrap_or_default()
    }

    #[test]
    fn values_are_quoted_or_look_like_names() {
        let found = said("Don't move \"old notes\" and cat.jpg, from my-bucket. It has 3 files!");
        assert_eq!(found, ["old notes", "cat.jpg", "my-bucket", "3"]);
        assert_eq!(said("list all of my buckets, please."), [""; 0]);
        assert_eq!(
            said("the “day log” in logs/2024/."),
            ["day log", "logs/2024/"]
        );
    }

    #[test]
    fn a_program_gets_the_values_of_another_dialogue() {
        let there = values("copy cat.jpg there", &stack("s3.x(Bucket=\"a-1\", Key=?1)"));
        let here = values("take dog.png", &stack("s3.y(Bucket='b-2')"));
        let program = Program::new(
            "# cat.jpg of \"a-1\"\ns3.x(Bucket='a-1', Key=\"cat.jpg\", Other=\"\", More=\"c-3\")",
        );
        assert_eq!(
            Exchange::between(there, here).applied(&program),
            "\n# cat.jpg of \"a-1\"\ns3.x(Bucket='b-2', Key=\"dog.png\", Other=\"\", More=\"c-3\")\n"
        );
    }
}
