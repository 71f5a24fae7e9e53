//! What a dialogue has cost so far: requests, tokens and, where it is known, money.

use crate::agent::TurnReport;
use crate::llm::{Prices, Usage};

/// What the turns so far took.
pub struct Spent {
    model: String,
    prices: Prices,
    requests: usize,
    /// Of these, those that were answered.
    answered: usize,
    usage: Usage,
}

impl Spent {
    /// Nothing yet.
    pub fn new(model: &str, prices: Prices) -> Self {
        Spent {
            model: model.to_owned(),
            prices,
            requests: 0,
            answered: 0,
            usage: Usage::default(),
        }
    }

    /// Adds a turn, and says in one line what it took.
    pub fn add(&mut self, report: &TurnReport) -> String {
        let (requests, usage) = (report.exchanges.len(), report.usage());
        self.requests += requests;
        self.usage += usage;
        let answers = report
            .exchanges
            .iter()
            .flat_map(|exchange| &exchange.answer);
        let answered = answers.count();
        self.answered += answered;
        self.line(requests, answered, usage)
    }

    /// What all of it took; nothing where nothing was asked.
    pub fn total(&self) -> Option<String> {
        (self.requests > 0).then(|| self.line(self.requests, self.answered, self.usage))
    }

    /// Whether it is known what it took in money, and that is more than nothing.
    pub fn costs(&self) -> bool {
        let cost = self.prices.cost(&self.model, self.usage);
        cost.is_some_and(|cost| cost.0 > 0.0)
    }

    fn line(&self, requests: usize, answered: usize, usage: Usage) -> String {
        let Usage {
            prompt_tokens,
            cached_tokens,
            completion_tokens,
            ..
        } = usage;
        let plural = if requests == 1 { "" } else { "s" };
        let cost = match self.prices.cost(&self.model, usage) {
            Some(cost) => format!(", {cost} by the prices of {}", self.prices.date()),
            None => String::new(),
        };
        match prompt_tokens + completion_tokens {
            0 if answered == 0 => format!("{requests} request{plural}, no answer"),
            0 => format!("{requests} request{plural}; the model does not count tokens"),
            _ => format!(
                "{requests} request{plural}, {prompt_tokens} tokens read ({cached_tokens} of them reused), {completion_tokens} written{cost}"
            ),
        }
    }
}
