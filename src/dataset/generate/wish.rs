//! A goal of one user: its values, the values that were said, and its program.

use super::Stop;
use super::stage::{Names, Stage};
use super::talk::Talk;
use super::templates::{Change, Goal, Slot};
use crate::dialogue::Program;
use minijinja::Value;
use serde::Serialize;
use serde_json::ser::Formatter;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

/// A goal with values.
pub struct Wish<'a> {
    pub goal: &'a Goal,
    /// The values of all slots, whether they were said or not; an option is `none` until it
    /// was said.
    pub names: Names,
    /// The values of options that were not said.
    options: BTreeMap<&'a str, Value>,
    /// The slots that the user said.
    said: BTreeSet<&'a str>,
    /// The numbers of the placeholders, by slot.
    numbers: BTreeMap<&'a str, u32>,
    program: &'a str,
    pub confirm: &'a [String],
    pub reply: &'a [String],
    /// Whether it stays with the value of the goal before that ties goals.
    pub stays: bool,
    /// The slot whose value is wrong, and the right one.
    pub mistake: Option<(&'a Slot, Value)>,
    /// How often the user has changed a value.
    revisions: usize,
}

/// A user changes values of a goal so often at most: a dialogue ends whatever the odds are.
const MOST_REVISIONS: usize = 3;

/// Numbers above those of placeholders.
const UNNUMBERED: u32 = 1000;

impl<'a> Wish<'a> {
    /// Draws the values of a goal.
    pub fn drawn(goal: &'a Goal, stage: &Stage<'_>) -> Result<Self, Stop> {
        let (mut names, mut options) = (Names::new(), BTreeMap::new());
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
                names.insert("it".to_owned(), drawn.clone());
                let wrong = stage.value(wrong, &names)?;
                names.remove("it");
                mistake = Some((slot, std::mem::replace(&mut drawn, wrong)));
            }
            if slot.option {
                options.insert(
                    slot.name.as_str(),
                    std::mem::replace(&mut drawn, Value::from(())),
                );
            }
            names.insert(slot.name.clone(), drawn);
        }
        let none = || Stop::Unfit(format!("{}: has no program", goal.id));
        Ok(Wish {
            goal,
            names,
            options,
            said: BTreeSet::new(),
            numbers: BTreeMap::new(),
            program: stage.chance.pick(&goal.program).ok_or_else(none)?,
            confirm: &goal.confirm,
            reply: &goal.reply,
            stays: false,
            mistake,
            revisions: 0,
        })
    }

    /// The request, in one of these phrasings. If `complete`, it names every slot; otherwise it
    /// may leave some out.
    pub fn request(
        &mut self,
        stage: &Stage<'_>,
        phrasings: &'a [String],
        complete: bool,
    ) -> Result<String, Stop> {
        let mut fitting = Vec::new();
        for phrasing in phrasings {
            let named = stage.mentioned(phrasing)?;
            let is_open = |slot: &Slot| !slot.ask.is_empty() && !self.has_said(slot);
            let lacks = |slot: &Slot| is_open(slot) && !named.contains(&slot.name);
            let is_complete = !self.goal.slots.iter().any(lacks);
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
        self.mention(named);
        // What follows a detour has its reason already.
        let runs = std::ptr::eq(phrasings, self.goal.say.as_slice())
            && !self.program.starts_with("raise ");
        let is_tie = |slot: &&Slot| stage.talk.stay.as_ref() == Some(&slot.name);
        let tie = self.goal.slots.iter().find(is_tie);
        if let Some(tie) = tie.filter(|slot| self.stays && !self.has_said(slot))
            && let Some(there) = stage.chance.pick(&stage.talk.there)
            && self.mistake.is_none()
            && (complete || stage.chance.percent(stage.talk.odds.there))
        {
            self.say(tie);
            let phrasing = format!("{} {there}", phrasing.trim_end_matches(['.', '?', '!']));
            return stage.requested(&phrasing, &self.names, runs);
        }
        stage.requested(phrasing, &self.names, runs)
    }

    /// Marks the named slots as said, and also the slots that are never asked for.
    pub fn mention(&mut self, named: &[String]) {
        for slot in &self.goal.slots {
            if (slot.ask.is_empty() && !slot.option) || named.contains(&slot.name) {
                self.say(slot);
            }
        }
    }

    /// The value that ties goals, if it has one.
    pub fn tie(&self, talk: &Talk) -> Option<&Value> {
        let value = self.names.get(talk.stay.as_ref()?)?;
        (!value.is_none()).then_some(value)
    }

    fn has_said(&self, slot: &Slot) -> bool {
        self.said.contains(slot.name.as_str())
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
        self.other_program(self.program, stage)
    }

    /// Another program about the same values.
    pub fn other_program(&mut self, program: &str, stage: &Stage<'_>) -> Result<Program, Stop> {
        let mut names = self.names.clone();
        names.insert("raw".to_owned(), Value::from(self.names.clone()));
        for (index, slot) in self.goal.slots.iter().enumerate() {
            let unnumbered = UNNUMBERED.saturating_add(u32::try_from(index).unwrap_or(0));
            let code = match self.has_said(slot) {
                true => code(self.names.get(&slot.name))?,
                false if slot.option => continue,
                false => format!("?{unnumbered}"),
            };
            names.insert(slot.name.clone(), Value::from(code));
        }
        let code = stage.filled(program, &names)?;
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
            .filter(|slot| !self.has_said(slot))
            .filter(open)
            .collect();
        missing.sort_by_key(|slot| self.numbers.get(slot.name.as_str()));
        missing
    }

    /// The user has said this slot: from now on programs have its value instead of a placeholder.
    pub fn say(&mut self, slot: &'a Slot) {
        self.said.insert(&slot.name);
        if let Some(value) = self.options.remove(slot.name.as_str()) {
            self.names.insert(slot.name.clone(), value);
        }
    }

    /// The options that were not said and that have such phrasings.
    pub fn options(&self, phrasings: impl Fn(&Slot) -> &[String]) -> Vec<&'a Slot> {
        let is_open = |slot: &&Slot| self.options.contains_key(slot.name.as_str());
        let slots = self.goal.slots.iter().filter(is_open);
        slots.filter(|slot| !phrasings(slot).is_empty()).collect()
    }

    /// Whether the program needs a yes.
    pub fn needs_yes(&self) -> bool {
        let is_harmless = |slot: &Slot| slot.harmless && self.has_said(slot);
        !self.confirm.is_empty() && !self.goal.slots.iter().any(is_harmless)
    }

    /// The same again as a goal of its own, whose placeholders are numbered anew.
    pub fn again(self) -> Self {
        Wish {
            numbers: BTreeMap::new(),
            mistake: None,
            ..self
        }
    }

    /// The slots that the user said and can still change.
    pub fn changeable(&self) -> Vec<&'a Slot> {
        if self.revisions == MOST_REVISIONS {
            return Vec::new();
        }
        let slots = self.goal.slots.iter();
        slots
            .filter(|slot| slot.other.is_some() && self.has_said(slot))
            .collect()
    }

    /// Takes another value for a slot.
    pub fn revise(&mut self, slot: &Slot, new: Value) {
        self.names.insert(slot.name.clone(), new);
        self.revisions += 1;
        // A mistake in the old value is gone with it.
        self.mistake = None;
    }

    /// Takes another program for the goal.
    pub fn change(&mut self, change: &'a Change) {
        self.program = &change.program;
        self.confirm = &change.confirm;
        self.reply = &change.reply;
    }
}

/// A value as people write it in Python.
fn code(value: Option<&Value>) -> Result<String, Stop> {
    let unfit = |error: &dyn std::fmt::Display| Stop::Unfit(error.to_string());
    let mut text = Vec::new();
    let mut writer = serde_json::Serializer::with_formatter(&mut text, Spaced);
    value
        .serialize(&mut writer)
        .map_err(|error| unfit(&error))?;
    String::from_utf8(text).map_err(|error| unfit(&error))
}

/// JSON as Python writes it: blanks after commas and colons, and other words for the three
/// values that have one.
struct Spaced;

impl Formatter for Spaced {
    fn write_null<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        to.write_all(b"None")
    }

    fn write_bool<W: ?Sized + Write>(&mut self, to: &mut W, is: bool) -> io::Result<()> {
        to.write_all(if is { b"True" } else { b"False" })
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        to.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        to.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        to.write_all(b": ")
    }
}

#[cfg(test)]
mod tests {
    use super::super::stage::value;
    use super::*;
    use serde_json::json;

    #[test]
    fn a_value_is_written_as_python() {
        let written = code(Some(&value(
            &json!({"a": [true, false, null, 1.5], "b": "\"é\n"}),
        )));
        let python = r#"{"a": [True, False, None, 1.5], "b": "\"é\n"}"#;
        assert_eq!(written.ok().as_deref(), Some(python));
        assert_eq!(code(None).ok().as_deref(), Some("None"));
    }
}
