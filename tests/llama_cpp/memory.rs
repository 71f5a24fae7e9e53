//! What was read before is not read again, and work that nobody waits for ends.

use super::{ask, model, request};
use crate::support::tools::needs;
use dialog2api::llm::{Model, Progress};
use std::time::Duration;

#[tokio::test]
async fn prompts_of_two_kinds_are_both_remembered() {
    needs!(GGUF);
    let model = model();
    let long = |word: &str| format!("{} Answer in a word.", format!("{word} and ").repeat(60));
    let ask = async |kind: &str, said: &str| {
        let answer = ask(&model, &request(&long(kind), said)).await.unwrap();
        (answer.usage.prompt_tokens, answer.usage.cached_tokens)
    };
    assert_eq!(ask("apples", "Hello!").await.1, 0);
    // The other kind does not take the place of the first.
    ask("pears", "Hello!").await;
    for (kind, said) in [("apples", "Good night!"), ("pears", "Until later, then!")] {
        let (prompt, cached) = ask(kind, said).await;
        assert!(cached > 120 && cached < prompt, "{cached} of {prompt}");
    }
    // Nothing is new but the last token, which has to be read for what follows it.
    let (prompt, cached) = ask("apples", "Good night!").await;
    assert_eq!(cached, prompt - 1);
}

#[tokio::test]
async fn work_that_nobody_waits_for_ends() {
    needs!(GGUF);
    let model = model();
    let mut endless = request("You count.", "Count from one to a thousand, in words.");
    endless.max_tokens = 1900;
    let (heard, mut hear) = tokio::sync::mpsc::unbounded_channel();
    let mut progress = move |progress: Progress<'_>| {
        let _ = heard.send(matches!(progress, Progress::Text(_)));
    };
    tokio::select! {
        _ = model.complete(&endless, &mut progress) => panic!("an end"),
        first = hear.recv() => assert_eq!(first, Some(true)),
    }
    // The thread would have work for minutes.
    let next = request("You answer briefly.", "Name a colour.");
    let answer = tokio::time::timeout(Duration::from_secs(60), ask(&model, &next)).await;
    assert!(!answer.unwrap().unwrap().text.is_empty());
}
