//! Conversational complexities: turns that are more than a request and its answer. They are
//! found from the structure of a dialogue alone.

use crate::dataset::{GoalStep, filled, steps};
use crate::dialogue::{ConversationalException, Outcome, Status, Transcript};
use crate::domain::{Domain, call_sites};
use serde::{Serialize, Serializer};
use std::collections::BTreeSet;

/// A conversational complexity (paper, section 4; `method.md` lists them).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Complexity {
    /// A goal that has a placeholder at some time, so that the agent asks. Counted once a goal.
    MissingInformation,
    /// A draft is changed in more than its placeholders.
    Revision,
    /// A goal is resumed after a turn that was only about others.
    Interruption,
    /// A request that has several meanings.
    Ambiguity,
    /// A request that the domain cannot fulfil.
    OutOfScope,
    /// A request with constraints that no program can meet.
    OverSpecification,
    /// Small talk.
    ChitChat,
    /// A question about the domain that needs no program.
    Faq,
    /// A program ends with an error that is no conversational exception.
    Error,
    /// A complete destructive draft, so that the agent asks for confirmation. Counted once a
    /// goal.
    Confirmation,
    /// The user ends the dialogue.
    Ending,
    /// A goal is given up.
    Abandonment,
}

impl Complexity {
    /// All of them, in the order of the report.
    pub const ALL: [Complexity; 12] = [
        Complexity::MissingInformation,
        Complexity::Revision,
        Complexity::Interruption,
        Complexity::Ambiguity,
        Complexity::OutOfScope,
        Complexity::OverSpecification,
        Complexity::ChitChat,
        Complexity::Faq,
        Complexity::Error,
        Complexity::Confirmation,
        Complexity::Ending,
        Complexity::Abandonment,
    ];

    /// The name, for people and in `goals.toml`.
    pub fn name(self) -> &'static str {
        match self {
            Complexity::MissingInformation => "missing information",
            Complexity::Revision => "revision",
            Complexity::Interruption => "interruption",
            Complexity::Ambiguity => "ambiguity",
            Complexity::OutOfScope => "out of scope",
            Complexity::OverSpecification => "over-specification",
            Complexity::ChitChat => "chitchat",
            Complexity::Faq => "FAQ",
            Complexity::Error => "error",
            Complexity::Confirmation => "confirmation",
            Complexity::Ending => "ending",
            Complexity::Abandonment => "abandonment",
        }
    }

    /// All names.
    pub fn names() -> Vec<&'static str> {
        Complexity::ALL.iter().map(|kind| kind.name()).collect()
    }

    /// The class of program that an exception stands for.
    fn of_error(error: &str) -> Self {
        match ConversationalException::named(error) {
            Some(ConversationalException::Ambiguous) => Complexity::Ambiguity,
            Some(ConversationalException::OutOfScope) => Complexity::OutOfScope,
            Some(ConversationalException::OverSpecification) => Complexity::OverSpecification,
            Some(ConversationalException::ChitChat) => Complexity::ChitChat,
            Some(ConversationalException::Faq) => Complexity::Faq,
            Some(ConversationalException::EndDialog) => Complexity::Ending,
            None => Complexity::Error,
        }
    }
}

impl Serialize for Complexity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Every occurrence of a complexity in a dialogue, with its turn (from 1).
pub fn complexities(transcript: &Transcript, domain: &Domain) -> Vec<(usize, Complexity)> {
    let steps = steps(transcript);
    // What counts once a goal.
    let mut counted = BTreeSet::new();
    let found = steps.iter().flat_map(|step| {
        let kinds = of_step(step, &steps, &mut counted, domain);
        kinds.into_iter().map(|kind| (step.turn, kind))
    });
    found.collect()
}

fn of_step(
    step: &GoalStep<'_>,
    steps: &[GoalStep<'_>],
    counted: &mut BTreeSet<(u32, Complexity)>,
    domain: &Domain,
) -> Vec<Complexity> {
    let mut found = Vec::new();
    let record = step.record;
    let mut once = |kind: Complexity| counted.insert((record.uid, kind)).then_some(kind);
    if let (Status::Drafting, Some(program)) = (record.status, &record.program) {
        let is_open = !program.placeholders().is_empty();
        let sites = call_sites(program, domain);
        let destroys = sites.iter().any(|site| domain.destroys(&site.operation));
        found.extend(
            is_open
                .then(|| once(Complexity::MissingInformation))
                .flatten(),
        );
        let asks = destroys && !is_open;
        found.extend(asks.then(|| once(Complexity::Confirmation)).flatten());
    }
    if let Some((before, after)) = step.replaced()
        && before.code() != after.code()
        && filled(before, after).is_none()
    {
        found.push(Complexity::Revision);
    }
    if is_return(step, steps) {
        found.push(Complexity::Interruption);
    }
    if record.status == Status::Abandoned {
        found.push(Complexity::Abandonment);
    }
    if let Some(Outcome::Error(error)) = &record.outcome {
        found.push(Complexity::of_error(&error.error));
    }
    found
}

/// Whether at least one turn between this step and the previous step of its goal is about other
/// goals only.
fn is_return(step: &GoalStep<'_>, steps: &[GoalStep<'_>]) -> bool {
    let Some(before) = step.before else {
        return false;
    };
    let between = |other: &&GoalStep<'_>| before.turn < other.turn && other.turn < step.turn;
    steps.iter().any(|other| between(&other))
}
