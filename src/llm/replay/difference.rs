//! Shows how a request that is not in a recording differs from the most similar one that
//! is.

use crate::domain::counted;
use crate::llm::Request;
use crate::llm::recording::Exchange;
use similar::TextDiff;
use std::collections::HashMap;

/// The most lines of a difference that are shown, and the most characters of each.
const MOST_LINES: usize = 60;
const LONGEST_LINE: usize = 200;

/// Compares a request with the most similar recorded one.
pub(super) fn explain(recorded: &[Exchange], request: &Request) -> String {
    let asked = as_text(request);
    let mut counts: HashMap<&str, (usize, usize)> = HashMap::new();
    for line in asked.lines() {
        counts.entry(line).or_default().0 += 1;
    }
    let mut nearest: Option<(usize, &Exchange, String)> = None;
    for exchange in recorded {
        let text = as_text(&exchange.request);
        let common = shared_lines(&mut counts, &text);
        let differing = (asked.lines().count() + text.lines().count()).abs_diff(2 * common);
        if nearest
            .as_ref()
            .is_none_or(|(least, ..)| differing < *least)
        {
            nearest = Some((differing, exchange, text));
        }
    }
    let Some((_, exchange, text)) = nearest else {
        return "the recording holds no exchange".to_owned();
    };
    let diff = TextDiff::from_lines(text.as_str(), asked.as_str());
    let diff = diff
        .unified_diff()
        .context_radius(2)
        .header("recorded", "asked now")
        .to_string();
    let mut shown = String::new();
    for line in diff.lines().take(MOST_LINES) {
        shown.push('\n');
        let line = line.trim_end();
        shown.extend(line.chars().map(visible).take(LONGEST_LINE));
        if line.chars().nth(LONGEST_LINE).is_some() {
            shown.push('…');
        }
    }
    match diff.lines().count().saturating_sub(MOST_LINES) {
        0 => {}
        more => shown.push_str(&format!("\n… and {}", counted(more, "more line"))),
    }
    format!(
        "a request is not in the recording; the nearest one is in line {}:{shown}",
        exchange.line
    )
}

/// How many lines of `text` are among the counted ones. Each counted line matches at most
/// as often as it was counted.
fn shared_lines(counts: &mut HashMap<&str, (usize, usize)>, text: &str) -> usize {
    for (_, used) in counts.values_mut() {
        *used = 0;
    }
    let mut shared = 0;
    for line in text.lines() {
        if let Some((there, used)) = counts.get_mut(line)
            && used < there
        {
            *used += 1;
            shared += 1;
        }
    }
    shared
}

fn as_text(request: &Request) -> String {
    let Request {
        messages,
        max_tokens,
        temperature,
        stop,
        seed,
        grammar,
    } = request;
    let mut text = format!(
        "max_tokens: {max_tokens}\ntemperature: {temperature}\nstop: {stop:?}\nseed: {seed:?}\n"
    );
    if let Some(grammar) = grammar {
        text.push_str(&format!("grammar:\n{grammar}\n"));
    }
    for message in messages {
        text.push_str(&format!("[{:?}]\n{}\n", message.role, message.content));
    }
    text
}

fn visible(c: char) -> char {
    if c.is_control() { '\u{fffd}' } else { c }
}
