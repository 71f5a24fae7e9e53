//! Questions of a user that a turn program leaves open (section 8 of the specification).

use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{Expr, Stmt};
use ruff_python_parser::parse_module;

use super::LENGTH;
use crate::desk::variable;
use crate::reply::questions;
use crate::words::{content_words, words};

/// Calls that answer a question, or do what it wishes.
const ANSWERS: &[&str] = &["answer", "show", "repeat", "handoff", "exitws"];
/// Words that ask whether something is right.
const TAGS: &[&str] = &["correct", "ok", "okay", "right", "sure", "true"];

/// The first question of the user that a turn program leaves open: nothing in the program answers
/// questions, and it puts no word of this one into a form, as it would for a wish ("could they put
/// flowers on the table?"). What was just `said` by the agent, and whether it is right, is asked
/// again by the agenda. A program that cannot be read leaves nothing open.
///
/// ```
/// use worksheets::program::open_question;
///
/// let user = "For four, please. Do they have parking?";
/// let asked = open_question("table.guests = 4", user, "How many?");
/// assert_eq!(asked, Some("Do they have parking"));
/// let program = "table.guests = 4\nanswer('Do they have parking?')";
/// assert_eq!(open_question(program, user, "How many?"), None);
/// ```
pub fn open_question<'u>(program: &str, user: &'u str, said: &str) -> Option<&'u str> {
    let mut asked = questions(user).into_iter().peekable();
    asked.peek()?;
    let given = given(program)?;
    let said = words(said);
    asked.find(|question| {
        let about = content_words(question);
        let about = || about.iter();
        about().any(|word| !said.contains(word) && !TAGS.contains(&word.as_str()))
            && !about().any(|word| given.contains(word))
            && about().any(|word| word.chars().any(char::is_alphabetic))
    })
}

/// The words of the values in a program; none where it answers, or cannot be read.
fn given(program: &str) -> Option<Vec<String>> {
    if program.len() > LENGTH {
        return None;
    }
    stacker::grow(64 << 20, || {
        let parsed = parse_module(program).ok()?;
        let mut read = Read::default();
        read.visit_body(parsed.suite());
        (!read.answers).then_some(read.given)
    })
}

#[derive(Default)]
struct Read {
    answers: bool,
    given: Vec<String>,
}

impl<'a> Visitor<'a> for Read {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        // An exception says what kind of talk it is.
        self.answers |= statement.is_raise_stmt();
        walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Call(call) if let Some(name) = call.func.as_name_expr() => {
                self.answers |= ANSWERS.contains(&name.id.as_str());
                // All that is wished is the form.
                if call.arguments.is_empty() {
                    self.given.extend(words(&variable(&name.id)));
                }
            }
            Expr::StringLiteral(text) => self.given.extend(words(text.value.to_str())),
            _ => {}
        }
        walk_expr(self, expr);
    }
}
