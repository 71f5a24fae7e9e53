//! The tables and documents of a folder: `kb/SHEET.csv`, `.jsonl` or `.md`.

use crate::blocking;
use crate::error::{Error, Result};
use crate::folder::assemble::files;
use indexmap::IndexMap;
use serde_json::Value as Json;
use std::path::Path;
use std::sync::Arc;
use worksheets::knowledge::{self, Content, Limits, Words};
use worksheets::{Effect, SheetKind, Sheets, simulate};

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
        if let Err(problem) = knowledge.open() {
            let path = folder.join(FOLDER);
            return Err(Error::Content { path, problem });
        }
        Ok(knowledge)
    }

    /// Opens it.
    ///
    /// # Errors
    /// What the files have does not fit the sheets.
    pub fn open(&self) -> std::result::Result<knowledge::Knowledge<'_>, String> {
        let opened = knowledge::Knowledge::open(&self.sheets, &self.content, Limits::default());
        opened.map_err(|problems| {
            let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
            problems.join("; ")
        })
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
    /// and the value that it has to have.
    ///
    /// # Errors
    /// The thread failed.
    pub async fn ask(&self, sql: &str, params: &IndexMap<String, Json>) -> Result<Effect> {
        let (knowledge, sql, params) = (self.clone(), sql.to_owned(), params.clone());
        blocking::waiting(move || match knowledge.open() {
            Ok(mut open) => open.ask_with(&sql, &params, &mut Words),
            Err(problem) => Effect::NoAnswer(problem),
        })
        .await
    }

    /// The tables as SQL, with what can be asked of each.
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
            let columns = fields.map(|field| {
                let required = match field.required {
                    true => ", must be compared with a constant",
                    false => "",
                };
                let key = if field.primary { " PRIMARY KEY" } else { "" };
                format!("  {}{key} -- {}{required}", field.name, field.ty.name())
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

/// The rows and documents of a folder.
///
/// # Errors
/// A file cannot be read, or belongs to no KB sheet: what nobody can find is not kept silently.
pub fn content(folder: &Path, sheets: &Sheets) -> Result<Content> {
    let mut content = Content::default();
    for path in files(&folder.join(FOLDER))? {
        let end = path.extension().unwrap_or_default();
        if !Content::ENDS.iter().any(|known| end == *known) {
            continue;
        }
        let text = std::fs::read_to_string(&path).map_err(Error::file("cannot read", &path))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let added = content.add_file(sheets, &name, &text);
        added.map_err(|problem| Error::Content {
            path: path.clone(),
            problem: match problem.line {
                0 => problem.message,
                line => format!("line {line}: {}", problem.message),
            },
        })?;
    }
    Ok(content)
}
