//! The text form of a turn, for language models, logs and people.
//!
//! A line `[tag] content` begins a move; the mediator writes a recipient before it, as in
//! `0: [message] hello`. Other lines continue the content of the line above. One turn is
//!
//! ```text
//! think* ( tool | message+ | (propose | accept | reject) message* )?
//! ```
//!
//! with at most one message for each recipient.

use crate::game::Seat;
use crate::illegal::{Code, Illegal};

/// Whom a move is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recipient {
    /// The only partner.
    Partner,
    /// The party in this room.
    Room(usize),
    /// All parties.
    All,
}

/// What a party does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// Keeps a thought.
    Think(String),
    /// Asks a query.
    Tool(String),
    /// Says something.
    Message(Recipient, String),
    /// Proposes, in text.
    Propose(String),
    /// Accepts the proposal that waits.
    Accept,
    /// Rejects it.
    Reject,
}

/// A move as it was written: recipient, tag, content.
struct Written<'a> {
    recipient: Option<&'a str>,
    tag: &'a str,
    content: String,
}

/// Reads the turn of a seat that mediates so many rooms; others mediate none.
pub fn read(text: &str, seat: &Seat, rooms: usize) -> Result<Vec<Move>, Illegal> {
    let mut moves = Vec::new();
    for written in split(text, rooms > 0)? {
        moves.extend(interpret(&written, seat, rooms)?);
    }
    grammar(&moves)?;
    Ok(moves)
}

fn split(text: &str, mediates: bool) -> Result<Vec<Written<'_>>, Illegal> {
    let mut moves: Vec<Written<'_>> = Vec::new();
    for line in text.trim().split('\n') {
        if let Some((recipient, tag, content)) = begin(line) {
            if recipient.is_some() && !mediates {
                return Err(Code::BadFormat.because("Begin with [tag]: you have one partner."));
            }
            moves.push(Written {
                recipient,
                tag,
                content: content.trim().to_owned(),
            });
        } else if let Some(last) = moves.last_mut() {
            last.content += "\n";
            last.content += line.trim_end_matches('\r');
        } else {
            return Err(Code::BadFormat.because("Begin each move with a tag such as [message]."));
        }
    }
    for written in &mut moves {
        written.content = written.content.trim().to_owned();
    }
    Ok(moves)
}

/// The recipient, tag and content of a line that begins a move.
fn begin(line: &str) -> Option<(Option<&str>, &str, &str)> {
    let line = line.trim();
    let (recipient, rest) = match line.split_once(':') {
        Some((before, rest)) if !before.contains('[') && rest.trim_start().starts_with('[') => {
            (Some(before.trim()), rest.trim_start())
        }
        _ => (None, line),
    };
    let (tag, content) = rest.strip_prefix('[')?.split_once(']')?;
    let is_tag = !tag.is_empty()
        && tag
            .chars()
            .all(|c| c.is_alphabetic() || c == '-' || c == '_');
    let is_recipient = recipient.is_none_or(|name| name.split_whitespace().count() == 1);
    (is_tag && is_recipient).then_some((recipient, tag, content))
}

fn interpret(written: &Written<'_>, seat: &Seat, rooms: usize) -> Result<Vec<Move>, Illegal> {
    let tag = written.tag.to_lowercase();
    let allowed = match tag.as_str() {
        "think" | "message" => true,
        "tool" => seat.may_query,
        "propose" => seat.may_propose,
        "accept" | "reject" => seat.may_answer,
        _ => {
            let tag = written.tag;
            return Err(Code::UnknownMove.because(format!("There is no move [{tag}].")));
        }
    };
    if !allowed {
        return Err(Code::NotYourRole.because(format!("Your role has no move [{tag}].")));
    }
    let content = written.content.clone();
    let answers = tag == "accept" || tag == "reject";
    if content.is_empty() && !answers {
        return Err(Code::Empty.because(format!("Write something behind [{tag}].")));
    }
    let to = match rooms {
        0 => Recipient::Partner,
        _ => recipient(&tag, written.recipient, rooms)?,
    };
    Ok(match tag.as_str() {
        "think" => vec![Move::Think(content)],
        "tool" => vec![Move::Tool(content)],
        "message" => vec![Move::Message(to, content)],
        "propose" => vec![Move::Propose(content)],
        _ => {
            let answer = if tag == "accept" {
                Move::Accept
            } else {
                Move::Reject
            };
            let words = (!content.is_empty()).then_some(Move::Message(Recipient::Partner, content));
            std::iter::once(answer).chain(words).collect()
        }
    })
}

/// The recipient of a move by the mediator of so many rooms.
fn recipient(tag: &str, written: Option<&str>, rooms: usize) -> Result<Recipient, Illegal> {
    let named = written.map(str::to_lowercase);
    let room = |name: &str| (0..rooms).find(|room| room.to_string() == name);
    let list = |mark: &str| {
        let names: Vec<String> = (0..rooms).map(|room| format!("{room}{mark}")).collect();
        names.join(", ")
    };
    match (tag, named.as_deref()) {
        ("message", named) => named.and_then(room).map(Recipient::Room).ok_or_else(|| {
            let rooms = list(":");
            Code::BadRecipient.because(format!("Begin a message with its recipient: {rooms}."))
        }),
        (_, Some("all")) => Ok(Recipient::All),
        ("propose", _) => {
            Err(Code::BadRecipient.because("A proposal is for all: begin it with all:."))
        }
        (_, None) => Ok(Recipient::All),
        (_, Some(name)) if room(name).is_some() => Ok(Recipient::All),
        _ => Err(Code::BadRecipient.because(format!("The recipients are {} and all.", list("")))),
    }
}

fn grammar(moves: &[Move]) -> Result<(), Illegal> {
    let mut rest = moves;
    while let [Move::Think(_), behind @ ..] = rest {
        rest = behind;
    }
    let messages = match rest {
        [Move::Tool(_), behind @ ..] if behind.is_empty() => behind,
        [Move::Propose(_) | Move::Accept | Move::Reject, behind @ ..] => behind,
        _ => rest,
    };
    let mut recipients = Vec::new();
    for message in messages {
        match message {
            Move::Message(to, _) if !recipients.contains(to) => recipients.push(*to),
            _ => {
                return Err(Code::TooManyMoves.because(
                    "After your thoughts, make one move, and add at most one message for each \
                     recipient.",
                ));
            }
        }
    }
    Ok(())
}
