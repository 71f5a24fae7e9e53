//! Programs in worlds.

use super::line::{Program, ProgramLimits, WorldName};
use super::told::Told;
use super::{Known, Worker};
use crate::agent::Layers;
use crate::dialogue::Outcome;
use crate::domain::{self, Domain, Signature, World};
use crate::error::{Error, Result};
use crate::exec::{Execution, Limits, Seed};
use crate::policy::Policy;
use jiff::Timestamp;
use serde_json::{Value as Json, json};
use std::sync::Arc;
use std::time::Duration;

impl ProgramLimits {
    /// These limits, and the usual ones where none is chosen.
    pub fn limits(&self) -> Result<Limits> {
        let usual = Limits::default();
        let deadline = self.deadline.map(Duration::try_from_secs_f64).transpose();
        let deadline = deadline.map_err(|error| Error::usage(format!("deadline: {error}")))?;
        Ok(Limits {
            deadline: deadline.unwrap_or(usual.deadline),
            fuel: self.fuel.unwrap_or(usual.fuel),
            memory: self.memory.unwrap_or(usual.memory),
            calls: self.calls.unwrap_or(usual.calls),
            ..usual
        })
    }
}

impl Worker {
    pub(super) async fn run(&self, program: Program) -> Result<Json> {
        let (known, world, is_signed, told) = self.place(&program).await?;
        let limits = program.limits.limits()?;
        let seed = Seed {
            now: begins(&world, program.now.as_deref())?,
            random: program.seed,
        };
        let held = program.policy.as_ref();
        let held = held.map(|text| policy(text, &known.domain)).transpose()?;
        let layers = Layers::over(&world, &known.domain).held_to(held.map(Arc::new));
        let within = layers.build().world;
        let engine = known.engine().await?;
        let done = engine
            .run(&program.program, &within, &limits, &seed)
            .await?;
        let signature = match program.sign.unwrap_or(is_signed) {
            true => Some(domain::signature(&*world, [&done.outcome]).await?),
            false => None,
        };
        let mut report = report(&done, signature);
        told.put_into(&mut report);
        Ok(report)
    }

    /// The domain and the world of a program, whether its state is usually signed, and what it
    /// tells.
    async fn place(&self, program: &Program) -> Result<(Arc<Known>, Arc<dyn World>, bool, Told)> {
        let initial = match &program.world {
            Some(WorldName::Held(number)) => {
                let held = self.worlds.get(*number).await?;
                return Ok((held.known, held.opened.world, held.is_signed, held.told));
            }
            Some(WorldName::Initial(name)) => Some(name.clone()),
            None => None,
        };
        let known = self.domain(program.domain.as_deref()).await?;
        let worlds = known.domain.worlds()?;
        let first = || worlds.built_in().into_iter().next().map(|(name, _)| name);
        let name = initial
            .or_else(first)
            .ok_or_else(|| Error::usage(format!("{} has no world: name one", known.domain.name)))?;
        let world = worlds.initial(&name)?;
        Ok((known, world, true, Told::default()))
    }

    pub(super) async fn check(&self, domain: Option<&str>, program: &str) -> Result<Json> {
        let known = self.domain(domain).await?;
        let error = known.engine().await?.check(program).await?;
        Ok(match error {
            None => Json::Null,
            Some(error) => json!({"error": error.error, "message": error.message}),
        })
    }
}

/// When a program starts: the time of its world, or the given one, or now.
fn begins(world: &Arc<dyn World>, given: Option<&str>) -> Result<Timestamp> {
    let given = given.map(str::parse::<Timestamp>).transpose();
    let given = given.map_err(|error| Error::usage(format!("now: {error}")))?;
    match (world.own_time(), given) {
        (Some(own), None) => Ok(own),
        (Some(own), Some(_)) => Err(Error::usage(format!(
            "now is for a world that has the machine's time, and {} has its own: {own}",
            world.describe()
        ))),
        (None, given) => {
            let now = given.unwrap_or_else(Timestamp::now);
            world.hold_time(now);
            Ok(now)
        }
    }
}

/// A policy, which must fit the domain.
pub(super) fn policy(text: &str, domain: &Domain) -> Result<Policy> {
    let wrong = |why: String| Error::usage(format!("the policy: {why}"));
    let policy = Policy::read(text).map_err(wrong)?;
    policy.check(domain).map_err(wrong)?;
    Ok(policy)
}

/// The object that `run --json` prints, without what is about whole worlds.
fn report(done: &Execution, signature: Option<Signature>) -> Json {
    let (result, error) = match &done.outcome {
        Outcome::Result(value) => (value.clone(), Json::Null),
        Outcome::Error(error) => {
            let error = json!({
                "error": error.error,
                "message": error.message,
                "traceback": error.traceback,
            });
            (Json::Null, error)
        }
    };
    json!({
        "result": result,
        "error": error,
        "signature": signature.map(|signature| signature.to_string()),
        "calls": done.calls,
        "elapsed": done.elapsed.as_secs_f64(),
        "output": done.output,
        "ended_by": done.ended_by,
        "unread": done.unread,
        "notes": [],
        "links": [],
    })
}
