//! Sessions of the real program: a home of its own, and a model that follows a script.

pub use crate::cli::support::goal;
use crate::cli::support::says;
use crate::support::scripted_http::Server;
use std::path::PathBuf;
use std::process::{Command, Output};
use tempfile::TempDir;

/// A home folder; commands run there, and sessions are kept there.
pub struct Home(TempDir);

impl Home {
    pub fn new() -> Home {
        let home = Home(tempfile::tempdir().unwrap());
        // The first test prepares the sandbox for all.
        let prepared = home.command("prepare").output().unwrap();
        assert!(prepared.status.success(), "{prepared:?}");
        home
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    /// `dialog2api` with these words, which blanks separate.
    pub fn command(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dialog2api"));
        command
            .env_clear()
            .env("HOME", self.0.path())
            .env("DIALOG2API_CACHE_DIR", env!("CARGO_TARGET_TMPDIR"))
            .env("DIALOG2API_STATE_DIR", self.path("state"))
            .env("AWS_EC2_METADATA_DISABLED", "true")
            .current_dir(self.0.path())
            .args(words.split_whitespace());
        command
    }

    /// What is seen of a command with this input: standard output and error, the exit
    /// code, without the time that something took.
    pub fn seen(&self, words: &str, input: &str) -> String {
        self.seen_of(self.command(words), input)
    }

    fn seen_of(&self, command: Command, input: &str) -> String {
        let output = assert_cmd::Command::from(command)
            .write_stdin(input)
            .output()
            .unwrap();
        let text = text(&output).replace(&self.0.path().display().to_string(), "HOME");
        let lines = text.lines().map(|line| match line.split_once(" · ") {
            Some((goal, _)) if line.starts_with("  goal") => format!("{goal}\n"),
            _ => format!("{}\n", line.trim_end()),
        });
        lines.collect()
    }

    /// A chat with a model that gives these answers, one after the other.
    pub fn chat(&self, words: &str, answers: &[String], input: &str) -> String {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let answers = answers.iter().map(|text| says(text)).collect();
        let server = runtime.block_on(Server::start(answers));
        let mut command = self.command(&format!("chat --model openai:fake {words}"));
        command.args(["--base-url", &server.base_url()]);
        self.seen_of(command, input)
    }
}

pub fn text(output: &Output) -> String {
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    text.push_str(&format!(
        "-- exit {} --\n",
        output.status.code().unwrap_or(-1)
    ));
    text
}

/// A reply as a model writes it.
pub fn reply(text: &str) -> String {
    format!("<turn>Agent: {text}</turn>")
}
