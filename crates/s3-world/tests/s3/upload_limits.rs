//! Limits on uploads in progress, and what makes room again.

use super::support::{BUCKETS, empty, render, run, value};
use expect_test::expect;
use s3_world::Memory;
use s3_world::clock::Clock;
use s3_world::domain::Value;
use s3_world::memory::{Store, UploadLimits};
use s3_world::world::{DiskWorld, store_from};
use serde_json::{Value as Json, json};
use std::path::Path;

/// A part counts 256 bytes more than it has.
const LIMITS: UploadLimits = UploadLimits {
    bytes: 1024,
    uploads: 2,
};

/// What a call answers where there is no room.
const FULL: &str = "! 507 InsufficientStorage: This world may hold at most 1024 bytes in parts of \
                    unfinished uploads; complete or abort uploads to make room";

/// A world with the buckets `alpha` and `beta`.
struct Lab(Memory);

impl Lab {
    fn new() -> Lab {
        let world = empty();
        run(BUCKETS, |operation, params| {
            world.perform(operation, params)
        });
        Lab(world)
    }

    fn limited(limits: UploadLimits) -> Lab {
        let Lab(world) = Lab::new();
        Lab::of(world.snapshot(), limits)
    }

    fn of(mut store: Store, limits: UploadLimits) -> Lab {
        store.upload_limits = limits;
        Lab(Memory::new("test", store))
    }

    /// Makes a call about an upload to the key `k`: `""`, or the refusal.
    fn call(&self, operation: &str, bucket: &str, id: &str, more: Json) -> String {
        let mut params = json!({"Bucket": bucket, "Key": "k", "UploadId": id});
        let (Some(params), Json::Object(more)) = (params.as_object_mut(), more) else {
            unreachable!()
        };
        params.extend(more);
        let params = value(&Json::Object(params.clone()));
        match self.0.perform(operation, &params) {
            Ok(_) => String::new(),
            refused => render(&refused),
        }
    }

    /// The id of a new upload to the key `k`.
    fn begin(&self, bucket: &str) -> String {
        let params = value(&json!({"Bucket": bucket, "Key": "k"}));
        let begun = self.0.perform("create_multipart_upload", &params);
        let id = begun.as_ref().ok().and_then(|it| it.get("UploadId"));
        let id = id.and_then(Value::as_str).map(str::to_owned);
        id.unwrap_or_else(|| render(&begun))
    }

    fn part(&self, id: &str, number: i64, size: usize) -> String {
        let part = json!({"PartNumber": number, "Body": {"@zeros": size}});
        self.call("upload_part", "alpha", id, part)
    }

    /// Copies five bytes into a part.
    fn copied(&self, id: &str, number: i64) -> String {
        let part = json!({"PartNumber": number, "CopySource": "alpha/src"});
        self.call("upload_part_copy", "alpha", id, part)
    }

    fn abort(&self, id: &str) {
        let aborted = self.call("abort_multipart_upload", "alpha", id, json!({}));
        assert_eq!(aborted, "");
    }
}

#[test]
fn an_upload_has_at_most_the_bytes_of_an_object() {
    let lab = Lab::new();
    let id = lab.begin("alpha");
    assert_eq!(lab.part(&id, 1, 64 << 20), "");
    expect![[r#"! 400 EntityTooLarge: Your proposed upload exceeds the maximum allowed size {ProposedSize: "67108865", MaxSizeAllowed: "67108864"}"#]]
        .assert_eq(&lab.part(&id, 2, 1));
    expect![[r#"! 400 EntityTooLarge: Your proposed upload exceeds the maximum allowed size {ProposedSize: "67108869", MaxSizeAllowed: "67108864"}"#]]
        .assert_eq(&lab.copied(&id, 2));
    assert_eq!(lab.part(&id, 1, 9), "", "it replaces the large one");
    assert_eq!(lab.part(&id, 2, 1), "");
    assert_eq!(lab.copied(&id, 3), "");
}

#[test]
fn a_part_counts_once_however_often_it_is_replaced() {
    let lab = Lab::limited(LIMITS);
    let (one, other) = (lab.begin("alpha"), lab.begin("alpha"));
    assert_eq!(lab.part(&one, 1, 256), "");
    assert_eq!(lab.part(&other, 1, 256), "");
    // All 1024 bytes are taken: another part finds no room, the same one does.
    assert_eq!(lab.part(&other, 2, 0), FULL);
    assert_eq!(lab.copied(&other, 2), FULL);
    for _ in 0..3 {
        assert_eq!(lab.part(&one, 1, 256), "");
    }
    assert_eq!(lab.part(&one, 1, 257), FULL);
    assert_eq!(lab.part(&one, 1, 0), "");
    assert_eq!(lab.part(&other, 2, 0), "");
    assert_eq!(lab.part(&other, 3, 0), FULL);
}

#[test]
fn parts_without_a_byte_are_limited() {
    let lab = Lab::limited(LIMITS);
    let id = lab.begin("alpha");
    let answers: Vec<_> = (1..=5).map(|number| lab.part(&id, number, 0)).collect();
    assert_eq!(answers, ["", "", "", "", FULL]);
}

#[test]
fn an_upload_that_ends_makes_room() {
    let lab = Lab::limited(LIMITS);
    let full = |id: &str| {
        assert_eq!(lab.part(id, 1, 768), "");
        assert_eq!(lab.part(id, 2, 0), FULL);
    };
    let aborted = lab.begin("alpha");
    full(&aborted);
    lab.abort(&aborted);
    let completed = lab.begin("alpha");
    full(&completed);
    let part = json!({"PartNumber": 1, "ETag": "d8b61b2c0025919d5321461045c8226f"});
    let parts = json!({"MultipartUpload": {"Parts": [part]}});
    // The wrong ETag: the upload goes on, and so does what it counts.
    assert_ne!(
        lab.call("complete_multipart_upload", "alpha", &completed, parts),
        ""
    );
    assert_eq!(lab.part(&completed, 2, 0), FULL);
    assert_eq!(lab.part(&completed, 1, 0), "");
    let part = json!({"PartNumber": 1, "ETag": "d41d8cd98f00b204e9800998ecf8427e"});
    let parts = json!({"MultipartUpload": {"Parts": [part]}});
    assert_eq!(
        lab.call("complete_multipart_upload", "alpha", &completed, parts),
        ""
    );
    full(&lab.begin("alpha"));
}

#[test]
fn a_bucket_that_is_deleted_takes_its_uploads_along() {
    let lab = Lab::limited(LIMITS);
    let (gone, id) = (lab.begin("beta"), lab.begin("alpha"));
    let part = json!({"PartNumber": 1, "Body": {"@zeros": 768}});
    assert_eq!(lab.call("upload_part", "beta", &gone, part), "");
    assert_eq!(lab.part(&id, 1, 0), FULL);
    let bucket = value(&json!({"Bucket": "beta"}));
    lab.0
        .perform("delete_bucket", &bucket)
        .expect("it is empty");
    assert_eq!(lab.part(&id, 1, 768), "");
    assert!(!lab.begin("alpha").starts_with('!'));
}

#[test]
fn a_store_has_only_so_many_uploads() {
    let lab = Lab::limited(LIMITS);
    let first = lab.begin("alpha");
    lab.begin("beta");
    expect!["! 507 InsufficientStorage: This world may hold at most 2 uploads in progress; complete or abort uploads to make room"]
        .assert_eq(&lab.begin("alpha"));
    lab.abort(&first);
    assert!(!lab.begin("alpha").starts_with('!'));
}

#[test]
fn a_fork_has_its_own_room() {
    let lab = Lab::limited(LIMITS);
    let id = lab.begin("alpha");
    assert_eq!(lab.part(&id, 1, 768), "");
    let fork = Lab(lab.0.fork());
    fork.abort(&id);
    let other = fork.begin("alpha");
    assert_eq!(fork.part(&other, 1, 768), "");
    assert_eq!(lab.part(&id, 2, 0), FULL);
}

#[test]
fn uploads_of_a_description_count() {
    let text = "[[bucket]]\nname = \"alpha\"\n[[bucket.upload]]\nkey = \"old\"\nparts = [60, 20]";
    let store = store_from(text, Path::new("w.toml")).expect("a description");
    let lab = Lab::of(store, LIMITS);
    let id = lab.begin("alpha");
    assert_eq!(lab.part(&id, 1, 1024 - (60 + 20 + 3 * 256) + 1), FULL);
    assert_eq!(lab.part(&id, 1, 1024 - (60 + 20 + 3 * 256)), "");
}

#[test]
fn uploads_of_a_folder_count_when_it_is_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    let open = || DiskWorld::open(folder.path(), Clock::System).expect("a world");
    let store = |world: DiskWorld| world.fork().snapshot();
    let world = open();
    let call = |operation: &str, params: Json| {
        let answer = world.perform(operation, &value(&params));
        answer.expect("a working disk").expect("no refusal")
    };
    call("create_bucket", json!({"Bucket": "alpha"}));
    let begun = call(
        "create_multipart_upload",
        json!({"Bucket": "alpha", "Key": "k"}),
    );
    let id = begun
        .get("UploadId")
        .and_then(Value::as_str)
        .expect("an id");
    call(
        "upload_part",
        json!({"Bucket": "alpha", "Key": "k", "UploadId": id, "PartNumber": 1, "Body": {"@zeros": 768}}),
    );
    let lab = Lab::of(store(world), LIMITS);
    assert_eq!(lab.part(id, 2, 0), FULL);
    let lab = Lab::of(store(open()), LIMITS);
    assert_eq!(lab.part(id, 2, 0), FULL);
    lab.abort(id);
    assert_eq!(lab.part(&lab.begin("alpha"), 1, 768), "");
}
