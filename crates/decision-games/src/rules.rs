//! Which rules hold.

/// Ours, or those of the environment that was released with the paper.
///
/// The released environment has defects that others' results contain. With
/// [`Rules::released`] their effect can be measured. Texts are always ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Rules {
    /// A proposal of pairs is misread from its text: the two numbers of a pair are swapped, and count
    /// the names that no earlier pair has taken.
    pub scrambled_assignments: bool,
    /// A partial proposal waits, and its receiver can neither answer nor speak.
    pub partial_deadlock: bool,
    /// `propose` keeps the turn, and who must answer may not think.
    pub proposer_keeps_turn: bool,
    /// The same place may be proposed several times.
    pub repeated_sites: bool,
    /// Queries filter by name, category and price alone, and the last sort key counts most.
    pub simple_search: bool,
    /// In rooms an answer does not pass the turn, and can be repeated.
    pub repeated_answers: bool,
    /// An unmet wish for a category costs nothing in a world that says so.
    pub legacy_categories: bool,
    /// The generator takes the next draw as it is, after it has refused 10,001.
    pub filter_gives_up: bool,
    /// The generator gives wishes for parking and takeout names that never score.
    pub dead_wishes: bool,
}

impl Rules {
    /// The rules of the released environment.
    pub fn released() -> Rules {
        Rules {
            scrambled_assignments: true,
            partial_deadlock: true,
            proposer_keeps_turn: true,
            repeated_sites: true,
            simple_search: true,
            repeated_answers: true,
            legacy_categories: true,
            filter_gives_up: true,
            dead_wishes: true,
        }
    }
}
