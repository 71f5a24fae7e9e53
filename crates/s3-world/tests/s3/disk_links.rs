//! Links and other things that programs do not see, in the way of a bucket.
#![cfg(unix)]

use super::disk::{folder, open};
use super::disk_folders::{ask, write};
use crate::support::run;
use expect_test::expect;
use s3_world::Overlay;
use s3_world::domain::World;
use std::fs;
use std::sync::Arc;

#[test]
fn links_in_and_at_the_place_of_a_bucket_are_in_the_way_of_plans_too() {
    let folder = folder();
    let root = folder.path();
    write(&root.join("album/a.txt"), "x");
    fs::create_dir(root.join("album/deep")).expect("a folder");
    std::os::unix::fs::symlink("/etc/passwd", root.join("album/deep/link")).expect("a link");
    std::os::unix::fs::symlink("/etc", root.join("linked")).expect("a link");
    let lines = r#"
        delete_object {"Bucket":"album","Key":"a.txt"}
        delete_bucket {"Bucket":"album"}
        create_bucket {"Bucket":"linked"}
        "#;
    let world = Arc::new(open(root));
    let plan = Overlay::over(world.clone(), world.fork().snapshot().clock, "us-east-1");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let planned = run(lines, |operation, params| {
        let call = plan.call(operation, params);
        runtime.block_on(call).expect("a working disk")
    });
    let planned = planned.replace(&root.display().to_string(), "HOME");
    expect![[r#"
        {}
        ! 409 BucketNotEmpty: The bucket you tried to delete is not empty: its folder has "HOME/album/deep/link", which is no object; move it away {BucketName: "album"}
        ! 409 BucketAlreadyExists: The requested bucket name is not available. The bucket namespace is shared by all users of the system. Please select a different name and try again. "HOME/linked" is a file or a link; move it away {BucketName: "linked"}
    "#]].assert_eq(&planned);
    let made = ask(&world, lines).replace(&root.display().to_string(), "HOME");
    assert_eq!(made, planned);
}
