//! The parts of which a page draws the view of a seat, and from which a person picks a proposal. The
//! page itself knows no game.

use serde::Serialize;

/// The view of a seat for a page.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Board {
    /// What is drawn, in order.
    pub parts: Vec<Part>,
    /// The names of what a proposal fills in, one choice each; empty for seats that propose nothing.
    pub slots: Vec<String>,
    /// Whether a choice fills one slot at most.
    pub distinct: bool,
}

/// A part of a view.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "part", rename_all = "lowercase")]
pub enum Part {
    /// Lines of text.
    List {
        /// What they are.
        title: String,
        /// The lines.
        items: Vec<String>,
    },
    /// A table. Where there are slots, each row is one, and a cell chooses its column for it.
    Table {
        /// What it shows.
        title: String,
        /// The heads of the columns.
        columns: Vec<String>,
        /// The rows.
        rows: Vec<BoardRow>,
    },
    /// Things to choose from, and where they lie.
    Things {
        /// What they are.
        title: String,
        /// The slots that they can fill, by number; none if they are only looked at.
        slots: Vec<usize>,
        /// The heads of the columns behind the name.
        columns: Vec<String>,
        /// The things; a choice is their number.
        things: Vec<Thing>,
    },
    /// Days with what happens in them.
    Days {
        /// Whose days they are.
        title: String,
        /// The days, midnight to midnight.
        days: Vec<String>,
        /// What happens.
        spans: Vec<Span>,
        /// The number of the [things](Part::Things) whose times are drawn into these days when they
        /// are chosen.
        choices: usize,
    },
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BoardRow {
    /// Its head.
    pub name: String,
    /// Its cells; none where the seat sees nothing.
    pub cells: Vec<Option<String>>,
}

/// A thing to choose.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Thing {
    /// Its name.
    pub name: String,
    /// What is known of it, column by column.
    pub cells: Vec<String>,
    /// Its kind, for colours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Where it lies, from 0 to 1: from west to east, from north to south.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<[f64; 2]>,
    /// When it happens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<[i64; 2]>,
}

/// Something that happens, in minutes from the first midnight.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Span {
    /// When it begins and ends.
    pub span: [i64; 2],
    /// What it is.
    pub text: String,
    /// From 0 to 10; none where the seat does not know it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<i64>,
    /// Whether the seat alone knows of it.
    pub private: bool,
}

/// For each slot the number of its choice.
pub type Picks = Vec<Option<usize>>;

impl Board {
    /// A view that is text.
    pub(crate) fn of_text(view: &str) -> Board {
        Board {
            parts: vec![Part::List {
                title: "What you know".to_owned(),
                items: view.lines().map(str::to_owned).collect(),
            }],
            ..Board::default()
        }
    }
}
