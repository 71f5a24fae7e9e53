//! Adapts a turn of another dialogue to this one.

use super::values::{Exchange, values};
use crate::dialogue::{Program, Stack, Status, Update};
use crate::eval::candidate::{Play, TurnAtHand};
use crate::retrieval::Example;

/// The programs and the reply of an example, with the goals and the names of this dialogue.
///
/// - Where the example goes on with a draft, this goes on with the last draft here, or begins
///   a new goal.
/// - Where the example abandons a draft, this abandons the last draft here, if there is one.
/// - Quoted values in the example's programs are replaced by values of this dialogue: see
///   [`values`].
pub(super) fn adapt(example: Option<&Example>, turn: &TurnAtHand<'_>) -> Play {
    let Some(example) = example else {
        return Play::Say {
            updates: Vec::new(),
            reply: String::new(),
        };
    };
    let exchange = Exchange::between(
        values(&example.user, &example.before),
        values(&turn.truth.user, turn.stack),
    );
    let mut drafts = drafts(turn.stack);
    let mut free = turn.stack.free_uid();
    let mut updates = Vec::new();
    for update in &example.updates {
        let goes_on = example.before.get(update.uid).is_some();
        let draft = if goes_on { drafts.pop() } else { None };
        if update.status == Status::Abandoned {
            updates.extend(draft.map(|uid| Update {
                uid,
                status: Status::Abandoned,
                program: None,
            }));
            continue;
        }
        let Some(goal) = example.after.get(update.uid) else {
            continue;
        };
        let uid = draft.unwrap_or_else(|| {
            let uid = free;
            free = free.saturating_add(1);
            uid
        });
        updates.push(Update {
            uid,
            status: update.status,
            program: Some(Program::from_text(exchange.applied(&goal.program))),
        });
    }
    Play::Say {
        updates,
        reply: example.reply.clone().unwrap_or_default(),
    }
}

/// The goals that are still drafts, the last touched at the end.
fn drafts(stack: &Stack) -> Vec<u32> {
    let drafts = stack.goals().iter();
    let drafts = drafts.filter(|goal| goal.status == Status::Drafting);
    drafts.map(|goal| goal.uid).collect()
}
