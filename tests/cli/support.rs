//! A user with an empty home folder, and what they see.

use crate::support::scripted_http::{Answer, Server, stream};
use expect_test::Expect;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// A home folder with nothing in it; commands run there.
pub struct Home(TempDir);

impl Home {
    pub fn new() -> Home {
        Home(tempfile::tempdir().expect("a folder"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("a file");
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("a file")
    }

    /// `dialog2api` with these words, which blanks separate.
    pub fn command(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dialog2api"));
        command
            .env_clear()
            .env("HOME", self.0.path())
            .env("DIALOG2API_CACHE_DIR", env!("CARGO_TARGET_TMPDIR"))
            .env("AWS_EC2_METADATA_DISABLED", "true")
            .current_dir(self.0.path())
            .args(words.split_whitespace());
        command
    }

    /// The same, when the sandbox is there: the first test makes it for all.
    pub fn ready(&self, words: &str) -> Command {
        let mut of_domain = words
            .split(' ')
            .skip_while(|word| *word != "--domain")
            .take(2);
        let prepare = ["prepare"].into_iter().chain(&mut of_domain);
        let prepare = prepare.collect::<Vec<_>>().join(" ");
        let prepared = self.command(&prepare).output().expect("it starts");
        assert!(
            prepared.status.success(),
            "{}",
            seen(&prepared, self.0.path())
        );
        self.command(words)
    }

    /// Runs a command to its end and compares what is seen.
    pub fn check(&self, command: Command, input: &str, expected: Expect) {
        let output = assert_cmd::Command::from(command)
            .write_stdin(input)
            .output()
            .expect("it starts");
        expected.assert_eq(&self.seen(&output));
    }

    /// What is seen of a command that ran here.
    pub fn seen(&self, output: &Output) -> String {
        seen(output, self.0.path())
    }
}

/// Standard output, standard error and exit code, without what differs between runs.
fn seen(output: &Output, home: &Path) -> String {
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.stderr.is_empty() {
        text.push_str("-- stderr --\n");
        text.push_str(&String::from_utf8_lossy(&output.stderr));
    }
    text.push_str(&format!(
        "-- exit {} --\n",
        output.status.code().unwrap_or(-1)
    ));
    let text = without_port(&text).replace(&home.display().to_string(), "HOME");
    let lines = text.replace(env!("CARGO_TARGET_TMPDIR"), "CACHE");
    lines.lines().map(timeless).collect()
}

/// The system chooses the ports of servers on loopback.
fn without_port(text: &str) -> String {
    let mut parts = text.split("127.0.0.1:");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str("127.0.0.1:PORT");
        text.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    text
}

/// Replaces the time that something took.
fn timeless(line: &str) -> String {
    let cut = if line.starts_with("  goal") {
        line.split_once(" · ")
            .map(|(goal, _)| format!("{goal} · TIME"))
    } else if line.starts_with("  \"elapsed\"") {
        Some("  \"elapsed\": TIME,".to_owned())
    } else if (line.contains(" dialogue") && line.contains(" program"))
        || (line.contains(" game") && line.contains(" full proposal"))
    {
        line.rsplit_once(", ")
            .map(|(counts, _)| format!("{counts}, TIME"))
    } else {
        let labelled = line.split_once("elapsed   ");
        labelled.map(|(before, _)| format!("{before}elapsed    TIME"))
    };
    format!("{}\n", cut.as_deref().unwrap_or(line))
}

/// A model that gives these answers, one after the other.
pub async fn model(answers: &[&str]) -> Server {
    Server::start(answers.iter().map(|text| says(text)).collect()).await
}

/// One answer of a model, as a stream of one piece.
pub fn says(text: &str) -> Answer {
    let piece = serde_json::json!({
        "choices": [{"index": 0, "delta": {"content": text}, "finish_reason": "stop"}],
    });
    stream(format!("data: {piece}\n\ndata: [DONE]\n\n"))
}

/// A goal as a model writes it.
pub fn goal(uid: u32, status: &str, program: &str) -> String {
    match program {
        "" => format!("<goal uid=\"{uid}\" status=\"{status}\"/>"),
        _ => format!(
            "<goal uid=\"{uid}\" status=\"{status}\">\n<program>\n{program}\n</program>\n</goal>"
        ),
    }
}
