//! A grammar that holds a model to calls.

use super::Form;

/// The values of arguments.
const VALUES: &str = r#"
value ::= text | number | "True" | "False" | "None" | list
list ::= "[" ( value ( ", " value )* )? "]"
text ::= "\"" [^"\\\n]{0,80} "\""
number ::= "-"? [0-9]{1,6} ( "." [0-9]{1,2} )?
key ::= [a-z_]{1,20}
argument ::= ( key "=" )? value
arguments ::= ( argument ( ", " argument )* )?
"#;

/// Lines of these calls, or `none()`.
pub(super) fn of(calls: &[Form]) -> String {
    let names = calls.iter().map(|form| form.name).chain(["forget"]);
    let names: Vec<String> = names.map(|name| format!("\"{name}\"")).collect();
    format!(
        "root ::= \"none()\" | call ( \"\\n\" call ){{0,63}}\ncall ::= ( {} ) \"(\" arguments \")\"{VALUES}",
        names.join(" | ")
    )
}
