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
        "worksheet check /dev/null",
        expect![[r#"
        -- stderr --
        error: /dev/null: the form of sheets is told by the end of the name: csv, tsv, toml, xlsx, json
        -- exit 2 --
    "#]],
    );
    check(
        ORDER,
        "worksheet check order",
        expect![[r#"
        -- stderr --
        error: cannot read order: No such file or directory (os error 2)
        -- exit 1 --
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

/// Two turns, in which a size is given and the order is said to be right.
const SMALL: &str = r#"<conversation uid="small" goal="a small pizza" world="start">
<turns>
<turn>Agent: Which size?</turn>
<turn>User: A small one.</turn>
<goal uid="1" status="final">
<program>
Order(size="small")
</program>
<result>{"acts":["Ask(order, fine)"]}</result>
<error/>
</goal>
<turn>Agent: A small pizza, is that right?</turn>
<turn>User: Yes.</turn>
<goal uid="2" status="final">
<program>
order.fine = True
</program>
<result>{"acts":[]}</result>
<error/>
</goal>
<turn>Agent: Done.</turn>
</turns>
</conversation>
"#;

/// Plays a folder with one dialogue again.
fn replay(dialogue: &str, words: &str, expected: Expect) -> Home {
    let home = Home::new();
    std::fs::create_dir_all(home.path("pizza/tests")).expect("a folder");
    home.write("pizza/worksheets.csv", ORDER);
    if !dialogue.is_empty() {
        home.write("pizza/tests/small.xml", dialogue);
    }
    home.check(home.command(words), "", expected);
    home
}

#[test]
fn recorded_dialogues_are_played_again() {
    let home = replay(
        SMALL,
        "worksheet test pizza --html page.html",
        expect![[r#"
            1 dialogue, 2 turns, 0 go otherwise
            3 of 10 cells reached
            Order.size: never asked
            Order.size: never refused
            Order.size: never corrected
            Order.guests: never true
            Order.guests: never asked
            Order.guests: never refused
            Order.guests: never corrected
            -- exit 0 --
        "#]],
    );
    let page = home.read("page.html");
    assert!(page.contains("<p>3 of 10 cells reached</p>"), "{page}");
    replay(
        &SMALL.replace("size=\"small\"", "size=\"large\""),
        "worksheet test pizza",
        expect![[r#"
            1 dialogue, 2 turns, 3 go otherwise
            small, turn 1: it comes to {"acts":["Ask(order, guests)"]}, recorded is {"acts":["Ask(order, fine)"]}
            small, turn 2: it comes to {"acts":["Ask(order, guests) [again]"]}, recorded is {"acts":[]}
            small, turn 2: the reply asks no question, and one is to be asked
            3 of 10 cells reached
            Order.size: never asked
            Order.size: never refused
            Order.size: never corrected
            Order.guests: never false
            Order.guests: never refused
            Order.guests: never corrected
            Order.fine: never asked
            -- exit 3 --
        "#]],
    );
    replay(
        "",
        "worksheet test pizza",
        expect![[r#"
            -- stderr --
            error: pizza has no dialogues: examples/*.xml, tests/*.xml
            -- exit 2 --
        "#]],
    );
    replay(
        &SMALL.replace("</program>", ""),
        "worksheet test pizza",
        expect![[r#"
            -- stderr --
            error: pizza/tests/small.xml: line 6: <program> has no </program>
            -- exit 1 --
        "#]],
    );
}

/// What `worksheet check` finds stops what would play the sheets.
#[test]
fn sheets_with_errors_are_not_played() {
    let home = Home::new();
    std::fs::create_dir_all(home.path("pizza/tests")).expect("a folder");
    home.write("pizza/tests/small.xml", SMALL);
    home.write(
        "pizza/worksheets.csv",
        &ORDER.replace("int,guests", "number,guests"),
    );
    let seen = |words: &str| home.seen(&home.command(words).output().expect("it starts"));
    let found = seen("worksheet check pizza");
    assert!(found.starts_with("error[unknown-type] line 4"), "{found}");
    assert_eq!(seen("worksheet test pizza"), found);
    assert_eq!(seen("worksheet simulate pizza"), found);
    let found = seen("worksheet check --json pizza");
    assert_eq!(seen("worksheet test --json pizza"), found);
    home.write("pizza/worksheets.csv", "WS Name,Colour\n");
    let found = seen("worksheet check pizza");
    assert!(found.starts_with("error[unknown-header]"), "{found}");
    assert_eq!(seen("worksheet test pizza"), found);
}

/// Sheets with a table that its owner has misspelt.
#[test]
fn a_file_of_no_sheet_is_refused_by_every_command() {
    let home = Home::new();
    let made = home.command("domain new pizza --worksheets").output();
    assert!(made.expect("it starts").status.success());
    home.write("pizza/kb/hose.md", "# Parking\n\nBehind the house.\n");
    for words in [
        "worksheet test ./pizza",
        "chat --domain ./pizza --model script:x",
    ] {
        home.check(
            home.command(words),
            "",
            expect![[r#"
                -- stderr --
                error: ./pizza/kb/hose.md: there is no kb sheet hose for this file, but house
                -- exit 1 --
            "#]],
        );
    }
    home.check(
        home.command("domain check pizza"),
        "",
        expect![[r#"
            kb/hose.md: there is no kb sheet hose for this file, but house
            1 finding
            -- exit 3 --
        "#]],
    );
    home.check(
        home.command("worksheet check pizza"),
        "",
        expect![[r#"
            error[unknown-table] kb/hose.md: there is no kb sheet hose for this file, but house
            -- exit 3 --
        "#]],
    );
}

#[test]
fn a_row_that_does_not_fit_is_told_with_its_file() {
    let home = Home::new();
    let made = home.command("domain new pizza --worksheets").output();
    assert!(made.expect("it starts").status.success());
    let sheets = std::fs::read_to_string(home.path("pizza/worksheets.csv")).expect("a file");
    let table = ",shops,,kb,,,,Where pizzas are put aside,,,,,,\n\
                 ,,,,str,street,,,,,,,,\n\
                 ,,,,int,seats,,,,,,,,\n";
    home.write("pizza/worksheets.csv", &(sheets + table));
    home.write(
        "pizza/kb/shops.csv",
        "street,seats\nHill Road,12\nLow Lane,many\n",
    );
    home.check(
        home.command("worksheet check pizza"),
        "",
        expect![[r#"
            warning[no-primary] line 12, cell B12, shops: the table has no key; write `internal; primary` at one field
            error[bad-value] cell row 2, seats, kb/shops.csv: the value does not fit: not an integer
            -- exit 3 --
        "#]],
    );
    home.check(
        home.command("domain check pizza"),
        "",
        expect![[r#"
            kb/shops.csv: error[bad-value] cell row 2, seats, shops: the value does not fit: not an integer
            1 finding
            -- exit 3 --
        "#]],
    );
    for words in [
        "worksheet test ./pizza",
        "chat --domain ./pizza --model script:x",
    ] {
        home.check(
            home.command(words),
            "",
            expect![[r#"
                -- stderr --
                error: ./pizza/kb/shops.csv: error[bad-value] cell row 2, seats, shops: the value does not fit: not an integer
                -- exit 1 --
            "#]],
        );
    }
}

/// What sheets and recorded programs call, and the folder has no function for.
#[test]
fn calls_of_functions_that_the_folder_lacks_are_found() {
    let home = Home::new();
    let made = home.command("domain new pizza --worksheets").output();
    assert!(made.expect("it starts").status.success());
    let replace = |file: &str, from: &str, to: &str| {
        let text = home.read(file);
        assert!(text.contains(from), "{file} has no {from:?}");
        home.write(file, &text.replace(from, to));
    };
    let sheets = "pizza/worksheets.csv";
    replace(sheets, "\"place_order(", "\"place_ordr(");
    let greeted = "put aside for,,TRUE,,greet(self.name),,";
    replace(sheets, "put aside for,,TRUE,,,,", greeted);
    replace("pizza/examples/order.xml", "Order(count", "Oder(count");
    let world = home.read("pizza/world.py");
    let greeting = format!("{world}\n\ndef greet(state, name):\n    return name\n");
    home.write("pizza/world.py", &greeting);
    home.check(
        home.command("worksheet check pizza"),
        "",
        expect![[r#"
            error[unknown-call] line 2, cell F2, Order: world.py has no function place_ordr, but place_order, greet
            error[unknown-call] line 7, cell L7, Order.name: api.pyi lacks greet, so that no sheet can call it
            error[unknown-call] line 7, examples/order.xml: the program calls Oder, which is neither a sheet nor a function of programs; the functions of the folder are called by sheets
            -- exit 3 --
        "#]],
    );
    replace("pizza/examples/order.xml", "Oder(count", "Order(count");
    replace(sheets, "greet(self.name)", "");
    home.check(
        home.command("worksheet check --json pizza"),
        "",
        expect![[r#"
            {
              "problems": [
                {
                  "rule": "unknown-call",
                  "severity": "error",
                  "place": "Order",
                  "line": 2,
                  "cell": "F2",
                  "message": "world.py has no function place_ordr, but place_order, greet"
                }
              ]
            }
            -- exit 3 --
        "#]],
    );
    replace(sheets, "place_ordr(", "place_order(");
    home.check(
        home.command("worksheet check pizza"),
        "",
        expect![[r#"
            nothing is wrong
            -- exit 0 --
        "#]],
    );
    std::fs::remove_file(home.path("pizza/world.py")).expect("a file");
    home.check(
        home.command("worksheet check pizza"),
        "",
        expect![[r#"
            error[unknown-call] line 2, cell F2, Order: place_order is called, and the folder has no world.py: write one that defines it
            -- exit 3 --
        "#]],
    );
    home.check(
        home.command("domain check pizza"),
        "",
        expect![[r#"
            world.py: cannot read: No such file or directory (os error 2)
            worksheets.csv:2: Order: place_order is called, and the folder has no world.py: write one that defines it
            2 findings
            -- exit 3 --
        "#]],
    );
}
