//! Answers of chat models: which are accepted, and the messages for those that are not.

use dialog2api::dialogue::{
    MAX_MODEL_TEXT, Program, Status, Update, read_reply, read_updates, write_reply, write_updates,
};
use expect_test::{Expect, expect};

/// What is understood of the text, written out again, or why it is not.
fn check(text: &str, expected: Expect) {
    let shown = match read_updates(text) {
        Ok(updates) => write_updates(&updates),
        Err(error) => format!("error: {error}"),
    };
    expected.assert_eq(&shown);
}

/// Texts that all say: goal 1 is final with `return 1`, and goal 2 is final as is.
#[test]
fn one_meaning_in_many_ways() {
    let wanted = vec![
        (1, Status::Final, Some("return 1")),
        (2, Status::Final, None),
    ];
    for text in [
        // As it should be.
        "<goal uid=\"1\" status=\"final\">\n<program>\nreturn 1\n</program>\n</goal>\n<goal uid=\"2\" status=\"final\"/>",
        // With the wrapper, and what was made up after it.
        "<output>\n<goal uid=\"1\" status=\"final\"><program>return 1</program></goal><goal uid=\"2\" status=\"final\"/></output>\n<stack>\n<goal uid=\"8\" status=\"final\"><program>x</program></goal></stack>",
        "<goal uid=\"1\" status=\"final\"><program>return 1</program></goal><goal uid=\"2\" status=\"final\"/>\n</output>\n<output><goal uid=\"8\" status=\"final\"/></output>",
        "<goal uid=\"1\" status=\"final\"><program>return 1</program></goal><goal uid=\"2\" status=\"final\"/>\n<stack><goal uid=\"8\" status=\"final\"/></stack>",
        "<goal uid=\"1\" status=\"final\"><program>return 1</program></goal><goal uid=\"2\" status=\"final\"/>\n<turn>User: <goal uid=\"8\" status=\"final\"/></turn>",
        // Quotes, case, spaces.
        "<goal uid=1 status=final><program>return 1</program></goal><goal uid=2 status=final/>",
        "<Goal UID='1' Status='FINAL' >\n<PROGRAM>\nreturn 1\n</PROGRAM >\n</GOAL>\n<goal\n  status = \"Final\"\n  uid = \"2\"\n/>",
        "<goal uid=“1”, status=“final”><program>return 1</ program></goal><goal status=final uid=2></goal>",
        // Prose, fences, thoughts.
        "Sure! Here it is:\n```xml\n<goal uid=\"1\" status=\"final\"><program>return 1</program></goal>\n<goal uid=\"2\" status=\"final\"/>\n```\nLet me know.",
        "<goal uid=\"1\" status=\"final\">\n<program>\n```python\nreturn 1\n```\n</program>\n</goal>\n<goal uid=\"2\" status=\"final\"/>",
        "<goal uid=\"1\" status=\"final\">\n```python\nreturn 1\n```\n</goal>\n<goal uid=\"2\" status=\"final\"/>",
        "<goal uid=\"1\" status=\"final\">\n```\n```python\nreturn 1\n```\n</goal>\n<goal uid=\"2\" status=\"final\"/>",
        "<think>First <goal uid=\"7\" status=\"final\"> or <goal>?</think>\n<goal uid=\"1\" status=\"final\"><program>return 1</program></goal><goal uid=\"2\" status=\"final\"/>",
        "Perhaps <goal uid=\"7\" status=\"final\">.\n </think>\n<goal uid=\"1\" status=\"final\"><program>return 1</program></goal><goal uid=\"2\" status=\"final\"/>",
        // The stack repeated first.
        "<stack>\n<goal uid=\"2\" status=\"drafting\"><program>f()</program></goal>\n</stack>\n<output>\n<goal uid=\"1\" status=\"final\"><program>return 1</program></goal><goal uid=\"2\" status=\"final\"/>\n</output>",
        "<stack>\n<goal uid=\"2\" status=\"drafting\"><program>f()</program></goal>\n</stack>\n<goal uid=\"1\" status=\"final\"><program>return 1</program></goal><goal uid=\"2\" status=\"final\"/>",
        // Everything in a stack.
        "<stack>\n<goal uid=\"1\" status=\"final\"><program>return 1</program></goal><goal uid=\"2\" status=\"final\"/>\n</stack>",
        // Closing tags missing.
        "<goal uid=\"1\" status=\"final\"><program>\nreturn 1\n</goal><goal uid=\"2\" status=\"final\"/>",
        "<goal uid=\"1\" status=\"final\"><program>\nreturn 1\n</program>\n<goal uid=\"2\" status=\"final\"/>",
        "<goal uid=\"1\" status=\"final\"><program>\nreturn 1\n<goal uid=\"2\" status=\"final\"/>",
        "<goal uid=\"1\" status=\"final\"><program>\nreturn 1\n</program\n</goal\n<goal uid=\"2\" status=\"final\"/",
        // A start that is not closed.
        "<goal uid=\"1\" status=\"final\"\n<program>\nreturn 1\n</program>\n</goal>\n<goal uid=\"2\" status=\"final\"",
        // No wrapper, or half of one.
        "<goal uid=\"1\" status=\"final\">\nreturn 1\n</goal>\n<goal uid=\"2\" status=\"final\">\n</goal>",
        "<goal uid=\"1\" status=\"final\">\nreturn 1\n</program>\n</goal>\n<goal uid=\"2\" status=\"final\"/>",
        "<goal uid=\"1\" status=\"final\"/>\n<program>return 1</program>\n</goal>\n<goal uid=\"2\" status=\"final\"/>",
        // An outcome made up.
        "<goal uid=\"1\" status=\"final\"><program>return 1</program>\n<result>[\"<b>\"]</result>\n<error/>\n<signature>0a</signature></goal><goal uid=\"2\" status=\"final\"><result>1</result></goal>",
        "<goal uid=\"1\" status=\"final\">\nreturn 1\n<result>1</result>\n</goal><goal uid=\"2\" status=\"final\"><error/></goal>",
    ] {
        let updates = read_updates(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let found: Vec<_> = updates
            .iter()
            .map(|update| {
                let code = update.program.as_ref().map(|program| program.code().trim());
                (update.uid, update.status, code)
            })
            .collect();
        assert_eq!(found, wanted, "of {text}");
    }
}

#[test]
fn a_text_cut_off_ends_its_last_program() {
    let text = "```\n<output>\n<goal uid=\"1\" status=\"final\">\n<program>\nif a < b:\n  return \"</b>\"\n```\nThat is all.";
    check(
        text,
        expect![[r#"
        <goal uid="1" status="final">
        <program>
        if a < b:
          return "</b>"
        </program>
        </goal>"#]],
    );
}

#[test]
fn python_that_looks_like_tags_is_python() {
    check(
        "<goal uid=\"1\" status=\"final\"><program>\nif x <goal or y <error: return '<result>', '</b>', a<b>c, '<turns>', '</programs>'\n</program></goal>",
        expect![[r#"
            <goal uid="1" status="final">
            <program>
            if x <goal or y <error: return '<result>', '</b>', a<b>c, '<turns>', '</programs>'
            </program>
            </goal>"#]],
    );
}

#[test]
fn our_own_tags_in_a_program_are_escaped_and_come_back() {
    let code = r#"return "</program>", "<\/goal>", "</OUTPUT", "<goal uid=", "<turn>", "</think>""#;
    let updates = vec![Update {
        uid: 1,
        status: Status::Final,
        program: Some(Program::new(code)),
    }];
    let text = write_updates(&updates);
    expect![[r#"
        <goal uid="1" status="final">
        <program>
        return "<\/program>", "<\\/goal>", "<\/OUTPUT", "<\goal uid=", "<\turn>", "<\/think>"
        </program>
        </goal>"#]]
    .assert_eq(&text);
    assert_eq!(read_updates(&text), Ok(updates));
}

#[test]
fn an_output_may_be_empty_but_must_be_there() {
    check("<output>\n</output>", expect![""]);
    check("\n</output>", expect![""]);
    check(
        "",
        expect![[
            r#"error: line 1, column 1: expected a goal, such as <goal uid="1" status="drafting"> with its <program>, found the end of the text"#
        ]],
    );
    check(
        "\n  I cannot help you with that, because of it.",
        expect![[
            r#"error: line 2, column 3: expected a goal, such as <goal uid="1" status="drafting"> with its <program>, found `I cannot help you with that, b…`"#
        ]],
    );
    check(
        "<think>a <goal uid=1 status=final/>",
        expect![[
            r#"error: line 1, column 1: expected a goal, such as <goal uid="1" status="drafting"> with its <program>, found `<think>a <goal uid=1 status=fi…`"#
        ]],
    );
}

#[test]
fn what_is_not_understood_is_named() {
    check(
        "<goal uid=\"1\" status=\"final\"/>\nx <goal uid=\"one\" status=\"final\"/>",
        expect![[r#"error: line 2, column 9: expected a whole number as uid, found "one""#]],
    );
    check(
        "<goal status=\"final\"/>",
        expect![[
            r#"error: line 1, column 1: a goal needs a number, as in <goal uid="1" status="drafting">"#
        ]],
    );
    check(
        "<goal uid=\"1\">\n<program>x</program></goal>",
        expect![[
            r#"error: line 1, column 1: a goal needs a status: "drafting", "final" or "abandoned""#
        ]],
    );
    check(
        "äö <goal uid=\"1\" status=\"done\"/>",
        expect![[
            r#"error: line 1, column 18: a status is "drafting", "final" or "abandoned", not "done""#
        ]],
    );
    check(
        "<goal uid=\"-1\" status=\"final\"/>",
        expect![[r#"error: line 1, column 7: expected a whole number as uid, found "-1""#]],
    );
    check(
        "<goal uid=\"1\" status=\"final\">\n<program>a</program>\n<program>b</program></goal>",
        expect![
            "error: line 3, column 1: a second <program> in one goal; write one program for each goal"
        ],
    );
    check(
        &format!("<goal uid=\"{}\" status=\"final\"/>", "1".repeat(100_000)),
        expect![[
            r#"error: line 1, column 7: expected a whole number as uid, found "111111111111111111111111111111…""#
        ]],
    );
    check(
        &format!("<goal uid=\"1\" status=\"{}\"/>", "ä".repeat(100_000)),
        expect![[
            r#"error: line 1, column 15: a status is "drafting", "final" or "abandoned", not "ääääääääääääääääääääääääääääää…""#
        ]],
    );
    let long = "x".repeat(MAX_MODEL_TEXT + 1);
    check(
        &long,
        expect![
            "error: line 1, column 1: the answer has 262145 bytes, and at most 262144 (256 KiB) are read"
        ],
    );
}

#[test]
fn one_reply_in_many_ways() {
    for text in [
        "<turn>Agent: Here:\n- a < b</turn>",
        "<output>\n<turn>\nAgent: Here:\n- a < b\n</turn>\n</output>\n<stack>\n</stack><output><turn>Agent: no</turn></output>",
        "Here:\n- a < b",
        "Agent: Here:\n- a < b",
        "Bot: Here:\n- a < b",
        "agent : Here:\n- a < b\n</turn>\n</output>",
        "Agent: Here:\n- a < b\nUser: thanks\nAgent: no",
        "<turn>Agent: Here:\n- a < b",
        "<turn>Here:\n- a < b</output>",
        "<think>Hm, <turn>?</think>Here:\n- a < b",
        "Hm, <turn>Agent: no</turn>?</think>\n<turn>Agent: Here:\n- a < b</turn>",
        "<turn>Agent: no</turn>\n<turn>User: no</turn>\n<output>\n<turn>Agent: Here:\n- a < b</turn>",
        "<turn>User: no</turn>\n<turn>Agent: Here:\n- a < b</turn>\n<turn>User: no</turn>",
        "<output>Here:\n- a < b</output>",
    ] {
        assert_eq!(
            read_reply(text).as_deref(),
            Ok("Here:\n- a < b"),
            "of {text}"
        );
    }
}

#[test]
fn an_empty_reply_is_an_error() {
    for text in [
        "",
        " \n",
        "Agent:",
        "<turn>Agent: </turn>",
        "<output></output>",
        "<think>a",
    ] {
        let error = read_reply(text).expect_err(text).to_string();
        assert!(
            error.contains("expected a reply, such as <turn>"),
            "{error}"
        );
    }
}

#[test]
fn a_reply_that_has_our_tags_comes_back() {
    let reply = "Use </turn> and <turn>, not <\\/turn>.";
    let text = write_reply(reply);
    expect![[r#"<turn>Agent: Use <\/turn> and <\turn>, not <\\/turn>.</turn>"#]].assert_eq(&text);
    assert_eq!(read_reply(&text).as_deref(), Ok(reply));
}
