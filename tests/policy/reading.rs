//! From TOML to a policy and back.

use dialog2api::domain::Words;
use dialog2api::domain::s3::S3;
use dialog2api::policy::Policy;
use expect_test::{Expect, expect};

/// What is wrong with a text.
fn wrong(text: &str, expected: Expect) {
    let read = Policy::read(text).and_then(|policy| policy.check(&S3));
    expected.assert_eq(&read.expect_err("it is wrong"));
}

/// A policy as S3 shows it.
fn shown(policy: &Policy) -> String {
    policy.spelled(&S3.words).to_string()
}

#[test]
fn the_built_in_policy_says_everything_and_reads_back() {
    expect![[r#"
        version = 1
        mode = "confirm"
        longest_link = "168h"

        [ceilings]
        objects_written = 1000
        objects_deleted = 1000
        bytes_written = "100 GiB"
        buckets_created = 10
        buckets_deleted = 10

        [ask_above]
        requests = 2000
        names_listed = 50000
        bytes_read = "100 MiB"

        [raise]
        mode = "user"
        ceilings = "user"
        rules = "nobody"
    "#]]
    .assert_eq(&shown(&Policy::default()));
    let read = Policy::read(&shown(&Policy::default()));
    assert_eq!(read, Ok(Policy::default()));
}

#[test]
fn what_a_file_leaves_out_is_as_built_in_but_nobody_raises_anything() {
    let policy = Policy::read("version = 1").expect("it is a policy");
    expect![[r#"
        version = 1
        mode = "confirm"
        longest_link = "168h"

        [ceilings]
        objects_written = 1000
        objects_deleted = 1000
        bytes_written = "100 GiB"
        buckets_created = 10
        buckets_deleted = 10

        [ask_above]
        requests = 2000
        names_listed = 50000
        bytes_read = "100 MiB"

        [raise]
        mode = "nobody"
        ceilings = "nobody"
        rules = "nobody"
    "#]]
    .assert_eq(&shown(&policy));
}

#[test]
fn everything_reads_back_as_it_was() {
    let text = r#"
        version = 1
        mode = "auto"
        protected_buckets = ["audit-*", "a\\*b"]
        [[rule]]
        name = "no-finance"
        effect = "deny"
        operations = ["delete_*", "put_object"]
        access = ["write", "delete"]
        buckets = ["finance-*"]
        keys = ["**/*.csv", "?"]
        [[rule]]
        name = "rest"
        effect = "allow"
        [ceilings]
        objects_written = 5
        objects_deleted = "18446744073709551615"
        bytes_written = "10 KiB"
        buckets_created = "unlimited"
        buckets_deleted = "1_000"
        [raise]
        rules = "user"
    "#;
    let policy = Policy::read(text).expect("it is a policy");
    let shown = shown(&policy);
    expect![[r#"
        version = 1
        mode = "auto"
        protected_buckets = ["audit-*", 'a\*b']
        longest_link = "168h"

        [[rule]]
        name = "no-finance"
        effect = "deny"
        operations = ["delete_*", "put_object"]
        access = ["write", "delete"]
        buckets = ["finance-*"]
        keys = ["**/*.csv", "?"]

        [[rule]]
        name = "rest"
        effect = "allow"

        [ceilings]
        objects_written = 5
        objects_deleted = "18446744073709551615"
        bytes_written = "10 KiB"
        buckets_created = "unlimited"
        buckets_deleted = 1000

        [ask_above]
        requests = 2000
        names_listed = 50000
        bytes_read = "100 MiB"

        [raise]
        mode = "nobody"
        ceilings = "nobody"
        rules = "user"
    "#]]
    .assert_eq(&shown);
    assert_eq!(Policy::read(&shown), Ok(policy));
}

/// A policy that has these names for what has two of them.
fn with_names([containers, names, records]: [&str; 3]) -> String {
    format!(
        r#"version = 1
mode = "confirm"
protected_{containers} = ["audit"]
longest_link = "168h"

[[rule]]
name = "names"
effect = "deny"
paths = ["names"]
{containers} = ["names"]
{names} = ["containers"]

[ceilings]
{records}_written = 1
{records}_deleted = 2
bytes_written = "3 B"
{containers}_created = 4
{containers}_deleted = "unlimited"

[ask_above]
requests = 2000
names_listed = 50000
bytes_read = "100 MiB"

[raise]
mode = "nobody"
ceilings = "nobody"
rules = "nobody"
"#
    )
}

#[test]
fn both_names_of_a_part_are_read_and_the_one_that_fits_the_domain_is_shown() {
    let common = with_names(["containers", "names", "records"]);
    let buckets = with_names(["buckets", "keys", "objects"]);
    let policy = Policy::read(&common).expect("it is a policy");
    assert_eq!(Policy::read(&buckets).as_ref(), Ok(&policy));
    assert_eq!(policy.to_string(), common);
    assert_eq!(policy.spelled(&Words::default()).to_string(), common);
    assert_eq!(shown(&policy), buckets);
    let twice = common.replace("paths =", "keys =");
    let read = Policy::read(&twice);
    assert!(read.is_err_and(|problem| problem.contains("duplicate field `names`")));
}

#[test]
fn what_is_wrong_is_said_with_its_line_and_what_there_is() {
    wrong(
        "",
        expect![[r#"
            TOML parse error at line 1, column 1
              |
            1 | 
              | ^
            missing field `version`"#]],
    );
    wrong(
        "version = 2",
        expect!["line 1: it says version = 2, and this program knows version = 1"],
    );
    wrong(
        "version = 1\nmod = \"auto\"",
        expect![[r#"
            TOML parse error at line 2, column 1
              |
            2 | mod = "auto"
              | ^^^
            unknown field `mod`, expected one of `version`, `mode`, `protected_buckets`, `protected_containers`, `protected_paths`, `own_accounts`, `longest_link`, `rule`, `ceilings`, `ask_above`, `raise`"#]],
    );
    wrong(
        "version = 1\nmode = \"readonly\"",
        expect![[r#"
            TOML parse error at line 2, column 8
              |
            2 | mode = "readonly"
              |        ^^^^^^^^^^
            unknown variant `readonly`, expected one of `read-only`, `confirm`, `auto`"#]],
    );
    wrong(
        "version = 1\n[ceilings]\nobjects = 1",
        expect![[r#"
            TOML parse error at line 3, column 1
              |
            3 | objects = 1
              | ^^^^^^^
            unknown field `objects`, expected one of `objects_written`, `records_written`, `objects_deleted`, `records_deleted`, `bytes_written`, `buckets_created`, `containers_created`, `buckets_deleted`, `containers_deleted`"#]],
    );
    wrong(
        "version = 1\n[ceilings]\nobjects_written = \"1 GiB\"",
        expect![[r#"
            TOML parse error at line 3, column 19
              |
            3 | objects_written = "1 GiB"
              |                   ^^^^^^^
            "1 GiB" is not a valid amount: a count is expected: 1000, "1_000" or "unlimited""#]],
    );
    wrong(
        "version = 1\n[ceilings]\nbytes_written = -1",
        expect![[r#"
            TOML parse error at line 3, column 17
              |
            3 | bytes_written = -1
              |                 ^^
            a number or a text such as "1 GiB" or "unlimited""#]],
    );
    wrong(
        "version = 1\n[raise]\nmode = \"model\"",
        expect![[r#"
            TOML parse error at line 3, column 8
              |
            3 | mode = "model"
              |        ^^^^^^^
            unknown variant `model`, expected `nobody` or `user`"#]],
    );
}

#[test]
fn what_is_wrong_with_a_rule_is_said() {
    let rule =
        |lines: &str| format!("version = 1\n[[rule]]\nname = \"r\"\neffect = \"deny\"\n{lines}\n");
    wrong(
        &rule("bucket = [\"a\"]"),
        expect![[r#"
            TOML parse error at line 5, column 1
              |
            5 | bucket = ["a"]
              | ^^^^^^
            unknown field `bucket`, expected one of `name`, `effect`, `operations`, `access`, `paths`, `buckets`, `containers`, `keys`, `names`"#]],
    );
    wrong(
        &rule("keys = []"),
        expect![[r#"
            TOML parse error at line 5, column 8
              |
            5 | keys = []
              |        ^^
            an empty list means nothing: leave it out to mean all"#]],
    );
    wrong(
        &rule("keys = [\"*.{csv,txt}\"]"),
        expect![[r#"
            TOML parse error at line 5, column 8
              |
            5 | keys = ["*.{csv,txt}"]
              |        ^^^^^^^^^^^^^^^
            in "*.{csv,txt}", { is reserved: write \{ for the character, and a glob each for several names"#]],
    );
    wrong(
        &rule("keys = [\"\"]"),
        expect![[r#"
            TOML parse error at line 5, column 8
              |
            5 | keys = [""]
              |        ^^^^
            an empty glob means nothing: "**" is every name"#]],
    );
    wrong(
        &rule("keys = [\"a\\\\\"]"),
        expect![[r#"
            TOML parse error at line 5, column 8
              |
            5 | keys = ["a\\"]
              |        ^^^^^^^
            "a\\" ends with a \ that stands before nothing: \\ is a \"#]],
    );
    wrong(
        &rule("access = [\"list\"]"),
        expect![[r#"
            TOML parse error at line 5, column 11
              |
            5 | access = ["list"]
              |           ^^^^^^
            unknown variant `list`, expected one of `read`, `write`, `delete`, `share`"#]],
    );
    wrong(
        &rule("operations = [\"delete-*\"]"),
        expect![[
            r#"rule "r": no operation is "delete-*"; there are delete_bucket, delete_object, delete_objects, delete_bucket_cors, delete_bucket_policy and 87 others"#
        ]],
    );
    wrong(
        &rule("[[rule]]\nname = \"r\"\neffect = \"allow\""),
        expect![[r#"line 6: two rules have the name "r""#]],
    );
    wrong(
        "version = 1\n[[rule]]\nname = \" \"\neffect = \"deny\"",
        expect!["line 3: rule 1 needs a name, on one line: it is what people are told"],
    );
    wrong(
        "version = 1\n[[rule]]\neffect = \"deny\"",
        expect![[r#"
            TOML parse error at line 2, column 1
              |
            2 | [[rule]]
              | ^^^^^^^^
            missing field `name`"#]],
    );
}

#[test]
fn the_policy_of_the_guide_is_one_and_the_file_of_its_commands() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |name: &str| std::fs::read_to_string(root.join(name)).expect("a file");
    let guide = read("src/documentation/policy.md");
    let mut blocks = guide.split("```toml\n").skip(1);
    let block = blocks.find(|block| block.contains("[[rule]]"));
    let (block, _) = block
        .and_then(|block| block.split_once("```"))
        .expect("an example");
    assert_eq!(block, read("tests/policy/readme.toml"));
    let policy = Policy::read(block).expect("it is a policy");
    policy.check(&S3).expect("for S3");
}
