//! Writes tools as Python stubs. Models read them, and `src/folder` takes the operations from
//! them.

use super::schema::{DEPTH, Reader};
use super::tool::{ERRORS, Tool, Tools};
use crate::stubs::{differs, docstring};

/// The most characters of the description of a tool, of a parameter, and of a shape.
const TOOL: usize = 1_600;
const PARAMETER: usize = 400;
const SHAPE: usize = 600;
const INDENT: &str = "    ";

/// The text of `api.pyi`.
pub fn text(tools: &Tools) -> String {
    let functions: Vec<String> = tools.iter().map(function).collect();
    let functions = functions.join("\n");
    let errors = ERRORS
        .map(|(name, about)| format!("class {name}(Exception):\n{INDENT}\"\"\"{about}\"\"\"\n"));
    format!(
        "from typing import Any, Literal\n\n{}\n{functions}",
        errors.join("\n")
    )
}

fn function(tool: &Tool) -> String {
    let parameters = tool.inputs.parameters.iter();
    let parameters = parameters.map(|it| format!("{}: {}", it.name, it.annotation));
    let parameters: Vec<String> = parameters.collect();
    let parameters = match parameters.is_empty() {
        true => String::new(),
        false => format!("*, {}", parameters.join(", ")),
    };
    let output = tool.output_schema.as_ref().map(|schema| {
        let reader = Reader::new(schema);
        (
            reader.type_of(schema, DEPTH).text(false),
            reader.shape(schema, DEPTH),
        )
    });
    let (returns, shape) = output.unwrap_or_else(|| ("Any".to_owned(), None));
    format!(
        "def {}({parameters}) -> {returns}:\n{INDENT}\"\"\"{}\"\"\"\n",
        tool.name,
        documentation(tool, shape)
    )
}

/// The docstring, without its quotes.
fn documentation(tool: &Tool, shape: Option<String>) -> String {
    let about = match docstring(&tool.description, TOOL, INDENT) {
        about if about.is_empty() => {
            let title = tool.title.as_deref().unwrap_or(&tool.wire);
            docstring(title, PARAMETER, INDENT)
        }
        about => about,
    };
    let mut lines: Vec<String> = Vec::new();
    for input in &tool.inputs.parameters {
        let wire = input.wire.as_deref();
        let wire = wire.filter(|wire| differs(wire, &input.name));
        let wire = wire.map(|wire| format!("({wire})"));
        let shape = input.shape.as_deref().map(short);
        let parts = [wire.as_deref(), Some(&input.about), shape.as_deref()];
        let parts = parts
            .into_iter()
            .flatten()
            .map(|part| one_line(part, PARAMETER.max(SHAPE)));
        let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
        if !parts.is_empty() {
            lines.push(format!("{}: {}", input.name, parts.join(" ")));
        }
    }
    lines.extend(shape.map(|shape| format!("Returns {}", one_line(&short(&shape), SHAPE + 1))));
    if lines.is_empty() {
        return about;
    }
    let lines: String = lines
        .iter()
        .map(|line| format!("{INDENT}{line}\n"))
        .collect();
    format!("{about}\n\n{lines}{INDENT}")
}

fn short(shape: &str) -> String {
    match shape.char_indices().nth(SHAPE) {
        Some((end, _)) => format!("{}…", &shape[..end]),
        None => shape.to_owned(),
    }
}

/// A text as part of one line of a docstring.
fn one_line(text: &str, most: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    docstring(&words.join(" "), most, "")
}
