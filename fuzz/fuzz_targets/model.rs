//! Fuzzes the readers of what a chat model said: updates of goals, and replies.
//!
//! libFuzzer finds panics, hangs and excessive memory. The assertions check that an answer
//! that was understood is understood in the same way when it is written in its canonical
//! form, that a stack takes it or refuses it with a reason, that an error names a place in
//! the text, and that the time grows no faster than the text.
#![no_main]

#[path = "text/linear.rs"]
mod linear;
#[path = "text/place.rs"]
mod place;

use dialog2api::dialogue::{Stack, clean, read_reply, read_updates, write_reply, write_updates};
use libfuzzer_sys::fuzz_target;

fn updates(text: &str) {
    let read = match read_updates(text) {
        Ok(read) => read,
        Err(error) => return place::check(text, &error),
    };
    if read.is_empty() {
        return;
    }
    let written = write_updates(&read);
    let again = read_updates(&written).expect("what was written can be read");
    assert_eq!(again, read);
    let wrapped = format!("<think>\n{text}\n</think>\n<output>\n{written}\n</output>");
    if let Ok(within) = read_updates(&wrapped) {
        assert_eq!(within, read, "within an output");
    }
    match Stack::default().updated(&read) {
        Ok((stack, execute)) => {
            assert_eq!(stack.goals().len(), read.len());
            assert!(execute.len() <= read.len());
        }
        Err(reasons) => assert!(!reasons.is_empty(), "refused without a reason"),
    }
}

fn reply(text: &str) {
    let said = match read_reply(text) {
        Ok(said) => said,
        Err(error) => return place::check(text, &error),
    };
    assert_eq!(said, said.trim());
    assert_eq!(read_reply(&write_reply(&said)), Ok(said.clone()));
    let shown = clean(&said);
    assert_eq!(clean(&shown), shown, "cleaned twice is another text");
    assert!(!shown.contains('\x1b'), "an escape is left");
}

fuzz_target!(|input: &[u8]| {
    linear::run(input, |text| {
        updates(text);
        reply(text);
    });
});
