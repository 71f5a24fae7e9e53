//! One dialogue, turn by turn.

use super::Runner;
use super::strict::Before;
use super::timed_model::TimedModel;
use super::truth::{Truth, TruthTurn, fork};
use crate::agent::{Agent, Executed, Failure, Session, TurnReport};
use crate::dataset::rows::RowGoal;
use crate::dialogue::{GoalRecord, Outcome, Transcript};
use crate::domain::{self, World};
use crate::error::{Error, FailureReason, Result};
use crate::eval::candidate::{FixedAnswers, Play, TaskWatcher, TurnAtHand};
use crate::eval::log::{EvalMode, ExchangeLog, FailureKind, TurnFailure, TurnLog, TurnTiming};
use crate::exec::{Breach, EndedBy};
use crate::llm::{Model, ResponseCache};
use crate::retrieval::{Excluded, Task};
use std::sync::Arc;
use std::time::Instant;

/// A dialogue in progress.
pub(super) struct Stage<'a> {
    pub runner: &'a Runner,
    pub cache: Option<&'a Arc<ResponseCache>>,
    pub truth: &'a Truth,
    pub epoch: u32,
    /// Whether the model's server answered in the last turn; `None` if it was not asked.
    pub answered: Option<bool>,
    /// The past of the dialogue as the model made it, in end-to-end mode.
    own: Option<(Session, Arc<dyn World>)>,
}

impl<'a> Stage<'a> {
    pub fn new(
        runner: &'a Runner,
        cache: Option<&'a Arc<ResponseCache>>,
        truth: &'a Truth,
        epoch: u32,
    ) -> Self {
        Stage {
            runner,
            cache,
            truth,
            epoch,
            answered: None,
            own: None,
        }
    }

    /// Plays the turn with this index, from 0. The timing is `None` if an answer came from the
    /// cache.
    pub async fn turn(&mut self, index: usize) -> Result<Option<(TurnLog, Option<TurnTiming>)>> {
        let Some(turn) = self.truth.turns.get(index) else {
            return Ok(None);
        };
        let (mut session, world) = match (self.runner.plan.run.mode, self.own.take()) {
            (EvalMode::EndToEnd, Some(own)) => own,
            _ => (self.past(index)?, fork(&*turn.before)?),
        };
        session = session.excluding(self.excluded(index + 1));
        let stack: Vec<RowGoal> = (session.stack().goals().iter())
            .map(|goal| row_goal(goal))
            .collect();
        let said = session.said().to_owned();
        let before = Before {
            session: session.clone(),
            world: fork(&*world)?,
        };
        let started = Instant::now();
        let (report, spent) = self.play(index, &mut session, &world).await?;
        self.answered = match (&spent, &report.failure) {
            (Some(spent), _) if spent.answered() > 0 => Some(true),
            (_, Some(Failure::Model(error))) if error.is(FailureReason::Unanswered) => Some(false),
            _ => None,
        };
        let seconds = started.elapsed().as_secs_f64();
        let timing = spent
            .as_ref()
            .is_none_or(|spent| spent.answered() == answered(&report));
        let timing = timing.then(|| TurnTiming {
            dialogue: self.truth.uid.clone(),
            epoch: self.epoch,
            turn: turn.row.turn,
            seconds,
            model_seconds: spent.map_or(0.0, |spent| spent.seconds()),
            // The sum of no numbers is -0.0.
            program_seconds: (report.executed.iter())
                .map(|done| done.execution.elapsed.as_secs_f64())
                .fold(0.0, |sum, seconds| sum + seconds),
        });
        let strict = self.strict(before, &session, &report).await?;
        let mut log = self.log(turn, &session, report);
        log.strict = strict;
        (log.stack, log.previous_response) = (stack, said);
        log.state = domain::signature(&*world, []).await?.to_string();
        if log.exchanges.is_empty() && log.failure.is_none() {
            // Nothing was asked, so nothing was signed.
            log.signature.clone_from(&log.state);
        }
        self.own = Some((session, world));
        Ok(Some((log, timing)))
    }

    async fn play(
        &self,
        index: usize,
        session: &mut Session,
        world: &Arc<dyn World>,
    ) -> Result<(TurnReport, Option<Arc<TimedModel>>)> {
        let Runner {
            candidate,
            pool,
            plan,
            ..
        } = self.runner;
        let Some(turn) = self.truth.transcript.turns.get(index) else {
            return Ok((TurnReport::default(), None));
        };
        let seed = plan.run.settings.seed;
        let play = candidate.play(&TurnAtHand {
            truth: turn,
            stack: session.stack(),
            said: session.said(),
            excluded: &self.excluded(index + 1),
            pool,
            selection: self.runner.agent.settings().examples,
            seed: turn_seed(seed, self.epoch, &self.truth.uid, index),
        })?;
        let (model, spoken, timed): (Arc<dyn Model>, _, _) = match play {
            Play::Say { updates, reply } if updates.is_empty() => {
                session.pass(&turn.user, &reply);
                let report = TurnReport {
                    reply,
                    ..TurnReport::default()
                };
                return Ok((report, None));
            }
            Play::Say { updates, reply } => {
                let protocol = &*self.runner.agent.settings().protocol;
                let spoken = FixedAnswers::new(candidate.name(), &updates, &reply, protocol);
                (spoken.clone(), Some(spoken), None)
            }
            Play::Model(model) => {
                let timed = Arc::new(TimedModel::new(model));
                let model = match self.cache {
                    Some(cache) => cache.around(timed.clone()),
                    None => timed.clone(),
                };
                (model, None, Some(timed))
            }
        };
        let sampling = sampling(seed, self.epoch);
        let agent = self.agent(index + 1, model, world.clone(), sampling);
        let mut prompter = TaskWatcher(spoken);
        let mut report = agent.turn(session, &turn.user, &mut prompter).await;
        match report.failure.take() {
            // The model cannot be asked at all: a file or a program is missing.
            Some(Failure::Model(error)) if error.is(FailureReason::Usage) => return Err(error),
            failure => report.failure = failure,
        }
        Ok((report, timed))
    }

    /// The agent of a turn, counted from 1, with this model: it knows only what the turn offers.
    pub fn agent(
        &self,
        turn: usize,
        model: Arc<dyn Model>,
        world: Arc<dyn World>,
        sampling: u64,
    ) -> Agent {
        let agent = self.runner.agent.with(model, world, sampling);
        match self.truth.offer.in_turn(turn) {
            Some(offered) => agent.offering(&offered),
            None => agent,
        }
    }

    /// The examples that must not stand in the prompt of a turn, counted from 1.
    fn excluded(&self, turn: usize) -> Excluded {
        let operations = self.runner.agent.domain().operation_names();
        let offered = self.truth.offer.in_turn(turn);
        let is_held_back = |name: &&str| offered.as_ref().is_some_and(|it| !it.contains(name));
        Excluded {
            operations: (operations.filter(is_held_back))
                .map(|name| name.to_owned().into())
                .collect(),
            ..self.truth.excluded.clone()
        }
    }

    /// The true past of a turn.
    fn past(&self, index: usize) -> Result<Session> {
        let whole = &self.truth.transcript;
        let past = Transcript {
            uid: whole.uid.clone(),
            greeting: whole.greeting.clone(),
            turns: whole.turns.iter().take(index).cloned().collect(),
            ..Transcript::default()
        };
        Session::resume(&past).map_err(|violations| {
            let reasons: Vec<String> = violations.iter().map(ToString::to_string).collect();
            Error::usage(format!("dialogue {}: {}", whole.uid, reasons.join("; ")))
        })
    }

    fn log(&self, turn: &TruthTurn, session: &Session, report: TurnReport) -> TurnLog {
        let goals = session.turns().last().map_or(&[][..], |turn| &turn.goals);
        let calls = report.executed.iter().map(|done| {
            let calls = done.execution.calls.iter();
            let names = calls.map(|call| call.operation.clone()).collect();
            (done.uid, names)
        });
        let limited = report.executed.iter();
        let limited = limited.filter(|done| done.execution.ended_by == EndedBy::Limit);
        let limits = limited.map(|done| done.uid).collect();
        let late = report.executed.iter().find_map(late);
        let signature = report.signature.map(|signature| signature.to_string());
        let unsigned = signature.is_none() && !report.exchanges.is_empty();
        let failure = report.failure.as_ref().map(failure);
        TurnLog {
            epoch: self.epoch,
            truth: turn.row.clone(),
            truth_signature: turn.signature.clone(),
            truth_state: turn.state.clone(),
            stack: Vec::new(),
            previous_response: String::new(),
            programs: goals.iter().map(RowGoal::from).collect(),
            calls: calls.collect(),
            limits: Some(limits),
            response: report.reply,
            plain: report.plain,
            doubts: report.unsupported,
            failure: failure.or(late).or_else(|| {
                unsigned.then(|| TurnFailure {
                    kind: FailureKind::Ours,
                    message: "the state of the world could not be read".to_owned(),
                })
            }),
            signature: signature.unwrap_or_default(),
            state: String::new(),
            aided: report.aided,
            strict: None,
            exchanges: report.exchanges.into_iter().map(exchange).collect(),
        }
    }
}

/// The failure of a program that the clock of this machine ended, which decides nothing that is
/// scored.
fn late(done: &Executed) -> Option<TurnFailure> {
    let deadline = Breach::Deadline.name();
    let is_late = done.execution.ended_by == EndedBy::Limit
        && matches!(&done.execution.outcome, Outcome::Error(it) if it.error == deadline);
    is_late.then(|| TurnFailure {
        kind: FailureKind::Ours,
        message: format!(
            "program {} was not at its end within the time of this machine, and had steps left: run \
             fewer dialogues at once",
            done.uid
        ),
    })
}

/// The sampling seed of an epoch. Epochs are far apart, so that runs with neighbouring seeds
/// share none.
fn sampling(seed: u64, epoch: u32) -> u64 {
    const STRIDE: u64 = 1_000_003;
    seed.wrapping_add(u64::from(epoch.saturating_sub(1)).wrapping_mul(STRIDE))
}

/// A number for each turn of a run.
fn turn_seed(seed: u64, epoch: u32, dialogue: &str, turn: usize) -> u64 {
    let hash = blake3::hash(format!("{seed}/{epoch}/{turn}/{dialogue}").as_bytes());
    let [a, b, c, d, e, f, g, h, ..] = *hash.as_bytes();
    u64::from_be_bytes([a, b, c, d, e, f, g, h])
}

fn answered(report: &TurnReport) -> u32 {
    let answers = report.exchanges.iter().filter(|done| done.answer.is_ok());
    u32::try_from(answers.count()).unwrap_or(u32::MAX)
}

/// A goal as a model sees it: without its signature.
fn row_goal(goal: &crate::dialogue::Goal) -> RowGoal {
    RowGoal {
        signature: None,
        ..RowGoal::from(&GoalRecord::from(goal))
    }
}

fn exchange(exchange: crate::agent::Exchange) -> ExchangeLog {
    let (text, usage, error) = match exchange.answer {
        Ok(completion) => (Some(completion.text), completion.usage, None),
        Err(error) => (None, crate::llm::Usage::default(), Some(error)),
    };
    ExchangeLog {
        task: exchange.task,
        request: exchange.request,
        text,
        error,
        finding: exchange.finding,
        usage,
    }
}

fn failure(failure: &Failure) -> TurnFailure {
    let kind = match failure {
        // Failing to write the answer into the cache is not the provider's failure.
        Failure::Model(Error::File { .. }) => FailureKind::Ours,
        Failure::Model(_) => FailureKind::Provider,
        Failure::NotUnderstood {
            task: Task::Program,
            ..
        } => FailureKind::Programs,
        Failure::CutOff {
            task: Task::Program,
            ..
        } => FailureKind::CutOff,
        Failure::NotUnderstood { .. } | Failure::CutOff { .. } => FailureKind::Response,
        _ => FailureKind::Ours,
    };
    TurnFailure {
        kind,
        message: failure.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::{Execution, Limits};

    /// A program of goal 3 that ended with the error of this limit.
    fn ended(breach: Breach, ended_by: EndedBy) -> Executed {
        Executed {
            uid: 3,
            execution: Execution {
                outcome: breach.outcome(&Limits::default()),
                calls: Arc::default(),
                output: String::new(),
                elapsed: std::time::Duration::ZERO,
                ended_by,
                unread: Vec::new(),
                touched: None,
            },
            signature: None,
        }
    }

    #[test]
    fn only_the_clock_of_the_machine_is_no_mistake_of_the_model() {
        let failure = late(&ended(Breach::Deadline, EndedBy::Limit)).expect("a failure");
        assert_eq!(failure.kind, FailureKind::Ours);
        assert!(
            failure.message.starts_with("program 3 "),
            "{}",
            failure.message
        );
        assert!(late(&ended(Breach::Fuel, EndedBy::Limit)).is_none());
        // A program that raises an error of that name has ended by itself.
        assert!(late(&ended(Breach::Deadline, EndedBy::Program)).is_none());
    }
}
