//! Is a dataset right? Each check is a file here; [`checks`] lists them.

mod clock;
mod destruction;
pub mod duplicates;
mod execution;
mod form;
mod goals;
mod identity;
mod keywords;
mod placeholders;
mod python;
mod runs;
mod status;
mod talk;
mod targets;

use super::stats::Statistics;
use super::{Dialogue, Replayer, Set};
use crate::error::Result;
use async_trait::async_trait;
use duplicates::Duplicates;
use runs::Runs;
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;

/// A rule of a dataset, and what breaks it.
#[async_trait]
pub trait Check: Send + Sync {
    /// The name: one word or two.
    fn name(&self) -> &'static str;

    /// What holds where nothing is found: a sentence.
    fn rule(&self) -> &'static str;

    /// What breaks the rule.
    ///
    /// # Errors
    /// The sandbox or a world failed.
    async fn find(&self, checked: &Checked<'_>) -> Result<Vec<Finding>>;
}

/// Every check, in the order of their findings.
pub fn checks() -> Vec<Box<dyn Check>> {
    vec![
        Box::new(form::Form),
        Box::new(identity::Identity),
        Box::new(talk::Talk),
        Box::new(status::StatusRules),
        Box::new(placeholders::Placeholders),
        Box::new(python::Python),
        Box::new(keywords::Keywords),
        Box::new(destruction::Destruction),
        Box::new(execution::Outcomes),
        Box::new(clock::Clock),
        Box::new(goals::Goals),
        Box::new(duplicates::NearDuplicates),
        Box::new(targets::Figures),
    ]
}

/// What is checked, and what several checks share.
pub struct Checked<'a> {
    /// The dataset.
    pub set: &'a Set,
    /// What runs its programs.
    pub replayer: &'a Replayer,
    /// What is in it.
    pub statistics: Statistics,
    /// Which of its texts are alike.
    pub duplicates: Duplicates,
    runs: Runs,
}

/// What breaks a rule, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The check that found it.
    pub check: &'static str,
    /// The dialogue's file, where it is about one.
    pub path: Option<PathBuf>,
    /// The turn, from 1.
    pub turn: Option<usize>,
    /// The goal.
    pub goal: Option<u32>,
    /// What is wrong and what mends it.
    pub problem: String,
}

impl fmt::Display for Finding {
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

/// What came of checking a dataset.
pub struct Report {
    /// What is in it.
    pub statistics: Statistics,
    /// Which of its texts are alike.
    pub duplicates: Duplicates,
    /// What breaks the rules.
    pub findings: Vec<Finding>,
}

/// Checks a dataset: parallel where programs run, as far as the runtime has threads.
///
/// # Errors
/// The sandbox or a world failed. What is wrong with the dataset is a finding.
pub async fn check(set: &Set, replayer: &Replayer) -> Result<Report> {
    let checked = Checked {
        set,
        replayer,
        statistics: Statistics::of(set),
        duplicates: Duplicates::of(set),
        runs: Runs::default(),
    };
    let mut findings = Vec::new();
    for check in checks() {
        findings.extend(check.find(&checked).await?);
    }
    Ok(Report {
        statistics: checked.statistics,
        duplicates: checked.duplicates,
        findings,
    })
}

/// Collects the findings of one check.
struct Found {
    check: &'static str,
    findings: Vec<Finding>,
}

impl Found {
    fn by(check: &impl Check) -> Self {
        Found {
            check: check.name(),
            findings: Vec::new(),
        }
    }

    /// About the dataset as a whole.
    fn on_set(&mut self, problem: impl Into<String>) {
        self.push(None, None, None, problem.into());
    }

    /// About a file.
    fn on_file(&mut self, set: &Set, path: &std::path::Path, problem: impl Into<String>) {
        let path = set.shown(path).to_owned();
        self.push(Some(path), None, None, problem.into());
    }

    /// About a dialogue, or a turn (from 1) or a goal of it.
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

    fn push(
        &mut self,
        path: Option<PathBuf>,
        turn: Option<usize>,
        goal: Option<u32>,
        problem: String,
    ) {
        self.findings.push(Finding {
            check: self.check,
            path,
            turn,
            goal,
            problem,
        });
    }

    fn end(self) -> Result<Vec<Finding>> {
        Ok(self.findings)
    }
}
