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
    check(ORDER, "worksheet check pizza", expect![[r#""#]]);
    check(ORDER, "worksheet show pizza", expect![[r#""#]]);
}

#[test]
fn what_is_wrong_is_said_with_its_cell() {
    let wrong = ORDER.replace("int,guests", "number,guests");
    check(&wrong, "worksheet check pizza", expect![[r#""#]]);
    check(&wrong, "worksheet check --json pizza", expect![[r#""#]]);
    check(
        "WS Name,Colour\u{1b}[2J\n",
        "worksheet check pizza/worksheets.csv",
        expect![[r#""#]],
    );
    check(ORDER, "worksheet check .", expect![[r#""#]]);
    check(ORDER, "worksheet check order.ods", expect![[r#""#]]);
}

#[test]
fn sheets_are_converted_and_come_back() {
    check(ORDER, "worksheet convert --to toml pizza", expect![[r#""#]]);
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
