//! API documents: Python files in which each function is an operation.

use super::tree::{is_shallow, with_room};
use ruff_python_ast::Stmt;
use ruff_python_parser::parse_module;
use ruff_text_size::Ranged;
use std::ops::Range;

/// A Python file without the functions that are chosen by name, at the top level and in
/// classes. A comment heads the functions up to the next comment and is removed if all of them
/// are. A comment at the start of the file always stays. Text that is not Python is returned
/// unchanged.
pub fn without_functions(text: &str, is_chosen: impl Fn(&str) -> bool + Sync) -> String {
    if !is_shallow(text) {
        return text.to_owned();
    }
    let cut = with_room(|| {
        let parsed = parse_module(text).ok()?;
        let mut cut = Vec::new();
        choose(
            text,
            0..text.len(),
            &parsed.syntax().body,
            &is_chosen,
            &mut cut,
        );
        Some(cut)
    });
    let (mut kept, mut end) = (String::with_capacity(text.len()), 0);
    for range in cut.unwrap_or_default() {
        kept.push_str(text.get(end..range.start).unwrap_or_default());
        end = range.end;
    }
    kept.push_str(text.get(end..).unwrap_or_default());
    kept
}

/// A comment, and whether the functions that follow it are all cut so far.
struct Section {
    comment: Range<usize>,
    is_empty: Option<bool>,
}

/// Collects the ranges to cut of the statements in this part of the text, in order.
fn choose(
    text: &str,
    part: Range<usize>,
    body: &[Stmt],
    is_chosen: &dyn Fn(&str) -> bool,
    cut: &mut Vec<Range<usize>>,
) {
    let mut found = Vec::new();
    let mut section = None;
    let mut end = part.start;
    for (number, statement) in body.iter().enumerate() {
        let range = statement.range();
        let start = line_start(text, range.start().to_usize());
        if let Some(comment) = comment(text, end..start).filter(|comment| comment.start > 0) {
            close(
                section.replace(Section {
                    comment,
                    is_empty: None,
                }),
                &mut found,
            );
        }
        end = range.end().to_usize();
        let next = body.get(number + 1).map_or(part.end, |next| {
            line_start(text, next.range().start().to_usize())
        });
        let is_cut = match statement {
            Stmt::FunctionDef(function) => is_chosen(&function.name),
            Stmt::ClassDef(class) => {
                choose(
                    text,
                    range.start().to_usize()..end,
                    &class.body,
                    is_chosen,
                    &mut found,
                );
                false
            }
            _ => false,
        };
        if let Some(section) = &mut section {
            section.is_empty = Some(section.is_empty.unwrap_or(true) && is_cut);
        }
        if is_cut {
            found.push(start..blank_end(text, end, next));
        }
    }
    close(section, &mut found);
    found.sort_by_key(|range| range.start);
    cut.extend(found);
}

/// Cuts the comment of a section that has nothing left.
fn close(section: Option<Section>, found: &mut Vec<Range<usize>>) {
    if let Some(Section {
        comment,
        is_empty: Some(true),
    }) = section
    {
        found.push(comment);
    }
}

/// The last comment in a part of the text between statements, with the blank lines below it.
fn comment(text: &str, gap: Range<usize>) -> Option<Range<usize>> {
    let (mut first, mut is_within, mut at) = (None, false, gap.start);
    for line in text.get(gap.clone())?.split_inclusive('\n') {
        let is_comment = line.trim_start().starts_with('#');
        if is_comment && !is_within {
            first = Some(at);
        }
        is_within = is_comment;
        at += line.len();
    }
    Some(first?..gap.end)
}

/// The end of the blank lines below a statement that ends here.
fn blank_end(text: &str, end: usize, most: usize) -> usize {
    let rest = text.get(end..most).unwrap_or_default();
    let mut length = rest.find('\n').map_or(rest.len(), |at| at + 1);
    for line in rest.get(length..).unwrap_or_default().split_inclusive('\n') {
        if !line.trim().is_empty() {
            break;
        }
        length += line.len();
    }
    end + length
}

fn line_start(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    before.rfind('\n').map_or(0, |newline| newline + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    const SHOP: &str = r#"# A shop.
# Call its functions.

# Orders

def order(name: str) -> dict:
    """Orders it.

    # no comment
    """
    ...

def cancel(name: str) -> dict: ...

# Stock,
# and what is in it

@cached
def count() -> int:
    ...


class NoSuchThing(Exception):
    code = 1

    # Reports
    def report(self): ...
"#;

    #[test]
    fn functions_go_with_the_comments_that_head_no_others() {
        let without = |names: &[&str]| without_functions(SHOP, |name| names.contains(&name));
        expect![[r##"
            # A shop.
            # Call its functions.

            # Orders

            def order(name: str) -> dict:
                """Orders it.

                # no comment
                """
                ...

            # Stock,
            # and what is in it

            class NoSuchThing(Exception):
                code = 1

                # Reports
                def report(self): ...
        "##]]
        .assert_eq(&without(&["cancel", "count"]));
        expect![[r#"
            # A shop.
            # Call its functions.

            # Stock,
            # and what is in it

            @cached
            def count() -> int:
                ...


            class NoSuchThing(Exception):
                code = 1


        "#]]
        .assert_eq(&without(&["order", "cancel", "report"]));
        assert_eq!(without(&[]), SHOP);
        assert_eq!(without_functions("def (", |_| true), "def (");
    }
}
