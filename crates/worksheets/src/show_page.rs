//! Sheets as a page: the tree, and a diagram with an arrow for each dependence.

use std::fmt::Write as _;

use crate::desk::snake;
use crate::predicate::Predicate;
use crate::sheets::{Field, Sheet, SheetKind, Sheets, Type};
use crate::show::show;

/// The height of a line of the diagram, and the place where arrows begin.
const LINE: usize = 22;
const RIGHT: usize = 330;

/// A page without scripts: the tree of [`show()`], then every field in a line with arrows from
/// what it depends on. A field of a form that stands in the field is reached by a dashed arrow.
///
/// ```
/// use worksheets::{Format, read, show_page};
///
/// let csv = "WS Name,Predicate,Kind,Type,Name\nOrder,,,task,\n,,input,str,size\n\
///            ,self.size,input,int,count\n";
/// let page = show_page(&read(csv.as_bytes(), Format::Csv).unwrap(), "pizza");
/// assert!(page.contains("<title>Order.count: if self.size</title>"));
/// ```
pub fn show_page(sheets: &Sheets, title: &str) -> String {
    let diagram = Diagram::of(sheets);
    let title = escape(title);
    let mut out = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title>\n\
         <style>body{{font-family:sans-serif}}svg text{{font:14px sans-serif}}\
         svg .sheet{{font-weight:bold}}svg path{{fill:none;stroke:#456;stroke-width:1.5}}\
         svg .holds{{stroke-dasharray:4 3;stroke:#a63}}svg path:hover{{stroke-width:4}}</style>\n\
         <h1>{title}</h1>\n<h2>What is asked, and when</h2>\n<pre>{}</pre>\n\
         <h2>What depends on what</h2>\n",
        escape(&show(sheets))
    );
    let height = diagram.lines.len() * LINE + LINE;
    let _ = writeln!(
        out,
        "<svg role=\"img\" aria-label=\"an arrow for each dependence\" width=\"900\" \
         height=\"{height}\"><defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" \
         markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" \
         style=\"fill:#456;stroke:none\"/></marker></defs>"
    );
    for (at, (name, is_sheet)) in diagram.lines.iter().enumerate() {
        let (x, class) = match is_sheet {
            true => (4, " class=\"sheet\""),
            false => (24, ""),
        };
        let y = middle(at) + 5;
        let _ = writeln!(
            out,
            "<text x=\"{x}\" y=\"{y}\"{class}>{}</text>",
            escape(name)
        );
    }
    for arrow in &diagram.arrows {
        let (from, to) = (middle(arrow.from), middle(arrow.to));
        let far = RIGHT + 30 + from.abs_diff(to).min(500);
        let class = if arrow.holds { " class=\"holds\"" } else { "" };
        let _ = writeln!(
            out,
            "<path{class} marker-end=\"url(#tip)\" d=\"M{RIGHT} {from}C{far} {from} {far} {to} \
             {RIGHT} {to}\"><title>{}</title></path>",
            escape(&arrow.why)
        );
    }
    out.push_str("</svg>\n</html>\n");
    out
}

fn middle(at: usize) -> usize {
    at * LINE + LINE / 2
}

struct Arrow {
    from: usize,
    to: usize,
    /// Whether it leads from a field to the form that stands in it.
    holds: bool,
    why: String,
}

struct Diagram<'s> {
    sheets: &'s Sheets,
    /// What each line has, and whether that is a sheet.
    lines: Vec<(String, bool)>,
    /// The line of each sheet.
    starts: Vec<usize>,
    arrows: Vec<Arrow>,
}

impl<'s> Diagram<'s> {
    fn of(sheets: &'s Sheets) -> Self {
        let mut out = Self {
            sheets,
            lines: Vec::new(),
            starts: Vec::new(),
            arrows: Vec::new(),
        };
        for sheet in sheets.all() {
            out.starts.push(out.lines.len());
            out.lines.push((sheet.name.clone(), true));
            let fields = sheet.fields.iter();
            out.lines
                .extend(fields.map(|field| (field.name.clone(), false)));
        }
        for (at, sheet) in sheets.all().iter().enumerate() {
            let start = out.starts[at];
            let why = format!("{}: if {}", sheet.name, sheet.predicate);
            out.condition(sheet, &sheet.predicate, start, &why);
            for (number, field) in sheet.fields.iter().enumerate() {
                out.field(sheet, field, start + 1 + number);
            }
        }
        out
    }

    fn field(&mut self, sheet: &Sheet, field: &Field, line: usize) {
        let place = format!("{}.{}", sheet.name, field.name);
        let why = format!("{place}: if {}", field.predicate);
        self.condition(sheet, &field.predicate, line, &why);
        for name in &field.reset {
            let why = format!("{place}: asked anew after {name}");
            self.arrow_from(sheet, name, line, &why);
        }
        let held = match field.ty.item() {
            Type::Named(name) => self.sheets.all().iter().position(|s| s.name == *name),
            _ => None,
        };
        if let Some(held) = held.filter(|held| self.sheets.all()[*held].kind == SheetKind::Task) {
            self.arrows.push(Arrow {
                from: line,
                to: self.starts[held],
                holds: true,
                why: format!("{place} holds {}", self.sheets.all()[held].name),
            });
        }
    }

    fn condition(&mut self, sheet: &Sheet, predicate: &str, line: usize, why: &str) {
        let names = Predicate::parse(predicate).map(|read| read.names());
        for name in names.unwrap_or_default() {
            self.arrow_from(sheet, &name, line, why);
        }
    }

    /// An arrow from the field or the sheet that a name means: a field of the sheet itself, else
    /// of the first that has one, else a record.
    fn arrow_from(&mut self, sheet: &Sheet, name: &str, line: usize, why: &str) {
        let all = self.sheets.all();
        let own = all.iter().position(|other| other.name == sheet.name);
        let others = 0..all.len();
        let mut looked = own.into_iter().chain(others);
        let field = looked.find_map(|at| Some(self.starts[at] + 1 + all[at].field(name)?));
        let record = || {
            let found = all
                .iter()
                .position(|other| other.name == name || snake(&other.name) == name)?;
            Some(self.starts[found])
        };
        if let Some(from) = field.or_else(record) {
            self.arrows.push(Arrow {
                from,
                to: line,
                holds: false,
                why: why.to_owned(),
            });
        }
    }
}

/// A text within a page.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
