//! Random updates, random dialogues, random text.

use dialog2api::dialogue::{
    Goal, GoalRecord, Outcome, Program, ProgramError, Stack, Status, Transcript, Turn, Update,
    read_reply, read_stack, read_transcript, read_updates, write_reply, write_stack,
    write_transcript, write_updates,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

fn status() -> impl Strategy<Value = Status> + Clone {
    prop_oneof![
        3 => Just(Status::Drafting),
        2 => Just(Status::Final),
        1 => Just(Status::Abandoned),
    ]
}

/// Pieces of the format and of Python, and their ruins.
fn piece() -> impl Strategy<Value = String> {
    let pieces = [
        "<goal uid=\"1\" status=\"final\">",
        "<goal uid='2' status=drafting/>",
        "<goal",
        " uid=",
        " status = ",
        "</goal>",
        "<program>",
        "</program>",
        "<program/>",
        "<output>",
        "</output>",
        "<stack>",
        "</stack>",
        "<turn>",
        "</turn>",
        "<turn>User: ",
        "<turn>Agent: ",
        "<turns>",
        "</turns>",
        "<conversation uid=\"\">",
        "</conversation>",
        "<metadata>",
        "</metadata>",
        "<result>",
        "</result>",
        "<error/>",
        "<error>",
        "</error>",
        "<signature>",
        "</signature>",
        "<think>",
        "</think>",
        "<\\/program>",
        "<\\\\/goal >",
        "</ program",
        "</GOAL>",
        "</",
        "<",
        "<\\",
        "\\",
        "/",
        ">",
        "=",
        "\"",
        "'",
        "“",
        "”",
        "&amp;",
        "&#x41;",
        "&",
        "<!--",
        "-->",
        "?1",
        "f\"{",
        "}",
        "{",
        "#",
        "\n",
        "\r\n",
        " ",
        "program",
        "goal",
        "turn",
        "uid",
        "User:",
        "Agent:",
        "\u{feff}",
        "null",
        "[1, 2]",
        "{\"error\": \"E\"}",
        "ä",
        "a < b",
        "return 1",
    ];
    prop_oneof![
        8 => prop::sample::select(pieces.to_vec()).prop_map(str::to_owned),
        1 => any::<String>(),
        1 => any::<char>().prop_map(String::from),
    ]
}

fn soup() -> impl Strategy<Value = String> {
    vec(piece(), 0..24).prop_map(|pieces| pieces.concat())
}

/// Any text at all, except what a lenient reader takes for a code fence.
fn program() -> impl Strategy<Value = Program> {
    soup()
        .prop_filter("a code fence", |text| !text.contains("```"))
        .prop_map(Program::from_text)
}

fn json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<u64>().prop_map(Into::into),
        prop::num::f64::NORMAL.prop_map(Into::into),
        soup().prop_map(Into::into),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Into::into),
            vec((soup(), inner), 0..4)
                .prop_map(|pairs| { serde_json::Value::Object(pairs.into_iter().collect()) }),
        ]
    })
}

fn outcome() -> impl Strategy<Value = Outcome> {
    let error = (soup(), soup()).prop_map(|(error, message)| {
        Outcome::Error(ProgramError {
            error,
            message,
            traceback: None,
        })
    });
    prop_oneof![json().prop_map(Outcome::Result), error]
}

fn record() -> impl Strategy<Value = GoalRecord> {
    let signature = option::of("[0-9a-f]{8}");
    let parts = (
        any::<u32>(),
        status(),
        option::of(program()),
        option::of(outcome()),
        signature,
    );
    parts.prop_map(|(uid, status, program, outcome, signature)| GoalRecord {
        uid,
        status,
        program,
        outcome,
        signature,
    })
}

fn said() -> impl Strategy<Value = String> {
    soup().prop_map(|text| text.trim().to_owned())
}

fn transcript() -> impl Strategy<Value = Transcript> {
    let turn = (said(), vec(record(), 0..3), option::of(said()));
    let turn = turn.prop_map(|(user, goals, response)| Turn {
        user,
        goals,
        response,
    });
    let attributes = prop::collection::btree_map("[a-t][a-z:_.-]{0,6}", soup(), 0..3);
    let signature = option::of("[0-9a-f]{8}");
    let parts = (
        soup(),
        attributes,
        signature,
        option::of(said()),
        vec(turn, 0..4),
    );
    parts.prop_map(
        |(uid, attributes, initial_signature, greeting, turns)| Transcript {
            uid,
            attributes: attributes.into_iter().rev().collect(),
            initial_signature,
            greeting,
            turns,
        },
    )
}

fn update() -> impl Strategy<Value = Update> {
    let code = prop_oneof![
        4 => Just("f()"),
        2 => Just("f(?1)"),
        1 => Just("f('?1') # ?2"),
        1 => Just("  "),
    ];
    let program = option::weighted(0.7, code.prop_map(Program::new));
    (0..6u32, status(), program).prop_map(|(uid, status, program)| Update {
        uid,
        status,
        program,
    })
}

/// What one turn may do, said a second time and in another way.
fn is_legal(stack: &Stack, updates: &[Update]) -> bool {
    let uids: BTreeSet<u32> = updates.iter().map(|update| update.uid).collect();
    uids.len() == updates.len()
        && updates.iter().all(|update| {
            let old = stack.get(update.uid);
            let starts = old.is_none_or(|goal| goal.status == Status::Drafting)
                && (old.is_some() || update.status != Status::Abandoned);
            let kept = old.map(|goal| &goal.program);
            starts
                && update.program.as_ref().or(kept).is_some_and(|program| {
                    update.status != Status::Final
                        || !(program.is_empty() || program.code().contains("f(?1)"))
                })
        })
}

proptest! {
    #[test]
    fn updates_follow_the_status_rules(turns in vec(vec(update(), 0..4), 0..24)) {
        let mut stack = Stack::default();
        let mut executed: BTreeMap<u32, usize> = BTreeMap::new();
        for updates in &turns {
            let before = stack.clone();
            let legal = is_legal(&stack, updates);
            let given = stack.updated(updates);
            prop_assert_eq!(&stack, &before, "nothing changes in place");
            prop_assert_eq!(given.is_ok(), legal);
            let (mut after, execute) = match given {
                Ok(given) => given,
                Err(reasons) => {
                    prop_assert!(!reasons.is_empty());
                    continue;
                }
            };
            // Executed in the order given, and exactly what became final.
            let finals = updates.iter().filter(|update| update.status == Status::Final);
            prop_assert_eq!(&execute, &finals.map(|update| update.uid).collect::<Vec<_>>());
            for uid in execute {
                *executed.entry(uid).or_default() += 1;
                let ran = Outcome::Result(uid.into());
                prop_assert!(after.attach(uid, ran.clone()));
                prop_assert!(!after.attach(uid, ran));
            }
            // What is touched lies on top, in the order given; the rest below, as before.
            let touched: Vec<u32> = updates.iter().map(|update| update.uid).collect();
            let mut order: Vec<u32> = before.goals().iter().map(|goal| goal.uid).collect();
            order.retain(|uid| !touched.contains(uid));
            order.extend(&touched);
            let uids: Vec<u32> = after.goals().iter().map(|goal| goal.uid).collect();
            prop_assert_eq!(uids, order);
            for update in updates {
                let new = after.get(update.uid).expect("on top");
                let old = before.get(update.uid).map(|goal| &goal.program);
                prop_assert_eq!(new.status, update.status);
                prop_assert_eq!(Some(&new.program), update.program.as_ref().or(old));
            }
            // Nothing leaves final or abandoned, and nothing else changes.
            for goal in before.goals() {
                if !touched.contains(&goal.uid) || goal.status != Status::Drafting {
                    prop_assert_eq!(after.get(goal.uid), Some(&**goal));
                }
            }
            stack = after;
        }
        for goal in stack.goals() {
            let times = executed.get(&goal.uid).copied().unwrap_or(0);
            prop_assert_eq!(times, usize::from(goal.status == Status::Final));
            prop_assert_eq!(goal.outcome.is_some(), goal.status == Status::Final);
        }
    }

    #[test]
    fn updates_come_back(updates in vec((any::<u32>(), status(), option::of(program())), 1..5)) {
        let updates: Vec<Update> = updates
            .into_iter()
            .map(|(uid, status, program)| Update { uid, status, program })
            .collect();
        let text = write_updates(&updates);
        prop_assert_eq!(read_updates(&text), Ok(updates.clone()));
        let wrapped = format!("<output>\n{text}\n</output>");
        prop_assert_eq!(read_updates(&wrapped), Ok(updates));
    }

    #[test]
    fn stacks_come_back(records in vec((record(), program()), 0..5)) {
        let goals: BTreeMap<u32, Goal> = records
            .into_iter()
            .map(|(record, program)| {
                let GoalRecord { uid, status, outcome, .. } = record;
                (uid, Goal { uid, status, program, outcome, signature: None })
            })
            .collect();
        let stack = Stack::from_goals(goals.into_values().collect()).expect("each uid once");
        prop_assert_eq!(read_stack(&write_stack(&stack)), Ok(stack));
    }

    #[test]
    fn conversations_come_back(transcript in transcript()) {
        let text = write_transcript(&transcript);
        let read = read_transcript(&text);
        prop_assert_eq!(&read, &Ok(transcript));
        prop_assert_eq!(write_transcript(&read.expect("just read")), text);
    }

    #[test]
    fn replies_come_back(reply in said()) {
        prop_assume!(!reply.is_empty());
        prop_assert_eq!(read_reply(&write_reply(&reply)), Ok(reply));
    }

    #[test]
    fn any_text_is_read_or_refused_with_a_place(text in prop_oneof![soup(), any::<String>()]) {
        let errors = [
            read_updates(&text).err(),
            read_reply(&text).err(),
            read_stack(&text).err(),
            read_transcript(&text).err(),
        ];
        for error in errors.into_iter().flatten() {
            let line = text.split('\n').nth(error.line.wrapping_sub(1));
            let columns = line.expect("a line of the text").chars().count() + 1;
            prop_assert!((1..=columns).contains(&error.column), "{}", error);
        }
        let program = Program::from_text(text);
        let plain = program.with_placeholders_replaced(|n| format!("_{n}"));
        prop_assert_eq!(Program::from_text(plain).placeholders(), BTreeSet::new());
    }

    #[test]
    fn what_was_understood_is_understood_again(text in soup()) {
        if let Ok(updates) = read_updates(&text)
            && !updates.is_empty()
        {
            prop_assert_eq!(read_updates(&write_updates(&updates)), Ok(updates));
        }
        if let Ok(reply) = read_reply(&text) {
            prop_assert_eq!(read_reply(&write_reply(&reply)), Ok(reply));
        }
    }
}

/// Each piece is repeated many thousand times. A reader that recursed would
/// overflow its stack; one that searched from each piece to the end of the text
/// would take minutes.
#[test]
fn long_and_deep_text_is_read_to_its_end() {
    const SIZE: usize = 32 * 1024;
    let deep = [
        "<",
        "</",
        "<\\",
        "<goal ",
        "<goal uid=\"",
        "<goal uid=“",
        "<goal uid=\"1\" status=\"final\">",
        "<goal uid=\"x\">",
        "<output><goal>",
        "<stack>",
        "<think>",
        "<think></thinking>",
        "</think>",
        "<turn>",
        "<turn>User: ",
        "<turn>Agent: </turn>",
        "<program>",
        "</program>",
        "<goal uid='1' status='final'><program>",
        "<goal uid=1 status=final><result>",
        "<goal uid=1 status=final/> ",
        "<!-- ",
        "<goal\n",
        "   ",
        "\n",
        "a:",
        "\nUser:",
        "```\n",
        "f'{",
        "f'{x:",
        "'''",
        "?1(",
        "&amp",
        "<goal uid=\"&&amp",
        "[",
        "{\"a\":",
        "<error>",
    ];
    let starts = [
        "",
        "<stack><goal uid=\"1\" status=\"final\"><program></program><result>",
        "<conversation uid=\"1\"><turns><turn>User: x</turn>",
        "<conversation uid=\"",
    ];
    for piece in deep {
        for start in starts {
            let count = (SIZE - start.len()) / piece.len();
            let text = format!("{start}{}", piece.repeat(count));
            let _ = read_updates(&text);
            let _ = read_reply(&text);
            let _ = read_stack(&text);
            let _ = read_transcript(&text);
        }
        Program::from_text(piece.repeat(SIZE / piece.len())).placeholders();
    }
}
