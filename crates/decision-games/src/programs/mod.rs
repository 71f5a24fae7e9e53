//! The calls of programs that play a seat: `game.view()`, `game.wish(…)`, `game.propose(…)`. Here a
//! call is a name and arguments in JSON; Python and the sandbox are elsewhere.
//!
//! ```
//! use decision_games::programs::Party;
//! use decision_games::{Play, Rules, Table, generate, open};
//! use serde_json::json;
//!
//! let world = generate("planning", 7).unwrap();
//! let game = open("planning", &world, Rules::default()).unwrap();
//! let mut table = Table::new(game, Rules::default(), Play::Strict);
//! let seen = table.turn(0, "[message] Something for kids, below $60.").unwrap();
//!
//! let mut agent = Party::new(table.clone(), 1);
//! agent.sit(table.clone(), &seen[1]);
//! agent.call("wish", &json!({"budget": 60})).unwrap();
//! let best = agent.call("suggest", &json!({"k": 1})).unwrap();
//! agent.call("propose", &json!({"decision": best[0]})).unwrap();
//! // The party has one move a turn, and the words of its reply go with it.
//! let again = agent.call("say", &json!({"text": "Hello?"})).unwrap_err();
//! assert_eq!(again.code.name(), "not-your-turn");
//! assert!(table.turn(1, &agent.turn("What do you think?")).is_ok());
//! ```

mod arguments;
mod open;
mod party;
mod stub;

pub use open::Begun;
pub use party::{Made, Party};
pub use stub::{MOVES, stub, stub_in};

pub(crate) use arguments::Arguments;

use serde_json::Value;

use crate::illegal::{Code, Illegal};

/// The calls that only one kind of game has, for one seat.
///
/// It is made from the view of its seat and knows no more of the world.
pub trait Library: Send + Sync {
    /// Answers a call.
    ///
    /// # Errors
    /// There is no such call, or its arguments are wrong.
    fn answer(&self, name: &str, arguments: &Value) -> Result<Value, Illegal>;
}

/// The refusal of a call that no program of the seat has.
pub(crate) fn unknown(name: &str) -> Illegal {
    Code::UnknownMove.because(format!("There is no operation {name:?} for this seat."))
}
