//! `domain check`: what is said of files that do not go together.

use super::lab::Lab;
use expect_test::expect;

#[tokio::test]
async fn a_new_folder_is_whole() {
    Lab::new().check(expect![[""]]).await;
}

#[tokio::test]
async fn functions_that_differ() {
    Lab::new()
        .replace(
            "world.py",
            "def set_count(state, name, count):",
            "def set_count(state, name, amount, count=1):",
        )
        .replace("world.py", "def get_item(state, name):", "def get_thing():")
        .replace(
            "world.py",
            "def remove_item(state, name):\n",
            "async def remove_item(state, name, *more):\n    global seen\n",
        )
        .replace(
            "world.py",
            "class NotFound",
            "class Gone(Exception): pass\n\nclass NotFound",
        )
        .check(expect![[r#"
            api.pyi:10: get_item is not defined in world.py
            world.py:34: set_count requires amount, which api.pyi does not have
            world.py:40: remove_item is async; an operation is a plain function
            world.py:21: get_thing is not in api.pyi, so no program can call it; call it _get_thing if that is meant
            world.py:7: api.pyi does not have the exception Gone, so programs cannot name it
            world.py:41: the global seen is lost between calls; keep it in the state"#]])
        .await;
}

#[tokio::test]
async fn documents_without_documentation() {
    Lab::new()
        .replace(
            "api.pyi",
            "\n    \"\"\"Removes an item for good.\"\"\"",
            " ...",
        )
        .replace("api.pyi", "list_items()", "list_items(*args)")
        .check(expect![[r#"
            api.pyi:7: list_items takes *args or **kwargs; an operation names its parameters
            api.pyi:19: remove_item has no docstring for the model to read"#]])
        .await;
}

#[tokio::test]
async fn places_policy_examples_and_gold() {
    Lab::new()
        .replace("domain.toml", "set_count = \"items/{name}\"\n", "")
        .replace(
            "domain.toml",
            "remove_item = \"items/{name}\"",
            "remove_item = \"items/{item}\"",
        )
        .replace("examples/add.xml", "list_items()", "all_items()")
        .replace(
            "examples/small-talk.xml",
            "world=\"start\"",
            "world=\"first\"",
        )
        .write("gold.jsonl", "\n{\"name\": 3}\n")
        .check(expect![[r#"
            domain.toml: the place of remove_item names item, which is no parameter of it
            policy.toml: has rules about places, but set_count names none: add it to [places] in domain.toml
            examples/add.xml:7: calls all_items, which api.pyi does not have
            examples/small-talk.xml:1: there is no world "first"
            gold.jsonl:2: invalid type: integer `3`, expected a string, in column 10"#]])
        .await;
}

#[tokio::test]
async fn worlds_that_do_not_load() {
    Lab::new()
        .write("worlds/b.json", "[1]")
        .check(expect![[
            r#"worlds/b.json: is not a JSON object; a state is one: {"orders": {}}"#
        ]])
        .await;
    Lab::new()
        .write("worlds/b.json", "{\"a\": \n")
        .check(expect![
            "worlds/b.json: is not JSON: EOF while parsing a value at line 2 column 0"
        ])
        .await;
    Lab::new()
        .replace(
            "world.py",
            "from datetime import datetime",
            "from datetime import datetime, dates",
        )
        .check(expect!["world.py:4: world.py failed: ImportError: cannot import name 'dates' from 'datetime' (unknown location) (world.py, line 4, in <module>: from datetime import datetime, dates). This is a mistake in the domain's code, not in the program. Nothing was changed."])
        .await;
    Lab::new()
        .remove("worlds/start.json")
        .check(expect![[r#"
            examples/add.xml:1: there is no world "start"
            examples/small-talk.xml:1: there is no world "start"
            worlds/: has no state: add one as worlds/NAME.json"#]])
        .await;
}

/// Python takes the later of two functions with one name, so the author is told.
#[tokio::test]
async fn a_function_that_is_there_twice() {
    Lab::new()
        .replace(
            "world.py",
            "class NotFound",
            "def get_item(state, name):\n    return None\n\nclass NotFound",
        )
        .check(expect![
            "world.py:22: get_item is defined twice, first in line 7; the later one counts"
        ])
        .await;
}

/// States that no JSON reader takes are findings with their file.
#[tokio::test]
async fn states_that_are_odd() {
    let deep = format!("{{\"a\": {}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
    Lab::new()
        .write("worlds/deep.json", &deep)
        .check(expect![
            "worlds/deep.json: is not JSON: recursion limit exceeded at line 1 column 133"
        ])
        .await;
    Lab::new()
        .write_bytes("worlds/bytes.json", b"{\"a\": \"\xff\"}")
        .check(expect![
            "worlds/bytes.json: is not JSON: invalid unicode code point at line 1 column 8"
        ])
        .await;
}

/// What keeps a folder from being read at all.
#[test]
fn folders_that_cannot_be_read() {
    let mut seen = String::new();
    for lab in [
        Lab::new().replace("domain.toml", "reads", "reeds"),
        Lab::new().replace("domain.toml", "name = \"library\"", "name = \"My Library\""),
        Lab::new().replace("domain.toml", "handle = \"library\"", "handle = \"class\""),
        Lab::new().replace("domain.toml", "\"remove_item\"", "\"drop_item\""),
        Lab::new().replace(
            "domain.toml",
            "destroys = [\"",
            "destroys = [\"get_item\", \"",
        ),
        Lab::new().replace("domain.toml", "[places]", "world = \"second\"\n[places]"),
        Lab::new().replace("domain.toml", "[places]", "now = \"yesterday\"\n[places]"),
        Lab::new().replace("domain.toml", "[places]", "kind = \"cobol\"\n[places]"),
        Lab::new().write_bytes("domain.toml", b"name = \"\xff\""),
        Lab::new().write_bytes("api.pyi", b"\xff"),
        Lab::new().write_bytes("world.py", b"# \xff"),
        Lab::new().replace("api.pyi", "def get_item", "def list_items"),
        Lab::new().replace("api.pyi", "-> dict:", "-> dict"),
        Lab::new().replace(
            "world.py",
            "return get_item(state, name)",
            "return get_item(state, name",
        ),
        Lab::new().write("api.pyi", ""),
        Lab::new().write("world.py", &"(".repeat(100_000)),
        Lab::new().remove("api.pyi"),
        Lab::new().remove("domain.toml"),
    ] {
        seen += &format!("{}\n", lab.error());
    }
    expect![[r#"
        library/domain.toml: line 6: unknown field `reeds`, expected one of `name`, `title`, `handle`, `kind`, `reads`, `destroys`, `errors`, `world`, `now`, `url`, `server`, `places`
        library/domain.toml: the name "My Library" must have lower-case letters, digits and hyphens, and begin with a letter
        library/domain.toml: the handle "class" is not a name that a Python program can use
        library/domain.toml: names drop_item, which api.pyi does not have
        library/domain.toml: get_item is among both reads and destroys
        library/domain.toml: the default world is "second", and worlds/ has none of that name
        library/domain.toml: line 10: "yesterday" is not a time: failed to parse four digit integer as year: invalid digit, expected 0-9 but got y
        library/domain.toml: line 10: unknown variant `cobol`, expected one of `python`, `openapi`, `mcp`
        cannot read library/domain.toml: stream did not contain valid UTF-8
        cannot read library/api.pyi: stream did not contain valid UTF-8
        cannot read library/world.py: stream did not contain valid UTF-8
        library/api.pyi: line 10: list_items is defined twice, first in line 7
        library/api.pyi: line 10: Expected `:`, found newline
        library/world.py: line 29: Expected `)`, found newline
        library/api.pyi: has no function: each operation is one
        library/world.py: is nested too deeply to be read
        cannot read library/api.pyi: No such file or directory (os error 2)
        library is not a domain: it has no domain.toml; `dialog2api domain new library` makes a folder that has one
    "#]].assert_eq(&seen);
}
