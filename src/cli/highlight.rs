//! Python in colour: the terminal's own sixteen, so that it fits any theme.

use super::terminal::{Style, Styled, clean, has_color};
use anstyle::AnsiColor;
use std::sync::LazyLock;
use syntect::easy::ScopeRegionIterator;
use syntect::parsing::{ParseState, ScopeStack, SyntaxSet};

/// Longer lines and programs stay plain: nobody reads them, and the patterns of
/// a grammar can take long over them.
const LONGEST_LINE: usize = 400;
const MOST_LINES: usize = 400;

const PLACEHOLDER: Style = AnsiColor::Yellow.on_default().bold();

/// What a scope of the grammar looks like; the first that fits counts.
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

/// Loaded when the first program is shown in colour, and not before.
static SYNTAXES: LazyLock<SyntaxSet> = LazyLock::new(SyntaxSet::load_defaults_newlines);

/// The lines of a program, harmless, and coloured where output is.
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

/// Nothing, should the grammar give up.
fn coloured(code: &str) -> Option<Vec<String>> {
    let syntax = SYNTAXES.find_syntax_by_token("python")?;
    let mut state = ParseState::new(syntax);
    let mut scopes = ScopeStack::new();
    let mut lines = Vec::new();
    for line in code.split_inclusive('\n') {
        let changes = state.parse_line(line, &SYNTAXES).ok()?;
        let mut text = String::new();
        for (part, change) in ScopeRegionIterator::new(&changes, line) {
            scopes.apply(change).ok()?;
            paint(part.trim_end_matches('\n'), &scopes, &mut text);
        }
        lines.push(text);
    }
    Some(lines)
}

fn paint(part: &str, scopes: &ScopeStack, text: &mut String) {
    if part.is_empty() {
        return;
    }
    let names: Vec<String> = scopes.scopes.iter().map(|s| s.build_string()).collect();
    let is = |prefix: &str| {
        names.iter().any(|name| {
            let rest = name.strip_prefix(prefix);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    };
    let found = STYLES.iter().find(|(prefix, _)| is(prefix));
    let style = found.map_or(Style::new(), |(_, style)| *style);
    if is("string") || is("comment") {
        text.push_str(&Styled(style, part).to_string());
        return;
    }
    // `?1` is no Python, so the grammar has no say in it.
    let mut rest = part;
    while let Some(start) = rest.find('?') {
        let (before, mark) = rest.split_at(start);
        let digits = mark.bytes().skip(1).take_while(u8::is_ascii_digit).count();
        let (mark, after) = mark.split_at(1 + digits);
        text.push_str(&painted(style, before));
        text.push_str(&painted(PLACEHOLDER, mark));
        rest = after;
    }
    text.push_str(&painted(style, rest));
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
