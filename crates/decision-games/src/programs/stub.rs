//! What programs of a seat can call, as Python stubs.

use crate::game::{Game, Order, Seat};
use crate::kinds::Kind;

/// The calls that are moves. All others change nothing that another seat could see.
pub const MOVES: [&str; 4] = ["say", "propose", "accept", "reject"];

const COMMON: &str = include_str!("../../data/programs/common.pyi");
const MEDIATES: &str = include_str!("../../data/programs/mediates.pyi");
const SPEAKS: &str = include_str!("../../data/programs/speaks.pyi");
const ANSWERS: &str = include_str!("../../data/programs/answers.pyi");
const PROPOSES: &str = include_str!("../../data/programs/proposes.pyi");

/// The stubs of a seat of this kind of game; none if there is no such seat.
///
/// ```
/// use decision_games::{Kinds, programs::stub};
///
/// let kinds = Kinds::default();
/// let agent = stub(kinds.find("planning").unwrap(), 1).unwrap();
/// assert!(agent.contains("def propose(decision)") && agent.contains("def wish("));
/// let user = stub(kinds.find("planning").unwrap(), 0).unwrap();
/// assert!(user.contains("def accept()") && !user.contains("def propose("));
/// ```
pub fn stub(kind: &dyn Kind, seat: usize) -> Option<String> {
    together(kind.seats(), kind.order(), seat, kind.stub(seat))
}

/// The stubs of a seat in this game.
pub fn stub_in(game: &dyn Game, seat: usize) -> Option<String> {
    together(game.seats(), game.order(), seat, game.stub(seat))
}

fn together(seats: &[Seat], order: Order, seat: usize, own: &str) -> Option<String> {
    let who = seats.get(seat)?;
    let mediates = order.mediates(seat, seats.len());
    let parts = [
        (true, COMMON),
        (mediates, MEDIATES),
        (!mediates, SPEAKS),
        (who.may_answer, ANSWERS),
        (who.may_propose, PROPOSES),
        (true, own),
    ];
    let parts = parts.iter().filter(|(has, _)| *has);
    let parts = parts.map(|(_, part)| part.trim());
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    Some(parts.join("\n\n") + "\n")
}
