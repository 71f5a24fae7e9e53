//! What the owner of worksheets sees of them: the page, a user without a model, where people stop,
//! and lessons.

use crate::cli::support::Home;
use expect_test::{Expect, expect};
use serde_json::Value as Json;

/// The folder `pizza` that `domain new --worksheets` makes.
fn pizza() -> Home {
    let home = Home::new();
    let made = home.command("domain new pizza --worksheets").output();
    assert!(made.expect("it starts").status.success());
    home
}

fn printed(home: &Home, words: &str) -> String {
    let output = home.ready(words).output().expect("it starts");
    assert!(output.status.success(), "{words}: {}", home.seen(&output));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn sheets_are_a_page_with_an_arrow_for_each_dependence() {
    let home = pizza();
    let sheets = home.read("pizza/worksheets.csv");
    let depends = ",,self.size == 'Large',input,text,note";
    home.write(
        "pizza/worksheets.csv",
        &sheets.replace(",,,input,text,note", depends),
    );
    home.check(
        home.command("worksheet show pizza --html page.html"),
        "",
        expect![[r#"
            -- exit 0 --
        "#]],
    );
    let page = home.read("page.html");
    assert!(page.contains("├─ size: one of Small / Large"), "{page}");
    let arrow = "<title>Order.note: if self.size == &#39;Large&#39;</title>";
    let arrow = arrow.replace("&#39;", "'");
    assert_eq!(page.matches(&arrow).count(), 1, "{page}");
    assert_eq!(page.matches("marker-end").count(), 1, "{page}");
}

#[test]
fn a_user_without_a_model_plays_dialogues() {
    let home = pizza();
    let seen = printed(&home, "worksheet simulate pizza --dialogues 200 --seed 7");
    let head = seen.lines().next().unwrap_or_default();
    assert!(
        head.starts_with("200 dialogues, ") && head.ends_with("0 times broken"),
        "{seen}"
    );
    assert_eq!(
        printed(&home, "worksheet simulate pizza --dialogues 200 --seed 7"),
        seen
    );
    let one = printed(&home, "worksheet simulate pizza --dialogues 1 --seed 27");
    assert!(one.starts_with("1. the user "), "{one}");
    let sheets = home.read("pizza/worksheets.csv");
    let wrong = sheets.replace("input,int,count", "input,number,count");
    home.write("pizza/worksheets.csv", &wrong);
    home.check(
        home.command("worksheet simulate pizza"),
        "",
        expect![[r#"
            error[unknown-type] line 6, cell E6, Order.count: there is no type number; it is str, text, int, float, bool, date, time, Enum, confirm, List[…] or a sheet's name
            -- exit 3 --
        "#]],
    );
    home.check(
        home.command("worksheet simulate pizza --dialogues 0"),
        "",
        expect![[r#"
            -- stderr --
            error: invalid value '0' for '--dialogues <COUNT>': 0 is not in 1..=1000000

            For more information, try '--help'.
            -- exit 2 --
        "#]],
    );
}

#[test]
fn where_people_stop_is_read_from_sessions() {
    let home = pizza();
    home.write(
        "answers.txt",
        "Order(count=2)\n---\nSmall or large ones?\n---\norder.size = NA\n---\nWhich size?\n---\n\
         exitws(order)\n---\nAll right.\n",
    );
    home.write("said.txt", "two\nany\nforget it\n");
    let chat = "chat --domain ./pizza --session ada --model script:answers.txt --script said.txt";
    printed(&home, chat);
    home.check(
        home.command("worksheet stats pizza --session ada"),
        "",
        expect![[r#"
            1 dialogue, 3 turns
            Order: begun 1, finished 0, given up 1, failed 0, handed off 0
              field       asked  answered   refused   invalid corrected     stale  given up     human
              size            2         .         1         .         .         .         1         .
              count           .         1         .         .         .         .         .         .
              name            .         .         .         .         .         .         .         .
              note            .         .         .         .         .         .         .         .
              confirm         .         .         .         .         .         .         .         .
            -- exit 0 --
        "#]],
    );
    home.check(
        home.command("worksheet stats pizza --session bob"),
        "",
        expect![[r#"
            -- stderr --
            error: there is no session bob; `dialog2api session list` names those there are
            -- exit 2 --
        "#]],
    );
    home.check(
        home.command("worksheet stats pizza"),
        "",
        expect![[r#"
            -- stderr --
            error: the following required arguments were not provided:
              <TURNS>...

            Usage: dialog2api worksheet stats <PATH> <TURNS>...

            For more information, try '--help'.
            -- exit 2 --
        "#]],
    );
}

/// The messages of each lesson.
fn lessons(home: &Home, words: &str) -> Vec<Vec<String>> {
    let lines = printed(home, words);
    let lessons = lines.lines().map(|line| {
        let lesson: Json = serde_json::from_str(line).expect("JSON");
        let messages = lesson["messages"].as_array().expect("messages").iter();
        let texts = messages.map(|it| it["content"].as_str().expect("a text").to_owned());
        texts.collect()
    });
    lessons.collect()
}

#[test]
fn lessons_are_what_the_agent_asks_a_model() {
    let home = pizza();
    printed(
        &home,
        "dataset annotate --domain ./pizza --write pizza/examples",
    );
    let recorded = lessons(&home, "dataset export --domain ./pizza --format trained");
    assert_eq!(recorded.len(), 5);
    assert!(recorded.iter().all(|lesson| lesson.len() == 5));
    let [system, asked, program, acts, reply] = &recorded[1][..] else {
        panic!("five messages")
    };
    assert!(system.starts_with("You help a user to fill in forms."));
    expect![[r##"
        # open
        order = Order(count=3)
        # asked
        answer_1 = answer("When does the kitchen close?")
        answer_1.result = [{"answer": "The kitchen is open from 17:00 to 23:00, on Sundays until 22:00.", "source": ["Opening hours"]}]

        # Your last acts
        Report(answer_1): "When does the kitchen close?", rows 1 to 1 of 1:
           {"answer":"The kitchen is open from 17:00 to 23:00, on Sundays until 22:00.","source":["Opening hours"]}
        Ask(order, size): Which size the pizzas are to have. options: Small, Large

        You said: The kitchen is open from 17:00 to 23:00, on Sundays until 22:00. Would you like small or large pizzas?
        The user says: large ones, for Ada

        The program:
        --
        order.size = "Large"
        order.name = "Ada"
        --
        The forms now:
        # open
        order = Order(size="Large", count=3, name="Ada")
        # asked
        answer_1 = answer("When does the kitchen close?")
        answer_1.result = [{"answer": "The kitchen is open from 17:00 to 23:00, on Sundays until 22:00.", "source": ["Opening hours"]}]

        Your acts:
        1. Ask(order, confirm): Whether the order is right as it is. all values, each to be shown:
           size: Large
           count: 3
           name: Ada

        The words for the user:
        --
        3 large pizzas, put aside for Ada: is that right?"##]].assert_eq(&format!("{asked}\n--\n{program}\n--\n{acts}\n--\n{reply}"));
    let chat = lessons(&home, "dataset export --domain ./pizza --format chat");
    assert_eq!(chat, recorded);
    // Formal queries are not shown.
    assert!(recorded.iter().all(|lesson| !lesson[2].contains("sql=")));
    let looks_up = recorded.iter().find(|lesson| lesson[2].contains("answer("));
    assert!(looks_up.is_some());
}

#[test]
fn simulated_dialogues_are_lessons() {
    let home = pizza();
    let words = "dataset export --domain ./pizza --format trained --simulated 30 --seed 5";
    let simulated = lessons(&home, words);
    assert_eq!(lessons(&home, words), simulated);
    assert!(simulated.len() > 100, "{}", simulated.len());
    // Where the user asks to hear the last words again, no reply is learned.
    let is_repeat = |lesson: &[String]| lesson.len() == 3 && lesson[2] == "repeat()";
    let is_whole = |lesson: &Vec<String>| lesson.len() == 5 || is_repeat(lesson);
    assert!(simulated.iter().all(is_whole));
    let programs: Vec<&str> = simulated.iter().map(|lesson| lesson[2].as_str()).collect();
    for known in [
        "order.confirm = True",
        "raise EndDialog()",
        "order.size = \"Large\"",
        "order.size = NA",
    ] {
        assert!(programs.contains(&known), "{known}: {programs:?}");
    }
    let is_said = |lesson: &&Vec<String>| lesson[2] == "order.size = \"Large\"";
    let said = simulated.iter().find(is_said).expect("a size");
    assert!(said[1].contains("Large"), "{}", said[1]);
}

fn refused(home: &Home, words: &str, expected: Expect) {
    home.check(home.command(words), "", expected);
}

#[test]
fn only_worksheets_are_simulated() {
    let home = pizza();
    refused(
        &home,
        "dataset export --simulated 2 --format trained",
        expect![[r#"
            -- stderr --
            error: only a domain with worksheets has a user without a model, and s3 is none
            -- exit 2 --
        "#]],
    );
    refused(
        &home,
        "dataset export --simulated 2 --domain ./pizza",
        expect![[r#"
            -- stderr --
            error: --simulated is for --format chat and trained
            -- exit 2 --
        "#]],
    );
}
