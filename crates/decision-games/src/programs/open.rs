//! Parties at tables that a program meets first: one at which the others have spoken, or one from
//! a state.

use serde_json::Value;

use super::Party;
use crate::kinds::Kinds;
use crate::play::Course;
use crate::player::Manner;
use crate::rules::Rules;
use crate::serve::Server;
use crate::table::{Limits, Play, Table};

/// How a game begins for the programs of a seat.
#[derive(Clone, Debug, PartialEq)]
pub enum Begun {
    /// In the world of this seed. The others, without a model, say what they have to say before the
    /// seat has the turn.
    Seed(u64),
    /// After the turns of a state, as `game serve` gives it, with its rules, order, limits and
    /// partners.
    State(Value),
}

impl Party {
    /// A party whose programs may begin.
    ///
    /// # Errors
    /// A sentence says what is wrong with the game, the world, the seat or a turn.
    pub fn begin(kinds: &Kinds, game: &str, seat: usize, begun: &Begun) -> Result<Party, String> {
        let seats = kinds.find(game)?.seats();
        if seat >= seats.len() {
            let names: Vec<&str> = seats.iter().map(|seat| seat.name).collect();
            return Err(format!("{game} has the seats {}", names.join(", ")));
        }
        let (table, news) = match begun {
            Begun::Seed(seed) => spoken(kinds, game, seat, *seed)?,
            Begun::State(state) => Server::resumed(kinds.clone(), state, seat)?,
        };
        let mut party = Party::new(table.clone(), seat);
        party.sit(table, &news);
        Ok(party)
    }
}

/// A table at which the others have spoken, and what the seat has read there.
fn spoken(kinds: &Kinds, game: &str, seat: usize, seed: u64) -> Result<(Table, String), String> {
    let rules = Rules::default();
    let opened = kinds.open(game, &kinds.generate(game, seed, rules)?, rules)?;
    let limits = Limits::usual(opened.as_ref());
    let table = Table::new(opened.clone(), rules, Play::Strict).with_limits(limits);
    let mut course = Course::new(table);
    let fixed = |seat| opened.partner(seat, Manner::Scripted, seed);
    let player = |seat| fixed(seat).or_else(|| opened.agent(seat));
    let mut players: Vec<_> = (0..opened.seats().len()).map(player).collect();
    while let Some(mover) = course.mover().filter(|mover| *mover != seat) {
        let Some(player) = &mut players[mover] else {
            break;
        };
        let turn = player.turn(&course.news(mover))?;
        // An illegal turn of a fixed party would be made for ever.
        course
            .make(mover, &turn)
            .map_err(|illegal| illegal.to_string())?;
    }
    let news = course.news(seat);
    Ok((course.table().clone(), news))
}
