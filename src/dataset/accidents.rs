//! Outcomes that are mistakes of the program's author and no answer of the environment.

use super::{GoalStep, steps};
use crate::dialogue::{Outcome, Transcript};
use crate::domain::Domain;
use crate::exec::is_accident;

/// The attribute of a `<conversation>` that names the errors its author means:
/// `accepts="KeyError ValueError"`.
const ACCEPTS: &str = "accepts";

/// A program whose recorded outcome is an error that it did not raise on purpose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accident {
    /// The turn, from 1.
    pub turn: usize,
    /// The goal.
    pub uid: u32,
    /// The error's name: `TypeError`, or that of a limit.
    pub error: String,
    /// The error's text.
    pub message: String,
}

/// The programs of an annotated dialogue that ended by accident: with an error of Python, with
/// a broken limit, or with parameters that the operation does not have, that are missing or
/// that are of the wrong type. An error that the program raises by name, or that the dialogue
/// accepts, is no accident, and neither are those with which the domain's API answers.
///
/// ```
/// use dialog2api::dataset::accidents;
/// use dialog2api::domain::s3::S3;
/// use dialog2api::dialogue::read_transcript;
///
/// let text = r#"<conversation uid="sum-1">
/// <turns>
/// <turn>User: one and two?</turn>
/// <goal uid="1" status="final">
/// <program>
/// return one + 2
/// </program>
/// <result>null</result>
/// <error>{"error": "NameError", "message": "name 'one' is not defined"}</error>
/// <signature>00000000</signature>
/// </goal>
/// </turns>
/// </conversation>
/// "#;
/// let transcript = read_transcript(text)?;
/// assert_eq!(accidents(&transcript, &S3)[0].error, "NameError");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn accidents(transcript: &Transcript, domain: &Domain) -> Vec<Accident> {
    let accepted: Vec<&str> = transcript
        .attribute(ACCEPTS)
        .map(|names| names.split_whitespace().collect())
        .unwrap_or_default();
    steps(transcript)
        .iter()
        .filter_map(accident)
        .filter(|accident| !accepted.contains(&accident.error.as_str()))
        .filter(|accident| !domain.api.errors.iter().any(|name| *name == accident.error))
        .collect()
}

fn accident(step: &GoalStep<'_>) -> Option<Accident> {
    let Some(Outcome::Error(error)) = &step.record.outcome else {
        return None;
    };
    is_accident(error, step.program()).then(|| Accident {
        turn: step.turn,
        uid: step.record.uid,
        error: error.error.clone(),
        message: error.message.clone(),
    })
}

/// Writes into a dialogue that these errors are meant, so that [`accidents`] finds none.
pub fn accept(transcript: &mut Transcript, accidents: &[Accident]) {
    let old = transcript.attribute(ACCEPTS).unwrap_or_default();
    let mut names: Vec<String> = old.split_whitespace().map(str::to_owned).collect();
    names.extend(accidents.iter().map(|accident| accident.error.clone()));
    names.sort();
    names.dedup();
    if names.is_empty() {
        return;
    }
    let names = names.join(" ");
    let attributes = &mut transcript.attributes;
    match attributes.iter_mut().find(|(name, _)| name == ACCEPTS) {
        Some((_, value)) => *value = names,
        None => attributes.push((ACCEPTS.to_owned(), names)),
    }
}
