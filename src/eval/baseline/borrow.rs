//! A turn of another dialogue, made to fit this one.

use super::values::{Exchange, values};
use crate::dialogue::{Program, Stack, Status, Update};
use crate::eval::candidate::{Play, Situation};
use crate::retrieval::Example;

/// What an example did and said, on the goals of this dialogue and with its names.
///
/// - A draft that the example goes on with is the last draft here, or else a new goal.
/// - What the example gives up is the last draft here, too; without one, nothing happens.
/// - Values of the example's dialogue that stand quoted in its programs are replaced by
///   the values of this one: see [`values`].
pub(super) fn borrow(example: Option<&Example>, situation: &Situation<'_>) -> Play {
    let Some(example) = example else {
        return Play::Say {
            updates: Vec::new(),
            reply: String::new(),
        };
    };
    let exchange = Exchange::between(
        values(&example.user, &example.before),
        values(&situation.truth.user, situation.stack),
    );
    let mut drafts = drafts(situation.stack);
    let mut free = situation.stack.free_uid();
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
