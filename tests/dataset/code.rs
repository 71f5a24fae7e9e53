//! Analysis of programs without running them.

use dialog2api::dataset::filled;
use dialog2api::dialogue::Program;
use dialog2api::domain::s3::S3;
use dialog2api::domain::{Calls, call_sites, lines};
use expect_test::{Expect, expect};

/// Shows the calls of a program: a line for each site, and one for what is not resolved.
#[track_caller]
fn check_calls(code: &str, expected: Expect) {
    let calls = Calls::of(&Program::new(code), &S3);
    let mut shown = String::new();
    for site in calls.sites {
        let keywords = site.keywords.iter();
        let keywords: Vec<String> = keywords
            .map(|keyword| format!("{}={}", keyword.name, keyword.code))
            .collect();
        let by_name = if site.by_name { " by name" } else { "" };
        let (line, operation, keywords) = (site.line, site.operation, keywords.join(" | "));
        shown += &format!("{line}: {operation}({keywords}){by_name}\n");
    }
    if let Some(unresolved) = calls.unresolved {
        shown += &format!("{}: {}\n", unresolved.line, unresolved.reason);
    }
    expected.assert_eq(&shown);
}

#[test]
fn call_sites_are_calls_and_not_text() {
    check_calls(
        "# s3.delete_bucket(Bucket='a')\n\
         x = \"s3.put_object()\" + '''\ns3.copy_object()'''\n\
         print(f\"{s3.head_object(Bucket='b, c', Key=f(1, 2))['ContentLength']:>{len(s3.list_buckets())}} .get_object()\")\n\
         s3 . delete_object (\n  Bucket = ?1 ,\n  Key=\"ä(\", **more)\n\
         get_object(Key=1)\nobject.list_objects_v3()\n",
        expect![[r#"
            4: head_object(Bucket='b, c' | Key=f(1, 2))
            4: list_buckets()
            5: delete_object(Bucket=?1 | Key="ä(")
        "#]],
    );
}

#[test]
fn what_is_called_by_name_or_passed_on_is_a_call_site() {
    check_calls(
        "pages = s3.get_paginator('list_objects_v2').paginate(Bucket=?1, Prefix=?2)\n\
         p = s3.get_paginator(operation_name=\"list_buckets\")\n\
         s3.get_waiter('bucket_exists')\n\
         sizes = map(s3.get_object, keys)\n\
         s3.copy_object(Bucket=a == b, CopySource={'Bucket': x, 'Key': y}, Key=(1, 2))",
        expect![[r#"
            1: list_objects_v2(Bucket=?1 | Prefix=?2) by name
            2: list_buckets() by name
            4: get_object()
            5: copy_object(Bucket=a == b | CopySource={'Bucket': x, 'Key': y} | Key=(1, 2))
        "#]],
    );
    check_calls(
        "s3.get_object(Bucket='a', Key=",
        expect![[r#"
            1: get_object(Bucket='a' | Key=)
        "#]],
    );
}

#[test]
fn an_operation_is_followed_through_names() {
    check_calls(
        "d = s3.delete_object\np = {'Bucket': 'zoo', 'Key': ?1}\nd(**p)",
        expect![[r#"
            3: delete_object(Bucket='zoo' | Key=?1)
        "#]],
    );
    check_calls(
        "(s3.get_object if x else s3.delete_object)(Key=1)\n(d := s3.delete_bucket)(Bucket=2)",
        expect![[r#"
            1: get_object(Key=1)
            1: delete_object(Key=1)
            2: delete_bucket(Bucket=2)
        "#]],
    );
    check_calls(
        "for delete in (s3.delete_object, s3.delete_bucket):\n    delete(Bucket=b)",
        expect![[r#"
            2: delete_object(Bucket=b)
            2: delete_bucket(Bucket=b)
        "#]],
    );
    check_calls(
        "p = s3.get_paginator('list_objects')\nfor page in p.paginate(Bucket=b):\n    print(page)",
        expect![[r#"
            2: list_objects(Bucket=b) by name
        "#]],
    );
    check_calls(
        "f = functools.partial(s3.delete_object, Bucket=b)\nf(Key=k)\nops = [s3.copy_object]",
        expect![[r#"
            1: delete_object()
            3: copy_object()
        "#]],
    );
    check_calls(
        "    d = s3.delete_object\n    d(Key=?1)",
        expect![[r#"
            2: delete_object(Key=?1)
        "#]],
    );
}

#[test]
fn a_handle_is_followed_through_names() {
    check_calls(
        "import boto3\nc = boto3.client('s3')\nc.delete_object(Key=1)\ngetattr(c, 'get_object')()",
        expect![[r#"
            3: delete_object(Key=1)
            4: get_object()
        "#]],
    );
    check_calls(
        "from boto3 import Session as S\nwipe(S().client('s3'))\nx = s3.list_objects()\nprint(x)",
        expect![[r#"
            3: list_objects()
            2: passes on an object that can make calls
        "#]],
    );
    check_calls(
        "def wipe(client, key='a'):\n    client.delete_object(Bucket='b', Key=key)\nwipe(s3)",
        expect![[r#"
            2: delete_object(Bucket='b' | Key=key)
        "#]],
    );
}

#[test]
fn resources_are_followed_to_the_operations_that_they_call() {
    check_calls(
        "import boto3\n\
         bucket = boto3.resource('s3').Bucket('zoo')\n\
         for obj in bucket.objects.filter(Prefix='logs/'):\n    if obj.size > 10:\n        obj.delete()\n\
         bucket.objects.all().delete()\n\
         keys = [o.key for o in sorted(bucket.object_versions.all(), key=str)]\n\
         size = bucket.Object('a').content_length\n\
         bucket.Versioning().enable()\n\
         bucket.put_object(Key='b', Body=b'')\n\
         bucket.upload_file('photos/c', 'c')\n\
         bucket.meta.client.delete_bucket(Bucket='zoo')",
        expect![[r#"
            3: list_objects(Prefix='logs/') by name
            5: delete_object() by name
            6: list_objects() by name
            6: list_objects() by name
            6: delete_objects() by name
            7: list_object_versions() by name
            8: head_object() by name
            9: put_bucket_versioning() by name
            10: put_object(Key='b' | Body=b'') by name
            12: delete_bucket(Bucket='zoo')
        "#]],
    );
}

#[test]
fn a_method_is_looked_up_by_its_name() {
    check_calls(
        "getattr(s3, 'delete_object')(Bucket='b')\nname = 'delete_bucket'\nd = getattr(s3, name)\nd()",
        expect![[r#"
            1: delete_object(Bucket='b')
            4: delete_bucket()
        "#]],
    );
    check_calls(
        "def call(op):\n    return getattr(s3, op)()\ncall('list_buckets')\ncall('delete_bucket')",
        expect![[r#"
            2: list_buckets()
            2: delete_bucket()
        "#]],
    );
}

#[test]
fn what_may_be_called_unseen_is_told() {
    let computed = "looks up a method by a computed name";
    let passed = "passes on an object that can make calls";
    let made = "reaches code or names that the program does not spell out";
    for (code, expected) in [
        ("getattr(s3, 'delete_' + what)()", Some((1, computed))),
        ("s3.get_paginator(name)", Some((1, computed))),
        (
            "def call(op):\n    getattr(s3, op)()\nlist(map(call, ops))",
            Some((2, computed)),
        ),
        ("x = 1\nhelper(s3)", Some((2, passed))),
        ("box.client = s3", Some((1, passed))),
        ("f(*[s3])", Some((1, passed))),
        ("g = getattr\ng(s3, name)()", Some((2, computed))),
        ("eval(text)", Some((1, made))),
        ("globals()['s3']", Some((1, made))),
        ("from boto3 import *", Some((1, made))),
        // None of these calls anything unseen.
        (
            "if s3 is None or not isinstance(s3, object):\n    pass",
            None,
        ),
        (
            "try:\n    pass\nexcept s3.exceptions.NoSuchKey:\n    pass",
            None,
        ),
        ("x = getattr(y, name)", None),
        ("import re\nre.compile(x)", None),
    ] {
        let calls = Calls::of(&Program::new(code), &S3);
        assert_eq!(calls.sites, [], "{code}");
        let unresolved = calls.unresolved;
        let found = unresolved.map(|unresolved| (unresolved.line, unresolved.reason));
        assert_eq!(found, expected, "{code}");
    }
}

#[test]
fn values_are_texts_where_the_program_spells_them_out() {
    let code = "b = 'zoo'\nfor k in ['x', 'y']:\n    s3.get_object(Bucket=b, Key=k, Range=r, VersionId='v' + b)";
    let sites = call_sites(&Program::new(code), &S3);
    let keywords = sites.iter().flat_map(|site| &site.keywords);
    let texts: Vec<String> = keywords.map(|keyword| keyword.texts.join(" or ")).collect();
    assert_eq!(texts, ["zoo", "x or y", "", ""]);
}

#[test]
fn methods_of_the_handle_are_those_that_are_called() {
    let code = "c = s3\nc.list_keys()\ns3.upload_file('a')\nx = s3.other\nother.list_keyz()";
    let calls = Calls::of(&Program::new(code), &S3);
    assert_eq!(calls.methods, ["list_keys", "upload_file"]);
}

#[test]
fn hostile_programs_are_read_or_refused() {
    let around = |open: &str, close: &str, times: usize| {
        format!("{}1{}", open.repeat(times), close.repeat(times))
    };
    let blocks = |head: &str, times: usize| {
        let lines = (0..times).map(|depth| format!("{}{head}\n", " ".repeat(depth)));
        lines.collect::<String>() + &" ".repeat(times) + "s3.get_object()"
    };
    let long = "is too long to be read";
    let deep = "is nested too deeply to be read";
    let involved = "is too involved to be followed";
    let lines = (0..2000).map(|n| format!("a{n} = a{} or a{}\n", n + 1, n + 1));
    let names: String = lines.collect();
    for (code, expected) in [
        ("(".repeat(1 << 20), Some(long)),
        ("(".repeat(200_000), Some(deep)),
        ("(]".repeat(100_000), Some(deep)),
        ("(],".repeat(80_000), Some(deep)),
        ("lambda a, b: ".repeat(9_000) + "1", Some(deep)),
        (around("f'{", "}'", 2_000), Some(deep)),
        (around("(", ")", 900), None),
        (around("[", "]", 900), None),
        (around("{1: ", "}", 300), None),
        (around("a(", ")", 450), None),
        (around("f'{", "}'", 200), None),
        ("not ".repeat(900) + "1", None),
        ("1 if 1 else ".repeat(220) + "1", None),
        ("lambda: ".repeat(450) + "1", None),
        ("1**".repeat(450) + "1", None),
        (format!("x{}", ".a".repeat(450)), None),
        (format!("x{}", "()".repeat(150)), None),
        (format!("1{}", "+1".repeat(450)), None),
        ("*".repeat(900) + "a", None),
        (blocks("if 1:", 650), None),
        (blocks("try:", 650), None),
        (blocks("class A:", 650), None),
        (
            format!("match a:\n case {}:\n  pass", around("[", "]", 450)),
            None,
        ),
        ("@a\n".repeat(60_000) + "def f(): pass", None),
        (
            "if 1: pass\n".to_owned() + &"elif 1: pass\n".repeat(15_000),
            None,
        ),
        ("x = [".to_owned() + &"'a', ".repeat(40_000) + "]", None),
        ("x = '''".to_owned() + &"(".repeat(100_000), None),
        ("\0\u{feff}\u{202e}\r\x0c\\".repeat(1_000), None),
        (names + "a0()", Some(involved)),
        ("d = s3.get\n".repeat(1_000) + "d()", Some(involved)),
    ] {
        let calls = Calls::of(&Program::new(&code), &S3);
        let reason = calls.unresolved.map(|unresolved| unresolved.reason);
        let start: String = code.chars().take(20).collect();
        assert_eq!(reason, expected, "{start}");
    }
    let sites = call_sites(&Program::new(&"s3.get_object()\n".repeat(9_000)), &S3);
    let last = sites.last().map(|site| (site.line, sites.len()));
    assert_eq!(last, Some((9_000, 9_000)));
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
