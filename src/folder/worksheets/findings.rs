//! What is wrong with a reply.

use super::record::Kept;
use super::wording::{agreed, field, written};
use serde_json::Value as Json;
use typed_claims::NUMBER_WORDS;
use worksheets::{Act, Sheets, Type, judge_reply};

/// A sentence for each thing that is wrong.
pub(super) fn findings(
    sheets: &Sheets,
    kept: &Kept,
    (reply, handoff): (&str, &str),
) -> Vec<String> {
    let mut findings = judge_reply(reply, &kept.acts);
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

/// Whether a reply has a value, in one of the ways in which people write it.
fn is_said(reply: &str, value: &Json) -> bool {
    let folded = |text: &str| -> String {
        let kept = text.chars().filter(|c| c.is_alphanumeric());
        kept.flat_map(char::to_lowercase).collect()
    };
    let reply_folded = folded(reply);
    match value {
        Json::Null | Json::Bool(_) => true,
        Json::Array(items) => items.iter().all(|item| is_said(reply, item)),
        Json::Object(row) => row.values().any(|column| is_said(reply, column)),
        Json::Number(number) => {
            let digits = number.to_string();
            let mut numbers = reply.split(|c: char| !c.is_ascii_digit() && c != '.' && c != '-');
            numbers.any(|it| it.trim_end_matches('.') == digits) || spelled(number, &reply_folded)
        }
        Json::String(text) if text == "NA" => true,
        Json::String(text) => {
            reply_folded.contains(&folded(text))
                || is_date_said(text, reply)
                || is_time_said(text, reply)
        }
    }
}

fn spelled(number: &serde_json::Number, reply: &str) -> bool {
    let small = number.as_u64().and_then(|it| usize::try_from(it).ok());
    let word = match small {
        Some(0) => Some("no"),
        Some(number) => NUMBER_WORDS.get(number).copied(),
        None => None,
    };
    word.is_some_and(|word| reply.contains(word))
}

/// `2026-12-05` as "5 December" or "December 5th".
fn is_date_said(text: &str, reply: &str) -> bool {
    let Ok(date) = text.parse::<jiff::civil::Date>() else {
        return false;
    };
    let day = date.day().to_string();
    let mut numbers = reply.split(|c: char| !c.is_ascii_digit());
    let month = date.strftime("%b").to_string().to_lowercase();
    numbers.any(|it| it.trim_start_matches('0') == day) && reply.to_lowercase().contains(&month)
}

/// `19:30` as "7:30 pm".
fn is_time_said(text: &str, reply: &str) -> bool {
    let Ok(time) = text.parse::<jiff::civil::Time>() else {
        return false;
    };
    if text.len() > 8 || !text.contains(':') {
        return false;
    }
    let hour = (time.hour() + 11) % 12 + 1;
    let mut numbers = reply.split(|c: char| !c.is_ascii_digit());
    numbers.any(|it| it.trim_start_matches('0') == hour.to_string())
        && (time.minute() == 0 || reply.contains(&format!("{:02}", time.minute())))
}

#[cfg(test)]
mod tests {
    use super::is_said;

    #[test]
    fn small_numbers_may_be_words() {
        for (number, reply, is_there) in [
            (0, "for no children", true),
            (2, "for two", true),
            (13, "a table for thirteen", true),
            (13, "a table for three", false),
        ] {
            assert_eq!(is_said(reply, &number.into()), is_there, "{reply}");
        }
    }
}
