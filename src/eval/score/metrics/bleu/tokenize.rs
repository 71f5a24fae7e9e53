//! The tokenizer `13a` of sacrebleu, which is that of WMT's `mteval-v13a`.

/// Words and punctuation of a segment, as sacrebleu cuts it with its default settings.
pub fn tokenize(segment: &str) -> Vec<String> {
    let line = segment
        .trim_end_matches(is_space)
        .replace("<skipped>", "")
        .replace("-\n", "")
        .replace('\n', " ")
        .replace("&quot;", "\"")
        .replace("&amp;", "&")
        .replace("&lt;", "<")
        .replace("&gt;", ">");
    let line: Vec<char> = format!(" {line} ").chars().collect();
    let line = around(&line, |c| SYMBOLS.contains(c));
    // Period and comma, unless a digit stands before them, or behind them.
    let line = between(&line, |a, b| !a.is_ascii_digit() && is_stop(b), Cut::Second);
    let line = between(&line, |a, b| is_stop(a) && !b.is_ascii_digit(), Cut::First);
    // A dash behind a digit.
    let line = between(&line, |a, b| a.is_ascii_digit() && b == '-', Cut::Second);
    line.split(|c| is_space(*c))
        .filter(|word| !word.is_empty())
        .map(|word| word.iter().collect())
        .collect()
}

/// The symbols that always are tokens of their own: ASCII's without `'`, `,`, `-` and `.`.
const SYMBOLS: &str = "{|}~[\\]^_` !\"#$%&()*+:;<=>?@/";

fn is_stop(c: char) -> bool {
    matches!(c, '.' | ',')
}

/// White space as Python has it: Unicode's, and four control characters more.
fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}')
}

/// A blank on both sides of every such character.
fn around(line: &[char], wanted: impl Fn(char) -> bool) -> Vec<char> {
    let spaced = line.iter().flat_map(|c| {
        if wanted(*c) {
            [Some(' '), Some(*c), Some(' ')]
        } else {
            [Some(*c), None, None]
        }
    });
    spaced.flatten().collect()
}

/// Which of two neighbours gets a blank on both sides.
enum Cut {
    First,
    Second,
}

/// Cuts at such neighbours, from the left; a character is part of one pair at most, as in
/// a search for a regular expression.
fn between(line: &[char], wanted: impl Fn(char, char) -> bool, cut: Cut) -> Vec<char> {
    let mut out = Vec::with_capacity(line.len() + 16);
    let mut rest = line;
    loop {
        rest = match rest {
            [a, b, behind @ ..] if wanted(*a, *b) => {
                match cut {
                    Cut::First => out.extend([' ', *a, ' ', *b]),
                    Cut::Second => out.extend([*a, ' ', *b, ' ']),
                }
                behind
            }
            [a, behind @ ..] => {
                out.push(*a);
                behind
            }
            [] => return out,
        };
    }
}
