//! The strict reader's steps: one tag, one raw text, one goal.

use super::cursor::{Attribute, Cursor, Tag};
use super::mark::unescape;
use super::{Problem, short};
use crate::dialogue::{GoalRecord, Outcome, Program, ProgramError, Status, UnknownStatus};
use serde_json::Value as Json;

pub(super) type Read<T> = Result<T, Problem>;

pub(super) struct Reader<'a>(pub Cursor<'a>);

impl<'a> Reader<'a> {
    /// Reads the rest of a goal after its opening tag.
    pub fn goal(&mut self, tag: Tag<'_>) -> Read<GoalRecord> {
        const WANTED: &str = "<program>, <result>, <error>, <signature> or </goal>, each once";
        let (uid, status) = goal_attributes(&tag)?;
        let known = |attribute: &&Attribute| !["uid", "status"].contains(&attribute.name);
        if let Some(unknown) = tag.attributes.iter().find(known) {
            return Err(Problem::expected(unknown.start, "only uid and status"));
        }
        if let Some(second) = tag.attributes.get(2) {
            return Err(twice(second));
        }
        let mut record = GoalRecord {
            uid,
            status,
            program: None,
            outcome: None,
            signature: None,
        };
        let (mut result, mut error) = (None, None);
        let mut open = !tag.empty;
        while open {
            let tag = self.next(WANTED)?;
            if tag.closes("goal") {
                open = false;
            } else if tag.opens("program") && record.program.is_none() {
                record.program = Some(Program::from_text(self.raw("program")?));
            } else if tag.opens("signature") && record.signature.is_none() {
                record.signature = Some(self.raw("signature")?.trim().to_owned());
            } else if tag.opens_or_is_empty("result") && result.is_none() {
                result = Some(self.json(&tag)?.unwrap_or(Json::Null));
            } else if tag.opens_or_is_empty("error") && error.is_none() {
                error = Some(self.program_error(&tag)?);
            } else {
                return Err(unexpected(&tag, WANTED));
            }
        }
        // `<error/>` alone says that the program ran without an error.
        let result = result.or_else(|| matches!(error, Some(None)).then_some(Json::Null));
        record.outcome = match (result, error.flatten()) {
            (None | Some(Json::Null), Some(error)) => Some(Outcome::Error(error)),
            (Some(_), Some(_)) => {
                let said = format!("goal {uid} has both a result and an error");
                return Err(Problem::new(tag.start, said));
            }
            (Some(result), None) => Some(Outcome::Result(result)),
            (None, None) => None,
        };
        Ok(record)
    }

    fn program_error(&mut self, tag: &Tag<'_>) -> Read<Option<ProgramError>> {
        let Some(json) = self.json(tag)? else {
            return Ok(None);
        };
        let text = |key| json.get(key).and_then(Json::as_str).map(str::to_owned);
        let error = text("error").ok_or_else(|| {
            let shape = "an error as {\"error\": code, \"message\": text}";
            Problem::expected(tag.start, shape)
        })?;
        Ok(Some(ProgramError {
            error,
            message: text("message").unwrap_or_default(),
            traceback: None,
        }))
    }

    /// The JSON up to the closing tag; `None` if it is blank.
    fn json(&mut self, tag: &Tag<'_>) -> Read<Option<Json>> {
        if tag.empty {
            return Ok(None);
        }
        let (start, name) = (self.0.at, tag.name);
        let end = self.0.find_tag(|head| head.closing && head.name == name);
        if end.is_none() {
            return Err(Problem::new(tag.start, format!("<{name}> is not closed")));
        }
        let content = self.0.text.get(start..self.0.at).unwrap_or("").trim();
        self.close(name)?;
        if content.is_empty() {
            return Ok(None);
        }
        serde_json::from_str(content).map(Some).map_err(|error| {
            let said = error.to_string();
            let reason = said.split(" at line ").next().unwrap_or("");
            Problem::expected(start, format!("JSON in <{name}> ({reason})"))
        })
    }

    /// The raw text up to its own closing tag.
    pub fn raw(&mut self, name: &'static str) -> Read<String> {
        let raw = self.0.raw();
        self.close(name)?;
        Ok(unescape(raw).into_owned())
    }

    pub fn open(&mut self, name: &'static str) -> Read<Tag<'a>> {
        let tag = self.next(&format!("<{name}>"))?;
        if tag.opens(name) {
            Ok(tag)
        } else {
            Err(unexpected(&tag, &format!("<{name}>")))
        }
    }

    pub fn close(&mut self, name: &'static str) -> Read<()> {
        let tag = self.next(&format!("</{name}>"))?;
        if tag.closes(name) {
            Ok(())
        } else {
            Err(unexpected(&tag, &format!("</{name}>")))
        }
    }

    /// The next tag after white space and comments. A malformed tag is an error.
    pub fn next(&mut self, wanted: &str) -> Read<Tag<'a>> {
        self.skip_comments()?;
        let Some(tag) = self.0.tag() else {
            return Err(self.0.expected(wanted.to_owned()));
        };
        match tag.flaw {
            Some((offset, what)) => Err(Problem::expected(offset, what)),
            None => Ok(tag),
        }
    }

    fn skip_comments(&mut self) -> Read<()> {
        loop {
            self.0.skip_white();
            let start = self.0.at;
            let end = if self.0.take("<!--") {
                "-->"
            } else if self.0.take("<?xml") {
                "?>"
            } else {
                return Ok(());
            };
            let length = self.0.rest().find(end);
            let open = || Problem::new(start, format!("expected {end} after this"));
            self.0.at += length.ok_or_else(open)? + end.len();
        }
    }

    pub fn end(&mut self) -> Read<()> {
        self.skip_comments()?;
        if self.0.rest().is_empty() {
            Ok(())
        } else {
            Err(self.0.expected("the end of the text"))
        }
    }
}

/// The speaker, `User` or `Agent`, and the trimmed utterance. The paper's appendix A calls
/// the agent `Bot`, and so do models.
pub(super) fn split_speaker(said: &str) -> Option<(&'static str, &str)> {
    const SPEAKERS: [(&str, &str); 3] = [("User", "User"), ("Agent", "Agent"), ("Bot", "Agent")];
    let (name, said) = said.split_once(':')?;
    let (_, speaker) = SPEAKERS
        .into_iter()
        .find(|(known, _)| known.eq_ignore_ascii_case(name.trim()))?;
    Some((speaker, said.trim()))
}

/// A goal's number and status, in any case, since models write them in any case.
pub(super) fn goal_attributes(tag: &Tag<'_>) -> Read<(u32, Status)> {
    let attribute = |name: &str| {
        let mut attributes = tag.attributes.iter();
        attributes.find(|attribute| attribute.name.eq_ignore_ascii_case(name))
    };
    let uid = attribute("uid").ok_or_else(|| {
        let said = "a goal needs a number, as in <goal uid=\"1\" status=\"drafting\">";
        Problem::new(tag.start, said)
    })?;
    let number = uid.value.trim().parse().map_err(|_| {
        let said = format!(
            "expected a whole number as uid, found {:?}",
            short(&uid.value)
        );
        Problem::new(uid.start, said)
    })?;
    let status = attribute("status").ok_or_else(|| {
        let said = "a goal needs a status: \"drafting\", \"final\" or \"abandoned\"";
        Problem::new(tag.start, said)
    })?;
    let word = status.value.trim().to_ascii_lowercase();
    let value = short(&word).parse();
    let value =
        value.map_err(|error: UnknownStatus| Problem::new(status.start, error.to_string()))?;
    Ok((number, value))
}

pub(super) fn unexpected(tag: &Tag<'_>, wanted: &str) -> Problem {
    Problem::expected(tag.start, wanted.to_owned())
}

pub(super) fn twice(attribute: &Attribute<'_>) -> Problem {
    let said = format!("the attribute {} stands here twice", short(attribute.name));
    Problem::new(attribute.start, said)
}

impl Tag<'_> {
    pub(super) fn opens(&self, name: &str) -> bool {
        !self.empty && self.opens_or_is_empty(name)
    }

    pub(super) fn opens_or_is_empty(&self, name: &str) -> bool {
        !self.closing && self.name == name
    }

    pub(super) fn closes(&self, name: &str) -> bool {
        self.closing && self.name == name
    }
}
