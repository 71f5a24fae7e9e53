//! Plain replies, for turns in which the model gives none.

use super::host_errors::{is_declined, made_before, refusal};
use crate::dialogue::{ConversationalException, Goal, Outcome, ProgramError, Stack, Status};
use crate::prompts::cut;

/// The most that a plain reply shows of one result, in bytes.
const SHOWN: usize = 2000;

/// A sentence for each of these goals: its result, its error, or what it waits for.
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
        (Status::Final, Some(Outcome::Error(error))) => {
            match ConversationalException::named(&error.error) {
                Some(exception) => said(exception).into(),
                None => failed(error),
            }
        }
        // The program did not end; the failure says so, too.
        (Status::Final, None) => "It is not known what came of that.".into(),
    }
}

fn failed(error: &ProgramError) -> String {
    if is_declined(error) {
        return match made_before(error) {
            Some(made) => format!("All right, I have stopped there. Before that, {made}"),
            None => "All right, I have not done that.".into(),
        };
    }
    match refusal(error) {
        Some(sentence) => cut(sentence, SHOWN),
        None => {
            let message = cut(&error.message, SHOWN);
            format!("That failed with {}: {message}", error.error)
        }
    }
}

fn said(exception: ConversationalException) -> &'static str {
    match exception {
        ConversationalException::OutOfScope => "Sorry, that is not something I can do.",
        ConversationalException::Ambiguous => "Could you say more exactly what you want?",
        ConversationalException::OverSpecification => "Sorry, I cannot do that with every detail.",
        ConversationalException::ChitChat => "I see. What can I do for you?",
        ConversationalException::Faq => "Sorry, I cannot answer that now.",
        ConversationalException::EndDialog => "Goodbye!",
    }
}
