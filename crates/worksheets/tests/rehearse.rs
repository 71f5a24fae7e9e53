//! Recorded dialogues are played again. Sheets and a dialogue go in; the differences and the
//! cells that were reached come out.

use serde_json::json;
use worksheets::dialogue::{Dialogue, Rehearsed, rehearse};
use worksheets::knowledge::{Content, Knowledge, Limits, rows};
use worksheets::{Format, Settings, read};

const CSV: &str = "\
WS Name,Predicate,Kind,Type,Name,Enum Values,Required,Confirmation,Actions
Order,,,task,order(self.size),,,,
,,input,Enum,size,,TRUE,TRUE,
,,,,,small,,,
,,,,,large <3,,,
,self.size == 'large <3',input,int,guests,,,,\"say(\"\"Many!\"\")\"
inns,,,kb,,,,,
,,internal; primary,str,name,,,,
";

/// A turn: the user's words, the program, its result, the reply.
type Turn<'t> = (&'t str, &'t str, &'t str, &'t str);

const TURNS: [Turn<'_>; 3] = [
    (
        "Which inns are there?",
        "answer(\"the inns\", sql=\"SELECT name FROM inns\")",
        r#"{"acts":["Report(answer_1)","Ask(order, size)"],"queries":[{"var":"answer_1","sql":"SELECT name FROM inns","tables":["inns"],"rows":[{"name":"Swan"}],"total":1}]}"#,
        "There is the Swan. Which size?",
    ),
    (
        "A small one.",
        "order.size = \"small\"",
        r#"{"acts":["Confirm(order, size)"]}"#,
        "Small, is that right?",
    ),
    (
        "Yes.",
        "order.size = confirm(order.size)",
        r#"{"acts":["Report(order)"],"calls":[{"call":"order(\"small\")","result":{"id":7}}]}"#,
        "Your order has the number 7.",
    ),
];

fn check(turns: &[Turn<'_>], seen: fn(&Rehearsed<'_>) -> String, wanted: &str) {
    let sheets = read(CSV.as_bytes(), Format::Csv).unwrap();
    let mut content = Content::default();
    content
        .tables
        .insert("inns".to_owned(), rows("name\nSwan\n").unwrap());
    let mut knowledge = Knowledge::open(&sheets, &content, Limits::default()).unwrap();
    let mut text =
        "<conversation uid=\"d1\" goal=\"g\" world=\"w\">\n<turns>\n<turn>Agent: Hello.</turn>\n"
            .to_owned();
    for (user, program, result, agent) in turns {
        text.push_str(&format!(
            "<turn>User: {user}</turn>\n<goal uid=\"1\" status=\"final\">\n<program>\n{program}\n\
             </program>\n<result>{result}</result>\n<error/>\n</goal>\n<turn>Agent: {agent}</turn>\n"
        ));
    }
    text.push_str("</turns>\n</conversation>\n");
    let dialogue = Dialogue::read(&text).unwrap();
    let settings = Settings::default();
    let found = rehearse(&sheets, settings, &mut knowledge, &[dialogue]).unwrap();
    assert_eq!(seen(&found), wanted);
}

const GAPS: &str = "\
Order.size: never refused
Order.size: never corrected
Order.size: option large <3 never chosen
Order.guests: never true
Order.guests: action never ran
Order.guests: never asked
Order.guests: never refused
Order.guests: never corrected
Say: never performed
";

#[test]
fn a_dialogue_goes_as_it_was_recorded() {
    let wanted = format!("1 dialogue, 3 turns, 0 go otherwise\n7 of 16 cells reached\n{GAPS}");
    check(&TURNS, |found| found.text(), &wanted);
    check(&TURNS, |found| found.passed().to_string(), "true");
}

#[test]
fn what_goes_otherwise_is_said_with_its_place() {
    let mut turns = TURNS;
    turns[0].2 = r#"{"acts":["Ask(order, size)"]}"#;
    turns[1].3 = "Small.";
    turns[2].2 = r#"{"acts":["Report(order)"]}"#;
    let lines = |found: &Rehearsed<'_>| {
        let places = found.differences.iter();
        let places = places.map(|one| format!("{}, {}", one.dialogue, one.turn));
        places.collect::<Vec<String>>().join("\n")
    };
    check(&turns, lines, "d1, 1\nd1, 2\nd1, 3");
    check(&turns, |found| found.passed().to_string(), "false");
}

#[test]
fn programs_can_read_it() {
    let json = |found: &Rehearsed<'_>| {
        let mut json = found.json();
        let gaps = json["gaps"].as_array_mut().unwrap();
        let first = gaps.swap_remove(0);
        json["gaps"] = json!([first]);
        json.to_string()
    };
    check(
        &TURNS,
        json,
        r#"{"dialogues":1,"turns":3,"differences":[],"reached":7,"cells":16,"gaps":[{"place":"Order.size","what":"never refused"}],"used":{"Ask":1,"Confirm":1,"Order":1,"Order.size":4,"Report":2}}"#,
    );
}

#[test]
fn the_page_shows_the_sheets_with_heat() {
    let rows = |found: &Rehearsed<'_>| {
        let page = found.html();
        let shown = |line: &&str| line.starts_with("<p>") || line.starts_with("<tr");
        page.lines().filter(shown).collect::<Vec<&str>>().join("\n")
    };
    check(
        &TURNS,
        rows,
        "\
<p>1 dialogue, 3 turns, 0 go otherwise</p>
<p>7 of 16 cells reached</p>
<p>Say: never performed</p>
<tr style=\"background:hsl(120 60% 40%)\"><td>size</td><td>Enum</td><td></td><td></td><td>4</td><td>never refused, never corrected, option large &lt;3 never chosen</td></tr>
<tr style=\"background:hsl(120 60% 100%)\"><td>guests</td><td>int</td><td>self.size == 'large &lt;3'</td><td></td><td>0</td><td>never true, action never ran, never asked, never refused, never corrected</td></tr>
<tr style=\"background:hsl(120 60% 100%)\"><td>name</td><td>str</td><td></td><td></td><td>0</td><td></td></tr>",
    );
}
