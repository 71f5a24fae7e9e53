//! The layers between a program and its world.

use crate::plan::lab::{block_on, read, world};
use crate::support::sandbox;
use async_trait::async_trait;
use dialog2api::agent::{Layered, Layers};
use dialog2api::dialogue::Outcome;
use dialog2api::domain::s3::S3;
use dialog2api::domain::{Answer, Layer, Onward, Refusal, Value, World};
use dialog2api::exec::{Limits, Seed};
use dialog2api::policy::{Mode, Policy};
use expect_test::expect;
use std::sync::Arc;

/// Whatever is asked for first: what the policy denies, and what is not offered, does not reach the
/// world, and does not count as read.
#[test]
fn the_order_of_layers_is_always_the_same() {
    let policy = || {
        Arc::new(Policy {
            mode: Mode::ReadOnly,
            ..Policy::default()
        })
    };
    let offered = ["list_objects", "put_object"];
    let over = || Layers::over(&world(), &S3);
    let one = over().held_to(policy()).offering(offered);
    let other = over().witnessed().noting_listings();
    for layers in [
        one.noting_listings().witnessed(),
        other.offering(offered).held_to(policy()),
    ] {
        let Layered {
            world,
            listings,
            witness,
            ..
        } = layers.build();
        let said: Vec<String> = ["put a/x 1", "get a/x", "list a"]
            .iter()
            .map(|call| {
                let (operation, params) = read(call);
                let answer = block_on(world.call(operation, &params)).unwrap();
                answer.map_or_else(|refusal| refusal.code, |_| "done".to_owned())
            })
            .collect();
        let [written, unknown, listed] = &said[..] else {
            panic!("{said:?}");
        };
        assert_eq!((&**written, &**listed), ("AccessDenied", "done"));
        assert_ne!(unknown, "done", "it is not offered");
        let reached = witness.unwrap().calls();
        let reached: Vec<&str> = reached.iter().map(|call| call.operation.as_str()).collect();
        assert_eq!(reached, ["list_objects"]);
        assert_eq!(listings.unwrap().unread(), Vec::<String>::new());
    }
}

/// A layer in which no object has the key `x`.
struct Hiding(Arc<dyn World>);

#[async_trait]
impl Layer for Hiding {
    fn under(&self) -> &dyn World {
        &*self.0
    }

    async fn pass(
        &self,
        operation: &str,
        params: &Value,
        onward: &Onward<'_>,
    ) -> dialog2api::Result<Answer> {
        let is_hidden = |it: &Value| it.get("Key").and_then(Value::as_str) == Some("x");
        if is_hidden(params) {
            let none = Refusal::new(404, "NoSuchKey", "The specified key does not exist.");
            return Ok(Err(none));
        }
        let mut answer = onward.call(operation, params).await?;
        if let Ok(Value::Map(page)) = &mut answer {
            for (_, field) in page {
                if let Value::List(objects) = field {
                    objects.retain(|it| !is_hidden(it));
                }
            }
        }
        Ok(answer)
    }
}

/// What else a world tells is hidden in the same way: the test of the core shows it.
#[tokio::test]
async fn a_program_does_not_find_what_a_layer_hides() {
    let below = S3.initial_world("empty").unwrap();
    for call in ["make a", "put a/x one", "put a/y two"] {
        let (operation, params) = read(call);
        below.call(operation, &params).await.unwrap().unwrap();
    }
    let hiding: Arc<dyn World> = Arc::new(Hiding(below));
    let seen = Layers::over(&hiding, &S3).noting_listings().witnessed();
    let program = "
keys = [it['Key'] for it in s3.list_objects(Bucket='bucket-a')['Contents']]
try:
    s3.get_object(Bucket='bucket-a', Key='x')
except Exception as e:
    return [keys, str(e)]
";
    let (limits, seed) = (Limits::default(), Seed::default());
    let engine = sandbox().await;
    let ran = engine
        .run(program, &seen.build().world, &limits, &seed)
        .await;
    let Outcome::Result(result) = ran.unwrap().outcome else {
        panic!("the program fails");
    };
    expect![[r#"[["y"],"An error occurred (NoSuchKey) when calling the GetObject operation: The specified key does not exist."]"#]]
        .assert_eq(&result.to_string());
}
