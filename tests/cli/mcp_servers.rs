//! MCP servers of others: they end with their user, and a tool that changed is not called.

use super::support::Home;
use crate::support::command::kill;
use crate::support::tools::{PYTHON, needs};

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
