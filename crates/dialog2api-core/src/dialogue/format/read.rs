//! Reads files strictly: the whole text must be one element of the format.

use super::cursor::Cursor;
use super::reader::{Read, Reader, split_speaker, twice, unexpected};
use super::{FormatError, Problem};
use crate::dialogue::{Goal, Offer, Stack, Transcript, Turn};
use std::collections::{BTreeSet, HashSet};

/// Reads a dataset file.
///
/// White space and comments (`<!-- … -->`) may stand between elements, and white space
/// around utterances is dropped. An utterance starts with `User:` or `Agent:`. `Bot:`, which
/// the paper uses in its appendix A, is read as `Agent:`.
///
/// # Errors
/// The place of the first mistake.
pub fn read_transcript(text: &str) -> Result<Transcript, FormatError> {
    let mut reader = Reader(Cursor::new(text));
    reader.transcript().map_err(|problem| problem.locate(text))
}

/// Reads a stack that [`write_stack`](super::write_stack) wrote.
///
/// # Errors
/// The place of the first mistake.
pub fn read_stack(text: &str) -> Result<Stack, FormatError> {
    let mut reader = Reader(Cursor::new(text));
    reader.stack().map_err(|problem| problem.locate(text))
}

impl Reader<'_> {
    fn transcript(&mut self) -> Read<Transcript> {
        let start = self.open("conversation")?;
        let mut transcript = Transcript::default();
        let mut uid = None;
        let mut known = HashSet::new();
        let named = start.attributes.iter().map(|it| (it.name, &*it.value));
        if let Err((name, problem)) = Offer::read(named) {
            let place = start.attributes.iter().find(|it| it.name == name);
            return Err(Problem::new(
                place.map_or(start.start, |it| it.start),
                problem,
            ));
        }
        for attribute in start.attributes {
            if !known.insert(attribute.name) {
                return Err(twice(&attribute));
            } else if attribute.name == "uid" {
                uid = Some(attribute.value.into_owned());
            } else {
                let name = attribute.name.to_owned();
                transcript
                    .attributes
                    .push((name, attribute.value.into_owned()));
            }
        }
        let missing = || Problem::new(start.start, "the conversation needs a uid=\"…\"");
        transcript.uid = uid.ok_or_else(missing)?;
        let mut next = self.next("<metadata> or <turns>")?;
        if next.opens("metadata") {
            transcript.initial_signature = self.metadata()?;
            next = self.next("<turns>")?;
        }
        if !next.opens("turns") {
            return Err(unexpected(&next, "<turns>"));
        }
        self.turns(&mut transcript)?;
        self.close("conversation")?;
        self.end()?;
        Ok(transcript)
    }

    fn metadata(&mut self) -> Read<Option<String>> {
        const WANTED: &str = "<initial_signature> or </metadata>";
        let mut signature = None;
        loop {
            let tag = self.next(WANTED)?;
            if tag.opens("initial_signature") && signature.is_none() {
                signature = Some(self.raw("initial_signature")?.trim().to_owned());
            } else if tag.closes("metadata") {
                return Ok(signature);
            } else {
                return Err(unexpected(&tag, WANTED));
            }
        }
    }

    fn turns(&mut self, transcript: &mut Transcript) -> Read<()> {
        loop {
            let tag = self.next("<turn>, <goal> or </turns>")?;
            let start = tag.start;
            let last = transcript.turns.last_mut();
            if tag.closes("turns") {
                return Ok(());
            } else if tag.opens("turn") {
                match (self.utterance()?, last) {
                    (Said::User(user), _) => transcript.turns.push(Turn {
                        user,
                        ..Turn::default()
                    }),
                    (Said::Agent(said), Some(turn)) if turn.response.is_none() => {
                        turn.response = Some(said);
                    }
                    (Said::Agent(said), None) if transcript.greeting.is_none() => {
                        transcript.greeting = Some(said);
                    }
                    _ => return Err(Problem::expected(start, "a turn of the user")),
                }
            } else if tag.opens_or_is_empty("goal") {
                let goal = self.goal(tag)?;
                match last {
                    Some(turn) if turn.response.is_none() => turn.goals.push(goal),
                    _ => {
                        return Err(Problem::expected(
                            start,
                            "a turn of the user before the goal",
                        ));
                    }
                }
            } else {
                return Err(unexpected(&tag, "<turn>, <goal> or </turns>"));
            }
        }
    }

    fn utterance(&mut self) -> Read<Said> {
        let start = self.0.at;
        let said = self.raw("turn")?;
        match split_speaker(&said) {
            Some(("User", said)) => Ok(Said::User(said.to_owned())),
            Some((_, said)) => Ok(Said::Agent(said.to_owned())),
            None => Err(Problem::expected(start, "`User:` or `Agent:`")),
        }
    }

    fn stack(&mut self) -> Read<Stack> {
        self.open("stack")?;
        let mut goals: Vec<Goal> = Vec::new();
        loop {
            let tag = self.next("<goal> or </stack>")?;
            let start = tag.start;
            if tag.closes("stack") {
                self.end()?;
                return Stack::from_goals(goals).map_err(|twice| {
                    let uids: BTreeSet<u32> = twice.into_iter().take(10).collect();
                    Problem::new(start, format!("goals stand twice: {uids:?}"))
                });
            } else if !tag.opens("goal") {
                return Err(unexpected(&tag, "<goal> or </stack>"));
            }
            let record = self.goal(tag)?;
            let missing = || Problem::new(start, "a goal of a stack needs a <program>");
            goals.push(Goal {
                uid: record.uid,
                status: record.status,
                program: record.program.ok_or_else(missing)?,
                outcome: record.outcome,
                signature: record.signature,
            });
        }
    }
}

enum Said {
    User(String),
    Agent(String),
}
