//! The overseer of an agent: it decides on plans, keeps a record, and remembers what an
//! interrupted turn had done already.

use super::execute::Program;
use super::host_errors::{DECLINED, INTERRUPTED, TOO_COSTLY};
use super::predict::Prediction;
use super::{Agent, Executed, Failure, Observer, Session, TurnEvent, TurnReport};
use crate::dialogue::{Outcome, ProgramError, Update};
use crate::domain::{Costly, Refusal, Slate, Touch, World, Write};
use crate::error::Result;
use crate::exec::{EndedBy, Execution};
use crate::plan::{
    Applied, Apply, Draft, Earlier, End, NOTHING_CHANGED, Plan, Record, Stop, Unrecorded, planning,
};
use crate::policy::{AskAbove, Denied};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

/// The factor by which the cost of a program may grow before its user is asked again.
pub(super) const MORE: u64 = 10;

/// Oversees the turns of one dialogue. Each method is called before the step that it names
/// has consequences; an error stops the turn there. By default nothing is written down, and
/// no interrupted turn is known.
#[async_trait]
pub trait Overseer: Send + Sync {
    /// A turn begins. `turn` counts from 1.
    async fn said(&self, _turn: usize, _user: &str) -> Result<()> {
        Ok(())
    }

    /// The programs of the turn are known, and nothing has run.
    async fn predicted(&self, _turn: usize, _updates: &[Update]) -> Result<()> {
        Ok(())
    }

    /// How far a program had come before the turn was interrupted.
    async fn earlier(&self, _turn: usize, _uid: u32) -> Result<Known> {
        Ok(Known::Nothing)
    }

    /// How much of what a program of an earlier turn did is still done. By default nobody knows.
    fn left(&self, _turn: usize, _uid: u32) -> Option<Left> {
        None
    }

    /// Whether a plan is carried out, and who says so. A plan that only reads is never asked
    /// about.
    async fn decide(&self, turn: usize, uid: u32, plan: &Plan) -> Result<Decided>;

    /// As [`decide`](Self::decide), for a plan to which the user has just said yes in words. By
    /// default that makes no difference.
    async fn agreed(&self, turn: usize, uid: u32, plan: &Plan) -> Result<Decided> {
        self.decide(turn, uid, plan).await
    }

    /// Whether a program that has cost this much goes on. By default it does.
    async fn go_on(&self, _turn: usize, _uid: u32, _costly: &Costly) -> Result<bool> {
        Ok(true)
    }

    /// The handle that stops an interrupted apply while it is being finished. It is the same
    /// one as in [`Decision::Apply`]. By default nothing ends it.
    fn stop(&self) -> Stop {
        Stop::default()
    }

    /// The record of the apply of the last plan that was decided on.
    fn record(&self) -> Box<dyn Record + '_> {
        Box::new(Unrecorded)
    }

    /// How an apply ended.
    async fn applied(&self, _turn: usize, _uid: u32, _applied: &Applied) -> Result<()> {
        Ok(())
    }

    /// What the conduct keeps has changed, or what is pending: the
    /// [`Slate`] of the world.
    async fn kept(&self, _turn: usize, _slate: &Slate) -> Result<()> {
        Ok(())
    }

    /// A program has ended.
    async fn executed(&self, _turn: usize, _executed: &Executed) -> Result<()> {
        Ok(())
    }

    /// The turn ends with these words.
    async fn replied(&self, _turn: usize, _report: &TurnReport) -> Result<()> {
        Ok(())
    }
}

/// How far a program that a turn is about to run had come before an interruption.
#[derive(Debug)]
pub enum Known {
    /// Nothing: it runs.
    Nothing,
    /// It has run, with this outcome.
    Executed(Executed),
    /// Its plan was agreed to, and its apply was interrupted.
    Begun {
        /// The plan.
        plan: Plan,
        /// How far the apply got.
        earlier: Earlier,
    },
    /// Its plan was agreed to, and its apply ended early or was taken back.
    Ended {
        /// The plan.
        plan: Plan,
        /// What the writes touched that were made; none where that is not known.
        touched: Option<Vec<Touch>>,
        /// How it ended: a sentence for the model.
        why: String,
    },
}

/// How much of what a program did is still done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// Nothing: it did nothing, or all of it was taken back.
    Nothing,
    /// A part: it was stopped, or a part was taken back.
    Part,
    /// All of it.
    Whole,
}

/// A decision on a plan.
#[derive(Debug, Clone)]
pub enum Decision {
    /// It is carried out; the handle can end that early.
    Apply(Stop),
    /// It is not, and why: a sentence for the model.
    Decline(String),
}

impl Decision {
    /// The decision as that of somebody.
    pub fn by(self, by: DecidedBy) -> Decided {
        Decided { decision: self, by }
    }
}

/// A decision, and who made it.
#[derive(Debug, Clone)]
pub struct Decided {
    /// The decision.
    pub decision: Decision,
    /// Who made it.
    pub by: DecidedBy,
}

/// Who decides on a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DecidedBy {
    /// A person.
    User,
    /// A person, by a plain yes in words: it was said in the turn of the plan, and before it the
    /// person was shown everything that the plan does.
    Words,
    /// A consent that the user had given before.
    Policy,
    /// A client that dropped the plan, without the user.
    Client,
}

/// A program of an agent that is overseen.
pub(super) struct Overseen<'a> {
    pub agent: &'a Agent,
    pub overseer: &'a dyn Overseer,
    pub program: &'a Program<'a>,
}

/// What came of a program on its draft.
enum Planned {
    /// There is nothing to write, or it is not to be written.
    Ended(Execution),
    /// The plan is to be carried out.
    Agreed(Box<Plan>, Execution, Stop),
}

impl Overseen<'_> {
    /// Runs the program on a draft, and applies the draft's writes to the world if that is
    /// agreed to. A program that fails changes nothing.
    pub async fn run(&self, observer: &mut dyn Observer) -> Result<Execution, Failure> {
        let failed_after = |may_have_written| {
            let uid = self.program.uid;
            move |error| Failure::Execution {
                uid,
                may_have_written,
                error,
            }
        };
        if self.agent.domain.effects.is_stepwise {
            let execution = self.run_stepwise(observer).await;
            return execution.map_err(failed_after(true));
        }
        let agreed = self.plan(observer).await.map_err(failed_after(false))?;
        match agreed {
            Planned::Ended(execution) => Ok(execution),
            Planned::Agreed(plan, execution, stop) => {
                let earlier = Earlier::default();
                let applied = self.apply(&plan, execution, earlier, stop, observer).await;
                applied.map_err(failed_after(true))
            }
        }
    }

    /// Runs the program on a draft, and asks about what it would write. Nothing is written.
    async fn plan(&self, observer: &mut dyn Observer) -> Result<Planned> {
        let (agent, uid) = (self.agent, self.program.uid);
        let (draft, execution) = match self.draft(observer).await? {
            Ok(ran) => ran,
            Err(declined) => return Ok(Planned::Ended(declined)),
        };
        // The plan needs nothing else of the draft, and a person may take long to read it.
        let (writes, reads) = draft.take_recorded();
        drop(draft);
        if writes.is_empty() {
            return Ok(Planned::Ended(execution));
        }
        if execution.outcome.is_error() {
            let writes = writes.len();
            observer.event(TurnEvent::Withheld { uid, writes });
            return Ok(Planned::Ended(execution));
        }
        let plan = self.plan_of(writes, reads, &execution)?;
        let turn = self.program.turn;
        agent.note_kept(turn).await?;
        let conduct = agent.domain.conduct.as_ref();
        let is_agreed = self.program.is_after_yes
            && (conduct.is_some_and(|conduct| conduct.is_agreed(&*agent.world))
                || (self.program.proposed.as_ref()).is_some_and(|it| it.makes_the_same(&plan)));
        let decided = match is_agreed {
            true => self.overseer.agreed(turn, uid, &plan).await?,
            false => self.overseer.decide(turn, uid, &plan).await?,
        };
        Ok(match decided.decision {
            Decision::Apply(stop) => Planned::Agreed(Box::new(plan), execution, stop),
            Decision::Decline(why) => Planned::Ended(failed(execution, DECLINED, why)),
        })
    }

    /// The world that drafts of the program are made of, and the cost at which its user is asked. The
    /// drafts of one fork know what the ones before have read on a server.
    pub(super) fn untouched(&self) -> (Arc<dyn World>, AskAbove) {
        let agent = self.agent;
        let policy = agent.settings.policy.as_ref();
        let most = policy.map_or(AskAbove::NEVER, |policy| policy.ask_above);
        let fork = agent.world.spent().and_then(|_| agent.world.fork());
        (fork.unwrap_or_else(|| agent.world.clone()), most)
    }

    /// A draft of this world with the time of the program, twice: to be read, and to be run on.
    pub(super) fn draft_of(&self, fresh: &Arc<dyn World>) -> Result<(Arc<Draft>, Arc<dyn World>)> {
        let draft = Draft::of(fresh, &self.agent.domain)?;
        let world: Arc<dyn World> = draft.clone();
        world.hold_time(self.program.seed.now);
        Ok((draft, world))
    }

    /// Runs the program on a draft of its own. If it reaches a cost limit, the overseer is
    /// asked. A program that may go on starts again, but the server is not asked again what it
    /// has said. It is asked about again at ten times as much. The inner error is the end of a
    /// program that may not go on.
    async fn draft(
        &self,
        observer: &mut dyn Observer,
    ) -> Result<std::result::Result<(Arc<Draft>, Execution), Execution>> {
        let (agent, program) = (self.agent, self.program);
        let (fresh, mut most) = self.untouched();
        loop {
            let (draft, world) = self.draft_of(&fresh)?;
            let costly = match agent.run_within(program, &world, most, observer).await? {
                Ok(execution) => return Ok(Ok((draft, execution))),
                Err(costly) => costly,
            };
            if !(self.overseer)
                .go_on(program.turn, program.uid, &costly)
                .await?
            {
                let why = format!("{NOTHING_CHANGED}, and {}", not_agreed(&costly));
                return Ok(Err(failed(unfinished(), TOO_COSTLY, why)));
            }
            most = most.times(MORE);
        }
    }

    /// Finishes an apply that was interrupted.
    pub async fn finish(
        &self,
        plan: &Plan,
        earlier: Earlier,
        observer: &mut dyn Observer,
    ) -> Result<Execution> {
        let stop = self.overseer.stop();
        let execution = planned(plan);
        self.apply(plan, execution, earlier, stop, observer).await
    }

    /// Applies a plan. Where that ends early, it is the program's outcome.
    async fn apply(
        &self,
        plan: &Plan,
        execution: Execution,
        earlier: Earlier,
        stop: Stop,
        observer: &mut dyn Observer,
    ) -> Result<Execution> {
        let agent = self.agent;
        let (turn, uid, of) = (self.program.turn, self.program.uid, plan.writes.len());
        let apply = Apply {
            stop,
            earlier,
            keeping: agent.settings.keeping,
            reads: plan.reads.clone(),
            ..Apply::new(&**planning(&agent.domain)?, &*agent.world, &plan.writes)
        };
        if let Err(denied) = agent.judge(plan) {
            return self.close_denied(apply, denied.into(), execution).await;
        }
        let applied = {
            let mut record = self.overseer.record();
            let mut watch = |made| observer.event(TurnEvent::Applying { uid, made, of });
            apply.run(&mut *record, &mut watch).await
        };
        self.overseer.applied(turn, uid, &applied).await?;
        let execution = self.made(&plan.writes, &applied, execution);
        Ok(match applied.failure(of) {
            None => execution,
            Some((code, sentence)) => failed(execution, &code, sentence),
        })
    }

    /// The same execution with what the writes touched that were made in the world.
    fn made(&self, writes: &[Write], applied: &Applied, execution: Execution) -> Execution {
        let domain = &self.agent.domain;
        let steps = applied.steps.iter();
        let writes = steps.filter_map(|step| writes.get(step.number));
        let touched = writes.map(|write| domain.touched(&write.operation, &write.params));
        let touched: Option<Vec<Vec<Touch>>> = touched.collect();
        Execution {
            touched: touched
                .filter(|_| applied.in_doubt == 0)
                .map(|touched| touched.concat()),
            ..execution
        }
    }
}

impl Overseen<'_> {
    /// Ends a plan that the policy does not allow any more. If an interrupted apply had begun
    /// a write, it is found out first whether that was made.
    async fn close_denied(
        &self,
        apply: Apply<'_>,
        refusal: Refusal,
        execution: Execution,
    ) -> Result<Execution> {
        let writes = apply.writes;
        let settled = apply.settle(&mut *self.overseer.record()).await;
        let applied = Applied::new(settled.steps, End::Refused(refusal.clone()));
        let (turn, uid) = (self.program.turn, self.program.uid);
        self.overseer.applied(turn, uid, &applied).await?;
        let execution = self.made(writes, &applied, execution);
        Ok(match applied.failure(writes.len()) {
            Some((code, sentence)) if !applied.steps.is_empty() => {
                failed(execution, &code, sentence)
            }
            _ => failed(execution, &refusal.code, refusal.message),
        })
    }
}

impl Agent {
    /// Whether the policy lets a plan's writes be made. They were judged when they were
    /// planned; since then another policy may hold.
    fn judge(&self, plan: &Plan) -> std::result::Result<(), Denied> {
        match &self.settings.policy {
            Some(policy) => policy.judge_all(&self.domain, &plan.writes),
            None => Ok(()),
        }
    }

    pub(super) async fn note_said(&self, session: &Session, user: &str) -> Result<(), Failure> {
        let Some(overseer) = &self.overseer else {
            return Ok(());
        };
        let said = overseer.said(session.turns().len(), user).await;
        said.map_err(Failure::Record)
    }

    pub(super) async fn note_predicted(
        &self,
        session: &Session,
        prediction: &Prediction,
    ) -> Result<(), Failure> {
        let Some(overseer) = &self.overseer else {
            return Ok(());
        };
        let turn = session.turns().len();
        let predicted = overseer.predicted(turn, &prediction.updates).await;
        predicted.map_err(Failure::Record)
    }

    /// Writes down how a turn ended. If that fails the turn has happened all the same.
    pub(super) async fn note_replied(
        &self,
        session: &Session,
        mut report: TurnReport,
    ) -> TurnReport {
        if let Some(overseer) = &self.overseer {
            let replied = overseer.replied(session.turns().len(), &report).await;
            if let Err(error) = replied {
                report.failure.get_or_insert(Failure::Record(error));
            }
        }
        report
    }
}

/// The outcome of a program whose apply had ended early when the turn was interrupted.
pub(super) fn ended(plan: &Plan, touched: Option<Vec<Touch>>, why: String) -> Execution {
    let execution = Execution {
        touched,
        ..planned(plan)
    };
    failed(execution, INTERRUPTED, why)
}

/// Why a program did not come to its end that costs much: the rest of a sentence.
pub(super) fn not_agreed(costly: &Costly) -> String {
    format!(
        "the program did not come to its end: {costly}. The user was asked whether it goes on, \
         because this costs time and money, and did not agree."
    )
}

/// A run of which nothing is kept.
fn unfinished() -> Execution {
    Execution {
        outcome: Outcome::Result(serde_json::Value::Null),
        calls: Arc::default(),
        output: String::new(),
        elapsed: Duration::ZERO,
        ended_by: EndedBy::Overseer,
        unread: Vec::new(),
        touched: None,
    }
}

/// The run that a plan was made in, without its output, which no journal keeps.
fn planned(plan: &Plan) -> Execution {
    Execution {
        outcome: plan.outcome.clone(),
        calls: plan.calls.clone(),
        output: String::new(),
        elapsed: Duration::ZERO,
        ended_by: EndedBy::Program,
        unread: Vec::new(),
        touched: None,
    }
}

/// The same execution, with another end.
pub(super) fn failed(execution: Execution, code: &str, message: String) -> Execution {
    Execution {
        outcome: Outcome::Error(ProgramError {
            error: code.to_owned(),
            message,
            traceback: None,
        }),
        ended_by: EndedBy::Overseer,
        ..execution
    }
}
