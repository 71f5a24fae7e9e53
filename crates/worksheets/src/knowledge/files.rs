use super::{Content, rows};
use crate::problem::Problem;
use crate::sheets::{SheetKind, Sheets};

impl Content {
    /// The ends of the names of files with content, behind the name of their sheet: rows of a
    /// table, rows as lines of JSON, and documents. Other files beside them are not looked at.
    pub const ENDS: [&str; 3] = ["csv", "jsonl", "md"];

    /// Takes the content of a file, which belongs to the KB sheet that its name says.
    ///
    /// ```
    /// use worksheets::knowledge::Content;
    /// use worksheets::{Format, read};
    ///
    /// let sheets = read(b"WS Name,Kind\nhouse,kb\n", Format::Csv).unwrap();
    /// let mut content = Content::default();
    /// content.add_file(&sheets, "house.md", "# Parking\n\nBehind the house.\n").unwrap();
    /// let problem = content.add_file(&sheets, "hose.md", "").unwrap_err();
    /// assert_eq!(problem.message, "there is no kb sheet hose for this file, but house");
    /// ```
    ///
    /// # Errors
    /// No KB sheet has this name, or it needs another form; it has a file already; or the rows
    /// cannot be read.
    pub fn add_file(&mut self, sheets: &Sheets, file: &str, text: &str) -> Result<(), Problem> {
        let (name, end) = file.rsplit_once('.').unwrap_or((file, ""));
        let wrong = |rule, message: String| Err(Problem::error(rule, name, message));
        let mut kbs = sheets.all().iter().filter(|it| it.kind == SheetKind::Kb);
        let Some(sheet) = kbs.clone().find(|sheet| sheet.name == name) else {
            let all: Vec<&str> = kbs.by_ref().map(|sheet| sheet.name.as_str()).collect();
            let all = match all.is_empty() {
                true => String::new(),
                false => format!(", but {}", all.join(", ")),
            };
            return wrong(
                "unknown-table",
                format!("there is no kb sheet {name} for this file{all}"),
            );
        };
        match (sheet.fields.is_empty(), end == "md") {
            (true, false) => {
                return wrong(
                    "wrong-file",
                    format!("{name} has no columns, so its file is {name}.md"),
                );
            }
            (false, true) => {
                return wrong(
                    "wrong-file",
                    format!("{name} has columns, so its file is {name}.csv or {name}.jsonl"),
                );
            }
            (true, true) => {
                self.documents.insert(name.to_owned(), text.to_owned());
            }
            (false, false) if self.tables.contains_key(name) => {
                return wrong(
                    "second-file",
                    format!("{name} has another file already; put the rows of both into one"),
                );
            }
            (false, false) => {
                self.tables.insert(name.to_owned(), rows(text)?);
            }
        }
        Ok(())
    }
}
