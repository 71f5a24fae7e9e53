//! How many requests work on a server takes for each object, whatever the machine: the work of
//! `cargo bench --bench wire`, through HTTP.

#[path = "../../benches/wire/ours.rs"]
#[allow(dead_code, reason = "the bench uses the rest")]
mod ours;

use crate::plan::lab::content;
use crate::serve::support::{key, system_world};
use crate::support;
use dialog2api::domain::s3::files::{self, Folders};
use dialog2api::domain::s3::serve::{Service, http_client};
use dialog2api::domain::s3::{Memory, Remote, RemoteOptions, S3};
use dialog2api::domain::{Value, World};
use dialog2api::exec::{Cache, Engine};
use expect_test::expect;
use ours::{Cost, DELETE, MOVE, Ours, POOL, READ, UPLOAD, number};
use std::path::Path;
use std::sync::Arc;

/// So many objects there are.
const OBJECTS: usize = 200;

/// A server with the objects.
async fn filled() -> Arc<Memory> {
    let world = system_world();
    let bucket = || ("Bucket".into(), ours::BUCKET.into());
    let made = world
        .call("create_bucket", &Value::Map(vec![bucket()]))
        .await;
    made.unwrap().unwrap();
    for number in 0..OBJECTS {
        let put = vec![
            bucket(),
            ("Key".into(), format!("in/{number:05}.txt").into()),
            (
                "Body".into(),
                Value::Bytes(format!("ERROR {number}").into()),
            ),
        ];
        let made = world.call("put_object", &Value::Map(put)).await;
        made.unwrap().unwrap();
    }
    world
}

fn seen(world: &Arc<Memory>) -> String {
    tokio::task::block_in_place(|| content(&**world))
}

async fn connect(world: &Arc<Memory>) -> Remote {
    let options = RemoteOptions {
        endpoint_url: Some("http://s3.example".to_owned()),
        region: Some("us-east-1".to_owned()),
        access_key: Some(key()),
        ..RemoteOptions::default()
    };
    let service = Service::new(world.clone(), &key());
    let remote = Remote::connect_through(&options, http_client(service)).await;
    remote.unwrap()
}

/// A line of the table: requests, and for each object.
fn line(name: &str, cost: Cost) -> String {
    let each = cost.requests as f64 / OBJECTS as f64;
    format!("{name:24} {:4}  {each:.2}\n", cost.requests)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn work_on_a_server_takes_few_requests_for_each_object() {
    let engine = Arc::new(support::sandbox().await);
    let mut table = String::new();
    for (name, program) in [("read", READ), ("read, by a pool", POOL)] {
        let ours = Ours::new(connect(&filled().await).await, engine.clone()).steady();
        let (plan, cost) = ours.plan(program).await;
        assert_eq!(number(&plan), OBJECTS);
        table += &line(name, cost);
    }
    for (name, program) in [("move", MOVE), ("delete", DELETE)] {
        let world = filled().await;
        let before = seen(&world);
        let ours = Ours::new(connect(&world).await, engine.clone()).steady();
        let (plan, cost) = ours.plan(program).await;
        assert_eq!(number(&plan), OBJECTS);
        table += &line(&format!("{name}: plan"), cost);
        let (applied, cost) = ours.apply(&plan).await;
        table += &line(&format!("{name}: apply"), cost);
        let cost = ours.undo(&plan, &applied).await;
        assert_eq!(seen(&world), before, "{name}");
        table += &line(&format!("{name}: undo"), cost);
    }
    let world = filled().await;
    let room = tempfile::tempdir().unwrap();
    let up = room.path().join("up");
    std::fs::create_dir(&up).unwrap();
    for number in 0..OBJECTS {
        std::fs::write(up.join(format!("{number:03}")), "some text").unwrap();
    }
    let folders = Arc::new(Folders::open([up.to_str().unwrap()]).unwrap());
    let cache = Cache::at(Path::new(env!("CARGO_TARGET_TMPDIR")).join("sandbox"));
    let domain = files::granted(&S3, &folders);
    let engine = Engine::prepare(&domain.api.client, &cache, &mut |_| ()).await;
    let engine = engine.unwrap().with_setup(&domain.api.setup);
    let ours = Ours::with_files(connect(&world).await, Arc::new(engine), folders).steady();
    let (plan, cost) = ours.plan(UPLOAD).await;
    assert_eq!(number(&plan), OBJECTS);
    table += &line("upload: plan", cost);
    let (applied, cost) = ours.apply(&plan).await;
    table += &line("upload: apply", cost);
    let cost = ours.undo(&plan, &applied).await;
    table += &line("upload: undo", cost);
    expect![[r#"
        read                      201  1.00
        read, by a pool           201  1.00
        move: plan                  5  0.03
        move: apply               422  2.11
        move: undo                420  2.10
        delete: plan                3  0.01
        delete: apply             205  1.02
        delete: undo              205  1.02
        upload: plan                5  0.03
        upload: apply             204  1.02
        upload: undo              212  1.06
    "#]]
    .assert_eq(&table);
}
