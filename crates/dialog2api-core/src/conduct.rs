//! Code that decides what an agent says and asks. A [`Domain`](crate::domain::Domain) gives it as
//! a [`Conduct`].
//!
//! Without one, a prompt shows the stack of goals, the model says which goals change, and nothing
//! follows a program but the reply. With one, a prompt shows the conduct's [`Situation`], the
//! model answers with one program a turn, and code decides what the reply has to do.

use crate::dialogue::Transcript;
use crate::domain::World;
use crate::error::Result;
use crate::exec::{Execution, Limits, Sandbox, Seed};
use crate::message::Message;
use async_trait::async_trait;
use serde_json::Value as Json;
use std::sync::Arc;

/// The words in which a model is asked, as templates of minijinja.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prompting {
    /// What the model does in every turn. It knows `document`.
    pub instructions: &'static str,
    /// The request for a program. It knows `today`, `state`, `acts`, `said` and `user`; an
    /// example has neither `today` nor `state`.
    pub turn: &'static str,
    /// The request for the reply, which follows the program. It knows `state` and `acts`.
    pub reply: &'static str,
    /// What is wrong with an answer. It knows `answer` and `finding`.
    pub repair: &'static str,
}

/// What a conduct knows of a dialogue now.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Situation {
    /// What programs can use, as Python stubs.
    pub document: String,
    /// The state, as models read it.
    pub state: String,
    /// What the agent did last: before a program, what it answers to; after it, what the reply
    /// has to do. A line each, with everything that is needed to word it.
    pub acts: Vec<String>,
    /// A reply that does it without a model.
    pub plain: String,
    /// Whether the user wants to hear the agent's last words again.
    pub is_repeated: bool,
    /// The state and the reasons of the acts, as people read them.
    pub shown: String,
    /// Whether the user has ended the dialogue.
    pub is_over: bool,
}

impl Situation {
    /// Whether the reply is these last words of the agent, which no model is asked for.
    pub fn says_again(&self, said: &str) -> bool {
        self.is_repeated && !said.is_empty()
    }
}

/// A model that a conduct may ask.
#[async_trait]
pub trait Asks: Send + Sync {
    /// The answer to these messages.
    ///
    /// # Errors
    /// The model did not answer, or not to the end.
    async fn ask(&self, messages: Vec<Message>) -> Result<String>;

    /// The sentence that tells the model the date in this turn, if one is told.
    fn today(&self) -> Option<String> {
        None
    }

    /// The same for what has one answer in a dialogue: where an answer that is usable came before,
    /// it may be given again. By default nothing is remembered.
    ///
    /// # Errors
    /// The model did not answer, or not to the end.
    async fn ask_once(
        &self,
        messages: Vec<Message>,
        _is_usable: for<'a> fn(&'a str) -> bool,
    ) -> Result<String> {
        self.ask(messages).await
    }
}

/// Decides what follows a program, and what the reply has to do.
///
/// A conduct has no state of its own. It keeps the state of a dialogue in the
/// [`Slate`](crate::domain::Slate) of the world, which is signed and copied with the world. So one
/// conduct serves any number of dialogues.
#[async_trait]
pub trait Conduct: Send + Sync {
    /// The words in which a model is asked.
    fn prompting(&self) -> Prompting;

    /// The state of the dialogue for a prompt, which shows it instead of the stack, and the acts
    /// that the reply has to word.
    ///
    /// # Errors
    /// The slate cannot be read.
    fn situation(&self, world: &dyn World) -> Result<Situation>;

    /// Runs the program of a turn, and what follows it before the reply. By default nothing
    /// follows it.
    ///
    /// Plan, consent, journal and undo take all of this as one program, so all its calls on the
    /// world are one plan. The conduct writes the new state into the slate at once. If there were
    /// writes, it also writes it as pending, because the plan may be declined.
    ///
    /// # Errors
    /// The sandbox, the world or the model failed.
    async fn follow(&self, turn: Following<'_>) -> Result<Execution> {
        turn.run(turn.program, turn.world).await
    }

    /// Keeps in the world what came of a program on its draft, once its plan is decided on. The
    /// execution may get another outcome: that of a plan that was declined. By default nothing is
    /// kept.
    ///
    /// # Errors
    /// What is pending cannot be read.
    fn settle(&self, _world: &dyn World, execution: Execution) -> Result<Execution> {
        Ok(execution)
    }

    /// Whether what is pending is what the user was asked about with all its values, so that a
    /// plain yes in words is the consent. By default it is not.
    fn is_agreed(&self, _world: &dyn World) -> bool {
        false
    }

    /// What a program did to the world was taken back, or a part of it. The conduct changes what it
    /// keeps, so that it does not say of what is undone that it is done. By default nothing is kept.
    ///
    /// # Errors
    /// What is kept or was pending cannot be read.
    fn taken_back(&self, _world: &dyn World, _taken: &TakenBack) -> Result<()> {
        Ok(())
    }

    /// A dialogue goes on, perhaps after what decides in it has changed. The conduct fits what it
    /// keeps to that; the lines say for people what became of it. By default nothing changes.
    ///
    /// # Errors
    /// What is kept cannot be read, or cannot go on.
    fn resumed(&self, _world: &dyn World) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    /// A recorded program as models are shown it, among examples and in lessons. By default it is
    /// shown as it is.
    fn shown_program(&self, program: &str) -> String {
        program.to_owned()
    }

    /// The turns of a recorded dialogue as a model learns them. By default a conduct teaches
    /// nothing.
    ///
    /// # Errors
    /// The dialogue cannot be played.
    fn taught(&self, _dialogue: &Transcript) -> Result<Vec<Taught>> {
        Ok(Vec::new())
    }

    /// The turns of a dialogue that a user without a model plays from a seed, as a model learns
    /// them. By default there is no such user.
    fn simulated(&self, _seed: u64) -> Vec<Taught> {
        Vec::new()
    }

    /// The question of the user that a program leaves open: a clause that follows "the program" and
    /// names the way out. `said` is what the agent said last. The model is told it once and may keep
    /// its program. By default no question is open.
    fn open_question(&self, _program: &str, _user: &str, _said: &str) -> Option<String> {
        None
    }

    /// What a reply does wrong, a sentence for the model each. By default nothing is looked for.
    fn findings(&self, _reply: &str, _world: &dyn World) -> Vec<String> {
        Vec::new()
    }
}

/// A turn as a model learns it: what it is shown, and its right answers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Taught {
    /// What the conduct knew before the turn.
    pub before: Situation,
    /// What the agent said last.
    pub said: String,
    /// What the user said.
    pub user: String,
    /// The program of the turn.
    pub program: String,
    /// What the conduct knew after the program.
    pub after: Situation,
    /// The reply.
    pub reply: String,
}

/// What undos took back of what a program did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TakenBack {
    /// What was pending when the plan of the program was made.
    pub noted: Json,
    /// Whether all of it was taken back.
    pub is_whole: bool,
    /// Whether the conduct was told before that a part of it was.
    pub is_more: bool,
    /// The places that are as they were before the program, where only a part was taken back.
    pub back: Vec<String>,
    /// The places that still are as it left them, or have changed since.
    pub left: Vec<String>,
}

/// A program of a turn, with what its conduct may use.
#[derive(Clone, Copy)]
pub struct Following<'a> {
    /// The program.
    pub program: &'a str,
    /// The world: a draft of it where the program is planned, behind the guard of the policy.
    pub world: &'a Arc<dyn World>,
    /// What one run may use.
    pub limits: &'a Limits,
    /// The clock and the randomness.
    pub seed: &'a Seed,
    /// The model; none where programs are replayed.
    pub model: Option<&'a dyn Asks>,
    /// Where its programs run.
    pub sandbox: &'a dyn Sandbox,
}

impl Following<'_> {
    /// Runs code in a fresh instance of the sandbox.
    ///
    /// # Errors
    /// The sandbox or the world failed.
    pub async fn run(&self, code: &str, world: &Arc<dyn World>) -> Result<Execution> {
        self.sandbox.run(code, world, self.limits, self.seed).await
    }
}
