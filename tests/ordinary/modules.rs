//! The table of modules on the page about programs.

use super::given;
use std::fmt::Write;
use std::path::Path;

/// Imports every module of the standard library: which there are, and why others are not.
const IMPORTS: &str = r#"
import contextlib, importlib, io, sys
there, absent = [], {}
for name in sorted(sys.stdlib_module_names):
    if name.startswith("_") or name in ("this", "antigravity"):
        continue
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(f"import {name}")
        there.append(name)
    except ImportError as error:
        absent[name] = str(error).partition(": ")[2]
return [there, absent]
"#;

const PAGE: &str = "src/documentation/programs.md";

#[tokio::test]
async fn the_page_lists_all_modules() {
    let found = given(IMPORTS).await;
    let names = |value: &serde_json::Value| serde_json::from_value::<Vec<String>>(value.clone());
    let there = names(&found["result"][0]).expect("names");
    let absent = found["result"][1].as_object().expect("reasons");
    let mut table = format!(
        "{} modules can be imported: `{}`.\n\n| Not there | Why |\n|---|---|\n",
        there.len(),
        there.join("`, `")
    );
    for (name, why) in absent {
        let why = why.as_str().expect("text");
        assert!(
            why.contains(' '),
            "{name} is absent without a reason: {why:?}"
        );
        writeln!(table, "| `{name}` | {why} |").expect("text");
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let page = std::fs::read_to_string(&path).expect("the page");
    let (before, rest) = page.split_once("<!-- modules -->\n").expect("a beginning");
    let (_, after) = rest.split_once("<!-- end -->\n").expect("an end");
    let wanted = format!("{before}<!-- modules -->\n{table}<!-- end -->\n{after}");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, wanted).expect("the page can be written");
    } else {
        assert_eq!(page, wanted, "renew it with UPDATE_EXPECT=1");
    }
}
