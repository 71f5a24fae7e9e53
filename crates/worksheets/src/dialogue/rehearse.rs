use std::fmt;

use serde::Serialize;
use serde_json::{Value as Json, json};

use super::{Dialogue, Play, Recorded, outcome};
use crate::agenda::Settings;
use crate::coverage::Coverage;
use crate::knowledge::Knowledge;
use crate::reply::judge_reply;
use crate::sheets::Sheets;
use crate::text::counted;

/// A turn that goes otherwise than it was recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The dialogue.
    pub dialogue: String,
    /// The user's turn, counted from 1.
    pub turn: usize,
    /// What is different.
    pub what: String,
}

/// What came of dialogues that were played again (section 13.5).
#[derive(Clone, Debug)]
pub struct Rehearsed<'s> {
    /// How many dialogues there were, and how many turns.
    pub size: (usize, usize),
    /// Where they went otherwise.
    pub differences: Vec<Difference>,
    /// Which cells they reach.
    pub coverage: Coverage<'s>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, turn {}: {}", self.dialogue, self.turn, self.what)
    }
}

impl Rehearsed<'_> {
    /// Whether every turn went as it was recorded.
    pub fn passed(&self) -> bool {
        self.differences.is_empty()
    }

    /// The figures as text, then each difference, then the cells that were not reached.
    pub fn text(&self) -> String {
        let mut out = self.lines().join("\n");
        out.push('\n');
        out.push_str(&self.coverage.text());
        out
    }

    /// The same as a page of HTML: the sheets as tables, with heat by use.
    pub fn html(&self) -> String {
        self.coverage.page("Dialogues played again", &self.lines())
    }

    fn lines(&self) -> Vec<String> {
        let ((dialogues, turns), differences) = (self.size, self.differences.len());
        let figures = format!(
            "{}, {}, {differences} {} otherwise",
            counted(dialogues, "dialogue"),
            counted(turns, "turn"),
            if differences == 1 { "goes" } else { "go" },
        );
        let differences = self.differences.iter().map(Difference::to_string);
        [figures].into_iter().chain(differences).collect()
    }

    /// The same as one JSON object.
    pub fn json(&self) -> Json {
        let (reached, cells) = self.coverage.share();
        json!({
            "dialogues": self.size.0,
            "turns": self.size.1,
            "differences": self.differences,
            "reached": reached,
            "cells": cells,
            "gaps": self.coverage.gaps(),
            "used": self.coverage.used(),
        })
    }
}

/// Plays recorded dialogues again: programs and effects as recorded, no model, no box. What
/// came of each turn is compared with the record, and what the agent said with its acts.
pub fn rehearse<'s>(
    sheets: &'s Sheets,
    settings: Settings,
    knowledge: &mut Knowledge<'s>,
    dialogues: &[Dialogue],
) -> Result<Rehearsed<'s>, String> {
    let mut out = Rehearsed {
        size: (dialogues.len(), 0),
        differences: Vec::new(),
        coverage: Coverage::new(sheets),
    };
    for dialogue in dialogues {
        let mut backend = Recorded::of(dialogue)?;
        let mut play = Play::new(sheets, settings, knowledge);
        for (number, turn) in (1..).zip(&dialogue.turns) {
            out.size.1 += 1;
            let played = play.turn(&turn.program, &mut backend);
            out.coverage
                .turn(&played.before, &played.needed, &played.turned);
            let mut differs = |what: String| {
                out.differences.push(Difference {
                    dialogue: dialogue.uid.clone(),
                    turn: number,
                    what,
                });
            };
            let found = outcome(&played);
            match &turn.result {
                Some(wanted) if *wanted == found => {}
                Some(wanted) => differs(format!("it comes to {found}, recorded is {wanted}")),
                None => differs(format!("it comes to {found}, nothing is recorded")),
            }
            let (state, acts) = (&played.turned.state, &played.turned.acts);
            for why in judge_reply(&turn.agent, sheets, state, acts) {
                differs(why);
            }
        }
    }
    Ok(out)
}
