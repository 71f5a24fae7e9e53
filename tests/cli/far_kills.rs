//! Chats that are killed while many writes are under way on a server: what was begun and what was
//! made is told apart afterwards, so that nothing is lost and nothing is done twice.

use super::support::{Home, goal, model};
use crate::plan::lab::{call_all, content};
use crate::serve::support::{key, system_world};
use async_trait::async_trait;
use dialog2api::Result;
use dialog2api::domain::s3::serve::{Service, listen};
use dialog2api::domain::{Answer, Layer, Onward, Value, World};
use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use tokio::sync::Notify;

/// So many objects are moved.
const OBJECTS: usize = 40;

/// The last write that is answered before each kill, and whether that one is made: 40 copies, and
/// then deletions of many by one call. With `DIALOG2API_TEST_ALL` each write of both, which takes
/// minutes.
fn moments() -> Vec<(usize, bool)> {
    match std::env::var_os("DIALOG2API_TEST_ALL") {
        Some(_) => (0..=OBJECTS)
            .flat_map(|write| [(write, false), (write, true)])
            .collect(),
        None => vec![(0, true), (7, false), (31, true), (33, false), (40, true)],
    }
}

/// A server that answers no more from one of its writes on.
struct Silent {
    world: Arc<dyn World>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// How many writes are still answered, and whether the one after them is carried out.
    answers: Option<(usize, bool)>,
    is_silent: bool,
    /// Is told when it is.
    silent: Arc<Notify>,
    /// How often each object was copied to and deleted.
    made: BTreeMap<String, usize>,
}

impl Silent {
    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Is silent from this write on. Whoever waits for that is told.
    fn ends_at(&self, write: usize, is_made: bool) -> Arc<Notify> {
        let mut state = self.state();
        state.answers = Some((write, is_made));
        state.is_silent = false;
        state.silent = Arc::default();
        state.silent.clone()
    }

    fn answers_all(&self) {
        let mut state = self.state();
        state.answers = None;
        state.is_silent = false;
    }

    /// What was made since the last time; each once.
    fn check_made(&self, context: &str) {
        let made = std::mem::take(&mut self.state().made);
        assert_eq!(made.len(), 2 * OBJECTS, "{context}");
        let twice: Vec<_> = made.iter().filter(|(_, times)| **times != 1).collect();
        assert!(twice.is_empty(), "{context}: {twice:?}");
    }
}

#[async_trait]
impl Layer for Silent {
    fn under(&self) -> &dyn World {
        &*self.world
    }

    async fn pass(&self, operation: &str, params: &Value, onward: &Onward<'_>) -> Result<Answer> {
        let is_write = operation == "copy_object" || operation.starts_with("delete_");
        let (is_last, silent) = {
            let mut state = self.state();
            let silent = state.silent.clone();
            let is_silent = state.is_silent;
            let is_last = match &mut state.answers {
                _ if is_silent => Some(false),
                Some((0, is_made)) if is_write => {
                    let is_made = *is_made;
                    state.is_silent = true;
                    Some(is_made)
                }
                Some((left, _)) if is_write => {
                    *left -= 1;
                    None
                }
                _ => None,
            };
            (is_last, silent)
        };
        if is_last == Some(false) {
            silent.notify_one();
            std::future::pending::<()>().await;
        }
        let answer = onward.call(operation, params).await;
        if is_write && let Ok(Ok(answer)) = &answer {
            let mut state = self.state();
            let one = params.get("Key").into_iter();
            let many = answer.get("Deleted").and_then(Value::as_list);
            let many = many
                .unwrap_or_default()
                .iter()
                .filter_map(|it| it.get("Key"));
            for key in one.chain(many) {
                let what = operation.trim_end_matches('s');
                *state.made.entry(format!("{what} {key:?}")).or_default() += 1;
            }
        }
        if is_last.is_some() {
            silent.notify_one();
            std::future::pending::<()>().await;
        }
        answer
    }
}

/// The chat, with what is said to it.
fn chat(home: &Home, words: &str, endpoint: &str, model: &str) -> Command {
    home.write("script.txt", words);
    let mut command = home.ready("chat --model openai:fake --session it --script script.txt");
    let key = key();
    command
        .args(["--region", "us-east-1", "--endpoint-url", endpoint])
        .args(["--base-url", model])
        .env("AWS_ACCESS_KEY_ID", key.id)
        .env("AWS_SECRET_ACCESS_KEY", key.secret)
        .stdin(Stdio::null());
    command
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_move_and_its_undo_that_are_killed_on_a_server_come_to_their_end() {
    let world = system_world();
    let puts = (0..OBJECTS).map(|number| format!("; put a/in/{number:03} text{number}"));
    let calls: String = ["make a".to_owned()].into_iter().chain(puts).collect();
    call_all(&*world, &calls).await;
    let seen = || tokio::task::block_in_place(|| content(&*world));
    let before = seen();
    let silent = Arc::new(Silent {
        world: world.clone(),
        state: Mutex::default(),
    });
    let service = Service::new(silent.clone(), &key());
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let server = listen(service, address).await.unwrap();
    let program = "for o in s3.list_objects_v2(Bucket='bucket-a', Prefix='in/')['Contents']:\n        \
                   s3.copy_object(Bucket='bucket-a', Key='out/' + o['Key'][3:], CopySource={'Bucket': 'bucket-a', 'Key': o['Key']})\n        \
                   s3.delete_object(Bucket='bucket-a', Key=o['Key'])";
    for (write, is_made) in moments() {
        let context = format!("write {write}, made: {is_made}");
        let home = Home::new();
        let answers = model(&[&goal(1, "final", program), "They are moved."]).await;
        let (endpoint, url) = (server.endpoint(), answers.base_url());
        let command = |words: &str| chat(&home, words, &endpoint, &url);
        let kill = async |words: &str| {
            let is_silent = silent.ends_at(write, is_made);
            let mut command = command(words);
            let mut child = command
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            is_silent.notified().await;
            child.kill().unwrap();
            child.wait().unwrap();
            silent.answers_all();
        };
        let go_on = |words: &str| {
            let output = tokio::task::block_in_place(|| command(words).output().unwrap());
            home.seen(&output)
        };
        kill("move in/ to out/ in bucket-a\nyes\n").await;
        assert_ne!(seen(), "", "{context}");
        let said = go_on("yes\n/quit\n");
        assert!(
            said.contains("An apply was cut off after"),
            "{context}: {said}"
        );
        assert!(!seen().contains("bucket-a/in/"), "{context}: {said}");
        silent.check_made(&context);
        kill("/undo\nyes\n").await;
        let said = go_on("yes\n/quit\n");
        assert_eq!(seen(), before, "{context}: {said}");
        silent.check_made(&context);
    }
    server.stop().await;
}
