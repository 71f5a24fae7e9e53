use std::collections::{HashMap, HashSet};

use super::Found;
use super::cycle;
use crate::desk::snake;
use crate::predicate::{Expr, Predicate, View};
use crate::problem::Problem;
use crate::sheets::{Column, FieldKind, SheetKind, Sheets};
use crate::state::State;

impl Found<'_> {
    /// Fields that wait for each other by their predicates, so that none of them is asked, and
    /// sheets that do: unless the user gives a value unasked, none of them is ever active.
    pub(super) fn waiting(&mut self) {
        let state = State::default();
        let waiting = Waiting::of(self.sheets, &View::new(self.sheets, &state));
        let (mut graph, mut others) = (Vec::new(), Vec::new());
        for (at, node) in waiting.nodes.iter().enumerate() {
            if !waiting.never[at] {
                continue;
            }
            let of = |other: usize| waiting.nodes[other].place.clone();
            let next: Vec<String> = waiting.needs(at).into_iter().map(of).collect();
            let sheet = &self.sheets.all()[node.sheet];
            let (written, column) = match node.field {
                Some(field) => (sheet.fields[field].at, Column::Predicate),
                None => (sheet.at, Column::SheetPredicate),
            };
            let is_first = !waiting.predicates(node).is_empty();
            if node.predicate.is_some() && next.is_empty() {
                let message = "the predicate never holds, whatever the user says";
                let problem = Problem::warning("never-holds", &node.place, message);
                self.push(problem, written, column);
            }
            let node = cycle::Node {
                place: node.place.clone(),
                at: written,
                column: is_first.then_some(column),
                next,
            };
            // A circle is told of at a predicate.
            match is_first {
                true => graph.push(node),
                false => others.push(node),
            }
        }
        graph.append(&mut others);
        let why = "is never active: it waits for itself";
        self.report(&graph, "predicate-cycle", why);
    }
}

/// How much may be read by predicates; of more, no circle is looked for.
const MOST: usize = 1_000_000;

/// A sheet, or a field of one, that may never be active.
struct Node<'s> {
    place: String,
    sheet: usize,
    field: Option<usize>,
    predicate: Option<&'s Predicate>,
}

/// The largest set of fields without a value and sheets without a record that stays so whatever
/// the user answers.
struct Waiting<'s> {
    sheets: &'s Sheets,
    nodes: Vec<Node<'s>>,
    never: Vec<bool>,
    index: HashMap<(usize, Option<usize>), usize>,
    /// The fields of a name, each with its sheet.
    named: HashMap<&'s str, Vec<(usize, usize)>>,
    /// The fields that hold records of a sheet.
    holders: HashMap<usize, Vec<(usize, usize)>>,
    variables: HashSet<String>,
}

impl<'s> Waiting<'s> {
    fn of(sheets: &'s Sheets, view: &View<'s>) -> Self {
        let mut out = Self {
            sheets,
            nodes: Vec::new(),
            never: Vec::new(),
            index: HashMap::new(),
            named: HashMap::new(),
            holders: HashMap::new(),
            variables: sheets.all().iter().map(|s| snake(&s.name)).collect(),
        };
        let in_code = words_of_code(sheets);
        let tasks = sheets.all().iter().enumerate();
        for (at, sheet) in tasks.filter(|(_, sheet)| sheet.kind == SheetKind::Task) {
            let compiled = sheets.compiled(at);
            if !in_code.contains(sheet.name.as_str()) {
                out.add(
                    at,
                    None,
                    sheet.name.clone(),
                    compiled.predicate.as_ref().ok(),
                );
            }
            for (place, (field, compiled)) in sheet.fields.iter().zip(&compiled.fields).enumerate()
            {
                out.named.entry(&field.name).or_default().push((at, place));
                if let Some(held) = compiled.holds {
                    out.holders.entry(held).or_default().push((at, place));
                }
                // Others get their values from elsewhere than from a question.
                let asked = field.kind == FieldKind::Input && !field.dont_ask;
                if asked && field.default.is_empty() && !in_code.contains(field.name.as_str()) {
                    let name = format!("{}.{}", sheet.name, field.name);
                    out.add(at, Some(place), name, compiled.predicate.as_ref().ok());
                }
            }
        }
        out.shrink(view);
        out
    }

    fn add(
        &mut self,
        sheet: usize,
        field: Option<usize>,
        place: String,
        of: Option<&'s Predicate>,
    ) {
        self.index.insert((sheet, field), self.nodes.len());
        self.never.push(true);
        self.nodes.push(Node {
            place,
            sheet,
            field,
            predicate: of.filter(|predicate| !predicate.is_empty()),
        });
    }

    /// Takes out what may become active, and looks again at what reads it.
    fn shrink(&mut self, view: &View<'s>) {
        let mut readers: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        let mut count = 0;
        for at in 0..self.nodes.len() {
            let needs = self.needs(at);
            count += needs.len();
            if count > MOST {
                self.never.fill(false);
                return;
            }
            for read in needs {
                readers[read].push(at);
            }
        }
        let mut open: Vec<usize> = (0..self.nodes.len()).rev().collect();
        while let Some(at) = open.pop() {
            if self.never[at] && !self.is_never(at, view) {
                self.never[at] = false;
                open.extend(readers[at].iter().filter(|reader| self.never[**reader]));
            }
        }
    }

    fn is_never(&self, at: usize, view: &View<'s>) -> bool {
        let node = &self.nodes[at];
        let absent = |expr: &Expr| self.absent(node.sheet, expr);
        let predicates = self.predicates(node);
        let mut predicates = predicates.iter();
        predicates.any(|predicate| view.never_holds(predicate, &absent))
            || node.field.is_some() && self.is_unreachable(node.sheet)
    }

    /// The predicates of a node that say anything: its own, and that of the sheet it holds.
    fn predicates(&self, node: &Node<'s>) -> Vec<&'s Predicate> {
        let compiled = |field: usize| &self.sheets.compiled(node.sheet).fields[field];
        let held = node.field.and_then(|field| compiled(field).holds);
        let of_held = held.and_then(|held| self.sheets.compiled(held).predicate.as_ref().ok());
        let of_held = of_held.filter(|predicate| !predicate.is_empty());
        node.predicate.into_iter().chain(of_held).collect()
    }

    /// Whether a sheet is a part of others only, and none of the fields that hold it is active.
    fn is_unreachable(&self, sheet: usize) -> bool {
        let held = self.holders.get(&sheet);
        self.index.contains_key(&(sheet, None))
            && held.is_some_and(|held| {
                held.iter()
                    .all(|(sheet, field)| self.has_never(*sheet, Some(*field)))
            })
    }

    fn has_never(&self, sheet: usize, field: Option<usize>) -> bool {
        let at = self.index.get(&(sheet, field));
        at.is_some_and(|at| self.never[*at])
    }

    /// The fields that a name may speak of, read in a record of a sheet.
    fn fields(&self, sheet: usize, name: &str) -> Vec<(usize, usize)> {
        match self.sheets.all()[sheet].field(name) {
            Some(own) => vec![(sheet, own)],
            None => self.named.get(name).cloned().unwrap_or_default(),
        }
    }

    fn absent(&self, sheet: usize, expr: &Expr) -> bool {
        let name = match expr {
            Expr::Done(name) => {
                let found = self.sheets.find(name);
                return found.is_some_and(|sheet| self.has_never(sheet, None));
            }
            Expr::Attribute(_, name) => name,
            // Where no field of that name has a value, it is a record's variable.
            Expr::Name(name) if !self.is_variable(name) => name,
            _ => return false,
        };
        let fields = self.fields(sheet, name);
        let never = |(sheet, field): &(usize, usize)| self.has_never(*sheet, Some(*field));
        !fields.is_empty() && fields.iter().all(never)
    }

    fn is_variable(&self, name: &str) -> bool {
        let plain = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_');
        self.variables.contains(name) || self.variables.contains(plain)
    }

    /// What a sheet or a field waits for, of those that may never be active.
    fn needs(&self, at: usize) -> Vec<usize> {
        let node = &self.nodes[at];
        let mut out = Vec::new();
        for predicate in self.predicates(node) {
            for name in predicate.names() {
                let fields = self.fields(node.sheet, &name);
                out.extend(fields.iter().map(|(sheet, field)| (*sheet, Some(*field))));
            }
            let done = predicate.sheets();
            let done = done.iter().filter_map(|name| self.sheets.find(name));
            out.extend(done.map(|sheet| (sheet, None)));
        }
        if node.field.is_some() && self.index.contains_key(&(node.sheet, None)) {
            let held = self.holders.get(&node.sheet).into_iter().flatten();
            out.extend(held.map(|(sheet, field)| (*sheet, Some(*field))));
        }
        let known = out
            .iter()
            .filter_map(|place| self.index.get(place).copied());
        known.filter(|at| self.never[*at]).collect()
    }
}

/// The words of all cells of code: fields that they may set, sheets that they may open.
fn words_of_code(sheets: &Sheets) -> HashSet<&str> {
    let cells = sheets.all().iter().flat_map(|sheet| {
        let fields = sheet.fields.iter().map(|field| field.action.as_str());
        fields.chain([sheet.action.as_str()])
    });
    cells
        .flat_map(|code| code.split(|c: char| !c.is_alphanumeric() && c != '_'))
        .filter(|word| !word.is_empty())
        .collect()
}
