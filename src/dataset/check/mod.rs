//! The checks of a dataset: one file each, listed by [`checks`].

mod accidents;
mod call_limits;
mod clock;
mod completeness;
mod destruction;
pub mod duplicates;
mod figures;
mod form;
mod goals;
mod identity;
mod keywords;
mod outcomes;
mod overwriting;
mod placeholders;
mod python;
mod questions;
mod run_again;
mod runs;
mod status;
mod whole_names;

pub(super) use overwriting::unasked;

use super::stats::Statistics;
use super::{Dialogue, Replayer, Set, steps};
use crate::domain::{CallSite, Domain, call_sites};
use crate::error::Result;
use async_trait::async_trait;
use duplicates::Duplicates;
use runs::Runs;
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;

/// A rule of a dataset, and the search for what breaks it.
#[async_trait]
pub trait Check: Send + Sync {
    /// The name: one word or two.
    fn name(&self) -> &'static str;

    /// The rule, as a sentence.
    fn rule(&self) -> &'static str;

    /// The violations of the rule, and the places that could not be looked at.
    ///
    /// # Errors
    /// The sandbox or a world failed.
    async fn find(&self, checked: &Checked<'_>) -> Result<Looked>;
}

/// Every check, in the order of their findings.
pub fn checks() -> Vec<Box<dyn Check>> {
    vec![
        Box::new(form::Form),
        Box::new(identity::Identity),
        Box::new(completeness::Completeness),
        Box::new(status::StatusRules),
        Box::new(placeholders::Placeholders),
        Box::new(python::Python),
        Box::new(keywords::Keywords),
        Box::new(destruction::Destruction),
        Box::new(overwriting::Overwriting),
        Box::new(run_again::RunAgain),
        Box::new(whole_names::WholeNames),
        Box::new(call_limits::CallLimits),
        Box::new(questions::Questions),
        Box::new(outcomes::Outcomes),
        Box::new(accidents::Accidents),
        Box::new(clock::Clock),
        Box::new(goals::Goals),
        Box::new(duplicates::NearDuplicates),
        Box::new(figures::Figures),
    ]
}

/// The dataset, and what several checks share.
pub struct Checked<'a> {
    /// The dataset.
    pub set: &'a Set,
    /// Runs its programs.
    pub replayer: &'a Replayer,
    /// Its figures.
    pub statistics: Statistics,
    /// Which of its texts are alike, or like those of the examples.
    pub duplicates: Duplicates,
    runs: Runs,
}

/// One breach of a rule, and where it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CheckFinding {
    /// The name of the check.
    pub check: &'static str,
    /// The file, if the finding is about one.
    pub path: Option<PathBuf>,
    /// The turn, from 1.
    pub turn: Option<usize>,
    /// The goal.
    pub goal: Option<u32>,
    /// The mistake, and the way to mend it.
    pub problem: String,
}

impl fmt::Display for CheckFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.as_ref().map(|path| path.display().to_string());
        let turn = self.turn.map(|turn| format!("turn {turn}"));
        let goal = self.goal.map(|goal| format!("goal {goal}"));
        let place: Vec<String> = [path, turn, goal].into_iter().flatten().collect();
        if !place.is_empty() {
            write!(f, "{}: ", place.join(", "))?;
        }
        f.write_str(&self.problem)
    }
}

/// A check that did not look at everything.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// The check.
    pub check: &'static str,
    /// The part that it did not look at, and why.
    pub reason: String,
}

/// The result of one check.
pub struct Looked {
    /// The violations of the rule.
    pub findings: Vec<CheckFinding>,
    /// The part that was not looked at, and why; `None` where all was.
    pub skipped: Option<Skipped>,
}

/// The result of all checks.
pub struct CheckReport {
    /// Its figures.
    pub statistics: Statistics,
    /// Which of its texts are alike, or like those of the examples.
    pub duplicates: Duplicates,
    /// The violations of the rules.
    pub findings: Vec<CheckFinding>,
    /// The checks that did not look at everything. A rule without a finding holds only for
    /// what was looked at.
    pub skipped: Vec<Skipped>,
}

/// Checks a dataset: parallel where programs run, as far as the runtime has threads. The
/// test part is compared with the training part and with `examples`, the dialogues that
/// stand in the prompts of an evaluation beside it (often none).
///
/// # Errors
/// The sandbox or a world failed. What is wrong with the dataset is a finding.
pub async fn check(set: &Set, examples: &[Dialogue], replayer: &Replayer) -> Result<CheckReport> {
    let checked = Checked {
        set,
        replayer,
        statistics: Statistics::of(set),
        duplicates: Duplicates::of(set, examples),
        runs: Runs::default(),
    };
    let (mut findings, mut skipped) = (Vec::new(), Vec::new());
    for check in checks() {
        let looked = check.find(&checked).await?;
        findings.extend(looked.findings);
        skipped.extend(looked.skipped);
    }
    Ok(CheckReport {
        statistics: checked.statistics,
        duplicates: checked.duplicates,
        findings,
        skipped,
    })
}

/// Collects the findings of one check.
struct Found {
    check: &'static str,
    findings: Vec<CheckFinding>,
    skipped: Option<String>,
}

impl Found {
    fn by(check: &impl Check) -> Self {
        Found {
            check: check.name(),
            findings: Vec::new(),
            skipped: None,
        }
    }

    /// Adds a finding about the dataset as a whole.
    fn on_set(&mut self, problem: impl Into<String>) {
        self.push(None, None, None, problem.into());
    }

    /// Adds a finding about a file.
    fn on_file(&mut self, set: &Set, path: &std::path::Path, problem: impl Into<String>) {
        let path = set.shown(path).to_owned();
        self.push(Some(path), None, None, problem.into());
    }

    /// Adds a finding about a dialogue, or about a turn (from 1) or a goal of it.
    fn on(
        &mut self,
        set: &Set,
        dialogue: &Dialogue,
        turn: impl Into<Option<usize>>,
        goal: impl Into<Option<u32>>,
        problem: impl Into<String>,
    ) {
        let path = set.shown(&dialogue.path).to_owned();
        self.push(Some(path), turn.into(), goal.into(), problem.into());
    }

    /// Adds what is wrong with calls of programs.
    fn on_calls(&mut self, set: &Set, problem: impl Fn(&CallSite, &Domain) -> Option<String>) {
        for dialogue in &set.dialogues {
            for step in steps(&dialogue.transcript) {
                let Some(program) = &step.record.program else {
                    continue;
                };
                for site in call_sites(program, &set.domain) {
                    if let Some(problem) = problem(&site, &set.domain) {
                        self.on(set, dialogue, step.turn, step.record.uid, problem);
                    }
                }
            }
        }
    }

    fn push(
        &mut self,
        path: Option<PathBuf>,
        turn: Option<usize>,
        goal: Option<u32>,
        problem: String,
    ) {
        self.findings.push(CheckFinding {
            check: self.check,
            path,
            turn,
            goal,
            problem,
        });
    }

    /// Says what the check did not look at, where there is something.
    fn skip(&mut self, reason: impl Into<Option<String>>) {
        self.skipped = reason.into();
    }

    fn end(self) -> Result<Looked> {
        let check = self.check;
        Ok(Looked {
            findings: self.findings,
            skipped: self.skipped.map(|reason| Skipped { check, reason }),
        })
    }
}
