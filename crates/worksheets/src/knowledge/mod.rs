//! Knowledge queries: SQL with free text on the KB sheets (section 2.7), by SQLite in memory,
//! for reading alone, within limits.

mod files;
mod load;
mod passages;
mod reader;
mod required;
mod run;
mod statement;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use indexmap::IndexMap;
use rusqlite::Connection;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use serde_json::{Map, Value as Json};

pub use load::rows;
pub use reader::{Reader, Words};

use crate::agenda::Effect;
use crate::problem::Problem;
use crate::sheets::{Sheet, SheetKind, Sheets};

/// Ceilings of one query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most rows of an answer, and how many there are without a `LIMIT`.
    pub rows: usize,
    /// The most rows whose text is judged.
    pub free_text_rows: usize,
    /// The most thousand steps of the database's machine.
    pub steps: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            rows: 5,
            free_text_rows: 40,
            steps: 20_000,
        }
    }
}

/// The rows of tables, and the documents of collections, by the names of their KB sheets.
#[derive(Clone, Debug, Default)]
pub struct Content {
    /// Rows of tables.
    pub tables: HashMap<String, Vec<Map<String, Json>>>,
    /// Markdown of collections; a heading starts a passage.
    pub documents: HashMap<String, String>,
}

/// A knowledge base that answers queries.
///
/// ```
/// use serde_json::json;
/// use worksheets::knowledge::{Content, Knowledge, Limits, Words, rows};
/// use worksheets::{Effect, Format, read};
///
/// let csv = "WS Name,Kind,Type,Name,Required\ninns,kb,,,\n,internal; primary,str,id,\n\
///            ,internal,str,area,TRUE\n,internal,text,about,\n";
/// let sheets = read(csv.as_bytes(), Format::Csv).unwrap();
/// let mut content = Content::default();
/// let table = rows("id,area,about\n1,south,A quiet garden.\n2,south,Loud music.\n").unwrap();
/// content.tables.insert("inns".to_owned(), table);
/// let mut inns = Knowledge::open(&sheets, &content, Limits::default()).unwrap();
///
/// let sql = "SELECT about FROM inns WHERE area = 'south' AND answer(about, 'a quiet garden?') = 'Yes'";
/// let Effect::Rows { rows, total, .. } = inns.ask(sql, &mut Words) else { panic!() };
/// assert_eq!((json!(rows), total), (json!([{"about": "A quiet garden.", "id": "1"}]), 1));
///
/// let missing = inns.ask("SELECT id FROM inns", &mut Words);
/// assert!(matches!(missing, Effect::Missing { missing, .. } if missing == ["inns.area"]));
/// ```
pub struct Knowledge<'s> {
    sheets: &'s Sheets,
    connection: Connection,
    limits: Limits,
    steps: Arc<AtomicU64>,
    judged: HashMap<(String, String), bool>,
}

impl<'s> Knowledge<'s> {
    /// Loads tables and documents. What does not fit its sheet is a problem with row and
    /// column.
    pub fn open(
        sheets: &'s Sheets,
        content: &Content,
        limits: Limits,
    ) -> Result<Self, Vec<Problem>> {
        let mut connection = Connection::open_in_memory().map_err(broken)?;
        let mut problems = Vec::new();
        for name in content.tables.keys().chain(content.documents.keys()) {
            if sheets
                .get(name)
                .is_none_or(|sheet| sheet.kind != SheetKind::Kb)
            {
                let message = format!("there is no kb sheet {name} for this content");
                problems.push(Problem::error("unknown-table", name, message));
            }
        }
        for sheet in sheets.all().iter().filter(|s| s.kind == SheetKind::Kb) {
            let found = if sheet.fields.is_empty() {
                let text = content.documents.get(&sheet.name);
                passages::load(&connection, sheet, text.map_or("", String::as_str))
            } else {
                let rows = content.tables.get(&sheet.name);
                load::table(
                    &mut connection,
                    sheets,
                    sheet,
                    rows.map_or(&[], Vec::as_slice),
                )
            };
            problems.extend(found.map_err(broken)?);
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let steps = Arc::new(AtomicU64::new(0));
        close(&mut connection, sheets, limits.steps, &steps).map_err(broken)?;
        Ok(Self {
            sheets,
            connection,
            limits,
            steps,
            judged: HashMap::new(),
        })
    }

    /// Answers one formal query: a `SELECT`, or `answer(collection, 'question')`. What is
    /// wrong with it is [`Effect::NoAnswer`], a sentence for the model that wrote it.
    pub fn ask(&mut self, sql: &str, reader: &mut dyn Reader) -> Effect {
        self.ask_with(sql, &IndexMap::new(), reader)
    }

    /// Answers a query with parameters that the user gave later, each `table.column` and the
    /// value that the column has to have.
    pub fn ask_with(
        &mut self,
        sql: &str,
        params: &IndexMap<String, Json>,
        reader: &mut dyn Reader,
    ) -> Effect {
        self.steps.store(0, Ordering::Relaxed);
        match self.answer(sql, params, reader) {
            Ok(effect) => effect,
            Err(why) => Effect::NoAnswer(why),
        }
    }

    fn answer(
        &mut self,
        sql: &str,
        params: &IndexMap<String, Json>,
        reader: &mut dyn Reader,
    ) -> Result<Effect, String> {
        match statement::parse(sql)? {
            statement::Statement::Collection { name, question } => {
                self.collection(sql, &name, &question, reader)
            }
            statement::Statement::Select(mut select) => {
                self.constrain(&mut select, params)?;
                self.select(sql, *select, reader)
            }
        }
    }

    fn kb(&self, name: &str) -> Option<&'s Sheet> {
        let found =
            |sheet: &&Sheet| sheet.kind == SheetKind::Kb && sheet.name.eq_ignore_ascii_case(name);
        self.sheets.all().iter().find(found)
    }
}

fn broken(error: rusqlite::Error) -> Vec<Problem> {
    let message = format!("the database cannot be made: {error}");
    vec![Problem::error("database", "", message)]
}

/// From here on only reading, of the sheets' tables, within limits.
fn close(
    connection: &mut Connection,
    sheets: &Sheets,
    most: u64,
    steps: &Arc<AtomicU64>,
) -> rusqlite::Result<()> {
    connection.pragma_update(None, "query_only", true)?;
    for (limit, value) in [
        (Limit::SQLITE_LIMIT_LENGTH, 4 << 20),
        (Limit::SQLITE_LIMIT_SQL_LENGTH, 20_000),
        (Limit::SQLITE_LIMIT_EXPR_DEPTH, 100),
        (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 10),
        (Limit::SQLITE_LIMIT_ATTACHED, 0),
        (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 200),
    ] {
        connection.set_limit(limit, value)?;
    }
    let steps = Arc::clone(steps);
    connection.progress_handler(
        1_000,
        Some(move || steps.fetch_add(1, Ordering::Relaxed) >= most),
    )?;
    let tables: Vec<String> = sheets
        .all()
        .iter()
        .filter(|sheet| sheet.kind == SheetKind::Kb)
        .map(|sheet| sheet.name.to_lowercase())
        .collect();
    connection.authorizer(Some(move |context: AuthContext<'_>| match context.action {
        AuthAction::Select => Authorization::Allow,
        AuthAction::Read { table_name, .. } => {
            let name = table_name.to_lowercase();
            // An FTS5 index keeps its content in tables beside it, `name text_data` and so on.
            let known = tables.iter().any(|table| {
                name.strip_prefix(table.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with(load::INDEX))
            });
            if known || name.is_empty() {
                Authorization::Allow
            } else {
                Authorization::Deny
            }
        }
        AuthAction::Function { function_name } => {
            let name = function_name.to_lowercase();
            if name == "load_extension" || name.starts_with("fts3") || name == "randomblob" {
                Authorization::Deny
            } else {
                Authorization::Allow
            }
        }
        // FTS5 asks for its version of the data when it reads.
        AuthAction::Pragma {
            pragma_name: "data_version",
            ..
        } => Authorization::Allow,
        _ => Authorization::Deny,
    }))
}
