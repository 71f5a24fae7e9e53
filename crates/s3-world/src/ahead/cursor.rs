//! Follows one kind of read along a listing, and says what to read next.

use super::listed::{At, Listed, ending};
use std::collections::VecDeque;

/// The reads of one kind, as `get_object` of a bucket without further parameters.
pub(super) struct Cursor {
    /// The operation and the parameters but the key.
    pub kind: String,
    at: At,
    /// The ending of the keys that are read, where others are passed over.
    only: Option<String>,
    /// How many reads are to be under way ahead of the program; 0 while none are.
    window: usize,
    /// Where nothing was looked at yet.
    until: At,
    /// The reads ahead of the program, in their order.
    ahead: VecDeque<(At, String)>,
}

impl Cursor {
    pub fn new(kind: String, at: At) -> Cursor {
        Cursor {
            kind,
            at,
            only: None,
            window: 0,
            until: at.after(),
            ahead: VecDeque::new(),
        }
    }

    /// The program has read what is here. Returns the questions whose answers are not waited for
    /// any more.
    pub fn read(&mut self, listed: &Listed, at: At, most: usize) -> Vec<String> {
        if at == self.at {
            return Vec::new();
        }
        let here = listed.get(self.at);
        let here = here.map(|(key, _)| ending(key).to_owned());
        let before = self.only.take();
        // All that follows, or what ends alike.
        let ways = [before.clone(), None, here];
        let follows =
            |only: &Option<String>| listed.next(self.at.after(), only.as_deref()) == Some(at);
        let way = ways.into_iter().find(follows);
        let was_other = at.run != self.at.run;
        self.at = at;
        let Some(only) = way else {
            self.window = 0;
            return Vec::new();
        };
        self.window = match self.window {
            window if window > 0 && only == before => window * 2,
            _ => 2,
        }
        .min(most);
        self.only = only;
        if self.until.run != at.run || self.until.index <= at.index {
            self.until = at.after();
        }
        let is_passed = |it: &At| was_other || it.run != at.run || it.index <= at.index;
        let mut passed = Vec::new();
        self.ahead.retain(|(it, question)| {
            if is_passed(it) {
                passed.push(question.clone());
            }
            !is_passed(it)
        });
        passed
    }

    /// The next place to be read ahead, if there is to be one.
    pub fn next(&self, listed: &Listed) -> Option<At> {
        match self.ahead.len() < self.window {
            true => listed.next(self.until, self.only.as_deref()),
            false => None,
        }
    }

    /// Notes that `question` reads what is at a place; without a question the place is passed over.
    pub fn reads(&mut self, at: At, question: Option<String>) {
        self.until = at.after();
        self.ahead.extend(question.map(|question| (at, question)));
    }

    /// Whether it reads nothing ahead any more.
    pub fn is_stopped(&self) -> bool {
        self.window == 0
    }

    /// Stops, and returns all questions that were not waited for.
    pub fn stop(&mut self) -> Vec<String> {
        self.window = 0;
        self.ahead.drain(..).map(|(_, question)| question).collect()
    }
}
