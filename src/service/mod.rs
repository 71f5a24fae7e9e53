//! Conversations as a library: what every front end goes through.
//!
//! A front end opens a [`Conversation`] in a [`StoredSession`], says something, answers the
//! plans that are proposed, and draws the [`Event`]s. It holds no rule of its own: what is
//! asked, what may happen, what is journaled and how an apply is stopped is decided here.
//! Everything that it is told is owned and serialisable, so that it can be a terminal, a web
//! page or a protocol.
//!
//! In reading order: `conversation.rs` is what a front end calls, `turn.rs` one turn,
//! `event.rs` and `view.rs` what it is told. `ledger.rs` is a session without a model: it
//! settles and undoes. `desk.rs` is where a plan waits for its answer and where a
//! cancellation arrives, `overseer.rs` ties it to the agent. `session.rs` binds a session to
//! its world, `changes.rs` compares worlds.

mod changes;
mod conversation;
mod desk;
mod event;
mod ledger;
mod overseer;
mod session;
mod turn;
mod view;

pub use conversation::{Conversation, MAX_UTTERANCE, Opening};
pub use desk::{Cancelled, Events};
pub use event::{Asked, Event, StackGoal};
pub use ledger::{Ledger, Settle};
pub use session::{Start, StoredSession, own_world};
pub use view::{
    Abandoned, Answer, CutOff, How, PlanView, Reply, Run, SessionView, Stopped, TurnEnd, TurnUsage,
    TurnView, Undone,
};
