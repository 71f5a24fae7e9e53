//! Who stands between a program that wants to write and the world: asks, keeps a record,
//! and remembers what an interrupted turn had done already.

use super::Executed;
use crate::dialogue::Update;
use crate::error::Result;
use crate::plan::{Applied, Earlier, Plan, Record, Stop};
use async_trait::async_trait;

/// Oversees the turns of one dialogue. Every method is called before what it speaks of has
/// consequences; an error stops the turn there.
#[async_trait]
pub trait Overseer: Send + Sync {
    /// A turn begins. `turn` counts from 1.
    async fn said(&self, turn: usize, user: &str) -> Result<()>;

    /// The programs of the turn are known, and nothing has run.
    async fn predicted(&self, turn: usize, updates: &[Update]) -> Result<()>;

    /// What is known of a program from before an interruption. The default knows nothing.
    async fn earlier(&self, _turn: usize, _uid: u32) -> Result<Known> {
        Ok(Known::Nothing)
    }

    /// Whether a plan is carried out. A plan that only reads is never asked about.
    async fn decide(&self, turn: usize, uid: u32, plan: &Plan) -> Result<Decision>;

    /// Who writes down what the apply of the plan that was decided on last does.
    fn record(&self) -> Box<dyn Record + '_>;

    /// How an apply ended.
    async fn applied(&self, turn: usize, uid: u32, applied: &Applied) -> Result<()>;

    /// A program has come to its end, whatever that was.
    async fn executed(&self, turn: usize, executed: &Executed) -> Result<()>;

    /// The turn ends with these words.
    async fn replied(&self, turn: usize, reply: &str) -> Result<()>;
}

/// What is known of a program that a turn is about to run.
#[derive(Debug)]
pub enum Known {
    /// Nothing: it runs.
    Nothing,
    /// It has run, with this outcome.
    Executed(Executed),
    /// Its plan was agreed to, and its apply was interrupted.
    Begun {
        /// The plan.
        plan: Plan,
        /// How far the apply got.
        earlier: Earlier,
    },
}

/// What becomes of a plan.
#[derive(Debug, Clone)]
pub enum Decision {
    /// It is carried out; the handle can end that early.
    Apply(Stop),
    /// It is not, and why: a sentence for the model.
    Decline(String),
}
