//! Undo of the plans of a session.

use super::contents::ContentStore;
use super::conversion::{earlier_of, plan_of};
use super::entry::Origin;
use super::recorder::Journal;
use super::state::SessionState;
use super::store::ReadSession;
use crate::domain::Planning;
use crate::error::Result;
use crate::plan::{Keeping, Undo, undo};

/// The inverse of a plan, which is shown, decided on and applied like any plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Inverse {
    /// The number of the plan that is undone.
    pub of: u64,
    /// The origin of that plan.
    pub origin: Origin,
    /// The plan that undoes it.
    pub undo: Undo,
}

impl SessionState {
    /// The plan to undo: the one with this number, or else the last one of a program that
    /// changed the world.
    ///
    /// # Errors
    /// A sentence that says why there is none.
    pub fn to_undo(&self, plan: Option<u64>) -> std::result::Result<u64, String> {
        let Some(id) = plan else {
            let last = self.undoable().next().map(|known| known.planned.id);
            return last.ok_or_else(|| {
                "There is nothing to undo: no program has changed the world.".to_owned()
            });
        };
        let problem = match self.plan(id) {
            None => "there is no plan with this number",
            Some(known) if known.undone => "it is undone already",
            Some(known) if matches!(known.planned.origin, Origin::Undo { .. }) => {
                "it is an undo itself"
            }
            Some(known) if !known.has_effect() => "it changed nothing",
            Some(_) => return Ok(id),
        };
        let mut ids: Vec<String> = self
            .undoable()
            .map(|it| it.planned.id.to_string())
            .collect();
        ids.reverse();
        Err(match ids.is_empty() {
            true => format!("Plan {id} cannot be undone: {problem}."),
            false => format!(
                "Plan {id} cannot be undone: {problem}. What can be: {}.",
                ids.join(", ")
            ),
        })
    }

    fn inverse(
        &self,
        (of, contents): (u64, &ContentStore),
        planning: &dyn Planning,
        keeping: Keeping,
    ) -> Result<Option<Inverse>> {
        let Some(known) = self.plan(of) else {
            return Ok(None);
        };
        let plan = plan_of(&known.planned, contents)?;
        let made = earlier_of(known, contents)?.made;
        Ok(Some(Inverse {
            of,
            origin: known.planned.origin,
            undo: undo(planning, &plan.writes, &made, keeping),
        }))
    }
}

impl Journal {
    /// The inverse of the plan with this number; `None` if there is no such plan.
    ///
    /// # Errors
    /// [`Error::File`](crate::Error::File) or [`Error::Content`](crate::Error::Content) if a
    /// content is missing or damaged.
    pub fn inverse(
        &self,
        of: u64,
        planning: &dyn Planning,
        keeping: Keeping,
    ) -> Result<Option<Inverse>> {
        self.with_state(|state| state.inverse((of, self.contents()), planning, keeping))
    }
}

impl ReadSession {
    /// The inverse of the plan with this number; `None` if there is no such plan.
    ///
    /// # Errors
    /// [`Error::File`](crate::Error::File) or [`Error::Content`](crate::Error::Content) if a
    /// content is missing or damaged.
    pub fn inverse(
        &self,
        of: u64,
        planning: &dyn Planning,
        keeping: Keeping,
    ) -> Result<Option<Inverse>> {
        let contents = (of, &self.contents);
        self.state.inverse(contents, planning, keeping)
    }
}
