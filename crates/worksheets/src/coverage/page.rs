use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Gap, SHOWN};
use crate::sheets::{Column, Field, Sheets};
use crate::show_page::escape;

/// A page: the lines, then each sheet as a table. The more a field was used, the darker it is. Its
/// gaps are listed beside it.
pub(super) fn page(
    sheets: &Sheets,
    title: &str,
    lines: &[&str],
    counts: &BTreeMap<String, u64>,
    gaps: &[Gap],
) -> String {
    let most = counts.values().copied().max().unwrap_or(0).max(1);
    let title = escape(title);
    let mut out = format!(
        "<!doctype html><meta charset=\"utf-8\"><title>{title}</title>\
         <style>body{{font-family:sans-serif}}table{{border-collapse:collapse}}\
         td,th{{border:1px solid #bbb;padding:.3em;text-align:left}}</style>\n<h1>{title}</h1>\n"
    );
    for line in lines {
        let _ = writeln!(out, "<p>{}</p>", escape(line));
    }
    for gap in gaps.iter().filter(|gap| gap.what == "never performed") {
        let _ = writeln!(out, "<p>{}: never performed</p>", escape(&gap.place));
    }
    let lacks = |place: &str| {
        let gaps: Vec<&str> = gaps
            .iter()
            .filter(|gap| gap.place == place)
            .map(|gap| gap.what.as_str())
            .collect();
        escape(&gaps.join(", "))
    };
    for sheet in sheets.all() {
        let name = escape(&sheet.name);
        let _ = write!(
            out,
            "<h2>{name}</h2><p>{}</p><table><tr>",
            lacks(&sheet.name)
        );
        for column in SHOWN {
            let _ = write!(out, "<th>{}</th>", column.header());
        }
        out.push_str("<th>Used</th><th>Never</th></tr>\n");
        for field in &sheet.fields {
            let place = format!("{}.{}", sheet.name, field.name);
            let used = counts.get(&place).copied().unwrap_or(0);
            let heat = used * 60 / most;
            let _ = write!(
                out,
                "<tr style=\"background:hsl(120 60% {}%)\">",
                100 - heat
            );
            for column in SHOWN {
                let _ = write!(out, "<td>{}</td>", escape(&cell(field, column)));
            }
            let _ = writeln!(out, "<td>{used}</td><td>{}</td></tr>", lacks(&place));
        }
        out.push_str("</table>\n");
    }
    out
}

fn cell(field: &Field, column: Column) -> String {
    match column {
        Column::Name => field.name.clone(),
        Column::Type => field.ty.name(),
        Column::Predicate => field.predicate.clone(),
        _ => field.description.clone(),
    }
}
