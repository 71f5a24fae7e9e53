//! Stubs of schemas that nobody would write: they are Python all the same.

use super::stubs::valid;
use dialog2api::mcp::Tools;
use proptest::prelude::*;
use serde_json::{Value as Json, json};

/// Schemas as others might write them, and worse.
fn schemas() -> impl Strategy<Value = Json> {
    let name = prop_oneof![
        "[a-z_$.\\-\"'\\\\0-9 é名\n]{0,8}",
        Just("properties".to_owned()),
        Just("class".to_owned()),
    ];
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<f64>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        "\\PC{0,12}".prop_map(Json::from),
        Just(json!("\"\"\"")),
        Just(json!({"$ref": "#"})),
        Just(json!({"$ref": "#/properties/a"})),
        prop_oneof![
            Just("string"),
            Just("object"),
            Just("array"),
            Just("integer"),
            Just("null")
        ]
        .prop_map(|kind| json!({"type": kind})),
    ];
    leaf.prop_recursive(5, 60, 5, move |inner| {
        let key = prop_oneof![
            Just("type"),
            Just("items"),
            Just("anyOf"),
            Just("allOf"),
            Just("enum"),
            Just("const"),
            Just("default"),
            Just("required"),
            Just("additionalProperties"),
            Just("description"),
            Just("title"),
            Just("nullable"),
            Just("$defs"),
        ];
        let object = prop::collection::vec((key, inner.clone()), 0..5).prop_map(|pairs| {
            Json::Object(
                pairs
                    .into_iter()
                    .map(|(key, it)| (key.to_owned(), it))
                    .collect(),
            )
        });
        let named = prop::collection::vec((name.clone(), inner.clone()), 0..6);
        let properties = named.prop_map(|pairs| {
            let required: Vec<Json> = pairs.iter().step_by(2).map(|(it, _)| json!(it)).collect();
            let pairs: serde_json::Map<String, Json> = pairs.into_iter().collect();
            json!({"type": "object", "properties": pairs, "required": required})
        });
        let list = prop::collection::vec(inner, 0..4).prop_map(Json::Array);
        prop_oneof![object, properties, list]
    })
}

proptest! {
    #[test]
    fn every_schema_makes_python(
        tools in prop::collection::vec(("\\PC{1,10}", "\\PC{0,20}\"{0,4}", schemas(), schemas()), 1..5)
    ) {
        let tools: Vec<Json> = tools.into_iter().map(|(name, about, input, output)| json!({
            "name": name, "description": about, "inputSchema": input, "outputSchema": output,
        })).collect();
        let tools = Tools::parse(&Json::from(tools).to_string()).unwrap();
        valid(&tools);
        // A second tool of one name is noted, and saved to be compared.
        let saved = Tools::parse(&tools.to_json()).unwrap();
        prop_assert!(saved.iter().eq(tools.iter()));
        prop_assert_eq!(&saved.notes, &tools.notes);
    }
}
