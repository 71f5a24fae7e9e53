//! Grammars of the answers of a model, for servers that hold a model to a grammar.
//!
//! They are written in GBNF, the notation of llama.cpp's server (see `grammars/README.md`
//! there). They allow less than [`read_updates`](super::read_updates) and
//! [`read_reply`](super::read_reply) understand: no prose around the goals and no empty
//! reply. A program may have any character, including `<`, and ends at its closing tag.

use std::fmt::Write as _;

/// The grammar of one or more goals, as [`write_updates`](super::write_updates) writes them.
pub fn updates_grammar() -> String {
    let mut grammar = String::from(
        r#"root ::= goal more
more ::= "\n" goal more | ""
goal ::= "<goal uid=\"" uid "\" status=\"" rest
rest ::= written "\">\n<program>\n" program-0 "\n</goal>" | ended "\"/>"
written ::= "drafting" | "final"
ended ::= "final" | "abandoned"
uid ::= [1-9] | [1-9] [0-9] | [1-9] [0-9] [0-9]
"#,
    );
    push_until(&mut grammar, "program", "</program>");
    grammar
}

/// The grammar of a reply, as [`write_reply`](super::write_reply) writes it.
pub fn reply_grammar() -> String {
    let mut grammar = String::from("root ::= \"<turn>Agent: \" [^ \\t\\r\\n<] reply-0\n");
    push_until(&mut grammar, "reply", "</turn>");
    grammar
}

/// Adds the rules `NAME-0`, `NAME-1` … for any text up to and including the tag. The number
/// is how many characters of the tag have been read: the rules are the states of the
/// automaton that searches for it (Knuth, Morris and Pratt, 1977).
fn push_until(grammar: &mut String, name: &str, tag: &str) {
    for state in 0..tag.len() {
        let read = tag.get(..state).unwrap_or_default();
        let mut ways = String::new();
        let mut others = String::new();
        let mut seen = Vec::new();
        for c in tag.chars().filter(|c| {
            let is_new = !seen.contains(c);
            seen.push(*c);
            is_new
        }) {
            let next = overlap(&format!("{read}{c}"), tag);
            if next == 0 {
                continue;
            }
            others.push(c);
            let _ = match next == tag.len() {
                true => write!(ways, "\"{c}\" | "),
                false => write!(ways, "\"{c}\" {name}-{next} | "),
            };
        }
        let _ = writeln!(grammar, "{name}-{state} ::= {ways}[^{others}] {name}-0");
    }
}

/// The length of the longest start of the tag that the text ends with.
fn overlap(text: &str, tag: &str) -> usize {
    let starts = (0..=tag.len()).rev();
    let mut starts = starts.filter(|length| tag.is_char_boundary(*length));
    let known = |length: &usize| {
        tag.get(..*length)
            .is_some_and(|start| text.ends_with(start))
    };
    starts.find(known).unwrap_or(0)
}
