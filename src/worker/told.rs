//! What a world tells: to the conversation in it, or with the next program that ends.

use crate::domain::Opening;
use crate::service::{Conversation, Event};
use serde_json::{Value as Json, json};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// What a world tells. Clones are the same.
#[derive(Clone, Default)]
pub struct Told(Arc<Mutex<Kept>>);

#[derive(Default)]
struct Kept {
    /// What nobody has heard yet.
    events: Vec<Event>,
    conversation: Weak<Conversation>,
}

impl Told {
    /// How a world is opened whose notes and links come here.
    pub fn opening(&self) -> Opening {
        let (notes, links) = (self.clone(), self.clone());
        Opening {
            notes: Some(Arc::new(move |text| {
                let text = text.to_owned();
                notes.tell(Event::Note { text });
            })),
            links: Some(Arc::new(move |link| {
                links.tell(Event::Link(Box::new(link)))
            })),
            ..Opening::default()
        }
    }

    /// Tells an event.
    pub fn tell(&self, event: Event) {
        let mut kept = self.kept();
        match kept.conversation.upgrade() {
            Some(conversation) => {
                conversation.tell(event);
            }
            None => kept.events.push(event),
        }
    }

    /// As long as it is open, this conversation hears everything, also what nobody has heard yet.
    pub fn heard_by(&self, conversation: &Arc<Conversation>) {
        let mut kept = self.kept();
        kept.conversation = Arc::downgrade(conversation);
        for event in std::mem::take(&mut kept.events) {
            conversation.tell(event);
        }
    }

    /// Puts what nobody has heard yet into the lists `notes` and `links`.
    pub fn put_into(&self, done: &mut Json) {
        for event in std::mem::take(&mut self.kept().events) {
            let (list, told) = match event {
                Event::Note { text } => ("notes", json!(text)),
                Event::Unseen { what } => ("notes", json!(format!("note: {what}"))),
                Event::Link(link) => ("links", json!(link)),
                _ => continue,
            };
            if let Some(list) = done[list].as_array_mut() {
                list.push(told);
            }
        }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::SharedLink;

    #[test]
    fn what_nobody_hears_comes_once_with_a_program() {
        let told = Told::default();
        let how = told.opening();
        if let (Some(note), Some(link)) = (how.notes, how.links) {
            note("note: a pipe is left out");
            link(SharedLink {
                about: "link to zoo/a.txt".to_owned(),
                url: "https://zoo.example/a.txt?key=works".to_owned(),
                method: None,
                headers: Vec::new(),
                fields: Vec::new(),
                withheld: "withheld-1f".to_owned(),
            });
        }
        let none = json!({"notes": [], "links": []});
        let (mut first, mut next) = (none.clone(), none.clone());
        told.put_into(&mut first);
        assert_eq!(first["notes"], json!(["note: a pipe is left out"]));
        let url = &first["links"][0]["url"];
        assert_eq!(url, "https://zoo.example/a.txt?key=works");
        told.put_into(&mut next);
        assert_eq!(next, none);
    }
}
