//! Servers that cut prompts to their context: those that say nothing, and those that break.

use super::providers::{Provider, told};
use super::{request, watch};
use crate::support::scripted_http::{Server, response};
use dialog2api::llm::{CutPrompt, Usage};
use expect_test::expect;

/// What a count of tokens says about a prompt.
fn seen(prompt: &str, prompt_tokens: u64) -> String {
    let usage = Usage {
        prompt_tokens,
        ..Usage::default()
    };
    match CutPrompt::of(&request(prompt), &usage) {
        None => format!("{prompt_tokens}: whole\n"),
        Some(cut) => format!("{prompt_tokens}: {cut}\n"),
    }
}

#[test]
fn a_prompt_that_was_read_in_part_is_told_by_the_count() {
    // 40,000 letters: 8 and more in a token are too many.
    let prose = "word ".repeat(8000);
    let text: String = [2048, 4096, 4999, 5000, 9000]
        .map(|tokens| seen(&prose, tokens))
        .concat();
    expect![[r#"
        2048: The model's server read 2048 tokens of a prompt of about 10000: it cut the prompt without an error, and the model does not know all of it; please give the server a longer context (OLLAMA_CONTEXT_LENGTH=16384, `num_ctx`, llama-server -c 16384), or keep prompts shorter with --budget.
        4096: The model's server read 4096 tokens of a prompt of about 10000: it cut the prompt without an error, and the model does not know all of it; please give the server a longer context (OLLAMA_CONTEXT_LENGTH=16384, `num_ctx`, llama-server -c 16384), or keep prompts shorter with --budget.
        4999: The model's server read 4999 tokens of a prompt of about 10000: it cut the prompt without an error, and the model does not know all of it; please give the server a longer context (OLLAMA_CONTEXT_LENGTH=16384, `num_ctx`, llama-server -c 16384), or keep prompts shorter with --budget.
        5000: whole
        9000: whole
    "#]].assert_eq(&text);
}

#[test]
fn a_count_that_proves_nothing_is_not_held_against_the_server() {
    let prose = "word ".repeat(8000);
    // No count, and counts without what was in a cache.
    assert_eq!(seen(&prose, 0), "0: whole\n");
    assert_eq!(seen(&prose, 999), "999: whole\n");
    // Blanks and rules in a row are few tokens, and letters of other scripts have several bytes.
    let table = format!("{}{}\n", "-".repeat(80), " ".repeat(80)).repeat(400);
    assert_eq!(seen(&table, 1200), "1200: whole\n");
    let hindi = "नमस्ते ".repeat(1000);
    assert_eq!(seen(&hindi, 1500), "1500: whole\n");
}

#[tokio::test]
async fn a_server_that_cut_the_user_away_is_not_asked_the_same_again() {
    let lost = r#"{"error":{"message":"no user query found in messages","type":"api_error"}}"#;
    let server = Server::start(vec![response("500 Internal Server Error", lost)]).await;
    let provider = Provider::OpenAi;
    let model = provider.model(server.address, |_| {});
    let seen = watch(&*model, &request("hello")).await;
    expect![[r#"
        == openai
        error: BASE refuses the request (500): no user query found in messages. Start the server with a longer context (llama-server -c 16384, OLLAMA_CONTEXT_LENGTH=16384) or use a model with one
    "#]].assert_eq(&told(provider, &seen, server.address));
}
