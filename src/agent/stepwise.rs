//! Runs programs on worlds that cannot be copied, such as an API behind HTTP.
//!
//! Such a world has no drafts, so the effects of a whole program are not known before it runs.
//! The program runs until its first write and is stopped there. Its reads are real. The write
//! is a plan of its own: it is shown, decided on and made. Then the program runs again from
//! its start. Calls that were made before are answered from memory, and must be the same as in
//! the first run; else the program is stopped. So the program reaches its next write.

use super::host_errors::{DECLINED, INTERRUPTED, LOST, MADE_BEFORE, TOO_COSTLY};
use super::oversee::{MORE, Overseen, failed, not_agreed};
use super::{Observer, TurnEvent};
use crate::dialogue::{Outcome, ProgramError};
use crate::domain::Access;
use crate::domain::{
    Answer, Costly, Domain, Image, Layer, Mark, Onward, Place, Refusal, Touch, Touched, Value,
    World, Write, counted, plural, tallied,
};
use crate::error::{Error, Result};
use crate::exec::{CallRecord, EndedBy, Execution};
use crate::plan::{Applied, End, NOTHING_CHANGED, Plan, Step, Stop};
use crate::policy::{Allowance, AskAbove};
use async_trait::async_trait;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The outcome in a plan of one write: the result of the program is not known yet. A goal
/// keeps this outcome only if the process ends before the program goes on.
pub const UNFINISHED: &str = "Unfinished";

/// The most writes that one program may make. Each is shown as a plan.
const WRITES: usize = 200;

/// A call that was made, with its answer.
#[derive(Debug, Clone)]
struct Made {
    operation: String,
    params: Value,
    answer: Answer,
}

/// A write that was answered.
struct Written {
    call: Made,
    /// Whether the user wants the program to stop after it.
    is_stopped: bool,
}

/// Why a program was stopped.
#[derive(Debug, Clone)]
enum Halt {
    /// It makes a new write.
    Write { operation: String, params: Value },
    /// It does not repeat its first run.
    Diverged(String),
}

/// A world that answers from memory first, and stops a program at its first new write.
struct Steps {
    world: Arc<dyn World>,
    domain: Arc<Domain>,
    progress: Mutex<Progress>,
}

#[derive(Default)]
struct Progress {
    made: Vec<Made>,
    /// The number of earlier calls that the program has repeated.
    again: usize,
    halt: Option<Halt>,
}

impl Steps {
    fn progress(&self) -> std::sync::MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Remembers an answer.
    fn keep(&self, operation: &str, params: &Value, answer: Answer) -> Answer {
        let mut progress = self.progress();
        progress.again += 1;
        progress.made.push(Made {
            operation: operation.to_owned(),
            params: params.clone(),
            answer: answer.clone(),
        });
        answer
    }

    /// The answer from memory, if the program is still repeating its first run.
    fn known(&self, operation: &str, params: &Value) -> Option<Result<Answer>> {
        let mut progress = self.progress();
        let number = progress.again;
        let known = progress.made.get(number)?.clone();
        if known.operation == operation && known.params == *params {
            progress.again += 1;
            return Some(Ok(known.answer));
        }
        let (call, before) = (number + 1, known.operation);
        let why = match before == operation {
            true => format!("call {call}, {before}, had other arguments in the run before"),
            false => format!("call {call} is {operation}, and was {before} in the run before"),
        };
        progress.halt = Some(Halt::Diverged(why));
        Some(Err(stopped()))
    }
}

fn stopped() -> Error {
    Error::world("the program is stopped before its next write")
}

#[async_trait]
impl Layer for Steps {
    fn under(&self) -> &dyn World {
        &*self.world
    }

    async fn pass(&self, operation: &str, params: &Value, onward: &Onward<'_>) -> Result<Answer> {
        if let Some(known) = self.known(operation, params) {
            return known;
        }
        let is_write = self.domain.writes(operation);
        if is_write && let Some(refusal) = self.world.objection(operation, params).await? {
            return Ok(self.keep(operation, params, Err(refusal)));
        }
        if is_write {
            let (operation, params) = (operation.to_owned(), params.clone());
            self.progress().halt = Some(Halt::Write { operation, params });
            return Err(stopped());
        }
        let answer = onward.call(operation, params).await?;
        Ok(self.keep(operation, params, answer))
    }
}

impl Overseen<'_> {
    /// Runs a program on a world that cannot be copied, write by write.
    pub(super) async fn run_stepwise(&self, observer: &mut dyn Observer) -> Result<Execution> {
        let agent = self.agent;
        let mut made = Vec::new();
        let policy = agent.settings.policy.as_ref();
        let most = policy.map_or(AskAbove::NEVER, |policy| policy.ask_above);
        // Calls that were made before are answered from memory, so what a program costs is
        // counted over all its runs.
        let mut allowance = Allowance::of(&agent.world, &agent.domain, most, true);
        loop {
            let world: Arc<dyn World> = match &allowance {
                Some(allowance) => allowance.clone(),
                None => agent.world.clone(),
            };
            let steps = Arc::new(Steps {
                world,
                domain: agent.domain.clone(),
                progress: Mutex::new(Progress {
                    made: std::mem::take(&mut made),
                    ..Progress::default()
                }),
            });
            let world: Arc<dyn World> = steps.clone();
            let ran = agent.run(self.program, &world, observer).await;
            let (halt, known) = {
                let mut progress = steps.progress();
                (progress.halt.take(), std::mem::take(&mut progress.made))
            };
            made = known;
            let printed = match &ran {
                Ok(execution) => &execution.output,
                Err(error) => error.output(),
            };
            let ended = |made: &[Made], code: &str, why| Execution {
                output: printed.to_owned(),
                ..ended(made, code, why)
            };
            if let Some(costly) = allowance.as_ref().and_then(|it| it.costly()) {
                match self.go_on(&costly, &made).await? {
                    None => allowance = allowance.map(|it| it.raised(MORE)),
                    Some(ended) => {
                        let output = printed.to_owned();
                        return Ok(Execution { output, ..ended });
                    }
                }
                continue;
            }
            let done = writes_made(&agent.domain, &made);
            let (operation, params) = match halt {
                None => {
                    return match ran {
                        Err(ref error) if done > 0 => {
                            let why = error.to_string();
                            let why = format!("{}.", why.trim_end_matches('.'));
                            Ok(ended(&made, LOST, why + &made_before(&agent.domain, &made)))
                        }
                        ran => ran,
                    };
                }
                Some(Halt::Diverged(why)) => {
                    let before = made_before(&agent.domain, &made);
                    let why = format!("the program was stopped: {why}.{before}");
                    return Ok(ended(&made, "Diverged", why));
                }
                Some(Halt::Write { .. }) if done >= WRITES => {
                    let before = made_before(&agent.domain, &made);
                    let why =
                        format!("a program can make no more than {WRITES} writes here.{before}");
                    return Ok(ended(&made, "TooManyWrites", why));
                }
                Some(Halt::Write { operation, params }) => (operation, params),
            };
            match self.one_write(&made, operation, params, observer).await? {
                Ok(Written { call, is_stopped }) => {
                    made.push(call);
                    if is_stopped {
                        let before = made_before(&agent.domain, &made);
                        let why = format!("the program was stopped.{before}");
                        return Ok(ended(&made, INTERRUPTED, why));
                    }
                }
                Err((code, why)) => {
                    let before = made_before(&agent.domain, &made);
                    return Ok(ended(&made, &code, why + &before));
                }
            }
        }
    }

    /// Asks whether a program that costs much goes on; its end if it does not.
    async fn go_on(&self, costly: &Costly, made: &[Made]) -> Result<Option<Execution>> {
        let (turn, uid) = (self.program.turn, self.program.uid);
        if self.overseer.go_on(turn, uid, costly).await? {
            return Ok(None);
        }
        let domain = &self.agent.domain;
        let changed = match writes_made(domain, made) {
            0 => NOTHING_CHANGED.to_owned(),
            1 => "The program has made 1 write".to_owned(),
            many => format!("The program has made {many} writes"),
        };
        let why = format!("{changed}, and {}", not_agreed(costly));
        Ok(Some(ended(made, TOO_COSTLY, why)))
    }

    /// Shows one write, and makes it if that is agreed to. The inner error is the code and
    /// the sentence with which the program ends.
    async fn one_write(
        &self,
        made: &[Made],
        operation: String,
        params: Value,
        observer: &mut dyn Observer,
    ) -> Result<std::result::Result<Written, (String, String)>> {
        let (agent, turn, uid) = (self.agent, self.program.turn, self.program.uid);
        let write = write_of(&agent.domain, &*agent.world, operation, params);
        let mut plan = Plan::new(
            agent.domain.effects.planning.as_deref(),
            vec![write.clone()],
            records(made),
            Outcome::Error(ProgramError {
                error: UNFINISHED.to_owned(),
                message: "what the program does after this call is not known before it is made"
                    .to_owned(),
                traceback: None,
            }),
            agent.settings.keeping,
        );
        let images = self.images(&write).await?;
        let lasting = images.iter().filter_map(|(place, image)| match image {
            Image::Lost(because) => Some((place.clone(), because.clone())),
            _ => None,
        });
        plan.lasting = lasting.collect();
        let stop = match self.overseer.decide(turn, uid, &plan).await?.decision {
            super::Decision::Decline(why) => return Ok(Err((DECLINED.to_owned(), why))),
            super::Decision::Apply(stop) => stop,
        };
        let (applied, answer, is_stopped) = self.make(&write, images, &stop).await?;
        self.overseer.applied(turn, uid, &applied).await?;
        if let Some(answer) = answer {
            observer.event(TurnEvent::Applying {
                uid,
                made: 1,
                of: 1,
            });
            let call = Made {
                operation: write.operation,
                params: write.params,
                answer,
            };
            return Ok(Ok(Written { call, is_stopped }));
        }
        Ok(Err(applied.failure(1).unwrap_or_default()))
    }

    /// Images of the places of a write, so that they can be restored.
    async fn images(&self, write: &Write) -> Result<Vec<(Place, Image)>> {
        let agent = self.agent;
        let destroyed = match &agent.domain.effects.planning {
            Some(planning) => planning.destroyed(std::slice::from_ref(write)),
            None => HashSet::new(),
        };
        let mut images = Vec::new();
        for touched in write.touched.iter() {
            let (place, most_bytes) = (&touched.place, agent.settings.keeping.most_bytes);
            let image = match &agent.domain.effects.planning {
                Some(planning) => {
                    let image = planning.image(&*agent.world, place, &destroyed, most_bytes);
                    image.await?
                }
                None => Image::Lost(Image::NOT_TOLD.to_owned()),
            };
            images.push((place.clone(), image));
        }
        Ok(images)
    }

    /// Makes a write once. If it is not answered, nobody can tell whether it was carried out.
    /// Returns also whether the user wants the program to stop after it.
    async fn make(
        &self,
        write: &Write,
        images: Vec<(Place, Image)>,
        stop: &Stop,
    ) -> Result<(Applied, Option<Answer>, bool)> {
        let _applying = stop.applying();
        let touched = || write.touched.iter();
        let mut step = Step {
            found: touched().map(|it| it.before.clone()).collect(),
            images,
            ..Step::default()
        };
        let mut record = self.overseer.record();
        record.intent(0, &step).await?;
        let params = &write.params;
        let answer = tokio::select! {
            biased;
            answer = self.agent.world.call_once(&write.operation, params) => answer,
            () = stop.abandoned() => Err(Error::world("its answer was not waited for")),
        };
        let ended = |end| Applied::new(Vec::new(), end);
        // The stop is over as soon as the apply is.
        let is_stopped = stop.is_stopped();
        let (applied, answer) = match answer {
            Ok(Ok(answer)) => {
                step.left = touched().map(|it| it.after.clone()).collect();
                record.done(0, &step).await?;
                (Applied::new(vec![step], End::Whole), Some(Ok(answer)))
            }
            // The program may handle the refusal.
            Ok(Err(refusal)) => {
                let refused: Refusal = refusal.clone();
                (ended(End::Refused(refusal)), Some(Err(refused)))
            }
            Err(error) => (ended(End::Unknown(error)), None),
        };
        Ok((applied, answer, is_stopped))
    }
}

/// A write with the places that it names, and how people are shown it.
fn write_of(domain: &Domain, world: &dyn World, operation: String, params: Value) -> Write {
    let lines = world.call_lines(&operation, &params);
    let mut touches = domain.touches(&operation, &params);
    touches.retain(|touch| touch.access != Access::Read && !touch.is_later());
    if touches
        .iter()
        .all(|touch| touch.place.segments().is_empty())
    {
        let access = (domain.judged(&operation)).map_or(Access::Write, |known| known.effect);
        let place = Place::thing(&*domain.name, operation.as_str());
        touches = vec![Touch::new(access, place)];
    }
    let touched = touches.into_iter().enumerate().map(|(number, touch)| {
        // The lines of a call show what it brings.
        let mark = Some(Mark::unknown(0));
        let is_gone = touch.access == Access::Delete;
        Touched {
            place: touch.place,
            before: mark.clone().filter(|_| is_gone),
            after: mark.filter(|_| !is_gone),
            changed: true,
            shares: touch.access == Access::Share,
            lines: if number == 0 {
                lines.clone()
            } else {
                Vec::new()
            },
            ..Touched::default()
        }
    });
    let touched = touched.collect();
    Write::new(operation, params, touched)
}

/// The number of writes that were made.
fn writes_made(domain: &Domain, made: &[Made]) -> usize {
    let writes = made.iter().filter(|it| domain.writes(&it.operation));
    writes.filter(|it| it.answer.is_ok()).count()
}

/// What a program has done that ends here, as a sentence that follows another one: ` Before that,
/// 3 writes were made: add, drop × 2.` Empty if it has written nothing.
fn made_before(domain: &Domain, made: &[Made]) -> String {
    let writes = made
        .iter()
        .filter(|it| it.answer.is_ok() && domain.writes(&it.operation));
    let names: Vec<&str> = writes.map(|it| it.operation.as_str()).collect();
    if names.is_empty() {
        return String::new();
    }
    let writes = counted(names.len(), "write");
    let were = plural(names.len(), "was", "were");
    format!("{MADE_BEFORE}{writes} {were} made: {}.", tallied(&names))
}

fn records(made: &[Made]) -> Vec<CallRecord> {
    let record = |it: &Made| CallRecord {
        operation: it.operation.clone(),
        error: it.answer.as_ref().err().map(|refusal| refusal.code.clone()),
    };
    made.iter().map(record).collect()
}

/// An execution that ended in this way after these calls.
fn ended(made: &[Made], code: &str, why: String) -> Execution {
    let execution = Execution {
        outcome: Outcome::Result(serde_json::Value::Null),
        calls: records(made).into(),
        output: String::new(),
        elapsed: Duration::ZERO,
        ended_by: EndedBy::Overseer,
        unread: Vec::new(),
        touched: None,
    };
    failed(execution, code, why)
}
