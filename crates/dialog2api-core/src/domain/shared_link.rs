//! Links that let anybody who has them make a call. Only the user is shown them.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A link that works, and the user's alone. Whoever reads it can do what it says, so no
/// outcome, prompt, recording or journal has it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedLink {
    /// The effect of the link, its object and its end: a clause without a period.
    pub about: String,
    /// The link.
    pub url: String,
    /// The method of the request, where it is not `GET`.
    pub method: Option<String>,
    /// The headers that the request must have besides, with their values.
    pub headers: Vec<(String, String)>,
    /// The form fields that the request must have, with their values; the file follows as the
    /// last field. Empty for a link.
    pub fields: Vec<(String, String)>,
    /// The text in the program's form of the link that stands for the working part.
    pub withheld: String,
}

/// Shows a link to the user. It is called from any thread.
pub type Links = Arc<dyn Fn(SharedLink) + Send + Sync>;

impl SharedLink {
    /// A text in which the program's form of the link is replaced by the link.
    ///
    /// ```
    /// use dialog2api_core::domain::SharedLink;
    ///
    /// let link = SharedLink {
    ///     about: "read a.txt for 1 hour".to_owned(),
    ///     url: "https://zoo.example/a.txt?key=secret".to_owned(),
    ///     method: None,
    ///     headers: Vec::new(),
    ///     fields: Vec::new(),
    ///     withheld: "withheld-1f".to_owned(),
    /// };
    /// assert_eq!(
    ///     link.put_into("Here: (https://zoo.example/a.txt?key=withheld-1f)."),
    ///     "Here: (https://zoo.example/a.txt?key=secret)."
    /// );
    /// ```
    pub fn put_into(&self, text: &str) -> String {
        let mut done = text.to_owned();
        for place in self.places(text).into_iter().rev() {
            done.replace_range(place, &self.url);
        }
        done
    }

    /// Where a text has the program's form of the link, from the first to the last.
    pub fn places(&self, text: &str) -> Vec<Range<usize>> {
        let mut places = Vec::new();
        // A form is more than its URL: it is shown on its own.
        if !self.fields.is_empty() || self.withheld.is_empty() {
            return places;
        }
        let mut from = 0;
        while let Some(rest) = text.get(from..)
            && let Some(at) = rest.find(&self.withheld)
        {
            let (before, after) = rest.split_at(at);
            let is_outside = |c: char| c.is_whitespace() || "<>\"'`()[]".contains(c);
            let start = before
                .rfind(is_outside)
                .map_or(0, |at| before.ceil_char_boundary(at + 1));
            let after = after.get(self.withheld.len()..).unwrap_or_default();
            // The rest of the link; a sentence may end with it.
            let end = after
                .find(|c: char| is_outside(c) || matches!(c, '.' | ',' | ';' | '!'))
                .unwrap_or(after.len());
            let end = from + at + self.withheld.len() + end;
            places.push(from + start..end);
            from = end;
        }
        places
    }
}

impl fmt::Debug for SharedLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedLink")
            .field("about", &self.about)
            .finish_non_exhaustive()
    }
}
