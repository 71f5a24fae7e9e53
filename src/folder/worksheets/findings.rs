//! What is wrong with a reply.

use super::record::Kept;
use super::wording::{agreed, field, written};
use worksheets::{Act, Sheets, Type, is_said, judge_reply};

/// A sentence for each thing that is wrong.
pub(super) fn findings(
    sheets: &Sheets,
    kept: &Kept,
    (reply, handoff): (&str, &str),
) -> Vec<String> {
    let mut findings = judge_reply(reply, sheets, &kept.state, &kept.acts);
    let mut acts = kept.acts.iter().map(|performed| &performed.act);
    if acts.any(|act| matches!(act, Act::Handoff(_))) && !reply.contains(handoff) {
        findings.push(format!("the reply lacks, letter by letter: {handoff}"));
    }
    for performed in &kept.acts {
        let Act::Ask(var, name) = &performed.act else {
            continue;
        };
        let field = field(sheets, &kept.state, var, name);
        if field.is_none_or(|field| field.ty != Type::Confirm) {
            continue;
        }
        let missing: Vec<String> = agreed(sheets, &kept.state, var)
            .iter()
            .filter(|(_, value)| !is_said(reply, value))
            .map(|(name, value)| format!("{name}: {}", written(value)))
            .collect();
        if !missing.is_empty() {
            findings.push(format!(
                "the user cannot say yes to what the reply does not show: {}",
                missing.join("; ")
            ));
        }
    }
    findings
}
