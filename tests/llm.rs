//! Models: the clients of the providers against scripted servers, recordings, prices, and
//! the choice of a model.

mod anthropic;
mod bedrock;
mod choice;
mod choice_cloud;
mod cut_off;
mod cut_prompts;
mod failures;
mod openai;
mod prices;
mod providers;
mod recordings;
mod refusals;
mod secrets;

use dialog2api::llm::{Completion, Message, Model, Progress, Request, Role};

/// A request with one user message.
fn request(content: &str) -> Request {
    Request {
        messages: vec![message(Role::User, content)],
        max_tokens: 64,
        temperature: 0.0,
        stop: Vec::new(),
        seed: None,
        grammar: None,
    }
}

fn message(role: Role, content: &str) -> Message {
    Message {
        role,
        content: content.to_owned(),
    }
}

/// What a person would see of a completion, a line each.
async fn watch(model: &dyn Model, request: &Request) -> String {
    let mut seen = String::new();
    let mut progress = |progress: Progress<'_>| {
        seen.push_str(&match progress {
            Progress::Text(text) => format!("text {text:?}\n"),
            Progress::Restart => "restart\n".to_owned(),
            Progress::Waiting {
                delay,
                attempt,
                reason,
            } => format!("wait {delay:?} after try {attempt}: {reason}\n"),
        });
    };
    let result = model.complete(request, &mut progress).await;
    seen.push_str(&match result {
        Ok(completion) => describe(&completion),
        Err(error) => format!("error: {error}"),
    });
    seen
}

fn describe(completion: &Completion) -> String {
    let Completion {
        text,
        finish,
        usage,
    } = completion;
    format!(
        "answer {text:?}, finish {}, tokens {} ({} cached) + {}",
        finish.as_deref().unwrap_or("unknown"),
        usage.prompt_tokens,
        usage.cached_tokens,
        usage.completion_tokens
    )
}
