//! The reference clients in Python.

use super::over_http::Served;
use crate::cli::support::Home;
use crate::support::tools::{MCP_CLIENTS, needs};
use std::path::Path;

/// In both eras, over HTTP and on the standard streams.
#[test]
fn the_reference_clients_decline_accept_and_undo() {
    needs!(MCP_CLIENTS);
    for library in ["mcp", "fastmcp"] {
        for era in ["legacy", "2026-07-28"] {
            let home = Home::new();
            let served = Served::new(&home, "--world empty");
            let over_http = ran(&home, &[library, era, &served.url, &served.token]);
            assert!(served.end().status.success());
            let program = env!("CARGO_BIN_EXE_dialog2api");
            let home = Home::new();
            let on_streams = ran(&home, &[library, era, program, "mcp", "--world", "empty"]);
            assert_eq!(over_http, on_streams, "{library} {era}");
            expect_test::expect![[r#"
                9 tools, from search_api
                run: waiting 
                asked: The program of goal 1 would change this:
                apply: declined 
                run: done []
                run: waiting 
                asked: The program of goal 3 would change this:
                apply: done made
                run: done ['attic']
                apply: done made
                undo: waiting 
                asked: Undoing the program of goal 3 (turn 3) would change this:
                apply: done 
                run: done []
            "#]]
            .assert_eq(&over_http);
        }
    }
}

/// What the script of the reference clients printed.
fn ran(home: &Home, arguments: &[&str]) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mcp_server/clients.py");
    let home = home.command("");
    let mut command = MCP_CLIENTS.python();
    command.arg(script).args(arguments).env_clear();
    let variables = home
        .get_envs()
        .filter_map(|(name, value)| Some((name, value?)));
    let output = command.envs(variables).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    assert!(output.status.success(), "{}", text(output.stderr));
    text(output.stdout)
}
