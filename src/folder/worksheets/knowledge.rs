//! The tables and documents of a folder: `kb/SHEET.csv`, `.jsonl` or `.md`.

use super::judgement::ByModel;
use super::samples::{samples, shown_in_line};
use crate::agent::Asks;
use crate::blocking;
use crate::error::{Error, Result};
use crate::folder::assemble::files;
use indexmap::IndexMap;
use serde_json::{Map, Value as Json};
use std::path::{Path, PathBuf};
use std::string::FromUtf8Error;
use std::sync::Arc;
use tokio::sync::mpsc::unbounded_channel;
use worksheets::knowledge::{self, Content, Limits, Reader, Words};
use worksheets::{Effect, Field, Problem, SheetKind, Sheets, Type, check, simulate};

/// The folder with the files.
const FOLDER: &str = "kb";

/// What questions are answered from.
#[derive(Clone)]
pub struct Knowledge {
    sheets: Arc<Sheets>,
    content: Arc<Content>,
}

impl Knowledge {
    /// Reads the files of a folder.
    ///
    /// # Errors
    /// A file cannot be read, or does not fit its sheet.
    pub fn read(folder: &Path, sheets: &Arc<Sheets>) -> Result<Knowledge> {
        let knowledge = Knowledge {
            sheets: sheets.clone(),
            content: Arc::new(content(folder, sheets)?),
        };
        if let Err(problems) = knowledge.opened() {
            return Err(unfit(folder, &problems));
        }
        Ok(knowledge)
    }

    /// Opens it.
    ///
    /// # Errors
    /// What the files have does not fit the sheets.
    pub fn open(&self) -> std::result::Result<knowledge::Knowledge<'_>, String> {
        self.opened().map_err(|problems| sentence(&problems))
    }

    fn opened(&self) -> std::result::Result<knowledge::Knowledge<'_>, Vec<Problem>> {
        knowledge::Knowledge::open(&self.sheets, &self.content, Limits::default())
    }

    /// The rows of the tables.
    pub fn tables(&self) -> &simulate::Tables {
        &self.content.tables
    }

    /// Whether there is anything to ask about.
    pub fn is_empty(&self) -> bool {
        !self.sheets.all().iter().any(|it| it.kind == SheetKind::Kb)
    }

    /// Answers a formal query, with parameters that the user gave later: each `table.column`,
    /// and the value that it has to have. The model reads the texts that it asks about; without
    /// one, words are compared.
    ///
    /// # Errors
    /// The thread or the model failed.
    pub async fn ask(
        &self,
        sql: &str,
        params: &IndexMap<String, Json>,
        model: Option<&dyn Asks>,
    ) -> Result<Effect> {
        let (knowledge, sql, params) = (self.clone(), sql.to_owned(), params.clone());
        let answer = move |mut reader: Box<dyn Reader + Send>| match knowledge.open() {
            Ok(mut open) => open.ask_with(&sql, &params, &mut *reader),
            Err(problem) => Effect::NoAnswer(problem),
        };
        let Some(model) = model else {
            return blocking::waiting(move || answer(Box::new(Words))).await;
        };
        let (requests, mut requested) = unbounded_channel();
        let answering = blocking::waiting(move || answer(Box::new(ByModel { requests })));
        tokio::pin!(answering);
        loop {
            tokio::select! {
                biased;
                Some(request) = requested.recv() => {
                    let said = model.ask_once(request.messages, request.is_usable).await?;
                    // A query at its limit does not wait for it.
                    let _ = request.answer.send(said);
                }
                effect = &mut answering => return effect,
            }
        }
    }

    /// The tables as SQL, with what can be asked of each and some values of their columns.
    pub fn schema(&self) -> String {
        let kbs = self
            .sheets
            .all()
            .iter()
            .filter(|it| it.kind == SheetKind::Kb);
        let tables = kbs.map(|sheet| {
            let about = match sheet.description.as_str() {
                "" => String::new(),
                about => format!("-- {about}\n"),
            };
            if sheet.fields.is_empty() {
                return format!(
                    "{about}-- {} are documents: answer({0}, 'question')\n",
                    sheet.name
                );
            }
            let fields = sheet.fields.iter().filter(|field| !field.name.is_empty());
            let rows = self.content.tables.get(&sheet.name);
            let rows = rows.map_or(&[][..], Vec::as_slice);
            let columns = fields.map(|field| {
                let key = if field.primary { " PRIMARY KEY" } else { "" };
                format!("  {}{key} -- {}", field.name, told(field, rows))
            });
            let columns: Vec<String> = columns.collect();
            format!(
                "{about}CREATE TABLE {} (\n{}\n);\n",
                sheet.name,
                columns.join("\n")
            )
        });
        tables.collect::<Vec<_>>().join("\n")
    }
}

/// What is told of a column: its type, what it means, what a query has to do, some values. Texts
/// are too long to be told, and are compared by `answer`.
fn told(field: &Field, rows: &[Map<String, Json>]) -> String {
    let mut told = vec![field.ty.name()];
    if !field.description.is_empty() {
        told.push(shown_in_line(&field.description, DESCRIPTION));
    }
    if field.required {
        told.push("must be compared with a constant".to_owned());
    }
    let samples = match field.ty {
        Type::Text => String::new(),
        _ => samples(rows, &field.name),
    };
    if !samples.is_empty() {
        told.push(format!("such as {samples}"));
    }
    told.join(", ")
}

/// The most characters of the description of a column.
const DESCRIPTION: usize = 200;

/// The rows and documents of a folder.
///
/// # Errors
/// A file cannot be read, or belongs to no KB sheet: what nobody can find is not kept silently.
pub fn content(folder: &Path, sheets: &Sheets) -> Result<Content> {
    let (content, wrong) = read_files(folder, sheets)?;
    let Some((path, problem)) = wrong.into_iter().next() else {
        return Ok(content);
    };
    let problem = match problem.line {
        0 => problem.message,
        line => format!("line {line}: {}", problem.message),
    };
    Err(Error::Content { path, problem })
}

/// What is wrong with the files of a folder, and with their rows where the sheets are right.
///
/// # Errors
/// A file cannot be read.
pub fn check_knowledge(folder: &Path, sheets: &Sheets) -> Result<Vec<Problem>> {
    let (content, wrong) = read_files(folder, sheets)?;
    if wrong.is_empty() && !check(sheets).iter().any(Problem::is_error) {
        let opened = knowledge::Knowledge::open(sheets, &content, Limits::default());
        return Ok(in_files(folder, opened.err().unwrap_or_default()));
    }
    let wrong = wrong.into_iter().map(|(path, problem)| Problem {
        place: shown(&path),
        ..problem
    });
    Ok(wrong.collect())
}

/// Rows that do not fit their sheets; the path is that of the first one's file.
pub fn unfit(folder: &Path, problems: &[Problem]) -> Error {
    let file = problems.first().and_then(|it| file_of(folder, &it.place));
    Error::Content {
        path: file.unwrap_or_else(|| folder.join(FOLDER)),
        problem: sentence(problems),
    }
}

/// The problems of rows, each with the file that has the row in the place of the sheet.
fn in_files(folder: &Path, mut problems: Vec<Problem>) -> Vec<Problem> {
    for problem in &mut problems {
        if let Some(path) = file_of(folder, &problem.place) {
            problem.place = shown(&path);
        }
    }
    problems
}

/// The file that the rows of a sheet came from.
fn file_of(folder: &Path, sheet: &str) -> Option<PathBuf> {
    let mut paths = Content::ENDS
        .iter()
        .map(|end| folder.join(FOLDER).join(format!("{sheet}.{end}")));
    paths.find(|path| path.is_file())
}

/// A file of [`FOLDER`] as findings name it.
fn shown(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    format!("{FOLDER}/{name}")
}

fn sentence(problems: &[Problem]) -> String {
    let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
    problems.join("; ")
}

/// The content of the files that fit, and what is wrong with the others.
fn read_files(folder: &Path, sheets: &Sheets) -> Result<(Content, Vec<(PathBuf, Problem)>)> {
    let (mut content, mut wrong) = (Content::default(), Vec::new());
    for path in files(&folder.join(FOLDER))? {
        let end = path.extension().unwrap_or_default();
        if !Content::ENDS.iter().any(|known| end == *known) {
            continue;
        }
        let bytes = std::fs::read(&path).map_err(Error::file("cannot read", &path))?;
        let name = path.file_name().unwrap_or_default();
        let name = name.to_string_lossy().into_owned();
        let text = String::from_utf8(bytes).map_err(|error| not_utf8(&error));
        if let Err(problem) = text.and_then(|text| content.add_file(sheets, &name, &text)) {
            wrong.push((path, problem));
        }
    }
    Ok((content, wrong))
}

fn not_utf8(error: &FromUtf8Error) -> Problem {
    let whole = &error.as_bytes()[..error.utf8_error().valid_up_to()];
    let line = whole.iter().filter(|byte| **byte == b'\n').count() + 1;
    let message = "the file is not UTF-8 from here on; save it as UTF-8";
    Problem::error("not-utf8", "", message).at(line, "")
}
