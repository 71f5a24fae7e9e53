//! The source of utterances and answers: a person, a script or a pipe.

use super::commands::NAMES;
use crate::cli::terminal::{Styled, USER, has_color};
use crate::error::{Error, Result};
use crate::service::MAX_UTTERANCE;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};
use std::collections::VecDeque;
use std::fs::DirBuilder;
use std::io::{BufRead, IsTerminal, Read};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// One input.
pub enum Line {
    /// An utterance without surrounding blanks, unless it is too long. Never empty.
    Said(String),
    /// The person cancelled the line, or it is empty.
    Cancelled,
    /// The end of the input.
    End,
}

/// An answer to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said {
    Yes,
    No,
    /// Show everything before the answer.
    All,
}

/// A source of inputs.
pub enum Lines {
    Person(Box<Person>),
    Script(VecDeque<String>),
    /// Standard input, with a line that was read as an answer but turned out not to be
    /// one.
    Pipe(Option<String>),
}

/// A person at a terminal.
pub struct Person {
    editor: Editor<Commands, FileHistory>,
    /// `None` if the user has no home folder.
    history: Option<PathBuf>,
}

/// The number of inputs in the history file.
const REMEMBERED: usize = 1000;

impl Lines {
    /// The lines of the script, or of standard input if there is no script.
    pub fn new(script: Option<&Path>) -> Result<Self> {
        if let Some(path) = script {
            let bytes = std::fs::read(path).map_err(Error::file("cannot read the script", path))?;
            let text = String::from_utf8(bytes).map_err(|_| Error::Content {
                path: path.to_owned(),
                problem: "is not UTF-8 text; a script has one utterance a line".to_owned(),
            })?;
            let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
            let said = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
            return Ok(Lines::Script(said.map(str::to_owned).collect()));
        }
        if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() {
            Ok(Lines::Person(Box::new(Person::new()?)))
        } else {
            Ok(Lines::Pipe(None))
        }
    }

    /// The lines of the person at the terminal; `None` without a terminal.
    pub fn of_person() -> Result<Option<Self>> {
        let lines = Lines::new(None)?;
        Ok(lines.is_interactive().then_some(lines))
    }

    /// Whether a person types the lines.
    pub fn is_interactive(&self) -> bool {
        matches!(self, Lines::Person(_))
    }

    /// Waits for the next input.
    pub fn next(&mut self) -> Result<Line> {
        match self {
            Lines::Person(person) => person.next(),
            Lines::Script(lines) => Ok(lines.pop_front().map_or(Line::End, Line::Said)),
            Lines::Pipe(kept) => match kept.take() {
                Some(text) => Ok(said(&text)),
                None => Ok(read_line()?.map_or(Line::End, |text| said(&text))),
            },
        }
    }

    /// The answer to a yes-or-no question; `None` if there is none.
    pub fn answer(&mut self, question: &str) -> Result<Option<bool>> {
        let said = self.reply(question, false)?;
        Ok(said.map(|said| said == Said::Yes))
    }

    /// The answer to a question, which may be `all` if `may_see_all`; `None` if there is none. A
    /// person answers with what they type after the question is shown. In a script or a pipe, the
    /// next line is the answer if it is one. Any other line remains, as the next utterance.
    pub fn reply(&mut self, question: &str, may_see_all: bool) -> Result<Option<Said>> {
        match self {
            Lines::Person(person) => person.answer(question, may_see_all),
            Lines::Script(lines) => {
                let answer = lines.front().and_then(|line| Said::read(line, may_see_all));
                lines.pop_front_if(|_| answer.is_some());
                Ok(answer)
            }
            Lines::Pipe(kept) => {
                // A line that did not answer the last question may answer this one.
                let line = match kept.take() {
                    Some(line) => Some(line),
                    None => read_line()?,
                };
                Ok(self.answer_in(line, may_see_all))
            }
        }
    }

    /// Whether the lines come from standard input without a terminal.
    pub fn is_pipe(&self) -> bool {
        matches!(self, Lines::Pipe(_))
    }

    /// The answer in a line of the pipe. A line without an answer is kept as the next utterance.
    pub fn answer_in(&mut self, line: Option<String>, may_see_all: bool) -> Option<Said> {
        let answer = line
            .as_deref()
            .and_then(|line| Said::read(line, may_see_all));
        if let Lines::Pipe(kept) = self {
            *kept = line.filter(|_| answer.is_none());
        }
        answer
    }
}

impl Said {
    /// Reads `y`, `yes`, `n` or `no`, and `all` where that is an answer.
    fn read(text: &str, may_see_all: bool) -> Option<Said> {
        match text.trim().to_ascii_lowercase().as_str() {
            "y" | "yes" => Some(Said::Yes),
            "n" | "no" => Some(Said::No),
            "all" if may_see_all => Some(Said::All),
            _ => None,
        }
    }
}

/// Whether somebody types what is read from standard input.
pub(super) fn is_at_terminal() -> bool {
    std::io::stdin().is_terminal()
}

/// Throws away what was typed before a question was shown: it cannot be the answer.
pub fn forget_typed_ahead() {
    // Without a terminal there is nothing to throw away.
    let _ = rustix::termios::tcflush(std::io::stdin(), rustix::termios::QueueSelector::IFlush);
}

/// A line of standard input. A line that is too long for an utterance is cut just after
/// the limit, so that it is still refused: see [`said`].
pub fn read_line() -> Result<Option<String>> {
    let line = bounded_line(&mut std::io::stdin().lock(), MAX_UTTERANCE);
    let line = line.map_err(Error::file("cannot read", "standard input"))?;
    Ok(line.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}

/// A line with its line break. Of a line with more than `most` bytes only the first
/// `most` + 2, which is as much as the longest other line has with its line break.
fn bounded_line(from: &mut impl BufRead, most: usize) -> std::io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let kept = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(2);
    if from.take(kept).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.len() > most && !line.ends_with(b"\n") {
        from.skip_until(b'\n')?;
    }
    Ok(Some(line))
}

/// The line without the blanks around it. A line that is too long keeps them, because it may
/// have been cut: trimmed, it could pass for an utterance that was never typed.
fn said(text: &str) -> Line {
    let line = text.strip_suffix('\n');
    let text = line.map_or(text, |line| line.strip_suffix('\r').unwrap_or(line));
    if text.len() > MAX_UTTERANCE {
        return Line::Said(text.to_owned());
    }
    match text.trim() {
        "" => Line::Cancelled,
        text => Line::Said(text.to_owned()),
    }
}

impl Person {
    fn new() -> Result<Self> {
        let config = Config::builder()
            .max_history_size(REMEMBERED)
            .and_then(|config| config.history_ignore_dups(true))
            .map_err(terminal)?
            .history_ignore_space(true)
            .completion_type(CompletionType::List)
            .bracketed_paste(true)
            .build();
        let mut editor = Editor::with_config(config).map_err(terminal)?;
        editor.set_helper(Some(Commands));
        let history = history();
        if let Some(path) = &history {
            // The first time, there is no history. An unreadable history is replaced.
            let _ = editor.load_history(path);
        }
        Ok(Person { editor, history })
    }

    fn next(&mut self) -> Result<Line> {
        let plain = "You: ".to_owned();
        let styled = if has_color() {
            format!("{} ", Styled(USER, "You:"))
        } else {
            plain.clone()
        };
        let text = match self.editor.readline(&(plain, styled)) {
            Ok(text) => text,
            Err(ReadlineError::Interrupted) => return Ok(Line::Cancelled),
            Err(ReadlineError::Eof) => return Ok(Line::End),
            Err(error) => return Err(terminal(error)),
        };
        if !text.trim().is_empty() && self.editor.add_history_entry(&text).unwrap_or(false) {
            // The history is saved at once, so that nothing is lost however the dialogue
            // ends. A failure to save it does not end the dialogue.
            let _ = self
                .history
                .as_ref()
                .map(|path| self.editor.append_history(path));
        }
        Ok(said(&text))
    }
}

impl Person {
    /// Asks until there is an answer. Enter alone, Ctrl-C and Ctrl-D mean that there is none.
    fn answer(&mut self, question: &str, may_see_all: bool) -> Result<Option<Said>> {
        loop {
            // An editor may have read further than its line, so each question has a new one.
            *self = Person::new()?;
            forget_typed_ahead();
            let text = match self.editor.readline(question) {
                Ok(text) => text,
                Err(ReadlineError::Interrupted | ReadlineError::Eof) => return Ok(None),
                Err(error) => return Err(terminal(error)),
            };
            match Said::read(&text, may_see_all) {
                None if !text.trim().is_empty() => continue,
                answer => return Ok(answer),
            }
        }
    }
}

/// The path of the history file. Creates its folder if that is missing.
fn history() -> Option<PathBuf> {
    use etcetera::BaseStrategy;
    let folder = etcetera::choose_base_strategy()
        .ok()?
        .data_dir()
        .join("dialog2api");
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&folder)
        .ok()?;
    Some(folder.join("history.txt"))
}

fn terminal(error: ReadlineError) -> Error {
    let source = match error {
        ReadlineError::Io(source) => source,
        other => std::io::Error::other(other.to_string()),
    };
    Error::file("cannot read from", "the terminal")(source)
}

/// Completes the commands of the chat.
struct Commands;

impl Completer for Commands {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = line.get(..position).unwrap_or(line);
        let fits = |name: &&&str| typed.starts_with('/') && name.starts_with(typed);
        let names = NAMES.iter().filter(fits).map(|name| (*name).to_owned());
        Ok((0, names.collect()))
    }
}

impl Helper for Commands {}
impl Hinter for Commands {
    type Hint = String;
}
impl Highlighter for Commands {}
impl Validator for Commands {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_is_cut_and_the_next_one_is_whole() {
        let mut from: &[u8] = b"short\nmuch too long\nnext\nend";
        let mut lines = Vec::new();
        while let Some(line) = bounded_line(&mut from, 6).expect("bytes in memory") {
            lines.push(String::from_utf8(line).expect("text"));
        }
        assert_eq!(lines, ["short\n", "much too", "next\n", "end"]);
    }

    #[test]
    fn a_line_that_is_no_answer_stays_for_the_utterance() {
        let mut lines = Lines::Pipe(Some("list my files\n".to_owned()));
        for _ in 0..2 {
            let answer = lines.answer("Do it? [y/N] ");
            assert_eq!(answer.expect("nothing is read"), None);
        }
        let next = lines.next().expect("nothing is read");
        assert!(matches!(next, Line::Said(text) if text == "list my files"));
    }

    /// The length of the utterance that is taken from a line.
    fn length(typed: &str) -> usize {
        let line = bounded_line(&mut typed.as_bytes(), MAX_UTTERANCE).expect("bytes in memory");
        match said(&String::from_utf8_lossy(&line.expect("a line"))) {
            Line::Said(text) => text.len(),
            Line::Cancelled | Line::End => 0,
        }
    }

    #[test]
    fn a_line_that_was_cut_stays_too_long() {
        let most = "a".repeat(MAX_UTTERANCE);
        assert_eq!(length(&format!("{most}\r\n")), MAX_UTTERANCE);
        assert_eq!(length("  short  \n"), 5);
        let blanks = " ".repeat(20_000);
        for cut in [
            format!("{most} but do not delete anything\n"),
            format!("{most}\r but not that\n"),
            format!("{blanks}{most}\n"),
        ] {
            assert!(length(&cut) > MAX_UTTERANCE);
        }
    }
}
