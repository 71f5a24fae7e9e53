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
    for to in ["toml", "json", "tsv", "csv"] {
        let words = format!("worksheet convert --to {to} {name}");
        let output = home.command(&words).output().expect("it starts");
        name = format!("next.{to}");
        home.write(&name, &String::from_utf8(output.stdout).expect("text"));
    }
    let show = |name: &str| {
        let words = format!("worksheet show {name}");
        home.seen(&home.command(&words).output().expect("it starts"))
    };
    assert_eq!(show("next.csv"), show("one.csv"));
}
