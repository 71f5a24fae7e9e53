//! Optimization: two players assign reviewers to papers. Each sees a part of a table of
//! similarities, scaled by a number that it does not know.

mod agent;
mod board;
mod forms;
mod generate;
mod kind;
mod library;
mod partner;
mod picture;
mod proposal;
mod rows;
mod solver;
mod truth;
mod words;

pub use generate::generate;
pub use kind::OptimizationKind;
pub use rows::{five_words, pooled, silent};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::board::{Board, Picks};
use crate::bounds::{self, POINTS};
use crate::extraction::Extraction;
use crate::game::{Decision, Game, Order, Seat};
use crate::illegal::Illegal;
use crate::mind::{Extractor, Solver};
use crate::player::{Manner, Player};
use crate::points::Points;
use crate::programs::Library;
use crate::reading::Forms;
use crate::rules::Rules;
use crate::solve::assign;

/// Short and full names of the papers of the paper's own worlds.
const TITLES: [(&str, &str); 8] = [
    ("BLEU", "BLEU: a Method for Automatic Evaluation of MT"),
    (
        "Electra",
        "Electra: Pre-training Text Encoders as Discriminators",
    ),
    ("GloVe", "GloVe: Global Vectors for Word Representation"),
    (
        "GLUE",
        "GLUE: A Multi-Task Benchmark and Analysis Platform for NLU",
    ),
    (
        "LLaMA",
        "LLaMA: Open and Efficient Foundation Language Models",
    ),
    (
        "RoBERTa",
        "RoBERTa: A Robustly Optimized BERT Pretraining Approach",
    ),
    ("QuAC", "QuAC: Question Answering in Context"),
    (
        "SWAG",
        "SWAG: An Adversarial Dataset for Commonsense Inference",
    ),
];

/// A player must see something of its values, which are truncated.
const LEAST_SCALE: f64 = 0.01;

const SEATS: [Seat; 2] = [
    Seat::new("player-1", "Partner").proposes().answers(),
    Seat::new("player-2", "Partner").proposes().answers(),
];

/// Everything that is true in one game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OptimizationWorld {
    /// The reviewers, one for each row of the table.
    pub reviewers: Vec<String>,
    /// The papers by their short names, one for each column.
    pub papers: Vec<String>,
    /// The similarity of each reviewer to each paper.
    pub table: Vec<Vec<i64>>,
    /// For each player, 1 for each cell that it sees.
    pub known: [Vec<Vec<u8>>; 2],
    /// The factor of each player. A player reads the values of the table times its factor.
    pub scales: [f64; 2],
}

impl OptimizationWorld {
    /// What a player sees: its known cells, scaled and truncated.
    pub fn seen(&self, player: usize) -> Vec<Vec<Option<i64>>> {
        mask(&self.table, &self.known[player], self.scales[player])
    }

    fn title<'a>(&self, paper: &'a str) -> &'a str {
        let found = TITLES.iter().find(|(short, _)| *short == paper);
        found.map_or(paper, |(_, title)| title)
    }
}

/// The known cells of a table, multiplied by `scale` and truncated toward zero.
pub fn mask(table: &[Vec<i64>], known: &[Vec<u8>], scale: f64) -> Vec<Vec<Option<i64>>> {
    let cell =
        |(value, known): (&i64, &u8)| (*known != 0).then_some((*value as f64 * scale) as i64);
    let row = |(row, known): (&Vec<i64>, &Vec<u8>)| row.iter().zip(known).map(cell).collect();
    table.iter().zip(known).map(row).collect()
}

/// One game of optimization.
pub struct Optimization {
    world: OptimizationWorld,
    rules: Rules,
    best: i64,
}

impl Optimization {
    /// Prepares a game; a sentence says what is wrong with the world.
    pub fn new(world: OptimizationWorld, rules: Rules) -> Result<Optimization, String> {
        let n = world.reviewers.len();
        let square = |rows: usize, mut lengths: Box<dyn Iterator<Item = usize> + '_>| {
            rows == n && lengths.all(|length| length == n)
        };
        let whole = n > 0
            && world.papers.len() == n
            && square(
                world.table.len(),
                Box::new(world.table.iter().map(Vec::len)),
            )
            && world
                .known
                .iter()
                .all(|known| square(known.len(), Box::new(known.iter().map(Vec::len))));
        if !whole {
            return Err("reviewers, papers, table and known cells must have one size".to_owned());
        }
        bounds::count("reviewers", n, 1)?;
        // Views are tables with commas, and proposals lines with a colon before the reviewer.
        bounds::named("the reviewer", &world.reviewers, &[",", ":", "<br/>"])?;
        bounds::named("the paper", &world.papers, &[",", "<br/>"])?;
        for value in world.table.iter().flatten() {
            bounds::within("a value of the table", *value, 0, POINTS)?;
        }
        for known in world.known.iter().flatten().flatten() {
            bounds::within("a known cell", *known, 0, 1)?;
        }
        for scale in world.scales {
            bounds::within("a scale", scale, LEAST_SCALE, 1_000.0)?;
        }
        let best = assign(&world.table).value;
        Ok(Optimization { world, rules, best })
    }

    /// The world of the game.
    pub fn world(&self) -> &OptimizationWorld {
        &self.world
    }

    /// The cells of a decision: row and column.
    fn cells(decision: &Decision) -> Vec<(usize, usize)> {
        let pair = |pair: &Value| Some((pair[0].as_u64()? as usize, pair[1].as_u64()? as usize));
        let pairs = decision.as_array().into_iter().flatten();
        pairs.filter_map(pair).collect()
    }

    /// The decision that gives each row its column.
    pub fn decision(columns: &[usize]) -> Decision {
        columns
            .iter()
            .enumerate()
            .map(|(row, column)| json!([row, column]))
            .collect()
    }
}

impl Game for Optimization {
    fn name(&self) -> &str {
        "optimization"
    }

    fn seats(&self) -> &[Seat] {
        &SEATS
    }

    fn order(&self) -> Order {
        Order::Turns
    }

    fn view(&self, seat: usize) -> String {
        let titles = self
            .world
            .papers
            .iter()
            .map(|paper| self.world.title(paper));
        let mut lines = vec![
            "Reviewer Paper Similarity Scores:".to_owned(),
            titles.fold(String::new(), |line, title| line + "," + title),
        ];
        for (reviewer, row) in self.world.reviewers.iter().zip(self.world.seen(seat)) {
            let cells = row
                .iter()
                .map(|cell| cell.map_or_else(String::new, |value| value.to_string()));
            lines.push(cells.fold(reviewer.clone(), |line, cell| line + "," + &cell));
        }
        lines.join("\n")
    }

    fn read(&self, text: &str) -> Result<Decision, Illegal> {
        match self.rules.scrambled_assignments {
            true => proposal::read_scrambled(&self.world, text),
            false => proposal::read(&self.world, text),
        }
    }

    fn write(&self, decision: &Decision) -> String {
        self.show(decision, 0, 0)
    }

    fn check(&self, decision: &Decision) -> Result<Decision, Illegal> {
        proposal::check(&self.world, decision)
    }

    fn complete(&self, _: &Decision) -> bool {
        true
    }

    fn show(&self, decision: &Decision, _to: usize, _by: usize) -> String {
        let names = |(row, column): (usize, usize)| {
            Some((
                self.world.papers.get(column)?,
                self.world.reviewers.get(row)?,
            ))
        };
        let mut lines: Vec<_> = Self::cells(decision)
            .into_iter()
            .filter_map(names)
            .collect();
        lines.sort();
        lines
            .iter()
            .fold("Proposal:".to_owned(), |text, (paper, reviewer)| {
                format!("{text}\n  - {paper}: {reviewer}")
            })
    }

    fn sent(&self, decision: &Decision) -> Decision {
        match self.rules.scrambled_assignments {
            true => self.read(&self.write(decision)).unwrap_or_default(),
            false => decision.clone(),
        }
    }

    fn points(&self, decision: &Decision) -> Points {
        let value = |(row, column): (usize, usize)| {
            self.world
                .table
                .get(row)
                .and_then(|row| row.get(column))
                .copied()
                .unwrap_or(0)
        };
        Points {
            score: Self::cells(decision).into_iter().map(value).sum(),
            best: self.best,
            worst: 0,
        }
    }

    fn parts(&self, decision: &Decision) -> Value {
        let points = self.points(decision);
        json!({ "score": points.score, "score_norm": points.norm() })
    }

    fn numbers(&self, seat: usize, _: &[Decision]) -> Vec<i64> {
        self.world
            .seen(seat)
            .into_iter()
            .flatten()
            .flatten()
            .collect()
    }

    fn best(&self) -> Decision {
        Self::decision(&assign(&self.world.table).columns)
    }

    fn silent(&self, seat: usize) -> Decision {
        Self::decision(&silent(&self.world.seen(seat)))
    }

    fn solver(&self, seat: usize) -> Option<Box<dyn Solver>> {
        solver::of(self, seat)
    }

    fn judge(&self, seat: usize, facts: &[Value]) -> Extraction {
        truth::judge(&self.world, seat, facts)
    }

    fn extractor(&self, seat: usize) -> Option<Box<dyn Extractor>> {
        words::of(self, seat)
    }

    fn agent_by(&self, seat: usize, reader: Box<dyn Extractor>) -> Option<Box<dyn Player>> {
        agent::of(self, seat, reader)
    }

    fn forms(&self, seat: usize) -> Option<Box<dyn Forms>> {
        forms::of(self, seat)
    }

    fn stub(&self, seat: usize) -> &'static str {
        library::stub(seat)
    }

    fn library(&self, seat: usize) -> Option<Box<dyn Library>> {
        library::of(self, seat)
    }

    fn partner(&self, seat: usize, manner: Manner, seed: u64) -> Option<Box<dyn Player>> {
        partner::of(self, seat, manner, seed)
    }

    fn picture(&self, seat: usize) -> String {
        picture::draw(&self.world, seat)
    }

    fn field(&self) -> &'static str {
        "assignment"
    }

    fn board(&self, seat: usize) -> Board {
        board::of(&self.world, seat)
    }

    fn picked(&self, picks: &Picks) -> Decision {
        board::picked(picks)
    }

    fn picks(&self, decision: &Decision) -> Picks {
        board::picks(&self.world, decision)
    }
}
