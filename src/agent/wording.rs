//! Replies in plain words, for when there is no model to word them.

use crate::dialogue::{Goal, Outcome, Stack, Status};
use crate::prompts::cut;

/// The most that a plain reply shows of one result, in bytes.
const SHOWN: usize = 2000;

/// What became of these goals, one sentence each.
pub(super) fn plain_reply(stack: &Stack, uids: impl Iterator<Item = u32>) -> String {
    let sentences: Vec<String> = uids
        .filter_map(|uid| stack.get(uid))
        .map(sentence)
        .collect();
    sentences.join("\n")
}

fn sentence(goal: &Goal) -> String {
    match (&goal.status, &goal.outcome) {
        (Status::Abandoned, _) => "Okay, I will not do that.".into(),
        (Status::Drafting, _) => match goal.program.placeholders().first() {
            Some(number) => {
                let mark = format!("?{number}");
                let line = (goal.program.code().lines()).find(|line| line.contains(&mark));
                let line = line.unwrap_or_default().trim();
                format!("I need more information: {mark} in {}", cut(line, SHOWN))
            }
            None => "The program is ready. Shall I run it?".into(),
        },
        (Status::Final, Some(Outcome::Result(value))) if value.is_null() => "Done.".into(),
        (Status::Final, Some(Outcome::Result(value))) => {
            format!("Done. The result is {}", cut(&value.to_string(), SHOWN))
        }
        (Status::Final, Some(Outcome::Error(error))) => match error.error.as_str() {
            "OutOfScopeRequestError" => "Sorry, that is not something I can do.".into(),
            "AmbiguousRequestError" => "Could you say more exactly what you want?".into(),
            "OverSpecificationError" => "Sorry, I can not do that with every detail.".into(),
            "ChitChat" => "I see. What can I do for you?".into(),
            "FAQ" => "Sorry, I can not answer that now.".into(),
            "EndDialog" => "Goodbye!".into(),
            name => format!("That failed with {name}: {}", cut(&error.message, SHOWN)),
        },
        // The program did not come to its end; the failure beside this says so.
        (Status::Final, None) => "It is not known what came of that.".into(),
    }
}
