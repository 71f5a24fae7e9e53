//! Renders the templates of one dialogue, with its random choices and its world.

use super::Stop;
use super::chance::Chance;
use super::contents::Contents;
use super::talk::Talk;
use super::wording::{Manner, chosen, polite, reasoned};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, ValueKind};
use minijinja::{Environment, ErrorKind, UndefinedBehavior, Value};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The names that a template knows.
pub type Names = BTreeMap<String, Value>;

/// Fills templates in.
pub struct Stage<'a> {
    pub talk: &'a Talk,
    pub chance: Arc<Chance>,
    pub manner: Manner,
    engine: Environment<'static>,
    contents: Option<Arc<Contents>>,
    /// The names that every template can use: `world` and its lists, `words`, `random` and
    /// `same`.
    common: Names,
}

impl<'a> Stage<'a> {
    /// The stage of one dialogue; without `contents`, that of a world which is being made.
    pub fn new(talk: &'a Talk, chance: Arc<Chance>, contents: Option<Arc<Contents>>) -> Self {
        let mut engine = Environment::new();
        engine.set_undefined_behavior(UndefinedBehavior::Strict);
        let lines = SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .build();
        if let Ok(lines) = lines {
            engine.set_syntax(lines);
        }
        engine.add_filter("bullets", bullets);
        engine.add_filter("tojson", tojson);
        let mut stage = Stage {
            talk,
            manner: Manner::drawn(&chance, talk),
            common: Names::new(),
            chance,
            engine,
            contents,
        };
        stage.set("words", value(&talk.words));
        stage.set("random", Value::from_dyn_object(stage.chance.clone()));
        if let Some(world) = stage.contents.as_ref().map(|it| it.world.clone()) {
            stage.set("world", world);
        }
        stage.stay(None);
        stage
    }

    /// Lets goals stay with this value of the one before: it is `same`, and the lists of the
    /// domain are limited to it.
    pub fn stay(&mut self, same: Option<&Value>) {
        if let Some(contents) = &self.contents {
            let lists = contents.lists(same.and_then(|same| same.as_str()));
            self.common.extend(lists);
        }
        self.set("same", same.cloned().unwrap_or_else(|| Value::from(())));
    }

    /// Sets a name for all templates from now on.
    pub fn set(&mut self, name: &str, value: Value) {
        self.common.insert(name.to_owned(), value);
    }

    fn context(&self, names: &Names) -> Value {
        let mut all = self.common.clone();
        all.extend(names.clone());
        Value::from(all)
    }

    /// A template filled in.
    ///
    /// # Errors
    /// What is wrong with it, and in which line.
    pub fn rendered(&self, template: &str, names: &Names) -> Result<String, minijinja::Error> {
        self.engine.render_str(template, self.context(names))
    }

    /// A template filled in, as a part of a dialogue.
    pub fn filled(&self, template: &str, names: &Names) -> Result<String, Stop> {
        let text = self.rendered(template, names);
        text.map_err(|error| Stop::unfit(template, &error))
    }

    pub fn value(&self, expression: &str, names: &Names) -> Result<Value, Stop> {
        let compiled = self.engine.compile_expression(expression);
        let value = compiled.and_then(|it| it.eval(self.context(names)));
        match value {
            Ok(value) if value.is_undefined() => {
                Err(Stop::Unfit(format!("{expression}: is undefined")))
            }
            Ok(value) => Ok(value),
            Err(error) => Err(Stop::unfit(expression, &error)),
        }
    }

    /// The agent's words: one of these.
    pub fn spoken(&self, from: &[String], names: &Names) -> Result<String, Stop> {
        let nothing = || Stop::Unfit("a list of texts is empty".to_owned());
        let phrasing = self.chance.pick(from).ok_or_else(nothing)?;
        let text = self.filled(&chosen(phrasing, &self.chance), names)?;
        Ok(text.trim().to_owned())
    }

    /// The user's answer to the agent: one of these.
    pub fn typed(&self, from: &[String], names: &Names) -> Result<String, Stop> {
        let nothing = || Stop::Unfit("a list of texts is empty".to_owned());
        let phrasing = self.chance.pick(from).ok_or_else(nothing)?;
        self.worded(&chosen(phrasing, &self.chance), names)
    }

    /// A request as the user types it. It may give a reason if its program runs at once.
    pub fn requested(&self, phrasing: &str, names: &Names, runs: bool) -> Result<String, Stop> {
        let phrasing = chosen(phrasing, &self.chance);
        let phrasing = match runs && self.chance.percent(self.talk.odds.reason) {
            true => reasoned(&phrasing, &self.chance, self.talk),
            false => polite(&phrasing, &self.chance, self.talk),
        };
        self.worded(&phrasing, names)
    }

    /// An answer with the words that some people put around it.
    pub fn chatty(&self, answer: String) -> String {
        let (chance, talk) = (&self.chance, self.talk);
        if !chance.percent(talk.odds.chatty) {
            return answer;
        }
        match chance.percent(40) {
            true => match chance.pick(&talk.answer_before) {
                Some(before) => chosen(before, chance) + " " + &answer,
                None => answer,
            },
            false => match chance.pick(&talk.answer_after) {
                Some(after) => answer + &chosen(after, chance),
                None => answer,
            },
        }
    }

    fn worded(&self, phrasing: &str, names: &Names) -> Result<String, Stop> {
        let typed = self.manner.typed(phrasing, &self.chance, self.talk);
        Ok(self.filled(&typed, names)?.trim().to_owned())
    }

    /// The names that a phrasing fills in.
    pub fn mentioned(&self, phrasing: &str) -> Result<Vec<String>, Stop> {
        let template = self.engine.template_from_str(phrasing);
        let template = template.map_err(|error| Stop::unfit(phrasing, &error))?;
        Ok(template.undeclared_variables(false).into_iter().collect())
    }
}

/// Any data as a value of a template.
pub fn value(data: &impl Serialize) -> Value {
    Value::from(Serde(data))
}

/// A value as JSON, for worlds that are written in it.
fn tojson(value: &Value) -> Result<String, minijinja::Error> {
    let wrong = |error: serde_json::Error| {
        minijinja::Error::new(ErrorKind::BadSerialization, error.to_string())
    };
    serde_json::to_string(value).map_err(wrong)
}

/// A result as a list in a reply: one line for each entry, with `unit` after its number.
fn bullets(result: &Value, unit: Option<&str>) -> Result<String, minijinja::Error> {
    let after = unit.map(|unit| format!(" {unit}")).unwrap_or_default();
    let mut lines = Vec::new();
    for entry in result.try_iter()? {
        let line = match result.kind() {
            ValueKind::Map => format!("{entry}: {}{after}", plain(&result.get_item(&entry)?)?),
            _ => match (entry.kind(), entry.len()) {
                (ValueKind::Seq, Some(2)) => {
                    let (name, of) = (entry.get_item_by_index(0)?, entry.get_item_by_index(1)?);
                    format!("{name}: {}{after}", plain(&of)?)
                }
                _ => plain(&entry)?,
            },
        };
        lines.push(format!("- {line}"));
    }
    Ok(lines.join("\n"))
}

/// A value within a line.
fn plain(value: &Value) -> Result<String, minijinja::Error> {
    let parts: Vec<String> = match value.kind() {
        ValueKind::Seq => value.try_iter()?.map(|it| it.to_string()).collect(),
        ValueKind::Map => {
            let pair = |name: Value| Ok(format!("{name} {}", value.get_item(&name)?));
            let pairs = value.try_iter()?.map(pair);
            pairs.collect::<Result<_, minijinja::Error>>()?
        }
        _ => return Ok(value.to_string()),
    };
    Ok(parts.join(", "))
}
