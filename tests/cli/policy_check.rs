//! `dialog2api policy check`, and what other commands say of a policy with mistakes.

use crate::cli::support::Home;
use expect_test::expect;

/// What can match nothing is a mistake: whoever wrote it thinks that it protects something.
#[test]
fn it_says_what_can_match_nothing() {
    let home = Home::new();
    home.write(
        "odd.toml",
        r#"version = 1
protected_buckets = ["a/b"]
protected_paths = ["/zoo/keep"]

[[rule]]
name = "get"
effect = "deny"
operations = ["get_object"]
access = ["delete"]

[[rule]]
name = "buckets"
effect = "deny"
operations = ["list_buckets"]
keys = ["secret/**"]

[[rule]]
name = "fine"
effect = "deny"
operations = ["get_object", "list_objects*"]
paths = ["zoo/secret/**"]
"#,
    );
    home.check(
        home.command("policy check odd.toml"),
        "",
        expect![[r#"
            odd.toml: no call writes in a container like "a/b"; there are *, */**
            odd.toml: line 3: no call has a path like "/zoo/keep"; there are *, */**
            odd.toml: line 6: rule "get" can match nothing: none of its operations has such an access
            odd.toml: line 12: rule "buckets" can match nothing: none of its operations has such a place; there are *, */**
            -- exit 3 --
        "#]],
    );
    home.check(
        home.command("policy explain odd.toml get_object zoo/a"),
        "",
        expect![[r#"
            The policy allows this.
            -- stderr --
            warning: odd.toml: no call writes in a container like "a/b"; there are *, */**
            warning: odd.toml: no call has a path like "/zoo/keep"; there are *, */**
            warning: odd.toml: rule "get" can match nothing: none of its operations has such an access
            warning: odd.toml: rule "buckets" can match nothing: none of its operations has such a place; there are *, */**
            -- exit 0 --
        "#]],
    );
    home.write(
        "policy.toml",
        "version = 1\nprotected_buckets = [\"audit-*\"]\n",
    );
    home.check(
        home.command("policy check policy.toml"),
        "",
        expect![[r#"
            ok policy.toml
            -- exit 0 --
        "#]],
    );
    home.write(
        "wrong.toml",
        "version = 1\n[[rule]]\nname = \"r\"\neffect = \"deny\"\noperations = [\"remove_*\"]\n",
    );
    home.check(
        home.command("policy check wrong.toml"),
        "",
        expect![[r#"
            wrong.toml: line 5: rule "r": no operation is "remove_*"; there are restore_object, create_bucket, get_object_acl, get_object, head_object and 87 others
            -- exit 3 --
        "#]],
    );
}

/// A name that no bucket can have protects nothing; a path that ends with a slash does.
#[test]
fn it_says_which_names_are_none() {
    let home = Home::new();
    home.write(
        "names.toml",
        "version = 1\nprotected_buckets = [\"My Photos\", \"my-photos\", \"ab*\"]\nprotected_paths = [\"zoo/\", \"zoo/keep/\"]\n",
    );
    home.check(
        home.command("policy check names.toml"),
        "",
        expect![[r#"
            names.toml: no bucket can be called "My Photos"; a folder of that name is the bucket "my-photos"
            -- exit 3 --
        "#]],
    );
}
