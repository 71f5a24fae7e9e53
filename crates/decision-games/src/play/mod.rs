//! Games from the start to the end: between players, and with people at a terminal or at pages.

mod course;
mod ending;
mod pages;
mod person;
mod record;
mod suggested;

pub use course::Course;
pub(crate) use ending::Ending;
pub use pages::{Act, Pages};
pub use person::{Ended, Person, person, plain};
pub use record::Record;

use crate::game::Game;
use crate::player::Player;
use crate::table::{End, Table};

/// What became of a game between players.
#[derive(Clone, Debug)]
pub struct Played {
    /// The turns, in the form of recorded games.
    pub record: Record,
    /// How it ended.
    pub end: Option<End>,
    /// The scaled score of the decision; none without one.
    pub norm: Option<f64>,
    /// Turns that were refused.
    pub refused: usize,
}

/// Lets players play in strict order until the game ends. `players` has one for each seat.
///
/// Give the table [limits](crate::Limits): without them, two parties may talk for ever.
///
/// # Errors
/// A player could not be asked: there is no sample.
pub fn between(table: &mut Table, players: &mut [Box<dyn Player>]) -> Result<Played, String> {
    let mut course = Course::new(table);
    while let Some(seat) = course.mover() {
        players[seat].sit(course.table());
        let turn = players[seat].turn(&course.news(seat))?;
        // The reason of a refusal is news for its mover.
        let _ = course.make(seat, &turn);
    }
    Ok(course.played())
}

/// Adds what each seat has seen to what it has not read yet.
pub(crate) fn tell(news: &mut [String], seen: Vec<String>) {
    for (news, seen) in news.iter_mut().zip(seen) {
        if !news.is_empty() && !seen.is_empty() {
            news.push('\n');
        }
        *news += &seen;
    }
}

/// How a game ended, in a word: `accepted`, `limit` or `stuck`.
pub fn end_name(end: &End) -> &'static str {
    match end {
        End::Accepted(_) => "accepted",
        End::Limit => "limit",
        End::Stuck => "stuck",
    }
}

/// The player without a model for each seat: the agent in one seat, fixed parties in the others.
///
/// None if the seat has no agent, or another one no fixed party.
pub fn agent_among(
    game: &dyn Game,
    seat: usize,
    manner: crate::Manner,
    seed: u64,
) -> Option<Vec<Box<dyn Player>>> {
    let player = |other: usize| match other == seat {
        true => game.agent(other),
        false => game.partner(other, manner, seed),
    };
    (0..game.seats().len()).map(player).collect()
}
