//! What a reply says was done.

use std::ops::Range;

/// What was done with something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Deed {
    /// It was created or written.
    Made,
    /// It was deleted.
    Gone,
    /// It was moved or renamed.
    Moved,
    /// It was copied.
    Copied,
    /// It was changed in another way, or ordered, sent, cancelled.
    Changed,
    /// Others were let in.
    Shared,
    /// What was asked for was done, whatever that is.
    Finished,
}

/// A statement that something was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Done {
    /// What was done.
    pub deed: Deed,
    /// It was done with what a noun for rows names, as *all objects* or *your bucket*.
    pub of_rows: bool,
    /// It was done with all, as *moved all*, whatever these are.
    pub whole: bool,
    /// The names of what it was done with, in bytes: those that follow one another, *a.txt and
    /// b.txt*, or stand in the list below, as in *I deleted these: …*
    pub names: Vec<Range<usize>>,
    /// How it is said.
    pub voice: Voice,
    /// Its place in the reply, in bytes.
    pub range: Range<usize>,
    /// The place of the word for the deed, in bytes.
    pub word: Range<usize>,
}

/// How it is said that something was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Voice {
    /// Who replies did it: *I have deleted them*.
    Active,
    /// It was done, which may also be what a result says: *they were deleted*.
    Passive,
    /// It is so now, or always: *everything is removed*.
    State,
}
