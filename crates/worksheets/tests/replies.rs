//! What is wrong with a reply: acts and a reply go in, the findings come out.

use serde_json::{Value as Json, json};
use worksheets::{Act, Format, Performed, State, judge_reply, read};

const CSV: &str = "\
WS Name,Kind,Type,Name
Order,task,order(self.size),
,input,str,size
,input,int,count
inns,kb,,
,internal; primary,str,name
";

/// The findings of a reply to acts, with an order, and what was found.
fn found(acts: &[&str], rows: Json, reply: &str) -> String {
    let csv = CSV.replace("task,order(self.size),", "task,,order(self.size)");
    let sheets = read(csv.as_bytes(), Format::Csv).unwrap();
    let state = State::of(&json!({"turn": 1, "records": [
        {"var": "order", "sheet": "Order", "status": "done", "result": {"id": "P1", "is_new": true},
         "fields": {"size": {"value": "Large"}, "count": {"value": 2}}},
        {"var": "answer_1", "question": "a romantic inn", "status": "done", "tables": ["inns"],
         "rows": rows, "total": 1},
    ]}));
    let acts: Vec<Performed> = acts
        .iter()
        .map(|act| Performed {
            act: Act::parse(act).unwrap(),
            reason: None,
        })
        .collect();
    judge_reply(reply, &sheets, &state.unwrap(), &acts).join("; ")
}

#[track_caller]
fn judged(acts: &[&str], replies: &[(&str, &str)]) {
    let rows = json!([{"name": "The Rose Garden", "phone": null, "is_open": true}]);
    for (reply, wanted) in replies {
        assert_eq!(found(acts, rows.clone(), reply), *wanted, "{reply}");
    }
}

#[test]
fn a_row_that_was_found_is_spoken_of() {
    let lacks = "the reply says nothing of what was found for \"a romantic inn\": \
                 {\"name\":\"The Rose Garden\",\"phone\":null,\"is_open\":true}";
    judged(
        &["Report(answer_1)"],
        &[
            ("There is The Rose Garden.", ""),
            ("The Rose is one.", ""),
            ("I found a lovely place.", lacks),
        ],
    );
}

#[test]
fn an_empty_result_is_denied() {
    let lacks = "the reply does not say that nothing was found for \"a romantic inn\"";
    for (reply, wanted) in [
        ("I found no romantic inn.", ""),
        ("There isn't any.", ""),
        ("Leider habe ich nichts gefunden.", ""),
        ("I found a lovely place for you.", lacks),
    ] {
        assert_eq!(found(&["Report(answer_1)"], json!([]), reply), wanted);
    }
}

/// A document is told in other words.
#[test]
fn of_prose_a_word_is_enough() {
    let rows = json!([{"answer": "All pizzas have gluten. There are no nuts in the kitchen."}]);
    let judge = |reply| found(&["Report(answer_1)"], rows.clone(), reply);
    assert_eq!(judge("None of the pizzas has any."), "");
    assert!(judge("I have looked.").starts_with("the reply says nothing of what was found"));
}

#[test]
fn what_was_done_is_spoken_of() {
    judged(
        &["Report(order)"],
        &[
            ("Your large ones are ordered.", ""),
            ("It has the number P1.", ""),
            ("Lovely.", "the reply says nothing of order"),
        ],
    );
}

#[test]
fn names_and_numbers_of_what_is_said_are_kept() {
    let say = "Say(\"Please ask Doctor Miller in room 12. She is there until 17:30.\")";
    judged(
        &[say],
        &[
            (
                "Doctor Miller can tell you, in room 12, until half past five, 17:30.",
                "",
            ),
            (
                "Miller, room twelve, until 5:30 pm.",
                "the reply is to say \"Please ask Doctor Miller in \
              room 12. She is there until 17:30.\", and lacks Doctor",
            ),
            (
                "Please ask somebody.",
                "the reply is to say \"Please ask Doctor Miller in room 12. She \
              is there until 17:30.\", and lacks Doctor, Miller, 12, 17:30",
            ),
        ],
    );
}

#[test]
fn what_is_confirmed_or_proposed_is_shown() {
    let confirm = "the reply asks whether a value is right, and lacks it: \"Large\"";
    judged(
        &["Confirm(order, size)"],
        &[("Large, is that right?", ""), ("Is that right?", confirm)],
    );
    judged(
        &["Propose(order)"],
        &[
            ("Shall I order two large ones?", ""),
            (
                "Two?",
                "the reply lacks of what it proposes: size \"Large\"",
            ),
        ],
    );
}

#[test]
fn nothing_is_asked_without_a_question() {
    let asks = |what: &str| format!("the reply asks a question, and none is to be asked: {what}");
    let bill = asks("Shall I also send you a bill");
    judged(
        &[],
        &[
            ("Shall I also send you a bill? Your order is placed.", &bill),
            ("You are welcome. Can I help you with anything else?", ""),
            ("Gern geschehen! Kann ich sonst noch etwas tun?", ""),
            ("It stands at https://inns.example/list?town=york.", ""),
        ],
    );
    judged(
        &["Say(\"Who sang it?\")"],
        &[("Here it comes: who sang it?", "")],
    );
    judged(
        &["Handoff(\"the user wishes it\")"],
        &[(
            "Anything else?",
            "the reply asks a question, and a human takes over",
        )],
    );
    judged(
        &["Ask(order, count)"],
        &[
            ("How many?", ""),
            (
                "Tell me how many.",
                "the reply asks no question, and one is to be asked",
            ),
        ],
    );
}
