//! The model in this process, with a real one: SmolLM2-135M-Instruct (`.ci/run` has it from
//! `tests/requirements-models.txt`; `DIALOG2API_TEST_GGUF` names another file).

#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

#[path = "llama_cpp/answers.rs"]
mod answers;
#[path = "llama_cpp/memory.rs"]
mod memory;
#[path = "llama_cpp/refusals.rs"]
mod refusals;

use dialog2api::Error;
use dialog2api::llm::local::LocalConfig;
use dialog2api::llm::{Completion, LlamaCpp, Message, Model, Progress, Request, Role};
use support::tools::GGUF;

#[path = "support"]
mod support {
    pub mod tools;
}

/// The model's file.
fn file() -> String {
    GGUF.path().display().to_string()
}

/// The model with a small context, and with one thread: tests run side by side.
fn model() -> LlamaCpp {
    let mut config = LocalConfig::new(file());
    config.context = Some(4096);
    config.threads = Some(1);
    LlamaCpp::new(config).expect("a model")
}

/// What a person says, after an instruction.
fn request(system: &str, user: &str) -> Request {
    let message = |role, content: &str| Message {
        role,
        content: content.to_owned(),
    };
    Request {
        messages: vec![message(Role::System, system), message(Role::User, user)],
        max_tokens: 24,
        temperature: 0.0,
        stop: Vec::new(),
        seed: Some(7),
        grammar: None,
    }
}

/// Asks; what is told on the way is the answer.
async fn ask(model: &LlamaCpp, request: &Request) -> Result<Completion, Error> {
    let mut told = String::new();
    let mut hear = |progress: Progress<'_>| match progress {
        Progress::Text(text) => told.push_str(text),
        other => panic!("{other:?}"),
    };
    let completion = model.complete(request, &mut hear).await?;
    assert_eq!(told, completion.text);
    Ok(completion)
}
