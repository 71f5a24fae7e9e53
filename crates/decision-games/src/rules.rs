//! Which rules hold.

/// Ours, or those of the environment that was released with the paper.
///
/// The released environment has defects that others' results contain. With
/// [`Rules::released`] their effect can be measured. Texts are always ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Rules {
    /// Optimization: a proposal in text form is read as the released code reads it.
    pub scrambled_assignments: bool,
    /// Planning: a partial proposal waits, and the user can neither answer nor speak.
    pub partial_deadlock: bool,
    /// Planning: `propose` and `reject` keep the turn.
    pub proposer_keeps_turn: bool,
    /// Planning: a site may be proposed several times.
    pub repeated_sites: bool,
    /// Planning: only name, category and price are filtered, and the last sort key counts most.
    pub simple_search: bool,
    /// Mediation: an answer does not pass the turn and can be repeated.
    pub repeated_answers: bool,
    /// Planning: an unmet wish for a category costs nothing in a world that says so.
    pub legacy_categories: bool,
    /// Generator of optimization: after 10,001 refused draws the next is taken as it is.
    pub filter_gives_up: bool,
    /// Generator of planning: wishes for parking and takeout have names that never score.
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
