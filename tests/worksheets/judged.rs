//! Questions about texts: the model reads them, and no words are compared.

use super::lab::Lab;
use std::path::Path;

/// The pizzeria with a table of rooms, which are described in words.
fn rooms() -> Lab {
    let lab = Lab::new();
    let sheets = lab.path().join("worksheets.csv");
    let mut text = std::fs::read_to_string(&sheets).unwrap();
    text += ",rooms,,kb,,,,,,,,,,\n,,,internal; primary,str,id,,,,,,,,\n\
             ,,,internal,text,about,,,,,,,,\n";
    std::fs::write(&sheets, text).unwrap();
    write(
        &lab.path().join("kb/rooms.csv"),
        "id,about\nhall,It is not romantic at all.\nnook,Cosy with candlelight.\n",
    );
    lab
}

fn write(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap();
}

const ASK: &str = "answer(\"which room is romantic?\")";
const SQL: &str = "SELECT id FROM rooms WHERE answer(about, 'is it romantic?') = 'Yes'";

/// The ids of the rows that were found, or the error.
fn found(outcome: &str) -> String {
    let outcome: serde_json::Value = serde_json::from_str(outcome).unwrap();
    let query = &outcome["queries"][0];
    match query["error"].as_str() {
        Some(error) => error.to_owned(),
        None => query["rows"].to_string(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_model_judges_each_text_once() {
    let lab = rooms();
    let answers = [
        ASK,
        SQL,
        "No",
        "Yes",
        "The nook. Which size?",
        ASK,
        SQL,
        "The nook, again. Which size?",
    ];
    let mut talk = lab.open(&answers).await;
    talk.say("which room is romantic?").await;
    // The text that has the word is judged first; it is the other one that says so.
    assert_eq!(found(&talk.outcome()), r#"[{"id":"nook"}]"#);
    let requests = talk.requests();
    assert!(requests[2].contains("It is not romantic at all."));
    assert!(requests[3].contains("Cosy with candlelight."));
    talk.say("and once more?").await;
    let requests = talk.requests();
    assert_eq!(requests.len(), 8, "no text is judged again: {requests:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_judgement_that_cannot_be_read_is_no_no() {
    let lab = rooms();
    let answers = [ASK, SQL, "Perhaps", SQL, "I cannot tell. Which size?"];
    let mut talk = lab.open(&answers).await;
    talk.say("which room is romantic?").await;
    assert_eq!(
        found(&talk.outcome()),
        "nobody can tell from the answer \"Perhaps\" whether this holds: is it romantic?"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_model_answers_from_documents() {
    let lab = Lab::new();
    let answers = [
        "answer(\"can I park there?\")",
        "answer(house, 'where is the parking?')",
        "Behind the house.",
        "You can park behind the house. Which size?",
    ];
    let mut talk = lab.open(&answers).await;
    talk.say("can I park there?").await;
    assert_eq!(
        found(&talk.outcome()),
        r#"[{"answer":"Behind the house.","source":["Parking"]}]"#
    );
}
