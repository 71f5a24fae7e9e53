//! The query language of planning: `Search(fields=[…], filters=[…], …)`.

mod query;
mod run;
mod split;

use super::PlanningWorld;
use crate::illegal::Illegal;

/// Answers a query in text form.
///
/// With `simple` the language is that of the released environment.
pub(super) fn answer(world: &PlanningWorld, text: &str, simple: bool) -> Result<String, Illegal> {
    let query = query::read(world, text, simple)?;
    Ok(run::run(world, &query))
}
