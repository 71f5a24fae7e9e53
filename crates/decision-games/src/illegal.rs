//! What a party did wrong.

use std::fmt;

/// The reason why a turn, a proposal or a query is refused.
///
/// [`Code::name`] is stable: logs and conformance cases hold it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// The game has ended.
    GameOver,
    /// The first line of the turn has no tag, or a recipient where none belongs.
    BadFormat,
    /// No move has this tag.
    UnknownMove,
    /// Another seat may make this move.
    NotYourRole,
    /// The move needs content and has none.
    Empty,
    /// The mediator named no recipient, or one that this move cannot have.
    BadRecipient,
    /// The turn has more moves than the grammar of turns allows.
    TooManyMoves,
    /// Another seat holds the turn.
    NotYourTurn,
    /// A proposal waits for this seat's answer.
    MustAnswer,
    /// No proposal waits for this seat's answer.
    NothingToAnswer,
    /// The proposal cannot be read.
    BadProposal,
    /// Parts of the proposal are missing.
    IncompleteProposal,
    /// A paper or a reviewer occurs twice.
    RepeatedName,
    /// A site occurs twice.
    RepeatedSite,
    /// No paper has this name.
    UnknownPaper,
    /// No reviewer has this name.
    UnknownReviewer,
    /// No site has this name.
    UnknownSite,
    /// The list has no flight with this number.
    UnknownFlight,
    /// Several names are equally similar to this one.
    AmbiguousName,
    /// The query cannot be read.
    BadQuery,
    /// No field has this name.
    UnknownField,
}

impl Code {
    /// All codes, in the order in which they are looked for.
    pub const ALL: [Code; 21] = [
        Code::GameOver,
        Code::BadFormat,
        Code::UnknownMove,
        Code::NotYourRole,
        Code::Empty,
        Code::BadRecipient,
        Code::TooManyMoves,
        Code::NotYourTurn,
        Code::MustAnswer,
        Code::NothingToAnswer,
        Code::BadProposal,
        Code::IncompleteProposal,
        Code::RepeatedName,
        Code::RepeatedSite,
        Code::UnknownPaper,
        Code::UnknownReviewer,
        Code::UnknownSite,
        Code::UnknownFlight,
        Code::AmbiguousName,
        Code::BadQuery,
        Code::UnknownField,
    ];

    /// The name in logs and cases, such as `not-your-turn`.
    pub fn name(self) -> &'static str {
        match self {
            Code::GameOver => "game-over",
            Code::BadFormat => "bad-format",
            Code::UnknownMove => "unknown-move",
            Code::NotYourRole => "not-your-role",
            Code::Empty => "empty",
            Code::BadRecipient => "bad-recipient",
            Code::TooManyMoves => "too-many-moves",
            Code::NotYourTurn => "not-your-turn",
            Code::MustAnswer => "must-answer",
            Code::NothingToAnswer => "nothing-to-answer",
            Code::BadProposal => "bad-proposal",
            Code::IncompleteProposal => "incomplete-proposal",
            Code::RepeatedName => "repeated-name",
            Code::RepeatedSite => "repeated-site",
            Code::UnknownPaper => "unknown-paper",
            Code::UnknownReviewer => "unknown-reviewer",
            Code::UnknownSite => "unknown-site",
            Code::UnknownFlight => "unknown-flight",
            Code::AmbiguousName => "ambiguous-name",
            Code::BadQuery => "bad-query",
            Code::UnknownField => "unknown-field",
        }
    }

    /// Refuses with this code and a sentence for the party.
    pub fn because(self, text: impl Into<String>) -> Illegal {
        Illegal {
            code: self,
            text: text.into(),
        }
    }
}

/// A refusal: the code, and one sentence that tells the party the way out.
///
/// A refusal is data for the party that erred. It changes nothing, and nobody else reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Illegal {
    /// The reason.
    pub code: Code,
    /// The sentence.
    pub text: String,
}

impl Illegal {
    /// With the place of the turn in a record.
    pub(crate) fn at(self, turn: usize) -> Illegal {
        let text = format!("turns[{turn}]: {}", self.text);
        Illegal { text, ..self }
    }
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.name(), self.text)
    }
}

impl std::error::Error for Illegal {}
