//! Conversations as a library: what every front end goes through.
//!
//! A front end opens a [`Conversation`] in a [`StoredSession`], says something, answers the
//! plans that are proposed, and draws the [`Event`]s. It has no rules of its own: this module
//! decides what is asked, allowed and journaled, and how an apply stops. Events and answers
//! are owned and serialisable, so that a front end can be a terminal, a web page or a
//! protocol.
//!
//! In reading order: `conversation.rs` has the methods that front ends call, `turn.rs` carries
//! out one turn, `event.rs` and `view.rs` define events and answers. `ledger.rs` is a session
//! without a model: it settles and undoes. At `desk.rs` plans wait for their answer and
//! cancellations arrive; `overseer.rs` connects it with the agent. `session.rs` binds a
//! session to its world, `changes.rs` compares worlds.

mod arguments;
mod changes;
mod conversation;
mod desk;
mod event;
mod export;
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
