//! Proposals of planning, as text and as names.

use serde_json::Value;

use super::{PlanningWorld, STOPS, Stops};
use crate::game::Decision;
use crate::illegal::{Code, Illegal};
use crate::names::{self, Miss};

/// Reads `[A, B, C]`, where `NULL` is an empty slot.
pub(super) fn read(world: &PlanningWorld, text: &str, repeats: bool) -> Result<Decision, Illegal> {
    let text = text.trim();
    let inner = text
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'))
        .unwrap_or(text);
    let slots: Vec<Option<&str>> = inner
        .split(',')
        .map(|name| name.trim())
        .map(|name| (!name.eq_ignore_ascii_case("null")).then_some(name))
        .collect();
    resolve(world, &slots, repeats)
}

/// Checks a list of three names, where null is an empty slot.
pub(super) fn check(
    world: &PlanningWorld,
    decision: &Decision,
    repeats: bool,
) -> Result<Decision, Illegal> {
    let slots: Option<Vec<Option<&str>>> = decision.as_array().and_then(|slots| {
        let slot = |slot: &'_ Value| -> Option<Option<String>> {
            if slot.is_null() {
                Some(None)
            } else {
                slot.as_str().map(|name| Some(name.to_owned()))
            }
        };
        slots
            .iter()
            .all(|value| slot(value).is_some())
            .then(|| slots.iter().map(Value::as_str).collect())
    });
    let wrong = || {
        Code::BadProposal
            .because("A proposal is a list of three names of sites, null for an empty slot.")
    };
    resolve(world, &slots.ok_or_else(wrong)?, repeats)
}

fn resolve(
    world: &PlanningWorld,
    slots: &[Option<&str>],
    repeats: bool,
) -> Result<Decision, Illegal> {
    if slots.len() != STOPS || slots.iter().all(Option::is_none) {
        return Err(Code::BadProposal.because(format!(
            "Propose [A, B, C]: {STOPS} names of sites, NULL for an empty slot."
        )));
    }
    let mut stops: Stops = [None; STOPS];
    for (stop, name) in stops.iter_mut().zip(slots) {
        *stop = name.map(|name| find(world, name)).transpose()?;
    }
    let named: Vec<usize> = stops.iter().flatten().copied().collect();
    let repeated = named
        .iter()
        .enumerate()
        .any(|(place, site)| named[..place].contains(site));
    if repeated && !repeats {
        return Err(Code::RepeatedSite.because("Name each site once."));
    }
    Ok(decision(world, &stops))
}

/// Finds a site by its name.
pub(super) fn find(world: &PlanningWorld, name: &str) -> Result<usize, Illegal> {
    let all: Vec<&str> = world.sites.iter().map(|site| site.name.as_str()).collect();
    names::find(&all, name).map_err(|miss| match (miss, names::nearest(&all, name)) {
        (Miss::Ambiguous, _) => {
            Code::AmbiguousName.because(format!("{name:?} could be several sites."))
        }
        (Miss::Unknown, Some(near)) => {
            Code::UnknownSite.because(format!("There is no site {name:?}. Did you mean {near:?}?"))
        }
        (Miss::Unknown, None) => Code::UnknownSite.because(format!("There is no site {name:?}.")),
    })
}

/// The text form.
pub(super) fn write(world: &PlanningWorld, stops: &Stops) -> String {
    let name = |stop: &Option<usize>| stop.map_or("NULL", |index| world.sites[index].name.as_str());
    let names: Vec<&str> = stops.iter().map(name).collect();
    format!("[{}]", names.join(", "))
}

pub(super) fn decision(world: &PlanningWorld, stops: &Stops) -> Decision {
    let name = |stop: &Option<usize>| stop.map(|index| world.sites[index].name.clone());
    stops.iter().map(name).map(Value::from).collect()
}

pub(super) fn stops(world: &PlanningWorld, decision: &Decision) -> Stops {
    std::array::from_fn(|slot| {
        let name = decision.get(slot)?.as_str()?;
        world.sites.iter().position(|site| site.name == name)
    })
}
