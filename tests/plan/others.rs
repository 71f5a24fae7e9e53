//! What people must know of a write before they agree to it.

use crate::plan::lab::{block_on, call_all, world};
use async_trait::async_trait;
use dialog2api::Result;
use dialog2api::domain::s3::S3;
use dialog2api::domain::{Answer, Layer, Onward, Refusal, Value, World};
use dialog2api::plan::{Draft, Gravity, effects};
use expect_test::{Expect, expect};
use std::sync::Arc;

/// A world in which `bucket-b` is somebody else's: it can be used, and no listing has it.
struct Shared {
    world: Arc<dyn World>,
    /// Whether the buckets can be listed at all.
    lists: bool,
}

#[async_trait]
impl Layer for Shared {
    fn under(&self) -> &dyn World {
        &*self.world
    }

    async fn pass(&self, operation: &str, params: &Value, onward: &Onward<'_>) -> Result<Answer> {
        if operation == "list_buckets" && !self.lists {
            return Ok(Err(Refusal::new(403, "AccessDenied", "Access Denied")));
        }
        let mut answer = onward.call(operation, params).await?;
        if let (true, Ok(Value::Map(fields))) = (operation == "list_buckets", &mut answer) {
            for (name, value) in fields {
                if let (true, Value::List(buckets)) = (name == "Buckets", value) {
                    buckets.retain(|it| it.get("Name").and_then(Value::as_str) != Some("bucket-b"));
                }
            }
        }
        Ok(answer)
    }

    fn split(&self) -> Option<Arc<dyn World>> {
        Some(Arc::new(Shared {
            world: self.world.fork()?,
            lists: self.lists,
        }))
    }
}

#[track_caller]
fn check(lists: bool, calls: &str, expected: Expect) {
    let world: Arc<dyn World> = Arc::new(Shared {
        world: world(),
        lists,
    });
    let draft = Draft::of(&world, &S3).unwrap();
    block_on(call_all(&*draft, calls));
    let lines = effects(&draft.writes()).into_iter().map(|effect| {
        let grave = if effect.gravity() == Gravity::Shares {
            "! "
        } else {
            ""
        };
        let line = format!("{grave}{} {}", effect.place, effect.warnings.join("; "));
        format!("{}\n", line.trim_end())
    });
    expected.assert_eq(&lines.collect::<String>());
}

#[test]
fn writes_to_the_buckets_of_others_are_marked() {
    check(
        true,
        "copy a/x b/y; put b/z text; delete b/x; put a/z text; make c; put c/x text; delete c/x; remove c",
        expect![[r#"
            ! bucket-b/y the bucket bucket-b is not among your own
            ! bucket-b/z the bucket bucket-b is not among your own
            ! bucket-b/x the bucket bucket-b is not among your own
            bucket-a/z
        "#]],
    );
    check(
        true,
        "make c; put c/x text",
        expect![[r#"
            bucket-c/
            bucket-c/x
        "#]],
    );
    check(
        true,
        "delete-all a x y dir/z; remove a",
        expect![[r#"
            bucket-a/x
            bucket-a/y
            bucket-a/dir/z
            bucket-a/
        "#]],
    );
}

#[test]
fn where_buckets_cannot_be_listed_nothing_is_said_of_their_owners() {
    check(
        false,
        "copy a/x b/y",
        expect![[r#"
            bucket-b/y
        "#]],
    );
}
