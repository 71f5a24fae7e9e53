//! Policies and calls as text in, verdicts out: reading policies, judging calls, and the
//! guard around a world. The commands are tested in `tests/cli/policy.rs`.

mod beyond;
mod ceilings;
mod globs;
mod guard;
mod long_names;
mod own_accounts;
mod places;
mod programs;
mod properties;
mod raising;
mod reading;
mod reference;
mod rules;
mod sharing;
mod worlds;

use crate::support::value;
use dialog2api::domain::s3::S3;
use dialog2api::domain::{Domain, Value};
use dialog2api::policy::{Count, Policy};
use expect_test::Expect;

pub fn policy(text: &str) -> Policy {
    let read = Policy::read(&format!("version = 1\n{text}"));
    read.unwrap_or_else(|problem| panic!("{problem}"))
}

/// A call, written as `operation {parameters as JSON}`.
pub fn call(line: &str) -> (&str, Value) {
    let (operation, params) = line.split_once(' ').unwrap_or((line, "{}"));
    let params = serde_json::from_str(params).expect("parameters in JSON");
    (operation, value::value(&params))
}

/// Judges the calls of one program to S3, one a line, and compares the verdicts, one a line.
fn check(text: &str, calls: &str, expected: Expect) {
    check_in(&S3, text, calls, expected);
}

/// As `check`, in another domain.
pub fn check_in(domain: &Domain, text: &str, calls: &str, expected: Expect) {
    let policy = policy(text);
    let mut count = Count::default();
    let verdicts = calls.lines().map(str::trim).filter(|line| !line.is_empty());
    let verdicts = verdicts.map(|line| {
        let (operation, params) = call(line);
        let verdict = match policy.judge(domain, operation, &params, &mut count) {
            Ok(()) => "allowed".to_owned(),
            Err(denied) => {
                let said = denied.to_string();
                let said = said.strip_prefix("The policy does not allow this: ");
                said.expect("every sentence begins so").to_owned()
            }
        };
        format!("{line}\n    {verdict}\n")
    });
    expected.assert_eq(&verdicts.collect::<String>());
}
