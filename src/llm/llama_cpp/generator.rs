//! Answers requests with a model, and keeps recent prompts in its context.

use super::Problem;
use super::answer_text::AnswerText;
use super::sampling::Sampling;
use super::worker::{BATCH, Job};
use crate::llm::{Completion, Message, Role, Usage};
use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::llama_batch::LlamaBatch;
use llama_cpp_2::model::{LlamaChatMessage, LlamaModel};
use llama_cpp_2::token::LlamaToken;

/// The model, its context, and the prompts in the context.
pub(super) struct Generator<'m> {
    model: &'m LlamaModel,
    context: LlamaContext<'m>,
    /// The prompts that were read, with their answers. The index is llama.cpp's sequence
    /// ID.
    read: Vec<Sequence>,
    /// How many requests were answered.
    count: u64,
}

#[derive(Debug, Clone, Default)]
struct Sequence {
    tokens: Vec<LlamaToken>,
    /// The number of the last request that used it.
    used: u64,
}

impl<'m> Generator<'m> {
    /// `prompts` is the number of prompts that the context keeps.
    pub(super) fn new(model: &'m LlamaModel, context: LlamaContext<'m>, prompts: u32) -> Self {
        Generator {
            model,
            context,
            read: vec![Sequence::default(); prompts.max(1) as usize],
            count: 0,
        }
    }

    /// Answers a request.
    pub(super) fn answer(&mut self, job: &Job) -> Result<Completion, Problem> {
        job.goes_on()?;
        let request = &job.request;
        let prompt = self.prompt(&request.messages)?;
        let tokens = self.model.vocab().tokenize(prompt.as_bytes(), true, true);
        self.fits(tokens.len(), request.max_tokens)?;
        let mut pick = Sampling::new(self.model, request)?;
        let place = self.place(&tokens);
        let reused = self.read_prompt(place, &tokens, job)?;
        let mut said = AnswerText::default();
        let mut batch = LlamaBatch::new(1, 1);
        let (mut count, mut finish) = (0, "length");
        while count < request.max_tokens {
            job.goes_on()?;
            let token = pick.next(&self.context)?;
            count += 1;
            if self.model.vocab().is_eog(token) {
                finish = "stop";
                break;
            }
            let piece = self.model.vocab().token_to_piece(token, false, None);
            let is_end = said.add(&piece, &request.stop);
            job.say(said.more(&request.stop));
            if is_end {
                finish = "stop";
                break;
            }
            self.read_batch(place, &mut batch, &[token], true)?;
        }
        let (rest, text) = said.end();
        job.say(rest);
        Ok(Completion {
            text,
            finish: Some(finish.to_owned()),
            usage: Usage {
                prompt_tokens: tokens.len() as u64,
                cached_tokens: reused as u64,
                completion_tokens: count.into(),
                ..Usage::default()
            },
        })
    }

    /// The messages in the model's own format.
    fn prompt(&self, messages: &[Message]) -> Result<String, Problem> {
        if let [message] = messages
            && message.role == Role::Text
        {
            return Ok(message.content.clone());
        }
        let template = self.model.chat_template(None);
        let template = template.map_err(|_| {
            Problem::other("the model's file has no chat template; --form text does without one")
        })?;
        let chat = messages.iter().map(|message| {
            let role = match message.role {
                Role::System => "system",
                Role::User | Role::Text => "user",
                Role::Assistant => "assistant",
            };
            // llama.cpp ends a text at a NUL.
            let content = message.content.replace('\0', "\u{fffd}");
            LlamaChatMessage::new(role.to_owned(), content).map_err(Problem::other)
        });
        let chat = chat.collect::<Result<Vec<_>, _>>()?;
        (self.model.apply_chat_template(&template, &chat, true)).map_err(|_| {
            Problem::other("llama.cpp does not know the model's chat template; try --form text")
        })
    }

    /// # Errors
    /// The prompt and the answer need more tokens than the context has.
    fn fits(&self, prompt: usize, answer: u32) -> Result<(), Problem> {
        let room = self.context.n_ctx() as usize / self.read.len();
        if prompt > 0 && prompt.saturating_add(answer as usize) <= room {
            return Ok(());
        }
        Err(Problem::TooLong(format!(
            "the prompt has {prompt} tokens, which with {answer} for the answer do not fit the \
             {room} that there are; set a larger `context` in the config file"
        )))
    }

    /// The sequence with the longest prefix in common with this prompt; among equals, the
    /// least recently used one.
    fn place(&mut self, tokens: &[LlamaToken]) -> usize {
        self.count += 1;
        let longest = (self.read.iter().map(|read| common(&read.tokens, tokens)))
            .max()
            .unwrap_or_default();
        // All prompts begin with the same few words. For those alone, no sequence is
        // preferred.
        let is_like = longest * 10 > tokens.len();
        let best = self.read.iter_mut().enumerate().min_by_key(|(_, read)| {
            let differs = is_like && common(&read.tokens, tokens) < longest;
            (differs, read.used)
        });
        match best {
            Some((place, read)) => {
                read.used = self.count;
                place
            }
            None => 0,
        }
    }

    /// Reads the tokens that the sequence lacks. Returns how many it already had.
    fn read_prompt(
        &mut self,
        place: usize,
        tokens: &[LlamaToken],
        job: &Job,
    ) -> Result<usize, Problem> {
        // The last token must always be read, because the answer is predicted from it.
        let most = tokens.len().saturating_sub(1);
        let read = self.read.get(place);
        let mut same = read.map_or(0, |read| common(&read.tokens, tokens).min(most));
        if !self.forget(place, same)? {
            // Some models cannot drop part of a sequence. They read the whole prompt.
            same = 0;
            self.forget(place, 0)?;
        }
        let mut batch = LlamaBatch::new(BATCH as usize, 1);
        let mut rest = tokens.get(same..).unwrap_or_default();
        while !rest.is_empty() {
            job.goes_on()?;
            let (now, later) = rest.split_at(rest.len().min(BATCH as usize));
            self.read_batch(place, &mut batch, now, later.is_empty())?;
            rest = later;
        }
        Ok(same)
    }

    /// Drops the tokens of a sequence from `from` on, if the model can do that.
    fn forget(&mut self, place: usize, from: usize) -> Result<bool, Problem> {
        let number = |number: usize| u32::try_from(number).map_err(Problem::other);
        let forgot =
            self.context
                .clear_kv_cache_seq(Some(number(place)?), Some(number(from)?), None);
        let forgot = forgot.map_err(Problem::other)?;
        if forgot && let Some(read) = self.read.get_mut(place) {
            read.tokens.truncate(from);
        }
        Ok(forgot)
    }

    /// Reads tokens. `wanted` says whether a prediction is needed after the last of them.
    fn read_batch(
        &mut self,
        place: usize,
        batch: &mut LlamaBatch<'_>,
        tokens: &[LlamaToken],
        wanted: bool,
    ) -> Result<(), Problem> {
        let number = |number: usize| i32::try_from(number).map_err(Problem::other);
        let Some(read) = self.read.get_mut(place) else {
            return Ok(());
        };
        batch.clear();
        for (index, token) in tokens.iter().enumerate() {
            let position = number(read.tokens.len() + index)?;
            let is_last = wanted && index + 1 == tokens.len();
            (batch.add(*token, position, &[number(place)?], is_last)).map_err(Problem::other)?;
        }
        let decoded = self.context.decode(batch);
        if let Err(error) = decoded {
            // After a failure, the contents of the context are unknown.
            self.context.clear_kv_cache();
            self.read.fill(Sequence::default());
            return Err(Problem::other(format!("llama.cpp failed: {error}")));
        }
        read.tokens.extend_from_slice(tokens);
        Ok(())
    }
}

/// The length of the common prefix of two prompts, in tokens.
fn common(one: &[LlamaToken], other: &[LlamaToken]) -> usize {
    let both = one.iter().zip(other);
    both.take_while(|(one, other)| one == other).count()
}
