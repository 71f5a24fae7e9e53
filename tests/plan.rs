//! Plans: writes in; what they come to, what becomes of the world, and the way back, out.
//!
//! - `lab`: calls as text, worlds as text, and worlds that misbehave
//! - `effects`: what a plan says
//! - `apply`: the applied effect is the planned one; what drifted stops it
//! - `faults`: a world that fails at every position, before and after the effect
//! - `undo`: what was done is taken back
//! - `properties`: all of it on random calls
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

#[path = "plan/apply.rs"]
mod apply;
#[path = "plan/effects.rs"]
mod effects;
#[path = "plan/faults.rs"]
mod faults;
#[path = "plan/lab.rs"]
mod lab;
#[path = "plan/properties.rs"]
mod properties;
#[path = "plan/undo.rs"]
mod undo;
