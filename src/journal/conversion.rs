//! Conversions between entries of the journal and plans, steps and executions.

use super::contents::{self, ContentStore};
use super::entry::{
    Ending, ExecutionRecord, ImageRecord, Origin, Planned, StepRecord, WriteRecord,
};
use super::kept_params::KeptParams;
use super::state::{PlanState, SessionState};
use super::values;
use crate::agent::Executed;
use crate::dialogue::Outcome;
use crate::domain::{Access, Image, Place, Signature, Touch, Touched, Value, Write};
use crate::error::Result;
use crate::exec::Execution;
use crate::plan::{Applied, Earlier, End, Plan, Reads, Step, effects, is_call, with_ways_back};
use std::collections::BTreeMap;
use std::time::Duration;

/// The entry for a plan.
pub(super) fn keep_plan(
    id: u64,
    origin: Origin,
    plan: &Plan,
    left_alone: &[Place],
    contents: &ContentStore,
) -> Result<Planned> {
    let params: Vec<&Value> = plan.writes.iter().map(|write| &write.params).collect();
    let params = keep_all(
        &params,
        |it| has_long(it),
        |it| KeptParams::keep(it, contents),
    )?;
    let writes = plan.writes.iter().zip(params);
    let writes = writes.map(|(write, params)| WriteRecord {
        operation: write.operation.clone(),
        params,
        touched: write.touched.clone(),
        ids: write.ids.clone(),
        lasting: write.lasting.clone(),
    });
    Ok(Planned {
        id,
        origin,
        writes: writes.collect(),
        calls: plan.calls.clone(),
        outcome: (&plan.outcome).into(),
        lasting: plan.lasting.clone(),
        left_alone: left_alone.to_vec(),
    })
}

/// The plan of an entry.
pub(super) fn plan_of(planned: &Planned, contents: &ContentStore) -> Result<Plan> {
    let writes = writes_of(&planned.writes, contents)?;
    Ok(Plan {
        effects: with_ways_back(effects(&writes), &planned.lasting).into(),
        writes,
        calls: planned.calls.clone(),
        outcome: (&planned.outcome).into(),
        lasting: planned.lasting.clone(),
        reads: Reads::default(),
    })
}

impl Planned {
    /// The [outline](Planned::outline) with the parameters of calls whose effects are not known:
    /// people judge those by nothing else.
    pub fn shown(&self, contents: &ContentStore) -> Plan {
        let mut plan = self.outline();
        for (write, kept) in plan.writes.iter_mut().zip(&self.writes) {
            if is_call(write) {
                write.params = kept.params.read(contents).unwrap_or_else(|error| {
                    let why = Value::Str(format!("they cannot be read: {error}"));
                    Value::Map(vec![("arguments".into(), why)])
                });
            }
        }
        plan
    }
}

/// The writes of an entry.
pub(super) fn writes_of(written: &[WriteRecord], contents: &ContentStore) -> Result<Vec<Write>> {
    let writes = written.iter().map(|write| {
        Ok(Write {
            operation: write.operation.clone(),
            params: write.params.read(contents)?,
            touched: write.touched.clone(),
            ids: write.ids.clone(),
            lasting: write.lasting.clone(),
        })
    });
    writes.collect()
}

/// The entries for steps.
pub(super) fn keep_steps(steps: &[&Step], contents: &ContentStore) -> Result<Vec<StepRecord>> {
    let images = steps.iter().flat_map(|step| &step.images);
    let images: Vec<&Image> = images.map(|(_, image)| image).collect();
    let kept = keep_all(&images, |it| is_long(it), |it| keep_image(it, contents))?;
    let mut kept = kept.into_iter();
    let steps = steps.iter().map(|step| StepRecord {
        found: step.found.clone(),
        images: (step.images.iter().zip(kept.by_ref()))
            .map(|((place, _), image)| (place.clone(), image))
            .collect(),
        left: step.left.clone(),
        ids: step.ids.clone(),
    });
    Ok(steps.collect())
}

/// Keeps things, in their order. Those with long contents are brought to the disk together, since
/// each of these is waited for.
fn keep_all<T: Sync + Copy, R: Send>(
    things: &[T],
    is_long: impl Fn(&T) -> bool,
    keep: impl Fn(T) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let long: Vec<T> = things.iter().filter(|it| is_long(it)).copied().collect();
    let mut long = contents::each(&long, |it| keep(*it))?.into_iter();
    let kept = things.iter().map(|it| match is_long(it) {
        true => long.next().map_or_else(|| keep(*it), Ok),
        false => keep(*it),
    });
    kept.collect()
}

/// Whether parameters have a content that is no part of a line.
fn has_long(params: &Value) -> bool {
    match params {
        Value::Map(params) => params.iter().any(|(_, value)| values::is_long(value)),
        _ => false,
    }
}

fn is_long(image: &Image) -> bool {
    match image {
        Image::Call { params, .. } => has_long(params),
        Image::Calls(calls) => calls.iter().any(|(_, params)| has_long(params)),
        Image::Nothing | Image::Lost(_) => false,
    }
}

fn keep_image(image: &Image, contents: &ContentStore) -> Result<ImageRecord> {
    Ok(match image {
        Image::Nothing => ImageRecord::Nothing {},
        Image::Call { operation, params } => ImageRecord::Call {
            operation: operation.clone(),
            params: KeptParams::keep(params, contents)?,
        },
        Image::Calls(calls) => ImageRecord::Calls {
            calls: (calls.iter())
                .map(|(operation, params)| {
                    Ok((operation.clone(), KeptParams::keep(params, contents)?))
                })
                .collect::<Result<_>>()?,
        },
        Image::Lost(because) => ImageRecord::Lost {
            because: because.clone(),
        },
    })
}

/// The step of an entry.
fn step_of(number: usize, stepped: &StepRecord, contents: &ContentStore) -> Result<Step> {
    let images = stepped.images.iter().map(|(place, kept)| {
        let image = match kept {
            ImageRecord::Nothing {} => Image::Nothing,
            ImageRecord::Call { operation, params } => Image::Call {
                operation: operation.clone(),
                params: params.read(contents)?,
            },
            ImageRecord::Calls { calls } => Image::Calls(
                (calls.iter())
                    .map(|(operation, params)| Ok((operation.clone(), params.read(contents)?)))
                    .collect::<Result<_>>()?,
            ),
            ImageRecord::Lost { because } => Image::Lost(because.clone()),
        };
        Ok((place.clone(), image))
    });
    Ok(Step {
        number,
        found: stepped.found.clone(),
        images: images.collect::<Result<_>>()?,
        left: stepped.left.clone(),
        ids: stepped.ids.clone(),
    })
}

/// The progress of a plan's apply.
pub(super) fn earlier_of(known: &PlanState, contents: &ContentStore) -> Result<Earlier> {
    let steps = |kept: &BTreeMap<usize, StepRecord>| -> Result<Vec<Step>> {
        let steps = kept.iter();
        steps
            .map(|(number, stepped)| step_of(*number, stepped, contents))
            .collect()
    };
    Ok(Earlier {
        made: steps(&known.made)?,
        begun: steps(&known.begun)?,
    })
}

/// The entry for an execution.
pub(super) fn keep_executed(turn: usize, executed: &Executed) -> ExecutionRecord {
    let execution = &executed.execution;
    ExecutionRecord {
        turn,
        uid: executed.uid,
        outcome: (&execution.outcome).into(),
        calls: execution.calls.clone(),
        output: execution.output.clone(),
        elapsed: u64::try_from(execution.elapsed.as_micros()).unwrap_or(u64::MAX),
        ended_by: execution.ended_by,
        unread: execution.unread.clone(),
        signature: executed
            .signature
            .map(|signature| const_hex::encode(signature.0)),
    }
}

/// The execution of an entry.
pub(super) fn executed_of(ran: &ExecutionRecord) -> Executed {
    Executed {
        uid: ran.uid,
        execution: Execution {
            outcome: Outcome::from(&ran.outcome),
            calls: ran.calls.clone(),
            output: ran.output.clone(),
            elapsed: Duration::from_micros(ran.elapsed),
            ended_by: ran.ended_by,
            unread: ran.unread.clone(),
            touched: None,
        },
        signature: ran.signature.as_deref().and_then(signature_of),
    }
}

/// What the writes touched that a goal's program made in a turn, as the plans have it; none where
/// it is not known which were made.
pub(super) fn touched_by(state: &SessionState, turn: usize, uid: u32) -> Option<Vec<Touch>> {
    let mut touched = Vec::new();
    for known in state.plans_of(turn, uid).filter(|known| !known.undone) {
        if !known.begun.is_empty() {
            return None;
        }
        let made = known.made.keys();
        let writes = made.filter_map(|number| known.planned.writes.get(*number));
        touched.extend(
            writes
                .flat_map(|write| write.touched.iter())
                .flat_map(touches),
        );
    }
    Some(touched)
}

/// What a write did to a place. Where nothing was and nothing is, it may have been either.
fn touches(touched: &Touched) -> impl Iterator<Item = Touch> {
    let accesses: &[Access] = match (&touched.before, &touched.after) {
        _ if !touched.changed => &[Access::Read],
        _ if touched.shares => &[Access::Share],
        _ if touched.unmade.is_some() => &[Access::Delete],
        (Some(_), None) => &[Access::Delete],
        (None, None) => &[Access::Write, Access::Delete],
        (_, Some(_)) => &[Access::Write],
    };
    let accesses = accesses.iter();
    accesses.map(|access| Touch::new(*access, touched.place.clone()))
}

/// The signature with these 64 hex digits.
pub(super) fn signature_of(hex: &str) -> Option<Signature> {
    const_hex::decode_to_array(hex).ok().map(Signature)
}

/// The end of an apply of this many writes, and a sentence about it.
pub(super) fn ending(applied: &Applied, writes: usize) -> (Ending, String) {
    let ending = match &applied.end {
        End::Whole => Ending::Whole,
        End::Stopped => Ending::Stopped,
        End::Drifted(_) => Ending::Drifted,
        End::Refused(_) => Ending::Refused,
        End::Unknown(_) => Ending::Unknown,
        End::Failed(_) => Ending::Failed,
    };
    let failure = applied.failure(writes);
    (
        ending,
        failure.map(|(_, sentence)| sentence).unwrap_or_default(),
    )
}
