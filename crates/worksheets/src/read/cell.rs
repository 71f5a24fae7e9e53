//! What cells of the original's exports have that Python lacks.

/// A single `=` outside of texts becomes `==`.
pub(super) fn predicate(cell: &str) -> String {
    let chars: Vec<char> = cell.trim().chars().collect();
    let mut out = String::new();
    let (mut quote, mut escaped) = (None, false);
    for (at, &c) in chars.iter().enumerate() {
        out.push(c);
        if let Some(end) = quote {
            if escaped {
                escaped = false;
            } else if c == '\\' {
                escaped = true;
            } else if c == end {
                quote = None;
            }
            continue;
        }
        match c {
            '"' | '\'' => quote = Some(c),
            '=' => {
                let before = at.checked_sub(1).map(|before| chars[before]);
                let lone = !matches!(before, Some('=' | '!' | '<' | '>'))
                    && chars.get(at + 1) != Some(&'=');
                if lone {
                    out.push('=');
                }
            }
            _ => {}
        }
    }
    out
}

/// `@f(…)` and `>f(…)` lose their mark.
pub(super) fn code(cell: &str) -> String {
    let cell = cell.trim();
    match cell.strip_prefix(['@', '>']) {
        Some(rest) => rest.trim_start().to_owned(),
        None => cell.to_owned(),
    }
}

/// An expression and the text for the user behind ` ## `.
pub(super) fn validation(cell: &str) -> (String, String) {
    match cell.split_once(" ## ") {
        Some((expression, message)) => (expression.trim().to_owned(), message.trim().to_owned()),
        None => (cell.trim().to_owned(), String::new()),
    }
}

/// A name without blanks.
pub(super) fn name(cell: &str) -> String {
    cell.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Names between commas, semicolons or blanks.
pub(super) fn names(cell: &str) -> Vec<String> {
    cell.split(|c: char| c.is_whitespace() || c == ',' || c == ';')
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The text `TRUE`; anything else is false.
pub(super) fn flag(cell: &str) -> bool {
    cell.trim().eq_ignore_ascii_case("true")
}
