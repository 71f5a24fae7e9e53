//! Goals and dialogues belong together.

use super::{Check, Checked, Found, Looked};
use crate::dataset::set::CATALOGUE;
use crate::dataset::{Dialogue, Split};
use crate::error::Result;
use async_trait::async_trait;
use std::collections::{BTreeMap, BTreeSet};

/// No goal is in both parts, and the list of goals fits the dialogues.
pub struct Goals;

#[async_trait]
impl Check for Goals {
    fn name(&self) -> &'static str {
        "goals"
    }

    fn rule(&self) -> &'static str {
        "no goal is in both parts, every dialogue's goal is in goals.toml, and every goal there \
         has its dialogues"
    }

    async fn find(&self, checked: &Checked<'_>) -> Result<Looked> {
        let mut found = Found::by(self);
        let set = checked.set;
        if let Some(Err(problem)) = &set.catalogue {
            found.on_set(format!("goals.toml is no list of goals: {problem}"));
        }
        if set.catalogue.is_none() {
            found.skip(format!(
                "there is no {CATALOGUE}, so only the first part of the rule was checked"
            ));
        }
        let mut dialogues: BTreeMap<&str, Vec<&Dialogue>> = BTreeMap::new();
        for dialogue in &set.dialogues {
            if let Some(goal) = dialogue.goal() {
                dialogues.entry(goal).or_default().push(dialogue);
            }
        }
        for (goal, of_goal) in &dialogues {
            let parts: BTreeSet<Split> = of_goal.iter().filter_map(|d| d.split).collect();
            if parts.len() > 1 {
                let files: Vec<String> = (of_goal.iter())
                    .map(|dialogue| set.shown(&dialogue.path).display().to_string())
                    .collect();
                found.on_set(format!(
                    "the goal {goal:?} is in both parts ({}); move its dialogues to one",
                    files.join(", ")
                ));
            }
        }
        if let Some(catalogue) = set.listed() {
            let mut known: BTreeMap<&str, Split> = BTreeMap::new();
            for goal in &catalogue.goals {
                let id = &goal.id;
                if known.insert(id, goal.split).is_some() {
                    found.on_set(format!("goals.toml has {id:?} twice; remove one"));
                }
                if goal.utterance.trim().is_empty() {
                    found.on_set(format!(
                        "goals.toml has no utterance for {id:?}; write the goal in one sentence"
                    ));
                }
                let count = dialogues.get(id.as_str()).map_or(0, Vec::len);
                let wanted = catalogue.targets.as_ref();
                match wanted.and_then(|targets| targets.dialogues_a_goal) {
                    _ if count == 0 => found.on_set(format!(
                        "the goal {id:?} has no dialogue; write one, or take it out of goals.toml"
                    )),
                    Some(wanted) if wanted != count => found.on_set(format!(
                        "dialogues of the goal {id:?}: {count}; there are to be {wanted}"
                    )),
                    _ => {}
                }
            }
            for (goal, of_goal) in &dialogues {
                for dialogue in of_goal {
                    let problem = match (known.get(goal), dialogue.split) {
                        (None, _) => {
                            format!("its goal {goal:?} is not in goals.toml; add it there")
                        }
                        (Some(listed), Some(split)) if *listed != split => {
                            format!("goals.toml has its goal {goal:?} in {listed}; move it there")
                        }
                        _ => continue,
                    };
                    found.on(set, dialogue, None, None, problem);
                }
            }
        }
        found.end()
    }
}
