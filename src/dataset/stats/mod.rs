//! Figures of a dataset: those of the paper's Table 3, and how often each conversational
//! complexity occurs. Nothing here runs a program.

mod complexity;

pub use complexity::{Complexity, complexities};

use super::{Catalogue, Dialogue, GoalStep, Set, Split, steps};
use crate::dialogue::Program;
use crate::domain::{Domain, call_sites, lines};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The figures of a dataset, and of its parts.
#[derive(Debug, Clone, Serialize)]
pub struct Statistics {
    /// The training part.
    pub train: PartFigures,
    /// The test part.
    pub test: PartFigures,
    /// All dialogues, including those in neither part.
    pub all: PartFigures,
}

/// The figures of some dialogues.
///
/// The program of a goal is its latest code. The means over programs leave out programs that
/// call no operation (such as a conversational exception), as the paper's 1.4 APIs a program
/// must do; [`PartFigures::lines_a_program_of_all`] includes them.
#[derive(Debug, Clone, Default, Serialize)]
pub struct PartFigures {
    /// The number of dialogues.
    pub dialogues: usize,
    /// The number of goals that they were written for (`<conversation goal=…>`).
    pub written_for: usize,
    /// The number of utterances of both sides: `<turn>` elements.
    pub utterances: usize,
    /// The number of goals on the stacks: different `uid`s in each dialogue.
    pub goals: usize,
    /// Goals whose program calls an operation.
    pub programs: usize,
    /// Lines of these programs, without blank lines and comments.
    pub lines: usize,
    /// Lines of the programs of all goals.
    pub lines_of_all: usize,
    /// Call sites of operations, by the operation's name in the figures.
    pub calls: BTreeMap<String, usize>,
    /// How often each conversational complexity occurs.
    pub complexities: BTreeMap<Complexity, usize>,
}

impl Statistics {
    /// Counts what is in a dataset.
    pub fn of(set: &Set) -> Self {
        let default = Catalogue::default();
        let catalogue = set.listed().unwrap_or(&default);
        let part = |split: Option<Split>| {
            let dialogues = set.dialogues.iter();
            let chosen = dialogues.filter(|d| split.is_none() || d.split == split);
            PartFigures::of(chosen, &set.domain, catalogue)
        };
        Statistics {
            train: part(Some(Split::Train)),
            test: part(Some(Split::Test)),
            all: part(None),
        }
    }

    /// The figures of one part.
    pub fn of_split(&self, split: Split) -> &PartFigures {
        match split {
            Split::Train => &self.train,
            Split::Test => &self.test,
        }
    }
}

impl PartFigures {
    /// Counts what is in these dialogues.
    pub fn of<'a>(
        dialogues: impl Iterator<Item = &'a Dialogue>,
        domain: &Domain,
        catalogue: &Catalogue,
    ) -> Self {
        let mut part = PartFigures {
            complexities: Complexity::ALL.iter().map(|kind| (*kind, 0)).collect(),
            ..PartFigures::default()
        };
        let mut written_for = BTreeSet::new();
        for dialogue in dialogues {
            part.dialogues += 1;
            written_for.extend(dialogue.goal());
            let transcript = &dialogue.transcript;
            part.utterances += usize::from(transcript.greeting.is_some());
            for turn in &transcript.turns {
                part.utterances += 1 + usize::from(turn.response.is_some());
            }
            let steps = steps(transcript);
            let mut latest: BTreeMap<u32, Option<&Program>> = BTreeMap::new();
            for step in &steps {
                latest.insert(step.record.uid, GoalStep::program(step));
            }
            part.goals += latest.len();
            for program in latest.into_values().flatten() {
                part.count(program, domain, catalogue);
            }
            for (_, kind) in complexities(transcript, domain) {
                *part.complexities.entry(kind).or_default() += 1;
            }
        }
        part.written_for = written_for.len();
        part
    }

    fn count(&mut self, program: &Program, domain: &Domain, catalogue: &Catalogue) {
        let (sites, lines) = (call_sites(program, domain), lines(program));
        self.lines_of_all += lines;
        if sites.is_empty() {
            return;
        }
        self.programs += 1;
        self.lines += lines;
        for site in sites {
            let name = catalogue.name(&site.operation);
            *self.calls.entry(name).or_default() += 1;
        }
    }

    /// The mean number of utterances of a dialogue. Every mean of nothing is 0.
    pub fn utterances_a_dialogue(&self) -> f64 {
        mean(self.utterances, self.dialogues)
    }

    /// The mean number of goals of a dialogue.
    pub fn goals_a_dialogue(&self) -> f64 {
        mean(self.goals, self.dialogues)
    }

    /// The mean lines of a program that calls an operation.
    pub fn lines_a_program(&self) -> f64 {
        mean(self.lines, self.programs)
    }

    /// The mean lines of any program.
    pub fn lines_a_program_of_all(&self) -> f64 {
        mean(self.lines_of_all, self.goals)
    }

    /// The number of call sites.
    pub fn apis(&self) -> usize {
        self.calls.values().sum()
    }

    /// The mean call sites of a program that has one.
    pub fn apis_a_program(&self) -> f64 {
        mean(self.apis(), self.programs)
    }

    /// The mean call sites of any program.
    pub fn apis_a_program_of_all(&self) -> f64 {
        mean(self.apis(), self.goals)
    }

    /// The share of an operation among the call sites, in per cent, by its name in the
    /// figures.
    pub fn share(&self, name: &str) -> f64 {
        100.0 * mean(self.calls.get(name).copied().unwrap_or(0), self.apis())
    }

    /// How often a complexity occurs, by its name; `None` for an unknown name.
    pub fn complexity(&self, name: &str) -> Option<usize> {
        let kind = Complexity::ALL.iter().find(|kind| kind.name() == name)?;
        Some(self.complexities.get(kind).copied().unwrap_or(0))
    }
}

/// Counts are far below 2⁵³.
fn mean(sum: usize, count: usize) -> f64 {
    match count {
        0 => 0.0,
        _ => sum as f64 / count as f64,
    }
}
