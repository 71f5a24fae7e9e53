//! One HTML file that needs nothing else: style, script and drawings are in it, and it
//! loads nothing.
//!
//! The texts of a log were written by users, models and programs. Each goes through
//! [`write`], which escapes HTML and makes control characters and changes of the reading
//! direction visible. The page's content security policy also allows no script but the one
//! here, by its hash, and loads nothing.

use super::Report;
use super::states::{DialogueKey, StateDifference};
use super::view::Page;
use crate::dialogue::clean;
use crate::error::{Error, Result};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, ValueKind};
use minijinja::{AutoEscape, Environment, Output, State, Value, context, escape_formatter};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

const TEMPLATES: [(&str, &str); 3] = [
    ("page", include_str!("page.j2")),
    ("charts", include_str!("charts.j2")),
    ("dialogues", include_str!("dialogues.j2")),
];
const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The page of a report. `states` are the differences at first wrong turns, or a sentence
/// why there are none.
///
/// # Errors
/// A log contradicts itself.
pub fn page(
    report: &Report,
    states: &std::result::Result<BTreeMap<DialogueKey, StateDifference>, String>,
) -> Result<String> {
    let page = Value::from(Serde(Page::new(report, states)?));
    let templates = templates().map_err(broken)?;
    let render = |name: &str, more: Value| {
        let template = templates.get_template(name)?;
        template.render(context! { ..more, ..page.clone() })
    };
    let whole = || {
        let charts = Value::from_safe_string(render("charts", context! {})?);
        let dialogues = Value::from_safe_string(render("dialogues", context! {})?);
        let hash = BASE64_STANDARD.encode(Sha256::digest(SCRIPT));
        let style = Value::from_safe_string(STYLE.to_owned());
        let script = Value::from_safe_string(SCRIPT.to_owned());
        render(
            "page",
            context! { charts, dialogues_list => dialogues, hash, style, script },
        )
    };
    whole().map_err(broken)
}

fn templates() -> std::result::Result<Environment<'static>, minijinja::Error> {
    let mut templates = Environment::new();
    let syntax = SyntaxConfig::builder()
        .trim_blocks(true)
        .lstrip_blocks(true)
        .build()?;
    templates.set_syntax(syntax);
    templates.set_auto_escape_callback(|_| AutoEscape::Html);
    templates.set_undefined_behavior(minijinja::UndefinedBehavior::Strict);
    templates.set_formatter(write);
    for (name, text) in TEMPLATES {
        templates.add_template(name, text)?;
    }
    Ok(templates)
}

/// Writes a value of a template as harmless text without markup.
fn write(
    out: &mut Output<'_>,
    state: &mut State<'_, '_>,
    value: &Value,
) -> std::result::Result<(), minijinja::Error> {
    match value.as_str() {
        Some(text) if value.kind() == ValueKind::String && !value.is_safe() => {
            let visible = Value::from(clean(text).into_owned());
            escape_formatter(out, state, &visible)
        }
        _ => escape_formatter(out, state, value),
    }
}

fn broken(error: minijinja::Error) -> Error {
    Error::bug("the template of the report is broken")(format!("{error:#}"))
}
