//! A home with a model's file, and a server for it on `PATH`.

use crate::cli::support::Home;
use crate::support::command::program;
use crate::support::tools::PYTHON;
use std::io::{BufRead, BufReader, Read};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A user who has been set up: files of the size of the real ones, and a server.
pub struct Machine {
    pub home: Home,
    watch: TcpListener,
}

/// A server that runs, as it said of itself.
pub struct Running {
    pub words: Vec<String>,
    pub pid: u64,
    line: BufReader<TcpStream>,
}

/// Ports at which nobody is looked for in tests that look for nobody.
pub const NOWHERE: &str = "1,1,1";

impl Machine {
    pub fn new() -> Machine {
        let machine = Machine::bare();
        let folder = machine
            .home
            .path(".local/share/dialog2api/models/qwen2.5-coder-1.5b");
        std::fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join("qwen2.5-coder-1.5b-instruct-q4_k_m.gguf");
        // A hole is as long as what was there.
        let model = std::fs::File::create(file).expect("a file");
        model.set_len(1_117_320_768).expect("a hole");
        machine
    }

    /// One who has not.
    pub fn bare() -> Machine {
        Machine {
            home: Home::new(),
            watch: TcpListener::bind("127.0.0.1:0").expect("loopback"),
        }
    }

    /// A command of a user who has these answers from the server.
    pub fn command(&self, words: &str, answers: &[&str]) -> Command {
        let lines = answers
            .iter()
            .map(|text| serde_json::json!(text).to_string() + "\n");
        self.home.write("answers.jsonl", &lines.collect::<String>());
        let mut command = self.home.ready(words);
        let path = std::env::var("PATH").unwrap_or_default();
        let fake = self.stand_in();
        let port = self.watch.local_addr().expect("an address").port();
        command
            .env("PATH", format!("{}:{path}", fake.display()))
            .env("DIALOG2API_LOCAL_PORTS", NOWHERE)
            .env("FAKE_WATCH", port.to_string())
            .env("FAKE_ANSWERS", self.home.path("answers.jsonl"));
        command
    }

    /// A folder with the stand-in of llama.cpp's server, for the Python that tests use: another
    /// `python3` may come first on `PATH`.
    fn stand_in(&self) -> PathBuf {
        let folder = self.home.path("stand-in");
        std::fs::create_dir_all(&folder).expect("a folder");
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/local/llama-server");
        let python = PYTHON.found().unwrap_or_else(|_| "python3".into());
        let (python, script) = (python.display(), script.display());
        let text = format!("#!/bin/sh\nexec '{python}' -E -s '{script}' \"$@\"\n");
        program(&folder.join("llama-server"), &text);
        folder
    }

    /// Waits for the server to start.
    pub fn running(&self) -> Running {
        let (stream, _) = self.watch.accept().expect("a server that starts");
        let mut line = BufReader::new(stream);
        let mut said = String::new();
        line.read_line(&mut said).expect("a line");
        let said: serde_json::Value = serde_json::from_str(&said).expect("JSON");
        let words = said["words"].as_array().expect("words").iter();
        Running {
            words: words
                .map(|word| word.as_str().expect("a word").to_owned())
                .collect(),
            pid: said["pid"].as_u64().expect("a number"),
            line,
        }
    }
}

impl Running {
    /// Waits for the server to end: its connection ends with it.
    pub fn ended(mut self) {
        let mut rest = Vec::new();
        // A process that is killed may leave with a reset.
        let _ = self.line.read_to_end(&mut rest);
        assert!(rest.is_empty());
    }

    /// The word after an option.
    pub fn option(&self, name: &str) -> &str {
        let at = self.words.iter().position(|word| word == name);
        &self.words[at.expect("an option of the server") + 1]
    }
}
