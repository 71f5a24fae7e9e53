//! Why a call may not be made: a sentence that can be passed on.

use super::{Ceiling, Spelling, amount};
use crate::domain::{Access, Refusal, Touch, Value};
use jiff::SignedDuration;
use std::fmt;

/// A call that the policy does not allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denied {
    /// Why.
    pub why: Why,
    /// The operation.
    pub operation: String,
    /// The place that the denial is about, and what the call would do there. None if it is
    /// about the call as a whole.
    pub touch: Option<Box<Touch>>,
    /// The names of the parts of policies in the domain.
    pub spelling: Spelling,
    /// The accounts that the call shares with, where it is denied for that, and names them.
    pub accounts: Vec<String>,
    /// Whether the place is in a container of another account.
    pub is_foreign: bool,
}

impl Denied {
    /// What may be said otherwise of the accounts that the call is about: a sentence after the
    /// refusal.
    fn own(&self) -> String {
        match (self.accounts.as_slice(), self.is_foreign) {
            ([], false) => String::new(),
            ([], true) => " The bucket is not among your own: if it belongs to an account of \
                          yours, name that in `own_accounts`."
                .to_owned(),
            ([one], _) => {
                format!(" It names the account {one}: if that is yours, add it to `own_accounts`.")
            }
            (several, _) => {
                let some: Vec<&str> = several.iter().take(3).map(String::as_str).collect();
                format!(
                    " It names the accounts {}{}: those that are yours belong in `own_accounts`.",
                    some.join(", "),
                    if several.len() > some.len() {
                        ", …"
                    } else {
                        ""
                    }
                )
            }
        }
    }
}

/// The part of a policy that denies a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// The domain has no such operation.
    NoOperation,
    /// The operation writes or deletes, and the call names no place at which it does.
    NoPlace(Access),
    /// The mode is read-only.
    ReadOnly,
    /// The outermost container is protected, by this glob.
    Protected(String),
    /// The path is protected, by this glob.
    ProtectedPath(String),
    /// The rule of this name denies it.
    Rule(String),
    /// There are allow rules for such an access, and none of them allows this call.
    NotAllowed,
    /// The call signs a link that is valid for longer than this.
    LongLink(SignedDuration),
    /// A ceiling would be passed.
    Ceiling {
        /// Which one.
        ceiling: Ceiling,
        /// The most of it.
        most: u64,
        /// The count that the program would have reached.
        reached: u64,
    },
}

impl Why {
    /// The part of the policy that denies, in this spelling.
    fn part(&self, spelling: Spelling) -> String {
        match self {
            Why::NoOperation => "operations".to_owned(),
            Why::NoPlace(_) => "places".to_owned(),
            Why::ReadOnly => "mode = \"read-only\"".to_owned(),
            Why::Protected(_) => spelling.name("protected_containers").to_owned(),
            Why::ProtectedPath(_) => "protected_paths".to_owned(),
            Why::Rule(name) => format!("rule {name:?}"),
            Why::NotAllowed => "allow rules".to_owned(),
            Why::LongLink(_) => "longest_link".to_owned(),
            Why::Ceiling { ceiling, .. } => format!("ceiling {}", spelling.name(ceiling.name())),
        }
    }
}

/// At most this many characters of a name are shown, because names can be hostile.
const SHOWN: usize = 200;

/// A name for people: one line, not longer than a sentence takes.
fn shown(name: &impl ToString) -> String {
    let mut text = String::new();
    for (index, c) in name.to_string().chars().enumerate() {
        match c {
            _ if index >= SHOWN => {
                text.push('…');
                break;
            }
            c if c.is_control() => text.extend(c.escape_default()),
            c => text.push(c),
        }
    }
    text
}

/// The beginning of every refusal.
pub(crate) const REFUSED: &str = "The policy does not allow this: ";

impl fmt::Display for Denied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(REFUSED)?;
        let operation = &self.operation;
        let does = |access: Access| match access {
            Access::Read => "reads",
            Access::Write => "writes",
            Access::Delete => "deletes",
            Access::Share => "shares",
        };
        let on = |f: &mut fmt::Formatter<'_>| match &self.touch {
            Some(touch) if touch.is_later() => {
                write!(f, " on {}… (what begins so, later)", shown(&touch.place))
            }
            Some(touch) if touch.prefix => {
                write!(f, " on {}", shown(&touch.place))?;
                match touch.place.name() {
                    Some(_) => f.write_str("… (a listing of what begins so)"),
                    None => f.write_str(" (a listing of all that is in it)"),
                }
            }
            Some(touch) if touch.place.root().is_empty() => Ok(()),
            Some(touch) => write!(f, " on {}", shown(&touch.place)),
            None => Ok(()),
        };
        match &self.why {
            Why::NoOperation => write!(f, "there is no operation {}.", shown(operation)),
            Why::NoPlace(access) => write!(
                f,
                "{} names no place that it {}.",
                shown(operation),
                does(*access)
            ),
            Why::ReadOnly => {
                write!(f, "the mode is read-only, which denies {operation}")?;
                on(f)?;
                f.write_str(".")
            }
            Why::Protected(glob) | Why::ProtectedPath(glob) => {
                let list = self.why.part(self.spelling);
                write!(f, "{list} has {glob:?}, which denies {operation}")?;
                on(f)?;
                f.write_str(".")
            }
            Why::Rule(name) => {
                write!(f, "rule {name:?} denies {operation}")?;
                on(f)?;
                write!(f, ".{}", self.own())
            }
            Why::NotAllowed => {
                write!(f, "no rule allows {operation}")?;
                on(f)?;
                match &self.touch {
                    Some(touch) => write!(f, ", which {} it.{}", does(touch.access), self.own()),
                    None => f.write_str("."),
                }
            }
            Why::LongLink(most) => {
                let most = amount::show_time(*most);
                write!(f, "longest_link = {most:?}, and {operation}")?;
                on(f)?;
                f.write_str(" asks for a longer time.")
            }
            Why::Ceiling {
                ceiling,
                most,
                reached,
            } => write!(
                f,
                "with this {operation} the program would come to {}, and the ceiling is {} = {} \
                 of one program.",
                ceiling.show(Some(*reached)),
                self.spelling.name(ceiling.name()),
                ceiling.show(Some(*most)),
            ),
        }
    }
}

impl From<Denied> for Refusal {
    /// The refusal that the program sees: like one of the environment's own.
    fn from(denied: Denied) -> Refusal {
        let part = denied.why.part(denied.spelling);
        let mut details = vec![("Policy".into(), Value::Str(part))];
        if let Some(touch) = &denied.touch {
            details.push(("Place".into(), Value::Str(shown(&touch.place))));
        }
        Refusal {
            code: "AccessDenied".to_owned(),
            message: denied.to_string(),
            status: 403,
            details,
        }
    }
}
