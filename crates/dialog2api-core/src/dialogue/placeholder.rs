//! Finds placeholders and text in drafts: just enough of Python's lexer to tell a token from
//! the inside of a string or a comment.
//!
//! A lexer of its own, because a draft with `?1` is not Python yet, and because drafts of
//! models are read however broken they are. Calls are read by a parser, in
//! `domain::Calls`.

use std::ops::Range;

/// The place and the number of each `?n` token, in order.
///
/// The replacement fields of an f-string are code, as in Python's grammar
/// (PEP 701): `f"{?1}"` has a placeholder, `f"?1"` has none. In invalid Python a string that
/// is not closed ends with its line, and a triple-quoted one with the text.
pub(super) fn find(code: &str) -> Vec<(Range<usize>, u32)> {
    lex(code).found
}

/// The code with a blank for every byte within strings and after the `#` of comments, so its
/// length stays the same. Replacement fields of f-strings are code and stay.
pub(super) fn without_text(code: &str) -> String {
    let mut bytes = code.as_bytes().to_vec();
    for range in lex(code).texts {
        for byte in bytes.get_mut(range).unwrap_or_default() {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }
    // All bytes of a character are in a text, or none is.
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The inside of each string literal as it is written, in order. An f-string gives the
/// pieces between its replacement fields.
pub(super) fn strings(code: &str) -> Vec<&str> {
    let mut texts: Vec<Range<usize>> = Vec::new();
    for text in lex(code).texts {
        match texts.last_mut() {
            Some(last) if last.end == text.start => last.end = text.end,
            _ => texts.push(text),
        }
    }
    let is_comment = |text: &Range<usize>| {
        let before = text.start.checked_sub(1);
        before.and_then(|at| code.as_bytes().get(at)) == Some(&b'#')
    };
    let strings = texts.into_iter().filter(|text| !is_comment(text));
    strings
        .filter_map(|text| code.get(text))
        .filter(|text| !text.is_empty())
        .collect()
}

/// The places of the plain strings, with their quotes: not of triple-quoted ones, nor of those
/// with a prefix such as `f`.
pub(super) fn plain_strings(code: &str) -> Vec<Range<usize>> {
    let bytes = code.as_bytes();
    let texts = lex(code).texts.into_iter();
    let plain = texts.filter_map(|text| {
        let range = text.start.checked_sub(1)?..text.end + 1;
        let (open, close) = (bytes.get(range.start)?, bytes.get(text.end)?);
        let before = range.start.checked_sub(1).and_then(|at| bytes.get(at));
        let is_closed = matches!(open, b'"' | b'\'') && open == close;
        let is_alone = before.is_none_or(|byte| byte != open && !is_word(*byte));
        (is_closed && is_alone).then_some(range)
    });
    plain.collect()
}

/// The places of the strings that are a placeholder and nothing else, with their quotes.
pub(super) fn quoted(code: &str) -> Vec<Range<usize>> {
    let is_placeholder = |range: &Range<usize>| {
        let inside = code.get(range.start + 1..range.end - 1);
        let digits = inside.and_then(|inside| inside.strip_prefix('?'));
        digits.is_some_and(|digits| {
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    let strings = plain_strings(code).into_iter();
    strings.filter(is_placeholder).collect()
}

fn lex(code: &str) -> Lexer<'_> {
    let mut lexer = Lexer {
        code: code.as_bytes(),
        at: 0,
        open: Vec::new(),
        found: Vec::new(),
        texts: Vec::new(),
    };
    while let Some(byte) = lexer.peek(0) {
        match lexer.open.last().copied() {
            None => lexer.code(byte, None),
            Some(Open::Field { depth }) => lexer.code(byte, Some(depth)),
            Some(Open::Text(quotes)) => lexer.text(byte, quotes, false),
            Some(Open::Spec(quotes)) => lexer.text(byte, quotes, true),
        }
    }
    lexer
}

struct Lexer<'a> {
    code: &'a [u8],
    at: usize,
    /// The open f-strings and their parts, innermost last.
    open: Vec<Open>,
    found: Vec<(Range<usize>, u32)>,
    /// The insides of strings and comments.
    texts: Vec<Range<usize>>,
}

#[derive(Clone, Copy)]
enum Open {
    /// The text of an f-string.
    Text(Quotes),
    /// The expression between `{` and `}`, with this many brackets open.
    Field { depth: usize },
    /// The format after the expression's `:`, which is text again.
    Spec(Quotes),
}

#[derive(Clone, Copy)]
struct Quotes {
    quote: u8,
    triple: bool,
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> Option<u8> {
        self.code.get(self.at + ahead).copied()
    }

    /// Moves past the following bytes that are wanted and returns them.
    fn take_while(&mut self, wanted: impl Fn(u8) -> bool) -> &[u8] {
        let rest = self.code.get(self.at..).unwrap_or_default();
        let taken = rest.iter().take_while(|byte| wanted(**byte)).count();
        self.at += taken;
        rest.get(..taken).unwrap_or_default()
    }

    /// One step in code; `depth` is given in a replacement field.
    fn code(&mut self, byte: u8, depth: Option<usize>) {
        match byte {
            b'#' => {
                let start = self.at + 1;
                self.take_while(|byte| byte != b'\n');
                self.texts.push(start..self.at);
            }
            b'"' | b'\'' => self.string(byte, false),
            b'?' => self.placeholder(),
            b'0'..=b'9' => {
                self.take_while(is_word);
            }
            _ if is_word(byte) => self.word(),
            _ => {
                self.at += 1;
                if let Some(depth) = depth {
                    self.field(byte, depth);
                }
            }
        }
    }

    /// A name, or the prefix of a string.
    fn word(&mut self) {
        let prefix = self.take_while(is_word).to_ascii_lowercase();
        let formatted = match prefix.as_slice() {
            b"r" | b"u" | b"b" | b"br" | b"rb" => false,
            b"f" | b"fr" | b"rf" | b"t" | b"tr" | b"rt" => true,
            _ => return,
        };
        if let Some(quote @ (b'"' | b'\'')) = self.peek(0) {
            self.string(quote, formatted);
        }
    }

    fn placeholder(&mut self) {
        let start = self.at;
        self.at += 1;
        let digits = self.take_while(|byte| byte.is_ascii_digit());
        let number = std::str::from_utf8(digits)
            .ok()
            .and_then(|digits| digits.parse().ok());
        if let Some(number) = number {
            self.found.push((start..self.at, number));
        }
    }

    /// A string that starts here with its quotes.
    fn string(&mut self, quote: u8, formatted: bool) {
        let triple = self.peek(1) == Some(quote) && self.peek(2) == Some(quote);
        let quotes = Quotes { quote, triple };
        self.at += quotes.len();
        if formatted {
            self.open.push(Open::Text(quotes));
            return;
        }
        let start = self.at;
        let mut end = self.code.len();
        while let Some(byte) = self.peek(0) {
            if byte == b'\\' {
                self.escape();
                continue;
            }
            let here = self.at;
            if self.closes(byte, quotes) {
                end = here;
                break;
            }
            self.at += 1;
        }
        self.texts.push(start..end);
    }

    /// One step in the text of an f-string, or in a format within it.
    fn text(&mut self, byte: u8, quotes: Quotes, spec: bool) {
        let (start, depth) = (self.at, self.open.len());
        self.text_step(byte, quotes, spec);
        if self.open.len() == depth {
            self.texts.push(start..self.at.min(self.code.len()));
        }
    }

    fn text_step(&mut self, byte: u8, quotes: Quotes, spec: bool) {
        match byte {
            // A backslash does not keep a brace from opening a field.
            b'\\' if matches!(self.peek(1), Some(b'{' | b'}')) => self.at += 1,
            b'\\' if self.peek(1) == Some(b'N') && self.peek(2) == Some(b'{') => self.at += 3,
            b'\\' => self.escape(),
            b'{' if !spec && self.peek(1) == Some(b'{') => self.at += 2,
            b'{' => {
                self.at += 1;
                self.open.push(Open::Field { depth: 0 });
            }
            b'}' if spec => {
                self.at += 1;
                self.open.pop();
            }
            _ if self.closes(byte, quotes) => {
                self.open.pop();
                if spec {
                    self.open.pop();
                }
            }
            _ => self.at += 1,
        }
    }

    /// Updates the replacement field that this byte of code is in.
    fn field(&mut self, byte: u8, depth: usize) {
        let depth = match byte {
            b'(' | b'[' | b'{' => depth + 1,
            b'}' if depth == 0 => {
                self.open.pop();
                return;
            }
            b')' | b']' | b'}' => depth.saturating_sub(1),
            b':' if depth == 0 => {
                self.open.pop();
                if let Some(Open::Text(quotes) | Open::Spec(quotes)) = self.open.last().copied() {
                    self.open.push(Open::Spec(quotes));
                }
                return;
            }
            _ => return,
        };
        if let Some(Open::Field { depth: open }) = self.open.last_mut() {
            *open = depth;
        }
    }

    /// Moves past a backslash and what it escapes.
    fn escape(&mut self) {
        let line_break = self.peek(1) == Some(b'\r') && self.peek(2) == Some(b'\n');
        self.at += if line_break { 3 } else { 2 };
    }

    /// Whether the string ends here; moves past its quotes if so.
    fn closes(&mut self, byte: u8, quotes: Quotes) -> bool {
        let closed = if quotes.triple {
            (0..3).all(|ahead| self.peek(ahead) == Some(quotes.quote))
        } else {
            byte == quotes.quote || byte == b'\n'
        };
        if closed {
            self.at += quotes.len();
        }
        closed
    }
}

impl Quotes {
    fn len(self) -> usize {
        if self.triple { 3 } else { 1 }
    }
}

/// Whether the byte can be part of a Python name. Outside ASCII, all can.
fn is_word(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphanumeric() || !byte.is_ascii()
}
