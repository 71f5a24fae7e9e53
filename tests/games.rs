//! Models in decision games, and runs of them.

mod lab;
mod programs;
mod reading;
mod runs;
