//! The date, as models are told it.

use crate::llm::Message;
use jiff::civil::Date;

/// The sentence that says which day it is.
pub(crate) fn sentence(today: Date) -> String {
    format!("Today is {} (UTC).", today.strftime("%A, %Y-%m-%d"))
}

/// Puts the date before the message with the turn at hand. It stands there and not in the
/// instructions, so that these and the examples are the same every day and a server that keeps
/// the last prompt need not read them again.
pub(crate) fn tell_date(turn: &mut Message, today: Date) {
    turn.content = format!("{}\n\n{}", sentence(today), turn.content);
}
