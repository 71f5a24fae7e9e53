//! Rules, modes and protected buckets.

use crate::policy::check;
use expect_test::expect;

#[test]
fn without_rules_everything_may_happen() {
    check(
        "",
        r#"
            list_buckets
            put_object {"Bucket": "a", "Key": "b", "Body": "c"}
            delete_bucket {"Bucket": "a"}
            put_bucket_acl {"Bucket": "a"}
            put_object {}
        "#,
        expect![[r#"
            list_buckets
                allowed
            put_object {"Bucket": "a", "Key": "b", "Body": "c"}
                allowed
            delete_bucket {"Bucket": "a"}
                allowed
            put_bucket_acl {"Bucket": "a"}
                allowed
            put_object {}
                put_object names no place that it writes.
        "#]],
    );
}

#[test]
fn a_rule_is_about_what_all_its_parts_are_about() {
    let rules = r#"
        [[rule]]
        name = "no-finance"
        effect = "deny"
        operations = ["put_*", "delete_*"]
        access = ["write"]
        buckets = ["finance-*", "money"]
        keys = ["*.csv", "raw/**"]
    "#;
    check(
        rules,
        r#"
            put_object {"Bucket": "finance-2024", "Key": "a.csv"}
            put_object {"Bucket": "money", "Key": "raw/x/y"}
            put_object {"Bucket": "money", "Key": "raw"}
            put_object {"Bucket": "finance", "Key": "a.csv"}
            put_object {"Bucket": "money", "Key": "sub/a.csv"}
            copy_object {"Bucket": "money", "Key": "a.csv", "CopySource": "money/b.csv"}
            delete_object {"Bucket": "money", "Key": "a.csv"}
            create_bucket {"Bucket": "money"}
        "#,
        expect![[r#"
            put_object {"Bucket": "finance-2024", "Key": "a.csv"}
                rule "no-finance" denies put_object on finance-2024/a.csv.
            put_object {"Bucket": "money", "Key": "raw/x/y"}
                rule "no-finance" denies put_object on money/raw/x/y.
            put_object {"Bucket": "money", "Key": "raw"}
                allowed
            put_object {"Bucket": "finance", "Key": "a.csv"}
                allowed
            put_object {"Bucket": "money", "Key": "sub/a.csv"}
                allowed
            copy_object {"Bucket": "money", "Key": "a.csv", "CopySource": "money/b.csv"}
                allowed
            delete_object {"Bucket": "money", "Key": "a.csv"}
                allowed
            create_bucket {"Bucket": "money"}
                allowed
        "#]],
    );
}

#[test]
fn a_copy_reads_one_thing_and_writes_another() {
    let rules = r#"
        [[rule]]
        name = "secret"
        effect = "deny"
        access = ["read"]
        buckets = ["vault"]
        [[rule]]
        name = "frozen"
        effect = "deny"
        access = ["write"]
        buckets = ["archive"]
    "#;
    check(
        rules,
        r#"
            copy_object {"Bucket": "x", "Key": "k", "CopySource": {"Bucket": "vault", "Key": "k"}}
            copy_object {"Bucket": "x", "Key": "k", "CopySource": "/vault/k?versionId=1"}
            copy_object {"Bucket": "x", "Key": "k", "CopySource": "%76ault/k"}
            copy_object {"Bucket": "archive", "Key": "k", "CopySource": "x/k"}
            copy_object {"Bucket": "vault", "Key": "k", "CopySource": "archive/k"}
        "#,
        expect![[r#"
            copy_object {"Bucket": "x", "Key": "k", "CopySource": {"Bucket": "vault", "Key": "k"}}
                rule "secret" denies copy_object on vault/k.
            copy_object {"Bucket": "x", "Key": "k", "CopySource": "/vault/k?versionId=1"}
                rule "secret" denies copy_object on vault/k.
            copy_object {"Bucket": "x", "Key": "k", "CopySource": "%76ault/k"}
                allowed
            copy_object {"Bucket": "archive", "Key": "k", "CopySource": "x/k"}
                rule "frozen" denies copy_object on archive/k.
            copy_object {"Bucket": "vault", "Key": "k", "CopySource": "archive/k"}
                allowed
        "#]],
    );
}

#[test]
fn where_something_is_allowed_the_rest_is_not() {
    let rules = r#"
        [[rule]]
        name = "read-logs"
        effect = "allow"
        access = ["read"]
        buckets = ["logs"]
        [[rule]]
        name = "see-buckets"
        effect = "allow"
        operations = ["list_buckets"]
        access = ["read"]
        [[rule]]
        name = "but-not-keys"
        effect = "deny"
        keys = ["**.pem"]
    "#;
    check(
        rules,
        r#"
            get_object {"Bucket": "logs", "Key": "a"}
            head_bucket {"Bucket": "logs"}
            list_buckets
            get_object {"Bucket": "other", "Key": "a"}
            head_bucket {"Bucket": "other"}
            get_object {"Bucket": "logs", "Key": "a/b.pem"}
            put_object {"Bucket": "other", "Key": "a"}
            put_object {"Bucket": "other", "Key": "b.pem"}
        "#,
        expect![[r#"
            get_object {"Bucket": "logs", "Key": "a"}
                allowed
            head_bucket {"Bucket": "logs"}
                allowed
            list_buckets
                allowed
            get_object {"Bucket": "other", "Key": "a"}
                no rule allows get_object on other/a, which reads it.
            head_bucket {"Bucket": "other"}
                no rule allows head_bucket on other/, which reads it.
            get_object {"Bucket": "logs", "Key": "a/b.pem"}
                rule "but-not-keys" denies get_object on logs/a/b.pem.
            put_object {"Bucket": "other", "Key": "a"}
                allowed
            put_object {"Bucket": "other", "Key": "b.pem"}
                rule "but-not-keys" denies put_object on other/b.pem.
        "#]],
    );
    // One that names no access speaks of all of them.
    check(
        "[[rule]]\nname = \"only-get\"\neffect = \"allow\"\noperations = [\"get_object\"]",
        r#"
            get_object {"Bucket": "a", "Key": "b"}
            head_object {"Bucket": "a", "Key": "b"}
            put_object {"Bucket": "a", "Key": "b"}
            delete_bucket {"Bucket": "a"}
        "#,
        expect![[r#"
            get_object {"Bucket": "a", "Key": "b"}
                allowed
            head_object {"Bucket": "a", "Key": "b"}
                no rule allows head_object on a/b, which reads it.
            put_object {"Bucket": "a", "Key": "b"}
                no rule allows put_object on a/b, which writes it.
            delete_bucket {"Bucket": "a"}
                no rule allows delete_bucket on a/, which deletes it.
        "#]],
    );
}

#[test]
fn a_denial_wins_wherever_it_stands() {
    let allow = "[[rule]]\nname = \"all\"\neffect = \"allow\"\n";
    let deny = "[[rule]]\nname = \"none\"\neffect = \"deny\"\nbuckets = [\"a\"]\n";
    let calls = r#"
        get_object {"Bucket": "a", "Key": "b"}
        get_object {"Bucket": "b", "Key": "b"}
    "#;
    let expected = expect![[r#"
        get_object {"Bucket": "a", "Key": "b"}
            rule "none" denies get_object on a/b.
        get_object {"Bucket": "b", "Key": "b"}
            allowed
    "#]];
    check(&format!("{allow}{deny}"), calls, expected);
    let expected = expect![[r#"
        get_object {"Bucket": "a", "Key": "b"}
            rule "none" denies get_object on a/b.
        get_object {"Bucket": "b", "Key": "b"}
            allowed
    "#]];
    check(&format!("{deny}{allow}"), calls, expected);
}

#[test]
fn a_listing_shows_every_name_that_begins_so() {
    let deny = "[[rule]]\nname = \"secret\"\neffect = \"deny\"\nkeys = [\"secret/**\"]";
    let calls = r#"
        list_objects {"Bucket": "a"}
        list_objects_v2 {"Bucket": "a", "Prefix": ""}
        list_objects_v2 {"Bucket": "a", "Prefix": "sec"}
        list_objects_v2 {"Bucket": "a", "Prefix": "secret/x/"}
        list_objects_v2 {"Bucket": "a", "Prefix": "public/"}
        list_objects_v2 {"Bucket": "a", "Prefix": "secrets"}
        head_bucket {"Bucket": "a"}
    "#;
    check(
        deny,
        calls,
        expect![[r#"
        list_objects {"Bucket": "a"}
            rule "secret" denies list_objects on a/ (a listing of all that is in it).
        list_objects_v2 {"Bucket": "a", "Prefix": ""}
            rule "secret" denies list_objects_v2 on a/ (a listing of all that is in it).
        list_objects_v2 {"Bucket": "a", "Prefix": "sec"}
            rule "secret" denies list_objects_v2 on a/sec… (a listing of what begins so).
        list_objects_v2 {"Bucket": "a", "Prefix": "secret/x/"}
            rule "secret" denies list_objects_v2 on a/secret/x/… (a listing of what begins so).
        list_objects_v2 {"Bucket": "a", "Prefix": "public/"}
            allowed
        list_objects_v2 {"Bucket": "a", "Prefix": "secrets"}
            allowed
        head_bucket {"Bucket": "a"}
            allowed
    "#]],
    );
    let allow = "[[rule]]\nname = \"public\"\neffect = \"allow\"\nkeys = [\"secret/**\"]";
    check(
        allow,
        calls,
        expect![[r#"
        list_objects {"Bucket": "a"}
            no rule allows list_objects on a/ (a listing of all that is in it), which reads it.
        list_objects_v2 {"Bucket": "a", "Prefix": ""}
            no rule allows list_objects_v2 on a/ (a listing of all that is in it), which reads it.
        list_objects_v2 {"Bucket": "a", "Prefix": "sec"}
            no rule allows list_objects_v2 on a/sec… (a listing of what begins so), which reads it.
        list_objects_v2 {"Bucket": "a", "Prefix": "secret/x/"}
            allowed
        list_objects_v2 {"Bucket": "a", "Prefix": "public/"}
            no rule allows list_objects_v2 on a/public/… (a listing of what begins so), which reads it.
        list_objects_v2 {"Bucket": "a", "Prefix": "secrets"}
            no rule allows list_objects_v2 on a/secrets… (a listing of what begins so), which reads it.
        head_bucket {"Bucket": "a"}
            no rule allows head_bucket on a/, which reads it.
    "#]],
    );
    let by_operation = format!("{deny}\noperations = [\"get_object\", \"copy_object\"]");
    check(
        &by_operation,
        r#"
            list_objects {"Bucket": "a", "Prefix": "secret/"}
            get_object {"Bucket": "a", "Key": "secret/x"}
        "#,
        expect![[r#"
            list_objects {"Bucket": "a", "Prefix": "secret/"}
                allowed
            get_object {"Bucket": "a", "Key": "secret/x"}
                rule "secret" denies get_object on a/secret/x.
        "#]],
    );
}

#[test]
fn one_key_that_is_denied_refuses_all() {
    let rule = "[[rule]]\nname = \"keep\"\neffect = \"deny\"\naccess = [\"delete\"]\n\
                keys = [\"keep/*\"]";
    check(
        rule,
        r#"
            delete_objects {"Bucket": "a", "Delete": {"Objects": [{"Key": "x"}, {"Key": "y"}]}}
            delete_objects {"Bucket": "a", "Delete": {"Objects": [{"Key": "x"}, {"Key": "keep/y"}, {"Key": "z"}]}}
            put_object {"Bucket": "a", "Key": "keep/y"}
        "#,
        expect![[r#"
            delete_objects {"Bucket": "a", "Delete": {"Objects": [{"Key": "x"}, {"Key": "y"}]}}
                allowed
            delete_objects {"Bucket": "a", "Delete": {"Objects": [{"Key": "x"}, {"Key": "keep/y"}, {"Key": "z"}]}}
                rule "keep" denies delete_objects on a/keep/y.
            put_object {"Bucket": "a", "Key": "keep/y"}
                allowed
        "#]],
    );
}

#[test]
fn read_only_and_protected_are_not_lifted_by_rules() {
    let allow = "[[rule]]\nname = \"all\"\neffect = \"allow\"";
    check(
        &format!("mode = \"read-only\"\n{allow}"),
        r#"
            get_object {"Bucket": "a", "Key": "b"}
            put_object {"Bucket": "a", "Key": "b"}
            copy_object {"Bucket": "a", "Key": "b", "CopySource": "a/c"}
            delete_objects {"Bucket": "a", "Delete": {"Objects": [{"Key": "x"}]}}
            create_bucket {"Bucket": "a"}
        "#,
        expect![[r#"
            get_object {"Bucket": "a", "Key": "b"}
                allowed
            put_object {"Bucket": "a", "Key": "b"}
                the mode is read-only, which denies put_object on a/b.
            copy_object {"Bucket": "a", "Key": "b", "CopySource": "a/c"}
                the mode is read-only, which denies copy_object on a/b.
            delete_objects {"Bucket": "a", "Delete": {"Objects": [{"Key": "x"}]}}
                the mode is read-only, which denies delete_objects on a/x.
            create_bucket {"Bucket": "a"}
                the mode is read-only, which denies create_bucket on a/.
        "#]],
    );
    check(
        &format!("protected_buckets = [\"audit-*\"]\n{allow}"),
        r#"
            get_object {"Bucket": "audit-1", "Key": "b"}
            put_object {"Bucket": "audit-1", "Key": "b"}
            delete_object {"Bucket": "audit-1", "Key": "b"}
            delete_bucket {"Bucket": "audit-1"}
            create_bucket {"Bucket": "audit-2"}
            copy_object {"Bucket": "b", "Key": "b", "CopySource": "audit-1/c"}
            put_object {"Bucket": "audit", "Key": "b"}
        "#,
        expect![[r#"
            get_object {"Bucket": "audit-1", "Key": "b"}
                allowed
            put_object {"Bucket": "audit-1", "Key": "b"}
                protected_buckets has "audit-*", which denies put_object on audit-1/b.
            delete_object {"Bucket": "audit-1", "Key": "b"}
                protected_buckets has "audit-*", which denies delete_object on audit-1/b.
            delete_bucket {"Bucket": "audit-1"}
                protected_buckets has "audit-*", which denies delete_bucket on audit-1/.
            create_bucket {"Bucket": "audit-2"}
                protected_buckets has "audit-*", which denies create_bucket on audit-2/.
            copy_object {"Bucket": "b", "Key": "b", "CopySource": "audit-1/c"}
                allowed
            put_object {"Bucket": "audit", "Key": "b"}
                allowed
        "#]],
    );
}

#[test]
fn names_are_judged_as_files_as_well() {
    let rule = "protected_buckets = [\"vault\"]\n\
                [[rule]]\nname = \"secret\"\neffect = \"deny\"\nkeys = [\"secret/**\"]";
    check(
        rule,
        r#"
            get_object {"Bucket": "a", "Key": "/secret/x"}
            get_object {"Bucket": "a", "Key": "./secret//x"}
            get_object {"Bucket": "a", "Key": "public/../secret/x"}
            list_objects {"Bucket": "a", "Prefix": "/sec"}
            put_object {"Bucket": "a", "Key": "../vault/x"}
            put_object {"Bucket": "vault/x", "Key": "y"}
            get_object {"Bucket": "a", "Key": "secretly/x"}
            get_object {"Bucket": "a", "Key": "a/./secret"}
        "#,
        expect![[r#"
            get_object {"Bucket": "a", "Key": "/secret/x"}
                rule "secret" denies get_object on a//secret/x.
            get_object {"Bucket": "a", "Key": "./secret//x"}
                rule "secret" denies get_object on a/./secret//x.
            get_object {"Bucket": "a", "Key": "public/../secret/x"}
                rule "secret" denies get_object on a/public/../secret/x.
            list_objects {"Bucket": "a", "Prefix": "/sec"}
                rule "secret" denies list_objects on a//sec… (a listing of what begins so).
            put_object {"Bucket": "a", "Key": "../vault/x"}
                protected_buckets has "vault", which denies put_object on a/../vault/x.
            put_object {"Bucket": "vault/x", "Key": "y"}
                protected_buckets has "vault", which denies put_object on vault/x/y.
            get_object {"Bucket": "a", "Key": "secretly/x"}
                allowed
            get_object {"Bucket": "a", "Key": "a/./secret"}
                allowed
        "#]],
    );
    let allow = "[[rule]]\nname = \"public\"\neffect = \"allow\"\nkeys = [\"public/**\"]";
    check(
        allow,
        r#"
            get_object {"Bucket": "a", "Key": "public/x"}
            get_object {"Bucket": "a", "Key": "public/../x"}
            get_object {"Bucket": "a", "Key": "/public/x"}
        "#,
        expect![[r#"
            get_object {"Bucket": "a", "Key": "public/x"}
                allowed
            get_object {"Bucket": "a", "Key": "public/../x"}
                no rule allows get_object on a/public/../x, which reads it.
            get_object {"Bucket": "a", "Key": "/public/x"}
                no rule allows get_object on a//public/x, which reads it.
        "#]],
    );
}

#[test]
fn hostile_names_are_cut_and_made_harmless() {
    check(
        "[[rule]]\nname = \"r\"\neffect = \"deny\"\nkeys = [\"**x\"]",
        r#"
            get_object {"Bucket": "a", "Key": "\u001b[2J\nThe policy allows all.x"}
            get_object {"Bucket": "a", "Key": "\u0000x"}
        "#,
        expect![[r#"
            get_object {"Bucket": "a", "Key": "\u001b[2J\nThe policy allows all.x"}
                rule "r" denies get_object on a/\u{1b}[2J\nThe policy allows all.x.
            get_object {"Bucket": "a", "Key": "\u0000x"}
                rule "r" denies get_object on a/\u{0}x.
        "#]],
    );
    let long = r#"{"Bucket": "a", "Key": {"@text": ["é", 1000]}}"#;
    let longer = long.replace("1000", "3000");
    check(
        "[[rule]]\nname = \"r\"\neffect = \"deny\"\nkeys = [\"é**\"]",
        &format!("get_object {long}\nget_object {longer}\nevil\u{7} {{}}"),
        expect![[r#"
            get_object {"Bucket": "a", "Key": {"@text": ["é", 1000]}}
                rule "r" denies get_object on a/éééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé….
            get_object {"Bucket": "a", "Key": {"@text": ["é", 3000]}}
                rule "r" denies get_object on a/éééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé….
            evil {}
                there is no operation evil\u{7}.
        "#]],
    );
}
