//! `dialog2api worksheet`.

use crate::cli::support::Home;
use expect_test::{Expect, expect};

const ORDER: &str = "\
WS Name,Predicate,Kind,Type,Name,Description,Required,Confirmation,Actions
Order,,,task,,,,,
,,input,str,size,The size of the pizza,TRUE,,
,self.size == 'large',input,int,guests,How many eat with you,,,
,,input,confirm,fine,Whether all is right,TRUE,,
";

fn check(sheets: &str, words: &str, expected: Expect) {
    let home = Home::new();
    std::fs::create_dir_all(home.path("pizza")).expect("a folder");
    home.write("pizza/worksheets.csv", sheets);
    home.check(home.command(words), "", expected);
}

#[test]
fn sheets_are_checked_and_shown() {
    check(
        ORDER,
        "worksheet check pizza",
        expect![[r#"
        nothing is wrong
        -- exit 0 --
    "#]],
    );
    check(
        ORDER,
        "worksheet show pizza",
        expect![[r#"
        Order  (opened first)
        ├─ size: str, required
        ├─ guests: int
        │    if self.size == 'large'  ← size
        └─ fine: confirm, required
        -- exit 0 --
    "#]],
    );
}

#[test]
fn what_is_wrong_is_said_with_its_cell() {
    let wrong = ORDER.replace("int,guests", "number,guests");
    check(
        &wrong,
        "worksheet check pizza",
        expect![[r#"
        error[unknown-type] line 4, cell D4, Order.guests: there is no type number; it is str, text, int, float, bool, date, time, Enum, confirm, List[…] or a sheet's name
        -- exit 3 --
    "#]],
    );
    check(
        &wrong,
        "worksheet check --json pizza",
        expect![[r#"
        {
          "problems": [
            {
              "rule": "unknown-type",
              "severity": "error",
              "place": "Order.guests",
              "line": 4,
              "cell": "D4",
              "message": "there is no type number; it is str, text, int, float, bool, date, time, Enum, confirm, List[…] or a sheet's name"
            }
          ]
        }
        -- exit 3 --
    "#]],
    );
    check(
        "WS Name,Colour\u{1b}[2J\n",
        "worksheet check pizza/worksheets.csv",
        expect![[r#"
            error[unknown-header] line 1, cell B1: there is no column "Colour\u{1b}[2J", but WS Predicate, WS Name, Predicate, Kind, Type, Name, Enum Values, Description, Don't Ask, Required, Confirmation, Actions, WS Actions, Validation, Default, Reset
            -- exit 3 --
        "#]],
    );
    check(
        ORDER,
        "worksheet check .",
        expect![[r#"
        -- stderr --
        error: . has no worksheets.csv (or .tsv, .toml, .xlsx, .json)
        -- exit 2 --
    "#]],
    );
    check(
        ORDER,
        "worksheet check order.ods",
        expect![[r#"
        -- stderr --
        error: order.ods: the form of sheets is told by the end of the name: csv, tsv, toml, xlsx, json
        -- exit 2 --
    "#]],
    );
}

#[test]
fn sheets_are_converted_and_come_back() {
    check(
        ORDER,
        "worksheet convert --to toml pizza",
        expect![[r#"
        [[sheet]]
        name = "Order"
        kind = "task"

        [[sheet.field]]
        name = "size"
        kind = "input"
        type = "str"
        description = "The size of the pizza"
        required = true

        [[sheet.field]]
        name = "guests"
        kind = "input"
        type = "int"
        predicate = "self.size == 'large'"
        description = "How many eat with you"

        [[sheet.field]]
        name = "fine"
        kind = "input"
        type = "confirm"
        description = "Whether all is right"
        required = true
        -- exit 0 --
    "#]],
    );
    let home = Home::new();
    home.write("one.csv", ORDER);
    let mut name = "one.csv".to_owned();
    for to in ["toml", "json", "xlsx", "tsv", "csv"] {
        let words = format!("worksheet convert --to {to} {name}");
        let output = home.command(&words).output().expect("it starts");
        name = format!("next.{to}");
        std::fs::write(home.path(&name), output.stdout).expect("a file");
    }
    let show = |name: &str| {
        let words = format!("worksheet show {name}");
        home.seen(&home.command(&words).output().expect("it starts"))
    };
    assert_eq!(show("next.csv"), show("one.csv"));
}

/// A dialogue of two turns: a size is asked for and given, and then nobody goes on.
const TURNS: &str = r#"{"before": {"turn": 0, "records": [], "focus": [], "acts": []}, "after": {"turn": 1, "records": [{"var": "order", "sheet": "Order", "fields": {"size": {"asked": 1}}}], "focus": ["order"], "acts": ["Ask(order, size)"]}}

{"before": {"turn": 1, "records": [{"var": "order", "sheet": "Order", "fields": {"size": {"asked": 1}}}], "focus": ["order"], "acts": ["Ask(order, size)"]}, "after": {"turn": 2, "records": [{"var": "order", "sheet": "Order", "fields": {"size": {"value": "large"}, "guests": {"asked": 1}}}], "focus": ["order"], "acts": ["Ask(order, guests)"]}}
"#;

#[test]
fn recorded_dialogues_are_counted() {
    let home = Home::new();
    home.write("order.csv", ORDER);
    home.write("monday.jsonl", TURNS);
    home.write("tuesday.jsonl", TURNS);
    home.write("bad.jsonl", &format!("{TURNS}{{\"before\": 1}}\n"));
    home.check(
        home.command("worksheet stats order.csv monday.jsonl tuesday.jsonl"),
        "",
        expect![[r#"
            2 dialogues, 4 turns
            Order: begun 2, finished 0, given up 2, failed 0, handed off 0
              field      asked  answered   refused   invalid corrected     stale  given up     human
              size           2         2         .         .         .         .         .         .
              guests         2         .         .         .         .         .         2         .
              fine           .         .         .         .         .         .         .         .
            -- exit 0 --
        "#]],
    );
    let command = home.command("worksheet stats --json order.csv monday.jsonl");
    let output = home.seen(&{ command }.output().expect("it starts"));
    assert!(output.contains("\"given_up\": 1"), "{output}");
    home.check(
        home.command("worksheet stats order.csv bad.jsonl"),
        "",
        expect![[r#"
            -- stderr --
            error: bad.jsonl: line 4: before: a state is an object; expected a turn, {"before": state, "after": state}
            -- exit 1 --
        "#]],
    );
}
