//! The figures meet their targets.

use super::{Check, Checked, Found, Looked};
use crate::dataset::Split;
use crate::dataset::set::CATALOGUE;
use crate::dataset::stats::Complexity;
use crate::domain::counted;
use crate::error::Result;
use async_trait::async_trait;

/// The targets of `goals.toml` are met.
pub struct Figures;

#[async_trait]
impl Check for Figures {
    fn name(&self) -> &'static str {
        "figures"
    }

    fn rule(&self) -> &'static str {
        "the figures are those that goals.toml asks for"
    }

    async fn find(&self, checked: &Checked<'_>) -> Result<Looked> {
        let mut found = Found::by(self);
        let targets = (checked.set.listed()).and_then(|catalogue| catalogue.targets.as_ref());
        let Some(targets) = targets else {
            found.skip(match &checked.set.catalogue {
                None => format!("there is no {CATALOGUE}"),
                Some(Err(_)) => format!("{CATALOGUE} cannot be read (see goals)"),
                Some(Ok(_)) => format!("{CATALOGUE} has no [targets]"),
            });
            return found.end();
        };
        let statistics = &checked.statistics;
        for (split, wanted) in &targets.dialogues {
            let count = statistics.of_split(*split).dialogues;
            if count != *wanted {
                found.on_set(format!(
                    "{split} has {}; it is to have {wanted}",
                    counted(count, "dialogue")
                ));
            }
        }
        let all = &statistics.all;
        let figures = [
            (
                "utterances a dialogue",
                all.utterances_a_dialogue(),
                targets.utterances,
            ),
            ("goals a dialogue", all.goals_a_dialogue(), targets.goals),
            (
                "lines of code a program",
                all.lines_a_program(),
                targets.lines,
            ),
            ("APIs a program", all.apis_a_program(), targets.apis),
        ];
        for (name, figure, target) in figures {
            if let Some(target) = target.filter(|target| !target.is_met(figure)) {
                found.on_set(format!(
                    "{name}: {figure:.2}; they are to be {} ± {}",
                    target.value, target.within
                ));
            }
        }
        for (name, target) in &targets.shares {
            let share = all.share(name);
            if !target.is_met(share) {
                found.on_set(format!(
                    "{name} is {share:.1} % of the APIs; it is to be {} ± {} %",
                    target.value, target.within
                ));
            }
        }
        for (name, least) in &targets.complexities {
            for split in [Split::Train, Split::Test] {
                let Some(count) = statistics.of_split(split).complexity(name) else {
                    found.on_set(format!(
                        "goals.toml asks for the complexity {name:?}, which does not exist; use one of {}",
                        Complexity::names().join(", ")
                    ));
                    break;
                };
                if count < *least {
                    found.on_set(format!(
                        "{name} occurs {} in {split}; it is to occur {}",
                        counted(count, "time"),
                        counted(*least, "time")
                    ));
                }
            }
        }
        found.end()
    }
}
