//! The usage of a dialogue: requests, tokens and, if the price is known, money.

use crate::domain::counted;
use crate::llm::{Prices, Usage};
use crate::service::TurnUsage;

/// Formats usage.
pub struct UsageLine {
    pub model: String,
    pub prices: Prices,
}

impl UsageLine {
    /// Whether the cost is known and more than zero.
    pub fn costs(&self, usage: &TurnUsage) -> bool {
        let cost = self.prices.cost(&self.model, usage.tokens);
        cost.is_some_and(|cost| cost.0 > 0.0)
    }

    /// Usage in one line.
    pub fn line(&self, usage: &TurnUsage) -> String {
        let requests = counted(usage.requests, "request");
        let Usage {
            prompt_tokens,
            cached_tokens,
            completion_tokens,
            ..
        } = usage.tokens;
        let cost = match self.prices.cost(&self.model, usage.tokens) {
            Some(cost) => format!(", {cost} by the prices of {}", self.prices.date()),
            None => String::new(),
        };
        match prompt_tokens + completion_tokens {
            0 if usage.answered == 0 => format!("{requests}, no answer"),
            0 => format!("{requests}; the model does not count tokens"),
            _ => format!(
                "{requests}, {} read ({cached_tokens} of them reused), {completion_tokens} written{cost}",
                counted(prompt_tokens, "token")
            ),
        }
    }
}
