//! Conversations as a library: what every front end goes through.
//!
//! A front end opens a [`Conversation`] by a [`Setup`], says something, answers the plans that are
//! proposed, and draws the [`Event`]s. These are numbered, and any number of readers read them
//! from any number on; a [`Snapshot`] says how things are, also in the middle of a turn. A front
//! end has no rules of its own: this module decides what is asked, allowed and journaled, and how
//! an apply stops. Events and answers are owned and serialisable, so that a front end can be a
//! terminal, a web page or a protocol.
//!
//! In reading order: `setup.rs` opens a conversation with the usual parts, `conversation.rs` has
//! the methods by which front ends do something, `look.rs` those by which they look, `turn.rs`
//! carries out one turn, `event.rs` and `view.rs` define events and answers, `card.rs` has the
//! words of plans, `feed.rs` keeps the events. `open_session.rs` is a session without a model: it
//! settles and undoes. In `control.rs` plans wait for their answer and cancellations arrive, in one
//! [`Phase`]; `overseer.rs` connects it with the agent. `session.rs` binds a session to its world,
//! `changes.rs` compares worlds, `links.rs` puts links into replies, and `past.rs` shows turns of
//! before.

mod arguments;
mod card;
mod changes;
mod control;
mod conversation;
mod event;
mod export;
mod feed;
mod links;
mod look;
mod open_session;
mod overseer;
mod past;
mod phase;
mod session;
mod setup;
mod turn;
mod view;

pub use card::{PlanCard, sum};
pub use control::Cancelled;
pub use conversation::{Conversation, ConversationParts, MAX_UTTERANCE};
pub use event::{Event, RequestKind, StackGoal};
pub use feed::Events;
pub use look::Snapshot;
pub use open_session::{OpenSession, Settle};
pub use phase::Phase;
pub use session::{Start, StoredSession, own_world};
pub use setup::Setup;
pub(crate) use setup::prepared;
pub use view::{
    Abandoned, CostView, CutOffApply, How, PlanAnswer, PlanView, ProgramRun, Reply, SessionView,
    Stopped, TurnEnd, TurnUsage, TurnView, Undone,
};
