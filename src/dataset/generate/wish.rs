//! A goal as one user has it: its values, those that are said, and its program.

use super::Stop;
use super::stage::{Names, Stage};
use super::templates::{Change, Goal, Slot};
use crate::dialogue::Program;
use minijinja::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A goal with values.
pub struct Wish<'a> {
    pub goal: &'a Goal,
    /// The values of all slots, whether they were said or not.
    pub names: Names,
    /// The slots that the user said.
    said: BTreeSet<&'a str>,
    /// The numbers of the placeholders, by slot.
    numbers: BTreeMap<&'a str, u32>,
    program: &'a str,
    pub confirm: &'a [String],
    pub reply: &'a [String],
    /// The slot whose value is wrong, and the right one.
    pub mistake: Option<(&'a Slot, Value)>,
}

/// Numbers above those of placeholders.
const UNNUMBERED: u32 = 1000;

impl<'a> Wish<'a> {
    /// Draws the values of a goal.
    pub fn drawn(goal: &'a Goal, stage: &Stage<'_>) -> Result<Self, Stop> {
        let mut names = Names::new();
        let mut mistake = None;
        if let Some(when) = &goal.when
            && !stage.value(when, &names)?.is_true()
        {
            return Err(Stop::Unfit(format!("{}: {when} does not hold", goal.id)));
        }
        for slot in &goal.slots {
            let mut drawn = stage.value(&slot.value, &names)?;
            if let Some(wrong) = &slot.wrong
                && mistake.is_none()
                && stage.chance.percent(stage.talk.odds.wrong)
            {
                let wrong = stage.value(wrong, &names)?;
                mistake = Some((slot, std::mem::replace(&mut drawn, wrong)));
            }
            names.insert(slot.name.clone(), drawn);
        }
        let none = || Stop::Unfit(format!("{}: has no program", goal.id));
        Ok(Wish {
            goal,
            names,
            said: BTreeSet::new(),
            numbers: BTreeMap::new(),
            program: stage.chance.pick(&goal.program).ok_or_else(none)?,
            confirm: &goal.confirm,
            reply: &goal.reply,
            mistake,
        })
    }

    /// The request. It names every slot if it must, else perhaps not.
    pub fn request(&mut self, stage: &Stage<'_>, complete: bool) -> Result<String, Stop> {
        let mut fitting = Vec::new();
        for phrasing in &self.goal.say {
            let named = stage.mentioned(phrasing)?;
            let lacks = |slot: &&Slot| !slot.ask.is_empty() && !named.contains(&slot.name);
            let is_complete = !self.goal.slots.iter().any(|slot| lacks(&slot));
            fitting.push((phrasing, named, is_complete));
        }
        let may_lack = !complete && stage.chance.percent(stage.talk.odds.missing);
        let has_such = fitting
            .iter()
            .any(|(.., is_complete)| *is_complete != may_lack);
        fitting.retain(|(.., is_complete)| {
            (has_such && *is_complete != may_lack) || (!has_such && (!complete || *is_complete))
        });
        let none = || Stop::Unfit(format!("{}: no phrasing names every slot", self.goal.id));
        let (phrasing, named, _) = stage.chance.pick(&fitting).ok_or_else(none)?;
        for slot in &self.goal.slots {
            if slot.ask.is_empty() || named.contains(&slot.name) {
                self.said.insert(&slot.name);
            }
        }
        stage.requested(phrasing, &self.names)
    }

    /// The same wish with the right value, after an error.
    pub fn repaired(self) -> Option<Self> {
        let (slot, right) = self.mistake?;
        let mut names = self.names;
        names.insert(slot.name.clone(), right);
        Some(Wish {
            names,
            mistake: None,
            numbers: BTreeMap::new(),
            ..self
        })
    }

    /// The program with what is known, and a placeholder for everything else.
    pub fn program(&mut self, stage: &Stage<'_>) -> Result<Program, Stop> {
        let mut names = Names::from([("raw".to_owned(), Value::from(self.names.clone()))]);
        for (index, slot) in self.goal.slots.iter().enumerate() {
            let unnumbered = UNNUMBERED.saturating_add(u32::try_from(index).unwrap_or(0));
            let code = match self.said.contains(slot.name.as_str()) {
                true => serde_json::to_string(&self.names.get(&slot.name))
                    .map_err(|error| Stop::Unfit(error.to_string()))?,
                false => format!("?{unnumbered}"),
            };
            names.insert(slot.name.clone(), Value::from(code));
        }
        let code = stage.filled(self.program, &names)?;
        let numbered = Program::new(code.trim()).with_placeholders_replaced(|unnumbered| {
            let index = usize::try_from(unnumbered - UNNUMBERED.min(unnumbered)).unwrap_or(0);
            let slot = self.goal.slots.get(index);
            let next = u32::try_from(self.numbers.len() + 1).unwrap_or(u32::MAX);
            let number = slot.map(|slot| *self.numbers.entry(&slot.name).or_insert(next));
            format!("?{}", number.unwrap_or(unnumbered))
        });
        Ok(Program::new(&numbered))
    }

    /// The slots that are asked for and not said, in the order of their placeholders.
    pub fn missing(&self) -> Vec<&'a Slot> {
        let open = |slot: &&Slot| self.numbers.contains_key(slot.name.as_str());
        let mut missing: Vec<&Slot> = (self.goal.slots.iter())
            .filter(|slot| !self.said.contains(slot.name.as_str()))
            .filter(open)
            .collect();
        missing.sort_by_key(|slot| self.numbers.get(slot.name.as_str()));
        missing
    }

    /// Marks a value as said.
    pub fn say(&mut self, slot: &'a Slot) {
        self.said.insert(&slot.name);
    }

    /// The slots that the user said and can still change.
    pub fn changeable(&self) -> Vec<&'a Slot> {
        let slots = self.goal.slots.iter();
        slots
            .filter(|slot| slot.other.is_some() && self.said.contains(slot.name.as_str()))
            .collect()
    }

    /// Takes another program for the goal.
    pub fn change(&mut self, change: &'a Change) {
        self.program = &change.program;
        self.confirm = &change.confirm;
        self.reply = &change.reply;
    }
}
