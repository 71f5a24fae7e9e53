use std::collections::HashMap;

use super::Found;
use crate::problem::{At, Problem};
use crate::sheets::{Column, SheetKind, Type};

/// A place and where it leads.
type Graph = HashMap<String, (At, Vec<String>)>;

impl Found<'_> {
    /// Fields that make each other stale, and sheets that cannot be filled in because each
    /// needs the other.
    pub(super) fn cycles(&mut self) {
        let (mut resets, mut needs) = (Graph::new(), Graph::new());
        let (mut fields, mut sheets) = (Vec::new(), Vec::new());
        for sheet in self.sheets.all() {
            let mut needed = Vec::new();
            for field in &sheet.fields {
                let place = format!("{}.{}", sheet.name, field.name);
                let named = field
                    .reset
                    .iter()
                    .map(|name| format!("{}.{name}", sheet.name));
                resets.insert(place.clone(), (field.at, named.collect()));
                fields.push(place);
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
                needs
                    .entry(sheet.name.clone())
                    .or_insert((sheet.at, needed));
                sheets.push(sheet.name.clone());
            }
        }
        self.report(
            &fields,
            &resets,
            "reset-cycle",
            Column::Reset,
            "makes itself stale",
        );
        let why = "can never be complete: it needs itself";
        self.report(&sheets, &needs, "required-cycle", Column::SheetName, why);
    }

    fn report(
        &mut self,
        order: &[String],
        graph: &Graph,
        rule: &'static str,
        column: Column,
        why: &str,
    ) {
        for start in order {
            let Some(path) = round(start, graph) else {
                continue;
            };
            // A circle is told of once, at its first place.
            let earlier = order.iter().take_while(|place| *place != start);
            if earlier.into_iter().any(|place| path.contains(place)) {
                continue;
            }
            let at = graph.get(start).map(|(at, _)| *at).unwrap_or_default();
            let message = format!("{start} {why} ({})", path.join(" → "));
            self.push(Problem::error(rule, start, message), at, column);
        }
    }
}

/// The shortest way from a place back to itself.
fn round(start: &str, graph: &Graph) -> Option<Vec<String>> {
    let mut paths = std::collections::VecDeque::from([vec![start.to_owned()]]);
    let mut seen = std::collections::HashSet::new();
    while let Some(path) = paths.pop_front() {
        let next = graph.get(path.last()?).map(|(_, next)| next.clone())?;
        for next in next {
            if next == start {
                let mut path = path;
                path.push(next);
                return Some(path);
            }
            if graph.contains_key(&next) && seen.insert(next.clone()) {
                let mut longer = path.clone();
                longer.push(next);
                paths.push_back(longer);
            }
        }
    }
    None
}
