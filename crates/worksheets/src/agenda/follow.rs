use super::{Agenda, Effect, Next, Turned};
use crate::desk::Desk;

/// Who evaluates what leaves the agenda: the sandbox runs the owner's Python, the knowledge
/// base answers questions.
pub trait Host {
    /// What the host itself can fail with. What the owner's code raises is an [`Effect`].
    type Error;

    /// Answers a query, runs an action or makes a call. While an action runs, `desk` answers
    /// its operations; those that it carried out are handed back as [`Effect::Ops`].
    fn perform(&mut self, next: &Next, desk: Desk<'_>) -> Result<Effect, Self::Error>;
}

/// Takes a turn to its end.
pub fn follow<H: Host>(mut agenda: Agenda<'_>, host: &mut H) -> Result<Turned, H::Error> {
    loop {
        match agenda.next() {
            Next::Acts(turned) => return Ok(turned),
            next => {
                let effect = host.perform(&next, agenda.desk())?;
                agenda.done(effect);
            }
        }
    }
}
