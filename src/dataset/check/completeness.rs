//! Dialogues are complete.

use super::{Check, Checked, Found, Looked};
use crate::dialogue::Status;
use crate::error::Result;
use async_trait::async_trait;

/// The agent greets and answers every turn; every final program has its outcome.
pub struct Completeness;

const ANNOTATE: &str = "`dialog2api dataset annotate --write` fills it in";

#[async_trait]
impl Check for Completeness {
    fn name(&self) -> &'static str {
        "completeness"
    }

    fn rule(&self) -> &'static str {
        "the agent greets and answers every turn, and every final program has its outcome and \
         signature"
    }

    async fn find(&self, checked: &Checked<'_>) -> Result<Looked> {
        let mut found = Found::by(self);
        let set = checked.set;
        let is_blank = |text: Option<&str>| text.is_none_or(|text| text.trim().is_empty());
        for dialogue in &set.dialogues {
            let transcript = &dialogue.transcript;
            let mut say = |turn: Option<usize>, goal: Option<u32>, problem: &str| {
                found.on(set, dialogue, turn, goal, problem);
            };
            if is_blank(transcript.greeting.as_deref()) {
                say(
                    None,
                    None,
                    "begins without a greeting of the agent; add one",
                );
            }
            if transcript.initial_signature.is_none() {
                say(None, None, &format!("has no initial signature; {ANNOTATE}"));
            }
            if transcript.turns.is_empty() {
                say(None, None, "has no turns; write what the user says");
            }
            for (index, turn) in transcript.turns.iter().enumerate() {
                let number = Some(index + 1);
                if is_blank(Some(&turn.user)) {
                    say(number, None, "the user says nothing; write what they say");
                }
                if is_blank(turn.response.as_deref()) {
                    say(number, None, "has no response of the agent; write one");
                }
                if turn.goals.is_empty() {
                    let problem = "updates no goal; add a program, even if only \
                                   `raise ChitChat()`";
                    say(number, None, problem);
                }
                for goal in &turn.goals {
                    let uid = Some(goal.uid);
                    let is_final = goal.status == Status::Final;
                    let parts = [
                        ("outcome", goal.outcome.is_some()),
                        ("signature", goal.signature.is_some()),
                    ];
                    for (part, is_there) in parts {
                        if is_final && !is_there {
                            say(number, uid, &format!("has no {part}; {ANNOTATE}"));
                        } else if !is_final && is_there {
                            let status = goal.status;
                            let problem = format!("is {status} and has an {part}; take it out")
                                .replace("an signature", "a signature");
                            say(number, uid, &problem);
                        }
                    }
                }
            }
        }
        found.end()
    }
}
