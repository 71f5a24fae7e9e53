//! A grammar in which certain parameters can only have names that are known.

use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The texts that certain parameters of calls can have. A parameter can always have what is no
/// text: a placeholder, a variable.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    /// The parameters: `Bucket`.
    pub parameters: Vec<String>,
    /// Their texts: `zoology-bucket`.
    pub known: Vec<String>,
}

impl Names {
    /// The rules of `rest`, the rest of a line of a program, in GBNF: any text in which
    /// `Bucket="` and `"Bucket": "` are followed by a known name.
    ///
    /// The rules are the states of the automaton that searches for these beginnings (Aho and
    /// Corasick, 1975).
    pub(super) fn rules(&self) -> String {
        let parameters = self.parameters.iter();
        let beginnings: Vec<String> = parameters
            .flat_map(|it| [format!("{it}=\""), format!("\"{it}\": \"")])
            .collect();
        let mut states: Vec<&str> = vec![""];
        for beginning in &beginnings {
            let inner = beginning.char_indices().skip(1);
            states.extend(inner.filter_map(|(at, _)| beginning.get(..at)));
        }
        let states: Vec<&str> = BTreeSet::from_iter(states).into_iter().collect();
        let alphabet: BTreeSet<char> = beginnings.iter().flat_map(|it| it.chars()).collect();
        let mut rules = String::new();
        for (number, state) in states.iter().enumerate() {
            let name = rule(number);
            let (mut ways, mut others) = (String::new(), String::new());
            for c in &alphabet {
                let read = format!("{state}{c}");
                let (is_beginning, next) = longest(&read, &beginnings, &states);
                if !is_beginning && next == 0 {
                    continue;
                }
                others.push_str(&class(*c));
                if !is_beginning {
                    let _ = write!(ways, " | {} {}", text(&c.to_string()), rule(next));
                } else if !self.known.is_empty() {
                    let _ = write!(ways, " | {} name {}", text(&c.to_string()), rule(0));
                }
            }
            let _ = writeln!(rules, "{name} ::= \"\" | [^\\n{others}] {}{ways}", rule(0));
        }
        if !self.known.is_empty() {
            let names: Vec<String> = self
                .known
                .iter()
                .map(|it| text(&format!("{it}\"")))
                .collect();
            let _ = writeln!(rules, "name ::= {}", names.join(" | "));
        }
        rules
    }
}

fn rule(number: usize) -> String {
    match number {
        0 => "rest".to_owned(),
        _ => format!("rest-{number}"),
    }
}

/// Whether this ends with a beginning, and otherwise the state that it leads to: the longest
/// that it ends with.
fn longest(read: &str, beginnings: &[String], states: &[&str]) -> (bool, usize) {
    let is_beginning = beginnings.iter().any(|it| read.ends_with(it.as_str()));
    let ending = states
        .iter()
        .enumerate()
        .filter(|(_, it)| read.ends_with(*it));
    let next = ending.max_by_key(|(_, it)| it.len());
    (is_beginning, next.map_or(0, |(number, _)| number))
}

/// A text as GBNF writes it.
fn text(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A character in a class of GBNF.
fn class(c: char) -> String {
    match c {
        ']' | '\\' | '"' => format!("\\{c}"),
        _ => c.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn a_parameter_has_a_known_name() {
        let names = |known: &[&str]| Names {
            parameters: vec!["Id".to_owned()],
            known: known.iter().map(|it| (*it).to_owned()).collect(),
        };
        expect![[r#"
            rest ::= "" | [^\n\"I] rest | "\"" rest-1 | "I" rest-7
            rest-1 ::= "" | [^\n\"I] rest | "\"" rest-1 | "I" rest-2
            rest-2 ::= "" | [^\n\"Id] rest | "\"" rest-1 | "I" rest-7 | "d" rest-3
            rest-3 ::= "" | [^\n\"=I] rest | "\"" rest-4 | "=" rest-9 | "I" rest-7
            rest-4 ::= "" | [^\n\":I] rest | "\"" rest-1 | ":" rest-5 | "I" rest-2
            rest-5 ::= "" | [^\n \"I] rest | " " rest-6 | "\"" rest-1 | "I" rest-7
            rest-6 ::= "" | [^\n\"I] rest | "\"" name rest | "I" rest-7
            rest-7 ::= "" | [^\n\"Id] rest | "\"" rest-1 | "I" rest-7 | "d" rest-8
            rest-8 ::= "" | [^\n\"=I] rest | "\"" rest-1 | "=" rest-9 | "I" rest-7
            rest-9 ::= "" | [^\n\"I] rest | "\"" name rest | "I" rest-7
            name ::= "a-1\"" | "b\""
        "#]]
        .assert_eq(&names(&["a-1", "b"]).rules());
        expect![[r#"
            rest ::= "" | [^\n\"I] rest | "\"" rest-1 | "I" rest-7
            rest-1 ::= "" | [^\n\"I] rest | "\"" rest-1 | "I" rest-2
            rest-2 ::= "" | [^\n\"Id] rest | "\"" rest-1 | "I" rest-7 | "d" rest-3
            rest-3 ::= "" | [^\n\"=I] rest | "\"" rest-4 | "=" rest-9 | "I" rest-7
            rest-4 ::= "" | [^\n\":I] rest | "\"" rest-1 | ":" rest-5 | "I" rest-2
            rest-5 ::= "" | [^\n \"I] rest | " " rest-6 | "\"" rest-1 | "I" rest-7
            rest-6 ::= "" | [^\n\"I] rest | "I" rest-7
            rest-7 ::= "" | [^\n\"Id] rest | "\"" rest-1 | "I" rest-7 | "d" rest-8
            rest-8 ::= "" | [^\n\"=I] rest | "\"" rest-1 | "=" rest-9 | "I" rest-7
            rest-9 ::= "" | [^\n\"I] rest | "I" rest-7
        "#]]
        .assert_eq(&names(&[]).rules());
    }
}
