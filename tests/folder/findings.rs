//! `domain check`: mistakes in the files of a folder.

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
            "async def remove_item(state, name, *more):\n    global seen\n    print(name)\n",
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
            world.py:41: the global seen is lost between calls; keep it in the state
            world.py:42: nobody sees what is printed; return it, or raise an error that says it"#]])
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
            domain.toml:12: the place of remove_item names item, which is not one of its parameters
            policy.toml:4: has rules about places, but set_count names none: add it to [places] in domain.toml
            examples/add.xml:10: library.all_items is not in api.pyi
            examples/small-talk.xml:1: there is no world "first"
            gold.jsonl:2: invalid type: integer `3`, expected a string, in column 10"#]])
        .await;
}

/// A list or a dict names no record, so a policy cannot judge a write by it.
#[tokio::test]
async fn places_that_a_parameter_cannot_name() {
    Lab::new()
        .replace("api.pyi", "def get_item(name: str", "def get_item(name: list")
        .replace("api.pyi", "def add_item(name: str", "def add_item(name: dict | None")
        .replace("api.pyi", "def set_count(name: str", "def set_count(name: str | list[str]")
        .replace("api.pyi", "def remove_item(name: str", "def remove_item(name: list[str]")
        .replace("domain.toml", "[places]", "[places]\nget_item = \"items/{name}\"")
        .check(expect![[r#"
            domain.toml:12: the place of add_item names name, which is dict | None in api.pyi: no such value names a record, so calls with one are denied
            domain.toml:14: the place of remove_item names name, which is list[str] in api.pyi: no such value names a record, so calls with one are denied"#]])
        .await;
}

/// Calls in examples and recordings that the functions do not take, each with its line.
#[tokio::test]
async fn calls_that_do_not_fit() {
    Lab::new()
        .replace(
            "examples/add.xml",
            "return library.add_item(name=\"pear\", count=2)[\"count\"]",
            "try:\n    return library.add_item(title=\"pear\")\nexcept library.Missing:\n    return 0",
        )
        .replace(
            "examples/add.xml",
            "set_count(name=\"apple\", count=10)",
            "set_count(\"apple\")",
        )
        .replace(
            "examples/small-talk.xml",
            "library.remove_item(name=\"pear\")",
            "<![CDATA[library.remove_item(\"pear\", 2, *[])\nlibrary.remove_item(1, 2)]]>",
        )
        .write(
            "gold.jsonl",
            "{\"name\": \"a\", \"world\": \"b\", \"turns\": [[[\"add_item\", {\"item\": 1}]], [[\"buy\", {}]]]}\n\
             {\"name\": \"c\", \"calls\": [[\"add_item\", {\"item\": 1}, {\"error\": \"TypeError\"}]]}\n[\n",
        )
        .check(expect![[r#"
            examples/add.xml:21: add_item is called with title, which it does not have in api.pyi
            examples/add.xml:22: library.Missing is not in api.pyi
            examples/add.xml:40: set_count is called without count, which it requires in api.pyi
            examples/small-talk.xml:21: remove_item is called with 2 unnamed arguments, and takes 1 in api.pyi
            examples/small-talk.xml:29: remove_item is called with 2 unnamed arguments, and takes 1 in api.pyi
            gold.jsonl:1: there is no world "b"
            gold.jsonl:1: call 1 is of add_item with item, which it does not have in api.pyi
            gold.jsonl:1: call 2 is of buy, which api.pyi does not have
            gold.jsonl:3: EOF while parsing a list, in column 1"#]])
        .await;
    Lab::new()
        .replace("examples/add.xml", "</goal>", "</gaol>")
        .check(expect!["examples/add.xml:15: expected <program>, <result>, <error>, <signature> or </goal>, each once, found `</gaol>`"])
        .await;
}

/// Policies that name unknown operations or places, and policies with mistakes in their text.
#[tokio::test]
async fn policies_that_mean_nothing() {
    let rule = |more: &str| {
        format!("version = 1\n\n[[rule]]\nname = \"keep\"\neffect = \"deny\"\n{more}\n")
    };
    for (text, expected) in [
        (
            rule("operations = [\"remove_*\", \"drop_*\", \"get_itme\"]"),
            expect![[r#"
                policy.toml:6: rule "keep": no operation is "drop_*"; there are list_items, get_item, add_item, set_count, remove_item
                policy.toml:6: rule "keep": no operation is "get_itme"; there are list_items, get_item, add_item, set_count, remove_item"#]],
        ),
        (
            rule("paths = [\"items/a\", \"itms/**\", \"**/b\", \"items\"]")
                .replace("version = 1", "version = 1\nprotected_paths = [\"things\"]"),
            expect![[r#"
                policy.toml:2: no call has a path like "things": [places] in domain.toml says which there are
                policy.toml:7: no call has a path like "itms/**": [places] in domain.toml says which there are"#]],
        ),
        (
            rule("pathes = []"),
            expect![
                "policy.toml:6: unknown field `pathes`, expected one of `name`, `effect`, `operations`, `access`, `paths`, `buckets`, `containers`, `keys`, `names`"
            ],
        ),
        (
            "version = 2".to_owned(),
            expect!["policy.toml:1: it says version = 2, and this program knows version = 1"],
        ),
        (
            rule("") + "[[rule]]\neffect = \"deny\"\nname = \"keep\"\n",
            expect![[r#"policy.toml:9: two rules have the name "keep""#]],
        ),
    ] {
        Lab::new().write("policy.toml", &text).check(expected).await;
    }
}

/// Files that are wrong at once are found at once.
#[tokio::test]
async fn all_that_is_wrong_is_found() {
    Lab::new()
        .replace(
            "domain.toml",
            "destroys = [",
            "destroys = [\"get_item\", \"drop_item\", ",
        )
        .replace("domain.toml", "set_count = ", "change_count = ")
        .replace(
            "domain.toml",
            "[places]",
            "errors = [\"not one\"]\n[places]",
        )
        .replace("api.pyi", "count: int = 1", "count: int = 2")
        .replace(
            "api.pyi",
            "class NotFound",
            "class Gone(Exception): ...\n\nclass NotFound",
        )
        .replace(
            "api.pyi",
            "def get_item",
            "def list_items() -> list: \"\"\"All.\"\"\"\n\ndef get_item",
        )
        .check(expect![[r#"
            api.pyi:12: list_items is defined twice, first in line 9
            domain.toml:7: names drop_item, which api.pyi does not have
            domain.toml:13: names change_count, which api.pyi does not have
            domain.toml:7: get_item is among both reads and destroys
            domain.toml:10: "not one" is not the name of an exception
            world.py:23: add_item has count=1, and api.pyi says 2
            api.pyi:1: world.py has no exception Gone, so no call raises it"#]])
        .await;
    Lab::new()
        .replace("domain.toml", "handle = \"library\"", "handle = \"class\"")
        .replace("api.pyi", "-> dict:", "-> dict")
        .replace(
            "world.py",
            "return get_item(state, name)",
            "return get_item(state, name",
        )
        .check(expect![[r#"
            domain.toml:3: the handle "class" is not a name that a Python program can use
            api.pyi:10: Expected `:`, found newline
            world.py:29: Expected `)`, found newline"#]])
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
            "worlds/b.json:2: is not JSON: EOF while parsing a value, in column 0"
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
            worlds/: has no state: add one as worlds/NAME.json
            gold.jsonl:1: there is no world "start""#]])
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
            "worlds/deep.json:1: is not JSON: recursion limit exceeded, in column 133"
        ])
        .await;
    Lab::new()
        .write_bytes("worlds/bytes.json", b"{\"a\": \"\xff\"}")
        .check(expect![
            "worlds/bytes.json:1: is not JSON: invalid unicode code point, in column 8"
        ])
        .await;
    Lab::new()
        .write(
            "worlds/large.json",
            "{\"items\": {\"a\": [1, 18446744073709551615]}}",
        )
        .check(expect![
            "worlds/large.json: items.a.1 is 18446744073709551615; a state holds finite numbers, and integers of at most 64 bits with a sign: write it as a text"
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
        library/domain.toml: line 6: unknown field `reeds`, expected one of `name`, `title`, `handle`, `kind`, `domain`, `reads`, `destroys`, `errors`, `world`, `now`, `url`, `trusted_servers`, `server`, `places`, `words`, `worksheets`
        library/domain.toml: line 1: the name "My Library" must have lower-case letters, digits and hyphens, and begin with a letter
        library/domain.toml: line 3: the handle "class" is not a name that a Python program can use
        library/domain.toml: line 7: names drop_item, which api.pyi does not have
        library/domain.toml: line 7: get_item is among both reads and destroys
        library/domain.toml: line 10: the default world is "second", and worlds/ has none of that name
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
