//! A reply that needs no model.

use super::record::Kept;
use super::wording::{agreed_lines, details, field, meaning, sheet, taken_back, written};
use worksheets::{Act, Performed, Reason, Sheets, State, Type};

/// A reply with one fixed sentence for each act.
pub(super) fn plain_reply(sheets: &Sheets, kept: &Kept, handoff: &str) -> String {
    let (state, acts) = (&kept.state, &kept.acts);
    let sentence = |performed: &Performed| {
        let details = details(sheets, state, performed);
        match &performed.act {
            Act::Report(_) => format!("{}.", capital(details.trim_end_matches('.'))),
            Act::Say { text, .. } => text.clone(),
            Act::Propose(_) => format!("I can go on with this: {details}\nShall I?"),
            Act::Confirm(..) => format!("{}?", capital(&details)),
            Act::Ask(var, name) => {
                let asked = field(sheets, state, var, name);
                match asked.is_some_and(|field| field.ty == Type::Confirm) {
                    true => all_right(sheets, state, var),
                    false => question(sheets, state, performed, (var, name)),
                }
            }
            Act::Handoff(why) if handoff.is_empty() => {
                format!("A person will take over. {}", capital(why))
            }
            Act::Handoff(_) => format!("A person will take over. {handoff}"),
        }
    };
    match acts.is_empty() {
        true => "All right. Can I help with anything else?".to_owned(),
        false => acts.iter().map(sentence).collect::<Vec<_>>().join("\n"),
    }
}

/// The question for a field, without a model.
fn question(sheets: &Sheets, state: &State, performed: &Performed, at: (&str, &str)) -> String {
    let (var, name) = at;
    let mut said = Vec::new();
    let slot = state.task(var).and_then(|(_, task)| task.fields.get(name));
    if let Some(invalid) = slot.and_then(|slot| slot.invalid.as_ref()) {
        let value = capital(&written(&invalid.value));
        let why = invalid.why.trim_end_matches('.');
        said.push(format!("{value} was refused: {why}."));
    }
    if let Some(stale) = slot.and_then(|slot| slot.stale.as_ref()) {
        let old = written(&stale.json());
        said.push(format!("It was {old}, which a change made stale."));
    }
    let of = field(sheets, state, var, name).filter(|field| field.ty == Type::Enum);
    let among = match (of, performed.reason) {
        (Some(field), _) => format!(" ({})", field.options.join(", ")),
        (None, Some(Reason::Choose)) => " (one of those that were found)".to_owned(),
        (None, _) => String::new(),
    };
    said.push(format!(
        "{}{among}?",
        capital(&meaning(sheets, state, var, name))
    ));
    said.join(" ")
}

/// The question for a yes to a whole form.
fn all_right(sheets: &Sheets, state: &State, var: &str) -> String {
    let about = sheet(sheets, state, var).map_or("", |sheet| &sheet.description);
    let mut lines = vec![format!("{}:", about.trim_end_matches('.'))];
    lines.extend(agreed_lines(sheets, state, var));
    let asked = match taken_back(state, var) {
        Some(why) => format!("{why}. Shall it be done like this?"),
        None => "Is that right?".to_owned(),
    };
    format!("{}\n{asked}", lines.join("\n   "))
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}
