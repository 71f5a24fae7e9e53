//! Tokens of code against those of Python's `tokenize` (`tokens.py` recorded them).

use dialog2api::dataset::rows::RowGoal;
use dialog2api::dialogue::Status;
use dialog2api::eval::score::metrics::edits::{distance, tokens};

#[test]
fn tokens_are_those_of_python() {
    let mut programs = 0;
    for line in include_str!("tokens.jsonl").lines() {
        let (code, expected): (String, Vec<String>) = serde_json::from_str(line).expect("a line");
        assert_eq!(tokens(&code), expected, "of\n{code}");
        programs += 1;
    }
    assert!(programs > 150, "{programs}");
}

/// What is no Python has tokens all the same.
#[test]
fn broken_code_has_tokens() {
    let cases = [
        ("x = 'a\ny", vec!["x", "=", "'a", "\n", "y", "\n"]),
        ("$ ! ?", vec!["$", "!", "?", "\n"]),
        (")(", vec![")", "(", "\n"]),
        ("f'{a", vec!["f'{a", "\n"]),
        ("'''a\nb", vec!["'''a\nb", "\n"]),
        ("a\\", vec!["a", "\\", "\n"]),
        ("f\"{x[\"a\"]}\" y", vec!["f\"{x[\"a\"]}\"", "y", "\n"]),
        ("'\\", vec!["'\\", "\n"]),
    ];
    for (code, expected) in cases {
        assert_eq!(tokens(code), expected, "of {code:?}");
    }
}

fn goals(programs: &[&str]) -> Vec<RowGoal> {
    let goals = programs.iter().zip(1..).map(|(program, uid)| RowGoal {
        uid,
        status: Status::Final,
        program: (!program.is_empty()).then(|| format!("\n{program}\n")),
        result: None,
        error: None,
        message: None,
        signature: None,
    });
    goals.collect()
}

#[test]
fn distance_counts_tokens() {
    let cases: [(&[&str], &[&str], usize); 9] = [
        (&["a = 1"], &["a = 1"], 0),
        // White space, comments and the indentation of the whole are no tokens.
        (&["  a=1 # b"], &["\na  =  1\n"], 0),
        (&["a = 2"], &["a = 1"], 1),
        (&["a = ?1"], &["a = ?2"], 1),
        // `.`, `b` are inserted.
        (&["a"], &["a.b"], 2),
        // Four tokens and the line's end.
        (&[], &["f(x)"], 5),
        // `status="final"` alone has no program of its own.
        (&[""], &["f(x)"], 5),
        (&["f(x)", "g(y)"], &["f(x)", "g(z)"], 1),
        // In another order all but brackets and line ends differ: f/g, x/y twice.
        (&["g(y)", "f(x)"], &["f(x)", "g(y)"], 4),
    ];
    for (predicted, truth, expected) in cases {
        let found = distance(&goals(predicted), &goals(truth));
        assert_eq!(found, expected, "{predicted:?} for {truth:?}");
    }
}
