//! A dataset from outside: files in; findings, figures and other files out.
//!
//! - `defects`: a good dialogue with one thing wrong, and what is found
//! - `asked`: what the user had to be asked, and was not
//! - `large`: what works in a small world only
//! - `sets`: what is wrong between dialogues, and with the list of goals
//! - `code`: which operations a program calls, its lines, and what is a revision
//! - `figures`: what is counted
//! - `annotate`: what the programs of a new dialogue do
//! - `whole`: the dataset of the repository
//! - `rows`: dialogues as JSON Lines and back, byte for byte; the schema; Hugging Face
//! - `chat`: lessons for fine-tuning are what an agent really asks
//! - `own`: the page about a dataset of one's own, whose commands are run
//! - `generate`: dialogues from templates
//! - `generate_courses`: the courses that a generated dialogue can take
//! - `mix`: the lessons that the adapter was trained on last
//! - `mutations`: which changes of a program the signature sees, and which it must not

mod annotate;
mod asked;
mod chat;
mod code;
mod defects;
mod figures;
mod generate;
mod generate_courses;
mod large;
mod mix;
mod mutations;
mod own;
mod rows;
mod sets;
mod whole;

use crate::support;
use dialog2api::dataset::check::{CheckReport, check};
use dialog2api::dataset::{Replayer, Set};
use dialog2api::domain::s3::S3;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A dialogue without a fault.
const GOOD: &str = include_str!("dataset/good.xml");

/// A dataset of these files.
fn set(files: &[(&str, &str)], goals: Option<&str>) -> Set {
    let files = files.iter();
    let files = files.map(|(path, text)| (PathBuf::from(path), text.as_bytes().to_vec()));
    Set::of(Path::new(""), &S3, files.collect(), goals)
}

pub(crate) async fn replayer() -> Replayer {
    Replayer::new(Arc::new(support::sandbox().await), &S3)
}

async fn report(set: &Set) -> CheckReport {
    check(set, &[], &replayer().await)
        .await
        .expect("it can be checked")
}

/// The findings, one a line, with the check that found each.
async fn findings(set: &Set) -> String {
    let findings = report(set).await.findings.into_iter();
    findings
        .map(|finding| format!("[{}] {finding}\n", finding.check))
        .collect()
}
