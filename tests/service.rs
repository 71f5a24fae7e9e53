//! Conversations through the library: text in, text out, without a terminal.
//!
//! - `lab`: a scripted model, a world that can be made to hang, and what is seen of a turn
//! - `clock`: the time of turns, kept and told
//! - `conversations`: what a front end says and is told
//! - `consent`: a plan that is shown under the agent's question, and the plain yes to it
//! - `costly`: programs that ask a server for much
//! - `interrupted`: Ctrl-C and crashes within an apply, and what is true afterwards
//! - `looking`: numbered events, and snapshots
//! - `setups`: conversations that are opened with the usual parts
//! - `signatures`: Ctrl-C while the signature of the world is read

mod clock;
mod consent;
mod conversations;
mod costly;
mod interrupted;
mod lab;
mod looking;
mod setups;
mod signatures;
