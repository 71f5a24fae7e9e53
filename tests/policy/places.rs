//! Places: writes that name none, and rules for whole paths.

use super::check;
use expect_test::expect;

/// A call is judged by the places that it names, so one that writes and names none would
/// pass every rule.
#[test]
fn a_write_that_names_no_place_is_denied_whatever_the_policy() {
    let calls = r#"
        put_object {}
        put_object {"Bucket": "a"}
        put_object {"Bucket": 1, "Key": "b"}
        create_bucket {"Key": "b"}
        copy_object {"Bucket": "a", "CopySource": "a/b"}
        delete_object {"Bucket": "a"}
        delete_objects {"Bucket": "a", "Delete": {"Objects": [{}]}}
        list_buckets
    "#;
    let everything = "[[rule]]\nname = \"all\"\neffect = \"allow\"";
    for policy in ["", "mode = \"read-only\"", "mode = \"auto\"", everything] {
        check(
            policy,
            calls,
            expect![[r#"
        put_object {}
            put_object names no place that it writes.
        put_object {"Bucket": "a"}
            put_object names no place that it writes.
        put_object {"Bucket": 1, "Key": "b"}
            put_object names no place that it writes.
        create_bucket {"Key": "b"}
            create_bucket names no place that it writes.
        copy_object {"Bucket": "a", "CopySource": "a/b"}
            copy_object names no place that it writes.
        delete_object {"Bucket": "a"}
            delete_object names no place that it deletes.
        delete_objects {"Bucket": "a", "Delete": {"Objects": [{}]}}
            delete_objects names no place that it deletes.
        list_buckets
            allowed
    "#]],
        );
    }
}

#[test]
fn paths_are_whole_places() {
    let rules = r#"
        protected_paths = ["zoo/keep", "audit"]
        [[rule]]
        name = "no-logs"
        effect = "deny"
        paths = ["zoo/logs/**"]
        [[rule]]
        name = "work-here"
        effect = "allow"
        access = ["write", "delete"]
        paths = ["zoo", "zoo/**", "audit/**"]
    "#;
    check(
        rules,
        r#"
            put_object {"Bucket": "zoo", "Key": "logs/a"}
            put_object {"Bucket": "zoo", "Key": "log"}
            get_object {"Bucket": "zoo", "Key": "c/../logs/a"}
            list_objects_v2 {"Bucket": "zoo"}
            list_objects_v2 {"Bucket": "zoo", "Prefix": "photos/"}
            put_object {"Bucket": "zoo", "Key": "keep"}
            get_object {"Bucket": "zoo", "Key": "keep"}
            delete_bucket {"Bucket": "zoo"}
            delete_object {"Bucket": "audit", "Key": "deep/er"}
            put_object {"Bucket": "other", "Key": "a"}
            list_buckets
        "#,
        expect![[r#"
            put_object {"Bucket": "zoo", "Key": "logs/a"}
                rule "no-logs" denies put_object on zoo/logs/a.
            put_object {"Bucket": "zoo", "Key": "log"}
                allowed
            get_object {"Bucket": "zoo", "Key": "c/../logs/a"}
                rule "no-logs" denies get_object on zoo/c/../logs/a.
            list_objects_v2 {"Bucket": "zoo"}
                rule "no-logs" denies list_objects_v2 on zoo/ (a listing of all that is in it).
            list_objects_v2 {"Bucket": "zoo", "Prefix": "photos/"}
                allowed
            put_object {"Bucket": "zoo", "Key": "keep"}
                protected_paths has "zoo/keep", which denies put_object on zoo/keep.
            get_object {"Bucket": "zoo", "Key": "keep"}
                allowed
            delete_bucket {"Bucket": "zoo"}
                allowed
            delete_object {"Bucket": "audit", "Key": "deep/er"}
                protected_paths has "audit", which denies delete_object on audit/deep/er.
            put_object {"Bucket": "other", "Key": "a"}
                no rule allows put_object on other/a, which writes it.
            list_buckets
                allowed
        "#]],
    );
}
