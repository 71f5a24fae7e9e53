//! The words of a plan's card. A terminal, the page and the window of an agent have the same ones.

use super::view::PlanView;
use crate::domain::{Words, counted};
use crate::journal::Origin;
use crate::plan::{Back, Effect, EffectKind, Totals};
use indicatif::HumanBytes;
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// What people read of a plan beside its lines. Names in it are as the domain has them: a terminal
/// cleans them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanCard {
    /// Who asks: the line above the plan, without its colon.
    pub asks: String,
    /// What is done in all.
    pub sum: String,
    /// Whether an undo takes it back, and by what; empty where there is nothing to take back.
    pub undoing: String,
}

impl PlanCard {
    /// The card of a plan.
    pub(super) fn of(plan: &PlanView) -> PlanCard {
        PlanCard {
            asks: asks(plan),
            sum: summary(plan),
            undoing: undoing(plan),
        }
    }
}

fn asks(plan: &PlanView) -> String {
    let who = match (plan.origin, plan.undoes) {
        (Origin::Program { uid, .. }, _) => format!("The program of goal {uid}"),
        (Origin::Undo { .. }, Some(Origin::Program { turn, uid })) => {
            format!("Undoing the program of goal {uid} (turn {turn})")
        }
        (Origin::Undo { .. }, Some(Origin::Undo { of })) => {
            format!("Undoing the undo of plan {of}")
        }
        (Origin::Undo { of }, None) => format!("Undoing plan {of}"),
    };
    format!("{who} would change this")
}

/// The totals of the effects, or the number of calls whose effects are not known.
fn summary(plan: &PlanView) -> String {
    let calls: Vec<&Effect> = plan.effects.iter().filter(|it| it.is_call()).collect();
    let destroys = calls.iter().any(|it| it.effect == EffectKind::Delete);
    match (calls.len(), destroys) {
        (0, _) => sum(&plan.totals, &plan.words),
        (count, false) => counted(count, "call"),
        (count, true) => {
            let calls = counted(count, "call");
            format!("{calls}, which may remove or overwrite what is there")
        }
    }
}

fn undoing(plan: &PlanView) -> String {
    let effects = &plan.effects;
    if effects.is_empty() {
        return String::new();
    }
    let is_unknown = |it: &Effect| it.is_call() && it.back.is_none();
    if effects.iter().any(is_unknown) {
        return "It is not known whether an undo can take this back.".to_owned();
    }
    let mut text = match plan.lasting.len() {
        0 => "An undo can take all of it back, as long as nobody changes it meanwhile".to_owned(),
        _ if effects.iter().all(|it| it.back == Some(Back::Never)) => {
            return "An undo cannot take this back.".to_owned();
        }
        count => format!("An undo cannot bring back {}", counted(count, "place")),
    };
    for back in [Back::Version, Back::Moved, Back::Journal] {
        let count = effects.iter().filter(|it| it.back == Some(back)).count();
        let way = back.to_string();
        let _ = match count {
            0 => Ok(()),
            1 => write!(text, "; 1 {way}"),
            _ => write!(text, "; {count} {}", way.replacen("comes", "come", 1)),
        };
    }
    text + "."
}

/// `2 created, 1 deleted (1 copied); 1.2 KiB written; 5 B destroyed`, or `1 hidden; 5 B kept as old
/// versions`.
pub fn sum(totals: &Totals, words: &Words) -> String {
    let mut parts = Vec::new();
    let mut part = |count: u64, what: &str| {
        if count > 0 {
            parts.push(format!("{count} {what}"));
        }
    };
    let containers = |count: u64| match count {
        1 => &words.container,
        _ => &words.containers,
    };
    let (made, gone) = (totals.containers_created, totals.containers_deleted);
    part(made, &format!("{} created", containers(made)));
    part(totals.created, "created");
    part(totals.overwritten, "overwritten");
    part(totals.hidden, "hidden");
    let markers = if totals.markers == 1 {
        "delete marker"
    } else {
        "delete markers"
    };
    part(totals.markers, &format!("{markers} made"));
    part(totals.uncovered, "shown again");
    part(totals.deleted, "deleted");
    let versions = if totals.versions_deleted == 1 {
        "version"
    } else {
        "versions"
    };
    part(totals.versions_deleted, &format!("{versions} deleted"));
    let settings = if totals.settings == 1 {
        "setting"
    } else {
        "settings"
    };
    part(totals.settings, &format!("{settings} changed"));
    part(totals.shared, "shared");
    part(gone, &format!("{} deleted", containers(gone)));
    let mut text = match parts.is_empty() {
        true => "in the end nothing changes".to_owned(),
        false => parts.join(", "),
    };
    if totals.copied > 0 {
        let _ = write!(text, " ({} copied)", totals.copied);
    }
    let bytes = [
        (totals.bytes_written, "written"),
        (totals.bytes_destroyed, "destroyed"),
        (totals.bytes_kept, "kept as old versions"),
    ];
    for (bytes, what) in bytes.into_iter().filter(|(bytes, _)| *bytes > 0) {
        let _ = write!(text, "; {} {what}", HumanBytes(bytes));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stays_is_not_called_destroyed() {
        let totals = Totals {
            overwritten: 1,
            hidden: 2,
            uncovered: 1,
            versions_deleted: 1,
            bytes_written: 1,
            bytes_destroyed: 3,
            bytes_kept: 4,
            ..Totals::default()
        };
        assert_eq!(
            sum(&totals, &Words::default()),
            "1 overwritten, 2 hidden, 1 shown again, 1 version deleted; 1 B written; 3 B \
             destroyed; 4 B kept as old versions"
        );
    }

    #[test]
    fn containers_are_called_what_the_domain_calls_them() {
        let totals = Totals {
            containers_created: 2,
            created: 3,
            containers_deleted: 1,
            ..Totals::default()
        };
        let shelves = Words {
            container: "shelf".into(),
            containers: "shelves".into(),
            ..Words::default()
        };
        let common = "2 containers created, 3 created, 1 container deleted";
        assert_eq!(sum(&totals, &Words::default()), common);
        let sum = sum(&totals, &shelves);
        assert!(
            sum.starts_with("2 shelves") && sum.ends_with("1 shelf deleted"),
            "{sum}"
        );
    }
}
