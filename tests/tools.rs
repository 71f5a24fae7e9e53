//! A test that lacks a tool is never silently green: it says that it was left out, or it fails.

use crate::support::tools::BOTO3;
use std::path::Path;
use std::process::{Command, Output};

const TEST: &str = "signature::the_reference_implementation_gives_the_published_signatures";
const ADVICE: &str = "needs Python 3: apt-get install python3, and name that Python in \
                      DIALOG2API_TEST_PYTHON";

/// Runs one test where there is no Python.
fn without_python(required: &str) -> Output {
    let mut test = Command::new(std::env::current_exe().unwrap());
    test.args(["--exact", TEST]).env("PATH", "/nowhere");
    test.env_remove("DIALOG2API_TEST_PYTHON");
    test.env("DIALOG2API_TEST_REQUIRE_TOOLS", required);
    test.output().unwrap()
}

#[test]
fn a_test_without_its_tool_says_so_and_is_listed() {
    let output = without_python("");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert_eq!(said, format!("left out {TEST}: {ADVICE}\n"));
    // The list is of the process that started the test: this one.
    let list = Path::new(env!("CARGO_TARGET_TMPDIR")).join("left-out");
    let list = list.join(std::process::id().to_string());
    let listed = std::fs::read_to_string(&list).unwrap();
    std::fs::remove_file(list).unwrap();
    assert_eq!(listed, format!("{ADVICE}\t{TEST}\n"));
}

#[test]
fn where_tools_are_required_it_fails() {
    let output = without_python("1");
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(101), "{said}");
    assert!(said.contains(ADVICE), "{said}");
}

#[test]
#[should_panic(expected = "needs a tool that nobody has")]
fn a_test_that_does_not_ask_fails() {
    use crate::support::tools::{Find, Tool};
    let nobody = Tool {
        name: "a tool that nobody has",
        variable: "DIALOG2API_TEST_NOBODY",
        find: Find::Program("dialog2api-nobody-has-this"),
        ..BOTO3
    };
    nobody.path();
}
