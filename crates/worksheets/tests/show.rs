//! Sheets as a diagram: whatever there is, is shown.

use worksheets::{Format, read, show};

#[track_caller]
fn same(rows: &str, wanted: &str) {
    let csv = format!("WS Predicate,WS Name,Predicate,Kind,Type,Name\n{rows}");
    let sheets = read(csv.as_bytes(), Format::Csv).unwrap();
    assert_eq!(show(&sheets), wanted);
}

#[test]
fn sheets_without_a_root_are_shown() {
    same("", "there are no sheets\n");
    same(
        ",A,,task,,\n,,,input,str,x\n,,,input,B,b\n,B,,task,,\n,,,input,A,a\n",
        "A  (opened as a part of other sheets)\n\
         ├─ x: str\n\
         └─ b: B\n   \
            └─ a: A\n      \
               └─ … as above\n",
    );
    same(
        ",M,,task,,\n,A,,task,,\n,,,input,A,a\n,things,,kb,,\n",
        "M  (opened first)\n\
         A  (opened as a part of other sheets)\n\
         └─ a: A\n   \
            └─ … as above\n\
         things  (documents)\n",
    );
}

/// Sheets within sheets are drawn once, however many ways lead to them, and however deep.
#[test]
fn deep_sheets_are_drawn_once() {
    let count = 2_000;
    let mut rows = String::new();
    for at in 0..count {
        rows.push_str(&format!(",S{at},,task,,\n"));
        for field in ["a", "b"] {
            rows.push_str(&format!(",,,input,S{},{field}\n", at + 1));
        }
    }
    rows.push_str(&format!(",S{count},,task,,\n,,,input,str,end\n"));
    let csv = format!("WS Predicate,WS Name,Predicate,Kind,Type,Name\n{rows}");
    let shown = show(&read(csv.as_bytes(), Format::Csv).unwrap());
    assert_eq!(shown.matches("end: str").count(), 1);
    assert_eq!(shown.matches(": S7\n").count(), 2);
    assert!(
        shown.lines().count() < 8 * count,
        "{}",
        shown.lines().count()
    );
}
