//! Mistakes in a description, with their place.

use std::ops::Range;
use toml::Spanned;

/// A mistake and its position in the file, as a range of bytes.
pub struct Mistake {
    at: Range<usize>,
    problem: String,
}

impl Mistake {
    /// A mistake in a value of the file.
    pub fn at<T>(place: &Spanned<T>, problem: impl Into<String>) -> Self {
        Mistake::within(place.span(), problem)
    }

    /// A mistake in a part of the file.
    pub fn within(at: Range<usize>, problem: impl Into<String>) -> Self {
        let problem = problem.into();
        Mistake { at, problem }
    }

    /// The same mistake, whose text begins with what it is in.
    pub fn inside(mut self, what: &str) -> Self {
        self.problem = format!("{what}: {}", self.problem);
        self
    }

    /// The mistake with its line and column in `text`, both counted from 1.
    pub fn located(self, text: &str) -> String {
        let before = text.get(..self.at.start).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let column = before.get(start..).unwrap_or_default().chars().count() + 1;
        format!("line {line}, column {column}: {}", self.problem)
    }
}

impl From<toml::de::Error> for Mistake {
    fn from(error: toml::de::Error) -> Self {
        Mistake::within(error.span().unwrap_or_default(), error.message())
    }
}
