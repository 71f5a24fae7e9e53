//! Ctrl-C while the signature of the world is read, which takes long on a server.

use crate::plan::lab::{block_on, world};
use crate::service::lab::{Lab, end, goal, outcomes};
use async_trait::async_trait;
use dialog2api::Result;
use dialog2api::agent::GREETING;
use dialog2api::domain::{Answer as WorldAnswer, Signer, Value, World};
use dialog2api::journal::Ended;
use dialog2api::service::Cancelled;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::Notify;

/// A world whose state is read a second time without an end.
struct Endless {
    world: Arc<dyn World>,
    reads: AtomicUsize,
    hangs: Notify,
}

#[async_trait]
impl World for Endless {
    async fn call(&self, operation: &str, params: &Value) -> Result<WorldAnswer> {
        self.world.call(operation, params).await
    }

    fn fork(&self) -> Option<Arc<dyn World>> {
        self.world.fork()
    }

    async fn state(&self, signer: &mut Signer) -> Result<()> {
        if self.reads.fetch_add(1, Ordering::Relaxed) == 1 {
            self.hangs.notify_one();
            std::future::pending::<()>().await;
        }
        self.world.state(signer).await
    }

    fn describe(&self) -> String {
        self.world.describe()
    }
}

#[test]
fn the_outcome_is_kept_without_the_signature() {
    let world = Arc::new(Endless {
        world: world(),
        reads: AtomicUsize::new(0),
        hangs: Notify::new(),
    });
    block_on(async {
        let lab = Lab::on(world.clone());
        let mut talk = lab.open(&[&goal(1, "final", "put a/one 1")]).await;
        let conversation = talk.conversation.clone();
        let stopping = async {
            world.hangs.notified().await;
            conversation.cancel()
        };
        let (turn, cancelled) = tokio::join!(talk.say("write it"), stopping);
        assert_eq!(cancelled, Cancelled::Leaving);
        assert_eq!(outcomes(&turn), "null");
        assert_eq!(end(&turn), "Stopped before the reply.");
        let state = lab.state();
        let ran = &state.turns[0].executed[0];
        assert_eq!(ran.outcome, Ended::Result(serde_json::Value::Null));
        assert_eq!(ran.signature, None);
        // It is there when the session is opened again.
        drop((talk, conversation));
        let talk = lab.open(&[]).await;
        let snapshot = talk.conversation.snapshot().unwrap();
        assert!(snapshot.stack[0].outcome.is_some());
        // A turn without a reply leaves what was said before it.
        assert_eq!(snapshot.session.said, GREETING);
    });
}
