//! What a reply states, and whether anything supports it. Text in, text out: no model, no
//! domain.
//!
//! A [`Claim`] is something that can be looked up: a number, a name, a text in quotes.
//! [`Evidence`] is what a reply may draw on. [`unsupported`] gives the claims for which
//! there is none. Words that are neither are not judged: "the newest", "was deleted".
//!
//! # What is a claim
//!
//! - *Numbers*: digits with their thousands, decimals and units (`12,049`, `1.2 MB`,
//!   `50 %`), the words from `two` to `ninety-nine`, and the `no` of `there are no …`. Not
//!   `one`, which is mostly a pronoun; not `first` and `1st`; not the numbers before the
//!   items of a list.
//! - *Names*: what stands in quotes, and what is spelt like a key, a bucket, a date or a
//!   time and not like English (`a/b.txt`, `web-logs`, `month=05`, `05:31:48`). `read-only`
//!   and `S3` are English.
//!
//! # What supports one
//!
//! The rules and their reasons; each is there because a true reply needs it.
//!
//! 1. *A name* stands in what the user said, in a literal of a program, in a result (keys of
//!    maps too) or in an error: as a name of its own, or as the part of a path by which
//!    people call it (its folders, its last segments, its ending). Case matters, except in
//!    plain words. A date may be written with other separators.
//! 2. *A name* is put together of whole literals of one program: `name + "-backup"`.
//! 3. *A name* is one of a series that the user gave a member of, and differs from it only
//!    in numbers that the user said: `logs/01.log`, "the one of March 2nd".
//! 4. *A number* is a number of a result or of the user's words, or from 10 on one in the
//!    code of a program, rounded to the decimals stated, in bytes to the powers of 1000 or
//!    1024; a share is also a percentage.
//! 5. *A number* is how many entries a list or a map of a result has. What a program has as
//!    literals are fields and are not counted, and neither are pairs.
//! 6. *A number* is a sum over a list of a result, where the sentence says so ("in total").
//! 7. *A number* counts what the reply itself names: "the two limits", "these 3 objects:".
//! 8. *A number* beside the name of a month is part of a date: its digits stand anywhere.
//! 9. *An item of a list* that begins with the name of an entry of a result, or of a line of
//!    a text, states the numbers of that entry and no others. This catches numbers that are
//!    right for something else.
//! 10. What the reply has word for word as a line of a result stands there.
//! 11. Where a program failed, the numbers of a sentence may be those of one line of what is
//!     always true ([`Evidence::with_facts`]), if both are about the same. Where the user
//!     asked about the environment in general (`FAQ`), numbers are not judged: there is no
//!     outcome to hold them against.
//!
//! The agent's earlier words support nothing: what it said was supported by one of these,
//! or was not.

mod evidence;
mod names;
mod number;
mod prose;
mod spelling;
mod support;
mod tokens;
mod values;

pub use evidence::Evidence;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use tokens::{Token, What, tokens};

/// Something that a reply states and that can be looked up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// As it stands in the reply, without quotes.
    pub text: String,
    /// Where it stands in the reply, in bytes.
    pub range: Range<usize>,
    /// What it is about.
    pub kind: Kind,
}

/// What a claim is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// How many, how large.
    Number,
    /// What something is called, or another text given in quotes.
    Name,
}

/// Everything that a reply states that can be looked up, in order.
pub fn claims(reply: &str) -> Vec<Claim> {
    let tokens = tokens(reply).into_iter();
    tokens.filter_map(|token| claim(reply, &token)).collect()
}

/// What a reply states and nothing supports, in order.
pub fn unsupported(reply: &str, evidence: &Evidence) -> Vec<Claim> {
    let verbatim = evidence.verbatim(reply);
    let in_verbatim = |token: &Token| {
        let mut ranges = verbatim.iter();
        ranges.any(|range| range.start <= token.range.start && token.range.end <= range.end)
    };
    let tokens = tokens(reply).into_iter();
    tokens
        .filter(|token| !in_verbatim(token) && !evidence.supports(reply, token))
        .filter_map(|token| claim(reply, &token))
        .collect()
}

fn claim(reply: &str, token: &Token) -> Option<Claim> {
    let kind = match token.what {
        What::Number(_) | What::No => Kind::Number,
        What::Name | What::Quoted => Kind::Name,
        What::Ordinal(_) => return None,
    };
    Some(Claim {
        text: reply.get(token.range.clone())?.to_owned(),
        range: token.range.clone(),
        kind,
    })
}
