//! A folder in a temporary place, and what programs do in its worlds.

use dialog2api::dialogue::Outcome;
use dialog2api::domain::{Domain, World};
use dialog2api::exec::{Cache, Engine, Execution, Limits, Seed};
use dialog2api::folder;
use expect_test::Expect;
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

/// The cache of prepared sandboxes, in the build folder.
pub fn cache() -> Cache {
    Cache::at(Path::new(env!("CARGO_TARGET_TMPDIR")).join("sandbox"))
}

/// The folder that `domain new` makes, with some files replaced.
pub struct Lab {
    place: TempDir,
}

impl Lab {
    /// The folder `library`.
    pub fn new() -> Lab {
        let lab = Lab {
            place: tempfile::tempdir().unwrap(),
        };
        folder::create(&lab.path()).unwrap();
        lab
    }

    /// A folder with these functions over a state.
    pub fn of(world: &str, state: Json) -> Lab {
        let lab = Lab::new();
        let names = world.lines().filter_map(|line| line.strip_prefix("def "));
        let names = names.filter(|name| !name.starts_with('_'));
        let stubs = names.map(|line| {
            let line = line.replace("(state, ", "(").replace("(state)", "()");
            format!("def {line}\n    \"\"\"Does it.\"\"\"\n")
        });
        let api: String = stubs.collect();
        lab.write("domain.toml", "name = \"library\"\n")
            .write("api.pyi", &api)
            .write("world.py", world)
            .write("worlds/start.json", &state.to_string())
            .remove("policy.toml")
            .remove("gold.jsonl")
            .remove("examples/add.xml")
            .remove("examples/small-talk.xml")
    }

    pub fn path(&self) -> PathBuf {
        self.place.path().join("library")
    }

    pub fn write(self, file: &str, text: &str) -> Lab {
        std::fs::write(self.path().join(file), text).unwrap();
        self
    }

    pub fn write_bytes(self, file: &str, bytes: &[u8]) -> Lab {
        std::fs::write(self.path().join(file), bytes).unwrap();
        self
    }

    pub fn remove(self, file: &str) -> Lab {
        std::fs::remove_file(self.path().join(file)).unwrap();
        self
    }

    /// Replaces a text in a file.
    pub fn replace(self, file: &str, from: &str, to: &str) -> Lab {
        let text = std::fs::read_to_string(self.path().join(file)).unwrap();
        assert!(text.contains(from), "{file} has no {from:?}");
        self.write(file, &text.replace(from, to))
    }

    pub fn domain(&self) -> Arc<Domain> {
        folder::load(&self.path(), &cache()).unwrap()
    }

    /// What keeps the folder from being read.
    pub fn error(&self) -> String {
        match folder::load(&self.path(), &cache()) {
            Ok(_) => "it can be read".to_owned(),
            Err(error) => self.shown(&error.to_string()),
        }
    }

    /// A text without the temporary place.
    pub fn shown(&self, text: &str) -> String {
        text.replace(&format!("{}/", self.place.path().display()), "")
    }

    /// Compares the findings of `domain check`.
    pub async fn check(&self, expected: Expect) {
        let findings = folder::check(&self.path(), &cache()).await.unwrap();
        let lines: Vec<String> = findings.iter().map(ToString::to_string).collect();
        expected.assert_eq(&self.shown(&lines.join("\n")));
    }

    /// Runs programs one after the other on the default world, and shows what each returns
    /// or raises, and the state in the end.
    pub async fn run(&self, programs: &[&str], expected: Expect) {
        let domain = self.domain();
        let world = domain.initial_world("start").unwrap();
        let mut seen = String::new();
        for program in programs {
            let execution = run(&domain, &world, program).await;
            seen += &format!("{}\n", outcome(&execution));
        }
        let state = world.state_value().unwrap().to_json();
        expected.assert_eq(&self.shown(&format!("{seen}state: {state}")));
    }
}

/// Runs one program.
pub async fn run(domain: &Domain, world: &Arc<dyn World>, program: &str) -> Execution {
    let engine = Engine::prepare(&domain.api.client, &cache(), &mut |_| ()).await;
    let engine = engine.unwrap().with_setup(&domain.api.setup);
    let limits = Limits::default();
    let ran = engine.run(program, world, &limits, &Seed::default()).await;
    ran.unwrap()
}

/// What a program returned or raised, in one line.
pub fn outcome(execution: &Execution) -> String {
    match &execution.outcome {
        Outcome::Result(value) => json!(value).to_string(),
        Outcome::Error(error) => format!("{}: {}", error.error, error.message),
    }
}
