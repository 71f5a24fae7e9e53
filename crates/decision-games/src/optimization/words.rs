//! Claims from the partner's words: who is how good for what.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::solver::View;
use super::{Optimization, OptimizationWorld, proposal};
use crate::mind::{Extractor, Unread};
use crate::names::alike;
use crate::text::{any, denied, find, heard, sentences, words};

pub(super) fn of(game: &Optimization, seat: usize) -> Option<Box<dyn Extractor>> {
    Some(Box::new(Words::new(View::of(game, seat)?.names)))
}

/// Words and phrases for how good a match is, from 1 to 5. Longer phrases come first.
const LEVELS: [(&str, i64); 72] = [
    ("really really good", 5),
    ("really good", 5),
    ("very good", 5),
    ("super good", 5),
    ("really high", 5),
    ("very high", 5),
    ("pretty good", 4),
    ("pretty high", 4),
    ("dark green", 5),
    ("no good", 1),
    ("really bad", 1),
    ("very bad", 1),
    ("really low", 1),
    ("very low", 1),
    ("super low", 1),
    ("not great", 2),
    ("not good", 2),
    ("not ideal", 2),
    ("not bad", 4),
    ("is ok", 3),
    ("is okay", 3),
    ("so so", 3),
    ("above average", 4),
    ("below average", 2),
    ("pretty low", 2),
    ("pretty bad", 1),
    ("top tier", 5),
    ("excellent", 5),
    ("great", 5),
    ("best", 5),
    ("perfect*", 5),
    ("top", 5),
    ("highest", 5),
    ("amazing", 5),
    ("fantastic", 5),
    ("awesome", 5),
    ("strongest", 5),
    ("darkest", 5),
    ("outstanding", 5),
    ("superb", 5),
    ("good", 4),
    ("solid", 4),
    ("decent", 4),
    ("high", 4),
    ("higher", 4),
    ("strong", 4),
    ("well", 4),
    ("better", 4),
    ("dark", 4),
    ("prefer", 4),
    ("average", 3),
    ("middle", 3),
    ("middling", 3),
    ("medium", 3),
    ("mid", 3),
    ("fair", 3),
    ("moderate", 3),
    ("mediocre", 3),
    ("low", 2),
    ("poor", 2),
    ("weak", 2),
    ("light", 2),
    ("lower", 2),
    ("lighter", 2),
    ("meh", 2),
    ("bad", 1),
    ("terrible", 1),
    ("worst", 1),
    ("trash", 1),
    ("horrible", 1),
    ("awful", 1),
    ("lowest", 1),
];

const UNKNOWN: [&str; 14] = [
    "no info*",
    "no data",
    "nothing",
    "blank",
    "empty",
    "no score*",
    "don't have",
    "no idea",
    "unknown",
    "no number*",
    "zero info",
    "don't know",
    "doesn't have",
    "no value*",
];

const PROPOSES: [&str; 8] = [
    "how about",
    "what about",
    "should",
    "can we",
    "could",
    "maybe",
    "let's",
    "shall we",
];

/// The level of a partner's cell that it only put forward, without a word about it.
const PUT_FORWARD: i64 = 4;

pub(super) struct Words {
    names: OptimizationWorld,
    /// Words of titles that only one title has.
    titles: Vec<(String, usize)>,
}

#[derive(Clone, Copy, PartialEq)]
enum Said {
    Level(i64),
    Number(i64),
    /// It was only put forward.
    Hint,
}

impl Words {
    pub fn new(names: OptimizationWorld) -> Words {
        let mut titles: Vec<(String, usize)> = Vec::new();
        for (column, paper) in names.papers.iter().enumerate() {
            let long = |word: &String| word.chars().count() >= 9;
            titles.extend(
                words(names.title(paper))
                    .into_iter()
                    .filter(long)
                    .map(|w| (w, column)),
            );
        }
        let all = titles.clone();
        titles.retain(|(word, column)| all.iter().all(|(w, c)| w != word || c == column));
        Words { names, titles }
    }

    fn reviewer(&self, word: &str) -> Option<usize> {
        let word = word.strip_suffix("'s").unwrap_or(word);
        let only = |fits: &dyn Fn(&str) -> bool| {
            let named = |name: &String| words(name).iter().any(|part| fits(part));
            let mut rows =
                (0..self.names.reviewers.len()).filter(|row| named(&self.names.reviewers[*row]));
            let row = rows.next()?;
            rows.next().is_none().then_some(row)
        };
        let long = word.chars().count() >= 4;
        only(&|part| part == word)
            .or_else(|| only(&|part| word.len() >= 3 && part.len() > 3 && part.starts_with(word)))
            .or_else(|| only(&|part| long && part.len() >= 4 && alike(part, word)))
    }

    fn paper(&self, word: &str) -> Option<usize> {
        let word = word.strip_suffix("'s").unwrap_or(word);
        let sorted = |text: &str| {
            let mut letters: Vec<char> = text.chars().collect();
            letters.sort_unstable();
            letters
        };
        let position = |fits: &dyn Fn(&str) -> bool| {
            self.names
                .papers
                .iter()
                .position(|paper| fits(&paper.to_lowercase()))
        };
        let long = word.chars().count() >= 4;
        position(&|paper| paper == word)
            .or_else(|| position(&|paper| long && sorted(paper) == sorted(word)))
            .or_else(|| position(&|paper| long && alike(paper, word)))
            .or_else(|| {
                self.titles
                    .iter()
                    .find(|(title, _)| title == word)
                    .map(|(_, c)| *c)
            })
    }

    /// The reviewers and papers that words name, each once, in their order.
    pub fn named(&self, words: &[String]) -> (Vec<usize>, Vec<usize>) {
        let (mut rows, mut columns) = (Vec::new(), Vec::new());
        for word in words {
            if let Some(column) = self.paper(word) {
                if !columns.contains(&column) {
                    columns.push(column);
                }
            } else if let Some(row) = self.reviewer(word)
                && !rows.contains(&row)
            {
                rows.push(row);
            }
        }
        (rows, columns)
    }

    fn sentence(&self, sentence: &str, said: &mut BTreeMap<(usize, usize), Said>) {
        let all = words(sentence);
        let asks = sentence.trim_end().ends_with('?');
        if (asks && !any(&all, &PROPOSES)) || any(&all, &UNKNOWN) {
            return;
        }
        let (mut rows, mut columns) = (Vec::new(), Vec::new());
        let mut open: Vec<(usize, usize)> = Vec::new();
        for clause in
            all.split(|word| matches!(word.as_str(), "," | "and" | "but" | "then" | "while"))
        {
            let (new_rows, new_columns) = self.named(clause);
            let level = (!asks).then(|| level(clause)).flatten();
            let number = clause.iter().filter_map(|word| word.parse::<i64>().ok());
            let claim = match (level, number.filter(|number| *number > 5).max()) {
                (_, Some(number)) => Said::Number(number),
                (Some(level), _) => Said::Level(level),
                _ => Said::Hint,
            };
            if new_rows.is_empty() && new_columns.is_empty() {
                // Words behind a comma are about what stands before it.
                if claim != Said::Hint {
                    open.drain(..).for_each(|cell| _ = said.insert(cell, claim));
                }
                continue;
            }
            if !new_rows.is_empty() {
                rows = new_rows;
            }
            if !new_columns.is_empty() {
                columns = new_columns;
            }
            let cells: Vec<(usize, usize)> = match rows.len() == columns.len() {
                true => rows.iter().copied().zip(columns.iter().copied()).collect(),
                false => rows
                    .iter()
                    .flat_map(|row| columns.iter().map(|column| (*row, *column)))
                    .collect(),
            };
            if find(clause, "than").is_some() {
                continue;
            }
            for cell in &cells {
                match claim {
                    Said::Hint => _ = said.entry(*cell).or_insert(Said::Hint),
                    _ => _ = said.insert(*cell, claim),
                }
            }
            open = if claim == Said::Hint {
                cells
            } else {
                Vec::new()
            };
        }
    }
}

/// The level that a clause gives.
fn level(clause: &[String]) -> Option<i64> {
    LEVELS.iter().find_map(|(phrase, level)| {
        let place = find(clause, phrase)?;
        Some(match (denied(clause, place, 2), *level) {
            (true, 4..) => 2,
            (true, 3) => 2,
            (true, _) => 4,
            (false, level) => level,
        })
    })
}

/// A fact for each cell in the partner's proposals: the partner put it forward.
pub(super) fn put_forward(names: &OptimizationWorld, read: &str) -> Vec<Value> {
    let mut cells: Vec<(usize, usize)> = Vec::new();
    for heard in heard(read) {
        if heard.tag == "propose" && !heard.from.starts_with("You") {
            let decision = proposal::read(names, &heard.content).unwrap_or_default();
            cells.extend(Optimization::cells(&decision));
        }
    }
    cells.sort_unstable();
    cells.dedup();
    let claim = |(row, column): (usize, usize)| {
        json!({
            "reviewer": names.reviewers[row], "paper": names.papers[column], "level": PUT_FORWARD,
        })
    };
    cells.into_iter().map(claim).collect()
}

impl Extractor for Words {
    fn facts(&mut self, _view: &str, read: &str) -> Result<Vec<Value>, Unread> {
        let mut said = BTreeMap::new();
        for heard in heard(read)
            .into_iter()
            .filter(|heard| !heard.from.starts_with("You"))
        {
            match heard.tag.as_str() {
                "message" => {
                    for sentence in sentences(&heard.content) {
                        self.sentence(&sentence, &mut said);
                    }
                }
                "propose" => {
                    let decision = proposal::read(&self.names, &heard.content).unwrap_or_default();
                    for cell in Optimization::cells(&decision) {
                        said.entry(cell).or_insert(Said::Hint);
                    }
                }
                _ => {}
            }
        }
        let fact = |((row, column), said): ((usize, usize), Said)| {
            let (name, value) = match said {
                Said::Level(level) => ("level", level),
                Said::Number(number) => ("number", number),
                Said::Hint => ("level", PUT_FORWARD),
            };
            let (reviewer, paper) = (&self.names.reviewers[row], &self.names.papers[column]);
            json!({ "reviewer": reviewer, "paper": paper, name: value })
        };
        Ok(said.into_iter().map(fact).collect())
    }
}
