//! Exact solvers. Values are integers, and ties have one defined winner, so that the same world
//! gives the same decision everywhere.

mod assignment;
mod several;

pub(crate) use assignment::assign_by;
pub use assignment::{Assignment, assign, worst_assignment};
pub use several::assign_several;
