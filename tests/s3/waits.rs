//! Whose time a call takes: that of the program, or that of a disk that is read and hashed.

use dialog2api::domain::World;
use dialog2api::domain::s3::clock::Clock;
use dialog2api::domain::s3::files::{Folders, WithFiles};
use dialog2api::domain::s3::memory::Store;
use dialog2api::domain::s3::world::open;
use dialog2api::domain::s3::{AheadLimits, Memory, Overlay, S3};
use dialog2api::policy::{Guard, Policy};
use std::sync::Arc;

/// Hashing the files of a folder, and copying them, is left out of the time that a program has.
#[test]
fn calls_of_a_folder_wait_and_those_of_the_memory_do_not() {
    let room = tempfile::tempdir().expect("a folder");
    std::fs::create_dir_all(room.path().join("photos/album")).expect("a folder");
    let photos = room.path().join("photos").display().to_string();
    let folder: Arc<dyn World> = open(&photos).expect("a world").world;
    let memory: Arc<dyn World> = Arc::new(Memory::new("test", Store::new(Clock::System)));
    let granted = Arc::new(Folders::open([photos.as_str()]).expect("a grant"));
    let policy = Arc::new(Policy::read("version = 1").expect("a policy"));
    let layers = |world: &Arc<dyn World>| -> Vec<(&str, Arc<dyn World>)> {
        let overlay = Overlay::for_program(
            world.clone(),
            Clock::System,
            "us-east-1",
            AheadLimits::default(),
        );
        vec![
            ("itself", world.clone()),
            ("under an overlay", Arc::new(overlay)),
            (
                "under a guard",
                Arc::new(Guard::new(world.clone(), &S3, policy.clone())),
            ),
        ]
    };
    for (name, world) in layers(&folder) {
        assert!(world.waits(), "a folder {name}");
    }
    for (name, world) in layers(&memory) {
        assert!(!world.waits(), "the memory {name}");
    }
    // What is granted is on a disk, whatever the world is.
    let with_files = WithFiles::new(memory, granted, 64 << 20, None);
    assert!(with_files.waits());
    if let Some(fork) = folder.fork() {
        assert!(fork.waits(), "a copy of a folder");
    }
}
