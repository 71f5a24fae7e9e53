//! A player of optimization without a model: it asks for the cells that could change its mind,
//! and proposes when none is left.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::solver::{View, of as solver};
use super::{Optimization, proposal};
use crate::game::Game;
use crate::mind::{Extractor, Solver, Suggestion};
use crate::player::{Memory, Player, believed, wanted};

/// Questions in one message.
const QUESTIONS: usize = 4;

/// Messages with questions; the limit of a game leaves room for two proposals.
const ROUNDS: usize = 9;

/// A proposal of the partner is good enough from this part of the own best.
const ENOUGH: f64 = 0.98;

pub(super) fn of(
    game: &Optimization,
    seat: usize,
    reader: Box<dyn Extractor>,
) -> Option<Box<dyn Player>> {
    let view = View::of(game, seat)?;
    Some(Box::new(Agent {
        solver: solver(game, seat)?,
        reader,
        text: game.view(seat),
        view,
        memory: Memory::default(),
        asked: BTreeSet::new(),
        rounds: 0,
        hurries: false,
    }))
}

struct Agent {
    solver: Box<dyn Solver>,
    reader: Box<dyn Extractor>,
    /// The view as text.
    text: String,
    view: View,
    memory: Memory,
    asked: BTreeSet<(usize, usize)>,
    rounds: usize,
    /// Time is up: it asks no more.
    hurries: bool,
}

impl Agent {
    fn fact(&self, (row, column): (usize, usize), level: i64) -> Value {
        let (reviewer, paper) = (
            &self.view.names.reviewers[row],
            &self.view.names.papers[column],
        );
        json!({ "reviewer": reviewer, "paper": paper, "level": level })
    }

    /// The cells of the best assignment that could be, if all that is open were great, and that
    /// nobody has spoken about.
    fn open(&self, facts: &[Value]) -> Vec<(usize, usize)> {
        let told = |(row, column): (usize, usize)| {
            let (reviewer, paper) = (
                &self.view.names.reviewers[row],
                &self.view.names.papers[column],
            );
            let same = |fact: &Value| fact["reviewer"] == **reviewer && fact["paper"] == **paper;
            facts.iter().any(same)
        };
        let is_open = |cell: &(usize, usize)| {
            self.view.seen[cell.0][cell.1].is_none() && !self.asked.contains(cell) && !told(*cell)
        };
        let open: Vec<_> = self.view.cells().filter(is_open).collect();
        let mut facts = facts.to_vec();
        facts.extend(open.iter().map(|cell| self.fact(*cell, 5)));
        let hoped = self.solver.suggest(&facts, 1);
        let cells = hoped
            .first()
            .map(|best| Optimization::cells(&best.decision));
        cells
            .unwrap_or_default()
            .into_iter()
            .filter(|cell| open.contains(cell))
            .collect()
    }

    fn ask(&mut self, cells: &[(usize, usize)]) -> String {
        self.rounds += 1;
        let mut text = String::new();
        if self.rounds == 1 {
            // The partner should know what to leave to this player.
            let best = self
                .view
                .tell(false, |row, column| self.view.level(row, column) == Some(5));
            text = format!("Hi! My best: {best}");
        }
        for (row, column) in cells.iter().take(QUESTIONS) {
            self.asked.insert((*row, *column));
            let (reviewer, paper) = (
                &self.view.names.reviewers[*row],
                &self.view.names.papers[*column],
            );
            text += &format!(" How is {reviewer} for {paper}?");
        }
        format!("[message] {}", text.trim())
    }

    fn propose(&self, best: &Suggestion) -> String {
        let names = &self.view.names;
        let mut lines = Optimization::cells(&best.decision)
            .into_iter()
            .map(|(row, column)| format!("{}: {}", names.papers[column], names.reviewers[row]))
            .collect::<Vec<_>>();
        lines.sort();
        let told = best
            .reasons
            .iter()
            .filter(|reason| reason.what.ends_with("(told)"))
            .count();
        let lines = lines.join("\n");
        format!("[propose] {lines}\n[message] {told} of these pairs are yours.")
    }
}

impl Player for Agent {
    fn turn(&mut self, news: &str) -> Result<String, String> {
        let answers = self.memory.take(news);
        let facts = believed(self.reader.as_mut(), &self.text, &self.memory.read)?;
        Ok(self.act(answers, wanted(news), &facts))
    }

    fn decide(&mut self, news: &str) -> Result<String, String> {
        self.hurries = true;
        self.turn(news)
    }
}

impl Agent {
    fn act(&mut self, answers: bool, wanted: bool, facts: &[Value]) -> String {
        let Some(best) = self.solver.suggest(facts, 1).into_iter().next() else {
            return "[message] I have no idea. What do you propose?".to_owned();
        };
        if answers {
            let text = self.memory.proposal().unwrap_or_default();
            let offered = proposal::read(&self.view.names, &text).ok();
            let worth = offered.and_then(|decision| self.solver.weigh(facts, &decision));
            // The partner's own part of its proposal counts as put forward.
            let enough = worth.is_some_and(|worth| worth.value >= ENOUGH * best.value);
            return match enough || self.memory.turns > 12 {
                true => "[accept]".to_owned(),
                false => format!(
                    "[reject]\n{}",
                    self.ask(&self.open(facts)).replacen(
                        "[message] ",
                        "[message] I see better ones. ",
                        1
                    )
                ),
            };
        }
        let open = self.open(facts);
        match open.is_empty() || self.rounds >= ROUNDS || self.hurries || wanted {
            true => self.propose(&best),
            false => self.ask(&open),
        }
    }
}
