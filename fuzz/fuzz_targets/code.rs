//! Fuzzes the reading of calls from programs, which is done outside of the sandbox and to
//! text that a model, or whoever it read, may have written.
//!
//! libFuzzer finds panics, hangs, excessive memory and exhausted stacks. The assertions
//! check that places lie in the program, and that arguments occur in it.
#![no_main]

#[path = "text/linear.rs"]
mod linear;

use dialog2api::dialogue::Program;
use dialog2api::domain::Calls;
use dialog2api::domain::s3::S3;
use libfuzzer_sys::fuzz_target;

fn calls(text: &str) {
    let program = Program::from_text(text.to_owned());
    let calls = Calls::of(&program, &S3);
    let lines = program.code().split('\n').count();
    let places = calls.sites.iter().map(|site| site.line);
    for line in places.chain(calls.unresolved.map(|unresolved| unresolved.line)) {
        assert!((1..=lines).contains(&line), "line {line} of {lines}");
    }
    for keyword in calls.sites.iter().flat_map(|site| &site.keywords) {
        assert!(program.code().contains(&keyword.code), "{keyword:?}");
    }
}

fuzz_target!(|input: &[u8]| linear::run(input, calls));
