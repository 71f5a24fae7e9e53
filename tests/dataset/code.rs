//! What can be seen in a program without running it.

use dialog2api::dataset::filled;
use dialog2api::dialogue::Program;
use dialog2api::domain::s3::S3;
use dialog2api::domain::{call_sites, lines};
use expect_test::{Expect, expect};

fn check_calls(code: &str, expected: Expect) {
    let sites = call_sites(&Program::new(code), &S3).into_iter();
    let shown = sites.map(|site| {
        let keywords = site.keywords.iter();
        let keywords: Vec<String> = keywords
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        format!("{}({})\n", site.operation, keywords.join(" | "))
    });
    expected.assert_eq(&shown.collect::<String>());
}

#[test]
fn call_sites_are_tokens() {
    check_calls(
        "# s3.delete_bucket(Bucket='a')\n\
         x = \"s3.put_object()\" + '''\ns3.copy_object()'''\n\
         print(f\"{s3.head_object(Bucket='b, c', Key=f(1, 2))['ContentLength']:>{len(s3.list_buckets())}} .get_object()\")\n\
         s3 . delete_object (\n  Bucket = ?1 ,\n  Key=\"ä(\", **more)\n\
         get_object(Key=1)\nobject.list_objects_v3()\n",
        expect![[r#"
            head_object(Bucket='b, c' | Key=f(1, 2))
            list_buckets()
            delete_object(Bucket=?1 | Key="ä(")
        "#]],
    );
}

#[test]
fn what_is_called_by_name_or_passed_on_is_a_call_site() {
    check_calls(
        "pages = s3.get_paginator('list_objects_v2').paginate(Bucket=?1, Prefix=?2)\n\
         p = s3.get_paginator(operation_name=\"list_buckets\")\n\
         s3.get_paginator(name)\ns3.get_waiter('bucket_exists')\n\
         sizes = map(s3.get_object, keys)\n\
         s3.copy_object(Bucket=a == b, CopySource={'Bucket': x, 'Key': y}, Key=(1, 2))",
        expect![[r#"
            list_objects_v2(Bucket=?1 | Prefix=?2)
            list_buckets()
            get_object()
            copy_object(Bucket=a == b | CopySource={'Bucket': x, 'Key': y} | Key=(1, 2))
        "#]],
    );
    check_calls(
        "s3.get_object(Bucket='a', Key=",
        expect![[r#"
        get_object()
    "#]],
    );
}

#[test]
fn lines_of_code_are_neither_blank_nor_comments() {
    let code = "# one\nx = 1  # two\n\n   # three\ntext = '''\n# four\n\nfive'''\nreturn x";
    assert_eq!(lines(&Program::new(code)), 5);
    assert_eq!(lines(&Program::new("")), 0);
}

fn check_filled(before: &str, after: &str, expected: Expect) {
    let filled = filled(&Program::new(before), &Program::new(after));
    expected.assert_eq(&match filled {
        Some(values) => format!("{values:?}"),
        None => "other code".to_owned(),
    });
}

#[test]
fn a_draft_is_filled_in_or_other_code() {
    check_filled(
        "f(?1, ?2)",
        "f(\"a\", ?2)",
        expect![[r#"{1: "\"a\"", 2: "?2"}"#]],
    );
    check_filled("f(?1, ?1)", "f(a, a)", expect![[r#"{1: "a"}"#]]);
    check_filled("f(?1, ?1)", "f(a, b)", expect!["other code"]);
    check_filled(
        "f(?1, x, ?2)",
        "f(a, x, b, x, c)",
        expect![[r#"{1: "a", 2: "b, x, c"}"#]],
    );
    check_filled(
        "for x in y:\n    ?1\nreturn z",
        "for x in y:\n    a()\n    b()\nreturn z",
        expect![[r#"{1: "a()\n    b()"}"#]],
    );
    check_filled("f(?1)", "f()", expect!["other code"]);
    check_filled("f(?1)", "g(a)", expect!["other code"]);
    check_filled("f(1)", "f(1)", expect!["{}"]);
    check_filled("f(\"?1\")", "f(\"a\")", expect!["other code"]);
}

#[test]
fn hostile_drafts_end_soon() {
    let before = format!("{}b", "?1a?2a?3a?4a?5a?6a?7a?8a?9a".repeat(2));
    check_filled(&before, &"a".repeat(3000), expect!["other code"]);
    let deep: String = (1..20_000).map(|n| format!("?{n} ")).collect();
    check_filled(&deep, &"x ".repeat(20_000), expect!["other code"]);
}
