//! The operations of a domain, and what each does to the world.

use super::{Access, Text};

/// One operation of a domain's API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// The name, as programs spell it: `list_objects`.
    pub name: Text,
    /// The documented parameters, in the order in which a user is asked for missing ones:
    /// the required ones first, each group in the order of the API's definition.
    pub parameters: Vec<Text>,
    /// How many of [`parameters`](Self::parameters), from the first on, a call must have.
    pub required: usize,
    /// Parameters that a call may have too, although the API document does not name them.
    pub undocumented: Vec<Text>,
    /// The effect of a call on the world. Policies, plans and questions to the user all take
    /// it from here.
    pub effect: Access,
}

impl Operation {
    /// An operation with these documented parameters, the first `required` of which a call
    /// must have.
    pub fn new<P>(
        name: impl Into<Text>,
        effect: Access,
        parameters: impl IntoIterator<Item = P>,
        required: usize,
    ) -> Self
    where
        P: Into<Text>,
    {
        Operation {
            name: name.into(),
            parameters: parameters.into_iter().map(Into::into).collect(),
            required,
            undocumented: Vec::new(),
            effect,
        }
    }

    /// Whether a call may have this parameter.
    pub fn accepts(&self, parameter: &str) -> bool {
        let mut known = self.parameters.iter().chain(&self.undocumented);
        known.any(|name| name == parameter)
    }
}
