//! The JSON of answers is what their tools say of it, and their text has it all.

use super::{Era, MAKE, Person, Talk};
use crate::cli::support::Home;
use serde_json::{Value as Json, json};

/// What of a value its schema does not allow, for the keywords that the tools use.
fn wrong(value: &Json, schema: &Json, at: &str) -> Vec<String> {
    let kind = match value {
        Json::Null => "null",
        Json::Bool(_) => "boolean",
        Json::Number(number) if number.is_i64() => "integer",
        Json::Number(_) => "number",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    };
    let allowed = match &schema["type"] {
        Json::String(one) => one == kind,
        Json::Array(several) => several.contains(&kind.into()),
        _ => true,
    };
    let is_listed = schema["enum"]
        .as_array()
        .is_none_or(|it| it.contains(value));
    let mut wrong_here = Vec::new();
    if !allowed || !is_listed {
        wrong_here.push(format!("{at}: {value}"));
    }
    for required in schema["required"].as_array().into_iter().flatten() {
        if value.get(required.as_str().unwrap()).is_none() {
            wrong_here.push(format!("{at} has no {required}"));
        }
    }
    for (name, inner) in value.as_object().into_iter().flatten() {
        let at = format!("{at}.{name}");
        match schema["properties"].get(name) {
            Some(schema) => wrong_here.extend(wrong(inner, schema, &at)),
            None if schema["additionalProperties"] == false => wrong_here.push(at),
            None => {}
        }
    }
    for item in value.as_array().into_iter().flatten() {
        wrong_here.extend(wrong(item, &schema["items"], at));
    }
    wrong_here
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn every_answer_is_as_its_tool_says() {
    let home = Home::new();
    let talk = Talk::open(&home, "--world empty", &Person::default(), Era::Handshake).await;
    let tools = talk.client.list_all_tools().await.unwrap();
    let set = super::replay::SET;
    let fails = "s3.head_bucket(Bucket='cellar')";
    let calls = [
        (
            "run",
            json!({"program": "return [1, None]", "session": "trip"}),
        ),
        ("run", json!({"program": fails, "session": "trip"})),
        ("run", json!({"program": MAKE, "session": "trip"})),
        ("apply", json!({"plan_id": "trip:0"})),
        ("discard", json!({"plan_id": "trip:0"})),
        ("search_api", json!({"query": "copy"})),
        ("search_api", json!({"words": "copy"})),
        ("sessions", json!({})),
        ("session", json!({"session": "trip"})),
        ("session", json!({"session": "none"})),
        ("policy", json!({})),
        ("policy", json!({"program": MAKE})),
        (
            "replay",
            json!({"dataset": set, "dialogue": "buckets-matching-1"}),
        ),
        ("replay", json!({"dataset": set, "dialogue": "none"})),
        ("undo", json!({"session": "none"})),
    ];
    for (name, arguments) in calls {
        let tool = tools.iter().find(|it| it.name == name).unwrap();
        let schema = tool.output_schema.as_ref().expect(name);
        let schema = Json::Object((**schema).clone());
        let answer = talk.call(name, arguments).await.structured_content;
        let answer = answer.expect(name);
        assert_eq!(wrong(&answer, &schema, name), [""; 0], "{answer}");
    }
    assert!(tools.iter().all(|it| it.output_schema.is_some()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_text_counts_the_calls_of_a_long_program() {
    let home = Home::new();
    let talk = Talk::open(&home, "--world empty", &Person::default(), Era::Handshake).await;
    let program = "for _ in range(600):\n    s3.list_buckets()\nreturn 'read'";
    let arguments = json!({"program": program, "session": "trip"});
    let ran = talk.call("run", arguments).await;
    assert_eq!(
        ran.content[0].as_text().unwrap().text,
        "result: \"read\"\ncalls: list_buckets × 600\nsession: trip\n"
    );
    let said = ran.structured_content.unwrap();
    assert_eq!(said["calls"].as_array().unwrap().len(), 500);
    assert_eq!(said["left_out"], 100);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_api_sessions_and_plans_are_read_by_their_address() {
    let home = Home::new();
    let talk = Talk::open(&home, "--world empty", &Person::default(), Era::Handshake).await;
    let plan = talk.plan(MAKE).await;
    let templates = talk.client.list_all_resource_templates().await.unwrap();
    let templates: Vec<String> = templates.into_iter().map(|it| it.uri_template).collect();
    assert_eq!(templates, ["session://{session}", "plan://{+plan_id}"]);
    let read = async |uri: String| {
        let request = rmcp::model::ReadResourceRequestParams::new(uri);
        let answer = talk.client.read_resource(request).await;
        answer.map(|it| serde_json::to_value(it).unwrap()["contents"][0]["text"].to_string())
    };
    for (uri, said) in [
        ("api://s3".to_owned(), "def copy_object"),
        (
            "session://trip".to_owned(),
            "s3.create_bucket(Bucket='attic')",
        ),
        (format!("plan://{plan}"), "An undo can take all of it back"),
    ] {
        let text = read(uri).await.unwrap();
        assert!(text.contains(said), "{text}");
    }
    for uri in [
        "api://none",
        "session://none",
        "session://../trip",
        "plan://trip",
        "plan://trip:0",
    ] {
        assert!(read(uri.to_owned()).await.is_err(), "{uri}");
    }
}
