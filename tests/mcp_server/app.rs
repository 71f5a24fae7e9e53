//! The plan as a view in the client's window (MCP Apps).

use super::{Era, MAKE, Person, Talk};
use crate::cli::support::Home;
use rmcp::model::{ReadResourceRequestParams, ResourceContents};
use serde_json::json;

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_view_is_listed_read_and_named_by_the_tools_that_make_plans() {
    let home = Home::new();
    for era in [Era::Handshake, Era::Stateless] {
        let talk = Talk::open(&home, "--world empty", &Person::default(), era).await;
        let resources = talk.client.list_all_resources().await.unwrap();
        let resources = serde_json::to_value(resources).unwrap();
        expect_test::expect![[r#"
            [{"uri":"ui://plan","name":"plan","title":"The plan","description":"Shows a plan that waits, and the command that approves it","mimeType":"text/html;profile=mcp-app","_meta":{"ui":{"csp":{"connectDomains":[],"resourceDomains":[]},"permissions":{"clipboardWrite":{}},"prefersBorder":false}}},{"uri":"api://s3","name":"api","title":"The API","description":"The operations that programs call, as Python stubs","mimeType":"text/plain"}]"#]]
        .assert_eq(&resources.to_string());
        let tools = talk.client.list_all_tools().await.unwrap();
        let shown = tools.iter().filter_map(|tool| {
            let meta = serde_json::to_value(tool.meta.as_ref()?).unwrap();
            Some(format!("{} {meta}\n", tool.name))
        });
        expect_test::expect![[r#"
            run {"ui":{"resourceUri":"ui://plan","visibility":["model"]},"ui/resourceUri":"ui://plan"}
            apply {"ui":{"resourceUri":"ui://plan","visibility":["model"]},"ui/resourceUri":"ui://plan"}
            undo {"ui":{"resourceUri":"ui://plan","visibility":["model"]},"ui/resourceUri":"ui://plan"}
        "#]]
        .assert_eq(&shown.collect::<String>());
        let read = async |uri: &str| {
            let request = ReadResourceRequestParams::new(uri);
            talk.client.read_resource(request).await
        };
        let view = read("ui://plan").await.unwrap();
        let [
            ResourceContents::TextResourceContents {
                mime_type, text, ..
            },
        ] = &view.contents[..]
        else {
            panic!("one text: {view:?}")
        };
        assert_eq!(mime_type.as_deref(), Some("text/html;profile=mcp-app"));
        assert!(text.contains("data-approve=\"dialog2api plan approve\""));
        assert!(text.contains("default-src 'none'"), "{text}");
        for elsewhere in ["http://", "https://", "//cdn", "src=", "href=", "import "] {
            assert!(!text.contains(elsewhere), "the view loads {elsewhere}");
        }
        let unknown = read("ui://other").await.unwrap_err().to_string();
        assert!(unknown.contains("there are ui://plan"), "{unknown}");
        talk.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn an_answer_with_a_plan_has_what_the_view_draws_beside_what_models_read() {
    let home = Home::new();
    let talk = Talk::open(&home, "--world empty", &Person::default(), Era::Handshake).await;
    let ran = talk
        .call("run", json!({"program": MAKE, "session": "trip"}))
        .await;
    let drawn = ran.meta.as_ref().unwrap().0[web_desk::PLAN_KEY].clone();
    assert_eq!(drawn["totals"]["containers_created"], 1, "{drawn}");
    assert_eq!(drawn["effects"][0]["effect"], "create", "{drawn}");
    let said = ran.structured_content.unwrap();
    assert!(said.get("drawn").is_none(), "{said}");
    let plan_id = said["plan_id"].clone();
    let discarded = talk.call("discard", json!({"plan_id": plan_id})).await;
    assert!(
        discarded
            .meta
            .is_none_or(|meta| !meta.0.contains_key(web_desk::PLAN_KEY))
    );
    // Of a plan that is too long for it, the view shows the words of a terminal.
    let many = "s3.create_bucket(Bucket='attic')\nfor n in range(501):\n    s3.put_object(Bucket='attic', Key=f'{n}', Body=b'')";
    let ran = talk
        .call("run", json!({"program": many, "session": "trip"}))
        .await;
    assert_eq!(ran.structured_content.unwrap()["status"], "waiting");
    assert!(
        ran.meta
            .is_none_or(|meta| !meta.0.contains_key(web_desk::PLAN_KEY))
    );
}
