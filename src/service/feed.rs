//! The numbered events of a conversation, for any number of readers.

use super::event::Event;
use crate::domain::{Opening, SharedLink};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// Keeps the events of a conversation, and numbers them from 1.
///
/// The end of a turn or of an undo has everything about it, so the progress before it is
/// forgotten as soon as each reader that is there has read it. All other events are kept as long
/// as the conversation is open. An event that [replaces](Event::replaces) the one before it takes
/// its place.
pub(super) struct Feed {
    kept: Arc<Mutex<Kept>>,
    last: watch::Sender<u64>,
}

#[derive(Default)]
struct Kept {
    events: VecDeque<(u64, Event)>,
    /// The number of the last event that has everything about what came before it.
    ended: u64,
    /// The number that each reader has read last.
    readers: BTreeMap<u64, u64>,
    /// How many readers there were.
    opened: u64,
    /// The links that were signed, the latest last.
    links: Vec<SharedLink>,
}

impl Feed {
    pub fn new() -> Arc<Feed> {
        let (last, _) = watch::channel(0);
        let kept = Arc::default();
        Arc::new(Feed { kept, last })
    }

    /// Adds an event; answers with its number.
    pub fn tell(&self, event: Event) -> u64 {
        let mut kept = lock(&self.kept);
        let number = *self.last.borrow() + 1;
        if let Some((_, last)) = kept.events.back()
            && event.replaces(last)
        {
            kept.events.pop_back();
        }
        if let Event::Link(link) = &event {
            kept.links.push(SharedLink::clone(link));
        }
        let is_end = event.is_end();
        kept.events.push_back((number, event));
        if is_end {
            kept.ended = number;
            kept.forget();
        }
        // Under the lock, so that numbers and events keep one order.
        self.last.send_replace(number);
        number
    }

    /// The number of the last event.
    pub fn last(&self) -> u64 {
        *self.last.borrow()
    }

    /// Reads the events after this number.
    pub fn after(&self, number: u64) -> Events {
        let mut kept = lock(&self.kept);
        kept.opened += 1;
        let reader = kept.opened;
        kept.readers.insert(reader, number);
        Events {
            kept: self.kept.clone(),
            news: self.last.subscribe(),
            reader,
            number,
            is_closed: false,
        }
    }

    /// The links that were signed for the user, the latest last.
    pub fn links(&self) -> Vec<SharedLink> {
        lock(&self.kept).links.clone()
    }

    /// How a world is opened whose progress, notes and links are events.
    pub fn opening(self: &Arc<Self>, existing: bool) -> Opening {
        let (reads, transfers) = (self.clone(), self.clone());
        let (notes, links) = (self.clone(), self.clone());
        let tell = |feed: &Feed, event| {
            feed.tell(event);
        };
        Opening {
            existing,
            machine_time: false,
            one_program: false,
            progress: Some(Arc::new(move |reading| {
                tell(&reads, Event::Reading(reading));
            })),
            transfers: Some(Arc::new(move |file, done, of| {
                let file = file.to_owned();
                tell(&transfers, Event::Transfer { file, done, of });
            })),
            notes: Some(Arc::new(move |text| {
                let text = text.to_owned();
                tell(&notes, Event::Note { text });
            })),
            links: Some(Arc::new(move |link| {
                tell(&links, Event::Link(Box::new(link)))
            })),
        }
    }
}

impl Kept {
    /// Forgets the progress that all readers have read, and that an end has made needless.
    fn forget(&mut self) {
        let read = self.readers.values().min().copied();
        let read = read.unwrap_or(u64::MAX).min(self.ended);
        (self.events).retain(|(number, event)| *number > read || !event.is_progress());
    }
}

/// A reader of the events of a conversation.
///
/// Events are numbered from 1. Any number of readers read them, each from where it began:
/// [`Conversation::events`](super::Conversation::events). The progress of a turn that is over is
/// kept only for readers that were there.
pub struct Events {
    kept: Arc<Mutex<Kept>>,
    news: watch::Receiver<u64>,
    reader: u64,
    number: u64,
    is_closed: bool,
}

impl Events {
    /// Waits for the next event. `None` when the conversation is closed.
    pub async fn recv(&mut self) -> Option<Event> {
        loop {
            // Seen before it is read, so that nothing which comes in between is missed.
            self.news.borrow_and_update();
            if let Some(event) = self.try_recv() {
                return Some(event);
            }
            if self.is_closed {
                return None;
            }
            if self.news.changed().await.is_err() {
                return self.try_recv();
            }
        }
    }

    /// The next event, if there is one already.
    pub fn try_recv(&mut self) -> Option<Event> {
        let mut kept = lock(&self.kept);
        let read = self.number;
        let next = kept.events.partition_point(|(number, _)| *number <= read);
        let (number, event) = kept.events.get(next)?.clone();
        self.number = number;
        self.is_closed = event == Event::Closed;
        kept.readers.insert(self.reader, number);
        if event.is_end() {
            kept.forget();
        }
        Some(event)
    }

    /// The number of the event that was read last. Whoever comes back goes on after it.
    pub fn number(&self) -> u64 {
        self.number
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        let mut kept = lock(&self.kept);
        kept.readers.remove(&self.reader);
        kept.forget();
    }
}

fn lock(kept: &Mutex<Kept>) -> MutexGuard<'_, Kept> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}
