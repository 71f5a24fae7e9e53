//! Colours Python code, with the terminal's own sixteen colours, so that it fits any
//! theme.

use super::terminal::{Style, Styled, clean, has_color};
use crate::dialogue::Program;
use anstyle::AnsiColor;
use std::sync::LazyLock;
use syntect::easy::ScopeRegionIterator;
use syntect::parsing::{ParseState, ScopeStack, SyntaxSet};

/// Longer lines and longer programs stay plain: nobody reads them, and matching a
/// grammar's patterns on them can take long.
const LONGEST_LINE: usize = 2000;
const MOST_LINES: usize = 400;

const PLACEHOLDER: Style = AnsiColor::Yellow.on_default().bold();

/// The styles of the grammar's scopes; the first match counts.
const STYLES: &[(&str, Style)] = &[
    ("comment", Style::new().dimmed()),
    ("constant.character.escape", AnsiColor::Cyan.on_default()),
    ("constant.other.placeholder", AnsiColor::Cyan.on_default()),
    ("string", AnsiColor::Green.on_default()),
    ("constant", AnsiColor::Cyan.on_default()),
    ("keyword.operator", Style::new()),
    ("keyword", AnsiColor::Magenta.on_default()),
    ("storage", AnsiColor::Magenta.on_default()),
    ("variable.function", AnsiColor::Blue.on_default()),
    ("entity.name.function", AnsiColor::Blue.on_default()),
    ("support.function", AnsiColor::Blue.on_default()),
];

/// Loaded only when the first program is shown in colour.
static SYNTAXES: LazyLock<SyntaxSet> = LazyLock::new(SyntaxSet::load_defaults_newlines);

/// The lines of a program, safe for a terminal, and coloured if the output is.
pub fn python(code: &str) -> Vec<String> {
    let code = clean(code);
    let plain = || code.lines().map(str::to_owned).collect();
    let too_long =
        code.lines().count() > MOST_LINES || code.lines().any(|line| line.len() > LONGEST_LINE);
    match !has_color() || too_long {
        true => plain(),
        false => coloured(&code).unwrap_or_else(plain),
    }
}

/// Colours the code; `None` if the grammar fails.
fn coloured(code: &str) -> Option<Vec<String>> {
    // `?1` is not valid Python. For the grammar it is replaced by a name of the same
    // length.
    let python =
        Program::from_text(format!("\n{code}")).with_placeholders_replaced(|n| format!("_{n}"));
    let code = code.trim_end();
    if python.len() != code.len() {
        return None;
    }
    let syntax = SYNTAXES.find_syntax_by_token("python")?;
    let mut state = ParseState::new(syntax);
    let mut scopes = ScopeStack::new();
    let mut lines = Vec::new();
    let mut shown = code;
    for line in python.split_inclusive('\n') {
        let changes = state.parse_line(line, &SYNTAXES).ok()?;
        let mut text = String::new();
        for (part, change) in ScopeRegionIterator::new(&changes, line) {
            scopes.apply(change).ok()?;
            let (here, rest) = shown.split_at_checked(part.len())?;
            paint(here.trim_end_matches('\n'), part, style(&scopes), &mut text);
            shown = rest;
        }
        lines.push(text);
    }
    Some(lines)
}

fn style(scopes: &ScopeStack) -> Style {
    let names: Vec<String> = scopes.scopes.iter().map(|s| s.build_string()).collect();
    let is = |prefix: &str| {
        names.iter().any(|name| {
            let rest = name.strip_prefix(prefix);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    };
    let found = STYLES.iter().find(|(prefix, _)| is(prefix));
    found.map_or(Style::new(), |(_, style)| *style)
}

/// Colours a part of the code. Where `python` differs from `code`, there is a
/// placeholder.
fn paint(mut code: &str, mut python: &str, style: Style, text: &mut String) {
    while let Some(start) = code.bytes().zip(python.bytes()).position(|(a, b)| a != b) {
        let (before, mark) = code.split_at(start);
        let digits = mark.bytes().skip(1).take_while(u8::is_ascii_digit).count();
        let (mark, after) = mark.split_at(1 + digits);
        text.push_str(&painted(style, before));
        text.push_str(&painted(PLACEHOLDER, mark));
        python = python.get(start + mark.len()..).unwrap_or("");
        code = after;
    }
    text.push_str(&painted(style, code));
}

fn painted(style: Style, part: &str) -> String {
    match part.is_empty() || style == Style::new() {
        true => part.to_owned(),
        false => Styled(style, part).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(code: &str) -> String {
        let lines = coloured(code).expect("the grammar reads everything");
        let text = lines.join("\n").replace("\x1b[0m", "}");
        text.replace("\x1b[", "{")
    }

    #[test]
    fn keywords_strings_numbers_and_placeholders_have_their_colours() {
        let code = "for x in ?1:  # why\n    s3.put(Key=\"a?2\", Size=5)";
        expect_test::expect![[r#"
            {35mfor} x {35min} {1m{33m?1}:  {2m#}{2m why}
                s3.{34mput}(Key={32m"}{32ma?2}{32m"}, Size={36m5})"#]]
        .assert_eq(&marked(code));
    }

    #[test]
    fn the_code_itself_stays_what_it_is() {
        let code = "x = '''a\n\tb'''\n\nif not x: return ?12 + ?";
        let lines = coloured(code).expect("the grammar reads everything");
        assert_eq!(
            anstream::adapter::strip_str(&lines.join("\n")).to_string(),
            code
        );
    }
}
