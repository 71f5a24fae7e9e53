//! `dialog2api model test`: sends one short request.

use super::offer::{Offer, choice, opened};
use crate::cli::Exit;
use crate::cli::chat::lines::Lines;
use crate::cli::options::ModelOptions;
use crate::cli::progress::Spinner;
use crate::cli::terminal::{self, clean};
use crate::domain::Domain;
use crate::error::Result;
use crate::llm::{Message, Model, Progress, Request, Role};
use clap::Args;
use std::time::{Duration, Instant};

/// The command's options.
#[derive(Debug, Args)]
pub struct TestArgs {
    /// The model, in the form of --model [default: the model that chat would use]
    #[arg(value_name = "MODEL", conflicts_with = "model")]
    named: Option<String>,

    #[command(flatten)]
    model: ModelOptions,

    /// If no model is configured, use or set up one on this machine without asking
    #[arg(long)]
    yes: bool,
}

/// Asks for a few words and prints how long they took.
pub async fn test(args: &TestArgs, domain: &Domain, quiet: bool) -> Result<Exit> {
    let mut spec = args.model.spec();
    spec.model = args.named.clone().or(spec.model);
    let mut lines = Lines::of_person()?;
    let offer = Offer {
        yes: args.yes,
        small: false,
        domain,
        quiet,
        lines: lines.as_mut(),
    };
    let chosen = choice(&spec, offer).await?;
    let chosen = args.model.adapter.applied(chosen, domain)?;
    let model = opened(chosen, quiet).await?;
    let spinner = Spinner::new(quiet);
    spinner.say(&format!("asking {}", model.name()));
    let request = Request {
        messages: vec![Message {
            role: Role::User,
            content: "Count from one to twenty, in words.".to_owned(),
        }],
        max_tokens: 48,
        temperature: 0.0,
        stop: Vec::new(),
        seed: None,
        grammar: None,
    };
    let begun = Instant::now();
    let mut first = None;
    let completion = model
        .complete(&request, &mut |progress| {
            if let Progress::Text(_) = progress {
                first.get_or_insert_with(|| begun.elapsed());
            }
        })
        .await?;
    let whole = begun.elapsed();
    spinner.done();
    let first = first.unwrap_or(whole);
    let name = clean(model.name()).into_owned();
    terminal::print(format!(
        "{name} answers: the first word after {}, {}.\n",
        seconds(first),
        speed(completion.usage.completion_tokens, first, whole)
    ))?;
    Ok(Exit::Done)
}

/// The speed of the answer after its first word.
fn speed(tokens: u64, first: Duration, whole: Duration) -> String {
    let rest = whole.saturating_sub(first).as_secs_f64();
    match tokens {
        0 => format!("all of it after {}", seconds(whole)),
        1 => "and that was all".to_owned(),
        _ => {
            let rate = tokens.saturating_sub(1) as f64 / rest.max(1e-9);
            format!("{tokens} tokens in {}, {rate:.0} a second", seconds(whole))
        }
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_is_not_counted_into_the_speed() {
        let (first, whole) = (Duration::from_secs(2), Duration::from_secs(4));
        assert_eq!(speed(21, first, whole), "21 tokens in 4.00 s, 10 a second");
        assert_eq!(speed(0, first, whole), "all of it after 4.00 s");
        assert_eq!(speed(1, first, whole), "and that was all");
    }
}
