//! Plans: writes in; their effects, the changed world, and the undo out.
//!
//! - `lab`: calls as text, worlds as text, and worlds that misbehave
//! - `effects`: what a plan says
//! - `beside`: what a plan says beyond the contents of places
//! - `apply`: the applied effect is the planned one; what drifted stops it
//! - `conditions`: servers that ignore the conditions of writes
//! - `faults`: a world that fails at every position, before and after the effect
//! - `renames`: what is lost when contents are copied over one another
//! - `requests`: what a rehearsal asks of a server
//! - `parts`: the same, of contents that are copied into parts of uploads
//! - `words`: what a plan counts as created, hidden, destroyed, kept, shared
//! - `others`: what people must know of a write: others' buckets, deletions that come later
//! - `undo`: what was done is taken back
//! - `undo_table`: every operation that writes, in every kind of world
//! - `properties`: all of it on random calls

mod apply;
mod beside;
mod blind;
mod conditions;
mod effects;
mod faults;
pub mod lab;
mod others;
mod parts;
mod properties;
mod reads;
mod renames;
mod requests;
mod settings;
pub mod slow;
mod undo;
mod undo_pairs;
mod undo_table;
mod versions;
mod window;
mod words;
