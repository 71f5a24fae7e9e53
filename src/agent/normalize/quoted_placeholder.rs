//! Turns `Bucket="?1"` into a placeholder, unless the user said such a text.

use super::{Normalizer, Turn};
use crate::dialogue::{Program, Update};

pub(super) struct QuotedPlaceholder;

impl Normalizer for QuotedPlaceholder {
    fn name(&self) -> &'static str {
        "quoted-placeholder"
    }

    fn normalize(&self, mut updates: Vec<Update>, turn: &Turn<'_>) -> Vec<Update> {
        for update in &mut updates {
            update.program = (update.program.take()).map(|program| unquoted(program, turn.user));
        }
        updates
    }
}

fn unquoted(program: Program, user: &str) -> Program {
    let is_said = |text: &String| text.starts_with('?') && user.contains(text);
    if program.literals().iter().any(is_said) {
        program
    } else {
        program.with_placeholders_unquoted()
    }
}
