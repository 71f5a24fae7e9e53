//! What was told of the world since the last answer.

use crate::domain::SharedLink;
use crate::service::Event;

/// What was told of the world since the last answer.
#[derive(Debug, Default)]
pub struct Told {
    /// What people should know of it: sentences.
    pub notes: Vec<String>,
    /// The links that were signed, which are the user's alone.
    pub links: Vec<SharedLink>,
}

impl Told {
    /// Keeps an event that tells of the world. What signatures cannot see is left out, since
    /// no answer has a signature.
    pub fn hear(&mut self, event: &Event) {
        match event {
            Event::Note { text } => self.notes.push(text.clone()),
            Event::Link(link) => self.links.push(SharedLink::clone(link)),
            _ => {}
        }
    }
}
