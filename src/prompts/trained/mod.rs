//! Prompts for models that were trained on dialogues of the domain. They have one sentence of
//! instructions, and the dialogue as a chat to which messages are only added.
//!
//! A server that keeps the last prompt has to read only the new messages. The model learned
//! the API document and the examples in training. A turn has four messages: the user's words,
//! the goals ([`write_goals`]), their outcomes, and the response.

mod date;
mod notation;
mod protocol;

use date::tell_date;
pub use notation::{read_goals, write_goals};
pub use protocol::Trained;

use super::shown::{shown_outcome, shown_text};
use super::{ViewLimits, cut_program, drafts};
use crate::dialogue::{Outcome, Program, Stack, Status, Transcript, Turn, Update};
use crate::llm::{Message, Role};
use std::collections::{BTreeMap, BTreeSet};

/// The instructions. Training showed the same sentence.
const INSTRUCTIONS: &str =
    "You write Python programs for what the user says, and then say what came of them.";

/// The most of one outcome, in bytes.
pub const OUTCOME: usize = 2000;

/// The most tokens of a prompt, if the settings allow as many. Training showed dialogues of up
/// to half of this length.
pub const BUDGET: u32 = 3000;

/// The messages that ask for the goals of a turn. `past` are the turns before it. Of these,
/// the oldest give way when all together have more than `limits.closed` bytes, except those
/// with the draft of one of the `limits.drafts` open goals that matter most. No note says so,
/// because training showed none.
pub fn dialogue(past: &[Turn], user: &str, limits: &ViewLimits) -> Vec<Message> {
    let turns = turns(past, limits);
    let shown = shown(past, &turns, user, limits);
    let turns = turns.into_iter().zip(shown);
    let mut messages = vec![instructions()];
    messages.extend(turns.filter(|(_, shown)| *shown).flat_map(|(turn, _)| turn));
    messages.push(Message::new(Role::User, user));
    messages
}

/// A whole dialogue, to train a model with: each answer of the assistant is the right one.
pub fn lesson(transcript: &Transcript, shown: usize) -> Vec<Message> {
    let turns = turns(&transcript.turns, &ViewLimits::of_outcomes(shown));
    std::iter::once(instructions())
        .chain(turns.into_iter().flatten())
        .collect()
}

/// The first message of every prompt.
pub fn instructions() -> Message {
    Message::new(Role::System, INSTRUCTIONS)
}

/// The messages after those of [`dialogue`] that ask for the response: the goals, and their
/// outcomes. These are in `after`; `before` is the stack before the turn.
pub fn outcome(
    updates: &[Update],
    before: &Stack,
    after: &Stack,
    limits: &ViewLimits,
) -> [Message; 2] {
    let goals = updates.iter().map(|update| {
        let draft = before.get(update.uid).map(|goal| &goal.program);
        shown_update(update.clone(), draft, limits)
    });
    let outcomes = updates.iter().map(|update| {
        let goal = after.get(update.uid);
        let outcome = goal.and_then(|goal| goal.outcome.as_ref());
        outcome_line(update.uid, update.status, outcome, limits)
    });
    pair(goals.collect(), outcomes.collect())
}

/// The messages of each turn. A turn that changed no goal has none: it shows a model nothing
/// that it should write.
fn turns(past: &[Turn], limits: &ViewLimits) -> Vec<Vec<Message>> {
    let mut drafts: BTreeMap<u32, &Program> = BTreeMap::new();
    let mut messages = Vec::new();
    for turn in past {
        let goals = turn.goals.iter().map(|goal| {
            let draft = drafts.get(&goal.uid).copied();
            drafts.extend(goal.program.as_ref().map(|program| (goal.uid, program)));
            shown_update(goal.update(), draft, limits)
        });
        let goals: Vec<Update> = goals.collect();
        if goals.is_empty() {
            messages.push(Vec::new());
            continue;
        }
        let outcomes = turn
            .goals
            .iter()
            .map(|goal| outcome_line(goal.uid, goal.status, goal.outcome.as_ref(), limits));
        let mut of_turn = vec![Message::new(Role::User, turn.user.clone())];
        of_turn.extend(pair(goals, outcomes.collect()));
        let response = turn.response.clone();
        of_turn.extend(response.map(|response| Message::new(Role::Assistant, response)));
        messages.push(of_turn);
    }
    messages
}

fn pair(goals: Vec<Update>, outcomes: Vec<String>) -> [Message; 2] {
    [
        Message::new(Role::Assistant, write_goals(&goals)),
        Message::new(Role::User, outcomes.join("\n")),
    ]
}

/// An update with its program within the limits, and without one that repeats the draft.
fn shown_update(update: Update, draft: Option<&Program>, limits: &ViewLimits) -> Update {
    let is_new = |program: &Program| {
        update.status == Status::Drafting
            || update.status == Status::Final && draft != Some(program)
    };
    let program = update.program.filter(is_new);
    Update {
        program: program.map(|program| cut_program(&program, limits.program)),
        ..update
    }
}

fn outcome_line(
    uid: u32,
    status: Status,
    outcome: Option<&Outcome>,
    limits: &ViewLimits,
) -> String {
    match outcome.map(|outcome| shown_outcome(outcome, limits.outcome.min(OUTCOME))) {
        None => format!("{uid} {status}"),
        Some(Outcome::Result(value)) => format!("{uid} gave {value}"),
        Some(Outcome::Error(error)) if error.message.is_empty() => {
            format!("{uid} failed: {}", shown_text(&error.error))
        }
        Some(Outcome::Error(error)) => format!("{uid} failed: {}: {}", error.error, error.message),
    }
}

/// For each turn whether it is shown. When the shown turns exceed the limit, they are cut to
/// half of it, so that the prompts between two cuts begin with the same text. A turn that has
/// the latest draft of an open goal stays, unless there are too many of them.
fn shown(past: &[Turn], turns: &[Vec<Message>], user: &str, limits: &ViewLimits) -> Vec<bool> {
    let limit = limits.closed;
    let size = |turn: &[Message]| {
        turn.iter()
            .map(|message| message.content.len())
            .sum::<usize>()
    };
    let sizes: Vec<usize> = turns.iter().map(|turn| size(turn)).collect();
    let (mut first, mut total) = (0, 0usize);
    for (newest, size) in sizes.iter().enumerate() {
        total += size;
        if total > limit {
            while total > limit / 2 && first < newest {
                total -= sizes[first];
                first += 1;
            }
        }
    }
    let open = kept_goals(past, user, limits.drafts);
    let mut settled = BTreeSet::new();
    let mut shown: Vec<bool> = (past.iter().enumerate().rev())
        .map(|(place, turn)| {
            let goals = turn.goals.iter();
            // The latest turn about an open goal has its draft.
            let has_draft = goals
                .filter(|goal| settled.insert(goal.uid) && open.contains(&goal.uid))
                .count();
            place >= first || has_draft > 0
        })
        .collect();
    shown.reverse();
    shown
}

/// The open goals whose drafts stay, `most` of them at most.
fn kept_goals(past: &[Turn], user: &str, most: usize) -> BTreeSet<u32> {
    let mut settled = BTreeSet::new();
    let latest_first = past.iter().rev().flat_map(|turn| turn.goals.iter().rev());
    // The latest turn about a goal says whether it is open.
    let open = latest_first
        .filter(|goal| settled.insert(goal.uid) && goal.status == Status::Drafting)
        .map(|goal| (goal.uid, goal.program.as_ref()));
    let said = past.last().and_then(|turn| turn.response.as_deref());
    let last = format!("{}\n{user}", said.unwrap_or_default());
    drafts::kept(open, &last, most)
}
