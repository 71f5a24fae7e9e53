//! Who the server over HTTP answers, and how clients learn its address.

use super::over_http::Served;
use crate::cli::support::Home;

#[test]
fn strangers_are_not_answered() {
    let home = Home::new();
    let served = Served::new(&home, "--world empty");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::new();
    let status = |headers: &[(&str, &str)]| {
        let request = client.post(&served.url).body("{}");
        let request = headers.iter().fold(request, |request, (name, value)| {
            request.header(*name, *value)
        });
        runtime.block_on(request.send()).unwrap().status().as_u16()
    };
    let bearer = &*format!("Bearer {}", served.token);
    assert_eq!(status(&[]), 401);
    assert_eq!(status(&[("authorization", "Bearer 0")]), 401);
    let host = ("host", "evil.example");
    assert_eq!(status(&[("authorization", bearer), host]), 421);
    let origin = ("origin", "http://evil.example");
    assert_eq!(status(&[("authorization", bearer), origin]), 403);
    // Let in, and not understood.
    assert_eq!(status(&[("authorization", bearer)]), 406);
    assert!(served.end().status.success());

    let mut others = home.command("mcp --http 0.0.0.0:8765");
    let said = others.output().unwrap();
    assert_eq!(said.status.code(), Some(2));
    let said = String::from_utf8_lossy(&said.stderr).into_owned();
    assert!(said.contains("use 127.0.0.1"), "{said}");
}

#[test]
fn the_printed_file_of_a_client_has_the_address_and_the_token() {
    let home = Home::new();
    let printed = |words: &str| {
        let output = home.command(&format!("mcp {words}")).output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        let text = said + &String::from_utf8(output.stderr).unwrap();
        let token = std::fs::read_to_string(token_file(&home)).unwrap_or_default();
        match token.trim() {
            "" => text,
            token => text.replace(token, "TOKEN"),
        }
    };
    let unnamed = printed("--http --print-config cursor");
    assert!(unnamed.contains("name a port"), "{unnamed}");
    let all = ["claude", "vscode", "cursor", "codex"];
    let all = all.map(|client| printed(&format!("--http 127.0.0.1:8765 --print-config {client}")));
    expect_test::expect![[r#"
        {
          "mcpServers": {
            "dialog2api": {
              "url": "http://127.0.0.1:8765/mcp",
              "headers": {
                "Authorization": "Bearer TOKEN"
              },
              "type": "http"
            }
          }
        }

        {
          "servers": {
            "dialog2api": {
              "url": "http://127.0.0.1:8765/mcp",
              "headers": {
                "Authorization": "Bearer TOKEN"
              },
              "type": "http"
            }
          }
        }

        {
          "mcpServers": {
            "dialog2api": {
              "url": "http://127.0.0.1:8765/mcp",
              "headers": {
                "Authorization": "Bearer TOKEN"
              }
            }
          }
        }

        [mcp_servers.dialog2api]
        url = "http://127.0.0.1:8765/mcp"

        [mcp_servers.dialog2api.http_headers]
        Authorization = "Bearer TOKEN"
    "#]]
    .assert_eq(&all.join("\n"));
    let served = Served::new(&home, "--world empty");
    let token = std::fs::read_to_string(token_file(&home)).unwrap();
    assert_eq!(token.trim(), served.token, "it stays");
    served.end();
}

fn token_file(home: &Home) -> std::path::PathBuf {
    home.path(".local/state/dialog2api/mcp-token")
}
