//! One table for all kinds of worlds: world × operation × rule. The rows are the operations that
//! a domain has, so that a new one cannot be forgotten.

use super::policy;
use crate::folder::lab::{Lab, cache};
use dialog2api::domain::s3::S3;
use dialog2api::domain::{Domain, Value};
use dialog2api::folder;
use dialog2api::mcp::Tools;
use dialog2api::policy::{Count, Policy};
use expect_test::expect;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

/// Judges one call of each operation by each rule, alone, and writes what denies it: operations
/// with the same verdicts are one row.
fn table<R: AsRef<str>>(domain: &Domain, params: &Value, rules: &[(&str, R)]) -> String {
    let policies: Vec<(&str, Policy)> = (rules.iter())
        .map(|(name, text)| (*name, policy(text.as_ref())))
        .collect();
    let mut rows: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for operation in domain.operation_names() {
        let denied = |policy: &Policy| {
            let judged = policy.judge(domain, operation, params, &mut Count::default());
            judged.is_err()
        };
        let names = policies.iter().filter(|(_, policy)| denied(policy));
        let names: Vec<&str> = names.map(|(name, _)| *name).collect();
        rows.entry(names.join(", ")).or_default().push(operation);
    }
    let mut table = String::new();
    for (denied, operations) in rows {
        let denied = if denied.is_empty() { "-" } else { &denied };
        let _ = writeln!(table, "{denied}\n    {}", operations.join(" "));
    }
    table
}

/// A call with everything that some operation of S3 reads.
fn of_s3() -> Value {
    let touches = S3.effects.touches.as_ref().expect("places");
    let Value::Map(mut call) = touches.call("", Some("zoo/keep/one"), Some("inner/a")) else {
        panic!("a map");
    };
    for (name, value) in [
        ("Id", "i"),
        ("UploadId", "u"),
        ("ClientMethod", "get_object"),
    ] {
        call.push((name.into(), value.into()));
    }
    let link = Value::Map(call.clone());
    call.push(("Params".into(), link));
    Value::Map(call)
}

#[test]
fn of_s3s_operations() {
    let deny = |parts: &str| format!("[[rule]]\nname = \"r\"\neffect = \"deny\"\n{parts}");
    let rules = [
        ("read-only", "mode = \"read-only\"".to_owned()),
        ("bucket", "protected_buckets = [\"zoo\"]".to_owned()),
        ("path", "protected_paths = [\"zoo/keep\"]".to_owned()),
        ("keys", deny("keys = [\"keep/**\"]")),
        ("paths", deny("paths = [\"zoo/keep/*\"]")),
        ("no read", deny("access = [\"read\"]")),
        ("no write", deny("access = [\"write\"]")),
        ("no delete", deny("access = [\"delete\"]")),
        ("no share", deny("access = [\"share\"]")),
        (
            "elsewhere",
            "[[rule]]\nname = \"r\"\neffect = \"allow\"\nbuckets = [\"other\"]".to_owned(),
        ),
        (
            "none",
            "[ceilings]\nobjects_written = 0\nobjects_deleted = 0\nbytes_written = 0\n\
             buckets_created = 0\nbuckets_deleted = 0"
                .to_owned(),
        ),
    ];
    let expected = expect![[r#"
        keys, paths, no read, elsewhere
            list_objects list_objects_v2 get_object head_object get_object_attributes get_object_tagging get_object_acl get_object_legal_hold get_object_retention list_object_versions list_parts list_multipart_uploads
        no read, elsewhere
            list_buckets head_bucket get_bucket_location get_bucket_versioning get_bucket_tagging get_bucket_lifecycle_configuration get_bucket_policy get_bucket_policy_status get_public_access_block get_bucket_encryption get_bucket_ownership_controls get_bucket_acl get_bucket_cors get_bucket_website get_bucket_logging get_bucket_notification_configuration get_bucket_replication get_bucket_accelerate_configuration get_bucket_request_payment get_bucket_inventory_configuration list_bucket_inventory_configurations get_bucket_metrics_configuration list_bucket_metrics_configurations get_bucket_analytics_configuration list_bucket_analytics_configurations get_bucket_intelligent_tiering_configuration list_bucket_intelligent_tiering_configurations get_object_lock_configuration
        read-only, bucket, no delete, elsewhere
            put_bucket_lifecycle_configuration put_object_lock_configuration
        read-only, bucket, no delete, elsewhere, none
            delete_bucket
        read-only, bucket, no write, elsewhere
            put_bucket_versioning put_bucket_tagging delete_bucket_tagging delete_bucket_lifecycle put_bucket_policy delete_bucket_policy put_bucket_encryption delete_bucket_encryption put_bucket_cors delete_bucket_cors delete_bucket_website put_bucket_logging delete_bucket_replication put_bucket_accelerate_configuration put_bucket_request_payment delete_bucket_inventory_configuration put_bucket_metrics_configuration delete_bucket_metrics_configuration delete_bucket_analytics_configuration put_bucket_intelligent_tiering_configuration delete_bucket_intelligent_tiering_configuration
        read-only, bucket, no write, elsewhere, none
            create_bucket
        read-only, bucket, no write, no share, elsewhere
            delete_bucket_ownership_controls put_bucket_website put_bucket_acl put_public_access_block delete_public_access_block put_bucket_ownership_controls put_bucket_notification_configuration put_bucket_replication put_bucket_inventory_configuration put_bucket_analytics_configuration
        read-only, bucket, path, keys, paths, no delete, elsewhere
            abort_multipart_upload
        read-only, bucket, path, keys, paths, no delete, elsewhere, none
            delete_object delete_objects
        read-only, bucket, path, keys, paths, no read, no write, elsewhere
            upload_part_copy
        read-only, bucket, path, keys, paths, no read, no write, elsewhere, none
            copy_object
        read-only, bucket, path, keys, paths, no read, no write, no share, elsewhere
            generate_presigned_url
        read-only, bucket, path, keys, paths, no write, elsewhere
            create_multipart_upload upload_part
        read-only, bucket, path, keys, paths, no write, elsewhere, none
            put_object put_object_tagging delete_object_tagging put_object_legal_hold put_object_retention restore_object complete_multipart_upload
        read-only, bucket, path, keys, paths, no write, no share, elsewhere, none
            put_object_acl generate_presigned_post
    "#]];
    expected.assert_eq(&table(&S3, &of_s3(), &rules));
}

/// The rules for records, which are named alike in all domains of one's own.
const OF_RECORDS: [(&str, &str); 9] = [
    ("read-only", "mode = \"read-only\""),
    ("container", "protected_containers = [\"pets\"]"),
    ("path", "protected_paths = [\"pets/1\"]"),
    (
        "name",
        "[[rule]]\nname = \"r\"\neffect = \"deny\"\nnames = [\"1\"]",
    ),
    (
        "below",
        "[[rule]]\nname = \"r\"\neffect = \"deny\"\npaths = [\"pets/*\"]",
    ),
    (
        "no read",
        "[[rule]]\nname = \"r\"\neffect = \"deny\"\naccess = [\"read\"]",
    ),
    (
        "no write",
        "[[rule]]\nname = \"r\"\neffect = \"deny\"\naccess = [\"write\"]",
    ),
    (
        "elsewhere",
        "[[rule]]\nname = \"r\"\neffect = \"allow\"\npaths = [\"others/**\"]",
    ),
    (
        "none",
        "[ceilings]\nrecords_written = 0\nrecords_deleted = 0\nbytes_written = 0\n\
         containers_created = 0\ncontainers_deleted = 0",
    ),
];

const PLACES: &str = "\n[places]\nget_pet = \"pets/{id}\"\nput_pet = \"pets/{id}\"\n\
                      delete_pet = \"pets/{id}\"\nadd_pet = \"pets\"\n";

/// A call about the pet 1.
fn of_pets() -> Value {
    Value::Map(vec![
        ("id".into(), "1".into()),
        ("name".into(), "Rex".into()),
    ])
}

const WORLD: &str = "\
def list_pets(state):
    return state['pets']

def get_pet(state, id):
    return state['pets'][id]

def add_pet(state, name):
    state['pets'][name] = {}

def put_pet(state, id, name):
    state['pets'][id] = {'name': name}

def delete_pet(state, id):
    del state['pets'][id]

def sweep(state):
    state['pets'] = {}
";

fn of_folder() -> Arc<Domain> {
    let definition = "name = \"zoo\"\nreads = [\"list_pets\", \"get_pet\"]\n\
                      destroys = [\"delete_pet\", \"sweep\"]\n";
    let state = serde_json::json!({"pets": {"1": {}}});
    let lab = Lab::of(WORLD, state).write("domain.toml", &format!("{definition}{PLACES}"));
    lab.domain()
}

async fn of_openapi(places: &str) -> Arc<Domain> {
    let home = tempfile::tempdir().expect("a folder");
    let operation =
        |id: &str| format!("{{operationId: {id}, responses: {{'200': {{description: ok}}}}}}");
    let document = format!(
        "openapi: 3.0.3\ninfo: {{title: Zoo, version: '1'}}\nservers: [{{url: 'http://127.0.0.1:9'}}]\n\
         paths:\n  /pets:\n    get: {}\n    post: {}\n  /sweep:\n    delete: {}\n  /pets/{{id}}:\n    \
         parameters: [{{name: id, in: path, required: true, schema: {{type: string}}}}]\n    \
         get: {}\n    put: {}\n    delete: {}\n",
        operation("listPets"),
        operation("addPet"),
        operation("sweep"),
        operation("getPet"),
        operation("putPet"),
        operation("deletePet"),
    );
    let source = home.path().join("zoo.yaml");
    std::fs::write(&source, document).expect("a file");
    let path = home.path().join("zoo");
    let made = folder::create_openapi(&path, &source.display().to_string()).await;
    made.expect("a domain");
    append(&path.join("domain.toml"), places);
    folder::load(&path, &cache()).expect("a domain")
}

fn of_mcp(places: &str) -> Arc<Domain> {
    let tool = |name: &str, hint: &str| {
        let text = serde_json::json!({"type": "string"});
        let schema =
            serde_json::json!({"type": "object", "properties": {"id": text, "name": text}});
        serde_json::json!({"name": name, "inputSchema": schema, "annotations": {hint: true}})
    };
    let tools = serde_json::json!([
        tool("list_pets", "readOnlyHint"),
        tool("add_pet", "idempotentHint"),
        tool("sweep", "destructiveHint"),
        tool("get_pet", "readOnlyHint"),
        tool("put_pet", "idempotentHint"),
        tool("delete_pet", "destructiveHint"),
    ]);
    let tools = Tools::parse(&tools.to_string()).expect("tools");
    let home = tempfile::tempdir().expect("a folder");
    let path = home.path();
    let definition = "name = \"zoo\"\nkind = \"mcp\"\nreads = [\"list_pets\", \"get_pet\"]\n\
                      destroys = [\"delete_pet\", \"sweep\"]\n[server]\nurl = \"http://127.0.0.1:9\"\n";
    std::fs::write(path.join("domain.toml"), format!("{definition}{places}")).expect("a file");
    std::fs::write(path.join("api.pyi"), tools.stub()).expect("a file");
    tools.save(&path.join("tools.json")).expect("a file");
    folder::load(path, &cache()).expect("a domain")
}

fn append(path: &Path, more: &str) {
    let text = std::fs::read_to_string(path).expect("a file");
    std::fs::write(path, text + more).expect("a file");
}

/// The same places give the same verdicts, whoever answers the calls. What has no place is the
/// whole state of a folder, and an operation of a server.
#[tokio::test]
async fn of_records() {
    let (folder, openapi, mcp) = (of_folder(), of_openapi(PLACES).await, of_mcp(PLACES));
    let of = |domain: &Arc<Domain>| table(domain, &of_pets(), &OF_RECORDS);
    let of_folder = expect![[r#"
        name, below, no read, elsewhere
            get_pet
        no read, elsewhere
            list_pets
        read-only, container, path, name, below, elsewhere, none
            delete_pet sweep
        read-only, container, path, name, below, no write, elsewhere, none
            add_pet put_pet
    "#]];
    of_folder.assert_eq(&of(&folder));
    let of_servers = expect![[r#"
        name, below, no read, elsewhere
            get_pet
        no read, elsewhere
            list_pets
        read-only, container, path, name, below, elsewhere, none
            sweep delete_pet
        read-only, container, path, name, below, no write, elsewhere, none
            add_pet put_pet
    "#]];
    of_servers.assert_eq(&of(&openapi));
    assert_eq!(of(&openapi), of(&mcp));
}

/// Without places, a call names its operation, whether it reads or writes.
#[tokio::test]
async fn of_operations_of_servers() {
    let rules = [
        ("read-only", "mode = \"read-only\""),
        ("container", "protected_containers = [\"zoo\"]"),
        ("path", "protected_paths = [\"zoo/put_pet\"]"),
        (
            "paths",
            "[[rule]]\nname = \"r\"\neffect = \"deny\"\npaths = [\"zoo/get_pet\", \"zoo/put_pet\"]",
        ),
        (
            "names",
            "[[rule]]\nname = \"r\"\neffect = \"deny\"\nnames = [\"list_*\", \"add_*\"]",
        ),
        (
            "no read",
            "[[rule]]\nname = \"r\"\neffect = \"deny\"\naccess = [\"read\"]\npaths = [\"zoo/**\"]",
        ),
        (
            "only pet",
            "[[rule]]\nname = \"r\"\neffect = \"allow\"\npaths = [\"zoo/*_pet\"]",
        ),
        ("strange", "protected_paths = [\"pets/1\"]"),
        (
            "none",
            "[ceilings]\nrecords_written = 0\nrecords_deleted = 0\nbytes_written = 0",
        ),
    ];
    let (openapi, mcp) = (of_openapi("").await, of_mcp(""));
    let expected = expect![[r#"
        names, no read, only pet
            list_pets
        paths, no read
            get_pet
        read-only, container, names, strange, none
            add_pet
        read-only, container, only pet, strange, none
            sweep
        read-only, container, path, paths, strange, none
            put_pet
        read-only, container, strange, none
            delete_pet
    "#]];
    expected.assert_eq(&table(&openapi, &of_pets(), &rules));
    assert_eq!(
        table(&openapi, &of_pets(), &rules),
        table(&mcp, &of_pets(), &rules)
    );
}

/// An identifier is one value, and a server may leave out a `/` at its end.
#[tokio::test]
async fn of_identifiers_with_a_slash() {
    for domain in [of_folder(), of_openapi(PLACES).await, of_mcp(PLACES)] {
        let rule = |effect: &str, path: &str| {
            let rule =
                format!("[[rule]]\nname = \"r\"\neffect = \"{effect}\"\npaths = [\"{path}\"]");
            policy(&rule)
        };
        let allows = |policy: &Policy, id: &str| {
            let params = Value::Map(vec![("id".into(), id.into())]);
            let judged = ["get_pet", "delete_pet"].map(|operation| {
                let count = &mut Count::default();
                policy.judge(&domain, operation, &params, count).is_ok()
            });
            assert_eq!(judged[0], judged[1], "reads are judged as writes are: {id}");
            judged[0]
        };
        for (policy, id, is_allowed) in [
            (rule("deny", "pets/*"), "key/spare", false),
            (rule("deny", "pets/key/spare"), "key/spare", false),
            (rule("deny", "pets/1"), "1/", false),
            (rule("deny", "pets/1"), "10", true),
            (rule("allow", "pets/*"), "key/spare", true),
            (rule("allow", "pets/key/spare"), "key/spare", true),
            (rule("allow", "pets/key/*"), "key/spare", false),
        ] {
            assert_eq!(allows(&policy, id), is_allowed, "{id}: {policy}");
        }
        let protected = policy("protected_paths = [\"pets/1\", \"pets/k*\"]");
        let params = |id: &str| Value::Map(vec![("id".into(), id.into())]);
        for (id, is_allowed) in [
            ("1/", false),
            ("1//", false),
            ("key/spare", false),
            ("2/1", true),
        ] {
            let count = &mut Count::default();
            let judged = protected.judge(&domain, "delete_pet", &params(id), count);
            assert_eq!(judged.is_ok(), is_allowed, "{id}");
        }
    }
}
