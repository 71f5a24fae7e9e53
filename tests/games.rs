//! Models in decision games, and runs of them.

mod lab;
mod reading;
mod runs;
