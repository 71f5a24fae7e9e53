//! Where templates are filled in: the chance and the world of one dialogue.

use super::Stop;
use super::chance::Chance;
use super::templates::Talk;
use super::wording::{Manner, chosen, polite};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior, Value};
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
    /// What all templates know: `world`, `words` and `random`.
    common: Names,
}

impl<'a> Stage<'a> {
    pub fn new(talk: &'a Talk, chance: Arc<Chance>, world: Value) -> Self {
        let mut engine = Environment::new();
        engine.set_undefined_behavior(UndefinedBehavior::Strict);
        let lines = SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .build();
        if let Ok(lines) = lines {
            engine.set_syntax(lines);
        }
        let common = [
            ("world", world),
            ("words", value(&talk.words)),
            ("random", Value::from_dyn_object(chance.clone())),
        ];
        Stage {
            talk,
            manner: Manner::drawn(&chance, talk),
            chance,
            engine,
            common: common.map(|(name, value)| (name.to_owned(), value)).into(),
        }
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
    pub fn filled(&self, template: &str, names: &Names) -> Result<String, Stop> {
        let text = self.engine.render_str(template, self.context(names));
        text.map_err(|error| Stop::unfit(template, &error))
    }

    /// The value of an expression.
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

    /// What the agent says: one of these.
    pub fn spoken(&self, from: &[String], names: &Names) -> Result<String, Stop> {
        let nothing = || Stop::Unfit("a list of texts is empty".to_owned());
        let phrasing = self.chance.pick(from).ok_or_else(nothing)?;
        let text = self.filled(&chosen(phrasing, &self.chance), names)?;
        Ok(text.trim().to_owned())
    }

    /// What the user types in answer to the agent: one of these.
    pub fn typed(&self, from: &[String], names: &Names) -> Result<String, Stop> {
        let nothing = || Stop::Unfit("a list of texts is empty".to_owned());
        let phrasing = self.chance.pick(from).ok_or_else(nothing)?;
        self.worded(&chosen(phrasing, &self.chance), names)
    }

    /// What the user types to ask for something.
    pub fn requested(&self, phrasing: &str, names: &Names) -> Result<String, Stop> {
        let phrasing = chosen(phrasing, &self.chance);
        self.worded(&polite(&phrasing, &self.chance, self.talk), names)
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
