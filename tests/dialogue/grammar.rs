//! The grammar of a model's answers: everything that is written keeps it, and everything
//! that keeps it can be read.

use dialog2api::dialogue::{
    Conversation, Program, Status, Update, read_conversation, read_reply, read_updates,
    reply_grammar, updates_grammar, write_reply, write_updates,
};
use expect_test::expect;
use proptest::prelude::*;
use std::collections::{BTreeSet, HashMap};

/// What stands in an alternative, character by character.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    /// One of these, or none of these.
    One {
        negated: bool,
        ranges: Vec<(char, char)>,
    },
    Rule(String),
}

/// The part of GBNF that the grammars are written in: literals, classes, rules and `|`.
struct Grammar(HashMap<String, Vec<Vec<Part>>>);

impl Grammar {
    fn read(text: &str) -> Grammar {
        let rules = text.lines().map(|line| {
            let (name, ways) = line.split_once(" ::= ").expect("a rule a line");
            (name.to_owned(), read_ways(ways))
        });
        Grammar(rules.collect())
    }

    /// Expands stacks until each has a character on top.
    fn open(&self, stacks: impl IntoIterator<Item = Vec<Part>>) -> BTreeSet<Vec<Part>> {
        let mut open = BTreeSet::new();
        let mut todo: Vec<Vec<Part>> = stacks.into_iter().collect();
        while let Some(mut stack) = todo.pop() {
            match stack.pop() {
                Some(Part::Rule(name)) => {
                    for way in self.0.get(&name).expect("a rule that is there") {
                        let mut longer = stack.clone();
                        longer.extend(way.iter().rev().cloned());
                        todo.push(longer);
                    }
                }
                Some(one) => {
                    stack.push(one);
                    open.insert(stack);
                }
                None => drop(open.insert(stack)),
            }
        }
        open
    }

    /// How much of the text can be said, and whether the end may be there.
    fn follow(&self, text: &str) -> (usize, bool) {
        let mut stacks = self.open([vec![Part::Rule("root".to_owned())]]);
        for (at, c) in text.char_indices() {
            let next = stacks.into_iter().filter_map(|mut stack| {
                let top = stack.pop()?;
                allows(&top, c).then_some(stack)
            });
            stacks = self.open(next);
            if stacks.is_empty() {
                return (at, false);
            }
        }
        (text.len(), stacks.contains(&Vec::new()))
    }
}

fn allows(part: &Part, c: char) -> bool {
    match part {
        Part::One { negated, ranges } => {
            ranges.iter().any(|(from, to)| (*from..=*to).contains(&c)) != *negated
        }
        Part::Rule(_) => false,
    }
}

fn read_ways(text: &str) -> Vec<Vec<Part>> {
    let mut ways = vec![Vec::new()];
    let mut chars = text.chars().peekable();
    let escaped = |c: char, chars: &mut dyn Iterator<Item = char>| match c {
        '\\' => match chars.next().expect("an escape") {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            other => other,
        },
        other => other,
    };
    while let Some(c) = chars.next() {
        let way = ways.last_mut().expect("a way");
        match c {
            ' ' => {}
            '|' => ways.push(Vec::new()),
            '"' => {
                while let Some(c) = chars.next().filter(|c| *c != '"') {
                    let c = escaped(c, &mut chars);
                    let (negated, ranges) = (false, vec![(c, c)]);
                    way.push(Part::One { negated, ranges });
                }
            }
            '[' => {
                let negated = chars.next_if_eq(&'^').is_some();
                let mut ranges: Vec<(char, char)> = Vec::new();
                while let Some(c) = chars.next().filter(|c| *c != ']') {
                    match (c, ranges.last_mut()) {
                        ('-', Some(last)) => last.1 = chars.next().expect("the end of a range"),
                        _ => {
                            let c = escaped(c, &mut chars);
                            ranges.push((c, c));
                        }
                    }
                }
                way.push(Part::One { negated, ranges });
            }
            first => {
                let mut name = String::from(first);
                while let Some(c) = chars.next_if(|c| c.is_ascii_alphanumeric() || *c == '-') {
                    name.push(c);
                }
                way.push(Part::Rule(name));
            }
        }
    }
    ways
}

#[track_caller]
fn check(grammar: &str, text: &str) {
    let (said, ends) = Grammar::read(grammar).follow(text);
    let (kept, rest) = text.split_at(said);
    assert!(ends, "after {kept:?} cannot follow {rest:?}");
}

#[test]
fn it_is_an_automaton_that_looks_for_the_closing_tag() {
    expect![[r#"
        root ::= "<turn>Agent: " [^ \t\r\n<] reply-0
        reply-0 ::= "<" reply-1 | [^<] reply-0
        reply-1 ::= "<" reply-1 | "/" reply-2 | [^</] reply-0
        reply-2 ::= "<" reply-1 | "t" reply-3 | [^<t] reply-0
        reply-3 ::= "<" reply-1 | "u" reply-4 | [^<u] reply-0
        reply-4 ::= "<" reply-1 | "r" reply-5 | [^<r] reply-0
        reply-5 ::= "<" reply-1 | "n" reply-6 | [^<n] reply-0
        reply-6 ::= "<" reply-1 | ">" | [^<>] reply-0
    "#]]
    .assert_eq(&reply_grammar());
}

#[test]
fn what_the_dialogues_of_the_dataset_say_keeps_it() {
    let mut seen = 0;
    for part in ["train", "test"] {
        let folder = format!("{}/datasets/s3/{part}", env!("CARGO_MANIFEST_DIR"));
        for file in std::fs::read_dir(folder).expect("the dataset") {
            let text = std::fs::read_to_string(file.expect("a file").path()).expect("a text");
            let Conversation { turns, .. } = read_conversation(&text).expect("a dialogue");
            for turn in turns {
                check(&updates_grammar(), &write_updates(&turn.updates()));
                check(
                    &reply_grammar(),
                    &write_reply(&turn.response.expect("a reply")),
                );
                seen += 1;
            }
        }
    }
    assert!(seen > 400, "{seen}");
}

#[test]
fn what_does_not_keep_it_is_stopped_where_it_does_not() {
    let check = |text: &str, kept: &str| {
        let (said, ends) = Grammar::read(&updates_grammar()).follow(text);
        assert_eq!((&text[..said], ends), (kept, false));
    };
    check("Here you are:", "");
    check("<goal uid=\"0\"", "<goal uid=\"");
    check(
        "<goal uid=\"1\" status=\"done\"",
        "<goal uid=\"1\" status=\"d",
    );
    check(
        "<goal uid=\"1\" status=\"drafting\"/>",
        "<goal uid=\"1\" status=\"drafting\"",
    );
    let program = "<goal uid=\"1\" status=\"final\">\n<program>\nreturn 1 << 2\n</program>";
    check(program, program);
    check(&format!("{program}\n<program>"), &format!("{program}\n<"));
}

fn update() -> impl Strategy<Value = Update> {
    let code = "([a-z< >/\\\\]|</prog|<<|<turn>|</program>|é|\n){0,40}";
    let status = prop_oneof![Just(Status::Drafting), Just(Status::Final)];
    let written = (1..999u32, status, code).prop_map(|(uid, status, code)| Update {
        uid,
        status,
        program: Some(Program::new(&code)),
    });
    let status = prop_oneof![Just(Status::Abandoned), Just(Status::Final)];
    let ended = (1..999u32, status).prop_map(|(uid, status)| Update {
        uid,
        status,
        program: None,
    });
    prop_oneof![written, ended]
}

/// Something that keeps the grammar: at each place the way that `choices` names. `None`
/// where they are too few to come to an end.
fn said(grammar: &Grammar, choices: &[u16]) -> Option<String> {
    let mut text = String::new();
    let mut stacks = grammar.open([vec![Part::Rule("root".to_owned())]]);
    let mut choices = choices.iter().map(|choice| usize::from(*choice));
    while !stacks.contains(&Vec::new()) {
        let tops: Vec<&Part> = stacks.iter().filter_map(|stack| stack.last()).collect();
        let named: Vec<char> = tops.iter().flat_map(|top| named(top)).collect();
        let others = "a é<>/p\n\"\\".chars();
        let free: Vec<char> = others
            .filter(|c| tops.iter().any(|top| allows(top, *c)))
            .collect();
        let choice = choices.next()?;
        let (way, any) = (choice % 8, choice / 8);
        let c = match way {
            0 if !free.is_empty() => free[any % free.len()],
            _ if named.is_empty() => free[any % free.len()],
            1 => named[any % named.len()],
            // What leads to the end of a tag: its start would lead there never.
            _ => *(named.iter().rfind(|c| **c != '<')).unwrap_or(&named[0]),
        };
        text.push(c);
        let next = stacks.into_iter().filter_map(|mut stack| {
            let top = stack.pop()?;
            allows(&top, c).then_some(stack)
        });
        stacks = grammar.open(next);
    }
    Some(text)
}

/// The characters that a part names.
fn named(part: &Part) -> Vec<char> {
    match part {
        Part::One { negated, ranges } if !negated => ranges.iter().map(|(from, _)| *from).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn the_shortest_way_to_an_end_is_found() {
    let shortest = said(&Grammar::read(&reply_grammar()), &[7; 30]);
    expect![[r#"<turn>Agent: a</turn>"#]].assert_eq(&shortest.expect("an end"));
}

proptest! {
    #[test]
    fn what_is_written_keeps_it(updates in proptest::collection::vec(update(), 1..4)) {
        check(&updates_grammar(), &write_updates(&updates));
    }

    #[test]
    fn what_keeps_it_is_read(choices in proptest::collection::vec(any::<u16>(), 400)) {
        if let Some(text) = said(&Grammar::read(&updates_grammar()), &choices) {
            prop_assert!(read_updates(&text).is_ok_and(|updates| !updates.is_empty()), "{text:?}");
        }
        if let Some(text) = said(&Grammar::read(&reply_grammar()), &choices) {
            prop_assert!(read_reply(&text).is_ok_and(|reply| !reply.trim().is_empty()), "{text:?}");
        }
    }
}
