//! What a model learns of a turn: the messages that an agent with a conduct sends, and the right
//! answers.

use super::prompt::{asks_reply, messages};
use super::{Conduct, Taught};
use crate::dialogue::{Program, Status, Update};
use crate::error::Result;
use crate::llm::{Message, Role};
use crate::prompts::date_sentence;
use jiff::civil::Date;

/// The messages of a turn, from the instructions to the reply. A reply that is the agent's last
/// words again is asked of no model, so the lesson ends before it.
///
/// # Errors
/// A template is broken.
pub fn lesson(conduct: &dyn Conduct, taught: &Taught, today: Option<Date>) -> Result<Vec<Message>> {
    let today = today.map(date_sentence);
    let asked = (taught.said.as_str(), taught.user.as_str(), today);
    let mut lesson = messages(conduct, &taught.before, &[], asked)?;
    let update = Update {
        uid: 1,
        status: Status::Final,
        program: Some(Program::new(&conduct.shown_program(&taught.program))),
    };
    let [program, asks] = asks_reply(conduct.prompting(), &[update], &taught.after)?;
    lesson.push(program);
    if !taught.after.says_again(&taught.said) {
        lesson.push(asks);
        lesson.push(Message::new(Role::Assistant, taught.reply.as_str()));
    }
    Ok(lesson)
}
