//! What models learn a domain from.

use super::{Adapter, Text};

/// Dialogues that show models how the API is used, and models that have learned it.
#[derive(Clone, Default)]
pub struct Teaching {
    /// The dataset that commands take unless another one is named.
    pub dataset: Text,
    /// The training dialogues that come with the domain, as file name and text in the
    /// exchange format, in the order of the names.
    pub examples: Vec<(Text, Text)>,
    /// The adapters of models that were trained for the domain.
    pub adapters: Vec<Adapter>,
}
