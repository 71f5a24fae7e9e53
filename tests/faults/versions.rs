//! Buckets that keep versions: what a write destroys is kept there, and comes back from
//! there.

use crate::faults::server::Server;
use crate::faults::work::{make, read};
use crate::support::tools::needs;
use dialog2api::domain::s3::S3;
use dialog2api::domain::{Image, Value, World, Write};
use dialog2api::plan::{Applied, Apply, Draft, Keeping, Plan, Unrecorded, undo};
use expect_test::expect;
use std::sync::Arc;

/// No content is kept: what comes back can only come from versions.
const NOTHING: Keeping = Keeping {
    most_bytes: 0,
    most_bytes_in_all: 0,
};

async fn plan(world: &Arc<dyn World>, calls: &[&str]) -> Plan {
    let draft = Draft::of(world, &S3).unwrap();
    for call in calls {
        make(&*draft, "my", call).await;
    }
    let outcome = dialog2api::dialogue::Outcome::Result(serde_json::Value::Null);
    Plan::new(
        S3.effects.planning.as_deref(),
        draft.writes(),
        Vec::new(),
        outcome,
        NOTHING,
    )
}

async fn applied(world: &dyn World, writes: &[Write]) -> Applied {
    let mut apply = Apply::new(S3.effects.planning.as_deref().unwrap(), world, writes);
    apply.keeping = NOTHING;
    apply.run(&mut Unrecorded, &mut |_| ()).await
}

/// Every key with its content and what is said of it.
async fn seen(world: &dyn World) -> String {
    let mut text = String::new();
    let bucket = Value::Map(vec![("Bucket".into(), "my-kept".into())]);
    let page = world
        .call("list_objects_v2", &bucket)
        .await
        .unwrap()
        .unwrap();
    for object in page
        .get("Contents")
        .and_then(Value::as_list)
        .unwrap_or_default()
    {
        let key = object.get("Key").and_then(Value::as_str).unwrap();
        let (_, params) = read("my", &format!("delete kept/{key}"));
        let object = world.call("get_object", &params).await.unwrap().unwrap();
        let Some(Value::Bytes(body)) = object.get("Body") else {
            panic!("{object:?}")
        };
        let said = object.get("Metadata").and_then(|said| said.get("said"));
        let said = said.and_then(Value::as_str).unwrap_or_default();
        text += &format!("{key}: {} {said}\n", String::from_utf8_lossy(body));
    }
    text
}

#[tokio::test]
async fn what_a_versioned_bucket_keeps_comes_back_from_there() {
    needs!(WEED);
    let server = Server::start().await;
    let world: Arc<dyn World> = Arc::new(server.world.clone());
    make(&*world, "my", "make kept").await;
    server.keep_versions("my-kept").await;
    for call in [
        "tag kept/a one",
        "put kept/b two",
        "put kept/c three",
        "put kept/d four",
    ] {
        make(&*world, "my", call).await;
    }
    let before = seen(&*world).await;
    let versions = server.versions("my-kept").await;

    let calls = [
        "put kept/a other",
        "delete kept/b",
        "put kept/b back",
        "copy kept/c kept/e",
        "retag kept/c",
        "delete-all kept d e",
        "put kept/f new",
    ];
    let planned = plan(&world, &calls).await;
    assert_eq!(planned.lasting, [], "versions stay");
    let done = applied(&*world, &planned.writes).await;
    assert!(done.is_whole(), "{:?}", done.end);
    expect![[r#"
        a: other 
        b: back 
        c: three new
        f: new 
    "#]]
    .assert_eq(&seen(&*world).await);
    // Each write has left one version or marker, and nothing that was there has gone.
    let now = server.versions("my-kept").await;
    expect![[r#"
        a 795f3202b17cb6bc3d4b771d8c6c9eaf
        a f97c5d29941bfb1b2fdab0874906ab82
        b -
        b 469bba0a564235dfceede42db14f17b0
        b b8a9f715dbb64fd5c56e7783c6820a61
        c 35d6d33467aae9a2e3dccb4b6b027878
        c 35d6d33467aae9a2e3dccb4b6b027878
        d -
        d 8cbad96aced40b3838dd9f07f6ef5772
        e -
        e 35d6d33467aae9a2e3dccb4b6b027878
        f 22af645d1859cb5ca6da0c484f1f37ea
    "#]]
    .assert_eq(&format!("{}\n", now.join("\n")));
    assert!(versions.iter().all(|version| now.contains(version)));

    // What is kept of what was there is where it is, and no content.
    for (place, image) in done.steps.iter().flat_map(|step| &step.images) {
        match image {
            Image::Nothing => {}
            Image::Call { operation, params } => {
                assert_eq!(operation, "copy_object", "{place}");
                let source = params.get("CopySource").unwrap();
                assert!(source.get("VersionId").is_some() && params.get("Body").is_none());
            }
            Image::Calls(calls) => panic!("{place}: {calls:?}"),
            Image::Lost(why) => panic!("{place}: {why}"),
        }
    }

    let back = undo(
        S3.effects.planning.as_deref().unwrap(),
        &planned.writes,
        &done.steps,
        NOTHING,
    );
    assert_eq!(back.lost, []);
    let undone = applied(&*world, &back.plan.writes).await;
    assert!(undone.is_whole(), "{:?}", undone.end);
    assert_eq!(seen(&*world).await, before);
    // Just the versions and markers that the program made are gone.
    assert_eq!(server.versions("my-kept").await, versions);

    // They do not come back: no content of them was kept.
    let again = undo(
        S3.effects.planning.as_deref().unwrap(),
        &back.plan.writes,
        &undone.steps,
        NOTHING,
    );
    let lost = again.lost.iter().map(|(place, _)| place.path());
    let lost: Vec<String> = lost.collect();
    assert_eq!(lost, ["my-kept/f", "my-kept/c", "my-kept/b", "my-kept/a"]);
}

#[tokio::test]
async fn another_content_is_drift_and_the_same_in_a_new_version_is_not() {
    needs!(WEED);
    let server = Server::start().await;
    let world: Arc<dyn World> = Arc::new(server.world.clone());
    make(&*world, "my", "make kept").await;
    server.keep_versions("my-kept").await;
    make(&*world, "my", "put kept/a one").await;
    make(&*world, "my", "put kept/b two").await;
    let planned = plan(&world, &["delete kept/a", "delete kept/b"]).await;
    make(&*world, "my", "put kept/a one").await;
    make(&*world, "my", "put kept/b more").await;
    let done = applied(&*world, &planned.writes).await;
    let (code, sentence) = done.failure(2).unwrap();
    expect!["PlanOutdated: Only 1 of 2 planned writes were made: my-kept/b has changed since this was planned."].assert_eq(&format!("{code}: {sentence}"));
    expect![[r#"
        a -
        a f97c5d29941bfb1b2fdab0874906ab82
        a f97c5d29941bfb1b2fdab0874906ab82
        b addec426932e71323700afa1911f8f1c
        b b8a9f715dbb64fd5c56e7783c6820a61
    "#]]
    .assert_eq(&format!(
        "{}\n",
        server.versions("my-kept").await.join("\n")
    ));
}
