//! Parties at tables that a program meets first: one at which the others have spoken, or one from
//! a state.

use serde_json::Value;

use super::Party;
use crate::kinds::Kinds;
use crate::play::Course;
use crate::player::Manner;
use crate::rules::Rules;
use crate::table::{Limits, Play, Table};

/// How a game begins for the programs of a seat.
#[derive(Clone, Debug, PartialEq)]
pub enum Begun {
    /// In the world of this seed. The others, without a model, say what they have to say before the
    /// seat has the turn.
    Seed(u64),
    /// After the turns of a state, as `game serve` gives it: `world`, and `turns` of seat and text.
    State(Value),
}

impl Party {
    /// A party whose programs may begin.
    ///
    /// # Errors
    /// A sentence says what is wrong with the game, the world, the seat or a turn.
    pub fn begin(kinds: &Kinds, game: &str, seat: usize, begun: &Begun) -> Result<Party, String> {
        let (rules, seed) = (
            Rules::default(),
            match begun {
                Begun::Seed(seed) => *seed,
                Begun::State(state) => state["world"]["seed"].as_u64().unwrap_or_default(),
            },
        );
        let world = match begun {
            Begun::Seed(seed) => kinds.generate(game, *seed, rules)?,
            Begun::State(state) => state["world"].clone(),
        };
        let opened = kinds.open(game, &world, rules)?;
        let names: Vec<&str> = opened.seats().iter().map(|seat| seat.name).collect();
        if seat >= names.len() {
            return Err(format!("{game} has the seats {}", names.join(", ")));
        }
        let limits = Limits::usual(opened.as_ref());
        let table = Table::new(opened.clone(), rules, Play::Strict).with_limits(limits);
        let mut party = Party::new(table.clone(), seat);
        let mut course = Course::new(table);
        match begun {
            Begun::Seed(_) => {
                let fixed = |seat| opened.partner(seat, Manner::Scripted, seed);
                let player = |seat| fixed(seat).or_else(|| opened.agent(seat));
                let mut players: Vec<_> = (0..names.len()).map(player).collect();
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
            }
            Begun::State(state) => {
                for turn in state["turns"].as_array().into_iter().flatten() {
                    let (who, text) = (turn[0].as_str(), turn[1].as_str());
                    let who = names.iter().position(|name| Some(*name) == who);
                    let (who, text) = who.zip(text).ok_or("a turn is a seat and a text")?;
                    // A state has refused turns, too.
                    let _ = course.make(who, text);
                }
            }
        }
        let news = course.news(seat);
        party.sit(course.table().clone(), &news);
        Ok(party)
    }
}
