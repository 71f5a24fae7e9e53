//! Fuzzes the reader of the exchange format: dataset files and stacks that anybody may
//! have written.
//!
//! libFuzzer finds panics, hangs and excessive memory. The assertions check that what was
//! read and is written again reads the same and is written the same, that an error names a
//! place in the text, and that the time grows no faster than the text.
#![no_main]

#[path = "text/linear.rs"]
mod linear;
#[path = "text/place.rs"]
mod place;

use dialog2api::dialogue::{
    Goal, Program, Stack, read_stack, read_transcript, write_stack, write_transcript,
};
use libfuzzer_sys::fuzz_target;

fn transcript(text: &str) {
    let read = match read_transcript(text) {
        Ok(read) => read,
        Err(error) => return place::check(text, &error),
    };
    let written = write_transcript(&read);
    let again = read_transcript(&written).expect("what was written can be read");
    assert_eq!(again, read);
    assert_eq!(write_transcript(&again), written);
    let programs = read.turns.iter().flat_map(|turn| &turn.goals);
    programs
        .filter_map(|goal| goal.program.as_ref())
        .for_each(program);
}

/// What is done with a program before it runs.
fn program(program: &Program) {
    let filled = program.with_placeholders_replaced(|n| format!("_{n}"));
    assert!(
        Program::from_text(filled).placeholders().is_empty(),
        "a placeholder is left"
    );
}

fn stack(text: &str) {
    let read = match read_stack(text) {
        Ok(read) => read,
        Err(error) => return place::check(text, &error),
    };
    let written = write_stack(&read);
    let again = read_stack(&written).expect("what was written can be read");
    assert_eq!(again, without_signatures(&read));
    assert_eq!(write_stack(&again), written);
}

/// What a model is shown of a stack, which is what is written.
fn without_signatures(stack: &Stack) -> Stack {
    let goals = stack.goals().iter().map(|goal| Goal {
        signature: None,
        ..Goal::clone(goal)
    });
    Stack::from_goals(goals.collect()).expect("each goal once, as before")
}

fuzz_target!(|input: &[u8]| {
    linear::run(input, |text| {
        transcript(text);
        stack(text);
    });
});
