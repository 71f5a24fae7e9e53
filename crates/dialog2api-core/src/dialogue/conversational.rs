//! The exceptions that programs raise to say something, not because something failed.

/// An exception that a program raises instead of calling an API (paper, appendix C). It
/// tells the agent what kind of reply the user needs.
///
/// ```
/// use dialog2api_core::dialogue::ConversationalException;
///
/// let chat = ConversationalException::named("ChitChat");
/// assert_eq!(chat, Some(ConversationalException::ChitChat));
/// assert_eq!(ConversationalException::named("KeyError"), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ConversationalException {
    /// The API cannot do what the user wants.
    OutOfScope,
    /// The request has several meanings.
    Ambiguous,
    /// Small talk.
    ChitChat,
    /// A question that knowledge answers, not data.
    Faq,
    /// The request has details that contradict each other or the API.
    OverSpecification,
    /// The user ends the dialogue.
    EndDialog,
}

impl ConversationalException {
    /// All of them.
    pub const ALL: [ConversationalException; 6] = [
        ConversationalException::OutOfScope,
        ConversationalException::Ambiguous,
        ConversationalException::ChitChat,
        ConversationalException::Faq,
        ConversationalException::OverSpecification,
        ConversationalException::EndDialog,
    ];

    /// The name of the Python class.
    pub const fn name(self) -> &'static str {
        match self {
            ConversationalException::OutOfScope => "OutOfScopeRequestError",
            ConversationalException::Ambiguous => "AmbiguousRequestError",
            ConversationalException::ChitChat => "ChitChat",
            ConversationalException::Faq => "FAQ",
            ConversationalException::OverSpecification => "OverSpecificationError",
            ConversationalException::EndDialog => "EndDialog",
        }
    }

    /// The exception of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|exception| exception.name() == name)
    }
}
