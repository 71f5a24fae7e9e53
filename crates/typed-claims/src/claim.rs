//! What a reply claims, and what is thought of it.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use serde::Serialize;

/// Slots and the values that rows are to have, each any of several.
pub type Constraints = BTreeMap<String, Vec<String>>;

/// Whom a claim is about: rows, any of which will do, or a name that no row has.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// The members of a list, any of which is meant; each is the rows that have its name.
    Rows(Vec<Vec<String>>),
    /// A name that no row has, as written.
    New(String),
}

impl fmt::Display for Subject {
    /// Rows with one name joined by `|`, members of a list by `+`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Subject::Rows(members) => {
                let members = members
                    .iter()
                    .map(|rows| rows.join("|"))
                    .collect::<Vec<_>>();
                formatter.write_str(&members.join("+"))
            }
            Subject::New(name) => formatter.write_str(name),
        }
    }
}

/// A kind of claim, and what it says.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The subject is named.
    Entity(Subject),
    /// The rows do not have the subject.
    Absent(Subject),
    /// The subject has, or has not, one of these values.
    Slot {
        /// Who.
        subject: Subject,
        /// The slot.
        slot: String,
        /// The values, any of which is meant, in order.
        value: Vec<String>,
        /// It has not.
        negated: bool,
    },
    /// So many rows satisfy the constraints.
    Count {
        /// How many.
        n: u32,
        /// That many or more.
        at_least: bool,
        /// What they have.
        constraints: Constraints,
    },
    /// No row satisfies the constraints.
    None(Constraints),
    /// A row satisfies the constraints.
    Exists(Constraints),
    /// The subject has a property that is no slot.
    Open {
        /// Who.
        subject: Subject,
        /// The category of the property.
        category: String,
    },
    /// A booking has this reference.
    Ref(String),
    /// A table is, or is not, booked.
    Booked(bool),
    /// The named rows are all that satisfy the constraints.
    All {
        /// What they have.
        constraints: Constraints,
        /// Who is named.
        named: Vec<String>,
    },
}

impl Kind {
    /// The kind's name in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Kind::Entity(_) => "entity",
            Kind::Absent(_) => "absent",
            Kind::Slot { .. } => "slot",
            Kind::Count { .. } => "count",
            Kind::None(_) => "none",
            Kind::Exists(_) => "exists",
            Kind::Open { .. } => "open",
            Kind::Ref(_) => "ref",
            Kind::Booked(_) => "booked",
            Kind::All { .. } => "all",
        }
    }

    /// Whether it is a statement about the rows, which alignment and grounding judge.
    pub fn judged(&self) -> bool {
        !matches!(self, Kind::Ref(_) | Kind::Booked(_) | Kind::All { .. })
    }

    /// Whom it is about.
    pub fn subject(&self) -> Option<&Subject> {
        match self {
            Kind::Entity(subject)
            | Kind::Absent(subject)
            | Kind::Slot { subject, .. }
            | Kind::Open { subject, .. } => Some(subject),
            _ => None,
        }
    }
}

/// A claim with its place, its verdicts, and what they rest on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// What is claimed.
    pub kind: Kind,
    /// Its place in the reply, in bytes.
    pub range: Range<usize>,
    /// Whether it is true of the base; `None` is unknown.
    pub truth: Option<bool>,
    /// Whether what it mentions occurs in the base (grounding by vocabulary).
    pub in_kb: bool,
    /// Whether the evidence of the dialogue supports it; `None` without evidence.
    pub evidenced: Option<bool>,
    /// The rule that decided.
    pub rule: ClaimRule,
    /// The names of the rows that decided: those with the value, those that were counted (at
    /// most ten), those that a list leaves out.
    pub rows: Vec<String>,
    /// Its constraints come from the user's wishes alone.
    pub elliptic: bool,
}

impl Claim {
    /// The verdict in JSON: `true`, `false`, `unknown`, or `incomplete` for a list.
    pub fn verdict(&self) -> &'static str {
        match (self.truth, &self.kind) {
            (Some(true), _) => "true",
            (Some(false), Kind::All { .. }) => "incomplete",
            (Some(false), _) => "false",
            (None, _) => "unknown",
        }
    }
}

/// The rule that decided a claim.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum ClaimRule {
    /// A row of the base has the name.
    Named,
    /// Rows have the name, but none of the base.
    OutsideBase,
    /// No row has the name.
    NewName,
    /// A row of the subject has the value.
    Equal,
    /// No row of the subject has the value.
    Differs,
    /// The base does not know the slot of the subject.
    Unknown,
    /// The value is none of the schema's, as *north of the centre*.
    Unjudged,
    /// Some reading of the constraints has this number.
    Counted,
    /// No reading has this number.
    Miscounted,
    /// It counts what the reply names.
    CountsNamed,
    /// Some reading has no row.
    NoRow,
    /// Each reading has a row.
    SomeRow,
    /// A denial of nothing in particular.
    Bare,
    /// A text of the row has a word of the property.
    InText,
    /// No text of the row has a word of the property.
    NotInText,
    /// An outcome of a program has it.
    Outcome,
    /// No outcome of a program has it.
    NoOutcome,
    /// The outcome has other details.
    OtherDetails,
    /// Nothing judges it.
    Exempt,
    /// All rows that satisfy the constraints are named.
    Complete,
    /// Rows that satisfy the constraints are left out.
    Incomplete,
}

impl ClaimRule {
    /// Its name in JSON, and for people.
    pub fn name(self) -> &'static str {
        match self {
            ClaimRule::Named => "named",
            ClaimRule::OutsideBase => "outside-base",
            ClaimRule::NewName => "new-name",
            ClaimRule::Equal => "equal",
            ClaimRule::Differs => "differs",
            ClaimRule::Unknown => "unknown",
            ClaimRule::Unjudged => "unjudged",
            ClaimRule::Counted => "counted",
            ClaimRule::Miscounted => "miscounted",
            ClaimRule::CountsNamed => "counts-named",
            ClaimRule::NoRow => "no-row",
            ClaimRule::SomeRow => "some-row",
            ClaimRule::Bare => "bare",
            ClaimRule::InText => "in-text",
            ClaimRule::NotInText => "not-in-text",
            ClaimRule::Outcome => "outcome",
            ClaimRule::NoOutcome => "no-outcome",
            ClaimRule::OtherDetails => "other-details",
            ClaimRule::Exempt => "exempt",
            ClaimRule::Complete => "complete",
            ClaimRule::Incomplete => "incomplete",
        }
    }
}

/// What a turn is, by its claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct Flags {
    /// It refers to the base.
    pub refers: bool,
    /// KB-Alignment: no claim is false.
    pub aligned: bool,
    /// KB-Grounding by vocabulary: what is mentioned occurs in the base.
    pub grounded: bool,
    /// KB-Grounding, strict: every claim is true in the base.
    pub strict: bool,
    /// The evidence supports every claim; `None` without evidence.
    pub evidenced: Option<bool>,
    /// It says nothing else than earlier turns did.
    pub consistent: bool,
    /// Lists that present themselves as whole are.
    pub complete: bool,
    /// Bookings and references are those of the outcomes; `None` without evidence.
    pub booking: Option<bool>,
}

impl Flags {
    /// Whether the turn is correct: aligned and grounded.
    pub fn correct(&self) -> bool {
        self.aligned && self.grounded
    }
}

/// The claims of a reply, each once, by place, and what the turn is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The claims.
    pub claims: Vec<Claim>,
    /// The turn.
    pub flags: Flags,
}
