//! The sheets of STAR as the domain of an agent, and what that agent asks a model in a turn.

use dialog2api::agent::conduct::{messages, repaired};
use dialog2api::agent::{Conduct, GREETING};
use dialog2api::dialogue::{Program, Stack, Status, Update};
use dialog2api::domain::World;
use dialog2api::exec::Cache;
use dialog2api::llm::Message;
use dialog2api::retrieval::Example;
use dialog2api::{Error, Result, folder};
use serde_json::json;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use worksheets::State;
use worksheets::star::{Protocol, StarDialogue, StarPlay, StarTask};

/// What an agent for the sheets of a task asks.
pub struct TurnPrompts {
    conduct: Arc<dyn Conduct>,
    world: Arc<dyn World>,
    examples: Vec<Example>,
}

impl TurnPrompts {
    /// The prompts of a task, with these examples.
    pub fn new(task: StarTask, examples: Vec<Example>, cache: &Cache) -> Result<Self> {
        let place = tempfile::tempdir().map_err(Error::file("cannot make", "a folder"))?;
        write(task, place.path())?;
        let domain = folder::load(place.path(), cache)?;
        let conduct = domain.conduct.clone();
        let none = || Error::usage("the folder has no worksheets");
        Ok(TurnPrompts {
            conduct: conduct.ok_or_else(none)?,
            world: domain.initial_world("start")?,
            examples,
        })
    }

    /// The messages that ask for the program of a turn.
    pub fn chat(&self, state: &State, said: &str, user: &str) -> Result<Vec<Message>> {
        if let Some(slate) = self.world.slate() {
            slate.keep(json!({ "state": state.json() }));
        }
        let situation = self.conduct.situation(&*self.world)?;
        let examples: Vec<&Example> = self.examples.iter().collect();
        messages(&*self.conduct, &situation, &examples, (said, user, None))
    }

    /// The same messages with what was wrong with the answer to them.
    pub fn again(
        &self,
        mut chat: Vec<Message>,
        answer: &str,
        finding: &str,
    ) -> Result<Vec<Message>> {
        let repair = repaired(self.conduct.prompting(), answer, finding)?;
        if let Some(asked) = chat.last_mut() {
            asked.content = format!("{}\n\n{repair}", asked.content);
        }
        Ok(chat)
    }
}

/// A turn of each dialogue with the program of its true parse: the first that does something else
/// than the examples before it.
pub fn examples(task: StarTask, protocol: Protocol, of: &[StarDialogue]) -> Vec<Example> {
    let sheets = task.sheets();
    let mut seen = BTreeSet::from(["pass".to_owned()]);
    let mut found = Vec::new();
    for dialogue in of {
        let mut play = StarPlay::new(task, &sheets, (0, dialogue), protocol);
        while let Some(turn) = play.hear() {
            let truth = play.truth();
            let program = play.program(&truth);
            if seen.insert(outline(&program)) {
                found.push(example(said(&play), &turn.user, &program));
                break;
            }
            play.turn(truth);
        }
    }
    found
}

/// The agent's last words; its greeting at the start of a dialogue.
pub fn said<'d>(play: &StarPlay<'d>) -> &'d str {
    play.said().unwrap_or(GREETING)
}

fn example(said: &str, user: &str, program: &str) -> Example {
    Example {
        dialogue: String::new(),
        goal: None,
        turn: 0,
        before: Stack::default(),
        after: Stack::default(),
        said: said.to_owned(),
        user: user.to_owned(),
        updates: vec![Update {
            uid: 1,
            status: Status::Final,
            program: Some(Program::new(program)),
        }],
        reply: None,
    }
}

/// A program without texts and numbers.
fn outline(program: &str) -> String {
    let code: String = program.split('"').step_by(2).collect();
    code.replace(|c: char| c.is_ascii_digit(), "")
}

/// Writes the folder of a task. The record answers what the sheets call, so that the function
/// which a folder must have is never called.
fn write(task: StarTask, folder: &Path) -> Result<()> {
    let (title, guide) = match task {
        StarTask::Bank => (
            "A bank to which customers report fraud",
            "What the customer has forgotten is NA.",
        ),
        StarTask::Trip => ("Directions from one place to another", ""),
        StarTask::Trivia => ("A game of questions", ""),
    };
    let definition = format!("name = \"{}\"\ntitle = \"{title}\"\n", task.name());
    let worlds = folder.join("worlds");
    std::fs::create_dir(&worlds).map_err(Error::file("cannot make", &worlds))?;
    for (name, text) in [
        ("domain.toml", definition.as_str()),
        ("worksheets.csv", task.csv()),
        ("guide.md", guide),
        ("api.pyi", "def recorded() -> None: ...\n"),
        ("world.py", "def recorded(state):\n    pass\n"),
        ("worlds/start.json", "{}\n"),
    ] {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(Error::file("cannot write", &path))?;
    }
    Ok(())
}
