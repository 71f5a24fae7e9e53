//! What the rows of a domain say of a reply: claims with a subject, a slot and a value.

use super::{Claim, ClaimKind, Verdict};
use crate::dialogue::{Outcome, Turn};
use std::ops::Range;
use typed_claims::{ClaimRule, Knowledge};

/// The most rows that a reason names.
const SHOWN: usize = 5;

/// What was found in a reply.
pub(super) struct Judged {
    /// The claims that the rows contradict, and those of what no row and no result has.
    pub doubts: Vec<Claim>,
    /// Where the rows decide, for or against: no other rule judges there.
    pub decided: Vec<Range<usize>>,
}

/// Judges the reply to the last of these turns.
pub(super) fn judged(reply: &str, known: &Knowledge, turns: &[Turn]) -> Judged {
    let mut tracker = known.tracker();
    let mut evidence = typed_claims::Evidence::default();
    for (at, turn) in turns.iter().enumerate() {
        tracker.hear(&turn.user);
        for goal in &turn.goals {
            let literals = goal.program.as_ref().map(|program| program.literals());
            if let Some(Outcome::Result(result)) = &goal.outcome {
                evidence.push(literals.unwrap_or_default(), result.clone());
            }
        }
        // What was said before moves what is spoken of.
        if let Some(said) = turn.response.as_deref().filter(|_| at + 1 < turns.len()) {
            tracker.check(said, None);
        }
    }
    let mut judged = Judged {
        doubts: Vec::new(),
        decided: Vec::new(),
    };
    for claim in tracker.check(reply, Some(&evidence)).claims {
        let doubt = doubt(reply, known, &claim);
        if doubt.is_some() || claim.truth == Some(true) {
            judged.decided.push(claim.range.clone());
        }
        judged.doubts.extend(doubt);
    }
    judged
}

/// What is wrong with a claim, if anything is.
fn doubt(reply: &str, known: &Knowledge, claim: &typed_claims::Claim) -> Option<Claim> {
    use typed_claims::Kind as Said;
    let is_evidenced = claim.evidenced == Some(true);
    let (kind, verdict) = match (&claim.kind, claim.truth) {
        // The program may have asked for more than the reply repeats.
        (Said::Count { .. } | Said::None(_), Some(false)) if is_evidenced => return None,
        (Said::All { .. }, Some(false)) => (ClaimKind::List, Verdict::Incomplete),
        (said, Some(false)) => (kind_of(said), Verdict::False),
        (said, _) if said.judged() && !claim.in_kb && !is_evidenced => {
            (kind_of(said), Verdict::Unsupported)
        }
        _ => return None,
    };
    Some(Claim {
        text: reply.get(claim.range.clone())?.to_owned(),
        range: claim.range.clone(),
        kind,
        verdict,
        about: claim.kind.subject().map(ToString::to_string),
        rule: Some(claim.rule),
        why: why(known, claim),
        rows: claim.rows.clone(),
    })
}

fn kind_of(said: &typed_claims::Kind) -> ClaimKind {
    use typed_claims::Kind as Said;
    match said {
        Said::Entity(_) | Said::Absent(_) => ClaimKind::Name,
        Said::Slot { .. } => ClaimKind::Slot,
        Said::Count { .. } => ClaimKind::Number,
        Said::None(_) | Said::Exists(_) => ClaimKind::Existence,
        Said::Open { .. } | Said::Ref(_) | Said::Booked(_) => ClaimKind::Property,
        Said::All { .. } => ClaimKind::List,
    }
}

/// What the rows have instead, as a clause.
fn why(known: &Knowledge, claim: &typed_claims::Claim) -> String {
    use typed_claims::Kind as Said;
    let rows = listed(&claim.rows);
    match (&claim.kind, claim.rule) {
        (Said::Slot { slot, value, .. }, ClaimRule::Differs) if claim.rows.is_empty() => {
            format!("no row of the {slot} {} has this name", value.join(" or "))
        }
        (
            Said::Slot {
                slot,
                negated: false,
                ..
            },
            ClaimRule::Differs,
        ) => {
            let each = claim.rows.iter().take(SHOWN).map(|row| {
                let values = known.values(row, slot).join(" or ");
                format!("{slot} of {row}: {values}")
            });
            let mut each: Vec<String> = each.collect();
            each.dedup();
            each.join(", ")
        }
        (Said::Slot { slot, .. }, ClaimRule::Equal) => format!("the row of {rows} has this {slot}"),
        (Said::Count { .. }, _) => match claim.rows.len() {
            0 => "no row fits".to_owned(),
            1 => format!("one row fits: {rows}"),
            MANY => format!("at least {MANY} rows fit: {rows}"),
            n => format!("{n} rows fit: {rows}"),
        },
        (Said::All { .. }, _) => format!("the list leaves out {rows}"),
        (Said::Absent(_), _) => format!("there is a row of it: {rows}"),
        (Said::None(_), _) => format!("rows fit: {rows}"),
        (Said::Exists(_), _) => "no row fits".to_owned(),
        (Said::Open { .. }, _) => "no row says so".to_owned(),
        (_, ClaimRule::NewName | ClaimRule::OutsideBase) => "no row has this name".to_owned(),
        _ => "no row has it".to_owned(),
    }
}

/// As many rows as a claim names at most.
const MANY: usize = 10;

fn listed(rows: &[String]) -> String {
    let shown: Vec<&str> = rows.iter().take(SHOWN).map(String::as_str).collect();
    match rows.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
