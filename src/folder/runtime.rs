//! The instances that answer the calls to the worlds of a folder.
//!
//! An instance holds `world.py` and a state. It stays after a call, and the next call finds
//! it by that state: a program's calls, one after the other, all go to the same instance,
//! while a fork that goes another way gets a new one.

use super::held_state::HeldState;
use crate::dialogue::ProgramError;
use crate::domain::{Answer, Map, PathStep, Refusal, StateChange, StateValue, Value};
use crate::error::{Error, Result};
use crate::exec::{Breach, Cache, Engine, Limits, Resident, Seed};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::OnceCell;

/// The definitions that programs and worlds of every folder share.
pub const CLIENT: &str = concat!(
    include_str!("numbers.py"),
    "\n\n",
    include_str!("client.py")
);

/// How numbers of any size cross the boundary.
pub const NUMBERS: &str = include_str!("numbers.py");

/// The code of a program's error when `world.py` failed.
pub const WORLD_ERROR: &str = "WorldError";

/// The work that one call may take, so that a program waits in vain for a few seconds at
/// most: see [`Limits::fuel`] and [`Limits::deadline`].
const FUEL: u64 = 5_000_000_000;
const DEADLINE: Duration = Duration::from_secs(20);

/// The lines after which a call that takes too long is stopped, to say where it is. It
/// takes some seconds to get so far.
const LINES: i64 = 200_000;

/// The most instances that are kept between calls.
const IDLE: usize = 12;

/// Answers calls by `world.py`.
pub struct Runtime {
    cache: Cache,
    engine: OnceCell<Engine>,
    /// `world.py`.
    source: String,
    /// Builtin exceptions that are answers of the API.
    errors: Vec<String>,
    idle: Mutex<VecDeque<Idle>>,
}

/// An instance between two calls.
struct Idle {
    state: StateValue,
    resident: Resident,
}

impl Runtime {
    /// Answers calls by this source. Nothing is prepared before the first call.
    pub fn new(source: String, errors: Vec<String>, cache: &Cache) -> Self {
        Runtime {
            cache: cache.clone(),
            engine: OnceCell::new(),
            source,
            errors,
            idle: Mutex::default(),
        }
    }

    /// Answers a call, and brings `held` up to date if the call changed the state.
    ///
    /// # Errors
    /// The sandbox failed. What `world.py` does wrong is a refusal with the code
    /// [`WORLD_ERROR`].
    pub async fn call(
        &self,
        held: &mut HeldState,
        operation: &str,
        params: &Value,
    ) -> Result<Answer> {
        if let Some(resident) = self.take(&held.state)
            && let Ok(answer) = self.ask(resident, held, operation, params).await?
        {
            return Ok(answer);
        }
        // A fresh instance has all of its memory left, so it decides.
        let resident = match self.load(&held.state).await? {
            Ok(resident) => resident,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let breach = match self.ask(resident, held, operation, params).await? {
            Ok(answer) => return Ok(answer),
            Err(breach) => breach,
        };
        let mut lines = vec![format!("in {operation}")];
        if is_too_slow(&breach)
            && let Ok(mut resident) = self.load(&held.state).await?
        {
            let request = call_request(operation, params, &held.seed());
            lines.extend(lines_of(&mut resident, request).await?);
        }
        let problem = format!("{}: {}", breach.error, breach.message);
        Ok(Err(of_author(&problem, lines)))
    }

    /// Answers a call by this instance. The inner error is a limit that the call broke; the
    /// state is as it was then.
    async fn ask(
        &self,
        mut resident: Resident,
        held: &mut HeldState,
        operation: &str,
        params: &Value,
    ) -> Result<Result<Answer, ProgramError>> {
        let seed = held.seed();
        let request = Value::Map(call_request(operation, params, &seed));
        let reply = match resident.ask(&request, &seed).await? {
            Ok(Value::Map(pairs)) => read(pairs, held, operation)?,
            Ok(_) => return Err(malformed()),
            Err(breach) => return Ok(Err(breach)),
        };
        if !reply.is_lost {
            self.keep(held.state.clone(), resident);
        }
        Ok(Ok(reply.answer))
    }

    /// A fresh instance with this state.
    async fn load(&self, state: &StateValue) -> Result<Result<Resident, Refusal>> {
        let engine = self
            .engine
            .get_or_try_init(|| prepared(&self.cache))
            .await?;
        let limits = Limits {
            calls: 0,
            fuel: FUEL,
            deadline: DEADLINE,
            ..Limits::default()
        };
        let mut resident = engine.resident(&limits).await?;
        let request = || -> Map {
            let errors = self.errors.iter().map(|name| name.as_str().into());
            vec![
                ("do".into(), "load".into()),
                ("source".into(), self.source.as_str().into()),
                ("errors".into(), Value::List(errors.collect())),
                ("state".into(), state.to_value()),
            ]
        };
        let loading = Value::Map(request());
        Ok(match resident.ask(&loading, &Seed::default()).await? {
            Ok(Value::Map(reply)) if reply.is_empty() => Ok(resident),
            Ok(reply) => Err(Refusal {
                code: WORLD_ERROR.to_owned(),
                ..refusal(&reply)
            }),
            Err(breach) => {
                let problem = format!("{}: {}", breach.error, breach.message);
                let bytes = state.mark().size;
                let place = format!("as world.py is loaded with a state of {bytes} bytes");
                let mut lines = vec![place];
                if is_too_slow(&breach) {
                    let mut resident = engine.resident(&limits).await?;
                    lines.extend(lines_of(&mut resident, request()).await?);
                }
                Err(of_author(&problem, lines))
            }
        })
    }

    /// Loads `world.py` with this state, to see whether it loads.
    ///
    /// # Errors
    /// The sandbox failed. The inner error says what is wrong with the file or the state.
    pub async fn try_load(&self, state: &StateValue) -> Result<Result<(), Refusal>> {
        let loaded = self.load(state).await?;
        Ok(loaded.map(|resident| self.keep(state.clone(), resident)))
    }

    /// Whether a call finds its sandbox prepared. Where it does not, it waits for what takes up to
    /// a minute once.
    pub fn is_ready(&self) -> bool {
        self.engine.initialized()
    }

    fn take(&self, state: &StateValue) -> Option<Resident> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let at = idle.iter().position(|idle| idle.state.is_same(state))?;
        Some(idle.remove(at)?.resident)
    }

    fn keep(&self, state: StateValue, resident: Resident) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push_front(Idle { state, resident });
        let most = idle.len().min(IDLE);
        let too_many = idle.split_off(most);
        drop(idle);
        drop(too_many);
    }
}

/// The sandbox of all worlds of folders. Its preparation comes to its end even where nobody waits
/// for it any more: else a program that is stopped at its deadline would leave it to be begun anew
/// by each program after it.
async fn prepared(cache: &Cache) -> Result<Engine> {
    let cache = cache.clone();
    let preparing = async move { Engine::prepare(CLIENT, &cache, &mut |_| ()).await };
    let prepared = tokio::spawn(preparing).await;
    prepared.map_err(|error| Error::sandbox(format!("it could not be prepared: {error}")))?
}

/// The client's request for a call.
fn call_request(operation: &str, params: &Value, seed: &Seed) -> Map {
    let random = Value::Int((seed.random >> 1).cast_signed());
    vec![
        ("do".into(), "call".into()),
        ("operation".into(), operation.into()),
        ("params".into(), params.clone()),
        ("random".into(), random),
    ]
}

/// Whether a call ran into a limit of time or work.
fn is_too_slow(breach: &ProgramError) -> bool {
    [Breach::Fuel, Breach::Deadline]
        .map(Breach::name)
        .contains(&&*breach.error)
}

/// The lines of `world.py` at which a request is after [`LINES`] lines, the innermost last;
/// none if it does not get so far.
async fn lines_of(resident: &mut Resident, mut request: Map) -> Result<Vec<String>> {
    request.push(("lines".into(), Value::Int(LINES)));
    let account = resident.ask(&Value::Map(request), &Seed::default()).await?;
    let lines = account
        .ok()
        .and_then(|it| it.get("lines").and_then(Value::as_list).map(<[_]>::to_vec));
    let lines = lines.unwrap_or_default();
    Ok(lines
        .iter()
        .filter_map(|line| line.as_str().map(str::to_owned))
        .collect())
}

struct Reply {
    answer: Answer,
    /// Whether the instance is of no use any more.
    is_lost: bool,
}

/// Reads what an instance answered, and brings `held` up to date.
fn read(pairs: Map, held: &mut HeldState, operation: &str) -> Result<Reply> {
    let (mut result, mut changes, mut is_lost) = (None, Vec::new(), false);
    let mut rest = Vec::new();
    for (name, value) in pairs {
        match (&*name, value) {
            ("result", value) => result = Some(value),
            ("changes", Value::List(items)) => changes = items,
            ("is_lost", _) => is_lost = true,
            (_, value) => rest.push((name, value)),
        }
    }
    let Some(result) = result else {
        let answer = Err(refusal(&Value::Map(rest)));
        return Ok(Reply { answer, is_lost });
    };
    let changes = changes
        .into_iter()
        .map(change_of)
        .collect::<Option<Vec<_>>>();
    let changes = changes.ok_or_else(malformed)?;
    if !changes.is_empty()
        && let Err(problem) = held.apply(changes)?
    {
        return Ok(Reply {
            answer: Err(of_author(&problem, vec![format!("in {operation}")])),
            is_lost: true,
        });
    }
    Ok(Reply {
        answer: Ok(result),
        is_lost,
    })
}

/// Turns the client's description of an exception into a refusal.
fn refusal(account: &Value) -> Refusal {
    let text = |name: &str| {
        account
            .get(name)
            .and_then(Value::as_str)
            .unwrap_or_default()
    };
    let (error, message) = (text("error"), text("message"));
    if account.get("is_answer").and_then(Value::as_bool) == Some(true) {
        return Refusal {
            code: error.to_owned(),
            message: message.to_owned(),
            status: 400,
            details: Map::new(),
        };
    }
    let lines = account.get("lines").and_then(Value::as_list);
    let lines = lines.unwrap_or_default().iter().filter_map(Value::as_str);
    let colon = if message.is_empty() { "" } else { ": " };
    of_author(
        &format!("{error}{colon}{message}"),
        lines.map(str::to_owned).collect(),
    )
}

/// The refusal of a call in which the code behind the API failed.
fn of_author(problem: &str, lines: Vec<String>) -> Refusal {
    let at = lines
        .last()
        .map(|line| format!(" ({line})"))
        .unwrap_or_default();
    let lines = lines.into_iter().map(Value::Str).collect();
    Refusal {
        code: WORLD_ERROR.to_owned(),
        message: format!(
            "world.py failed: {problem}{at}. This is a mistake in the domain's code, not in the \
             program. Nothing was changed."
        ),
        status: 400,
        details: vec![("Lines".into(), Value::List(lines))],
    }
}

/// A change as `sandbox/src/watched.rs` writes it.
fn change_of(change: Value) -> Option<StateChange> {
    let Value::List(parts) = change else {
        return None;
    };
    let mut parts = parts.into_iter();
    let (kind, path) = (parts.next()?, path_of(&parts.next()?)?);
    Some(match kind.as_str()? {
        "set" => StateChange::Set {
            path,
            value: StateValue::from_value(parts.next()?)?,
        },
        "remove" => StateChange::Remove { path },
        "splice" => {
            let mut index = || usize::try_from(parts.next()?.as_int()?).ok();
            let (start, removed) = (index()?, index()?);
            let Value::List(values) = parts.next()? else {
                return None;
            };
            let values = values.into_iter().map(StateValue::from_value);
            StateChange::Splice {
                path,
                start,
                removed,
                values: values.collect::<Option<_>>()?,
            }
        }
        _ => return None,
    })
}

/// A path of keys and indexes.
pub fn path_of(path: &Value) -> Option<Vec<PathStep>> {
    let steps = path.as_list()?.iter();
    let step = |step: &Value| match step {
        Value::Str(key) => Some(PathStep::Key(key.clone())),
        Value::Int(index) => Some(PathStep::Index(usize::try_from(*index).ok()?)),
        _ => None,
    };
    steps.map(step).collect()
}

fn malformed() -> Error {
    Error::sandbox("the answer of a world's instance cannot be read")
}

/// A runtime is shared by all worlds of a folder.
pub type SharedRuntime = Arc<Runtime>;
