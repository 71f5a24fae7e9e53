//! Fuzzes the reader of journals: any bytes, and lines with right checksums around any
//! entries, since no mutation finds a checksum.
//!
//! libFuzzer finds panics, hangs and excessive memory. The assertions check that a journal
//! that was read and is written again reads the same, and that one that is cut off at any
//! byte keeps its whole lines.
#![no_main]

use dialog2api::journal::{Lines, SessionState, read, seal, write};
use libfuzzer_sys::fuzz_target;

/// The bytes that these lines are written as.
fn written(lines: &Lines) -> Vec<u8> {
    let (mut bytes, mut sum) = (Vec::new(), 0);
    for line in &lines.lines {
        let (next, its) = write(line, sum).expect("what was read is not too long");
        bytes.extend(next);
        sum = its;
    }
    bytes
}

fn look(bytes: &[u8]) {
    let Ok(found) = read(bytes) else {
        return;
    };
    let torn = found.torn.map_or(0, |torn| torn.bytes);
    assert_eq!(found.bytes + torn, bytes.len(), "all is accounted for");
    let again = read(&written(&found)).expect("it was written just now");
    // Floats that are not numbers differ from themselves; their texts do not.
    assert_eq!(
        format!("{:?}", again.lines),
        format!("{:?}", found.lines),
        "another reading"
    );
    assert_eq!(again.torn, None);
    if let Ok(state) = SessionState::of(found.lines.iter().cloned()) {
        let _ = state.transcript("fuzz");
        let _ = state.undoable().count();
        let _ = state.cut_off();
    }
    let cut = bytes.len() / 2;
    let whole = bytes.get(..cut).unwrap_or_default();
    let lines = whole.iter().filter(|byte| **byte == b'\n').count();
    let cut = read(whole).expect("cut off is not damaged");
    assert_eq!(cut.lines.len(), lines.min(found.lines.len()));
}

fuzz_target!(|input: &[u8]| {
    look(input);
    let (mut bytes, mut sum) = (Vec::new(), 0);
    for (index, entry) in input.split(|byte| *byte == b'\n').enumerate() {
        let head = format!(
            "{{\"n\":{},\"at\":\"2026-11-21T20:13:01Z\",\"entry\":",
            index + 1
        );
        let (line, next) = seal([head.as_bytes(), entry].concat(), sum);
        bytes.extend(line);
        sum = next;
    }
    look(&bytes);
});
