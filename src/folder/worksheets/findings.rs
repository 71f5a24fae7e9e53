//! What is wrong with a program or a reply.

use super::record::Kept;
use super::wording::{agreed, field, written};
use worksheets::{Act, Ended, Sheets, Turned, Type, is_said, judge_reply};

/// The doubt about a program that leaves a question of the user open, as a clause after "the
/// program".
pub(super) fn left_open(question: &str, knows_nothing: bool) -> String {
    let question: String = question.chars().take(QUESTION).collect();
    let looked_up = match knows_nothing {
        true => "",
        false => "answer(\"…\") looks something up, ",
    };
    format!(
        "leaves a question of the user open: {question:?}. {looked_up}show(form) tells what is \
         filled in, raise OutOfScopeRequestError() says that it cannot be answered. Keep the \
         other lines. A program that is right as it is is written again"
    )
}

/// The most characters of a question that the model is shown again.
const QUESTION: usize = 300;

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

/// The same of what a turn came to.
pub fn of_turn(sheets: &Sheets, turned: &Turned, reply: &str, handoff: &str) -> Vec<String> {
    let kept = Kept::after("", turned.clone(), &Ended::Kept);
    findings(sheets, &kept, (reply, handoff))
}
