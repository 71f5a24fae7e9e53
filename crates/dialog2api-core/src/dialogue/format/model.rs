//! Reads the answers of chat models leniently: whatever can be understood in only one way.

use super::cursor::{Cursor, Tag};
use super::mark::{self, Head, unescape};
use super::reader::{goal_attributes, split_speaker};
use super::{FormatError, Problem};
use crate::dialogue::{Program, Update};

/// How many bytes of a model's answer are read: 256 KiB.
pub const MAX_MODEL_TEXT: usize = 256 * 1024;

/// Reads the goals in a model's answer.
///
/// It tolerates prose and code fences around the goals, thoughts in `<think>`, an `<output>`
/// around them, a repeated stack before them, made-up examples after them, missing closing
/// tags, code without `<program>`, `uid=1` and `uid='1'`, and upper case. It ignores made-up
/// outcomes.
///
/// # Errors
/// A goal cannot be understood, or there is no goal. `<output></output>` is not an error: it
/// says that there are none.
pub fn read_updates(text: &str) -> Result<Vec<Update>, FormatError> {
    check_size(text)?;
    let mut cursor = Cursor::new(text);
    let goals = goals(&mut cursor);
    let goals = goals.map_err(|problem| problem.locate(text))?;
    if goals.is_empty() && !is_empty_output(text) {
        let wanted = "a goal, such as <goal uid=\"1\" status=\"drafting\"> with its <program>";
        return Err(Problem::expected(0, wanted).locate(text));
    }
    Ok(goals)
}

/// Reads the reply in a model's answer: `<turn>Agent: …</turn>`, with the same tolerance as
/// [`read_updates`], or bare prose with or without `Agent:`.
///
/// # Errors
/// There is no reply, or it cannot be understood.
pub fn read_reply(text: &str) -> Result<String, FormatError> {
    check_size(text)?;
    let mut cursor = Cursor::new(text);
    let said = match tagged_reply(&mut cursor) {
        Some(said) => said,
        None => bare_reply(text),
    };
    let said = unescape(said.trim());
    let said = match split_speaker(&said) {
        Some((_, said)) => said,
        None => said.trim(),
    };
    if said.is_empty() {
        let wanted = "a reply, such as <turn>Agent: What is the name of the bucket?</turn>";
        return Err(Problem::expected(0, wanted).locate(text));
    }
    Ok(said.to_owned())
}

fn check_size(text: &str) -> Result<(), FormatError> {
    if text.len() <= MAX_MODEL_TEXT {
        return Ok(());
    }
    let said = format!(
        "the answer has {} bytes, and at most {MAX_MODEL_TEXT} (256 KiB) are read",
        text.len()
    );
    Err(Problem::new(0, said).locate(text))
}

/// The goals of one part of the text: those before the first problem, or it.
type Found = Result<Vec<Update>, Problem>;

fn goals(cursor: &mut Cursor<'_>) -> Found {
    let mut found: Found = Ok(Vec::new());
    // A <stack> is the repeated input, unless nothing else follows.
    let mut repeated: Found = Ok(Vec::new());
    let mut in_stack = false;
    while let Some(tag) = next_tag(cursor) {
        let begun = !found.as_ref().is_ok_and(Vec::is_empty);
        match (tag.name, tag.closing) {
            ("goal", false) => {
                let goal = goal(cursor, &tag);
                let part = if in_stack { &mut repeated } else { &mut found };
                match (part.as_mut(), goal) {
                    (Ok(goals), Ok(goal)) => goals.push(goal),
                    (Ok(_), Err(problem)) => *part = Err(problem),
                    (Err(_), _) => {}
                }
            }
            // Everything before it was prose or thought, whatever it looked like.
            ("output", false) | ("think" | "thinking", true) => {
                (found, repeated, in_stack) = (Ok(Vec::new()), Ok(Vec::new()), false);
            }
            ("think" | "thinking", false) => skip_thought(cursor, tag.name),
            ("output", true) => break,
            ("stack" | "turn", false) if begun => break,
            ("stack", closing) => in_stack = !closing,
            _ => {}
        }
    }
    if found.as_ref().is_ok_and(Vec::is_empty) {
        found = repeated;
    }
    found
}

/// The next tag that structures an answer.
fn next_tag<'a>(cursor: &mut Cursor<'a>) -> Option<Tag<'a>> {
    const STRUCTURE: [&str; 6] = ["goal", "output", "stack", "turn", "think", "thinking"];
    cursor.find_tag(|head| STRUCTURE.contains(&head.name))?;
    cursor.tag()
}

/// Moves past the end of a thought, or to the end of the text.
fn skip_thought(cursor: &mut Cursor<'_>, name: &str) {
    let end = cursor.find_tag(|head| head.closing && head.name == name);
    if end.is_none() || cursor.tag().is_none() {
        cursor.at = cursor.text.len();
    }
}

/// Reads the rest of a goal after its opening tag.
fn goal(cursor: &mut Cursor<'_>, tag: &Tag<'_>) -> Result<Update, Problem> {
    let attributes = goal_attributes(tag);
    let program = if tag.empty && !program_follows(cursor) {
        None
    } else {
        program(cursor)?
    };
    let (uid, status) = attributes?;
    Ok(Update {
        uid,
        status,
        program,
    })
}

/// Whether a `<program>` comes next, after white space. Then the `<goal …/>` before it was
/// not meant to be empty.
fn program_follows(cursor: &Cursor<'_>) -> bool {
    let mut ahead = cursor.clone();
    ahead.skip_white();
    mark::head_at(ahead.text, ahead.at).is_some_and(|head| opens(&head, "program"))
}

fn opens(head: &Head, name: &str) -> bool {
    !head.closing && head.name == name
}

/// Reads the program of a goal and the goal's end.
fn program(cursor: &mut Cursor<'_>) -> Result<Option<Program>, Problem> {
    let start = cursor.at;
    // The wrapper, or the end of code that has none.
    let wrapper = cursor.find(|text, offset| {
        let head = mark::head_at(text, offset)
            .filter(|head| opens(head, "program") || (!head.closing && is_consequence(text, head)));
        (head.is_some() || mark::is_mark(text, offset)).then_some(head)
    });
    let wrapped = wrapper
        .flatten()
        .is_some_and(|head| opens(&head, "program"));
    if wrapper.is_none() {
        cursor.at = cursor.text.len();
    }
    let program = if wrapped {
        match cursor.tag() {
            Some(tag) if tag.empty => Some(Program::default()),
            _ => {
                let raw = cursor.raw();
                Some(to_program(raw, cursor.rest().is_empty()))
            }
        }
    } else {
        let code = cursor.text.get(start..cursor.at).unwrap_or("");
        Some(to_program(code, wrapper.is_none())).filter(|program| !program.is_empty())
    };
    end_goal(cursor)?;
    Ok(program)
}

/// `<result>`, `<error>`, `<error/>`, `<signature>`, and not `x <error` in Python.
fn is_consequence(text: &str, head: &Head) -> bool {
    let after = text.get(head.end..).unwrap_or("");
    matches!(head.name, "result" | "error" | "signature")
        && (after.starts_with('>') || after.starts_with("/>"))
}

/// Moves past the rest of a goal: made-up outcomes and `</goal>`. Where `</goal>` is
/// missing, moves to the next tag.
fn end_goal(cursor: &mut Cursor<'_>) -> Result<(), Problem> {
    loop {
        let head = cursor.find(|text, offset| {
            let head = mark::head_at(text, offset)?;
            (opens(&head, "program") || mark::is_mark(text, offset)).then_some(head)
        });
        let Some(head) = head else {
            return Ok(());
        };
        match (head.name, head.closing) {
            ("program", false) => {
                let said = "a second <program> in one goal; write one program for each goal";
                return Err(Problem::new(cursor.at, said));
            }
            ("goal", true) => {
                cursor.tag();
                return Ok(());
            }
            ("program" | "result" | "error" | "signature", true) => {
                cursor.tag();
            }
            _ => return Ok(()),
        }
    }
}

/// A program from raw text, without its code fence. Python never starts with three
/// backticks, so nothing is lost.
fn to_program(raw: &str, unclosed: bool) -> Program {
    const FENCE: &str = "```";
    let raw = unescape(raw);
    let mut code = raw.as_ref();
    // Nested fences are removed as well, so the rest never starts with one.
    while let Some(fenced) = code.trim_start().strip_prefix(FENCE) {
        code = fenced.split_once('\n').map_or("", |(_, code)| code);
    }
    let fenced = raw.trim_start().starts_with(FENCE);
    // Without a closing tag, a fence opened before the goal ends the code.
    let end = code.rfind("\n```").filter(|_| fenced || unclosed);
    let code = end.and_then(|end| code.get(..=end)).unwrap_or(code);
    if fenced {
        Program::new(code.trim_end())
    } else {
        Program::from_text(code.to_owned())
    }
}

/// Whether the text is an output without goals: `<output>` and `</output>`, or
/// only the latter, where the former ended the prompt.
fn is_empty_output(text: &str) -> bool {
    let mut cursor = Cursor::new(text);
    cursor.skip_white();
    if mark::head_at(text, cursor.at).is_some_and(|head| opens(&head, "output")) {
        cursor.tag();
        cursor.skip_white();
    }
    mark::head_at(text, cursor.at).is_some_and(|head| head.closing && head.name == "output")
}

/// The first turn of the agent after the last `<output>` that has one.
fn tagged_reply<'a>(cursor: &mut Cursor<'a>) -> Option<&'a str> {
    let mut reply = None;
    while let Some(tag) = next_tag(cursor) {
        match (tag.name, tag.closing) {
            ("turn", false) => {
                let said = cursor.raw();
                let speaker = split_speaker(said).map(|(speaker, _)| speaker);
                if speaker != Some("User") {
                    reply.get_or_insert(said);
                }
            }
            ("output", false) | ("think" | "thinking", true) => reply = None,
            ("think" | "thinking", false) => skip_thought(cursor, tag.name),
            ("output", true) => break,
            ("stack" | "goal", false) if reply.is_some() => break,
            _ => {}
        }
    }
    reply
}

/// A reply without tags of its own: what stands outside thoughts, inside
/// `<output>`, before anything else of the format.
fn bare_reply(text: &str) -> &str {
    let mut cursor = Cursor::new(text);
    let mut start = cursor.at;
    while let Some(tag) = next_tag(&mut cursor) {
        match (tag.name, tag.closing) {
            ("think" | "thinking", false) if is_blank(text, start, tag.start) => {
                skip_thought(&mut cursor, tag.name);
                start = cursor.at;
            }
            ("think" | "thinking", true) | ("output", false) => start = cursor.at,
            _ => break,
        }
    }
    let mut rest = Cursor { text, at: start };
    let said = rest.raw();
    // A dialogue made up goes on with the user's next words.
    match (split_speaker(said), said.find("\nUser:")) {
        (Some(_), Some(end)) => said.get(..end).unwrap_or(said),
        _ => said,
    }
}

fn is_blank(text: &str, start: usize, end: usize) -> bool {
    text.get(start..end)
        .is_some_and(|between| between.trim().is_empty())
}
