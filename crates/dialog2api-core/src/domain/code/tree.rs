//! A program as a syntax tree, whatever its text is.
//!
//! The parser recurses, and so do dropping and walking a tree. Text that would nest too
//! deeply is refused before it is parsed, by an upper bound on the depth that its tokens
//! give; the rest is parsed on a stack that has room for that depth. A parser that panics
//! has read nothing.

use crate::dialogue::Program;
use ruff_python_ast::token::TokenKind;
use ruff_python_ast::{Mod, Stmt};
use ruff_python_parser::{Mode, ParseOptions, lexer, parse_unchecked};
use ruff_text_size::{TextRange, TextSize};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The keywords of Python.
const KEYWORDS: &str = " False None True and as assert async await break class continue def del \
    elif else except finally for from global if import in is lambda nonlocal not or pass raise \
    return try while with yield ";

/// Whether Python keeps this word for itself, so that it names nothing.
pub fn is_keyword(word: &str) -> bool {
    KEYWORDS.split(' ').any(|keyword| keyword == word) && !word.is_empty()
}

/// The most bytes that are parsed: what the sandbox takes by default.
const MAX_BYTES: usize = 256 << 10;
/// The deepest tree, in nodes on one path. CPython stops at 200 brackets and 100 blocks.
const MAX_DEPTH: usize = 1_000;
/// Room for that depth without optimisation.
const STACK: usize = 64 << 20;
/// The header that an indented program is put under.
const FRAME: &str = "if True:\n";

/// A parsed program.
pub(super) struct Tree<'a> {
    /// The statements, as far as the text is Python.
    pub body: &'a [Stmt],
    code: &'a str,
    /// Where the lines of the code begin, but for the first.
    lines: Vec<usize>,
    /// How many bytes the parsed text has before the code.
    shift: usize,
}

impl Tree<'_> {
    /// The line of the code that an offset of the tree is on, from 1.
    pub fn line(&self, at: TextSize) -> usize {
        let at = self.place(at);
        1 + self.lines.partition_point(|start| *start <= at)
    }

    /// The code of a node, as it is written.
    pub fn text(&self, range: TextRange) -> &str {
        let range = self.place(range.start())..self.place(range.end());
        self.code.get(range).unwrap_or_default()
    }

    fn place(&self, at: TextSize) -> usize {
        at.to_usize().saturating_sub(self.shift)
    }
}

/// Parses a program and reads its tree. The error is a clause that says why it is not
/// parsed.
pub(super) fn read<T>(
    program: &Program,
    read: impl FnOnce(&Tree<'_>) -> T,
) -> Result<T, &'static str> {
    let code = program.code();
    if code.len() > MAX_BYTES {
        return Err("is too long to be read");
    }
    let readable = program.with_placeholders_as_names();
    // The sandbox reads a body that is indented as a whole like this, too.
    let indented = readable
        .lines()
        .find(|line| !line.trim_start().is_empty() && !line.trim_start().starts_with('#'))
        .is_some_and(|line| line.starts_with([' ', '\t']));
    let frame = if indented { FRAME } else { "" };
    let text = format!("{frame}{readable}");
    if !is_shallow(&text) {
        return Err("is nested too deeply to be read");
    }
    let parse = || {
        let Mod::Module(module) =
            parse_unchecked(&text, ParseOptions::from(Mode::Module)).into_syntax()
        else {
            return None;
        };
        let tree = Tree {
            body: &module.body,
            code,
            lines: code.match_indices('\n').map(|(at, _)| at + 1).collect(),
            shift: frame.len(),
        };
        Some(read(&tree))
    };
    with_room(parse).ok_or("cannot be read")
}

/// Parses text that [`is_shallow`] on a stack that has room for it. `None` if the parser
/// panicked. A new thread would have such a stack as well, but takes longer to start than most
/// programs to parse.
pub fn with_room<T>(parse: impl FnOnce() -> Option<T>) -> Option<T> {
    // After a panic nothing that the parser had changed is used.
    let parse = || catch_unwind(AssertUnwindSafe(parse)).ok();
    stacker::grow(STACK, parse).flatten()
}

/// Whether no path of the tree can be longer than `MAX_DEPTH`. Each token adds at most
/// one node to the path, and a comma ends what it adds within its brackets, unless it
/// stands in the parameters of a lambda. Brackets that do not match stay open here.
pub fn is_shallow(text: &str) -> bool {
    let mut tokens = lexer::lex(text, Mode::Module);
    let mut levels = vec![Level::default()];
    let mut depth = 0;
    let mut blocks: usize = 0;
    loop {
        let kind = tokens.next_token();
        let Some(level) = levels.last_mut() else {
            return false;
        };
        match kind {
            TokenKind::EndOfFile => return true,
            TokenKind::Indent => blocks += 1,
            TokenKind::Dedent => blocks = blocks.saturating_sub(1),
            TokenKind::Newline | TokenKind::Semi if level.closer.is_none() => {
                depth -= std::mem::take(level).tokens;
            }
            TokenKind::Comma if !level.lambda => depth -= std::mem::take(&mut level.tokens),
            kind if Some(kind) == level.closer => {
                depth -= level.tokens;
                levels.pop();
            }
            kind => {
                level.tokens += 1;
                level.lambda |= kind == TokenKind::Lambda;
                depth += 1;
                levels.extend(closer(kind).map(|closer| Level {
                    closer: Some(closer),
                    ..Level::default()
                }));
            }
        }
        if depth + blocks > MAX_DEPTH {
            return false;
        }
    }
}

/// The content of one pair of brackets, so far.
#[derive(Default)]
struct Level {
    /// The token that closes it; nothing closes the statement.
    closer: Option<TokenKind>,
    /// The tokens since the last comma.
    tokens: usize,
    /// Whether commas may be those of a lambda's parameters.
    lambda: bool,
}

/// The token that closes a bracket or an f-string.
fn closer(kind: TokenKind) -> Option<TokenKind> {
    Some(match kind {
        TokenKind::Lpar => TokenKind::Rpar,
        TokenKind::Lsqb => TokenKind::Rsqb,
        TokenKind::Lbrace => TokenKind::Rbrace,
        TokenKind::FStringStart => TokenKind::FStringEnd,
        TokenKind::TStringStart => TokenKind::TStringEnd,
        _ => return None,
    })
}
