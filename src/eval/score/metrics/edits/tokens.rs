//! Tokens of Python code: those of Python's own `tokenize` module without comments, and
//! with a placeholder as one token.
//!
//! Written for code that may be no Python at all: whatever stands there has tokens.

/// The tokens of a program, in order. A line's end, a deeper and a shallower block are
/// tokens of their own ([`NEWLINE`], [`INDENT`], [`DEDENT`]); blanks, blank lines and
/// comments are none.
pub fn tokens(code: &str) -> Vec<&str> {
    let mut lexer = Lexer {
        code,
        at: 0,
        depth: 0,
        blocks: Vec::new(),
        tokens: Vec::new(),
    };
    while lexer.at < code.len() {
        lexer.line();
    }
    let open = lexer.blocks.len().saturating_sub(1);
    lexer.tokens.extend(std::iter::repeat_n(DEDENT, open));
    lexer.tokens
}

/// The end of a logical line.
pub const NEWLINE: &str = "\n";
/// The beginning of a block.
pub const INDENT: &str = "→";
/// The end of a block.
pub const DEDENT: &str = "←";

/// Python's operators of more than one character, the longest first.
const OPERATORS: [&str; 25] = [
    "**=", "//=", ">>=", "<<=", "...", "!=", "->", ":=", "**", "//", ">>", "<<", "<=", ">=", "==",
    "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "@=", "<>",
];

struct Lexer<'a> {
    code: &'a str,
    at: usize,
    /// Brackets that are open.
    depth: usize,
    /// The columns of the blocks that are open, outermost first: the first line's too.
    blocks: Vec<usize>,
    tokens: Vec<&'a str>,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        self.code.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Takes the longest run of wanted characters and returns it.
    fn take(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.at += length;
        rest.get(..length).unwrap_or_default()
    }

    /// Reads a logical line, or skips a blank line or a comment line.
    fn line(&mut self) {
        let blanks = self.take(is_blank);
        match self.peek() {
            Some('\n' | '\r') => self.at += 1,
            Some('#') => drop(self.take(|c| c != '\n')),
            None => {}
            Some(_) => {
                self.block(column(blanks));
                while self.step() {}
                self.tokens.push(NEWLINE);
            }
        }
    }

    /// Opens and closes blocks for a line that begins in this column.
    fn block(&mut self, column: usize) {
        match self.blocks.last() {
            // The first line's indentation opens no block, because a whole body may be
            // indented.
            None => self.blocks.push(column),
            Some(open) if column > *open => {
                self.blocks.push(column);
                self.tokens.push(INDENT);
            }
            Some(_) => {
                while self.blocks.len() > 1 && self.blocks.last().is_some_and(|c| column < *c) {
                    self.blocks.pop();
                    self.tokens.push(DEDENT);
                }
            }
        }
    }

    /// The next token; false at the end of the logical line.
    fn step(&mut self) -> bool {
        self.take(is_blank);
        let start = self.at;
        let Some(c) = self.peek() else {
            return false;
        };
        match c {
            '\n' | '\r' => {
                self.at += 1;
                return self.depth > 0;
            }
            '#' => {
                self.take(|c| c != '\n');
                return true;
            }
            '\\' if self.rest().starts_with("\\\n") => {
                self.at += 2;
                return true;
            }
            '\\' if self.rest().starts_with("\\\r\n") => {
                self.at += 3;
                return true;
            }
            '"' | '\'' => self.string(false),
            '?' => {
                self.at += 1;
                self.take(|c| c.is_ascii_digit());
            }
            _ if is_number(self.rest()) => self.number(),
            _ if is_word(c) => self.word(),
            _ => self.operator(c),
        }
        self.tokens
            .push(self.code.get(start..self.at).unwrap_or_default());
        true
    }

    /// A name, or a string with a prefix.
    fn word(&mut self) {
        let word = self.take(is_word).to_ascii_lowercase();
        if matches!(self.peek(), Some('"' | '\'')) {
            match word.as_str() {
                "r" | "u" | "b" | "br" | "rb" => self.string(false),
                "f" | "fr" | "rf" | "t" | "tr" | "rt" => self.string(true),
                _ => {}
            }
        }
    }

    fn number(&mut self) {
        let radix = match self.rest().get(..2) {
            Some("0x" | "0X") => 16,
            Some("0o" | "0O") => 8,
            Some("0b" | "0B") => 2,
            _ => 10,
        };
        if radix != 10 {
            self.at += 2;
            self.digits(radix);
            return;
        }
        self.digits(10);
        if self.peek() == Some('.') {
            self.at += 1;
            self.digits(10);
        }
        if let Some(exponent) = self.rest().strip_prefix(['e', 'E']) {
            let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            if digits.starts_with(|c: char| c.is_ascii_digit()) {
                self.at += 1 + (exponent.len() - digits.len());
                self.digits(10);
            }
        }
        if matches!(self.peek(), Some('j' | 'J')) {
            self.at += 1;
        }
    }

    /// Digits, and single `_` before them.
    fn digits(&mut self, radix: u32) {
        while let Some(c) = self.peek() {
            let mut digits = self.rest().chars().skip(usize::from(c == '_'));
            if !digits.next().is_some_and(|c| c.is_digit(radix)) {
                return;
            }
            self.at += 1;
        }
    }

    fn operator(&mut self, c: char) {
        let mut operators = OPERATORS.iter();
        if let Some(operator) = operators.find(|operator| self.rest().starts_with(**operator)) {
            self.at += operator.len();
            return;
        }
        match c {
            '(' | '[' | '{' => self.depth += 1,
            ')' | ']' | '}' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        self.at += c.len_utf8();
    }

    /// A string literal from its quotes on. One that is not closed ends with its line, a
    /// triple-quoted one with the code.
    fn string(&mut self, formatted: bool) {
        let Some(quote) = self.peek() else { return };
        let triple: String = std::iter::repeat_n(quote, 3).collect();
        let is_triple = self.rest().starts_with(&triple);
        let closing = if is_triple {
            triple.as_str()
        } else {
            triple.get(..1).unwrap_or_default()
        };
        self.at += closing.len();
        while let Some(c) = self.peek() {
            if self.rest().starts_with(closing) {
                self.at += closing.len();
                return;
            }
            match c {
                '\\' => {
                    self.at += 1;
                    self.at += self.peek().map_or(0, char::len_utf8);
                }
                '\n' if !is_triple => return,
                '{' if formatted && self.rest().starts_with("{{") => self.at += 2,
                '{' if formatted => self.field(is_triple),
                _ => self.at += c.len_utf8(),
            }
        }
    }

    /// A replacement field of an f-string; strings within it may have its quotes.
    fn field(&mut self, is_triple: bool) {
        let mut open = 0usize;
        while let Some(c) = self.peek() {
            match c {
                '"' | '\'' => {
                    self.string(false);
                    continue;
                }
                '\n' if !is_triple => return,
                '(' | '[' | '{' => open += 1,
                ')' | ']' | '}' => open = open.saturating_sub(1),
                _ => {}
            }
            self.at += c.len_utf8();
            if open == 0 {
                return;
            }
        }
    }
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\x0c')
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// Whether a number begins here.
fn is_number(rest: &str) -> bool {
    let rest = rest.strip_prefix('.').unwrap_or(rest);
    rest.starts_with(|c: char| c.is_ascii_digit())
}

/// Where a line with these blanks begins; a tab goes to the next multiple of 8.
fn column(blanks: &str) -> usize {
    blanks.chars().fold(0, |column, c| match c {
        '\t' => column / 8 * 8 + 8,
        ' ' => column + 1,
        _ => 0,
    })
}
