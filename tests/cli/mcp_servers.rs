//! MCP servers of others: they end with their user, and a tool that changed is not called.

use super::support::Home;
use crate::support::command::kill;
use crate::support::tools::{PYTHON, needs};
use serde_json::json;

/// A server whose user is killed ends, even while its call lasts for ever.
#[test]
fn a_server_does_not_outlive_its_user() {
    use std::io::Read;
    needs!(PYTHON);
    for signal in ["-TERM", "-KILL"] {
        let home = Home::new();
        std::fs::create_dir(home.path("state")).unwrap();
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mcp/server.py");
        let mut making = home.command("domain new items --mcp --");
        making
            .arg(PYTHON.path())
            .arg(script)
            .arg(home.path("state"));
        assert!(making.output().unwrap().status.success());
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        home.write("hang.py", &format!("items.hang(port={port})"));
        let mut program = home.ready("run --domain ./items hang.py").spawn().unwrap();
        let (mut call, _) = listener.accept().unwrap();
        kill(signal, program.id());
        program.wait().unwrap();
        // It ends when the server does.
        assert_eq!(call.read(&mut [0]).unwrap(), 0, "{signal}");
    }
}

/// A server keeps the folder in which its domain was made, wherever a program starts later.
#[test]
fn a_server_keeps_the_folder_of_its_domain() {
    needs!(PYTHON);
    let home = Home::new();
    for folder in ["state", "elsewhere"] {
        std::fs::create_dir(home.path(folder)).unwrap();
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mcp/server.py");
    let mut making = home.command("domain new items --mcp --");
    making.arg(PYTHON.path()).args([script, "state"]);
    assert!(making.output().unwrap().status.success());
    home.write("elsewhere/list.py", "return items.list_items()");
    let words = format!("run --domain {} list.py", home.path("items").display());
    let mut run = home.ready(&words);
    run.current_dir(home.path("elsewhere"));
    let seen = home.seen(&run.output().unwrap());
    assert!(seen.contains("nail"), "{seen}");
}

/// A home with the domain `items` of a server, the folder of that server, and what was said.
fn domain(tools: &serde_json::Value) -> (Home, std::path::PathBuf, String) {
    let home = Home::new();
    let state = home.path("state");
    std::fs::create_dir(&state).unwrap();
    std::fs::write(state.join("listed.json"), tools.to_string()).unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mcp/server.py");
    let mut making = home.command("domain new items --mcp --");
    making.arg(PYTHON.path()).arg(script).arg(&state);
    let seen = home.seen(&making.output().unwrap());
    (home, state, seen)
}

/// A tool that its server no longer lists is not called, and is taken out after a yes.
#[test]
fn a_tool_that_is_gone_is_taken_out() {
    needs!(PYTHON);
    let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}});
    let delete = json!({"name": "delete.item", "inputSchema": schema,
        "annotations": {"destructiveHint": true}});
    let list = json!({"name": "list_items", "annotations": {"readOnlyHint": true}});
    let (home, state, made) = domain(&json!([[delete, list]]));
    assert!(made.contains("-- exit 0 --"), "{made}");
    home.write("delete.py", "return items.delete_item(name='nail')");
    home.write("list.py", "return items.list_items()");
    let list_only = json!([[list]]).to_string();
    std::fs::write(state.join("listed.json"), list_only).unwrap();
    let run = |words: &str| home.seen(&home.ready(words).output().unwrap());
    let seen = run("run --domain ./items delete.py");
    assert!(
        seen.contains("delete_item is gone: its server no longer lists it. It was not called"),
        "{seen}"
    );
    assert!(
        seen.contains("`dialog2api domain approve ./items`"),
        "{seen}"
    );
    let approve = home.command("domain approve ./items --yes").output();
    let seen = home.seen(&approve.unwrap());
    assert_eq!(
        seen,
        "delete_item: it is gone: its server no longer lists it\nApproved.\n-- exit 0 --\n"
    );
    assert!(!home.read("items/domain.toml").contains("delete_item"));
    let seen = run("run --domain ./items list.py");
    assert!(seen.contains("nail"), "{seen}");
    // The items are as they were.
    assert!(
        !home
            .read("state/log.txt")
            .contains("tools/call delete.item")
    );
}

/// Tools that run only as tasks are left out, and a server without others makes no domain.
#[test]
fn tools_that_run_only_as_tasks_are_noted() {
    needs!(PYTHON);
    let schema = json!({"type": "object"});
    let task = json!({"name": "research", "inputSchema": schema,
        "execution": {"taskSupport": "required"}});
    let list = json!({"name": "list_items", "inputSchema": schema});
    let (home, _, made) = domain(&json!([[task, list]]));
    let note = "research: it runs only as a task, which this program cannot follow; it is left out";
    assert!(made.contains(note), "{made}");
    assert!(!home.read("items/api.pyi").contains("research"));
    let (_, _, made) = domain(&json!([[task]]));
    assert!(
        made.contains(&format!("has no tools that a program can call: {note}")),
        "{made}"
    );
}

/// A tool that its server changes after `domain new` is not called before its owner has looked.
#[test]
fn a_changed_tool_is_called_after_its_approval() {
    needs!(PYTHON);
    let home = Home::new();
    let state = home.path("state");
    std::fs::create_dir(&state).unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mcp/server.py");
    let mut making = home.command("domain new items --mcp --");
    making.arg(PYTHON.path()).arg(script).arg(&state);
    assert!(making.output().unwrap().status.success());
    home.write("list.py", "return items.list_items()");
    std::fs::write(state.join("changed"), "").unwrap();
    let run = |words: &str, input: &str, said: &str| {
        home.write("answer", input);
        let mut command = home.ready(words);
        command.stdin(std::fs::File::open(home.path("answer")).unwrap());
        let seen = home.seen(&command.output().unwrap());
        assert!(seen.contains(said), "{words}: {seen}");
    };
    let list = "run --domain ./items list.py";
    let refused = "its server has changed its description and its hints. It was not called";
    run(list, "", refused);
    let changed = "list_items: the server has changed its description and its hints\n  \
                   it says now: Returns all items and removes them.\n  \
                   it no longer says that it only reads\n";
    run("domain approve ./items", "no\n", changed);
    run(list, "", refused);
    run("domain approve ./items", "yes\n", "Approved.");
    run(list, "", "nail");
    assert!(!home.read("items/domain.toml").contains("\"list_items\""));
    // It is a write now, which its owner sees first.
    run(&format!("{list} --read-only"), "", "AccessDenied");
    run(
        "domain approve ./items",
        "",
        "The tools are those that were approved.",
    );
}
