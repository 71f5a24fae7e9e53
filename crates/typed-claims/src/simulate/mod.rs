//! A user who wants what a goal of MultiWOZ says, and a desk that speaks by templates: dialogues
//! about restaurants without a model. Same goal, seed and replies, same bytes.
//!
//! [`run`] lets the two talk. For another assistant, [`User`] speaks and hears, and
//! [`CheckedDialogue`] checks the replies.
//!
//! ```
//! use typed_claims::simulate::{Outcome, Words, run};
//! use typed_claims::{Catalogue, dialogues, restaurant};
//!
//! # fn main() -> Result<(), typed_claims::Error> {
//! let goals = r#"{"id": "one", "goal": {"info": {"food": "turkish", "area": "centre"}, "reqt": ["phone"]}}"#;
//! let schema = restaurant::schema()?;
//! let lexicon = restaurant::lexicon("en", &schema)?;
//! let catalogue = Catalogue::new(restaurant::rows()?, &schema, &lexicon)?;
//! let words = Words::of("en")?;
//! for goal in dialogues::read(goals)? {
//!     let run = run(&goal, &words, &schema, &lexicon, &catalogue, catalogue.rows(), 0)?;
//!     assert_eq!(run.outcome, Outcome::Done);
//!     assert!(run.exchanges.iter().all(|turn| turn.verdict.flags.correct()));
//! }
//! # Ok(())
//! # }
//! ```

mod base;
mod checked;
mod desk;
mod goal;
mod run;
mod speech;
mod user;
mod words;

pub use base::drawn;
pub use checked::CheckedDialogue;
pub use desk::{Answer, Desk};
pub use goal::problem_of;
pub use run::{Exchange, MOST_UTTERANCES, Outcome, Run, run};
pub use user::{Act, User, Utterance};
pub use words::Words;

/// The slots of which wishes are, in the order in which they are said.
const WISHES: [&str; 3] = ["pricerange", "food", "area"];
