//! Sheets as a diagram in text: what stands below what, and what depends on what.

use std::collections::HashSet;
use std::fmt::Write as _;

use crate::predicate::Predicate;
use crate::sheets::{Field, FieldKind, Sheet, SheetKind, Sheets, Type};
use crate::text::counted;

/// How many forms within forms are drawn in one tree.
const DEEP: usize = 12;

/// The forms below each root sheet, with marks, conditions and effects; then forms that stand
/// below no root, or too far below one; then tables.
///
/// ```
/// use worksheets::{Format, read, show};
///
/// let csv = "WS Name,Predicate,Kind,Type,Name,Required\nOrder,,,task,place(self.size),\n\
///            ,,input,str,size,TRUE\n,self.size,input,int,count,\n";
/// let sheets = read(csv.as_bytes(), Format::Csv).unwrap();
/// assert_eq!(show(&sheets), "\
/// Order  (opened first)
/// ├─ size: str, required
/// ├─ count: int
/// │    if self.size  ← size
/// └─ then place(self.size)  ← size
/// ");
/// ```
pub fn show(sheets: &Sheets) -> String {
    if sheets.all().is_empty() {
        return "there are no sheets\n".to_owned();
    }
    let mut drawing = Drawing {
        sheets,
        drawn: HashSet::new(),
        out: String::new(),
    };
    let main = sheets.main().map(|sheet| sheet.name.as_str());
    for sheet in sheets.roots() {
        let opened = if main == Some(sheet.name.as_str()) {
            "opened first"
        } else if sheet.predicate.is_empty() {
            "opened by the user"
        } else {
            "opened when its condition holds"
        };
        drawing.tree(sheet, opened);
    }
    let (tasks, others): (Vec<_>, Vec<_>) =
        sheets.all().iter().partition(|s| s.kind == SheetKind::Task);
    for sheet in tasks {
        if !drawing.drawn.contains(sheet.name.as_str()) {
            drawing.tree(sheet, "opened as a part of other sheets");
        }
    }
    for sheet in others {
        let what = match (sheet.kind, sheet.fields.is_empty()) {
            (SheetKind::Row, _) => "rows",
            (_, true) => "documents",
            (_, false) => "table",
        };
        drawing.tree(sheet, what);
    }
    drawing.out
}

struct Drawing<'s> {
    sheets: &'s Sheets,
    /// The sheets whose fields have been drawn: each is drawn once.
    drawn: HashSet<&'s str>,
    out: String,
}

impl<'s> Drawing<'s> {
    fn tree(&mut self, sheet: &'s Sheet, what: &str) {
        let _ = writeln!(self.out, "{}  ({what})", sheet.name);
        if sheet.kind == SheetKind::Task {
            condition(&mut self.out, "", &sheet.predicate);
        }
        self.form(sheet, "", 0);
    }

    fn form(&mut self, sheet: &'s Sheet, indent: &str, depth: usize) {
        self.drawn.insert(&sheet.name);
        let mut last = Vec::new();
        if !sheet.rows.is_empty() {
            last.push(format!("rows are {}", sheet.rows.join(", ")));
        }
        if !sheet.backend.is_empty() {
            last.push(format!("then {}{}", sheet.backend, reads(&sheet.backend)));
        }
        if !sheet.action.is_empty() {
            last.push(format!("then {}", first_line(&sheet.action)));
        }
        let count = sheet.fields.len() + last.len();
        for (at, field) in sheet.fields.iter().enumerate() {
            let ends = at + 1 == count;
            let (branch, below) = if ends {
                ("└─", "   ")
            } else {
                ("├─", "│  ")
            };
            let _ = writeln!(
                self.out,
                "{indent}{branch} {}: {}",
                field.name,
                marks(field)
            );
            let inner = format!("{indent}{below}");
            condition(&mut self.out, &inner, &field.predicate);
            if !field.validation.is_empty() {
                let _ = writeln!(self.out, "{inner}  valid if {}", field.validation);
            }
            if !field.reset.is_empty() {
                let _ = writeln!(
                    self.out,
                    "{inner}  asked anew after {}",
                    field.reset.join(", ")
                );
            }
            if !field.action.is_empty() {
                let _ = writeln!(self.out, "{inner}  does {}", first_line(&field.action));
            }
            let held = match &field.ty {
                Type::Named(name) => self.sheets.task(name),
                _ => None,
            };
            if let Some(held) = held {
                condition(&mut self.out, &inner, &held.predicate);
                if self.drawn.contains(held.name.as_str()) {
                    let _ = writeln!(self.out, "{inner}└─ … as above");
                } else if depth == DEEP {
                    let _ = writeln!(self.out, "{inner}└─ … as below");
                } else {
                    self.form(held, &inner, depth + 1);
                }
            }
        }
        for (at, line) in last.iter().enumerate() {
            let branch = if at + 1 == last.len() {
                "└─"
            } else {
                "├─"
            };
            let _ = writeln!(self.out, "{indent}{branch} {line}");
        }
    }
}

fn marks(field: &Field) -> String {
    let mut marks = vec![field.ty.name()];
    if field.ty == Type::Enum {
        marks[0] = format!("one of {}", field.options.join(" / "));
    }
    let kind = match field.kind {
        FieldKind::Input => "",
        FieldKind::Internal => "internal",
        FieldKind::Output => "output",
    };
    let flags = [
        (field.primary, "key"),
        (field.dont_ask, "not asked"),
        (field.required && !field.dont_ask, "required"),
        (field.confirm, "confirmed"),
    ];
    marks.extend((!kind.is_empty()).then(|| kind.to_owned()));
    let flags = flags.iter().filter(|(set, _)| *set);
    marks.extend(flags.map(|(_, name)| (*name).to_owned()));
    if !field.default.is_empty() {
        marks.push(format!("at first {}", field.default));
    }
    marks.join(", ")
}

fn condition(out: &mut String, indent: &str, predicate: &str) {
    if predicate.is_empty() {
        return;
    }
    let names = Predicate::parse(predicate)
        .map(|p| p.names())
        .unwrap_or_default();
    let arrow = if names.is_empty() {
        String::new()
    } else {
        format!("  ← {}", names.join(", "))
    };
    let predicate = predicate.split_whitespace().collect::<Vec<_>>().join(" ");
    let _ = writeln!(out, "{indent}  if {predicate}{arrow}");
}

/// The fields that an expression reads as `self.field`.
fn reads(code: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    for part in code.split("self.").skip(1) {
        let end = part.find(|c: char| !c.is_alphanumeric() && c != '_');
        let name = &part[..end.unwrap_or(part.len())];
        if !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    }
    if names.is_empty() {
        String::new()
    } else {
        format!("  ← {}", names.join(", "))
    }
}

fn first_line(code: &str) -> String {
    let mut lines = code.lines();
    let first = lines.next().unwrap_or_default().trim_end();
    match lines.count() {
        0 => first.to_owned(),
        more => format!("{first} … ({})", counted(more, "more line")),
    }
}
