//! Chooses the next token.

use super::Problem;
use crate::llm::Request;
use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::sampling::LlamaSampler;
use llama_cpp_2::token::LlamaToken;
use llama_cpp_2::token::data::LlamaTokenData;
use llama_cpp_2::token::data_array::LlamaTokenDataArray;

/// The samplers for one answer.
pub(super) struct Sampling {
    chance: LlamaSampler,
    grammar: Option<LlamaSampler>,
}

impl Sampling {
    /// Builds the samplers that the request asks for.
    pub(super) fn new(model: &LlamaModel, request: &Request) -> Result<Self, Problem> {
        let grammar = request.grammar.as_ref();
        let grammar = grammar.map(|grammar| LlamaSampler::grammar(model, grammar, "root"));
        let refused = |error| Problem::other(format!("the grammar is refused: {error}"));
        let chance = match request.temperature > 0.0 {
            true => LlamaSampler::chain_simple([
                LlamaSampler::temp(request.temperature),
                LlamaSampler::dist(seed(request.seed)),
            ]),
            false => LlamaSampler::greedy(),
        };
        Ok(Sampling {
            chance,
            grammar: grammar.transpose().map_err(refused)?,
        })
    }

    /// Chooses the token that follows the context's last token.
    pub(super) fn next(&mut self, context: &LlamaContext<'_>) -> Result<LlamaToken, Problem> {
        let free = self.chance.sample(context, -1);
        let Some(grammar) = &mut self.grammar else {
            return Ok(free);
        };
        // Applying a grammar to the whole vocabulary is slow. So the token that would be
        // chosen without the grammar is tried first.
        let mut alone = LlamaTokenDataArray::new(vec![LlamaTokenData::new(free, 1.0, 0.0)], false);
        grammar.apply(&mut alone);
        let is_allowed = (alone.data.first()).is_some_and(|token| token.logit().is_finite());
        let token = match is_allowed {
            true => free,
            false => {
                let mut all = context.token_data_array();
                grammar.apply(&mut all);
                self.chance.apply(&mut all);
                (all.selected_token())
                    .ok_or_else(|| Problem::other("the grammar leaves no token to go on with"))?
            }
        };
        grammar.accept(token);
        Ok(token)
    }
}

/// llama.cpp's seed has 32 bits, so both halves are mixed.
fn seed(seed: Option<u64>) -> u32 {
    let seed = seed.unwrap_or_default();
    (seed ^ (seed >> 32)) as u32
}
