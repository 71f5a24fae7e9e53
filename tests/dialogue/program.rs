//! Which `?n` is a placeholder, and what code a text holds.

use dialog2api::dialogue::Program;

/// The code with each placeholder shown as `«n»`.
#[track_caller]
fn check(code: &str, expected: &str) {
    let program = Program::new(code);
    let shown = program.with_placeholders_replaced(|n| format!("«{n}»"));
    assert_eq!(shown, expected);
    let numbers: Vec<String> = program
        .placeholders()
        .iter()
        .map(|n| format!("«{n}»"))
        .collect();
    for number in numbers {
        assert!(expected.contains(&number), "{number} is not in {expected}");
    }
}

#[test]
fn a_placeholder_is_a_token() {
    check("s3.f(Bucket=?1, Key=?2)", "s3.f(Bucket=«1», Key=«2»)");
    check("[?1,?1,?12]", "[«1»,«1»,«12»]");
    check("x if y else?1", "x if y else«1»");
    check("?", "?");
    check("?x ? 1", "?x ? 1");
    check("?99999999999", "?99999999999");
    check("größe = ?1", "größe = «1»");
}

#[test]
fn in_a_string_it_is_text() {
    check(r#"f("?1", '?2', ?3)"#, r#"f("?1", '?2', «3»)"#);
    check(r#"r"?1" b'?1' Rb"?1" u'?1'"#, r#"r"?1" b'?1' Rb"?1" u'?1'"#);
    check(r#"x"?1" + ?2"#, r#"x"?1" + «2»"#);
    check("'''?1\n'?1'\"?1''' + ?2", "'''?1\n'?1'\"?1''' + «2»");
    check("\"\"\"a\"\"?1\"\"\" ?2", "\"\"\"a\"\"?1\"\"\" «2»");
    check("'' ?1 '' ?2", "'' «1» '' «2»");
}

#[test]
fn escapes_do_not_end_a_string() {
    check(r#""a\"?1" ?2"#, r#""a\"?1" «2»"#);
    check(r#""a\\" ?1"#, r#""a\\" «1»"#);
    check(r#"r"a\"?1" ?2"#, r#"r"a\"?1" «2»"#);
    check("'a\\\n?1' ?2", "'a\\\n?1' «2»");
    check("'a\\\r\n?1' ?2", "'a\\\r\n?1' «2»");
}

#[test]
fn a_string_left_open_ends_with_its_line() {
    check("x = 'don\ny = ?1", "x = 'don\ny = «1»");
    check("x = '''open ?1\n?2", "x = '''open ?1\n?2");
    check("f'{x\ny = 1", "f'{x\ny = 1");
    check("'\\", "'\\");
}

#[test]
fn in_a_comment_it_is_text() {
    check("# ?1 'open\nx = ?2  # ?3", "# ?1 'open\nx = «2»  # ?3");
    check("'# ' + ?1", "'# ' + «1»");
}

#[test]
fn an_f_string_has_text_and_code() {
    check(r#"f"?1 {?2} ?3""#, r#"f"?1 {«2»} ?3""#);
    check(r#"f"{{?1}} {{{?2}}}""#, r#"f"{{?1}} {{{«2»}}}""#);
    check(r#"f"{d["?1"]} ?2" ?3"#, r#"f"{d["?1"]} ?2" «3»"#);
    check(
        r#"f"{f'{?1} ?2' + "?3"}" ?4"#,
        r#"f"{f'{«1»} ?2' + "?3"}" «4»"#,
    );
    check(r#"f"{x:?1}" ?2"#, r#"f"{x:?1}" «2»"#);
    check(r#"f"{x:>{?1}?2}" ?3"#, r#"f"{x:>{«1»}?2}" «3»"#);
    check(r#"f"{ {1: ?1}[1] :?2}""#, r#"f"{ {1: «1»}[1] :?2}""#);
    check(r#"f"{x["a":?1]}""#, r#"f"{x["a":«1»]}""#);
    check(r#"f"\N{DASH}?1{?2}""#, r#"f"\N{DASH}?1{«2»}""#);
    check(r#"rf"\{?1}\"?2" ?3"#, r#"rf"\{«1»}\"?2" «3»"#);
    check("F'''\n'?1' {\n?2}''' ?3", "F'''\n'?1' {\n«2»}''' «3»");
    check("f'{x:?1\n?2", "f'{x:?1\n«2»");
}

#[test]
fn the_code_is_the_text_without_its_frame() {
    for (text, code) in [
        ("\n    a\n      b\n  ", "    a\n      b"),
        ("  \r\n  a\r\n", "  a"),
        ("return 1", "return 1"),
        ("\n\na\n", "\na"),
        ("a\n", "a"),
        ("\n  \n", ""),
        ("", ""),
    ] {
        let program = Program::from_text(text.to_owned());
        assert_eq!(program.code(), code, "of {text:?}");
        assert_eq!(program.text(), text);
        assert_eq!(program.is_empty(), code.is_empty());
    }
    assert_eq!(Program::new("  a\n\n\n").text(), "\n  a\n");
    assert_eq!(Program::new("  a\n\n\n").code(), "  a");
}

#[test]
fn literals_are_what_stands_in_strings() {
    let literals = |code: &str| Program::new(code).literals();
    let code = r##"f("a/b.txt", 'it\'s', r"x", """two
lines""") # "no"
g(f"day={day:04}/{names['x']}.csv", f"#1", "", "\tä\n\\", "\x41")"##;
    assert_eq!(
        literals(code),
        [
            "a/b.txt",
            "it's",
            "x",
            "two\nlines",
            "day=",
            "04",
            "/",
            "x",
            ".csv",
            "#1",
            "\tä\n\\",
            "\\x41"
        ]
    );
    assert_eq!(literals("f(\"open"), ["open"]);
}

#[test]
fn alone_in_quotes_it_is_unquoted() {
    let check = |code: &str, expected: &str| {
        let unquoted = Program::new(code).with_placeholders_unquoted();
        assert_eq!(unquoted, Program::new(expected));
    };
    check(r#"f(a="?1", b='?12')"#, "f(a=?1, b=?12)");
    check(r#"["?1","?2"]"#, "[?1,?2]");
    for text in [
        r#""?1 ""#,
        r#"" ?1""#,
        r#""?""#,
        r#""?x""#,
        r#"f"?1" b'?1' r"?1""#,
        "'''?1'''",
        "# \"?1\"",
        "#?1",
        "'?1",
        "'?1\n'",
        "f\"{x:?1}\"",
    ] {
        check(text, text);
    }
}
