//! A program that names one thing deletes no other.

use super::overwriting::changes;
use super::{Check, Checked, Found, Looked, runs};
use crate::dataset::{Replayer, steps};
use crate::dialogue::{Program, Status, Transcript};
use crate::domain::{Calls, Domain, Place, World};
use crate::error::Result;
use crate::plan::{Effect, EffectKind};
use async_trait::async_trait;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A listing of what begins with the name of a thing gives things with longer names, too. A
/// program that deletes what it lists so has to compare whole names.
pub struct WholeNames;

#[async_trait]
impl Check for WholeNames {
    fn name(&self) -> &'static str {
        "whole names"
    }

    fn rule(&self) -> &'static str {
        "a program that lists what begins with the name of a thing, and deletes that, deletes \
         nothing with a longer name"
    }

    async fn find(&self, checked: &Checked<'_>) -> Result<Looked> {
        let mut found = Found::by(self);
        let set = checked.set;
        for dialogue in runs::with_plans(checked, &mut found).await? {
            let world = || set.world(dialogue);
            let taken = taken_along(checked.replayer, world, &dialogue.transcript).await?;
            for (turn, uid, problem) in taken {
                found.on(set, dialogue, turn, uid, problem);
            }
        }
        found.end()
    }
}

/// The programs of a dialogue that delete things beside the one that they name: turn (from 1),
/// goal, and a sentence.
async fn taken_along(
    replayer: &Replayer,
    world: impl FnOnce() -> Result<Arc<dyn World>>,
    transcript: &Transcript,
) -> Result<Vec<(usize, u32, String)>> {
    let steps = steps(transcript);
    let listing = steps.iter().filter_map(|step| {
        let is_final = step.record.status == Status::Final;
        let names = listed(step.program().filter(|_| is_final)?, &replayer.domain);
        (!names.is_empty()).then_some((step.turn, step.record.uid, names))
    });
    let listing: Vec<(usize, u32, BTreeSet<String>)> = listing.collect();
    if listing.is_empty() {
        return Ok(Vec::new());
    }
    let changes = changes(replayer, world()?, transcript).await?;
    let taken = listing.into_iter().filter_map(|(turn, uid, names)| {
        let (name, other) = neighbour(changes.get(&(turn, uid))?, &names)?;
        let problem = format!(
            "lists what begins with {name:?}, the name of one that it deletes, and deletes {other} \
             as well; compare whole names"
        );
        Some((turn, uid, problem))
    });
    Ok(taken.collect())
}

/// The texts by which a program that may write lists what begins so. Those that end with a `/`
/// mean all that lies below.
fn listed(program: &Program, domain: &Domain) -> BTreeSet<String> {
    let calls = Calls::of(program, domain);
    let Some(pages) = domain
        .api
        .pages
        .as_ref()
        .filter(|_| calls.may_write(domain))
    else {
        return BTreeSet::new();
    };
    let texts = calls.sites.into_iter().flat_map(|site| {
        let parameter = pages.prefix(&site.operation);
        let keywords = site.keywords.into_iter();
        let keywords = keywords.filter(move |keyword| parameter == Some(keyword.name.as_str()));
        keywords.flat_map(|keyword| keyword.texts)
    });
    texts
        .filter(|text| !text.is_empty() && !text.ends_with('/'))
        .collect()
}

/// One of these names, if the thing of that name is deleted, and another one whose name only
/// begins so.
fn neighbour<'a>(
    effects: &'a [Effect],
    names: &'a BTreeSet<String>,
) -> Option<(&'a str, &'a Place)> {
    let gone: Vec<&Place> = effects
        .iter()
        .filter(|effect| effect.effect == EffectKind::Delete)
        .map(|effect| &effect.place)
        .filter(|place| place.setting().is_none() || place.is_version())
        .collect();
    names.iter().find_map(|name| {
        let named = gone
            .iter()
            .find(|place| place.name().as_deref() == Some(name.as_str()))?;
        let is_other = |place: &&&Place| {
            let longer = place.name().filter(|other| other.len() > name.len());
            place.root() == named.root() && longer.is_some_and(|it| it.starts_with(name.as_str()))
        };
        let other = gone.iter().find(is_other)?;
        Some((name.as_str(), *other))
    })
}
