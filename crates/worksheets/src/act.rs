use std::fmt;

use serde_json::Value as Json;

/// One thing that the agent does towards the user (section 4.1), by its identity.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Act {
    /// What a query found, or what came of a record.
    Report(String),
    /// A text of the sheets' owner.
    Say {
        /// The text.
        text: String,
        /// Whether the reply has it letter by letter.
        verbatim: bool,
    },
    /// Whether a value is right: record and field.
    Confirm(String, String),
    /// A record that the user may take up.
    Propose(String),
    /// A question for a field: record and field; of a query, `table.column`.
    Ask(String, String),
    /// A human takes over; why (section 13.2).
    Handoff(String),
}

impl Act {
    /// Whether it is the turn's question.
    pub fn is_question(&self) -> bool {
        matches!(self, Self::Confirm(..) | Self::Propose(_) | Self::Ask(..))
    }

    /// The record that it is about.
    pub fn record(&self) -> Option<&str> {
        match self {
            Self::Report(record)
            | Self::Confirm(record, _)
            | Self::Propose(record)
            | Self::Ask(record, _) => Some(record),
            Self::Say { .. } | Self::Handoff(_) => None,
        }
    }

    /// Reads the canonical text, without reason.
    ///
    /// ```
    /// use worksheets::Act;
    ///
    /// let act = Act::parse("Ask(main, full_name)").unwrap();
    /// assert_eq!(act, Act::Ask("main".into(), "full_name".into()));
    /// assert_eq!(act.to_string(), "Ask(main, full_name)");
    /// ```
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text} is no act");
        let (name, rest) = text.split_once('(').ok_or_else(wrong)?;
        let inner = rest.strip_suffix(')').ok_or_else(wrong)?;
        let said = |text: &str| serde_json::from_str::<String>(text).map_err(|_| wrong());
        let pair = || {
            let (record, field) = inner.split_once(", ").ok_or_else(wrong)?;
            Ok::<_, String>((record.to_owned(), field.to_owned()))
        };
        Ok(match name {
            "Report" => Self::Report(inner.to_owned()),
            "Propose" => Self::Propose(inner.to_owned()),
            "Handoff" => Self::Handoff(said(inner)?),
            "Confirm" => pair().map(|(record, field)| Self::Confirm(record, field))?,
            "Ask" => pair().map(|(record, field)| Self::Ask(record, field))?,
            "Say" => {
                let (inner, verbatim) = match inner.strip_suffix(", verbatim=True") {
                    Some(inner) => (inner, true),
                    None => (inner, false),
                };
                let text = said(inner)?;
                Self::Say { text, verbatim }
            }
            _ => return Err(wrong()),
        })
    }
}

impl fmt::Display for Act {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Report(record) => write!(f, "Report({record})"),
            Self::Say { text, verbatim } => {
                let mark = if *verbatim { ", verbatim=True" } else { "" };
                write!(f, "Say({}{mark})", Json::from(text.as_str()))
            }
            Self::Confirm(record, field) => write!(f, "Confirm({record}, {field})"),
            Self::Propose(record) => write!(f, "Propose({record})"),
            Self::Ask(record, field) => write!(f, "Ask({record}, {field})"),
            Self::Handoff(why) => write!(f, "Handoff({})", Json::from(why.as_str())),
        }
    }
}

/// Why a question is asked as it is; the first that holds (section 4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The value was refused; the mark says why.
    Invalid,
    /// A change of an earlier field took the value away.
    Stale,
    /// There are several rows to choose from.
    Choose,
    /// A confirm field was answered no.
    Declined,
    /// The call failed.
    Failed,
    /// Asked several times, and the user said nothing of use.
    Stuck,
    /// The field is required, and the user refused it.
    Refused,
    /// Asked in the last turn.
    Again,
    /// The agent goes back to what was interrupted.
    Resume,
    /// The user did not understand: word by word as before.
    Repeat,
}

impl Reason {
    /// The reason as acts write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Invalid => "invalid",
            Self::Stale => "stale",
            Self::Choose => "choose",
            Self::Declined => "declined",
            Self::Failed => "failed",
            Self::Stuck => "stuck",
            Self::Refused => "refused",
            Self::Again => "again",
            Self::Resume => "resume",
            Self::Repeat => "repeat",
        }
    }
}

/// An act of a turn, with its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Performed {
    /// What the agent does.
    pub act: Act,
    /// Why it asks as it does.
    pub reason: Option<Reason>,
}

impl fmt::Display for Performed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.act.fmt(f)?;
        match self.reason {
            Some(reason) => write!(f, " [{}]", reason.name()),
            None => Ok(()),
        }
    }
}
