//! What a request asks for is kept: its end, its length, its grammar, its seed.

use super::{ask, model, request};
use crate::support::tools::needs;
use dialog2api::dialogue::format::{read_updates, updates_grammar};
use dialog2api::llm::{Message, Role};

const NUMBERS: &str = "Go on with the sequence, as long as you can.";

#[tokio::test]
async fn the_same_request_has_the_same_answer() {
    needs!(GGUF);
    let (model, mut asked) = (model(), request("You answer briefly.", "Name a colour."));
    let first = ask(&model, &asked).await.unwrap();
    assert!(!first.text.trim().is_empty());
    assert!(first.usage.prompt_tokens > 10 && first.usage.completion_tokens > 0);
    let again = ask(&model, &asked).await.unwrap();
    assert_eq!((again.text, again.finish), (first.text, first.finish));

    asked.temperature = 1.5;
    let warm = ask(&model, &asked).await.unwrap();
    assert_eq!(ask(&model, &asked).await.unwrap().text, warm.text);
    asked.seed = Some(8);
    assert_ne!(ask(&model, &asked).await.unwrap().text, warm.text);
}

#[tokio::test]
async fn an_answer_ends_where_it_should() {
    needs!(GGUF);
    let (model, mut asked) = (model(), request(NUMBERS, "1, 2, 3, 4, 5, 6,"));
    let long = ask(&model, &asked).await.unwrap();
    assert_eq!(long.finish.as_deref(), Some("length"));
    assert_eq!(long.usage.completion_tokens, 24);
    let middle = long.text.len() / 2;
    let middle = (middle..)
        .find(|at| long.text.is_char_boundary(*at))
        .unwrap();
    let stop = &long.text[middle..];
    asked.stop = vec!["never said".to_owned(), stop.to_owned()];
    let short = ask(&model, &asked).await.unwrap();
    assert_eq!(short.finish.as_deref(), Some("stop"));
    assert_eq!(Some(short.text.as_str()), long.text.split(stop).next());
}

#[tokio::test]
async fn a_text_is_gone_on_with() {
    needs!(GGUF);
    let (model, mut asked) = (model(), request("", ""));
    asked.messages = vec![Message {
        role: Role::Text,
        content: "Monday, Tuesday, Wednesday, Thursday,".to_owned(),
    }];
    let answer = ask(&model, &asked).await.unwrap();
    assert!(answer.text.trim_start().starts_with("Friday"), "{answer:?}");
}

#[tokio::test]
async fn an_answer_keeps_its_grammar() {
    needs!(GGUF);
    let (model, mut asked) = (model(), request("You are a poet.", "Write of the sea."));
    asked.grammar = Some("root ::= \"tide\" | \"wave\"".to_owned());
    let answer = ask(&model, &asked).await.unwrap().text;
    assert!(["tide", "wave"].contains(&answer.as_str()), "{answer}");

    // The one of programs: a model of this size does not keep it by itself.
    asked.max_tokens = 200;
    asked.grammar = None;
    let free = ask(&model, &asked).await.unwrap().text;
    assert!(read_updates(&free).is_err(), "{free}");
    asked.grammar = Some(updates_grammar());
    let answer = ask(&model, &asked).await.unwrap();
    assert!(read_updates(&answer.text).is_ok(), "{answer:?}");
    assert!(answer.text.starts_with('<'), "{answer:?}");
}
