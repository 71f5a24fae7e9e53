//! Globs: which names they mean.

use dialog2api::policy::Glob;
use expect_test::{Expect, expect};

/// Shows which of the names a glob means, and which prefixes may or must lead to one.
fn check(glob: &str, names: &str, expected: Expect) {
    let glob = Glob::new(glob).expect("a glob");
    let lines = names.split(' ').map(|name| {
        let word = |is: bool, word: &'static str| if is { word } else { "" };
        let verdicts = [
            word(glob.matches(name), "matches"),
            word(glob.may_begin(name), "may begin"),
            word(glob.covers(name), "covers"),
        ];
        let verdicts: Vec<&str> = verdicts.into_iter().filter(|v| !v.is_empty()).collect();
        format!("{name}: {}\n", verdicts.join(", "))
    });
    expected.assert_eq(&lines.collect::<String>());
}

#[test]
fn a_star_stays_within_a_folder() {
    check(
        "logs/*",
        "logs/ logs/a logs/a/b logs log",
        expect![[r#"
        logs/: matches, may begin
        logs/a: matches, may begin
        logs/a/b: 
        logs: may begin
        log: may begin
    "#]],
    );
    check(
        "*.csv",
        ".csv a.csv a/b.csv a.csv2 é.csv",
        expect![[r#"
        .csv: matches, may begin
        a.csv: matches, may begin
        a/b.csv: 
        a.csv2: may begin
        é.csv: matches, may begin
    "#]],
    );
    check(
        "a*b*c",
        "abc aXbXc abXc/ abcbc aXcXb",
        expect![[r#"
        abc: matches, may begin
        aXbXc: matches, may begin
        abXc/: 
        abcbc: matches, may begin
        aXcXb: may begin
    "#]],
    );
}

#[test]
fn two_stars_do_not() {
    check(
        "logs/**",
        "logs/ logs/a logs/a/b logs",
        expect![[r#"
        logs/: matches, may begin, covers
        logs/a: matches, may begin, covers
        logs/a/b: matches, may begin, covers
        logs: may begin
    "#]],
    );
    check(
        "**",
        " a a/b /",
        expect![[r#"
        : matches, may begin, covers
        a: matches, may begin, covers
        a/b: matches, may begin, covers
        /: matches, may begin, covers
    "#]],
    );
    check(
        "**.csv",
        ".csv a/b.csv a.csv/",
        expect![[r#"
        .csv: matches, may begin
        a/b.csv: matches, may begin
        a.csv/: may begin
    "#]],
    );
    check(
        "a**b",
        "ab a/b axb a/x/b b",
        expect![[r#"
        ab: matches, may begin
        a/b: matches, may begin
        axb: matches, may begin
        a/x/b: matches, may begin
        b: 
    "#]],
    );
}

#[test]
fn two_stars_and_a_slash_are_any_folders_or_none() {
    check(
        "**/*.csv",
        "a.csv x/a.csv x/y/a.csv a.txt /a.csv",
        expect![[r#"
            a.csv: matches, may begin
            x/a.csv: matches, may begin
            x/y/a.csv: matches, may begin
            a.txt: may begin
            /a.csv: matches, may begin
        "#]],
    );
    check(
        "a/**/b",
        "a/b a/x/b a/x/y/b ab a/xb",
        expect![[r#"
        a/b: matches, may begin
        a/x/b: matches, may begin
        a/x/y/b: matches, may begin
        ab: 
        a/xb: may begin
    "#]],
    );
    check(
        "**/**/b",
        "b x/b x/y/b xb",
        expect![[r#"
        b: matches, may begin
        x/b: matches, may begin
        x/y/b: matches, may begin
        xb: may begin
    "#]],
    );
}

#[test]
fn a_question_mark_is_one_character() {
    check(
        "a?",
        "a ab aé a😀 a/ abc",
        expect![[r#"
        a: may begin
        ab: matches, may begin
        aé: matches, may begin
        a😀: matches, may begin
        a/: 
        abc: 
    "#]],
    );
}

#[test]
fn a_backslash_takes_the_meaning_away() {
    check(
        r"\*\?\[\\",
        r"*?[\ ab[\ *?[",
        expect![[r#"
        *?[\: matches, may begin
        ab[\: 
        *?[: may begin
    "#]],
    );
    for wrong in ["", "[a]", "{a,b}", "a]", "a\\"] {
        assert!(Glob::new(wrong).is_err(), "{wrong}");
    }
    assert!(Glob::new("a".repeat(1000)).is_ok());
    assert!(Glob::new("a".repeat(1001)).is_err());
}

#[test]
fn hostile_names_take_no_longer_than_they_are_long() {
    // Each would take a matcher that tries again longer than the sun will shine.
    let stars = Glob::new("*a".repeat(498) + "b?").expect("a glob");
    let deep = Glob::new("**a".repeat(332) + "b?").expect("a glob");
    let folders = Glob::new("**/".repeat(332) + "b?").expect("a glob");
    let name = "a".repeat(4096);
    let path = "a/".repeat(2048);
    for glob in [&stars, &deep, &folders] {
        assert!(!glob.matches(&name) && !glob.matches(&path));
    }
    assert!(stars.matches(&(name.clone() + "bx")));
    assert!(deep.matches(&(path.clone() + "abx")));
    assert!(folders.matches(&(path + "bx")));
    let odd = Glob::new("a\0*\u{7f}?").expect("a glob");
    assert!(odd.matches("a\0\n\u{7f}\u{202e}"));
}
