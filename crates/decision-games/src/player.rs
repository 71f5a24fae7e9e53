//! Who makes turns.

/// A party that makes its turns itself: text in, text out.
pub trait Player: Send {
    /// Makes a turn in text form. `news` is all that reached the seat since its last turn, its own
    /// moves among it; after a refusal it is the reason.
    fn turn(&mut self, news: &str) -> String;
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
        news.lines()
            .any(|line| line.starts_with("You must answer:"))
    }

    /// The last proposal that somebody else made.
    pub fn proposal(&self) -> Option<String> {
        let proposals = crate::text::heard(&self.read).into_iter().rev();
        let mut proposals = proposals.filter(|heard| heard.tag == "propose");
        let content = proposals
            .find(|heard| !heard.from.starts_with("You"))?
            .content;
        Some(content.replace("\nYou must answer: [accept] or [reject]", ""))
    }
}
