//! The layers between a program and its world.

use crate::plan::lab::{block_on, read, world};
use dialog2api::agent::{Layered, Layers};
use dialog2api::domain::s3::S3;
use dialog2api::policy::{Mode, Policy};
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
