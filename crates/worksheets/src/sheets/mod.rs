//! Sheets: what their owner wrote, and what follows from it before any dialogue.

mod column;
mod kind;
mod sheet;

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value as Json, json};
use sha2::{Digest, Sha256};

pub use column::Column;
pub use kind::{FieldKind, SheetKind, Type};
pub use sheet::{Field, Sheet};

use crate::predicate::{Predicate, Unreadable};
use crate::problem::{At, Problem};
use crate::read::cell_name;

/// The sheets of one agent.
///
/// ```
/// let csv = "WS Name,Kind,Type,Name,Required\nOrder,task,,,\n,input,str,size,TRUE\n";
/// let sheets = worksheets::read(csv.as_bytes(), worksheets::Format::Csv).unwrap();
/// assert_eq!(sheets.main().unwrap().name, "Order");
/// assert!(sheets.get("Order").unwrap().fields[0].required);
/// ```
#[derive(Clone, Debug)]
pub struct Sheets {
    list: Vec<Sheet>,
    index: HashMap<String, usize>,
    compiled: Vec<Compiled>,
    /// What was odd in the file, but could be read.
    pub(crate) remarks: Vec<Problem>,
    /// The columns of the table that was read, in its order.
    pub(crate) columns: Vec<Option<Column>>,
}

/// The predicates of one sheet, read once.
#[derive(Clone, Debug)]
pub(crate) struct Compiled {
    pub(crate) predicate: Result<Predicate, Unreadable>,
    pub(crate) fields: Vec<CompiledField>,
    pub(crate) root: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct CompiledField {
    pub(crate) predicate: Result<Predicate, Unreadable>,
    pub(crate) validation: Result<Predicate, Unreadable>,
    /// The task sheet whose records the field holds.
    pub(crate) holds: Option<usize>,
}

impl Sheets {
    /// Sheets in the order of their owner. The first of two with one name counts.
    pub fn new(list: Vec<Sheet>) -> Self {
        let mut index = HashMap::new();
        for (at, sheet) in list.iter().enumerate() {
            index.entry(sheet.name.clone()).or_insert(at);
        }
        let held: HashSet<&str> = list
            .iter()
            .filter(|sheet| sheet.kind == SheetKind::Task)
            .flat_map(|sheet| &sheet.fields)
            .filter_map(|field| match field.ty.item() {
                Type::Named(name) => Some(name.as_str()),
                _ => None,
            })
            .collect();
        let compiled = list
            .iter()
            .map(|sheet| Compiled {
                predicate: Predicate::parse(&sheet.predicate),
                root: sheet.kind == SheetKind::Task && !held.contains(sheet.name.as_str()),
                fields: sheet
                    .fields
                    .iter()
                    .map(|field| CompiledField {
                        predicate: Predicate::parse(&field.predicate),
                        validation: Predicate::parse(&field.validation),
                        holds: match &field.ty {
                            Type::Named(name) => index
                                .get(name)
                                .copied()
                                .filter(|&at| list[at].kind == SheetKind::Task),
                            _ => None,
                        },
                    })
                    .collect(),
            })
            .collect();
        Self {
            list,
            index,
            compiled,
            remarks: Vec::new(),
            columns: Vec::new(),
        }
    }

    /// All sheets, in order.
    pub fn all(&self) -> &[Sheet] {
        &self.list
    }

    /// The cell of what was read there; the name of the column where the file is no table.
    pub(crate) fn cell(&self, at: At, column: Column) -> String {
        let found = self.columns.iter().position(|known| *known == Some(column));
        match found {
            Some(index) if at.row > 0 => cell_name(index, at.row),
            _ => column.key().to_owned(),
        }
    }

    /// The sheet with a name.
    pub fn get(&self, name: &str) -> Option<&Sheet> {
        self.find(name).map(|at| &self.list[at])
    }

    /// Whether a sheet is a task sheet that is no field's type.
    pub fn is_root(&self, name: &str) -> bool {
        self.find(name).is_some_and(|at| self.compiled[at].root)
    }

    /// The first root sheet.
    pub fn main(&self) -> Option<&Sheet> {
        self.roots().next()
    }

    /// The root sheets, in order.
    pub fn roots(&self) -> impl Iterator<Item = &Sheet> {
        self.list
            .iter()
            .zip(&self.compiled)
            .filter(|(_, compiled)| compiled.root)
            .map(|(sheet, _)| sheet)
    }

    /// Whether a task sheet holds another one in its fields, or further below.
    pub fn reaches(&self, from: &str, to: &str) -> bool {
        let (mut open, mut seen) = (vec![from.to_owned()], HashSet::new());
        while let Some(name) = open.pop() {
            let Some(sheet) = self.get(&name) else {
                continue;
            };
            for field in &sheet.fields {
                if let (Type::Named(held), FieldKind::Input) = (&field.ty, field.kind) {
                    if held == to {
                        return true;
                    }
                    if seen.insert(held.clone()) {
                        open.push(held.clone());
                    }
                }
            }
        }
        false
    }

    /// The sheets as the conformance cases of kind `load` write them.
    pub fn spec(&self) -> Json {
        let sheets: Vec<Json> = self
            .list
            .iter()
            .zip(&self.compiled)
            .map(|(sheet, compiled)| sheet.spec(compiled.root))
            .collect();
        let mut out = Map::new();
        if let Some(main) = self.main() {
            out.insert("main".to_owned(), json!(main.name));
        }
        out.insert("sheets".to_owned(), Json::Array(sheets));
        Json::Object(out)
    }

    /// What tells these sheets from changed ones: the SHA-256 of their content.
    pub fn digest(&self) -> String {
        crate::canonical::hex(&Sha256::digest(self.spec().to_string()))
    }

    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        self.index.get(name).copied()
    }

    pub(crate) fn compiled(&self, at: usize) -> &Compiled {
        &self.compiled[at]
    }

    /// The task sheet with a name.
    pub(crate) fn task(&self, name: &str) -> Option<&Sheet> {
        self.get(name).filter(|sheet| sheet.kind == SheetKind::Task)
    }
}
