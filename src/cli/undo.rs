//! Taking back what a plan of a session did, before the eyes of a person: `/undo` of a chat
//! and `dialog2api session undo`.

use super::chat::Asker;
use super::plan;
use super::progress::Spinner;
use crate::agent::Decision;
use crate::domain::s3::{S3, S3Planning};
use crate::domain::{Planning, World};
use crate::error::{Error, Result};
use crate::journal::{By, Inverse, Journal, Origin};
use crate::plan::{Applied, Apply, Earlier, Keeping, Plan, Stop};
use crate::policy::Policy;

/// Takes back plans of one session.
pub struct Undoer<'a> {
    pub journal: &'a Journal,
    pub world: &'a dyn World,
    /// What an undo may do, as any program.
    pub policy: Option<&'a Policy>,
    pub keeping: Keeping,
    /// Shows what would be done, and asks.
    pub asker: &'a Asker,
    pub quiet: bool,
}

/// What came of it.
pub struct Undone {
    pub how: How,
    /// The same in words.
    pub said: String,
    /// The writes that were made, and how many there were to make.
    pub made: (usize, usize),
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// There is nothing that could be taken back.
    Nothing,
    /// The policy does not allow it.
    Denied,
    /// The person said no.
    Declined,
    /// All is as it was, but for what was said to be lost.
    Whole,
    /// Not all of it was taken back.
    Partly,
}

impl Undone {
    /// Nothing was done.
    pub fn without_change(how: How, said: impl Into<String>) -> Undone {
        Undone {
            how,
            said: said.into(),
            made: (0, 0),
        }
    }
}

/// How writes of the domain of sessions are planned.
pub fn planning() -> &'static dyn Planning {
    &S3Planning
}

impl Undoer<'_> {
    /// Takes back the plan of this number, or else the last one that did something, if the
    /// person agrees.
    pub async fn undo(&self, plan: Option<u64>) -> Result<Undone> {
        let of = match self.journal.with_state(|state| state.to_undo(plan)) {
            Ok(of) => of,
            Err(sentence) => return Ok(Undone::without_change(How::Nothing, sentence)),
        };
        let inverse = self.inverse(of).await?;
        self.asker.show(plan::lasting(&inverse.undo.lost))?;
        let plan = &inverse.undo.plan;
        if plan.writes.is_empty() {
            return Ok(nothing(&inverse));
        }
        if let Some(denied) = self.denied(plan) {
            return Ok(denied);
        }
        let id = self.journal.plan(Origin::Undo { of }, plan)?;
        let (decision, by) = self.asker.decide(&head(&inverse), plan)?;
        self.journal.decided(id, &decision, by)?;
        match decision {
            Decision::Decline(_) => Ok(Undone::without_change(How::Declined, "")),
            Decision::Apply(stop) => {
                let undone = self.apply((id, of), plan, Earlier::default(), stop).await?;
                Ok(match (undone.how, by) {
                    // Nobody has seen yet what that was.
                    (How::Whole, By::Policy) => Undone {
                        said: format!("Undone: {}.", plan::sum(&plan.totals())),
                        ..undone
                    },
                    _ => undone,
                })
            }
        }
    }

    /// Finishes an undo whose apply was cut off: the plan `id` that takes back `of`.
    pub async fn finish(&self, id: u64, of: u64) -> Result<Undone> {
        let (plan, earlier) = self.journal.plan_and_steps(id)?;
        if let Some(denied) = self.denied(&plan) {
            return Ok(denied);
        }
        self.apply((id, of), &plan, earlier, self.asker.stoppable())
            .await
    }

    /// Takes back what a plan did whose apply was cut off. The person has said so.
    pub async fn take_back(&self, of: u64) -> Result<Undone> {
        let inverse = self.inverse(of).await?;
        let plan = &inverse.undo.plan;
        let taken_back = "What was done is taken back.";
        self.asker.show(plan::lasting(&inverse.undo.lost))?;
        if plan.writes.is_empty() {
            return Ok(nothing(&inverse));
        }
        if let Some(denied) = self.denied(plan) {
            return Ok(denied);
        }
        let id = self.journal.plan(Origin::Undo { of }, plan)?;
        let stop = self.asker.stoppable();
        let decision = Decision::Apply(stop.clone());
        self.journal.decided(id, &decision, By::User)?;
        let undone = self.apply((id, of), plan, Earlier::default(), stop).await?;
        Ok(match undone.how {
            How::Whole => Undone {
                said: taken_back.to_owned(),
                ..undone
            },
            _ => undone,
        })
    }

    /// Whether the policy does not let the writes be made.
    fn denied(&self, plan: &Plan) -> Option<Undone> {
        let judged = self.policy?.judge_all(&S3, &plan.writes);
        let denied = judged.err()?;
        Some(Undone::without_change(How::Denied, denied.to_string()))
    }

    /// What takes back a plan, in the world as it is now. Of one whose apply was cut off it
    /// is found out first what it did, and it goes no further. Where nothing is left to take
    /// back, it is undone.
    async fn inverse(&self, of: u64) -> Result<Inverse> {
        let is_cut_off =
            |state: &crate::journal::State| state.plan(of).is_some_and(|known| known.is_open());
        if self.journal.with_state(is_cut_off) {
            let (plan, earlier) = self.journal.plan_and_steps(of)?;
            let apply = Apply {
                earlier,
                ..Apply::new(planning(), self.world, &plan.writes)
            };
            let applied = apply.settle(&mut *self.journal.record(of)).await;
            self.journal.applied(of, &applied)?;
        }
        let inverse = self.journal.inverse(of, planning(), self.keeping)?;
        let mut inverse = inverse.ok_or_else(|| Error::Usage(format!("there is no plan {of}")))?;
        let still = inverse.undo.still(planning(), self.world, self.keeping);
        inverse.undo = still.await?;
        if inverse.undo.plan.writes.is_empty() && inverse.undo.lost.is_empty() {
            self.journal.undone(of)?;
        }
        Ok(inverse)
    }

    async fn apply(
        &self,
        (id, undoes): (u64, u64),
        plan: &Plan,
        earlier: Earlier,
        stop: Stop,
    ) -> Result<Undone> {
        let spinner = Spinner::new(self.quiet);
        let of = plan.writes.len();
        let apply = Apply {
            keeping: self.keeping,
            earlier,
            stop,
            ..Apply::new(planning(), self.world, &plan.writes)
        };
        let mut watch = |made| spinner.say(&format!("{made} of {of} writes are made"));
        let applied: Applied = {
            let mut record = self.journal.record(id);
            apply.run(&mut *record, &mut watch).await
        };
        spinner.done();
        self.journal.applied(id, &applied)?;
        let (how, said) = match applied.failure(of) {
            None => {
                self.journal.undone(undoes)?;
                (How::Whole, "Undone.".to_owned())
            }
            Some((_, sentence)) => (How::Partly, sentence),
        };
        Ok(Undone {
            how,
            said,
            made: (applied.steps.len(), of),
        })
    }
}

/// There is nothing to do.
fn nothing(inverse: &Inverse) -> Undone {
    let said = match inverse.undo.lost.is_empty() {
        true => "All is as it was already.",
        false => "There is nothing that can be brought back.",
    };
    Undone::without_change(How::Nothing, said)
}

fn head(inverse: &Inverse) -> String {
    match inverse.origin {
        Origin::Program { turn, uid } => {
            format!("To undo the program of goal {uid}, in turn {turn}, would change this:")
        }
        Origin::Undo { of } => format!("To undo the undo of plan {of} would change this:"),
    }
}
