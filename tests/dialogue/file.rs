//! Dataset files, strict and byte for byte.

use dialog2api::dialogue::{
    Outcome, Program, ProgramError, Stack, Status, Update, read_stack, read_transcript,
    write_stack, write_transcript,
};
use expect_test::{Expect, expect};

const HARBOUR: &str = include_str!("harbour.xml");

#[test]
fn a_file_comes_back_byte_for_byte() {
    let transcript = read_transcript(HARBOUR).expect("a good file");
    assert_eq!(write_transcript(&transcript), HARBOUR);
}

#[test]
fn another_layout_means_the_same() {
    let loose = read_transcript(include_str!("harbour-loose.xml")).expect("a good file");
    assert_eq!(write_transcript(&loose), HARBOUR);
}

/// Forms of the paper's printed dialogues, in words of our own: the agent as `Bot`, an
/// utterance on lines of its own, numbers of goals that skip, an indentation that
/// changes, a program that ends in the middle of a line.
#[test]
fn the_forms_that_the_paper_prints_are_read() {
    let text = r#"<conversation uid="Boats_2">
   <metadata>
   <initial_signature>0a1b2c3d</initial_signature>
   </metadata>
   <turns>
   <turn>Bot: Ahoy!</turn>
   <turn>User: which boats
     are 'small'?</turn>
   <goal uid="1" status="drafting">
   <program>
        boats = f(Harbour=?1, Prefix="boats/small").get("Boats", [])
        return boats
   </program>
</goal>
<turn>
Bot: In which harbour?
</turn>
<turn>User: "north" then</turn>
<goal uid="1" status="final">
<program>
        boats = f(Harbour="north", Prefix="boats/small").get("Boats", [])
        return boats </program>
<result>[["dinghy", 2], ["canoe", 1]]</result>
<error/>
<signature>12ab34cd</signature>
</goal>
<turn>
Bot: Here they are:
- dinghy
- canoe
</turn>
<turn>User: bye</turn>
<goal uid="5" status="final">
<program>
        raise EndDialog()
   </program>
</goal>
</turns>
</conversation>"#;
    let transcript = read_transcript(text).expect("a good file");
    assert!(transcript.stack_before(3).is_ok());
    let written = write_transcript(&transcript);
    expect![[r#"
        <conversation uid="Boats_2">
        <metadata>
        <initial_signature>0a1b2c3d</initial_signature>
        </metadata>
        <turns>
        <turn>Agent: Ahoy!</turn>
        <turn>User: which boats
             are 'small'?</turn>
        <goal uid="1" status="drafting">
        <program>
                boats = f(Harbour=?1, Prefix="boats/small").get("Boats", [])
                return boats
           </program>
        </goal>
        <turn>Agent: In which harbour?</turn>
        <turn>User: "north" then</turn>
        <goal uid="1" status="final">
        <program>
                boats = f(Harbour="north", Prefix="boats/small").get("Boats", [])
                return boats </program>
        <result>[["dinghy", 2], ["canoe", 1]]</result>
        <error/>
        <signature>12ab34cd</signature>
        </goal>
        <turn>Agent: Here they are:
        - dinghy
        - canoe</turn>
        <turn>User: bye</turn>
        <goal uid="5" status="final">
        <program>
                raise EndDialog()
           </program>
        </goal>
        </turns>
        </conversation>
    "#]]
    .assert_eq(&written);
}

#[test]
fn every_part_of_a_file_is_read() {
    let transcript = read_transcript(HARBOUR).expect("a good file");
    assert_eq!(transcript.uid, "DeleteObject_3");
    assert_eq!(
        transcript.attributes,
        [("goal", "DeleteObject"), ("world", "harbour & <co>")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
    );
    assert_eq!(transcript.initial_signature.as_deref(), Some("0badc0de"));
    assert_eq!(
        transcript.greeting.as_deref(),
        Some("Hello, what shall we do?")
    );
    let [first, second, third, last] = &transcript.turns[..] else {
        panic!("four turns, not {}", transcript.turns.len());
    };
    assert_eq!(first.response.as_deref(), Some("Which bucket?"));
    assert_eq!(
        second.response.as_deref(),
        Some("These:\n- harbour\n- half </turn> of it")
    );
    assert_eq!(
        second.goals[0].outcome,
        Some(Outcome::Result(serde_json::json!([
            "harbour",
            "half </result> of it",
            {"n": 1.0, "none": null}
        ])))
    );
    assert_eq!(third.goals[0].program, None);
    assert_eq!(
        third.goals[1].outcome,
        Some(Outcome::Error(ProgramError {
            error: "NoSuchBucket".to_owned(),
            message: "The specified bucket does not exist".to_owned(),
            traceback: None,
        }))
    );
    assert_eq!(third.goals[1].signature.as_deref(), Some("12ab34cd"));
    assert_eq!((last.user.as_str(), &last.response), ("bye", &None));
}

#[test]
fn a_file_replays_to_its_stacks() {
    let transcript = read_transcript(HARBOUR).expect("a good file");
    let shown = |turn| {
        let stack = transcript.stack_before(turn).expect("legal updates");
        let goals = stack.goals().iter();
        let goals = goals.map(|goal| {
            let signature = goal.signature.as_deref().unwrap_or("-");
            let outcome = goal.outcome.is_some();
            format!("{} {} {outcome} {signature}", goal.uid, goal.status)
        });
        goals.collect::<Vec<_>>()
    };
    assert_eq!(shown(0), [""; 0]);
    assert_eq!(shown(1), ["1 drafting false -"]);
    assert_eq!(
        shown(2),
        [
            "1 drafting false -",
            "2 final true 12ab34cd",
            "3 drafting false -"
        ]
    );
    assert_eq!(
        shown(99),
        [
            "2 final true 12ab34cd",
            "3 abandoned false -",
            "1 final true 12ab34cd",
            "4 final false -"
        ]
    );
}

#[test]
fn a_file_that_breaks_the_status_rules_says_so_when_replayed() {
    let text = "<conversation uid='a'><turns><turn>User: x</turn>\
                <goal uid='1' status='abandoned'/></turns></conversation>";
    let transcript = read_transcript(text).expect("a good file");
    assert!(transcript.stack_before(0).is_ok());
    let reasons = transcript.stack_before(1).expect_err("an illegal start");
    assert_eq!(reasons.len(), 1);
}

/// Why a file with these turns is refused.
#[track_caller]
fn refused(turns: &str, expected: Expect) {
    let text = format!("<conversation uid=\"a\">\n<turns>\n{turns}\n</turns>\n</conversation>\n");
    let error = read_transcript(&text).expect_err("a bad file");
    expected.assert_eq(&error.to_string());
}

#[test]
fn a_bad_file_is_refused_with_the_place() {
    let user = "<turn>User: x</turn>\n";
    refused(
        "hello",
        expect!["line 3, column 1: expected <turn>, <goal> or </turns>, found `hello`"],
    );
    refused(
        "<turn>x</turn>",
        expect!["line 3, column 7: expected `User:` or `Agent:`, found `x</turn>`"],
    );
    refused(
        "<turn>User: x",
        expect!["line 4, column 1: expected </turn>, found `</turns>`"],
    );
    refused(
        "<turn>Agent: x</turn><turn>Agent: y</turn>",
        expect!["line 3, column 22: expected a turn of the user, found `<turn>Agent: y</turn>`"],
    );
    refused(
        "<goal uid=\"1\" status=\"final\"/>",
        expect![[
            r#"line 3, column 1: expected a turn of the user before the goal, found `<goal uid="1" status="final"/>`"#
        ]],
    );
    refused(
        "<goal uid=\"1\" status=\"final\"",
        expect!["line 4, column 1: expected `>`, found `</turns>`"],
    );
    for (goal, expected) in [
        (
            "<goal uid=1 status=\"final\"/>",
            expect![[
                r#"line 4, column 7: expected a value in quotation marks, found `uid=1 status="final"/>`"#
            ]],
        ),
        (
            "<goal uid=\"1\" status=\"final\" now=\"\"/>",
            expect![[r#"line 4, column 30: expected only uid and status, found `now=""/>`"#]],
        ),
        (
            "<goal uid=\"1\" status=\"final\" uid=\"2\"/>",
            expect!["line 4, column 30: the attribute uid stands here twice"],
        ),
        (
            "<goal uid=\"1\" status=\"final\"><program>a</goal>",
            expect!["line 4, column 40: expected </program>, found `</goal>`"],
        ),
        (
            "<goal uid=\"1\" status=\"final\"><program>a</program><program>",
            expect![
                "line 4, column 50: expected <program>, <result>, <error>, <signature> or </goal>, each once, found `<program>`"
            ],
        ),
        (
            "<goal uid=\"1\" status=\"final\">code</goal>",
            expect![
                "line 4, column 30: expected <program>, <result>, <error>, <signature> or </goal>, each once, found `code</goal>`"
            ],
        ),
        (
            "<goal uid=\"1\" status=\"final\"><result>[1,</result></goal>",
            expect![
                "line 4, column 38: expected JSON in <result> (EOF while parsing a value), found `[1,</result></goal>`"
            ],
        ),
        (
            "<goal uid=\"1\" status=\"final\"><result>1",
            expect!["line 4, column 30: <result> is not closed"],
        ),
        (
            "<goal uid=\"1\" status=\"final\"><error>{}</error></goal>",
            expect![[
                r#"line 4, column 30: expected an error as {"error": code, "message": text}, found `<error>{}</error></goal>`"#
            ]],
        ),
        (
            "<goal uid=\"1\" status=\"final\"><result>1</result><error>{\"error\":\"E\"}</error></goal>",
            expect!["line 4, column 1: goal 1 has both a result and an error"],
        ),
    ] {
        refused(&format!("{user}{goal}"), expected);
    }
    for (text, expected) in [
        (
            "",
            expect!["line 1, column 1: expected <conversation>, found the end of the text"],
        ),
        (
            "<conversation><turns></turns></conversation>",
            expect![[r#"line 1, column 1: the conversation needs a uid="…""#]],
        ),
        (
            "<conversation uid='' a='' a=''>",
            expect!["line 1, column 27: the attribute a stands here twice"],
        ),
        (
            "<conversation uid='' offered='a' offered-from-1='b'>",
            expect![
                "line 1, column 34: expected the number of a turn after the first, as in offered-from-2"
            ],
        ),
        (
            "<conversation uid='' offered-from-2='b'>",
            expect![
                "line 1, column 22: expected the attribute offered beside it: without that, the first turn offers every operation"
            ],
        ),
        (
            "<conversation uid=''><turns></turns></conversation>\n<b>",
            expect!["line 2, column 1: expected the end of the text, found `<b>`"],
        ),
        (
            "<conversation uid=''><!-- ",
            expect!["line 1, column 22: expected --> after this"],
        ),
        (
            "<conversation uid=''><metadata><turns>",
            expect![
                "line 1, column 32: expected <initial_signature> or </metadata>, found `<turns>`"
            ],
        ),
    ] {
        let error = read_transcript(text).expect_err("a bad file");
        expected.assert_eq(&error.to_string());
    }
}

#[test]
fn a_stack_is_written_bottom_first_and_read_back() {
    let update = |uid, status, code: &str| Update {
        uid,
        status,
        program: Some(Program::new(code)),
    };
    let (mut stack, execute) = Stack::default()
        .updated(&[
            update(2, Status::Final, "    return 'a' < 'b'"),
            update(1, Status::Drafting, "    f(?1)"),
            update(3, Status::Final, "g()"),
        ])
        .expect("no rule broken");
    assert_eq!(execute, [2, 3]);
    stack.attach(2, Outcome::Result(true.into()));
    let error = ProgramError {
        error: "ChitChat".to_owned(),
        message: String::new(),
        traceback: Some("not shown".to_owned()),
    };
    stack.attach(3, Outcome::Error(error));
    let text = write_stack(&stack);
    expect![[r#"
        <stack>
        <goal uid="2" status="final">
        <program>
            return 'a' < 'b'
        </program>
        <result>true</result>
        <error/>
        </goal>
        <goal uid="1" status="drafting">
        <program>
            f(?1)
        </program>
        </goal>
        <goal uid="3" status="final">
        <program>
        g()
        </program>
        <result>null</result>
        <error>{"error": "ChitChat", "message": ""}</error>
        </goal>
        </stack>"#]]
    .assert_eq(&text);
    let read = read_stack(&text).expect("our own text");
    assert_eq!(write_stack(&read), text);
    assert_eq!(read.goals()[..2], stack.goals()[..2]);
    let goal = "<goal uid='1' status='final'><program/></goal>";
    assert!(read_stack(&format!("<stack>{goal}</stack>")).is_err());
    let goal = "<goal uid='1' status='final'><program></program></goal>";
    assert!(read_stack(&format!("<stack>{goal}</stack>")).is_ok());
    let error = read_stack(&format!("<stack>{goal}{goal}</stack>")).expect_err("twice");
    expect!["line 1, column 118: goals stand twice: {1}"].assert_eq(&error.to_string());
}
