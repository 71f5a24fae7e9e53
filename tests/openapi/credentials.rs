//! Secrets: where they are looked for, where they are sent, and where they never are.

use super::{api, v3};
use dialog2api::domain::Value;
use dialog2api::openapi::{Api, Credentials};
use expect_test::expect;
use serde_json::json;

fn secured() -> Api {
    let mut document = v3(json!({
        "/a": {"get": {"operationId": "a"}},
        "/b": {"get": {"operationId": "b", "security": [{}, {"key": [], "app-login": []}]}},
        "/c": {"get": {"operationId": "c", "security": []}},
    }));
    document["security"] = json!([{"login": []}, {"key": []}]);
    document["components"]["securitySchemes"] = json!({
        "key": {"type": "apiKey", "in": "query", "name": "api_key"},
        "login": {"type": "oauth2"},
        "app-login": {"type": "http", "scheme": "basic"},
    });
    api(&document)
}

fn lookup(name: &str) -> Option<String> {
    let known = [
        ("PETS_KEY", "the-secret-key"),
        ("PETS_APP_LOGIN", "user:password1"),
    ];
    let found = known.iter().find(|(known, _)| *known == name);
    found.map(|(_, value)| (*value).to_owned())
}

#[test]
fn variables_are_named_by_domain_and_scheme() {
    let names = |prefix| {
        let variables = Credentials::variables(&secured(), prefix);
        let lines = variables
            .iter()
            .map(|it| format!("{} {}", it.name, it.holds));
        lines.collect::<Vec<_>>().join("\n")
    };
    expect![[r#"
        PETS_KEY a key
        PETS_LOGIN a token
        PETS_APP_LOGIN USER:PASSWORD"#]]
    .assert_eq(&names(Some("pets")));
    expect![[r#"
        KEY a key
        LOGIN a token
        APP_LOGIN USER:PASSWORD"#]]
    .assert_eq(&names(None));
    let plain = api(&v3(json!({})));
    assert_eq!(
        Credentials::variables(&plain, Some("my-pets"))[0].name,
        "MY_PETS_TOKEN"
    );
    assert!(Credentials::variables(&plain, None).is_empty());
}

#[test]
fn no_output_has_secrets() {
    let api = secured();
    let auth = Credentials::of(&api, Some("pets"), &lookup);
    assert!(!auth.is_empty());
    for operation in ["a", "b", "c"] {
        let request = api
            .request(operation, &Value::Null, "https://a.test", &auth)
            .unwrap();
        let shown = format!("{request:?} {auth:?} {}", request.lines().join(" "));
        for secret in ["the-secret-key", "password1", "dXNlcjpwYXNzd29yZDE="] {
            assert!(!shown.contains(secret), "{shown}");
        }
    }
}
