//! A plan as files, by which somebody else carries it out.

use super::Conversation;
use crate::error::{Error, Result};
use crate::journal::{Origin, PlanState};
use crate::plan::planning;

impl Conversation {
    /// The files by which somebody else carries out this plan, or without a number the last one of
    /// a program: names and contents. None if it changes nothing.
    ///
    /// # Errors
    /// [`Error::usage`]: there is no such plan, it was carried out, or nothing else can do it.
    pub fn export(&self, plan: Option<u64>) -> Result<Vec<(String, String)>> {
        let journal = self.open_session().journal();
        let is_meant = |it: &&PlanState| match plan {
            Some(plan) => it.planned.id == plan,
            None => matches!(it.planned.origin, Origin::Program { .. }),
        };
        let found = journal.with_state(|state| {
            let found = state.plans.iter().rev().find(is_meant);
            found.map(|plan| (plan.planned.id, plan.has_effect() && !plan.undone))
        });
        let Some((plan, is_made)) = found else {
            return Err(Error::usage(match plan {
                Some(plan) => format!("there is no plan {plan} to export"),
                None => "there is no plan to export yet; ask for a change, and say no when it is \
                         shown"
                    .to_owned(),
            }));
        };
        if is_made {
            return Err(Error::usage(format!(
                "plan {plan} was carried out, and its files would do it again; take it back before \
                 it is exported"
            )));
        }
        let (plan, _) = journal.plan_and_steps(plan)?;
        planning(&self.open_session().domain)?
            .export(&plan.writes)
            .map_err(|why| Error::usage(format!("the plan cannot be exported, because {why}")))
    }
}
