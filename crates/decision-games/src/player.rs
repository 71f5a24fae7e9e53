//! Who makes turns.

use serde_json::Value;

use crate::mind::{Extractor, Unread};
use crate::table::{ANSWER, Table};

/// A party that makes its turns itself: text in, text out.
pub trait Player: Send {
    /// Is shown the table as it stands before its turn. Only players that run
    /// [programs](crate::programs) use it, and the programs see what their seat sees.
    fn sit(&mut self, _table: &Table) {}

    /// Makes a turn in text form. `news` is all that reached the seat since its last turn, its own
    /// moves among it; after a refusal it is the reason.
    ///
    /// # Errors
    /// The player could not be asked, through no fault of its own: the game cannot go on, and is no
    /// sample of how it plays.
    fn turn(&mut self, news: &str) -> Result<String, String>;

    /// Why its last turn has nothing of its own, if it could not be understood.
    fn lost(&self) -> Option<String> {
        None
    }

    /// As [`turn`](Player::turn), when time is up: a player that may propose proposes now.
    ///
    /// # Errors
    /// As there.
    fn decide(&mut self, news: &str) -> Result<String, String> {
        self.turn(news)
    }
}

/// Whether somebody has just asked for a proposal.
pub(crate) fn wanted(news: &str) -> bool {
    let heard = crate::text::heard(news).into_iter();
    let mut messages =
        heard.filter(|heard| heard.tag == "message" && !heard.from.starts_with("You"));
    messages.any(|heard| {
        let asks = |sentence: &String| {
            let words = crate::text::words(sentence);
            sentence.trim_end().ends_with('?') && crate::text::any(&words, &["propose", "suggest"])
        };
        crate::text::sentences(&heard.content).iter().any(asks)
    })
}

/// The facts that an agent goes by: those of its reader, and none where the reader understood nothing.
///
/// # Errors
/// The reader could not be reached.
pub(crate) fn believed(
    reader: &mut dyn Extractor,
    view: &str,
    read: &str,
) -> Result<Vec<Value>, String> {
    match reader.facts(view, read) {
        Ok(facts) => Ok(facts),
        Err(Unread::Unclear(_)) => Ok(Vec::new()),
        Err(Unread::Unreached(reason)) => Err(reason),
    }
}

/// How a fixed party talks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Says all it knows at once, in words.
    Scripted,
    /// As [`Scripted`](Manner::Scripted), in numbers where its view has numbers.
    Numbers,
    /// Says only the best of what it knows.
    Top,
    /// Says only what it is asked for.
    Shy,
}

impl Manner {
    /// All manners with their names.
    pub const ALL: [(&'static str, Manner); 4] = [
        ("scripted", Manner::Scripted),
        ("numbers", Manner::Numbers),
        ("top", Manner::Top),
        ("shy", Manner::Shy),
    ];

    /// The manner of this name.
    pub fn named(name: &str) -> Option<Manner> {
        let found = Manner::ALL.iter().find(|(known, _)| *known == name);
        found.map(|(_, manner)| *manner)
    }
}

/// What a player without a model remembers of the talk.
#[derive(Default)]
pub(crate) struct Memory {
    /// All that it read.
    pub read: String,
    /// Turns that it made.
    pub turns: usize,
}

impl Memory {
    /// Takes what is new; true if a proposal waits for an answer.
    pub fn take(&mut self, news: &str) -> bool {
        if !self.read.is_empty() {
            self.read.push('\n');
        }
        self.read += news;
        self.turns += 1;
        news.lines().any(|line| line == ANSWER)
    }

    /// The last proposal that somebody else made.
    pub fn proposal(&self) -> Option<String> {
        let proposals = crate::text::heard(&self.read).into_iter().rev();
        let mut proposals = proposals.filter(|heard| heard.tag == "propose");
        let made = proposals.find(|heard| !heard.from.starts_with("You"))?;
        Some(made.content)
    }
}
