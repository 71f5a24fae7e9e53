//! Copies of worlds with versions and settings, from one embedded store to another one.

use dialog2api::dataset::InitialWorlds;
use dialog2api::domain::s3::clock::Clock;
use dialog2api::domain::s3::memory::{Buckets, Store};
use dialog2api::domain::s3::{Memory, S3};
use dialog2api::domain::{Signer, World};
use expect_test::expect;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

async fn signature(world: &dyn World) -> String {
    let mut signer = Signer::new();
    world.state(&mut signer).await.expect("a state");
    signer.signature().to_string()
}

/// The worlds of the dialogues about managing buckets.
fn worlds() -> BTreeMap<String, Arc<dyn World>> {
    let worlds = InitialWorlds::new(&S3);
    let dialogues = super::read("datasets/s3-manage");
    let named = dialogues.iter().map(|dialogue| {
        let name = dialogue.world().expect("a world").to_owned();
        (name, worlds.of(dialogue).expect("its world"))
    });
    named.collect()
}

/// The keys of the uploads in progress, and the sizes of their parts.
fn uploads(state: &Buckets) -> Vec<(String, Vec<usize>)> {
    let uploads = state
        .buckets()
        .flat_map(|(_, bucket)| bucket.uploads.iter());
    let shown = uploads.map(|((key, ..), upload)| {
        let parts = upload.parts.values();
        let sizes = parts.map(|part| part.blob.bytes.len());
        (key.to_string(), sizes.collect())
    });
    shown.collect()
}

#[tokio::test]
async fn a_copy_has_the_settings_and_the_versions() {
    let start = "2025-06-05T00:00:00Z".parse().expect("a time");
    let into = Memory::new("copy", Store::new(Clock::Steps(start)));
    let contents = S3.contents().expect("it has some");
    let mut text = String::new();
    // The locked world has what cannot be deleted. Each of the others replaces the one before.
    let worlds = worlds();
    let (locked, others): (Vec<_>, Vec<_>) =
        worlds.iter().partition(|(name, _)| *name == "accounts");
    for (name, world) in others.iter().chain(&others).chain(&locked) {
        let _ = match contents.restore(&***world, &into).await {
            Err(error) => writeln!(text, "{name}: {error}"),
            Ok(()) => {
                let is_same = signature(&***world).await == signature(&into).await;
                writeln!(
                    text,
                    "{name}: {}",
                    if is_same { "the same" } else { "another state" }
                )
            }
        };
        let _ = writeln!(text, "    {:?}", uploads(&into.snapshot().state));
    }
    let cleared = contents.clear(&into).await;
    let _ = writeln!(text, "{}", cleared.expect_err("it has locks"));
    expect![[r#"
        observatory: copy (embedded S3, in memory): get_object polaris-frames/2022/m31-0917.fits: The operation is not valid for the object's storage class (InvalidObjectState); get_object polaris-frames/2023/m42-0110.fits: The operation is not valid for the object's storage class (InvalidObjectState); get_object polaris-frames/2023/m42-0111.fits: The operation is not valid for the object's storage class (InvalidObjectState)
            [("dome/core-dump.bin", [4000, 4000])]
        publisher: the same
            []
        web-studio: the same
            [("nordlys-film.mp4", [6000, 6000, 6000])]
        workshop: the same
            [("bikes/gravel.mov", [2500, 2500]), ("team/party.mov", [1500])]
        observatory: copy (embedded S3, in memory): get_object polaris-frames/2022/m31-0917.fits: The operation is not valid for the object's storage class (InvalidObjectState); get_object polaris-frames/2023/m42-0110.fits: The operation is not valid for the object's storage class (InvalidObjectState); get_object polaris-frames/2023/m42-0111.fits: The operation is not valid for the object's storage class (InvalidObjectState)
            [("dome/core-dump.bin", [4000, 4000])]
        publisher: the same
            []
        web-studio: the same
            [("nordlys-film.mp4", [6000, 6000, 6000])]
        workshop: the same
            [("bikes/gravel.mov", [2500, 2500]), ("team/party.mov", [1500])]
        accounts: the same
            [("exports/all-2024.zip", []), ("scans/box-17.pdf", [5000, 4000]), ("scans/box-21.pdf", [3000])]
        copy (embedded S3, in memory): delete_object quill-invoices/2024/inv-1001.txt: Access Denied because object protected by object lock. (AccessDenied)
    "#]].assert_eq(&text);
}
