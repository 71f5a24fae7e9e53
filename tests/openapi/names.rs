//! Names in Python for what a document names as it likes.

use super::{api, is_python, v3};
use expect_test::expect;
use serde_json::json;

/// The names that operations with these ids get.
fn operations(ids: &[&str]) -> String {
    let paths = ids
        .iter()
        .enumerate()
        .map(|(at, id)| (format!("/{at}"), json!({"get": {"operationId": id}})));
    let api = api(&v3(paths.collect()));
    assert!(is_python(&api.stub("api")));
    let names = api.operations.iter().map(|it| format!("{}\n", it.name));
    names.collect()
}

#[test]
fn operations_are_in_snake_case() {
    let names = operations(&[
        "listPets",
        "repos/list-for-org",
        "HTTPServerStart",
        "getIDs",
        "v2Pets",
        "pets.list",
        "Create a Pet!",
        "__private",
        "2fa",
        "class",
        "self",
        "获取",
        "",
        "get_pet",
        "getPet",
        "get-pet",
    ]);
    expect![[r#"
        list_pets
        repos_list_for_org
        http_server_start
        get_ids
        v2_pets
        pets_list
        create_a_pet
        private
        do_2fa
        class_
        self_
        获取
        get_12
        get_pet
        get_pet_2
        get_pet_3
    "#]]
    .assert_eq(&names);
}

#[test]
fn an_operation_without_an_id_is_named_by_its_path() {
    let api = api(&v3(json!({
        "/": {"get": {}},
        "/pets/{petId}/owner": {"get": {}, "put": {}},
        "/pets/{pet_id}/owner/": {"get": {}},
    })));
    let names: Vec<&str> = api.operations.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "get",
            "get_pets_by_pet_id_owner",
            "put_pets_by_pet_id_owner",
            "get_pets_by_pet_id_owner_2"
        ]
    );
}

#[test]
fn parameters_keep_their_names_where_python_allows() {
    let wires = [
        "petId",
        "X-Request-ID",
        "filter[name]",
        "ids[]",
        "from",
        "self",
        "__debug__",
        "1st",
        "名前",
        "$top",
        "_limit",
        "a.b",
        "a-b",
        "a_b",
    ];
    let parameters: Vec<_> = (wires.iter())
        .map(|wire| json!({"name": wire, "in": "query", "schema": {}}))
        .collect();
    let api = api(&v3(
        json!({"/it": {"get": {"operationId": "it", "parameters": parameters}}}),
    ));
    let stub = api.operations[0].stub();
    assert!(is_python(&stub), "{stub}");
    let names: Vec<&str> = (api.operations[0].parameters.iter())
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "petId",
            "X_Request_ID",
            "filter_name",
            "ids",
            "from_",
            "self_",
            "debug__",
            "arg_1st",
            "名前",
            "top",
            "_limit",
            "a_b",
            "a_b_2",
            "a_b_3"
        ]
    );
}

/// Long paths of one API often differ at their end alone.
#[test]
fn a_long_name_keeps_the_end_of_its_path() {
    let path = |end: &str| {
        format!(
            "/projects/{{project_id}}/environments/{{environment_id}}/deployments/{{deployment_id}}/logs/{end}"
        )
    };
    let api = api(&v3(
        json!({path("archive"): {"get": {}}, path("current"): {"get": {}}}),
    ));
    let names: Vec<&str> = api.operations.iter().map(|it| it.name.as_str()).collect();
    expect![[r#"
        get_id_environments_by_environment_id_deployments_by_deployment_id_logs_archive
        get_id_environments_by_environment_id_deployments_by_deployment_id_logs_current"#]]
    .assert_eq(&names.join("\n"));
}

#[test]
fn a_docstring_says_where_a_name_is_another_one() {
    let names = [
        ("id", "query"),
        ("id", "header"),
        ("filter[a]", "query"),
        ("filter.a", "query"),
        ("größe", "query"),
    ];
    let parameters: Vec<_> = (names.iter())
        .map(|(name, place)| json!({"name": name, "in": place, "schema": {}}))
        .collect();
    let api = api(&v3(
        json!({"/it": {"get": {"operationId": "it", "parameters": parameters}}}),
    ));
    let stub = api.operations[0].stub();
    assert!(stub.contains("größe: Any"), "{stub}");
    let lines = stub.lines().map(str::trim);
    let said: Vec<&str> = lines.filter(|line| line.contains(" in the ")).collect();
    expect![[r#"
        id_2: id in the header.
        filter_a: filter[a] in the query.
        filter_a_2: filter.a in the query."#]]
    .assert_eq(&said.join("\n"));
}
