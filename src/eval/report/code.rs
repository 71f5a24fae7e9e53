//! The differences between two texts, by lines and, within lines, by words.

use serde::Serialize;
use similar::{ChangeTag, DiffOp, TextDiff};

/// A line of either text or of both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Line {
    /// `same`, `truth` (only in the truth) or `mine` (only in the prediction).
    pub kind: &'static str,
    /// The line in pieces.
    pub parts: Vec<Part>,
}

/// A piece of a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Part {
    pub text: String,
    /// Whether the other text has something else here.
    pub differs: bool,
}

/// Longer texts are not compared word by word: nobody reads it.
const WORDS_UP_TO: usize = 2000;

/// All lines of both texts, those in common once.
pub fn lines(truth: &str, mine: &str) -> Vec<Line> {
    let (old, new): (Vec<&str>, Vec<&str>) = (truth.lines().collect(), mine.lines().collect());
    let diff = TextDiff::from_slices(&old, &new);
    let mut lines = Vec::new();
    for op in diff.ops() {
        let (old, new) = (
            old.get(op.old_range()).unwrap_or_default(),
            new.get(op.new_range()).unwrap_or_default(),
        );
        match op {
            DiffOp::Equal { .. } => lines.extend(old.iter().map(|line| whole("same", line))),
            DiffOp::Replace { .. } if old.len() == new.len() => {
                let pairs: Vec<(Line, Line)> = (old.iter().zip(new))
                    .map(|(old, new)| pair(old, new))
                    .collect();
                let (of_truth, of_mine): (Vec<Line>, Vec<Line>) = pairs.into_iter().unzip();
                lines.extend(of_truth);
                lines.extend(of_mine);
            }
            _ => {
                lines.extend(old.iter().map(|line| whole("truth", line)));
                lines.extend(new.iter().map(|line| whole("mine", line)));
            }
        }
    }
    lines
}

fn whole(kind: &'static str, line: &str) -> Line {
    Line {
        kind,
        parts: vec![Part {
            text: line.to_owned(),
            differs: false,
        }],
    }
}

/// A line that became another, with the words that differ.
fn pair(truth: &str, mine: &str) -> (Line, Line) {
    if truth.len().max(mine.len()) > WORDS_UP_TO {
        return (whole("truth", truth), whole("mine", mine));
    }
    let (old, new) = (words(truth), words(mine));
    let diff = TextDiff::from_slices(&old, &new);
    let (mut of_truth, mut of_mine) = (Vec::new(), Vec::new());
    for change in diff.iter_all_changes() {
        let differs = change.tag() != ChangeTag::Equal;
        if change.tag() != ChangeTag::Insert {
            push(&mut of_truth, change.value(), differs);
        }
        if change.tag() != ChangeTag::Delete {
            push(&mut of_mine, change.value(), differs);
        }
    }
    let line = |kind, parts| Line { kind, parts };
    (line("truth", of_truth), line("mine", of_mine))
}

fn push(parts: &mut Vec<Part>, text: &str, differs: bool) {
    match parts.last_mut() {
        Some(last) if last.differs == differs => last.text.push_str(text),
        _ => parts.push(Part {
            text: text.to_owned(),
            differs,
        }),
    }
}

/// Names and numbers whole, everything else one character at a time.
fn words(line: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut words = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let length = if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (word, after) = rest.split_at(length);
        words.push(word);
        rest = after;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(truth: &str, mine: &str) -> String {
        let line = |line: Line| {
            let mark = match line.kind {
                "same" => ' ',
                "truth" => '-',
                _ => '+',
            };
            let parts = line.parts.into_iter().map(|part| {
                if part.differs {
                    format!("[{}]", part.text)
                } else {
                    part.text
                }
            });
            format!("{mark}{}\n", parts.collect::<String>())
        };
        lines(truth, mine).into_iter().map(line).collect()
    }

    #[test]
    fn lines_in_common_stand_once_and_words_that_differ_are_marked() {
        expect_test::expect![[r#"
             goal 1
            -s3.put(Key="[a]")
            +s3.put(Key="[b_2]")
             x
            +return 1
        "#]]
        .assert_eq(&shown(
            "goal 1\ns3.put(Key=\"a\")\nx",
            "goal 1\ns3.put(Key=\"b_2\")\nx\nreturn 1",
        ));
    }
}
