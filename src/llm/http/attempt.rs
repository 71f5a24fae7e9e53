//! Repeats one request until there is an answer or a retry is useless.

use super::{Backoff, Failure};
use crate::error::{Error, Result};
use crate::llm::{Completion, CutOffKind, Progress, Request};
use async_trait::async_trait;
use std::time::Duration;

/// One try of a request, over any transport.
#[async_trait]
pub(in crate::llm) trait Attempt: Send + Sync {
    /// Sends the request once, and passes text on to `say` as it arrives. If it returns
    /// [`Failure::Dialect`], the next try will send a different request.
    async fn attempt(
        &self,
        request: &Request,
        say: &mut (dyn for<'t> FnMut(&'t str) + Send),
    ) -> Result<Completion, Failure>;
}

/// How often and for how long a request is tried.
#[derive(Debug, Clone, Copy)]
pub(in crate::llm) struct Patience<'a> {
    /// The server's name in messages.
    pub server: &'a str,
    /// When to retry.
    pub backoff: &'a Backoff,
    /// The limit for all tries and waits together.
    pub total: Duration,
}

/// Tries until `patience` ends. Dropping the future ends the request.
///
/// # Errors
/// [`Error::unanswered`] if the server does not answer, else [`Error::model`] or
/// [`Error::prompt_too_long`], with a sentence that says what to do.
pub(in crate::llm) async fn attempt_until_answered(
    asking: &dyn Attempt,
    request: &Request,
    progress: &mut (dyn for<'p> FnMut(Progress<'p>) + Send),
    patience: Patience<'_>,
) -> Result<Completion> {
    let total = patience.total;
    match tokio::time::timeout(total, ask(asking, request, progress, patience)).await {
        Ok(result) => result,
        Err(_) => Err(Error::unanswered(format!(
            "{} had no whole answer after {total:?}; a slow server needs a longer `total_timeout_s` under [model] in the config file",
            patience.server
        ))),
    }
}

async fn ask(
    asking: &dyn Attempt,
    request: &Request,
    progress: &mut (dyn for<'p> FnMut(Progress<'p>) + Send),
    patience: Patience<'_>,
) -> Result<Completion> {
    let backoff = patience.backoff;
    let mut attempt = 1;
    loop {
        let mut spoke = false;
        let mut say = |text: &str| {
            spoke = true;
            progress(Progress::Text(text));
        };
        let (reason, asked, hint, is_of_server) = match asking.attempt(request, &mut say).await {
            Ok(completion) => match completion.cut_off(request.max_tokens) {
                // The stream did not break, but the answer did.
                Some(cut_off) if cut_off.kind == CutOffKind::BrokenOff => {
                    let server = patience.server;
                    (
                        format!("{server} broke off its answer: {cut_off}"),
                        None,
                        None,
                        false,
                    )
                }
                _ => return Ok(completion),
            },
            Err(Failure::Final(reason)) => return Err(Error::model(reason)),
            Err(Failure::PromptTooLong(reason)) => return Err(Error::prompt_too_long(reason)),
            Err(Failure::Passing {
                reason,
                asked,
                hint,
            }) => (reason, asked, hint, true),
            Err(Failure::Dialect(_)) => continue,
        };
        let Some(delay) = backoff.delay(attempt, asked) else {
            let mut reason = give_up(reason, attempt, asked, backoff);
            if let Some(hint) = hint {
                reason.push_str(". ");
                reason.push_str(&hint);
            }
            return Err(match is_of_server {
                true => Error::unanswered(reason),
                false => Error::model(reason),
            });
        };
        if spoke {
            progress(Progress::Restart);
        }
        progress(Progress::Waiting {
            delay,
            attempt,
            reason: &reason,
        });
        tokio::time::sleep(delay).await;
        attempt += 1;
    }
}

fn give_up(reason: String, attempts: u32, asked: Option<Duration>, backoff: &Backoff) -> String {
    match asked {
        Some(asked) if asked > backoff.longest => {
            format!("{reason}; it asks to come back in {asked:?}")
        }
        _ if attempts == 1 => reason,
        _ => format!("{reason} (tried {attempts} times)"),
    }
}
