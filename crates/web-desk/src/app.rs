//! The plan as a document of its own, for the windows of agents (MCP Apps): one file with all that it
//! needs, which fetches nothing. What it draws is what the page draws.

use crate::access;
use std::fmt::Write;
use std::io;

/// Where the answer of a tool has the plan, as the event `plan` has it: in its `_meta`.
pub const PLAN_KEY: &str = "web-desk/plan";

/// Where it has links that were signed, each as the event `link` has it: in its `_meta`, too.
pub const LINKS_KEY: &str = "web-desk/links";

macro_rules! modules {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../assets/", $name, ".js")))),*]
    };
}

/// In the order in which they need each other.
const MODULES: &[(&str, &str)] = modules![
    "dom", "links", "words", "effects", "changes", "python", "app"
];

const STYLE: &str = concat!(
    include_str!("../assets/colours.css"),
    include_str!("../assets/plan.css"),
    include_str!("../assets/app.css"),
);

/// The document. `approve` is the command that a person types, without the name of the plan.
///
/// # Errors
/// The system gives no random bytes.
pub fn app(approve: &str) -> io::Result<String> {
    let mut script = String::new();
    for (name, text) in MODULES {
        script.push_str(&inlined(name, text));
    }
    let approve = approve
        .replace('&', "&amp;")
        .replace('"', "&quot;")
        .replace('<', "&lt;");
    // Only what has the nonce of this copy runs, so no name can become a script or a style.
    let document = include_str!("../assets/app.html").replace("NONCE", &access::secret()?);
    Ok(document
        .replace("APPROVE", &approve)
        .replace("STYLE\n", STYLE)
        .replace("SCRIPT\n", &script))
}

/// A module as an expression: in one document there is no other file to import from.
fn inlined(name: &str, text: &str) -> String {
    let (mut body, mut exports) = (String::new(), Vec::new());
    for line in text.lines() {
        let import = line
            .strip_prefix("import ")
            .and_then(|it| it.split_once(" from \"./"));
        let line = match import {
            Some((names, file)) => {
                let file = file.trim_end_matches("\";").trim_end_matches(".js");
                let names = names.trim_start_matches("* as ");
                format!("const {names} = module_{file};")
            }
            None => match line.strip_prefix("export ") {
                Some(declared) => {
                    let declared_name = declared
                        .split(' ')
                        .skip_while(|word| ["const", "let", "async", "function"].contains(word));
                    let declared_name = declared_name.take(1).collect::<String>();
                    let end = declared_name.find(|c: char| !c.is_alphanumeric() && c != '_');
                    let end = end.unwrap_or(declared_name.len());
                    exports.push(declared_name.get(..end).unwrap_or_default().to_owned());
                    declared.to_owned()
                }
                None => line.to_owned(),
            },
        };
        body.push_str(&line);
        body.push('\n');
    }
    let mut module = String::new();
    let exports = exports.join(", ");
    let _ = write!(
        module,
        "const module_{name} = (() => {{\n{body}return {{ {exports} }};\n}})();\n"
    );
    module
}
