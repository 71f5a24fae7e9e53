//! The time that programs have: the one that is given, or a later one of their world.

use crate::support::sandbox;
use dialog2api::dialogue::Outcome;
use dialog2api::domain::s3::S3;
use dialog2api::domain::s3::clock::Clock;
use dialog2api::domain::s3::memory::{Memory, Store};
use dialog2api::domain::s3::{Overlay, world::store_from};
use dialog2api::domain::{NamedWorld, Opening, World};
use dialog2api::exec::{Limits, Seed};
use serde_json::{Value as Json, json};
use std::path::Path;
use std::sync::Arc;

/// Saturday, 2026-11-28.
const NOW: &str = "2026-11-28T23:59:58.25Z";

/// The result of a program that starts at this time.
async fn run(world: &Arc<dyn World>, now: &str, program: &str) -> Json {
    let seed = Seed {
        now: now.parse().unwrap(),
        ..Seed::default()
    };
    let program = format!(
        "import time\nfrom datetime import date, datetime, timedelta, timezone\n\
         def utc(): return datetime.now(timezone.utc)\n{program}"
    );
    let engine = sandbox().await;
    let ran = engine.run(&program, world, &Limits::default(), &seed).await;
    match ran.unwrap().outcome {
        Outcome::Result(json) => json,
        Outcome::Error(error) => panic!("{}: {}", error.error, error.message),
    }
}

/// A world with the machine's time.
fn machine() -> Arc<dyn World> {
    Arc::new(Memory::new("it", Store::new(Clock::System)))
}

/// A world that this describes.
fn described(text: &str) -> Arc<dyn World> {
    let store = store_from(text, Path::new("world.toml")).unwrap();
    Arc::new(Memory::new("it", store))
}

const TIMES: &str = "
times = []
for bucket in s3.list_buckets()['Buckets']:
    times.append(bucket['CreationDate'])
    for page in s3.get_paginator('list_object_versions').paginate(Bucket=bucket['Name']):
        times += [it['LastModified'] for it in page.get('Versions', []) + page.get('DeleteMarkers', [])]
";

#[tokio::test]
async fn every_clock_of_python_has_the_time_that_is_given() {
    let program = "
return [
    utc().isoformat(timespec='seconds'), datetime.now().isoformat(timespec='seconds'),
    datetime.utcnow().isoformat(timespec='seconds'), str(date.today()),
    date.today().strftime('%A'), int(time.time()), list(time.localtime())[:5],
    int(datetime.now().astimezone().timestamp()),
]";
    let expected = json!([
        "2026-11-28T23:59:58+00:00",
        "2026-11-28T23:59:58",
        "2026-11-28T23:59:58",
        "2026-11-28",
        "Saturday",
        1_795_910_398,
        [2026, 11, 28, 23, 59],
        1_795_910_398,
    ]);
    assert_eq!(run(&machine(), NOW, program).await, expected);
}

#[tokio::test]
async fn in_a_world_with_its_own_time_now_is_after_everything() {
    for name in S3.world_names() {
        let world = S3.initial_world(&name).unwrap();
        let program = format!("{TIMES}return [str(max(times)) for t in times if t >= utc()]");
        let seed = "2024-01-01T00:00:00Z";
        let program = format!("started = utc()\n{program}");
        assert_eq!(run(&world, seed, &program).await, json!([]), "{name}");
    }
    // A description may have what is newer than its clock.
    let world = described(
        "clock = 2024-05-01T09:00:00Z\n\
         [[bucket]]\nname = \"later\"\ncreated = 2024-01-01T00:00:00Z\n\
         object = [{ key = \"it\", text = \"x\", modified = 2025-02-03T04:05:06Z }]\n",
    );
    let program =
        "return [str(utc())[:19], str(s3.head_object(Bucket='later', Key='it')['LastModified'])]";
    assert_eq!(
        run(&world, "2024-01-01T00:00:00Z", program).await,
        json!(["2025-02-03 04:05:07", "2025-02-03 04:05:06+00:00"])
    );
}

/// The ages of what the program itself writes, one after the other.
const AGES: &str = "
s3.create_bucket(Bucket='made-now')
ages = []
for number in range(5):
    s3.put_object(Bucket='made-now', Key=str(number), Body=b'x')
    written = s3.head_object(Bucket='made-now', Key=str(number))['LastModified']
    ages.append((utc() - written).total_seconds())
return [age for age in ages if not 0 <= age < 60]
";

#[tokio::test]
async fn what_a_program_writes_is_never_newer_than_it_is() {
    let worlds = [
        S3.initial_world("empty").unwrap(),
        S3.initial_world("zoology").unwrap(),
        machine(),
        machine().fork().unwrap(),
        Arc::new(Overlay::over(machine(), Clock::System, "us-east-1")),
        Arc::new(Overlay::over(
            S3.initial_world("empty").unwrap(),
            Clock::Steps("2024-05-01T09:00:00Z".parse().unwrap()),
            "us-east-1",
        )),
    ];
    for world in worlds {
        let now = world.own_time().unwrap_or(NOW.parse().unwrap());
        world.hold_time(now);
        assert_eq!(
            run(&world, &now.to_string(), AGES).await,
            json!([]),
            "{}",
            world.describe()
        );
    }
}

#[tokio::test]
async fn rules_about_time_have_the_time_of_the_program() {
    let program = "
s3.create_bucket(Bucket='made-now', ObjectLockEnabledForBucket=True)
def kept(until):
    try:
        s3.put_object(Bucket='made-now', Key='k', Body=b'x', ObjectLockMode='GOVERNANCE', ObjectLockRetainUntilDate=until)
        return 'kept'
    except s3.exceptions.ClientError as error:
        return error.response['Error']['Code']
return [kept(utc() - timedelta(minutes=1)), kept(utc() + timedelta(minutes=1))]
";
    for world in [machine(), S3.initial_world("empty").unwrap()] {
        let now = world.own_time().unwrap_or(NOW.parse().unwrap());
        world.hold_time(now);
        assert_eq!(
            run(&world, &now.to_string(), program).await,
            json!(["InvalidArgument", "kept"])
        );
    }
}

/// A plan is rehearsed and run again at one time, so it says the same.
#[tokio::test]
async fn the_same_time_gives_the_same_result() {
    let program = "s3.create_bucket(Bucket='made-now')\ntime.sleep(90)\nreturn [str(utc()), str(s3.list_buckets()['Buckets'][0]['CreationDate'])]";
    let mut results = Vec::new();
    for _ in 0..2 {
        let world = machine();
        world.hold_time(NOW.parse().unwrap());
        results.push(run(&world, NOW, program).await);
    }
    assert_eq!(results[0], results[1]);
    assert_eq!(results[0][1], json!("2026-11-28 23:59:58+00:00"));
}

#[tokio::test]
async fn times_are_in_the_zone_that_boto3_gives_them() {
    let program = "
place = {'Bucket': 'zones', 'Key': 'k'}
s3.create_bucket(Bucket='zones', ObjectLockEnabledForBucket=True)
s3.put_object(**place, Body=b'x', ObjectLockMode='GOVERNANCE', ObjectLockRetainUntilDate=datetime(2099, 1, 1))
until = s3.get_object_retention(**place)['Retention']['RetainUntilDate']
listed = s3.list_objects_v2(Bucket='zones')['Contents'][0]['LastModified']
times = [
    until, listed, s3.list_object_versions(Bucket='zones')['Versions'][0]['LastModified'],
    s3.get_object(**place)['LastModified'], s3.list_buckets()['Buckets'][0]['CreationDate'],
    boto3.resource('s3').Object('zones', 'k').last_modified,
]
past = listed > datetime(2020, 1, 1, tzinfo=timezone.utc)
return [repr(until), sorted({repr(it.tzinfo) for it in times}), past, listed == listed.astimezone(timezone.utc)]
";
    assert_eq!(
        run(&machine(), NOW, &format!("import boto3{program}")).await,
        json!([
            "datetime.datetime(2099, 1, 1, 0, 0, tzinfo=tzutc())",
            ["tzutc()"],
            true,
            true
        ])
    );
}

/// What is written to a served world is new for clients such as `aws s3 sync`.
#[tokio::test]
async fn a_served_world_has_the_time_of_the_machine_unless_it_keeps_its_own() {
    let named = NamedWorld {
        name: Some("empty".to_owned()),
        ..NamedWorld::default()
    };
    let program = "s3.create_bucket(Bucket='made-now')\n\
                   return s3.list_buckets()['Buckets'][0]['CreationDate'].year >= 2026";
    for machine_time in [true, false] {
        let how = Opening {
            machine_time,
            ..Opening::default()
        };
        let opened = S3.worlds().unwrap().open(&named, how).await.unwrap();
        assert_eq!(run(&opened.world, NOW, program).await, json!(machine_time));
    }
}
