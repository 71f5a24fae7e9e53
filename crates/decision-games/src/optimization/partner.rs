//! Fixed parties of optimization.

use super::solver::View;
use super::words::Words;
use super::{Optimization, proposal};
use crate::chance::Chance;
use crate::player::{Manner, Memory, Player};
use crate::text::{heard, sentences, words};

/// The five words for a cell, from the least fifth of the greatest value to the greatest.
pub(super) const LEVELS: [&str; 5] = ["terrible", "poor", "fair", "good", "great"];

const GREETINGS: [&str; 3] = ["Hi!", "Hello!", "Hi there."];

pub(super) fn of(
    game: &Optimization,
    seat: usize,
    manner: Manner,
    seed: u64,
) -> Option<Box<dyn Player>> {
    let view = View::of(game, seat)?;
    Some(Box::new(Partner {
        words: Words::new(view.names.clone()),
        view,
        manner,
        greeting: GREETINGS[Chance::new(seed).below(GREETINGS.len())],
        memory: Memory::default(),
        told: false,
        rejected: false,
    }))
}

struct Partner {
    view: View,
    words: Words,
    manner: Manner,
    greeting: &'static str,
    memory: Memory,
    told: bool,
    rejected: bool,
}

impl View {
    /// The level of a cell that it sees, from 1 to 5.
    pub(super) fn level(&self, row: usize, column: usize) -> Option<i64> {
        let value = self.seen.get(row)?.get(column).copied().flatten()?;
        Some((5 * value / self.greatest()).clamp(0, 4) + 1)
    }

    /// Sentences about the cells that pass, one for each reviewer.
    pub(super) fn tell(&self, numbers: bool, pass: impl Fn(usize, usize) -> bool) -> String {
        let mut sentences = Vec::new();
        for (row, reviewer) in self.names.reviewers.iter().enumerate() {
            let cell = |column: usize| {
                let (level, value) = (self.level(row, column)?, self.seen[row][column]?);
                let paper = &self.names.papers[column];
                pass(row, column).then(|| match numbers {
                    true => format!("{paper} {value}"),
                    false => format!("{paper} {}", LEVELS[level as usize - 1]),
                })
            };
            let cells: Vec<String> = (0..self.names.papers.len()).filter_map(cell).collect();
            if !cells.is_empty() {
                sentences.push(format!("{reviewer}: {}.", cells.join(", ")));
            }
        }
        sentences.join(" ")
    }
}

impl Partner {
    /// All that it says without being asked.
    fn all(&self) -> String {
        match self.manner {
            Manner::Shy => String::new(),
            Manner::Top => self
                .view
                .tell(false, |row, column| self.view.level(row, column) == Some(5)),
            Manner::Numbers => self.view.tell(true, |_, _| true),
            Manner::Scripted => self.view.tell(false, |_, _| true),
        }
    }

    /// Answers to the cells that questions name.
    fn answers(&self, news: &str) -> String {
        let mut answers = Vec::new();
        let messages = heard(news)
            .into_iter()
            .filter(|heard| heard.tag == "message");
        for heard in messages.filter(|heard| !heard.from.starts_with("You")) {
            for question in sentences(&heard.content)
                .iter()
                .filter(|text| text.trim_end().ends_with('?'))
            {
                let (rows, columns) = self.words.named(&words(question));
                if let ([row], [column]) = (&rows[..], &columns[..]) {
                    let told = self.view.tell(false, |r, c| (r, c) == (*row, *column));
                    answers.push(match told.is_empty() {
                        false => told,
                        true => format!(
                            "{} for {}: I don't know.",
                            self.view.names.reviewers[*row], self.view.names.papers[*column]
                        ),
                    });
                }
            }
        }
        answers.join(" ")
    }

    /// Whether a proposal uses a cell that it knows to be bad.
    fn objects(&self) -> bool {
        let text = self.memory.proposal().unwrap_or_default();
        let decision = proposal::read(&self.view.names, &text).unwrap_or_default();
        let mut cells = Optimization::cells(&decision).into_iter();
        cells.any(|(row, column)| self.view.level(row, column) == Some(1))
    }
}

impl Player for Partner {
    fn turn(&mut self, news: &str) -> Result<String, String> {
        Ok(self.respond(news))
    }
}

impl Partner {
    fn respond(&mut self, news: &str) -> String {
        if self.memory.take(news) {
            if self.rejected || !self.objects() {
                return "[accept]".to_owned();
            }
            self.rejected = true;
            let bad = self
                .view
                .tell(false, |row, column| self.view.level(row, column) == Some(1));
            return format!("[reject]\n[message] Please avoid what is terrible. {bad}");
        }
        let mut text = self.answers(news);
        if !self.told && (self.manner != Manner::Shy || text.is_empty()) {
            text = format!("{} {}", self.greeting, self.all());
        }
        self.told = true;
        match text.trim() {
            "" => "[message] That is all I can say. What do you propose?".to_owned(),
            text => format!("[message] {text}"),
        }
    }
}
