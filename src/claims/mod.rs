//! Finds the claims of a reply that nothing in the dialogue supports. Text in, text out: no
//! model, no domain.
//!
//! A [`Claim`] is a number, a name or a quoted text, which can be looked up. [`Evidence`] is
//! everything that a reply may draw on, and [`unsupported`] returns the claims without
//! support. Other words are not judged: "the newest", "was deleted".
//!
//! ```
//! use dialog2api::claims::{Evidence, unsupported};
//! use dialog2api::dialogue::{GoalRecord, Outcome, Status, Turn};
//!
//! let turn = Turn {
//!     user: "How many files are in web-logs?".into(),
//!     goals: vec![GoalRecord {
//!         uid: 1,
//!         status: Status::Final,
//!         program: None,
//!         outcome: Some(Outcome::Result(serde_json::json!(12))),
//!         signature: None,
//!     }],
//!     response: None,
//! };
//! let evidence = Evidence::of(&[turn]);
//! assert!(unsupported("There are 12 files in web-logs.", &evidence).is_empty());
//! let claims = unsupported("There are 13 files in web-logs.", &evidence);
//! assert_eq!(claims[0].text, "13");
//! ```
//!
//! # Claims
//!
//! - *Numbers*: digits with thousands separators, decimals and units (`12,049`, `1.2 MB`,
//!   `50 %`), the words from `two` to `ninety-nine`, and the `no` of `there are no …`. Not
//!   `one`, which is usually a pronoun, not `first` and `1st`, and not the numbers that
//!   number a list.
//! - *Names*: quoted texts, and words that are spelt like a key, a bucket, a date or a time
//!   and not like English (`a/b.txt`, `web-logs`, `month=05`, `05:31:48`). `read-only` and
//!   `S3` are English.
//!
//! # Support
//!
//! A claim is supported if one of these rules holds. Each rule is there because a true reply
//! needs it.
//!
//! 1. *A name* stands in an utterance of the user, in a literal of a program, in a result
//!    (also as a key of a map) or in an error. It stands there on its own, or as the part of
//!    a path by which people refer to it: its first folders, its last segments or its file
//!    extension. Case matters, except in plain words. A date may have other separators. An address
//!    `s3://bucket/key` is the name of the bucket and the whole key.
//! 2. *A name* is composed of whole literals of one program: `name + "-backup"`.
//! 3. *A name* belongs to a series of which the user named another member, and differs from
//!    it only in numbers that the user said: `logs/01.log`, "the one of March 2nd".
//! 4. *A number* is a number of a result or an utterance of the user, or one from 10 on in
//!    the code of a program. It may be rounded to the stated decimals, bytes may be given in
//!    powers of 1000 or 1024, and a fraction may be given as a percentage.
//! 5. *A number* is the number of entries of a list or a map of a result. Maps whose keys are
//!    all literals of the program are records, whose fields nobody counts. Pairs are not
//!    counted either.
//! 6. *A number* is a sum over a list of a result, and the sentence says so ("in total").
//! 7. *A number* counts things that the reply itself names: "the two limits", "these 3
//!    objects:".
//! 8. *A number* next to the name of a month is part of a date, and its digits stand
//!    anywhere in the evidence.
//! 9. *An item of a list* that starts with the name of an entry of a result, or of a line of
//!    a text, may state only the numbers of that entry. This catches numbers that are right
//!    for something else.
//! 10. A line of a result that the reply repeats word for word is supported as a whole.
//! 11. If a program failed, the numbers of a sentence may be those of one line of the facts
//!     given with [`Evidence::with_facts`], if both are about the same thing. If the user
//!     asked about the environment in general (`FAQ`), numbers are not judged, because there
//!     is no outcome to compare them with.
//!
//! 12. *A number* in a sentence that names an entry of a result is one of that entry, where the
//!     result has it for another entry only. This catches numbers that belong to something else.
//! 13. *A list* of names that presents itself as complete ("the buckets are …") has every name of
//!     the list in the last results that it is taken from. Words such as "for example", "the
//!     first" and "the largest" present it as a part.
//!
//! # Rows
//!
//! A domain may have rows ([`Facts`](crate::domain::Facts)). Then [`doubtful`] also looks for
//! statements about them, by the crate `typed-claims`: who has which value, how many there are,
//! what is all of it. A statement that the rows decide is judged by them alone.
//!
//! # Deeds
//!
//! [`undone`] looks for statements that something was created, deleted, moved, copied, shared or
//! changed, and doubts those of which the programs of the turn did nothing ([`Doings`]): the user
//! said no, the program failed, it only read, it did something else, or it did that with something
//! of another name. *Moved all* is doubted where a part was done. A statement of an earlier turn is
//! none of this one.
//!
//! The agent's earlier replies support nothing: either a rule supported their claims, or
//! nothing did.

mod deeds;
mod evidence;
mod lists;
mod names;
mod number;
mod prose;
mod spelling;
mod subject;
mod support;
mod tokens;
mod typed;
mod values;

use crate::dialogue::Turn;
pub use deeds::{Doings, Places, Withheld};
pub use evidence::Evidence;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use tokens::{Token, TokenKind, tokens};
pub use typed_claims::{ClaimRule, Knowledge, language_of};

/// A statement of a reply that can be looked up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// The statement as it stands in the reply, without quotes.
    pub text: String,
    /// Its place in the reply, in bytes.
    pub range: Range<usize>,
    /// What is stated.
    pub kind: ClaimKind,
    /// What is thought of it.
    #[serde(default, skip_serializing_if = "Verdict::is_unsupported")]
    pub verdict: Verdict,
    /// Whom it is about, where rows know it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// What the rows or results have instead: a clause. Empty where they have nothing of it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// The rule by which the rows decide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<ClaimRule>,
    /// The names of the rows that decide, or that a list leaves out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<String>,
}

/// The kind of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClaimKind {
    /// A count, a size or another number.
    Number,
    /// The name of something, or another quoted text.
    Name,
    /// A list that leaves something out: its last name, or the clause that presents it.
    List,
    /// A value that a row has.
    Slot,
    /// Whether there is something.
    Existence,
    /// A property that rows have no slot for.
    Property,
    /// Something was done.
    Deed,
}

/// What is thought of a claim.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Nothing supports it.
    #[default]
    Unsupported,
    /// The rows of the domain contradict it, or a result that has another value.
    False,
    /// A list that presents itself as whole leaves rows out.
    Incomplete,
}

impl Verdict {
    fn is_unsupported(&self) -> bool {
        *self == Verdict::Unsupported
    }
}

impl Claim {
    /// Whether rows or results have something else: more than that nothing supports it.
    pub fn is_contradicted(&self) -> bool {
        self.verdict != Verdict::Unsupported
    }

    /// The rule and the rows that decide, and the place in the reply, for who asks why. Empty
    /// where no rows decide.
    pub fn grounds(&self) -> String {
        let Some(rule) = self.rule else {
            return String::new();
        };
        let rows = match self.rows.as_slice() {
            [] => "no row".to_owned(),
            [row] => format!("row {row}"),
            rows => format!("rows {}", rows.join(", ")),
        };
        let Range { start, end } = &self.range;
        format!(
            "{rows}; rule {}; bytes {start} to {end} of the reply",
            rule.name()
        )
    }

    /// Why it is in doubt: a clause, in the words of every front end.
    pub fn reason(&self) -> &str {
        match self.why.as_str() {
            "" => "no result has it, and nobody said it",
            why => why,
        }
    }
}

/// The claims of a reply that are in doubt, in order: the rows contradict them, or nothing in the
/// dialogue supports them. `turns` are those so far, the one that is replied to included. Where the
/// rows decide, no other rule does.
pub fn doubtful(
    reply: &str,
    evidence: &Evidence,
    known: Option<&Knowledge>,
    turns: &[Turn],
) -> Vec<Claim> {
    let mut claims = unsupported(reply, evidence);
    let Some(known) = known else {
        return claims;
    };
    let judged = typed::judged(reply, known, turns);
    claims.retain(|claim| {
        let mut decided = judged.decided.iter();
        !decided.any(|range| overlap(range, &claim.range))
    });
    claims.extend(judged.doubts);
    claims.sort_by_key(|claim| (claim.range.start, claim.range.end));
    claims
}

/// The deeds that a reply tells of and that were not done in its turn, in order. `known` has the
/// words for them; the turns are those of [`doubtful`]. [`doubtful`] judges statements that the rows
/// decide. After a no or a failure they are judged here: a row may have been there before the turn.
pub fn undone(
    reply: &str,
    known: Option<&Knowledge>,
    turns: &[Turn],
    doings: &Doings,
) -> Vec<Claim> {
    let words;
    let known = match known {
        Some(known) => known,
        None => match Knowledge::nothing(language_of(reply)) {
            Ok(nothing) => {
                words = nothing;
                &words
            }
            Err(_) => return Vec::new(),
        },
    };
    deeds::undone(reply, known, turns, doings)
}

fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

/// The claims of a reply, in order.
pub fn claims(reply: &str) -> Vec<Claim> {
    let tokens = tokens(reply).into_iter();
    tokens.filter_map(|token| claim(reply, &token)).collect()
}

/// The claims of a reply that nothing supports, in order.
pub fn unsupported(reply: &str, evidence: &Evidence) -> Vec<Claim> {
    let verbatim = evidence.verbatim(reply);
    let in_verbatim = |token: &Token| {
        let mut ranges = verbatim.iter();
        ranges.any(|range| range.start <= token.range.start && token.range.end <= range.end)
    };
    let tokens = tokens(reply).into_iter();
    let tokens = tokens.filter(|token| !in_verbatim(token));
    let doubtful = tokens.filter_map(|token| {
        let why = match evidence.supports(reply, &token) {
            true => evidence.of_another(reply, &token)?,
            false => String::new(),
        };
        let claim = claim(reply, &token)?;
        let verdict = match why.is_empty() {
            true => Verdict::Unsupported,
            false => Verdict::False,
        };
        Some(Claim {
            verdict,
            why,
            ..claim
        })
    });
    let mut claims: Vec<Claim> = doubtful.collect();
    claims.extend(evidence.left_out(reply));
    claims.sort_by_key(|claim| claim.range.start);
    claims
}

fn claim(reply: &str, token: &Token) -> Option<Claim> {
    let kind = match token.kind {
        TokenKind::Number(_) | TokenKind::No => ClaimKind::Number,
        TokenKind::Name | TokenKind::Quoted => ClaimKind::Name,
        TokenKind::Ordinal(_) => return None,
    };
    Some(Claim {
        text: reply.get(token.range.clone())?.to_owned(),
        range: token.range.clone(),
        kind,
        verdict: Verdict::default(),
        about: None,
        why: String::new(),
        rule: None,
        rows: Vec::new(),
    })
}
