use std::collections::HashMap;

use super::Found;
use super::circle::circles;
use crate::problem::{At, Problem};
use crate::sheets::{Column, SheetKind, Type};

/// A place, where it is written, and the places that it leads to, by a column if any.
pub(super) struct Node {
    pub(super) place: String,
    pub(super) at: At,
    pub(super) column: Option<Column>,
    pub(super) next: Vec<String>,
}

impl Found<'_> {
    /// Fields that make each other stale, and sheets that cannot be filled in because each
    /// needs the other.
    pub(super) fn cycles(&mut self) {
        let (mut resets, mut needs) = (Vec::new(), Vec::new());
        for sheet in self.sheets.all() {
            let mut needed = Vec::new();
            for field in &sheet.fields {
                let of = |name: &String| format!("{}.{name}", sheet.name);
                resets.push(Node {
                    place: of(&field.name),
                    at: field.at,
                    column: Some(Column::Reset),
                    next: field.reset.iter().map(of).collect(),
                });
                if let Type::Named(held) = &field.ty
                    && field.is_required()
                    && field.predicate.is_empty()
                    && self
                        .sheets
                        .task(held)
                        .is_some_and(|held| held.predicate.is_empty())
                {
                    needed.push(held.clone());
                }
            }
            if sheet.kind == SheetKind::Task {
                needs.push(Node {
                    place: sheet.name.clone(),
                    at: sheet.at,
                    column: Some(Column::SheetName),
                    next: needed,
                });
            }
        }
        self.report(&resets, "reset-cycle", "makes itself stale");
        let why = "can never be complete: it needs itself";
        self.report(&needs, "required-cycle", why);
    }

    /// Tells of the circles of a graph, each at its first place, which has a column.
    pub(super) fn report(&mut self, graph: &[Node], rule: &'static str, why: &str) {
        let mut index = HashMap::new();
        for (at, node) in graph.iter().enumerate() {
            index.entry(node.place.as_str()).or_insert(at);
        }
        let known = |name: &String| index.get(name.as_str()).copied();
        let next = |node: &Node| node.next.iter().filter_map(known).collect();
        let next: Vec<Vec<usize>> = graph.iter().map(next).collect();
        for circle in circles(&next) {
            let first = circle.first().map(|&at| &graph[at]);
            let Some((first, column)) = first.and_then(|first| Some((first, first.column?))) else {
                continue;
            };
            let shown = circle.iter().map(|&at| graph[at].place.as_str());
            let way = match circle.len() {
                0..=SHOWN => shown.collect::<Vec<_>>().join(" → "),
                more => {
                    let shown: Vec<_> = shown.take(SHOWN).collect();
                    format!("{} → … ({} more)", shown.join(" → "), more - SHOWN)
                }
            };
            let message = format!("{} {why} ({way})", first.place);
            let problem = Problem::error(rule, &first.place, message);
            self.push(problem, first.at, column);
        }
    }
}

/// The most places of a circle that a message names.
const SHOWN: usize = 12;
