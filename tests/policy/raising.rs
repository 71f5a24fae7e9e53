//! Changing a policy while a dialogue is under way.

use crate::policy::policy;
use dialog2api::domain::s3::S3;
use dialog2api::policy::{Ceiling, Policy, Raised, RaisedBy, Spelling};
use expect_test::{Expect, expect};

/// Tries each change on the same policy of S3, and shows what comes of it: the lines of the
/// policy that are others then, or the sentence.
fn check(text: &str, by: RaisedBy, changes: &[&str], expected: Expect) {
    let before = policy(text);
    let tried = changes.iter().map(|change| {
        let read = Raised::read(change, Spelling::of(&S3.words));
        let changed = read.and_then(|to| before.raised(&to, by));
        let came = changed.map_or_else(|sentence| sentence, |after| difference(&before, &after));
        format!("{change}\n    {came}\n")
    });
    expected.assert_eq(&tried.collect::<String>());
}

fn difference(before: &Policy, after: &Policy) -> String {
    let shown = |policy: &Policy| policy.spelled(&S3.words).to_string();
    let (before, after) = (shown(before), shown(after));
    let gone = before.lines().filter(|line| !after.contains(line));
    let come = after.lines().filter(|line| !before.contains(line));
    let gone = gone.map(|line| format!("- {line}"));
    let all = gone.chain(come.map(|line| format!("+ {line}")));
    let all: Vec<String> = all.collect();
    match all.is_empty() {
        true => "the same".to_owned(),
        false => all.join("\n    "),
    }
}

const CHANGES: &[&str] = &[
    "mode read-only",
    "mode confirm",
    "mode auto",
    "objects_deleted 5",
    "objects_deleted 5000",
    "bytes_written 200 GiB",
    "buckets_created unlimited",
    "lift no-finance",
];

const RULE: &str = "[[rule]]\nname = \"no-finance\"\neffect = \"deny\"\nbuckets = [\"f\"]";

#[test]
fn a_file_lets_nobody_raise_what_it_does_not_say() {
    check(
        RULE,
        RaisedBy::User,
        CHANGES,
        expect![[r#"
            mode read-only
                - mode = "confirm"
                + mode = "read-only"
            mode confirm
                the same
            mode auto
                The policy lets nobody raise the mode: see `raise` in it.
            objects_deleted 5
                - objects_deleted = 1000
                + objects_deleted = 5
            objects_deleted 5000
                The policy lets nobody raise the ceilings: see `raise` in it.
            bytes_written 200 GiB
                The policy lets nobody raise the ceilings: see `raise` in it.
            buckets_created unlimited
                The policy lets nobody raise the ceilings: see `raise` in it.
            lift no-finance
                The policy lets nobody raise the rules: see `raise` in it.
        "#]],
    );
}

#[test]
fn a_person_may_raise_what_the_file_says_and_a_program_nothing() {
    let text = format!("{RULE}\n[raise]\nmode = \"user\"\nceilings = \"user\"\nrules = \"user\"");
    check(
        &text,
        RaisedBy::User,
        CHANGES,
        expect![[r#"
            mode read-only
                - mode = "confirm"
                + mode = "read-only"
            mode confirm
                the same
            mode auto
                - mode = "confirm"
                + mode = "auto"
            objects_deleted 5
                - objects_deleted = 1000
                + objects_deleted = 5
            objects_deleted 5000
                - objects_deleted = 1000
                + objects_deleted = 5000
            bytes_written 200 GiB
                - bytes_written = "100 GiB"
                + bytes_written = "200 GiB"
            buckets_created unlimited
                - buckets_created = 10
                + buckets_created = "unlimited"
            lift no-finance
                - [[rule]]
                - name = "no-finance"
                - effect = "deny"
                - buckets = ["f"]
        "#]],
    );
    check(
        &text,
        RaisedBy::Program,
        CHANGES,
        expect![[r#"
            mode read-only
                - mode = "confirm"
                + mode = "read-only"
            mode confirm
                the same
            mode auto
                Only the person at the terminal may raise the mode, by the command /policy.
            objects_deleted 5
                - objects_deleted = 1000
                + objects_deleted = 5
            objects_deleted 5000
                Only the person at the terminal may raise the ceilings, by the command /policy.
            bytes_written 200 GiB
                Only the person at the terminal may raise the ceilings, by the command /policy.
            buckets_created unlimited
                Only the person at the terminal may raise the ceilings, by the command /policy.
            lift no-finance
                Only the person at the terminal may raise the rules, by the command /policy.
        "#]],
    );
}

#[test]
fn a_ceiling_has_the_same_names_as_in_a_file() {
    for change in ["buckets_created 3", "containers_created 3"] {
        let read = Raised::read(change, Spelling::of(&S3.words));
        assert_eq!(
            read,
            Ok(Raised::Ceiling(Ceiling::ContainersCreated, Some(3)))
        );
        assert_eq!(change.parse::<Raised>(), read);
    }
    let unknown = "protected_containers none".parse::<Raised>();
    expect![[r#""protected_containers" is nothing that can be changed; there are mode, records_written, records_deleted, bytes_written, containers_created, containers_deleted and lift"#]]
        .assert_eq(&unknown.unwrap_err());
}

#[test]
fn what_has_no_meaning_is_said() {
    let changes = [
        "",
        "mode",
        "mode write",
        "objects_deleted",
        "objects_deleted many",
        "protected_buckets none",
        "lift",
        "lift nothing",
        "lift yes",
    ];
    let text = "[[rule]]\nname = \"yes\"\neffect = \"allow\"";
    check(
        text,
        RaisedBy::User,
        &changes,
        expect![[r#"

            "" is nothing that can be changed; there are mode, objects_written, objects_deleted, bytes_written, buckets_created, buckets_deleted and lift
        mode
            there is no mode "": there are read-only, confirm and auto
        mode write
            there is no mode "write": there are read-only, confirm and auto
        objects_deleted
            "" is not a valid amount: a count is expected: 1000, "1_000" or "unlimited"
        objects_deleted many
            "many" is not a valid amount: a count is expected: 1000, "1_000" or "unlimited"
        protected_buckets none
            "protected_buckets" is nothing that can be changed; there are mode, objects_written, objects_deleted, bytes_written, buckets_created, buckets_deleted and lift
        lift
            lift needs the name of a rule
        lift nothing
            The policy has no rule "nothing".
        lift yes
            Rule "yes" allows: there is nothing to lift.
    "#]],
    );
}
