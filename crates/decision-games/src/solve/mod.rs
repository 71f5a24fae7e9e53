//! Exact solvers. Values are integers, and ties have one defined winner, so that the same world
//! gives the same decision everywhere.

mod assignment;

pub use assignment::{Assignment, assign, worst_assignment};
